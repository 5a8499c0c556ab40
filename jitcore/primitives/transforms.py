"""Requests for transforms of functions: what `grad`, `jvp`, `vmap` and their kin ask inference and the runtime for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, cast

import numpy as np

from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """A request for reverse-mode gradients: the attribute `__jitcore_gradient__` of the callables that `grad`,
    `value_and_grad` and `GradOperation` make.

    Calling it with `*args` (then, with `sens`, one more: the cotangent(s) of the
    result) calls `function(*args)` and gives
    - gradients by position: those of the arguments numbered `positions` (None: every array or
      number argument), a tuple unless `single`;
    - with `weights`: a tuple of their gradients, in order; with both, (by position, by weights);
      `positions == ()` gives the weights' alone;
    - `with_value`: (result, gradients). `has_aux`: the function gives a tuple whose first item is differentiated;
      without `with_value` the call gives (gradients, the other items as a tuple), with it the whole tuple is the value.
    Without `sens`, the result must be one array (or float) whose cotangent is all ones, or a tuple of them. With
    `integers`, as MindSpore does, Tensors of integers are differentiated by as well, in integers, and the gradient by
    the first argument is () if there is none, or none that has derivatives; keywords are arguments after the others,
    and `sens` among them is the cotangent. With `single_weight`, the gradient of the one weight is not in a tuple. With
    `numbers`, it is by Python's numbers as well, all of them as floats, in compiled code.
    """

    function: Any
    positions: tuple[int, ...] | None
    single: bool
    weights: tuple[Any, ...] | None = None
    with_value: bool = False
    has_aux: bool = False
    sens: bool = False
    integers: bool = False
    single_weight: bool = False
    numbers: bool = False

    @property
    def by_first_if_any(self) -> bool:
        """Whether it is by the first argument alone, if that has derivatives."""
        return self.integers and self.single and self.positions == (0,)

    def without_keywords(
        self, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any], tuple[str, ...]]:
        """The arguments of a call of it with the keywords it is by, the keywords it is not by, and the names of those
        that are now the last arguments (before the cotangent)."""
        if not self.integers or not keywords:
            return args, keywords, ()
        given, rest = list(args), dict(keywords)
        last = [] if not self.sens else [rest.pop("sens")] if "sens" in rest else [given.pop()]
        reach = None if self.positions is None else max(self.positions, default=-1)
        named = tuple(rest) if reach is None or reach >= len(given) else ()
        return [*given, *(rest.pop(name) for name in named), *last], rest, named


class Transform:
    """A request for another transform of a function: the attribute `__jitcore_transform__` of what
    `jvp`, `vmap` and their kin call."""

    __slots__ = ()
    function: Any

    def key(self) -> tuple[Any, ...]:
        """What tells it from others, to find compiled code by."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Jvp(Transform):
    """`request(primals, tangents)` gives (`function(*primals)`, its directional derivative along the tangents); with
    `has_aux` the function gives a pair of what is differentiated and the rest, which is then a third result. A primal
    that is no tuple is the only argument; only the tangents of floats and arrays of floats matter, None is zero."""

    function: Any
    has_aux: bool = False

    def key(self) -> tuple[Any, ...]:
        return (Jvp, self.function, self.has_aux)


@dataclass(frozen=True, slots=True, eq=False)
class Composed(Transform):
    """`request(*args)` means `implementation(function, options, *args)`: a transform
    written in Python on top of others."""

    function: Any
    implementation: Callable[..., Any]
    options: tuple[Any, ...] = ()

    def key(self) -> tuple[Any, ...]:
        return (Composed, self.function, self.implementation, self.options)


@dataclass(frozen=True, slots=True, eq=False)
class Vmap(Transform):
    """`request(*args)` calls `function` for every row of its arguments and gives the rows of results as arrays.

    `in_axes` is the axis that rows are numbered by, of every array of an argument: one for all arguments, or a tuple
    with one for each; None where every row gets the argument as it is; for an argument that is a container, a container
    of them is as well. `out_axes` likewise for the results. Keyword arguments are batches along axis 0.
    """

    function: Any
    in_axes: Any = 0
    out_axes: Any = 0

    def key(self) -> tuple[Any, ...]:
        return (Vmap, self.function, frozen_axes(self.in_axes), frozen_axes(self.out_axes))


@dataclass(frozen=True, slots=True, eq=False)
class Elementwise(Transform):
    """`request(*args)` calls `function` for every element of its `nin` arguments, broadcast, as NumPy scalars, and
    gives an array of each of its `nout` results: what a ufunc of a Python function does (`primitives.core.loop_types`).

    `signatures` are the dtypes that it takes and gives, to be tried in turn; where there are none, it takes what it is
    given.
    """

    function: Any
    name: str
    nin: int
    nout: int
    signatures: tuple[LoopTypes, ...] = ()

    def key(self) -> tuple[Any, ...]:
        return (Elementwise, self.function, self.nin, self.nout, self.signatures)


@dataclass(frozen=True, slots=True)
class LoopTypes:
    """The dtypes of a loop of a ufunc: of what its function is given, and of its results."""

    inputs: tuple[np.dtype[Any], ...]
    outputs: tuple[np.dtype[Any], ...]


ELEMENTWISE: Final[dict[np.ufunc, Elementwise]] = {}
"""The ufuncs made of Python functions. They live as long as the process: NumPy calls their machine code."""


class AuxError(TypeError):
    """A function that is to give a value and more (`has_aux`) gives one thing."""

    ALONE: ClassVar[str] = "with has_aux the function must return a tuple (value, aux…)"
    DIRECTED: ClassVar[str] = "with has_aux the function must return a tuple (value, aux…), of two items at least"
    """Said of what has a directional derivative, or a Jacobian."""

    def __init__(self, message: str = ALONE) -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class Recompute(Transform):
    """Calling it calls `function`; gradients compute its residuals again instead of keeping them. With `loops`, it is
    its loops that are recomputed, in segments of `every` rounds (None: about as many segments as rounds in one)."""

    function: Any
    loops: bool = False
    every: int | None = None

    def key(self) -> tuple[Any, ...]:
        return (Recompute, self.function, self.loops, self.every)


def frozen_axes(axes: Any) -> Any:
    """Axes as something that can be hashed. Raises TypeError for what are no axes."""
    if axes is None or (isinstance(axes, int) and not isinstance(axes, bool)):
        return axes
    if isinstance(axes, list | tuple):
        return (type(axes).__name__, *map(frozen_axes, cast("Sequence[Any]", axes)))
    if isinstance(axes, dict):
        return ("dict", *((k, frozen_axes(v)) for k, v in cast("dict[Any, Any]", axes).items()))
    raise TypeError(f"the axes of vmap are ints, None, and containers of them, not {type(axes).__name__}")
