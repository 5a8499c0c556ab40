"""MindSpore's operators on volumes and windows, against PyTorch, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, ops

torch = pytest.importorskip("torch")
F = torch.nn.functional


def made(*shape: int) -> Any:
    """Distinct numbers in an irregular order."""
    size = int(np.prod(shape))
    order = np.random.default_rng(size).permutation(size)
    return ((order - size / 2) / size * 4).reshape(shape)


def arrays(value: Any) -> list[Any]:
    listed = value if isinstance(value, (tuple, list)) else [value]
    return [v.asnumpy() if isinstance(v, Tensor) else v.detach().numpy() for v in listed]


def agree(ours: Callable[..., Any], theirs: Callable[..., Any], *operands: Any) -> None:
    """Values and gradients by every operand of floats, plain and compiled."""
    tensors = [Tensor(v) if isinstance(v, np.ndarray) else v for v in operands]
    leaves = [torch.tensor(v, requires_grad=v.dtype.kind == "f") if isinstance(v, np.ndarray) else v for v in operands]
    wanted = theirs(*leaves)
    first = wanted[0] if isinstance(wanted, tuple) else wanted
    weights = np.cos(np.arange(first.numel()).reshape(tuple(first.shape)))
    (first * torch.tensor(weights)).sum().backward()
    by = tuple(k for k, v in enumerate(operands) if isinstance(v, np.ndarray) and v.dtype.kind == "f")

    def loss(*values: Any) -> Any:
        out = ours(*values)
        return ((out[0] if isinstance(out, tuple) else out) * Tensor(weights)).sum()

    derived = grad(loss, by)
    for forward, backward in ((ours, derived), (jit(ours), jit(lambda *values: derived(*values)))):
        for got, want in zip(arrays(forward(*tensors)), arrays(wanted), strict=True):
            assert got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
        gradients = backward(*tensors)
        for k, got in zip(by, gradients if isinstance(gradients, tuple) else (gradients,), strict=True):
            np.testing.assert_allclose(got.asnumpy(), leaves[k].grad.numpy(), rtol=1e-9, atol=1e-9)


X, IMAGE = made(2, 4, 5, 6, 4), made(2, 3, 7, 6)


@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups"), [(1, 0, 1, 1), ((2, 1, 2), (1, 0, 1), 1, 2), (2, 2, (2, 1, 1), 1)]
)
def test_conv3d(stride: Any, padding: Any, dilation: Any, groups: int) -> None:
    w, b = made(6, 4 // groups, 2, 3, 2), made(6)
    mode = "pad" if padding else "valid"
    agree(
        lambda x, w, b: ops.conv3d(x, w, b, stride, mode, padding, dilation, groups),
        lambda x, w, b: F.conv3d(x, w, b, stride, padding, dilation, groups),
        X, w, b,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stride", "padding", "extra", "groups"), [(1, 0, 0, 1), ((2, 1, 3), 1, (1, 0, 1), 2), (2, (0, 1, 0), 1, 1)]
)
def test_conv3d_transpose(stride: Any, padding: Any, extra: Any, groups: int) -> None:
    w = made(4, 2, 2, 3, 3)
    pads = [n for n in (padding if isinstance(padding, tuple) else (padding,) * 3) for _ in (0, 1)]
    primitive = ops.Conv3DTranspose(4, 2 * groups, (2, 3, 3), 1, "pad", tuple(pads), stride, 1, groups, extra)
    agree(
        lambda x, w: primitive(x, w),
        lambda x, w: F.conv_transpose3d(x, w, None, stride, padding, extra, groups),
        X, w,
    )  # fmt: skip


POOLS = [
    (lambda x: ops.max_pool3d(x, 2), lambda x: F.max_pool3d(x, 2), X),
    (lambda x: ops.max_pool3d(x, (2, 3, 2), 1, (1, 1, 0), ceil_mode=True), lambda x: F.max_pool3d(x, (2, 3, 2), 1, (1, 1, 0), ceil_mode=True), X),
    (lambda x: ops.max_pool3d(x, 2, 2, return_indices=True), lambda x: F.max_pool3d(x, 2, 2, return_indices=True), X),
    (lambda x: ops.max_pool2d(x, 3, 2, 1, return_indices=True), lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), IMAGE),
    (lambda x: ops.max_pool2d(x, (2, 3), 2, 1, 2, True, True), lambda x: F.max_pool2d(x, (2, 3), 2, 1, 2, True, True), IMAGE),
    (lambda x: ops.max_pool2d(x, 2, dilation=2), lambda x: F.max_pool2d(x, 2, dilation=2), IMAGE),
    (lambda x: ops.MaxPoolWithArgmaxV2(3, 2, 1)(x), lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), IMAGE),
    (lambda x: ops.avg_pool3d(x, 3, 2, 1), lambda x: F.avg_pool3d(x, 3, 2, 1), X),
    (lambda x: ops.avg_pool3d(x, 3, 2, 1, True, False), lambda x: F.avg_pool3d(x, 3, 2, 1, True, False), X),
    (lambda x: ops.avg_pool3d(x, 2, 2, (1, 0, 1), True, True, 5), lambda x: F.avg_pool3d(x, 2, 2, (1, 0, 1), True, True, 5), X),
    (lambda x: ops.adaptive_avg_pool3d(x, (2, None, 3)), lambda x: F.adaptive_avg_pool3d(x, (2, None, 3)), X),
    (lambda x: ops.adaptive_max_pool3d(x, 2, True), lambda x: F.adaptive_max_pool3d(x, 2, return_indices=True), X),
    (lambda x: ops.adaptive_max_pool2d(x, (3, 2), True), lambda x: F.adaptive_max_pool2d(x, (3, 2), return_indices=True), IMAGE),
    (lambda x: ops.lp_pool2d(x, 3.0, 2, 1), lambda x: F.lp_pool2d(x, 3.0, 2, 1), np.abs(IMAGE)),
    (lambda x: ops.lp_pool1d(x, 2.0, 3, 2), lambda x: F.lp_pool1d(x, 2.0, 3, 2), np.abs(IMAGE[0])),
    (lambda x: ops.max_unpool2d(*ops.max_pool2d(x, 2, 2, return_indices=True), 2), lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), IMAGE),
    (lambda x: ops.max_unpool3d(*ops.max_pool3d(x, 2, 2, return_indices=True), 2, output_size=(5, 6, 4)), lambda x: F.max_unpool3d(*F.max_pool3d(x, 2, return_indices=True), 2, output_size=(5, 6, 4)), X),
]  # fmt: skip


@pytest.mark.parametrize("case", POOLS, ids=map(str, range(len(POOLS))))
def test_pooling(case: tuple[Any, ...]) -> None:
    agree(*case)


def _resized(size: Any, scale: Any, mode: str, corners: Any = None) -> tuple[Any, Any]:
    return (
        lambda x: ops.interpolate(x, size, scale, mode, corners),
        lambda x: F.interpolate(x, size, scale, mode, corners),
    )


THETA = made(2, 2, 3)
RESIZES = [
    (*_resized((5, 11), None, "nearest"), IMAGE),
    (*_resized(None, 1.7, "nearest"), IMAGE),
    (*_resized((9, 4), None, "nearest-exact"), IMAGE),
    (*_resized((5, 11), None, "bilinear", False), IMAGE),
    (*_resized((5, 11), None, "bilinear", True), IMAGE),
    (*_resized(None, (1.5, 0.7), "bilinear", False), IMAGE),
    (*_resized((5, 11), None, "bicubic", False), IMAGE),
    (*_resized((5, 11), None, "bicubic", True), IMAGE),
    (*_resized((3, 4), None, "area"), IMAGE),
    (*_resized(9, None, "linear", True), IMAGE[0]),
    (*_resized((3, 7, 9), None, "trilinear", False), X),
    (lambda x: ops.ResizeBilinearV2(align_corners=True)(x, (4, 9)), lambda x: F.interpolate(x, (4, 9), mode="bilinear", align_corners=True), IMAGE),
    (lambda x: ops.ResizeBilinear((4, 9), half_pixel_centers=True)(x), lambda x: F.interpolate(x, (4, 9), mode="bilinear"), IMAGE),
    (lambda x: ops.ResizeNearestNeighbor((4, 9))(x), lambda x: F.interpolate(x, (4, 9)), IMAGE),
    (lambda x: ops.ResizeLinear1D()(x, Tensor([5])), lambda x: F.interpolate(x, 5, mode="linear", align_corners=True), IMAGE[0]),
    (lambda x, t: ops.grid_sample(x, ops.affine_grid(t, (2, 3, 4, 5), True), align_corners=True), lambda x, t: F.grid_sample(x, F.affine_grid(t, (2, 3, 4, 5), align_corners=True), align_corners=True), IMAGE, THETA),
    (lambda x, t: ops.grid_sample(x, ops.affine_grid(t, (2, 3, 4, 5))), lambda x, t: F.grid_sample(x, F.affine_grid(t, (2, 3, 4, 5), align_corners=False), align_corners=False), IMAGE, THETA * 1.5),
    (lambda x, g: ops.grid_sample(x, g, "bicubic", "border"), lambda x, g: F.grid_sample(x, g, "bicubic", "border", False), IMAGE, made(2, 3, 4, 2)),
    (lambda x, g: ops.grid_sample(x, g, "bilinear", "reflection", True), lambda x, g: F.grid_sample(x, g, "bilinear", "reflection", True), IMAGE, made(2, 3, 4, 2) * 2.3),
    (lambda x, g: ops.GridSampler2D("nearest", "reflection")(x, g), lambda x, g: F.grid_sample(x, g, "nearest", "reflection", False), IMAGE, made(2, 3, 4, 2) * 2.3),
    (lambda x, g: ops.grid_sample(x, g), lambda x, g: F.grid_sample(x, g, align_corners=False), X, made(2, 2, 3, 2, 3)),
    (lambda x: ops.fold(x, (5, 6), (2, 3), 1, (1, 0), (2, 1)), lambda x: F.fold(x, (5, 6), (2, 3), 1, (1, 0), (2, 1)), made(2, 12, 12)),
    (lambda x: ops.Im2Col((2, 3), 2, 1, 1)(x), lambda x: F.unfold(x, (2, 3), 1, 1, 2).reshape(2, 3, 6, -1), IMAGE),
    (lambda x: ops.Col2Im((2, 2), 2)(x, Tensor([5, 6])), lambda x: F.fold(x.reshape(2, 12, 12), (5, 6), 2, 2), made(2, 3, 4, 12)),
]  # fmt: skip


@pytest.mark.parametrize("case", RESIZES, ids=map(str, range(len(RESIZES))))
def test_resampling(case: tuple[Any, ...]) -> None:
    agree(*case)


def test_crops() -> None:
    """Of a picture whose elements are a linear function of their place, so are crops."""
    rows, columns = np.indices((5, 7))
    image = Tensor(np.stack([rows * 1.0 + columns * 10.0] * 2, -1)[None].astype(np.float32))
    boxes = Tensor(np.array([[0.25, 0.5, 0.75, 1.0], [-0.5, 0.0, 0.5, 1.0]], np.float32))
    numbers = Tensor(np.array([0, 0], np.int32))
    wanted = np.array([[1 + 30, 1 + 45, 1 + 60], [3 + 30, 3 + 45, 3 + 60]], np.float32)
    for f in (ops.crop_and_resize, jit(ops.crop_and_resize)):
        made_ = f(image, boxes, numbers, (2, 3), "bilinear", -7.0).asnumpy()
        np.testing.assert_allclose(made_[0, :, :, 1], wanted)
        np.testing.assert_allclose(made_[1, :, :, 0], [[-7, -7, -7], [2, 32, 62]])


def test_regions() -> None:
    rows, columns = np.indices((8, 9))
    features = Tensor((rows * 1.0 + columns * 10.0)[None, None])
    regions = Tensor(np.array([[0.0, 1.0, 2.0, 5.0, 6.0]]))
    align = ops.ROIAlign(2, 2, 1.0, 2, 0)
    for f in (lambda a, b: align(a, b), jit(lambda a, b: align(a, b))):
        np.testing.assert_allclose(f(features, regions).asnumpy()[0, 0], [[23, 43], [25, 45]])
