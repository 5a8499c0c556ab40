"""What MindSpore's functions that convolve, pool, make windows and compare numbers check, in order."""

from __future__ import annotations

import sys
from typing import Final

from jitcore.compat.mindspore.refusals.function_checks import (
    FLOATS,
    Check,
    Checks,
    Given,
    dtypes,
    has,
    in_range,
    is_of,
    kinds,
    positive,
    ranked,
    shown,
    told,
    value_type,
    values,
)
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name, type_text
from jitcore.compat.mindspore.refusals.shapes import known
from jitcore.passes.infer.engine.operands import Operand
from jitcore.types import DType


def _tensor(name: str, *arguments: str) -> Checks:
    return tuple(kinds(a, "tensor", f"'For {name}, {a} must be a Tensor, but got {{cls}}.'") for a in arguments)


# --- numbers ------------------------------------------------------------------------------------------


def _supported(argument: str, operand: str, allowed: str) -> Check:
    """A Tensor of one of the dtypes, as `_typecheck` of constants says it."""
    expected = ", ".join(f"mindspore.{name}" for name in allowed.split())

    def find(given: Given) -> Exception | None:
        x = given[argument]
        name = dtype_name(x.dtype) if x.kind == "tensor" else type_text(x)
        if x.kind not in ("tensor", "int", "float", "bool", "str") or name.lower() in allowed.split():
            return None
        return TypeError(f"The '{operand}' doesn't support '{name}' and expect to receive [{expected}].")

    return told(find)


def _matrices(x: str, y: str, text: str) -> Check:
    """Two Tensors have at least two dimensions."""

    def find(given: Given) -> Exception | None:
        a, b = known(given[x]), known(given[y])
        if a is None or b is None or min(len(a), len(b)) >= 2:
            return None
        return ValueError(text.format(len(a), len(b)))

    return told(find)


def _batch_axes(given: Given) -> Exception | None:
    """What `batch_dot` says of its axes."""
    axes = given["axes"]
    if not is_of(axes, ["int", "bool", "tuple", "list", "none"]):
        return ValueError(
            "For 'batch_dot', the type of 'axes' must be one of those: int, tuple(int), list(int), but got "
            f"{class_name(axes)}."
        )
    found = [a.value for a in axes.items]
    if 0 in found:
        return ValueError(f"For 'batch_dot', the 'axes' cannot contain 0, but got axes: {shown(axes)}.")
    if axes.kind in ("tuple", "list") and len(found) != 2:
        return ValueError(f"For 'batch_dot', the length of 'axes' must be equal to 2, but got {len(found)}.")
    return None


def _fractions(given: Given) -> Exception | None:
    """What the operator says of the Tensor and of `q`."""
    x, q = given["input"], given["q"]
    if x.kind in ("int", "float", "bool", "str"):
        return TypeError(
            f"For Primitive[Quantile], the type of input argument[input] must be Tensor but got {type_text(x)}."
        )
    if x.kind == "tensor" and dtype_name(x.dtype) not in ("Float32", "Float64"):
        return TypeError(
            "For primitive[Quantile], the input argument[input] must be a type of {Tensor[Float32], Tensor[Float64]}, "
            f"but got Tensor[{dtype_name(x.dtype)}]."
        )
    if q.kind in ("int", "bool", "str", "none"):
        return TypeError(f"For 'Quantile', the type of 'q' must be float or tensor, but got: {type_text(q)}.")
    if isinstance(q.value, float) and not 0 <= q.value <= 1:
        return ValueError(f"For 'Quantile', the 'q' must in the range [0, 1], but got: {q.value:g}.")
    return None


def _both_of_floats(given: Given) -> Exception | None:
    found = [given[a] for a in ("input", "other")]
    if any(x.kind != "tensor" for x in found) or all(dtype_name(x.dtype).lower() in FLOATS.split() for x in found):
        return None
    one, other = (dtype_name(x.dtype) for x in found)
    return TypeError(f"'For logaddexp2, the dtype of 'input' and 'other' must be float,but got {one} and {other}.'")


