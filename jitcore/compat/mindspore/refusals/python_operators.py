"""What MindSpore says to Python's operators on operands it does not take, and what it makes of those that only Python
refuses."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals import (
    containing,
    dtypes,
    dynamic_length,
    eager_operators,
    equality,
    powers,
    sequence_operators,
    shapes,
    signatures,
    tensors,
)
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name, items_of, kind_name, python_name
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.nn import Cell
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation
from jitcore.structs import dataclass
from jitcore.types import DType

_NUMBERS: Final = ("bool", "int", "float", "complex")
_SEQUENCES: Final = ("tuple", "range", "list")


@dataclass(frozen=True, slots=True)
class Operator:
    """A Python operator in MindSpore: the operator and the overloaded function that stand for it, what it becomes with
    a Tensor on the right alone, which kinds of first operands it knows besides Tensors and numbers, whether sequences
    beside a Tensor become Tensors."""

    primitive: str
    function: str
    reflected: str = ""
    first: tuple[str, ...] = ()
    converts: bool = False
    method: bool = False
    """Whether the overloaded method of Tensors is called with whatever it is, and not with None alone."""


_ORDERED: Final = ("str", "tuple", "range", "list")
_OPERATORS: Final = {
    "+": Operator("Add", "add", "Add", (*_ORDERED, "none", "dict"), converts=True),
    "-": Operator("Sub", "sub", "", _ORDERED[1:], converts=True),
    "*": Operator("Mul", "mul", "Mul", _ORDERED, converts=True),
    "/": Operator("Div", "div", "Mul", _ORDERED[1:], converts=True, method=True),
    "//": Operator("FloorDiv", "floordiv", "", _ORDERED[1:], converts=True),
    "%": Operator("Mod", "__mod__", "", _ORDERED, converts=True, method=True),
    "**": Operator("Pow", "pow", "", (), method=True),
    "&": Operator("BitwiseAnd", "bitwise_and", "python", (), method=True),
    "|": Operator("BitwiseOr", "bitwise_or", "python", (), method=True),
    "^": Operator("BitwiseXor", "bitwise_xor", "python", (), method=True),
    "<<": Operator("", "left_shift", "python", ()),
    ">>": Operator("", "right_shift", "python", ()),
    "<": Operator("Less", "less", "Greater", _ORDERED),
    "<=": Operator("LessEqual", "less_equal", "GreaterEqual", _ORDERED),
    ">": Operator("Greater", "greater", "Less", _ORDERED),
    ">=": Operator("GreaterEqual", "greater_equal", "LessEqual", _ORDERED),
}
_AUGMENTED: Final = frozenset(["+", "-", "*", "/", "//", "%"])
_EAGER: Final = frozenset(["complex", "function", "dtype", "type", "slice", "ellipsis"])
"""Operands beside which operators are run line by line."""
_BITS: Final = {"&": "bit_and", "|": "bit_or", "^": "BitXor", "<<": "BitLeftShift", ">>": "BitRightShift"}
_IMMEDIATES: Final = {"bool": "BoolImm", "int": "Int64Imm", "float": "FP32Imm"}


def binary(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x op y`, arithmetic or comparison."""
    op, (x, y) = operation.name, operation.operands
    if op in ("is", "isnot"):
        return equality.identity(op, x, y)
    if (op in _OPERATORS or op == "@") and (odd := _beside_objects(op, x, y)) is not None:
        return odd
    if op in ("in", "notin") and (odd := containing.uncontaining(x, y)) is not None:
        return odd
    told = y.kind in (*_NUMBERS, "tuple", "str", "none")
    if operation.what == "inplace" and op == "+" and x.kind == "list" and told and not x.dynamic:  # `x + y`
        return TypeError(f'can only concatenate list (not "{class_name(y)}") to list')
    if "union" in (x.kind, y.kind) or "instance" in (x.kind, y.kind) or "object" in (x.kind, y.kind):
        return None
    if op in ("in", "notin"):
        return containing.answer(op, x, y)
    if (x.dynamic or y.dynamic) and (found := dynamic_length.binary(op, x, y)) is not None:
        return found
    if op in ("==", "!="):
        return _equality(op, x, y)
    if op == "@":
        return _matmul(x, y)
    if op == "%" and x.kind == "str":
        return None
    if "complex" not in (x.kind, y.kind) and (odd := _renamed(op, x, y)) is not None:
        return odd
    known = _OPERATORS.get(op)
    if known is None:
        return None
    of_numpy = "ndarray" in (x.kind, y.kind) or "npscalar" in (x.kind, y.kind)
    if of_numpy and ("dict" not in (x.kind, y.kind) or known.reflected == "python"):
        return _beside_numpy(op, known, x, y)
    if "dict" in (x.kind, y.kind):
        if x.kind == y.kind and op == "+":
            return Instead(_merged)
        augmented = operation.what == "inplace" and op in _AUGMENTED
        return _unsupported(f"augassign_{known.function.strip('_')}" if augmented else known.function, known, x, y)
    if "tensor" in (x.kind, y.kind):
        in_place = operation.what == "inplace" and op in _AUGMENTED
        return _of_tensor(op, known, x, y, in_place)
    return _of_others(op, x, y)


