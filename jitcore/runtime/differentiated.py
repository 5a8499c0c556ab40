"""Calls of compiled programs that gradients go back through: one node each, whatever they compute.

    program = Differentiated(name, function, module, inputs, layouts, categories)
    edges = edges_of(found)
    values, made = program.way(edges).call(found, edges, run)      # `made`: the Tensors among the results

The typed module of a call is differentiated by those inputs that need a gradient, and split in two
(`passes.transforms.grad.pullback`): the call runs the way there, which leaves what the way back needs beside its
results; that is compiled when gradients come to the results for the first time, or at once where they will. Numbers,
lists and draws are what they were at the call.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Final

import numpy as np

from jitcore.backends.protocol import LoadedProgram, ProgramError, Suspended, Words
from jitcore.ir.nodes import Module
from jitcore.passes.infer.domain.signature import Input
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.plan import ArgLayout
from jitcore.passes.registry import run_passes
from jitcore.passes.transforms.grad.pullback import Pullback, joint
from jitcore.runtime.autograd import edge_of
from jitcore.runtime.categories import as_category
from jitcore.runtime.compile import Code, begin, show
from jitcore.runtime.errors import reraise, user_error
from jitcore.runtime.nodes import FREED, Edge, History, Node, Saved, detached, enabled, this_thread
from jitcore.runtime.options import DEFAULT, Options
from jitcore.runtime.packing import Packed, bounds_of, overlaps, pack
from jitcore.runtime.records import CompilationRecord
from jitcore.runtime.results import Results
from jitcore.runtime.tensor import Tensor, wrap, wrap_like
from jitcore.runtime.tensor_rows import TensorRows
from jitcore.source import CompileError
from jitcore.structs import dataclass, field
from jitcore.types import TensorType, Type

Run = Callable[[Callable[[Words], Words], Sequence[Type], Sequence[Packed]], list[Any]]
"""Runs a program on inputs: its results, of these types."""


def execute(run: Callable[[Words], Words], types: Sequence[Type], found: Sequence[Packed]) -> list[Any]:
    """The results of a program. Raises what the program raises, as the user's."""
    try:
        return results_of(run, types, found)
    except ProgramError as error:
        failed = error
    reraise(user_error(failed))  # outside of `except`: what is handled here is none of the program's affair


def results_of(run: Callable[[Words], Words], types: Sequence[Type], found: Sequence[Packed]) -> list[Any]:
    """The results of a program. Raises ProgramError."""
    words = run(np.array([word for packed in found for word in packed.words], np.uint64))
    owners = {id(packed.array): packed.array for packed in found if packed.array is not None}
    return Results(types, words.tolist(), owners).values


_ONCE: Final = (
    "the gradient of {} goes back through loops or branches of the run, which can be done once: call it again, or call "
    "the function line by line (`.__wrapped__`)"
)


@dataclass(slots=True, eq=False)
class Differentiated:
    """A typed module whose calls may be nodes. `categories` are those of the results that are arrays; the rows of
    those `by_rows` are Tensors in a list."""

    name: str
    function: Callable[..., Any]
    module: Module
    inputs: Sequence[Input]
    layouts: Sequence[ArgLayout]
    categories: Mapping[int, str]
    by_rows: Set[int] = frozenset()
    options: Options = DEFAULT
    _ways: dict[tuple[int, ...], _Way | CompileError] = field(
        default_factory=dict[tuple[int, ...], "_Way | CompileError"], init=False
    )

    def way(self, edges: Mapping[int, Edge]) -> _Way:
        """The way there and back by the inputs whose gradients go by edges. Raises CompileError where there is none."""
        active = tuple(edges)
        way = self._ways.get(active)
        if way is None:
            try:
                way = _Way(self, active)
            except CompileError as error:
                way = error
            self._ways[active] = way
        if isinstance(way, CompileError):
            raise way
        return way

    @property
    def codes(self) -> list[tuple[str, Code]]:
        """The code of its ways: there (`forward`) and back (`backward`), as far as it is made."""
        ways = [way for way in self._ways.values() if isinstance(way, _Way)]
        found = [("forward", way.forward) for way in ways]
        return found + [("backward", made) for way in ways if (made := way.made_backward) is not None]

    def __repr__(self) -> str:
        return f"<differentiated {self.name}>"


