"""`match`: tests and assignments.

```python
match point:                   →   _jc_subject = point
    case (0, y) if y > 0:          _jc_matched = False
        use(y)                     if isinstance(_jc_subject, Sequence) and … and len(_jc_subject) == 2:
    case int():                        _jc_item = _jc_subject[0]
        count()                        _jc_item_2 = _jc_subject[1]
    case _:                            if _jc_item == 0:
        other()                            y = _jc_item_2
                                           if y > 0:
                                               _jc_matched = True
                                   if _jc_matched:
                                       use(y)
                                   elif isinstance(_jc_subject, int):
                                       count()
                                   else:
                                       other()
```
A pattern that is one test, and binds names only to what is at hand, needs no flag. As in CPython, strings and bytes are
no sequences, `None`, `True` and `False` match by identity, and names are bound once the whole pattern matches, before
the guard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Sequence as Sequences
from typing import Any, Final, TypeAlias

import gast

from jitcore.frontend.desugar.nodes import assign, builtin, constant, if_, load, located
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.structs import dataclass

Then: TypeAlias = "Callable[[list[Any]], list[Any]]"
"""Gives the statements for when a pattern has matched, from the assignments that bind its names."""

_TEXTS: Final = (str, bytes, bytearray)
_MATCH_THEMSELVES: Final = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes whose one positional sub-pattern is for the object itself."""


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree without `match`."""
    return _Matches(temporaries).visit(tree)


@dataclass(frozen=True, slots=True)
class _Simple:
    """A pattern that is one test (None: it always matches) and bindings of names."""

    test: Any
    bindings: list[Any]


class _Matches(gast.NodeTransformer):
    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def visit_Match(self, node: Any) -> Any:
        """A chain of `if`s."""
        self.generic_visit(node)
        subject = self.temporaries.fresh("subject")
        return [assign(subject, node.subject, node.subject), *self._cases(node.cases, subject)]

    def _cases(self, cases: Sequence[Any], subject: str) -> list[Any]:
        if not cases:
            return []
        case, rest = cases[0], cases[1:]
        pattern, guard = case.pattern, case.guard
        simple = self._simple(pattern, subject)
        if simple is not None and (guard is None or not simple.bindings):
            parts = [part for part in (simple.test, guard) if part is not None]
            body = [*simple.bindings, *case.body]
            if not parts:
                return body
            return [if_(_all(parts, pattern), body, self._cases(rest, subject), pattern)]
        matched = self.temporaries.fresh("matched")

        def then(bindings: list[Any]) -> list[Any]:
            success = [assign(matched, constant(True, pattern), pattern)]
            return [*bindings, *success] if guard is None else [*bindings, if_(guard, success, [], guard)]

        before = assign(matched, constant(False, pattern), pattern)
        tests = self._matching(pattern, subject, then)
        return [before, *tests, if_(load(matched, pattern), case.body, self._cases(rest, subject), pattern)]

    # Patterns that are one test

    def _simple(self, pattern: Any, subject: str) -> _Simple | None:
        kind = type(pattern)
        if kind is gast.MatchAs and pattern.pattern is not None:
            inner = self._simple(pattern.pattern, subject)
            if inner is None:
                return None
            return _Simple(inner.test, [*inner.bindings, _bind(pattern, pattern.name, load(subject, pattern))])
        if kind is gast.MatchAs:
            return _Simple(None, [_bind(pattern, pattern.name, load(subject, pattern))] if pattern.name else [])
        if kind is gast.MatchOr:
            parts = [self._simple(part, subject) for part in pattern.patterns]
            if any(part is None or part.test is None or part.bindings for part in parts):
                return None
            tests = [part.test for part in parts if part is not None]
            return _Simple(located(gast.BoolOp(gast.Or(), tests), pattern), [])
        if kind is gast.MatchValue:
            test = located(gast.Compare(load(subject, pattern), [gast.Eq()], [pattern.value]), pattern)
            return _Simple(test, [])
        if kind is gast.MatchSingleton:
            value = constant(pattern.value, pattern)
            return _Simple(located(gast.Compare(load(subject, pattern), [gast.Is()], [value]), pattern), [])
        if kind is gast.MatchClass and not pattern.patterns and not pattern.kwd_patterns:
            return _Simple(_call("isinstance", pattern, load(subject, pattern), pattern.cls), [])
        return None

    # Patterns of several steps

    def _matching(self, pattern: Any, subject: str, then: Then) -> list[Any]:
        """Statements that run `then` if the pattern matches."""
        simple = self._simple(pattern, subject)
        if simple is not None:
            body = then(simple.bindings)
            return body if simple.test is None else [if_(simple.test, body, [], pattern)]
        if type(pattern) is gast.MatchAs:
            binding = _bind(pattern, pattern.name, load(subject, pattern))
            return self._matching(pattern.pattern, subject, lambda bindings: then([*bindings, binding]))
        return _STEPS[type(pattern)](self, pattern, subject, then)

    def _every(self, patterns: Sequence[tuple[Any, str]], then: Then, bindings: list[Any]) -> list[Any]:
        """Statements that run `then` if all of the patterns match, each its own subject."""
        if not patterns:
            return then(bindings)
        (pattern, subject), rest = patterns[0], patterns[1:]
        return self._matching(pattern, subject, lambda more: self._every(rest, then, [*bindings, *more]))

    def either(self, pattern: Any, subject: str, then: Then) -> list[Any]:
        """`a | b`: the names' values are kept until it is known which of them matches."""
        found = self.temporaries.fresh("matched")
        kept: dict[str, str] = {}

        def alternative(bindings: list[Any]) -> list[Any]:
            done: list[Any] = []
            for binding in bindings:
                name = binding.targets[0].id
                if name not in kept:
                    kept[name] = self.temporaries.fresh("captured")
                done.append(assign(kept[name], binding.value, binding))
            return [*done, assign(found, constant(True, pattern), pattern)]

        statements = [assign(found, constant(False, pattern), pattern)]
        for k, part in enumerate(pattern.patterns):
            tests = self._matching(part, subject, alternative)
            unmatched = located(gast.UnaryOp(gast.Not(), load(found, part)), part)
            statements += [if_(unmatched, tests, [], part)] if k else tests
        bindings = [_bind(pattern, name, load(value, pattern)) for name, value in kept.items()]
        return [*statements, if_(load(found, pattern), then(bindings), [], pattern)]

    def sequence(self, pattern: Any, subject: str, then: Then) -> list[Any]:
        """`[a, *b, c]`: its length is looked at first, then its items are."""
        parts = pattern.patterns
        star = next((k for k, part in enumerate(parts) if type(part) is gast.MatchStar), None)
        fixed = len(parts) - (star is not None)
        is_sequence = _call("isinstance", pattern, load(subject, pattern), constant(Sequences, pattern))
        is_text = _call("isinstance", pattern, load(subject, pattern), constant(_TEXTS, pattern))
        no_text = located(gast.UnaryOp(gast.Not(), is_text), pattern)
        length = self.temporaries.fresh("length")
        fits = gast.Eq() if star is None else gast.GtE()
        long_enough = located(gast.Compare(load(length, pattern), [fits], [constant(fixed, pattern)]), pattern)
        steps: list[Any] = []
        inner: list[tuple[Any, str]] = []
        bindings: list[Any] = []
        for k, part in enumerate(parts):
            if type(part) is gast.MatchStar:
                if part.name:
                    bindings.append(_bind(part, part.name, _middle(subject, length, k, len(parts) - k - 1, part)))
            elif not (type(part) is gast.MatchAs and part.name is None and part.pattern is None):
                key = k if star is None or k < star else k - len(parts)
                steps.append(self._taken(part, _item(subject, _position(key, length, part), part), inner))
        whole = [*steps, *self._every(inner, then, bindings)]
        measure = assign(length, _call("len", pattern, load(subject, pattern)), pattern)
        return [
            if_(_all([is_sequence, no_text], pattern), [measure, if_(long_enough, whole, [], pattern)], [], pattern)
        ]

    def mapping(self, pattern: Any, subject: str, then: Then) -> list[Any]:
        """`{key: a, **rest}`: all keys are there, then their values match."""
        keys: list[str] = []
        before: list[Any] = []
        for key in pattern.keys:
            keys.append(self.temporaries.fresh("key"))
            before.append(assign(keys[-1], key, key))
        tests = [
            located(gast.Compare(load(key, node), [gast.In()], [load(subject, node)]), node)
            for key, node in zip(keys, pattern.keys, strict=True)
        ]
        inner: list[tuple[Any, str]] = []
        steps = [
            self._taken(part, _item(subject, load(key, part), part), inner)
            for key, part in zip(keys, pattern.patterns, strict=True)
        ]
        bindings: list[Any] = []
        if pattern.rest is not None:
            others = self.temporaries.fresh("rest")
            steps.append(assign(others, located(gast.Dict([None], [load(subject, pattern)]), pattern), pattern))
            for key in keys:
                target = located(gast.Subscript(load(others, pattern), load(key, pattern), gast.Del()), pattern)
                steps.append(located(gast.Delete([target]), pattern))
            bindings.append(_bind(pattern, pattern.rest, load(others, pattern)))
        whole = [*steps, *self._every(inner, then, bindings)]
        if tests:
            whole = [*before, if_(_all(tests, pattern), whole, [], pattern)]
        return [
            if_(_call("isinstance", pattern, load(subject, pattern), constant(Mapping, pattern)), whole, [], pattern)
        ]

    def of_class(self, pattern: Any, subject: str, then: Then) -> list[Any]:
        """`Class(a, name=b)`: positional sub-patterns are for the attributes that `__match_args__` names."""
        cls = self.temporaries.fresh("class")
        inner: list[tuple[Any, str]] = []
        values = [self.temporaries.fresh("attribute") for _ in (*pattern.patterns, *pattern.kwd_patterns)]
        inner = list(zip((*pattern.patterns, *pattern.kwd_patterns), values, strict=True))
        body = self._every(inner, then, [])
        count = len(pattern.patterns)
        for name, value in reversed(list(zip(pattern.kwd_attrs, values[count:], strict=True))):
            take = located(gast.Attribute(load(subject, pattern), name, gast.Load()), pattern)
            there = _call("hasattr", pattern, load(subject, pattern), constant(name, pattern))
            body = [if_(there, [assign(value, take, pattern), *body], [], pattern)]
        if count:
            body = self._positional(pattern, subject, cls, values[:count], body)
        is_one = _call("isinstance", pattern, load(subject, pattern), load(cls, pattern))
        return [assign(cls, pattern.cls, pattern.cls), if_(is_one, body, [], pattern)]

    def _positional(self, pattern: Any, subject: str, cls: str, values: Sequence[str], body: list[Any]) -> list[Any]:
        """Take the attributes of positional sub-patterns, then run a body.

        The body stands once: whether all of the attributes are there is a flag.
        """
        names, found = self.temporaries.fresh("names"), self.temporaries.fresh("found")
        taken: list[Any] = [assign(found, constant(True, pattern), pattern)]
        for k, value in reversed(list(enumerate(values))):
            name = _item(names, constant(k, pattern), pattern)
            there = _call("hasattr", pattern, load(subject, pattern), name)
            take = assign(value, _call("getattr", pattern, load(subject, pattern), name), pattern)
            taken = [if_(there, [take, *taken], [], pattern)]
        given = len(values)
        enough = located(
            gast.Compare(_call("len", pattern, load(names, pattern)), [gast.GtE()], [constant(given, pattern)]), pattern
        )
        named = located(gast.Attribute(load(cls, pattern), "__match_args__", gast.Load()), pattern)
        by_name = [
            assign(names, named, pattern),
            if_(enough, taken, [_too_many(pattern, cls, _call("len", pattern, load(names, pattern)), given)], pattern),
        ]
        one, none = constant(1, pattern), constant(0, pattern)
        itself: list[Any] = [_too_many(pattern, cls, one, given)]
        if given == 1:
            itself = [
                assign(values[0], load(subject, pattern), pattern),
                assign(found, constant(True, pattern), pattern),
            ]
        is_one = _call("issubclass", pattern, load(cls, pattern), constant(_MATCH_THEMSELVES, pattern))
        without = [if_(is_one, itself, [_too_many(pattern, cls, none, given)], pattern)]
        has_names = _call("hasattr", pattern, load(cls, pattern), constant("__match_args__", pattern))
        return [
            assign(found, constant(False, pattern), pattern),
            if_(has_names, by_name, without, pattern),
            if_(load(found, pattern), body, [], pattern),
        ]

    def _taken(self, part: Any, value: Any, inner: list[tuple[Any, str]]) -> Any:
        name = self.temporaries.fresh("item")
        inner.append((part, name))
        return assign(name, value, part)


