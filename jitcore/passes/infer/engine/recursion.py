"""Recursive functions: graphs of the module, one for each signature, called by name.

The type of a recursive call's result is found by running the body with calls of itself taken to never return, then
with the result that gave, until it no longer changes. What the body changes in containers, cells and attributes from
outside becomes a further parameter and a further result as it is found to change, as loops do with their carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import free_variables
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL
from jitcore.ir.nodes import Var
from jitcore.ir.python import FunctionSource
from jitcore.passes.infer.domain import forms, representations
from jitcore.passes.infer.domain.assumptions import Lists
from jitcore.passes.infer.domain.forms import (
    ArrayForm,
    BoxedForm,
    CompositeForm,
    Form,
    ListForm,
    MaybeForm,
    MixedForm,
    NotOneFormError,
    NumberForm,
    PooledForm,
    Same,
    UnionForm,
    same_value,
)
from jitcore.passes.infer.domain.heap import HeapKey
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import (
    Array,
    Cell,
    Function,
    Number,
    Reference,
    Restart,
    Static,
    String,
    Tuple,
    Union,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import branching, recursion_arguments, trying
from jitcore.passes.infer.engine.branching import held
from jitcore.passes.infer.engine.budget import SPECIALISED
from jitcore.passes.infer.engine.lifting import callees_in, fresh_name
from jitcore.structs import dataclass, field
from jitcore.types import Dim, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MOST_ROUNDS = 12
_ROUNDS_OF_GROWTH = 3
"""After so many, what a function gives or changes must not have a form of hundreds of parts any more."""
_MOST_EXTENTS = 3
"""How many calls of a function by itself have arguments of known extents each."""
_MOST_TAGS = 32
_LONGEST_TAG = 16
_MOST_SIGNATURES = 32
"""Of one recursive function."""


@dataclass(slots=True)
class Recursions:
    """The specialisations of a program's recursive functions."""

    made: dict[Any, Any] = field(default_factory=dict[Any, Any])
    solving: list[Any] = field(default_factory=list[Any])
    """Those being inferred, outermost first."""
    is_inside: bool = False
    """Whether a recursive function's graph is being inferred."""


@dataclass(slots=True)
class Specialisation:
    """A recursive function for one signature; `result` is None until a path that returns is known."""

    name: str
    place: Any
    """Where it was first called."""
    inside: Any
    """The place of its parameters."""
    forms: tuple[Form, ...]
    own: frozenset[Dim] = frozenset()
    """The symbols among its arguments' extents that stand for other extents in each call."""
    result: Form | None = None
    read: Mapping[HeapKey, Any] | None = None
    """What it found in containers, cells and attributes from outside; None while it is being inferred."""
    keys: list[HeapKey] = field(default_factory=list[HeapKey])
    """The containers, cells and attributes from outside that it changes."""
    state: list[Form] = field(default_factory=list[Form])
    """The forms of what they hold, before a call of it and afterwards."""
    joiner: Joiner | None = None
    before: dict[HeapKey, Any] = field(default_factory=dict[HeapKey, Any])
    """What everything held when its inference began."""
    assumes: set[str] = field(default_factory=set[str])
    """The names of the specialisations whose results, as far as these were known then, it goes by: its own, if it calls
    itself."""

    @property
    def is_wide(self) -> bool:
        """Whether calls with other extents, or lists of other lengths, fit it."""
        return bool(self.own) or any(isinstance(form, ListForm) for form in self.forms)


class _StateWidened(Exception):
    """A recursive call changes what another round of a specialisation must start from."""

    def __init__(self, spec: Specialisation) -> None:
        super().__init__(spec.name)
        self.spec = spec


def discovered(infer: Infer, source: FunctionSource) -> None:
    """A function was found to call itself: start anew, knowing it."""
    infer.assumptions.recursive.add(source.graph)
    raise Restart


