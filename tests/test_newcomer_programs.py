"""Programs that someone new to the library writes: what they do compiled is what plain Python does with them."""

from __future__ import annotations

import copy
import itertools
import traceback
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest
from outcomes import frozen

from jitcore import Tensor, jit, ops

Programs = list[tuple[Callable[..., Any], tuple[Any, ...]]]
PROGRAMS: Programs = []


def program(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a program, with the arguments of each call."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.extend((function, args) for args in calls)
        return function

    return add


def outcome(function: Callable[..., Any], args: tuple[Any, ...], capfd: pytest.CaptureFixture[str]) -> Any:
    """What a call gives or raises (class, message, lines), prints, and leaves of its arguments."""
    args = copy.deepcopy(args)
    capfd.readouterr()
    result, failure = None, None
    with np.errstate(all="ignore"):
        try:
            result = function(*args)
        except BaseException as error:
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__]
            failure = type(error), str(error), lines[1:]
    return frozen(result), failure, capfd.readouterr().out, frozen(args)


# --- numbers and strings ----------------------------------------------------------------------------


@program((2.675, 2), (1234.5, -2), (-0.05, 1))
def rounds_to_digits_by_keyword(x, n):
    return round(x, ndigits=n), round(number=x, ndigits=None), round(x, ndigits=1)


@program((12,), (-7,))
def reads_numbers_from_their_text(n):
    return int(str(n)) + 1, float(f"{n}.5"), int("ff", 16)


@program((3,), (np.float32(3),))
def is_asked_for_what_a_builtin_does_not_take(n):
    return round(n, places=1)


@program((3,))
def counts_arguments_of_builtins(n):
    return len(n, n)


@program((5,))
def prints_with_an_unknown_option(n):
    print(n, flush=True)
    print(n, colour="red")


@program((True, 2.5), (False, -1.0), (3, 0.0))
def asks_numbers_for_their_parts(n, x):
    return n.real, n.imag, n.conjugate(), n.numerator, n.denominator, x.real, (x > 1).real + 1


# --- containers -------------------------------------------------------------------------------------


@program((2,), (7,))
def keeps_the_class_of_the_left_set(n):
    a, b = frozenset([1, 2]), {2, n}
    return a | {3}, b | a, a & b, b - a, a ^ {9}


@program(({"a": 1, "b": 2},), ({},))
def grows_a_dict_that_it_goes_through(d):
    for key in d:
        d[key + "x"] = 1
    return d


@program(({"a": 1, "b": 2}, 2), ({"a": 1, "b": 2}, 9))
def leaves_a_dict_that_it_changed(d, wanted):
    for key, value in d.items():
        if value == wanted:
            d["found"] = key
            break
    return d


@program((3,))
def grows_a_set_that_it_goes_through(n):
    seen = {1, 2}
    for item in seen:
        seen.add(9)
    return n, item


@program((3,), (0,))
def looks_through_views_that_stay_current(n):
    d = {"x": n, "y": 1.5}
    keys, values = d.keys(), d.values()
    total = 0.0
    for i in range(n):
        d["x"] += i
        total += sum(values)
    d["z"] = 7
    return total, list(keys), list(values), len(keys), "z" in keys


def noted(value):
    print("key of", value)
    return value % 7


@program((3,), (13,))
def asks_for_each_key_once(n):
    few, many = [n, 5, 9, n + 1], [i * 3 % 11 for i in range(n)]
    return (
        max(few, key=noted),
        min(many, key=noted),
        sorted(few, key=noted),
        sorted([3, 1], key=noted),
        max(n, 4, key=noted),
    )


class Vector(NamedTuple):
    x: float
    y: float = 0.5

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __contains__(self, item):
        return item == -1

    def __call__(self, k):
        return self.x + k


class Doubled(NamedTuple("Doubled", [("x", int), ("y", int)])):
    def __new__(cls, x):
        return super().__new__(cls, x, 2 * x)


