"""Two-dimensional pooling of images NCHW, and its adjoints.

`window`, `stride` are pairs, `padding` is ((top, bottom), (left, right)); padded places hold nothing: they are no
maximum, and count in an average only if `count_padding`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import Index, IndexLike, KernelBuilder, Template, Value, as_index
from jitcore.primitives.core import batching
from jitcore.primitives.core.registry import KernelTemplate, Linear, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, common_dtype, differ, require_kind, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops.conversions import integer_range
from jitcore.primitives.ops.convolution import Padding, Pair, window_extent
from jitcore.types import DType, Shape, TensorType, Type, bool_, f32, i64


def pooled_shape(extents: Shape, window: Pair, stride: Pair, padding: Padding, what: str) -> Shape:
    """The shape of a pooled image."""
    if len(extents) != 4:
        raise ValueError(f"{what} takes images of 4 dimensions (NCHW), not {len(extents)}")
    if min(*window, *stride) < 1:
        raise ValueError(f"{what}: window and stride must be at least 1")
    for size, sides in zip(window, padding, strict=True):
        if any(isinstance(p, int) and not 0 <= p < size for p in sides):
            raise ValueError(f"{what}: padding must be at least 0 and smaller than the window, not {padding}")
    spatial = (window_extent(extents[k + 2], window[k], stride[k], padding[k], 1) for k in (0, 1))
    return (*extents[:2], *spatial)


def _rule(what: str, kinds: str) -> Any:
    def rule(x: Type, *, window: Pair, stride: Pair, padding: Padding, **_: Any) -> Type:
        type_ = array(x)
        require_kind(type_.dtype, kinds, what)
        return TensorType(type_.dtype, pooled_shape(type_.shape, window, stride, padding, what))

    return rule


def _windows(x: Any, window: Any, stride: Any, padding: Any, fill: Any) -> Any:
    """The windows of padded images: [n, c, y, x, i, j]."""
    image = np.pad(x, ((0, 0), (0, 0), *padding), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(image, window, (2, 3))
    return view[:, :, :: stride[0], :: stride[1]]


def _place(point: Sequence[Index], tap: Sequence[IndexLike], stride: Pair, padding: Padding) -> list[Index]:
    """The place in x of a window's element."""
    n, c, *window = point
    spatial = [window[k] * stride[k] + as_index(tap[k]) + padding[k][0] * -1 for k in (0, 1)]
    return [n, c, *spatial]


def _inside(k: KernelBuilder, place: Sequence[Index], extents: Shape, padding: Padding) -> Value | None:
    return k.all_of(*(k.within(place[d], extents[d]) for d in (2, 3) if padding[d - 2] != (0, 0)))


# --- maxima -----------------------------------------------------------------------------------------


def _lowest(dtype: DType) -> int | float:
    return -np.inf if dtype.is_float else integer_range(dtype)[0]


def _max_reference(x: Any, *, window: Any, stride: Any, padding: Any) -> Any:
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return _windows(x, window, stride, padding, lowest).max((4, 5))


def _max_kernel(t: Template, x: str, *, window: Pair, stride: Pair, padding: Padding) -> None:
    layout = t.layouts[x]
    k = t.kernel(x, t.outs[0])
    point = k.axes(t.layouts[t.outs[0]].shape)
    place = _place(point, k.axes(window, reduce=True), stride, padding)
    element = k.load(x, place, _inside(k, place, layout.shape, padding), fill=_lowest(layout.dtype))
    k.store(t.outs[0], point, k.reduce("max", element))


def _max_vjp(cotangents: Sequence[Any], outs: Sequence[Any], x: Any, **how: Any) -> Sequence[Any]:
    return (max_pool2d_grad(x, cotangents[0], **how),)


def _max_jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any, **how: Any) -> Sequence[Any]:
    return (max_pool2d_pick(x, tangents[0], **how),)


def _how(window: Pair, stride: Pair, padding: Padding = ((0, 0), (0, 0))) -> dict[str, Any]:
    return {"window": window, "stride": stride, "padding": padding}


