// Explorer of lesson 03, its page: d_k and the temperature move, and both rows of weights follow at once.

// ---- the page -------------------------------------------------------------------------------------------------------

const LEVELS = [0, 0.5, 1]; // the lines across

// The model holds the two numbers that move; a view only draws them.
function render({ model, el }) {
  const view = { model, drawn: null, timer: null };
  view.sliders = [
    buildSlider(view, "d_k", model.get("sizes"), "d_k: numbers in each key"),
    buildSlider(view, "temperature", model.get("temperatures"), "temperature: divides all scores"),
  ];
  view.panels = HOWS.map((how) => buildPanel(how, model.get("all_scores")[0].length));
  show(el, buildPage(view));
  draw(view);
  return listen(view, ["d_k", "temperature"]);
}

function buildPage(view) {
  const count = view.model.get("all_scores")[0].length;
  const again = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, "Start again");
  again.addEventListener("click", () => move(view, view.model.get("start"), { atOnce: true }));
  view.sentence = element("p");
  const how = `One random query looks at ${count} random keys. Move a slider: both rows are of the same words.`;
  return element(
    "div",
    { class: "attention-lab al-moving al-rows", role: "group", "aria-label": `Explorer: one query and ${count} keys` },
    element("div", { class: "al-header" }, element("p", {}, how), again),
    element("div", { class: "al-sliders" }, ...view.sliders.map(({ place }) => place)),
    element("div", { class: "al-panels" }, ...view.panels.map(({ place }) => place)),
    element("div", { role: "status", class: "al-status" }, view.sentence),
    buildTable(view, count),
  );
}

// A slider over steps that are not evenly spaced: it counts them, and says their values.
function buildSlider(view, name, steps, about) {
  const range = { type: "range", min: 0, max: steps.length - 1, step: 1, id: freshId(), ...KEEPS_KEYS };
  const input = element("input", range);
  const value = element("b", { class: "al-value", "aria-hidden": "true" });
  input.addEventListener("input", () => move(view, { [name]: steps[input.valueAsNumber] }));
  input.addEventListener("change", () => tell(view));
  const ends = [steps[0], steps.at(-1)].map((end) => element("span", { "aria-hidden": "true" }, short(end)));
  const line = element("div", { class: "al-line" }, ends[0], input, ends[1]);
  const label = element("label", { for: input.getAttribute("id") }, about);
  const place = element("div", { class: "al-slider" }, element("div", { class: "al-about" }, label, value), line);
  return { name, steps, input, value, place };
}

function buildPanel(how, count) {
  const levels = LEVELS.map((level) => {
    const line = element("div", { class: "al-level" }, element("span", {}, `${100 * level}%`));
    line.style.bottom = `${100 * level}%`;
    return line;
  });
  const panel = { how, formula: element("span"), top: element("div", { class: "al-top" }) };
  panel.words = element("p", { class: "al-words" });
  panel.bars = Array.from({ length: count }, () => element("div", { class: "al-bar" }));
  const bars = element("div", { class: "al-bars" }, ...panel.bars);
  panel.plot = element("div", { class: "al-plot", role: "img" }, ...levels, bars, panel.top);
  panel.facts = ["spread of the scores", "largest weight", "words looked at = 2^entropy"].map((name) => {
    const value = element("b");
    return { value, place: element("div", { class: "al-fact" }, `${name}: `, value) };
  });
  const title = element("div", { class: "al-title" }, `${how}: `, panel.formula);
  panel.place = element(
    "div",
    { class: `al-panel al-${how}`, role: "group", "aria-label": how },
    title,
    panel.plot,
    element("div", { class: "al-below", "aria-hidden": "true" }, "key 1", element("span", {}, `key ${count}`)),
    panel.words,
    ...panel.facts.map(({ place }) => place),
  );
  return panel;
}

// Every bar in numbers, folded.
function buildTable(view, count) {
  view.cells = [];
  const fill = (i) => {
    const cell = element("td", { class: "al-cell" });
    (view.cells[i] ??= []).push(cell);
    return cell;
  };
  const rows = Array.from({ length: count }, (_, i) => `key ${i + 1}`);
  const columns = HOWS.flatMap((how) => [`${how} score`, `${how} weight`]);
  const table = makeTable({ caption: ["The scores that go into softmax, and the weights"], rows, columns, fill });
  const summary = element("summary", { ...KEEPS_KEYS }, `All ${count} keys in numbers`);
  return element("details", { class: "al-all" }, summary, table);
}

// ---- what a learner sees --------------------------------------------------------------------------------------------

function draw(view) {
  const [d_k, temperature] = ["d_k", "temperature"].map((name) => view.model.get(name));
  if (view.drawn === `${d_k} ${temperature}`) return; // a move is heard of as well
  view.drawn = `${d_k} ${temperature}`;
  const rows = bothRows(view.model.get("all_scores")[view.model.get("sizes").indexOf(d_k)], d_k, temperature);
  view.sliders.forEach((slider) => drawSlider(slider, view.model.get(slider.name)));
  view.panels.forEach((panel, i) => {
    setText(panel.formula, formula(panel.how, d_k, temperature));
    drawPanel(panel, rows[i]);
  });
  view.cells.forEach((cells, i) => {
    const texts = rows.flatMap(({ scores, weights }) => [showNumber(scores[i]), showShare(weights[i])]);
    cells.forEach((cell, j) => setText(cell, texts[j]));
  });
  setText(view.sentence, sentenceOf(rows, d_k, temperature));
}

function drawSlider({ name, steps, input, value }, now) {
  input.value = nearest(steps, now); // Python may have set a temperature between two steps
  input.setAttribute("aria-valuetext", `${name} = ${short(now)}`);
  setText(value, short(now));
}

function drawPanel(panel, row) {
  const { weights, top, largest } = row;
  panel.bars.forEach((bar, i) => (bar.style.height = `${(100 * weights[i]).toFixed(2)}%`));
  const named = `key ${top + 1}: ${showShare(largest)}`;
  setText(panel.top, named);
  panel.top.style.bottom = `${(100 * largest).toFixed(2)}%`;
  panel.top.style.left = `clamp(3.2em, ${((100 * (top + 0.5)) / weights.length).toFixed(2)}%, 100% - 3.2em)`;
  const about = `${weights.length} ${panel.how} weights as bars, on a scale from 0 to 100%`;
  panel.plot.setAttribute("aria-label", `${about}; the largest is ${named}`);
  setText(panel.words, looksAt(row));
  const facts = [showNumber(row.spread), showShare(largest), fixed(row.looked, 1)];
  panel.facts.forEach(({ value }, i) => setText(value, facts[i]));
}
