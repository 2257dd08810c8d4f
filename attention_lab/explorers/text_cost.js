// Explorer of lesson 07, its page: the length moves, the model and its numbers change, and both costs follow at once.

// ---- the page -------------------------------------------------------------------------------------------------------

const COSTS = { scores: "scores of one layer", cache: "keys and values of all layers" };
const CHOICES = ["model", "bytes_each"];

// The model of anywidget holds what moves; a view only draws it.
function render({ model, el }) {
  const view = { model, drawn: null, timer: null };
  view.slider = buildSlider(view);
  view.choices = [
    buildChoice(view, "model", "Model", Object.keys(model.get("models")), String),
    buildChoice(view, "bytes_each", "For each number", [2, 1], perNumber),
  ];
  view.plot = buildPlot(view);
  view.facts = Object.entries(COSTS).map(([name, about]) => buildFact(name, about));
  show(el, buildPage(view));
  draw(view);
  return listen(view, ["n_tokens", ...CHOICES]);
}

function buildPage(view) {
  const again = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, "Start again");
  again.addEventListener("click", () => move(view, view.model.get("start"), { atOnce: true }));
  view.sentence = element("p");
  const memory = amount(view.model.get("memory"));
  const how = `What one text takes, beside the model's own matrices. ${memory} is what one large accelerator has.`;
  return element(
    "div",
    { class: "attention-lab al-moving al-cost", role: "group", "aria-label": "Explorer: what a text costs" },
    element("div", { class: "al-header" }, element("p", {}, how), again),
    element("div", { class: "al-choices" }, ...view.choices.map(({ place }) => place)),
    view.slider.place,
    element("div", { class: "al-sides" }, view.plot.place, element("div", {}, ...view.facts.map(({ place }) => place))),
    element("div", { role: "status", class: "al-status" }, view.sentence),
    buildTable(view),
  );
}

// It counts the steps, and says how many tokens.
function buildSlider(view) {
  const lengths = view.model.get("lengths");
  const id = freshId();
  const input = element("input", { type: "range", min: 0, max: lengths.length - 1, step: 1, id, ...KEEPS_KEYS });
  const value = element("b", { "aria-hidden": "true" });
  input.addEventListener("input", () => move(view, { n_tokens: lengths[input.valueAsNumber] }));
  input.addEventListener("change", () => tell(view));
  const label = element("label", { for: id }, "Tokens in the text: each step is twice as many");
  const place = element("div", { class: "al-slider" }, element("div", { class: "al-about" }, label, value), input);
  return { input, value, place };
}

// Buttons side by side, of which one is pressed.
function buildChoice(view, name, about, values, say) {
  const buttons = values.map((value) => {
    const button = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, say(value));
    button.addEventListener("click", () => move(view, { [name]: value }, { atOnce: true }));
    return button;
  });
  const id = freshId();
  const title = element("span", { id }, about);
  const place = element("div", { class: "al-choice", role: "group", "aria-labelledby": id }, title, ...buttons);
  return { name, values, buttons, place };
}

// A mark for each length and cost, on axes where each step is a factor.
function buildPlot(view) {
  const lengths = view.model.get("lengths");
  const at = (i) => `${(100 * (i + 0.5)) / lengths.length}%`;
  const level = (name, height, text) => {
    const line = element("div", { class: `al-level ${name}` }, element("span", {}, text));
    line.style.bottom = `${height.toFixed(2)}%`;
    return line;
  };
  const levels = [1e6, 1e9, 1e12, 1e15].map((bytes) => level("", heightOf(bytes), amount(bytes).replace(".0", "")));
  const memory = view.model.get("memory");
  const places = lengths.map((n_tokens, i) => {
    const place = element("span", { class: "al-place" }, i % 2 ? "" : brief(n_tokens));
    place.style.left = at(i);
    return place;
  });
  const marks = Object.keys(COSTS).map((name) =>
    lengths.map((_, i) => {
      const mark = element("div", { class: `al-mark al-${name}` });
      mark.style.left = at(i);
      return mark;
    }),
  );
  const inside = [...levels, level("al-memory", heightOf(memory), amount(memory)), ...places, ...marks.flat()];
  const plot = element("div", { class: "al-plot", role: "img" }, ...inside);
  return { marks, plot, place: element("div", { class: "al-side" }, plot) };
}

