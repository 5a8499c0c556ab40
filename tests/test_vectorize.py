"""`vectorize`: ufuncs of Python functions, by NumPy's own of the same meaning and by plain Python element by element."""

from __future__ import annotations

import math
import pickle
import signal
import threading
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, grad, jit, vectorize, vmap
from jitcore.source import CompileError

RNG = np.random.default_rng(0)


def formula(x: Any, y: Any) -> Any:
    return math.exp(-x * x) * math.sin(y) + x / (1 + y * y)


def larger(x: Any, y: Any) -> Any:
    if x > y:
        return x
    return y


def steps(x: Any, y: Any) -> Any:
    """Rounds that depend on the element, ints and floats."""
    n = 0
    while x > 1.0:
        x = x * y
        n += 1
    return n


def escapes(cr: Any, ci: Any) -> Any:
    zr = 0.0
    zi = 0.0
    for i in range(30):
        zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
        if zr * zr + zi * zi > 4:
            return i
    return 30


def mixed(x: Any) -> Any:
    if x > 0:
        return x
    return 0


def plus(x: Any, y: Any) -> Any:
    return x + y


def both(x: Any, y: Any) -> Any:
    return x + y, x * y


add = vectorize(plus, identity=0)
smooth = vectorize(formula)
sum_and_product = vectorize(both, nout=2)

ARRAYS = {
    "scalars": (1.5, 0.3),
    "vectors": (RNG.random(7) * 3, RNG.random(7)),
    "matrix and vector": (RNG.random((4, 5)) * 3, RNG.random(5)),
    "column and row": (RNG.random((4, 1)) * 3, RNG.random((1, 5))),
    "strided": (RNG.random(20)[::3] * 3, RNG.random(14)[::-2]),
    "transposed": (RNG.random((3, 4)).T * 3, RNG.random((4, 3))),
    "one element": (np.array([2.5]), np.array([0.5])),
    "rank 0": (np.array(2.5), np.array(0.25)),
    "empty": (np.zeros((0, 3)), np.zeros(3)),
    "big-endian": ((RNG.random(6) * 3).astype(">f8"), RNG.random(6).astype(">f8")),
    "single precision": ((RNG.random(6) * 3).astype("f4"), RNG.random(6).astype("f4")),
    "unaligned": (np.frombuffer(b"\0" + (RNG.random(5) * 3).tobytes(), "u1")[1:].view("f8"), 0.4),
    "a list": ([0.5, 2.0, 3.0], 0.5),
}


