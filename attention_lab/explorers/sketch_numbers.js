// You draw it: what it says, and where things stand: pure functions, compared with the package by the tests.

// ---- what it says ---------------------------------------------------------------------------------------------------

// How many times as much, as in attention_lab.explorers.sketch.
function times(value) {
  const text = fixed(value, value < 1 ? 2 : 1);
  return Number(text) >= 10 ? text.replace(/\.0$/, "") : text;
}

// What is said to a line: the power of x that it is nearest to, by ratios, decides, unless all are far. No tie is decided
// by rounding.
function reasonFor(guess, { x, readings, far, otherwise }) {
  const squares = ({ power }) =>
    guess.map((y, i) => (Math.log2(y) - power * Math.log2(x[i] / x[0])) ** 2).reduce((sum, square) => sum + square);
  const distances = readings.map((reading) => Math.sqrt(squares(reading) / (x.length - 1))); // the first place is fixed
  const least = Math.min(...distances);
  if (least > far + 1e-9) return otherwise;
  return readings[distances.findIndex((distance) => distance <= least + 1e-9)].says;
}

function gapOf(guess, { x, x_label, measured }) {
  const [mine, truth] = [guess, measured].map((line) => times(line.at(-1)));
  return `From ${x_label} = ${x[0]} to ${x.at(-1)}: you drew ${mine} times, measured ${truth} times.`;
}

// What stands above the picture: the name of its y axis.
function aboveOf({ x, x_label, y_label }) {
  return `${y_label}, times that at ${x_label} = ${x[0]}`;
}

// ---- places in the picture ------------------------------------------------------------------------------------------

const [WIDTH, HEIGHT] = [580, 354];
const PLOT = { left: 58, right: 440, top: 56, bottom: 304 }; // above it, room for a value below the title
const FINE = 4; // steps of a handle for each doubling
const KEYS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 2 * FINE, PageDown: -2 * FINE };
const GRIP = 24; // how near to a handle a pointer takes it

function placeX(view, i) {
  return PLOT.left + 14 + (i * (PLOT.right - PLOT.left - 14)) / (view.x.length - 1);
}

function placeY(view, value) {
  const [low, high] = view.ends.map(Math.log);
  return PLOT.bottom - ((Math.log(value) - low) / (high - low)) * (PLOT.bottom - PLOT.top);
}

// The values with a line across: powers of 4.
function levelsOf({ ends }) {
  return Array.from({ length: 1 + Math.round(Math.log2(ends[1] / ends[0]) / 2) }, (_, i) => ends[0] * 4 ** i);
}

// The value of the step that is nearest to a height in the picture.
function valueAt(view, y) {
  const [low, high] = view.ends.map(Math.log2);
  return snapped(view, 2 ** (low + ((PLOT.bottom - y) / (PLOT.bottom - PLOT.top)) * (high - low)));
}

// What a key makes of a value; undefined for a key that means nothing here.
function pressed(view, value, key) {
  if (key === "Home") return view.ends[0];
  if (key === "End") return view.ends[1];
  return KEYS[key] && snapped(view, value * 2 ** (KEYS[key] / FINE));
}

function snapped({ ends }, value) {
  return Math.min(Math.max(2 ** (Math.round(FINE * Math.log2(value)) / FINE), ends[0]), ends[1]);
}

function pointsOf(view, values) {
  return values.map((value, i) => [placeX(view, i), placeY(view, value)].map((place) => place.toFixed(1)).join(","));
}

function isInPlot({ x, y }) {
  const { left, right, top, bottom } = PLOT;
  return x > left - GRIP && x < right + GRIP && y > top - GRIP && y < bottom + GRIP;
}

// The place nearest to x, and how far it is.
function nearestPlace(view, x) {
  const away = view.x.map((_, i) => Math.abs(placeX(view, i) - x));
  const least = Math.min(...away);
  return [away.indexOf(least), least];
}

// The values at the places that a stroke passes. It may end a little before the last place, or behind it.
function heightsBetween(view, from, to) {
  const last = placeX(view, view.x.length - 1);
  const [start, end] = [from.x, to.x].map((x) => (x > last - GRIP ? last : x));
  const passed = view.x.map((_, i) => i).filter((i) => (placeX(view, i) - start) * (placeX(view, i) - end) <= 0);
  const share = (i) => (end === start ? 1 : (placeX(view, i) - start) / (end - start));
  return Object.fromEntries(passed.map((i) => [i, valueAt(view, from.y + share(i) * (to.y - from.y))]));
}

// Two heights moved apart until the names written there do not cover each other.
function apart(a, b) {
  const missing = Math.max(0, 18 - Math.abs(a - b)) / 2;
  return a <= b ? [a - missing, b + missing] : [a + missing, b - missing];
}
