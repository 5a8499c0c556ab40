"""What CPython's own float functions compute: the C library called for each number, bit for bit."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.host.support import MATH_FUNCTIONS
from jitcore.backends.native.ir.vectors import Code, Vec
from jitcore.source import InternalError
from jitcore.types import DType, f64

PREFIX: Final = "libm."


def libm(code: Code, op: str, dtype: DType, *args: Vec) -> Vec:
    """`op(args…)` for an operation of `kernel.scalar.OPS` whose name begins with `libm.`"""
    if dtype is not f64:
        raise InternalError(f"{op} is of f64, not {dtype}")
    name = op.removeprefix(PREFIX)
    if name in MATH_FUNCTIONS:
        code.module.declare("declare double @jc_math(i64, double)")
        return code.emit("double", 1, f"call double @jc_math(i64 {MATH_FUNCTIONS.index(name)}, {args[0].typed})")
    code.module.declare(f"declare double @{name}({', '.join(a.type for a in args)})")
    given = ", ".join(a.typed for a in args)
    # nobuiltin: LLVM must neither fold nor rewrite it (`pow(x, 2)` as `x * x` has other bits)
    return code.emit("double", 1, f"call double @{name}({given}) nobuiltin nounwind memory(none)")
