"""Programs as inner loops of NumPy's ufuncs, in LLVM: what NumPy calls, and the way from its pointers to words.

A *loop* is a `PyArrayMethod_StridedLoop`: it sees how the operands lie in memory, and calls the *entry* for that, which
stands in a table, or is made when it is first needed. An entry describes the operands in words and runs a program.
Neither needs the GIL; what a program raises is told to Python at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import context, runtime
from jitcore.structs import dataclass

CONTIGUOUS, STRIDED, ONE = range(3)
"""How an operand lies in memory: its elements one behind another, at strides, or one that serves all rounds (an input
without core dimensions)."""
REDUCED, ACCUMULATED = "reduced", "accumulated"
"""Rounds of `reduce` and `accumulate`, each of which takes what the last has left."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a loop: bytes of an element, the numbers of its core dimensions, whether it is an input, and
    whether it is told apart where it is one for all rounds."""

    size: int
    core: tuple[int, ...]
    is_input: bool
    may_stay: bool


@dataclass(frozen=True, slots=True)
class Given:
    """Words of a program's input that an operand is: an array with the loop's axis or, if not `looped`, without it."""

    operand: int
    looped: bool
    axis: bool = False
    """Whether a core dimension of extent 1 is put where the operand has none."""


@dataclass(frozen=True, slots=True)
class Known:
    """Words that are the same in all calls."""

    words: tuple[int, ...]


def keys(operands: Sequence[Operand]) -> int:
    """How many entries a loop's table has: one for each way that operands lie in memory, with and without inputs that
    are outputs as well, and those of reductions."""
    return 2 * _ways(operands) + 2


def _ways(operands: Sequence[Operand]) -> int:
    return 3 ** len(operands) if len(operands) <= _MOST else 2


_MOST: Final = 6
"""Operands of which each is told apart; of more, only whether all are contiguous."""


def key_of(operands: Sequence[Operand], way: Sequence[int] | str, shared: bool = False) -> int:
    """The place of an entry in the table."""
    ways = _ways(operands)
    if isinstance(way, str):
        return 2 * ways + (way == ACCUMULATED)
    if len(operands) > _MOST:
        return (ways if shared else 0) + int(any(kind != CONTIGUOUS for kind in way))
    return (ways if shared else 0) + sum(kind * 3**k for k, kind in enumerate(way))


def way_of(operands: Sequence[Operand], key: int) -> tuple[tuple[int, ...] | str, bool]:
    """How operands lie in memory that have a key, and whether inputs are outputs as well."""
    ways = _ways(operands)
    if key >= 2 * ways:
        return (REDUCED, ACCUMULATED)[key - 2 * ways], True
    shared, key = divmod(key, ways)
    if len(operands) > _MOST:
        return ((STRIDED if key else CONTIGUOUS),) * len(operands), bool(shared)
    return tuple(key // 3**k % 3 for k in range(len(operands))), bool(shared)


def loop(operands: Sequence[Operand], table: int, missing: int, problem: int, *, folds: bool) -> engine.LoadedObject:
    """The loop `loop`. `table` is the address of its entries; `missing(key)` is called for one that is not there, and
    gives its address, or null; `problem(key, ctx)` gives the exception that is to be raised: what an entry ended with,
    or (`ctx` null) `missing`. `folds`: two inputs and one output, as reductions have."""
    text = _loop_text(operands, folds)
    code = engine.compile_object(text, engine.LOCALS)
    return engine.load_object(code, ["loop"], {"table": table, "missing": missing, "problem": problem})


def entry(
    operands: Sequence[Operand], inputs: Sequence[Given | Known], out_words: int, run: int, *, in_parts: bool
) -> engine.LoadedObject:
    """The entry of a program, whose code begins at `run`: its one function. `in_parts`: its rounds do not depend on
    each other, and are shared by the threads of the pool where there are many; the first part's error counts."""
    text = _entry_text(operands, inputs, out_words)
    symbols = {"run": run}
    if in_parts:
        text += _parts_text(operands)
        symbols |= {name: runtime.symbols()[name] for name in ("jc_parallel", "jc_stop_region", "jc_take_interrupt")}
    name = "entry" if in_parts else "part"
    return engine.load_object(engine.compile_object(text, engine.LOCALS), [name], symbols)


