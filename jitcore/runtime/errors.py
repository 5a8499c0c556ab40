"""Exceptions of compiled programs as the user sees them: their own frames, lines and columns, none of the library's.

A frame is made by running a line compiled for the purpose: code with the user's file name, function name and position,
that calls the next frame inwards; the innermost raises.
"""

from __future__ import annotations

import ast
import os
import sys
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Final, NoReturn

from jitcore.config import settings
from jitcore.primitives.conversions import exception_of, link
from jitcore.source import NOWHERE, InternalError, Span

if TYPE_CHECKING:
    from jitcore.backends.protocol import ProgramError

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_REAL_PACKAGE: Final = os.path.realpath(_PACKAGE) + os.sep
_LINKED: Final = tuple(os.path.realpath(os.path.join(_PACKAGE, name)) + os.sep for name in ("frontend", "backends"))


def user_error(error: ProgramError) -> BaseException:
    """The exception that a program's error stands for, with the user's frames as its traceback."""
    made = [_made(e) for e in (error, *error.handled)]
    outer = sys.exc_info()[1]
    for exception, following in zip(made, [*made[1:], outer], strict=True):
        link(exception, following, outer)
    return made[0]


def _made(error: ProgramError) -> BaseException:
    cause = error.__cause__
    if cause is None:
        made = exception_of(error.site.exception, error.site.message, error.values)
    else:
        made = cause.with_traceback(None)
    context = made.__context__
    with_frames(made, error.site.span)
    made.__context__ = context
    return made


def reraise(error: BaseException) -> NoReturn:
    """Raise an exception as it is: a `raise` would set its `__context__`."""
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context


def with_frames(error: BaseException, span: Span) -> BaseException:
    """An exception with the traceback it would have if it had been raised at `span`, reached through its callers."""
    if span is NOWHERE or not span.line:
        return error
    error.__traceback__ = None  # of an exception raised before: each raise has its own
    code: CodeType | None = None
    for frame in span.frames():
        code = _line(frame, code)
    assert code is not None
    try:
        exec(code, {"_jc_error": error, "_jc_exec": exec})
    except BaseException as raised:
        if raised is not error:
            raise
        traceback = error.__traceback__
        error.__traceback__ = traceback.tb_next if traceback is not None else None
    return error


def _line(span: Span, inner: CodeType | None) -> CodeType:
    """Code that stands at a span and raises, or runs the next frame's code."""
    place: dict[str, int] = {
        "lineno": span.line,
        "col_offset": _byte_column(span, span.line, span.column),
        "end_lineno": span.end_line,
        "end_col_offset": _byte_column(span, span.end_line, span.end_column),
    }

    def name(text: str) -> ast.Name:
        return ast.Name(text, ast.Load(), **place)

    if inner is None:
        statement: ast.stmt = ast.Raise(name("_jc_error"), None, **place)
    else:
        scope = ast.Call(name("globals"), [], [], **place)
        code_of_next = ast.Constant(value=None, kind=None, **place)
        arguments: list[ast.expr] = [code_of_next, scope]
        call = ast.Call(name("_jc_exec"), arguments, [], **place)
        statement = ast.Expr(call, **place)
    code = compile(ast.Module([statement], []), span.file, "exec")
    constants = tuple(inner if c is None and inner is not None else c for c in code.co_consts)
    return code.replace(co_name=span.function, co_qualname=span.function, co_consts=constants)


def _byte_column(span: Span, line: int, column: int) -> int:
    """A column in UTF-8 bytes, as code objects have it."""
    import linecache

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
