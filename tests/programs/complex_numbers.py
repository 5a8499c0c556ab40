"""complex: run-time numbers, and cmath."""

# pyright: basic

from __future__ import annotations

import cmath
import math

from programs.corpus import case


@case((0.0, 0.0, 50), (1.0, 1.0, 50), (-0.75, 0.1, 100))
def mandelbrot(x, y, limit):
    c = complex(x, y)
    z = 0j
    for k in range(limit):
        if abs(z) > 2:
            return k, z
        z = z * z + c
    return limit, z


@case((1.0, 2.0, 5.0), (1.0, -3.0, 2.0), (2.0, 0.0, 0.0))
def complex_roots(a, b, c):
    d = cmath.sqrt(b * b - 4 * a * c)
    return (-b + d) / (2 * a), (-b - d) / (2 * a)


@case((8,), (3,))
def sum_of_roots_of_unity(n):
    total = 0j
    for k in range(n):
        total += complex(math.cos(2 * math.pi * k / n), math.sin(2 * math.pi * k / n))
    return round(total.real, 9) + 0.0, round(total.imag, 9) + 0.0


@case((1 + 2j, 3 - 1j), (0j, 1j))
def arithmetic(a, b):
    return a + b, a - b, a * b, a / b, -a, a.conjugate(), a == b, a != b, bool(a)


@case((3 + 4j,), (-1j,), (0j,))
def parts(z):
    return z.real, z.imag, abs(z), cmath.phase(z), z * z.conjugate()


@case((2.0, 0.5), (1.0, -3.0))
def from_polar(r, phi):
    z = r * cmath.exp(1j * phi)
    return z, abs(z) - r < 1e-12, abs(cmath.phase(z) - phi) < 1e-12


@case((0.3 + 0.2j, 10), (1j, 3))
def julia_orbit(z, n):
    inside = 0
    for _ in range(n):
        z = z * z - 0.5
        if z.real * z.real + z.imag * z.imag < 4:
            inside += 1
    return z, inside


@case((1 + 1j, 5), (2j, 0), (1 - 1j, 3))
def power_by_multiplication(z, n):
    result = 1 + 0j
    for _ in range(n):
        result *= z
    return result


@case((1.5,), (-2,))
def mixed_with_real(x):
    z = x + 1j
    return z, z * 2, z - x, x - z, z / 2, 2 / z, complex(x), complex(x, x)


@case(
    (0.5 + 0.25j,),
)
def functions(z):
    return cmath.exp(z), cmath.log(z), cmath.sin(z), cmath.cos(z), cmath.sqrt(z)
