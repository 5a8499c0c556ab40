"""Functions whose exceptions are raised while others are handled, with arguments, as `language_programs` has them."""

# ruff: noqa: B012, B904, E701, E702, PLW0120, TRY002, TRY003, TRY201, TRY203, TRY300, TRY301, EM101, B018, SIM105, S110, F841
# pyright: basic

from __future__ import annotations

CASES: list = []
REGIONS: list = []
"""Those that are not compiled as a whole."""


def case(*calls, to=CASES):
    def add(function):
        to.append((function, calls))
        return function

    return add


def rec(n):
    try:
        if n == 0:
            return 1 // n
        return rec(n - 1)
    except ArithmeticError:
        raise ZeroDivisionError(n)


@case((0,), (2,))
def in_a_recursive_function(n):
    return rec(n)


@case((0,), (1,))
def raised_in_a_handler(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        raise ValueError("v")


@case((0,), (1,))
def raised_from_it(n):
    try:
        return 1 // n
    except ZeroDivisionError as e:
        raise ValueError("v", n) from e


@case((0,), (1,))
def raised_from_none(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        raise ValueError("v") from None


@case((0,), (1,), (2,))
def fails_in_a_handler(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        return [1, 2][n + 5]


@case((0,), (1,))
def two_in_a_row(n):
    try:
        try:
            return 1 // n
        except ZeroDivisionError:
            raise ValueError("v")
    except ValueError:
        raise KeyError("k")


@case((0,), (1,))
def two_in_a_row_from_each_other(n):
    try:
        try:
            return 1 // n
        except ZeroDivisionError:
            raise ValueError("v")
    except ValueError as e:
        raise KeyError("k") from e


@case((0,), (1,))
def in_a_handler_of_a_handler(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        try:
            raise ValueError("v")
        except ValueError:
            raise KeyError("k")


@case((0,), (1,))
def raised_again_and_caught_again(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        try:
            raise
        except ZeroDivisionError:
            pass
        raise ValueError("x")


@case((0,), (1,))
def raised_again_and_then_another(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        try:
            raise
        except ZeroDivisionError:
            raise ValueError("x")


@case((0,), (1,))
def fails_in_finally(n):
    try:
        return 1 // n
    finally:
        [1, 2][n + 5]


@case((0,), (1,), (2,))
def finally_with_its_own(n):
    try:
        return 1 // n
    finally:
        try:
            [1, 2][5 - n * 2]
        except IndexError:
            pass


@case((0,), (3,))
def over_before_the_next(n):
    for i in range(3):
        try:
            1 // (n - i)
        except ZeroDivisionError:
            try:
                raise KeyError(i)
            except KeyError:
                pass
    raise ValueError("after")


@case((0,), (1,))
def raised_again_twice(n):
    try:
        try:
            return 1 // n
        except ZeroDivisionError:
            raise
    except ArithmeticError as e:
        raise e


@case((0,), (1,))
def from_a_new_one(n):
    if not n:
        raise ValueError("v") from KeyError("k")
    return n


@case((0,), (1,))
def in_a_called_function(n):
    def g():
        raise ValueError("in g")

    try:
        return 1 // n
    except ZeroDivisionError:
        g()


@case((0,), (1,), (2,))
def in_else(n):
    try:
        x = 3 // n
    except ZeroDivisionError:
        return -1
    else:
        if n == 1:
            raise ValueError("else")
    finally:
        n += 1
    return n


@case((0,), (1,), (5,))
def in_else_of_loops(n):
    for i in range(3):
        if i == n:
            break
    else:
        raise ValueError("none")
    while n:
        n -= 1
    else:
        raise KeyError(n)


@case(
    (0,),
)
def stop_iteration(n):
    if n == 0:
        raise StopIteration(5)


@case(
    (0,),
)
def next_of_nothing(n):
    return next(iter([1, 2][:n]))


@case((0,), (1,))
def assertion_of_a_tuple(n):
    assert n, ("a", n)


@case((0,), (1,))
def from_what_may_be_none(n):
    c = None
    if n:
        c = KeyError("c")
    raise ValueError("v") from c


@case((0,), (1,), to=REGIONS)
def from_an_outer_one(n):
    try:
        return 1 // n
    except ZeroDivisionError as a:
        try:
            raise ValueError("v")
        except ValueError as e:
            raise KeyError("k") from a


@case((0,), (1,), to=REGIONS)
def raises_an_outer_one(n):
    try:
        return 1 // n
    except ZeroDivisionError as a:
        try:
            raise ValueError("x")
        except ValueError:
            raise a


@case((0,), (1,), to=REGIONS)
def note_of_a_caught_one(n):
    try:
        return 1 // n
    except ZeroDivisionError as e:
        e.add_note("hello")
        raise


@case((0,), (1,), to=REGIONS)
def note_of_a_new_one(n):
    e = ValueError("x")
    e.add_note("hello")
    if n == 0:
        raise e
    return 1


@case((0,), (1,), (2,), to=REGIONS)
def attributes(n):
    try:
        if n == 0:
            raise KeyError("k", 2)
        if n == 1:
            raise KeyError("k")
        raise OSError(2, "no file")
    except LookupError as e:
        return str(e), e.args, repr(e), type(e).__name__
    except OSError as e:
        return str(e), e.args, repr(e), e.errno, e.strerror


@case((0,), (1,), to=REGIONS)
def arguments_of_an_assertion(n):
    try:
        assert n, ("a", n)
    except AssertionError as e:
        return e.args, str(e)


@case((0,), (1,), to=REGIONS)
def value_of_stop_iteration(n):
    it = iter([1, 2, 3][:n])
    try:
        return next(it)
    except StopIteration as e:
        return -1, e.args, str(e), e.value


@case((0,), to=REGIONS)
def reads_its_context(n):
    try:
        try:
            1 // n
        except ZeroDivisionError:
            raise KeyError("k")
    except KeyError as e:
        return type(e.__context__).__name__, e.__cause__ is None


@case((0,), to=REGIONS)
def reads_its_cause(n):
    try:
        try:
            1 // n
        except ZeroDivisionError as z:
            raise KeyError("k") from z
    except KeyError as e:
        return type(e.__context__).__name__, str(e.__cause__)


class Closing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        raise KeyError("exit")


@case((0, Closing()), (1, Closing()), to=REGIONS)
def raised_by_exit(n, manager):
    with manager:
        return 1 // n
