"""Two-dimensional convolution (NCHW by OIHW, unflipped as in every framework) and its two adjoints.

out[n, o, y, x] = sum over c, i, j of x[n, c, y*stride + i*dilation - padding, …] * w[o, c, i, j]. The three are the
derivatives of one trilinear form, so each one's derivatives are the other two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.kernel.build import Template, Value
from jitcore.primitives.core import batching
from jitcore.primitives.core.contracting import Access, contract, index
from jitcore.primitives.core.registry import KernelTemplate, Multilinear, Sample, declare
from jitcore.primitives.core.rules import array, common_dtype, differ, require_kind, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.structs import dataclass
from jitcore.types import Dim, Shape, TensorType, Type, dtype_of, evaluate_dim, f16, f32, i64

Pair: TypeAlias = "tuple[int, int]"
Padding: TypeAlias = "tuple[tuple[Dim, Dim], tuple[Dim, Dim]]"


def window_extent(extent: Dim, window: Dim, stride: int, padding: tuple[Dim, Dim], dilation: int) -> Dim:
    """How many windows fit along an axis."""
    low, high = padding
    room = extent + low + high - (window - 1) * dilation - 1
    if isinstance(room, int) and room < 0:
        raise ValueError(
            f"a window of {(window - 1) * dilation + 1} is larger than the padded extent {extent + low + high}"
        )
    return room // stride + 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """The extents of one convolution and how they meet."""

    batch: Dim
    groups: int
    inputs: Dim  # channels of x within a group
    outputs: Dim  # channels of the result within a group
    source: tuple[Dim, Dim]  # spatial extents of x
    window: tuple[Dim, Dim]
    result: tuple[Dim, Dim]
    stride: Pair
    padding: Padding
    dilation: Pair


def _geometry(
    x: Shape, w: Shape, *, stride: Pair, padding: Padding, dilation: Pair, groups: int, what: str = "conv2d"
) -> Geometry:
    if len(x) != 4 or len(w) != 4:
        raise ValueError(
            f"{what} takes an image of 4 dimensions (NCHW) and a weight of 4 (OIHW), not {len(x)} and {len(w)}"
        )
    if min(*stride, *dilation, groups) < 1:
        raise ValueError(f"{what}: stride, dilation and groups must be at least 1")
    if differ(x[1], w[1] * groups):
        raise ValueError(f"{what}: an image of {x[1]} channels for a weight of {w[1]} in {groups} groups")
    if isinstance(w[0], int) and w[0] % groups:
        raise ValueError(f"{what}: {w[0]} output channels do not divide into {groups} groups")
    result = tuple(window_extent(x[k + 2], w[k + 2], stride[k], padding[k], dilation[k]) for k in (0, 1))
    return Geometry(
        x[0],
        groups,
        w[1],
        w[0] // groups,
        (x[2], x[3]),
        (w[2], w[3]),
        (result[0], result[1]),
        stride,
        padding,
        dilation,
    )


def _types(*types: Type, what: str) -> tuple[TensorType, ...]:
    operands = tuple(array(t) for t in types)
    require_kind(common_dtype(operands, what), "iuf", what)
    return operands


# --- rules ------------------------------------------------------------------------------------------


def _conv_rule(x: Type, w: Type, *, stride: Pair, padding: Padding, dilation: Pair, groups: int) -> Type:
    a, b = _types(x, w, what="conv2d")
    g = _geometry(a.shape, b.shape, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return TensorType(a.dtype, (a.shape[0], b.shape[0], *g.result))


_GRADIENT: Final = "the gradient of conv2d"
"""What errors call both of them, which users call by other names."""


def _input_rule(ct: Type, w: Type, *, input_shape: Shape, **how: Any) -> Type:
    a, b = _types(ct, w, what=_GRADIENT)
    _check_result(a.shape, input_shape, b.shape, _GRADIENT, **how)
    return TensorType(a.dtype, input_shape)


def _weight_rule(x: Type, ct: Type, *, weight_shape: Shape, **how: Any) -> Type:
    a, b = _types(x, ct, what=_GRADIENT)
    _check_result(b.shape, a.shape, weight_shape, _GRADIENT, **how)
    return TensorType(a.dtype, weight_shape)


def _check_result(ct: Shape, x: Shape, w: Shape, what: str, **how: Any) -> None:
    g = _geometry(x, w, what=what, **how)
    want = (x[0], w[0], *g.result)
    if len(ct) != 4 or any(differ(a, b) for a, b in zip(ct, want, strict=True)):
        raise ValueError(f"{what}: a cotangent of shape {ct} for a result of shape {want}")


# --- references -------------------------------------------------------------------------------------


def _padded(x: Any, padding: Any) -> Any:
    return np.pad(x, ((0, 0), (0, 0), *padding))


def _taps(g: Geometry, i: int, j: int) -> tuple[Any, ...]:
    """Where the windows' element (i, j) lies in a padded image."""
    starts = (i * g.dilation[0], j * g.dilation[1])
    ends = [s + (n - 1) * step + 1 for s, n, step in zip(starts, _static(g.result), g.stride, strict=True)]
    rows, columns = (slice(s, e, step) for s, e, step in zip(starts, ends, g.stride, strict=True))
    return (..., rows, columns)


