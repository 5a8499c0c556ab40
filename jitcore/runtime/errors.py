"""Exceptions of compiled programs as the user sees them: their own frames, lines and columns, none of the library's.

A frame is made by running a line compiled for the purpose, which raises: code with the user's file name, function name
and position. Tracebacks are chains of such frames.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jitcore.config import settings
from jitcore.primitives.ops.conversions import exception_of, link
from jitcore.source import InternalError, Span

if TYPE_CHECKING:
    from jitcore.backends.protocol import ProgramError
    from jitcore.primitives.core.dialects import ProgramRules

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_REAL_PACKAGE: Final = os.path.realpath(_PACKAGE) + os.sep
_LINKED: Final = tuple(os.path.realpath(os.path.join(_PACKAGE, name)) + os.sep for name in ("frontend", "backends"))


def user_error(error: ProgramError, rules: ProgramRules | None = None) -> BaseException:
    """The exception that a program's error stands for, with the user's frames as its traceback. `rules`: those of the
    framework that the program is of, which raises some in classes of its own (for recursion without end, say)."""
    errors = (error, *error.handled)
    made = [_made(e, rules) for e in errors]
    outer = sys.exc_info()[1]
    for k, (exception, following) in enumerate(zip(made, [*made[1:], outer], strict=True)):
        if any(following is earlier for earlier in made[:k]):
            break  # one object raised twice
        if errors[k].__cause__ is None and following is not None and following is not exception:
            exception.__context__ = None  # from when it was raised before
        link(exception, following, outer)
    return made[0]


def _made(error: ProgramError, rules: ProgramRules | None) -> BaseException:
    cause = error.__cause__
    inner: TracebackType | None = None
    if cause is not None:
        made = cause.with_traceback(None)
    else:
        try:
            reclassed = None if rules is None else rules.reclassed(error.site.message, error.values)
            made = reclassed or exception_of(error.site.exception, error.site.message, error.values)
        except Exception as failed:  # of the class, which the user's program calls: that is what is raised
            strip(failed)
            made, inner = failed, failed.__traceback__
    context = made.__context__
    with_frames(made, _way_out(error), inner)
    made.__context__ = context
    return made


def _way_out(error: ProgramError) -> list[Span]:
    """The frames that an error has come through, the innermost first: out of the program, or to the `try` that caught
    it."""
    frames = _frames(error.site.span)
    for place in error.way:
        if place.raised_again:
            frames = _within(frames, place.span)
        frames += _frames(place.span)
    return frames if error.caught_at is None else _within(frames, error.caught_at)


def _frames(span: Span) -> list[Span]:
    return [frame for frame in span.frames() if frame.line]


def _within(frames: list[Span], handler: Span) -> list[Span]:
    """The frames up to that which `handler` stands in."""
    return frames[: max(len(frames) - len(_frames(handler)) + 1, 1)]


def reraise(error: BaseException) -> NoReturn:
    """Raise an exception as it is: a `raise` would set its `__context__`."""
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context


def with_frames(error: BaseException, frames: Iterable[Span], inner: TracebackType | None = None) -> BaseException:
    """An exception with the traceback it would have if it had come through `frames`, the innermost first, and `inner`
    before."""
    chain = inner
    for span in frames:
        entry, _ = _entry(span)
        chain = TracebackType(chain, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    if chain is not None:  # a traceback from before goes: each raise has its own
        error.__traceback__ = chain
    return error


def _standing_at(span: Span) -> Iterator[TracebackType]:
    """A traceback's entry that stands at a span. While this is suspended its frame has no caller: else the frame, which
    is kept, would hold its callers and all that they have, exceptions among it."""
    raised = Exception()
    names: dict[str, Any] = {"_jc_error": raised}
    try:
        exec(_line(span), names)
    except Exception as error:
        if error is not raised or error.__traceback__ is None or error.__traceback__.tb_next is None:
            raise
        entry = error.__traceback__.tb_next
        names.clear()
        raised.__traceback__ = None
        yield entry
    raise InternalError(f"no exception where one was raised: {span}")


@functools.lru_cache(maxsize=256)
def _entry(span: Span) -> tuple[TracebackType, Any]:
    """A traceback's entry that stands at a span, and what must be kept with it."""
    kept = _standing_at(span)
    return next(kept), kept


def _line(span: Span) -> CodeType:
    """Code that stands at a span and raises."""
    place: dict[str, int] = {
        "lineno": span.line,
        "col_offset": _byte_column(span, span.line, span.column),
        "end_lineno": span.end_line,
        "end_col_offset": _byte_column(span, span.end_line, span.end_column),
    }
    statement = ast.Raise(ast.Name("_jc_error", ast.Load(), **place), None, **place)
    code = compile(ast.Module([statement], []), span.file, "exec")
    return code.replace(co_name=span.function, co_qualname=span.function)


def _byte_column(span: Span, line: int, column: int) -> int:
    """A column in UTF-8 bytes, as code objects have it."""
    text = linecache.getline(span.file, line)
    return len(text[:column].encode()) if not text.isascii() else column


def strip(error: BaseException) -> None:
    """Take the library's frames out of an exception's traceback, but of one that is jitcore's own fault."""
    if settings.full_traceback or isinstance(error, InternalError):
        return
    from jitcore.frontend.outlining import is_segment_call

    kept: list[TracebackType] = []
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if not is_ours(code.co_filename) and not is_segment_call(code, entry.tb_lasti):
            kept.append(entry)
        entry = entry.tb_next
    chain: TracebackType | None = None
    for entry in reversed(kept):
        chain = TracebackType(chain, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.__traceback__ = chain


def is_ours(filename: str) -> bool:
    """Whether a file is part of jitcore."""
    return filename.startswith((_PACKAGE, _REAL_PACKAGE, *_LINKED))
