"""Lists of lists whose lengths are known only at run time: filled, grown, shared, sorted, gone through, made arrays of."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((5, 7), (1, 1), (40, 3), (0, 4), (3, 0))
def table_of_products(n, m):
    grid = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            grid[i][j] = i * j
    return grid


@case((4,), (40,), (1,), (0,))
def rows_that_grow(n):
    rows = []
    for i in range(n):
        row = [1]
        for j in range(i):
            row.append(row[-1] + j)
        rows.append(row)
    return rows


@case((5, [3, 1, 4, 1, 5, 9, 2, 6]), (40, list(range(0, 200, 7))))
def neighbours(n, edges):
    around = [[] for _ in range(n)]
    for e in edges:
        u, v = e % n, (e * 7) % n
        around[u].append(v)
        around[v].append(u)
    return around


@case((6, [3, 1, 4, 1, 5, 9, 2, 6]), (40, list(range(0, 200, 3))))
def distances(n, edges):
    around = [[] for _ in range(n)]
    for e in edges:
        around[e % n].append((e * 7) % n)
    found = [-1] * n
    found[0] = 0
    level = [0]
    while level:
        following = []
        for u in level:
            for v in around[u]:
                if found[v] < 0:
                    found[v] = found[u] + 1
                    following.append(v)
        level = following
    return found


@case((900,), (0,), (7,))
def chosen_by_the_run(n):
    grid = [[0] * 30 for _ in range(30)]
    for i in range(n):
        grid[i % 30][(i * 7) % 30] += i
    return grid


@case((40,), (2,))
def one_row_three_times(n):
    grid = [[0] * n] * 3
    grid[0][1] = 5
    row = grid[1]
    row.append(9)
    return grid, grid[0] is grid[2], len(grid[2])


@case(("ABCBDAB", "BDCABA"), ("", "x"))
def longest_common_subsequence(a, b):
    first, second = [ord(c) for c in a], [ord(c) for c in b]
    n, m = len(first), len(second)
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if first[i] == second[j]:
                best[i + 1][j + 1] = best[i][j] + 1
            else:
                best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j])
    return best[n][m]


@case((20,), (1,), (0,), (45,))
def triangle(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        rows.append([1] + [last[k] + last[k + 1] for k in range(len(last) - 1)] + [1])
    return rows


@case((40,), (3,))
def weighted_edges(n):
    graph = [[] for _ in range(n)]
    for i in range(n - 1):
        graph[i].append((i + 1, i * 0.5))
        graph[i + 1].append((i, 1.5))
    total = 0.0
    for u in range(n):
        for v, w in graph[u]:
            total += v * w
    return total, graph


@case((35,), (2,))
def three_deep(n):
    cube = [[[0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            cube[i][j][(i + j) % n] = i
            cube[i][j].append(j)
    return cube


@case((40,), (4,))
def methods_of_rows(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.insert(0, j * j)
        row.sort()
        row.reverse()
        rows.append(row)
        if len(rows) > 2:
            rows[0].extend(row)
            rows[1] += [7]
            rows[-1].pop(0)
            del rows[0][0]
    rows[1].clear()
    return rows, sum(len(r) for r in rows), [sum(r) for r in rows], rows[0] == rows[1], [3] in rows, sorted(rows)


@case((40, 1), (5, 0))
def kept_on_some_paths(n, c):
    kept = []
    for i in range(n):
        row = []
        if i % 2 == c:
            kept.append(row)
        row.append(i)
    return kept


@case((40,), (3,))
def exchanged_rows(n):
    grid = [[i] * (i + 1) for i in range(n)]
    grid[0], grid[1] = grid[1], grid[0]
    now = grid[0]
    for i in range(n):
        if i % 2:
            now = grid[i]
        now.append(i)
    return grid, now


@case((40,), (6,))
def arrays_of_them(n):
    grid = [[i * j for j in range(n)] for i in range(n)]
    cube = [[[i * j + 0.5 * k for k in range(3)] for j in range(n)] for i in range(n)]
    return np.array(grid).sum(axis=0), np.array(cube)


@case((40,))
def no_array_of_them(n):
    return np.array([[0] * (i + 1) for i in range(n)])


@case((40,), (6,))
def in_order(n):
    rows = [[(i * 7) % 5, i] for i in range(n)]
    rows[3].append(1)
    return sorted(rows), sorted(rows, reverse=True), sorted(rows, key=len), sorted(rows, key=lambda r: r[0])


@case((3,), (0,), (5,))
def all_words(n):
    found = []

    def extend(left, word):
        if left == 0:
            found.append(word[:])
            return
        for letter in range(3):
            word.append(letter)
            extend(left - 1, word)
            word.pop()

    extend(n, [])
    return found


@case((40,), (4,))
def comprehensions_of_them(n):
    rows = [list(range(i)) for i in range(n)]
    columns = [[r[k] for r in rows if len(r) > k] for k in range(n)]
    longest = max(map(len, rows))
    return columns, [len(r) for r in columns], longest, [x for r in rows for x in r], any(3 in r for r in rows)


@case((40, 50, 7), (3, 3, 1))
def islands(h, w, seed):
    land = [[(i * seed + j * j) % 3 == 0 for j in range(w)] for i in range(h)]
    seen = [[False] * w for _ in range(h)]
    count = 0
    for i in range(h):
        for j in range(w):
            if land[i][j] and not seen[i][j]:
                count += 1
                open_ = [(i, j)]
                seen[i][j] = True
                while open_:
                    y, x = open_.pop()
                    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        a, b = y + dy, x + dx
                        if 0 <= a < h and 0 <= b < w and land[a][b] and not seen[a][b]:
                            seen[a][b] = True
                            open_.append((a, b))
    return count


@case((40,), (3,))
def past_the_end_of_a_row(n):
    grid = [[0] * n for _ in range(n)]
    grid[n - 1][n] = 3
    return grid


@case((40, 3), (5, 2))
def game_of_life(n, steps):
    cells = [[(i * j + i) % 3 == 1 for j in range(n)] for i in range(n)]
    for _ in range(steps):
        following = [[False] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                around = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di or dj) and cells[(i + di) % n][(j + dj) % n]:
                            around += 1
                following[i][j] = around == 3 or (cells[i][j] and around == 2)
        cells = following
    return [sum(row) for row in cells]


@case((40,), (4,))
def transposed_in_place(n):
    grid = [[i + j for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(i):
            grid[i][j], grid[j][i] = grid[j][i], grid[i][j]
    grid.reverse()
    row = grid.pop()
    grid.insert(0, row)
    return grid, grid[1:3], grid[0] is row


@case((5,), (40,))
def row_changed_after_it_was_appended(n):
    grid = []
    for i in range(n):
        row = [i, 0]
        grid.append(row)
        row[1] = i
    return grid


@case((5,), (40,))
def one_row_appended_again_and_again(n):
    row = [0, 0]
    grid = []
    for i in range(n):
        grid.append(row)
        row[0] += i
    return grid, row


@case((40,), (2,))
def printed(n):
    grid = [[i] * n for i in range(n)]
    for row in grid:
        print(len(row), row[0])
    print(grid[1])


def _table(n, m):
    return [[(i * 7 + j * 3) % 11 for j in range(m)] for i in range(n)]


@case((_table(5, 5),), (_table(20, 20),), (_table(7, 30),), (_table(2, 2),))
def sum_of_a_given_table(grid):
    total = 0
    for i in range(len(grid)):
        for j in range(len(grid[0])):
            total += grid[i][j] * (i - j)
    return total


@case((_table(5, 5),), (_table(20, 20),), (_table(1, 40),))
def given_rows_changed(grid):
    for i in range(len(grid)):
        grid[i][0] += 100 + i
    grid[0].append(7)
    return grid, grid[-1], grid[0] is grid[-1]


@case((_table(5, 4),), (_table(20, 4),))
def given_table_with_other_rows(grid):
    grid.append([1, 2])
    grid[0] = grid[1]
    grid[-1].append(5)
    return grid[0] is grid[1], len(grid), sum(sum(row) for row in grid)


@case(([_table(3, 3)] * 2 + [_table(4, 4)],), ([_table(6, 6) for _ in range(4)],))
def given_three_deep(cube):
    cube[0][0][0] = 50
    sums = [[sum(row) for row in page] for page in cube]
    return sums, max(max(max(row) for row in page) for page in cube)


@case((_table(5, 4), _table(4, 5)), (_table(6, 4), _table(4, 6)))
def product_of_two_given(a, b):
    made = [[0] * len(b[0]) for _ in range(len(a))]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                made[i][j] += a[i][k] * b[k][j]
    return made


@case(([[1, 2]] * 2 + [[3, 4]] * 20,), (_table(8, 8),))
def given_rows_in_order(grid):
    return grid[2], grid[0] == grid[1], sorted(grid), [row[::-1] for row in grid], np.array(grid).sum(axis=1)


_SUDOKU = [  # the last rows are filled in: the interpreters run it too
    [5, 3, 0, 0, 7, 0, 0, 0, 0], [6, 0, 0, 1, 9, 5, 0, 0, 0], [0, 9, 8, 0, 0, 0, 0, 6, 0],
    [8, 0, 0, 0, 6, 0, 0, 0, 3], [4, 0, 0, 8, 0, 3, 0, 0, 1], [7, 1, 3, 9, 2, 4, 8, 5, 6],
    [9, 6, 1, 5, 3, 7, 2, 8, 4], [2, 8, 7, 4, 1, 9, 6, 3, 5], [3, 4, 5, 2, 8, 6, 1, 7, 9],
]  # fmt: skip


@case((_SUDOKU,))
def sudoku(grid):
    def fits(r, c, v):
        for k in range(9):
            if grid[r][k] == v or grid[k][c] == v:
                return False
        for i in range(3):
            for j in range(3):
                if grid[r // 3 * 3 + i][c // 3 * 3 + j] == v:
                    return False
        return True

    def solve():
        for r in range(9):
            for c in range(9):
                if grid[r][c] == 0:
                    for v in range(1, 10):
                        if fits(r, c, v):
                            grid[r][c] = v
                            if solve():
                                return True
                            grid[r][c] = 0
                    return False
        return True

    return solve(), grid


@case(([[0] * 12 for _ in range(9)], 3, 3), ([[(i * j) % 2 for j in range(8)] for i in range(8)], 0, 0))
def flooded(grid, r, c):
    def spread(r, c):
        if r < 0 or c < 0 or r >= len(grid) or c >= len(grid[0]) or grid[r][c] != 0:
            return 0
        grid[r][c] = 2
        return 1 + spread(r + 1, c) + spread(r - 1, c) + spread(r, c + 1) + spread(r, c - 1)

    return spread(r, c)


@case((_table(6, 6),), (_table(30, 3),))
def raised_after_a_change(grid):
    grid[0][0] = 99
    grid[1].append(5)
    return grid[len(grid)][0]


@case(([[1] * k for k in range(1, 9)],))
def items_that_may_not_be_there(grid):
    total = 0
    for row in grid:
        try:
            total += row[3]
        except IndexError:
            total -= 1
    return total


@case((40,), (5,))
def in_the_order_of_what_they_need(n):
    after, needs = [[] for _ in range(n)], [0] * n
    for i in range(n):
        for j in range(i + 1, n, 3):
            after[i].append(j)
            needs[j] += 1
    found, ready = [], [i for i in range(n) if needs[i] == 0]
    while ready:
        u = ready.pop(0)
        found.append(u)
        for v in after[u]:
            needs[v] -= 1
            if needs[v] == 0:
                ready.append(v)
    return found


@case((_table(6, 6),), (_table(20, 2),))
def given_rows_exchanged(grid):
    grid[0], grid[1] = grid[1], grid[0]
    grid[0][0], grid[1][1] = grid[1][1], grid[0][0]
    grid.sort(key=lambda row: row[1])
    del grid[2]
    return grid


@case((_table(6, 6), {"n": 1}), (_table(20, 2), {"n": 2}))
def always_raises_after_changes(grid, d):
    d["n"] += 5
    grid[0][0] = 7
    raise ValueError(d["n"])
