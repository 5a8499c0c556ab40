"""Functions of a float that catch exceptions on the way: `CASES` holds (function, points) pairs.

Each is differentiable at its points, some of which raise and some of which do not.
"""

# ruff: noqa: B012, BLE001, PERF203, RET505, SIM105, TRY003, TRY203, TRY300, TRY301, S110
# pyright: basic

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from jitcore import Tensor

CASES: list[tuple[Callable[[float], float], tuple[float, ...]]] = []


def case(*points: float) -> Callable[[Callable[[float], float]], Callable[[float], float]]:
    """Add the function below, with the points it is differentiated at."""

    def add(function: Callable[[float], float]) -> Callable[[float], float]:
        CASES.append((function, points))
        return function

    return add


class TooLarge(Exception):
    pass


# --- the path that was taken ----------------------------------------------------------------------------


@case(2.5, -1.5)
def body_or_handler(x):
    try:
        y = math.sqrt(x) * x
    except ValueError:
        y = x * x
    return y


@case(2.5, -1.5, 800.0)
def two_handlers(x):
    try:
        y = math.exp(x) * math.sqrt(x)
    except ValueError:
        y = 3.0 * x
    except OverflowError:
        y = x / 7.0
    return y


@case(2.5, -1.5)
def with_else_and_finally(x):
    z = 0.0
    try:
        y = math.log(x)
    except ValueError:
        y = x * 7
    else:
        y *= x
    finally:
        z = x * 2
    return y * z


@case(2.5, -1.5)
def returns_inside(x):
    try:
        return math.log(x) * 2
    except ValueError:
        return x * x
    finally:
        x = 0.0


@case(2.5, -1.5)
def handler_raises_for_another(x):
    try:
        try:
            return math.sqrt(x)
        except ValueError:
            x = x * 2
            raise TooLarge
    except TooLarge:
        return x * x


@case(2.5, -1.5, 7.0)
def own_exception(x):
    try:
        if x > 5:
            raise TooLarge(x)
        y = math.sqrt(x)
    except TooLarge:
        y = x * x * x
    except ValueError as e:
        y = -x if e.args else x
    return y


@case(0.3, 2.5, 4.5)
def in_a_loop(x):
    total = 0.0
    for k in range(5):
        try:
            total += math.sqrt(x - k) * x
        except ValueError:
            total += x * k
    return total


@case(0.3, 2.5, 4.5)
def with_continue_and_break(x):
    total = x
    for k in range(8):
        try:
            if k == 1:
                continue
            total = total * math.sqrt(x - k + 2)
        except ValueError:
            total += 10 * x
            break
        finally:
            total += x * k
    return total


