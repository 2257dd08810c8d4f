// The list of an explorer's goals, which tick themselves. How they are judged, the script of their kind says: WATCHED (the
// names of what they look at), seenIn, isMet, howMet, and notYet, which may keep what it needs with an item.

// Draws the explorer, and its goals below. Goals see what Python is told: an edit counts once there was a pause.
function renderWithGoals({ model, el }) {
  const view = { model, list: null, items: new Map() };
  const spied = {
    get: (name) => model.get(name),
    set: (name, value) => model.set(name, value),
    on: (heard, act) => model.on(heard, act),
    off: (heard, act) => model.off(heard, act),
    save_changes: () => {
      tick(view);
      model.save_changes();
      drawGoals(view);
    },
  };
  const end = render({ model: spied, el });
  const showGoals = () => {
    const goals = model.get("goals");
    if (goals.length) buildGoals(view, goals, el.querySelector(".attention-lab"));
    drawGoals(view);
  };
  const heard = ["done", ...WATCHED].map((name) => [`change:${name}`, () => drawGoals(view)]);
  heard.push(["change:goals", showGoals]);
  heard.forEach(([name, act]) => model.on(name, act));
  showGoals();
  return () => {
    end();
    heard.forEach(([name, act]) => model.off(name, act));
  };
}

function buildGoals(view, goals, root) {
  if (!view.list) {
    const title = element("p", {}, element("b", {}, "Goals. "), goals[0].task);
    view.list = element("ul", { role: "list" });
    root.append(element("div", { class: "al-goals", role: "group", "aria-label": "Goals" }, title, view.list));
  }
  goals.filter((goal) => !view.items.has(goal.name)).forEach((goal) => view.list.append(buildGoal(view, goal)));
}

function buildGoal(view, goal) {
  const id = freshId();
  const [mark, word] = [element("span", { "aria-hidden": "true" }), element("span")];
  const text = element("span", { class: "al-goal-text", id }, `${goal.text}.`);
  const said = element("p", { class: "al-goal-said", "aria-live": "polite" });
  const badge = element("span", { class: "al-badge" }, mark, " ", word);
  const item = { goal, mark, word, said, button: null, claimed: false };
  if (goal.counted) {
    const impossible = { type: "button", class: "al-button", "aria-describedby": id, ...KEEPS_KEYS };
    item.button = element("button", impossible, "It cannot be done");
    item.button.addEventListener("click", () => claim(view, item));
  }
  item.place = element("li", { class: "al-goal" }, badge, text, ...(item.button ? [item.button] : []), said);
  view.items.set(goal.name, item);
  return item.place;
}

// Tick what is met now; what is ticked stays so.
function tick(view) {
  const seen = seenIn(view.model);
  view.items.forEach(({ goal }) => {
    if (!(goal.name in view.model.get("done")) && isMet(goal, seen)) keepDone(view, goal, howMet(goal, seen));
  });
}

function keepDone(view, goal, said) {
  view.model.set("done", { ...view.model.get("done"), [goal.name]: said });
}

// "It cannot be done": right where trying everything has found nothing.
function claim(view, item) {
  const { goal } = item;
  if (goal.name in view.model.get("done")) return;
  if (goal.possible) item.claimed = true;
  else keepDone(view, goal, `Right: ${goal.counted}.`);
  view.model.save_changes();
  drawGoals(view);
}

function drawGoals(view) {
  if (!view.items.size) return;
  const seen = seenIn(view.model);
  view.items.forEach((item) => {
    const { goal, place, mark, word, button, said } = item;
    const done = view.model.get("done")[goal.name];
    setText(mark, done ? "✓" : "○");
    setText(word, !done ? "open" : goal.possible ? "met" : "impossible");
    place.classList.toggle("al-met", Boolean(done && goal.possible));
    place.classList.toggle("al-done", Boolean(done));
    button?.setAttribute("aria-disabled", String(Boolean(done)));
    const open = () => notYet(goal, seen, item) || (item.claimed ? `It can: ${goal.counted}.` : "");
    setText(said, done ? `${done} ${goal.because}` : open());
  });
}
