"""Compiled functions: which specialisation serves a call, when a new one is made, and what runs uncompiled.

A call's class (`arguments`) finds a group; in it the specialisations whose shapes, static values, guards and captured
inputs hold are tried, the latest first. The first call of a class is compiled for its exact extents; from the second
extent on, every extent that ever differed is symbolic.
"""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeVar

from jitcore.config import STRICT, settings
from jitcore.forking import process_lock
from jitcore.lookup import attribute_of, has_attribute
from jitcore.primitives.core import constructing
from jitcore.runtime import records, region_models, tape
from jitcore.runtime.arguments import Call, PastWordError, Shapes, UnfitError, long_lists
from jitcore.runtime.errors import strip
from jitcore.runtime.foreign import Given, as_they_came, call_standing_in, standing_for
from jitcore.runtime.interrupts import carried, is_from_handler
from jitcore.runtime.known_values import KnownValues
from jitcore.runtime.notices import FallbackWarning, reason_for, told, user_level, warn_of_loops
from jitcore.runtime.trees import distinct_leaves
from jitcore.source import NOWHERE, CompileError, InternalError, Problem, Span, TooDearError
from jitcore.structs import dataclass, field, replace
from jitcore.types import Shape, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.signature import Input
    from jitcore.runtime.regions import Regions
    from jitcore.runtime.specialisation import Specialisation

_MOST_SPECIALISATIONS = 64
"""Of one class: the ones that served least recently are dropped beyond this."""

_MOST_ITEMS = 512
"""Of lists that are compiled item by item."""

_MOST_ORDERS = 8
"""Of the names of a call's arguments given by name: calls with them in other orders beyond this are served in
Python."""

_MOST_DEAR = 2
"""Classes of calls that a function may prove too dear to compile for: further ones are not tried."""

