"""Infer a whole program: a callable and the description of a call of it, to a typed module.

Inference is run anew whenever it learns something it should have known from the start (`values.Marks`): that an array
is written to, that a number must be known, that a function is recursive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.headroom import room_to_recurse
from jitcore.ir.nodes import Atom, Module
from jitcore.passes.infer.domain import abstract, given_lists
from jitcore.passes.infer.domain.forms import (
    NotOneFormError,
)
from jitcore.passes.infer.domain.signature import (
    Arg,
    Guard,
    Inferred,
    Result,
    ResultConstant,
)
from jitcore.passes.infer.domain.values import (
    Marks,
    Path,
    PythonError,
    Restart,
    Static,
    Unreachable,
)
from jitcore.passes.infer.engine import dialect, expected_writes, failures, lifting, outside
from jitcore.passes.infer.engine import notes as notes_
from jitcore.passes.infer.engine.core import Environment, Infer
from jitcore.passes.infer.engine.results import Results
from jitcore.source import CompileError, InternalError, Span, TooDearError, UnsupportedError

_MOST_RESTARTS = 1000
_RECURSION_LIMIT = 60_000


def infer(
    environment: Environment,
    function: Any,
    args: Sequence[Arg],
    keywords: Mapping[str, Arg],
    name: str,
    span: Span,
    marks: Marks | None = None,
) -> Inferred:
    """Infer a call `function(*args, **keywords)`.

    `function` is any callable that compiled code may call; `span` is where it is defined. Raises CompileError if the
    program uses what cannot be compiled; a program that is bound to raise is compiled to do so.
    """
    marks = marks if marks is not None else Marks()
    with room_to_recurse(_RECURSION_LIMIT):
        for _ in range(_MOST_RESTARTS):
            environment.budget.begin(span)
            state = Infer(environment, marks, name, span)
            try:
                made = _attempt(state, function, args, keywords)
            except Restart:
                continue
            except TooDearError:
                decisive = _decisive(state)
                if not decisive or not environment.budget.renew():
                    raise
                marks.add_statics(decisive)  # where they are known, less of the program is
                continue
            except Exception as error:
                if marks.expected:  # there may be none where fewer arrays are places
                    marks.correct(marks.expected - state.written)
                elif marks.with_pools and isinstance(error, CompileError):
                    marks.end_pools()
                elif not state.void:  # a void attempt's errors may be none of the program's
                    flags = _decisive(state) if isinstance(error, CompileError) else frozenset[Path]()
                    if not flags or isinstance(error, UnsupportedError):
                        raise
                    marks.add_statics(flags)  # `() if flag else None` has one type where the flag is known
                continue
            missed = expected_writes.missed(state)
            if not state.void and not missed:
                return made
            marks.correct(missed)
    raise InternalError("inference never settles")


def _decisive(state: Infer) -> frozenset[Path]:
    """The arguments that may say what types a program has: bools, and strings that it compares with constants."""
    modes = state.marks.modes - state.marks.statics if state.marks.knows_strings else frozenset[Path]()
    return state.inputs.flags() | modes


def _attempt(state: Infer, function: Any, args: Sequence[Arg], keywords: Mapping[str, Arg]) -> Inferred:
    values = [state.inputs.argument(a, ("arg", k)) for k, a in enumerate(args)]
    named = {k: state.inputs.argument(a, ("arg", k)) for k, a in keywords.items()}
    writes: list[tuple[Any, str, Result]] = []
    atoms: list[Atom] = []
    shares_containers = False
    returned: list[Path] = []
    state.inputs.guard_setting("mindspore_rules")
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
        for key, (obj, attribute) in state.attribute_keys.items():
            writes.append((obj, attribute, results.describe_all(state.heap.contents(key))))
        changes = [results.change(key) for key in state.changed_outside]
        changes += [results.change_given(given) for given in given_lists.changed(state)]
        shares_containers = results.shares_containers
        if state.attribute_keys and state.heap.arguments:
            raise state.unsupported("changing an object from outside, which may be an argument told by what it holds")
    except Unreachable:
        result, atoms, changes = ResultConstant(None), [], []
    entry = state.inputs.without_fixed(state.builder.finish(atoms), state.modules)
    module = Module(entry.name, lifting.close_graphs(entry, state.modules))
    known: tuple[Path, ...] = ()
    if state.changed_outside or given_lists.changed(state):
        module = notes_.without_notes(module)
        outside.require_write_back(state, module)
        known = outside.known_paths(state)
    module = notes_.without_needless_notes(module)
    guards = tuple(Guard(path, expected) for path, expected in state.guards.items())
    statics = frozenset(p for p in state.marks.statics if p[0] == "arg")
    notes = {"differentiated": tuple(state.differentiated), "attributes_noted": notes_.has_notes(module)}
    notes["shares_containers"] = shares_containers
    return Inferred(
        module, state.inputs.finish(), result, guards, statics, tuple(writes), notes, tuple(state.met), tuple(returned),
        tuple(changes), known,
    )  # fmt: skip
