"""The public API: settings, compiled functions (specialisation, captures, writes, errors), gradients compiled, laziness."""

from __future__ import annotations

import gc
import subprocess
import sys
import traceback
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
import jitcore.numpy as jnp
from jitcore import Parameter, Tensor, context, grad, jit, nn, ops, value_and_grad
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.source import CompileError

# --- settings -------------------------------------------------------------------------------------------


def test_contexts() -> None:
    context.set_context(mode=context.PYNATIVE_MODE, save_graphs_path="/tmp/x", jit_syntax_level=context.STRICT)
    assert context.get_context("mode") == context.PYNATIVE_MODE
    assert context.get_context("jit_syntax_level") == context.STRICT
    context.reset_context()
    assert context.get_context("mode") == context.GRAPH_MODE


@pytest.mark.parametrize(
    "values", [{"mode": 7}, {"colour": 1}, {"save_graphs": "perhaps"}, {"dump": 9}, {"device_target": "TPU"}]
)
def test_settings_that_are_wrong_change_nothing(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        context.set_context(threads=3, **values)
    assert context.get_context("threads") == 0


def test_devices_that_are_not_there() -> None:
    for device in ("GPU", "Ascend"):
        with pytest.raises(RuntimeError, match="CPU only"):
            context.set_context(device_target=device)


def test_environment_is_read_and_checked() -> None:
    from jitcore.config import UnknownSettingError, from_environment

    assert from_environment({"JITCORE_MODE": "pynative", "JITCORE_JIT": "0"}).jit is False
    with pytest.raises(UnknownSettingError, match="JITCORE_DUMP"):
        from_environment({"JITCORE_DUMP": "lots"})


def test_importing_is_lazy() -> None:
    code = (
        "import sys, jitcore; assert 'numpy' not in sys.modules; jitcore.Tensor; assert 'llvmlite' not in sys.modules; "
        "from jitcore import grad, jit, nn, ops, set_context, vmap; "
        "assert not {'llvmlite', 'jitcore.frontend', 'jitcore.passes.infer', 'jitcore.runtime.compile'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=str(jitcore.__path__[0]) + "/..")


def test_every_public_name_is_there() -> None:
    for name in jitcore.__all__:
        assert getattr(jitcore, name) is not None
    for module in (ops, nn, jnp):
        for name in module.__all__:
            getattr(module, name)
    assert jitcore.float32 is jitcore.types.f32
    with pytest.raises(AttributeError, match="no_such"):
        jitcore.no_such  # noqa: B018
    with pytest.raises(AttributeError, match="no_such"):
        ops.no_such  # noqa: B018


# --- operators ------------------------------------------------------------------------------------------


def test_primitive_classes() -> None:
    x, y = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[0.0, 1.0], [2.0, -1.0]])
    a, b = x.asnumpy(), y.asnumpy()
    cases: list[tuple[Any, Any]] = [
        (ops.Mul()(x, y), a * b), (ops.MatMul(transpose_b=True)(x, y), a @ b.T), (ops.MatMul(True)(x, y), a.T @ b),
        (ops.ReduceSum(keep_dims=True)(x, 1), a.sum(1, keepdims=True)), (ops.ReduceMean()(x), a.mean()),
        (ops.ReLU()(y), np.maximum(b, 0)), (ops.Cast()(x, jitcore.int32), a.astype(np.int32)),
        (ops.Reshape()(x, (4,)), a.reshape(4)), (ops.Transpose()(x, (1, 0)), a.T), (ops.Concat(1)((x, y)), np.hstack([a, b])),
        (ops.Stack(axis=1)([x, y]), np.stack([a, b], 1)), (ops.Softmax(0)(x), np.exp(a) / np.exp(a).sum(0)),
        (ops.Argmax()(x), np.array([1, 1], np.int32)), (ops.OneHot()(Tensor([1]), 3, Tensor(2.0), Tensor(0.5)), [[0.5, 2, 0.5]]),
        (ops.Squeeze(0)(x[None]), a), (ops.ExpandDims()(x, 0), a[None]), (ops.Pad(paddings=((1, 0), (0, 0)))(x), np.pad(a, ((1, 0), (0, 0)))),
        (ops.CumSum(exclusive=True)(x, 0), np.array([[0, 0], [1, 2]])), (ops.Gather()(x, Tensor([1]), 0), a[[1]]),
        (ops.BiasAdd()(x, Tensor([1.0, 2.0])), a + np.array([1, 2])), (ops.AddN()([x, y, x]), 2 * a + b), (ops.Tile()(x, (1, 2)), np.tile(a, (1, 2))),
    ]  # fmt: skip
    for got, want in cases:
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6)
    assert (ops.Shape()(x), ops.Rank()(x), ops.Size()(x), ops.DType()(x)) == ((2, 2), 2, 4, jitcore.float32)
    assert [p.shape for p in ops.Split(1, 2)(x)] == [(2, 1), (2, 1)]
    assert ops.Conv2D(3, 1).kernel_size == 1
    with pytest.raises(TypeError):
        ops.MatMul(wrong=1)
    w = Parameter(Tensor([1.0]), name="w")
    assert ops.AssignAdd()(w, Tensor([2.0])) is w
    assert w.tolist() == [3.0]


