"""Columns that grow: rows are written into the memory of a column that dies, if nothing else refers to it then.

A column that grows in a branch or in a function that is called is handed over to it, if it dies there: so what a
recursive function does to a column takes no copy of it, however deep it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import CALL, COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Op, Var
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.copies import add_into, copy_into
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue, Holding, Owned, holdings
from jitcore.primitives.core.registry import Builtin, Primitive
from jitcore.primitives.ops.growing import GROWTH, row_spec
from jitcore.primitives.ops.views import view_layout
from jitcore.primitives.ops.widening import widen
from jitcore.program.nodes import Block, If, Imm, IsUnique, Move, Operand, Reg, Retain
from jitcore.structs import dataclass
from jitcore.types import Dim, TensorType, bool_, i64

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, slots=True)
class Handing:
    """What the functions of a module do with the memory of columns, by name."""

    passed: Mapping[str, Sequence[frozenset[int]]]
    """For each result the parameters that it may be, perhaps longer."""
    taken: Mapping[str, frozenset[int]]
    """The parameters that grow: callers hand over a count of their memory."""


def handing(module: Module) -> Handing:
    """What the functions of a module do with columns."""
    passed: dict[str, Sequence[frozenset[int]]] = {
        name: [frozenset()] * len(g.results) for name, g in module.graphs.items()
    }
    before: Any = None
    while passed != before:
        before = dict(passed)
        for name, graph in module.graphs.items():
            sources, number = _sources(graph, passed), {q: k for k, q in enumerate(graph.params)}
            passed[name] = [frozenset(number[q] for q in _origins([r], sources) if q in number) for r in graph.results]
    taken: dict[str, frozenset[int]] = {}
    before = None
    while taken != before:
        before = dict(taken)
        for name, graph in module.graphs.items():
            if name != module.entry:
                columns = grown(graph, Handing(passed, taken))
                taken[name] = frozenset(k for k, q in enumerate(graph.params) if q in columns and _is_column(q))
    return Handing(passed, taken)


def grown(graph: Graph, handing: Handing) -> set[Atom]:
    """The columns that a graph makes longer or writes rows of, and those that they come from: what its loops begin
    with, what its branches give, and what functions are called with that give it back."""
    found: set[Atom] = set()
    for binding in all_bindings(graph):
        if _grows(binding.op):
            found.add(binding.args[0])
        elif binding.op is CALL:
            found.update(binding.args[k] for k in handing.taken.get(binding.params["callee"], ()))
    return _origins(found, _sources(graph, handing.passed))


def _grows(op: Op) -> bool:
    """Whether what it gives is the column that it gets, perhaps longer."""
    return isinstance(op, Primitive) and isinstance(op.lowering, Builtin) and op.lowering.memory == "grown"


def _sources(graph: Graph, passed: Mapping[str, Sequence[frozenset[int]]]) -> dict[Atom, tuple[Atom, ...]]:
    """What columns of a graph come from in one step."""
    sources: dict[Atom, tuple[Atom, ...]] = {}
    for binding in all_bindings(graph):
        if _grows(binding.op) or binding.op is widen:
            sources[binding.outs[0]] = (binding.args[0],)
        elif binding.op in (FOR, WHILE):
            body = binding.graphs[-1]
            first = len(body.params) - len(binding.outs)  # a counter comes first
            for param, arg, out, result in zip(
                body.params[first:], binding.args[first:], binding.outs, body.results, strict=True
            ):
                sources[param] = sources[out] = (arg, result)
        elif binding.op in (COND, SWITCH):
            for k, out in enumerate(binding.outs):
                sources[out] = tuple(g.results[k] for g in binding.graphs if g.results)
        elif binding.op is CALL:
            for out, given in zip(binding.outs, passed.get(binding.params["callee"], ()), strict=False):
                sources[out] = tuple(binding.args[k] for k in given)
    return sources


def _origins(atoms: Iterable[Atom], sources: Mapping[Atom, Sequence[Atom]]) -> set[Atom]:
    """Atoms, and all that they come from."""
    found = set(atoms)
    pending = list(found)
    while pending:
        for source in sources.get(pending.pop(), ()):
            if source not in found:
                found.add(source)
                pending.append(source)
    return found


def _is_column(var: Var) -> bool:
    return isinstance(var.type, TensorType) and bool(var.type.rank)


def lower_room(p: Planner, binding: Binding) -> None:
    """A column as it is if it has room, else a longer one."""
    atom, count = binding.args
    (out,) = binding.outs
    value = p.settled(p.array(atom))
    assert value.data is not None
    n = p.operand(count)
    rows = p.code.number(value.layout.shape[0])
    enough = p.code.compute("lt", bool_, n, rows)
    old = value.holding
    moves = p.is_sole_user(atom, value) or (old.users == 0 and old.home is p.frame.home)
    old.done = old.done or moves
    with p.code.block() as scope:
        if not moves:
            old.unique = False
            p.code.emit(Retain(old.owner))
        stays = p.code.finish(scope, value.data, old.owner, rows)
    longer = _longer(p, value, n, gives_up=moves)
    data, owner = p.code.register("data", None), p.code.register("owner", None)
    extent = p.code.register("rows", i64)
    p.code.emit(If(enough, stays, longer, (data, owner, extent)))
    shape = (p.code.dimension(extent), *value.layout.shape[1:])
    layout = ArrayLayout.contiguous(value.dtype, shape)
    p.code.bind(binding.params["symbol"], shape[0])
    p.define(out, ArrayValue(layout, data, p.hold(owner, unique=moves and old.unique)))


def _longer(p: Planner, value: ArrayValue, n: Operand, *, gives_up: bool) -> Block:
    """The block that moves a full column to larger memory."""
    factor, more = (Imm(k, i64) for k in GROWTH)
    with p.code.block() as scope:
        rows = p.code.compute("add", i64, p.code.compute("mul", i64, n, factor), more)
        owner = _moved(p, value, rows, value.holding.owner if gives_up else Imm(0, None))
        return p.code.finish(scope, p.data_of(owner), owner, rows)


def _moved(p: Planner, value: ArrayValue, rows: Operand, old: Operand) -> Reg:
    """A new block of so many rows, with those of a column."""
    size: Dim = value.dtype.itemsize
    for extent in value.layout.shape[1:]:
        size = size * extent
    owner = p.code.register("owner", None)
    assert value.data is not None
    kept = p.code.number(value.layout.shape[0])
    p.code.emit(Move(owner, rows, p.code.number(size), value.data, kept, old))
    return owner


def lower_row(p: Planner, binding: Binding) -> None:
    """A column with a row written or added to."""
    atom, number, item = binding.args
    (out,) = binding.outs
    made = own(p, atom, p.array(atom))
    assert out.type is not None
    k = p.code.dimension(p.operand(number))
    place = p.at(made, view_layout(made.layout, k, spec=row_spec(made.layout.shape)))
    (add_into if binding.op.name == "add_row" else copy_into)(p, place, p.array(item))
    p.define(out, made)


def own(p: Planner, atom: Atom, value: ArrayValue) -> ArrayValue:
    """A column in memory that nothing else refers to."""
    if value.roots != NO_ROOTS or not value.layout.is_contiguous or not p.is_sole_user(atom, value):
        return p.copied(value)
    old = value.holding
    old.done = True
    if old.unique:
        return ArrayValue(value.layout, value.data, p.hold(old.owner, unique=True))
    assert value.data is not None
    unique = p.code.register("unique", bool_)
    p.code.emit(IsUnique(unique, old.owner))
    with p.code.block() as scope:
        made = _moved(p, value, p.code.number(value.layout.shape[0]), old.owner)
        copied = p.code.finish(scope, p.data_of(made), made)
    data, owner = p.code.register("data", None), p.code.register("owner", None)
    p.code.emit(If(unique, Block((), (value.data, old.owner)), copied, (data, owner)))
    return ArrayValue(value.layout, data, p.hold(owner, unique=True))


# --- columns that loops write to -----------------------------------------------------------------------


def assumed(p: Planner, binding: Binding, params: Sequence[Var]) -> Owned:
    """The carries of a loop that grow in it, and are taken to be all that refers to their memory in each round: then
    nothing has to be asked there. Where that does not hold at the end of the body, the function is planned again
    without it (`hold_to`)."""
    columns = p.grown(binding.graphs[-1])
    return frozenset(
        k for k, q in enumerate(params) if q in columns and _is_column(q) and (binding, k) not in p.refuted
    )


def hold_to(p: Planner, binding: Binding, broken: Owned) -> None:
    """At the end of a loop's body: the assumptions that it breaks."""
    p.refuted.update((binding, k) for k in broken)


