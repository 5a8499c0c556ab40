"""Functions, methods and partial objects as arguments: programs make them anew for each call, and one compilation serves them all."""

import functools
import gc
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit

SCALE = 3.0


def doubled(v):
    return 2 * v


class Line:
    def __init__(self, slope, offsets):
        self.slope = slope
        self.offsets = offsets

    def at(self, x):
        return self.slope * x + sum(self.offsets)


def of_number(k):
    return lambda x: x * k


def of_array(k):
    a = np.arange(3.0) + k

    def f(x):
        return (x * a).sum() + doubled(x) * SCALE

    return f


def of_default(k):
    return lambda x, k=k: x - k


def of_keyword_default(k):
    def f(x, *, k=k):
        return x - k

    return f


def of_nothing(k):
    return lambda x: doubled(x) + SCALE


def of_list(k):
    items = [k, 2 * k, 3 * k]
    return lambda x: x + sum(items)


def of_string(k):
    text = "ab" * k
    return lambda x: x + len(text)


def of_function(k):
    inner = of_number(k)
    return lambda x: inner(x) + inner(1.0)


def of_count(k):
    def f(x):
        for i in range(k):
            x = x * 0.5 + i
        return x

    return f


def with_inner(k):
    def f(x):
        def inner(v):
            return v + k

        return inner(x) * inner(k)

    return f


def with_generator(k):
    def f(x):
        return sum(x * i for i in range(k))

    return f


def method(k):
    return Line(float(k), [1.0, float(k)]).at


def partial(k):
    return functools.partial(of_two, float(k))


def partial_of_keyword(k):
    return functools.partial(of_two, y=float(k))


def of_two(x, y):
    return x * y - y


MAKERS = [of_number, of_array, of_default, of_keyword_default, of_nothing, of_list, of_string, of_function, of_count, with_inner, with_generator, method, partial, partial_of_keyword]  # fmt: skip


def applied(f, x):
    y = x
    while y < 100.0:
        y = f(y) + y * y + 1.0
    return y


@pytest.mark.parametrize("make", MAKERS)
def test_those_that_are_made_anew_are_compiled_once(make: Callable[[int], Any]) -> None:
    compiled = jit(applied)
    for k in range(1, 20):
        assert compiled(make(k), 1.5) == applied(make(k), 1.5)
    assert len(compiled.specialisations) <= 3


@pytest.mark.parametrize("make", MAKERS)
def test_nothing_that_served_them_keeps_them(make: Callable[[int], Any]) -> None:
    class Mark:
        pass

    compiled = jit(applied)
    compiled(make(1), 1.5)  # the first is compiled as the function it is
    kept = []
    for k in range(2, 6):
        f = make(k)
        compiled(f, 1.5)
        kept.append(weakref.ref(f))
    del f
    gc.collect()
    assert [found() for found in kept] == [None] * 4


def test_one_method_of_one_object_is_one_function() -> None:
    line = Line(2.0, [1.0])
    compiled = jit(applied)
    for _ in range(5):
        assert compiled(line.at, 1.5) == applied(line.at, 1.5)
    assert len(compiled.specialisations) == 1
    line.slope = 4.0
    assert compiled(line.at, 1.5) == applied(line.at, 1.5)


def test_gradients_go_through_them() -> None:
    compiled = jit(lambda f, x: grad(lambda v: f(v).sum())(x))
    for k in range(1, 6):
        a = np.arange(3.0) + k
        found = compiled(lambda v, a=a: v * v * a, Tensor(np.ones(3)))
        np.testing.assert_allclose(found.asnumpy(), 2 * a)
    assert len(compiled.specialisations) <= 2


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_containers_that_they_hold_are_changed() -> None:
    def count(log):
        def f(x):
            log.append(x)
            return x + len(log)

        return f

    def twice(f, x):
        return f(f(x))

    compiled = jit(twice)
    for k in range(5):
        one, other = [float(k)], [float(k)]
        assert compiled(count(one), 1.0) == twice(count(other), 1.0)
        assert one == other


