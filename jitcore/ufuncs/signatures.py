"""numba's signatures, as strings: `float64(float64, int32)`, `void(f8[:], f8)`, `(float64,)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.structs import dataclass

_NAMES: Final[dict[str, str]] = {
    "boolean": "bool", "bool_": "bool", "b1": "bool", "byte": "uint8", "u1": "uint8", "u2": "uint16", "u4": "uint32",
    "u8": "uint64", "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int_": "int64",
    "uint": "uint64", "long_": "int64", "ulong": "uint64", "longlong": "int64", "ulonglong": "uint64", "i1": "int8",
    "i2": "int16", "i4": "int32", "i8": "int64", "intc": "int32", "uintc": "uint32", "float_": "float32",
    "float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "double": "float64", "f2": "float16",
    "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128",
}  # fmt: skip
_DTYPES: Final = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "intp", "uintp", "float16", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip
_VOID: Final = ("void", "none", "None")
_TYPE: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*(\[[\s:,1]*\])?\s*$")
_POINTER: Final = re.compile(r"\s*(?:CPointer\((\w+)\)|(\w+)\s*\*|voidptr)\s*$")
_ARROW: Final = re.compile(r"\s*\((.*)\)\s*->\s*(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """A type of a signature: a dtype, and the rank of an array of it (None: a number), or whether it is a pointer to
    such: of what type is not known of `void*`, whose dtype is that of bytes."""

    dtype: np.dtype[Any]
    rank: int | None = None
    is_pointer: bool = False
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of the arguments and of what is returned: None if that is not said, () for nothing (`void`), several
    for a tuple."""

    arguments: tuple[Typed, ...]
    result: tuple[Typed, ...] | None


def parsed(signature: object) -> Signature:
    """A signature from its text, from a type (or tuple of types) of the arguments, or from one of numba's, whose `str`
    is read. Raises TypeError for what is none."""
    if isinstance(signature, tuple):
        return Signature(tuple(_typed(t, signature) for t in _names_of(signature)), None)
    text = signature if isinstance(signature, str) else str(signature)
    if (arrow := _ARROW.match(text)) is not None:
        return Signature(_types(arrow[1], text), _result(arrow[2], text))
    before, arguments = _call(text)
    return Signature(_types(arguments, text), _result(before, text) if before.strip() else None)


def signatures(given: object) -> list[Signature]:
    """Those of a decorator: one, or a list of them."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [parsed(given)]
    if isinstance(given, tuple):
        return [parsed(given)]
    return [parsed(one) for one in given]


def _names_of(types: Sequence[object]) -> list[str]:
    return [np.dtype(t).name if isinstance(t, type | np.dtype) else str(t) for t in types]


def _types(text: str, whole: str) -> tuple[Typed, ...]:
    return tuple(_typed(part, whole) for part in _split(text))


def _split(text: str) -> list[str]:
    """The parts between commas that are not in brackets."""
    parts: list[str] = [""]
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part for part in parts if part.strip()]


def _call(text: str) -> tuple[str, str]:
    """What stands before the last parentheses of a text, and in them."""
    text, depth = text.rstrip(), 0
    for k in reversed(range(len(text))):
        depth += (text[k] == ")") - (text[k] == "(")
        if depth == 0 and text[k] == "(":
            return text[:k], text[k + 1 : -1]
        if depth == 0:
            break
    raise TypeError(_unread(text))


def _result(text: str, whole: str) -> tuple[Typed, ...]:
    text = text.strip()
    if text in _VOID:
        return ()
    if (same := re.match(r"UniTuple\((.*?)(?:,| x )\s*(\d+)\)$", text)) is not None:
        return (_typed(same[1], whole),) * int(same[2])
    inner = re.match(r"(?:Tuple)?\(\(?(.*?)\)?\)$", text, re.DOTALL)
    return (_typed(text, whole),) if inner is None else _types(inner[1], whole)


def _typed(text: str, whole: object) -> Typed:
    if (pointer := _POINTER.match(text)) is not None:
        target = pointer[1] or pointer[2]
        if target in (None, *_VOID):
            return Typed(np.dtype("uint8"), None, True, True)
        return Typed(_typed(target, whole).dtype, None, True)
    found = _TYPE.match(_numbas_array(text))
    name = None if found is None else _NAMES.get(found[1], found[1])
    if found is None or (name not in _DTYPES and name != "bool"):
        raise TypeError(f"{_unread(whole)}: {text.strip()!r} is no type of numbers or arrays of them")
    return Typed(np.dtype(name), None if found[2] is None else found[2].count(":"))


def _numbas_array(text: str) -> str:
    """`array(float64, 2d, C)`, as numba writes arrays, as `float64[:,:]`."""
    found = re.match(r"\s*[Aa]rray\((\w+),\s*(\d)d?,.*\)\s*$", text)
    return text if found is None else f"{found[1]}[{','.join(':' * int(found[2]))}]"


def _unread(signature: object) -> str:
    return (
        f"{signature!r} is no signature: write the types of the result and the arguments, such as "
        "'float64(float64, int32)' or, for guvectorize, 'void(float64[:], float64[:])'"
    )