def _static(extents: Sequence[Dim]) -> list[int]:
    """Extents that are known, as they are where a reference runs."""
    return [evaluate_dim(d, {}) for d in extents]


def _grouped(x: Any, groups: int, axis: int) -> Any:
    return x.reshape(*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])


def _conv_reference(x: Any, w: Any, **how: Any) -> Any:
    g = _geometry(x.shape, w.shape, **how)
    image, weight = _padded(x, g.padding), _grouped(w, g.groups, 0)
    total = np.zeros((x.shape[0], *_static((g.groups, g.outputs, *g.result))), x.dtype)
    for i, j in np.ndindex(*w.shape[2:]):
        part = _grouped(image[_taps(g, i, j)], g.groups, 1)
        total += np.einsum("ngcyx,goc->ngoyx", part, weight[..., i, j])
    return total.reshape(x.shape[0], w.shape[0], *_static(g.result))


def _input_reference(ct: Any, w: Any, *, input_shape: Any, **how: Any) -> Any:
    g = _geometry(input_shape, w.shape, **how)
    image = _padded(np.zeros(input_shape, ct.dtype), g.padding)
    grad, weight = _grouped(ct, g.groups, 1), _grouped(w, g.groups, 0)
    for i, j in np.ndindex(*w.shape[2:]):
        part = np.einsum("ngoyx,goc->ngcyx", grad, weight[..., i, j])
        image[_taps(g, i, j)] += part.reshape(*input_shape[:2], *g.result)
    (top, _), (left, _) = g.padding
    return image[:, :, top : top + input_shape[2], left : left + input_shape[3]]


def _weight_reference(x: Any, ct: Any, *, weight_shape: Any, **how: Any) -> Any:
    g = _geometry(x.shape, weight_shape, **how)
    image, grad = _padded(x, g.padding), _grouped(ct, g.groups, 1)
    out = np.zeros((*_static((g.groups, g.outputs)), *weight_shape[1:]), x.dtype)
    for i, j in np.ndindex(*weight_shape[2:]):
        part = _grouped(image[_taps(g, i, j)], g.groups, 1)
        out[..., i, j] = np.einsum("ngcyx,ngoyx->goc", part, grad)
    return out.reshape(weight_shape)


# --- kernels ----------------------------------------------------------------------------------------


def _image(buffer: str, g: Geometry) -> Access:
    """x at the place that an element of a window reads."""
    spatial = [
        index((out, g.stride[k]), (tap, g.dilation[k]), offset=g.padding[k][0] * -1)
        for k, (out, tap) in enumerate((("y", "i"), ("x", "j")))
    ]
    bounded = tuple(k + 2 for k in (0, 1) if not _always_inside(g, k))
    return Access(buffer, (index("n"), index(("g", g.inputs), "c"), *spatial), bounded)


def _always_inside(g: Geometry, k: int) -> bool:
    low, high = g.padding[k]
    return low == 0 and isinstance(high, int) and high <= 0


def _weight(buffer: str, g: Geometry) -> Access:
    return Access(buffer, (index(("g", g.outputs), "o"), index("c"), index("i"), index("j")))


def _result(buffer: str, g: Geometry) -> Access:
    return Access(buffer, (index("n"), index(("g", g.outputs), "o"), index("y"), index("x")))


def _axes(g: Geometry, roles: Mapping[str, str]) -> list[tuple[str, str, Dim]]:
    extents: dict[str, Dim] = {
        "n": g.batch, "g": g.groups, "o": g.outputs, "c": g.inputs, "y": g.result[0], "x": g.result[1],
        "i": g.window[0], "j": g.window[1],
    }  # fmt: skip
    return [(name, role, extents[name]) for name, role in roles.items()]


