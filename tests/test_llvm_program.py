"""Programs through the LLVM backend: scalars and their checks, control flow, memory, stacks, host calls, errors."""

from __future__ import annotations

import ast
import ctypes
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from program_builder import NULL, Writer, imm, make, site

from jitcore.backends.llvm import BACKEND, context, engine, memory, object_cache, runtime
from jitcore.backends.llvm.call import call, to_words
from jitcore.backends.llvm.program import lower_program
from jitcore.backends.protocol import LoadedProgram, ProgramError
from jitcore.config import settings
from jitcore.kernel.nodes import Buffer, Kernel, Param
from jitcore.kernel.scalar import OPS
from jitcore.program import nodes as n
from jitcore.program.printer import print_program
from jitcore.program.verify import verify_program
from jitcore.source import InternalError
from jitcore.types import (
    DTYPES,
    FLOAT,
    INT,
    DType,
    TensorType,
    bool_,
    c64,
    c128,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
    u32,
    u64,
)


def load(program: n.Program) -> LoadedProgram:
    verify_program(program)
    return BACKEND.load(program)


def run(program: n.Program, *args: Any) -> Any:
    """Run a program on numbers: its words as unsigned ints."""
    return call(load(program), to_words(args)).tolist()


def as_floats(words: Sequence[int]) -> list[float]:
    return np.array(words, np.uint64).view(np.float64).tolist()


def signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


# --- scalar operations ------------------------------------------------------------------------------


def elementwise(op: str, dtype: DType, arg_types: Sequence[DType]) -> n.Program:
    """A loop that applies an operation to arrays: in = count, addresses of the arguments, address of the result."""
    w = Writer()
    count = w.read(0)
    arrays = [w.read(1 + k, None) for k in range(len(arg_types) + 1)]

    def body(i: n.Reg) -> list[n.Operand]:
        args: list[n.Operand] = []
        for array, t in zip(arrays, arg_types, strict=False):
            args.append(w.load(w.offset(array, w("mul", i64, i, t.itemsize)), t))
        w.store(w.offset(arrays[-1], w("mul", i64, i, dtype.itemsize)), w(op, dtype, *args))
        return []

    w.range_(count, [], body)
    return make(w, 2 + len(arg_types), 0)


def apply(op: str, dtype: DType, *arrays: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    types = [next(d for d in DTYPES.values() if d.numpy == a.dtype) for a in arrays]
    arrays = tuple(np.ascontiguousarray(a) for a in arrays)
    out = np.zeros(arrays[0].shape, dtype.numpy)
    addresses = [a.ctypes.data for a in (*arrays, out)]
    call(load(elementwise(op, dtype, types)), to_words([out.size, *addresses]))
    return out


def samples(dtype: DType) -> np.ndarray[Any, Any]:
    """Numbers of a dtype, extremes and specials among them."""
    random = np.random.default_rng(5)
    if dtype is bool_:
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        edge = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 7, info.max // 2]
        if dtype.kind == "i":
            edge += [-1, -2, -3, -7]
        return np.concatenate([np.array(edge, dtype.numpy), random.integers(info.min, info.max, 30, dtype.numpy)])
    if dtype.kind == "c":
        part = samples({c64: f32, c128: f64}[dtype])[:16]
        a, b = np.meshgrid(part, part)
        out = np.empty(a.size, dtype.numpy)
        out.real, out.imag = a.ravel(), b.ravel()
        return out
    info = np.finfo(dtype.numpy)
    edge = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan, info.max, info.tiny, 3.0, -7.25]
    edge += [info.smallest_subnormal, -info.max, 2.0**31 if dtype is not f16 else 9.0, 1e4, 0.1]
    return np.concatenate([np.array(edge, dtype.numpy), (random.standard_normal(30) * 5).astype(dtype.numpy)])


def pairs(dtype: DType) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    x = samples(dtype)
    a, b = np.meshgrid(x, x)
    return a.ravel(), b.ravel()