def inplace(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x op= y`: of a list it is `x op y`."""
    op, (x, y) = operation.name, operation.operands
    if op == "+" and x.kind == y.kind == "dict":
        return RuntimeError(
            "For operation 'augassign_add', current input arguments types are <Dictionary, Dictionary>. "
            "The 1-th argument type 'Dictionary' is not supported now."
        )
    answered = binary(operation)
    if answered is None and op == "+" and x.kind == "list" and y.kind not in ("list", "object", "union", "instance"):
        return Instead(_FUNCTIONS[op])
    return answered


_FUNCTIONS: Final = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "@": operator.matmul, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_STAND_INS: Final[dict[str, Any]] = {
    "bool": True, "int": 1, "float": 1.0, "str": "a", "none": None, "tuple": (), "range": (), "list": [], "dict": {},
    "function": lambda: None, "ellipsis": ..., "type": int, "slice": slice(1),
}  # fmt: skip
_RENAMED: Final = frozenset(["range", "function", "dtype", "npscalar"])
_MADE: Final = frozenset(["dtype", "npscalar"])
_OF_NUMPY: Final = frozenset(["npscalar", *_NUMBERS])
"""Numbers of NumPy's among numbers, which are left to it; beside anything else they are Python's in MindSpore."""


def _renamed(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to operands of which one is of a class that MindSpore's programs do not have, or not by that name:
    ranges are tuples there. Python says it of others of such names."""
    renamed = any((o.marked and o.kind not in _NUMBERS) or o.kind in _RENAMED for o in (x, y))
    if op not in _FUNCTIONS or not renamed:
        return None
    kinds = {x.kind, y.kind}
    if not kinds <= _STAND_INS.keys() | _MADE or "dict" in kinds or (kinds <= _OF_NUMPY and "dtype" not in kinds):
        return None
    try:
        _FUNCTIONS[op](_stand_in(x), _stand_in(y))
    except TypeError as error:
        return error
    return Instead(_AS_TUPLES[op]) if "range" in (x.kind, y.kind) and op in _AS_TUPLES else None


def _stand_in(x: Operand) -> Any:
    if x.kind == "npscalar":
        return {"float": 1.0, "bool": True}.get(python_name(x), 1)
    return type(python_name(x), (), {"__hash__": None})() if x.kind == "dtype" else _STAND_INS[x.kind]


def _tuple(x: Any) -> Any:
    return tuple(x) if isinstance(x, range) else x


_AS_TUPLES: Final[dict[str, Any]] = {
    "+": lambda x, y: _tuple(x) + _tuple(y),
    "-": lambda x, y: _tuple(x) - _tuple(y),
    "*": lambda x, y: _tuple(x) * _tuple(y),
    "/": lambda x, y: _tuple(x) / _tuple(y),
    "//": lambda x, y: _tuple(x) // _tuple(y),
    "%": lambda x, y: _tuple(x) % _tuple(y),
    "**": lambda x, y: _tuple(x) ** _tuple(y),
    "<": lambda x, y: _tuple(x) < _tuple(y),
    "<=": lambda x, y: _tuple(x) <= _tuple(y),
    ">": lambda x, y: _tuple(x) > _tuple(y),
    ">=": lambda x, y: _tuple(x) >= _tuple(y),
    "==": lambda x, y: _tuple(x) == _tuple(y),
    "!=": lambda x, y: _tuple(x) != _tuple(y),
}


def _numpys(function: Any) -> Any:
    def by_numpy(x: Any, y: Any) -> Any:
        return function(x, y.asnumpy())

    return by_numpy


_BY_NUMPY: Final = {op: _numpys(function) for op, function in _FUNCTIONS.items()}


def _merged(x: Any, y: Any) -> Any:
    return {**x, **y}


def _nothing(x: Any, y: Any) -> Any:
    return None


def _equality(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    if "tensor" not in (x.kind, y.kind):
        return _renamed(op, x, y) or equality.answer(op, x, y)
    other = y if x.kind == "tensor" else x
    if "ndarray" in (x.kind, y.kind) and other is x:
        return Instead(_BY_NUMPY[op])
    if other.kind in _SEQUENCES or other.kind in ("dict", "complex", "ndarray"):
        return Instead(_unequal if op == "==" else _different)
    if other.kind == "npscalar":
        return Instead(_with_number(op, other is x))
    name = "Equal" if op == "==" else "NotEqual"
    return _unpromoted(name, x, y) or shapes.unlike(name, x, y, names=("input", "other")) if x.kind == y.kind else None


def _unequal(x: Any, y: Any) -> bool:
    return False


def _different(x: Any, y: Any) -> bool:
    return True


def _matmul(x: Operand, y: Operand) -> BaseException | None:
    for name, o in (("input", x), ("other", y)):
        if o.kind == "npscalar":
            return TypeError(f'Failed calling MatMulExt with "{name}={dtype_name(o.dtype)}".')
    if x.kind == y.kind == "tensor" and x.dtype != y.dtype:
        return TypeError("For primitive[MatMulExt], the input type must be same.")
    refused = signatures.refused_operands("MatMulExt", [x, y], {})
    return refused or shapes.product("MatMulExt", x, y)


def _unsupported(function: str, known: Operator, x: Operand, y: Operand) -> RuntimeError:
    """The answer to operands of kinds that no overload has."""
    first = x.kind not in ("tensor", "npscalar", *_NUMBERS, *known.first) or (
        x.kind == "tensor" and not known.primitive
    )
    which, named = ("1", x) if first else ("2", y)
    names = f"<{_word(x)}, {_word(y)}>"
    return RuntimeError(
        f"For operation '{function.strip('_')}', current input arguments types are {names}. "
        f"The {which}-th argument type '{_word(named)}' is not supported now."
    )


def _word(x: Operand) -> str:
    if x.kind == "npscalar":
        return dtype_name(x.dtype)
    return {"bool": "Bool", "float": "Float32", "none": "None", "function": "Function"}.get(x.kind) or kind_name(x)


def _of_tensor(op: str, known: Operator, x: Operand, y: Operand, in_place: bool) -> BaseException | Instead | None:
    """The answer to an operator with a Tensor on one side or both."""
    if op in ("<<", ">>"):
        return eager_operators.refused(op, x, y)
    if x.kind == y.kind:
        return (
            (None if in_place else _unpromoted(known.primitive, x, y))
            or dtypes.refused(known.primitive, [x, y])
            or shapes.unlike(known.primitive, x, y)
            or _unordered(op, known.primitive, x, y)
        )
    on_left = x.kind == "tensor"
    other = y if on_left else x
    if other.kind == "str" and op == "%" and not on_left:
        return None  # which is text
    if other.kind in _NUMBERS and other.kind != "complex":
        return (
            eager_operators.promoted(known.primitive, x, y) if op in _BITS else dtypes.refused(known.primitive, [x, y])
        )
    if other.kind in _SEQUENCES and (known.converts or (op == "**" and not on_left)):
        return _converted(op, known, x, y)
    return eager_operators.refused(op, x, y)


_WITHOUT_TEXT: Final = frozenset(["Less", "Equal"])


def _is_wide_unsigned(dtype: DType) -> bool:
    return dtype.kind == "u" and dtype.itemsize > 1


def _unpromoted(primitive: str, x: Operand, y: Operand) -> TypeError | None:
    """The answer to unsigned ints beside Tensors of other dtypes."""
    if x.dtype is None or y.dtype is None or _is_wide_unsigned(x.dtype) == _is_wide_unsigned(y.dtype):
        return None
    first, second = dtype_name(x.dtype), dtype_name(y.dtype)
    if primitive in ("Mul", "Mod", "Div"):
        name = "RemainderTensorTensor" if primitive == "Mod" else primitive
        return TypeError(f"For Op[{name}], the promote output type is invalid")
    if primitive in _WITHOUT_TEXT:
        return TypeError(dtypes.unselected(primitive, x))
    return TypeError(f"Type implicit conversion between {second} and {first} is not supported.")


def _unordered(op: str, primitive: str, x: Operand, y: Operand) -> BaseException | None:
    """The answer to the order, or the remainder, of complex numbers."""
    complex_ = any(o.dtype is not None and o.dtype.kind == "c" for o in (x, y))
    if not complex_ or op not in ("<", "<=", ">", ">=", "%"):
        return None
    return (RuntimeError if op == "%" else TypeError)(dtypes.unselected(primitive, x))


def _beside_objects(op: str, x: Operand, y: Operand) -> BaseException | None:
    """The answer to a Tensor beside an object of a class that has no such operator; after a Tensor it is not asked, but
    for shifts and equality."""
    kinds = (x.kind, y.kind)
    if "tensor" not in kinds or not any(k in ("instance", "object") for k in kinds):
        return None
    other = y if x.kind == "tensor" else x
    cls = other.value if other.kind == "instance" else type(other.value)
    if other.value is UNKNOWN or not isinstance(cls, type):
        return None
    if (other is x or op in ("<<", ">>", "==", "!=")) and _has_operator(cls, op, reflected=other is y):
        return None
    if op == "@":
        shown = "Func" if issubclass(cls, Cell) else "External"
        return TypeError(f'Failed calling MatMulExt with "{"other" if other is y else "input"}={shown}".')
    return eager_operators.refused(op, x, y)


def _has_operator(cls: type, op: str, *, reflected: bool) -> bool:
    """Whether a class says itself what the operator does with a Tensor."""
    name = eager_operators.method_name(
        _TURNED.get(op, op) if reflected else op, reflected=reflected and op not in _TURNED
    )
    return getattr(cls, name, None) is not getattr(object, name, None)


_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _beside_numpy(op: str, known: Operator, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to an array or scalar of NumPy's: on the left of a Tensor arrays make ndarrays, on the right they are
    no operands."""
    if "tensor" not in (x.kind, y.kind):
        return None
    tensor, other = (x, y) if x.kind == "tensor" else (y, x)
    if op in ("<<", ">>"):
        return eager_operators.refused(op, x, y) if other.kind == "npscalar" else _unshifted(op, tensor)
    if other.kind == "npscalar":
        refused = eager_operators.promoted(known.primitive, tensor, other) if op in _BITS else None
        return refused or Instead(_with_number(op, other is x))
    if other is y:
        return eager_operators.refused(op, x, y)
    if isinstance(x.value, np.ndarray) and x.value.dtype.kind in "US":
        return _strings(op, x.value, y)
    return Instead(_BY_NUMPY[op])


@cache
def _with_number(op: str, is_first: bool) -> Callable[[Any, Any], Any]:
    """An operator of a Tensor and a scalar of NumPy's, which is a number of Python's and does not widen the Tensor's
    dtype."""
    function = _FUNCTIONS[op]

    def of_number(x: Any, y: Any) -> Any:
        return function(x.item(), y)

    def of_tensor(x: Any, y: Any) -> Any:
        return function(x, y.item())

    return of_number if is_first else of_tensor


def _unshifted(op: str, x: Operand) -> TypeError | None:
    if x.dtype is None or x.dtype.kind not in "fc":
        return None
    name = "left_shift" if op == "<<" else "right_shift"
    return TypeError(
        f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any "
        "supported types according to the casting rule ''safe''"
    )


def _strings(op: str, x: Any, y: Operand) -> BaseException | None:
    """What NumPy says to strings and numbers."""
    assert y.dtype is not None
    try:
        _FUNCTIONS[op](x, np.ones(x.shape, y.dtype.numpy))
    except TypeError as error:
        return RuntimeError(str(error)) if type(error) is not TypeError else error
    return None


def _converted(op: str, known: Operator, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer where a sequence becomes a Tensor of the other's dtype, if it can: of numbers or of Tensors of one
    dtype."""
    sequence, tensor = (x, y) if y.kind == "tensor" else (y, x)
    if op == "**" and not all(map(_is_numeric, items_of(sequence))):
        return tensors.unsupported(tuple(i.value for i in sequence.items))
    if not all(_is_numeric(i) for i in items_of(sequence)):
        return signatures.refused_operands("TupleToTensor", [Operand("tuple", items=sequence.items)], {})
    made = Operand("tensor", tensor.dtype, (len(items_of(sequence)),))
    ordered = [made, y] if sequence is x else [x, made]
    refused = dtypes.refused(known.primitive, ordered)
    if refused is None and all(i.kind in _NUMBERS for i in items_of(sequence)):
        primitive = {"Mod": "FloorMod", "Div": "RealDiv" if sequence.marked else "Div"}.get(
            known.primitive, known.primitive
        )
        refused = shapes.unlike(primitive, ordered[0], ordered[1])
    return refused or Instead(_with_sequence(op, sequence is x))


def _is_numeric(x: Operand) -> bool:
    return x.kind in (*_NUMBERS, "tensor") or (x.kind in _SEQUENCES and all(map(_is_numeric, x.items)))


@cache
def _with_sequence(op: str, is_first: bool) -> Callable[[Any, Any], Any]:
    """An operator of a Tensor and a sequence, whose quotients are of the Tensor's dtype if the sequence is divided."""
    function = _FUNCTIONS[op]

    def of_sequence(x: Any, y: Any) -> Any:
        return function(Tensor(_tuple(x), y.dtype), y)

    def divided(x: Any, y: Any) -> Any:
        return (Tensor(_tuple(x), y.dtype) / y).astype(y.dtype)

    def of_tensor(x: Any, y: Any) -> Any:
        return function(x, Tensor(_tuple(y), x.dtype))

    if not is_first:
        return of_tensor
    return divided if op == "/" else of_sequence


def _of_others(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to operands of which none is a Tensor: Python's own, but for a few."""
    kinds = (x.kind, y.kind)
    if kinds == ("none", "none") and op == "+":
        return Instead(_nothing)
    if op == "*":
        return _repeated(x, y) or _repeated(y, x, turned=True)
    if op == "**":
        return powers.answer(x, y)
    if op in ("/", "//", "%") and set(kinds) <= set(_NUMBERS):
        variable = x.marked or y.marked
        if op == "//" and y.value is UNKNOWN:
            return Instead(_variably_floored if variable else _floored)
        return divided(op, y, variable=variable)
    if op in _BITS and set(kinds) <= {"bool", "int", "float"}:
        return _bits(op, x, y)
    if op in ("<", "<=", ">", ">="):
        return _order(op, x, y)
    return None


BY_ZERO: Final = "The divisor could not be zero. But the divisor is zero now."
_FLOOR_BY_ZERO: Final = "The floor divisor could not be zero. But the divisor is zero now."
MODULO_ZERO: Final = "Cannot perform modulo operation on zero."


def divided(op: str, divisor: Operand, *, variable: bool = False) -> ValueError | None:
    """The answer to a division by a number that is known to be 0 (`variable`: an operand is marked as variable)."""
    if divisor.value is UNKNOWN or divisor.value != 0:
        return None
    if variable and op == "//":
        return ValueError(_FLOOR_BY_ZERO)
    return ValueError(BY_ZERO if op != "%" else MODULO_ZERO)


def _floored(x: float, y: float) -> float:
    """Python's words for this are those of `divmod`, too, which MindSpore leaves to Python."""
    if y == 0:
        raise ValueError(BY_ZERO)
    return x // y


def _variably_floored(x: float, y: float) -> float:
    if y == 0:
        raise ValueError(_FLOOR_BY_ZERO)
    return x // y


def _repeated(sequence: Operand, count: Operand, *, turned: bool = False) -> BaseException | None:
    if sequence.kind in ("tuple", "list") and count.kind == "float":
        quote = "" if count.marked else "'"
        return TypeError(f"{quote}can't multiply sequence by non-int of type '<class 'float'>'.{quote}")
    if sequence.kind == "str" and (count.kind in ("float", "bool") or (count.kind == "int" and count.marked)):
        shown = [str(sequence.value), sequence_operators.plain(count)]
        first, second = reversed(shown) if turned else shown
        return RuntimeError(
            f"string_mul requires the input to be a string and an integer, but got {first} and {second}."
        )
    return None


def _bits(op: str, x: Operand, y: Operand) -> BaseException | None:
    name = _BITS[op]
    if op in ("&", "|"):
        for argument, operand in (("x_dtype", x), ("y_dtype", y)):
            if operand.kind == "float":
                return TypeError(
                    f"For primitive[{name}], the input argument[{argument}] must be a type of {{Bool, Int32, Int64}}, "
                    "but got Float32."
                )
        return None
    if x.kind == y.kind == "int":
        if op in ("<<", ">>") and isinstance(y.value, int) and y.value < 0:
            if x.marked or y.marked:
                return RuntimeError("")
            return ValueError("For shift operator, shift count must be a non-negative integer.")
        return None
    if x.marked or y.marked:
        return RuntimeError("")
    shown = ", ".join(
        f"type of {n}:{_IMMEDIATES[o.kind]}, value of {n}:{_plain(o.value)}" for n, o in (("x", x), ("y", y))
    )
    return TypeError(f"Unsupported input type. For {name}, only integer types are supported, but got {shown}")


def _plain(value: Any) -> str:
    if value is UNKNOWN:
        return "ValueAny"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


_NAMES: Final = {"<": "lt", "<=": "le", ">": "greater_than", ">=": "greater_equal"}


def _order(op: str, x: Operand, y: Operand) -> BaseException | None:
    """Sequences are ordered by numbers alone."""
    if x.kind not in ("tuple", "list") or y.kind != x.kind:
        return None
    return sequence_operators.order(f"{x.kind}_{_NAMES[op]}", (x, y))


def unary(operation: Operation) -> BaseException | Instead | None:
    """The answer to `op x`: of a Tensor of floats, `~x` is whether its elements are 0."""
    op, (x,) = operation.name, operation.operands
    if op == "-" and x.dynamic and x.items:
        return Instead(dynamic_length.negative)
    if op == "~" and x.kind == "float":
        quote = "" if x.marked else "'"
        return TypeError(f"{quote}bad operand type for unary ~: '<class 'float'>{quote}")
    if op in ("+", "~") and x.kind in ("str", "none", *_SEQUENCES, "dict", "function"):
        return ValueError(_no_function(op, x))
    if op in "+-" and x.kind == "dict":
        name = "negative" if op == "-" else "uadd"
        return RuntimeError(
            f"For operation '{name}', current input arguments types are <Dictionary>. "
            "The 1-th argument type 'Dictionary' is not supported now."
        )
    if op == "~" and x.kind == "dict":
        return NotImplementedError("The python type <class 'dict'> cannot be converted to MindSpore type.")
    if op == "-" and x.kind == "bool":
        return TypeError("For 'ScalarUsub, [bool] is not a valid input dtype.")
    if op == "-" and x.kind == "tensor" and x.dtype is not None and x.dtype.kind == "b":
        return TypeError(dtypes.unselected("Neg", x))
    if op == "~" and x.kind == "tensor" and x.dtype is not None and x.dtype.kind == "f":
        return Instead(_is_zero)
    return None


def _is_zero(x: Any) -> Any:
    return x == 0


def _no_function(op: str, x: Operand) -> str:
    name = {"str": "string_", "none": "None", "range": "tuple_", "function": "Func"}.get(x.kind, f"{x.kind}_")
    functions = ("_uadd_scala", "_uadd_scala") if op == "+" else ("_invert_scalar", "_invert_tensor")
    known = ", ".join(
        f"((mindspore.{kind},), <function {f} at 0x0>)" for kind, f in zip(("number", "tensor"), functions, strict=True)
    )
    return (
        f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sigs, fn): [{known}], and (dtype, args): "
        f"(mindspore.{name},)."
    )


def truth(operation: Operation) -> BaseException | Instead | None:
    """The answer to a Tensor as a condition; what `not` gives of one is a Tensor."""
    (x,) = operation.operands
    if x.kind == "tensor" and x.shape not in ((), (1,)) and None not in x.shape:
        if operation.name == "while":
            return ValueError(sequence_operators.AMBIGUOUS)
        return ValueError(
            "Only tensor which shape is () or (1,) can be converted to bool, but got tensor shape is "
            f"({', '.join(map(str, x.shape))})"
        )
    return Instead(_negated) if operation.name == "not" and x.kind == "tensor" and x.shape in ((), (1,)) else None


def _negated(x: Any) -> Any:
    return (x == 0).reshape(x.shape)
