"""Programs as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from jitcore.compat.paddle.dtypes import dtype
from jitcore.compat.paddle.static.statements import Backward, Call, If, Initial, Loop, Statement
from jitcore.compat.paddle.static.variables import Variable


def text_of(variables: Iterable[Variable], statements: Iterable[Statement]) -> str:
    """The lines of a block: its Variables, then its statements."""
    lines = [str(variable) for variable in variables]
    lines += [line for statement in statements for line in _lines(statement)]
    return "".join(f"    {line}\n" for line in lines)


def _lines(statement: Statement) -> Iterable[str]:
    if isinstance(statement, Call):
        given = [_text(arg) for arg in statement.args]
        given += [f"{name}={_text(arg)}" for name, arg in statement.keywords.items()]
        function = getattr(statement.function, "__name__", str(statement.function)).strip("_")
        yield f"{_text(statement.outputs)} = {function}({', '.join(given)})"
    elif isinstance(statement, If):
        yield f"if {_text(statement.condition)}:"
        for name, part, results in zip(("then", "else"), statement.parts, statement.results, strict=True):
            yield f"  {name}:"
            yield from (f"    {line}" for inner in part.statements for line in _lines(inner))
            yield from (f"    {line}" for line in _assigned(statement.outputs, results))
    elif isinstance(statement, Loop):
        yield from _assigned(statement.carried, statement.initial)
        yield "while:"
        yield from (f"    {line}" for inner in statement.test.statements for line in _lines(inner))
        yield f"  {_text(statement.condition)}:"
        yield from (f"    {line}" for inner in statement.body.statements for line in _lines(inner))
        yield from (f"    {line}" for line in _assigned(statement.carried, statement.results))
    elif isinstance(statement, Initial):
        yield f"{statement.variable.name} = initial(shape={list(statement.value.shape)})"
    else:
        assert isinstance(statement, Backward)
        yield f"{_text(statement.gradients)} = gradients({_text(statement.targets)}, {_text(statement.by)})"


def _assigned(targets: Sequence[object], values: Sequence[object]) -> Iterable[str]:
    if targets:
        yield f"{_text(targets)} = {_text(values)}"


def _text(tree: object) -> str:
    if isinstance(tree, Variable):
        return tree.name
    if isinstance(tree, tuple | list):
        inner = ", ".join(map(_text, cast("tuple[object, ...]", tree)))
        return f"[{inner}]" if isinstance(tree, list) else f"({inner})"
    if isinstance(tree, Mapping):
        entries = cast("Mapping[object, object]", tree).items()
        return "{" + ", ".join(f"{key!r}: {_text(item)}" for key, item in entries) + "}"
    if isinstance(tree, bool | int | float | str | slice | None):
        return repr(tree)
    return str(tree if isinstance(tree, dtype) else getattr(tree, "__name__", f"<{type(tree).__name__}>"))
