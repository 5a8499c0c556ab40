"""What each of MindSpore's functions written in Python checks, in its order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jitcore.compat.mindspore.refusals import arranging_facts, combining_facts
from jitcore.compat.mindspore.refusals.function_checks import (
    Check,
    Given,
    Unlike,
    dtypes,
    each,
    has,
    in_range,
    kinds,
    positive,
    unique,
    value_type,
    values,
    when,
)
from jitcore.compat.mindspore.refusals.naming import items_of, type_text
from jitcore.compat.mindspore.refusals.shapes import ints, known
from jitcore.passes.infer.operands import Operand

Checks = tuple[Check | str, ...]
_NUMBER: Final = "int, float, bool"


def _none(*arguments: str) -> Callable[[Given], bool]:
    return lambda given: all(given[a].kind == "none" for a in arguments)


def _is(argument: str, *allowed: str) -> Callable[[Given], bool]:
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


_TWICE: Final = "The element of parameter 'axis' can not be duplicate, but got {value}."


def _spread(name: str) -> Checks:
    """Of `std` and `var`."""
    return (
        kinds("input", "tensor", f"'For {name}, input must be a Tensor, but got {{cls}}.'"),
        *_axes(),
        unique("axis", "input", _TWICE),
        value_type("ddof", "int, bool", name),
        value_type("keepdims", "bool", name),
        when(_none("axis"), "ReduceStd(keep_dims=keepdims)(input)"),
        "ReduceStd(axis=axis,keep_dims=keepdims)(input)",
    )


def _extreme(name: str) -> Checks:
    """Of `max` and `min`."""
    operator = "ArgMaxWithValue" if name == "max" else "ArgMinWithValue"
    return (
        has("input", "shape"),
        when(_none("axis"), f"{operator}(axis=0,keep_dims=False)(input)"),
        kinds("axis", "int, bool", f"'For '{name}', 'axis' must be int, but got {{cls}}'"),
        f"{operator}(axis=axis,keep_dims=keepdims)(input)",
    )


def _pointed(name: str, operator: str) -> Checks:
    """Of `argmax` and `argmin`."""
    dim = "dim" if name == "argmax" else "axis"
    return (
        has("input", "shape"),
        *((value_type("keepdim", "bool", "argmax"),) if name == "argmax" else ()),
        when(_none(dim), f"{operator}(axis=0)(input)"),
        f"{operator}(axis={dim})(input)",
    )


def _loss(name: str) -> Checks:
    return tuple(
        kinds(a, "tensor", f"For '{who}', the '{a}' must be a Tensor, but got '{{type}}'")
        for a in ("input", "target")
        for who in ("cross_entropy_loss" if name == "cross_entropy" else name,)
    )


def _typed(argument: str) -> Check:
    """A dtype that what is made is cast to, if there is one."""

    def check(given: Given, unlike: Unlike) -> BaseException | None:
        return None if given["dtype"].kind == "none" else unlike("Cast", [given[argument], given["dtype"]], {})

    return check


def _sections(given: Given) -> Exception | None:
    sizes, shape, axis = given["split_size_or_sections"], known(given["tensor"]), given["axis"].value
    numbers = ints(sizes) if sizes.kind != "int" else None
    if shape is None or numbers is None or not isinstance(axis, int) or sum(numbers) == shape[axis]:
        return None
    return ValueError(
        f"'The sum of 'split_size_or_sections' should be equal to {shape[axis]}, but got {sum(numbers)}.'"
    )


def _identity(given: Given, unlike: Unlike) -> BaseException | None:
    rows, columns, dtype = given["n"], given["m"], given["dtype"]
    columns = rows if columns.kind == "none" else columns
    return unlike("Eye", [rows, columns, Operand("dtype") if dtype.kind == "none" else dtype], {})


def _moved(given: Given) -> Exception | None:
    source, destination = (ints(given[end]) for end in ("source", "destination"))
    if source is None or destination is None or len(source) == len(destination):
        return None
    return ValueError(
        "'For `source` and `destination` arguments, the number of elements must be the same, but got 'source': "
        f"{len(source)} and 'destination': {len(destination)}.'"
    )


def _rolled(given: Given) -> Exception | None:
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


def _filled(shape: Operand, *, lists: bool = False) -> Exception | None:
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
                f"For primitive[FillV2], the the {k}th dimension of input shape must be greater than or equal to 0, but got "
                f"{item.value}."
            )
    return None


def _clamped(given: Given) -> Exception | None:
    if any(x.kind == "bool" or (x.dtype is not None and x.dtype.kind == "b") for x in given.values()):
        return ValueError("For Clamp, the dtype of 'input', 'min' and 'max' must not be bool.")
    return None


def _labelled(logits: str) -> Check:
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
                    "For primitive[GatherD], the input argument[index] must be a type of {Tensor[Int32], Tensor[Int64]}, but got "
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
                "For 'MaskedFill', input.shape and mask.shape need to broadcast. The value of input.shape[2] or mask.shape[2] must be 1 "
                f"or -1 when they are not the same, but got {shapes}"
            )
        return None

    return check


def _padded(given: Given) -> Exception | None:
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


def _interpolated(given: Given) -> Exception | None:
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


def _dropped(given: Given) -> Exception | None:
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


def _contracted(given: Given) -> Exception | None:
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
        f"'x2_shape[axes[1][len(axes[0])-1-i]]', but got 'x1_shape': {first}, 'x2_shape': {second}, 'axes': ({left}, {right})."
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


ORDERS: Final = (2, -2, 1, -1, float("inf"), -float("inf"), "fro", "nuc", None)
"""Orders of norms of matrices."""
_REDUCTION: Final = ("mean", "none", "sum")
_FLOATS: Final = "float16 float32 float64 bfloat16"
_RANGE: Final = "The 'axis' must be in the range of [-{rank}, {rank}), but got {value}."
_AXIS_INT: Final = "axis {value} is out of bounds for array of dimension {rank}"
_ARANGE: Final = "'For arange, the input type must be int or float or a TensorScalar in [Int32, Float32, Int64, Float64], but got {type}'"

CHECKS: Final[dict[str, Checks]] = {
    **combining_facts.CHECKS,
    # reductions and orders
    "all": ("ReduceAll(keep_dims=keep_dims)(input,axis)",),
    "any": (when(_none("axis")), "ReduceAny(keep_dims=keep_dims)(input,axis)"),
    "linspace": ("LinSpace()(0.0,1.0,steps)",),
    "mean": (
        when(_none("axis"), "ReduceMean(keep_dims=keep_dims)(x,())"),
        "ReduceMean(keep_dims=keep_dims)(x,axis)",
    ),
    "prod": (
        when(_is("axis", "tuple", "list", "tensor"), "ReduceProd(keep_dims=keep_dims)(input,axis)"),
        "ProdExt()(input,axis,keep_dims,dtype)",
    ),
    "std_mean": (unique("axis", "input", _TWICE),),
    "var_mean": (unique("axis", "input", _TWICE),),
    "std": _spread("std"),
    "var": _spread("var"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "argmax": _pointed("argmax", "Argmax"),
    "argmin": _pointed("argmin", "Argmin"),
    "sort": ("Sort(axis=axis,descending=descending)(input_x)",),
    "argsort": ("Sort(axis=axis,descending=descending)(input)",),
    "median": ("Median(axis=axis,keep_dims=keepdims)(input)",),
    "logsumexp": ("ReduceMax(keep_dims=True)(input,dim)", "Exp()(input)", "SumExt()(input,dim,keepdim,None)"),
    **{
        name: (
            unique("axis", "input", "For nansum, dim {axis} appears multiple times in axis.", RuntimeError),
            when(_none("axis"), "ReduceSum(keep_dims=keepdims)(input,())"),
            when(_is("axis", "int", "tuple"), "ReduceSum(keep_dims=keepdims)(input,axis)"),
        )
        for name in ("nansum", "nanmean")
    },
    "vector_norm": (when(_is("axis", "int", "tuple"), "ReduceSum(keep_dims=keepdims)(x,axis)"),),
    "aminmax": (when(_none("axis")), "ArgMinWithValue(axis=axis,keep_dims=keepdims)(input)",),
    "cumprod": (_typed("input"), "CumProd()(input,dim)"),
    **{
        name: (when(_none("axis"), f"{operator}(keep_dims=keepdims)(input,())"), f"{operator}(keep_dims=keepdims)(input,axis)")
        for name, operator in (("amax", "ReduceMax"), ("amin", "ReduceMin"))
    },
    "norm": (
        has("A", "ndim"),
        when(lambda given: given["dim"].kind == given["ord"].kind == "int", value_type("keepdim", "bool", "LpNorm", "keep_dims")),
        when(lambda given: given["dim"].kind != "none"),
        when(lambda given: len(given["A"].shape) != 2),
        values(
            "ord",
            ORDERS,
            "For norm, the ord mode must be in [2, -2, 1, -1, float('inf'), -float('inf'), 'fro', 'nuc', None] for matrices, "
            "but got {value}.",
        ),
    ),
    "topk": ("TopK()(input,k)",),
    "count_nonzero": ("CountNonZero()(x,axis)",),
    "unique_consecutive": ("UniqueConsecutive(return_inverse=return_inverse,return_counts=return_counts,dim=dim)(input)",),
    # activations
    "softmax": (
        kinds("axis", "int, bool", "' the type of 'axis' must be 'int', but got '{value}' with type '{name}'.'"),
        _typed("input"),
        "Softmax(axis=axis)(input)",
    ),
    "gelu": (
        "DType()(input)",
        dtypes("input", _FLOATS, "'For gelu, the input dtype must be bfloat16, float16, float32 or float64, but got {dtype}.'"),
        values("approximate", ("none", "tanh"), "'For ops.gelu, approximate value should be either 'none' or 'tanh'.'"),
    ),
    **{name: (f"{operator}()(input)",) for name, operator in (("isnan", "IsNan"), ("lgamma", "Lgamma"), ("digamma", "Digamma"), ("inv", "Inv"))},
    "mish": ("Mish()(x)",),
    "softsign": ("Softsign()(x)",),
    "selu": ("SeLU()(input_x)",),
    "softplus": ("Softplus()(input)",),
    "div": (
        "Div()(input,other)",
        values("rounding_mode", (None, "floor", "trunc"), "'For ops.div, rounding_mode value should be None, 'floor' or 'trunc'.'"),
    ),
    "pad": (
        kinds("input_x", "tensor", "'For 'pad', the type of 'input_x' must be Tensor, but got {cls}.'"),
        when(_is("padding", "tensor")),
        lambda given, unlike: _padded(given),
        when(lambda given: given["mode"].value in ("constant", "reflect", "edge", "circular", "replicate")),
        values("mode", (), "For 'PadV3', the 'mode' must be str and must be in '['constant', 'reflect', 'edge', 'circular']', but got '{value}'."),
    ),
    "dropout": (
        lambda given, unlike: _dropped(given),
        kinds("training", "bool", "For 'dropout', the 'training' must be a bool, but got {name}."),
    ),
    "interpolate": (lambda given, unlike: _interpolated(given),),
    "hardshrink": ("HShrink(lambd=lambd)(input)",),
    "softshrink": ("SoftShrink(lambd=lambd)(input)",),
    # shapes
    "clip_by_norm": (
        kinds("max_norm", "int, float, tensor, bool", 'Failed calling Mul with "Mul()(input=Tensor, other={word})".'),
    ),
    "size": (kinds("input_x", "tensor", "For 'Size', input must be a Tensor, but got: {type}."),),
    "flatten": (
        kinds("input", "tensor", "'For 'flatten', argument 'input' must be Tensor.'"),
        kinds("start_dim", "int", "'For 'flatten', both 'start_dim' and 'end_dim' must be int.'"),
        kinds("end_dim", "int", "'For 'flatten', both 'start_dim' and 'end_dim' must be int.'"),
        in_range("start_dim", "input", "''start_dim' or 'end_dim' out of range.'"),
        in_range("end_dim", "input", "''start_dim' or 'end_dim' out of range.'"),
    ),
    "squeeze": (when(_none("axis"), "Squeeze()(input)"), "Squeeze(axis=axis)(input)"),
    "stack": (
        when(_is("tensors", "tensor"), lambda given, unlike: TypeError("'mindspore._c_expression.typing.TensorType' object is not subscriptable")),
        when(_is("tensors", "none"), lambda given, unlike: TypeError("object of type 'NoneType' has no len()")),
        kinds(
            "tensors",
            "tuple, list",
            "For 'Stack', the 'len of input_x' must be int and must >= 1, but got '0' with type 'int'.",
            ValueError,
        ),
        "Stack(axis=axis)(tensors)",
    ),
    "unstack": ("Unstack(axis=axis)(input_x)",),
    "split": (
        kinds("tensor", "tensor", "'expect `tensor` is a Tensor, but got {cls}'"),
        kinds("axis", "int", "'Type of Argument `axis` should be integer but got {cls}'"),
        in_range("axis", "tensor", _AXIS_INT),
        when(lambda given: given["split_size_or_sections"].kind == "tensor" and not given["split_size_or_sections"].shape),
        kinds(
            "split_size_or_sections",
            "int, tuple, list",
            "'Type of Argument `split_size_or_sections` should be integer, tuple(int) or list(int), but got {cls}'",
        ),
        each("split_size_or_sections", "int", "'Each element in 'split_size_or_sections' should be integer, but got {cls}.'"),
        positive(
            "split_size_or_sections", "'For split, the value of 'split_size_or_sections' must be more than zero, but got {value}.'"
        ),
        lambda given, unlike: _sections(given),
    ),
    "chunk": (
        kinds("input", "tensor", "'For ops.chunk parameter `input` must be Tensor, but got {cls}'"),
        kinds("axis", "int, bool", "For ops.chunk, the axis should be int, , but got {cls}."),
        in_range("axis", "input", _AXIS_INT),
        kinds("chunks", "int, bool", "'For ops.chunk type of argument `chunks` should be integer, but got {cls}'"),
        positive("chunks", "'For ops.chunk parameter 'chunks' must be greater than 0, but got {value}'"),
    ),
    "swapaxes": (
        kinds("input", "tensor", "'For ops.swapaxes, parameter `input` must be Tensor, but got {cls}'"),
        kinds("axis0", "int, bool", "For ops.swapaxes, the axis argument must be integer, but got {cls}."),
        kinds("axis1", "int, bool", "For ops.swapaxes, the axis argument must be integer, but got {cls}."),
        in_range("axis0", "input", _RANGE),
        in_range("axis1", "input", _RANGE),
    ),
    **dict.fromkeys(
        ("movedim", "moveaxis"),
        (
            "Rank()(x)",
            kinds("source", "int, tuple, list, none", "The axes must be integers, but got {cls}"),
            kinds("destination", "int, tuple, list, none", "The axes must be integers, but got {cls}"),
            in_range("source", "x", _RANGE),
            in_range("destination", "x", _RANGE),
            lambda given, unlike: _moved(given),
        ),
    ),
    "roll": ("Roll(shifts=shifts,dims=dims)(input)", lambda given, unlike: _rolled(given)),
    "narrow": (
        kinds("input", "tensor", "'For 'narrow', the type of 'input' should be 'Tensor', but got type '{name}'.'"),
        kinds("axis", "int, bool", "'The axes must be integers, but got {cls}'"),
        in_range("axis", "input", "'The 'axis' must be in the range of [-{rank}, {rank}), but got {value}.'"),
        kinds("start", "int", "'The input value must be 'int',  but got '{name}'.'"),
    ),
    "repeat_elements": (
        "DType()(x)",
        "Rank()(x)",
        kinds("rep", "int", "For 'repeat_elements', the 'rep' must be 'int',  but got '{name}'."),
        positive("rep", "For 'repeat_elements', the 'rep' must be in range of (0, 2147483647], but got {value} with type 'int'."),
    ),
    "repeat_interleave": (
        has("input", "ndim"),
        kinds("repeats", "int, tuple, list, tensor, bool", "'For 'repeat_interleave', each element in ({value},) should be int, but got {cls} at index 0.'"),
        each("repeats", "int, bool", "'For 'repeat_interleave', each element in {sequence} should be int, but got {cls} at index {index}.'"),
        kinds("repeats", "int, tuple, list, tensor", "For 'repeat_elements', the 'rep' must be 'int',  but got '{name}'."),
        positive(
            "repeats", "For 'repeat_elements', the 'rep' must be in range of (0, 2147483647], but got {value} with type 'int'.", zero=True
        ),
    ),
    "tril": ("Tril(diagonal=diagonal)(input)",),
    "index_select": (
        kinds("input", "tensor", "'For 'index_select', `input` and `index` must be all tensors.'"),
        kinds("index", "tensor", "'For 'index_select', `input` and `index` must be all tensors.'"),
        kinds("axis", "int", "The axes must be integers, but got {cls}"),
        in_range("axis", "input", _RANGE),
    ),
    "full": (
        kinds("size", "tuple, list", "'For 'ops.full', 'size' must be a tuple or list of ints, but got {cls}.'"),
        kinds("dtype", "dtype, none", "'For 'ops.full', 'dtype' must be mindspore.type, but got {value}.'"),
        when(lambda given: given["fill_value"].kind in ("str", "none", "list", "tuple"), "Cast()(fill_value,None)"),
        lambda given, unlike: _filled(given["size"], lists=True),
    ),
    "fill": ("Cast()(value,type)", lambda given, unlike: _filled(given["shape"])),
    "arange": (
        *(kinds(a, "int, float, tensor, none, bool", _ARANGE) for a in ("start", "end")),
        kinds("step", "int, float, tensor, bool", _ARANGE),
        _typed("start"),
    ),
    "zeros_like": ("ZerosLike()(input)", _typed("input")),
    "ones_like": ("OnesLike()(input)", _typed("input")),
    # values
    "clip_by_value": (
        when(
            _none("clip_value_min", "clip_value_max"),
            lambda given, unlike: ValueError(
                "'For 'clip_by_value', at least one of 'clip_value_min' or 'clip_value_max' must not be None'"
            ),
        ),
        kinds("x", "tensor, tuple, list", "'For 'clip_by_value', the type of argument 'x' must be Tensor or tuple[Tensor] or list[Tensor]'"),
        *(
            kinds(
                f"clip_value_{end}",
                f"none, tensor, {_NUMBER}",
                f"'For 'clip_by_value', the type of argument 'clip_value_{end}' must be not one of None, Tensor, float, int'",
            )
            for end in ("min", "max")
        ),
    ),
    **{
        name: (
            when(
                _none("min", "max"),
                lambda given, unlike: ValueError("For Clamp, at least one of 'min' or 'max' must not be None."),
            ),
            when(lambda given: "tensor" in (given["min"].kind, given["max"].kind), "ClampTensor()(input,min,max)"),
            "ClampScalar()(input,min,max)",
            lambda given, unlike: _clamped(given),
        )
        for name in ("clamp", "clip")
    },
    # losses
    "mse_loss": (
        kinds("input", "tensor", "'For ops.mse_loss, the `input` must be tensor'"),
        kinds("target", "tensor", "'For ops.mse_loss, the `target` must be tensor'"),
        values("reduction", _REDUCTION, "'For ops.mse_loss, `reduction` value should be either 'mean', 'none' or 'sum'.'"),
        "Sub()(input,target)",
    ),
    "l1_loss": (
        *_loss("l1_loss"),
        values("reduction", _REDUCTION, "'For l1_loss, the 'reduction' must be in ['mean', 'sum', 'none'], but got {value}.'"),
        "Sub()(input,target)",
    ),
    "smooth_l1_loss": ("SmoothL1Loss(beta=beta,reduction=reduction)(input,target)",),
    "cross_entropy": (
        *_loss("cross_entropy"),
        dtypes(
            "input",
            "float16 float32 float64",
            "'For cross_entropy, the input dtype should be mstype.float64, mstype.float32 ormstype.float16, but got dtype:{dtype}.'",
        ),
        _labelled("input"),
    ),
    "nll_loss": (has("inputs", "ndim"), has("target", "ndim"), _labelled("inputs")),
    "kl_div": (
        "Shape()(logits)",
        kinds("labels", "tensor", "For KLDivLoss, labels should be a Tensor."),
        alike("For primitive[KLDivLoss], the x shape: {} must be equal to {}", "logits", "labels"),
    ),
    "cosine_similarity": (has("x1", "ndim"), has("x2", "ndim"), "Mul()(x1,x2)", "SumExt()(x1,dim,True,None)"),
    "binary_cross_entropy": ("BinaryCrossEntropy(reduction=reduction)(logits,labels,weight)",),
    # matrices
    "mm": ("MatMulExt()(input,mat2)",),
    "tensor_dot": (lambda given, unlike: _contracted(given),),
    "eye": (lambda given, unlike: _identity(given, unlike),),
    "svd": ("Svd(full_matrices=full_matrices,compute_uv=compute_uv)(input)",),
    "inverse": (kinds("input", "tensor", "'For inverse, input must be a Tensor, but got {cls}.'"), "MatrixInverse()(input)"),
    "lerp": ("Lerp()(input,end,weight)",),
    "randint": (
        kinds("low", "int", "'For 'randint_like', 'low' must be an int, but got {cls}.'"),
        kinds("high", "int", "'For 'randint_like', 'high' must be an int, but got {cls}.'"),
        kinds("size", "tuple", "'For 'randint', the input 'size' must be a tuple, but got {value}.'", ValueError),
    ),
    "gumbel_softmax": (
        kinds("logits", "tensor", "'The input logits must be tensor'"),
        dtypes("logits", "float16 float32", "For 'gumbel_softmax', the 'logits' should be one of [mindspore.float16, mindspore.float32], but got '{mstype}'."),
        value_type("tau", "float", "gumbel_softmax"),
        positive("tau", "For 'gumbel_softmax', the 'tau' must be float and must > 0, but got '{value}' with type 'float'."),
        value_type("dim", "int", "gumbel_softmax"),
        in_range("dim", "logits", "For 'gumbel_softmax', the 'dim' must be in range of [-{rank}, {rank}), but got {value} with type 'int'."),
    ),
    **arranging_facts.CHECKS,
}  # fmt: skip