def promoter(choose: int) -> engine.LoadedObject:
    """The promoter `promote`: `choose(ufunc, dtypes, signature, chosen)` gives None, or the exception to be raised."""
    code = engine.compile_object(_PROMOTER, engine.LOCALS)
    return engine.load_object(code, ["promote"], {"choose": choose, "none": id(None)})


def initial(size: int, value: bytes) -> engine.LoadedObject:
    """The `PyArrayMethod_GetReductionInitial` `initial` of an identity, given as its bytes."""
    data = "".join(f"\\{byte:02x}" for byte in value)
    text = f"""@value = private constant [{size} x i8] c"{data}"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @initial(ptr %context, i8 %empty, ptr %to) {{
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @value, i64 {size}, i1 false)
  ret i32 1
}}
"""
    return engine.load_object(engine.compile_object(text, engine.LOCALS), ["initial"])


_RAISE: Final = """
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare void @PyErr_SetObject(ptr, ptr)
declare void @Py_DecRef(ptr)

define internal void @set(ptr %exception) {
  %type.at = getelementptr i8, ptr %exception, i64 8
  %type = load ptr, ptr %type.at
  call void @PyErr_SetObject(ptr %type, ptr %exception)
  call void @Py_DecRef(ptr %exception)
  ret void
}
"""

_PROMOTER: Final = f"""{_RAISE}
@none = external global i8
declare ptr @choose(ptr, ptr, ptr, ptr)
define i32 @promote(ptr %ufunc, ptr %dtypes, ptr %signature, ptr %chosen) {{
entry:
  %exception = call ptr @choose(ptr %ufunc, ptr %dtypes, ptr %signature, ptr %chosen)
  %fine = icmp eq ptr %exception, @none
  br i1 %fine, label %done, label %raise
done:
  ret i32 0
raise:
  call void @set(ptr %exception)
  ret i32 -1
}}
"""


class _Lines:
    """Instructions, and names for their results."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def __call__(self, instruction: str) -> str:
        self._count += 1
        self.lines.append(f"  %v{self._count} = {instruction}")
        return f"%v{self._count}"

    def do(self, instruction: str) -> None:
        self.lines.append(f"  {instruction}")

    def item(self, array: str, index: int, type_: str = "i64") -> str:
        """An item of an array."""
        at = self(f"getelementptr {type_}, ptr {array}, i64 {index}")
        return self(f"load {type_}, ptr {at}")

    def all_of(self, conditions: Sequence[str]) -> str:
        made = "true"
        for condition in conditions:
            made = self(f"and i1 {made}, {condition}")
        return made

    def any_of(self, conditions: Sequence[str]) -> str:
        made = "false"
        for condition in conditions:
            made = self(f"or i1 {made}, {condition}")
        return made


def _core_strides(operands: Sequence[Operand]) -> list[int]:
    """Where the strides of the operands' core dimensions begin."""
    made = [len(operands)]
    for operand in operands:
        made.append(made[-1] + len(operand.core))
    return made


def _kind(emit: _Lines, operands: Sequence[Operand], k: int, single: str) -> str:
    """How an operand lies in memory, as an i64."""
    operand, first = operands[k], _core_strides(operands)[k]
    size: str = str(operand.size)
    conditions: list[str] = []
    for axis in reversed(range(len(operand.core))):
        stride = emit.item("%strides", first + axis)
        conditions.append(emit(f"icmp eq i64 {stride}, {size}"))
        size = emit(f"mul i64 {size}, {emit.item('%dims', 1 + operand.core[axis])}")
    stride = emit.item("%strides", k)
    fits = emit(f"icmp eq i64 {stride}, {size}")
    conditions.append(emit(f"or i1 {fits}, {single}"))
    kind = emit(f"select i1 {emit.all_of(conditions)}, i64 {CONTIGUOUS}, i64 {STRIDED}")
    if not operand.may_stay:
        return kind
    still = emit.all_of([emit(f"icmp eq i64 {stride}, 0"), emit(f"xor i1 {single}, true")])
    return emit(f"select i1 {still}, i64 {ONE}, i64 {kind}")


