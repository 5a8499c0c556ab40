"""What is made of the arrays that compiled code gives, by the categories of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy.typing as npt

from jitcore.primitives.core import dialects
from jitcore.primitives.core.array_classes import ARRAY_CLASSES
from jitcore.runtime.tensor import wrap


def _scalar_of(array: Any) -> Any:
    return array[()]


def _same(array: Any) -> Any:
    return array


_CATEGORIES: Final[dict[str, Callable[[Any], Any]]] = {"tensor": wrap, "ndarray": _same, "npscalar": _scalar_of}


def maker_of(category: str) -> Callable[[Any], Any]:
    """What makes an object of an ndarray, by its category."""
    dialect = dialects.known.get(category)
    return _CATEGORIES[category] if dialect is None else ARRAY_CLASSES[dialect.cls].wrap


def as_category(category: str, array: npt.NDArray[Any]) -> Any:
    """An ndarray as an object of a category."""
    return maker_of(category)(array)
