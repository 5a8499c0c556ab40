"""Rules of what MindSpore's functions written in Python check: those that several share, and those of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jitcore.compat.mindspore.refusals.function_checks import (
    Check,
    Checks,
    Given,
    Unlike,
    has,
    in_range,
    kinds,
    unique,
    value_type,
    when,
)
from jitcore.compat.mindspore.refusals.naming import items_of, type_text
from jitcore.compat.mindspore.refusals.shapes import ints, known
from jitcore.passes.infer.engine.operands import Operand

NUMBER: Final = "int, float, bool"


def all_none(*arguments: str) -> Callable[[Given], bool]:
    return lambda given: all(given[a].kind == "none" for a in arguments)


def is_kind(argument: str, *allowed: str) -> Callable[[Given], bool]:
    return lambda given: given[argument].kind in allowed


def _axes(argument: str = "axis", of: str = "input") -> Checks:
    """An axis or a tuple of them, by `_check_axis`' words."""
    return (
        _each_int(argument),
        in_range(argument, of, "The 'axis' must be in the range of [-{rank}, {rank}), but got {value}."),
    )


def _each_int(argument: str) -> Check:
    def check(given: Given, unlike: object) -> Exception | None:
        x = given[argument]
        items = x.items if x.kind == "tuple" else (x,)
        for item in items:
            if item.kind not in ("int", "bool", "none", "object", "union"):
                shown = tuple(i.value if i.kind not in ("list",) else [k.value for k in i.items] for i in items)
                cls = {"str": "str", "float": "float", "list": "list", "tuple": "tuple"}.get(item.kind, item.kind)
                return TypeError(f"Each axis should be integer, but got <class '{cls}'> in {shown}.")
        return None

    return check


TWICE: Final = "The element of parameter 'axis' can not be duplicate, but got {value}."


def spread(name: str) -> Checks:
    """Of `std` and `var`."""
    return (
        kinds("input", "tensor", f"'For {name}, input must be a Tensor, but got {{cls}}.'"),
        *_axes(),
        unique("axis", "input", TWICE),
        value_type("ddof", "int, bool", name),
        value_type("keepdims", "bool", name),
        when(all_none("axis"), "ReduceStd(keep_dims=keepdims)(input)"),
        "ReduceStd(axis=axis,keep_dims=keepdims)(input)",
    )


def extreme(name: str) -> Checks:
    """Of `max` and `min`."""
    operator = "ArgMaxWithValue" if name == "max" else "ArgMinWithValue"
    return (
        has("input", "shape"),
        when(all_none("axis"), f"{operator}(axis=0,keep_dims=False)(input)"),
        kinds("axis", "int, bool", f"'For '{name}', 'axis' must be int, but got {{cls}}'"),
        f"{operator}(axis=axis,keep_dims=keepdims)(input)",
    )


def pointed(name: str, operator: str) -> Checks:
    """Of `argmax` and `argmin`."""
    dim = "dim" if name == "argmax" else "axis"
    return (
        has("input", "shape"),
        *((value_type("keepdim", "bool", "argmax"),) if name == "argmax" else ()),
        when(all_none(dim), f"{operator}(axis=0)(input)"),
        f"{operator}(axis={dim})(input)",
    )


def loss(name: str) -> Checks:
    return tuple(
        kinds(a, "tensor", f"For '{who}', the '{a}' must be a Tensor, but got '{{type}}'")
        for a in ("input", "target")
        for who in ("cross_entropy_loss" if name == "cross_entropy" else name,)
    )


def typed(argument: str) -> Check:
    """A dtype that what is made is cast to, if there is one."""

    def check(given: Given, unlike: Unlike) -> BaseException | None:
        return None if given["dtype"].kind == "none" else unlike("Cast", [given[argument], given["dtype"]], {})

    return check


