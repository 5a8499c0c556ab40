"""Calls of library functions that gradients go back through: machine code computes them, and the way back, too.

    record = recorder(function)
    out = record(function(*args), *args)        # one node

A call is one node of the graph, whatever number of primitives it is made of, and its way back is the gradient of the
function, compiled for the kind of call. Only calls that an entry serves (`frequent_entries`) are recorded so: those
have no effects, draw nothing, and give one array in memory of its own.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any, Final, cast

from jitcore.ir.analysis import uses
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.primitives.transforms import Gradient
from jitcore.runtime import autograd, gradients
from jitcore.runtime.autograd import edge_of, unrecorded
from jitcore.runtime.nodes import FREED, NOTHING, Edge, History, Node, Saved, enabled, numbers, this_thread
from jitcore.runtime.requests import compiled_gradient
from jitcore.runtime.specialisation import Specialisation
from jitcore.runtime.tape import version_of
from jitcore.runtime.tensor import Tensor

new: Final = object.__new__


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
        serving = self.compiled.serving((self, *args), keywords)
        if serving is None:
            return True
        member, found = serving
        return any(found[k].value is tensor for k in self._read_by(member))

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


def recorder(function: Callable[..., Any], spared: int = 0) -> Callable[..., Any]:
    """What machine code calls with the result and the arguments of a call of a library function some of whose arguments
    gradients may know of: the result, which has a node where gradients go through it. `spared`: a bit for each argument
    that none goes to."""
    by_places: dict[int, _GradientOf] = {}
    """By a bit for each argument, whether it is by that."""

    def record(made: Tensor, *args: object, **keywords: object) -> Tensor:
        mode = this_thread.mode
        if not mode.enabled:
            return made
        versions = gradient = edges = None
        # as below, of the commonest kind of call
        if not spared and len(args) == 2 and type(args[0]) is type(args[1]) is type(made):
            x, y = cast("tuple[Tensor, Tensor]", args)
            h, i = x._history, y._history
            if (
                h is not None
                and i is not None
                and h.requires_grad
                and i.requires_grad
                and x._view is y._view is x._storage is y._storage is None
            ):
                edges = h.edge or x, i.edge or y
                gradient = by_places.get(3)
        if gradient is None:
            edges, places, versions = _noted(args, spared)
            if not edges:
                return made
            gradient = by_places.get(places)
            if gradient is None:
                positions = tuple(k for k in range(len(args)) if places >> k & 1)
                gradient = by_places[places] = _GradientOf(function, positions)
        assert edges is not None
        # what `Node` and `History` do, without calls
        node = new(Called)
        node.edges = edges
        node.number = next(numbers)
        node.label = mode.label
        node.hooks = node.retained = NOTHING
        node.gradient = gradient
        node.args = args
        node.keywords = keywords
        node.versions = versions
        node.kept = None
        history = made._history = new(History)
        history.edge = node, 0
        history.base = history.grad = None
        history.hooks = NOTHING
        history.requires_grad = True
        return made

    return record


def _noted(args: Sequence[object], spared: int) -> tuple[tuple[Edge, ...], int, tuple[int, ...] | None]:
    """The edges of the arguments that need gradients and are not `spared`, a bit for each such argument, and the
    versions of all arguments' memory (None: they are 0)."""
    edges: list[Edge] = []
    places, bit, counts = 0, 1, False
    for arg in args:
        if isinstance(arg, Tensor):
            if arg._view is None:
                history = arg._history
                counts |= arg._storage is not None
                edge = None if history is None or not history.requires_grad else history.edge or arg
            else:
                edge, counts = edge_of(arg), True
            if edge is not None and not spared & bit:
                edges.append(edge)
                places |= bit
        bit += bit
    return tuple(edges), places, tuple(map(version_of, args)) if counts else None


def viewer(record: Callable[..., Any]) -> Callable[..., Any]:
    """The same where the result is a view, which gets its node when it is asked for: while nothing is recorded it
    shares memory, and no gradient. What has memory of its own after all (it has no elements) is recorded by
    `record`."""

    def viewed(made: Tensor, *args: object, **keywords: object) -> Tensor:
        if made._view is None:
            return record(made, *args, **keywords)
        autograd.cut_view(made, made._view[0])
        return made

    return viewed


class Called(Node):
    """`out = function(*args, **keywords)`, given the edges of arguments that `gradient` is by, and the versions of all
    arguments' memory (None: they were 0)."""

    __slots__ = ("args", "gradient", "kept", "keywords", "versions")
    args: tuple[object, ...] | None
    gradient: _GradientOf
    kept: list[Saved] | None
    keywords: Mapping[str, object]
    versions: tuple[int, ...] | None
    outputs = 1  # pyright: ignore[reportIncompatibleUnannotatedOverride, reportAssignmentType]

    def _values(self) -> Sequence[Saved]:
        """The arguments, and the versions of their memory."""
        if self.kept is None:
            self.kept = list(map(Saved, self.args or (), self.versions or repeat(0)))
        return self.kept

    def saved(self) -> Sequence[Saved]:
        """See `Node`."""
        return [saved for k, saved in enumerate(self._values()) if self.gradient.may_read(k)]

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        if self.args is None:
            raise RuntimeError(FREED)
        values = self._values()
        given = [saved.value if enabled() else unrecorded(saved.value) for saved in values]
        found = self.gradient(*given, cotangents[0], **self.keywords)
        for saved, value in zip(values, given, strict=True):
            if saved.is_overwritten and self.gradient.reads(value, (*given, cotangents[0]), self.keywords):
                raise saved.overwritten(self.name).error()
        return found

    def release(self) -> None:
        """See `Node`."""
        self.args = self.kept = None

    @property
    def name(self) -> str:
        """The function."""
        return self.gradient.__name__[5:-1]
