"""Strings and bytes as values of the run: what programs make of them, how many specialisations that takes, and when they are known."""

# pyright: basic

import copy
import gc
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from string_programs import PROGRAMS, Program

from jitcore import context, jit, nn
from jitcore.runtime.dispatch import CompiledFunction, FallbackWarning


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    context.set_context(jit_syntax_level="STRICT")
    yield
    context.set_context(jit_syntax_level="LAX")


@pytest.fixture
def lax() -> None:
    context.set_context(jit_syntax_level="LAX")


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """What a call gives, with the types, or what it raises where."""
    args = copy.deepcopy(args)
    try:
        value = function(*args)
    except Exception as error:
        return type(error), str(error), traceback.extract_tb(error.__traceback__)[-1].lineno, args
    return repr(value), value, args


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_compiled_as_plain(program: Program) -> None:
    compiled = jit(program.function)
    for args in program.calls:
        assert _outcome(compiled, args) == _outcome(program.function, args), args
    assert len(compiled.specialisations) == program.specialisations


def test_one_specialisation_for_all_strings() -> None:
    @jit
    def f(s: str, words: list[str]) -> int:
        n = 0
        for c in s:
            if c == words[0][0]:
                n += 1
        return n

    for k in range(300):
        assert f("ab" * k, ["a" * (k + 2), "b"]) == k
    assert len(f.specialisations) == 1
    assert "called 300 times" in f.explain()


