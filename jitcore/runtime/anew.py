"""Calls that are begun anew in the interpreter, since they have ints past 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.primitives.core import constructing
from jitcore.runtime import past_words
from jitcore.runtime.foreign import as_they_came
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.notices import placed
from jitcore.source import NOWHERE, CompileError, Problem

if TYPE_CHECKING:
    import functools

    from jitcore.primitives.core.dialects import Dialect
    from jitcore.runtime.arguments import PastWordError
    from jitcore.runtime.regions import Regions
    from jitcore.runtime.specialiser import Specialiser


class BeginsAnew:
    """What a compiled function does with them, and what its calls raise."""

    __slots__ = ()

    if TYPE_CHECKING:
        past_words: int
        _is_segment: bool
        _is_by_mode: bool
        _uncompiled: Callable[..., Any]
        dialect: Dialect | None

        _specialiser: functools.cached_property[Specialiser]
        regions: functools.cached_property[Regions]

        @property
        def _worded_as(self) -> type: ...

        @property
        def _is_strict(self) -> bool: ...

        @property
        def _name(self) -> str: ...

        @property
        def __jitcore_function__(self) -> Callable[..., Any]: ...

        def _warn(self, message: str) -> None: ...

    def _past_word(self, error: PastWordError, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Serve a call with an int that is past 64 bits. Raises OverflowError, which names the argument, where what
        cannot be compiled is refused."""
        if self._is_segment:
            return self.regions.interpret(args, past_words.WHY, past_words.HINT)
        message = past_words.problem_of_argument(error, self.__jitcore_function__, args, keywords)
        if self._is_strict:
            raise OverflowError(message) from None
        return self._begun_anew(Problem(NOWHERE, message, past_words.HINT), args, keywords)

    def _begun_anew(self, problem: Problem, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run a call in the interpreter, from its start, that has ints past 64 bits."""
        if self._is_segment:
            return self.regions.interpret(args, past_words.WHY, past_words.HINT)
        self.past_words += 1
        why = placed(CompileError([problem], past_words.headline(problem)), self.__jitcore_function__)
        self._warn(f"{self._name} runs in the interpreter: {why}")
        args, keywords = as_they_came(args, keywords)
        with past_words.running_anew(self):
            return self._uncompiled(*args, **keywords)

    def reworded(self, error: BaseException, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException:
        """What a call raises in place of `error`: of a part of a function, what no handler around it is for, and by the
        rules of the framework that it is of."""
        if self._is_segment:
            return past_words.escaping(error)
        error = past_words.escaped(error)
        if self.dialect is None or not isinstance(error, Exception):
            return error
        if is_from_handler(error):
            return error
        told = error if isinstance(error, CompileError) else self._specialiser.refusal(args, keywords) or error
        if not self._is_by_mode:
            told = constructing.worded_by(
                self.dialect, self._worded_as, told, called=self, args=args, keywords=keywords
            )
        return told if told is error else told.with_traceback(error.__traceback__)
