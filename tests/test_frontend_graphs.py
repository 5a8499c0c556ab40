"""The shape of graphs: only what is needed is joined, carried, checked and kept in cells."""
# ruff: noqa: B007, F841, SIM108 (functions under test are written as users write)

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jitcore.frontend import source_of
from jitcore.ir.nodes import Binding, Graph, Literal
from jitcore.ir.python import UNDEFINED_VALUE


def bindings(graph: Graph) -> Iterator[Binding]:
    for binding in graph.body:
        yield binding
        for inner in binding.graphs:
            yield from bindings(inner)


def of_op(function: Callable[..., Any], name: str) -> list[Binding]:
    return [b for b in bindings(source_of(function).graph) if b.op.name == name]  # type: ignore[arg-type]


def outs(binding: Binding) -> list[str]:
    return [out.name for out in binding.outs]


def test_if_joins_what_is_read_later() -> None:
    def f(c: Any, x: Any) -> Any:
        if c:
            a = x + 1
            b = a * 2
            x = b
        else:
            b = 3
        c = 1
        return x, b

    (cond,) = of_op(f, "cond")
    assert sorted(outs(cond)) == ["b", "x"]


def test_loops_carry_what_is_read_again() -> None:
    def f(n: Any) -> Any:
        total = 0
        for i in range(n):
            t = i * 2
            total += t
        k = 0
        while k < n:
            k += 1
            u = k
        return total

    (loop,) = of_op(f, "py_for")
    assert outs(loop) == ["total"]
    assert loop.params == {"breaks": False}
    (loop,) = of_op(f, "py_while")
    assert outs(loop) == ["k"]
    assert not of_op(f, "py_defined")


def test_break_is_a_result_of_the_body() -> None:
    def f(xs: Any) -> Any:
        for x in xs:
            if x:
                break
            print(x)

    (loop,) = of_op(f, "py_for")
    assert loop.params == {"breaks": True}
    assert outs(loop) == []
    assert len(loop.graphs[0].results) == 1


def test_unassigned_variables_are_checked_only_where_they_may_be_unassigned() -> None:
    def sure(c: Any, xs: Any) -> Any:
        if c:
            a = 1
        else:
            a = 2
        while True:
            b = a
            if b:
                break
        if not c:
            raise ValueError
        else:
            d = 1
        return a, b, d

    def unsure(c: Any, xs: Any) -> Any:
        if c:
            a = 1
        for x in xs:
            pass
        return a, x

    found = of_op(sure, "py_defined")
    assert [(b.params["name"], b.params.get("certain")) for b in found] == [("b", True)]
    found = of_op(unsure, "py_defined")
    assert [(b.params["name"], b.params.get("certain")) for b in found] == [("a", None), ("x", None)]


def test_undefined_is_joined_only_where_it_matters() -> None:
    def f(c: Any) -> Any:
        if c:
            a = 1
            print(a)
        return c

    (cond,) = of_op(f, "cond")
    assert outs(cond) == []

    def g(c: Any) -> Any:
        if c:
            a = 1
        return a

    (cond,) = of_op(g, "cond")
    assert cond.graphs[1].results[0].value is UNDEFINED_VALUE  # type: ignore[union-attr]


def test_cells_only_for_what_changes_after_capture() -> None:
    def without(n: Any) -> Any:
        k = n + 1
        if n:
            m = 1
        else:
            m = 2
        g = lambda x: x + k + m + n  # noqa: E731
        return g(1), [x + k for x in n], sum(x + k for x in n)

    def with_cells(n: Any) -> Any:
        late = lambda: after  # noqa: E731
        after = 1
        for i in n:
            late = lambda: i  # noqa: E731, B023
        untouched = 2

        def shared() -> Any:
            nonlocal counted
            counted = untouched

        counted = 1

        def itself() -> Any:
            return itself

        return late, shared, itself

    assert not of_op(without, "py_cell")
    assert [b.params["name"] for b in of_op(without, "py_cell_get")] == []
    assert sorted(outs(b)[0] for b in of_op(with_cells, "py_cell")) == ["after", "counted", "i", "itself"]


def test_conditions_test_truth_once() -> None:
    def f(a: Any, b: Any) -> Any:
        if (a and not b) or a is None:
            return 1

    tested = [b.args[0] for b in of_op(f, "py_truth")]
    assert [getattr(atom, "name", None) for atom in tested] == ["a", "b"]


def test_early_return_gives_one_result() -> None:
    def f(a: Any) -> Any:
        if a > 1:
            return a
        b = a * 2
        return b

    source = source_of(f)  # type: ignore[arg-type]
    last = source.graph.body[-1]
    assert last.op.name == "cond"
    assert source.graph.results == last.outs
    assert not of_op(f, "py_defined")


def test_constant_branches_are_not_built() -> None:
    def f(a: Any) -> Any:
        if 0:
            print(a)
        if True:
            b = 1
        return b

    assert source_of(f).graph.body == ()  # type: ignore[arg-type]


def test_numbers_with_a_sign_are_constants() -> None:
    def f(a: Any) -> Any:
        return a[-1]

    (item,) = of_op(f, "py_getitem")
    key = item.args[1]
    assert isinstance(key, Literal)
    assert key.value == -1


def test_variables_are_named_for_what_they_are_assigned_to() -> None:
    def f(a: Any) -> Any:
        y = a + 1
        first, *others = y
        return first, others

    assert [outs(b) for b in source_of(f).graph.body[:2]] == [["y"], ["first", "others"]]  # type: ignore[arg-type]


@pytest.mark.parametrize("lines", [50, 800])
def test_graphs_grow_with_the_text(lines: int) -> None:
    import linecache

    text = "def f(x):\n    y = 0\n" + "    if x:\n        y = y + x\n" * lines + "    return y\n"
    file = f"<{lines} lines>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace: dict[str, Any] = {}
    exec(compile(text, file, "exec"), namespace)
    assert len(list(bindings(source_of(namespace["f"]).graph))) == 3 * lines
