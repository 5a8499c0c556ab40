// What each pass changed, as lines taken away and put in.

class PassesView {
  constructor(looked) {
    this.looked = looked;
    this.rows = el("div", {class: "pass-list", role: "listbox", "aria-label": "Passes", tabindex: "0"});
    this.rows.addEventListener("keydown", (event) => this.onKey(event));
    this.head = el("div", {class: "pane-head"});
    this.list = new Lines("What the pass changed", (k) => this.row(k), (k) => this.rulerOf(k));
    this.list.scroller.id = "lines-pass";
    this.empty = el("p", {class: "empty", hidden: true});
    this.element = el(
      "div",
      {class: "passes"},
      this.rows,
      el("section", {class: "pane", "aria-label": "Difference"}, this.head, this.list.element, this.empty),
    );
    looked.onChange((what) => this.onChange(what));
  }

  onChange(what) {
    if (what === "record") {
      this.passes = this.looked.record.passes.map((pass) => ({...pass, lines: pass.text?.split("\n") ?? []}));
      this.rows.replaceChildren(...this.passes.map((pass, k) => this.passRow(pass, k)));
      const first = this.passes.findIndex((pass) => pass.lines.length);
      this.choose(Math.max(0, first));
    } else if (what === "sought") this.list.refresh();
  }

  passRow(pass, k) {
    const change = pass.after - pass.before;
    const sign = change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0";
    const kind = pass.lines.length ? "pass" : "pass idle";
    const row = el(
      "div",
      {class: kind, role: "option", title: pass.doc, onclick: () => this.choose(k)},
      el("span", {class: "pass-number"}, k + 1),
      el("span", {class: "pass-name"}, pass.name),
      el("span", {class: "pass-change"}, pass.lines.length ? sign : "–"),
    );
    row.id = `pass-${k}`;
    return row;
  }

  choose(k) {
    const pass = this.passes[k];
    this.chosen = k;
    [...this.rows.children].forEach((row, n) => row.setAttribute("aria-selected", String(n === k)));
    this.rows.children[k]?.scrollIntoView({block: "nearest"});
    this.rows.setAttribute("aria-activedescendant", `pass-${k}`);
    const lines = pass?.lines ?? [];
    const added = lines.filter((line) => line.startsWith("+")).length;
    const removed = lines.filter((line) => line.startsWith("-")).length;
    const told = pass ? `${count(pass.before, "operation")} before, ${pass.after.toLocaleString("en")} after` : "";
    this.head.replaceChildren(
      el("strong", {}, pass?.name ?? ""),
      el("span", {class: "quiet doc"}, pass?.doc ?? ""),
      el("span", {class: "spring"}),
      el("span", {class: "more"}, lines.length ? `+${added}` : ""),
      el("span", {class: "less"}, lines.length ? `−${removed}` : ""),
      el("span", {class: "quiet"}, told),
    );
    this.empty.hidden = lines.length > 0;
    this.empty.textContent = pass ? "This pass found nothing to change." : this.whyNone();
    this.list.element.hidden = !lines.length;
    this.list.set(lines.length, lines.reduce((most, line) => Math.max(most, line.length), 0));
  }

  whyNone() {
    return this.looked.record.called ? "No passes were run." : NEVER_CALLED;
  }

  kindOf(k) {
    return {"+": "more", "-": "less", "@": "jump"}[this.passes[this.chosen].lines[k][0]] ?? "";
  }

  rulerOf(k) {
    const kind = this.kindOf(k);
    return kind === "jump" ? "" : kind;
  }

  row(k) {
    const line = this.passes[this.chosen].lines[k];
    const kind = this.kindOf(k);
    const rest = kind === "jump" ? [line] : coloured(line.slice(1), "graph", this.looked.sought);
    const sign = {more: "+", less: "−"}[kind] ?? "";
    return el(
      "div",
      {class: `row diff-${kind || "same"}`},
      el("span", {class: "gutter"}, el("span", {class: "sign"}, sign)),
      el("span", {class: "text"}, ...rest),
    );
  }

  onKey(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(this.passes.length - 1, this.chosen + step)));
  }
}
