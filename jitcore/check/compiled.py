"""Which functions of a file are compiled, and why: what decorators, Cells, `jit(f)` and `grad(f)` say, and what those
call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from typing import Any, Final

from jitcore.check.names import (
    FUNCTION_NODES,
    UNKNOWN,
    Assigned,
    ClassDefinition,
    Definition,
    File,
    Scope,
    object_of,
)
from jitcore.structs import dataclass

EVERYTHING: Final = "every function is checked"
_METHODS_OF_CELLS: Final = ("construct", "bprop")
_TRANSPARENT: Final = (staticmethod, classmethod, property, functools.cached_property, functools.wraps)


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A function that is compiled: why, and at which line that is said; `caller` is what calls it, if that is why."""

    definition: Definition
    reason: str
    line: int
    caller: Compiled | None = None

    @property
    def name(self) -> str:
        return self.definition.qualname


def compiled_functions(file: File, everything: bool = False) -> list[Compiled]:
    """Every function that is compiled, once, those in others that are compiled left out; in the order of the text."""
    found: dict[ast.AST, Compiled] = {}
    pending = list(_declared(file))
    if everything:
        made = _made_by(file)
        others = [d for d in file.functions if d.node not in made]
        pending += [Compiled(d, EVERYTHING, d.node.lineno) for d in others]
    while pending:
        following: list[Compiled] = []
        for made in pending:
            node = made.definition.node
            if node not in found and not _is_inside(made.definition, found):
                found[node] = made
                following += _called(file, made)
        pending = following
    outermost = [made for made in found.values() if not _is_inside(made.definition, found)]
    return sorted(outermost, key=lambda made: (made.definition.node.lineno, made.definition.node.col_offset))


def _made_by(file: File) -> set[ast.AST]:
    """The `__init__` of Cells, which runs before anything is compiled."""
    made = (d for cell in file.classes if is_cell(cell) for d in _definitions(cell.body.bindings.get("__init__", ())))
    return {d.node for d in made}


def _is_inside(definition: Definition, compiled: Iterable[ast.AST]) -> bool:
    return any(scope.node in compiled for scope in definition.around.chain())


# --- what the file says is compiled -----------------------------------------------------------------------


def _declared(file: File) -> Iterator[Compiled]:
    for definition in file.functions:
        for decorator in getattr(definition.node, "decorator_list", ()):
            if _compiles(decorator, definition.around) or _is_partial_of_jit(decorator, definition.around):
                yield Compiled(definition, f"decorated with @{ast.unparse(decorator)}", decorator.lineno)
    for made in file.classes:
        if is_cell(made):
            for name in _METHODS_OF_CELLS:
                for definition in _definitions(made.body.bindings.get(name, ())):
                    yield Compiled(definition, f"{name} of the Cell {made.node.name}", definition.node.lineno)
    for node, scope in file.uses:
        if isinstance(node, ast.Call) and _transforms(node.func, scope):
            given = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("fn", "function", "func"))]
            for argument in given:
                for definition in functions_of(file, argument, scope):
                    yield Compiled(definition, f"given to {ast.unparse(node.func)}", node.lineno)


