"""The corpus of programs, run three ways: plain, eagerly (PyNative, nothing compiled), and compiled with nothing left over.

Equal means: values (bit for bit, but for sums of arrays where a program says so), Python types, printed output, arguments as
they are left, exceptions with their messages and lines.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pkgutil
import struct
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import programs
import pytest
from grouped import grouped
from programs.corpus import CASES, Case

from jitcore import PYNATIVE_MODE, Tensor, context, jit
from jitcore.config import settings

for module in pkgutil.iter_modules(programs.__path__):
    importlib.import_module(f"programs.{module.name}")


class Array:
    """An array that equals those of the same kind, dtype, shape, and values: the same bits, or within a tolerance."""

    def __init__(self, kind: type, array: np.ndarray, tolerance: float) -> None:
        self.kind, self.array, self.tolerance = kind, np.array(array), tolerance

    def __repr__(self) -> str:
        return f"{self.kind.__name__} {self.array!r}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array) or self.kind is not other.kind:
            return False
        a, b = self.array, other.array
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if self.tolerance and a.dtype.kind in "fc":
            return bool(np.allclose(a, b, rtol=self.tolerance, atol=self.tolerance, equal_nan=True))
        return a.tobytes() == b.tobytes() or [frozen(v, 0.0) for v in a.flat] == [frozen(v, 0.0) for v in b.flat]

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call did: its result or exception, its output, and its arguments afterwards."""

    result: Any
    error: Any
    output: str
    arguments: Any


def frozen(value: Any, tolerance: float) -> Any:
    """A value as something that compares equal only to values of equal types and bits (arrays: see Array)."""
    if isinstance(value, Tensor):
        return Array(Tensor, value.asnumpy(), tolerance)
    if isinstance(value, np.ndarray):
        return Array(np.ndarray, value, tolerance)
    if isinstance(value, np.floating | np.complexfloating):
        return (
            Array(type(value), np.asarray(value), tolerance) if tolerance else (type(value), frozen(value.item(), 0.0))
        )
    if isinstance(value, np.generic):
        return type(value), value.item()
    if isinstance(value, float):
        return float, "nan" if value != value else struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, frozen(value.real, 0.0), frozen(value.imag, 0.0)
    if isinstance(value, tuple | list):
        return type(value), [frozen(v, tolerance) for v in value]
    if isinstance(value, dict):
        return dict, [(k, frozen(v, tolerance)) for k, v in value.items()]
    if isinstance(value, set | frozenset | int | str | bytes | None | slice | range | np.dtype | type):
        return type(value), value
    if not hasattr(value, "__dict__"):  # one of its kind: a dtype, ...
        return repr(value)
    return type(value), {k: frozen(v, tolerance) for k, v in vars(value).items()}


def outcome(
    function: Callable[..., Any], args: Sequence[Any], capfd: pytest.CaptureFixture[str], case: Case
) -> Outcome:
    """Call a function on copies of arguments."""
    file = case.function.__code__.co_filename
    args = copy.deepcopy(args)
    capfd.readouterr()
    result, error = None, None
    with np.errstate(all="ignore"):
        try:
            result = function(*args)
        except Exception as raised:
            lines = [f.lineno for f in traceback.extract_tb(raised.__traceback__) if f.filename == file]
            error = type(raised), str(raised), lines[-1:]
    return Outcome(frozen(result, case.tolerance), error, capfd.readouterr().out, frozen(args, case.tolerance))


def with_tensors(value: Any) -> Any:
    """A value with its arrays as Tensors."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, tuple | list):
        return type(value)(with_tensors(v) for v in value)
    return {k: with_tensors(v) for k, v in value.items()} if isinstance(value, dict) else value


def marked(cases: Sequence[Case]) -> list[Any]:
    return [
        pytest.param(c, id=c.name, marks=[pytest.mark.xfail(strict=True, reason=c.xfail)] if c.xfail else [])
        for c in cases
    ]


@grouped("case", marked(CASES))
def test_compiled_as_plain(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    context.set_context(jit_syntax_level="STRICT")
    compiled = jit(case.function)
    for args in case.calls:
        expected = outcome(case.function, args, capfd, case)
        assert outcome(compiled, args, capfd, case) == expected, args
        assert outcome(compiled, args, capfd, case) == expected, args
        settings.jit = False
        assert outcome(compiled, args, capfd, case) == expected, args
        settings.jit = True


ON_ARRAYS = [c for c in CASES if any(isinstance(a, np.ndarray) for args in c.calls for a in args)]


@grouped("case", marked(ON_ARRAYS))
def test_on_tensors_both_modes_agree(case: Case, capfd: pytest.CaptureFixture[str]) -> None:
    context.set_context(jit_syntax_level="STRICT")
    compiled = jit(case.function)
    for args in case.calls:
        given = with_tensors(args)
        context.set_context(mode=PYNATIVE_MODE)
        expected = outcome(case.function, given, capfd, case)
        assert outcome(compiled, given, capfd, case) == expected, args


def test_there_are_enough() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 400
