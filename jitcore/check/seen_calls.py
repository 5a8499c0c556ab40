"""Calls that a file's text tells whole: their inference, the very one that a run would do, and what could not be told.

Nothing of the file is run but literals, names bound once to what can be told, and calls of NumPy's and jitcore's
functions that make arrays; functions are made from their text, without their decorators. Nothing is compiled to machine
code.
"""

from __future__ import annotations

import ast
import builtins
import dis
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from jitcore.check.compiled import Compiled, functions_of
from jitcore.check.names import UNKNOWN, Assigned, Definition, File, Imported, Scope, resolve
from jitcore.check.unbound import is_unbound, maker
from jitcore.frontend import source_of
from jitcore.frontend.agreement import bare
from jitcore.frontend.fetch import Fetched, register
from jitcore.frontend.files import SourceFile
from jitcore.library.core.marking import is_library
from jitcore.passes.infer import Environment, infer
from jitcore.runtime.arguments import Call, PastWordError, UnfitError, may_go_by_items
from jitcore.runtime.descriptions import describe, describe_captured
from jitcore.runtime.tensor import Tensor
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass, field

_MOST_CALLS: Final = 8
"""Of one function that are inferred."""
_MOST_ELEMENTS: Final = 10_000_000
"""Of an array that is made to know its type."""
_DEPTH: Final = 30
"""Of expressions and the names in them, each defined by the next."""

