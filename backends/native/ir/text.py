"""LLVM text: a module put together from named pieces, and how dtypes and numbers are written.

Everything this backend compiles is text. A piece that several lowerings need (a math function, an intrinsic's
declaration) is given under its name by each of them and kept once.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import numpy as np

from jitcore.source import InternalError
from jitcore.types import DType, bool_, c64, c128, f16, f32, f64, i64

_GLOBAL = r'@("(?:[^"\\]|\\.)*"|[-a-zA-Z$._0-9]+)'
_DECLARED_FUNCTION = re.compile(r"declare\b[^(]*?" + _GLOBAL + r"\s*\(")
_DECLARED_GLOBAL = re.compile(r"\s*" + _GLOBAL + r"\s*=")
_NAMES = re.compile(_GLOBAL)


class LLVMModule:
    """The pieces of one LLVM module; `text()` puts them together. Names are written without the `@`."""

    def __init__(self) -> None:
        self._declarations: dict[str, str] = {}
        self._definitions: dict[str, str] = {}
        self.fastmath: tuple[str, ...] = ()
        """The flags of arithmetic of floats that a program asks for."""

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

    def redefine(self, name: str, text: str) -> None:
        """Put another definition in the place of the one there is."""
        self._definitions[name] = text

    def defines(self, name: str) -> bool:
        """Whether `name` has been defined: a lowering may ask before it writes a long definition anew."""
        return name in self._definitions

    def declared(self) -> tuple[str, ...]:
        """The names that must come from outside."""
        return tuple(n for n in self._declarations if n not in self._definitions)

    def definition(self, name: str) -> str:
        """The text of what `name` is defined as."""
        return self._definitions[name]

    def functions(self) -> tuple[str, ...]:
        """The names of the functions defined here."""
        return tuple(n for n, text in self._definitions.items() if _is_function(text))

    def divided(self, *groups: Collection[str], elsewhere: Iterable[Collection[str]] = ()) -> tuple[str, ...]:
        """The module as several that are linked to each other: what is in none of the groups, and the functions named
        in each of them. What is `elsewhere` is in none of these: such parts have been given already (`part`).

        All functions that one needs of another are visible outside; constants are repeated.
        """
        apart = [*groups, *elsewhere]
        homes = {name: place for place, group in enumerate(apart, 1) for name in group}
        needs: list[Collection[str]] = [homes, *(self._needed(group) for group in apart)]
        shared = set[str]().union(*needs)
        return tuple(self._part(place, needs[place], homes, shared) for place in range(len(groups) + 1))

    def part(self, names: Collection[str]) -> str:
        """A module of the functions named, which all others see; the rest of this one may still grow."""
        return self._part(1, self._needed(names), dict.fromkeys(names, 1), set(names))

    def _part(self, place: int, needs: Collection[str], homes: Mapping[str, int], shared: Collection[str]) -> str:
        lines = [self._declarations[name] for name in self.declared() if not place or name in needs]
        for name, text in self._definitions.items():
            if homes.get(name, 0) == place:
                lines.append(_visible(text) if name in shared else text)
            elif name in needs or name.startswith("!"):
                lines.append(text if _is_repeatable(text) else _declaration(text))
        return "\n".join(lines) + "\n"

    def _needed(self, names: Iterable[str]) -> set[str]:
        """What the definitions of `names`, and the constants they need, name."""
        needed: set[str] = set()
        pending = list(names)
        while pending:
            found = {match.strip('"') for match in _NAMES.findall(self._definitions[pending.pop()])} - needed
            needed |= found
            pending += [n for n in found if n in self._definitions and _is_repeatable(self._definitions[n])]
        return needed

    def text(self) -> str:
        """The module, without the target's header (`engine.compile_object` adds it)."""
        declarations = (self._declarations[name] for name in self.declared())
        return "\n".join((*declarations, *self._definitions.values())) + "\n"


_DEFINITION: Final = re.compile(r"(?ms)^define [^\n]*?@(?P<name>[\w.]+)\([^{]*?\{\n.*?^\}\n")


def reached(text: str, roots: Iterable[str], outside: Collection[str]) -> str:
    """A module's text with only those functions that the `roots` reach; those `outside` are declared."""
    found = {match["name"]: match[0] for match in _DEFINITION.finditer(text)}
    pending, needed = list(roots), set[str]()
    while pending:
        name = pending.pop()
        if name not in needed and name in found:
            needed.add(name)
            pending += [] if name in outside else re.findall(r"@([\w.]+)", found[name])

    def kept(match: re.Match[str]) -> str:
        name = match["name"]
        if name in outside and name in needed:
            return _declaration(match[0]) + "\n"
        return match[0] if name in needed else ""

    return _DEFINITION.sub(kept, text)


_INTERNAL: Final = re.compile(r"(?ms)^define internal (?P<head>[^\n]*?@(?P<name>[\w.]+)\([^\n]*)\{\n(?P<body>.*?)^\}")
_SHORT: Final = 20
"""Lines of a function that is put in the place of each of its calls."""


def with_inlining(text: str) -> str:
    """A module's text in which the internal functions that are called once, or are short, are marked to be inlined,
    unless they say themselves that they must not be."""
    calls = Counter(re.findall(r"\bcall\b[^@\n]*@([\w.]+)\(", text))

    def marked(match: re.Match[str]) -> str:
        head, body = match["head"], match["body"]
        decided = "noinline" in head or "alwaysinline" in head
        wanted = calls[match["name"]] == 1 or body.count("\n") < _SHORT
        return match[0] if decided or not wanted else f"define internal {head}alwaysinline {{\n{body}}}"

    return _INTERNAL.sub(marked, text)


def _is_function(text: str) -> bool:
    return text.startswith("define")


def _is_repeatable(text: str) -> bool:
    """Whether it makes no difference how many modules have this definition: metadata, constants of this module
    alone."""
    return text.startswith("!") or re.match(r"\S+\s*=\s*(internal|private)\s.*?\bconstant\b", text) is not None


def _visible(text: str) -> str:
    """A definition that other modules see, unless they can have their own."""
    return text if _is_repeatable(text) else re.sub(r"^(define|\S+\s*=) (internal|private) ", r"\1 ", text)


_VARIABLE: Final = re.compile(r"(?P<name>\S+) = global (?P<type>\w+|\[\d+ x \w+\]) ")


def _declaration(text: str) -> str:
    """The declaration of a function, or of a variable, by its definition."""
    if _is_function(text):
        return "declare " + _visible(text).partition("{\n")[0].removeprefix("define ")
    match = _VARIABLE.match(_visible(text))
    if match is None:
        raise InternalError(f"not a variable: {text!r}")
    return f"{match['name']} = external global {match['type']}"


def array_data(name: str, array: np.ndarray[Any, Any]) -> str:
    """The definition of an array's bytes, as a constant that no other module sees, and that may be one with
    others of the same bytes."""
    given = np.ascontiguousarray(array).tobytes() or b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in given)
    return f'@{name} = internal unnamed_addr constant [{len(given)} x i8] c"{escaped}", align 64'


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
