"""NumPy's functions and ndarrays' methods in compiled functions: values, dtypes, result types and exceptions of the plain ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_comparison import agree, agree_nearly, program

from jitcore import context
from jitcore.runtime.dispatch import FallbackWarning

Make = Callable[[], list[Any]]


pytestmark = pytest.mark.usefixtures("strict")


def floats(*shape: int, dtype: Any = np.float64) -> Any:
    return (np.sin(np.arange(1, 1 + int(np.prod(shape)))) * 1.3).reshape(shape).astype(dtype)


def ints(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))).reshape(shape) * 7 % 11) - 3


KINDS: list[Make] = [
    lambda: [floats(5)], lambda: [ints(3, 4)], lambda: [floats(3, 4, dtype=np.float32)], lambda: [np.float64(0.7)],
    lambda: [ints(4) > 0],
]  # fmt: skip
ELEMENTWISE = """
exp expm1 log log1p log2 log10 sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint abs
absolute fabs sign square reciprocal negative positive degrees radians deg2rad rad2deg isnan isinf isfinite signbit logical_not exp2
nan_to_num conj conjugate angle round around
"""


@pytest.mark.parametrize("name", ELEMENTWISE.split())
def test_elementwise(name: str) -> None:
    agree_nearly(program(f"np.{name}(x)"), *KINDS, rtol=1e-14)


def test_specials() -> None:
    values = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, -1.5, 1e308, 5e-324])
    for name in ("sqrt", "sign", "square", "reciprocal", "signbit", "nan_to_num", "fabs", "floor", "ceil", "trunc", "rint", "exp", "log",
                 "log1p", "arctan", "tanh", "conj"):  # fmt: skip
        agree_nearly(program(f"np.{name}(x)"), lambda: [values.copy()])
    for name in (
        "fmod",
        "fmax",
        "fmin",
        "copysign",
        "hypot",
        "arctan2",
        "maximum",
        "minimum",
        "heaviside",
        "logaddexp",
        "isclose",
    ):
        agree_nearly(program(f"np.{name}(x, y)", "x, y"), lambda: [values[:, None].copy(), values.copy()])


BINARY = """
add subtract multiply divide true_divide floor_divide remainder mod fmod maximum minimum fmax fmin hypot arctan2 copysign logaddexp
logical_and logical_or logical_xor equal not_equal less greater less_equal greater_equal divmod heaviside
"""


@pytest.mark.parametrize("name", BINARY.split())
def test_binary(name: str) -> None:
    pairs: list[Make] = [
        lambda: [floats(3, 4) * 2, floats(4)], lambda: [ints(3, 4), ints(4) + 5], lambda: [floats(3), ints(3)],
        lambda: [floats(3), 2.0], lambda: [np.float64(2.5), ints(3)], lambda: [ints(3), np.float32(1.5)],
    ]  # fmt: skip
    agree_nearly(program(f"np.{name}(x, y)", "x, y"), *pairs, rtol=1e-14)


ARRAYS: list[Make] = [
    lambda: [floats(3, 4)], lambda: [ints(3, 4)], lambda: [floats(5)], lambda: [floats(2, 3, 4)], lambda: [ints(3, 4) > 0],
    lambda: [floats(3, 4, dtype=np.float32)], lambda: [floats(0, 4)], lambda: [np.array([1.0, np.nan, 2.0])],
]  # fmt: skip
REDUCTIONS = """
sum prod mean std var max min amax amin any all argmax argmin ptp cumsum nansum nanmax nanmin nanmean nanstd nanvar nanprod nancumsum
count_nonzero average diff flip trapezoid add.reduce multiply.reduce maximum.reduce minimum.reduce logical_and.reduce logical_or.reduce
add.accumulate
"""


@pytest.mark.parametrize("name", REDUCTIONS.split())
def test_reductions(name: str) -> None:
    rtol = 3e-14
    agree_nearly(program(f"np.{name}(x)"), *ARRAYS, rtol=rtol)
    agree_nearly(program(f"np.{name}(x, axis=0)"), *ARRAYS, rtol=rtol)
    agree_nearly(program(f"np.{name}(x, axis=-1)"), *ARRAYS[:5], rtol=rtol)


@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "prod",
        "mean",
        "max",
        "min",
        "any",
        "all",
        "std",
        "var",
        "count_nonzero",
        "ptp",
        "nansum",
        "nanmax",
        "nanmean",
    ],
)
def test_reductions_that_keep_axes(name: str) -> None:
    made: list[Make] = [lambda: [floats(3, 4)], lambda: [floats(2, 3, 4)]]
    agree_nearly(program(f"np.{name}(x, axis=1, keepdims=True)"), *made, rtol=3e-14)
    agree_nearly(program(f"np.{name}(x, axis=(0, 1))"), *made, rtol=3e-14)


OF_ONE = """
np.sum(x, dtype=np.float32) | x.sum(dtype=np.int64) | np.mean(x, dtype=np.float32) | x.sum(0) | x.sum(1) | x.sum(initial=5)
np.sum(x, where=x > 0) | np.max(x, initial=0) | np.prod(x, initial=2, axis=0) | np.std(x, ddof=1) | x.var(ddof=1)
np.cumsum(x, dtype=np.int64) | x.mean(1) | x.max(0) | x.argmax(1) | np.round(x, 2) | np.round(x, -1) | x.round(1) | x.clip(0, 1)
x.clip(min=0) | x.clip(max=0.5) | np.clip(x, None, 0.5) | np.clip(x, 0, [1, 2, 3, 4]) | np.clip(x, np.nan, 1) | np.clip(x, 0, -0.0)
np.clip(x, a_min=0, a_max=1) | x.dot(x.T) | x.transpose(1, 0) | x.transpose((1, 0)) | x.swapaxes(0, 1) | x.reshape(2, 6)
x.reshape((2, 6)) | x.reshape(-1, 2) | x.reshape(2, 5) | x.reshape(-1, 5) | x.reshape(5, -1) | x.repeat(2) | x.repeat(2, axis=1)
x.take([0, 1]) | x.take([0, 1], axis=1) | x.trace() | x.diagonal() | x.astype(int) | x.astype("float32") | x.astype(np.int8)
x.astype(bool) | x.tolist() | x.flatten() | x.squeeze() | x.copy() | x.item(3) | x.item(1, 2) | x.nonzero() | x.all(1)
x.max(axis=None) | np.max(x, axis=5) | x.sum(axis=2) | np.sum(x, axis=(0, 0)) | x.conj() | x.ptp | np.linalg.norm(x)
np.linalg.norm(x, axis=1) | np.linalg.norm(x[0], 1) | np.linalg.norm(x[0], np.inf) | np.linalg.norm(x[0], 3) | np.linalg.norm(x, "fro")
np.linalg.norm(x, 1, 0) | np.float32(x[0, 0]) | np.int64(x[0, 0] * 10) | np.int8(x) | np.bool_(x[0, 0]) | np.float32(2.5) * x
np.size(x) | np.shape(x) | np.ndim(x) | np.size(x, 1) | np.pi * x | x[np.newaxis] | np.add.outer(x[0], x[1]) | np.sqrt(2.0) * x
np.zeros(x.shape) | np.zeros((x.shape[0], 2)) | np.ones(len(x), dtype=int) | np.arange(x.shape[1]) | np.arange(0, 1, 0.25) * x
np.linspace(0, 1, 4) + x | np.eye(4) @ x.T | np.identity(4) + x[0] | np.identity(2, np.int8) | np.full((2, 2), x[0, 0]) | np.empty(3).shape
np.ones_like(x) | np.zeros_like(x, dtype=np.int32) | np.full_like(x, 3) | np.empty_like(x).shape | np.tri(3, 4) * x
np.array(x) | np.array([x[0, 0], 2.0]) | np.array([[1, 2], [3, x[0, 0]]]) | np.asarray([x[0], x[1]]) | np.copy(x)
x.dtype == np.float64 | x.dtype.name | x.dtype.kind | np.finfo(x.dtype).eps | np.min([x[0, 0], 2.0]) | np.sum([x[0, 0], 2.0])
np.mean([1, 2, x[0, 0]]) | np.where(x > 0) | np.nonzero(x > 0) | np.argwhere(x > 0) | np.flatnonzero(x > 0) | np.unique | x[x > 0].mean()
"""
OF_TWO = """
np.concatenate([x, y]) | np.concatenate((x, y), axis=1) | np.concatenate([x, y], axis=None) | np.stack([x, y]) | np.stack([x, y], axis=-1)
np.vstack([x, y]) | np.hstack([x, y]) | np.hstack([x[0], y[0]]) | np.dstack([x, y]) | np.column_stack([x, y]) | np.column_stack([x[0], y[0]])
np.append(x, y) | np.append(x, y, axis=0) | np.block([[x, y], [y, x]]) | np.where(x > 0, x, y) | np.select([x > 0, x < -1], [x, y])
np.isclose(x, y) | np.allclose(x, y) | np.array_equal(x, y) | np.array_equal(x, x) | np.array_equal(x, x[0]) | np.dot(x, y.T)
np.matmul(x, y.T) | x @ y.T | x @ y | np.inner(x, y) | np.outer(x, y) | np.vdot(x, y) | np.tensordot(x, y) | np.tensordot(x, y.T, axes=1)
np.tensordot(x, y, axes=1) | np.tensordot(x, y, axes=([0, 1], [0, 1])) | np.kron(x, y) | np.cross(x[:, :3], y[:, :3])
np.split(x, 2, axis=1) | np.split(x, 2) | np.split(x, [1, 3], axis=1) | np.array_split(x, 2) | np.hsplit(x, 2) | np.vsplit(x, 3)
np.tile(x, (2, 1)) | np.tile(x, 2) | np.repeat(x, 3, axis=0) | np.roll(x, 1, axis=1) | np.roll(x, -5) | np.rot90(x) | np.rot90(x, 2)
np.rot90(x, -1) | np.flip(x, 0) | np.fliplr(x) | np.flipud(x) | np.transpose(x) | np.transpose(x, (1, 0)) | np.transpose(x, axes=(1, 0))
np.moveaxis(x, 0, -1) | np.rollaxis(x, 1) | np.swapaxes(x, 0, 1) | np.expand_dims(x, 0) | np.expand_dims(x, (0, 3)) | np.squeeze(x[:1])
np.atleast_1d(x) | np.atleast_2d(x[0]) | np.atleast_3d(x) | np.atleast_3d(x[0]) | np.pad(x, 1) | np.pad(x, ((1, 0), (0, 2)), constant_values=5)
np.tril(x) | np.triu(x, 1) | np.tril(x[0]) | np.diag(x) | np.diag(x[0]) | np.diag(x[0], -1) | np.diag(x, 1) | np.trace(x)
np.meshgrid(x[0], y[:, 0]) | np.meshgrid(x[0], y[:, 0], indexing="ij") | np.take(x, [0, 2]) | np.take(x, [0, 2], axis=1) | np.take(x, 50)
np.take_along_axis(x, np.argmax(x, axis=1)[:, None], axis=1) | np.diff(x, n=2) | np.diff(x, axis=0) | np.ediff1d(x) | np.polyval([1.0, 2.0], x)
np.average(x, axis=0, weights=abs(y)) | np.trapezoid(x, dx=0.5) | np.trapezoid(x, y[0]) | np.cumsum(x, axis=1) | np.maximum(x, 0)
np.minimum(x, y[0]) | np.fmin(x, np.nan) | np.swapaxes(x, 0, 5) | np.concatenate([x, y[0]]) | np.concatenate([x, y[:, :2]]) | np.stack([x, y[0]])
np.squeeze(x, 0) | np.transpose(x, (0, 0)) | np.transpose(x, (0,)) | np.moveaxis(x, 0, 5) | np.flip(x, 3) | np.repeat(x, -1) | np.zeros(-1)
np.broadcast_to(x, (2, 2)) | np.arange(5, 2) | np.linspace(0, 1, 0) | np.eye(0) | np.concatenate([]) | np.stack([]) | np.max(x[:0])
np.argmax(x[:0]) | np.mean(x[:0]) | np.dot(x, y) | np.full((2,), 1j) | np.inner(x, y[:, 0]) | np.ptp(x[:0]) | np.cumsum(x, axis=4)
np.where(x, x) | np.sum(x, axis=1.5) | np.add(x, y, out=x) | np.add(x, "a") | np.exp(x, y, x) | np.sqrt("a") | x.sum(5) | x.foo | np.sum()
"""


def split(table: str) -> list[str]:
    return [
        case.strip()
        for case in table.replace("\n", "|").split("|")
        if case.strip() and case.strip() not in ("x.ptp", "np.unique")
    ]


@pytest.mark.parametrize("text", split(OF_ONE))
def test_of_one_array(text: str) -> None:
    agree_nearly(program(text), lambda: [floats(3, 4)], rtol=2e-14)


@pytest.mark.parametrize("text", split(OF_TWO))
def test_of_two_arrays(text: str) -> None:
    agree_nearly(program(text, "x, y"), lambda: [floats(3, 4), floats(3, 4) * 2], rtol=2e-14)


@pytest.mark.parametrize(
    "text",
    ["np.flip(x, 0)", "np.rot90(x)", "np.diagonal(x[:, :3])[0]", "np.split(x, 3)", "np.hsplit(x, 2)", "np.atleast_2d(x)", "np.atleast_3d(x)",
     "np.transpose(x)", "np.moveaxis(x, 0, 1)", "np.expand_dims(x, 1)", "x.reshape(-1)", "np.ravel(x)", "np.ravel(x.T)", "np.rollaxis(x, 1)",
     "np.asarray(x) is x", "np.ascontiguousarray(x) is x", "np.asarray(x)", "np.array(x)", "np.copy(x)", "x.astype(np.float64, copy=False)",
     "x.astype(np.float64)", "x.real", "x.T", "x.T.T", "x[...]", "x[:]", "x[()]", "x.squeeze()", "np.squeeze(x)", "np.roll(x, 0)", "+x",
     "x.round()", "np.broadcast_arrays(x, x)[0].shape"],
)  # fmt: skip
def test_what_is_a_view_and_what_a_copy(text: str) -> None:
    agree(program(text), lambda: [floats(3, 4)])
    if text not in ("np.ravel(x.T)", "np.ravel(x)", "x.reshape(-1)"):  # of an array in another order: a copy, if unsure
        agree(program(text), lambda: [floats(3, 4).T])


@pytest.mark.parametrize(
    "text",
    ["np.roots(x[0])", "np.linalg.eigvals(x[:3, :3])", "np.sum(x, axis=())", "np.sum(x, 1, None, None, True)",
     "x.flags.c_contiguous", "x.base is None", "x == None", "x.view(np.int64)", "x.byteswap()", "x is y", "x.tobytes()"],
)  # fmt: skip
def test_what_compiled_code_lacks_is_done_by_the_interpreter(text: str) -> None:
    """One notice, then NumPy's own result."""
    context.set_context(jit_syntax_level="LAX")
    f = program(f"made = {text}\nreturn made, x, y", "x, y")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FallbackWarning)
        agree(f, lambda: [floats(3, 4), floats(3, 4)])
    assert sum(w.category is FallbackWarning for w in caught) == 1


def test_what_differs_from_call_to_call_is_not_kept() -> None:
    import random
    import time

    context.set_context(jit_syntax_level="LAX")
    generator = np.random.default_rng(0)
    names = {"random": random, "time": time, "generator": generator}
    for text in (
        "np.random.rand(2)[0] + x",
        "time.perf_counter() + x",
        "random.random() + x",
        "generator.random() + x",
    ):
        from jitcore import jit

        f = jit(program(text, **names))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            assert f(0.0) != f(0.0)
