"""What a program returns, described: the atoms that results are made of, and how."""

from __future__ import annotations

from collections.abc import Callable

from jitcore.ir.nodes import Atom, Literal, Var
from jitcore.passes.infer.domain import boxed, forms, mixed, representations
from jitcore.passes.infer.domain.forms import (
    ArrayForm,
    BoxedForm,
    CompositeForm,
    Form,
    ListForm,
    MaybeForm,
    MixedForm,
    NumberForm,
    PooledForm,
    Same,
    UnionForm,
    atom_types,
)
from jitcore.passes.infer.domain.given_lists import Given
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.signature import (
    ContainerWrite,
    Result,
    ResultAfter,
    ResultAgain,
    ResultArray,
    ResultBoxed,
    ResultChar,
    ResultConstant,
    ResultContainer,
    ResultHandle,
    ResultInput,
    ResultItem,
    ResultList,
    ResultMixed,
    ResultNumber,
    ResultObject,
    ResultPart,
    ResultParts,
    ResultPool,
    ResultPooled,
    ResultPools,
    ResultRows,
    ResultString,
    ResultText,
    ResultUnion,
)
from jitcore.passes.infer.domain.values import (
    DICT_VIEWS,
    ITERATORS,
    Array,
    Bound,
    Boxed,
    Builtin,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Maybe,
    Number,
    PartOf,
    Path,
    Range,
    Reference,
    Slice,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Undefined,
    Union,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Sequence as SequenceValue,
)
from jitcore.passes.infer.engine import outside
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.dialect import given_back
from jitcore.source import InternalError
from jitcore.types import INT, ScalarType


