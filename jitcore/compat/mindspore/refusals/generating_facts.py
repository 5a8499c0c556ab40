"""What MindSpore's functions that draw, fill, transform and take norms check, in order."""

from __future__ import annotations

from typing import Final

from jitcore.compat.mindspore.refusals.function_checks import (
    Check,
    Checks,
    Given,
    has,
    in_range,
    is_of,
    kinds,
    positive,
    shown,
    told,
    values,
)
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name, type_text
from jitcore.compat.mindspore.refusals.shapes import known
from jitcore.types import DType

_ORDERS: Final = (2, -2, 1, -1, 2.0, -2.0, 1.0, -1.0, float("inf"), float("-inf"), "fro", "nuc")


# --- random numbers -----------------------------------------------------------------------------------


def _of_floats(name: str) -> Check:
    def find(given: Given) -> Exception | None:
        dtype = given["dtype"].value
        if not isinstance(dtype, DType) or dtype.kind == "f":
            return None
        return ValueError(f"'For '{name}', the 'dtype' must be a float type, but got {dtype_name(dtype)}.'")

    return told(find)


def _size(given: Given) -> Exception | None:
    """What a shape is that is one argument."""
    size = given["*"].items
    if len(size) != 1 or is_of(size[0], ["int", "bool", "tuple", "list", "tensor"]):
        return None
    return TypeError(
        "If the length of the argument 'shape' is 1, the type of the argument 'shape' must be one of "
        f"['int', 'list', 'tuple'], but got {shown(size[0])}."
    )


def _drawn(name: str, *first: Check) -> Checks:
    seed = f"For '{name}', the 'seed' must be int and must >= 0, but got '{{value}}' with type 'int'."
    return (*first, _of_floats(name), positive("seed", seed, zero=True))


def _like(name: str) -> Checks:
    return _drawn(name, kinds("input", "tensor", f"'For '{name}', the 'input' must be a Tensor, but got {{cls}}'"))


# --- others -------------------------------------------------------------------------------------------


def _filling(given: Given) -> Exception | None:
    value = given["value"]
    if not is_of(value, ["int", "float", "bool", "tensor"]):
        return TypeError(
            "'For 'ops.fills', the type of argument 'value' should be int, float or Tensor, but got "
            f"<class '{class_name(value)}'>'"
        )
    if value.kind == "tensor" and value.shape:
        return ValueError(
            "'For 'ops.fills', if the argument 'value' is a tensor, the number of its dimension should be 0, but got "
            f"{len(value.shape)}'"
        )
    x = given["x"]
    if x.kind not in ("int", "float", "bool", "str"):
        return None
    return TypeError(f"For Primitive[Fills], the type of input argument[x] must be Tensor but got {type_text(x)}.")


def _in_order(given: Given) -> Exception | None:
    lower, upper = given["lower"].value, given["upper"].value
    if not isinstance(lower, int | float) or not isinstance(upper, int | float) or lower <= upper:
        return None
    return ValueError(
        "'For 'rrelu', the value of 'upper' must be greater than or equal to 'lower', but got "
        f"upper: {upper}, lower: {lower}. '"
    )


def _bound(argument: str) -> Check:
    return kinds(
        argument, "float, int, bool", f"'For 'rrelu', '{argument}' must be an int or a float, but got {{cls}}'"
    )


def _unshuffled(given: Given) -> Exception | None:
    shape, factor = known(given["input"]), given["downscale_factor"].value
    if shape is None or len(shape) < 3 or not isinstance(factor, int) or factor < 1:
        return None
    if not any(n % factor for n in shape[-2:]):
        return None
    return ValueError(
        "For 'pixel_unshuffle', the length of second to last 2 dimension should be divisible by downscale_factor."
    )


def _norm_axes(given: Given) -> Exception | None:
    axes = [a.value for a in given["axis"].items]
    twice = next((a for a in axes if axes.count(a) > 1), None)
    if twice is None:
        return None
    return RuntimeError(f"dim={twice} appears multiple times in the list of dims")


# --- Fourier transforms -------------------------------------------------------------------------------


def _transformed(name: str) -> Checks:
    """What is said of an operator's operands, and then of its scale, its axis and its length."""
    scale = f"Failed to convert the value \"{{value}}\" of input 'norm' of '{name}' to enum."
    return (
        f"{name}()(input,n,dim,norm)",
        values("norm", (None, "backward", "forward", "ortho"), scale),
        in_range("dim", "input", f"For primitive[{name}], the dim must be in [-{{rank}},{{last}}), but got {{value}}."),
        positive("n", "The argument[n] must be greater than 0, but got {value}."),
    )


CHECKS: Final[dict[str, Checks]] = {
    "rand": _drawn("rand", told(_size)),
    "randn": _drawn("randn", told(_size)),
    "rand_like": _like("rand_like"),
    "randn_like": _like("randn_like"),
    "fills": (told(_filling),),
    "rrelu": (
        _bound("upper"),
        _bound("lower"),
        told(_in_order),
        kinds("input", "tensor", "'For 'rrelu', the 'input' must be a Tensor but got {cls}.'"),
    ),
    "pixel_unshuffle": (told(_unshuffled),),
    "matrix_norm": (
        has("A", "ndim"),
        told(_norm_axes),
        values(
            "ord",
            _ORDERS,
            "For matrix_norm, the ord mode must be in [2, -2, 1, -1, float('inf'), float('-inf'), 'fro', 'nuc'] "
            "but got {value}.",
        ),
    ),
    **{name: _transformed(name.upper()) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
}
