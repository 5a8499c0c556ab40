"""What MindSpore's methods of Tensors check, once one of their forms takes the types of the arguments: the parameters,
and the checks in order."""

from __future__ import annotations

from typing import Final

from jitcore.compat.mindspore.refusals import arranging_facts
from jitcore.compat.mindspore.refusals.function_checks import (
    Check,
    dtypes,
    each,
    in_range,
    is_of,
    kinds,
    positive,
    unique,
    values,
    when,
)
from jitcore.compat.mindspore.refusals.function_facts import CHECKS, ORDERS
from jitcore.compat.mindspore.refusals.function_rules import flat_axis

_AXIS: Final = "'The 'axis' must be in the range of [-{rank}, {rank}), but got {value}.'"
_TWICE: Final = "'The element of parameter 'axis' can not be duplicate, but got {value}.'"

_SPREAD: Final = (
    when(
        lambda given: given["axis"].kind == "list" and not is_of(given["axis"], ["list of int"]),
        "Var()(input,axis,1,keepdims)",
    ),
    each("axis", "int, bool", "'Each axis should be integer, but got {cls} in {sequence}.'"),
)


def _unlimited(given: object, unlike: object) -> ValueError:
    return ValueError("For Clamp, at least one of 'min' or 'max' must not be None.")


METHODS: Final[dict[str, tuple[str, tuple[Check | str, ...]]]] = {
    **{
        name: (
            "axis=None, keepdims=False",
            (
                when(lambda given: given["axis"].kind == "none"),
                each("axis", "int", "'The axes must be integers, but got {cls}'"),
                when(
                    lambda given: given["axis"].kind in ("tuple", "list"),
                    in_range("axis", "input", _AXIS), unique("axis", "input", _TWICE),
                ),
                f"{operator}(axis=axis,keep_dims=keepdims)(input)",
            ),
        )
        for name, operator in (("max", "ArgMaxWithValue"), ("min", "ArgMinWithValue"))
    },
    "mean": (
        "axis=None, keep_dims=False",
        (when(lambda given: given["axis"].kind == "none"), "ReduceMean(keep_dims=keep_dims)(input,axis)"),
    ),
    "all": ("axis=None, keep_dims=False", ("ReduceAll(keep_dims=keep_dims)(input,axis)",)),
    "any": (
        "axis=None, keep_dims=False",
        (when(lambda given: given["axis"].kind == "none"), "ReduceAny(keep_dims=keep_dims)(input,axis)"),
    ),
    **{
        name: (
            "axis=None, keepdims=False",
            (when(lambda given: given["axis"].kind == "none"), f"{operator}(axis=axis)(input)"),
        )
        for name, operator in (("argmax", "Argmax"), ("argmin", "Argmin"))
    },
    "cumsum": (
        "axis=None, dtype=None",
        (in_range("axis", "input", _AXIS), when(lambda given: given["axis"].kind == "none"), "CumSum()(input,axis)"),
    ),
    "cumprod": ("dim, dtype=None", CHECKS["cumprod"]),
    "std": (
        "axis=None, ddof=0, keepdims=False",
        (*_SPREAD, in_range("axis", "input", _AXIS), unique("axis", "input", _TWICE)),
    ),
    "var": (
        "axis=None, ddof=0, keepdims=False",
        (*_SPREAD, in_range("axis", "input", _AXIS), unique("axis", "input", _TWICE)),
    ),
    "expand_dims": (
        "axis",
        (
            kinds("axis", "int, tensor", "'The type of 'axis' must be 'int', but got '{name}'.'"),
            "ExpandDims()(input,axis)",
        ),
    ),
    "unsqueeze": ("dim", ("ExpandDims()(input,dim)",)),
    "topk": (
        "k, dim=None, largest=True, sorted=True",
        (when(lambda given: given["dim"].kind != "none"), "TopK()(input,k)"),
    ),
    **dict.fromkeys(
        ("sort", "argsort"), ("axis=-1, descending=False", ("Sort(axis=axis,descending=descending)(input)",))
    ),
    "split": ("split_size_or_sections, axis=0", CHECKS["split"]),
    "chunk": ("chunks, axis=0", CHECKS["chunk"]),
    "swapaxes": ("axis0, axis1", CHECKS["swapaxes"]),
    "index_select": ("axis, index", CHECKS["index_select"]),
    "masked_fill": (
        "mask, value",
        (
            when(lambda given: given["value"].kind == "tensor", "MaskedFill()(input,mask,value)"),
            "MaskedFillScalar()(input,mask,value)",
            dtypes(
                "mask", "bool",
                "For primitive[MaskedFill], the input argument[mask] must be a type of {{Bool}}, but got {dtype}.",
            ),
        ),
    ),
    "masked_select": ("mask", ("MaskedSelect()(input,mask)",)),
    "gather_elements": ("dim, index", ("GatherD()(input,dim,index)",)),
    "gather": (
        "input_indices, axis, batch_dims=0",
        (
            when(lambda given: given["input_indices"].kind != "tensor"),
            "Gather(batch_dims=batch_dims)(input,input_indices,axis)",
        ),
    ),
    "norm": (
        "ord=None, dim=None, keepdim=False",
        (
            when(lambda given: given["dim"].kind != "none" or len(given["input"].shape) != 2),
            values(
                "ord", ORDERS,
                "For norm, the ord mode must be in [2, -2, 1, -1, float('inf'), -float('inf'), 'fro', 'nuc', None] "
                "for matrices, but got {value}.",
            ),
        ),
    ),
    "flatten": ("start_dim=0, end_dim=-1", (flat_axis("start_dim"), flat_axis("end_dim"))),
    "triu": ("diagonal=0", ("Triu(diagonal=diagonal)(input)",)),
    "tril": ("diagonal=0", ("Tril(diagonal=diagonal)(input)",)),
    "broadcast_to": ("shape", ("BroadcastTo(shape=shape)(input)",)),
    "tile": ("dims", (positive("dims", "", zero=True), "Tile()(input,dims)")),
    "logsumexp": ("dim, keepdim=False", ("ReduceMax(keep_dims=keepdim)(input,dim)",)),
    "roll": ("shifts, dims=None", CHECKS["roll"]),
    "repeat_interleave": ("repeats, axis=None", CHECKS["repeat_interleave"]),
    **{
        name: (
            "min=None, max=None",
            (when(lambda given: given["min"].kind == given["max"].kind == "none", _unlimited),),
        )
        for name in ("clamp", "clip")
    },
    **arranging_facts.METHODS,
}  # fmt: skip
"""Methods by name: the parameters after the Tensor, which is `input` (or `tensor`), and the checks."""