def _loop_text(operands: Sequence[Operand], folds: bool) -> str:
    emit = _Lines()
    single = emit("icmp eq i64 %n, 1")
    kinds = [_kind(emit, operands, k, single) for k in range(len(operands))]
    if len(operands) <= _MOST:
        key = "0"
        for k, kind in enumerate(kinds):
            key = emit(f"add i64 {key}, {emit(f'mul i64 {kind}, {3**k}')}")
    else:
        contiguous = emit.all_of([emit(f"icmp eq i64 {kind}, {CONTIGUOUS}") for kind in kinds])
        key = emit(f"select i1 {contiguous}, i64 0, i64 1")
    data = [emit.item("%data", k, "ptr") for k in range(len(operands))]
    same = [
        emit(f"icmp eq ptr {data[k]}, {data[j]}")
        for k, one in enumerate(operands)
        for j, other in enumerate(operands)
        if one.is_input and not other.is_input
    ]
    ways = _ways(operands)
    shared = emit.all_of([emit.any_of(same), emit(f"xor i1 {single}, true")])
    key = emit(f"select i1 {shared}, i64 {emit(f'add i64 {key}, {ways}')}, i64 {key}")
    if folds:
        strides = [emit.item("%strides", k) for k in range(3)]
        still = [emit(f"icmp eq i64 {strides[k]}, 0") for k in (0, 2)]
        more = emit(f"xor i1 {single}, true")
        reduces = emit.all_of([*still, emit(f"icmp eq ptr {data[0]}, {data[2]}"), more])
        key = emit(f"select i1 {reduces}, i64 {2 * ways}, i64 {key}")
        behind = emit(f"getelementptr i8, ptr {data[0]}, i64 {strides[2]}")
        follows = emit.all_of(
            [emit(f"icmp eq ptr {behind}, {data[2]}"), emit(f"icmp eq i64 {strides[0]}, {strides[2]}")]
        )
        moves = emit.all_of([follows, emit(f"icmp ne i64 {strides[2]}, 0"), more])
        key = emit(f"select i1 {moves}, i64 {2 * ways + 1}, i64 {key}")
    body = "\n".join(emit.lines)
    return f"""{_RAISE}
@table = external global ptr
declare ptr @missing(i64)
declare ptr @problem(i64, ptr)

define i32 @loop(ptr %context, ptr %data, ptr %dims, ptr %strides, ptr %auxiliary) {{
entry:
  %ctx = alloca [{context.SIZE} x i8], align 16
  %n = load i64, ptr %dims
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %look, label %done
look:
{body}
  %at = getelementptr ptr, ptr @table, i64 {key}
  %found = load atomic ptr, ptr %at acquire, align 8
  %is.there = icmp ne ptr %found, null
  br i1 %is.there, label %run, label %make
make:
  %made = call ptr @missing(i64 {key})
  %could = icmp ne ptr %made, null
  br i1 %could, label %run, label %raise
run:
  %entry.at = phi ptr [ %found, %look ], [ %made, %make ]
{context.cleared()}
  %status = call i32 %entry.at(ptr %data, ptr %dims, ptr %strides, ptr %ctx)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %done, label %raise
done:
  ret i32 0
raise:
  %of = phi ptr [ null, %make ], [ %ctx, %run ]
  %gil = call i32 @PyGILState_Ensure()
  %exception = call ptr @problem(i64 {key}, ptr %of)
  call void @set(ptr %exception)
  call void @PyGILState_Release(i32 %gil)
  ret i32 -1
}}
"""


