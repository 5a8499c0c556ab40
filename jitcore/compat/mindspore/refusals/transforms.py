"""What MindSpore says to gradients and `vmap` of what is no function, by positions that are not there, along axes that
are none."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any, Final, cast

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.refusals import given_gradients, user_calls
from jitcore.compat.mindspore.refusals.naming import abstract
from jitcore.library.core.values import category, dtype_of_value, shape_of
from jitcore.nn import Cell
from jitcore.passes.infer.domain import callees
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.primitives.core import evaluation
from jitcore.primitives.transforms import Gradient, Vmap
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass


def in_graph() -> bool:
    """Whether MindSpore would compile what is called now."""
    return evaluation.is_tracing() or context.is_graph_mode()


def is_no_function(value: Any) -> bool:
    """Whether a value is one of the kinds that cannot be called."""
    return (
        value is None
        or isinstance(value, int | float | str | tuple | list | dict | Tensor)
        or category(value) is not None
    )


def operand(value: Any) -> Operand:
    """What the rules see of an argument that is at hand."""
    if isinstance(value, Tensor):
        return Operand("tensor", dtype_of_value(value), tuple(value.shape))
    return of_object(value)


def symbol(value: Any) -> Operand:
    """`operand` of a value of a program, too, and of what is in a sequence."""
    if isinstance(value, tuple | list):
        items = tuple(map(symbol, cast("Sequence[Any]", value)))
        return Operand("tuple" if isinstance(value, tuple) else "list", items=items)
    if category(value) in ("tensor", "ndarray"):
        shape = tuple(n if isinstance(n, int) else None for n in shape_of(value))
        return Operand("tensor", dtype_of_value(value), shape)
    return of_object(value) if value is None or isinstance(value, str) else Operand(category(value) or "object")


def unfitting_call(fn: Any, args: Sequence[Any], *, bound: bool = False, more: int = 0) -> BaseException | None:
    """The answer to a call of a function with others than it takes, or of what is none; `bound`: a Cell is counted
    itself; `more`: how many parameters it is counted with that are not its own."""
    if is_no_function(fn):
        return ValueError("The object is not callable. Please check code.")
    try:
        declared = inspect.signature(fn.construct if isinstance(fn, Cell) else fn).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind not in _BY_POSITION or p.default is not p.empty for p in declared) or len(declared) + more == len(
        args
    ):
        return None
    own = int(bound and isinstance(fn, Cell))
    more += own
    return user_calls.miscounted(len(declared) + more, len(args) + own)


_BY_POSITION: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def unjoined(given: Any, of: Any) -> BaseException | None:
    """The answer to tangents or cotangents of a value."""
    return given_gradients.unjoined(symbol(given), symbol(of))


def unjoined_tangents(args: Sequence[Any]) -> BaseException | None:
    """The answer to the last argument of a Jvp, the tangents of the others."""
    *inputs, tangents = args
    return unjoined(tangents, tuple(inputs) if len(inputs) > 1 else inputs[0])


def uncounted(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """The answer in a graph to no cotangent where one is asked for, or to more; MindSpore counts it among the
    parameters."""
    if not request.sens or not request.integers or keywords:
        return None
    if callable(request.function):
        return unfitting_call(request.function, args, more=1)
    called = callees.callee_of(request.function)  # a function, or Cell, that the program made
    if (
        called is None
        or called.parameters.optional
        or called.parameters.open_arguments
        or called.parameters.open_keywords
    ):
        return None
    count = len(called.parameters.names) - len(called.arguments) + 1
    return None if count == len(args) else user_calls.miscounted(count, len(args))


@dataclass(frozen=True, slots=True, eq=False)
class ByPosition(Gradient):
    """One that `grad` and `value_and_grad` make: in a graph the function is called with an argument for each of its
    parameters."""


def _unpositioned(request: Gradient, count: int) -> BaseException | None:
    """The answer in a graph to another number of arguments than the function of a gradient by position has
    parameters."""
    fn = request.function
    if not isinstance(request, ByPosition) or not isinstance(fn, Cell | FunctionType):
        return None
    declared = len(inspect.signature(fn.construct if isinstance(fn, Cell) else fn).parameters)
    return None if declared == count else user_calls.miscounted(declared, count)


def gradient(request: Gradient, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """The answer to a position that no argument has, and to no cotangent where one is asked for, or more."""
    if (wrong := uncounted(request, args, keywords)) is not None:
        return wrong
    count = len(args) + len(keywords)
    wrong = _unpositioned(request, count)
    if wrong is not None or request.positions is None or request.by_first_if_any:
        return wrong
    past = next((k for k in request.positions if k >= count), None)
    return None if past is None else IndexError(f"Position index {past} is exceed input size.")


def ungraded(fn: Any) -> RuntimeError:
    """The answer to the gradient of what is no function, in a graph."""
    return RuntimeError(
        f"For 'GradOperation', the first argument must be a 'Function' or 'Cell', but got {abstract(operand(fn))}"
    )


def unlisted(weights: Any) -> TypeError | None:
    """The answer to what is neither a Parameter nor a sequence, line by line."""
    if in_graph() or isinstance(weights, tuple | list | Tensor) or weights is None:
        return None
    shown = weights if isinstance(weights, str | int | float | dict) else None
    if isinstance(weights, Cell):
        shown = type(weights).__name__
    elif shown is None:
        shown = f"PythonObject(type: {type(weights)}, value: {weights})"
    return TypeError(
        f"The weights you provided is expected to be a tensor, or a list or tuple. but got {_in_full(shown)}"
    )


def _in_full(value: Any) -> str:
    """With Parameters as MindSpore shows the Tensors that they hold."""
    if not isinstance(value, dict):
        return str(value)
    return "{" + ", ".join(f"{k!r}: {_held(v)}" for k, v in value.items()) + "}"


def _held(value: Any) -> str:
    if not isinstance(value, Parameter):
        return repr(value)
    return f"{Tensor.__repr__(value)[:-1]}, name={value.name})"


def unweighted(weights: Any) -> BaseException | None:
    """The answer to the gradient by what are no Parameters."""
    listed = weights if isinstance(weights, tuple | list) else (weights,)
    if not in_graph():
        if weights is None or all(isinstance(w, Tensor) for w in listed):
            return None
        return RuntimeError("The pointer[tensor] is null.")
    wrong = next((w for w in listed if isinstance(w, str | int | float)), None)
    if wrong is None:
        return None
    known = ", ".join(
        f"((mindspore.env_type, mindspore.{kind}), <function {name} at 0x0>)"
        for kind, name in (("tensor", "_tensor_env_get"), ("MapTensor", "_map_tensor_env_get"))
    )
    shown = {str: "string_", int: "int64", float: "float64"}[type(wrong)]
    return ValueError(
        f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sigs, fn): [{known}], and (dtype, args): "
        f"(mindspore.tensor[int64], mindspore.{shown})."
    )


def unmapped(fn: Any, in_axes: Any, out_axes: Any) -> RuntimeError | None:
    """The answer to `vmap` of what is no function, or along what are no axes."""
    if is_no_function(fn):
        return RuntimeError(f"'VmapOperation' arg0 must be a 'Function' or 'Cell', but got {abstract(operand(fn))}.")
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        wrong = next((a for a in _leaves(axes) if isinstance(a, bool) or not (a is None or isinstance(a, int))), None)
        if wrong is not None:
            return RuntimeError(
                f"The axis in vmap`s '{name}' can only be of type Int or None, but got {abstract(operand(wrong))}."
            )
    return None


def _leaves(axes: Any) -> list[Any]:
    return [leaf for item in axes for leaf in _leaves(item)] if isinstance(axes, tuple | list) else [axes]


def vmap(request: Vmap, args: Sequence[Operand]) -> RuntimeError | None:
    """The answer to arguments that do not have the axes of rows, or not of one length."""
    axes = request.in_axes
    if isinstance(axes, tuple | list) and len(axes) != len(args):
        return RuntimeError(
            "When vmap`s 'in_axes' is a tuple or list, and its size must be equal to the number of arguments of 'fn': "
            f"{len(args)}, but got size: {len(axes)}."
        )
    if all(a is None for a in _leaves(axes)):
        return RuntimeError(
            "The 'in_axes' of 'vmap' cannot be all None while 'fn' is not a 'CellList', but got "
            f"({', '.join(map(str, _leaves(axes)))})."
        )
    sizes: list[int] = []
    for x, axis in zip(args, axes if isinstance(axes, tuple | list) else [axes] * len(args), strict=True):
        if x.kind != "tensor" or not isinstance(axis, int):
            continue
        rank = len(x.shape)
        if not -rank <= axis < rank:
            return RuntimeError(
                f"The axis: {axis} in 'in_axes' is out of bounds for array of dimension [{-rank},{rank})."
            )
        size = x.shape[axis]
        if size is not None:
            sizes.append(size)
    other = next((n for n in sizes if n != sizes[0]), None)
    if other is None:
        return None
    return RuntimeError(
        f"The 'axis_size' of each argument in the scope of 'vmap' should be equal, but got {sizes[0]} and {other}."
    )
