"""From Python source to untyped ANF: fetch, check, desugar, resolve scopes, build."""

from __future__ import annotations

if __name__ != "jitcore.frontend":
    raise ImportError("import jitcore.frontend, not frontend")

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Final, TypeVar

from jitcore.forking import process_lock
from jitcore.frontend.build import Prepared, build, parameters_of, prepare
from jitcore.frontend.recursion import deeply
from jitcore.ir.python import FunctionSource, Reading
from jitcore.source import CompileError, Problem, Span

__all__ = ["source_of"]

_T = TypeVar("_T")
_CACHED: Final = 512
_lock = process_lock()
_known: Final[dict[tuple[int, Reading | None], tuple[FunctionType, Prepared, FunctionSource]]] = {}


def source_of(function: FunctionType, reading: Reading | None = None) -> FunctionSource:
    """What the frontend makes of a Python function, which another framework may read otherwise than Python.

    Raises CompileError if its source cannot be had or was changed since it was imported, UnsupportedError with every
    construct of it that is not compiled. The result is kept for the function's code.
    """
    code = function.__code__
    with _lock:
        known = _known.get((id(code), reading))
        if known is None or known[0].__code__ is not code:  # a function's code can be replaced, and its id given on
            prepared = _deeply(lambda: prepare(function, reading), code)
        else:
            known_function, prepared, source = known
            if known_function is function and source.parameters == parameters_of(function):
                return source
        source = _deeply(lambda: build(prepared, function), code)
        while len(_known) >= _CACHED:
            del _known[next(iter(_known))]
        _known[id(code), reading] = (function, prepared, source)
        return source


def _deeply(work: Callable[[], _T], code: CodeType) -> _T:
    try:
        return deeply(work)
    except RecursionError:
        span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0, code.co_name)
        message = f"{code.co_qualname} nests expressions or statements too deeply"
        raise CompileError([Problem(span, message, "split it into several functions")]) from None
