"""Native calls: a specialisation as the entry by which machine code serves its calls.

    native = calls(CompiledFunction)                # one type a class; None where there are no native calls
    entry = entry_of(member, args, keywords)                        # None where a specialisation cannot have one

An entry checks what `Specialisation.inputs` checks, reads what it reads, and builds what `results` builds. It may be
stricter: a call that it does not serve is served in Python.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor and the steps of paths are shared by this package)

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MethodType
from typing import Any, Final, cast

import numpy as np

from jitcore.backends import lookup
from jitcore.backends.protocol import Entry, NativeCalls, Surroundings
from jitcore.config import settings
from jitcore.forking import process_lock
from jitcore.library.core.mutable import plain_class
from jitcore.passes.infer.domain.forms import equal_statics
from jitcore.passes.infer.domain.signature import Input
from jitcore.passes.infer.domain.values import Path, structure
from jitcore.primitives.core.code_points import DTYPES
from jitcore.primitives.ops.generators import is_generator, method_name, of_module, own_attribute
from jitcore.program.boxes import Contents
from jitcore.program.words import type_words
from jitcore.runtime import tape
from jitcore.runtime.arguments import Call, _static_key, is_plain_object
from jitcore.runtime.compile import Compilation
from jitcore.runtime.donation import give_up
from jitcore.runtime.errors import strip, user_error
from jitcore.runtime.guard_steps import guard_steps
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.list_arguments import (
    Nesting,
    as_column,
    column_dtype,
    nesting_of,
    strings_of,
)
from jitcore.runtime.native_registers import Registers
from jitcore.runtime.native_results import NoEntryError, ResultPlan
from jitcore.runtime.parts import Parts, attributes_of, taken_apart
from jitcore.runtime.specialisation import (
    _ROOTS,
    Specialisation,
    _held_by_object,
    is_served_by_interpreter,
    resolve,
)
from jitcore.runtime.storage import Storage
from jitcore.runtime.tensor import Tensor
from jitcore.signature import records as r
from jitcore.signature.steps import Build, EntryPlan, Overlaps, Step
from jitcore.signature.struct_layout import ALIGNED, C_CONTIGUOUS, WRITEABLE, scalar_offset
from jitcore.structs import dataclass
from jitcore.types import Dim, DimExpr, DType, RefType, ScalarType, Shape, TensorType, bool_, dtype_of, f64, i64

_NUMBER_STEPS: Final[Mapping[type, int]] = {bool: r.BOOL, int: r.INT, float: r.FLOAT, complex: r.COMPLEX}
_OPERATIONS: Final[Mapping[str, int]] = {"//": r.DIVIDE, "%": r.REMAINDER, "max": r.MAXIMUM, "min": r.MINIMUM}
"""What the parts of a `DimExpr` that are no polynomials are, to a step that computes it."""
_COLUMNS: Final[Mapping[DType, type]] = {bool_: bool, i64: int, f64: float}
"""The types of the items of lists that machine code makes arrays of."""
_COMPARED: Final = (int, str, bytes, slice, range, complex, float, tuple)
"""Types whose objects may be taken for each other when they are equal (`forms.equal_statics`)."""

_lock = process_lock()
_made: dict[type, NativeCalls | None] = {}


def calls(base: type) -> NativeCalls | None:
    """The native type over a class of callables, made when first asked for; None where native calls are not possible.
    What is not served natively goes to the class's method `_call_slowly`."""
    with _lock:
        if base not in _made:
            first = next(iter(_made.values()), None)
            if _made:
                _made[base] = None if first is None else first.over(base)
            else:
                _made[base] = lookup(settings.device_target).native_calls(base, _surroundings())
        return _made[base]


def begin() -> None:
    """Begin to compile what `calls` needs."""
    with _lock:
        if not _made:
            lookup(settings.device_target).prepare_native_calls(_surroundings())


Reworded = Callable[[BaseException, Sequence[Any], Mapping[str, Any]], BaseException]
"""Given what a program raised and a call's arguments: what the call raises."""


def _surroundings() -> Surroundings:
    return Surroundings(Tensor, Storage, "_call_slowly", is_from_handler, ((settings, "jit"), (tape.switch, "idle")))


