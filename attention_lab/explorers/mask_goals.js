// Goals of mask_painter: judged as attention_lab.explorers.mask_goals does it. goals.js shows the list.

const WATCHED = ["mask"]; // what the goals look at
const NEAR = 3; // cells

function seenIn(model) {
  return model.get("mask");
}

function isMet({ target }, mask) {
  return countUnlike(mask, target) === 0;
}

function howMet(_, mask) {
  return `${countOpen(mask)} of ${mask.length ** 2} cells are open.`;
}

function countUnlike(mask, other) {
  return mask.flat().filter((open, at) => open !== other.flat()[at]).length;
}

// What is said of a mask that is not as asked. Whoever paints straight on passes three near ones; from the fourth on, help
// is welcome: how many cells, but not which.
function notYet({ target }, mask, item) {
  const unlike = countUnlike(mask, target);
  if (unlike === mask.length ** 2) return "The other way round: each cell is the opposite of what is asked for.";
  if (!countUnlike(transpose(mask), target)) return "Rows and columns are swapped: a row is the word that looks.";
  if (unlike > NEAR || !unlike) return "";
  item.near = (item.near ?? new Set()).add(JSON.stringify(mask));
  return item.near.size > NEAR ? `Nearly: ${unlike} of the cells ${unlike > 1 ? "are" : "is"} not as asked.` : "";
}
