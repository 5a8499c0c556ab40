"""Generator functions used as iterators: gone through by loops and builtins, asked for single items, nested, left early."""

# pyright: basic

from __future__ import annotations

import functools
import itertools

import numpy as np

from jitcore import Tensor, grad
from programs.corpus import case


def squares(n):
    for i in range(n):
        yield i * i


def naturals(start=0):
    n = start
    while True:
        yield n
        n += 1


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def collatz(n):
    yield n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        yield n


def running_mean(values):
    total = 0.0
    for k, value in enumerate(values):
        total += value
        yield total / (k + 1)


def pairs(n):
    for i in range(n):
        for j in range(i):
            if (i + j) % 2:
                continue
            yield i, j


def guarded(n):
    try:
        for i in range(n):
            print("before", i)
            yield i
        print("all")
    finally:
        print("left")


@case((5,), (0,), (1,))
def summed_by_a_loop(n):
    total = 0
    for x in squares(n):
        total += x
    return total


@case((6,), (0,))
def builtins_over_generators(n):
    return (
        list(squares(n)),
        sum(squares(n)),
        tuple(squares(3)),
        max(squares(n), default=-1),
        sorted(squares(n), reverse=True),
    )


@case((5,), (0,))
def any_and_all(n):
    return (
        any(x > 5 for x in squares(n)),
        all(x < 3 for x in squares(n)),
        any(x > 7 for x in naturals()),
        9 in squares(n),
    )


@case((30,), (0,), (1000,))
def endless_with_break(limit):
    found = []
    for x in fibonacci():
        if x > limit:
            break
        if x % 2:
            continue
        found.append(x)
    return found


@case((3,), (6,))
def return_from_the_loop(k):
    for n, x in enumerate(fibonacci()):
        if x > k:
            return n, x
    return None


@case((7,), (50,))
def else_of_a_loop(k):
    for x in squares(6):
        if x == k:
            break
        if x > k:
            found = x
            break
    else:
        found = "none"
    return found if k == 7 else (found, k)


@case((27,), (1,), (6,))
def length_of_a_walk(n):
    steps = top = 0
    for x in collatz(n):
        steps += 1
        top = max(top, x)
    return steps, top


@case(())
def next_of_a_known_generator():
    g = fibonacci()
    return next(g), next(g), next(g), next(g), next(g)


@case((10,), (0,))
def next_in_a_loop(n):
    g = fibonacci()
    return [next(g) for _ in range(n)]


@case((3,), (0,))
def next_with_default(n):
    g = squares(n)
    return next(g, -1), next(g, -1), next(g, -1), next(g, -1), next(g, None)


@case((1,), (2,))
def next_past_the_end(n):
    g = squares(n)
    return next(g) + next(g)


@case((5,), (1,), (0,))
def first_taken_then_the_rest(n):
    g = squares(n)
    first = next(g, None)
    rest = 0
    for x in g:
        rest += x
    return first, rest, list(g)


@case((2,), (10,))
def left_and_taken_up_again(k):
    g = naturals()
    before = []
    for x in g:
        if x >= k:
            break
        before.append(x)
    return before, next(g), next(g)


@case((4,), (0,))
def two_generators_at_once(n):
    total = 0
    for a, b in zip(squares(n), fibonacci()):
        total += a * b
    return total


@case((5,))
def a_generator_and_a_range(n):
    return [a - b for a, b in zip(naturals(3), range(n))], [a - b for a, b in zip(range(n), naturals(3))]


@case((4,))
def in_turns(n):
    a, b = squares(n), fibonacci()
    found = []
    for _ in range(n):
        found.append(next(a))
        found.append(next(b))
    return found


@case((6,), (1,))
def nested_loops_inside(n):
    return list(pairs(n)), sum(i * j for i, j in pairs(n))


def chained(n):
    yield -1
    yield from squares(n)
    yield from (x + 1 for x in range(n))
    yield from [7, 8]


@case((3,), (0,))
def delegated(n):
    return list(chained(n))


def evens(source):
    for x in source:
        if x % 2 == 0:
            yield x


def doubled(source):
    for x in source:
        yield 2 * x


def first(n, source):
    for k, x in enumerate(source):
        if k == n:
            return
        yield x


@case((5,), (0,))
def a_pipeline(n):
    return list(first(n, doubled(evens(naturals(1))))), sum(doubled(squares(n)))


@case((4,), (0,))
def map_filter_enumerate(n):
    odd = filter(lambda x: x % 2, squares(n))
    return list(map(lambda x: x + 1, odd)), [k * x for k, x in enumerate(squares(n), 2)]


@case((5,), (0,))
def of_itertools(n):
    return (
        list(itertools.islice(fibonacci(), n)),
        list(itertools.islice(fibonacci(), 1, 2 * n, 2)),
        list(itertools.takewhile(lambda x: x < 3 * n, fibonacci())),
        list(itertools.dropwhile(lambda x: x < 5, squares(n))),
        list(itertools.chain(squares(n), [1], squares(2))),
        list(itertools.accumulate(squares(n))),
    )


@case((5,), (1,))
def reduced(n):
    return functools.reduce(lambda a, b: 2 * a + b, squares(n))


@case(())
def unpacked():
    a, b, *rest = squares(5)
    return a, b, rest, [*squares(3), *squares(2)], max(*squares(4))


@case((4, 2), (4, 9), (0, 1))
def finally_at_the_end_and_on_leaving(n, k):
    total = 0
    for x in guarded(n):
        if x == k:
            break
        total += 10 * x
        print(total)
    print("after")
    return total


