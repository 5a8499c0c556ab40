"""Operators, attributes, methods and items of arrays: each is a library function, looked up in its tables."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.library import operators, tables
from jitcore.library.array import indexing
from jitcore.library.core.values import evaluator, require_equal, tensor_type
from jitcore.library.math import elementwise as functions
from jitcore.passes.infer.arrays.numpy_calls import call_or_refuse
from jitcore.passes.infer.domain import abstract, array_operations, sequences
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import Array, Bound, Boxed, Number, PythonError, Sequence, Static, Tuple, Value
from jitcore.passes.infer.engine import dialect, numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.primitives.core.array_classes import ARRAY_CLASSES
from jitcore.primitives.core.dialects import known
from jitcore.primitives.ops import conversions, elementwise, python_ints
from jitcore.types import DType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


_OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_SWAPPED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_UNARY_NAMES: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_UNARY_OPERATORS: Final[dict[str, Callable[..., Any]]] = {"-": operator.neg, "+": operator.pos, "~": operator.inv}


@array_operations.call_method.model
def call_method(infer: Infer, name: str, *values: Value, **keywords: Value) -> Value:
    """Call the library function behind a method of arrays."""
    return call_library(infer, tables.ARRAY_METHODS[name], values, keywords)


@array_operations.binary.model
def binary(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` with an array among them."""
    name = _OPERATORS[op].__name__.rstrip("_")
    made = _by_framework(infer, (f"__{name}__", f"__r{name}__"), x, y) if known else None
    if made is not None:
        return made
    scalars = all(isinstance(v, Array) and v.category == "npscalar" for v in (x, y))
    if not _is_operand(x) or not _is_operand(y) or (op == "@" and scalars):
        raise refusal(infer, f"'{op}' of such operands", _OPERATORS[op], x, y)
    return call_or_refuse(infer, f"'{op}'", _OPERATORS[op], tables.BINARY_OPERATORS[op], [x, y], {}, sized=False)


def _is_operand(value: Value) -> bool:
    if isinstance(value, Array | Number):
        return True
    return numbers.type_of_number(value) is not None or sequences.static_sequence(value)


@array_operations.inplace.model
def inplace(infer: Infer, op: str, target: Array, operand: Value) -> Value:
    """`target op= operand`: writes into the target's memory."""
    plain = getattr(operator, "i" + _OPERATORS[op].__name__.rstrip("_"))
    made = _by_framework(infer, (f"__{plain.__name__}__", None), target, operand) if known else None
    if made is not None:
        return made
    if not _is_operand(operand):
        raise refusal(infer, f"'{op}=' of such operands", plain, target, operand)
    call_or_refuse(infer, f"'{op}='", plain, tables.INPLACE_OPERATORS[op], [target, operand], {}, sized=False)
    return target


@array_operations.divmod_.model
def divmod_(infer: Infer, x: Value, y: Value) -> Value:
    """`divmod(x, y)` with an array among them."""
    function = tables.NUMPY_FUNCTIONS[np.divmod]
    return call_or_refuse(infer, "divmod()", divmod, function, [x, y], {})


@array_operations.unary.model
def unary(infer: Infer, op: str, x: Array) -> Value:
    """`op x`."""
    own = _own(x, _UNARY_NAMES[op])
    if own is not None:
        return abstract.call(infer, Static(own), [x], {})
    return call_or_refuse(infer, f"'{op}x'", _UNARY_OPERATORS[op], tables.UNARY_OPERATORS[op], [x], {}, sized=False)


