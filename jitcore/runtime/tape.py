"""The tape of PyNative gradients: what was computed while a gradient is being taken, and its way back.

A tape gives every Tensor that depends on what it watches a *node*, and records each primitive that made one. Views
are not recorded when they are made: a Tensor knows how it was viewed (`Tensor._view`), and the view is recorded when it
is used, from what its base then holds. So a write through one view is seen through all others. A write makes a new node
of the base; values that rules will need are copied just before they are overwritten. Memory changed behind the tape's
back (by NumPy, through `asnumpy`, it cannot see; by compiled code it can) is refused where its elements are needed
again.

Several tapes may be active, one inside the other: the gradient of a gradient. Each records by itself.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jitcore.forking import process_lock, repair_in_child
from jitcore.primitives import differentiation
from jitcore.primitives.core.registry import Linear, Primitive
from jitcore.primitives.ops import elementwise as e
from jitcore.runtime import hooks as tensor_hooks
from jitcore.runtime.hooks import Hooks, hooks_of
from jitcore.runtime.tensor import Tensor, view_of, wrap, wrap_like
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import TensorType, has_derivatives


class _Active(threading.local):
    def __init__(self) -> None:
        self.tapes: list[Tape] = []


_active = _Active()


class _Switch:
    """`idle`: no thread takes a gradient. Native calls look at it: they are made only then."""

    __slots__ = ("_count", "_lock", "idle")

    def __init__(self) -> None:
        self.idle = True
        self._count = 0
        self._lock = process_lock()

    def count(self, change: int) -> None:
        """One tape more, or less."""
        with self._lock:
            self._count += change
            self.idle = self._count == 0

    def forget_others(self) -> None:
        """Other threads' tapes are not there any more."""
        self._count = 0
        self.count(len(_active.tapes))


switch = _Switch()
repair_in_child(switch.forget_others)


def recording() -> bool:
    """Whether a gradient is being taken in this thread."""
    return bool(_active.tapes)


@contextmanager
def active(tape: Tape) -> Generator[None]:
    """Record on a tape, besides those active already."""
    _active.tapes.append(tape)
    switch.count(1)
    try:
        yield
    finally:
        switch.count(-1)
        _active.tapes.pop()


@contextmanager
def paused() -> Generator[None]:
    """Record nothing in this thread."""
    before, _active.tapes = _active.tapes, []
    try:
        yield
    finally:
        _active.tapes = before


def tracked(value: Any) -> bool:
    """Whether a gradient being taken depends on a value."""
    return isinstance(value, Tensor) and any(tape.node_of(value) is not None for tape in _active.tapes)


@tensor_hooks.hooked.model
def hooked(tensor: Tensor, hooks: Hooks) -> None:
    """Tell the active tapes that a Tensor has got hooks."""
    for tape in _active.tapes:
        tape.hook(tensor, hooks)


def record(primitive: Primitive, args: tuple[Any, ...], outs: tuple[Any, ...], params: Mapping[str, Any]) -> None:
    """Tell the active tapes that `outs = primitive(*args, **params)` was computed."""
    for tape in _active.tapes:
        tape.record(primitive, args, outs, params)


@dataclass(frozen=True, slots=True)
class Stale:
    """Stands for an array that a rule may ask the type of, but whose elements have been overwritten since."""

    type: TensorType
    primitive: str

    def error(self) -> RuntimeError:
        """Why its elements cannot be had."""
        return RuntimeError(
            f"the gradient of {self.primitive!r} needs an array of shape {self.type.shape} that was modified in place "
            "after it was used; write to a copy of it instead"
        )


@dataclass(slots=True, eq=False)
class _Saved:
    """A value of a recorded primitive, and the version of its memory then."""

    value: Any
    version: int

    @staticmethod
    def of(value: Any) -> _Saved:
        return _Saved(value, version_of(value))

    def get(self, primitive: str) -> Any:
        """The value, or what stands for it if its elements have changed."""
        value = self.value
        if version_of(value) == self.version:
            return value
        return Stale(type_of(value), primitive)


def type_of(tensor: Tensor) -> TensorType:
    """The dtype and shape of a Tensor."""
    return TensorType(tensor._dtype, tensor._array.shape)


