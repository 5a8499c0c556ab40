"""What a call of a small program does, in a form that can be compared: for programs with lists and iterators."""

from __future__ import annotations

import copy
import struct
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore import Tensor


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
    return type(value), value


def outcome(function: Callable[..., Any], code: Any, args: Sequence[Any]) -> Any:
    """What a call did: its result, or its exception and the line of the program that raised it; its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        return "result", frozen(function(*args)), frozen(args)
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == code.co_filename]
        return type(error), str(error), lines[-1] if lines else None, frozen(args)
