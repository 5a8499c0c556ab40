"""Python's builtins on run-time values."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((-3, 2.5), (4, -0.0))
def numbers(n, x):
    return (
        abs(n),
        abs(x),
        divmod(n, 3),
        pow(n, 2),
        pow(x, 2),
        round(x),
        round(x, 1),
        int(x),
        float(n),
        bool(n),
        complex(n, x),
    )


@case((3, 1, 2), (1.5, 1.5, -1))
def extremes(a, b, c):
    return max(a, b, c), min(a, b, c), max((a, b)), min([b, c]), max(a, b, key=abs), sum((a, b, c)), sum([a, b], c)


@case((3,), (0,))
def truth(n):
    return all((n, 1)), any((n, 0)), all([]), any(()), not n, bool([n]), all(k > 0 for k in (n, 2)), any([n > 2, n < 0])


@case((2, 5), (0, 3))
def iteration(a, b):
    return (
        list(range(3)), list(enumerate((a, b))), list(zip((a, b), "xy")), list(reversed((a, b))), tuple(map(abs, (-a, b))),
        list(filter(None, (1, 0, 2))), sorted((3, 1, 2)), list(zip((1, 2), (a, b), (b, a))),
    )  # fmt: skip


@case((5,), (2,))
def ranges(n):
    r = range(1, 10, 3)
    return (
        len(r),
        r[1],
        4 in r,
        list(r),
        r.start,
        r.stop,
        r.step,
        len(range(n)),
        n in range(3),
        range(n)[-1],
        sum(range(n)),
    )


@case(
    (3, 2.5, True),
)
def types(n, x, b):
    return (
        type(n) is int, isinstance(x, float), isinstance(b, int), isinstance(n, (float, str)), type(x).__name__, issubclass(bool, int),
        callable(len), callable(n), type((n,)), isinstance([n], list),
    )  # fmt: skip


@case((np.arange(3.0), 2), (np.ones((2, 2)), 1))
def arrays(x, n):
    return (
        len(x),
        max(n, 1),
        isinstance(x, np.ndarray),
        abs(-x),
        sum(x),
        pow(x, n),
        round(float(x.sum()), 2),
        list(x.shape),
        divmod(5, n),
    )


@case((65,), (97,))
def text(n):
    return (
        chr(65),
        ord("a"),
        str(n),
        repr(n),
        len("abc"),
        hex(255),
        bin(5),
        oct(8),
        format(n, "05d"),
        format(2.5, ".2f"),
    )


@case((7,))
def attributes(n):
    class_ = complex(n, 2)
    return getattr(class_, "real"), hasattr(class_, "imag"), getattr(n, "missing", -1), hasattr(n, "bits")


@case((3, 4))
def constructors(a, b):
    return (
        int(),
        float(),
        str(),
        list(),
        dict(),
        tuple(),
        set(),
        bool(),
        list((a, b)),
        tuple([a]),
        dict(x=a),
        set((1, 1)),
        frozenset([2]),
    )


@case((2.7,), (-2.7,))
def conversions(x):
    return (
        int(x),
        int("12"),
        float("1.5"),
        int("ff", 16),
        str(2.5),
        bool("x"),
        complex(x),
        round(x),
        float(int(x)),
        int(True),
    )


@case((4, 3, 2))
def powers(a, b, c):
    return pow(a, b), pow(a, b, c), a**b, a**-1, (-4) ** 0.5 == 2j, 2**c


@case((1, 2))
def zips(a, b):
    pairs = list(zip((a, b), [b, a]))
    x, y = zip(*pairs)
    return pairs, x, y, dict(zip("pq", (a, b))), [p + q for p, q in pairs], list(zip())


@case((5,), (-5,))
def nested_calls(n):
    return max(abs(n), min(3, n + 1), len([n, n])), sum(map(abs, (n, -1))), list(map(lambda v: max(v, 0), (n, -n)))


@case((3,), (9,))
def sorting(n):
    return (
        sorted([3, 1, 2], reverse=True),
        sorted("bca"),
        sorted((1, -2, 3), key=abs),
        [*reversed([n, 2])],
        max("a", "b"),
    )
