"""The arguments of a call bound to a function's parameters, with CPython's messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from jitcore.ir.python import Parameter
from jitcore.passes.infer.domain.values import (
    PythonError,
    Tuple,
    Value,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


Keywords: TypeAlias = Mapping[str, Value]
"""The arguments of a call that are given by name."""


def bind_arguments(
    infer: Infer,
    name: str,
    parameters: Sequence[Parameter],
    args: Sequence[Value],
    keywords: Keywords,
    defaults: Mapping[str, Value],
) -> list[Value]:
    """One value for each parameter. Raises TypeError with CPython's messages."""
    positional = [p for p in parameters if p.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    bound: dict[str, Value] = {p.name: a for p, a in zip(positional, args, strict=False)}
    extra = list(args[len(positional) :])
    rest: dict[str, Value] = {}
    by_name = {p.name for p in parameters if p.kind in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")}
    kinds = {p.kind for p in parameters}
    _require_no_positional_only(name, parameters, keywords if "VAR_KEYWORD" not in kinds else {})
    for key, value in keywords.items():
        if key not in by_name:
            rest[key] = value
        elif key in bound:
            raise PythonError(TypeError(f"{name}() got multiple values for argument '{key}'"))
        else:
            bound[key] = value
    if extra and "VAR_POSITIONAL" not in kinds:
        raise PythonError(TypeError(_too_many(name, positional, defaults, len(args))))
    if rest and "VAR_KEYWORD" not in kinds:
        raise PythonError(TypeError(f"{name}() got an unexpected keyword argument '{next(iter(rest))}'"))
    _require_all(name, parameters, bound, defaults)
    out: list[Value] = []
    for p in parameters:
        if p.kind == "VAR_POSITIONAL":
            out.append(Tuple(tuple(extra)))
        elif p.kind == "VAR_KEYWORD":
            out.append(infer.heap.new(dict, rest))
        else:
            out.append(bound[p.name] if p.name in bound else defaults[p.name])
    return out


def _require_no_positional_only(name: str, parameters: Sequence[Parameter], keywords: Keywords) -> None:
    named = [p.name for p in parameters if p.kind == "POSITIONAL_ONLY" and p.name in keywords]
    if named:
        message = f"{name}() got some positional-only arguments passed as keyword arguments: '{', '.join(named)}'"
        raise PythonError(TypeError(message))


def _too_many(name: str, positional: Sequence[Parameter], defaults: Mapping[str, Value], given: int) -> str:
    most = len(positional)
    least = most - sum(p.name in defaults for p in positional)
    takes = f"from {least} to {most}" if least != most else str(most)
    plural = "" if most == 1 and least == most else "s"
    were = "was" if given == 1 else "were"
    return f"{name}() takes {takes} positional argument{plural} but {given} {were} given"


def _require_all(
    name: str, parameters: Sequence[Parameter], bound: Mapping[str, Value], defaults: Mapping[str, Value]
) -> None:
    for kinds, word in (
        (("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"), "positional"),
        (("KEYWORD_ONLY",), "keyword-only"),
    ):
        missing = [p.name for p in parameters if p.kind in kinds and p.name not in bound and p.name not in defaults]
        if missing:
            shown = [f"'{m}'" for m in missing]
            listed = (
                shown[0]
                if len(shown) == 1
                else " and ".join((", ".join(shown[:-1]) + ("," if len(shown) > 2 else ""), shown[-1]))
            )
            plural = "s" if len(missing) > 1 else ""
            raise PythonError(TypeError(f"{name}() missing {len(missing)} required {word} argument{plural}: {listed}"))
