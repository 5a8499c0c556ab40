"""Results in the caller's memory, as LLVM text: `i32 NAME_call_into(handle, in, out)` calls `NAME_call`, copies each
result into the memory of the value that it is given for it, and gives its own memory back."""

from __future__ import annotations

from typing import Final

from jitcore.program import libraries as lib

_UNFIT_TEXT: Final = "outputs[%lld] is not for a result of this dtype and shape"


def filling_text(name: str, function: lib.Function) -> str:
    """The text of `<NAME>_<function>_into`, which needs `COPYING`."""
    outputs = len(function.cases[0].outputs)
    replaced = {"NAME": f"{name}_{function.name}", "LIBRARY": name, "OUTPUTS": str(outputs)}
    text = _CALL
    for what, value in {**replaced, "BYTES": str(max(outputs, 1) * lib.VALUE_BYTES)}.items():
        text = text.replace(f"${what}$", value)
    return text


_CALL: Final = f"""
define i32 @$NAME$_into(ptr %handle, ptr %in, ptr %out) {{
entry:
  %own = alloca [$BYTES$ x i8], align 16
  %status = call i32 @$NAME$(ptr %handle, ptr %in, ptr %own)
  %good = icmp eq i32 %status, {lib.OK}
  br i1 %good, label %check, label %failed
failed:
  ret i32 %status
check:
  %k = phi i64 [ 0, %entry ], [ %k.next, %compare ]
  %unchecked = icmp slt i64 %k, $OUTPUTS$
  br i1 %unchecked, label %compare, label %copy
compare:
  %k.offset = mul i64 %k, {lib.VALUE_BYTES}
  %made = getelementptr i8, ptr %own, i64 %k.offset
  %given = getelementptr i8, ptr %out, i64 %k.offset
  %k.next = add i64 %k, 1
  %fit = call i1 @fits(ptr %made, ptr %given)
  br i1 %fit, label %check, label %unfit
unfit:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %handle, i64 256, ptr @text.output, i64 %k)
  br label %copy
copy:
  %all = phi i1 [ true, %check ], [ false, %unfit ], [ %all, %copied ]
  %i = phi i64 [ 0, %check ], [ 0, %unfit ], [ %i.next, %copied ]
  %more = icmp slt i64 %i, $OUTPUTS$
  br i1 %more, label %one, label %done
one:
  %offset = mul i64 %i, {lib.VALUE_BYTES}
  %from = getelementptr i8, ptr %own, i64 %offset
  %to = getelementptr i8, ptr %out, i64 %offset
  %i.next = add i64 %i, 1
  br i1 %all, label %give, label %copied
give:
  call void @fill(ptr %from, ptr %to)
  br label %copied
copied:
  call void @$LIBRARY$_free(ptr %from)
  br label %copy
done:
  %answer = select i1 %all, i32 {lib.OK}, i32 {lib.UNFIT}
  ret i32 %answer
}}
"""

