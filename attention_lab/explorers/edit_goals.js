// Goals of bank_matrices, one edit each: judged as attention_lab.explorers.edit_goals does it. goals.js shows the list.

const SLACK = 1e-9; // rounding decides nothing
const WATCHED = TAUGHT; // what the goals look at

const RULES = {
  gives: (goal, seen) => given(goal, seen).every((weight) => weight > 0.5 + SLACK),
  alike: (goal, seen) => given(goal, seen).every((weight, _, all) => Math.max(...all) - weight <= SLACK),
  favourites: (_, { now }) => {
    const best = now.weights.map((row) => row.flatMap((weight, j) => (weight >= Math.max(...row) - SLACK ? [j] : [])));
    return best.every((those) => those.length === 1) && new Set(best.flat()).size === best.length;
  },
  output: (_, { now, start }) =>
    now.weights.every((row, i) => row.every((weight, j) => Math.abs(weight - start.weights[i][j]) <= SLACK)) &&
    countMoved(now.output, start.output) > 0,
};

// The weights of a goal's pairs.
function given({ pairs }, { words, now }) {
  return pairs.map(([row, column]) => now.weights[words.indexOf(row)][words.indexOf(column)]);
}

function countMoved(now, start) {
  return now.flat().filter((value, at) => Math.abs(value - start.flat()[at]) > SLACK).length;
}

// What a goal is judged by: every number now and at the start, and which of those that are edited differ.
function seenIn(model) {
  const withAll = (of) => {
    const taught = Object.fromEntries(TAUGHT.map((name) => [name, of(name)]));
    return { ...taught, ...attention(taught) };
  };
  const [now, start] = [withAll((name) => model.get(name)), withAll((name) => model.get("start")[name])];
  const differ = (name) =>
    now[name].flatMap((row, i) => row.flatMap((value, j) => (value === start[name][i][j] ? [] : [[name, i, j]])));
  return { words: model.get("words"), now, start, edits: TAUGHT.flatMap(differ) };
}

function isMet(goal, seen) {
  const { edits } = seen;
  return edits.length === 1 && goal.edits.includes(edits[0][0]) && RULES[goal.rule](goal, seen);
}

// "With -2 in W_Q, row 2, number 1: bank looks most at The (87.0%)."
function howMet(goal, { words, now, start, edits }) {
  const [name, i, j] = edits[0];
  const row = name === "x" ? words[i] : `row ${i + 1}`;
  const [moved, of] = [countMoved(now.output, start.output), now.output.flat().length];
  const givers = goal.pairs.map(([giver]) => giver);
  const who = words.filter((word) => !givers.length || givers.includes(word));
  const rows = who.map((word) => now.weights[words.indexOf(word)]);
  const measured =
    goal.rule === "output"
      ? `every weight stays, and ${moved} of ${of} numbers of the output change`
      : looks(rows, who, words);
  return `With ${showNumber(now[name][i][j])} in ${name}, ${row}, number ${j + 1}: ${measured}.`;
}

// What is said of a goal that is not reached as asked; nothing where there is nothing to say.
function notYet(goal, seen) {
  const { edits } = seen;
  if (edits.length < 2 || !RULES[goal.rule](goal, seen)) return "";
  return `Reached with ${edits.length} edits; one is asked for. "Start again" puts all back.`;
}