def test_array_library() -> None:
    assert jnp.arange(3).dtype is jitcore.int64
    assert jnp.zeros(2).dtype is jitcore.float64
    assert jnp.max(jnp.arange(4)).tolist() == 3
    np.testing.assert_allclose(jnp.linspace(0, 1, 5).asnumpy(), np.linspace(0, 1, 5))
    np.testing.assert_allclose(jnp.tril(jnp.ones((3, 3)), -1).asnumpy(), np.tril(np.ones((3, 3)), -1))
    np.testing.assert_allclose(jnp.tensordot(jnp.ones((2, 3)), jnp.ones((3, 2)), 1).asnumpy(), 3.0)


# --- specialisation -------------------------------------------------------------------------------------


def test_kinds_of_arguments_have_their_own_code() -> None:
    @jit
    def f(x: Any) -> Any:
        return x * 2

    values: list[Any] = [3, 2.5, True, np.float32(1.5), np.arange(3), np.ones((2, 2), np.float32), 2 + 1j]
    for value in values:
        got = f(value)
        assert type(got) is type(value * 2)
        np.testing.assert_array_equal(got, value * 2)
    assert isinstance(f(Tensor([1.0])), Tensor)
    assert len(f.specialisations) == len(values) + 1


def test_numbers_do_not_recompile_and_extents_become_symbolic() -> None:
    @jit
    def f(x: Any, k: Any) -> Any:
        return (x * k).sum() + x.shape[0]

    for n in (3, 4, 5, 9, 1, 0):
        for k in (1.0, 2.0):
            assert float(f(np.ones(n), k)) == n * k + n
    assert len(f.specialisations) == 3  # 3, symbolic, 1
    assert "symbolic" in f.explain()


def test_values_that_must_be_known_are_compiled_for() -> None:
    @jit
    def f(x: Any, axis: Any) -> Any:
        return x.sum(axis)

    x = np.arange(6.0).reshape(2, 3)
    for axis in (0, 1, 0, -1, 1):
        np.testing.assert_array_equal(f(x, axis), x.sum(axis))
    assert len(f.specialisations) == 3


Point = namedtuple("Point", "x y")  # a plain one, as users have them


def test_containers_go_in_and_out() -> None:
    @jit
    def f(p: Any, d: Any, *rest: Any, flag: bool = False, **more: Any) -> Any:
        return Point(p.y, p.x), {"sum": d["a"] + rest[0], "rest": [*rest], "n": None}, flag, more

    point, entries, flag, more = f(Point(1, 2.5), {"a": np.ones(2)}, 3, "s", flag=True, extra=(1, 2))
    assert (point, flag, more) == (Point(2.5, 1), True, {"extra": (1, 2)})
    assert type(point) is Point
    assert (entries["sum"].tolist(), entries["rest"], entries["n"]) == ([4.0, 4.0], [3, "s"], None)


SCALE = 3
TABLE = np.array([1.0, 2.0])


def test_globals_are_read_at_each_call() -> None:
    global SCALE, TABLE

    @jit
    def f(x: Any) -> Any:
        return x * SCALE + TABLE

    assert f(np.ones(2)).tolist() == [4.0, 5.0]
    SCALE = 10
    assert f(np.ones(2)).tolist() == [11.0, 12.0]
    TABLE[0] = 5.0
    assert f(np.ones(2)).tolist() == [15.0, 12.0]
    TABLE = np.zeros(1)
    assert f(np.ones(2)).tolist() == [10.0, 10.0]
    SCALE = 0.5
    assert f(np.ones(2)).tolist() == [0.5, 0.5]


