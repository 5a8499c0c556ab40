"""The update rules of optimizers: what a Parameter and what is kept beside it become by a gradient.

Each is written once, for the classes of `nn`, the groups of `nn.grouped`, the operators (`ops.ApplyAdagrad`) and those
of some rows (`ops.SparseApplyAdagrad`), and writes nothing: callers do, and choose rows before. What is kept is rounded
to the dtype that it is kept in before it is used.

A running mean is told what it keeps of the old and what it takes of the new (`Share`), not one of the two alone: the
operators compute 1 - beta in the Parameter's dtype, as MindSpore's do, the classes in Python's floats, which for 0.999
in float32 is 5e-5 of it apart.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from jitcore.primitives.functions.elementwise import add, multiply, subtract, where
from jitcore.primitives.library import as_array, dtype_of_value

Share: TypeAlias = tuple[object, object]
"""What is kept of the old, and what is taken of the new."""


def descended(p: object, step: object, lr: object) -> Any:
    """A Parameter after a step downwards."""
    return subtract(p, multiply(lr, step))


def momentum(
    p: object,
    v: object,
    g: object,
    lr: object,
    share: Share,
    nesterov: bool,
    begins: object = None,
    used: object = True,
) -> tuple[Any, Any]:
    """A Parameter and the moving sum of its gradients, which is the gradient where it begins, and is left alone where
    it is not used.

    With `nesterov` the step looks ahead by another share of the sum (Sutskever et al. 2013).
    """
    keep, rest = share
    total = add(multiply(v, keep), multiply(g, rest))
    total = _kept(total if begins is None else where(begins, g, total), v)
    step = add(g, multiply(total, keep)) if nesterov else total
    if used is not True:
        step, total = where(used, step, g), where(used, total, v)
    return descended(p, step, lr), total


def _kept(new: object, old: object) -> Any:
    return as_array(new, dtype_of_value(old))
