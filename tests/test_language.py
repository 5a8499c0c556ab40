"""Small functions for every part of the language: compiled, each does what plain Python does.

Equal means: values bit for bit, Python types, printed output, arguments as they are left, exceptions with their messages.
"""

from __future__ import annotations

import copy
import dataclasses
import struct
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import pytest
from language_programs import CASES

from jitcore import Tensor, context, jit

IDS = [function.__name__ for function, _ in CASES]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call did: its result or exception, its output, and its arguments afterwards."""

    result: Any
    error: tuple[type, str] | None
    output: str
    arguments: Any


@pytest.fixture
def strict() -> Generator[None]:
    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="STRICT")
    yield
    context.set_context(jit_syntax_level=level)


def frozen(value: Any) -> Any:
    """A value as something that compares equal only to values of equal types and bits."""
    if isinstance(value, Tensor):
        return "Tensor", frozen(value.asnumpy())
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype.str, value.shape, [frozen(v) for v in value.ravel().tolist()]
    if isinstance(value, np.generic):
        return type(value), frozen(value.item())
    if isinstance(value, float):
        return float, "nan" if value != value else struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, frozen(value.real), frozen(value.imag)
    if isinstance(value, tuple | list):
        return type(value), [frozen(v) for v in value]
    if isinstance(value, dict):
        return dict, [(k, frozen(v)) for k, v in value.items()]
    if isinstance(value, set | frozenset | int | str | None | slice | range | np.dtype):
        return type(value), value
    return type(value), {k: frozen(v) for k, v in vars(value).items()}


def outcome(function: Callable[..., Any], args: Sequence[Any], capfd: pytest.CaptureFixture[str]) -> Outcome:
    """Call a function on copies of arguments."""
    args = copy.deepcopy(args)
    capfd.readouterr()
    result, error = None, None
    with np.errstate(all="ignore"):
        try:
            result = function(*args)
        except Exception as raised:
            error = type(raised), str(raised)
    return Outcome(frozen(result), error, capfd.readouterr().out, frozen(args))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "calls"), CASES, ids=IDS)
def test_compiled_as_plain(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    compiled = jit(function)
    for args in calls:
        assert outcome(compiled, args, capfd) == outcome(function, args, capfd), args


def with_tensors(value: Any) -> Any:
    """A value with its arrays as Tensors."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, tuple | list):
        return type(value)(with_tensors(v) for v in value)
    return {k: with_tensors(v) for k, v in value.items()} if isinstance(value, dict) else value


ON_ARRAYS = [(f, c) for f, c in CASES if any(isinstance(a, np.ndarray) for args in c for a in args)]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "calls"), ON_ARRAYS, ids=[f.__name__ for f, _ in ON_ARRAYS])
def test_on_tensors_both_modes_agree(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    compiled = jit(function)
    for args in calls:
        given = with_tensors(args)
        assert outcome(compiled, given, capfd) == outcome(function, given, capfd), args