def test_closures_and_functions_are_followed() -> None:
    helper: Callable[[Any], Any] = lambda x: x + offset  # noqa: E731 # bound anew below
    offset = 1

    @jit
    def f(x: Any) -> Any:
        return helper(x) * 2

    assert f(3) == 8
    offset = 5
    assert f(3) == 16
    helper = lambda x: x  # noqa: E731
    assert f(3) == 6


def test_results_share_memory_as_in_python() -> None:
    @jit
    def f(x: Any) -> Any:
        return x, x[1:], x + 0

    x = np.arange(3.0)
    same, view, copied = f(x)
    assert same is x
    assert np.shares_memory(view, x)
    assert not np.shares_memory(copied, x)
    view[0] = 9
    assert x[1] == 9


def test_writes_reach_the_caller() -> None:
    @jit
    def f(x: Any, y: Any) -> Any:
        x[0] = 5.0
        return y + 0

    x = np.zeros(3)
    assert f(x, np.ones(3)).tolist() == [1.0, 1.0, 1.0]
    assert x.tolist() == [5.0, 0.0, 0.0]
    y = np.zeros(3)
    assert f(y, y).tolist() == [5.0, 0.0, 0.0]
    z = np.arange(5.0)
    assert f(z[1:], z[:-1]).tolist() == [0.0, 5.0, 2.0, 3.0]
    t = Tensor(np.zeros(2))
    f(t, 1)
    assert (t.tolist(), t.storage.version) == ([5.0, 0.0], 1)


def test_arrays_of_any_layout() -> None:
    @jit
    def f(x: Any) -> Any:
        return x * 2 + x.sum(0)

    base = np.arange(24.0).reshape(4, 6)
    read_only = base.copy()
    read_only.flags.writeable = False
    for x in (
        base,
        base.T,
        base[::2, ::-3],
        base[:, 1],
        np.asfortranarray(base),
        read_only,
        np.broadcast_to(base[0], (3, 6)),
    ):
        np.testing.assert_array_equal(f(x), x * 2 + x.sum(0))
    unaligned = np.frombuffer(b"\0" * 4 + base.tobytes(), np.uint8)[4:].view(np.float64).reshape(4, 6)
    np.testing.assert_array_equal(f(unaligned), base * 2 + base.sum(0))


def test_read_only_arrays_are_not_written_to() -> None:
    @jit
    def f(x: Any) -> None:
        x[0] = 1.0

    x = np.zeros(2)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(x)


def test_nothing_is_kept_alive_or_freed_early() -> None:
    from jitcore.backends.native.host import runtime

    @jit
    def f(x: Any) -> Any:
        return x + 1, (x * 2)[1:]

    kept = f(np.arange(1000.0))
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(50):
        f(np.arange(1000.0))
    assert runtime.blocks_in_use() == before
    assert kept[1][0] == 2.0