def _blocks(given: Given) -> Exception | None:
    """What `block_diag` says of its Tensors."""
    found = given["*"].items
    if not found:
        return RuntimeError("'For 'block_diag', the input is empty.'")
    for x in found:
        if not is_of(x, ["tensor"]):
            return TypeError(
                f"'For 'block_diag', each element of 'inputs' must be a tensor, but got <class '{class_name(x)}'>'"
            )
        if x.kind == "tensor" and len(x.shape) > 2:
            return ValueError(
                "'For 'block_diag', the dimension of each elements in 'inputs' must be 0, 1, or 2, "
                f"but got {len(x.shape)}'"
            )
    return None


def _diagonal(given: Given) -> Exception | None:
    """What is scattered has the shape of the diagonal."""
    shape, source = known(given["input"]), known(given["src"])
    offset, one, two = (given[a].value for a in ("offset", "dim1", "dim2"))
    if shape is None or source is None or not all(isinstance(n, int) for n in (offset, one, two)):
        return None
    rank = len(shape)
    if not (-rank <= one < rank and -rank <= two < rank) or one % rank == two % rank:
        return None
    rows, columns = shape[one] + min(offset, 0), shape[two] - max(offset, 0)
    wanted = (*(n for k, n in enumerate(shape) if k not in (one % rank, two % rank)), max(min(rows, columns), 0))
    if source == wanted:
        return None
    return ValueError(
        "For diagonal_scatter, the shape of src should equal to the shape of input diagonal,"
        f"but got src.shape {source} and diagonal shape {wanted}."
    )


def _complex(given: Given) -> Exception | None:
    x = given["input"]
    if x.kind != "tensor" or dtype_name(x.dtype).startswith("Complex"):
        return None
    return TypeError("'For view_as_real, the dtype of input Tensor must be complex.'")


def _quantile(name: str) -> Checks:
    return (
        *(
            kinds(a, f"{kind}, none", f"For '{name}', the type of '{a}' should be '{kind}', but got type '{{name}}'.")
            for a, kind in (("axis", "int"), ("keepdims", "bool"))
        ),
        told(_fractions),
        in_range("axis", "input", "For 'Quantile', the attr dim must be range of [-{rank},{last}]"),
    )


# --- windows ------------------------------------------------------------------------------------------


def _of_float_dtype(text: str) -> Check:
    """The dtype of a window of more than one point is one of floats."""

    def find(given: Given) -> Exception | None:
        length, dtype = given["window_length"].value, given["dtype"].value
        if not isinstance(length, int) or length <= 1 or not isinstance(dtype, DType):
            return None
        name = dtype_name(dtype)
        return None if name.lower() in FLOATS.split() else TypeError(text.format(dtype=name))

    return told(find)


_LENGTH: Final = "'For '{0}', 'window_length' must be a non-negative integer, but got {{value}}'"
_PERIODIC: Final = "'For '{}', 'periodic' must be a variable of Boolean type, but got {{cls}}'"
_OF_FLOATS: Final = "'For '{}', 'dtype' must be floating point dtypes, but got {{dtype}}.'"


def _length(name: str) -> Checks:
    text = _LENGTH.format(name)
    return (
        kinds("window_length", "int, bool", text.replace("{value}", "{cls}")),
        positive("window_length", text, zero=True),
    )


def _hamming(argument: str, allowed: str) -> Check:
    said = f"'For array function 'hamming_window', '{argument}' must be {allowed.partition(',')[0]}, but got {{cls}}.'"
    return kinds(argument, allowed, said)


# --- convolutions and pools ---------------------------------------------------------------------------


def _groups(given: Given) -> Exception | None:
    """What becomes of the channels by `groups`."""
    groups = given["groups"]
    if groups.kind == "str":
        return TypeError("unsupported operand type(s) for %: 'int' and 'str'")
    return ValueError("Cannot perform modulo operation on zero.") if groups.value == 0 else None