def _max_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 2, 4, 6)),), _how((2, 2), (2, 2)))
    yield Sample((spread((1, 2, 5, 5)),), _how((3, 2), (1, 2), ((1, 1), (0, 1))))
    yield Sample((spread((1, 1, 4, 4), dtype=f32),), _how((2, 2), (1, 1)))
    yield Sample((mixed((1, 1, 4, 4), 1, i64),), _how((2, 2), (2, 2)))
    ties = np.array([1.0, 1.0, np.nan, 2.0, 1.0, 1.0, 3.0, np.nan, -np.inf, -np.inf, 0.0, -0.0]).reshape(1, 1, 3, 4)
    yield Sample((ties,), _how((2, 2), (1, 1), ((1, 0), (1, 0))), differentiable=False)


max_pool2d = declare(
    "max_pool2d",
    "x",
    rule=_rule("max_pool2d", "iuf"),
    reference=_max_reference,
    lowering=KernelTemplate(_max_kernel),
    derivative=Vjp(_max_vjp, _max_jvp),
    batch=batching.images,
    samples=_max_samples,
    doc="The maximum of every window, NaN if there is one. Its gradient goes to the first element that attains it.",
)


def _first_maximum(x: Any, window: Any, stride: Any, padding: Any) -> tuple[Any, ...]:
    """The place in x of every window's first maximum, as NumPy index arrays."""
    lowest = np.finfo(x.dtype).min  # an element of minus infinity still comes before padding
    flat = _windows(np.where(x == -np.inf, lowest, x), window, stride, padding, -np.inf)
    best = flat.reshape(*flat.shape[:4], -1).argmax(-1)
    n, c, y, z = np.indices(best.shape)
    rows = y * stride[0] + best // window[1] - padding[0][0]
    return n, c, rows, z * stride[1] + best % window[1] - padding[1][0]


def _first_place(
    k: KernelBuilder, x: str, layout: Any, point: Sequence[Index], window: Pair, stride: Pair, padding: Padding
) -> list[Index]:
    """The place in x of a window's first maximum, found by a reduction over the window."""
    place = _place(point, k.axes(window, reduce=True), stride, padding)
    element = k.load(x, place, _inside(k, place, layout.shape, padding), fill=-np.inf)
    if padding != ((0, 0), (0, 0)):  # an element of minus infinity still comes before padding
        infinite = k.const(layout.dtype, -np.inf)
        lowest = k.const(layout.dtype, float(np.finfo(layout.dtype.numpy).min))
        inside = _inside(k, place, layout.shape, padding)
        assert inside is not None
        lowered = k("and", bool_, inside, k("eq", bool_, element, infinite))
        element = k("select", layout.dtype, lowered, lowest, element)
    best = k.reduce("argmax", element)
    columns = k.const(i64, window[1])
    tap = (k("floordiv", i64, best, columns), k("mod", i64, best, columns))
    return _place(point, tap, stride, padding)


def _grad_rule(x: Type, ct: Type, *, window: Pair, stride: Pair, padding: Padding) -> Type:
    type_ = _pool_operands(x, ct, "max_pool2d_grad")
    want = pooled_shape(type_.shape, window, stride, padding, "max_pool2d_grad")
    _check_shape(array(ct).shape, want, "max_pool2d_grad")
    return type_


def _pick_rule(x: Type, t: Type, *, window: Pair, stride: Pair, padding: Padding) -> Type:
    type_ = _pool_operands(x, t, "max_pool2d_pick")
    _check_shape(array(t).shape, type_.shape, "max_pool2d_pick")
    return TensorType(type_.dtype, pooled_shape(type_.shape, window, stride, padding, "max_pool2d_pick"))


def _pool_operands(x: Type, other: Type, what: str) -> TensorType:
    type_ = array(x)
    require_kind(common_dtype((type_, array(other)), what), "f", what)
    return type_


def _check_shape(have: Shape, want: Shape, what: str) -> None:
    if len(have) != len(want) or any(differ(a, b) for a, b in zip(have, want, strict=True)):
        raise ValueError(f"{what}: an array of shape {have} where one of shape {want} is needed")


def _grad_reference(x: Any, ct: Any, *, window: Any, stride: Any, padding: Any) -> Any:
    out = np.zeros_like(x)
    np.add.at(out, _first_maximum(x, window, stride, padding), ct)
    return out