@array_operations.compare.model
def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` for an elementwise comparison."""
    plain = numbers.COMPARE[op].__name__
    made = _by_framework(infer, (f"__{plain}__", f"__{_SWAPPED.get(plain, plain)}__"), x, y) if known else None
    if made is not None:
        return made
    for value in (x, y):
        if not _is_operand(value):
            if op in ("==", "!=") and not _is_numpys(x) and not _is_numpys(y):
                return Static(op == "!=")
            if op in ("==", "!=") and all(_is_alone(v) for v in (x, y)):
                unequal = op == "!="
                return Static(unequal if isinstance(value, Static) and value.value is None else np.bool_(unequal))
            if op in ("==", "!="):
                raise infer.unsupported(f"an ndarray {op} a {type_name(value)}", "a comparison with a number")
            if _is_numpys(x) or _is_numpys(y):
                raise refusal(infer, f"'{op}' of such operands", numbers.COMPARE[op], x, y)
            names = (type_name(x), type_name(y))
            raise PythonError(TypeError(f"'{op}' not supported between instances of '{names[0]}' and '{names[1]}'"))
    return call_or_refuse(
        infer, f"'{op}'", numbers.COMPARE[op], tables.COMPARISON_OPERATORS[op], [x, y], {}, sized=False
    )


_AMBIGUOUS_TRUTH: Final = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
_EMPTY_TRUTH: Final = (
    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
)


def _is_alone(value: Value) -> bool:
    """Whether a value is a number, string or None, which NumPy makes no array of."""
    if isinstance(value, Array):
        return value.category == "npscalar"
    if isinstance(value, Static):
        return value.value is None or type(value.value) is str
    return type_name(value) == "str"


def _is_numpys(value: Value) -> bool:
    return isinstance(value, Array) and not value.is_tensor


@array_operations.truth.model
def truth(infer: Infer, x: Array) -> Value:
    """`bool(x)`: of arrays with one element."""
    size = x.type.size
    if isinstance(size, int) and size != 1:
        message = _EMPTY_TRUTH if size == 0 else _AMBIGUOUS_TRUTH
        raise PythonError(ValueError(dialect.in_words(infer, message, x.category)))
    return numbers.truth(infer, call_library(infer, _truth, [x], {}))


def _truth(x: Any) -> Any:
    """The truth of an array's only element."""
    size = tensor_type(x).size
    if not isinstance(size, int):
        number = evaluator().number(size)
        conversions.check(python_ints.int_ne(number, 0), exception="ValueError", message=_EMPTY_TRUTH)
    require_equal(size, 1, _AMBIGUOUS_TRUTH)
    return indexing.item(functions.truth(x))


@array_operations.item.model
def item(infer: Infer, x: Array, dtype: DType | None = None, *, real: bool = True) -> Value:
    """The only element of an array as a Python number, as `int(x)` and `float(x)` take it (converted to `dtype`
    before); of complex arrays the real part, unless `real` is false."""
    if x.category == "ndarray" and x.type.dtype.kind == "c" and real:
        raise refusal(infer, "a number of such an array", float, x)
    if x.category == "npscalar" and x.type.dtype.kind == "c" and real:  # NumPy warns, and takes the real part
        made = call_library(infer, tables.ARRAY_PROPERTIES["real"], [x], {})
        assert isinstance(made, Array)
        x = made
    if not x.is_tensor and x.type.shape:
        try:
            float(np.ones((1,) * x.type.rank))
        except TypeError as error:  # as the NumPy installed has it
            raise PythonError(TypeError(str(error))) from None
    return call_library(infer, _item, [x, Static(dtype)], {})


def _item(x: Any, dtype: DType | None) -> Any:
    message = "only length-1 arrays can be converted to Python scalars"
    require_equal(tensor_type(x).size, 1, message, "TypeError")
    return indexing.item(x if dtype is None else functions.astype(x, dtype))


@array_operations.contains.model
def contains(infer: Infer, x: Array, wanted: Value) -> Value:
    """`wanted in x`, a bool."""
    if x.category == "npscalar":
        raise refusal(infer, "'in'", operator.contains, x, wanted)
    return abstract.truth(infer, call_method(infer, "any", compare(infer, "==", x, wanted)))


# --- attributes -------------------------------------------------------------------------------------


@array_operations.attribute.model
def attribute(infer: Infer, x: Array, name: str) -> Value:
    """`x.name`."""
    type_ = x.type
    alike = infer.environment.attributes
    if alike is not None and not x.is_tensor and name not in alike:
        raise infer.unsupported(
            f"'{name}' of another library's array, which may mean something else", "a function of NumPy"
        )
    own = _own(x, name)
    if own is not None:
        return _of_framework(infer, x, name, own)
    if name == "shape":
        return Tuple(tuple(infer.extent(d) for d in type_.shape))
    if name == "dtype":
        return Static(dtype_object(x))
    if name in ("ndim", "rank"):
        return Static(type_.rank)
    if name == "size":
        return infer.extent(type_.size)
    if name == "itemsize":
        return Static(type_.dtype.itemsize)
    if name == "nbytes":
        return infer.extent(type_.size * type_.dtype.itemsize)
    if x.source is None and not hasattr(class_of(x), name):
        raise PythonError(AttributeError(f"'{type_name(x)}' object has no attribute '{name}'"))
    if name == "device" and not x.is_tensor:
        return Static("cpu")
    if name in ("strides", "flat") and not x.is_tensor:
        return _strides(infer, x) if name == "strides" else _flat(infer, x)
    if x.is_tensor and name in operators.PROPERTIES:
        return call_library(infer, operators.PROPERTIES[name], [x], {})
    if x.is_tensor and name in operators.METHODS:
        return Bound(Static(operators.METHODS[name]), (x,), name=name)
    if name in tables.ARRAY_PROPERTIES:
        return call_library(infer, tables.ARRAY_PROPERTIES[name], [x], {})
    if name in ("asnumpy", "numpy") and infer.differentiating and not x.is_ref and type_.dtype.kind != "b":
        # what is computed with an ndarray is no part of gradients
        x = Array(infer.emit(elementwise.stop_gradient, x.atom), x.category, x.origins)
    if name in tables.ARRAY_METHODS:
        return Bound(Static(tables.ARRAY_METHODS[name]), (x,), name=name)
    if x.source is not None:
        return infer.inputs.captured(
            _attribute_of_source(x, name), (*(x.path or ()), ("attr", name)), numbers_static=True
        )
    raise infer.unsupported(f"the attribute '{name}' of {type_name(x)} arrays")


def _of_framework(infer: Infer, x: Array, name: str, found: object) -> Value:
    """What `x.name` is by the class of a Tensor of another framework, which has `found` under that name."""
    if isinstance(found, property):
        return abstract.call(infer, Static(found.fget), [x], {})
    if isinstance(found, staticmethod):
        return Static(found.__func__)
    if isinstance(found, classmethod):
        return Bound(Static(found.__func__), (Static(class_of(x)),), name=name)
    return Bound(Static(found), (x,), name=name) if callable(found) else Static(found)


def _by_framework(infer: Infer, names: tuple[str, str | None], x: Value, y: Value) -> Value | None:
    """What the class of a Tensor of another framework makes of an operator: `names` are the method's of the left
    operand and of the right one, which are asked in Python's order. None if it leaves it to jitcore's."""
    asked = [(_own(x, names[0]), x, y), (None if names[1] is None else _own(y, names[1]), y, x)]
    if isinstance(x, Array) and isinstance(y, Array) and class_of(x) in class_of(y).__mro__[1:]:
        asked.reverse()  # the class of the right one derives from the left one's
    elif isinstance(x, Array) and asked[0][0] is None:
        return None
    for own, value, other in asked:
        if own is not None:
            made = abstract.call(infer, Static(own), [value, other], {})
            if not (isinstance(made, Static) and made.value is NotImplemented):
                return made
    return None


def _own(value: Value, name: str) -> Any:
    """What the class of another framework's Tensor has under a name; None of anything else."""
    framework = known.get(value.category) if known and isinstance(value, Array) else None
    return None if framework is None else framework.attribute(name)


def _strides(infer: Infer, x: Array) -> Value:
    """The distances of neighbours in bytes."""
    layout = infer.layouts.get(x.atom)
    if x.type.shape and layout is None:
        raise infer.unsupported("the strides of an array whose place in memory is not known")
    strides = () if layout is None or not x.type.shape else layout.strides
    return Tuple(tuple(infer.extent(d * x.type.dtype.itemsize) for d in strides))


def _flat(infer: Infer, x: Array) -> Value:
    """The elements in order: a view of an array that lies so."""
    layout = infer.layouts.get(x.atom)
    if len(x.type.shape) > 1 and (layout is None or not layout.is_contiguous):
        raise infer.unsupported("the flat iterator of an array that does not lie in order", "x.ravel()")
    return call_method(infer, "ravel", x)


@array_operations.set_attribute.model
def set_attribute(infer: Infer, x: Array, name: str, value: Value) -> bool:
    """`x.name = value`, if it only changes elements."""
    written = tables.WRITTEN_PROPERTIES.get(name)
    if written is None or x.category != "ndarray":
        return False
    call_library(infer, written, [x, value], {})
    return True


def _attribute_of_source(x: Array, name: str) -> Any:
    try:
        return getattr(x.source, name)
    except AttributeError as error:
        raise PythonError(error) from None


def dtype_object(x: Array) -> Any:
    """What `x.dtype` is: NumPy's for NumPy's arrays, jitcore's for Tensors."""
    return x.type.dtype if x.is_tensor else x.type.dtype.numpy


@array_operations.class_of.model
def class_of(x: Array) -> type:
    """`type(x)`."""
    if x.source is not None:
        return type(x.source)
    if x.is_tensor:
        return next(cls for cls, described in ARRAY_CLASSES.items() if described.category == x.category)
    return np.ndarray if x.category == "ndarray" else x.type.dtype.numpy.type


# --- items ------------------------------------------------------------------------------------------


@array_operations.getitem.model
def getitem(infer: Infer, x: Array, key: Value) -> Value:
    """`x[key]`."""
    own = _own(x, "__getitem__")
    if own is not None:
        return abstract.call(infer, Static(own), [x, key], {})
    key = _plain_key(infer, key)
    return call_library(infer, tables.GETITEM, [x, key], {})


@array_operations.setitem.model
def setitem(infer: Infer, x: Array, key: Value, value: Value) -> None:
    """`x[key] = value`."""
    own = _own(x, "__setitem__")
    if own is not None:
        abstract.call(infer, Static(own), [x, key, value], {})
        return
    if x.category == "npscalar":
        raise PythonError(TypeError(f"'{type_name(x)}' object does not support item assignment"))
    key = _plain_key(infer, key)
    call_or_refuse(infer, "assigning such items", operator.setitem, tables.SETITEM, [x, key, value], {}, sized=False)


def _plain_key(infer: Infer, key: Value) -> Value:
    """A key with what is static in it; iterables known only at run time are no keys."""
    if isinstance(key, Sequence):
        raise infer.unsupported("an array indexed by an iterator", "a list, a slice or an index array")
    if any(isinstance(k, Boxed) for k in (key.items if isinstance(key, Tuple) else (key,))):
        raise infer.unsupported("an array indexed by a list whose length the run says", "an index array")
    return key
