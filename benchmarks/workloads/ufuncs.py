"""numba's other decorators: ufuncs, generalised ufuncs, stencils and C callbacks, on the same Python functions."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
SIZE = 1_000_000
EXTENT = 1000
BATCH, ORDER = 20_000, 4
EXACT = 1e-12


def formula(x, y):
    return math.exp(-x * x) * math.sin(y) + x / (1.0 + y * y)


def chosen(x, y):
    if x > y:
        return math.sqrt(x * x + y)
    return x * y


def escapes(cr, ci):
    zr = 0.0
    zi = 0.0
    for i in range(50):
        zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
        if zr * zr + zi * zi > 4:
            return float(i)
    return 50.0


def add(x, y):
    return x + y


def products(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def cross(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def bell(x):
    return math.exp(-x * x / 2.0)


def _two() -> Inputs:
    rng = np.random.default_rng(1)
    return {"x": rng.random(SIZE), "y": rng.random(SIZE)}


def _matrices() -> Inputs:
    return {"x": np.random.default_rng(2).random((BATCH, ORDER, ORDER))}


def _image() -> Inputs:
    return {"x": np.random.default_rng(3).random((EXTENT, EXTENT))}


def _peers(make: Callable[[object, Inputs], Run]) -> Mapping[str, Callable[[Inputs], Run]]:
    """What each of the two packages measures, which have the same names."""

    def peer(name: str) -> Callable[[Inputs], Run]:
        return lambda inputs: make(importlib.import_module(name), inputs)

    return {"jitcore": peer("jitcore"), "numba": peer("numba")}


def _vectorized(function: Callable[..., object]) -> Mapping[str, Callable[[Inputs], Run]]:
    def make(package, inputs: Inputs) -> Run:
        ufunc, x, y = package.vectorize(["float64(float64, float64)"])(function), inputs["x"], inputs["y"]
        return lambda: ufunc(x, y)

    return _peers(make)


def _reduced(package, inputs: Inputs) -> Run:
    ufunc, x = package.vectorize(["float64(float64, float64)"], identity=0)(add), inputs["x"]
    return lambda: ufunc.reduce(x)


def _general(package, inputs: Inputs) -> Run:
    types = ["void(float64[:,:], float64[:,:], float64[:,:])"]
    ufunc, x = package.guvectorize(types, "(m,n),(n,p)->(m,p)")(products), inputs["x"]
    return lambda: ufunc(x, x)


def _stencils() -> Mapping[str, Callable[[Inputs], Run]]:
    def ours(inputs: Inputs) -> Run:
        import jitcore

        called, x = jitcore.stencil(cross), inputs["x"]
        return lambda: called(x)

    def numbas(inputs: Inputs) -> Run:  # which compiles a call of its own anew each time, one in compiled code once
        import numba

        kernel = numba.stencil(cross)
        called, x = numba.njit(lambda a: kernel(a)), inputs["x"]
        return lambda: called(x)

    return {"jitcore": ours, "numba": numbas}


def _integrated(package, inputs: Inputs) -> Run:
    from scipy import LowLevelCallable, integrate

    called = LowLevelCallable(package.cfunc("float64(float64)")(bell).ctypes)
    return lambda: integrate.quad(called, -6.0, 6.0)[0]


WORKLOADS = [
    Workload("ufunc", f"a formula of two arrays of {SIZE:,}", _vectorized(formula), _two, tolerance=EXACT),
    Workload("ufunc_branch", f"a branch for each of {SIZE:,} elements", _vectorized(chosen), _two, tolerance=EXACT),
    Workload("ufunc_loop", f"Mandelbrot's iteration for {SIZE:,} points", _vectorized(escapes), _two, tolerance=0),
    Workload("ufunc_reduce", f"a sum of {SIZE:,} elements, one by one", _peers(_reduced), _two, tolerance=EXACT),
    Workload(
        "gufunc", f"products of {BATCH:,} matrices {ORDER} × {ORDER}", _peers(_general), _matrices, tolerance=EXACT
    ),
    Workload("stencil", f"four neighbours in {EXTENT} × {EXTENT}", _stencils(), _image, tolerance=EXACT),
    Workload("cfunc_quad", "SciPy integrates a C callback", _peers(_integrated), tolerance=EXACT),
]
