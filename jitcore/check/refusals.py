"""What is wrong with one compiled function: the constructs `frontend.subset` refuses, and calls that inference must
refuse.

Only what is certain whatever the function is given is an error. A call into a package that is not known is a warning:
it is compiled if the package's own Python source can be.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import BuiltinFunctionType, BuiltinMethodType
from typing import Any, Final

import gast
import numpy as np

import jitcore.primitives  # noqa: F401  # pyright: ignore[reportUnusedImport] # what it declares is looked up
from jitcore.check.absent import Absent, absent, tried
from jitcore.check.compiled import EVERYTHING, Compiled
from jitcore.check.names import FUNCTION_NODES, UNKNOWN, File, Scope, object_of, qualified_name, resolve
from jitcore.check.seen_calls import Unseen, infer_calls
from jitcore.check.unbound import is_unbound, maker
from jitcore.frontend import subset
from jitcore.frontend.agreement import bare
from jitcore.frontend.files import SourceFile
from jitcore.frontend.spans import Spans
from jitcore.library.core.marking import is_library
from jitcore.library.tables import UFUNC_METHODS, library_function_of
from jitcore.passes.infer.engine.models import model_of
from jitcore.passes.infer.engine.purity import is_pure
from jitcore.primitives.core.array_classes import ARRAY_CLASSES
from jitcore.source import Problem
from jitcore.structs import dataclass

ERROR: Final = "error"
WARNING: Final = "warning"


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One thing wrong: an error is refused under STRICT; `rule` names its kind. `compiled` is None for a syntax
    error."""

    rule: str
    level: str
    problem: Problem
    compiled: Compiled | None = None


def findings_of(source: SourceFile, names: File, compiled: Compiled) -> list[Finding]:
    """Everything wrong with a function, in the order of the text."""
    definition = compiled.definition
    inside = names.inside[definition.node]
    problems = subset.check(
        gast.ast_to_gast(bare(definition.node)), source, definition.name, shadowed=_Shadowed(inside)
    )
    found = [Finding(_rule(p.message), ERROR, p, compiled) for p in problems]
    if compiled.caller is None and compiled.reason != EVERYTHING:
        found += _given_to_the_caller(source, compiled)
    places = {(p.span.line, p.span.column) for p in problems}
    entered = {
        id(item.context_expr) for node in ast.walk(definition.node) if isinstance(node, ast.With) for item in node.items
    }
    for node, scope in names.uses_inside(definition.node):
        if not isinstance(node, ast.Call):
            continue
        if id(node) in entered and not isinstance(object_of(node.func, scope), BuiltinFunctionType):
            continue
        span = Spans(source, _function_around(scope)).of(node)
        if (span.line, span.column) not in places:
            for rule, level, message, hint in _wrong_with_call(node, scope, names, Path(source.name)):
                found.append(Finding(rule, level, Problem(span, message, hint), compiled))
    found += _absent_attributes(source, names, compiled)
    found += _unbound_names(source, names, compiled)
    return sorted(found, key=lambda f: (f.problem.span.line, f.problem.span.column))


def inferred_of(
    source: SourceFile, names: File, compiled: Compiled, known: Sequence[Finding], unseen: list[Unseen]
) -> list[Finding]:
    """What inference refuses of a function's calls beyond what is `known` from its text; noted in `unseen` if it has no
    call that the text tells, or is refused already."""
    if any(f.level == ERROR and f.compiled is not None and f.compiled.definition is compiled.definition for f in known):
        return []
    seen = infer_calls(source, names, compiled)
    if seen.unseen is not None:
        unseen.append(seen.unseen)
    places = {(f.problem.span.line, f.problem.span.column) for f in known}
    fresh = [p for p in seen.problems if (p.span.line, p.span.column) not in places]
    return [Finding(_rule(p.message), ERROR, p, compiled) for p in fresh]


def _given_to_the_caller(source: SourceFile, compiled: Compiled) -> Iterator[Finding]:
    """What is wrong with a generator function that is compiled for itself: the first `yield`."""
    stack: list[ast.AST] = list(reversed(list(ast.iter_child_nodes(compiled.definition.node))))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            span = Spans(source, compiled.definition.name).of(node)
            message = "a generator is given to code that is not compiled: only compiled code can go through one"
            yield Finding("generator", ERROR, Problem(span, message, "a list of the items"), compiled)
            return
        if not isinstance(node, FUNCTION_NODES):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _absent_attributes(source: SourceFile, names: File, compiled: Compiled) -> Iterator[Finding]:
    """The attributes that a function reads of modules and classes that do not have them."""
    node = compiled.definition.node
    caught = tried(node, names.inside[node], AttributeError)
    for use, scope in names.uses_inside(node):
        if isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Load) and use not in caught:
            name = qualified_name(use, scope)
            missing = None if name is None else absent(name, names)
            if missing is not None and missing.name == name and missing.error is AttributeError:
                rule, level, message, hint = _raises(missing)
                span = Spans(source, _function_around(scope)).of(use)
                yield Finding(rule, level, Problem(span, message, hint), compiled)


