"""What MindSpore's Tensors make, line by line, of Python's operators beside other values:
`Failed calling Sub with "Sub()(input=Tensor, other=string)".`

An operator is a method of the Tensor that takes the other operand (`div(string)`), or an operator of MindSpore's with
both (`Sub()(…)`); some make Tensors of sequences first. Arrays and scalars of NumPy's on the left make ndarrays.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from types import BuiltinFunctionType
from typing import Any, Final

import numpy as np

from jitcore import ops
from jitcore.compat.mindspore.refusals import dtypes, eager_keys, overloads, shapes, signatures, tensors
from jitcore.compat.mindspore.refusals.naming import python_name, type_text
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.runtime import tape
from jitcore.runtime.operand_rules import OWN
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.structs import dataclass
from jitcore.types import f32


@dataclass(frozen=True, slots=True)
class _Operator:
    """An operator of Tensors: the method that says what it does not take (`none`: None alone), the operator that says
    it of others, whether sequences are converted, and what `K op Tensor` is: the same the other way around ("turned"),
    an operator of its own ("operator"), Python's ("python"), or another's name."""

    method: str = ""
    primitive: str = ""
    none: bool = False
    converts: bool = False
    reflected: str = "operator"
    names: tuple[str, str] = ("input1", "input2")
    checked: str = ""
    """The operator that looks at dtypes and shapes, if it is another one."""


_EXT: Final = ("input", "other")
_OPERATORS: Final = {
    "+": _Operator("add", "Add", none=True, converts=True, reflected="turned", names=_EXT, checked="AddExt"),
    "-": _Operator("sub", "Sub", none=True, converts=True, names=_EXT, checked="SubExt"),
    "*": _Operator("mul", "Mul", none=True, reflected="turned"),
    "/": _Operator("div", "Div", reflected="*"),
    "//": _Operator("", "FloorDiv", converts=True),
    "%": _Operator("__mod__", "FloorMod", reflected="rmod"),
    "**": _Operator("pow", "Pow"),
    "@": _Operator("", "MatMulExt"),
    "&": _Operator("bitwise_and", "BitwiseAnd", reflected="python"),
    "|": _Operator("bitwise_or", "BitwiseOr", reflected="python"),
    "^": _Operator("bitwise_xor", "BitwiseXor", reflected="python"),
    "<": _Operator("less", "Less", reflected=">"),
    "<=": _Operator("", "LessEqual", reflected=">="),
    ">": _Operator("", "Greater", reflected="<"),
    ">=": _Operator("", "GreaterEqual", reflected="<="),
    "==": _Operator("", "Equal"),
    "!=": _Operator("", "NotEqual"),
    "+=": _Operator("add_"),
    "-=": _Operator("sub_", "Sub", none=True, converts=True),
    "*=": _Operator("mul_"),
    "/=": _Operator("div_"),
    "//=": _Operator("floor_divide_"),
    "%=": _Operator("remainder_"),
}
_ALIASES: Final = {"**=": "**", "@=": "@", "&=": "&", "|=": "|", "^=": "^"}
_SHIFTS: Final = frozenset(["<<", ">>", "<<=", ">>="])
_FUNCTIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "+=": operator.iadd,
    "-=": operator.isub, "*=": operator.imul, "/=": operator.itruediv, "//=": operator.ifloordiv, "%=": operator.imod,
    "**=": operator.ipow, "&=": operator.iand, "|=": operator.ior, "^=": operator.ixor,
}  # fmt: skip


def answer(op: str, operands: Sequence[Any]) -> Any:
    """The result of an operator, or `OWN` where jitcore's is MindSpore's, too."""
    if op == "~":
        return operands[0] == 0
    if op == "[]=":
        return eager_keys.put(*operands)
    left, right = operands
    if op == "format":
        return _unformatted(left)
    if op == "[]":
        return eager_keys.got(left, right)
    if op == "in":
        return OWN if isinstance(left, AnyTensor | Number) else False
    if op in _SHIFTS:
        return NotImplemented
    on_left = isinstance(left, AnyTensor)
    tensor, other = (left, right) if on_left else (right, left)
    equality = op in ("==", "!=")
    number = isinstance(other, np.float64 if equality else np.generic) and other.dtype.kind in "biuf"
    if number and on_left and op in _FUNCTIONS:
        return _FUNCTIONS[op](tensor, other.item())  # as if it were Python's
    op = _ALIASES.get(op, op)
    if equality:
        return op == "!="
    if isinstance(left, AnyTensor) and isinstance(right, AnyTensor):
        return _unless(unlike(op, operands))
    if not on_left and _OPERATORS[op].reflected == "python":
        return NotImplemented
    if isinstance(other, tuple | list) and _is_converted(op, on_left):
        return _converted(op, tensor, _made(other, tensor), on_left)
    raise refused(op, operand(left), operand(right))


def _unformatted(x: AnyTensor) -> Any:
    """Only a Tensor without axes is formatted, as its number."""
    if x.ndim:
        raise TypeError(f"unsupported format string passed to {type(x).__name__}.__format__")
    return OWN


def _unless(refused: BaseException | None) -> Any:
    if refused is not None:
        raise refused
    return OWN


def _is_converted(op: str, on_left: bool) -> bool:
    return _OPERATORS[op].converts or (op == "**" and not on_left)


def _converted(op: str, tensor: AnyTensor, made: Tensor, on_left: bool) -> Any:
    """The result with a sequence that has been made a Tensor."""
    known = _OPERATORS[op]
    pair = (tensor, made) if on_left or known.reflected == "turned" else (made, tensor)
    x, y = map(operand, pair)
    refused = dtypes.refused(known.primitive, (x, y)) or shapes.unlike(known.primitive, x, y)
    if refused is not None:
        raise refused
    return _FUNCTIONS[op.removesuffix("=")](*pair)


def _made(sequence: Sequence[Any], tensor: AnyTensor) -> Tensor:
    """The Tensor of a sequence, in the other Tensor's dtype."""
    if all(isinstance(i, AnyTensor | int | float) for i in sequence):
        return ops.stack([i if isinstance(i, AnyTensor) else Tensor(i) for i in sequence]).astype(tensor.dtype)
    raise tensors.unsupported(sequence)


