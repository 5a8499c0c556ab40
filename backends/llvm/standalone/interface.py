"""What C calls, as LLVM text: a handle, calls that find the program for their arguments, errors as text.

    ptr NAME_new()                                  a handle, with the constants that programs change; null: no memory
    void NAME_delete(ptr handle)
    i32 NAME_call(ptr handle, ptr in, ptr out)      OK, UNFIT …; values as `program.libraries` lays them out; so are
                                                    other functions
    i32 NAME_call_into(ptr handle, ptr in, ptr out) the same, with results in memory of the caller's (`filling`)
    ptr NAME_error(ptr handle)                      what the last call that failed raised
    void NAME_free(ptr value)                       gives a result's memory back
    void NAME_seed(ptr handle, i64 key)             random numbers begin anew, as after `jitcore.set_seed(key)`
    void NAME_set_threads(i32 count)

A handle is the text of an error, the addresses of the constants that change, and the random state: a key and how often
each stream was drawn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jitcore.backends.llvm.standalone import dispatch
from jitcore.backends.llvm.standalone.filling import COPYING, filling_text
from jitcore.backends.llvm.standalone.hosts import HANDLE
from jitcore.backends.native.host import context
from jitcore.backends.native.ir.text import array_data
from jitcore.program import libraries as lib
from jitcore.program.nodes import ErrorSite, Host, Program
from jitcore.program.walk import statements
from jitcore.structs import dataclass, field

_TEXT_BYTES: Final = 1024
_NUMBER_BYTES: Final = 64
_VALUES: Final = 3
_CACHED: Final = 1 << 28
"""Bytes of free memory that are kept for reuse."""
_ANY: Final = "Exception"
"""What the site of a call says is raised there."""
_OVERLAP: Final = "an argument that is written to shares memory with another"
_CORES: Final = 84
"""What `sysconf` calls the number of cores, on Linux."""


def entry_of(case: int) -> str:
    """The name of a case's program."""
    return f"case{case}.run"


def random_state_at(library: lib.Library) -> int:
    """Where the random state is in a handle."""
    return _TEXT_BYTES + 8 * len(library.changing)


def interface_text(library: lib.Library, contracted: Sequence[str], streams: int, targets: Sequence[str] = ()) -> str:
    """The text of the functions that C calls. `contracted` are the dtypes of the matrix products that programs have,
    `streams` is how many random streams they draw from. Of several `targets`, each has programs of its own."""
    name = library.name
    lines = [
        _DECLARATIONS,
        _text("overlap", _OVERLAP),
    ]
    entries = list(map(entry_of, range(len(library.cases))))
    if targets:
        told = f"this processor has none of {', '.join(targets)}, or not the one that {dispatch.VARIABLE} names"
        lines += [dispatch.dispatching_text(targets, entries), dispatch.beginning(len(targets)), _text("machine", told)]
    else:
        lines += [f"declare i32 @{entry}(ptr, ptr, ptr)" for entry in entries]
    lines += [array_data(f"constant{k}", array) for k, array in enumerate(library.constants)]
    for k, case in enumerate(library.cases):
        lines += [_explaining(k, case.program), _Case(k, case, library).text()]
    first = 0
    for function in library.functions:
        lines += [_calling(name, function, first, bool(targets)), filling_text(name, function)]
        first += len(function.cases)
    lines += [COPYING, _handles(library, streams), _beginning(contracted, len(targets))]
    lines.append(_REST.format(name=name))
    return "\n".join(lines) + "\n"


