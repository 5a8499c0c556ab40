"""Messages say what was given, where the user's code is, and what to write instead."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, nn, value_and_grad
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


LAYERS: dict[str, tuple[Callable[[], nn.Cell], Tensor, str]] = {
    "Conv1d": (lambda: nn.Conv1d(3, 4, 3), ones(1, 2, 8), "has 2 channels, the weight is for 3"),
    "Conv2d": (lambda: nn.Conv2d(3, 4, 3), ones(1, 2, 8, 8), "has 2 channels, the weight is for 3"),
    "Conv3d": (lambda: nn.Conv3d(3, 4, 3), ones(1, 2, 8, 8, 8), "has 2 channels, the weight is for 3"),
    "Conv1dTranspose": (lambda: nn.Conv1dTranspose(3, 4, 3), ones(1, 2, 8), "has 2 channels, the weight is for 3"),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(3, 4, 3), ones(1, 2, 8, 8), "has 2 channels, the weight is for 3"),
    "Conv3dTranspose": (
        lambda: nn.Conv3dTranspose(3, 4, 3),
        ones(1, 2, 8, 8, 8),
        "has 2 channels, the weight is for 3",
    ),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(3), ones(1, 2, 8, 8), r"shapes \(1,2,8,8\) \(3,1,1\)"),
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
        ("parallel", "threads"),
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
