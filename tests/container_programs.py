"""Programs over dicts, sets, strings and lists whose keys and lengths the run says: compiled whole, as plain Python."""

from __future__ import annotations

import heapq
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {}


def program(*calls: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program with the calls it is compared for."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = (function, list(calls))
        return function

    return register


_random = random.Random(1)
_WORDS = ["".join(_random.choices("abcdefghij", k=_random.randint(1, 6))) for _ in range(40)]
TEXT = "\n".join(
    " ".join(_random.choice(_WORDS).title() + _random.choice(("", ".", ",", " + 12")) for _ in range(8))
    for _ in range(20)
)
_ENDS = [(_random.randrange(30), _random.randrange(30), _random.random()) for _ in range(80)]
_GRAPH = tuple(list(part) for part in zip(*_ENDS, strict=True))
_GRID = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


@program((TEXT,), ("",), ("a A  a. ß SS",))
def word_count(text):
    counts = {}
    for line in text.split("\n"):
        for word in line.split():
            word = word.strip(".,;:!?\"'()").lower()
            if word:
                counts[word] = counts.get(word, 0) + 1
    return counts


@program((30, *_GRAPH), (1, [], [], []))
def dijkstra(n, starts, ends, weights):
    graph = [[] for _ in range(n)]
    for k in range(len(starts)):
        graph[starts[k]].append((ends[k], weights[k]))
    dist = {0: 0.0}
    heap = [(0.0, 0)]
    done = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, w in graph[u]:
            nd = d + w
            if v not in dist or nd < dist[v]:
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


@program((12, 9), (0, 3))
def memo_paths(n, m):
    memo = {}

    def go(i, j):
        if i == 0 or j == 0:
            return 1
        key = (i, j)
        if key in memo:
            return memo[key]
        r = (go(i - 1, j) + go(i, j - 1)) % 1000007
        memo[key] = r
        return r

    return go(n, m)


@program((6, [0, 1, 4], [1, 2, 5]), (3, [], []))
def union_find(n, a, b):
    parent = {}

    def find(x):
        root = x
        while parent.get(root, root) != root:
            root = parent[root]
        while parent.get(x, x) != root:
            nxt = parent[x]
            parent[x] = root
            x = nxt
        return root

    groups = n
    for k in range(len(a)):
        ra = find(a[k])
        rb = find(b[k])
        if ra != rb:
            parent[ra] = rb
            groups -= 1
    return groups


@program((TEXT,), ("x1 + _y*(3)",), ("",))
def tokenize(text):
    tokens = []
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
            tokens.append(("num", text[i:j]))
            i = j
        elif c.isalpha() or c == "_":
            j = i
            while j < n and (text[j].isalnum() or text[j] == "_"):
                j += 1
            tokens.append(("name", text[i:j]))
            i = j
        else:
            tokens.append(("op", c))
            i += 1
    return tokens


@program((TEXT,), ("",))
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


@program(("kitten", "sitting"), ("", "abc"))
def levenshtein(a, b):
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a):
        current = [i + 1]
        for j, cb in enumerate(b):
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + (ca != cb)))
        previous = current
    return previous[-1]


@program(("abcbdab", "bdcaba"), ("", "a"))
def lcs(a, b):
    n, m = len(a), len(b)
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    out = ""
    i, j = n, m
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            out = a[i - 1] + out
            i -= 1
            j -= 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return out


