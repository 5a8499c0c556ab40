"""What MindSpore says around calls that it takes: one argument of a call is changed at a time, and what is common to the answers becomes a rule.

A case is a call with Tensors whose extents are letters, `ops.matmul(input: f N K, mat2: f K M)`; axes of one letter have one extent. A rule says of which
argument's kind, rank, value, length or extent it is, when it holds, and the exception, with `{…}` for what goes by the arguments.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXTENTS = (
    {"A": 6, "B": 2, "C": 4, "H": 9, "K": 3, "M": 5, "N": 7, "W": 10},
    {"A": 10, "B": 3, "C": 8, "H": 12, "K": 4, "M": 9, "N": 5, "W": 14},
)
"""Two extents for each letter, so that a number in an answer tells where it comes from."""
DTYPES = ("bool_", "int32", "int64", "float16", "float64")
WHOLE = {"f": "float32", "i": "int32", "l": "int64", "b": "bool_"}
OTHERS: tuple[Any, ...] = ("a", None, 1, 2.0, (1, 2))
VALUES = (-9, -3, -2, -1, 0, 1, 2, 3, 9)
FLOATS = (-3.0, -1.0, -0.5, 0.0, 0.25, 0.75, 1.0, 1.5, 2.0, 9.0)
OTHER_VALUES = (0, 3, 2, -1, 1, 0.5, 0.125, 2.5)
"""What a number may be in place of that of a case, so that rules do not go by it."""


@dataclass(frozen=True)
class Spec:
    """A Tensor of a case: its dtype, and the letters of its extents."""

    dtype: str
    letters: tuple[str, ...]

    def shape(self, extents: dict[str, int]) -> tuple[int, ...]:
        """The extents that the letters stand for."""
        return tuple(extents[c] if c in extents else int(c) for c in self.letters)


@dataclass(frozen=True)
class Given:
    """A Tensor as an argument."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A call: what is called, and its arguments; those in `named` are given by name."""

    callee: str
    arguments: dict[str, Any]
    named: frozenset[str]


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        callee, _, rest = line.rpartition("(") if line.count("(") == 1 else _outer(line)
        arguments, named = dict[str, Any](), set[str]()
        for part in _split(rest.removesuffix(")")):
            name, sign, text = re.match(r"(\w+)\s*([:=])\s*(.*)$", part).groups()  # type: ignore[union-attr]
            spec = re.fullmatch(r"([fibl])((?: \w+)*)", text)
            arguments[name] = Spec(WHOLE[spec[1]], tuple(spec[2].split())) if spec else _value(text)
            if sign == "=":
                named.add(name)
        yield Case(callee, arguments, frozenset(named))


def _outer(line: str) -> tuple[str, str, str]:
    """A call's callee and arguments, where there are brackets in either."""
    depth, start = 0, len(line) - 1
    for k in range(len(line) - 1, -1, -1):
        depth += (line[k] == ")") - (line[k] == "(")
        if depth == 0:
            start = k
            break
    return line[:start], "(", line[start + 1 :]


def _value(text: str) -> Any:
    if text.startswith("[") and re.search(r"[fibl] ?\w?", text) and "&" in text:
        return [Spec(WHOLE[t.split()[0]], tuple(t.split()[1:])) for t in text[1:-1].split(" & ")]
    return eval(text, {})  # a literal of the table beside this file


def _split(text: str) -> list[str]:
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


# --- asking -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """An answer: what was changed, what the arguments were, and what MindSpore said (None: it computes)."""

    argument: str
    what: str
    key: Any
    arguments: dict[str, Any]
    said: str | None


def functions(every: list[Case], folder: str) -> list[Callable[..., Any]]:
    """A function for each case that calls what it calls, in a file of its own, since `jit` reads the source."""
    lines = ["from mindspore import mint, nn, ops", "from mindspore.ops import operations as P", ""]
    for k, case in enumerate(every):
        names = list(case.arguments)
        receiver = case.callee.startswith("Tensor.")
        callee = f"{names[0]}.{case.callee[7:]}" if receiver else case.callee
        given = ", ".join(f"{n}={n}" if n in case.named else n for n in names[receiver:])
        lines += [f"def case_{k}({', '.join(names)}):", f"    return {callee}({given})", ""]
    path = Path(folder) / "probed_calls.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return [getattr(module, f"case_{k}") for k in range(len(every))]


