"""What MindSpore says to sequences of variable length (`mutable(x, True)`): all their items have one type, and few
operations take them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import sequence_operators
from jitcore.compat.mindspore.refusals.naming import abstract, items_of
from jitcore.library.core.mutable import mutable
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand

_SEQUENCES: Final = ("tuple", "range", "list")
_NUMBERS: Final = ("bool", "int", "float")
_UNSIZED: Final = "Can not get size for dynamic length sequence"


# --- operators --------------------------------------------------------------------------------------
def binary(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to an operator of which an operand has variable length."""
    if "tensor" in (x.kind, y.kind):
        return TypeError("'NoneType' object is not iterable") if op in ("+", "-", "*", "/", "//", "%") else None
    if op in ("==", "!="):
        return _equality(x, y)
    sequence, other = (x, y) if x.dynamic else (y, x)
    if op == "*" and other.kind in ("int", "float", "bool"):
        return _repeated(other)
    if op == "+" and x.kind == y.kind:
        return sequence_operators.unlike_sum(x, y) or Instead(_sum)
    if op in ("<", "<=", ">", ">=") and x.kind == y.kind:
        return _order(op, x, y)
    arithmetic = op in ("-", "/", "//", "%", "**") or (op, x.kind) == ("+", "list")
    if arithmetic and sequence is x and other.kind in ("tuple", "list") and not other.dynamic:
        kind = x.items[0].kind if x.items else x.kind
        return TypeError(f"unsupported operand type(s) for {op}: '{kind}' and '{other.kind}'")
    if other.kind in _NUMBERS or (other.kind == "str" and sequence is x):
        return Instead(_of_items(op, sequence is x, len(sequence.items)))
    return None


def _equality(x: Operand, y: Operand) -> BaseException | None:
    if x.kind == y.kind and any(_are_strings(a) and _are_numbers(b) for a, b in ((x, y), (y, x))):
        return TypeError("")
    return None


def _are_strings(x: Operand) -> bool:
    return any(i.kind == "str" for i in items_of(x))


def _are_numbers(x: Operand) -> bool:
    return any(i.kind in _NUMBERS for i in items_of(x))


