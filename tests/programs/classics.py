"""Programs that everyone has written once: sorting, searching, dynamic programming, grids, graphs, matrices by hand, simulations."""

# pyright: basic

from __future__ import annotations

import cmath
import heapq
import itertools
import math

import numpy as np

from programs.corpus import case

INF = math.inf


@case((6,), (1,), (3,))
def counting_sort(n):
    a = np.arange(n) * 7 % 5
    counts = [0] * (max(a) + 1)  # NumPy's integers repeat lists
    for x in a:
        counts[x] += 1
    out = []
    for value, count in enumerate(counts):
        out.extend([value] * count)
    return out, 2 * [a[0]], np.int64(2) * [a[-1]]


@case((np.arange(8.0),), (np.arange(2.0),), (np.arange(1.0),), tolerance=1e-12)
def fourier_of_arrays(x):
    def transform(x):
        n = x.shape[0]
        if n == 1:
            return x.astype(np.complex128)
        even, odd = transform(x[::2]), transform(x[1::2])
        turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + turned, even - turned])

    return transform(x)


@case((np.arange(4.0),), (np.arange(1.0),), tolerance=1e-12)
def fourier_of_lists(x):
    def transform(x):  # gives the array or a list
        n = len(x)
        if n <= 1:
            return x
        even, odd = transform(x[::2]), transform(x[1::2])
        turned = [cmath.exp(-2j * math.pi * k / n) * odd[k] for k in range(n // 2)]
        return [even[k] + turned[k] for k in range(n // 2)] + [even[k] - turned[k] for k in range(n // 2)]

    return transform(x)


@case((np.arange(8.0),), (np.arange(2.0),), (np.arange(1.0),))
def one_dtype_or_another(x):
    def halves(x):
        n = x.shape[0]
        if n == 1:
            return x
        return np.concatenate([2j * np.arange(n // 2), halves(x[::2])])

    return halves(x)


@case((5,), (1,), (0,), (3,))
def choices(n):
    pairs = list(itertools.combinations(range(n), 2))
    triples = [a + b * c for a, b, c in itertools.combinations(range(n), 3)]
    repeated = list(itertools.combinations_with_replacement(range(n), 2))
    return pairs, triples, repeated, sum(a * 3 - b for a, b in itertools.permutations(range(n), 2))


@case((np.array([1, 5, 2]),), (np.array([1.5]),), (np.arange(6),))
def widest_gap(a):
    best = 0
    for x, y in itertools.combinations(a, 2):
        if abs(x - y) > best:
            best = abs(x - y)
    return best, list(itertools.permutations((1, 2, 3))), list(itertools.combinations(range(3), 2))


@case((3,), (10,))
def many_choices(k):
    return sum(a * b + c * k for a, b, c in itertools.combinations(range(20), 3)), sum(
        1 for p in itertools.permutations(range(6)) if p[0] < p[k % 6]
    )


@case((97,), (561,), (2,), (1,))
def strong_probable_prime(n):
    if n < 4:
        return n > 1
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in (2, 3, 5, 7):
        if a % n == 0:
            continue
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = pow(x, 2, n)
            if x == n - 1:
                break
        else:
            return False
    return True


@case((3, -1, 7), (2, -1, 4), (5, 3, 0), (2, 10, -7), (2**62, 2**62, 2**61 - 1))
def powers_modulo(b, e, m):
    return pow(b, e, m), pow(b, 3, m)


@case((0,), (1,), (-1,), (255,), (-256,), (2**63 - 1,), (-(2**63),), (True,))
def bits(n):
    return n.bit_length(), n.bit_count(), int.bit_length(n)


@case((3, 5), (2, 2), (1, 2.5), (3, 4))
def position_of(n, x):
    a = np.linspace(x - 1, x, n)
    costs = [abs(a[0] - x), abs(a[-1] - x), abs(a[0] * 2 - x)]
    doubled = [v * 2 for v in a]
    return costs.index(min(costs)), tuple(costs).index(max(costs)), doubled.index(max(doubled)), doubled.index(x * 2)


@case((3, 5), (5, 5), (1, 0))
def without_the_largest(x, y):
    values = [x, y, x - y]
    values.remove(max(values))
    return values, (x, y).index(x + y)


@case((5,), (1,), (0,))
def rows_shown(n):
    row = [1]
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
        print(row)
    shown = f"{row} {[x / 2 for x in row]}"
    row.append(0)
    print(shown, [x > 1 for x in row], str(row))
    if n == 1:
        raise ValueError(f"only {row}")
    return shown


@case((np.arange(3),), (np.array([0.5]),))
def scalars_shown(a):
    doubled = []
    for v in a:
        doubled.append(v * 2)
    print(doubled)
    return doubled


@case((8,), (1024,), (1000,), (10**15,), (1,))
def whole_logarithms(n):
    return int(np.log2(n)), int(np.log10(n)), np.log2(2.0**-20 * n) - np.log2(2.0**-20 * n)


@case((np.array([10.0**k for k in range(-5, 23)]),), (np.array([1000.0, 0.0, -1.0, INF]),))
def exact_logarithms(x):
    return np.log10(x)


@case((np.array([2.0**k for k in range(-50, 60)]),), (np.array([8.0, 0.0, INF, 1.0]),))
def exact_binary_logarithms(x):
    return np.log2(x)


@case((np.array([1 + 2j, -0.5j, 3.0]),), (np.array([[0.25 - 1j]]),))
def functions_of_complex_arrays(z):
    return (
        [np.exp(z), np.log(z), np.sqrt(z), np.sin(z), np.cos(z), np.tan(z), np.sinh(z), np.cosh(z), np.tanh(z)],
        [np.arcsin(z), np.arccos(z), np.arctan(z), np.arcsinh(z), np.arccosh(z), np.arctanh(z)],
        [np.log2(z), np.log10(z), np.log1p(z), np.expm1(z), np.exp2(z)],
    )


@case((np.array([[0, 4, INF, 1], [4, 0, 2, INF], [INF, 2, 0, 5], [1, INF, 5, 0.0]]), 0), (np.zeros((1, 1)), 0))
def shortest_paths(g, source):
    n = len(g)
    dist = np.full(n, np.inf)
    dist[source] = 0
    done = np.zeros(n, dtype=bool)
    previous = [-1] * n
    for _ in range(n):
        u = -1
        for v in range(n):
            if not done[v] and (u == -1 or dist[v] < dist[u]):
                u = v
        if dist[u] == np.inf:
            break
        done[u] = True
        for v in range(n):
            if g[u, v] != np.inf and dist[u] + g[u, v] < dist[v]:
                dist[v] = dist[u] + g[u, v]
                previous[v] = u
    return dist, previous


@case(
    (np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]]),),
    (np.zeros((2, 2), int),),
    (np.eye(3, dtype=int),),
)
def regions_of_a_grid(grid):
    h, w = grid.shape
    label = np.zeros((h, w), dtype=int)
    found = 0
    for start in itertools.product(range(h), range(w)):
        if grid[start] == 0 and label[start] == 0:
            found += 1
            stack = [start]
            while stack:
                y, x = stack.pop()
                if label[y, x]:
                    continue
                label[y, x] = found
                for dy, dx in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
                    if 0 <= y + dy < h and 0 <= x + dx < w and grid[y + dy, x + dx] == 0:
                        stack.append((y + dy, x + dx))
    return label, found


@case((4,), (6,), (1,))
def queens(n):
    def place(row, columns, up, down):
        if row == n:
            return 1
        total = 0
        for c in range(n):
            if not (columns >> c) & 1 and not (up >> (row + c)) & 1 and not (down >> (row - c + n)) & 1:
                total += place(row + 1, columns | 1 << c, up | 1 << (row + c), down | 1 << (row - c + n))
        return total

    return place(0, 0, 0, 0)


@case(([3, 1, 4, 1, 5],), ([1.0],), ([5, 4, 3, 2],))
def inversions(a):
    def sort(xs):
        if len(xs) <= 1:
            return xs, 0
        middle = len(xs) // 2
        left, a = sort(xs[:middle])
        right, b = sort(xs[middle:])
        out, count, i, j = [], a + b, 0, 0
        while i < len(left) and j < len(right):
            if left[i] <= right[j]:
                out.append(left[i])
                i += 1
            else:
                out.append(right[j])
                j += 1
                count += len(left) - i
        return out + left[i:] + right[j:], count

    return sort(a)


@case((5,), (9,), (1,))
def sorted_by_a_heap(n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, (i * 7) % 5 + i / 10)
    return [heapq.heappop(heap) for _ in range(len(heap))]


@case((np.array([[3.0, 2.0], [1.0, 4.0]]),), (np.array([[2.0]]),), (np.array([[0.0, 1.0], [1.0, 0.0]]),))
def factors(a):
    n = a.shape[0]
    lower, upper = np.eye(n), a.copy()
    for k in range(n - 1):
        if upper[k, k] == 0:
            raise ZeroDivisionError(f"pivot {k} is {upper[k, k]}")
        for i in range(k + 1, n):
            lower[i, k] = upper[i, k] / upper[k, k]
            upper[i, k:] -= lower[i, k] * upper[k, k:]
    return lower, upper


@case((12, 18), (-4, 6), (0, -7), (0, 0), (-(2**63), 6), (2**63 - 1, 2), (True, 3))
def common_divisors(a, b):
    return math.gcd(a, b), math.gcd(a, b, 4), math.lcm(a % 100, b % 100), sum(math.gcd(a, k) == 1 for k in range(1, 9))


@case((0,), (99,), (100,), (2**62,), (2**63 - 1,), (3037000499**2 - 1,), (-1,), (True,))
def whole_roots(n):
    return math.isqrt(n), [math.isqrt(k) for k in range(abs(n) % 50)]
