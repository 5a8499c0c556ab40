"""Reads the text form of modules that `ir.printer` writes (its docstring describes it).

Every binding, head of a function and `return` is one line. Indentation is only compared, so graphs may be nested
deeper than Python itself would read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from jitcore.ir.control import CONTROL_OPS
from jitcore.ir.expressions import read_literal, read_type, read_value
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var
from jitcore.ir.printer import OUTSIDE
from jitcore.ir.python import PYTHON_OPS, FunctionSource
from jitcore.source import NOWHERE, Span
from jitcore.structs import dataclass, field, replace
from jitcore.types import Type


class TextError(ValueError):
    """The text is not IR; `line` counts from 1."""

    def __init__(self, line: int, text: str, message: str) -> None:
        super().__init__(f"line {line}: {_cut(message)}\n    {_cut(text.strip())}")
        self.line = line


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


_SHOWN: Final = 200
"""Characters of a message, and of the line that it shows."""
_DEEPEST: Final = 2000
"""Functions in each other: what walks graphs calls itself for each."""
_TOO_DEEP: Final = "this is nested too deeply"


def parse(text: str, ops: Mapping[str, Op], table: Mapping[str, Any] | None = None) -> Module:
    """The module that `text` describes. `ops` are the primitives by name (control flow and Python's own operators are
    known), `table` the constants without a literal (`Text.table`). Raises TextError."""
    return _Parser(text, {**ops, **CONTROL_OPS, **PYTHON_OPS}, table or {}).module()


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str
    node: ast.stmt | None = None
    comment: str = ""


@dataclass(slots=True)
class _Open:
    """A graph being read."""

    name: str
    line: _Line
    span: Span
    params: tuple[Var, ...]
    typed: bool
    body: list[Binding] = field(default_factory=list[Binding])
    graphs: dict[str, Graph] = field(default_factory=dict[str, Graph])
    shadowed: dict[str, Var | None] = field(default_factory=dict[str, "Var | None"])


class _Parser:
    def __init__(self, text: str, ops: Mapping[str, Op], table: Mapping[str, Any]) -> None:
        self.ops = ops
        self.table = table
        self.files: dict[str, str] = {}
        self.entry = ""
        self.constants: dict[str, Type] = {}
        self.variables: dict[str, Var] = {}
        self.open: list[_Open] = []
        self.graphs: dict[str, Graph] = {}
        self.lines = self.read_lines(text)
        self.line = _Line(1, 0, "")

    def module(self) -> Module:
        for line in self.lines:
            self.line = line
            try:
                self.statement(line)
            except TextError:
                raise
            except (RecursionError, MemoryError):
                raise self.error(_TOO_DEEP) from None
            except (ArithmeticError, SyntaxError, TypeError, ValueError) as error:  # what a type or value objects to
                raise self.error(str(error)) from None
        if self.open:
            raise self.error(f"the function {self.open[-1].name} has no return")
        if not self.graphs:
            raise self.error("there is no function")
        entry = self.entry or next(iter(self.graphs))
        if entry not in self.graphs:
            raise self.error(f"there is no entry {entry}")
        return Module(entry, self.graphs)

    def error(self, message: str) -> TextError:
        return TextError(self.line.number, self.line.text, message)

    # --- lines ---

    def read_lines(self, text: str) -> list[_Line]:
        """The lines with their statements, parsed all at once as if none were indented."""
        _require_characters(text)
        lines: list[_Line] = []
        flat: list[str] = []
        at: dict[int, _Line] = {}
        known = True
        for number, raw in enumerate(text.splitlines(), 1):
            stripped = raw.strip()
            if stripped.startswith("#"):
                self.header(stripped, number)
            elif stripped:
                line = _Line(number, len(raw) - len(raw.lstrip(" ")), stripped)
                lines.append(line)
                flat.append(stripped)
                at[len(flat)] = line
                if stripped.startswith("def "):
                    flat.append(" pass")
                if (read := _read(stripped)) is None:
                    known = False
                else:
                    line.node, line.comment = read
        if known:
            return lines
        for line in lines:
            line.node = None
        for node in _parsed(flat, at):
            line = at.get(node.lineno)
            if line is None or line.node is not None:
                line = lines[0] if line is None else line
                raise TextError(line.number, line.text, "there is more than one statement")
            line.node = node
            try:
                line.comment = _comment(line.text, node)
            except ValueError:
                raise TextError(line.number, line.text, "this is not a function of the text form") from None
        for line in lines:
            if line.node is None:
                raise TextError(line.number, line.text, "this is not a statement of its own")
        return lines

    def header(self, comment: str, number: int) -> None:
        if match := re.fullmatch(r"# file (\S+) = (.*)", comment):
            try:
                file = ast.literal_eval(match[2])
            except (MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
                file = None
            if not isinstance(file, str):
                raise TextError(number, comment, "a file is named by a string")
            self.files[match[1]] = file
        elif match := re.fullmatch(r"# entry (\w+)", comment):
            self.entry = match[1]

    def statement(self, line: _Line) -> None:
        if self.open and line.indent <= self.open[-1].line.indent:
            raise self.error(f"the function {self.open[-1].name} has no return")
        match line.node:
            case ast.FunctionDef() as node:
                self.head(node, line)
            case ast.AnnAssign(ast.Name(name), annotation, None) if not self.open:
                self.constants[name] = read_type(annotation)
            case ast.Return(value) if self.open:
                self.close(value)
            case ast.AnnAssign(ast.Name(name), annotation, ast.Call() as call) if self.open:
                self.binding([name], [read_type(annotation)], call, line)
            case ast.Assign([ast.Name(name)], ast.Call() as call) if self.open:
                self.binding([name], None, call, line)
            case ast.Assign([ast.Tuple(targets)], ast.Call() as call) if self.open:
                self.binding([_dotted(t) for t in targets], None, call, line)
            case ast.Expr(ast.Call() as call) if self.open:
                self.binding([], None, call, line)
            case _:
                raise self.error("this is neither a binding, nor a function, nor a return")

    # --- graphs ---

    def head(self, node: ast.FunctionDef, line: _Line) -> None:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
            raise self.error("a graph has plain parameters only")
        scope = self.open[-1].graphs if self.open else self.graphs
        if node.name in scope:
            raise self.error(f"the function {node.name} is defined twice")
        if len(self.open) == _DEEPEST:
            raise self.error(f"functions are nested more than {_DEEPEST} deep")
        span, _, own = self.spans(line.comment, self.open[-1].span if self.open else OUTSIDE)
        new = _Open(node.name, line, span, (), node.returns is not None)
        self.open.append(new)
        new.params = tuple(
            self.bind(arg.arg, None if arg.annotation is None else read_type(arg.annotation), own.get(arg.arg, span))
            for arg in arguments.args
        )

    def bind(self, name: str, type_: Type | None, span: Span) -> Var:
        graph = self.open[-1]
        if name in graph.shadowed:
            raise self.error(f"{name} is bound twice")
        graph.shadowed[name] = self.variables.get(name)
        var = self.variables[name] = Var(name, type_, span)
        return var

    def close(self, value: ast.expr | None) -> None:
        graph = self.open[-1]
        nodes = value.elts if isinstance(value, ast.Tuple) else [] if value is None else [value]
        results = tuple(map(self.atom, nodes))
        if graph.graphs:
            raise self.error(f"the function {next(iter(graph.graphs))} is not used")
        self.open.pop()
        for name, outer in graph.shadowed.items():
            if outer is None:
                del self.variables[name]
            else:
                self.variables[name] = outer
        scope = self.open[-1].graphs if self.open else self.graphs
        scope[graph.name] = Graph(graph.name, graph.params, tuple(graph.body), results, graph.span)

    # --- bindings ---

    def binding(self, names: list[str], types: list[Type] | None, call: ast.Call, line: _Line) -> None:
        graph = self.open[-1]
        name = _dotted(call.func)
        op = self.ops.get(name)
        if op is None:
            raise self.error(f"there is no operator {name}")
        graphs: list[Graph] = []
        args: list[Atom] = []
        for node in call.args:
            if isinstance(node, ast.Name) and node.id in graph.graphs:
                graphs.append(graph.graphs.pop(node.id))
            else:
                args.append(self.atom(node))
        if call.keywords and any(k.arg is None for k in call.keywords):
            raise self.error("a parameter has a name")
        params = {str(k.arg): read_value(k.value, self.table) for k in call.keywords}
        if isinstance(source := params.get("source"), FunctionSource) and len(graphs) == 1:
            params["source"] = replace(source, graph=graphs[0])
        span, noted, own = self.spans(line.comment, graph.span)
        out_types: list[Type | None] = [*(types or noted or [None] * len(names))]
        if len(out_types) != len(names):
            raise self.error(f"{len(out_types)} types for {len(names)} outputs")
        outs = tuple(self.bind(n, t, own.get(n, span)) for n, t in zip(names, out_types, strict=True))
        graph.body.append(Binding(outs, op, tuple(args), span, params, tuple(graphs)))

    def atom(self, node: ast.expr) -> Atom:
        if isinstance(node, ast.Name):
            if node.id in self.variables:
                return self.variables[node.id]
            if node.id in self.constants:
                if node.id not in self.table:
                    raise self.error(f"the table has no {node.id}")
                return Literal(self.table[node.id], self.constants[node.id])
        return read_literal(node, self.table, self.open[-1].typed)

    # --- comments ---

    def spans(self, comment: str, around: Span) -> tuple[Span, list[Type | None] | None, dict[str, Span]]:
        """What `#:` says: the span, the types of the outputs, the spans of variables that have their own."""
        types: list[Type | None] | None = None
        span: Span | None = None
        own: dict[str, Span] = {}
        for part in filter(None, map(str.strip, _FIELDS.findall(comment))):
            if part.startswith("->"):
                tree = ast.parse(part[2:].strip(), mode="eval").body
                items = tree.elts if isinstance(tree, ast.Tuple) else [tree]
                types = [None if isinstance(i, ast.Name) and i.id == "_" else read_type(i) for i in items]
            elif span is None:
                span = self.beside(part, around, around.function)
            else:
                name, _, place = part.partition(" ")
                own[name] = self.beside(place, span, around.function)
        return span or NOWHERE, types, own

    def chain(self, text: str, function: str) -> Span:
        span: Span | None = None
        for frame in reversed(text.split(" < ")):
            match = _SPAN.fullmatch(frame)
            if match is None:
                raise self.error(f"{frame!r} is not a span")
            line, column, end_line, end_column = (int(match[i] or match[2]) for i in range(2, 6))
            file = self.files.get(match[1], match[1])
            span = Span(file, line, column, end_line, end_column, match[6] or function, span)
        assert span is not None
        return span

    def beside(self, text: str, base: Span, function: str) -> Span:
        match = _EXTENT.fullmatch(text)
        if match is None:
            return self.chain(text, function)
        line, column, end_line, end_column = (int(match[i] or match[1]) for i in range(1, 5))
        return Span(base.file, line, column, end_line, end_column, base.function, base.caller)


def _dotted(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)


@lru_cache(maxsize=4096)
def _read(line: str) -> tuple[ast.stmt, str] | None:
    """The statement and the comment of a line that is a statement by itself: most lines a pass leaves as they are."""
    try:
        (node,) = ast.parse(f"{line}\n pass" if line.startswith("def ") else line).body
        return node, _comment(line, node)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


_FIELDS: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|[^;'"])+""")
_SPAN: Final = re.compile(r"(.+?):(\d+):(\d+)-(?:(\d+):)?(\d+)(?: in (.+))?")
_EXTENT: Final = re.compile(r"(\d+):(\d+)-(?:(\d+):)?(\d+)")


