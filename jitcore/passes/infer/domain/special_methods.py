"""The special methods that Python's operators call."""

from __future__ import annotations

from typing import Final

BINARY: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "<<": "lshift", ">>": "rshift", "&": "and", "|": "or", "^": "xor",
}  # fmt: skip

UNARY: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}

COMPARE: Final = {
    "<": ("__lt__", "__gt__"), "<=": ("__le__", "__ge__"), ">": ("__gt__", "__lt__"), ">=": ("__ge__", "__le__"),
    "==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"),
}  # fmt: skip

OPERATORS: Final = frozenset(
    [f"__{prefix}{name}__" for name in BINARY.values() for prefix in ("", "r", "i")]
    + [*UNARY.values(), *(name for pair in COMPARE.values() for name in pair)]
)
"""The methods that operators call."""
