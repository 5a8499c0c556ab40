"""Function transforms: gradients, directional derivatives, Jacobians, batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast, overload

from jitcore.library.array import creation, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import dtype_of_value, is_number, shape_of, with_known_numbers
from jitcore.primitives.core import evaluation
from jitcore.primitives.core.broadcasting import size_of
from jitcore.primitives.transforms import AuxError, Composed, Gradient, Jvp, Recompute, Transform, Vmap, frozen_axes
from jitcore.runtime import errors, requests
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.introspection import Introspected

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jitcore.runtime.tensor import Tensor


_P = ParamSpec("_P")
_R = TypeVar("_R")
_Arrays = TypeVar("_Arrays", bound="Tensor | NDArray[Any]")


class GradientFunction(Introspected):
    """A function that gives the gradients of another; `__jitcore_gradient__` says which
    (`primitives.transforms.Gradient`)."""

    def __init__(self, request: Gradient) -> None:
        if not callable(request.function) and not evaluation.is_tracing():
            raise TypeError(f"the gradient is of a function or Cell, not of {type(request.function).__name__}")
        self.__jitcore_gradient__ = request
        self.__name__ = f"grad({getattr(request.function, '__name__', type(request.function).__name__)})"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            return requests.call_gradient(self, args, keywords)
        except BaseException as error:
            errors.strip(error)
            raise

    def _compiled_by(self) -> tuple[CompiledFunction, tuple[object, ...]]:
        return requests.compiled_gradient(self.__jitcore_gradient__), (self,)

    def __repr__(self) -> str:
        return f"<{self.__name__}>"


def _positions(grad_position: Any) -> tuple[tuple[int, ...], bool]:
    grad_position = with_known_numbers(grad_position, "grad_position")
    if grad_position is None:
        return (), False
    if isinstance(grad_position, int) and not isinstance(grad_position, bool):
        return (grad_position,), True
    if isinstance(grad_position, tuple | list) and all(isinstance(k, int) for k in grad_position):
        return tuple(grad_position), False
    raise TypeError(f"grad_position is an int, a tuple of ints or None, not {grad_position!r}")


def _weights(weights: Any) -> tuple[Any, ...] | None:
    from jitcore.common.parameter import Parameter

    if weights is None:
        return None
    return (weights,) if isinstance(weights, Parameter) else tuple(weights)


def _gradient(fn: Any, grad_position: Any, weights: Any, with_value: bool, has_aux: bool) -> GradientFunction:
    positions, single = _positions(grad_position)
    by_weight = _weights(weights)
    if not positions and by_weight is None:
        raise ValueError("grad_position and weights are both None: there is nothing to differentiate by")
    has_aux = with_known_numbers(has_aux, "has_aux")
    return GradientFunction(Gradient(fn, positions, single, by_weight, with_value, has_aux))


@library("raw")
def grad(
    fn: Callable[_P, Any],
    grad_position: int | Sequence[int] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
) -> Callable[_P, Any]:
    """The gradient function of `fn`: by the arguments at `grad_position` (a tuple for several), by `weights`, or both
    (a pair).

    With `has_aux`, `fn` gives a tuple whose first item is differentiated, and the call gives (gradients, the other
    items).

    >>> from jitcore import Tensor
    >>> print(grad(lambda x, y: x * y)(Tensor([2.0]), Tensor([5.0])))
    [5.]
    """
    return _gradient(fn, grad_position, weights, False, has_aux)


@library("raw")
def value_and_grad(
    fn: Callable[_P, _R],
    grad_position: int | Sequence[int] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
) -> Callable[_P, tuple[_R, Any]]:
    """As `grad`, giving (the value of `fn`, the gradients).

    >>> from jitcore import Tensor
    >>> value, gradient = value_and_grad(lambda x: (x * x).sum())(Tensor([3.0]))
    >>> print(value, gradient)
    9.0 [6.]
    """
    return _gradient(fn, grad_position, weights, True, has_aux)


# --- forward mode, and what is made of both modes --------------------------------------------------


class TransformFunction(Introspected):
    """A function that another is transformed into; `__jitcore_transform__` says how
    (`primitives.transforms.Transform`)."""

    def __init__(self, request: Transform, name: str) -> None:
        if not callable(request.function) and not evaluation.is_tracing():
            raise TypeError(f"{name} is of a function or Cell, not of {type(request.function).__name__}")
        self.__jitcore_transform__ = request
        self.__name__ = f"{name}({getattr(request.function, '__name__', type(request.function).__name__)})"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            return requests.call_transform(self, args, keywords)
        except BaseException as error:
            errors.strip(error)
            raise

    def _compiled_by(self) -> tuple[CompiledFunction, tuple[object, ...]]:
        return requests.compiled_transform(self.__jitcore_transform__), (self,)

    def __repr__(self) -> str:
        return f"<{self.__name__}>"


_F = TypeVar("_F", bound=Callable[..., Any])


def _inlined(function: _F) -> _F:
    """Mark a function that compiled code inlines wherever it is called: in a function that it was given, too, which
    makes it no recursive one."""
    function.__dict__["__jitcore_inlined__"] = True
    return function


@library("raw")
def _forward(fn: Callable[..., Any], has_aux: bool) -> TransformFunction:
    return TransformFunction(Jvp(fn, with_known_numbers(has_aux, "has_aux")), "jvp")


@overload
def jvp(fn: Callable[..., _R], inputs: object, v: object, has_aux: Literal[False] = False) -> tuple[_R, _R]: ...
@overload
def jvp(fn: Callable[..., Any], inputs: object, v: object, has_aux: Literal[True]) -> tuple[Any, Any, Any]: ...
@_inlined
def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """The value of `fn(*inputs)` and its directional derivative along `v`, by forward mode, as a tuple.

    `inputs` and `v` are tuples of as many items as `fn` has arguments (or, of one, that item), whose structures agree;
    the tangents of ints and other things without derivatives are not looked at, and a tangent None is zero. With
    `has_aux`, `fn` gives a pair of which the first is differentiated; the other becomes the third result.

    >>> from jitcore import Tensor
    >>> value, tangent = jvp(lambda x: x * x, Tensor([3.0]), Tensor([1.0]))
    >>> print(value, tangent)
    [9.] [6.]
    """
    return _forward(fn, has_aux)(inputs, v)


@library("raw")
def _pullback(fn: Callable[..., Any], single: bool, has_aux: bool) -> GradientFunction:
    single, has_aux = with_known_numbers((single, has_aux), "has_aux")
    return GradientFunction(Gradient(fn, (0,) if single else None, single, has_aux=has_aux, sens=True))


@overload
def vjp(fn: Callable[..., _R], *inputs: object, has_aux: Literal[False] = False) -> tuple[_R, Callable[..., Any]]: ...
@overload
def vjp(fn: Callable[..., Any], *inputs: object, has_aux: Literal[True]) -> tuple[Any, Callable[..., Any], Any]: ...
@_inlined
def vjp(fn: Callable[..., Any], *inputs: Any, has_aux: bool = False) -> Any:
    """The value of `fn(*inputs)`, and a function that takes a cotangent of it (or, of a tuple, as many) and gives those
    of the inputs: one, or a tuple of them.

    With `has_aux`, `fn` gives a pair of which the first is differentiated; the other becomes the third result. The
    function computes `fn` again.

    >>> from jitcore import Tensor
    >>> value, back = vjp(lambda x, y: x * y, Tensor([3.0]), Tensor([2.0]))
    >>> print(value, *back(Tensor([10.0])))
    [6.] [20.] [30.]
    """
    result = fn(*inputs)

    def back(*v: Any) -> Any:
        found = _pullback(fn, len(inputs) == 1, has_aux)(*inputs, v[0] if len(v) == 1 else v)
        return found[0] if has_aux else found

    if has_aux:
        value, aux = result
        return value, back, aux
    return result, back


# --- batches ----------------------------------------------------------------------------------------


@overload
def vmap(fn: Callable[_P, _Arrays], in_axes: object = 0, out_axes: object = 0) -> Callable[_P, _Arrays]: ...
@overload
def vmap(fn: Callable[_P, Any], in_axes: object = 0, out_axes: object = 0) -> Callable[_P, Any]: ...
@library("raw")
def vmap(fn: Callable[..., Any], in_axes: object = 0, out_axes: object = 0) -> Any:
    """A function that calls `fn` for every row of its arguments and gives the results as arrays, row by row.

    `in_axes` is the axis whose positions are the rows: one for all arguments or a tuple of one for each, None for
    arguments that every row gets whole; where an argument is a container, a container of axes is fine. `out_axes` is
    where the rows' axis of the results is put, likewise; None for results that are the same for every row. Keyword
    arguments have their rows along axis 0. Raises ValueError where arguments differ in their numbers of rows. A
    CellList for `fn` has as many Cells as there are rows: each is called for one of them.

    >>> from jitcore import Tensor
    >>> rows = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))(rows, Tensor([1.0, 10.0])))
    [21. 43.]
    """
    in_axes, out_axes = with_known_numbers((in_axes, out_axes), "an axis of vmap")
    frozen_axes((in_axes, out_axes))
    if getattr(type(getattr(fn, "value", fn)), "__jitcore_one_for_each_row__", False):
        return TransformFunction(Composed(fn, _one_for_each_row, (in_axes, out_axes)), "vmap")
    return TransformFunction(Vmap(fn, in_axes, out_axes), "vmap")


@_inlined
def _one_for_each_row(functions: Any, options: Any, *args: Any) -> Any:
    """The results of several functions, each for another row of the arguments, as arrays."""
    in_axes, out_axes = options
    axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(args)
    if len(axes) != len(args):
        raise ValueError(f"in_axes has {len(axes)} items for {len(args)} arguments")
    count = len(functions)
    rows = []
    for k, function in enumerate(functions):
        rows.append(function(*[_row(arg, axis, k, count) for arg, axis in zip(args, axes)]))  # noqa: B905
    return _stacked(rows, out_axes)


@_inlined
def _row(value: Any, axis: Any, k: int, count: int) -> Any:
    if axis is None:
        return value
    if isinstance(value, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else [axis] * len(value)
        return tuple([_row(item, a, k, count) for item, a in zip(value, axes)])  # noqa: B905
    if value.shape[axis] != count:
        raise ValueError(f"{count} functions are called for as many rows, not {value.shape[axis]}")
    return value[(slice(None),) * (axis % value.ndim) + (k,)]


@_inlined
def _stacked(rows: Any, axis: Any) -> Any:
    first = rows[0]
    if isinstance(first, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else [axis] * len(first)
        return tuple([_stacked([row[k] for row in rows], a) for k, a in enumerate(axes)])
    return _stack(rows, axis)


@library("raw")
def _stack(rows: Any, axis: Any) -> Any:
    """Arrays along a new axis."""
    return shapes.stack(rows, axis)


# --- Jacobians --------------------------------------------------------------------------------------


@library("raw")
def _composed(fn: Callable[..., Any], implementation: Callable[..., Any], options: tuple[Any, ...], name: str) -> Any:
    return TransformFunction(Composed(fn, implementation, with_known_numbers(options, name)), name)


@library("raw")
def _basis(x: Any) -> Any:
    """The arrays of x's shape with a one in one place, one for each place."""
    shape = shape_of(x)
    size = size_of(shape)
    return shapes.reshape(creation.eye(size, dtype=dtype_of_value(x)), (size, *shape))


