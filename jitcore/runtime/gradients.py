"""Gradients in PyNative mode: a function run line by line under a tape."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import creation
from jitcore.library.core.cotangents import as_cotangent
from jitcore.library.core.mutable import is_marked, marked_like
from jitcore.primitives.ops import shape
from jitcore.primitives.transforms import AuxError, Gradient
from jitcore.runtime import hooks
from jitcore.runtime import tape as tapes
from jitcore.runtime.list_arguments import NUMBERS
from jitcore.runtime.tensor import Tensor, wrap_like
from jitcore.runtime.trees import distinct_leaves, leaves, map_leaves
from jitcore.types import has_derivatives, integers_differentiated


def evaluate(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What calling the gradient function gives; see `primitives.transforms.Gradient`."""
    args, keywords, named = request.without_keywords(args, keywords)
    with integers_differentiated(request.integers and _has_integers(request, args)):
        return _evaluate(request, args, keywords, named)


def _has_integers(request: Gradient, args: Sequence[Any]) -> bool:
    """Whether Tensors of integers are among what is differentiated by."""
    given = args[: len(args) - request.sens]
    chosen = (
        given if request.positions is None else [given[k] for k in request.positions if -len(given) <= k < len(given)]
    )
    by_value = any(isinstance(leaf, Tensor) and leaf._dtype.is_integer for a in chosen for leaf in distinct_leaves(a))
    return by_value or any(w._dtype.is_integer for w in request.weights or ())


def _evaluate(request: Gradient, args: Sequence[Any], keywords: Mapping[str, Any], named: Sequence[str]) -> Any:
    args = list(args)
    sens = args.pop() if request.sens else None
    positions = differentiated(request, args)
    for k in positions:
        args[k] = marked_like(args[k], map_leaves(_alias, args[k]))
    inputs = [leaf for k in positions for leaf in leaves(args[k]) if isinstance(leaf, Tensor)]
    weights = list(request.weights or ())
    tape = tapes.Tape()
    nodes = [tape.watch(t) for t in inputs]
    of_weights = {id(w): tape.watch(w) for w in {id(w): w for w in weights}.values()}
    nodes += [of_weights[id(w)] for w in weights]
    with tapes.active(tape):
        by_place = len(args) - len(named)
        result = request.function(*args[:by_place], **dict(zip(named, args[by_place:], strict=True)), **keywords)
    value, aux = _parts(request, result)
    outputs = _seeds(tape, value, sens, lenient=request.integers)
    found = tape.gradients(outputs, nodes)
    made = iter([_or_zeros(g, t) for g, t in zip(found, (*inputs, *weights), strict=True)])

    def gradient_of(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            return next(made)
        return 0 if request.integers and type(leaf) in NUMBERS else None

    by_position = tuple(map_leaves(gradient_of, args[k]) for k in positions)
    by_weight = tuple(made) if request.weights is not None else None
    if by_weight is not None and request.integers:  # MindSpore's: nothing is by what needs no gradient
        pairs = zip(by_weight, weights, strict=True)
        by_weight = tuple(g if getattr(w, "requires_grad", True) else _or_zeros(None, w) for g, w in pairs)
    return _assembled(request, result, aux, by_position, by_weight)


def differentiated(request: Gradient, args: Sequence[Any]) -> tuple[int, ...]:
    """The positions of the arguments that gradients are taken for. Raises ValueError or TypeError if one cannot be."""
    if request.positions is None:
        return tuple(k for k, a in enumerate(args) if _is_differentiated(request, a))
    if request.by_first_if_any and not (args and _is_differentiated(request, args[0])):
        return ()
    for k in request.positions:
        if not -len(args) <= k < len(args):
            raise IndexError(f"the gradient is for argument {k}, but there are {len(args)} arguments")
        for leaf in leaves(args[k]):
            if not isinstance(leaf, Tensor):
                if request.integers and leaf is not args[k]:
                    continue
                instead = "Tensor.from_numpy(x)" if isinstance(leaf, np.ndarray) else "Tensor(x)"
                raise TypeError(
                    f"argument {k} of a gradient is {type(leaf).__name__}; line by line, which this is run, gradients "
                    f"are by Tensors alone: give it {instead}"
                )
            if not has_derivatives(leaf._dtype) and request.positions:
                raise TypeError(
                    "only floats and arrays of floats can be differentiated by, not a Tensor of "
                    f"{leaf._dtype.numpy}: convert it to a float dtype first (argument {k})"
                )
    return tuple(k % len(args) for k in request.positions)


def _is_differentiated(request: Gradient, value: Any) -> bool:
    """Whether an argument has derivatives; a container that was not asked for, as MindSpore has it, only if it is
    marked as variable."""
    if (
        request.integers
        and request.positions is None
        and isinstance(value, tuple | list | dict)
        and not is_marked(value)
    ):
        return False
    return any(isinstance(leaf, Tensor) for leaf in distinct_leaves(value))


def _alias(value: Any) -> Any:
    """A Tensor of its own on the same memory: what is differentiated is the argument, not all uses of the object."""
    if not isinstance(value, Tensor):
        return value
    alias = shape.reshape(value, shape=value.shape)
    if alias._view is None:  # empty, or of strides that reshape copies
        alias = wrap_like(value, value._array)
        alias._view = (value, shape.reshape, (), {"shape": value.shape})
    hooks.share(value, alias)
    return alias


def _parts(request: Gradient, result: Any) -> tuple[Any, tuple[Any, ...]]:
    if not request.has_aux:
        return result, ()
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) < 1 + request.integers:
        raise AuxError()
    items = cast("tuple[Any, ...]", result)
    return items[0], items[1:]


