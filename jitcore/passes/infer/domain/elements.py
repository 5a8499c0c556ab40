"""Numbers in functions of elements: where control flow joins, those of several types are NumPy scalars of one dtype, as
NumPy's promotion has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import representations
from jitcore.passes.infer.domain.forms import SCALARS, ArrayForm, Form, NumberForm, fits_word
from jitcore.passes.infer.domain.values import NO_ORIGINS, Array, Number, PythonError, Static, Value
from jitcore.primitives.ops import conversions, elementwise
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, RefType, TensorType, dtype_of

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State

EXAMPLES: Final = {BOOL: False, INT: 0, FLOAT: 0.0, COMPLEX: 0j}
"""What NumPy's promotion asks of Python's numbers."""


def joined(a: Form, b: Form) -> Form | None:
    """The form of a number that is of one type or another; None for what are no numbers."""
    kinds = [_promoted(form) for form in (a, b)]
    if any(kind is None for kind in kinds):
        return None
    dtype = dtype_of(np.result_type(*kinds))
    return ArrayForm(TensorType(dtype, ()), "npscalar", NO_ORIGINS)


def _promoted(form: Form) -> Any:
    """What NumPy's promotion asks of a number."""
    match form:
        case NumberForm():
            return EXAMPLES[form.type]
        case ArrayForm(TensorType() as type_, "npscalar") if type_.rank == 0:
            return type_.dtype.numpy
        case _:
            return None


@representations.as_element.model
def as_element(infer: State, type_: TensorType | RefType, value: Value) -> Atom | None:
    """A number as a NumPy scalar of a type; None if it is one, or none can be."""
    if not isinstance(type_, TensorType) or type_.rank:
        return None
    match value:
        case Array() if value.type.rank == 0 and value.type.dtype is not type_.dtype:
            return infer.emit(elementwise.cast, value.atom, dtype=type_.dtype)
        case Number():
            return infer.emit(conversions.from_scalar, infer.number_atom(value, value.type), dtype=type_.dtype)
        case Static() if type(value.value) in SCALARS and fits_word(value.value):
            try:
                return Literal(type_.dtype.numpy.type(value.value).item(), type_)
            except OverflowError as error:
                raise PythonError(error) from None
        case _:
            return None
