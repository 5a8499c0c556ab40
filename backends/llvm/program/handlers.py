"""`Try` as LLVM text: a failure in its body goes to a label that looks for a handler, not out of the function.

The context says what failed: an error site, of which it is known here which handler takes it, or what Python raised,
which is asked for by a host call. A handler keeps what it caught in the function's frame, to raise it again.
"""

from __future__ import annotations

import builtins
from typing import Any, Final

from jitcore.backends.llvm.program.function import FunctionLowering, Parts, Steps, part_types
from jitcore.backends.llvm.program.memory import HANDLERS
from jitcore.backends.native.host import context, traces
from jitcore.backends.native.host.stacks import SPARE
from jitcore.backends.native.ir.vectors import Vec
from jitcore.program import nodes as n
from jitcore.program.walk import statements
from jitcore.program.words import leaves_word
from jitcore.types import bool_, i64

_AREA_WORDS: Final = context.AREA_SIZE // 8


def lower_try(f: FunctionLowering, s: n.Try) -> Steps:
    """A Try; in steps, as all that has blocks inside."""
    code, outer = f.code, f.targets[-1]
    caught, join = code.new_label("caught"), code.new_label("tried")
    kept = [_kept(f, f.single(stack)) for stack in s.stacks]
    oldest = code.load(f.field(context.BLOCKS), "ptr")
    arms: list[tuple[str, list[Parts]]] = []
    f.targets.append(caught)
    yield f.block(s.body)
    f.targets.pop()
    _leave(f, s, s.body, join, arms)
    code.block(caught)
    f.call("void", "jc_unwind_to", "ptr %ctx", oldest)
    for stack, words in zip(s.stacks, kept, strict=True):
        for k, word in enumerate(words):
            code.store(word, code.offset(f.single(stack), k, "i64"))
    labels = [code.new_label("handler") for _ in s.handlers]
    _choose(f, s, labels)
    for label, handler in zip(labels, s.handlers, strict=True):
        code.block(label)
        area = code.slot("i64", _AREA_WORDS, align=16)
        drop = code.new_label("drop")
        f.call("void", "jc_catch", "ptr %ctx", area, f"i64 {s.site}")
        f.caught.append(area)
        f.targets.append(drop)
        yield f.block(handler)
        f.targets.pop()
        f.caught.pop()
        if _ends(s, handler):
            f.call("void", "jc_forget", area)
        _leave(f, s, handler, join, arms)
        code.block(drop)  # the handler itself has raised
        f.call("void", "jc_leave", "ptr %ctx", area)
        f.leave_to(outer)
    code.block(join)
    for k, out in enumerate(s.outs):
        if not arms:  # nothing ever gets here
            f.bind(out, tuple(Vec(code, "poison", t) for t in part_types(out.type)))
            continue
        pairs = [(parts[k], label) for label, parts in arms]
        f.bind(out, tuple(code.phi(*((p[j], label) for p, label in pairs)) for j in range(len(pairs[0][0]))))


def _kept(f: FunctionLowering, stack: Vec) -> list[Vec]:
    """What a stack is before the body: its words, of which the spare chunk is none, so that the body frees nothing of
    it."""
    spare_at = f.code.offset(stack, SPARE, "i64")
    f.call("void", "jc_drop", "ptr %ctx", f.code.load(spare_at, "ptr"))
    f.code.store(Vec(f.code, "null", "ptr"), spare_at)
    return [f.code.load(f.code.offset(stack, k, "i64"), "ptr") for k in range(SPARE + 1)]


def commit(f: FunctionLowering, s: n.Commit) -> None:
    """From here on a failure goes where one after the Try does."""
    f.targets[-1] = f.targets[-2]


def rethrow(f: FunctionLowering, s: n.Rethrow) -> None:
    """Raise again what a handler around this caught."""
    f.call("void", "jc_rethrow", "ptr %ctx", f.caught[-1 - s.level])
    if s.site is not None:
        f.call("void", "jc_trace", "ptr %ctx", f"i64 {traces.raised_again_at(s.site)}")
    f.leave_to(f.targets[-1])
    f.code.block(f.code.new_label("never"))