class _Way:
    """The way there and back of a module by some of its inputs."""

    def __init__(self, whole: Differentiated, active: tuple[int, ...]) -> None:
        self.whole = whole
        self.active = active
        made = Pullback(whole.module, active, whole.categories)
        forward, self._back, self.residuals = made.forward(run_passes(made.backward, OPTIMISATIONS))
        self.outputs = made.outputs
        self.reached = [active[k] for k in made.reached]
        """The inputs that gradients come to."""
        needed = {r.index if r.source == "result" else r.shared for r in self.residuals}
        self.shown = [k for k in whole.categories if k in needed or k in made.outputs]
        """The results that are Tensors with a history, or whose memory the way back needs."""
        self._again: Differentiated | None = None
        count = len(self.residuals)
        types = [param.type for param in self._back.main.params]
        self.inputs = [
            whole.inputs[r.index] if r.source == "input" else _input(k, types[k]) for k, r in enumerate(self.residuals)
        ]
        self.cotangents = [_input(k, types[k]) for k in range(count, len(types))]
        there = begin(run_passes(forward, OPTIMISATIONS), whole.layouts, whole.options)
        self._begun = self._begin_backward() if this_thread.mode.goes_back else None
        self.forward: Code = there()
        self._show(whole.name, self.forward)
        self._backward: Code | None = None

    @property
    def made_backward(self) -> Code | None:
        """The code of the way back, if it has been made."""
        return self._backward

    def call(self, found: Sequence[Packed], edges: Mapping[int, Edge], run: Run) -> tuple[list[Any], dict[int, Any]]:
        """The results of a call with these inputs, and those that are Tensors, as such, with their histories."""
        left: list[Suspended] = []
        values = run(self.starting(left), self.forward.fused.main.result_types, found)
        count = len(self.whole.module.main.results)
        made = {k: as_category(self.whole.categories[k], values[k]) for k in self.shown}
        node = Executed(self, list(edges.values()), found, made, values[count:], left)
        for k, output in enumerate(self.outputs):
            made[output]._history = History((node, k))
            if output in self.whole.by_rows:
                made[output] = TensorRows(made[output])
        return values[:count], {k: m for k, m in made.items() if k not in self.whole.by_rows or k in self.outputs}

    def starting(self, left: list[Suspended]) -> Callable[[Words], Words]:
        """What runs the way there; what it leaves on a stack is added to `left`."""
        loaded = self.forward.loaded

        def run(words: Words) -> Words:
            results, suspended = loaded.start(words)
            left.append(suspended)
            return results

        return run if self.forward.program.suspends else loaded.run

    @property
    def backward(self) -> Code:
        """The way back, compiled when it is first gone."""
        if self._backward is None:
            begun, self._begun = self._begun or self._begin_backward(), None
            self._backward = begun()
            self._show(self._back.main.name, self._backward)
        return self._backward

    def _begin_backward(self) -> Callable[[], Code]:
        layouts = [ArgLayout(spec.contiguous) for spec in (*self.inputs, *self.cotangents)]
        return begin(self._back, layouts, self.whole.options)

    @property
    def again(self) -> Differentiated:
        """The way there and back as a module, to be differentiated itself. Raises CompileError."""
        if self._again is None:
            module = run_passes(joint(self.whole.module, self.active, self.whole.categories), OPTIMISATIONS)
            layouts = [*self.whole.layouts, *(ArgLayout() for _ in self.cotangents)]
            categories = {k: self.whole.inputs[at].category for k, at in enumerate(self.reached)}
            name = self._back.main.name
            inputs = [*self.whole.inputs, *self.cotangents]
            self._again = Differentiated(name, self.whole.function, module, inputs, layouts, categories)
        return self._again

    def _show(self, name: str, code: Code) -> None:
        show(CompilationRecord(name, self.whole.function, code.signature, code.texts, code))


def _input(position: int, type_: Type | None) -> Input:
    assert type_ is not None
    return Input(("arg", position), type_, "ndarray", contiguous=True, written=False)


def edges_of(found: Sequence[Packed]) -> dict[int, Edge]:
    """Where the gradients of inputs go, of those that need one."""
    tensors = ((k, p.value) for k, p in enumerate(found) if isinstance(p.value, Tensor))
    return {k: edge for k, tensor in tensors if (edge := edge_of(tensor)) is not None}


