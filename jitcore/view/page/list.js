// A list of lines of one height, of which only those in sight are in the document; beside it, where marked lines are.

const LINE = 18;
const BEYOND = 12;

class Lines {
  // `row(k)` makes the element of a line, `ruler(k)` says how it is marked beside the list ("" for not)
  constructor(label, row, ruler) {
    this.row = row;
    this.ruler = ruler;
    this.length = 0;
    this.active = -1;
    this.content = el("div", {class: "lines-content"});
    this.scroller = el(
      "div",
      {class: "lines", tabindex: "0", role: "listbox", "aria-label": label, onscroll: () => this.schedule()},
      this.content,
    );
    this.canvas = el("canvas", {class: "ruler", "aria-hidden": "true", onclick: (event) => this.jump(event)});
    this.element = el("div", {class: "lines-frame"}, this.scroller, this.canvas);
    this.shown = new Map();
    this.scroller.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.refresh()).observe(this.scroller);
  }

  // Show other lines: how many, and the longest one's length.
  set(length, widest) {
    this.length = length;
    this.active = -1;
    this.content.style.height = `${length * LINE + 8}px`;
    this.content.style.setProperty("--widest", `${widest + 2}ch`);
    this.scroller.scrollTop = 0;
    this.scroller.scrollLeft = 0;
    this.refresh();
  }

  schedule() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw(false);
    });
  }

  // Draw all lines in sight anew.
  refresh() {
    this.draw(true);
    this.drawRuler();
  }

  draw(anew) {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / LINE) - BEYOND);
    const last = Math.min(
      this.length,
      Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / LINE) + BEYOND,
    );
    for (const [k, row] of this.shown) {
      if (anew || k < first || k >= last) {
        row.remove();
        this.shown.delete(k);
      }
    }
    const added = document.createDocumentFragment();
    for (let k = first; k < last; k++) {
      if (this.shown.has(k)) continue;
      const row = this.row(k);
      row.style.top = `${k * LINE + 4}px`;
      row.dataset.line = k;
      row.id = `${this.scroller.id}-${k}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", k === this.active ? "true" : "false");
      this.shown.set(k, row);
      added.append(row);
    }
    this.content.append(added);
  }

  drawRuler() {
    const height = this.scroller.clientHeight;
    const used = this.used();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.height = height * ratio;
    this.canvas.width = 8 * ratio;
    const context = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    const step = Math.max(2, used / Math.max(this.length, 1)) * ratio;
    const colours = new Map();
    let drawn = -1;
    for (let k = 0; k < this.length; k++) {
      const kind = this.ruler(k);
      const at = Math.floor(((k * used) / this.length) * ratio);
      if (!kind || (at === drawn && kind !== "hover")) continue;
      if (!colours.has(kind)) colours.set(kind, style.getPropertyValue(`--ruler-${kind}`));
      context.fillStyle = colours.get(kind);
      context.fillRect(0, at, 8 * ratio, step);
      drawn = at;
    }
  }

  jump(event) {
    this.reveal(Math.floor((event.offsetY / this.used()) * this.length));
  }

  // The height that all lines are drawn on beside the list.
  used() {
    return Math.min(this.scroller.clientHeight, this.length * LINE + 4);
  }

  // Scroll so that a line can be seen, if it cannot.
  reveal(k, always = true) {
    const top = k * LINE;
    const height = this.scroller.clientHeight;
    if (!always && top >= this.scroller.scrollTop && top + 2 * LINE < this.scroller.scrollTop + height) return;
    this.scroller.scrollTop = Math.max(0, top - height / 3);
  }

  // Make a line the one that keys are about.
  activate(k) {
    const before = this.shown.get(this.active);
    before?.setAttribute("aria-selected", "false");
    this.active = Math.max(0, Math.min(this.length - 1, k));
    this.reveal(this.active, false);
    this.draw(false);
    this.shown.get(this.active)?.setAttribute("aria-selected", "true");
    this.scroller.setAttribute("aria-activedescendant", `${this.scroller.id}-${this.active}`);
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / LINE) - 2);
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.length, End: this.length};
    if (event.key in moves && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.activate((this.active < 0 ? this.firstInSight() - 1 : this.active) + moves[event.key]);
      this.onActivate?.(this.active);
    } else if ((event.key === "Enter" || event.key === " ") && this.active >= 0) {
      event.preventDefault();
      this.onChoose?.(this.active);
    }
  }

  firstInSight() {
    return Math.ceil(this.scroller.scrollTop / LINE);
  }
}

// The line that an event happened in; -1 for none.
function lineOf(event) {
  const row = event.target.closest?.("[data-line]");
  return row ? Number(row.dataset.line) : -1;
}
