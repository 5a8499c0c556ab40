"""Programs that put NumPy's numbers into dicts, sets, lists, tuples and heaps of the run: compiled whole, as plain Python."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

import numpy as np

PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {}


def program(*calls: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program with the calls it is compared for."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = (function, list(calls))
        return function

    return register


_random = np.random.default_rng(1)
INTS = _random.integers(-4, 5, 40)
FLOATS = _random.normal(size=30).round(1)
_ARRAYS = [(INTS,), (FLOATS,), (INTS.astype(np.int32),), (INTS > 0,), (INTS[:0],), (FLOATS.astype(np.float32),)]
_SMALL = [(INTS.astype(t),) for t in (np.int8, np.int16, np.uint8, np.uint16, np.uint32)]
_SHORT = FLOATS.astype(np.float32)
_BIG = np.array([2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)])


@program(*_ARRAYS, *_SMALL)
def counts_elements(x):
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return counts


@program(*_ARRAYS, *_SMALL)
def sums_elements(x):
    sums = {}
    for v in x:
        sums[v] = sums.get(v, 0) + v
    return sums, sum(sums.values()) if sums else 0


@program(*_ARRAYS)
def keeps_the_first_key(x):
    d = {1: "int", 0.0: "float", True: "bool"}
    for i, v in enumerate(x):
        d[v] = i
    return d


@program(*_ARRAYS)
def keeps_the_first_key_of_numpy(x):
    d = {}
    for v in x:
        d[v] = v
    for k in range(-3, 4):
        d[k] = float(k)
    d[True] = None
    return d


@program(*_ARRAYS, *_SMALL)
def set_of_elements(x):
    seen = set()
    again = []
    for v in x:
        if v in seen:
            again.append(v)
        seen.add(v)
    return seen, again, len(seen), 1 in seen, 1.0 in seen, True in seen, "a" in seen, None in seen


@program(
    (INTS, FLOATS), (FLOATS, INTS), (INTS > 1, INTS), (INTS.astype(np.int32), FLOATS), (_SHORT, FLOATS), (INTS, _SHORT)
)
def sets_of_two_arrays(x, y):
    a, b = set(x), set(y)
    return a | b, a & b, a - b, a ^ b, a <= b, a == b, a.isdisjoint(b)


@program((FLOATS, INTS), (INTS, FLOATS), (INTS > 0, INTS), (_SHORT, FLOATS))
def heap_of_pairs(x, y):
    heap = []
    for i in range(len(x)):
        heapq.heappush(heap, (x[i], y[i], i))
    out = []
    while heap:
        v, w, i = heapq.heappop(heap)
        out.append((v, w, i))
    return out


@program((FLOATS, 1), (INTS, 2.5))
def heap_of_numbers(x, k):
    heap = []
    for v in x:
        heapq.heappush(heap, v)
    heapq.heappush(heap, k)
    first = heapq.heappop(heap)
    second = heapq.heapreplace(heap, k)
    return first, second, heapq.heappushpop(heap, x[3]), heap


@program((FLOATS, INTS))
def bisects(x, y):
    found = []
    for v in x:
        bisect.insort(found, v)
    for v in y:
        bisect.insort_left(found, v)
    return found, bisect.bisect_left(found, x[0]), bisect.bisect_right(found, 0), bisect.bisect(found, 0.5)


@program((INTS, FLOATS, 3), (FLOATS, INTS, 1.5), (INTS > 0, INTS, True))
def sorts_numbers_of_many_classes(x, y, k):
    held = [k, 2, 0.5]
    held.extend(x)
    for v in y:
        held.append(v)
    down = sorted(held, reverse=True)
    by_key = sorted(held, key=lambda v: -float(v))
    held.sort()
    return held, down, by_key, min(held), max(held), sum(held)


@program((INTS,), (FLOATS,))
def of_unlike_items(x):
    row = ["a", x[0]]
    for i in range(len(x)):
        row.append(x[i] if i % 3 else i)
    row.append(None)
    return row, row[1], row[2], row[3], row.count(x[1]), row.index(x[0]), x[2] in row


@program((INTS, 3), (FLOATS, 3), (INTS, 2.0), (FLOATS, True), (_SHORT, 0.1), (_SHORT, FLOATS[3]), (FLOATS, _SHORT[3]))
def finds_numbers(x, k):
    held = list(x)
    held.append(k)
    a = held.index(k), held.count(k), k in held
    held.remove(k)
    return a, held, x[4] in held, held.index(x[4])


@program((INTS, 99), (FLOATS, 0.123))
def not_found(x, k):
    held = list(x)
    return held.index(x[0] + k)


@program((INTS,), (FLOATS,), (INTS > 9,))
def key_error(x):
    d = {}
    for v in x:
        d[v] = 1
    return d[x[0] + x[1] + 1000]


@program((INTS, 1), (FLOATS, 0.5), (INTS.astype(np.int32), 1), (INTS > 0, 1), (_SHORT, 0.1))
def arithmetic_after(x, k):
    held = {}
    for i in range(len(x)):
        held[i % 5] = x[i]
    held[7] = k
    first = held[0]
    got = held.get(9, k)
    return first + 1, first * 2.5, first + k, held[7] + 1, got, held[1] + held[2], -(held[3] + 0), first == k, first < k


@program((INTS, 1), (FLOATS, 2), (_SHORT, 2))
def unions_with_numbers(x, k):
    d = {}
    for v in x:
        d[v] = v
    out = []
    for n in range(-5, 6):
        v = d.get(n, k)
        out.append(v + 1)
        out.append(v > 0)
    return out, d.pop(1, None), d.pop(100, None), d.setdefault(5.5, k), d


@program((np.array([2**63 - 1, 5, -(2**63)]),), (np.array([127, 1, -128], np.int8),))
def wraps(x):
    d = {0: x[0], 1: x[1], 2: x[2]}
    for k in range(3):
        d[k] = d[k] * x[1]
    return d


@program((np.array([1.0, -1.0, 0.0]),))
def divides_by_zero(x):
    held = []
    for v in x:
        held.append(v)
    return [v / (held[0] - 1) for v in held]


@program((INTS,), (FLOATS,), (INTS > 0,), (INTS.astype(np.uint8),), (_SHORT,))
def as_text(x):
    d = {}
    out = []
    for v in x:
        d[v] = v
    for k, v in d.items():
        out.append(f"{k} {v!r} {str(v)} {k:>8}")
    return out, ",".join(str(v) for v in d)


@program((INTS, 1), (FLOATS, 1.0), (INTS > 0, True), (INTS.astype(np.int32), None))
def asks_for_classes(x, k):
    held = [k, "s"]
    for v in x:
        held.append(v)
    n = 0
    for v in held:
        if type(v) is np.int64:
            n += 1
        elif type(v) is np.float64:
            n += 100
        elif isinstance(v, float):
            n += 1000
        elif isinstance(v, np.generic):
            n += 10000
    return n


@program((INTS, 0), (FLOATS, 3), (_SHORT, 4), (INTS > 0, 5), (_SHORT, 0))
def text_of_one(x, k):
    held = [0.1, "a", 3]
    held.extend(x)
    v = held[k]
    return str(v), f"{v}", repr(v), f"{v!s}", f"{v!r:>20}", "{} {!s}".format(v, v)  # noqa: UP032


@program((INTS,), (FLOATS,))
def groups(x):
    by = {}
    for i in range(len(x)):
        by.setdefault(x[i] % 3, []).append(x[i])
    return by, {k: sum(v) for k, v in by.items()}, {k: len(v) for k, v in by.items()}


@program((INTS, 0), (FLOATS, 0.0))
def pairs_as_keys(x, k):
    d = {}
    for i in range(len(x) - 1):
        key = (x[i], x[i + 1])
        d[key] = d.get(key, 0) + 1
    return d, (k, k) in d, d.get((0, 0), -1), frozenset(d)


@program((_BIG, 2.0**53), (_BIG, 2**53 + 1), (_BIG, 2.0**63), (_BIG.astype(float), 2**53 + 1))
def past_what_floats_hold(x, k):
    held = list(x)
    held.append(k)
    s = set(x)
    s.add(k)
    return k in held, held.count(k), sorted(held), s, k in s, x[1] in held, {v: 1 for v in held}


@program(
    ({np.int64(1): 2.5, 2: np.float64(1.5)}, np.int64(5)),
    ({1: np.int32(3), True: np.bool_(False)}, np.float64(1)),
    ({np.float64(0.5): None}, 0.5),
    ({np.float32(0.5): np.float32(0.1), 0.1: np.float32(2)}, np.float32(0.1)),
    ({np.uint8(7): [np.int8(3)], np.int16(-7): [np.uint32(9)]}, np.uint16(7)),
)
def dict_with_numbers_of_numpy(d, k):
    d[k] = len(d)
    return list(d), list(d.values()), d, d.get(1), d.get(7.0)


@program(
    ([np.int64(1), 2, np.float64(2.5)], np.int64(2)),
    ([np.bool_(True), np.bool_(False)], np.bool_(True)),
    ([np.float64(k) for k in range(20)], 3),
    ([np.int32(k) for k in range(20)], np.int64(3)),
)
def list_with_numbers_of_numpy(held, k):
    held.append("a")
    held.append(k)
    return held, held[0], held.index(k), held[1] == k, {v: i for i, v in enumerate(held)}


@program(({np.int64(1), np.float64(2.5), 7}, np.int64(7)), ({np.bool_(True)}, 1), ({np.int8(-1)}, np.uint8(255)))
def set_with_numbers_of_numpy(s, k):
    s.add(k)
    s.discard(2.5)
    return s, k in s, len(s)


@program((INTS, "a"), (FLOATS, "b"))
def lists_in_order(x, s):
    a = [v for v in x]
    b = list(x[1:])
    a.append(s)
    a.pop()
    return a == b, a != b, a[1:] == b, (x[0], s) == (b[0], s), sorted([(v, s) for v in b])


@program((np.array([1.0, np.nan, 2.0, np.nan, 1.0]),), (np.array([np.nan, 0.5], np.float32),))
def without_nan(x):
    d, s, heap = {}, set(), []
    for i, v in enumerate(x):
        if v == v:
            d[v] = d.get(v, 0) + 1
            s.add((v, i))
            heapq.heappush(heap, (v, i))
        else:
            d["nan"] = v
    return d, sorted(s), heap


@program((INTS,), (FLOATS,))
def memo_by_element(x):
    memo = {}
    total = 0
    for v in x:
        if v not in memo:
            memo[v] = v * v + 1
        total += memo[v]
    return total, memo


@program((INTS, 3), (FLOATS, 2))
def most_common(x, n):
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n], max(counts, key=counts.get)


@program((INTS, INTS[::-1]), (FLOATS, INTS))
def positions_by_value(x, y):
    where = {v: i for i, v in enumerate(x)}
    return [where.get(v, -1) for v in y], {i: v for v, i in where.items()}, dict(zip(x, y))


@program((np.arange(6.0).reshape(2, 3),), (np.arange(6).reshape(3, 2),))
def rows_as_tuples(m):
    d = {}
    for row in m:
        d[row[0], row[1]] = row.sum()
    return d


@program((INTS, 2), (FLOATS, 1))
def reductions_in_dicts(x, k):
    out = {"mean": x.min(), "max": x.max(), "n": len(x), "any": x.any()}
    if k > 1:
        out["extra" * k] = np.int64(k)
    out["first" * k] = x[0]
    return out, out["mean"] + 1, out["max"] > 0, out["n"] + 1
