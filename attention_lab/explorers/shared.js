// Shared by every explorer. First what computes: pure functions, compared with the package by the tests.
// Then what builds a page: elements, tables, keys.

// ---- computing ------------------------------------------------------------------------------------------------------

function transpose(matrix) {
  return matrix[0].map((_, j) => matrix.map((row) => row[j]));
}

function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function multiply(a, b) {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

// The largest score is taken off first: it changes nothing and keeps exp from overflowing. Scores of -inf get 0.
function softmax(scores) {
  const largest = Math.max(...scores);
  const top = largest === -Infinity ? 0 : largest;
  const grown = scores.map((score) => Math.exp(score - top));
  const total = grown.reduce((sum, value) => sum + value, 0);
  return grown.map((value) => value / (total === 0 ? 1 : total));
}

// matplotlib's viridis at every fifth of its 256 colours, two hexadecimal digits each for red, green and blue.
const VIRIDIS = (
  "44015446085c471063481769481d6f482475472a7a46307e453781433d844142873f48893d4e8a3a538b38598c355e8d33638d" +
  "31688e2e6d8e2c718e2a768e297b8e27808e25848e23898e218e8d20928c1f978b1e9c891fa18821a58524aa8328ae802eb37c" +
  "35b7793dbc7446c06f50c46a5ac86465cb5e70cf577cd25089d54895d840a2da37b0dd2fbddf26cae11fd8e219e5e419f1e51d" +
  "fde725"
)
  .match(/../g)
  .map((pair) => parseInt(pair, 16));

// The colour of a share from 0 to 1, as red, green and blue from 0 to 255.
function viridis(share) {
  const last = VIRIDIS.length / 3 - 1;
  const step = Math.min(255, Math.floor(share * 256)); // matplotlib rounds down to one of 256
  const place = (step / 255) * last;
  const left = Math.min(Math.floor(place), last - 1);
  return [0, 1, 2].map((channel) => {
    const [a, b] = [VIRIDIS[3 * left + channel], VIRIDIS[3 * left + 3 + channel]];
    return Math.round(a + (b - a) * (place - left));
  });
}

// Black or white, whichever stands out more (WCAG 2.1): the better of the two has a contrast of at least 4.5.
function inkOn(colour) {
  const [red, green, blue] = colour.map((c) => (c <= 10.31475 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "white" : "black";
}

// toFixed or toExponential as Python does it: an exact half goes to the even digit, not away from zero. A hundred digits
// are more than a double with an exact half has.
function rounded(value, write, digits) {
  const [exact, power] = value[write](100).split("e");
  const [kept, rest] = [exact.slice(0, digits - 100), exact.slice(digits - 100)];
  if (!/[02468]$/.test(kept) || !/^50*$/.test(rest)) return value[write](digits);
  return power ? `${kept}e${power}` : kept;
}

// Fixed digits, and never "-0.0".
function fixed(value, digits) {
  const text = rounded(value, "toFixed", digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

// A number for people, as in attention_lab.plotting.words: integers as integers, others with two decimals, never "-0".
function showNumber(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value); // -0 is "0"
  if (Math.abs(value) < 1e4) return fixed(value, 2);
  return rounded(value, "toExponential", 1).replace(/e\+(\d)$/, "e+0$1");
}

function showShare(weight) {
  return Number.isNaN(weight) ? "NaN" : `${fixed(100 * weight, 1)}%`;
}

function joinWords(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const copy = (matrix) => matrix.map((row) => [...row]);
const each = (matrix, act) => matrix.forEach((row, i) => row.forEach((value, j) => act(value, i, j)));

// "The looks most at river (93.2%), bank at river (98.2%)", as in attention_lab.plotting.words: the verb stands once, and
// ties are named as ties, so that rounding decides nothing.
function looks(weights, rows, columns) {
  const parts = weights.map((row, i) => {
    const top = Math.max(0, ...row.filter((weight) => !Number.isNaN(weight)));
    const names = columns.filter((_, j) => top > 0 && row[j] >= top - 1e-9);
    const evenly = names.length > 1 && names.length === row.length;
    const verb = i > 0 ? "at" : evenly || !names.length ? "looks at" : "looks most at";
    const howMuch = names.length ? ` (${showShare(top)}${names.length > 1 ? " each" : ""})` : "";
    return `${rows[i]} ${verb} ${listed(names, evenly)}${howMuch}`;
  });
  return parts.join(", ");
}

function listed(names, evenly) {
  if (evenly) return `all ${names.length} evenly`;
  return names.length > 3 ? `${names.length} words` : joinWords(names) || "nothing";
}

// ---- building a page ------------------------------------------------------------------------------------------------

// element("td", { class: "x", tabindex: 0 }, "text", child)
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Whatever takes the focus says so itself to JupyterLab, which would otherwise take arrow keys and "d d" for the cell.
const KEEPS_KEYS = { "data-lm-suppress-shortcuts": "true" };

const TELL_AFTER = 200; // milliseconds without a change on the page, then Python is told

// A box for a number. A browser would drop the comma of 1,5 and read 15.
function numberBox(attributes) {
  const box = element("input", { type: "number", step: "any", class: "al-input", ...KEEPS_KEYS, ...attributes });
  box.addEventListener("beforeinput", (event) => {
    if (event.data !== ",") return;
    event.preventDefault();
    document.execCommand("insertText", false, ".");
  });
  return box;
}

// Shows an explorer, and leads out of it: Escape gives the focus back to the notebook's cell, and so does Enter with Shift
// or Ctrl, which then runs the cell as it does everywhere else in it.
function show(el, page) {
  page.addEventListener("keydown", leadOut);
  el.replaceChildren(page);
}

function leadOut(event) {
  const { key, keyCode, shiftKey, ctrlKey, altKey, metaKey } = event;
  const runs = key === "Enter" && (shiftKey || ctrlKey || altKey || metaKey);
  const cell = key === "Escape" || runs ? event.currentTarget.closest(".jp-Cell") : null;
  if (!cell) return;
  cell.focus({ preventScroll: true });
  if (document.activeElement !== cell) return; // a page without a kernel: its cells take no focus, and run nothing
  event.preventDefault(); // a button is not pressed by it
  const again = { key, keyCode, shiftKey, ctrlKey, altKey, metaKey, bubbles: true, cancelable: true };
  if (runs) cell.dispatchEvent(new KeyboardEvent("keydown", again));
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// A weight's colour, and digits that can be read on it.
function colourIn(cell, weight) {
  const colour = viridis(weight);
  cell.style.backgroundColor = `rgb(${colour})`;
  cell.style.color = inkOn(colour);
}

// A step of the walk, framed: its number, its verb, its tables.
function stage(number, verb, parts) {
  const title = element("div", { class: "al-title" }, element("span", { class: "al-number" }, number), ` ${verb}`);
  const body = element("div", { class: "al-body" }, ...parts);
  return element("div", { class: "al-stage", role: "group", "aria-label": `${number} ${verb}` }, title, body);
}
// A table with a caption and headers. `rows` and `columns` are names; `fill(i, j)` gives the element of a cell.
// With `axes`, the names of the two sides stand above the columns and above the row names.
function makeTable({ caption, rows, columns, fill, axes = null, attributes = {} }) {
  const table = element("table", { class: "al-table", ...attributes });
  table.append(element("caption", {}, ...caption));
  const head = table.createTHead();
  if (axes) {
    const above = { scope: "colgroup", colspan: columns.length, class: "al-axis" };
    head.append(element("tr", {}, element("td"), element("th", above, axes.columns)));
  }
  const corner = axes ? element("th", { scope: "col", class: "al-axis" }, axes.rows) : element("td");
  head.append(element("tr", {}, corner, ...columns.map((name) => element("th", { scope: "col" }, name))));
  const body = table.createTBody();
  rows.forEach((name, i) => {
    const cells = columns.map((_, j) => fill(i, j));
    body.append(element("tr", {}, element("th", { scope: "row" }, name), ...cells));
  });
  return table;
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// One stop for Tab in a whole table; arrow keys, Home and End move inside it.
function rove(cells) {
  let stop = cells[0][0];
  const stopAt = (cell) => {
    stop.tabIndex = -1;
    cell.tabIndex = 0;
    stop = cell;
  };
  const move = (event, i, j) => {
    const [down, right] = STEPS[event.key] ?? [0, event.key === "Home" ? -j : cells[i].length - 1 - j];
    if (!(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault(); // the page does not scroll while a reader walks through a table
    cells[i + down]?.[j + right]?.focus();
  };
  cells.forEach((row, i) =>
    row.forEach((cell, j) => {
      cell.tabIndex = -1;
      cell.addEventListener("focus", () => stopAt(cell));
      cell.addEventListener("keydown", (event) => move(event, i, j));
    }),
  );
  stopAt(stop);
}

// Names that aria attributes can point to, unlike any other on the page.
function freshId() {
  globalThis.attentionLabIds = (globalThis.attentionLabIds ?? 0) + 1;
  return `attention-lab-${globalThis.attentionLabIds}`;
}

// Without a kernel: the same script stands in the page, behind the tables that it replaces.
function renderInPage(render, state) {
  const place = document.currentScript?.closest(".attention-lab-place");
  if (!place) return;
  const model = {
    get: (name) => state[name],
    set: (name, value) => Object.assign(state, { [name]: value }),
    save_changes() {},
    on() {},
    off() {},
  };
  const el = element("div", { class: "attention-lab-live" });
  render({ model, el });
  place.querySelector(".attention-lab-still, .attention-lab-live").replaceWith(el);
}
