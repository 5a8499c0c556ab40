"""Lists that grow and shrink in loops of run-time length, and comprehensions over run-time ranges and arrays."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((30,), (2,), (0,))
def primes(n):
    found = []
    for k in range(2, n):
        if all(k % p for p in found):
            found.append(k)
    return found


@case((10,), (0,), (1,))
def fibonacci(n):
    a, b, out = 0, 1, []
    for _ in range(n):
        out.append(a)
        a, b = b, a + b
    return out


@case((60,), (97,), (1,))
def prime_factors(n):
    factors, d = [], 2
    while d * d <= n:
        while n % d == 0:
            factors.append(d)
            n //= d
        d += 1
    if n > 1:
        factors.append(n)
    return factors


@case((27,), (1,))
def collatz_path(n):
    path = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path.append(n)
    return path, len(path), max(path)


@case((13,), (0,))
def binary_digits(n):
    digits = []
    while n > 0:
        digits.append(n % 2)
        n //= 2
    digits.reverse()
    return digits


@case((6,), (0,))
def comprehensions(n):
    squares = [k * k for k in range(n)]
    odd = [s for s in squares if s % 2]
    return squares, odd, sum(squares), len(odd), [k / 2 for k in range(n) if k != 3]


@case((np.array([3.0, -1.0, 2.0]),), (np.array([-1.0]),))
def from_an_array(x):
    positive = [float(v) for v in x if v > 0]
    return positive, len(positive), sum(positive)


@case((7,), (0,))
def stack_machine(n):
    stack = []
    for k in range(n):
        stack.append(k)
        if len(stack) > 2:
            b, a = stack.pop(), stack.pop()
            stack.append(a * 2 + b)
    return stack


@case((5, 2), (8, 3))
def josephus_by_list(n, k):
    people = [i for i in range(n)]
    at = 0
    while len(people) > 1:
        at = (at + k - 1) % len(people)
        people.pop(at)
    return people[0]


@case((6,), (2,))
def pascal_rows(n):
    row = [1]
    for _ in range(n):
        new = [1]
        for k in range(len(row) - 1):
            new.append(row[k] + row[k + 1])
        new.append(1)
        row = new
    return row


@case((10, 3), (3, 10))
def sliding_window(n, width):
    values = [(k * 7) % 5 for k in range(n)]
    sums = []
    for k in range(n - width + 1):
        total = 0
        for j in range(width):
            total += values[k + j]
        sums.append(total)
    return values, sums


@case((8,), (1,))
def merge_of_sorted(n):
    a, b, out = [3 * k for k in range(n)], [5 * k for k in range(n)], []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    while i < len(a):
        out.append(a[i])
        i += 1
    while j < len(b):
        out.append(b[j])
        j += 1
    return out


@case((5,), (0,))
def pairs(n):
    out = []
    for k in range(n):
        out.append((k, k * 0.5))
    total = 0.0
    for a, b in out:
        total += a * b
    return out, total


@case((4,), (9,))
def index_past_the_end(n):
    items = [k for k in range(n)]
    return items[5]


@case((12,), (0,))
def sorting(n):
    items = [(k * 5) % 7 for k in range(n)]
    return sorted(items), items, sorted(items, reverse=True)


@case((3, 1.5, 2.5, 4), (3, 1.5, 2.5, 3), (1, 1.5, 2.5, 3))
def returned_by_two_returns(a, x, y, n):
    q = [x, y]
    if n != 3:
        return 5, q
    for _ in range(a):
        if q:
            q.pop()
    return 1, 2, q
