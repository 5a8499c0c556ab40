"""What MindSpore says to `==`, `!=`, `is` and `is not`: numbers in sequences equal those of their own type, Tensors of
several elements nothing."""

from __future__ import annotations

from typing import Any, Final

from jitcore.compat.mindspore.refusals import items, sequence_operators
from jitcore.compat.mindspore.refusals.naming import items_of
from jitcore.passes.infer.engine.operands import Instead, Operand

_NUMBERS: Final = ("bool", "int", "float")
_SEQUENCES: Final = ("tuple", "range", "list")


def answer(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to `x == y` or `x != y`."""
    if x.kind == y.kind == "dict":
        wide = next((i for i in (*x.items, *y.items) if i.kind == "tensor"), None)
        return None if wide is None else sequence_operators.ambiguous(wide)
    if _are_of_tensors(x) and _are_of_tensors(y) and x.kind == y.kind and len(x.items) == len(y.items):
        if x.items[0].dtype != y.items[0].dtype:
            return _unlike(op)
        return Instead(_begin_alike if op == "==" else _begin_otherwise)
    found = _compared(x, y)
    if found is None and x.kind == y.kind and _differ_within(x, y):
        return Instead(_equal_items if op == "==" else _unequal_items)
    return found if isinstance(found, BaseException) or found is None else _unlike(op)


def _differ_within(x: Operand, y: Operand) -> bool:
    """Whether two sequences hold a list and a tuple in one place."""
    if x.kind not in ("tuple", "list") or y.kind not in ("tuple", "list") or len(x.items) != len(y.items):
        return False
    pairs = list(zip(x.items, y.items, strict=True))
    return any({a.kind, b.kind} == {"tuple", "list"} or _differ_within(a, b) for a, b in pairs)


def _are_of_tensors(x: Operand) -> bool:
    """Whether it is a sequence of Tensors of several elements, of one dtype and shape."""
    if x.kind not in ("tuple", "list") or not x.items or x.items[0].kind != "tensor":
        return False
    alike = not any(sequence_operators.is_unlike(x.items[0], i) for i in x.items)
    return alike and sequence_operators.ambiguous(x.items[0]) is not None


def _compared(x: Operand, y: Operand, within: bool = False) -> BaseException | bool | None:
    """Of two sequences of one length, whose items are compared one by one: False if they cannot be equal, None if that
    is to be seen. `within`: they are items themselves, and it does not matter which of them is a list."""
    sequences = {x.kind, y.kind} <= {"tuple", "list"}
    if not sequences or not (within or x.kind == y.kind) or len(x.items) != len(y.items):
        return None
    for first, second in zip(x.items, y.items, strict=True):
        wide = next((i for i in (first, second) if i.kind == "tensor"), None)
        found = _compared(first, second, within=True) if wide is None else sequence_operators.ambiguous(wide)
        if wide is not None and found is not None and first.kind != second.kind:
            found = False if x.kind == "list" or len(x.items) == 1 else found
        if first.kind != second.kind and {first.kind, second.kind} <= set(_NUMBERS):
            found = False
        if found is not None:
            return found
    return None


def _begin_alike(x: Any, y: Any) -> Any:
    """MindSpore's kernel for sequences of one type compares as many elements of the first Tensors as there are
    Tensors."""
    count = len(x)
    return bool((x[0].flatten()[:count] == y[0].flatten()[:count]).all())


def _begin_otherwise(x: Any, y: Any) -> Any:
    return not _begin_alike(x, y)


def _as_tuples(x: Any) -> Any:
    return tuple(_as_tuples(item) for item in x) if isinstance(x, list | tuple) else x


def _equal_items(x: Any, y: Any) -> bool:
    return _as_tuples(x) == _as_tuples(y)


def _unequal_items(x: Any, y: Any) -> bool:
    return _as_tuples(x) != _as_tuples(y)


def _unlike(op: str) -> Instead:
    return Instead(_never if op == "==" else _always)


def _never(x: Any, y: Any) -> bool:
    return False


def _always(x: Any, y: Any) -> bool:
    return True


_IDENTIFIED: Final = (
    "bool", "int", "str", "none", "type", "dtype", "object", "union", "instance", "ndarray",
    "npscalar", "complex", "set",
)  # fmt: skip


def identity(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to `x is y` or `x is not y`: Tensors, and what holds them, are nothing else."""
    if x.kind == "none" or y.kind in _IDENTIFIED or y.marked or (x.kind == "tensor" and y.kind != "tensor"):
        return None
    if _holds_tensors(y):
        return Instead(_never if op == "is" else _always)
    words = "a is b" if op == "is" else "a is not b"
    return RuntimeError(f"For syntax like '{words}', b supports Int, Bool, String, None and Type, but got {_text(y)}")


def _holds_tensors(x: Operand) -> bool:
    return x.kind == "tensor" or any(map(_holds_tensors, x.items))


def _text(x: Operand) -> str:
    if x.kind == "slice":
        return f"Slice[{' : '.join(map(_text, x.items))}]"
    if x.kind == "range":
        return f"({', '.join(map(sequence_operators.plain, items_of(x)))})"
    if x.kind == "function":
        return "DeadNode"
    return sequence_operators.plain(x) if x.kind == "float" else items.plain(x) or "ValueAny"