_SIZES: Final = ", ".join(f"i64 {size}" for size in (0, *(d.itemsize for d in lib.DTYPE_CODES)))
COPYING: Final = f"""
@item.sizes = internal constant [{len(lib.DTYPE_CODES) + 1} x i64] [{_SIZES}]
@text.output = internal constant [{len(_UNFIT_TEXT) + 1} x i8] c"{_UNFIT_TEXT}\\00"
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

; Whether a value is one that another may be copied to: a number always is, an array if it has the dtype and shape.
define internal i1 @fits(ptr %from, ptr %to) {{
entry:
  %kind = load i32, ptr %from
  %array = icmp eq i32 %kind, {lib.ARRAY}
  br i1 %array, label %compare, label %yes
compare:
  ; kind, dtype and rank are the first twelve bytes
  %first = load i64, ptr %from
  %first.to = load i64, ptr %to
  %same = icmp eq i64 %first, %first.to
  %rank.at = getelementptr i8, ptr %from, i64 {lib.RANK}
  %rank.to.at = getelementptr i8, ptr %to, i64 {lib.RANK}
  %rank = load i32, ptr %rank.at
  %rank.to = load i32, ptr %rank.to.at
  %same.rank = icmp eq i32 %rank, %rank.to
  %alike = and i1 %same, %same.rank
  br i1 %alike, label %axis, label %no
axis:
  %k = phi i32 [ 0, %compare ], [ %k.next, %extent ]
  %more = icmp slt i32 %k, %rank
  br i1 %more, label %extent, label %yes
extent:
  %wide = sext i32 %k to i64
  %offset = mul i64 %wide, 8
  %place = add i64 %offset, {lib.SHAPE}
  %have.at = getelementptr i8, ptr %from, i64 %place
  %want.at = getelementptr i8, ptr %to, i64 %place
  %have = load i64, ptr %have.at
  %want = load i64, ptr %want.at
  %k.next = add i32 %k, 1
  %equal = icmp eq i64 %have, %want
  br i1 %equal, label %axis, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

; Copy a value to one that fits.
define internal void @fill(ptr %from, ptr %to) {{
entry:
  %kind = load i32, ptr %from
  %array = icmp eq i32 %kind, {lib.ARRAY}
  br i1 %array, label %elements, label %number
number:
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 {lib.SHAPE}, i1 false)
  ret void
elements:
  %dtype.at = getelementptr i8, ptr %from, i64 {lib.DTYPE}
  %dtype = load i32, ptr %dtype.at
  %code = sext i32 %dtype to i64
  %size.at = getelementptr i64, ptr @item.sizes, i64 %code
  %size = load i64, ptr %size.at
  %rank.at = getelementptr i8, ptr %from, i64 {lib.RANK}
  %rank = load i32, ptr %rank.at
  %last = sext i32 %rank to i64
  br label %look
look: ; how many of the last axes lie in order in both
  %axis = phi i64 [ %last, %elements ], [ %before, %joined ]
  %bytes = phi i64 [ %size, %elements ], [ %bytes.next, %joined ]
  %some = icmp sgt i64 %axis, 0
  br i1 %some, label %inner, label %copy
inner:
  %before = sub i64 %axis, 1
  %offset = mul i64 %before, 8
  %shape.place = add i64 %offset, {lib.SHAPE}
  %stride.place = add i64 %offset, {lib.STRIDES}
  %extent.at = getelementptr i8, ptr %from, i64 %shape.place
  %extent = load i64, ptr %extent.at
  %stride.at = getelementptr i8, ptr %from, i64 %stride.place
  %stride = load i64, ptr %stride.at
  %stride.to.at = getelementptr i8, ptr %to, i64 %stride.place
  %stride.to = load i64, ptr %stride.to.at
  %one = icmp eq i64 %stride, %bytes
  %other = icmp eq i64 %stride.to, %bytes
  %both = and i1 %one, %other
  br i1 %both, label %joined, label %copy
joined:
  %bytes.next = mul i64 %bytes, %extent
  br label %look
copy:
  %data.at = getelementptr i8, ptr %from, i64 {lib.PAYLOAD}
  %data = load ptr, ptr %data.at
  %data.to.at = getelementptr i8, ptr %to, i64 {lib.PAYLOAD}
  %data.to = load ptr, ptr %data.to.at
  call void @copy_axes(ptr %from, ptr %to, i64 0, i64 %axis, i64 %bytes, ptr %data, ptr %data.to)
  %owner.at = getelementptr i8, ptr %to, i64 {lib.OWNER}
  store i64 0, ptr %owner.at
  ret void
}}

; Copy what lies from an axis on, in runs of so many bytes for each place along the axes before `%last`.
define internal void @copy_axes(ptr %from, ptr %to, i64 %axis, i64 %last, i64 %bytes, ptr %source, ptr %target) {{
entry:
  %whole = icmp eq i64 %axis, %last
  br i1 %whole, label %run, label %walk
run:
  call void @llvm.memmove.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 false)
  ret void
walk:
  %offset = mul i64 %axis, 8
  %shape.place = add i64 %offset, {lib.SHAPE}
  %stride.place = add i64 %offset, {lib.STRIDES}
  %extent.at = getelementptr i8, ptr %from, i64 %shape.place
  %extent = load i64, ptr %extent.at
  %stride.at = getelementptr i8, ptr %from, i64 %stride.place
  %stride = load i64, ptr %stride.at
  %stride.to.at = getelementptr i8, ptr %to, i64 %stride.place
  %stride.to = load i64, ptr %stride.to.at
  %deeper = add i64 %axis, 1
  br label %head
head:
  %i = phi i64 [ 0, %walk ], [ %i.next, %one ]
  %at = phi ptr [ %source, %walk ], [ %at.next, %one ]
  %at.to = phi ptr [ %target, %walk ], [ %at.to.next, %one ]
  %more = icmp slt i64 %i, %extent
  br i1 %more, label %one, label %done
one:
  call void @copy_axes(ptr %from, ptr %to, i64 %deeper, i64 %last, i64 %bytes, ptr %at, ptr %at.to)
  %i.next = add i64 %i, 1
  %at.next = getelementptr i8, ptr %at, i64 %stride
  %at.to.next = getelementptr i8, ptr %at.to, i64 %stride.to
  br label %head
done:
  ret void
}}
"""
