"""The operations of `kernel.scalar` on vectors of every dtype: `compute(code, "add", f32, a, b)`.

IEEE arithmetic without contraction or fast-math flags, unless a program asks for these: then sums, products, quotients
and negations have them; functions like `exp` and what rounds do not, as they are computed in ways that count on every
bit. What LLVM leaves undefined (division by zero, shifts past the width, conversions out of range) is written out.
Every lane is computed alike, whatever the width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from jitcore.backends.llvm.kernels import complex as complex_
from jitcore.backends.llvm.kernels.cast import cast
from jitcore.backends.llvm.kernels.values import Value, constant, round_to_half, select
from jitcore.backends.llvm.math.functions import FUNCTIONS, transcendental
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.kernel.scalar import OPS
from jitcore.source import InternalError
from jitcore.types import DType, bool_, f16


def compute(code: Code, op: str, dtype: DType, *args: Value) -> Value:
    """`op(args…)`, giving `dtype`; the arguments have as many lanes as each other."""
    source = args[0].dtype
    if op == "cast":
        return cast(code, dtype, args[0])
    if op == "select":
        return select(code, args[0].vec, args[1], args[2])
    if OPS[op].kind == "convert":
        return complex_.parts_of(code, op, dtype, args)
    if source.kind == "c":
        return complex_.compute(code, op, dtype, args)
    handler = _HANDLERS.get(op)
    if handler is None and op not in FUNCTIONS:
        raise InternalError(f"kernels have no operation {op} of {source}")
    vectors = [a.vec for a in args]
    if handler is None or (op == "pow" and source.is_float):
        if not source.is_float:
            raise _refuse(op, source)
        made = transcendental(code, op, *vectors)
    else:
        made = handler(code, op, source, vectors)
    return Value(dtype, (round_to_half(code, made) if dtype is f16 else made,))


_Handler: TypeAlias = Callable[[Code, str, DType, "Sequence[Vec]"], Vec]
_HANDLERS: Final[dict[str, _Handler]] = {}
_BOOL_NAMES: Final = {"add": "or", "mul": "and", "max": "or", "min": "and"}


def _refuse(op: str, dtype: DType) -> InternalError:
    return InternalError(f"kernels have no operation {op} of {dtype}")


def _flagged(code: Code, instruction: str) -> str:
    """An instruction with the flags that the program asks for."""
    return " ".join((instruction, *code.module.fastmath))


def _handles(*ops: str) -> Callable[[_Handler], _Handler]:
    """The function below computes these operations."""

    def register(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(ops, handler))
        return handler

    return register


@_handles("eq", "ne", "lt", "le", "gt", "ge")
def _compare(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    a, b = args
    if source.is_float:
        return a.compare("une" if op == "ne" else "o" + op, b)
    sign = "" if op in ("eq", "ne") else "s" if source.kind == "i" else "u"
    return a.compare(sign + op, b)


@_handles("isnan", "isinf", "isfinite")
def _classify(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    (a,) = args
    if not source.is_float:
        return code.constant("i1", op == "isfinite", a.lanes)
    if op == "isnan":
        return a.is_nan()
    return a.abs().compare("oeq" if op == "isinf" else "one", float("inf"))


@_handles("add", "sub", "mul", "and", "or", "xor")
def _binary(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    a, b = args
    if source is bool_ and op in _BOOL_NAMES:
        return a.op(_BOOL_NAMES[op], b)
    if source is bool_ and op not in ("and", "or", "xor"):
        raise _refuse(op, source)
    if source.is_float:
        return a.op(_flagged(code, "f" + op), b)
    return a.op(op, b)


@_handles("div")
def _div(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if not source.is_float:
        raise _refuse(op, source)
    return args[0].op(_flagged(code, "fdiv"), args[1])


@_handles("neg")
def _neg(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if source is bool_:
        raise _refuse(op, source)
    if source.is_float:
        return code.emit(args[0].type, args[0].lanes, f"{_flagged(code, 'fneg')} {args[0].typed}")
    return -args[0]


@_handles("abs")
def _abs(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    (a,) = args
    if source.is_float:
        return a.abs()
    return code.select(a.lt(0), -a, a) if source.kind == "i" else a


@_handles("sign")
def _sign(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    """NaN for itself, 0 for zeros of either sign."""
    (a,) = args
    if source is bool_:
        raise _refuse(op, source)
    if source.kind == "u":
        return code.select(a.eq(0), a.like(0), 1)
    zero = code.select(a.is_nan(), a, 0.0) if source.is_float else a.like(0)
    return code.select(a.gt(0), a.like(1), code.select(a.lt(0), a.like(-1), zero))


@_handles("max", "min")
def _extreme(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    """A NaN wins; of equal numbers the second, as with x86's maxps."""
    a, b = args
    if source is bool_:
        return _binary(code, op, source, args)
    if not source.is_float:
        return code.intrinsic(("s" if source.kind == "i" else "u") + op, a, b)
    chosen = code.select(a.gt(b) if op == "max" else a.lt(b), a, b)
    return code.select(a.is_nan(), a, chosen)