def call(infer: Infer, source: FunctionSource, env: dict[Var, Value], values: Sequence[Value]) -> Value:
    """Call a recursive function."""
    _require_tags(infer, values)
    captured = _captured_by(infer, source, env)
    _adopt_lists(infer, source, captured, values)
    joiner = Joiner(infer, infer.heap.next_key + 1)
    joiner.moves_arguments = joiner.moves_lists = True
    joiner.look_for_sharing(values)
    arg_forms = tuple(joiner.form_of(v, runtime=True) for v in values)
    signature = (source.graph, tuple(map(_key_of, arg_forms)))
    found = _known(infer, signature, captured, arg_forms, values)
    if found is None:
        _pool_lists(infer, values, arg_forms, _running(infer, source, captured))
        given = arg_forms
        arg_forms, own = _widened(infer, source, captured, given, values)
        signature = (source.graph, tuple(map(_key_of, arg_forms)))
        if len(_running(infer, source, captured)) >= _MOST_SIGNATURES:
            raise infer.unsupported(
                f"{source.name} calls itself with arguments of ever other types",
                "arguments whose types (and nesting of containers) stay the same, or a loop",
            )
        inside = (*_calls_of(source), infer.binding)
        spec = Specialisation(fresh_name(infer, source.name), infer.place(), inside, arg_forms, own)
        version = sum(k[:2] == (signature, captured) for k in infer.recursions.made)
        infer.recursions.made[signature, captured, version] = spec
        code = getattr(source.function, "__code__", None)
        part = infer.budget.part(SPECIALISED, infer.span, infer.place(), source.graph, source.name, code)
        with part, infer.heap.recording() as read:
            _solve(infer, source, env, arg_forms, spec)
        spec.read = {k: v for k, v in read.items() if k not in spec.keys}
        passed_forms, dims = recursion_arguments.fitted(infer, arg_forms, own, given, values) or (given, _NO_DIMS)
        found = spec, passed_forms, dims
    spec, passed_forms, dims = found
    _note_assumed(infer, spec)
    if spec.keys and infer.attempts:
        raise infer.unsupported(
            f"calling the recursive function {spec.name}, which changes a container, closure variable "
            "or attribute outside it, in a `try`",
            "pass the value as an argument and return the new one",
        )
    known = (*spec.keys, *spec.state)
    if spec.read is None:
        _add_keys(infer, spec, infer.heap.changed_since(spec.before))
    contents = held(infer.heap.state, spec.keys)
    spec.state = _with_state(infer, spec, contents)
    if (*spec.keys, *spec.state) != known:
        raise _StateWidened(spec)
    passed = zip((*passed_forms, *spec.state), (*values, *contents), strict=True)
    atoms = [a for f, v in passed for a in forms.flatten(infer, f, v)]
    joiner.move(infer.heap.state)
    if infer.attempts:
        trying.before_call(infer)
    if spec.result is None:
        infer.builder.emit(CALL, atoms, {"callee": spec.name}, types=())
        raise Unreachable
    results = recursion_arguments.results_there((spec.result, *spec.state), _found_anew(infer), dims)
    types = tuple(t for f in results for t in forms.atom_types(f))
    outs = iter(infer.builder.emit(CALL, atoms, {"callee": spec.name}, types=types))
    result, *left = (forms.unflatten(infer, form, outs) for form in results)
    branching.restore_held(infer, spec.keys, left)
    return result


_NO_DIMS: recursion_arguments.Dims = {}
_Found = tuple[Specialisation, Sequence[Form], recursion_arguments.Dims]
"""A specialisation, the forms in which its arguments are passed, and what its own symbols stand for."""


def _known(
    infer: Infer, signature: Any, captured: Any, given: tuple[Form, ...], values: Sequence[Value]
) -> _Found | None:
    """The specialisation that a call fits, made with the same captured values, and with what it read as it is now."""
    for key, spec in infer.recursions.made.items():
        if key[0][0] is not signature[0] or key[1] != captured or (key[0] != signature and not spec.is_wide):
            continue
        passed = recursion_arguments.fitted(infer, spec.forms, spec.own, given, values)
        if passed is None and key[0] != signature:
            continue
        if spec.read is None or (
            all(infer.heap.get(k) is v for k, v in spec.read.items()) and _takes_state(infer, spec)
        ):
            forms_passed, dims = passed or (given, _NO_DIMS)
            return spec, forms_passed, dims
    return None


