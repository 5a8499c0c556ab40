"""MindSpore's `ops` functions. All give Tensors; they are declared in `library`."""

from typing import Any as _Any

from jitcore.library import operators as _operators

globals().update(_operators.FUNCTIONS)


def __getattr__(name: str) -> _Any:
    raise AttributeError(f"jitcore.ops.functional has no operator {name!r}")
