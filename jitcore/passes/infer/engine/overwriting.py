"""Writes to all of an array that the program has just made (`relu_(x)`), which need no place: the array holds another
value from there on (`ir.overwriting`).

An array is a place if anything may see a write to it but what has that very array: views of it, loops and branches it
is carried through, handlers. Which arrays are places must be known when they are made, so that finding a write makes
inference begin anew; here it goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom, Binding, Var
from jitcore.ir.overwriting import OVERWRITE
from jitcore.passes.infer.domain.values import Array, Origin
from jitcore.primitives.core.registry import Elementwise, KernelTemplate, Primitive, Reduce

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_FAR: Final = 64
"""Bindings back to where an array was made, beyond which nobody looks whether they lend its memory."""


class Overwrites:
    """Which arrays are overwritten so, and whose memory variables stand for."""

    def __init__(self) -> None:
        self._owners: dict[Atom, Origin] = {}
        self._shared: set[Atom] = set()
        self.done: set[Atom] = set()
        self.detached: set[Origin] = set()
        """Arrays whose memory others have, too."""

    def own(self, atom: Atom, origin: Origin) -> Origin | None:
        """A variable stands for the elements of an array. If it does so for another array that has been overwritten
        already, that one: it must be a place."""
        known = self._owners.setdefault(atom, origin)
        if known == origin:
            return None
        self._shared.add(atom)
        return known if atom in self.done else None

    def may_be(self, atom: Atom) -> bool:
        """Whether a variable stands for one array alone."""
        return atom not in self._shared


def overwrite(infer: Infer, target: Array, value: object) -> bool:
    """Have an array hold a value that was computed last, for the array alone; whether that is possible."""
    body, atom = infer.builder.body, target.atom
    if infer.attempts or not isinstance(atom, Var) or not isinstance(value, Array) or not body:
        return False
    here = ("made", *infer.place())
    is_own = all(origin == here for origin in value.origins) and value.atom in body[-1].outs and _computes(body[-1])
    if not is_own or value.atom.type != atom.type or value.category != target.category:
        return False
    is_made = len(target.origins) == 1 and next(iter(target.origins))[0] == "made"
    if not is_made or not infer.overwrites.may_be(atom) or not _is_lent_to_nobody(body, atom):
        return False
    infer.builder.emit(OVERWRITE, (value.atom,), {"target": atom})
    infer.overwrites.done.add(atom)
    return True


def _is_lent_to_nobody(body: list[Binding], atom: Var) -> bool:
    """Whether an array was made by this graph, not long ago, and has only been computed with."""
    for binding in reversed(body[-_FAR:]):
        if atom in binding.outs:
            return _computes(binding)
        if binding.graphs or (atom in binding.args and binding.op is not OVERWRITE and not _computes(binding)):
            return False
    return False


def _computes(binding: Binding) -> bool:
    """Whether the results are in memory that nobody else has."""
    op = binding.op
    return isinstance(op, Primitive) and isinstance(op.lowering, Elementwise | Reduce | KernelTemplate)
