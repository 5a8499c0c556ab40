// The page: its head, its three views, and a line that says what is looked at.

const VIEWS = {code: "Code", network: "Network", passes: "Passes"};
const HELP = [
  ["/", "search in all columns; Enter and Shift+Enter go on"],
  ["↑ ↓ Page Home End", "another line of a column"],
  ["Enter", "keep the line’s place lit in all columns, and go there"],
  ["Esc", "let go"],
  ["1 2 3", "code, network, passes"],
  ["[ ]", "the compilation before, after"],
  ["t", "light or dark"],
  ["?", "these keys"],
];

const UNCALLED = "never called";

class Page {
  constructor(index) {
    this.index = index;
    this.looked = new Looked(index);
    this.code = new CodeView(this.looked);
    this.network = new NetworkView(this.looked, () => this.view("code"));
    this.passes = new PassesView(this.looked);
    this.views = {code: this.code, network: this.network, passes: this.passes};
    this.record = el(
      "select",
      {class: "record", "aria-label": "Compilation", onchange: () => this.looked.choose(Number(this.record.value))},
      ...index.records.map((record, k) =>
        el("option", {value: k}, called(record)),
      ),
    );
    this.record.disabled = index.records.length < 2;
    this.tabs = el(
      "div",
      {class: "tabs", role: "tablist"},
      ...Object.keys(this.views).map((name) =>
        el("button", {role: "tab", onclick: () => this.view(name), "data-view": name}, VIEWS[name]),
      ),
    );
    this.search = el("input", {
      type: "search",
      placeholder: "Search  /",
      "aria-label": "Search in all columns",
      spellcheck: "false",
      oninput: () => this.looked.seek(this.search.value),
    });
    this.status = el("footer", {class: "status", role: "status"});
    this.help = el(
      "dialog",
      {class: "help", "aria-label": "Keys"},
      el("h2", {}, "Keys"),
      el("dl", {}, ...HELP.flatMap(([keys, does]) => [el("dt", {}, keys), el("dd", {}, does)])),
      el("h2", {}, "Lines of the source"),
      el("dl", {}, ...Object.entries(KINDS).flatMap(([kind, [letter, does]]) => [
        el("dt", {}, el("span", {class: `kind kind-${kind.replace(" ", "-")}`}, letter)), el("dd", {}, does),
      ])),
      el("form", {method: "dialog"}, el("button", {class: "tool"}, "Close")),
    );
    const icon = (label, does, onclick) =>
      el("button", {class: "icon", title: does, "aria-label": does, onclick}, label);
    this.element = [
      el(
        "header",
        {class: "head"},
        el("h1", {}, index.title),
        this.record,
        this.tabs,
        this.code.switches,
        el("span", {class: "spring"}),
        this.search,
        icon("◐", "Light or dark (t)", () => this.turn()),
        icon("?", "Keys (?)", () => this.help.showModal()),
      ),
      el("main", {}, ...Object.values(this.views).map((view) => view.element)),
      this.status,
      this.help,
    ];
    this.looked.onChange(() => this.tell());
    addEventListener("keydown", (event) => this.onKey(event));
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.code.next(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") {
        this.search.value = "";
        this.looked.seek("");
        this.search.blur();
      }
    });
  }

  view(name) {
    for (const [other, view] of Object.entries(this.views)) view.element.hidden = other !== name;
    for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.view === name));
    this.code.switches.hidden = name !== "code";
    this.shown = name;
    if (name === "network") this.network.appear();
    if (name === "code") this.code.arrange();
    if (name === "passes") this.passes.list.refresh();
    this.network.light();
    if (name === "code" && this.looked.kept.size) this.code.panes.forEach((pane) => pane.light(true));
  }

  turn() {
    const {dataset} = document.documentElement;
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    for (const pane of this.code.panes) pane.list.drawRuler();
    this.passes.list.drawRuler();
  }

  // Say where the places pointed at, or else kept, are.
  tell() {
    const places = this.looked.hovered.size ? this.looked.hovered : this.looked.kept;
    if (!this.looked.record) return;
    const {record} = this.looked;
    if (!places.size) {
      const hint = record.called ? "Point at a line to see what became of it; click to keep it lit." : NEVER_CALLED;
      const what = el("span", {}, called(this.index.records[this.looked.number]));
      this.status.replaceChildren(what, el("span", {class: "quiet"}, hint));
      return;
    }
    const [first] = places;
    const frame = this.looked.frames(first)[0];
    const file = this.index.files[frame.file];
    const parts = [el("strong", {}, `${shortName(file.name)}:${frame.line}`)];
    if (places.size > 1) parts.push(el("span", {class: "quiet"}, `and ${count(places.size - 1, "other place")}`));
    const cells = this.looked.cells(first).map((cell) => cell.split(":")[0] || cell.split(":")[1]);
    if (cells.length) parts.push(el("span", {}, cells.join(" › ")));
    const cost = record.lines?.[frame.file]?.[frame.line];
    const why = this.index.interpreted[frame.file]?.[frame.line];
    if (why) parts.push(el("span", {}, `interpreted: ${why}`));
    if (cost) parts.push(el("span", {}, described(cost)));
    this.status.replaceChildren(...parts);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (event.target.matches?.("input, select, textarea")) return;
    const actions = {
      "/": () => this.search.select(),
      "?": () => this.help.showModal(),
      t: () => this.turn(),
      Escape: () => this.looked.keep(new Set()),
      "[": () => this.step(-1),
      "]": () => this.step(1),
      n: () => this.code.next(1),
      N: () => this.code.next(-1),
    };
    Object.keys(this.views).forEach((name, k) => (actions[k + 1] = () => this.view(name)));
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  step(by) {
    const number = Number(this.record.value) + by;
    if (number < 0 || number >= this.index.records.length) return;
    this.record.value = number;
    this.looked.choose(number);
  }
}

function described(cost) {
  const kinds = cost.kinds.map((kind) => (kind === "threaded" && cost.sometimes ? "threaded where large" : kind));
  const least = cost.least ? "at least " : "";
  const parts = [kinds.join(", ")];
  if (cost.calls.length) parts.push(`calls ${cost.calls.join(", ")}`);
  if (cost.flops) parts.push(`${least}${amount(cost.flops)}FLOP${cost.share ? ` (${percent(cost.share)})` : ""}`);
  if (cost.bytes) parts.push(`${least}${amount(cost.bytes)}B moved`);
  if (cost.checks) parts.push(count(cost.checks, "check"));
  if (cost.allocations) parts.push(count(cost.allocations, "allocation"));
  return parts.filter(Boolean).join(" · ");
}

// A record as users know it: its name, and the types of what it is called with.
function called({name, signature}) {
  if (signature === UNCALLED) return `${name}: ${UNCALLED}`;
  return `${name}(${signature.length <= 60 ? signature : `${signature.slice(0, 57)}…`})`;
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
(async () => {
  const index = await unpacked("index");
  const page = new Page(index);
  document.getElementById("app").replaceChildren(...page.element);
  page.view("code");
  const told = index.records.findIndex((record) => record.signature !== UNCALLED);
  page.record.value = Math.max(0, told);
  await page.looked.choose(Math.max(0, told));
  document.documentElement.dataset.ready = "yes";
})();
