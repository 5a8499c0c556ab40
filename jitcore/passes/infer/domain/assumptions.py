"""What an attempt at inferring a program takes for granted, having been learned by those before it.

Where it does not hold the program is inferred anew, by assumptions that are higher up (`Assumptions.height`): so the
attempts end.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from jitcore.passes.infer.domain.cells import Cells
from jitcore.passes.infer.domain.values import NO_PATHS, Origin, Path, Restart, Static
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass, field, replace


class Lists(enum.IntEnum):
    """How lists that are items of others are represented; each is tried where the one before did not do."""

    DIRECT = 0
    """By their items."""
    POOLED = 1
    """In pools (`python.pools`), those of the call's in pools of their own."""
    POOLED_TOGETHER = 2
    """In pools, those of the call's among the others."""
    UNPOOLED = 3
    """By their items, for good: what needs pools is refused."""


class Boxes(enum.IntEnum):
    """Whether the containers and strings that a program makes live in boxes (`domain.boxes`)."""

    NONE = 0
    ALL = 1
    """All of them: the program was refused, or asked for a key of the run, without."""
    REFUSED = 2
    """None, for good: the program is refused with boxes, too."""


class NeedsStaticError(CompileError):
    """The program cannot be compiled as long as these inputs are not known; it may be if they are."""

    def __init__(self, problems: Sequence[Problem], headline: str, paths: frozenset[Path]) -> None:
        super().__init__(problems, headline)
        self.paths = paths


class KeyOfRunError(CompileError):
    """A dict or set has keys of the run, which it may only have in boxes."""


