"""Which arrays a program shows as themselves, so that one may not silently stand for another that is equal.

`a = exp(x); b = exp(x); return a, b` gives two arrays: writing to one leaves the other alone. If `b` became `a`, it
would not. Passes that replace an array by an equal one ask here, and copy where the difference can be seen.
"""

from __future__ import annotations

from jitcore.ir.analysis import all_graphs
from jitcore.ir.control import FUSED
from jitcore.ir.nodes import Atom, Binding, Module, Op, Var
from jitcore.primitives.core.registry import Primitive, View
from jitcore.primitives.ops.copying import copy
from jitcore.types import ScalarType, TensorType


def exposed_arrays(module: Module) -> set[Var]:
    """The array variables of which some use passes on the array itself (a result, a view, a carry …)
    and does not only read its elements."""
    exposed: set[Var] = set()
    for graph in all_graphs(module):
        exposed.update(_arrays(graph.results))
        for binding in graph.body:
            if not _only_reads(binding):
                exposed.update(_arrays(binding.args))
    return exposed


def stand_in(out: Var, atom: Atom, exposed: set[Var], binding: Binding) -> Binding | None:
    """The binding that `out`, an output of `binding` known to equal `atom`, still needs: a copy if it is an exposed
    array; None if `atom` may simply replace it."""
    if out in exposed and isinstance(out.type, TensorType):
        return Binding((out,), copy, (atom,), binding.span)
    return None


def makes_new_array(op: Op) -> bool:
    """Whether the array results of `op` are in memory that nothing else shares."""
    return op is FUSED or (isinstance(op, Primitive) and op.makes_new_array)


def is_view(op: Op) -> bool:
    """Whether the results of `op` share the memory of its argument anyway."""
    return isinstance(op, Primitive) and isinstance(op.lowering, View)


def _only_reads(binding: Binding) -> bool:
    return makes_new_array(binding.op) or (
        not binding.graphs and all(isinstance(out.type, ScalarType) for out in binding.outs)
    )


def _arrays(atoms: tuple[Atom, ...]) -> list[Var]:
    return [atom for atom in atoms if isinstance(atom, Var) and isinstance(atom.type, TensorType)]