OF_MANY: dict[str, tuple[Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = {
    "bytes": (lambda s: sum(c == 97 for c in s), lambda k: (b"ab" * k,)),
    "two strings": (lambda s, t: s < t or s == t or s[:1] in t, lambda k: ("a" * k, "b" + "a" * (99 - k))),
    "a list of characters": (lambda s: sum(c == "a" for c in s), lambda k: (list("xyz" + "ab" * k),)),
    "a list of words": (lambda words: max(len(w) for w in words), lambda k: (["x" * k, "yy", "ab" * k],)),
    "in a tuple": (lambda pair: pair[0] + len(pair[1]), lambda k: ((k, "ab" * k),)),
    "in a dict": (lambda d: d["k"] + len(d["s"]), lambda k: ({"k": k, "s": "ab" * k},)),
    "by name": (lambda s="": len(s) * 2, lambda k: ("ab" * k,)),
    "with a number": (lambda s, k: s[k] if k < len(s) else "none", lambda k: ("ab" * (k // 3), k)),
}


@pytest.mark.parametrize(("function", "make"), OF_MANY.values(), ids=OF_MANY)
def test_a_line_explains_all_strings(function: Callable[..., Any], make: Callable[[int], tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for k in range(4, 64):
        assert compiled(*make(k)) == function(*make(k))
    assert len(compiled.specialisations) <= 2  # extents are symbols from the second on
    assert compiled.explain().count("called ") == len(compiled.specialisations)
    assert re.search("called (60|59) times", compiled.explain())


def test_long_strings_are_loops() -> None:
    @jit
    def common(s: str, t: str) -> int:
        before = [0] * (len(t) + 1)
        for i in range(len(s)):
            now = [0] * (len(t) + 1)
            for j in range(len(t)):
                now[j + 1] = before[j] + 1 if s[i] == t[j] else max(before[j + 1], now[j])
            before = now
        return before[len(t)]

    assert common("abcde" * 100, "bd" * 250) == common.__wrapped__("abcde" * 100, "bd" * 250)
    assert len(common.specialisations) == 1


# --- what is known when compiling ---------------------------------------------------------------------


class _Named:
    a, b, c, d, e, f, g, h, i, j = range(10)


_NAMED = _Named()


def test_names_are_known_up_to_a_number(lax: None) -> None:
    @jit
    def attribute(name: str, x: int) -> int:
        return getattr(_NAMED, name) + x

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            for name in "abcdefghij":
                assert attribute(name, 2) == getattr(_NAMED, name) + 2
    assert len(attribute.specialisations) == 8
    (warning,) = told
    assert issubclass(warning.category, FallbackWarning)
    assert "compiled, which it was for many strings already" in str(warning.message)
    assert "for many strings already" in attribute.explain()


_LETTERS = list("abcdefghijkl")
_DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool"]
NEEDED: dict[str, tuple[Callable[[str, int], Any], list[str]]] = {
    "hasattr": (lambda s, k: k + 1 if hasattr(_NAMED, s) else k - 1, _LETTERS),
    "astype": (lambda s, k: np.arange(k).astype(s).sum(), _DTYPES),
    "dtype": (lambda s, k: np.zeros(k, dtype=s), _DTYPES),
    "format": (lambda s, k: format(1.5 * k, s), [f".{digits}f" for digits in range(12)]),
    "subscripts": (lambda s, k: np.einsum(s, np.eye(k)), [f"{t}->{r}" for t in ("ij", "kl", "mn") for r in (t, t[0], t[1], "")]),
}  # fmt: skip


@pytest.mark.parametrize(("function", "texts"), NEEDED.values(), ids=NEEDED)
def test_what_must_be_known_is_interpreted_past_a_number(
    function: Callable[[str, int], Any], texts: list[str], lax: None
) -> None:
    compiled = jit(function)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for text in texts * 2:
            assert repr(compiled(text, 3)) == repr(function(text, 3))
    assert len(texts) > len(compiled.specialisations) == 8
    (warning,) = told
    assert issubclass(warning.category, FallbackWarning)
    assert "for many strings already" in str(warning.message)


@pytest.mark.parametrize(
    "function",
    [
        lambda s: np.sum(np.arange(3), dtype=s),
        lambda s: format(1.5, s),
        lambda s: np.zeros(2, s),
        lambda s: int(s),
        lambda s: hasattr(_NAMED, s),
    ],
    ids=["dtype", "format", "zeros", "int", "hasattr"],
)
def test_known_where_needed(function: Callable[[str], Any]) -> None:
    compiled, tried = jit(function), 0
    for text in ("a", "b", "float32", "int64", "5", "07", ".3f", "10.2e"):
        expected = _outcome(function, (text,))
        if isinstance(expected[0], str):
            assert str(_outcome(compiled, (text,))) == str(expected)
            tried += 1
    assert len(compiled.specialisations) == tried


def test_a_mode_that_decides_types_is_known() -> None:
    @jit
    def f(x: Any, reduction: str) -> Any:
        if reduction == "none":
            return x
        if reduction == "sum":
            return x.sum()
        if reduction == "both":
            return x, x.sum()
        return None

    x = np.arange(3.0)
    for reduction in ("none", "sum", "both", "", "sum"):
        assert repr(f(x, reduction)) == repr(f.__wrapped__(x, reduction))
    assert len(f.specialisations) == 4


def test_strings_that_decide_between_plain_types_are_not_known() -> None:
    @jit
    def f(s: str) -> Any:
        if s == "":
            return None
        if s == "x":
            return 1
        return s[0] if s != "xx" else 2.5

    for k in range(12):
        assert f("x" * k) == f.__wrapped__("x" * k)
    assert len(f.specialisations) == 1


def test_a_mode_that_decides_values_is_not() -> None:
    @jit
    def f(x: Any, reduction: str = "mean") -> Any:
        total = x.sum()
        if reduction == "mean":
            total = total / x.size
        return total

    x = np.arange(3.0)
    for reduction in ("none", "sum", "mean", "", "sum"):
        assert f(x, reduction) == f.__wrapped__(x, reduction)
    assert f(x) == f.__wrapped__(x)
    assert len(f.specialisations) == 2


def test_long_strings_are_gone_through_by_the_program(strict: None) -> None:
    @jit
    def counts(s: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for c in s:
            found[c] = found.get(c, 0) + 1
        return found

    assert counts("abca" * 100) == {"a": 200, "b": 100, "c": 100}


def test_methods_are_compiled_for_few_strings_and_then_for_all(strict: None) -> None:
    @jit
    def f(s: str) -> int:
        t = s.upper()
        n = 0
        for c in t:
            if c == "A":
                n += 1
        return n

    for k in range(8):
        assert f("a" * k) == k
    assert len(f.specialisations) == 8
    assert f("banana") == 3
    for k in range(20):
        assert f("a" * k + "b") == k
    assert len(f.specialisations) == 9


def test_methods_of_long_strings(strict: None) -> None:
    f = jit(lambda s: s.lower().count("a"))
    assert f("A" * 100) == 100


# --- strings from elsewhere ---------------------------------------------------------------------------

_WORD = "hello"


def test_globals_and_closures_are_read_at_each_call() -> None:
    global _WORD
    suffix = "!"

    @jit
    def f() -> Any:
        return len(_WORD), _WORD[0], _WORD + suffix, _WORD == "hello"

    for text in ("hello", "", "abc", "hello"):
        _WORD, suffix = text or "x", text[:2]
        assert f() == f.__wrapped__()
    assert len(f.specialisations) == 1


def test_methods_of_globals_are_computed_when_compiling() -> None:
    separator = ", "

    @jit
    def f(k: int) -> Any:
        return separator.join(["a", "b"]), separator.strip(), len(separator) + k

    assert f(1) == ("a, b", ",", 3)
    separator = "-"
    assert f(1) == ("a-b", "-", 2)


def test_the_argument_itself_is_returned() -> None:
    @jit
    def f(s: Any) -> Any:
        return s, [s]

    text = "".join(["not ", "interned"])
    once, (again,) = f(text)
    assert once is text
    assert again is text


def test_subclasses_are_told_apart() -> None:
    class Word(str):
        def __len__(self) -> int:
            return 100

    @jit
    def f(s: Any) -> int:
        return len(s)

    assert f("abc") == 3
    assert f(Word("abc")) == 100


def test_printed(capfd: pytest.CaptureFixture[str]) -> None:
    @jit
    def f(s: str, b: bytes) -> None:
        print(s, b, s[0], f"{s!r:>8}", [s[0]])

    f("añ𝄞", b"\x00x")
    shown = capfd.readouterr().out
    f.__wrapped__("añ𝄞", b"\x00x")
    assert shown == capfd.readouterr().out


def test_served_in_machine_code_without_leaks() -> None:
    @jit
    def f(s: Any, k: int) -> Any:
        return s[k], s[1:], s[::-1], s[:0], s + s

    for text in ("añ𝄞xyz", b"\x00abc\xff"):
        before = sys.getrefcount(text)
        for _ in range(50):
            assert f(text, 2) == f.__wrapped__(text, 2)
            with pytest.raises(IndexError):
                f(text, 9)
        gc.collect()  # what pytest made of the exceptions refers to itself
        assert sys.getrefcount(text) == before
    assert all(s.native_calls > 40 for s in f.specialisations)


# --- strings that objects and containers hold -----------------------------------------------------------


class _Holder:
    def __init__(self) -> None:
        self.text = "a"


_HOLDER = _Holder()
_HELD_BY_LIST = ["a", "b"]
_HELD_BY_DICT = {"key": b"a"}


class _Cell(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.word = "a"

    def construct(self, n: int) -> int:
        return n * len(self.word)


@pytest.mark.parametrize("where", ["argument", "global", "list", "dict", "cell"])
def test_strings_that_change_are_values_of_the_run(where: str) -> None:
    holder, cell = _Holder(), _Cell()
    read: dict[str, Callable[[Any], int]] = {
        "argument": lambda h: len(h.text),
        "global": lambda h: len(_HOLDER.text),
        "list": lambda h: len(_HELD_BY_LIST[1]),
        "dict": lambda h: len(_HELD_BY_DICT["key"]),
    }
    compiled = jit(read[where]) if where in read else lambda h: cell(1)
    for k in range(12):
        holder.text = _HOLDER.text = _HELD_BY_LIST[1] = cell.word = "x" * k
        _HELD_BY_DICT["key"] = b"x" * k
        assert compiled(holder) == k
    made = compiled if isinstance(compiled, CompiledFunction) else cell.__dict__["_compiled"]
    assert len(made.specialisations) == 2


def test_a_mode_that_an_object_holds_stays_known() -> None:
    class Chosen(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.mode, self.twice, self.thrice = "twice", 2, 3

        def construct(self, x: int) -> int:
            return x * getattr(self, self.mode)

    cell = Chosen()
    for k in range(20):
        cell.mode = ("twice", "thrice")[k % 2]
        assert cell(5) == (10, 15)[k % 2]
    assert len(cell.__dict__["_compiled"].specialisations) == 2


# --- what else is made of strings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (lambda s: [*s, "e"], [("ab",), ("",)]),
        (lambda s: (lambda a, b, *c: (a, b, c))(*[s, s[:1]]), [("ab",), ("",)]),
        (lambda s, k: s if k else None, [("ab", True), ("q", False)]),
        (lambda s, k: (s or "none", s and s[0], k and s), [("ab", 0), ("", 1)]),
        (lambda s: [a == b for a, b in zip(s, "abc", strict=False)], [("axc",), ("",), ("abcd",)]),
        (lambda s: next(iter(s), None), [("ab",), ("",)]),
        (lambda s: [list(map(ord, s)), list(filter(None, s))], [("ab",), ("",)]),
        (lambda d, k: (d.get(k, -1), k in d, k not in d), [({"a": 1, "b": 2}, "a"), ({"a": 1, "b": 2}, "zz")]),
        (lambda s: {"ab": 1, "c": 2.5}[s], [("ab",), ("c",), ("d",)]),
        (lambda s: (s, 1) == ("ab", 1) and [s] == ["ab"], [("ab",), ("c",)]),
        (lambda s: (s, 2) < ("b", 1), [("ab",), ("b",), ("c",)]),
        (lambda s: (type(s), isinstance(s, str), isinstance(s, bytes | int)), [("ab",)]),
        (lambda s: s.nothing, [("ab",)]),
        (lambda s: -s, [("ab",)]),
        (lambda s: s + 1, [("ab",)]),
        (lambda s: 1 + s, [("ab",)]),
        (lambda s: abs(s) + len(3), [("ab",)]),
        (lambda s: s[0] + b"x", [("ab",)]),
        (lambda s: s(), [("ab",)]),
        (lambda s: [0, 1, 2][s], [("ab",)]),
    ],
)
def test_expressions(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    compiled = jit(function)
    for args in calls:
        assert _outcome(compiled, args) == _outcome(function, args), args


def test_unpacked() -> None:
    @jit
    def f(s: Any) -> Any:
        a, b, *rest = s
        c, *_ = s
        return a, b, rest, c

    for text in ("abcd", "ab", b"xyz", "a"):
        assert _outcome(f, (text,)) == _outcome(f.__wrapped__, (text,))


def test_handlers_see_what_strings_raise() -> None:
    @jit
    def f(s: str, k: int) -> Any:
        try:
            return s[k], ord(s)
        except IndexError:
            return "outside"
        except TypeError:
            return "long"

    assert [f("a", 0), f("a", 3), f("ab", 1)] == [("a", 97), "outside", "long"]


def by_percent(template: Any, value: Any) -> Any:
    return template % value


def by_percent_of_a_sum(template: Any, value: Any) -> Any:
    return (template + " %s") % value


def by_percent_of_an_f_string(template: Any, value: Any) -> Any:
    return f"{template} %s" % value


def by_percent_of_an_item(template: Any, value: Any) -> Any:
    return [template, template][0] % value


def by_percent_of_a_character(template: Any, value: Any) -> Any:
    return template[:1] % value


def by_percent_in_place(template: Any, value: Any) -> Any:
    template %= value
    return template


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [by_percent, by_percent_of_a_sum, by_percent_of_an_f_string, by_percent_of_an_item, by_percent_of_a_character,
     by_percent_in_place],
)  # fmt: skip
def test_what_a_string_of_the_run_formats_is_not_told_by_another_string(
    function: Callable[..., Any], lax: None
) -> None:
    calls = [("x %s", 3), ("x %d", 3.5), ("x %s", "q"), ("%s %s", (1, 2)), ("x", 3), ("x %(a)s", {"a": 1}), ("%", 1)]
    for args in (*calls, ("x %s", ()), ("%d", "a"), (b"x %d", 3), (b"x", 3)):
        if function is by_percent or not isinstance(args[0], bytes):
            assert _outcome(jit(function), args)[:2] == _outcome(function, args)[:2], args