@dataclass(slots=True)
class Assumptions:
    """What inference goes by from the start of an attempt."""

    boxes: Boxes = Boxes.NONE
    cells: Cells = field(default_factory=Cells)
    """What boxes may hold, by the places where they are made."""
    lists: Lists = Lists.DIRECT
    refs: set[Origin] = field(default_factory=set[Origin])
    expected: frozenset[Origin] = frozenset()
    """Those of the arrays in `refs` that are there only since they are expected to be written to."""
    asked: frozenset[Path] = NO_PATHS
    """Numbers and strings among the arguments that the caller wants to be known."""
    statics: set[Path] = field(default_factory=set[Path])
    unrolled: set[Any] = field(default_factory=set[Any])
    """The loops of the source of which one was found to need unrolling: short ones of the same source are unrolled at
    once."""
    recursive: set[Any] = field(default_factory=set[Any])
    attributes: dict[Any, tuple[Static, str]] = field(default_factory=dict[Any, tuple[Static, str]])
    """The attributes written to: by their key in the heap, the object and the name."""
    containers: dict[Path, Any] = field(default_factory=dict[Path, Any])
    """The lists and dicts of the code outside that the program changes, arguments excepted."""
    read: set[Path] = field(default_factory=set[Path])
    """Those of them that it reads, too."""
    columns: set[Path] = field(default_factory=set[Path])
    """The long lists of numbers of the code outside, arguments excepted, of which the run says which item is meant."""
    pools: list[tuple[Any, bool]] = field(default_factory=list[tuple[Any, bool]])
    """The forms of the items of the pools that it needs, and whether they are for lists of the call's
    (`python.pools`)."""
    widened: int = 0
    """How often the items of a pool were found to have a wider form."""
    births: set[Any] = field(default_factory=set[Any])
    """The places where lists are made that belong in a pool from the start."""
    elements: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """The forms of the items of lists in pools that are made without any, by the places where they are made."""
    kept: set[Any] = field(default_factory=set[Any])
    """The places where objects must not be moved (`Moved`), since another name of theirs is used afterwards."""

    layers: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """The layers that the program makes where it uses them, by place: one object in every attempt, as paths lead from
    it."""
    modes: set[Path] = field(default_factory=set[Path])
    """The strings from outside that were compared with constants: `NeedsStaticError` asks for them."""
    changing: frozenset[Path] = NO_PATHS
    """Where strings are that objects and containers hold, and that were seen to change: values of the run."""
    knows_strings: bool = True
    """Whether strings from outside may be known: not once a function was compiled for many values of them."""
    knows_numbers: bool = True
    """The same for numbers."""
    without_boxes: Assumptions | None = None
    """While there are boxes: what was known before."""
    refusal: CompileError | None = None
    """Why the program was refused then."""
    refusal_of_boxes: CompileError | None = None
    """Once there are no boxes for good: why the program was refused with them."""

    def __post_init__(self) -> None:
        self.statics |= self.asked

    def height(self) -> tuple[int, int, bool, int]:
        """How far up they are: whether there are boxes, how lists are represented, whether what is written to was found
        rather than expected, and how much else is known. Every attempt ends higher than it began, in this order."""
        known = (
            self.refs, self.statics, self.unrolled, self.recursive, self.attributes, self.containers, self.read,
            self.columns, self.pools, self.births, self.elements, self.kept,
        )  # fmt: skip
        return self.boxes, self.lists, not self.expected, self.cells.growth + self.widened + sum(map(len, known))

    def expect(self, written: frozenset[Origin]) -> None:
        """Arrays that will probably be written to."""
        self.expected = written
        self.refs |= written

    def correct(self, missed: Iterable[Origin]) -> None:
        """What was expected is known now: these arrays are not written to."""
        self.refs.difference_update(missed)
        self.expected = frozenset()

    @property
    def uses_boxes(self) -> bool:
        """Whether containers and strings that the program makes live in boxes."""
        return self.boxes is Boxes.ALL

    def turn_to_boxes(self, refusal: CompileError | None = None) -> None:
        """Forget everything, and put containers and strings into boxes from here on. `refusal`: why the program cannot
        be compiled without, where that is known."""
        before = replace(self)
        self._forget()
        self.boxes, self.without_boxes, self.refusal = Boxes.ALL, before, refusal

    def turn_from_boxes(self, refusal: CompileError) -> CompileError | None:
        """What was known before there were boxes again, and no boxes from here on, with which the program is refused;
        why it is refused without them, where that is known."""
        before, without = self.without_boxes, self.refusal
        assert before is not None
        self._take(before)
        self.boxes, self.refusal_of_boxes = Boxes.REFUSED, refusal
        return without

    @property
    def uses_pools(self) -> bool:
        """Whether lists that are items of others are in pools (`python.pools`)."""
        return self.lists in (Lists.POOLED, Lists.POOLED_TOGETHER)

    def begin_pools(self) -> None:
        """Start anew with pools, if that has not been done. Loops that would be unrolled for lists to keep their
        structure need not be."""
        if self.lists is not Lists.DIRECT:
            return
        self.lists = Lists.POOLED
        self.unrolled.clear()
        self.statics = {path for path in self.statics if path[0] != "loop"}
        raise Restart

    def join_pools(self) -> NoReturn:
        """Start anew with lists of the call's in the pools of others."""
        self.lists = Lists.POOLED_TOGETHER
        self.pools.clear()
        raise Restart

    def end_pools(self) -> None:
        """Forget everything, and do without pools from here on."""
        self._forget()
        self.lists = Lists.UNPOOLED

    def _forget(self) -> None:
        fresh = Assumptions(
            boxes=self.boxes,
            knows_strings=self.knows_strings,
            knows_numbers=self.knows_numbers,
            changing=self.changing,
            asked=self.asked,
            without_boxes=self.without_boxes,
            refusal=self.refusal,
            refusal_of_boxes=self.refusal_of_boxes,
        )
        self._take(fresh)

    def _take(self, others: Assumptions) -> None:
        for name in Assumptions.__dataclass_fields__:
            setattr(self, name, getattr(others, name))

    def add_statics(self, paths: Iterable[Path]) -> None:
        """Numbers that must be known, the indices of loops that must be unrolled among them."""
        for path in paths:
            self.statics.add(path)
            if path[0] == "loop":
                self.unrolled.add(path[1][-1])  # type: ignore[index]
