"""Program → LLVM text: structured control flow written straight as SSA, each statement as the node says.

Every function takes the context first and returns `{ i32, results… }`: 0, or 1 after a failure, whose description is
in the context by then. The entry becomes `i32 run(context, in, out)`; it hands the blocks left over to Python, or
frees them after a failure. `jc_constants` and `jc_hosts` are tables of addresses that the loader fills in.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from jitcore.backends.llvm import context, engine
from jitcore.backends.llvm.contraction import lower_contraction
from jitcore.backends.llvm.engine import Target
from jitcore.backends.llvm.kernels import lower_kernel
from jitcore.backends.llvm.scalars import FunctionText, Value, cast, emit, overflow_pair
from jitcore.backends.llvm.text import LLVMModule, literal, quoted, register_type
from jitcore.kernel.nodes import AnyKernel, Kernel
from jitcore.program import nodes as n
from jitcore.program.walk import statements
from jitcore.program.words import register_words
from jitcore.source import InternalError
from jitcore.types import DType, bool_, f64, i64

_DECLARATIONS: Final = {
    "jc_fail": "declare i32 @jc_fail(ptr, i64, i64, i64, i64, i64)",
    "jc_alloc": "declare ptr @jc_alloc(ptr, i64)",
    "jc_alloc_zeroed": "declare ptr @jc_alloc_zeroed(ptr, i64)",
    "jc_use": "declare void @jc_use(ptr)",
    "jc_drop": "declare void @jc_drop(ptr, ptr)",
    "jc_is_unique": "declare i1 @jc_is_unique(ptr)",
    "jc_finish": "declare void @jc_finish(ptr)",
    "jc_unwind": "declare void @jc_unwind(ptr)",
    "jc_limit_stack": "declare void @jc_limit_stack(ptr)",
    "jc_poll": "declare i64 @jc_poll(ptr)",
    "jc_host": "declare i32 @jc_host(ptr, ptr, ptr, ptr)",
    "jc_stack_new": "declare ptr @jc_stack_new(ptr, i64)",
    "jc_stack_grow": "declare ptr @jc_stack_grow(ptr, ptr, i64)",
    "jc_stack_shrink": "declare ptr @jc_stack_shrink(ptr, ptr)",
    "jc_stack_free": "declare void @jc_stack_free(ptr, ptr)",
    "llvm.memcpy": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.frameaddress": "declare ptr @llvm.frameaddress.p0(i32)",
}

CONSTANTS: Final = "jc_constants"
HOSTS: Final = "jc_hosts"
ENTRY_POINT: Final = "run"

_UNLIKELY: Final = ", !prof !7001"
_LIKELY: Final = ", !prof !7002"
_WEIGHTS: Final = """
!7001 = !{!"branch_weights", i32 1, i32 2000}
!7002 = !{!"branch_weights", i32 2000, i32 1}
"""


@dataclass(frozen=True, slots=True)
class LoweredProgram:
    """A program as LLVM text, the level of passes it wants, and the functions to run them on; the names its object is
    asked for, and those it needs from outside."""

    text: str
    level: int
    functions: tuple[str, ...]
    exports: tuple[str, ...]
    imports: tuple[str, ...]


def lower_program(program: n.Program, target: Target) -> LoweredProgram:
    """The LLVM module of a program."""
    module = LLVMModule()
    for kernel in program.kernels.values():
        _lower_kernel(kernel, target, module)
    names = tuple(_function_name(program, name) for name in program.functions)
    for function in program.functions.values():
        _FunctionLowering(program, function, module, target).lower()
    exports = [ENTRY_POINT]
    for table, size in ((CONSTANTS, len(program.constants)), (HOSTS, len(program.host_calls))):
        if size:
            module.define(table, f"@{table} = global [{size} x ptr] zeroinitializer")
            exports.append(table)
    loops = any(isinstance(s, n.While) for f in program.functions.values() for s in statements(f.body))
    level = engine.LOOPS if loops else engine.NO_PASSES
    return LoweredProgram(module.text() + _WEIGHTS, level, names, tuple(exports), module.declared())


def _lower_kernel(kernel: AnyKernel, target: Target, module: LLVMModule) -> None:
    # the prefix keeps a kernel called `exp` apart from the C library's
    named = dataclasses.replace(kernel, name=_kernel_name(kernel.name))
    if isinstance(named, Kernel):
        lower_kernel(named, target, module)
    else:
        lower_contraction(named, target, module)


def _kernel_name(name: str) -> str:
    return "kernel." + re.sub(r"[^A-Za-z0-9_.]", lambda m: f"-{ord(m.group()):x}", name)


def _function_name(program: n.Program, name: str) -> str:
    return ENTRY_POINT if name == program.entry else f"function.{name}"


def _uses(program: n.Program, *kinds: type[object]) -> bool:
    return any(isinstance(s, kinds) for f in program.functions.values() for s in statements(f.body))


_Steps: TypeAlias = "Generator[_Steps, None, None]"
"""A lowering in steps: it yields the lowering of a nested block and goes on when that is done, so that the depth of a
program's nesting is not limited by Python's stack."""


class _FunctionLowering:
    """Writes one function."""

    def __init__(self, program: n.Program, function: n.Function, module: LLVMModule, target: Target) -> None:
        self.program = program
        self.function = function
        self.module = module
        self.f = FunctionText(module, target)
        self.is_entry = function.name == program.entry
        self.polls = any(isinstance(s, n.Poll) for s in statements(function.body))
        self._registers: dict[n.Reg, Value] = {}
        self._pairs: dict[tuple[str, str, str], str] = {}
        self._pair_order: list[tuple[str, str, str]] = []
        self._failures: list[str] = []
        self._slots: list[str] = []
        self._can_fail = False

    def lower(self) -> None:
        """Write the function and define it in the module."""
        params = ["ptr %ctx"]
        if self.is_entry:
            params += ["ptr noalias readonly %in", "ptr noalias %out"]
            self._begin()
        for param in self.function.params:
            value = Value(f"%{self.f.name(_hint(param))}", param.type)
            self._registers[param] = value
            params.append(value.typed)
        self._reload_polls(first=True)
        _run_steps(self._block(self.function.body))
        self._save_polls()
        if self.is_entry:
            self._end()
        else:
            self._return()
        name = quoted(_function_name(self.program, self.function.name))
        linkage = "i32" if self.is_entry else f"internal fastcc {_result_type(self.function)}"
        head = f"define {linkage} @{name}({', '.join(params)}) nounwind {{"
        body = [*self._slots, *self.f.lines, *self._failures]
        self.module.define(name, "\n".join([head, "entry:", *body, "}"]))

    def _begin(self) -> None:
        if self.function.params or self.function.body.results:
            raise InternalError(f"the entry {self.function.name} has params or results other than its words")
        if _uses(self.program, n.Call):
            self._declare("jc_limit_stack")
            self.f.line("call void @jc_limit_stack(ptr %ctx)")

    def _end(self) -> None:
        """What blocks are left belong to Python, or are freed after a failure."""
        # a host call's results are blocks too
        allocates = _uses(self.program, n.Alloc, n.StackNew, n.Host)
        if allocates:
            self._declare("jc_finish")
            self.f.line("call void @jc_finish(ptr %ctx)")
        self.f.line("ret i32 0")
        if self._can_fail:
            self._failures.append("failed:")
            if allocates:
                self._declare("jc_unwind")
                self._failures.append("  call void @jc_unwind(ptr %ctx)")
            self._failures.append("  ret i32 1")

    def _return(self) -> None:
        result = _result_type(self.function)
        text = "zeroinitializer"
        for index, operand in enumerate(self.function.body.results):
            value = self._operand(operand)
            text = self.f.set(f"insertvalue {result} {text}, {value.typed}, {index + 1}", None, "result").text
        self.f.line(f"ret {result} {text}")
        if self._can_fail:
            rest = "".join(f", {register_type(t)} poison" for t in _result_types(self.function))
            self._failures += ["failed:", f"  ret {result} {{ i32 1{rest} }}"]

    # --- operands

    def _operand(self, operand: n.Operand) -> Value:
        if isinstance(operand, n.Imm):
            return Value(literal(operand.type, operand.value), operand.type)
        value = self._registers.get(operand)
        if value is None:
            raise InternalError(f"register {operand} is used before it is set, in {self.function.name}")
        return value

    def _bind(self, register: n.Reg, value: Value) -> None:
        if register.type is not value.dtype:
            raise InternalError(f"register {register} of type {register.type} is set to a {value.dtype}")
        self._registers[register] = value

    def _declare(self, name: str) -> None:
        self.module.declare(_DECLARATIONS[name])

    def _slot(self, type_: str, hint: str) -> str:
        """The address of room in the function's frame."""
        name = f"%{self.f.name(hint)}"
        self._slots.append(f"  {name} = alloca {type_}, align 16")
        return name

    # --- blocks

    def _block(self, block: n.Block) -> _Steps:
        known = len(self._pair_order)
        for statement in block.statements:
            nested = _STATEMENTS[type(statement)](self, statement)
            if nested is not None:
                yield nested
        # what was computed in this block is not known after it
        for key in self._pair_order[known:]:
            del self._pairs[key]
        del self._pair_order[known:]

    # --- failing

    def _fail_unless(self, ok: str, site: int, values: Sequence[Value] = ()) -> None:
        """Go on if `ok`, else end the call at a site."""
        fail, go_on = self.f.name("fail"), self.f.name("ok")
        self.f.line(f"br i1 {ok}, label %{go_on}, label %{fail}{_LIKELY}")
        self._write_failure(fail, site, values)
        self.f.label(go_on)

    def _write_failure(self, label: str, site: int, values: Sequence[Value]) -> None:
        """The block that describes the failure; it comes after all others."""
        lines, self.f.lines = self.f.lines, []
        kinds, words = 0, ["0", "0", "0"]
        for index, value in enumerate(values):
            kind, words[index] = self._error_value(value)
            kinds |= kind << 2 * index
        given = ", ".join(f"i64 {w}" for w in words)
        self._declare("jc_fail")
        self.f.line(f"call i32 @jc_fail(ptr %ctx, i64 {site}, i64 {kinds}, {given})")
        self.f.line("br label %failed")
        self._can_fail = True
        self._failures += [f"{label}:", *self.f.lines]
        self.f.lines = lines

    def _error_value(self, value: Value) -> tuple[int, str]:
        dtype = value.dtype
        if dtype is None or dtype.kind == "c":
            raise InternalError(f"a check's values are numbers, not {dtype}")
        if dtype.is_float:
            wide = cast(self.f, f64, value)
            return context.KIND_FLOAT, self.f.set(f"bitcast double {wide.text} to i64", i64).text
        return context.KIND_INT, cast(self.f, i64, value).text

    def _propagate(self, status: str) -> None:
        """End this call too if one it made ended in an error."""
        failed = self.f.set(f"icmp ne i32 {status}, 0", bool_, "status").text
        go_on = self.f.name("ok")
        self.f.line(f"br i1 {failed}, label %failed, label %{go_on}{_UNLIKELY}")
        self._can_fail = True
        self.f.label(go_on)

    def _check(self, s: n.Check) -> None:
        if len(s.values) > 3:
            raise InternalError("a check has at most three values")
        ok = self._operand(s.ok)
        if ok.text != "true":
            self._fail_unless(ok.text, s.site, [self._operand(v) for v in s.values])

    # --- scalars and memory

    def _scalar(self, s: n.Scalar) -> None:
        args = [self._operand(a) for a in s.args]
        dtype = s.out.type
        if dtype is None:
            raise InternalError(f"{s.op} gives no address")
        self._bind(s.out, self._with_pairs(s.op, dtype, args, _hint(s.out)))

    def _with_pairs(self, op: str, dtype: DType, args: Sequence[Value], hint: str) -> Value:
        """One instruction gives a sum and whether it overflows: keep it for whichever is asked for second."""
        base = op.removesuffix("_overflows")
        if base is not op and base in ("add", "sub", "mul"):
            source = args[0].dtype
            if source is None:
                raise InternalError(f"{op} of an address")
            pair = overflow_pair(self.f, base, source, args)
            key = (base, args[0].typed, args[1].typed)
            if key not in self._pairs:
                self._pairs[key] = pair
                self._pair_order.append(key)
            return self.f.set(f"extractvalue {{ {args[0].type}, i1 }} {pair}, 1", dtype, hint)
        if len(args) == 2:
            pair = self._pairs.get((op, args[0].typed, args[1].typed))
            if pair is not None:
                return self.f.set(f"extractvalue {{ {args[0].type}, i1 }} {pair}, 0", dtype, hint)
        return emit(self.f, op, dtype, *args)

    def _offset(self, s: n.Offset) -> None:
        base, distance = self._operand(s.base), self._operand(s.bytes)
        self._bind(s.out, self.f.set(f"getelementptr i8, {base.typed}, {distance.typed}", None, _hint(s.out)))

    def _load_element(self, s: n.LoadElement) -> None:
        address = self._operand(s.address)
        hint = _hint(s.out)
        if s.out.type is bool_:
            byte = self.f.set(f"load i8, ptr {address.text}, align 1", None).text
            self._bind(s.out, self.f.set(f"icmp ne i8 {byte}, 0", bool_, hint))
            return
        type_ = register_type(s.out.type)
        self._bind(s.out, self.f.set(f"load {type_}, ptr {address.text}, align 1", s.out.type, hint))

    def _store_element(self, s: n.StoreElement) -> None:
        address, value = self._operand(s.address), self._operand(s.value)
        if value.dtype is bool_:
            byte = self.f.set(f"zext i1 {value.text} to i8", None).text
            self.f.line(f"store i8 {byte}, ptr {address.text}, align 1")
        else:
            self.f.line(f"store {value.typed}, ptr {address.text}, align 1")

    def _copy(self, s: n.Copy) -> None:
        target, source, size = (self._operand(o) for o in (s.target, s.source, s.bytes))
        self._declare("llvm.memcpy")
        self.f.line(f"call void @llvm.memcpy.p0.p0.i64({target.typed}, {source.typed}, {size.typed}, i1 false)")

    # --- words

    def _word_address(self, base: str, index: int) -> str:
        return self.f.set(f"getelementptr i64, ptr {base}, i64 {index}", None, "word").text

    def _load_word(self, address: str, register: n.Reg) -> None:
        """Set a register from a word (two, for c128)."""
        dtype, hint = register.type, _hint(register)
        if dtype is not None and dtype.kind in "biu" and dtype.itemsize < 8:
            word = self.f.set(f"load i64, ptr {address}, align 8", i64)
            self._bind(register, cast(self.f, dtype, word))
        else:
            loaded = self.f.set(f"load {register_type(dtype)}, ptr {address}, align 8", dtype, hint)
            self._bind(register, loaded)

    def _store_word(self, address: str, value: Value) -> None:
        """Write a value to a word (two, for c128), the bits above it cleared."""
        dtype = value.dtype
        if dtype is not None and dtype.kind in "biu":
            self.f.line(f"store i64 {cast(self.f, i64, value).text}, ptr {address}, align 8")
            return
        if dtype is not None and dtype.is_float and dtype.itemsize < 8:
            bits = f"i{dtype.itemsize * 8}"
            low = self.f.set(f"bitcast {value.typed} to {bits}", None).text
            wide = self.f.set(f"zext {bits} {low} to i64", None).text
            self.f.line(f"store i64 {wide}, ptr {address}, align 8")
            return
        self.f.line(f"store {value.typed}, ptr {address}, align 8")

    def _require_entry(self, s: n.Statement) -> None:
        if not self.is_entry:
            raise InternalError(f"{type(s).__name__} outside of the entry, in {self.function.name}")

    def _read_word(self, s: n.ReadWord) -> None:
        self._require_entry(s)
        self._load_word(self._word_address("%in", s.index), s.out)

    def _write_word(self, s: n.WriteWord) -> None:
        self._require_entry(s)
        self._store_word(self._word_address("%out", s.index), self._operand(s.value))

    # --- blocks of memory

    def _alloc(self, s: n.Alloc) -> None:
        name = "jc_alloc_zeroed" if s.zeroed else "jc_alloc"
        self._declare(name)
        size = self._operand(s.bytes)
        owner = self.f.set(f"call ptr @{name}(ptr %ctx, {size.typed})", None, _hint(s.owner))
        self._fail_if_null(owner.text, context.MEMORY_ERROR)
        self._bind(s.owner, owner)

    def _fail_if_null(self, address: str, site: int) -> None:
        self._fail_unless(self.f.set(f"icmp ne ptr {address}, null", bool_, "there").text, site)

    def _retain(self, s: n.Retain) -> None:
        owner = self._operand(s.owner)
        if owner.text != "null":
            self._declare("jc_use")
            self.f.line(f"call void @jc_use({owner.typed})")

    def _release(self, s: n.Release) -> None:
        owner = self._operand(s.owner)
        if owner.text != "null":
            self._declare("jc_drop")
            self.f.line(f"call void @jc_drop(ptr %ctx, {owner.typed})")

    def _is_unique(self, s: n.IsUnique) -> None:
        self._declare("jc_is_unique")
        owner = self._operand(s.owner)
        self._bind(s.out, self.f.set(f"call i1 @jc_is_unique({owner.typed})", bool_, _hint(s.out)))

    def _table_entry(self, table: str, size: int, index: int) -> Value:
        if not 0 <= index < size:
            raise InternalError(f"{table} has {size} entries, not an entry {index}")
        at = self._word_address(f"@{table}", index)
        return self.f.set(f"load ptr, ptr {at}, align 8", None, "entry")

    def _constant(self, s: n.Constant) -> None:
        self._bind(s.out, self._table_entry(CONSTANTS, len(self.program.constants), s.index))

    def _launch(self, s: n.Launch) -> None:
        name = quoted(_kernel_name(self.program.kernels[s.kernel].name))
        self.f.line(f"call void @{name}({', '.join(self._operand(a).typed for a in s.args)})")

    # --- control flow

    def _if(self, s: n.If) -> _Steps:
        then, orelse, join = (self.f.name(hint) for hint in ("then", "else", "join"))
        condition = self._operand(s.condition)
        self.f.line(f"br i1 {condition.text}, label %{then}, label %{orelse}")
        arms: list[tuple[str, list[Value]]] = []
        for label, block in ((then, s.then), (orelse, s.orelse)):
            self.f.label(label)
            yield self._block(block)
            arms.append((self.f.block, [self._operand(o) for o in block.results]))
            self.f.line(f"br label %{join}")
        self.f.label(join)
        (then_end, then_values), (else_end, else_values) = arms
        for out, a, b in zip(s.outs, then_values, else_values, strict=True):
            text = f"phi {register_type(out.type)} [ {a.text}, %{then_end} ], [ {b.text}, %{else_end} ]"
            self._bind(out, self.f.set(text, out.type, _hint(out)))

    def _while(self, s: n.While) -> _Steps:
        head, body, done = (self.f.name(hint) for hint in ("loop", "body", "done"))
        inits = [self._operand(o) for o in s.inits]
        before = self.f.block
        self.f.line(f"br label %{head}")
        self.f.label(head)
        place = len(self.f.lines)
        for carry in s.carries:
            self._bind(carry, Value(f"%{self.f.name(_hint(carry))}", carry.type))
        yield self._block(s.test)
        (going,) = (self._operand(o) for o in s.test.results)
        # the loop is left from here, whatever blocks the test has
        self.f.line(f"br i1 {going.text}, label %{body}, label %{done}")
        self.f.label(body)
        yield self._block(s.body)
        nexts = [self._operand(o) for o in s.body.results]
        latch = self.f.block
        self.f.line(f"br label %{head}")
        phis: list[str] = []
        for carry, init, after in zip(s.carries, inits, nexts, strict=True):
            value = self._registers[carry]
            arms = f"[ {init.text}, %{before} ], [ {after.text}, %{latch} ]"
            phis.append(f"  {value.text} = phi {value.type} {arms}")
        self.f.lines[place:place] = phis
        self.f.label(done)
        for out, carry in zip(s.outs, s.carries, strict=True):
            self._bind(out, self._registers[carry])

    def _call(self, s: n.Call) -> None:
        callee = self.program.functions.get(s.function)
        if callee is None or s.function == self.program.entry:
            raise InternalError(f"there is no function {s.function} to call")
        self._declare("llvm.frameaddress")
        frame = self.f.set("call ptr @llvm.frameaddress.p0(i32 0)", None, "frame").text
        limit_at = self.f.set(f"getelementptr i8, ptr %ctx, i64 {context.STACK_LIMIT}", None, "limit").text
        limit = self.f.set(f"load ptr, ptr {limit_at}, align 8", None, "limit").text
        self._fail_unless(self.f.set(f"icmp ugt ptr {frame}, {limit}", bool_, "room").text, s.site)
        self._save_polls()
        result = _result_type(callee)
        args = ", ".join(["ptr %ctx", *(self._operand(a).typed for a in s.args)])
        name = quoted(_function_name(self.program, s.function))
        returned = self.f.set(f"call fastcc {result} @{name}({args})", None, "returned").text
        self._propagate(self.f.set(f"extractvalue {result} {returned}, 0", None, "status").text)
        self._reload_polls()
        for index, out in enumerate(s.outs):
            self._bind(out, self.f.set(f"extractvalue {result} {returned}, {index + 1}", out.type, _hint(out)))

    # --- polling: the count is a variable of the function, kept in the context between functions

    def _reload_polls(self, first: bool = False) -> None:
        if not self.polls:
            return
        if first:
            self._slots.append("  %polls = alloca i64, align 8")
        at = self.f.set(f"getelementptr i8, ptr %ctx, i64 {context.POLL_COUNT}", None, "polls").text
        count = self.f.set(f"load i64, ptr {at}, align 8", i64, "polls").text
        self.f.line(f"store i64 {count}, ptr %polls, align 8")

    def _save_polls(self) -> None:
        if not self.polls:
            return
        count = self.f.set("load i64, ptr %polls, align 8", i64, "polls").text
        at = self.f.set(f"getelementptr i8, ptr %ctx, i64 {context.POLL_COUNT}", None, "polls").text
        self.f.line(f"store i64 {count}, ptr {at}, align 8")

    def _poll(self, s: n.Poll) -> None:
        self._declare("jc_poll")
        look, go_on = self.f.name("look"), self.f.name("quiet")
        count = self.f.set("load i64, ptr %polls, align 8", i64, "polls").text
        left = self.f.set(f"sub i64 {count}, 1", i64, "polls").text
        self.f.line(f"store i64 {left}, ptr %polls, align 8")
        out = self.f.set(f"icmp slt i64 {left}, 0", bool_, "run_out").text
        self.f.line(f"br i1 {out}, label %{look}, label %{go_on}{_UNLIKELY}")
        self.f.label(look)
        following = self.f.set("call i64 @jc_poll(ptr %ctx)", i64, "polls").text
        self.f.line(f"store i64 {following}, ptr %polls, align 8")
        self._fail_unless(self.f.set(f"icmp sge i64 {following}, 0", bool_, "calm").text, s.site)
        self.f.line(f"br label %{go_on}")
        self.f.label(go_on)

    # --- stacks (their layout: `memory`)

    def _stack_new(self, s: n.StackNew) -> None:
        self._declare("jc_stack_new")
        capacity = self._operand(s.capacity)
        stack = self.f.set(f"call ptr @jc_stack_new(ptr %ctx, {capacity.typed})", None, _hint(s.out))
        self._fail_if_null(stack.text, context.MEMORY_ERROR)
        self._bind(s.out, stack)

    def _stack_push(self, s: n.StackPush) -> None:
        self._declare("jc_stack_grow")
        stack = self._operand(s.stack).text
        values = [self._operand(v) for v in s.values]
        size = 8 * sum(register_words(v.dtype) for v in values)
        top = self.f.set(f"load ptr, ptr {stack}, align 8", None, "top").text
        after = self.f.set(f"getelementptr i8, ptr {top}, i64 {size}", None, "top").text
        limit_at = self.f.set(f"getelementptr i8, ptr {stack}, i64 8", None, "limit").text
        limit = self.f.set(f"load ptr, ptr {limit_at}, align 8", None, "limit").text
        full = self.f.set(f"icmp ugt ptr {after}, {limit}", bool_, "full").text
        grow, push, before = self.f.name("grow"), self.f.name("push"), self.f.block
        self.f.line(f"br i1 {full}, label %{grow}, label %{push}{_UNLIKELY}")
        self.f.label(grow)
        grown = self.f.set(f"call ptr @jc_stack_grow(ptr %ctx, ptr {stack}, i64 {size})", None, "top").text
        self._fail_if_null(grown, context.MEMORY_ERROR)
        grew = self.f.block
        self.f.line(f"br label %{push}")
        self.f.label(push)
        start = self.f.set(f"phi ptr [ {top}, %{before} ], [ {grown}, %{grew} ]", None, "start").text
        word = 0
        for value in values:
            self._store_word(self._word_address(start, word), value)
            word += register_words(value.dtype)
        end = self.f.set(f"getelementptr i8, ptr {start}, i64 {size}", None, "top").text
        self.f.line(f"store ptr {end}, ptr {stack}, align 8")

    def _stack_pop(self, s: n.StackPop) -> None:
        self._declare("jc_stack_shrink")
        stack = self._operand(s.stack).text
        size = 8 * sum(register_words(o.type) for o in s.outs)
        top = self.f.set(f"load ptr, ptr {stack}, align 8", None, "top").text
        base_at = self.f.set(f"getelementptr i8, ptr {stack}, i64 16", None, "base").text
        base = self.f.set(f"load ptr, ptr {base_at}, align 8", None, "base").text
        empty = self.f.set(f"icmp eq ptr {top}, {base}", bool_, "empty").text
        shrink, pop, before = self.f.name("shrink"), self.f.name("pop"), self.f.block
        self.f.line(f"br i1 {empty}, label %{shrink}, label %{pop}{_UNLIKELY}")
        self.f.label(shrink)
        shrunk = self.f.set(f"call ptr @jc_stack_shrink(ptr %ctx, ptr {stack})", None, "top").text
        self._fail_if_null(shrunk, context.INTERNAL_ERROR)
        back = self.f.block
        self.f.line(f"br label %{pop}")
        self.f.label(pop)
        end = self.f.set(f"phi ptr [ {top}, %{before} ], [ {shrunk}, %{back} ]", None, "end").text
        start = self.f.set(f"getelementptr i8, ptr {end}, i64 {-size}", None, "start").text
        word = 0
        for out in s.outs:
            self._load_word(self._word_address(start, word), out)
            word += register_words(out.type)
        self.f.line(f"store ptr {start}, ptr {stack}, align 8")

    def _stack_free(self, s: n.StackFree) -> None:
        self._declare("jc_stack_free")
        self.f.line(f"call void @jc_stack_free(ptr %ctx, {self._operand(s.stack).typed})")

    def _host(self, s: n.Host) -> None:
        self._declare("jc_host")
        callable_ = self._table_entry(HOSTS, len(self.program.host_calls), s.index).text
        args = [self._operand(a) for a in s.args]
        sizes = [sum(register_words(t) for t in types) for types in ([a.dtype for a in args], [o.type for o in s.outs])]
        given, returned = (self._slot(f"[{max(size, 1)} x i64]", "words") for size in sizes)
        word = 0
        for arg in args:
            self._store_word(self._word_address(given, word), arg)
            word += register_words(arg.dtype)
        call = f"call i32 @jc_host(ptr %ctx, ptr {callable_}, ptr {given}, ptr {returned})"
        status = self.f.set(call, None, "status").text
        self._fail_unless(self.f.set(f"icmp eq i32 {status}, 0", bool_, "returned").text, s.site)
        word = 0
        for out in s.outs:
            self._load_word(self._word_address(returned, word), out)
            word += register_words(out.type)


