"""Which variables a piece of a function's tree reads and assigns to, functions made in it included."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from jitcore.structs import dataclass, field

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS: Final = (ast.For, ast.While, ast.AsyncFor)


@dataclass(slots=True)
class Uses:
    """Sets of names: read, assigned to, deleted, and used by functions that are made to run later (`captured`)."""

    read: set[str] = field(default_factory=set[str])
    written: set[str] = field(default_factory=set[str])
    deleted: set[str] = field(default_factory=set[str])
    captured: set[str] = field(default_factory=set[str])
    outer: set[str] = field(default_factory=set[str])
    """Those declared global or nonlocal here."""
    rebound: set[str] = field(default_factory=set[str])
    """Those that a function made here assigns to, by `nonlocal`."""


def uses_of(nodes: Iterable[ast.AST]) -> Uses:
    """What the scope that nodes stand in sees of them."""
    found = Uses()
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset()) for node in nodes]
    while stack:
        node, bound = stack.pop()
        match node:
            case ast.Name(id=name, ctx=ctx):
                if name not in bound:
                    kind = found.read if isinstance(ctx, ast.Load) else found.written
                    kind.add(name)
                    if isinstance(ctx, ast.Del):
                        found.deleted.add(name)
            case ast.NamedExpr(target=target, value=value):
                found.written.add(target.id)
                stack.append((value, bound))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                stack += _comprehension(node, bound)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                if not isinstance(node, ast.Lambda):
                    found.written.add(node.name)
                free, rebound = free_names(node)
                found.read |= free - bound
                found.captured |= free - bound
                found.rebound |= rebound
                stack += [(part, bound) for part in made_with(node)]
            case ast.ClassDef():
                found.written.add(node.name)
                names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                found.read |= names
                found.captured |= names
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.outer.update(names)
            case ast.AugAssign(target=ast.Name(id=name)):
                found.read.add(name)
                stack += [(node.target, bound), (node.value, bound)]
            case _:
                found.written.update(named(node))
                stack += [(child, bound) for child in ast.iter_child_nodes(node)]
    return found


def _comprehension(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, bound: frozenset[str]
) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    targets = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    inner = bound | targets
    for k, generator in enumerate(node.generators):
        yield generator.iter, inner if k else bound
        for part in (generator.target, *generator.ifs):
            yield part, inner
    for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
        yield part, inner


def named(node: ast.AST) -> Iterator[str]:
    """Names that a node assigns to without a Name of its own."""
    match node:
        case ast.alias():
            yield (node.asname or node.name).partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


def made_with(node: FunctionNode) -> list[ast.expr]:
    """What making a function evaluates: decorators and defaults."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return [*decorators, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]


def parameters_of(node: FunctionNode) -> list[ast.arg]:
    """All parameters of a function."""
    args = node.args
    starred = [a for a in (args.vararg, args.kwarg) if a is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *starred]


def free_names(node: FunctionNode) -> tuple[set[str], set[str]]:
    """The names that a function takes from the scope around it or from beyond, and those of them it assigns to."""
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    uses = uses_of(body)
    declared_global = {name for n in _own(body) if isinstance(n, ast.Global) for name in n.names}
    declared_outer = uses.outer - declared_global
    own = ({a.arg for a in parameters_of(node)} | uses.written) - uses.outer
    free = (uses.read | declared_outer | uses.rebound) - own - declared_global
    return free, (declared_outer & uses.written) | (uses.rebound - own)


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes below without those of functions and classes in them."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of some statements, of functions and classes in them only the outermost node."""
    return _own(nodes)


def capturers(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr | ast.stmt, set[str]]]:
    """What is made in some statements to run later, with the names it takes from their scope."""
    stack: list[tuple[ast.AST, ast.AST | None]] = [(node, None) for node in nodes]
    while stack:
        node, parent = stack.pop()
        if isinstance(node, FUNCTIONS):
            yield node, free_names(node)[0]
            stack += [(part, node) for part in made_with(node)]
            continue
        if isinstance(node, ast.ClassDef):
            yield node, uses_of([node]).captured
        elif isinstance(node, ast.GeneratorExp) and not isinstance(parent, ast.Call):  # most calls use it up at once
            yield node, uses_of([node]).read
        stack += [(child, node) for child in ast.iter_child_nodes(node)]


def mask(names: Iterable[str], bits: Mapping[str, int]) -> int:
    """Names as a set of bits; those without a bit are left out."""
    made = 0
    for name in names:
        made |= bits.get(name, 0)
    return made
