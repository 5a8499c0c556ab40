"""The faults that a source text can be given: one small change of an expression or statement each.

    Fault.text                before -> after        name of the kind
    mul(ct, neg(x))           neg(x) -> x            factor
    for k in range(n - 1)     n - 1 -> n + 1         operator
    if k < len(shape)         k < len(shape) -> k <= len(shape)    comparison

What is not changed: texts, annotations, decorators, assertions and what is raised (they say what is wrong, and compute
nothing), samples of tests, and the numbers that say how much work is worth something.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

RULES = frozenset(["Linear", "Multilinear", "Partials", "Vjp", "Structural"])
"""What a primitive's derivative is declared as."""

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_CONTEXTS = frozenset(["infer", "p", "f", "k", "code", "self"])
"""Operands that are never like the one after them."""
_OPERATIONS = {
    "add": "sub",
    "sub": "add",
    "mul": "div",
    "div": "mul",
    "maximum": "minimum",
    "minimum": "maximum",
    "less": "less_equal",
    "less_equal": "less",
    "greater": "greater_equal",
    "greater_equal": "greater",
    "equal": "not_equal",
    "exp": "expm1",
    "log": "log1p",
    "sin": "cos",
    "cos": "sin",
    "sinh": "cosh",
    "cosh": "sinh",
    "floor": "ceil",
    "ceil": "floor",
    "int_add": "int_sub",
    "int_sub": "int_add",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}
"""Functions, and those that are called in their place."""
_FACTORS = frozenset(["neg", "mul", "div", "conjugate", "sqrt", "square", "reversed", "sorted", "sum_to_shape", "abs"])
"""Functions whose first operand is taken in place of their result."""

_UNCHANGED_FUNCTIONS = re.compile(r"sample|cost|score|worth|effort|message|describe|^__(repr|str|hash)__$")
_UNCHANGED_KEYWORDS = frozenset(["samples", "doc", "strict", "specials", "differentiable", "message"])
_SAMPLING = re.compile(r"^(Sample|StackSample|Place)$|sample")
_GENERIC = frozenset(
    ["dict", "list", "tuple", "set", "frozenset", "type", "Callable", "Counter", "defaultdict", "deque"]
)
_OF_TIMES = re.compile(r"^jitcore/passes/|^backends/llvm/(kernels|contraction)/")
"""Where numbers with a name of their own say how much is worth doing."""


@dataclass(frozen=True)
class Fault:
    """A change of one place of a source file."""

    file: str
    """From the root of the checkout."""
    function: str
    """The qualified name of the innermost function, class, variable that is assigned to, or rule around it."""
    kind: str
    before: str
    after: str
    line: int
    last: int
    """The last line of what is changed."""
    start: int
    stop: int
    """Offsets in the source's UTF-8 text."""
    number: int = 0
    """Which one it is of the function's changes of the same kind and text."""

    @property
    def key(self) -> str:
        """What it is called as long as the function around it stays: not by its line."""
        number = f" #{self.number}" if self.number else ""
        return f"{self.file}:{self.function or '<module>'}: {self.before} -> {self.after}{number}"


def faults_of(source: str, file: str) -> list[Fault]:
    """All faults of a source text, in its order; `file` is its path from the root of the checkout."""
    tree = ast.parse(source)
    names = _sampling_names(tree)
    names |= _only_for_samples(tree, file, names)
    offsets, known = _line_offsets(source), _known_names(tree)
    seen: Counter[str] = Counter()
    found: list[Fault] = []
    for node, function in _changeable(tree, file, names):
        for kind, changed, after in _changes(node):
            if kind == "operation" and after.func.id not in known:
                continue
            fault = _fault(changed, kind, after, function, file, offsets)
            if fault.before != fault.after:
                found.append(replace(fault, number=seen[fault.key]))
                seen[fault.key] += 1
    return found


def faulty(source: str, fault: Fault) -> str:
    """The source text with the fault in it."""
    data = source.encode()
    text = fault.after if fault.kind == "statement" else f"({fault.after})"
    return (data[: fault.start] + text.encode() + data[fault.stop :]).decode()


def _fault(node: ast.AST, kind: str, after: ast.AST, function: str, file: str, offsets: list[int]) -> Fault:
    assert isinstance(node, ast.expr | ast.stmt)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Fault(
        file=file,
        function=function,
        kind=kind,
        before=ast.unparse(node),
        after=ast.unparse(after),
        line=node.lineno,
        last=node.end_lineno,
        start=offsets[node.lineno - 1] + node.col_offset,
        stop=offsets[node.end_lineno - 1] + node.end_col_offset,
    )


def _known_names(tree: ast.Module) -> set[str]:
    """What a module's functions may call by a name alone."""
    imported = {
        a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names
    }
    assigned = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    defined = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    return imported | assigned | defined | {"min", "max", "any", "all"}


def _line_offsets(source: str) -> list[int]:
    """The offset in UTF-8 at which each line begins."""
    offsets = [0]
    for line in source.encode().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets


# --- where ----------------------------------------------------------------------------------------------


def _sampling_names(tree: ast.Module) -> set[str]:
    """What a module imports to make samples, and its own functions that do."""
    imports = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").endswith(".sampling"))
    defined = (n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and "sample" in n.name)
    return {alias.asname or alias.name for n in imports for alias in n.names} | set(defined)


