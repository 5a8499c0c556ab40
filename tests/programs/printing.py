"""print: in order, with the values of the run."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((3, 2.5), (-1, 0.0))
def numbers(n, x):
    print(n, x, n / 3, n > 0, x * 1j)
    print("n =", n, "x =", x, sep=" ", end=";\n")
    print()
    print(f"{n:04d} {x:.3f}", "%d" % n, "{:>8}".format(x))
    return n


@case((4,), (0,))
def in_a_loop(n):
    for k in range(n):
        print(k, k * k, end=" ")
    print("done")


@case((5,), (-5,))
def in_branches(n):
    if n > 0:
        print("positive", n)
    else:
        print("negative", -n)
    print("positive" if n > 0 else "negative")


@case((np.arange(4.0), np.arange(6).reshape(2, 3)))
def arrays(x, y):
    print(x, y)
    print(x.sum(), y[0], x.shape, y.dtype)
    print(f"first {x[0]} of {len(x)}")
    return x * 2


@case((2, 0.5))
def containers(n, x):
    print([n, x], (n,), {"a": x}, {1, 2}, None, True, slice(1, 2))
    print([[n], (x, "s")], "text", "it's", [f"k{n}"])


@case((3,), (0,))
def before_an_exception(n):
    print("dividing by", n)
    result = 6 // n
    print("gave", result)
    return result


@case((3,))
def in_functions(n):
    def trace(name, value):
        print(f"{name}={value}")
        return value

    return trace("a", n) + trace("b", n * 2) * trace("c", 0.5)


@case((float("nan"), float("inf")), (-0.0, 1e300), (1e-7, 123456789.123456789))
def floats(x, y):
    print(x, y, -x, [x, y])
    print(f"{x} {y!r}", str(x))


@case((3,))
def multiplication_table(n):
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            print(f"{i * j:3d}", end="")
        print()