def sections(given: Given) -> Exception | None:
    sizes, shape, axis = given["split_size_or_sections"], known(given["tensor"]), given["axis"].value
    numbers = ints(sizes) if sizes.kind != "int" else None
    if shape is None or numbers is None or not isinstance(axis, int) or sum(numbers) == shape[axis]:
        return None
    return ValueError(
        f"'The sum of 'split_size_or_sections' should be equal to {shape[axis]}, but got {sum(numbers)}.'"
    )


def identity(given: Given, unlike: Unlike) -> BaseException | None:
    rows, columns, dtype = given["n"], given["m"], given["dtype"]
    columns = rows if columns.kind == "none" else columns
    return unlike("Eye", [rows, columns, Operand("dtype") if dtype.kind == "none" else dtype], {})


def moved(given: Given) -> Exception | None:
    source, destination = (ints(given[end]) for end in ("source", "destination"))
    if source is None or destination is None or len(source) == len(destination):
        return None
    return ValueError(
        "'For `source` and `destination` arguments, the number of elements must be the same, but got 'source': "
        f"{len(source)} and 'destination': {len(destination)}.'"
    )


def rolled(given: Given) -> Exception | None:
    shifts, dims = ints(given["shifts"]), ints(given["dims"])
    if shifts is None or dims is None or (shifts and len(shifts) == len(dims)):
        return None
    return ValueError("For 'Roll', 'dims' and 'shifts' must be not empty and have same size.")


_IMMEDIATE: Final = {
    "str": "StringImm",
    "none": "None",
    "int": "Int64Imm",
    "float": "FP32Imm",
    "list": "ValueList",
    "bool": "BoolImm",
}


def filled(shape: Operand, *, lists: bool = False) -> Exception | None:
    """The answer to the shape of what is filled."""
    if shape.kind not in ("tuple", "range", "tensor", "object", "union") and not (lists and shape.kind == "list"):
        return TypeError(
            "For primitive[FillV2], the `shape`  must be a tuple or tensor with all Int elements, but got "
            f"{_IMMEDIATE.get(shape.kind, 'Any')}."
        )
    for k, item in enumerate(items_of(shape)):
        if item.kind in ("float", "str", "none", "bool"):
            return TypeError(
                "For primitive[FillV2], the input argument[input[shape]] must be a type of {Int32, Int64}, but got "
                f"{type_text(item)}."
            )
        if isinstance(item.value, int) and item.value < 0:
            return ValueError(
                f"For primitive[FillV2], the the {k}th dimension of input shape must be greater than or equal to 0, "
                "but got "
                f"{item.value}."
            )
    return None


def clamped(given: Given) -> Exception | None:
    if any(x.kind == "bool" or (x.dtype is not None and x.dtype.kind == "b") for x in given.values()):
        return ValueError("For Clamp, the dtype of 'input', 'min' and 'max' must not be bool.")
    return None


def labelled(logits: str) -> Check:
    """Labels that are indices fit the logits' rows."""

    def check(given: Given, unlike: object) -> Exception | None:
        rows, labels = known(given[logits]), known(given["target"])
        if rows is None or labels is None or len(rows) != 2 or rows == labels:
            return None
        if str(given["target"].dtype) not in ("Int32", "Int64"):
            return (
                None
                if len(labels) > 1
                else TypeError(
                    "For primitive[GatherD], the input argument[index] must be a type of "
                    "{Tensor[Int32], Tensor[Int64]}, but got "
                    f"{type_text(given['target'])}."
                )
            )
        if len(labels) == 1 and labels[0] > rows[0]:
            return ValueError(
                f"For primitive[GatherD], the x shape must be greater than or equal to {labels[0]}, but got {rows[0]}."
            )
        if len(labels) == 1 and 1 < labels[0] < rows[0]:
            shapes = f"input.shape = [{rows[0]}, 1] and mask.shape = [{labels[0]}, 1]"
            return ValueError(
                "For 'MaskedFill', input.shape and mask.shape need to broadcast. The value of input.shape[2] or "
                "mask.shape[2] must be 1 "
                f"or -1 when they are not the same, but got {shapes}"
            )
        return None

    return check