class Results:
    """Describes what a program returns, collecting the atoms it is made of and, in `returned`, the paths of what it
    returns as it came. Without `returned` everything is made anew: the inputs are not all known yet."""

    def __init__(self, state: Infer, atoms: list[Atom], returned: list[Path] | None = None) -> None:
        self.state = state
        self.atoms = atoms
        self.returned = returned
        self.shares_containers = False
        """Whether a list, dict or set is given twice, or is one of the code outside: then it has two names."""
        self._described: dict[int, bool] = {}
        """By key, whether the description of a container is finished: one that is not holds itself."""
        self._classes: set[type] = set()
        """Of the objects described that may be one with others."""
        self._unions: dict[Atom, int] = {}
        """The keys of unions of which a member is something that has an identity."""
        self._first: list[Result] = []
        """The objects that are to be made before the result that is being described."""
        self._pools: dict[int, ResultPool] = {}
        """The pools of which lists were described."""

    def _add(self, atom: Atom) -> int:
        self.atoms.append(atom)
        return len(self.atoms) - 1

    def describe_all(self, value: Value) -> Result:
        """The description of a value, objects that several places of it may hold included."""
        return self._whole(self.describe(value))

    def _whole(self, result: Result) -> Result:
        """A description with those of what is to be made before."""
        first = tuple(self._first)
        self._first.clear()
        result = ResultAfter(first, result) if first else result
        if self.state.wholes:
            wholes = tuple((cls, self._add(whole)) for cls, whole in self.state.wholes)
            self.state.wholes.clear()
            result = ResultParts(wholes, result)
        return ResultPools(tuple(self._pools.values()), result) if self._pools else result

    def describe(self, value: Value) -> Result:
        """The description of a value."""
        value = given_back(self.state, value)
        if isinstance(value, Reference):
            return self._container(value)
        if isinstance(value, Instance):
            return self._object(value)
        match value:
            case Static():
                return ResultConstant(value.value)
            case Number():
                return ResultNumber(self._add(value.atom))
            case Boxed():
                self.shares_containers = True
                return ResultBoxed(self._add(boxed.given_back(self.state, value)))
            case Array():
                return self._array(value)
            case Iterator() | Stream():
                raise self.state.unsupported(f"returning {value.cls.__name__}", "a list or tuple of what it gives")
            case Tuple() if value.cls in DICT_VIEWS or value.cls in ITERATORS:
                raise self.state.unsupported(f"returning {value.cls.__name__}", "a list or tuple of what it gives")
            case Tuple():
                return ResultContainer(value.cls, tuple(map(self.describe, value.items)))
            case Range():
                return ResultContainer(range, tuple(map(self.describe, (value.start, value.stop, value.step))))
            case Slice():
                return ResultContainer(slice, tuple(map(self.describe, (value.start, value.stop, value.step))))
            case Char():
                return ResultChar(self._add(value.atom))
            case Handle():
                return ResultHandle(self._add(value.atom))
            case String():
                atom = value.atom
                known = self._input(atom)
                return ResultString(self._add(atom), value.cls) if known is None else ResultInput(known)
            case Text():
                return ResultText(value.template, tuple(map(self.describe, value.values)))
            case Union() if boxed.has_boxes(self.state, value):
                return ResultBoxed(self._add(boxed.given_back(self.state, value)))
            case Union() if any(map(_holds_own_containers, value.members)):
                form = Joiner(self.state, 0).form_of(value, runtime=False)
                assert isinstance(form, UnionForm)
                (atom,) = forms.flatten(self.state, form, value)
                assert isinstance(atom, Var)
                return self.describe(Union(atom, forms.union_type(form), form.members))
            case Union():
                shares = any(map(_holds_containers, value.members))  # whose they are is not told
                self.shares_containers |= shares
                if value.atom in self._unions:
                    return ResultAgain(self._unions[value.atom])
                key = -1
                if shares or any(map(_classes_in, value.members)):
                    self.state.heap.next_key += 1
                    key = self._unions[value.atom] = self.state.heap.next_key
                for form in value.members:
                    self._require_pools(form)
                    self._require_wholes(form)
                members = tuple(_member(self.state, f, self._object_of_union) for f in value.members)
                return ResultUnion(self._add(value.atom), members, key)
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

    def _container(self, value: Reference) -> Result:
        self.shares_containers |= value.path is not None
        if value.path is not None and value.path[0] in outside.ROOTS and self.returned is not None:
            return self._returned(value.path)
        row = self.state.heap.pooled(value)
        if row is not None:
            self._require_pools(row.form)
            return ResultPooled(row.form.pool, self._add(self.state.number_atom(row.number, INT)))
        if value.key in self._described:
            if not self._described[value.key]:
                raise self.state.unsupported(f"returning a {value.kind.__name__} that holds itself")
            self.shares_containers = True
            return ResultAgain(value.key)
        self._described[value.key] = False
        if self.state.heap.buffer(value) is not None:
            made = self._list(value)
        elif value.kind is dict:
            entries = self.state.heap.entries(value)
            made = ResultContainer(dict, tuple(map(self.describe, entries.values())), tuple(entries), value.key)
        else:
            items = self.state.heap.items(value)
            made = ResultContainer(value.kind, tuple(map(self.describe, items)), key=value.key)
        self._described[value.key] = True
        return made

    def _require_pools(self, form: Form | None) -> None:
        """Describe the pools of which lists are in values of a form."""
        match form:
            case PooledForm(pool):
                element = representations.element_of_pool(self.state, form)
                if pool in self._pools:
                    return
                held = self.state.pooling.pools[pool]
                self._require_pools(element)
                starts, lengths = (self._trimmed(part)[0] for part in (held.starts, held.lengths))
                numbers = tuple(isinstance(t, ScalarType) for t in atom_types(element))
                items = _member(self.state, element)
                columns = self._trimmed(held.items)
                given = tuple(self._given(g) for g in self.state.pooling.given if g.pool == pool)
                self.shares_containers |= bool(given)
                self._pools[pool] = ResultPool(pool, starts, lengths, columns, numbers, items, given)
            case CompositeForm():
                for item in form.items:
                    self._require_pools(item)
            case UnionForm():
                for member in form.members:
                    self._require_pools(member)
            case MaybeForm():
                self._require_pools(form.form)
            case ListForm():
                self._require_pools(form.element)
            case _:
                pass

    def _require_wholes(self, form: Form | None) -> None:
        """Note the strings of which parts are in values of a form."""
        match form:
            case CompositeForm() if form.kind is PartOf:
                if form.extra not in self.state.wholes:
                    self.state.wholes.append(form.extra)
            case CompositeForm():
                for item in form.items:
                    self._require_wholes(item)
            case UnionForm():
                for member in form.members:
                    self._require_wholes(member)
            case ListForm():
                self._require_wholes(form.element)
            case _:
                pass

    def _given(self, given: Given) -> tuple[int, int]:
        if self.returned is None:
            raise self.state.unsupported("a list of lists that is an argument, in an attribute")
        first = self._add(self.state.number_atom(given.first, INT))
        return self._returned(given.path).index, first

    def change_given(self, given: Given) -> ContainerWrite:
        """What lists of the call's that are in a pool are to be given."""
        self._require_pools(PooledForm(given.pool))
        return self._finished(given.path, ResultRows(given.pool, self._given(given)), adds=False)

    def _trimmed(self, held: Reference) -> tuple[int, ...]:
        buffer = self.state.heap.buffer(held)
        assert buffer is not None
        return tuple(self._add(c.atom) for c in representations.items_of_list(self.state, buffer))

    def _object(self, value: Instance) -> Result:
        path = self.state.heap.arguments.get(value.key)
        if path is not None:
            if self.returned is None:
                raise self.state.unsupported("an object that is told by what it holds, in an attribute")
            return self._returned(path)
        row = self.state.heap.row(value)
        if row is not None:
            position = self._add(self.state.number_atom(row.position, INT))
            return ResultItem(self._container(Reference(row.list, list)), position)
        if value.key in self._described:
            self.shares_containers = True
            return ResultAgain(value.key)
        if self.state.heap.is_frozen(value):
            self._require_only(value.cls)
        self._described[value.key] = True
        names, items = list[str](), list[Result]()
        for name, held in self.state.heap.fields(value).items():
            if not isinstance(held, Undefined):
                names.append(name)
                items.append(self.describe(held))
        return ResultObject(value.cls, tuple(names), tuple(items), value.key)

    def _require_only(self, cls: type) -> None:
        """Objects of a class, which may be one with others that are returned, must be the only ones."""
        if cls in self._classes:
            raise self.state.unsupported(f"returning several objects of class {cls.__name__} that may be one")
        self._classes.add(cls)

    def _object_of_union(self, value: Instance) -> Result:
        """An object that is one of several which a value may be."""
        if self.state.heap.row(value) is not None:
            raise self.state.unsupported("returning an item of a list on some paths only")
        made = self._object(value)
        if isinstance(made, ResultInput):
            return made
        if isinstance(made, ResultObject):
            self._first.append(made)
        return ResultAgain(value.key)

    def change(self, key: int) -> ContainerWrite:
        """What a list or dict of the code outside is to be given."""
        heap = self.state.heap
        path = heap.arguments.get(key)
        if path is not None:
            held = {k: v for k, v in heap.state[key].items() if not isinstance(v, Undefined)}
            entries = ResultContainer(dict, tuple(map(self.describe, held.values())), tuple(held))
            return self._finished(path, entries, adds=False)
        target = heap.outside[key]
        assert target.path is not None
        with heap.adding():
            if heap.buffer(target) is not None:
                result = self._list(target)
            elif target.kind is dict:
                entries = heap.entries(target)
                result = ResultContainer(dict, tuple(map(self.describe, entries.values())), tuple(entries))
            else:
                result = ResultContainer(list, tuple(map(self.describe, heap.items(target))))
        return self._finished(target.path, result, adds=heap.is_log(key))

    def _finished(self, path: Path, result: Result, *, adds: bool) -> ContainerWrite:
        return ContainerWrite(path, self._whole(result), adds)

    def _returned(self, path: Path) -> ResultInput:
        """A container of the code outside: the object itself, which compiled code has not changed."""
        assert self.returned is not None
        if path not in self.returned:
            self.returned.append(path)
        return ResultInput(len(self.state.inputs.records) + self.returned.index(path))

    def _list(self, value: Reference) -> Result:
        buffer = self.state.heap.buffer(value)
        assert buffer is not None
        if buffer.element is None:
            return ResultContainer(list, (), key=value.key)
        if _holds_inputs(buffer.element):
            raise self.state.unsupported("returning a list of run-time length that holds arguments", "copies of them")
        for cls in _classes_in(buffer.element):
            self._require_only(cls)
        self._require_pools(buffer.element)
        self._require_wholes(buffer.element)
        columns = tuple(self._add(c.atom) for c in representations.items_of_list(self.state, buffer))
        numbers = tuple(isinstance(t, ScalarType) for t in atom_types(buffer.element))
        length = self._add(self.state.number_atom(buffer.length, INT))
        return ResultList(length, columns, numbers, _member(self.state, buffer.element), value.key)

    def _input(self, atom: Atom) -> int | None:
        """Which input an atom is."""
        return next((k for k, record in enumerate(self.state.inputs.records) if record.var is atom), None)

    def _array(self, value: Array) -> Result:
        for k, record in enumerate(self.state.inputs.records):
            if record.var is value.atom and value.category == record.category and not value.viewed:
                return ResultInput(k)
        if isinstance(value.atom, Literal) and value.atom.value is None:
            raise InternalError("an array without elements")
        return ResultArray(self._add(value.atom), value.category)


