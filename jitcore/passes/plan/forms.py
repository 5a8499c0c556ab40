"""How values are laid out in registers where control flow joins, in calls and on stacks.

A form is made once for a join, from the types; then

    operands = flatten(p, form, value, give)      on every side
    (value,) = rebuild(p, [form], [type], registers)    after it

Arrays that join are contiguous; places keep their strides. Extents travel only where the two sides cannot both name
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.code import NULL, bare_symbol
from jitcore.passes.plan.values import (
    NOTHING,
    ArrayValue,
    Holding,
    Nothing,
    Roots,
    ScalarValue,
    StackValue,
    TupleValue,
    UnionValue,
    Value,
)
from jitcore.program.nodes import Imm, Operand, Reg
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import (
    Dim,
    DimExpr,
    DType,
    NoneType,
    RefType,
    ScalarType,
    Shape,
    StackType,
    TensorType,
    TupleType,
    Type,
    UndefinedType,
    UnionType,
    i64,
)

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

Give: TypeAlias = "Callable[[Holding], None]"
"""Called with every holding a flattened value has: hands its count on, or does nothing where it is only lent."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """One register: a Python number, the element of a rank-0 array, or a stack (dtype None)."""

    dtype: DType | None


@dataclass(frozen=True, slots=True)
class ArrayForm:
    """Data, owner, the extents of the axes in `passed`, and with `strided` all strides."""

    target: TensorType
    passed: tuple[int, ...]
    strided: bool


@dataclass(frozen=True, slots=True)
class UnionForm:
    members: tuple[TupleForm, ...]


@dataclass(frozen=True, slots=True)
class TupleForm:
    items: tuple[Form, ...]


Form: TypeAlias = "NumberForm | ArrayForm | UnionForm | TupleForm"


def member_types(member: Type) -> tuple[Type, ...]:
    """The types of the parts of a union's member."""
    return member.items if isinstance(member, TupleType) else (member,)


def make_forms(types: Sequence[Type], is_passed: Callable[[Dim], bool]) -> list[Form]:
    """The forms of the values that join together. `is_passed`: whether an extent must travel."""
    seen: set[Dim] = set()
    return [_make(t, is_passed, seen) for t in types]


def _make(type_: Type, is_passed: Callable[[Dim], bool], seen: set[Dim], in_union: bool = False) -> Form:
    match type_:
        case ScalarType(dtype):
            return NumberForm(dtype)
        case StackType():
            return NumberForm(None)
        case NoneType() | UndefinedType():
            return TupleForm(())
        case TensorType(dtype, ()):
            return NumberForm(dtype)
        case TensorType() | RefType():
            target = type_.target if isinstance(type_, RefType) else type_
            passed = [k for k, d in enumerate(target.shape) if d not in seen and is_passed(d)]
            if not in_union:  # the extents of a union's member may be there or not
                seen.update(target.shape[k] for k in passed if bare_symbol(target.shape[k]))
            return ArrayForm(target, tuple(passed), isinstance(type_, RefType))
        case TupleType(items):
            return TupleForm(tuple(_make(t, is_passed, seen, in_union) for t in items))
        case UnionType(members):
            parts = (member_types(m) for m in members)
            return UnionForm(
                tuple(TupleForm(tuple(_make(t, is_passed, set(seen), True) for t in types)) for types in parts)
            )
        case _:
            raise InternalError(f"values of type {type_!r} cannot be planned")


def is_runtime(dim: Dim) -> bool:
    """Every extent not known at compile time travels: calls and stacks, whose sides do not share symbols."""
    return isinstance(dim, DimExpr)


def registers(p: Planner, form: Form, hint: str) -> Iterator[Reg]:
    """New registers for a form."""
    for dtype in slots(form):
        yield p.code.register(hint, dtype)


def slots(form: Form) -> Iterator[DType | None]:
    """The types of a form's registers."""
    match form:
        case NumberForm(dtype):
            yield dtype
        case ArrayForm(target, passed, strided):
            yield None
            yield None
            for _ in range(len(passed) + (target.rank if strided else 0)):
                yield i64
        case UnionForm(members):
            yield i64
            for member in members:
                yield from slots(member)
        case TupleForm(items):
            for item in items:
                yield from slots(item)


def zeros(form: Form) -> list[Operand]:
    """Operands for a value that is not there."""
    return [Imm(0, None) if d is None else Imm(d.numpy.type(0).item(), d) for d in slots(form)]


def flatten(p: Planner, form: Form, value: Value, give: Give) -> list[Operand]:
    """The operands of a value; `give` is called for the memory they refer to."""
    match form, value:
        case NumberForm(), ScalarValue() | StackValue():
            return [value.operand]
        case NumberForm(), ArrayValue():
            return [p.element(value)]
        case ArrayForm(), ArrayValue():
            return _flatten_array(p, form, value, give)
        case UnionForm(), UnionValue():
            operands: list[Operand] = [value.tag]
            for member, parts in zip(form.members, value.members, strict=True):
                if parts or not member.items:
                    operands += _flatten_all(p, member.items, parts, give)
                else:  # known to be absent
                    operands += zeros(member)
            return operands
        case TupleForm(), TupleValue():
            return _flatten_all(p, form.items, value.items, give)
        case TupleForm(()), Nothing():
            return []
        case _:
            raise InternalError(f"{value!r} does not fit {form!r}")


