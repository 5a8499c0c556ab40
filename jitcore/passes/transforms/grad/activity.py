"""Which values a derivative may flow through: what depends, differentiably, on the inputs differentiated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Op, Var
from jitcore.passes.transforms.grad.records import refusal
from jitcore.primitives.core.registry import Nondifferentiable, Primitive, Window
from jitcore.primitives.ops import boxes, state
from jitcore.primitives.ops.conversions import to_scalar
from jitcore.types import RefType, ScalarType, StackType, TensorType, TupleType, Type, UnionType, has_derivatives


def is_window(op: Op) -> bool:
    """Whether an operator gives a ref to a part of what a ref refers to."""
    return isinstance(op, Primitive) and isinstance(op.lowering, Window)


def differentiable(type_: Type | None) -> bool:
    """Whether a type has any part that derivatives flow through."""
    match type_:
        case ScalarType():
            return type_.dtype.is_differentiable
        case TensorType():
            return has_derivatives(type_.dtype)
        case RefType():
            return has_derivatives(type_.target.dtype)
        case UnionType():
            return any(map(differentiable, type_.members))
        case TupleType():
            return any(map(differentiable, type_.items))
        case _:
            return False


class Activity:
    """The active variables of a graph and of those nested in it, found by running over it until nothing is added.

    A ref is active if an active value is ever written to the memory it is a window of.
    """

    def __init__(self, graphs: Mapping[str, Graph], through_numbers: bool = True) -> None:
        """`through_numbers`: whether derivatives flow through Python numbers that were elements of arrays."""
        self.graphs = graphs
        self.through_numbers = through_numbers
        self.active: set[Var] = set()
        self.roots: dict[Var, Var] = {}
        """The ref that a window of memory was taken from."""
        self.joined: dict[Var, tuple[Var, ...]] = {}
        """The refs that a ref is one of, which branches chose."""

    def root(self, var: Var) -> Var:
        """The ref whose memory a ref is a window of."""
        while var in self.roots:
            var = self.roots[var]
        return var

    def _places(self, var: Var) -> list[Var]:
        """The refs whose memory a ref may be a window of."""
        found: dict[Var, None] = {}
        waiting = [self.root(var)]
        while waiting:
            place = waiting.pop()
            if place not in found:
                found[place] = None
                waiting += [self.root(v) for v in self.joined.get(place, ())]
        return list(found)

    def is_active(self, atom: Atom) -> bool:
        """Whether derivatives flow through an atom. Stacks always count: their cotangents are stacks in step with
        them."""
        if not isinstance(atom, Var):
            return False
        if isinstance(atom.type, StackType):
            return True
        return atom in self.active or (
            isinstance(atom.type, RefType) and not self.active.isdisjoint(self._places(atom))
        )

    def add(self, variables: Iterable[Var]) -> bool:
        """Make variables active (those that can be); whether any was new."""
        size = len(self.active)
        self.active.update(v for v in variables if differentiable(v.type))
        return len(self.active) > size

    def analyse(self, body: Iterable[Binding]) -> None:
        """Find the active variables of a body whose inputs have been added."""
        bindings = list(body)
        while self._pass(bindings):
            pass

    def _pass(self, body: Iterable[Binding]) -> bool:
        changed = False
        for binding in body:
            changed |= self._binding(binding)
        return changed

    def _binding(self, b: Binding) -> bool:
        if isinstance(b.op, Primitive):
            return self._primitive(b, b.op)
        if b.op in (COND, SWITCH, TRY):
            return self._branches(b)
        if b.op is WHILE or b.op is FOR:
            return self._loop(b)
        if b.op is CALL:
            return any(map(self.is_active, b.args)) and self.add((*b.outs, *self._written_by_call(b)))
        changed = self._pass(x for g in b.graphs for x in g.body)
        return changed

    def _primitive(self, b: Binding, op: Primitive) -> bool:
        if is_window(op):
            source = b.args[0]
            assert isinstance(source, Var)
            self.roots[b.outs[0]] = source
            return False
        if op in boxes.OPS:
            if any(map(self.is_active, b.args)):
                raise refusal(b, "differentiating through a list, dict, set or string of the run")
            return False
        if op.effects.writes:
            target = b.args[0]
            written = any(map(self.is_active, b.args[1:]))
            return written and isinstance(target, Var) and self.add(self._places(target))
        if op is state.stack_new or op is state.stack_push or (op is to_scalar and not self.through_numbers):
            return False
        if isinstance(op.derivative, Nondifferentiable) and op.derivative.zero:
            return False
        return any(map(self.is_active, b.args)) and self.add(b.outs)

    def _written_by_call(self, b: Binding) -> list[Var]:
        """The refs whose memory a call of a function of the module may write to."""
        refs = [a for a in b.args if isinstance(a, Var) and isinstance(a.type, RefType)]
        if not refs or not self._writes(b.params["callee"], set()):
            return []
        return [place for ref in refs for place in self._places(ref)]

    def _writes(self, name: str, seen: set[str]) -> bool:
        """Whether a function of the module, or one that it calls, writes to any place."""
        if name in seen:
            return False
        seen.add(name)
        bindings = list(all_bindings(self.graphs[name]))
        return any(isinstance(b.op, Primitive) and b.op.effects.writes for b in bindings) or any(
            self._writes(b.params["callee"], seen) for b in bindings if b.op is CALL
        )

    def _branches(self, b: Binding) -> bool:
        changed = False
        for graph in b.graphs:
            changed |= self._pass(graph.body)
            results = graph.results or b.outs  # of a graph that never ends there are none
            for out, result in zip(b.outs, results, strict=True):
                changed |= self._join(out, result)
            changed |= self.add(o for o, r in zip(b.outs, results, strict=True) if self.is_active(r))
        return changed

    def _join(self, out: Var, chosen: Atom) -> bool:
        """Note that a ref may be another one; whether that is new."""
        known = self.joined.get(out, ())
        if not isinstance(out.type, RefType) or not isinstance(chosen, Var) or chosen in (out, *known):
            return False
        self.joined[out] = (*known, chosen)
        return True

    def _loop(self, b: Binding) -> bool:
        body = b.graphs[-1]
        head = 1 if b.op is FOR else 0
        carries, inits = body.params[head:], b.args[head:]
        changed = self.add(c for c, a in zip(carries, inits, strict=True) if self.is_active(a))
        for carry, init, result, out in zip(carries, inits, body.results, b.outs, strict=True):
            changed |= self._join(carry, init) | self._join(carry, result) | self._join(out, carry)
        while True:
            again = self._pass(body.body)
            again |= self.add(c for c, r in zip(carries, body.results, strict=True) if self.is_active(r))
            changed |= again
            if not again:
                break
        return self.add(o for o, c in zip(b.outs, carries, strict=True) if c in self.active) or changed
