"""Arithmetic and comparison of Python numbers: which primitive computes what CPython would."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.values import Array, Number, PythonError, Static, Value
from jitcore.passes.infer.engine import branching
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import python_floats, python_ints
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, ScalarType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_NAMES = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
    "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
}  # fmt: skip
_RANK = {BOOL: 0, INT: 1, FLOAT: 2, COMPLEX: 3}
_BOOLEAN_OPS = {"&": "bool_and", "|": "bool_or", "^": "bool_ne"}
_MOST_BITS_TO_FOLD = 4096


def type_of_number(value: Value) -> ScalarType | None:
    """The scalar type of a number, static or not; None for anything else."""
    if isinstance(value, Number):
        return value.type
    if isinstance(value, Static):
        return SCALARS.get(type(value.value))
    return None


def is_of_the_run(value: Value) -> bool:
    """Whether a value is a number that the run computes: none that is known when compiling, or could be, as arguments
    of the call could."""
    return isinstance(value, Number) and not value.paths and not isinstance(value.dim, int)


def plain(value: Value, *methods: str) -> Value:
    """A constant of a class derived from a number's, an IntEnum's say, as that number: if its special methods are the
    number's."""
    if not isinstance(value, Static) or type(value.value) in SCALARS:
        return value
    obj: Any = value.value
    base: Any = next((b for b in (int, float, complex) if isinstance(obj, b)), None)
    if base is None or any(getattr(type(obj), m, None) is not getattr(base, m, None) for m in methods):
        return value
    return Static(base.__pos__(obj))


def convert(infer: Infer, value: Value, type_: ScalarType) -> Atom:
    """A number as an atom of a type no narrower than its own."""
    own = type_of_number(value)
    assert own is not None
    if own is type_:
        return infer.number_atom(value, type_)
    if isinstance(value, Static):
        try:
            return Literal({INT: int, FLOAT: float, COMPLEX: complex}[type_](value.value), type_)
        except OverflowError as error:
            raise PythonError(error) from None
    atom = infer.number_atom(value, own)
    steps = [t for t in (BOOL, INT, FLOAT, COMPLEX) if _RANK[own] < _RANK[t] <= _RANK[type_]]
    if own is BOOL and type_ is not INT:
        steps = [t for t in steps if t is not INT]
    for step in steps:
        atom = infer.emit(PRIMITIVES[f"{_prefix(own)}_to_{_prefix(step)}"], atom)
        own = step
    return atom


def _prefix(type_: ScalarType) -> str:
    return {BOOL: "bool", INT: "int", FLOAT: "float", COMPLEX: "complex"}[type_]


def fold(function: Callable[..., Any], *args: Any) -> Static:
    """Compute with constants as Python does; what Python raises, the program raises."""
    try:
        return Static(function(*args))
    except Exception as error:
        raise PythonError(error) from None


_OF_INTS = ("@", "<<", ">>", "&", "|", "^")


def binary(infer: Infer, op: str, a: Value, b: Value) -> Value:
    """`a op b` for two numbers."""
    if isinstance(a, Static) and isinstance(b, Static):
        return _fold_binary(infer, op, a.value, b.value)
    ta, tb = type_of_number(a), type_of_number(b)
    assert ta is not None
    assert tb is not None
    if ta is BOOL and tb is BOOL and op in _BOOLEAN_OPS:
        primitive = PRIMITIVES[_BOOLEAN_OPS[op]]
        return infer.number(infer.emit(primitive, infer.number_atom(a, BOOL), infer.number_atom(b, BOOL)), a, b)
    type_ = max((INT, ta, tb), key=_RANK.__getitem__)
    if op == "**" and type_ is INT:
        return _int_power(infer, a, b)
    undefined = {INT: ("@",), FLOAT: _OF_INTS, COMPLEX: (*_OF_INTS, "//", "%")}[type_]
    if op in undefined:
        return fold(BINARY[op], *(t.dtype.numpy.type(1).item() for t in (ta, tb)))  # which raises TypeError
    primitive = PRIMITIVES[f"{_prefix(type_)}_{_NAMES[op]}"]
    made = infer.number(infer.emit(primitive, convert(infer, a, type_), convert(infer, b, type_)), a, b)
    return _with_dim(op, a, b, made)


