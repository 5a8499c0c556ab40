"""Elements of kernels: values of any dtype in vector registers, and how they lie in memory.

An f16 is kept as the float it equals, rounded after every operation; a complex number is two vectors; a bool is one
bit.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.ir.text import part_type
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, f16

LANE_TYPE: Final = {
    "bool_": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64",
    "f16": "float", "f32": "float", "f64": "double", "c64": "float", "c128": "double",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """Elements of a dtype, one a lane: one vector, or two for complex numbers."""

    dtype: DType
    parts: tuple[Vec, ...]

    @property
    def vec(self) -> Vec:
        """The vector of a value that has one."""
        if len(self.parts) != 1:
            raise InternalError(f"a {self.dtype} has two parts")
        return self.parts[0]

    @property
    def lanes(self) -> int:
        return self.parts[0].lanes


def constant(code: Code, dtype: DType, value: bool | int | float | complex, lanes: int) -> Value:
    """A number in every lane."""
    type_ = LANE_TYPE[dtype.name]
    if dtype.kind == "c":
        return Value(dtype, tuple(code.constant(type_, float(p), lanes) for p in (value.real, value.imag)))
    if isinstance(value, complex):
        raise InternalError(f"{value} is no {dtype}")
    if dtype is f16:
        value = float(f16.numpy.type(value))
    elif dtype.is_float:
        value = float(value)
    return Value(dtype, (code.constant(type_, value, lanes),))


def splat(code: Code, value: Value, lanes: int) -> Value:
    """A scalar in every lane."""
    if value.lanes == lanes:
        return value
    return Value(value.dtype, tuple(code.splat(p, lanes) for p in value.parts))


def lane(code: Code, value: Value, index: int | Vec) -> Value:
    """One lane."""
    return Value(value.dtype, tuple(code.lane(p, index) for p in value.parts))


def select(code: Code, condition: Vec, a: Value, b: Value) -> Value:
    return Value(a.dtype, tuple(code.select(condition, x, y) for x, y in zip(a.parts, b.parts, strict=True)))


# --- half precision ---------------------------------------------------------------------------------


def round_to_half(code: Code, x: Vec) -> Vec:
    """A float rounded to the nearest number an f16 can hold."""
    if code.target.has_half_conversions:
        return code.convert("fpext", code.convert("fptrunc", x, "half"), "float")
    size = x.abs()
    bits = size.bits()
    normal = ((bits + (bits.shr(13) & 1) + 0xFFF) & ~0x1FFF).as_float()
    rounded = code.select(size.lt(2.0**-14), (size + 0.5) - 0.5, normal)  # 0.5 ends at the last bit of a subnormal
    rounded = code.select(rounded.gt(65504.0), float("inf"), rounded)
    return code.select(x.is_nan(), x, rounded.copysign(x))


def _half_to_float(code: Code, raw: Vec) -> Vec:
    if code.target.has_half_conversions:
        return code.convert("fpext", raw, "float")
    wide = code.convert("zext", raw, "i32")
    size = (wide & 0x7FFF).shl(13)
    scaled = (size.as_float() * 2.0**112).bits()  # the exponent's bias is 127, not 15
    special = (wide & 0x7C00).eq(0x7C00)
    return (code.select(special, size | 0x7F800000, scaled) | (wide & 0x8000).shl(16)).as_float()


def _float_to_half(code: Code, x: Vec) -> Vec:
    """To f16 for floats that one can hold."""
    if code.target.has_half_conversions:
        return code.convert("fptrunc", x, "half")
    scaled = (x.abs() * 2.0**-112).bits().shr(13)
    special = code.select(x.is_nan(), scaled.like(0x7E00), 0x7C00)
    size = code.select(x.abs().lt(float("inf")), scaled, special)
    return code.convert("trunc", size | (x.bits().shr(16) & 0x8000), "i16")


# --- memory -----------------------------------------------------------------------------------------


def memory_element(code: Code, dtype: DType) -> tuple[str, int]:
    """The LLVM type elements are made of in memory, and of how many."""
    if dtype is bool_:
        return "i8", 1
    if dtype is f16:
        return ("half" if code.target.has_half_conversions else "i16"), 1
    return LANE_TYPE[dtype.name], 2 if dtype.kind == "c" else 1


def element_type(code: Code, dtype: DType) -> str:
    """The LLVM type whose size is an element's: what addresses count."""
    type_, count = memory_element(code, dtype)
    return type_ if count == 1 else f"[{count} x {type_}]"


