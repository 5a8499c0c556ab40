// Source and stages side by side: the same place lights up in all of them.

const KINDS = {
  vectorised: ["V", "vectorised: several elements an instruction"],
  threaded: ["T", "threaded: shared by threads"],
  native: ["N", "native: machine code"],
  "called out": ["C", "called out: Python is called"],
  interpreted: ["I", "interpreted: the interpreter runs it"],
};
const PANE_TITLES = {source: "Source", graph: "Graph", kernels: "Kernels", llvm: "LLVM", asm: "Assembly"};
const EMPTY = {
  graph: "There is no graph of this one.",
  kernels: "No kernels: nothing here is computed by loops over arrays.",
  llvm: "No LLVM IR: nothing was compiled.",
  asm: "No machine code: nothing was compiled.",
};
const NO_SOURCE = "There is no source of this one.";
const NEVER_CALLED = "Never called: call the function with the arguments you mean, then look again.";
const FIRST_SHOWN = {graph: "opt", kernels: "kernels", llvm: "llvm", asm: "asm"};

// What all panes have in common: a head, a list of lines, hits of what is searched for.
class Pane {
  constructor(looked, name, code) {
    this.looked = looked;
    this.name = name;
    this.code = code;
    this.heat = [];
    this.hits = [];
    this.list = new Lines(PANE_TITLES[name], (k) => this.row(k), (k) => this.rulerOf(k));
    this.list.scroller.id = `lines-${name}`;
    this.list.onActivate = (k) => looked.hover(this.placesOf(k));
    this.list.onChoose = (k) => looked.keep(this.placesOf(k), this);
    const scroller = this.list.scroller;
    scroller.addEventListener("mouseover", (event) => this.onHover(event));
    scroller.addEventListener("mouseleave", () => looked.hover(new Set()));
    scroller.addEventListener("click", (event) => this.onClick(event));
    scroller.addEventListener("focus", () => (code.focused = this));
    this.choice = el("select", {"aria-label": `${PANE_TITLES[name]}: what is shown`, onchange: () => this.onChoice()});
    this.size = el("span", {class: "quiet size"});
    this.lit = el("span", {class: "lit"});
    this.found = el("button", {class: "found", hidden: true, title: "Go to the next one", onclick: () => this.next(1)});
    this.grow = el("button", {class: "icon", title: "Show this alone", onclick: () => code.growTo(name)}, "⤢");
    const close = el("button", {class: "icon", title: "Hide", onclick: () => code.toggle(name)}, "✕");
    for (const [button, does] of [[this.grow, "Show alone"], [close, "Hide"]]) {
      button.setAttribute("aria-label", `${does}: ${PANE_TITLES[name]}`);
    }
    const buttons = [this.found, this.grow, close];
    this.empty = el("p", {class: "empty", hidden: true});
    this.element = el(
      "section",
      {class: `pane pane-${name}`, "aria-label": PANE_TITLES[name]},
      el("div", {class: "pane-head"}, this.choice, this.size, this.lit, el("span", {class: "spring"}), ...buttons),
      this.list.element,
      this.empty,
    );
  }

  onHover(event) {
    const k = lineOf(event);
    if (k >= 0) this.looked.hover(this.placesOf(k));
  }

  onClick(event) {
    const k = lineOf(event);
    if (k < 0 || String(getSelection())) return;
    this.list.activate(k);
    this.looked.keep(this.placesOf(k), this);
  }

  rulerOf(k) {
    const heat = this.heatOf(k);
    return heat & 2 ? "hover" : heat & 1 ? "kept" : this.hitSet?.has(k) ? "hit" : "";
  }

  rowClass(k) {
    const heat = this.heatOf(k);
    return ["row", heat & 2 ? "hot" : "", heat & 1 ? "kept" : "", this.hit === k ? "at-hit" : ""].join(" ");
  }

  // Show what is pointed at and kept; `go`: scroll to the first kept line.
  light(go) {
    this.heat = this.code.heat;
    for (const [k, row] of this.list.shown) row.className = this.rowClass(k);
    this.list.drawRuler();
    const from = this.list.firstInSight();
    let best = -1;
    let lit = 0;
    for (let k = 0; k < this.list.length; k++) {
      if (!this.heatOf(k)) continue;
      lit += 1;
      if (best < 0 || Math.abs(k - from) < Math.abs(best - from)) best = k;
    }
    this.lit.textContent = lit && lit < this.list.length ? `${lit.toLocaleString("en")} lit` : "";
    if (go && best >= 0) this.list.reveal(best, false);
  }

