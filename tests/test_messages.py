"""Messages say what was given, where the user's code is, and what to write instead."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, nn, ops, value_and_grad
from jitcore.source import CompileError


def double(x: Any) -> Any:
    return x * 2


HOLDS_ITSELF: list[Any] = [1.0]
HOLDS_ITSELF.append(HOLDS_ITSELF)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (np.array([object()]), "arrays of dtype object"),
        (np.array(["a", "b"]), "arrays of dtype <U1"),
        (np.array([b"a"]), "arrays of dtype |S1"),
        (np.array(["2020-01-01"], "datetime64[D]"), "arrays of dtype datetime64[D]"),
        (np.zeros(2, [("a", float)]), "arrays of dtype [('a', '<f8')]"),
        (np.zeros(2, np.longdouble), "arrays of dtype float128"),
        (np.ma.masked_array([1.0], [True]), "MaskedArray"),
        (HOLDS_ITSELF, "a container that holds itself"),
    ],
    ids=["objects", "text", "bytes", "dates", "records", "long floats", "masked", "a cycle"],
)
def test_arguments_are_refused_at_the_function(argument: Any, said: str) -> None:
    with pytest.raises(CompileError) as caught:
        jit(double)(argument)
    text = str(caught.value)
    assert said in text
    assert f'File "{__file__}", line {double.__code__.co_firstlineno}, in double' in text
    assert "instead:" in text
    assert "<jitcore>" not in text


class Net(nn.Cell):
    def __init__(self, layer: nn.Cell) -> None:
        super().__init__()
        self.layer = layer

    def construct(self, x: Any) -> Any:
        h = x + 1
        return self.layer(h)


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("shape", [(2, 5), (5,), (4, 2, 1)])
def test_dense_of_another_width(shape: tuple[int, ...]) -> None:
    net = Net(nn.Dense(3, 4))
    with pytest.raises(ValueError, match=rf"dense: the last axis of the input has extent {shape[-1]}, not 3") as caught:
        net(Tensor(np.ones(shape, np.float32)))
    frames = traceback.extract_tb(caught.tb)
    assert any(f.name == "construct" and f.filename == __file__ and "self.layer(h)" in (f.line or "") for f in frames)


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def int_ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.int32))


class AlsoWith(nn.Cell):
    """A layer of two operands, the second of which is another."""

    def __init__(self, layer: nn.Cell, second: Tensor) -> None:
        super().__init__()
        self.inner = layer
        self.second = second

    def construct(self, x: Any) -> Any:
        return self.inner(x - 1, self.second)


LAYERS: dict[str, tuple[Callable[[], nn.Cell], Tensor, str]] = {
    "Conv1d": (lambda: nn.Conv1d(3, 4, 3), ones(1, 2, 8), "has 2 channels, the weight is for 3"),
    "Conv2d": (lambda: nn.Conv2d(3, 4, 3), ones(1, 2, 8, 8), "has 2 channels, the weight is for 3"),
    "Conv3d": (lambda: nn.Conv3d(3, 4, 3), ones(1, 2, 8, 8, 8), "has 2 channels, the weight is for 3"),
    "Conv1d's name": (lambda: nn.Conv1d(3, 4, 3), ones(1, 2, 8), r"^conv1d: .* the input has shape \(1,2,8\)"),
    "Conv1dTranspose": (
        lambda: nn.Conv1dTranspose(3, 4, 3),
        ones(1, 2, 8),
        r"^conv1d_transpose: .*2 channels, .* for 3",
    ),
    "Conv2dTranspose": (
        lambda: nn.Conv2dTranspose(3, 4, 3),
        ones(1, 2, 8, 8),
        r"^conv2d_transpose: .* 2 channels, .* for 3: the input has shape \(1,2,8,8\), the weight \(3,4,3,3\)$",
    ),
    "Conv3dTranspose": (
        lambda: nn.Conv3dTranspose(3, 4, 3),
        ones(1, 2, 8, 8, 8),
        "^Conv3DTranspose: .*2 channels, .* for 3",
    ),
    "Conv2dTranspose of groups": (
        lambda: nn.Conv2dTranspose(4, 4, 2, group=2),
        ones(1, 6, 8, 8),
        "^conv2d_transpose: .* 6 channels, .* for 4",
    ),
    "Conv1d of 2 axes": (lambda: nn.Conv1d(3, 4, 3), ones(3, 8), "^conv1d takes arrays of 3 dimensions, not 2"),
    "Conv1dTranspose of 2 axes": (lambda: nn.Conv1dTranspose(3, 4, 3), ones(3, 8), "^conv1d_transpose takes .* 3 dim"),
    "Conv2dTranspose of 3 axes": (
        lambda: nn.Conv2dTranspose(3, 4, 3),
        ones(3, 8, 8),
        "^conv2d_transpose takes .* 4 dim",
    ),
    "Conv3dTranspose of 4 axes": (
        lambda: nn.Conv3dTranspose(3, 4, 3),
        ones(3, 8, 8, 8),
        "^Conv3DTranspose takes .* 5 dim",
    ),
    "Dense of a scalar": (lambda: nn.Dense(3, 4), ones(), "^dense takes an input of at least 1 dimension"),
    "BiDense": (
        lambda: AlsoWith(nn.BiDense(3, 4, 5), ones(2, 4)),
        ones(2, 4),
        "^BiDense takes .* 3 and 4 .*, not 4 and 4",
    ),
    "RNN of 1 axis": (lambda: nn.RNN(3, 4), ones(5), "^RNN takes x of 3 dimensions, not 1"),
    "LSTM of 2 axes": (lambda: nn.LSTM(3, 4), ones(5, 3), "^LSTM takes x of 3 dimensions, not 2"),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), ones(1, 3, 4, 4), "^pixel_shuffle: 3 channels do not divide into 4"),
    "PixelShuffle of 2 axes": (lambda: nn.PixelShuffle(2), ones(4, 4), "^pixel_shuffle takes .* at least 3 dimensions"),
    "PixelUnshuffle": (lambda: nn.PixelUnshuffle(2), ones(1, 3, 5, 4), "^pixel_unshuffle: 5 rows do not divide into 2"),
    "ChannelShuffle": (
        lambda: nn.ChannelShuffle(2),
        ones(1, 3, 4, 4),
        "^channel_shuffle: 3 channels do not divide into 2",
    ),
    "GLU": (lambda: nn.GLU(), ones(2, 3), "^glu: 3 elements along axis 1 do not divide into 2"),
    "MaxUnpool2d": (
        lambda: AlsoWith(nn.MaxUnpool2d(2), int_ones(1, 1, 3, 2)),
        ones(1, 1, 2, 2),
        "^max_unpool: .* 3, .* 2$",
    ),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d(2), ones(4), "^adaptive pooling over 2 axes .* not 1"),
    "Unfold": (lambda: nn.Unfold((1, 2, 2, 1), (1, 2, 2, 1), (1, 1, 1, 1)), ones(4, 4), "^Unfold takes x of 4 dim"),
    "BatchNorm2d": (
        lambda: nn.BatchNorm2d(3),
        ones(1, 2, 8, 8),
        r"^batch_norm: .* 2 channels, .* for 3: .*\(1,2,8,8\)",
    ),
    "BatchNorm1d that trains": (
        lambda: nn.BatchNorm1d(3).set_train(),
        ones(4, 2),
        "^batch_norm: .* 2 channels, .* for 3",
    ),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), ones(1, 6, 8, 8), "^group_norm: .* 6 channels, .* for 4"),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(3), ones(1, 2, 8, 8), "^instance_norm: .* 2 channels, .* for 3"),
    "PReLU": (lambda: nn.PReLU(3), -ones(1, 2, 8), "^prelu: .* 2 channels, .* for 3"),
    "LayerNorm": (lambda: nn.LayerNorm((3,)), ones(2, 5), r"shapes \(2,5\) \(3,\)"),
    "LSTM": (lambda: nn.LSTM(3, 4), ones(5, 2, 6), "has extent 6, not 3"),
    "GRU": (lambda: nn.GRU(3, 4), ones(5, 2, 6), "has extent 6, not 3"),
    "RNN": (lambda: nn.RNN(3, 4), ones(5, 2, 6), "has extent 6, not 3"),
    "MaxPool2d": (lambda: nn.MaxPool2d(9), ones(1, 1, 4, 4), "a window of 9 is larger than the padded extent 4"),
    "Embedding": (lambda: nn.Embedding(3, 4), Tensor(np.array([0, 6])), "index 7 is out of bounds .* size 3"),
    "Unflatten": (lambda: nn.Unflatten(1, (2, 2)), ones(2, 5), "cannot reshape array of size 10"),
}


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_other_widths(name: str) -> None:
    make, x, said = LAYERS[name]
    net = Net(make())
    with pytest.raises((ValueError, IndexError), match=said) as caught:
        net(x)
    frames = traceback.extract_tb(caught.tb)
    assert any(f.name == "construct" and f.filename == __file__ and "self.layer(h)" in (f.line or "") for f in frames)


OPERATORS: dict[str, tuple[Callable[[Any], Any], Tensor, str]] = {
    "mint's conv1d": (lambda x: ops.conv1d_ext(x, ones(4, 3, 2)), ones(1, 2, 8), "^conv1d: .* 2 channels, .* for 3"),
    "conv_transpose2d": (
        lambda x: ops.conv_transpose2d(x, ones(3, 4, 2, 2)),
        ones(1, 2, 8, 8),
        "^conv_transpose2d: .* 2 channels, .* for 3",
    ),
    "groups of conv_transpose2d": (
        lambda x: ops.conv_transpose2d(x, ones(3, 4, 2, 2), groups=2),
        ones(1, 3, 8, 8),
        "^conv_transpose2d: 3 input channels do not divide into 2 groups",
    ),
    "strides of conv_transpose2d": (
        lambda x: ops.conv_transpose2d(x, ones(3, 4, 2, 2), stride=0),
        ones(1, 3, 8, 8),
        "^conv_transpose2d: stride, dilation and groups must be at least 1",
    ),
    "Conv2DTranspose": (
        lambda x: ops.Conv2DTranspose(4, 2)(x, ones(3, 4, 2, 2), (1, 4, 9, 9)),
        ones(1, 2, 8, 8),
        "^For 'Conv2DTranspose', conv2d_transpose: .* 2 channels, .* for 3",
    ),
    "the size of Conv2DTranspose": (
        lambda x: ops.Conv2DTranspose(4, 2)(x, ones(3, 4, 2, 2), (1, 4, 12, 9)),
        ones(1, 3, 8, 8),
        "^For 'Conv2DTranspose', the gradient of conv2d: .*",
    ),
    "a bias of conv2d": (
        lambda x: ops.conv2d(x, ones(4, 3, 2, 2), ones(5)), ones(1, 3, 8, 8), "^conv2d: 5 biases for 4 channels",
    ),
    "a bias of conv3d": (
        lambda x: ops.conv3d(x, ones(4, 3, 2, 2, 2), ones(5)), ones(1, 3, 8, 8, 8), "^conv3d: 5 biases for 4 channels",
    ),
}  # fmt: skip


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_called_as_the_user_calls_them(name: str, compiled: bool) -> None:
    call, x, said = OPERATORS[name]
    with pytest.raises(ValueError, match=said):
        (jit(call) if compiled else call)(x)


def test_channels_of_the_run() -> None:
    """What is compiled for any number of channels says how many there were."""
    call = jit(lambda x, w: ops.conv_transpose2d(x, w))
    for n in (1, 2, 3):
        call(ones(1, n, 4, 4), ones(n, 2, 2, 2))
    with pytest.raises(ValueError, match=r"^conv_transpose2d: .* has 6 channels, .* for 5: .*\(1,6,4,4\).*\(5,2,2,2\)"):
        call(ones(1, 6, 4, 4), ones(5, 2, 2, 2))


def test_dense_of_widths_of_the_run() -> None:
    net = Net(nn.Dense(3, 4))
    for n in (1, 2, 3):
        net(Tensor(np.ones((n, 3), np.float32)))
    with pytest.raises(ValueError, match="has extent 6, not 3"):
        net(Tensor(np.ones((2, 6), np.float32)))


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("taken", [grad, value_and_grad, lambda f: jit(grad(f))])
@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (np.arange(3), "int64"),
        (np.arange(3, dtype=np.uint8), "uint8"),
        (np.array([True]), "bool"),
    ],
)
def test_gradients_by_ints(taken: Callable[..., Any], argument: Any, said: str) -> None:
    with pytest.raises(TypeError, match=rf"not a Tensor of {said}: convert it to a float dtype first"):
        taken(lambda x: (x * 1.5).sum())(Tensor(argument))


@pytest.mark.parametrize(
    ("option", "instead"),
    [
        ("cache", "kept on disk"),
        ("static_argnums", "found out"),
        ("static_argnames", "found out"),
        ("input_signature", "serves all shapes"),
        ("nopython", "jit_syntax_level='STRICT'"),
        ("fastmath", "as Python and NumPy"),
        ("donate_argnums", "in place"),
        ("backend", "device_target"),
        ("boundscheck", "always checked"),
    ],
)
def test_options_of_other_compilers(option: str, instead: str) -> None:
    for use in (lambda: jit(**{option: True}), lambda: jit(double, **{option: True})):
        with pytest.raises(TypeError, match=f"no options, not {option}\n  instead of {option}: .*{instead}"):
            use()


def test_options_that_nobody_has() -> None:
    with pytest.raises(TypeError, match=r"jit\(\) takes a function and no options, not wrong$"):
        jit(wrong=1)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{!z}", "Unknown conversion specifier z"),
        ("{} {1}", "cannot switch from automatic field numbering to manual field specification"),
        ("{1} {}", "cannot switch from manual field specification to automatic field numbering"),
        ("{", "Single '{' encountered in format string"),
    ],
)
def test_templates_that_are_none_raise_what_python_raises(template: str, said: str) -> None:
    def program(n: int) -> str:
        return template.format(n, n)

    for function in (program, jit(program)):
        with pytest.raises(ValueError, match=said):
            function(1)