_OPERATORS: Final[Mapping[type, Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_BUILTINS: Final = (
    abs,
    bool,
    complex,
    dict,
    float,
    int,
    len,
    list,
    max,
    min,
    range,
    round,
    set,
    sorted,
    str,
    sum,
    tuple,
)
_OF_FILES: Final = (
    "load",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "fromregex",
    "memmap",
    "save",
    "tofile",
    "open",
    "dump",
)
"""Functions and methods of NumPy and Tensors, by what their names begin with, that read or write files."""


class UntoldError(Exception):
    """The text does not tell a value; the reason."""


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """A compiled function that was checked by its text alone, and why."""

    compiled: Compiled
    reason: str


@dataclass(slots=True, eq=False)
class Seen:
    """What inference refused of one function's calls, or why it was not asked."""

    problems: list[Problem] = field(default_factory=list[Problem])
    unseen: Unseen | None = None


def infer_calls(source: SourceFile, names: File, compiled: Compiled) -> Seen:
    """What inference refuses of the calls of a function that the text tells."""
    if names.module.bindings.get(compiled.definition.name, [])[-1:] != [compiled.definition]:
        return Seen(unseen=Unseen(compiled, "a method, or a function defined in another"))
    teller, seen, reason = _Teller(source, names), Seen(), "no call of it was found"
    told: dict[str, None] = {}
    for call, scope in _calls_of(names, compiled):
        try:
            args, keywords = teller.arguments(call, scope)
            function = teller.function(compiled.definition)
            refused = _refused(function, args, keywords)
        except UntoldError as error:
            reason = f"line {call.lineno}: {error}"
            continue
        reason = ""
        fresh = [p for p in refused if str(p) not in told]
        told.update(dict.fromkeys(map(str, fresh)))
        seen.problems += fresh
    if reason and not seen.problems:
        seen.unseen = Unseen(compiled, reason)
    return seen


def _calls_of(names: File, compiled: Compiled) -> list[tuple[ast.Call, Scope]]:
    """Calls of a function in code that is not part of it."""
    found = [
        (node, scope)
        for node, scope in names.uses
        if isinstance(node, ast.Call)
        and compiled.definition in functions_of(names, node.func, scope)
        and all(around.node is not compiled.definition.node for around in scope.chain())
    ]
    return found[:_MOST_CALLS]


def _refused(function: FunctionType, args: Sequence[Any], keywords: Mapping[str, Any]) -> Sequence[Problem]:
    """What inference refuses of a call. Raises UntoldError where it cannot be asked."""
    span = source_of(function).span
    try:
        shapes = Call.of(args, keywords).shapes
    except UnfitError as unfit:
        return [Problem(span, unfit.problem, unfit.hint)]
    except PastWordError:
        raise UntoldError("an int past 64 bits") from None
    problems: Sequence[Problem] = ()
    for columns in (True, False) if may_go_by_items(args, keywords) else (True,):
        rest = iter(shapes)
        try:
            described = [describe(a, rest, columns=columns) for a in args]
            named = {k: describe(keywords[k], rest, columns=columns) for k in sorted(keywords)}
            infer(Environment(source_of, describe_captured), function, described, named, function.__name__, span)
        except CompileError as error:
            problems = error.problems
        else:
            return ()
    return problems


class _Teller:
    """Tells the values of a file's expressions, as far as its text does."""

    def __init__(self, source: SourceFile, names: File) -> None:
        self._source = source
        self._names = names
        self._globals: dict[str, Any] = {
            "__name__": Path(source.name).stem,
            "__builtins__": __builtins__,
            "__file__": source.name,
            **dict.fromkeys(("__cached__", "__doc__", "__package__", "__spec__")),
        }
        self._functions: dict[Definition, FunctionType] = {}

    def arguments(self, call: ast.Call, scope: Scope) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call."""
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            raise UntoldError("arguments given by * or **")
        args = [self.value(a, scope) for a in call.args]
        return args, {str(k.arg): self.value(k.value, scope) for k in call.keywords}

    def value(self, node: ast.expr, scope: Scope, depth: int = _DEPTH) -> Any:
        """The value of an expression. Raises UntoldError."""
        if not depth:
            raise UntoldError("values made of values too many times over")

        def part(inner: ast.expr) -> Any:
            return self.value(inner, scope, depth - 1)

        match node:
            case ast.Constant():
                return node.value
            case ast.Tuple():
                return tuple(map(part, node.elts))
            case ast.List():
                return list(map(part, node.elts))
            case ast.Dict() if all(k is not None for k in node.keys):
                return {part(k): part(v) for k, v in zip(node.keys, node.values, strict=True) if k is not None}
            case ast.UnaryOp() if type(node.op) in _OPERATORS:
                return self._computed(node, _OPERATORS[type(node.op)], part(node.operand))
            case ast.BinOp() if type(node.op) in _OPERATORS:
                return self._computed(node, _OPERATORS[type(node.op)], part(node.left), part(node.right))
            case ast.Name():
                return self._named(node.id, scope, depth)
            case ast.Attribute():
                return self._computed(node, getattr, part(node.value), node.attr)
            case ast.Call() if all(k.arg is not None for k in node.keywords):
                called, args = part(node.func), list(map(part, node.args))
                keywords = {str(k.arg): part(k.value) for k in node.keywords}
                return self._called(node, called, args, keywords)
            case _:
                raise UntoldError(f"the value of `{ast.unparse(node)}` is not told by the text")

    def _computed(self, node: ast.expr, function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return function(*args, **keywords)
        except Exception as error:
            raise UntoldError(f"`{ast.unparse(node)}` raises {type(error).__name__}") from None

    def _called(self, node: ast.Call, called: Any, args: list[Any], keywords: dict[str, Any]) -> Any:
        if not _makes_values(called):
            raise UntoldError(f"the value of `{ast.unparse(node)}` is not told by the text")
        sizes = [n for a in (*args, *keywords.values()) for n in (a if isinstance(a, tuple | list) else (a,))]
        if math.prod(n for n in sizes if type(n) is int and n > 1) > _MOST_ELEMENTS:
            raise UntoldError(f"`{ast.unparse(node)}` may be too large to be made here")
        return self._computed(node, called, *args, **keywords)

    def _named(self, name: str, scope: Scope, depth: int) -> Any:
        bindings = scope.lookup(name)
        if not bindings:
            found = resolve(f"builtins.{name}")
            if found is not UNKNOWN:
                return found
        if len(bindings) == 1:
            match bindings[0]:
                case Imported(qualified):
                    found = resolve(qualified)
                    if found is not UNKNOWN:
                        return found
                case Definition() as definition if definition.around is self._names.module:
                    return self.function(definition)
                case Assigned(value) if value is not None:
                    holder = next(s for s in scope.chain() if name in s.bindings)
                    return self.value(value, holder, depth - 1)
                case _:
                    pass
        maker = None if any(name in s.bindings for s in scope.chain()) else self._maker()
        raise UntoldError(f"what {name!r} is, is not told by the text{f': {maker} may bind it' if maker else ''}")

    # --- functions --------------------------------------------------------------------------------------

    def function(self, definition: Definition) -> FunctionType:
        """A function of the file, with all that it and what it calls read of the module. Raises UntoldError."""
        known = self._functions.get(definition)
        if known is not None:
            return known
        functions, names = dict(self._functions), dict(self._globals)
        try:
            return self._made(definition)
        except UntoldError:  # what was made on the way lacks names: others that need it make it anew
            self._functions = functions
            self._globals.clear()
            self._globals.update(names)
            raise

    def _made(self, definition: Definition) -> FunctionType:
        node: Any = bare(definition.node)
        if not isinstance(node, ast.FunctionDef):
            raise UntoldError(f"{definition.name} is no plain function")
        code = compile(ast.Module(body=[node], type_ignores=[]), self._source.name, "exec", dont_inherit=True)
        (own,) = (c for c in code.co_consts if isinstance(c, CodeType))
        made = self._functions[definition] = FunctionType(own, self._globals, definition.name)
        register(made, Fetched(node, self._source, None))
        self._globals[definition.name] = made
        arguments, around = definition.node.args, definition.around
        made.__defaults__ = tuple(self.value(d, around) for d in arguments.defaults) or None
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        made.__kwdefaults__ = {a.arg: self.value(d, around) for a, d in named if d is not None} or None
        for name in sorted(_globals_of(own)):
            if name not in self._globals and self._may_be_bound(name):
                self._globals[name] = self._named(name, self._names.module, _DEPTH)
        return made

    def _maker(self) -> str | None:
        return maker(self._names, self._source.lines)

    def _may_be_bound(self, name: str) -> bool:
        """Whether a name that functions read is, or may be, one of the module: not a builtin, nor one that raises
        NameError."""
        module = self._names.module
        if is_unbound(name, module):
            return self._maker() is not None
        return bool(module.lookup(name)) or not hasattr(builtins, name)


def _globals_of(code: CodeType) -> set[str]:
    """The names that code, and code in it, reads of its module or the builtins."""
    inner = (c for c in code.co_consts if isinstance(c, CodeType))
    own = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*map(_globals_of, inner))


def _makes_values(called: Any) -> bool:
    """Whether calling an object makes a number, container or array and does nothing else that lasts."""
    name = getattr(called, "__name__", "")
    if called in _BUILTINS or called is Tensor:
        return True
    if not callable(called) or name.startswith(_OF_FILES) or isinstance(called, ModuleType):
        return False
    owner = getattr(called, "__self__", None)
    if isinstance(owner, np.ndarray | np.generic | np.random.RandomState | Tensor):
        return True
    if isinstance(called, type):
        return issubclass(called, np.generic | Tensor)
    if is_library(called):
        return True
    of_numpy = str(getattr(called, "__module__", None)).partition(".")[0] == "numpy"
    return (of_numpy and not isinstance(owner, type)) or (isinstance(called, BuiltinFunctionType) and owner is math)