def _widened(
    infer: Infer, source: FunctionSource, captured: Any, given: tuple[Form, ...], values: Sequence[Value]
) -> tuple[tuple[Form, ...], frozenset[Dim]]:
    """The signature for a call that none fits: a wider one if the function has come to call itself with arguments of
    several extents, or lists of several lengths."""
    running = _running(infer, source, captured)
    made = recursion_arguments.widened(infer, running[-1].forms, given) if len(running) >= _MOST_EXTENTS else None
    exact = given, frozenset[Dim]()
    for wanted, own in (made or exact, exact):
        there = tuple(map(recursion_arguments.with_own_lists, wanted))
        if recursion_arguments.fitted(infer, there, own, given, values) is not None:
            return there, own
    return exact


def _running(infer: Infer, source: FunctionSource, captured: Any) -> list[Specialisation]:
    """The specialisations of a function that are being inferred."""
    return [
        s for k, s in infer.recursions.made.items() if k[0][0] is source.graph and k[1] == captured and s.read is None
    ]


def _note_assumed(infer: Infer, spec: Specialisation) -> None:
    """A specialisation is called: those being inferred within one whose result it goes by do so, too."""
    running = [s.name for s in infer.recursions.solving]
    for name in spec.assumes if spec.read is not None else (spec.name,):
        if name in running:
            for within in infer.recursions.solving[running.index(name) :]:
                within.assumes.add(name)


def _require_tags(infer: Infer, values: Sequence[Value]) -> None:
    """Strings from outside in a tuple that a function calls itself with mostly say what the other items are
    (`('+', a, b)`): start anew with them known, so that not every form of a tuple is taken to be possible
    everywhere."""
    if not infer.assumptions.knows_strings:
        return
    tags = [tag for value in values if isinstance(value, Tuple) for tag in _strings_in(value)]
    texts = [infer.inputs.strings.get(tag.atom) for tag in tags]
    if len(tags) > _MOST_TAGS or not all(text is not None and len(text) <= _LONGEST_TAG for text in texts):
        return
    if missing := {root for tag in tags for root in tag.roots} - infer.assumptions.statics:
        infer.assumptions.add_statics(missing)
        raise Restart


def _strings_in(value: Tuple) -> Iterator[String]:
    for item in value.items:
        if isinstance(item, String):
            yield item
        elif isinstance(item, Tuple):
            yield from _strings_in(item)


def _pool_lists(
    infer: Infer, values: Sequence[Value], given: Sequence[Form], running: Sequence[Specialisation]
) -> None:
    """Start anew with lists in pools, if a function calls itself with other lists than those it was called with, which
    are used afterwards: there they are told apart by numbers, and one specialisation serves them all."""
    if not running or infer.assumptions.lists is Lists.UNPOOLED:
        return
    if not any(_are_other_lists(a, b) for a, b in zip(given, running[-1].forms, strict=True)):
        return
    infer.assumptions.begin_pools()
    places = {
        infer.pooling.births.get(v.key) for v in values if isinstance(v, Reference) and infer.heap.pooled(v) is None
    }
    parameters = {
        s.inside: s.place for s in infer.recursions.solving
    }  # made of others, which were moved where the function was called
    moved = {parameters[place] for place in places if place in parameters}
    found = places - parameters.keys() - infer.assumptions.births - {None}
    if found or not moved <= infer.assumptions.kept:
        infer.assumptions.births |= found
        infer.assumptions.kept |= moved
        raise Restart


def _adopt_lists(infer: Infer, source: FunctionSource, captured: Any, values: Sequence[Value]) -> None:
    """Lists of the program's own that a function gets for which it has come to get lists in pools: in a pool they need
    no specialisation each."""
    if not infer.pooling.is_used:
        return
    made = [spec for key, spec in infer.recursions.made.items() if key[0][0] is source.graph and key[1] == captured]
    pooled = {k for spec in made for k, form in enumerate(spec.forms) if isinstance(form, PooledForm)}
    for k in pooled:
        value = values[k]
        if isinstance(value, Reference) and value.key >= infer.scope_from and infer.heap.pooled(value) is None:
            representations.adopt_list(infer, value)


def _are_other_lists(a: Form, b: Form) -> bool:
    """Whether a call gets another list than the one before, which keeps its identity, or one in a pool."""
    if isinstance(b, PooledForm):
        return not isinstance(a, PooledForm)
    return _is_list_itself(a) and _is_list_itself(b) and not same_value(a.value, b.value)  # type: ignore[union-attr]


def _is_list_itself(form: Form) -> bool:
    return isinstance(form, Same) and isinstance(form.value, Reference) and form.value.kind is list


