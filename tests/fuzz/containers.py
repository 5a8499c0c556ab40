"""Random programs over dicts, sets, lists, deques and strings with keys of the run: all their methods, aliases, nested
containers, iteration while something changes, exceptions, and NumPy's numbers as keys, items and values."""

from __future__ import annotations

import collections
import heapq
import re
from random import Random
from typing import Any

import numpy as np

NAMESPACE: dict[str, Any] = {
    "heapq": heapq, "deque": collections.deque, "Counter": collections.Counter,
    "defaultdict": collections.defaultdict, "OrderedDict": collections.OrderedDict, "np": np,
}  # fmt: skip
_HOLE = re.compile(r"\{([NSIVUDEGLWXYTQCFHOA])\}")
_WORDS = (
    "",
    "a",
    "b",
    "ab",
    "abc",
    "Abc d",
    "  x ",
    "12",
    "-7",
    "3.5",
    "x,y,,z",
    "ÄÖß",
    "ΑΣ",
    "aXa",
    "line\nend",
    "zz",
)
_NUMBERS = (0, 1, -1, 2, 3, 5, 7, -4, 10, 31, 64, 1000, 1 << 40)


class ContainerWriter:
    """Writes functions `f(n, k, s, t, x, y)` of two ints, two strings and two arrays, which every second one uses."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.has_arrays = self.random.random() < 0.5
        self.numbers: list[str] = []
        self.strings: list[str] = []
        self.containers: dict[str, list[str]] = {}
        self.count = 0
        self.depth = 0

    def arguments(self) -> tuple[Any, ...]:
        """Arguments for it."""
        r = self.random
        return (
            r.choice((0, 1, 3, 8, 20)),
            r.choice(_NUMBERS),
            r.choice(_WORDS),
            "".join(r.choice(_WORDS) + r.choice((" ", "", ",")) for _ in range(r.randint(0, 5))),
            np.array([r.randint(-3, 6) for _ in range(6)], r.choice((np.int64, np.int64, np.int32, np.bool_, np.int8))),
            np.array(
                [r.choice((0.0, 0.5, 1.0, -1.5, 2.0, 0.1)) for _ in range(5)], r.choice((float, float, np.float32))
            ),
        )

    def text(self) -> str:
        """The text of a function."""
        r = self.random
        self.numbers, self.strings = ["n", "k"], ["s", "t"]
        self.containers = {kind: [] for kind in _MAKES}
        lines: list[str] = []
        for _ in range(r.randint(2, 4)):
            lines += self._make(1)
        for _ in range(r.randint(2, 6)):
            lines += self._statement(1)
        made = [*(name for names in self.containers.values() for name in names), *self.numbers[2:], *self.strings[2:]]
        return "\n".join(["def f(n, k, s, t, x, y):", *lines, f"    return {', '.join(made)},"]) + "\n"

    # --- statements

    def _new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _make(self, depth: int) -> list[str]:
        kind = self.random.choice(list(_MAKES))
        name = self._new()
        forms = _MAKES[kind]
        if self.has_arrays:
            forms += _MAKES_OF_ARRAYS.get(kind, ())
        text = self.random.choice(forms)
        line = f"{'    ' * depth}{name} = {self._filled(text)}"
        self.containers[kind].append(name)
        return [line]

    def _filled(self, template: str) -> str:
        """A template with expressions in it: N numbers, S strings, I indices, V and U variables, and containers by their
        kind."""
        return _HOLE.sub(lambda m: self._expression(m[1]), template)

    def _expression(self, hole: str) -> str:
        r = self.random
        if hole == "N":
            return self._number()
        if hole == "S":
            return self._string()
        if hole in "VU":
            return r.choice(self.numbers if hole == "V" else self.strings)
        if hole == "A":
            return r.choice(("x", "x", "y", "x[:3]", "y[n % 4:]"))
        if hole == "I":
            return r.choice(("0", "-1", "1", "2", "n", "k", "n - 1", "k % 5"))
        names = self.containers[hole]
        return r.choice(names) if names else f"({self._filled(r.choice(_MAKES[hole]))})"

    def _number(self) -> str:
        r = self.random
        choice = r.random()
        if self.has_arrays and choice < 0.3:
            return r.choice(("x[{i}]", "x[{i}]", "y[{i}]", "y[{i}]", "x.sum()", "y.max()", "np.{t}({i})")).format(
                i=r.choice((0, 1, 2, 3, "n % 5", "k % 4")),
                t=r.choice(("int64", "float64", "int32", "bool_", "float32")),
            )
        if choice < 0.5 or self.depth > 2:
            return r.choice([*self.numbers, str(r.choice(_NUMBERS))])
        self.depth += 1
        try:
            return self._filled(r.choice(_NUMBER_FORMS))
        finally:
            self.depth -= 1

    def _string(self) -> str:
        r = self.random
        if r.random() < 0.5 or self.depth > 2:
            return r.choice([*self.strings, repr(r.choice(_WORDS))])
        self.depth += 1
        try:
            return self._filled(r.choice(_STRING_FORMS))
        finally:
            self.depth -= 1

    def _statement(self, depth: int) -> list[str]:
        r, indent = self.random, "    " * depth
        choice = r.random()
        if choice < 0.45 or depth > 3:
            kind = r.choice([k for k, names in self.containers.items() if names])
            return [f"{indent}{self._filled(r.choice(_CHANGES[kind]).replace('@', r.choice(self.containers[kind])))}"]
        if choice < 0.6:
            name = self._new()
            if r.random() < 0.5:
                line = f"{indent}{name} = {self._number()}"
                self.numbers.append(name) if depth == 1 else None
            else:
                line = f"{indent}{name} = {self._string()}"
                self.strings.append(name) if depth == 1 else None
            return [line]
        if choice < 0.75:
            return self._loop(depth)
        if choice < 0.9:
            test = self._filled(r.choice(_TESTS))
            lines = [f"{indent}if {test}:", *self._body(depth + 1)]
            return lines + ([f"{indent}else:", *self._body(depth + 1)] if r.random() < 0.4 else [])
        caught = r.choice(("KeyError", "IndexError", "ValueError", "LookupError", "(KeyError, ValueError)"))
        return [f"{indent}try:", *self._body(depth + 1), f"{indent}except {caught}:", *self._body(depth + 1)]

    def _body(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 2)):
            lines += self._statement(depth)
        return lines

    def _loop(self, depth: int) -> list[str]:
        r, indent = self.random, "    " * depth
        name = self._new()
        over, is_text = r.choice(
            (
                ("range(n)", False), ("range(n)", False), ("list({D})", True), ("{D}", True), ("{L}[:20]", False),
                ("sorted({X})", False), ("{X}", False), ("t", True), ("t.split()", True), ("{W}[:20]", True),
                ("s.split(',')", True), ("{E}.values()", False), ("{O}", False), ("{Q}", False), ("reversed({L})", False), ("reversed({E})", False), ("reversed({Q})", False), ("reversed({O})", False),
                ("filter(None, {W})", True), ("map(str, {X})", True), ("(w for w in {W} if w)", True), ("reversed({S})", True), ("{C}", True),
                ("{F}", False), ("sorted({O})", False), ("range(min(n, 6))", False),
                *((("{A}", False), ("{A}", False), ("sorted({A})", False)) if self.has_arrays else ()),
            )
        )  # fmt: skip
        head = f"{indent}for {name} in {self._filled(over)}:"
        names = self.strings if is_text else self.numbers
        names.append(name)
        lines = [head, *self._body(depth + 1)]
        names.remove(name)
        if r.random() < 0.15:
            lines.append(f"{indent}    if {self._filled(r.choice(_TESTS))}:")
            lines.append(f"{indent}        break")
        return lines


_MAKES: dict[str, tuple[str, ...]] = {
    "D": ("{}", "{{S}: {N}, {S}: {N}}", "dict.fromkeys(t.split(), {N})", "{c: {N} for c in t}"),
    "E": ("{}", "{{N}: {N}, {N}: {N}}", "{i: i * {N} for i in range(n)}", "dict({E})", "{**{E}, {N}: {N}}"),
    "G": ("{}", "{{N}: [], {N}: [{N}]}", "{i: [i] for i in range(n)}"),
    "L": (
        "[]",
        "[{N}, {N}, {N}]",
        "list(range(n))",
        "[i * 2 for i in range(n)]",
        "sorted({X})",
        "{L}[1:]",
        "{L} + {L}",
        "{L}[::{I}]",
        "{L}[{I}:{I}:{N}]",
        "{L}[::-2]",
    ),
    "W": ("[]", "t.split()", "s.split(',')", "[{S}, {S}]", "sorted({D})", "list({D})", "t.splitlines()"),
    "X": ("set()", "{{N}, {N}}", "set(range(n))", "{i % 3 for i in range(n)}", "set({L})", "{X} | {X}", "{X} - {X}"),
    "Y": ("set()", "set(t)", "{{S}, {S}}", "set({W})", "{w for w in {W}}"),
    "T": ("[]", "[({N}, {S})]", "[(i, c) for i, c in enumerate(t)]", "sorted({T})"),
    "Q": (
        "deque()",
        "deque(range(n))",
        "deque({L}, maxlen=n)",
        "deque(range(n), 3)",
        "deque({Q}, 2)",
        "deque([{N}, {N}])",
    ),
    "C": (
        "Counter()",
        "Counter(t)",
        "Counter(t.split())",
        "Counter({D})",
        "Counter({C})",
        "{C} + {C}",
        "Counter(a={N})",
    ),
    "F": ("defaultdict(list)", "defaultdict(list, {G})", "{F}.copy()"),
    "H": ("defaultdict(int)", "defaultdict(lambda: 3)", "defaultdict(int, {D})", "defaultdict(int, b={N})"),
    "O": ("OrderedDict()", "OrderedDict({E})", "OrderedDict((i, i * k) for i in range(n))", "OrderedDict({O})"),
}
"""What makes containers: dicts by strings (D), by numbers (E) and of lists (G), lists of numbers (L), strings (W) and pairs
(T), sets of numbers (X) and strings (Y), deques (Q), Counters (C), defaultdicts of lists (F) and numbers (H) and
OrderedDicts (O)."""
_MAKES_OF_ARRAYS: dict[str, tuple[str, ...]] = {
    "E": (
        "dict(zip({A}, {A}))",
        "{v: {N} for v in {A}}",
        "dict.fromkeys({A}, {N})",
        "{v: i for i, v in enumerate({A})}",
    ),
    "L": ("list({A})", "sorted({A})", "[v for v in {A}]", "[v + {N} for v in {A}]"),
    "X": ("set({A})", "{v % 3 for v in {A}}", "set({A}) & {X}"),
    "T": ("[(v, s) for v in {A}]",),
    "Q": ("deque({A})",),
}
_CHANGES: dict[str, tuple[str, ...]] = {
    "D": (
        "@[{S}] = {N}", "@[{S}] = @.get({S}, 0) + 1", "del @[{S}]", "@.pop({S}, None)", "@.setdefault({S}, {N})",
        "@.update({D})", "@.clear()", "@ |= {D}", "@.popitem()", "@.pop({S})",
    ),
    "E": (
        "@[{N}] = {N}", "@[{N}] = @.get({N}, 0) + {N}", "del @[{N}]", "@.pop({N}, 0)", "@.update({E})",
        "@[{N}] = @[{N}]", "@.setdefault({N}, {N})", "@.update([({N}, {N})])", "@[{N} % 3] = len(@)",
    ),
    "G": (
        "@.setdefault({N}, []).append({N})", "@[{N}] = {L}", "@[{N}].append({N})", "@.pop({N}, None)", "@[{N}] = [{N}]",
        "@[{N}] = list({L})",
    ),
    "L": (
        "@.append({N})", "@.append({N})", "@.extend({L})", "@[{I}] = {N}", "@.pop()", "@.pop({I})", "@.insert({I}, {N})",
        "@.remove({N})", "@.sort()", "@.reverse()", "del @[{I}]", "@ += [{N}]", "@.sort(reverse=True)", "@.clear()",
        "heapq.heappush(@, {N})", "heapq.heapify(@)", "@[1:3] = [{N}]", "del @[:2]", "@.sort(key=lambda v: -v)",
        "@.extend({X})", "@[::2] = {L}", "@[::2] = @[1::2]", "del @[::3]", "del @[{N}::{N}]", "@[::-1] = @", "@[{I}:{I}:{I}] = {L}",
        "del @[::-2]",
    ),
    "W": (
        "@.append({S})", "@.extend(t.split())", "@.sort()", "@[{I}] = {S}", "@.pop()", "@.insert(0, {S})",
        "@.remove({S})", "@.sort(key=len)", "@ += {W}[:9]",
    ),
    "X": (
        "@.add({N})", "@.add({N})", "@.discard({N})", "@.remove({N})", "@.update({L})", "@ |= {X}", "@ &= {X}",
        "@ -= {X}", "@ ^= {X}", "@.clear()", "@.update({X})",
    ),
    "Y": ("@.add({S})", "@.discard({S})", "@.update(t)", "@.update({W})", "@ |= {Y}", "@.remove({S})"),
    "T": ("@.append(({N}, {S}))", "@.sort()", "@.pop()", "heapq.heappush(@, ({N}, {S}))", "@.append(({N}, s))"),
    "C": (
        "@[{S}] += {N}", "@[{S}] = {N}", "@.update(t)", "@.update({D})", "@.subtract({S})", "@ += {C}", "@ -= {C}",
        "@ |= {C}", "@ &= {C}", "del @[{S}]", "@.pop({S}, 0)", "@.update({C})", "@.subtract({C})", "@.clear()",
        "@.update(b={N})", "@.subtract({W})",
    ),
    "F": (
        "@[{N}].append({N})", "@[{N} % 3].append(len(@))", "del @[{N}]", "@[{N}] = {L}", "@.pop({N})", "@[{N}]",
        "@[{N}].extend({L})",
    ),
    "H": ("@[{S}] += {N}", "@[{S}] += 1", "@[{S}]", "@.setdefault({S}, {N})", "@.update({D})", "@.pop({S})", "@ |= {D}"),
    "O": (
        "@[{N}] = {N}", "@[{N} % 5] = len(@)", "@.move_to_end({N} % 5)", "@.move_to_end({N} % 5, last=False)",
        "@.popitem()", "@.popitem(last=False)", "del @[{N} % 5]", "@.clear()", "@.update({E})", "@ |= {O}",
        "@.pop({N}, 0)", "@.popitem(n < 5)",
    ),
    "Q": ("@.append({N})", "@.appendleft({N})", "@.popleft()", "@.pop()", "@.rotate({N} % 7)", "@.extendleft({L})", "@.insert({I}, {N})", "@.extend({Q})", "@ += {Q}", "@.reverse()", "@.remove({N})", "del @[{I}]", "@.extend({L})"),
}  # fmt: skip
_NUMBER_FORMS: tuple[str, ...] = (
    "len({D})", "len({E})", "len({X})", "len({L})", "{E}.get({N}, {N})", "{D}.get({S}, {N})", "sum({L})", "{L}[{I}]",
    "{S}.count({S})", "{S}.find({S})", "len({S})", "({N} + {N}) % 1000", "{N} % 10", "max({L}, default=0)",
    "{E}[{N}]", "{L}.count({N})", "{L}.index({N})", "int({S})", "len({Y})", "({N} in {X}) + 1", "len({W})", "{Q}[0]",
    "sum({X})", "min({X}, default=-1)", "ord({S}[0])", "len({T})", "{T}[{I}][0]", "heapq.heappop({L})", "sum({E}.values())",
    "{S}.index({S})", "len({G})", "sum(len(v) for v in {G}.values())", "hash({N})",
    "{C}[{S}]", "{C}.total()", "len({C})", "{H}[{S}]", "{H}.get({S}, {N})", "len({F}[{N}])", "{O}[{N}]", "len({O})",
    "{C}.most_common()[0][1]", "next(iter({O}))", "sum({O}.values())", "len({C} - {C})", "sum({H}.values())", "sum(1 for w in {W} if w)", "sum(len(w) for w in {Y})", "max((v for v in {X}), default=0)", "sum(map(len, {W}))",
    "sum(a * b for a, b in zip({L}, {X}))", "max({L}, key=lambda v: -v)", "next(reversed({O}))", "sum(i for i, c in enumerate({S}))",
    "any(v > 3 for v in {L}) + 1", "len(list(zip({L}, {W})))", "all({X}) + 0", "min({E}, key={E}.get, default=1)",
    "{O}.popitem(last=False)[0]", "sum(+{C}[c] for c in t)",
)  # fmt: skip
_STRING_FORMS: tuple[str, ...] = (
    "{S} + {S}", "{S}.upper()", "{S}.lower()", "{S}.strip()", "{S}[1:]", "{S}[:-1]", "{S}[{I}]", "{S}[::-1]",
    "{S}.replace({S}, {S})", "str({N})", "f'{{V}}-{{U}}'", "','.join({W})[:99]", "{S}.join({W})[:99]", "{S} * ({N} % 4)",
    "{W}[{I}]", "{S}.title()", "{S}.zfill({N} % 9)", "{S}.rjust({N} % 9)", "{S}.capitalize()", "''.join(sorted({S}))",
    "{S}.split(',')[0]", "{S}.center({N} % 9, '*')", "max({W}, default='')", "{S}.swapcase()", "{T}[{I}][1]",
    "{S}.partition({S})[2]", "{S}.lstrip('a')", "{S}.removeprefix({S})", "f'{{V}:>5}'", "repr({S})",
    "str({C})", "str({O})", "str({F})", "{C}.most_common(1)[0][0]", "','.join({C})", "''.join(reversed({S}))", "''.join(c for c in {S} if c > 'a')", "max({W}, key=len, default='')",
    "','.join(map(str, {L}))", "''.join(filter(str.isalpha, {S}))", "str(list(enumerate({W}, 1)))", "min({Y}, default='')",
    "str(sorted({D}.items()))", "str(dict(zip({W}, {L})))", "str([*{W}, *{Y}])",
)  # fmt: skip
_TESTS: tuple[str, ...] = (
    "{S} in {D}", "{N} in {E}", "{N} in {X}", "{N} in {L}", "{S} in {Y}", "{S} == {S}", "{S} < {S}", "{D}", "{L}", "{X}",
    "{S}", "{S}.startswith({S})", "{S}.isdigit()", "{S}.isalpha()", "{N} > {N}", "{E} == {E}", "{X} <= {X}",
    "{L} == {L}", "{S} not in {W}", "{S}.endswith({S})", "{Y} == {Y}", "{G}", "not {Q}", "{T} == {T}", "{S} in {S}",
    "{X}.isdisjoint({X})", "{S}.isspace()", "{L} is {L}", "{L} < {L}",
    "{C} == {C}", "{C} <= {C}", "{C} > {C}", "{C} == {D}", "{O} == {O}", "{O} == {E}", "{F} == {G}", "{N} in {O}",
    "{S} in {C}", "{S} in {H}", "{F}", "{C} != {C}",
)  # fmt: skip
