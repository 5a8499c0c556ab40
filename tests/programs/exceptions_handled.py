"""try, except, else, finally: what is raised in the body is handled where Python handles it."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


class TooSmall(ValueError):
    pass


@case((6, 3), (6, 0))
def safe_division(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return float("inf")


@case((3,), (9,), (-9,))
def out_of_range(k):
    items = (10, 20, 30, 40)
    try:
        value = items[k]
    except IndexError:
        value = -1
    else:
        value += 1
    return value


@case((5,), (0,), (-5,))
def several_handlers(n):
    try:
        if n < 0:
            raise TooSmall("negative")
        result = 10 // n
    except ZeroDivisionError:
        result = 0
    except ValueError:
        result = -1
    return result


@case((4,), (0,))
def finally_always(n):
    log = 0
    try:
        log += 1
        if n:
            log += 10 // n
    finally:
        log += 100
    return log


@case((2,), (0,))
def finally_and_raise(n):
    total = [0]
    try:
        total[0] += 1
        total[0] += 1 // n
    finally:
        total[0] += 10
        print(total)
    return total


@case((10,), (3,))
def in_a_loop(n):
    failed = 0
    for k in range(-2, n):
        try:
            12 // k
        except ZeroDivisionError:
            failed += 1
            continue
        if k > 5:
            break
    return failed, k


@case((3,), (0,), (-1,))
def nested(n):
    try:
        try:
            value = 6 // n
        except IndexError:
            value = 100
        if value < 0:
            raise KeyError("negative")
    except ZeroDivisionError:
        return "zero"
    except KeyError:
        return "key"
    return value


@case((1,), (0,))
def reraised(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        print("failed")
        raise


@case((1,), (0,))
def translated(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        raise TooSmall(f"n is {n}") from None


@case((np.arange(4.0), 2), (np.arange(4.0), 7))
def array_access(x, k):
    try:
        return x[k] * 2
    except IndexError:
        return x.sum()


@case((2.0,), (-2.0,))
def tuple_of_classes(x):
    try:
        if x < 0:
            raise TooSmall("x")
        return x**0.5
    except (ZeroDivisionError, ValueError):
        return -1.0


def deep(n):
    if n == 0:
        return 1 // n
    return deep(n - 1) + 1


@case((3,), (0,))
def from_recursion(n):
    try:
        return deep(n)
    except ZeroDivisionError:
        return -n


LEAVING = tuple((x, n) for x in (0, 1, 2, 5) for n in (0, 1, 2, 3, 5))


@case(*LEAVING)
def finally_that_breaks_or_goes_on(x, n):
    t = 0
    for k in range(n):
        try:
            t += 10 // (k - 1)
        finally:
            t += 1
            if k == x:
                break
            if k == 1:
                continue
        t += 100
    return t


@case(*LEAVING)
def finally_that_may_return(x, n):
    try:
        return 10 // x
    finally:
        if n > 2:
            return n


@case(*LEAVING)
def finally_within_finally_that_leaves(x, n):
    t = 0
    while t < n:
        try:
            t += 1
            if t == 2:
                break
            10 // x
        except ZeroDivisionError:
            t += 5
            10 // x
        finally:
            t += 2
            if t > 4:
                continue
            try:
                10 // (t - 3)
            finally:
                t += 1
                if t % 2:
                    break
    else:
        t += 1000
    return t


@case(*LEAVING)
def finally_that_leaves_an_inner_loop(x, n):
    s = 0
    for i in range(n):
        for j in range(n):
            try:
                if j == x:
                    raise ValueError(j)
                s += j
            finally:
                s += 10
                if i == 1:
                    break
        s += 1
    return s


@case(*LEAVING)
def finally_that_returns(x, n):
    try:
        10 // x
    finally:
        return n


@case(*LEAVING)
def finally_that_goes_on(x, n):
    for k in range(n):
        try:
            return 10 // x
        finally:
            continue
    return -1
