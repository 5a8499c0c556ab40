"""From a fetched function to its untyped graph: check, desugar, resolve scopes, lower."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Sequence
from types import CodeType, FunctionType

import gast

from jitcore.frontend import assignment, desugar, scopes, subset
from jitcore.frontend.agreement import bare
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.fetch import fetch
from jitcore.frontend.files import SourceFile
from jitcore.frontend.lowering import calls, conditions, expressions, functions, generators, loops, statements, trying
from jitcore.frontend.lowering.function import Unit
from jitcore.frontend.scopes import Scope
from jitcore.frontend.survey import identifiers, survey
from jitcore.ir.python import FunctionSource, Parameter, Reading
from jitcore.source import Problem, Span, UnsupportedError
from jitcore.structs import dataclass

__all__ = ["Prepared", "build", "parameters_of", "prepare"]

_CONSTRUCTS = (calls, conditions, expressions, functions, generators, loops, statements, trying)
"""The modules that register what they build."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A function desugared and with its names resolved, ready to be built for any closure it has."""

    file: SourceFile
    scope: Scope
    temporaries: Temporaries


def prepare(function: FunctionType, reading: Reading | None = None) -> Prepared:
    """Find, check and desugar a function. Raises CompileError, or UnsupportedError with every unsupported construct."""
    fetched = fetch(function)
    code = function.__code__
    tree = gast.ast_to_gast(bare(fetched.node))
    if reading is not None:
        tree = reading.rewrite(tree, function)
    found = survey(tree)
    problems = subset.check(tree, fetched.file, code.co_name, found=found, shadowed=_not_builtins(function))
    problems += _own_builtins(function, fetched.file)
    if problems:
        raise UnsupportedError(problems, f"{function.__qualname__} is not compiled")
    temporaries = Temporaries(identifiers(found) | {*code.co_freevars, *code.co_names})
    if desugar.expand(tree, found, temporaries):
        found = survey(tree)
    desugar.rename(found, fetched.class_name, temporaries)
    scope = scopes.analyse(tree, frozenset(code.co_freevars))
    assignment.analyse(scope, by_value=reading is not None and reading.captures_values)
    desugar.restructure(tree, found, temporaries)
    return Prepared(fetched.file, scope, temporaries)


def build(prepared: Prepared, function: FunctionType) -> FunctionSource:
    """The graph of a function, which may be any with the code that was prepared."""
    unit = Unit(function, prepared.file, prepared.temporaries)
    return functions.outermost(unit, prepared.scope, parameters_of(function))


def parameters_of(function: FunctionType) -> Sequence[Parameter]:
    """The parameters of a Python function, in the order of its graph's."""
    code = function.__code__
    names = code.co_varnames
    count = code.co_argcount
    without_default = count - len(function.__defaults__ or ())
    found: list[Parameter] = []
    for k, name in enumerate(names[:count]):
        kind = "POSITIONAL_ONLY" if k < code.co_posonlyargcount else "POSITIONAL_OR_KEYWORD"
        found.append(Parameter(name, kind, k >= without_default))
    keywords = names[count : count + code.co_kwonlyargcount]
    starred = list(names[count + len(keywords) :])
    if code.co_flags & inspect.CO_VARARGS:
        found.append(Parameter(starred.pop(0), "VAR_POSITIONAL", False))
    defaults = function.__kwdefaults__ or {}
    found += [Parameter(name, "KEYWORD_ONLY", name in defaults) for name in keywords]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found.append(Parameter(starred.pop(0), "VAR_KEYWORD", False))
    return tuple(found)


def _own_builtins(function: FunctionType, file: SourceFile) -> list[Problem]:
    """A problem if the builtins that a function reads are not Python's: its module has a `__builtins__` of its own."""
    own, pythons = function.__builtins__, builtins.__dict__
    if own is pythons:
        return []
    names = sorted(
        n for n in _global_names(function.__code__) - {*function.__globals__} if own.get(n) is not pythons.get(n)
    )
    if not names:
        return []
    code = function.__code__
    span = Span(file.name, code.co_firstlineno, 0, code.co_firstlineno, 0, code.co_name)
    message = f"{', '.join(names)}: the module has builtins of its own (__builtins__)"
    return [Problem(span, message, "global variables of these names")]


def _global_names(code: CodeType) -> set[str]:
    inner = (_global_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return {*code.co_names}.union(*inner)


def _not_builtins(function: FunctionType) -> set[str]:
    """Names that mean something other than the builtin of that name."""
    code: CodeType = function.__code__
    return {*function.__globals__, *code.co_freevars}
