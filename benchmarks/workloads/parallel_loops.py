"""Loops whose rounds run on all cores: `prange` of jitcore and of numba, the same functions but for the histogram.

numba has no sum into elements of an array (`h[k] += 1` in all rounds is a race there): its histogram is what its
users write in place of it, an array for each of some parts of the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
Kernel = Callable[..., Any]
PARTS = 16


def mandelbrot(prange: Any) -> Kernel:
    def kernel(image, low, step, limit):
        height, width = image.shape
        for i in prange(height):
            for j in range(width):
                x = low + j * step
                y = low + i * step
                a = 0.0
                b = 0.0
                k = 0
                while k < limit and a * a + b * b <= 4.0:
                    a, b = a * a - b * b + x, 2.0 * a * b + y
                    k += 1
                image[i, j] = k
        return image

    return kernel


def bodies(prange: Any) -> Kernel:
    def kernel(at, mass, force):
        n = at.shape[0]
        for i in prange(n):
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(n):
                x = at[j, 0] - at[i, 0]
                y = at[j, 1] - at[i, 1]
                z = at[j, 2] - at[i, 2]
                square = x * x + y * y + z * z + 1e-6
                pull = mass[j] / (square * math.sqrt(square))
                fx += x * pull
                fy += y * pull
                fz += z * pull
            force[i, 0] = fx
            force[i, 1] = fy
            force[i, 2] = fz
        return force

    return kernel


def pi(prange: Any) -> Kernel:
    def kernel(n):
        inside = 0
        for i in prange(n):
            state = (i * 2654435761 + 12345) % 4294967296
            state = (state * 1664525 + 1013904223) % 4294967296
            x = state / 4294967296
            state = (state * 1664525 + 1013904223) % 4294967296
            y = state / 4294967296
            if x * x + y * y < 1.0:
                inside += 1
        return 4.0 * inside / n

    return kernel


def histogram(prange: Any) -> Kernel:
    def kernel(data, bins):
        counts = np.zeros(bins, np.int64)
        for i in prange(data.shape[0]):
            counts[data[i]] += 1
        return counts

    return kernel


def histogram_in_parts(prange: Any) -> Kernel:
    def kernel(data, bins):
        parts = np.zeros((PARTS, bins), np.int64)
        size = (data.shape[0] + PARTS - 1) // PARTS
        for p in prange(PARTS):
            for i in range(p * size, min((p + 1) * size, data.shape[0])):
                parts[p, data[i]] += 1
        return parts.sum(0)

    return kernel


def image(inputs: Inputs) -> tuple[Any, ...]:
    return np.zeros((400, 400), np.int64), -2.0, 0.01, 200


def cloud(inputs: Inputs) -> tuple[Any, ...]:
    return inputs["at"], inputs["mass"], np.zeros_like(inputs["at"])


def numbers(inputs: Inputs) -> tuple[Any, ...]:
    return (5_000_000,)


def data(inputs: Inputs) -> tuple[Any, ...]:
    return inputs["data"], 256


def with_jitcore(made: Callable[[Any], Kernel], arguments: Callable[[Inputs], tuple[Any, ...]]) -> Any:
    def prepare(inputs: Inputs) -> Run:
        import jitcore

        kernel, given = jitcore.jit(parallel=True)(made(jitcore.prange)), arguments(inputs)
        return lambda: kernel(*given)

    return prepare


def with_numba(made: Callable[[Any], Kernel], arguments: Callable[[Inputs], tuple[Any, ...]]) -> Any:
    def prepare(inputs: Inputs) -> Run:
        import numba

        kernel, given = numba.njit(parallel=True)(made(numba.prange)), arguments(inputs)
        return lambda: kernel(*given)

    return prepare


def points() -> Inputs:
    rng = np.random.default_rng(0)
    return {"at": rng.standard_normal((2000, 3)), "mass": rng.random(2000)}


def samples() -> Inputs:
    return {"data": np.random.default_rng(0).integers(0, 256, 10_000_000)}


WORKLOADS = [
    Workload(
        name,
        doc,
        {"jitcore": with_jitcore(ours, arguments), "numba": with_numba(theirs, arguments)},
        inputs,
        tolerance=1e-9,
    )
    for name, doc, ours, theirs, arguments, inputs in (
        ("prange_mandelbrot", "Mandelbrot, 400² points, 200 steps, on all cores", mandelbrot, mandelbrot, image, dict),
        ("prange_bodies", "forces between 2,000 bodies, on all cores", bodies, bodies, cloud, points),
        ("prange_pi", "Monte Carlo pi, 5·10⁶ points, a generator for each round, on all cores", pi, pi, numbers, dict),
        (
            "prange_histogram",
            "a histogram of 10⁷ numbers, summed from all cores",
            histogram,
            histogram_in_parts,
            data,
            samples,
        ),
    )
]