def made(x: Any) -> Any:
    """The argument itself."""
    import mindspore as ms
    import numpy as np

    if isinstance(x, list) and x and isinstance(x[0], Given):
        return tuple(map(made, x))
    return ms.Tensor(np.ones(x.shape), getattr(ms, x.dtype)) if isinstance(x, Given) else x


def answer(function: Callable[..., Any], arguments: dict[str, Any], graph: bool) -> str | None:
    """The class and first line of what is raised; None if there is a result."""
    from mindspore import jit

    try:
        result = (jit(function) if graph else function)(*map(made, arguments.values()))
        first = result[0] if isinstance(result, tuple | list) else result
        if hasattr(first, "asnumpy"):
            first.asnumpy()
    except Exception as error:
        _settle()
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}".rstrip()
    return None


def _settle() -> None:
    """Let what was begun end: what it raises is not of the next call."""
    from mindspore import runtime

    try:
        runtime.synchronize()
    except Exception as error:
        del error  # another thread's word for what was answered


def plain(case: Case, extents: dict[str, int]) -> dict[str, Any]:
    """The arguments of a case as it stands."""

    def one(x: Any) -> Any:
        if isinstance(x, list) and x and isinstance(x[0], Spec):
            return [one(i) for i in x]
        return Given(x.dtype, x.shape(extents)) if isinstance(x, Spec) else x

    return {n: one(x) for n, x in case.arguments.items()}


def ask(case: Case, function: Callable[..., Any], graph: bool) -> list[Asked] | None:
    """All answers around a case; None if MindSpore does not take it as it stands."""
    found: list[Asked] = []
    for extents in EXTENTS:
        given = plain(case, extents)
        if answer(function, given, graph) is not None:
            return None
        if extents is not EXTENTS[0]:
            given |= others(case, function, given, graph)
        for argument, what, key, changed in changes(case, given, extents):
            arguments = given | {argument: changed} if what != "value" or not isinstance(key, tuple) else changed
            found.append(Asked(argument, what, key, arguments, answer(function, arguments, graph)))
    given = plain(case, EXTENTS[0])
    several = {
        n for n, x in given.items() if isinstance(x, Given) and answer(function, given | {n: [x, x]}, graph) is None
    }
    return [a for a in found if not (a.argument in several and a.what == "kind" and a.key == "tuple")]


def others(case: Case, function: Callable[..., Any], given: dict[str, Any], graph: bool) -> dict[str, float]:
    """Numbers that MindSpore takes in place of those of a case."""
    found: dict[str, float] = {}
    for name, x in given.items():
        for v in OTHER_VALUES if type(x) in (int, float) else ():
            if type(v) is type(x) and v != x and answer(function, given | found | {name: v}, graph) is None:
                found[name] = v
                break
    return found


def changes(case: Case, given: dict[str, Any], extents: dict[str, int]) -> Iterator[tuple[str, str, Any, Any]]:
    """The changes of single arguments: the argument, what of it is changed, the key of the change, and the argument (or all, with another rank)."""
    first = extents is EXTENTS[0]
    for k, (name, spec) in enumerate(case.arguments.items()):
        x = given[name]
        if isinstance(spec, Spec):
            yield from _of_tensor(case, name, spec, k, x, extents)
        if isinstance(spec, list) and spec and isinstance(spec[0], Spec):
            continue
        if first and not (case.callee.startswith("Tensor.") and k == 0):
            for other in OTHERS:
                if isinstance(x, Given) or type(other) is not type(x):
                    yield name, "kind", type(other).__name__, other
        if type(x) is int:
            for shorter in (False, True):
                whole = (_of_another_rank(case, given, extents) if first else None) if shorter else given
                for v in VALUES if whole is not None else ():
                    yield name, "value", (v, shorter), {**(whole or {}), name: v}
        if type(x) is float:
            yield from ((name, "float", v, v) for v in FLOATS)
        if type(x) is str and first:
            yield name, "string", "?", "unknown_word"
        if isinstance(x, tuple) and x and all(type(i) is int for i in x):
            for count in range(7):
                if count != len(x):
                    longer = (x * 7)[:count]
                    for items in dict.fromkeys([longer, tuple(map(abs, longer))]):
                        yield name, "length", count, items  # which is not about its items where both are refused alike
            for v in (-2, -1, 0):
                yield name, "items", v, (*x[:-1], v)
            for item in ("a", 1.5, None) if first else ():
                yield name, "item", type(item).__name__, (*x[:-1], item)


