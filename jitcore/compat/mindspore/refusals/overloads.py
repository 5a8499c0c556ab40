"""The methods of Tensors, and functions, that MindSpore chooses by the types of their arguments: `Failed calling add with "add(None)".`

The table `overloads.txt` holds the facts: a name with the least number of its arguments, and its overloads below it as MindSpore writes them; `takes N`, of those that
have one form, with N arguments; `counts A B`, of those that are Python functions of A to B arguments, the Tensor among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from jitcore.compat.mindspore.refusals.naming import word
from jitcore.passes.infer.dialect import Operand
from jitcore.structs import dataclass, field

_MIXED: Final = ("clamp", "clip")
"""Methods that graphs call with a Tensor for one limit and a number for the other, too."""
FUNCTIONS: Final = ("less", "lt")
"""The functions of `ops` that are chosen by types, as methods are."""
_NUMBERS: Final = ("bool", "int", "float")
_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "tensor": ("tensor", "npscalar", "ndarray"), "number": _NUMBERS, "int": ("int",), "float": ("float",), "bool": ("bool",),
    "str": ("str",), "string": ("str",), "none": ("none",), "mstype": ("dtype",), "dtype": ("dtype",),
    "tuple": ("tuple", "range"), "list": ("list",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Overload:
    """One form of the arguments: how MindSpore writes it, and the types of each, those by name alone apart."""

    text: str
    positional: tuple[tuple[str, tuple[str, ...]], ...]
    named: tuple[tuple[str, tuple[str, ...]], ...]

    def takes(self, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> bool:
        """Whether a call has this form."""
        rest = dict((*self.positional[len(args) :], *self.named))
        return (
            len(args) <= len(self.positional)
            and all(_is(x, types) for x, (_, types) in zip(args, self.positional, strict=False))
            and all(k in rest and _is(x, rest[k]) for k, x in keywords.items())
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A method or function: its least and greatest number of arguments, what kind it is (overloaded, takes or counts), its forms, and the name and type of
    the first argument of one that has one form."""

    kind: str
    least: int
    most: int = 0
    forms: list[Overload] = field(default_factory=list[Overload])
    first: tuple[str, str] = ("", "")


def _is(x: Operand, types: Sequence[str]) -> bool:
    return x.kind in ("union", "object", "instance") or any(
        t in ("any", "Any") or x.kind in _TYPES.get(t.lower(), ()) for t in types
    )


