"""The kinds of arguments that a model is for, as its manifest has them, and whether values are of them.

{"is": "array", "kind": "tensor", "dtype": "float32", "shape": ["n", 8]}      of another kind: ndarray, npscalar, …
{"is": "int"}                                                                 bool, float, complex, str, bytes
{"is": "numbers", "type": "float"}                                            a list of them, of any length
{"is": "tuple", "items": […]}                                                 list
{"is": "dict", "entries": [[key, kind], …]}
{"is": "constant", "value": …}                                                None, say: the very value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.exports.descriptions import described, read
from jitcore.exports.specs import InputSpec
from jitcore.passes.infer.domain.forms import equal_statics
from jitcore.runtime.list_arguments import column_dtype
from jitcore.runtime.tensor import Tensor, category_of

Kind = Mapping[str, Any]
PLAIN: Final[Mapping[str, type]] = {cls.__name__: cls for cls in (bool, int, float, complex, str, bytes)}


def kind_of(value: object) -> Kind:
    """The kind of an example. Raises UndescribedError for what no model is for."""
    if isinstance(value, InputSpec):
        shape, dtype = list(value.shape), value.dtype.numpy.name
        return {"is": "array", "kind": value.category, "dtype": dtype, "shape": shape}
    if isinstance(value, Tensor | np.ndarray | np.generic):
        array = array_of(value)
        return {"is": "array", "kind": category_of(value), "dtype": array.dtype.name, "shape": list(array.shape)}
    if type(value).__name__ in PLAIN:
        return {"is": type(value).__name__}
    if type(value) is list and (dtype := column_dtype(cast("list[Any]", value))) is not None:
        return {"is": "numbers", "type": str(dtype)}
    if type(value) in (tuple, list):
        items = cast("Sequence[object]", value)
        return {"is": type(items).__name__, "items": [kind_of(item) for item in items]}
    if type(value) is dict:
        entries = cast("dict[object, object]", value).items()
        return {"is": "dict", "entries": [[described(key), kind_of(item)] for key, item in entries]}
    return {"is": "constant", "value": described(value)}


def require_kind(kind: Kind) -> None:
    """Raise KeyError, TypeError or ValueError for what is no kind."""
    match kind["is"]:
        case "array":
            np.dtype(kind["dtype"])
            tuple(kind["shape"])
            str(kind["kind"])
        case "numbers":
            str(kind["type"])
        case "tuple" | "list":
            for item in kind["items"]:
                require_kind(item)
        case "dict":
            for key, inner in kind["entries"]:
                read(key)
                require_kind(inner)
        case "constant":
            read(kind["value"])
        case name:
            PLAIN[name]


def is_of_kind(value: object, kind: Kind) -> bool:
    """Whether a value is of a kind, extents aside."""
    match kind["is"]:
        case "array":
            if not isinstance(value, Tensor | np.ndarray | np.generic) or category_of(value) != kind["kind"]:
                return False
            array = array_of(value)
            plain = type(array) in (np.ndarray, np.memmap) or isinstance(array, np.generic)
            return plain and array.dtype == kind["dtype"] and array.ndim == len(kind["shape"])
        case "numbers":
            dtype = column_dtype(cast("list[Any]", value)) if type(value) is list else None
            return dtype is not None and str(dtype) == kind["type"]
        case "tuple" | "list":
            if type(value).__name__ != kind["is"] or not isinstance(value, tuple | list):
                return False
            items, kinds = cast("Sequence[object]", value), kind["items"]
            return len(items) == len(kinds) and all(map(is_of_kind, items, kinds))
        case "dict":
            if type(value) is not dict:
                return False
            entries = cast("dict[object, object]", value)
            wanted = [(read(key), inner) for key, inner in kind["entries"]]
            return list(entries) == [key for key, _ in wanted] and all(
                is_of_kind(entries[key], inner) for key, inner in wanted
            )
        case "constant":
            return equal_statics(value, read(kind["value"]))
        case name:
            return type(value) is PLAIN[name]


def in_order(value: object) -> Any:
    """A value with copies in the place of arrays whose elements do not lie in order."""
    if isinstance(value, Tensor | np.ndarray) and not array_of(value).flags.c_contiguous:
        return value.copy()
    if type(value) in (tuple, list):
        items = cast("tuple[object, ...]", value)
        return type(items)(map(in_order, items))
    if type(value) is dict:
        return {key: in_order(item) for key, item in cast("dict[object, object]", value).items()}
    return value


def text_of(kind: Kind) -> str:
    """A kind as messages have it."""
    match kind["is"]:
        case "array":
            return f"{kind['dtype']}[{', '.join('?' if n is None else str(n) for n in kind['shape'])}]"
        case "numbers":
            return f"list of {kind['type']}"
        case "tuple" | "list":
            return f"{kind['is']}({', '.join(map(text_of, kind['items']))})"
        case "constant":
            return repr(read(kind["value"]))
        case name:
            return str(name)


def text_of_value(value: object) -> str:
    """A value as messages have it."""
    if isinstance(value, Tensor | np.ndarray):
        array = array_of(value)
        named = "" if isinstance(value, Tensor) else "ndarray "
        return f"{named}{array.dtype.name}[{', '.join(map(str, array.shape))}]"
    return type(value).__name__


def array_of(value: object) -> Any:
    """The array that a Tensor holds; an array as it is."""
    return value.asnumpy() if isinstance(value, Tensor) else value