_DECLARATIONS: Final = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i64 @sysconf(i32)
declare i32 @getentropy(ptr, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @jc_prepare()
declare void @jc_set_thread_count(i64)
declare void @jc_release(i64)
@jc_cache_limit = external global i64
@text.string = internal constant [3 x i8] c"%s\\00"
@raised.any = internal constant [10 x i8] c"Exception\\00"
@number.int = internal constant [5 x i8] c"%lld\\00"
@number.float = internal constant [6 x i8] c"%.17g\\00"
"""

_REST: Final = """
define ptr @{name}_error(ptr %handle) {{
  ret ptr %handle
}}

define void @{name}_free(ptr %value) {{
entry:
  %owner.at = getelementptr i8, ptr %value, i64 24
  %owner = load i64, ptr %owner.at
  %odd = and i64 %owner, 1
  %borrowed = icmp ne i64 %odd, 0
  %none = icmp eq i64 %owner, 0
  %skip = or i1 %borrowed, %none
  br i1 %skip, label %done, label %give
give:
  call void @jc_release(i64 %owner)
  br label %done
done:
  store i64 0, ptr %owner.at
  ret void
}}

define void @{name}_set_threads(i32 %count) {{
  %few = icmp slt i32 %count, 1
  %some = select i1 %few, i32 1, i32 %count
  %wide = sext i32 %some to i64
  call void @jc_set_thread_count(i64 %wide)
  ret void
}}
"""


def _beginning(contracted: Sequence[str], targets: int) -> str:
    """What runs when the library is loaded, and when it is unloaded."""
    lines = ["define internal void @begin() {", "  call i32 @jc_prepare()"]
    before: list[str] = []
    if targets:
        for k in range(targets):
            declared, calls = _contracting(dispatch.variant_of(k, "jc_"), contracted)
            before += [*declared, f"define internal void @{dispatch.variant_of(k, 'begin')}() {{", *calls]
            before += ["  ret void", "}"]
        lines.append("  call void @begin_variant()")
    else:
        before, calls = _contracting("jc_", contracted)
        lines += calls
    lines += [
        f"  store i64 {_CACHED}, ptr @jc_cache_limit",
        f"  %cores = call i64 @sysconf(i32 {_CORES})",
        "  %few = icmp slt i64 %cores, 1",
        "  %count = select i1 %few, i64 1, i64 %cores",
        "  call void @jc_set_thread_count(i64 %count)",
        "  ret void",
        "}",
        "define internal void @end() {",
        "  call void @jc_set_thread_count(i64 1)",
        "  ret void",
        "}",
    ]
    for table, function in (("ctors", "begin"), ("dtors", "end")):
        entry = f"{{ i32, ptr, ptr }} {{ i32 65535, ptr @{function}, ptr null }}"
        lines.append(f"@llvm.global_{table} = appending global [1 x {{ i32, ptr, ptr }}] [{entry}]")
    return "\n".join(before + lines)


def _contracting(prefix: str, contracted: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is declared and done before matrix products are computed, by functions whose names begin so."""
    declared: list[str] = []
    calls: list[str] = []
    for dtype in contracted:
        declared += [
            f"declare i32 @{prefix}reserve_scratch_{dtype}()",
            f"declare void @{prefix}pack_slot_bounded_{dtype}()",
            f"@{prefix}pack_bounded_{dtype} = external global ptr",
        ]
        calls += [
            f"  call i32 @{prefix}reserve_scratch_{dtype}()",
            f"  store ptr @{prefix}pack_slot_bounded_{dtype}, ptr @{prefix}pack_bounded_{dtype}",
        ]
    return declared, calls


def _handles(library: lib.Library, streams: int) -> str:
    """The functions that make handles, seed and end them."""
    changing = sorted(library.changing)
    state = random_state_at(library)
    size = state + 8 * (1 + streams)
    made = [
        f"define ptr @{library.name}_new() {{",
        f"  %handle = call ptr @malloc(i64 {size})",
        "  %none = icmp eq ptr %handle, null",
        "  br i1 %none, label %failed, label %begin",
        "begin:",
        f"  call void @llvm.memset.p0.i64(ptr %handle, i8 0, i64 {size}, i1 false)",
    ]
    for slot, constant in enumerate(changing):
        count = max(library.constants[constant].nbytes, 1)
        made += [
            f"  %own{slot} = call ptr @malloc(i64 {count})",
            f"  %place{slot} = getelementptr i8, ptr %handle, i64 {_TEXT_BYTES + 8 * slot}",
            f"  store ptr %own{slot}, ptr %place{slot}",
            f"  %none{slot} = icmp eq ptr %own{slot}, null",
            f"  br i1 %none{slot}, label %undo, label %copy{slot}",
            f"copy{slot}:",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %own{slot}, ptr @constant{constant}, i64 {count}, i1 false)",
        ]
    if streams:  # the first key is one of chance
        made += [
            f"  %state = getelementptr i8, ptr %handle, i64 {state}",
            "  %no.chance = call i32 @getentropy(ptr %state, i64 8)",
            "  %poor = icmp ne i32 %no.chance, 0",
            "  br i1 %poor, label %undo, label %seeded",
            "seeded:",
        ]
    made += ["  ret ptr %handle"]
    if changing or streams:
        made += ["undo:", f"  call void @{library.name}_delete(ptr %handle)", "  br label %failed"]
    made += ["failed:", "  ret ptr null", "}", f"define void @{library.name}_delete(ptr %handle) {{"]
    made += ["  %none = icmp eq ptr %handle, null", "  br i1 %none, label %done, label %end", "end:"]
    for slot in range(len(changing)):
        made += [
            f"  %place{slot} = getelementptr i8, ptr %handle, i64 {_TEXT_BYTES + 8 * slot}",
            f"  %own{slot} = load ptr, ptr %place{slot}",
            f"  call void @free(ptr %own{slot})",
        ]
    made += ["  call void @free(ptr %handle)", "  br label %done", "done:", "  ret void", "}"]
    made += [
        f"define void @{library.name}_seed(ptr %handle, i64 %key) {{",
        f"  %state = getelementptr i8, ptr %handle, i64 {state}",
        f"  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 {8 * (1 + streams)}, i1 false)",
        "  store i64 %key, ptr %state",
        "  ret void",
        "}",
    ]
    return "\n".join(made)


