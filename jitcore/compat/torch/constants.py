"""Names of the module `torch` that are no functions: formats of memory, of which there is one, and the version."""

from __future__ import annotations

from typing import ClassVar, Final

__version__ = "2.13.0+jitcore"


class memory_format:
    """In which order elements lie in memory; here they do so by their indices, whatever is asked for."""

    _framework: ClassVar[str] = "torch"

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"{self._framework}.{self._name}"


class layout(memory_format):
    """Whether all elements are in memory."""


contiguous_format: Final = memory_format("contiguous_format")
preserve_format: Final = memory_format("preserve_format")
channels_last: Final = memory_format("channels_last")
channels_last_3d: Final = memory_format("channels_last_3d")
strided: Final = layout("strided")
newaxis: Final = None
