// What is looked at: a record, and the places in it that are pointed at and those that are kept.

class Looked {
  constructor(index) {
    this.index = index;
    this.record = null;
    this.hovered = new Set();
    this.kept = new Set();
    this.sought = "";
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed(what) {
    for (const listener of this.listeners) listener(what);
  }

  async choose(number) {
    const wanted = this.wanted = number;
    const record = await unpacked(`record-${number}`);
    if (wanted !== this.wanted) return;
    this.number = number;
    this.record = withLines(record);
    this.hovered = new Set();
    this.kept = new Set();
    this.changed("record");
  }

  hover(places) {
    if (sameSets(places, this.hovered)) return;
    this.hovered = places;
    this.changed("hover");
  }

  keep(places, from = null) {
    this.kept = sameSets(places, this.kept) ? new Set() : places;
    this.from = from;
    this.changed("kept");
  }

  seek(text) {
    this.sought = text.toLowerCase();
    this.changed("sought");
  }

  // By the numbers of sets of places: what is pointed at has 2, what is kept 1, what is both 3.
  heat() {
    const meets = (set, places) => places.size > 0 && set.some((place) => places.has(place));
    return this.record.sets.map((set) => (meets(set, this.hovered) ? 2 : 0) + (meets(set, this.kept) ? 1 : 0));
  }

  frames(place) {
    const [, ...numbers] = this.record.places[place];
    const frames = [];
    for (let k = 0; k < numbers.length; k += 3) {
      frames.push({file: numbers[k], line: numbers[k + 1], end: numbers[k + 2]});
    }
    return frames;
  }

  cells(place) {
    return this.record.cells[this.record.places[place][0]];
  }
}

function sameSets(a, b) {
  return a.size === b.size && [...a].every((item) => b.has(item));
}

// A record with what is found by line: of each file, the places that have a frame in a line.
function withLines(record) {
  record.byLine = new Map();
  record.places.forEach(([, ...numbers], place) => {
    for (let k = 0; k < numbers.length; k += 3) {
      const file = record.byLine.get(numbers[k]) ?? new Map();
      record.byLine.set(numbers[k], file);
      for (let line = numbers[k + 1]; line <= Math.min(numbers[k + 2], numbers[k + 1] + 40); line++) {
        if (!file.has(line)) file.set(line, new Set());
        file.get(line).add(place);
      }
    }
  });
  for (const stage of record.stages) {
    stage.lines = stage.text.split("\n");
    stage.widest = stage.lines.reduce((most, line) => Math.max(most, line.length), 0);
  }
  return record;
}