def _unbound_names(source: SourceFile, names: File, compiled: Compiled) -> Iterator[Finding]:
    """The names that a function reads and nothing binds, each once."""
    node = compiled.definition.node
    reads = [(read, scope) for read, scope in names.reads_inside(node) if is_unbound(read.id, scope)]
    if not reads or maker(names, source.lines) is not None:
        return
    caught = tried(node, names.inside[node], NameError)
    for read, scope in {read.id: (read, scope) for read, scope in reversed(reads) if read not in caught}.values():
        span = Spans(source, _function_around(scope)).of(read)
        message = f"name {read.id!r} is not defined: this raises NameError"
        yield Finding("undefined-name", WARNING, Problem(span, message, "a name that the file binds"), compiled)


class _Shadowed:
    """The names that are not the builtins of that name where a function stands."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __contains__(self, name: object) -> bool:
        return bool(self._scope.lookup(str(name)))


def _rule(message: str) -> str:
    """A short name of a kind of problem, from its message: the class of node, what it begins with, or its first
    words."""
    classes = [cls.__name__ for cls, (said, _) in subset.UNSUPPORTED.items() if said == message]
    if classes:
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", classes[0]).lower()
    quoted = re.match(r"`([^`]+)`", message)
    text = quoted[1] if quoted else " ".join(re.sub(r"['\"`][^'\"`]*['\"`]|\ba ", "", message).split()[:4])
    return "-".join(re.findall(r"\w+|\*", text.lower())).replace("*", "star")


def _function_around(scope: Scope) -> str:
    for inner in scope.chain():
        if isinstance(inner.node, FUNCTION_NODES):
            return getattr(inner.node, "name", "<lambda>")
    return "<module>"


# --- calls ------------------------------------------------------------------------------------------------


def _wrong_with_call(node: ast.Call, scope: Scope, names: File, path: Path) -> Iterator[tuple[str, str, str, str]]:
    found = object_of(node.func, scope)
    name = qualified_name(node.func, scope) or ""
    if found is not UNKNOWN:
        if _is_refused(found):
            shown = name.removeprefix("builtins.")
            message = f"calling {shown}, whose result may differ from call to call, is not supported in compiled code"
            yield "call-outside", ERROR, message, "a call outside the compiled function, its result passed in"
        return
    missing = absent(name, names)
    if missing is not None:
        if isinstance(node.func, ast.Name) and missing.error is AttributeError:  # as the file's import says
            module, _, attribute = missing.name.rpartition(".")
            missing = Absent(missing.name, ImportError, f"cannot import name {attribute!r} from {module!r}")
        if missing.error is not AttributeError:
            yield _raises(missing)
        return
    package = name.partition(".")[0]
    if package and resolve(package) is UNKNOWN and _is_of_others(package, path):
        message = (
            f"{name} is of a package that the compiler does not know: it is compiled only if its Python source can be"
        )
        yield (
            "unknown-package",
            WARNING,
            message,
            "a function of jitcore, NumPy or math, or a call outside the compiled function",
        )


def _raises(missing: Absent) -> tuple[str, str, str, str]:
    message = f"{missing.words}: this raises {missing.error.__name__}"
    return "absent-attribute", WARNING, message, "one of the names that are there"


def _is_refused(obj: Any) -> bool:
    """Whether compiled code can never call an object: it is not compiled itself, nor may it be run while compiling."""
    if not callable(obj) or model_of(obj) is not None or library_function_of(obj) is not None or is_library(obj):
        return False
    if isinstance(obj, type):
        if (
            issubclass(obj, BaseException)
            or hasattr(obj, "_fields")
            or any(base in ARRAY_CLASSES for base in obj.__mro__)
        ):
            return False
        return not is_pure(obj)
    owner = getattr(obj, "__self__", None)
    if isinstance(owner, np.ufunc) and (owner, obj.__name__) in UFUNC_METHODS:
        return False
    return isinstance(obj, BuiltinFunctionType | BuiltinMethodType) and not is_pure(obj)


def _is_of_others(package: str, path: Path) -> bool:
    """Whether a package is neither of the program the file belongs to nor one that is known."""
    for folder in (path.parent, *path.resolve().parents, Path()):
        if (folder / f"{package}.py").exists() or (folder / package).is_dir():
            return False
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return False
    if spec is None:
        return True
    return spec.origin is not None and bool({"site-packages", "dist-packages"} & set(Path(spec.origin).parts))
