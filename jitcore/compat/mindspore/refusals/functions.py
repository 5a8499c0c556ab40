"""Calls of the functions of `ops` that MindSpore writes in Python: their parameters, and what they check before they
call an operator.

The table `parameters.txt` holds the parameters of each (`!`: by name alone). `CHECKS` has what the functions look at,
in order; the first that refuses is the answer. A check is one of those of `function_checks.py`, or an operator that is
called: `"CumProd()(input, dim)"`, its constructor's arguments and its operands by the function's parameters or as
literals. `*` names the arguments beyond the parameters.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache

from jitcore.compat.mindspore.refusals import tables, user_calls
from jitcore.compat.mindspore.refusals.function_checks import Unlike, run
from jitcore.compat.mindspore.refusals.function_facts import CHECKS
from jitcore.compat.mindspore.refusals.method_facts import METHODS
from jitcore.passes.infer.domain.callees import Parameters
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A function's parameters, and the values of those that need not be given."""

    parameters: Parameters
    defaults: dict[str, Operand]


@cache
def _table() -> dict[str, Function]:
    return dict(parsed(line) for line in tables.lines("parameters"))


def parsed(line: str) -> tuple[str, Function]:
    """A function of the table: `name(parameter, other=default, !by_name)`."""
    name, _, rest = line.removesuffix(")").partition("(")
    words = [w for w in rest.split(", ") if w]
    plain = [w for w in words if not w.startswith("*")]
    names = tuple(w.lstrip("!").partition("=")[0] for w in plain)
    texts = {n: w.partition("=")[2] for n, w in zip(names, plain, strict=True) if "=" in w}
    parameters = Parameters(
        names,
        tuple(n for n, w in zip(names, plain, strict=True) if not w.startswith("!")),
        tuple(texts),
        any(w.startswith("*") and not w.startswith("**") for w in words),
        any(w.startswith("**") for w in words),
    )
    return name, Function(parameters, {n: _default(t) for n, t in texts.items()})


def _default(text: str) -> Operand:
    try:
        return of_object(ast.literal_eval(text))
    except (ValueError, SyntaxError):  # a dtype, or an object
        return Operand("dtype" if re.fullmatch(r"\w*(Float|Int|Bool|float|int|bool)\d*_?", text) else "object")


def names() -> tuple[str, ...]:
    """The functions of the table."""
    return tuple(_table())


def has(name: str) -> bool:
    """Whether the table has a function."""
    return name in _table()


def parameters(name: str) -> tuple[str, ...]:
    """The names of a function's parameters."""
    return _table()[name].parameters.names


def declared(name: str) -> Parameters:
    """A function's parameters."""
    return _table()[name].parameters


def miscounted(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What MindSpore says to a call of a function whose arguments are too few, too many or unknown."""
    return user_calls.answer(_table()[name].parameters, args, keywords, name)


def refused(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], unlike: Unlike
) -> BaseException | None:
    """What MindSpore says to a call that has the right number of arguments, if it refuses it; `unlike` tells of
    operands of an operator."""
    function = _table()[name]
    given: dict[str, Operand] = {
        **function.defaults,
        **dict(zip(function.parameters.positional, args, strict=False)),
        **keywords,
    }
    if function.parameters.open_arguments:
        given["*"] = Operand("tuple", items=tuple(args[len(function.parameters.positional) :]))
    found = run(CHECKS.get(name, ()), given, unlike)
    return found if isinstance(found, BaseException) else None


def checked(name: str) -> bool:
    """Whether there are checks of a function's arguments."""
    return name in CHECKS


@cache
def _method(name: str) -> Function:
    return parsed(f"{name}({METHODS[name][0]})")[1]


def refused_method(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand], unlike: Unlike
) -> BaseException | None:
    """What MindSpore says to a call of a method, the Tensor first, of which one form takes the arguments' types."""
    if name not in METHODS:
        return None
    method, tensor, rest = _method(name), args[0], args[1:]
    names = method.parameters.positional
    given: dict[str, Operand] = {
        **method.defaults,
        **dict(zip(names, rest, strict=False)),
        **keywords,
        "input": tensor,
        "tensor": tensor,
    }
    if len(rest) > len(names) or not set(keywords) <= set(names) or not set(names) <= set(given):
        return None  # another form's
    found = run(METHODS[name][1], given, unlike)
    return found if isinstance(found, BaseException) else None
