"""int, float and bool: run-time numbers in algorithms as they are written down."""

# pyright: basic

from __future__ import annotations

import math

from programs.corpus import case

NAN, INF = float("nan"), float("inf")


@case((48, 36), (17, 5), (0, 9), (-12, 18), (7, 0))
def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


@case((240, 46), (7, 3), (1, 1))
def extended_euclid(a, b):
    old_r, r, old_s, s, old_t, t = a, b, 1, 0, 0, 1
    while r != 0:
        q = old_r // r
        old_r, r = r, old_r - q * r
        old_s, s = s, old_s - q * s
        old_t, t = t, old_t - q * t
    return old_r, old_s, old_t


@case((2,), (1,), (97,), (91,), (7919,), (-3,))
def is_prime(n):
    if n < 2:
        return False
    k = 2
    while k * k <= n:
        if n % k == 0:
            return False
        k += 1
    return True


@case((1,), (10,), (50,))
def count_primes(n):
    count = 0
    for k in range(2, n + 1):
        for d in range(2, k):
            if d * d > k:
                count += 1
                break
            if k % d == 0:
                break
        else:
            count += 1
    return count


@case((27,), (1,), (6,))
def collatz(n):
    steps, highest = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


@case((0,), (1,), (30,), (90,))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@case((95,), (200,))
def fibonacci_past_64_bits_mod(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1_000_000_007
    return a


@case((3, 200, 13), (2, 10, 1000), (5, 0, 7), (7, 62, 998244353))
def modular_power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


@case((0,), (1,), (255,), (2**40 + 5,), (-1,))
def count_bits(n):
    n &= 0x7FFF_FFFF_FFFF
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


@case((0,), (1,), (2,), (99,), (10**12,), (2**62,))
def integer_square_root(n):
    if n < 2:
        return n
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x


@case((12345,), (0,), (-987,))
def digit_sum(n):
    n = abs(n)
    total = 0
    while n > 0:
        n, digit = divmod(n, 10)
        total += digit
    return total


@case((12321,), (123,), (0,), (10,))
def is_palindrome(n):
    reversed_, rest = 0, n
    while rest:
        reversed_ = reversed_ * 10 + rest % 10
        rest //= 10
    return reversed_ == n


@case((6,), (28,), (12,), (1,))
def classify_by_divisors(n):
    total = sum(d for d in range(1, n) if n % d == 0)
    if total == n:
        return "perfect"
    return "abundant" if total > n else "deficient"


@case((2.0,), (0.25,), (1e10,), (0.0,))
def newton_square_root(x):
    if x == 0:
        return 0.0
    guess = x if x > 1 else 1.0
    for _ in range(60):
        better = 0.5 * (guess + x / guess)
        if better == guess:
            break
        guess = better
    return guess


@case((1.0, -3.0, 2.0), (1.0, 2.0, 5.0), (1.0, -2.0, 1.0), (0.0, 1.0, 1.0))
def quadratic_roots(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return None
    if d == 0:
        return (-b / (2 * a),)
    root = math.sqrt(d)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


@case((0.0, 2.0), (1.0, 1.5))
def bisection(low, high):
    def f(x):
        return x * x * x - x - 1

    steps = 0
    while high - low > 1e-9 and steps < 100:
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
        steps += 1
    return low, high, steps


@case((10,), (1000,))
def leibniz_pi(n):
    total, sign = 0.0, 1.0
    for k in range(n):
        total += sign / (2 * k + 1)
        sign = -sign
    return 4 * total


@case((0.5,), (-2.0,), (20.0,))
def exponential_series(x):
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total) and k < 200:
        k += 1
        term *= x / k
        total += term
    return total, k


@case((12345, 10), (1, 3))
def linear_congruential(seed, n):
    state, total = seed, 0.0
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
        total += state / 2**31
    return state, total


@case((2024, 2), (1900, 2), (2000, 2), (2023, 4), (2023, 13))
def days_in_month(year, month):
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31 if 1 <= month <= 12 else None


@case((1.0, 0.05, 10), (1000.0, -0.01, 3), (1.0, 0.0, 0))
def compound_interest(principal, rate, years):
    for year in range(years):
        principal *= 1 + rate
        if principal > 1e6:
            return principal, year
    return principal, years


@case((5, 2), (10, 10), (3, 5), (40, 20))
def binomial(n, k):
    if k > n:
        return 0
    result = 1
    for i in range(min(k, n - k)):
        result = result * (n - i) // (i + 1)
    return result


@case((20,), (21,))
def factorial_to_the_limit(n):
    result = 1
    for k in range(2, n + 1):
        if result > (2**63 - 1) // k:
            return -1
        result *= k
    return result


@case((10.0, 0.0), (0.0, 10.0), (-3.0, -4.0), (0.0, 0.0))
def polar(x, y):
    return math.hypot(x, y), math.atan2(y, x)


@case((True, False, True), (False, False, False))
def full_adder(a, b, carry):
    total = a ^ b ^ carry
    out = (a and b) or (carry and (a ^ b))
    return total, out, total + out, int(total) + 2 * int(out)


@case((7, 3), (-7, 3), (7, -3), (0, 1))
def division_identities(a, b):
    q, r = a // b, a % b
    assert q * b + r == a
    return q, r, divmod(a, b) == (q, r), math.trunc(a / b), a - b * math.trunc(a / b)


@case((0x12345678,), (0,), (2**32 - 1,))
def reverse_bytes(n):
    out = 0
    for k in range(4):
        out |= ((n >> (8 * k)) & 0xFF) << (8 * (3 - k))
    return out


@case((1,), (5,), (64,), (100,))
def gray_code(n):
    g = n ^ (n >> 1)
    back, shifted = g, g >> 1
    while shifted:
        back ^= shifted
        shifted >>= 1
    return g, back


@case((98.6,), (-40.0,), (0.0,))
def temperature(fahrenheit):
    celsius = (fahrenheit - 32) * 5 / 9
    return round(celsius, 1), round(celsius), celsius < 0


@case((0.1, 10), (0.1, 1000))
def kahan_sum(x, n):
    total, lost = 0.0, 0.0
    plain = 0.0
    for _ in range(n):
        y = x - lost
        t = total + y
        lost = (t - total) - y
        total = t
        plain += x
    return total, plain, total == plain


@case((3.2, 0.5, 100), (2.8, 0.1, 50), (4.0, 0.3, 30))
def logistic_map(r, x, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


@case((100,), (15,), (1,))
def fizz_buzz_sum(n):
    total = 0
    for k in range(1, n + 1):
        if k % 15 == 0:
            total += 15
        elif k % 5 == 0:
            total += 5
        elif k % 3 == 0:
            total += 3
        else:
            continue
        total *= 1
    return total


@case((1.5,), (-0.0,), (NAN,), (INF,), (-INF,))
def float_classes(x):
    return x == x, math.isinf(x), math.copysign(1.0, x), x > 0 or x < 0, math.isfinite(x)


@case((1, 2.0, True), (0, -0.0, False))
def mixed_types(n, x, b):
    return n + b, x * b, n / (x + 3), b + b, -b, n == b, x == n, max(n, x), min(b, n)


@case((1234.5678,), (-0.05,), (2.5,))
def rounding_ways(x):
    return math.floor(x), math.ceil(x), int(x), round(x), round(x, 2), math.trunc(x), x // 1, x % 1


@case((10**6,), (3,))
def triangular_number_by_loop(n):
    total = 0
    while n:
        total += n
        n -= 1
    return total, total == (total // 1)


@case((5, 3), (5, 0), (1, 70))
def shifts(a, b):
    return a << b if b < 50 else -1, a >> b, -a >> b, (a << 2) | 1


@case((9,), (10,))
def number_of_digits_in_bases(n):
    counts = [0, 0, 0]
    for i, base in enumerate((2, 8, 16)):
        k = n
        while k:
            counts[i] += 1
            k //= base
    return tuple(counts)


@case((3, 4, 5), (1, 1, 1), (1, 2, 3), (5.0, 5.0, 8.0))
def triangle(a, b, c):
    if not (a + b > c and b + c > a and a + c > b):
        return "none", 0.0
    s = (a + b + c) / 2
    area = math.sqrt(s * (s - a) * (s - b) * (s - c))
    kind = "equilateral" if a == b == c else "isosceles" if a == b or b == c or a == c else "scalene"
    return kind, area
