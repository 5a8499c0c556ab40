"""Tensors as PyTorch prints them: four digits, or scientific where magnitudes differ much."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore.library.core.defaults import default_float
from jitcore.runtime import autograd
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, c64, c128, f64, i64

_WIDEST_RATIO: Final = 1000.0
_LARGEST: Final = 1e8
_SMALLEST: Final = 1e-4


@dataclass(slots=True)
class Options:
    """What `torch.set_printoptions` sets."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


options: Final = Options()
_PROFILES: Final = {
    "default": Options(),
    "short": Options(precision=2, edgeitems=2),
    "full": Options(threshold=math.inf),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """How Tensors are printed from now on; see PyTorch's documentation."""
    base = _PROFILES[profile] if profile is not None else options
    options.precision = base.precision if precision is None else precision
    options.threshold = base.threshold if threshold is None else threshold
    options.edgeitems = base.edgeitems if edgeitems is None else edgeitems
    options.linewidth = base.linewidth if linewidth is None else linewidth
    options.sci_mode = sci_mode


class _Format:
    """How the numbers of one Tensor are written, all in the same width."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self._kind = values.dtype.kind
        self._digits = options.precision
        self._scientific = False
        self._whole = False
        flat = values.reshape(-1)
        if self._kind == "f":
            self._look_at(flat.astype(np.float64))
        self.width = max((len(self._plain(v)) for v in flat.tolist()), default=0)

    def _look_at(self, values: np.ndarray[Any, Any]) -> None:
        sizes = np.abs(values[np.isfinite(values) & (values != 0)])
        if not sizes.size:
            self._whole = bool(np.all(np.ceil(values[np.isfinite(values)]) == values[np.isfinite(values)]))
            self._scientific = bool(options.sci_mode)
            return
        largest, smallest = float(sizes.max()), float(sizes.min())
        self._whole = bool(np.all(sizes == np.ceil(sizes)))
        self._scientific = (
            largest / smallest > _WIDEST_RATIO or largest > _LARGEST or (not self._whole and smallest < _SMALLEST)
        )
        if options.sci_mode is not None:
            self._scientific = options.sci_mode

    def _plain(self, value: float) -> str:
        if self._kind != "f":
            return str(value)
        if self._scientific:
            return f"{value:.{self._digits}e}"
        if self._whole:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{self._digits}f}"

    def __call__(self, value: float) -> str:
        return self._plain(value).rjust(self.width)


class _ComplexFormat:
    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self._real, self._imaginary = _Format(values.real), _Format(values.imag)
        self.width = self._real.width + self._imaginary.width + 1

    def __call__(self, value: complex) -> str:
        sign = "" if value.imag < 0 or (value.imag == 0 and math.copysign(1, value.imag) < 0) else "+"
        return f"{self._real(value.real)}{sign}{self._imaginary(value.imag).lstrip()}j"


def text_of(tensor: Tensor, prefix: str = "tensor(") -> str:
    """`repr(tensor)`."""
    dtype = tensor._dtype
    is_default = _is_default(dtype) if tensor._array.size else dtype is default_float()
    suffixes = [] if is_default else [f"dtype={tensor.dtype!r}"]
    edge = autograd.edge_of(tensor)
    if isinstance(edge, tuple):
        suffixes.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif edge is not None:
        suffixes.append("requires_grad=True")
    return with_suffixes(tensor, suffixes, prefix)


def with_suffixes(tensor: Tensor, suffixes: Sequence[str], prefix: str = "tensor(") -> str:
    """The text of a Tensor's elements, or of its extents where there are none, and what is said of it besides."""
    array, indent = tensor._array, len(prefix)
    if not array.size:
        extents = [f"size={tuple(array.shape)}"] if array.ndim != 1 else []
        return _joined(prefix + "[]", [*extents, *suffixes], indent)
    shown = _summary(array) if array.size > options.threshold else array
    form = _ComplexFormat(shown) if shown.dtype.kind == "c" else _Format(shown)
    return _joined(prefix + _nested(array, form, indent, array.size > options.threshold), suffixes, indent)


def _is_default(dtype: DType) -> bool:
    default = default_float()
    return dtype in (default, i64, bool_) or dtype is (c128 if default is f64 else c64)


def _summary(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements that are shown of a large array."""
    for axis, n in enumerate(array.shape):
        if n > 2 * options.edgeitems:
            kept = [*range(options.edgeitems), *range(n - options.edgeitems, n)]
            array = np.take(array, kept, axis)
    return array


def _nested(array: np.ndarray[Any, Any], form: _Format | _ComplexFormat, indent: int, summarised: bool) -> str:
    if array.ndim == 0:
        return form(array.item())
    cut = summarised and array.shape[0] > 2 * options.edgeitems
    edge = options.edgeitems
    if array.ndim == 1:
        items = array.tolist()
        texts = [*map(form, items[:edge]), " ...", *map(form, items[-edge:])] if cut else list(map(form, items))
        a_line = max(1, (options.linewidth - indent) // (form.width + 2))
        lines = [", ".join(texts[k : k + a_line]) for k in range(0, len(texts), a_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    rows: Sequence[Any] = [*array[:edge], None, *array[-edge:]] if cut else list(array)
    texts = ["..." if row is None else _nested(row, form, indent + 1, summarised) for row in rows]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(texts) + "]"


def _joined(text: str, suffixes: Sequence[str], indent: int) -> str:
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > options.linewidth:
            text += f",\n{' ' * indent}{suffix}"
            length = indent + len(suffix)
        else:
            text += f", {suffix}"
            length += len(suffix) + 2
    return text + ")"