def _with_dim(op: str, a: Value, b: Value, made: Number) -> Number:
    """Keep track of ints that equal dimensions."""
    da, db = dim_of(a), dim_of(b)
    if da is None or db is None or op not in ("+", "-", "*", "//", "%"):
        return made
    if op in ("//", "%") and not (isinstance(db, int) and db > 0):
        return made
    return Number(made.atom, made.type, BINARY[op](da, db), made.paths)


def dim_of(value: Value) -> Any:
    """The dimension an int is known to equal, or None."""
    if isinstance(value, Static) and type(value.value) is int:
        return value.value
    return value.dim if isinstance(value, Number) else None


def _fold_binary(infer: Infer, op: str, a: Any, b: Any) -> Static:
    if op in ("**", "<<") and isinstance(a, int) and isinstance(b, int) and b > 0:
        bits = a.bit_length() * b if op == "**" else a.bit_length() + b
        if bits > _MOST_BITS_TO_FOLD and a not in (0, 1, -1):
            raise PythonError(OverflowError("integer result is past 64 bits"))
    return fold(BINARY[op], a, b)


def _int_power(infer: Infer, a: Value, b: Value) -> Value:
    def positive() -> list[Value]:
        made = infer.emit(python_ints.int_pow, convert(infer, a, INT), convert(infer, b, INT))
        return [infer.number(made, a, b)]

    def negative() -> list[Value]:
        made = infer.emit(python_floats.float_pow, convert(infer, a, FLOAT), convert(infer, b, FLOAT))
        return [infer.number(made, a, b)]

    if isinstance(b, Static):
        return (positive() if b.value >= 0 else negative())[0]
    sign = infer.emit(python_ints.int_ge, convert(infer, b, INT), Literal(0, INT))
    return branching.branch(infer, sign, positive, negative)[0]


def unary(infer: Infer, op: str, a: Value) -> Value:
    """`op a` for a number."""
    if isinstance(a, Static):
        return fold(UNARY[op], a.value)
    type_ = type_of_number(a)
    assert type_ is not None
    if type_ is BOOL:
        type_ = INT
    if op == "+":
        return infer.number(convert(infer, a, type_), a)
    if op == "~" and type_ is not INT:
        name = "float" if type_ is FLOAT else "complex"
        raise PythonError(TypeError(f"bad operand type for unary ~: '{name}'"))
    name = "neg" if op == "-" else "invert"
    made = infer.number(infer.emit(PRIMITIVES[f"{_prefix(type_)}_{name}"], convert(infer, a, type_)), a)
    dim = dim_of(a)
    return made if op == "~" or dim is None else Number(made.atom, made.type, -dim, made.paths)


def compare(infer: Infer, op: str, a: Value, b: Value) -> Value:
    """`a op b` for two numbers."""
    if isinstance(a, Static) and isinstance(b, Static):
        return fold(COMPARE[op], a.value, b.value)
    da, db = dim_of(a), dim_of(b)
    if da is not None and da is db and op in ("==", "<=", ">="):
        return Static(True)
    ta, tb = type_of_number(a), type_of_number(b)
    assert ta is not None
    assert tb is not None
    type_ = max((INT, ta, tb), key=_RANK.__getitem__)
    if type_ is COMPLEX and op not in ("==", "!="):
        names = tuple(_prefix(t) for t in (ta, tb))
        raise PythonError(TypeError(f"'{op}' not supported between instances of '{names[0]}' and '{names[1]}'"))
    if {INT, FLOAT} == {INT if ta is BOOL else ta, INT if tb is BOOL else tb}:
        return _compare_int_float(infer, op, a, b)
    if {INT, COMPLEX} == {ta, tb}:
        return _equal_int_complex(infer, op, a, b) if ta is INT else _equal_int_complex(infer, op, b, a)
    primitive = PRIMITIVES[f"{_prefix(type_)}_{_NAMES[op]}"]
    return infer.number(infer.emit(primitive, convert(infer, a, type_), convert(infer, b, type_)), a, b)


