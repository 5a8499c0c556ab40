"""MindSpore programs about its language: functions and Cells with gradients of the user's own, checks of arguments."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import numpy as np
import pytest
from mindspore_cases import BY_LINES, close, floats

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, _checkparam, _Function, context, jit, nn, ops  # noqa: E402

pytestmark = pytest.mark.usefixtures("mode")


by_all = ops.GradOperation(get_all=True)


# --- functions with a gradient of their own --------------------------------------------------------------


class Scaled(_Function):
    """x * y and x, whose gradients are not theirs."""

    @staticmethod
    def forward(ctx, x, y, times=1):
        ctx.times = times
        ctx.save_for_backward(x)
        return x * y * times, times, x + 1

    @staticmethod
    def backward(ctx, of_product, _, of_sum):
        assert ctx.needs_input_grad == (True, True)
        (x,) = ctx.saved_tensors
        return of_product * 10 * ctx.times, of_sum * 100 + x


@BY_LINES
def test_functions_with_gradients_of_their_own():
    x, y = floats(2.0, 3.0), floats(4.0, 5.0)
    close(Scaled.apply(x, y, times=2)[0], [16.0, 30.0])
    by_x, by_y = by_all(lambda x, y: Scaled.apply(x, y, times=3)[0])(x, y)
    close(by_x, 30.0)
    close(by_y, [2.0, 3.0])
    _, by_y = by_all(lambda x, y: Scaled.apply(x, y)[2] * 2)(x, y)
    close(by_y, [202.0, 203.0])


@BY_LINES
def test_functions_with_gradients_of_their_own_in_compiled_code():
    @jit
    def doubled(x, y):
        return Scaled.apply(x, y)[0] * 2

    close(doubled(floats(2.0), floats(4.0)), 16.0)
    close(ms.grad(doubled)(floats(2.0), floats(4.0)), 20.0)


def function_of(forward, backward):
    return type("Made", (_Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


@BY_LINES
@pytest.mark.parametrize(
    ("given", "text"),
    [
        (lambda ctx, g: g, "wrong number"),
        (lambda ctx, g: (g, 4), "none or tensor"),
        (lambda ctx, g: (g, ops.ones((3, 5))), "broadcast"),
    ],
)
def test_gradients_that_do_not_fit(given, text):
    made = function_of(lambda ctx, x, y: x + y, given)
    with pytest.raises(RuntimeError, match=text):
        by_all(made.apply)(floats(1.0, 2.0), floats(1.0, 2.0))


@BY_LINES
def test_gradients_are_summed_and_converted():
    rows = Tensor([[1, 1], [2, 3]], ms.int64)
    made = function_of(lambda ctx, x, y: x + y, lambda ctx, g: (rows, None))
    by_x, by_y = by_all(made.apply)(floats(1.0, 2.0), floats(1.0, 2.0))
    assert by_x.dtype == ms.float32
    close(by_x, [3.0, 4.0])
    close(by_y, 0.0)


@BY_LINES
def test_marks_of_inputs_and_results():
    def doubles(ctx, x, y):
        ctx.mark_dirty(x)
        return x.mul_(y), x + 5

    made = function_of(doubles, lambda ctx, g, _: (g * 7, g))

    def f(x, y):
        z = x + 1
        product, _ = made.apply(z, y)
        assert product is z
        return z * 2

    by_x, by_y = by_all(f)(floats(1.0), floats(3.0))
    close(f(floats(1.0), floats(3.0)), 12.0)
    close(by_x, 14.0)
    close(by_y, 2.0)

    def constant(ctx, x):
        z = x * 2
        ctx.mark_non_differentiable(z)
        return z

    close(ms.grad(function_of(constant, lambda ctx, g: g).apply)(floats(1.0)), 0.0)
    with pytest.raises(RuntimeError, match="outputs"):
        by_all(function_of(lambda ctx, x: ctx.mark_dirty(x) or x + 1, lambda ctx, g: g).apply)(floats(1.0))


@BY_LINES
def test_gradients_of_results_that_nothing_came_of():
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx, first, second):
        seen.append(second)
        return first

    made = function_of(forward, backward)
    close(ms.grad(lambda x: made.apply(x)[0])(floats(1.0)), 1.0)
    assert seen == [None]


# --- Cells with a gradient of their own ------------------------------------------------------------------


class Sum(nn.Cell):
    def __init__(self, gradient):
        super().__init__()
        self.gradient = gradient

    def construct(self, x, y):
        return x + y

    def bprop(self, *args):
        return self.gradient, self.gradient


def test_gradients_of_cells_are_summed():
    x, y = floats(1.0, 2.0), floats([1.0, 2.0], [3.0, 4.0])
    by_x, by_y = by_all(Sum(Tensor([[1, 1], [2, 3]], ms.int64)))(x, y)
    close(by_x, [3.0, 4.0])
    close(by_y, [[1.0, 1.0], [2.0, 3.0]])
    with pytest.raises((ValueError, RuntimeError), match="broadcast"):
        by_all(Sum(ops.ones((2, 3))))(x, y)


class Chosen(nn.Cell):
    def __init__(self):
        super().__init__()
        self.used_bprop_inputs = [0]

    def construct(self, x, y):
        return x * y

    def bprop(self, *args):
        assert args[1] is None
        assert args[2] is None
        return args[-1] * args[0], args[-1]


def test_what_a_gradient_of_the_users_own_sees():
    by_x, by_y = by_all(Chosen())(floats(3.0), floats(5.0))
    close(by_x, 3.0)
    close(by_y, 1.0)


class OfWeight(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(floats(2.0), name="w")
        self.internal_params = [self.w]

    def construct(self, x):
        return self.w * x

    def bprop(self, *args):
        return (args[-1] * 10,), {self.w: args[-1] * args[0] * 100}


@BY_LINES
def test_a_gradient_of_the_users_own_by_weights():
    net = OfWeight()
    (by_x,), (by_w,) = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(floats(3.0))
    close(by_x, 10.0)
    close(by_w, 300.0)


class WithNone(nn.Cell):
    def construct(self, x):
        return x * x, None

    def bprop(self, x, out, dout):
        return dout


def test_cotangents_as_the_gradient_of_one_argument():
    net = WithNone()
    close(ms.grad(lambda x: net(x)[0] * 3)(floats(5.0)), 3.0)


class OfDicts(nn.Cell):
    def construct(self, table, pair):
        return {"u": table["a"] * pair[0], "v": [table["b"], pair[1]]}

    def bprop(self, table, pair, out, dout):
        return {"b": dout["u"] * 2, "a": dout["v"][0] * 3}, (None, dout["v"][1] * 5)


def test_gradients_of_the_users_own_by_dicts_and_of_them():
    net = OfDicts()

    def f(x, y, z):
        made = net({"a": x, "b": y}, (x, z))
        made["more"] = made["u"]
        return made["more"] + made["v"][0] * 10 + made["v"][1] * 100

    found = by_all(f)(floats(1.0), floats(2.0), floats(3.0))
    for gradient, expected in zip(found, (30.0, 2.0, 500.0), strict=True):
        close(gradient, expected)


class Counted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.seen = []

    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        self.count += 1
        self.seen.append(dout)
        return dout * 3


@BY_LINES
def test_gradients_of_the_users_own_that_change_what_is_around_them():
    net = Counted()
    close(ms.grad(lambda x: net(net(x)))(floats(1.0)), 9.0)
    assert net.count == 2
    close(net.seen[1], 3.0)


class Turned(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        made = ops.expand_dims(dout, 0) if x[0, 0] > 0 else ops.expand_dims(dout, 1)
        return (ops.squeeze(made, 0) if x[0, 0] > 0 else ops.squeeze(made, 1),)


def test_gradients_of_extents_that_come_up_in_branches():
    for sign in (1.0, -1.0):
        close(ms.grad(Turned())(Tensor(np.full((2, 3), sign, np.float32))), 1.0)


# --- functions as operators -----------------------------------------------------------------------------


def test_functions_as_operators():
    def same(given):
        return given

    scaled = ops.Morph(lambda x, k=2.0: x * k, same, same)
    other = ops.Morph(lambda x: x * 3, same, same, bprop_fn=lambda x, out, dout: (dout * 7,))
    close(scaled(floats(1.0), k=4.0), 4.0)
    close(ms.grad(lambda x: scaled(scaled(x), k=4.0))(floats(1.0)), 8.0)
    close(ms.grad(lambda x: other(x) * 2)(floats(1.0)), 14.0)


# --- gradients -------------------------------------------------------------------------------------------


def test_arguments_of_gradients_are_checked():
    for options in ({"weights": "w"}, {"has_aux": "yes"}, {"return_ids": 1}, {"grad_position": "0"}):
        for make in (ms.grad, ms.value_and_grad):
            with pytest.raises((TypeError, ValueError)):
                make(lambda x: x, **options)(floats(1.0))


def with_options(position, axes, flag):
    """Functions whose transforms have options from outside the compiled code."""

    def f(x, y):
        return x * x * y

    return (
        jit(lambda x, y: ms.grad(f, position)(x, y)),
        jit(lambda x, y: ms.value_and_grad(lambda x, y: (f(x, y), x), position, has_aux=flag)(x, y)[1]),
        jit(lambda x, y: ops.GradOperation(get_all=flag)(f)(x, y)[position]),
        jit(lambda x, y: ms.jacrev(f, position)(x, y).sum(0)),
        jit(lambda x, y: ms.vmap(ms.grad(f, position), in_axes=axes)(x, y)),
        jit(lambda x, y: ms.vjp(f, x, y, has_aux=not flag)[1](x * 0 + 1)[position]),
    )


@pytest.mark.parametrize(("position", "axes", "expected"), [(0, 0, [12.0, 24.0]), (1, (0, 0), [4.0, 9.0])])
def test_options_of_transforms_are_captured(position, axes, expected):
    for function in with_options(position, axes, True):
        close(function(floats(2.0, 3.0), floats(3.0, 4.0)), expected)


def test_options_of_operators_are_captured():
    largest, exponent = 5.0, 1.0
    scaled = jit(lambda x: ops.renorm(x, exponent, 0, largest))
    close(scaled(floats([1.0, 1.0], [4.0, 6.0])), [[1.0, 1.0], [2.0, 3.0]])


def detached(x, y):
    z = x * y
    ops.stop_gradient_(z)
    return z * x


def test_what_a_tensor_holds_becomes_a_constant():
    for function in (detached, jit(detached)):
        by_x, by_y = by_all(function)(floats(2.0), floats(3.0))
        close(by_x, 6.0)
        close(by_y, 0.0)


# --- checks ----------------------------------------------------------------------------------------------


class Checked(nn.Cell):
    def construct(self, x, times):
        _checkparam.check_int(times, 0, _checkparam.GT, "times", self.cls_name)
        return x * _checkparam.check_value_type("times", times, [int], self.cls_name)


def test_checks_are_functions_of_a_module():
    close(Checked()(floats(2.0), 3), 6.0)
    with pytest.raises(ValueError, match="times"):
        Checked()(floats(2.0), -3)
    assert _checkparam.check_int_range(3, 1, 3, _checkparam.INC_BOTH) == 3
    assert _checkparam.check_positive_int_sequence((1, 2)) == (1, 2)
    assert _checkparam.check_type_name("dtype", ms.int32, (ms.int32, ms.int64)) == ms.int32
    assert _checkparam.check_str_by_regular("a_b.c")
    for wrong in (".a", "a+b"):
        with pytest.raises(ValueError, match="illegal"):
            _checkparam.check_str_by_regular(wrong)
    with pytest.raises(ValueError, match="legal float"):
        _checkparam.check_is_number(float("nan"), float)
    with pytest.raises(TypeError, match="must be one of"):
        _checkparam.check_type_name("dtype", ms.int8, (ms.int32,))
    with pytest.raises(ValueError, match="must > "):
        _checkparam.check_number(1.5, 2.0, _checkparam.GT, float)


def test_settings_are_checked():
    for wrong in ({"device_target": 3}, {"max_device_memory": 1}, {"enable_graph_kernel": "on"}, {"device_id": "0"}):
        with pytest.raises(TypeError):
            context.set_context(**wrong)
    for wrong in ({"deterministic": "maybe"}, {"max_call_depth": 0}, {"jit_config": {"jit_level": "O9"}}):
        with pytest.raises(ValueError, match=next(iter(wrong)).replace("jit_config", "jit_level")):
            context.set_context(**wrong)


def test_a_function_for_all_other_types():
    shown = ops.MultitypeFuncGraph("shown")
    shown.register("Number")(lambda x: "number")
    other = shown.register_default()(lambda x, *more: "other")
    apply = jit(lambda x: ops.HyperMap()(shown, x))
    assert apply((1, floats(1.0), [2, None])) == ("number", "other", ["number", "other"])
    line_by_line = ops.HyperMap()(shown, (1, floats(1.0), [2, None]))
    assert line_by_line == ("number", "other", ("number", "other"))  # all are tuples there
    assert shown.default is other


def made_with(k):
    def outer(x):
        a = k

        def inner():
            return x + a

        a = 100
        return inner()

    return outer


def test_functions_given_are_read_as_others_are():
    called = jit(call_of)
    assert [called(made_with(k), 1) for k in range(4)] == [
        1,
        2,
        3,
        4,
    ]  # an inner function keeps what there is when it is made


def call_of(f, x):
    return f(x)