# --- columns that die into a branch -------------------------------------------------------------------


def adopted(p: Planner, binding: Binding) -> dict[Var, ArrayValue]:
    """The columns that die at a branch in which they grow: every path of it takes over the count of their memory."""
    found: dict[Var, ArrayValue] = {}
    for var in p.liveness.used_by(binding) & {v for g in binding.graphs for v in p.grown(g)}:
        value = p.values.get(var)
        uses = p.frame.uses
        if not isinstance(value, ArrayValue) or value.data is None or value.roots != NO_ROOTS:
            continue
        holding = value.holding
        dies = var in uses.bound and uses.last(var) == p.frame.position and var not in binding.args
        if dies and holding.home is p.frame.home and holding.users == 1 and not holding.done:
            found[var] = value
            holding.done = True
    return found


def adopt(p: Planner, columns: dict[Var, ArrayValue]) -> None:
    """In a branch that has been entered: its columns are its own."""
    for var, value in columns.items():
        holding = Holding(value.holding.owner, p.frame.home, value.holding.unique)
        p.define(var, ArrayValue(value.layout, value.data, holding))


# --- columns that die into a call ---------------------------------------------------------------------


def given(p: Planner, binding: Binding) -> list[Callable[[Holding], None]]:
    """For each argument of a call, what hands over its memory, if the callee takes that over, or lends it. Memory that
    several arguments lie in stays the caller's: one of them may be read while another is written to."""
    arrays = [holding for arg in binding.args for holding in holdings(p.value(arg))]
    taken = p.handing.taken[binding.params["callee"]]

    def over(atom: Atom) -> Callable[[Holding], None]:
        give = p.giving(atom)

        def own(holding: Holding) -> None:
            if arrays.count(holding) > 1:
                holding.unique = False
                p.code.emit(Retain(holding.owner))
            else:
                give(holding)

        return own

    return [over(arg) if k in taken else p.lending for k, arg in enumerate(binding.args)]


def take_over(p: Planner, name: str) -> None:
    """In a function that has been entered, whose parameters are defined: what it takes over is its own."""
    for k in p.handing.taken[name]:
        param = p.graph.params[k]
        value = p.array(param)
        p.define(param, ArrayValue(value.layout, value.data, p.hold(value.holding.owner)))