@pytest.mark.parametrize("given", ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("function", [formula, larger, steps, escapes], ids=lambda f: f.__name__)
def test_elements_are_what_the_function_gives_for_each(function: Any, given: Any) -> None:
    found = vectorize(function)(*given)
    wanted = np.vectorize(function, otypes=["O"])(*given)
    assert np.shape(found) == np.shape(wanted)
    assert isinstance(found, np.ndarray) is isinstance(np.add(*given), np.ndarray)
    np.testing.assert_allclose(found, np.asarray(wanted, float), rtol=2e-6 if found.dtype == "f4" else 1e-14)


def test_results_have_the_dtypes_of_numpys_promotion() -> None:
    dtypes = [np.dtype(c) for c in "?bBhHiIlLefdFD"]
    values: list[Any] = [np.ones(2, d) for d in dtypes] + [d.type(1) for d in dtypes] + [True, 1, 1.0, 1j]
    for x in values[::6]:
        for y in values[1::3]:
            try:
                wanted = np.add(x, y)
            except TypeError:
                continue
            assert add(x, y).dtype == wanted.dtype, (x, y)


def test_methods_are_those_of_numpys_own() -> None:
    values = RNG.integers(0, 9, (3, 4, 5)).astype(float)
    for axis in (0, 1, 2, -1, (0, 2), None):
        np.testing.assert_array_equal(add.reduce(values, axis=axis), np.add.reduce(values, axis=axis))
    np.testing.assert_array_equal(add.reduce(values, where=values > 3), np.add.reduce(values, where=values > 3))
    assert add.reduce(np.zeros(0)) == 0
    for axis in range(3):
        np.testing.assert_array_equal(add.accumulate(values, axis=axis), np.add.accumulate(values, axis=axis))
        np.testing.assert_array_equal(add.reduceat(values, [0, 2, 1], axis), np.add.reduceat(values, [0, 2, 1], axis))
    np.testing.assert_array_equal(add.outer(values[0, 0], values[1]), np.add.outer(values[0, 0], values[1]))
    found, wanted = values[0, 0].copy(), values[0, 0].copy()
    add.at(found, [0, 0, 3], 2.0)
    np.add.at(wanted, [0, 0, 3], 2.0)
    np.testing.assert_array_equal(found, wanted)


def test_reductions_go_in_order() -> None:
    halves = vectorize(lambda x, y: x / 2 + y)
    values = RNG.random(50)
    running = [values[0]]
    for value in values[1:]:
        running.append(running[-1] / 2 + value)
    np.testing.assert_array_equal(halves.accumulate(values), running)
    assert halves.reduce(values) == running[-1]
    assert halves.reduce(values[::2]) == halves.reduce(values[::2].copy())
    with pytest.raises(ValueError, match="not reorderable"):
        halves.reduce(np.ones((2, 3)), axis=(0, 1))
    with pytest.raises(ValueError, match="no identity"):
        halves.reduce(np.zeros(0))
    most = vectorize(larger, identity="reorderable")
    assert most.identity is None
    assert most.reduce(np.arange(6).reshape(2, 3), axis=(0, 1)) == 5


def test_arguments_of_calls_are_those_of_numpys_own() -> None:
    x, y = RNG.random(6), RNG.random(6)
    out = np.zeros(6)
    assert add(x, y, out=out) is out
    np.testing.assert_array_equal(out, x + y)
    out = np.full(6, -1.0)
    add(x, y, out, where=x > 0.5)
    np.testing.assert_array_equal(out, np.where(x > 0.5, x + y, -1))
    single = add(x, y, dtype="f4")
    assert single.dtype == "f4"
    np.testing.assert_allclose(single, x + y, rtol=1e-6)
    with pytest.raises(TypeError, match="not cast to int8"):
        add(x, y, dtype="i1")
    with pytest.raises(TypeError):
        add(x, y, out=np.zeros(6, int))
    with pytest.raises(TypeError, match="positional"):
        add(x)
    with pytest.raises(ValueError, match="broadcast"):
        add(x, y[:4])
    with pytest.raises(TypeError, match="compute with numbers"):
        add("a", "b")


def test_outputs_may_be_inputs() -> None:
    x = np.arange(6.0)
    assert add(x, x, out=x) is x
    np.testing.assert_array_equal(x, 2 * np.arange(6.0))
    x = np.arange(6.0)
    product = np.empty(6)
    sum_and_product(x, x, out=(x, product))
    np.testing.assert_array_equal(x, 2 * np.arange(6.0))
    np.testing.assert_array_equal(product, np.arange(6.0) ** 2)
    counted = np.array([3.0, 2.0, 9.0])
    vectorize(steps)(counted, 0.5, out=counted)
    np.testing.assert_array_equal(counted, [2, 1, 4])
    shifted = np.arange(6.0)
    add(shifted[:-1], shifted[1:], out=shifted[1:])
    np.testing.assert_array_equal(shifted, [0, 1, 3, 5, 7, 9])


def test_a_result_is_a_new_array() -> None:
    same = vectorize(lambda x: x)
    for call in (same, jit(lambda x: same(x))):
        x = np.arange(3.0)
        call(x)[0] = 9
        assert x[0] == 0


def test_signatures_say_what_is_computed() -> None:
    typed = vectorize(["float32(float32, float32)", "f8(f8, f8)"])(plus)
    assert typed.types == ["ff->f", "dd->d"]
    assert (typed.nin, typed.nout, typed.nargs, typed.ntypes) == (2, 1, 3, 2)
    assert typed(np.ones(2, "i2"), np.int8(1)).dtype == "f4"
    assert typed(np.ones(2, "i4"), 1).dtype == "f8"
    assert typed(np.ones(2, "f4"), 1.5).dtype == "f4"
    with pytest.raises(TypeError, match=r"no signature for \(complex128, int\)"):
        typed(np.ones(2) * 1j, 1)
    truncated = vectorize("int32(float64)")(lambda x: x * 2)
    np.testing.assert_array_equal(truncated(np.array([0.6, -1.8])), np.array([1, -3], "i4"))
    assert vectorize([(np.float64, np.int32), "(float32, float32)"])(plus).types == ["di->d", "ff->f"]
    two = vectorize("Tuple((float64, int64))(float64)")(lambda x: (x, x))
    assert two.nout == 2
    assert [r.dtype.char for r in two(np.ones(2))] == ["d", "l"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("float64", "is no signature"),
        ("float64(string)", "no type of numbers"),
        ("void(float64, float64)", "returns something"),
        ("float64(float64[:], float64)", "guvectorize"),
        ("float64(float64)", "has 1 arguments"),
    ],
)
def test_wrong_signatures_are_refused(given: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        vectorize(given)(plus)


def test_options_of_numbas_mean_what_they_do_or_say_what_to_use() -> None:
    assert vectorize(target="parallel", nopython=True, cache=True)(plus)(1, 2) == 3
    with pytest.raises(ValueError, match="set_context"):
        vectorize(target="cuda")(plus)
    with pytest.raises(TypeError, match="fastmath"):
        vectorize(fastmath=True)(plus)
    with pytest.raises(TypeError, match="fixed number"):
        vectorize(lambda *x: x)
    with pytest.raises(TypeError, match="without @jit"):
        vectorize(jit(plus))


def test_it_is_a_ufunc() -> None:
    assert isinstance(add, np.ufunc)
    assert "plus" in repr(add)
    assert vectorize(np_documented).__doc__.endswith("What it computes.")
    assert add.identity == 0

    class Wrapped:
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
            return ufunc, method, keywords

    assert add.reduce(Wrapped(), axis=0) == (add, "reduce", {"axis": 0})
    assert add(1, Wrapped(), where=True) == (add, "__call__", {"where": True})
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    assert add(masked, 1.0).mask.tolist() == [False, True]


def np_documented(x: Any) -> Any:
    """What it computes."""
    return x


def test_elements_are_numpys_scalars() -> None:
    with np.errstate(all="raise"):
        quotients = vectorize(lambda x, y: x / y)(np.array([1.0, 0.0]), 0.0)
    assert quotients[0] == np.inf
    assert np.isnan(quotients[1])
    assert vectorize(lambda x: 7 // x)(np.array([0, 2])).tolist() == [0, 3]
    assert vectorize(plus)(np.int8(127), np.int8(1)) == -128
    roots = vectorize(lambda x: math.sqrt(x) + math.log(x))(np.array([-1.0, 1.0]))
    assert np.isnan(roots[0])
    assert roots[1] == 1
    assert vectorize(lambda x: math.sqrt(x))(np.array([4, 9])).tolist() == [2, 3]
    assert vectorize(lambda x: np.where(x > 0, x, -2 * x) + np.clip(x, 0, 1))(np.array([4.5, -2])).tolist() == [5.5, 4]
    assert vectorize(lambda z: z.real + abs(z))(np.array([3 + 4j])).tolist() == [8]


def test_branches_of_several_types_have_numpys_common_one() -> None:
    for dtype in ("f4", "f8", "i2", "c8"):
        if dtype != "c8":
            found = vectorize(mixed)(np.array([-1, 2]).astype(dtype))
            assert found.dtype == dtype
            assert found.tolist() == [0, 2]
    assert vectorize(lambda x: 1 if x > 2 else 0.5)(np.arange(5)).tolist() == [0.5, 0.5, 0.5, 1, 1]
    assert vectorize(lambda x: x > 2)(np.arange(4)).tolist() == [False, False, False, True]
    assert vectorize(lambda x: 3)(np.arange(4.0)).dtype == np.int64


def test_what_the_function_raises_the_call_raises() -> None:
    def picky(x: Any) -> Any:
        if x > 3:
            raise ValueError("too large")
        return x

    checked = vectorize(picky)
    assert checked(np.arange(3.0)).tolist() == [0, 1, 2]
    for call in (checked, jit(lambda x: checked(x))):
        with pytest.raises(ValueError, match="too large"):
            call(np.arange(9.0))
    with pytest.raises(ValueError, match="too large"):
        checked.accumulate(np.arange(9.0)) if checked.nin == 2 else checked(np.arange(2000.0))
    table = np.arange(10.0)
    looked_up = vectorize(lambda i: table[i] * 2)
    assert looked_up(np.array([1, -1])).tolist() == [2, 18]
    with pytest.raises(IndexError):
        looked_up(np.array([1, 10]))


def test_what_cannot_be_compiled_says_so() -> None:
    with pytest.raises(CompileError, match="gives str for an element"):
        vectorize(lambda x: str(x))(np.ones(2))
    with pytest.raises(CompileError, match="gives None for an element"):
        vectorize(lambda x: None)(np.ones(2))
    with pytest.raises(CompileError, match="to give 2 results"):
        vectorize(plus, nout=2)(np.ones(2), 1)
    with pytest.raises(CompileError):
        vectorize(["float64(float64)"])(lambda x: open(x))  # noqa: SIM115


def test_several_results() -> None:
    x = np.arange(4.0)
    for call in (sum_and_product, jit(lambda x, y: sum_and_product(x, y))):
        total, product = call(x, 3.0)
        np.testing.assert_array_equal(total, x + 3)
        np.testing.assert_array_equal(product, x * 3)


def test_uncompiled_functions_are_called_element_by_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitcore.config.settings, "jit", False)
    seen: list[Any] = []

    def told(x: Any, y: Any) -> Any:
        seen.append((x, y))
        return x - y

    difference = vectorize(["float64(float64, float64)"])(told)
    values = RNG.random((3, 4))
    np.testing.assert_array_equal(difference(values[:, ::2], values[0, ::-2]), values[:, ::2] - values[0, ::-2])
    assert len(seen) == 6
    np.testing.assert_array_equal(difference.reduce(values, axis=0), np.subtract.reduce(values, axis=0))
    np.testing.assert_array_equal(difference.accumulate(values, axis=1), np.subtract.accumulate(values, axis=1))
    assert [r.tolist() for r in vectorize(both, nout=2)(np.arange(3), 2)] == [[2, 3, 4], [0, 2, 4]]
    with pytest.raises(ZeroDivisionError):
        vectorize(lambda x: 1 // int(x))(np.zeros(2))


def test_rounds_of_large_arrays_are_shared_by_threads() -> None:
    rounds = vectorize(steps)
    x, y = RNG.random(50_001) * 5, RNG.random(50_001) * 0.9
    wanted = [steps(a, b) for a, b in zip(x, y, strict=True)]
    assert rounds(x, y).tolist() == wanted
    wide = np.zeros((2, 50_001))
    wide[0] = x
    rounds(wide[0], y, out=wide[0])
    assert wide[0].tolist() == wanted
    assert (wide[1] == 0).all()
    assert rounds(x[::-2], y[::-2]).tolist() == wanted[::-2]
    assert rounds(x, 0.5).tolist() == [steps(a, 0.5) for a in x]

    def picky(x: Any) -> Any:
        n = 0
        while n < x:
            n += 1
            if n > 7:
                raise ValueError(f"past seven at {x}")
        return n

    checked = vectorize(picky)
    many = np.zeros(100_000)
    many[[700, 60_000, 99_000]] = [8, 9, 10]
    for _ in range(5):
        with pytest.raises(ValueError, match="past seven at 8"):
            checked(many)
    many[700] = 7
    with pytest.raises(ValueError, match=r"past seven at (9|10)"):
        checked(many)


def test_an_interrupt_ends_a_call() -> None:
    endless = vectorize(wait)
    assert endless(np.zeros(50_000)).sum() == 0
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            endless(np.ones(50_000))
    finally:
        timer.join()
    assert endless(np.zeros(50_000)).sum() == 0


def wait(x: Any) -> Any:
    n = 0
    while x > 0:
        n = (n + 1) % 7
    return n


def test_many_operands() -> None:
    mean = vectorize(lambda a, b, c, d, e, f, g: (a + b + c + d + e + f + g) / 7)
    arrays = [RNG.random((3, 8)) for _ in range(7)]
    np.testing.assert_allclose(mean(*arrays), np.mean(arrays, 0))
    np.testing.assert_allclose(mean(*[a[:, ::2] for a in arrays]), np.mean(arrays, 0)[:, ::2])
    np.testing.assert_allclose(mean(*arrays[:6], 2.0), (np.sum(arrays[:6], 0) + 2) / 7)


# --- in compiled code, with Tensors, and gradients --------------------------------------------------------


@pytest.mark.parametrize("function", [formula, larger, steps, escapes], ids=lambda f: f.__name__)
def test_compiled_functions_compute_the_same(function: Any) -> None:
    called = vectorize(function)
    compiled = jit(lambda x, y: called(x, y) * 2)
    for given in ARRAYS.values():
        if not isinstance(given[0], list) and all(np.asarray(g).dtype.isnative for g in given):
            found = compiled(*given)
            np.testing.assert_array_equal(found, called(*given) * 2)
            assert np.asarray(found).dtype == np.asarray(called(*given) * 2).dtype


def test_it_is_fused_with_what_is_around_it() -> None:
    compiled = jit(lambda x, y: np.sqrt(smooth(x + 1, y) * 2 + larger_of(x, y)) - y)
    compiled(RNG.random((3, 4)), RNG.random(4))
    (member,) = compiled.specialisations
    assert len(member.compilation.code.program.kernels) == 1


larger_of = vectorize(larger)


def test_compiled_functions_write_results_to_given_arrays() -> None:
    x, out = np.arange(3.0), np.zeros(3)
    assert jit(lambda x, out: add(x, 1.0, out=out))(x, out) is out
    assert out.tolist() == [1, 2, 3]
    jit(lambda x, out: add(x, x, out))(x, out)
    assert out.tolist() == [0, 2, 4]
    product = np.zeros(3)
    total, made = jit(lambda x, out: sum_and_product(x, 2.0, out=(None, out)))(x, product)
    assert made is product
    assert (total.tolist(), product.tolist()) == ([2, 3, 4], [0, 2, 4])
    with pytest.raises(TypeError, match="same_kind"):
        jit(lambda x, out: add(x, 1.0, out=out))(x, np.zeros(3, int))
    with pytest.raises(TypeError, match="from 2 to 3 positional"):
        jit(lambda x: add(x))(x)
    with pytest.warns(jitcore.FallbackWarning):
        assert jit(lambda x: add.reduce(x) + add(x, 1.0, where=x > 0, out=np.zeros(3)).sum())(x) == 8


def test_tensors_give_tensors() -> None:
    x = Tensor([0.5, 1.5], jitcore.float32)
    found = smooth(x, 0.5)
    assert isinstance(found, Tensor)
    assert found.dtype == jitcore.float32
    np.testing.assert_allclose(found.asnumpy(), smooth(np.array([0.5, 1.5]), 0.5), rtol=1e-6)
    assert [type(r) for r in sum_and_product(x, x)] == [Tensor, Tensor]
    assert isinstance(smooth(x, np.array([1.0, 2.0])), Tensor)
    assert vmap(lambda row: add(row, 1).sum())(Tensor([[1.0, 2.0], [3.0, 4.0]])).asnumpy().tolist() == [5, 9]


def _slope(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return (formula_of(x + 1e-6) - formula_of(x - 1e-6)) / 2e-6


def formula_of(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array([formula(v, 0.5) for v in x])


@pytest.mark.parametrize("mode", [jitcore.GRAPH_MODE, jitcore.PYNATIVE_MODE])
def test_gradients(mode: int) -> None:
    before = jitcore.get_context("mode")
    jitcore.set_context(mode=mode)
    try:
        x = np.array([0.3, -1.2, 2.0])
        first = grad(lambda t: smooth(t, 0.5).sum())
        np.testing.assert_allclose(first(Tensor(x)).asnumpy(), _slope(x), rtol=1e-6)
        second = grad(lambda t: grad(lambda u: smooth(u, 0.5).sum())(t).sum())
        differences = (_slope(x + 1e-4) - _slope(x - 1e-4)) / 2e-4
        np.testing.assert_allclose(second(Tensor(x)).asnumpy(), differences, rtol=1e-4)
        product = grad(lambda t: (sum_and_product(t, 2.0)[0] * sum_and_product(t, t)[1]).sum())
        np.testing.assert_allclose(product(Tensor(x)).asnumpy(), 3 * x**2 + 4 * x)
        through = vectorize(power)
        cubes = grad(lambda t: through(t, Tensor([1, 2, 3])).sum())
        np.testing.assert_allclose(cubes(Tensor(x)).asnumpy(), [1, 2 * x[1], 3 * x[2] ** 2])
    finally:
        jitcore.set_context(mode=before)


def power(x: Any, n: Any) -> Any:
    made = 1.0
    for _ in range(n):
        made = made * x
    return made


def test_it_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(np_documented)) is np_documented
    assert pickle.loads(pickle.dumps(plus_ufunc)) is plus_ufunc


def named(x: Any) -> Any:
    return x + 1


named = plus_ufunc = vectorize(named)
