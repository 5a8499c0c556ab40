"""How MindSpore words the exceptions that a program raises whatever its Tensors hold: it makes the message while it
compiles, `'too large'` with its quotes.

Where elements of Tensors decide whether it is raised, the message is Python's.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

from jitcore.passes.infer.engine.dialect import Quoted, Shown
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand, Operation

_AS_THEY_ARE: Final = (KeyError,)
"""Exceptions whose text has more of MindSpore's in its first line than can be told."""


def answer(operation: Operation) -> BaseException | Quoted | Shown | None:
    """The exception that is raised in place of one with these arguments; Quoted: that one, with quotes around its
    message; Shown: its message is made in the run."""
    cls, by_arrays = operation.name
    if by_arrays or cls in _AS_THEY_ARE:
        return None
    cls = RuntimeError if cls is Exception else cls
    arguments = operation.operands
    if len(arguments) == 1 and arguments[0].kind == "str":
        return Quoted(cls)
    refused = next(filter(None, map(_refused, arguments)), None)
    if refused is not None:
        return refused
    texts = [_text(x) for x in arguments]
    if len(texts) > 1:  # a dtype beside others is not looked at
        numbers = itertools.count()
        texts = [
            f"__internal_error_value{next(numbers)}__" if x.kind == "dtype" else t
            for t, x in zip(texts, arguments, strict=True)
        ]
    if None in texts or not texts:
        return _with_arrays(cls, arguments)
    quoted = [f"'{t}'" if _is_quoted(x) else t for t, x in zip(texts, arguments, strict=True)]
    return cls(quoted[0] if len(quoted) == 1 else f"({', '.join(map(str, quoted))})")


def _with_arrays(cls: type[BaseException], arguments: Sequence[Operand]) -> Shown | None:
    """Several arguments, or the items of the only one, in parentheses, arrays among them as `str` shows them; None if
    there is more that is not known."""
    items = arguments[0].items if len(arguments) == 1 else tuple(arguments)
    parts = tuple(map(_part, items))
    return Shown(cls, parts, len(arguments) == 1) if parts and _UNTOLD not in parts else None


_UNTOLD: Final = ""


def _part(x: Operand) -> Any:
    """What `Shown` has of an argument."""
    if x.kind == "tensor":
        return None
    text = _text(x)
    if text is not None:
        return f"'{text}'" if _is_quoted(x) else text
    parts = tuple(map(_part, x.items))
    return parts if parts and _UNTOLD not in parts else _UNTOLD


def _refused(x: Operand) -> BaseException | None:
    if x.kind == "none":
        return RuntimeError("Unexpected abstract: AbstractNone(Value: None)")
    if x.kind == "dict":
        return RuntimeError("Dictionary type is currently not supporting")
    if x.kind in ("tuple", "list") and not x.items:
        return RuntimeError("The arg_tuple_elements can't be empty.")
    return None


def _is_quoted(x: Operand) -> bool:
    """Whether it is a string, or a sequence with one."""
    return x.kind == "str" or (x.kind in ("tuple", "list") and any(i.kind == "str" for i in x.items))


def shown(operation: Operation) -> str | None:
    """The text of a value that is all of an f-string; None of one that is Python's."""
    (x,) = operation.operands
    if x.kind == "function":
        return "DeadNode"
    if x.kind == "tuple" and len(x.items) == 1:
        return None
    return _text(x) if x.kind in ("bool", "float", "type", "tuple", "list") else None


def _text(x: Operand) -> str | None:
    """An argument as MindSpore shows it; None of one that is not known now."""
    if x.kind in ("tuple", "list"):
        inner = [_text(i) for i in x.items]
        if None in inner:
            return None
        if x.kind == "tuple" and len(inner) == 1:
            return inner[0]
        start, end = "()" if x.kind == "tuple" else "[]"
        return f"{start}{', '.join(map(str, inner))}{end}"
    if x.value is UNKNOWN:
        return None
    if x.kind == "bool":
        return str(x.value).lower()
    if x.kind == "float":
        return f"{x.value:g}"
    if x.kind == "type":
        return f"class '{x.value.__name__}'"
    return str(x.value) if x.kind in ("int", "str") else None
