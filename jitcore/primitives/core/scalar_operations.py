"""Declares elementwise primitives that are one operation of `kernel.scalar` each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from jitcore.kernel.scalar import OPS
from jitcore.primitives.core.registry import Derivative, Elementwise, Primitive, Sample, declare
from jitcore.primitives.core.rules import elementwise_rule
from jitcore.types import DType

IDENTITY = "identity"
"""In `instead`: the operand itself."""


def scalar_operation(
    name: str,
    op: str,
    kinds: str,
    derivative: Derivative,
    samples: Callable[[], Iterable[Sample]],
    doc: str,
    result: DType | None = None,
    instead: Mapping[str, str] | None = None,
) -> Primitive:
    """The primitive `name`: the operation `op` on arrays whose dtype's kind is in `kinds`, giving `result` or their
    dtype.

    `instead`: the operation on dtypes of certain kinds, where it is another one.
    """
    arity = OPS[op].arity

    def reference(*xs: Any) -> Any:
        operands = [np.asarray(x) for x in xs]
        dtype = operands[0].dtype
        chosen = instead.get(dtype.kind, op) if instead else op
        if chosen == IDENTITY:
            return operands[0].copy()
        with np.errstate(all="ignore"):
            made = np.asarray(OPS[chosen].reference(*operands))
        return made.astype(result.numpy if result else dtype, copy=False)

    def emit(k: Any, *xs: Any) -> Any:
        dtype: DType = xs[0].dtype
        chosen = instead.get(dtype.kind, op) if instead else op
        return xs[0] if chosen == IDENTITY else k(chosen, result or dtype, *xs)

    return declare(
        name,
        "x y" if arity == 2 else "x",
        rule=elementwise_rule(name, arity, kinds, result),
        reference=reference,
        lowering=Elementwise(emit if instead else op, OPS[op].ulp == (0.5, 0.5) and kinds != "c"),
        derivative=derivative,
        samples=samples,
        doc=doc,
    )
