"""What MindSpore says to a variable that has values of unlike types on paths that meet, where elements of Tensors
decide which is taken."""

from __future__ import annotations

from typing import Final

from jitcore.passes.infer.engine.operands import Operand, Operation

_TOLD: Final = ("tensor", "bool", "int", "float", "complex", "str", "tuple", "range", "list", "dict")


def refused(operation: Operation) -> BaseException | None:
    """The answer to two values that meet: None goes with anything, sequences go by their items."""
    if _join(*operation.operands):
        return None
    return TypeError("Cannot join the return values of different branches, perhaps you need to make them equal.")


def _join(x: Operand, y: Operand) -> bool:
    if x.kind not in _TOLD or y.kind not in _TOLD:
        return True
    if _kind(x) != _kind(y):
        return False
    if x.kind == "tensor":
        return x.dtype == y.dtype
    if x.kind == "dict":
        return x.keys != y.keys or all(map(_join, x.items, y.items))
    return all(_join(a, b) for a, b in zip(x.items, y.items, strict=False))


def _kind(x: Operand) -> str:
    return "tuple" if x.kind == "range" else x.kind
