"""What the names of a file mean: its scopes, what each binds, and the objects that imported names stand for."""

from __future__ import annotations

import ast
import importlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from jitcore.structs import dataclass, field

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
FUNCTION_NODES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

UNKNOWN: Final = object()
"""The object of a name that is not known without running the file."""

_OPENED: Final = frozenset({"jitcore", "numpy", "builtins"})
_SAME_AS: Final = {"mindspore": "jitcore"}
"""Packages that programs import for the same names (`jitcore.compat`)."""
_STARTS_SOMETHING: Final = frozenset(
    {"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"}
)
"""Modules of the standard library that do something when they are imported, or are not always there."""


@dataclass(slots=True, eq=False)
class Definition:
    """A function of the file: its node, its name as `__qualname__` has it, and the scope it is defined in."""

    node: FunctionNode
    name: str
    qualname: str
    around: Scope


@dataclass(slots=True, eq=False)
class ClassDefinition:
    """A class of the file."""

    node: ast.ClassDef
    body: Scope


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A name an import statement binds, by its full dotted name."""

    qualified: str


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """A name bound in another way: to the value of an expression where that is all there is to it."""

    value: ast.expr | None = None


Binding: TypeAlias = "Definition | ClassDefinition | Imported | Assigned"


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or comprehension, and what it binds."""

    node: ast.AST
    around: Scope | None
    qualname: str = ""
    bindings: dict[str, list[Binding]] = field(default_factory=dict[str, "list[Binding]"])
    outer_names: set[str] = field(default_factory=set[str])
    """Names declared global or nonlocal."""
    global_names: set[str] = field(default_factory=set[str])
    stars: list[str] = field(default_factory=list[str])
    """Modules whose names `from … import *` brings."""

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.around

    def lookup(self, name: str) -> Sequence[Binding]:
        """Everything a name read in this scope may be bound to; empty for a builtin."""
        for scope in self.chain():
            if scope.is_class and scope is not self:
                continue
            if name in scope.bindings and name not in scope.outer_names:
                return scope.bindings[name]
        return self._starred(name)

    def _starred(self, name: str) -> Sequence[Binding]:
        (*_, module) = self.chain()
        found = [Imported(f"{star}.{name}") for star in module.stars if _exports(resolve(star), name)]
        if not found and any(resolve(star) is UNKNOWN for star in module.stars):
            return [Assigned()]
        return found[-1:]

    def bind(self, name: str, binding: Binding) -> None:
        """Note a binding, in the scope that `global` or `nonlocal` says it is of."""
        target = self
        if name in self.outer_names:
            *functions, module = list(self.chain())[1:]
            holding = [s for s in functions if not s.is_class and name in s.bindings]
            target = holding[0] if holding and name not in self.global_names else module
        target.bindings.setdefault(name, []).append(binding)


@dataclass(slots=True, eq=False)
class File:
    """The scopes of a file, its functions, and the calls and attributes in it with the scopes they stand in."""

    module: Scope
    functions: list[Definition] = field(default_factory=list[Definition])
    classes: list[ClassDefinition] = field(default_factory=list[ClassDefinition])
    inside: dict[ast.AST, Scope] = field(default_factory=dict[ast.AST, Scope])
    """The scope that a function or class makes."""
    uses: list[tuple[ast.Call | ast.Attribute, Scope]] = field(default_factory=list[tuple[Any, Scope]])
    reads: list[tuple[ast.Name, Scope]] = field(default_factory=list[tuple[ast.Name, Scope]])
    """The names that are read."""
    _reads_inside: dict[ast.AST, list[tuple[ast.Name, Scope]]] = field(
        default_factory=dict[ast.AST, "list[tuple[ast.Name, Scope]]"]
    )
    _uses_inside: dict[ast.AST, list[tuple[Any, Scope]]] = field(
        default_factory=dict[ast.AST, "list[tuple[Any, Scope]]"]
    )

    def note_use(self, node: ast.Call | ast.Attribute, scope: Scope) -> None:
        """A call or attribute, in every function around it."""
        self.uses.append((node, scope))
        for around in scope.chain():
            self._uses_inside.setdefault(around.node, []).append((node, scope))

    def uses_inside(self, function: FunctionNode) -> list[tuple[ast.Call | ast.Attribute, Scope]]:
        """The calls and attributes of a function and of what is defined in it."""
        return self._uses_inside.get(function, [])

    def note_read(self, node: ast.Name, scope: Scope) -> None:
        """A name that is read, in every function around it."""
        self.reads.append((node, scope))
        for around in scope.chain():
            self._reads_inside.setdefault(around.node, []).append((node, scope))

    def reads_inside(self, function: FunctionNode) -> list[tuple[ast.Name, Scope]]:
        """The names that a function, or what is defined in it, reads."""
        return self._reads_inside.get(function, [])


def names_of(tree: ast.Module) -> File:
    """Everything that is bound in a module's text."""
    file = File(Scope(tree, None))
    stack: list[tuple[ast.AST, Scope]] = [(child, file.module) for child in reversed(tree.body)]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, FUNCTION_NODES):
            stack += reversed(_function(file, node, scope))
        elif isinstance(node, ast.ClassDef):
            stack += reversed(_class(file, node, scope))
        elif isinstance(node, _COMPREHENSIONS):
            inner = Scope(node, scope, scope.qualname)
            stack += [(child, inner) for child in ast.iter_child_nodes(node)]
        else:
            if isinstance(node, ast.Call | ast.Attribute):
                file.note_use(node, scope)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                file.note_read(node, scope)
            stack += [(child, scope) for child in reversed(_bind(node, scope))]
    return file


