"""What MindSpore says to what `mutable` is given outside of compiled code."""

from __future__ import annotations

from typing import Any

from jitcore.types import DType


def check(data: Any, dynamic_len: Any) -> None:
    """Raise what MindSpore does for these arguments."""
    if not isinstance(dynamic_len, bool):
        raise TypeError(f"For 'mutable', the second input should be bool, but got: {type(data).__name__}")
    if not is_variable(data):
        name, shown = type(data).__name__, str(data)
        if isinstance(data, DType):
            name, shown = shown.rstrip("0123456789_").capitalize(), shown.capitalize()
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
            f"nested structures with no self-reference, but got {name}: {shown}."
        )
    if dynamic_len and not isinstance(data, list | tuple):
        raise TypeError(
            "For 'mutable', when the variable_len is True, the first input should be list or tuple, "
            f"but got: {type(data).__name__}"
        )


def is_variable(data: Any) -> bool:
    """Whether it is made of nothing but what is no constant of a kind that MindSpore knows to be one."""
    if isinstance(data, list | tuple):
        return all(map(is_variable, data))
    if isinstance(data, dict):
        return all(map(is_variable, data.values()))
    return data is not None and not isinstance(data, str | bytes | set | frozenset | type | slice | DType | range)
