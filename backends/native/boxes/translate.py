"""The library's source, a subset of Python over 64-bit words, as LLVM text.

A function takes and gives words; its variables are words. There are `if`, `while`, `for k in range(…)`, `return`,
`break`, `continue`, conditional expressions, `and`, `or`, `not`, comparisons and the arithmetic of ints that wraps (`%`
of numbers that are not negative; `//` as C divides). Calls are of other functions of the library, of the words of
`boxes.words`, and of functions from outside. What may find no memory gives `FAIL`, and what calls such a function gives
it too: the translation looks after each call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from jitcore.source import InternalError

Function: TypeAlias = ast.FunctionDef
FAIL: Final = -(2**63)
"""What a function gives for which there was no memory."""
PREFIX: Final = "jb_"
"""What the names of the library's functions begin with in LLVM."""

_LOCAL: Final = re.compile(r"%[a-z]\b")
_ARITHMETIC: Final[Mapping[type, str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "sdiv", ast.Mod: "srem", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_COMPARE: Final[Mapping[type, str]] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "load": ("%p = inttoptr i64 {0} to ptr", "%r = load i64, ptr %p, align 8"),
    "load_any": ("%p = inttoptr i64 {0} to ptr", "%r = load i64, ptr %p, align 1"),
    "load32": ("%p = inttoptr i64 {0} to ptr", "%n = load i32, ptr %p, align 4", "%r = zext i32 %n to i64"),
    "load32_any": ("%p = inttoptr i64 {0} to ptr", "%n = load i32, ptr %p, align 1", "%r = zext i32 %n to i64"),
    "load8": ("%p = inttoptr i64 {0} to ptr", "%n = load i8, ptr %p, align 1", "%r = zext i8 %n to i64"),
    "store": ("%p = inttoptr i64 {0} to ptr", "store i64 {1}, ptr %p, align 8"),
    "store_any": ("%p = inttoptr i64 {0} to ptr", "store i64 {1}, ptr %p, align 1"),
    "store32": ("%p = inttoptr i64 {0} to ptr", "%n = trunc i64 {1} to i32", "store i32 %n, ptr %p, align 4"),
    "store16": ("%p = inttoptr i64 {0} to ptr", "%n = trunc i64 {1} to i16", "store i16 %n, ptr %p, align 1"),
    "store8": ("%p = inttoptr i64 {0} to ptr", "%n = trunc i64 {1} to i8", "store i8 %n, ptr %p, align 1"),
    "move": (
        "%p = inttoptr i64 {0} to ptr", "%q = inttoptr i64 {1} to ptr",
        "call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 {2}, i1 false)",
    ),
    "clear": (
        "%p = inttoptr i64 {0} to ptr", "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 {1}, i1 false)",
    ),
    "fill": (
        "%p = inttoptr i64 {0} to ptr", "call void @llvm.memset.p0.i64(ptr %p, i8 -1, i64 {1}, i1 false)",
    ),
    "shr": ("%r = lshr i64 {0}, {1}",),
    "fold": (
        "%x = zext i64 {0} to i128", "%y = zext i64 {1} to i128", "%p = mul i128 %x, %y", "%q = lshr i128 %p, 64",
        "%n = xor i128 %p, %q", "%r = trunc i128 %n to i64",
    ),
    "trailing_zeros": ("%r = call i64 @llvm.cttz.i64(i64 {0}, i1 true)",),
    "less_unsigned": ("%c = icmp ult i64 {0}, {1}", "%r = zext i1 %c to i64"),
    "float_less": (
        "%x = bitcast i64 {0} to double", "%y = bitcast i64 {1} to double", "%c = fcmp olt double %x, %y",
        "%r = zext i1 %c to i64",
    ),
    "float_equal": (
        "%x = bitcast i64 {0} to double", "%y = bitcast i64 {1} to double", "%c = fcmp oeq double %x, %y",
        "%r = zext i1 %c to i64",
    ),
    "float_bits": ("%x = sitofp i64 {0} to double", "%r = bitcast double %x to i64"),
    "float_short": (
        "%x = bitcast i64 {0} to double", "%y = fptrunc double %x to float", "%z = fpext float %y to double",
        "%r = bitcast double %z to i64",
    ),
    "short_of_float": (
        "%x = bitcast i64 {0} to double", "%y = fptrunc double %x to float", "%z = bitcast float %y to i32",
        "%r = zext i32 %z to i64",
    ),
    "float_of_short": (
        "%x = trunc i64 {0} to i32", "%y = bitcast i32 %x to float", "%z = fpext float %y to double",
        "%r = bitcast double %z to i64",
    ),
    "float_whole": ("%x = bitcast i64 {0} to double", "%r = fptosi double %x to i64"),
}  # fmt: skip
INTRINSICS: Final = """declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


def functions_in(sources: Iterable[str]) -> tuple[dict[str, ast.FunctionDef], dict[str, int]]:
    """The functions and the constants of the library's modules, by name."""
    functions: dict[str, ast.FunctionDef] = {}
    constants: dict[str, int] = {}
    for source in sources:
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                if node.name in functions:
                    raise InternalError(f"the library has two functions {node.name}")
                functions[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                constants[node.target.id] = _constant(node.value, constants)
    return functions, constants


def _constant(node: ast.expr, known: Mapping[str, int]) -> int:
    made = eval(compile(ast.Expression(node), "constant", "eval"), {"__builtins__": {}}, dict(known))
    if type(made) is not int:
        raise InternalError(f"a constant of the library is no int: {ast.unparse(node)}")
    return made


def fallible(functions: Mapping[str, ast.FunctionDef], roots: Iterable[str]) -> frozenset[str]:
    """The functions that may give `FAIL`: the roots, and what calls them."""
    calls = {
        name: {c.func.id for c in ast.walk(node) if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)}
        for name, node in functions.items()
    }
    found = set(roots)
    while True:
        more = {name for name, called in calls.items() if called & found} - found
        if not more:
            return frozenset(found)
        found |= more


def translated(
    functions: Mapping[str, ast.FunctionDef],
    constants: Mapping[str, int],
    outside: Mapping[str, int],
    failing: frozenset[str],
) -> str:
    """LLVM text of functions; `outside` are those that are defined elsewhere, with how many words each takes."""
    counts = {name: len(node.args.args) for name, node in functions.items()} | dict(outside)
    texts = [_Function(node, constants, counts, failing).text() for node in functions.values()]
    return INTRINSICS + "\n".join(texts)


def _write_word(name: str, args: Sequence[str], value: Callable[[str], str], line: Callable[[str], object]) -> str:
    """Write the instructions of a word of `boxes.words`: the name of what it gives."""
    names: dict[str, str] = {}
    for text in _WORDS[name]:
        target, is_named, written = text.rpartition(" = ")
        written = _LOCAL.sub(lambda m: names[m[0]], written).format(*args)
        if is_named:
            names[target] = value(written)
        else:
            line(written)
    return names.get("%r", "0")


# --- functions written out where they are called

_MOST_WORDS: Final = 8
"""How many words of `boxes.words` a function uses at most that is written out where programs call it."""


def is_short(functions: Mapping[str, Function], constants: Mapping[str, int], name: str) -> bool:
    """Whether a function is a few instructions without a branch."""
    return 0 <= _words_in(functions, constants, name) <= _MOST_WORDS


def _words_in(functions: Mapping[str, Function], constants: Mapping[str, int], name: str) -> int:
    """How many words a function uses that has no branches; above the limit for others."""
    found = 0
    for statement in functions[name].body:
        for node in ast.walk(statement):
            match node:
                case ast.Call(ast.Name(called)):
                    if called in ("move", "clear", "fill"):
                        return _MOST_WORDS + 1
                    if called in _WORDS:
                        found += 1
                    elif called in functions and called != name:
                        found += _words_in(functions, constants, called)
                    else:
                        return _MOST_WORDS + 1
                case ast.Assign([ast.Name()]) | ast.UnaryOp(ast.USub() | ast.Invert()) | ast.Expr() | ast.Return():
                    pass
                case ast.Constant() | ast.Name() | ast.BinOp() | ast.expr_context() | ast.operator() | ast.unaryop():
                    pass
                case _:
                    return _MOST_WORDS + 1
    return found


def written_out(
    functions: Mapping[str, Function],
    constants: Mapping[str, int],
    name: str,
    args: Sequence[str],
    value: Callable[[str], str],
    line: Callable[[str], object],
) -> str:
    """Write the instructions of a short function of the library, of words that have names: the result's name."""
    return _Expansion(functions, constants, value, line).call(name, args)


class _Expansion:
    """Short functions being written out."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        constants: Mapping[str, int],
        value: Callable[[str], str],
        line: Callable[[str], object],
    ) -> None:
        self.functions = functions
        self.constants = constants
        self.value = value
        self.line = line

    def call(self, name: str, args: Sequence[str]) -> str:
        if name in _WORDS:
            return _write_word(name, args, self.value, self.line)
        function = self.functions[name]
        known = {a.arg: given for a, given in zip(function.args.args, args, strict=True)}
        for statement in function.body:
            match statement:
                case ast.Assign([ast.Name(target)], node):
                    known[target] = self.expression(node, known)
                case ast.Return(ast.expr() as node):
                    return self.expression(node, known)
                case ast.Expr(ast.Call() as node):
                    self.expression(node, known)
                case _:
                    pass
        return "0"

    def expression(self, node: ast.expr, known: Mapping[str, str]) -> str:
        match node:
            case ast.Constant(int() as number):
                return str(int(number))
            case ast.Name(name):
                return known[name] if name in known else str(self.constants[name])
            case ast.BinOp(left, op, right):
                one, two = self.expression(left, known), self.expression(right, known)
                return self.value(f"{_ARITHMETIC[type(op)]} i64 {one}, {two}")
            case ast.UnaryOp(ast.USub(), operand):
                return self.value(f"sub i64 0, {self.expression(operand, known)}")
            case ast.UnaryOp(ast.Invert(), operand):
                return self.value(f"xor i64 {self.expression(operand, known)}, -1")
            case ast.Call(ast.Name(name), args):
                return self.call(name, [self.expression(a, known) for a in args])
            case _:
                raise InternalError(f"`{ast.unparse(node)}` is no expression that is written out")


class _Function:
    """One function being written."""

    def __init__(
        self, node: ast.FunctionDef, constants: Mapping[str, int], counts: Mapping[str, int], failing: frozenset[str]
    ) -> None:
        self.node = node
        self.constants = constants
        self.counts = counts
        self.failing = failing
        self.lines: list[str] = []
        self.variables: dict[str, None] = {}
        self.count = 0
        self.loops: list[tuple[str, str]] = []
        self.ended = False
        self.fails = False

    def text(self) -> str:
        params = [a.arg for a in self.node.args.args]
        for name in params:
            self.variables[name] = None
        self.block(self.node.body)
        if not self.ended:
            self.line("ret i64 0")
        if self.fails:
            self.lines += ["fail:", f"  ret i64 {FAIL}"]
        head = f"define i64 @{PREFIX}{self.node.name}({', '.join(f'i64 %in.{p}' for p in params)}) nounwind {{"
        begin = ["entry:", *(f"  %v.{name} = alloca i64" for name in self.variables)]
        begin += [f"  store i64 %in.{p}, ptr %v.{p}" for p in params]
        return "\n".join([head, *begin, *self.lines, "}"]) + "\n"

    # --- writing

    def line(self, text: str) -> None:
        if not self.ended:
            self.lines.append(f"  {text}")

    def value(self, text: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def fresh(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def label(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def begin(self, label: str) -> None:
        if not self.ended:
            self.line(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.ended = False

    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")
        self.ended = True

    # --- statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if self.ended:
                raise self.problem(statement, "is never reached")
            self.statement(statement)

    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value):
                self.expression(value)
            case ast.Assign([ast.Name(name)], value):
                self.assign(name, self.expression(value))
            case ast.AugAssign(ast.Name(name), op, value):
                before = self.read(name)
                self.assign(name, self.value(f"{_ARITHMETIC[type(op)]} i64 {before}, {self.expression(value)}"))
            case ast.Return(value):
                self.line(f"ret i64 {self.expression(value) if value is not None else '0'}")
                self.ended = True
            case ast.If():
                self.if_(s)
            case ast.While(test, body):
                self.while_(test, body)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [end]), body):
                self.for_(name, ast.Constant(0), end, body)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [first, end]), body):
                self.for_(name, first, end, body)
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case _:
                raise self.problem(s, "is no statement of the library's language")

    def assign(self, name: str, value: str) -> None:
        self.variables[name] = None
        self.line(f"store i64 {value}, ptr %v.{name}")

    def if_(self, s: ast.If) -> None:
        then, orelse, join = self.label("then"), self.label("else"), self.label("join")
        self.condition(s.test, then, orelse if s.orelse else join)
        ends = []
        for label, body in ((then, s.body), (orelse, s.orelse)):
            if not body:
                continue
            self.begin(label)
            self.block(body)
            ends.append(self.ended)
            if not self.ended:
                self.jump(join)
        if len(ends) == 2 and all(ends):
            self.ended = True
            return
        self.begin(join)

    def while_(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        head, inside, done = self.label("loop"), self.label("body"), self.label("done")
        self.begin(head)
        forever = isinstance(test, ast.Constant) and test.value is True
        if forever:
            self.jump(inside)
        else:
            self.condition(test, inside, done)
        self.begin(inside)
        self.loops.append((head, done))
        self.block(body)
        self.loops.pop()
        if not self.ended:
            self.jump(head)
        self.begin(done)

    def for_(self, name: str, first: ast.expr, end: ast.expr, body: Sequence[ast.stmt]) -> None:
        limit = self.expression(end)
        self.assign(name, self.expression(first))
        head, inside, step, done = (self.label(hint) for hint in ("loop", "body", "step", "done"))
        self.begin(head)
        more = self.value(f"icmp slt i64 {self.read(name)}, {limit}")
        self.line(f"br i1 {more}, label %{inside}, label %{done}")
        self.ended = True
        self.begin(inside)
        self.loops.append((step, done))
        self.block(body)
        self.loops.pop()
        self.begin(step)
        self.assign(name, self.value(f"add i64 {self.read(name)}, 1"))
        self.jump(head)
        self.begin(done)

    # --- expressions

    def condition(self, node: ast.expr, then: str, orelse: str) -> None:
        """Go to one of two labels."""
        match node:
            case ast.BoolOp(ast.And(), values):
                for value in values[:-1]:
                    following = self.label("and")
                    self.condition(value, following, orelse)
                    self.begin(following)
                self.condition(values[-1], then, orelse)
            case ast.BoolOp(ast.Or(), values):
                for value in values[:-1]:
                    following = self.label("or")
                    self.condition(value, then, following)
                    self.begin(following)
                self.condition(values[-1], then, orelse)
            case ast.UnaryOp(ast.Not(), operand):
                self.condition(operand, orelse, then)
            case ast.Compare(left, [op], [right]):
                made = f"icmp {_COMPARE[type(op)]} i64 {self.expression(left)}, {self.expression(right)}"
                self.branch(self.value(made), then, orelse)
            case _:
                self.branch(self.value(f"icmp ne i64 {self.expression(node)}, 0"), then, orelse)

    def branch(self, condition: str, then: str, orelse: str) -> None:
        self.line(f"br i1 {condition}, label %{then}, label %{orelse}")
        self.ended = True

    def expression(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(int() as value):
                return str(int(value))
            case ast.Name(name):
                return self.read(name)
            case ast.BinOp(left, op, right):
                return self.value(f"{_ARITHMETIC[type(op)]} i64 {self.expression(left)}, {self.expression(right)}")
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                return str(-int(value))
            case ast.UnaryOp(ast.USub(), operand):
                return self.value(f"sub i64 0, {self.expression(operand)}")
            case ast.UnaryOp(ast.Invert(), operand):
                return self.value(f"xor i64 {self.expression(operand)}, -1")
            case ast.IfExp(test, body, orelse):
                return self.choice(test, body, orelse)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return self.choice(node, ast.Constant(1), ast.Constant(0))
            case ast.Call(ast.Name(name), args):
                return self.call(node, name, [self.expression(a) for a in args])
            case _:
                raise self.problem(node, "is no expression of the library's language")

    def choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> str:
        then, other, join = self.label("then"), self.label("else"), self.label("join")
        self.count += 1
        held = f"choice{self.count}"
        self.condition(test, then, other)
        for label, value in ((then, body), (other, orelse)):
            self.begin(label)
            self.assign(held, self.expression(value))
            self.jump(join)
        self.begin(join)
        return self.read(held)

    def read(self, name: str) -> str:
        if name in self.constants:
            return str(self.constants[name] if self.constants[name] < 2**63 else self.constants[name] - 2**64)
        if name not in self.variables:
            raise InternalError(f"{self.node.name} of the library reads {name}, which has no value")
        return self.value(f"load i64, ptr %v.{name}")

    def call(self, node: ast.AST, name: str, args: list[str]) -> str:
        if name in _WORDS:
            return self.word(name, args)
        if self.counts.get(name) != len(args):
            raise self.problem(node, "calls what does not take that many words")
        made = self.value(f"call i64 @{PREFIX}{name}({', '.join(f'i64 {a}' for a in args)})")
        if name in self.failing:
            self.fails = True
            go_on = self.label("held")
            failed = self.value(f"icmp eq i64 {made}, {FAIL}")
            self.line(f"br i1 {failed}, label %fail, label %{go_on}")
            self.ended = True
            self.begin(go_on)
        return made

    def word(self, name: str, args: list[str]) -> str:
        return _write_word(name, args, self.value, self.line)

    def problem(self, node: ast.AST, what: str) -> InternalError:
        return InternalError(f"{self.node.name} of the library: `{ast.unparse(node)}` {what}")
