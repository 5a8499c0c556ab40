"""Functions that can be compiled only in part, with arguments: `CASES` holds (function, calls, least number of segments).

Apart from the tests, so that pytest leaves their asserts alone. Each must do compiled what it does in plain Python.
`LOG` gets what they tell in passing.
"""

# ruff: noqa: E731, E741
# pyright: basic, reportUnboundVariable=false

from __future__ import annotations

import collections
import contextlib
import functools
import io
import json
import pickle
import re
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Case = tuple[Callable[..., Any], Sequence[tuple[Any, ...]], int]
CASES: list[Case] = []


class Log(list[Any]):
    """A list that no compiler knows."""


LOG = Log()


def case(*calls: tuple[Any, ...], segments: int = 1) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the function below to the corpus, with the arguments of each call and how many segments are compiled at least."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, calls, segments))
        return function

    return add


class Account:
    """An object that no compiler knows."""

    def __init__(self, balance: float = 0.0) -> None:
        self.balance = balance
        self.history: list[float] = []

    def pay(self, amount: float) -> float:
        if amount < 0:
            raise ValueError(f"negative amount {amount}")
        self.balance += amount
        self.history.append(amount)
        return self.balance


class Wallet(Account):
    """With a method that can be compiled in part."""

    def worth(self, x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += x[i] * self.balance
        t = opaque(s)
        for i in range(len(x)):
            s += x[i] * t
        return s


class Odd(Exception):
    """A user's exception."""


def opaque(value: Any) -> Any:
    """A value by a way that is not compiled."""
    return pickle.loads(pickle.dumps(value))


def tell(*values: Any) -> None:
    LOG.append(values)


def halves(x: Any, n: int) -> Any:
    """Has a loop, and a place that is not compiled."""
    total = 0.0
    for i in range(n):
        total += x[i] * 0.5
    tell("halves", total)
    for i in range(n):
        total += x[i] * 0.25
    return total


def ratio(a: float, b: float) -> float:
    s = 0.0
    for _ in range(3):
        s += a / b
    return s


A = np.arange(6.0) / 4
B = np.arange(6.0).reshape(2, 3)
I = np.arange(5)


# --- regions between loops ----------------------------------------------------------------------------


@case((A, 6), (A, 0), segments=2)
def a_call_between_loops(x, n):
    s = 0.0
    for i in range(n):
        s += x[i] * 2.0
    s = pickle.loads(pickle.dumps(s))
    for i in range(n):
        s -= x[i] * 0.5
    return s


@case((A, 6), segments=2)
def order_of_effects(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
        print("first", i)
    tell("between", s)
    print("between")
    for i in range(n):
        s += x[i]
        print("second", s)
    tell("after", s)
    return s


@case((A, 6), segments=2)
def written_arrays(x, n):
    for i in range(n):
        x[i] = x[i] * 2.0 + 1.0
    tell(x.copy())
    y = x[1:]
    for i in range(n - 1):
        y[i] += 10.0
    tell(x.copy(), y is x)
    return y


@case((A, 4), segments=2)
def several_regions(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    a = json.dumps(s)
    for i in range(n):
        s += x[i] * 2.0
    b = json.dumps(s)
    for i in range(n):
        s += x[i] * 3.0
    c = json.dumps([s, n])
    for i in range(n):
        s += x[i] * 4.0
    return a, b, c, s


@case((A, 3), segments=1)
def region_in_a_loop(x, n):
    s = 0.0
    for k in range(n):
        tell(k)
        for i in range(len(x)):
            s += x[i] * k
    return s


@case((A, 4), segments=1)
def region_deep_in_branches(x, n):
    s = 0.0
    for k in range(n):
        if k % 2:
            if k > 1:
                tell("deep", k)
            else:
                for i in range(len(x)):
                    s += x[i] * k
        elif k == 0:
            s = s + np.sum(x * 2.0 - 1.0)
        else:
            for i in range(len(x)):
                s -= x[i]
    return s


@case((A, True), (A, False), segments=1)
def region_on_one_path(x, loud):
    y = np.sqrt(np.abs(x * 2.0 - 1.0)).sum()
    if loud:
        tell(y)
    z = np.sum(x * y + y)
    return z


# --- containers ---------------------------------------------------------------------------------------


@case((["a", "b", "a", "c"], A), segments=1)
def dict_with_runtime_keys(words, x):
    counts = {}
    for w in words:
        counts[w + opaque("")] = counts.get(w, 0) + 1
    s = 0.0
    for i in range(len(x)):
        s += x[i] * len(words)
    return counts, s


@case((A, 5), segments=0)
def dict_keyed_by_loop(x, n):
    table = {}
    for i in range(n):
        table[i % 3] = table.get(i % 3, 0.0) + float(x[i])
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    return table, total


@case((A, 6), segments=0)
def set_at_run_time(x, n):
    seen = set()
    for i in range(n):
        seen.add(int(x[i] * 2))
    s = 0
    for i in range(n):
        s += i * i
    return sorted(seen), s


@case((A,), segments=1)
def aliased_lists(x):
    a = [1.0, 2.0]
    b = a
    tell(len(a))
    b.append(3.0)
    s = 0.0
    for i in range(len(x)):
        s += x[i] * len(a)
    return a, b, a is b, s


@case((A,), segments=1)
def list_made_in_a_segment(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    a = [s, s * 2.0]
    b = a
    tell(a)
    b.append(opaque(1.0))
    return a, b, a is b


@case(([3.0, 1.0, 2.0], A), segments=1)
def argument_list_changed(xs, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    xs.append(opaque(s))
    xs.sort()
    for v in xs:
        s += v
    return s


@case(([1.0, 2.0], A), segments=1)
def argument_list_passed_through(xs, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    ys = xs
    tell(ys is xs)
    ys.append(opaque(s))
    return xs, ys is xs


@case(({"w": 2.0}, A), segments=1)
def argument_dict_changed(d, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * d["w"]
    d[str(opaque(1))] = s
    t = 0.0
    for i in range(len(x)):
        t += x[i] * d["w"]
    return t


@case((A, 5), segments=1)
def list_of_a_class_and_counter(x, n):
    recent = collections.UserList()
    for i in range(n):
        recent.append(float(x[i]))
    s = 0.0
    for i in range(n):
        s += x[i] * x[i]
    return list(recent), s, collections.Counter("abca")["a"]


# --- try, with ----------------------------------------------------------------------------------------


@case((A, 0), (A, 2), segments=1)
def try_around_a_loop(x, k):
    try:
        s = 0.0
        for i in range(len(x)):
            s += x[i] / opaque(k)
    except ZeroDivisionError as error:
        tell(str(error))
        s = -1.0
    for i in range(len(x)):
        s += x[i] * 0.5
    return s


@case((3.0, 0.0), (3.0, 2.0), segments=1)
def try_around_a_user_call(a, b):
    r = opaque(0.5)
    try:
        r = ratio(a, b)
    except ZeroDivisionError:
        tell("caught", r)
    else:
        tell("fine", r)
    finally:
        tell("finally", r)
    for i in range(4):
        r = r * 1.5 + i
    return r


@case((A, 1), (A, 9), segments=1)
def what_a_handler_sees(x, k):
    opaque(k)
    a = b = c = 0.0
    try:
        a = np.sum(x * 2.0 + 1.0)
        b = x[k] * 2.0 + np.sum(x)
        c = np.sum(x * b - a)
    except IndexError as error:
        return str(error), a, b, c
    return a, b, c


@case((A, 3), (A, 8), segments=1)
def progress_of_a_loop_in_try(x, n):
    opaque(n)
    done = 0
    s = 0.0
    try:
        for i in range(n):
            s += x[i] * 2.0
            done += 1
    except IndexError:
        tell("stopped", done, s)
    for i in range(done):
        s += x[i]
    return done, s


@case((A,), segments=1)
def finally_and_return(x):
    try:
        tell("body")
        return np.sum(x * 2.0 + 1.0)
    finally:
        tell("finally")


@case((0, 11, 100.0, 0.25, np.array([0.25, 0.0, 100.0])), (2, 3, 1.5, 0.5, np.array([1.0, 2.0])), segments=0)
def what_a_finally_assigns_on_some_paths(a, b, x, y, xs):
    i, j, m = a, 0, 1
    u, v = x, 0.5
    t = (a, x)
    p = [a, b, 3]
    q = [x, y]
    s = np.zeros(4)
    u = q[0] - u + q[-1]
    if (j := sum(p[:])) > 2:
        i = j - 1
    try:
        try:
            p.remove(3)
            p.remove(3)
            i -= min(m, len(xs))
        finally:
            m = sum([k for k in range(4)])
        u = float(xs.sum())
    finally:
        match m % 3:
            case 1 | 2 if a > 0:
                v = float(xs[0])
                s[i % 4] = y * t[1]
                u, v = v, b * q[0]
            case 3 if a > 0:
                s[j] = q[-1]
    try:
        u = a * v % 2.0
        if len(p) <= j:
            raise KeyError("none")
    except (ValueError, KeyError) as e:
        j = type(e) is IndexError
    finally:
        for k1 in range(1, abs(a) % 6):
            u = 1000.0 - j * y
    return i, u


@case((A,), segments=1)
def with_a_context(x):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        print("inside")
    return out.getvalue(), s


@case((A, 9), (A, 1), segments=1)
def with_suppressed(x, k):
    s = 0.0
    with contextlib.suppress(IndexError):
        s = np.sum(x * 2.0 + 1.0)
        s = s + x[k] * np.sum(x)
        s = s * 2.0
    return opaque(s)


@case((A,), segments=1)
def nested_tries(x):
    s = 0.0
    for k in range(4):
        try:
            try:
                s += ratio(1.0, float(k - 1))
                if k == 2:
                    raise Odd("two")
            except ZeroDivisionError:
                tell("zero", k)
                raise ValueError("from zero") from None
        except (ValueError, Odd) as error:
            tell(type(error).__name__, str(error))
            continue
        for i in range(len(x)):
            s += x[i]
    return s


# --- exits --------------------------------------------------------------------------------------------


@case((A, 0.5), (A, 100.0), segments=1)
def return_out_of_a_segment(x, limit):
    tell("start")
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if s > limit:
            return i, s
    tell("end", s)
    return s


@case((A, 0.5), (A, 100.0), segments=2)
def returns_of_unlike_types(x, limit):
    tell("start")
    for i in range(len(x)):
        if x[i] > limit:
            return "found"
    s = opaque(1.0)
    for i in range(len(x)):
        s += x[i]
        if s < 0:
            return None
    return s


@case((A, 3), (A, 10), segments=1)
def break_out_of_a_segment(x, k):
    s = 0.0
    for n in range(6):
        tell("round", n)
        for i in range(len(x)):
            s += x[i] * n
        if n == k:
            break
        for i in range(len(x)):
            s -= x[i]
    else:
        tell("no break")
    return s, n


@case((A, 3), segments=1)
def continue_in_the_driver(x, k):
    s = 0.0
    n = 0
    while n < 6:
        n += 1
        tell("round", n)
        for i in range(len(x)):
            s += x[i] * n
        if n % k == 0:
            continue
        s = s + np.sum(x * 2.0)
    return s


@case((A, 2), (A, -1), segments=1)
def return_in_a_branch(x, k):
    tell(k)
    if k > 0:
        s = 0.0
        for i in range(len(x)):
            s += x[i] * k
        return s
    return [opaque(k)]


@case((7,), (0,), segments=1)
def no_result(n):
    s = 0
    for i in range(n):
        s += i * i
    tell(s)
    if s > 10:
        return
    tell("small")


# --- variables ----------------------------------------------------------------------------------------


@case((A, True), (A, False), segments=1)
def maybe_unassigned(x, c):
    tell("go")
    if c:
        t = np.sum(x * 2.0 + 1.0)
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    if c:
        s = s + t
    return s


@case((A, 0), (A, 3), segments=1)
def unassigned_after_a_loop(x, n):
    tell(n)
    for i in range(n):
        last = x[i] * 2.0 + x[0] - 1.0
    s = np.sum(x * 2.0)
    return last + s


@case((A,), segments=1)
def deleted(x):
    s = np.sum(x * 2.0 + 1.0)
    t = opaque(s)
    del s
    u = 0.0
    for i in range(len(x)):
        u += x[i] * t
    try:
        return s + u
    except UnboundLocalError as error:
        return str(error), u


@case((A, 4), segments=2)
def loop_variables_reused(x, n):
    s = 0.0
    for i in range(n):
        v = x[i] * 2.0
        s += v
    tell(s)
    for i in range(n):
        v = x[i] * 3.0
        s -= v
    tell(i)
    return s, v


@case((1, 2.0), (3, 4.0), segments=1)
def defaults_and_keywords(a, b, *rest, scale=2.0, **more):
    tell(a, rest, more)
    s = 0.0
    for i in range(a):
        s += b * scale + i
    return s


@case((A,), segments=1)
def swapped(x):
    a, b = 1.0, 2.0
    for i in range(len(x)):
        a, b = b + x[i], a
    tell(a, b)
    a, b = b, a
    for i in range(len(x)):
        a, b = b - x[i], a
    return a, b


@case((2**62, 3), segments=0)
def past_64_bits(k, n):
    k = opaque(k)
    for i in range(n):
        k = opaque(k) * 4
    s = k
    for i in range(n):
        s = s + i * 2
    return s


@case(("abc", 4), segments=1)
def strings(text, n):
    out = ""
    for i in range(n):
        out = out + text[i % 3].upper() + "{:.2f}".format(i / 2)
    s = 0
    for i in range(n):
        s += i * i
    return re.sub("[A-B]", "x", out), s, string.capwords(text)


@case((A, 3), segments=1)
def values_that_change_type(x, n):
    r = opaque(1)
    out = []
    for k in range(n):
        for i in range(len(x)):
            r = r + x[i] * k
        out.append(str(r))
        r = [1, 2.5, True][k] + 0
    return opaque(out), r


# --- functions ----------------------------------------------------------------------------------------


@case((A, 3.0), segments=1)
def local_function(x, k):
    def scaled(v):
        return v * k + 1.0

    tell(k)
    s = 0.0
    for i in range(len(x)):
        s += scaled(x[i])
    tell(s)
    k = 100.0
    for i in range(len(x)):
        s += scaled(x[i])
    return s


@case((A,), segments=1)
def local_lambda(x):
    twice = lambda v: v * 2.0
    s = opaque(0.0)
    for i in range(len(x)):
        s += twice(x[i])
    tell(twice(s))
    for i in range(len(x)):
        s -= twice(twice(x[i]))
    return s


@case((A,), segments=0)
def counter_by_nonlocal(x):
    count = 0

    def more(v):
        nonlocal count
        count += 1
        return v * 2.0

    s = 0.0
    for i in range(len(x)):
        s += more(x[i])
    tell(count)
    for i in range(len(x)):
        s += more(x[i]) * count
    return s, count


@case((A, 3), segments=1)
def closures_that_see_changes(x, n):
    made = []
    v = 0.0
    for k in range(n):
        v = v + np.sum(x * 2.0 + k)
        made.append(lambda: v)
    tell([f() for f in made])
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    v = s
    return [f() for f in made]


@case((A, 6), segments=2)
def calls_a_function_with_regions(x, n):
    a = np.sum(x * 2.0 + 1.0)
    b = halves(x, n)
    c = 0.0
    for i in range(n):
        c += x[i] * a
    return a, b, c


@case((5,), segments=0)
def recursive(n):
    tell(n)
    if n < 1:
        return 1
    s = 0
    for i in range(n):
        s += i
    return s + recursive(n - 1)


@case((A,), segments=1)
def sorted_by_key(x):
    names = sorted(["b", "a", "c"], key=lambda c: opaque(c))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return names, s, functools.reduce(lambda a, b: a + opaque(b), [1, 2, 3])


@case((A,), segments=1)
def comprehensions(x):
    squares = [float(v) * 2.0 for v in x]
    tell(squares)
    odd = {i: opaque(v) for i, v in enumerate(squares) if i % 2}
    s = sum([v * 0.5 for v in x])
    return odd, s


@case((A,), segments=1)
def generator_kept(x):
    g = (v * 2.0 for v in opaque([1.0, 2.0]))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return list(g), s


@case((A, 3), segments=1)
def walrus(x, n):
    s = 0.0
    while (k := opaque(n)) > 0:
        n -= 1
        for i in range(len(x)):
            s += x[i] * k
    return s, k


# --- objects ------------------------------------------------------------------------------------------


@case((A,), segments=1)
def user_objects(x):
    account = opaque(Account(1.0))
    for i in range(len(x)):
        account.pay(float(x[i]))
    s = 0.0
    for i in range(len(x)):
        s += x[i] * account.balance
    return s, account.history


@case((A,), segments=1)
def object_attribute_written(x):
    account = opaque(Account(2.0))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    account.balance = s
    tell(account.balance)
    for i in range(len(x)):
        s += x[i] * account.balance
    return s, account.balance


@case((Account(5.0), A), segments=1)
def object_argument(account, x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * account.balance
    account.pay(float(s))
    account.note = opaque("n")
    for i in range(len(x)):
        s += x[i] * account.balance
    return s, account.note


@case((A,), segments=1)
def json_and_files(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    text = json.dumps({"s": float(s), "n": len(x)})
    with io.StringIO(text) as file:
        back = json.load(file)
    for i in range(len(x)):
        s -= x[i] * back["n"]
    return back, s


@case((A,), segments=1)
def formatted_later(x):
    m = np.mean(x * 2.0)
    text = f"{m:.3f}|{m!r:>10}"
    parts = text.split("|")
    s = 0.0
    for i in range(len(x)):
        s += x[i] * len(parts)
    return parts, s, len(text.encode())


@case((B,), segments=1)
def numpy_without_a_compiled_form(x):
    y = np.sqrt(np.abs(x * 2.0 - 1.0))
    roots = np.roots(y.ravel()[:3])  # complex or not: the values say
    z = np.sum(y * 2.0 + 1.0)
    return roots, z


@case((B,), segments=1)
def printing(x):
    print("shape", x.shape, opaque(type(x).__name__))
    s = np.sum(x * 2.0 + 1.0)
    print(f"{s:8.3f}", end="!\n")
    for i in range(2):
        for j in range(3):
            s += x[i, j]
        print(i, s, sep=";")
    return s


@case((I,), segments=1)
def match_statement(x):
    s = 0
    for v in [opaque("a"), 2, (1, 2), {"k": 5}]:
        match v:
            case "a":
                s += 1
            case int():
                for i in range(len(x)):
                    s += int(x[i])
            case (a, b):
                s += a * b
            case {"k": k}:
                s -= k
    return s


@case((A,), segments=1)
def a_class_inside(x):
    class Pair:
        def __init__(self, a):
            self.a = a

    s = 0.0
    for i in range(len(x)):
        s += x[i] * 2.0
    return Pair(s).a


@case((A,), segments=1)
def an_import_inside(x):
    import textwrap

    s = 0.0
    for i in range(len(x)):
        s += x[i] * 2.0
    return textwrap.shorten("many words " * 3, 12), s


# --- exceptions ---------------------------------------------------------------------------------------


@case((A, 9), segments=1)
def index_error_in_a_segment(x, n):
    tell("before")
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


@case((A, 0), segments=1)
def zero_division_after_effects(x, k):
    tell("before")
    for i in range(len(x)):
        x[i] = x[i] + 1.0
    s = 0
    for i in range(3):
        s += i // k
    tell("not reached")
    return s


@case((A, -1.0), segments=1)
def error_in_a_region(x, k):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    Account(s).pay(opaque(k))
    return s


@case((A,), segments=1)
def error_in_a_callee(x):
    tell("before")
    s = 0.0
    for i in range(len(x)):
        s += ratio(1.0, x[i] - 1.25)
    return s


@case((A, 2), segments=1)
def raised_and_asserted(x, k):
    tell("before")
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        assert i != k, "reached"
    return s


@case((A, 1), (A, 0), segments=1)
def raised_by_the_user(x, k):
    tell("before")
    s = 0.0
    for i in range(len(x)):
        if s > 1.0 and k:
            raise Odd("too much")
        s += x[i]
    raise KeyError(json.dumps(k))


@case((A,), segments=1)
def deep_error(x):
    s = 0.0
    for k in range(3):
        tell(k)
        for i in range(len(x)):
            s += x[i]
        if k == 1:
            tell("soon")
            for i in range(len(x) + k):
                s += x[i]
    return s


@case((A, 1), (A, -1), segments=2)
def assigned_anew_before_an_early_return(x, k):
    rows = [x.sum(), 1.0]
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    tell(s)
    for i in range(len(x)):
        s += x[i]
    rows = [s * i for i in range(len(x))]
    if k < 0:
        return s
    tell(k)
    for i in range(len(x)):
        s += rows[i]
    return s, rows


@case((4, 3), (6, 3), (1, 0), segments=0)
def list_of_a_round_that_another_holds(n, m):
    rows = [[n], [m, 3], []]
    for _ in range(n % 6):
        row = list(range(m % 6))
        for _ in range(n % 6):
            rows[-1] = row
    return rows


@case((4, 3), (6, 3), (1, 0), segments=0)
def list_of_a_round_in_a_dict(n, m):
    held = {"row": [n]}
    for _ in range(n % 6):
        row = list(range(m % 6))
        for k in range(n % 6):
            held["row"] = row
            row.append(k)
    return held


@case((4, 3), (6, 3), (1, 0), segments=0)
def list_of_a_round_in_an_object(n, m):
    account = Account(1.5)
    for _ in range(n % 6):
        row = [m * 0.5 for _ in range(m)]
        for k in range(n % 6):
            account.history = row
            row.append(k * 0.25)
    return account.history


@case((4, 3), (6, 3), (1, 0), segments=0)
def list_of_a_step_of_a_generator(n, m):
    def steps(count):
        for k in range(count):
            yield k * 2

    rows = [[n], [m, 3], []]
    for step in steps(n % 6):
        row = list(range(m + step))
        for _ in range(n % 6):
            rows[-1] = row
    return rows
