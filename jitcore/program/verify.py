"""Checks that a program keeps the rules of `program.nodes`; each fault is shown at its place in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from jitcore.kernel.nodes import launch_signature
from jitcore.kernel.scalar import OPS
from jitcore.program import nodes as n
from jitcore.program.printer import print_function
from jitcore.program.walk import blocks_of
from jitcore.program.words import register_words, type_words
from jitcore.source import InternalError
from jitcore.types import DType, bool_, c64, c128, f32, f64, i64

_CONTEXT_LINES = 4


def verify_program(program: n.Program) -> None:
    """Raise InternalError, showing each fault among the statements around it, unless the program is well formed."""
    found: list[str] = []
    if program.entry not in program.functions:
        found.append(f"there is no entry {program.entry!r}")
    for function in program.functions.values():
        verifier = _Verifier(program, function)
        verifier.run()
        if verifier.faults:
            found.append(_excerpt(program, function, verifier.faults))
    if found:
        raise InternalError(f"program {program.name} breaks the program IR's rules:\n" + "\n".join(found))


_Faults: TypeAlias = "dict[int, list[str]]"
"""Messages by the id of the statement they are about; 0 for the function itself."""


def _excerpt(program: n.Program, function: n.Function, faults: Mapping[int, Sequence[str]]) -> str:
    lines = print_function(function, program, faults).splitlines()
    marked = [i for i, line in enumerate(lines) if "# ^^^" in line]
    kept = {j for i in marked for j in range(max(i - _CONTEXT_LINES, 0), min(i + _CONTEXT_LINES, len(lines)))} | {0}
    shown: list[str] = list(faults.get(0, ()))
    for index in sorted(kept):
        if index and index - 1 not in kept:
            shown.append("    …")
        shown.append(lines[index])
    return "\n".join(shown)


_Type: TypeAlias = "DType | None"


_PART_TYPES: Final[Mapping[_Type, DType]] = {c64: f32, c128: f64}


def _name(type_: _Type) -> str:
    return "ptr" if type_ is None else type_.name


class _Verifier:
    """Checks one function."""

    def __init__(self, program: n.Program, function: n.Function) -> None:
        self.program = program
        self.function = function
        self.faults: _Faults = {}
        self._place = 0
        self._set: set[n.Reg] = set()
        """Every register set anywhere so far."""
        self._visible: dict[n.Reg, None] = {}
        """Those in scope, in the order they were set."""

    def run(self) -> None:
        if self.function.name == self.program.entry and (self.function.params or self.function.body.results):
            self._fault("the entry has params or results other than its words")
        self._bind(self.function.params)
        pending = [self._block(self.function.body)]
        while pending:
            nested = next(pending[-1], None)
            if nested is None:
                pending.pop()
            else:
                pending.append(self._block(nested))
        self._place = 0
        self._uses(self.function.body.results)

    def _fault(self, message: str) -> None:
        self.faults.setdefault(self._place, []).append(message)

    # --- scopes

    def _bind(self, registers: Sequence[n.Reg]) -> None:
        for register in registers:
            if register in self._set:
                self._fault(f"{register} is set a second time")
            self._set.add(register)
            self._visible[register] = None

    def _uses(self, operands: Sequence[n.Operand]) -> None:
        for operand in operands:
            if isinstance(operand, n.Reg) and operand not in self._visible:
                where = "in a block that does not enclose this" if operand in self._set else "nowhere before"
                self._fault(f"{operand} is used, but set {where}")

    def _block(self, block: n.Block) -> Iterator[n.Block]:
        """Check a block's statements in order, yielding nested blocks; its registers are not seen outside."""
        for statement in block.statements:
            self._place = id(statement)
            _CHECKS[type(statement)](self, statement)
            nested = blocks_of(statement)
            if nested:
                yield from self._nested(statement, nested)
                self._place = id(statement)
                self._after(statement)

    def _nested(self, statement: n.Statement, nested: Sequence[n.Block]) -> Iterator[n.Block]:
        outside = len(self._visible)
        if isinstance(statement, n.While):
            self._bind(statement.carries)
        elif isinstance(statement, n.Parallel):
            self._bind([statement.index])
        inside = len(self._visible)
        for block in nested:
            yield block
            self._place = id(statement)
            self._uses(block.results)
            self._leave(inside)
        self._leave(outside)

    def _leave(self, count: int) -> None:
        """Forget all but the first `count` registers in scope."""
        while len(self._visible) > count:
            self._visible.popitem()

    def _after(self, statement: n.Statement) -> None:
        if isinstance(statement, n.If):
            for block in (statement.then, statement.orelse):
                self._match("a branch leaves", [o.type for o in block.results], [o.type for o in statement.outs])
            self._bind(statement.outs)
        elif isinstance(statement, n.While):
            carried = [c.type for c in statement.carries]
            self._match("the test leaves", [o.type for o in statement.test.results], [bool_])
            self._match("the body leaves", [o.type for o in statement.body.results], carried)
            self._match("the loop gives", [o.type for o in statement.outs], carried)
            self._bind(statement.outs)
        elif isinstance(statement, n.Try):
            for block in (statement.body, *statement.handlers):
                if block.results:
                    self._match("a block leaves", [o.type for o in block.results], [o.type for o in statement.outs])
            self._bind(statement.outs)

    # --- types

    def _match(self, what: str, found: Sequence[_Type], wanted: Sequence[_Type]) -> None:
        if list(found) != list(wanted):
            given, expected = (", ".join(map(_name, types)) or "nothing" for types in (found, wanted))
            self._fault(f"{what} {given}, not {expected}")

    def _expect(self, what: str, operand: n.Operand, *types: _Type) -> None:
        self._uses([operand])
        if operand.type not in types:
            self._fault(f"{what} is a {_name(operand.type)}, not a {' or '.join(map(_name, types))}")

    def _index(self, what: str, index: int, size: int) -> None:
        if not 0 <= index < size:
            self._fault(f"there is no {what} {index}: the program has {size}")

    def _site(self, index: int) -> None:
        self._index("error site", index, len(self.program.sites))

    # --- statements

    def scalar(self, s: n.Scalar) -> None:
        self._uses(s.args)
        self._check_scalar(s)
        self._bind([s.out])

    def _check_scalar(self, s: n.Scalar) -> None:
        op = OPS.get(s.op)
        types = [a.type for a in s.args]
        if op is None:
            self._fault(f"there is no operation {s.op}")
        elif len(types) != op.arity:
            self._fault(f"{s.op} takes {op.arity} operands, not {len(types)}")
        elif None in types or s.out.type is None:
            self._fault(f"{s.op} of an address")
        elif op.kind == "arithmetic":
            result = _PART_TYPES.get(types[0]) if s.op == "abs" else None
            self._match(f"{s.op} is of", [*types, s.out.type], [*[types[0]] * op.arity, result or types[0]])
        elif op.kind == "compare":
            self._match(f"{s.op} is of", [*types, s.out.type], [*[types[0]] * op.arity, bool_])
        elif op.kind == "select":
            self._match("select is of", types, [bool_, s.out.type, s.out.type])
        else:
            self._match(f"{s.op} is of", types, [types[0]] * op.arity)

    def offset(self, s: n.Offset) -> None:
        self._expect("the base", s.base, None)
        self._expect("the distance", s.bytes, i64)
        self._result(s.out, None)

    def _result(self, out: n.Reg, *types: _Type) -> None:
        if out.type not in types:
            self._fault(f"the result is a {_name(types[0])}, and {out} a {_name(out.type)}")
        self._bind([out])

    def load(self, s: n.LoadElement) -> None:
        self._expect("the address", s.address, None)
        self._bind([s.out])

    def store(self, s: n.StoreElement) -> None:
        self._expect("the address", s.address, None)
        self._uses([s.value])

    def _entry_only(self, s: n.Statement) -> None:
        if self.function.name != self.program.entry:
            self._fault(f"{type(s).__name__} outside of the entry")

    def read_word(self, s: n.ReadWord) -> None:
        self._entry_only(s)
        self._index("word to read", s.index + register_words(s.out.type) - 1, self.program.in_words)
        self._bind([s.out])

    def write_word(self, s: n.WriteWord) -> None:
        self._entry_only(s)
        self._uses([s.value])
        self._index("word to write", s.index + register_words(s.value.type) - 1, self.program.out_words)

    def alloc(self, s: n.Alloc) -> None:
        if s.memory not in (n.HOST, self.program.memory):
            self._fault(f"a block of {s.memory} in a program of {self.program.memory}")
        self._expect("the size", s.bytes, i64)
        self._result(s.owner, None)

    def _two_memories(self, s: n.Statement) -> None:
        if self.program.memory == n.HOST:
            self._fault(f"{type(s).__name__} in a program of the host's memory")

    def block_data(self, s: n.BlockData) -> None:
        self._two_memories(s)
        self._expect("the owner", s.owner, None)
        self._result(s.out, None)

    def mirror(self, s: n.Mirror) -> None:
        self._two_memories(s)
        self._entry_only(s)
        self._expect("the source", s.source, None)
        self._expect("the host's owner", s.held, None)
        self._expect("the size", s.bytes, i64)
        self._result(s.owner, None)

    def fetch(self, s: n.Fetch) -> None:
        self._two_memories(s)
        self._entry_only(s)
        self._expect("the data", s.data, None)
        self._result(s.found, None)
        self._result(s.held, None)

    def transfer(self, s: n.Transfer) -> None:
        self._two_memories(s)
        self._expect("the target", s.target, None)
        self._expect("the source", s.source, None)
        if not len(s.shape) == len(s.target_strides) == len(s.source_strides):
            self._fault("a transfer between arrays of other ranks")
        for operand in (*s.shape, *s.target_strides, *s.source_strides):
            self._expect("an extent or stride", operand, i64)

    def move(self, s: n.Move) -> None:
        for what, operand in (("the rows", s.rows), ("the size", s.size), ("the rows kept", s.kept)):
            self._expect(what, operand, i64)
        self._expect("the source", s.source, None)
        self._expect("the old owner", s.old, None)
        self._result(s.owner, None)

    def owner(self, s: n.Retain | n.Release) -> None:
        self._expect("the owner", s.owner, None)

    def is_unique(self, s: n.IsUnique) -> None:
        self._expect("the owner", s.owner, None)
        self._result(s.out, bool_)

    def constant(self, s: n.Constant) -> None:
        self._index("constant", s.index, len(self.program.constants))
        self._result(s.out, None)

    def launch(self, s: n.Launch) -> None:
        self._uses(s.args)
        self._site(s.site)
        kernel = self.program.kernels.get(s.kernel)
        if kernel is None:
            self._fault(f"there is no kernel {s.kernel}")
            return
        buffers, params = launch_signature(kernel)
        self._match(
            "the kernel is given", [a.type for a in s.args], [*[None] * len(buffers), *(p.dtype for p in params)]
        )

    def copy(self, s: n.Copy) -> None:
        self._expect("the target", s.target, None)
        self._expect("the source", s.source, None)
        self._expect("the size", s.bytes, i64)

    def check(self, s: n.Check) -> None:
        self._expect("the condition", s.ok, bool_)
        self._site(s.site)
        if len(s.values) > 3:
            self._fault("a check has more than three values")
        for value in s.values:
            self._expect("a value of the message", value, i64, f64)

    def if_(self, s: n.If) -> None:
        self._expect("the condition", s.condition, bool_)

    def while_(self, s: n.While) -> None:
        self._uses(s.inits)
        self._match("the loop begins with", [o.type for o in s.inits], [c.type for c in s.carries])

    def parallel(self, s: n.Parallel) -> None:
        self._expect("the number of rounds", s.count, i64)
        self._match("the rounds' number is", [s.index.type], [i64])
        self._match("a round leaves", [o.type for o in s.body.results], [])
        self._site(s.site)

    def try_(self, s: n.Try) -> None:
        self._site(s.site)
        self._uses(s.stacks)
        if not len(s.handlers) == len(s.catches) == len(s.matchers):
            self._fault("handlers, what they catch and their matchers differ in number")
        for index in s.matchers:
            self._index("host call", index, len(self.program.host_calls))

    def commit(self, s: n.Commit) -> None:
        """It has no operands."""

    def park(self, s: n.Park) -> None:
        """It has no operands."""

    def unpark(self, s: n.Unpark | n.DropParked) -> None:
        if s.level < 0:
            self._fault(f"{s.level} is no number of exceptions put aside")

    def rethrow(self, s: n.Rethrow) -> None:
        if s.level < 0:
            self._fault(f"{s.level} is no number of handlers")
        if s.site is not None:
            self._site(s.site)

    def call(self, s: n.Call) -> None:
        self._uses(s.args)
        self._site(s.site)
        callee = self.program.functions.get(s.function)
        if callee is None or s.function == self.program.entry:
            self._fault(f"there is no function {s.function} to call")
        else:
            self._match("the function is given", [a.type for a in s.args], [p.type for p in callee.params])
            self._match("the call gives", [o.type for o in s.outs], [o.type for o in callee.body.results])
        self._bind(s.outs)

    def stack_new(self, s: n.StackNew) -> None:
        self._expect("the capacity", s.capacity, i64)
        self._result(s.out, None)

    def stack_push(self, s: n.StackPush) -> None:
        self._expect("the stack", s.stack, None)
        self._uses(s.values)

    def stack_pop(self, s: n.StackPop) -> None:
        self._expect("the stack", s.stack, None)
        self._bind(s.outs)

    def stack_free(self, s: n.StackFree) -> None:
        self._expect("the stack", s.stack, None)

    def host(self, s: n.Host) -> None:
        self._uses(s.args)
        self._site(s.site)
        self._index("host call", s.index, len(self.program.host_calls))
        if 0 <= s.index < len(self.program.host_calls):
            call = self.program.host_calls[s.index]
            self._words("arguments", [a.type for a in s.args], call.arg_types)
            self._words("results", [o.type for o in s.outs], call.result_types)
        self._bind(s.outs)

    def library(self, s: n.Library) -> None:
        self._uses(s.args)
        self._bind((s.out,))

    def _words(self, what: str, registers: Sequence[_Type], types: Sequence[Any]) -> None:
        found, wanted = sum(map(register_words, registers)), sum(map(type_words, types))
        if found != wanted:
            self._fault(f"the host call's {what} are {found} words, not {wanted}")

    def poll(self, s: n.Poll) -> None:
        self._site(s.site)


