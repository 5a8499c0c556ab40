"""What MindSpore's compiler says to sequences that are written to a Tensor, and of which no Tensor can be made.

x[0] = ["a", "b"]       # Failed calling TupleToTensor with "input_tuple=Tuple[String*2]".
x[0] = (y, 1)           # For 'Stack', the len of x_shape[1] should be = len of x_shape[0]: 1, but got 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jitcore.compat.mindspore.refusals import signatures
from jitcore.compat.mindspore.refusals.naming import items_of
from jitcore.compat.mindspore.refusals.shapes import Shape
from jitcore.passes.infer.engine.operands import Operand
from jitcore.types import DType

_NUMBERS: Final = ("bool", "int", "float")
_SEQUENCES: Final = ("tuple", "list", "range")
_ODD: Final = ("str", "none", "dict", "dtype", "type", "function", "ellipsis", "slice")


def unmade(value: Operand, dtype: DType | None, shape_of: Callable[[Operand], Shape | None]) -> BaseException | None:
    """The answer to a tuple or list that is written to a Tensor of a dtype."""
    if value.kind not in ("tuple", "list") or not value.items:
        return None
    items = value.items
    odd = next((i for i in items if i.kind in _ODD), None)
    if odd is not None:
        return _unconverted(items, odd)
    text = next((k for i in items if i.kind in _SEQUENCES for k in items_of(i) if k.kind == "str"), None)
    if text is not None:
        return ValueError(f"could not convert string to float: {text.value!r}")
    if all(i.kind in _NUMBERS for i in items):
        return None
    return _unlike_shapes([shape_of(i) for i in items]) or _unlike_dtypes(items, dtype)


def _unconverted(items: Sequence[Operand], odd: Operand) -> BaseException | None:
    """The answer to items that are neither numbers nor Tensors: all of one type, or some."""
    if all(i.kind == odd.kind for i in items):
        return signatures.refused_operands("TupleToTensor", [Operand("tuple", items=tuple(items))], {})
    shown = "{}" if odd.kind == "dict" and not odd.keys else odd.value
    if odd.kind == "dict" and odd.keys:
        return None
    return TypeError(f"Input data must be `int`, `float`, `bool`, `list` or `tuple`, but got {shown}")


def _unlike_shapes(shapes: Sequence[Shape | None]) -> ValueError | None:
    first = shapes[0]
    for k, shape in enumerate(shapes):
        if shape is None or first is None:
            return None
        if len(shape) != len(first):
            return ValueError(
                f"For 'Stack', the len of x_shape[{k}] should be = len of x_shape[0]: {len(first)}, "
                f"but got {len(shape)}."
            )
        if shape != first:
            return ValueError(f"For Stack element {k} shapein input can not pack with first element")
    return None


def _unlike_dtypes(items: Sequence[Operand], dtype: DType | None) -> TypeError | None:
    """The answer to Tensors of another dtype beside numbers, which are of the dtype of what is written to."""
    if dtype is None or all(i.kind == "tensor" for i in items):
        return None
    dtypes = [i.dtype if i.kind == "tensor" else dtype for i in items]
    if all(d is dtypes[0] for d in dtypes):
        return None
    shown = ", ".join(f"mindspore.tensor[{str(d).lower().rstrip('_')}]" for d in dtypes)
    return TypeError(f"For Stack, all types should be same, but got ({shown})")
