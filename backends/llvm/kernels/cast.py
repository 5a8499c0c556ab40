"""Conversions between dtypes on vectors, as NumPy's astype makes them on this machine."""

from __future__ import annotations

from jitcore.backends.llvm.kernels.values import LANE_TYPE, Value, constant, half_of_double, round_to_half
from jitcore.backends.native.ir.text import part_type
from jitcore.backends.native.ir.vectors import BITS, Code, Vec, intrinsic_suffix, vector_type
from jitcore.types import DType, bool_, f16, i32, i64, u32, u64


def cast(code: Code, dtype: DType, value: Value) -> Value:
    """`value` converted to `dtype`."""
    source = value.dtype
    if source is dtype:
        return value
    if dtype.kind == "c":
        part = part_type(dtype)
        if source.kind == "c":
            halves = (cast(code, part, Value(part_type(source), (p,))).vec for p in value.parts)
            return Value(dtype, tuple(halves))
        zero = constant(code, part, 0.0, value.lanes)
        return Value(dtype, (cast(code, part, value).vec, zero.vec))
    if source.kind == "c":
        if dtype is bool_:
            real, imag = value.parts
            return Value(bool_, (real.ne(0.0) | imag.ne(0.0),))
        return cast(code, dtype, Value(part_type(source), value.parts[:1]))
    vec = value.vec
    if dtype is bool_:
        return Value(bool_, (vec.ne(0),))
    if dtype.is_float:
        made = (
            _float_to_float(code, source, dtype, vec)
            if source.is_float
            else _integer_to_float(code, source, dtype, vec)
        )
        return Value(dtype, (made,))
    if source.is_float:
        return Value(dtype, (_float_to_integer(code, dtype, vec),))
    return Value(dtype, (_resized(code, source, vec, LANE_TYPE[dtype.name]),))


def _resized(code: Code, source: DType, vec: Vec, type_: str) -> Vec:
    """An integer in another width."""
    if BITS[type_] == BITS[vec.type]:
        return vec
    if BITS[type_] < BITS[vec.type]:
        return code.convert("trunc", vec, type_)
    return code.convert("sext" if source.kind == "i" else "zext", vec, type_)


def _float_to_float(code: Code, source: DType, dtype: DType, vec: Vec) -> Vec:
    if dtype is f16:
        return half_of_double(code, vec) if vec.type == "double" else round_to_half(code, vec)
    type_ = LANE_TYPE[dtype.name]
    if type_ == vec.type:
        return vec
    return code.convert("fpext" if type_ == "double" else "fptrunc", vec, type_)


def _integer_to_float(code: Code, source: DType, dtype: DType, vec: Vec) -> Vec:
    made = code.convert("sitofp" if source.kind == "i" else "uitofp", vec, LANE_TYPE[dtype.name])
    return round_to_half(code, made) if dtype is f16 else made  # rounded twice, as NumPy does


def _float_to_integer(code: Code, dtype: DType, vec: Vec) -> Vec:
    """Truncated. Out of range: on x86 the lowest number of a signed 32- or 64-bit conversion, of which narrower and
    unsigned types take the low bits; elsewhere saturated, 0 for NaN."""
    type_ = LANE_TYPE[dtype.name]
    if code.target.architecture not in ("x86_64", "amd64"):
        through = dtype if dtype.itemsize >= 4 else i32
        wide = LANE_TYPE[through.name]
        sign = "s" if through.kind == "i" else "u"
        name = f"llvm.fpto{sign}i.sat.{intrinsic_suffix(wide, vec.lanes)}.{intrinsic_suffix(vec.type, vec.lanes)}"
        return _resized(code, through, code.call(name, wide, vec.lanes, vec), type_)
    if dtype is u64:
        half = float(1 << 63)
        high = _to_signed(code, vec - half, "i64") ^ (-(1 << 63))
        return code.select(vec.ge(half), high, _to_signed(code, vec, "i64"))
    through = "i64" if dtype in (i64, u32) else "i32"
    return _resized(code, i64, _to_signed(code, vec, through), type_)


def _to_signed(code: Code, vec: Vec, type_: str) -> Vec:
    lowest = -(1 << (BITS[type_] - 1))
    # -2**31 - 0.5 still truncates to -2**31, where the float can tell them apart
    finer = vec.type == "double" and type_ == "i32"
    above = vec.gt(float(lowest - 1)) if finer else vec.ge(float(lowest))
    inside = above & vec.lt(float(-lowest))
    converted = code.emit(type_, vec.lanes, f"fptosi {vec.typed} to {vector_type(type_, vec.lanes)}")
    return code.select(inside, converted, lowest)
