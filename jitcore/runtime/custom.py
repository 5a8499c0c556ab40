"""Calls with a gradient of their own in PyNative mode: one entry of the tape."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from jitcore.primitives.custom import custom_vjp
from jitcore.primitives.functions import creation, elementwise, shapes
from jitcore.runtime import tape
from jitcore.runtime.tensor import Tensor, wrap
from jitcore.runtime.trees import leaves, map_leaves
from jitcore.structs import dataclass


def call(
    function: Callable[..., Any], backward: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """`function(*args, **keywords)`, whose gradient is `backward(*args, result, cotangents)`."""
    if not tape.recording():
        return function(*args, **keywords)
    with tape.paused():
        result = function(*args, **keywords)
    if keywords:
        raise TypeError(
            "a call with keywords that has a bprop cannot be differentiated: pass all arguments by position"
        )
    result = map_leaves(lambda leaf: wrap(leaf._array) if isinstance(leaf, Tensor) else leaf, result)
    inputs = [leaf for a in args for leaf in leaves(a) if isinstance(leaf, Tensor)]
    outs = [leaf for leaf in leaves(result) if isinstance(leaf, Tensor)]
    if outs:
        params = {"inputs": len(inputs), "results": len(outs), "backward": _Backward(backward, tuple(args), result)}
        same = [wrap(o._array) for o in outs]
        tape.record(custom_vjp, (*inputs, *same), tuple(outs), params)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Backward:
    """`primitives.custom.Backward` by a Python function."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    result: Any

    def __call__(
        self, cotangents: Sequence[Any], results: Sequence[Any], inputs: Sequence[Any], others: Sequence[Any]
    ) -> Sequence[Any]:
        given = iter([creation.zeros_like(r) if c is None else c for c, r in zip(cotangents, results, strict=True)])
        sens = map_leaves(lambda leaf: next(given) if isinstance(leaf, Tensor) else leaf, self.result)
        found = self.function(*self.args, self.result, sens)
        count = len(self.args)
        items = (found,) if not isinstance(found, tuple) or (count == 1 and len(found) != 1) else found  # pyright: ignore[reportUnknownArgumentType]
        items = cast("tuple[Any, ...]", items)
        if len(items) < count:
            raise ValueError(f"bprop gave {len(items)} gradients for {count} arguments")
        items = items[:count]  # MindSpore takes no notice of more
        made: list[Any] = []
        for item, arg in zip(items, self.args, strict=True):
            made += _matching(item, arg)
        return made


def _matching(found: Any, arg: Any) -> list[Any]:
    """The gradients of an argument's Tensors."""
    if isinstance(arg, Tensor):
        return [None if found is None else _fitted(found, arg)]
    if isinstance(arg, tuple | list):
        parts = cast("Sequence[Any]", arg)
        if not isinstance(found, tuple | list) or len(cast("Sequence[Any]", found)) != len(parts):
            raise TypeError("bprop must give a gradient in the structure of each argument")
        return [g for f, p in zip(cast("Sequence[Any]", found), parts, strict=True) for g in _matching(f, p)]
    return [None for leaf in leaves(arg) if isinstance(leaf, Tensor)]


def _fitted(gradient: Any, arg: Tensor) -> Tensor:
    made = gradient if isinstance(gradient, Tensor) else Tensor(gradient, arg.dtype)
    if made.shape != arg.shape:
        if made.shape:
            raise ValueError(f"bprop gave a gradient of shape {made.shape} for an input of shape {arg.shape}")
        made = shapes.broadcast_to(made, arg.shape)
    return made if made.dtype is arg.dtype else elementwise.astype(made, arg.dtype)
