// You draw it, its picture: axes, the handles of the learner's line, and the measured one.

// ---- building it ----------------------------------------------------------------------------------------------------

// As `element`, in a picture.
function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function buildPicture(view) {
  view.line = drawn("polyline", { class: "al-guess" });
  view.truth = drawn("g", { class: "al-truth" });
  view.names = [drawn("text", { class: "al-end" }), drawn("text", { class: "al-end" })];
  view.values = [];
  view.handles = view.x.map((_, i) => (i ? buildHandle(view, i) : drawn("circle", { class: "al-fixed", r: 5 })));
  const picture = drawn(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": `Your line: ${aboveOf(view)}` },
    buildAxes(view),
    view.line,
    ...view.handles,
    drawn("g", { "aria-hidden": "true" }, view.truth, ...view.names),
  );
  followPointer(view, picture);
  return picture;
}

function buildAxes(view) {
  const { left, right, bottom } = PLOT;
  const level = (value) => {
    const y = placeY(view, value);
    const name = drawn("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, String(value));
    return [drawn("line", { class: "al-level", x1: left, x2: right, y1: y, y2: y }), name];
  };
  const place = (x, i) => drawn("text", { x: placeX(view, i), y: bottom + 20, "text-anchor": "middle" }, String(x));
  const middle = { x: (left + right) / 2, y: bottom + 42, "text-anchor": "middle" };
  return drawn(
    "g",
    { class: "al-axes", "aria-hidden": "true" },
    ...levelsOf(view).flatMap(level),
    ...view.x.map(place),
    drawn("text", { x: 4, y: 16 }, aboveOf(view)),
    drawn("text", middle, view.x_label),
  );
}

function buildHandle(view, i) {
  const circle = (name, r) => drawn("circle", { class: name, r });
  const attributes = {
    class: "al-handle",
    role: "slider",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": `${view.x_label} = ${view.x[i]}`,
    "aria-valuemin": view.ends[0],
    "aria-valuemax": view.ends[1],
    ...KEEPS_KEYS,
  };
  const parts = [circle("al-grip", GRIP), circle("al-ring", 12), circle("al-dot", 7)];
  view.values[i] = drawn("text", { class: "al-value", y: -17, "text-anchor": "middle" });
  const handle = drawn("g", attributes, ...parts, view.values[i]);
  handle.addEventListener("keydown", (event) => press(view, i, event));
  const hold = (event) => view.shown || event.preventDefault(); // a finger on a handle does not scroll the page
  handle.addEventListener("touchstart", hold, { passive: false });
  return handle;
}

// ---- a pointer ------------------------------------------------------------------------------------------------------

// A pointer takes a handle and moves it, or draws: then each place that it passes goes to its height. A finger that
// takes no handle may be about to scroll, so nothing moves until it has gone across.
function followPointer(view, picture) {
  let last = null; // where the pointer was, and the handle that it holds, 0 for none
  const at = ({ clientX, clientY }) => {
    const box = picture.getBoundingClientRect();
    return { x: ((clientX - box.left) * WIDTH) / box.width, y: ((clientY - box.top) * HEIGHT) / box.height };
  };
  picture.addEventListener("pointerdown", (event) => {
    const now = at(event);
    const [near, away] = nearestPlace(view, now.x);
    if (event.button !== 0 || !isInPlot(now)) return;
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    const holds = Math.hypot(away, placeY(view, view.guess[near]) - now.y) <= GRIP;
    last = { ...now, held: holds ? near : 0 };
    if (near) view.handles[near].focus({ preventScroll: true });
    if (near && !holds && event.pointerType !== "touch") move(view, { [near]: valueAt(view, now.y) });
  });
  picture.addEventListener("pointermove", (event) => {
    if (!last) return;
    const [before, now] = [last, { ...at(event), held: last.held }];
    last = now;
    if (now.held) move(view, { [now.held]: valueAt(view, now.y) });
    else move(view, heightsBetween(view, before, now));
  });
  ["pointerup", "pointercancel"].forEach((end) => picture.addEventListener(end, () => (last = null)));
}

// ---- what a learner sees in it --------------------------------------------------------------------------------------

function drawHandle(view, i, handle) {
  const value = view.guess[i];
  handle.setAttribute("transform", `translate(${pointsOf(view, view.guess)[i]})`);
  if (i === 0) return;
  handle.setAttribute("aria-valuenow", value);
  handle.setAttribute("aria-valuetext", `${times(value)} times`);
  handle.setAttribute("aria-disabled", String(view.shown));
  setText(view.values[i], view.shown ? "" : times(value));
}

// The measured line, with another dash and other marks, and a name at each line's end; before Show, nothing of it.
function drawTruth(view) {
  const points = view.shown ? pointsOf(view, view.measured) : [];
  const mark = (point) => drawn("rect", { x: -4.5, y: -4.5, width: 9, height: 9, transform: `translate(${point})` });
  view.truth.replaceChildren(drawn("polyline", { points: points.join(" ") }), ...points.map(mark));
  const ends = [view.guess, view.measured].map((line) => line.at(-1));
  const heights = apart(...ends.map((value) => placeY(view, value)));
  ["you drew", "measured"].forEach((name, i) => {
    setText(view.names[i], view.shown ? `${name} ${times(ends[i])}` : "");
    view.names[i].setAttribute("x", PLOT.right + 14);
    view.names[i].setAttribute("y", heights[i] + 4);
  });
}