def check_same(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], *args: np.ndarray[Any, Any]) -> None:
    """Equal bit for bit, but for the bits of NaN and, where NumPy leaves it open, a zero's sign."""
    wanted = wanted.astype(found.dtype)
    same = (found == wanted) | ((found != found) & (wanted != wanted))
    if found.dtype.kind == "c":  # NaN in one part says nothing of the other
        parts = [(found.real, wanted.real), (found.imag, wanted.imag)]
        same = np.logical_and.reduce([(f == g) | ((f != f) & (g != g)) for f, g in parts])
    bad = np.flatnonzero(~same)
    shown = [(tuple(a[k] for a in args), found[k], wanted[k]) for k in bad[:5]]
    assert not bad.size, f"{bad.size} of {found.size} differ: {shown}"


INTEGERS = [d for d in DTYPES.values() if d.is_integer]
FLOATS = [f16, f32, f64]
BINARY = {
    "add": [bool_, *INTEGERS, *FLOATS, c64, c128],
    "sub": [*INTEGERS, *FLOATS, c64, c128],
    "mul": [bool_, *INTEGERS, *FLOATS],
    "div": [*FLOATS, c64, c128],
    "floordiv": [*INTEGERS, *FLOATS],
    "mod": [*INTEGERS, *FLOATS],
    "fmod": [*INTEGERS, *FLOATS],
    "max": [bool_, *INTEGERS, *FLOATS],
    "min": [bool_, *INTEGERS, *FLOATS],
    "copysign": FLOATS,
    "and": [bool_, *INTEGERS],
    "or": [bool_, *INTEGERS],
    "xor": [bool_, *INTEGERS],
    "shl": INTEGERS,
    "shr": INTEGERS,
}


@pytest.mark.parametrize("op", BINARY)
def test_binary_operations(op: str) -> None:
    for dtype in BINARY[op]:
        a, b = pairs(dtype)
        with np.errstate(all="ignore"):
            wanted = OPS[op].reference(a, b)
        found = apply(op, dtype, a, b)
        check_same(found, wanted, a, b)
        if dtype.is_float and op not in ("max", "min"):
            zero = (found == 0) & (wanted == 0)
            assert (np.signbit(found[zero]) == np.signbit(wanted[zero])).all()


def test_complex_products_are_pythons() -> None:
    """Unfused, as CPython computes them; NumPy's loops over arrays fuse where the CPU can."""
    a, b = pairs(c128)
    wanted = [
        complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)
        for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    check_same(apply("mul", c128, a, b), np.array(wanted), a, b)


UNARY = {
    "neg": [*INTEGERS, *FLOATS, c64, c128],
    "abs": [bool_, *INTEGERS, *FLOATS],
    "sign": [*INTEGERS, *FLOATS],
    "sqrt": FLOATS,
    "floor": [*INTEGERS, *FLOATS],
    "ceil": [*INTEGERS, *FLOATS],
    "trunc": [*INTEGERS, *FLOATS],
    "rint": FLOATS,
    "not": [bool_, *INTEGERS],
}


@pytest.mark.parametrize("op", UNARY)
def test_unary_operations(op: str) -> None:
    for dtype in UNARY[op]:
        a = samples(dtype)
        check_same(apply(op, dtype, a), OPS[op].reference(a), a)


@pytest.mark.parametrize("op", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons(op: str) -> None:
    for dtype in DTYPES.values():
        a, b = pairs(dtype)
        with np.errstate(all="ignore"):
            wanted = OPS[op].reference(a, b)
        check_same(apply(op, bool_, a, b), wanted, a, b)


@pytest.mark.parametrize("op", ["isnan", "isinf", "isfinite"])
def test_classes_of_numbers(op: str) -> None:
    for dtype in DTYPES.values():
        a = samples(dtype)
        check_same(apply(op, bool_, a), OPS[op].reference(a), a)


@pytest.mark.parametrize("op", ["add_overflows", "sub_overflows", "mul_overflows"])
def test_overflow_predicates(op: str) -> None:
    a, b = pairs(i64)
    check_same(apply(op, bool_, a, b), OPS[op].reference(a, b), a, b)


@pytest.mark.parametrize("source", DTYPES.values(), ids=str)
def test_conversions(source: DType) -> None:
    a = samples(source)
    if source.is_float:
        limits = [2.0**k + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)]
        with np.errstate(all="ignore"):
            edges = np.array([*limits, *(-x for x in limits), 65519.99999, 65520.0, 1.0 + 2.0**-11], np.float64)
            a = np.concatenate([a, edges.astype(source.numpy)])
    for dtype in DTYPES.values():
        wanted = a.real if source.kind == "c" and dtype.kind != "c" and dtype is not bool_ else a
        with np.errstate(all="ignore"):
            if dtype is u32:  # past its range NumPy's loops over many elements differ from those over one
                wanted = np.array([x.astype(np.uint32) for x in wanted.reshape(-1, 1)]).ravel()
            else:
                wanted = wanted.astype(dtype.numpy)
        check_same(apply("cast", dtype, a), wanted, a)


