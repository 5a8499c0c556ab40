"""Random typed modules: arrays, views, places, branches, loops, calls; with arguments to run them on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from graph_evaluator import control, graph

from jitcore.ir.control import CALL, COND, FOR, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.primitives.ops import conversions, elementwise, joining, python_ints, reductions, shape, state, views
from jitcore.primitives.ops import transcendental as tr
from jitcore.types import BOOL, INT, Dim, RefType, TensorType, Type, broadcast_shapes, f64, map_dims, symbol

_SHAPES = ((), (1,), (5,), (7,), (5, 7), (1, 7), (5, 1), (2, 5, 7))


class Writer:
    """Writes one graph: what is in scope, and how much may still be written."""

    def __init__(
        self, rng: random.Random, arrays: list[Atom], places: list[Atom], ints: list[Atom], depth: int
    ) -> None:
        self.rng = rng
        self.arrays = arrays
        self.places = places
        self.ints = ints
        self.depth = depth

    def shape(self, atom: Atom) -> tuple[int, ...]:
        type_ = atom.type.target if isinstance(atom.type, RefType) else atom.type
        assert isinstance(type_, TensorType)
        return type_.shape  # type: ignore[return-value]

    def write(self, steps: int) -> None:
        choices: list[tuple[int, Callable[[], None]]] = [
            (8, self.binary),
            (3, self.unary),
            (2, self.reduce),
            (3, self.view),
            (1, self.template),
            (1, self.constant),
            (1, self.new_place),
            (2, self.read),
            (3, self.store),
            (2, self.place_view),
            (1, self.element),
        ]
        if self.depth < 2:
            choices += [(1, self.branch), (1, self.count), (1, self.loop)]
        weights = [w for w, _ in choices]
        for _ in range(steps):
            self.rng.choices([c for _, c in choices], weights)[0]()

    def pick(self) -> Atom:
        recent = self.arrays[-6:]
        return self.rng.choice(recent if self.rng.random() < 0.7 else self.arrays)

    def matching(self, want: tuple[int, ...]) -> Atom:
        """An array of a shape, made if there is none."""
        found = [a for a in self.arrays if self.shape(a) == want]
        if found and self.rng.random() < 0.8:
            return self.rng.choice(found[-3:])
        for candidate in self.rng.sample(self.arrays, len(self.arrays)):
            if _broadcasts(self.shape(candidate), want):
                return shape.broadcast_to(candidate, shape=want)
        return joining.full(Literal(1.5, TensorType(f64, ())), shape=want)

    def binary(self) -> None:
        a = self.pick()
        fitting = [b for b in self.arrays if _broadcastable(self.shape(a), self.shape(b))]
        b = self.rng.choice(fitting)
        op = self.rng.choice([elementwise.add, elementwise.sub, elementwise.maximum, elementwise.minimum])
        self.arrays.append(op(a, b))

    def unary(self) -> None:
        op = self.rng.choice([tr.tanh, tr.sin, elementwise.neg, elementwise.abs, lambda x: elementwise.mul(x, 0.5)])
        self.arrays.append(op(self.pick()))

    def reduce(self) -> None:
        a = self.pick()
        rank = len(self.shape(a))
        axis = tuple(sorted(self.rng.sample(range(rank), self.rng.randint(0, rank))))
        op = self.rng.choice([reductions.reduce_sum, reductions.reduce_max])
        self.arrays.append(op(a, axis=axis, keepdims=self.rng.random() < 0.5))

    def spec(self, extents: tuple[int, ...]) -> tuple[tuple[Any, ...], list[Atom]]:
        entries: list[tuple[Any, ...]] = []
        values: list[Atom] = []
        for d in extents:
            if d and self.rng.random() < 0.25:
                entries.append(("i", len(values)))
                values.append(
                    conversions.check_index(self.rng.choice(self.ints), extent=d, axis=0) if d >= 5 else _int(0)
                )
            elif self.rng.random() < 0.3 and d > 1:
                entries.append(("s", d - 1, -1, d - 1))
            else:
                start = self.rng.randrange(d) if d > 1 else 0
                entries.append(("s", start, 1, d - start))
        return tuple(entries), values

    def view(self) -> None:
        a = self.pick()
        extents = self.shape(a)
        kind = self.rng.randrange(5)
        if kind == 0:
            order = list(range(len(extents)))
            self.rng.shuffle(order)
            self.arrays.append(shape.transpose(a, permutation=tuple(order)))
        elif kind == 1:
            self.arrays.append(shape.reshape(a, shape=(int(np.prod(extents)),)))
        elif kind == 2 and len(extents) < 3:
            self.arrays.append(shape.expand_dims(a, axis=(self.rng.randint(0, len(extents)),)))
        elif kind == 3 and 1 in extents:
            self.arrays.append(shape.squeeze(a, axis=(extents.index(1),)))
        else:
            spec, values = self.spec(extents)
            self.arrays.append(views.view_index(a, *values, spec=spec))

    def template(self) -> None:
        a = self.pick()
        if self.shape(a) and len(self.shape(a)) < 3:
            self.arrays.append(joining.concatenate(a, a, axis=0))
        elif self.shape(a):
            self.arrays.append(reductions.cumsum(a, axis=0))

    def constant(self) -> None:
        value = Literal(self.rng.choice([0.0, 2.0]), TensorType(f64, ()))
        self.arrays.append(joining.full(value, shape=self.rng.choice(_SHAPES)))

    def new_place(self) -> None:
        self.places.append(state.ref_new(self.pick()))

    def read(self) -> None:
        if self.places:
            self.arrays.append(state.ref_read(self.rng.choice(self.places)))

    def store(self) -> None:
        if not self.places:
            return
        place = self.rng.choice(self.places)
        value = self.matching(self.shape(place))
        if self.rng.random() < 0.5 and self.shape(place):
            value = elementwise.add(state.ref_read(place), elementwise.mul(value, 0.25))
        op = state.ref_write if self.rng.random() < 0.7 else state.ref_add
        op(place, value)

    def place_view(self) -> None:
        if self.places:
            place = self.rng.choice(self.places)
            if self.rng.random() < 0.3:
                order = tuple(reversed(range(len(self.shape(place)))))
                self.places.append(state.ref_transpose(place, permutation=order))
            else:
                spec, values = self.spec(self.shape(place))
                self.places.append(state.ref_view(place, *values, spec=spec))

    def element(self) -> None:
        a = self.rng.choice([x for x in self.arrays if self.shape(x) == ()] or [Literal(1.0, TensorType(f64, ()))])
        number = conversions.to_scalar(a)
        self.arrays.append(conversions.from_scalar(number, dtype=f64))

    # --- control flow ---

    def nested(self, types: list[Type], results: list[tuple[int, ...]], name: str, ints: int = 0) -> Any:
        def write(*params: Var) -> tuple[Atom, ...]:
            inner = Writer(
                self.rng,
                [*self.arrays, *(p for p in params if isinstance(p.type, TensorType))],
                list(self.places),
                [*self.ints, *params[:ints]],
                self.depth + 1,
            )
            inner.write(self.rng.randint(1, 6))
            return tuple(inner.matching(r) for r in results)

        return graph(name, types, write)

    def branch(self) -> None:
        results = [self.rng.choice(_SHAPES) for _ in range(self.rng.randint(0, 2))]
        pred = python_ints.int_gt(self.rng.choice(self.ints), 1)
        made = control(COND, [pred], [self.nested([], results, "then"), self.nested([], results, "orelse")])
        self.arrays += [made] if len(results) == 1 else made

    def count(self) -> None:
        inits = [self.pick() for _ in range(self.rng.randint(0, 2))]
        types: list[Type] = [a.type for a in inits]  # type: ignore[misc]
        body = self.nested([INT, *types], [self.shape(a) for a in inits], "body")
        made = control(FOR, [self.rng.choice([0, 1, 3]), *inits], [body])
        self.arrays += [made] if len(inits) == 1 else made

    def loop(self) -> None:
        init = self.pick()
        assert init.type is not None

        def test(i: Var, x: Var) -> Atom:
            return python_ints.int_lt(i, 3)

        inner = self.nested([INT, init.type], [self.shape(init)], "body", ints=0)
        following = graph("next", [INT], lambda i: python_ints.int_add(i, 1))
        body = type(inner)(
            inner.name,
            inner.params,
            (*inner.body, *_with_param(following, inner.params[0])),
            (following.results[0], *inner.results),
            inner.span,
        )
        made = control(WHILE, [0, init], [graph("test", [INT, init.type], test), body])
        self.arrays.append(made[1])


def _with_param(g: Any, param: Var) -> tuple[Any, ...]:
    from dataclasses import replace

    return tuple(replace(b, args=tuple(param if a is g.params[0] else a for a in b.args)) for b in g.body)


def _int(k: int) -> Literal:
    return Literal(k, INT)


def _broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        broadcast_shapes(a, b)
    except ValueError:
        return False
    return True


def _broadcasts(a: tuple[int, ...], into: tuple[int, ...]) -> bool:
    return _broadcastable(a, into) and broadcast_shapes(a, into)[0] == into


def random_module(seed: int, size: int) -> tuple[Module, list[Any]]:
    """A module, and arguments: two arrays, two that are written to (the second a strided view), an int."""
    rng = random.Random(seed)
    values = np.random.default_rng(seed)
    memory = values.integers(-4, 4, (8, 10)).astype(float)
    args: list[Any] = [
        values.integers(-4, 4, (5, 7)).astype(float),
        values.integers(-4, 4, (7,)).astype(float),
        values.integers(-4, 4, (5, 7)).astype(float),
        memory[:0:-1, ::2].T,
        rng.randrange(3),
    ]
    types: list[Type] = [
        TensorType(f64, (5, 7)),
        TensorType(f64, (7,)),
        RefType(TensorType(f64, (5, 7))),
        RefType(TensorType(f64, (5, 7))),
        INT,
    ]

    def helper(x: Var, r: Var, k: Var) -> Atom:
        inner = Writer(rng, [x], [r], [k], 1)
        inner.write(5)
        return inner.matching((5, 7))

    def main(a: Var, b: Var, r: Var, s: Var, k: Var) -> tuple[Atom, ...]:
        writer = Writer(rng, [a, b], [r, s], [k], 0)
        writer.write(size)
        if rng.random() < 0.5:
            out = control(CALL, [writer.matching((5, 7)), rng.choice([r, s]), k], types=[types[0]], callee="helper")
            writer.arrays.append(out)
            writer.write(3)
        finals = writer.arrays[-3:]
        return (*finals, finals[0], rng.choice(writer.places), *([BOOL_TRUE] if rng.random() < 0.2 else []))

    graphs = {
        "main": graph("main", types, main),
        "helper": graph("helper", [types[0], types[2], INT], helper),
    }
    return Module("main", graphs), args


BOOL_TRUE = Literal(True, BOOL)


# --- the same with symbolic extents -----------------------------------------------------------------

_N, _M = symbol("n"), symbol("m")
_EXTENTS: dict[int, Dim] = {5: _N, 7: _M, 35: _N * _M, 10: _N * 2, 14: _M * 2, 70: _N * _M * 2}


def symbolic(module: Module) -> Module:
    """A random module with the extents 5 and 7, and what is made of them, as symbols."""
    return Module(module.entry, {name: _Symbolic().graph(g) for name, g in module.graphs.items()})


def _extent(dim: Dim) -> Dim:
    return _EXTENTS.get(dim, dim) if isinstance(dim, int) else dim


class _Symbolic:
    def __init__(self) -> None:
        self.vars: dict[Atom, Atom] = {}

    def graph(self, g: Graph) -> Graph:
        params = tuple(self.var(p) for p in g.params)
        body = tuple(self.binding(b) for b in g.body)
        return Graph(g.name, params, body, tuple(self.vars.get(r, r) for r in g.results), g.span)

    def var(self, var: Var) -> Var:
        assert var.type is not None
        made = self.vars[var] = Var(var.name, map_dims(var.type, _extent), var.span)
        return made

    def binding(self, b: Binding) -> Binding:
        args = tuple(self.vars.get(a, a) for a in b.args)
        graphs = tuple(self.graph(g) for g in b.graphs)
        params = {k: self.param(k, v) for k, v in b.params.items()}
        return Binding(tuple(self.var(o) for o in b.outs), b.op, args, b.span, params, graphs)

    @staticmethod
    def param(key: str, value: Any) -> Any:
        if key == "shape":
            return tuple(map(_extent, value))
        if key == "extent":
            return _extent(value)
        if key == "spec":
            return tuple((*e[:3], _extent(e[3])) if e[0] == "s" else e for e in value)
        return value
