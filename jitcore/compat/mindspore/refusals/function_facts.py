"""What each of MindSpore's functions written in Python checks, in its order."""

from __future__ import annotations

from typing import Final

from jitcore.compat.mindspore.refusals import arranging_facts, combining_facts, generating_facts, network_facts
from jitcore.compat.mindspore.refusals.function_checks import (
    FLOATS,
    Checks,
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
from jitcore.compat.mindspore.refusals.function_rules import (
    NUMBER,
    TWICE,
    alike,
    all_none,
    clamped,
    contracted,
    dropped,
    extreme,
    filled,
    identity,
    interpolated,
    is_kind,
    labelled,
    loss,
    moved,
    padded,
    pointed,
    rolled,
    sections,
    spread,
    typed,
)

ORDERS: Final = (2, -2, 1, -1, float("inf"), -float("inf"), "fro", "nuc", None)
"""Orders of norms of matrices."""
_REDUCTION: Final = ("mean", "none", "sum")
_RANGE: Final = "The 'axis' must be in the range of [-{rank}, {rank}), but got {value}."
_AXIS_INT: Final = "axis {value} is out of bounds for array of dimension {rank}"
_ARANGE: Final = (
    "'For arange, the input type must be int or float or a TensorScalar in [Int32, Float32, Int64, Float64], "
    "but got {type}'"
)

CHECKS: Final[dict[str, Checks]] = {
    **combining_facts.CHECKS,
    **generating_facts.CHECKS,
    **network_facts.CHECKS,
    # reductions and orders
    "all": ("ReduceAll(keep_dims=keep_dims)(input,axis)",),
    "any": (when(all_none("axis")), "ReduceAny(keep_dims=keep_dims)(input,axis)"),
    "linspace": ("LinSpace()(0.0,1.0,steps)",),
    **{f"reduce_{name.lower()}": (f"Reduce{name}()(x,axis)",) for name in ("Sum", "Max", "Min")},
    "mean": (
        when(all_none("axis"), "ReduceMean(keep_dims=keep_dims)(x,())"),
        "ReduceMean(keep_dims=keep_dims)(x,axis)",
    ),
    "prod": (
        when(is_kind("axis", "tuple", "list", "tensor"), "ReduceProd(keep_dims=keep_dims)(input,axis)"),
        "ProdExt()(input,axis,keep_dims,dtype)",
    ),
    "std_mean": (unique("axis", "input", TWICE),),
    "var_mean": (unique("axis", "input", TWICE),),
    "std": spread("std"),
    "var": spread("var"),
    "max": extreme("max"),
    "min": extreme("min"),
    "argmax": pointed("argmax", "Argmax"),
    "argmin": pointed("argmin", "Argmin"),
    "sort": ("Sort(axis=axis,descending=descending)(input_x)",),
    "argsort": ("Sort(axis=axis,descending=descending)(input)",),
    "median": ("Median(axis=axis,keep_dims=keepdims)(input)",),
    "logsumexp": ("ReduceMax(keep_dims=True)(input,dim)", "Exp()(input)", "SumExt()(input,dim,keepdim,None)"),
    **{
        name: (
            unique("axis", "input", "For nansum, dim {axis} appears multiple times in axis.", RuntimeError),
            when(all_none("axis"), "ReduceSum(keep_dims=keepdims)(input,())"),
            when(is_kind("axis", "int", "tuple"), "ReduceSum(keep_dims=keepdims)(input,axis)"),
        )
        for name in ("nansum", "nanmean")
    },
    "vector_norm": (when(is_kind("axis", "int", "tuple"), "ReduceSum(keep_dims=keepdims)(x,axis)"),),
    "aminmax": (when(all_none("axis")), "ArgMinWithValue(axis=axis,keep_dims=keepdims)(input)",),
    "cumprod": (typed("input"), "CumProd()(input,dim)"),
    **{
        name: (
            when(all_none("axis"), f"{operator}(keep_dims=keepdims)(input,())"),
            f"{operator}(keep_dims=keepdims)(input,axis)",
        )
        for name, operator in (("amax", "ReduceMax"), ("amin", "ReduceMin"))
    },
    "norm": (
        has("A", "ndim"),
        when(
            lambda given: given["dim"].kind == given["ord"].kind == "int",
            value_type("keepdim", "bool", "LpNorm", "keep_dims"),
        ),
        when(lambda given: given["dim"].kind != "none"),
        when(lambda given: len(given["A"].shape) != 2),
        values(
            "ord",
            ORDERS,
            "For norm, the ord mode must be in [2, -2, 1, -1, float('inf'), -float('inf'), 'fro', 'nuc', None] for "
            "matrices, "
            "but got {value}.",
        ),
    ),
    "topk": ("TopK()(input,k)",),
    "count_nonzero": ("CountNonZero()(x,axis)",),
    "unique_consecutive": (
        "UniqueConsecutive(return_inverse=return_inverse,return_counts=return_counts,dim=dim)(input)",
    ),
    # activations
    "softmax": (
        kinds("axis", "int, bool", "' the type of 'axis' must be 'int', but got '{value}' with type '{name}'.'"),
        typed("input"),
        "Softmax(axis=axis)(input)",
    ),
    "gelu": (
        "DType()(input)",
        dtypes("input", FLOATS, "'For gelu, the input dtype must be bfloat16, float16, float32 or float64, but got "
                                 "{dtype}.'"),
        values("approximate", ("none", "tanh"), "'For ops.gelu, approximate value should be either 'none' or 'tanh'.'"),
    ),
    **{
        name: (f"{operator}()(input)",)
        for name, operator in (("isnan", "IsNan"), ("lgamma", "Lgamma"), ("digamma", "Digamma"), ("inv", "Inv"))
    },
    "mish": ("Mish()(x)",),
    "softsign": ("Softsign()(x)",),
    "selu": ("SeLU()(input_x)",),
    "softplus": ("Softplus()(input)",),
    "div": (
        "Div()(input,other)",
        values("rounding_mode", (None, "floor", "trunc"), "'For ops.div, rounding_mode value should be None, 'floor' "
                                                          "or 'trunc'.'"),
    ),
    "pad": (
        kinds("input_x", "tensor", "'For 'pad', the type of 'input_x' must be Tensor, but got {cls}.'"),
        when(is_kind("padding", "tensor")),
        lambda given, unlike: padded(given),
        when(lambda given: given["mode"].value in ("constant", "reflect", "edge", "circular", "replicate")),
        values("mode", (), "For 'PadV3', the 'mode' must be str and must be in '['constant', 'reflect', 'edge', "
                           "'circular']', but got '{value}'."),
    ),
    "dropout": (
        lambda given, unlike: dropped(given),
        kinds("training", "bool", "For 'dropout', the 'training' must be a bool, but got {name}."),
    ),
    "interpolate": (lambda given, unlike: interpolated(given),),
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
    "squeeze": (when(all_none("axis"), "Squeeze()(input)"), "Squeeze(axis=axis)(input)"),
    "stack": (
        when(
            is_kind("tensors", "tensor"),
            lambda given, unlike: TypeError(
                "'mindspore._c_expression.typing.TensorType' object is not subscriptable"
            ),
        ),
        when(is_kind("tensors", "none"), lambda given, unlike: TypeError("object of type 'NoneType' has no len()")),
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
        when(
            lambda given: given["split_size_or_sections"].kind == "tensor"
            and not given["split_size_or_sections"].shape
        ),
        kinds(
            "split_size_or_sections",
            "int, tuple, list",
            "'Type of Argument `split_size_or_sections` should be integer, tuple(int) or list(int), but got {cls}'",
        ),
        each("split_size_or_sections", "int", "'Each element in 'split_size_or_sections' should be integer, but got "
                                              "{cls}.'"),
        positive(
            "split_size_or_sections", "'For split, the value of 'split_size_or_sections' must be more than zero, but "
                                      "got {value}.'"
        ),
        lambda given, unlike: sections(given),
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
            lambda given, unlike: moved(given),
        ),
    ),
    "roll": ("Roll(shifts=shifts,dims=dims)(input)", lambda given, unlike: rolled(given)),
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
        positive("rep", "For 'repeat_elements', the 'rep' must be in range of (0, 2147483647], but got {value} with "
                        "type 'int'."),
    ),
    "repeat_interleave": (
        has("input", "ndim"),
        kinds("repeats", "int, tuple, list, tensor, bool", "'For 'repeat_interleave', each element in ({value},) "
                                                           "should be int, but got {cls} at index 0.'"),
        each("repeats", "int, bool", "'For 'repeat_interleave', each element in {sequence} should be int, but got "
                                     "{cls} at index {index}.'"),
        kinds("repeats", "int, tuple, list, tensor", "For 'repeat_elements', the 'rep' must be 'int',  but got "
                                                     "'{name}'."),
        positive(
            "repeats", "For 'repeat_elements', the 'rep' must be in range of (0, 2147483647], but got {value} with "
                       "type 'int'.", zero=True
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
        lambda given, unlike: filled(given["size"], lists=True),
    ),
    "fill": ("Cast()(value,type)", lambda given, unlike: filled(given["shape"])),
    "arange": (
        *(kinds(a, "int, float, tensor, none, bool", _ARANGE) for a in ("start", "end")),
        kinds("step", "int, float, tensor, bool", _ARANGE),
        typed("start"),
    ),
    "zeros_like": ("ZerosLike()(input)", typed("input")),
    "ones_like": ("OnesLike()(input)", typed("input")),
    # values
    "clip_by_value": (
        when(
            all_none("clip_value_min", "clip_value_max"),
            lambda given, unlike: ValueError(
                "'For 'clip_by_value', at least one of 'clip_value_min' or 'clip_value_max' must not be None'"
            ),
        ),
        kinds("x", "tensor, tuple, list", "'For 'clip_by_value', the type of argument 'x' must be Tensor or "
                                          "tuple[Tensor] or list[Tensor]'"),
        *(
            kinds(
                f"clip_value_{end}",
                f"none, tensor, {NUMBER}",
                f"'For 'clip_by_value', the type of argument 'clip_value_{end}' must be not one of None, Tensor, "
                "float, int'",
            )
            for end in ("min", "max")
        ),
    ),
    **{
        name: (
            when(
                all_none("min", "max"),
                lambda given, unlike: ValueError("For Clamp, at least one of 'min' or 'max' must not be None."),
            ),
            when(lambda given: "tensor" in (given["min"].kind, given["max"].kind), "ClampTensor()(input,min,max)"),
            "ClampScalar()(input,min,max)",
            lambda given, unlike: clamped(given),
        )
        for name in ("clamp", "clip")
    },
    # losses
    "mse_loss": (
        kinds("input", "tensor", "'For ops.mse_loss, the `input` must be tensor'"),
        kinds("target", "tensor", "'For ops.mse_loss, the `target` must be tensor'"),
        values("reduction", _REDUCTION, "'For ops.mse_loss, `reduction` value should be either 'mean', 'none' or "
                                        "'sum'.'"),
        "Sub()(input,target)",
    ),
    "l1_loss": (
        *loss("l1_loss"),
        values("reduction", _REDUCTION, "'For l1_loss, the 'reduction' must be in ['mean', 'sum', 'none'], but got "
                                        "{value}.'"),
        "Sub()(input,target)",
    ),
    "smooth_l1_loss": ("SmoothL1Loss(beta=beta,reduction=reduction)(input,target)",),
    "cross_entropy": (
        *loss("cross_entropy"),
        dtypes(
            "input",
            "float16 float32 float64",
            "'For cross_entropy, the input dtype should be mstype.float64, mstype.float32 ormstype.float16, but got "
            "dtype:{dtype}.'",
        ),
        labelled("input"),
    ),
    "nll_loss": (has("inputs", "ndim"), has("target", "ndim"), labelled("inputs")),
    "kl_div": (
        "Shape()(logits)",
        kinds("labels", "tensor", "For KLDivLoss, labels should be a Tensor."),
        alike("For primitive[KLDivLoss], the x shape: {} must be equal to {}", "logits", "labels"),
    ),
    "cosine_similarity": (has("x1", "ndim"), has("x2", "ndim"), "Mul()(x1,x2)", "SumExt()(x1,dim,True,None)"),
    "binary_cross_entropy": ("BinaryCrossEntropy(reduction=reduction)(logits,labels,weight)",),
    # matrices
    "mm": ("MatMulExt()(input,mat2)",),
    "tensor_dot": (lambda given, unlike: contracted(given),),
    "eye": (lambda given, unlike: identity(given, unlike),),
    "svd": ("Svd(full_matrices=full_matrices,compute_uv=compute_uv)(input)",),
    "inverse": (
        kinds("input", "tensor", "'For inverse, input must be a Tensor, but got {cls}.'"),
        "MatrixInverse()(input)",
    ),
    "lerp": ("Lerp()(input,end,weight)",),
    "randint": (
        kinds("low", "int", "'For 'randint_like', 'low' must be an int, but got {cls}.'"),
        kinds("high", "int", "'For 'randint_like', 'high' must be an int, but got {cls}.'"),
        kinds("size", "tuple", "'For 'randint', the input 'size' must be a tuple, but got {value}.'", ValueError),
    ),
    "gumbel_softmax": (
        kinds("logits", "tensor", "'The input logits must be tensor'"),
        dtypes("logits", "float16 float32", "For 'gumbel_softmax', the 'logits' should be one of [mindspore.float16, "
                                            "mindspore.float32], but got '{mstype}'."),
        value_type("tau", "float", "gumbel_softmax"),
        positive("tau", "For 'gumbel_softmax', the 'tau' must be float and must > 0, but got '{value}' with type "
                        "'float'."),
        value_type("dim", "int", "gumbel_softmax"),
        in_range("dim", "logits", "For 'gumbel_softmax', the 'dim' must be in range of [-{rank}, {rank}), but got "
                                  "{value} with type 'int'."),
    ),
    **arranging_facts.CHECKS,
}  # fmt: skip
