"""What Tensors can do: operators and methods from the tables of library functions, and what `Tensor(…)` means in
one."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library import operators, tables
from jitcore.library.array import creation
from jitcore.library.core import marking, values
from jitcore.primitives.core import array_classes, dialects, evaluation
from jitcore.primitives.core.dialects import Dialect
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import elementwise
from jitcore.runtime import operand_rules, tape
from jitcore.runtime.foreign import refuse_operand
from jitcore.runtime.initial import initial_array
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.tensor import Tensor, array_of, keeps_memory, wrap
from jitcore.types import DType, f32, i64

OPERANDS: Final = (int, float, complex, np.ndarray, np.generic, list, tuple)
"""What may stand beside a Tensor in an expression, besides Tensors."""


_VALUES: Final = (Tensor, *OPERANDS)
_NUMBERS: Final = frozenset([int, float, bool])

"""Classes of operands that, with Tensors, are none that the rules of another framework are asked about."""


def _beside(op: str, left: Any, right: Any, other: Any, function: Callable[[Any, Any], Any]) -> Any:
    """An operator with a Tensor and `other`, which is none of the plain operands. Raises TypeError for another
    library's array."""
    made = operand_rules.operated(op, left, right)
    if made is not operand_rules.OWN:
        return made
    if isinstance(other, _VALUES):
        return function(left, right)
    refuse_operand(op, left, right)
    return NotImplemented


def _binary(op: str, function: Callable[[Any, Any], Any], direct: Primitive | None = None) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        if not tape.switch.idle and direct is not None and _needs_no_promotion(self, other):
            return direct(self, other)
        return (
            function(self, other)
            if isinstance(other, Tensor) or type(other) in _NUMBERS
            else _beside(op, self, other, other, function)
        )

    return method


_ALWAYS_RULED: Final = frozenset(["<<", ">>", "@"])
"""Operators of which rules are asked whatever the operands are."""


def _ruled(op: str, function: Callable[[Any, Any], Any], *, reflected: bool = False) -> Any:

    def method(self: Tensor, other: Any) -> Any:
        left, right = (other, self) if reflected else (self, other)
        return _beside(op, left, right, other, function)

    return method


def _augmented(op: str, function: Callable[[Any, Any], Any], operator: Callable[[Any, Any], Any]) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        anew = self._dialect is not None and not self._dialect.meanings.augments_in_place
        if anew and not (isinstance(other, Tensor) or type(other) in _NUMBERS):
            made = operand_rules.operated(f"{op}=", self, other)
            if made is not operand_rules.OWN:
                return made
        if anew and not keeps_memory(self):
            return NotImplemented  # so Python takes the operator that makes a new Tensor
        if tape.switch.idle and isinstance(other, Tensor | int | float) and not evaluation.is_tracing():
            made = _result_like(self, other, operator)
            if made is not None:
                values.evaluator().write(self, made)
                return self
        if isinstance(other, _VALUES):
            return function(self, other)
        refuse_operand(f"{op}=", self, other)
        return NotImplemented

    return method


def _result_like(target: Tensor, other: Any, operator: Callable[[Any, Any], Any]) -> Any:
    """`operator(target, other)`, if it can be written to `target` as it is. None for what raises: the function for
    writing says what it has to say."""
    try:
        made = operator(target, other)
    except (ArithmeticError, TypeError, ValueError) as error:
        if is_from_handler(error):
            raise
        return None
    return made if made.shape == target.shape and made._array.dtype == target._array.dtype else None


def _reflected(op: str, function: Callable[[Any, Any], Any], direct: Primitive | None = None) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        if not tape.switch.idle and direct is not None and _needs_no_promotion(self, other):
            return direct(other, self)
        return (
            function(other, self)
            if isinstance(other, Tensor) or type(other) in _NUMBERS
            else _beside(op, other, self, other, function)
        )

    return method


def _needs_no_promotion(self: Tensor, other: Any) -> bool:
    """Whether arithmetic of a float Tensor with another value is in its own dtype."""
    dtype = self._array.dtype
    if dtype.kind != "f":
        return False
    cls = type(other)
    return cls is float or cls is int or (isinstance(other, Tensor) and other._array.dtype == dtype)


_DIRECT: dict[str, Primitive] = {"+": elementwise.add, "-": elementwise.sub, "*": elementwise.mul, "/": elementwise.div}
"""Operators that are one primitive once dtypes agree: tapes, which see every primitive, get there sooner that way."""