@_handles("copysign")
def _copysign(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if not source.is_float:
        raise _refuse(op, source)
    return args[0].copysign(args[1])


@_handles("sqrt")
def _sqrt(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if not source.is_float:
        raise _refuse(op, source)
    return args[0].sqrt()


@_handles("floor", "ceil", "trunc", "rint")
def _rounding(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if not source.is_float:
        return args[0]
    return code.intrinsic({"rint": "roundeven"}.get(op, op), args[0])


@_handles("not")
def _not(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if source.is_float:
        raise _refuse(op, source)
    return ~args[0]


@_handles("shl", "shr")
def _shift(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    if not source.is_integer:
        raise _refuse(op, source)
    a, b = args
    width = source.itemsize * 8
    inside = b.compare("ult", width)  # a negative amount is past the width too
    if op == "shr" and source.kind == "i":
        return a.sar(code.select(inside, b, width - 1))
    amount = code.select(inside, b, 0)
    return code.select(inside, a.shl(amount) if op == "shl" else a.shr(amount), 0)


# --- division with a remainder ----------------------------------------------------------------------


@_handles("floordiv", "mod", "fmod")
def _divided(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    """floordiv, mod and fmod."""
    a, b = args
    if source.is_float:
        return a.op("frem", b) if op == "fmod" else _float_divided(code, op, a, b)
    if source.kind == "i":
        return _signed_divided(code, op, a, b)
    if source.kind != "u":
        raise _refuse(op, source)
    zero = b.eq(0)
    divisor = code.select(zero, b.like(1), b)
    return code.select(zero, a.like(0), a.op("udiv" if op == "floordiv" else "urem", divisor))


def _signed_divided(code: Code, op: str, a: Vec, b: Vec) -> Vec:
    """Of the lowest number, -1 is no divisor either."""
    zero, minus = b.eq(0), b.eq(-1)
    divisor = code.select(zero | minus, b.like(1), b)
    rest = a.op("srem", divisor)
    if op == "fmod":
        return rest
    mend = rest.ne(0) & (rest ^ divisor).lt(0)
    if op == "mod":
        return rest + code.select(mend, divisor, 0)
    floored = a.op("sdiv", divisor) - code.select(mend, a.like(1), 0)
    return code.select(zero, a.like(0), code.select(minus, -a, floored))


def _float_divided(code: Code, op: str, a: Vec, b: Vec) -> Vec:
    """Python's divmod, which is NumPy's: from the exact remainder. By zero: a / b, and NaN."""
    rest = a.op("frem", b)
    by_zero = b.eq(0.0)
    has_rest = rest.ne(0.0)
    mend = has_rest & (b.lt(0.0) ^ rest.lt(0.0))
    if op == "mod":
        mended = code.select(has_rest, code.select(mend, rest + b, rest), b.like(0.0).copysign(b))
        return code.select(by_zero, rest, mended)
    exact = (a - rest) / b
    quotient = code.select(mend, exact - 1.0, exact)
    floored = code.intrinsic("floor", quotient)
    whole = code.select((quotient - floored).gt(0.5), floored + 1.0, floored)
    ratio = a / b
    whole = code.select(quotient.ne(0.0), whole, ratio.like(0.0).copysign(ratio))
    return code.select(by_zero, ratio, whole)


@_handles("pow")
def _integer_power(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    """By squaring, wrapping; 0 for negative exponents of anything but 1 and -1 (their inverse)."""
    base, exponent = args
    if source is bool_:
        return base | ~exponent
    negative = exponent.lt(0) if source.kind == "i" else code.constant("i1", False, base.lanes)
    count = code.select(negative, base.like(0), exponent)
    one = base.like(1)
    before = code.label
    head, after = code.new_label("square"), code.new_label("power")
    code.jump(head)
    code.block(head)
    place = len(code.lines)
    total, square, left = (code.emit(base.type, base.lanes, "") for _ in range(3))
    next_total = code.select((left & 1).ne(0), total * square, total)
    next_square = square * square
    next_left = left.shr(1)
    code.branch(code.any_lane(next_left.ne(0)), head, after)
    phis = ((total, one, next_total), (square, base, next_square), (left, count, next_left))
    for k, (name, first, following) in enumerate(phis):
        code.lines[place + k] = f"  {name} = phi {base.full_type} [ {first}, %{before} ], [ {following}, %{head} ]"
    code.block(after)
    if source.kind != "i":
        return next_total
    odd = (exponent & 1).ne(0)
    inverse = code.select(base.eq(1), one, code.select(base.eq(-1), code.select(odd, one.like(-1), one), 0))
    return code.select(negative, inverse, next_total)


@_handles("add_overflows", "sub_overflows", "mul_overflows")
def _overflows(code: Code, op: str, source: DType, args: Sequence[Vec]) -> Vec:
    """Whether a signed operation of 64 bits wraps."""
    a, b = args
    if source.kind != "i":
        raise _refuse(op, source)
    if op == "mul_overflows":
        wide = f"i{source.itemsize * 16}"
        full = f"<{a.lanes} x {wide}>" if a.lanes > 1 else wide
        x, y = (code.emit(wide, a.lanes, f"sext {v.typed} to {full}") for v in (a, b))
        product = code.emit(wide, a.lanes, f"mul {full} {x}, {y}")
        low = code.emit(a.type, a.lanes, f"trunc {full} {product} to {a.full_type}")
        back = code.emit(wide, a.lanes, f"sext {low.typed} to {full}")
        return code.emit("i1", a.lanes, f"icmp ne {full} {product}, {back}")
    wrapped = a + b if op == "add_overflows" else a - b
    other = b ^ wrapped if op == "add_overflows" else a ^ b
    return ((a ^ wrapped) & other).lt(0)


__all__ = ["compute", "constant"]