def _takes_state(infer: Infer, spec: Specialisation) -> bool:
    """Whether what a finished specialisation changes has the forms it was made for."""
    return _with_state(infer, spec, held(infer.heap.state, spec.keys)) == spec.state


def _with_state(infer: Infer, spec: Specialisation, contents: Sequence[Value]) -> list[Form]:
    """The forms of what a specialisation changes, joined with those of what that holds now."""
    joiner = spec.joiner
    assert joiner is not None
    new = [joiner.form_of(v, runtime=True) for v in contents]
    try:
        return [joiner.join(a, b) for a, b in zip(spec.state, new, strict=True)]
    except NotOneFormError:
        raise infer.unsupported(
            f"a list gets items of several types in the recursive function {spec.name}", "items of one type"
        ) from None


def _add_keys(infer: Infer, spec: Specialisation, changed: Sequence[HeapKey]) -> None:
    """Take in what was found to change."""
    joiner = spec.joiner
    assert joiner is not None

    def own_extent() -> Dim:
        made = fresh_symbol()
        joiner.widened.add(made)
        return made

    new = [k for k in changed if k not in spec.keys]
    spec.keys += new
    found = [joiner.form_of(v, runtime=True) for v in held(spec.before, new)]
    spec.state += [recursion_arguments.with_own_lists(form, own_extent) for form in found]


def _captured_by(infer: Infer, source: FunctionSource, env: Mapping[Var, Value]) -> Any:
    """A key of the values that a function uses from around it, and of what captured arrays mean at this time."""
    used = (env[v] for v in free_variables(source.graph) if v in env)
    return (infer.inputs.overriding(), *(_identity(infer, v, ()) for v in used))


def _identity(infer: Infer, value: Value, inside: tuple[int, ...]) -> Any:
    """`inside`: the environments of the functions that the value was found in."""
    match value:
        case Static():
            return ("static", type(value.value), _hashable(value.value))
        case Number() | Array() | Union():
            atom = value.atom
            return atom if isinstance(atom, Var) else ("literal", atom.type, _hashable(atom.value))
        case Tuple():
            return (value.cls, *(_identity(infer, item, inside) for item in value.items))
        case Function() if id(value.environment) in inside:
            return value.source.graph
        case Function():
            graph = value.source.graph
            inside = (*inside, id(value.environment))
            used = (value.environment[v] for v in free_variables(graph) if v in value.environment)
            return (graph, *(_identity(infer, v, inside) for v in used))
        case Reference() | Cell():
            return (type(value), value.key)
        case _:
            return value


def _calls_of(source: FunctionSource) -> tuple[Any, ...]:
    """What stands for the calls that lead into a recursive function: its places are the same ones in all
    specialisations."""
    return (("recursive", source.graph),)


def _key_of(form: Form) -> Any:
    match form:
        case Same():
            value = form.value
            return ("static", type(value.value), _hashable(value.value)) if isinstance(value, Static) else value
        case NumberForm():
            return form.type
        case BoxedForm():
            return ("boxed", form.kind)
        case ArrayForm():
            return (form.type, form.category)
        case CompositeForm():
            return (form.kind, form.extra, tuple(map(_key_of, form.items)))
        case UnionForm() | MixedForm():
            return (type(form), tuple(map(_key_of, form.members)))
        case MaybeForm():
            return ("maybe", _key_of(form.form))
        case PooledForm():
            return form
        case ListForm():
            columns = recursion_arguments.key_of_columns(form.columns)
            return ("list", None if form.element is None else _key_of(form.element), columns, form.reference)


