"""One compiled specialisation of a function: what calls it serves, and how it is called."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import FunctionType
from typing import Any

import numpy as np

from jitcore.backends.protocol import Entry, ProgramError, Words
from jitcore.passes.infer.domain.forms import equal_statics
from jitcore.passes.infer.domain.signature import ABSENT, Inferred, Input
from jitcore.passes.infer.domain.values import Path, structure
from jitcore.primitives.core.definitions import Definition
from jitcore.primitives.ops.state import attributes_noted
from jitcore.runtime import nodes, past_words
from jitcore.runtime.arguments import InterpretedError, Shapes
from jitcore.runtime.compile import Code, Compilation
from jitcore.runtime.differentiated import Differentiated, edges_of, results_of
from jitcore.runtime.donation import give_up
from jitcore.runtime.errors import reraise, user_error
from jitcore.runtime.foreign import as_ndarray, needs_stand_in
from jitcore.runtime.guards import Guards
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.list_arguments import Rows, arrays_of, arrays_of_strings, rows_of
from jitcore.runtime.packing import CONVERTED, Packed, Unresolved, overlaps, pack, refuse
from jitcore.runtime.results import arrays_in, build, deliver
from jitcore.runtime.tensor import Tensor, category_of
from jitcore.source import NOWHERE, CompileError, Problem
from jitcore.structs import dataclass, field, replace
from jitcore.types import Dim, DimExpr, RefType, ScalarType, Shape, TensorType, Type, dtype_of, evaluate_dim


def resolve(path: Path, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The object at a path. Raises Unresolved if there is none."""
    try:
        return _walk(_root(path, args, keywords), path[_ROOTS[path[0]] :])
    except (AttributeError, KeyError, IndexError, NameError, ValueError, TypeError) as error:
        if is_from_handler(error):
            raise
        raise Unresolved from error


_ROOTS = {"arg": 2, "global": 3, "free": 3, "object": 2, "module": 2}
"""How many items of a path name its root."""


def steps_of(path: Path) -> Path:
    """The steps from a path's root."""
    return path[_ROOTS.get(path[0], 2) :]


