"""`break`, `continue`, early `return` and loops' `else`: control flow with one way in and one way out.

```python
for x in xs:                  →   _jc_returning = False
    if x < 0:                     for x in xs:
        continue                      _jc_break = False
    if x > top:                       if x < 0:
        return x                          pass
    total += x                        else:
return total                              if x > top:
                                              _jc_value = x
                                              _jc_returning = True
                                              _jc_break = True
                                          else:
                                              total += x
                                      if _jc_break:
                                          break
                                  if _jc_returning:
                                      return _jc_value
                                  else:
                                      return total
```
Afterwards a `return` is the last thing its branch does, with nothing after the `if` it stands in (such an `if` has the
attribute `returns`), and the only `break` is the last statement of a `for` (which has the attribute `break_flag`); a
`while` tests its flag. What follows an `if` that leaves on some paths moves into the one path that goes on; where
several go on, a flag guards it. Code that cannot be reached is dropped; functions' nodes must have their `scope`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final

import gast

from jitcore.frontend.desugar import while_test
from jitcore.frontend.desugar.nodes import assign, constant, if_, is_true, load, located, negated
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey, identifiers, nodes, survey
from jitcore.structs import dataclass

_RETURN, _BREAK, _CONTINUE = 1, 2, 4
_EXITS = {gast.Return: _RETURN, gast.Break: _BREAK, gast.Continue: _CONTINUE}
_LOOPS = (gast.For, gast.While)


ORDER: Final = 60


def is_needed(found: Survey) -> bool:
    """Whether a function has more than a `return` at its end, or a loop that will be left by `break`."""
    if (
        while_test.is_needed(found)
        or gast.Try in found
        or gast.Break in found
        or gast.Continue in found
        or any(loop.orelse for loop in nodes(found, *_LOOPS))
    ):
        return True
    at_end = sum(type(function.body[-1]) is gast.Return for function in nodes(found, gast.FunctionDef))
    return len(found.get(gast.Return, ())) > at_end


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree with structured control flow, in nested functions too."""
    if type(tree) is gast.FunctionDef and not hasattr(tree, "generator"):  # whose bodies are structured already
        exits = _Exits(temporaries)
        body = exits.block(tree.body, _Place(None, True)) or [located(gast.Pass(), tree)]
        lost = sorted(exits.dropped & tree.scope.local)
        if lost:  # a name assigned to in dropped code only is still a variable of the function
            never = [assign(name, constant(None, tree), tree) for name in lost]
            body.insert(0, if_(constant(False, tree), never, [], tree))
        tree.body = body
    return tree


