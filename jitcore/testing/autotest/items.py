"""Results as flat lists of items, and the first difference of two: of tuples, named tuples and dicts item by item.

A result `(values, {"n": 3})` has the items `[0]` and `["n"]`, each with a place, a class, and what is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.structs import dataclass

Array: TypeAlias = np.ndarray[Any, Any]
Reader: TypeAlias = Callable[[object], "tuple[str, Array] | None"]
"""What gives the dtype's name and the elements of an array of one side; None of what is no array."""

_SHORT: Final = 200
"""Characters of a value in a message."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How near numbers are to be, and what is compared besides."""

    rtol: float = 1e-4
    atol: float = 1e-5
    check_dtype: bool = True
    check_allclose: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a result: where it is, what kind of thing, the dtype of an array, and what it holds."""

    place: str
    kind: str
    dtype: str
    value: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two results differ: the place, in what, and both values as short texts."""

    place: str
    what: str
    want: str
    have: str

    def __str__(self) -> str:
        where = f" of item {self.place}" if self.place else ""
        return f"the {self.what}{where} differs:\n    reference: {self.want}\n    jitcore:   {self.have}"


def flattened(value: object, read: Reader, place: str = "") -> Iterator[Item]:
    """The items of a result."""
    array = read(value)
    if array is not None:
        yield Item(place, "array", array[0], array[1].copy())
    elif isinstance(value, tuple | list):
        yield Item(place, _sequence(value), "", len(cast("Any", value)))
        for k, item in enumerate(cast("tuple[object, ...]", value)):
            yield from flattened(item, read, f"{place}[{k}]")
    elif isinstance(value, Mapping):
        given = cast("Mapping[object, object]", value)
        yield Item(place, "dict", "", list(given))
        for key, item in given.items():
            yield from flattened(item, read, f"{place}[{key!r}]")
    elif isinstance(value, bool | int | str | None):
        yield Item(place, type(value).__name__, "", value)
    elif isinstance(value, float | complex):
        yield Item(place, type(value).__name__, "", np.array(value))
    else:
        yield Item(place, "text", "", str(value))


def _sequence(value: tuple[Any, ...] | list[Any]) -> str:
    """`tuple`, `list`, or the names of a named tuple's fields."""
    fields = getattr(value, "_fields", None)
    if fields is None and hasattr(type(value), "n_fields"):  # CPython's struct sequences
        held = {id(item) for item in value}
        members = vars(type(value))
        fields = [n for n in members if not n.startswith("_") and n[:2] != "n_" and id(getattr(value, n)) in held]
    if fields:
        return f"named tuple of {', '.join(sorted(fields))}"
    return "list" if isinstance(value, list) else "tuple"


def difference(have: list[Item], want: list[Item], tolerance: Tolerance) -> Difference | None:
    """The first difference of two results; None if there is none."""
    for a, b in zip(have, want, strict=False):
        if a.place != b.place:
            return Difference(b.place, "structure", b.place, a.place)
        found = _of_items(a, b, tolerance)
        if found is not None:
            return found
    if len(have) != len(want):
        return Difference("", "structure", f"{len(want)} items", f"{len(have)} items")
    return None


def _of_items(have: Item, want: Item, tolerance: Tolerance) -> Difference | None:
    place = want.place
    if have.kind != want.kind:
        return Difference(place, "class", _shown(want), _shown(have))
    if want.kind not in ("array", "float", "complex"):
        same = have.value == want.value
        return None if same else Difference(place, "value", repr(want.value), repr(have.value))
    if have.value.shape != want.value.shape:
        return Difference(place, "shape", str(want.value.shape), str(have.value.shape))
    if tolerance.check_dtype and have.dtype != want.dtype:
        return Difference(place, "dtype", want.dtype, have.dtype)
    if tolerance.check_allclose and not _close(have.value, want.value, tolerance):
        return Difference(
            place, "value", _where_apart(want, have, tolerance, want), _where_apart(want, have, tolerance, have)
        )
    return None


def _close(have: Array, want: Array, tolerance: Tolerance) -> bool:
    return bool(np.all(_near(have, want, tolerance)))


def _near(have: Array, want: Array, tolerance: Tolerance) -> Array:
    if want.dtype.kind in "biu" and have.dtype.kind in "biu":
        return np.asarray(have == want)
    # half precision has 11 bits: what is computed in float32 and rounded may differ by one
    rtol = max(tolerance.rtol, 2e-3) if want.dtype == np.float16 else tolerance.rtol
    with np.errstate(invalid="ignore"):
        return np.isclose(have, want, rtol=rtol, atol=tolerance.atol, equal_nan=True)


def _where_apart(want: Item, have: Item, tolerance: Tolerance, shown: Item) -> str:
    """The array, or of a large one the element that is furthest off."""
    if want.value.size <= 16:
        return _shown(shown)
    apart = np.argwhere(~_near(have.value, want.value, tolerance))
    at = tuple(apart[0].tolist())
    return f"{shown.value[at]} at {list(at)}, the first of {len(apart)} that differ"


def _shown(item: Item) -> str:
    if item.kind == "array":
        text = np.array2string(item.value, precision=7, separator=", ", threshold=20).replace("\n", "")
        text = " ".join(text.split())
        return f"{text[:_SHORT]}{'…' * (len(text) > _SHORT)} ({item.dtype}, shape {item.value.shape})"
    return f"{item.kind} {item.value}"
