"""LLVM text: a module put together from named pieces, and how dtypes and numbers are written.

Everything this backend compiles is text. A piece that several lowerings need (a math function, an intrinsic's
declaration) is given under its name by each of them and kept once.
"""

from __future__ import annotations

import re
import struct
from typing import Final

from jitcore.source import InternalError
from jitcore.types import DType, bool_, c64, c128, f16, f32, f64, i64

_GLOBAL = r'@("(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)'
_DECLARED_FUNCTION = re.compile(r"declare\b[^(]*?" + _GLOBAL + r"\s*\(")
_DECLARED_GLOBAL = re.compile(r"\s*" + _GLOBAL + r"\s*=")


class LLVMModule:
    """The pieces of one LLVM module; `text()` puts them together. Names are written without the `@`."""

    def __init__(self) -> None:
        self._declarations: dict[str, str] = {}
        self._definitions: dict[str, str] = {}

    def declare(self, text: str) -> None:
        """Add an external declaration, `declare …` or `@name = external …`, unless it is there already."""
        match = _DECLARED_FUNCTION.match(text) or _DECLARED_GLOBAL.match(text)
        if match is None:
            raise InternalError(f"not a declaration: {text!r}")
        name = match.group(1).strip('"')
        if self._declarations.setdefault(name, text) != text:
            raise InternalError(f"@{name} is declared in two ways:\n{self._declarations[name]}\n{text}")

    def define(self, name: str, text: str) -> None:
        """Add the definition of a function or global; giving the same definition twice is no error."""
        if self._definitions.setdefault(name, text) != text:
            raise InternalError(f"@{name} is defined in two ways")

    def defines(self, name: str) -> bool:
        """Whether `name` has been defined: a lowering may ask before it writes a long definition anew."""
        return name in self._definitions

    def declared(self) -> tuple[str, ...]:
        """The names that must come from outside."""
        return tuple(n for n in self._declarations if n not in self._definitions)

    def text(self) -> str:
        """The module, without the target's header (`engine.compile_object` adds it)."""
        declarations = (self._declarations[name] for name in self.declared())
        return "\n".join((*declarations, *self._definitions.values())) + "\n"


_MEMORY_TYPES: Final = {
    "bool_": "i8", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64",
    "f16": "half", "f32": "float", "f64": "double",
    "c64": "{ float, float }", "c128": "{ double, double }",
}  # fmt: skip


def memory_type(dtype: DType) -> str:
    """The LLVM type of an element in memory: a bool is a byte, a complex a pair."""
    return _MEMORY_TYPES[dtype.name]


def register_type(dtype: DType | None) -> str:
    """The LLVM type of a value in a register, also as a kernel's parameter: a bool is one bit, None an address."""
    if dtype is None:
        return "ptr"
    return "i1" if dtype is bool_ else _MEMORY_TYPES[dtype.name]


def part_type(dtype: DType) -> DType:
    """The dtype of the two parts of a complex number."""
    return {c64: f32, c128: f64}[dtype]


def literal(dtype: DType | None, value: bool | int | float | complex) -> str:
    """A constant as an LLVM operand, bit for bit (without its type); an int is wrapped to its width."""
    if dtype is None:
        if value != 0:
            raise InternalError(f"the only constant address is null, not {value!r}")
        return "null"
    if dtype is bool_:
        return "true" if value else "false"
    if dtype.is_integer:
        bits = dtype.itemsize * 8
        wrapped = int(value.real) & ((1 << bits) - 1)
        return str(wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped)
    if dtype.is_float:
        return _float_literal(dtype, float(value.real))
    part = part_type(dtype)
    real, imag = (_float_literal(part, float(p)) for p in (value.real, value.imag))
    name = register_type(part)
    return f"{{ {name} {real}, {name} {imag} }}"


def _float_literal(dtype: DType, value: float) -> str:
    if dtype is f16:
        return f"0xH{int.from_bytes(_rounded_bytes('<e', value), 'little'):04X}"
    if dtype is f32:
        value = struct.unpack("<f", _rounded_bytes("<f", value))[0]
    return f"0x{int.from_bytes(struct.pack('<d', value), 'little'):016X}"


def _rounded_bytes(code: str, value: float) -> bytes:
    """`value` rounded to a shorter format; past its range it is infinite, as NumPy has it."""
    try:
        return struct.pack(code, value)
    except OverflowError:
        return struct.pack(code, float("inf") if value > 0 else float("-inf"))


def is_wide_integer(dtype: DType) -> bool:
    """Whether an integer fills a word."""
    return dtype.is_integer and dtype.itemsize == i64.itemsize


def quoted(name: str) -> str:
    """A global's name as it is written after `@`, whatever characters it has."""
    if re.fullmatch(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*", name):
        return name
    safe = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else _escaped(c) for c in name)
    return f'"{safe}"'


def _escaped(character: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in character.encode())
