"""The arguments of a call as text, as `signatures` of compiled functions have them: what calls it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Final

from jitcore.passes.infer.domain.signature import (
    Arg,
    ArrayArg,
    BoundArg,
    ColumnArg,
    DictArg,
    FunctionArg,
    HandleArg,
    ListArg,
    NestedArg,
    NumberArg,
    ObjectArg,
    RangeArg,
    StaticArg,
    StringArg,
    StringsArg,
    TupleArg,
)
from jitcore.types import DType, Shape, TensorType, bool_, c128, f64, i64

_NUMBERS: Final[Mapping[DType, str]] = {bool_: "bool", i64: "int", f64: "float", c128: "complex"}
_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range)
_MOST: Final = 40
"""Characters of a value."""
_FEW_ITEMS: Final = 8


def signature(args: Sequence[Arg], named: Mapping[str, Arg]) -> tuple[str, ...]:
    """The texts of a call's arguments; `name=text` for those given by name.

    A number is `int`, an array `f64[n, 3]`, a Tensor `Tensor f32[8]`; what the code is made for itself is shown as its
    value.
    """
    return (*map(text_of, args), *(f"{name}={text_of(arg)}" for name, arg in named.items()))


def text_of(arg: Arg) -> str:
    """One argument, as text."""
    match arg:
        case ArrayArg(dtype, shape, category, contiguous):
            return _array(dtype, shape, category, contiguous)
        case NumberArg(dtype):
            return _NUMBERS.get(dtype, dtype.name)
        case StaticArg(value):
            return text_of_value(value)
        case StringArg(cls):
            return cls.__name__
        case HandleArg(cls, method):
            return cls.__qualname__ if method is None else f"{cls.__qualname__}.{method}"
        case ColumnArg(dtype, extent):
            return f"list[{_NUMBERS.get(dtype, dtype.name)}] of {extent}"
        case NestedArg():
            return "list of lists or tuples"
        case StringsArg(_, extent):
            return f"list[str] of {extent}"
        case _:
            return _container(arg)


def _container(arg: Arg) -> str:
    match arg:
        case TupleArg(items, cls):
            comma = "," if len(items) == 1 else ""
            return f"{'' if cls is tuple else cls.__qualname__}({_items(map(text_of, items))}{comma})"
        case ListArg(items, cls):
            return f"{'' if cls is list else cls.__qualname__}[{_items(map(text_of, items))}]"
        case DictArg(keys, items, cls):
            pairs = (f"{key!r}: {text_of(item)}" for key, item in zip(keys, items, strict=True))
            return f"{'' if cls is dict else cls.__qualname__}{{{_items(pairs)}}}"
        case ObjectArg(cls, names, items):
            pairs = (f"{name}={text_of(item)}" for name, item in zip(names, items, strict=True))
            return f"{cls.__qualname__}({_items(pairs)})"
        case RangeArg(cls):
            return cls.__name__
        case FunctionArg(source):
            return f"function {source.function.__qualname__}"
        case BoundArg(items):
            return f"bound {text_of(items[0])}"
        case _:
            return type(arg).__name__


def text_of_value(value: object) -> str:
    """A value that code was made for. Nothing of the user's is called for it."""
    if type(value) in _PLAIN:
        shown = repr(value)
        return shown if len(shown) <= _MOST else f"{shown[: _MOST - 3]}..."
    if isinstance(value, FunctionType | BuiltinFunctionType):
        return f"function {value.__qualname__}"
    if isinstance(value, type):
        return f"class {value.__qualname__}"
    return type(value).__qualname__


def _array(dtype: DType, shape: Shape, category: str, contiguous: bool) -> str:
    kind, _, dialect = category.partition(":")
    named = {"ndarray": "", "npscalar": "numpy ", "tensor": "Tensor "}.get(kind, f"{kind} ")
    of = f"{dialect}." if dialect else ""
    return f"{of}{named}{TensorType(dtype, shape)!r}{'' if contiguous else ' strided'}"


def _items(texts: Iterable[str]) -> str:
    found = list(texts)
    if len(found) <= _FEW_ITEMS:
        return ", ".join(found)
    return ", ".join([*found[: _FEW_ITEMS - 1], f"... {len(found) - _FEW_ITEMS + 1} more"])
