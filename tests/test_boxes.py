"""Dicts, sets, strings and lists of the run, in boxes: programs against Python, the library against Python's own."""

from __future__ import annotations

import copy
import ctypes
import gc
import random
import resource
import struct
import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from container_programs import PROGRAMS
from fuzz.run import Tally, run_containers
from outcomes import frozen

from jitcore import jit
from jitcore.backends.native.boxes import library, objects
from jitcore.backends.native.host import runtime
from jitcore.program.boxes import Contents
from jitcore.runtime import native
from jitcore.runtime.notices import FallbackWarning


@pytest.fixture(autouse=True)
def _poisoned() -> Iterator[None]:
    library.poison(True)
    yield
    library.poison(False)


def done(function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """What a call gives or raises, and its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        return frozen(function(*args)), frozen(args)
    except Exception as error:
        return type(error), str(error), frozen(args)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_plain(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = jit(function)
    for args in (*calls, *calls):
        assert done(compiled, args) == done(function, args), args


def test_programs_written_at_random() -> None:
    tally = Tally()
    run_containers(3, 40, tally)
    assert tally.made == 40
    assert not tally.differences, tally.differences[0]


def test_explain_tells_of_containers_of_the_run() -> None:
    count = jit(PROGRAMS["changes_what_it_is_given"][0])
    count({"a": 1}, "b", 2)
    text = count.explain()
    assert "(d: dict, " in text
    assert "\n    containers of the run (line" in text
    (made,) = text.as_dict()["specialisations"]
    assert made["containers"][0]["line"] > 0


def test_nothing_is_left_after_calls() -> None:
    function, calls = PROGRAMS["word_count"]
    compiled = jit(function)
    compiled(*calls[0])
    before = runtime.blocks_in_use()
    for args in calls * 3:
        compiled(*args)
    assert runtime.blocks_in_use() == before


_MEMO: dict[int, int] = {}


@jit
def _fibonacci(n: int) -> int:
    if n < 2:
        return n
    if n in _MEMO:
        return _MEMO[n]
    found = (_fibonacci(n - 1) + _fibonacci(n - 2)) % 1000007
    _MEMO[n] = found
    return found


@pytest.mark.usefixtures("strict")
def test_rounds_of_loops_give_back_what_they_made() -> None:
    def parts(n: int) -> int:
        found = 0
        for i in range(n):
            lengths = {part: len(part) for part in (str(i) + "abc").split("1")}
            found += len(lengths)
        return found

    compiled = jit(parts)
    assert compiled(1000) == parts(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert compiled(400_000) > 400_000  # 500 bytes each
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_a_global_memo_is_read_and_written() -> None:
    _MEMO.clear()
    assert _fibonacci(50) == 180923
    assert len(_MEMO) == 49
    _MEMO[50] = 5
    assert _fibonacci(50) == 5
    _MEMO.clear()
    assert _fibonacci(10) == 55
    assert len(_MEMO) == 9


class _Cache:
    """Holds the last three things put in."""

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.puts = 0

    @jit
    def put(self, key: int, value: int) -> int:
        self.held.pop(key, None)
        self.held[key] = value
        self.puts += 1
        if len(self.held) > 3:
            del self.held[next(iter(self.held))]
        return len(self.held)


@pytest.mark.usefixtures("strict")
def test_attributes_are_changed_in_place() -> None:
    cache = _Cache()
    held = cache.held
    for k in range(6):
        cache.put(k, k * k)
    assert cache.held is held
    assert (held, cache.puts) == ({3: 9, 4: 16, 5: 25}, 6)


@pytest.mark.usefixtures("strict")
def test_what_is_inside_keeps_its_identity() -> None:
    inner = [1]
    groups = {3: inner, 4: inner}
    changed = jit(PROGRAMS["changes_inside"][0])(groups, 3)
    assert changed is inner
    assert groups == {3: [1, 2], 4: [1, 2]}
    assert groups[4] is inner


def test_contents_of_other_types_are_compiled_for_or_interpreted() -> None:
    changes = jit(PROGRAMS["changes_what_it_is_given"][0])
    for d, key, value in (({"a": 1}, "b", 2), ({"a": 1.5}, "b", 2), ({1: None}, 2, 3)):
        assert changes(d, key, value) == (1, d)
        assert d[key] == value


_COUNTED: Counter[str] = Counter("ab")
_ORDERED: OrderedDict[str, int] = OrderedDict(a=1, b=2)


@jit
def _counts_outside(key: str) -> tuple[int, list[str]]:
    _COUNTED[key] += 1
    _ORDERED[key] = _COUNTED[key]
    _ORDERED.move_to_end("a")
    return _COUNTED[key], list(_ORDERED)


@pytest.mark.usefixtures("strict")
def test_dicts_of_other_classes_outside_are_changed_in_place() -> None:
    assert [_counts_outside(key) for key in "abza"][2:] == [(1, ["b", "z", "a"]), (3, ["b", "z", "a"])]
    assert Counter(a=3, b=2, z=1) == _COUNTED
    assert list(_ORDERED.items()) == [("b", 2), ("z", 1), ("a", 3)]


class _Recent:
    """Keeps the last two results, and the last three keys that were computed."""

    def __init__(self) -> None:
        self.results: OrderedDict[int, int] = OrderedDict()
        self.computed: deque[int] = deque(maxlen=3)

    @jit
    def square(self, key: int) -> int:
        if key in self.results:
            self.results.move_to_end(key)
            return self.results[key]
        self.results[key] = key * key
        self.computed.append(key)
        if len(self.results) > 2:
            self.results.popitem(last=False)
        return -1


@pytest.mark.usefixtures("strict")
def test_ordered_dicts_and_deques_that_are_attributes() -> None:
    for _ in range(2):
        recent = _Recent()
        assert [recent.square(k) for k in (1, 2, 1, 3, 1, 2, 4, 4)] == [-1, -1, 1, -1, 1, -1, -1, 16]
        assert list(recent.results.items()) == [(2, 4), (4, 16)]
        assert recent.computed == deque([3, 2, 4], maxlen=3)


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_views_are_compared_in_the_interpreter() -> None:
    def same(n: int) -> tuple[bool, bool, bool]:
        d = {n: 1}
        return d.keys() == {n}, d.items() == {n: 1}.items(), d.keys() == [n]

    assert jit(same)(3) == (True, True, False)


def test_what_native_calls_look_arguments_up_in_stays() -> None:
    """It is memory with the address of a function in it, which is called."""

    def contents() -> int:
        gc.collect()
        return sum(type(o) is Contents for o in gc.get_objects())

    compiled, before = jit(PROGRAMS["set_it_is_given"][0]), contents()
    for _ in range(3):
        compiled({1, 2}, 3)
    assert contents() > before


# --- the library ------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _forgetting() -> Iterator[None]:
    yield
    library.forget()


def text_box(text: str) -> int:
    points = (ctypes.c_uint32 * max(1, len(text)))(*map(ord, text))
    return library.call("text_of_codes", ctypes.addressof(points), len(text))


@pytest.mark.parametrize("text", ["", "a", "hello", "héllo", "Σας ΣΑΣ", "𝕏y", "x" * 300, "ŉ ﬁ İ"])
def test_texts_have_pythons_hash_and_cases(text: str) -> None:
    box = text_box(text)
    assert library.call("hash_of", 4, box) == hash(text)
    for way, changed in enumerate((text.upper(), text.lower(), text.title(), text.capitalize(), text.swapcase()), 1):
        assert objects.object_now(4, library.call("text_cased", box, way)) == changed


def taken_apart(s: str, t: str, u: str, i: int, j: int) -> Any:
    """Most of what is done to strings."""
    seen = {s: 1, t: 2, s + t: 3, s[i:j]: 4, s[::-1]: 5, s[i::2]: 6}
    made = [s.replace(t, u), s.replace(u, t, 2), s.swapcase(), s.capitalize(), s.casefold(), s.center(i + 10, "*")]
    made += [s.zfill(j + 5), t.join([s, u, s]), s * 2 + t, s.lstrip(u), s.rstrip(u), *s.splitlines()]
    for part in s.split():
        made += [part.strip(t), part.lower(), part.upper(), part.title()]
    if t:
        made += [*s.split(t), *s.rsplit(t, 1), *s.partition(t)]
    put_together = ""
    for c in s:
        put_together += c
        if c.isalpha() or c == u:
            put_together += t
        seen[c] = seen.get(c, 0) + 1
    made.append(put_together)
    order = s < t, s == t, t in s, (s, t) < (t, s), sorted({s, t, u, s[i:j], put_together})
    found = s.find(t), s.rfind(u), s.count(t), s.startswith(t), s.endswith(u)
    kinds = s.isalnum(), s.isspace(), s.isdigit(), s.islower(), s.istitle(), s.isidentifier(), s.isascii()
    return seen, made, order, found, kinds, {(s, 1): 2, (t, 1): 3}


@pytest.mark.usefixtures("strict")
def test_strings_of_all_widths() -> None:
    pools = (
        "abcXYZ 12\n\t,.",
        "abÄÖß é\xa0\x85",
        "aΑΣ λ ł\u2028",
        "a😀b 𝔘ﬁ ŉ İ",
        "ab aa bb",
        "\x1c\x1d a\x00\x7f\x80\xff",
    )
    rng = random.Random(1)
    compiled = jit(taken_apart)

    def drawn(most: int) -> str:
        pool = rng.choice(pools) + rng.choice(["", rng.choice(pools)])
        return "".join(rng.choice(pool) for _ in range(rng.randrange(most)))

    for _ in range(500):
        args = drawn(40), drawn(3), drawn(3), rng.randrange(20), rng.randrange(25)
        assert done(compiled, args) == done(taken_apart, args), args


def test_numbers_have_pythons_hash() -> None:
    r = random.Random(2)
    edges = [0, -1, 1, 2**61 - 1, 1 - 2**61, 2**61, -(2**63), 2**63 - 1]
    for n in [*edges, *(r.randint(-(2**63), 2**63 - 1) for _ in range(200))]:
        assert library.call("hash_of", 2, n) == hash(n)
    floats = [
        0.0,
        -0.0,
        1.5,
        5e-324,
        float("inf"),
        float("-inf"),
        *(r.uniform(-1, 1) * 10.0 ** r.randint(-300, 300) for _ in range(200)),
    ]
    for x in floats:
        assert library.call("hash_of", 3, struct.unpack("<q", struct.pack("<d", x))[0]) == hash(x)


def items_of(box: int) -> list[int]:
    found: list[int] = []
    k = library.call("set_next", box, 0)
    while k >= 0:
        found.append(library.call("set_item", box, k))
        k = library.call("set_next", box, k + 1)
    return found


def test_sets_have_pythons_order() -> None:
    r = random.Random(3)
    for _ in range(60):
        sets: list[set[int]] = [set(), set()]
        boxes = [library.call("set_new", 9) for _ in sets]
        for made, box in zip(sets, boxes, strict=True):
            for _ in range(r.randint(0, 50)):
                v = r.randint(-40, 200) if r.random() < 0.7 else r.randint(-(2**62), 2**62)
                if r.random() < 0.8:
                    made.add(v)
                    library.call("set_add", box, 2, v)
                else:
                    made.discard(v)
                    library.call("set_discard", box, 2, v)
            assert items_of(box) == list(made)
        a, b = sets
        for function, wanted in (
            ("set_union", a | b), ("set_intersection", a & b), ("set_difference", a - b),
            ("set_symmetric_difference", a ^ b),
        ):  # fmt: skip
            assert items_of(library.call(function, *boxes)) == list(wanted), function
        frozen_box = library.call("set_copy", boxes[0], 10)
        assert library.call("hash_of", 10, frozen_box) == hash(frozenset(a))
        library.forget()


def test_what_describes_contents_lives_as_long_as_the_calls_that_look_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Contents]] = []

    class Noted(Contents):
        def __init__(self, words: Sequence[int]) -> None:
            super().__init__(words)
            made.append(weakref.ref(self))

    monkeypatch.setattr(native, "Contents", Noted)

    @jit
    def counted(words: list[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        return counts

    for _ in range(3):
        assert counted(["a", "b", "a"]) == {"a": 2, "b": 1}
    gc.collect()
    assert made
    assert all(reference() is not None for reference in made)


def test_calls_past_64_bits_begin_anew_only_where_no_argument_was_changed() -> None:
    def given(words: list[str], counts: dict[str, int], n: int) -> int:
        made = 1
        for word in words:
            counts[word] = counts.get(word, 0) + 1
            made = made * n
        return made

    def own(words: list[str], n: int) -> tuple[int, dict[str, int]]:
        counts: dict[str, int] = {}
        return given(words, counts, n), counts

    counts = {"a": 1}
    with pytest.raises(OverflowError):
        jit(given)(["a", "b", "c", "a"], counts, 2**20)
    assert counts == {"a": 3, "b": 1, "c": 1}
    with pytest.warns(FallbackWarning, match="past 64 bits"):
        assert jit(own)(["a", "b", "c", "a"], 2**20) == (2**80, {"a": 2, "b": 1, "c": 1})


def test_nan_is_looked_for_by_the_interpreter() -> None:
    def each(x: float, n: int) -> tuple[int, int]:
        seen: dict[tuple[float, int], int] = {}
        one = set()
        for k in range(n):
            seen[(x - x, k % 2)] = k
            one.add(x - x)
        return len(seen), len(one)

    def the_same(x: float, n: int) -> tuple[int, bool]:
        seen = {}
        for k in range(n):
            seen[x] = k
        return len(seen), x in seen

    for function, odd in ((each, float("inf")), (the_same, float("nan"))):
        compiled = jit(function)
        assert compiled(1.5, 4) == function(1.5, 4)
        with pytest.warns(FallbackWarning, match="NaN among keys"):
            assert compiled(odd, 4) == function(odd, 4)


def test_objects_enter_and_what_was_changed_is_written_back() -> None:
    inner: list[Any] = [1, 2, {3: 4.5}]
    given: Any = {"a": inner, (1, "x"): None, "z": {1, 2, 9}, "q": deque([1], 3), "o": OrderedDict(b=1, a=2)}
    given |= {"c": Counter("aa"), "d": defaultdict(list, {1: inner})}
    given["o"].move_to_end("b")
    box = library.call("entered", id(given))
    assert objects.owned_object(library.call("object_given", 8, box)) is given
    library.call("list_append", library.call("entered", id(inner)), 2, 99)
    library.call("set_add", library.call("entered", id(given["z"])), 2, 5)
    for name in "oc":
        library.call("dict_set", library.call("entered", id(given[name])), 4, text_box("new"), 2, 7)
    library.call("deque_append", library.call("entered", id(given["q"])), 2, 2)
    library.call("write_back")
    assert given.pop("q") == deque([1, 2], 3)
    assert given.pop("o") == OrderedDict([("a", 2), ("b", 1), ("new", 7)])
    assert given.pop("c") == Counter(a=2, new=7)
    assert given.pop("d")[1] is inner
    assert given == {"a": [1, 2, {3: 4.5}, 99], (1, "x"): None, "z": {1, 2, 5, 9}}
    assert given["a"] is inner