def test_arrays_that_they_hold_are_written_to() -> None:
    def store(into):
        def f(x):
            into[0] = x
            return x + 1.0

        return f

    compiled = jit(lambda f, x: f(x) + f(2 * x))
    for k in range(5):
        into = np.zeros(2)
        assert compiled(store(into), float(k)) == 3.0 * k + 2
        assert into[0] == 2.0 * k


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_two_that_share_what_they_change() -> None:
    def pair():
        log = []

        def put(x):
            log.append(x)
            return x

        return put, lambda x: x + sum(log)

    def both(f, g, x):
        return f(x) + g(x)

    compiled = jit(both)
    for k in range(5):
        assert compiled(*pair(), float(k)) == both(*pair(), float(k))


def test_what_is_asked_about_them() -> None:
    def asked(f, g, x):
        return (f is g, f is not g, callable(f), f.__name__, f(x))

    compiled = jit(asked)
    for k in range(5):
        f, g = of_array(k), of_array(k)
        assert compiled(f, g, 1.0) == asked(f, g, 1.0)
        assert compiled(f, f, 1.0) == asked(f, f, 1.0)
        f.__name__ = "other"
        assert compiled(f, g, 1.0) == asked(f, g, 1.0)


def test_one_that_comes_back_is_the_one_that_was_given() -> None:
    compiled = jit(lambda f, x: (f, f(x)))
    for k in range(4):
        f = of_number(k)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, value = compiled(f, 2.0)
        assert found is f
        assert value == 2.0 * k


def test_other_code_other_closures_and_other_globals_are_told_apart() -> None:
    compiled = jit(applied)
    for k in range(1, 4):
        f = of_number(k)
        assert compiled(f, 1.5) == applied(f, 1.5)
        f.__code__ = of_number_negated(k).__code__
        assert compiled(f, 1.5) == applied(f, 1.5)
    elsewhere = [{"c": float(k), "__name__": f"m{k}", "__builtins__": __builtins__} for k in range(3)]
    for names in elsewhere:
        f = type(of_number)((lambda x: x + c).__code__, names)  # type: ignore[name-defined]  # noqa: F821
        assert compiled(f, 1.5) == applied(f, 1.5)
        names["c"] = 7.0
        assert compiled(f, 1.5) == applied(f, 1.5)


def of_number_negated(k):
    return lambda x: 5.0 - x * k + 100.0


def of_anything(k):
    return lambda x: x * k if not isinstance(k, list | tuple) else x + k[0]


def test_variables_of_other_types_and_none_at_all() -> None:
    compiled = jit(lambda f, x: f(x))
    for k in (1, 2.0, True, np.float32(3), 1, 4.0, np.arange(3), np.arange(3.0), [1.0, 2.0], (1, 2.0)):
        f = of_anything(k)
        np.testing.assert_array_equal(compiled(f, 2.0), f(2.0))

    def without(there):
        if there:
            late = 1.0

        def f(x):
            return x + late

        return f

    for there in (True, False, True, False):
        if there:
            assert compiled(without(True), 2.0) == 3.0
        else:
            with pytest.raises(NameError, match="late"):
                compiled(without(False), 2.0)


def test_ones_that_call_themselves() -> None:
    def factorial(base):
        def f(n):
            return base if n <= 1 else n * f(n - 1)

        return f

    compiled = jit(lambda f, n: f(n))
    for k in range(5):
        assert compiled(factorial(k), 6) == 720 * k


def test_methods_of_objects_in_lists_and_functions_in_dicts() -> None:
    def summed(fs, x):
        return sum(f(x) for f in fs["all"])

    compiled = jit(summed)
    for k in range(1, 6):
        fs = {"all": [of_array(k), method(k), partial(k), abs]}
        assert compiled(fs, 1.5) == summed(fs, 1.5)
    assert len(compiled.specialisations) <= 2
