"""The interpreter backend: control flow, calls, state, symbols and exceptions of typed ANF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from grouped import grouped

from jitcore.backends.interpreter.anf import run
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, FUSED, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Graph, Literal, Module
from jitcore.primitives import PRIMITIVES
from jitcore.primitives.core import evaluation
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Place, Primitive, StackSample
from jitcore.primitives.ops import conversions, elementwise, joining, python_scalars, reductions, shape, state, unions
from jitcore.primitives.tracing import GraphEvaluator, choose
from jitcore.source import InternalError, Span
from jitcore.testing.numpy_evaluator import type_of_value
from jitcore.types import FLOAT, INT, NONE, STACK, RefType, TensorType, Type, UnionType, f64, i64, symbol

p = python_scalars
N = symbol("n")
VECTOR = TensorType(f64, (N,))


def span(line: int) -> Span:
    return Span("demo.py", line, 0, line, 1, "f")


def build(write: Callable[..., Any], *types: Type, name: str = "f", names: str = "abcdefg") -> Graph:
    """A graph whose body is what `write(*parameters)` evaluates."""
    builder = GraphBuilder(name)
    params = [builder.param(names[k], t) for k, t in enumerate(types)]
    with evaluating_by(GraphEvaluator(builder)):
        made = write(*params)
    results = made if isinstance(made, tuple) else () if made is None else (made,)
    return builder.finish(results)


def nested(outer: GraphEvaluator, write: Callable[..., Any], *types: Type) -> Graph:
    """A graph built while another one is."""
    inner = GraphBuilder("inner")
    params = [inner.param(f"p{k}", t) for k, t in enumerate(types)]
    before, outer.builder = outer.builder, inner
    try:
        made = write(*params)
    finally:
        outer.builder = before
    return inner.finish(made if isinstance(made, tuple) else (made,))


def current() -> GraphEvaluator:
    found = evaluation.current()
    assert isinstance(found, GraphEvaluator)
    return found


def emit(op: Any, args: list[Atom], graphs: tuple[Graph, ...] = (), **params: Any) -> Any:
    outs = current().builder.emit(op, args, params, graphs)
    return outs[0] if len(outs) == 1 else outs


def module(**graphs: Graph) -> Module:
    return Module(next(iter(graphs)), graphs)


def integer(value: int) -> Literal:
    return Literal(value, INT)


@grouped("primitive", PRIMITIVES.values(), ids=str)
def test_every_primitive_runs(primitive: Primitive, capsys: pytest.CaptureFixture[str]) -> None:
    for sample in primitive.samples():
        if any(isinstance(a, Place | StackSample) for a in sample.args):
            continue  # tested below: what they do shows only in what follows
        graph = build(lambda *xs, s=sample: primitive(*xs, **s.params), *map(type_of_value, sample.args))
        made = run(module(f=graph), sample.args)
        want = primitive.reference(*sample.args, **sample.params)
        expected = want if isinstance(want, tuple) else () if want is None else (want,)
        for have, value in zip(made, expected, strict=True):
            np.testing.assert_array_equal(have, value)


def test_while_counts() -> None:
    def collatz(n: Any) -> Any:
        def step(k: Any, count: Any) -> Any:
            even = p.int_eq(p.int_mod(k, 2), 0)
            halved = p.int_floordiv(k, 2)
            return p.int_select(even, halved, p.int_add(p.int_mul(k, 3), 1)), p.int_add(count, 1)

        test = nested(current(), lambda k, count: p.int_ne(k, 1), INT, INT)
        return emit(WHILE, [n, integer(0)], (test, nested(current(), step, INT, INT)))[1]

    assert run(module(f=build(collatz, INT)), [27]) == (111,)


def test_for_uses_variables_around_it() -> None:
    def total(n: Any, x: Any) -> Any:
        body = nested(current(), lambda i, acc: p.float_add(acc, p.float_mul(p.int_to_float(i), x)), INT, FLOAT)
        return emit(FOR, [n, Literal(0.0, FLOAT)], (body,))

    assert run(module(f=build(total, INT, FLOAT)), [4, 0.5]) == (3.0,)
    assert run(module(f=build(total, INT, FLOAT)), [0, 0.5]) == (0.0,)


def test_cond_and_switch() -> None:
    def classify(n: Any) -> Any:
        evaluator = current()
        graphs = tuple(nested(evaluator, lambda v=v: (integer(v),)) for v in (10, 20, 30))
        picked = emit(SWITCH, [n], graphs)
        then, orelse = nested(evaluator, lambda: (picked,)), nested(evaluator, lambda: p.int_neg(picked))
        return emit(COND, [p.int_lt(picked, 25)], (then, orelse))

    graph = build(classify, INT)
    assert [run(module(f=graph), [k])[0] for k in range(3)] == [10, 20, -30]
    with pytest.raises(IndexError, match="index 3"):
        run(module(f=graph), [3])


def test_deep_recursion() -> None:
    def count(n: Any) -> Any:
        evaluator = current()

        def again() -> Any:
            (below,) = evaluator.builder.emit(CALL, [p.int_sub(n, 1)], {"callee": "f"}, types=(INT,))
            return p.int_add(below, 1)

        stop, go = nested(evaluator, lambda: (integer(0),)), nested(evaluator, again)
        return emit(COND, [p.int_eq(n, 0)], (stop, go))

    graph = build(count, INT)
    assert run(module(f=graph), [20_000]) == (20_000,)
    with pytest.raises(RecursionError):
        run(module(f=graph), [-1])


def test_symbols_stand_for_the_extents_of_each_call() -> None:
    def doubled(x: Any) -> Any:
        return joining.concatenate(x, x, axis=0), conversions.extent(dim=N * 2)

    graph = build(doubled, VECTOR)
    for n in (0, 3):
        both, count = run(module(f=graph), [np.ones(n)])
        assert both.shape == (2 * n,)
        assert count == 2 * n


def test_dimensions_made_of_numbers() -> None:
    def ones(k: Any) -> Any:
        conversions.as_dim(k, symbol="k")
        return joining.full(Literal(1.0, TensorType(f64, ())), shape=(symbol("k"),))

    graph = build(ones, INT)
    np.testing.assert_array_equal(run(module(f=graph), [3])[0], np.ones(3))
    with pytest.raises(ValueError, match="negative dimensions"):
        run(module(f=graph), [-1])


def test_loops_may_change_the_extents_of_carries() -> None:
    """A carry's symbol is what the carry has in this round; outside the loop it is what it was."""

    def grow(x: Any) -> Any:
        grown = symbol("m")
        carry = TensorType(f64, (grown,))

        def body(i: Any, acc: Any) -> Any:
            longer = joining.concatenate(acc, acc, axis=0)
            conversions.as_dim(conversions.extent(dim=grown * 2), symbol="m")
            return shape.reshape(longer, shape=(grown,))

        conversions.as_dim(conversions.extent(dim=N), symbol="m")
        start = shape.reshape(x, shape=(grown,))
        return emit(FOR, [integer(3), start], (nested(current(), body, INT, carry),))

    (made,) = run(module(f=build(grow, VECTOR)), [np.arange(2.0)])
    np.testing.assert_array_equal(made, np.tile(np.arange(2.0), 8))


