"""The control-flow operators of the IR and their type rules.

| binding | meaning |
|---|---|
| `o… = cond(then, else, pred)` | one of two graphs without parameters |
| `o… = switch(g0, …, gn, index)` | the index-th of graphs without parameters; an index out of range is a verifier's
error if literal, else IndexError |
| `o… = while_(test, body, c…)` | carries `c`; `test(c…) -> bool`, `body(c…) -> c…`;
the outputs are the last carries |
| `o… = for_(body, n, c…)` | `body(i, c…) -> c…` for i in 0 … n-1 |
| `o… = call(a…, callee='g')` | a graph of the module, by name: recursion |
| `o… = fused(body, a…)` | `body(a…)`, to be computed by one kernel (the `fuse` pass) |
| `o… = try_(body, h0, …, names=((…), …))` | `body()`, or, when it raises one of names[k], `hk()`: names of
built-in exceptions, or classes |

A graph of a `try_` that never comes to its end (it raises) may have no results. A stack that a handler uses is what it
was before the body.

`for_(…, parallel='asked')` is a loop that the user wants to run in parallel; the pass `parallel` makes loops of it that
carry nothing and have `parallel='proven'`: their rounds may run at the same time.

Nested graphs use the variables around them freely; only what changes is a carry.
"""

from __future__ import annotations

from typing import Final

from jitcore.ir.nodes import PURE, Binding, Graph, Op, type_of
from jitcore.types import BOOL, INT, Type


class ControlOp(Op):
    """A control-flow operator; its effects are those of its graphs."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        self.name = name
        self.effects = PURE

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        return _RULES[self.name](binding)


def _expect(holds: bool, message: str) -> None:
    if not holds:
        raise TypeError(message)


def _same_results(graphs: tuple[Graph, ...], what: str) -> tuple[Type, ...]:
    first = graphs[0].result_types
    for graph in graphs:
        _expect(not graph.params, f"{what}: graph {graph.name} must have no parameters")
        _expect(
            graph.result_types == first, f"{what}: {graphs[0].name} gives {first}, {graph.name} {graph.result_types}"
        )
    return first


def _cond(b: Binding) -> tuple[Type, ...]:
    _expect(len(b.graphs) == 2 and len(b.args) == 1 and type_of(b.args[0]) is BOOL, "cond(then, else, pred: bool)")
    return _same_results(b.graphs, "cond")


def _switch(b: Binding) -> tuple[Type, ...]:
    _expect(len(b.graphs) >= 1 and len(b.args) == 1 and type_of(b.args[0]) is INT, "switch(g0, …, index: i64)")
    return _same_results(b.graphs, "switch")


def _while(b: Binding) -> tuple[Type, ...]:
    _expect(len(b.graphs) == 2, "while_(test, body, carries…)")
    test, body = b.graphs
    carries = tuple(type_of(a) for a in b.args)
    _expect(test.result_types == (BOOL,), f"while_: the test gives {test.result_types}, not one bool")
    for graph in (test, body):
        _expect(
            tuple(type_of(p) for p in graph.params) == carries,
            f"while_: {graph.name} does not take the carries {carries}",
        )
    _expect(body.result_types == carries, f"while_: the body gives {body.result_types} for the carries {carries}")
    return carries


def _for(b: Binding) -> tuple[Type, ...]:
    _expect(len(b.graphs) == 1 and len(b.args) >= 1 and type_of(b.args[0]) is INT, "for_(body, n: i64, carries…)")
    (body,) = b.graphs
    carries = tuple(type_of(a) for a in b.args[1:])
    _expect(tuple(type_of(p) for p in body.params) == (INT, *carries), f"for_: the body does not take (i64, {carries})")
    _expect(body.result_types == carries, f"for_: the body gives {body.result_types} for the carries {carries}")
    return carries


def _call(b: Binding) -> tuple[Type, ...]:
    _expect(isinstance(b.params.get("callee"), str), "call(…, callee='name')")
    return tuple(out.type for out in b.outs if out.type is not None)  # the verifier compares with the callee


def _fused(b: Binding) -> tuple[Type, ...]:
    (body,) = b.graphs
    _expect(
        tuple(type_of(p) for p in body.params) == tuple(type_of(a) for a in b.args),
        "fused: the body does not take the arguments",
    )
    return body.result_types


def _try(b: Binding) -> tuple[Type, ...]:
    _expect(len(b.graphs) == 1 + len(b.params["names"]), "try_: one handler for each tuple of names")
    first = next((g.result_types for g in b.graphs if g.results), ())
    for graph in b.graphs:
        _expect(not graph.params, f"try_: graph {graph.name} must have no parameters")
        _expect(graph.result_types in (first, ()), f"try_: {graph.name} gives {graph.result_types}, not {first}")
    return first


_RULES = {
    "cond": _cond,
    "switch": _switch,
    "while_": _while,
    "for_": _for,
    "call": _call,
    "fused": _fused,
    "try_": _try,
}

COND = ControlOp("cond")
SWITCH = ControlOp("switch")
WHILE = ControlOp("while_")
FOR = ControlOp("for_")
CALL = ControlOp("call")
FUSED = ControlOp("fused")
TRY = ControlOp("try_")

PARALLEL: Final = "parallel"
"""The parameter of a `for_` that says whether its rounds may run at the same time."""
ASKED: Final = "asked"
PROVEN: Final = "proven"

CONTROL_OPS = {op.name: op for op in (COND, SWITCH, WHILE, FOR, CALL, FUSED, TRY)}
