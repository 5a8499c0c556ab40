"""MindSpore programs about what its compiler takes: containers marked as variable, keywords, views, user-defined gradients, unknown extents."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mindspore_cases import BY_LINES, close, floats

from jitcore.compat import mindspore as compat
from jitcore.source import CompileError

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, context, jit, mutable, nn, ops  # noqa: E402
from mindspore.ops import composite as C  # noqa: E402
from mindspore.ops.auto_generate import gen_ops_prim as generated  # noqa: E402

pytestmark = pytest.mark.usefixtures("mode")


class Slopes(nn.Cell):
    """The gradient of a function of any arguments."""

    def __init__(self, function: Any, **options: Any):
        super().__init__()
        self.function = function
        self.gradient = C.GradOperation(**options)

    def construct(self, *args, **keywords):
        return self.gradient(self.function)(*args, **keywords)


# --- containers marked as variable ------------------------------------------------------------------


def weighted(pair, table, factor):
    return pair[0] * pair[1] * table["k"] * factor


def test_gradients_by_containers_that_are_marked(mode):
    pair, table, factor = (floats(2.0), floats(3.0)), {"k": floats(5.0)}, floats(7.0)
    if mode == context.GRAPH_MODE:
        assert Slopes(weighted)(pair, table, factor) == ()
    found = Slopes(weighted, get_all=True)(pair, table, factor)
    assert len(found) == 1
    close(found[0], [30.0])
    by_pair, by_table, by_factor = Slopes(weighted, get_all=True)(mutable(pair), mutable(table), factor)
    assert type(by_pair) is tuple
    assert type(by_table) is dict
    close(by_pair[0], [105.0])
    close(by_pair[1], [70.0])
    close(by_table["k"], [42.0])
    close(by_factor, [30.0])
    by_list = Slopes(weighted)(mutable(list(pair)), table, factor)
    assert type(by_list) is list
    close(by_list[1], [70.0])


def test_numbers_beside_arrays_have_no_gradients():
    def f(x, k):
        return x[0] * k + x[1]

    found = Slopes(f, get_all=True)(mutable((floats(2.0), 3)), 4.0)
    assert len(found) == 1
    close(found[0][0], [4.0])
    assert found[0][1] == 0
    found = ops.grad(f, (0, 1))(mutable([floats(2.0), 3]), floats(4.0))
    assert found[0][1] == 0
    close(found[1], [2.0])


def test_marks_are_new_containers_of_the_same_kind():
    x = [1, (2, 3)]
    made = mutable(x)
    assert made == x
    assert made is not x
    assert made.__ms_origin_object__ is x
    assert isinstance(mutable({"a": 1}), dict)
    assert mutable((1, 2), True) + (3,) == (1, 2, 3)  # noqa: RUF005
    for value, dynamic in (("a", False), ((1, "a"), False), (1, True), ({"a": 1}, True)):
        with pytest.raises(TypeError, match="mutable"):
            mutable(value, dynamic)


@jit
def marked_inside(x, flag):
    pair = mutable((x, 2 * x))
    table = mutable({"a": pair[1], "b": 3})
    items = mutable([1, 2])
    items.append(len(pair))
    return pair, table, items, (pair[0] + table["a"]) * items[-1], mutable(flag)


def test_marks_in_compiled_code():
    pair, table, items, value, flag = marked_inside(floats(1.0), False)
    assert isinstance(pair, tuple)
    assert items == [1, 2, 2]
    assert list(table) == ["a", "b"]
    assert flag is False
    close(value, [6.0])
    with pytest.raises(TypeError, match="mutable"):
        jit(lambda: mutable(("a", 1)))()
    with pytest.raises(TypeError, match="variable_len"):
        jit(lambda: mutable(1, True))()


class Held(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pair = mutable((floats(2.0), floats(3.0)))
        self.plain = (floats(2.0), floats(3.0))
        self.gradient = C.GradOperation()

    def construct(self, x):
        def f(pair, y):
            return pair[0] * pair[1] * y

        return self.gradient(f)(self.pair, x), self.gradient(f)(self.plain, x), self.gradient(f)(mutable([x, x]), x)


def test_marks_of_attributes_and_of_what_is_made(mode):
    by_pair, by_plain, by_made = Held()(floats(5.0))
    close(by_pair[0], [15.0])
    close(by_pair[1], [10.0])
    assert len(by_plain) == (0 if mode == context.GRAPH_MODE else 2)
    close(by_made[0], [25.0])


def test_marks_outlast_gradients_of_gradients():
    def slope(pair):
        return ops.grad(lambda p: (p[0] ** 3 * p[1]).sum())(pair)[0].sum()

    by_first, by_second = ops.grad(slope)(mutable((floats(1.0), floats(2.0))))
    close(by_first, [12.0])
    close(by_second, [3.0])
    found = C.GradOperation(get_all=True)(lambda d: C.GradOperation(get_all=True)(lambda e: e["a"] ** 3)(d)[0]["a"])(
        mutable({"a": floats(2.0)})
    )
    close(found[0]["a"], [12.0])


def test_one_program_for_marked_containers():
    @jit
    def total(xs, d):
        return xs[0] + xs[1] + d["a"]

    for k in range(3):
        close(total(mutable([floats(k), floats(1.0)]), mutable({"a": floats(2.0)})), [k + 3.0])
        close(total([floats(k), floats(1.0)], {"a": floats(2.0)}), [k + 3.0])


# --- gradients: keywords, results that are no arrays, functions of the user's own -----------------------


class Named(nn.Cell):
    def construct(self, *, a, b):
        return a * b


def test_gradients_by_keywords_alone():
    close(Slopes(Named())(a=floats(2.0), b=floats(3.0)), [3.0])
    found = ops.grad(Named(), (0, 1))(a=floats(2.0), b=floats(3.0))
    close(found[0], [3.0])
    close(found[1], [2.0])


def test_results_that_are_no_arrays_count_for_nothing():
    def f(x):
        return x * 6, "text", None, slice(x, 1, 2)

    close(Slopes(f)(floats(10.0)), [6.0])


class Generous(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x + y, 2, out, dout


class Miserly(Generous):
    def bprop(self, x, y, out, dout):
        return (dout,)


def test_gradients_of_the_users_own_may_give_more_than_is_asked():
    for kind in (np.float32, np.int32):
        x, y = Tensor(np.array(3, kind)), Tensor(np.array(4, kind))
        found = Slopes(Generous(), get_all=True)(x, y)
        assert len(found) == 2
        close(found[0], 7)
        close(found[1], 2)
    with pytest.raises(RuntimeError, match=r"must match the number of parameters.* 1 vs. 2|but got 1 vs 2"):
        Slopes(Miserly(), get_all=True)(floats(1.0), floats(2.0))


# --- views that are written to ---------------------------------------------------------------------------


def written(x):
    y = ops.abs(x)
    row = generated.select_ext_view_op(y, 0, 0)
    generated.select_ext_view_op(row, 0, 1).mul_(3)
    column = generated.slice_ext_view_op(y, 1, 0, 1, 1)
    generated.inplace_copy_op(generated.slice_ext_view_op(column, 0, 1, 2, 1), generated.narrow_op(y, 0, 0, 1)[:, 1:])
    generated.InplaceMul()(generated.TransposeView()(y, (1, 0)), 2)
    generated.inplace_add_ext_op(generated.expand_dims_view_op(y, 0), floats(1.0), 2)
    if y.sum() > 10:
        generated.select_ext_view_op(y, 0, 0).add_(y[1])
    first, second = generated.UnstackExtView()(y, 0)
    second.sub_(first)
    return y


def test_views_share_memory_with_what_they_are_views_of():
    x = floats([1.0, -2.0], [3.0, 4.0])
    close(written(x), [[18.0, 24.0], [-4.0, -14.0]])
    close(jit(written)(x), [[18.0, 24.0], [-4.0, -14.0]])


def test_gradients_through_views_that_are_written_to():
    x = floats([1.0, -2.0], [3.0, 4.0])
    close(ops.grad(written)(x), [[0.0, -6.0], [0.0, 2.0]])
    close(ops.grad(jit(written))(x), [[0.0, -6.0], [0.0, 2.0]])


# --- dicts by Tensors -----------------------------------------------------------------------------------


@BY_LINES
def test_tensors_are_keys_by_identity():
    @jit
    def table(x):
        keys = [Tensor([0]), Tensor([1])]
        made = {keys[0]: (0, 1), keys[1]: (1, 2)}
        made[x, "k"] = x
        return made

    made = table(Tensor([1]))
    assert list(made.values())[:2] == [(0, 1), (1, 2)]
    assert len(made) == 3


# --- extents that are not known yet ------------------------------------------------------------------------


def test_described_arguments():
    symbol = ms.Symbol(min=2, max=10)

    @jit
    @ms.enable_dynamic(
        x=Tensor(shape=[None, symbol], dtype=ms.float32),
        y=[Tensor(shape=None, dtype=ms.float32), Tensor(dtype=ms.int32)],
    )
    def scaled(x, y):
        return x * y[0]

    for n in (2, 3, 5):
        x = Tensor(np.full((n, n), 2.0, np.float32))
        close(scaled(x, mutable([x, x])), np.full((n, n), 4.0))
    with pytest.raises(TypeError, match="described by Tensors"):
        ms.enable_dynamic(x=3)
    assert Tensor(shape=(symbol, 3), dtype=ms.float32).shape == (0, 3)


def test_symbols_are_checked():
    assert ms.Symbol(divisor=8, remainder=1, unique=True).remainder == 1
    for wrong in ({"min": 0}, {"divisor": -1}, {"remainder": 1}):
        with pytest.raises(ValueError, match="Symbol"):
            ms.Symbol(**wrong)
    for wrong in ({"max": 1.5}, {"min": True}, {"unique": 1}):
        with pytest.raises(TypeError, match="Symbol"):
            ms.Symbol(**wrong)


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor(0.0), name="count")

    def construct(self, pair, factor):
        self.count += 1
        return pair[0] * self.count * factor


def test_marked_arguments_of_cells_with_parameters():
    net = Counting()
    by_pair, by_factor = Slopes(net, get_all=True)(mutable((floats(2.0), floats(1.0))), floats(3.0))
    close(by_pair[0], [3.0])
    close(by_pair[1], [0.0])
    close(by_factor, [2.0])


# --- functions captured by their bytecode ------------------------------------------------------------------


def test_what_became_of_a_captured_function():
    from mindspore._c_expression import get_code_extra, jit_mode_pi_enable
    from mindspore.common._pijit_context import PIJitCaptureContext

    def scaled(x, k):
        return x * k

    def doubled(x):
        return 2 * x

    jit_mode_pi_enable()
    assert get_code_extra(scaled) is None
    compiled = PIJitCaptureContext(jit_config={"compile_by_trace": True})(scaled)
    assert get_code_extra(scaled) is None
    for k in (2.0, 3.0):
        close(compiled(floats(1.0), k), [k])
    found = get_code_extra(compiled.__wrapped__)
    assert found["stat"] == "GRAPH_CALLABLE"
    assert found["break_count_"] == 0
    assert found["code"]["call_count_"] == 2
    assert found["code"]["compile_count_"] == 1
    assert compiled(2, 3) == 6
    assert get_code_extra(scaled)["code"]["compile_count_"] == 2
    assert jit(doubled, mode="PIJit", jit_config={"loop_unrolling": False})(3) == 6


# --- what the interpreter serves instead -------------------------------------------------------------------


@BY_LINES
def test_arguments_that_hold_themselves():
    @jit
    def marked(table, items, x):
        table["size"] = len(items)
        return table, x + 1

    table: dict[str, Any] = {"k": 1}
    items: list[Any] = [1, 2]
    table["self"], items[0] = table, items
    for _ in range(2):
        found, x = marked(table, items, floats(1.0))
        assert found is table
        close(x, [2.0])
    assert table["size"] == 2
    context.set_context(jit_syntax_level=context.STRICT)
    try:
        with pytest.raises(CompileError, match="holds itself"):
            marked(table, items, floats(1.0))
    finally:
        context.set_context(jit_syntax_level=context.LAX)


class Entries:
    def keys(self):
        return ("a", "b")

    def __getitem__(self, key):
        return {"a": 1, "b": 2}[key]


@BY_LINES
def test_mappings_of_the_users_own_are_keywords():
    entries = Entries()

    def given(**keywords):
        return keywords

    assert jit(lambda: given(**entries))() == {"a": 1, "b": 2}
    assert jit(lambda: given(**Entries(), c=3))() == {"a": 1, "b": 2, "c": 3}
    with pytest.raises(RuntimeError, match="UnpackCall"):
        jit(lambda x: given(**x))(3)


def test_gradients_by_numbers_where_asked_for(mode):
    from mindspore._extends.parse import compile_config

    if mode == context.PYNATIVE_MODE:
        return

    def f(x, table):
        return x * table["a"] + table["b"][1]

    assert Slopes(f)(2, {"a": 3, "b": [1, 4.0]}) == ()
    compile_config.GRAD_FOR_SCALAR = 1
    try:
        found = Slopes(f, get_all=True)(mutable(2), mutable({"a": 3, "b": [1, 4.0]}))
    finally:
        compile_config.GRAD_FOR_SCALAR = ""
    assert found == (3, {"a": 2, "b": [0, 1]})
    assert compile_config.CHECK_BPROP == ""


def test_what_is_refused(tmp_path):
    net = nn.Dense(1, 1)
    with pytest.raises(TypeError, match="'str' and 'Parameter'"):
        ms.load_param_into_net(net, {"weight": Tensor([[1.0]])})
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint(str(tmp_path / "none.ckpt"))
    with pytest.raises(TypeError, match="const_arg"):
        Tensor(1, const_arg=1)
    Tensor(1, const_arg=True).set_const_arg(False)
