"""What MindSpore's functions written in Python check, and the words of each: `'For ops.mse_loss, the
`input` must be tensor'`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import signatures
from jitcore.compat.mindspore.refusals.naming import class_name, dtype_name, kind_name, object_name, type_text, word
from jitcore.compat.mindspore.refusals.shapes import ints, known, repeated
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand, of_object

Given = Mapping[str, Operand]
Unlike = Callable[[str, Sequence[Operand], Mapping[str, Operand]], "BaseException | None"]
Check = Callable[[Given, Unlike], Any]
Checks = tuple[Check | str, ...]
FLOATS: Final = "float16 float32 float64 bfloat16"
ENOUGH: Final = object()
"""That nothing more is checked."""
_UNTOLD: Final = ("object", "union", "instance", "npscalar")


def _class(x: Operand) -> str:
    return "mindspore.common.tensor.Tensor" if x.kind == "tensor" else class_name(x)


def _refusal(error: type[Exception], text: str, x: Operand) -> Exception:
    """An exception; MindSpore quotes the texts of those that it raises while compiling, but for those that speak of a
    Tensor."""
    filled = text.format(
        cls=f"<class '{_class(x)}'>",
        name=class_name(x),
        word=f"{x.kind} of Any" if x.kind in ("tuple", "list") else word(x),
        type=type_text(x),
        value=shown(x),
        dtype=dtype_name(x.dtype) if x.kind == "tensor" else type_text(x),
    )
    return error(filled.removeprefix("'").removesuffix("'") if x.kind == "tensor" and text.startswith("'") else filled)


def shown(x: Operand) -> str:
    """A value, as `str` writes it."""
    if x.kind in ("tuple", "list"):
        inner = ", ".join(repr(i.value) for i in x.items)
        return f"[{inner}]" if x.kind == "list" else f"({inner}{',' if len(x.items) == 1 else ''})"
    return str(x.value)


def is_of(x: Operand, kinds: Sequence[str]) -> bool:
    """Whether an operand is of one of the kinds; `tuple of int` names the kind of all items."""
    for kind in kinds:
        container, _, item = kind.partition(" of ")
        if x.kind in (container, *_UNTOLD) and (not item or all(is_of(i, [item]) for i in x.items)):
            return True
    return False


def kinds(argument: str, allowed: str, text: str, error: type[Exception] = TypeError) -> Check:
    """An argument is of one of the kinds."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        return None if is_of(x, allowed.split(", ")) else _refusal(error, text, x)

    return check


def each(argument: str, allowed: str, text: str, error: type[Exception] = TypeError) -> Check:
    """The items of a tuple or list are of one of the kinds; `{index}` is the place of one that is not, and `{sequence}`
    are all."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        for k, item in enumerate(x.items if x.kind in ("tuple", "list") else ()):
            if not is_of(item, allowed.split(", ")):
                return _refusal(error, text.replace("{index}", str(k)).replace("{sequence}", shown(x)), item)
        return None

    return check


def value_type(argument: str, allowed: str, who: str, name: str = "") -> Check:
    """An argument is of one of the types that MindSpore's validator takes, exactly."""
    listed = allowed.split(", ")
    types = f"'{listed[0]}'" if len(listed) == 1 else "one of '[" + ", ".join(f"'{t}'" for t in listed) + "]'"
    return kinds(
        argument, allowed, f"For '{who}', the type of '{name or argument}' should be {types}, but got type '{{name}}'."
    )


def has(argument: str, attribute: str) -> Check:
    """An argument is a Tensor, as it has an attribute."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        if x.kind in ("tensor", "ndarray", *_UNTOLD):
            return None
        return AttributeError(f"'{missing_name(x)}' object has no attribute '{attribute}'")

    return check


def missing_name(x: Operand) -> str:
    """How a missing attribute's message names what is no Tensor."""
    return {"int": "Int", "float": "Float", "bool": "Bool", "none": "NoneType"}.get(x.kind) or (
        kind_name(x) if x.kind != "str" else object_name(x)
    )


