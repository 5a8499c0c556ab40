"""What MindSpore's primitive classes accept: in their constructors, by the names of parameters; as operands, by the
class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from numpy.exceptions import AxisError

from jitcore.library.core.values import dtype_of_value, is_array
from jitcore.types import DType

_TRUTHS: Final = frozenset(
    [
        "adjoint",
        "align_corners",
        "ceil_mode",
        "compute_uv",
        "count_include_pad",
        "descending",
        "exclusive",
        "full_matrices",
        "half_pixel_centers",
        "is_training",
        "keep_dims",
        "keepdim",
        "lower",
        "reverse",
        "sorted",
        "transpose_a",
        "transpose_b",
        "upper",
        "use_locking",
        "use_nesterov",
        "zero_infinity",
    ]
)
_POSITIVE: Final = frozenset(
    ["dilation", "group", "in_channel", "kernel_size", "ksize", "out_channel", "output_num", "stride"]
)
_SHARES: Final = frozenset(["keep_prob"])


def check(name: str, params: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError for what a class cannot be set up with. Values that are not plain Python are left
    to its calls."""
    for key, value in params.items():
        if key in _TRUTHS:
            _truth(name, key, value)
        elif key in _POSITIVE and (key != "group" or "Conv" in name):  # elsewhere, a group of devices
            _positive(name, key, value)
        elif key in _SHARES:
            _share(name, key, value)
        elif key == "axis":
            _axis(name, value)
        elif key == "reduction" and name != "TensorScatterElements":
            _reduction(name, value)
    if {"pad", "pad_mode"} <= params.keys():
        _padding(name, params["pad_mode"], params["pad"])


def _truth(name: str, key: str, value: Any) -> None:
    if isinstance(value, int | float | str | tuple | list) and not isinstance(value, bool):
        raise TypeError(f"For '{name}', the '{key}' must be a bool, but got {type(value).__name__}.")


def _numbers(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, tuple | list) else (value,)


def _positive(name: str, key: str, value: Any) -> None:
    for item in _numbers(value):
        if isinstance(item, bool | float | str):
            raise TypeError(f"For '{name}', the '{key}' must be an int or ints, but got {value!r}.")
        if isinstance(item, int) and item <= 0:
            raise ValueError(f"For '{name}', the '{key}' must be positive, but got {value!r}.")


def _share(name: str, key: str, value: Any) -> None:
    if isinstance(value, int | float) and not isinstance(value, bool) and not 0 < value <= 1:
        raise ValueError(f"For '{name}', the '{key}' must be in the range (0.0, 1.0], but got {value!r}.")


def _axis(name: str, value: Any) -> None:
    for item in _numbers(value):
        if isinstance(item, bool | float | str):
            raise TypeError(f"For '{name}', the 'axis' must be an int or ints, but got {value!r}.")
    if name in ("Softmax", "LogSoftmax") and isinstance(value, tuple | list) and not value:
        raise ValueError(f"For '{name}', the 'axis' must not be empty.")


def _reduction(name: str, value: Any) -> None:
    allowed = ("none", "mean", "sum", "batchmean") if name == "KLDivLoss" else ("none", "mean", "sum")
    if isinstance(value, str) and value not in allowed:
        raise ValueError(f"For '{name}', the 'reduction' must be 'none', 'mean' or 'sum', but got {value!r}.")


def _padding(name: str, mode: Any, pad: Any) -> None:
    if not isinstance(mode, str):
        return
    if mode.lower() not in ("same", "valid", "pad"):
        raise ValueError(f"For '{name}', the 'pad_mode' must be 'same', 'valid' or 'pad', but got {mode!r}.")
    if mode.lower() != "pad" and any(isinstance(p, int) and p != 0 for p in _numbers(pad)):
        raise ValueError(f"For '{name}', the 'pad' must be 0 when 'pad_mode' is {mode!r}, but got {pad!r}.")


# --- operands -----------------------------------------------------------------------------------------

_OF_FLOATS: Final = frozenset(["Elu", "GeLU", "L2Loss", "LogSoftmax", "Mish", "ReLU6", "SeLU", "Softmax", "Softplus"])
_NOT_OF_TRUTHS: Final = frozenset(["Conv2D", "DepthwiseConv2dNative", "MaxPoolWithArgmax", "ReLU", "Square"])
_OF_ONE_DTYPE: Final = frozenset(["BatchMatMul", "Conv2D", "Conv3D", "DepthwiseConv2dNative", "EqualCount", "MatMul"])


def check_operands(name: str, operands: Sequence[Any]) -> None:
    """Raise TypeError for Tensors of dtypes that a class does not take."""
    if name in _OF_FLOATS:
        _kinds(name, operands[:1], "fc", "floats")
    elif name in _NOT_OF_TRUTHS:
        _kinds(name, operands[:1], "iufc", "numbers")
    elif name == "Select":
        _kinds(name, operands[:1], "b", "bools")
    if name in _OF_ONE_DTYPE:
        _one_dtype(name, operands[:2])


def _dtypes(operands: Sequence[Any]) -> list[DType]:
    return [dtype_of_value(v) for v in operands if is_array(v)]


def _kinds(name: str, operands: Sequence[Any], kinds: str, wanted: str) -> None:
    for dtype in _dtypes(operands):
        if dtype.kind not in kinds:
            raise TypeError(f"For '{name}', the operand must be a Tensor of {wanted}, but is one of {dtype!r}.")


def _one_dtype(name: str, operands: Sequence[Any]) -> None:
    found = _dtypes(operands)
    for dtype in found[1:]:
        if dtype is not found[0]:
            raise TypeError(f"For '{name}', the operands must have one dtype, but have {found[0]!r} and {dtype!r}.")


def named(error: TypeError | ValueError, name: str) -> TypeError | ValueError:
    """An error of a class's function that names the class."""
    if type(error) not in (TypeError, ValueError, AxisError) or name in str(error):
        return error
    kind = TypeError if type(error) is TypeError else ValueError
    return kind(f"For '{name}', {error}")