@case((4, 2), (2, 5))
def finally_on_return(n, k):
    def search():
        for x in guarded(n):
            if x == k:
                return x * 100
        return None

    found = search()
    print("found")
    return found


@case((3,), (0,))
def finally_on_an_exception(n):
    total = 0
    try:
        for x in guarded(5):
            total += 10 // (n - x)
    except ZeroDivisionError:
        print("zero")
    return total


@case((3,), (5,))
def an_exception_in_the_generator(k):
    def reciprocals():
        for i in range(5):
            yield 1 / (k - i)

    total = 0.0
    for r in reciprocals():
        total += r
    return total


@case((3,))
def an_exception_in_the_consumer(k):
    total = 0
    for x in squares(5):
        total += 1 // (x - k * k)
    return total


@case((4,), (0,))
def closures_and_nonlocals(n):
    total = 0

    def steps():
        nonlocal total
        for i in range(n):
            total += i
            yield total

    seen = []
    for x in steps():
        total += 10
        seen.append(x)
    return seen, total


@case((3,), (7,))
def returns_in_the_middle(k):
    def until():
        for i in range(5):
            if i == k:
                return
            yield i
        yield 100

    return list(until())


@case((4, True), (4, False))
def branches_inside(n, up):
    def steps():
        if up:
            for i in range(n):
                yield i
        else:
            for i in range(n - 1, -1, -1):
                yield i

    found = []
    for x in steps():
        found.append(x)
    return found


class Grid:
    def __init__(self, width, height):
        self.width, self.height = width, height

    def cells(self):
        for y in range(self.height):
            for x in range(self.width):
                yield x, y

    def __iter__(self):
        for x in range(self.width):
            yield x * 10


GRID = Grid(3, 2)


@case((2,))
def methods(k):
    total = 0
    for x, y in GRID.cells():
        total += x * k + y
    for x in GRID:
        total += x
    return total, list(GRID), sum(GRID)


def blocks(x, size):
    for start in range(0, len(x), size):
        yield x[start : start + size]


@case((np.arange(7.0), 3), (np.arange(4.0), 2))
def parts_of_an_array(x, size):
    total = 0.0
    for block in blocks(x, size):
        total += block.sum() * len(block)
    return total


@case((np.array([1.0, 2.0, 4.0]),))
def of_an_array(x):
    found = []
    for m in running_mean(x):
        found.append(m)
    return found, [float(row.sum()) for row in halves(x)]


def halves(x):
    for _ in range(3):
        yield x
        x = x / 2


@case((Tensor([1.0, 2.0, 3.0]), 4))
def gradient_through_a_generator(x, n):
    def f(x):
        total = x.sum()
        for k, term in enumerate(powers(x, n)):
            total = total + (term * k).sum()
        return total

    return grad(f)(x)


def powers(x, n):
    term = x
    for _ in range(n):
        yield term
        term = term * x


@case((Tensor([0.5, 2.0]),))
def gradient_through_next(x):
    def f(x):
        g = powers(x, 3)
        return (next(g) * next(g) + next(g)).sum()

    return grad(f)(x)


@case((3,), (0,))
def as_an_argument(n):
    def total(items, scale):
        result = 0
        for item in items:
            result += item * scale
        return result

    return total(squares(n), 2) + total((x + 1 for x in squares(n)), 3)


@case((4,))
def printed(n):
    def loud():
        for i in range(n):
            print("making", i)
            yield i
        print("made all")

    for x in loud():
        print("using", x)
        if x == 2:
            break
    print("done")
    for x, y in zip(loud(), range(2)):
        print(x, y)
    return sum(loud())


@case((12,))
def primes(n):
    def sieve():
        found = []
        for k in range(2, n):
            for p in found:
                if k % p == 0:
                    break
            else:
                found.append(k)
                yield k

    return [p for p in sieve()]


@case(((1, (2, (3, 4)), 5),))
def recursive_over_a_known_structure(tree):
    def leaves(node):
        if isinstance(node, tuple):
            for child in node:
                yield from leaves(child)
        else:
            yield node

    return sum(leaves(tree)), list(leaves(tree))


@case((3,))
def same_generator_function_twice(n):
    return [(a, b) for a in squares(n) for b in squares(a)]


@case((5,), (0,))
def nested_generator_expressions(n):
    return sum(i * j for i in range(n) for j in range(i)), list(i - j for i in range(n) for j in range(i) if i % 2)


@case((4,))
def dictionaries_and_sets(n):
    return dict(zip("abc", words())), set(words()), "-".join(words()), {w: k for k, w in enumerate(words(), n)}


def words():
    yield "some"
    yield "more"
    yield from ("than", "these")


@case((2.5,))
def values_of_several_types(x):
    def several():
        yield 1
        yield x
        yield "end"

    a, b, c = several()
    return a, b, c, list(several())


@case((3,))
def yields_as_values(n):
    def steps():
        for i in range(n):
            got = yield i
            if got is None:
                yield -i

    return list(steps())


@case((4, True), (4, False))
def one_of_two(n, c):
    g = squares(n) if c else squares(n + 1)
    return sum(g)


@case((3,), (0,))
def delegation_beside_single_items(n):
    return [a + b for a, b in zip(around(n), naturals())]


def around(n):
    yield 100
    yield from squares(n)
    for x in doubled(squares(n)):
        if x > 4:
            continue
        yield x
    yield 200
