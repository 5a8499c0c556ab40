"""What a call does as something to compare: values bit for bit, Python types, printed output, arguments as they are left,
exceptions with their messages. The programs compared by it are in `programs` and `*_programs.py`.
"""

from __future__ import annotations

import copy
import dataclasses
import struct
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore import Tensor

if TYPE_CHECKING:
    import pytest


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call did: its result or exception, its output, and its arguments afterwards."""

    result: Any
    error: tuple[type, str] | None
    output: str
    arguments: Any


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
    if isinstance(value, deque):
        return deque, value.maxlen, [frozen(v) for v in value]
    if isinstance(value, dict):
        factory = value.default_factory if isinstance(value, defaultdict) else None
        return type(value), getattr(factory, "__code__", factory), [(frozen(k), frozen(v)) for k, v in value.items()]
    if isinstance(value, BaseException):
        return type(value), frozen(value.args)
    if not hasattr(value, "__dict__") or isinstance(value, type):
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
