"""What has no counterpart in ONNX, in the words of the user's program."""

from __future__ import annotations

from typing import Final

from jitcore.exports.onnx.writing import RefusedError
from jitcore.ir.nodes import Binding, Literal, type_of
from jitcore.primitives.core.registry import HostCode, Primitive
from jitcore.primitives.ops.conversions import Raising
from jitcore.types import ScalarType, StackType, TensorType, Type, UnionType

_INSTEAD: Final = "export a folder (a path that does not end in .onnx), which holds the whole of the language"
_SAID: Final = {
    "call": "a function calls itself",
    "try_": "exceptions are caught",
    "raise_": "an exception is raised",
    "rethrow": "an exception is raised",
    "print_": "text is printed",
    "room": "a list of any length is made",
    "put_row": "a list of any length is made",
    "add_row": "a list of any length is made",
    "pick_row": "a list of any length is read",
    "random_state": "random numbers are drawn",
    "philox": "random numbers are drawn",
    "drawn": "random numbers are drawn",
    "distinct": "random numbers are drawn",
    "random_order": "random numbers are drawn",
    "host_random": "random numbers are drawn",
    "host_draw": "random numbers are drawn",
    "host_seed": "random numbers are drawn",
    "host_order": "random numbers are drawn",
    "host_method": "random numbers are drawn",
}


def why_not(b: Binding) -> RefusedError:
    """Why an operation is not converted."""
    types = [type_of(a) for a in b.args] + [t for out in b.outs if (t := out.type) is not None]
    if b.op.name == "check":
        exception = _exception_name(b.params["exception"])
        return RefusedError(f"it raises {exception}: a model of ONNX raises nothing", "a result that says so")
    if b.op.name in _SAID:
        return RefusedError(f"{_SAID[b.op.name]}, which models of ONNX cannot", _INSTEAD)
    if any(map(_is_complex, types)):
        return RefusedError("ONNX has no arithmetic of complex numbers", "real and imaginary parts")
    if any(isinstance(t, StackType) for t in types):
        return RefusedError("values are kept for later in a list of any length, which ONNX has not", _INSTEAD)
    if any(isinstance(t, UnionType) for t in types):
        return RefusedError("a value is of one of several types, which ONNX has not", "one type")
    primitive = b.op
    if isinstance(primitive, Primitive) and isinstance(primitive.lowering, HostCode):
        return RefusedError(
            f"ONNX has no {primitive.name!r} ({_summary(primitive)}), which a library computes", _INSTEAD
        )
    said = f" ({_summary(primitive)})" if isinstance(primitive, Primitive) else ""
    return RefusedError(f"ONNX has no counterpart of {b.op.name!r}{said}", _INSTEAD)


def _summary(primitive: Primitive) -> str:
    return primitive.doc.split(". ")[0].rstrip(".")


def _is_complex(type_: Type) -> bool:
    return isinstance(type_, TensorType | ScalarType) and type_.dtype.kind == "c"


def _exception_name(exception: object) -> str:
    kind = exception.kind if isinstance(exception, Raising) else exception
    if isinstance(kind, BaseException):
        kind = type(kind)
    return kind.__name__ if isinstance(kind, type) else str(kind)


_OF_MACHINES: Final = frozenset(["MemoryError", "_ArrayMemoryError", "IndexError"])
"""What a runtime finds in its own way: that there is no memory, or no such element."""


def check_is_left_out(b: Binding, is_of_extents: bool) -> bool:
    """Whether a check is one of an operation's own, of extents, memory or indices; a condition that is a constant is
    that of a `raise`."""
    if isinstance(b.args[0], Literal):
        return bool(b.args[0].value)
    return is_of_extents or _exception_name(b.params["exception"]) in _OF_MACHINES
