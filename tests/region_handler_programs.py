"""Functions with exceptions' names in parts that are compiled and in parts that are not; added to `region_programs.CASES`.

At its end a handler deletes the name it gave the exception: what is read of it elsewhere is another variable's life.
"""

# ruff: noqa: F841
# pyright: basic, reportUnboundVariable=false, reportPossiblyUnbound=false

from __future__ import annotations

from region_programs import LOG, case


@case((1, 0), (4, 2))
def three_handlers_of_one_name(a, b):
    r = 0
    try:
        r += a // b
    except ZeroDivisionError as e:
        r += 1
    try:
        r += a // b
    except ZeroDivisionError as e:
        r += 2
    try:
        r += a // b
    except ZeroDivisionError as e:
        LOG.append(repr(e.__cause__))
        r += 3
    return r


@case((1, 0), (4, 2))
def the_first_of_three_handlers(a, b):
    r = 0
    try:
        r += a // b
    except ZeroDivisionError as e:
        LOG.append(repr(e.__cause__))
        r += 1
    try:
        r += a // b
    except ZeroDivisionError as e:
        r += 2
    try:
        r += a // b
    except ZeroDivisionError as e:
        r += 3
    return r


@case((1, 0), (4, 2), segments=0)
def the_name_of_an_older_variable(a, b):
    e = 5
    try:
        r = a // b
    except ZeroDivisionError as e:
        r = 7
    LOG.append(repr(len))
    try:
        return r + e
    except UnboundLocalError as x:
        return str(x)


@case((1, 0), (4, 2))
def handlers_in_a_loop(a, b):
    r = 0
    for k in range(3):
        try:
            r += a // b
        except (ZeroDivisionError, ValueError) as e:
            r += k
        except TypeError as e:
            r -= 1
        else:
            r += 10
        finally:
            r += 100
        try:
            r += a // b
        except ZeroDivisionError as e:
            LOG.append(repr(e.__cause__))
            r += len(repr(e))
    return r


@case((1, 0), (4, 2), segments=0)
def handlers_within_each_other(a, b):
    r = 0
    try:
        try:
            r += a // b
        except ZeroDivisionError as e:
            r += 1
            raise ValueError("x") from e
    except ValueError as e:
        LOG.append(repr(e.__cause__))
        r += 5
    try:
        r += a // b
    except ZeroDivisionError as e:
        r += 2
    return r


@case((1, 0), (4, 2))
def handlers_that_leave_a_loop(a, b):
    r = 0
    while r < 3:
        try:
            r += a // b
        except ZeroDivisionError as e:
            r += 1
            continue
        try:
            r += 1
        except ZeroDivisionError as e:
            LOG.append(repr(e.__cause__))
            break
    try:
        r += a // b
    except ZeroDivisionError as e:
        LOG.append(repr(e.__cause__))
    return r


@case((1, 0), (3, 0), (4, 2), segments=0)
def a_name_given_anew_after_its_handler(a, b):
    e = None
    if a > 2:
        e = 3
    try:
        a // b
    except ZeroDivisionError as e:
        pass
    LOG.append(repr(len))
    if b == 0:
        e = 4
    return e


@case((2, 3), (2, 1), (0, 1), segments=0)
def raised_again_after_a_part_that_is_not_compiled(a, b):
    xs = [4, 0, 5]
    made = 0.0
    try:
        try:
            made = 10 / a
        except ZeroDivisionError:
            made = 1.0
        else:
            LOG.append(repr(len))
        made += xs[b]
    except LookupError:
        xs = [0 for _ in range(a)]
        raise
    return made, xs


@case((3,), segments=0)
def raised_again_where_nothing_is_handled(n):
    total = 0
    for k in range(n):
        total += k
    if total > 2:
        raise
    return total


@case((1,), segments=0)
def nothing_to_raise_again(n):
    raise
