"""Assignment, one form at a time."""

# pyright: basic

from __future__ import annotations

from programs.corpus import case


@case((1, 2), (3.5, 4))
def swap(a, b):
    a, b = b, a
    return a, b


@case(
    (1, 2, 3),
)
def nested_unpacking(a, b, c):
    (x, (y, z)) = (a, (b, c))
    [p, *q] = [z, y, x]
    return x, y, z, p, q


@case(
    (1, 2, 3, 4),
)
def starred_unpacking(a, b, c, d):
    first, *middle, last = (a, b, c, d)
    *head, tail = [a, b]
    return first, middle, last, head, tail


@case((5,), (-2,))
def multiple_assignment(a):
    x = y = a * 2
    x += 1
    return x, y


@case((5, 3), (-5, 2))
def augmented(a, b):
    a += b
    a -= 1
    a *= b
    a //= 2
    a **= 2
    a %= 17
    a <<= 2
    a |= 1
    a ^= 5
    a &= 63
    a >>= 1
    return a


@case(
    (6.0, 4),
)
def augmented_changes_type(a, b):
    b /= 2
    a -= b
    return a, b


@case(
    (3,),
)
def annotated(n):
    total: float = 0.0
    k: int
    k = n
    total += k
    return total


@case((4,), (-4,))
def walrus(n):
    if (m := n * 2) > 0:
        return m
    return -m, (k := m + 1) * k


@case(
    (1,),
)
def deletion(x):
    y = x + 1
    del x
    x = y
    return x


@case(
    (1,),
)
def deletion_then_use(x):
    del x
    return x


@case(
    (1, 2.0),
)
def chained_target(a, b):
    t = [0, 0]
    t[0], t[1] = a, b
    i, t[i] = 1, 5
    return t