@program((3.0,), (2,))
def computes_with_named_tuples(n):
    v, total = Vector(n) + Vector(1, 2), Vector(0, 0)
    for _ in range(3):
        total = total + 2 * v
    return v, total, v < total, abs(v), -1 in v, v(n), max(v, total), sum([v, v], Vector(0, 0)), (*v, 1)


@program((3,))
def makes_named_tuples_by_their_own_new(n):
    return Doubled(n), Doubled(n).y


@program((3,))
def forgets_a_field(n):
    return Vector(y=n)


@program((3,))
def sets_a_field(n):
    v = Vector(n)
    v.x = 4


@program(*((x,) for x in ("a", [1], (1, 2), 1.5, 3)))
def formats_as_a_whole_number(x):
    print("before")
    return f"{x:d}"


@program(*((x,) for x in ("a2", [2], (1, 2), 1.5, 3)))
def looks_for_a_number_in_it(x):
    return 2 in x


# --- special methods --------------------------------------------------------------------------------


class Number:
    def __init__(self, value):
        self.value = value

    def __int__(self):
        return self.value + 1

    def __index__(self):
        return 1

    def __complex__(self):
        return complex(self.value, 1)

    def __round__(self, digits=None):
        return "rounded", digits

    def __floor__(self):
        return "floored"

    def __divmod__(self, other):
        return "divmod", other

    def __rdivmod__(self, other):
        return "rdivmod", other

    def __pow__(self, exponent, modulus=None):
        return exponent, modulus

    def __reversed__(self):
        return iter((3, 2))


class Reflected:
    def __radd__(self, other):
        return "radd"

    def __rmul__(self, other):
        return "rmul"


class Bare:
    pass


@program((3,))
def converts_by_special_methods(n):
    a = Number(n)
    return int(a), complex(a), round(a), round(a, n), [4, 5, 6][a], divmod(a, 2), divmod(2, a), pow(a, 2, 3), a**2


@program((3,))
def reverses_by_a_special_method(n):
    return list(reversed(Number(n)))


@program((3,))
def asks_the_right_operand_before_repeating(n):
    r = Reflected()
    return [n] + r, (n,) * r, "ab" * r, n + r, [n] * r


@program(*((k,) for k in range(8)))
def is_told_what_an_object_cannot_do(k):
    o = Bare()
    if k == 0:
        return round(o)
    if k == 1:
        return k in o
    if k == 2:
        return [1][o]
    if k == 3:
        return int(o)
    if k == 4:
        return reversed(o)
    if k == 5:
        return complex(o)
    return o + k if k == 6 else o < k


class Operation(Enum):
    ADD = "+"
    MULTIPLY = "*"

    def apply(self, a, b):
        return a + b if self is Operation.ADD else a * b

    @classmethod
    def parse(cls, text):
        return next(member for member in cls if member.value == text)


@program((3,), (2.5,))
def goes_through_the_members_of_an_enum(n):
    return [m.apply(n, 2) for m in Operation], Operation.parse("*").name, {m: m.apply(n, n) for m in Operation}


# --- exceptions -------------------------------------------------------------------------------------


class Failure(Exception):
    def __init__(self, code, text="text", *, extra=None):
        super().__init__(text)
        self.code, self.extra = code, extra