function buildFact(name, about) {
  const [title, sum] = [element("div", { class: "al-title" }), element("div", { class: "al-product" })];
  const value = element("b", { class: "al-amount" });
  const key = element("span", { class: `al-mark al-${name}`, "aria-hidden": "true" });
  title.append(key, ` ${about}`);
  return { name, value, sum, place: element("div", { class: `al-fact al-of-${name}` }, title, value, sum) };
}

// Every length in numbers, folded.
function buildTable(view) {
  view.cells = [];
  const fill = (i) => {
    const cell = element("td", { class: "al-cell" });
    (view.cells[i] ??= []).push(cell);
    return cell;
  };
  view.caption = element("span");
  const rows = view.model.get("lengths").map((n_tokens) => `${thousands(n_tokens)} tokens`);
  const table = makeTable({ caption: [view.caption], rows, columns: Object.values(COSTS), fill });
  const summary = element("summary", { ...KEEPS_KEYS }, `All ${rows.length} lengths in numbers`);
  return element("details", { class: "al-all" }, summary, table);
}

// ---- what a learner sees --------------------------------------------------------------------------------------------

function draw(view) {
  const [n_tokens, name, bytes_each] = ["n_tokens", ...CHOICES].map((trait) => view.model.get(trait));
  if (view.drawn === `${n_tokens} ${name} ${bytes_each}`) return; // a move is heard of as well
  view.drawn = `${n_tokens} ${name} ${bytes_each}`;
  const [sizes, lengths, memory] = [view.model.get("models")[name], view.model.get("lengths"), view.model.get("memory")];
  const costs = lengths.map((length) => costOf(sizes, length, bytes_each));
  const now = lengths.indexOf(n_tokens);
  drawControls(view, { n_tokens, now });
  drawPlot(view, costs, now);
  const sums = sumsOf(sizes, n_tokens, bytes_each);
  view.facts.forEach((fact) => {
    const bytes = costs[now][fact.name];
    setText(fact.value, `${amount(bytes)}${bytes > memory ? `, more than ${amount(memory)}` : ""}`);
    setText(fact.sum, sums[fact.name]);
  });
  setText(view.caption, `${name}, ${perNumber(bytes_each)} a number`);
  view.cells.forEach((cells, i) => cells.forEach((cell, j) => setText(cell, amount(Object.values(costs[i])[j]))));
  setText(view.sentence, sentenceOf(name, sizes, n_tokens, bytes_each, memory));
}

function drawControls(view, { n_tokens, now }) {
  view.slider.input.value = now;
  view.slider.input.setAttribute("aria-valuetext", `${thousands(n_tokens)} tokens`);
  setText(view.slider.value, thousands(n_tokens));
  view.choices.forEach(({ name, values, buttons }) => {
    const pressed = view.model.get(name);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(values[i] === pressed)));
  });
}

function drawPlot({ plot: { marks, plot } }, costs, now) {
  Object.keys(COSTS).forEach((name, j) =>
    marks[j].forEach((mark, i) => {
      mark.style.bottom = `${heightOf(costs[i][name]).toFixed(2)}%`;
      mark.classList.toggle("al-now", i === now);
    }),
  );
  const ends = Object.entries(COSTS).map(([name, about]) => {
    const [first, last] = [costs[0], costs.at(-1)].map((cost) => amount(cost[name]));
    return `${about} from ${first} to ${last}`;
  });
  plot.setAttribute("aria-label", `Bytes against tokens, both on a log scale: ${ends.join("; ")}`);
}
