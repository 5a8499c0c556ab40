"""`Parallel` as LLVM text: its body becomes a function of its own, which the thread pool runs for each index.

What the body uses from outside lies in a record in the caller's frame. Each round has a context of its own, since
several run at a time; the first one, by its index, that fails leaves what it failed by in the record:

    word    field
    0       the lowest index that has failed; how many rounds there are, if none has
    1       a lock
    2 … 6   the first fields of that round's context (see `native.host.context`)
    7 … 9   what Python raised in it
    10 …    what the body uses

A body that calls recursive functions, or Python with more than numbers, has handlers or stacks, or counts references to
blocks from outside needs the caller's context: such rounds run in order.
"""

from __future__ import annotations

import itertools
from typing import Final

from jitcore.backends.llvm.program.function import FunctionLowering, Steps, part_types, run_steps
from jitcore.backends.native.host import context, threads
from jitcore.backends.native.ir.vectors import Vec
from jitcore.program import nodes as n
from jitcore.program.rounds import are_apart
from jitcore.program.walk import outer_registers
from jitcore.types import bool_, i64

PREFIX: Final = "rounds."
"""What the names of such functions begin with."""

_POLLS: Final = 1024
"""How often a round passes a Poll before it asks whether it is to end."""
_STOPPED: Final = "stopped"
"""The label of the way out of a round that is interrupted."""


def lower_parallel(f: FunctionLowering, s: n.Parallel) -> Steps:
    """A Parallel; in steps, as all that has blocks inside."""
    if not are_apart(f.program, s.body):
        yield f.block(n.Block((_in_order(s),)))
        return
    code, count = f.code, f.single(s.count)
    used = [r for r in outer_registers(s.body.statements) if r is not s.index]
    name = next(made for k in itertools.count() if not code.module.defines(made := f"{PREFIX}{k}"))
    record = code.slot("i64", threads.RECORD_WORDS + sum(len(part_types(r.type)) for r in used), align=16)
    code.store(count, record)
    for place in (1, *range(7, threads.RECORD_WORDS)):
        code.store(Vec(code, "0", "i64"), code.offset(record, place, "i64"))
    parts = [part for register in used for part in f.operand(register)]
    for place, part in enumerate(parts, threads.RECORD_WORDS):
        code.store(part, code.offset(record, place, "i64"))
    function = n.Function(name, (s.index, *used), s.body)
    code.module.define(name, "")  # its place, and its name
    _Round(f, function).lower()
    f.call("void", "jc_parallel", f"ptr @{name}", record, count)
    told, ended, failed, go_on = (code.new_label(hint) for hint in ("told", "ended", "failed.round", "rounds.done"))
    has_failed = code.load(record, "i64").lt(count)
    f.branch(has_failed, told, ended, likely=False)
    code.block(told)
    f.call("void", "jc_fail_by_round", "ptr %ctx", record)
    code.jump(ended)
    code.block(ended)
    f.fail_if_interrupted(s.site)
    f.branch(has_failed, failed, go_on, likely=False)
    code.block(failed)
    f.leave_to(f.targets[-1])
    code.block(go_on)


def _in_order(s: n.Parallel) -> n.While:
    """The same rounds, one after the other."""
    going, following = n.Reg(f"{s.index.name}.going", bool_), n.Reg(f"{s.index.name}.next", i64)
    test = n.Block((n.Scalar(going, "lt", (s.index, s.count)),), (going,))
    step = n.Scalar(following, "add", (s.index, n.Imm(1, i64)))
    body = n.Block((n.Poll(s.site), *s.body.statements, step), (following,))
    return n.While((s.index,), (n.Imm(0, i64),), test, body, (n.Reg(f"{s.index.name}.last", i64),))


class _Round(FunctionLowering):
    """Writes the function of a Parallel's body: `void round(record, index)`."""

    def __init__(self, caller: FunctionLowering, function: n.Function) -> None:
        module, target = caller.code.module, caller.code.target
        super().__init__(caller.program, function, module, target, caller._handlers, caller._nesting, caller._loops)
        self._handlers = {**self._handlers, n.Poll: _Round.poll}
        self._stops = False

    def lower(self) -> None:
        """Write the function and define it in the module."""
        code, (index, *used) = self.code, self.function.params
        name, record = self.function.name, Vec(code, "%record", "ptr")
        code.entry_lines += [f"  %ctx = alloca [{context.SIZE} x i8], align 16", "  %polls = alloca i64"]
        self.bind(index, (Vec(code, "%index", "i64"),))
        begin, over = code.new_label("begin"), code.new_label("over")
        lowest = code.emit("i64", 1, "load atomic i64, ptr %record monotonic, align 8")
        self.branch(lowest.gt(self.single(index)), begin, over, likely=True)
        code.block(begin)
        self.call("void", "llvm.memset.p0.i64", "ptr %ctx", "i8 0", f"i64 {context.SIZE}", "i1 false")
        code.line(f"store i64 {_POLLS}, ptr %polls")
        place = threads.RECORD_WORDS
        for register in used:
            types = part_types(register.type)
            found = [code.load(code.offset(record, place + k, "i64"), t) for k, t in enumerate(types)]
            self.bind(register, tuple(found))
            place += len(types)
        run_steps(self.block(self.function.body))
        code.jump(over)
        code.block(over)
        code.line("ret void")
        for end in self._shared_ends.values():
            self._failures += end.lines()
        if self._can_fail:
            code.module.declare("declare void @jc_round_failed(ptr, i64, ptr)")
            call = "call void @jc_round_failed(ptr %record, i64 %index, ptr %ctx)"
            self._failures += [f"{self.targets[0]}:", f"  {call}", "  ret void"]
        if self._stops:
            code.module.declare("declare void @jc_unwind(ptr)")
            self._failures += [f"{_STOPPED}:", "  call void @jc_unwind(ptr %ctx)", "  ret void"]
        head = f"define internal void @{name}(ptr %record, i64 %index) nounwind {{"
        code.module.redefine(name, "\n".join([head, code.body(), *self._failures, "}"]))

    def poll(self, s: n.Poll) -> None:
        """Now and then, end the round where a signal's handler has raised."""
        code, count = self.code, Vec(self.code, "%polls", "ptr")
        look, go_on = code.new_label("look"), code.new_label("calm")
        left = code.load(count, "i64") - 1
        code.store(left, count)
        self.branch(left.lt(0), look, go_on, likely=False)
        code.block(look)
        code.line(f"store i64 {_POLLS}, ptr %polls")
        self._leave_if_stopped(go_on)

    def fail_if_interrupted(self, site: int) -> None:
        """A kernel has ended: so does the round, if the rest of it was left out."""
        code = self.code
        code.module.declare("@jc_interrupted = external global i32")
        known = code.load(Vec(code, "@jc_interrupted", "ptr"), "i32")
        ask, go_on = code.new_label("ask"), code.new_label("whole")
        self.branch(known.eq(0), go_on, ask, likely=True)
        code.block(ask)
        self._leave_if_stopped(go_on)

    def _leave_if_stopped(self, go_on: str) -> None:
        self._stops = True
        self.branch(self.call("i1", "jc_stop"), _STOPPED, go_on, likely=False)
        self.code.block(go_on)
