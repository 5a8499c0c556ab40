"""The functions of the module `paddle.linalg`."""

from jitcore.compat.paddle import surface
from jitcore.compat.paddle.declaring import LINALG

surface.complete()
globals().update(LINALG)
__all__ = list(LINALG)  # pyright: ignore[reportUnsupportedDunderAll]
