"""What notebooks show: Tensors of every framework, Cells and compiled functions as HTML, well-formed, escaped, and short."""

from __future__ import annotations

import gc
import weakref
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, Tensor, grad, jit, nn
from jitcore.compat.oneflow.tensor import Tensor as OneFlowTensor
from jitcore.compat.paddle.tensor import Tensor as PaddleTensor
from jitcore.compat.torch.nn.module import Module
from jitcore.compat.torch.tensor import Tensor as TorchTensor
from jitcore.passes.infer.engine import watching
from jitcore.runtime.markup import bytes_text
from jitcore.types import TensorType, f32

ODD = '<script>alert("&")</script>'


class Page(HTMLParser):
    """The text of a page: of its table's cells by row, and all; its elements are closed in order."""

    def __init__(self, shown: object) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.elements: list[str] = []
        markup = shown._repr_html_()  # type: ignore[attr-defined]
        assert isinstance(markup, str)
        self.feed(markup)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


# --- Tensors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tensor", "head", "rows"),
    [
        (Tensor(3.5), "Tensor () Float32, 4 B", [["3.5"]]),
        (Tensor([1, -2]), "Tensor (2,) Int64, 16 B", [["1", "-2"]]),
        (Tensor([[1.0, 2.0], [3.0, 1e30]]), "Tensor (2, 2) Float32, 16 B", [["1", "2"], ["3", "1e+30"]]),
        (Tensor([True, False]), "Tensor (2,) Bool, 2 B", [["True", "False"]]),
        (Tensor([float("nan"), float("inf")]), "Tensor (2,) Float32, 8 B", [["nan", "inf"]]),
        (Tensor(np.array([1 + 2j])), "Tensor (1,) Complex128, 16 B", [["1+2j"]]),
        (Tensor(np.zeros((0, 3))), "Tensor (0, 3) Float64, 0 B", []),
        (Parameter(Tensor([1]), name=ODD), f"Parameter {ODD} (1,) Int64, 8 B", [["1"]]),
    ],
)
def test_tensors(tensor: Tensor, head: str, rows: list[list[str]]) -> None:
    page = Page(tensor)
    assert page.text.startswith(head)
    assert page.rows == rows
    assert "script" not in page.elements


def test_large_tensors_are_cut_at_the_middle_of_each_axis() -> None:
    rows = Page(Tensor(np.arange(400).reshape(20, 20))).rows
    kept = [0, 1, 2, 3, 4, None, 15, 16, 17, 18, 19]
    assert rows == [["…" if i is None or k is None else str(20 * i + k) for k in kept] for i in kept]
    assert len(Page(Tensor(np.zeros(12))).rows[0]) == 12
    assert len(Tensor(np.zeros((30, 40, 50, 60)))._repr_html_()) < 5000


def test_tensors_of_more_axes_are_text() -> None:
    assert Page(Tensor(np.arange(8).reshape(2, 2, 2))).text.endswith("[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]")


@pytest.mark.parametrize(
    ("cls", "dtype"),
    [(TorchTensor, "torch.float32"), (PaddleTensor, "paddle.float32"), (OneFlowTensor, "oneflow.float32")],
)
def test_tensors_of_every_framework(cls: type[Any], dtype: str) -> None:
    made = jit(lambda x: x * 2)(cls([1.0, 2.0]))
    assert type(made) is cls
    page = Page(made)
    assert page.text.startswith(f"Tensor (2,) {dtype}, 8 B")
    assert page.rows == [["2", "4"]]
    assert not hasattr(made, "_ipython_canary_method_should_not_exist_")  # IPython asks nothing that answers to it


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1536, "1.54 kB"), (999_600, "1 MB"), (10**16, "1e+04 TB")],
)
def test_bytes(count: int, shown: str) -> None:
    assert bytes_text(count) == shown


# --- Cells --------------------------------------------------------------------------------------------------


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.active = nn.ReLU()
        self.rest = nn.SequentialCell([nn.Dense(4, 4), nn.Dense(4, 2)])
        self.scale = Parameter(Tensor([2.0]), name="scale", requires_grad=False)

    def construct(self, x: Tensor) -> Any:
        return self.rest(self.active(self.first(x))) * self.scale

    def extend_repr(self) -> str:
        return ODD


