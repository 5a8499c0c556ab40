"""Programs as C functions of numbers and pointers, in LLVM: what other libraries call back."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import context
from jitcore.structs import dataclass
from jitcore.types import DType

_DOUBLE: Final = struct.Struct("=d")
POINTED: Final = 1 << 56
"""Bytes behind a pointer, as far as a program knows."""


@dataclass(frozen=True, slots=True)
class CType:
    """A C type: of numbers of a dtype, or a pointer to such."""

    dtype: DType
    is_pointer: bool = False

    @property
    def text(self) -> str:
        """The type in LLVM."""
        if self.is_pointer:
            return "ptr"
        if self.dtype.is_float:
            return "double" if self.dtype.itemsize == 8 else "float"
        return f"i{self.dtype.itemsize * 8}"

    @property
    def extended(self) -> str:
        """How a caller gets a small integer in a register."""
        if self.is_pointer or self.dtype.is_float or self.dtype.itemsize >= 4:
            return ""
        return "signext " if self.dtype.kind == "i" else "zeroext "


def callback(
    name: str,
    arguments: Sequence[CType],
    result: CType | None,
    inputs: Sequence[int | tuple[int, ...]],
    out_words: int,
    known: float | None,
    run: int,
    report: int,
) -> engine.LoadedObject:
    """The C function `name`. `inputs`: of a program's inputs in turn, which argument each is, or its words; `known`:
    the result, if it is none of the run; `report(ctx)` is called with what the program ended with: then the function
    gives NaN, or 0."""
    text = _text(name, arguments, result, inputs, out_words, known)
    code = engine.compile_object(text, engine.LOCALS)
    return engine.load_object(code, [name], {"run": run, "report": report})


def _text(
    name: str,
    arguments: Sequence[CType],
    result: CType | None,
    inputs: Sequence[int | tuple[int, ...]],
    out_words: int,
    known: float | None,
) -> str:
    lines: list[str] = []
    words: list[str] = []
    for k, one in enumerate(inputs):
        if isinstance(one, int):
            words += _words(lines, arguments[one], f"%a{one}", f"%w{k}")
        else:
            words += map(str, one)
    for k, word in enumerate(words):
        lines += [f"  %in{k} = getelementptr i64, ptr %in, i64 {k}", f"  store i64 {word}, ptr %in{k}"]
    body = "\n".join(lines)
    params = ", ".join(f"{c.text} %a{k}" for k, c in enumerate(arguments))
    returns = "void" if result is None else result.text
    extended = "" if result is None else result.extended
    given = "\n".join(_result(result, known))
    failed = "ret void" if result is None else f"ret {returns} {_nothing(result)}"
    return f"""declare i32 @run(ptr, ptr, ptr)
declare void @report(ptr)

define {extended}{returns} @{name}({params}) {{
entry:
  %ctx = alloca [{context.SIZE} x i8], align 16
  %in = alloca [{max(len(words), 1)} x i64], align 16
  %out = alloca [{max(out_words, 1)} x i64], align 16
{context.cleared()}
{body}
  %status = call i32 @run(ptr %ctx, ptr %in, ptr %out)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %done, label %failed
done:
{given}
failed:
  call void @report(ptr %ctx)
  {failed}
}}
"""


def _words(lines: list[str], type_: CType, value: str, name: str) -> list[str]:
    """The words of an argument: a pointer is an array of all that lies behind it."""
    dtype = type_.dtype
    if type_.is_pointer:
        lines.append(f"  {name} = ptrtoint ptr {value} to i64")
        return [name, "0", str(POINTED // dtype.itemsize), str(dtype.itemsize)]
    if dtype.is_float:
        wide = value
        if dtype.itemsize == 4:
            wide = f"{name}.wide"
            lines.append(f"  {wide} = fpext float {value} to double")
        lines.append(f"  {name} = bitcast double {wide} to i64")
        return [name]
    if dtype.itemsize == 8:
        return [value]
    lines.append(f"  {name} = {'sext' if dtype.kind == 'i' else 'zext'} {type_.text} {value} to i64")
    return [name]


def _result(type_: CType | None, known: float | None) -> list[str]:
    if type_ is None:
        return ["  ret void"]
    if known is not None:
        return [f"  ret {type_.text} {_literal(type_, known)}"]
    if type_.dtype.is_float:
        lines = ["  %value = load double, ptr %out"]
        if type_.dtype.itemsize == 4:
            lines.append("  %narrow = fptrunc double %value to float")
        return [*lines, f"  ret {type_.text} {'%value' if type_.dtype.itemsize == 8 else '%narrow'}"]
    if type_.dtype.itemsize == 8:
        return ["  %value = load i64, ptr %out", "  ret i64 %value"]
    return [
        "  %value = load i64, ptr %out",
        f"  %narrow = trunc i64 %value to {type_.text}",
        f"  ret {type_.text} %narrow",
    ]


def _literal(type_: CType, value: float) -> str:
    if not type_.dtype.is_float:
        return str(int(value))
    rounded = float(type_.dtype.numpy.type(value))
    return f"0x{memoryview(bytearray(_DOUBLE.pack(rounded))).cast('Q')[0]:016X}"


def _nothing(type_: CType) -> str:
    return _literal(type_, float("nan") if type_.dtype.is_float else 0)