  seek() {
    const sought = this.looked.sought;
    this.hits = [];
    this.hit = -1;
    if (sought) this.lines().forEach((line, k) => line.toLowerCase().includes(sought) && this.hits.push(k));
    this.hitSet = new Set(this.hits);
    this.tellHits();
    this.list.refresh();
  }

  tellHits() {
    this.found.hidden = !this.looked.sought;
    const total = this.hits.length.toLocaleString("en");
    this.found.textContent = this.hit >= 0 ? `${this.hits.indexOf(this.hit) + 1} of ${total}` : `${total} found`;
    this.found.disabled = !this.hits.length;
  }

  // Go to another line that was searched for.
  next(step) {
    if (!this.hits.length) return;
    const at = this.hits.indexOf(this.hit);
    const following = at < 0 ? this.hits.findIndex((k) => k >= this.list.firstInSight()) : at + step;
    this.hit = this.hits[(following + this.hits.length) % this.hits.length] ?? this.hits[0];
    this.list.reveal(this.hit);
    this.tellHits();
    this.list.refresh();
  }

  fill(lines, empty) {
    const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    this.size.textContent = lines.length ? count(lines.length, "line") : "";
    this.empty.hidden = lines.length > 0;
    this.empty.textContent = empty;
    this.list.element.hidden = !lines.length;
    this.list.set(lines.length, widest);
  }
}

class StagePane extends Pane {
  onRecord(record) {
    this.stages = record.stages.filter((stage) => stage.pane === this.name && stage.text);
    const before = this.stage?.id ?? FIRST_SHOWN[this.name];
    this.stage = this.stages.find((stage) => stage.id === before) ?? this.stages.at(-1) ?? null;
    this.choice.replaceChildren(...this.stages.map((stage) => el("option", {value: stage.id}, stage.title)));
    if (!this.stages.length) this.choice.replaceChildren(el("option", {}, PANE_TITLES[this.name]));
    this.choice.disabled = this.stages.length < 2;
    if (this.stage) this.choice.value = this.stage.id;
    this.show();
  }

  onChoice() {
    this.stage = this.stages.find((stage) => stage.id === this.choice.value);
    this.show();
    this.seek();
    this.light(true);
  }

  show() {
    this.choice.title = this.stage?.doc ?? "";
    this.fill(this.lines(), this.looked.record.called ? EMPTY[this.name] : NEVER_CALLED);
  }

  lines() {
    return this.stage?.lines ?? [];
  }

  heatOf(k) {
    return this.heat[this.stage.marks[k]] ?? 0;
  }

  placesOf(k) {
    return new Set(this.looked.record.sets[this.stage.marks[k]]);
  }

  row(k) {
    return el(
      "div",
      {class: this.rowClass(k)},
      el("span", {class: "gutter"}, el("span", {class: "number"}, k + 1)),
      el("span", {class: "text"}, ...coloured(this.stage.lines[k], this.name, this.looked.sought)),
    );
  }
}

class SourcePane extends Pane {
  onRecord(record) {
    const files = this.looked.index.files.map((file, k) => ({...file, k})).filter((file) => record.byLine.has(file.k));
    const groups = [["Yours", files.filter((f) => !f.ours)], ["jitcore's", files.filter((f) => f.ours)]];
    this.choice.replaceChildren(
      ...groups
        .filter(([, found]) => found.length)
        .map(([label, found]) =>
          el("optgroup", {label}, ...found.map((file) => el("option", {value: file.k}, shortName(file.name)))),
        ),
    );
    if (!files.length) this.choice.replaceChildren(el("option", {}, "Source"));
    this.choice.disabled = files.length < 2;
    const most = (file) => record.byLine.get(file.k).size - (file.ours ? 1e6 : 0);
    this.open(files.sort((a, b) => most(b) - most(a))[0]?.k ?? -1);
  }

  onChoice() {
    this.open(Number(this.choice.value));
    this.seek();
    this.light(true);
  }

  open(number) {
    this.file = number;
    const file = this.looked.index.files[number];
    if (file) this.choice.value = number;
    this.choice.title = file?.name ?? "";
    this.costs = this.looked.record.lines?.[number] ?? {};
    const shares = Object.values(this.costs).map((cost) => cost.share ?? 0);
    this.dearest = Math.max(0.001, ...shares);
    this.fill(this.lines(), file ? "The text of this file is not to be found any more." : NO_SOURCE);
    const used = [...(this.looked.record.byLine.get(number)?.keys() ?? [])];
    if (used.length) this.list.reveal(Math.min(...used) - 1, false);
  }

  lines() {
    return this.looked.index.files[this.file]?.lines ?? [];
  }

