// Explorer of lesson 02, what it computes and says: pure functions, compared with the package by the tests.

const TAUGHT = ["x", "W_Q", "W_K", "W_V"]; // what a learner edits
const STAGES = ["q", "k", "v", "scores", "scaled", "weights", "output"]; // what follows from it

// ---- computing ------------------------------------------------------------------------------------------------------

// Every number of the walk: make q, k and v, compare, scale, weigh, blend.
function attention({ x, W_Q, W_K, W_V }) {
  const [q, k, v] = [multiply(x, W_Q), multiply(x, W_K), multiply(x, W_V)];
  const scores = multiply(q, transpose(k));
  const scale = 1 / Math.sqrt(k[0].length);
  const scaled = scores.map((row) => row.map((score) => score * scale));
  const weights = scaled.map(softmax);
  return { q, k, v, scores, scaled, weights, output: multiply(weights, v) };
}

// ---- one number, followed through -----------------------------------------------------------------------------------

function nameOf(name, i, j, words) {
  if (name === "scores") return `score of ${words[i]} with ${words[j]}`;
  if (name === "scaled") return `scaled score of ${words[i]} with ${words[j]}`;
  if (name === "weights") return `weight of ${words[i]} on ${words[j]}`;
  if (name === "x") return `x, ${words[i]}, number ${j + 1}`;
  if (TAUGHT.includes(name)) return `${name}, row ${i + 1}, number ${j + 1}`;
  return `${name} of ${words[i]}, number ${j + 1}`;
}

function inBrackets(text) {
  return text.startsWith("-") ? `(${text})` : text;
}

function sumOfProducts(left, right) {
  return left.map((text, i) => `${inBrackets(text)}×${inBrackets(right[i])}`).join(" + ");
}

// The sum behind a computed number, in the digits that the page shows.
function sumOf(name, i, j, numbers) {
  const show = (values) => values.map(showNumber);
  const column = (matrix) => matrix.map((row) => row[j]);
  const matrix = { q: "W_Q", k: "W_K", v: "W_V" }[name];
  if (matrix) return sumOfProducts(show(numbers.x[i]), show(column(numbers[matrix])));
  if (name === "scores") return sumOfProducts(show(numbers.q[i]), show(numbers.k[j]));
  if (name === "scaled") return `${showNumber(numbers.scores[i][j])} / √${numbers.k[0].length}`;
  if (name === "output") return sumOfProducts(numbers.weights[i].map(showShare), show(column(numbers.v)));
  const grown = show(numbers.scaled[i]).map((score) => `e^${inBrackets(score)}`);
  return grown.length > 1 ? `${grown[j]} / (${grown.join(" + ")})` : `${grown[j]} / ${grown[j]}`;
}

// "score of bank with river: 1×4 + 3×2 = 10"
function writeOut(name, i, j, numbers, words) {
  const shown = name === "weights" ? showShare(numbers[name][i][j]) : showNumber(numbers[name][i][j]);
  return `${nameOf(name, i, j, words)}: ${sumOf(name, i, j, numbers)} = ${shown}`;
}

// What a computed number is made of: names and places one step upstream.
function ingredientsOf(name, i, j, numbers) {
  const row = (of, at) => numbers[of][at].map((_, at2) => [of, at, at2]);
  const column = (of) => numbers[of].map((_, at) => [of, at, j]);
  const matrix = { q: "W_Q", k: "W_K", v: "W_V" }[name];
  if (matrix) return [...row("x", i), ...column(matrix)];
  if (name === "scores") return [...row("q", i), ...row("k", j)];
  if (name === "scaled") return [["scores", i, j]];
  if (name === "weights") return row("scaled", i);
  return [...row("weights", i), ...column("v")];
}
