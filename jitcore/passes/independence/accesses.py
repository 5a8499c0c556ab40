"""What the rounds of a loop read and write of memory, and whether two of them meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.passes.independence.combining import Combination, combination
from jitcore.passes.independence.indices import Indices, Span, linear
from jitcore.passes.independence.reductions import Choice, change, replacement, united
from jitcore.passes.plan.aliasing import Aliasing, has_place
from jitcore.primitives.ops import conversions, elementwise, state
from jitcore.source import Problem
from jitcore.structs import dataclass, field
from jitcore.types import Dim, DimExpr, RefType

_WINDOWS: Final = frozenset([state.ref_view, state.ref_transpose, state.ref_reshape])
_WRITES: Final = frozenset([state.ref_write, state.ref_add])
_READS: Final = frozenset([state.ref_read])
_FOR_EACH: Final = frozenset([elementwise.less, elementwise.less_equal, elementwise.greater, elementwise.greater_equal])

_OWN: Final = (
    "an element or row of its own for each round (out[i] = …), an array made in the round, or range in place of prange"
)
_OTHER: Final = "another array to read from (a copy made before the loop), or range in place of prange"


@dataclass(frozen=True, slots=True)
class Access:
    """A binding that reads or writes memory that was there before the loop: `base`, or a window of it by `views`, the
    first of which is of `base` itself."""

    binding: Binding
    base: Var
    views: tuple[Binding, ...]

    @property
    def writes(self) -> bool:
        """Whether it writes."""
        return self.binding.op in _WRITES


@dataclass(slots=True)
class Memory:
    """What was found of a loop's memory: what is wrong with it, which places are added to by all rounds, and what must
    not be negative before the loop for the rest to hold."""

    problems: list[Problem] = field(default_factory=list[Problem])
    sums: dict[Var, Combination | Choice] = field(default_factory=dict["Var", "Combination | Choice"])
    conditions: list[Dim] = field(default_factory=list["Dim"])


def memory_of(body: Graph, indices: Indices, aliasing: Aliasing) -> Memory:
    """Look at all that a loop's rounds do to memory."""
    found = Memory()
    accesses: dict[Var, list[Access]] = {}
    definitions = {out: b for b in all_bindings(body) for out in b.outs}
    for binding in all_bindings(body):
        for access in _accesses(binding, definitions, indices, found):
            accesses.setdefault(access.base, []).append(access)
    written = [base for base, made in accesses.items() if any(a.writes for a in made)]
    for base in written:
        for other, made in accesses.items():
            meets = other is not base and aliasing.may_overlap(aliasing.roots(base), aliasing.roots(other))
            if meets and not (other in written and list(accesses).index(other) < list(accesses).index(base)):
                first = next(a for a in made)
                message = f"{other.name} may lie in the memory of {base.name}, which other rounds write to"
                found.problems.append(Problem(first.binding.span, message, _OTHER))
        _judge(base, accesses[base], indices, found)
    return found


def _accesses(
    binding: Binding, definitions: Mapping[Var, Binding], indices: Indices, found: Memory
) -> Iterator[Access]:
    """What a binding does to memory from before the loop."""
    if binding.op in _WINDOWS:
        return
    for arg in binding.args:
        if not has_place(arg.type) or not isinstance(arg, Var):
            continue
        views: list[Binding] = []
        place: Atom = arg
        while not indices.is_outer(place) and isinstance(place, Var):
            made = definitions.get(place)
            if made is not None and made.op is state.ref_new:
                break
            if made is None or made.op not in _WINDOWS:
                message = "which memory this reads or writes is found out only when it runs"
                found.problems.append(Problem(binding.span, message, _OWN))
                return
            views.append(made)
            place = made.args[0]
        if not isinstance(place, Var) or not indices.is_outer(place):
            continue
        if binding.op not in _WRITES | _READS:
            message = f"{place.name} is handed on here, and may be written to by several rounds"
            found.problems.append(Problem(binding.span, message, _OWN))
        else:
            yield Access(binding, place, tuple(reversed(views)))


def _judge(base: Var, accesses: Sequence[Access], indices: Indices, found: Memory) -> None:
    """Whether rounds meet in a place that is written to: not if each has a part of some axis to itself, or if all only
    add to it (or do another thing whose order does not matter)."""
    assert isinstance(base.type, RefType)
    for axis in range(base.type.target.rank):
        conditions = _apart(base, accesses, axis, indices)
        if conditions is not None:
            found.conditions += conditions
            return
    made = combines(accesses, indices)
    if made is not None:
        found.sums[base] = made
        return
    found.problems.append(_told(base, accesses, indices))


def _apart(base: Var, accesses: Sequence[Access], axis: int, indices: Indices) -> list[Dim] | None:
    """Under which conditions the rounds have parts of an axis to themselves; None if they don't."""
    slope: Dim | None = None
    low: Dim | None = None
    high: Dim | None = None
    conditions: list[Dim] = []
    for access in accesses:
        span = _span_on(base, access, axis, indices)
        ends = [] if span is None else [linear(span.low, indices.number), linear(span.high, indices.number)]
        known = [end for end in ends if end is not None]
        if len(known) < 2:
            return None
        (a, first), (b, last) = known
        if a != b or (slope is not None and slope != a):
            return None
        slope = a
        conditions.append(last - first + 1)  # a slice of which the end is not negative, as its beginning is not
        low, high = _least(low, first), _most(high, last)
        if low is None or high is None:
            return None
    if slope is None or slope == 0 or low is None or high is None:
        return None
    backwards = isinstance(slope, int) and slope < 0
    room = (-slope if backwards else slope) - (high - low) - 1
    lowest = low + slope * (indices.rounds - 1) if backwards else low
    conditions += [room, lowest]
    if any(c < 0 if isinstance(c, int) else not indices.can_ask(c) for c in conditions):
        return None
    return [c for c in dict.fromkeys(conditions) if not isinstance(c, int)]


