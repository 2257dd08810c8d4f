// As much of a browser as the explorers' scripts use, for MiniRacer, which has none: elements, events, timers that run
// when they are told to, and the model that anywidget hands to render. What is not here is an error, so that no test
// passes because a script wrote to nothing. tests/explorer_page.py drives it.

const browser = (() => {
  "use strict";

  const all = []; // every element ever made; its place is its number

  class Element {
    constructor(tag) {
      Object.assign(this, { tag, attributes: {}, style: {}, childNodes: [], parent: null, listeners: {}, typed: "" });
      this.number = all.push(this) - 1;
      Object.seal(this); // innerHTML and whatever else is not here cannot be set
    }

    setAttribute(name, value) {
      this.attributes[name] = String(value);
    }
    getAttribute(name) {
      return this.attributes[name] ?? null;
    }
    get id() {
      return this.attributes.id ?? "";
    }
    get tabIndex() {
      return Number(this.attributes.tabindex ?? (["input", "button"].includes(this.tag) ? 0 : -1));
    }
    set tabIndex(value) {
      this.setAttribute("tabindex", value);
    }
    get classList() {
      const names = new Set((this.attributes.class ?? "").split(" ").filter(Boolean));
      const toggle = (name, on = !names.has(name)) => {
        if (on) names.add(name);
        else names.delete(name);
        this.attributes.class = [...names].join(" ");
      };
      const set = (on) => (...some) => some.forEach((name) => toggle(name, on));
      return { add: set(true), remove: set(false), toggle, contains: (name) => names.has(name) };
    }

    get textContent() {
      return this.childNodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");
    }
    set textContent(text) {
      this.replaceChildren(String(text));
    }
    append(...nodes) {
      for (const node of nodes) {
        const child = node instanceof Element ? node : String(node);
        if (child.parent) child.parent.childNodes = child.parent.childNodes.filter((other) => other !== child);
        if (child instanceof Element) child.parent = this;
        this.childNodes.push(child);
      }
    }
    replaceChildren(...nodes) {
      this.childNodes = [];
      this.append(...nodes);
    }
    replaceWith(node) {
      this.parent.childNodes[this.parent.childNodes.indexOf(this)] = node;
      node.parent = this.parent;
    }
    createTHead() {
      return this.part("thead");
    }
    createTBody() {
      return this.part("tbody");
    }
    part(tag) {
      const made = new Element(tag);
      this.append(made);
      return made;
    }

    // Selectors of classes only: ".one, .other".
    matches(selector) {
      return selector.split(",").some((name) => this.classList.contains(name.trim().slice(1)));
    }
    closest(selector) {
      return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null);
    }
    querySelector(selector) {
      const inside = this.childNodes.filter((node) => node instanceof Element);
      return inside.reduce((found, node) => found ?? (node.matches(selector) ? node : node.querySelector(selector)), null);
    }

    // A box for numbers: what is no finite number reads as no text at all.
    get value() {
      return this.typed;
    }
    set value(text) {
      const number = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
      this.typed = number ? String(text) : "";
    }
    get valueAsNumber() {
      return this.typed === "" ? NaN : Number(this.typed);
    }

    dispatchEvent(event) {
      return fire(this, event.type, event);
    }
    addEventListener(type, act) {
      (this.listeners[type] ??= []).push(act);
    }
    focus() {
      const left = document.activeElement;
      if (left === this || !("tabindex" in this.attributes || ["input", "button"].includes(this.tag))) return;
      document.activeElement = this;
      if (left) [fire(left, "blur", { bubbles: false }), fire(left, "focusout")];
      fire(this, "focus", { bubbles: false });
      fire(this, "focusin");
    }
  }

  // Whether nobody prevented what a browser does of itself.
  function fire(target, type, { bubbles = true, ...details } = {}) {
    const event = { target, type, stopped: false, prevented: false, ...details };
    event.preventDefault = () => (event.prevented = true);
    event.stopPropagation = () => (event.stopped = true);
    for (let at = target; at && !event.stopped; at = bubbles ? at.parent : null) {
      event.currentTarget = at;
      (at.listeners[type] ?? []).forEach((act) => act(event));
    }
    return !event.prevented;
  }

  const document = { activeElement: null, currentScript: null, createElement: (tag) => new Element(tag) };
  const typed = []; // what a script types for the reader
  document.execCommand = (command, _, text) => typed.push([command, text]);

  const clock = { now: 0, count: 0, waiting: new Map() };
  function wait(milliseconds) {
    const until = clock.now + milliseconds;
    const next = () => [...clock.waiting].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)[0];
    for (let due = next(); due; due = next()) {
      clock.waiting.delete(due[0]);
      clock.now = due[1].at;
      due[1].act();
    }
    clock.now = until;
  }

  // What is set here and saved is `saved`; what Python sets arrives as a change. Setting the same again changes nothing.
  class Model {
    constructor(state) {
      Object.assign(this, { state, listeners: [], unsaved: {}, saved: [] });
    }
    get(name) {
      return this.state[name];
    }
    set(name, value) {
      this.unsaved[name] = value;
      this.receive(name, value);
    }
    save_changes() {
      if (Object.keys(this.unsaved).length) this.saved.push(JSON.parse(JSON.stringify(this.unsaved)));
      this.unsaved = {};
    }
    receive(name, value) {
      const same = JSON.stringify(value) === JSON.stringify(this.state[name]);
      this.state[name] = value;
      if (!same) [...this.listeners].forEach(([heard, act]) => heard === `change:${name}` && act());
    }
    on(heard, act) {
      this.listeners.push([heard, act]);
    }
    off(heard, act) {
      this.listeners = this.listeners.filter((pair) => pair[0] !== heard || pair[1] !== act);
    }
  }

  // An element and all in it, for Python.
  function describe({ tag, number, attributes, style, tabIndex, value, textContent, childNodes }) {
    const inside = childNodes.filter((node) => node instanceof Element).map(describe);
    return { tag, number, attributes, style, tabIndex, value, text: textContent, inside };
  }

  globalThis.document = document;
  globalThis.KeyboardEvent = class {
    constructor(type, details) {
      Object.assign(this, { type, ...details });
    }
  };
  globalThis.setTimeout = (act, after) => {
    clock.count += 1;
    clock.waiting.set(clock.count, { act, at: clock.now + after });
    return clock.count;
  };
  globalThis.clearTimeout = (timer) => clock.waiting.delete(timer);
  return { all, document, typed, fire, wait, Model, describe };
})();
