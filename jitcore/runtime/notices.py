"""What users are told of compiled functions: warnings, why a specialisation was made, and what `explain()` says of
them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from jitcore.lookup import attribute_of
from jitcore.program.boxes import Kind
from jitcore.runtime.arguments import Shapes
from jitcore.runtime.errors import is_ours
from jitcore.runtime.logs import WARNING, log
from jitcore.source import NOWHERE, CompileError, Problem, Span, TooDearError
from jitcore.structs import replace

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.signature import Input
    from jitcore.runtime.specialisation import Specialisation

_IN_ORDER = (
    "the rounds of this loop run one after the other: they call Python (print, random numbers, sorting and linear "
    "algebra among it) or recursive functions, catch exceptions, or hand arrays of the code around them on"
)
_APART = "what needs Python done outside of the loop, or range in place of prange"
_OUTSIDE_OF_LOOPS = "one call outside of the loop, on an array of what all rounds need"


FIRST_CALL: Final = "the first call with arguments of these types"
"""Why a specialisation is made where there was none of its class."""


class FallbackWarning(UserWarning):
    """A function could not be compiled and runs in the interpreter (jit_syntax_level=LAX)."""


class PerformanceWarning(UserWarning):
    """Compiled code calls Python again and again: it takes as long as plain Python there, or longer."""


def placed(error: CompileError, function: Any) -> CompileError:
    """What is refused of a call's arguments stands at the function that they are given to."""
    if all(p.span is not NOWHERE for p in error.problems) or isinstance(error, TooDearError):
        return error
    code = attribute_of(function, "__code__", None)
    if code is None:
        return error
    line = code.co_firstlineno
    span = Span(code.co_filename, line, 0, line, 0, code.co_name)
    return CompileError([replace(p, span=span) if p.span is NOWHERE else p for p in error.problems], error.headline)


def warn_of_loops(name: str, member: Specialisation, lines: set[tuple[str, int]]) -> None:
    """Say which loops of a specialisation of a function call Python in each round, by a way that takes longer than
    Python's own, and which run in order though they are over `prange`. `lines` are those that the user was told of;
    these are added."""
    _warn_of_rounds(name, member, lines)
    found = [
        (call, next((s for s in span.frames() if not is_ours(s.file)), span))
        for call, span in member.compilation.repeated_host_calls
    ]
    problems = [
        Problem(span, f"each round of a loop calls Python for this ({call.described})", _OUTSIDE_OF_LOOPS)
        for call, span in found
        if not call.bare and (span.file, span.line) not in lines
    ]
    lines.update((p.span.file, p.span.line) for p in problems)
    if problems:
        message = f"{name} is compiled, but calls Python in loops:\n" + "\n".join(map(str, problems))
        warn(message, PerformanceWarning)


def warn(message: str, category: type[Warning]) -> None:
    """Tell the user, at the line of theirs that is being run, and who reads the log."""
    log(WARNING, "%s", message)
    warnings.warn(message, category, stacklevel=user_level())


def _warn_of_rounds(name: str, member: Specialisation, lines: set[tuple[str, int]]) -> None:
    """Say which loops over `prange` run in order."""
    found = [span for span, apart in member.compilation.rounds.items() if not apart]
    problems = [Problem(s, _IN_ORDER, _APART) for s in found if (s.file, s.line) not in lines]
    lines.update((p.span.file, p.span.line) for p in problems)
    if problems:
        message = f"{name} is compiled, but runs rounds of prange in order:\n" + "\n".join(map(str, problems))
        warnings.warn(message, PerformanceWarning, stacklevel=user_level())


def user_level() -> int:
    """How many frames up the user's code is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    return level


def arguments_text(member: Specialisation) -> str:
    """The arguments a specialisation takes, and what else it reads, with their types."""
    return ", ".join(f"{path_text(i.path)}: {input_text(i)}" for i in member.compilation.inferred.inputs)


def input_text(spec: Input) -> str:
    """What an input is, as text."""
    if spec.category == "box":
        return Kind(spec.contents[1]).name.lower()
    return spec.category if spec.category in ("str", "bytes") else repr(spec.type)


def reason_for(
    first: Shapes,
    varying: set[tuple[int, int]],
    members: Sequence[Specialisation],
    shapes: Shapes,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
) -> str:
    """Why one more specialisation is made of a class of calls, whose first call had the extents `first`, and whose
    `varying` ones are symbolic."""
    if not members:
        return FIRST_CALL
    if not any(member.fits(shapes) for member in members):
        for k, (known, shape) in enumerate(zip(first, shapes, strict=True)):
            for axis, n in enumerate(shape):
                if known[axis] != n and (k, axis) not in varying:
                    return f"axis {axis} of array {k} had extent {known[axis]}, now {n}: it is symbolic from here on"
        return f"extents {shapes}: an extent of 1 is compiled for itself"
    return _broken(members[0], args, keywords)


def _broken(member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """What no longer holds of a specialisation whose shapes fit."""
    from jitcore.passes.infer.domain.forms import equal_statics
    from jitcore.passes.infer.domain.signature import ABSENT
    from jitcore.primitives.core.definitions import Definition
    from jitcore.runtime.specialisation import Unresolved, holds_for, resolve

    held = [*member.statics, *((g.path, g.expected) for g in member.compilation.inferred.guards)]
    for path, value in held:
        try:
            now = resolve(path, args, keywords)
        except (Unresolved, KeyError):
            if value is ABSENT:
                continue
            return f"{path_text(path)} is not there any more"
        if isinstance(value, Definition):
            if not value.describes(path[1].value):
                return f"the class {path[1].value.__qualname__} was changed"
        elif not equal_statics(now, value):
            return f"{path_text(path)} was {value!r}, now {now!r}"
    for spec in member.compilation.inferred.inputs:
        if spec.path[0] == "arg" or holds_for(spec, args, keywords):
            continue
        return f"{path_text(spec.path)} was {input_text(spec)}, and is of another type, rank or layout now"
    return "arguments share memory in another way, or what it reads besides them is another object"


def path_text(path: Any) -> str:
    start = {"arg": 1, "global": 2, "free": 2}.get(path[0], 0)
    text = f"argument {path[1]}" if path[0] == "arg" else str(path[start])
    if path[0] == "object":
        start, text = 1, str(attribute_of(path[1].value, "__qualname__", type(path[1].value).__name__))
    for step in path[start + 1 :]:
        if isinstance(step, tuple):
            kind, key = cast("tuple[str, Any]", step)
            if kind == "type":
                text = f"the class of {text}"
            else:
                text += f".{key}" if kind in ("attr", "own", "has") else f"[{key!r}]"
    return text
