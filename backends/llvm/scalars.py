"""`kernel.scalar` operations on registers, as LLVM text with the very meaning the table gives them.

No fast-math flags and no contraction: floats are IEEE's. What LLVM leaves undefined (division by zero, shifts past
the width, conversions out of range) is written out. The approximated functions (`exp`, `tanh` … without `libm.`)
are `vector_math`'s, at width one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from jitcore.backends.llvm.engine import Target
from jitcore.backends.llvm.support import MATH_FUNCTIONS
from jitcore.backends.llvm.text import LLVMModule, literal, part_type, register_type
from jitcore.backends.llvm.vector_math import FUNCTIONS, transcendental
from jitcore.backends.llvm.vectors import Code, Vec
from jitcore.source import InternalError
from jitcore.types import DType, bool_, f16, f32, f64, i32, i64, u32, u64


@dataclass(frozen=True, slots=True)
class Value:
    """An LLVM operand (`%x.1`, `5`) and its dtype (None: an address)."""

    text: str
    dtype: DType | None

    @property
    def type(self) -> str:
        """Its LLVM type."""
        return register_type(self.dtype)

    @property
    def typed(self) -> str:
        """The operand with its type before it."""
        return f"{self.type} {self.text}"


class FunctionText:
    """The lines of a function being written, and fresh names for its values and labels."""

    def __init__(self, module: LLVMModule, target: Target) -> None:
        self.module = module
        self.target = target
        self.lines: list[str] = []
        self.block = "entry"
        """The label of the basic block being written: where a phi says a value comes from."""
        self._count = 0

    def name(self, hint: str) -> str:
        """A name not used before in this function, without `%`."""
        self._count += 1
        return f"{hint}.{self._count}"

    def line(self, text: str) -> None:
        """Add an instruction that gives no value."""
        self.lines.append(f"  {text}")

    def set(self, text: str, dtype: DType | None, hint: str = "t") -> Value:
        """Add an instruction and name its value."""
        name = f"%{self.name(hint)}"
        self.lines.append(f"  {name} = {text}")
        return Value(name, dtype)

    def label(self, name: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{name}:")
        self.block = name

    def const(self, dtype: DType, value: bool | int | float | complex) -> Value:
        """A constant."""
        return Value(literal(dtype, value), dtype)

    def intrinsic(self, name: str, result: DType, *args: Value) -> Value:
        """Call `llvm.<name>` of one dtype throughout."""
        full = f"llvm.{name}.{_suffix(result)}"
        types = ", ".join(a.type for a in args)
        self.module.declare(f"declare {register_type(result)} @{full}({types})")
        return self.set(f"call {register_type(result)} @{full}({', '.join(a.typed for a in args)})", result)


def _suffix(dtype: DType) -> str:
    return f"f{dtype.itemsize * 8}" if dtype.is_float else "i1" if dtype is bool_ else f"i{dtype.itemsize * 8}"


def emit(f: FunctionText, op: str, dtype: DType, *args: Value) -> Value:
    """`op(args…)` of `kernel.scalar.OPS`, giving `dtype`."""
    source = args[0].dtype
    if source is None:
        raise InternalError(f"{op} of an address")
    if op == "cast":
        return cast(f, dtype, args[0])
    if op == "select":
        condition, yes, no = args
        return f.set(f"select i1 {condition.text}, {yes.typed}, {no.typed}", dtype)
    if op in ("real", "imag", "complex"):
        return _complex_parts(f, op, dtype, args)
    if source is f16:
        wide = emit(f, op, f32 if dtype is f16 else dtype, *(cast(f, f32, a) for a in args))
        return cast(f, dtype, wide)
    family = _COMPARISONS if dtype is bool_ and (op in _COMPARISONS) else _ARITHMETIC
    handler = family.get(op)
    if handler is None:
        return _function(f, op, dtype, args)
    return handler(f, op, dtype, args)


_Handler: TypeAlias = Callable[[FunctionText, str, DType, "Sequence[Value]"], Value]


def _refuse(op: str, dtype: DType | None) -> InternalError:
    return InternalError(f"the program uses {op} of {dtype}, which has no meaning there")


def source_dtype(args: Sequence[Value]) -> DType:
    """The dtype of an operation's arguments."""
    dtype = args[0].dtype
    if dtype is None:
        raise InternalError("arithmetic on an address")
    return dtype