def _function(file: File, node: FunctionNode, scope: Scope) -> list[tuple[ast.AST, Scope]]:
    """Note a function; what to look at next: its decorators and defaults where it stands, its body inside."""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    qualname = f"{scope.qualname}{name}"
    definition = Definition(node, name, qualname, scope)
    file.functions.append(definition)
    inner = file.inside[node] = Scope(node, scope, f"{qualname}.<locals>.")
    _bind_type_parameters(node, inner)
    args = node.args
    for a in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg):
        if a is not None:
            inner.bind(a.arg, Assigned())
    outside: list[ast.AST] = [*args.defaults, *(d for d in args.kw_defaults if d is not None)]
    if isinstance(node, ast.Lambda):
        body: list[ast.AST] = [node.body]
    else:
        scope.bind(name, definition)
        outside += node.decorator_list
        body = list(node.body)
    return [*((part, scope) for part in outside), *((part, inner) for part in body)]


def _class(file: File, node: ast.ClassDef, scope: Scope) -> list[tuple[ast.AST, Scope]]:
    inner = file.inside[node] = Scope(node, scope, f"{scope.qualname}{node.name}.")
    _bind_type_parameters(node, inner)
    made = ClassDefinition(node, inner)
    file.classes.append(made)
    scope.bind(node.name, made)
    outside: list[ast.AST] = [*node.decorator_list, *node.bases, *node.keywords]
    return [*((part, scope) for part in outside), *((part, inner) for part in node.body)]


def _bind_type_parameters(node: ast.AST, inner: Scope) -> None:
    for parameter in getattr(node, "type_params", ()):  # from Python 3.12 on
        inner.bind(parameter.name, Assigned())


def _bind(node: ast.AST, scope: Scope) -> list[ast.AST]:
    """Note what a node binds; the parts of it that are still to be looked at."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            scope.bind(name, Assigned(value))
            return [value]
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            target = next(s for s in scope.chain() if not isinstance(s.node, _COMPREHENSIONS))
            target.bind(name, Assigned())
            return [value]
        case ast.Name(id=name, ctx=ast.Store()):
            scope.bind(name, Assigned())
        case ast.AnnAssign() if isinstance(scope.node, FUNCTION_NODES):  # whose annotations are never evaluated
            return [node.target, *([] if node.value is None else [node.value])]
        case ast.Global(names=names):
            scope.outer_names.update(names)
            scope.global_names.update(names)
        case ast.Nonlocal(names=names):
            scope.outer_names.update(names)
        case ast.Import():
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                scope.bind(bound, Imported(alias.name if alias.asname else bound))
        case ast.ImportFrom():
            _bind_from(node, scope)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            scope.bind(name, Assigned())
        case ast.MatchMapping(rest=str(name)):
            scope.bind(name, Assigned())
        case _:
            pass
    return list(ast.iter_child_nodes(node))


def _bind_from(node: ast.ImportFrom, scope: Scope) -> None:
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            scope.stars.append(module)
        else:
            scope.bind(alias.asname or alias.name, Imported(f"{module}.{alias.name}"))


# --- objects --------------------------------------------------------------------------------------------


def qualified_name(node: ast.expr, scope: Scope, depth: int = 8) -> str | None:
    """The full dotted name of the object an expression names, if it is imported or a builtin; `j = jit` is followed."""
    if isinstance(node, ast.Attribute):
        base = qualified_name(node.value, scope, depth)
        return None if base is None else f"{base}.{node.attr}"
    if not isinstance(node, ast.Name):
        return None
    bindings = scope.lookup(node.id)
    if not bindings:
        return f"builtins.{node.id}"
    found = {_bound_name(b, scope, depth) for b in bindings}
    return found.pop() if len(found) == 1 else None


def _bound_name(binding: Binding, scope: Scope, depth: int) -> str | None:
    if isinstance(binding, Imported):
        return binding.qualified
    if isinstance(binding, Assigned) and binding.value is not None and depth:
        return qualified_name(binding.value, scope, depth - 1)
    return None


def object_of(node: ast.expr, scope: Scope) -> Any:
    """The object an expression names; UNKNOWN if it is of the user's own code or of a package not looked into."""
    name = qualified_name(node, scope)
    return UNKNOWN if name is None else resolve(name)


def resolve(qualified: str) -> Any:
    """The object of a full dotted name in jitcore, NumPy or the standard library: only those are imported."""
    parts = qualified.split(".")
    parts[0] = _SAME_AS.get(parts[0], parts[0])
    if not parts[0] or not (parts[0] in _OPENED or _is_standard(parts[0])):
        return UNKNOWN
    with warnings.catch_warnings(action="ignore"):  # of names that are there for a while yet
        return _found(parts)


def _found(parts: Sequence[str]) -> Any:
    try:
        found: Any = importlib.import_module(parts[0])
    except ImportError:
        return UNKNOWN
    for k, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join(parts[:k]))
            except (ImportError, ValueError):
                return UNKNOWN
    return found


def _exports(module: object, name: str) -> bool:
    """Whether `from module import *` binds a name."""
    if module is UNKNOWN or not hasattr(module, name):
        return False
    listed: Sequence[str] | None = getattr(module, "__all__", None)
    return not name.startswith("_") if listed is None else name in listed


def _is_standard(root: str) -> bool:
    return root in sys.stdlib_module_names and root not in _STARTS_SOMETHING