_MOST_CLASSES = 128
"""Of calls that a function is compiled for, or known to be interpreted for: beyond it, those go that served least
recently."""
_MOST_IN_ALL = 256
"""Specialisations, over all classes."""

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(slots=True, eq=False)
class _Group:
    """The specialisations of one class of calls."""

    first: Shapes
    varying: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    members: list[Specialisation] = field(default_factory=list["Specialisation"])
    fallback: CompileError | None = None
    driver: Callable[..., Any] | None = None
    """What the interpreter runs for a function that is compiled in part."""
    interpreted: int = 0
    """How many calls the interpreter has served."""
    served: int = 1
    """How many calls had been served when it was last asked whether the class is still of use: one that served one is
    not."""
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

    Its instances are of a native subclass, whose calls are served in machine code where that can be (`runtime.native`),
    and otherwise, as wherever there is no such class, by `__call__`.
    """

    if not TYPE_CHECKING:
        __slots__ = ()

        def __new__(cls, *_, **__):
            made = _function_class()
            return made.__new__(made)

    def __init__(
        self,
        function: Callable[..., Any],
        uncompiled: Callable[..., Any] | None = None,
        *,
        segment: bool = False,
        share: int = 1,
        by_mode: bool = False,
    ) -> None:
        # an attribute of the user's must not stand in for a method here
        self.__dict__.update({k: v for k, v in _attributes(function).items() if not hasattr(CompiledFunction, k)})
        for name in (n for n in functools.WRAPPER_ASSIGNMENTS if has_attribute(function, n)):
            setattr(self, name, attribute_of(function, name))
        self.__wrapped__ = function
        self._function = function
        self._uncompiled = function if uncompiled is None else uncompiled
        """What runs in its place where it cannot be compiled."""
        self._groups: dict[Any, _Group] = {}
        self._structures: dict[Any, bool] = {}
        """The classes of calls whose objects are told by their structure, and whether that can be: from the second call
        on."""
        self._known = KnownValues()
        self._lock = process_lock()
        self._is_segment = segment
        self._is_by_mode = by_mode
        """Whether it is compiled for the mode, which need be nobody's choice, and not because it was asked for."""
        self._made_from = _parts_of(function)
        self._warned = False
        self._told_loops: set[tuple[str, int]] = set()
        """The lines of loops that call Python of which the user has been told."""
        self._share = share
        """Compiling it may do so small a part of the work that a whole function may (`infer.budget`)."""
        self._work = 0
        """Of all its compilations."""

    @functools.cached_property
    def regions(self) -> Regions:
        """The parts of it that the interpreter runs, and those compiled between them."""
        from jitcore.runtime.regions import Regions

        return Regions(self._uncompiled, _segment, self._is_segment, self._share)

    @property
    def __jitcore_function__(self) -> Callable[..., Any]:
        """The function that is compiled: not among the attributes that `functools.wraps` copies to a wrapper."""
        return self._function

    @property
    def _name(self) -> str:
        """What users know the function by."""
        return attribute_of(self.__jitcore_function__, "__qualname__", repr(self.__jitcore_function__))

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not settings.jit or tape.recording():
            if settings.jit and not (self._is_segment or self._is_by_mode):
                constructing.vet(self, args, keywords)
            return self.__jitcore_function__(*args, **keywords)
        try:
            given = None if self._is_segment else Given.of(args, keywords)
            return self.dispatch(args, keywords) if given is None else call_standing_in(self, given)
        except PastWordError as error:
            if not self._is_segment:
                raise self._past_word(error, args, keywords) from None
        except BaseException as error:
            strip(error)
            worded = constructing.worded(CompiledFunction, error, called=self, args=args, keywords=keywords)
            if worded is error or self._is_segment or self._is_by_mode:
                raise
            raise worded from None
        return self.regions.interpret(args, "an int is past 64 bits", "floats, or smaller ints")

    _call_slowly = __call__
    """What native calls that are not served call."""

    def _past_word(self, error: PastWordError, args: Sequence[Any], keywords: Mapping[str, Any]) -> OverflowError:
        """An int that is too large, with the argument that it is or is in."""
        try:
            given: Mapping[str, Any] = inspect.signature(self.__jitcore_function__).bind(*args, **keywords).arguments
        except (TypeError, ValueError) as failed:  # there is no signature, or the call does not fit it
            if is_from_handler(failed):
                raise
            given = {**{str(k): value for k, value in enumerate(args)}, **keywords}
        where = next((name for name, value in given.items() if _holds(value, error.value)), None)
        return OverflowError(str(error) if where is None else f"argument {where}: {error}")

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {self._name}>"

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
        if any(a is not b for a, b in zip(_parts_of(self._function), self._made_from, strict=True)):
            self._start_anew()
        try:
            call = Call.of(args, keywords)
        except UnfitError as error:
            return self._serve_unfit(error, args, keywords)
        except RecursionError as error:
            if is_from_handler(error):
                raise
            deep = UnfitError("an argument's containers are nested too deeply", "containers in an array, or in objects")
            return self._serve_unfit(deep, args, keywords)
        given = standing_for(args)
        key, shapes = (*call.key, *(() if given is None else ("stand-ins", given.attributes))), tuple(call.shapes)
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

    def _start_anew(self) -> None:
        """The function was given other code or defaults: nothing that was made of it, or split off it, is of use."""
        with self._lock:
            self._made_from = _parts_of(self._function)
            self._groups.clear()
            self._structures.clear()
            self.__dict__.pop("regions", None)

    def _served_by_structure(
        self, call: Call, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """What serves a call with other objects than were met so far, of the same classes: a specialisation that goes
        by what they hold, if the function does not depend on which they are."""
        structured = call.by_structure()
        if structured is None:
            return None
        key, shapes = tuple(structured.key), tuple(structured.shapes)
        if not self._structures.get(key, False):
            self._structures.setdefault(key, True)  # the first of its class is compiled as the object it is
            return None
        return carried(lambda: self._structured(key, shapes, args, keywords))

    def _structured(
        self, key: Any, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """What serves a call by what its objects hold, made if there is none; None where there can be none."""
        with self._lock:
            group = self._group(key, shapes)
            member, found = self._served_meanwhile(group, shapes, args, keywords)
            if member is None:
                try:
                    member, found = self._specialise(group, shapes, args, keywords, by_structure=True)
                except CompileError:
                    self._structures[key] = False
                    if not group.members:
                        del self._groups[key]
                    return None
        if keywords:
            self._publish(member, args, keywords, by_structure=True)
        return member, found

    def _first_call(self, key: Any, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        self._require_parsed()
        if self._is_segment:
            from jitcore.runtime.regions import past_compiling

            why = past_compiling(key, self._groups, len(self._groups), args, self._work)
            if why is not None:
                return self.regions.interpret(args, *why)
        group, member, found = carried(lambda: self._compiled_or_refused(key, shapes, args, keywords))
        if member is None or found is None:
            return self._interpret(group, args, keywords)
        return self._run(member, found, args, keywords)

    def _require_parsed(self) -> None:
        """Raise what the rules of another framework, if any are followed, say to the function's source."""
        from jitcore.passes.infer.dialect import source_refused
        from jitcore.runtime.compile import plain_function

        if self._is_judged() and not self._is_segment:
            refused = source_refused(plain_function(self.__jitcore_function__))
            if refused is not None:
                raise refused

    def _is_judged(self) -> bool:
        """Whether another framework, if its rules are followed, would compile it too: where the mode says so, it must
        have been chosen."""
        return not self._is_by_mode or settings.was_chosen("mode")

    def _compiled_or_refused(
        self, key: Any, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[_Group, Specialisation | None, Any]:
        """The group of a class of calls, and the specialisation that serves this one, made if there is none; or none,
        and it is noted why the interpreter serves it."""
        with self._lock:
            group = self._group(key, shapes)
            member, found = self._served_meanwhile(group, shapes, args, keywords)
            if member is None and not self._is_too_dear(group):
                try:
                    member, found = self._specialise(group, shapes, args, keywords)
                except CompileError as error:
                    if settings.jit_syntax_level == STRICT:
                        raise
                    self._fall_back(group, error)
        return group, member, found

    def _group(self, key: Any, shapes: Shapes) -> _Group:
        """The specialisations of a class of calls. Of too many classes, those go that served no call since they were
        last asked, the oldest first."""
        found = self._groups.get(key)
        if found is not None:
            return found
        while len(self._groups) >= _MOST_CLASSES or len(self.specialisations) >= _MOST_IN_ALL:
            oldest = next(iter(self._groups))
            group = self._groups.pop(oldest)
            served = group.interpreted + sum(member.calls for member in group.members)
            if served != group.served:
                group.served = served
                self._groups[oldest] = group
        while len(self._structures) > 2 * _MOST_CLASSES:
            del self._structures[next(iter(self._structures))]
        made = self._groups[key] = _Group(shapes)
        return made

    def _is_too_dear(self, group: _Group) -> bool:
        """Whether a new class of calls is served as others are for which compiling took too long."""
        known = [g for g in self._groups.values() if isinstance(g.fallback, TooDearError)]
        if len(known) < _MOST_DEAR or settings.jit_syntax_level == STRICT:
            return False
        group.fallback, group.driver = known[0].fallback, known[0].driver
        return True

    def _run(self, member: Specialisation, found: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        from jitcore.runtime.specialisation import InterpretedError

        try:
            return member.run(found)
        except InterpretedError:
            pass
        args, keywords = as_they_came(args, keywords)
        return self._uncompiled(*args, **keywords)

    def _serve_unfit(self, unfit: UnfitError, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run a call with an argument of which nothing can be compiled."""
        error = self._placed(CompileError([Problem(NOWHERE, unfit.problem, unfit.hint)]))
        if settings.jit_syntax_level == STRICT:
            raise error
        group = self._groups.get(unfit.problem)
        if group is None:
            group = self._groups[unfit.problem] = _Group((), fallback=error)
            self._warn(f"{self!r} runs in the interpreter: {error}")
        return self._interpret(group, args, keywords)

    def _interpret(self, group: _Group, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run what cannot be compiled in the interpreter, its segments excepted."""
        args, keywords = as_they_came(args, keywords)
        group.interpreted += 1
        if group.driver is None:
            return self._uncompiled(*args, **keywords)
        try:
            return group.driver(*args, **keywords)
        finally:
            if not self._is_segment:
                self._tell_regions()

    def _tell_regions(self) -> None:
        notice = self.regions.notice(self._name)
        if notice is not None:
            self._warn(notice)

    def _warn(self, message: str) -> None:
        """Say that the interpreter runs this function, in part or whole: once, what comes up later is in
        `explain()`."""
        if not self._warned:
            self._warned = True
            warnings.warn(message, FallbackWarning, stacklevel=user_level())

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
        self._warn(f"{self._name} runs in the interpreter: {error}")

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
        reason = reason_for(group.first, group.varying, group.members, shapes, args, keywords)
        self._known.look(group.members[:1], args, keywords)
        pattern = shapes if group.exact else group.pattern(shapes)
        member, found = self._made_somehow(group, pattern, shapes, reason, args, keywords, by_structure)
        if not member.fits(shapes):  # a computed extent is 1, and broadcasts: a case of its own
            member, found = self._made(
                member.exact(shapes), reason, args, keywords, by_structure, columns=group.columns
            )
        group.members.insert(0, member)
        del group.members[_MOST_SPECIALISATIONS:]
        self._publish(member, args, keywords, by_structure)
        warn_of_loops(self._name, member, self._told_loops)
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
        """A specialisation for extents like these; for just these, or for lists item by item, if there can be no
        other."""
        try:
            return self._made(pattern, reason, args, keywords, by_structure, columns=group.columns)
        except TooDearError:
            raise
        except CompileError:
            most = max(map(len, long_lists((*args, *keywords.values()))), default=0)
            by_items = group.columns and 0 < most <= _MOST_ITEMS
            if pattern == shapes and not by_items:
                raise
        reason = f"extents {shapes}: it cannot be compiled without knowing them"
        if pattern != shapes:
            try:
                made = self._made(shapes, reason, args, keywords, by_structure, columns=group.columns)
            except CompileError as error:
                if not by_items or isinstance(error, TooDearError):
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
        """A specialisation for arrays of these extents, and its inputs in this call. `columns`: with long lists as
        arrays."""
        from jitcore.runtime.compile import reader
        from jitcore.runtime.descriptions import describe, require_aligned, require_new_containers
        from jitcore.runtime.specialisation import (
            Specialisation,
            overlaps_of,
            require_different_containers,
            resolve,
        )

        rest: Iterator[Shape] = iter(pattern)
        how: dict[str, Any] = {"columns": columns}
        if by_structure:
            how["by_structure"] = reader(self._is_judged())
        try:
            described = [describe(a, rest, **how) for a in args]
            named = {k: describe(keywords[k], rest, **how) for k in sorted(keywords)}
            made, objects = self._compile(described, named, args, keywords)
            require_aligned(made.inferred.inputs, objects)
            require_different_containers(made.inferred, args, keywords)
            if self._is_segment:
                require_new_containers(made.inferred)
        except CompileError as error:
            raise self._placed(error) from None
        statics = tuple((p, resolve(p, args, keywords)) for p in made.inferred.static_paths)
        member = Specialisation(made, pattern, statics, overlaps_of(objects), reason)
        self._known.note(member)
        found = member.inputs(args, keywords)
        if found is None:
            raise InternalError(f"{self!r}: what was compiled does not hold for the call it was compiled for")
        return member, found

    def _placed(self, error: CompileError) -> CompileError:
        """What is refused of a call's arguments stands at the function that they are given to."""
        if all(p.span is not NOWHERE for p in error.problems) or isinstance(error, TooDearError):
            return error
        code = attribute_of(self.__jitcore_function__, "__code__", None)
        if code is None:
            return error
        line = code.co_firstlineno
        span = Span(code.co_filename, line, 0, line, 0, code.co_name)
        return CompileError([replace(p, span=span) if p.span is NOWHERE else p for p in error.problems], error.headline)

    def _compile(
        self, described: Sequence[Any], named: Mapping[str, Any], args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Any, list[Any]]:
        from jitcore.passes.infer.budget import LIMIT, Budget
        from jitcore.passes.infer.dialect import RefusedError
        from jitcore.runtime import compile as driver
        from jitcore.runtime.descriptions import describe_captured, describe_own
        from jitcore.runtime.specialisation import objects_of, overlaps_of

        def overlaps(inputs: Sequence[Input]) -> Sequence[frozenset[int]]:
            return overlaps_of(objects_of(inputs, args, keywords))

        budget = Budget(LIMIT // self._share)
        given = standing_for(args)
        describe = describe_own if self._is_segment else describe_captured
        try:
            made = driver.compile_call(
                self.__jitcore_function__, described, named, describe, overlaps,
                knows_strings=self._known.may_know_strings, knows_numbers=self._known.may_know_numbers,
                changing=frozenset(self._known.changing), budget=budget,
                attributes=None if given is None else given.attributes, judged=self._is_judged(),
            )  # fmt: skip
        except (CompileError, InternalError, PastWordError):
            raise
        except RefusedError as refused:
            raise refused.error from None
        except Exception as error:
            raise InternalError(f"{self!r} could not be compiled: {type(error).__name__}: {error}") from error
        finally:
            self._work += budget.total
        return made, objects_of(made.inferred.inputs, args, keywords)

    def _publish(
        self, member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any], by_structure: bool = False
    ) -> None:
        """Have calls like this one, names in this order, that a specialisation is for served in machine code."""
        names = tuple(keywords)
        if names in member.entries or len(member.entries) >= _MOST_ORDERS:
            return
        from jitcore.runtime import native

        made = native.calls(CompiledFunction)
        if made is None:
            return
        with self._lock:
            member.entries[names] = native.entry_of(member, args, keywords, by_structure=by_structure)
            members = (m for group in reversed(self._groups.values()) for m in group.members)
            made.publish(self, [e for m in members for e in m.entries.values() if e is not None])

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
        lines = [f"{self._name}: {len(self.specialisations)} specialisations"]
        for group in self._groups.values():
            if group.fallback is not None and group.driver is None:
                lines.append(f"  in the interpreter: {group.fallback}")
        lines += told([member for group in self._groups.values() for member in reversed(group.members)])
        lines += self.regions.explain()
        return "\n".join(lines)


def _segment(function: Callable[..., Any], share: int) -> CompiledFunction:
    return CompiledFunction(function, segment=True, share=share)


class _PlainFunction(CompiledFunction):
    """Where native calls are not possible."""

    if not TYPE_CHECKING:

        def __new__(cls, *_, **__):
            return object.__new__(cls)


region_models.compiled.model(CompiledFunction)


@functools.cache
def begin() -> None:
    """Something will be compiled soon, it seems: make meanwhile what takes long and every compiled function needs."""
    from jitcore.runtime import native

    native.begin()


@functools.cache
def _function_class() -> type[CompiledFunction]:
    from jitcore.runtime import native

    made = carried(lambda: native.calls(CompiledFunction))
    return _PlainFunction if made is None else made.type


def _parts_of(function: Any) -> tuple[Any, Any, Any]:
    """What can be assigned to of a function that changes what it does."""
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        return None, None, None
    return plain.__code__, plain.__defaults__, plain.__kwdefaults__


def _attributes(function: Callable[..., Any]) -> Mapping[str, Any]:
    return attribute_of(function, "__dict__", {})


def _holds(value: Any, wanted: int) -> bool:
    """Whether a value is this int, or has it in it."""
    return any(leaf is wanted for leaf in distinct_leaves(value))


# --- the public decorators ----------------------------------------------------------------------------


def jit(fn: Any = None, **options: Any) -> Any:
    """Compile a function: `@jit`, or `jit(f)`. It is compiled in both modes, for each kind of arguments it is called
    with.

    `f.explain()` says what was compiled and why; `f.__wrapped__` is the plain function. There are no options: the
    TypeError for those of other compilers says what to use instead.

    >>> from jitcore import Tensor
    >>> @jit
    ... def double(x):
    ...     return x * 2
    >>> print(double(Tensor([1.0, 2.0])))
    [2. 4.]
    """
    if options:
        from jitcore.runtime.options import refusal

        raise refusal(options)
    if fn is None:
        return jit
    if isinstance(fn, CompiledFunction):
        return fn
    if not callable(fn):
        raise TypeError(f"jit compiles functions, not {type(fn).__name__}")
    if isinstance(fn, type):
        raise TypeError("jit compiles functions and Cells, not classes")
    records.declare(fn)
    if isinstance(fn, FunctionType) and fn.__code__.co_filename.startswith("<"):
        from jitcore.frontend.fetch import remember

        carried(lambda: remember(fn))
    return CompiledFunction(fn)


jit.__dict__["__jitcore_compiles__"] = True
ms_function = jit