@dataclass(frozen=True, slots=True)
class EagerEntry:
    """What is special about the calls of a library function, which `plain` computes otherwise.

    `fail` makes the exception of a call that failed, from the address of its context and its arguments. `base` is the
    input that the only result is a view of; if that is None, results are in memory of their own. Calls whose
    results are not so are not served.
    """

    plain: Callable[..., Any]
    fail: Callable[..., BaseException]
    base: int | None
    recorded: bool
    """Whether Tensors that gradients know of may be given, with no name."""
    record: Callable[..., Any] | None
    """What is then given the result and the arguments, and gives what the call gives; None: it gives the result."""


def entry_of(
    member: Specialisation,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    eager: EagerEntry | None = None,
    by_structure: bool = False,
    reworded: Reworded | None = None,
    last: Callable[..., Any] | None = None,
) -> Entry | None:
    """The entry of a specialisation for calls like one that it serves, with the same names in the same order; None if
    it cannot have one: an array of a subclass among its inputs, say. `eager`: it is for calls of a library function.
    `by_structure`: for all objects of the same classes, with the same attributes; `reworded` is asked what a call
    raises in place of the program's exception; `last` is given the result and the arguments, and gives what the call
    gives."""
    try:
        return _Plan(member, args, keywords, by_structure, reworded).entry(eager, last)
    except NoEntryError:
        return None


