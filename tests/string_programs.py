"""Programs on strings and bytes of the run: each is called with many of them, and must do what plain Python does."""

# pyright: basic
# ruff: noqa: D103

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Program:
    function: Callable[..., Any]
    calls: list[tuple[Any, ...]]
    specialisations: int = 1
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.function.__name__


PROGRAMS: list[Program] = []

STRINGS = ["", "a", "ab", "hello world", "racecar", "añ日𝄞\ud800\x00z", "aaaa", "b" * 40]
BYTES = [s.encode("utf-8", "surrogatepass") for s in STRINGS]
EACH = [(s,) for s in STRINGS]
EACH_OF_BYTES = [(b,) for b in BYTES]
PAIRS = [(s, t) for s in STRINGS for t in STRINGS]
PAIRS_OF_BYTES = [(s, t) for s in BYTES for t in BYTES]


def program(
    *calls: list[tuple[Any, ...]], specialisations: int = 1
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append(Program(function, [c for some in calls for c in some], specialisations))
        return function

    return register


# --- items ------------------------------------------------------------------------------------------


@program(EACH, EACH_OF_BYTES, specialisations=2)
def is_palindrome(s):
    i, j = 0, len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i += 1
        j -= 1
    return True


@program(EACH, EACH_OF_BYTES, specialisations=2)
def fourth_item(s):
    return s[3]


@program([(s, k) for s in (*STRINGS, *BYTES) for k in (-3, -1, 0, 2, 11, 2**40)], specialisations=2)
def item_at(s, k):
    return s[k], s[k - 1]


@program([(s, a, b) for s in (*STRINGS, *BYTES) for a in (-2, 0, 3) for b in (-1, 2, 2**63 - 1)], specialisations=2)
def slices(s, a, b):
    return s[a:b], s[a:], s[:b], s[::-1], s[b:a:-2], s[1:4:2], len(s[a:b])


@program([("abc", 0), ("abc", 2), ("", 1)])
def slice_by_step(s, k):
    return s[::k]


@program([(1,), (0,), (-1,), (2,)])
def item_of_literal(k):
    return "xyz"[k], ord("xyz"[k]), b"xyz"[k], "xyz"[k:]


@program(EACH)
def wrong_index(s):
    return s["a"]


@program(EACH_OF_BYTES)
def wrong_index_of_bytes(s):
    return s[1.5]


# --- comparison -------------------------------------------------------------------------------------


@program(PAIRS, PAIRS_OF_BYTES, specialisations=2)
def comparisons(s, t):
    return s == t, s != t, s < t, s <= t, s > t, s >= t, t in s, t not in s


@program([("a", b"a"), ("", b"")])
def unlike_kinds(s, b):
    return s == b, s != b, s == 1, b is None, (s,) == (b,)


@program([("a", b"a")])
def order_of_unlike_kinds(s, b):
    return s < b


@program(EACH)
def with_constants(s):
    return (
        s == "ab",
        s == "",
        s != "a",
        "racecar" == s,
        s < "b",
        s == "b" * 40,
        "world" in s,
        s in "hello world again",
        "" in s,
    )


@program([(b, k) for b in BYTES for k in (0, 97, 255, 300, -1)])
def byte_in(b, k):
    return k in b


@program(EACH)
def int_in_string(s):
    return 1 in s


@program(EACH)
def truth(s):
    return bool(s), not s, 1 if s else 2, s and s[0], s or "none"


@program([("relu", 1.5), ("tanh", 1.0), ("identity", 2.0), ("other", 2.0)])
def mode(m, x):
    if m == "relu":
        return x * 2
    elif m == "tanh":
        return x / 3
    elif m in ("none", "identity"):
        return x
    raise ValueError(m)


# --- going through ----------------------------------------------------------------------------------


@program(EACH)
def vowels(s):
    n = 0
    for c in s:
        if c in "aeiou":
            n += 1
        elif c in {"r", "z"}:
            n += 100
    return n


@program(EACH)
def rolling_hash(s):
    h = 0
    for k, c in enumerate(s):
        h = (h * 31 + ord(c) + k) % 1000003
    return h


@program(PAIRS, PAIRS_OF_BYTES, specialisations=2)
def hamming(s, t):
    return sum(1 for a, b in zip(s, t) if a != b)


@program(EACH)
def run_lengths(s):
    out = []
    k = 0
    while k < len(s):
        n = 1
        while k + n < len(s) and s[k + n] == s[k]:
            n += 1
        out.append((s[k], n))
        k += n
    return out


@program(EACH)
def repeats(s):
    before, n = "", 0
    for c in s:
        if c == before:
            n += 1
        before = c
    return n, before


@program(EACH, EACH_OF_BYTES, specialisations=2)
def lists(s):
    return list(s), sorted(s), sorted(s, reverse=True), [c for c in reversed(s)]


@program(EACH)
def comprehensions(s):
    letters = [c for c in s if c != "a"]
    return letters, [ord(c) for c in s], any(c == "a" for c in s), all(c == "a" for c in s), letters.count("b")


@program(EACH, EACH_OF_BYTES, specialisations=2)
def extremes(s):
    return min(s), max(s)


@program(EACH)
def first_or_nothing(s):
    for c in s:
        return c
    return ""


# --- algorithms -------------------------------------------------------------------------------------


@program([*PAIRS[::3], ("kitten", "sitting")])
def edit_distance(s, t):
    row = [0] * (len(t) + 1)
    for j in range(len(t) + 1):
        row[j] = j
    for i in range(len(s)):
        above, row[0] = row[0], i + 1
        for j in range(len(t)):
            cost = 0 if s[i] == t[j] else 1
            above, row[j + 1] = row[j + 1], min(above + cost, row[j] + 1, row[j + 1] + 1)
    return row[len(t)]


@program(PAIRS[::2])
def kmp(s, p):
    if not p:
        return 0
    f = [0] * len(p)
    k = 0
    for i in range(1, len(p)):
        while k and p[i] != p[k]:
            k = f[k - 1]
        if p[i] == p[k]:
            k += 1
        f[i] = k
    k = 0
    for i in range(len(s)):
        while k and s[i] != p[k]:
            k = f[k - 1]
        if s[i] == p[k]:
            k += 1
        if k == len(p):
            return i - k + 1
    return -1


@program([("12345",), ("-77",), ("",), ("12a",)])
def parse_int(s):
    sign, k = 1, 0
    if s[0] == "-":
        sign, k = -1, 1
    v = 0
    while k < len(s):
        d = ord(s[k]) - ord("0")
        if d < 0 or d > 9:
            raise ValueError(f"no digit: {s[k]!r} of {s}")
        v = v * 10 + d
        k += 1
    return sign * v


@program([("([]{})",), ("([)]",), ("((",), ("",), ("a(b)c",), (")",)])
def brackets_match(s):
    stack = []
    for c in s:
        if c in "([{":
            stack.append(c)
        elif c in ")]}":
            if not stack:
                return False
            o = stack.pop()
            if (c == ")" and o != "(") or (c == "]" and o != "[") or (c == "}" and o != "{"):
                return False
    return not stack


@program([("XIV",), ("MCMXCIV",), ("IIX",), ("",), ("Q",)])
def roman(s):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for k in range(len(s)):
        v = values[s[k]]
        if k + 1 < len(s) and values.get(s[k + 1], 0) > v:
            total -= v
        else:
            total += v
    return total


@program([("listen", "silent"), ("a", "b"), ("ab", "a"), ("", "")])
def are_anagrams(s, t):
    counts = [0] * 26
    for c in s:
        counts[ord(c) - ord("a")] += 1
    for c in t:
        counts[ord(c) - ord("a")] -= 1
    return all(n == 0 for n in counts)


@program(EACH_OF_BYTES)
def adler32(b):
    low, high = 1, 0
    for x in b:
        low = (low + x) % 65521
        high = (high + low) % 65521
    return high << 16 | low


@program(EACH_OF_BYTES)
def crc32(b):
    crc = 0xFFFFFFFF
    for x in b:
        crc ^= x
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@program([("Hello, World!", 3), ("xyz", 3), ("", 1)])
def caesar(s, k):
    out = ""
    for c in s:
        if "a" <= c <= "z":
            out += chr((ord(c) - 97 + k) % 26 + 97)
        elif "A" <= c <= "Z":
            out += chr((ord(c) - 65 + k) % 26 + 65)
        else:
            out += c
    return out


@program([("a b  c",), ("word",), ("",), (" ",)])
def count_words(s):
    inside, n = False, 0
    for c in s:
        if c == " ":
            inside = False
        elif not inside:
            inside = True
            n += 1
    return n


# --- what comes of it -------------------------------------------------------------------------------


@program([(65,), (0x1F600,), (-1,), (0x110000,), (1 << 40,), (0,), (0xD800,)])
def characters_of(k):
    return chr(k), chr(k) == "A", ord(chr(k)), len(chr(k))


@program(EACH)
def ordinal(s):
    return ord(s)


@program(EACH)
def messages(s):
    if len(s) > 6:
        raise ValueError(f"too long: {s!r} {s[0]}")
    if len(s) == 2:
        raise KeyError(s)
    return s + "!", "<" + s, f"<{s}> {s[:1]}", s


@program(PAIRS[::5], PAIRS_OF_BYTES[::5], specialisations=2)
def joined_on_paths(s, t):
    u = s if len(s) > len(t) else t
    v = s[1:] if s else t
    for c in (s, t):
        if len(c) > len(v):
            v = c
    return u, v, u + v


@program([(["ab", "cd"], 0), (["q", "rrr"], 1), (["", "x"], 5)])
def in_lists(words, k):
    total = 0
    for w in words:
        total += len(w)
    return total, words[k], words[k] == "cd", words.count("x"), "q" in words, words


@program(
    [(s, k) for s in ("", "añ", b"xyz") for k in (-1, 0, 1, 3)],
    [("a", True), ("a", 1.5), ("a", "b")],
    specialisations=5,
)
def repeated(s, k):
    return s * k, k * s, s * 2, "-" * len(s), s + s * 3


@program(EACH[:3], EACH_OF_BYTES[:2], specialisations=2)
def formatted(s):
    return f"{s:>4}"


@program([(("ab", 1),), (("", 2),)])
def in_tuples(pair):
    word, n = pair
    return word, len(word) * n, pair


@program([({"x": "ab", "y": 1},), ({"x": "abcd", "y": 2},)])
def in_dicts(d):
    return len(d["x"]) + d["y"], d["x"][0]


def _first(s, n=1):
    return s[:n]


@program(EACH)
def through_functions(s):
    def second(t):
        return t[1:2]

    return _first(s), _first(s, n=2), second(s), (lambda t: len(t))(s)


# --- lists of strings -------------------------------------------------------------------------------

LETTERS = list("help me out of this long thing")
WORDS = ["the", "quick", "", "brown", "fox", "jumps"] * 4
LISTS = [(LETTERS,), (LETTERS[:5],), (WORDS,), (WORDS[:19],), ([],), (["a"],), (["ab", "c"],), ([b"ab", b""] * 10,)]


@program([(LETTERS, list("abc")), (LETTERS * 3, LETTERS), (list("abc"), LETTERS)], specialisations=2)
def equal_pairs(a, b):
    n = 0
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                n += 1
    return n


@program([(LETTERS,), (list("xyz"),), (list("ab"),)], specialisations=2)
def turned_around(a):
    i, j = 0, len(a) - 1
    while i < j:
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1
    return a[0]


@program([(list("ab"),), (list("cd"),), (list("abc"),)], specialisations=2)
def unpacked(pair):
    x, y = pair
    return y, x


@program([(LETTERS, "z"), (list("abc"), "yy")], specialisations=1)
def appended(a, c):
    a.append(c)
    a.append("!")
    return a, a[-1], len(a)


@program(LISTS, specialisations=7)
def going_through(words):
    total = 0
    for w in words:
        total += len(w)
    return total, [w for w in words if len(w) > 3], [(w, len(w)) for w in words], words


@program([(WORDS,), (WORDS[::-1],), (LETTERS,), (["b", "a"],)], specialisations=3)
def ordered(words):
    return sorted(words), sorted(words, key=len), min(words), max(words), words.count("fox"), "brown" in words


@program([(WORDS, 1), (WORDS, -25), (LETTERS, 1), (["ab", "c"], 1)], specialisations=3)
def one_replaced(words, k):
    before = words[k]
    words[k] = words[0]
    return before, words


@program([("a bc  def ",), ("hello world",), ("",), (b"a b".decode(),)])
def split_at_spaces(s):
    words = []
    start = 0
    for i in range(len(s)):
        if s[i] == " ":
            if i > start:
                words.append(s[start:i])
            start = i + 1
    if start < len(s):
        words.append(s[start:])
    return words


@program([("racecar",), ("abca",), ("",)])
def palindrome_by_recursion(s):
    if len(s) < 2:
        return True
    return s[0] == s[-1] and palindrome_by_recursion(s[1:-1])


@program([("banana", "ananas"), ("", "a"), ("xaby", "zab")])
def longest_common_part(s, t):
    best = s[:0]
    for i in range(len(s)):
        for j in range(len(t)):
            k = 0
            while i + k < len(s) and j + k < len(t) and s[i + k] == t[j + k]:
                k += 1
            if k > len(best):
                best = s[i : i + k]
    return best


@program([("1+22*3",), ("7",), ("4-",)])
def calculated(s):
    total, k, sign = 0, 0, "+"
    while k < len(s):
        n = 0
        while k < len(s) and "0" <= s[k] <= "9":
            n = n * 10 + ord(s[k]) - 48
            k += 1
        total = total + n if sign == "+" else total - n if sign == "-" else total * n
        sign = s[k : k + 1]
        k += 1
    return total, sign


@program(EACH)
def joined(s):
    letters = [c for c in s if c != "a"]
    return (
        "".join(letters),
        "".join(sorted(s)),
        "".join(reversed(s)),
        "".join(c for c in s),
        "".join(s[1:]),
        "-".join([s, "x", s[:1]]),
    )
