"""Arrays: algorithms written with indices, slices and whole-array operations, in place and not; on ndarrays and Tensors."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case

PRODUCTS = 1e-13
"""Of matrices NumPy's are a BLAS's, whose order of adding depends on the processor."""

V = np.array([5.0, -1.0, 3.0, 2.0, 4.0])
INTS = np.array([9, 2, 7, 4, 4, 1])
M = np.arange(12.0).reshape(3, 4)


@case((V,), (np.array([1.0]),), (INTS,))
def bubble_sort(x):
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                t = x[j] + 0
                x[j] = x[j + 1]
                x[j + 1] = t
    return x


@case((V,), (INTS,), (np.array([2.0, 1.0]),))
def insertion_sort(x):
    y = x * 1
    for i in range(1, len(y)):
        v = y[i] + 0
        j = i - 1
        while j >= 0 and y[j] > v:
            y[j + 1] = y[j]
            j -= 1
        y[j + 1] = v
    return y


@case((INTS,), (V,))
def selection_sort_of_indices(x):
    order = np.arange(len(x))
    for i in range(len(x)):
        best = i
        for j in range(i + 1, len(x)):
            if x[order[j]] < x[order[best]]:
                best = j
        t = order[i] + 0
        order[i] = order[best]
        order[best] = t
    return order


@case((np.array([1, 3, 5, 7, 9]), 7), (np.array([1, 3, 5, 7, 9]), 4), (np.array([2]), 2))
def binary_search(x, wanted):
    low, high = 0, len(x) - 1
    while low <= high:
        middle = (low + high) // 2
        if x[middle] == wanted:
            return middle
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@case((30,), (2,), (100,))
def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    k = 2
    while k * k <= n:
        if is_prime[k]:
            is_prime[k * k :: k] = False
        k += 1
    return is_prime.sum(), is_prime


@case((V, -9, 7, 2), (V, 3, -20, -1), (V, 0, 2, 50), (V, 1, 5, 0))
def steps_of_the_run(x, a, b, k):
    first = x[a:b:k] * 1.0
    total = 0.0
    for step in range(1, abs(k) + 1):
        total += x[::step].sum() - x[a::-step].sum()
    made = np.zeros(12)
    made[::k] = 5.0
    made[b:a:-k] += 1.0
    return first, total, made, np.arange(24).reshape(4, 6)[1:, ::k]


@case((V,), (np.zeros(1),))
def prefix_sums(x):
    out = np.zeros(len(x) + 1)
    for k in range(len(x)):
        out[k + 1] = out[k] + x[k]
    return out


@case((np.array([-2, 1, -3, 4, -1, 2, 1, -5, 4]),), (np.array([-1, -2]),))
def largest_sum_of_a_run(x):
    best = current = int(x[0])
    for v in x[1:]:
        current = max(int(v), current + int(v))
        best = max(best, current)
    return best


@case((np.array([1, 2, 3, 4]), np.array([2, 4, 3, 5])), (np.array([1, 1]), np.array([2, 2, 2])))
def longest_common_subsequence(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    return table[len(a), len(b)], table


@case((np.array([11, 9, 20, 20, 9, 14]), np.array([19, 9, 20, 20, 9, 14, 7])), (np.array([1, 2]), np.array([2, 1])))
def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return int(d[n, m])


@case((np.array([1, 3, 4, 5]), np.array([1, 4, 5, 7]), 7), (np.array([2]), np.array([3]), 1))
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for k in range(len(weights)):
        w = int(weights[k])
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + values[k])
    return best[capacity], best


@case((np.array([1, 5, 10, 25]), 30), (np.array([2]), 3))
def coin_change(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for coin in coins:
        for a in range(int(coin), amount + 1):
            ways[a] += ways[a - int(coin)]
    return ways


@case((np.array([[0.0, 3.0, np.inf], [np.inf, 0.0, 1.0], [2.0, np.inf, 0.0]]),), (np.zeros((1, 1)),))
def floyd_warshall(graph):
    d = graph.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


@case((np.array([[0.0, 2.0, 6.0], [2.0, 0.0, 3.0], [6.0, 3.0, 0.0]]), 0))
def dijkstra(graph, start):
    n = len(graph)
    distance = np.full(n, np.inf)
    visited = np.zeros(n, dtype=bool)
    distance[start] = 0.0
    for _ in range(n):
        nearest = -1
        for v in range(n):
            if not visited[v] and (nearest < 0 or distance[v] < distance[nearest]):
                nearest = v
        visited[nearest] = True
        for v in range(n):
            if graph[nearest, v] > 0:
                distance[v] = min(distance[v], distance[nearest] + graph[nearest, v])
    return distance


@case((np.array([[4.0, 3.0], [6.0, 3.0]]),), (np.array([[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]]),))
def lu_decomposition(a):
    n = len(a)
    lower, upper = np.eye(n), a.copy()
    for k in range(n):
        for i in range(k + 1, n):
            factor = upper[i, k] / upper[k, k]
            lower[i, k] = factor
            upper[i, k:] -= factor * upper[k, k:]
    return lower, upper


@case((np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]), 10))
def jacobi(a, b, steps):
    x = np.zeros(len(b))
    for _ in range(steps):
        new = np.zeros(len(b))
        for i in range(len(b)):
            total = b[i] + 0.0
            for j in range(len(b)):
                if j != i:
                    total -= a[i, j] * x[j]
            new[i] = total / a[i, i]
        x = new
    return x


@case((np.array([[2.0, 1.0], [1.0, 3.0]]), 12), tolerance=PRODUCTS)
def power_iteration(a, steps):
    v = np.ones(2)
    for _ in range(steps):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
    return v @ a @ v, v


@case((np.array([[1, 1], [1, 0]]), 10), (np.array([[2, 0], [0, 3]]), 0))
def matrix_power(a, n):
    result = np.eye(2, dtype=np.int64)
    while n:
        if n % 2:
            result = result @ a
        a = a @ a
        n //= 2
    return result


@case((M, np.arange(8.0).reshape(4, 2)))
def product_by_hand(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out, a @ b


@case((np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 1), (np.eye(4, dtype=np.int64), 3))
def game_of_life(board, steps):
    n, m = board.shape
    for _ in range(steps):
        new = np.zeros((n, m), dtype=np.int64)
        for i in range(n):
            for j in range(m):
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di != 0 or dj != 0) and 0 <= i + di < n and 0 <= j + dj < m:
                            alive += board[i + di, j + dj]
                new[i, j] = 1 if alive == 3 or (alive == 2 and board[i, j] == 1) else 0
        board = new
    return board


@case((np.array([0.0, 0.0, 1.0, 0.0, 0.0]), 0.25, 5), (np.ones(3), 0.5, 0))
def heat_equation(u, r, steps):
    for _ in range(steps):
        v = u.copy()
        v[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = v
    return u


@case((np.array([0, 0, 0, 1, 0, 0, 0]), 90, 3), (np.array([1, 0, 1]), 110, 2))
def cellular_automaton(cells, rule, steps):
    n = len(cells)
    for _ in range(steps):
        new = np.zeros(n, dtype=np.int64)
        for k in range(n):
            pattern = 4 * cells[(k - 1) % n] + 2 * cells[k] + cells[(k + 1) % n]
            new[k] = (rule >> int(pattern)) & 1
        cells = new
    return cells


@case((np.array([0.0, 1.0, 3.0]), np.array([0.0, 10.0, 30.0]), 2.0), (np.array([0.0, 1.0]), np.array([5.0, 7.0]), 0.25))
def linear_interpolation(xs, ys, x):
    for k in range(len(xs) - 1):
        if xs[k] <= x <= xs[k + 1]:
            t = (x - xs[k]) / (xs[k + 1] - xs[k])
            return ys[k] * (1 - t) + ys[k + 1] * t
    return ys[-1]


@case((np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 7.0]), 1.5))
def lagrange_interpolation(xs, ys, x):
    total = 0.0
    for i in range(len(xs)):
        term = ys[i] * 1.0
        for j in range(len(xs)):
            if i != j:
                term = term * (x - xs[j]) / (xs[i] - xs[j])
        total = total + term
    return total


@case((np.array([1.0, -2.0, 3.0]), 2.0), (np.array([5.0]), 3.0))
def horner(coefficients, x):
    result = 0.0
    for c in coefficients:
        result = result * x + c
    return result


@case((V, np.array([0.5, 0.25])), (np.ones(3), np.ones(3)))
def convolution_by_hand(x, kernel):
    n, m = len(x), len(kernel)
    out = np.zeros(n + m - 1)
    for i in range(n):
        for j in range(m):
            out[i + j] += x[i] * kernel[j]
    return out


@case((np.array([0.1, 0.4, 0.45, 0.9, 0.95, 0.99]), 4), (np.array([0.0]), 2))
def histogram(x, bins):
    counts = np.zeros(bins, dtype=np.int64)
    for v in x:
        counts[min(int(v * bins), bins - 1)] += 1
    return counts


@case((V, 2), (V, 5), (V, 1))
def moving_average(x, w):
    out = np.zeros(len(x) - w + 1)
    for k in range(len(out)):
        out[k] = x[k : k + w].sum() / w
    return out


@case((np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), np.array([[1.0, 2.0], [5.0, 6.0]])))
def nearest_centres(points, centres):
    labels = np.zeros(len(points), dtype=np.int64)
    for i in range(len(points)):
        best = np.inf
        for j in range(len(centres)):
            d = ((points[i] - centres[j]) ** 2).sum()
            if d < best:
                best = d
                labels[i] = j
    return labels


@case((np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 5.0, 7.0, 9.0]), 50))
def linear_regression_by_descent(x, y, steps):
    w = b = 0.0
    for _ in range(steps):
        error = w * x + b - y
        w = w - 0.05 * (error * x).mean()
        b = b - 0.05 * error.mean()
    return w, b


@case((M,), (np.ones((2, 2)),))
def slices_and_views(x):
    row, column, block = x[1], x[:, 1], x[:2, 1:]
    row[0] = 100.0
    block[0, 0] = -1.0
    return x, row.sum(), column, x[::-1], x[..., 0], x[:, None, :].shape, x.T


@case((V, np.array([4, 0, 2])), (INTS, np.array([1, -1])))
def index_arrays(x, k):
    y = x[k]
    x[k] = 0
    return y, x


@case((V,), (INTS,))
def masks(x):
    large = x > 2
    y = x * 1
    y[large] = 2
    y[y < 0] += 10
    return x[large], y, large.sum(), (~large).any(), np.where(large, x, -x)


@case((V, 2.0), (M, -0.5), (np.float64(3.0), 2.0))
def in_place_operators(x, k):
    y = x + 0
    y += k
    y -= 1
    y *= k
    y /= 2
    y **= 2
    return y


@case((M,), (np.ones((1, 3)),), tolerance=1e-12)
def normalised_rows(x):
    total = x.sum(axis=1, keepdims=True)
    y = x / total
    return y, y.mean(axis=0), y.std(), y.max(axis=1), y.argmax(axis=0)


@case((np.arange(24).reshape(2, 3, 4),))
def shapes(x):
    return (
        x.shape, x.ndim, x.size, len(x), x.dtype, x.T.shape, x.reshape(6, -1).shape, x.transpose(1, 0, 2)[2, 1],
        x.ravel()[5], x.swapaxes(0, 1).shape, x[0].flatten().sum(), x.squeeze().shape,
    )  # fmt: skip


@case((np.arange(3, dtype=np.int32), np.float32(0.5)), (np.arange(3, dtype=np.uint8), np.float32(2)))
def dtypes(x, k):
    return x + 1, x * k, x / 2, x.astype(np.float32) * 2.5, x // 2, x - 1, x.astype(bool), (x * 200).dtype


@case((V,), (np.array([2.0, 2.0]),))
def iteration_and_truth(x):
    total = 0.0
    for k, v in enumerate(x):
        if v:
            total += k * v
    a, b, *_ = x
    return total, a + b, bool(x[0]), x[0] == x[1], float(x[0]), int(x[1]), 2.0 in x


@case((np.zeros(6), 3), (np.zeros(4), 1))
def writes_by_computed_index(x, k):
    for i in range(len(x)):
        x[(i * k) % len(x)] += i
        x[i // 2] *= 2
    return x


@case((M, 1), (M, 2))
def swap_rows(x, k):
    row = x[0].copy()
    x[0] = x[k]
    x[k] = row
    return x


@case((np.array([3, 1, 2]),), (np.array([0]),))
def permutation_inverse(p):
    inverse = np.zeros(len(p), dtype=np.int64)
    q = p - p.min()
    for k in range(len(q)):
        inverse[q[k]] = k
    return inverse, q[inverse]


@case((6,), (1,))
def pascal_triangle(n):
    t = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        t[i, 0] = 1
        for j in range(1, i + 1):
            t[i, j] = t[i - 1, j - 1] + t[i - 1, j]
    return t


@case((4,), (5,))
def spiral(n):
    grid = np.zeros((n, n), dtype=np.int64)
    i = j = 0
    di, dj = 0, 1
    for k in range(1, n * n + 1):
        grid[i, j] = k
        if not (0 <= i + di < n and 0 <= j + dj < n) or grid[i + di, j + dj] != 0:
            di, dj = dj, -di
        i += di
        j += dj
    return grid


@case(
    (np.array([0.5, -1.0, 2.0]), np.array([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]]), np.array([0.1, 0.2])),
    tolerance=PRODUCTS,
)
def dense_layer(x, w, b):
    h = w @ x + b
    h = np.maximum(h, 0.0)
    e = np.exp(h - h.max())
    return e / e.sum()


@case((np.array([1.0, 0.0, -1.0, 0.0]),))
def discrete_fourier_transform(x):
    n = len(x)
    re, im = np.zeros(n), np.zeros(n)
    for k in range(n):
        for t in range(n):
            angle = 2 * np.pi * k * t / n
            re[k] += x[t] * np.cos(angle)
            im[k] -= x[t] * np.sin(angle)
    return re, im


@case((np.array([[1, 2], [3, 4]]),), (np.array([[0, 1], [2, 3]]),), tolerance=PRODUCTS)
def markov_steps(a):
    p = a / a.sum(axis=1, keepdims=True)
    state = np.array([1.0, 0.0])
    for _ in range(8):
        state = state @ p
    return state


@case((np.array([2.0, 7.0, 1.0, 8.0, 2.0]), 3), (np.array([1.0, 2.0]), 1))
def largest_k(x, k):
    rest = x.copy()
    out = np.zeros(k)
    for i in range(k):
        j = int(rest.argmax())
        out[i] = rest[j]
        rest[j] = -np.inf
    return out


@case((np.arange(5.0), 7), (np.arange(5.0), 2))
def failing_index_after_writes(x, n):
    for k in range(n):
        x[k] = -1.0
    return x


@case((np.ones(3), np.ones(4)), (np.ones(3), np.ones(3)))
def failing_shapes(x, y):
    z = x * 2
    return z + y


@case((5, 40), (5, 0), (0, 3), (-3, 2), (-3, 0))
def made_in_each_round(n, m):
    rows = [np.zeros(n) for _ in range(m)]
    for k in range(m):
        rows.append(np.ones(n) * k)
    return rows, sum(r.sum() for r in rows)