def _of_tensor(
    case: Case, name: str, spec: Spec, place: int, x: Given, extents: dict[str, int]
) -> Iterator[tuple[str, str, Any, Any]]:
    for rank in range(6):
        if rank != len(spec.letters):
            more = (2,) * (rank - len(x.shape))
            shapes = [(*more, *x.shape[max(len(x.shape) - rank, 0) :]), (*x.shape[:rank], *more)]
            for shape in dict.fromkeys(shapes if extents is EXTENTS[0] else shapes[:1]):
                yield name, "rank", rank, Given(x.dtype, shape)
    if extents is EXTENTS[0]:
        for dtype in DTYPES:
            if dtype != x.dtype:
                yield name, "dtype", dtype, Given(dtype, x.shape)
    specs = itertools.islice(case.arguments.values(), place)
    before = [c for s in specs if isinstance(s, Spec) for c in s.letters]
    for axis, letter in enumerate(spec.letters):
        if letter in before or letter in spec.letters[:axis]:
            extent = x.shape[axis] + EXTENTS.index(extents) + 1
            yield name, "extent", axis, Given(x.dtype, (*x.shape[:axis], extent, *x.shape[axis + 1 :]))


def _of_another_rank(case: Case, given: dict[str, Any], extents: dict[str, int]) -> dict[str, Any] | None:
    """The arguments with one axis more of the first Tensor."""
    name = next((n for n, x in given.items() if isinstance(x, Given)), None)
    return None if name is None else given | {name: Given(given[name].dtype, (2, *given[name].shape))}


# --- rules ------------------------------------------------------------------------------------------


def variables(arguments: dict[str, Any]) -> dict[str, int]:
    """The numbers that an answer may show, by name."""
    found: dict[str, int] = {}
    for name, x in arguments.items():
        if type(x) is int:
            found[name] = x
        elif isinstance(x, Given):
            found[f"{name}.rank"] = len(x.shape)
        elif isinstance(x, tuple | list):
            found[f"len({name})"] = len(x)
    for name, x in arguments.items():
        if isinstance(x, Given):
            found |= {f"{name}[{k}]": n for k, n in enumerate(x.shape)}
            found |= {f"{name}[{k - len(x.shape)}]": n for k, n in enumerate(x.shape)}
        elif isinstance(x, tuple) and all(type(i) is int for i in x):
            found |= {f"{name}[{k}]": i for k, i in enumerate(x)}
    return found


FORMS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("{}", lambda n: n), ("-{}", lambda n: -n), ("{}+1", lambda n: n + 1), ("{}-1", lambda n: n - 1), ("-{}-1", lambda n: -n - 1),
)  # fmt: skip


def renderings(x: Any) -> list[tuple[str, str]]:
    """How an answer shows a shape or a tuple, each with the name of the way."""
    if isinstance(x, Given):
        numbers = x.shape
    elif isinstance(x, tuple) and all(type(i) is int for i in x):
        numbers = x
    else:
        return []
    listed = ", ".join(map(str, numbers))
    ways = [
        ("vector", f"[const vector]{{{listed}}}"),
        ("tuple", str(tuple(numbers))),
        ("list", f"[{listed}]"),
        ("commas", "[" + "".join(f"{n}," for n in numbers) + "]"),
        ("braces", f"{{ {listed} }}"),
    ]
    return ways if numbers else ways[:3]


def skeleton(asked: Asked) -> tuple[str, list[int]]:
    """An answer with names for shapes and dtypes and `#` for its other numbers, and these numbers."""
    text = (asked.said or "").replace("{", "\x01").replace("}", "\x02")
    for name, x in sorted(asked.arguments.items(), key=lambda item: item[0] != asked.argument):
        for way, shown in renderings(x):
            text = text.replace(shown.replace("{", "\x01").replace("}", "\x02"), f"{{{name}:{way}}}")
    text = text.replace("unknown_word", f"{{{asked.argument}:text}}")
    if asked.what == "dtype":
        text = _after_got(text, dtype_word(asked.key), f"{{{asked.argument}:dtype}}")
    if asked.what == "kind":
        text = _after_got(text, KINDS[asked.key], f"{{{asked.argument}:type}}")
        text = _after_got(text, f"<class '{asked.key}'>", f"{{{asked.argument}:class}}")
        text = _after_got(text, f"'{asked.key}'", f"'{{{asked.argument}:name}}'")
    numbers: list[int] = []

    def hole(found: re.Match[str]) -> str:
        numbers.append(int(found[0]))
        return "\x00"

    pieces = re.split(r"(\{[^}]*\})", text)
    pieces[::2] = [re.sub(r"(?<![\w.])-?\d+(?![\w.]*[a-zA-Z_]|\.\d)", hole, p) for p in pieces[::2]]
    return "".join(pieces), numbers


