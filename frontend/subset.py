"""Reports every construct of a function that is not compiled, all at once: where, why, and what to write instead."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import gast

from jitcore.frontend.files import SourceFile
from jitcore.frontend.spans import Spans
from jitcore.frontend.survey import FUNCTION_NODES, Survey, nodes, survey
from jitcore.source import Problem, Span

_COROUTINE = "coroutines run in an event loop, which compiled code has none of"

UNSUPPORTED: dict[type[Any], tuple[str, str]] = {
    gast.AsyncFunctionDef: (f"`async def`: {_COROUTINE}", "a plain function, called by the coroutine"),
    gast.AsyncFor: (f"`async for`: {_COROUTINE}", "a plain `for` over values fetched before"),
    gast.AsyncWith: (f"`async with`: {_COROUTINE}", "enter the context outside the compiled function"),
    gast.Await: (f"`await`: {_COROUTINE}", "await outside and pass the value in"),
    gast.ClassDef: (
        "a class defined inside a compiled function would be another class at each call",
        "define the class outside the function",
    ),
    gast.TryStar: ("`try … except*` is not compiled", "test for the condition before, or catch around the call"),
    gast.TypeAlias: ("a type alias inside a compiled function is not compiled", "define it outside the function"),
}

_COMPILED = frozenset(
    [
        "Assert",
        "Assign",
        "Attribute",
        "AugAssign",
        "AnnAssign",
        "BinOp",
        "BoolOp",
        "Break",
        "Call",
        "Compare",
        "Constant",
        "Continue",
        "Delete",
        "Dict",
        "DictComp",
        "Expr",
        "For",
        "FormattedValue",
        "FunctionDef",
        "GeneratorExp",
        "Global",
        "If",
        "IfExp",
        "Import",
        "ImportFrom",
        "JoinedStr",
        "Lambda",
        "List",
        "ListComp",
        "Match",
        "Name",
        "NamedExpr",
        "Nonlocal",
        "Pass",
        "Raise",
        "Return",
        "Set",
        "SetComp",
        "Slice",
        "Starred",
        "Subscript",
        "Try",
        "Tuple",
        "UnaryOp",
        "While",
        "With",
        "Yield",
        "YieldFrom",
    ]
)
"""The classes of statements and expressions that are compiled. Any other, of a later Python, is reported."""

_REFUSED_CALLS = {
    "eval": ("`eval` runs code that is not known when the function is compiled", "a function, or a table of functions"),
    "exec": ("`exec` runs code that is not known when the function is compiled", "a function, or a table of functions"),
    "compile": ("`compile` makes code that is not known when the function is compiled", "call it outside"),
    "locals": ("`locals()`: a compiled function's variables are not kept by name", "a dict of the ones needed"),
    "vars": ("`vars()`: a compiled function's variables are not kept by name", "a dict of the ones needed"),
    "dir": ("`dir()`: a compiled function's variables are not kept by name", "a tuple of the names needed"),
    "globals": ("`globals()` would read what the compiler cannot follow", "read the global variable by its name"),
    "breakpoint": ("`breakpoint()`: a compiled function has no Python frame to stop in", "run with JITCORE_JIT=0"),
}
_REFUSED_WITHOUT_ARGUMENTS = {"vars", "dir"}


def check(
    tree: Any, file: SourceFile, function: str, *, found: Survey | None = None, shadowed: Container[str] = ()
) -> list[Problem]:
    """Every problem of a function's tree, in the order of the text.

    `function` is the name the function has in tracebacks; `shadowed` holds names that are not the builtins of that
    name.
    """
    found = survey(tree) if found is None else found
    problems = [(node, message, hint) for cls, (message, hint) in UNSUPPORTED.items() for node in found.get(cls, ())]
    problems += _unknown(found)
    problems += _refused_calls(found, shadowed)
    problems += _star_imports(found)
    problems += _comprehensions(found)
    problems += _yields(found)
    if gast.Global in found or gast.Nonlocal in found:
        problems += _outer_writes(tree)
    if not problems:
        return []
    problems.sort(key=lambda p: (p[0].lineno, p[0].col_offset))
    functions = [node for node in nodes(found, *FUNCTION_NODES) if node is not tree]
    return [Problem(_heading(node, file, _enclosing(node, functions, function)), m, hint) for node, m, hint in problems]


def _heading(node: Any, file: SourceFile, function: str) -> Span:
    """The span of a construct; of a compound statement only its first line."""
    span = Spans(file, function).of(node)
    if not hasattr(node, "body") and not hasattr(node, "cases"):
        return span
    line = file.lines[span.line - 1]
    end = len(line.rstrip()) if span.end_line != span.line else span.end_column
    return Span(span.file, span.line, span.column, span.line, end, span.function)


def _enclosing(node: Any, functions: Any, outermost: str) -> str:
    """The traceback name of the innermost function around a node."""
    place = (node.lineno, node.col_offset)
    around = [
        f for f in functions
        if f is not node and (f.lineno, f.col_offset) <= place < (f.end_lineno, f.end_col_offset)
    ]  # fmt: skip
    if not around:
        return outermost
    innermost = max(around, key=lambda f: (f.lineno, f.col_offset))
    return getattr(innermost, "name", "<lambda>")


def _unknown(found: Survey) -> Iterator[tuple[Any, str, str]]:
    for cls, of_class in found.items():
        if issubclass(cls, (gast.stmt, gast.expr)) and cls not in UNSUPPORTED and cls.__name__ not in _COMPILED:
            for node in of_class:
                yield node, f"`{cls.__name__}` (a construct of a later Python) is not compiled", "older syntax for it"


def _refused_calls(found: Survey, shadowed: Container[str]) -> Iterator[tuple[Any, str, str]]:
    for call in found.get(gast.Call, ()):
        name = call.func.id if type(call.func) is gast.Name else None
        if name not in _REFUSED_CALLS or name in shadowed or _is_bound(found, name):
            continue
        if name in _REFUSED_WITHOUT_ARGUMENTS and (call.args or call.keywords):
            continue
        yield call, *_REFUSED_CALLS[name]


def _is_bound(found: Survey, name: str) -> bool:
    functions = nodes(found, gast.FunctionDef)
    return any(f.name == name for f in functions) or any(
        n.id == name and type(n.ctx) is not gast.Load for n in found[gast.Name]
    )


def _star_imports(found: Survey) -> Iterator[tuple[Any, str, str]]:
    for node in found.get(gast.ImportFrom, ()):
        if any(alias.name == "*" for alias in node.names):  # a syntax error in a function's code, but not to `ast`
            yield node, "`import *` in a function brings names the compiler cannot know", "import the names needed"


def _comprehensions(found: Survey) -> Iterator[tuple[Any, str, str]]:
    for generator in found.get(gast.comprehension, ()):
        if generator.is_async:
            yield generator.target, f"an asynchronous comprehension: {_COROUTINE}", "a plain comprehension"
    for expression in found.get(gast.GeneratorExp, ()):
        yield from _captures_of_generator(expression)


def _yields(found: Survey) -> Iterator[tuple[Any, str, str]]:
    """Those whose value is part of an expression: what is sent to a generator."""
    statements = {id(node.value) for node in nodes(found, gast.Expr)}
    assigned = {id(node.value) for node in nodes(found, gast.Assign, gast.AnnAssign)}
    for node in found.get(gast.Yield, ()):
        if id(node) not in statements | assigned:
            yield node, "`yield` inside an expression is not compiled", "a statement of its own: `x = yield …`"
    for node in found.get(gast.YieldFrom, ()):
        if id(node) not in statements:
            yield node, "the value of `yield from`, what a generator returns, is not compiled", "a last item for it"


def _captures_of_generator(expression: Any) -> Iterator[tuple[Any, str, str]]:
    """What is made in a generator expression to run later, and would see the expression's variables change."""
    inside = survey(expression)
    targets = {n.id for g in expression.generators for n in survey(g.target).get(gast.Name, ())}
    consumed = [argument for call in inside.get(gast.Call, ()) for argument in call.args]  # at once, most likely
    for function in inside.get(gast.Lambda, ()):
        own = {p.id for p in survey(function.args).get(gast.Name, ()) if type(p.ctx) is gast.Param}
        if ({n.id for n in survey(function.body).get(gast.Name, ())} - own) & targets:
            yield function, "a lambda here sees the variable of a generator expression change", "a list comprehension"
    for generator in inside.get(gast.GeneratorExp, ()):
        if generator is expression or any(generator is argument for argument in consumed):
            continue
        own = {n.id for g in generator.generators for n in survey(g.target).get(gast.Name, ())}
        if ({n.id for n in survey(generator).get(gast.Name, ())} - own) & targets:
            message = "a generator expression here sees the variable of another one change"
            yield generator, message, "a list comprehension"


