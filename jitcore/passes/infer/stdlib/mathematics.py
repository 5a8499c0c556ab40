"""The functions of `math` and `cmath` on abstract values."""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, PythonError, Static, Value
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.elementwise_calls import ELEMENT_FUNCTIONS
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import folds
from jitcore.passes.infer.stdlib import standard_programs
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import conversions
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, ScalarType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Handler = Callable[..., Value]

_INTS: Final[dict[str, tuple[ScalarType, ...]]] = {
    "comb": (INT, INT), "factorial": (INT,), "gcd": (INT, INT), "isqrt": (INT,), "ldexp": (FLOAT, INT),
    "perm": (INT, INT),
}  # fmt: skip
"""What the functions take that take ints; the others take floats."""


def _operand(infer: Infer, function: Any, args: tuple[Value, ...], k: int, type_: ScalarType) -> Value:
    """An argument as a number of a type, as `function` itself converts it."""
    value = args[k]
    allowed = (BOOL, INT) if type_ is INT else (BOOL, INT, FLOAT) if type_ is FLOAT else (BOOL, INT, FLOAT, COMPLEX)
    if isinstance(value, Array):
        value = abstract.int_(infer, value) if type_ is INT else abstract.float_(infer, value)
    own = numbers.type_of_number(value)
    if own not in allowed:
        raise refusal(infer, f"{function.__module__}.{function.__name__}", function, *args)
    atom = numbers.convert(infer, value, type_)
    return value if own is type_ else infer.number(atom, value)


def _all_known(args: tuple[Value, ...]) -> list[Any] | None:
    known = [a.value for a in args if isinstance(a, Static)]
    return known if len(known) == len(args) else None


def _function(module: Any, name: str) -> Handler:
    """A function computed by the primitive of its name."""
    primitive = PRIMITIVES[f"{module.__name__}_{name}"]
    count = len(primitive.arguments)
    types = (COMPLEX,) * count if module is cmath else _INTS.get(name, (FLOAT,) * count)
    return _called(getattr(module, name), types, lambda infer, atoms: infer.emit(primitive, *atoms))


def _program(function: Any, program: Callable[..., Any]) -> Handler:
    """A function of ints computed by a program."""

    def compute(infer: Infer, atoms: Sequence[Atom]) -> Atom:
        made = abstract.call(infer, Static(program), [infer.number(atom) for atom in atoms], {})
        return infer.number_atom(made, INT)

    return _called(function, _INTS[function.__name__], compute)


def _called(function: Any, types: Sequence[ScalarType], compute: Callable[[Infer, Sequence[Atom]], Atom]) -> Handler:
    """What calling a function that takes numbers of these types does."""
    count = len(types)

    def call(infer: Infer, *args: Value) -> Value:
        known = _all_known(args)
        if known is not None:
            return numbers.fold(function, *known)
        if len(args) != count:
            name = f"{function.__module__}.{function.__name__}"
            raise refusal(infer, f"{name} of {len(args)} arguments", function, *args)
        operands = [_operand(infer, function, args, k, t) for k, t in enumerate(types)]
        atoms = [infer.number_atom(v, t) for v, t in zip(operands, types, strict=True)]
        return infer.number(compute(infer, atoms), *args)

    return call


def _log(infer: Infer, *args: Value) -> Value:
    one = _function(math, "log")
    if len(args) != 2:
        return one(infer, *args)
    return numbers.binary(infer, "/", one(infer, args[0]), one(infer, args[1]))


def _gcd(infer: Infer, *args: Value) -> Value:
    two = _program(math.gcd, standard_programs.gcd)
    if len(args) < 2:
        args = (*args, Static(0), Static(0))[
            :2
        ]  # not where there are more: the absolute value alone may be past 64 bits
    return functools.reduce(lambda a, b: two(infer, a, b), args)


def _lcm(infer: Infer, *args: Value) -> Value:
    if len(args) < 2:
        args = (*args, Static(1), Static(1))[:2]
    return functools.reduce(lambda a, b: _lcm_of_two(infer, a, b), args)


def _lcm_of_two(infer: Infer, a: Value, b: Value) -> Value:
    """|a / gcd(a, b) * b|, and 0 where both are 0."""
    divisor = _gcd(infer, a, b)
    divisor = numbers.binary(infer, "+", divisor, numbers.compare(infer, "==", divisor, Static(0)))
    product = numbers.binary(infer, "*", numbers.binary(infer, "//", a, divisor), b)
    return _gcd(infer, product, Static(0))


def _perm(infer: Infer, n: Value, k: Value = Static(None), /) -> Value:
    if isinstance(k, Static) and k.value is None:
        return HANDLERS[math.factorial](infer, n)
    return _function(math, "perm")(infer, n, k)


def _complex_log(infer: Infer, x: Value, base: Value | None = None, /) -> Value:
    one = _function(cmath, "log")
    return one(infer, x) if base is None else numbers.binary(infer, "/", one(infer, x), one(infer, base))


