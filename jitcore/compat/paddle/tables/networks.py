"""The functions of the module `paddle.nn.functional`."""

from jitcore.compat.paddle import surface
from jitcore.compat.paddle.declaring import NETWORK

surface.complete()
globals().update(NETWORK)
__all__ = list(NETWORK)  # pyright: ignore[reportUnsupportedDunderAll]
