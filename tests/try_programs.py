"""Functions that use `try`, with arguments, as `language_programs` has them."""

# ruff: noqa: B012, BLE001, E722, SIM105, S110, TRY002, TRY201, TRY203, TRY300, TRY301, PERF203, RET505, SIM107, TRY400
# pyright: basic

from __future__ import annotations

import numpy as np

CASES: list = []


def case(*calls):
    def add(function):
        CASES.append((function, calls))
        return function

    return add


class Problem(Exception):
    pass


class SmallProblem(Problem):
    pass


@case((7, 2), (7, 0))
def catches(a, b):
    try:
        c = a // b
    except ZeroDivisionError:
        c = -1
    return c


@case((7, 2), (7, 0))
def returns(a, b):
    try:
        return a // b
    except ZeroDivisionError:
        return None


@case((1, 2), (1, 0))
def which(a, b):
    try:
        return a * 4 // b
    except ZeroDivisionError:
        return -1
    except (OverflowError, ValueError):
        return -2


@case((1, 2), (1, 0))
def not_mine(a, b):
    try:
        return a // b
    except (ValueError, IndexError):
        return -1


@case((3, 2), (3, 0))
def progress_is_seen(a, b):
    x = 1
    y = 0
    try:
        x = a + 1
        y = a // b
        x = x + y
    except ZeroDivisionError:
        y = x * 10
    return x, y


@case((0,), (1,), (2,), (3,))
def progress_of_branches(k):
    done = 0
    try:
        if k > 0:
            done = 1
            if k > 1:
                done = 2.5
                if k > 2:
                    raise ValueError("three")
                raise KeyError("two")
            raise IndexError("one")
    except ValueError:
        return done, "v"
    except LookupError:
        return done, "l"
    return done, "n"


@case((5, 10), (5, 3), (0, 0))
def progress_in_a_loop(n, limit):
    total = 0
    i = -1
    try:
        for i in range(n):
            total += i
            if total > limit:
                raise ValueError("too much")
    except ValueError:
        total = -total
    return total, i


@case((5,), (0,))
def in_a_loop(n):
    total = 0
    failed = 0
    for i in range(n):
        try:
            total += 10 // (i - 2)
        except ZeroDivisionError:
            failed += 1
            continue
        total += 100
    return total, failed


@case((10,), (3,))
def leaves_the_loop(n):
    last = 0
    for i in range(n):
        try:
            last = 100 // (5 - i)
        except ZeroDivisionError:
            break
    else:
        last = -last
    return last


@case((2,), (0,))
def else_runs_when_nothing_was_raised(b):
    log = ()
    try:
        x = 4 // b
    except ZeroDivisionError:
        log = (*log, "except")
    else:
        log = (*log, "else", x)
    return log


@case((2,), (0,))
def exceptions_in_else_are_not_caught(b):
    try:
        x = 1
    except ZeroDivisionError:
        return -1
    else:
        return x // b


@case((2,), (0,))
def finally_runs(b):
    log = [0]
    try:
        log[0] += 1
        x = 4 // b
        log[0] += 10
    except ZeroDivisionError:
        x = 0
        log[0] += 100
    finally:
        log[0] += 1000
    return log[0], x


@case((np.zeros(2), 2), (np.zeros(2), 0))
def finally_and_then_raises(a, b):
    try:
        a[0] = 4 // b
        a[0] += 1
    finally:
        a[1] = 7


@case((np.zeros(2), 1), (np.zeros(2), 0), (np.zeros(2), 2))
def finally_after_return(a, b):
    try:
        if b == 1:
            return 5
        return 4 // b
    finally:
        a[1] = 7.0


@case((2,), (0,))
def return_in_finally(b):
    try:
        return 4 // b
    finally:
        return -1


@case((6,))
def finally_in_a_loop(n):
    count = 0
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            count += 10
        finally:
            count += 1
    return count


@case((1,), (0,), (-1,))
def raises_again(b):
    try:
        if b < 0:
            raise ValueError("negative")
        return 4 // b
    except ZeroDivisionError:
        raise
    except ValueError as e:
        raise e


@case((1,), (0,))
def raises_another(b):
    try:
        return 4 // b
    except ZeroDivisionError as e:
        raise Problem("no") from e


@case((1,), (2,), (3,), (4,))
def own_classes(k):
    try:
        if k == 1:
            raise SmallProblem("small")
        if k == 2:
            raise Problem("big", k)
        if k == 3:
            raise ValueError("else")
    except SmallProblem:
        return "s"
    except Problem:
        return "p"
    return "n"


