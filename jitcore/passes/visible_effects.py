"""Where a program may be when something of it can already be seen outside: what it printed, drew or wrote.

What fails elsewhere has left nothing: the call can be begun anew. The answer errs on the side of what can be seen: a
loop is taken to have had a round, and a branch to have been taken.
"""

from __future__ import annotations

from collections.abc import Mapping

from jitcore.headroom import room_to_recurse
from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import CALL, CONTROL_OPS, FOR, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Var
from jitcore.primitives.core.registry import Builtin, Primitive
from jitcore.primitives.ops import boxes
from jitcore.primitives.ops.state import note_attribute, ref_new
from jitcore.source import Span
from jitcore.types import RefType

_RECURSION_LIMIT = 60_000


def places_after_effects(module: Module) -> frozenset[Span]:
    """The places of all that a typed program may evaluate when something can be seen, or that can be seen itself."""
    with room_to_recurse(_RECURSION_LIMIT):
        analysis = _Analysis(module.graphs)
        analysis.walk()
        return frozenset(analysis.places)


class _Analysis:
    """What may be evaluated late (when something can be seen) in each graph of a module."""

    def __init__(self, graphs: Mapping[str, Graph]) -> None:
        self.graphs = graphs
        self.places: set[Span] = set()
        self._own = _own_memory(graphs)
        self._own_boxes = _own_boxes(graphs)
        """None: all are."""
        self._showing: set[str] = set()
        """The graphs of the module of whose evaluation something can be seen."""
        self._late: set[str] = set()
        """Those that may be called late."""
        self._known: dict[Binding, bool] = {}
        self._find_showing()

    def _find_showing(self) -> None:
        before = -1
        while before != len(self._showing):
            before = len(self._showing)
            self._known.clear()
            self._showing.update(name for name, g in self.graphs.items() if any(map(self._shows, all_bindings(g))))

    def walk(self) -> None:
        """Go through the program, again until no more calls are found to be late."""
        before = -1
        while self._showing and before != len(self._late):
            before = len(self._late)
            for name, graph in self.graphs.items():
                self._go_through(graph, name in self._late)

    def _go_through(self, graph: Graph, late: bool) -> bool:
        """Note what may be late in a graph that begins late or not; whether what comes after it is."""
        for binding in graph.body:
            shows = self._shows(binding)
            if binding.op is CALL and late:
                self._late.add(binding.params["callee"])
            within = late or (shows and binding.op in (WHILE, FOR))
            for k, inner in enumerate(binding.graphs):
                seen = within or (binding.op is TRY and k > 0 and any(map(self._shows, binding.graphs[0].body)))
                self._go_through(inner, seen)
            if late or (shows and not binding.graphs and binding.op is not CALL):
                self.places.add(binding.span)
            late = late or shows
        return late

    def _shows(self, binding: Binding) -> bool:
        """Whether evaluating a binding can be seen."""
        known = self._known.get(binding)
        if known is None:
            if binding.op is CALL:
                callee: str = binding.params["callee"]
                known = callee in self._showing or callee not in self.graphs
            elif binding.op.name in CONTROL_OPS:
                known = any(self._shows(b) for graph in binding.graphs for b in graph.body)
            else:
                known = self._shows_itself(binding)
            self._known[binding] = known
        return known

    def _shows_itself(self, binding: Binding) -> bool:
        op = binding.op
        if op.effects.io:
            # what is built in steers handlers, and notes of attributes are for whoever ends the call
            return not (op is note_attribute or (isinstance(op, Primitive) and isinstance(op.lowering, Builtin)))
        if op is boxes.box_change and self._own_boxes is not None and binding.params["function"] not in boxes.MAKING:
            return binding.args[0] not in self._own_boxes
        return op.effects.writes and any(map(self._is_outside, binding.args))

    def _is_outside(self, arg: Atom) -> bool:
        return isinstance(arg, Var) and isinstance(arg.type, RefType) and arg not in self._own


def _own_memory(graphs: Mapping[str, Graph]) -> set[Var]:
    """The places that the program made itself, and views of them."""
    own: set[Var] = set()
    for binding in (b for graph in graphs.values() for b in all_bindings(graph)):
        refs = [arg for arg in binding.args if isinstance(arg, Var) and isinstance(arg.type, RefType)]
        if binding.op is ref_new or (refs and binding.op.name not in CONTROL_OPS and own.issuperset(refs)):
            own.update(out for out in binding.outs if isinstance(out.type, RefType))
    return own


def _own_boxes(graphs: Mapping[str, Graph]) -> set[Atom] | None:
    """The boxes that the program made itself where it made them; None if there are no others."""
    bindings = [b for g in graphs.values() for b in all_bindings(g) if b.op in (boxes.box_change, boxes.box_pure)]
    making = [b for b in bindings if b.params["function"] in boxes.MAKING]
    if all(b.params["function"] != "entered" for b in making):
        return None
    return {out for b in making if b.params["function"] != "entered" for out in b.outs}