def _unary(function: Callable[[Any], Any]) -> Any:
    def method(self: Tensor) -> Any:
        return function(self)

    return method


def _invert(function: Callable[[Any], Any]) -> Any:
    def method(self: Tensor) -> Any:
        made = operand_rules.operated("~", self) if self._dialect is not None else operand_rules.OWN
        return function(self) if made is operand_rules.OWN else made

    return method


_NAMES: dict[str, str] = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_COMPARISONS: dict[str, str] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_UNARY: dict[str, str] = {"-": "neg", "+": "pos", "~": "invert"}


def _install() -> None:
    """Give Tensor the operators and methods of the tables."""
    for op, name in _NAMES.items():
        direct, function = _DIRECT.get(op), tables.BINARY_OPERATORS[op]
        ruled = op in _ALWAYS_RULED
        setattr(Tensor, f"__{name}__", _ruled(op, function) if ruled else _binary(op, function, direct))
        reflected = _ruled(op, function, reflected=True) if ruled else _reflected(op, function, direct)
        setattr(Tensor, f"__r{name}__", reflected)
        setattr(Tensor, f"__i{name}__", _augmented(op, tables.INPLACE_OPERATORS[op], tables.BINARY_OPERATORS[op]))
    for op, name in _COMPARISONS.items():
        setattr(Tensor, f"__{name}__", _binary(op, tables.COMPARISON_OPERATORS[op]))
    for op, name in _UNARY.items():
        setattr(Tensor, f"__{name}__", (_invert if op == "~" else _unary)(tables.UNARY_OPERATORS[op]))
    Tensor.__abs__ = tables.ARRAY_METHODS["abs"]  # type: ignore[attr-defined]
    Tensor.__round__ = tables.ARRAY_METHODS["round"]  # type: ignore[attr-defined]
    for name, function in {**tables.ARRAY_METHODS, **operators.METHODS}.items():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, function)
    for name, function in operators.PROPERTIES.items():
        setattr(Tensor, name, property(function))


_install()


def construct(
    input_data: Any = None,
    dtype: Any = None,
    shape: Any = None,
    init: Any = None,
    internal: Any = False,
    const_arg: Any = False,
) -> Any:
    """`Tensor(…)` in a library function: of arrays and run-time numbers too."""
    del internal, const_arg
    if input_data is None:
        return creation.array(initial_array(shape, dtype, init))
    if shape is not None or init is not None:
        raise ValueError("a Tensor is made of data, or of a shape and an initializer, not of both")
    if values.category(input_data) is None and not isinstance(input_data, list | tuple):
        return creation.array(array_of(input_data, None))
    if dtype is not None:
        return creation.array(input_data, _float_to_f32(dtype))
    kind = values.category(input_data)
    if kind == "float":
        return values.as_array(input_data, f32)
    if kind == "int":
        return values.as_array(input_data, i64)
    return (
        creation.array(input_data) if kind is not None else values.evaluator().constant(input_data, _listed(input_data))
    )


def _float_to_f32(dtype: Any) -> Any:
    """A dtype argument, Python's float standing for float32."""
    return f32 if dtype is float else dtype


def _listed(items: Any) -> DType | None:
    """float32 for sequences with Python floats in them, None for others."""
    flat: list[Any] = []

    def collect(item: Any) -> None:
        if isinstance(item, list | tuple):
            for part in cast("Sequence[Any]", item):
                collect(part)
        else:
            flat.append(item)

    collect(items)
    kinds = {values.category(item) for item in flat}
    return f32 if not flat or ("float" in kinds and kinds <= {"float", "int", "bool"}) else None


def class_call(dialect: Dialect | None, construct: Callable[..., Any]) -> Callable[..., Any]:
    """The library function that calling a class of Tensors stands for: the result is of its dialect (None: jitcore's
    own) whatever it is made of."""
    plain = marking.library("tensor")(construct)

    def make(*args: object, **keywords: object) -> Any:
        made = plain(*args, **keywords)
        return values.evaluator().in_dialect(made, dialect) if dialects.known else made

    return marking.library("raw")(make)


values.KNOWN_CATEGORIES[Tensor] = "tensor"
array_classes.ARRAY_CLASSES[Tensor] = array_classes.ArrayClass("tensor", class_call(None, construct), wrap)