  light(go) {
    // the lines of places, and of the calls that lead there
    this.hot = new Map();
    const note = (places, heat) => {
      for (const place of places) {
        for (const frame of this.looked.frames(place)) {
          if (frame.file !== this.file) continue;
          for (let line = frame.line; line <= frame.end; line++) {
            this.hot.set(line, (this.hot.get(line) ?? 0) | heat);
          }
        }
      }
    };
    note(this.looked.kept, 1);
    note(this.looked.hovered, 2);
    if (go && this.looked.kept.size && !this.hot.size) this.openFor([...this.looked.kept][0]);
    super.light(go);
  }

  openFor(place) {
    const frame = this.looked.frames(place)[0];
    if (!frame || frame.file === this.file) return;
    this.open(frame.file);
    this.light(true);
  }

  heatOf(k) {
    return this.hot?.get(k + 1) ?? 0;
  }

  placesOf(k) {
    return this.looked.record.byLine.get(this.file)?.get(k + 1) ?? new Set();
  }

  row(k) {
    const cost = this.costs[k + 1];
    const why = this.looked.index.interpreted[this.file]?.[k + 1];
    const kinds = [...(why ? ["interpreted"] : []), ...(cost?.kinds ?? [])].map((kind) => {
      const title = kind === "interpreted" ? `${KINDS[kind][1]}: ${why}` : KINDS[kind][1];
      return el("span", {class: `kind kind-${kind.replace(" ", "-")}`, title}, KINDS[kind][0]);
    });
    const bar = el("span", {class: "bar", title: cost?.share ? `${percent(cost.share)} of the work` : null});
    if (cost?.share) bar.style.setProperty("--share", cost.share / this.dearest);
    return el(
      "div",
      {class: this.rowClass(k)},
      el("span", {class: "gutter"}, el("span", {class: "number"}, k + 1), el("span", {class: "kinds"}, ...kinds), bar),
      el("span", {class: "text"}, ...coloured(this.lines()[k], "source", this.looked.sought)),
    );
  }

  rowClass(k) {
    return `${super.rowClass(k)} ${this.placesOf(k).size ? "" : "unused"}`;
  }
}

function percent(share) {
  return share < 0.001 ? "under 0.1 %" : `${(share * 100).toPrecision(2)} %`;
}

function shortName(name) {
  return name.split("/").at(-1) || name;
}

// All panes.
class CodeView {
  constructor(looked) {
    this.looked = looked;
    this.panes = [
      new SourcePane(looked, "source", this),
      ...looked.index.panes.map((name) => new StagePane(looked, name, this)),
    ];
    this.hidden = new Set();
    this.alone = null;
    this.focused = this.panes[0];
    this.heat = [];
    this.element = el("div", {class: "code"}, ...this.panes.map((pane) => pane.element));
    this.switches = el(
      "div",
      {class: "switches", role: "group", "aria-label": "Columns"},
      ...this.panes.map((pane) =>
        el("button", {class: "switch", onclick: () => this.toggle(pane.name)}, PANE_TITLES[pane.name]),
      ),
    );
    looked.onChange((what) => this.onChange(what));
    this.arrange();
  }

  onChange(what) {
    if (what === "record") {
      for (const pane of this.panes) pane.onRecord(this.looked.record);
    }
    if (what === "record" || what === "sought") {
      for (const pane of this.panes) pane.seek();
    }
    if (what !== "sought") {
      this.heat = this.looked.heat();
      for (const pane of this.panes) pane.light(what === "kept" && pane !== this.looked.from);
    }
  }

  toggle(name) {
    this.alone = null;
    if (this.hidden.has(name)) this.hidden.delete(name);
    else if (this.hidden.size < this.panes.length - 1) this.hidden.add(name);
    this.arrange();
  }

  growTo(name) {
    this.alone = this.alone === name ? null : name;
    this.arrange();
  }

  arrange() {
    const shown = this.panes.filter((pane) => (this.alone ? pane.name === this.alone : !this.hidden.has(pane.name)));
    this.panes.forEach((pane, k) => {
      const isShown = shown.includes(pane);
      pane.element.hidden = !isShown;
      pane.grow.textContent = this.alone ? "⤡" : "⤢";
      pane.grow.title = this.alone ? "Show all" : "Show this alone";
      this.switches.children[k].setAttribute("aria-pressed", String(isShown));
    });
    const stages = shown.filter((pane) => pane.name !== "source").length;
    this.element.dataset.stages = stages;
    this.element.dataset.source = shown.length > stages ? "yes" : "no";
    for (const pane of shown) pane.list.refresh();
  }

  // Go to the next line that is searched for, in the pane that was used last or another that has one.
  next(step) {
    const shown = this.panes.filter((pane) => !pane.element.hidden);
    const pane = [this.focused, ...shown].find((found) => !found.element.hidden && found.hits.length);
    pane?.next(step);
  }
}
