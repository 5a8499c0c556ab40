"""Descriptions of results, paths, constants and exceptions as what JSON has, and back.

A description is an object `{"is": its class, its fields}`; tuples are `{"is": "tuple", "items": …}`. Classes are looked
up by name among those that inference describes results and exceptions by, and the few that results are of: reading
executes nothing.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, cast

import numpy as np

from jitcore.passes.infer.domain import signature
from jitcore.passes.infer.engine.allocation import array_memory_error
from jitcore.primitives.ops import conversions
from jitcore.types import DTYPES, DType

_DESCRIPTIONS: Final[Mapping[str, Any]] = {
    cls.__name__: cls
    for cls in (
        signature.ResultNumber, signature.ResultArray, signature.ResultConstant, signature.ResultInput,
        signature.ResultAgain, signature.ResultContainer, signature.ResultItem, signature.ResultAfter,
        signature.ResultList, signature.ResultMixed, signature.ResultText, signature.ResultString,
        signature.ResultChar, signature.ResultParts, signature.ResultPart, signature.ResultUnion,
        conversions.Raising, conversions.Filled,
    )
}  # fmt: skip
_CLASSES: Final[Mapping[str, type]] = {
    cls.__name__: cls for cls in (tuple, list, dict, set, frozenset, slice, range, str, bytes)
}
_EXCEPTIONS: Final[Mapping[str, type[BaseException]]] = {
    **{name: cls for name, cls in vars(builtins).items() if isinstance(cls, type) and issubclass(cls, BaseException)},
    "numpy.linalg.LinAlgError": np.linalg.LinAlgError,
    "numpy.exceptions.AxisError": np.exceptions.AxisError,
    "numpy.MemoryError": array_memory_error(),
}
_NAMES_OF_EXCEPTIONS: Final = {cls: name for name, cls in _EXCEPTIONS.items()}
_DEEPEST: Final = 200


class UndescribedError(TypeError):
    """A value that has no description: it cannot leave Python."""

    def __init__(self, value: object) -> None:
        made = value.cls if isinstance(value, signature.ResultObject) else type(value)
        super().__init__(f"an object of {made.__name__}")


def described(value: object) -> Any:
    """A value as JSON's. Raises UndescribedError."""
    if value is None or isinstance(value, bool | str):
        return value
    cls = cast("type[Any]", type(value))
    given = cast("Any", value)
    if cls is int:
        return given if abs(given) < 1 << 53 else {"is": "int", "digits": str(given)}
    if cls is float:
        return given if math.isfinite(given) else {"is": "float", "text": repr(given)}
    if cls is complex:
        return {"is": "complex", "parts": [described(given.real), described(given.imag)]}
    if cls is bytes:
        return {"is": "bytes", "hex": given.hex()}
    if cls in (tuple, list):
        return {"is": cls.__name__, "items": [described(item) for item in given]}
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value).items()
        return {"is": "dict", "entries": [[described(k), described(v)] for k, v in entries]}
    if isinstance(value, DType):
        return {"is": "dtype", "name": value.name}
    if isinstance(value, np.dtype) and value.kind in "biufc":
        return {"is": "numpy.dtype", "name": value.str}
    if value in (Ellipsis, NotImplemented):
        return {"is": "Ellipsis"} if value is Ellipsis else {"is": "NotImplemented"}
    if isinstance(value, type) and value in _NAMES_OF_EXCEPTIONS:
        return {"is": "exception", "name": _NAMES_OF_EXCEPTIONS[value]}
    if isinstance(value, type):
        if _CLASSES.get(value.__name__) is not value:
            raise UndescribedError(value)
        return {"is": "class", "name": value.__name__}
    if _DESCRIPTIONS.get(cls.__name__) is cls:
        return {"is": cls.__name__, **{f.name: described(getattr(value, f.name)) for f in fields(cls)}}
    raise UndescribedError(value)


def read(value: object, depth: int = 0) -> Any:
    """What JSON's value describes. Raises ValueError for what describes nothing."""
    if depth > _DEEPEST:
        raise ValueError("a description is nested too deeply")
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.80} describes nothing")
    given = cast("dict[str, Any]", value)
    kind = given.get("is")
    try:
        return _read(kind, given, depth + 1)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{given!r:.80} describes nothing: {error}") from error


def _read(kind: object, given: dict[str, Any], depth: int) -> Any:
    match kind:
        case "int":
            return int(_text(given["digits"]))
        case "float":
            return float(_text(given["text"]))
        case "complex":
            real, imag = (read(part, depth) for part in given["parts"])
            return complex(real, imag)
        case "bytes":
            return bytes.fromhex(given["hex"])
        case "tuple" | "list":
            items = [read(item, depth) for item in given["items"]]
            return tuple(items) if kind == "tuple" else items
        case "dict":
            return {read(k, depth): read(v, depth) for k, v in given["entries"]}
        case "dtype":
            return DTYPES[given["name"]]
        case "numpy.dtype":
            return np.dtype(_text(given["name"]))
        case "Ellipsis":
            return Ellipsis
        case "NotImplemented":
            return NotImplemented
        case "exception":
            return _EXCEPTIONS[given["name"]]
        case "class":
            return _CLASSES[given["name"]]
        case str() if kind in _DESCRIPTIONS:
            cls = _DESCRIPTIONS[kind]
            return cls(**{f.name: read(given[f.name], depth) for f in fields(cls)})
        case _:
            raise ValueError(f"{given!r:.80} describes nothing")


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 4_000:
        raise ValueError(f"{value!r:.80} is no number")
    return value
