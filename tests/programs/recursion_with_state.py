"""Recursive functions that change variables, lists, dicts and arrays around them."""

# pyright: basic

from __future__ import annotations

import numpy as np

from jitcore import Tensor
from programs.corpus import case


@case((6,))
def nqueens(n):
    count = 0
    cols = [0] * n

    def place(r):
        nonlocal count
        if r == n:
            count += 1
            return
        for c in range(n):
            ok = True
            for k in range(r):
                if cols[k] == c or abs(cols[k] - c) == r - k:
                    ok = False
                    break
            if ok:
                cols[r] = c
                place(r + 1)

    place(0)
    return count


@case((5,))
def hanoi(n):
    moves = []

    def move(n, a, b, c):
        if n == 0:
            return
        move(n - 1, a, c, b)
        moves.append((a, c))
        move(n - 1, b, a, c)

    move(n, 0, 1, 2)
    return moves


@case(([[0, 1], [1, 0]],))
def dfs(adj):
    seen = [False] * len(adj)
    order = []

    def go(u):
        seen[u] = True
        order.append(u)
        for v in range(len(adj)):
            if adj[u][v] and not seen[v]:
                go(v)

    go(0)
    return order


@case((7,))
def mutual(n):
    calls = 0
    log = []

    def even(k):
        nonlocal calls
        calls += 1
        return True if k == 0 else odd(k - 1)

    def odd(k):
        log.append(k)
        return False if k == 0 else even(k - 1)

    r = even(n)
    return r, calls, log


@case((7,))
def changes_type(n):
    t = 0

    def go(k):
        nonlocal t
        if k == 0:
            return
        t = t + 0.5
        go(k - 1)

    go(n)
    return t


@case(
    (
        4,
        2.0,
    )
)
def counts_in_dict(n, x):
    d = {"calls": 0, "sum": 0.0}

    def go(k, v):
        d["calls"] += 1
        if k == 0:
            d["sum"] += v
            return v
        return go(k - 1, v * 2) + go(k - 1, v + 1)

    r = go(n, x)
    go(1, x)
    return r, d


@case((np.array([5.0, 2.0, 9.0, 1.0]),))
def sort_array(a):
    n = 0

    def qs(lo, hi):
        nonlocal n
        n += 1
        if lo < hi:
            p = a[hi]
            i = lo
            for j in range(lo, hi):
                if a[j] < p:
                    a[i], a[j] = a[j], a[i]
                    i += 1
            a[i], a[hi] = a[hi], a[i]
            qs(lo, i - 1)
            qs(i + 1, hi)

    qs(0, len(a) - 1)
    return n


@case((5,))
def raising(n):
    k = 0

    def go(m):
        nonlocal k
        k += 1
        if m == 0:
            raise ValueError(f"k is {k}")
        go(m - 1)

    go(n)
    return k


@case((3,))
def perms(n):
    out = []
    used = [False] * n
    cur = []

    def go():
        if len(cur) == n:
            out.append(sum(c * (i + 1) for i, c in enumerate(cur)))
            return
        for k in range(n):
            if not used[k]:
                used[k] = True
                cur.append(k)
                go()
                cur.pop()
                used[k] = False

    go()
    return out


@case(
    (
        3,
        4,
    )
)
def in_loop(n, m):
    total = 0
    for i in range(m):
        seen = []

        def go(k):
            if k == 0:
                return 0
            seen.append(k * i)
            return go(k - 1) + k

        total += go(n + i) + len(seen)
    return total


@case((4,))
def never_ends_normally(n):
    out = []

    def f(k):
        out.append(k)
        if k > 3:
            return None
        return f(k + 1)

    f(0)
    f(2)
    return out


@case(
    (
        Tensor([1.0, 2.0]),
        3,
    )
)
def tensors(x, n):
    best = x * 0

    def go(y, k):
        nonlocal best
        if k == 0:
            if y.sum() > best.sum():
                best = y
            return
        go(y * 2, k - 1)
        go(y + 1, k - 1)

    go(x, n)
    return best


@case((10,))
def memo_list(n):
    memo = [-1] * (n + 1)

    def fib(k):
        if k < 2:
            return k
        if memo[k] >= 0:
            return memo[k]
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n), memo