class Unlucky(Exception):
    def __init__(self, k):
        super().__init__(1 // k)


@program((0,), (1,), (2,), (3,), (4,))
def raises_with_keywords(n):
    if n == 1:
        raise Failure(code=n, text="hello")
    if n == 2:
        raise Failure(n, extra=5)
    if n == 3:
        raise ValueError(n, reason="none")
    if n == 4:
        raise Failure
    return n


@program((0,), (1,))
def catches_what_making_an_exception_raises(n):
    try:
        if n:
            raise Failure
    except TypeError:
        return "no arguments"
    return n


@program((0,), (1,))
def fails_within_an_exception(n):
    raise Unlucky(n)


@program((0,), (1,), (2,))
def catches_exits_and_interrupts(n):
    try:
        if n == 1:
            raise KeyboardInterrupt
        if n == 2:
            raise SystemExit
    except Exception:
        return "exception"
    except BaseException as error:
        return type(error).__name__
    return n


def keywords(a, *, c=1, **rest):
    return a, c, rest


@program((3,))
def gives_a_keyword_twice(n):
    return keywords(1, c=n, **{"c": 4})


# --- recursion --------------------------------------------------------------------------------------


@program(([[2.0]],), ([[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0]],))
def expands_a_determinant(rows):
    if len(rows) == 1:
        return rows[0][0]
    return sum(
        (-1) ** j * rows[0][j] * expands_a_determinant([row[:j] + row[j + 1 :] for row in rows[1:]])
        for j in range(len(rows))
    )


@program((4,), (0,))
def recurs_within_a_recursion(n):
    def outer(k, weight):
        def inner(j):
            return 0 if j == 0 else k * j + inner(j - 1) + weight

        return weight if k == 0 else outer(k - 1, inner(k)) + sum(inner(i) for i in range(k))

    return outer(n, 1.5)


# --- arrays -----------------------------------------------------------------------------------------

GRID = np.arange(6.0).reshape(2, 3)


@program((GRID, 1.5), (GRID[:0], 1.5), (GRID[:, :0], -2.0), (GRID.astype("i4"), 3))
def begins_extremes_with_a_value(x, k):
    return np.max(x, initial=k), x.min(axis=0, initial=k), x.max(axis=1, initial=k, keepdims=True)


@program((np.bool_(1),), (np.array([True, False]),), (np.array(True),), (np.uint8(200),))
def squares_truth_values(x):
    return x**2, x**1, x**3, np.power(x, 2), np.square(x), x**2.0


@program((GRID, 3, -1), (GRID, -1, 1), (GRID, 4, -1), (GRID[:0], 5, 0), (GRID[:0], -1, 0))
def reshapes_to_what_is_left(x, rows, columns):
    return x.reshape(rows, columns), np.reshape(x, (rows, columns))


@program((GRID,), (GRID[:0],))
def flattens_rows(x):
    return x.reshape(x.shape[0], -1)


@program((np.float32(1.5), 1.5), (np.int8(1), 2), (np.int8(1), True), (np.uint8(1), 2.5), (np.bool_(1), 3))
def makes_arrays_of_scalars_and_numbers(a, b):
    grown = [a for _ in range(3)] + [b]
    return np.array([a, b]), np.array([[a, a], [b, b]]), np.stack([a, b]), np.sum([b, a]), np.array(grown)


@program((3,), (2,))
def calls_iterators_by_keywords(n):
    return list(itertools.accumulate([1, n], func=max)), list(enumerate(iterable=[n], start=n)), sum([n], start=2)


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize(
    ("function", "args"), [pytest.param(f, a, id=f"{f.__name__}-{k}") for k, (f, a) in enumerate(PROGRAMS)]
)
def test_does_what_python_does(
    function: Callable[..., Any], args: tuple[Any, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    expected = outcome(function, args, capfd)
    compiled = jit(function)
    assert outcome(compiled, args, capfd) == expected
    assert outcome(compiled, args, capfd) == expected


def test_one_reshape_for_extents_and_for_what_is_left() -> None:
    @jit
    def reshaped(x: Any, rows: int, columns: int) -> Any:
        return x.reshape(rows, columns)

    for rows, columns in ((2, 3), (3, 2), (6, 1), (3, -1), (-1, 6), (2, 3)):
        assert np.array_equal(reshaped(GRID, rows, columns), GRID.reshape(rows, columns))
    assert len(reshaped.specialisations) <= 4


def test_reshapes_of_tensors_by_a_number() -> None:
    x = Tensor(GRID)
    whole, by_method = jit(lambda t, n: ops.reshape(t, n)), jit(lambda t, n: t.reshape(n))
    for n in (6, -1):
        assert whole(x, n).shape == by_method(x, n).shape == (6,)
