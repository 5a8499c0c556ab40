"""What MindSpore's functions that stack, multiply, turn and compare check, in order."""

from __future__ import annotations

from typing import Final

from jitcore.compat.mindspore.refusals.function_checks import (
    Check,
    Checks,
    Given,
    each,
    is_of,
    kinds,
    positive,
    ranked,
    shown,
    told,
    value_type,
    values,
)
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name
from jitcore.passes.infer.engine.operands import Operand

_FLOATS: Final = ("Float16", "BFloat16", "Float32", "Float64")


def _tensor(argument: str, text: str) -> Check:
    return kinds(argument, "tensor", text)


def _some(argument: str, text: str, error: type[Exception]) -> Check:
    """A tuple or list has items."""

    def find(given: Given) -> Exception | None:
        x = given[argument]
        return error(text) if x.kind in ("tuple", "list") and not x.items else None

    return told(find)


def _stacked(argument: str, sequence: str, element: str, *more: Check) -> Checks:
    """Of a tuple or list of Tensors."""
    return (kinds(argument, "tuple, list", sequence), *more, each(argument, "tensor", element))


def _of_floats(*arguments: str, text: str) -> Check:
    """Tensors are of floats; `{0}`, `{1}` are their dtypes."""

    def find(given: Given) -> Exception | None:
        found = [given[a] for a in arguments]
        if all(x.kind != "tensor" or dtype_name(x.dtype) in _FLOATS for x in found):
            return None
        return TypeError(text.format(*(dtype_name(x.dtype) if x.kind == "tensor" else x.kind for x in found)))

    return told(find)


def _either(x: str, y: str) -> Check:
    """One of two operands is a Tensor."""

    def find(given: Given) -> Exception | None:
        a, b = given[x], given[y]
        if is_of(a, ["tensor"]) or is_of(b, ["tensor"]):
            return None
        return TypeError(
            f"'At least one of the types of inputs must be tensor, but the type of '{x}' got is "
            f"<class '{class_name(a)}'>, and the type of '{y}' is <class '{class_name(b)}'>.'"
        )

    return told(find)


def _turned(given: Given) -> Exception | None:
    """What `rot90` says of its axes."""
    axes, x = given["dims"], given["input"]
    found = [a.value for a in axes.items if isinstance(a.value, int)]
    if len(axes.items) != 2:
        return ValueError(f"'For `rot90`, total rotation dims must be 2, but get {len(axes.items)}.'")
    if x.kind != "tensor" or len(found) != 2:
        return None
    rank = len(x.shape)
    if found[0] == found[1] or abs(found[0] - found[1]) == rank:
        return RuntimeError(
            f"'For `rot90`, rotation dims must be different, but get dim0={found[0]}, dim1={found[1]}.'"
        )
    for k, axis in enumerate(found):
        if not -rank <= axis < rank:
            return ValueError(f"'For `rot90`, rotation dim{k} is out of range, dim{k}={axis}.'")
    return None


def _all_tensors(text: str, *arguments: str) -> Check:
    def find(given: Given) -> Exception | None:
        return None if all(is_of(given[a], ["tensor"]) for a in arguments) else TypeError(text)

    return told(find)


def _alike(name: str, x: str, y: str) -> Check:
    def find(given: Given) -> Exception | None:
        a, b = given[x], given[y]
        same = a.kind != "tensor" or b.kind != "tensor" or a.dtype == b.dtype
        return None if same else TypeError(f"'For {name}, the {x} and {y} should be the same dtype.'")

    return told(find)


def _size(x: Operand) -> int | None:
    total = 1
    for n in x.shape:
        if n is None:
            return None
        total *= n
    return total


def _single(given: Given) -> Exception | None:
    size = _size(given["input"])
    return None if size in (None, 1) else ValueError(f"'For is_nonzero, the numel of input must be 1, but got {size}.'")


