"""The functions of the module `oneflow`."""

from jitcore.compat.oneflow import names
from jitcore.compat.oneflow.functions import OWN
from jitcore.compat.oneflow.tensor import CATEGORY
from jitcore.compat.torch.declaring import functions_of

_KNOWN = {**functions_of(CATEGORY, ("placement", "sbp")), **OWN}

globals().update({name: function for name, function in _KNOWN.items() if name in names.ONEFLOW})
__all__ = [name for name in _KNOWN if name in names.ONEFLOW]  # pyright: ignore[reportUnsupportedDunderAll]
