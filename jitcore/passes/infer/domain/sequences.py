"""What values tell of Python's sequences and containers, without a look at what they hold."""

from __future__ import annotations

from jitcore.passes.infer.domain.values import DICT_VIEWS, ITERATORS, Reference, Static, Tuple, Value


def is_mutable(*values: Value) -> bool:
    """Whether one of the objects is a list, dict or set that the program got as a constant: its structure is
    guarded."""
    return any(isinstance(v, Static) and type(v.value) in (list, dict, set) for v in values)


def is_view(value: Value) -> bool:
    """Whether a value is a dict's keys, values or items, or an iterator: to be gone through, and not a tuple."""
    return isinstance(value, Tuple) and (value.cls in DICT_VIEWS or value.cls in ITERATORS)


def static_sequence(value: Value) -> bool:
    """Whether a value is a tuple or list (which array operators take for an array)."""
    if isinstance(value, Static):
        return isinstance(value.value, tuple | list)
    return isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind is list)