def _calling(name: str, function: lib.Function, first: int, is_chosen: bool) -> str:
    """The function that tries its cases in turn, the first of which has a number; where one target of several is
    chosen, if there is one."""
    last = first + len(function.cases)
    wanted = f"the arguments must be {', '.join(function.wanted)}, with elements in order"
    lines = [_text(f"{function.name}.unfit", wanted)]
    lines += [f"define i32 @{name}_{function.name}(ptr %handle, ptr %in, ptr %out) {{"]
    if is_chosen:
        lines += ["  %variant = load i32, ptr @variant", "  %nowhere = icmp slt i32 %variant, 0"]
        lines += [f"  br i1 %nowhere, label %elsewhere, label %case{first}", "elsewhere:", *_told("machine")]
        lines.append(f"  ret i32 {lib.MACHINE}")
    else:
        lines.append(f"  br label %case{first}")
    for k in range(first, last):
        lines += [
            f"case{k}:",
            f"  %status{k} = call i32 @try{k}(ptr %handle, ptr %in, ptr %out)",
            f"  %unfit{k} = icmp eq i32 %status{k}, {lib.UNFIT}",
            f"  br i1 %unfit{k}, label %case{k + 1}, label %done{k}",
            f"done{k}:",
            f"  ret i32 %status{k}",
        ]
    return "\n".join([*lines, f"case{last}:", *_told(f"{function.name}.unfit"), f"  ret i32 {lib.UNFIT}", "}"])


def _text(name: str, text: str) -> str:
    """The definition of a text of the library's own, as `snprintf` is given it."""
    escaped = "".join(f"\\{byte:02X}" for byte in text.encode())
    return f'@text.{name} = internal constant [{len(text.encode()) + 1} x i8] c"{escaped}\\00"'


def _told(name: str) -> list[str]:
    """Write a text into the handle."""
    call = f"@snprintf(ptr %handle, i64 {_TEXT_BYTES}, ptr @text.string, ptr @text.{name})"
    return [f"  call i32 (ptr, i64, ptr, ...) {call}"]


# --- errors -------------------------------------------------------------------------------------------


