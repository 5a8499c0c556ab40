"""A loaded model: a callable whose calls programs serve that came from a folder."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from jitcore.exports.arguments import in_order, is_of_kind, text_of, text_of_value
from jitcore.exports.folders import ModelFileError
from jitcore.forking import process_lock
from jitcore.runtime import native, tape
from jitcore.runtime.arguments import Call
from jitcore.runtime.errors import strip
from jitcore.runtime.interrupts import carried
from jitcore.runtime.packing import Packed
from jitcore.runtime.specialisation import Specialisation
from jitcore.runtime.trees import distinct_leaves
from jitcore.source import InternalError


class LoadedFunction:
    """What `load` gives: called as the exported function was, with its arguments' dtypes and ranks.

    `manifest` is what the folder's says; `parameters` the arrays by name that the model holds, which are its own and
    may be written to. Raises TypeError for calls that it was not exported for. Its instances are of a native subclass,
    whose calls are served in machine code where that can be (`runtime.native`).
    """

    manifest: Mapping[str, Any]
    parameters: Mapping[str, Any]

    if not TYPE_CHECKING:
        __slots__ = ()

        def __new__(cls, *_, **__):
            made = carried(_native_class)
            return made.__new__(made)

    def __init__(
        self, manifest: Mapping[str, Any], parameters: Mapping[str, Any], members: Sequence[Specialisation]
    ) -> None:
        self.manifest = manifest
        self.parameters = parameters
        self.__name__ = self.__qualname__ = str(manifest["name"])
        self._names: tuple[str, ...] = tuple(manifest["arguments"])
        self._members = tuple(members)
        self._lock = process_lock()

    def __call__(self, *args: object, **keywords: object) -> Any:
        try:
            return self._served(args, keywords)
        except BaseException as error:
            strip(error)
            raise

    _call_slowly = __call__
    """What native calls that are not served call."""

    def _served(self, args: tuple[object, ...], keywords: Mapping[str, object]) -> Any:
        given = self._positional(args, keywords) if keywords or len(args) != len(self._names) else args
        if not all(map(is_of_kind, given, self.manifest["inputs"])):
            raise self._unfit(given)
        if tape.recording() and any(map(tape.tracked, distinct_leaves(given))):
            raise TypeError(f"{self.__name__} was exported without its gradient: export what `grad` makes of it")
        ordered = in_order(given)
        shapes = tuple(Call.of(ordered, {}).shapes)
        for member in self._members:
            if member.fits(shapes):
                found = member.inputs(ordered, {})
                if found is not None:
                    self._require_own(member, found, given)
                    made = self._run(member, found)
                    self._publish(member, ordered)
                    return made
        raise self._unfit(given)

    def _run(self, member: Specialisation, found: Sequence[Packed]) -> Any:
        """Call a program. Raises what it raises, and ModelFileError where it is none that was exported so."""
        if not member.compilation.is_made:
            try:
                member.compilation.make()
            except MemoryError:
                raise
            except Exception as error:
                raise ModelFileError(
                    f"the model {self.__name__} cannot be compiled: its files are damaged, or jitcore "
                    f"is: {type(error).__name__}: {error}"
                ) from error
        try:
            return member.run(found)
        except InternalError as error:
            raise ModelFileError(f"the model {self.__name__} is damaged: {error}") from error

    def _require_own(self, member: Specialisation, found: Sequence[Packed], given: Sequence[object]) -> None:
        """Raise TypeError where the model would write to a copy of what it was given."""
        own = {id(leaf) for leaf in distinct_leaves(given)}
        for spec, packed in zip(member.compilation.inferred.inputs, found, strict=False):
            if spec.written and spec.path[0] == "arg" and id(packed.value) not in own:
                raise TypeError(f"{self.__name__} writes to an argument, whose elements must lie in order (`x.copy()`)")

    def _positional(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments in order. Raises TypeError as Python does where they are not what the function takes."""
        names = self._names
        if len(args) > len(names):
            raise TypeError(f"{self.__name__}() takes {len(names)} positional arguments but {len(args)} were given")
        for name in keywords:
            if name not in names:
                raise TypeError(f"{self.__name__}() got an unexpected keyword argument '{name}'")
            if names.index(name) < len(args):
                raise TypeError(f"{self.__name__}() got multiple values for argument '{name}'")
        missing = [name for name in names[len(args) :] if name not in keywords]
        if missing:
            raise TypeError(f"{self.__name__}() is missing {', '.join(map(repr, missing))}")
        return (*args, *(keywords[name] for name in names[len(args) :]))

    def _unfit(self, given: Sequence[Any]) -> TypeError:
        want = ", ".join(map(text_of, self.manifest["inputs"]))
        have = ", ".join(map(text_of_value, given))
        return TypeError(f"{self.__name__} was exported for ({want}), and is called with ({have})")

    @property
    def specialisations(self) -> Sequence[Specialisation]:
        """Its programs; the first is the one for extents that are not 1."""
        return self._members

    def _publish(self, member: Specialisation, args: Sequence[Any]) -> None:
        """Have calls like this one served in machine code."""
        if () in member.entries or not member.compilation.loaded.is_settled:
            return
        made = native.calls(LoadedFunction)
        if made is None:
            return
        with self._lock:
            member.entries[()] = native.entry_of(member, args, {})
            made.publish(self, [e for m in self._members if (e := m.entries.get(())) is not None])

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"the model {self.__name__} is neither copied nor pickled: load it again from its folder")

    def __repr__(self) -> str:
        return f"<exported {self.__name__}({', '.join(map(text_of, self.manifest['inputs']))})>"


class _PlainFunction(LoadedFunction):
    """Where native calls are not possible."""

    if not TYPE_CHECKING:

        def __new__(cls, *_, **__):
            return object.__new__(cls)


@functools.cache
def _native_class() -> type[LoadedFunction]:
    made = native.calls(LoadedFunction)
    return _PlainFunction if made is None else made.type
