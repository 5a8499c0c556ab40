"""Whatever a program changes of what is around a compiled function, the next call gives what the plain function gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from types import FunctionType, SimpleNamespace
from typing import Any

import changing_class_programs
import changing_function_programs
import changing_name_programs
import changing_object_programs
import numpy as np
import pytest
from changing import follow, module

from jitcore import GRAPH_MODE, Parameter, Tensor, grad, jit, nn, set_context, vmap
from jitcore.compat.mindspore import tensor as mindspore
from jitcore.signature import struct_layout

Program = Callable[[], Generator[Any]]
PROGRAMS: list[Any] = [
    pytest.param(f, id=name)
    for programs in (
        changing_class_programs,
        changing_function_programs,
        changing_name_programs,
        changing_object_programs,
    )
    for name, f in vars(programs).items()
    if isinstance(f, FunctionType) and f.__module__ == programs.__name__
]


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_changes_are_followed(program: Program) -> None:
    follow(program)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.k: Any = 2
        self.mode = "a"
        self.fn: Any = abs
        self.t = Tensor([1.0])
        self.part: Any = nn.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        y = x * self.k if self.mode == "a" else x - self.k
        return self.part(self.fn(y)) + self.t


def _class_of_its_own(net: Any) -> None:
    net.__class__ = type("Other", (Net,), {"construct": lambda self, x: x * 77})


CELL_CHANGES: dict[str, Callable[[Any], Any]] = {
    "an entry of __dict__": lambda n: n.__dict__.__setitem__("k", 7),
    "a string in __dict__": lambda n: n.__dict__.__setitem__("mode", "b"),
    "a function, by update": lambda n: vars(n).update(fn=lambda x: x * 100),
    "object.__setattr__": lambda n: object.__setattr__(n, "k", 9),
    "another Tensor": lambda n: object.__setattr__(n, "t", Tensor([9.0])),
    "another Tensor in __dict__": lambda n: n.__dict__.__setitem__("t", Tensor([9.0])),
    "another type": lambda n: n.__dict__.__setitem__("k", 2.5),
    "pop": lambda n: n.__dict__.pop("k"),
    "object.__delattr__": lambda n: object.__delattr__(n, "k"),
    "del": lambda n: delattr(n, "k"),
    "a part": lambda n: n.__dict__.__setitem__("part", nn.Sigmoid()),
    "an attribute of a part": lambda n: n.part.__dict__.__setitem__("construct", lambda x: x * 3),
    "all of __dict__": lambda n: setattr(n, "__dict__", {**n.__dict__, "k": 11}),
    "the class": _class_of_its_own,
    "construct": lambda n: n.__dict__.__setitem__("construct", lambda x: x * 55),
}


@pytest.mark.parametrize("change", CELL_CHANGES.values(), ids=CELL_CHANGES)
def test_changes_of_cells_that_no_setattr_sees(change: Callable[[Any], Any]) -> None:
    def outcome(function: Any) -> Any:
        try:
            return float(function(x).asnumpy()[0])
        except AttributeError as error:
            return str(error)

    set_context(mode=GRAPH_MODE)
    net, x = Net(), Tensor([3.0])
    inside = jit(lambda x: net(x))
    assert [outcome(f) for f in (net, inside) * 2] == [7.0] * 4
    change(net)
    expected = outcome(net.construct)
    assert expected != 7.0
    assert [outcome(f) for f in (net, inside) * 2] == [expected] * 4


def test_construct_of_a_class_of_cells_and_of_a_layer() -> None:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.part = nn.ReLU()

        def construct(self, x: Tensor) -> Tensor:
            return self.part(x) * 2

    set_context(mode=GRAPH_MODE)
    net: Any = Own()
    inside, x = jit(lambda x: net(x)), Tensor([3.0])
    assert [float(f(x).asnumpy()[0]) for f in (net, inside) * 2] == [6.0] * 4
    before = nn.ReLU.construct
    try:
        nn.ReLU.construct = lambda self, x: x * 10
        assert [float(f(x).asnumpy()[0]) for f in (net, inside) * 2] == [60.0] * 4
    finally:
        nn.ReLU.construct = before
    Own.construct = lambda self, x: x * 9  # type: ignore[method-assign]
    assert [float(f(x).asnumpy()[0]) for f in (net, inside) * 2] == [27.0] * 4


def test_a_parameter_put_in_the_place_of_another() -> None:
    set_context(mode=GRAPH_MODE)
    net, x = nn.Dense(2, 2), Tensor(np.zeros((1, 2), np.float32))
    inside = jit(lambda x: net(x))
    for f in (net, inside):
        f(x)
    net.__dict__["bias"] = Parameter(Tensor(np.full(2, 100.0, np.float32)), name="other")
    for f in (net, inside):
        assert f(x).asnumpy().tolist() == [[100.0, 100.0]]


def test_objects_told_by_their_structure() -> None:
    class Own:
        def __init__(self) -> None:
            self.k = 1

        def method(self, x: int) -> int:
            return x + self.k

    def plain(obj: Any, x: int) -> tuple[Any, ...]:
        return obj.method(x), (x if obj else -x), getattr(obj, "other", 5), obj.k

    f = jit(plain)

    def check() -> None:
        for obj in [Own() for _ in range(4)]:
            assert f(obj, 1) == plain(obj, 1)

    cls: Any = Own
    check()
    cls.method = lambda self, x: x + 50
    check()
    cls.__bool__ = lambda self: False
    check()
    cls.other = 8
    check()
    cls.k = property(lambda self: 70, lambda self, k: None)
    check()
    del cls.__bool__, cls.other
    check()


@pytest.mark.parametrize("transform", [grad, vmap])
def test_code_of_a_function_that_is_transformed(transform: Any) -> None:
    def h(x: Any) -> Any:
        return x * x

    def other(x: Any) -> Any:
        return x * x * x

    made, x = transform(h), Tensor([2.0, 3.0])
    first = [made(x).asnumpy().tolist() for _ in range(3)][-1]
    h.__code__ = other.__code__
    assert made(x).asnumpy().tolist() == transform(other)(x).asnumpy().tolist() != first


def test_code_of_a_compiled_function_and_of_one_run_in_parts() -> None:
    @jit
    def h(x: int) -> int:
        return x + 1

    def in_parts(x: int) -> int:
        y = x * 2
        s = eval("len(' ' * 20)")
        return s + y

    f = jit(lambda x: h(x))
    assert [f(3), h(3)] * 2 == [4, 4] * 2
    h.__wrapped__.__code__ = (lambda x: x * 10).__code__
    assert [f(3), h(3)] * 2 == [30, 30] * 2
    compiled = jit(in_parts)
    with pytest.warns(UserWarning, match="interpreter"):
        assert compiled(3) == 26
    assert compiled(3) == 26
    in_parts.__code__ = (lambda x: -x).__code__
    assert [compiled(3), compiled(3)] == [-3, -3]


def test_what_no_program_looked_for_may_change() -> None:
    class Counter:
        made = 0

        def method(self, x: int) -> int:
            return x + 1

    m = module("count = 0\ndef f(x):\n    return abs(x) + len((1, 2))\n")
    f, g, obj = jit(m.f), jit(lambda x: obj.method(x)), Counter()
    for k in range(20):
        Counter.made += 1
        m.count += 1
        setattr(m, f"new_{k}", k)
        assert (f(-3), g(1)) == (5, 2)
    assert len(f.specialisations) == len(g.specialisations) == 1
    assert f.specialisations[0].native_calls == g.specialisations[0].native_calls == 19


def test_functions_that_go_back_and_forth_are_compiled_once_each() -> None:
    m = module("def f(x):\n    return abs(x)\n")
    f = jit(m.f)
    for _ in range(5):
        assert f(-3) == 3
        m.abs = lambda x: x * 2
        assert f(-3) == -6
        del m.abs
    assert len(f.specialisations) <= 6  # a function made anew is another one each time


def test_why_it_was_compiled_again() -> None:
    space = SimpleNamespace(f=abs)
    m = module("def f(x):\n    return abs(space.f(x))\n")
    m.space = space
    f = jit(m.f)
    f(-1)
    m.abs = lambda x: x
    f(-1)
    m.f.__code__ = m.f.__code__.replace(co_name="g")
    assert "abs was <built-in function abs>, now" in f.explain()


def test_the_interpreter_numbers_what_machine_code_goes_by() -> None:
    assert struct_layout.layout() is not None
    names: dict[str, Any] = {"a": object(), "b": object()}
    known = struct_layout.learn_keys(names)
    assert struct_layout.keys_are_numbered()
    assert known is not None
    assert set(known.offsets) == {"a", "b"}
    names["c"] = math
    assert struct_layout.keys_version(names) != known.version
    mixed: Any = {1: 2}
    assert struct_layout.learn_keys(mixed) is None


def test_rules_of_another_framework() -> None:
    def program(x: Tensor) -> Tensor:
        y = x
        y += 1
        return y

    compiled = jit(program)
    for cls in (Tensor, mindspore.Tensor, Tensor, mindspore.Tensor):
        for function in (program, compiled):
            x = cls([1.0, 2.0])
            assert function(x).asnumpy().tolist() == [2.0, 3.0]
            assert x.asnumpy().tolist() == ([1.0, 2.0] if cls is mindspore.Tensor else [2.0, 3.0]), function
