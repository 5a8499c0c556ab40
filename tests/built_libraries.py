"""Libraries for C as tests call them, and the programs that they are made of."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import jitcore
from jitcore import Tensor, ops
from jitcore.build import build
from jitcore.program import libraries as lib
from tests.export_programs import PROGRAMS, ndarrays


class Value(ctypes.Structure):
    """A value as C has it."""

    _fields_ = (
        ("kind", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("payload", ctypes.c_int64),
        ("owner", ctypes.c_uint64),
        ("shape", ctypes.c_int64 * lib.MOST_AXES),
        ("strides", ctypes.c_int64 * lib.MOST_AXES),
    )


DTYPES = {code: dtype for dtype, code in lib.DTYPE_CODES.items()}


class Library:
    """A library, called as C calls it."""

    def __init__(self, path: Path, name: str, outputs: int) -> None:
        self.code = ctypes.CDLL(str(path))
        self.name, self.outputs = name, outputs
        for what, result in (("new", ctypes.c_void_p), ("error", ctypes.c_char_p)):
            getattr(self.code, f"{name}_{what}").restype = result
        self.handle = ctypes.c_void_p(self["new"]())

    def __getitem__(self, what: str) -> Any:
        return getattr(self.code, f"{self.name}_{what}")

    def status(self, args: Sequence[Any]) -> tuple[int, Any]:
        """What a call gives, and its results."""
        given = (Value * max(len(args), 1))()
        for value, arg in zip(given, args, strict=False):
            put(value, arg)
        out = (Value * max(self.outputs, 1))()
        return self["call"](self.handle, given, out), out

    def __call__(self, *args: Any) -> list[Any]:
        flat = [leaf for arg in args for leaf in leaves(arg)]
        status, out = self.status(flat)
        if status == lib.FAILED:
            raise RuntimeError(self["error"](self.handle).decode())
        assert status == lib.OK
        made = [taken(value) for value in out[: self.outputs]]
        for k in range(self.outputs):
            self["free"](ctypes.byref(out[k]))
        return made


def leaves(value: Any) -> list[Any]:
    """The arrays and numbers of a value, in order; None is none."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if value is None else [value.asnumpy() if isinstance(value, Tensor) else value]


def library_of(function: Any, inputs: Any, folder: Path, name: str, outputs: int = 1) -> Library:
    """Export a function, make a library of it, and load that."""
    jitcore.export(function, inputs, folder / name)
    built = build(folder / name, folder / "out", name=name)
    assert built.shared is not None
    return Library(built.shared, name, outputs)


def put(value: Value, arg: Any) -> None:
    if isinstance(arg, np.ndarray):
        value.kind, value.rank, value.payload = lib.ARRAY, arg.ndim, arg.ctypes.data
        value.dtype = next(code for dtype, code in lib.DTYPE_CODES.items() if dtype.numpy == arg.dtype)
        value.shape[: arg.ndim], value.strides[: arg.ndim] = arg.shape, arg.strides
    elif isinstance(arg, float):
        value.kind = lib.FLOAT
        value.payload = np.float64(arg).view(np.int64)
    else:
        value.kind, value.payload = (lib.BOOL if isinstance(arg, bool) else lib.INT), arg


def taken(value: Value) -> Any:
    if value.kind == lib.FLOAT:
        return float(np.int64(value.payload).view(np.float64))
    if value.kind != lib.ARRAY:
        return bool(value.payload) if value.kind == lib.BOOL else value.payload
    interface = {
        "data": (value.payload, False),
        "shape": tuple(value.shape[: value.rank]),
        "strides": tuple(value.strides[: value.rank]),
        "typestr": DTYPES[value.dtype].numpy.str,
        "version": 3,
    }
    if 0 in interface["shape"]:
        return np.empty(interface["shape"], DTYPES[value.dtype].numpy)
    return np.array(np.asarray(SimpleNamespace(__array_interface__=interface)))


def nested_numbers(named: Any, pair: Any) -> Any:
    a, (b, c) = pair
    return {"sum": named["x"] + a, "list": [b * c, None, 7, 0.5, True, named["x"].shape[0]]}


def tabulated(x: Any, n: int) -> Any:
    """A program with constants, a loop for vectors and a kernel that works."""
    table, total = np.array([1.5, -2.0, 0.25, 3.0]), 0.0
    for k in range(n):
        total += float(table[k % 4]) * k
    return np.exp(x) @ np.arange(12.0).reshape(4, 3), total


def called(x: float, y: float, n: int, k: int) -> Any:
    """What CPython computes itself, in a process that has it."""
    exact = math.ldexp(x, k), math.nextafter(x, y), math.remainder(x, y), math.ulp(x), math.factorial(k)
    return exact, math.comb(n, k), math.perm(n, k), math.exp(x) * abs(math.sin(y)) ** 1.5


def rescued(x: float, n: int) -> Any:
    """Exceptions that C's code raises, caught as Python's are."""
    try:
        found = math.gamma(x)
    except OverflowError:
        found = -1.0
    except ValueError:
        found = -2.0
    try:
        count = math.factorial(n)
    except ArithmeticError:
        count = -1
    try:
        rest = 7 % n
    except ZeroDivisionError:
        rest = math.comb(5, n + 2)
    return found, count, rest


def drawn(x: Any) -> Any:
    """Random numbers of two streams."""
    return x + ops.standard_normal((3,)), ops.uniform((2,), Tensor(0.0), Tensor(1.0), seed=5)


ALL = {
    "drawn": (drawn, Tensor(np.zeros(3, np.float32)), [(Tensor(np.zeros(3, np.float32)),)]),
    "called": (called, (1.5, 2.5, 5, 3), [(0.7, 1.3, 9, 4), (-3.25, 1e10, 66, 3), (1e-310, 2.0, 3, 5)]),
    "rescued": (rescued, (1.5, 3), [(5.0, 4), (-1.0, 21), (1e3, 30), (0.0, 0)]),
    **PROGRAMS,
    "tabulated": (tabulated, (ndarrays("n", 4), 3), [(np.ones((2, 4)), 9), (np.ones((1, 4)), 0)]),
    "nested_numbers": (
        nested_numbers,
        ({"x": np.ones(3)}, (np.ones(3), (2.0, 3))),
        [({"x": np.arange(3.0)}, (np.ones(3), (2.5, 4)))],
    ),
}
