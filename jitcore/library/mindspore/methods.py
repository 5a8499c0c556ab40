"""Methods and attributes of Tensors that are no operators of `ops`, or have other parameters there."""

from __future__ import annotations

from typing import Any

from jitcore.config import settings
from jitcore.library.array import creation, indexing, places, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, rank_of, require_equal, shape_of
from jitcore.library.math import elementwise
from jitcore.library.mindspore.gathering import scattered_nd
from jitcore.library.mindspore.reducing import maximum_of, minimum_of
from jitcore.library.statistics import reductions
from jitcore.types import DType, bool_, f16, f32, f64, i8, i16, i32, i64, u8

# --- conversions --------------------------------------------------------------------------------------


def _conversion(name: str, dtype: DType) -> None:
    def convert(x: Any) -> Any:
        return elementwise.astype(x, dtype, False)

    convert.__doc__ = f"The elements as {dtype!r}."
    operator(f".{name}", "same")(convert)


for _name, _dtype in {
    "float": f32, "double": f64, "half": f16, "int": i32, "long": i64, "short": i16,
    "char": i8, "byte": u8, "bool": bool_,
}.items():  # fmt: skip
    _conversion(_name, _dtype)


@operator(".to", "same")
def to(x: Any, *args: Any, **keywords: Any) -> Any:
    """The elements converted to a dtype, or to that of a Tensor, which may stand behind a device."""
    given = (*args, *(keywords[k] for k in ("dtype", "device", "other") if k in keywords))
    dtype = next((d for d in given if d is not None and not isinstance(d, bool) and not _is_device(d)), None)
    return x if dtype is None else astype(x, dtype_of_value(dtype) if is_array(dtype) else dtype)


def _is_device(x: Any) -> bool:
    return isinstance(x, str) and x.lower().partition(":")[0] in ("cpu", "gpu", "npu", "ascend")


@operator(".type", "same")
def type_(input: Any, dtype: Any = None) -> Any:
    """The name of the dtype, or the elements converted to another."""
    return str(dtype_of_value(input)).removesuffix("_").capitalize() if dtype is None else astype(input, dtype)


@operator(".astype", "same")
def astype(x: Any, dtype: Any, copy: Any = True) -> Any:
    """The elements converted to a dtype; names of dtypes may have capitals."""
    return elementwise.astype(x, dtype.lower() if isinstance(dtype, str) else dtype, copy)


@operator(".type_as", "same")
def type_as(x: Any, other: Any) -> Any:
    """The elements converted to the dtype of another Tensor."""
    return elementwise.astype(x, dtype_of_value(other), False)


@operator(".clone .contiguous")
def clone(x: Any) -> Any:
    """A copy."""
    return elementwise.copy(x)


@operator(".value", "same")
def value(x: Any) -> Any:
    """What a Parameter holds now."""
    return elementwise.copy(x)


@operator(".detach .stop_gradient")
def detach(x: Any) -> Any:
    """The Tensor as a constant for gradients."""
    return elementwise.stop_gradient(x)


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


# --- items and shapes -----------------------------------------------------------------------------------


@operator(".itemset")
def itemset(x: Any, *args: Any) -> Any:
    """A new Tensor with one element replaced: `itemset(value)` or `itemset(index, value)`."""
    a = as_array(x)
    if len(args) == 1:
        require_equal(reductions.count(a, tuple(range(rank_of(a)))), 1, "itemset of {0} elements needs an index")
        return creation.full_like(a, args[0])
    key, value = args
    if isinstance(key, tuple):
        return scattered_nd(a, evaluator().constant(key, i64), value, "update")
    flat = scattered_nd(shapes.ravel(a), evaluator().constant((key,), i64), value, "update")
    return shapes.reshape(flat, tuple(evaluator().number(n) for n in shape_of(a)))


@operator(".where")
def where(x: Any, condition: Any, y: Any) -> Any:
    """The Tensor where the condition holds, else y."""
    return elementwise.where(condition, x, y)


@operator(".select")
def select(x: Any, condition: Any, y: Any) -> Any:
    """The Tensor where the condition holds, else y; of an axis and an index, the sub-Tensor there."""
    if is_array(condition) and dtype_of_value(condition) is bool_:
        return elementwise.where(condition, x, y)
    return indexing.take(x, y, condition)


@operator(".choose")
def choose(x: Any, choices: Any, mode: Any = "clip") -> Any:
    """For each index in the Tensor, the element of that choice; indices outside are clipped or wrapped, as `mode`
    says."""
    return places.choose(x, choices, mode=mode)
