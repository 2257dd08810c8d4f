// For explorers whose model holds what moves, while a view only draws it: shared by their pages.

// Set something, draw it, and tell Python of it once it rests, or at once.
function move(view, news, { atOnce = false } = {}) {
  Object.entries(news).forEach(([name, value]) => view.model.set(name, value));
  draw(view);
  clearTimeout(view.timer);
  if (atOnce) tell(view);
  else view.timer = setTimeout(() => tell(view), TELL_AFTER);
}

function tell(view) {
  clearTimeout(view.timer);
  view.model.save_changes();
}

// What Python does, or another view of the same explorer. Gives back how to stop listening.
function listen(view, names) {
  const act = () => draw(view);
  const heard = names.map((name) => `change:${name}`);
  heard.forEach((name) => view.model.on(name, act));
  return () => {
    tell(view);
    heard.forEach((name) => view.model.off(name, act));
  };
}