def version_of(value: Any) -> int:
    """The version of a Tensor's memory; 0 of what is none, and of what nobody has asked for its memory."""
    if isinstance(value, Tensor) and (value._storage is not None or value._view is not None):
        return value.storage.version
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class _Computed:
    """`outs = primitive(*args, **params)`."""

    primitive: Primitive
    args: tuple[_Saved, ...]
    arg_nodes: tuple[int | None, ...]
    outs: tuple[_Saved, ...]
    out_nodes: tuple[int | None, ...]
    params: Mapping[str, Any]

    def made(self) -> Sequence[int | None]:
        """The nodes whose cotangents it takes."""
        return self.out_nodes

    def backward(self, cotangents: dict[int, Any]) -> Sequence[tuple[int, Any]]:
        cts = [None if n is None else cotangents.pop(n, None) for n in self.out_nodes]
        if all(c is None for c in cts):
            return ()
        name = self.primitive.name
        found = differentiation.vjp(
            self.primitive,
            cts,
            [s.get(name) for s in self.outs],
            [s.get(name) for s in self.args],
            self.params,
            [n is not None for n in self.arg_nodes],
        )
        return [(n, g) for n, g in zip(self.arg_nodes, found, strict=True) if n is not None and g is not None]


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """A write of `value` through a chain of views into a base: the base's new node takes the place of its old one."""

    old: int | None
    value: int | None
    new: int
    chain: tuple[Tensor, ...]
    outside: np.ndarray[Any, Any] | None
    """Which elements of the base were left as they were; None: none of them."""

    def made(self) -> Sequence[int | None]:
        """The nodes whose cotangents it takes."""
        return (self.new,)

    def backward(self, cotangents: dict[int, Any]) -> Sequence[tuple[int, Any]]:
        ct = cotangents.pop(self.new, None)
        if ct is None:
            return ()
        out: list[tuple[int, Any]] = []
        if self.old is not None and self.outside is not None:
            out.append((self.old, e.select(wrap(self.outside), ct, 0)))
        if self.value is not None:
            part = ct
            for view in self.chain:
                part = same_view(view, part)
            out.append((self.value, part))
        return out


def same_view(view: Tensor, base: Any) -> Any:
    """The view of another base that `view` is of its own."""
    made = view_of(view)
    assert made is not None
    _, primitive, args, params = made
    return primitive(base, *args, **params)


@dataclass(slots=True)
class _Pending:
    """A write about to happen, as one tape sees it."""

    tape: Tape
    base: Tensor
    node: int | None
    forgotten: bool


