"""Functions that cannot be compiled whole: the driver that the interpreter runs, its segments, which are compiled, and
its regions, the places that are not.

A segment is compiled when it is first reached, for the values it then gets. What turns out not to be compilable in it
splits it in turn, before anything of it has run.
"""

from __future__ import annotations

import functools
import os
import sysconfig
from collections.abc import Callable, Collection, Iterator, Sequence
from time import perf_counter
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jitcore.forking import process_lock
from jitcore.frontend.outlining import Outliner
from jitcore.lookup import attribute_of
from jitcore.passes.infer.engine.budget import LIMIT
from jitcore.rounds import in_parallel, is_parallel
from jitcore.runtime import region_models
from jitcore.runtime.errors import is_ours
from jitcore.source import CompileError, Problem, Span, TooDearError
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.frontend.outlining import Outline, Outliner
    from jitcore.frontend.outlining import Segment as Source
    from jitcore.runtime.dispatch import CompiledFunction

MOST_CLASSES: Final = 16
"""Of arguments, that a segment is compiled for."""
_LESS: Final = 4
"""The segments of what was too dear to compile may take so many times less work than it."""
_FEW_CLASSES: Final = 4
"""From so many on they may have taken an eighth of the work that a function's inference may do again."""
_MOST_ITEMS: Final = 1000
"""In a container that a segment is compiled for: its structure is part of the code."""

_BETWEEN: Final = frozenset({"backward"})
"""Methods of what compiled parts leave, that are called as statements of their own."""
_BESIDE: Final = frozenset({"step", "zero_grad"})
"""Such methods, in a function that calls one of the others."""
_LIBRARIES: Final = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""Where the code of others is: called as it is."""


@dataclass(slots=True, eq=False)
class Region:
    """Lines that the interpreter runs, why, how often they ran and how long that took in all (what they call
    included)."""

    first: int
    last: int
    problems: tuple[Problem, ...]
    runs: int = 0
    seconds: float = 0.0
    reported: bool = False

    @property
    def is_meant(self) -> bool:
        """Whether it is what belongs between compiled parts."""
        return all(problem.is_meant for problem in self.problems)

    @property
    def lines(self) -> str:
        """Its lines, as text."""
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"

    def enter(self) -> float:
        """Note the beginning of a run."""
        return perf_counter()

    def leave(self, started: float) -> None:
        """Note the end of a run."""
        self.runs += 1
        self.seconds += perf_counter() - started

    def run(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Run it as a function."""
        started = self.enter()
        try:
            return function(*args)
        finally:
            self.leave(started)


class Segment:
    """Statements that are compiled, called by a driver with the variables they read."""

    def __init__(self, source: Source, made: CompiledFunction) -> None:
        self.source = source
        self.compiled = made
        self.runs = 0

    def __call__(self, *args: Any) -> Any:
        self.runs += 1
        return self.compiled(*args)


@dataclass(slots=True, eq=False)
class _Split:
    """One way that a function was split."""

    driver: Callable[..., Any]
    segments: Sequence[Segment]
    regions: Sequence[Region]


