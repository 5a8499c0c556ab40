"""Training as MindSpore's newer documentation writes it: grouped optimizers and schedules against PyTorch; samplers, batches and parts of
datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
import mindspore.dataset as ds  # noqa: E402
import mindspore.dataset.vision as vision  # noqa: E402
from mindspore import Tensor, context, mint, nn  # noqa: E402
from mindspore.experimental import optim  # noqa: E402
from mindspore.experimental.optim import lr_scheduler  # noqa: E402

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def _mode() -> Iterator[None]:
    compat.install()  # another test may have taken it away
    before = context.get_context("mode")
    yield
    context.set_context(mode=before)


RNG = np.random.default_rng(5)
WEIGHT, BIAS, INPUT = (RNG.normal(size=shape).astype(np.float32) for shape in ((3, 4), (3,), (5, 4)))
OPTIMIZERS: list[Callable[[Any, Any, Any], Any]] = [
    lambda o, w, b: o.SGD([w, b], lr=0.1),
    lambda o, w, b: o.SGD([w, b], lr=0.1, momentum=0.9, dampening=0.2, weight_decay=0.01),
    lambda o, w, b: o.SGD([w, b], lr=0.1, momentum=0.9, nesterov=True, maximize=True),
    lambda o, w, b: o.Adam([w, b], lr=0.1, weight_decay=0.1),
    lambda o, w, b: o.Adam([{"params": [w], "lr": 0.01}, {"params": [b], "amsgrad": True}], lr=0.1),
    lambda o, w, b: o.AdamW([w, b], lr=0.1, betas=(0.8, 0.9)),
]
SCHEDULES: list[Callable[[Any, Any], Any]] = [
    lambda s, o: s.StepLR(o, 2, 0.5),
    lambda s, o: s.MultiStepLR(o, [1, 3]),
    lambda s, o: s.ExponentialLR(o, 0.5),
    lambda s, o: s.CosineAnnealingLR(o, 5, 0.01),
    lambda s, o: s.CosineAnnealingWarmRestarts(o, 2, 2),
    lambda s, o: s.LinearLR(o),
    lambda s, o: s.ConstantLR(o, 0.5, 2),
    lambda s, o: s.PolynomialLR(o, 4, 2.0),
    lambda s, o: s.LambdaLR(o, lambda epoch: 0.9**epoch),
    lambda s, o: s.MultiplicativeLR(o, lambda epoch: 0.5),
]


@pytest.mark.parametrize("graph", [True, False], ids=["graph", "pynative"])
@pytest.mark.parametrize("make", OPTIMIZERS, ids=range(len(OPTIMIZERS)))
def test_optimizers(make: Callable[[Any, Any, Any], Any], graph: bool) -> None:
    other = torch.nn.Linear(4, 3)
    other.load_state_dict({"weight": torch.tensor(WEIGHT), "bias": torch.tensor(BIAS)})
    theirs = make(torch.optim, other.weight, other.bias)
    context.set_context(mode=context.GRAPH_MODE if graph else context.PYNATIVE_MODE)
    net = nn.Dense(4, 3, Tensor(WEIGHT), Tensor(BIAS))
    ours = make(mint.optim, net.weight, net.bias)
    slopes = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, ours.parameters)

    def step(x: Any) -> Any:
        loss, grads = slopes(x)
        ours(grads)
        return loss

    train = ms.jit(step) if graph else step
    for _ in range(3):
        theirs.zero_grad()
        other(torch.tensor(INPUT)).square().mean().backward()
        theirs.step()
        train(Tensor(INPUT))
    for got, want in ((net.weight, other.weight), (net.bias, other.bias)):
        np.testing.assert_allclose(got.asnumpy(), want.detach().numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", SCHEDULES, ids=range(len(SCHEDULES)))
def test_schedules(make: Callable[[Any, Any], Any]) -> None:
    theirs = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    ours = optim.SGD([ms.Parameter(Tensor([0.0]), name="w")], lr=0.1)
    other, own = make(torch.optim.lr_scheduler, theirs), make(lr_scheduler, ours)
    for _ in range(5):
        np.testing.assert_allclose([float(r) for r in own.get_last_lr()], other.get_last_lr(), rtol=1e-5)
        theirs.step()
        other.step()
        own.step()


def test_a_rate_that_falls_on_a_plateau() -> None:
    theirs = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    ours = optim.SGD([ms.Parameter(Tensor([0.0]), name="w")], lr=0.1)
    options = {"factor": 0.5, "patience": 1, "cooldown": 1, "min_lr": 0.02}
    other = torch.optim.lr_scheduler.ReduceLROnPlateau(theirs, **options)
    own = lr_scheduler.ReduceLROnPlateau(ours, **options)
    for value in (1.0, 0.9, 0.95, 0.93, 0.92, 0.92, 0.92, 0.92, 0.5, 0.6, 0.6, 0.6):
        other.step(value)
        own.step(value)
        np.testing.assert_allclose(float(ours.param_groups[0]["lr"]), theirs.param_groups[0]["lr"], rtol=1e-5)


def test_optimizers_refuse_what_is_none() -> None:
    w = ms.Parameter(Tensor([0.0]), name="w")
    with pytest.raises(ValueError, match="empty"):
        optim.Adam([])
    with pytest.raises(ValueError, match="more than one"):
        optim.Adam([{"params": [w]}, {"params": [w]}])
    with pytest.raises(ValueError, match="negative"):
        optim.Adam([w], lr=-1.0)
    with pytest.raises(TypeError, match="Parameter"):
        optim.Adam([Tensor([1.0])])
    assert "lr: 0.001" in str(optim.Adam([w]))


# --- datasets -----------------------------------------------------------------------------------------


def column(data: Any) -> list[Any]:
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def sampled(sampler: Any) -> list[Any]:
    return column(ds.NumpySlicesDataset(list(range(10, 16)), ["x"], sampler=sampler))


def test_samplers() -> None:
    assert sampled(ds.SequentialSampler(2, 3)) == [12, 13, 14]
    assert sampled(ds.SubsetSampler([5, 0])) == [15, 10]
    assert sorted(sampled(ds.SubsetRandomSampler([5, 0, 3]))) == [10, 13, 15]
    assert sorted(sampled(ds.RandomSampler())) == list(range(10, 16))
    assert len(sampled(ds.RandomSampler(replacement=True, num_samples=9))) == 9
    assert set(sampled(ds.WeightedRandomSampler([0, 1, 0, 0, 0, 1], 20))) <= {11, 15}
    shards = [sampled(ds.DistributedSampler(4, k, shuffle=False)) for k in range(4)]
    assert shards == [[10, 14], [11, 15], [12, 10], [13, 11]]
    assert sampled(ds.IterSampler([1, 1, 2])) == [11, 11, 12]
    with pytest.raises(RuntimeError, match="invalid sample id"):
        sampled(ds.SubsetSampler([6]))

    class Every(ds.Sampler):
        def __iter__(self) -> Iterator[int]:
            yield from range(0, self.dataset_size, 2)

    assert sampled(Every()) == [10, 12, 14]
    chosen = ds.SequentialSampler(1)
    chosen.add_child(ds.SubsetSampler([5, 4, 3]))
    assert sampled(chosen) == [14, 13]


def test_the_seed_of_datasets() -> None:
    ds.config.set_seed(3)
    first = sampled(ds.RandomSampler())
    assert ds.config.get_seed() == 3
    ds.config.set_seed(3)
    assert sampled(ds.RandomSampler()) == first
    ds.config.set_prefetch_size(4)
    assert ds.config.get_prefetch_size() == 4


def ragged() -> Any:
    return ds.GeneratorDataset(lambda: ((np.arange(n),) for n in (1, 3, 2, 5)), ["x"])


def test_rows_padded_to_one_shape() -> None:
    assert column(ragged().padded_batch(2)) == [[[0, 0, 0], [0, 1, 2]], [[0, 1, 0, 0, 0], [0, 1, 2, 3, 4]]]
    assert column(ragged().padded_batch(4, pad_info={"x": ([2], -1)})) == [[[0, -1], [0, 1], [0, 1], [0, 1]]]
    with pytest.raises(RuntimeError, match="shapes"):
        column(ragged().batch(2))


def test_rows_in_buckets_by_length() -> None:
    batches = column(ragged().bucket_batch_by_length(["x"], [3, 5], [2, 1, 1]))
    assert sorted(np.shape(batch) for batch in batches) == [(1, 3), (1, 5), (2, 2)]
    with pytest.raises(ValueError, match="bucket_batch_sizes"):
        ragged().bucket_batch_by_length(["x"], [3], [2])


def test_parts_of_a_dataset() -> None:
    train, test = ds.NumpySlicesDataset(list(range(10)), ["x"]).split([0.7, 0.3])
    assert (train.get_dataset_size(), test.get_dataset_size()) == (7, 3)
    assert sorted(column(train) + column(test)) == list(range(10))
    assert column(train) == column(train)
    first, second = ds.NumpySlicesDataset(list(range(5)), ["x"], shuffle=False).split([2, 3], randomize=False)
    assert (column(first), column(second)) == ([0, 1], [2, 3, 4])
    with pytest.raises(ValueError, match="sum up to 1"):
        ds.NumpySlicesDataset([1, 2], ["x"]).split([0.5, 0.2])
    assert column(first.apply(lambda data: data.repeat(2))) == [0, 1, 0, 1]


def test_colours_of_images() -> None:
    image = np.array([[[100, 50, 20], [0, 10, 250]]], np.uint8)
    gray = np.array([[62, 34]], np.uint8)
    np.testing.assert_array_equal(vision.Grayscale()(image), gray)
    np.testing.assert_array_equal(vision.Grayscale(3)(image)[..., 2], gray)
    assert vision.AdjustBrightness(2.0)(image).tolist() == [[[200, 100, 40], [0, 20, 255]]]
    np.testing.assert_array_equal(vision.AdjustContrast(1.0)(image), image)
    assert (vision.AdjustContrast(0.0)(image) == 48).all()
    np.testing.assert_allclose(vision.AdjustSaturation(0.0)(image)[0, :, 0], gray[0], atol=1)
    assert vision.Solarize(100)(image).tolist() == [[[155, 50, 20], [0, 10, 5]]]
    assert vision.Posterize(1)(image).tolist() == [[[0, 0, 0], [0, 0, 128]]]
    np.testing.assert_array_equal(vision.AdjustGamma(1.0)(image), image)
    adjust = vision.RandomColorAdjust(brightness=(0.5, 0.5))
    np.testing.assert_array_equal(adjust(image), vision.AdjustBrightness(0.5)(image))
    assert vision.RandomGrayscale(0.0)(image) is image


def test_parts_of_images() -> None:
    image = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    np.testing.assert_array_equal(vision.ResizedCrop(1, 2, 3, 4, (3, 4))(image), image[1:4, 2:6])
    assert vision.RandomResizedCrop(4)(image).shape == (4, 4, 3)
    five = vision.FiveCrop(2)(image)
    np.testing.assert_array_equal(five[1], image[:2, -2:])
    np.testing.assert_array_equal(five[3], image[-2:, -2:])
    np.testing.assert_array_equal(vision.TenCrop(2)(image)[5], image[:, ::-1][:2, :2])
    assert vision.PadToSize(10)(image).shape == (10, 10, 3)
    erased = vision.Erase(1, 2, 3, 4, (1, 2, 3))(image)
    assert (erased[1:4, 2:6] == [1, 2, 3]).all()
    assert (erased[0] == image[0]).all()
    assert ((vision.CutOut(2)(image + 1) == 0).all(-1)).sum() >= 4
    channels = image.transpose(2, 0, 1) + 1.0
    assert (vision.RandomErasing(1.0, value=0)(channels) == 0).any()
    np.testing.assert_array_equal(vision.RandomErasing(0.0)(channels), channels)
