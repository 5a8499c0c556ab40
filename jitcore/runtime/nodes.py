"""What was computed of Tensors that need a gradient, and how gradients go back through it: see `autograd`."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias, cast

import numpy as np

from jitcore.primitives import differentiation
from jitcore.primitives.core.registry import Linear, Multilinear, Primitive
from jitcore.primitives.ops import elementwise as e
from jitcore.runtime.tape import Stale, same_view, type_of, version_of, window
from jitcore.runtime.tensor import Tensor, wrap, wrap_like
from jitcore.structs import dataclass
from jitcore.types import f16, f32, f64, i64

Edge: TypeAlias = "Tensor | tuple[Node, int]"
"""Where a gradient goes: to a leaf, or to an output of a node."""
Hook: TypeAlias = Callable[[Any], Any]

FREED: Final = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
    "saved tensors after calling backward."
)


class Mode:
    """What a thread records, and why it calls what it calls."""

    __slots__ = ("enabled", "goes_back", "label")

    def __init__(self) -> None:
        self.enabled = True
        self.label: str | None = None
        """The function of a framework that is being computed, by which nodes are told."""
        self.goes_back = False
        """Whether what is called now is called for its gradients."""


class _ThisThread(threading.local):
    def __init__(self) -> None:
        self.mode = Mode()


this_thread = _ThisThread()


def enabled() -> bool:
    """Whether this thread records what is computed of Tensors that need a gradient."""
    return this_thread.mode.enabled


@contextmanager
def recording(record: bool) -> Generator[None]:
    """Record in this thread, or don't."""
    before, this_thread.mode.enabled = this_thread.mode.enabled, record
    try:
        yield
    finally:
        this_thread.mode.enabled = before


@contextmanager
def going_back() -> Generator[None]:
    """What this thread calls is called for its gradients: ways back are compiled beside ways there."""
    before, this_thread.mode.goes_back = this_thread.mode.goes_back, True
    try:
        yield
    finally:
        this_thread.mode.goes_back = before


def set_recording(record: bool) -> None:
    """Record in this thread from now on, or don't."""
    this_thread.mode.enabled = record


NOTHING: Final = cast("dict[int, Any]", MappingProxyType({}))
"""What most histories and nodes have in place of a dict: it costs nothing to make."""


# --- histories ---------------------------------------------------------------------------------------


class History:
    """Of a leaf: whether it needs a gradient, what has been added up of it, and who wants to see it. Of others: the
    edge their values came by, and the base's edge that a view's was made of."""

    __slots__ = ("base", "edge", "grad", "hooks", "requires_grad")

    def __init__(self, edge: tuple[Node, int] | None = None, base: Edge | None = None) -> None:
        self.edge = edge
        self.base = base
        self.grad: Tensor | None = None
        self.hooks: dict[int, Hook] = NOTHING
        self.requires_grad = edge is not None

    def own_hooks(self) -> dict[int, Hook]:
        """The hooks, to be changed."""
        if self.hooks is NOTHING:
            self.hooks = {}
        return self.hooks


def detached(tensor: Tensor) -> Tensor:
    """A Tensor of the same memory that gradients end at; writes to it count as writes to the memory."""
    made = wrap_like(tensor, tensor._array)
    made._storage = tensor.storage
    return made


# --- nodes ------------------------------------------------------------------------------------------

numbers = itertools.count()


