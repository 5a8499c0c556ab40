"""Named tuples that functions of several results give (`torch.return_types`)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final

from jitcore.primitives.core import dialects


def _named(name: str, fields: str) -> Any:
    """The class of a function's results, which are shown as PyTorch shows them."""
    made: Any = namedtuple(name, fields)  # pyright: ignore[reportUntypedNamedTuple]

    def shown(self: Any) -> str:
        parts = ",\n".join(f"{field}={value!r}" for field, value in zip(made._fields, self, strict=True))
        dialect = dialects.dialect_of(self[0])
        framework = "torch" if dialect is None else dialect.name
        return f"{framework}.return_types.{name}(\n{parts})"

    return type(name, (made,), {"__slots__": (), "__repr__": shown, "__module__": "torch.return_types"})


_FIELDS: Final = {
    "values indices": "max min median nanmedian mode kthvalue cummax cummin sort topk",
    "min max": "aminmax",
    "sign logabsdet": "slogdet linalg_slogdet",
    "Q R": "qr linalg_qr",
    "U S V": "svd",
    "U S Vh": "linalg_svd",
    "eigenvalues eigenvectors": "linalg_eig linalg_eigh",
    "solution residuals rank singular_values": "linalg_lstsq",
    "mantissa exponent": "frexp",
    "L info": "linalg_cholesky_ex",
    "inverse info": "linalg_inv_ex",
    "P L U": "linalg_lu",
    "LU pivots": "linalg_lu_factor",
    "hist bin_edges": "histogram",
}
TYPES: Final[dict[str, Any]] = {
    name: _named(name, fields)
    for fields, names in _FIELDS.items()
    for function in names.split()
    for name in (function, f"{function}_out")
}
"""By the name of the function; with `_out` those of what is written to the Tensors given as `out=`."""
