"""The passes of forward mode and batches on random graphs, and every batching rule on the samples of its primitive."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from graph_evaluator import control, graph
from grouped import grouped
from random_programs import Writer, random_module

import jitcore.primitives  # noqa: F401  fills PRIMITIVES
from jitcore.backends.interpreter.anf import run
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND, WHILE
from jitcore.ir.nodes import Atom, Graph, Literal, Module, Var
from jitcore.ir.rewrite import substitute
from jitcore.ir.verify import verify
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import run_passes
from jitcore.passes.transforms.jvp import ForwardMode
from jitcore.passes.transforms.vmap import Vmap
from jitcore.passes.transforms.vmap.dependence import Dependence
from jitcore.passes.transforms.vmap.vectorise import can_be_vectorised
from jitcore.primitives.core import batching
from jitcore.primitives.core.registry import PRIMITIVES, Primitive, Sample
from jitcore.primitives.ops import conversions, elementwise, reductions, state
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, RefType, ScalarType, TensorType, Type, dtype_of, f64, symbol


def read(builder: GraphBuilder, atom: Atom) -> Atom:
    """What a result holds."""
    return builder.emit(state.ref_read, (atom,))[0] if isinstance(atom.type, RefType) else atom


# --- forward mode -----------------------------------------------------------------------------------


def with_tangents(module: Module) -> Module:
    """The module's results, each followed by its tangent, from its arguments and the tangents of the first two."""
    builder = GraphBuilder("entry")
    graphs = dict(module.graphs)
    params = [builder.param(p.name, p.type) for p in module.main.params]
    given = [builder.param("t", p.type) for p in params[:2]]
    results, tangents = ForwardMode(builder, graphs).run(module.main, params, [*given, None, None, None])
    outs: list[Atom] = []
    for result, tangent in zip(results, tangents, strict=True):
        if result.type is not BOOL:
            zero = Literal(0.0, TensorType(f64, ()))
            outs += [read(builder, result), zero if tangent is None else read(builder, tangent)]
    graphs["entry"] = builder.finish(outs)
    return Module("entry", graphs)


@pytest.mark.parametrize("seed", range(50))
def test_directional_derivatives_of_random_modules(seed: int) -> None:
    module, arguments = random_module(seed, 12)
    rng = np.random.default_rng(seed)
    arguments = [rng.normal(size=np.shape(a)) if isinstance(a, np.ndarray) else a for a in arguments]
    along = [rng.normal(size=(5, 7)), rng.normal(size=(7,))]
    made = with_tangents(module)
    verify(made)

    def results(step: float) -> list[Any]:
        args = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        args[:2] = [a + step * t for a, t in zip(args, along, strict=False)]
        return list(map(np.asarray, run(made, [*args, *along])))

    found, ahead, behind, near, far = map(results, (0.0, 1e-6, -1e-6, 3e-7, -3e-7))
    for k in range(0, len(found), 2):
        coarse, fine = (ahead[k] - behind[k]) / 2e-6, (near[k] - far[k]) / 6e-7
        smooth = np.abs(coarse - fine) <= 1e-4 * np.maximum(1.0, np.abs(fine))
        tangent = np.broadcast_to(found[k + 1], fine.shape)
        np.testing.assert_allclose(tangent[smooth], fine[smooth], rtol=3e-3, atol=3e-3)


# --- batches ----------------------------------------------------------------------------------------


def batched(module: Module, count: int) -> Module:
    """The module for rows of its first `count` arguments; the others are the same for all rows."""
    builder = GraphBuilder("entry")
    graphs = dict(module.graphs)
    main = module.main
    rows = [builder.param(p.name, TensorType(p.type.dtype, (3, *p.type.shape))) for p in main.params[:count]]  # type: ignore[union-attr]
    shared = {p: builder.param(p.name, p.type) for p in main.params[count:]}
    made_of = substitute(main, shared)
    results = tuple(r for r in made_of.results if r.type is not BOOL)
    of_row = Graph("row", main.params[:count], made_of.body, results, main.span)
    made, _ = Vmap(builder, graphs).run(of_row, rows, 3)
    graphs["entry"] = builder.finish(made)
    return Module("entry", graphs)


def row_by_row(module: Module, count: int, args: Sequence[Any]) -> list[Any]:
    rows: list[list[Any]] = []
    for k in range(3):
        row = run(module, [*(a[k] for a in args[:count]), *args[count:]])
        rows.append([np.array(r) for r, a in zip(row, module.main.results, strict=True) if a.type is not BOOL])
    return [np.stack(each) for each in zip(*rows, strict=True)]


