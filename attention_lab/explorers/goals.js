// An explorer's goals: how they are judged, as attention_lab.explorers.goals does it, and the list that ticks itself.

// ---- judging --------------------------------------------------------------------------------------------------------

const SLACK = 1e-9; // rounding decides nothing

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

// ---- the list -------------------------------------------------------------------------------------------------------

// Draws the explorer, and its goals below. Goals see what Python is told: an edit counts once typing has paused.
function renderWithGoals({ model, el }) {
  const view = { model, list: null, items: new Map(), claimed: new Set() };
  const spied = {
    get: (name) => model.get(name),
    set: (name, value) => model.set(name, value),
    on: (heard, act) => model.on(heard, act),
    off: (heard, act) => model.off(heard, act),
    save_changes: () => {
      tick(view);
      model.save_changes();
      drawGoals(view);
    },
  };
  const end = render({ model: spied, el });
  const showGoals = () => {
    const goals = model.get("goals");
    if (goals.length) buildGoals(view, goals, el.querySelector(".attention-lab"));
    drawGoals(view);
  };
  const heard = ["done", ...TAUGHT].map((name) => [`change:${name}`, () => drawGoals(view)]);
  heard.push(["change:goals", showGoals]);
  heard.forEach(([name, act]) => model.on(name, act));
  showGoals();
  return () => {
    end();
    heard.forEach(([name, act]) => model.off(name, act));
  };
}

function buildGoals(view, goals, root) {
  if (!view.list) {
    const task = "Reach each with one edit from the start, or say that it cannot be done.";
    const title = element("p", {}, element("b", {}, "Goals. "), task);
    view.list = element("ul", { role: "list" });
    root.append(element("div", { class: "al-goals", role: "group", "aria-label": "Goals" }, title, view.list));
  }
  goals.filter((goal) => !view.items.has(goal.name)).forEach((goal) => view.list.append(buildGoal(view, goal)));
}

function buildGoal(view, goal) {
  const id = freshId();
  const [mark, word] = [element("span", { "aria-hidden": "true" }), element("span")];
  const text = element("span", { class: "al-goal-text", id }, `${goal.text}.`);
  const impossible = { type: "button", class: "al-button", "aria-describedby": id, ...KEEPS_KEYS };
  const button = element("button", impossible, "It cannot be done");
  button.addEventListener("click", () => claim(view, goal));
  const said = element("p", { class: "al-goal-said", "aria-live": "polite" });
  const badge = element("span", { class: "al-badge" }, mark, " ", word);
  const item = element("li", { class: "al-goal" }, badge, text, button, said);
  view.items.set(goal.name, { goal, item, mark, word, button, said });
  return item;
}

// Tick what is met now; what is ticked stays so.
function tick(view) {
  const seen = seenIn(view.model);
  view.items.forEach(({ goal }) => {
    if (!(goal.name in view.model.get("done")) && isMet(goal, seen)) keepDone(view, goal, howMet(goal, seen));
  });
}

function keepDone(view, goal, said) {
  view.model.set("done", { ...view.model.get("done"), [goal.name]: said });
}

// "It cannot be done": right where no single edit does it.
function claim(view, goal) {
  if (goal.name in view.model.get("done")) return;
  if (goal.ways) view.claimed.add(goal.name);
  else keepDone(view, goal, `Right: ${goal.counted}.`);
  view.model.save_changes();
  drawGoals(view);
}

function drawGoals(view) {
  if (!view.items.size) return;
  const seen = seenIn(view.model);
  view.items.forEach(({ goal, item, mark, word, button, said }) => {
    const done = view.model.get("done")[goal.name];
    setText(mark, done ? "✓" : "○");
    setText(word, !done ? "open" : goal.ways ? "met" : "impossible");
    item.classList.toggle("al-met", Boolean(done && goal.ways));
    item.classList.toggle("al-done", Boolean(done));
    button.setAttribute("aria-disabled", String(Boolean(done)));
    setText(said, done ? `${done} ${goal.because}` : notYet(view, goal, seen));
  });
}

// What stands below a goal that is still open.
function notYet(view, goal, seen) {
  const { edits } = seen;
  if (edits.length > 1 && RULES[goal.rule](goal, seen)) {
    return `Reached with ${edits.length} edits; one is asked for. "Start again" puts all back.`;
  }
  return view.claimed.has(goal.name) ? `It can: ${goal.counted}.` : "";
}
