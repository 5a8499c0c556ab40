"""The arguments of a call: what of them is part of a specialisation's key.

A call's *class* is everything but the extents of its arrays: Python types, dtypes, ranks, contiguity, the structure of
containers and what is static. Its *shapes* are the extents, array by array in the order of the arguments.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MethodType
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.identity import Identity
from jitcore.library.core.mutable import plain_class
from jitcore.lookup import attribute_of
from jitcore.primitives.core.code_points import DTYPES
from jitcore.primitives.core.definitions import remembered
from jitcore.primitives.core.python_numbers import past_64_bits
from jitcore.primitives.ops.generators import is_generator, method_name
from jitcore.runtime.list_arguments import NUMBERS, column_dtype, extents_of, nesting_of, strings_of
from jitcore.runtime.parts import Parts, attributes_of, taken_apart
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import leaves
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass, field

Shapes: TypeAlias = "tuple[tuple[int, ...], ...]"

_MOST_ITEMS: Final = 512
"""Of lists that are compiled item by item."""
_BY_VALUE: Final = (str, bytes, frozenset, range, type(None), type(Ellipsis), type(NotImplemented))


class InterpretedError(Exception):
    """The interpreter must run the call: the program raised, and has done nothing so far (`left_word`: since an int
    left 64 bits there), or there is none, for the reason given."""

    def __init__(self, reason: CompileError | None = None, left_word: Problem | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.left_word = left_word


class PastWordError(OverflowError):
    """An int among the inputs of a call is past 64 bits."""

    def __init__(self, value: int) -> None:
        super().__init__(past_64_bits(value))
        self.value = value


def check_int(value: int) -> int:
    """An int that fits 64 bits. Raises PastWordError for others."""
    if not -(1 << 63) <= value < 1 << 63:
        raise PastWordError(value)
    return value


def is_by_identity(part: Any, known: Any) -> bool:
    """Whether a part of a call's key is an object told by its identity, and not of a `known` class."""
    return isinstance(part, Identity) and not isinstance(part.value, known)


def long_lists(tree: Any) -> list[Any]:
    """The lists in tuples, lists and dicts that are passed as arrays."""
    if isinstance(tree, dict):
        tree = tuple(cast("dict[Any, Any]", tree).values())
    if not isinstance(tree, tuple | list):
        return []
    items = cast("Sequence[Any]", tree)
    if type(tree) is list and column_dtype(items) is not None:
        return [items]
    if type(tree) is list and nesting_of(items) is not None:
        return [leaves(items)]
    if type(tree) is list and strings_of(items) is not None:
        return [items]
    return [found for item in items for found in long_lists(item)]


