// You draw it, its page: a learner moves a line to where they expect it, then sees the measured one over it.

// ---- the page -------------------------------------------------------------------------------------------------------

const GIVEN = ["question", "x_label", "y_label", "x", "ends", "measured", "readings", "far", "otherwise"];

function render({ model, el }) {
  const view = Object.fromEntries(GIVEN.map((name) => [name, model.get(name)]));
  Object.assign(view, { model, guess: [...model.get("guess")], shown: model.get("shown") });
  Object.assign(view, { asked: false, telling: false, typing: null });
  show(el, buildPage(view));
  draw(view);
  return listen(view);
}

function buildPage(view) {
  const button = (text, act) => {
    const made = element("button", { type: "button", class: "al-button", ...KEEPS_KEYS }, text);
    made.addEventListener("click", () => act(view));
    return made;
  };
  view.show = button("Show", showTruth);
  view.gap = element("p", { class: "al-gap" });
  view.reason = element("p");
  const how = "Move the handles to the line that you expect: drag, press arrow keys, or type numbers. Then press Show.";
  return element(
    "div",
    { class: "attention-lab al-sketch", role: "group", "aria-label": view.question },
    element("p", { class: "al-question" }, view.question),
    element("p", {}, `${how} Each line across stands for 4 times the one below it.`),
    element("div", { class: "al-sides" }, buildPicture(view), buildTable(view)),
    element("div", { class: "al-buttons" }, view.show, button("Start again", startAgain)),
    element("div", { role: "status", class: "al-status" }, view.gap, view.reason),
  );
}

function buildTable(view) {
  view.boxes = [];
  view.answers = [];
  const fill = (i, j) => {
    if (j === 1) return (view.answers[i] = element("td", { class: "al-cell" }));
    if (i === 0) return element("td", { class: "al-cell" }, times(1));
    const label = `your guess at ${view.x_label} = ${view.x[i]}`;
    view.boxes[i] = numberBox({ min: view.ends[0], max: view.ends[1], "aria-label": label });
    view.boxes[i].addEventListener("input", () => type(view, i));
    view.boxes[i].addEventListener("change", () => draw(view));
    return element("td", {}, view.boxes[i]);
  };
  const rows = view.x.map((x) => `${view.x_label} = ${x}`);
  return makeTable({ caption: ["In numbers: how many times"], rows, columns: ["you", "measured"], fill });
}

// ---- what a learner does --------------------------------------------------------------------------------------------

function press(view, i, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const value = pressed(view, view.guess[i], event.key);
  if (value === undefined) return;
  event.preventDefault(); // the page does not scroll while a handle moves
  move(view, { [i]: value });
}

function type(view, i) {
  const [value, [low, high]] = [view.boxes[i].valueAsNumber, view.ends];
  const fits = value >= low && value <= high;
  view.typing = view.boxes[i]; // what is being typed stays as typed
  if (fits) move(view, { [i]: value });
  view.typing.setAttribute("aria-invalid", String(!fits));
  view.typing = null;
  const stays = `${view.x_label} = ${view.x[i]} stays at ${times(view.guess[i])} times`;
  if (!fits) setText(view.reason, `${stays} until a number from ${low} to ${high} is typed.`);
}

function move(view, places) {
  if (view.shown) return;
  view.guess = view.guess.map((value, i) => (i && places[i]) || value); // the first place is fixed
  view.asked = false;
  view.model.set("guess", [...view.guess]);
  draw(view);
}

function showTruth(view) {
  const flat = view.guess.every((value) => value === 1);
  if (flat && !view.asked && !view.shown) {
    view.asked = true; // a line that nobody moved is no guess
    setText(view.reason, "Your line is flat. If you expect that, press Show once more; if not, move it.");
    return;
  }
  tell(view, { shown: true });
}

function startAgain(view) {
  tell(view, { guess: view.x.map(() => 1), shown: false });
}

function tell(view, news) {
  Object.assign(view, { asked: false, telling: true }, news); // between two sets, the model is neither old nor new
  view.model.set("guess", [...view.guess]);
  view.model.set("shown", view.shown);
  view.telling = false;
  view.model.save_changes();
  draw(view);
}

// What another view of the same line, or Python, does. Gives back how to stop listening.
function listen(view) {
  const act = () => {
    const [guess, shown] = [[...view.model.get("guess")], view.model.get("shown")];
    if (view.telling || (shown === view.shown && JSON.stringify(guess) === JSON.stringify(view.guess))) return;
    Object.assign(view, { guess, shown, asked: false });
    draw(view);
  };
  const heard = ["change:guess", "change:shown"];
  heard.forEach((name) => view.model.on(name, act));
  return () => heard.forEach((name) => view.model.off(name, act));
}

// ---- what a learner sees --------------------------------------------------------------------------------------------

function draw(view) {
  view.line.setAttribute("points", pointsOf(view, view.guess).join(" "));
  view.handles.forEach((handle, i) => drawHandle(view, i, handle));
  view.boxes.forEach((box, i) => drawBox(view, i, box));
  view.answers.forEach((cell, i) => setText(cell, view.shown ? times(view.measured[i]) : "?"));
  view.show.setAttribute("aria-disabled", String(view.shown));
  drawTruth(view);
  setText(view.gap, view.shown ? gapOf(view.guess, view) : "");
  setText(view.reason, view.shown ? reasonFor(view.guess, view) : "");
}

function drawBox(view, i, box) {
  box.toggleAttribute("readonly", view.shown);
  if (box === view.typing) return;
  box.value = times(view.guess[i]);
  box.setAttribute("aria-invalid", "false");
}