@library("raw")
def _unflattened(rows: Any, x: Any) -> Any:
    """Derivatives along the basis of x (the last axis of `rows`) in the shape of x."""
    return shapes.reshape(rows, (*shape_of(rows)[:-1], *shape_of(x)))


@library("raw")
def _is_float(x: Any) -> bool:
    """Whether a value with derivatives is a Python number, not an array."""
    if not dtype_of_value(x).is_differentiable:
        raise TypeError(f"a Jacobian is of floats by floats, or arrays of them, not of {dtype_of_value(x)!r}")
    return is_number(x)


@_inlined
def _along(fn: Any, args: tuple[Any, ...], position: int, x: Any, t: Any) -> Any:
    """The derivative of the function along `t` in one argument."""
    return jvp(lambda y: fn(*args[:position], y, *args[position + 1 :]), (x,), (t,))[1]


@library("raw")
def _require_aux(result: Any) -> None:
    """Raise for what a function gives that is no tuple of what is differentiated and more."""
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) < 2:
        raise AuxError(AuxError.DIRECTED)


@_inlined
def _differentiated(fn: Any, args: Any, has_aux: bool) -> Any:
    result = fn(*args)
    if not has_aux:
        return result
    _require_aux(result)
    return result[0]


@_inlined
def _aux(result: Any) -> Any:
    """What a function gives besides: the second thing, or a tuple of those after the first."""
    return result[1] if len(result) == 2 else result[1:]


