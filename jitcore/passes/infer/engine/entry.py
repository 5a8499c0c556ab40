"""Infer a whole program: a callable and the description of a call of it, to a typed module.

Inference is run anew whenever it learns something it should have known from the start (`assumptions.Assumptions`): that
an array is written to, that a number must be known, that a function is recursive. An attempt that has learned such a
thing may go on, stale, to learn more; what it infers is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.codes import DONE_WITH_BOXES, OF_BOXES
from jitcore.headroom import room_to_recurse
from jitcore.ir.nodes import Atom, Module
from jitcore.passes.infer.domain import abstract, given_lists
from jitcore.passes.infer.domain.assumptions import Assumptions, Boxes, KeyOfRunError, NeedsStaticError
from jitcore.passes.infer.domain.forms import NotOneFormError
from jitcore.passes.infer.domain.signature import (
    Arg,
    Guard,
    Inferred,
    Result,
    ResultConstant,
)
from jitcore.passes.infer.domain.values import Path, PythonError, Restart, Static, Unreachable
from jitcore.passes.infer.engine import dialect, expected_writes, failures, known_values, lifting, outside
from jitcore.passes.infer.engine import notes as notes_
from jitcore.passes.infer.engine.core import Environment, Infer
from jitcore.passes.infer.engine.results import Results
from jitcore.primitives.core import dialects
from jitcore.source import CompileError, InternalError, Span, TooDearError

_RECURSION_LIMIT = 60_000


def infer(
    environment: Environment,
    function: Any,
    args: Sequence[Arg],
    keywords: Mapping[str, Arg],
    name: str,
    span: Span,
    assumptions: Assumptions | None = None,
) -> Inferred:
    """Infer a call `function(*args, **keywords)`.

    `function` is any callable that compiled code may call; `span` is where it is defined. Raises CompileError if the
    program uses what cannot be compiled; a program that is bound to raise is compiled to do so.
    """
    assumptions = assumptions if assumptions is not None else Assumptions()
    with room_to_recurse(_RECURSION_LIMIT):
        while True:
            environment.budget.begin(span)
            before = assumptions.height()
            made = _settled(Infer(environment, assumptions, name, span), function, args, keywords)
            if made is not None:
                return made
            if assumptions.height() <= before:
                raise InternalError("inference begins anew with nothing learned")


def _settled(state: Infer, function: object, args: Sequence[Arg], keywords: Mapping[str, Arg]) -> Inferred | None:
    """What an attempt gives; None if there must be another, with higher assumptions. Raises CompileError."""
    assumptions = state.assumptions
    try:
        made = _attempt(state, function, args, keywords)
    except Restart:
        return None
    except TooDearError:
        decisive = known_values.decisive(state)
        if not decisive or not state.environment.budget.renew():
            raise
        assumptions.add_statics(decisive)  # where they are known, less of the program is
        return None
    except CompileError as error:
        if assumptions.expected:  # there may be none where fewer arrays are places
            assumptions.correct(assumptions.expected - state.written)
        elif assumptions.uses_pools:
            assumptions.end_pools()
        elif state.is_stale:  # which may be no error of the program's
            return None
        elif assumptions.uses_boxes:
            refusal = assumptions.turn_from_boxes(error)
            if refusal is not None:
                raise _to_tell(refusal, error) from None
        elif isinstance(error, NeedsStaticError) and error.paths:
            assumptions.add_statics(error.paths)
        elif assumptions.boxes is Boxes.NONE and state.may_have_boxes:
            assumptions.turn_to_boxes(error)
        elif assumptions.refusal_of_boxes is not None:
            raise _to_tell(error, assumptions.refusal_of_boxes) from None
        else:
            raise
        return None
    except Exception:
        if not state.is_stale:
            raise
        return None
    missed = expected_writes.missed(state)
    if not state.is_stale and not missed:
        return made
    assumptions.correct(missed)
    return None


def _to_tell(refusal: CompileError, of_boxes: CompileError) -> CompileError:
    """Which refusal tells the user what stands in the way, without boxes and with them: the one with them, if they do
    what the program is refused for otherwise. That they do for keys of the run, and where they got further."""
    if not of_boxes.problems or not refusal.problems:
        return refusal
    if isinstance(refusal, KeyOfRunError):
        return of_boxes
    problem, of_box = refusal.problems[0], of_boxes.problems[0]
    is_further = _compare_places(of_box.span, problem.span)
    if is_further == 0 and problem.code in DONE_WITH_BOXES and of_box.code in OF_BOXES:
        return of_boxes
    return of_boxes if is_further > 0 else refusal


def _compare_places(a: Span, b: Span) -> int:
    """1 if inference gets to `a` after `b`, by their lines in the source; 0 if these do not say; -1 otherwise."""
    for one, other in zip(reversed([*a.frames()]), reversed([*b.frames()]), strict=False):
        if one.file != other.file or one.end_line < other.end_line:
            return -1
        if one.line > other.line:
            return 1
    return 0


def _attempt(state: Infer, function: Any, args: Sequence[Arg], keywords: Mapping[str, Arg]) -> Inferred:
    values = [state.inputs.argument(a, ("arg", k)) for k, a in enumerate(args)]
    named = {k: state.inputs.argument(a, ("arg", k)) for k, a in keywords.items()}
    writes: list[tuple[Any, str, Result]] = []
    atoms: list[Atom] = []
    shares_containers = False
    returned: list[Path] = []
    if dialects.known:
        state.inputs.guard_setting("default_float")
    try:
        outside.read_written(state)
        try:
            dialect.require_given(state, [*values, *named.values()])
            value = dialect.returned(state, function, abstract.call(state, Static(function), values, named))
        except PythonError as error:
            failures.raise_error(state, error.error)
            raise
        except NotOneFormError:
            raise state.unsupported("a list with items of several types on paths that meet here") from None
        results = Results(state, atoms, returned)
        result = results.describe_all(value)
        for key, (obj, attribute) in state.outside.attributes.items():
            writes.append((obj, attribute, results.describe_all(state.heap.contents(key))))
        changes = [results.change(key) for key in state.outside.changed]
        changes += [results.change_given(given) for given in given_lists.changed(state)]
        shares_containers = results.shares_containers
        if state.outside.attributes and state.heap.arguments:
            raise state.unsupported("changing an object from outside, which may be an argument told by what it holds")
    except Unreachable:
        result, atoms, changes = ResultConstant(None), [], []
    entry = state.inputs.without_fixed(state.builder.finish(atoms), state.modules)
    module = Module(entry.name, lifting.close_graphs(entry, state.modules))
    known: tuple[Path, ...] = ()
    if state.outside.changed or given_lists.changed(state):
        module = notes_.without_notes(module)
        outside.require_write_back(state, module)
        known = outside.known_paths(state)
    module = notes_.without_needless_notes(module)
    guards = tuple(Guard(path, expected) for path, expected in state.guards.items())
    statics = frozenset(p for p in state.assumptions.statics if p[0] == "arg")
    notes = {"differentiated": tuple(state.differentiated), "attributes_noted": notes_.has_notes(module)}
    notes["shares_containers"] = shares_containers
    return Inferred(
        module, state.inputs.finish(), result, guards, statics, tuple(writes), notes, tuple(state.extents.equal),
        tuple(returned), tuple(changes), known, state.rules,
    )  # fmt: skip