def _padding(given: Given) -> Exception | None:
    """Padding where the mode has none of its own."""
    mode, padding = given["pad_mode"].value, given["padding"].value
    if mode not in ("valid", "same") or not isinstance(padding, int) or not padding:
        return None
    pad = f"(0, 0, {padding}, {padding})" if _rank(given["input"]) == 3 else f"{padding}"
    return ValueError(
        f"For 'Conv2D', the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': {pad} and "
        f"'pad_mode': {mode}."
    )


def _rank(x: Operand) -> int | None:
    """A Tensor's rank."""
    return len(x.shape) if x.kind == "tensor" else None


def _kernel(given: Given) -> Exception | None:
    """A weight that has no extents for the kernel's size."""
    weight = known(given["weight"])
    if weight is None or len(weight) >= 4:
        return None
    return ValueError(
        "For 'Conv2D' attr 'kernel_size' must be an positive int number or a tuple of two positive int numbers, "
        f"but got {weight[2:4]}"
    )


_PAD_MODE: Final = (
    "For 'Conv2D', the 'pad_mode' must be str and must be in '['valid', 'same', 'pad']', but got '{value}'."
)


def _strides(name: str) -> Checks:
    return tuple(
        positive(a, f"'For '{name}', {a} must be a positive int, but got {{value}}.'") for a in ("dilation", "stride")
    )


def _pooled_rank(given: Given) -> Exception | None:
    rank = _rank(given["input_x"])
    if rank is None or rank == 3:
        return None
    return ValueError(f"For primitive[AvgPool3D], the x_rank must be equal to 5, but got {rank + 2}.")


def _shuffled(given: Given) -> Exception | None:
    shape, factor = known(given["input"]), given["upscale_factor"].value
    if shape is None or len(shape) < 3 or not isinstance(factor, int) or factor < 1:
        return None
    channels = shape[-3]
    if channels % factor**2 == 0:
        return None
    return ValueError(
        "For 'pixel_shuffle', the length of third to last dimension is not divisibleby `upscale_factor` squared."
    )


def _output_size(name: str) -> Checks:
    return (
        kinds("output_size", "int", f"For '{name}', the 'output_size' must be int, but got '{{name}}'"),
        positive(
            "output_size",
            f"For '{name}', the 'output_size' must be int and must >= 1, but got '{{value}}' with type 'int'.",
        ),
    )


