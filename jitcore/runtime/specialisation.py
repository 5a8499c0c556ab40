"""One compiled specialisation of a function: what calls it serves, and how it is called."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import builtins
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from jitcore.backends.llvm.call import call as run_program
from jitcore.backends.protocol import ProgramError
from jitcore.passes.infer.forms import equal_statics
from jitcore.passes.infer.signature import Input
from jitcore.passes.infer.values import Path, structure
from jitcore.runtime.arguments import Shapes
from jitcore.runtime.compile import Compilation
from jitcore.runtime.descriptions import check_int
from jitcore.runtime.errors import user_error
from jitcore.runtime.results import Results
from jitcore.runtime.tensor import Tensor
from jitcore.types import DimExpr, RefType, ScalarType, Shape, TensorType, dtype_of

_MASK = (1 << 64) - 1


class Unresolved(Exception):
    """What a path leads to is not there (any more)."""


def resolve(path: Path, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The object at a path. Raises Unresolved if there is none."""
    try:
        return _walk(_root(path, args, keywords), path[_ROOTS[path[0]] :])
    except (AttributeError, KeyError, IndexError, NameError, ValueError, TypeError) as error:
        raise Unresolved from error


_ROOTS = {"arg": 2, "global": 3, "free": 3, "object": 2, "module": 2}
"""How many items of a path name its root."""


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
    return function.__globals__[name] if name in function.__globals__ else getattr(builtins, name)


def _walk(obj: Any, steps: Path) -> Any:
    for kind, key in steps:
        if kind == "structure":
            obj = structure(obj)
        else:
            obj = getattr(obj, key) if kind == "attr" else _item(obj, key)
    return obj


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
    calls: int = field(default=0)

    def fits(self, shapes: Shapes) -> bool:
        """Whether arrays of these shapes fit: a symbolic extent takes any but 1, which broadcasts."""
        return all(
            (have != 1 if isinstance(want, DimExpr) else have == want)
            for pattern, shape in zip(self.pattern, shapes, strict=True)
            for want, have in zip(pattern, shape, strict=True)
        )

    def inputs(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any] | None:
        """The objects it reads in a call, in order; None if it does not hold for this call."""
        try:
            for path, value in self.statics:
                if not equal_statics(resolve(path, args, keywords), value):
                    return None
            for guard in self.compilation.inferred.guards:
                if guard.path[0] in _ROOTS and not equal_statics(resolve(guard.path, args, keywords), guard.expected):
                    return None
            found = [_fetch(i, args, keywords) for i in self.compilation.inferred.inputs]
        except Unresolved:
            return None
        if any(i.written for i in self.compilation.inferred.inputs) and overlaps_of(found) != self.overlaps:
            return None
        return found

    def run(self, found: Sequence[Any]) -> Any:
        """Call the code. Raises what the program raises, as the user's."""
        self.calls += 1
        made = self.compilation
        inferred = made.inferred
        keep: list[Any] = []
        owners: dict[int, Any] = {}
        words: list[int] = []
        for spec, value in zip(inferred.inputs, found, strict=True):
            _pack(spec, value, words, keep, owners)
        try:
            out = run_program(made.loaded, np.array(words, np.uint64))
        except ProgramError as error:
            raise user_error(error) from None
        finally:
            for spec, value in zip(inferred.inputs, found, strict=True):
                if spec.written and isinstance(value, Tensor):
                    value.storage.version += 1
        results = Results(inferred.module.main.result_types, out.tolist(), found, owners)
        value = results.build(inferred.result)
        for obj, name, result in inferred.attribute_writes:
            setattr(obj, name, results.build(result))
        return value


def _fetch(spec: Input, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The object an input stands for in this call. Raises Unresolved if it is another kind of thing than compiled for."""
    value = spec.source if spec.path[0] not in _ROOTS else resolve(spec.path, args, keywords)
    if spec.path[0] == "arg" and len(spec.path) == 2:
        return value
    if spec.source is not None and value is not spec.source and _held_by_object(spec.path):
        raise Unresolved
    _require_type(spec, value)
    return value


def _held_by_object(path: Path) -> bool:
    return any(kind == "attr" for kind, _ in path[_ROOTS.get(path[0], 2) :])


def _require_type(spec: Input, value: Any) -> None:
    type_ = spec.type.target if isinstance(spec.type, RefType) else spec.type
    if isinstance(type_, ScalarType):
        if type(value) is not type(type_.dtype.numpy.type(0).item()):
            raise Unresolved
        return
    array = value._array if isinstance(value, Tensor) else value
    category = "tensor" if isinstance(value, Tensor) else "npscalar" if isinstance(value, np.generic) else "ndarray"
    if category != spec.category or not isinstance(array, np.ndarray | np.generic) or not isinstance(type_, TensorType):
        raise Unresolved
    if array.dtype.kind not in "biufc" or dtype_of(array.dtype) is not type_.dtype or array.ndim != type_.rank:
        raise Unresolved
    fixed = all(have == want for have, want in zip(array.shape, type_.shape, strict=True) if isinstance(want, int))
    if not fixed or bool(array.flags.c_contiguous) < spec.contiguous:
        raise Unresolved


# --- words ------------------------------------------------------------------------------------------


def _pack(spec: Input, value: Any, words: list[int], keep: list[Any], owners: dict[int, Any]) -> None:
    """Append an input's words."""
    type_ = spec.type
    if isinstance(type_, ScalarType):
        words += _number_words(value)
        return
    array: Any = value._array if isinstance(value, Tensor) else value
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    if spec.written and not array.flags.writeable:
        raise ValueError("assignment destination is read-only")
    if not array.flags.aligned:
        if spec.written:
            raise ValueError("an array whose elements are not aligned in memory cannot be written to")
        array = array.copy()
    keep.append(array)
    owners[id(array)] = array
    words += (array.ctypes.data, id(array) | 1, *array.shape, *(s & _MASK for s in array.strides))


def _number_words(value: Any) -> tuple[int, ...]:
    if isinstance(value, float):
        return (_bits(value),)
    if isinstance(value, complex):
        return _bits(value.real), _bits(value.imag)
    return (check_int(int(value)) & _MASK,)


def _bits(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


# --- overlap ----------------------------------------------------------------------------------------


def overlaps_of(values: Sequence[Any]) -> tuple[frozenset[int], ...]:
    """For each input the others that its memory may overlap with, by their bounds."""
    bounds: list[tuple[int, int, int]] = []
    for k, value in enumerate(values):
        array = value._array if isinstance(value, Tensor) else value
        if isinstance(array, np.ndarray) and array.size:
            low, high = np.lib.array_utils.byte_bounds(array)
            bounds.append((low, high, k))
    bounds.sort()
    found: list[set[int]] = [set() for _ in values]
    for n, (_, high, k) in enumerate(bounds):
        for other_low, _, other in bounds[n + 1 :]:
            if other_low >= high:
                break
            found[k].add(other)
            found[other].add(k)
    return tuple(map(frozenset, found))


def objects_of(inputs: Sequence[Input], args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """The objects that inputs stand for in the call they were inferred from."""
    return [i.source if i.path[0] not in _ROOTS else resolve(i.path, args, keywords) for i in inputs]
