"""The `fuse` pass: which bindings end up in one kernel, and that nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from graph_evaluator import control, evaluate, graph
from random_programs import random_module

from jitcore.ir.control import COND, FOR, FUSED
from jitcore.ir.nodes import Binding, Literal, Module, Var
from jitcore.ir.verify import verify
from jitcore.passes.fuse import Fuse
from jitcore.passes.plan import ArgLayout, plan
from jitcore.primitives.ops import elementwise, joining, linalg, reductions, shape, state
from jitcore.primitives.ops import transcendental as tr
from jitcore.types import BOOL, INT, RefType, TensorType, Type, f64, symbol


def tensor(*extents: Any) -> TensorType:
    return TensorType(f64, extents)


def fused(types: Sequence[Type], write: Any, limits: Fuse | None = None) -> list[Binding]:
    """The body of a function after the pass."""
    module = Module("main", {"main": graph("main", types, write)})
    after = (limits or Fuse()).run(module)
    verify(after)
    return list(after.main.body)


def names(binding: Binding) -> list[str]:
    """The operators in a fused binding."""
    assert binding.op is FUSED
    return [b.op.name for b in binding.graphs[0].body]


def groups(body: list[Binding]) -> list[Any]:
    """What stands in a body: names, and for fused bindings the lists of what is in them."""
    return [names(b) if b.op is FUSED else b.op.name for b in body]


def test_a_chain_is_one_group() -> None:
    def write(x: Var, y: Var) -> Any:
        return elementwise.sub(elementwise.mul(tr.tanh(elementwise.add(x, y)), tr.sigmoid(y)), tr.exp(x))

    (only,) = fused([tensor(4), tensor(4)], write)
    assert names(only) == ["add", "tanh", "sigmoid", "mul", "exp", "sub"]
    assert len(only.args) == 2
    assert len(only.outs) == 1


def test_a_result_used_outside_is_an_output_too() -> None:
    def write(x: Var) -> Any:
        y = elementwise.add(x, 1.0)
        return y, elementwise.mul(y, y)

    (only,) = fused([tensor(4)], write)
    assert len(only.outs) == 2


def test_a_group_ends_where_something_else_uses_it() -> None:
    def write(x: Var) -> Any:
        y = tr.exp(x)
        z = joining.concatenate(y, y, axis=0)
        return z, elementwise.add(y, 1.0)

    assert groups(fused([tensor(4)], write)) == ["exp", "concatenate", "add"]


def test_a_reduction_takes_in_what_feeds_it_and_what_follows() -> None:
    def write(x: Var, y: Var) -> Any:
        total = reductions.reduce_sum(elementwise.mul(tr.exp(x), y), axis=(1,), keepdims=False)
        return elementwise.add(tr.log(total), 1.0)

    (only,) = fused([tensor(3, 4), tensor(3, 4)], write)
    assert names(only) == ["exp", "mul", "reduce_sum", "log", "add"]


def test_a_dear_operand_of_a_reduction_that_is_needed_elsewhere_is_computed_once() -> None:
    def write(x: Var) -> Any:
        e = tr.exp(elementwise.sub(x, 1.0))
        return elementwise.div(e, reductions.reduce_sum(e, axis=(1,), keepdims=True))

    assert groups(fused([tensor(3, 4)], write)) == [["sub", "exp"], "reduce_sum", "div"]


def test_a_cheap_one_is_computed_again() -> None:
    def write(x: Var, y: Var) -> Any:
        d = elementwise.sub(x, y)
        loss = reductions.reduce_sum(elementwise.mul(d, d), axis=(0, 1), keepdims=False)
        return loss, elementwise.mul(d, 2.0)

    body = fused([tensor(3, 4), tensor(3, 4)], write)
    assert groups(body) == [["sub", "mul", "reduce_sum"], ["sub", "mul"]]


def test_reductions_of_the_same_array_share_a_kernel() -> None:
    def write(x: Var) -> Any:
        one = reductions.reduce_sum(x, axis=(0,), keepdims=False)
        two = reductions.reduce_sum(elementwise.mul(x, x), axis=(0,), keepdims=False)
        return elementwise.sub(two, elementwise.mul(one, one))

    (only,) = fused([tensor(3, 4)], write)
    assert names(only).count("reduce_sum") == 2


def test_groups_that_read_the_same_array_are_one() -> None:
    (only,) = fused([tensor(4)], lambda x: (tr.sin(x), tr.cos(x)))
    assert names(only) == ["sin", "cos"]


def test_a_broadcast_operand_is_computed_in_place_only_if_cheap() -> None:
    def cheap(x: Var, row: Var) -> Any:
        return elementwise.add(x, elementwise.mul(row, 2.0))

    def dear(x: Var, row: Var) -> Any:
        return elementwise.add(x, tr.exp(row))

    assert groups(fused([tensor(3, 4), tensor(4)], cheap)) == [["mul", "add"]]
    assert groups(fused([tensor(3, 4), tensor(4)], dear)) == ["exp", "add"]


def test_a_view_of_a_value_nobody_else_needs_is_computed_through() -> None:
    def write(x: Var, y: Var) -> Any:
        return elementwise.add(shape.transpose(tr.exp(x), permutation=(1, 0)), y)

    assert groups(fused([tensor(3, 4), tensor(4, 3)], write)) == [["exp", "transpose", "add"]]


def test_numbers_stay_out_of_kernels() -> None:
    def write(x: Var, a: Var) -> Any:
        return elementwise.mul(x, elementwise.add(a, 1.0))

    assert groups(fused([tensor(4), tensor()], write)) == ["add", "mul"]


def test_a_kernel_is_not_moved_past_a_write_to_what_it_reads() -> None:
    place = RefType(tensor(4))

    def write(r: Var) -> Any:
        y = elementwise.add(state.ref_read(r), 1.0)
        state.ref_write(r, Literal(0.0, tensor()))
        return elementwise.mul(y, 2.0)

    assert groups(fused([place], write)) == ["ref_read", "add", "ref_write", "mul"]


def test_nested_graphs_are_fused_and_use_what_is_outside() -> None:
    def write(x: Var, p: Var) -> Any:
        y = elementwise.add(x, 1.0)

        def then() -> Any:
            return elementwise.mul(tr.exp(y), 2.0)

        made = control(COND, [p], [graph("then", [], then), graph("orelse", [], lambda: x)])
        return elementwise.add(made, y)

    body = fused([tensor(4), BOOL], write)
    assert groups(body) == ["add", "cond", "add"]
    assert names(body[1].graphs[0].body[0]) == ["exp", "mul"]


def test_a_group_is_bounded() -> None:
    def write(x: Var) -> Any:
        for _ in range(100):
            x = elementwise.add(x, 1.0)
        return x

    body = fused([tensor(4)], write, Fuse(bindings=10))
    assert [len(names(b)) for b in body] == [10] * 10

    def many(*xs: Var) -> Any:
        total = xs[0]
        for x in xs[1:]:
            total = elementwise.add(total, x)
        return total

    for binding in fused([tensor(4)] * 40, many, Fuse(buffers=6)):
        assert len(binding.args) + len(binding.outs) <= 6


def test_results_nobody_uses_vanish_with_their_group() -> None:
    def write(x: Var) -> Any:
        tr.exp(elementwise.add(x, 1.0))
        return elementwise.mul(x, 2.0)

    assert groups(fused([tensor(4)], write)) == ["mul"]


def test_symbolic_extents_that_are_the_same_fuse() -> None:
    n = symbol("n")
    (only,) = fused([tensor(n), tensor(n)], lambda x, y: elementwise.mul(elementwise.add(x, y), 2.0))
    assert names(only) == ["add", "mul"]


def test_an_attention_row() -> None:
    def write(q: Var, k: Var) -> Any:
        scores = elementwise.mul(linalg.matmul(q, k), 0.5)
        shifted = elementwise.sub(scores, reductions.reduce_max(scores, axis=(1,), keepdims=True))
        e = tr.exp(shifted)
        return elementwise.div(e, reductions.reduce_sum(e, axis=(1,), keepdims=True))

    module = Module("main", {"main": graph("main", [tensor(3, 5), tensor(5, 4)], write)})
    rng = np.random.default_rng(0)
    args = [rng.normal(size=(3, 5)), rng.normal(size=(5, 4))]
    for want, got in zip(evaluate(module, args), evaluate(Fuse().run(module), args), strict=True):
        np.testing.assert_allclose(got, want)


@pytest.mark.parametrize("seed", range(100, 130))
def test_random_programs_mean_the_same(seed: int) -> None:
    module, args = random_module(seed, 20)
    verify(module)
    after = Fuse().run(module)
    verify(after)
    other = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    with np.errstate(all="ignore"):
        for want, got in zip(evaluate(module, args), evaluate(after, other), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)


def _long(count: int) -> Module:
    def write(x: Var) -> Any:
        y = x
        for k in range(count):
            y = elementwise.add(y, x) if k % 2 else tr.tanh(y)
        return y

    def looped(x: Var, n: Var) -> Any:
        return control(FOR, [n, x], [graph("body", [INT, tensor(8)], lambda i, c: write(c))])

    return Module("main", {"main": graph("main", [tensor(8), INT], looped)})


def test_work_grows_with_the_program_not_its_square() -> None:
    def calls(count: int) -> int:
        import sys

        module, total = _long(count), 0

        def count_calls(frame: Any, event: str, arg: Any) -> None:
            nonlocal total
            total += event == "call"

        sys.setprofile(count_calls)
        try:
            plan(Fuse().run(module), [ArgLayout(), ArgLayout()])
        finally:
            sys.setprofile(None)
        return total

    calls(50)
    assert calls(2000) < 5 * calls(500)