@case((1,), (2,), (0,))
def nested(k):
    log = 0
    try:
        try:
            log += 1
            if k == 1:
                raise ValueError("inner")
            if k == 2:
                raise KeyError("outer")
            log += 10
        except ValueError:
            log += 100
        finally:
            log += 1000
        log += 10000
    except KeyError:
        log += 100000
    return log


@case((1,), (2,), (3,))
def raised_in_a_handler(k):
    x = 0
    try:
        try:
            x = 1 // (k - 1)
        except ZeroDivisionError:
            x = 5
            raise ValueError("again")
        x = 6 // (k - 2)
    except ValueError:
        x += 10
    except ZeroDivisionError:
        x += 20
    return x


@case((1,), (0,))
def message(b):
    try:
        if not b:
            raise ValueError("nothing there")
    except ValueError as e:
        text, args = str(e), e.args
        return len(text) + len(args), args[0] == text
    return 0, False


@case((0,), (2,))
def everything(b):
    try:
        x = 1 / b
    except:
        x = -1.0
    return x


@case((0,), (2,))
def by_base(b):
    try:
        x = 1 / b
    except Exception:
        x = -1.0
    return x


def halve(n):
    if n % 2:
        raise ValueError("odd")
    return n // 2


@case((8,), (6,), (7,))
def of_a_called_function(n):
    steps = 0
    try:
        while True:
            n = halve(n)
            steps += 1
    except ValueError:
        pass
    return n, steps


def fact(n):
    if n < 0:
        raise ValueError("negative")
    return 1 if n == 0 else n * fact(n - 1)


@case((5,), (-1,))
def of_a_recursive_function(n):
    try:
        return fact(n)
    except ValueError:
        return -1
    except OverflowError:
        return -2