class Node:
    """Something that was computed: where the gradients of its arguments go, and how they are made of those of its
    outputs. Later ones have greater numbers."""

    __slots__ = ("__weakref__", "edges", "hooks", "label", "number", "outputs", "retained")
    makes_new: ClassVar[bool] = True
    """Whether the arrays that `backward` makes are its own."""

    def __init__(self, edges: Sequence[Edge | None], outputs: int) -> None:
        self.edges = tuple(edges)
        self.outputs = outputs
        self.number = next(numbers)
        self.label = this_thread.mode.label
        self.hooks: dict[int, dict[int, Hook]] = NOTHING
        """Of outputs."""
        self.retained: dict[int, weakref.WeakSet[Tensor]] = NOTHING
        """Tensors that keep the gradient of an output."""

    def own_hooks(self, output: int) -> dict[int, Hook]:
        """The hooks of an output, to be changed."""
        if self.hooks is NOTHING:
            self.hooks = {}
        return self.hooks.setdefault(output, {})

    def retain(self, output: int, tensor: Tensor) -> None:
        """Have a Tensor keep the gradient of an output."""
        if self.retained is NOTHING:
            self.retained = {}
        self.retained.setdefault(output, weakref.WeakSet()).add(tensor)

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """A cotangent, or None for zero, for each edge, from those of the outputs (None for zero). Raises RuntimeError
        where what is saved for that has been given up, or overwritten."""
        raise NotImplementedError

    def gives_new(self, cotangent: Tensor) -> bool:
        """Whether a cotangent that `backward` gave is in memory that nobody else has, unless it came to it."""
        return type(self).makes_new and cotangent._view is None and cotangent._array.base is None

    def release(self) -> None:
        """Give up what is saved for the way back."""

    def saved(self) -> Sequence[Saved]:
        """What it may need the elements of on the way back."""
        return ()

    @property
    def name(self) -> str:
        """What was computed."""
        return type(self).__name__


class Saved:
    """A value that a rule may need, and the version of its memory when it was computed with."""

    __slots__ = ("value", "version")

    def __init__(self, value: object, version: int | None = None) -> None:
        self.value = value
        self.version = version_of(value) if version is None else version

    @property
    def is_overwritten(self) -> bool:
        """Whether its elements have changed."""
        return version_of(self.value) != self.version

    def get(self, primitive: str) -> Any:
        """The value, or what stands for it if its elements have changed."""
        return self.overwritten(primitive) if self.is_overwritten else self.value

    def keep_copy(self, edge: Edge | None) -> None:
        """Go on with a copy of a Tensor, which is about to be written to, and whose gradient goes by an edge."""
        assert isinstance(self.value, Tensor)
        copy = wrap_like(self.value, self.value._array.copy())
        if isinstance(edge, tuple):
            copy._history = History(edge)
        self.value, self.version = copy, 0

    def overwritten(self, primitive: str) -> Stale:
        """What stands for a Tensor whose elements have changed."""
        value = self.value
        assert isinstance(value, Tensor)
        return _Overwritten(type_of(value), primitive, value.storage.version, self.version)


_TYPES: Final = {f16: "HalfTensor", f32: "FloatTensor", f64: "DoubleTensor", i64: "LongTensor"}
"""What PyTorch calls Tensors of a dtype in messages."""


@dataclass(frozen=True, slots=True)
class _Overwritten(Stale):
    """Elements that have been written to since."""

    version: int
    expected: int

    def error(self) -> RuntimeError:
        """Why they cannot be had."""
        return RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[torch.{_TYPES.get(self.type.dtype, 'Tensor')} {list(self.type.shape)}], which is needed by "
            f"{self.primitive}, is at version {self.version}; expected version {self.expected} instead."
        )


