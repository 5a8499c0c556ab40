"""Declares elementwise primitives that are one operation of `kernel.scalar` each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from jitcore.kernel.scalar import OPS
from jitcore.primitives.registry import Derivative, Elementwise, Primitive, Sample, declare
from jitcore.primitives.rules import elementwise_rule
from jitcore.types import DType


def scalar_operation(
    name: str,
    op: str,
    kinds: str,
    derivative: Derivative,
    samples: Callable[[], Iterable[Sample]],
    doc: str,
    result: DType | None = None,
) -> Primitive:
    """The primitive `name`: the operation `op` on arrays whose dtype's kind is in `kinds`, giving `result` or their dtype."""
    scalar = OPS[op]

    def reference(*xs: Any) -> Any:
        with np.errstate(all="ignore"):
            made = np.asarray(scalar.reference(*(np.asarray(x) for x in xs)))
        return made.astype((result.numpy if result else np.asarray(xs[-1]).dtype), copy=False)

    return declare(
        name,
        "x y" if scalar.arity == 2 else "x",
        rule=elementwise_rule(name, scalar.arity, kinds, result),
        reference=reference,
        lowering=Elementwise(op),
        derivative=derivative,
        samples=samples,
        doc=doc,
    )
