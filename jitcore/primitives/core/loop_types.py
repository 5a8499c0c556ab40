"""Which dtypes a ufunc of a Python function computes with, for arguments of some dtypes (NumPy's promotion, NEP 50).

An argument is given as its dtype or, for Python numbers, whose dtype goes by the others', as their class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.primitives.transforms import Elementwise, LoopTypes
from jitcore.types import dtype_of

Given: TypeAlias = "np.dtype[Any] | type"

_EXAMPLES: Final[dict[type, bool | int | float | complex]] = {bool: False, int: 0, float: 0.0, complex: 0j}
_KINDS: Final[dict[type, str]] = {bool: "biufc", int: "iufc", float: "fc", complex: "c"}
"""The kinds of dtypes that Python's numbers are cast to safely."""


def input_types(request: Elementwise, given: Sequence[Given]) -> tuple[np.dtype[Any], ...]:
    """The dtypes of what the function gets: those of the first signature that all arguments are cast to safely; of a
    ufunc without signatures, the arguments' own. Raises TypeError where there is none."""
    signature = signature_for(request, given)
    if signature is not None:
        return signature.inputs
    strong = [g for g in given if isinstance(g, np.dtype)]
    made: list[np.dtype[Any]] = []
    for one in given:
        dtype = one.newbyteorder("=") if isinstance(one, np.dtype) else np.result_type(*strong, _EXAMPLES[one])
        try:
            dtype_of(dtype)
        except TypeError as error:
            raise TypeError(f"ufunc {request.name!r} is called with {dtype}: {error}") from None
        made.append(dtype)
    return tuple(made)


def signature_for(request: Elementwise, given: Sequence[Given]) -> LoopTypes | None:
    """The signature that serves arguments; None for a ufunc without any. Raises TypeError where none does."""
    for signature in request.signatures:
        if all(map(_fits, given, signature.inputs)):
            return signature
    if not request.signatures:
        return None
    kinds = ", ".join(g.name if isinstance(g, np.dtype) else g.__name__ for g in given)
    has = "; ".join(", ".join(d.name for d in s.inputs) for s in request.signatures)
    raise TypeError(
        f"ufunc {request.name!r} has no signature for ({kinds}), which NumPy could cast to safely; it has: {has}. "
        "Cast the arguments, or add a signature"
    )


def _fits(given: Given, wanted: np.dtype[Any]) -> bool:
    return np.can_cast(given, wanted, "safe") if isinstance(given, np.dtype) else wanted.kind in _KINDS[given]
