"""Calls with a gradient of their own in PyNative mode: one entry of the tape."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from jitcore.library.array import creation, shapes
from jitcore.library.math import elementwise
from jitcore.primitives.core.broadcasting import sum_to_shape
from jitcore.primitives.core.dialects import Dialect
from jitcore.primitives.ops.custom import custom_vjp
from jitcore.runtime import tape
from jitcore.runtime.tensor import Tensor, wrap_like
from jitcore.runtime.trees import leaves, map_leaves
from jitcore.structs import dataclass


def call(
    function: Callable[..., Any],
    backward: Callable[..., Any],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    used: Sequence[int] | None = None,
    weights: Sequence[Tensor] = (),
    absent: Callable[[Tensor], Any] = creation.zeros_like,
    dialect: Dialect | None = None,
) -> Any:
    """`function(*args, **keywords)`, whose gradient is `backward(*args, result, cotangents)`.

    With `used`, only these of the arguments and the result (whose number is that after the last argument's) are given
    to `backward`, for the others None. With `weights`, `backward` may give a pair: the gradients of the arguments, and
    a dict of those of weights. What is given for a cotangent of a result that nothing came of, `absent` says.
    `dialect`: the framework that has words for gradients that do not fit.
    """
    if not tape.recording():
        return function(*args, **keywords)
    if keywords:
        raise TypeError(
            "a call with keywords that has a bprop cannot be differentiated: pass all arguments by position"
        )
    given = map_leaves(_same, tuple(args))  # the program may change lists and dicts
    with tape.paused():
        result = function(*args)
    result = map_leaves(lambda leaf: wrap_like(leaf, leaf._array) if isinstance(leaf, Tensor) else leaf, result)
    kept = map_leaves(_same, result)
    inputs = [*(leaf for leaf in leaves(given) if isinstance(leaf, Tensor)), *weights]
    outs = [leaf for leaf in leaves(result) if isinstance(leaf, Tensor)]
    if outs:
        params = {
            "inputs": len(inputs),
            "results": len(outs),
            "backward": _Backward(backward, given, kept, used, tuple(weights), absent, dialect),
        }
        same = [wrap_like(o, o._array) for o in outs]
        tape.record(custom_vjp, (*inputs, *same), tuple(outs), params)
    return result


def _same(leaf: Any) -> Any:
    return leaf


@dataclass(frozen=True, slots=True, eq=False)
class _Backward:
    """`primitives.ops.custom.Backward` by a Python function."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    result: Any
    used: Sequence[int] | None
    weights: tuple[Tensor, ...]
    absent: Callable[[Tensor], Any]
    dialect: Dialect | None

    def __call__(
        self, cotangents: Sequence[Any], results: Sequence[Any], inputs: Sequence[Any], others: Sequence[Any]
    ) -> Sequence[Any]:
        cts = iter([self.absent(r) if c is None else c for c, r in zip(cotangents, results, strict=True)])
        sens = map_leaves(lambda leaf: next(cts) if isinstance(leaf, Tensor) else leaf, self.result)
        given = [*self.args, self.result]
        if self.used is not None:
            given = [value if k in self.used else None for k, value in enumerate(given)]
        found, of_weights = self._parts(self.function(*given, sens))
        wrong = None
        if self.dialect is not None and self.dialect.calls is not None:
            wrong = self.dialect.calls.gradients(found, self.args)
        if wrong is not None:
            raise wrong
        count = len(self.args)
        items: tuple[Any, ...] = (found,)
        if isinstance(found, tuple | list):
            several = tuple(cast("Sequence[Any]", found))
            items = items if self._is_one(several) else several
        if len(items) < count:
            raise ValueError(f"bprop gave {len(items)} gradients for {count} arguments")
        items = items[:count]  # MindSpore takes no notice of more
        made: list[Any] = []
        for item, arg in zip(items, self.args, strict=True):
            made += _matching(item, arg)
        return made + of_weights

    def _parts(self, found: Any) -> tuple[Any, list[Any]]:
        """What was given for the arguments, and the gradients of the weights."""
        if not self.weights or not (isinstance(found, tuple) and isinstance(cast("tuple[Any, ...]", found)[-1], dict)):
            return found, [None for _ in self.weights]
        of_args, given = cast("tuple[Any, Mapping[Tensor, Any]]", found)
        gradients = {id(w): gradient for w, gradient in given.items()}
        return of_args, [g for w in self.weights for g in _matching(gradients.get(id(w)), w)]

    def _is_one(self, found: tuple[Any, ...]) -> bool:
        """Whether a tuple is the gradient of the only argument, which is a structure."""
        return len(self.args) == 1 and not isinstance(self.args[0], Tensor) and len(found) != 1


def _matching(found: Any, arg: Any) -> list[Any]:
    """The gradients of an argument's Tensors."""
    if isinstance(arg, Tensor):
        return [None if found is None else _fitted(found, arg)]
    if isinstance(arg, tuple | list) and found is not None:
        parts = cast("Sequence[Any]", arg)
        if not isinstance(found, tuple | list) or len(cast("Sequence[Any]", found)) != len(parts):
            raise TypeError("bprop must give a gradient in the structure of each argument")
        return [g for f, p in zip(cast("Sequence[Any]", found), parts, strict=True) for g in _matching(f, p)]
    if isinstance(arg, dict) and found is not None:
        items = cast("dict[Any, Any]", arg)
        if not isinstance(found, dict) or set(cast("dict[Any, Any]", found)) != set(items):
            raise TypeError("bprop must give a gradient in the structure of each argument")
        return [g for key, part in items.items() for g in _matching(found[key], part)]
    return [None for leaf in leaves(arg) if isinstance(leaf, Tensor)]


def _fitted(gradient: Any, arg: Tensor) -> Tensor:
    made = gradient if isinstance(gradient, Tensor) else Tensor(gradient, arg._dtype)
    if made.shape != arg.shape:
        if not is_broadcast(arg.shape, made.shape) and made.shape:
            raise ValueError(
                f"bprop gave a gradient of shape {made.shape} for an input of shape {arg.shape}: "
                "the shape of a grad tensor should be broadcast to that of the input"
            )
        made = sum_to_shape(made, arg.shape) if made.shape else shapes.broadcast_to(made, arg.shape)
    return made if made._dtype is arg._dtype else elementwise.astype(made, arg._dtype)


def is_broadcast(source: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of a shape is broadcast to another one."""
    last = target[len(target) - len(source) :]
    return len(source) <= len(target) and all(a in (1, b) for a, b in zip(source, last, strict=True))