KINDS = {
    "str": "String", "NoneType": "None", "int": "Int64", "float": "Float32", "bool": "Bool", "tuple": "Tuple[Int64*2]", "list": "List[Int64*2]",
}  # fmt: skip
"""How messages name the types of `OTHERS`."""


def _after_got(text: str, word: str, name: str) -> str:
    """A text with a name for a word where it says what it got."""
    before, got, after = text.rpartition(" got")
    return before + got + re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", name, after)


def dtype_word(dtype: str) -> str:
    """A dtype's name in messages."""
    return ("UInt" + dtype[4:] if dtype.startswith("uint") else dtype.capitalize()).removesuffix("_")


def rules(answers: list[Asked]) -> Iterator[tuple[str, list[Asked]]]:
    """The rules that tell all answers, a line for each: the argument, what of it, when, and the exception; with the answers it is from."""
    for (argument, what), group in _grouped(answers, lambda a: (a.argument, a.what)).items():
        refused = [a for a in group if a.said is not None]
        for (text, _), alike in _grouped(refused, lambda a: (skeleton(a)[0], a.key if what == "extent" else 0)).items():
            if "Failed calling" in text or (what == "kind" and not text.startswith(("TypeError", "AttributeError"))):
                continue  # of which the signatures tell, and what is said of values
            filled = _filled(text, alike)
            condition = _condition(what, alike, group)
            if filled is not None and condition is not None:
                yield f"{argument} {what} {condition} {filled}", alike


def _grouped(items: list[Asked], key: Callable[[Asked], Any]) -> dict[Any, list[Asked]]:
    found: dict[Any, list[Asked]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def _filled(text: str, alike: list[Asked]) -> str | None:
    """A text with the names of its numbers; None if it is not known where one of them comes from."""
    columns = list(zip(*(skeleton(a)[1] for a in alike), strict=True))
    names = [_source(place, column, alike) for place, column in enumerate(columns)]
    if None in names:
        return None
    stream = iter(names)
    made = re.sub("\x00", lambda _: str(next(stream)), text)
    return made.replace("\x01", "{{").replace("\x02", "}}")


def _is_told(place: int, alike: list[Asked]) -> bool:
    """Whether a number of an answer stands behind "got"."""
    before = skeleton(alike[0])[0].split("\x00")[place]
    return before.rstrip("' ").endswith(("got", "got:", "rank:"))


def _source(place: int, column: tuple[int, ...], alike: list[Asked]) -> str | None:
    what = alike[0].what
    if len(set(column)) == 1 and (what not in ("rank", "length") or len({a.key for a in alike}) > 1):
        return str(column[0])
    own = alike[0].argument
    if len(set(column)) == 1 and not _is_told(place, alike):
        return str(column[0])
    known = [variables(a.arguments) for a in alike]
    shared = [n for n in known[0] if all(n in k for k in known)]
    shared.sort(key=lambda n: n.partition(".")[0].strip("len()") != own and n.partition("[")[0] != own)
    for form, value in FORMS:
        for name in shared:
            if len(set(column)) == 1 and not (form == "{}" and name.strip("len()").partition(".")[0] == own):
                continue
            if all(value(k[name]) == n for k, n in zip(known, column, strict=True)):
                return "{" + form.format(name) + "}"
    return None


FLOAT_FORMS: tuple[tuple[str, Callable[[float], str]], ...] = (
    ("text", str), ("g", lambda v: f"{v:g}"), ("1-text", lambda v: str(1 - v)), ("1-g", lambda v: f"{1 - v:g}"),
)  # fmt: skip
FLOAT_CONDITIONS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    ("<0", lambda v: v < 0), ("<=0", lambda v: v <= 0), ("=0", lambda v: v == 0), (">1", lambda v: v > 1), (">=1", lambda v: v >= 1), ("!=1", lambda v: v != 1), ("![0,1]", lambda v: not 0 <= v <= 1),
    ("!(0,1]", lambda v: not 0 < v <= 1), ("![0,1)", lambda v: not 0 <= v < 1), ("!(0,1)", lambda v: not 0 < v < 1), ("![-1,1]", lambda v: not -1 <= v <= 1), ("any", lambda v: True),
)  # fmt: skip