def _grad_kernel(t: Template, x: str, ct: str, *, window: Pair, stride: Pair, padding: Padding) -> None:
    out = t.outs[0]
    layout = t.layouts[x]
    k = t.kernel(out)
    k.store(out, k.axes(layout.shape), k.const(layout.dtype, 0))
    k = t.kernel(x, ct, out)
    overlapping = [stride[d] < window[d] for d in (0, 1)]
    extents = t.layouts[ct].shape
    point = [*k.axes(extents[:2]), *(k.axis(extents[d + 2], serial=any(overlapping)) for d in (0, 1))]
    place = _first_place(k, x, layout, point, window, stride, padding)
    k.store(out, place, k.load(ct, point), accumulate=True)


def _pick_kernel(t: Template, x: str, tangent: str, *, window: Pair, stride: Pair, padding: Padding) -> None:
    out = t.outs[0]
    k = t.kernel(x, tangent, out)
    point = k.axes(t.layouts[out].shape)
    place = _first_place(k, x, t.layouts[x], point, window, stride, padding)
    k.store(out, point, k.load(tangent, place))


def _linear_samples(grad: bool) -> Iterable[Sample]:
    for sample in _max_samples():
        (x,) = sample.args
        if x.dtype.kind == "f":
            extents = _max_reference(x, **sample.params).shape if grad else x.shape
            yield Sample((x, mixed(extents, 3).astype(x.dtype)), sample.params, sample.differentiable)


# Both are linear in their second operand, each the other's transpose; which elements are the maxima is constant nearly
# everywhere.
max_pool2d_grad = declare(
    "max_pool2d_grad",
    "x ct",
    rule=_grad_rule,
    reference=_grad_reference,
    lowering=KernelTemplate(_grad_kernel),
    derivative=Linear((1,), lambda cts, x, ct, **how: (None, max_pool2d_pick(x, cts[0], **how))),
    samples=lambda: _linear_samples(grad=True),
    doc="The cotangent of max_pool2d's operand x: every window's cotangent at its first maximum.",
)
max_pool2d_pick = declare(
    "max_pool2d_pick",
    "x t",
    rule=_pick_rule,
    reference=lambda x, t, *, window, stride, padding: t[_first_maximum(x, window, stride, padding)],
    lowering=KernelTemplate(_pick_kernel),
    derivative=Linear((1,), lambda cts, x, t, **how: (None, max_pool2d_grad(x, cts[0], **how))),
    samples=lambda: _linear_samples(grad=False),
    doc="The elements of t where x has the first maximum of each window: the tangent of max_pool2d.",
)

# --- averages ---------------------------------------------------------------------------------------


def _counts(x: Any, window: Any, stride: Any, padding: Any, count_padding: bool) -> Any:
    if count_padding:
        return np.asarray(window[0] * window[1], dtype=x.dtype)
    ones = np.ones((1, 1, *x.shape[2:]), x.dtype)
    return _windows(ones, window, stride, padding, 0).sum((4, 5), dtype=x.dtype)


def _avg_reference(x: Any, *, window: Any, stride: Any, padding: Any, count_padding: bool = True) -> Any:
    total = _windows(x, window, stride, padding, 0).sum((4, 5), dtype=x.dtype)
    return total / _counts(x, window, stride, padding, count_padding)


def _count(
    k: KernelBuilder, point: Sequence[IndexLike], extents: Shape, how: tuple[Pair, Pair, Padding], counted: bool
) -> Value:
    """How many elements of a window count, as i64."""
    window, stride, padding = how
    if counted or padding == ((0, 0), (0, 0)):
        return k.const(i64, window[0] * window[1])
    product: Value | None = None
    for d in (0, 1):
        start = as_index(point[d]) * stride[d] + padding[d][0] * -1
        first = k("max", i64, k.index_value(start), k.const(i64, 0))
        last = k("min", i64, k.index_value(start + window[d]), k.dim(extents[d + 2]))
        inside = k("sub", i64, last, first)
        product = inside if product is None else k("mul", i64, product, inside)
    assert product is not None
    return product


def _avg_kernel(
    t: Template, x: str, *, window: Pair, stride: Pair, padding: Padding, count_padding: bool = True
) -> None:
    layout, out = t.layouts[x], t.outs[0]
    k = t.kernel(x, out)
    point = k.axes(t.layouts[out].shape)
    place = _place(point, k.axes(window, reduce=True), stride, padding)
    total = k.reduce("sum", k.load(x, place, _inside(k, place, layout.shape, padding)))
    count = _count(k, point[2:], layout.shape, (window, stride, padding), count_padding)
    k.store(out, point, k("div", layout.dtype, total, k.cast(layout.dtype, count)))