class Regions:
    """The drivers of one function: one for each set of places found not to be compilable."""

    def __init__(
        self,
        function: Callable[..., Any],
        kind: Callable[[FunctionType, int], CompiledFunction],
        whole: bool,
        share: int = 1,
    ) -> None:
        self._function = function
        self._kind = kind
        self._whole = whole
        """Whether what cannot be split is a region itself: it is part of a function."""
        self._share = share
        """What part of the work of compiling a function its segments may take."""
        self._outliner: Outliner | None = None
        self._splits: dict[Any, _Split | None] = {}
        self._segments: dict[tuple[int, int], Segment] = {}
        self._interpreted: dict[str, Region] = {}
        self._told = 0
        self._lock = process_lock()

    def foreseen(self) -> CompileError | None:
        """What the interpreter is to run between compiled parts of the function, as its source tells, which are then
        not worked out in vain; None if nothing is."""
        function = self._users_function()
        if function is None or not _BETWEEN.intersection(function.__code__.co_names):
            return None
        with self._lock:
            if self._outliner is None:
                try:
                    self._outliner = Outliner(function)
                except CompileError:  # there is no source
                    return None
            problems = self._outliner.foreseen(_BETWEEN, _BESIDE)
        return CompileError(problems) if problems else None

    def driver(self, error: CompileError) -> Callable[..., Any] | None:
        """What runs instead of the function, given why it cannot be compiled; None if nothing of it would be
        compiled."""
        key = frozenset((p.span.file, p.span.line, p.span.column, p.message) for p in error.problems)
        with self._lock:
            if key not in self._splits:
                self._splits[key] = self._split(error)
            found = self._splits[key]
        if found is None or not isinstance(self._function, MethodType):
            return found.driver if found is not None else None
        return functools.partial(found.driver, self._function.__self__)

    def _users_function(self) -> FunctionType | None:
        """The function itself, if it is a plain one of the user's."""
        function: Any = self._function.__func__ if isinstance(self._function, MethodType) else self._function
        if not isinstance(function, FunctionType) or is_ours(function.__code__.co_filename):
            return None
        return function

    def _split(self, error: CompileError) -> _Split | None:
        function = self._users_function()
        if function is None:
            return None
        if isinstance(error, TooDearError) and error.is_whole:
            return self._undivided(function, error) if self._whole else None
        outline: Outline | None = None
        try:
            if self._outliner is None:
                self._outliner = Outliner(function)
            outline = self._outliner.outline(error)
        except CompileError:  # there is no source to split: `error` says so
            pass
        if outline is not None:
            return self._bound(outline, error)
        return self._undivided(function, error) if self._whole else None

    def _bound(self, outline: Outline, error: CompileError) -> _Split:
        dear = error if isinstance(error, TooDearError) else None
        share = self._share if dear is None else self._share * _LESS
        segments = [self._segment(source, share) for source in outline.segments]
        regions = [Region(place.first, place.last, place.problems) for place in outline.places]

        def enter(place: int) -> float:
            return regions[place].enter()

        def leave(place: int, started: float) -> None:
            regions[place].leave(started)

        def compiled(callee: Any) -> Any:
            function = callee.__func__ if isinstance(callee, MethodType) else callee
            if dear is not None and attribute_of(function, "__code__", None) in dear.callees:
                return callee
            return _compiled(callee)

        _count_regions(len(regions))
        return _Split(outline.bind(segments, enter, leave, compiled), segments, regions)

    def _segment(self, source: Source, share: int) -> Segment:
        made = self._segments.get((id(source), share))
        if made is None:
            function = in_parallel(source.function) if is_parallel(self._function) else source.function
            made = self._segments[id(source), share] = Segment(source, self._kind(function, share))
        return made

    def _undivided(self, function: FunctionType, error: CompileError) -> _Split:
        region = _region_of(function, error.problems)

        def driver(*args: Any) -> Any:
            return region.run(function, args)

        return _Split(driver, (), (region,))

    def interpret(self, args: Sequence[Any], why: str, hint: str) -> Any:
        """Run a segment in the interpreter, for a reason that is not in the program but in a call."""
        function = self._function
        region = self._interpreted.get(why)
        if region is None:
            assert isinstance(function, FunctionType)
            first, last = _lines_of(function)
            code = function.__code__
            span = Span(code.co_filename, first, 0, last, 0, code.co_name)
            region = self._interpreted.setdefault(why, _region_of(function, (Problem(span, why, hint),)))
        return region.run(function, args)

    # --- looking inside -------------------------------------------------------------------------------

    def segments(self) -> list[Segment]:
        """What is compiled, of the parts of parts too; without those that were split themselves."""
        found: list[Segment] = []
        for made in self._made():
            for segment in made.segments:
                if segment.compiled.specialisations or not segment.compiled.regions.is_split:
                    found.append(segment)
                found += segment.compiled.regions.segments()
        return sorted(dict.fromkeys(found), key=lambda s: (s.source.first, s.source.last))

    def all(self) -> list[Region]:
        """What the interpreter runs, in the order of the source."""
        found = list(self._interpreted.values())
        for made in self._made():
            found += made.regions
            for segment in made.segments:
                found += segment.compiled.regions.all()
        return sorted(dict.fromkeys(found), key=lambda r: (r.first, r.last))

    @property
    def is_split(self) -> bool:
        """Whether the function has been split."""
        return bool(self._splits)

    def _made(self) -> Iterator[_Split]:
        return (made for made in self._splits.values() if made is not None)

    @staticmethod
    def past_compiling(
        key: object, known: Collection[object], values: Sequence[object], work: int
    ) -> tuple[str, str] | None:
        """Why a segment is rather interpreted than compiled for a call, and what would help; None if there is no
        reason.

        `key` is the class of the call, `known` has the classes it has been compiled for, which took so much `work`.
        """
        may_do = LIMIT if len(known) < _FEW_CLASSES else LIMIT >> 3
        if key not in known and (len(known) >= MOST_CLASSES or work > may_do):
            return (
                f"compiled for {len(known)} kinds of values already",
                "values of the same types, containers of the same lengths",
            )
        if any(isinstance(v, (list, tuple, dict, set, frozenset)) and len(v) > _MOST_ITEMS for v in values):
            return f"a container of more than {_MOST_ITEMS} items is read", "an array"
        return None

    def notice(self, name: str) -> str | None:
        """What to tell the user about regions that they have not been told of; None if there are none."""
        count = _known.regions
        if self._told == count:
            return None
        self._told = count
        fresh = [region for region in self.all() if not region.reported and not region.is_meant]
        if not fresh:
            return None
        for region in fresh:
            region.reported = True
        lines = ", ".join(dict.fromkeys(region.lines for region in fresh))
        problems = dict.fromkeys(str(problem) for region in fresh for problem in region.problems)
        return f"{name} runs in part in the interpreter ({lines}); the rest is compiled:\n" + "\n".join(problems)