def of_floats(asked: list[Asked], ways: tuple[str, ...]) -> Iterator[str]:
    """When and what is said of a float, whatever the other arguments are."""
    for argument, group in _grouped(asked, lambda a: a.argument).items():
        left = [a for a in group if a.said and not re.search(r": *$|unregistered", a.said)]
        for form in (None, *FLOAT_FORMS):
            for text, alike in _grouped(left, lambda a, form=form: _of_float(a, form)).items():
                if _shows_another(text, alike[0]):
                    continue
                told = {id(a) for a in alike}
                fits = form is None or f":{form[0]}}}" in text
                for name, holds in FLOAT_CONDITIONS if fits else ():
                    if all(holds(a.key) is (id(a) in told) for a in group):
                        yield f"{argument} float {name} {text}"
                        left = [a for a in left if id(a) not in told]
                        break


WORDS = {
    "Word": {"str": "string", "NoneType": "None", "tuple": "Tuple<int, int>"}, "word": {"str": "string", "NoneType": "None", "tuple": "tuple<int, int>"},
    "type": KINDS,
}  # fmt: skip
"""How the text of a call names types: line by line, in graphs, and in graphs that name one operand."""


def of_types(asked: list[Asked], ways: tuple[str, ...]) -> Iterator[str]:
    """What is said of the types of an operator's call."""
    for argument, group in _grouped(asked, lambda a: a.argument).items():
        refused = [a for a in group if a.said and "Failed calling" in a.said and '="' not in a.said and "=" in a.said]
        found: dict[str, list[str]] = {}
        for a in refused:
            said = (a.said or "").replace("{", "{{").replace("}", "}}")
            for way in ways:
                shown = f"={WORDS[way].get(a.key, a.key)}"
                for place in re.finditer(rf"{re.escape(shown)}(?![\w*])", said):
                    text = f"{said[: place.start()]}={{{argument}:{way}}}{said[place.end() :]}"
                    found.setdefault(text, []).append(a.key)
        while found:
            text = max(found, key=lambda t: len(found[t]))
            keys = found.pop(text)
            yield f"{argument} kind {','.join(keys)} {text}"
            found = {t: rest for t, k in found.items() if (rest := [x for x in k if x not in keys])}


def _shows_another(text: str, asked: Asked) -> bool:
    """Whether an answer shows the value of another float, of which a rule would not know."""
    others = [x for n, x in asked.arguments.items() if type(x) is float and n != asked.argument]
    return any(re.search(rf"(?<![\w.]){re.escape(f'{x:g}')}(?![\w]|\.\d)", text) for x in others if x not in (0, 1))


def _of_float(asked: Asked, form: tuple[str, Callable[[float], str]] | None) -> str:
    """An answer with a name for the float, if it shows it in a form."""
    text = (asked.said or "").replace("{", "{{").replace("}", "}}")
    if form is None:
        return text
    places = list(re.finditer(rf"(?<![\w.-]){re.escape(form[1](asked.key))}(?!\w|\.\d)", text))
    if not places:
        return text
    return f"{text[: places[-1].start()]}{{{asked.argument}:{form[0]}}}{text[places[-1].end() :]}"


CONDITIONS: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
    ("<0", lambda v, r: v < 0), ("<1", lambda v, r: v < 1), ("=0", lambda v, r: v == 0), ("<-1", lambda v, r: v < -1), (">=1", lambda v, r: v >= 1), (">=2", lambda v, r: v >= 2), ("!axis", lambda v, r: not -r <= v < r),
    ("!axis+1", lambda v, r: not -r - 1 <= v <= r), (">=rank", lambda v, r: v >= r), (">rank", lambda v, r: v > r), ("<-rank", lambda v, r: v < -r), ("<-rank-1", lambda v, r: v < -r - 1),
    ("!0axis", lambda v, r: not 0 <= v < r), ("any", lambda v, r: True),
)  # fmt: skip