def test_cells() -> None:
    page = Page(Net())
    assert page.text.startswith("Net 47 parameters, 1 of them not trained, 188 B; not training")
    assert ODD in page.text
    assert "script" not in page.elements
    assert page.elements.count("details") == 5  # with what they fold: the whole, first, rest, and the two in it
    for part in (
        "first: Dense input_channels=3",
        "active: ReLU",
        "1: Dense",
        "weight (4, 3) Float32",
        "scale (1,) Float32",
    ):
        assert part in page.text


def test_cells_show_what_they_give_once_it_is_known() -> None:
    net = Net()
    assert "f32[" not in Page(net).text
    net(Tensor(np.ones((5, 3), np.float32)))
    page = Page(net).text
    assert page.count("f32[5, 4]") == 3
    assert page.count("f32[5, 2]") == 3
    net(Tensor(np.ones((6, 3), np.float32)))
    assert "f32[5" not in Page(net).text


def test_cells_within_a_training_step() -> None:
    net = Net()
    jit(lambda x: grad(lambda x: net(x).sum())(x))(Tensor(np.ones((5, 3), np.float32)))
    assert Page(net).text.count("f32[5, 4]") == 3


def test_what_cells_gave_is_forgotten_with_them() -> None:
    net = Net()
    net(Tensor(np.ones((5, 3), np.float32)))
    active = net.active
    assert watching.latest_of(active) == (TensorType(f32, (5, 4)),)
    assert watching.latest_of(nn.ReLU()) == ()
    gone = weakref.ref(net.rest)
    del net
    gc.collect()
    assert gone() is None
    assert all(cell() is not None for cell, _ in watching._latest.values())
    assert watching.latest_of(active) == (TensorType(f32, (5, 4)),)


def test_shared_parts_and_cycles() -> None:
    inner = nn.Dense(2, 2)
    outer = nn.SequentialCell([nn.SequentialCell([inner]), nn.SequentialCell([inner])])
    page = Page(outer)
    assert page.text.startswith("SequentialCell 6 parameters")
    assert page.text.count("as above") == 1
    assert page.text.count("weight") == 1


def test_very_large_cells_are_cut() -> None:
    page = Page(nn.SequentialCell([nn.ReLU() for _ in range(2500)]))
    assert "… and 501 more" in page.text


def test_modules_of_pytorch() -> None:
    class Mine(Module):
        def extra_repr(self) -> str:
            return "size=<2>"

    assert "Mine size=<2>" in Page(Mine()).text


# --- compiled functions -------------------------------------------------------------------------------------


def test_compiled_functions() -> None:
    @jit
    def scaled(x: Any, k: str = ODD, *, n: int = 2) -> Any:
        """Scales <x>.

        Not this line."""
        return x * n

    page = Page(scaled)
    assert f"scaled(x: 'Any', k: 'str' = '{ODD}', *, n: 'int' = 2) -> 'Any' compiled" in page.text
    assert "Scales <x>.not called yet" in page.text
    assert "Not this line" not in page.text
    scaled(Tensor([1.0, 2.0]))
    scaled(Tensor([1.0, 2.0]))
    scaled(3)
    page = Page(scaled)
    assert "not called yet" not in page.text
    assert [row[0] for row in page.rows] == ["arguments", "argument 0: f32[2]", "argument 0: i64"]
    assert [row[3] for row in page.rows] == ["calls", "2", "1"]
    assert "script" not in page.elements


def test_constants_that_it_was_compiled_for() -> None:
    @jit
    def summed(x: Any, axis: int) -> Any:
        return x.sum(axis)

    summed(Tensor([1.0, 2.0]), 0)
    assert Page(summed).rows[1][1] == "argument 1 = 0"


def test_what_the_interpreter_runs() -> None:
    @jit
    def odd(x: Any) -> Any:
        class Local:
            pass

        return Local

    with pytest.warns(jitcore.FallbackWarning):
        odd(1)
    assert "in the interpreter, called 1 times:" in Page(odd).text


def test_text_is_as_it_was() -> None:
    assert repr(Tensor([1])) == "Tensor(shape=[1], dtype=Int64, value= [1])"
    assert repr(jit(len)) == "<compiled len>"