def test_a_value_unlike_its_type_is_an_internal_error() -> None:
    graph = build(lambda x, y: elementwise.add(x, y), VECTOR, VECTOR)
    with pytest.raises(InternalError, match="shape"):
        run(module(f=graph), [np.ones(2), np.ones(3, np.float32)])


def test_extents_are_checked() -> None:
    def added(x: Any, y: Any) -> Any:
        conversions.check_extents(a=N, b=symbol("m"), message="{0} is not {1}")
        return elementwise.add(x, y)

    graph = build(added, VECTOR, TensorType(f64, (symbol("m"),)))
    np.testing.assert_array_equal(run(module(f=graph), [np.ones(2), np.ones(2)])[0], [2.0, 2.0])
    with pytest.raises(ValueError, match="2 is not 3"):
        run(module(f=graph), [np.ones(2), np.ones(3)])


def test_refs_write_the_callers_memory() -> None:
    def update(r: Any, k: Any) -> Any:
        before = state.ref_read(r)
        row = state.ref_view(r, k, spec=(("i", 0), ("s", 2, -1, 3)))
        state.ref_write(row, Literal(7.0, TensorType(f64, ())))
        state.ref_add(state.ref_transpose(r, permutation=(1, 0)), Literal(1.0, TensorType(f64, ())))
        return before, state.ref_read(row)

    memory = np.zeros((2, 4))
    before, row = run(module(f=build(update, RefType(TensorType(f64, (2, 4))), INT)), [memory, 1])
    np.testing.assert_array_equal(memory, [[1, 1, 1, 1], [8, 8, 8, 1]])
    np.testing.assert_array_equal(before, np.zeros((2, 4)))
    np.testing.assert_array_equal(row, [8, 8, 8])


