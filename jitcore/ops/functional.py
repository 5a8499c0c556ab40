"""MindSpore's `ops` functions. All give Tensors; they are declared in `primitives.functions.mindspore`."""

from typing import Any as _Any

from jitcore.primitives.functions import mindspore as _mindspore

globals().update(_mindspore.FUNCTIONS)


def __getattr__(name: str) -> _Any:
    raise AttributeError(f"jitcore.ops.functional has no operator {name!r}")
