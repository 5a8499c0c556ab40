"""with: context managers of the user's, what they change, suppress and let through."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


class Scaled:
    def __init__(self, by):
        self.by = by
        self.entered = 0

    def __enter__(self):
        self.entered += 1
        return self.by

    def __exit__(self, kind, value, traceback):
        self.entered -= 1
        return False


class Quiet:
    caught = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return kind is ZeroDivisionError


@case((Scaled(2.0), 3), (Scaled(-1), 0))
def enters(scaled, n):
    with scaled as k:
        inside = scaled.entered
        total = k * n
    return total, inside, scaled.entered


@case((Scaled(2), Scaled(3), 4))
def two(a, b, n):
    with a as x, b as y:
        n += x * y
    with a:
        n += a.entered
    return n


@case((Quiet(), 3), (Quiet(), 0))
def suppresses(quiet, n):
    result = -1
    with quiet:
        result = 6 // n
    return result


@case((Scaled(1.0), 5), (Scaled(1.0), 0))
def lets_through(scaled, n):
    with scaled as k:
        return k / n


@case((np.array([1.0, 0.0]),))
def numpy_error_state(x):
    with np.errstate(all="ignore"):
        return 1.0 / x