_CHECKS: Final[Mapping[type, Callable[[_Verifier, Any], None]]] = {
    n.Scalar: _Verifier.scalar,
    n.Offset: _Verifier.offset,
    n.LoadElement: _Verifier.load,
    n.StoreElement: _Verifier.store,
    n.ReadWord: _Verifier.read_word,
    n.WriteWord: _Verifier.write_word,
    n.Alloc: _Verifier.alloc,
    n.BlockData: _Verifier.block_data,
    n.Mirror: _Verifier.mirror,
    n.Fetch: _Verifier.fetch,
    n.Transfer: _Verifier.transfer,
    n.Move: _Verifier.move,
    n.Retain: _Verifier.owner,
    n.Release: _Verifier.owner,
    n.IsUnique: _Verifier.is_unique,
    n.Constant: _Verifier.constant,
    n.Launch: _Verifier.launch,
    n.Copy: _Verifier.copy,
    n.Check: _Verifier.check,
    n.If: _Verifier.if_,
    n.While: _Verifier.while_,
    n.Parallel: _Verifier.parallel,
    n.Try: _Verifier.try_,
    n.Commit: _Verifier.commit,
    n.Rethrow: _Verifier.rethrow,
    n.Park: _Verifier.park,
    n.Unpark: _Verifier.unpark,
    n.DropParked: _Verifier.unpark,
    n.Call: _Verifier.call,
    n.StackNew: _Verifier.stack_new,
    n.StackPush: _Verifier.stack_push,
    n.StackPop: _Verifier.stack_pop,
    n.StackFree: _Verifier.stack_free,
    n.Host: _Verifier.host,
    n.Library: _Verifier.library,
    n.Poll: _Verifier.poll,
}
