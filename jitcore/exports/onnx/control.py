"""Control flow as ONNX's: `cond` and `switch` as `If`, `while_` and `for_` as `Loop`.

Nested graphs see the values around them by name; what changes is carried: a loop's carries, and the memory that is
written to within.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jitcore.exports.onnx import protobuf
from jitcore.exports.onnx.conversion import Conversion, Special
from jitcore.exports.onnx.protobuf import ValueInfo
from jitcore.exports.onnx.writing import RefusedError, Writer, info, tensor, tensor_of
from jitcore.ir.nodes import Atom, Binding, Graph, Var, type_of
from jitcore.types import RefType, TensorType, bool_, i64


def _owned(inner: Writer, names: Sequence[str]) -> list[str]:
    """Results as values that the graph itself makes, each of another name."""
    made: list[str] = []
    for name in names:
        made.append(name if name in inner.made and name not in made else inner.own(name))
    return made


def _require_values(atoms: Sequence[Atom]) -> None:
    if any(isinstance(type_of(a), RefType) for a in atoms):
        raise RefusedError("an array that is written to has several names here", "a copy of it, that is written to")


# --- branches -----------------------------------------------------------------------------------------


def _cond(c: Conversion, w: Writer, b: Binding) -> None:
    pred = c.atom(w, b.args[0])
    types, roots = _carried(c, b)
    branches = [_branch_of(c, w, graph, roots, types) for graph in b.graphs]
    _bind_branches(c, w, b, roots, _if(w, pred, branches, len(types)))


def _switch(c: Conversion, w: Writer, b: Binding) -> None:
    """An `If` for all graphs but the last, the next in its other branch."""
    index = c.atom(w, b.args[0])
    types, roots = _carried(c, b)

    def chosen(w: Writer, k: int) -> list[str]:
        if k == len(b.graphs) - 1:
            return _results_of(c, w, b.graphs[k], roots)
        other = Writer(w)
        branches = [
            _branch_of(c, w, b.graphs[k], roots, types),
            _graph(other, "other", [], _owned(other, chosen(other, k + 1)), types),
        ]
        return _if(w, w.emit("Equal", index, w.constant(k, i64)), branches, len(types))

    made = chosen(w, 0)
    _bind_branches(c, w, b, roots, made)


def _carried(c: Conversion, b: Binding) -> tuple[list[TensorType], list[Var]]:
    """What branches give: the types of results and of memory that is written to, and that memory."""
    _require_values(b.outs)
    roots = c.written_in(b.graphs)
    return [tensor_of(out.type) for out in b.outs] + [tensor(root) for root in roots], roots


def _results_of(c: Conversion, w: Writer, graph: Graph, roots: Sequence[Var]) -> list[str]:
    with c.scope():
        c.body(w, graph)
        return [*c.atoms(w, graph.results), *(c.states[root] for root in roots)]


def _branch_of(
    c: Conversion, w: Writer, graph: Graph, roots: Sequence[Var], types: Sequence[TensorType]
) -> protobuf.Graph:
    inner = Writer(w)
    return _graph(inner, graph.name, [], _owned(inner, _results_of(c, inner, graph, roots)), types)


def _graph(
    inner: Writer, name: str, inputs: Sequence[ValueInfo], results: Sequence[str], types: Sequence[TensorType]
) -> protobuf.Graph:
    infos = [info(result, type_) for result, type_ in zip(results, types, strict=True)]
    return protobuf.graph(name, protobuf.live(inner.nodes, results), inputs, infos)


def _if(w: Writer, pred: str, branches: Sequence[protobuf.Graph], count: int) -> list[str]:
    """The results; none where the branches do nothing that a model can."""
    if not count:
        return []
    then_, else_ = branches
    return list(w.emit_many("If", (pred,), ["if"] * count, {"then_branch": then_, "else_branch": else_}))


def _bind_branches(c: Conversion, w: Writer, b: Binding, roots: Sequence[Var], made: Sequence[str]) -> None:
    count = len(b.outs)
    for out, name in zip(b.outs, made[:count], strict=True):
        c.bind(w, out, name, renewed=True)
    c.states.update(zip(roots, made[count:], strict=True))
    if c.is_of_extents(b.args[0]):
        c.note_of_extents(b.outs, [graph.results for graph in b.graphs])


# --- loops --------------------------------------------------------------------------------------------


def _for(c: Conversion, w: Writer, b: Binding) -> None:
    (body,) = b.graphs
    count, *carries = b.args
    trips = c.atom(w, count)
    place, *params = body.params

    def round_(inner: Writer, number: str) -> tuple[str, list[Atom]]:
        c.bind(inner, place, number)
        c.body(inner, body)
        return inner.constant(True, bool_), list(body.results)

    _loop(c, w, b, (trips, ""), carries, params, round_)


def _while(c: Conversion, w: Writer, b: Binding) -> None:
    test, body = b.graphs
    roots = c.written_in(b.graphs)
    if c.written_in([test]):
        raise RefusedError("what decides whether a loop goes on writes to an array", "the write in the loop's body")
    _require_values(b.args)
    initial = _tested(c, w, test, c.atoms(w, b.args))

    def round_(inner: Writer, number: str) -> tuple[str, list[Atom]]:
        c.body(inner, body)
        return _tested(c, inner, test, c.atoms(inner, body.results)), list(body.results)

    _loop(c, w, b, ("", initial), b.args, body.params, round_, roots)


def _tested(c: Conversion, w: Writer, test: Graph, carries: Sequence[str]) -> str:
    """Whether a loop goes on with these carries."""
    with c.scope():
        for param, name in zip(test.params, carries, strict=True):
            c.bind(w, param, name, renewed=True)
        c.body(w, test)
        return c.atom(w, test.results[0])


def _loop(
    c: Conversion,
    w: Writer,
    b: Binding,
    how_long: tuple[str, str],
    carries: Sequence[Atom],
    params: Sequence[Var],
    round_: Callable[[Writer, str], tuple[str, list[Atom]]],
    roots: Sequence[Var] | None = None,
) -> None:
    """Bind the results of a `Loop`: `how_long` is the number of rounds and whether there is a first, "" for any."""
    _require_values(carries)
    roots = c.written_in(b.graphs) if roots is None else roots
    types = [tensor(a) for a in carries] + [tensor(root) for root in roots]
    given = [*c.atoms(w, carries), *(c.states[root] for root in roots)]
    inner = Writer(w)
    number, goes_on = inner.names.fresh("round"), inner.names.fresh("goes_on")
    names = [inner.names.fresh(v.name) for v in (*params, *roots)]
    with c.scope(dict(zip(roots, names[len(params) :], strict=True))):
        for param, name in zip(params, names, strict=False):
            c.bind(inner, param, name, renewed=True)
        more, results = round_(inner, number)
        made = [more, *c.atoms(inner, results), *(c.states[root] for root in roots)]
    scalar = TensorType(bool_, ())
    inputs = [info(number, TensorType(i64, ())), info(goes_on, scalar)]
    inputs += [info(name, type_) for name, type_ in zip(names, types, strict=True)]
    graph = _graph(inner, "round", inputs, _owned(inner, made), [scalar, *types])
    if not types:
        return
    outs = w.emit_many("Loop", (*how_long, *given), ["loop"] * len(types), {"body": graph})
    for out, name in zip(b.outs, outs, strict=False):
        c.bind(w, out, name, renewed=True)
    c.states.update(zip(roots, outs[len(params) :], strict=True))


CONTROL: Final[Mapping[str, Special]] = {"cond": _cond, "switch": _switch, "for_": _for, "while_": _while}
