"""Calls whose ints leave 64 bits, which compiled code cannot hold: under LAX they are finished with Python's ints, by
the interpreter, from their start, as long as nothing of them can be seen yet."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from jitcore.config import STRICT, settings
from jitcore.program.words import NAN_AS_OBJECT, leaves_word
from jitcore.runtime.arguments import PastWordError
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.trees import distinct_leaves
from jitcore.source import Problem

if TYPE_CHECKING:
    from jitcore.backends.protocol import ProgramError
    from jitcore.runtime.compile import Compilation
    from jitcore.runtime.options import Options

WHY: Final = "an int is past 64 bits"
HINT: Final = "floats, or smaller ints"


def left_word(failed: ProgramError) -> bool:
    """Whether a program failed since an int left 64 bits."""
    cause = failed.__cause__
    if cause is not None:
        return leaves_word(type(cause), str(cause))
    return leaves_word(failed.site.exception, failed.site.message)


class EscapingError(BaseException):
    """An OverflowError of a part of a function, since an int left 64 bits there, on its way past the handlers of the
    parts around it."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(*error.args)
        self.error = error


def escaping(error: BaseException) -> BaseException:
    """What a part of a function raises in place of an exception."""
    if leaves_word(type(error), str(error)):
        return EscapingError(error).with_traceback(error.__traceback__)
    return error


def escaped(error: BaseException) -> BaseException:
    """What the whole function raises in place of an exception of its parts."""
    return error.error.with_traceback(error.__traceback__) if isinstance(error, EscapingError) else error


def is_strict(options: Options) -> bool:
    """Whether such ints are errors, as all that cannot be compiled."""
    return options.strict or settings.jit_syntax_level == STRICT


def can_begin_anew(made: Compilation, failed: ProgramError) -> bool:
    """Whether a call whose int left 64 bits may be run from its start: nothing of it can be seen yet. Not where what
    cannot be compiled is refused."""
    if is_strict(made.options) or made.donated:
        return False
    return failed.site.span not in made.after_effects


@contextmanager
def running_anew(function: object) -> Generator[None]:
    """Run a call of a compiled function in the interpreter: what calls it inside, and is not served in machine code, is
    run there, too."""
    _anew.functions.append(function)
    try:
        yield
    finally:
        _anew.functions.pop()


def is_running_anew(function: object) -> bool:
    """Whether a call of a compiled function that was begun anew is under way in this thread."""
    return any(known is function for known in _anew.functions)


class _Anew(threading.local):
    def __init__(self) -> None:
        self.functions: list[object] = []


_anew: Final = _Anew()


_OF_NAN: Final = (
    "NaN is a key here, or looked for, and which object it is compiled code does not know: this call, and others like "
    "it, ran again from its start in the interpreter"
)


def problem_of(failed: ProgramError) -> Problem:
    """What the user is told of a call that was begun anew, whose int left 64 bits at a place."""
    span = failed.site.span
    if failed.site.message == NAN_AS_OBJECT:
        return Problem(span, _OF_NAN, "no NaN among keys and what is looked for; STRICT raises OverflowError")
    message = (
        "an int left 64 bits here: compiled code has no longer ones, so this call, and others like it, ran again from "
        "its start in the interpreter, with Python's ints, which takes longer than plain Python"
    )
    return Problem(span, message, f"{HINT} (remainders, x % m), where it matters; STRICT raises OverflowError")


def headline(problem: Problem) -> str:
    """What makes calls begin anew, in a few words."""
    return "NaN among keys" if problem.message == _OF_NAN else "ints past 64 bits"


def problem_of_argument(
    error: PastWordError, function: Callable[..., object], args: Sequence[object], keywords: Mapping[str, object]
) -> str:
    """What is wrong with an int that is too large, with the argument that it is or is in."""
    try:
        given: Mapping[str, object] = inspect.signature(function).bind(*args, **keywords).arguments
    except (TypeError, ValueError) as failed:  # there is no signature, or the call does not fit it
        if is_from_handler(failed):
            raise
        given = {**{str(k): value for k, value in enumerate(args)}, **keywords}
    where = next((name for name, value in given.items() if _holds(value, error.value)), None)
    return str(error) if where is None else f"argument {where}: {error}"


def _holds(value: object, wanted: int) -> bool:
    """Whether a value is this int, or has it in it."""
    return any(leaf is wanted for leaf in distinct_leaves(value))