def _compiles(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is `jit`, or a call of it that gives a decorator."""
    found = object_of(node.func if isinstance(node, ast.Call) and not node.args else node, scope)
    return found is not UNKNOWN and found is _public("jit")


def _is_partial_of_jit(node: ast.expr, scope: Scope) -> bool:
    if not isinstance(node, ast.Call) or object_of(node.func, scope) is not functools.partial or not node.args:
        return False
    return _compiles(node.args[0], scope)


def _transforms(node: ast.expr, scope: Scope) -> bool:
    """Whether calling an expression compiles its argument: `jit`, `grad` and the like, a GradOperation."""
    if isinstance(node, ast.Call):
        return object_of(node.func, scope) is _public("GradOperation") or _is_partial_of_jit(node, scope)
    if isinstance(node, ast.Name):
        for binding in scope.lookup(node.id):
            if isinstance(binding, Assigned) and isinstance(binding.value, ast.Call):
                return _transforms(binding.value, scope)
    found = object_of(node, scope)
    if found is UNKNOWN or isinstance(found, type):
        return False
    return found is _public("jit") or getattr(found, "__module__", None) == "jitcore.transforms"


def _public(name: str) -> Any:
    import jitcore

    return getattr(jitcore, name)


# --- classes ------------------------------------------------------------------------------------------------


def is_cell(made: ClassDefinition) -> bool:
    """Whether a class derives from Cell, through other classes of the file too."""
    from jitcore.nn import Cell

    for base, scope in _bases(made):
        found = object_of(base, scope)
        if isinstance(found, type) and issubclass(found, Cell):
            return True
    return False


def _bases(made: ClassDefinition) -> Iterator[tuple[ast.expr, Scope]]:
    """The bases of a class that are not of the file, of its bases too."""
    for cls in lineage(made):
        assert cls.body.around is not None
        for base in cls.node.bases:
            if not _classes_of(base, cls.body.around):
                yield (base.value if isinstance(base, ast.Subscript) else base), cls.body.around


def lineage(made: ClassDefinition) -> list[ClassDefinition]:
    """A class and its bases in the file, nearest first (each once: the order of a method's look-up but for
    diamonds)."""
    found: list[ClassDefinition] = []
    pending = [made]
    while pending:
        cls = pending.pop(0)
        if cls in found:
            continue
        found.append(cls)
        assert cls.body.around is not None
        for base in cls.node.bases:
            pending += _classes_of(base, cls.body.around)
    return found


def _classes_of(node: ast.expr, scope: Scope) -> list[ClassDefinition]:
    if not isinstance(node, ast.Name):
        return []
    return [b for b in scope.lookup(node.id) if isinstance(b, ClassDefinition)]


# --- what compiled functions call -----------------------------------------------------------------------------


def _called(file: File, caller: Compiled) -> Iterator[Compiled]:
    for node, scope in file.uses_inside(caller.definition.node):
        if isinstance(node, ast.Call):
            expressions = [node.func, *node.args, *(k.value for k in node.keywords)]
            found = [d for e in expressions for d in functions_of(file, e, scope)]
        else:
            found = [d for d in functions_of(file, node, scope) if _is_property(d)]
        for definition in found:
            if _is_called_itself(definition):
                yield Compiled(definition, f"called by {caller.name}", node.lineno, caller)


def _is_called_itself(definition: Definition) -> bool:
    """Whether calling the name runs the function: no decorator put another in its place."""
    decorators: list[ast.expr] = getattr(definition.node, "decorator_list", [])
    return all(_is_transparent(d, definition.around) for d in decorators)


def _is_transparent(decorator: ast.expr, scope: Scope) -> bool:
    if _compiles(decorator, scope) or _is_partial_of_jit(decorator, scope):
        return True
    if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
        return False
    return object_of(decorator.func if isinstance(decorator, ast.Call) else decorator, scope) in _TRANSPARENT


def _is_property(definition: Definition) -> bool:
    decorators: list[ast.expr] = getattr(definition.node, "decorator_list", [])
    return any(object_of(d, definition.around) in (property, functools.cached_property) for d in decorators)


def functions_of(file: File, node: ast.expr, scope: Scope) -> list[Definition]:
    """The functions of the file that an expression may be; none where it may also be something else."""
    if isinstance(node, FUNCTION_NODES):
        return [d for d in file.functions if d.node is node]
    if isinstance(node, ast.Name):
        return _function_named(file, node.id, scope)
    if not isinstance(node, ast.Attribute):
        return []
    for cls in _owners(node.value, scope):
        for made in lineage(cls):
            bindings = made.body.bindings.get(node.attr, ())
            if bindings:
                return list(_definitions(bindings)) if all(isinstance(b, Definition) for b in bindings) else []
    return []


def _function_named(file: File, name: str, scope: Scope) -> list[Definition]:
    found: list[Definition] = []
    for binding in scope.lookup(name):
        if isinstance(binding, Definition):
            found.append(binding)
        elif isinstance(binding, Assigned) and binding.value is not None:
            wrapped = binding.value
            while isinstance(wrapped, ast.Call) and wrapped.args and _transforms(wrapped.func, scope):
                wrapped = wrapped.args[0]  # `f = jit(f)`
            if isinstance(wrapped, ast.Lambda):
                found += functions_of(file, wrapped, scope)
            elif not (isinstance(wrapped, ast.Name) and wrapped.id == name):
                return []
        else:
            return []
    return found


def _owners(node: ast.expr, scope: Scope) -> list[ClassDefinition]:
    """The class whose method `node.name` is: of `self`, of `cls`, of `super()`, or a class of the file."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return [base for made in _class_around(scope) for base in lineage(made)[1:2]]
    if not isinstance(node, ast.Name):
        return []
    classes = _classes_of(node, scope)
    return classes if classes or not _is_first_parameter(node.id, scope) else _class_around(scope)


def _class_around(scope: Scope) -> list[ClassDefinition]:
    """The class of the method a scope is in."""
    for inner in scope.chain():
        around = inner.around
        if around is not None and isinstance(around.node, ast.ClassDef) and isinstance(inner.node, FUNCTION_NODES):
            assert around.around is not None
            return [
                b
                for b in around.around.bindings.get(around.node.name, ())
                if isinstance(b, ClassDefinition) and b.body is around
            ]
    return []


def _is_first_parameter(name: str, scope: Scope) -> bool:
    """Whether a name is the first parameter of the method around."""
    for inner in scope.chain():
        if name not in inner.bindings:
            continue
        node = inner.node
        if not isinstance(node, ast.FunctionDef) or inner.around is None or not inner.around.is_class:
            return False
        first = [*node.args.posonlyargs, *node.args.args][:1]
        is_static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
        return [a.arg for a in first] == [name] and not is_static and len(inner.bindings[name]) == 1
    return False


def _definitions(bindings: Iterable[Any]) -> Iterator[Definition]:
    return (b for b in bindings if isinstance(b, Definition))