def _holds_inputs(element: Form) -> bool:
    """Whether arrays among a list's items may share memory with what the program got from outside."""
    match element:
        case ArrayForm():
            return element.category != "npscalar" and any(origin[0] == "input" for origin in element.origins)
        case CompositeForm():
            return any(map(_holds_inputs, element.items))
        case MixedForm():
            return any(map(_holds_inputs, element.members))
        case _:
            return False


def _classes_in(form: Form | None) -> set[type]:
    """The classes of the objects that values of a form are or have in them."""
    if not isinstance(form, CompositeForm):
        return set()
    inner = {cls for item in form.items for cls in _classes_in(item)}
    return inner | {form.extra[0]} if form.kind is Instance else inner


def _holds_own_containers(form: Form) -> bool:
    """Whether a union's member is or holds a list, dict or set that is older than the union, but not from outside."""
    match form:
        case Same(Reference() as value):
            return value.path is None
        case CompositeForm():
            return any(map(_holds_own_containers, form.items))
        case UnionForm():
            return any(map(_holds_own_containers, form.members))
        case MaybeForm():
            return _holds_own_containers(form.form)
        case _:
            return False


def _holds_containers(form: Form) -> bool:
    match form:
        case CompositeForm():
            return form.kind is Reference or any(map(_holds_containers, form.items))
        case ListForm():
            return True
        case _:
            return False


