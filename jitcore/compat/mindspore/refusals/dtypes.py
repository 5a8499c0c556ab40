"""Dtypes that MindSpore's operators do not take: `For primitive[Sub], the input argument[x] must be a type of {…}, but got Tensor[Bool].`"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.compat.mindspore.refusals.naming import dtype_name, type_text
from jitcore.passes.infer.dialect import Operand

_SIGNED: Final = ("Int16", "Int32", "Int64", "Int8")
_INTS: Final = (*_SIGNED, "UInt16", "UInt32", "UInt64", "UInt8")
_FLOATS: Final = ("BFloat16", "Float16", "Float32", "Float64")
_TAKEN: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "Add": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "Sub": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "RealDiv": ("x", (*_FLOATS, *_INTS, "Complex64", "Complex128")),
    "BitwiseAnd": ("x", ("Bool", *_INTS)),
    "BitwiseOr": ("x", ("Bool", *_INTS)),
    "BitwiseXor": ("x", ("Bool", *_INTS)),
    "Invert": ("x", _INTS),
}
"""Of operators: the operand that is looked at, and the dtypes it may have."""
_UNNAMED: Final = frozenset(["Complex64", "Complex128"])
"""Taken, but not among those that the message lists."""


def refused(name: str, operands: Sequence[Operand]) -> TypeError | None:
    """What MindSpore says to the dtypes of operands, if it refuses them: the strongest dtype among them counts."""
    if name not in _TAKEN:
        return None
    argument, taken = _TAKEN[name]
    arrays = [x for x in operands if x.kind == "tensor" and x.dtype is not None]
    if not arrays:
        return None
    numbers = {x.kind for x in operands} & {"int", "float"}
    dtypes = [x.dtype for x in arrays if x.dtype is not None]
    strongest = max(dtypes, key=lambda d: ("biufc".index(d.kind.replace("u", "i")), d.itemsize))
    if (strongest.kind == "b" and numbers) or dtype_name(strongest) in taken:
        return None
    valid = ", ".join(f"Tensor[{t}]" for t in taken if t not in _UNNAMED)
    shown = type_text(Operand("tensor", strongest))
    return TypeError(
        f"For primitive[{name}], the input argument[{argument}] must be a type of {{{valid}}}, but got {shown}."
    )


def unselected(name: str, x: Operand) -> str:
    """That no kernel of an operator takes a dtype; MindSpore leaves the first line empty."""
    rule = "-" * 52
    return f"\n{rule}\n- Kernel select failed:\n{rule}\nSelect CPU operator[{name}] fail! Unsupported data type: {dtype_name(x.dtype)}"