def checked_root(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5


@case(2.5, -1.5)
def raised_in_a_called_function(x):
    try:
        y = checked_root(x) * x
    except ValueError:
        y = checked_root(-x)
    return y + x


def descend(x, n):
    if n == 0:
        return math.sqrt(x)
    return descend(x - 1.0, n - 1) * x


@case(4.5, 2.5)
def raised_in_recursion(x):
    try:
        return descend(x, 3)
    except ValueError:
        return x * x * 2


def careful(x, n):
    if n == 0:
        return x
    try:
        return math.sqrt(careful(x - 1.0, n - 1)) * x
    except ValueError:
        return x * x


@case(4.5, 2.5, 0.5)
def recursion_through_handlers(x):
    return careful(x, 3)


@case(2.5, -1.5)
def arrays_in_the_body(x):
    a = np.array([x, x * x, 1.0])
    try:
        s = float((a * math.log(x)).sum())
    except ValueError:
        s = float((a * a).sum())
    return s


# --- what the body has done before ----------------------------------------------------------------------


@case(2.5, -1.5)
def variable_changed_before(x):
    y = x
    try:
        y = x * 3
        y = y * math.sqrt(x)
    except ValueError:
        y = y * y
    return y


@case(0.3, 2.5, 9.5)
def loop_left_halfway(x):
    total = x
    try:
        for k in range(6):
            total = total * (1.0 + x / 10)
            total += math.sqrt(x - k)
    except ValueError:
        total *= 2
    return total


@case(0.3, 2.5, 9.5)
def while_left_halfway(x):
    total, k = x, 0
    try:
        while math.sqrt(x - k) < 100.0 and k < 7:
            total = total * x + k
            k += 1
    except ValueError:
        total = total / 2
    return total


@case(0.3, 2.5, 4.5)
def branches_left_halfway(x):
    y = x
    try:
        if x < 1:
            y = y * 2
            y = y + math.sqrt(x - 1)
        elif x < 3:
            y = x**3
            raise TooLarge
        y = y * 5
        y = y / (x - x)
    except ValueError:
        y = y * x
    except (TooLarge, ZeroDivisionError):
        y = y * y
    return y


@case(0.3, 2.5, 4.5)
def several_steps(x):
    a = b = c = x
    try:
        a = a * x
        b = math.sqrt(x - 1) * a
        a = a + b
        c = math.sqrt(x - 3) * b
        a = a * c
    except ValueError:
        pass
    return a + 2 * b + 3 * c


@case(0.3, 2.5)
def nested_left_halfway(x):
    y = z = x
    try:
        y = y * 3
        try:
            z = z * y
            y = y + math.sqrt(x - 1)
        finally:
            z = z * 2
        y = y * z
    except ValueError:
        y = y * z * 5
    return y + z


@case(0.3, 2.5, 4.5)
def nested_handlers_left_halfway(x):
    y = x
    try:
        y = y * 3
        try:
            y = y * x
            y = y + math.sqrt(x - 1)
        except ValueError:
            y = y * 7
        y = y * math.sqrt(x - 3)
    except ValueError:
        y = y + x
    return y


@case(0.3, 2.5, 4.5)
def array_left_halfway(x):
    a = np.ones(5) * x
    try:
        for k in range(5):
            a[k] = a[k] * x + k
            a[k] += math.sqrt(x - k)
    except ValueError:
        a[0] *= 2
    return float((a * a).sum())


@case(0.3, 2.5)
def tensor_left_halfway(x):
    a = Tensor(np.ones(3)) * x
    try:
        a[0] = a[1] * x
        a[1] = a[0] * math.sqrt(x - 1)
    except ValueError:
        a[2] = a[0] * 3
    return float((a * a).sum())


@case(0.3, 2.5)
def list_left_halfway(x):
    items = [x, 2 * x]
    try:
        items[0] = items[1] * x
        items[1] = items[0] * math.sqrt(x - 1)
    except ValueError:
        items[1] = items[0] + items[1]
    return items[0] * items[1]


@case(0.3, 2.5)
def closure_left_halfway(x):
    total = x

    def add(v):
        nonlocal total
        total += v * x
        total *= math.sqrt(x - 1)

    try:
        add(2.0)
        add(3.0)
    except ValueError:
        total *= 3
    return total


@case(0.3, 2.5, 4.5)
def tries_in_a_loop_left_halfway(x):
    y = x
    for k in range(4):
        try:
            y = y * 1.5
            y = y + math.sqrt(x - k)
            y = y + x
        except ValueError:
            y = y * 0.5
    return y


@case(0.3, 2.5)
def after_the_body_in_else(x):
    y = x
    try:
        y = y * x
        z = math.sqrt(x - 1)
    except ValueError:
        y = y * 2
    else:
        y = y * z + x
    finally:
        y = y + 1
    return y


@case(0.3, 2.5)
def assertion_left_halfway(x):
    y = x
    try:
        y = y * y
        assert x > 1, "small"
        y = y * x
    except AssertionError:
        y = y * 3
    return y


@case(0.3, 2.5)
def every_exception(x):
    y = x
    try:
        y = y * y
        y = y * math.log(x - 1)
    except Exception:
        y = y * 4
    return y
