"""What the namespace says of itself: `__array_namespace_info__()`."""

from __future__ import annotations

from typing import Final

from jitcore.library.array.properties import CPU
from jitcore.numpy.arguments import Device, require_device
from jitcore.numpy.dtypes import BY_KIND, DEFAULTS
from jitcore.types import DType

MAX_DIMENSIONS: Final = 64
"""The axes that NumPy's arrays, which hold the elements, may have."""


class ArrayNamespaceInfo:
    """Answers about the namespace.

    >>> import jitcore.numpy as xp
    >>> info = xp.__array_namespace_info__()
    >>> info.devices(), sorted(info.dtypes(kind="complex floating"))
    (['cpu'], ['complex128', 'complex64'])
    """

    def capabilities(self) -> dict[str, bool | int | None]:
        """What the standard leaves to implementations: both kinds of results whose shape depends on values are here."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MAX_DIMENSIONS}

    def default_device(self) -> str:
        """The device of arrays that are made without being told another."""
        return CPU

    def devices(self) -> list[str]:
        """All devices."""
        return [CPU]

    def default_dtypes(self, *, device: Device = None) -> dict[str, DType]:
        """The dtypes of arrays that are made of Python's numbers, and of indices. Raises ValueError for another device
        than the CPU."""
        require_device(device)
        return dict(DEFAULTS)

    def dtypes(self, *, device: Device = None, kind: str | tuple[str, ...] | None = None) -> dict[str, DType]:
        """The dtypes by name: all, or those of a kind (see `isdtype`) or several. Raises ValueError for another kind,
        or another device than the CPU."""
        require_device(device)
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        unknown = [k for k in kinds if k not in BY_KIND]
        if unknown:
            raise ValueError(f"a kind of dtypes is one of {', '.join(map(repr, BY_KIND))}, not {unknown[0]!r}")
        return {name: dtype for k in kinds for name, dtype in BY_KIND[k].items()}


def __array_namespace_info__() -> ArrayNamespaceInfo:
    """An object that answers which dtypes, devices and capabilities there are."""
    return ArrayNamespaceInfo()
