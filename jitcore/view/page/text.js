// Elements, and texts with their words coloured. Nothing here takes markup: what is shown is put in as text.

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const PYTHON = new RegExp(
  [
    "(?<comment>#.*)",
    "(?<string>[rbfuRBFU]{0,2}(?:'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"))",
    "(?<keyword>\\b(?:def|return|for|while|if|elif|else|in|not|and|or|is|class|import|from|as|with|try|" +
      "except|finally|raise|pass|break|continue|lambda|yield|global|nonlocal|assert|del|None|True|False|self)\\b)",
    "(?<type>\\b(?:[fiuc](?:8|16|32|64|128)|bool_|ptr|ref|str|int|float|bool)\\b)",
    "(?<number>\\b\\d[\\w.]*\\b)",
    "(?<call>\\b[A-Za-z_]\\w*(?=\\())",
  ].join("|"),
  "g",
);
const LLVM = new RegExp(
  [
    "(?<comment>;.*)",
    "(?<string>\"(?:[^\"\\\\]|\\\\.)*\")",
    "(?<label>^[\\w.]+:)",
    "(?<name>[%@][\\w.$-]+)",
    "(?<keyword>\\b(?:define|declare|call|ret|br|switch|phi|label|internal|private|constant|global|fastcc|" +
      "unreachable|external|noalias|readonly|nounwind)\\b)",
    "(?<type>\\b(?:i1|i8|i16|i32|i64|half|float|double|ptr|void)\\b)",
    "(?<number>\\b(?:0x[0-9A-Fa-f]+|\\d+)\\b)",
    "(?<call>(?<== |^  )\\w+)",
  ].join("|"),
  "g",
);
const ASSEMBLY = new RegExp(
  [
    "(?<comment>#.*)",
    "(?<string>\"(?:[^\"\\\\]|\\\\.)*\")",
    "(?<label>^[\\w.$-]+:)",
    "(?<type>^\\s+\\.\\w+)",
    "(?<name>%\\w+)",
    "(?<number>\\$?-?\\b(?:0x[0-9A-Fa-f]+|\\d+)\\b)",
    "(?<call>^\\s+[a-z]\\w*)",
  ].join("|"),
  "g",
);
const GRAMMARS = {llvm: LLVM, asm: ASSEMBLY};
const LONGEST_COLOURED = 2000;

// A line as elements: words coloured by the grammar of a pane, what is searched for marked.
function coloured(text, pane, sought) {
  const parts = [];
  const put = (piece, kind) => {
    if (piece) parts.push(...marked(piece, kind, sought));
  };
  if (text.length > LONGEST_COLOURED) {
    put(text, null);
    return parts;
  }
  const grammar = GRAMMARS[pane] ?? PYTHON;
  let end = 0;
  for (const match of text.matchAll(grammar)) {
    put(text.slice(end, match.index), null);
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    put(match[0], kind);
    end = match.index + match[0].length;
  }
  put(text.slice(end), null);
  return parts;
}

function marked(text, kind, sought) {
  const wrap = (child) => (kind ? el("span", {class: `w-${kind}`}, child) : child);
  if (!sought) return [wrap(text)];
  const parts = [];
  const lower = text.toLowerCase();
  let end = 0;
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, end)) {
    if (at > end) parts.push(wrap(text.slice(end, at)));
    parts.push(wrap(el("mark", {}, text.slice(at, at + sought.length))));
    end = at + sought.length;
  }
  if (end < text.length) parts.push(wrap(text.slice(end)));
  return parts;
}

function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function amount(number) {
  for (const [unit, size] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  }
  return `${number}`;
}

async function unpacked(id) {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