def _root(path: Path, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    if path[0] == "arg":
        return keywords[path[1]] if isinstance(path[1], str) else args[path[1]]
    if path[0] == "object":
        return path[1].value
    if path[0] == "module":
        return sys.modules[path[1]]
    function: FunctionType = path[1]
    name: str = path[2]
    if path[0] == "free":
        cells = function.__closure__ or ()
        return cells[function.__code__.co_freevars.index(name)].cell_contents
    return function.__globals__[name] if name in function.__globals__ else function.__builtins__[name]


def _walk(obj: Any, steps: Path) -> Any:
    for kind, key in steps:
        if kind == "type":
            obj = type(obj)
        elif kind == "definition":
            obj = Definition.of(obj)
        elif kind == "own":
            obj = key in vars(obj)
        elif kind == "has":
            obj = _has(obj, key)
        elif kind == "entry":
            obj = obj.get(key, ABSENT)
        elif kind == "negative":
            obj = obj < 0
        elif kind == "nested":
            obj = arrays_of(obj, key) or refuse(obj)
        elif kind == "strings":
            obj = arrays_of_strings(obj, key) or refuse(obj)
        elif kind == "rows":
            obj = rows_of(obj, key)
        else:
            obj = structure(obj) if kind == "structure" else getattr(obj, key) if kind == "attr" else _item(obj, key)
    return obj


def _has(obj: Any, name: str) -> bool:
    try:
        getattr(obj, name)
    except AttributeError as error:
        if is_from_handler(error):
            raise
        return False
    return True


def _item(obj: Any, key: Any) -> Any:
    own: Callable[[Any], Sequence[Any]] | None = getattr(type(obj), "__jitcore_items__", None)
    return own(obj)[key] if own is not None else obj[key]


@dataclass(slots=True, eq=False)
class Specialisation:
    """Compiled code for the calls of one class whose arrays fit `pattern`; `statics` are values it was compiled for."""

    compilation: Compilation
    pattern: tuple[Shape, ...]
    statics: tuple[tuple[Path, Any], ...]
    overlaps: tuple[frozenset[int], ...]
    reason: str
    arguments: tuple[str, ...] = ()
    """Those of its calls, as text (`explain.signatures`)."""
    entries: dict[tuple[str, ...], Entry | None] = field(
        default_factory=dict[tuple[str, ...], "Entry | None"], init=False
    )
    """What serves its calls in machine code, if it has that, by the names of the arguments given by name in their
    order."""
    equal_extents: tuple[tuple[Dim, Dim], ...] = field(default=(), init=False)
    """The pairs of extents, one of them computed from its pattern's, of which not one may be 1 and the other not."""
    guards: Guards = field(default_factory=Guards, init=False)
    _calls: int = field(default=0, init=False)
    _with_gradients: Differentiated | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.guards = Guards.of([g for g in self.compilation.inferred.guards if g.path[0] in _ROOTS])
        known = {str(n) for shape in self.pattern for n in shape if isinstance(n, DimExpr)}
        self.equal_extents = tuple(
            pair
            for pair in self.compilation.inferred.equal_extents
            if any(isinstance(d, DimExpr) and str(d) not in known for d in pair)
            and all(not isinstance(d, DimExpr) or d.symbols <= known for d in pair)
        )

    @property
    def calls(self) -> int:
        """How many calls it has served."""
        return self._calls + self.native_calls

    @property
    def native_calls(self) -> int:
        """How many calls machine code has served."""
        return sum(entry.calls for entry in self.entries.values() if entry is not None)

    @property
    def codes(self) -> list[tuple[str, Code]]:
        """The code that there is of it: its own (`call`), and what runs where gradients are asked for (`forward`,
        `backward`)."""
        own = [("call", self.compilation.code)] if self.compilation.is_made else []
        return own + ([] if self._with_gradients is None else self._with_gradients.codes)

    def fits(self, shapes: Shapes) -> bool:
        """Whether arrays of these shapes fit: a symbolic extent takes any but 1, which broadcasts."""
        fit = all(
            (have != 1 if isinstance(want, DimExpr) else have == want)
            for pattern, shape in zip(self.pattern, shapes, strict=True)
            for want, have in zip(pattern, shape, strict=True)
        )
        return fit and not (self.equal_extents and self.broadcasts(shapes))

    def broadcasts(self, shapes: Shapes) -> bool:
        """Whether arrays of these shapes, which fit its pattern, have an extent of 1 that broadcasts where it takes
        none to."""
        values = {
            str(want): have
            for pattern, shape in zip(self.pattern, shapes, strict=True)
            for want, have in zip(pattern, shape, strict=True)
            if isinstance(want, DimExpr)
        }
        return any((evaluate_dim(a, values) == 1) is not (evaluate_dim(b, values) == 1) for a, b in self.equal_extents)

    def exact(self, shapes: Shapes) -> tuple[Shape, ...]:
        """Its pattern, with the extents as they are on which computed ones depend that may broadcast."""
        bare = {str(n) for shape in self.pattern for n in shape if isinstance(n, DimExpr)}
        computed = {d for pair in self.equal_extents for d in pair if isinstance(d, DimExpr) and str(d) not in bare}
        names = {name for d in computed for name in d.symbols}
        return tuple(
            tuple(
                have if isinstance(want, DimExpr) and want.symbols & names else want
                for want, have in zip(*axes, strict=True)
            )
            for axes in zip(self.pattern, shapes, strict=True)
        )

    def inputs(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Packed] | None:
        """What it reads in a call, in order, then what it returns as it came; None if it does not hold for this
        call."""
        inferred = self.compilation.inferred
        if not self.guards.hold():
            return None
        try:
            for path, value in self.statics:
                if not equal_statics(resolve(path, args, keywords), value):
                    return None
            for guard in self.guards.rest:
                if not equal_statics(resolve(guard.path, args, keywords), guard.expected):
                    return None
            found = [pack(spec, _fetch(spec, args, keywords)) for spec in inferred.inputs]
            returned = [resolve(path, args, keywords) for path in inferred.returned]
            returned += [resolve(write.path, args, keywords) for write in inferred.container_writes]
            if has_one_twice(inferred, args, keywords):
                return None
        except Unresolved:
            return None
        if any(i.written for i in inferred.inputs) and overlaps([p.bounds for p in found]) != self.overlaps:
            return None
        return found + [Packed(value, None, (), (0, 0)) for value in returned]

    def run(self, found: Sequence[Packed]) -> Any:
        """Call the code. Raises what the program raises, as the user's, and InterpretedError where the interpreter has
        to serve the call."""
        made = self.compilation
        inputs = found[: len(made.inferred.inputs)]
        edges = edges_of(inputs) if nodes.enabled() else {}
        way = None
        try:
            if edges:
                way = self._differentiated().way(edges)
            else:
                made.make()
        except CompileError as error:
            raise InterpretedError(error) from None
        self._calls += 1
        if way is not None:
            values, arrays = way.call(inputs, edges, self._run)
            return deliver(made.inferred, values, [p.value for p in found], arrays)
        for packed in (inputs[k] for k in made.donated):
            if isinstance(packed.value, Tensor):
                packed.value.storage.version += 1
        values = self._run(made.loaded.run, made.inferred.module.main.result_types, found)
        return deliver(made.inferred, values, [p.value for p in found])

    def _differentiated(self) -> Differentiated:
        """It as a program that gradients go back through."""
        if self._with_gradients is None:
            made = self.compilation
            inferred = made.inferred
            own, by_rows = arrays_in(inferred)
            self._with_gradients = Differentiated(
                made.name,
                made.function,
                inferred.module,
                inferred.inputs,
                [replace(layout, donated=False) for layout in made.layouts],
                {**by_rows, **own},
                by_rows.keys() - own.keys(),
                made.options,
            )
        return self._with_gradients

    def _run(self, run: Callable[[Words], Words], types: Sequence[Type], found: Sequence[Packed]) -> list[Any]:
        inferred = self.compilation.inferred
        noted: dict[Any, tuple[Any, ...]] = {}
        try:
            with attributes_noted(noted) if inferred.notes["attributes_noted"] else nullcontext():
                return results_of(run, types, found)
        except ProgramError as error:
            failed = error
        finally:
            for spec, packed in zip(inferred.inputs, found, strict=False):
                if spec.written and isinstance(spec.type, RefType) and isinstance(packed.value, Tensor):
                    packed.value.storage.version += 1
        # outside of `except`: what is handled here is none of the program's affair
        give_up((found[k].value for k in self.compilation.donated), None)
        if is_served_by_interpreter(self.compilation, failed):
            raise InterpretedError(left_word=past_words.problem_of(failed) if past_words.left_word(failed) else None)
        for write, values in noted.items():
            setattr(write.obj, write.name, build(write.result, values, [p.value for p in found]))
        reraise(user_error(failed, inferred.rules))


def is_served_by_interpreter(made: Compilation, failed: ProgramError) -> bool:
    """Whether a call whose program failed runs in the interpreter: what it changed until then of the code outside must
    be seen, or an int left 64 bits when nothing could be seen yet."""
    if _is_interrupted(failed):
        return False
    return bool(made.inferred.containers) or (past_words.left_word(failed) and past_words.can_begin_anew(made, failed))


def _is_interrupted(failed: ProgramError) -> bool:
    """Whether a program was ended by what a signal's handler raised: it is not run again then, and writes nothing
    back."""
    return any(
        error.__cause__ is not None
        and (error.site.exception == "KeyboardInterrupt" or is_from_handler(error.__cause__))  # a poll, or a host call
        for error in (failed, *failed.handled)
    )


def has_one_twice(inferred: Inferred, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether lists or dicts that a program takes for several, and changes, are one. Raises Unresolved."""
    objects = [resolve(path, args, keywords) for path in inferred.containers]
    objects = [obj for found in objects for obj in (found if isinstance(found, Rows) else (found,))]
    return len({id(obj) for obj in objects}) < len(objects)


def require_different_containers(inferred: Inferred, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raise CompileError for a call whose lists or dicts, of which it changes some, are not different objects."""
    if has_one_twice(inferred, args, keywords):
        message = "a list or dict is changed that reaches the function in two ways"
        raise CompileError([Problem(NOWHERE, message, "a copy of it for one of them")])


def _fetch(spec: Input, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The object an input stands for in this call. Raises Unresolved if it is another kind of thing than compiled
    for."""
    if spec.category == "box":
        return resolve(spec.path, args, keywords)
    value = spec.source if spec.path[0] not in _ROOTS else resolve(spec.path, args, keywords)
    if spec.path[0] == "arg" and len(spec.path) == 2:
        return value
    if spec.category in CONVERTED:
        return value
    if spec.source is not None and value is not spec.source and _held_by_object(spec.path):
        raise Unresolved
    _require_type(spec, value)
    return value


def holds_for(spec: Input, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a call has for an input what it was compiled for."""
    try:
        _fetch(spec, args, keywords)
    except Unresolved:
        return False
    return True


def _held_by_object(path: Path) -> bool:
    return any(kind == "attr" for kind, _ in steps_of(path))


def _require_type(spec: Input, value: Any) -> None:
    type_ = spec.type.target if isinstance(spec.type, RefType) else spec.type
    if isinstance(type_, ScalarType):
        if type(value) is not type(type_.dtype.numpy.type(0).item()):
            raise Unresolved
        return
    value = as_ndarray(value) if needs_stand_in(value) else value
    array = value._array if isinstance(value, Tensor) else value
    if (
        category_of(value) != spec.category
        or not isinstance(array, np.ndarray | np.generic)
        or not isinstance(type_, TensorType)
    ):
        raise Unresolved
    if array.dtype.kind not in "biufc" or dtype_of(array.dtype) is not type_.dtype or array.ndim != type_.rank:
        raise Unresolved
    fixed = all(have == want for have, want in zip(array.shape, type_.shape, strict=True) if isinstance(want, int))
    if not fixed or bool(array.flags.c_contiguous) < spec.contiguous:
        raise Unresolved


def objects_of(inputs: Sequence[Input], args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """The objects that inputs stand for in the call they were inferred from."""
    return [i.source if i.path[0] not in _ROOTS else resolve(i.path, args, keywords) for i in inputs]
