"""Names of the module `oneflow` that are no functions: formats of memory, of which there is one, and the version."""

from __future__ import annotations

from typing import ClassVar, Final

from jitcore.compat.torch import constants

__version__ = "1.0.0+jitcore"


class memory_format(constants.memory_format):
    """In which order elements lie in memory; here they do so by their indices, whatever is asked for."""

    _framework: ClassVar[str] = "oneflow"


class layout(memory_format):
    """Whether all elements are in memory."""


contiguous_format: Final = memory_format("contiguous_format")
preserve_format: Final = memory_format("preserve_format")
strided: Final = layout("strided")