@_inlined
def _by_columns(fn: Any, args: tuple[Any, ...], position: int, has_aux: bool) -> Any:
    x = args[position]

    def differentiated(*given: Any) -> Any:
        return _differentiated(fn, given, has_aux)

    if _is_float(x):
        return _along(differentiated, args, position, x, 1.0)
    rows = vmap(lambda t: _along(differentiated, args, position, x, t), 0, -1)(_basis(x))
    if isinstance(rows, tuple):
        return tuple([_unflattened(r, x) for r in rows])
    return _unflattened(rows, x)


@_inlined
def _jacfwd(fn: Any, options: Any, *args: Any) -> Any:
    positions, single, has_aux = options
    found = tuple([_by_columns(fn, args, k, has_aux) for k in positions])
    made = found[0] if single else found
    if has_aux:
        return made, _aux(fn(*args))
    return made


@library("raw")
def jacfwd(fn: Callable[_P, Any], grad_position: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[_P, Any]:
    """The Jacobian of `fn` by the arguments at `grad_position`, by forward mode: best where results are larger than
    arguments.

    Its shape is the result's followed by the argument's. With `has_aux`, `fn` gives a pair of which the first is
    differentiated, and the call gives (Jacobian, the other); what there is more of in a tuple is a tuple there.

    >>> from jitcore import Tensor
    >>> print(jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])))
    [[2. 0.]
     [0. 4.]]
    """
    positions, single = _positions(grad_position)
    return _composed(fn, _jacfwd, (positions, single, has_aux), "jacfwd")


@_inlined
def _by_rows(fn: Any, args: tuple[Any, ...], positions: tuple[int, ...], value: Any, count: int, k: int) -> Any:
    """The Jacobians of the k-th of `count` results."""

    def pulled(u: Any) -> Any:
        def part(*given: Any) -> Any:
            return fn(*given)[k] if count > 0 else fn(*given)

        return _gradients_of(part, positions)(*args, u)

    if _is_float(value):
        return pulled(1.0)
    return tuple([_as_jacobian(rows, value) for rows in vmap(pulled)(_basis(value))])


@library("raw")
def _as_jacobian(rows: Any, value: Any) -> Any:
    """Gradients of each element of a result in the shape of the result."""
    return shapes.reshape(rows, (*shape_of(value), *shape_of(rows)[1:]))


@library("raw")
def _gradients_of(fn: Any, positions: tuple[int, ...]) -> GradientFunction:
    return GradientFunction(Gradient(fn, with_known_numbers(positions, "grad_position"), False, sens=True))


@_inlined
def _jacrev(fn: Any, options: Any, *args: Any) -> Any:
    positions, single, has_aux = options
    result = fn(*args)
    if has_aux:
        _require_aux(result)
    value = result[0] if has_aux else result

    def differentiated(*given: Any) -> Any:
        return _differentiated(fn, given, has_aux)

    if isinstance(value, tuple):
        found = [_by_rows(differentiated, args, positions, v, len(value), k) for k, v in enumerate(value)]
        made = tuple([f[0] if single else f for f in found])
    else:
        by_position = _by_rows(differentiated, args, positions, value, 0, 0)
        made = by_position[0] if single else by_position
    if has_aux:
        return made, _aux(result)
    return made


@library("raw")
def jacrev(fn: Callable[_P, Any], grad_position: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[_P, Any]:
    """As `jacfwd`, by reverse mode: best where arguments are larger than results.

    >>> from jitcore import Tensor
    >>> print(jacrev(lambda x: (x * x).sum())(Tensor([1.0, 2.0])))
    [2. 4.]
    """
    positions, single = _positions(grad_position)
    return _composed(fn, _jacrev, (positions, single, has_aux), "jacrev")


@library("raw")
def hessian(fn: Callable[_P, Any], grad_position: int = 0) -> Callable[_P, Any]:
    """The second derivatives of `fn` by one argument, forward over reverse mode: of the result's shape followed twice
    by the argument's.

    >>> from jitcore import Tensor
    >>> print(hessian(lambda x: (x * x * x).sum())(Tensor([1.0, 2.0])))
    [[ 6.  0.]
     [ 0. 12.]]
    """
    return jacfwd(jacrev(fn, grad_position), grad_position)


# --- memory -----------------------------------------------------------------------------------------


@library("raw")
def recompute(fn: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function that does what `fn` does, and of which a compiled gradient keeps the arguments only: in the backward
    pass its intermediate results are computed again. Random numbers are the ones that were drawn, and nothing else
    happens twice.

    >>> from jitcore import Tensor
    >>> print(grad(lambda x: recompute(lambda y: (y * y).sum())(x))(Tensor([1.0, 2.0])))
    [2. 4.]
    """
    return TransformFunction(Recompute(fn), "recompute")


@library("raw")
def checkpoint(fn: Callable[_P, _R], every: int | None = None) -> Callable[_P, _R]:
    """A function that does what `fn` does, and whose loops leave a compiled gradient the values of their variables once
    in `every` rounds: what the rounds between need is computed again in the backward pass, a segment at a time. Without
    `every` a loop of n rounds keeps about √n sets of variables, and the residuals of about √n rounds.

    >>> def power(x):
    ...     y = x
    ...     for _ in range(100):
    ...         y = y * 1.01
    ...     return y
    >>> print(round(grad(checkpoint(power))(2.0), 6))
    2.704814
    """
    if every is not None and (
        isinstance(every, bool)
        or not isinstance(every, int)  # pyright: ignore[reportUnnecessaryIsInstance]
        or every < 1
    ):
        raise ValueError(f"a loop is kept every so many rounds, at least 1, not {every!r}")
    return TransformFunction(Recompute(fn, True, every), "checkpoint")
