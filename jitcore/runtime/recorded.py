"""Calls of library functions that gradients go back through: machine code computes them, and the way back, too.

    serve = RecordedCalls(function)
    serve.publish(entries)
    out = serve(args, keywords)     # one node, or None

A call is one node of the graph, whatever number of primitives it is made of, and its way back is the gradient of the
function, compiled for the kind of call. Only calls that an entry serves are computed so: those have no effects, draw
nothing, and give arrays in memory of their own.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jitcore.backends.protocol import Entry
from jitcore.ir.analysis import uses
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.primitives.transforms import Gradient
from jitcore.runtime import autograd, frequent_entries, gradients
from jitcore.runtime.autograd import unrecorded
from jitcore.runtime.nodes import FREED, Edge, History, Node, Saved, enabled
from jitcore.runtime.requests import compiled_gradient
from jitcore.runtime.specialisation import Specialisation
from jitcore.runtime.tensor import Tensor
from jitcore.types import has_derivatives


class _UnservedError(Exception):
    """No entry serves a call."""


def _refuse(*_: object, **__: object) -> Any:
    raise _UnservedError


class _GradientOf:
    """The gradient of a library function by some of its arguments, given the cotangent of its result last."""

    def __init__(self, function: Callable[..., Any], positions: tuple[int, ...]) -> None:
        self.__jitcore_gradient__ = Gradient(function, positions, single=False, sens=True)
        self.__name__ = f"grad({getattr(function, '__name__', '?')})"
        self.compiled = compiled_gradient(self.__jitcore_gradient__)
        self._read: dict[Specialisation, frozenset[int]] = {}

    def __call__(self, *args: object, **keywords: object) -> Any:
        """The gradients, as they are recorded themselves where gradients of them are wanted."""
        if enabled():
            return gradients.evaluate(self.__jitcore_gradient__, args, keywords)
        return self.compiled(self, *args, **keywords)

    def may_read(self, place: int) -> bool:
        """Whether the elements of an argument may be needed, as far as the programs that there are tell."""
        members = self.compiled.specialisations
        return not members or any(
            member.compilation.inferred.inputs[k].path == ("arg", place + 1)
            for member in members
            for k in self._read_by(member)
        )

    def reads(self, tensor: object, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
        """Whether the elements of an argument are needed, as far as a program that serves the call tells."""
        for member in self.compiled.specialisations:
            found = member.inputs((self, *args), keywords)
            if found is not None:
                return any(found[k].value is tensor for k in self._read_by(member))
        return True

    def _read_by(self, member: Specialisation) -> frozenset[int]:
        read = self._read.get(member)
        if read is None:
            read = self._read[member] = _read_inputs(member)
        return read


def _read_inputs(member: Specialisation) -> frozenset[int]:
    """The inputs of a program that it needs more of than their extents."""
    main = run_passes(member.compilation.inferred.module, OPTIMISATIONS).main
    used = uses(main)
    return frozenset(k for k, param in enumerate(main.params) if used[param])


class RecordedCalls:
    """The calls of one library function that are one node each."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._served: Any = None
        self._gradients: dict[tuple[int, ...], _GradientOf] = {}

    def publish(self, entries: Sequence[Entry]) -> None:
        """Have calls served by these entries from now on."""
        if self._served is None:
            self._served = frequent_entries.served(_refuse)
        if self._served is not None:
            frequent_entries.publish(self._served, entries)

    def __call__(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call with Tensors that need gradients among the arguments; None if no entry serves it."""
        if self._served is None or any(isinstance(v, Tensor) for v in keywords.values()):
            return None
        edges = [autograd.edge_of(a) if isinstance(a, Tensor) else None for a in args]
        positions = tuple(k for k, edge in enumerate(edges) if edge is not None)
        if not positions:
            return None
        try:
            made = self._served(*map(unrecorded, args), **keywords)
        except _UnservedError:
            return None
        if not isinstance(made, Tensor) or made._view is not None:
            return None
        if has_derivatives(made._dtype):
            gradient = self._gradients.get(positions)
            if gradient is None:
                gradient = self._gradients[positions] = _GradientOf(self._function, positions)
            made._history = History((Called(gradient, positions, args, keywords, edges), 0))
        return made


class Called(Node):
    """`out = function(*args, **keywords)`."""

    __slots__ = ("args", "gradient", "keywords", "positions")

    def __init__(
        self,
        gradient: _GradientOf,
        positions: tuple[int, ...],
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        edges: Sequence[Edge | None],
    ) -> None:
        super().__init__([edges[k] for k in positions], 1)
        self.gradient = gradient
        self.positions = positions
        self.args: list[Saved] | None = list(map(Saved, args))
        self.keywords = keywords

    def saved(self) -> Sequence[Saved]:
        """See `Node`."""
        return [saved for k, saved in enumerate(self.args or ()) if self.gradient.may_read(k)]

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        if self.args is None:
            raise RuntimeError(FREED)
        given = [saved.value if enabled() else unrecorded(saved.value) for saved in self.args]
        found = self.gradient(*given, cotangents[0], **self.keywords)
        for saved, value in zip(self.args, given, strict=True):
            if saved.is_overwritten and self.gradient.reads(value, (*given, cotangents[0]), self.keywords):
                raise saved.overwritten(self.name).error()
        return found

    def release(self) -> None:
        """See `Node`."""
        self.args = None

    @property
    def name(self) -> str:
        """The function."""
        return self.gradient.__name__[5:-1]
