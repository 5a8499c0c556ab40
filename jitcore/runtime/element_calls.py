"""ufuncs of Python functions called with Tensors: compiled, with compiled gradients where a tape records."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from jitcore.primitives.transforms import ELEMENTWISE, Gradient
from jitcore.runtime import custom, region_models, tape
from jitcore.runtime.tensor import Tensor, wrap_like
from jitcore.runtime.trees import map_leaves
from jitcore.types import has_derivatives


def call(ufunc: np.ufunc, inputs: Sequence[Any]) -> Any:
    """`ufunc(*inputs)` with a Tensor among them."""
    return _recorded(_elements(ufunc), inputs)


class _Elements:
    """A ufunc of a Python function, as compiled code calls it; where nothing is compiled, NumPy calls its loops."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self.__jitcore_transform__ = ELEMENTWISE[ufunc]
        self.__name__ = ufunc.__name__
        self._ufunc = ufunc

    def __call__(self, *args: object) -> Any:
        if tape.recording():
            return _recorded(self, args)
        example = next(a for a in args if isinstance(a, Tensor))
        made = self._ufunc(*(a._array if isinstance(a, Tensor) else a for a in args))
        return map_leaves(lambda leaf: wrap_like(example, np.asarray(leaf)), made)


class _Slopes:
    """The gradients of a function by some arguments, given the cotangents of its results last."""

    def __init__(self, function: Callable[..., Any], positions: tuple[int, ...]) -> None:
        self.__jitcore_gradient__ = Gradient(function, positions, single=False, sens=True)
        self.__name__ = f"grad({getattr(function, '__name__', '?')})"

    def __call__(self, *args: object) -> Any:
        raise RuntimeError(f"{self.__name__} is compiled, and JITCORE_JIT=0 compiles nothing")


def _recorded(function: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """`function(*inputs)`, compiled, with its gradient on the tapes, which is recorded itself where it is computed."""
    positions = tuple(k for k, x in enumerate(inputs) if isinstance(x, Tensor) and has_derivatives(x._dtype))

    def backward(*given: object) -> tuple[Any, ...]:
        *args, result, cotangents = given
        flat = cast("tuple[object, ...]", cotangents) if isinstance(result, tuple) else (cotangents,)
        found = _recorded(_slopes(function, positions, len(args), isinstance(result, tuple)), (*args, *flat))
        slopes = dict(zip(positions, found, strict=True))
        return tuple(slopes.get(k) for k in range(len(args)))

    compiled = _compiled(function)
    return custom.call(compiled, backward, inputs, {}) if positions else compiled(*inputs)


@functools.lru_cache(maxsize=256)
def _elements(ufunc: np.ufunc) -> _Elements:
    return _Elements(ufunc)


@functools.lru_cache(maxsize=256)
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: object) -> Any:
        return function(*args)

    called.__name__ = called.__qualname__ = getattr(function, "__name__", "called")
    return region_models.compiled(called)


@functools.lru_cache(maxsize=256)
def _slopes(
    function: Callable[..., Any], positions: tuple[int, ...], count: int, has_several: bool
) -> Callable[..., Any]:
    slopes = _Slopes(function, positions)

    def of_one(*args: object) -> Any:
        return slopes(*args[:count], args[count])

    def of_several(*args: object) -> Any:
        return slopes(*args[:count], args[count:])

    return of_several if has_several else of_one
