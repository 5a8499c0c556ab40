"""The methods of Tensors, and functions, that MindSpore chooses by the types of their arguments:
`Failed calling add with "add(None)".`

The table `overloads.txt` holds the facts (`tests/compat/refusals/graph_forms.py` writes it): a name, `alone` if it has
one form, and its forms below it as MindSpore writes them, each with the number of arguments that it needs, `*` where
its first takes ints one by one as well, the operator behind it, and `+` before ints that may be Tensors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from jitcore.compat.mindspore.refusals import tables
from jitcore.compat.mindspore.refusals.naming import word
from jitcore.passes.infer.engine.operands import Operand
from jitcore.structs import dataclass, field

_MIXED: Final = ("clamp", "clip")
"""Methods that graphs call with a Tensor for one limit and a number for the other, too."""
_NUMBERS: Final = ("bool", "int", "float")
_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "tensor": ("tensor", "npscalar", "ndarray"), "number": _NUMBERS, "int": ("int",), "float": ("float",),
    "bool": ("bool",), "str": ("str",), "string": ("str",), "none": ("none",), "mstype": ("dtype", "type"),
    "dtype": ("dtype",), "tuple": ("tuple", "range"), "list": ("list",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Overload:
    """One form of the arguments: how MindSpore writes it, and the types of each, those by name alone apart; how many it
    needs, whether its first takes ints one by one, its operator, and the arguments that may be Tensors whatever is
    written."""

    text: str
    positional: tuple[tuple[str, tuple[str, ...]], ...]
    named: tuple[tuple[str, tuple[str, ...]], ...]
    needed: int
    packed: bool
    operator: str
    tensors: frozenset[str]

    def takes(self, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> bool:
        """Whether a call has this form."""
        return self._counts(args, keywords) and self.unfit("", args, keywords) is None

    def _counts(self, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> bool:
        given = len(args) + len(keywords)
        return self.packed or self.needed <= given <= len(self.positional) + len(self.named)

    def is_near(self, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> bool:
        """Whether MindSpore says what is wrong with the arguments: those that may be given by position are all
        given."""
        return self.packed or (self._counts(args, keywords) and len(args) + len(keywords) >= len(self.positional))

    def unfit(self, name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], first: int = 1) -> str | None:
        """What is wrong with the arguments, whose places are counted from `first`."""
        known = dict((*self.positional, *self.named))
        if len(args) > len(self.positional) and not self.packed:
            given = len(args) + len(keywords)
            return f"{name}() takes {len(self.positional)} positional arguments but {_were(given)} given."
        for keyword, x in sorted(keywords.items()):
            if keyword not in known:
                return f"match failed because incorrect keyword name: {keyword}"
            if not _is(x, known[keyword]) and not (x.kind == "tensor" and keyword in self.tensors):
                return f"{name}(): argument '{keyword}' must be {_expected(known[keyword])} but got {_given(x)}"
        if self.packed and args:
            return self._unfit_ints(name, args)
        return next(
            (
                f"{name}(): argument '{argument}' (position {k}) must be {_expected(types)}, not {_given(x)}."
                for k, (x, (argument, types)) in enumerate(zip(args, self.positional, strict=False), first)
                if not _is(x, types) and not (x.kind == "tensor" and argument in self.tensors)
            ),
            None,
        )

    def _unfit_ints(self, name: str, args: Sequence[Operand]) -> str | None:
        """Of what takes ints one by one: a single argument may be anything that has items, and what graphs do not
        know."""
        argument, types = self.positional[0]
        allowed = (*types, "int") if len(args) == 1 else ("int",)
        for k, x in enumerate(args, 1):
            if not _is(x, allowed) and x.kind != "dict":
                return f"{name}(): argument '{argument}' (position {k}) must be tuple of int, not {_given(x)}."
        return None

    def missing(self, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> str | None:
        """An argument that is needed and not given."""
        needed = [n for n, _ in self.positional[len(args) : self.needed]]
        return None if self.packed else next((n for n in needed if n not in keywords), None)


@dataclass(frozen=True, slots=True)
class Entry:
    """A method or function: whether it has a single form, and its forms."""

    alone: bool
    forms: list[Overload] = field(default_factory=list[Overload])

    def lacking(self, name: str, given: int) -> TypeError | None:
        """What is said where there is one form, and it needs more arguments."""
        form = self.forms[0]
        if not self.alone or form.packed or given >= form.needed:
            return None
        return TypeError(f"{name}() missing {form.needed - given} required argument")


def _were(count: int) -> str:
    return "1 was" if count == 1 else f"{count} were"


def _is(x: Operand, types: Iterable[str]) -> bool:
    return x.kind in ("union", "object", "instance") or any(
        t.lower() == "any" or x.kind in _TYPES.get(t.lower(), ()) for t in types
    )


def _expected(types: Sequence[str]) -> str:
    """The type that is wanted, as a message names it."""
    if "Tuple" in types:
        return "tuple of int"
    if "mstype" in types:
        return "int"
    if types in (("number", "Tensor"), ("float", "Tensor")):
        return "Tensor"
    return {"str": "string", "number": "Number"}.get(types[0], types[0])


def _given(x: Operand) -> str:
    """The type of an argument that does not fit."""
    if x.kind in ("tuple", "list", "range"):
        return f"{'list' if x.kind == 'list' else 'tuple'} of Any"
    return "Any" if x.kind == "dict" else word(x)


@cache
def _table() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    entry = Entry(False)
    for line in tables.lines("overloads"):
        if line.startswith(" "):
            entry.forms.append(_overload(line.strip()))
        else:
            name, _, alone = line.partition(" ")
            entry = table[name] = Entry(bool(alone))
    return table


def _overload(line: str) -> Overload:
    text, _, rest = line.rpartition(")")
    needed, *words = rest.split()
    inner = text[text.index("(") + 1 :]
    before, _, after = inner.partition("*, ") if "*" in inner else (inner, "", "")
    tensors = frozenset(w[1:] for w in words if w.startswith("+"))
    operator = next((w for w in words if not w.startswith("+")), "")
    return Overload(
        f"{text})", _arguments(before), _arguments(after), int(needed.rstrip("*")), "*" in needed, operator, tensors
    )


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
    if name in _MIXED and len(args) <= 2 and set(keywords) <= {"min", "max"} and _are_limits(args, keywords):
        return None
    return entry.lacking(name, len(args) + len(keywords)) or _chosen(entry, name, args, keywords, 1)


def _are_limits(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> bool:
    return all(_is(x, ("Tensor", "number", "none")) for x in (*args, *keywords.values()))


def _chosen(
    entry: Entry, name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], first: int
) -> BaseException | None:
    """The answer of a graph: a form that takes the arguments, or what is wrong with them if there is one form that
    nearly does."""
    taking = [form for form in entry.forms if form.takes(args, keywords)]
    if taking:
        missing = [form.missing(args, keywords) for form in taking]
        return KeyError(missing[-1]) if all(missing) else None
    twice = _given_twice(entry, args, keywords)
    if twice is not None:
        return twice
    near = [form for form in entry.forms if entry.alone or form.is_near(args, keywords)]
    if len(near) == 1 and (entry.alone or len(entry.forms) > 1):
        return TypeError(near[0].unfit(name, args, keywords, first))
    return refusal(name, args, keywords, entry)


def _given_twice(entry: Entry, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> TypeError | None:
    for form in entry.forms:
        twice = next((n for n, _ in form.positional[: len(args)] if n in keywords), None)
        if form.operator and twice is not None and form.is_near(args, keywords):
            return TypeError(f"Mismatch: Primitive[{form.operator}] got multiple values for argument '{twice}'.")
    return None


def refused_eagerly(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> TypeError | None:
    """What MindSpore says to a call of a method line by line, if no form of several takes it."""
    entry = _table()[f"Tensor.{name}"]
    if entry.alone or any(form.takes(args, keywords) for form in entry.forms):
        return None
    return refusal(name, args, keywords, entry, capital=True)


def refused_function(
    key: str, args: Sequence[Operand], keywords: Mapping[str, Operand], *, eager: bool = False
) -> BaseException | None:
    """What MindSpore says to a call of an overloaded function, named with its module, if it refuses it."""
    entry = _table()[key]
    name = entry.forms[0].text.partition("(")[0]
    if not eager:
        if not args and not keywords:
            return RuntimeError("Size should be greater than 0, during running FunctionalEvaluator")
        return _chosen(entry, name, args, keywords, 0)
    if any(form.takes(args, keywords) for form in entry.forms):
        return None
    least = min(form.needed for form in entry.forms)
    near = [f for f in entry.forms if len(f.positional) >= len(args) > 0]
    if not keywords and len(args) >= least and len(near) == 1 and len(entry.forms) > 1:
        return TypeError(near[0].unfit(name, args, keywords))
    return refusal(name, args, keywords, entry, capital=True)


def refusal(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], entry: Entry, *, capital: bool = False
) -> TypeError:
    """That no form of a method or function fits a call."""
    shown = [word(x, capital=capital) for x in args]
    call = ", ".join([*shown, *(f"{k}={word(x, capital=True)}" for k, x in keywords.items())])
    lines = [f'Failed calling {name} with "{name}({call})".', "The valid calling should be:"]
    for form in entry.forms:
        lines.append(f'"{form.text}"')
        lines += _why(form, args, shown)
    return TypeError("\n".join(lines))


def refusal_of_method(name: str, args: Sequence[Operand], *, capital: bool = False) -> TypeError:
    """That no form of a method, or of a function of `ops`, fits operands."""
    key = f"ops.{name}" if len(args) > 1 else f"Tensor.{name}"
    return refusal(name, args, {}, _table().get(key, Entry(False)), capital=capital)


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
