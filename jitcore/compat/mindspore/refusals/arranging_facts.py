"""What MindSpore's functions that split, turn, count and fill check, and their methods of Tensors, in order."""

from __future__ import annotations

import sys
from typing import Final

from jitcore.compat.mindspore.refusals.function_checks import (
    Checks,
    Given,
    alone,
    each,
    has,
    in_range,
    kinds,
    positive,
    ranked,
    value_type,
    values,
)

_SECTIONS: Final = "'Type of Argument `indices_or_sections` should be integer, tuple(int) or list(int), but got {cls}'"


def _split(least: int, name: str) -> Checks:
    """Of `tensor_split` and those that call it with an axis."""
    plural = f"'{name} expect `x` is a Tensor with at least {least} dimension, but got {{rank}}'"
    return (
        kinds("input", "tensor", "'expect `x` is a Tensor, but got {cls}'"),
        *(
            (ranked("input", range(least, sys.maxsize), plural),)
            if least
            else (kinds("axis", "int", "'Type of Argument `axis` should be integer but got {cls}'"),)
        ),
        kinds("indices_or_sections", "int, tuple, list", _SECTIONS),
        each("indices_or_sections", "int", "'Each element in 'indices_or_sections' should be integer, but got {cls}.'"),
        positive(
            "indices_or_sections",
            "'For tensor_split, the value of 'indices_or_sections' must be more than zero but got {value}'",
        ),
    )


def _one_difference(given: Given, unlike: object) -> Exception | None:
    n = given["n"].value
    return RuntimeError(f"'For 'diff', 'n' must be 1, but got {n}'") if isinstance(n, int) and n != 1 else None


def _one_axis(given: Given, unlike: object) -> Exception | None:
    x = given["input"]
    if x.kind != "tensor" or len(x.shape) == 1:
        return None
    return ValueError("'For math function 'bincount', 'input' should be one-dimensional tensor.'")


def _traced(given: Given, unlike: object) -> Exception | None:
    rank, first, second = len(given["input"].shape), given["axis1"].value, given["axis2"].value
    if rank < 2:
        return RuntimeError(
            "For Primitive[Tracev2], the dim of input 'x' should greater or equal to 2, "
            f"but got 'x' at {rank}-dimention"
        )
    if isinstance(first, int) and isinstance(second, int) and first % rank == second % rank:
        return RuntimeError(
            "For Primitive[Tracev2], the value of 'axis1' and 'axis2' must be different, but got 'axis1': "
            f"{first} and 'axis2': {second}"
        )
    return None


def _axes(given: Given, unlike: object) -> Exception | None:
    axes, rank = given["dims"], len(given["input"].shape)
    if axes.kind == "int":
        return AttributeError("'Int' object has no attribute '__len__'")
    if axes.kind not in ("tuple", "list") or len(axes.items) == rank:
        return None
    return ValueError(
        "'For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, but got "
        f"{len(axes.items)} in the number of axes.'"
    )


def _on_device(given: Given, unlike: object) -> Exception | None:
    device = given["device"]
    if device.kind in ("int", "float", "bool"):
        return TypeError(f"For 'ToDevice', the value of 'device' should be a string, but got {device.value}")
    if device.kind == "str" and str(device.value).lower() not in ("cpu", "gpu", "npu", "ascend"):
        return ValueError(f"Failed to convert the value \"{device.value}\" of input 'device' of 'ToDevice' to enum.")
    return None


