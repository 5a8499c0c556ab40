"""Calls that MindSpore refuses for one argument, told from its answers around calls that it takes.

The table `probed.txt` holds the facts, written by `tests/compat/refusals/probing.py`: a call with the letters of its
Tensors' extents (axes of one letter have one extent), `ops.matmul(input: float32 N K, other: float32 K M)`, and below
it when it is refused, graphs and line by line apart: the argument, what of it (kind, rank, dtype, value, length, items,
extent), and the exception, where `{…}` goes by the arguments. Numbers with a value, `axis=1`, are those that the
rules may go by; parameters after `!` are given by name.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import functions, tables
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name, items_of, shape_text, type_text, word
from jitcore.compat.mindspore.refusals.shapes import Shape, ints, known
from jitcore.passes.infer.engine.operands import Operand
from jitcore.structs import dataclass

_PLACED: Final = ("kind", "string", "float", "item", "rank", "length", "items", "value", "extent", "dtype")
"""What is looked at of all arguments, in this order."""
_UNSEEN: Final = ("object", "union", "instance", "npscalar", "ndarray")
_CLASSES: Final = {"none": "NoneType", "range": "tuple"}


@dataclass(frozen=True, slots=True)
class _Rule:
    """When a call is refused for an argument, in which modes, and what is raised."""

    modes: tuple[str, ...]
    argument: str
    what: str
    when: str
    error: str
    text: str


@dataclass(frozen=True, slots=True)
class _Case:
    """A call: the parameters that are given by position, all of them, the Tensors' dtypes and letters, the numbers that
    count, and the rules."""

    positional: tuple[str, ...]
    names: tuple[str, ...]
    tensors: dict[str, tuple[str, tuple[str, ...]]]
    fixed: dict[str, int | tuple[int, ...]]
    rules: list[_Rule]


@cache
def _table() -> dict[str, list[_Case]]:
    table: dict[str, list[_Case]] = {}
    case: _Case | None = None
    for line in tables.lines("probed"):
        if line.startswith("    ") and case is not None:
            case.rules.append(_rule(line.strip()))
        else:
            callee, _, rest = line.removesuffix(")").rpartition("(")
            case = _parsed(rest)
            table.setdefault(callee.partition("(")[0], []).append(case)
    return table


def _parsed(text: str) -> _Case:
    parts = re.findall(r"(!?)(\w+)(?:: ([\w ]+)|=(-?\d+|\[[^]]*\]))?(?:, |$)", text)
    tensors = {name: (words.split()[0], tuple(words.split()[1:])) for _, name, words, _ in parts if words}
    fixed = {name: _numbers(value) for _, name, _, value in parts if value}
    positional = tuple(name for mark, name, _, _ in parts if not mark)
    return _Case(positional, tuple(name for _, name, _, _ in parts), tensors, fixed, [])


def _numbers(text: str) -> int | tuple[int, ...]:
    return tuple(map(int, re.findall(r"-?\d+", text))) if text.startswith("[") else int(text)


def _rule(line: str) -> _Rule:
    mode, argument, what, when, rest = line.split(" ", 4)
    error, _, text = rest.partition(":")
    return _Rule(("graph", "eager") if mode == "both" else (mode,), argument, what, when, error, text.removeprefix(" "))


def has(callee: str) -> bool:
    """Whether the table has a call of `ops.name`, `Tensor.name` or `P.Name`."""
    return callee in _table()


def function_names() -> tuple[str, ...]:
    """The functions of `ops` of the table."""
    return tuple(c[4:] for c in _table() if c.startswith("ops."))


def method_names() -> tuple[str, ...]:
    """The methods of Tensors of the table."""
    return tuple(c[7:] for c in _table() if c.startswith("Tensor."))


def refused(
    callee: str, args: Sequence[Operand], keywords: Mapping[str, Operand], mode: str, *, options: bool = False
) -> BaseException | None:
    """What MindSpore says to a call in a mode (graph, eager). `options`: the operator was made with others than in the
    table."""
    cases = _table().get(callee, ())
    for case in cases:
        given = _bound(callee, case, args, keywords)
        if given is None:
            continue
        others = len(cases) > 1 and not _has_ranks(case, given)  # of which another case may tell
        whole = len(given) == len(args) + len(keywords)
        for what in ("kind",) if others else _PLACED:
            for rule in case.rules:
                if (
                    rule.what != what
                    or mode not in rule.modes
                    or (options and what in ("extent", "value", "length", "items"))
                    or (not whole and (what == "float" or "Failed calling" in rule.text))
                ):
                    continue
                if others and not all(rule.argument in c.tensors for c in cases):
                    continue
                if rule.argument in given and _HOLDS[what](case, rule, given):
                    return _made(rule, given)
    return None


def _bound(
    callee: str, case: _Case, args: Sequence[Operand], keywords: Mapping[str, Operand]
) -> dict[str, Operand] | None:
    """The arguments by the names of a case; None if there are others that may change what is refused."""
    family, _, name = callee.partition(".")
    declared = functions.declared(name).positional if family == "ops" and functions.has(name) else case.positional
    places = {n: k for k, n in enumerate(declared)}
    pairs = [(k, n, x) for k, (n, x) in enumerate(zip(declared, args, strict=False))]
    pairs += [(places.get(n, len(declared)), n, x) for n, x in keywords.items()]
    if len(args) > len(declared):
        return None
    given: dict[str, Operand] = {}
    for place, n, x in pairs:
        own = case.positional[place] if place < len(case.positional) else n
        if own in case.names:
            given[own] = x
        elif x.kind not in ("none", "str", "float", "bool", "dtype"):
            return None
    return given


# --- when a rule holds ------------------------------------------------------------------------------


def _kind(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    x = given[rule.argument]
    if "Failed calling" in rule.text and any(
        given[n].kind != "tensor" for n in case.tensors if n in given and n != rule.argument
    ):
        return False  # as the text shows the others, too
    return _CLASSES.get(x.kind, x.kind) in rule.when.split(",")


_OF_FLOATS: Final[dict[str, Callable[[float], bool]]] = {
    "<0": lambda v: v < 0, "<=0": lambda v: v <= 0, "=0": lambda v: v == 0, ">1": lambda v: v > 1,
    ">=1": lambda v: v >= 1, "!=1": lambda v: v != 1, "![0,1]": lambda v: not 0 <= v <= 1,
    "!(0,1]": lambda v: not 0 < v <= 1, "![0,1)": lambda v: not 0 <= v < 1, "!(0,1)": lambda v: not 0 < v < 1,
    "![-1,1]": lambda v: not -1 <= v <= 1, "any": lambda v: True,
}  # fmt: skip


def _float(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    value = given[rule.argument].value
    return type(value) is float and _OF_FLOATS[rule.when](value)


def _string(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    """Of words that choose a mode: the text lists those that may be given; where it does not, whatever no function
    takes."""
    word = given[rule.argument].value
    listed = re.search(r"[\[(]([^\[\]()]*'[^\[\]()]*)[\])]", rule.text)
    allowed = re.findall(r"'([\w-]*)'", listed[1]) if listed is not None else _MODES
    if word == "replicate" and "edge" in allowed:
        return False  # which functions hand on as "edge"
    return isinstance(word, str) and word not in allowed


_MODES: Final = frozenset(
    ["none", "mean", "sum", "batchmean", "constant", "reflect", "replicate", "circular", "symmetric", "nearest",
     "bilinear", "bicubic", "linear", "trilinear", "area", "zeros", "border", "reflection", "valid", "same", "pad",
     "xy", "ij", "tanh", "C", "F"],
)  # fmt: skip
"""Words that functions of MindSpore's take."""


