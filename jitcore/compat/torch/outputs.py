"""`out=`: results written to Tensors that are given, which take their extents, as PyTorch does it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.compat.torch.dtypes import SCALAR_NAMES
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.primitives.core import evaluation
from jitcore.runtime import autograd, nodes
from jitcore.runtime.notices import user_level
from jitcore.runtime.tensor import Tensor, view_of, wrap_like
from jitcore.types import Shape

_RESIZED: Final = (
    "An output with one or more elements was resized since it had shape {}, which does not match the required output "
    "shape {}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they "
    "have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
    "t.resize_(0)."
)


def written(out: object, made: object, label: str) -> Any:
    """The Tensors of `out=`, to which the results of the function `label` are written: as a named tuple if those are
    one. Raises RuntimeError for results that need a gradient, of a dtype that does not go to the other's, or of other
    extents where a Tensor cannot be resized: a view, and any in compiled code."""
    if not isinstance(out, tuple | list):
        _write(cast("Tensor", out), made, label)
        return out
    targets = cast("Sequence[Tensor]", out)
    for target, value in zip(targets, cast("Sequence[object]", made), strict=True):
        _write(target, value, label)
    named = TYPES.get(f"{type(made).__name__}_out")
    return out if named is None else named(*targets)


def _write(target: Tensor, made: object, label: str) -> None:
    extents, held = values.shape_of(made), values.shape_of(target)
    if not evaluation.is_tracing():
        _check(target, cast("Tensor", made), label)
        if extents != held:
            _resize(target, extents)
    elif _differ(extents, held):
        raise RuntimeError(
            f"out= has the shape {list(held)}, the result {list(extents)}: compiled code resizes no Tensor"
        )
    evaluator().write(target, made)


def _check(target: Tensor, made: Tensor, label: str) -> None:
    if nodes.enabled() and (autograd.needs_gradient(made) or autograd.needs_gradient(target)):
        raise RuntimeError(
            f"{label}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    have, want = (values.dtype_of_value(tensor).numpy for tensor in (made, target))
    if not np.can_cast(have, want, "same_kind"):
        names = [SCALAR_NAMES[dtype.name] for dtype in (have, want)]
        raise RuntimeError(f"result type {names[0]} can't be cast to the desired output type {names[1]}")


def _differ(extents: Shape, held: Shape) -> bool:
    """Whether two shapes differ in what is known of them when compiling."""
    known = ((a, b) for a, b in zip(extents, held, strict=False) if isinstance(a, int) and isinstance(b, int))
    return len(extents) != len(held) or any(a != b for a, b in known)


def _resize(target: Tensor, extents: Shape) -> None:
    """Give a Tensor memory of other extents; PyTorch, too, warns if it had elements."""
    if 0 not in target.shape:
        if view_of(target) is not None:
            words = "as a view of another Tensor it cannot be resized"
            raise RuntimeError(f"out= has the shape {list(target.shape)}, the result {list(extents)}: {words}")
        warnings.warn(_RESIZED.format(list(target.shape), list(extents)), UserWarning, stacklevel=user_level())
    target.data = wrap_like(target, np.empty(cast("Any", extents), values.dtype_of_value(target).numpy))
