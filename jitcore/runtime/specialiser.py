"""Makes specialisations: from a call's arguments to code that serves calls like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jitcore.config import settings
from jitcore.passes.infer.domain.signature import Input
from jitcore.passes.infer.domain.values import Path
from jitcore.passes.infer.engine.budget import LIMIT, Budget
from jitcore.passes.infer.engine.dialect import RefusedError, source_refused
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.runtime import autograd, constant_arguments
from jitcore.runtime import compile as driver
from jitcore.runtime.arguments import PastWordError, Shapes, may_go_by_items
from jitcore.runtime.callables import plain_function
from jitcore.runtime.descriptions import (
    describe,
    describe_captured,
    describe_own,
    require_aligned,
    require_new_containers,
)
from jitcore.runtime.explain.signatures import signature
from jitcore.runtime.foreign import standing_for
from jitcore.runtime.groups import Group
from jitcore.runtime.known_values import KnownValues
from jitcore.runtime.logs import INFO, log
from jitcore.runtime.notices import placed, reason_for
from jitcore.runtime.options import DEFAULT, Options
from jitcore.runtime.packing import overlaps_of
from jitcore.runtime.specialisation import (
    Specialisation,
    objects_of,
    require_different_containers,
    resolve,
)
from jitcore.source import CompileError, InternalError, RaceError, TooDearError
from jitcore.types import Shape


class Specialiser:
    """Makes the specialisations of one function, which messages call `subject`."""

    def __init__(
        self,
        function: Callable[..., Any],
        subject: str,
        known: KnownValues,
        *,
        segment: bool,
        share: int,
        by_mode: bool,
        rules: ProgramRules | None,
        options: Options = DEFAULT,
    ) -> None:
        self._function = function
        self._subject = subject
        self._known = known
        self._is_segment = segment
        self._share = share
        """Compiling it may do so small a part of the work that a whole function may (`infer.engine.budget`)."""
        self._is_by_mode = by_mode
        self._options = options
        self._rules = rules
        self.work = 0
        """Of all its compilations."""

    @property
    def is_judged(self) -> bool:
        """Whether the framework that the function is of would compile it too: where the mode says so, it must have been
        chosen."""
        return not self._is_by_mode or settings.was_chosen("mode")

    def require_parsed(self) -> None:
        """Raise what the framework that the function is of says to its source."""
        if self.is_judged and not self._is_segment:
            refused = source_refused(self._rules, plain_function(self._function))
            if refused is not None:
                raise refused

    def refusal(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
        """What the framework that the function is of says to a call that raised."""
        if self._rules is None or not self.is_judged:
            return None
        return constant_arguments.refusal(self._function, args, keywords, self._rules)

    def specialise(
        self,
        group: Group,
        shapes: Shapes,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        *,
        by_structure: bool = False,
    ) -> tuple[Specialisation, Any]:
        """A specialisation that serves a call, and its inputs in it. Raises CompileError."""
        reason = reason_for(group.first, group.varying, group.members, shapes, args, keywords)
        self._known.look(group.members[:1], args, keywords)
        pattern = shapes if group.exact else group.pattern(shapes)
        member, found = self._made_somehow(group, pattern, shapes, reason, args, keywords, by_structure)
        if member.fits(shapes):
            return member, found
        # a computed extent is 1, and broadcasts: a case of its own
        return self._made(member.exact(shapes), reason, args, keywords, by_structure, columns=group.columns)

    def exactly(
        self, group: Group, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any]:
        """A specialisation that serves calls with just these extents. Raises CompileError."""
        reason = f"extents {shapes}: its gradient cannot be had without knowing them"
        return self._made(shapes, reason, args, keywords, False, columns=group.columns)

    def _made_somehow(
        self,
        group: Group,
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
        except CompileError as error:
            by_items = group.columns and may_go_by_items(args, keywords)
            if pattern == shapes and not by_items:
                raise
            refusal = error
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
        try:
            made = self._made(shapes, reason, args, keywords, by_structure, columns=False)
        except TooDearError:  # which it was not, had it been compiled for any length
            raise refusal from None
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
        rest: Iterator[Shape] = iter(pattern)
        how: dict[str, Any] = {"columns": columns}
        if by_structure:
            how["by_structure"] = driver.reader(self._rules if self.is_judged else None)
        asked = frozenset(self._options.known(args, keywords))
        try:
            described = [describe(a, rest, **how) for a in args]
            named = {k: describe(keywords[k], rest, **how) for k in sorted(keywords)}
            made, objects = self._compile(described, named, args, keywords, asked)
            require_aligned(made.inferred.inputs, objects)
            require_different_containers(made.inferred, args, keywords)
            if self._is_segment:
                require_new_containers(made.inferred)
        except CompileError as error:
            raise placed(error, self._function) from None
        statics = tuple((p, resolve(p, args, keywords)) for p in made.inferred.static_paths)
        member = Specialisation(made, pattern, statics, overlaps_of(objects), reason, signature(described, named))
        self._known.note(member, asked)
        took = sum(made.seconds.values())
        log(INFO, "compiled %s(%s) in %.3f s: %s", made.name, ", ".join(member.arguments), took, reason)
        found = member.inputs(args, keywords)
        if found is None:
            raise InternalError(f"{self._subject}: what was compiled does not hold for the call it was compiled for")
        return member, found

    def _compile(
        self,
        described: Sequence[Any],
        named: Mapping[str, Any],
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        asked: frozenset[Path],
    ) -> tuple[Any, list[Any]]:
        def overlaps(inputs: Sequence[Input]) -> Sequence[frozenset[int]]:
            return overlaps_of(objects_of(inputs, args, keywords))

        def is_recorded(inputs: Sequence[Input]) -> bool:
            return autograd.records(objects_of(inputs, args, keywords))

        budget = Budget(LIMIT // self._share)
        given = standing_for(args)
        captured = describe_own if self._is_segment else describe_captured
        try:
            made = driver.compile_call(
                self._function, described, named, captured, overlaps,
                knows_strings=self._known.may_know_strings, knows_numbers=self._known.may_know_numbers,
                changing=frozenset(self._known.changing), budget=budget,
                attributes=None if given is None else given.attributes, rules=self._rules, judged=self.is_judged,
                is_recorded=is_recorded, asked=asked, options=self._options,
                donated=frozenset(k for k, _ in self._options.donated.of(args, keywords)),
            )  # fmt: skip
        except (CompileError, InternalError, PastWordError, RaceError):
            raise
        except RefusedError as refused:
            raise refused.error from None
        except Exception as error:
            raise InternalError(f"{self._subject} could not be compiled: {type(error).__name__}: {error}") from error
        finally:
            self.work += budget.total
        return made, objects_of(made.inferred.inputs, args, keywords)