# --- arithmetic -------------------------------------------------------------------------------------

_INTEGER_NAMES: Final = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor"}
_BOOL_NAMES: Final = {"add": "or", "mul": "and", "max": "or", "min": "and", "and": "and", "or": "or", "xor": "xor"}
_FLOAT_NAMES: Final = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv", "fmod": "frem"}


def _binary(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if dtype.kind == "c":
        return _COMPLEX[op](f, op, dtype, args) if op in _COMPLEX else _unsupported(op, dtype)
    names = {"b": _BOOL_NAMES, "f": _FLOAT_NAMES}.get(dtype.kind, _INTEGER_NAMES)
    if op not in names:
        raise _refuse(op, dtype)
    a, b = args
    return f.set(f"{names[op]} {a.typed}, {b.text}", dtype)


def _unsupported(op: str, dtype: DType) -> Value:
    raise _refuse(op, dtype)


def _neg(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    (a,) = args
    if dtype.kind == "c":
        return _by_parts(f, "neg", dtype, args)
    if dtype.kind == "f":
        return f.set(f"fneg {a.typed}", dtype)
    if dtype.kind == "b":
        raise _refuse(op, dtype)
    return f.set(f"sub {a.type} 0, {a.text}", dtype)


def _abs(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    (a,) = args
    if source_dtype(args).kind == "c":
        return _hypot(f, a)
    if dtype.kind == "f":
        return f.intrinsic("fabs", dtype, a)
    if dtype.kind == "i":
        negative = f.set(f"icmp slt {a.typed}, 0", bool_)
        minus = f.set(f"sub {a.type} 0, {a.text}", dtype)
        return f.set(f"select i1 {negative.text}, {minus.typed}, {a.typed}", dtype)
    return a


def _sign(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    (a,) = args
    if dtype.kind == "c":
        return _complex_sign(f, a)
    zero, one, minus_one = f.const(dtype, 0), f.const(dtype, 1), f.const(dtype, -1)
    if dtype.kind == "b":
        raise _refuse(op, dtype)
    positive = emit(f, "gt", bool_, a, zero)
    negative = emit(f, "lt", bool_, a, zero)
    # NaN and zero: themselves; NumPy gives +0 for -0
    if dtype.kind == "f":
        is_nan = f.set(f"fcmp uno {a.typed}, {a.text}", bool_)
        other = emit(f, "select", dtype, is_nan, a, zero)
    else:
        other = zero
    return emit(f, "select", dtype, positive, one, emit(f, "select", dtype, negative, minus_one, other))


def _extreme(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    a, b = args
    if dtype.kind == "b":
        return _binary(f, op, dtype, args)
    if dtype.is_integer:
        return f.intrinsic(("s" if dtype.kind == "i" else "u") + op, dtype, a, b)
    first = emit(f, "ge" if op == "max" else "le", bool_, a, b)
    is_nan = emit(f, "isnan", bool_, a)
    return emit(f, "select", dtype, f.set(f"or i1 {first.text}, {is_nan.text}", bool_), a, b)


def _divided(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """floordiv, mod and the integer fmod."""
    if dtype.is_float:
        return _float_fmod(f, dtype, args) if op == "fmod" else _float_divided(f, op, dtype, args)
    if dtype.kind == "u":
        return _unsigned_divided(f, op, dtype, args)
    if dtype.kind != "i":
        raise _refuse(op, dtype)
    a, b = args
    zero, one = f.const(dtype, 0), f.const(dtype, 1)
    # sdiv is undefined for a zero divisor and for the lowest number over -1: divide by 1 instead, mend the result
    is_zero = emit(f, "eq", bool_, b, zero)
    is_minus_one = emit(f, "eq", bool_, b, f.const(dtype, -1))
    special = f.set(f"or i1 {is_zero.text}, {is_minus_one.text}", bool_)
    divisor = emit(f, "select", dtype, special, one, b)
    rest = f.set(f"srem {a.typed}, {divisor.text}", dtype)
    if op == "fmod":
        return rest
    # towards minus infinity: one less, and the divisor more, if the rest has the other sign
    inexact = emit(f, "ne", bool_, rest, zero)
    signs = f.set(f"xor {rest.typed}, {divisor.text}", dtype)
    differ = emit(f, "lt", bool_, signs, zero)
    mend = f.set(f"and i1 {inexact.text}, {differ.text}", bool_)
    if op == "mod":
        return emit(f, "add", dtype, rest, emit(f, "select", dtype, mend, divisor, zero))
    quotient = f.set(f"sdiv {a.typed}, {divisor.text}", dtype)
    floored = emit(f, "sub", dtype, quotient, cast(f, dtype, mend))
    minus = emit(f, "neg", dtype, a)
    return emit(f, "select", dtype, is_zero, zero, emit(f, "select", dtype, is_minus_one, minus, floored))


def _unsigned_divided(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    a, b = args
    zero = f.const(dtype, 0)
    is_zero = emit(f, "eq", bool_, b, zero)
    divisor = emit(f, "select", dtype, is_zero, f.const(dtype, 1), b)
    divided = f.set(f"{'udiv' if op == 'floordiv' else 'urem'} {a.typed}, {divisor.text}", dtype)
    return emit(f, "select", dtype, is_zero, zero, divided)


def _float_fmod(f: FunctionText, dtype: DType, args: Sequence[Value]) -> Value:
    return _binary(f, "fmod", dtype, args)


def _float_divided(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """Python's float divmod, which is NumPy's too; by zero: a / b, and NaN."""
    a, b = args
    zero, one = f.const(dtype, 0.0), f.const(dtype, 1.0)
    rest = _binary(f, "fmod", dtype, args)
    by_zero = f.set(f"fcmp oeq {b.typed}, {zero.text}", bool_)
    has_rest = f.set(f"fcmp une {rest.typed}, {zero.text}", bool_)
    negative_b = emit(f, "lt", bool_, b, zero)
    negative_rest = emit(f, "lt", bool_, rest, zero)
    differ = f.set(f"xor i1 {negative_b.text}, {negative_rest.text}", bool_)
    mend = f.set(f"and i1 {has_rest.text}, {differ.text}", bool_)
    if op == "mod":
        mended = emit(f, "select", dtype, mend, emit(f, "add", dtype, rest, b), rest)
        signed_zero = emit(f, "copysign", dtype, zero, b)
        return emit(f, "select", dtype, by_zero, rest, emit(f, "select", dtype, has_rest, mended, signed_zero))
    exact = emit(f, "div", dtype, emit(f, "sub", dtype, a, rest), b)
    quotient = emit(f, "select", dtype, mend, emit(f, "sub", dtype, exact, one), exact)
    floored = emit(f, "floor", dtype, quotient)
    over = emit(f, "gt", bool_, emit(f, "sub", dtype, quotient, floored), f.const(dtype, 0.5))
    rounded = emit(f, "select", dtype, over, emit(f, "add", dtype, floored, one), floored)
    ratio = emit(f, "div", dtype, a, b)
    has_quotient = f.set(f"fcmp une {quotient.typed}, {zero.text}", bool_)
    signed_zero = emit(f, "copysign", dtype, zero, ratio)
    whole = emit(f, "select", dtype, has_quotient, rounded, signed_zero)
    return emit(f, "select", dtype, by_zero, ratio, whole)


def _rounding(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if dtype.is_float:
        return f.intrinsic({"rint": "roundeven"}.get(op, op), dtype, *args)
    if dtype.kind == "c":
        raise _refuse(op, dtype)
    return args[0]


def _sqrt(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    return f.intrinsic("sqrt", dtype, *args) if dtype.is_float else _function(f, op, dtype, args)


def _copysign(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if not dtype.is_float:
        raise _refuse(op, dtype)
    return f.intrinsic("copysign", dtype, *args)


def _not(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if dtype.kind not in "biu":
        raise _refuse(op, dtype)
    return f.set(f"xor {args[0].typed}, {literal(dtype, True if dtype is bool_ else -1)}", dtype)


def _shift(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if not dtype.is_integer:
        raise _refuse(op, dtype)
    a, b = args
    width = dtype.itemsize * 8
    inside = f.set(f"icmp ult {b.typed}, {width}", bool_)  # a negative amount is past the width too
    if op == "shl":
        amount = emit(f, "select", dtype, inside, b, f.const(dtype, 0))
        shifted = f.set(f"shl {a.typed}, {amount.text}", dtype)
        return emit(f, "select", dtype, inside, shifted, f.const(dtype, 0))
    if dtype.kind == "i":
        amount = emit(f, "select", dtype, inside, b, f.const(dtype, width - 1))
        return f.set(f"ashr {a.typed}, {amount.text}", dtype)
    amount = emit(f, "select", dtype, inside, b, f.const(dtype, 0))
    shifted = f.set(f"lshr {a.typed}, {amount.text}", dtype)
    return emit(f, "select", dtype, inside, shifted, f.const(dtype, 0))


# --- comparisons ------------------------------------------------------------------------------------


def _compare(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    a, b = args
    source = source_dtype(args)
    if source.kind == "c":
        return _compare_complex(f, op, args)
    if source.is_float:
        return f.set(f"fcmp {'une' if op == 'ne' else 'o' + op} {a.typed}, {b.text}", bool_)
    sign = "" if op in ("eq", "ne") else "s" if source.kind == "i" else "u"
    return f.set(f"icmp {sign}{op} {a.typed}, {b.text}", bool_)


def _compare_complex(f: FunctionText, op: str, args: Sequence[Value]) -> Value:
    """Equal in both parts; ordered as NumPy does, by the real part and then the imaginary one."""
    part = part_type(source_dtype(args))
    (ar, ai), (br, bi) = (_parts(f, part, a) for a in args)
    if op in ("eq", "ne"):
        both = [emit(f, op, bool_, x, y).text for x, y in ((ar, br), (ai, bi))]
        return f.set(f"{'and' if op == 'eq' else 'or'} i1 {', '.join(both)}", bool_)
    strict = op[0] + "t"
    beyond = emit(f, strict, bool_, ar, br)
    comparable = f.set(f"fcmp ord {ai.typed}, {bi.text}", bool_)
    first = f.set(f"and i1 {beyond.text}, {comparable.text}", bool_)
    same = emit(f, "eq", bool_, ar, br)
    second = f.set(f"and i1 {same.text}, {emit(f, op, bool_, ai, bi).text}", bool_)
    return f.set(f"or i1 {first.text}, {second.text}", bool_)


def _classify(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    (a,) = args
    source = source_dtype(args)
    if source.kind == "c":
        both = [emit(f, op, bool_, p).text for p in _parts(f, part_type(source), a)]
        return f.set(f"{'and' if op == 'isfinite' else 'or'} i1 {', '.join(both)}", bool_)
    if not source.is_float:
        return f.const(bool_, op == "isfinite")
    if op == "isnan":
        return f.set(f"fcmp uno {a.typed}, {a.text}", bool_)
    size = f.intrinsic("fabs", source, a)
    infinity = literal(source, float("inf"))
    return f.set(f"fcmp {'oeq' if op == 'isinf' else 'one'} {size.typed}, {infinity}", bool_)


def overflow_pair(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> str:
    """The name of the pair {wrapped result, whether it overflowed} of add, sub or mul."""
    if dtype.kind not in "iu":
        raise _refuse(f"{op}_overflows", dtype)
    a, b = args
    name = f"llvm.{'s' if dtype.kind == 'i' else 'u'}{op}.with.overflow.{a.type}"
    f.module.declare(f"declare {{ {a.type}, i1 }} @{name}({a.type}, {a.type})")
    return f.set(f"call {{ {a.type}, i1 }} @{name}({a.typed}, {b.typed})", dtype).text


def _overflows(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    source = source_dtype(args)
    pair = overflow_pair(f, op.removesuffix("_overflows"), source, args)
    return f.set(f"extractvalue {{ {register_type(source)}, i1 }} {pair}, 1", bool_)


# --- complex ----------------------------------------------------------------------------------------


def _parts(f: FunctionText, part: DType, a: Value) -> tuple[Value, Value]:
    return f.set(f"extractvalue {a.typed}, 0", part), f.set(f"extractvalue {a.typed}, 1", part)


def _pair(f: FunctionText, dtype: DType, real: Value, imag: Value) -> Value:
    half = f.set(f"insertvalue {register_type(dtype)} poison, {real.typed}, 0", dtype)
    return f.set(f"insertvalue {half.typed}, {imag.typed}, 1", dtype)


def _complex_parts(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if op == "complex":
        part = part_type(dtype)
        return _pair(f, dtype, cast(f, part, args[0]), cast(f, part, args[1]))
    source = source_dtype(args)
    if source.kind != "c":
        return cast(f, dtype, args[0]) if op == "real" else f.const(dtype, 0)
    index = 0 if op == "real" else 1
    return cast(f, dtype, f.set(f"extractvalue {args[0].typed}, {index}", part_type(source)))


def _by_parts(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    part = part_type(dtype)
    split = [_parts(f, part, a) for a in args]
    return _pair(f, dtype, *(emit(f, op, part, *(s[i] for s in split)) for i in (0, 1)))


def _complex_mul(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    part = part_type(dtype)
    (ar, ai), (br, bi) = (_parts(f, part, a) for a in args)
    real = emit(f, "sub", part, emit(f, "mul", part, ar, br), emit(f, "mul", part, ai, bi))
    imag = emit(f, "add", part, emit(f, "mul", part, ar, bi), emit(f, "mul", part, ai, br))
    return _pair(f, dtype, real, imag)


def _complex_div(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """R. L. Smith, Algorithm 116, as NumPy has it: divide by the larger part of the divisor first."""
    part = part_type(dtype)
    (ar, ai), (br, bi) = (_parts(f, part, a) for a in args)
    size_r, size_i = emit(f, "abs", part, br), emit(f, "abs", part, bi)
    by_real = emit(f, "ge", bool_, size_r, size_i)

    def choose(yes: Value, no: Value) -> Value:
        return emit(f, "select", part, by_real, yes, no)

    large, small = choose(br, bi), choose(bi, br)
    ratio = emit(f, "div", part, small, large)
    scale = emit(f, "div", part, f.const(part, 1.0), emit(f, "add", part, large, emit(f, "mul", part, small, ratio)))
    first, second = choose(ar, ai), choose(ai, ar)
    real = emit(f, "mul", part, emit(f, "add", part, first, emit(f, "mul", part, second, ratio)), scale)
    scaled = emit(f, "mul", part, first, ratio)
    imag = emit(f, "mul", part, choose(emit(f, "sub", part, ai, scaled), emit(f, "sub", part, scaled, ar)), scale)
    # by the real part: i = ai - ar*ratio; by the imaginary one: i = ai*ratio - ar
    zero = f.const(part, 0.0)
    by_zero = f.set(
        f"and i1 {emit(f, 'eq', bool_, size_r, zero).text}, {emit(f, 'eq', bool_, size_i, zero).text}", bool_
    )
    real = emit(f, "select", part, by_zero, emit(f, "div", part, ar, size_r), real)
    imag = emit(f, "select", part, by_zero, emit(f, "div", part, ai, size_r), imag)
    return _pair(f, dtype, real, imag)


def _hypot(f: FunctionText, a: Value) -> Value:
    part = part_type(source_dtype([a]))
    name = "hypotf" if part is f32 else "hypot"
    return _c_call(f, name, part, *_parts(f, part, a))


def _complex_sign(f: FunctionText, a: Value) -> Value:
    """a / |a|; 0 for 0, as NumPy 2 has it."""
    dtype = source_dtype([a])
    part = part_type(dtype)
    size = _hypot(f, a)
    real, imag = _parts(f, part, a)
    zero = f.const(part, 0.0)
    is_zero = emit(f, "eq", bool_, size, zero)
    scaled = [emit(f, "select", part, is_zero, zero, emit(f, "div", part, p, size)) for p in (real, imag)]
    return _pair(f, dtype, scaled[0], scaled[1])


_COMPLEX: Final[dict[str, _Handler]] = {
    "add": _by_parts,
    "sub": _by_parts,
    "mul": _complex_mul,
    "div": _complex_div,
}

_ARITHMETIC: Final[dict[str, _Handler]] = {
    **dict.fromkeys(("add", "sub", "mul", "div", "and", "or", "xor"), _binary),
    **dict.fromkeys(("floordiv", "mod", "fmod"), _divided),
    **dict.fromkeys(("max", "min"), _extreme),
    **dict.fromkeys(("floor", "ceil", "trunc", "rint"), _rounding),
    **dict.fromkeys(("shl", "shr"), _shift),
    "neg": _neg,
    "abs": _abs,
    "sign": _sign,
    "copysign": _copysign,
    "sqrt": _sqrt,
    "not": _not,
}
_COMPARISONS: Final[dict[str, _Handler]] = {
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _compare),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), _classify),
    **dict.fromkeys(("add_overflows", "sub_overflows", "mul_overflows"), _overflows),
}


# --- functions --------------------------------------------------------------------------------------


def _c_call(f: FunctionText, name: str, dtype: DType, *args: Value) -> Value:
    """Call a function of the C library. `nobuiltin`: LLVM must neither fold nor rewrite it (`pow(x, 2)` as `x * x`
    has other bits)."""
    types = ", ".join(a.type for a in args)
    f.module.declare(f"declare {register_type(dtype)} @{name}({types})")
    given = ", ".join(a.typed for a in args)
    return f.set(f"call {register_type(dtype)} @{name}({given}) nobuiltin nounwind memory(none)", dtype)


def _function(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    if op in FUNCTIONS and dtype in (f32, f64):
        return _approximated(f, op, dtype, args)
    name = op.removeprefix("libm.")
    if name is op or dtype is not f64:
        raise _refuse(op, dtype)
    if name in MATH_FUNCTIONS:
        f.module.declare("declare double @jc_math(i64, double)")
        return f.set(f"call double @jc_math(i64 {MATH_FUNCTIONS.index(name)}, {args[0].typed})", dtype)
    return _c_call(f, name, dtype, *args)


def _approximated(f: FunctionText, op: str, dtype: DType, args: Sequence[Value]) -> Value:
    """What kernels compute, at a width of one lane: a function of the module, the same bits."""
    name = f"scalar.{op}.{dtype.name}"
    type_ = register_type(dtype)
    if not f.module.defines(name):
        code = Code(f.module, f.target)
        params = [Vec(code, f"%x{i}", type_) for i in range(len(args))]
        result = transcendental(code, op, *params)
        code.line(f"ret {result.typed}")
        head = f"define internal {type_} @{name}({', '.join(p.typed for p in params)}) memory(none) nounwind {{"
        f.module.define(name, "\n".join([head, code.body(), "}"]))
    return f.set(f"call {type_} @{name}({', '.join(a.typed for a in args)})", dtype)


# --- conversions ------------------------------------------------------------------------------------


def cast(f: FunctionText, dtype: DType, value: Value) -> Value:
    """`value` converted as NumPy's astype converts it on this machine."""
    source = source_dtype([value])
    if source is dtype:
        return value
    if dtype.kind == "c":
        part = part_type(dtype)
        if source.kind == "c":
            real, imag = (cast(f, part, p) for p in _parts(f, part_type(source), value))
            return _pair(f, dtype, real, imag)
        return _pair(f, dtype, cast(f, part, value), f.const(part, 0.0))
    if source.kind == "c":
        if dtype is bool_:
            return emit(f, "ne", bool_, value, f.const(source, 0))
        return cast(f, dtype, f.set(f"extractvalue {value.typed}, 0", part_type(source)))
    if dtype is bool_:
        compare = "fcmp une" if source.is_float else "icmp ne"
        return f.set(f"{compare} {value.typed}, {literal(source, 0)}", bool_)
    if source.is_float:
        return _float_to_float(f, dtype, value) if dtype.is_float else _float_to_integer(f, dtype, value)
    return _from_integer(f, dtype, value)


def _from_integer(f: FunctionText, dtype: DType, value: Value) -> Value:
    source = source_dtype([value])
    signed = source.kind == "i"
    if dtype is f16:
        return _float_to_float(f, f16, _from_integer(f, f32, value))  # rounded twice, as NumPy does
    if dtype.is_float:
        return f.set(f"{'si' if signed else 'ui'}tofp {value.typed} to {register_type(dtype)}", dtype)
    bits = 1 if source is bool_ else source.itemsize * 8
    if bits == dtype.itemsize * 8:
        return Value(value.text, dtype)
    step = "trunc" if bits > dtype.itemsize * 8 else "sext" if signed else "zext"
    return f.set(f"{step} {value.typed} to {register_type(dtype)}", dtype)


def _float_to_float(f: FunctionText, dtype: DType, value: Value) -> Value:
    source = source_dtype([value])
    if dtype.itemsize > source.itemsize:
        return f.set(f"fpext {value.typed} to {register_type(dtype)}", dtype)
    if dtype is f16 and source is f64:
        value = _rounded_to_odd(f, value)
    return f.set(f"fptrunc {value.typed} to {register_type(dtype)}", dtype)


def _rounded_to_odd(f: FunctionText, value: Value) -> Value:
    """An f64 as an f32 from which rounding to f16 gives what rounding the f64 would: the nearest f32 towards zero, its
    last bit set if it is not exact (S. Boldo, G. Melquiond, "Emulation of a FMA", 2008)."""
    near = f.set(f"fptrunc {value.typed} to float", f32)
    back = f.set(f"fpext {near.typed} to double", f64)
    inexact = f.set(f"fcmp one {back.typed}, {value.text}", bool_)
    above = emit(f, "gt", bool_, emit(f, "abs", f64, back), emit(f, "abs", f64, value))
    bits = f.set(f"bitcast {near.typed} to i32", i32)
    towards_zero = emit(f, "sub", i32, bits, cast(f, i32, above))
    odd = f.set(f"or {towards_zero.typed}, {cast(f, i32, inexact).text}", i32)
    return f.set(f"bitcast {odd.typed} to float", f32)


def _float_to_integer(f: FunctionText, dtype: DType, value: Value) -> Value:
    """Truncated. Out of range, NumPy gives what the machine does: x86 converts to a signed 32- or 64-bit number, the
    lowest one if it does not fit, and takes the low bits; others saturate, with 0 for NaN."""
    if value.dtype is f16:
        value = _float_to_float(f, f32, value)
    if f.target.architecture not in ("x86_64", "amd64"):
        through = dtype if dtype.itemsize >= 4 else i32
        source = source_dtype([value])
        name = f"llvm.fpto{'s' if through.kind == 'i' else 'u'}i.sat.{register_type(through)}.{_suffix(source)}"
        f.module.declare(f"declare {register_type(through)} @{name}({value.type})")
        converted = f.set(f"call {register_type(through)} @{name}({value.typed})", through)
        return cast(f, dtype, converted)
    if dtype is u64:
        return _float_to_u64(f, value)
    through = i64 if dtype in (i64, u32) else i32
    return cast(f, dtype, _float_to_signed(f, through, value))


def _float_to_signed(f: FunctionText, dtype: DType, value: Value) -> Value:
    source = source_dtype([value])
    lowest = -(1 << (dtype.itemsize * 8 - 1))
    # -2**31 - 0.5 still truncates to -2**31, where the float can tell them apart
    if source is f64 and dtype is i32:
        from_below = emit(f, "gt", bool_, value, f.const(source, float(lowest - 1)))
    else:
        from_below = emit(f, "ge", bool_, value, f.const(source, float(lowest)))
    from_above = emit(f, "lt", bool_, value, f.const(source, float(-lowest)))
    inside = f.set(f"and i1 {from_below.text}, {from_above.text}", bool_)
    converted = f.set(f"fptosi {value.typed} to {register_type(dtype)}", dtype)
    return emit(f, "select", dtype, inside, converted, f.const(dtype, lowest))


def _float_to_u64(f: FunctionText, value: Value) -> Value:
    source = source_dtype([value])
    half = f.const(source, float(1 << 63))
    small = emit(f, "lt", bool_, value, half)
    low = _float_to_signed(f, i64, value)
    shifted = _float_to_signed(f, i64, emit(f, "sub", source, value, half))
    high = emit(f, "xor", i64, shifted, f.const(i64, -(1 << 63)))
    return Value(emit(f, "select", i64, small, low, high).text, u64)
