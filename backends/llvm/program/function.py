"""One function of a program as LLVM text: scalars, checks, structured control flow straight as SSA, calls, polls.

Every function takes the context first and returns `{ i32, results… }`: 0, or 1 after a failure, whose description is
in the context by then. A register is held as kernels hold an element (`kernels.values`: a complex number in two parts,
an f16 as a float), so that an operation has the same bits in a register as in a kernel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from jitcore.backends.llvm.kernels.cast import cast
from jitcore.backends.llvm.kernels.scalar import compute
from jitcore.backends.llvm.kernels.values import LANE_TYPE, Value, constant
from jitcore.backends.llvm.math.libm import PREFIX, libm
from jitcore.backends.llvm.program.loops import is_for_vectors
from jitcore.backends.native.host import context
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, quoted
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.program import nodes as n
from jitcore.program.walk import outer_registers, statements
from jitcore.source import InternalError
from jitcore.structs import dataclass, field
from jitcore.types import DType, f64, i64

CONSTANTS: Final = "jc_constants"
HOSTS: Final = "jc_hosts"
ENTRY_POINT: Final = "run"
MARK: Final = "  ; @"
"""What a line begins with that says, up to the next one, what code was written for."""
UNMARKED: Final = -1
_FAILED: Final = "failed"
"""The label of the way out of a function that fails."""

_WEIGHTS: Final = """!7001 = !{!"branch_weights", i32 1, i32 2000}
!7002 = !{!"branch_weights", i32 2000, i32 1}"""
_UNLIKELY: Final = ", !prof !7001"
_LIKELY: Final = ", !prof !7002"
_LONG: Final = 1 << 62
"""Additions, more than anything that runs with the GIL."""

Parts: TypeAlias = "tuple[Vec, ...]"
"""What a register holds: one scalar, or two for a complex number."""
Steps: TypeAlias = "Generator[Steps, None, None]"
"""A lowering in steps: it yields the lowering of a nested block and goes on when that is done, so that the depth of a
program's nesting is not limited by Python's stack."""
Handler: TypeAlias = "Callable[[FunctionLowering, Any], None]"
"""Lowers one kind of statement."""
Nesting: TypeAlias = "Callable[[FunctionLowering, Any], Steps]"
"""Lowers one kind of statement that has blocks inside."""


def function_name(program: n.Program, name: str) -> str:
    """What a function of a program is called in its module."""
    return ENTRY_POINT if name == program.entry else f"function.{name}"


def kernel_name(name: str) -> str:
    """What a kernel of a program is called in its module."""
    return "kernel." + re.sub(r"[^A-Za-z0-9_.]", lambda m: f"-{ord(m.group()):x}", name)


def part_types(dtype: DType | None) -> tuple[str, ...]:
    """The LLVM types of a register's parts."""
    if dtype is None:
        return ("ptr",)
    return (LANE_TYPE[dtype.name],) * (2 if dtype.kind == "c" else 1)


@dataclass(frozen=True, slots=True)
class _SharedEnd:
    """A block that calls a function and goes to `target`; whoever comes from one of the labels in `comers` brings the
    words it is called with."""

    label: str
    call: str
    count: int
    rest: tuple[str, ...]
    target: str
    comers: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])

    def lines(self) -> list[str]:
        """The block as LLVM text."""
        made, given = [f"{self.label}:"], ["ptr %ctx"]
        for k in range(self.count):
            pairs = ", ".join(f"[ {words[k]}, %{label} ]" for label, words in self.comers)
            made.append(f"  %{self.label}.{k} = phi i64 {pairs}")
            given.append(f"i64 %{self.label}.{k}")
        result = "" if self.call.startswith("call void") else f"%{self.label}.status = "
        return [*made, f"  {result}{self.call}({', '.join([*given, *self.rest])})", f"  br label %{self.target}"]