def _outer_writes(tree: Any) -> Iterator[tuple[Any, str, str]]:
    """Assignments to global variables and to variables of functions around the compiled one."""
    stack: list[tuple[Any, tuple[set[str], ...]]] = [(tree, ())]
    while stack:
        function, around = stack.pop()
        own, inner = _own_nodes(function)
        declared_global = {name for node in own.get(gast.Global, ()) for name in node.names}
        declared_outer = {name for node in own.get(gast.Nonlocal, ()) for name in node.names}
        written = [n for n in own.get(gast.Name, ()) if type(n.ctx) is not gast.Load]
        for node in written:
            yield from _outer_write(node, node.id, declared_global, declared_outer, around)
        names = {n.id for n in written}
        for node in (*inner, *nodes(own, gast.Import, gast.ImportFrom)):
            bound = [node.name] if hasattr(node, "name") else []
            bound += [alias.asname or alias.name.partition(".")[0] for alias in getattr(node, "names", ())]
            names.update(bound)
            for name in bound:
                yield from _outer_write(node, name, declared_global, declared_outer, around)
        local = names - declared_global - declared_outer
        stack.extend((node, (*around, local)) for node in inner)


def _outer_write(
    node: Any, name: str, declared_global: set[str], declared_outer: set[str], around: tuple[set[str], ...]
) -> Iterator[tuple[Any, str, str]]:
    if name in declared_global:
        yield node, f"global variable {name!r} is assigned to", "return the value, or keep it in an object's attribute"
    elif name in declared_outer and not any(name in names for names in around):
        message = f"{name!r} is a variable of a function around the compiled one, and is assigned to"
        yield node, message, "return the value, or keep it in an object's attribute"


def _own_nodes(function: Any) -> tuple[Survey, list[Any]]:
    """The nodes of a function without those of functions in it, which come as a list of their own."""
    found: Survey = {}
    inner: list[Any] = []
    stack: list[Any] = [function.args, *(function.body if isinstance(function.body, list) else [function.body])]
    while stack:
        node = stack.pop()
        if isinstance(node, FUNCTION_NODES):
            inner.append(node)
            continue
        found.setdefault(type(node), []).append(node)
        stack.extend(gast.iter_child_nodes(node))
    return found, inner