def _flatten_all(p: Planner, forms: Sequence[Form], values: Sequence[Value], give: Give) -> list[Operand]:
    return [o for form, value in zip(forms, values, strict=True) for o in flatten(p, form, value, give)]


def _flatten_array(p: Planner, form: ArrayForm, value: ArrayValue, give: Give) -> list[Operand]:
    if not form.strided:
        value = p.settled(value)
    layout = value.layout
    assert value.data is not None
    operands = [value.data, value.holding.owner]
    give(value.holding)
    operands += [p.code.number(layout.shape[k]) for k in form.passed]
    if form.strided:
        operands += [p.code.number(s) for s in layout.strides]
    return operands


def rebuild(
    p: Planner,
    forms: Sequence[Form],
    types: Sequence[Type],
    operands: Sequence[Operand],
    holding: Callable[[Operand], Holding],
    roots: Sequence[Roots],
) -> list[Value]:
    """The values behind the registers of forms, seen with `types` (whose bare symbols are introduced).

    `holding` makes the holding of an owner; `roots` are the memory the places among the values may lie in.
    """
    taken = iter(operands)
    parts = [[next(taken) for _ in slots(form)] for form in forms]
    for in_union in (False, True):
        for form, type_, regs in zip(forms, types, parts, strict=True):
            _bind(p, form, type_, iter(regs), in_union, isinstance(type_, UnionType))
    return [
        _rebuild(p, form, type_, iter(regs), holding, root)
        for form, type_, regs, root in zip(forms, types, parts, roots, strict=True)
    ]


def _bind(p: Planner, form: Form, type_: Type, regs: Iterator[Operand], unions: bool, inside: bool) -> None:
    """Introduce the bare symbols among the extents that travelled; first outside of unions, then inside."""
    match form:
        case ArrayForm(target, passed, strided):
            next(regs)
            next(regs)
            shape = _target(type_).shape
            for k in passed:
                extent = next(regs)
                name = bare_symbol(shape[k])
                if name is not None and inside == unions and p.introduces(name):
                    p.code.bind(name, p.code.dimension(extent))
            for _ in range(target.rank if strided else 0):
                next(regs)
        case UnionForm(members):
            assert isinstance(type_, UnionType)
            next(regs)
            for member, m in zip(members, type_.members, strict=True):
                for item, t in zip(member.items, member_types(m), strict=True):
                    _bind(p, item, t, regs, unions, True)
        case TupleForm(items):
            for item, t in zip(items, _items(type_), strict=True):
                _bind(p, item, t, regs, unions, inside)
        case NumberForm():
            next(regs)


def _rebuild(
    p: Planner, form: Form, type_: Type, regs: Iterator[Operand], holding: Callable[[Operand], Holding], roots: Roots
) -> Value:
    match form, type_:
        case NumberForm(), TensorType(dtype, _):
            return p.element_value(dtype, next(regs))
        case NumberForm(), StackType():
            return StackValue(next(regs))
        case NumberForm(), _:
            return ScalarValue(next(regs))
        case ArrayForm(), _:
            return _rebuild_array(p, form, type_, regs, holding, roots)
        case UnionForm(), UnionType(members):
            tag = next(regs)
            rebuilt: list[tuple[Value, ...]] = []
            for member, m in zip(form.members, members, strict=True):
                pairs = zip(member.items, member_types(m), strict=True)
                rebuilt.append(tuple(_rebuild(p, f, t, regs, holding, roots) for f, t in pairs))
            return UnionValue(tag, tuple(rebuilt))
        case TupleForm(()), NoneType() | UndefinedType():
            return NOTHING
        case TupleForm(items), _:
            pairs = zip(items, _items(type_), strict=True)
            return TupleValue(tuple(_rebuild(p, f, t, regs, holding, roots) for f, t in pairs))
        case _:
            raise InternalError(f"{type_!r} does not fit {form!r}")


def _rebuild_array(
    p: Planner,
    form: ArrayForm,
    type_: Type,
    regs: Iterator[Operand],
    holding: Callable[[Operand], Holding],
    roots: Roots,
) -> ArrayValue:
    data, owner = next(regs), next(regs)
    extents = {k: next(regs) for k in form.passed}
    shape: list[Dim] = []
    for k, dim in enumerate(_target(type_).shape):
        if p.code.is_resolvable(dim):
            shape.append(p.code.resolve(dim))
        elif k in extents:
            shape.append(p.code.dimension(extents[k]))
        else:
            shape.append(p.code.resolve(form.target.shape[k]))
    layout = ArrayLayout.contiguous(form.target.dtype, tuple(shape))
    if form.strided:
        strides: Shape = tuple(p.code.dimension(next(regs)) for _ in shape)
        layout = ArrayLayout(form.target.dtype, tuple(shape), strides)
    is_place = isinstance(type_, RefType)
    held = holding(owner) if owner != NULL else Holding(NULL, None)
    return ArrayValue(layout, data, held, roots if is_place else frozenset())


def _target(type_: Type) -> TensorType:
    target = type_.target if isinstance(type_, RefType) else type_
    assert isinstance(target, TensorType)
    return target


def _items(type_: Type) -> tuple[Type, ...]:
    return type_.items if isinstance(type_, TupleType) else ()