def refused(op: str, left: Operand, right: Operand) -> BaseException:
    """What MindSpore says to an operator with a Tensor on one side, and on the other what it does not take."""
    op = _ALIASES.get(op, op)
    if op in _SHIFTS or (left.kind != "tensor" and _OPERATORS[op].reflected == "python"):
        names = f"'{python_name(left)}' and '{python_name(right)}'"
        return TypeError(f"unsupported operand type(s) for {op.removesuffix('=')}: {names}")
    known, on_left = _OPERATORS[op], left.kind == "tensor"
    x, y = (left, right) if on_left else (right, left)
    if not on_left and known.reflected == "rmod":
        return _rmod(y)
    if not on_left and known.reflected not in ("operator", "turned"):
        known, on_left = _OPERATORS[known.reflected], True
    if not on_left and known.reflected != "turned":
        return signatures.operator_call(known.primitive, [y, x])
    if known.method and (not known.none or y.kind == "none"):
        given = [x, y] if known.method == "less" else [y]
        return overloads.refusal_of_method(known.method, given, capital=True)
    return signatures.operator_call(known.primitive, [x, y])


def _rmod(other: Operand) -> TypeError:
    if other.kind == "none":
        return TypeError("rmod(): missing 1 required positional argument: input.")
    shown = python_name(other).rpartition(".")[2]
    return TypeError(f"rmod(): argument 'input' (position 1) must be Number, not {shown}.")


_METHODS: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift", "<": "lt", "<=": "le", ">": "gt",
    ">=": "ge", "==": "eq", "!=": "ne",
}  # fmt: skip


def method_name(op: str, *, reflected: bool = False) -> str:
    """The name of the method for an operator."""
    return f"__{'r' if reflected else ''}{_METHODS[op]}__"


def operand(value: Any) -> Operand:
    """What the rules see of a value."""
    if isinstance(value, AnyTensor):
        return Operand("tensor", value.dtype, tuple(value.shape))
    if type(value) in (tuple, list):
        return Operand(type(value).__name__, value=value, items=tuple(map(operand, value)))
    if isinstance(value, range | np.generic | BuiltinFunctionType) and not isinstance(value, float):
        return Operand("object", value=value)
    return of_object(float(value) if isinstance(value, np.float64) else value)


def unlike(op: str, operands: Sequence[Any]) -> BaseException | None:
    """What MindSpore says to the dtypes and shapes of operands that jitcore does not take either."""
    if op not in _OPERATORS:
        return None
    known = _OPERATORS[op]
    x, y = map(operand, operands)
    if op == "@":
        return _factors(x, y)
    name = known.checked or known.primitive
    if op in ("&", "|", "^"):
        return promoted(known.primitive, x, y) or shapes.unlike(known.primitive, x, y)
    return dtypes.unlike(name, (x, y), late=True) or shapes.unlike(name, x, y, names=known.names)


def negated(value: Any) -> BaseException | None:
    """What MindSpore says to `-x` that jitcore does not take either."""
    return (
        TypeError("Select CPU operator[Neg] fail! Unsupported data type!") if operand(value).kind == "tensor" else None
    )


def _factors(x: Operand, y: Operand) -> BaseException | None:
    if x.kind != "tensor" or x.kind != y.kind:
        return signatures.operator_call("MatMulExt", [x, y])
    if x.dtype != y.dtype:
        return TypeError(
            "For 'MatMulExt', the type of 'x2' should be same as 'x1', but got 'x1' with type "
            f"{type_text(x)} and 'x2' with type {type_text(y)}."
        )
    return shapes.product("MatMulExt", x, y)


def promoted(primitive: str, x: Operand, y: Operand) -> BaseException | None:
    """The answer to bits of what is no int, in the dtype that both have together."""
    shown = [Operand("tensor", _DTYPES[o.kind]) if o.kind in _DTYPES else o for o in (x, y)]
    return dtypes.refused(primitive, shown)


def ufunc(function: Callable[..., Any], inputs: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """A function of NumPy's on Tensors' elements, which gives ndarrays; `OWN` where a gradient is taken of it, or
    Tensors are written to."""
    outs = keywords.get("out") or ()
    if any(isinstance(v, AnyTensor) for v in outs) or any(tape.tracked(v) for v in inputs):
        return OWN
    return function(*(v.asnumpy() if isinstance(v, AnyTensor) else v for v in inputs), **keywords)


_DTYPES: Final = {"float": f32}
"""What numbers become beside Tensors of ints."""