def _explaining(case: int, program: Program) -> str:
    """The function that writes what a context says was raised into a handle."""
    texts: list[str] = []
    blocks: list[str] = []
    switch: list[str] = []
    told = [(context.MEMORY_ERROR, "MemoryError: not enough memory"), (context.INTERNAL_ERROR, "a stack was empty")]
    told += [(k, _template(site)) for k, site in enumerate(program.sites)]
    calls = {s.site for f in program.functions.values() for s in statements(f.body) if isinstance(s, Host)}
    for site, template in told:
        form, order = _printed(template)
        if site in calls:
            form = f"%s{form.removeprefix(_ANY)}"
        label = f"site{site}".replace("-", "m")
        escaped = "".join(f"\\{byte:02X}" for byte in form.encode()) + "\\00"
        texts.append(f'@text{case}.{label} = internal constant [{len(form.encode()) + 1} x i8] c"{escaped}"')
        given = ", ptr %raised" if site in calls else "".join(f", ptr %number{k}" for k in order)
        blocks += [
            f"{label}:",
            f"  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %handle, i64 {_TEXT_BYTES}, "
            f"ptr @text{case}.{label}{given})",
            "  br label %done",
        ]
        switch.append(f"    i64 {site}, label %{label}")
    lines = [f"define internal void @explain{case}(ptr %handle, ptr %ctx) {{", "entry:"]
    for k in range(_VALUES):
        lines.append(f"  %number{k} = alloca [{_NUMBER_BYTES} x i8]")
    lines += [
        f"  %kinds.at = getelementptr i8, ptr %ctx, i64 {context.KINDS}",
        "  %kinds = load i64, ptr %kinds.at",
        "  br label %value0",
    ]
    for k in range(_VALUES):
        lines += [
            f"value{k}:",
            f"  %shifted{k} = lshr i64 %kinds, {2 * k}",
            f"  %kind{k} = and i64 %shifted{k}, 3",
            f"  %value{k}.at = getelementptr i8, ptr %ctx, i64 {context.VALUES + 8 * k}",
            f"  %float{k} = icmp eq i64 %kind{k}, {context.KIND_FLOAT}",
            f"  br i1 %float{k}, label %as.float{k}, label %as.int{k}",
            f"as.float{k}:",
            f"  %f{k} = load double, ptr %value{k}.at",
            f"  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %number{k}, i64 {_NUMBER_BYTES}, ptr @number.float, "
            f"double %f{k})",
            f"  br label %value{k + 1}",
            f"as.int{k}:",
            f"  %i{k} = load i64, ptr %value{k}.at",
            f"  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %number{k}, i64 {_NUMBER_BYTES}, ptr @number.int, "
            f"i64 %i{k})",
            f"  br label %value{k + 1}",
        ]
    lines += [
        f"value{_VALUES}:",
        f"  %trace.at = getelementptr i8, ptr %ctx, i64 {context.TRACE}",
        "  %trace = load ptr, ptr %trace.at",
        "  call void @free(ptr %trace)",
        f"  %handled.at = getelementptr i8, ptr %ctx, i64 {context.HANDLED}",
        "  %first = load ptr, ptr %handled.at",
        "  br label %area",
        "area:",
        f"  %area.now = phi ptr [ %first, %value{_VALUES} ], [ %area.next, %drop ]",
        "  %no.area = icmp eq ptr %area.now, null",
        "  br i1 %no.area, label %tell, label %drop",
        "drop:",
        f"  %next.at = getelementptr i8, ptr %area.now, i64 {context.AREA_HANDLED}",
        "  %area.next = load ptr, ptr %next.at",
        f"  %area.trace.at = getelementptr i8, ptr %area.now, i64 {context.AREA_TRACE}",
        "  %area.trace = load ptr, ptr %area.trace.at",
        "  call void @free(ptr %area.trace)",
        "  call void @free(ptr %area.now)",
        "  br label %area",
        "tell:",
        f"  %raised.at = getelementptr i8, ptr %ctx, i64 {context.EXCEPTION}",
        "  %known = load ptr, ptr %raised.at",
        "  %unknown = icmp eq ptr %known, null",
        "  %raised = select i1 %unknown, ptr @raised.any, ptr %known",
        f"  %site.at = getelementptr i8, ptr %ctx, i64 {context.SITE}",
        "  %site = load i64, ptr %site.at",
        "  switch i64 %site, label %done [",
        *switch,
        "  ]",
    ]
    return "\n".join([*texts, *lines, *blocks, "done:", "  ret void", "}"])