def copied(args: Sequence[Any]) -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.parametrize("seed", range(50))
def test_batches_of_random_modules(seed: int) -> None:
    """With places that rows share, and write to in their order."""
    module, arguments = random_module(seed, 12)
    values = np.random.default_rng(seed)
    args = [*(values.integers(-4, 4, (3, *np.shape(a))).astype(float) for a in arguments[:2]), *arguments[2:]]
    made = batched(module, 2)
    verify(made)
    one, other = copied(args), copied(args)
    for a, b in zip(run(made, one), row_by_row(module, 2, other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
    for a, b in zip(one[2:4], other[2:4], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


class Pure(Writer):
    """Writes graphs without places, whose branches and loops rows take differently."""

    def new_place(self) -> None:
        self.unary()

    def nested(self, types: list[Type], results: list[tuple[int, ...]], name: str, ints: int = 0) -> Any:
        def write(*params: Var) -> tuple[Atom, ...]:
            arrays = [*self.arrays, *(p for p in params if isinstance(p.type, TensorType))]
            inner = Pure(self.rng, arrays, [], [*self.ints, *params[:ints]], self.depth + 1)
            inner.write(self.rng.randint(1, 6))
            return tuple(inner.matching(r) for r in results)

        return graph(name, types, write)

    def parting(self, x: Atom) -> Atom:
        """A condition that differs from row to row."""
        rank = len(self.shape(x))
        total = conversions.to_scalar(reductions.reduce_sum(x, axis=tuple(range(rank)), keepdims=False))
        return PRIMITIVES["float_gt"](total, Literal(0.5, FLOAT))

    def branch(self) -> None:
        if self.rng.random() < 0.3:
            super().branch()
            return
        results = [self.rng.choice([(), (5,), (5, 7), (1, 7)]) for _ in range(self.rng.randint(1, 2))]
        graphs = [self.nested([], results, "then"), self.nested([], results, "orelse")]
        made = control(COND, [self.parting(self.pick())], graphs)
        self.arrays += [made] if len(results) == 1 else made

    def loop(self) -> None:
        init = self.pick()
        assert init.type is not None

        def test(x: Var) -> Atom:
            return self.parting(x)

        def body(x: Var) -> Atom:
            return elementwise.sub(elementwise.mul(x, 0.5), 0.125)

        self.arrays.append(control(WHILE, [init], [graph("test", [init.type], test), graph("body", [init.type], body)]))


def pure_module(seed: int) -> Module:
    rng = random.Random(seed)
    types: list[Type] = [TensorType(f64, (5, 7)), TensorType(f64, (7,)), TensorType(f64, (7,)), INT]

    def main(a: Var, b: Var, c: Var, k: Var) -> tuple[Atom, ...]:
        writer = Pure(rng, [a, b, c], [], [k], 0)
        writer.write(12)
        return tuple(writer.arrays[-4:])

    return Module("main", {"main": graph("main", types, main)})


def pure_arguments(seed: int) -> list[Any]:
    values = np.random.default_rng(seed)
    shapes = ((3, 5, 7), (3, 7), (7,))
    return [*(values.integers(-4, 4, s).astype(float) for s in shapes), seed % 3]


@pytest.mark.parametrize("seed", range(80))
def test_rows_computed_together(seed: int) -> None:
    module, args = pure_module(seed), pure_arguments(seed)
    made = batched(module, 2)
    verify(made)
    want = row_by_row(module, 2, args)
    for version in (made, run_passes(made, OPTIMISATIONS)):
        for a, b in zip(run(version, args), want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_most_of_them_are_computed_together() -> None:
    together = 0
    for seed in range(80):
        main = pure_module(seed).main
        together += can_be_vectorised(main, Dependence(main, main.params[:2]), {})
    assert together >= 60


# --- rules ------------------------------------------------------------------------------------------

SCALARS: dict[type, ScalarType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def type_of_value(value: Any) -> Type:
    array = np.asarray(value)
    return SCALARS[type(value)] if type(value) in SCALARS else TensorType(dtype_of(array.dtype), array.shape)


def rows_of(value: Any) -> Any:
    """Three rows: the value, and its elements in other orders."""
    flat = np.asarray(value)
    return np.stack([np.roll(flat.reshape(-1), k).reshape(flat.shape) for k in range(3)])


def samples() -> list[Any]:
    found: list[Any] = []
    for primitive in PRIMITIVES.values():
        if batching.rule_of(primitive) is None:
            continue
        for number, sample in enumerate(primitive.samples()):
            if sample.args and len(sample.args) <= 3:
                found.append(pytest.param(primitive, sample, id=f"{primitive.name}-{number}"))
    return found


@grouped(("primitive", "sample"), samples())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rules(primitive: Primitive, sample: Sample) -> None:
    for which in product((False, True), repeat=len(sample.args)):
        if any(which):
            check_rule(primitive, sample, which, 3)
    check_rule(primitive, sample, (True,) * len(sample.args), symbol("n"))


def check_rule(primitive: Primitive, sample: Sample, which: Sequence[bool], n: Any) -> None:
    types = [type_of_value(a) for a in sample.args]
    builder, row = GraphBuilder("entry"), GraphBuilder("row")
    atoms: list[Atom] = []
    batches: list[Atom] = []
    values: list[Any] = []
    for value, type_, is_batch in zip(sample.args, types, which, strict=True):
        if is_batch:
            assert isinstance(type_, ScalarType | TensorType)
            extents = type_.shape if isinstance(type_, TensorType) else ()
            values.append(rows_of(value))
            batches.append(builder.param("x", TensorType(type_.dtype, (n, *extents))))
            atoms.append(row.param("x", type_))
        else:
            atoms.append(builder.param("x", type_))
            values.append(value)
    outs = row.emit(primitive, atoms, sample.params)
    made, differs = Vmap(builder, {}).run(row.finish(outs), batches, n)
    assert all(differs)
    module = Module("entry", {"entry": builder.finish(made)})
    verify(module)
    found = run(module, values)
    for k in range(3):
        args = [
            v if not is_batch else v[k].item() if isinstance(t, ScalarType) else v[k]
            for v, t, is_batch in zip(values, types, which, strict=True)
        ]
        with np.errstate(all="ignore"):
            want = primitive.reference(*args, **sample.params)
        for have, expected in zip(found, want if len(outs) > 1 else (want,), strict=True):
            np.testing.assert_allclose(have[k], expected, rtol=1e-12 if have.dtype.itemsize > 4 else 1e-4, atol=1e-30)
