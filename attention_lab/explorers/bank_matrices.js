// Explorer of lesson 02, its page: edit x, W_Q, W_K and W_V, and every later number changes at once.

// ---- the page -------------------------------------------------------------------------------------------------------

const COUNTED = { scores: "scores", scaled: "scaled scores" }; // how a stage is called in a sentence
const HINT =
  "Point at a computed number, or reach it by Tab and arrow keys, to see its sum. In a box, arrows change the number.";

const upTo = (size) => Array.from({ length: size }, (_, i) => String(i + 1));

function render({ model, el }) {
  const taught = Object.fromEntries(TAUGHT.map((name) => [name, copy(model.get(name))]));
  const numbers = { ...taught, ...attention(taught) };
  const view = { model, words: model.get("words"), start: model.get("start"), numbers, before: numbers };
  Object.assign(view, { cells: {}, lit: [], followed: null, told: new Set(), timer: null, typing: null });
  show(el, buildPage(view));
  setText(view.sum, HINT);
  draw(view);
  return listen(view);
}

function buildPage(view) {
  const longest = Math.max(5, ...view.words.map((word) => word.length));
  view.sum = element("p", { class: "al-sum", id: freshId() });
  view.sentence = element("p");
  view.change = element("p", { class: "al-change" });
  const name = `Explorer: ${view.words.join(", ")}`;
  return element(
    "div",
    { class: "attention-lab", role: "group", "aria-label": name, style: `--al-names: ${longest}ch` },
    buildHeader(view),
    element("div", { class: "al-stages" }, ...buildStages(view)),
    view.sum,
    element("div", { role: "status", class: "al-status" }, view.sentence, view.change),
  );
}

function buildHeader(view) {
  const again = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, "Start again");
  again.addEventListener("click", () => startAgain(view));
  const changed = element("span", { class: "al-changed" }, "Underlined");
  const edited = element("span", { class: "al-edited al-sample" }, "framed");
  const key = [changed, ": changed by the last edit; ", edited, ": not as at the start."];
  return element("div", { class: "al-header" }, element("p", {}, "Edit any number in a box. ", ...key), again);
}

function buildStages(view) {
  const { x, q, k, v } = view.numbers;
  const strong = (text) => element("b", {}, text);
  const square = (name, caption) =>
    numberTable(view, name, caption, view.words, { rows: "looking ↓", columns: "looked at →" });
  const pair = (verb, matrix, made) => [
    inputTable(view, matrix, [`${verb}: `, strong(matrix)], upTo(x[0].length)),
    numberTable(view, made, [strong(made), ` = x · ${matrix}`], upTo(view.numbers[made][0].length)),
  ];
  const made = [pair("ask", "W_Q", "q"), pair("label", "W_K", "k"), pair("hand over", "W_V", "v")];
  return [
    stage("1", "ask, label, hand over", [
      element("div", { class: "al-given" }, inputTable(view, "x", [strong("x"), ": embeddings"], view.words)),
      ...made.map((tables) => element("div", { class: "al-pair" }, ...tables)),
    ]),
    stage("2", "compare", [square("scores", ["scores = ", strong("q · k")])]),
    stage("3", "scale", [square("scaled", ["scaled = ", strong(`scores / √${k[0].length}`)])]),
    stage("4", "weigh", [square("weights", ["weights = ", strong("softmax"), " of each row"])]),
    stage("5", "blend", [numberTable(view, "output", ["output = ", strong("weights · v")], upTo(v[0].length))]),
  ];
}

// A table of boxes to type into.
function inputTable(view, name, caption, rows) {
  const matrix = view.numbers[name];
  view.cells[name] = matrix.map(() => []);
  const fill = (i, j) => {
    // With step "any" the arrow keys still change by 1, and 0.5 is as good a number as 1.
    const input = numberBox({});
    input.addEventListener("input", () => edit(view, name, i, j, input));
    input.addEventListener("change", () => leave(view));
    view.cells[name][i][j] = input;
    return element("td", {}, input);
  };
  return makeTable({ caption, rows, columns: upTo(matrix[0].length), fill });
}

// A table of computed numbers to walk through.
function numberTable(view, name, caption, columns, axes) {
  view.cells[name] = view.words.map(() => []);
  const fill = (i, j) => {
    const cell = element("td", { class: "al-cell", "aria-describedby": view.sum.id, ...KEEPS_KEYS });
    cell.addEventListener("focus", () => follow(view, name, i, j));
    cell.addEventListener("mouseenter", () => follow(view, name, i, j));
    view.cells[name][i][j] = cell;
    return cell;
  };
  const table = makeTable({ caption, rows: view.words, columns, axes, fill, attributes: { role: "grid" } });
  rove(view.cells[name]);
  return table;
}

// ---- what a learner does --------------------------------------------------------------------------------------------

