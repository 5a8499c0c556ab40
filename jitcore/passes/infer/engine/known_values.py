"""Strings and numbers that a program needs to know when it is compiled."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from jitcore.passes.infer.domain.parts import is_input, roots_of
from jitcore.passes.infer.domain.texts import of_run
from jitcore.passes.infer.domain.values import (
    NO_PATHS,
    Char,
    Number,
    Path,
    Range,
    Reference,
    Restart,
    Slice,
    Static,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.source import CompileError
from jitcore.types import BOOL

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MOST_ITEMS: Final = 16
"""Of the numbers of one list from outside."""
_LONGEST_KNOWN: Final = 64
"""Of the strings among the arguments that a function is compiled for: names, modes and formats are shorter."""


def known(infer: Infer, value: String | Char | Text, what: str) -> Any:
    """The string that a value is, which the program needs at compile time: it will be known in the next attempt. This
    one goes on, stale, with what it is now, if it is an input."""
    roots = roots_of(value)
    missing = roots - infer.assumptions.statics
    if not missing:
        for place in reversed(infer.loops.unrollable):
            if place not in infer.assumptions.statics:
                infer.assumptions.add_statics([place])
                raise Restart
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, and this string is made of values of the run",
            "a constant, an argument, or a part of one",
        )
    require_allowed(infer, missing, what)
    _require_short(infer, missing, what)
    infer.assumptions.add_statics(missing)
    if not is_input(value, infer):
        raise Restart
    infer.is_stale = True
    return infer.inputs.strings[value.atom]


def decisive(infer: Infer) -> frozenset[Path]:
    """The inputs that may say what types a program has: bools, and strings that it compares with constants."""
    assumptions = infer.assumptions
    modes = assumptions.modes - assumptions.statics if assumptions.knows_strings else NO_PATHS
    return infer.inputs.flags() | modes


@contextmanager
def asking_for_flags(infer: Infer) -> Generator[None]:
    """What a transform refuses may be none of the program's where flags are known, as of `infer.unsupported`."""
    try:
        yield
    except CompileError as error:
        if type(error) is not CompileError:
            raise
        raise infer.refused(error.problems, error.headline) from None


def is_made_of_inputs(value: String | Char | Text) -> bool:
    """Whether a string is one of those the program was given, or made of nothing but them and constants."""
    if isinstance(value, Text) and not all(isinstance(part, String | Char) for part in value.values):
        return False
    return bool(roots_of(value)) and all(path[0] != "loop" for path in roots_of(value))


def require_allowed(infer: Infer, paths: Iterable[Path], what: str) -> None:
    """Refuse to know strings of a function that was compiled for many values of them."""
    if not infer.assumptions.knows_strings and not infer.inputs.string_paths.keys().isdisjoint(paths):
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, which it was for many strings already",
            "few different strings here, or a dict or list that the string is looked up in outside the function",
        )


def require_few_numbers(infer: Infer, number: Number, what: str) -> None:
    """Refuse to know numbers from outside of a function that was compiled for many of them, and those of a long
    list."""
    assumptions = infer.assumptions
    unknown = [p for p in number.paths or () if p not in assumptions.statics and p[0] in ("arg", "global", "free")]
    if not unknown or number.type is BOOL:
        return
    if not assumptions.knows_numbers:
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, which it was for many numbers already",
            "few different numbers here, or what it is needed for outside the compiled function",
        )
    for path in unknown:
        is_item = isinstance(path[-1], tuple) and path[-1][0] == "item"
        if is_item and sum(known[:-1] == path[:-1] for known in assumptions.statics) >= _MOST_ITEMS:
            raise infer.unsupported(
                f"{what} must be known when the function is compiled, and this is in a list "
                f"of more than {_MOST_ITEMS} numbers",
                "a shorter list, or what it is needed for outside the compiled function",
            )


def _require_short(infer: Infer, paths: Iterable[Path], what: str) -> None:
    """Refuse to know long strings among the arguments: going through one while compiling takes long."""
    given = infer.inputs.string_paths
    if any(len(given.get(path, "")) > _LONGEST_KNOWN and path[0] == "arg" for path in paths):
        raise infer.unsupported(
            f"{what} must be known when the function is compiled, and this is a string of more "
            f"than {_LONGEST_KNOWN} characters",
            "a shorter string, or what it is needed for outside the compiled function",
        )


def all_known(infer: Infer, values: Sequence[Value], what: str) -> list[Value]:
    """Values with their strings, those in tuples and lists included, as constants."""
    return [_known_within(infer, value, what) for value in values]


def _known_within(infer: Infer, value: Value, what: str) -> Value:
    match value:
        case String() | Char():
            return Static(known(infer, value, what))
        case Tuple() if any(map(_holds, value.items)):
            return Tuple(tuple(_known_within(infer, v, what) for v in value.items), value.cls, value.lists)
        case Reference() if infer.heap.pooled(value) is None and infer.heap.buffer(value) is None:
            contents: Any = infer.heap.entries(value).values() if value.kind is dict else infer.heap.items(value)
            for held in contents:
                if _holds(held):
                    _known_within(infer, held, what)
                    raise Restart
            return value
        case _:
            return value


def _holds(value: Value) -> bool:
    return of_run(value) or (isinstance(value, Tuple) and any(map(_holds, value.items)))


def static_container(infer: Infer, value: Value, what: str) -> Static | None:
    """A container of constants as a Python object; None if the value is no container."""
    match value:
        case Tuple():
            made = [infer.need_static(v, what) for v in value.items]
            return Static(tuple(made) if value.cls is tuple else value.cls(*made))
        case Reference() if value.kind is list:
            return Static([infer.need_static(v, what) for v in infer.heap.items(value)])
        case Reference() if value.kind is dict:
            return Static({k: infer.need_static(v, what) for k, v in infer.heap.entries(value).items()})
        case Slice():
            return Static(slice(*(infer.need_static(v, what) for v in (value.start, value.stop, value.step))))
        case Range():
            return Static(range(*(infer.need_static(v, what) for v in (value.start, value.stop, value.step))))
        case _:
            return None