class _Plan(Registers):
    """The steps of an entry, in the making."""

    def __init__(
        self,
        member: Specialisation,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        by_structure: bool,
        reworded: Reworded | None,
    ) -> None:
        super().__init__(member, args, keywords)
        self.by_structure = by_structure
        self._reworded = reworded
        self._recorded = False
        """Whether arguments may be Tensors that gradients know of."""
        self._told_apart: list[int] = []
        """The registers of objects told by their structure, and of the lists, dicts and sets in them: no two are
        one."""
        self.inputs = member.compilation.inferred.inputs
        self._extents: dict[str, int] = {}
        """By symbol, the word that has its value."""
        self._by_path = {spec.path: k for k, spec in enumerate(self.inputs)}
        self._places: dict[int, int] = {}
        """By input, the register that its object is in."""
        self._passed: list[int] = []
        """The inputs that are arrays, in the order they are passed."""
        self._written: list[int] = []
        words = 0
        self._words: list[int] = []
        for spec in self.inputs:
            self._words.append(words)
            words += type_words(spec.type)

    def entry(self, eager: EagerEntry | None, last: Callable[..., Any] | None) -> Entry:
        """The entry. Raises NoEntryError if there cannot be one."""
        self._recorded = eager is not None and eager.recorded
        member, made = self.member, self.member.compilation
        shapes = iter(member.pattern)
        for k, value in (*enumerate(self.args), *sorted(self.keywords.items())):
            self._argument(("arg", k), value, shapes)
        self.require_different(self._told_apart)
        self.steps += guard_steps(member.guards)
        for pair in member.equal_extents:
            self._alike(*pair)
        for path, value in member.statics:
            self._expect(path, value)
        for guard in member.guards.rest:
            self._expect(guard.path, guard.expected)
        for k, spec in enumerate(self.inputs):
            if k not in self._places:
                self._input(k, spec)
        for k, path in enumerate(made.inferred.returned, len(self.inputs)):
            self._places[k] = self.register(path)
        for k, write in enumerate(made.inferred.container_writes, len(self.inputs) + len(made.inferred.returned)):
            self._places[k] = self.register(write.path)
        self.require_different_containers(made.inferred.containers)
        results = ResultPlan(made.inferred, self._places)
        plan = EntryPlan(
            arguments=len(self.args) + len(self.keywords),
            names=tuple(self.keywords),
            steps=self.steps,
            results=results.arrays,
            build=[*results.operations, *self._view_operations(eager), *self._last_operations(last)],
            written=self._written,
            overlaps=self._overlaps() if any(spec.written for spec in self.inputs) else None,
            fail=failure(made, self._reworded) if eager is None else eager.fail,
            memory=r.ANYWHERE if eager is None else r.NEW if eager.base is None else r.VIEW,
            record=None if eager is None else eager.record,
        )
        found = lookup(settings.device_target).entry(made.loaded, plan)
        if found is None:
            raise NoEntryError
        return found

    def _view_operations(self, eager: EagerEntry | None) -> list[Build]:
        """What tells the result which view of an argument it is: see `tensor.view_of`."""
        if eager is None or eager.base is None:
            return []
        base = self.register(self.inputs[eager.base].path)
        rest = (None, eager.plain, tuple(self.keywords))
        return [
            Build(r.PUSH_REGISTER, base),
            *(Build(r.PUSH_CONSTANT, object=part) for part in rest),
            *(Build(r.PUSH_REGISTER, k) for k in range(len(self.args) + len(self.keywords))),
            Build(r.MAKE_TUPLE, 1 + len(rest) + len(self.args) + len(self.keywords)),
            Build(r.SET_VIEW, 0),
        ]

    def _last_operations(self, last: Callable[..., Any] | None) -> list[Build]:
        """What gives what `last` makes of the result and the arguments."""
        if last is None:
            return []
        count = len(self.args) + len(self.keywords)
        pushed = (Build(r.PUSH_REGISTER, k) for k in range(count))
        return [*pushed, Build(r.CALL_NAMED, 1 + count, last, tuple(self.keywords))]

    def _overlaps(self) -> Overlaps:
        place = {k: n for n, k in enumerate(self._passed)}
        pairs = frozenset(
            (place[k], place[other])
            for k, others in enumerate(self.member.overlaps)
            for other in others
            if k in place and other in place
        )
        return Overlaps(tuple(_array_type(self.inputs[k]).dtype.itemsize for k in self._passed), pairs)

    # --- arguments: what makes the class of a call, and its shapes ------------------------------------------

    def _argument(self, path: Path, value: Any, shapes: Any) -> None:
        cls = cast("type[Any]", type(value))
        register = self.register(path)
        known = self._by_path.get(path)
        if known is not None and self.inputs[known].category == "box":
            for _ in Call.of((value,), {}).shapes:
                next(shapes)
            self._input(known, self.inputs[known])
        elif cls in _NUMBER_STEPS:
            self.add(_NUMBER_STEPS[cls], register, target=self._taken(path, register))
        elif isinstance(value, Tensor | np.ndarray):
            self._argument_array(path, value, next(shapes))
        elif cls in DTYPES:
            self._argument_string(path, value)
        elif is_generator(value):
            self._handle(register, cls, self._taken(path, register))
        elif (method := method_name(value)) is not None:
            self.add(r.HAS_CLASS, register, cls=cls)
            for name, known in (("__name__", method), ("__func__", getattr(value, "__func__", None))):
                if known is not None:
                    found = self.fetch(r.ATTRIBUTE, register, object=name)
                    self.add(r.EQUALS if name == "__name__" else r.IS, found, object=known)
            of = self.register((*path, ("attr", "__self__")))
            self._handle(of, type(value.__self__), -1)
        elif isinstance(value, np.generic) and value.dtype.kind in "biufc":
            known = self._by_path.get(path)
            if known is not None and self.inputs[known].written:
                raise NoEntryError
            self._scalar(register, value, self._taken(path, register))
        elif (
            cls is list
            and (dtype := column_dtype(cast("list[Any]", value))) is not None
            and not self._is_by_items(path)
        ):
            self._argument_column(path, dtype, next(shapes))
        elif cls is list and (nesting := nesting_of(value)) is not None and not self._is_by_items(path):
            for k in range(len(nesting.arrays)):
                self._argument_nested(path, nesting, k, next(shapes))
        elif cls is list and strings_of(value) is not None and not self._is_by_items(path):
            self._argument_strings(path, strings_of(value), next(shapes))
        elif isinstance(value, tuple | list) and (plain_class(cls) in (tuple, list) or hasattr(cls, "_fields")):
            self.add(r.SEQUENCE, register, cls=cls, count=len(cast("Sequence[Any]", value)))
            for k, item in enumerate(cast("Sequence[Any]", value)):
                self._argument((*path, ("item", k)), item, shapes)
        elif plain_class(cls) is dict:
            entries = cast("dict[Any, Any]", value)
            self.holds(register, _has_keys(cls, tuple(map(_static_key, entries))))
            for key, item in entries.items():
                self._argument((*path, ("item", key)), item, shapes)
        elif self.by_structure and is_plain_object(value):
            self._argument_object(path, value, shapes)
        elif self.by_structure and (made := taken_apart(value)) is not None:
            self._argument_in_parts(path, made, shapes)
        else:
            self._same_static(register, value)

    def _argument_in_parts(self, path: Path, made: Parts, shapes: Any) -> None:
        self.holds(self.register(path), _is_of_kind(made.kind))
        self._parts(path, made.parts, shapes)

    def _parts(self, path: Path, parts: Iterable[tuple[Path, Any]], shapes: Any) -> None:
        """What an argument holds that is told by it."""
        self._told_apart.append(self.register(path))
        for steps, part in parts:
            of_part = (*path, *steps)
            if isinstance(part, list | dict | set):
                self._told_apart.append(self.register(of_part))
            self._argument(of_part, part, shapes)

    def _argument_object(self, path: Path, value: Any, shapes: Any) -> None:
        register = self.register(path)
        attributes = attributes_of(value)
        self.add(r.HAS_CLASS, register, cls=type(value))
        self.holds(register, _has_attributes(tuple(attributes)))
        self._parts(path, (((("attr", name),), part) for name, part in attributes.items()), shapes)

    def _argument_string(self, path: Path, value: Any) -> None:
        """A str or bytes: if it is an input, its class is asked for where it is passed."""
        if path not in self._by_path:
            self.add(r.HAS_CLASS, self.register(path), cls=type(value))

    def _argument_array(self, path: Path, value: Any, shape: Shape) -> None:
        array = value._array if isinstance(value, Tensor) else value
        if type(array) is not np.ndarray or not array.flags.aligned:
            raise NoEntryError
        register = self.register(path)
        known = self._by_path.get(path)
        written = known is not None and self.inputs[known].written
        extents = tuple(r.NOT_ONE if isinstance(n, DimExpr) else n for n in shape)
        flags = (C_CONTIGUOUS, array.flags.c_contiguous)
        cls = type(value) if isinstance(value, Tensor) else None
        target = self._taken(path, register)
        recorded = self._recorded and len(path) == 2 and isinstance(path[1], int)
        self._array(register, cls, dtype_of(array.dtype).numpy, extents, flags, written, target, recorded)
        if known is not None:
            self._passed.append(known)
            self._extents |= {str(n): target + 2 + axis for axis, n in enumerate(shape) if isinstance(n, DimExpr)}

    def _is_by_items(self, path: Path, step: str = "item") -> bool:
        """Whether a long list is passed item by item."""
        size = len(path)
        return any(known[:size] == path and len(known) > size and known[size][0] == step for known in self._by_path)

    def _argument_nested(self, path: Path, nesting: Nesting, k: int, shape: Shape) -> None:
        """The k-th of the arrays that a list of lists is passed as."""
        path = (*path, ("nested", nesting), ("item", k))
        self._argument_part(path, self.register(path), nesting.arrays[k], shape)

    def _argument_strings(self, path: Path, kind: Any, shape: Shape) -> None:
        """What has an element for each string of a list of strings; the others are passed as what is read besides."""
        for k in range(1) if kind.single else (1, 2):
            step = (*path, ("strings", kind), ("item", k))
            self._argument_part(step, self.register(step), i64, shape)

    def _argument_column(self, path: Path, dtype: DType, shape: Shape) -> None:
        self._argument_part(path, self._column(self.register(path), dtype), dtype, shape)

    def _argument_part(self, path: Path, register: int, dtype: DType, shape: Shape) -> None:
        """An array that a list is passed as, or a part of it."""
        target = self._taken(path, register)
        extents = tuple(r.NOT_ONE if isinstance(n, DimExpr) else n for n in shape)
        self._array(register, None, dtype.numpy, extents, (0, False), False, target)
        if path in self._by_path:
            self._passed.append(self._by_path[path])
            self._extents |= {str(n): target + 2 for n in shape if isinstance(n, DimExpr)}

    def _column(self, register: int, dtype: DType) -> int:
        """The register of the array that a list is passed as; it has none, or None, for a list that is not of numbers
        of its type."""
        if dtype in _COLUMNS:
            return self.fetch(r.COLUMN, register, object=dtype.numpy, cls=_COLUMNS[dtype])
        return self.fetch(r.APPLY, register, object=lambda items: as_column(items, dtype))

    def _handle(self, register: int, cls: type, target: int) -> None:
        """The step for a random generator, whose address is passed: what steps fetch is held until the call ends."""
        self.add(r.HANDLE, register, target=target, object=of_module(cls), other=own_attribute(cls), cls=cls)

    def _scalar(self, register: int, value: np.generic[Any], target: int) -> None:
        """The step for a NumPy scalar."""
        offset = scalar_offset(value)
        if offset is None:
            raise NoEntryError
        self.add(r.SCALAR, register, target=target, cls=type(value), count=offset)

    def _alike(self, a: Dim, b: Dim) -> None:
        """A step that finds both extents 1, or neither."""
        code = [*self._computed(a), *self._computed(b)]
        depth = deepest = 0
        for op, _ in code:
            depth += 1 if op in (r.NUMBER, r.WORD) else -1
            deepest = max(deepest, depth)
        if deepest > r.MOST_NUMBERS:
            raise NoEntryError
        self.steps.append(Step(r.ALIKE, operations=tuple(word for operation in code for word in operation)))

    def _computed(self, dim: Dim) -> list[tuple[int, int]]:
        """The operations that leave an extent."""
        if not isinstance(dim, DimExpr):
            return [(r.NUMBER, dim)]
        code: list[tuple[int, int]] = []
        for k, (monomial, coefficient) in enumerate(dim.terms):
            code.append((r.NUMBER, coefficient))
            for atom in monomial:
                if not isinstance(atom, str):
                    code += [*self._computed(atom[1]), *self._computed(atom[2]), (_OPERATIONS[atom[0]], 0)]
                elif atom in self._extents:
                    code.append((r.WORD, self._extents[atom]))
                else:
                    raise NoEntryError
                code.append((r.MULTIPLY, 0))
            code += [(r.ADD, 0)] if k else []
        return code

    def _taken(self, path: Path, register: int) -> int:
        """The word an argument is passed in, if it is an input."""
        known = self._by_path.get(path)
        if known is None:
            return -1
        self._places[known] = register
        return self._words[known]

    def _same_static(self, register: int, value: Any) -> None:
        """An argument that the class of a call has the value of."""
        if type(value) in (str, bytes):
            self.add(r.EQUALS, register, object=value)
        elif isinstance(value, slice | set | frozenset | range | str | bytes):
            key = _static_key(value)
            self.holds(register, lambda now: _static_key(now) == key)
        elif type(value) is MethodType:
            self.add(r.HAS_CLASS, register, cls=MethodType)
            for name in ("__func__", "__self__"):
                self.add(r.IS, self.fetch(r.ATTRIBUTE, register, object=name), object=getattr(value, name))
        else:
            self.add(r.IS, register, object=value)

    # --- what is read and guarded besides -------------------------------------------------------------------

    def _input(self, k: int, spec: Input) -> None:
        if spec.category in ("str", "bytes"):
            self._string(k, spec)
            return
        if spec.category == "box":
            self._places[k] = register = self.register(spec.path)
            contents = Contents(spec.contents)
            cls = type(resolve(spec.path, self.args, self.keywords))
            at, target = contents.address, self._words[k]
            self.steps.append(Step(r.HANDLE, register, target, cls=cls, count=at, kept=contents))
            return
        if spec.category == "handle":
            self._places[k] = register = self.register(spec.path)
            self._handle(register, type(resolve(spec.path, self.args, self.keywords)), self._words[k])
            return
        if spec.category == "list":
            type_ = _array_type(spec)
            self._places[k] = register = self._column(self.register(spec.path), type_.dtype)
            self._array(register, None, type_.dtype.numpy, (r.ANY,), (0, False), False, self._words[k])
            self._passed.append(k)
            return
        if spec.path[0] in _ROOTS:
            register = self.register(spec.path)
            if spec.source is not None and _held_by_object(spec.path):
                self.add(r.IS, register, object=spec.source)
            value = resolve(spec.path, self.args, self.keywords)
        else:
            register, value = self.fetch(r.CONSTANT, object=spec.source), spec.source
        self._places[k] = register
        if isinstance(spec.type, ScalarType):
            self.add(_NUMBER_STEPS[type(value)], register, target=self._words[k])
            return
        if isinstance(value, np.generic) and not spec.written:
            self._scalar(register, value, self._words[k])
            return
        array = value._array if isinstance(value, Tensor) else value
        if type(array) is not np.ndarray or not array.flags.aligned:
            raise NoEntryError
        type_ = _array_type(spec)
        extents = tuple(n if isinstance(n, int) else r.ANY for n in type_.shape)
        flags = (C_CONTIGUOUS, True) if spec.contiguous else (0, False)
        cls = type(value) if isinstance(value, Tensor) else None
        self._array(register, cls, type_.dtype.numpy, extents, flags, spec.written, self._words[k])
        self._passed.append(k)

    def _string(self, k: int, spec: Input) -> None:
        cls = str if spec.category == "str" else bytes
        self._places[k] = source = self.register(spec.path)
        self.steps.append(Step(r.STRING, source, self._next, count=self._words[k], cls=cls))
        self._next += 1

    def _array(
        self,
        register: int,
        cls: type | None,
        dtype: np.dtype[Any],
        extents: tuple[int, ...],
        flags: tuple[int, bool],
        written: bool,
        target: int,
        recorded: bool = False,
    ) -> None:
        """The step for an array; `cls` is the class of the Tensor it is in, `flags` a flag and whether it is set."""
        must = ALIGNED | (WRITEABLE if written else 0)
        mask, wanted = must | flags[0], must | (flags[0] if flags[1] else 0)
        if written and cls is not None:
            self.add(r.HAS_CLASS, register, cls=cls)
            self.add(r.VERSIONED, register)
            self._written.append(register)
        op = r.NDARRAY if cls is None else r.RECORDED if recorded else r.TENSOR
        self.steps.append(Step(op, register, target, object=dtype, mask=mask, flags=wanted, cls=cls, extents=extents))

    def _expect(self, path: Path, expected: Any) -> None:
        """What is at a path must be an object, or one that may be taken for it."""
        if path[-1] == ("structure", None):
            self._expect_structure(self.register(path[:-1]), expected)
            return
        if path[-1] == ("negative", None):
            self.holds(self.register(path[:-1]), lambda now: (now < 0) is expected)
            return
        if isinstance(path[-1], tuple) and path[-1][0] in ("type", "own", "has"):
            kind, name = path[-1]
            self._expect_of(self.register(path[:-1]), kind, name, expected)
            return
        self._registers[path] = register = self._looked_up(path)
        if type(expected) in (int, str, bytes):
            self.add(r.EQUALS, register, object=expected)
        elif isinstance(expected, _COMPARED) and not isinstance(expected, bool):
            self.add(r.HOLDS, register, object=expected, other=lambda now: equal_statics(now, expected))
        else:
            self.add(r.IS, register, object=expected)

    def _expect_of(self, register: int, kind: str, name: str, expected: Any) -> None:
        """The class of an object, or an attribute, is to be what it was or not there."""
        if kind == "type":
            self.add(r.HAS_CLASS, register, cls=expected)
        elif kind == "has":
            self.add(r.HAS, register, object=sys.intern(name), count=int(expected))
        elif expected:
            raise NoEntryError
        else:
            self.add(r.LACKS_OWN, register, object=sys.intern(name))

    def _expect_structure(self, register: int, expected: tuple[Any, ...]) -> None:
        if expected[0] in (tuple, list):
            self.add(r.SEQUENCE, register, cls=expected[0], count=expected[1])
        else:
            self.holds(register, lambda now: equal_statics(structure(now), expected))


