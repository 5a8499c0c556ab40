"""Which of several targets' code runs, as LLVM text: the last that the processor has, or the one that JITCORE_TARGET
names. Code that asks is for any x86-64.

The levels are those of the x86-64 psABI; of AVX and AVX-512 the system, too, must save the registers (XCR0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jitcore.program import libraries as lib

VARIABLE: Final = "JITCORE_TARGET"
_V2: Final = {"ecx1": 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23, "ecx81": 1 << 0}
"""SSE3, SSSE3, CMPXCHG16B, SSE 4.1, SSE 4.2, POPCNT; LAHF."""
_V3: Final = {
    "ecx1": _V2["ecx1"] | 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29,
    "ecx81": _V2["ecx81"] | 1 << 5,
    "ebx7": 1 << 3 | 1 << 5 | 1 << 8,
    "xcr0": 0b110,
}
"""FMA, MOVBE, OSXSAVE, AVX, F16C; LZCNT; BMI1, AVX2, BMI2; the registers of AVX."""
_V4: Final = {
    **_V3,
    "ebx7": _V3["ebx7"] | 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 | 1 << 31,
    "xcr0": 0b11100110,
}
"""AVX512F, DQ, CD, BW, VL; their registers."""
LEVELS: Final[Mapping[str, Mapping[str, int]]] = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}
"""The bits that each level's machines have, the lower levels first."""


def variant_of(number: int, name: str) -> str:
    """What the code of the number-th target is called that others have, too."""
    return f"variant{number}.{name}"


def dispatching_text(names: Sequence[str], entries: Sequence[str]) -> str:
    """The text of `@variant`, the number of the target that runs (-1: there is none), `void @choose()`, which sets it,
    and entries that call those of the target."""
    lines = [
        _DETECTING,
        *(f'@name.{k} = internal constant [{len(n) + 1} x i8] c"{n}\\00"' for k, n in enumerate(names)),
    ]
    lines += ["define internal void @choose() {", "entry:", "  %forced = call ptr @getenv(ptr @variable)"]
    lines += ["  %free = icmp eq ptr %forced, null", "  call void @detect()"]
    lines += [f"  %{what} = load i32, ptr @cpu.{what}" for what in _V4]
    lines += ["  store i32 -1, ptr @variant", "  br label %try0"]
    for k, name in enumerate(names):
        lines += [f"try{k}:", f"  %m{k} = phi i1 [ true, %{'entry' if k == 0 else f'next{k - 1}'} ]"]
        has = f"%m{k}"
        for what, bits in LEVELS[name].items():
            lines += [
                f"  %{what}.have{k} = and i32 %{what}, {_signed(bits)}",
                f"  %{what}.is{k} = icmp eq i32 %{what}.have{k}, {_signed(bits)}",
                f"  %{what}.all{k} = and i1 {has}, %{what}.is{k}",
            ]
            has = f"%{what}.all{k}"
        lines += [
            f"  br i1 {has}, label %asked{k}, label %next{k}",
            f"asked{k}:",
            f"  br i1 %free, label %take{k}, label %compare{k}",
            f"compare{k}:",
            f"  %order{k} = call i32 @strcmp(ptr %forced, ptr @name.{k})",
            f"  %same{k} = icmp eq i32 %order{k}, 0",
            f"  br i1 %same{k}, label %take{k}, label %next{k}",
            f"take{k}:",
            f"  store i32 {k}, ptr @variant",
            f"  br label %next{k}",
            f"next{k}:",
            f"  br label %{f'try{k + 1}' if k + 1 < len(names) else 'done'}",
        ]
    lines += ["done:", "  ret void", "}"]
    for entry in entries:
        arguments = "(ptr %ctx, ptr %words, ptr %results)"
        lines += [f"declare i32 @{variant_of(k, entry)}(ptr, ptr, ptr)" for k in range(len(names))]
        lines += [f"define internal i32 @{entry}{arguments} {{", *_switch(len(names), f"ret i32 {lib.FAILED}")]
        for k in range(len(names)):
            call = f"  %status{k} = tail call i32 @{variant_of(k, entry)}{arguments}"
            lines += [f"variant{k}:", call, f"  ret i32 %status{k}"]
        lines.append("}")
    return "\n".join(lines)


def _switch(count: int, otherwise: str) -> list[str]:
    """Go to the block of the target that runs."""
    cases = " ".join(f"i32 {k}, label %variant{k}" for k in range(count))
    lines = ["  %variant = load i32, ptr @variant", f"  switch i32 %variant, label %none [ {cases} ]"]
    return [*lines, "none:", f"  {otherwise}"]


def beginning(count: int) -> str:
    """The text of `void @begin_variant()`, which calls `@<variant>.begin`."""
    lines = ["define internal void @begin_variant() {", "  call void @choose()", *_switch(count, "ret void")]
    for k in range(count):
        lines += [f"variant{k}:", f"  call void @{variant_of(k, 'begin')}()", "  ret void"]
    return "\n".join([*lines, "}"])


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >= 1 << 31 else bits


_CPUID: Final = 'call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"'
_DETECTING: Final = f"""
@variable = internal constant [{len(VARIABLE) + 1} x i8] c"{VARIABLE}\\00"
@variant = internal global i32 -1
@cpu.ecx1 = internal global i32 0
@cpu.ecx81 = internal global i32 0
@cpu.ebx7 = internal global i32 0
@cpu.xcr0 = internal global i32 0
declare ptr @getenv(ptr)
declare i32 @strcmp(ptr, ptr)

; What the processor says of itself, and which registers the system saves.
define internal void @detect() {{
entry:
  %first = {_CPUID}(i32 1, i32 0)
  %ecx1 = extractvalue {{ i32, i32, i32, i32 }} %first, 2
  store i32 %ecx1, ptr @cpu.ecx1
  %leaves = {_CPUID}(i32 0, i32 0)
  %last = extractvalue {{ i32, i32, i32, i32 }} %leaves, 0
  %has.seven = icmp uge i32 %last, 7
  br i1 %has.seven, label %seven, label %extended
seven:
  %seventh = {_CPUID}(i32 7, i32 0)
  %ebx7 = extractvalue {{ i32, i32, i32, i32 }} %seventh, 1
  store i32 %ebx7, ptr @cpu.ebx7
  br label %extended
extended:
  %more = {_CPUID}(i32 {_signed(0x80000000)}, i32 0)
  %last.more = extractvalue {{ i32, i32, i32, i32 }} %more, 0
  %has.more = icmp uge i32 %last.more, {_signed(0x80000001)}
  br i1 %has.more, label %one, label %saved
one:
  %other = {_CPUID}(i32 {_signed(0x80000001)}, i32 0)
  %ecx81 = extractvalue {{ i32, i32, i32, i32 }} %other, 2
  store i32 %ecx81, ptr @cpu.ecx81
  br label %saved
saved:
  %osxsave = and i32 %ecx1, {1 << 27}
  %unsaved = icmp eq i32 %osxsave, 0
  br i1 %unsaved, label %done, label %ask
ask:
  %state = call {{ i32, i32 }} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %xcr0 = extractvalue {{ i32, i32 }} %state, 0
  store i32 %xcr0, ptr @cpu.xcr0
  br label %done
done:
  ret void
}}
"""
