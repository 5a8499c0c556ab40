"""Lists and dicts of the code outside that a program changes: what is written back to them when it has ended.

Their contents are in the heap as those of any other list or dict; `Infer.changed_outside` has those that were changed.
A list that is only appended to need not be known: its heap contents are what is added to it (`is_log`), so that one
program serves it however long it has become. If the program raises, nothing is written back, and the interpreter runs
the call: the program must have done nothing else by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.analysis import EffectAnalysis
from jitcore.ir.nodes import Graph, Module
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Buffer, Path, Reference
from jitcore.source import CompileError, Problem, Span
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

ROOTS: Final = frozenset(["arg", "global", "free", "object", "module"])
"""What the paths begin with that a call can look up."""


@dataclass(slots=True)
class Outside:
    """What a program changes of the code outside."""

    attributes: dict[Any, tuple[Any, str]] = field(default_factory=dict[Any, "tuple[Any, str]"])
    """The objects' attributes, by their keys in the heap."""
    changed: dict[int, Span] = field(default_factory=dict[int, Span])
    """The lists and dicts, by their keys in the heap, and where."""
    objects: list[Any] = field(default_factory=list[Any])
    """Objects whose id is a heap key: kept alive."""


def changing(infer: Infer, key: int) -> None:
    """A list or dict of the code outside is about to get other contents."""
    if key in infer.outside.changed:
        return
    if key in infer.heap.arguments:
        infer.outside.changed[key] = infer.span
        return
    target = infer.heap.outside[key]
    path = target.path
    if path is None or path[0] not in ROOTS:
        raise refusal(infer, target)
    if not infer.inputs.is_argument(key) and path not in infer.assumptions.containers:
        infer.assumptions.containers[path] = infer.inputs.container_at(key)  # to be there from the start, on every path
        infer.is_stale = True
    infer.outside.changed[key] = infer.span


def refusal(infer: Infer, target: Reference) -> CompileError:
    """The error for a change that cannot be written back."""
    kind = target.kind.__name__
    return infer.unsupported(f"changing a {kind} that belongs to the code outside", f"a new {kind}, returned")


def read_changed(infer: Infer) -> None:
    """Begin with what is in the lists and dicts that the program is known to change."""
    for path, obj in infer.assumptions.containers.items():
        infer.inputs.changed_container(obj, path, is_log=type(obj) is list and path not in infer.assumptions.read)


def require_write_back(infer: Infer, module: Module) -> None:
    """Refuse what cannot be written back: a captured list of another length than before, for which every call would be
    compiled anew (the keys of dicts are constants, of which there are so many), and changes beside effects that cannot
    be done twice."""
    for key, span in infer.outside.changed.items():
        if key in infer.heap.arguments:
            continue
        target = infer.heap.outside[key]
        assert target.path is not None
        before, after = infer.heap.captured_contents(key), infer.heap.state.get(key)
        if not infer.inputs.is_argument(key) and not infer.heap.is_log(key) and not _alike(before, after):
            raise _refusal(infer, target, span)
    analysis = EffectAnalysis(module)
    effects = analysis.of_graph(module.main)
    written = any(i.written for i in infer.inputs.finish())
    if (effects.raises and written) or _may_raise_after_acting(analysis, module.main):
        if not infer.outside.changed:
            raise infer.unsupported("changing an argument's lists beside effects that cannot be done twice")
        key, span = next(iter(infer.outside.changed.items()))
        if key in infer.heap.arguments:
            raise infer.refused([Problem(span, "changing an object beside effects that cannot be done twice")])
        raise _refusal(infer, infer.heap.outside[key], span)


def _may_raise_after_acting(analysis: EffectAnalysis, main: Graph) -> bool:
    """Whether a program may raise when something has been done that cannot be done twice."""
    acted = False
    for binding in main.body:
        effects = analysis.of_binding(binding)
        acted = acted or effects.io
        if acted and effects.raises:
            return True
    return False


def known_paths(infer: Infer) -> tuple[Path, ...]:
    """Where the lists, dicts and objects of the code outside are that the program knows: it takes them for different
    ones."""
    found: dict[Path, None] = {r.path: None for r in infer.heap.outside.values() if r.path is not None}
    found.update((given.path, None) for given in infer.pooling.given)
    if infer.heap.arguments:
        classes = {infer.heap.class_of_argument(key) for key in infer.heap.arguments}
        found.update((path, None) for path in infer.heap.arguments.values())
        found.update((path, None) for path, held in infer.guards.items() if type(held) in classes)
    return tuple(path for path in found if path[0] in ROOTS)


def _refusal(infer: Infer, target: Reference, span: Any) -> CompileError:
    kind = target.kind.__name__
    message = f"changing a {kind} that belongs to the code outside"
    return infer.refused([Problem(span, message, f"a new {kind}, returned")])


def _alike(before: Any, after: Any) -> bool:
    if isinstance(before, Buffer) or (isinstance(before, dict) and isinstance(after, dict)):
        return True
    return not isinstance(after, Buffer) and len(before) == len(after)


def read_written(infer: Infer) -> None:
    """Begin with the values that attributes have which the program is known to write to."""
    read_changed(infer)
    for key, (target, name) in infer.assumptions.attributes.items():
        infer.outside.objects.append(target.value)
        if hasattr(target.value, name):
            infer.heap.store(key, abstract.attribute(infer, target, name))
