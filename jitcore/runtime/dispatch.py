"""Compiled functions: which specialisation serves a call, when a new one is made, and what runs uncompiled.

A call's class (`arguments`) finds a group; in it the specialisations whose shapes, static values, guards and captured
inputs hold are tried, the latest first. The first call of a class is compiled for its exact extents; from the second
extent on, every extent that ever differed is symbolic.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import MethodType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from jitcore.config import STRICT, settings
from jitcore.forking import process_lock
from jitcore.lookup import attribute_of, has_attribute
from jitcore.primitives.core import constructing, dialects
from jitcore.primitives.core.dialects import Dialect
from jitcore.runtime import function_html, nodes, past_words, records, region_models, tape
from jitcore.runtime.anew import BeginsAnew
from jitcore.runtime.arguments import Call, InterpretedError, PastWordError, Shapes, UnfitError
from jitcore.runtime.callables import parts_of, weakly
from jitcore.runtime.errors import strip
from jitcore.runtime.foreign import Given, as_they_came, call_standing_in, standing_for
from jitcore.runtime.groups import Group
from jitcore.runtime.interrupts import carried, is_from_handler
from jitcore.runtime.introspection import Introspected
from jitcore.runtime.known_values import KnownValues
from jitcore.runtime.notices import FallbackWarning, placed, warn, warn_of_loops
from jitcore.runtime.options import DEFAULT, NOTHING, Options
from jitcore.source import NOWHERE, CompileError, Problem, TooDearError

if TYPE_CHECKING:
    from jitcore.runtime.regions import Regions
    from jitcore.runtime.specialisation import Specialisation
    from jitcore.runtime.specialiser import Specialiser

_MOST_SPECIALISATIONS = 64
"""Of one class: the ones that served least recently are dropped beyond this."""

_MOST_ORDERS = 8
"""Of the names of a call's arguments given by name: calls with them in other orders beyond this are served in
Python."""

_MOST_DEAR = 2
"""Classes of calls that a function may prove too dear to compile for: further ones are not tried."""

_MOST_REFUSED = 3
"""Classes of calls that a segment may be refused for, for the same reasons: further ones are not tried."""

_MOST_CLASSES = 128
"""Of calls that a function is compiled for, or known to be interpreted for: beyond it, those go that served least
recently."""
_MOST_IN_ALL = 256
"""Specialisations, over all classes."""

_F = TypeVar("_F", bound=Callable[..., Any])


class CompiledFunction(Introspected, BeginsAnew):
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
        options: Options = DEFAULT,
        dialect: Dialect | None = None,
    ) -> None:
        # an attribute of the user's must not stand in for a method here
        self.__dict__.update(
            {k: v for k, v in attribute_of(function, "__dict__", {}).items() if not hasattr(CompiledFunction, k)}
        )
        for name in (n for n in functools.WRAPPER_ASSIGNMENTS if has_attribute(function, n)):
            setattr(self, name, attribute_of(function, name))
        self.__wrapped__ = function
        self._function = function
        self._uncompiled = function if uncompiled is None else uncompiled
        """What runs in its place where it cannot be compiled."""
        self._groups: dict[Any, Group] = {}
        self._structures: dict[Any, bool] = {}
        """The classes of calls whose objects are told by their structure, and whether that can be: from the second call
        on."""
        self._known = KnownValues()
        self._lock = process_lock()
        self._is_segment = segment
        self._is_by_mode = by_mode
        """Whether it is compiled for the mode, which need be nobody's choice, and not because it was asked for."""
        self.dialect = dialect
        """Of the framework whose decorator, Cell or transform it is; None: jitcore's own."""
        self._made_from = parts_of(function)
        self._warned = False
        self._told_loops: set[tuple[str, int]] = set()
        """The lines of loops that call Python of which the user has been told."""
        self._share = share
        self.past_words = 0
        """How many calls were begun anew in the interpreter, since they had ints past 64 bits."""
        self.options = options
        """What it was asked to be."""
        if not segment:
            records.create(self)

    @functools.cached_property
    def regions(self) -> Regions:
        """The parts of it that the interpreter runs, and those compiled between them."""
        from jitcore.runtime.regions import Regions

        segment = functools.partial(_segment, self.dialect)
        return Regions(self._uncompiled, segment, self._is_segment, self._share)

    @property
    def _worded_as(self) -> type:
        """The class that the words of a dialect are about."""
        return CompiledFunction

    @functools.cached_property
    def _specialiser(self) -> Specialiser:
        """Loads the compiler, which programs that compile nothing do without."""
        from jitcore.runtime.specialiser import Specialiser

        return Specialiser(
            self.__jitcore_function__,
            repr(self),
            self._known,
            segment=self._is_segment,
            share=self._share,
            by_mode=self._is_by_mode,
            options=self.options,
            rules=None if self.dialect is None else self.dialect.programs,
        )

    @property
    def __jitcore_function__(self) -> Callable[..., Any]:
        """The function that is compiled: not among the attributes that `functools.wraps` copies to a wrapper."""
        return self._function

    py_func = __jitcore_function__

    @property
    def _is_strict(self) -> bool:
        """Whether what cannot be compiled is refused."""
        return self.options.strict or settings.jit_syntax_level == STRICT

    @property
    def _name(self) -> str:
        """What users know the function by."""
        named = attribute_of(self.__jitcore_function__, "__qualname__", None)
        return repr(self.__jitcore_function__) if named is None else named

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not settings.jit or tape.recording():
            if settings.jit and not (self._is_segment or self._is_by_mode):
                constructing.vet_by(self.dialect, self, args, keywords)
            return self.__jitcore_function__(*args, **keywords)
        if past_words.is_running_anew(self):
            return self._uncompiled(*args, **keywords)
        try:
            given = None if self._is_segment else Given.of(args, keywords)
            made = self.dispatch(args, keywords) if given is None else call_standing_in(self, given)
            return made if self.options.donated is NOTHING else self.options.give_up(made, *args, **keywords)
        except PastWordError as error:
            past = error
        except BaseException as error:
            strip(error)
            told = self.reworded(error, args, keywords)
            if told is error:
                raise
            try:
                raise told from None
            except BaseException as shown:
                strip(shown)
                raise
        return self._past_word(past, args, keywords)

    _call_slowly = __call__
    """What native calls that are not served call."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {self._name}>"

    _repr_html_ = function_html.shown

    def __reduce__(self) -> Any:
        """By name, as a function; one that its name does not lead to by the function it compiles."""
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        name: str = getattr(self, "__qualname__", "")
        for part in name.split("."):
            found = getattr(found, part, None)
        category = None if self.dialect is None else self.dialect.category
        return name if found is self else (_unpickled, (self.__jitcore_function__, category, self.options))

    # --- serving a call -------------------------------------------------------------------------------

    def dispatch(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run the specialisation for a call, made if there is none."""
        if any(a is not b for a, b in zip(parts_of(self._function), self._made_from, strict=True)):
            self._start_anew()
        if self.options is not DEFAULT:
            self.options.check(self._name, args, keywords)
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
            if group.fallback is not None and (not self._is_strict or group.fallback.is_meant):
                return self._interpret(group, args, keywords)
            for member in group.members:
                if member.fits(shapes):
                    found = member.inputs(args, keywords)
                    if found is not None:
                        if keywords or not member.entries:
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
            self._made_from = parts_of(self._function)
            self._groups.clear()
            self._structures.clear()
            self.__dict__.pop("regions", None)

    def _forget(self) -> None:
        """Forget what was compiled, and what was learnt from it."""
        with self._lock:
            self._start_anew()
            self._known = KnownValues()
            self._told_loops.clear()
            self.__dict__.pop("_specialiser", None)
            made = _native().calls(CompiledFunction)
            if made is not None:
                made.publish(self, [])

    def _made_for(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Specialisation:
        """What serves calls like this one, made if there is none; nothing is run. Raises CompileError for what cannot
        be compiled."""
        try:
            if Given.of(args, keywords) is not None:
                raise UnfitError("an argument is an array of another library, or of an unusual layout", "np.asarray(x)")
            call = Call.of(args, keywords)
        except UnfitError as error:
            raise self._unfit(error) from None
        shapes = tuple(call.shapes)

        def made() -> Specialisation:
            with self._lock:
                group = self._group(tuple(call.key), shapes)
                member, _ = self._served_meanwhile(group, shapes, args, keywords)
                if member is None and group.fallback is not None:
                    raise group.fallback
                return member or self._specialise(group, shapes, args, keywords)[0]

        return carried(made)

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
        self._specialiser.require_parsed()
        if self._is_segment:
            why = self.regions.past_compiling(key, self._groups, args, self._specialiser.work)
            if why is not None:
                return self.regions.interpret(args, *why)
        group, member, found = carried(lambda: self._compiled_or_refused(key, shapes, args, keywords))
        if member is None or found is None:
            return self._interpret(group, args, keywords)
        return self._run(member, found, args, keywords)

    def compile_for(self, first: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        """Compile for calls like one, as its first call would: for any extent where its arrays have others than
        `first`. Raises CompileError as that."""
        self._specialiser.require_parsed()
        call = Call.of(args, keywords)
        key, shapes = tuple(call.key), tuple(call.shapes)
        with self._lock:
            self._group(key, first)
        carried(lambda: self._compiled_or_refused(key, shapes, args, keywords))

    def _compiled_or_refused(
        self, key: Any, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Group, Specialisation | None, Any]:
        """The group of a class of calls, and the specialisation that serves this one, made if there is none; or none,
        and it is noted why the interpreter serves it."""
        with self._lock:
            group = self._group(key, shapes)
            member, found = self._served_meanwhile(group, shapes, args, keywords)
            if member is None and not self._is_refused_anyway(group):
                try:
                    foreseen = self.regions.foreseen() if dialects.known else None
                    if foreseen is not None:
                        raise foreseen
                    member, found = self._specialise(group, shapes, args, keywords)
                except CompileError as error:
                    if self._is_strict and not error.is_meant:
                        raise
                    self._fall_back(group, error)
        return group, member, found

    def _group(self, key: Any, shapes: Shapes) -> Group:
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
        made = self._groups[key] = Group(shapes)
        return made

    def _is_refused_anyway(self, group: Group) -> bool:
        """Whether a new class of calls is served as others are: those for which compiling took too long, or those of a
        segment that has been refused for some, always for the same reasons."""
        others = [g for g in self._groups.values() if g is not group]
        dear = [g for g in others if isinstance(g.fallback, TooDearError)]
        if len(dear) >= _MOST_DEAR:
            like = dear[0]
        elif self._is_segment and len(others) >= _MOST_REFUSED and len({g.reasons for g in others}) == 1:
            like = others[0]
        else:
            return False
        if like.fallback is None or self._is_strict:
            return False
        group.fallback, group.driver = like.fallback, like.driver
        return True

    def _run(self, member: Specialisation, found: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call by a specialisation that serves it, `found` being its inputs."""
        try:
            return member.run(found)
        except InterpretedError as interpreted:
            reason, left_word = interpreted.reason, interpreted.left_word
        if left_word is not None:
            return self._begun_anew(left_word, args, keywords)
        if reason is not None:
            exact = carried(lambda: self._with_known_extents(member, args, keywords))
            if exact is not None:
                return self._run(*exact, args, keywords)
            self._warn(f"{self._name} runs in the interpreter: {placed(reason, self.__jitcore_function__)}")
        args, keywords = as_they_came(args, keywords)
        return self._uncompiled(*args, **keywords)

    def _with_known_extents(
        self, member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """What serves a call that one for any extents cannot serve, since its gradient is not to be had without knowing
        them. None if there can be none, or there are many already."""
        shapes = tuple(Call.of(args, keywords).shapes)
        with self._lock:
            group = next((g for g in self._groups.values() if member in g.members), None)
            if group is None or group.in_vain or member.pattern == shapes:
                if group is not None:
                    group.in_vain = True
                return None
            known = group.exactly(shapes, args, keywords)
            if known is not None or len(group.members) >= _MOST_SPECIALISATIONS:
                return known
            try:
                made, found = self._specialiser.exactly(group, shapes, args, keywords)
            except CompileError:
                return None
            group.members.insert(0, made)
        return made, found

    def _serve_unfit(self, unfit: UnfitError, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run a call with an argument of which nothing can be compiled."""
        error = self._unfit(unfit)
        if self._is_strict:
            raise error
        group = self._groups.get(unfit.problem)
        if group is None:
            group = self._groups[unfit.problem] = Group((), fallback=error)
            self._warn(f"{self!r} runs in the interpreter: {error}")
        return self._interpret(group, args, keywords)

    def _unfit(self, unfit: UnfitError) -> CompileError:
        unplaced = CompileError([Problem(NOWHERE, unfit.problem, unfit.hint)])
        return placed(unplaced, self.__jitcore_function__)

    def _interpret(self, group: Group, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run what cannot be compiled in the interpreter, its segments excepted."""
        args, keywords = as_they_came(args, keywords)
        group.interpreted += 1
        if group.driver is None:
            return self._uncompiled(*args, **keywords)
        meant = group.fallback is not None and group.fallback.is_meant
        try:
            with nodes.going_back() if meant else nullcontext():
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
            warn(message, FallbackWarning)

    def _served_meanwhile(
        self, group: Group, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation | None, Any]:
        """Another thread may have compiled it while this one waited."""
        return group.serving(shapes, args, keywords) or (None, None)

    def serving(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Specialisation, Any] | None:
        """What serves calls like this one, and its inputs in it; None if nothing has been compiled for them."""
        call = Call.of(args, keywords)
        group = self._groups.get(tuple(call.key))
        return None if group is None else group.serving(tuple(call.shapes), args, keywords)

    def _fall_back(self, group: Group, error: CompileError) -> None:
        group.fallback, group.driver = error, self.regions.driver(error)
        if group.driver is not None:
            return  # told when it has run, and all its regions are known
        if error.is_meant and all(problem.span.caller is None for problem in error.problems):
            return  # it does nothing else
        self._warn(f"{self._name} runs in the interpreter: {error}")

    # --- making a specialisation ----------------------------------------------------------------------

    def _specialise(
        self,
        group: Group,
        shapes: Shapes,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        *,
        by_structure: bool = False,
    ) -> tuple[Specialisation, Any]:
        member, found = self._specialiser.specialise(group, shapes, args, keywords, by_structure=by_structure)
        group.members.insert(0, member)
        del group.members[_MOST_SPECIALISATIONS:]
        self._publish(member, args, keywords, by_structure)
        return member, found

    def _publish(
        self, member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any], by_structure: bool = False
    ) -> None:
        """Have calls like this one, names in this order, that a specialisation is for served in machine code."""
        names, compilation = tuple(keywords), member.compilation
        if names in member.entries or len(member.entries) >= _MOST_ORDERS or not compilation.is_made:
            return
        if not compilation.loaded.is_settled:
            return
        warn_of_loops(self._name, member, self._told_loops)
        made = _native().calls(CompiledFunction)
        if made is None:
            return
        with self._lock:
            member.entries[names] = _native().entry_of(
                member, args, keywords, by_structure=by_structure, reworded=weakly(self),
                last=None if self.options.donated is NOTHING else self.options.give_up,
            )  # fmt: skip
            members = (m for group in reversed(self._groups.values()) for m in group.members)
            made.publish(self, [e for m in members for e in m.entries.values() if e is not None])

    # --- looking inside -------------------------------------------------------------------------------

    @property
    def groups(self) -> list[Group]:
        """Its specialisations, by the classes of calls that they serve, and what the interpreter serves."""
        return list(self._groups.values())

    @property
    def specialisations(self) -> list[Specialisation]:
        """What was compiled."""
        return [member for group in self._groups.values() for member in group.members]

    @property
    def interpreted(self) -> int:
        """How many classes of calls the interpreter serves, or a part of each."""
        return sum(group.fallback is not None for group in self._groups.values())

    def _compiled_by(self) -> tuple[CompiledFunction, tuple[object, ...]]:
        return self, ()


def _unpickled(function: Callable[..., Any], category: str | None, options: Options) -> CompiledFunction:
    dialect = None if category is None else dialects.known[category]
    return CompiledFunction(function, dialect=dialect, options=options)


def _segment(dialect: Dialect | None, function: Callable[..., Any], share: int) -> CompiledFunction:
    return CompiledFunction(function, segment=True, share=share, dialect=dialect)


class _PlainFunction(CompiledFunction):
    """Where native calls are not possible."""

    if not TYPE_CHECKING:

        def __new__(cls, *_, **__):
            return object.__new__(cls)


region_models.compiled.model(CompiledFunction)


@functools.cache
def _native() -> ModuleType:
    """What serves calls in machine code; importing it loads LLVM."""
    from jitcore.runtime import native

    return native


@functools.cache
def begin() -> None:
    """Something will be compiled soon, it seems: make meanwhile what takes long and every compiled function needs."""
    _native().begin()


@functools.cache
def _function_class() -> type[CompiledFunction]:
    made = carried(lambda: _native().calls(CompiledFunction))
    return _PlainFunction if made is None else made.type
