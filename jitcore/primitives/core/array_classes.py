"""Python classes whose instances are arrays, as the layers above register them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore.primitives.core.code_points import text_of
from jitcore.program.boxes import BOX, object_now
from jitcore.structs import dataclass

# --- classes of the layers above -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayClass:
    """A Python class of arrays as compiled code sees it: the category of its instances, the library function that
    calling the class stands for, and what makes an instance of an ndarray, sharing its memory."""

    category: str
    construct: Callable[..., Any]
    wrap: Callable[[Any], Any]


ARRAY_CLASSES: Final[dict[type, ArrayClass]] = {}
"""Classes whose instances are arrays: the runtime registers Tensor here, and those of dialects. Subclasses count as
their base."""


def as_objects(values: Sequence[Any], categories: Sequence[str]) -> Sequence[Any]:
    """Values that host code was given, as objects of these categories (none: as they
    are); arrays come to it as ndarrays."""
    if not categories:
        return values
    makes: dict[str, Callable[[Any], Any]] = {known.category: known.wrap for known in ARRAY_CLASSES.values()}
    makes |= {"npscalar": lambda v: v[()], "list of numbers": lambda v: v.tolist(), "list of npscalars": list}
    makes |= {"character": chr, "str": lambda v: text_of(v, str), "bytes": lambda v: text_of(v, bytes)}
    return [_made(makes, c, v) for v, c in zip(values, categories, strict=True)]


def _made(makes: dict[str, Callable[[Any], Any]], category: str, value: object) -> object:
    kind, is_box, _ = category.partition(BOX)
    if is_box:
        assert isinstance(value, int)
        return object_now(int(kind), value)
    return makes[category](value) if category in makes else value
