"""The functions of the module `torch`."""

from jitcore.compat.torch import surface
from jitcore.compat.torch.declaring import FUNCTIONS

surface.complete()
globals().update(FUNCTIONS)
__all__ = list(FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll]
