"""The special values of the standard's elementwise functions of real numbers, as facts: arguments and results.

Cases that the standard leaves to implementations (`floor_divide` and `remainder` of infinities) are as NumPy has them.
"""

from __future__ import annotations

import math
from typing import Final

nan, inf, pi = math.nan, math.inf, math.pi

_ODD: Final = ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf))
"""Of functions that give back zeros and infinities."""
_LOGARITHM: Final = ((nan, nan), (-1.0, nan), (-inf, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf))

UNARY: Final[dict[str, tuple[tuple[float, float | bool], ...]]] = {
    "abs": ((nan, nan), (-0.0, 0.0), (-inf, inf)),
    "acos": ((nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0), (inf, nan)),
    "acosh": ((nan, nan), (0.5, nan), (1.0, 0.0), (inf, inf)),
    "asin": ((nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)),
    "asinh": _ODD,
    "atan": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)),
    "atanh": ((nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)),
    "ceil": (*_ODD, (-0.5, -0.0), (2.0, 2.0)),
    "cos": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)),
    "cosh": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)),
    "exp": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)),
    "expm1": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)),
    "floor": (*_ODD, (0.5, 0.0), (-2.0, -2.0)),
    "isfinite": ((nan, False), (inf, False), (-inf, False), (1.0, True)),
    "isinf": ((nan, False), (inf, True), (-inf, True), (1.0, False)),
    "isnan": ((nan, True), (inf, False), (1.0, False)),
    "log": _LOGARITHM,
    "log10": _LOGARITHM,
    "log1p": ((nan, nan), (-1.5, nan), (-1.0, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)),
    "log2": _LOGARITHM,
    "negative": ((0.0, -0.0), (-0.0, 0.0), (inf, -inf)),
    "round": (*_ODD, (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0)),
    "sign": ((nan, nan), (-2.0, -1.0), (0.0, 0.0), (2.0, 1.0), (inf, 1.0)),
    "signbit": ((0.0, False), (-0.0, True), (inf, False), (-inf, True), (2.0, False), (-2.0, True), (nan, False)),
    "sin": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)),
    "sinh": _ODD,
    "sqrt": ((nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)),
    "tan": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)),
    "tanh": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)),
    "trunc": (*_ODD, (0.5, 0.0), (-0.5, -0.0), (-2.0, -2.0)),
}

_EITHER_NAN: Final = ((nan, 1.0, nan), (1.0, nan, nan), (nan, nan, nan), (nan, inf, nan), (-inf, nan, nan))

