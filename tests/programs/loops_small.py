"""Loops, one form at a time."""

# pyright: basic

from __future__ import annotations

from programs.corpus import case


@case((10,), (0,), (1,), (-3,))
def while_loop(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total, n


@case((10,), (0,), (1,))
def for_range(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


@case((0, 10, 3), (10, 0, -3), (5, 5, 1), (0, 10, -1), (-5, 5, 2))
def for_range_of_three(a, b, c):
    found = 0
    last = -100
    for i in range(a, b, c):
        found += 1
        last = i
    return found, last


@case(
    (1, 5, 0),
)
def range_step_zero(a, b, c):
    for i in range(a, b, c):
        a += i
    return a


@case((10,), (3,), (0,))
def for_break(n):
    for i in range(n):
        if i * i > 20:
            break
    else:
        return -1
    return i


@case((10,), (0,))
def for_continue(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        total += i
    return total


@case((27,), (1,), (6,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@case((5,), (50,), (0,))
def while_else(n):
    k = 0
    while k < n:
        k += 7
        if k == 21:
            break
    else:
        k = -k
    return k


@case((4, 5), (0, 3), (3, 0))
def nested_loops(a, b):
    total = 0
    for i in range(a):
        for j in range(b):
            if j > i:
                break
            total += i * j
        else:
            total += 100
    return total


@case((100,), (7,), (2,))
def return_from_nested_loop(n):
    for i in range(2, n):
        for j in range(2, n):
            if i * j == n - 1:
                return i, j
    return None


@case((3,), (0,))
def loop_variable_afterwards(n):
    i = -1
    for i in range(n):
        pass
    return i


@case((3,), (0,))
def loop_variable_unbound(n):
    for i in range(n):
        pass
    return i


@case((5,), (0,))
def changing_type_in_loop(n):
    total = 0
    for i in range(n):
        total = total + 0.5
    return total


@case((5,), (0,), (1,))
def none_before_loop(n):
    best = None
    for i in range(n):
        if best is None or i * (3 - i) > best:
            best = i * (3 - i)
    return best


@case((6,), (0,))
def loop_over_tuple(n):
    total = 0
    for k in (1, 2.5, n):
        total = total * 2 + k
    return total


@case(
    (6,),
)
def loop_over_dict(n):
    table = {"a": n, "b": n * 2}
    total = 0
    names = ""
    for k in table:
        names = names + k
    for v in table.values():
        total += v
    for k, v in table.items():
        total = total * 3 + v
    return names, total


@case((4,), (0,))
def loop_zip_enumerate(n):
    total = 0
    for i, (a, b) in enumerate(zip((1, 2, 3), [n, n + 1, n + 2])):
        total += i * a * b
    for i, k in enumerate(range(n), 5):
        total += i * k
    for i, k in zip(range(n), range(2, 100)):
        total -= i * k
    return total


@case((4,), (0,))
def loop_reversed(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 10 + i
    for i in reversed((1, 2, 3)):
        total = total * 10 + i
    return total


@case((5,), (0,), (1,))
def fibonacci_pair(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@case((2.0,), (9.0,), (1e-10,))
def newton_square_root(x):
    y = x if x > 1.0 else 1.0
    while True:
        z = 0.5 * (y + x / y)
        if abs(z - y) < 1e-12 * y:
            return z
        y = z


@case((20,), (2,), (1,))
def sieve_count(n):
    found = 0
    for k in range(2, n):
        prime = True
        for d in range(2, k):
            if k % d == 0:
                prime = False
                break
        if prime:
            found += 1
    return found


@case((3,), (0,))
def infinite_loop_with_exits(n):
    k = 0
    while 1:
        k += 1
        if k > 100:
            return "too far"
        if k % 2:
            continue
        if k > n:
            break
    return k


@case(
    (4,),
)
def loop_updates_containers(n):
    state = [0, 1.0]
    table = {"count": 0}
    for i in range(n):
        state[0] += i
        state[1] *= 0.5
        table["count"] += 1
    return state, table


@case(
    (3, 4),
)
def range_object(a, b):
    r = range(a, b * 5, a)
    return len(r), r[0], r[-1], r[1], 6 in r, 7 in r


@case((3,), (0,))
def while_with_walrus(n):
    total = 0
    while (n := n - 1) >= 0:
        total += n
    return total


@case(
    (10,),
)
def loop_bound_changed_inside(n):
    count = 0
    for i in range(n):
        n = 3
        count += n
    return count, n