def test_methods_and_cells_are_compiled() -> None:
    class Model:
        def __init__(self) -> None:
            self.k = 2.0

        @jit
        def scaled(self, x: Any) -> Any:
            return x * self.k

    model = Model()
    assert model.scaled(3.0) == 6.0
    model.k = 5.0
    assert model.scaled(3.0) == 15.0

    class Counter(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def construct(self, x: Any) -> Any:
            self.count = self.count + 1
            return x

    counter = Counter()
    for _ in range(3):
        counter(Tensor([1.0]))
    assert counter.count == 3


def test_jit_is_idempotent_and_explains_itself() -> None:
    @jit()
    def f(x: Any) -> Any:
        """Doubles."""
        return x * 2

    assert jit(f) is f
    assert (f.__name__, f.__doc__, f.__wrapped__(2)) == ("f", "Doubles.", 4)
    with pytest.raises(TypeError):
        jit(3)
    with pytest.raises(TypeError):
        jit(int)


def test_without_the_compiler_everything_is_plain_python() -> None:
    seen: list[int] = []

    @jit
    def f(x: Any) -> Any:
        seen.append(1)
        return x * 2

    context.set_context(jit=False)
    assert f(3) == 6
    assert seen == [1]
    assert grad(lambda x: x * x)(Tensor(3.0)).tolist() == 6.0


# --- errors ---------------------------------------------------------------------------------------------


def _raised(f: Callable[..., Any], *args: Any) -> tuple[BaseException, list[traceback.FrameSummary]]:
    try:
        f(*args)
    except Exception as error:
        return error, traceback.extract_tb(error.__traceback__)
    raise AssertionError("nothing was raised")


def test_exceptions_are_the_users() -> None:
    def inner(x: Any, n: Any) -> Any:
        return x[n] // (n - 1)

    @jit
    def f(x: Any, n: Any) -> Any:
        y = x + 1
        return inner(y, n)

    for args in ((np.arange(3), 7), ([4, 5], 5)):
        got, frames = _raised(f, *map(np.asarray, args[:1]), *args[1:])
        want, plain = _raised(f.__wrapped__, *map(np.asarray, args[:1]), *args[1:])
        assert (type(got), str(got)) == (type(want), str(want))
        places = [(s.name, s.lineno, s.colno, s.end_colno) for s in frames]
        assert places == [(s.name, s.lineno, s.colno, s.end_colno) for s in plain]


def test_errors_of_calls() -> None:
    @jit
    def f(x: Any, y: Any) -> Any:
        return x + y

    for args in ((np.ones(2), np.ones(3)), (1,), (1, 2, 3), ("a", 1)):
        got, _ = _raised(f, *args)
        want, _ = _raised(f.__wrapped__, *args)
        assert type(got) is type(want)
    strict = jit(f, nopython=True)
    with pytest.raises(OverflowError):
        strict(2**70, 1)
    with pytest.raises(OverflowError):
        strict(2**62, 2**62)


def test_what_cannot_be_compiled_is_refused_or_said_once() -> None:
    @jit
    def f(x: Any) -> Any:
        async def nested() -> None: ...

        return x + 1

    with pytest.warns(FallbackWarning, match="async def") as said:
        assert f(1) == 2
    assert f(5) == 6
    assert len(said) == 1
    assert "interpreter" in f.explain()
    context.set_context(jit_syntax_level=context.STRICT)
    with pytest.raises(CompileError, match="async def"):
        f(1)


# --- compiled gradients ---------------------------------------------------------------------------------


def test_gradients_by_numbers_and_arrays() -> None:
    def f(x: Any) -> Any:
        while x < 10:
            x = x * x
        return x

    for mode in (context.GRAPH_MODE, context.PYNATIVE_MODE):
        context.set_context(mode=mode)
        assert grad(f)(2.0) == 32.0
        assert grad(grad(f))(2.0) == 12 * 4.0
        np.testing.assert_allclose(grad(lambda x: (x**3).sum())(np.array([1.0, 2.0])), [3.0, 12.0])


def test_gradients_of_tensors_compiled() -> None:
    w = Parameter(Tensor([3.0]), name="w")

    def f(x: Any, y: Any) -> Any:
        return x * y * w

    x, y = Tensor([2.0]), Tensor([5.0])
    assert ops.GradOperation()(f)(x, y).tolist() == [15.0]
    assert [g.tolist() for g in ops.GradOperation(get_all=True)(f)(x, y)] == [[15.0], [6.0]]
    both = ops.GradOperation(get_all=True, get_by_list=True)(f, [w])(x, y)
    assert [[g.tolist() for g in part] for part in both] == [[[15.0], [6.0]], [[10.0]]]
    assert ops.GradOperation(sens_param=True)(f)(x, y, Tensor([2.0])).tolist() == [30.0]
    value, got = value_and_grad(f, (0, 1))(x, y)
    assert (value.tolist(), [g.tolist() for g in got]) == ([30.0], [[15.0], [6.0]])
    w.set_data(Tensor([1.0]))
    assert ops.GradOperation()(f)(x, y).tolist() == [5.0]


def test_gradients_inside_compiled_functions() -> None:
    @jit
    def step(w: Any, x: Any) -> Any:
        g = grad(lambda v: ((v * x) ** 2).sum())(w)
        return w - 0.1 * g

    np.testing.assert_allclose(step(np.array([1.0, 2.0]), np.array([1.0, 0.5])), [0.8, 1.9])


def test_a_compiled_function_is_differentiated_in_pynative() -> None:
    context.set_context(mode=context.PYNATIVE_MODE)

    @jit
    def f(x: Any) -> Any:
        return x * x

    assert grad(lambda x: f(x) * 3)(Tensor([2.0])).tolist() == [12.0]


def test_gradients_of_methods_share_their_code() -> None:
    from jitcore.runtime.requests import _compiled_gradient

    layer = nn.Dense(2, 1)
    x = Tensor([[1.0, 2.0]])
    ops.GradOperation()(layer)(x)
    before = _compiled_gradient.cache_info().misses
    ops.GradOperation()(layer)(x)
    assert _compiled_gradient.cache_info().misses == before