class Tape:
    """What depends on the watched Tensors, and how."""

    def __init__(self) -> None:
        self._nodes: dict[int, int] = {}
        """Tensors (by id) to their nodes; bases: the present one."""
        self._versions: dict[int, int] = {}
        """The version of its memory when a Tensor got its node."""
        self._alive: list[Tensor] = []
        self._watched: set[int] = set()
        self._entries: list[_Computed | _Written] = []
        self._count = 0
        self._hooks: dict[int, Hooks] = {}
        """The hooks that see the cotangents of nodes."""
        self._needed: dict[int, list[_Saved]] = {}
        """By the id of a storage, what is saved of its present elements for rules that read them."""

    def watch(self, tensor: Tensor) -> int:
        """Make a Tensor one that gradients are taken for, and give its node."""
        self._watched.add(id(tensor))
        return self._name(tensor)

    def _name(self, tensor: Tensor) -> int:
        node = self._count
        self._count += 1
        self._nodes[id(tensor)] = node
        self._versions[id(tensor)] = version_of(tensor)
        self._alive.append(tensor)
        hooks = hooks_of(tensor)
        if hooks is not None:
            self._hooks[node] = hooks
        return node

    def hook(self, tensor: Tensor, hooks: Hooks) -> None:
        """Have the cotangent of what a Tensor holds now go through hooks."""
        node = self.node_of(tensor)
        if node is not None:
            self._hooks[node] = hooks

    def _is_base(self, tensor: Tensor) -> bool:
        return view_of(tensor) is None or id(tensor) in self._watched

    def node_of(self, tensor: Tensor) -> int | None:
        """The node of what a Tensor holds now; None if it does not depend on what is watched."""
        known = self._nodes.get(id(tensor))
        if known is not None and self._versions[id(tensor)] == version_of(tensor):
            return known
        if self._is_base(tensor):
            if known is not None:
                raise RuntimeError(
                    "an array that a gradient depends on was modified in place from outside of what is differentiated"
                )
            return None
        made = view_of(tensor)
        assert made is not None
        base, primitive, args, params = made
        node = self.node_of(base)
        if node is None:
            return None
        out = self._name(tensor)
        saved = tuple(_Saved.of(a) for a in (base, *args))
        nodes = (node, *(None for _ in args))
        self._entries.append(_Computed(primitive, saved, nodes, (_Saved.of(tensor),), (out,), params))
        return out

    def record(
        self, primitive: Primitive, args: tuple[Any, ...], outs: tuple[Any, ...], params: Mapping[str, Any]
    ) -> None:
        """Record a primitive if it depends on what is watched."""
        nodes = tuple(self.node_of(a) if isinstance(a, Tensor) else None for a in args)
        if all(n is None for n in nodes):
            return
        out_nodes = tuple(self._name(o) if isinstance(o, Tensor) and has_derivatives(o._dtype) else None for o in outs)
        if any(n is not None for n in out_nodes):
            saved, made = tuple(map(_Saved.of, args)), tuple(map(_Saved.of, outs))
            self._entries.append(_Computed(primitive, saved, nodes, made, out_nodes, params))
            linear = primitive.derivative.args if isinstance(primitive.derivative, Linear) else ()
            for k, value in enumerate((*saved, *made)):
                if isinstance(value.value, Tensor) and k not in linear:
                    self._needed.setdefault(id(value.value.storage), []).append(value)

    # --- writes ---------------------------------------------------------------------------------------

    def before_write(self, target: Tensor, value: Any, through: bool = False) -> _Pending | None:
        """Record that `value` will be written into `target`; None if it concerns nothing that is watched. With
        `through`, gradients ignore it: what depends on `target` from then on depends on what it held."""
        if through:
            kept = self.node_of(target)
            return None if kept is None else _Pending(self, target, kept, False)
        node = self.node_of(value) if isinstance(value, Tensor) else None
        chain: list[Tensor] = []
        base = target
        while not self._is_base(base):
            chain.insert(0, base)
            made = view_of(base)
            assert made is not None
            base = made[0]
        old = self.node_of(base)
        if node is None and old is None:
            return None
        if not chain:
            if node is None:
                return _Pending(self, base, None, True)
            new = self._fresh()
            self._entries.append(_Written(old, node, new, (), None))
            return _Pending(self, base, new, False)
        outside = np.ones(base.shape, np.bool_)
        window(outside, chain)[...] = False
        new = self._fresh()
        self._entries.append(_Written(old, node, new, tuple(chain), outside))
        return _Pending(self, base, new, False)

    def keep_elements(self, target: Tensor, copies: dict[int, Tensor]) -> None:
        """Before a write: copy what rules will need of the memory. `copies` are shared by the active tapes."""
        for saved in self._needed.pop(id(target.storage), ()):
            tensor = saved.value
            if version_of(tensor) != saved.version:
                continue
            kept = copies.get(id(tensor))
            if kept is None:
                kept = copies[id(tensor)] = wrap_like(tensor, tensor._array.copy())
                for tape in _active.tapes:
                    tape.alias(tensor, kept)
            saved.value, saved.version = kept, 0

    def alias(self, tensor: Tensor, same: Tensor) -> None:
        """`same` holds what `tensor` holds now, and stands for the same node."""
        node = self.node_of(tensor)
        if node is not None:
            self._nodes[id(same)] = node
            self._versions[id(same)] = 0
            self._alive.append(same)

    def _fresh(self) -> int:
        self._count += 1
        return self._count - 1

    def after_write(self, pending: _Pending) -> None:
        """The write happened: the base has its new node."""
        key = id(pending.base)
        if pending.forgotten:
            self._nodes.pop(key, None)
        elif pending.node is not None:
            if key not in self._nodes:
                self._alive.append(pending.base)
            self._nodes[key] = pending.node
            self._versions[key] = version_of(pending.base)

    # --- the way back ---------------------------------------------------------------------------------

    def gradients(self, outputs: Sequence[tuple[int, Any]], wanted: Sequence[int]) -> list[Any]:
        """Cotangents (or None for zero) of the wanted nodes, from (node, cotangent) of outputs. Uses the tape up."""
        cotangents: dict[int, Any] = {}
        for node, ct in outputs:
            _accumulate(cotangents, node, ct)
        kept = set(wanted)
        found: dict[int, Any] = {}
        entries, self._entries = self._entries, []
        while entries:
            entry = entries.pop()
            if self._hooks:
                self._call_hooks(entry.made(), cotangents)
            for node, ct in entry.backward(cotangents):
                _accumulate(cotangents, node, ct)
        self._call_hooks(kept, cotangents)
        found.update((n, cotangents[n]) for n in kept if n in cotangents)
        return [found.get(n) for n in wanted]

    def _call_hooks(self, nodes: Iterable[int | None], cotangents: dict[int, Any]) -> None:
        """Have the cotangents of nodes, complete now, go through their hooks."""
        for node in nodes:
            hooks = None if node is None else self._hooks.pop(node, None)
            if node is not None and hooks is not None and node in cotangents:
                cotangents[node] = hooks(cotangents[node])


def _accumulate(cotangents: dict[int, Any], node: int, ct: Any) -> None:
    known = cotangents.get(node)
    cotangents[node] = ct if known is None else e.add(known, ct)


def window(array: Any, chain: Sequence[Tensor]) -> Any:
    """The part of an ndarray of the base's shape that a chain of views shows."""
    part = array
    for view in chain:
        made = view_of(view)
        assert made is not None
        _, primitive, args, params = made
        part = primitive.reference(part, *args, **params)
    if not np.may_share_memory(part, array):
        raise InternalError("a view of a tape's mask is a copy")
    return part


def before_write(target: Tensor, value: Any, through: bool = False) -> list[_Pending]:
    """Tell the active tapes of a write about to happen; `through`: one that gradients ignore."""
    found = [tape.before_write(target, value, through) for tape in _active.tapes]
    copies: dict[int, Tensor] = {}
    for tape in _active.tapes:
        tape.keep_elements(target, copies)
    return [p for p in found if p is not None]


def after_write(pending: Sequence[_Pending]) -> None:
    """Tell the tapes that it happened."""
    for p in pending:
        p.tape.after_write(p)