def _compare_int_float(infer: Infer, op: str, a: Value, b: Value) -> Value:
    """Python compares an int with a float exactly."""
    if type_of_number(a) is FLOAT:
        mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
        return _compare_int_float(infer, mirrored[op], b, a)
    if isinstance(a, Static) and float(a.value) == a.value:
        primitive = PRIMITIVES[f"float_{_NAMES[op]}"]
        return infer.number(infer.emit(primitive, Literal(float(a.value), FLOAT), convert(infer, b, FLOAT)), a, b)
    primitive = PRIMITIVES[f"int_float_{_NAMES[op]}"]
    return infer.number(infer.emit(primitive, convert(infer, a, INT), convert(infer, b, FLOAT)), a, b)


def _equal_int_complex(infer: Infer, op: str, a: Value, z: Value) -> Value:
    """Python compares an int with a complex number exactly, too."""

    atom = convert(infer, z, COMPLEX)
    real = infer.number(infer.emit(PRIMITIVES["complex_real"], atom), z)
    imag = infer.number(infer.emit(PRIMITIVES["complex_imag"], atom), z)
    parts = compare(infer, op, a, real), compare(infer, op, imag, Static(0.0))
    return both(infer, *parts) if op == "==" else either(infer, *parts)


def truth(infer: Infer, a: Value) -> Value:
    """`bool(a)` for a number."""
    if isinstance(a, Static):
        return Static(bool(a.value))
    assert isinstance(a, Number)
    if a.type is BOOL:
        return a
    return infer.number(infer.emit(PRIMITIVES[f"{_prefix(a.type)}_to_bool"], a.atom), a)


# --- truth values -------------------------------------------------------------------------------------


def both(infer: Infer, a: Value, b: Value) -> Value:
    """`a and b` for truth values, without a branch."""
    return _logical(infer, abstract.truth(infer, a), abstract.truth(infer, b), False, python_ints.bool_and)


def either(infer: Infer, a: Value, b: Value) -> Value:
    """`a or b` for truth values, without a branch."""
    return _logical(infer, abstract.truth(infer, a), abstract.truth(infer, b), True, python_ints.bool_or)


def _logical(infer: Infer, a: Value, b: Value, absorbing: bool, primitive: Any) -> Value:
    ta, tb = infer.truth(a), infer.truth(b)
    if isinstance(ta, bool):
        return Static(absorbing) if ta is absorbing else b
    if isinstance(tb, bool):
        return Static(absorbing) if tb is absorbing else a
    return infer.number(infer.emit(primitive, ta, tb), a, b)


def choose(infer: Infer, pred: Value, a: Value, b: Value) -> Value:
    """`a if pred else b` for values already computed."""
    known = infer.truth(pred)
    if isinstance(known, bool):
        return a if known else b
    return branching.branch(infer, known, lambda: [a], lambda: [b])[0]


def has_index(value: Array) -> bool:
    """Whether the class of an array has the method `__index__`: the NumPy scalars that are no integers have not."""
    return value.category != "npscalar" or value.type.dtype.is_integer


def choose_at(infer: Infer, found: Sequence[Value], places: Sequence[Atom], position: int) -> Value:
    """Of several values the one whose place, known only at run time, is this position."""
    if len(found) == 1:
        return found[0]
    here = infer.emit(python_ints.int_eq, places[0], Literal(position, INT))
    return branching.branch(
        infer, here, lambda: [found[0]], lambda: [choose_at(infer, found[1:], places[1:], position)]
    )[0]
