"""The `plan` pass: programs compute what the references compute, give back all memory, and copy no more than they must."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from graph_evaluator import control, evaluate, graph, type_of_value
from grouped import grouped
from random_programs import random_module, symbolic

import jitcore.primitives
from jitcore.backends.interpreter.program import Counts, ProgramRun, run_program
from jitcore.backends.protocol import ProgramError
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Binding, Graph, Literal, Module, Var
from jitcore.ir.verify import VerifyError, verify
from jitcore.passes.decompose import Decompose
from jitcore.passes.fuse import Fuse
from jitcore.passes.plan import ArgLayout, plan
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    Builtin,
    HostCode,
    Place,
    Primitive,
    Sample,
    StackSample,
    Structural,
)
from jitcore.primitives.ops import (
    conversions,
    elementwise,
    growing,
    joining,
    python_floats,
    python_ints,
    reductions,
    shape,
    state,
    unions,
    views,
)
from jitcore.primitives.ops import transcendental as tr
from jitcore.program import nodes as ir
from jitcore.program.nodes import HOST
from jitcore.program.verify import verify_program
from jitcore.program.walk import statements
from jitcore.source import CompileError, Span
from jitcore.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STACK,
    RefType,
    TensorType,
    Type,
    UnionType,
    c128,
    f32,
    f64,
    i64,
    symbol,
)

for _info in pkgutil.iter_modules(jitcore.primitives.__path__):
    importlib.import_module(f"jitcore.primitives.{_info.name}")


def _same_extents(x: Type, *, shape: Any) -> Type:
    assert isinstance(x, TensorType)
    return TensorType(x.dtype, shape)


WIDEN = PRIMITIVES.get("widen") or Primitive(
    "widen", ("x",), _same_extents, lambda x, *, shape: x, Builtin(), Structural(), lambda: ()
)
"""The same array with extents that its type names anew."""


def tensor(*extents: Any, dtype: Any = f64) -> TensorType:
    return TensorType(dtype, extents)


def ref(*extents: Any, dtype: Any = f64) -> RefType:
    return RefType(TensorType(dtype, extents))


def module(types: Sequence[Type], write: Any, **others: Graph) -> Module:
    made = Decompose().run(Module("main", {"main": graph("main", types, write), **others}))
    verify(made)
    return made


def run(
    made: Module, *args: Any, layouts: Sequence[ArgLayout] | None = None, memory: str = HOST
) -> tuple[list[Any], Counts]:
    """Run a module's program, its kernels on a memory."""
    if layouts is None:
        layouts = [ArgLayout(not isinstance(a, np.ndarray) or a.flags.c_contiguous) for a in args]
    program = plan(made, layouts, memory)
    verify_program(program)
    main = made.main
    return run_program(program, args, [p.type for p in main.params], main.result_types)  # type: ignore[misc]


def copied(args: Sequence[Any]) -> list[Any]:
    """Copies of arguments with the same strides over the same memory (views of one base stay so)."""
    bases: dict[int, Any] = {}
    made: list[Any] = []
    for arg in args:
        if not isinstance(arg, np.ndarray):
            made.append(arg)
            continue
        base = arg
        while isinstance(base.base, np.ndarray):
            base = base.base
        low = np.lib.array_utils.byte_bounds(base)[0]
        whole = bases.setdefault(id(base), base.copy(order="K"))
        offset = arg.__array_interface__["data"][0] - low
        made.append(
            np.ndarray(arg.shape, arg.dtype, whole.data if whole.flags.c_contiguous else whole, offset, arg.strides)
        )
    return made


