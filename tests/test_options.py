"""The options of `jit`: what they mean, what they refuse, and that they go together."""

from __future__ import annotations

import functools
import pickle
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import jitcore
from jitcore import FallbackWarning, InputSpec, Tensor, grad, jit, nn, set_context, vmap
from jitcore.backends.native.link import object_cache
from jitcore.config import settings
from jitcore.source import CompileError


def floats(*values: float) -> Tensor:
    return Tensor(np.array(values, np.float32))


def power(x: Any, n: int) -> Any:
    made = x
    for _ in range(n - 1):
        made = made * x
    return made


def llvm(compiled: Any) -> str:
    return compiled.specialisations[0].compilation.text("llvm")


def known(compiled: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(value for _, value in member.statics) for member in compiled.specialisations)


# --- static arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"static_argnums": 1}, {"static_argnums": (-1,)}, {"static_argnames": "n"}])
def test_each_value_of_a_static_argument_is_compiled_for(options: Any) -> None:
    compiled = jit(power, **options)
    for n in (1, 3, 1, 3):
        np.testing.assert_array_equal(compiled(floats(1, 2, 3), n).asnumpy(), [1, 2**n, 3**n])
    assert known(compiled) == [(1,), (3,)]
    np.testing.assert_array_equal(compiled(floats(2), n=2).asnumpy(), [4])
    assert known(compiled) == [(1,), (2,), (3,)]


def test_a_number_that_is_not_static_is_one_of_the_run() -> None:
    compiled = jit(lambda x, n: x * n)
    for n in (2, 3):
        compiled(floats(1), n)
    assert known(compiled) == [()]


def test_many_values_of_static_arguments() -> None:
    compiled = jit(lambda x, n, axes: x.sum(axes[0]) * n, static_argnames=["n"])
    x = Tensor(np.arange(6.0).reshape(2, 3))
    for n in range(40):  # more than numbers are found out to be needed for
        assert compiled(x, n, (0,)).asnumpy().tolist() == [3.0 * n, 5.0 * n, 7.0 * n]


@dataclass(frozen=True)
class Rounds:
    count: int
    rate: float
    names: ClassVar[str] = "shared"