CHECKS: Final[dict[str, Checks]] = {
    **{name: (*_tensor(name, "input"), dtypes("input", FLOATS, "")) for name in ("isneginf", "isposinf")},
    **{name: _tensor(name, "input") for name in ("isreal", "positive")},
    "signbit": (kinds("input", "tensor", "'For signbit, the input must be a Tensor, but got {cls}'"),),
    "dot": (
        _supported("input", "x1", "float16 float32"),
        _supported("other", "x2", "float16 float32"),
        _matrices(
            "input",
            "other",
            r"For \'dot\', the inputs x1, x2 should have \'dimension >= 2\',but got \'len(x1_shape)\': ({}) "
            r"and \'len(x2_shape)\': ({}).",
        ),
    ),
    "batch_dot": (
        _matrices(
            "x1",
            "x2",
            "For 'batch_dot', the inputs x1, x2 should have 'dimension >= 2', but got 'len(x1_shape)': ({}) and "
            "'len(x2_shape)': ({}).",
        ),
        _supported("x1", "x1", "float32"),
        _supported("x2", "x2", "float32"),
        told(_batch_axes),
    ),
    "quantile": _quantile("quantile"),
    "nanquantile": _quantile("nanquantile"),
    "logaddexp2": (*_tensor("logaddexp2", "input", "other"), told(_both_of_floats), "Maximum()(input,other)"),
    "block_diag": (told(_blocks),),
    "view_as_real": (told(_complex),),
    "qr": (
        values(
            "mode",
            ("reduced", "complete"),
            "'For qr, the arg mode must be 'reduced' or 'complete', but got {value}.'",
            TypeError,
        ),
        "Qr()(input)",
        ranked("input", range(2, sys.maxsize), "The input matrix must be at least two dimensions"),
    ),
    "bucketize": (
        kinds("input", "tensor", "'For 'bucketize', 'input' must be a Tensor, but got {name}.'"),
        kinds("right", "bool", "'For 'search_sorted', the type of 'right' should be 'bool', but got type '{name}'.'"),
    ),
    "diagonal_scatter": (*_tensor("diagonal_scatter", "input", "src"), told(_diagonal)),
    "clip_by_global_norm": (
        kinds("clip_norm", "int, float, bool, tensor", "'>' not supported between instances of '{name}' and 'float'"),
        positive("clip_norm", "For 'clip_by_global_norm', the argument 'clip_norm' must > 0.0, but got {value}."),
    ),
    "hann_window": (
        *_length("hann_window"),
        kinds("periodic", "bool", _PERIODIC.format("hann_window")),
        _of_float_dtype(_OF_FLOATS.format("hann_window")),
    ),
    "kaiser_window": (
        kinds("periodic", "bool", _PERIODIC.format("kaiser_window")),
        *_length("kaiser_window"),
        _of_float_dtype(_OF_FLOATS.format("kaiser_window")),
    ),
    "hamming_window": (
        _hamming("window_length", "int, bool"),
        positive(
            "window_length",
            "'For array function 'hamming_window', 'window_length' must be non negative number.'",
            zero=True,
        ),
        _hamming("periodic", "bool"),
        _hamming("alpha", "float"),
        _hamming("beta", "float"),
        _of_float_dtype(
            "'For array function 'hamming_window', 'dtype' must be floating point dtypes, but got {dtype}.'"
        ),
    ),
    "conv1d": (
        has("input", "ndim"),
        has("weight", "ndim"),
        told(_groups),
        *_strides("conv1d"),
        values("pad_mode", ("valid", "same", "pad"), _PAD_MODE),
        told(_padding),
        kinds("bias", "tensor, none", "'For 'conv1d', the 'bias' must be a Tensor, but got {cls}.'"),
    ),
    "conv2d": (
        has("weight", "shape"),
        has("input", "shape"),
        told(_groups),
        told(_kernel),
        values("pad_mode", ("valid", "same", "pad"), _PAD_MODE),
        told(_padding),
        kinds("bias", "tensor, none", "'For 'conv2d', the 'bias' must be a Tensor, but got {cls}.'"),
        "Conv2D(group=groups)(input,weight)",
    ),
    "avg_pool1d": (
        positive(
            "padding",
            "For 'avg_pool1d', the 'padding' must be int and must >= 0, but got '{value}' with type 'int'.",
            zero=True,
        ),
        told(_pooled_rank),
    ),
    "pixel_shuffle": (told(_shuffled),),
    "adaptive_avg_pool1d": _output_size("adaptive_avg_pool1d"),
    "adaptive_max_pool1d": _output_size("adaptive_max_pool1d"),
    "cosine_embedding_loss": (
        *(
            kinds(a, "tensor", f"For 'ops.cosine_embedding_loss', the '{a}' must be a Tensor, but got '{{type}}'")
            for a in ("input1", "input2", "target")
        ),
        value_type("margin", "float", "ops.cosine_embedding_loss"),
    ),
    "sequence_mask": (_supported("lengths", "lengths", "int64 int32"),),
    "multi_margin_loss": (
        values(
            "p",
            (1, 2),
            "For 'MultiMarginLoss', the 'p' must be int and must in {{1, 2}}, but got '{value}' with type 'int'.",
        ),
    ),
    "hinge_embedding_loss": (has("inputs", "dtype"), has("targets", "dtype")),
}