def park(f: FunctionLowering, s: n.Park) -> None:
    """Put what the innermost handler caught aside."""
    f.call("void", "jc_park", "ptr %ctx", f.caught[-1])


def unpark(f: FunctionLowering, s: n.Unpark) -> None:
    """Raise again what was put aside."""
    f.call("void", "jc_unpark", "ptr %ctx", f"i64 {s.level}", f"i1 {str(s.keep).lower()}")
    f.leave_to(f.targets[-1])
    f.code.block(f.code.new_label("never"))


def drop_parked(f: FunctionLowering, s: n.DropParked) -> None:
    """Forget what was put aside."""
    f.call("void", "jc_drop_parked", "ptr %ctx", f"i64 {s.level}")


def _ends(s: n.Try, block: n.Block) -> bool:
    return bool(block.results) or not s.outs


def _leave(f: FunctionLowering, s: n.Try, block: n.Block, join: str, arms: list[tuple[str, list[Parts]]]) -> None:
    if not _ends(s, block):
        f.code.line("unreachable")
        return
    arms.append((f.code.label, [f.operand(o) for o in block.results]))
    f.code.jump(join)


def _choose(f: FunctionLowering, s: n.Try, labels: list[str]) -> None:
    """Go to the handler of what the context says was raised, or on outwards."""
    site = f.code.load(f.field(context.SITE), "i64")
    from_python = _sites_of_python(f.program)
    escape = f.program.words_escape
    ask = f.code.new_label("ask")
    cases = [(context.MEMORY_ERROR, MemoryError)]
    cases += [
        (k, class_of(site.exception))
        for k, site in enumerate(f.program.sites)
        if k not in from_python and not (escape and leaves_word(site.exception, site.message))
    ]
    targets: list[tuple[int, str]] = [(k, ask) for k in sorted(from_python)]
    for index, cls in cases:
        handler = next((k for k, c in enumerate(s.catches) if issubclass(cls, classes_of(c))), None)
        if handler is not None:
            targets.append((index, labels[handler]))
    f.will_leave_to(f.targets[-1])
    table = " ".join(f"i64 {k}, label %{label}" for k, label in targets)
    f.code.line(f"switch {site.typed}, label %{f.targets[-1]} [ {table} ]")
    f.code.block(ask)
    address, value = n.Reg("raised", i64), n.Reg("value", i64)
    f.bind(address, (f.code.load(f.field(context.EXCEPTION), "i64"),))
    f.bind(value, (f.code.load(f.field(context.EXCEPTION + 8), "i64") if escape else Vec(f.code, "0", "i64"),))
    for label, matcher, classes in zip(labels, s.matchers, s.catches, strict=True):
        if not escape and any(class_of(c) is BaseException for c in classes):
            f.code.jump(label)
            break
        answer = n.Reg("matches", bool_)
        HANDLERS[n.Host](f, n.Host(matcher, (address, value), (answer,), s.site))
        following = f.code.new_label("next")
        f.branch(f.single(answer), label, following)
        f.code.block(following)
    else:
        f.leave_to(f.targets[-1])


def class_of(exception: Any) -> type[BaseException]:
    """The class of what a site raises: given by its name, itself, or by what makes it."""
    if isinstance(exception, str):
        return getattr(builtins, exception)
    if isinstance(exception, type) and issubclass(exception, BaseException):
        return exception
    kind = exception.kind
    return kind if isinstance(kind, type) else type(kind)


def classes_of(names: tuple[Any, ...]) -> tuple[type[BaseException], ...]:
    """The classes that a handler names."""
    return tuple(map(class_of, names))


def _sites_of_python(program: n.Program) -> set[int]:
    """The sites of what calls Python: what it raises is known when it has."""
    every = (s for f in program.functions.values() for s in statements(f.body))
    return {s.site for s in every if isinstance(s, n.Host | n.Poll | n.Launch | n.Parallel)}