def _entry_text(operands: Sequence[Operand], inputs: Sequence[Given | Known], out_words: int) -> str:
    emit = _Lines()
    words: list[str] = []
    starts = _core_strides(operands)
    for one in inputs:
        if isinstance(one, Known):
            words += map(str, one.words)
            continue
        operand = operands[one.operand]
        pointer = emit.item("%data", one.operand, "ptr")
        extents = [emit.item("%dims", 1 + d) for d in operand.core]
        strides = [emit.item("%strides", starts[one.operand] + k) for k in range(len(operand.core))]
        if one.axis:
            extents, strides = ["1"], [str(operand.size)]
        if one.looped:
            extents = [emit.item("%dims", 0), *extents]
            strides = [emit.item("%strides", one.operand), *strides]
        words += [emit(f"ptrtoint ptr {pointer} to i64"), "0", *extents, *strides]
    for k, word in enumerate(words):
        at = emit(f"getelementptr i64, ptr %in, i64 {k}")
        emit.do(f"store i64 {word}, ptr {at}")
    body = "\n".join(emit.lines)
    return f"""declare i32 @run(ptr, ptr, ptr)

define i32 @part(ptr %data, ptr %dims, ptr %strides, ptr %ctx) {{
  %in = alloca [{max(len(words), 1)} x i64], align 16
  %out = alloca [{max(out_words, 1)} x i64], align 16
{body}
  %status = call i32 @run(ptr %ctx, ptr %in, ptr %out)
  ret i32 %status
}}
"""


_PARTS: Final = 64
"""Into how many parts rounds are cut, at most."""
_ROUNDS: Final = 256
"""Rounds of a part for elements, at least."""
_WORK: Final = 8192
"""Elements of all rounds from which on they are shared: some 20 microseconds of work."""


