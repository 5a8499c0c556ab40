"""Classes of Tensors of other frameworks: the same in eager and compiled code, and two of them in one process."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, Tensor, grad, jit, nn, ops, value_and_grad, vmap
from jitcore.library import operators, tables
from jitcore.library.core import marking
from jitcore.primitives.core import dialects
from jitcore.primitives.core.promotion import result_dtype
from jitcore.runtime.dialects import dialect
from jitcore.types import f32


class Extreme(NamedTuple):
    values: Any
    indices: Any


def _ranked(kind: str, operands: Any) -> Any:
    """PyTorch's rule: operands with axes decide before those without, among operands of one kind."""
    kinds = {dtype.kind for dtype, category, rank in operands if rank}
    if len(kinds) == 1 and kinds <= {dtype.kind for dtype, _, _ in operands}:
        found = [o for o in operands if o[2]] if kinds == {"f"} else operands
        return result_dtype(kind, [o[:2] for o in found])
    return result_dtype(kind, [o[:2] for o in operands])


@dialect("by_rank", promotion=_ranked)
class Ranked(Tensor):
    """As PyTorch's Tensors in some ways."""

    __slots__ = ()

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def max(self, dim: int | None = None, keepdim: bool = False) -> Any:
        if dim is None:
            return ops.amax(self, None)
        return Extreme(ops.amax(self, dim, keepdim), ops.argmax(self, dim, keepdim))

    @property
    def mT(self) -> Any:
        return self.swapaxes(-1, -2)

    @staticmethod
    def origin() -> str:
        return "by rank"

    def __repr__(self) -> str:
        return f"ranked({self.asnumpy().tolist()})"

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, Tensor):
            return NotImplemented
        return ops.matmul(self, other)


