"""The `plan` pass: typed ANF → a Program and its kernels.

    h: f32[n] = fused(body, x, y)            Alloc, Launch
    o: f32[n] = cond(then, orelse, c)   →    If, with data, owner and extents as results
    s: f64 = float_add(a, b)                 Scalar

One file a concern: `code` writes statements, `planner` knows what every variable is and who owns its memory, `forms` is
how values pass through joins, `lowering` says who lowers what: `control`, `kernels`, `templates`, `views`, `scalars`,
`places`, `builtins`, `host`; `entry` is the way in and out; `freeing` ends the rounds of loops that make boxes.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitcore.headroom import room_to_recurse
from jitcore.ir.analysis import EffectAnalysis, all_bindings
from jitcore.ir.nodes import Binding, Graph, Module, Var
from jitcore.passes.plan.aliasing import Aliasing
from jitcore.passes.plan.code import bare_symbol
from jitcore.passes.plan.control import lower_function
from jitcore.passes.plan.entry import ArgLayout, lower_entry
from jitcore.passes.plan.freeing import free_rounds
from jitcore.passes.plan.growing import handing
from jitcore.passes.plan.planner import Planner
from jitcore.passes.plan.tables import Tables
from jitcore.program.nodes import HOST, Function, Program
from jitcore.types import Dim, RefType, StackType, TensorType, Type

__all__ = ["ArgLayout", "plan"]

_RECURSION_LIMIT = 20_000


def plan(module: Module, entry_layouts: Sequence[ArgLayout], memory: str = HOST) -> Program:
    """The program of a typed module (decomposed, and fused or not). `entry_layouts`: one for every parameter of the
    entry; `memory`: where its kernels work.

    Raises CompileError for what cannot be planned.
    """
    with room_to_recurse(_RECURSION_LIMIT):
        return _plan(module, entry_layouts, memory)


def _plan(module: Module, entry_layouts: Sequence[ArgLayout], memory: str) -> Program:
    tables = Tables()
    effects = EffectAnalysis(module)
    columns = handing(module)
    functions: dict[str, Function] = {}
    lengths = (0, 0)
    for name, graph in module.graphs.items():
        is_entry = name == module.entry
        overlapping = _overlapping(graph, entry_layouts) if is_entry else None
        aliasing, widened = Aliasing(graph, effects, overlapping), _widened(graph)
        refuted: set[tuple[Binding, int]] = set()
        while True:
            before, known = tables.copy(), len(refuted)
            p = Planner(tables, module, graph, aliasing, widened, columns, refuted, memory)
            if is_entry:
                body, *words = lower_entry(p, entry_layouts)
                lengths = (words[0], words[1])
                functions[name] = Function(name, (), body)
            else:
                params, body = lower_function(p, name)
                functions[name] = Function(name, params, body)
            if len(refuted) == known:
                break
            tables = before
    made = Program(
        module.entry,
        functions,
        module.entry,
        tables.kernels,
        lengths[0],
        lengths[1],
        tuple(tables.sites),
        tuple(tables.constants),
        tuple(tables.host_calls),
        memory,
        any(isinstance(t, StackType) for t in module.main.result_types),
    )
    return free_rounds(made)


def _overlapping(graph: Graph, layouts: Sequence[ArgLayout]) -> list[tuple[Var, Var]]:
    return [(graph.params[k], graph.params[other]) for k, layout in enumerate(layouts) for other in layout.overlaps]


def _widened(graph: Graph) -> frozenset[str]:
    """The symbols that `widen` bindings introduce: they stand for another extent each time."""
    names: set[str] = set()
    for binding in all_bindings(graph):
        if binding.op.name == "widen":
            before, after = _shape(binding.args[0].type), _shape(binding.outs[0].type)
            names |= {
                name for was, dim in zip(before, after, strict=True) if dim is not was and (name := bare_symbol(dim))
            }
    return frozenset(names)


def _shape(type_: Type | None) -> tuple[Dim, ...]:
    target = type_.target if isinstance(type_, RefType) else type_
    assert isinstance(target, TensorType)
    return target.shape