def _conv_kernel(t: Template, x: str, w: str, **how: Any) -> None:
    g = _geometry(t.layouts[x].shape, t.layouts[w].shape, **how)
    if _is_depthwise(g):
        _sum_of_taps(t, _bordered(t, x, g), w, t.outs[0], g.stride, g.dilation)
        return
    roles = {"n": "batch", "g": "batch", "o": "m", "y": "n", "x": "n", "c": "k", "i": "k", "j": "k"}
    contract(t, _axes(g, roles), _weight(w, g), _image(x, g), _result(t.outs[0], g))


def _weight_kernel(t: Template, x: str, ct: str, *, weight_shape: Shape, **how: Any) -> None:
    g = _geometry(t.layouts[x].shape, weight_shape, **how)
    if _is_depthwise(g):
        _sums_over_images(t, _bordered(t, x, g), ct, g)
        return
    roles = {"g": "batch", "o": "m", "c": "n", "i": "n", "j": "n", "n": "k", "y": "k", "x": "k"}
    contract(t, _axes(g, roles), _result(ct, g), _image(x, g), _weight(t.outs[0], g))


@dataclass(frozen=True, slots=True)
class _Phase:
    """The rows (or columns) of x of one residue modulo the stride: `count` of them, at start + stride * q.

    Windows' elements tap_start, tap_start + tap_step, … (`taps` of them, none if 0) read them, the p-th one in the
    window numbered q + shift - p * back.
    """

    start: int
    count: Dim
    tap_start: int
    tap_step: int
    taps: Dim
    shift: int | Dim
    back: int