function edit(view, name, i, j, input) {
  const [before, value] = [view.numbers[name][i][j], input.valueAsNumber];
  input.setAttribute("aria-invalid", String(!Number.isFinite(value)));
  if (!Number.isFinite(value)) {
    setText(view.change, `${nameOf(name, i, j, view.words)} stays ${showNumber(before)} until a number is typed.`);
    return;
  }
  const matrix = copy(view.numbers[name]);
  matrix[i][j] = value;
  view.typing = input; // what is being typed stays as typed
  if (value !== before) update(view, { [name]: matrix });
  else draw(view);
  view.typing = null;
}

// At the end of an edit: a box without a number shows the one that holds, and Python is told at once.
function leave(view) {
  draw(view);
  tell(view);
}

function startAgain(view) {
  update(view, Object.fromEntries(TAUGHT.map((name) => [name, copy(view.start[name])])));
  view.before = view.numbers;
  draw(view, "Back at the start.");
  tell(view);
}

function update(view, edited, { fromPython = false } = {}) {
  const taught = Object.fromEntries(TAUGHT.map((name) => [name, edited[name] ?? view.numbers[name]]));
  view.before = view.numbers;
  view.numbers = { ...taught, ...attention(taught) };
  draw(view);
  if (fromPython) return;
  Object.keys(edited).forEach((name) => view.told.add(name));
  clearTimeout(view.timer);
  view.timer = setTimeout(() => tell(view), TELL_AFTER);
}

function tell(view) {
  clearTimeout(view.timer);
  if (!view.told.size) return;
  view.told.forEach((name) => view.model.set(name, copy(view.numbers[name])));
  view.told.clear();
  view.model.save_changes();
}

// Edits made in Python, or in another view of the same explorer. Gives back how to stop listening.
function listen(view) {
  const heard = TAUGHT.map((name) => {
    const act = () => {
      const matrix = copy(view.model.get(name));
      const same = JSON.stringify(matrix) === JSON.stringify(view.numbers[name]);
      if (!same) update(view, { [name]: matrix }, { fromPython: true });
    };
    view.model.on(`change:${name}`, act);
    return [name, act];
  });
  return () => {
    tell(view);
    heard.forEach(([name, act]) => view.model.off(`change:${name}`, act));
  };
}

// ---- what a learner sees --------------------------------------------------------------------------------------------

function draw(view, news = null) {
  TAUGHT.forEach((name) => each(view.cells[name], (input, i, j) => drawInput(view, name, i, j, input)));
  const changed = STAGES.filter((name) => drawStage(view, name));
  each(view.cells.weights, (cell, i, j) => colourIn(cell, view.numbers.weights[i][j] || 0));
  setText(view.sentence, `${looks(view.numbers.weights, view.words, view.words)}.`);
  const edited = view.before !== view.numbers;
  const names = joinWords(changed.map((name) => COUNTED[name] ?? name));
  setText(view.change, news ?? (edited ? `The last edit changed ${names || "no later number"}.` : ""));
  if (view.followed) setText(view.sum, writeOut(...view.followed, view.numbers, view.words));
}

// Whether any number of a stage changed; those that did are marked.
function drawStage(view, name) {
  const show = name === "weights" ? showShare : showNumber;
  let any = false;
  each(view.cells[name], (cell, i, j) => {
    const value = view.numbers[name][i][j];
    const changed = !Object.is(value, view.before[name][i][j]);
    setText(cell, show(value));
    cell.classList.toggle("al-changed", changed);
    any ||= changed;
  });
  return any;
}

function drawInput(view, name, i, j, input) {
  const [value, start] = [view.numbers[name][i][j], view.start[name][i][j]];
  const shown = Number(value.toFixed(4)); // a box has no room for 0.3333333333333333
  if (input !== view.typing) {
    if (input.valueAsNumber !== shown) input.value = shown;
    input.setAttribute("aria-invalid", "false");
  }
  const edited = value !== start;
  input.classList.toggle("al-edited", edited);
  input.classList.toggle("al-long", input.value.length > 2); // 2 beside the small arrows, 5 without them
  input.classList.toggle("al-longer", input.value.length > 5);
  const label = nameOf(name, i, j, view.words);
  input.setAttribute("aria-label", edited ? `${label}, at the start ${showNumber(start)}` : label);
}

// Light up a computed number and what it is made of, and write the sum out.
function follow(view, name, i, j) {
  view.followed = [name, i, j];
  view.lit.forEach((cell) => cell.classList.remove("al-ingredient", "al-followed"));
  view.lit = ingredientsOf(name, i, j, view.numbers).map(([of, row, column]) => view.cells[of][row][column]);
  view.lit.forEach((cell) => cell.classList.add("al-ingredient"));
  view.cells[name][i][j].classList.add("al-followed");
  view.lit.push(view.cells[name][i][j]);
  setText(view.sum, writeOut(name, i, j, view.numbers, view.words));
}
