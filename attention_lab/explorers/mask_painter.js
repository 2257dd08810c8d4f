// Explorer of lesson 04, its page: hide and show cells of a mask, and the weights follow at once.

// ---- the page -------------------------------------------------------------------------------------------------------

const HINT = "Go to a cell, and its row is read out here. Keys: Tab, then arrows; Space hides or shows.";

// The model holds the mask; a view only draws it.
function render({ model, el }) {
  const [words, scores] = [model.get("words"), model.get("scores")];
  const view = { model, words, scores, drawn: null, timer: null, followed: null, brush: null };
  Object.assign(view, { cells: [], texts: [], shares: [] });
  show(el, buildPage(view));
  setText(view.sum, HINT);
  draw(view);
  return listen(view, ["mask"]);
}

function buildPage(view) {
  view.sum = element("p", { class: "al-sum", id: freshId() });
  view.sentence = element("p");
  const longest = Math.max(5, ...view.words.map((word) => word.length));
  const name = `Explorer: who may look at whom, ${view.words.join(", ")}`;
  const how = "Click a cell, or drag over several, to hide it or to show it again. A hidden score becomes -inf.";
  return element(
    "div",
    { class: "attention-lab al-painter", role: "group", "aria-label": name, style: `--al-names: ${longest}ch` },
    element("div", { class: "al-header" }, element("p", {}, how), buildButtons(view)),
    element(
      "div",
      { class: "al-stages" },
      stage("1", "hide", [buildGrid(view)]),
      stage("2", "weigh", [buildWeights(view)]),
    ),
    view.sum,
    element("div", { role: "status", class: "al-status" }, view.sentence),
  );
}

function buildButtons(view) {
  const buttons = Object.entries(READY).map(([name, open]) => {
    const button = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, name);
    const mask = view.words.map((_, i) => view.words.map((_, j) => open(i, j)));
    button.addEventListener("click", () => move(view, { mask }, { atOnce: true }));
    return button;
  });
  return element("div", { class: "al-buttons" }, ...buttons);
}

// The cells to paint: each is a button that is pressed in where a word may look.
function buildGrid(view) {
  const fill = (i, j) => {
    const text = element("span");
    const score = `scaled score ${showNumber(view.scores[i][j])}`;
    const label = `${view.words[i]} may look at ${view.words[j]}, ${score}`;
    const named = { type: "button", "aria-label": label, "aria-describedby": view.sum.id, ...KEEPS_KEYS };
    const cell = element("button", { class: "al-paint", ...named }, text);
    cell.addEventListener("focus", () => follow(view, i, j));
    cell.addEventListener("pointerdown", (event) => take(view, i, j, event));
    cell.addEventListener("pointerenter", (event) => pass(view, i, j, event));
    cell.addEventListener("click", (event) => press(view, i, j, event));
    (view.cells[i] ??= []).push(cell);
    (view.texts[i] ??= []).push(text);
    return element("td", {}, cell);
  };
  const table = makeSquare(view, ["scaled scores, -inf where hidden"], fill, { role: "grid" });
  rove(view.cells);
  return table;
}

function buildWeights(view) {
  const fill = (i, j) => {
    const cell = element("td", { class: "al-cell" });
    cell.addEventListener("pointerenter", () => follow(view, i, j));
    (view.shares[i] ??= []).push(cell);
    return cell;
  };
  return makeSquare(view, ["weights = ", element("b", {}, "softmax"), " of each row"], fill);
}

function makeSquare(view, caption, fill, attributes = {}) {
  const axes = { rows: "looking ↓", columns: "looked at →" };
  return makeTable({ caption, rows: view.words, columns: view.words, axes, fill, attributes });
}

// ---- what a learner does --------------------------------------------------------------------------------------------

function paint(view, places, open) {
  const mask = copy(view.model.get("mask"));
  places.forEach(([i, j]) => (mask[i][j] = open));
  move(view, { mask });
}

// A click, Space or Enter turns one cell. At the end of a drag, which has painted already, a click means nothing.
function press(view, i, j, event) {
  if (event.detail && view.brush?.moved) return;
  paint(view, [[i, j]], !view.model.get("mask")[i][j]);
}

// With the mouse, a drag makes all cells on its way what its first one becomes. A finger scrolls instead.
function take(view, i, j, event) {
  const mouse = event.pointerType === "mouse" && event.button === 0;
  view.brush = mouse ? { from: [i, j], open: !view.model.get("mask")[i][j], moved: false } : null;
}

function pass(view, i, j, event) {
  follow(view, i, j);
  if (!(event.buttons & 1)) view.brush = null;
  if (!view.brush) return;
  view.brush.moved = true;
  paint(view, [view.brush.from, [i, j]], view.brush.open);
}

// Read out the row of a cell, and mark its weight.
function follow(view, i, j) {
  if (view.followed) view.shares[view.followed[0]][view.followed[1]].classList.remove("al-followed");
  view.followed = [i, j];
  view.shares[i][j].classList.add("al-followed");
  readOut(view, weightsOf(view.scores, view.model.get("mask")));
}

// ---- what a learner sees --------------------------------------------------------------------------------------------

function draw(view) {
  const mask = view.model.get("mask");
  if (view.drawn === JSON.stringify(mask)) return; // a move is heard of as well
  view.drawn = JSON.stringify(mask);
  const weights = weightsOf(view.scores, mask);
  each(view.cells, (cell, i, j) => {
    setText(view.texts[i][j], mask[i][j] ? showNumber(view.scores[i][j]) : "-inf");
    cell.setAttribute("aria-pressed", String(mask[i][j]));
    cell.classList.toggle("al-hidden", !mask[i][j]);
  });
  each(view.shares, (cell, i, j) => {
    setText(cell, mask[i][j] ? showShare(weights[i][j]) : "0");
    cell.classList.toggle("al-hidden", !mask[i][j]);
    if (mask[i][j]) colourIn(cell, weights[i][j]);
    else Object.assign(cell.style, { backgroundColor: "", color: "" });
  });
  setText(view.sentence, sentenceOf(view.words, mask));
  readOut(view, weights);
}

function readOut(view, weights) {
  if (view.followed) setText(view.sum, rowSaid(view.followed[0], view.words, view.model.get("mask"), weights));
}
