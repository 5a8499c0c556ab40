"""Programs with dicts, sets, lists, strings and objects, as plain Python."""

from __future__ import annotations

import heapq


def word_count(text):
    counts = {}
    for line in text.split("\n"):
        for word in line.split():
            word = word.strip(".,;:!?\"'()").lower()
            if word:
                counts[word] = counts.get(word, 0) + 1
    return counts


def inverted_index(text):
    index = {}
    for number, line in enumerate(text.split("\n")):
        for word in line.split():
            if word not in index:
                index[word] = []
            places = index[word]
            if not places or places[-1] != number:
                places.append(number)
    return index


def tokens(text):
    found = []
    i = 0
    n = len(text)
    while i < n:
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < n and text[j].isdigit():
                j += 1
            found.append(("number", text[i:j]))
            i = j
        elif c.isalpha() or c == "_":
            j = i
            while j < n and (text[j].isalnum() or text[j] == "_"):
                j += 1
            found.append(("name", text[i:j]))
            i = j
        else:
            found.append(("operator", c))
            i += 1
    return found


def numbers(text):
    i = 0
    n = len(text)
    found = []
    while i < n:
        c = text[i]
        if c in "[], \n":
            i += 1
        else:
            j = i
            while j < n and text[j] not in "[], \n":
                j += 1
            piece = text[i:j]
            if "." in piece or "e" in piece:
                found.append(float(piece))
            else:
                found.append(float(int(piece)))
            i = j
    return found


def dijkstra(n, starts, ends, weights):
    graph = [[] for _ in range(n)]
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


def memoised(n, m):
    memo = {}

    def paths(i, j):
        if i == 0 or j == 0:
            return 1
        key = (i, j)
        if key in memo:
            return memo[key]
        found = (paths(i - 1, j) + paths(i, j - 1)) % 1_000_007
        memo[key] = found
        return found

    return paths(n, m)


def union_find(n, firsts, seconds):
    parent = {}

    def find(x):
        root = x
        while parent.get(root, root) != root:
            root = parent[root]
        while parent.get(x, x) != root:
            following = parent[x]
            parent[x] = root
            x = following
        return root

    groups = n
    for k in range(len(firsts)):
        a = find(firsts[k])
        b = find(seconds[k])
        if a != b:
            parent[a] = b
            groups -= 1
    return groups


def levenshtein(a, b):
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a):
        current = [i + 1]
        for j, cb in enumerate(b):
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + (ca != cb)))
        previous = current
    return previous[-1]


def longest_common(a, b):
    n, m = len(a), len(b)
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    found = ""
    i, j = n, m
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            found = a[i - 1] + found
            i -= 1
            j -= 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def sudoku(text):
    cells = [int(c) for c in text]
    rows = [set() for _ in range(9)]
    columns = [set() for _ in range(9)]
    blocks = [set() for _ in range(9)]
    for k in range(81):
        v = cells[k]
        if v:
            rows[k // 9].add(v)
            columns[k % 9].add(v)
            blocks[k // 27 * 3 + k % 9 // 3].add(v)

    def solve():
        best = -1
        options = set()
        for k in range(81):
            if cells[k] == 0:
                left = {1, 2, 3, 4, 5, 6, 7, 8, 9} - rows[k // 9] - columns[k % 9] - blocks[k // 27 * 3 + k % 9 // 3]
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
            if solve():
                return True
            cells[best] = 0
            rows[r].remove(v)
            columns[c].remove(v)
            blocks[b].remove(v)
        return False

    solve()
    return "".join([str(v) for v in cells])


class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.data = {}
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