CHECKS: Final[dict[str, Checks]] = {
    "tensor_split": _split(0, "tensor_split"),
    "vsplit": _split(1, "vsplit"),
    "hsplit": _split(2, "hsplit"),
    "dsplit": _split(3, "dsplit"),
    "slice_scatter": tuple(
        kinds(a, "tensor", f"'For slice_scatter, {a} must be a Tensor, but got {{cls}}.'") for a in ("input", "src")
    ),
    "flip": ("ReverseV2(axis=dims)(input)",),
    "cummax": ("Cummax(axis=axis)(input)",),
    "cummin": (
        kinds("axis", "int, bool", "The date type of 'axis' must be Int, but got {value}."),
        kinds("axis", "int", "'For 'cummin', the date type of 'axis' must be Int, but got true.'"),
        in_range("axis", "input", "The value of axis must be in [-{rank}, {rank}], but got {value}."),
    ),
    "diff": (
        kinds("x", "tensor", "'For 'diff', 'x' must be a tensor, but got {cls}'"),
        kinds("n", "int", "For 'diff', the type of 'n' must be 'int', but got '{name}'."),
        _one_difference,
        kinds("axis", "int, bool", "tuple indices must be integers or slices, not {name}"),
        in_range(
            "axis",
            "x",
            "TupleGetItem evaluator index should be in range[-{rank}, {rank}), but got {value}.",
            error=IndexError,
        ),
    ),
    "inner": (has("input", "ndim"), has("other", "ndim")),
    "ldexp": ("Pow()(2.0,other)",),
    "cross": (alone("dim", "none", "Cross(dim=dim)(input,other)"), "Cross()(input,other)"),
    "bincount": (
        kinds("input", "tensor", "'For math function 'bincount', 'input' must be Tensor.'"),
        kinds("weights", "tensor, none", "'For math function 'bincount', 'weights' must be Tensor, but got {cls}.'"),
        kinds("minlength", "int", "'For math function 'bincount', 'minlength' must be int but got {cls}.'"),
        _one_axis,
        positive("minlength", "'For 'bincount', 'minlength' should be >= 0 but got {value}.'", zero=True),
    ),
    "unfold": tuple(
        check
        for a in ("kernel_size", "dilation", "padding", "stride")
        for check in (
            value_type(a, "int, tuple, list", "unfold"),
            each(a, "int", f"For 'unfold', the '{a}[{{index}}]' must be int, but got '{{name}}'"),
        )
    ),
}

METHODS: Final[dict[str, tuple[str, Checks]]] = {
    "squeeze": ("axis=None", (alone("axis", "none", "Squeeze(axis=axis)(input)"),)),
    "diagonal": ("offset=0, axis1=0, axis2=1", ("Diagonal(offset=offset,dim1=axis1,dim2=axis2)(input)",)),
    "trace": (
        "offset=0, axis1=0, axis2=1, dtype=None",
        (
            "TraceV2()(input,offset,axis1,axis2,dtype)",
            *(
                in_range(
                    a, "input", f"For primitive[TraceV2], the {a} must be in [-{{rank}},{{rank}}), but got {{value}}."
                )
                for a in ("axis1", "axis2")
            ),
            _traced,
        ),
    ),
    "repeat": ("repeats", (alone("repeats", "int", "Repeat()(input,repeats)"),)),
    "new_ones": ("size, dtype=None", ("NewOnes()(input,size,dtype)",)),
    "new_zeros": ("size, dtype=None", ("NewZeros()(input,size,dtype)",)),
    "permute": ("dims=None", (_axes,)),
    "to": ("device, dtype=None", (_on_device,)),
    "sum": (
        "axis=None, dtype=None, keepdims=False, initial=None",
        (alone("dtype", "none, dtype, type, bool", "SumExt()(input,axis,keepdims,dtype)"),),
    ),
    "fill": ("value", (alone("value", "none", "Cast()(value)"),)),
    "logit": ("eps=None", (alone("eps", "none", value_type("eps", "float", "Tensor.logit")),)),
    "fill_diagonal": (
        "fill_value, wrap=False",
        (value_type("fill_value", "float", "FillDiagonal"), value_type("wrap", "bool", "FillDiagonal")),
    ),
    "ptp": (
        "axis=None, keepdims=False",
        (
            kinds("keepdims", "bool", "keepdims should be boolean"),
            kinds("axis", "int, tuple, list, none", "'The axes must be integers, but got {cls}'"),
            each("axis", "int", "'The axes must be integers, but got {cls}'"),
        ),
    ),
    "searchsorted": (
        "v, side='left', sorter=None",
        (
            values(
                "side",
                ("left", "right"),
                "'For 'Tensor.searchsorted', the argument 'side' should be one of in "
                "['left', 'right'], but got {value}.'",
            ),
        ),
    ),
}
"""Methods by name: the parameters after the Tensor, which is `input`, and the checks."""
