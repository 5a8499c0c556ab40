"""The primitives' kernel templates compute what their references do, on known and on symbolic extents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from grouped import grouped

from jitcore.backends.interpreter.program import Memory, run_contraction, run_kernel
from jitcore.kernel.build import ArrayLayout, Template
from jitcore.kernel.nodes import Contraction, launch_signature
from jitcore.primitives import PRIMITIVES
from jitcore.primitives.core.registry import KernelTemplate, Primitive, Sample
from jitcore.program.nodes import BLOCK_HEADER_BYTES
from jitcore.testing.numpy_evaluator import type_of_value
from jitcore.types import TensorType, Type, dtype_of, evaluate_dim, symbol

Array = np.ndarray[Any, Any]
CASES = [
    pytest.param(p, s, id=f"{p.name}-{k}")
    for p in PRIMITIVES.values()
    if isinstance(p.lowering, KernelTemplate)
    for k, s in enumerate(p.samples())
]
SHAPE_PARAMS = ("shape", "input_shape", "weight_shape", "length", "count", "extent")


class Launcher:
    """Runs a template's launches on memory that knows what has been written."""

    def __init__(self, types: dict[str, TensorType], symbols: dict[str, int]) -> None:
        self.memory = Memory()
        self.pointers: dict[str, int] = {}
        self.numbers: dict[str, Any] = {}
        self.symbols = symbols
        self.types = types

    def argument(self, name: str, value: Any) -> None:
        if isinstance(value, np.ndarray):
            self.pointers[name] = self.memory.add(value.ravel(order="K").view(np.uint8)).base
        else:
            self.numbers[name] = np.int64(value)

    def space(self, name: str, type_: TensorType) -> None:
        size = evaluate_dim(type_.size, self.symbols) * type_.dtype.itemsize
        self.pointers[name] = self.memory.allocate(size, zeroed=False) + BLOCK_HEADER_BYTES

    def launch(self, builder: Any, buffers: Any) -> None:
        kernel, dims = builder.finish()
        used, params = launch_signature(kernel)
        pointers = [self.pointers[buffers[b.name]] for b in used]
        given = [
            np.int64(evaluate_dim(dims[p.name], self.symbols)) if p.name in dims else self.numbers[p.name]
            for p in params
        ]
        if isinstance(kernel, Contraction):
            run_contraction(self.memory, kernel, pointers, given)
        else:
            run_kernel(self.memory, kernel, pointers, given)

    def result(self, name: str, type_: TensorType) -> Array:
        shape = tuple(evaluate_dim(d, self.symbols) for d in type_.shape)
        count = int(np.prod(shape))
        places = self.pointers[name] + np.arange(count) * type_.dtype.itemsize
        return self.memory.load(places, type_.dtype).reshape(shape)


def layout_of(array: Array) -> ArrayLayout:
    return ArrayLayout(dtype_of(array.dtype), array.shape, tuple(s // array.itemsize for s in array.strides))


def run_template(
    primitive: Primitive,
    args: list[Any],
    params: dict[str, Any],
    layouts: list[ArrayLayout | None],
    types: list[Type],
    symbols: dict[str, int],
) -> list[Array]:
    outs = {f"out{k}": t for k, t in enumerate(primitive.types(types, params)) if isinstance(t, TensorType)}
    launcher = Launcher(outs, symbols)
    names = [f"x{k}" for k in range(len(args))]
    named = {n: layout for n, layout in zip(names, layouts, strict=True) if layout is not None}
    for name, type_ in outs.items():
        named[name] = ArrayLayout.contiguous(type_.dtype, type_.shape)
        launcher.space(name, type_)
    for name, arg in zip(names, args, strict=True):
        launcher.argument(name, arg)
    template = Template(primitive.name, named, tuple(outs))
    assert isinstance(primitive.lowering, KernelTemplate)
    primitive.lowering.build(template, *names, **params)
    for name, layout in template.temporaries.items():
        launcher.space(name, TensorType(layout.dtype, layout.shape))
    for builder, buffers in template.launches:
        launcher.launch(builder, buffers)
    return [launcher.result(name, type_) for name, type_ in outs.items()]


def assert_computed(have: list[Array], primitive: Primitive, sample: Sample) -> None:
    made = primitive.reference(*sample.args, **sample.params)
    for result, want in zip(have, made if isinstance(made, tuple) else (made,), strict=True):
        assert result.shape == want.shape
        if want.dtype.kind in "fc":
            precision = 20 * float(np.finfo(want.dtype).eps)
            np.testing.assert_allclose(result, want, rtol=precision, atol=precision)
        else:
            np.testing.assert_array_equal(result, want)


@pytest.mark.parametrize("order", ["C", "F"])
@grouped(("primitive", "sample"), CASES)
def test_known_extents(primitive: Primitive, sample: Sample, order: Any) -> None:
    args = [np.array(a, order=order) if isinstance(a, np.ndarray) else a for a in sample.args]
    layouts = [layout_of(a) if isinstance(a, np.ndarray) else None for a in args]
    types = [type_of_value(a) for a in args]
    assert_computed(run_template(primitive, args, dict(sample.params), layouts, types, {}), primitive, sample)


def symbolic(value: Any) -> Any:
    """Extents above 1 as symbols, one for each number."""
    if isinstance(value, tuple):
        return tuple(symbolic(v) for v in value)
    return symbol(f"n{value}") if value > 1 else value


@grouped(("primitive", "sample"), CASES)
def test_symbolic_extents(primitive: Primitive, sample: Sample) -> None:
    args = [np.array(a, order="C") if isinstance(a, np.ndarray) else a for a in sample.args]
    params = {k: symbolic(v) if k in SHAPE_PARAMS else v for k, v in sample.params.items()}
    layouts: list[ArrayLayout | None] = []
    types: list[Type] = []
    for arg in args:
        type_ = type_of_value(arg)
        if isinstance(type_, TensorType):
            type_ = TensorType(type_.dtype, symbolic(type_.shape))
            layouts.append(ArrayLayout.contiguous(type_.dtype, type_.shape))
        else:
            layouts.append(None)
        types.append(type_)
    symbols = {f"n{d}": d for d in range(2, 400)}
    assert_computed(run_template(primitive, args, params, layouts, types, symbols), primitive, sample)