class Executed(Node):
    """A call of a compiled program."""

    __slots__ = ("inputs", "left", "outs", "residuals", "way")

    def __init__(
        self,
        way: _Way,
        edges: Sequence[Edge | None],
        found: Sequence[Packed],
        made: Mapping[int, Tensor],
        kept: Sequence[Any],
        left: Sequence[Suspended],
    ) -> None:
        super().__init__(edges, len(way.outputs))
        self.way = way
        self.left = left
        """What is on a stack, if anything is: the way back can be gone once."""
        self.outs = [(made[k].shape, made[k]._array.dtype) for k in way.outputs]
        self.inputs: list[_Given] | None = [_Given(packed) for packed in found]
        self.residuals: list[_Given] = []
        for residual, spec in zip(way.residuals, way.inputs, strict=True):
            if residual.source == "input":
                self.residuals.append(self.inputs[residual.index])
                continue
            value: Any = kept[residual.index] if residual.source != "result" else made[residual.index]
            value = detached(value) if isinstance(value, Tensor) else value
            if residual.shared is not None:
                value = wrap_like(made[residual.shared], value)
                value._storage = made[residual.shared].storage
            self.residuals.append(_Given(pack(spec, value)))

    def saved(self) -> Sequence[Saved]:
        """See `Node`."""
        return [given.saved for given in (*self.residuals, *self._read_on_stack())]

    def _read_on_stack(self) -> Sequence[_Given]:
        """The inputs whose memory the stack may refer to."""
        specs = self.way.whole.inputs
        given = zip(self.inputs or (), specs, strict=False) if self.left else ()
        return [value for value, spec in given if isinstance(spec.type, TensorType)]

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        if self.inputs is None:
            raise RuntimeError(FREED)
        given = [
            wrap(np.zeros(shape, kind)) if ct is None else ct
            for ct, (shape, kind) in zip(cotangents, self.outs, strict=True)
        ]
        way = self.way
        if enabled():
            again = way.again
            found = [value.packed(spec, self.name) for value, spec in zip(self.inputs, again.inputs, strict=False)]
            found += [_cotangent(spec, ct) for spec, ct in zip(way.cotangents, given, strict=True)]
            edges = edges_of(found)
            values, made = again.way(edges).call(found, edges, execute)
            return self._by_inputs([made.get(k, value) for k, value in enumerate(self._as_inputs(values))])
        found = [value.packed(spec, self.name) for value, spec in zip(self.residuals, way.inputs, strict=True)]
        found += [_cotangent(spec, ct) for spec, ct in zip(way.cotangents, given, strict=True)]
        code = way.backward
        values = execute(self._returning(code.loaded), code.fused.main.result_types, found)
        shared = overlaps([*map(bounds_of, values), *(packed.bounds for packed in found)])
        own = [v.copy() if others else v for v, others in zip(values, shared, strict=False)]
        return self._by_inputs(self._as_inputs(own))

    def _returning(self, loaded: LoadedProgram) -> Callable[[Words], Words]:
        """What runs the way back."""
        if not self.left:
            return loaded.run
        for value in self._read_on_stack():
            value.require_unchanged(self.name)
        (suspended,) = self.left
        if suspended.is_used:
            raise RuntimeError(_ONCE.format(self.name))
        return lambda words: loaded.run(words, suspended)

    def _as_inputs(self, values: Sequence[Any]) -> list[Any]:
        """Gradients, each of the class of what it is the gradient by."""
        specs = self.way.whole.inputs
        return [as_category(specs[k].category, v) for k, v in zip(self.way.reached, values, strict=True)]

    def _by_inputs(self, gradients: Sequence[Any]) -> list[Any]:
        """Gradients by all inputs that need one; None where none comes."""
        found = dict(zip(self.way.reached, gradients, strict=True))
        return [found.get(k) for k in self.way.active]

    def gives_new(self, cotangent: Tensor) -> bool:
        """See `Node`."""
        return True

    def release(self) -> None:
        """See `Node`."""
        self.inputs = None
        self.residuals = []
        self.left = ()

    @property
    def name(self) -> str:
        """The function."""
        return self.way.whole.name


class _Given:
    """What a program was given, and the version of its memory then."""

    __slots__ = ("_packed", "saved")

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        self.saved = Saved(packed.value)

    def packed(self, spec: Input, name: str) -> Packed:
        """It again. Raises RuntimeError if its elements have changed; `name` is what was computed of it."""
        self.require_unchanged(name)
        return self._packed if self.saved.value is self._packed.value else pack(spec, self.saved.value)

    def require_unchanged(self, name: str) -> None:
        """Raise RuntimeError if its elements have changed."""
        if self.saved.is_overwritten:
            raise self.saved.overwritten(name).error()


def _cotangent(spec: Input, cotangent: Tensor) -> Packed:
    packed = pack(spec, np.asarray(cotangent._array, order="C"))
    packed.value = cotangent
    return packed
