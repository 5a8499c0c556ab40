"""Complex numbers in kernels: arithmetic on vectors of parts, functions by the C library lane by lane."""

from __future__ import annotations

from collections.abc import Sequence

from jitcore.backends.llvm.kernels.cast import cast
from jitcore.backends.llvm.kernels.values import Value, call_lanes
from jitcore.backends.native.ir.text import part_type
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.kernel.scalar import OPS
from jitcore.source import InternalError
from jitcore.types import DType, bool_, c64, c128


def parts_of(code: Code, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """real, imag and complex."""
    if op == "complex":
        part = part_type(dtype)
        return Value(dtype, (cast(code, part, args[0]).vec, cast(code, part, args[1]).vec))
    value = args[0]
    if value.dtype.kind != "c":
        zero = Value(value.dtype, (value.vec.like(0),))
        return cast(code, dtype, value if op == "real" else zero)
    part = Value(part_type(value.dtype), (value.parts[op == "imag"],))
    return cast(code, dtype, part)


def compute(code: Code, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """An operation of complex arguments."""
    a = args[0].parts
    b = args[1].parts if len(args) > 1 else a
    if OPS[op].kind == "compare":
        return Value(bool_, (_compare(op, a, b) if len(args) > 1 else _classify(op, a),))
    if op == "abs":
        return cast(code, dtype, Value(part_type(args[0].dtype), (_size(code, a),)))
    return Value(dtype, _arithmetic(code, op, args[0].dtype, a, b))


def _arithmetic(code: Code, op: str, dtype: DType, a: tuple[Vec, ...], b: tuple[Vec, ...]) -> tuple[Vec, ...]:
    match op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[0], a[1] - b[1]
        case "neg":
            return -a[0], -a[1]
        case "mul":
            return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]
        case "div":
            return _divide(code, a, b)
        case "sign":
            return _sign(code, a)
        case "max" | "min":
            return _extreme(code, op, a, b)
        case _:
            return _function(code, op, dtype, a, b)


def _classify(op: str, a: tuple[Vec, ...]) -> Vec:
    if op == "isfinite":
        return a[0].abs().compare("one", float("inf")) & a[1].abs().compare("one", float("inf"))
    both = [p.is_nan() if op == "isnan" else p.abs().eq(float("inf")) for p in a]
    return both[0] | both[1]


def _compare(op: str, a: tuple[Vec, ...], b: tuple[Vec, ...]) -> Vec:
    """Equal in both parts; ordered by the real part, then the imaginary one, as NumPy does."""
    if op == "eq":
        return a[0].eq(b[0]) & a[1].eq(b[1])
    if op == "ne":
        return a[0].ne(b[0]) | a[1].ne(b[1])
    beyond = a[0].compare(f"o{op[0]}t", b[0]) & a[1].compare("ord", b[1])
    return beyond | (a[0].eq(b[0]) & a[1].compare("o" + op, b[1]))


def _extreme(code: Code, op: str, a: tuple[Vec, ...], b: tuple[Vec, ...]) -> tuple[Vec, ...]:
    first = _compare("ge" if op == "max" else "le", a, b) | a[0].is_nan() | a[1].is_nan()
    return code.select(first, a[0], b[0]), code.select(first, a[1], b[1])


def _size(code: Code, a: tuple[Vec, ...]) -> Vec:
    return call_lanes(code, "hypotf" if a[0].type == "float" else "hypot", list(a))[0]


def _sign(code: Code, a: tuple[Vec, ...]) -> tuple[Vec, ...]:
    """a / |a|; 0 for 0, and the direction of an infinity along an axis, as NumPy 2 has it."""
    size = _size(code, a)
    infinite = size.eq(float("inf"))
    zero = size.eq(0.0)
    unit = [code.select(p.abs().eq(float("inf")), p.like(1.0).copysign(p), 0.0) for p in a]
    both = a[0].abs().eq(float("inf")) & a[1].abs().eq(float("inf"))
    unit = [code.select(both, float("nan"), u) for u in unit]
    return tuple(code.select(infinite, u, code.select(zero, 0.0, p / size)) for p, u in zip(a, unit, strict=True))


def _divide(code: Code, a: tuple[Vec, ...], b: tuple[Vec, ...]) -> tuple[Vec, ...]:
    """R. L. Smith, Algorithm 116, as NumPy has it: scaled by the larger part of the divisor."""
    by_real = b[0].abs().ge(b[1].abs())
    large, small = code.select(by_real, b[0], b[1]), code.select(by_real, b[1], b[0])
    ratio = small / large
    scale = 1.0 / (large + small * ratio)
    x, y = code.select(by_real, a[0], a[1]), code.select(by_real, a[1], a[0])
    real = (x + y * ratio) * scale
    imag = code.select(by_real, y - x * ratio, x * ratio - y) * scale
    # by zero: each part over zero
    zero = large.eq(0.0)
    size = b[0].abs()
    return code.select(zero, a[0] / size, real), code.select(zero, a[1] / size, imag)


def _function(code: Code, op: str, dtype: DType, a: tuple[Vec, ...], b: tuple[Vec, ...]) -> tuple[Vec, ...]:
    """Computed in c128 by the C library, which has it as `c` and its name; expm1, log1p and sigmoid are made of exp and
    log."""
    if dtype is c64:
        wide = [cast(code, c128, Value(c64, x)).parts for x in (a, b)]
        return cast(code, c64, Value(c128, _function(code, op, c128, *wide))).parts
    match op:
        case "expm1":
            e = _function(code, "exp", dtype, a, b)
            return e[0] - 1.0, e[1]
        case "log1p":
            return _function(code, "log", dtype, (a[0] + 1.0, a[1]), b)
        case "sigmoid":
            e = _function(code, "exp", dtype, (-a[0], -a[1]), b)
            return _divide(code, (e[0].like(1.0), e[0].like(0.0)), (e[0] + 1.0, e[1]))
        case _ if OPS[op].is_c99:
            args = [*a, *b] if OPS[op].arity == 2 else list(a)
            return tuple(call_lanes(code, "c" + op, args, results=2))
        case _:
            raise InternalError(f"kernels have no operation {op} of {dtype}")
