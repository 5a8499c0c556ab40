"""The functions of the module `paddle`."""

from jitcore.compat.paddle import surface
from jitcore.compat.paddle.declaring import FUNCTIONS

surface.complete()
globals().update(FUNCTIONS)
__all__ = list(FUNCTIONS)  # pyright: ignore[reportUnsupportedDunderAll]