def _member(state: Infer, form: Form, known: Callable[[Instance], Result] | None = None) -> Result:
    """The description of a union's member, or of a list's item; its parts are numbered within it. `known` describes
    objects that are older."""
    count = 0

    def describe(form: Form) -> Result:
        nonlocal count
        match form:
            case Same(Instance() as value) if known is not None:
                return known(value)
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
            case MixedForm():
                kinds = mixed.kinds_in(form)
                count += len(atom_types(form))
                return ResultMixed(count - len(atom_types(form)), kinds)
            case CompositeForm() if form.kind is Tuple:
                return ResultContainer(form.extra, tuple(map(describe, form.items)))
            case CompositeForm() if form.kind is Reference:
                keys = form.extra[1] if form.extra[0] is dict else ()
                return ResultContainer(form.extra[0], tuple(map(describe, form.items)), keys)
            case CompositeForm() if form.kind is Char:
                count += 1
                return ResultChar(count - 1)
            case CompositeForm() if form.kind is Handle:
                parts = tuple(map(describe, form.items))
                if not isinstance(parts[0], ResultNumber):
                    raise state.unsupported("returning a generator on some paths only", "the generator, outside")
                return ResultHandle(parts[0].index)
            case CompositeForm() if form.kind is PartOf:
                return ResultPart(state.wholes.index(form.extra), *map(describe, form.items))
            case CompositeForm() if form.kind is String:
                count += 1
                return ResultString(count - 1, form.extra)
            case CompositeForm() if form.kind is Text:
                return ResultText(form.extra, tuple(map(describe, form.items)))
            case CompositeForm() if form.kind is Instance:
                return ResultObject(form.extra[0], form.extra[1], tuple(map(describe, form.items)))
            case CompositeForm() if form.kind in (Range, Slice):
                return ResultContainer(range if form.kind is Range else slice, tuple(map(describe, form.items)))
            case PooledForm(pool):
                count += 1
                return ResultPooled(pool, count - 1)
            case UnionForm():
                count += 1
                return ResultUnion(count - 1, tuple(_member(state, member, known) for member in form.members))
            case ListForm(None):
                count += 1
                return ResultContainer(list, ())
            case ListForm(element) if element is not None:
                if _holds_inputs(element):
                    raise state.unsupported(
                        "returning a list of run-time length that holds arguments", "copies of them"
                    )
                length, columns = count, tuple(range(count + 1, count + 1 + len(form.columns)))
                count += 1 + len(form.columns)
                numbers = tuple(isinstance(t, ScalarType) for t in atom_types(element))
                return ResultList(length, columns, numbers, _member(state, element))
            case CompositeForm() | MaybeForm() | ListForm() | BoxedForm():
                raise state.unsupported("returning a value of this kind on some paths only")

    return describe(form)


@representations.described_result.model
def described(infer: Infer, value: Value, atoms: list[Atom]) -> Result:
    """The description of a value; the atoms that it is made of are added to `atoms`."""
    return Results(infer, atoms).describe_all(value)
