"""The programs as a user of Numba writes them: typed dicts and lists where it infers none, module-level recursion. What is not
here, Numba runs as it is, or not at all (`workloads/containers.py` says why)."""

from __future__ import annotations

import heapq

from numba import int64, njit, types
from numba.experimental import jitclass
from numba.typed import Dict, List

PLACES = types.ListType(types.int64)
EDGE = types.Tuple([types.int64, types.float64])
PAIR = types.UniTuple(types.int64, 2)


@njit
def word_count(text):
    counts = Dict.empty(types.unicode_type, types.int64)
    for line in text.split("\n"):
        for word in line.split():
            word = word.strip(".,;:!?\"'()").lower()
            if word:
                counts[word] = counts.get(word, 0) + 1
    return counts


@njit
def inverted_index(text):
    index = Dict.empty(types.unicode_type, PLACES)
    for number, line in enumerate(text.split("\n")):
        for word in line.split():
            if word not in index:
                index[word] = List.empty_list(types.int64)
            places = index[word]
            if not places or places[-1] != number:
                places.append(number)
    return index


@njit
def dijkstra(n, starts, ends, weights):
    graph = List()
    for _ in range(n):
        graph.append(List.empty_list(EDGE))
    for k in range(len(starts)):
        graph[starts[k]].append((ends[k], weights[k]))
    distances = {0: 0.0}
    heap = [(0.0, 0)]
    done = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, w in graph[u]:
            farther = d + w
            if v not in distances or farther < distances[v]:
                distances[v] = farther
                heapq.heappush(heap, (farther, v))
    return distances


@njit
def paths(memo, i, j):
    if i == 0 or j == 0:
        return 1
    key = (i, j)
    if key in memo:
        return memo[key]
    found = (paths(memo, i - 1, j) + paths(memo, i, j - 1)) % 1_000_007
    memo[key] = found
    return found


@njit
def memoised(n, m):
    return paths(Dict.empty(PAIR, types.int64), n, m)


@njit
def find(parent, x):
    root = x
    while parent.get(root, root) != root:
        root = parent[root]
    while parent.get(x, x) != root:
        following = parent[x]
        parent[x] = root
        x = following
    return root


@njit
def union_find(n, firsts, seconds):
    parent = Dict.empty(types.int64, types.int64)
    groups = n
    for k in range(len(firsts)):
        a = find(parent, firsts[k])
        b = find(parent, seconds[k])
        if a != b:
            parent[a] = b
            groups -= 1
    return groups


@njit
def solve(cells, rows, columns, blocks):
    best = -1
    options = set(range(0))  # a literal has a type of its own
    for k in range(81):
        if cells[k] == 0:
            left = set(range(1, 10)) - rows[k // 9] - columns[k % 9] - blocks[k // 27 * 3 + k % 9 // 3]
            if best < 0 or len(left) < len(options):
                best = k
                options = left
    if best < 0:
        return True
    r, c, b = best // 9, best % 9, best // 27 * 3 + best % 9 // 3
    for v in sorted(options):
        cells[best] = v
        rows[r].add(v)
        columns[c].add(v)
        blocks[b].add(v)
        if solve(cells, rows, columns, blocks):
            return True
        cells[best] = 0
        rows[r].remove(v)
        columns[c].remove(v)
        blocks[b].remove(v)
    return False


@njit
def sudoku(text):
    cells = [ord(c) - ord("0") for c in text]  # no int() of strings
    rows = [set(range(0)) for _ in range(9)]  # set() alone has no type in a list
    columns = [set(range(0)) for _ in range(9)]
    blocks = [set(range(0)) for _ in range(9)]
    for k in range(81):
        v = cells[k]
        if v:
            rows[k // 9].add(v)
            columns[k % 9].add(v)
            blocks[k // 27 * 3 + k % 9 // 3].add(v)
    solve(cells, rows, columns, blocks)
    return "".join([str(v) for v in cells])


@jitclass([("capacity", int64), ("data", types.DictType(int64, int64)), ("hits", int64)])
class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.data = Dict.empty(types.int64, types.int64)
        self.hits = 0

    def get(self, key):
        if key in self.data:
            value = self.data.pop(key)
            self.data[key] = value
            self.hits += 1
            return value
        return -1

    def put(self, key, value):
        if key in self.data:
            self.data.pop(key)
        elif len(self.data) >= self.capacity:
            oldest = next(iter(self.data))
            del self.data[oldest]
        self.data[key] = value


@njit
def least_recent(keys):
    cache = LRU(50)
    total = 0
    for i in range(len(keys)):
        value = cache.get(keys[i])
        if value < 0:
            cache.put(keys[i], i)
        else:
            total += value
    return total, cache.hits
