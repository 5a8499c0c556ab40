"""How the functions of `paddle.fluid.layers` are declared: over Paddle's of today, with what they meant in 1.8.

    @layer
    def reduce_sum(input, dim=None, keep_dim=False):
        return of_one(paddle.sum(input, dim, keepdim=keep_dim))

Results have at least one axis. Until a mode is chosen they are recorded: fluid begins in static mode.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar, cast

from jitcore.compat.paddle import declaring
from jitcore.compat.paddle.fluid import visiting
from jitcore.compat.paddle.fluid.tensor import CATEGORY, Variable
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.tables import functions, networks
from jitcore.library.core import marking
from jitcore.library.core.values import evaluator
from jitcore.primitives.core import dialects
from jitcore.runtime.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])


paddle: Any = functions
"""Paddle's functions of today."""
functional: Any = networks
"""Those of `paddle.nn.functional`."""


def in_mode() -> AbstractContextManager[None]:
    """Static mode, where none was chosen."""
    return nullcontext() if modes.is_chosen() else modes.static()


def is_static() -> bool:
    """Whether fluid's calls are recorded."""
    return modes.is_static() or not modes.is_chosen()


def as_variables(made: object) -> Any:
    """Results as fluid's Variables, if they are Tensors."""
    if type(made) in (tuple, list):
        return type(cast("list[Any]", made))([as_variables(item) for item in cast("Sequence[object]", made)])
    if isinstance(made, Tensor) and not isinstance(made, Variable):
        return evaluator().in_dialect(made, dialects.known[CATEGORY])
    return made


class LayerFunction:
    """A function of `fluid.layers`; compiled code has the declaration in its place."""

    def __init__(self, declaration: Callable[..., Any]) -> None:
        self.__jitcore_function__ = declaration
        functools.update_wrapper(self, declaration)

    def __call__(self, *args: object, **keywords: object) -> Any:
        with in_mode():
            result = as_variables(self.__jitcore_function__(*args, **keywords))
        visiting.note(result, args, keywords)
        return result


def layer(declaration: F) -> F:
    """Declare a function of `fluid.layers`."""
    return cast("F", LayerFunction(declaration))


def of_one(x: Tensor) -> Any:
    """A Tensor, with one axis where it has none."""
    return paddle.reshape(x, [1]) if x.ndim == 0 else x


@marking.library("raw")
def activated(x: Tensor, act: str | None) -> Any:
    """What an activation, by its name, makes of a Tensor. Raises ValueError for one that there is not."""
    if act is None:
        return x
    found = declaring.NETWORK.get(act) or declaring.FUNCTIONS.get(act)
    if found is None:
        raise ValueError(f"there is no activation {act!r}")
    return found(x)