def agree(made: Module, *args: Any, layouts: Sequence[ArgLayout] | None = None) -> Counts:
    """Check a module against the references, as it is and fused, and with kernels on another memory than the host's;
    all on arguments of their own."""
    expected_args = copied(args)
    with np.errstate(all="ignore"):
        expected = evaluate(made, expected_args)
    counts = Counts()
    for candidate, memory in ((made, HOST), (made, "device"), (Fuse().run(made), "device"), (Fuse().run(made), HOST)):
        verify(candidate)
        given = copied(args)
        if memory != HOST and _share_places(made, layouts):
            with pytest.raises(CompileError, match="arrays that share memory"):
                run(candidate, *given, layouts=layouts, memory=memory)
            continue
        results, counts = run(candidate, *given, layouts=layouts, memory=memory)
        for got, want in zip([*results, *given], [*expected, *expected_args], strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
    return counts


def _share_places(made: Module, layouts: Sequence[ArgLayout] | None) -> bool:
    """Whether two places that are given share memory."""
    places = {k for k, p in enumerate(made.main.params) if isinstance(p.type, RefType)}
    return any(k in places and places & layout.overlaps for k, layout in enumerate(layouts or ()))


# --- every primitive --------------------------------------------------------------------------------


def _usable(sample: Sample) -> bool:
    return not any(isinstance(a, StackSample) for a in sample.args)


def _plain(value: Any) -> Any:
    return value.array if isinstance(value, Place) else value


@grouped("primitive", PRIMITIVES.values(), ids=lambda p: p.name)
@pytest.mark.filterwarnings("ignore")
def test_every_primitive_computes_its_reference(primitive: Primitive) -> None:
    if primitive.name.startswith(("stack_", "union_")):
        pytest.skip("has tests of its own below")
    for sample in filter(_usable, primitive.samples()):
        values = [_plain(a) for a in sample.args]
        types: list[Type] = []
        for arg in sample.args:
            type_ = type_of_value(_plain(arg))
            types.append(RefType(type_) if isinstance(arg, Place) and isinstance(type_, TensorType) else type_)
        made = module(types, lambda *xs, s=sample: primitive(*xs, **s.params))
        expected_args = [np.array(v) if isinstance(v, np.ndarray) else v for v in values]
        if primitive.name == "ref_view":
            expected = evaluate(made, expected_args)
        else:
            expected = primitive.reference(*expected_args, **sample.params)
            expected = [] if expected is None else list(expected) if isinstance(expected, tuple) else [expected]
        given = [v.copy(order="K") if isinstance(v, np.ndarray) else v for v in values]
        got, _ = run(made, *given)
        tolerance = 1e-9 if all(np.asarray(v).dtype.itemsize >= 8 for v in values) else 2e-3
        for a, b in zip([*got, *given], [*expected, *expected_args], strict=True):
            assert np.shape(a) == np.shape(b)
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


# --- random programs --------------------------------------------------------------------------------

_LAYOUTS = [ArgLayout(), ArgLayout(), ArgLayout(), ArgLayout(contiguous=False), ArgLayout()]


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    made, args = random_module(seed, 14)
    verify(made)
    agree(made, *args, layouts=_LAYOUTS)


@pytest.mark.parametrize("first", range(0, 40, 4))
def test_random_programs_with_symbolic_extents(first: int) -> None:
    checked = 0
    for seed in range(first, first + 4):
        made, args = random_module(seed, 12)
        made = symbolic(made)
        try:
            verify(made)
        except VerifyError:  # an extent that only happens to be 5 or 7
            continue
        agree(made, *args, layouts=_LAYOUTS)
        checked += 1
    assert checked


# --- what is saved ----------------------------------------------------------------------------------


def test_an_update_of_a_parameter_is_one_kernel_without_a_temporary() -> None:
    def write(w: Var, g: Var, rate: Var) -> None:
        step = elementwise.mul(conversions.from_scalar(rate, dtype=f32), g)
        state.ref_write(w, elementwise.sub(state.ref_read(w), step))

    made = Fuse().run(module([ref(5, 3, dtype=f32), tensor(5, 3, dtype=f32), FLOAT], write))
    w, g = np.ones((5, 3), np.float32), np.full((5, 3), 2.0, np.float32)
    _, counts = run(made, w, g, 0.25)
    assert (counts.allocs, counts.copies, len(counts.launches)) == (0, 0, 1)
    np.testing.assert_array_equal(w, 0.5)


def test_an_update_through_a_view_of_a_place_is_in_place() -> None:
    def write(w: Var) -> None:
        old = state.ref_read(state.ref_view(w, spec=(("s", 1, 2, 3),)))
        new = elementwise.add(old, 1.0)
        state.ref_write(state.ref_view(w, spec=(("s", 1, 2, 3),)), new)

    w = np.zeros(7)
    _, counts = run(Fuse().run(module([ref(7)], write)), w)
    assert (counts.allocs, counts.copies, len(counts.launches)) == (0, 0, 1)
    np.testing.assert_array_equal(w, [0, 1, 0, 1, 0, 1, 0])


def test_a_momentum_update_writes_both_places_from_kernels() -> None:
    def write(w: Var, m: Var, g: Var) -> None:
        moment = elementwise.add(elementwise.mul(state.ref_read(m), 0.5), g)
        state.ref_write(m, moment)
        state.ref_write(w, elementwise.sub(state.ref_read(w), elementwise.mul(moment, 0.1)))

    made = Fuse().run(module([ref(5), ref(5), tensor(5)], write))
    counts = agree(made, np.ones(5), np.ones(5), np.arange(5.0))
    assert (counts.allocs, counts.copies, len(counts.launches)) == (0, 0, 2)


def test_two_results_of_a_kernel_written_to_one_place() -> None:
    def write(r: Var) -> None:
        old = state.ref_read(r)
        one, two = elementwise.add(old, 1.0), elementwise.mul(old, 3.0)
        state.ref_write(r, one)
        state.ref_write(r, two)

    agree(module([ref(4)], write), np.arange(4.0))


def test_deeply_nested_branches() -> None:
    def level(x: Var, p: Var, k: int) -> Any:
        if not k:
            return elementwise.add(x, 1.0)
        return control(COND, [p], [graph("t", [], lambda: level(x, p, k - 1)), graph("e", [], lambda: x)])

    module_ = Module("main", {"main": graph("main", [tensor(3), BOOL], lambda x, p: level(x, p, 60))})
    for _ in range(3):  # a body of a body of a body: 240 deep
        module_ = _inside_itself(module_)
    results, _ = run(module_, np.zeros(3), True)
    np.testing.assert_array_equal(results[0], 1)


def _inside_itself(made: Module) -> Module:
    """A branch that contains the whole body."""
    main = made.main
    for _ in range(60):
        outs = tuple(Var("out", r.type, main.span) for r in main.results)
        then = Graph("then", (), main.body, main.results, main.span)
        orelse = Graph("orelse", (), (), (main.params[0],), main.span)
        main = Graph(
            "main",
            main.params,
            (Binding(outs, COND, (main.params[1],), main.span, {}, (then, orelse)),),
            outs,
            main.span,
        )
    return Module("main", {"main": main})


def test_a_loop_over_items_launches_nothing() -> None:
    def write(x: Var, y: Var, n: Var) -> None:
        def body(i: Var) -> None:
            k = conversions.check_index(i, extent=symbol("n"), axis=0)
            item = views.view_index(x, k, spec=(("i", 0),))
            value = elementwise.add(elementwise.mul(item, item), tr.exp(item))
            state.ref_write(state.ref_view(y, k, spec=(("i", 0),)), value)

        control(FOR, [n], [graph("body", [INT], body)])

    n = symbol("n")
    x, y = np.linspace(0, 1, 6), np.zeros(6)
    _, counts = run(module([tensor(n), ref(n), INT], write), x, y, 6)
    assert (counts.allocs, counts.launches) == (0, [])
    np.testing.assert_allclose(y, x * x + np.exp(x))


def test_a_rank_0_carry_stays_in_a_register() -> None:
    def write(x: Var) -> Any:
        def body(i: Var, total: Var) -> Var:
            return elementwise.add(total, views.view_index(x, i, spec=(("i", 0),)))

        return control(FOR, [4, Literal(0.0, tensor())], [graph("body", [INT, tensor()], body)])

    results, counts = run(module([tensor(4)], write), np.arange(4.0))
    assert results[0] == 6.0
    assert counts.allocs == 1, "the result's own memory"
    assert counts.launches == []


def test_a_carried_array_is_updated_in_place() -> None:
    def write(x: Var, n: Var) -> Any:
        def body(i: Var, total: Var) -> Var:
            return elementwise.add(total, x)

        start = joining.full(Literal(0.0, tensor()), shape=(2000,))
        return control(FOR, [n, start], [graph("body", [INT, tensor(2000)], body)])

    made = module([tensor(2000), INT], write)
    allocs: list[int] = []
    for n in (3, 30):
        results, counts = run(made, np.ones(2000), n)
        np.testing.assert_array_equal(results[0], n)
        allocs.append(counts.allocs)
    assert allocs[0] == allocs[1]


def test_an_argument_carried_through_a_loop_is_not_overwritten() -> None:
    def write(x: Var) -> Any:
        body = graph("body", [INT, tensor(2000)], lambda i, t: elementwise.add(t, 1.0))
        return control(FOR, [3, x], [body])

    agree(module([tensor(2000)], write), np.arange(2000.0))


def test_a_chain_reuses_the_memory_of_what_dies() -> None:
    def write(x: Var) -> Any:
        for _ in range(6):
            x = elementwise.add(x, 1.0)
        return x

    made = module([tensor(10)], write)
    results, counts = run(made, np.zeros(10))
    np.testing.assert_array_equal(results[0], 6)
    assert counts.allocs == 1


def test_a_new_place_takes_the_memory_of_the_value_it_holds() -> None:
    def write() -> Any:
        place = state.ref_new(joining.full(Literal(0.0, tensor()), shape=(9,)))
        state.ref_add(place, Literal(2.0, tensor()))
        return place

    results, counts = run(module([], write))
    np.testing.assert_array_equal(results[0], 2)
    assert (counts.allocs, counts.copies) == (1, 0)


# --- snapshots and overlaps -------------------------------------------------------------------------


def test_a_read_is_copied_only_if_a_write_comes_between() -> None:
    def quiet(r: Var) -> Any:
        snapshot = state.ref_read(r)
        total = reductions.reduce_sum(shape.transpose(snapshot, permutation=(1, 0)), axis=(0,), keepdims=False)
        state.ref_write(r, Literal(0.0, tensor()))
        return total

    def disturbed(r: Var) -> Any:
        snapshot = shape.transpose(state.ref_read(r), permutation=(1, 0))
        state.ref_write(r, Literal(0.0, tensor()))
        return reductions.reduce_sum(snapshot, axis=(0,), keepdims=False)

    x = np.arange(6.0).reshape(2, 3)
    assert agree(module([ref(2, 3)], quiet), x).copies == 0
    assert agree(module([ref(2, 3)], disturbed), x).copies == 1


def test_a_snapshot_used_in_a_loop_that_writes_is_a_copy() -> None:
    def write(r: Var) -> None:
        snapshot = state.ref_read(r)

        def body(i: Var) -> None:
            state.ref_add(r, snapshot)

        control(FOR, [3], [graph("body", [INT], body)])

    agree(module([ref(4)], write), np.arange(4.0))


def test_a_returned_snapshot_is_not_the_place() -> None:
    made = module([ref(3)], lambda r: state.ref_read(r))
    program = plan(made, [ArgLayout()])
    run_ = ProgramRun(program)
    words = run_.run(run_.encode(np.arange(3.0), ref(3)))
    assert not words[1] & 1, "the result's owner is the argument"


def test_a_returned_view_shares_the_argument_s_memory() -> None:
    made = module([tensor(3, 4)], lambda x: shape.transpose(x, permutation=(1, 0)))
    program = plan(made, [ArgLayout()])
    run_ = ProgramRun(program)
    given = run_.encode(np.zeros((3, 4)), tensor(3, 4))
    assert run_.run(list(given)) == [given[0], given[1], 4, 3, 8, 32]


@pytest.mark.parametrize("step", [1, -1])
def test_a_place_written_from_itself_shifted(step: int) -> None:
    def write(r: Var) -> None:
        target, source = (("s", 1, 1, 5),), (("s", 0, 1, 5),)
        if step < 0:
            target, source = source, (("s", 5, -1, 5),)
        state.ref_write(state.ref_view(r, spec=target), state.ref_read(state.ref_view(r, spec=source)))

    agree(module([ref(6)], write), np.arange(6.0))


def test_an_elementwise_result_of_a_shifted_read_needs_a_temporary() -> None:
    def write(r: Var) -> None:
        source = state.ref_read(state.ref_view(r, spec=(("s", 0, 1, 5),)))
        target = state.ref_view(r, spec=(("s", 1, 1, 5),))
        state.ref_write(target, elementwise.add(source, 1.0))

    agree(module([ref(6)], write), np.arange(6.0))


def test_arguments_that_may_overlap() -> None:
    def write(r: Var, s: Var) -> None:
        snapshot = state.ref_read(s)
        state.ref_write(r, elementwise.mul(snapshot, 2.0))
        state.ref_add(s, snapshot)

    memory = np.arange(6.0)
    layouts = [ArgLayout(False, frozenset({1})), ArgLayout(False, frozenset({0}))]
    agree(module([ref(4), ref(4)], write), memory[1:5], memory[2:], layouts=layouts)


def test_a_value_that_overlaps_a_place_keeps_its_elements() -> None:
    def write(r: Var, x: Var) -> Any:
        state.ref_write(r, Literal(0.0, tensor()))
        return elementwise.add(x, 0.0)

    memory = np.arange(1.0, 5.0)
    made = module([ref(4), tensor(4)], write)
    layouts = [ArgLayout(True, frozenset({1})), ArgLayout(True, frozenset({0}))]
    results, _ = run(made, memory, memory, layouts=layouts)
    np.testing.assert_array_equal(results[0], [1, 2, 3, 4])
    np.testing.assert_array_equal(memory, 0)


def test_a_write_is_not_moved_before_a_check() -> None:
    def write(r: Var, ok: Var) -> None:
        value = elementwise.add(state.ref_read(r), 1.0)
        conversions.check(ok, exception="ValueError", message="no")
        state.ref_write(r, value)

    x = np.zeros(4)
    with pytest.raises(ProgramError):
        run(module([ref(4), BOOL], write), x, False)
    np.testing.assert_array_equal(x, 0)


# --- control flow -----------------------------------------------------------------------------------


def test_switch_and_an_index_out_of_range() -> None:
    def write(x: Var, k: Var) -> Any:
        branches = [graph("g", [], lambda c=c: elementwise.mul(x, c)) for c in (1.0, 2.0, 3.0)]
        return control(SWITCH, [k], branches)

    made = module([tensor(3), INT], write)
    for k in range(3):
        agree(made, np.arange(3.0), k)
    with pytest.raises(ProgramError) as error:
        run(made, np.arange(3.0), 3)
    assert error.value.site.exception == "IndexError"


def test_two_views_that_a_branch_gives_hold_one_block() -> None:
    def doubled(x: Var) -> Any:
        y = elementwise.add(x, x)
        return views.view_index(y, spec=(("s", 0, 2, 2),)), views.view_index(y, spec=(("s", 1, 2, 2),))

    def write(x: Var, p: Var) -> Any:
        parts = views.view_index(x, spec=(("s", 2, 1, 2),)), views.view_index(x, spec=(("s", 0, 1, 2),))
        return control(COND, [p], [graph("then", [], lambda: doubled(x)), graph("orelse", [], lambda: parts)])

    for p in (True, False):
        agree(module([tensor(4), BOOL], write), np.arange(4.0), p)


@pytest.mark.parametrize("rounds", [1, 5])
def test_rounds_that_give_an_array_and_its_view_give_back_what_they_made(rounds: int) -> None:
    def body(i: Var, row: Var, square: Var) -> Any:
        made = elementwise.add(square, 1.0)
        return views.view_index(made, Literal(0, INT), spec=(("i", 0), ("s", 0, 1, 3))), made

    def write(x: Var) -> Any:
        row = views.view_index(x, Literal(0, INT), spec=(("i", 0), ("s", 0, 1, 3)))
        return control(FOR, [rounds, row, x], [graph("body", [INT, tensor(3), tensor(3, 3)], body)])

    (row, square), _ = run(module([tensor(3, 3)], write), np.zeros((3, 3)))  # which fails if a block is left
    np.testing.assert_array_equal(row, square[0])
    np.testing.assert_array_equal(square, rounds)


def test_a_branch_gives_what_it_captures() -> None:
    def write(x: Var, p: Var) -> Any:
        y = elementwise.add(x, 1.0)
        out = control(COND, [p], [graph("then", [], lambda: y), graph("orelse", [], lambda: (x,))])
        return out, elementwise.mul(y, 2.0), y

    made = module([tensor(3), BOOL], write)
    agree(made, np.arange(3.0), True)
    agree(made, np.arange(3.0), False)


def test_recursion_on_numbers_and_arrays() -> None:
    def fib(n: Var) -> Any:
        def again() -> Any:
            one = control(CALL, [python_ints.int_sub(n, 1)], types=[INT], callee="fib")
            two = control(CALL, [python_ints.int_sub(n, 2)], types=[INT], callee="fib")
            return python_ints.int_add(one, two)

        return control(COND, [python_ints.int_lt(n, 2)], [graph("small", [], lambda: n), graph("again", [], again)])

    def halves(x: Var, n: Var) -> Any:
        def again() -> Any:
            half = elementwise.mul(x, 0.5)
            return control(CALL, [half, python_ints.int_sub(n, 1)], types=[x.type], callee="halves")

        return control(COND, [python_ints.int_le(n, 0)], [graph("done", [], lambda: x), graph("again", [], again)])

    length = symbol("k")
    others = {"fib": graph("fib", [INT], fib), "halves": graph("halves", [tensor(length), INT], halves)}

    def write(x: Var, n: Var) -> Any:
        return (
            control(CALL, [n], types=[INT], callee="fib"),
            control(CALL, [x, n], types=[tensor(3)], callee="halves"),
        )

    agree(module([tensor(3), INT], write, **others), np.ones(3), 7)


def _put(x: Any, k: Any, value: float) -> Any:
    number = Literal(k, INT) if isinstance(k, int) else k
    return growing.put_row(x, number, Literal(value, tensor()))


def _recursive(step: Any, name: str = "f", callee: str = "f") -> Graph:
    """`name(x, n)`: x where n is negative, else what `step` makes of it, given to `callee` with n - 1."""

    def write(x: Var, n: Var) -> Any:
        def again() -> Any:
            return control(CALL, [step(x, n), python_ints.int_sub(n, 1)], types=[tensor(8)], callee=callee)

        return control(COND, [python_ints.int_lt(n, 0)], [graph("done", [], lambda: x), graph("again", [], again)])

    return graph(name, [tensor(8), INT], write)


def _zeros() -> Any:
    return joining.full(Literal(0.0, tensor()), shape=(8,))


def test_a_column_is_handed_down_a_recursion() -> None:
    f = _recursive(lambda x, n: _put(x, n, 1.0))
    made = module([INT], lambda n: control(CALL, [_zeros(), n], types=[tensor(8)], callee="f"), f=f)
    assert agree(made, 7).copies == 0


def test_a_column_is_handed_on_by_functions_that_do_not_change_it() -> None:
    others = {"f": _recursive(lambda x, n: _put(x, n, 1.0), callee="g"), "g": _recursive(lambda x, n: x, "g")}
    made = module([INT], lambda n: control(CALL, [_zeros(), n], types=[tensor(8)], callee="g"), **others)
    assert agree(made, 7).copies == 0


def test_a_column_comes_back_from_a_call_and_goes_into_the_next() -> None:
    def twice(x: Var, n: Var) -> Any:
        x = control(CALL, [x, n], types=[tensor(8)], callee="f")
        return control(CALL, [_put(x, 7, 2.0), n], types=[tensor(8)], callee="f")

    others = {"f": _recursive(lambda x, n: _put(x, n, 1.0)), "twice": graph("twice", [tensor(8), INT], twice)}
    made = module([INT], lambda n: control(CALL, [_zeros(), n], types=[tensor(8)], callee="twice"), **others)
    assert agree(made, 3).copies == 0


def test_an_argument_of_the_entry_is_copied_once() -> None:
    f = _recursive(lambda x, n: _put(x, n, 1.0))
    made = module([tensor(8), INT], lambda x, n: control(CALL, [x, n], types=[tensor(8)], callee="f"), f=f)
    assert agree(made, np.zeros(8), 7).copies == 1


def test_a_column_that_is_read_after_the_call_is_kept() -> None:
    def write(n: Var) -> Any:
        before = _put(_zeros(), 0, 5.0)
        return control(CALL, [before, n], types=[tensor(8)], callee="f"), before

    f = _recursive(lambda x, n: _put(x, n, 1.0))
    assert agree(module([INT], write, f=f), 7).copies == 1


def test_a_column_given_twice_is_kept_for_the_reading_one() -> None:
    def f(x: Var, y: Var, z: Var) -> Any:
        changed = _put(_put(x, 0, 1.0), 1, 2.0)
        return changed, elementwise.add(y, z), _put(y, 2, 3.0)

    def write(n: Var) -> Any:
        x = _put(_zeros(), n, 5.0)
        part = views.view_index(x, spec=(("s", 0, 1, 8),))
        return control(CALL, [x, x, part], types=[tensor(8)] * 3, callee="f")

    others = {"f": graph("f", [tensor(8)] * 3, f)}
    agree(module([INT], write, **others), 0)


def test_a_column_is_handed_over_in_branches_and_loops() -> None:
    def write(n: Var, p: Var) -> Any:
        def call(x: Var) -> Any:
            return control(CALL, [x, n], types=[tensor(8)], callee="f")

        x = _zeros()
        x = control(COND, [p], [graph("then", [], lambda: call(x)), graph("orelse", [], lambda: _put(x, 3, 9.0))])
        return control(FOR, [n, x], [graph("body", [INT, tensor(8)], lambda i, c: call(_put(c, i, 4.0)))])

    f = _recursive(lambda x, n: _put(x, n, 1.0))
    made = module([INT, BOOL], write, f=f)
    assert agree(made, 5, True).copies == 0
    assert agree(made, 5, False).copies == 0


def _asked_in_loops(made: Module) -> int:
    """How often the rounds of a program's loops ask whether memory is shared."""
    program = plan(made, [ArgLayout() for _ in made.main.params])
    loops = [s for f in program.functions.values() for s in statements(f.body) if isinstance(s, ir.While)]
    return sum(isinstance(s, ir.IsUnique) for loop in loops for s in statements(loop.body))


_LOOPS_THAT_WRITE: dict[str, Any] = {
    "a row": lambda c, d, i, p: (_put(c, i, 1.0), d),
    "rows of both": lambda c, d, i, p: (_put(c, i, 1.0), _put(_put(d, 0, 2.0), i, 3.0)),
    "a row on one path": lambda c, d, i, p: (_on_one_path(p, c, i), d),
    "on paths of paths": lambda c, d, i, p: (_on_one_path(p, _on_one_path(p, c, i), 3), _put(d, 1, 2.0)),
    "in an inner loop": lambda c, d, i, p: (_in_rounds(_put(c, i, 2.0), i), _in_rounds(d, i)),
}
_LOOPS_THAT_SHARE: dict[str, Any] = {
    "what was before": lambda c, d, i, p: (_put(c, i, 1.0), c),
    "one column twice": lambda c, d, i, p: (_put(c, i, 1.0),) * 2,
    "columns in turn": lambda c, d, i, p: (_put(d, i, 1.0), c),
    "a part of it": lambda c, d, i, p: (_put(c, i, 1.0), views.view_index(c, spec=(("s", 0, 1, 8),))),
    "on one path": lambda c, d, i, p: (
        _put(c, i, 1.0),
        control(COND, [p], [graph("then", [], lambda: c), graph("orelse", [], lambda: (d,))]),
    ),
    "with an inner loop": lambda c, d, i, p: (_in_rounds(c, i), c),
    "with what was before the loop": lambda c, d, i, p: (_put(_either(p, c, d), i, 4.0), d),
}


def _on_one_path(p: Var, x: Any, k: Any) -> Any:
    return control(COND, [p], [graph("then", [], lambda: _put(x, k, 7.0)), graph("orelse", [], lambda: (x,))])


def _either(p: Var, x: Any, y: Any) -> Any:
    return control(COND, [p], [graph("then", [], lambda: x), graph("orelse", [], lambda: (y,))])


def _in_rounds(x: Any, n: Var) -> Any:
    return control(FOR, [n, x], [graph("inner", [INT, tensor(8)], lambda i, c: _put(c, i, 5.0))])


def _loop_over_columns(step: Any) -> Module:
    def write(x: Var, n: Var, p: Var) -> Any:
        begin = [x, _put(_zeros(), 2, 9.0)]
        body = graph("body", [INT, tensor(8), tensor(8)], lambda i, c, d: step(c, d, i, p))
        return (*control(FOR, [n, *begin], [body]), x, begin[1])

    return module([tensor(8), INT, BOOL], write)


@pytest.mark.parametrize("step", [*_LOOPS_THAT_WRITE.values(), *_LOOPS_THAT_SHARE.values()])
@pytest.mark.parametrize("p", [True, False])
def test_columns_in_loops_are_what_they_are_on_their_own(step: Any, p: bool) -> None:
    for n in (0, 1, 2, 5):
        agree(_loop_over_columns(step), np.arange(8.0), n, p)


@pytest.mark.parametrize("step", _LOOPS_THAT_WRITE.values(), ids=_LOOPS_THAT_WRITE)
def test_rounds_do_not_ask_whether_their_columns_are_shared(step: Any) -> None:
    assert _asked_in_loops(_loop_over_columns(step)) == 0


def test_a_column_that_others_have_is_not_written_into_once_it_has_room() -> None:
    def write(n: Var) -> Any:
        x = _put(_zeros(), 0, 5.0)
        roomy = growing.room(x, n, symbol="rows")
        return growing.put_row(roomy, n, Literal(1.0, tensor())), _put(x, 1, 6.0)

    for n in (3, 8):
        (grown, kept), _ = run(module([INT], write), n)
        assert list(kept) == [5.0, 6.0, *[0.0] * 6]
        assert grown[1] == 0.0
        assert grown[n] == 1.0


def test_endless_recursion_is_a_recursion_error() -> None:
    others = {"f": graph("f", [INT], lambda n: control(CALL, [n], types=[INT], callee="f"))}
    made = module([INT], lambda n: control(CALL, [n], types=[INT], callee="f"), **others)
    with pytest.raises(ProgramError) as error:
        run(made, 1)
    assert error.value.site.exception == "RecursionError"


def test_loops_poll_unless_they_are_short() -> None:
    def write(n: Var) -> None:
        for count in (n, 10):
            control(FOR, [count], [graph("body", [INT], lambda i: None)])

    _, counts = run(module([INT], write), 10_000)
    assert counts.polls == 3  # one for 4,096 rounds


def test_rounds_over_arrays_poll_each() -> None:
    def write(x: Var, n: Var) -> Any:
        return control(FOR, [n, x], [graph("body", [INT, tensor(3)], lambda i, c: elementwise.add(c, c))])

    _, counts = run(module([tensor(3), INT], write), np.ones(3), 7)
    assert counts.polls == 7


def test_a_place_carried_through_a_loop() -> None:
    def write(a: Var, b: Var) -> None:
        def body(i: Var, x: Var, y: Var) -> Any:
            state.ref_add(x, Literal(1.0, tensor()))
            return y, x

        control(FOR, [3, a, shape_of_place(b)], [graph("body", [INT, ref(3), ref(3)], body)])

    def shape_of_place(b: Var) -> Var:
        return state.ref_view(b, spec=(("s", 4, -2, 3),))

    agree(module([ref(3), ref(6)], write), np.zeros(3), np.zeros(6))


# --- dimensions -------------------------------------------------------------------------------------


def test_an_extent_that_grows_in_a_loop() -> None:
    k = symbol("k")

    def write(x: Var, n: Var) -> Any:
        def body(i: Var, acc: Var) -> Any:
            return WIDEN(joining.concatenate(acc, x, axis=0), shape=(k,))

        start = WIDEN(joining.full(Literal(0.0, tensor()), shape=(1,)), shape=(k,))
        out = control(FOR, [n, start], [graph("body", [INT, tensor(k)], body)])
        return elementwise.mul(out, 2.0), conversions.extent(dim=k), start

    made = module([tensor(2), INT], write)
    for n in (0, 3):
        results, _ = run(made, np.array([1.0, 2.0]), n)
        np.testing.assert_array_equal(results[0], [0, *[2, 4] * n])
        assert results[1] == 1 + 2 * n
        np.testing.assert_array_equal(results[2], [0])


def test_a_number_becomes_an_extent() -> None:
    def write(n: Var) -> Any:
        conversions.as_dim(n, symbol="n")
        return joining.iota(length=symbol("n"), dtype=i64)

    made = module([INT], write)
    results, _ = run(made, 4)
    np.testing.assert_array_equal(results[0], [0, 1, 2, 3])
    with pytest.raises(ProgramError) as error:
        run(made, -1)
    assert error.value.site.exception == "ValueError"


@pytest.mark.parametrize("extents", [(2**31, 2**31), (2**62, 8), (2**63 - 1, 2**63 - 1)])
def test_an_array_past_all_memory_is_a_memory_error(extents: tuple[int, int]) -> None:
    def write(n: Var, m: Var) -> Any:
        conversions.as_dim(n, symbol="n")
        conversions.as_dim(m, symbol="m")
        return joining.full(Literal(1.0, tensor()), shape=(symbol("n"), symbol("m")))

    with pytest.raises(ProgramError) as error:
        run(module([INT, INT], write), *extents)
    assert error.value.site.exception == "MemoryError"


def test_extents_are_checked() -> None:
    n, m = symbol("n"), symbol("m")

    def write(x: Var, y: Var) -> Any:
        conversions.check_extents(a=n, b=m, message="{0} is not {1}")
        return elementwise.add(x, y)

    made = module([tensor(n), tensor(m)], write)
    agree(made, np.arange(3.0), np.arange(3.0))
    with pytest.raises(ProgramError, match="3 is not 4"):
        run(made, np.arange(3.0), np.arange(4.0))


# --- numbers, errors, Python ------------------------------------------------------------------------


def test_numbers_in_and_out() -> None:
    def write(a: Var, b: Var, c: Var) -> Any:
        return python_ints.int_mul(a, a), python_floats.float_add(b, b), c

    results, _ = run(module([INT, FLOAT, BOOL], write), 12, 0.1, True)
    assert results == [144, 0.2, True]


def test_complex_numbers_in_and_out() -> None:
    from jitcore.types import COMPLEX

    results, _ = run(module([COMPLEX], lambda z: (z, conversions.from_scalar(z, dtype=c128))), 1 + 2j)
    assert results == [1 + 2j, 1 + 2j]


def test_a_failed_check_says_where() -> None:
    span = Span("demo.py", 3, 4, 3, 9)

    def write(x: Var, i: Var) -> Any:
        return views.view_index(x, conversions.check_index(i, extent=3, axis=0), spec=(("i", 0),))

    made = module([tensor(3), INT], write)
    body = tuple(Binding(b.outs, b.op, b.args, span, b.params, b.graphs) for b in made.main.body)
    made = Module("main", {"main": Graph("main", made.main.params, body, made.main.results, span)})
    results, _ = run(made, np.arange(3.0), -1)
    assert results == [2.0]
    with pytest.raises(ProgramError, match="index 3 is out of bounds for axis 0 with size 3") as error:
        run(made, np.arange(3.0), 3)
    assert (error.value.site.exception, error.value.site.span) == ("IndexError", span)


def test_overflow_of_an_int_is_an_error() -> None:
    made = module([INT], lambda a: python_ints.int_add(a, a))
    with pytest.raises(ProgramError) as error:
        run(made, 2**62)
    assert error.value.site.exception == "OverflowError"


def test_printing_happens_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def write(x: Var, n: Var) -> None:
        state.print_(n, template="n = {0}\n")
        state.print_(elementwise.add(x, 1.0), template="x = {0}\n")

    made = module([tensor(2), INT], write)
    assert any(isinstance(b.op, Primitive) and isinstance(b.op.lowering, HostCode) for b in made.main.body)
    run(made, np.zeros(2), 3)
    assert capsys.readouterr().out == "n = 3\nx = [1. 1.]\n"


def test_a_try_takes_the_first_handler_that_fits() -> None:
    def write(a: Var, b: Var) -> Any:
        def body() -> Any:
            quotient = python_ints.int_floordiv(a, b)
            state.commit()
            return python_ints.int_mul(quotient, a)

        handlers = [graph("of_zero", [], lambda: Literal(-1, INT)), graph("of_all", [], lambda: Literal(-2, INT))]
        names = (("ZeroDivisionError",), ("ArithmeticError",))
        return control(TRY, [], [graph("body", [], body), *handlers], names=names)

    made = module([INT, INT], write)
    assert [run(made, *args)[0][0] for args in ((7, 2), (7, 0), (-(2**63), -1))] == [21, -1, -2]
    with pytest.raises(ProgramError):
        run(made, 2**62, 1)


# --- stacks and unions ------------------------------------------------------------------------------


def test_residuals_of_a_loop_come_back_in_reverse() -> None:
    n = symbol("n")

    def write(x: Var, count: Var) -> Any:
        def push(i: Var, s: Var, acc: Var) -> Any:
            following = elementwise.mul(acc, 2.0)
            return state.stack_push(s, acc, i, views.view_index(acc, spec=(("s", n - 1, -1, n),))), following

        stack, last = control(FOR, [count, state.stack_new(), x], [graph("push", [INT, STACK, tensor(n)], push)])

        def pop(i: Var, s: Var, total: Var) -> Any:
            s, acc, k, flipped = state.stack_pop(s, types=(tensor(n), INT, tensor(n)))
            weight = conversions.from_scalar(k, dtype=f64)
            return s, elementwise.add(elementwise.mul(total, weight), elementwise.add(acc, flipped))

        stack, total = control(FOR, [count, stack, last], [graph("pop", [INT, STACK, tensor(n)], pop)])
        state.stack_free(stack)
        return total

    agree(module([tensor(n), INT], write), np.arange(4.0), 5)


def test_a_union_carries_the_member_it_holds() -> None:
    n = symbol("n")
    either = UnionType((NONE, tensor(n), INT))

    def write(x: Var, k: Var) -> Any:
        def array() -> Any:
            return unions.union_make(elementwise.add(x, 1.0), type=either, tag=1)

        def number() -> Any:
            return unions.union_make(k, type=either, tag=2)

        is_array = python_ints.int_gt(k, 0)
        held = control(COND, [is_array], [graph("array", [], array), graph("number", [], number)])

        def use_array() -> Any:
            return reductions.reduce_sum(unions.union_get(held, index=1), axis=(0,), keepdims=False)

        def use_number() -> Any:
            return conversions.from_scalar(unions.union_get(held, index=2), dtype=f64)

        holds_array = python_ints.int_eq(unions.union_tag(held), 1)
        total = control(COND, [holds_array], [graph("a", [], use_array), graph("b", [], use_number)])
        return held, total

    made = module([tensor(n), INT], write)
    (held, total), _ = run(made, np.arange(3.0), 4)
    assert held[0] == 1
    np.testing.assert_array_equal(held[1][0], [1, 2, 3])
    assert total == 6.0
    (held, total), _ = run(made, np.arange(3.0), -2)
    assert held == (2, (-2,))
    assert total == -2.0


def test_a_union_through_a_loop_keeps_its_memory() -> None:
    either = UnionType((NONE, tensor(3)))

    def write(x: Var, n: Var) -> Any:
        def body(i: Var, held: Var) -> Any:
            def first() -> Any:
                return unions.union_make(elementwise.mul(x, 2.0), type=either, tag=1)

            def later() -> Any:
                return unions.union_make(elementwise.add(unions.union_get(held, index=1), x), type=either, tag=1)

            empty = python_ints.int_eq(unions.union_tag(held), 0)
            return control(COND, [empty], [graph("first", [], first), graph("later", [], later)])

        nothing = unions.union_make(Literal(None, NONE), type=either, tag=0)
        return control(FOR, [n, nothing], [graph("body", [INT, either], body)])

    made = module([tensor(3), INT], write)
    (held,), _ = run(made, np.arange(3.0), 3)
    np.testing.assert_array_equal(held[1][0], np.arange(3.0) * 4)
    (held,), _ = run(made, np.arange(3.0), 0)
    assert held[0] == 0


# --- the program itself -----------------------------------------------------------------------------


def test_equal_kernels_are_listed_once() -> None:
    def write(x: Var) -> Any:
        return tuple(joining.concatenate(x, x, axis=0) for _ in range(3))

    program = plan(module([tensor(4)], write), [ArgLayout()])
    assert len(program.kernels) == 2


def test_zeros_need_no_kernel() -> None:
    program = plan(module([], lambda: joining.full(Literal(0.0, tensor()), shape=(4,))), [])
    (alloc,) = [s for s in program.functions["main"].body.statements if isinstance(s, ir.Alloc)]
    assert alloc.zeroed
    assert not program.kernels


def test_a_constant_array_is_in_the_program() -> None:
    table = np.arange(6.0).reshape(2, 3)
    made = module([tensor(3)], lambda x: elementwise.add(x, Literal(table, tensor(2, 3))))
    agree(made, np.ones(3))


def test_while_with_an_array_in_its_test() -> None:
    def write(x: Var) -> Any:
        def test(v: Var) -> Any:
            total = reductions.reduce_sum(elementwise.mul(v, v), axis=(0,), keepdims=False)
            return conversions.to_scalar(elementwise.greater(total, 1.0))

        body = graph("body", [tensor(3)], lambda v: elementwise.mul(v, 0.5))
        return control(WHILE, [x], [graph("test", [tensor(3)], test), body])

    agree(module([tensor(3)], write), np.array([3.0, 4.0, 5.0]))
