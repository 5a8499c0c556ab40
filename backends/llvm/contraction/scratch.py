"""Work memory of contractions: blocks of one size that tasks borrow, kept in a row of slots.

A block is taken and given back by one atomic exchange, so any number of threads may, and a fork leaves the slots
whole (a block that another thread holds at that moment is lost to the child). Where the system has no memory left,
a task waits for the block of another: `jc_reserve_scratch` made one when the code was loaded.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.llvm.contraction.code import Code
from jitcore.backends.native.ir.text import LLVMModule

_SLOTS: Final = 64
_ALIGNMENT: Final = 64


def define_scratch(module: LLVMModule, size: int) -> None:
    """`jc_take_scratch() -> ptr`, `jc_try_scratch() -> ptr or null`, `jc_give_scratch(ptr)`, `jc_reserve_scratch`."""
    module.declare("declare ptr @malloc(i64)")
    module.declare("declare void @free(ptr)")
    module.define("jc_scratch", f"@jc_scratch = internal global [{_SLOTS} x ptr] zeroinitializer, align 64\n")
    module.define("jc_try_scratch", _try(size))
    module.define("jc_take_scratch", _take())
    module.define("jc_give_scratch", _give())
    module.define("jc_reserve_scratch", _reserve())


def _try(size: int) -> str:
    f = Code("jc_try_scratch", (), "ptr")
    slots = f.value("ptr", "@jc_scratch")
    found = f.var("null", "ptr")
    slot = f.var(0)
    with f.while_(lambda: found.get().equals("null") & (slot.get() < _SLOTS)):
        place = f.at(slots, slot.get(), "ptr")
        there = f.op("ptr", f"load atomic ptr, ptr {place} monotonic, align 8")
        with f.if_(there.differs("null")):
            found.set(f.op("ptr", f"atomicrmw xchg ptr {place}, ptr null acquire"))
        slot.set(slot.get() + 1)
    with f.if_(found.get().equals("null")):
        raw = f.call("ptr", "malloc", f.constant(size + 2 * _ALIGNMENT))
        with f.if_(raw.differs("null")):
            start = f.op("i64", f"ptrtoint ptr {raw} to i64")
            past = _ALIGNMENT + _ALIGNMENT - start % _ALIGNMENT
            block = f.at(raw, past, "i8")
            f.store(raw, f.at(block, -1, "i64"))  # for free()
            found.set(block)
    f.ret(found.get())
    return f.text()


def _take() -> str:
    f = Code("jc_take_scratch", (), "ptr")
    found = f.var(f.call("ptr", "jc_try_scratch"), "ptr")
    with f.while_(lambda: found.get().equals("null")):
        found.set(f.call("ptr", "jc_try_scratch"))
    f.ret(found.get())
    return f.text()


def _give() -> str:
    f = Code("jc_give_scratch", [("ptr", "block")])
    slots = f.value("ptr", "@jc_scratch")
    kept, slot = f.var(0), f.var(0)
    with f.while_(lambda: kept.get().equals(0) & (slot.get() < _SLOTS)):
        place = f.at(slots, slot.get(), "ptr")
        there = f.op("ptr", f"load atomic ptr, ptr {place} monotonic, align 8")
        with f.if_(there.equals("null")):
            swapped = f.op("{ ptr, i1 }", f"cmpxchg ptr {place}, ptr null, ptr {f.arg('block')} release monotonic")
            done = f.op("i1", f"extractvalue {{ ptr, i1 }} {swapped}, 1")
            kept.set(f.select(done, 1, 0))
        slot.set(slot.get() + 1)
    with f.if_(kept.get().equals(0)):
        f.call("void", "free", f.word(f.arg("block"), -1, "ptr"))
    f.ret()
    return f.text()


def _reserve() -> str:
    """`jc_reserve_scratch() -> i32`: 0, or 1 where there is no memory."""
    f = Code("jc_reserve_scratch", (), "i32", linkage="")
    block = f.call("ptr", "jc_try_scratch")
    with f.if_(block.differs("null")):
        f.call("void", "jc_give_scratch", block)
    f.ret(f.op("i32", f"zext i1 {block.equals('null')} to i32"))
    return f.text()
