"""Faults to be planted: compilers that get something wrong, and functions that do, with their sound twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import jit, ops

Function = Callable[..., Any]


def value_off(function: Function) -> Function:
    """Compiled functions give values that are off by 1e-3."""
    compiled = jit(function)
    return lambda *given: compiled(*given) + 1e-3


def gradient_wrong(function: Function) -> Function:
    """Compiled functions give the right values, and gradients that are larger by a tenth."""
    compiled = jit(function)

    def call(*given: Any) -> Any:
        made = compiled(*given)
        return made + (made - made.detach()) * 0.1

    return call


def item_wrong(function: Function) -> Function:
    """The second item of what compiled functions give is wrong."""
    compiled = jit(function)

    def call(*given: Any) -> Any:
        first, second, *rest = compiled(*given)
        return (first, second + 1, *rest)

    return call


def dtype_wrong(function: Function) -> Function:
    """Compiled functions give float64."""
    compiled = jit(function)
    return lambda *given: compiled(*given).double()


def input_changed(function: Function) -> Function:
    """Compiled functions write to what they are given."""
    compiled = jit(function)

    def call(*given: Any) -> Any:
        made = compiled(*given)
        given[0].detach().add_(1)
        return made

    return call


def second_call_wrong(function: Function) -> Function:
    """Compiled functions are right once."""
    compiled, calls = jit(function), []

    def call(*given: Any) -> Any:
        calls.append(given)
        return compiled(*given) * (1 if len(calls) == 1 else 2)

    return call


def other_shape_wrong(function: Function) -> Function:
    """Compiled functions are right for arguments of the first shape."""
    compiled, shapes = jit(function), []

    def call(*given: Any) -> Any:
        shapes.append(tuple(given[0].shape))
        return compiled(*given) * (1 if shapes[-1] == shapes[0] else 2)

    return call


# --- NumPy's functions, and jitcore's ------------------------------------------------------------------


def scaled(x: Any, y: Any) -> Any:
    """What `scaled_numpy` gives."""
    return np.tanh(x) * y + x


def scaled_numpy(x: Any, y: Any) -> Any:
    """The reference."""
    return np.tanh(x) * y + x


@jit
def halves(x: Any) -> Any:
    """Compiled, with two results."""
    return x * 0.5, x - x * 0.5


def halves_numpy(x: Any) -> Any:
    """The reference."""
    return x / 2, x / 2


def identity(x: Any) -> Any:
    """The reference."""
    return x * 1.0


def written_to(x: Any) -> Any:
    """Writes to its argument."""
    x[...] = x + 1
    return x * 1.0


def successor(x: Any) -> Any:
    """The reference, which does not."""
    return x + 1.0


def gradient_wrong_of_modules(function: Function) -> Function:
    """`gradient_wrong`, of calls of modules only."""
    wrong, compiled = gradient_wrong(function), jit(function)
    return lambda *given: (wrong if hasattr(given[0], "named_parameters") else compiled)(*given)


def clamping_off(function: Function) -> Function:
    """Compiled functions that write are off by 1e-3, and have written what is right."""
    compiled = jit(function)

    def call(*given: Any) -> Any:
        before = given[0].detach().clone()
        made = compiled(*given)
        return made if (given[0] == before).all() and made is not given[0] else made + 1e-3

    return call


def cube(x: Any) -> Any:
    """The reference."""
    return x * x * x


def with_wrong_gradient(x: Any) -> Any:
    """The cube, whose gradient lacks a factor."""
    return x * x * ops.stop_gradient(x)


def refusing(x: Any) -> Any:
    """Refuses."""
    raise ValueError("no")
