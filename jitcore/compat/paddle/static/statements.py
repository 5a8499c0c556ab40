"""What a Program is made of: calls of functions, branches, loops and gradients, in the order they were written in.

Statements name Variables; one name may be bound anew by a later statement (an update of a parameter, `assign` into a
Variable). What a call computes its result from is in `args` and `keywords`, in which Variables stand for arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import numpy as np

from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.compat.paddle.static.variables import Variable

FORWARD: Final = "forward"
BACKWARD: Final = "backward"
UPDATE: Final = "update"
"""What a statement is for. `clone(for_test=True)` keeps what goes forward."""


class Statement:
    """A step of a Program."""

    role: str = FORWARD
    is_kept: bool = False
    """Whether it is run though nobody asks for what it gives."""

    def reads(self) -> set[str]:
        """The names of the Variables whose values it may need."""
        raise NotImplementedError

    def writes(self) -> set[str]:
        """The names of the Variables that it may give values to."""
        raise NotImplementedError

    def replaces(self) -> set[str]:
        """Those of them that have nothing of the value that they had."""
        return self.writes()


@dataclass(slots=True, eq=False)
class Call(Statement):
    """`outputs = function(*args, **keywords)`. It writes to the arrays of `mutated`, too. `draws`: it draws random
    numbers."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    keywords: Mapping[str, Any]
    outputs: Any
    mutated: tuple[Variable, ...] = ()
    draws: bool = False
    is_kept: bool = False
    role: str = FORWARD

    def reads(self) -> set[str]:
        """See `Statement`."""
        return names_in((self.args, self.keywords)) | names_in(self.mutated)

    def writes(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.outputs) | names_in(self.mutated)

    def replaces(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.outputs) - names_in(self.mutated)


@dataclass(slots=True, eq=False)
class Part:
    """The statements of a branch or of a loop's body; `own` are the names that are of them alone."""

    statements: list[Statement] = field(default_factory=list["Statement"])
    own: set[str] = field(default_factory=set[str])

    def reads(self) -> set[str]:
        """The Variables around it that it needs."""
        return {name for statement in self.statements for name in statement.reads()} - self.own

    def writes(self) -> set[str]:
        """The Variables around it that it gives values to."""
        return {name for statement in self.statements for name in statement.writes()} - self.own


@dataclass(slots=True, eq=False)
class If(Statement):
    """`outputs` are the results of the first part if `condition` holds, else those of the second."""

    condition: Variable
    parts: tuple[Part, Part]
    results: tuple[tuple[Any, ...], tuple[Any, ...]]
    outputs: tuple[Variable, ...]
    is_kept: bool = False
    role: str = FORWARD

    def reads(self) -> set[str]:
        """See `Statement`."""
        found = names_in(self.condition)
        for part, results in zip(self.parts, self.results, strict=True):
            found |= part.reads() | (names_in(results) - part.own) | part.writes()
        return found

    def writes(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.outputs) | self.parts[0].writes() | self.parts[1].writes()

    def replaces(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.outputs)


@dataclass(slots=True, eq=False)
class Loop(Statement):
    """`carried` begin as `initial`; while `condition`, which `test` computes, holds, `body` is run and they become
    `results`."""

    carried: tuple[Variable, ...]
    initial: tuple[Any, ...]
    test: Part
    condition: Variable
    body: Part
    results: tuple[Any, ...]
    is_kept: bool = False
    role: str = FORWARD

    def reads(self) -> set[str]:
        """See `Statement`."""
        inner = names_in(self.results) - self.body.own | names_in(self.condition) - self.test.own
        for part in (self.test, self.body):
            inner |= part.reads() | part.writes()
        return names_in(self.initial) | (inner - names_in(self.carried))

    def writes(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.carried) | self.test.writes() | self.body.writes()

    def replaces(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.carried)


@dataclass(slots=True, eq=False)
class Backward(Statement):
    """`gradients` are those of the sum of `targets`, each times its cotangent (None: ones), by the Variables `by`,
    through the statements before."""

    targets: tuple[Variable, ...]
    cotangents: tuple[Variable | None, ...]
    by: tuple[Variable, ...]
    gradients: tuple[Variable, ...]
    apart: frozenset[str] = frozenset()
    """The names of Variables that no gradient goes through."""
    is_kept: bool = False
    role: str = BACKWARD

    def reads(self) -> set[str]:
        """See `Statement`."""
        return names_in((self.targets, self.cotangents, self.by))

    def writes(self) -> set[str]:
        """See `Statement`."""
        return names_in(self.gradients)


@dataclass(slots=True, eq=False)
class Initial(Statement):
    """A persistable Variable gets its first value. `tensor` is what it stands for."""

    variable: Variable
    tensor: Any
    value: np.ndarray[Any, Any]
    is_kept: bool = True
    role: str = FORWARD

    def reads(self) -> set[str]:
        """See `Statement`."""
        return set()

    def writes(self) -> set[str]:
        """See `Statement`."""
        return {self.variable.name}


Tree: TypeAlias = object


def variables_in(tree: Tree) -> Iterator[Variable]:
    """The Variables among arguments or results, in order."""
    if getattr(type(tree), "__jitcore_static__", False):
        yield cast("Variable", tree)
    elif isinstance(tree, slice):
        yield from variables_in((tree.start, tree.stop, tree.step))
    elif isinstance(tree, Mapping):
        yield from variables_in(list(cast("Mapping[object, object]", tree).values()))
    elif isinstance(tree, list | tuple):
        for item in cast("Sequence[object]", tree):
            yield from variables_in(item)


def names_in(tree: Tree) -> set[str]:
    """The names of the Variables among arguments or results."""
    return {variable.name for variable in variables_in(tree)}


def mapped(change: Callable[[Variable], Any], tree: Tree) -> Any:
    """The same arguments or results, each Variable changed."""
    if getattr(type(tree), "__jitcore_static__", False):
        return change(cast("Variable", tree))
    if isinstance(tree, slice):
        return slice(mapped(change, tree.start), mapped(change, tree.stop), mapped(change, tree.step))
    if isinstance(tree, Mapping):
        return {key: mapped(change, item) for key, item in cast("Mapping[object, object]", tree).items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(mapped(change, item) for item in cast("Sequence[object]", tree)))
    if isinstance(tree, list | tuple):
        return type(cast("list[Any]", tree))([mapped(change, item) for item in cast("Sequence[object]", tree)])
    return tree


def needed(statements: Iterable[Statement], wanted: Iterable[str]) -> list[Statement]:
    """The statements that the values of some Variables come of, at the end, and those that are kept."""
    live = set(wanted)
    found: list[Statement] = []
    for statement in reversed(list(statements)):
        if statement.is_kept or live & statement.writes():
            live -= statement.replaces()
            live |= statement.reads()
            found.append(statement)
    return found[::-1]