def depth(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        return depth(n - 1) + 1
    except ValueError:
        if n < 3:
            raise
        return 100


@case((0,), (2,), (3,), (6,))
def in_a_recursive_function(n):
    return depth(n)


@case((np.arange(5.0), 2), (np.arange(5.0), 7), (np.arange(5.0), -9))
def index_errors(x, i):
    try:
        return x[i]
    except IndexError:
        return -1.0


@case(({"a": 1}, "a"), ({"b": 1}, "a"))
def key_errors(d, k):
    try:
        return d["a"]
    except KeyError:
        return 0


@case((np.arange(4.0), 3), (np.arange(4.0), 9))
def writes_stay(x, n):
    done = 0
    try:
        for i in range(n):
            x[i] = -1.0
            done = i
    except IndexError:
        done += 100
    return done


@case((np.arange(6.0), 2), (np.arange(6.0), 0))
def arrays_in_the_body(x, k):
    try:
        y = x * 2
        z = y[: 6 // k].sum()
    except ZeroDivisionError:
        z = x.sum()
    return z


@case((np.arange(3.0), 1), (np.arange(3.0), 0))
def arrays_seen_by_the_handler(x, k):
    y = x
    try:
        y = x * 2
        k = 3 // k
    except ZeroDivisionError:
        y = y + 1
    return y, k


@case((1,), (0,))
def asserts(b):
    try:
        assert b, "no b"
    except AssertionError:
        return False
    return True


@case((2, 0), (0, 2), (2, 2))
def names_unbound_after(a, b):
    try:
        x = 1 // a
        y = 1 // b
    except ZeroDivisionError:
        pass
    return x, y


@case((1,), (0,))
def handler_name_is_unbound_after(b):
    e = 5
    try:
        1 // b
    except ZeroDivisionError as e:
        pass
    return e


@case((3,), (0,))
def cells(n):
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    try:
        bump()
        12 // n
        bump()
    except ZeroDivisionError:
        count += 100
    return count


@case((1, 2, 3, 4.5), (1, 1, 3, 4.5), (0, 2, 3, 4.5), (2, 2, 3, 4.5), (-1, 2, 3, 4.5))
def raised_by_a_call_of_python(a, b, c, d):
    try:
        try:
            if a == 0:
                raise SmallProblem("values", a, b, c, d)
            if a == b:
                raise ValueError("values", a, b, c, d)
            if a == -1:
                raise OSError("values", a, b, c, d)
            return a // (b - 1)
        except Problem:
            return -1
        except KeyError:
            return -2
    except ValueError:
        return -3


@case((5,), (0,))
def nothing_raises(n):
    try:
        x = float(n)
    except ValueError:
        x = 1.0
    return x


@case((4,), (0,))
def bare_raise_in_a_called_function(n):
    def reraise():
        raise

    try:
        return 4 // n
    except ZeroDivisionError:
        reraise()


@case((1, 2), (1, 0), (0, 1))
def walrus(a, b):
    try:
        c = (x := a + 5) // b + 1 // a
    except ZeroDivisionError:
        return x
    return c


@case((4,), (1000,))
def many_caught(n):
    total = 0.0
    for i in range(n):
        try:
            x = np.full(10, i) * 2.0
            total += x[i]
        except IndexError:
            total -= 1.0
    return total


@case((3.0,), (-1.0,))
def none_first(x):
    result = None
    try:
        if x < 0:
            raise ValueError("negative")
        result = x * 2
        if x > 2:
            raise KeyError("large")
    except ValueError:
        pass
    except KeyError:
        return result
    return result


@case((0, 5), (1, 0), (1, 3), (2, 4), (5, 0))
def looks_at_what_it_caught(k, n):
    try:
        if k == 0:
            raise KeyError("key")
        if k == 1:
            raise SmallProblem("small", 2)
        x = 10 // n
    except Exception as e:
        print(type(e).__name__, e, repr(e))
        return isinstance(e, Problem), len(e.args)
    return False, x


@case((0,), (3,))
def raised_again_by_name(n):
    try:
        try:
            x = 6 // n
        except ArithmeticError as e:
            print("caught", e)
            raise e
    except ZeroDivisionError as e2:
        return str(e2) == "integer division or modulo by zero"
    return x


@case((5,), (0,), (-2,))
def union_seen_by_the_handler(n):
    x = None
    try:
        if n < 0:
            raise ValueError
        x = 1.5
        x = (10 // n, 2)
    except ZeroDivisionError:
        return x
    except ValueError:
        return x is None
    return x


@case((2,), (0,))
def deleted_in_the_body(n):
    x = 1
    try:
        del x
        y = 1 // n
    except ZeroDivisionError:
        y = 5
    return x + y


@case((3, 0), (3, 1), (3, 2))
def in_a_while_with_finally(n, k):
    log = 0
    while True:
        try:
            n -= 1
            if n == k:
                return log, n
            log = log * 10 + 6 // n
        except ZeroDivisionError:
            break
        finally:
            log += 1
        log += 100
    return -log, n


@case((0, 1, 2), (0, 0, 2), (0, 0, 1), (3, 0, 1), (3, 5, 2))
def finally_with_exits_of_its_own(a, b, c):
    try:
        b = 6 // b
    except ZeroDivisionError:
        return b - 1
    finally:
        if a != 3:
            if c == 2:
                return c
    return b * 100


@case((0,), (2,), (5,))
def finally_with_exits_in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            if i == 1:
                continue
            total += 10 // (i - 2)
        except ZeroDivisionError:
            total += 1000
            break
        finally:
            if total > 5000:
                if i > 2:
                    continue
            total += 1
        total += 100
    return total


@case((0, 1), (1, 0), (1, 2))
def exception_takes_the_place_of_a_return(a, b):
    log = 0
    for i in range(3):
        try:
            try:
                if i == b:
                    return 7
                if i == a:
                    break
            finally:
                log += 1 + 6 // (i - 1)
        except ZeroDivisionError:
            log += 100
        log += 1000
    return log, i


@case((-1, 0), (-1, 1), (-1, 2), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
def return_in_a_finally_that_recovers(a, b):
    try:
        return a
    finally:
        try:
            try:
                return b
            finally:
                1 // a
        except ZeroDivisionError:
            pass


@case((-1, 0), (-1, 1), (-1, 2), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
def return_and_failure_in_a_finally_in_a_loop(a, b):
    for i in range(2):
        try:
            if i == a:
                return 10 + i
        finally:
            try:
                if b:
                    return 20 + 6 // (b - 1)
            except ZeroDivisionError:
                b = 0
    return 5


@case((-1, 0), (-1, 1), (-1, 2), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
def raise_in_a_finally_that_recovers(a, b):
    try:
        return a
    finally:
        try:
            try:
                return b
            finally:
                raise ValueError
        except ValueError:
            a = 3


@case((-1, 0), (-1, 1), (-1, 2), (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))
def exits_recovered_from_in_nested_finally(a, b):
    for i in range(3):
        try:
            try:
                if i == a:
                    return i + 100
                continue
            finally:
                try:
                    try:
                        if b:
                            return 7
                        break
                    finally:
                        6 // (b - 1)
                except ZeroDivisionError:
                    b += 5
        finally:
            a += 0
    return -1, b
