"""Infer a whole program: a callable and the description of a call of it, to a typed module.

Inference is run anew whenever it learns something it should have known from the start (`values.Marks`): that an array is
written to, that a number must be known, that a function is recursive.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from jitcore.ir.nodes import Atom, Literal, Module
from jitcore.passes.infer import notes as notes_
from jitcore.passes.infer import recursion
from jitcore.passes.infer.core import Environment, Infer
from jitcore.passes.infer.forms import ArrayForm, CompositeForm, Form, MaybeForm, NumberForm, Same, UnionForm
from jitcore.passes.infer.signature import (
    Arg,
    Guard,
    Inferred,
    Result,
    ResultArray,
    ResultConstant,
    ResultContainer,
    ResultInput,
    ResultNumber,
    ResultText,
    ResultUnion,
)
from jitcore.passes.infer.values import (
    DICT_VIEWS,
    ITERATORS,
    Array,
    Bound,
    Builtin,
    Function,
    Marks,
    Maybe,
    Number,
    PythonError,
    Range,
    Reference,
    Restart,
    Slice,
    Static,
    Text,
    Tuple,
    Union,
    Unreachable,
    Value,
)
from jitcore.passes.infer.values import (
    Sequence as SequenceValue,
)
from jitcore.source import InternalError, Span

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
    with _deep_recursion():
        for _ in range(_MOST_RESTARTS):
            state = Infer(environment, marks, name, span)
            try:
                made = _attempt(state, function, args, keywords)
            except Restart:
                continue
            except Exception:
                if not state.void:  # a void attempt's errors may be none of the program's
                    raise
                continue
            if not state.void:
                return made
    raise InternalError("inference never settles")


@contextmanager
def _deep_recursion() -> Generator[None]:
    """Inlining nests calls of inference about as deep as the user's calls and blocks, times ten."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _attempt(state: Infer, function: Any, args: Sequence[Arg], keywords: Mapping[str, Arg]) -> Inferred:
    from jitcore.passes.infer import attributes, calls

    values = [state.inputs.argument(a, ("arg", k)) for k, a in enumerate(args)]
    named = {k: state.inputs.argument(a, ("arg", k)) for k, a in keywords.items()}
    writes: list[tuple[Any, str, Result]] = []
    atoms: list[Atom] = []
    try:
        attributes.read_written(state)
        try:
            value = calls.call(state, Static(function), values, named)
        except PythonError as error:
            state.raise_error(error.error)
            raise
        results = Results(state, atoms)
        result = results.describe(value)
        for key, (obj, attribute) in state.attribute_keys.items():
            writes.append((obj, attribute, results.describe(state.heap.contents(key))))
    except Unreachable:
        result, atoms = ResultConstant(None), []
    entry = state.builder.finish(atoms)
    module = notes_.without_needless_notes(Module(entry.name, recursion.close_graphs(entry, state.modules)))
    guards = tuple(Guard(path, expected) for path, expected in state.guards.items())
    statics = frozenset(p for p in state.marks.statics if p[0] == "arg")
    notes = {"differentiated": tuple(state.differentiated), "attributes_noted": notes_.has_notes(module)}
    return Inferred(module, state.inputs.finish(), result, guards, statics, tuple(writes), notes)


class Results:
    """Describes what a program returns, collecting the atoms it is made of."""

    def __init__(self, state: Infer, atoms: list[Atom]) -> None:
        self.state = state
        self.atoms = atoms

    def _add(self, atom: Atom) -> int:
        self.atoms.append(atom)
        return len(self.atoms) - 1

    def describe(self, value: Value) -> Result:
        """The description of a value."""
        match value:
            case Static():
                return ResultConstant(value.value)
            case Number():
                return ResultNumber(self._add(value.atom))
            case Array():
                return self._array(value)
            case Tuple() if value.cls in DICT_VIEWS or value.cls in ITERATORS:
                raise self.state.unsupported(f"returning {value.cls.__name__}", "a list or tuple of what it gives")
            case Tuple():
                return ResultContainer(value.cls, tuple(map(self.describe, value.items)))
            case Reference() if value.kind is dict:
                entries = self.state.heap.entries(value)
                return ResultContainer(dict, tuple(map(self.describe, entries.values())), tuple(entries))
            case Reference():
                items = self.state.heap.items(value)
                return ResultContainer(value.kind, tuple(map(self.describe, items)))
            case Range():
                return ResultContainer(range, tuple(map(self.describe, (value.start, value.stop, value.step))))
            case Slice():
                return ResultContainer(slice, tuple(map(self.describe, (value.start, value.stop, value.step))))
            case Text():
                return ResultText(value.template, tuple(map(self.describe, value.values)))
            case Union():
                members = tuple(_member(self.state, f) for f in value.members)
                return ResultUnion(self._add(value.atom), members)
            case Maybe():
                raise self.state.unsupported(
                    "an attribute that comes to be on some paths only", "give it a value before the branch or loop"
                )
            case SequenceValue():
                raise self.state.unsupported(
                    "returning an iterator made of run-time values", "return a list or an array"
                )
            case Function() | Bound() | Builtin():
                raise self.state.unsupported(
                    "returning a function made in compiled code", "return its results, or define it outside"
                )
            case _:
                raise self.state.unsupported(f"returning this {type(value).__name__.lower()}")

    def _array(self, value: Array) -> Result:
        for k, record in enumerate(self.state.inputs.records):
            if record.var is value.atom and value.category == record.category and not value.viewed:
                return ResultInput(k)
        if isinstance(value.atom, Literal) and value.atom.value is None:
            raise InternalError("an array without elements")
        return ResultArray(self._add(value.atom), value.category)


def _member(state: Infer, form: Form) -> Result:
    """The description of a union's member; its parts are numbered within it."""
    count = 0

    def describe(form: Form) -> Result:
        nonlocal count
        match form:
            case Same():
                if not isinstance(form.value, Static):
                    raise state.unsupported("returning a value of this kind on some paths only")
                return ResultConstant(form.value.value)
            case NumberForm():
                count += 1
                return ResultNumber(count - 1)
            case ArrayForm():
                count += 1
                return ResultArray(count - 1, form.category)
            case CompositeForm() if form.kind is Tuple:
                return ResultContainer(form.extra, tuple(map(describe, form.items)))
            case CompositeForm() if form.kind is Reference:
                keys = form.extra[1] if form.extra[0] is dict else ()
                return ResultContainer(form.extra[0], tuple(map(describe, form.items)), keys)
            case CompositeForm() | UnionForm() | MaybeForm():
                raise state.unsupported("returning a value of this kind on some paths only")

    return describe(form)