class FunctionLowering:
    """Writes one function; `handlers` are for the statements that touch memory or Python, `nesting` for those with
    blocks that are not written here. Loops for the vectoriser become functions of their own, named in `loops` if that
    is given. `marks`, by the ids of statements: numbers that comments before their code say (`MARK`)."""

    def __init__(
        self,
        program: n.Program,
        function: n.Function,
        module: LLVMModule,
        target: Target,
        handlers: Mapping[type, Handler],
        nesting: Mapping[type, Nesting],
        loops: list[str] | None = None,
        marks: Mapping[int, int] | None = None,
    ) -> None:
        self.program = program
        self.function = function
        self.code = Code(module, target)
        self.is_entry = function.name == program.entry
        self._handlers = {**handlers, **_HANDLERS}
        self._nesting = nesting
        self._loops = loops
        self._marks = marks
        self._mark = UNMARKED
        polls = any(isinstance(s, n.Poll) for s in statements(function.body))
        self._polls_in_loops = polls and any(isinstance(s, n.While) for s in statements(function.body))
        self._registers: dict[n.Reg, Parts] = {}
        self._sums: dict[tuple[str, str, str], Vec] = {}
        """By operation and operands: pairs of a wrapped result and whether it overflowed; in the order they were
        made."""
        self._failures: list[str] = []
        self._shared_ends: dict[tuple[str, ...], _SharedEnd] = {}
        """By what is called and where it goes on: the blocks that all failures of one kind end in. With a call in each
        of them, LLVM's search for what blocks have in common would take longer than all else."""
        self._can_fail = False
        self.targets = [_FAILED]
        """Where a failure goes: out of the function, or to the handlers of each `Try` around this place."""
        self.caught: list[Vec] = []
        """What the handlers being written keep of what they caught, outermost first."""

    # --- the function

    def lower(self) -> None:
        """Write the function and define it in the module."""
        params = ["ptr %ctx"]
        if self.is_entry:
            params += ["ptr noalias readonly %in", "ptr noalias %out"]
            self._begin()
        params += self._bind_params()
        self._reload_polls()
        run_steps(self.block(self.function.body))
        self._save_polls()
        if self._marks is not None:
            self._failures.append(f"{MARK}{UNMARKED}")
        for end in self._shared_ends.values():
            self._failures += end.lines()
        if self.is_entry:
            self._end()
        else:
            self._return()
        name = quoted(function_name(self.program, self.function.name))
        linkage = "i32" if self.is_entry else f"internal fastcc {_result_type(self.function)}"
        head = f"define {linkage} @{name}({', '.join(params)}) nounwind {{"
        self.code.module.define(name, "\n".join([head, self.code.body(), *self._failures, "}"]))
        self.code.module.define("!branch_weights", _WEIGHTS)

    def _lower_loop(self) -> None:
        """Write a function that is nothing but a loop for the vectoriser: it needs no context, and does not fail."""
        params = ", ".join(self._bind_params())
        run_steps(self.block(self.function.body))
        result = _struct_type(self.function.body.results)
        self._return_struct(result, "poison", 0)
        if self._failures:
            raise InternalError(f"the loop {self.function.name} can fail")
        head = f"define internal fastcc {result} @{self.function.name}({params}) nounwind {{"
        self.code.module.define(self.function.name, "\n".join([head, self.code.body(), "}"]))

    def _bind_params(self) -> list[str]:
        """The function's parameters as LLVM has them."""
        made: list[str] = []
        for index, param in enumerate(self.function.params):
            types = part_types(param.type)
            parts = tuple(Vec(self.code, f"%p{index}.{k}", t) for k, t in enumerate(types))
            self.bind(param, parts)
            made += [p.typed for p in parts]
        return made

    def _begin(self) -> None:
        if self.function.params or self.function.body.results:
            raise InternalError(f"the entry {self.function.name} has params or results other than its words")
        if self.program.nogil and not self.program.host_calls:
            self.call("void", "jc_work", f"i64 {_LONG}")
        if self._program_uses(n.Call):
            self.call("void", "jc_limit_stack", "ptr %ctx")

    def _program_uses(self, *kinds: type[object]) -> bool:
        return any(isinstance(s, kinds) for f in self.program.functions.values() for s in statements(f.body))

    def _end(self) -> None:
        """What blocks are left belong to Python, or are freed after a failure."""
        # a host call's results are blocks too
        has_boxes = self._program_uses(n.Library)
        enters = has_boxes and any(
            isinstance(s, n.Library) and s.function == "entered"
            for f in self.program.functions.values()
            for s in statements(f.body)
        )
        if enters:
            self.call("i64", "jb_write_back", "ptr %ctx")
        if has_boxes:
            self.call("i64", "jb_free_heap", "ptr %ctx")
        allocates = self._program_uses(n.Alloc, n.Move, n.StackNew, n.StackPop, n.Host)
        if self.program.suspends:
            self.call("void", "jc_suspend", "ptr %ctx", "ptr %out", f"i64 {self.program.out_words}")
        elif allocates:
            if self._program_uses(n.Try):
                self.call("void", "jc_settle", "ptr %ctx", "ptr %out", f"i64 {self.program.out_words}")
            self.call("void", "jc_finish", "ptr %ctx")
        self.code.line("ret i32 0")
        if self._can_fail:
            self._failures.append(f"{_FAILED}:")
            if enters:
                self._failures.append("  call i64 @jb_write_back(ptr %ctx)")
            if has_boxes:
                self._failures.append("  call i64 @jb_free_heap(ptr %ctx)")
            if allocates:
                self.code.module.declare("declare void @jc_unwind(ptr)")
                self._failures.append("  call void @jc_unwind(ptr %ctx)")
            self._failures.append("  ret i32 1")

    def _return(self) -> None:
        result = _result_type(self.function)
        parts = self._return_struct(result, "zeroinitializer", 1)
        if self._can_fail:
            rest = "".join(f", {p.type} poison" for p in parts)
            self._failures += [f"{_FAILED}:", f"  ret {result} {{ i32 1{rest} }}"]

    def _return_struct(self, result: str, text: str, place: int) -> list[Vec]:
        """Return the results, from a place of a struct on; what they are."""
        parts = [p for o in self.function.body.results for p in self.operand(o)]
        for index, part in enumerate(parts, place):
            text = self.code.emit(result, 1, f"insertvalue {result} {text}, {part.typed}, {index}").text
        self.code.line(f"ret {result} {text}")
        return parts

    # --- operands

    def operand(self, operand: n.Operand) -> Parts:
        """What an operand holds."""
        if isinstance(operand, n.Imm):
            if operand.type is not None:
                return constant(self.code, operand.type, operand.value, 1).parts
            if operand.value != 0:
                raise InternalError(f"the only constant address is null, not {operand.value!r}")
            return (Vec(self.code, "null", "ptr"),)
        parts = self._registers.get(operand)
        if parts is None:
            raise InternalError(f"register {operand} is used before it is set, in {self.function.name}")
        return parts

    def single(self, operand: n.Operand) -> Vec:
        """What an operand of one part holds: an address, an int, a bool."""
        (part,) = self.operand(operand)
        return part

    def value(self, operand: n.Operand) -> Value:
        """An operand that is a number."""
        if operand.type is None:
            raise InternalError(f"{operand} is an address, not a number, in {self.function.name}")
        return Value(operand.type, self.operand(operand))

    def bind(self, register: n.Reg, parts: Parts) -> None:
        """Set a register."""
        if tuple(p.type for p in parts) != part_types(register.type):
            raise InternalError(f"register {register} of type {register.type} is set to {[p.typed for p in parts]}")
        self._registers[register] = parts

    def call(self, type_: str, name: str, *args: Vec | str) -> Vec:
        """Call a function of the runtime support, declaring it."""
        given = [a if isinstance(a, str) else a.typed for a in args]
        self.code.module.declare(f"declare {type_} @{name}({', '.join(g.partition(' ')[0] for g in given)})")
        text = f"call {type_} @{name}({', '.join(given)})"
        if type_ == "void":
            self.code.line(text)
            return Vec(self.code, "poison", "ptr")
        return self.code.emit(type_, 1, text)

    # --- blocks

    def block(self, block: n.Block) -> Steps:
        known, around = len(self._sums), self._mark
        for statement in block.statements:
            if self._marks is not None:
                self._write_mark(self._marks.get(id(statement), UNMARKED))
            if isinstance(statement, n.If):
                yield from self._if(statement)
            elif isinstance(statement, n.While):
                if self._loops is not None and is_for_vectors(statement, self.program.fastmath):
                    self._call_loop(statement, self._loops)
                else:
                    yield from self._while(statement)
            elif isinstance(statement, n.Try | n.Parallel):
                yield from self._nesting[type(statement)](self, statement)
            else:
                self._handlers[type(statement)](self, statement)
        while len(self._sums) > known:  # what was computed in this block is not known after it
            self._sums.popitem()
        if self._marks is not None:
            self._write_mark(around)

    def _write_mark(self, mark: int) -> None:
        if mark != self._mark:
            self._mark = mark
            self.code.lines.append(f"{MARK}{mark}")

    def _marked(self, label: str) -> list[str]:
        """The beginning of a block that comes after all others."""
        return [f"{label}:"] if self._marks is None else [f"{label}:", f"{MARK}{self._mark}"]

    def branch(self, condition: Vec, then: str, orelse: str, likely: bool | None = None) -> None:
        """Go to one of two labels."""
        weights = {None: "", True: _LIKELY, False: _UNLIKELY}[likely]
        self.code.line(f"br i1 {condition}, label %{then}, label %{orelse}{weights}")

    # --- failing

    def fail_unless(self, ok: Vec, site: int, values: Sequence[Value] = ()) -> None:
        """Go on if `ok`, else end the call at a site."""
        fail, go_on = self.code.new_label("fail"), self.code.new_label("ok")
        self.branch(ok, go_on, fail, likely=True)
        lines, self.code.lines = self.code.lines, []
        kinds, words = 0, ["0", "0", "0"]
        for index, value in enumerate(values):
            kind, words[index] = self._error_word(value)
            kinds |= kind << 2 * index
        given = [str(kinds), *words] if values else []
        self._leave_in(fail, lines, "i32", "jc_fail", [str(site), *given], ["i64 0"] * (4 - len(given)))
        self.code.block(go_on)

    def _leave_in(
        self, label: str, lines: list[str], type_: str, name: str, words: Sequence[str], rest: Sequence[str] = ()
    ) -> None:
        """End a block that comes after all others by calling `name(ctx, words…, rest…)` and going where a failure
        goes, and go back to writing `lines`."""
        target = self.targets[-1]
        self.will_leave_to(target)
        key = (name, str(len(words)), target)
        if key not in self._shared_ends:
            given = ["ptr", *["i64"] * len(words), *(r.partition(" ")[0] for r in rest)]
            self.code.module.declare(f"declare {type_} @{name}({', '.join(given)})")
            end = _SharedEnd(self.code.new_label("end"), f"call {type_} @{name}", len(words), tuple(rest), target)
            self._shared_ends[key] = end
        end = self._shared_ends[key]
        end.comers.append((label, tuple(words)))
        self.code.jump(end.label)
        self._failures += [*self._marked(label), *self.code.lines]
        self.code.lines = lines

    def leave_to(self, target: str) -> None:
        """Go where a failure goes, which is described in the context."""
        self.will_leave_to(target)
        self.code.jump(target)

    def will_leave_to(self, target: str) -> None:
        """Note that there is a branch to where a failure goes."""
        self._can_fail = self._can_fail or target == _FAILED

    def fail_if_null(self, address: Vec, site: int) -> None:
        """End the call at a site if there is no address."""
        self.fail_unless(self.code.emit("i1", 1, f"icmp ne ptr {address}, null"), site)

    def _error_word(self, value: Value) -> tuple[int, str]:
        if value.dtype.kind == "c":
            raise InternalError("a check's values are real numbers, not complex ones")
        if value.dtype.is_float:
            return context.KIND_FLOAT, cast(self.code, f64, value).vec.bits().text
        return context.KIND_INT, cast(self.code, i64, value).vec.text

    def check(self, s: n.Check) -> None:
        if len(s.values) > 3:
            raise InternalError("a check has at most three values")
        ok = self.single(s.ok)
        if ok.text != "true":
            self.fail_unless(ok, s.site, [self.value(v) for v in s.values])

    # --- scalars

    def scalar(self, s: n.Scalar) -> None:
        if s.out.type is None:
            raise InternalError(f"{s.op} gives no address")
        args = [self.value(a) for a in s.args]
        self.bind(s.out, self._computed(s.op, s.out.type, args))

    def _computed(self, op: str, dtype: DType, args: Sequence[Value]) -> Parts:
        if op.startswith(PREFIX):
            return (libm(self.code, op, dtype, *(a.vec for a in args)),)
        base = op.removesuffix("_overflows")
        if base is not op:
            pair = self._sum(base, args)
            return (self.code.emit("i1", 1, f"extractvalue {pair.typed}, 1"),)
        if len(args) == 2 and args[0].dtype.is_integer:
            pair = self._sums.get((op, args[0].vec.typed, args[1].vec.typed))
            if pair is not None:
                return (self.code.emit(args[0].vec.type, 1, f"extractvalue {pair.typed}, 0"),)
        return compute(self.code, op, dtype, *args).parts

    def _sum(self, op: str, args: Sequence[Value]) -> Vec:
        """One instruction gives a result and whether it overflowed; it is kept for when the result is asked for."""
        a, b = (value.vec for value in args)
        key = (op, a.typed, b.typed)
        if key not in self._sums:
            sign = "u" if args[0].dtype.kind == "u" else "s"
            self._sums[key] = self.call(f"{{ {a.type}, i1 }}", f"llvm.{sign}{op}.with.overflow.{a.type}", a, b)
        return self._sums[key]

    # --- control flow

    def _if(self, s: n.If) -> Steps:
        then, orelse, join = (self.code.new_label(hint) for hint in ("then", "else", "join"))
        self.branch(self.single(s.condition), then, orelse)
        ends: list[str] = []
        arms: list[list[Parts]] = []
        for label, block in ((then, s.then), (orelse, s.orelse)):
            self.code.block(label)
            yield self.block(block)
            ends.append(self.code.label)
            arms.append([self.operand(o) for o in block.results])
            self.code.jump(join)
        self.code.block(join)
        for out, yes, no in zip(s.outs, *arms, strict=True):
            pairs = zip(yes, no, strict=True)
            self.bind(out, tuple(self.code.phi((a, ends[0]), (b, ends[1])) for a, b in pairs))

    def _while(self, s: n.While) -> Steps:
        head, body, done = (self.code.new_label(hint) for hint in ("loop", "body", "done"))
        inits = [part for o in s.inits for part in self.operand(o)]
        before = self.code.label
        self.code.jump(head)
        self.code.block(head)
        place = len(self.code.lines)
        for carry in s.carries:  # the phis that set them are written when the body's results are known
            names = (self.code.new_label("carry") for _ in part_types(carry.type))
            parts = zip(names, part_types(carry.type), strict=True)
            self.bind(carry, tuple(Vec(self.code, f"%{name}", t) for name, t in parts))
        yield self.block(s.test)
        (going,) = s.test.results
        self.branch(self.single(going), body, done)
        self.code.block(body)
        yield self.block(s.body)
        nexts = [part for o in s.body.results for part in self.operand(o)]
        latch = self.code.label
        self.code.jump(head)
        carries = [part for c in s.carries for part in self.operand(c)]
        self.code.lines[place:place] = [
            f"  {carry} = phi {carry.type} [ {init}, %{before} ], [ {following}, %{latch} ]"
            for carry, init, following in zip(carries, inits, nexts, strict=True)
        ]
        self.code.block(done)
        for out, carry in zip(s.outs, s.carries, strict=True):
            self.bind(out, self.operand(carry))

    def call_function(self, s: n.Call) -> None:
        callee = self.program.functions.get(s.function)
        if callee is None or s.function == self.program.entry:
            raise InternalError(f"there is no function {s.function} to call")
        frame = self.call("ptr", "llvm.frameaddress.p0", "i32 0")
        limit = self.code.load(self.field(context.STACK_LIMIT), "ptr")
        self.fail_unless(self.code.emit("i1", 1, f"icmp ugt ptr {frame}, {limit}"), s.site)
        self._save_polls()
        result = _result_type(callee)
        args = ", ".join(["ptr %ctx", *(p.typed for a in s.args for p in self.operand(a))])
        name = quoted(function_name(self.program, s.function))
        returned = self.code.emit(result, 1, f"call fastcc {result} @{name}({args})")
        status = self.code.emit("i32", 1, f"extractvalue {returned.typed}, 0")
        go_on = self.code.new_label("ok")
        raised = self.code.new_label("raised")
        self.branch(status.eq(0), go_on, raised, likely=True)
        lines, self.code.lines = self.code.lines, []
        self._leave_in(raised, lines, "void", "jc_trace", [str(s.site)])
        self.code.block(go_on)
        self._reload_polls()
        self._bind_struct(s.outs, returned, 1)

    def _bind_struct(self, outs: Sequence[n.Reg], returned: Vec, index: int) -> None:
        """Set registers from a struct, from one of its places on."""
        for out in outs:
            parts: list[Vec] = []
            for type_ in part_types(out.type):
                parts.append(self.code.emit(type_, 1, f"extractvalue {returned.typed}, {index}"))
                index += 1
            self.bind(out, tuple(parts))

    def _call_loop(self, loop: n.While, loops: list[str]) -> None:
        """Write a loop as a function of its own, and call it."""
        name = f"loop.{len(loops)}"
        loops.append(name)
        function = n.Function(name, outer_registers((loop,)), n.Block((loop,), loop.outs))
        module, target = self.code.module, self.code.target
        inner = FunctionLowering(
            self.program, function, module, target, self._handlers, self._nesting, marks=self._marks
        )
        inner._lower_loop()
        args = ", ".join(p.typed for r in function.params for p in self.operand(r))
        result = _struct_type(loop.outs)
        self._bind_struct(loop.outs, self.code.emit(result, 1, f"call fastcc {result} @{name}({args})"), 0)

    def field(self, offset: int) -> Vec:
        """The address of a field of the context."""
        return self.code.offset(Vec(self.code, "%ctx", "ptr"), offset, "i8")

    # --- polling: the count is a variable of a function with loops, kept in the context between functions

    def _reload_polls(self) -> None:
        if self._polls_in_loops:
            if "  %polls = alloca i64" not in self.code.entry_lines:
                self.code.entry_lines.append("  %polls = alloca i64")
            self.code.line(f"store i64 {self.code.load(self.field(context.POLL_COUNT), 'i64')}, ptr %polls")

    def _save_polls(self) -> None:
        if self._polls_in_loops:
            count = self.code.emit("i64", 1, "load i64, ptr %polls")
            self.code.store(count, self.field(context.POLL_COUNT))

    def poll(self, s: n.Poll) -> None:
        look, go_on = self.code.new_label("look"), self.code.new_label("calm")
        count = Vec(self.code, "%polls", "ptr") if self._polls_in_loops else self.field(context.POLL_COUNT)
        left = self.code.load(count, "i64") - 1
        self.code.store(left, count)
        self.branch(left.lt(0), look, go_on, likely=False)
        self.code.block(look)
        following = self.call("i64", "jc_poll", "ptr %ctx")
        self.code.store(following, count)
        self.fail_unless(following.ge(0), s.site)
        self.code.jump(go_on)
        self.code.block(go_on)

    def fail_if_interrupted(self, site: int) -> None:
        """A kernel has ended: the call ends too if the rest of it was left out."""
        self.code.module.declare("@jc_interrupted = external global i32")
        known = self.code.load(Vec(self.code, "@jc_interrupted", "ptr"), "i32")
        ask, go_on = self.code.new_label("ask"), self.code.new_label("whole")
        self.branch(known.eq(0), go_on, ask, likely=True)
        lines, self.code.lines = self.code.lines, []
        mine = self.call("i1", "jc_take_interrupt", "ptr %ctx", f"i64 {site}")
        self.will_leave_to(self.targets[-1])
        self.branch(mine, self.targets[-1], go_on)
        self._failures += [*self._marked(ask), *self.code.lines]
        self.code.lines = lines
        self.code.block(go_on)


def _result_type(function: n.Function) -> str:
    return _struct_type(function.body.results, "i32")


def _struct_type(operands: Sequence[n.Operand], *first: str) -> str:
    types = [t for o in operands for t in part_types(o.type)]
    return f"{{ {', '.join([*first, *types])} }}"


def run_steps(steps: Steps) -> None:
    """Lower something to its end."""
    pending = [steps]
    while pending:
        nested = next(pending[-1], None)
        if nested is None:
            pending.pop()
        else:
            pending.append(nested)


_HANDLERS: Final[Mapping[type, Handler]] = {
    n.Scalar: FunctionLowering.scalar,
    n.Check: FunctionLowering.check,
    n.Call: FunctionLowering.call_function,
    n.Poll: FunctionLowering.poll,
}
