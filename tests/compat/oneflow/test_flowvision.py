"""The parts of FlowVision that the documents use."""

from __future__ import annotations

import pickle
from pathlib import Path

import flowvision
import flowvision.transforms as transforms
import numpy as np
import oneflow as flow
import pytest
from cifar import NAMES, write_cifar10


def test_mobilenet_v2_is_the_published_network() -> None:
    model = flowvision.models.mobilenet_v2()
    assert sum(p.numel() for p in model.parameters()) == 3504872
    assert model.last_channel == 1280
    assert repr(model.classifier).startswith("Sequential(\n  (0): Dropout(p=0.2, inplace=False)\n  (1): Linear(")
    first = repr(model.features[0]).splitlines()
    assert first[0] == "ConvBNActivation("
    assert first[1] == "  (0): Conv2d(3, 32, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), bias=False)"
    assert first[2] == "  (1): BatchNorm2d(32, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"
    assert len(model.features) == 19
    assert "features.1.conv.0.0.weight" in model.state_dict()
    with pytest.raises(NotImplementedError, match="downloads no weights"):
        flowvision.models.mobilenet_v2(pretrained=True)
    with pytest.raises(NotImplementedError, match=r"flowvision\.models\.resnet50 of FlowVision"):
        flowvision.models.resnet50()


def test_cifar10_is_read_from_its_files(tmp_path: Path) -> None:
    write_cifar10(tmp_path, 4)
    data = flowvision.datasets.CIFAR10(tmp_path, train=True, transform=transforms.ToTensor())
    assert len(data) == 20
    assert data.classes == NAMES
    x, y = data[3]
    assert isinstance(x, flow.Tensor)
    assert (x.shape, x.dtype, y) == ((3, 32, 32), flow.float32, data.targets[3])
    raw = pickle.loads((tmp_path / "cifar-10-batches-py" / "data_batch_1").read_bytes())["data"][3]
    np.testing.assert_allclose(x.numpy().reshape(-1), raw / 255, rtol=1e-6)
    test = flowvision.datasets.CIFAR10(tmp_path, train=False)
    assert (len(test), test[0][0].shape, test[0][0].dtype) == (4, (32, 32, 3), np.uint8)
    batch, labels = next(iter(flow.utils.data.DataLoader(data, 8)))
    assert (batch.shape, labels.shape, labels.dtype) == ((8, 3, 32, 32), (8,), flow.int64)
    assert isinstance(labels, flow.Tensor)


def test_missing_files_and_files_with_code_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"cifar-10-batches-py/data_batch_1: jitcore downloads nothing"):
        flowvision.datasets.CIFAR10(tmp_path, download=True)
    write_cifar10(tmp_path, 1)
    (tmp_path / "cifar-10-batches-py" / "test_batch").write_bytes(pickle.dumps(pickle.loads))
    with pytest.raises(pickle.UnpicklingError, match="which is not read"):
        flowvision.datasets.CIFAR10(tmp_path, train=False)


def test_transforms() -> None:
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    change = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.25] * 3)])
    made = change(image)
    np.testing.assert_allclose(made.numpy(), (image.transpose(2, 0, 1) / 255 - 0.5) / 0.25, rtol=1e-4, atol=1e-6)
    assert repr(change).splitlines()[1] == "    ToTensor()"
    assert transforms.CenterCrop(2)(image).tolist() == image[1:3, 2:4].tolist()
    assert transforms.CenterCrop(2)(made).shape == (3, 2, 2)
    assert transforms.Resize(2)(image).shape == (2, 3, 3)
    assert transforms.Resize((8, 6))(made).shape == (3, 8, 6)
    assert transforms.RandomCrop(4, padding=2)(image).shape == (4, 4, 3)
    assert transforms.RandomHorizontalFlip(1.0)(image).tolist() == image[:, ::-1].tolist()
    assert transforms.RandomHorizontalFlip(0.0)(made) is made
    assert transforms.Lambda(lambda x: 3)(image) == 3
    with pytest.raises(ValueError, match="larger than the image"):
        transforms.CenterCrop(5)(image)
    flat = np.full((4, 4, 1), 7, np.uint8)
    assert (transforms.Resize(2)(flat) == 7).all()
