// Explorer of lesson 03, what it computes and says: pure functions, compared with the package by the tests.

const HOWS = ["unscaled", "scaled"];

// ---- computing ------------------------------------------------------------------------------------------------------

// Both rows of now: the scores that go into the softmax, the weights, and what is read off them.
function bothRows(scores, d_k, temperature) {
  return HOWS.map((how) => rowOf(scores.map((score) => score / (how === "scaled" ? Math.sqrt(d_k) : 1) / temperature)));
}

function rowOf(scores) {
  const weights = softmax(scores);
  const largest = Math.max(...weights);
  return { scores, weights, spread: spread(scores), largest, top: weights.indexOf(largest), looked: looked(weights) };
}

// The standard deviation.
function spread(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

// How many words are really looked at: 2 to the power of the entropy.
function looked(weights) {
  return 2 ** weights.reduce((bits, weight) => bits - (weight > 0 ? weight * Math.log2(weight) : 0), 0);
}

// The place of the step that is nearest to a value, by ratios.
function nearest(steps, value) {
  const away = steps.map((step) => Math.abs(Math.log(step / value)));
  return away.indexOf(Math.min(...away));
}

// ---- saying ---------------------------------------------------------------------------------------------------------

// A temperature or a count, as in attention_lab.explorers.scaled_rows.
function short(value) {
  return fixed(value, 3).replace(/\.?0+$/, "");
}

function formula(how, d_k, temperature) {
  const divided = [...(how === "scaled" ? [`√${d_k}`] : []), ...(temperature === 1 ? [] : [short(temperature)])];
  return `softmax(${["q · k", ...divided].join(" / ")})`;
}

function looksAt({ looked, weights }) {
  return `looks at ${fixed(looked, 1)} of ${weights.length} words`;
}

function sentenceOf([unscaled, scaled], d_k, temperature) {
  const hot = temperature === 1 ? "" : `, temperature ${short(temperature)}`;
  const at = `One query and ${unscaled.weights.length} keys at d_k = ${d_k}${hot}`;
  return `${at}: unscaled it ${looksAt(unscaled)}, scaled at ${fixed(scaled.looked, 1)}.`;
}
