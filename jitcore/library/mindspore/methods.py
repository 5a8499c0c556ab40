"""Methods and attributes of Tensors that are no operators of `ops`, or have other parameters there."""

from __future__ import annotations

from typing import Any

from jitcore.config import settings
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator
from jitcore.library.math import elementwise
from jitcore.library.mindspore.reducing import maximum_of, minimum_of
from jitcore.library.statistics import reductions
from jitcore.types import i64

# --- reductions with NumPy's parameters -----------------------------------------------------------------


@operator(".max")
def max_(
    x: Any, axis: Any = None, keepdims: Any = False, *, dim: Any = None, initial: Any = None, where: Any = True,
    return_indices: Any = False,
) -> Any:  # fmt: skip
    """The largest element over an axis (None: of all); with `return_indices`, or over `dim`, also its place."""
    if dim is not None:
        return maximum_of(x, dim, keepdims)
    if axis is None or (isinstance(axis, list | tuple) and not axis):
        return _of_all(
            _extreme(reductions.max, elementwise.maximum, x, None, _kept(keepdims), initial, where), return_indices
        )
    if evaluator().static(return_indices, "return_indices"):
        return maximum_of(x, axis, keepdims, initial=initial, where=where)
    return _extreme(reductions.max, elementwise.maximum, x, axis, keepdims, initial, where)


@operator(".min")
def min_(
    x: Any, axis: Any = None, keepdims: Any = False, *, dim: Any = None, initial: Any = None, where: Any = True,
    return_indices: Any = False,
) -> Any:  # fmt: skip
    """The smallest element over an axis (None: of all); with `return_indices`, or over `dim`, also its place."""
    if dim is not None:
        return minimum_of(x, dim, keepdims)
    if axis is None or (isinstance(axis, list | tuple) and not axis):
        return _of_all(
            _extreme(reductions.min, elementwise.minimum, x, None, _kept(keepdims), initial, where), return_indices
        )
    if evaluator().static(return_indices, "return_indices"):
        return minimum_of(x, axis, keepdims, initial=initial, where=where)
    return _extreme(reductions.min, elementwise.minimum, x, axis, keepdims, initial, where)


def _kept(keepdims: Any) -> Any:
    """Whether axes of what is found in all of a Tensor are kept: by MindSpore's rules none are."""
    return False if settings.mindspore_rules else keepdims


def _of_all(found: Any, return_indices: Any) -> Any:
    """What is found in all of a Tensor, with a 0 for its place where MindSpore has one."""
    if not settings.mindspore_rules or not evaluator().static(return_indices, "return_indices"):
        return found
    return found, as_array(0, i64)


def _extreme(reduce: Any, combine: Any, x: Any, axis: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    a = as_array(x)
    if where is not True and where is not None:
        if initial is None:
            raise ValueError("initial value must be provided for where masks")
        a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
    made = reduce(a, axis, keepdims=keepdims)
    return made if initial is None else combine(made, initial)


@operator(".sum")
def sum_(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = None) -> Any:
    """The sum over `axis` (None: all)."""
    if isinstance(dtype, bool):  # by position, as in newer versions
        dtype, keepdims = None, dtype
    made = reductions.sum(x, None if isinstance(axis, list | tuple) and not axis else axis, dtype, keepdims)
    return made if initial is None else elementwise.add(made, initial)