def _result_types(function: n.Function) -> list[DType | None]:
    return [o.type for o in function.body.results]


def _result_type(function: n.Function) -> str:
    return f"{{ {', '.join(['i32', *(register_type(t) for t in _result_types(function))])} }}"


def _hint(register: n.Reg) -> str:
    """A register's name where LLVM takes it as it is."""
    return register.name if register.name.isascii() and register.name.isidentifier() else "r"


def _run_steps(steps: _Steps) -> None:
    pending = [steps]
    while pending:
        nested = next(pending[-1], None)
        if nested is None:
            pending.pop()
        else:
            pending.append(nested)


_STATEMENTS: Final = {
    n.Scalar: _FunctionLowering._scalar,
    n.Offset: _FunctionLowering._offset,
    n.LoadElement: _FunctionLowering._load_element,
    n.StoreElement: _FunctionLowering._store_element,
    n.ReadWord: _FunctionLowering._read_word,
    n.WriteWord: _FunctionLowering._write_word,
    n.Alloc: _FunctionLowering._alloc,
    n.Retain: _FunctionLowering._retain,
    n.Release: _FunctionLowering._release,
    n.IsUnique: _FunctionLowering._is_unique,
    n.Constant: _FunctionLowering._constant,
    n.Launch: _FunctionLowering._launch,
    n.Copy: _FunctionLowering._copy,
    n.Check: _FunctionLowering._check,
    n.If: _FunctionLowering._if,
    n.While: _FunctionLowering._while,
    n.Call: _FunctionLowering._call,
    n.StackNew: _FunctionLowering._stack_new,
    n.StackPush: _FunctionLowering._stack_push,
    n.StackPop: _FunctionLowering._stack_pop,
    n.StackFree: _FunctionLowering._stack_free,
    n.Host: _FunctionLowering._host,
    n.Poll: _FunctionLowering._poll,
}
