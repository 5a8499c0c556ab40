"""Kernels that differ in their extents alone share a function, and compute what they did."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from kernel_runner import Compiled

from jitcore.backends.llvm.kernels.lowering import lower_kernel
from jitcore.backends.llvm.program.merging import merge
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.kernel.build import ArrayLayout, KernelBuilder
from jitcore.kernel.nodes import Kernel
from jitcore.types import f32

RNG = np.random.default_rng(3)
SHAPES = ((70, 300), (90, 500), (64, 1100), (33, 700))


def _scaled_sums(name: str, shape: tuple[int, int], scale: float = 2.0) -> Kernel:
    """out[i] = sum over j of scale * x[i, j]."""
    k = KernelBuilder(name, {"x": ArrayLayout.contiguous(f32, shape), "out": ArrayLayout.contiguous(f32, shape[:1])})
    row, column = k.axis(shape[0]), k.axis(shape[1], reduce=True)
    value = k("mul", f32, k.load("x", (row, column)), k.const(f32, scale))
    k.store("out", (row,), k.reduce("sum", value))
    return k.finish()[0]


def _merged(kernels: Sequence[Kernel]) -> tuple[LLVMModule, list[str], set[str]]:
    module = LLVMModule()
    for kernel in kernels:
        lower_kernel(kernel, engine.host(), module)
    return module, *merge(module, [name for name in module.functions() if name.endswith(".piece")])


def test_kernels_of_other_extents_are_one() -> None:
    kernels = [_scaled_sums(f"sums.{k}", shape) for k, shape in enumerate(SHAPES)]
    module, works, callers = _merged(kernels)
    assert works == ["sums.0.piece.of.any.numbers"]
    assert callers == {f"sums.{k}.piece" for k in range(len(SHAPES))}
    loaded = engine.load_object(engine.compile_object(module.text()), [k.name for k in kernels], runtime.symbols())
    for kernel, shape in zip(kernels, SHAPES, strict=True):
        x = RNG.normal(size=shape).astype("f4")
        alone, shared = np.zeros(shape[0], "f4"), np.zeros(shape[0], "f4")
        Compiled(kernel)({"x": x.ravel(), "out": alone})
        call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.addresses[kernel.name])
        call(x.ctypes.data, shared.ctypes.data)
        np.testing.assert_array_equal(shared, alone)


def test_kernels_of_other_constants_are_not() -> None:
    scales = (2.0, 3.0, -0.0, 0.0)
    kernels = [_scaled_sums(f"sums.{k}", (70, 300), scale) for k, scale in enumerate(scales)]
    _, works, callers = _merged(kernels)
    assert len(works) == len(scales)
    assert not callers


def _function(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"define void @{name}(ptr noalias %a, i64 %i) nounwind {{", "entry:", *lines, "  ret void", "}"])


def _of(name: str, number: int, tail: str = "") -> str:
    """A long function with a number."""
    lines = [f"  %v{k} = add nsw i64 %i, {number}" for k in range(60)]
    return _function(name, [*lines, *([tail] if tail else [])])


def test_only_numbers_of_operands_are_given() -> None:
    tails = {
        "of slots": ("  %s = alloca [4 x i64], align 64", "  %s = alloca [5 x i64], align 64"),
        "of vectors": ("  %w = add <2 x i64> <i64 0, i64 1>, <i64 4, i64 4>", "  %w = add <2 x i64> <i64 0, i64 1>, <i64 5, i64 5>"),
        "of lanes": ("  %w = extractvalue { i64, i64 } poison, 0", "  %w = extractvalue { i64, i64 } poison, 1"),
        "of shifts": ("  %w = ashr i32 7, 1", "  %w = ashr i32 7, 2"),
    }  # fmt: skip
    for one, other in tails.values():
        module = LLVMModule()
        module.define("one", _of("one", 4, one))
        module.define("other", _of("other", 5, other))
        assert merge(module, ["one", "other"]) == (["one", "other"], set())
    module = LLVMModule()
    module.define("one", _of("one", 4, tails["of slots"][0]))
    module.define("other", _of("other", 5, tails["of slots"][0]))
    assert merge(module, ["one", "other"]) == (["one.of.any.numbers"], {"one", "other"})
    assert 'call void @"one.of.any.numbers"(ptr %a, i64 %i, i64 5)' in module.definition("other")
    assert engine.compile_object(module.text())