def _item(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    x = given[rule.argument]
    kinds = {_CLASSES.get(i.kind, i.kind) for i in x.items if i.kind != "int"}
    return x.kind in ("tuple", "list") and len(kinds) == 1 and kinds <= set(rule.when.split(","))


def _rank(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    x = given[rule.argument]
    if x.kind != "tensor" or str(len(x.shape)) not in rule.when.split(","):
        return False
    if not _is_fixed(case, given) or not _has_numbers(case, given):
        return False
    refused_too = {
        (r.argument, k)
        for r in case.rules
        if r.what == "rank"
        and _without_numbers(r.text) != _without_numbers(rule.text)  # which is of their ranks together
        for k in r.when.split(",")
    }
    return all(
        n not in given
        or n == rule.argument
        or (
            given[n].kind == "tensor"
            and (len(given[n].shape) == len(letters) or (n, str(len(given[n].shape))) in refused_too)
        )
        for n, (_, letters) in case.tensors.items()
    )


def _without_numbers(text: str) -> str:
    return re.sub(r"\{[^{}]*\}|\d+", "#", text)


def _is_fixed(case: _Case, given: Mapping[str, Operand], but: str = "") -> bool:
    """Whether numbers that rules may go by are those of the case, and tuples of its length; all but one argument's."""
    for name, expected in case.fixed.items():
        if name == but:
            continue
        if name not in given and not isinstance(expected, tuple):
            continue  # which has a value of its own
        numbers = ints(given[name]) if name in given else None
        if numbers is None or (
            len(numbers) != len(expected) if isinstance(expected, tuple) else numbers != (expected,)
        ):
            return False
    return True


def _has_numbers(case: _Case, given: Mapping[str, Operand], but: str = "1") -> bool:
    """Whether the Tensors that have a rank of the case have the extents that it gives as numbers, but for one of
    them."""
    for name, (_, letters) in case.tensors.items():
        shape = given[name].shape if name in given else ()
        if len(shape) == len(letters) and any(
            c.isdigit() and c != but and str(n) != c for c, n in zip(letters, shape, strict=True)
        ):
            return False
    return True


def _has_ranks(case: _Case, given: Mapping[str, Operand]) -> bool:
    """Whether the Tensors have the ranks of the case."""
    return all(
        n not in given or (given[n].kind == "tensor" and len(given[n].shape) == len(letters))
        for n, (_, letters) in case.tensors.items()
    )


def _length(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    x = given[rule.argument]
    if x.kind not in ("tuple", "list") or str(len(x.items)) not in rule.when.split(","):
        return False
    return _has_ranks(case, given) and _has_numbers(case, given, but="")


def _items(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    numbers, expected = ints(given[rule.argument]), case.fixed.get(rule.argument)
    if numbers is None or not isinstance(expected, tuple) or len(numbers) != len(expected):
        return False
    return str(numbers[-1]) in rule.when.split(",") and numbers[:-1] == expected[:-1] and _has_ranks(case, given)


_CONDITIONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<0": lambda v, r: v < 0, "<1": lambda v, r: v < 1, "=0": lambda v, r: v == 0, "<-1": lambda v, r: v < -1,
    ">=1": lambda v, r: v >= 1, ">=2": lambda v, r: v >= 2, "!axis": lambda v, r: not -r <= v < r,
    "!axis+1": lambda v, r: not -r - 1 <= v <= r, ">=rank": lambda v, r: v >= r, ">rank": lambda v, r: v > r,
    "<-rank": lambda v, r: v < -r, "<-rank-1": lambda v, r: v < -r - 1, "!0axis": lambda v, r: not 0 <= v < r,
    "any": lambda v, r: True,
}  # fmt: skip


def _value(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    value = given[rule.argument].value
    if type(value) is not int:
        return False
    first = next((given[n] for n in case.tensors if n in given), None)
    if first is None or first.kind != "tensor" or not _go_together(case, given):
        return False
    if rule.when.startswith("=") and not _is_fixed(case, given, but=rule.argument):
        return False  # as one number of several is refused only beside the others
    return _CONDITIONS[rule.when](value, len(first.shape))


def _go_together(case: _Case, given: Mapping[str, Operand]) -> bool:
    """Whether Tensors that share letters have as many axes more or less than in the case as each other."""
    more: dict[str, int] = {}
    for name, (_, letters) in case.tensors.items():
        if name in given:
            rank = len(given[name].shape) - len(letters)
            if any(more.setdefault(letter, rank) != rank for letter in letters):
                return False
    return True


def _extent(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    if not rule.text:
        return False  # the answer says not whether extents are to be alike or none may be larger
    if not _has_ranks(case, given) or not _is_fixed(case, given) or not _has_numbers(case, given):
        return False
    bound: dict[str, int] = {}
    for name, (_, letters) in case.tensors.items():
        shape = known(given[name]) if name in given else ()
        if shape is None:
            return False
        for axis, (letter, n) in enumerate(zip(letters, shape, strict=False)):
            if letter.isdigit() or bound.setdefault(letter, n) in (n, 1) or n == 1:
                continue
            if n < bound[letter] and "greater than or equal" in rule.text:
                return False
            return name == rule.argument and str(axis) in rule.when.split(",")
    return False


def are_alike(callees: Sequence[str]) -> bool:
    """Whether the same is said of several functions."""
    said = [{(r.modes, r.what, r.when, r.error, r.text) for case in _table()[c] for r in case.rules} for c in callees]
    return all(rules == said[0] for rules in said)


def _dtype(case: _Case, rule: _Rule, given: Mapping[str, Operand]) -> bool:
    x = given[rule.argument]
    if x.kind != "tensor" or _word(x) not in [d.removesuffix("_") for d in rule.when.split(",")]:
        return False
    return all(
        n == rule.argument or n not in given or _word(given[n]) == dtype.removesuffix("_")
        for n, (dtype, _) in case.tensors.items()
    )


def _word(x: Operand) -> str:
    return dtype_name(x.dtype).lower()


_HOLDS: Final[dict[str, Callable[[_Case, _Rule, Mapping[str, Operand]], bool]]] = {
    "kind": _kind, "string": _string, "float": _float, "item": _item, "rank": _rank, "length": _length, "items": _items,
    "value": _value, "extent": _extent, "dtype": _dtype,
}  # fmt: skip


# --- what is raised ---------------------------------------------------------------------------------

_NAMED: Final = re.compile(r"(?P<braces>\{\{|\}\})|\{(?P<expression>[^{}]*)\}")
_NUMBER: Final = re.compile(r"(-?)(?:len\((\w+)\)|(\w+)(?:\.rank|\[(-?\d+)\])?)([+-]1)?$")
_WAYS: Final[dict[str, Callable[[Shape], str]]] = {
    "vector": shape_text, "tuple": str, "list": lambda s: str(list(s)),
    "commas": lambda s: "[" + "".join(f"{n}," for n in s) + "]",
    "braces": lambda s: "{ " + ", ".join(map(str, s)) + " }",
}  # fmt: skip


def _made(rule: _Rule, given: Mapping[str, Operand]) -> BaseException:
    text = _NAMED.sub(lambda m: m["braces"][0] if m["braces"] else _filled(m["expression"], given), rule.text)
    made: BaseException = getattr(builtins, rule.error)(text)
    return made


_VALUES: Final[dict[str, Callable[[Any], str]]] = {
    "text": str, "g": lambda v: f"{v:g}", "1-text": lambda v: str(1 - v), "1-g": lambda v: f"{1 - v:g}",
}  # fmt: skip


def _filled(expression: str, given: Mapping[str, Operand]) -> str:
    name, _, way = expression.partition(":")
    if way == "dtype":
        return dtype_name(given[name].dtype)
    if way in _VALUES:
        return _VALUES[way](given[name].value)
    if way in ("word", "Word"):
        return word(given[name], capital=way == "Word")
    if way in ("type", "class", "name"):
        x = given[name]
        return type_text(x) if way == "type" else f"<class '{class_name(x)}'>" if way == "class" else class_name(x)
    if way:
        return _WAYS[way](_extents(given[name]))
    found = _NUMBER.match(expression)
    assert found is not None, expression
    minus, counted, named, index, more = found.groups()
    number = _number(given[counted or named], index, counted is not None, ".rank" in expression)
    return str((-number if minus else number) + int(more or 0))


def _extents(x: Operand) -> Shape:
    return (known(x) or ()) if x.kind == "tensor" else (ints(x) or ())


def _number(x: Operand, index: str | None, counted: bool, rank: bool) -> int:
    if counted:
        return len(items_of(x))
    if rank:
        return len(x.shape)
    return int(x.value) if index is None else _extents(x)[int(index)]