@program((_GRID,))
def sudoku(text):
    cells = [int(c) for c in text]
    rows = [set() for _ in range(9)]
    cols = [set() for _ in range(9)]
    boxes = [set() for _ in range(9)]
    for k in range(81):
        v = cells[k]
        if v:
            rows[k // 9].add(v)
            cols[k % 9].add(v)
            boxes[k // 27 * 3 + k % 9 // 3].add(v)

    def solve():
        best = -1
        options = set()
        for k in range(81):
            if cells[k] == 0:
                o = {1, 2, 3, 4, 5, 6, 7, 8, 9} - rows[k // 9] - cols[k % 9] - boxes[k // 27 * 3 + k % 9 // 3]
                if best < 0 or len(o) < len(options):
                    best = k
                    options = o
        if best < 0:
            return True
        r, c, b = best // 9, best % 9, best // 27 * 3 + best % 9 // 3
        for v in sorted(options):
            cells[best] = v
            rows[r].add(v)
            cols[c].add(v)
            boxes[b].add(v)
            if solve():
                return True
            cells[best] = 0
            rows[r].remove(v)
            cols[c].remove(v)
            boxes[b].remove(v)
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


@program((300,))
def lru(n):
    cache = LRU(50)
    total = 0
    x = 1
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        k = x % 97
        v = cache.get(k)
        if v < 0:
            cache.put(k, i)
        else:
            total += v
    return total, cache.hits


@program(("[1, 2.5, 1e3]",), ("[]",), ("[1, x]",))
def parse_numbers(text):
    i = 0
    n = len(text)
    out = []
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
                out.append(float(piece))
            else:
                out.append(float(int(piece)))
            i = j
    return out


@program((0,), (7,), (40,))
def counts_by_remainder(n):
    found = {}
    for i in range(n):
        found[i * 7 % 13] = found.get(i * 7 % 13, 0) + 1
    return found, list(found), sorted(found.values())


@program((5, "ab"), (0, ""))
def items_of_several_types(n, s):
    xs = []
    for i in range(n):
        xs.append(i)
        xs.append(str(i))
        xs.append(None if i % 2 else (i, s))
        xs.append(i / 2)
    return xs, len(xs)


@program((3,), (0,))
def nested_and_shared(n):
    groups = {}
    for i in range(n):
        groups.setdefault(i % 2, []).append(i)
    first = groups.get(0)
    if first is not None:
        first.append(99)
    return groups, first


@program(({"a": 1}, "b", 2), ({}, "x", 0))
def changes_what_it_is_given(d, key, value):
    before = len(d)
    d[key] = value
    return before, d


@program(({1: [1, 2]}, 1), ({1: [1, 2]}, 5))
def changes_inside(d, key):
    d[key].append(len(d))
    return d[key]


@program(({3, 1, 2}, 2), ({8, 16}, 5), (set(), 1))
def set_it_is_given(s, x):
    s.discard(x)
    s.add(x + 10)
    return sorted(s), x in s, list(s)


@program(([3, 1, 2], 5), ([], 1))
def heap_in_a_list_given(xs, x):
    heapq.heapify(xs)
    heapq.heappush(xs, x)
    return heapq.heappop(xs), xs


@program((6,), (0,))
def breadth_first(n):
    queue = deque([(0, 0)])
    seen = {0}
    order = []
    while queue:
        node, depth = queue.popleft()
        order.append((node, depth))
        for k in (2 * node + 1, 2 * node + 2):
            if k < n and k not in seen:
                seen.add(k)
                queue.append((k, depth + 1))
    return order


@program(("a-b",), ("",))
def deletes_while_reading(s):
    d = {c: 1 for c in s}
    for c in d:
        del d[c]
    return d


@program((4,), (1,))
def grows_while_reading(n):
    s = set(range(n))
    for v in s:
        s.add(v + 100)
    return s


@program((3, "k"), (0, "zz"))
def missing(n, s):
    d = {i: i for i in range(n)}
    try:
        d[s] = n
        return d[n * 10]
    except KeyError:
        return "missing", len(d)


@program(("x", 3), ("", 0))
def texts_of(s, n):
    parts = [f"{s}{i}" for i in range(n)]
    return "-".join(parts), f"{n:>4}|{n / 3:.2f}|{s!r}", str(n / 7), repr(s) * 2, s.center(n, "*"), s.zfill(5)


@program(("Straße ΑΣ ǆ",), ("hello World",), ("",))
def cases_of(s):
    return s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.isupper(), s.istitle()


@program(("12", "x"), (" -7 ", "1.5"), ("1_0", "inf"), ("٣", "nan"), ("9" * 30, "1e999"))
def numbers_in(a, b):
    try:
        n = int(a)
    except ValueError as error:
        n = str(error)
    try:
        x = float(b)
    except ValueError as error:
        x = str(error)
    return n, x


@program(("a,b,,c",), ("",), ("  x y ",))
def split_apart(s):
    return s.split(","), s.split(), s.rsplit(",", 1), s.partition(","), s.rpartition(","), s.splitlines(), s.strip("a ")


@program((1 << 61,), (-1,), (1,))
def equal_keys(n):
    d = {n: "int"}
    d[float(n)] = "float"
    d[n == 1] = "bool"
    return d, n in d, float(n) in d, hash(n), hash(float(n))


@program((5,), (0,))
def tuples_as_keys(n):
    grid = {(i, j): i * j for i in range(n) for j in range(i)}
    total = 0
    for (i, j), v in grid.items():
        total += v * (i - j)
    return total, (3, 1) in grid, grid.get((n, n), -1)


@program((2,), (0,))
def texts_of_containers(n):
    d = {i: [i] for i in range(n)}
    before = str(d)
    d[n] = [n, 1.5]
    queue = deque()
    for i in range(n):
        queue.append((i, str(i)))
        d[i].append(n)
    return before, f"{d}", "%s" % queue, repr({str(i) for i in range(1)}), d, queue


@program(({7: 7}, ["x"], 2))
def texts_of_what_was_given(d, xs, n):
    for i in range(n):
        d[i] = i
        xs.append(str(i))
    return str(d), str(xs), d, xs


@program(({"a": 1, "b": 2}, 2), ({"a": 1}, 3))
def grown_before_a_break(d, wanted):
    for key in d:
        if d[key] == wanted:
            d["found"] = 1
            break
    return d


@program(("abcab", 3), ("", 0))
def counters(s, n):
    c = Counter(s)
    c["zz"] += n
    c.update(a=n)
    c.subtract("ba")
    del c["never"]
    return c, c["q"], "q" in c, c.most_common(2), c.most_common(), c.total(), dict(c), str(c), c.copy()


@program(("abcab", "xxb"), ("", ""), ("aab", "aab"))
def operators_of_counters(s, t):
    a, b = Counter(s), Counter(t)
    b.subtract("xyz")
    made = a + b, a - b, a & b, a | b, +b, -b, list(a.elements())
    told = a == b, a <= b, a < b, a >= b, a > b, a != b, a == dict(a), Counter(a=0) == Counter()
    c, d, e, f = a.copy(), a.copy(), a.copy(), Counter(a)
    c += b
    d -= b
    e |= b
    f &= b
    return made, told, c, d, e, f


def _three():
    return 3


@program((7,), (0,))
def default_dicts(n):
    groups = defaultdict(list)
    sums = defaultdict(int, {"a": 1})
    threes = defaultdict(lambda: 3)
    named = defaultdict(_three)
    nested = defaultdict(lambda: defaultdict(set))
    for i in range(n):
        groups[i % 3].append(i)
        sums[str(i % 2)] += i
        nested[i % 2][i % 3].add(i)
    threes[n] += 1
    asked = named[n], named.get(-1), threes.copy()[5], len(groups[99]), str(sums), groups == {99: []}
    nothing = defaultdict()
    try:
        nothing["a"]
    except KeyError as error:
        return groups, sums, threes, named, nested, asked, nothing, error.args[0]


@program((7,), (3,), (0,))
def ordered_dicts(n):
    d = OrderedDict((i, i * i) for i in range(n))
    e = OrderedDict(d)
    if n > 2:
        d.move_to_end(0)
        d.move_to_end(2, last=False)
        first = d.popitem(last=False)
    try:
        for k in e:
            if k == n - 2:
                e["new"] = 1
    except RuntimeError:
        first = "mutated"
    told = d == e, d == dict(d), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), d != e
    return d, e, told, list(d), d.popitem() if d else None, d | {n: 0}


@program(([1, 2, 3, 1, 4, 5, 1, 2], 3), ([], 1))
def lru_of_an_ordered_dict(keys, capacity):
    cache = OrderedDict()
    hits = 0
    for key in keys:
        if key in cache:
            cache.move_to_end(key)
            hits += 1
        else:
            cache[key] = key * key
            if len(cache) > capacity:
                cache.popitem(last=False)
    return cache, hits


@program((5, 3), (5, 0), (3, 9))
def deques_of_bounded_length(n, most):
    d = deque(maxlen=most)
    for i in range(n):
        d.append(i)
    e = deque(range(n), most)
    e.appendleft(-1)
    e.extendleft([7, 8])
    e.rotate(2)
    f = d.copy()
    f.extend(f)
    f.extendleft(f)
    g = d + e
    f += [1]
    return d, e, e.maxlen, f, g, str(d), d == e, list(e), len(d), deque().maxlen


@program((5,), (2,), (3,))
def deques_that_change_while_read(n):
    d = deque(range(n))
    try:
        for x in d:
            if x == 2:
                d.append(9)
    except RuntimeError as error:
        return str(error), d
    try:
        return d[1:]
    except TypeError as error:
        return str(error), d


@program((4, 3), (4, 9), (4, 5))
def places_in_deques(n, most):
    d = deque(range(n), maxlen=most)
    try:
        d.insert(1, 9)
    except IndexError as error:
        return d, str(error)
    d.remove(9)
    d.insert(-1, 8)
    del d[0]
    d.reverse()
    try:
        d.pop(0)
    except TypeError as error:
        return d, d.index(8), d.count(8), 8 in d, d.pop(), d.popleft(), str(error)


@program(("ab", 3), ("", 0))
def operators_that_are_not_there(s, n):
    told = []
    try:
        told.append(s + n)
    except TypeError as error:
        told.append(str(error))
    xs = [n]
    try:
        xs + s
    except TypeError as error:
        told.append(str(error))
    try:
        Counter(s) + {s: n}
    except TypeError as error:
        told.append(str(error))
    return told, s in "abc", s not in "xyz"


@program(
    (9, 2, 1, 8),
    (9, -2, -1, -9),
    (9, 3, None, None),
    (5, -1, None, None),
    (5, 1, 1, 3),
    (0, 2, None, None),
    (3, 0, 0, 0),
    (7, -3, 100, -100),
    (7, 4, -3, None),
    (4, 2**63 - 1, None, None),
)
def slices_with_steps(n, step, start, stop):
    xs = [str(i) for i in range(n)]
    text = "".join(xs)
    told = xs[::2], xs[::-1], xs[1::3], text[::-2]
    ys, zs = list(xs), list(xs)
    ys[::2] = [c + "!" for c in ys[::2]]
    del zs[::3]
    taken = xs[start:stop:step], text[start:stop:step]
    ys[start:stop:step] = ["new"] * len(taken[0])
    del zs[1::step]
    if n > 5:
        ys[::-2] = "ab"
    zs[:: abs(step) - 1] = zs
    return told, taken, ys, zs


@program(("a,b,ccc,,b,12",), ("x",))
def going_through_in_other_ways(s):
    words = s.split(",")
    lengths = {w: len(w) for w in words}
    longest = max(words, key=len, default="")
    found = sum(1 for w in words if w), max(len(w) for w in words), min((w for w in lengths), key=len)
    by_two = [a + b for a, b in zip((w for w in words), lengths)]
    kept = (
        list(filter(str.isdigit, words)),
        [w for w in words if len(w) > 1],
        list(map(lambda a, b: a + b, words, words[1:])),
    )
    joined = ",".join(w for w in words if w), "".join(reversed(s)), "-".join(sorted(set(s))), "".join(lengths)
    return longest, found, by_two, kept, joined, sorted(lengths.items(), key=lambda kv: (-kv[1], kv[0])), max(s), min(s)


@program((5,), (1,))
def going_backwards(n):
    d = {i: str(i) for i in range(n)}
    queue = deque(d)
    xs = list(range(n))
    seen = []
    for x in reversed(xs):
        seen.append(x)
        xs[0] = 9
        if x % 2:
            xs.remove(x)
    first = next(reversed(OrderedDict(d)))
    told = list(reversed(d)), list(reversed(d.items())), list(reversed(queue)), [v for v in reversed(d.values())]
    try:
        for x in reversed(queue):
            queue.append(x)
    except RuntimeError as error:
        return told, first, seen, xs, str(error)


@program((Counter("aab"), "abc"), (Counter("b"), ""), (Counter(), "q"))
def counter_it_is_given(c, s):
    c.update(s)
    c["new"] += 1
    return c, c.most_common(1), len(c)


@program(
    (defaultdict(list, {1: [2]}), 3),
    (defaultdict(list, {1: [2]}), 1),
    (defaultdict(None, {1: [2]}), 3),
    (defaultdict(list, {}), 3),
)
def default_dict_it_is_given(d, k):
    d[k].append(len(d))
    return d


@program((OrderedDict({1: 2, 3: 4, 5: 6}), 3), (OrderedDict({1: 2, 3: 4, 5: 6}), 9), (OrderedDict(), 1))
def ordered_dict_it_is_given(d, k):
    if k in d:
        d.move_to_end(k)
    d[k] = len(d)
    if len(d) > 3:
        d.popitem(last=False)
    return list(d), d


@program((deque([1, 2, 3]), 5), (deque([1, 2, 3], 3), 5), (deque([], 0), 5))
def deque_it_is_given(queue, x):
    queue.append(x)
    queue.rotate(1)
    return queue, queue.maxlen, [v for v in queue], sum(queue)


@program(([Counter("xy")], 5), ([Counter("x")], 5), ([{"x": 1}], 5))
def counters_in_a_list_given(counts, n):
    counts[0]["x"] += n
    counts.append(Counter("ab"))
    return counts


@program((6,), (0,))
def filtered_while_it_changes(n):
    words = [str(i) * (i % 4) for i in range(n)]
    seen = []
    for w in (w for w in words if w):
        seen.append(w)
        words.pop()
    for w in filter(None, words):
        words.pop()
        seen.append(w)
    counts = {w: len(w) for w in words}
    return seen, words, counts, max((w for w in counts if w), key=len, default=""), tuple(i for i in (1, 2))


@program((3,), (9,))
def removed_from_a_deque(n):
    queue = deque(range(5))
    queue.remove(n)
    return queue