def _parts_text(operands: Sequence[Operand]) -> str:
    """The entry of a program whose rounds are shared. A job is the three arrays, the rounds of a part, and the contexts
    and the status of each part, behind which stands whether any failed: no other part is begun then."""
    count, dims = len(operands), 1 + max((d + 1 for o in operands for d in o.core), default=0)
    work = _Lines()
    total = "%n"
    for k in range(1, dims):
        total = work(f"mul i64 {total}, {work.item('%dims', k)}")
    moved = _Lines()
    for k in range(count):
        offset = moved(f"mul i64 %first, {moved.item('%strides', k)}")
        pointer = moved(f"getelementptr i8, ptr {moved.item('%data', k, 'ptr')}, i64 {offset}")
        at = moved(f"getelementptr ptr, ptr %own.data, i64 {k}")
        moved.do(f"store ptr {pointer}, ptr {at}")
    for k in range(1, dims):
        at = moved(f"getelementptr i64, ptr %own.dims, i64 {k}")
        moved.do(f"store i64 {moved.item('%dims', k)}, ptr {at}")
    lines, moves = "\n".join(work.lines), "\n".join(moved.lines)
    job = {"data": "ptr", "dims": "ptr", "strides": "ptr", "rounds": "i64", "contexts": "ptr", "failed": "ptr"}
    struct = f"{{ {', '.join(job.values())} }}"
    places = [f"  %{f}.at = getelementptr {struct}, ptr %job, i32 0, i32 {k}" for k, f in enumerate(job)]
    read = "\n".join([*places, *(f"  %{f} = load {t}, ptr %{f}.at" for f, t in job.items())])
    written = "\n".join([*places, *(f"  store {t} %{f}, ptr %{f}.at" for f, t in job.items())])
    return f"""
declare void @jc_parallel(ptr, ptr, i64)
declare i1 @jc_take_interrupt(ptr, i64)
declare void @jc_stop_region()
declare void @PyMem_RawFree(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

define internal void @task(ptr %job, i64 %index) {{
{read}
  %own.data = alloca [{count} x ptr]
  %own.dims = alloca [{dims} x i64]
  %any.at = getelementptr i32, ptr %failed, i64 {_PARTS}
  %any = load atomic i32, ptr %any.at monotonic, align 4
  %go = icmp eq i32 %any, 0
  br i1 %go, label %begin, label %left.out
left.out:
  ret void
begin:
  %n = load i64, ptr %dims
  %first = mul i64 %index, %rounds
  %left = sub i64 %n, %first
  %own = call i64 @llvm.smin.i64(i64 %left, i64 %rounds)
  store i64 %own, ptr %own.dims
{moves}
  %ctx.offset = mul i64 %index, {context.SIZE}
  %ctx = getelementptr i8, ptr %contexts, i64 %ctx.offset
  %status = call i32 @part(ptr %own.data, ptr %own.dims, ptr %strides, ptr %ctx)
  %status.at = getelementptr i32, ptr %failed, i64 %index
  store i32 %status, ptr %status.at
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %done, label %tell
tell:
  %raised.at = getelementptr i8, ptr %ctx, i64 {context.EXCEPTION}
  %raised = load ptr, ptr %raised.at
  %is.raised = icmp ne ptr %raised, null
  br i1 %is.raised, label %stop, label %note
stop:
  call void @jc_stop_region()
  br label %note
note:
  store atomic i32 1, ptr %any.at monotonic, align 4
  br label %done
done:
  ret void
}}

define i32 @entry(ptr %data, ptr %dims, ptr %strides, ptr %ctx) {{
entry:
  %n = load i64, ptr %dims
{lines}
  %much = icmp sge i64 {total}, {_WORK}
  %several = icmp sge i64 %n, 2
  %shared = and i1 %much, %several
  br i1 %shared, label %share, label %alone
alone:
  %status = call i32 @part(ptr %data, ptr %dims, ptr %strides, ptr %ctx)
  ret i32 %status
share:
  %job = alloca {struct}
  %contexts = alloca [{_PARTS * context.SIZE} x i8], align 16
  %failed = alloca [{_PARTS + 1} x i32]
  call void @llvm.memset.p0.i64(ptr %contexts, i8 0, i64 {_PARTS * context.SIZE}, i1 false)
  call void @llvm.memset.p0.i64(ptr %failed, i8 0, i64 {4 * _PARTS + 4}, i1 false)
  %n.up = add i64 %n, {_PARTS - 1}
  %even = sdiv i64 %n.up, {_PARTS}
  %rounds = call i64 @llvm.smax.i64(i64 %even, i64 {_ROUNDS if dims == 1 else 1})
  %rounds.less = sub i64 %rounds, 1
  %n.whole = add i64 %n, %rounds.less
  %parts = sdiv i64 %n.whole, %rounds
{written}
  call void @jc_parallel(ptr @task, ptr %job, i64 %parts)
  %interrupted = call i1 @jc_take_interrupt(ptr %ctx, i64 0)
  br i1 %interrupted, label %end, label %look
end:
  ret i32 1
look:
  %k = phi i64 [ 0, %share ], [ %k.next, %looked ]
  %seen = phi i32 [ 0, %share ], [ %seen.next, %looked ]
  %more = icmp slt i64 %k, %parts
  br i1 %more, label %ask, label %done
ask:
  %failed.k = getelementptr i32, ptr %failed, i64 %k
  %one = load i32, ptr %failed.k
  %fine = icmp eq i32 %one, 0
  br i1 %fine, label %looked, label %found
found:
  %ctx.offset = mul i64 %k, {context.SIZE}
  %ctx.k = getelementptr i8, ptr %contexts, i64 %ctx.offset
  %is.first = icmp eq i32 %seen, 0
  %kept.at = getelementptr i8, ptr %ctx, i64 {context.EXCEPTION}
  %kept = load ptr, ptr %kept.at
  %raised.at = getelementptr i8, ptr %ctx.k, i64 {context.EXCEPTION}
  %raised = load ptr, ptr %raised.at
  %has.none = icmp eq ptr %kept, null
  %is.raised = icmp ne ptr %raised, null
  %is.cause = and i1 %has.none, %is.raised ; an interrupt, for which other parts were left
  %is.told = or i1 %is.first, %is.cause
  br i1 %is.told, label %keep, label %drop
keep:
  call void @llvm.memcpy.p0.p0.i64(ptr %ctx, ptr %ctx.k, i64 {context.SIZE}, i1 false)
  br label %looked
drop:
  %trace.at = getelementptr i8, ptr %ctx.k, i64 {context.TRACE}
  %trace = load ptr, ptr %trace.at
  call void @PyMem_RawFree(ptr %trace)
  br label %looked
looked:
  %seen.next = phi i32 [ %seen, %ask ], [ 1, %keep ], [ %seen, %drop ]
  %k.next = add i64 %k, 1
  br label %look
done:
  ret i32 %seen
}}
"""
