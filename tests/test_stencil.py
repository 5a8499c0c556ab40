"""`stencil`: functions of neighbourhoods, by plain Python at every place that has one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, grad, jit, stencil
from jitcore.source import CompileError

RNG = np.random.default_rng(0)


class Around:
    """An array around a place, in plain Python."""

    def __init__(self, array: Any, place: Sequence[int]) -> None:
        self.array, self.place = array, place

    def __getitem__(self, offset: Any) -> Any:
        offsets = offset if isinstance(offset, tuple) else (offset,)
        return self.array[tuple(p + k for p, k in zip(self.place, offsets, strict=True))]


def plainly(
    function: Callable[..., Any], around: Any, args: Sequence[Any], whole: Sequence[int] = (), cval: Any = 0
) -> Any:
    """What a stencil gives, whose neighbourhood and whole arrays are known."""
    shape = args[0].shape
    made: dict[Any, Any] = {}
    for place in itertools.product(*(range(-low, n - high) for n, (low, high) in zip(shape, around, strict=True))):
        given = [a if np.ndim(a) == 0 or k in whole else Around(a, place) for k, a in enumerate(args)]
        made[place] = function(*given)
    dtype = np.asarray(list(made.values())).dtype if made else float
    out = np.full(shape, cval, dtype)
    for place, value in made.items():
        out[place] = value
    return out


def cross(a: Any) -> Any:
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def upwind(a: Any) -> Any:
    return a[0] - a[-2]


def chosen(a: Any, b: Any, weight: Any) -> Any:
    if a[0] > 0.5:
        return weight * (a[0] + b[-1])
    return b[2]


def transcendental(a: Any) -> Any:
    return math.exp(-a[0, 0, 1]) + math.sqrt(a[-1, 0, 0])


def whole_numbers(a: Any) -> Any:
    return a[0] * 2 + a[1]


def window_sum(a: Any) -> Any:
    total = 0.0
    for i in range(-2, 2):
        for j in range(-1, 1):
            total += a[i, j]
    return total


def weighted(a: Any, w: Any) -> Any:
    total = 0.0
    for k in range(-1, 2):
        total += a[k] * w[k + 1]
    return total


def table_scaled(a: Any, table: Any) -> Any:
    return a[-1] * table[0] + a[0] * table[1]


CASES: dict[str, tuple[Any, Any, Any, Any, dict[str, Any]]] = {
    # the function, its neighbourhood, its arguments, which of them are indexed as they are, options
    "cross": (cross, ((-1, 1), (-1, 1)), (RNG.random((5, 7)),), (), {}),
    "one-sided": (upwind, ((-2, 0),), (RNG.random(9),), (), {}),
    "strided": (cross, ((-1, 1), (-1, 1)), (RNG.random((9, 8)).T[::-2],), (), {}),
    "several arrays": (chosen, ((-1, 2),), (RNG.random(9), RNG.random(9), 3.0), (), {"cval": -1.0}),
    "three axes": (transcendental, ((-1, 0), (0, 0), (0, 1)), (RNG.random((3, 4, 5)),), (), {"cval": np.nan}),
    "ints": (whole_numbers, ((0, 1),), (np.arange(6),), (), {"cval": 7}),
    "loops": (window_sum, ((-2, 1), (-1, 0)), (RNG.random((6, 5)),), (), {"neighborhood": ((-2, 1), (-1, 0))}),
    "standard": (table_scaled, ((-1, 0),), (RNG.random(6), np.array([2.0, 3.0])), (1,), {"standard_indexing": "table"}),
    "loops and standard": (
        weighted, ((-1, 1),), (RNG.random(7), np.array([1.0, 2.0, 4.0])), (1,),
        {"neighborhood": ((-1, 1),), "standard_indexing": ("w",)},
    ),
    "wider neighborhood": (upwind, ((-3, 2),), (RNG.random(9),), (), {"neighborhood": ((-3, 2),)}),
    "smaller than the neighbourhood": (cross, ((-1, 1), (-1, 1)), (RNG.random((2, 7)),), (), {}),
    "one place": (cross, ((-1, 1), (-1, 1)), (RNG.random((3, 3)),), (), {}),
    "empty": (upwind, ((-2, 0),), (np.zeros(0),), (), {}),
    "single precision": (upwind, ((-2, 0),), (RNG.random(5).astype("f4"),), (), {}),
}  # fmt: skip


@pytest.mark.parametrize(("function", "around", "args", "whole", "options"), CASES.values(), ids=CASES)
def test_every_place_is_what_the_function_gives_there(
    function: Any, around: Any, args: Any, whole: Any, options: Any
) -> None:
    wanted = plainly(function, around, args, whole, options.get("cval", 0))
    made = stencil(**options)(function)
    for found in (made(*args), jit(lambda *given: made(*given))(*args)):
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
        if wanted.size:
            assert found.dtype == (args[0].dtype if function in (upwind, whole_numbers) else wanted.dtype)


def test_arrays_of_all_extents_are_served_by_few_programs() -> None:
    made = stencil(cross)
    for shape in [(4, 5), (6, 7), (3, 9), (2, 2), (1, 5), (30, 3)]:
        a = RNG.random(shape)
        np.testing.assert_allclose(made(a), plainly(cross, ((-1, 1), (-1, 1)), (a,)), rtol=1e-15)


def test_out_is_written_to_and_its_border_if_there_is_a_cval() -> None:
    a = RNG.random((4, 5))
    wanted = plainly(cross, ((-1, 1), (-1, 1)), (a,))
    out = np.full((4, 5), 9.0)
    assert stencil(cross)(a, out=out) is out
    np.testing.assert_array_equal(out[1:-1, 1:-1], wanted[1:-1, 1:-1])
    assert (out[0] == 9).all()
    stencil(cval=2.0)(cross)(a, out=out)
    assert (out[0] == 2).all()
    assert (out[:, -1] == 2).all()
    np.testing.assert_array_equal(out[1:-1, 1:-1], wanted[1:-1, 1:-1])
    b = a.copy()
    stencil(cross)(b, out=b)
    np.testing.assert_array_equal(b[1:-1, 1:-1], wanted[1:-1, 1:-1])


def test_it_is_fused_and_composed_in_compiled_functions() -> None:
    smooth = stencil(cross)
    a = RNG.random((6, 7))
    once = plainly(cross, ((-1, 1), (-1, 1)), (a,)) * 2
    np.testing.assert_allclose(
        jit(lambda x: smooth(smooth(x) * 2) + 1)(a), plainly(cross, ((-1, 1), (-1, 1)), (once,)) + 1, rtol=1e-14
    )


def test_tensors_and_gradients() -> None:
    smooth = stencil(cross)
    a = RNG.random((4, 4))
    found = smooth(Tensor(a))
    assert isinstance(found, Tensor)
    np.testing.assert_array_equal(found.asnumpy(), smooth(a))
    slope = jit(grad(lambda x: (smooth(x) * smooth(x)).sum()))(Tensor(a)).asnumpy()
    step = 1e-6
    for place in itertools.product(range(4), range(4)):
        moved = [np.array(a), np.array(a)]
        moved[0][place] += step
        moved[1][place] -= step
        high, low = ((smooth(m) ** 2).sum() for m in moved)
        assert slope[place] == pytest.approx((high - low) / (2 * step), abs=1e-7)


def test_uncompiled_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitcore.config.settings, "jit", False)
    for function, around, args, whole, options in CASES.values():
        wanted = plainly(function, around, args, whole, options.get("cval", 0))
        np.testing.assert_array_equal(stencil(**options)(function)(*args), wanted)


def test_what_is_no_stencil_is_refused() -> None:
    with pytest.raises(ValueError, match="neighborhood"):
        stencil(window_sum)(RNG.random((6, 5)))
    with pytest.raises(ValueError, match="beyond its neighborhood"):
        stencil(neighborhood=((-1, 0),))(upwind)(np.ones(5))
    with pytest.raises(ValueError, match="2 pairs"):
        stencil(neighborhood=((-2, 0), (0, 0)))(upwind)(np.ones(5))
    with pytest.raises(IndexError, match=r"reads at \(-1, 0\)"):
        stencil(cross)(np.ones(5))
    with pytest.raises(ValueError, match="one shape"):
        stencil(chosen)(np.ones(5), np.ones(6), 1.0)
    with pytest.raises(TypeError, match="first argument"):
        stencil(upwind)(3.0)
    with pytest.raises(TypeError, match="takes 1 arguments"):
        stencil(upwind)(np.ones(5), 1)
    with pytest.raises(ValueError, match="cval"):
        stencil(cval=0.5)(whole_numbers)(np.arange(5))
    with pytest.raises(ValueError, match="constant"):
        stencil("wrap")
    with pytest.raises(ValueError, match="no parameters"):
        stencil(standard_indexing="c")(upwind)
    with pytest.raises(ValueError, match="relatively"):
        stencil(standard_indexing="a")(upwind)
    with pytest.raises(TypeError, match="not of int"):
        stencil()(3)


def test_a_function_that_writes_is_refused() -> None:
    def writing(a: Any) -> Any:
        a[0] = 1
        return a[0]

    with pytest.raises(ValueError, match="by return"):
        stencil(writing)


def test_what_cannot_be_compiled_runs_in_the_interpreter_or_is_refused() -> None:
    def by_name(a: Any) -> Any:
        return float(eval("1") * float(a[0] + a[-1]))

    called = stencil(by_name)
    with pytest.warns(jitcore.FallbackWarning):
        found = called(np.arange(4.0))
    assert found.tolist() == [0, 1, 3, 5]
    before = jitcore.get_context("jit_syntax_level")
    jitcore.set_context(jit_syntax_level="STRICT")
    try:
        with pytest.raises(CompileError):
            stencil(by_name)(np.arange(4.0))
    finally:
        jitcore.set_context(jit_syntax_level=before)
