"""Loops: while and for over ranges, arrays and containers, with break, continue and else, carrying all kinds of values."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((10, 3), (0, 3), (5, 100))
def first_multiple_past(start, k):
    n = start
    while True:
        n += 1
        if n % k == 0:
            break
    return n


@case((20,), (1,), (0,))
def skips_with_continue(n):
    total = 0
    for k in range(n):
        if k % 3 == 0 or k % 5 == 0:
            continue
        total += k
    return total


@case((13,), (12,))
def else_of_a_for(n):
    for d in range(2, n):
        if n % d == 0:
            found = d
            break
    else:
        found = -1
    return found


@case((10, 4), (10, 40))
def else_of_a_while(n, target):
    k = 0
    while k < n:
        if k == target:
            break
        k += 1
    else:
        return "none", k
    return "found", k


@case((5, 4), (0, 3), (3, 0))
def nested_with_breaks(n, m):
    pairs = last = 0
    for i in range(n):
        for j in range(m):
            if i * j > 4:
                break
            if (i + j) % 2:
                continue
            pairs += 1
            last = 10 * i + j
    return pairs, last


@case((1, 100), (7, 7))
def search_pythagorean(a, limit):
    for b in range(a, limit):
        for c in range(b, limit):
            if a * a + b * b == c * c:
                return a, b, c
    return None


@case((np.array([3.0, 1.0, 2.0]),), (np.array([]),))
def over_an_array(x):
    total, product = 0.0, 1.0
    for v in x:
        total += v
        product *= v
    return total, product


@case((np.arange(6.0).reshape(2, 3),))
def over_rows(x):
    total = np.zeros(3)
    for row in x:
        total = total + row * row
    return total


@case((10,), (0,))
def descending_steps(n):
    total = 0
    for k in range(n, -n, -3):
        total = total * 2 + k
    return total


@case(
    (5,),
)
def loop_variable_after(n):
    for k in range(n):
        pass
    return k


@case((5,), (1,))
def loop_variable_changed(n):
    total = 0
    for k in range(n):
        k = k * 10
        total += k
    return total, k


@case((1.0, 20), (2.0, 0))
def carries_change_type_once(x, n):
    total = 0
    for _ in range(n):
        total = total + x
    return total


@case((4,), (0,))
def array_carry(n):
    x = np.ones(3)
    for k in range(n):
        x = x * 2 + k
    return x


@case((6,), (0,), (1,))
def arrays_that_grow(n):
    x = np.zeros(1)
    for k in range(n):
        x = np.concatenate([x, np.full(2, float(k))])
    return x


@case(
    (7,),
)
def several_carries(n):
    a, b, c, flag = 0, 1.0, True, None
    for k in range(n):
        a, b, c = a + k, b * 0.5, not c
        if k == 3:
            flag = k
    return a, b, c, flag


@case((3, 3), (2, 5))
def triple_loop(n, m):
    total = 0
    for i in range(n):
        for j in range(i, m):
            k = j
            while k > 0:
                total += i + j * k
                k -= 2
    return total


@case((3,), (0,))
def over_static_containers(n):
    total = 0
    for name, weight in (("a", 1), ("b", 2.5), ("c", n)):
        total += weight * (2 if name == "b" else 1)
    for key, value in {"x": 1, "y": n}.items():
        total += value if key == "x" else -value
    for v in [n, n + 1, *(4, 5)]:
        total += v
    return total


@case((np.arange(5), np.array([2.0, 1.0, 0.0, 3.0, 4.0])))
def zip_and_enumerate(a, b):
    total = 0.0
    for k, (x, y) in enumerate(zip(a, b)):
        total += k * x - y
    for k, v in enumerate(b, start=10):
        total += k * v
    return total


@case((np.arange(4.0),))
def reversed_array(x):
    out = 0.0
    for v in reversed(x):
        out = out * 10 + v
    return out


@case((100,), (5,))
def sentinel_loop(limit):
    history = (0, 0, 0)
    k = 0
    while (k := k + 1) < limit and sum(history) < 50:
        history = (*history[1:], k)
    return history, k


@case((5,), (12,))
def while_with_complex_condition(n):
    a = b = steps = 0
    while (a < n and b < 2 * n) or steps < 3:
        a += 2
        b += 3 if a % 3 else 1
        steps += 1
    return a, b, steps


@case((17, 5), (3, 10))
def josephus(n, k):
    last = 0
    for size in range(2, n + 1):
        last = (last + k) % size
    return last + 1


@case((30,), (3,))
def ballot_simulation(n):
    state, ahead = 42, 0
    lead = 0
    for _ in range(n):
        state = (state * 16807) % 2147483647
        lead += 1 if state % 2 else -1
        if lead > 0:
            ahead += 1
    return ahead, lead


@case((5.0, 0.1, 100), (1.0, 0.5, 3))
def projectile(velocity, dt, most):
    height = time = 0.0
    peak = height
    for _ in range(most):
        height += velocity * dt
        velocity -= 9.81 * dt
        time += dt
        if height > peak:
            peak = height
        if height < 0:
            return time, peak
    return None


@case((0.0, 1.0, 10), (1.0, 0.0, 4))
def euler_pendulum(angle, speed, steps):
    for _ in range(steps):
        angle, speed = angle + 0.01 * speed, speed - 0.01 * (angle - angle**3 / 6)
    return angle, speed


@case((1.0, 0.0, 0.1, 20))
def runge_kutta(y, t, h, n):
    def f(t, y):
        return -2 * y + t

    for _ in range(n):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


@case((40.0, 9.0, 30))
def predator_and_prey(prey, predators, steps):
    for _ in range(steps):
        prey, predators = (
            prey + 0.01 * (1.1 * prey - 0.4 * prey * predators),
            predators + 0.01 * (0.1 * prey * predators - 0.4 * predators),
        )
    return prey, predators


@case((50,), (2,))
def sum_of_squares_of_odd(n):
    total = 0
    k = 1
    while k <= n:
        total += k**2
        k += 2
    return total


@case((10, 2), (10, 11))
def return_from_inner_loop(n, m):
    for i in range(n):
        for j in range(m):
            if i * j == 6:
                return i, j
        if i > 8:
            return "late", i
    return "never"


@case(
    (3,),
)
def loops_in_loops_in_functions(n):
    def inner(k):
        total = 0
        for i in range(k):
            if i > 3:
                break
            total += i
        return total

    return sum(inner(k) for k in range(n)) + inner(n * 2)


@case((4,), (0,))
def empty_and_full_ranges(n):
    out = []
    for start, stop, step in ((0, n, 1), (n, 0, -1), (0, n, n + 1), (5, 5, 1)):
        count = 0
        for _ in range(start, stop, step):
            count += 1
        out.append(count)
    return out
