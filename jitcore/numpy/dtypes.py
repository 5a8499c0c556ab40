"""The dtypes and constants of the namespace, which dtypes there are of which kind, and what is computed in without
being told (`default_dtypes`)."""

from __future__ import annotations

import math
from typing import Final

from jitcore.types import DType, bool_, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

e: Final = math.e
inf: Final = math.inf
nan: Final = math.nan
newaxis: Final = None
pi: Final = math.pi

bool: Final = bool_
int8, int16, int32, int64 = i8, i16, i32, i64
uint8, uint16, uint32, uint64 = u8, u16, u32, u64
float16, float32, float64 = f16, f32, f64
complex64, complex128 = c64, c128

_SIGNED: Final = {"int8": i8, "int16": i16, "int32": i32, "int64": i64}
_UNSIGNED: Final = {"uint8": u8, "uint16": u16, "uint32": u32, "uint64": u64}
_REAL: Final = {"float32": f32, "float64": f64}
_COMPLEX: Final = {"complex64": c64, "complex128": c128}
BY_KIND: Final[dict[str, dict[str, DType]]] = {
    "bool": {"bool": bool_},
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED | _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED | _UNSIGNED | _REAL | _COMPLEX,
}
"""The standard's dtypes by its names of kinds. (float16, which the standard has not, is a real floating dtype too.)"""

LETTERS: Final[dict[str, str]] = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
    "complex floating": "c", "numeric": "iufc",
}  # fmt: skip
"""The letters of `DType.kind` that each kind has."""

DEFAULTS: Final[dict[str, DType]] = {
    "real floating": f64,
    "complex floating": c128,
    "integral": i64,
    "indexing": i64,
}
