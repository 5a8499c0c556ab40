"""The counts, names and types of arguments that methods of Tensors take in MindSpore.

The table `method_forms.txt` holds the facts (`tests/compat/refusals/forms.py` writes it): methods with several forms,
with one, and those that are written in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import tables
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter: its types, and whether it must be given."""

    name: str
    types: tuple[str, ...]
    required: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a method's arguments: those that may be given by position, and those by name alone. `packed`: the
    first takes all that is given by position."""

    positional: tuple[Argument, ...]
    named: tuple[Argument, ...] = ()
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its name in messages, the least number of arguments, its forms, how these are shown, or a Python
    function with its parameters."""

    shown: str
    least: int
    forms: list[Form]
    texts: list[str]
    stub: Callable[..., None] | None = None


_PACKED: Final = frozenset(["permute", "view", "tile", "transpose", "reshape", "broadcast_to", "repeat"])
"""Methods that take the items of a tuple one by one as well."""


@cache
def table() -> dict[str, Method]:
    """The methods by name."""
    found: dict[str, Method] = {}
    for line in tables.lines("method_forms"):
        name, _, rest = line.partition(" ")
        if line.startswith(" "):
            method = found[next(reversed(found))]
            method.forms.append(_form(line.strip(), method.shown in _PACKED))
            method.texts.append(line.strip())
        elif rest.startswith("def "):
            _, qualified, parameters = rest.split(" ", 2)
            found[name] = Method(name, 0, [], [], _stub(qualified, parameters))
        elif rest.startswith("= "):
            found[name] = _alone(rest[2:])
        else:
            shown, least = rest.split()
            found[name] = Method(shown, int(least), [], [])
    return found


def _form(text: str, packed: bool) -> Form:
    before, _, after = text[text.index("(") + 1 : -1].partition("*, ") if "*, " in text else (text, "", "")
    return Form(_arguments(before), _arguments(after), packed)


def _arguments(text: str) -> tuple[Argument, ...]:
    return tuple(Argument(name, _types(types)) for name, types in re.findall(r"(\w+)=<([^>]*)>", text))


def _types(text: str) -> tuple[str, ...]:
    return tuple(t.strip().lower() for t in text.split(","))


_CONVERTED: Final = {
    **dict.fromkeys(
        ("greater", "less_equal", "maximum", "minimum", "not_equal", "subtract", "true_divide"), ("Number",)
    ),
    "logical_xor": ("bool",),
}
"""Methods that make Tensors of other things than those that they say they take."""


def _alone(text: str) -> Method:
    shown, _, rest = text.removesuffix(")").partition("(")
    parts = [re.match(r"(\*?)(\w+): ([\w ]+)(\??)", part) for part in rest.split(", ") if part]
    converted = _CONVERTED.get(shown, ())
    arguments = tuple(Argument(p[2], (p[3], *converted), not p[4]) for p in parts if p is not None)
    return Method(shown, 0, [Form(arguments, packed=rest.startswith("*"))], [])


def _stub(qualified: str, parameters: str) -> Callable[..., None]:
    """A function with the parameters, for Python's own words about calls that do not fit them."""
    made: dict[str, Any] = {}
    exec(f"def stub{parameters}: pass", made)  # the text is the table's
    stub = made["stub"]
    stub.__qualname__ = qualified
    return stub


def miscounted(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> TypeError | None:
    """Python's own words for the number and names of the arguments of a method that is a Python function, the Tensor
    first."""
    stub = table()[name].stub
    assert stub is not None
    try:
        stub(*args, **keywords)
    except TypeError as error:
        return TypeError(str(error))
    return None