def _avg_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 2, 4, 6)),), _how((2, 2), (2, 2)))
    yield Sample((spread((1, 2, 5, 5)),), _how((3, 2), (1, 2), ((1, 1), (0, 1))))
    yield Sample((spread((1, 2, 5, 5)),), {**_how((3, 2), (2, 1), ((1, 1), (1, 1))), "count_padding": False})
    yield Sample((spread((1, 1, 4, 4), dtype=f32),), _how((2, 2), (1, 1)))


avg_pool2d = declare(
    "avg_pool2d",
    "x",
    rule=_rule("avg_pool2d", "f"),
    reference=_avg_reference,
    lowering=KernelTemplate(_avg_kernel),
    derivative=Linear((0,), lambda cts, x, **how: (avg_pool2d_grad(cts[0], input_shape=tensor_type(x).shape, **how),)),
    batch=batching.images,
    samples=_avg_samples,
    doc="The mean of every window.",
)


def _avg_grad_rule(
    ct: Type, *, input_shape: Shape, window: Pair, stride: Pair, padding: Padding, count_padding: bool = True
) -> Type:
    type_ = array(ct)
    require_kind(type_.dtype, "f", "avg_pool2d_grad")
    want = pooled_shape(input_shape, window, stride, padding, "avg_pool2d_grad")
    _check_shape(type_.shape, want, "avg_pool2d_grad")
    return TensorType(type_.dtype, input_shape)


def _avg_grad_reference(
    ct: Any, *, input_shape: Any, window: Any, stride: Any, padding: Any, count_padding: bool = True
) -> Any:
    (top, bottom), (left, right) = padding
    n, c, h, w = input_shape
    image = np.zeros((n, c, h + top + bottom, w + left + right), ct.dtype)
    share = ct / _counts(np.zeros(input_shape, ct.dtype), window, stride, padding, count_padding)
    rows, columns = ct.shape[2:]
    for i, j in np.ndindex(*window):
        image[:, :, i : i + rows * stride[0] : stride[0], j : j + columns * stride[1] : stride[1]] += share
    return image[:, :, top : top + h, left : left + w]


def _avg_grad_kernel(
    t: Template,
    ct: str,
    *,
    input_shape: Shape,
    window: Pair,
    stride: Pair,
    padding: Padding,
    count_padding: bool = True,
) -> None:
    """Every element of x gathers from the windows that it is in: y where y * stride + i = h + low, for i in the
    window."""
    layout, out = t.layouts[ct], t.outs[0]
    k = t.kernel(ct, out)
    point = k.axes(input_shape)
    taps = k.axes(window, reduce=True)
    windows: list[IndexLike] = []
    masks: list[Value | None] = []
    for d in (0, 1):
        shifted = point[d + 2] + padding[d][0] - taps[d]
        if stride[d] == 1:
            windows.append(shifted)
        else:
            step = k.const(i64, stride[d])
            position = k.index_value(shifted)
            windows.append(k("floordiv", i64, position, step))
            masks.append(k("eq", bool_, k("mod", i64, position, step), k.const(i64, 0)))
        masks.append(k.within(windows[d], layout.shape[d + 2]))
    share = k.load(ct, (*point[:2], *windows), k.all_of(*masks))
    count = _count(k, windows, input_shape, (window, stride, padding), count_padding)
    positive = k("max", i64, count, k.const(i64, 1))  # windows masked above may have none
    total = k.reduce("sum", k("div", layout.dtype, share, k.cast(layout.dtype, positive)))
    k.store(out, point, total)


def _avg_grad_samples() -> Iterable[Sample]:
    for sample in _avg_samples():
        (x,) = sample.args
        pooled = _avg_reference(x, **sample.params)
        yield Sample((mixed(pooled.shape, 3).astype(x.dtype),), {**sample.params, "input_shape": x.shape})


avg_pool2d_grad = declare(
    "avg_pool2d_grad",
    "ct",
    rule=_avg_grad_rule,
    reference=_avg_grad_reference,
    lowering=KernelTemplate(_avg_grad_kernel),
    derivative=Linear((0,), lambda cts, ct, *, input_shape, **how: (avg_pool2d(cts[0], **how),)),
    samples=_avg_grad_samples,
    doc="The cotangent of avg_pool2d's operand (of `input_shape`), from that of its result.",
)