def _only_for_samples(tree: ast.Module, file: str, names: set[str]) -> set[str]:
    """The module's constants that are read nowhere but in samples."""
    assigned = {t.id for s in tree.body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
    read = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    elsewhere = {
        node.id
        for node, _ in _changeable(tree, file, names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return {name for name in assigned if read[name] and name not in elsewhere}


def _changeable(tree: ast.Module, file: str, sampling: set[str]) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that may be changed, in order, each with the qualified name of the function around it."""

    def visit(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
        if _is_left_alone(node, sampling) or (not function and _is_limit(node, file)):
            return
        function = ".".join(filter(None, [function, _scope(node)]))
        yield node, function
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from visit(child, function)

    return visit(tree, "")


def _scope(node: ast.AST) -> str:
    """What a node adds to the qualified names of what is in it: rules are named by what they are given to."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
            return name
        case ast.Call(func=ast.Name(id=name)) if name in RULES:
            return name
        case _:
            return ""


def _is_left_alone(node: ast.AST, sampling: set[str]) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.FunctionDef(name=name):
            return _UNCHANGED_FUNCTIONS.search(name) is not None
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in sampling or _SAMPLING.search(name) is not None
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in sampling or name == "__all__"
        case ast.keyword(arg=str(name)):
            return name in _UNCHANGED_KEYWORDS
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Subscript(value=ast.Name(id=name)):
            return name in _GENERIC
        case _:
            return False


def _is_limit(node: ast.AST, file: str) -> bool:
    """Whether a module gives a number a name there, as `_MOST_ROUNDS: Final = 12`."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not _OF_TIMES.search(file):
        return False
    return node.value is not None and not any(isinstance(n, ast.Name | ast.Call) for n in ast.walk(node.value))


# --- what -----------------------------------------------------------------------------------------------

Change = tuple[str, ast.AST, Any]
"""The kind, what is replaced, and by what."""


def _changes(node: ast.AST) -> Iterator[Change]:
    """The changes of a node, or of a part of it that is in no other place of its kind."""
    change = _CHANGES.get(type(node))
    return change(node) if change is not None else iter(())


def _operator(node: ast.BinOp) -> Iterator[Change]:
    if type(node.op) in _OPERATORS and not _is_text(node.left):
        yield "operator", node, _with(node, op=_OPERATORS[type(node.op)]())


def _augmented(node: ast.AugAssign) -> Iterator[Change]:
    if type(node.op) in _OPERATORS and not isinstance(node.value, ast.List) and not _is_text(node.value):
        yield "statement", node, _with(node, op=_OPERATORS[type(node.op)]())


def _unary(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, ast.USub | ast.Not):
        yield "sign" if isinstance(node.op, ast.USub) else "condition", node, node.operand


def _comparison(node: ast.Compare) -> Iterator[Change]:
    yield "comparison", node, _with(node, ops=[_COMPARISONS[type(node.ops[0])](), *node.ops[1:]])


def _connective(node: ast.BoolOp) -> Iterator[Change]:
    yield "connective", node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    fewer = node.values[:-1]
    yield "connective", node, _with(node, values=fewer) if len(fewer) > 1 else fewer[0]


def _constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield "truth", node, ast.Constant(not node.value)
    elif isinstance(node.value, int | float) and node.value + 1 != node.value:
        yield "constant", node, ast.Constant(node.value + 1)


def _choice(node: ast.IfExp) -> Iterator[Change]:
    yield "condition", node, _with(node, body=node.orelse, orelse=node.body)


def _branch(node: ast.If) -> Iterator[Change]:
    if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):  # those are changed themselves
        yield "condition", node.test, ast.UnaryOp(ast.Not(), node.test)


def _call(node: ast.Call) -> Iterator[Change]:
    first, second, *others = [*node.args, None, None][: max(2, len(node.args))]
    if isinstance(first, ast.Name) and isinstance(second, ast.Name) and first.id not in _CONTEXTS:
        yield "arguments", node, _with(node, args=[second, first, *others])
    if isinstance(node.func, ast.Name) and node.func.id in _OPERATIONS:
        yield "operation", node, _with(node, func=ast.Name(_OPERATIONS[node.func.id], ast.Load()))
    if _name(node) in _FACTORS and node.args and not isinstance(node.args[0], ast.Starred):
        yield "factor", node, node.args[0]


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _several(node: ast.Tuple) -> Iterator[Change]:
    if len(node.elts) > 1 and isinstance(node.ctx, ast.Load) and not any(map(_has_no_order, node.elts)):
        yield "order", node, _with(node, elts=[*node.elts[:-2], node.elts[-1], node.elts[-2]])


def _statement(node: ast.Expr) -> Iterator[Change]:
    if isinstance(node.value, ast.Call):
        yield "statement", node, ast.Pass()


def _has_no_order(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) or _is_text(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


_CHANGES: dict[type[ast.AST], Callable[..., Iterator[Change]]] = {
    ast.BinOp: _operator,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.BoolOp: _connective,
    ast.Constant: _constant,
    ast.IfExp: _choice,
    ast.If: _branch,
    ast.Call: _call,
    ast.Tuple: _several,
    ast.Expr: _statement,
}


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made
