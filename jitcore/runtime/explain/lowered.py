"""A function compiled for one kind of call ahead of calls: the texts of its stages, its cost, and the call itself."""

# pyright: reportPrivateUsage=false
# (what compiled functions have for this is theirs: they leave other names to the attributes of users' functions)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from jitcore.kernel.cost import Cost
from jitcore.program.cost import Count, Entry, count
from jitcore.runtime.arguments import Call, UnfitError
from jitcore.runtime.errors import strip
from jitcore.runtime.explain.lines import LineInfo, lines, place_of
from jitcore.runtime.records import STAGES
from jitcore.source import Span
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.runtime.dispatch import CompiledFunction
    from jitcore.runtime.specialisation import Specialisation


class Lowered:
    """What a call of a compiled function runs, without running it (`f.lower(*args, **keywords)`).

    >>> import numpy as np
    >>> from jitcore import jit
    >>> f = jit(lambda x: (x * 2.0).sum())
    >>> made = f.lower(np.ones(100))
    >>> made.cost().flops
    200
    >>> float(made.compile()(np.ones(100)))
    200.0
    """

    def __init__(
        self, function: CompiledFunction, member: Specialisation, args: Sequence[object], keywords: Mapping[str, object]
    ) -> None:
        self._function = function
        self._member = member
        packed = member.inputs(args, keywords)
        self._words = None if packed is None else [word for one in packed for word in one.words]
        self._key = tuple(Call.of(args, keywords).key)

    @property
    def signature(self) -> tuple[str, ...]:
        """The arguments that it serves, as `f.signatures` has them."""
        return self._member.arguments

    def as_text(self, stage: str = "opt") -> str:
        """The text of a stage, as `jitcore dump` prints it; empty for one that this function does not go through
        (`grad` where nothing is differentiated). Raises ValueError for what is no stage."""
        if stage not in STAGES:
            raise ValueError(f"there is no stage {stage!r}; there are {', '.join(STAGES)}")
        return self._member.compilation.text(stage)

    def cost(self) -> CallCost:
        """What a call with the arguments given costs. Nothing is run for it."""
        return CallCost.of(count(self._member.compilation.code.program, self._words), self._member)

    def lines(self) -> list[LineInfo]:
        """How each line of the source runs in such a call, and what it costs."""
        self._member.compilation.make()
        return lines(self._member, self._words)

    def compile(self) -> Compiled:
        """What serves such calls, and no others."""
        self._member.compilation.make()
        return Compiled(self._function, self._member, self._key)

    def __repr__(self) -> str:
        return f"<{self._function._name}({', '.join(self.signature)}), lowered>"


class Compiled:
    """A compiled function for one kind of arguments: others are a TypeError, never compiled for."""

    def __init__(self, function: CompiledFunction, member: Specialisation, key: tuple[object, ...]) -> None:
        self._function = function
        self._member = member
        self._key = key

    def __call__(self, *args: object, **keywords: object) -> Any:
        try:
            call = Call.of(args, keywords)
        except UnfitError:
            raise self._unfit() from None
        found = None
        if tuple(call.key) == self._key and self._member.fits(tuple(call.shapes)):
            found = self._member.inputs(args, keywords)
        if found is None:
            raise self._unfit()
        try:
            return self._function._run(self._member, found, args, keywords)
        except BaseException as error:
            strip(error)
            raise

    def _unfit(self) -> TypeError:
        signature = ", ".join(self._member.arguments)
        return TypeError(
            f"{self._function._name} was compiled for ({signature}), and what it reads besides as it was then; "
            "call the function itself for other arguments"
        )

    def __repr__(self) -> str:
        return f"<{self._function._name}({', '.join(self._member.arguments)}), compiled>"