def padded(given: Given) -> Exception | None:
    padding = given["padding"]
    if padding.kind == "none":
        return TypeError("'none' object is not iterable")
    if padding.kind in ("int", "float"):
        return TypeError(f"'{'int64' if padding.kind == 'int' else 'float32'}' object is not iterable")
    items = items_of(padding)
    if not all(i.kind in ("int", "tensor", "object", "union") for i in items):
        shown = ", ".join(f"{i.value:g}" if isinstance(i.value, float) else str(i.value) for i in items)
        return TypeError(f"'For 'pad', the paddings value must be tuple of int or list of int, but got ({shown})'")
    length = len(items) if padding.kind != "str" else len(str(padding.value))
    if length % 2:
        return ValueError(f"'For 'pad', the size of padding must be divisible by 2, but got {length}'")
    return None


_RANKS: Final = {
    "nearest": (3, 4, 5),
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "area": (3, 4, 5),
    "nearest-exact": (3, 4, 5),
    "trilinear": (5,),
}
"""By the mode of `interpolate`, the ranks that it takes."""


def interpolated(given: Given) -> Exception | None:
    mode, x = given["mode"], given["input"]
    if mode.kind in ("str", "int", "float", "bool", "none") and mode.value not in _RANKS:
        return ValueError(f"'For 'interpolate', 'mode' must be in '[{', '.join(_RANKS)}]', but got {mode.value}'")
    ranks = _RANKS.get(str(mode.value))
    if x.kind == "tensor" and ranks is not None and len(x.shape) not in ranks:
        return ValueError(f"'For 'interpolate', {mode.value} only support '{list(ranks)}'D, but got {len(x.shape)}D'")
    empty = [given[name].kind == "none" for name in ("size", "scale_factor")]
    if all(empty):
        return ValueError("'For 'interpolate', 'size' and 'scale_factor' cannot be both empty'")
    if not any(empty):
        return ValueError("'For 'interpolate', 'size' and 'scale_factor' cannot be set simultaneously'")
    return None


def dropped(given: Given) -> Exception | None:
    p = given["p"]
    if p.kind in ("str", "none", "tuple", "list"):
        names = {"none": "NoneType"}
        return TypeError(f"unsupported operand type(s) for -: 'int' and '{names.get(p.kind, p.kind)}'")
    if given["training"].value is not True or not isinstance(p.value, float):
        return None
    keep = 1 - p.value
    return (
        None
        if 0 < keep <= 1
        else RuntimeError(f"For 'Dropout, the 'keep_prob' must be in (0.0, 1.0], but got {keep:g}")
    )


def contracted(given: Given) -> Exception | None:
    first, second, axes = known(given["x1"]), known(given["x2"]), given["axes"]
    if first is None or second is None or not isinstance(axes.value, int) or axes.value < 0:
        return None
    count = axes.value
    left = tuple(range(len(first) - count, len(first)))
    right = tuple(range(count))
    if count > min(len(first), len(second)) or all(first[i] == second[k] for i, k in zip(left, right, strict=True)):
        return None
    return ValueError(
        "For 'tensor_dot', the 'i' should exist such that 'x1_shape[axes[0][i]]' is equal to 'x2_shape[axes[1][i]]' or "
        f"'x2_shape[axes[1][len(axes[0])-1-i]]', but got 'x1_shape': {first}, 'x2_shape': {second}, 'axes': ({left}, "
        f"{right})."
    )


def alike(text: str, *arguments: str) -> Check:
    """Two Tensors are of one shape."""

    def check(given: Given, unlike: object) -> Exception | None:
        shapes = [known(given[a]) for a in arguments]
        if None in shapes or shapes[0] == shapes[1]:
            return None
        return ValueError(text.format(*(f"[{''.join(f'{n},' for n in s or ())}]" for s in shapes)))

    return check


def flat_axis(argument: str) -> Check:
    """An axis of what is flattened."""
    return in_range(
        argument,
        "input",
        f"For primitive[FlattenExt], the {argument} must be in [-{{rank}},{{last}}], but got {{value}}.",
    )
