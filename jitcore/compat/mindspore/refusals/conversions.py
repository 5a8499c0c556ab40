"""What MindSpore says, line by line, to Tensors that Python makes numbers, or lengths of."""

from __future__ import annotations

from typing import Final

from jitcore.runtime.tensor import Tensor

_SCALARS: Final = "Only one element tensors can be converted to Python scalars"


def refused(what: str, x: Tensor) -> BaseException | None:
    """The exception of `bool(x)`, `int(x)`, `float(x)`, `complex(x)`, `len(x)`, or of an index that is a Tensor."""
    match what:
        case "bool":
            return ValueError(
                f"The tensor should have only one element, but got {x.asnumpy().size}, more than one element is ambiguous."
            )
        case "int" | "float" | "complex":
            return ValueError(_SCALARS)
        case "index":
            return ValueError("Only integer tensors of a single element can be converted to an index.")
        case "len":
            return TypeError("Not support len of a 0-D tensor")
        case _:
            return None
