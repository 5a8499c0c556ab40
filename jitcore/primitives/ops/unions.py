"""Tagged unions: values that may be of one type or another at run time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jitcore.primitives.core.registry import Builtin, Nondifferentiable, Sample, Structural, declare
from jitcore.types import INT, TupleType, Type, UnionType


def member_types(member: Type) -> tuple[Type, ...]:
    """The types of the atoms that make up a member of a union."""
    return member.items if isinstance(member, TupleType) else (member,)


def _make_rule(*args: Type, type: UnionType, tag: int) -> Type:
    want = member_types(type.members[tag])
    if args != want:
        raise TypeError(f"union_make: member {tag} of {type!r} is made of {want}, not {args}")
    return type


def _tag_rule(union: Type) -> Type:
    if not isinstance(union, UnionType):
        raise TypeError(f"union_tag: {union!r} is not a union")
    return INT


def _get_rule(union: Type, *, index: int) -> tuple[Type, ...]:
    if not isinstance(union, UnionType):
        raise TypeError(f"union_get: {union!r} is not a union")
    return member_types(union.members[index])


def _no_samples() -> Iterable[Sample]:
    return ()


def _make(*xs: Any, type: UnionType, tag: int) -> Any:
    return (tag, xs)


def _get(union: Any, *, index: int) -> Any:
    tag, items = union
    if tag != index:
        raise ValueError(f"member {index} read from a union that holds member {tag}")
    return items[0] if len(items) == 1 else items


union_make = declare(
    "union_make",
    "*xs",
    rule=_make_rule,
    reference=_make,
    lowering=Builtin(memory="shared"),
    derivative=Structural("union"),
    samples=_no_samples,
    doc="The union `type` holding its member number `tag`, made of the arguments.",
)
union_tag = declare(
    "union_tag",
    "union",
    rule=_tag_rule,
    reference=lambda union: union[0],
    lowering=Builtin(),
    derivative=Nondifferentiable("it is locally constant"),
    samples=_no_samples,
    doc="The number of the member a union holds.",
)
union_get = declare(
    "union_get",
    "union",
    rule=_get_rule,
    reference=_get,
    lowering=Builtin(memory="shared"),
    derivative=Structural("union"),
    samples=_no_samples,
    doc="The parts of member `index`; meaningless unless the union holds that member.",
)