@cache
def _table() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    entry = Entry("", 0)
    for line in files("jitcore.compat.mindspore.refusals").joinpath("overloads.txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            entry.forms.append(_overload(line.strip()))
            continue
        name, *rest = line.split(" ", 3)
        if rest[0] == "takes":
            argument, _, types = rest[2].partition("=") if len(rest) > 2 else ("", "", "")
            entry = Entry("takes", 0, int(rest[1]), first=(argument, types.strip("<>")))
        elif rest[0] == "counts":
            entry = Entry("counts", int(rest[1]), int(rest[2]))
        else:
            entry = Entry("overloaded", int(rest[0]))
        table[name] = entry
    return table


def _overload(text: str) -> Overload:
    inner = text[text.index("(") + 1 : -1]
    before, _, after = inner.partition("*, ") if "*" in inner else (inner, "", "")
    return Overload(text, _arguments(before), _arguments(after))


def _arguments(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((n, tuple(re.split(r",\s*", t))) for n, t in re.findall(r"(\w+)=<([^>]*)>", text))


def has_method(name: str) -> bool:
    """Whether the table has a method of Tensors."""
    return f"Tensor.{name}" in _table()


def names_in(module: str) -> tuple[str, ...]:
    """The functions of a module that the table has, with the module."""
    return tuple(name for name in _table() if name.startswith(f"{module}."))


def has_function(name: str) -> bool:
    """Whether the table has a function."""
    return name in _table()


def refused_method(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What MindSpore says to a call of a method of Tensors, if it refuses it."""
    entry = _table()[f"Tensor.{name}"]
    given = len(args) + len(keywords)
    if entry.kind == "counts":
        return None if entry.least <= given + 1 <= entry.most else _miscounted(entry, given + 1)
    if entry.kind == "takes":
        return _alone(name, entry, args, keywords)
    if given >= entry.least and any(form.takes(args, keywords) for form in entry.forms):
        return None
    if name in _MIXED and all(_is(x, ("Tensor", "number", "none")) for x in (*args, *keywords.values())):
        return None
    fitting = [f for f in entry.forms if len(f.positional) == len(args)]
    if not keywords and len(fitting) == 1 and len(entry.forms) > 1 and args:
        return _mismatched(name, fitting[0], args)
    return refusal(name, args, keywords, method=True)


def refused_eagerly(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> TypeError | None:
    """What MindSpore says to a call of a method line by line, if no form of several takes it."""
    entry = _table()[f"Tensor.{name}"]
    if entry.kind != "overloaded" or (len(args) > 1 and all(x.kind == "int" for x in args)):  # the items of a tuple
        return None
    if len(args) + len(keywords) >= entry.least and any(form.takes(args, keywords) for form in entry.forms):
        return None
    return refusal(name, args, keywords, method=True, eager=True)


def _miscounted(entry: Entry, given: int) -> TypeError:
    expected = entry.least if given < entry.least else entry.most
    return TypeError(
        f"The parameters number of the function is {expected}, but the number of provided arguments is {given}."
    )


def _alone(name: str, entry: Entry, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if keywords and entry.most == 0:
        return TypeError(f"match failed because incorrect keyword name: {next(iter(keywords))}")
    if len(args) > entry.most:
        were = "was" if len(args) == 1 else "were"
        return TypeError(f"{name}() takes {entry.most} positional arguments but {len(args)} {were} given.")
    argument, expected = entry.first
    if not args and not keywords and argument in _REQUIRED:
        return TypeError(f"{name}() missing 1 required argument")
    if args and argument and _unfit(args[0], expected):
        return TypeError(f"{name}(): argument '{argument}' (position 1) must be {expected}, not {_given(args[0])}.")
    if keywords and not set(keywords) <= _KEYWORDS:
        return TypeError(
            f"match failed because incorrect keyword name: {next(k for k in keywords if k not in _KEYWORDS)}"
        )
    return None


_REQUIRED: Final = frozenset(["other", "mask", "src", "size", "k"])
"""First arguments that have no default."""
_KEYWORDS: Final = frozenset(
    ["other", "mask", "src", "size", "k", "dim", "keepdim", "axis", "diagonal", "decimals", "source", "dtype", "nan", "posinf", "neginf", "rtol", "atol",
     "equal_nan", "lambd", "fill_value", "wrap", "non_blocking", "sorted", "return_inverse", "return_counts", "accumulate", "index", "device", "copy"],
)  # fmt: skip
"""Names that arguments of methods of one form have."""


def _unfit(x: Operand, expected: str) -> bool:
    if x.kind in ("str", "none", "dict", "function"):
        return True
    if expected == "Tensor":  # numbers become Tensors for operators of two, but for what is looked up
        return x.kind in ("tuple", "list")
    return expected == "int" and x.kind in ("float", "bool", "tuple", "list")


def _mismatched(name: str, form: Overload, args: Sequence[Operand]) -> TypeError | None:
    for k, (x, (argument, types)) in enumerate(zip(args, form.positional, strict=True), 1):
        if not _is(x, types):
            expected = _EXPECTED.get(types[-1], types[0]) if "Tuple" in types else types[0]
            return TypeError(f"{name}(): argument '{argument}' (position {k}) must be {expected}, not {_given(x)}.")
    return None


_EXPECTED: Final[dict[str, str]] = dict.fromkeys(("List", "Tuple", "None"), "tuple of int")


def _given(x: Operand) -> str:
    """The type of an argument that does not fit."""
    return f"{'list' if x.kind == 'list' else 'tuple'} of Any" if x.kind in ("tuple", "list", "range") else word(x)


def refused_function(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], *, eager: bool = False
) -> BaseException | None:
    """What MindSpore says to a call of an overloaded function, if it refuses it."""
    entry = _table()[name]
    enough = len(args) + len(keywords) >= entry.least
    if entry.kind != "overloaded" or (enough and any(form.takes(args, keywords) for form in entry.forms)):
        return None
    fitting = [
        f for f in entry.forms if len(f.positional) == len(args) or (eager and len(f.positional) > len(args) > 0)
    ]
    if enough and not keywords and len(fitting) == 1 and len(entry.forms) > 1:
        return _placed(fitting[0], args, 1 if eager else 0)
    return refusal(name, args, keywords)


def _placed(form: Overload, args: Sequence[Operand], first: int) -> TypeError | None:
    """That an argument of the only form with so many is of another type; its place is counted from `first`."""
    for k, (x, (argument, types)) in enumerate(zip(args, form.positional, strict=False), first):
        if not _is(x, types):
            expected = "Tensor" if "Tensor" in types else types[0]
            name = form.text.partition("(")[0]
            return TypeError(f"{name}(): argument '{argument}' (position {k}) must be {expected}, not {_given(x)}.")
    return None


def refusal(
    name: str,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand] = {},
    *,
    method: bool = False,
    eager: bool = False,
) -> TypeError:
    """That no form of a method or function fits a call."""
    shown = [word(x, capital=eager or not method) for x in args]
    entry = _table().get(f"Tensor.{name}" if method else name)
    if entry is not None and "." in name:
        name = entry.forms[0].text.partition("(")[0]
    call = ", ".join([*shown, *(f"{k}={_shown(x)}" for k, x in keywords.items())])
    lines = [f'Failed calling {name} with "{name}({call})".', "The valid calling should be:"]
    for form in entry.forms if entry is not None else ():
        lines.append(f'"{form.text}"')
        lines += _why(form, args, shown)
    return TypeError("\n".join(lines))


def _why(form: Overload, args: Sequence[Operand], shown: Sequence[str]) -> list[str]:
    """Which arguments a form does not take."""
    wrong = next(
        (k for k, x in enumerate(args) if k >= len(form.positional) or not _is(x, form.positional[k][1])), None
    )
    if wrong is None:
        return []
    start = "    match failed because invalid types: ("
    before = sum(len(s) + 2 for s in shown[:wrong])
    marked = "~" * (sum(len(s) + 2 for s in shown[wrong:]))
    return [f"{start}{', '.join(shown)})", " " * (len(start) + before) + marked]


def _shown(x: Operand) -> str:
    return word(x, capital=True)