def test_complex_parts() -> None:
    a = samples(c128)
    check_same(apply("real", f64, a), a.real, a)
    check_same(apply("imag", f64, a), a.imag, a)
    check_same(apply("abs", f64, a), np.array([math.hypot(z.real, z.imag) for z in a.tolist()]), a)
    x, y = pairs(f32)
    check_same(apply("complex", c64, x, y), _complex(x, y), x, y)


def _complex(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    out = np.empty(x.shape, np.complex64)
    out.real, out.imag = x, y
    return out


LIBM_ONE = [name.removeprefix("libm.") for name, op in OPS.items() if name.startswith("libm.") and op.arity == 1]


def _python(function: Callable[..., float], *args: float) -> float | None:
    """What Python computes; None where it raises."""
    try:
        return function(*args)
    except (ValueError, OverflowError):
        return None


@pytest.mark.parametrize("name", LIBM_ONE)
def test_libm_has_the_bits_of_python(name: str) -> None:
    random = np.random.default_rng(3)
    a = np.concatenate(
        [samples(f64), random.uniform(-1, 1, 400), random.uniform(-30, 30, 400), random.lognormal(0, 20, 400)]
    )
    found = apply(f"libm.{name}", f64, a)
    function = getattr(math, name)
    compared = 0
    for x, y in zip(a.tolist(), found.tolist(), strict=True):
        wanted = _python(function, x)
        if wanted is not None:
            compared += 1
            assert np.float64(y).tobytes() == np.float64(wanted).tobytes() or (y != y and wanted != wanted), (
                x,
                y,
                wanted,
            )
    assert compared > 300


@pytest.mark.parametrize("name", ["pow", "atan2", "fmod"])
def test_libm_of_two_arguments(name: str) -> None:
    a, b = pairs(f64)
    found = apply(f"libm.{name}", f64, a, b)
    for x, y, z in zip(a.tolist(), b.tolist(), found.tolist(), strict=True):
        wanted = _python(getattr(math, name), x, y)
        if wanted is not None:
            assert np.float64(z).tobytes() == np.float64(wanted).tobytes() or (z != z and wanted != wanted), (x, y)


@pytest.mark.parametrize("op", ["exp", "tanh", "sigmoid", "log1p", "sin", "atan", "erf", "pow", "atan2"])
def test_functions_in_registers(op: str) -> None:
    """What kernels approximate is approximated in registers too, within the stated error."""
    for dtype, worst in zip((f32, f64), OPS[op].ulp, strict=True):
        x = np.random.default_rng(2).uniform(-0.9, 3, (2, 500)).astype(dtype.numpy)
        args = (abs(x[0]), x[1])[: OPS[op].arity]
        found = apply(op, dtype, *args).astype(np.longdouble)
        wanted = OPS[op].reference(*(a.astype(np.float64 if op == "erf" else np.longdouble) for a in args))
        spacing = np.spacing(abs(wanted).astype(dtype.numpy)).astype(np.longdouble)
        assert (abs(found - wanted) / spacing).max() <= worst + 1


def test_a_constant_power_is_not_rewritten_as_a_product() -> None:
    w = Writer()
    w.write(0, w("libm.pow", f64, w.read(0, f64), imm(2.0)))
    program = load(make(w, 1, 1))
    values = np.random.default_rng(0).uniform(0.1, 1e3, 2000)
    for x in values.tolist():
        assert as_floats(call(program, to_words([x])).tolist()) == [math.pow(x, 2.0)]


def test_no_contraction() -> None:
    w = Writer()
    a, b, c = (w.read(k, f64) for k in range(3))
    w.write(0, w("add", f64, w("mul", f64, a, b), c))
    program = load(make(w, 3, 1))
    rng = np.random.default_rng(1)
    for x, y, z in rng.uniform(-1, 1, (500, 3)).tolist():
        assert as_floats(call(program, to_words([x, y, z])).tolist()) == [x * y + z]


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
            call(program, to_words([value]))
        assert caught.value.site.exception == wanted
    call(program, to_words([-1]))


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


def fibonacci() -> n.Program:
    k = n.Reg("k", i64)
    f = Writer()

    def recurse() -> list[n.Operand]:
        parts = [f.call("fib", [f("sub", i64, k, d)], [i64], 0)[0] for d in (1, 2)]
        return [f("add", i64, *parts)]

    results = f.if_(f("lt", bool_, k, 2), lambda: [k], recurse)
    w = Writer()
    (value,) = w.call("fib", [w.read(0)], [i64], 0)
    w.write(0, value)
    return make(w, 1, 1, f.function("fib", [k], results), sites=[site("RecursionError")])


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
    assert call(program, to_words([5000])).tolist() == [5000]
    for _ in range(3):
        with pytest.raises(ProgramError) as caught:
            call(program, to_words([-1]))
        assert caught.value.site.exception == "RecursionError"


@pytest.mark.parametrize("size", [256 << 10, 1 << 20, 64 << 20])
def test_recursion_in_threads_of_any_stack_size(size: int) -> None:
    program, found = load(endless()), []

    def work() -> None:
        try:
            call(program, to_words([-1]))
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
    assert call(load(program), words).tolist() == words.tolist()


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
    before = runtime.blocks_in_use()
    for _ in range(1000):
        data_address, owner = call(program, to_words([64, id(program) | 1])).tolist()
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
    before = runtime.blocks_in_use()
    call(program, to_words([100_000]))
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
    before = runtime.blocks_in_use()
    for stop_at in (0, 1, 7, 999):
        with pytest.raises(ProgramError, match=f"^{stop_at}$"):
            call(program, to_words([stop_at]))
    assert runtime.blocks_in_use() == before


@pytest.mark.parametrize("size", [1 << 46, 1 << 62, -1, -(2**63)])
def test_too_large_a_block_is_a_memory_error(size: int) -> None:
    w = Writer()
    w.alloc(8)
    w.alloc(w.read(0))
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
        owners = call(program, to_words([size])).tolist()
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
                call(program, to_words([]))
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
    before = runtime.blocks_in_use()
    threads = [threading.Thread(target=call, args=(program, to_words([50_000]))) for _ in range(4)]
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
    value, address = call(program, to_words([])).tolist()
    assert np.array([value], np.uint64).view(np.float32)[0] == 7.0
    assert address % 64 == 0


# --- stacks -----------------------------------------------------------------------------------------


def push_and_pop(capacity: int) -> n.Program:
    """Push i, i/2, i > 10 and i*1j for i < in[0], then pop them all and check them; blocks are pushed, too."""
    w = Writer()
    count = w.read(0)
    stack = w.reg(None, "stack")
    w.add(n.StackNew(stack, imm(capacity)))

    def push(i: n.Reg) -> list[n.Operand]:
        x = w("cast", f64, i)
        owner, data = w.alloc(8)
        w.store(data, i)
        values = (i, w("div", f64, x, 2.0), w("gt", bool_, i, 10), w("complex", c128, imm(0.0), x), owner)
        w.add(n.StackPush(stack, values))
        return []

    w.range_(count, [], push)

    def pop(k: n.Reg, total: n.Reg) -> list[n.Operand]:
        i = w("sub", i64, w("sub", i64, count, k), 1)
        outs = [w.reg(t) for t in (i64, f64, bool_, c128, None)]
        w.add(n.StackPop(stack, tuple(outs)))
        popped, half, big, turned, owner = outs
        x = w("cast", f64, i)
        w.check(w("eq", bool_, popped, i), 0, popped, i)
        w.check(w("eq", bool_, w("mul", f64, half, 2.0), x), 1)
        w.check(w("eq", bool_, big, w("gt", bool_, i, 10)), 2)
        w.check(w("eq", bool_, w("imag", f64, turned), x), 3)
        w.check(w("eq", bool_, w.load(w.offset(owner, 64), i64), i), 4)
        w.add(n.Release(owner))
        return [w("add", i64, total, popped)]

    (total,) = w.range_(count, [0], pop)
    w.add(n.StackFree(stack))
    w.write(0, total)
    return make(w, 1, 1, sites=[site("V", str(k)) for k in range(5)])


@pytest.mark.parametrize("capacity", [0, 100, 48 * 1000])
def test_stacks_grow(capacity: int) -> None:
    program = load(push_and_pop(capacity))
    before = runtime.blocks_in_use()
    for count in (0, 1, 9, 10, 11, 1000, 50_000):
        assert call(program, to_words([count])).tolist() == [count * (count - 1) // 2]
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
        assert call(program, to_words([count])).tolist() == [499500]


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
    before = runtime.blocks_in_use()
    for _ in range(3):
        with pytest.raises(ProgramError):
            call(program, to_words([]))
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
    words = call(program, to_words([-21, 3.0])).tolist()
    assert signed(words[0]) == -42
    assert as_floats(words)[1] == 1.5
    assert seen == [(-21, 3.0)]


def test_a_host_call_that_raises() -> None:
    class MineError(Exception):
        pass

    def function(a: int, b: float) -> tuple[int, float]:
        raise MineError(a, b)

    program = load(hosting(function, [INT, FLOAT], [INT, FLOAT]))
    before = runtime.blocks_in_use()
    for _ in range(3):
        with pytest.raises(ProgramError) as caught:
            call(program, to_words([1, 2.0]))
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
    before = runtime.blocks_in_use()
    data_address, result_owner, *layout = call(program, to_words([])).tolist()
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
        return int(call(inner, to_words([a]))[0]), b

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
    before = runtime.blocks_in_use()

    class AlarmError(Exception):
        pass

    def handler(*_: Any) -> None:
        raise AlarmError

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(ProgramError) as caught:
            call(program, to_words([]))
        assert isinstance(caught.value.__cause__, AlarmError)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert runtime.blocks_in_use() == before


# --- text and rules ----------------------------------------------------------------------------------


def test_programs_are_printed_as_python_is_written() -> None:
    text = print_program(fibonacci())
    assert text == PRINTED
    ast.parse(text)
    ast.parse(print_program(push_and_pop(64)))


PRINTED = """\
# program test: 1 words in, 1 words out

def main() -> ():
    in_2: i64 = in_words[0]
    r1: i64 = fib(in_2)  # deepest: site 0
    out_words[0] = r1
    return

def fib(k: i64) -> (i64,):
    r1: bool_ = lt(k, 2)
    if r1:
        r7: i64 = k
    else:
        r2: i64 = sub(k, 1)
        r3: i64 = fib(r2)  # deepest: site 0
        r4: i64 = sub(k, 2)
        r5: i64 = fib(r4)  # deepest: site 0
        r6: i64 = add(r3, r5)
        r7: i64 = r6
    return r7
"""


def _faulty(write: Callable[[Writer], object], **rest: Any) -> str:
    """What the verifier says of a program with this entry."""
    w = Writer()
    write(w)
    with pytest.raises(InternalError) as caught:
        verify_program(make(w, 2, 2, ONE, **rest))
    return str(caught.value)


X, Y = n.Reg("x", i64), n.Reg("y", f64)
ONE = n.Function("one", (X,), n.Block((), (X,)))
KERNEL = Kernel("k", (), (Buffer("a", f32),), (Param("s", f32),), (), ())


@pytest.mark.parametrize(
    ("write", "fault"),
    [
        (lambda w: w("add", i64, X, 1), "x is used, but set nowhere before"),
        (lambda w: [w.add(n.ReadWord(X, 0)) for _ in range(2)], "x is set a second time"),
        (lambda w: w("add", i64, 1, 1.5), "add is of i64, f64, i64, not i64, i64, i64"),
        (lambda w: w("lt", i64, 1, 2), "lt is of i64, i64, i64, not i64, i64, bool_"),
        (lambda w: w("add", i64, 1), "add takes 2 operands, not 1"),
        (lambda w: w("frobnicate", i64, 1), "there is no operation frobnicate"),
        (lambda w: w("neg", i64, NULL), "neg of an address"),
        (lambda w: w.read(2), "there is no word to read 2: the program has 2"),
        (lambda w: w.read(1, c128), "there is no word to read 2"),
        (lambda w: w.write(5, 1), "there is no word to write 5"),
        (lambda w: w.check(imm(1), 0), "the condition is a i64, not a bool_"),
        (lambda w: w.check(imm(True), 7), "there is no error site 7"),
        (lambda w: w.check(imm(True), 0, imm(True)), "a value of the message is a bool_, not a i64 or f64"),
        (lambda w: w.if_(imm(True), lambda: [imm(1)], lambda: [imm(1.0)]), "a branch leaves f64, not i64"),
        (lambda w: w.if_(imm(True), lambda: [w.read(0)]), "a branch leaves nothing, not i64"),
        (lambda w: w.while_([1], lambda i: i, lambda i: [i]), "the test leaves i64, not bool_"),
        (lambda w: w.while_([1], lambda i: imm(True), lambda i: [1.5]), "the body leaves f64, not i64"),
        (lambda w: w.call("two", [], [], 0), "there is no function two to call"),
        (lambda w: w.call("main", [], [], 0), "there is no function main to call"),
        (lambda w: w.call("one", [imm(1.5)], [i64], 0), "the function is given f64, not i64"),
        (lambda w: w.call("one", [imm(1)], [], 0), "the call gives nothing, not i64"),
        (lambda w: w.add(n.Launch("none", ())), "there is no kernel none"),
        (lambda w: w.add(n.Launch("k", (NULL, imm(1)))), "the kernel is given ptr, i64, not ptr, f32"),
        (lambda w: w.add(n.Constant(n.Reg("c", None), 0)), "there is no constant 0: the program has 0"),
        (lambda w: w.add(n.Host(0, (), (), 0)), "there is no host call 0"),
        (lambda w: w.alloc(imm(1.5)), "the size is a f64, not a i64"),
        (lambda w: w.load(imm(1), i64), "the address is a i64, not a ptr"),
        (lambda w: w.add(n.Retain(imm(1))), "the owner is a i64, not a ptr"),
        (lambda w: w.add(n.StackPop(X, ())), "the stack is a i64, not a ptr"),
    ],
)
def test_faults_are_found(write: Callable[[Writer], object], fault: str) -> None:
    message = _faulty(write, sites=[site()], kernels={"k": KERNEL})
    assert fault in message


def test_a_register_of_a_branch_is_not_seen_after_it() -> None:
    message = _faulty(lambda w: (w.if_(imm(True), lambda: w.add(n.ReadWord(X, 0)) or []), w.write(0, X)))
    assert "x is used, but set in a block that does not enclose this" in message
    assert "out_words[0] = x\n    # ^^^" in message


def test_words_outside_of_the_entry_are_refused() -> None:
    f = Writer()
    f.read(0)
    with pytest.raises(InternalError, match="ReadWord outside of the entry"):
        verify_program(make(Writer(), 1, 1, f.function("f")))


# --- the machinery ----------------------------------------------------------------------------------


def test_the_contexts_layout_is_as_documented() -> None:
    fields = ("site", "kinds", "values", "blocks", "stack_limit", "poll_count", "poll_interval", "poll_clock")
    constants = {name: getattr(context, name.upper()) for name in (*fields, "poll_signals", "exception")}
    assert context.offsets() == constants


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
    assert [call(p, to_words([1, 2])).tolist() for p in again] == [[3], [3]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_support_survives_fork() -> None:
    program = load(push_and_pop(0))
    call(program, to_words([100]))
    # as if another thread had been allocating at that moment
    runtime._support().class_field(6, 0).value = 1
    child = os.fork()
    if child == 0:
        status = 2
        try:
            status = call(program, to_words([1000])).tolist() != [499500]
        finally:
            os._exit(int(status))
    runtime._support().class_field(6, 0).value = 0
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert call(program, to_words([1000])).tolist() == [499500]


def test_objects_are_kept_on_disk(tmp_path: Any, monkeypatch: Any) -> None:
    made: list[int] = []

    def compile_() -> bytes:
        made.append(1)
        return b"object code"

    def ask() -> bytes:
        return object_cache.cached("text", 1, engine.host(), compile_)

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


def test_wrong_words_are_refused() -> None:
    program = load(checked_add())
    with pytest.raises(InternalError, match="takes 2 words"):
        call(program, to_words([1]))