def test_stacks_give_back_in_reverse() -> None:
    def reverse(n: Any) -> Any:
        def push(i: Any, s: Any) -> Any:
            return state.stack_push(s, i, conversions.from_scalar(i, dtype=f64))

        def pop(i: Any, s: Any, acc: Any) -> Any:
            s, k, x = state.stack_pop(s, types=(INT, TensorType(f64, ())))
            return s, p.int_add(p.int_mul(acc, 10), p.int_add(k, p.float_to_int(conversions.to_scalar(x))))

        s = emit(FOR, [n, state.stack_new()], (nested(current(), push, INT, STACK),))
        s, total = emit(FOR, [n, s, integer(0)], (nested(current(), pop, INT, STACK, INT),))
        state.stack_free(s)
        return total

    assert run(module(f=build(reverse, INT)), [4]) == (6420,)


def test_unions() -> None:
    type_ = UnionType((INT, NONE))

    def maybe(n: Any) -> Any:
        return choose(
            p.int_lt(n, 0),
            lambda: unions.union_make(Literal(None, NONE), type=type_, tag=1),
            lambda: unions.union_make(n, type=type_, tag=0),
        )

    def value_or(n: Any) -> Any:
        made = maybe(n)
        return choose(p.int_eq(unions.union_tag(made), 0), lambda: unions.union_get(made, index=0), lambda: integer(-7))

    graph = build(value_or, INT)
    assert run(module(f=graph), [5]) == (5,)
    assert run(module(f=graph), [-5]) == (-7,)


def test_fused_is_its_body() -> None:
    def norm(x: Any) -> Any:
        body = nested(
            current(), lambda y: reductions.reduce_sum(elementwise.mul(y, y), axis=(0,), keepdims=False), VECTOR
        )
        return emit(FUSED, [x], (body,))

    assert run(module(f=build(norm, VECTOR)), [np.array([3.0, 4.0])])[0] == 25.0


def test_exceptions_carry_the_span_of_their_binding() -> None:
    builder = GraphBuilder("f", span(1))
    n = builder.param("n", INT)
    with evaluating_by(GraphEvaluator(builder)):
        builder.span = span(2)
        inverse = p.int_floordiv(10, n)
        builder.span = span(3)
        result = p.int_mul(inverse, 2**62)
    graph = module(f=builder.finish((result,)))
    assert run(graph, [10]) == (2**62,)
    for argument, error, line in ((0, ZeroDivisionError, 2), (2, OverflowError, 3)):
        with pytest.raises(error) as caught:
            run(graph, [argument])
        assert caught.value.span == span(line)  # type: ignore[attr-defined]


def test_try_catches_what_it_names() -> None:
    def guarded(n: Any) -> Any:
        evaluator = current()
        body = nested(evaluator, lambda: p.int_floordiv(10, n))
        handler = nested(evaluator, lambda: (integer(-1),))
        return emit(TRY, [], (body, handler), names=(("ArithmeticError",),))

    graph = build(guarded, INT)
    assert run(module(f=graph), [5]) == (2,)
    assert run(module(f=graph), [0]) == (-1,)


def test_try_lets_the_rest_pass() -> None:
    def guarded(n: Any) -> Any:
        evaluator = current()
        body = nested(evaluator, lambda: conversions.check_index(n, extent=3, axis=0))
        handler = nested(evaluator, lambda: (integer(-1),))
        return emit(TRY, [], (body, handler), names=(("ValueError", "KeyError"),))

    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        run(module(f=build(guarded, INT)), [3])


def test_print_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def talk(n: Any) -> Any:
        state.print_(n, template="n is {0}\n")
        state.print_(conversions.from_scalar(n, dtype=i64), template="and again {0:>3}\n")

    assert run(module(f=build(talk, INT)), [4]) == ()
    assert capsys.readouterr().out == "n is 4\nand again   4\n"
