// The graph as a picture: Cells that fold, the operations in them, and what flows between.

const MOST_AT_FIRST = 36;

class NetworkView {
  constructor(looked, showCode) {
    this.looked = looked;
    this.showCode = showCode;
    this.zoom = 1;
    this.choice = el("select", {"aria-label": "Graph", onchange: () => this.choosePicture(Number(this.choice.value))});
    this.told = el("span", {class: "quiet"});
    const button = (label, does, onclick) =>
      el("button", {class: "tool", title: does, "aria-label": does, onclick}, label);
    this.canvas = el("div", {class: "picture"});
    const named = {class: "picture-frame", tabindex: "0", role: "group", "aria-label": "Picture of the graph"};
    this.scroller = el("div", named, this.canvas);
    this.empty = el("p", {class: "empty", hidden: true}, NEVER_CALLED);
    this.element = el(
      "div",
      {class: "network"},
      el(
        "div",
        {class: "toolbar"},
        this.choice,
        button("Fold all", "Fold all Cells", () => this.unfold(false)),
        button("Unfold all", "Unfold all Cells", () => this.unfold(true)),
        button("−", "Smaller", () => this.zoomTo(this.zoom / 1.25)),
        button("+", "Larger", () => this.zoomTo(this.zoom * 1.25)),
        button("Fit", "Fit the width", () => this.fit()),
        el("span", {class: "spring"}),
        this.told,
      ),
      this.scroller,
      this.empty,
    );
    this.scroller.addEventListener("wheel", (event) => this.onWheel(event), {passive: false});
    this.scroller.addEventListener("pointerdown", (event) => this.onPress(event));
    looked.onChange((what) => this.onChange(what));
  }

  onChange(what) {
    if (what === "record") {
      const pictures = this.looked.record.pictures;
      this.choice.replaceChildren(...pictures.map((picture, k) => el("option", {value: k}, picture.title)));
      this.choice.disabled = pictures.length < 2;
      this.empty.hidden = pictures.length > 0;
      this.scroller.hidden = !pictures.length;
      this.drawn = null;
      this.picture = pictures[0] ?? null;
      if (this.picture) this.begin();
      if (!this.element.hidden) this.appear();
    } else if (what !== "sought") this.light();
  }

  choosePicture(number) {
    this.picture = this.looked.record.pictures[number];
    this.begin();
    this.draw();
  }

  // At first groups that have groups in them are unfolded, level by level, up to some boxes in all.
  begin() {
    const open = this.picture.open = new Set();
    const groupsIn = (items) => items.filter((item) => typeof item !== "number");
    let boxes = this.picture.items.length;
    let level = groupsIn(this.picture.items);
    while (level.length) {
      const holders = level.filter((group) => groupsIn(group.items).length);
      boxes += holders.reduce((sum, group) => sum + group.items.length, 0);
      if (boxes > MOST_AT_FIRST) return;
      holders.forEach((group) => open.add(group));
      level = holders.flatMap((group) => groupsIn(group.items));
    }
  }

  // Called when the picture comes into sight: it is drawn only then.
  appear() {
    if (this.picture && this.drawn !== this.picture) {
      this.draw();
      this.fit();
    }
  }

  draw() {
    this.drawn = this.picture;
    this.rows = new Map();
    const laid = layOut(this.picture, this.picture);
    this.size = {width: laid.width + 48, height: laid.height + 48};
    this.canvas.replaceChildren(this.level(laid, 24, 24));
    const folded = countGroups(this.picture.items);
    this.told.textContent = `${count(this.picture.nodes.length, "operation")}, ${count(folded, "group")}`;
    this.zoomTo(this.zoom);
    this.light();
  }

  level(laid, x, y) {
    const level = el("div", {class: "level"});
    Object.assign(level.style, {left: `${x}px`, top: `${y}px`, width: `${laid.width}px`, height: `${laid.height}px`});
    const wires = svg("svg", {class: "wires", width: laid.width, height: laid.height, "aria-hidden": "true"});
    for (const edge of laid.edges) {
      wires.append(svg("path", {d: edge.path}));
      const {x: at, y: tip} = {x: edge.end.x + edge.end.width / 2, y: edge.end.y};
      wires.append(svg("path", {d: `M${at - 3},${tip - 5}L${at},${tip}L${at + 3},${tip - 5}Z`, class: "tip"}));
    }
    level.append(wires, ...laid.boxes.map((box) => (box.group ? this.groupBox(box) : this.nodeBox(box))));
    return level;
  }

