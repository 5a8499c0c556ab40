"""Gradients of what is computed line by line, kept by the Tensors that it gave: `requires_grad`, `backward()`, `.grad`.

    w = Tensor([1.0, 2.0])
    set_requires_grad(w, True)                          # a leaf
    loss = (w * w).sum()                                # each result keeps the node that made it
    backward([(loss, Tensor(1.0))])                     # `runtime.backward`
    grad_of(w)                                          # [2., 4.]

A Tensor that needs a gradient has a *history*: that it is a leaf, or the *edge* (a node and the number of an output)
that its values came by. Nodes hold the edges of their arguments and what their rules need, and nobody else holds nodes:
what is no longer referred to is gone, with all that led to it. Views get their node when they are asked for it, of what
their base holds then; a write makes a new node of the base. Elements that were written to after a rule saved them are
refused when the rule needs them.

The tapes of `runtime.tape`, by which functions are differentiated, see the same primitives and writes; the two know
nothing of each other.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from jitcore.primitives.core import constructing
from jitcore.primitives.core.registry import Nondifferentiable, Primitive
from jitcore.runtime import tensor_models
from jitcore.runtime.nodes import Computed, Edge, History, Hook, Node, Written, numbers, recording, this_thread
from jitcore.runtime.tensor import Tensor, view_of, wrap_like
from jitcore.types import has_derivatives

_MOST_LOOKED_AT: Final = 32
"""Edges that are followed from what is written in place to what it was computed of."""


def edge_of(tensor: Tensor) -> Edge | None:
    """Where the gradient of what a Tensor holds goes; None if nobody needs one."""
    history = tensor._history
    if tensor._view is None or (history is not None and history.edge is None and history.requires_grad):
        if history is None or not history.requires_grad:
            return None
        return tensor if history.edge is None else history.edge
    viewed = tensor._view[0]
    of_base = edge_of(viewed)
    if of_base is None:  # it need not be found out by which primitives it was viewed
        return None
    made = view_of(tensor)
    if made is None:
        return None if history is None or not history.requires_grad else history.edge or tensor
    base, primitive, args, params = made
    if base is not viewed:
        of_base = edge_of(base)
    if history is None or history.edge is None or history.base is not of_base:
        node = Computed(primitive, (base, *args), (of_base, *(None for _ in args)), (tensor,), params)
        grad = None if history is None else history.grad
        history = tensor._history = History((node, 0), of_base)
        history.grad = grad
    return history.edge


def needs_gradient(tensor: Tensor) -> bool:
    """Whether gradients go to a Tensor, or through it."""
    return (tensor._history is not None or tensor._view is not None) and edge_of(tensor) is not None


def is_leaf(tensor: Tensor) -> bool:
    """Whether a Tensor was made by nothing that is recorded."""
    return not isinstance(edge_of(tensor), tuple)


def set_requires_grad(tensor: Tensor, required: bool) -> None:
    """Have a leaf need a gradient, or not. Raises RuntimeError for what cannot have one, and for what is no leaf."""
    if required and not tensor._dtype.is_differentiable:
        raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
    if not is_leaf(tensor):
        if required:
            return
        raise RuntimeError(
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
            "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
        )
    history = tensor._history
    if history is None:
        if not required:
            return
        history = tensor._history = History()
    history.requires_grad = required
    if not required and history.grad is None and not history.hooks:
        tensor._history = None


def cut(tensor: Tensor) -> None:
    """Have gradients end at a Tensor, whatever made it: they go no further from what is computed of it."""
    if tensor._view is not None:
        tensor._storage, tensor._view = tensor.storage, None
    tensor._history = None


def grad_of(tensor: Tensor) -> Tensor | None:
    """The gradient that has been added up."""
    return None if tensor._history is None else tensor._history.grad


def set_grad(tensor: Tensor, grad: Tensor | None) -> None:
    """Take another gradient for what has been added up. Raises for what is none of this Tensor."""
    if grad is None:
        if tensor._history is not None:
            tensor._history.grad = None
        return
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad._dtype is not tensor._dtype:
        raise RuntimeError(f"assigned grad has data of a different type: {grad.dtype}, not {tensor.dtype}")
    if grad.shape != tensor.shape:
        raise RuntimeError(f"assigned grad has data of a different size: {grad.shape}, not {tensor.shape}")
    if tensor._history is None:
        tensor._history = History()
    tensor._history.grad = grad


def register_hook(tensor: Tensor, hook: Hook) -> Callable[[], None]:
    """Have `hook(gradient)` called when the gradient of what a Tensor holds is complete; what it returns, unless None,
    is the gradient from there on. Gives what takes the hook away. Raises RuntimeError if there will be none."""
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    number = next(numbers)
    if isinstance(edge, tuple):
        hooks = edge[0].own_hooks(edge[1])
    else:
        assert edge._history is not None
        hooks = edge._history.own_hooks()
    hooks[number] = hook

    def remove() -> None:
        hooks.pop(number, None)

    return remove


def retain(tensor: Tensor) -> None:
    """Keep the gradient of a Tensor that is no leaf, too. Raises RuntimeError if there will be none."""
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if isinstance(edge, tuple):
        edge[0].retain(edge[1], tensor)


# --- recording --------------------------------------------------------------------------------------


def concerns(args: Iterable[Any]) -> bool:
    """Whether gradients may be asked of what is computed of these values."""
    for arg in args:
        if isinstance(arg, Tensor) and (arg._history is not None or arg._view is not None):
            return this_thread.mode.enabled
    return False


def records(values: Iterable[Any]) -> bool:
    """Whether what is computed of these values is recorded: one of them needs a gradient."""
    return this_thread.mode.enabled and any(isinstance(v, Tensor) and needs_gradient(v) for v in values)


def record(primitive: Primitive, args: Sequence[Any], outs: Sequence[Any], params: Mapping[str, Any]) -> None:
    """Record that `outs = primitive(*args, **params)` was computed, if one of the arguments needs a gradient."""
    edges = [edge_of(a) if isinstance(a, Tensor) else None for a in args]
    if all(edge is None for edge in edges):
        return
    rule = primitive.derivative
    if isinstance(rule, Nondifferentiable) and rule.zero:
        return
    made = [k for k, out in enumerate(outs) if isinstance(out, Tensor) and has_derivatives(out._dtype)]
    if made:
        node = Computed(primitive, args, edges, outs, params)
        for k in made:
            outs[k]._history = History((node, k))


def unrecorded(value: object) -> Any:
    """A Tensor as one of the same memory that gradients know nothing of; anything else as it is."""
    if isinstance(value, Tensor) and (value._history is not None or value._view is not None):
        return wrap_like(value, value._array)
    return value


def before_write(target: Tensor, value: object) -> tuple[Tensor, Node] | None:
    """What `after_write` is to be told once `value` has been written to `target`; None if no gradient is concerned.
    Raises RuntimeError where a leaf would be changed."""
    if not this_thread.mode.enabled:
        return None
    chain: list[Tensor] = []
    base = target
    while not _is_leaf_itself(base) and (made := view_of(base)) is not None:
        chain.insert(0, base)
        base = made[0]
    if _is_leaf_itself(base):
        what = "a view of a leaf" if chain else "a leaf"
        refused = RuntimeError(f"{what} Variable that requires grad is being used in an in-place operation.")
        raise constructing.reworded(before_write, (base,), {}, refused)
    old = edge_of(base)
    of_value = edge_of(value) if isinstance(value, Tensor) else None
    if old is None and of_value is None:
        return None
    of_itself = _keep_what_is_needed(of_value, old, target)
    return base, Written(old, of_value, base, chain, forgets=not of_itself)


def _keep_what_is_needed(value: Edge | None, old: Edge | None, target: Tensor) -> bool:
    """Have what a written value was computed by keep copies of what it needs of the memory that it is written to.
    Whether it was computed of what was there."""
    waiting = [value]
    first = old[0].number if isinstance(old, tuple) else -1
    found = False
    for _ in range(_MOST_LOOKED_AT):
        if not waiting:
            break
        edge = waiting.pop()
        if edge is None:
            continue
        found = found or edge is old
        if isinstance(edge, tuple) and edge[0].number > first:
            for saved in edge[0].saved():
                held = saved.value
                if isinstance(held, Tensor) and held.storage is target.storage and not saved.is_overwritten:
                    saved.keep_copy(edge_of(held))
            waiting += edge[0].edges
    return found or bool(waiting)


def _is_leaf_itself(tensor: Tensor) -> bool:
    history = tensor._history
    return history is not None and history.requires_grad and history.edge is None


def after_write(pending: tuple[Tensor, Node] | None) -> None:
    """The write happened: the base has its new node."""
    if pending is not None:
        base, node = pending
        base._history = History((node, 0))


@tensor_models.view_again.model
def view_again(function: Callable[..., Tensor], args: Sequence[Any], keywords: Mapping[str, Any]) -> Tensor:
    """A view made anew as it was made while gradients were recorded."""
    with recording(True):
        return function(*args, **keywords)


@tensor_models.cut_view.model
def cut_view(made: Tensor, base: Tensor) -> None:
    """A view made while nothing is recorded shares memory, and no gradient."""
    if not this_thread.mode.enabled and needs_gradient(base):
        made._storage = base.storage
        made._view = None