def _phases(g: Geometry, k: int) -> list[_Phase]:
    """x's row h is read by window y's element i where h + low = y * stride + i * dilation."""
    stride, dilation, low = g.stride[k], g.dilation[k], g.padding[k][0]
    if not isinstance(low, int):
        raise ValueError(
            "the gradient of conv2d: padding must be known when the program is compiled, for a stride above 1"
        )
    step = stride // math.gcd(stride, dilation)
    phases: list[_Phase] = []
    for start in range(stride):
        count = (g.source[k] - start + stride - 1) // stride
        if isinstance(count, int) and count <= 0:
            continue
        first = next((i for i in range(step) if (start + low - i * dilation) % stride == 0), None)
        if first is None:
            phases.append(_Phase(start, count, 0, 1, 0, 0, 0))
            continue
        taps = (g.window[k] - first + step - 1) // step
        shift = (start + low - first * dilation) // stride
        phases.append(_Phase(start, count, first, step, taps, shift, step * dilation // stride))
    return phases


def _input_kernel(t: Template, ct: str, w: str, *, input_shape: Shape, **how: Any) -> None:
    """A contraction for every residue of the rows and columns modulo the stride: none multiplies the zeros between."""
    g = _geometry(input_shape, t.layouts[w].shape, **how)
    out = t.outs[0]
    if _is_depthwise(g) and math.prod(g.stride) <= _MOST_ZEROS:
        _sum_of_taps(t, _spread_out(t, ct, g), w, out, (1, 1), g.dilation, turned=True)
        return
    for rows in _phases(g, 0):
        for columns in _phases(g, 1):
            _input_phase(t, ct, w, out, g, rows, columns)


def _input_phase(t: Template, ct: str, w: str, out: str, g: Geometry, rows: _Phase, columns: _Phase) -> None:
    spatial = [index(("y", g.stride[0]), offset=rows.start), index(("x", g.stride[1]), offset=columns.start)]
    target = Access(out, (index("n"), index(("g", g.inputs), "c"), *spatial))
    extents: list[tuple[str, str, Dim]] = [
        ("n", "batch", g.batch), ("g", "batch", g.groups), ("c", "m", g.inputs), ("y", "n", rows.count),
        ("x", "n", columns.count), ("o", "k", g.outputs), ("i", "k", rows.taps), ("j", "k", columns.taps),
    ]  # fmt: skip
    if any(isinstance(p.taps, int) and p.taps <= 0 for p in (rows, columns)):
        k = t.kernel(out)
        axes = {name: k.axis(extent) for name, role, extent in extents if role != "k"}
        k.store(out, target.place(axes), k.const(t.layouts[out].dtype, 0))
        return
    taps = [
        index(("i", rows.tap_step), offset=rows.tap_start),
        index(("j", columns.tap_step), offset=columns.tap_start),
    ]
    weight = Access(w, (index(("g", g.outputs), "o"), index("c"), *taps))
    windows = [
        index("y", ("i", -rows.back), offset=rows.shift),
        index("x", ("j", -columns.back), offset=columns.shift),
    ]
    result = Access(ct, (index("n"), index(("g", g.outputs), "o"), *windows), (2, 3))
    contract(t, extents, weight, result, target)


# --- depthwise: each channel by itself ----------------------------------------------------------------
#
# A window of one channel is no matrix product worth packing for: each element of the result is a sum of a few taps,
# written out, of an image with its border in memory, so that neighbours are computed side by side.

_MOST_TAPS: Final = 49
_MOST_ZEROS: Final = 4
"""For each element of a cotangent between which there are zeros, that are multiplied, too."""


def _is_depthwise(g: Geometry) -> bool:
    """Whether each channel is convolved by itself, with few taps, and borders that are borders for the gradient,
    too."""
    if g.inputs != 1 or g.outputs != 1 or g.groups == 1:
        return False
    for window, dilation, ends in zip(g.window, g.dilation, g.padding, strict=True):
        if not isinstance(window, int) or window < 1:
            return False
        if not all(isinstance(n, int) and 0 <= n <= (window - 1) * dilation for n in ends):
            return False
    return math.prod(_static(g.window)) <= _MOST_TAPS


def _bordered(t: Template, x: str, g: Geometry) -> str:
    """x with zeros around it; x itself, if there are to be none."""
    if all(ends == (0, 0) for ends in g.padding):
        return x
    layout = t.layouts[x]
    sizes = tuple(n + low + high for n, (low, high) in zip(layout.shape[2:], g.padding, strict=True))
    return _placed(t, x, sizes, _static([low for low, _ in g.padding]), (1, 1))


def _spread_out(t: Template, ct: str, g: Geometry) -> str:
    """The cotangent with the zeros between and around its elements that windows turned about read."""
    reach = [(n - 1) * d for n, d in zip(_static(g.window), g.dilation, strict=True)]
    sizes = tuple(n + r for n, r in zip(g.source, reach, strict=True))
    starts = tuple(r - low for r, low in zip(reach, _static([low for low, _ in g.padding]), strict=True))
    return _placed(t, ct, sizes, starts, g.stride)


def _placed(t: Template, x: str, sizes: Sequence[Dim], starts: Sequence[int], steps: Sequence[int]) -> str:
    """An array of zeros with the elements of images at places that begin somewhere, some steps apart."""
    layout = t.layouts[x]
    made = t.temporary(layout.dtype, (*layout.shape[:2], *sizes))
    k = t.kernel(made)
    k.store(made, k.axes(t.layouts[made].shape), k.const(layout.dtype, 0))
    k = t.kernel(x, made)
    n, c, *point = k.axes(layout.shape)
    spatial = [i * step + start for i, start, step in zip(point, starts, steps, strict=True)]
    k.store(made, (n, c, *spatial), k.load(x, (n, c, *point)))
    return made


def _sum_of_taps(
    t: Template, image: str, w: str, out: str, stride: Pair, dilation: Pair, *, turned: bool = False
) -> None:
    """Each element of the result as the sum over the window, which may be turned about."""
    dtype = t.layouts[out].dtype
    wide = f32 if dtype is f16 else dtype
    rows, columns = _static(t.layouts[w].shape[2:])
    k = t.kernel(image, w, out)
    n, c, y, x = k.axes(t.layouts[out].shape)
    total: Value | None = None
    for i, j in np.ndindex(rows, columns):
        tap = (rows - 1 - i, columns - 1 - j) if turned else (i, j)
        place = (n, c, y * stride[0] + i * dilation[0], x * stride[1] + j * dilation[1])
        part = k("mul", wide, k.cast(wide, k.load(image, place)), k.cast(wide, k.load(w, (c, 0, *tap))))
        total = part if total is None else k("add", wide, total, part)
    assert total is not None
    k.store(out, (n, c, y, x), k.cast(dtype, total))


def _sums_over_images(t: Template, image: str, ct: str, g: Geometry) -> None:
    """Each element of a weight's gradient as the sum over all windows."""
    out = t.outs[0]
    dtype = t.layouts[out].dtype
    wide = f32 if dtype is f16 else dtype
    k = t.kernel(image, ct, out)
    c = k.axis(t.layouts[out].shape[0])
    n, y, x = k.axes((g.batch, *g.result), reduce=True)
    grad = k.cast(wide, k.load(ct, (n, c, y, x)))
    taps = list(np.ndindex(*_static(g.window)))
    products: list[Value] = []
    for i, j in taps:
        place = (n, c, y * g.stride[0] + i * g.dilation[0], x * g.stride[1] + j * g.dilation[1])
        products.append(k("mul", wide, k.cast(wide, k.load(image, place)), grad))
    sums = [k.reduce("sum", product) for product in products]
    for (i, j), total in zip(taps, sums, strict=True):
        k.store(out, (c, 0, i, j), k.cast(dtype, total))


# --- declarations -----------------------------------------------------------------------------------


def _samples_as(kind: str) -> Iterable[Sample]:
    none, one = ((0, 0), (0, 0)), ((1, 1), (1, 1))
    rows: list[tuple[tuple[int, ...], tuple[int, ...], Pair, Padding, Pair, int]] = [
        ((2, 2, 5, 4), (3, 2, 3, 2), (1, 1), none, (1, 1), 1),
        ((1, 2, 5, 6), (3, 2, 3, 3), (2, 2), one, (1, 1), 1),
        ((1, 2, 6, 5), (4, 1, 2, 3), (2, 1), ((2, 0), (1, 3)), (1, 2), 2),
        ((1, 1, 8, 7), (1, 1, 2, 2), (3, 2), ((0, 1), (1, 0)), (2, 2), 1),
        ((1, 2, 4, 4), (2, 1, 1, 1), (2, 3), none, (1, 1), 2),
        ((2, 3, 7, 6), (3, 1, 3, 3), (1, 1), one, (1, 1), 3),
        ((2, 3, 7, 6), (3, 1, 3, 2), (2, 1), ((1, 0), (0, 1)), (1, 2), 3),
        ((1, 2, 6, 6), (2, 1, 2, 2), (1, 1), ((2, 2), (2, 2)), (1, 1), 2),
    ]
    for x, w, stride, padding, dilation, groups in rows:
        how = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        yield _sample(kind, spread(x), spread(w), how)
    small = {"stride": (1, 1), "padding": one, "dilation": (1, 1), "groups": 1}
    yield _sample(kind, spread((1, 2, 4, 4), dtype=f32), spread((3, 2, 3, 3), dtype=f32), small)
    yield _sample(kind, mixed((1, 2, 4, 4), 1, i64), mixed((3, 2, 3, 3), 2, i64), small)


def _sample(kind: str, x: Any, w: Any, how: Mapping[str, Any]) -> Sample:
    if kind == "conv2d":
        return Sample((x, w), how)
    ct = mixed(_conv_reference(x, w, **how).shape, 3, dtype_of(x.dtype))
    if kind == "input":
        return Sample((ct, w), {**how, "input_shape": x.shape})
    return Sample((x, ct), {**how, "weight_shape": w.shape})


conv2d = declare(
    "conv2d",
    "x w",
    rule=_conv_rule,
    reference=_conv_reference,
    lowering=KernelTemplate(_conv_kernel, contracts=True),
    derivative=Multilinear(
        {
            0: lambda ct, x, w, **how: conv2d_input_grad(ct, w, input_shape=tensor_type(x).shape, **how),
            1: lambda ct, x, w, **how: conv2d_weight_grad(x, ct, weight_shape=tensor_type(w).shape, **how),
        }
    ),
    batch=batching.images,
    samples=lambda: _samples_as("conv2d"),
    doc="The convolution of images NCHW with weights OIHW.",
)
conv2d_input_grad = declare(
    "conv2d_input_grad",
    "ct w",
    rule=_input_rule,
    reference=_input_reference,
    lowering=KernelTemplate(_input_kernel, contracts=True),
    derivative=Multilinear(
        {
            0: lambda t, ct, w, *, input_shape, **how: conv2d(t, w, **how),
            1: lambda t, ct, w, *, input_shape, **how: conv2d_weight_grad(
                t, ct, weight_shape=tensor_type(w).shape, **how
            ),
        }
    ),
    samples=lambda: _samples_as("input"),
    doc="The cotangent of conv2d's image (of `input_shape`), from that of its result.",
)
conv2d_weight_grad = declare(
    "conv2d_weight_grad",
    "x ct",
    rule=_weight_rule,
    reference=_weight_reference,
    lowering=KernelTemplate(_weight_kernel, contracts=True),
    derivative=Multilinear(
        {
            0: lambda t, x, ct, *, weight_shape, **how: conv2d_input_grad(
                ct, t, input_shape=tensor_type(x).shape, **how
            ),
            1: lambda t, x, ct, *, weight_shape, **how: conv2d(x, t, **how),
        }
    ),
    samples=lambda: _samples_as("weight"),
    doc="The cotangent of conv2d's weight (of `weight_shape`), from that of its result.",
)