  nodeBox(box) {
    const [op, types, set, , name] = this.picture.nodes[box.node];
    const places = new Set(this.looked.record.sets[set]);
    const made = el(
      "button",
      {
        class: `op ${op === "input" ? "op-input" : ""}`,
        title: `${name ? `${name}: ` : ""}${op} → ${types}`,
        onmouseenter: () => this.looked.hover(places),
        onmouseleave: () => this.looked.hover(new Set()),
        onclick: () => this.looked.keep(places),
        ondblclick: () => this.showCode(),
      },
      el("span", {class: "op-name"}, name || op),
      el("span", {class: "op-types"}, types),
    );
    this.put(made, box);
    this.rows.set(made, places);
    return made;
  }

  groupBox(box) {
    const group = box.group;
    const open = this.picture.open.has(group);
    const places = new Set(box.nodes.flatMap((node) => this.looked.record.sets[this.picture.nodes[node][2]]));
    const title = el(
      "button",
      {
        class: "group-title",
        "aria-expanded": String(open),
        title: open ? "Fold" : "Unfold",
        onclick: () => this.toggle(group),
        onmouseenter: () => this.looked.hover(places),
        onmouseleave: () => this.looked.hover(new Set()),
      },
      el("span", {class: "twist", "aria-hidden": "true"}, open ? "▾" : "▸"),
      el("span", {class: "group-name"}, group.name || group.kind),
      el("span", {class: "group-kind"}, group.name ? group.kind : ""),
      el("span", {class: "group-size"}, box.nodes.length),
    );
    const made = el("div", {class: `group ${open ? "open" : ""}`}, title);
    if (open) made.append(this.level(box.inner, (box.width - box.inner.width) / 2, GAP.title));
    this.put(made, box);
    if (!open) this.rows.set(made, places);
    return made;
  }

  put(made, box) {
    for (const [name, value] of Object.entries({left: box.x, top: box.y, width: box.width, height: box.height})) {
      made.style[name] = `${value}px`;
    }
  }

  light() {
    if (!this.rows || this.element.hidden) return;
    for (const [row, places] of this.rows) {
      const meets = (others) => others.size && [...places].some((place) => others.has(place));
      row.classList.toggle("hot", Boolean(meets(this.looked.hovered)));
      row.classList.toggle("kept", Boolean(meets(this.looked.kept)));
    }
  }

  toggle(group) {
    const open = this.picture.open;
    if (open.has(group)) open.delete(group);
    else open.add(group);
    this.redraw();
  }

  unfold(all) {
    const visit = (items) => {
      for (const item of items.filter((found) => typeof found !== "number")) {
        if (all) this.picture.open.add(item);
        visit(item.items);
      }
    };
    this.picture.open.clear();
    visit(this.picture.items);
    this.redraw();
  }

  // Draw anew, with what has the focus keeping it.
  redraw() {
    const titles = () => [...this.canvas.querySelectorAll(".group-title")];
    const focused = titles().indexOf(document.activeElement);
    this.draw();
    titles()[focused]?.focus({preventScroll: true});
  }

  zoomTo(zoom) {
    this.zoom = Math.min(2, Math.max(0.15, zoom));
    this.canvas.style.setProperty("--zoom", this.zoom);
    if (!this.size) return;
    this.canvas.style.width = `${this.size.width * this.zoom}px`;
    this.canvas.style.height = `${this.size.height * this.zoom}px`;
  }

  fit() {
    if (this.size) this.zoomTo(Math.min(1, (this.scroller.clientWidth - 16) / this.size.width));
  }

  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomTo(this.zoom * (event.deltaY < 0 ? 1.12 : 1 / 1.12));
  }

  onPress(event) {
    if (event.target.closest("button") || event.button) return;
    const from = {x: event.clientX + this.scroller.scrollLeft, y: event.clientY + this.scroller.scrollTop};
    const move = (moved) => this.scroller.scrollTo(from.x - moved.clientX, from.y - moved.clientY);
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
  }
}

function countGroups(items) {
  return items.reduce((sum, item) => (typeof item === "number" ? sum : sum + 1 + countGroups(item.items)), 0);
}