def _order(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    if (refused := _equality(x, y)) is not None:
        return refused
    kinds = {i.kind for i in (*items_of(x)[:1], *items_of(y)[:1])}
    if len(kinds) == 2 and kinds <= set(_NUMBERS):
        names = ("int", y.kind) if x.dynamic else (x.kind, "int")
        return TypeError(f"'{op}' not supported between instances of '{names[0]}' and '{names[1]}'")
    return None


def _repeated(count: Operand) -> BaseException | Instead:
    if count.kind == "float":
        return TypeError("'can't multiply sequence by non-int of type '<class 'float'>'.'")
    return Instead(_product) if count.kind == "int" else sequence_operators.uncounted("SequenceMul", count)


def _sum(x: Any, y: Any) -> Any:
    return mutable(x + y, True)


def _product(x: Any, y: Any) -> Any:
    return mutable(x * y, True)


_FUNCTIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@cache
def _of_items(op: str, sequence_is_first: bool, count: int) -> Callable[[Any, Any], Any]:
    """An operator of a sequence and a number: MindSpore's kernel gets the items in the sequence's place, and computes
    with the first two operands."""
    function = _FUNCTIONS.get(op, operator.add)

    def of_first_two(x: Any, y: Any) -> Any:
        return function(x[0], x[1] if count > 1 else y)

    def of_first(x: Any, y: Any) -> Any:
        return function(x, y[0])

    return of_first_two if sequence_is_first else of_first


def negative(x: Any) -> Any:
    """`-x` of a sequence: of its first item."""
    return -x[0]


def contains(item: Operand, sequence: Operand) -> BaseException | Instead | None:
    """The answer to `item in sequence`."""
    items = sequence.items
    if item.kind == "tensor" and items and all(i.kind in _NUMBERS for i in items) and item.shape != ():
        return Instead(nowhere)
    if not items or item.kind in ("none", "object", "tensor"):
        return None
    if item.kind == "str":
        return TypeError("argument of type 'NoneType' is not iterable")
    if item.kind == "tuple" and items[0].kind in _NUMBERS:
        return TypeError(f"argument of type '{items[0].kind}' is not iterable")
    if item.kind == "bool" and items[0].kind != "bool":
        return TypeError("")
    return Instead(nowhere) if item.kind in _NUMBERS and item.kind != items[0].kind else None


def nowhere(item: Any, container: Any) -> bool:
    """An item is in no such container."""
    return False


# --- arguments --------------------------------------------------------------------------------------
_TYPES: Final = {
    "bool": "Bool", "int": "int", "float": "float", "tensor": "Tensor", "tuple": "Tuple",
    "list": "List", "dict": "Dictionary",
}  # fmt: skip
_ALIKE: Final = "the same.The element"


def given(x: Operand) -> BaseException | None:
    """The answer to a sequence of variable length that compiled code is called with: its items have one type."""
    items = x.items
    if not items or any(i.kind not in _TYPES for i in items):
        return None
    for k, i in enumerate(items):
        if i.kind != items[0].kind:
            return ValueError(
                f"In graph mode, the element type of dynamic length array must be {_ALIKE} type do not match, can not "
                f"convert to dynamic length sequence. The 0th element type is: {_TYPES[items[0].kind]}. The {k}th "
                f"element type is: {_TYPES[i.kind]}"
            )
    if items[0].kind == "dict":
        return TypeError("DynamicSequence does not support dictionary type as element type now.")
    other = next((k for k, i in enumerate(items) if _is_of_another_form(items[0], i)), None)
    if other is None:
        return None
    nested = items[0].kind in ("tuple", "list")
    shown = ["" if nested else abstract(i) for i in (items[0], items[other])]
    rest = "" if nested else f". The {other}th element shape is: {shown[1]}"
    return TypeError(
        f"In graph mode, the element shape of dynamic length array must be {_ALIKE} do not match, can not convert to "
        f"dynamic length sequence. The 0th element is: {shown[0]}{rest}"
    )


def _is_of_another_form(x: Operand, y: Operand) -> bool:
    """Whether two items differ in what a sequence of variable length has one of: their types, but not their shapes or
    lengths."""
    if x.kind == "tensor":
        return x.dtype is not y.dtype
    return len(x.items) == len(y.items) and any(
        i.kind != j.kind or _is_of_another_form(i, j) for i, j in zip(x.items, y.items, strict=True)
    )


# --- items ------------------------------------------------------------------------------------------
def item(x: Operand, index: Operand) -> BaseException | Instead | None:
    """The answer to `x[index]`."""
    count = len(x.items)
    if index.kind == "slice":
        if any(b.kind in ("str", "float", "tuple", "list", "dict") for b in index.items):
            return None
        by_zero = ValueError("For 'SequenceSlice', step cannot be 0.")
        return by_zero if index.items[2].value == 0 else Instead(_part)
    if not count:
        return RuntimeError("Getitem can not get element from an empty dynamic length sequence.")
    if index.kind == "float" and index.value is not UNKNOWN:
        return sequence_operators.uncast(index)
    if index.kind == "str":
        return TypeError("tuple indices must be integers or slices, not str")
    if index.kind == "int" and x.given and (index.value is UNKNOWN or not -count <= index.value < count):
        return Instead(_item_given)
    if index.kind != "int" or index.value is UNKNOWN or -count <= index.value < count:
        return None
    if index.value < 0:
        return outside(count, index.value)
    return RuntimeError(f"Index[{index.value + 1}] out of range[{count + 1}].")


def _item_given(x: Any, index: Any) -> Any:
    count = len(x)
    if index < -count or index >= count:
        shown = "[-" + str(count) + ", " + str(count) + "), but got " + str(index)
        raise IndexError("RealTupleGetItem evaluator index should be in range" + shown + ".")
    return x[index]


def outside(count: int, index: int) -> ValueError:
    """The answer to an index of the run that no item has."""
    return ValueError(f"For RealTupleGetItem, index is out of range: [-{count}, {count}), but got {index}.")


def _part(x: Any, index: Any) -> Any:
    return mutable(x[index], True)


def put(x: Operand, index: Operand, value: Operand) -> BaseException | None:
    """The answer to `x[index] = value`."""
    if x.kind != "list":
        return None
    if index.kind == "slice":
        return RuntimeError("")
    if x.items and sequence_operators.is_unlike(x.items[0], value):
        return TypeError(
            "For list_setitem, when the queue is dynamic length, the element within dynamic length sequence abstract "
            f"'{abstract(x.items[0])}' is not same with the target element abstract '{abstract(value)}'."
        )
    count = len(x.items)
    if index.kind == "int" and index.value is not UNKNOWN and not -count <= index.value < count:
        return ValueError(f"idx is out of range: {-count} <= idx < {count}, but got {index.value}.")
    return None


# --- methods ----------------------------------------------------------------------------------------
def method(name: str, x: Operand, args: Sequence[Operand]) -> BaseException | None:
    """The answer to a method of a sequence of variable length; the number of its arguments is right."""
    if name == "append":
        return _added("ListAppend", x, args[0])
    if name == "insert":
        return _added("ListInsert", x, args[1]) if args[0].kind == "int" else TypeError("")
    if name in ("pop", "reverse"):
        return RuntimeError(_UNSIZED)
    if name == "extend":
        return RuntimeError("ListExtend does not support dynamic length list.")
    if name in ("remove", "sort", "copy"):
        return TypeError("attribute name must be string, not 'int'")
    return None


def _added(name: str, x: Operand, value: Operand) -> TypeError | None:
    if value.kind not in (*_NUMBERS, "str", "tensor", "object", "union"):
        return TypeError(f"The prim '{name}', the input_data must be list and target must be scalar or tensor, but got")
    if not x.items or not sequence_operators.is_unlike(x.items[0], value):
        return None
    return TypeError(
        f"For {name}, the mutable list existing item abstract '{abstract(x.items[0])}' is not same with the new added "
        f"item abstract '{abstract(value)}'."
    )


# --- calls ------------------------------------------------------------------------------------------
_UNTAKEN: Final[dict[Any, str]] = {zip: "zip", enumerate: "zip", map: "map"}


def call(function: Any, args: Sequence[Operand]) -> BaseException | Instead | None:
    """The answer to a function of Python's that gets a sequence of variable length."""
    name = _UNTAKEN.get(function)
    if name is not None:
        return RuntimeError(f"For '{name}', the dynamic length input is unsupported in graph mode.")
    if function is str:
        return TypeError("attribute name must be string, not 'int'")
    made = _MADE.get(function)
    return Instead(made) if made is not None and len(args) == 1 else None


def _list(x: Any) -> Any:
    return mutable(list(x), True)


def _tuple(x: Any) -> Any:
    return mutable(tuple(x), True)


def _length(x: Any) -> Any:
    return mutable(len(x))


_MADE: Final[dict[Any, Callable[[Any], Any]]] = {list: _list, tuple: _tuple, len: _length}
