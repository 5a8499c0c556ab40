"""Compiled functions: which specialisation serves a call, when a new one is made, and what runs uncompiled.

A call's class (`arguments`) finds a group; in it the specialisations whose shapes, static values, guards and captured
inputs hold are tried, the latest first. The first call of a class is compiled for its exact extents; from the second extent
on, every extent that ever differed is symbolic.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from jitcore.config import PYNATIVE_MODE, STRICT, settings
from jitcore.primitives.library import Gradient, Transform
from jitcore.runtime import eager_transforms, gradients, hooks, records, tape
from jitcore.runtime.arguments import Call, PastWordError, Shapes, long_lists
from jitcore.runtime.errors import strip
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import leaves
from jitcore.source import NOWHERE, CompileError, InternalError, Problem
from jitcore.structs import dataclass, field
from jitcore.types import Shape, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.signature import Input
    from jitcore.runtime.regions import Regions
    from jitcore.runtime.specialisation import Specialisation

_MOST_SPECIALISATIONS = 64
"""Of one class: the ones that served least recently are dropped beyond this."""

_MOST_ITEMS = 512
"""Of lists that are compiled item by item."""

_MOST_ORDERS = 8
"""Of the names of a call's arguments given by name: calls with them in other orders beyond this are served in Python."""

_CYCLIC = "cyclic"
"""The class of calls with arguments that hold themselves."""

_F = TypeVar("_F", bound=Callable[..., Any])


class FallbackWarning(UserWarning):
    """A function could not be compiled and runs in the interpreter (jit_syntax_level=LAX)."""


@dataclass(slots=True, eq=False)
class _Group:
    """The specialisations of one class of calls."""

    first: Shapes
    varying: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    members: list[Specialisation] = field(default_factory=list["Specialisation"])
    fallback: CompileError | None = None
    driver: Callable[..., Any] | None = None
    """What the interpreter runs for a function that is compiled in part."""
    exact: bool = False
    """Whether every extent is compiled for: the program could not be without knowing them (`a, *b = x`)."""
    columns: bool = True
    """Whether long lists of numbers are passed as arrays, and not item by item."""

    def pattern(self, shapes: Shapes) -> tuple[Shape, ...]:
        """The extents to compile for: symbolic where calls have differed, but 1 stays 1."""
        for k, (known, shape) in enumerate(zip(self.first, shapes, strict=True)):
            self.varying.update((k, axis) for axis, n in enumerate(shape) if known[axis] != n)
        return tuple(
            tuple(fresh_symbol("n") if (k, axis) in self.varying and n != 1 else n for axis, n in enumerate(shape))
            for k, shape in enumerate(shapes)
        )


