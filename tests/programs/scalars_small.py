"""int, float, bool and complex: one operation at a time."""

# pyright: basic

from __future__ import annotations

import enum

from programs.corpus import case

INTS = ((7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5))
NAN = float("nan")
INF = float("inf")
FLOATS = ((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (0.0, -1.0), (-0.0, 3.0), (INF, 2.0), (NAN, 1.0), (5e-324, 1e308))


@case(*INTS)
def int_arithmetic(a, b):
    return a + b, a - b, a * b, a // b, a % b, a / b, -a, +b, abs(a), ~a


@case(*FLOATS)
def float_arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, +b, abs(a)


@case((7, 2.5), (-7, 2.5), (True, 0.5), (0, -0.1))
def mixed_arithmetic(a, b):
    return a + b, b - a, a * b, a / b, a // b, a % b, b + a, b * a


@case((2, 10), (-3, 3), (5, 0), (2, -2), (-2, -3), (0, 0), (0, -1))
def int_power(a, b):
    return a**b


@case((2.0, 10.0), (2.5, -2.0), (0.0, 0.0), (0.0, -1.0), (INF, 0.0), (NAN, 0.0), (1e308, 2.0))
def float_power(a, b):
    return a**b


@case((3,), (-4,), (0,))
def square_and_cube(a):
    return a**2, a**3, a**0, a**1


@case((12, 10), (-12, 10), (1, 63), (255, 8))
def bit_operations(a, b):
    return a & b, a | b, a ^ b, a >> b, ~a


@case((1, 10), (3, 61), (-1, 63), (1, 62))
def left_shift(a, b):
    return a << b


@case((True, False), (True, True), (False, False))
def bool_arithmetic(a, b):
    return a + b, a & b, a | b, a ^ b, -a, ~a, a * 3, a == b, a < b, not a


@case((7, 2), (-7, 2), (7, 0))
def int_divmod(a, b):
    return divmod(a, b)


@case((7.5, 2.0), (-7.5, 2.0), (7.5, 0.0))
def float_divmod(a, b):
    q, r = divmod(a, b)
    return q, r


@case((1 + 2j, 3.0), (0j, 1.0), (1 - 1j, -2.0))
def complex_arithmetic(z, x):
    return z + x, z * z, z - 1, z / (x + 1j), z.real, z.imag, z.conjugate(), abs(z)


@case((1 + 2j, 1 + 2j), (1 + 2j, 2j))
def complex_comparison(a, b):
    return a == b, a != b, bool(a)


@case((3, 4.0), (True, 1), (2, 2.0))
def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


@case((NAN,), (1.0,))
def nan_comparisons(x):
    return x == x, x != x, x < x, x >= 0.0, not x < 1.0


@case((2**53 + 1,), (2**53,), (5,))
def int_against_large_float(a):
    return a == 9007199254740992.0, a < 9007199254740993.0, a > 9007199254740992.0


@case((1, 5, 9), (9, 5, 1), (5, 5, 5))
def chained(a, b, c):
    return a < b < c, a <= b <= c, a < b > c, a == b == c, a != b != c, 0 < a < 10 > c


@case((3.7,), (-3.7,), (2.5,), (-0.5,), (1e15,))
def conversions(x):
    return int(x), float(x), bool(x), round(x), int(x) + 1


@case((3,), (0,), (-1,))
def int_conversions(n):
    return float(n), bool(n), complex(n), int(True) + n, n.real


@case((2.675,), (1.005,), (-1234.5678,), (0.5,), (1.5,))
def rounding(x):
    return round(x), round(x, 2), round(x, 0)


@case((12345,), (-15,), (25,))
def int_rounding(n):
    return round(n), round(n, -1)


@case((INF,), (NAN,))
def int_of_no_number(x):
    return int(x)


@case((9223372036854775807,), (-9223372036854775808,), (0,))
def int_limits(n):
    return n, n // 2, n % 10, n > 0


@case((1e300, 10.0), (2.0, 3.0))
def float_overflow_in_product(a, b):
    return a * a * b


@case((0,), (1,), (-5,))
def float_of_int_division(n):
    return n / 4, n // 4, n % 4


class Mode(enum.IntEnum):
    OFF = 0
    ON = 1


class Wide(float):
    """Equal to 99 whatever it is."""

    def __eq__(self, other):
        return other == 99

    __hash__ = float.__hash__


WIDE = Wide(3.0)


@case((1, 2.5), (0, -1.0))
def enum_members_as_ints(k, x):
    items = [10.0, 20.0]
    return (
        k == Mode.ON, Mode.ON == k, k != Mode.OFF, k < Mode.ON, k + Mode.ON, x * Mode.ON, -Mode.ON + k, k is Mode.ON,
        items[Mode.ON], k in (Mode.OFF, Mode.ON), min(k, Mode.ON), list(range(Mode.ON + k)),
    )  # fmt: skip


@case((0,), (1,), (2,))
def enum_members_matched(k):
    match k:
        case Mode.OFF:
            return 10
        case Mode.ON:
            return 20
    return 30


@case((99,), (3,))
def floats_of_another_class(k):
    return k == WIDE, WIDE == k, k != WIDE, WIDE < k, WIDE + k
