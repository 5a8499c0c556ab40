"""OneFlow's Tensors: text, methods, dtypes, gradients, compiled code, and what one process is of many."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import oneflow as flow
import pytest
from oneflow.framework.args_tree import ArgsTree
from oneflow.framework.tensor import Tensor, TensorTuple

import jitcore
from jitcore.compat.missing import Missing

# --- text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: flow.tensor([[1.0, -1.0], [1.0, -1.0]]), "tensor([[ 1., -1.],\n        [ 1., -1.]], dtype=oneflow.float32)"),
        (lambda: flow.tensor(2.5), "tensor(2.5000, dtype=oneflow.float32)"),
        (lambda: flow.tensor([[1]]), "tensor([[1]], dtype=oneflow.int64)"),
        (lambda: flow.tensor([True]), "tensor([True], dtype=oneflow.bool)"),
        (lambda: flow.ones(2, dtype=flow.double), "tensor([1., 1.], dtype=oneflow.float64)"),
        (lambda: flow.ones(2, requires_grad=True), "tensor([1., 1.], dtype=oneflow.float32, requires_grad=True)"),
        (lambda: flow.ones(2, requires_grad=True) * 2, "tensor([2., 2.], dtype=oneflow.float32)"),
        (lambda: flow.zeros(2, 0), "tensor([], size=(2, 0), dtype=oneflow.float32)"),
        (lambda: flow.nn.Parameter(flow.ones(1)), "tensor([1.], dtype=oneflow.float32, requires_grad=True)"),
        (lambda: flow.ones(2, 3).shape, "oneflow.Size([2, 3])"),
        (lambda: flow.ones(2, 3).shape[1:], "oneflow.Size([3])"),
        (lambda: flow.ones(1).device, "device(type='cpu', index=0)"),
        (lambda: flow.int32, "oneflow.int32"),
        (lambda: flow.ones(1).type(), "oneflow.FloatTensor"),
        (lambda: flow.placement("cpu", ranks=[0]), 'oneflow.placement(type="cpu", ranks=[0])'),
        (lambda: [flow.sbp.broadcast, flow.sbp.split(0)], "[oneflow.sbp.broadcast, oneflow.sbp.split(dim=0)]"),
        (lambda: flow.contiguous_format, "oneflow.contiguous_format"),
    ],
)  # fmt: skip
def test_texts_are_those_of_oneflow(made: object, text: str) -> None:
    value = made()  # type: ignore[operator]
    assert (value if isinstance(value, str) else repr(value)) == text


def test_results_by_name_are_named_for_oneflow() -> None:
    found = flow.max(flow.tensor([[1.0, 3.0]]), 1)
    assert repr(found).startswith("oneflow.return_types.max(\nvalues=tensor([3.], dtype=oneflow.float32)")


def test_a_linear_module_prints_as_the_documents_show() -> None:
    class ModuleMyLinear(flow.nn.Module):
        def __init__(self, in_features, out_features):
            super().__init__()
            self.weight = flow.nn.Parameter(flow.randn(in_features, out_features))
            self.bias = flow.nn.Parameter(flow.randn(out_features))

        def forward(self, input):
            return flow.matmul(input, self.weight) + self.bias

    model = ModuleMyLinear(4, 3)
    x = flow.randn(1, 4)
    out = model(x)
    number = r" *-?\d\.\d{4}"
    assert re.fullmatch(rf"tensor\(\[\[{number},{number},{number}\]\], dtype=oneflow\.float32\)", str(out))
    np.testing.assert_allclose(out.numpy(), x.numpy() @ model.weight.numpy() + model.bias.numpy(), rtol=1e-5, atol=1e-6)


# --- what they can do -----------------------------------------------------------------------------------


def test_what_is_made_of_nothing_is_a_tensor_of_oneflow() -> None:
    x = flow.ones(2)
    made = [
        flow.zeros(2), flow.randn(2), flow.arange(3), flow.eye(2), flow.tensor([1]), flow.zeros_like(x), x.new_ones(2),
        flow.from_numpy(np.ones(2)), flow.as_tensor([1.0]), flow.randperm(3), flow.FloatTensor(2), flow.full((2,), 1.0),
        flow.Tensor(2), flow.get_rng_state(), flow.stack([x, x]), flow.nn.Linear(2, 2).weight, flow.nn.BatchNorm1d(2).running_mean,
    ]  # fmt: skip
    assert all(isinstance(t, flow.Tensor) for t in made)
    assert flow.Tensor is Tensor
    assert isinstance(TensorTuple([x]), list)


def test_a_global_tensor_of_one_process_is_the_tensor_itself() -> None:
    placement = flow.placement("cpu", {0: [0]})
    x = flow.ones(2, placement=placement, sbp=flow.sbp.broadcast)
    assert x.to_global(placement, sbp=[flow.sbp.split(0)]) is x
    assert x.to_local() is x
    assert not x.is_global
    assert flow.env.get_world_size() == flow.env.get_node_size() == 1
    assert flow.env.all_device_placement("cpu") == placement
    with pytest.raises(RuntimeError, match="no placement"):
        _ = x.placement
    with pytest.raises(RuntimeError, match="no device 'cuda'"):
        flow.placement("cuda", [0])
    with pytest.raises(ValueError, match="whose rank is 0"):
        flow.placement("cpu", [0, 1])


def test_gradients_and_ndarrays() -> None:
    def loss(y_pred, y):
        return flow.sum(1 / 2 * (y_pred - y) ** 2)

    x = flow.ones(1, 5)
    w = flow.randn(5, 3, requires_grad=True)
    b = flow.randn(1, 3, requires_grad=True)
    z = flow.matmul(x, w) + b
    y = flow.zeros(1, 3)
    total = loss(z, y)
    total.backward()
    assert total.shape == ()
    np.testing.assert_allclose(b.grad.numpy(), z.numpy(), rtol=1e-6)
    np.testing.assert_allclose(w.grad.numpy(), np.broadcast_to(z.numpy(), (5, 3)), rtol=1e-6)
    first = flow.autograd.grad(flow.sum(w * w), w)[0]
    np.testing.assert_allclose(first.numpy(), 2 * w.numpy(), rtol=1e-6)


def test_functions_with_a_way_back_of_their_own_are_called_by_apply_or_as_objects() -> None:
    class Double(flow.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 10

    for call in (Double.apply, Double()):
        x = flow.ones(2, requires_grad=True)
        call(x).sum().backward()
        assert x.grad.tolist() == [10.0, 10.0]


def test_tensors_are_copied_and_pickled_with_what_made_them_left_behind() -> None:
    x = flow.ones(2, requires_grad=True)
    for made in (copy.deepcopy(x * 3), pickle.loads(pickle.dumps(x * 3))):
        assert isinstance(made, flow.Tensor)
        assert made.tolist() == [3.0, 3.0]
    assert copy.deepcopy(x).requires_grad
    assert pickle.loads(pickle.dumps(flow.float32)) is flow.float32
    bound = copy.deepcopy(flow.nn.Linear(2, 2).forward)
    assert bound(flow.ones(1, 2)).shape == (1, 2)


def test_functions_that_pytorch_has_not() -> None:
    x = flow.arange(6).reshape(2, 3)
    assert flow.cast(x, flow.float32).dtype is flow.float32
    assert x.cast(flow.int8).dtype is flow.int8
    assert flow.gather_nd(x, flow.tensor([[1, 2]])).tolist() == [5]
    assert flow.scatter_nd(flow.tensor([[1]]), flow.tensor([7.0]), [3]).tolist() == [0.0, 7.0, 0.0]
    assert flow.tensor_scatter_nd_update(flow.zeros(3), flow.tensor([[2]]), flow.ones(1)).tolist() == [0.0, 0.0, 1.0]
    assert flow.broadcast_like(flow.ones(3), flow.zeros(2, 3)).shape == (2, 3)
    assert flow.broadcast_like(flow.ones(2), flow.zeros(2, 3), [1]).shape == (2, 3)
    assert flow.slice(x, [[0, 2, 1], [0, 3, 2]]).tolist() == [[0, 2], [3, 5]]
    y = flow.zeros(3)
    assert flow.slice_update(y, flow.ones(2), [[0, 3, 2]]).tolist() == y.tolist() == [1.0, 0.0, 1.0]
    assert flow.in_top_k(flow.tensor([1, 0]), flow.tensor([[0.0, 1.0], [0.0, 1.0]]), 1).tolist() == [True, False]
    assert flow.convert_oneflow_dtype_to_numpy_dtype(flow.float32) is np.float32
    assert flow.get_default_dtype() is flow.float32
    assert flow._C.matmul(flow.ones(2, 2), flow.ones(2, 2)).sum() == 8
    assert flow.nn.functional.depend(y, x) is y


def test_names_that_oneflow_has_and_jitcore_has_not_say_so() -> None:
    assert isinstance(flow.nms, Missing)
    with pytest.raises(NotImplementedError, match=r"oneflow\.nms of OneFlow is not in jitcore"):
        flow.nms(1)
    with pytest.raises(NotImplementedError, match=r"oneflow\.nn\.COCOReader of OneFlow"):
        flow.nn.COCOReader()
    with pytest.raises(AttributeError, match="has no attribute 'vmap'"):
        _ = flow.vmap
    with pytest.raises(ImportError):
        from oneflow.nn import Bilinear  # noqa: F401


# --- compiled code --------------------------------------------------------------------------------------


def test_compiled_functions_of_its_tensors_give_its_tensors() -> None:
    @jitcore.jit
    def compiled(x, w):
        y = flow.zeros(x.size(0), 2) + flow.matmul(x, w)
        while y.sum() < 100:
            y = y * 2
        return y, flow.ones(2), flow.nn.functional.relu(-x)

    x, w = flow.ones(3, 4), flow.ones(4, 2)
    made = compiled(x, w)
    assert all(isinstance(t, flow.Tensor) for t in made)
    assert made[0].tolist() == [[32.0, 32.0]] * 3
    assert made[2].sum() == 0


def test_compiled_modules_agree_with_eager_ones() -> None:
    model = flow.nn.Sequential(flow.nn.Linear(4, 8), flow.nn.ReLU(), flow.nn.LayerNorm(8), flow.nn.Linear(8, 2))
    recurrent = flow.nn.LSTM(2, 3)
    x = flow.randn(5, 4)

    def forward(x):
        y, (h, c) = recurrent(model(x)[None])
        return y, h, c

    for eager, compiled in zip(forward(x), jitcore.jit(forward)(x), strict=True):
        assert isinstance(compiled, flow.Tensor)
        np.testing.assert_allclose(compiled.numpy(), eager.numpy(), rtol=1e-5, atol=1e-6)


# --- arguments as trees ---------------------------------------------------------------------------------


def test_trees_of_arguments() -> None:
    x = flow.ones(2)
    tree = ArgsTree((x, [1, {"key": None}]), True, "", "Graph_0")
    found = [name for name, _ in tree.iter_named_nodes()]
    assert found == ["_Graph_0", "0_1", "1_2", "1.0_3", "1.1_4", "1.1.0_key"]
    leaves = tree.map_leaf(lambda leaf: repr(leaf))
    assert leaves[0] == "(name: 1, idx: 1, type: TENSOR, value: tensor(..., size=(2,), dtype=oneflow.float32))"
    assert leaves[1] == [
        "(name: 3, idx: 3, type: OPAQUE, value: 1)",
        {"key": "(name: key, idx: 5, type: NONE, value: None)"},
    ]
    plain = ArgsTree([1, (2, 3)])
    assert list(plain.iter_tuple_nodes()) == [1, 2, 3]
    assert plain.map_leaf(lambda n: n + 1) == [2, (3, 4)]
