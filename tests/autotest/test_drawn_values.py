"""Generators: one value in each case, sums and unions of them, and streams that can be replayed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from jitcore.testing.autotest import constant, nothing, oneof, random, random_bool, random_device, random_or_nothing
from jitcore.testing.autotest.draws import Draws
from jitcore.testing.autotest.generators import Nothing, drawing, drawn
from jitcore.testing.autotest.layouts import copied, laid_out

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "AUTOTEST.md"


def test_a_generator_has_one_value_in_each_case() -> None:
    k = random(0, 10**6)
    with drawing(Draws(1)):
        first = k.value()
        assert (k.value(), (k + 1).value(), drawn((k, [2 * k]))) == (first, first + 1, (first, [2 * first]))
        assert (3 - k).value() == 3 - first
    with drawing(Draws(1, case=1)):
        assert k.value() != first
    with drawing(Draws(1)):
        assert k.value() == first


def test_kinds_of_values() -> None:
    with drawing(Draws(4)):
        assert isinstance(random(1, 3).to(float).value(), float)
        assert isinstance(random(0.0, 3.0).value(), float)
        assert random(0.0, 3.0).to(int).value() in (0, 1, 2)
        assert isinstance(random_bool().value(), bool)
        assert random_device().value() == "cpu"
        assert isinstance(nothing().value(), Nothing)
        assert constant([1]).value() == [1]


def test_unions_count_all_alternatives() -> None:
    union = constant(1) | 2 | constant(3)
    found = []
    for case in range(300):
        with drawing(Draws(2, case)):
            found.append(union.value())
    assert set(found) == {1, 2, 3}
    assert min(map(found.count, found)) > 60


def test_possibilities() -> None:
    values = []
    for case in range(60):
        with drawing(Draws(3, case)):
            values.append((oneof("a", "b", possibility=0.0).value(), type(random_or_nothing().value())))
    assert {a for a, _ in values} == {"b"}
    assert {kind for _, kind in values} == {int, Nothing}
    with pytest.raises(ValueError, match="2 values and 1 weights"):
        oneof(1, 2, possibility=[1.0])


def test_choices_can_be_replaced() -> None:
    draws = Draws(1, replaced={0: 2, 1: 99})
    assert (draws.integer(0, 100), draws.integer(0, 10)) == (2, 9)
    assert [choice.low for choice in draws.choices] == [0, 0]


def test_elements_do_not_depend_on_choices() -> None:
    first, second = Draws(1), Draws(1)
    second.integer(0, 5)
    assert np.array_equal(first.array((3,), "float32", -1, 1), second.array((3,), "float32", -1, 1))


def test_no_values_are_drawn_outside_of_cases() -> None:
    with pytest.raises(RuntimeError, match="not here"):
        random(1, 2).value()
    with pytest.raises(TypeError, match="no truth value"):
        bool(random(1, 2))


@pytest.mark.parametrize("layout", ["plain", "transposed", "sliced"])
def test_copies_lie_as_what_they_are_of(layout: str) -> None:
    array = laid_out(np.arange(6.0).reshape(2, 3), layout)
    again = copied(array)
    assert np.array_equal(again, array)
    assert again.strides == array.strides
    assert not np.shares_memory(again, array)


@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_of_the_guide_run(number: int, tmp_path: Path) -> None:
    first, second = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    if number == 1:
        pytest.importorskip("torch")
    example = (first, second)[number]
    script = tmp_path / "example.py"
    script.write_text(example)
    exec(compile(example, str(script), "exec"), {"__name__": "__main__"})
