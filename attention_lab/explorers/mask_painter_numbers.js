// Explorer of lesson 04, what it computes and says: pure functions, compared with the package by the tests.

// ---- computing ------------------------------------------------------------------------------------------------------

// A hidden score becomes -inf. A row that may look nowhere has the weights 0.
function weightsOf(scores, mask) {
  return scores.map((row, i) => softmax(row.map((score, j) => (mask[i][j] ? score : -Infinity))));
}

function countOpen(mask) {
  return mask.flat().filter(Boolean).length;
}

// Masks of any size, by the name of their button.
const READY = { "Show all": () => true, Causal: (i, j) => j <= i, "Hide all": () => false };

// ---- saying ---------------------------------------------------------------------------------------------------------

// "bank may look at The and bank", as in attention_lab.explorers.mask_goals.
function mayLook(word, words, row) {
  const names = words.filter((_, j) => row[j]);
  const all = names.length > 1 && names.length === words.length;
  return `${word} may look at ${all ? `all ${names.length} words` : joinWords(names) || "nothing"}`;
}

// The sentence of a row: at whom it may look, and what its weights are.
function rowSaid(i, words, mask, weights) {
  const may = mayLook(words[i], words, mask[i]);
  const parts = words.flatMap((word, j) => (mask[i][j] ? [`${word} ${showShare(weights[i][j])}`] : []));
  return parts.length ? `${may}. Weights: ${joinWords(parts)}.` : `${may}, so all of its weights are 0.`;
}

// At how many words each may look, as in attention_lab.explorers.mask_painter.
function sentenceOf(words, mask) {
  const counts = mask.map((row) => row.filter(Boolean).length);
  const unit = ["", " word"][counts[0]] ?? " words";
  const each = words.map((word, i) => `${word} ${i ? "" : "may look "}at ${counts[i] || "nothing"}${i ? "" : unit}`);
  return `${each.join(", ")}: ${countOpen(mask)} of ${mask.flat().length} cells are open.`;
}