# --- cost -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PartCost:
    """What a part of a call costs: the launches of a kernel (`name`), or the arithmetic on numbers of some lines."""

    name: str
    lines: tuple[int, ...]
    times: int
    flops: int | None
    read: int | None
    written: int | None

    @staticmethod
    def of(name: str, spans: Sequence[Span], entry: Entry) -> PartCost:
        """That of what stands at some places."""
        where = tuple(dict.fromkeys(place[1] for span in spans if (place := place_of(span)) is not None))
        if entry.cost is None:
            return PartCost(name, where, entry.times, None, None, None)
        return PartCost(name, where, entry.times, entry.cost.flops, entry.cost.read, entry.cost.written)


@dataclass(frozen=True, slots=True, eq=False)
class CallCost:
    """What a call costs: floating-point operations, and bytes of arrays read and written by kernels and between them.

    An operation on floats counts as one, be it an addition or a `tanh`, of complex numbers as two (a product: six).
    Bytes of a kernel are those of the different elements that it touches. `is_exact`: else it is a lower bound, and
    `unknown` says what depends on the data. Calls into Python are listed, and cost what they cost.
    """

    flops: int
    read: int
    written: int
    allocations: int
    """Those that are certain: lists that grow make more as it comes."""
    allocated: int
    """Bytes, of the allocations whose size is known."""
    kernels: tuple[PartCost, ...]
    numbers: PartCost
    """What is done between kernels: numbers, single elements, copies."""
    host_calls: tuple[tuple[str, int, int], ...]
    """The calls into Python: name, line, and how many."""
    unknown: tuple[tuple[int, str], ...]
    """Where the data decides how much is done (lines), and what it decides."""

    @staticmethod
    def of(counted: Count, member: Specialisation) -> CallCost:
        """That of a call of a specialisation."""
        total = counted.total
        calls = member.compilation.code.program.host_calls
        between = Entry(1, Cost())
        for entry in counted.numbers.values():
            between.add(0, entry.cost)
        sizes = [PartCost.of(name, spans, entry) for (name, spans), entry in counted.kernels.items()]
        return CallCost(
            total.flops, total.read, total.written, counted.allocations, counted.allocated,
            tuple(sizes),
            PartCost.of("numbers", tuple(counted.numbers), between),
            tuple(
                (calls[index].described or calls[index].operation, _line(span), entry.times)
                for (index, span), entry in counted.hosts.items()
            ),
            tuple((_line(span), what) for span, what in counted.unknown.items()),
        )  # fmt: skip

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.read + self.written

    @property
    def is_exact(self) -> bool:
        """Whether this is all that is done."""
        return not self.unknown and all(part.flops is not None for part in (*self.kernels, self.numbers))

    def as_dict(self) -> Mapping[str, Any]:
        """The same as plain data."""
        return {
            "flops": self.flops, "read": self.read, "written": self.written, "allocations": self.allocations,
            "allocated": self.allocated, "is_exact": self.is_exact,
            "kernels": [
                {
                    "name": k.name, "lines": list(k.lines), "times": k.times, "flops": k.flops, "read": k.read,
                    "written": k.written,
                }
                for k in self.kernels
            ],
            "host_calls": [{"name": name, "line": line, "times": times} for name, line, times in self.host_calls],
            "unknown": [{"line": line, "decides": what} for line, what in self.unknown],
        }  # fmt: skip

    def _rows(self) -> list[tuple[str, ...]]:
        rows = [
            (k.name, ", ".join(map(str, k.lines)), str(k.times), *map(_shown, (k.flops, k.read, k.written)))
            for k in (*self.kernels, self.numbers)
        ]
        return [*rows, ("in all", "", "", *map(_shown, (self.flops, self.read, self.written)))]

    def __repr__(self) -> str:
        rows = [_HEADS, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines.append(f"{self.allocations} allocations of {self.allocated:,} bytes")
        lines += [f"calls Python: line {line}: {name}, {times} times" for name, line, times in self.host_calls]
        lines += [f"at least, since the data decides {what} (line {line})" for line, what in self.unknown]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{cell}</th>" for cell in _HEADS)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self._rows())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


_HEADS = ("kernel", "lines", "times", "flops", "bytes read", "bytes written")


def _shown(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _line(span: Span) -> int:
    place = place_of(span)
    return 0 if place is None else place[1]
