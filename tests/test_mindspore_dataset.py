"""MindSpore's operations of datasets, by the modules and names that its scripts import them by."""

from __future__ import annotations

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
import mindspore.dataset.transforms.c_transforms as CT  # noqa: E402
import mindspore.dataset.vision.c_transforms as CV  # noqa: E402
from mindspore.dataset import GeneratorDataset, transforms, vision  # noqa: E402
from mindspore.dataset.vision import Inter  # noqa: E402

IMAGE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def test_a_pipeline() -> None:
    rows = GeneratorDataset([(IMAGE, np.int64(1)), (IMAGE + 1, np.int64(2))], ["image", "label"], shuffle=False)
    steps = [vision.Rescale(1 / 255, 0.0), vision.Normalize((0.5, 0.4, 0.3), (0.2, 0.2, 0.1)), vision.HWC2CHW()]
    rows = rows.map(steps, "image").map(operations=CT.TypeCast(ms.int32), input_columns="label").batch(2)
    ((image, label),) = rows.create_tuple_iterator()
    wanted = (IMAGE / 255 - [0.5, 0.4, 0.3]) / [0.2, 0.2, 0.1]
    np.testing.assert_allclose(image.asnumpy()[0], wanted.transpose(2, 0, 1), rtol=1e-5, atol=1e-6)
    assert image.dtype == ms.float32
    assert label.dtype == ms.int32
    assert label.asnumpy().tolist() == [1, 2]


def test_sizes() -> None:
    assert vision.Resize(2)(IMAGE).shape == (2, 3, 3)
    assert CV.Resize((8, 3))(IMAGE).dtype == np.uint8
    ramp = np.array([[0.0, 4.0]], np.float32)
    np.testing.assert_allclose(vision.Resize((1, 4), Inter.LINEAR)(ramp), [[0, 1, 3, 4]])
    np.testing.assert_allclose(vision.Resize((1, 4), Inter.NEAREST)(ramp), [[0, 0, 4, 4]])
    np.testing.assert_array_equal(vision.CenterCrop((2, 2))(IMAGE), IMAGE[1:3, 2:4])
    np.testing.assert_array_equal(vision.Crop((1, 0), 3)(IMAGE), IMAGE[1:4, :3])
    assert vision.Pad((1, 2))(IMAGE).shape == (8, 8, 3)
    assert vision.RandomCrop((4, 6), padding=2)(IMAGE).shape == IMAGE.shape
    with pytest.raises(RuntimeError, match="not in an image"):
        vision.RandomCrop((5, 5))(IMAGE)


def test_flips_and_types() -> None:
    np.testing.assert_array_equal(vision.RandomHorizontalFlip(1.0)(IMAGE), IMAGE[:, ::-1])
    np.testing.assert_array_equal(vision.VerticalFlip()(IMAGE), IMAGE[::-1])
    assert vision.RandomVerticalFlip(0.0)(IMAGE) is IMAGE
    np.testing.assert_array_equal(vision.Invert()(IMAGE), 255 - IMAGE)
    tensor = vision.ToTensor()(IMAGE)
    assert tensor.dtype == np.float32
    assert tensor.shape == (3, 4, 6)
    assert tensor.max() <= 1


def test_operations_of_any_data() -> None:
    assert transforms.OneHot(3)(np.array(1)).tolist() == [0, 1, 0]
    np.testing.assert_allclose(transforms.OneHot(2, smoothing_rate=0.2)(np.array(0)), [0.9, 0.1], rtol=1e-6)
    with pytest.raises(RuntimeError, match="not below 3"):
        transforms.OneHot(3)(np.array(3))
    assert transforms.PadEnd([3, None], 7)(np.ones((2, 2), int)).tolist() == [[1, 1], [1, 1], [7, 7]]
    assert transforms.Slice(slice(1, None), [0])(np.eye(2)).tolist() == [[0]]
    assert transforms.Concatenate(0, append=[5])(np.array([1, 2])).tolist() == [1, 2, 5]
    one = transforms.Compose([transforms.Duplicate(), lambda a, b: a + b, transforms.Fill(4)])
    assert one(np.array([1, 2])).tolist() == [4, 4]
    found, places, counts = transforms.Unique()(np.array([3, 1, 3]))
    assert (found.tolist(), places.tolist(), counts.tolist()) == ([1, 3], [1, 0, 1], [1, 2])
    ms.set_seed(1)
    applied = [transforms.RandomApply([lambda x: x + 1], 0.5)(0) for _ in range(40)]
    assert 5 < sum(applied) < 35
    assert transforms.RandomChoice([lambda x: x, lambda x: -x])(2) in (2, -2)
    assert transforms.RandomOrder([lambda x: x + 1, lambda x: x * 2])(1) in (3, 4)