_STEPS: Final[dict[type[Any], Callable[[_Matches, Any, str, Then], list[Any]]]] = {
    gast.MatchOr: _Matches.either,
    gast.MatchSequence: _Matches.sequence,
    gast.MatchMapping: _Matches.mapping,
    gast.MatchClass: _Matches.of_class,
}


def _bind(place: Any, name: str, value: Any) -> Any:
    return assign(name, value, place)


def _all(tests: list[Any], place: Any) -> Any:
    return tests[0] if len(tests) == 1 else located(gast.BoolOp(gast.And(), tests), place)


def _call(function: str, place: Any, *args: Any) -> Any:
    return located(gast.Call(builtin(function, place), list(args), []), place)


def _item(container: str, key: Any, place: Any) -> Any:
    return located(gast.Subscript(load(container, place), key, gast.Load()), place)


def _position(key: int, length: str, place: Any) -> Any:
    """The key of an item, counted from the end if it is negative."""
    if key >= 0:
        return constant(key, place)
    return located(gast.BinOp(load(length, place), gast.Sub(), constant(-key, place)), place)


def _middle(subject: str, length: str, before: int, after: int, place: Any) -> Any:
    """`list(subject[before:length - after])`."""
    end = _position(-after, length, place) if after else load(length, place)
    part = located(gast.Slice(constant(before, place), end, None), place)
    return _call("list", place, _item(subject, part, place))


def _too_many(place: Any, cls: str, accepted: Any, given: int) -> Any:
    """`raise TypeError("C() accepts 1 positional sub-pattern (2 given)")`."""
    name = located(
        gast.FormattedValue(located(gast.Attribute(load(cls, place), "__name__", gast.Load()), place), -1, None), place
    )
    count = located(gast.FormattedValue(accepted, -1, None), place)
    one = located(gast.Compare(accepted, [gast.Eq()], [constant(1, place)]), place)
    plural = located(gast.IfExp(one, constant("", place), constant("s", place)), place)
    text = located(
        gast.JoinedStr(
            [
                name,
                constant("() accepts ", place),
                count,
                constant(" positional sub-pattern", place),
                located(gast.FormattedValue(plural, -1, None), place),
                constant(f" ({given} given)", place),
            ]
        ),
        place,
    )
    error = located(gast.Call(builtin("TypeError", place), [text], []), place)
    return located(gast.Raise(error, None), place)
