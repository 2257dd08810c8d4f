// Explorer of lesson 07, what it computes and says: pure functions, compared with the package by the tests.

// ---- computing ------------------------------------------------------------------------------------------------------

// Bytes, as attention_lab.costs.attention_cost counts them.
function costOf({ n_layers, d_model, n_heads, n_kv_heads }, n_tokens, bytes_each) {
  return {
    scores: n_heads * n_tokens * n_tokens * bytes_each,
    cache: n_layers * 2 * n_tokens * n_kv_heads * (d_model / n_heads) * bytes_each,
  };
}

const DECADES = [6, 15]; // powers of ten at the ends of the axis: a megabyte and a petabyte

// How far up the axis some bytes stand, in percent; the axis is logarithmic.
function heightOf(bytes) {
  return (100 * (Math.log10(bytes) - DECADES[0])) / (DECADES[1] - DECADES[0]);
}

// ---- saying ---------------------------------------------------------------------------------------------------------

const UNITS = [
  [1e15, "PB"],
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
];

// As in attention_lab.explorers.text_cost.
function amount(bytes) {
  const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? UNITS.at(-1);
  return `${fixed(bytes / size, bytes < 10 * size ? 1 : 0)} ${unit}`;
}

function thousands(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

// Lengths on the axis, where there is little room: 1,024 tokens are 1k.
function brief(n_tokens) {
  return n_tokens < 2 ** 20 ? `${n_tokens / 1024}k` : `${n_tokens / 2 ** 20}M`;
}

function perNumber(bytes_each) {
  return `${bytes_each} byte${bytes_each > 1 ? "s" : ""}`;
}

function fitting({ scores, cache }, memory) {
  const [some, others] = [scores <= memory, cache <= memory];
  const one = some ? "Only the scores fit" : "Only the keys and values fit";
  const which = some && others ? "Each of the two fits" : some || others ? one : "Neither fits";
  return `${which} into ${amount(memory)}.`;
}

function sentenceOf(name, sizes, n_tokens, bytes_each, memory) {
  const cost = costOf(sizes, n_tokens, bytes_each);
  return (
    `${name}, ${thousands(n_tokens)} tokens, ${perNumber(bytes_each)} a number: the scores of one layer take ` +
    `${amount(cost.scores)}, the keys and values of all ${sizes.n_layers} layers ${amount(cost.cache)}. ` +
    fitting(cost, memory)
  );
}

// What is multiplied, written out.
function sumsOf({ n_layers, d_model, n_heads, n_kv_heads }, n_tokens, bytes_each) {
  const [n, bytes] = [thousands(n_tokens), perNumber(bytes_each)];
  const heads = `${n_kv_heads} head${n_kv_heads > 1 ? "s" : ""} of ${d_model / n_heads}`;
  return {
    scores: `${n_heads} heads × ${n} × ${n} tokens × ${bytes}`,
    cache: `${n_layers} layers × 2 × ${n} tokens × ${heads} numbers × ${bytes}`,
  };
}
