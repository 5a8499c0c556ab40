"""Statements of a program that touch memory or Python: elements, words, blocks, launches, stacks, host calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jitcore.backends.llvm.kernels.cast import cast
from jitcore.backends.llvm.kernels.values import Value, memory_element, pack, unpack
from jitcore.backends.llvm.program.function import (
    CONSTANTS,
    HOSTS,
    FunctionLowering,
    Handler,
    Parts,
    kernel_name,
    part_types,
)
from jitcore.backends.native.boxes import library, translate
from jitcore.backends.native.host import context
from jitcore.backends.native.host.memory import MUCH
from jitcore.backends.native.host.number_calls import kind, kinds
from jitcore.backends.native.ir.text import quoted, register_type
from jitcore.backends.native.ir.vectors import Vec
from jitcore.program import nodes as n
from jitcore.program.words import register_words
from jitcore.source import InternalError
from jitcore.types import DType, f16, i64

# --- elements: of any alignment, since nothing is gained by demanding one for a scalar


def _load(f: FunctionLowering, address: Vec, dtype: DType | None) -> Parts:
    if dtype is None:
        return (f.code.load(address, "ptr", align=1),)
    type_, count = memory_element(f.code, dtype)
    return unpack(f.code, dtype, f.code.load(address, type_, count, align=1)).parts


def _store(f: FunctionLowering, address: Vec, operand: n.Operand) -> None:
    raw = f.single(operand) if operand.type is None else pack(f.code, f.value(operand))
    f.code.store(raw, address, align=1)


def _offset(f: FunctionLowering, s: n.Offset) -> None:
    f.bind(s.out, (f.code.offset(f.single(s.base), f.single(s.bytes), "i8"),))


def _load_element(f: FunctionLowering, s: n.LoadElement) -> None:
    f.bind(s.out, _load(f, f.single(s.address), s.out.type))


def _store_element(f: FunctionLowering, s: n.StoreElement) -> None:
    _store(f, f.single(s.address), s.value)


def _copy(f: FunctionLowering, s: n.Copy) -> None:
    target, source, size = (f.single(o) for o in (s.target, s.source, s.bytes))
    if size.text.isdigit() and int(size.text) < MUCH:
        f.call("void", "llvm.memcpy.p0.p0.i64", target, source, size, "i1 false")
    else:
        f.call("void", "jc_copy", target, source, size)


# --- words


def _word(f: FunctionLowering, base: str, index: int) -> Vec:
    """The address of a word of an array."""
    return f.code.offset(Vec(f.code, base, "ptr"), index, "i64")


def _load_words(f: FunctionLowering, base: str, registers: Sequence[n.Reg], first: int = 0) -> None:
    """Set registers from consecutive words."""
    for register in registers:
        address, dtype = _word(f, base, first), register.type
        if dtype is not None and dtype.kind in "biu":
            word = Value(i64, (f.code.load(address, "i64"),))
            f.bind(register, cast(f.code, dtype, word).parts)
        else:
            f.bind(register, _load(f, address, dtype))
        first += register_words(dtype)


def _store_words(f: FunctionLowering, base: str, operands: Sequence[n.Operand], first: int = 0) -> None:
    """Write operands to consecutive words; the bits of a word that a float does not fill are zeros."""
    for operand in operands:
        address, dtype = _word(f, base, first), operand.type
        if dtype is not None and dtype.kind in "biu":
            f.code.store(cast(f.code, i64, f.value(operand)).vec, address)
        elif dtype is not None and dtype.itemsize < 8:
            raw = pack(f.code, f.value(operand))
            bits = raw if raw.type.startswith("i") else raw.bits()
            f.code.store(f.code.convert("zext", bits, "i64"), address)
        else:
            _store(f, address, operand)
        first += register_words(dtype)


def _size(types: Sequence[DType | None]) -> int:
    return sum(map(register_words, types))


def _require_entry(f: FunctionLowering, s: n.Statement) -> None:
    if not f.is_entry:
        raise InternalError(f"{type(s).__name__} outside of the entry, in {f.function.name}")


def _read_word(f: FunctionLowering, s: n.ReadWord) -> None:
    _require_entry(f, s)
    _load_words(f, "%in", [s.out], s.index)


def _write_word(f: FunctionLowering, s: n.WriteWord) -> None:
    _require_entry(f, s)
    _store_words(f, "%out", [s.value], s.index)


# --- blocks, constants, launches


def _alloc(f: FunctionLowering, s: n.Alloc) -> None:
    owner = f.call("ptr", "jc_alloc_zeroed" if s.zeroed else "jc_alloc", "ptr %ctx", f.single(s.bytes))
    f.fail_if_null(owner, context.MEMORY_ERROR)
    f.bind(s.owner, (owner,))


def _move(f: FunctionLowering, s: n.Move) -> None:
    given = [f.single(operand) for operand in (s.rows, s.size, s.source, s.kept, s.old)]
    owner = f.call("ptr", "jc_move", "ptr %ctx", *given)
    f.fail_if_null(owner, context.MEMORY_ERROR)
    f.bind(s.owner, (owner,))


def _retain(f: FunctionLowering, s: n.Retain) -> None:
    owner = f.single(s.owner)
    if owner.text != "null":
        f.call("void", "jc_use", owner)


def _release(f: FunctionLowering, s: n.Release) -> None:
    owner = f.single(s.owner)
    if owner.text != "null":
        f.call("void", "jc_drop", "ptr %ctx", owner)


def _is_unique(f: FunctionLowering, s: n.IsUnique) -> None:
    f.bind(s.out, (f.call("i1", "jc_is_unique", f.single(s.owner)),))


def _table_entry(f: FunctionLowering, table: str, size: int, index: int) -> Vec:
    if not 0 <= index < size:
        raise InternalError(f"{table} has {size} entries, and no entry {index}")
    return f.code.load(_word(f, f"@{table}", index), "ptr")


def _constant(f: FunctionLowering, s: n.Constant) -> None:
    f.bind(s.out, (_table_entry(f, CONSTANTS, len(f.program.constants), s.index),))


def _launch(f: FunctionLowering, s: n.Launch) -> None:
    name = quoted(kernel_name(f.program.kernels[s.kernel].name))
    f.code.line(f"call void @{name}({', '.join(_kernel_argument(f, a) for a in s.args)})")
    f.fail_if_interrupted(s.site)


def _kernel_argument(f: FunctionLowering, operand: n.Operand) -> str:
    """An operand as a parameter of `text.register_type`."""
    parts, type_ = f.operand(operand), register_type(operand.type)
    if len(parts) == 2:
        half = f.code.emit(type_, 1, f"insertvalue {type_} poison, {parts[0].typed}, 0")
        return f.code.emit(type_, 1, f"insertvalue {half.typed}, {parts[1].typed}, 1").typed
    if operand.type is f16:
        raw = pack(f.code, f.value(operand))
        return (raw if raw.type == "half" else f.code.convert("bitcast", raw, "half")).typed
    return parts[0].typed


# --- stacks: {top, limit, base, …}, see `stacks`


def _stack_new(f: FunctionLowering, s: n.StackNew) -> None:
    stack = f.call("ptr", "jc_stack_new", "ptr %ctx", f.single(s.capacity))
    f.fail_if_null(stack, context.MEMORY_ERROR)
    f.bind(s.out, (stack,))


def _stack_push(f: FunctionLowering, s: n.StackPush) -> None:
    stack, size = f.single(s.stack), 8 * _size([v.type for v in s.values])
    top = f.code.load(stack, "ptr")
    limit = f.code.load(f.code.offset(stack, 1, "i64"), "ptr")
    full = f.code.emit("i1", 1, f"icmp ugt ptr {f.code.offset(top, size, 'i8')}, {limit}")
    grow, push, before = f.code.new_label("grow"), f.code.new_label("push"), f.code.label
    f.branch(full, grow, push, likely=False)
    f.code.block(grow)
    grown = f.call("ptr", "jc_stack_grow", "ptr %ctx", stack, f"i64 {size}")
    f.fail_if_null(grown, context.MEMORY_ERROR)
    grew = f.code.label
    f.code.jump(push)
    f.code.block(push)
    start = f.code.phi((top, before), (grown, grew))
    _store_words(f, start.text, s.values)
    f.code.store(f.code.offset(start, size, "i8"), stack)


def _stack_pop(f: FunctionLowering, s: n.StackPop) -> None:
    stack, size = f.single(s.stack), 8 * _size([o.type for o in s.outs])
    top = f.code.load(stack, "ptr")
    base = f.code.load(f.code.offset(stack, 2, "i64"), "ptr")
    empty = f.code.emit("i1", 1, f"icmp eq ptr {top}, {base}")
    shrink, pop, before = f.code.new_label("shrink"), f.code.new_label("pop"), f.code.label
    f.branch(empty, shrink, pop, likely=False)
    f.code.block(shrink)
    shrunk = f.call("ptr", "jc_stack_shrink", "ptr %ctx", stack)
    f.fail_if_null(shrunk, context.INTERNAL_ERROR)
    back = f.code.label
    f.code.jump(pop)
    f.code.block(pop)
    end = f.code.phi((top, before), (shrunk, back))
    start = f.code.offset(end, -size, "i8")
    _load_words(f, start.text, s.outs)
    f.code.store(start, stack)


def _stack_free(f: FunctionLowering, s: n.StackFree) -> None:
    f.call("void", "jc_stack_free", "ptr %ctx", f.single(s.stack))


# --- Python


def _host(f: FunctionLowering, s: n.Host) -> None:
    callable_ = _table_entry(f, HOSTS, len(f.program.host_calls), s.index)
    given = f.code.slot("i64", max(_size([a.type for a in s.args]), 1), align=16)
    returned = f.code.slot("i64", max(_size([o.type for o in s.outs]), 1), align=16)
    _store_words(f, given.text, s.args)
    call = f.program.host_calls[s.index]
    if call.bare:
        described = [
            f"i64 {k}" for k in (len(call.arg_types), kinds(call.arg_types, call.objects), kind(call.result_types[0]))
        ]
        status = f.call("i32", "jc_call_of_numbers", "ptr %ctx", callable_, *described, given, returned)
    else:
        status = f.call("i32", "jc_host", "ptr %ctx", callable_, given, returned)
    f.fail_unless(status.eq(0), s.site)
    _load_words(f, returned.text, s.outs)


def _library(f: FunctionLowering, s: n.Library) -> None:
    (type_,) = part_types(s.out.type)
    if s.function == "same":
        word = _as_word(f, s.args[0])
        f.bind(s.out, (word if type_ == "i64" else _of_word(f, word, type_),))
        return
    words = [_as_word(f, o) for o in s.args]
    if s.function in library.short():
        result = library.write_out(
            s.function, [w.text for w in words], lambda text: f.code.emit("i64", 1, text).text, f.code.line
        )
        made = Vec(f.code, result, "i64", 1)
        f.bind(s.out, (made if type_ == "i64" else _of_word(f, made, type_),))
        return
    given = ["ptr %ctx"] if library.takes_context()[s.function] else []
    types = ", ".join([*(["ptr"] if given else []), *["i64"] * len(words)])
    name = translate.PREFIX + s.function
    f.code.module.declare(f"declare i64 @{name}({types})")
    made = f.code.emit("i64", 1, f"call i64 @{name}({', '.join([*given, *(w.typed for w in words)])})")
    if s.function in library.fallible():
        f.fail_unless(f.code.emit("i1", 1, f"icmp ne i64 {made}, {translate.FAIL}"), context.MEMORY_ERROR)
    f.bind(s.out, (made if type_ == "i64" else _of_word(f, made, type_),))


def _as_word(f: FunctionLowering, operand: n.Operand) -> Vec:
    """A number's bits, or an address, as a word."""
    part = f.single(operand)
    if part.type == "i64":
        return part
    how = {"ptr": "ptrtoint", "double": "bitcast", "i1": "zext"}[part.type]
    return f.code.emit("i64", 1, f"{how} {part.typed} to i64")


def _of_word(f: FunctionLowering, word: Vec, type_: str) -> Vec:
    return f.code.emit(type_, 1, f"{'trunc' if type_ == 'i1' else 'bitcast'} {word.typed} to {type_}")


HANDLERS: Final[Mapping[type, Handler]] = {
    n.Offset: _offset,
    n.LoadElement: _load_element,
    n.StoreElement: _store_element,
    n.Copy: _copy,
    n.ReadWord: _read_word,
    n.WriteWord: _write_word,
    n.Alloc: _alloc,
    n.Move: _move,
    n.Retain: _retain,
    n.Release: _release,
    n.IsUnique: _is_unique,
    n.Constant: _constant,
    n.Launch: _launch,
    n.StackNew: _stack_new,
    n.StackPush: _stack_push,
    n.StackPop: _stack_pop,
    n.StackFree: _stack_free,
    n.Host: _host,
    n.Library: _library,
}