def test_static_tuples_strings_and_objects() -> None:
    def steps(x: Any, how: Any) -> Any:
        for _ in range(how.count):
            x = x * how.rate
        return x

    compiled = jit(steps, static_argnums=1)
    for how in (Rounds(2, 0.5), Rounds(3, 0.5), Rounds(2, 0.5), Rounds(2, 2.0)):
        assert compiled(floats(8), how).asnumpy().tolist() == [8 * how.rate**how.count]
    assert all(len(member.compilation.inferred.inputs) == 1 for member in compiled.specialisations)

    @jit(static_argnames=("kind", "shape"))
    def shaped(x: Any, kind: str, *, shape: tuple[int, ...]) -> Any:
        return (x + 1 if kind == "more" else x - 1).reshape(shape)

    assert shaped(floats(1, 2), "more", shape=(2, 1)).shape == (2, 1)
    assert shaped(floats(1, 2), "less", shape=(1, 2)).asnumpy().tolist() == [[0, 1]]
    assert shaped(floats(1, 2), kind="less", shape=(1, 2)).asnumpy().tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([2], "argument 1 is static, and list is not hashable; pass a tuple"),
        (np.ones(2), "argument 1 is static, and ndarray is not hashable"),
        (Tensor([1.0]), "argument 1 is static, but a Tensor"),
        (({},), "argument 1 is static, and tuple is not hashable"),
    ],
)
def test_static_arguments_must_be_hashable(value: Any, said: str) -> None:
    compiled = jit(power, static_argnums=1)
    compiled(floats(1), 2)
    with pytest.raises(ValueError, match=f"power: {said}"):
        compiled(floats(1), value)
    with pytest.raises(ValueError, match="argument 'n' is static"):
        compiled(floats(1), n=value)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"static_argnums": 2}, ValueError, "no argument 2, there are 2 by position"),
        ({"static_argnums": -3}, ValueError, "no argument -3"),
        ({"static_argnames": "m"}, ValueError, "no argument 'm' by name, there are x, n"),
        ({"static_argnums": "n"}, TypeError, "static_argnums is an int or several"),
        ({"static_argnums": True}, TypeError, "has ints, not True"),
        ({"static_argnums": [1.0]}, TypeError, "has ints, not 1.0"),
        ({"static_argnames": [1]}, TypeError, "has names, not 1"),
        ({"cache": 1}, TypeError, "cache is True, False or None"),
        ({"nopython": "yes"}, TypeError, "nopython is True or False"),
        ({"fastmath": {"quick"}}, ValueError, "has LLVM's flags, nnan, .* not 'quick'"),
        ({"boundscheck": False}, TypeError, "instead of boundscheck: leave it out: indices are always checked"),
    ],
)
def test_what_options_cannot_be(options: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        jit(power, **options)


def test_options_of_others_that_ask_for_what_is_done_anyway() -> None:
    numba = {"nopython": True, "forceobj": False, "parallel": False, "boundscheck": None, "error_model": "python"}
    jax = {"keep_unused": False, "device": None, "backend": "cpu", "abstracted_axes": None}
    mindspore = {"fullgraph": False, "capture_mode": "ast", "jit_level": "O0", "input_signature": None}
    assert jit(power, **{**numba, **jax, **mindspore})(3, 2) == 9
    for refused in ({"forceobj": True}, {"error_model": "numpy"}, {"backend": "gpu"}, {"debug": True}):
        with pytest.raises(TypeError, match=f"instead of {next(iter(refused))}: "):
            jit(power, **refused)


def test_arguments_without_parameters_of_their_own() -> None:
    @jit(static_argnums=-1, static_argnames="axis")
    def total(*xs: Any, **how: Any) -> Any:
        return sum(x.sum(how["axis"]) for x in xs[:-1]) * xs[-1]

    x = Tensor(np.ones((2, 3)))
    for axis in (0, 1, 0):
        assert total(x, x, 4, axis=axis).asnumpy().tolist() == [[16.0] * 3, [24.0] * 2][axis]
    assert [sorted(values) for values in known(total)] in ([[0, 4], [1, 4]], [[1, 4], [0, 4]])


def test_static_arguments_of_methods_and_cells() -> None:
    class Scaled:
        def __init__(self, rate: float) -> None:
            self.rate = rate

        @jit(static_argnums=2)
        def apply(self, x: Any, n: int) -> Any:
            return power(x, n) * self.rate

    made = Scaled(2.0)
    assert [made.apply(floats(3), n).asnumpy().tolist() for n in (1, 2)] == [[6], [18]]

    class Power(nn.Cell):
        def construct(self, x: Any, n: int) -> Any:
            return power(x, n)

    compiled = jit(Power(), static_argnames="n")
    assert [compiled(floats(3), n).asnumpy().tolist() for n in (1, 2)] == [[3], [9]]
    assert known(compiled) == [(1,), (2,)]


# --- options go together --------------------------------------------------------------------------------

EVERY: dict[str, Any] = {
    "static_argnums": 1,
    "fastmath": True,
    "nopython": True,
    "nogil": True,
    "cache": False,
    "boundscheck": True,
}


@pytest.mark.usefixtures("mode")
def test_with_transforms_and_in_both_modes() -> None:
    compiled = jit(power, **EVERY)
    assert compiled(floats(2), 3).asnumpy().tolist() == [8]
    assert grad(lambda x: compiled(x, 3).sum())(floats(2)).asnumpy().tolist() == [12]
    assert grad(jit(lambda x, n: power(x, n).sum(), **EVERY))(floats(2), 2).asnumpy().tolist() == [4]
    assert vmap(lambda x: compiled(x, 2))(floats(2, 3)).asnumpy().tolist() == [4, 9]
    assert jit(lambda x: compiled(x, 2) + 1)(floats(3)).asnumpy().tolist() == [10]


def test_options_of_a_function_that_is_compiled_already() -> None:
    plain = jit(power)
    assert jit(plain) is plain
    again = jit(plain, static_argnums=1)
    again(floats(2), 2)
    assert known(again) == [(2,)]
    assert again.__wrapped__ is power
    assert jit()(power)(floats(3), 2).asnumpy().tolist() == [9]


named = functools.partial(power, n=2)
in_another_name = jit(power, static_argnums=1)


def test_a_pickled_function_has_its_options() -> None:
    loaded = pickle.loads(pickle.dumps(in_another_name))
    loaded(floats(1), 3)
    assert known(loaded) == [(3,)]


# --- what cannot be compiled ----------------------------------------------------------------------------


def in_part(x: Any) -> Any:
    class Local:
        value = 1

    return x + Local.value


@pytest.mark.parametrize("option", ["nopython", "fullgraph"])
def test_refusing_what_cannot_be_compiled(option: str) -> None:
    compiled = jit(in_part, **{option: True})
    with pytest.raises(CompileError):
        compiled(1)
    with pytest.warns(FallbackWarning):
        assert jit(in_part, **{option: False})(1) == 2


# --- the cache of machine code --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterable[Path]:
    before = settings.cache_dir
    where = tmp_path / "cache"
    set_context(cache_dir=str(where))
    yield where
    set_context(cache_dir=before)


def test_code_is_kept_or_not(folder: Path) -> None:
    def kept() -> int:
        return len(list(folder.glob("*.o"))) if folder.exists() else 0

    def program(x: int, y: int) -> int:
        return x * 17 + y * 12321

    compiled = jit(program, cache=False)
    assert compiled(1, 2) == 24659
    before = kept()
    jit(lambda x: x * 12323 + 1, cache=True)(2)
    assert kept() > before


def test_code_that_is_not_kept_is_not_looked_for_either(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jit(lambda x: x * 12325 + 1, cache=True)(2)
    read: list[bytes] = []
    original: Callable[..., Any] = object_cache._read

    def noted(held: Any, digest: bytes) -> Any:
        read.append(digest)
        return original(held, digest)

    monkeypatch.setattr(object_cache, "_read", noted)
    assert jit(lambda x: x * 12325 + 1, cache=False)(2) == 24651
    assert not read
    assert jit(lambda x: x * 12325 + 1, cache=True)(2) == 24651
    assert read


# --- floats as if they were real numbers ------------------------------------------------------------------


def dot(x: Any, y: Any) -> float:
    total = 0.0
    for k in range(len(x)):
        total += x[k] * y[k]
    return total


def test_flags_reach_scalar_code_and_kernels() -> None:
    x, y = np.random.default_rng(1).random((2, 5000))
    exact, fast = jit(dot), jit(dot, fastmath=True)
    assert fast(x, y) == pytest.approx(exact(x, y), rel=1e-12)
    assert exact(x, y) == dot(x, y)
    assert "fadd fast double" in llvm(fast)
    assert "fmul fast double" in llvm(fast)
    assert "fast" not in llvm(exact)

    def kernel(a: Any, b: Any) -> Any:
        return ((a * b + a - b) / -a).sum()

    in_kernel = jit(kernel, fastmath=["contract", "reassoc"])
    np.testing.assert_allclose(in_kernel(Tensor(x + 1), Tensor(y)).asnumpy(), kernel(x + 1, y), rtol=1e-12)
    for instruction in ("fadd", "fsub", "fmul", "fdiv", "fneg"):
        assert f"{instruction} contract reassoc <" in llvm(in_kernel)


def test_flags_in_gradients() -> None:
    compiled = jit(grad(lambda x: (x * x * x).sum()), fastmath=True)
    np.testing.assert_allclose(compiled(floats(1, 2)).asnumpy(), [3, 12], rtol=1e-6)
    assert "fmul fast" in llvm(compiled)


@pytest.mark.parametrize("function", [np.exp, np.log, np.sin, np.tanh, np.floor, np.rint, np.arctan, np.log1p])
def test_functions_stay_exact_under_fastmath(function: Any) -> None:
    x = np.linspace(0.01, 30, 999)
    np.testing.assert_allclose(jit(lambda v: function(v * 1.5), fastmath=True)(x), function(x * 1.5), rtol=1e-13)


def test_flags_that_keep_nan_and_infinity() -> None:
    total = jit(dot, fastmath={"reassoc", "contract"})
    x = np.ones(1000)
    x[500] = np.inf
    assert total(x, np.ones(1000)) == np.inf
    x[501] = np.nan
    assert np.isnan(total(x, np.ones(1000)))


# --- the GIL ----------------------------------------------------------------------------------------------


def meet(flags: Any, own: int, other: int) -> int:
    flags[own] = 1
    rounds = 0
    while flags[other] == 0:
        rounds += 1
        if rounds == 1 << 40:
            return -1
    return 1


def test_threads_run_compiled_code_at_the_same_time() -> None:
    compiled = jit(meet, nogil=True)
    flags, found = np.ones(2, np.int64), list[int]()
    for own in (0, 1):  # compiled before
        assert compiled(flags, own, 1 - own) == 1
    flags[:] = 0
    threads = [threading.Thread(target=lambda k=k: found.append(compiled(flags, k, 1 - k))) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1, 1]  # neither call ends before the other has begun


def test_the_gil_is_let_go_at_once() -> None:
    short = jit(lambda x, y: x * y + 1, nogil=True)
    assert [short(k, 2) for k in range(5)] == [1, 3, 5, 7, 9]
    assert llvm(short).count("call void @jc_work(") == 1
    kept = jit(lambda x, y: x * y + 1)
    kept(1, 2)
    assert "jc_work" not in llvm(kept)
    with pytest.raises(ZeroDivisionError):
        jit(lambda x, y: x // y, nogil=True)(1, 0)


def test_the_gil_is_kept_where_python_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    @jit(nogil=True)
    def told(x: int) -> int:
        print(x)
        return x + 1

    assert told(3) == 4
    assert capsys.readouterr().out == "3\n"
    assert "jc_work" not in llvm(told)


def test_the_package_has_the_decorator() -> None:
    assert jitcore.jit is jitcore.ms_function


# --- compiling ahead ----------------------------------------------------------------------------------------


def scaled(x: Any, k: Any) -> Any:
    return x * k + 1


def test_calls_that_fit_a_signature_do_not_compile() -> None:
    compiled = jit(
        scaled,
        signatures=[
            (InputSpec(("n", 2), "float32"), int),
            (InputSpec((3, None), "float64", of=np.ndarray), 2.5),
            {"x": InputSpec((2, 2)), "k": float},
        ],
    )
    made = len(compiled.specialisations)
    assert [member.calls for member in compiled.specialisations] == [0] * made
    for n in (1, 2, 5, 100):
        x = np.ones((n, 2), np.float32)
        np.testing.assert_array_equal(compiled(Tensor(x), n).asnumpy(), scaled(x, n))
        y = np.ones((3, n))
        np.testing.assert_array_equal(compiled(y, 0.5), scaled(y, 0.5))
    compiled(x=Tensor(np.ones((2, 2), np.float32)), k=1.5)
    assert len(compiled.specialisations) == made
    compiled(np.ones(3, np.int64), 1)  # others are compiled as ever
    assert len(compiled.specialisations) == made + 1


def test_signatures_of_containers_and_static_arguments() -> None:
    @jit(signatures=[({"a": InputSpec(("n",)), "b": [InputSpec(("n",))] * 2}, 2), (1.5, 3)], static_argnums=1)
    def total(values: Any, n: int) -> Any:
        made = values if isinstance(values, float) else values["a"] + values["b"][0] + values["b"][1]
        for _ in range(n):
            made = made * 2
        return made

    made = len(total.specialisations)
    given = {"a": floats(1, 2, 3), "b": [floats(1, 1, 1)] * 2}
    assert total(given, 2).asnumpy().tolist() == [12, 16, 20]
    assert total(2.5, 3) == 20.0
    assert len(total.specialisations) == made


def test_signatures_of_cells() -> None:
    compiled = jit(nn.Dense(4, 2), signatures=(InputSpec(("batch", 4)),))
    made = len(compiled.specialisations)
    for batch in (1, 3):
        assert compiled(Tensor(np.ones((batch, 4), np.float32))).shape == (batch, 2)
    assert len(compiled.specialisations) == made == 2


@pytest.mark.parametrize(
    ("signatures", "error", "said"),
    [
        (["f8(f8)"], TypeError, r"not 'f8\(f8\)'"),
        ([(list, 1)], TypeError, "not list"),
        ([(InputSpec((None,) * 5), 1)], ValueError, "at most 4 different extents"),
    ],
)
def test_what_signatures_cannot_be(signatures: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        jit(scaled, signatures=signatures)


def test_a_signature_that_cannot_be_compiled_is_told_at_once() -> None:
    with pytest.raises(CompileError):
        jit(in_part, signatures=[(int,)], nopython=True)
    with pytest.warns(FallbackWarning):
        compiled = jit(in_part, signatures=[(int,)])
    assert compiled(1) == 2


# --- donated arrays -----------------------------------------------------------------------------------------


def address(x: Any) -> int:
    return (x.asnumpy() if isinstance(x, Tensor) else x).__array_interface__["data"][0]


def step(w: Any, g: Any) -> Any:
    return w - g * 0.5


def large(value: float) -> Any:
    return Tensor(np.full((50, 60), value, np.float32))


@pytest.mark.parametrize("options", [{"donate_argnums": 0}, {"donate_argnames": ["w"]}, {"donate_argnums": (-2,)}])
def test_results_are_in_the_memory_of_donated_arrays(options: Any) -> None:
    compiled, g = jit(step, **options), large(2)
    w = large(10)
    for k in range(4):
        before, where = w, address(w)
        w = compiled(w, g) if k % 2 else compiled(w=w, g=g)
        assert address(w) == where
        assert w.asnumpy()[3, 4] == 10 - k - 1
        with pytest.raises(RuntimeError, match="this Tensor was donated to a compiled function"):
            before.asnumpy()
    assert g.asnumpy()[0, 0] == 2


def test_donated_tensors_cannot_be_used() -> None:
    x = large(1)
    jit(lambda x: x + 1, donate_argnums=0)(x)
    assert repr(x) == str(x) == "<donated Tensor>"
    uses: list[Callable[[], Any]] = [
        lambda: x + 1, lambda: x.shape, lambda: x[0], lambda: np.asarray(x), lambda: len(x), lambda: x.sum(),
        lambda: jit(lambda y: y + 1)(x), lambda: jit(lambda x: x + 1, donate_argnums=0)(x), lambda: 2 * x,
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(RuntimeError, match="was donated"):
            use()


def test_what_a_call_gives_back_stays_usable() -> None:
    @jit(donate_argnums=(0, 1))
    def both(x: Any, y: Any) -> Any:
        return x, x.T, y + x

    x, y = large(1), large(2)
    for _ in range(2):
        same, turned, total = both(x, y)
        assert same is x
        assert (same.asnumpy()[0, 0], turned.asnumpy()[0, 0], total.asnumpy()[0, 0]) == (1, 1, 3)
        y = large(2)


def test_donated_arrays_in_containers_and_ndarrays() -> None:
    @jit(donate_argnums=0)
    def updated(weights: Any, rate: float) -> Any:
        return {"a": weights["a"] * rate, "b": [w + rate for w in weights["b"]]}

    weights = {"a": large(2), "b": [np.full(3000, 1.0), np.full(3000, 5.0)]}
    for rate, want in ((2.0, (4, 3, 7)), (0.5, (2, 3.5, 7.5))):
        places = [address(weights["a"]), *map(address, weights["b"])]
        old, weights = weights, updated(weights, rate)
        assert [address(weights["a"]), *map(address, weights["b"])] == places
        assert (weights["a"].asnumpy()[0, 0], weights["b"][0][0], weights["b"][1][-1]) == want
        assert repr(old["a"]) == "<donated Tensor>"


def test_arrays_that_share_memory_are_not_written_to() -> None:
    compiled = jit(lambda x, y: (x * 2, y + 1), donate_argnums=0)
    apart, whole = np.ones(4000), np.arange(4000.0)
    compiled(apart, np.zeros(4000))
    first, second = compiled(whole, whole[::-1])
    np.testing.assert_array_equal(first, np.arange(4000.0) * 2)
    np.testing.assert_array_equal(second, np.arange(4000.0)[::-1] + 1)


def test_values_that_are_used_later_are_kept() -> None:
    @jit(donate_argnums=0)
    def several(x: Any) -> Any:
        y = x + 1
        z = x * y
        return z + x, y, x.sum()

    got = several(np.full((50, 50), 3.0))
    assert [float(np.max(part)) for part in got] == [15.0, 4.0, 7500.0]


def test_many_steps_leave_no_chain_of_arrays() -> None:
    compiled, w, g = jit(step, donate_argnums=0), large(1), large(0)
    for _ in range(500):
        w = compiled(w, g)
    held, count = w.asnumpy(), 0
    while held is not None:
        held, count = getattr(held, "base", None), count + 1
    assert count < 6


def test_a_donated_tensor_whose_call_raised() -> None:
    @jit(donate_argnums=0)
    def checked(x: Any, n: int) -> Any:
        y = x + 1
        return y * (10 // n)

    x = large(1)
    assert checked(large(1), 5).asnumpy()[0, 0] == 4
    with pytest.raises(ZeroDivisionError):
        checked(x, 0)
    assert repr(x) == "<donated Tensor>" or x.asnumpy()[0, 0] == 1


@pytest.mark.parametrize("frozen", [True, False])
def test_donated_arrays_that_are_read_only(frozen: bool) -> None:
    x = np.ones(2000)
    x.flags.writeable = not frozen
    compiled = jit(lambda x: x + 1, donate_argnums=0)
    if not frozen:
        assert compiled(x)[0] == 2
        return
    for _ in range(2):
        with pytest.raises(ValueError, match="argument 0 is donated, but read-only"):
            compiled(x)
        compiled(np.ones(2000))


def test_nothing_is_given_up_line_by_line() -> None:
    compiled = jit(lambda x: (x * x).sum(), donate_argnums=0)
    x = large(3)
    assert grad(compiled)(x).asnumpy()[0, 0] == 6
    assert jit(grad(compiled))(x).asnumpy()[0, 0] == 6
    assert x.asnumpy()[0, 0] == 3


def test_donation_and_other_options() -> None:
    with pytest.raises(ValueError, match="static or donated, not both"):
        jit(step, donate_argnums=0, static_argnames="w")
    compiled = jit(step, donate_argnums=0, fastmath=True, nogil=True, nopython=True, cache=False)
    w = large(4)
    assert compiled(w, large(2)).asnumpy()[0, 0] == 3
    assert repr(w) == "<donated Tensor>"


def test_ints_past_64_bits_where_arrays_are_donated() -> None:
    compiled = jit(lambda x, n: (x + 1, n * n), donate_argnums=0)
    assert compiled(np.ones(2000), 3)[1] == 9
    with pytest.raises(OverflowError):
        compiled(np.ones(2000), 1 << 40)


# --- calls ----------------------------------------------------------------------------------------------------


def recurring(x: Any, n: int) -> Any:
    for k in range(n):
        x = x * 0.5 + k
    return x


apart, within = jit(recurring, inline="never"), jit(lambda x, n: x * n, inline="always")


def graphs(compiled: Any) -> list[str]:
    return list(compiled.specialisations[0].compilation.inferred.module.graphs)


def test_functions_that_are_never_inlined_are_compiled_once() -> None:
    def caller(x: Any, n: int) -> Any:
        return apart(x, n) + apart(x + 1, n + 1) + within(apart(x, 2), n)

    x, compiled = np.arange(4.0), jit(caller)
    want = recurring(x, 3) + recurring(x + 1, 4) + recurring(x, 2) * 3
    np.testing.assert_allclose(compiled(Tensor(x), 3).asnumpy(), want)
    assert graphs(compiled) == ["caller", "recurring"]
    assert compiled(2.0, 3) == recurring(2.0, 3) + recurring(3.0, 4) + recurring(2.0, 2) * 3
    np.testing.assert_allclose(
        grad(lambda v: compiled(v, 3).sum())(Tensor(x)).asnumpy(), [0.125 + 0.0625 + 0.75] * 4, rtol=1e-6
    )
    np.testing.assert_allclose(vmap(lambda v: compiled(v, 3))(Tensor(x)).asnumpy(), want)
    apart(2.0, 3)
    assert graphs(apart) == ["recurring"]


def test_what_inline_cannot_be() -> None:
    with pytest.raises(ValueError, match="inline is 'always' or 'never', not True"):
        jit(power, inline=True)
    with pytest.raises(TypeError, match="option of functions, not of Dense"):
        jit(nn.Dense(2, 2), inline="never")