@dataclass(slots=True)
class _Loop:
    """The flags of a loop: that it is over, and that the rest of this round is skipped."""

    break_flag: str | None
    skip_flag: str | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: in which loop, and whether nothing follows it in the loop's body (or the function's)."""

    loop: _Loop | None
    is_tail: bool


@dataclass(frozen=True, slots=True)
class _Facts:
    """Of a statement as written: which exits of the function or loop around it it contains, whether control can get
    past it, and on how many paths (an `if` without exits counts as one)."""

    exits: int
    completes: bool
    paths_on: int


_GOES_ON = _Facts(0, True, 1)
_NEVER_COMPLETES = _Facts(0, False, 0)


class _Exits:
    """Structures the body of one function."""

    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries
        self.returning = ""
        self.value = ""
        self.dropped: set[str] = set()
        self._known: dict[int, tuple[Any, _Facts]] = {}  # the node is kept, so that its id stays its own

    def block(self, statements: Sequence[Any], place: _Place) -> list[Any]:
        """A block's statements, structured."""
        done: list[Any] = []
        position = 0
        while position < len(statements):
            statement = statements[position]
            position += 1
            kind = type(statement)
            if kind in _EXITS:
                self._drop(statements[position:])
                return done + self._leave(statement, place)
            if kind is gast.Raise:
                self._drop(statements[position:])
                return [*done, statement]
            if kind in _LOOPS:
                facts = self._facts(statement)
                before, after = self._loop(statement, place)
                done += before
                if not facts.completes and not facts.exits & _RETURN:
                    self._drop(statements[position:])
                    return done
                if after:
                    statements, position = [*after, *statements[position:]], 0
            elif kind is gast.Try:
                return done + self._try(statement, statements[position:], place)
            elif kind is gast.If:
                facts = self._facts(statement)
                if facts.exits:
                    return done + self._leaving_if(statement, statements[position:], place)
                self._branches(statement, place)
                done.append(statement)
                if not facts.completes:
                    self._drop(statements[position:])
                    return done
            else:
                if kind is gast.FunctionDef:
                    desugar(statement, self.temporaries)
                done.append(statement)
        return done

    def _branches(self, statement: Any, place: _Place) -> None:
        statement.body = self.block(statement.body, place) or [located(gast.Pass(), statement)]
        statement.orelse = self.block(statement.orelse, place)

    def _leaving_if(self, statement: Any, rest: Sequence[Any], place: _Place) -> list[Any]:
        """An `if` that leaves on some path, and what follows it."""
        going_on = self._facts(statement).paths_on
        if rest and going_on > 1:
            return self._guarded(statement, rest, place)
        if going_on == 0:
            self._drop(rest)
        elif rest:
            if self._block_facts(statement.body).paths_on:
                statement.body = [*statement.body, *rest]
            else:
                statement.orelse = [*statement.orelse, *rest]
        if place.loop is None and place.is_tail:
            statement.returns = True
        self._branches(statement, place)
        return [statement]

    def _guarded(self, statement: Any, rest: Sequence[Any], place: _Place) -> list[Any]:
        """An `if` after which several paths go on: the others set a flag, which guards what follows."""
        loop = place.loop
        if loop is None:
            flag = self._returning_flag()
            follow = if_(load(flag, statement), [self._return_again(statement)], list(rest), statement)
        else:
            flag = self._skip_flag(loop)
            follow = if_(negated(load(flag, statement), statement), list(rest), [], statement)
        before = [assign(flag, constant(False, statement), statement)] if place.is_tail else []
        self._branches(statement, _Place(loop, False))
        return [*before, statement, *self.block([follow], place)]

    def _try(self, node: Any, rest: Sequence[Any], place: _Place) -> list[Any]:
        """A `try` and what follows it. Exits in it set flags, since a `finally` comes first, or a handler may."""
        facts, is_for_leaving = self._facts(node), hasattr(node, "is_for_leaving")
        last = node.finalbody
        if last and is_for_leaving:  # its handlers have done what is to be done after an exception
            node = located(gast.Try(node.body, node.handlers, [], []), node)
        elif last:
            # what follows a `finally` is done after it where the `try` is left without an exception; else it ends in
            # `raise`
            inner = [located(gast.Try(node.body, node.handlers, [], []), node)] if node.handlers else node.body
            again = located(gast.Raise(None, None), node)
            always = located(gast.ExceptHandler(None, None, [*copy.deepcopy(last), again]), node)
            node = located(gast.Try(inner, [always], [], []), node)
        before: list[Any] = []
        inside = place
        if facts.exits:
            flag = self._returning_flag() if place.loop is None else self._skip_flag(place.loop)
            if place.is_tail:
                before.append(assign(flag, constant(False, node), node))
            inside = _Place(place.loop, False)
            if self._block_facts(last).exits:
                last = self._with_exits_kept(last, place.loop, node)
                if node.handlers and not is_for_leaving:  # not once more where it ended an exception
                    node.orelse, last = last, []
            rest = self._after_exits(node, facts, flag, rest, place)
        elif not facts.completes:
            self._drop(rest)
            rest = []
        exits = self._block_facts([*node.body, *node.orelse]).exits
        node.body = self.block(node.body, inside) or [located(gast.Pass(), node)]
        for handler in node.handlers:
            undone = self._undone(exits, place.loop, handler)
            handler.body = [*undone, *self.block(handler.body, inside)] or [located(gast.Pass(), handler)]
        node.orelse = self.block(node.orelse, inside)
        return [*before, node, *self.block([*last, *rest], place)]

    def _with_exits_kept(self, last: Sequence[Any], loop: _Loop | None, place: Any) -> list[Any]:
        """A `finally` with exits of its own, which use the flags of the exit that it may be on the way of: they are put
        aside for it, and are as before where it comes to its end."""
        flags = [] if loop is None else [flag for flag in (loop.break_flag, loop.skip_flag) if flag is not None]
        if self.returning:
            flags.append(self.returning)
        kept = [(flag, self.temporaries.fresh("left")) for flag in flags]
        before = [assign(name, load(flag, place), place) for flag, name in kept]
        after = [assign(flag, load(name, place), place) for flag, name in kept]
        if self.returning:
            value = self.temporaries.fresh("kept")
            returning = kept[-1][1]
            before += [assign(value, constant(None, place), place)]
            before += [if_(load(returning, place), [assign(value, load(self.value, place), place)], [], place)]
            after += [if_(load(returning, place), [assign(self.value, load(value, place), place)], [], place)]
        before += [assign(flag, constant(False, place), place) for flag in flags]
        return [*before, *last, *after]

    def _undone(self, exits: int, loop: _Loop | None, place: Any) -> list[Any]:
        """In a handler: an exception takes the place of an exit that was on its way through a `finally`."""
        flags = [self._returning_flag()] if exits & _RETURN else []
        if loop is not None and exits:
            flags += [flag for flag in (loop.break_flag, loop.skip_flag) if flag is not None]
        return [assign(flag, constant(False, place), place) for flag in flags]

    def _after_exits(self, node: Any, facts: _Facts, flag: str, rest: Sequence[Any], place: _Place) -> list[Any]:
        """What follows a `try` with exits in it."""
        if not facts.completes:
            self._drop(rest)
            return [self._return_again(node)] if place.loop is None else []
        if place.loop is None:
            return [if_(load(flag, node), [self._return_again(node)], list(rest), node)]
        return [if_(negated(load(flag, node), node), list(rest), [], node)] if rest else []

    def _skip_flag(self, loop: _Loop) -> str:
        loop.skip_flag = loop.skip_flag or self.temporaries.fresh("skip")
        return loop.skip_flag

    def _loop(self, node: Any, place: _Place) -> tuple[list[Any], list[Any]]:
        """A loop structured, and the statements, not structured yet, that do what is left after it."""
        exits = self._block_facts(node.body).exits
        ends = self._facts(node).completes
        orelse, node.orelse = node.orelse, []
        flag = self.temporaries.fresh("break") if exits & (_RETURN | _BREAK) else None
        before: list[Any] = []
        after: list[Any] = []
        if exits & _RETURN:
            if place.loop is None and place.is_tail:
                before.append(assign(self._returning_flag(), constant(False, node), node))
            again = self._return_again(node)
            after.append(if_(load(self._returning_flag(), node), [again], [], node) if ends else again)
        if orelse and exits & _BREAK:
            after.append(if_(negated(load(flag or "", node), node), orelse, [], node))
        elif ends:
            after += orelse
        else:
            self._drop(orelse)
        body = self.block(node.body, _Place(_Loop(flag), True))
        if flag is not None:
            off = assign(flag, constant(False, node), node)
            if type(node) is gast.While:
                before.append(off)
                unbroken = negated(load(flag, node), node)
                whole = located(gast.BoolOp(gast.And(), [unbroken, node.test]), node)
                node.test = unbroken if is_true(node.test) else whole
            else:
                before += [off] if orelse and exits & _BREAK else []
                body = [off, *body, if_(load(flag, node), [located(gast.Break(), node)], [], node)]
                node.break_flag = flag
        node.body = body or [located(gast.Pass(), node)]
        return [*before, node], after

    def _leave(self, node: Any, place: _Place) -> list[Any]:
        """What a `return`, `break` or `continue` becomes."""
        loop = place.loop
        done: list[Any] = []
        if type(node) is gast.Return:
            value = node.value or constant(None, node)
            if loop is None and place.is_tail:
                return [located(gast.Return(value), node)]
            if not hasattr(node, "is_repeated"):
                flag = self._returning_flag()
                done = [assign(self.value, value, node), assign(flag, constant(True, node), node)]
        if loop is None:
            return done
        if type(node) is not gast.Continue:
            done.append(assign(loop.break_flag or "", constant(True, node), node))
        if not place.is_tail:
            done.append(assign(loop.skip_flag or "", constant(True, node), node))
        return done

    def _drop(self, statements: Sequence[Any]) -> None:
        """Leave out statements that are never reached."""
        for statement in statements:
            self.dropped |= identifiers(survey(statement))

    def _returning_flag(self) -> str:
        if not self.returning:
            self.returning = self.temporaries.fresh("returning")
            self.value = self.temporaries.fresh("value")
        return self.returning

    def _return_again(self, place: Any) -> Any:
        """The `return`, outside a loop or guarded `if`, of the value whose flag was set inside."""
        self._returning_flag()
        node = located(gast.Return(load(self.value, place)), place)
        node.is_repeated = True
        return node

    def _facts(self, statement: Any) -> _Facts:
        known = self._known.get(id(statement))
        if known is not None:
            return known[1]
        kind = type(statement)
        if kind is gast.If:
            body, orelse = self._block_facts(statement.body), self._block_facts(statement.orelse)
            exits, completes = body.exits | orelse.exits, body.completes or orelse.completes
            facts = _Facts(exits, completes, body.paths_on + orelse.paths_on if exits else int(completes))
        elif kind is gast.Try:
            facts = self._facts_of_try(statement)
        elif kind in _LOOPS:
            inside = self._block_facts(statement.body).exits
            endless = kind is gast.While and is_true(statement.test) and not inside & _BREAK
            exits = (inside & _RETURN) | self._block_facts(statement.orelse).exits
            facts = _Facts(exits, not endless, int(not endless))
        elif kind in _EXITS:
            facts = _Facts(_EXITS[kind], False, 0)
        else:
            facts = _NEVER_COMPLETES if kind is gast.Raise else _GOES_ON
        self._known[id(statement)] = (statement, facts)
        return facts

    def _facts_of_try(self, statement: Any) -> _Facts:
        whole = [*statement.body, *statement.orelse]
        parts = [self._block_facts(block) for block in (whole, *(h.body for h in statement.handlers))]
        last = self._block_facts(statement.finalbody)
        exits = last.exits
        for part in parts:
            exits |= part.exits
        completes = last.completes and any(part.completes for part in parts)
        return _Facts(exits, completes, int(completes))

    def _block_facts(self, statements: Sequence[Any]) -> _Facts:
        if not statements:
            return _GOES_ON
        every = [self._facts(statement) for statement in statements]
        exits = 0
        for facts in every:
            exits |= facts.exits
        completes = all(facts.completes for facts in every)
        return _Facts(exits, completes, every[-1].paths_on if completes else 0)
