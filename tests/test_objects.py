"""Objects of users' classes made in compiled code: identity of what comes back, gradients, what is refused, and why.

The programs themselves are in `programs/objects_made.py`.
"""

# pyright: basic

from __future__ import annotations

import copy
import dataclasses
import warnings
from typing import Any

import numpy as np
import pytest

from jitcore import PYNATIVE_MODE, Tensor, context, grad, jit, ops
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.source import CompileError


class Point:
    def __init__(self, x, y=0.0):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def norm(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


@dataclasses.dataclass
class Link:
    value: int
    next: Any = None


@dataclasses.dataclass(frozen=True)
class Layer:
    weight: Any
    bias: Any = 0.0

    def __call__(self, x):
        return ops.tanh(x @ self.weight + self.bias)


pytestmark = pytest.mark.usefixtures("strict")


# --- identity ---------------------------------------------------------------------------------------


def test_an_object_returned_twice_is_one():
    def f(x):
        p = Point(x)
        q = Point(p)
        return p, [p, q], {"q": q}

    p, (again, q), d = jit(f)(2)
    assert p is again
    assert q is d["q"]
    assert q.x is p
    assert type(p) is Point
    assert vars(p) == {"x": 2, "y": 0.0}


def test_the_object_of_an_argument_is_returned():
    @jit
    def f(p, n):
        q = p
        for _ in range(n):
            q = q + Point(1.0, 1.0)
        return p, q

    p = Point(1.0, 2.0)
    same, q = f(p, 0)
    assert same is p
    assert q is p
    same, q = f(p, 2)
    assert same is p
    assert (q.x, q.y) == (3.0, 4.0)


def test_objects_that_hold_each_other():
    @jit
    def f(n):
        a = Link(n)
        b = Link(n + 1, a)
        a.next = b
        a.value += b.value
        return a, b

    a, b = f(3)
    assert a.next is b
    assert b.next is a
    assert (a.value, b.value) == (7, 4)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_one_of_several_is_the_one(n):
    def f(n):
        a, b = Point(1.0), Point(2.0)
        for k in range(n):
            a, b = b, a
            a.y += k
        best = a if a.y > b.y else b
        best.x = -1.0
        return a, b, best

    want, got = f(n), jit(f)(n)
    assert [v.x for v in got] == [v.x for v in want]
    assert [got[0] is got[2], got[1] is got[2]] == [want[0] is want[2], want[1] is want[2]]


@pytest.mark.parametrize("n", [0, 3])
def test_a_name_kept_from_before_a_loop(n):
    def f(n):
        first = Point(0.0)
        p = first
        held = [first]
        for _ in range(n):
            first.x += 1.0
            p = Point(p.x + 1.0)
        held[0].y = 5.0
        return first, p, held, p is first

    want, got = f(n), jit(f)(n)
    assert got[3] is want[3] is (n == 0)
    assert (got[0] is got[1]) is (n == 0)
    assert got[2][0] is got[0]
    assert [(v.x, v.y) for v in got[:2]] == [(v.x, v.y) for v in want[:2]]


def test_two_names_that_both_go_on_are_one_object_after_no_rounds():
    def f(n):
        p = Point(0.0)
        q = p
        for _ in range(n):
            q = p
            p = Point(p.x + 1.0)
        return p, q

    context.set_context(jit_syntax_level="LAX")
    compiled = jit(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        p, q = compiled(0)
        assert p is q
        p, q = compiled(3)
    assert (p.x, q.x) == (3.0, 2.0)


def test_what_an_attribute_of_an_object_from_outside_is_given():
    holder = Point(0.0)

    @jit
    def f(x):
        holder.x = Point(x)
        holder.y = holder.x
        holder.x.y = 2.0
        return holder.y

    got = f(3.0)
    assert got is holder.x is holder.y
    assert vars(got) == {"x": 3.0, "y": 2.0}


def test_objects_that_may_be_one_are_never_given_back_as_two():
    def f(n):
        out = []
        for k in range(n):
            p = Point(k)
            out.append(p)
            p.y = 2.0
        return out

    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert [p.y for p in jit(f)(4)] == [2.0] * 4


# --- one program for all calls ------------------------------------------------------------------------


def test_numbers_in_objects_are_values_of_the_run():
    @jit
    def f(x, n):
        p = Point(x, n)
        for _ in range(n):
            p = p + Point(1.0, 2)
        return p.norm()

    for k in range(20):
        f(float(k), k)
    text = f.explain()
    assert "1 specialisations" in text
    assert "interpreter" not in text


def test_a_changed_method_is_noticed(monkeypatch):
    @jit
    def f(x):
        return Point(x).norm()

    assert f(3.0) == 3.0
    monkeypatch.setattr(Point, "norm", lambda self: self.x + 0.5)
    assert f(3.0) == 3.5


def test_a_changed_class_attribute_is_noticed():
    class Scaled:
        factor = 2.0

        def __init__(self, x):
            self.x = x * self.factor

    @jit
    def f(x):
        return Scaled(x).x

    assert f(3.0) == 6.0
    Scaled.factor = 5.0
    assert f(3.0) == 15.0


# --- objects of the caller ----------------------------------------------------------------------------


@dataclasses.dataclass
class Body:
    position: float
    velocity: float = 1.0
    rounds: int = 2
    name: str = "body"
    trace: list = dataclasses.field(default_factory=list)


def drift(body, dt):
    for _ in range(body.rounds):
        body.position += body.velocity * dt
    body.last = body.name
    return body


def drifted(body, dt):
    return dataclasses.replace(body, position=body.position + dt, trace=[body.position])


def divided(body, by):
    body.velocity = 7.0
    body.position = 1.0 / by
    return body.position


def exchanged(body, other):
    body.position, other.position = other.position, body.position
    return body is other, body == other


@pytest.mark.parametrize("function", [drift, drifted, divided, exchanged])
def test_other_objects_of_a_class_are_served_by_one_program(function):
    compiled = jit(function)
    for k in range(8):
        second = Body(0.5) if function is exchanged else float(k % 3)
        given = Body(float(k), rounds=k), second
        want, got = copy.deepcopy(given), copy.deepcopy(given)
        results = []
        for call, args in ((function, want), (compiled, got)):
            try:
                result = call(*args)
                results.append((result is args[0], vars(result) if isinstance(result, Body) else result))
            except ZeroDivisionError as error:
                results.append(str(error))
        assert results[0] == results[1]
        assert list(map(repr, want)) == list(map(repr, got))
        assert list(vars(want[0])) == list(vars(got[0]))
    assert len(compiled.specialisations) == 2


def test_an_object_given_twice_is_one():
    compiled = jit(exchanged)
    for _ in range(3):
        compiled(Body(1.0), Body(2.0))
    body = Body(3.0)
    assert compiled(body, body) == (True, True)


GLOBAL = Body(5.0)


def test_an_argument_that_the_function_knows_by_another_name():
    @jit
    def f(body):
        body.position += 1.0
        return GLOBAL.position, body is GLOBAL

    GLOBAL.position = 5.0
    for _ in range(3):
        assert f(Body(1.0)) == (5.0, False)
    assert f(GLOBAL) == (6.0, True)
    assert f(Body(1.0)) == (6.0, False)


def test_a_state_handed_from_call_to_call():
    @jit
    def step(body):
        return Body(body.position + body.velocity, body.velocity * 0.5, body.rounds + 1)

    body = Body(0.0)
    for _ in range(100):
        body = step(body)
    assert body.rounds == 102
    assert len(step.specialisations) == 2


# --- gradients --------------------------------------------------------------------------------------


def test_gradients_through_attributes():
    def loss(x, n):
        p = Point(x, x * x)
        for _ in range(n):
            p.x = p.x * 1.5 + p.y
            p = Point(p.x, p.y * 0.5)
        return p.x * p.y

    step = 1e-6
    want = (loss(1.25 + step, 3) - loss(1.25 - step, 3)) / (2 * step)
    assert grad(loss)(1.25, 3) == pytest.approx(want, rel=1e-6)
    assert jit(lambda x: grad(grad(loss))(x, 3))(1.25) == pytest.approx(grad(grad(loss))(1.25, 3))


def test_gradients_through_a_list_of_objects():
    def loss(x, n):
        points = [Point(x * k, x) for k in range(n)]
        return sum(p.x * p.y for p in points)

    assert jit(lambda x, n: grad(loss)(x, n))(2.0, 4) == pytest.approx(2 * 2.0 * 6)


def test_tensors_in_objects_in_both_modes():
    def f(x, w):
        layer = Layer(w)
        for _ in range(3):
            x = layer(x)
        last = dataclasses.replace(layer, bias=1.0)
        return last(x).sum()

    x, w = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full((3, 3), 0.25, np.float32))
    context.set_context(mode=PYNATIVE_MODE)
    want, want_grad = f(x, w), grad(f, 1)(x, w)
    assert np.allclose(jit(f)(x, w).asnumpy(), want.asnumpy(), atol=1e-6)
    assert np.allclose(jit(lambda x, w: grad(f, 1)(x, w))(x, w).asnumpy(), want_grad.asnumpy(), atol=1e-6)


def test_an_object_is_nothing_to_differentiate_by():
    def f(x):
        return grad(lambda p: p.x * p.y)(Point(x, 3.0))

    for function in (f, jit(f)):
        with pytest.raises(TypeError, match="not Point"):
            function(2.0)


# --- what is left to the interpreter ------------------------------------------------------------------


class Registering(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = 1
        return made


class OfMetaclass(metaclass=Registering):
    def __init__(self, x):
        self.x = x


class Singleton:
    def __new__(cls, x):
        made = object.__new__(cls)
        made.y = x
        return made

    def __init__(self, x):
        self.x = x


class Doubling:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class Mapping(dict):
    def __init__(self, x):
        super().__init__(x=x)


class Closing:
    def __init__(self, x):
        self.x = x

    def __del__(self):
        self.x = None


@pytest.mark.parametrize(
    ("cls", "why"),
    [
        (OfMetaclass, "whose metaclass is Registering"),
        (Singleton, "which has a __new__ of its own"),
        (Doubling, "which has a __setattr__ of its own"),
        (Mapping, "which derives from dict"),
        (Closing, "which has a __del__ of its own"),
    ],
)
def test_classes_that_are_left_to_the_interpreter(cls, why):
    def f(x):
        made = cls(x)
        return made, made

    with pytest.raises(CompileError, match=why):
        jit(f)(2)
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        a, b = jit(f)(2)
    assert a is b
    assert type(a) is cls
    assert vars(a) == vars(f(2)[0])


def test_copies():
    def f(x):
        a = Point(Point(x), [x])
        b, c = copy.copy(a), copy.deepcopy(a)
        a.x.x += 1
        a.y.append(2.0)
        return a, b, c, b.x is a.x, c.x is a.x

    want, (a, b, c, *same) = f(1.5), jit(f)(1.5)
    assert same == [True, False] == list(want[3:])
    assert (a.x.x, b.x.x, c.x.x) == (2.5, 2.5, 1.5)
    assert (a.y, b.y, c.y) == ([1.5, 2.0], [1.5, 2.0], [1.5])
    assert a.y is b.y


def test_attributes_deleted():
    def f(x, c):
        p = Point(x)
        if c:
            del p.y
        return hasattr(p, "y"), p.y

    compiled = jit(f)
    assert compiled(1.0, False) == (True, 0.0)
    with pytest.raises(AttributeError, match="'Point' object has no attribute 'y'"):
        compiled(1.0, True)
