"""Operators that check and show something: assertions, summaries, overflow."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, is_array
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.types import f32


@operator("CheckNumerics")
def check_numerics(x: Any) -> Any:
    """x. Raises RuntimeError where an element is not finite."""

    good = conversions.to_scalar(reductions.all(comparisons.isfinite(x)))
    conversions.check(
        good, exception="RuntimeError", message="For 'CheckNumerics', the input has NaN or infinite elements."
    )
    return as_array(x)


@operator("Assert", "raw")
def assert_set_up(condition: Any, input_data: Any, *, summarize: Any = 3) -> Any:
    """Raises RuntimeError unless the condition holds."""
    del input_data, summarize
    truth = condition if not is_array(condition) else elementwise.number(condition)
    if isinstance(truth, bool):
        if not truth:
            raise RuntimeError("assert failed")
        return truth
    conversions.check(truth, exception="RuntimeError", message="assert failed")
    return condition


def _summary(cls: str) -> None:
    def show(name: Any, value: Any) -> Any:
        del name
        return value

    show.__doc__ = "The value itself: nothing is recorded."
    operator(cls, "raw")(show)


for _cls in ("ScalarSummary", "ImageSummary", "TensorSummary", "HistogramSummary", "TensorDump"):
    _summary(_cls)


@operator("NPUAllocFloatStatus")
def alloc_float_status() -> Any:
    """The flags of an overflow on a device that has them: 8 zeros."""
    return joining.full(as_array(0.0, f32), shape=(8,))


@operator("NPUGetFloatStatus NPUClearFloatStatus")
def float_status(x: Any) -> Any:
    """The flags, none of which is ever set here."""
    return e.mul(as_array(x), 0)
