"""The functions of the module `torch.nn.functional`."""

from jitcore.compat.torch import surface
from jitcore.compat.torch.declaring import NETWORK

surface.complete()
globals().update(NETWORK)
__all__ = list(NETWORK)  # pyright: ignore[reportUnsupportedDunderAll]