def _of_plain_floats(given: Given) -> Exception | None:
    x = given["x"]
    if x.kind != "tensor" or dtype_name(x.dtype) in ("Float16", "Float32", "Float64"):
        return None
    return TypeError(
        "The 'x' should be one of [mindspore.float16, mindspore.float32, mindspore.float64], but got "
        f"'mindspore.{dtype_name(x.dtype).lower()}'."
    )


_ANGLES: Final[Checks] = (_tensor("x", "'The input x must be tensor'"), told(_of_plain_floats))


def _factors(name: str) -> Checks:
    """Of those that add `beta` times a Tensor and `alpha` times a product."""
    return tuple(
        kinds(a, "int, float, bool", f"'For '{name}', parameter '{a}' must be an int or float, but got {{cls}}.'")
        for a in ("alpha", "beta")
    )


def _left_or_right(given: Given) -> Exception | None:
    if any(is_of(given[a], ["tensor"]) for a in ("input", "other")):
        return None
    return TypeError("'For 'bitwise_left_shift', at least one of the inputs should be a Tensor.'")


_SHIFTS: Final[Checks] = (
    told(_left_or_right),
    *(
        kinds(
            a,
            "int, bool, tensor, str, none, tuple, list",
            f"'For 'bitwise_left_shift', '{a}' must be an integer, but got {a}:{{cls}}.'",
        )
        for a in ("input", "other")
    ),
)
"""Of shifts to either side, as MindSpore has them."""


def _embedded(given: Given) -> Exception | None:
    """What `diag_embed` says of its axes."""
    x, one, two = given["input"], given["dim1"].value, given["dim2"].value
    if x.kind != "tensor" or not isinstance(one, int) or not isinstance(two, int):
        return None
    rank = len(x.shape) + 1
    for name, axis in (("dim1", one), ("dim2", two)):
        if not -rank <= axis < rank:
            return ValueError(
                f"'For 'diag_embed', '{name}' must be in range of [{-rank}, {rank - 1}], but got {axis}.'"
            )
    same = one % rank == two % rank
    return ValueError("'For 'diag_embed', 'dim1' must not be identical to 'dim2'.'") if same else None


def _written(x: Operand) -> str:
    """A number as MindSpore writes it into a message while compiling."""
    return f"{x.value:g}" if isinstance(x.value, float) else shown(x)


def _likelihood(given: Given) -> Exception | None:
    """What `gaussian_nll_loss` says of `eps` and `reduction`."""
    eps, how = given["eps"], given["reduction"].value
    if eps.kind != "float" or (isinstance(eps.value, float) and eps.value <= 0):
        return ValueError(f"'For 'gaussian_nll_loss', 'eps' must be a positive float, but got {_written(eps)}.'")
    if isinstance(how, str) and how not in ("none", "mean", "sum"):
        return ValueError(
            f"'For 'gaussian_nll_loss', 'reduction' must be one of 'none', 'mean', or 'sum',        but got {how}.'"
        )
    return None


def _along(given: Given) -> Exception | None:
    x, y, axis = given["x"], given["y"], given["axis"].value
    if x.kind != "tensor" or y.kind != "tensor" or not isinstance(axis, int):
        return None
    rank = max(len(x.shape), len(y.shape))
    return None if -rank <= axis < rank else ValueError("'For vecdot, the dim is out of range.'")