BINARY: Final[dict[str, tuple[tuple[float, float, float], ...]]] = {
    "add": (
        *_EITHER_NAN, (inf, -inf, nan), (-inf, inf, nan), (inf, inf, inf), (-inf, -inf, -inf), (inf, 1.0, inf),
        (1.0, -inf, -inf), (-0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (0.0, -0.0, 0.0), (2.0, -2.0, 0.0), (-0.0, 3.0, 3.0),
    ),
    "subtract": (*_EITHER_NAN, (inf, inf, nan), (inf, -inf, inf), (-0.0, 0.0, -0.0), (0.0, 0.0, 0.0)),
    "atan2": (
        *_EITHER_NAN, (1.0, 0.0, pi / 2), (1.0, -0.0, pi / 2), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, -0.0, pi),
        (0.0, -1.0, pi), (-0.0, 1.0, -0.0), (-0.0, 0.0, -0.0), (-0.0, -0.0, -pi), (-0.0, -1.0, -pi),
        (-1.0, 0.0, -pi / 2), (-1.0, -0.0, -pi / 2), (1.0, inf, 0.0), (1.0, -inf, pi), (-1.0, inf, -0.0),
        (-1.0, -inf, -pi), (inf, 1.0, pi / 2), (-inf, 1.0, -pi / 2), (inf, inf, pi / 4), (inf, -inf, 3 * pi / 4),
        (-inf, inf, -pi / 4), (-inf, -inf, -3 * pi / 4),
    ),
    "copysign": ((2.0, -0.0, -2.0), (-2.0, 0.0, 2.0), (nan, -1.0, nan), (0.0, -inf, -0.0), (inf, -1.0, -inf)),
    "divide": (
        *_EITHER_NAN, (inf, inf, nan), (inf, -inf, nan), (0.0, 0.0, nan), (-0.0, 0.0, nan), (0.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0), (0.0, -1.0, -0.0), (-0.0, -1.0, 0.0), (1.0, 0.0, inf), (1.0, -0.0, -inf), (-1.0, 0.0, -inf),
        (-1.0, -0.0, inf), (inf, 1.0, inf), (inf, -1.0, -inf), (-inf, 1.0, -inf), (-inf, -1.0, inf), (1.0, inf, 0.0),
        (1.0, -inf, -0.0), (-1.0, inf, -0.0), (-1.0, -inf, 0.0),
    ),
    "floor_divide": (
        *_EITHER_NAN, (inf, inf, nan), (0.0, 0.0, nan), (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, -1.0, -0.0),
        (-0.0, -1.0, 0.0), (1.0, 0.0, inf), (1.0, -0.0, -inf), (-1.0, 0.0, -inf), (-1.0, -0.0, inf), (1.0, inf, 0.0),
        (-1.0, -inf, 0.0), (1.0, -inf, -1.0), (-1.0, inf, -1.0), (inf, 1.0, nan), (-inf, 1.0, nan),
    ),
    "hypot": (*_EITHER_NAN[:3], (inf, nan, inf), (nan, -inf, inf), (0.0, -3.0, 3.0), (-3.0, -0.0, 3.0)),
    "logaddexp": (*_EITHER_NAN, (inf, 1.0, inf), (1.0, inf, inf), (-inf, 2.0, 2.0), (-inf, -inf, -inf)),
    "maximum": (*_EITHER_NAN, (inf, 1.0, inf), (-inf, 1.0, 1.0)),
    "minimum": (*_EITHER_NAN, (inf, 1.0, 1.0), (-inf, 1.0, -inf)),
    "multiply": (
        *_EITHER_NAN, (inf, 0.0, nan), (-0.0, -inf, nan), (inf, -inf, -inf), (-inf, -inf, inf), (inf, -2.0, -inf),
        (0.0, -2.0, -0.0), (-0.0, -2.0, 0.0),
    ),
    "nextafter": (*_EITHER_NAN, (0.0, -0.0, -0.0), (2.0, 2.0, 2.0), (inf, inf, inf)),
    "pow": (
        (nan, 0.0, 1.0), (nan, -0.0, 1.0), (2.0, 0.0, 1.0), (2.0, nan, nan), (nan, 2.0, nan), (1.5, inf, inf),
        (-1.5, -inf, 0.0), (1.0, inf, 1.0), (-1.0, -inf, 1.0), (0.5, inf, 0.0), (-0.5, -inf, inf), (inf, 2.0, inf),
        (inf, -2.0, 0.0), (-inf, 3.0, -inf), (-inf, 2.0, inf), (-inf, -3.0, -0.0), (-inf, -2.0, 0.0), (0.0, 2.0, 0.0),
        (0.0, -2.0, inf), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (-0.0, 0.5, 0.0), (-0.0, -3.0, -inf), (-0.0, -2.0, inf),
        (-2.0, 0.5, nan), (1.0, -3.0, 1.0),
    ),
    "remainder": (
        *_EITHER_NAN, (inf, inf, nan), (inf, 2.0, nan), (0.0, 0.0, nan), (2.0, 0.0, nan), (-2.0, -0.0, nan),
        (0.0, 2.0, 0.0), (-0.0, 2.0, 0.0), (0.0, -2.0, -0.0), (-0.0, -2.0, -0.0), (2.0, inf, 2.0), (2.0, -inf, -inf),
        (-2.0, inf, inf), (-2.0, -inf, -2.0), (3.0, -2.0, -1.0), (-3.0, 2.0, 1.0),
    ),
}  # fmt: skip