def may_go_by_items(args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether there are lists among arguments that are passed as arrays, and could be compiled item by item."""
    return 0 < max(map(len, long_lists((*args, *keywords.values()))), default=0) <= _MOST_ITEMS


class UnfitError(Exception):
    """An argument of which nothing can be compiled: `problem` says what is found, `hint` what to pass instead."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


_MOST_MET_AGAIN: Final = 1 << 12
"""How often containers may be met again that a call's arguments have in several places: each place is compiled for."""
_DEEPEST: Final = 100
"""How many containers and objects may be within each other: each is compiled for."""


class _NotByStructureError(Exception):
    """The objects among the arguments cannot be told by their structure alone."""


@dataclass(slots=True)
class Call:
    """One call taken apart."""

    args: Sequence[Any]
    keywords: Mapping[str, Any]
    key: list[Any] = field(default_factory=list[Any])
    shapes: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    has_objects: bool = False
    """Whether there are objects of users' classes that are made of attributes alone, or functions that others made."""
    seen: set[int] | None = None
    """The objects and containers met, by identity, where objects are told by their structure."""
    met: set[int] = field(default_factory=set[int])
    """The tuples, lists and dicts met so far."""
    open: set[int] = field(default_factory=set[int])
    """Those whose items are being examined, and objects whose attributes are."""
    met_again: int = 0

    @staticmethod
    def of(args: Sequence[Any], keywords: Mapping[str, Any]) -> Call:
        """Take a call apart. Raises OverflowError for ints past 64 bits."""
        call = Call(args, keywords)
        call._examine_all()
        return call

    def by_structure(self) -> Call | None:
        """The call with objects of users' classes told by their classes and attributes, as containers are, and
        functions by their code and what they hold; None where they cannot be: one is there twice, is large, or is the
        head of a long chain."""
        call = Call(self.args, self.keywords, ["structure"], seen=set())
        try:
            call._examine_all()
        except (_NotByStructureError, PastWordError, UnfitError):
            return None
        return call

    def _examine_all(self) -> None:
        for value in self.args:
            self.examine(value)
        for name in sorted(self.keywords):
            self.key.append(name)
            self.examine(self.keywords[name])

    def examine(self, value: Any) -> None:
        """Add a value to the key and shapes."""
        key = self.key
        cls = type(value)
        if cls in NUMBERS or cls in DTYPES:
            key.append(cls)
        elif isinstance(value, Tensor):
            self._array(cls, value._array)
        elif isinstance(value, np.ndarray):
            self._array(cls, cast("np.ndarray[Any, Any]", value))
        elif isinstance(value, np.generic) and value.dtype.kind in "biufc":
            key.append(cls)
        elif cls is list and (dtype := column_dtype(cast("list[Any]", value))) is not None:
            key += (list, dtype)
            self.shapes.append((len(cast("list[Any]", value)),))
        elif cls is list and (nesting := nesting_of(value)) is not None:
            key += (list, nesting)
            self.shapes += extents_of(value, nesting)
        elif cls is list and (strings := strings_of(value)) is not None:
            key += (list, strings)
            self.shapes.append((len(cast("list[Any]", value)),))
        elif isinstance(value, tuple | list) and (plain_class(cls) in (tuple, list) or hasattr(cls, "_fields")):
            items = cast("Sequence[Any]", value)
            key += (cls, len(items))
            self._each(value, items)
        elif plain_class(cls) is dict:
            entries = cast("dict[Any, Any]", value)
            key += (cls, *(_static_key(k) for k in entries))
            self._each(value, entries.values())
        elif is_generator(value):
            key.append(cls)
        elif (method := method_name(value)) is not None:
            key += (cls, method, type(cast("Any", value).__self__))
        elif is_plain_object(value):
            self.has_objects = True
            if self.seen is None:
                key.append(Identity(value))
            else:
                self._by_attributes(value, self.seen)
        elif (made := taken_apart(value)) is not None:
            self._in_parts(value, made)
        else:
            key.append(_static_key(value))

    def _in_parts(self, value: Any, made: Parts) -> None:
        self.has_objects = True
        if self.seen is None:
            self.key.append(_static_key(value))
            return
        self.key += made.kind
        self._by_parts(value, [part for _, part in made.parts], self.seen)

    def _each(self, container: Any, items: Iterable[Any]) -> None:
        """Examine what a container holds. Raises UnfitError if it is in itself, many are there many times, or they are
        nested deeply."""
        own = id(container)
        if own in self.open:
            raise UnfitError("an argument is a container that holds itself", "containers without cycles")
        if own in self.met:
            self.met_again += 1
            if self.met_again > _MOST_MET_AGAIN:
                message = "an argument holds the same containers again and again: each place would be compiled for"
                raise UnfitError(message, "an array, or an object that holds what is there many times")
        self.met.add(own)
        if len(self.open) >= _DEEPEST:
            raise UnfitError(f"an argument has containers nested over {_DEEPEST} deep", "a flat list, or an array")
        self.open.add(own)
        for item in items:
            self.examine(item)
        self.open.remove(own)

    def _by_attributes(self, value: Any, seen: set[int]) -> None:
        attributes = attributes_of(value)
        self.key += (type(value), tuple(attributes))
        self._by_parts(value, list(attributes.values()), seen)

    def _by_parts(self, value: Any, parts: Sequence[Any], seen: set[int]) -> None:
        for part in (value, *parts):
            if isinstance(part, list | dict | set) or part is value:
                if id(part) in seen or (part is not value and len(part) > _MOST_PARTS):
                    raise _NotByStructureError
                seen.add(id(part))
            elif type(part) is int:
                check_int(part)
        if len(parts) > _MOST_PARTS or len(self.open) >= _DEEPEST:
            raise _NotByStructureError
        self.open.add(id(value))
        for part in parts:
            self.examine(part)
        self.open.remove(id(value))

    def _array(self, cls: type, array: np.ndarray[Any, Any]) -> None:
        if self.seen is not None and issubclass(cls, Tensor) and cls is not Tensor:  # a Parameter is the one it is
            raise _NotByStructureError
        self.key += (cls, array.dtype, array.ndim, array.flags.c_contiguous, array.flags.aligned)
        self.shapes.append(array.shape)


_MOST_PARTS: Final = 32
"""The number of attributes of an object (variables of a function's closure), or of items of a list in it, up to which
it is told by its structure."""


def is_plain_object(value: Any) -> bool:
    """Whether an object is of a class whose objects compiled code makes, too, and has nothing but attributes."""
    cls = cast("type[Any]", type(value))
    return _is_plain_class(cls) and type(attribute_of(value, "__dict__", {})) is dict


@remembered
def _is_plain_class(cls: type) -> bool:
    from jitcore.passes.infer.engine.classes import objection

    return not issubclass(cls, type) and cls.__module__ != "builtins" and objection(cls) is None


def _static_key(value: Any) -> Any:
    cls = type(value)
    if cls in NUMBERS or isinstance(value, _BY_VALUE):
        return (cls, repr(value) if cls is float else value)
    if cls is MethodType:
        return (cls, Identity(value.__func__), Identity(value.__self__))
    if isinstance(value, slice):
        return (slice, *map(_static_key, (value.start, value.stop, value.step)))
    if isinstance(value, set):
        return (set, frozenset(cast("set[Any]", value)))
    return Identity(value)