def values(argument: str, allowed: Sequence[Any], text: str, error: type[Exception] = ValueError) -> Check:
    """An argument is one of the values."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        known_value = x.value if x.kind not in ("tuple", "list") else shown(x)
        if known_value is UNKNOWN and x.kind != "tensor":
            return None
        return (
            None
            if any(type(v) is type(known_value) and v == known_value for v in allowed)
            else _refusal(error, text, x)
        )

    return check


def positive(argument: str, text: str, *, zero: bool = False) -> Check:
    """An int is positive (`zero`: or 0)."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        if not isinstance(x.value, int | float) or x.value > 0 or (zero and x.value == 0):
            return None
        return _refusal(ValueError, text, x)

    return check


def dtypes(argument: str, allowed: str, text: str) -> Check:
    """A Tensor or number is of one of the dtypes."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        x = given[argument]
        if x.kind not in ("tensor", "int", "float", "bool"):
            return None
        name = dtype_name(x.dtype) if x.kind == "tensor" else type_text(x)
        if name.lower() in allowed.split():
            return None
        return TypeError(text.format(dtype=name, mstype=f"mindspore.{name.lower()}"))

    return check


def in_range(argument: str, of: str, text: str, *, more: int = 0, error: type[Exception] = ValueError) -> Check:
    """An int, or each of several, is an axis of a Tensor."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        shape = known(given[of])
        if shape is None:
            return None
        x = given[argument]
        rank = max(len(shape) + more, 1)
        for item in x.items if x.kind in ("tuple", "list") else (x,):
            if isinstance(item.value, int) and not -rank <= item.value < rank:
                return error(text.format(rank=rank, last=rank - 1, value=item.value))
        return None

    return check


def unique(argument: str, of: str, text: str, error: type[Exception] = ValueError) -> Check:
    """Axes of a Tensor are given once each."""

    def check(given: Given, unlike: Unlike) -> Exception | None:
        shape, axes = known(given[of]), ints(given[argument])
        twice = None if not shape or axes is None else repeated(axes, len(shape))
        if twice is None or shape is None or axes is None:
            return None
        return error(text.format(value=tuple(axis % len(shape) for axis in axes), axis=twice))

    return check


def ranked(argument: str, ranks: Container[int], text: str, error: type[Exception] = ValueError) -> Check:
    """A Tensor has one of the ranks; `{rank}` is that of one that has another."""

    def find(given: Given) -> Exception | None:
        x = given[argument]
        return error(text.format(rank=len(x.shape))) if x.kind == "tensor" and len(x.shape) not in ranks else None

    return told(find)


def told(find: Callable[[Given], Exception | None]) -> Check:
    """A check that asks about no operator."""
    return lambda given, unlike: find(given)


def when(test: Callable[[Given], bool], *then: Check | str) -> Check:
    """Checks that are made where a test holds, instead of those that follow."""

    def check(given: Given, unlike: Unlike) -> Any:
        return run(then, given, unlike) or ENOUGH if test(given) else None

    return check


def alone(argument: str, allowed: str, *then: Check | str) -> Check:
    """Checks that are made of an argument that is not of the kinds."""

    def check(given: Given, unlike: Unlike) -> Any:
        return None if is_of(given[argument], allowed.split(", ")) else run(then, given, unlike)

    return check


def run(checks: Sequence[Check | str], given: Given, unlike: Unlike) -> Any:
    """The answer of the first check that has one."""
    for check in checks:
        found = _operator(check, given, unlike) if isinstance(check, str) else check(given, unlike)
        if found is not None:
            return found
    return None


_CALL: Final = re.compile(r"(\w+)\((.*?)\)\((.*)\)$")


def _operator(text: str, given: Given, unlike: Unlike) -> BaseException | None:
    found = _CALL.match(text)
    assert found is not None, text
    name, options, operands = found.groups()
    settings = {k: _value(v, given) for k, _, v in (p.partition("=") for p in signatures.split(options))}
    return unlike(name, [_value(p, given) for p in signatures.split(operands)], settings)


def _value(text: str, given: Given) -> Operand:
    return given[text] if text in given else _literal(text)


@cache
def _literal(text: str) -> Operand:
    return of_object(ast.literal_eval(text))