def unpack(code: Code, dtype: DType, raw: Vec) -> Value:
    """What was read as a vector of memory elements."""
    if dtype is bool_:
        return Value(dtype, (raw.ne(0),))
    if dtype is f16:
        return Value(dtype, (_half_to_float(code, raw),))
    if dtype.kind != "c":
        return Value(dtype, (raw,))
    if raw.lanes == 2:
        return Value(dtype, (code.lane(raw, 0), code.lane(raw, 1)))
    even = code.shuffle(raw, raw, range(0, raw.lanes, 2))
    odd = code.shuffle(raw, raw, range(1, raw.lanes, 2))
    return Value(dtype, (even, odd))


def pack(code: Code, value: Value) -> Vec:
    """The vector of memory elements to write."""
    if value.dtype is bool_:
        return code.convert("zext", value.vec, "i8")
    if value.dtype is f16:
        return _float_to_half(code, value.vec)
    if value.dtype.kind != "c":
        return value.vec
    real, imag = value.parts
    if real.lanes == 1:
        return code.gather_lanes((real, imag))
    order = [k for i in range(real.lanes) for k in (i, i + real.lanes)]
    return code.shuffle(real, imag, order)


def load_lanes(code: Code, dtype: DType, addresses: list[Vec], lanes: int = 0, first: int = 0) -> Vec:
    """Elements from anywhere, as `unpack` takes them; with `lanes`, they begin at the `first` of so many, and the
    others are 0."""
    type_, count = memory_element(code, dtype)
    if len(addresses) == 1 and lanes <= 1:
        return code.load(addresses[0], type_, count)
    parts = [code.load(code.offset(a, k, type_), type_) for a in addresses for k in range(count)]
    return code.gather_lanes(parts, lanes * count, first * count)


# --- parameters -------------------------------------------------------------------------------------


def parameter(code: Code, dtype: DType, name: str) -> Value:
    """The value of a function's parameter of `text.register_type(dtype)`."""
    if dtype.kind == "c":
        type_ = LANE_TYPE[dtype.name]
        pair = f"{{ {type_}, {type_} }}"
        return Value(dtype, tuple(code.emit(type_, 1, f"extractvalue {pair} {name}, {k}") for k in (0, 1)))
    if dtype is f16:
        half = Vec(code, name, "half")
        if not code.target.has_half_conversions:
            half = code.convert("bitcast", half, "i16")
        return Value(dtype, (_half_to_float(code, half),))
    return Value(dtype, (Vec(code, name, LANE_TYPE[dtype.name]),))


def part_dtype(dtype: DType) -> DType:
    """The dtype a real number of this precision has."""
    return part_type(dtype) if dtype.kind == "c" else dtype


def call_lanes(code: Code, name: str, args: list[Vec], results: int = 1) -> list[Vec]:
    """A function of the C library lane by lane; with two results it returns a pair."""
    type_, lanes = args[0].type, args[0].lanes
    made: list[list[Vec]] = [[] for _ in range(results)]
    result = type_ if results == 1 else f"{{ {type_}, {type_} }}"
    code.module.declare(f"declare {result} @{name}({', '.join([type_] * len(args))})")
    for k in range(lanes):
        given = ", ".join(code.lane(a, k).typed for a in args)
        got = code.emit(type_, 1, f"call {result} @{name}({given})")
        if results == 1:
            made[0].append(got)
            continue
        for i in range(results):
            made[i].append(code.emit(type_, 1, f"extractvalue {result} {got}, {i}"))
    return [code.gather_lanes(m) for m in made]


def half_of_double(code: Code, x: Vec) -> Vec:
    """A double rounded once to what an f16 can hold: first to a float by rounding to odd (Boldo and Melquiond 2008)."""
    near = code.convert("fptrunc", x, "float")
    back = code.convert("fpext", near, "double")
    above = code.convert("zext", back.abs().gt(x.abs()), "i32")
    inexact = code.convert("zext", back.compare("one", x), "i32")
    return round_to_half(code, ((near.bits() - above) | inexact).as_float())