class _Same:
    """An object that cannot be hashed, equal to itself alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return repr(value) if isinstance(value, float) else value


def _solve(
    infer: Infer, source: FunctionSource, env: dict[Var, Value], arg_forms: tuple[Form, ...], spec: Specialisation
) -> None:
    outer = infer.builder, infer.calls, infer.caller, infer.binding
    around = infer.attempts, infer.caught, infer.recursions.is_inside
    infer.attempts, infer.caught, infer.recursions.is_inside = [], [], True
    infer.calls, infer.caller = _calls_of(source), None
    solved, infer.loops.solved = infer.loops.solved, {}
    spec.before = before = infer.heap.snapshot()
    spec.joiner = joiner = Joiner(infer, infer.heap.next_key + 1, grows=True)
    known = set(infer.recursions.made)
    moves_from, infer.moves_from = infer.moves_from, joiner.new_keys_from
    infer.recursions.solving.append(spec)
    try:
        for number in range(_MOST_ROUNDS):
            _forget(infer, known, spec)
            spec.assumes.clear()
            infer.builder = GraphBuilder(spec.name, source.span)
            if not infer.budget.passed(spec.result, *spec.state) and number >= _ROUNDS_OF_GROWTH:
                break
            started: tuple[Form | None, ...] = (spec.result, *spec.state)
            try:
                result = _run(infer, source, dict(env), arg_forms, spec)
            except _StateWidened as widened:
                if widened.spec is not spec:
                    raise
                infer.heap.restore(before)
                continue
            changed = infer.heap.changed_since(before)
            left = held(infer.heap.state, spec.keys)
            joiner.look_for_sharing(left if result is None else [result, *left])
            if result is not None:
                new = joiner.form_of(result, runtime=True)
                spec.result = new if spec.result is None else joiner.join(spec.result, new)
                spec.state = _with_state(infer, spec, left)
            settled = (spec.result, *spec.state) == started
            ends = [] if spec.result is None else [spec.result, *spec.state]
            is_final = spec.name not in spec.assumes and spec.state == list(started[1:])  # nothing went by what it gave
            if is_final and recursion_arguments.has_extents_of(ends, arg_forms):
                started, settled = (spec.result, *spec.state), True
            if settled and all(k in spec.keys for k in changed):
                values = [] if result is None else [result, *left]
                ends = [f for f, _ in zip(started, values, strict=False) if f is not None]
                there = recursion_arguments.results_there(ends, _found_anew(infer), {dim: dim for dim in spec.own})
                atoms = [a for f, v in zip(there, values, strict=True) for a in forms.flatten(infer, f, v)]
                infer.modules[spec.name] = infer.builder.finish(atoms)
                return
            infer.heap.restore(before)
            _add_keys(infer, spec, changed)
        raise infer.unsupported(f"the type that {source.name} returns never settles", "return one type on every path")
    finally:
        infer.recursions.solving.pop()
        infer.loops.solved = solved
        infer.builder, infer.calls, infer.caller, infer.binding = outer
        infer.attempts, infer.caught, infer.recursions.is_inside = around
        infer.moves_from = moves_from
        infer.heap.restore(before)


def _found_anew(infer: Infer) -> set[Dim]:
    """The extents that differ from one call of a recursive function to another."""
    return set[Dim]().union(
        *(spec.joiner.widened for spec in infer.recursions.made.values() if spec.joiner is not None)
    )


def _forget(infer: Infer, known: set[Any], spec: Specialisation) -> None:
    """Drop the specialisations found in the last round that went by what was known of a result then, or use what only
    that round had."""
    found = {key: made for key, made in infer.recursions.made.items() if key not in known}
    dropped = {key for key, made in found.items() if not _outlasts_round(infer, made, spec)}
    names = {found[key].name for key in dropped}
    callees = {key: callees_in(infer.modules[found[key].name]) for key in found if key not in dropped}
    while further := [key for key, called in callees.items() if key not in dropped and not called.isdisjoint(names)]:
        dropped.update(further)
        names.update(found[key].name for key in further)
    for key in dropped:
        infer.modules.pop(infer.recursions.made.pop(key).name, None)


def _outlasts_round(infer: Infer, made: Specialisation, spec: Specialisation) -> bool:
    if made.read is None or spec.name in made.assumes or any(k not in spec.before for k in made.keys):
        return False
    return not free_variables(infer.modules[made.name])


def _run(
    infer: Infer, source: FunctionSource, env: dict[Var, Value], arg_forms: tuple[Form, ...], spec: Specialisation
) -> Value | None:
    values: list[Value] = []
    for form in (*arg_forms, *spec.state):
        atoms = [infer.builder.param("x", t) for t in forms.atom_types(form)]
        values.append(forms.unflatten(infer, form, iter(atoms)))
    branching.restore_held(infer, spec.keys, values[len(arg_forms) :])
    names, infer.local_names = infer.local_names, source.variables
    infer.bind(source.graph.params, values[: len(arg_forms)], env)
    try:
        return infer.run(source.graph, env)[0]
    except Unreachable:
        return None
    finally:
        infer.local_names = names
