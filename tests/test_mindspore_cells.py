"""MindSpore programs with Cells that hooks are added to, and with what Cells hold besides Parameters: buffers, their state as a dict."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

from typing import Any

import pytest
from mindspore_cases import BY_LINES, close, floats

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, jit, nn, ops  # noqa: E402
from mindspore.common.parameter import _Buffer  # noqa: E402

pytestmark = pytest.mark.usefixtures("mode")


by_all = ops.GradOperation(get_all=True)


# --- hooks -----------------------------------------------------------------------------------------------


class Twice(nn.Cell):
    def construct(self, x, scale=2):
        return x * scale


@BY_LINES
def test_backward_hooks_are_around_forward_hooks():
    net, seen = Twice(), []
    net.register_forward_hook(lambda cell, inputs, output: output * 3 + inputs[0])

    def hook(cell, of_inputs, of_outputs):
        seen.append((float(of_inputs[0].sum()), float(of_outputs[0].sum())))

    net.register_backward_hook(hook)
    net.register_backward_pre_hook(lambda cell, gradient: (gradient[0] * 10,))
    close(ms.grad(net)(floats(1.0)), 70.0)
    assert seen == [(70.0, 10.0)]


def test_hooks_are_given_keywords():
    net = Twice()
    before = net.register_forward_pre_hook(lambda cell, args, kw: (args, {"scale": kw["scale"] + 1}), with_kwargs=True)
    net.register_forward_hook(lambda cell, args, kw, output: output + kw["scale"], with_kwargs=True)
    close(net(floats(1.0), scale=3), 8.0)
    before.remove()
    close(net(floats(1.0), scale=3), 6.0)


class Slope(nn.Cell):
    def __init__(self, function: Any):
        super().__init__()
        self.function = function

    def construct(self, x):
        return ops.grad(self.function)(x)


@BY_LINES
def test_hooks_of_tensors_where_a_cell_takes_the_gradient():
    x = floats(3.0)
    handle = x.register_hook(lambda gradient: gradient * 2)
    assert len(x.hooks()) == 1
    slope = Slope(lambda x: x * x)
    close(slope(x), 12.0)
    handle.remove()
    assert not x.hooks()
    close(slope(x), 6.0)


@BY_LINES
def test_backward_hooks_of_cells_that_give_dicts():
    net, seen = OfTable(), []
    net.register_backward_hook(lambda cell, of_inputs, of_outputs: seen.append(of_outputs))
    close(ms.grad(lambda x: net(x)["a"] * 3)(floats(1.0)), 6.0)
    close(seen[0][0]["a"], 3.0)
    close(seen[0][0]["b"], 0.0)


class OfTable(nn.Cell):
    def construct(self, x):
        return {"a": x * 2, "b": x}


@BY_LINES
def test_hooks_of_parameters_where_a_compiled_function_takes_the_gradient():
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    of_net = ms.value_and_grad(net, None, net.trainable_params())
    step = jit(lambda x: of_net(x)[1][0] * 1)
    close(step(floats([3.0])), 3.0)
    handle = net.weight.register_hook(lambda gradient: gradient * 5)
    close(step(floats([3.0])), 15.0)
    handle.remove()
    close(step(floats([3.0])), 3.0)


@BY_LINES
def test_hooks_between_operators():
    seen = []
    doubled = ops.HookBackward(lambda gradients: seen.append(gradients) or gradients[0] * 2)
    swapped = ops.HookBackward(lambda gradients: gradients[::-1])

    def f(x, y):
        x, y = swapped(doubled(x), y)
        return x * 3 + y * 5

    by_x, by_y = by_all(f)(floats(1.0), floats(1.0))
    close(by_x, 10.0)
    close(by_y, 3.0)
    assert [type(gradients) for gradients in seen] == [tuple]
    for wrong, error in ((lambda g: 3, TypeError), (lambda g: g + g, ValueError)):
        hook = ops.HookBackward(wrong)
        with pytest.raises(error):
            ms.grad(lambda x, hook=hook: hook(x) * 2)(floats(1.0))


@BY_LINES
def test_hooks_that_are_wrong():
    with pytest.raises(RuntimeError, match="requires grad"):
        Parameter(floats(1.0), requires_grad=False).register_hook(lambda g: g)
    x = floats(3.0)
    x.register_hook(lambda g: (g, g))
    with pytest.raises(RuntimeError, match="hook"):
        ms.grad(lambda x: x * x)(x)


# --- what Cells hold -------------------------------------------------------------------------------------


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.shift = _Buffer(floats(1.0, 2.0))
        self.register_buffer("count", Tensor(0), persistent=False)
        self.register_buffer("later", None)
        self.weight = Parameter(floats(3.0, 4.0))

    def construct(self, x):
        self.count += 1
        return x * self.weight + self.shift


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.register_buffer("factor", floats(2.0))

    def construct(self, x):
        return self.inner(x) * self.factor


def test_buffers():
    net = Outer()
    close(net(floats(1.0, 1.0)), [8.0, 12.0])
    assert [name for name, _ in net.named_buffers()] == ["factor", "inner.shift", "inner.count"]
    assert [name for name, _ in net.named_buffers(recurse=False, prefix="net")] == ["net.factor"]
    assert len(list(net.buffers())) == 3
    assert [p.name for p in net.get_parameters()] == ["inner.weight"]
    net.inner.shift = floats(0.0, 0.0)
    close(net(floats(1.0, 1.0)), [6.0, 8.0])
    assert int(net.get_buffer("inner.count")) == 2
    assert net.get_parameter("inner.weight") is net.inner.weight
    with pytest.raises(AttributeError, match="no attribute"):
        net.get_buffer("inner.weight")
    for name, error in ((3, TypeError), ("a.b", KeyError), ("inner", KeyError)):
        with pytest.raises(error):
            net.register_buffer(name, floats(1.0))


def test_all_that_a_cell_holds_as_a_dict(tmp_path):
    net, other, called = Outer(), Outer(), []
    net.inner.shift = floats(5.0, 6.0)
    net.register_state_dict_pre_hook(lambda cell, prefix, keep: called.append("saving"))
    handle = net.register_state_dict_post_hook(lambda cell, state, prefix, metadata: called.append("saved"))
    other.register_load_state_dict_pre_hook(lambda *_: called.append("loading"))
    other.register_load_state_dict_post_hook(lambda cell, keys: called.append("loaded"))
    assert list(net.state_dict()) == ["factor", "inner.weight", "inner.shift"]
    handle.remove()
    ms.save_checkpoint(net.state_dict(), str(tmp_path / "net.ckpt"))
    other.load_state_dict(ms.load_checkpoint(str(tmp_path / "net.ckpt")))
    assert called == ["saving", "saved", "saving", "loading", "loaded"]
    close(other(floats(1.0, 1.0)), [16.0, 20.0])
    found = other.load_state_dict({"factor": floats(1.0), "more": floats(1.0)}, strict=False)
    assert found == (["inner.weight", "inner.shift"], ["more"])
    for wrong in ({"factor": floats(1.0)}, {**net.state_dict(), "factor": floats(1.0, 2.0)}):
        with pytest.raises(RuntimeError, match="state_dict"):
            other.load_state_dict(wrong)


def test_parameters_keep_their_dtype():
    half = Parameter(Tensor([1.0], ms.float16), name="half")
    for value, wider in enumerate((ms.float32, ms.float64, ms.int32)):
        half.set_data(Tensor([value], wider))
        assert half.dtype == ms.float16
        assert float(half) == value
    half.data = floats(2.0)
    assert float(half) == 2.0


def test_another_tensor_s_memory():
    x = floats(1.0, 2.0)
    x.data = Tensor([[3]])
    assert x.shape == (1, 1)
    assert x.dtype == ms.int64
    assert x.data_ptr() == x.data.data_ptr()


# --- Cells side by side ------------------------------------------------------------------------------------


class Scaled(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.factor = Parameter(floats(factor), name="factor")

    def construct(self, x, y):
        return x * self.factor + y, (x * self.factor).sum()


class Ensemble(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cells_of_it = nn.CellList([Scaled(2.0), Scaled(3.0)])
        self.each = ms.vmap(self.cells_of_it, in_axes=(1, None), out_axes=(1, 0))

    def construct(self, x, y):
        return self.each(x, y)


def test_each_cell_of_a_list_is_called_for_another_row():
    net, x, y = Ensemble(), floats([1.0, 2.0], [3.0, 4.0]), floats(10.0, 20.0)
    values, sums = net(x, y)
    close(values, [[12.0, 16.0], [26.0, 32.0]])
    close(sums, [8.0, 18.0])
    close(ms.vmap(net.cells_of_it, in_axes=None)(y, y)[1], [60.0, 90.0])
    of_sums = ms.grad(lambda x, y: net(x, y)[1], None, net.trainable_params())
    for gradient, expected in zip(of_sums(x, y), (4.0, 6.0), strict=True):
        close(gradient, expected)
    with pytest.raises(ValueError, match="2 functions"):
        ms.vmap(net.cells_of_it)(floats(1.0, 2.0, 3.0), floats(1.0, 2.0, 3.0))