def _template(site: ErrorSite) -> str:
    """What a site raises, and where the user wrote it."""
    raised: Any = site.exception
    name = raised if isinstance(raised, str) else getattr(getattr(raised, "kind", raised), "__name__", "an exception")
    parts = [name, *([site.message] if site.message else [])]
    return f"{': '.join(parts)} ({site.span.file}, line {site.span.line})"


_FIELD: Final = re.compile(r"\{\{|\}\}|\{(\d)[^{}]*\}")


def _printed(template: str) -> tuple[str, list[int]]:
    """A template as `snprintf` has it, and the numbers of its values in their order."""
    order: list[int] = []

    def put(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        order.append(int(match[1]))
        return "%s"

    return _FIELD.sub(put, template.replace("%", "%%")), order


# --- cases ----------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Case:
    """The function `i32 @try<number>(ptr handle, ptr in, ptr out)` of a case, in the making."""

    number: int
    case: lib.Case
    library: lib.Library
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def text(self) -> str:
        """The function's text."""
        program = self.case.program
        for k, argument in enumerate(self.case.arguments):
            self._check(k, argument)
        for source in self.case.inputs:
            if isinstance(source, lib.FromArgument) and source.contiguous:
                self._check_order(source.index)
        self._check_memory()
        self.lines.append(f"  call void @llvm.memset.p0.i64(ptr %ctx, i8 0, i64 {context.SIZE}, i1 false)")
        self._store("ptr", "%handle", "%ctx", HANDLE)
        word = 0
        for source in self.case.inputs:
            word = self._pass(source, word)
        failed, done = self._label(), self._label()
        status = self._new(f"call i32 @{entry_of(self.number)}(ptr %ctx, ptr %words, ptr %results)")
        self.lines += [f"  %failed = icmp ne i32 {status}, 0", f"  br i1 %failed, label %{failed}, label %{done}"]
        self.lines += [f"{done}:"]
        for k, output in enumerate(self.case.outputs):
            self._give(k, output)
        self.lines += [
            f"  ret i32 {lib.OK}",
            f"{failed}:",
            f"  call void @explain{self.number}(ptr %handle, ptr %ctx)",
            f"  ret i32 {lib.FAILED}",
            "unfit:",
            f"  ret i32 {lib.UNFIT}",
            "overlap:",
            *_told("overlap"),
            f"  ret i32 {lib.OVERLAP}",
            "}",
        ]
        head = [
            f"define internal i32 @try{self.number}(ptr %handle, ptr %in, ptr %out) {{",
            f"  %words = alloca [{max(program.in_words, 1)} x i64], align 16",
            f"  %results = alloca [{max(program.out_words, 1)} x i64], align 16",
            f"  %ctx = alloca [{HANDLE + 8} x i8], align 16",
        ]
        return "\n".join(head + self.lines)

    def _new(self, instruction: str) -> str:
        self.count += 1
        self.lines.append(f"  %t{self.count} = {instruction}")
        return f"%t{self.count}"

    def _label(self) -> str:
        self.count += 1
        return f"l{self.count}"

    def _load(self, type_: str, base: str, offset: int) -> str:
        return self._new(f"load {type_}, ptr {self._new(f'getelementptr i8, ptr {base}, i64 {offset}')}")

    def _store(self, type_: str, value: str, base: str, offset: int) -> None:
        self.lines.append(f"  store {type_} {value}, ptr {self._new(f'getelementptr i8, ptr {base}, i64 {offset}')}")

    def _require(self, condition: str) -> None:
        """Go on only if a condition holds."""
        following = self._label()
        self.lines += [f"  br i1 {condition}, label %{following}, label %unfit", f"{following}:"]

    def _check(self, k: int, argument: lib.Argument) -> None:
        """Whether an argument is one that the case is for."""
        base = k * lib.VALUE_BYTES
        self._require(self._new(f"icmp eq i32 {self._load('i32', '%in', base + lib.KIND)}, {argument.kind}"))
        if argument.kind != lib.ARRAY:
            return
        assert argument.dtype is not None
        code = lib.DTYPE_CODES[argument.dtype]
        self._require(self._new(f"icmp eq i32 {self._load('i32', '%in', base + lib.DTYPE)}, {code}"))
        rank = len(argument.shape)
        self._require(self._new(f"icmp eq i32 {self._load('i32', '%in', base + lib.RANK)}, {rank}"))
        for axis, extent in enumerate(argument.shape):
            have = self._load("i64", "%in", base + lib.SHAPE + 8 * axis)
            if extent is None:
                self._require(self._new(f"icmp ne i64 {have}, 1"))
                self._require(self._new(f"icmp sge i64 {have}, 0"))
            else:
                self._require(self._new(f"icmp eq i64 {have}, {extent}"))

    def _check_order(self, k: int) -> None:
        """Whether an array's elements lie in order."""
        argument, base = self.case.arguments[k], k * lib.VALUE_BYTES
        assert argument.dtype is not None
        size = str(argument.dtype.itemsize)
        for axis in reversed(range(len(argument.shape))):
            extent = self._load("i64", "%in", base + lib.SHAPE + 8 * axis)
            stride = self._load("i64", "%in", base + lib.STRIDES + 8 * axis)
            fits = self._new(f"icmp eq i64 {stride}, {size}")
            few = self._new(f"icmp sle i64 {extent}, 1")
            self._require(self._new(f"or i1 {fits}, {few}"))
            size = self._new(f"mul i64 {size}, {extent}")

    def _check_memory(self) -> None:
        """Whether arguments that are written to share memory with no other."""
        arrays = [s for s in self.case.inputs if isinstance(s, lib.FromArgument)]
        arrays = [s for s in arrays if self.case.arguments[s.index].kind == lib.ARRAY]
        spans = {s.index: self._span(s.index) for s in arrays} if any(s.written for s in arrays) else {}
        checked: set[frozenset[int]] = set()
        for a in arrays:
            for b in arrays:
                pair = frozenset([a.index, b.index])
                if a.written and len(pair) == 2 and pair not in checked:
                    checked.add(pair)
                    (low, high), (low_b, high_b) = spans[a.index], spans[b.index]
                    before = self._new(f"icmp ule i64 {high}, {low_b}")
                    behind = self._new(f"icmp ule i64 {high_b}, {low}")
                    apart = self._new(f"or i1 {before}, {behind}")
                    following = self._label()
                    self.lines += [f"  br i1 {apart}, label %{following}, label %overlap", f"{following}:"]

    def _span(self, k: int) -> tuple[str, str]:
        """Where the memory of an array begins and ends; both are 0 if it has no elements."""
        argument, base = self.case.arguments[k], k * lib.VALUE_BYTES
        assert argument.dtype is not None
        low = self._load("i64", "%in", base + lib.PAYLOAD)
        high = self._new(f"add i64 {low}, {argument.dtype.itemsize}")
        empty = "false"
        for axis in range(len(argument.shape)):
            extent = self._load("i64", "%in", base + lib.SHAPE + 8 * axis)
            stride = self._load("i64", "%in", base + lib.STRIDES + 8 * axis)
            reach = self._new(f"mul i64 {self._new(f'sub i64 {extent}, 1')}, {stride}")
            back = self._new(f"icmp slt i64 {reach}, 0")
            low = self._new(f"add i64 {low}, {self._new(f'select i1 {back}, i64 {reach}, i64 0')}")
            high = self._new(f"add i64 {high}, {self._new(f'select i1 {back}, i64 0, i64 {reach}')}")
            empty = self._new(f"or i1 {empty}, {self._new(f'icmp eq i64 {extent}, 0')}")
        return self._new(f"select i1 {empty}, i64 0, i64 {low}"), self._new(f"select i1 {empty}, i64 0, i64 {high}")

    def _pass(self, source: lib.Source, word: int) -> int:
        """Put an input into words from `word` on; the first word after them."""
        if isinstance(source, lib.FromNumber):
            self._store("i64", str(source.word), "%words", 8 * word)
            return word + 1
        if isinstance(source, lib.FromConstant):
            return self._pass_constant(source.index, word)
        argument, base = self.case.arguments[source.index], source.index * lib.VALUE_BYTES
        payload = self._load("i64", "%in", base + lib.PAYLOAD)
        if argument.kind == lib.BOOL:
            payload = self._new(f"and i64 {payload}, 1")
        self._store("i64", payload, "%words", 8 * word)
        if argument.kind != lib.ARRAY:
            return word + 1
        rank = len(argument.shape)
        self._store("i64", "1", "%words", 8 * (word + 1))  # the memory is somebody else's
        for axis in range(rank):
            for field_, place in ((lib.SHAPE, word + 2 + axis), (lib.STRIDES, word + 2 + rank + axis)):
                self._store("i64", self._load("i64", "%in", base + field_ + 8 * axis), "%words", 8 * place)
        return word + 2 + 2 * rank

    def _pass_constant(self, index: int, word: int) -> int:
        array = self.library.constants[index]
        if index in self.library.changing:
            slot = sorted(self.library.changing).index(index)
            address = self._load("ptr", "%handle", _TEXT_BYTES + 8 * slot)
        else:
            address = f"@constant{index}"
        self._store("ptr", address, "%words", 8 * word)
        self._store("i64", "0", "%words", 8 * (word + 1))  # it never dies
        stride = array.dtype.itemsize
        for axis in reversed(range(array.ndim)):
            self._store("i64", str(array.shape[axis]), "%words", 8 * (word + 2 + axis))
            self._store("i64", str(stride), "%words", 8 * (word + 2 + array.ndim + axis))
            stride *= array.shape[axis]
        return word + 2 + 2 * array.ndim

    def _give(self, k: int, output: lib.Outcome) -> None:
        """Put a result into the k-th value."""
        base = k * lib.VALUE_BYTES
        if isinstance(output, lib.Same):
            value = self._new(f"getelementptr i8, ptr %out, i64 {base}")
            given = self._new(f"getelementptr i8, ptr %in, i64 {output.argument * lib.VALUE_BYTES}")
            self.lines.append(
                f"  call void @llvm.memcpy.p0.p0.i64(ptr {value}, ptr {given}, i64 {lib.VALUE_BYTES}, i1 false)"
            )
            self._store("i64", "0", "%out", base + lib.OWNER)
            return
        if isinstance(output, lib.Known):
            for value, offset in ((output.kind, lib.KIND), (0, lib.DTYPE), (0, lib.RANK)):
                self._store("i32", str(value), "%out", base + offset)
            self._store("i64", str(output.word), "%out", base + lib.PAYLOAD)
            self._store("i64", "0", "%out", base + lib.OWNER)
            return
        code = 0 if output.dtype is None else lib.DTYPE_CODES[output.dtype]
        for value, offset in ((output.kind, lib.KIND), (code, lib.DTYPE), (output.rank, lib.RANK)):
            self._store("i32", str(value), "%out", base + offset)
        self._store("i64", self._load("i64", "%results", 8 * output.word), "%out", base + lib.PAYLOAD)
        if output.kind != lib.ARRAY:
            self._store("i64", "0", "%out", base + lib.OWNER)
            return
        self._store("i64", self._load("i64", "%results", 8 * (output.word + 1)), "%out", base + lib.OWNER)
        for axis in range(output.rank):
            places = (output.word + 2 + axis, output.word + 2 + output.rank + axis)
            for field_, place in zip((lib.SHAPE, lib.STRIDES), places, strict=True):
                self._store("i64", self._load("i64", "%results", 8 * place), "%out", base + field_ + 8 * axis)


def names_of(library: lib.Library) -> Iterator[str]:
    """The names that C sees."""
    functions = (f"{f.name}{kind}" for f in library.functions for kind in ("", "_into"))
    return (f"{library.name}_{what}" for what in (*lib.OWN_FUNCTIONS, *functions))