_MOST_CALLEES: Final = 512
"""Functions that are kept compiled for the drivers that call them."""


@dataclass(slots=True, eq=False)
class _Known:
    """Functions that drivers call compiled, by themselves."""

    made: dict[int, tuple[FunctionType, Any]] = field(default_factory=dict[int, "tuple[FunctionType, Any]"])
    regions: int = 0
    """How many regions there are: while that stays, nobody has to be told of any."""
    lock: Any = field(default_factory=process_lock)


_known: Final = _Known()


def _count_regions(more: int) -> None:
    with _known.lock:
        _known.regions += more


def _compiled(callee: Any) -> Any:
    """What a driver calls for a function: its compiled form, if it is a plain function of the user's that lasts."""
    if isinstance(callee, MethodType) and isinstance(callee.__func__, FunctionType):
        function = callee.__func__
        made = _compiled(function)
        return callee if made is function else functools.partial(made, callee.__self__)
    if not isinstance(callee, FunctionType) or is_ours(callee.__code__.co_filename):
        return callee
    if callee.__code__.co_filename.startswith(_LIBRARIES):
        return callee
    if set(callee.__code__.co_freevars) - {"__class__"}:
        return callee
    with _known.lock:
        found = _known.made.get(id(callee))
        if found is None:
            while len(_known.made) >= _MOST_CALLEES:
                del _known.made[next(iter(_known.made))]
            found = _known.made[id(callee)] = (callee, _worth_compiling(callee))
    return found[1]


def _worth_compiling(function: FunctionType) -> Any:
    try:
        return region_models.compiled(function) if Outliner(function).is_worthwhile() else function
    except CompileError:  # it has no source
        return function


def _region_of(function: FunctionType, problems: tuple[Problem, ...]) -> Region:
    """A function as a region."""
    _count_regions(1)
    return Region(*_lines_of(function), problems)


def _lines_of(function: FunctionType) -> tuple[int, int]:
    lines = [line for _, _, line in function.__code__.co_lines() if line is not None]
    first = function.__code__.co_firstlineno
    inside = [line for line in lines if line > first] or [first]
    return min(inside), max(inside)
