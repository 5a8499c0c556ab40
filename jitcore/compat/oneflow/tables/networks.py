"""The functions of the module `oneflow.nn.functional`."""

from jitcore.compat.oneflow import names
from jitcore.compat.oneflow.functions import OWN_NETWORK
from jitcore.compat.torch.declaring import NETWORK

_KNOWN = {**NETWORK, **OWN_NETWORK}

globals().update({name: function for name, function in _KNOWN.items() if name in names.FUNCTIONAL})
__all__ = [name for name in _KNOWN if name in names.FUNCTIONAL]  # pyright: ignore[reportUnsupportedDunderAll]