def _seeds(tape: tapes.Tape, value: Any, sens: Any, *, lenient: bool) -> list[tuple[int, Any]]:
    """The nodes of what is differentiated, with their cotangents. `lenient`: what is no array or number is passed
    over."""
    outs = leaves(value)
    for out in () if lenient and sens is None else outs:
        if not isinstance(out, Tensor | int | float | np.ndarray | np.generic):
            raise TypeError(f"a gradient is of arrays; the function gave {type(out).__name__}")
    cotangents = (
        [creation.ones_like(o) if isinstance(o, Tensor) else None for o in outs] if sens is None else _given(sens, outs)
    )
    seeds: list[tuple[int, Any]] = []
    for out, ct in zip(outs, cotangents, strict=True):
        node = tape.node_of(out) if isinstance(out, Tensor) else None
        if node is not None:
            seeds.append((node, ct))
    return seeds


def _given(sens: Any, outs: Sequence[Any]) -> list[Any]:
    given = leaves(sens)
    if len(given) != len(outs):
        raise ValueError(f"sens has {len(given)} values for {len(outs)} results")
    made: list[Any] = []
    for ct, out in zip(given, outs, strict=True):
        tensor = ct if isinstance(ct, Tensor) else Tensor(ct)
        made.append(as_cotangent(tensor, out._dtype, out.shape) if isinstance(out, Tensor) else tensor)
    return made


def _or_zeros(gradient: Any, tensor: Tensor) -> Any:
    """The gradient by a Tensor, of whose class it is if nothing else says of which."""
    made = creation.zeros_like(tensor) if gradient is None else gradient
    if isinstance(made, Tensor) and made._dialect is None and tensor._dialect is not None:
        made.__class__ = tensor._dialect.cls
    return made


def _assembled(
    request: Gradient,
    result: Any,
    aux: tuple[Any, ...],
    by_position: tuple[Any, ...],
    by_weight: tuple[Any, ...] | None,
) -> Any:
    positional = by_position[0] if request.single and by_position else by_position
    weights = by_weight[0] if request.single_weight and by_weight else by_weight
    if by_weight is None:
        gradients = positional
    elif request.positions == ():
        gradients = weights
    else:
        gradients = (positional, weights)
    if request.with_value:
        return result, gradients
    return (gradients, aux) if request.has_aux else gradients