def _condition(what: str, alike: list[Asked], group: list[Asked]) -> str | None:
    """When an answer is given: a relation of a value to a rank, or the keys that have it."""
    if what != "value":
        keys = list(dict.fromkeys(str(a.key) for a in alike))
        every = [a for a in group if str(a.key) in keys]
        return ",".join(keys) if len(every) == len(alike) else None  # whatever the extents
    asked = {id(a) for a in alike}
    pairs = [(a.key[0], variables(a.arguments), id(a) in asked) for a in group]
    for name, holds in CONDITIONS:
        if all(
            holds(v, next((n for k, n in known.items() if k.endswith(".rank")), 0)) is said for v, known, said in pairs
        ):
            return name
    return None


def main(path: Path, out: Path, folder: str) -> None:
    """Write the rules of all cases of a file."""
    every = list(cases(path))
    lines: list[str] = []
    for case, function in zip(every, functions(every, folder), strict=True):
        answers = ask(case, function, graph=False)
        if answers is None:
            print(
                f"not taken: {case.callee} {answer(function, plain(case, EXTENTS[0]), False)}",
                file=sys.stderr,
                flush=True,
            )
            continue
        lines.append(_header(case, _fixed(case, function)))
        for rule, alike in rules([a for a in answers if a.what != "float"]):
            lines += [f"    {mode} {text}" for mode, text in _in_graphs(function, rule, alike)]
        for what in ("kind", "float"):
            lines += _in_modes(function, [a for a in answers if a.what == what])
        out.write_text("\n".join(lines) + "\n")


def _fixed(case: Case, function: Callable[..., Any]) -> frozenset[str]:
    """The numbers of a case for which MindSpore takes no others."""
    return frozenset(case.arguments) - others(case, function, plain(case, EXTENTS[1]), False).keys()


def _in_graphs(function: Callable[..., Any], rule: str, alike: list[Asked]) -> list[tuple[str, str]]:
    """A rule of what is said line by line, with the modes it is true in, and that of graphs if it has other words; an answer or two of each are asked for."""
    examples = [alike[0], alike[-1]] if len(alike) > 1 else alike
    said = [(e.said or "", answer(function, e.arguments, True) or "") for e in examples]
    if all(eager == graph for eager, graph in said):
        return [("both", rule)]
    heads = [eager.partition(": ") for eager, _ in said]
    if all(graph == f"{cls}: '{text}'" for (_, graph), (cls, _, text) in zip(said, heads, strict=True)):
        start, _, text = rule.partition(": ")
        return [("eager", rule), ("graph", f"{start}: '{text}'")]
    if (
        len(examples) > 1
        and len({graph for _, graph in said}) == 1
        and said[0][1]
        and "Failed calling" not in said[0][1]
    ):
        found = re.match(r"(\w+ \w+ \S+) ", rule)
        assert found is not None, rule
        if not re.search(r"\d", said[0][1]) and alike[0].what in ("kind", "dtype"):
            return [("eager", rule), ("graph", f"{found[1]} {said[0][1]}")]
    return [("eager", rule)]


def _in_modes(function: Callable[..., Any], asked: list[Asked]) -> list[str]:
    """The rules of floats, and of what an operator that is called is given, line by line and in graphs."""
    of = of_floats if asked and asked[0].what == "float" else of_types
    eager = list(of(asked, ("Word",)))
    if not eager:
        return []
    again = [Asked(a.argument, a.what, a.key, a.arguments, answer(function, a.arguments, True)) for a in asked]
    graph = list(of(again, ("word", "type")))
    both = [rule for rule in eager if rule in graph]
    alone = [("eager", r) for r in eager] + [("graph", r) for r in graph]
    return [f"    both {r}" for r in both] + [f"    {mode} {r}" for mode, r in alone if r not in both]


def _header(case: Case, fixed: frozenset[str]) -> str:
    """A case as the table names it: of numbers, those that its rules may go by."""
    parts: list[str] = []
    for name, x in case.arguments.items():
        mark = "!" if name in case.named else ""
        if isinstance(x, Spec):
            parts.append(f"{mark}{name}: {' '.join((x.dtype, *x.letters))}")
        elif isinstance(x, tuple) or (type(x) is int and name in fixed):
            parts.append(f"{mark}{name}={list(x) if isinstance(x, tuple) else x}")
        else:
            parts.append(mark + name)
    return f"{case.callee}({', '.join(parts)})"


if __name__ == "__main__":
    import tempfile
    import warnings

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        main(Path(sys.argv[1]), Path(sys.argv[2]), folder)
