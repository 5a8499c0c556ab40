"""What MindSpore says to a function's source before it computes anything: statements that it does not parse, and names
that not every path defines.

    if c:
        v = x
    return v    # UnboundLocalError: The local variable 'v' is not defined in false branch, but defined in true branch.

The source is gone through in its order, with what is known of each name there; the first thing refused is the answer.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType
from typing import Final, NoReturn, TypeAlias
from weakref import WeakKeyDictionary

from jitcore.frontend.fetch import fetch
from jitcore.source import CompileError

Names: TypeAlias = "dict[str, str | None]"
"""The names that a path has met: None of one that has a value, else why it has none."""

_STATEMENTS: Final = (
    ast.Try, ast.TryStar, ast.Delete, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Nonlocal, ast.Match,
    ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith,
)  # fmt: skip
_EXPRESSIONS: Final = (ast.NamedExpr, ast.Set, ast.SetComp, ast.Yield, ast.YieldFrom, ast.Await)
_LEAVING: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_RAISED: Final = (
    "AssertionError", "AttributeError", "BaseException", "EnvironmentError", "Exception", "IOError", "IndentationError",
    "IndexError", "KeyError", "KeyboardInterrupt", "MemoryError", "NameError", "NotImplementedError", "OSError",
    "OverflowError", "RuntimeError", "RuntimeWarning", "StopIteration", "TypeError", "UnboundLocalError",
    "ValueError", "ZeroDivisionError",
)  # fmt: skip
_known: WeakKeyDictionary[FunctionType, BaseException | None] = WeakKeyDictionary()


class _RefusedError(Exception):
    """Ends going through a source: `error` is the answer."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


def refused(function: FunctionType) -> BaseException | None:
    """The answer to a function of the user's, by its source; None of one without source."""
    known = _known[function] if function in _known else _checked(function)
    if type(known) is not NameError:  # which the module may define before the next call
        _known[function] = known
    return None if known is None else type(known)(*known.args)


def _checked(function: FunctionType) -> BaseException | None:
    try:
        node = fetch(function).node
    except CompileError:
        return None
    try:
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        stored.update(n.name for n in ast.walk(node) if isinstance(n, ast.FunctionDef) and n is not node)
        around = {*function.__globals__, *dir(builtins), *function.__code__.co_freevars}
        _Source(frozenset(stored - around), frozenset(around), function).function(node, {})
    except _RefusedError as found:
        return found.error
    return None


def _refuse(error: BaseException) -> NoReturn:
    raise _RefusedError(error)


def of_lambda(function: FunctionType) -> BaseException | None:
    """The answer to a lambda that is to be compiled where its line is more than the lambda, or an assignment of it:
    that line is parsed, not the lambda."""
    try:
        parsed = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):
        return None
    value = getattr(parsed, "value", None)
    return None if isinstance(value, ast.Lambda) else _no_lambda(value)


def _no_lambda(found: object) -> TypeError:
    message = f"Parse Lambda Function Fail. Node type must be Lambda, but got {type(found).__name__}. "
    return TypeError(message + "Please check lambda expression to make sure it is defined on a separate line.")