CHECKS: Final[dict[str, Checks]] = {
    "hstack": _stacked(
        "tensors",
        "'For hstack, the input must be list or tuple, but got {cls}.'",
        "'For hstack, the input element must be tensor, but got {cls}.'",
        _some("tensors", "'For hstack, the input must have at least 1 tensor, but got 0.'", ValueError),
    ),
    "vstack": _stacked(
        "inputs",
        "'For 'vstack', list or tuple of tensors are required, but got {cls}'",
        "'For 'vstack', Tensor is required, but got {cls}'",
        _some("inputs", "'For 'vstack', inputs can not be empty'", TypeError),
    ),
    "dstack": _stacked(
        "tensors",
        "'For 'dstack', 'tensors' must be list or tuple of tensors, but got {cls}'",
        "'For 'dstack', each elements of 'tensors' must be Tensor, but got {cls}'",
        _some("tensors", "'For 'dstack', 'tensors' can not be empty.'", TypeError),
    ),
    "column_stack": _stacked(
        "tensors",
        "'For column_stack, the input must be list or tuple of tensors, but got {cls}.'",
        "'For column_stack, the input element must be tensor, but got {cls}.'",
        _some("tensors", "'For column_stack, the input must have at least 1 tensor, but got 0.'", ValueError),
    ),
    "deg2rad": _ANGLES,
    "rad2deg": _ANGLES,
    "mv": (_tensor("mat", "'The input mat must be Tensor.'"), _tensor("vec", "'The input vec must be Tensor.'")),
    "outer": (
        _tensor("input", "'the input input must be Tensor!'"),
        _tensor("vec2", "'the input vec2 must be Tensor!'"),
    ),
    "kron": (_tensor("input", "'the input must be Tensor!'"), _tensor("other", "'the other must be Tensor!'")),
    "cov": (
        ranked(
            "input", (0, 1, 2), "'For cov, the input must have two or fewer dimensions, but got {rank} dimensions.'"
        ),
    ),
    "addmv": (
        _all_tensors("'For Addmv, inputs must be all tensors.'", "input", "mat", "vec"),
        _alike("Addmv", "mat", "vec"),
    ),
    "addr": (
        _all_tensors("'For Addr, inputs must be all tensors.'", "x", "vec1", "vec2"),
        _alike("Addr", "vec1", "vec2"),
    ),
    "copysign": (
        _tensor("x", "'Tensor is expected, but got {cls}'"),
        kinds("other", "int, float, bool, tensor", "'integer, float or Tensor is expected, but got {cls}'"),
    ),
    "dist": (
        _tensor("input", "'For 'dist', 'input' must be a tensor, but got {cls}'"),
        _tensor("other", "'For 'dist', 'other' must be a tensor, but got {cls}'"),
    ),
    "rot90": (
        _tensor("input", "'For `rot90`, the `input` must be Tensor!, but get {cls}.'"),
        kinds("k", "int, bool", "'For `rot90`, the `k` must be int!, but get {cls}.'"),
        kinds("dims", "list, tuple", "'For `rot90`, the `dims` must be list or tuple!, but get {cls}.'"),
        told(_turned),
    ),
    "trapz": (
        _tensor("y", "'For `trapz`, the input `y` must be Tensor, but get {cls}.'"),
        kinds("dx", "float", "'For `trapz`, the input `dx` must be float, but get f{cls}.'"),
        kinds("dim", "int, bool", "'For `trapz`, the input `dim` must be int, but get {cls}.'"),
    ),
    "vander": (
        _tensor("x", "'For vander, x must be Tensor, but got {cls}'"),
        ranked("x", (1,), "'For vander, x must be 1-D, but got dimension = {rank}'"),
        kinds("N", "int, bool, none", "'For vander, N must be an integer but got {cls}.'"),
        positive("N", "'For vander, N must be greater than 0, but got {value}.'"),
    ),
    "full_like": (_tensor("input", "'For ops.full_like, the argument 'x' must be tensor, but got {cls}'"),),
    "is_nonzero": (_tensor("input", "'For is_nonzero, the input must be a Tensor, but got {cls}.'"), told(_single)),
    "combinations": (
        _tensor("input", "'For 'combinations', 'x' must be a tensor, but got {cls}'"),
        ranked("input", (1,), "'For 'combinations', the dimension 'x' must be 1, but got {rank}'"),
        kinds("r", "int, bool", "'For 'combinations', 'r' must be an integer, but got {cls}'"),
    ),
    "logaddexp": (
        _tensor("input", "'For logaddexp, the input must be a Tensor, but got {cls}.'"),
        _tensor("other", "'For logaddexp, the other must be a Tensor, but got {cls}.'"),
        _of_floats(
            "input",
            "other",
            text="'For logaddexp, the dtype of 'input' and 'other' must be float,but got {0} and {1}.'",
        ),
    ),
    "float_power": (_either("input", "exponent"),),
    "fmod": (_either("input", "other"),),
    "threshold": (value_type("thr", "float, int", "threshold"), value_type("value", "float, int", "threshold")),
    "hardtanh": (value_type("min_val", "int, float", "hardtanh"), value_type("max_val", "int, float", "hardtanh")),
    "leaky_relu": (value_type("alpha", "float, int", "leaky_relu"),),
    "huber_loss": (
        value_type("delta", "int, float", "huber_loss"),
        positive("delta", "For 'huber_loss', the argument 'delta' must > 0.0, but got {value}."),
    ),
    "addmm": _factors("addmm"),
    "addbmm": _factors("addbmm"),
    "baddbmm": (_all_tensors("'For Baddbmm, inputs must be all tensors.'", "input", "batch1", "batch2"),),
    **{
        f"atleast_{n}d": (
            each(
                "inputs", "tensor", f"'For 'atleast_{n}d', each element of 'inputs' must be a tensor, but got {{cls}}'"
            ),
        )
        for n in (1, 3)
    },
    "atleast_2d": (each("inputs", "tensor", "'expect Tensor or list of tensors, but got {cls}'"),),
    "diag_embed": (
        _tensor("input", "'For 'diag_embed', 'input' must be Tensor.'"),
        *(value_type(a, "int", "diag_embed") for a in ("offset", "dim1", "dim2")),
        ranked("input", tuple(range(7)), "'For 'diag_embed', the dimension of 'input' must be 1-6D.'"),
        told(_embedded),
    ),
    "diagflat": (
        _tensor("input", "'For diagflat, the input x must be tensor, but got {cls}'"),
        kinds("offset", "int, bool", "'For diagflat, the offset must be int, but got {cls}'"),
    ),
    "gaussian_nll_loss": (
        *(
            _tensor(a, f"'For 'gaussian_nll_loss', '{a}' must be a tensor, but got {{cls}}.'")
            for a in ("x", "target", "var")
        ),
        kinds("full", "bool", "'For 'gaussian_nll_loss', 'full' must be a bool, but got {cls}.'"),
        told(_likelihood),
    ),
    "histc": tuple(
        kinds(a, "int, float, bool", f"'For 'histc', parameter '{a}' must be an int or float, but got {{cls}}.'")
        for a in ("min", "max")
    ),
    "is_complex": (_tensor("input", "'The input must be Tensor!'"),),
    "sgn": (_tensor("input", "'For sgn, the input must be a Tensor, but got {cls}'"),),
    "tanhshrink": (_tensor("input", "'For tanhshrink, the input must be a Tensor, but got {cls}.'"),),
    "vecdot": (
        _all_tensors("'For vecdot, x or y must be Tensor.'", "x", "y"),
        kinds("axis", "int, bool", "'For vecdot, the dim should be int, but got {cls}.'"),
        told(_along),
    ),
    "bitwise_left_shift": _SHIFTS,
    "bitwise_right_shift": _SHIFTS,
    "logcumsumexp": (kinds("axis", "int, bool", "'For 'logcumsumexp', 'axis' must be int type, but got {cls}'"),),
    "multinomial": (
        ranked("input", (1, 2), "'For 'multinomial', the dimension of inputs must be 1d or 2d, but got {rank}.'"),
    ),
    "nonzero": (kinds("as_tuple", "bool", "'For array function 'nonzero', 'as_tuple' must be bool, but got {cls}.'"),),
    "pinv": (
        _tensor("x", "'The input x must be tensor'"),
        ranked("x", tuple(range(1, 9)), "'For pinv, the 0-D input is not supported'", TypeError),
        ranked("x", tuple(range(2, 9)), "'input x should have 2 or more dimensions, but got {rank}.'"),
    ),
    "searchsorted": (
        *(value_type(a, "bool", "search_sorted") for a in ("out_int32", "right")),
        values(
            "side",
            (None, "left", "right"),
            "'For 'searchsorted', the argument 'side' should be one of in [None, 'left', 'right'], but got {value}.'",
        ),
    ),
}