def _require_characters(text: str) -> None:
    """Raise TextError for what no Python text has: NUL, and halves of surrogate pairs."""
    at = text.find("\0")
    what = "a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        at, what = error.start, "half of a surrogate pair"
    if at >= 0:
        lines = text[: at + 1].splitlines()
        raise TextError(len(lines), ascii(lines[-1]), f"there is {what}")


def _parsed(flat: list[str], at: Mapping[int, _Line]) -> list[ast.stmt]:
    """The statements of lines of Python; `at`: the lines of the text by their numbers among these. Raises TextError."""
    try:
        return ast.parse("\n".join(flat)).body
    except SyntaxError as error:
        number = error.lineno or 0
        line = at.get(number) or at.get(number - 1) or at.get(len(flat)) or _Line(1, 0, "")
        raise TextError(line.number, line.text, error.msg) from None
    except (MemoryError, RecursionError):
        lines = sorted(at.values(), key=lambda line: -len(line.text))
        deep = next((line for line in lines if _is_too_deep(line.text)), lines[0])
    raise TextError(deep.number, deep.text, _TOO_DEEP)


def _is_too_deep(text: str) -> bool:
    try:
        ast.parse(text)
    except (MemoryError, RecursionError):
        return True
    except SyntaxError:  # the head of a function, alone
        return False
    return False


def _comment(text: str, node: ast.stmt) -> str:
    """What follows `#:` after a statement."""
    if not isinstance(node, ast.FunctionDef):
        rest = text.encode()[node.end_col_offset :].decode()
    else:
        last = node.returns or (node.args.args[-1] if node.args.args else None)
        rest = text.encode()[last.end_col_offset :].decode() if last else text[text.index("(") + 1 :]
        rest = re.sub(r"^[,)\s]*:", "", rest)
    return rest.strip().removeprefix("#:")