class _Source:
    """A walk through the statements of a function in the order in which MindSpore parses them. `assigned`: the names
    that are variables of the function, and of nothing around it; `around`: those that are defined around it."""

    def __init__(self, assigned: frozenset[str], around: frozenset[str], whole: FunctionType) -> None:
        self.assigned = assigned
        self.around = around
        self.whole = whole
        self.is_certain = True
        """Whether it stands outside of all branches and loops."""
        self.is_inner = False
        """Whether it stands in an inner function, or after one."""
        self.constants: dict[str, bool] = {}
        """Variables that hold a bool written there, which are known as conditions."""

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, outer: Names) -> None:
        """A function with the names around it."""
        if isinstance(node, ast.AsyncFunctionDef):
            _refuse(_no_lambda(None))
        args = node.args
        positional = [] if self.is_inner else args.posonlyargs  # which an inner function does not have
        self.is_inner = True
        every = [*positional, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
        names: Names = {**outer, **dict.fromkeys(a.arg for a in every)}
        if isinstance(node, ast.Lambda):
            self.expression(node.body, names)
        else:
            self.block(node.body, names)

    def block(self, body: Sequence[ast.stmt], names: Names) -> bool:
        """Statements in order, up to one that leaves, which change `names`; whether there is none that leaves."""
        return all(self.statement(statement, names) for statement in body)

    def statement(self, node: ast.stmt, names: Names) -> bool:
        """One statement; whether what follows it is reached."""
        if isinstance(node, _STATEMENTS):
            _refuse(RuntimeError(f"Unsupported statement '{type(node).__name__}'."))
        match node:
            case ast.If():
                with self._uncertain():
                    return self._if(node, names)
            case ast.While() | ast.For():
                with self._uncertain():
                    self._loop(node, names)
            case ast.FunctionDef():
                names[node.name] = None
                self.function(node, names)
            case ast.Raise():
                self._raise(node, names)
            case ast.With():
                for item in node.items:
                    self._manager(item.context_expr)
                    self.expression(item.context_expr, names)
                    self._assign(item.optional_vars, names)
                return self.block(node.body, names)
            case ast.AugAssign():
                if isinstance(node.target, ast.Name):
                    self._read(node.target.id, names)
                self.expression(node.value, names)
                self._assign(node.target, names)
            case ast.Assign() | ast.AnnAssign():
                self.expression(node.value, names)
                constant = node.value.value if isinstance(node.value, ast.Constant) else None
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self._assign(target, names)
                    if isinstance(target, ast.Name) and isinstance(constant, bool):
                        self.constants[target.id] = constant
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.expression(child, names)
        return not isinstance(node, _LEAVING)

    @contextmanager
    def _uncertain(self) -> Generator[None]:
        before, self.is_certain = self.is_certain, False
        try:
            yield
        finally:
            self.is_certain = before

    def _if(self, node: ast.If, names: Names) -> bool:
        self.expression(node.test, names)
        if isinstance(node.test, ast.Name) and node.test.id in self.constants:
            return self.block(node.body if self.constants[node.test.id] else node.orelse, names)
        then, other = dict(names), dict(names)
        reached = self.block(node.body, then), self.block(node.orelse, other)
        names.clear()
        if all(reached):
            names.update(self._joined(then, other))
        else:
            names.update(then if reached[0] else other)
        return any(reached)

    def _loop(self, node: ast.While | ast.For, names: Names) -> None:
        kind = type(node).__name__.lower()
        if node.orelse:
            _refuse(RuntimeError(f"The '{kind}...else...' statement is not supported now."))
        self.expression(node.test if isinstance(node, ast.While) else node.iter, names)
        self.constants.clear()
        inside = dict(names)
        if isinstance(node, ast.For):
            for target in node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]:
                _require_name(target)
            self._assign(node.target, inside)
        self.block(node.body, inside)
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for name in (stored & self.assigned) - names.keys():
            names[name] = (
                f"The local variable '{name}' defined in the '{kind}' loop body cannot be used outside of the loop "
                f"body. Please define variable '{name}' before '{kind}'."
            )

    def _raise(self, node: ast.Raise, names: Names) -> None:
        if node.exc is None:
            return
        called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not isinstance(called, ast.Name) and called is node.exc:
            _refuse(RuntimeError("Unable to cast Python instance of type <class 'NoneType'> to C++ type 'std::string'"))
        if isinstance(called, ast.Attribute) and called is not node.exc and self.is_certain:
            _refuse(RuntimeError("No active exception to reraise."))
        if isinstance(called, ast.Name) and called.id not in _RAISED:
            _refuse(
                RuntimeError(
                    f"Unsupported exception type: {called.id}. Raise only support some Python standard exception "
                    f"types: {', '.join(_RAISED)}."
                )
            )
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, names)

    def _assign(self, target: ast.expr | None, names: Names) -> None:
        match target:
            case None:
                pass
            case ast.Name():
                names[target.id] = None
                self.constants.pop(target.id, None)
            case ast.Tuple() | ast.List():
                for item in target.elts:
                    self._assign(item, names)
            case ast.Starred():
                self._assign(target.value, names)
            case _:
                self.expression(target, names)

    def expression(self, node: ast.expr | None, names: Names) -> None:
        """An expression, whose names are read where it stands."""
        if isinstance(node, _EXPRESSIONS):
            _refuse(RuntimeError(f"Unsupported expression '{type(node).__name__}'."))
        match node:
            case None:
                pass
            case ast.Name():
                self._read(node.id, names)
            case ast.Constant():
                _constant(node.value)
            case ast.Lambda():
                self.function(node, names)
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node, names)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr | ast.keyword):
                        self.expression(child if isinstance(child, ast.expr) else child.value, names)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, names: Names) -> None:
        count = len(node.generators)
        if count != 1:
            kind = "DictComp/GeneratorExp" if isinstance(node, ast.DictComp) else "ListComp/GeneratorExp"
            _refuse(
                TypeError(f"The 'generators' supports 1 'comprehension' in {kind}, but got {count} comprehensions.")
            )
        (generator,) = node.generators
        self.expression(generator.iter, names)
        inside = dict(names)
        self._assign(generator.target, inside)
        values: Iterable[ast.expr] = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for part in (*generator.ifs, *values):
            self.expression(part, inside)

    def _manager(self, node: ast.expr) -> None:
        """What `with` opens must not be made by a function."""
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        known = self.whole.__globals__.get(name, getattr(builtins, name, None)) if name else None
        if isinstance(known, FunctionType | BuiltinFunctionType):
            _refuse(TypeError("issubclass() arg 1 must be a class"))

    def _read(self, name: str, names: Names) -> None:
        why = names.get(name)
        if why is not None:
            _refuse(UnboundLocalError(why))
        if name not in names and name not in self.around:
            _refuse(NameError(f"The name '{name}' is not defined, or not supported in graph mode."))

    def _joined(self, then: Names, other: Names) -> Names:
        """What is known after two paths."""
        made: Names = {}
        for name in {**then, **other}:
            if name in then and name in other:
                made[name] = then[name] or other[name]
            elif name in self.assigned:
                has, lacks = ("true", "false") if name in then else ("false", "true")
                why = then.get(name) or other.get(name)
                made[name] = (
                    why or f"The local variable '{name}' is not defined in {lacks} branch, but defined in {has} branch."
                )
        return made


def _require_name(target: ast.expr) -> None:
    """Items and attributes are no variables of loops."""
    inner = target
    while isinstance(inner, ast.Subscript | ast.Attribute):
        inner = inner.value
    if inner is not target and isinstance(inner, ast.Name):
        _refuse(NameError(f"The name '{inner.id}' is not defined, or not supported in graph mode."))


def _constant(value: object) -> None:
    if isinstance(value, complex):
        _refuse(TypeError(f"Unsupported Constant type : {value}"))
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        _refuse(RuntimeError("Unable to cast Python instance of type <class 'int'> to C++ type 'long'"))