@dialect("saturating")
class Saturating(Tensor):
    """Sums never leave [-10, 10], and `+=` makes a new Tensor."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return ops.clip(ops.add(self, other), -10.0, 10.0)

    __radd__ = __add__

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def size(self) -> int:
        return -1


class RankedParameter(Parameter, Ranked):
    __slots__ = ()


def described(value: Any) -> Any:
    """A result with its classes, dtypes and values."""
    if isinstance(value, Tensor):
        return type(value).__name__, str(value.dtype), value.shape, value.asnumpy().tolist()
    if isinstance(value, tuple | list):
        return type(value).__name__, [described(v) for v in value]
    if isinstance(value, dict):
        return {k: described(v) for k, v in value.items()}
    return value


def ranked(*shape: int, dtype: Any = np.float32) -> Any:
    return Ranked(np.arange(np.prod(shape), dtype=dtype).reshape(shape))


def saturating(*shape: int) -> Any:
    return Saturating(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def sum_of_rows(x: Any) -> Any:
    total = x[0] * 0
    for i in range(x.shape[0]):
        total = total + x[i]
    return total


def halved(x: Any) -> Any:
    n = 0
    while x.max() > 1:
        x = x / 2
        n += 1
    return x, n


def either(x: Any, n: Any) -> Any:
    y = x.max(1).values if n > 0 else x.sum(1)
    return y, y.size()


def collected(x: Any) -> Any:
    rows = []
    for i in range(x.size(0)):
        rows.append(x[i] * i)
    return rows, {"first": rows[0], "rest": (x, x + 1)}


def written(x: Any) -> Any:
    x[0] = x[1] * 2
    x += 1
    y = x[1:]
    y -= 5
    return x, y


def factorial(x: Any, n: Any) -> Any:
    return x * 0 + 1 if n <= 1 else factorial(x, n - 1) * n


def guarded(x: Any) -> Any:
    try:
        if x.sum() > 3:
            raise ValueError("large")
        return x
    except ValueError:
        return -x


PROGRAMS = [
    lambda x: (x + 1, 1 - x, x * x, x / 3, x**2, -x, abs(x), x > 1, x == x),
    lambda x: (x.sum(), x.mean(1), x.reshape(3, 2), x.T, x.mT, x.astype(jitcore.int32), x.copy()),
    lambda x: (x[0], x[:, 1], x[..., None], x[[1, 0]], x[x > 2], list(x)),
    lambda x: (x.size(), x.size(1), x.max(), x.max(1), x.max(dim=0, keepdim=True).indices),
    lambda x: (x @ x.mT, ops.matmul(x, x.T), ops.concat([x, x]), ops.stack([x, x + 1]), ops.split(x, 1)),
    lambda x: (np.sin(x), np.add(x, 1), np.ones(2) * x[0, 0], x + np.float32(2)),
    lambda x: (type(x) is Ranked, isinstance(x, Tensor), isinstance(x + 1, Ranked), type(x).__name__),
    lambda x: (ops.zeros((2,)), ops.zeros_like(x), Ranked([1.0, 2.0]) + 1, Tensor(x), Ranked(Tensor([1, 2]))),
    lambda x: (x.origin(), hasattr(x, "mT"), hasattr(x, "nowhere")),
    lambda x: (f"{x.shape} {x!r}", str(x.sum())),
    lambda x: (x.asnumpy() + 1, x.tolist(), float(x.sum()), int(x[0, 1]), bool(x[0, 1] > 0)),
    sum_of_rows,
    halved,
    lambda x: either(x, 1),
    lambda x: either(x, -1),
    collected,
    written,
    lambda x: factorial(x, 5),
    guarded,
]


RESHAPES = 1
"""The one that is for its number of rows."""


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_compiled_as_eager(number: int) -> None:
    program = PROGRAMS[number]
    compiled = jit(program)
    for rows in (2, 2, 2) if number == RESHAPES else (2, 2, 2, 4):
        assert described(_plain(compiled(ranked(rows, 3)))) == described(_plain(program(ranked(rows, 3))))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(_plain(v) for v in value)
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("size", [1, 3, 40_000])
@pytest.mark.parametrize("count", [1, 30])
def test_eager_functions_served_by_machine_code_keep_the_class(size: int, count: int) -> None:
    x, plain = ranked(size), Tensor(np.arange(size, dtype=np.float32))
    for _ in range(count):
        made = [x + 1, ops.relu(x), x[:1], x.sum(), ops.add(plain, x), ops.add(x, plain), plain * 2, x.T]
    assert [type(m) for m in made] == [Ranked, Ranked, Ranked, Ranked, Tensor, Ranked, Tensor, Ranked]
    kept = made[2]
    made = []
    assert kept.asnumpy().tolist() == [0.0]


def test_arguments_that_come_out_stay_what_they_are() -> None:
    x, y = ranked(3), saturating(3)
    assert jit(lambda x, y: (y, x))(x, y)[0] is y
    assert type(y) is Saturating
    ops.maximum(x, y)
    assert type(y) is Saturating


@pytest.mark.parametrize(
    "order", ["ranked saturating", "saturating ranked", "tensor saturating", "saturating tensor", "ranked tensor"]
)
def test_two_dialects_in_one_process(order: str) -> None:
    def f(x: Any, y: Any) -> Any:
        sizes = [a.size() for a in (x, y) if not isinstance(a, Tensor) or type(a) is not Tensor]
        return x + y, y + x, x * y, y * x, ops.mul(x, y), sizes, x + 8, y + 8, 8 + x, 8 + y

    made = {"ranked": ranked(3), "saturating": saturating(3), "tensor": Tensor([1.0, 8.0, 3.0])}
    given = [made[name] for name in order.split()]
    assert described(jit(f)(*given)) == described(f(*given))
    assert described(f(*given))[1][2][0] == type(given[0]).__name__  # x * y, which nobody has of their own


def test_one_function_for_three_classes() -> None:
    @jit
    def f(x: Any) -> Any:
        return x + 6

    for cls, last in ((Tensor, 11.0), (Ranked, 11.0), (Saturating, 10.0), (Tensor, 11.0)):
        made = f(cls([3.0, 5.0]))
        assert type(made) is cls
        assert made.asnumpy().tolist() == [9.0, last]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.float32, np.float64),
        (np.int32, np.int64),
        (np.float16, np.float32),
        (np.int64, np.float32),
    ],
)
def test_promotion_is_the_dialects(a: Any, b: Any) -> None:
    """Tensors without axes do not widen those with axes."""
    x, s = Ranked(np.ones(3, a)), Ranked(np.array(2, b))

    def f(x: Any, s: Any) -> Any:
        return x + s, s * x, ops.sub(x, s), s + s

    assert described(jit(f)(x, s)) == described(f(x, s))
    assert x.dtype.kind != "f" or f(x, s)[0].dtype is x.dtype
    own = Tensor(np.ones(3, a)) + Tensor(np.array(2, b))
    assert own.dtype is result_dtype("add", [(x.dtype, "tensor"), (s.dtype, "tensor")])


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = RankedParameter(np.ones((3, 2), np.float32), name="weight")

    def construct(self, x: Any) -> Any:
        return x @ self.weight


class Outer(nn.Cell):
    """A network of jitcore's with one of the other framework in it."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(3, 3)
        self.inner = Net()

    def construct(self, x: Any) -> Any:
        return self.inner(self.first(x))