class Computed(Node):
    """`outs = primitive(*args, **params)`."""

    __slots__ = ("args", "outs", "params", "primitive")

    def __init__(
        self,
        primitive: Primitive,
        args: Sequence[Any],
        edges: Sequence[Edge | None],
        outs: Sequence[Any],
        params: Mapping[str, Any],
    ) -> None:
        super().__init__(edges, len(outs))
        rule = primitive.derivative
        linear = rule.args if isinstance(rule, Linear) else ()
        self.primitive = primitive
        self.params = params
        self.args: list[Saved] | None = [
            Saved(Stale(type_of(a), primitive.name) if k in linear and isinstance(a, Tensor) else a)
            for k, a in enumerate(args)
        ]
        by_type = isinstance(rule, Linear | Multilinear)
        self.outs = [self._kept(k, out, by_type) for k, out in enumerate(outs)]

    def _kept(self, k: int, out: object, by_type: bool) -> Any:
        """What is kept of an output: not the Tensor, which keeps this node."""
        if not isinstance(out, Tensor):
            return out
        if by_type:
            return Stale(type_of(out), self.primitive.name)
        return Saved(detached(out))

    def saved(self) -> Sequence[Saved]:
        """See `Node`."""
        return self.args or ()

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        if self.args is None:
            raise RuntimeError(FREED)
        name = self.primitive.name
        args = [saved.get(name) for saved in self.args]
        outs = [self._out(k, kept) for k, kept in enumerate(self.outs)]
        wanted = [edge is not None for edge in self.edges]
        return differentiation.vjp(self.primitive, cotangents, outs, args, self.params, wanted)

    def _out(self, k: int, kept: object) -> Any:
        """An output again; with its edge, where gradients of gradients are recorded."""
        if not isinstance(kept, Saved):
            return kept
        value = kept.get(self.primitive.name)
        if isinstance(value, Tensor) and enabled():
            value = detached(value)
            value._history = History((self, k))
        return value

    def release(self) -> None:
        """See `Node`."""
        if any(isinstance(saved.value, Tensor) for saved in self.args or ()) or any(
            isinstance(kept, Saved) for kept in self.outs
        ):
            self.args = None
            self.outs = []

    @property
    def name(self) -> str:
        """The primitive."""
        return self.primitive.name


class Written(Node):
    """A write through a chain of views into a base, of which this is what it holds then. The edges are the base's
    before, and the written value's."""

    __slots__ = ("chain", "forgets", "outside")

    def __init__(
        self, old: Edge | None, value: Edge | None, base: Tensor, chain: Sequence[Tensor], forgets: bool
    ) -> None:
        super().__init__((old, value), 1)
        self.chain = tuple(chain)
        self.forgets = forgets
        """Whether what was there has a gradient by this way alone: zeros, where all of it was overwritten."""
        self.outside: np.ndarray[Any, Any] | None = None
        """Which elements of the base were left as they were; None: none of them."""
        if chain:
            self.outside = np.ones(base.shape, np.bool_)
            window(self.outside, chain)[...] = False

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        ct = part = cotangents[0]
        old, value = self.edges
        before = None
        if old is not None and self.outside is not None:
            before = e.select(wrap(self.outside), ct, 0)
        elif old is not None and self.forgets:
            before = wrap_like(ct, np.zeros_like(ct._array))
        if value is not None:
            for view in self.chain:
                part = same_view(view, part)
        return (before, part if value is not None else None)


def conjugate(cotangent: object) -> Any:
    """The gradient that users see for a cotangent, and back: of a complex number it is the conjugate, the direction in
    which a real result grows."""
    if isinstance(cotangent, Tensor) and cotangent._dtype.kind == "c":
        return e.make_complex(e.real(cotangent), e.neg(e.imag(cotangent)))
    return cotangent


class Custom(Node):
    """What was computed by a function that has a way back of its own, given gradients (or None) by all outputs."""

    __slots__ = ("function", "given_name")
    makes_new: ClassVar[bool] = False

    def __init__(
        self, name: str, edges: Sequence[Edge | None], outputs: int, function: Callable[[list[Any]], Sequence[Any]]
    ) -> None:
        super().__init__(edges, outputs)
        self.given_name = name
        self.function: Callable[[list[Any]], Sequence[Any]] | None = function

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        if self.function is None:
            raise RuntimeError(FREED)
        return list(map(conjugate, self.function(list(map(conjugate, cotangents)))))

    def release(self) -> None:
        """See `Node`."""
        self.function = None

    @property
    def name(self) -> str:
        """What it was given."""
        return self.given_name
