"""Programs through the LLVM backend: checks, control flow, recursion, memory, stacks, kernels, host calls, errors."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from program_builder import NULL, Writer, as_floats, fibonacci, imm, load, make, push_and_pop, run, signed, site

from jitcore.backends.llvm.program.lowering import lower_program
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import context, memory, runtime
from jitcore.backends.native.link import object_cache
from jitcore.backends.protocol import ProgramError
from jitcore.config import settings
from jitcore.kernel.build import ArrayLayout, ContractionBuilder, KernelBuilder
from jitcore.program import nodes as n
from jitcore.program.printer import print_program
from jitcore.program.verify import verify_program
from jitcore.source import InternalError
from jitcore.types import (
    FLOAT,
    INT,
    TensorType,
    bool_,
    c64,
    c128,
    f32,
    f64,
    i8,
    i32,
    i64,
    symbol,
    u64,
)
from tests.program_builder import to_words

# --- checks -----------------------------------------------------------------------------------------


def checked_add() -> n.Program:
    w = Writer()
    a, b = w.read(0), w.read(1)
    w.check(w("not", bool_, w("add_overflows", bool_, a, b)), 0, a, b)
    w.write(0, w("add", i64, a, b))
    return make(w, 2, 1, sites=[site("OverflowError", "{0} + {1}")])


def test_overflow_is_an_error_with_its_values() -> None:
    program = checked_add()
    assert run(program, 20, 22) == [42]
    assert signed(run(program, -20, -22)[0]) == -42
    with pytest.raises(ProgramError) as caught:
        run(program, 2**63 - 1, 1)
    assert caught.value.site is program.sites[0]
    assert caught.value.values == (2**63 - 1, 1)
    assert str(caught.value) == "9223372036854775807 + 1"
    assert caught.value.__cause__ is None


def test_an_overflow_check_and_its_sum_are_one_addition() -> None:
    assembly = load(checked_add()).texts["asm"]()
    assert assembly.count("add") - assembly.count("jc_") <= 2  # and its `addq` of the stack pointer


def test_check_values_keep_their_types() -> None:
    w = Writer()
    a, b, c = w.read(0, f64), w.read(1), w.read(2, f64)
    w.check(w("lt", bool_, a, c), 1, a, b, c)
    program = make(w, 3, 0, sites=[site(), site("ValueError", "{0} {1} {2}")])
    with pytest.raises(ProgramError) as caught:
        run(program, 2.5, -7, 0.1)
    assert caught.value.values == (2.5, -7, 0.1)
    assert [type(v) for v in caught.value.values] == [float, int, float]
    assert run(program, 0.0, 0, 1.0) == []


def test_the_first_failing_check_wins() -> None:
    w = Writer()
    a = w.read(0)
    w.check(w("ne", bool_, a, 0), 0)
    w.if_(w("gt", bool_, a, 5), lambda: w.check(imm(False), 1, a) or (), lambda: w.check(w("lt", bool_, a, 0), 2) or ())
    program = load(make(w, 1, 0, sites=[site("ZeroDivisionError"), site("A"), site("B")]))
    for value, wanted in ((0, "ZeroDivisionError"), (6, "A"), (3, "B")):
        with pytest.raises(ProgramError) as caught:
            program.run(to_words([value]))
        assert caught.value.site.exception == wanted
    program.run(to_words([-1]))


# --- control flow -----------------------------------------------------------------------------------


def test_a_loop_of_a_million_steps() -> None:
    w = Writer()
    count = w.read(0)

    def body(i: n.Reg, total: n.Reg) -> list[n.Operand]:
        w.add(n.Poll(0))
        w.check(w("not", bool_, w("add_overflows", bool_, total, i)), 1)
        return [w("add", i64, total, i)]

    (total,) = w.range_(count, [0], body)
    w.write(0, total)
    program = make(w, 1, 1, sites=[site("KeyboardInterrupt"), site("OverflowError")])
    assert run(program, 1_000_000) == [sum(range(1_000_000))]
    assert run(program, 0) == [0]


def test_nested_loops_and_branches() -> None:
    w = Writer()
    count = w.read(0)

    def inner(j: n.Reg, total: n.Reg) -> list[n.Operand]:
        even = w("eq", bool_, w("mod", i64, j, 2), 0)
        return w.if_(even, lambda: [w("add", i64, total, j)], lambda: [w("sub", i64, total, 1)])

    (total,) = w.range_(count, [0], lambda i, t: w.range_(i, [t], inner))
    w.write(0, total)
    wanted = sum(j if j % 2 == 0 else -1 for i in range(20) for j in range(i))
    assert run(make(w, 1, 1), 20) == [wanted]


def test_loop_carries_change_places_at_once() -> None:
    w = Writer()
    a, b = w.range_(w.read(0), [0, 1], lambda i, a, b: [b, w("add", i64, a, b)])
    w.write(0, a)
    w.write(1, b)
    assert run(make(w, 1, 2), 50) == [12586269025, 20365011074]
    w = Writer()
    a, b = w.range_(w.read(0), [3, 4], lambda i, a, b: [b, a])
    w.write(0, a)
    w.write(1, b)
    assert run(make(w, 1, 2), 3) == [4, 3]


def test_deeply_nested_programs_do_not_exhaust_python() -> None:
    depth = 3 * sys.getrecursionlimit()
    x, y = n.Reg("x", i64), n.Reg("y", bool_)
    out = n.Reg("out", i64)
    inner: n.Statement = n.Scalar(n.Reg("z", i64), "add", (x, imm(1)))
    results: tuple[n.Operand, ...] = ()
    for _ in range(depth):
        inner = n.If(y, n.Block((inner,), results), n.Block(()))
    statements = (n.ReadWord(x, 0), n.Scalar(y, "gt", (x, imm(0))), inner, n.Scalar(out, "mul", (x, imm(2))))
    body = n.Block((*statements, n.WriteWord(0, out)))
    program = n.Program("deep", {"main": n.Function("main", (), body)}, "main", {}, 1, 1)
    verify_program(program)
    assert lower_program(program, engine.host()).text.count("phi") == 0
    assert print_program(program).count("if y") == depth


# --- functions --------------------------------------------------------------------------------------


def endless() -> n.Program:
    """f(k) = f(k + 1) + 1 until k is `in[0]`."""
    k, stop = n.Reg("k", i64), n.Reg("stop", i64)
    f = Writer()

    def recurse() -> list[n.Operand]:
        (below,) = f.call("f", [f("add", i64, k, 1), stop], [i64], 0)
        return [f("add", i64, below, 1)]

    results = f.if_(f("eq", bool_, k, stop), lambda: [imm(0)], recurse)
    w = Writer()
    (value,) = w.call("f", [imm(0), w.read(0)], [i64], 0)
    w.write(0, value)
    return make(w, 1, 1, f.function("f", [k, stop], results), sites=[site("RecursionError")])


def test_recursion() -> None:
    assert run(fibonacci(), 20) == [6765]


def test_recursion_without_end_is_an_error() -> None:
    program = load(endless())
    assert program.run(to_words([5000])).tolist() == [5000]
    for _ in range(3):
        with pytest.raises(ProgramError) as caught:
            program.run(to_words([-1]))
        assert caught.value.site.exception == "RecursionError"


@pytest.mark.parametrize("size", [256 << 10, 1 << 20, 64 << 20])
def test_recursion_in_threads_of_any_stack_size(size: int) -> None:
    program, found = load(endless()), []

    def work() -> None:
        try:
            program.run(to_words([-1]))
        except ProgramError as error:
            found.append(error.site.exception)

    old = threading.stack_size(size)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert found == ["RecursionError"]


def test_functions_give_many_results_of_all_types() -> None:
    types = [i64, f64, bool_, i8, f32, c128, None, u64, c64, i32]
    params = [n.Reg(f"p{k}", t) for k, t in enumerate(types)]
    f = Writer()
    w = Writer()
    places = np.cumsum([0, *(2 if t is c128 else 1 for t in types)]).tolist()
    given = [w.read(place, t) for place, t in zip(places, types, strict=False)]
    outs = w.call("f", given[::-1], types, 0)
    for place, out in zip(places, outs, strict=False):
        w.write(place, out)
    program = make(w, places[-1], places[-1], f.function("f", params[::-1], params), sites=[site()])
    words = to_words([-5, 2.5, True, -3, 0, 1 + 2j, 4096, 2**64 - 1, 0, -9])
    words[4] = np.array([1.5, 0], np.float32).view(np.uint64)[0]
    words[9] = np.array([1 - 2j], np.complex64).view(np.uint64)[0]
    assert load(program).run(words).tolist() == words.tolist()


# --- memory -----------------------------------------------------------------------------------------


def test_blocks_are_freed_and_results_kept() -> None:
    w = Writer()
    kept, data = w.alloc(w.read(0))
    dropped, _ = w.alloc(1000)
    w.add(n.Retain(dropped))
    w.add(n.Release(dropped))
    w.store(data, 3.5)
    w.write(0, data)
    w.write(1, kept)
    w.add(n.Release(dropped))
    for owner in (NULL, w.read(1, None)):
        w.add(n.Retain(owner))
        w.add(n.Release(owner))
    program = load(make(w, 2, 2))
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(1000):
        data_address, owner = program.run(to_words([64, id(program) | 1])).tolist()
        assert data_address == owner + memory.HEADER
        assert owner % 64 == 0
        assert ctypes.c_double.from_address(data_address).value == 3.5
        assert runtime.blocks_in_use() == before + 1
        runtime.release(owner)
    assert runtime.blocks_in_use() == before


def test_no_leak_over_many_calls() -> None:
    w = Writer()

    def body(i: n.Reg) -> list[n.Operand]:
        owner, data = w.alloc(w("mul", i64, w("mod", i64, i, 100), 64))
        w.store(data, i)
        w.add(n.Release(owner))
        return []

    w.range_(w.read(0), [], body)
    program = load(make(w, 1, 0))
    gc.collect()
    before = runtime.blocks_in_use()
    program.run(to_words([100_000]))
    assert runtime.blocks_in_use() == before


def test_zeroed_blocks_hold_zeros() -> None:
    for size in (8, 5000, 3 << 20):
        w = Writer()
        for _ in range(2):  # the second time it is a block used before
            owner, data = w.alloc(size, zeroed=True)
            w.check(w("eq", bool_, w.load(data, i64), 0), 0)
            last = w.offset(data, size - 8)
            w.check(w("eq", bool_, w.load(last, i64), 0), 0)
            w.store(data, -1)
            w.store(last, -1)
            w.add(n.Release(owner))
        run(make(w, 0, 0, sites=[site()]))


@pytest.mark.parametrize("kept", [0, 1, 700])
def test_rows_are_moved_to_a_longer_block(kept: int) -> None:
    """The second time the new block has been used before, and is not zeros."""
    w = Writer()
    for _ in range(2):
        old, data = w.alloc(8 * max(kept, 1))
        w.store(data, 7)
        w.store(w.offset(data, 8 * max(kept, 1) - 8), 9)
        owner = w.reg(None)
        w.add(n.Move(owner, imm(kept + 5), imm(8), data, imm(kept), old))
        made = w.offset(owner, 64)
        for place, value in ((0, 7), (kept - 1, 9)) if kept > 1 else ((0, 9),) if kept else ():
            w.check(w("eq", bool_, w.load(w.offset(made, 8 * place), i64), value), 0)
        for place in range(kept, kept + 5):
            w.check(w("eq", bool_, w.load(w.offset(made, 8 * place), i64), 0), 0)
            w.store(w.offset(made, 8 * place), -1)
        w.add(n.Release(owner))
    program = load(make(w, 0, 0, sites=[site()]))
    gc.collect()
    before = runtime.blocks_in_use()
    program.run(to_words([]))
    assert runtime.blocks_in_use() == before


@pytest.mark.parametrize(("rows", "size"), [(1 << 50, 8), (1 << 62, 8), (3, 1 << 62)])
def test_no_memory_for_rows_is_a_memory_error(rows: int, size: int) -> None:
    w = Writer()
    owner = w.reg(None)
    w.add(n.Move(owner, imm(rows), imm(size), NULL, imm(0), NULL))
    with pytest.raises(ProgramError) as caught:
        run(make(w, 0, 0))
    assert caught.value.site.exception == "MemoryError"


def test_is_unique() -> None:
    w = Writer()
    owner, _ = w.alloc(8)
    answers: list[n.Reg] = []

    def ask(of: n.Operand) -> None:
        out = w.reg(bool_)
        w.add(n.IsUnique(out, of))
        answers.append(out)

    ask(owner)
    w.add(n.Retain(owner))
    ask(owner)
    w.add(n.Release(owner))
    ask(owner)
    ask(NULL)
    ask(w.read(0, None))
    for k, answer in enumerate(answers):
        w.write(k, answer)
    w.add(n.Release(owner))
    assert run(make(w, 1, 5), 4097) == [1, 0, 1, 0, 0]


def test_an_error_frees_what_the_call_allocated() -> None:
    w = Writer()
    stop = w.read(0)

    def body(i: n.Reg) -> list[n.Operand]:
        w.alloc(w("mul", i64, i, 100))
        w.check(w("ne", bool_, i, stop), 0, i)
        return []

    w.range_(1000, [], body)
    program = load(make(w, 1, 0, sites=[site("ValueError", "{0}")]))
    gc.collect()
    before = runtime.blocks_in_use()
    for stop_at in (0, 1, 7, 999):
        with pytest.raises(ProgramError, match=f"^{stop_at}$"):
            program.run(to_words([stop_at]))
    assert runtime.blocks_in_use() == before


@pytest.mark.parametrize("size", [1 << 46, 1 << 62, -1, -(2**63)])
def test_too_large_a_block_is_a_memory_error(size: int) -> None:
    w = Writer()
    w.alloc(8)
    w.alloc(w.read(0))
    gc.collect()
    before = runtime.blocks_in_use()
    with pytest.raises(ProgramError) as caught:
        run(make(w, 1, 0), size)
    assert caught.value.site.exception == "MemoryError"
    assert runtime.blocks_in_use() == before


def test_blocks_do_not_overlap_and_are_whole() -> None:
    w = Writer()
    first = w.read(0)
    for k in range(4):
        owner, _ = w.alloc(w("shl", i64, first, k))
        w.write(k, owner)
    program = load(make(w, 1, 4))
    for size in (1, 63, 64, 65, 100, 1000, 4096, 40_000, 300_000, 1 << 20, (2 << 20) - 64, 5_000_000):
        owners = program.run(to_words([size])).tolist()
        ranges = sorted((o, o + memory.HEADER + (size << k)) for k, o in enumerate(owners))
        assert all(a[1] <= b[0] for a, b in pairwise(ranges))
        for k, owner in enumerate(owners):
            ctypes.memset(owner + memory.HEADER, 255, size << k)
        for owner in owners:
            runtime.release(owner)


def test_the_cache_of_free_blocks_has_a_limit() -> None:
    w = Writer()
    for _ in range(8):
        w.alloc(4 << 20)
    w.check(imm(False), 0)
    program = load(make(w, 0, 0, sites=[site()]))
    limit = runtime._support().cache_limit.value
    runtime.trim()
    assert runtime.cached_bytes() == 0
    try:
        for cap in (0, 9 << 20, 100 << 20):
            runtime.set_cache_limit(cap)
            with pytest.raises(ProgramError):
                program.run(to_words([]))
            assert runtime.cached_bytes() <= cap
        assert runtime.cached_bytes() >= 32 << 20
    finally:
        runtime.set_cache_limit(limit)
        runtime.trim()


def test_threads_share_the_pool() -> None:
    w = Writer()

    def body(i: n.Reg) -> list[n.Operand]:
        owner, data = w.alloc(w("and", i64, w("mul", i64, i, 37), 4095))
        w.store(data, i)
        other, _ = w.alloc(64)
        w.check(w("eq", bool_, w.load(data, i64), i), 0)
        w.add(n.Release(owner))
        w.add(n.Release(other))
        return []

    w.range_(w.read(0), [], body)
    program = load(make(w, 1, 0, sites=[site()]))
    gc.collect()
    before = runtime.blocks_in_use()
    threads = [threading.Thread(target=program.run, args=(to_words([50_000]),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert runtime.blocks_in_use() == before


def test_copies_constants_and_elements() -> None:
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    w = Writer()
    source = w.reg(None)
    w.add(n.Constant(source, 1))
    owner, data = w.alloc(table.nbytes)
    w.add(n.Copy(data, source, imm(table.nbytes)))
    w.write(0, w.load(w.offset(data, 4 * 7), f32))
    w.add(n.Release(owner))
    w.write(1, source)
    program = load(make(w, 0, 2, constants=(np.zeros(3), table)))
    table[...] = -1  # constants are the program's own
    value, address = program.run(to_words([])).tolist()
    assert np.array([value], np.uint64).view(np.float32)[0] == 7.0
    assert address % 64 == 0


# --- stacks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [0, 100, 48 * 1000])
def test_stacks_grow(capacity: int) -> None:
    program = load(push_and_pop(capacity))
    gc.collect()
    before = runtime.blocks_in_use()
    for count in (0, 1, 9, 10, 11, 1000, 50_000):
        assert program.run(to_words([count])).tolist() == [count * (count - 1) // 2]
        assert runtime.blocks_in_use() == before


def test_a_loop_at_a_chunks_boundary_allocates_once() -> None:
    w = Writer()
    stack = w.reg(None, "stack")
    w.add(n.StackNew(stack, imm(0)))
    filled = w.read(0)
    w.range_(filled, [], lambda i: w.add(n.StackPush(stack, (i,))) or [])

    def both(i: n.Reg, total: n.Reg) -> list[n.Operand]:
        w.add(n.StackPush(stack, (i,)))
        out = w.reg(i64)
        w.add(n.StackPop(stack, (out,)))
        return [w("add", i64, total, out)]

    (total,) = w.range_(1000, [0], both)
    w.write(0, total)

    def pop(i: n.Reg) -> list[n.Operand]:
        w.add(n.StackPop(stack, (w.reg(i64),)))
        return []

    w.range_(filled, [], pop)
    w.add(n.StackFree(stack))
    program = load(make(w, 1, 1))
    for count in range(50, 70):
        assert program.run(to_words([count])).tolist() == [499500]


def test_an_error_frees_stacks_and_what_is_on_them() -> None:
    w = Writer()
    stack = w.reg(None, "stack")
    w.add(n.StackNew(stack, imm(8)))

    def push(i: n.Reg) -> list[n.Operand]:
        owner, _ = w.alloc(100)
        w.add(n.StackPush(stack, (owner, i)))
        w.check(w("lt", bool_, i, 5000), 0)
        return []

    w.range_(10_000, [], push)
    w.add(n.StackFree(stack))
    program = load(make(w, 0, 0, sites=[site()]))
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(3):
        with pytest.raises(ProgramError):
            program.run(to_words([]))
        assert runtime.blocks_in_use() == before


def test_popping_an_empty_stack_is_found_out() -> None:
    w = Writer()
    stack = w.reg(None, "stack")
    w.add(n.StackNew(stack, imm(8)))
    w.add(n.StackPop(stack, (w.reg(i64),)))
    with pytest.raises(InternalError, match="empty stack"):
        run(make(w, 0, 0))


# --- host calls and signals -------------------------------------------------------------------------


def hosting(function: Callable[..., Any], arg_types: Sequence[Any], result_types: Sequence[Any]) -> n.Program:
    """Calls a function with (int, float) and gives (int, float) back, beside a block of its own."""
    w = Writer()
    owner, _ = w.alloc(100)
    outs = [w.reg(i64), w.reg(f64)]
    w.add(n.Host(0, (w.read(0), w.read(1, f64)), tuple(outs), 0))
    w.add(n.Release(owner))
    for k, out in enumerate(outs):
        w.write(k, out)
    return make(
        w, 2, 2, sites=[site("Host"), site()], host_calls=(n.HostCall(function, tuple(arg_types), tuple(result_types)),)
    )


def test_a_host_call() -> None:
    seen: list[Any] = []

    def function(a: int, b: float) -> tuple[int, float]:
        seen.append((a, b))
        return a * 2, b / 2

    program = load(hosting(function, [INT, FLOAT], [INT, FLOAT]))
    words = program.run(to_words([-21, 3.0])).tolist()
    assert signed(words[0]) == -42
    assert as_floats(words)[1] == 1.5
    assert seen == [(-21, 3.0)]


def test_a_host_call_that_raises() -> None:
    class MineError(Exception):
        pass

    def function(a: int, b: float) -> tuple[int, float]:
        raise MineError(a, b)

    program = load(hosting(function, [INT, FLOAT], [INT, FLOAT]))
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(3):
        with pytest.raises(ProgramError) as caught:
            program.run(to_words([1, 2.0]))
        assert caught.value.site.exception == "Host"
        cause = caught.value.__cause__
        assert isinstance(cause, MineError)
        assert cause.args == (1, 2.0)
        assert cause.__traceback__ is not None
    assert runtime.blocks_in_use() == before


def test_a_host_call_with_arrays() -> None:
    kept: list[Any] = []

    def function(x: Any, s: float) -> tuple[Any]:
        assert x.shape == (2, 3)
        assert x.strides == (8, 16)
        kept.append(x)
        return (np.asfortranarray(x * s),)

    type_ = TensorType(f64, (2, 3))
    w = Writer()
    owner, data = w.alloc(48)
    w.range_(6, [], lambda i: w.store(w.offset(data, w("mul", i64, i, 8)), w("cast", f64, i)) or [])
    args = (data, owner, imm(2), imm(3), imm(8), imm(16), imm(10.0))
    outs = [w.reg(None), w.reg(None), *(w.reg(i64) for _ in range(4))]
    w.add(n.Host(0, args, tuple(outs), 0))
    w.add(n.Release(owner))
    for k, out in enumerate(outs):
        w.write(k, out)
    call_ = n.HostCall(function, (type_, FLOAT), (type_,))
    program = load(make(w, 0, 6, sites=[site()], host_calls=(call_,)))
    gc.collect()
    before = runtime.blocks_in_use()
    data_address, result_owner, *layout = program.run(to_words([])).tolist()
    assert layout == [2, 3, 24, 8]  # its own block, C-contiguous
    assert np.array((ctypes.c_double * 6).from_address(data_address)).tolist() == [0, 20, 40, 10, 30, 50]
    # the argument is kept by the function: its block must still be there
    assert runtime.blocks_in_use() == before + 2
    assert kept[0].tolist() == [[0, 2, 4], [1, 3, 5]]
    kept.clear()
    assert runtime.blocks_in_use() == before + 1
    runtime.release(result_owner)
    assert runtime.blocks_in_use() == before


def test_a_host_call_that_calls_a_program() -> None:
    inner = load(fibonacci())

    def function(a: int, b: float) -> tuple[int, float]:
        return int(inner.run(to_words([a]))[0]), b

    assert run(hosting(function, [INT, FLOAT], [INT, FLOAT]), 15, 0.0)[0] == 610


def endless_loop() -> n.Program:
    w = Writer()
    w.alloc(64)

    def body(i: n.Reg) -> list[n.Operand]:
        w.add(n.Poll(0))
        return [w("add", i64, i, 1)]

    w.while_([0], lambda i: w("ge", bool_, i, 0), body)
    return make(w, 0, 0, sites=[site("KeyboardInterrupt")])


def test_signals_end_a_loop() -> None:
    program = load(endless_loop())
    gc.collect()
    before = runtime.blocks_in_use()

    class AlarmError(Exception):
        pass

    def handler(*_: Any) -> None:
        raise AlarmError

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(ProgramError) as caught:
            program.run(to_words([]))
        assert isinstance(caught.value.__cause__, AlarmError)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert runtime.blocks_in_use() == before


# --- kernels ----------------------------------------------------------------------------------------


def test_a_launch() -> None:
    """out[i] = x[i] * scale + float(flag), through parameters of several kinds."""
    k = KernelBuilder("exp", {b: ArrayLayout.contiguous(f32, (symbol("n"),)) for b in ("x", "out")})
    (i,) = k.axes((symbol("n"),))
    scale, flag = k.scalar("scale", f32), k.scalar("flag", bool_)
    k.store("out", (i,), k("add", f32, k("mul", f32, k.load("x", (i,)), scale), k.cast(f32, flag)))
    kernel, dims = k.finish()
    assert list(dims.values()) == [symbol("n")]
    w = Writer()
    x, count = w.read(0, None), w.read(1)
    owner, data = w.alloc(w("mul", i64, count, 4))
    w.add(n.Launch("exp", (x, data, n.Imm(0.5, f32), imm(True), count), 0))
    w.write(0, data)
    w.write(1, owner)
    program = load(make(w, 2, 2, kernels={"exp": kernel}, sites=[site("KeyboardInterrupt")]))
    values = np.arange(100, dtype=np.float32)
    address, owner_ = program.run(to_words([values.ctypes.data, 100])).tolist()
    assert np.array((ctypes.c_float * 100).from_address(address)).tolist() == (values * 0.5 + 1).tolist()
    runtime.release(owner_)


def test_a_launch_of_a_contraction() -> None:
    shapes = {"a": (7, 5), "b": (5, 6), "c": (7, 6)}
    k = ContractionBuilder("matmul", {b: ArrayLayout.contiguous(f64, s) for b, s in shapes.items()})
    m, columns, inner = k.axis("m", 7), k.axis("n", 6), k.axis("k", 5)
    k.operand("a", (m, inner))
    k.operand("b", (inner, columns))
    k.operand("c", (m, columns))
    contraction, _ = k.finish()
    w = Writer()
    w.add(n.Launch("matmul", tuple(w.read(i, None) for i in range(3)), 0))
    arrays = {b: np.random.default_rng(1).standard_normal(s) for b, s in shapes.items()}
    program = load(make(w, 3, 0, kernels={"matmul": contraction}, sites=[site("KeyboardInterrupt")]))
    program.run(to_words([a.ctypes.data for a in arrays.values()]))
    np.testing.assert_allclose(arrays["c"], arrays["a"] @ arrays["b"], rtol=1e-14)


# --- the machinery ----------------------------------------------------------------------------------


def test_the_contexts_layout_is_as_documented() -> None:
    fields = ("site", "kinds", "values", "blocks", "stack_limit", "poll_count", "poll_interval", "poll_clock")
    fields = (*fields, "poll_signals", "exception", "handled", "origin", "origins", "trace", "parked", "held", "thread")
    fields = (*fields, "heap", "parsed")
    assert context.offsets() == {name: getattr(context, name.upper()) for name in fields}
    area = {"exception": context.AREA_EXCEPTION, "handled": context.AREA_HANDLED, "origin": context.AREA_ORIGIN}
    assert {name: getattr(context.Area, name).offset for name in area} == area


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32", "freebsd14"])
def test_support_is_valid_for_every_system(platform: str) -> None:
    assert len(engine.compile_object(runtime.support_text(platform))) > 1000


def test_code_is_unloaded_with_its_program() -> None:
    program = checked_add()
    loaded = load(program)
    address = loaded.run_address
    del loaded
    again = [load(program) for _ in range(2)]
    assert address  # its memory may be used again now
    assert again[0].run_address != again[1].run_address
    assert [p.run(to_words([1, 2])).tolist() for p in again] == [[3], [3]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_support_survives_fork() -> None:
    program = load(push_and_pop(0))
    program.run(to_words([100]))
    # as if another thread had been allocating at that moment
    runtime._support().class_field(6, 0).value = 1
    child = os.fork()
    if child == 0:
        status = 2
        try:
            status = program.run(to_words([1000])).tolist() != [499500]
        finally:
            os._exit(int(status))
    runtime._support().class_field(6, 0).value = 0
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert program.run(to_words([1000])).tolist() == [499500]


def test_objects_are_kept_on_disk(tmp_path: Any, monkeypatch: Any) -> None:
    made: list[int] = []

    def compile_() -> bytes:
        made.append(1)
        return b"object code"

    def ask() -> bytes:
        return object_cache.cached(object_cache.Part("text", 1, engine.host(), compile_))

    monkeypatch.setattr(settings, "cache_dir", str(tmp_path / "cache"))
    assert ask() == ask() == b"object code"
    assert len(made) == 1
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(file.read_bytes()[:-1])  # torn
    assert ask() == b"object code"
    assert len(made) == 2
    monkeypatch.setattr(settings, "cache_dir", "off")
    assert ask() == b"object code"
    assert len(made) == 3
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(settings, "cache_dir", str(tmp_path / "file" / "below"))
    assert ask() == b"object code"


def test_results_may_outlive_everything() -> None:
    """Arrays over blocks are dropped when the interpreter ends, after the modules that made them."""
    script = (
        "import ctypes, numpy, sys\n"
        "from jitcore.backends.native.host import context; from jitcore.backends.native.host import runtime\n"
        "made = context.Context()\n"
        "owner = runtime.allocate(ctypes.addressof(made), 64)\n"
        "runtime.retain(owner)\n"
        "interface = {'data': (owner + 64, False), 'shape': (8,), 'typestr': '<f8', 'version': 3}\n"
        "sys.kept = [numpy.asarray(runtime.Owner(owner, interface))]\n"
        "sys.kept.append(sys.kept)\n"
        "array = sys.kept[0]\n"
    )
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")


def test_wrong_words_are_refused() -> None:
    program = load(checked_add())
    with pytest.raises(InternalError, match="takes 2 words"):
        program.run(to_words([1]))