def _least(a: Dim | None, b: Dim) -> Dim | None:
    if a is None:
        return b
    apart = b - a
    return None if not isinstance(apart, int) else b if apart < 0 else a


def _most(a: Dim | None, b: Dim) -> Dim | None:
    if a is None:
        return b
    apart = b - a
    return None if not isinstance(apart, int) else b if apart > 0 else a


def _span_on(base: Var, access: Access, axis: int, indices: Indices) -> Span | None:
    """Which part of an axis an access may reach."""
    permuted = axis
    for view in access.views:
        if view.op is state.ref_transpose:
            permuted = view.params["permutation"].index(permuted)
            continue
        if view.op is not state.ref_view:
            return None
        return _span_of_entry(view, permuted, indices)
    return None


def _span_of_entry(view: Binding, axis: int, indices: Indices) -> Span | None:
    entries = [e for e in view.params["spec"] if e[0] != "n"]
    entry, values = entries[axis], view.args[1:]
    place = view.args[0].type
    assert isinstance(place, RefType)
    extent = place.target.shape[axis]
    if entry[0] == "i":
        return _checked(values[entry[1]], extent, indices)
    _, start, step, length = entry
    if step != 1:
        return None
    if isinstance(start, tuple):
        first = _checked(values[start[1]], extent, indices)
        return Span(first.low, first.high + length - 1) if first is not None and isinstance(length, int) else None
    end = _end(start, length)
    first, last = indices.start(start, extent), None if end is None else indices.start(end, extent)
    if first is None or last is None:
        return None
    if isinstance(first.low, int) and first.low == 0 and (last.high is extent or last.high == extent):
        return None  # the whole axis
    return Span(first.low, last.high - 1)


def _end(start: Dim, length: Dim) -> Dim | None:
    """Where a slice ends, of which the length may be `max(…, 0)`."""
    if isinstance(length, DimExpr) and len(length.terms) == 1:
        ((part, *more), coefficient) = length.terms[0]
        if coefficient == 1 and not more and isinstance(part, tuple) and part[0] == "max":
            length = next(d for d in part[1:] if d != 0)
    return start + length


def _checked(atom: Atom, extent: Dim, indices: Indices) -> Span | None:
    """An index that was looked at, as it was given: what is found is right wherever it is not negative."""
    made = indices.everywhere.get(atom) if isinstance(atom, Var) else None
    if made is not None and made.op is conversions.check_index:
        return indices.span(made.args[0])
    return indices.span(atom)


# --- reductions into memory ---------------------------------------------------------------------------


def combines(accesses: Sequence[Access], indices: Indices) -> Combination | Choice | None:
    """How to put together what several rounds leave in a place, if each only changes there what it read there, all in
    one way."""
    found: list[Combination | Choice] = []
    reads = [a for a in accesses if a.binding.op in _READS]
    for access in accesses:
        if not access.writes:
            continue
        if access.binding.op is state.ref_add:
            made: Combination | Choice | None = combination(elementwise.add, 0, access.binding.args[1].type)
        else:
            made = _changed(access, reads, indices)
        if made is None or (isinstance(made, Choice) and made.steps[0].op not in _FOR_EACH):
            return None
        found.append(made)
    return None if reads else united(found)


def _changed(access: Access, reads: list[Access], indices: Indices) -> Combination | Choice | None:
    """How a write changes what was read at its place, of which nothing else is made; `reads` loses it."""
    graph = indices.homes[access.binding]
    for read in reads:
        home, before = indices.homes[read.binding], read.binding.outs[0]
        if not _same_place(read, access):
            continue
        if home is graph:
            made: Combination | Choice | None = change(graph, access.binding, before)
        else:
            choice = next((b for b in home.body if graph in b.graphs and b.op is COND), None)
            made = None if choice is None else replacement(home, choice, access.binding, before)
        if made is not None:
            reads.remove(read)
            return made
    return None


def _same_place(a: Access, b: Access) -> bool:
    if a.base is not b.base or len(a.views) != len(b.views):
        return False
    pairs = zip(a.views, b.views, strict=True)
    return all(x.op is y.op and x.args[1:] == y.args[1:] and x.params == y.params for x, y in pairs)


def _told(base: Var, accesses: Sequence[Access], indices: Indices) -> Problem:
    """What is wrong with a place that rounds meet in."""
    writes = [a for a in accesses if a.writes]
    apart = [a for a in writes if _depends(a, indices)]
    if len(apart) < len(writes):
        first = next(a for a in writes if a not in apart)
        message = f"every round writes to the same place of {base.name}"
        return Problem(first.binding.span, message, f"{_OWN}; or a sum ({base.name}[k] += …)")
    read = next((a for a in accesses if not a.writes), None)
    alone = [a for a in writes if _apart(base, writes, 0, indices) is not None]
    if read is not None and alone:
        message = f"a round reads from {base.name} what another one writes to it"
        return Problem(read.binding.span, message, _OTHER)
    message = (
        f"two rounds may write to the same place of {base.name}: nothing says that the places they write to differ"
    )
    return Problem(writes[0].binding.span, message, _OWN)


def _depends(access: Access, indices: Indices) -> bool:
    """Whether where an access goes depends on the round."""
    for view in access.views:
        if any(not indices.is_outer(v) for v in view.args[1:]):
            return True
        if any(isinstance(p, DimExpr) and indices.of_dim(p) is None for e in view.params.get("spec", ()) for p in e):
            return True
    return False