def _prod(infer: Infer, values: Value, /, *, start: Value = Static(1)) -> Value:
    return folds.accumulate(infer, "*", values, start)


def _isclose(
    infer: Infer, a: Value, b: Value, /, *, rel_tol: Value = Static(1e-9), abs_tol: Value = Static(0.0)
) -> Value:
    known = _all_known((a, b, rel_tol, abs_tol))
    if known is not None:
        return numbers.fold(lambda x, y, r, t: math.isclose(x, y, rel_tol=r, abs_tol=t), *known)
    args = (a, b)
    x, y = (_operand(infer, math.isclose, args, k, FLOAT) for k in range(2))
    _require_tolerance(infer, rel_tol)
    _require_tolerance(infer, abs_tol)
    apart = _absolute(infer, numbers.binary(infer, "-", y, x))
    near: Value = numbers.compare(infer, "<=", apart, abs_tol)
    for value in (x, y):
        most = _absolute(infer, numbers.binary(infer, "*", rel_tol, value))
        near = numbers.either(infer, near, numbers.compare(infer, "<=", apart, most))
    for value in (x, y):
        near = numbers.both(infer, near, abstract.not_(infer, _isinf(infer, value)))
    return numbers.either(infer, numbers.compare(infer, "==", x, y), near)


def _require_tolerance(infer: Infer, value: Value) -> None:
    known = infer.truth(numbers.compare(infer, ">=", value, Static(0.0)))
    if known is False:
        raise PythonError(ValueError("tolerances must be non-negative"))
    if known is not True:
        infer.emit_all(conversions.check, known, exception="ValueError", message="tolerances must be non-negative")


def _absolute(infer: Infer, value: Value) -> Value:
    if isinstance(value, Static):
        return numbers.fold(abs, value.value)
    return infer.number(infer.emit(PRIMITIVES["float_abs"], infer.number_atom(value, FLOAT)), value)


def _rounding(name: str) -> Handler:
    function = getattr(math, name)
    primitive = PRIMITIVES["float_to_int" if name == "trunc" else f"float_{name}"]

    def call(infer: Infer, value: Value, /) -> Value:
        if isinstance(value, Static):
            return numbers.fold(function, value.value)
        if numbers.type_of_number(value) in (INT, BOOL):
            return infer.number(numbers.convert(infer, value, INT), value)
        operand = _operand(infer, function, (value,), 0, FLOAT)
        return infer.number(infer.emit(primitive, infer.number_atom(operand, FLOAT)), value)

    return call


def _predicate(name: str) -> Handler:
    function = getattr(math, name)
    primitive = PRIMITIVES[f"float_is_{name[2:]}"]

    def call(infer: Infer, value: Value, /) -> Value:
        if isinstance(value, Static):
            return numbers.fold(function, value.value)
        operand = _operand(infer, function, (value,), 0, FLOAT)
        return infer.number(infer.emit(primitive, infer.number_atom(operand, FLOAT)), value)

    return call


_isinf = _predicate("isinf")

HANDLERS: Final[dict[Any, Handler]] = {
    getattr(module, name): _function(module, name)
    for module in (math, cmath)
    for prefix, _, name in (p.partition("_") for p in PRIMITIVES)
    if prefix == module.__name__ and hasattr(module, name)
}
"""What calling a function of these modules does to abstract values."""
HANDLERS.update({function: _rounding(function.__name__) for function in (math.floor, math.ceil, math.trunc)})
HANDLERS.update({function: _predicate(function.__name__) for function in (math.isnan, math.isinf, math.isfinite)})
HANDLERS.update(
    {
        math.log: _log,
        math.gcd: _gcd,
        math.isqrt: _program(math.isqrt, standard_programs.isqrt),
        math.lcm: _lcm,
        math.perm: _perm,
        cmath.log: _complex_log,
        math.prod: _prod,
        math.isclose: _isclose,
    }
)


def _of_elements(function: object, handler: Handler) -> Handler:
    """A function of `math` that is NumPy's where it is called with an element of a ufunc's arrays."""
    ours = ELEMENT_FUNCTIONS.get(function)
    if ours is None:
        return handler

    def call(infer: Infer, *args: Value) -> Value:
        if not infer.of_elements or not any(isinstance(a, Array) for a in args):
            return handler(infer, *args)
        floats = [abstract.call(infer, Static(np.float64), [a], {}) if _is_whole(a) else a for a in args]
        if function is math.log and len(floats) == 2:
            logs = [abstract.call(infer, Static(np.log), [a], {}) for a in floats]
            return abstract.binary(infer, "/", *logs)
        return abstract.call(infer, Static(ours), floats, {})

    return call


def _is_whole(value: Value) -> bool:
    return isinstance(value, Array) and value.type.dtype.kind in "biu"


register_models({function: _of_elements(function, handler) for function, handler in HANDLERS.items()})
