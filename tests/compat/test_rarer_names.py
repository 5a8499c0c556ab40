"""Names of MindSpore beside its operators: generators, backward operators, settings of devices, datasets gone through by hand."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Generator, Tensor, context, mint, nn, ops
from mindspore.common import dtype as mstype
from mindspore.ops import functional as F
from mindspore.ops.operations import _grad_ops as G


class Drawing(nn.Cell):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = Generator().manual_seed(seed)

    def construct(self, chances):  # type: ignore[no-untyped-def]
        return mint.rand(3, generator=self.generator), mint.bernoulli(chances, generator=self.generator)


def test_generators(mode: str) -> None:
    chances = Tensor(np.full(8, 0.5), ms.float32)
    first, again = Drawing(5), Drawing(5)
    made = [v.asnumpy().tolist() for v in first(chances)]
    assert made == [v.asnumpy().tolist() for v in again(chances)]
    assert made != [v.asnumpy().tolist() for v in again(chances)]
    state = ms.get_rng_state()
    wanted = ops.rand(2).asnumpy().tolist()
    ms.set_rng_state(state)
    assert ops.rand(2).asnumpy().tolist() == wanted
    ms.manual_seed(13)
    assert ms.initial_seed() == 13 == ms.default_generator.initial_seed()


class Backward(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.relu = G.ReluGrad()
        self.pool = G.MaxPoolGrad(2, 2, "VALID").add_prim_attr("primitive_target", "CPU")
        self.conv = G.Conv2DBackpropFilter(1, 2, "valid", 0)

    def construct(self, dy, x):  # type: ignore[no-untyped-def]
        return self.relu(dy, x), self.pool(x, dy, dy), self.conv(dy, x, F.shape(dy))


def test_backward_operators(mode: str) -> None:
    x = np.array([[[[1.0, -2, 3, 0], [4, 5, -6, 7]]]], np.float32)
    dy = np.array([[[[1.0, 2]]]], np.float32)
    relu = G.ReluGrad()(Tensor(x * 2), Tensor(x))
    assert relu.asnumpy().ravel().tolist() == [2, 0, 6, 0, 8, 10, 0, 14]
    pooled = G.MaxPoolGrad(2, 2, "VALID")(Tensor(x), Tensor(dy), Tensor(dy))
    assert pooled.asnumpy().ravel().tolist() == [0, 0, 0, 0, 0, 1, 0, 2]
    square = Tensor(x[:, :, :, :2])
    one = Tensor(np.array([[[[3.0]]]], np.float32))
    _, pool, conv = Backward()(one, square)
    assert pool.asnumpy().ravel().tolist() == [0, 0, 0, 3]
    assert conv.asnumpy().ravel().tolist() == [3, -6, 12, 15]
    assert G.ReluGrad().name == "ReluGrad"


def test_types(mode: str) -> None:
    @ms.jit
    def doubled(x, y):  # type: ignore[no-untyped-def]
        if F.issubclass_(F.typeof(x), mstype.tensor_type) and F.issubclass_(F.typeof(y), mstype.int_):
            return x * y
        return x

    assert doubled(Tensor([3.0]), 2).asnumpy().tolist() == [6]
    assert F.typeof(None) is mstype.type_none
    assert not F.issubclass_(F.typeof((1,)), mstype.tensor_type)


def test_settings_of_devices() -> None:
    assert context.get_ps_context("enable_ps") is False
    with pytest.warns(UserWarning, match="devices"):
        ms.set_algo_parameters(fully_use_devices=True)
    assert ms.get_algo_parameters("fully_use_devices")
    ms.reset_algo_parameters()
    assert not ms.get_algo_parameters("fully_use_devices")
    for call in (lambda: ms.set_algo_parameters(speed=3), lambda: context.get_ps_context("speed")):
        with pytest.raises(ValueError, match="speed"):
            call()
    with pytest.raises(ValueError, match="target"):
        ms.set_dump(3)


def test_datasets_by_hand(tmp_path: Path) -> None:
    import mindspore.dataset as ds

    data = ds.NumpySlicesDataset({"x": np.arange(8, dtype=np.float32).reshape(4, 2)}, shuffle=False).batch(2)
    helper = ms.DatasetHelper(data, dataset_sink_mode=False)
    assert [float(x.sum()) for (x,) in helper] == [6, 22]
    assert helper.types_shapes() == ([ms.float32], [[2, 2]])
    assert (helper.sink_size(), helper.get_dataset_size()) == (1, 2)
    with pytest.raises(RuntimeError, match="sink"):
        ms.DatasetHelper(data)
    net = nn.Dense(2, 2)
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    loaded = ms.load_checkpoint_async(str(tmp_path / "net.ckpt")).result()
    np.testing.assert_array_equal(loaded["weight"].asnumpy(), net.weight.asnumpy())
    assert not ms.async_ckpt_thread_status()


class OfOldNames(nn.Cell):
    """Names of NumPy before 2, in a network of their time."""

    def __init__(self, call):  # type: ignore[no-untyped-def]
        super().__init__()
        self.call = call

    def construct(self, x):  # type: ignore[no-untyped-def]
        return x + Tensor(self.call(), ms.float32)


OLD_NAMES = {
    "float_": (lambda: np.float_(1.5), 1.5),
    "array of float_": (lambda: np.array([1, 2], np.float_), [1.0, 2.0]),
    "complex_": (lambda: np.complex_(1.5).real, 1.5),
    "Inf": (lambda: np.Inf, np.inf),
    "infty": (lambda: -np.infty, -np.inf),
    "NINF": (lambda: np.array([np.NINF, np.PINF]), [-np.inf, np.inf]),
    "product": (lambda: np.product(np.array([2, 3])), 6.0),
    "cumproduct": (lambda: np.cumproduct(np.array([2, 3])), [2.0, 6.0]),
    "alltrue": (lambda: np.alltrue([True, False]), 0.0),
    "sometrue": (lambda: np.sometrue([True, False]), 1.0),
    "round_": (lambda: np.round_(1.26, 1), 1.3),
    "asfarray": (lambda: np.asfarray([1, 2]), [1.0, 2.0]),
    "trapz": (lambda: np.trapz(np.array([1.0, 2.0, 4.0])), 4.5),
    "msort": (lambda: np.msort(np.array([[3, 1], [2, 4]])).ravel(), [2.0, 1.0, 3.0, 4.0]),
    "in1d": (lambda: np.in1d(np.array([[1, 2], [3, 4]]), np.array([2, 4])), [0.0, 1.0, 0.0, 1.0]),
    "in1d, inverted": (lambda: np.in1d(np.array([1, 2]), np.array([2, 4]), invert=True), [1.0, 0.0]),
}


@pytest.mark.parametrize("name", OLD_NAMES)
def test_names_of_numpys_that_are_gone(name: str, mode: str) -> None:
    call, wanted = OLD_NAMES[name]
    np.testing.assert_allclose(
        OfOldNames(call)(Tensor(np.zeros(1), ms.float32)).asnumpy(), np.array(wanted) + np.zeros(1)
    )