def _array_type(spec: Input) -> TensorType:
    type_ = spec.type.target if isinstance(spec.type, RefType) else spec.type
    if not isinstance(type_, TensorType):
        raise NoEntryError
    return type_


def _has_keys(cls: type, keys: tuple[Any, ...]) -> Callable[[Any], bool]:
    def holds(now: Any) -> bool:
        return type(now) is cls and tuple(map(_static_key, cast("dict[Any, Any]", now))) == keys

    return holds


def _is_of_kind(kind: tuple[Any, ...]) -> Callable[[Any], bool]:
    return lambda now: (made := taken_apart(now)) is not None and made.kind == kind


def _has_attributes(names: tuple[str, ...]) -> Callable[[Any], bool]:
    return lambda now: tuple(attributes_of(now)) == names


def failure(made: Compilation, reworded: Reworded | None = None) -> Callable[..., BaseException | None]:
    """What makes the exception of a failed call from its context and arguments; None where the interpreter serves the
    call."""

    def fail(address: int, *args: Any, **keywords: Any) -> BaseException | None:
        failed = made.loaded.failed(address)
        give_up((resolve(made.inferred.inputs[k].path, args, keywords) for k in made.donated), None)
        if is_served_by_interpreter(made, failed):
            return None
        error = user_error(failed, made.inferred.rules)
        strip(error)
        return error if reworded is None else reworded(error, args, keywords)

    return fail
