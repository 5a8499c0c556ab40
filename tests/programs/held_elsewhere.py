"""Containers that augmented assignments change, and arrays that only some paths have: who else holds them, and what they are."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case

CALLS = ((1.5, 3), (2.5, 6), (0.5, 0))


@case(*CALLS)
def list_repeated_in_place(x, n):
    q = [x, 1.0]
    r = q
    q *= 2
    return r, q, r is q


@case(*CALLS)
def repeated_as_often_as_an_argument_says(x, n):
    q = [x]
    r = q
    q *= n
    r.append(x)
    return r, q, r is q


@case(*CALLS)
def sets_in_place(x, n):
    s = {1, 2}
    r = s
    s |= {3}
    s &= {1, 3, 4}
    s -= {4}
    s ^= {7}
    return r, s, r is s


@case(*CALLS)
def dict_in_place(x, n):
    e = {"a": x}
    r = e
    e |= {"b": 2.0}
    return r, e, r is e


@case(*CALLS)
def repeated_while_it_is_gone_through(x, n):
    q = [x, 2.0]
    for _ in q:
        if len(q) > 20:
            break
        q *= 2
    return q


@case(*CALLS)
def grown_list_repeated(x, n):
    q = []
    for i in range(n):
        q.append(x * i)
    r = q
    q *= 2
    q *= 0 if n > 5 else 1
    return r, q


@case(*CALLS)
def tuples_are_made_anew(x, n):
    t = (1, x)
    r = t
    t *= 2
    t += (3,)
    return t, r


@case(*CALLS)
def held_by_a_tuple(x, n):
    q = [x]
    w = (q, 1)
    if n > 2:
        q *= 2
    return w


ARRAYS = ((np.arange(3.0), 2), (np.arange(4.0), 5), (np.arange(5.0), 0), (np.arange(6.0), 9))


@case(*ARRAYS)
def array_returned_early(xs, n):
    for k in range(n):
        if k == 3:
            return xs * 2
        w = xs + k
    return xs[-1], w


@case(*ARRAYS)
def array_that_may_have_no_value(xs, n):
    if n > 1:
        w = xs * 2 if n > 4 else None
    t = xs[-1] + len(xs)
    if n:
        return w, t
    return t


@case(*ARRAYS)
def arrays_of_two_results(xs, n):
    for i in range(n):
        y = np.concatenate([xs, xs[:i]])
        if i > 2:
            w = y * 2
            v = y[1:]
        xs = y
    if n > 3:
        return w, v, xs
    return xs


@case(*ARRAYS)
def rest_of_an_array_or_its_sum(xs, n):
    i = 0
    while i < n:
        if xs[i % len(xs)] > 2:
            return xs[i % len(xs) :], i
        i += 1
    return xs.sum(), xs[:n]