class CompiledFunction:
    """A callable that is compiled for the kinds of arguments it is called with.

    Its instances are of a native subclass, whose calls are served in machine code where that can be (`runtime.native`), and
    otherwise, as wherever there is no such class, by `__call__`.
    """

    if not TYPE_CHECKING:
        __slots__ = ()

        def __new__(cls, *_, **__):
            made = _function_class()
            return made.__new__(made)

    def __init__(
        self, function: Callable[..., Any], uncompiled: Callable[..., Any] | None = None, *, segment: bool = False
    ) -> None:
        # an attribute of the user's must not stand in for a method here
        self.__dict__.update({k: v for k, v in _attributes(function).items() if not hasattr(CompiledFunction, k)})
        functools.update_wrapper(self, function, updated=())
        self._function = function
        self._uncompiled = function if uncompiled is None else uncompiled
        """What runs in its place where it cannot be compiled."""
        self._groups: dict[Any, _Group] = {}
        self._structures: dict[Any, bool] = {}
        """The classes of calls whose objects are told by their structure, and whether that can be: from the second call on."""
        self._lock = threading.RLock()
        self._is_segment = segment

    @functools.cached_property
    def regions(self) -> Regions:
        """The parts of it that the interpreter runs, and those compiled between them."""
        from jitcore.runtime.regions import Regions

        return Regions(self._uncompiled, _segment, self._is_segment)

    @property
    def __jitcore_function__(self) -> Callable[..., Any]:
        """The function that is compiled: not among the attributes that `functools.wraps` copies to a wrapper."""
        return self._function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not settings.jit or tape.recording():
            return self.__jitcore_function__(*args, **keywords)
        try:
            return self.dispatch(args, keywords)
        except PastWordError as error:
            if not self._is_segment:
                raise self._past_word(error, args, keywords) from None
        except BaseException as error:
            strip(error)
            raise
        return self.regions.interpret(args, "an int is past 64 bits", "floats, or smaller ints")

    def _past_word(self, error: PastWordError, args: Sequence[Any], keywords: Mapping[str, Any]) -> OverflowError:
        """An int that is too large, with the argument that it is or is in."""
        try:
            given: Mapping[str, Any] = inspect.signature(self.__jitcore_function__).bind(*args, **keywords).arguments
        except (TypeError, ValueError):  # there is no signature, or the call does not fit it
            given = {**{str(k): value for k, value in enumerate(args)}, **keywords}
        where = next((name for name, value in given.items() if _holds(value, error.value)), None)
        return OverflowError(str(error) if where is None else f"argument {where}: {error}")

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {getattr(self.__jitcore_function__, '__qualname__', self.__jitcore_function__)!s}>"

    def __reduce__(self) -> Any:
        """By name, as a function; one that its name does not lead to by the function it compiles."""
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        name: str = getattr(self, "__qualname__", "")
        for part in name.split("."):
            found = getattr(found, part, None)
        return name if found is self else (CompiledFunction, (self.__jitcore_function__,))

    # --- serving a call -------------------------------------------------------------------------------

    def dispatch(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run the specialisation for a call, made if there is none."""
        try:
            call = Call.of(args, keywords)
        except RecursionError:
            return self._serve_cyclic(args, keywords)
        key, shapes = tuple(call.key), tuple(call.shapes)
        group = self._groups.get(key)
        if group is not None:
            if group.fallback is not None and settings.jit_syntax_level != STRICT:
                return self._interpret(group, args, keywords)
            for member in group.members:
                if member.fits(shapes):
                    found = member.inputs(args, keywords)
                    if found is not None:
                        if keywords:
                            self._publish(member, args, keywords)
                        return self._run(member, found, args, keywords)
        elif call.has_objects:
            served = self._served_by_structure(call, args, keywords)
            if served is not None:
                return self._run(*served, args, keywords)
        return self._first_call(key, shapes, args, keywords)

    def _served_by_structure(
        self, call: Call, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """What serves a call with other objects than were met so far, of the same classes: a specialisation that goes by what
        they hold, if the function does not depend on which they are."""
        structured = call.by_structure()
        if structured is None:
            return None
        key, shapes = tuple(structured.key), tuple(structured.shapes)
        if not self._structures.get(key, False):
            self._structures.setdefault(key, True)  # the first of its class is compiled as the object it is
            return None
        with self._lock:
            group = self._groups.setdefault(key, _Group(shapes))
            member, found = self._served_meanwhile(group, shapes, args, keywords)
            if member is None:
                try:
                    member, found = self._specialise(group, shapes, args, keywords, by_structure=True)
                except CompileError:
                    self._structures[key] = False
                    if not group.members:
                        del self._groups[key]
                    return None
        return member, found

    def _first_call(self, key: Any, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if self._is_segment:
            from jitcore.runtime.regions import past_compiling

            why = past_compiling(key, self._groups, len(self._groups), args)
            if why is not None:
                return self.regions.interpret(args, *why)
        with self._lock:
            group = self._groups.setdefault(key, _Group(shapes))
            member, found = self._served_meanwhile(group, shapes, args, keywords)
            if member is None:
                try:
                    member, found = self._specialise(group, shapes, args, keywords)
                except CompileError as error:
                    if settings.jit_syntax_level == STRICT:
                        raise
                    self._fall_back(group, error)
        if member is None or found is None:
            return self._interpret(group, args, keywords)
        return self._run(member, found, args, keywords)

    def _run(self, member: Specialisation, found: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        from jitcore.runtime.specialisation import InterpretedError

        try:
            return member.run(found)
        except InterpretedError:
            pass
        return self._uncompiled(*args, **keywords)

    def _serve_cyclic(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run a call with an argument that holds itself, for which nothing can be compiled."""
        error = CompileError(
            [Problem(NOWHERE, "an argument is a container that holds itself", "containers without cycles")]
        )
        if settings.jit_syntax_level == STRICT:
            raise error
        group = self._groups.get(_CYCLIC)
        if group is None:
            group = self._groups[_CYCLIC] = _Group((), fallback=error)
            warnings.warn(f"{self!r} runs in the interpreter: {error}", FallbackWarning, stacklevel=_user_level())
        return self._interpret(group, args, keywords)

    def _interpret(self, group: _Group, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run what cannot be compiled in the interpreter, its segments excepted."""
        if group.driver is None:
            return self._uncompiled(*args, **keywords)
        try:
            return group.driver(*args, **keywords)
        finally:
            if not self._is_segment:
                self._tell_regions()

    def _tell_regions(self) -> None:
        name = getattr(self.__jitcore_function__, "__qualname__", repr(self.__jitcore_function__))
        notice = self.regions.notice(name)
        if notice is not None:
            warnings.warn(notice, FallbackWarning, stacklevel=_user_level())

    def _served_meanwhile(
        self, group: _Group, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation | None, Any]:
        """Another thread may have compiled it while this one waited."""
        for member in group.members:
            found = member.inputs(args, keywords) if member.fits(shapes) else None
            if found is not None:
                return member, found
        return None, None

    def _fall_back(self, group: _Group, error: CompileError) -> None:
        group.fallback, group.driver = error, self.regions.driver(error)
        if group.driver is not None:
            return  # told when it has run, and all its regions are known
        name = getattr(self.__jitcore_function__, "__qualname__", repr(self.__jitcore_function__))
        message = f"{name} runs in the interpreter: {error}"
        warnings.warn(message, FallbackWarning, stacklevel=_user_level())

    # --- making a specialisation ----------------------------------------------------------------------

    def _specialise(
        self,
        group: _Group,
        shapes: Shapes,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        *,
        by_structure: bool = False,
    ) -> tuple[Specialisation, Any]:
        reason = _reason(group, shapes, args, keywords)
        pattern = shapes if group.exact else group.pattern(shapes)
        member, found = self._made_somehow(group, pattern, shapes, reason, args, keywords, by_structure)
        if not member.fits(shapes):  # a computed extent is 1, and broadcasts: a case of its own
            member, found = self._made(
                member.exact(shapes), reason, args, keywords, by_structure, columns=group.columns
            )
        group.members.insert(0, member)
        del group.members[_MOST_SPECIALISATIONS:]
        if not by_structure:
            self._publish(member, args, keywords)
        return member, found

    def _made_somehow(
        self,
        group: _Group,
        pattern: tuple[Shape, ...],
        shapes: Shapes,
        reason: str,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        by_structure: bool,
    ) -> tuple[Specialisation, Any]:
        """A specialisation for extents like these; for just these, or for lists item by item, if there can be no other."""
        try:
            return self._made(pattern, reason, args, keywords, by_structure, columns=group.columns)
        except CompileError:
            most = max(map(len, long_lists((*args, *keywords.values()))), default=0)
            by_items = group.columns and 0 < most <= _MOST_ITEMS
            if pattern == shapes and not by_items:
                raise
        reason = f"extents {shapes}: it cannot be compiled without knowing them"
        if pattern != shapes:
            try:
                made = self._made(shapes, reason, args, keywords, by_structure, columns=group.columns)
            except CompileError:
                if not by_items:
                    raise
            else:
                group.exact = True
                return made
        made = self._made(shapes, reason, args, keywords, by_structure, columns=False)
        group.exact, group.columns = True, False
        return made

    def _made(
        self,
        pattern: tuple[Shape, ...],
        reason: str,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        by_structure: bool,
        *,
        columns: bool = True,
    ) -> tuple[Specialisation, Any]:
        """A specialisation for arrays of these extents, and its inputs in this call. `columns`: with long lists as arrays."""
        from jitcore.runtime.descriptions import describe, require_aligned, require_new_containers
        from jitcore.runtime.specialisation import (
            Specialisation,
            overlaps_of,
            require_different_containers,
            resolve,
        )

        rest: Iterator[Shape] = iter(pattern)
        how = {"by_structure": by_structure, "columns": columns}
        described = [describe(a, rest, **how) for a in args]
        named = {k: describe(keywords[k], rest, **how) for k in sorted(keywords)}
        made, objects = self._compile(described, named, args, keywords)
        require_aligned(made.inferred.inputs, objects)
        require_different_containers(made.inferred, args, keywords)
        if self._is_segment:
            require_new_containers(made.inferred)
        statics = tuple((p, resolve(p, args, keywords)) for p in made.inferred.static_paths)
        member = Specialisation(made, pattern, statics, overlaps_of(objects), reason)
        found = member.inputs(args, keywords)
        if found is None:
            raise InternalError(f"{self!r}: what was compiled does not hold for the call it was compiled for")
        return member, found

    def _compile(
        self, described: Sequence[Any], named: Mapping[str, Any], args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        from jitcore.runtime import compile as driver
        from jitcore.runtime.descriptions import describe_captured
        from jitcore.runtime.specialisation import objects_of, overlaps_of

        def overlaps(inputs: Sequence[Input]) -> Sequence[frozenset[int]]:
            return overlaps_of(objects_of(inputs, args, keywords))

        try:
            made = driver.compile_call(self.__jitcore_function__, described, named, describe_captured, overlaps)
        except (CompileError, InternalError):
            raise
        except Exception as error:
            raise InternalError(f"{self!r} could not be compiled: {type(error).__name__}: {error}") from error
        return made, objects_of(made.inferred.inputs, args, keywords)

    def _publish(self, member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        """Have calls like this one, names in this order, that a specialisation is for served in machine code."""
        names = tuple(keywords)
        if names in member.entries or len(member.entries) >= _MOST_ORDERS:
            return
        from jitcore.backends.llvm.call_entry import Table
        from jitcore.runtime import native

        made = native.calls(CompiledFunction, CompiledFunction.__call__)
        if made is None:
            return
        with self._lock:
            member.entries[names] = native.entry_of(member, args, keywords)
            members = (m for group in reversed(self._groups.values()) for m in group.members)
            made.publish(self, Table([e for m in members for e in m.entries.values() if e is not None]))

    # --- looking inside -------------------------------------------------------------------------------

    @property
    def specialisations(self) -> list[Specialisation]:
        """What was compiled."""
        return [member for group in self._groups.values() for member in group.members]

    @property
    def interpreted(self) -> int:
        """How many classes of calls the interpreter serves, or a part of each."""
        return sum(group.fallback is not None for group in self._groups.values())

    def explain(self) -> str:
        """What was compiled, why, how often it was called, and what runs in the interpreter."""
        name = getattr(self.__jitcore_function__, "__qualname__", repr(self.__jitcore_function__))
        lines = [f"{name}: {len(self.specialisations)} specialisations"]
        for group in self._groups.values():
            if group.fallback is not None and group.driver is None:
                lines.append(f"  in the interpreter: {group.fallback}")
            for member in reversed(group.members):
                inputs = member.compilation.inferred.inputs
                signature = ", ".join(f"{_path_text(i.path)}: {i.type!r}" for i in inputs)
                lines.append(f"  ({signature})")
                lines.append(f"    {member.reason}; called {member.calls} times")
                lines += [f"    compiled for {_path_text(p)} = {v!r}" for p, v in member.statics]
        lines += self.regions.explain()
        return "\n".join(lines)


def _segment(function: Callable[..., Any]) -> CompiledFunction:
    return CompiledFunction(function, segment=True)


class _PlainFunction(CompiledFunction):
    """Where native calls are not possible."""

    if not TYPE_CHECKING:

        def __new__(cls, *_, **__):
            return object.__new__(cls)


@functools.cache
def _function_class() -> type[CompiledFunction]:
    from jitcore.runtime import native

    made = native.calls(CompiledFunction, CompiledFunction.__call__)
    return _PlainFunction if made is None else made.type


def _attributes(function: Callable[..., Any]) -> Mapping[str, Any]:
    return getattr(function, "__dict__", {})


def _holds(value: Any, wanted: int) -> bool:
    """Whether a value is this int, or has it in it."""
    return any(leaf is wanted for leaf in leaves(value))


def _reason(group: _Group, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """Why a specialisation is made."""
    if not group.members:
        return "the first call with arguments of these types"
    if not any(member.fits(shapes) for member in group.members):
        for k, (known, shape) in enumerate(zip(group.first, shapes, strict=True)):
            for axis, n in enumerate(shape):
                if known[axis] != n and (k, axis) not in group.varying:
                    return f"axis {axis} of array {k} had extent {known[axis]}, now {n}: it is symbolic from here on"
        return f"extents {shapes}: an extent of 1 is compiled for itself"
    return _broken(group.members[0], args, keywords)


def _broken(member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """What no longer holds of a specialisation whose shapes fit."""
    from jitcore.passes.infer.forms import equal_statics
    from jitcore.runtime.specialisation import Unresolved, resolve

    held = [*member.statics, *((g.path, g.expected) for g in member.compilation.inferred.guards)]
    for path, value in held:
        try:
            now = resolve(path, args, keywords)
        except (Unresolved, KeyError):
            return f"{_path_text(path)} is not there any more"
        if not equal_statics(now, value):
            return f"{_path_text(path)} was {value!r}, now {now!r}"
    return "what it reads besides its arguments is of another type, or arguments share memory in another way"


def _path_text(path: Any) -> str:
    start = {"arg": 1, "global": 2, "free": 2}.get(path[0], 0)
    text = str(path[start]) if path[0] != "arg" else f"argument {path[1]}"
    for step in path[start + 1 :]:
        if isinstance(step, tuple):
            kind, key = cast("tuple[str, Any]", step)
            text += f".{key}" if kind == "attr" else f"[{key!r}]"
    return text


def _user_level() -> int:
    """How many frames up the user's code is, as `warnings.warn` counts."""
    import sys

    from jitcore.runtime.errors import is_ours

    level, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    return level


# --- the public decorators ----------------------------------------------------------------------------


def jit(fn: Any = None) -> Any:
    """Compile a function: `@jit`, or `jit(f)`. It is compiled in both modes, for each kind of arguments it is called with.

    `f.explain()` says what was compiled and why; `f.__wrapped__` is the plain function.

    >>> from jitcore import Tensor
    >>> @jit
    ... def double(x):
    ...     return x * 2
    >>> print(double(Tensor([1.0, 2.0])))
    [2. 4.]
    """
    if fn is None:
        return jit
    if isinstance(fn, CompiledFunction):
        return fn
    if not callable(fn):
        raise TypeError(f"jit compiles functions, not {type(fn).__name__}")
    if isinstance(fn, type):
        raise TypeError("jit compiles functions and Cells, not classes")
    records.declare(fn)
    return CompiledFunction(fn)


jit.__dict__["__jitcore_compiles__"] = True
ms_function = jit


# --- Cells and gradients ------------------------------------------------------------------------------


def call_cell(cell: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call a Cell: compiled in GRAPH_MODE, line by line in PYNATIVE_MODE and where a gradient is being recorded."""
    if settings.mode == PYNATIVE_MODE or not settings.jit or tape.recording():
        if tape.recording() and hasattr(type(cell), "bprop"):
            from jitcore.runtime import custom

            used = getattr(cell, "used_bprop_inputs", None)
            weights = getattr(cell, "internal_params", ())
            return custom.call(cell.construct, cell.bprop, args, keywords, used, weights)
        return cell.construct(*args, **keywords)
    if hooks.exist() and hooks.any_of(
        itertools.chain((leaf for arg in args for leaf in leaves(arg)), cell.get_parameters())
    ):
        return cell.construct(*args, **keywords)  # gradients that it takes would not call them
    compiled: CompiledFunction | None = cell.__dict__.get("_compiled")
    own = cell.__dict__.get("construct")
    construct = type(cell).construct if own is None else own
    function = construct.__jitcore_function__ if isinstance(construct, CompiledFunction) else construct
    if compiled is None or compiled.__jitcore_function__ is not function:
        compiled = cell.__dict__["_compiled"] = CompiledFunction(function)
    return compiled(cell, *args, **keywords) if own is None else compiled(*args, **keywords)


def call_gradient(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call a gradient function: compiled in GRAPH_MODE, under a tape in PYNATIVE_MODE.

    A tape follows Tensors only: in PYNATIVE_MODE too, gradients by Python numbers and ndarrays are compiled.
    """
    request: Gradient = function.__jitcore_gradient__
    if tape.recording() or not settings.jit or (settings.mode == PYNATIVE_MODE and _on_tensors(request, args)):
        return gradients.evaluate(request, args, keywords)
    if hooks.any_of(leaf for arg in (*args, request.weights or ()) for leaf in leaves(arg)):
        return gradients.evaluate(request, args, keywords)
    return _compiled_gradient(_GradientKey(request))(function, *args, **keywords)


def _on_tensors(request: Gradient, args: Sequence[Any]) -> bool:
    chosen = args if request.positions is None else [args[k] for k in request.positions if -len(args) <= k < len(args)]
    return all(isinstance(leaf, Tensor) for arg in chosen for leaf in leaves(arg)) or request.positions is None


@dataclass(frozen=True, slots=True, eq=False)
class _GradientKey:
    """A request by what it asks for, so that equal ones share their compiled code."""

    request: Gradient

    def _parts(self) -> tuple[Any, ...]:
        r = self.request
        weights = None if r.weights is None else tuple(map(id, r.weights))
        return (
            r.function,
            r.positions,
            r.single,
            weights,
            r.with_value,
            r.has_aux,
            r.sens,
            r.integers,
            r.single_weight,
            r.numbers,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _GradientKey) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


def _call_it(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, **keywords)


def _on_tape(function: Any, *args: Any, **keywords: Any) -> Any:
    return gradients.evaluate(function.__jitcore_gradient__, args, keywords)


@functools.lru_cache(maxsize=256)
def _compiled_gradient(key: _GradientKey) -> CompiledFunction:
    del key  # it makes the difference between one and another
    return CompiledFunction(_call_it, _on_tape)


# --- other transforms ---------------------------------------------------------------------------------


def call_transform(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call what a transform makes: compiled, or computed by eager operators where a gradient is being recorded."""
    request: Transform = function.__jitcore_transform__
    if tape.recording() or not settings.jit:
        return eager_transforms.evaluate(request, args, keywords)
    return _compiled_transform(request.key())(function, *args, **keywords)


def _transform_uncompiled(function: Any, *args: Any, **keywords: Any) -> Any:
    return eager_transforms.evaluate(function.__jitcore_transform__, args, keywords)


@functools.lru_cache(maxsize=256)
def _compiled_transform(key: tuple[Any, ...]) -> CompiledFunction:
    del key  # it makes the difference between one and another
    return CompiledFunction(_call_it, _transform_uncompiled)