@pytest.mark.parametrize("mode", [jitcore.GRAPH_MODE, jitcore.PYNATIVE_MODE])
def test_networks_hold_parts_of_others(mode: int) -> None:
    jitcore.set_context(mode=mode)
    net, x = Outer(), ranked(4, 3)
    assert type(net(x)) is Ranked
    assert type(net(Tensor(x))) is Tensor
    assert type(net.inner.weight * 2) is Ranked
    weights = net.trainable_params()
    _, grads = value_and_grad(lambda x: net(x).sum(), None, weights)(x)
    assert [g.shape for g in grads] == [w.shape for w in weights]
    np.testing.assert_allclose(grads[-1].asnumpy(), np.repeat(net.first(x).asnumpy().sum(0)[:, None], 2, 1), rtol=1e-5)


@pytest.mark.parametrize("compiled", [True, False])
def test_transforms_keep_the_class(compiled: bool) -> None:
    def f(x: Any) -> Any:
        return (x * x).sum()

    derived: Any = grad(f)
    batched: Any = vmap(lambda row: row * 2 + row.sum())
    if compiled:
        derived, batched = jit(derived), jit(batched)
    x = ranked(2, 3)
    assert described(derived(x)) == ("Ranked", "Float32", (2, 3), (x * 2).asnumpy().tolist())
    assert described(batched(x))[:3] == ("Ranked", "Float32", (2, 3))


def test_captured_and_held_tensors() -> None:
    weight, held = ranked(3), {"w": saturating(3), "l": [ranked(2, 3)]}

    def f(x: Any) -> Any:
        return weight * x, held["w"] + x + 20, held["l"][0].max(1)

    x = Tensor([1.0, 2.0, 3.0])
    assert described(jit(f)(x)) == described(f(x))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_of_the_class(again: Any) -> None:
    x = ranked(2, 2)
    made = again(x)
    assert type(made) is Ranked
    assert made is not x
    assert made.asnumpy().tolist() == x.asnumpy().tolist()


def test_subclasses_without_a_dialect_compute_jitcores_tensors() -> None:
    class Own(Tensor):
        pass

    assert type(Own([1.0]) + 1) is Tensor
    assert type(jit(lambda x: x + 1)(Own([1.0]))) is Tensor


def test_a_class_with_slots_of_its_own_is_refused() -> None:
    with pytest.raises(TypeError, match="__slots__"):

        @dialect("with_dict")
        class _Dict(Tensor):
            pass

    with pytest.raises(TypeError, match="__slots__"):

        @dialect("with_slot")
        class _Slot(Tensor):
            __slots__ = ("more",)

    with pytest.raises(ValueError, match="by_rank"):

        @dialect("by_rank")
        class _Again(Tensor):
            __slots__ = ()

    assert set(dialects.known) >= {"tensor:by_rank", "tensor:saturating"}
    assert not {"tensor:with_dict", "tensor:with_slot"} & set(dialects.known)


def test_operators_that_leave_it_to_the_other() -> None:
    class Vector:
        def __rmatmul__(self, other: Any) -> str:
            return "mine"

    assert ranked(2) @ Vector() == "mine"
    assert jit(lambda x, v: x @ v)(ranked(2), Vector()) == "mine"


def test_dtypes_of_a_dialect_do_not_depend_on_what_came_before() -> None:
    """The same operation of jitcore's own Tensors is the own rule's after the dialect's."""
    f = jit(lambda x, y: x + y)
    assert f(Ranked(np.ones(2, np.float16)), Ranked(np.array(1, np.float32))).dtype is jitcore.float16
    assert f(Tensor(np.ones(2, np.float16)), Tensor(np.array(1, np.float32))).dtype is f32


LIBRARY = Path(marking.__file__).parent.parent
METHODS = {*tables.ARRAY_METHODS, *operators.METHODS}


def _methods_called(file: Path) -> Iterator[str]:
    """The calls of what Tensors have methods for, of parameters that may be Tensors."""
    for function in ast.walk(ast.parse(file.read_text())):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        params = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        given = {p.arg for p in params if p.annotation is None or ast.unparse(p.annotation) in ("Any", "object")}
        for node in ast.walk(function):
            match node:
                case ast.Call(ast.Attribute(ast.Name(name), method) as called) if name in given and method in METHODS:
                    yield f"{file.relative_to(LIBRARY)}:{called.lineno}: {ast.unparse(node)}"
                case _:
                    pass


def test_library_code_calls_no_methods_of_tensors() -> None:
    """They mean what their class says: no dialect changes what the library computes by."""
    files = sorted(LIBRARY.rglob("*.py"))
    assert len(files) > 50
    assert [called for file in files for called in _methods_called(file)] == []
