"""Writes random typed modules: numbers, small arrays, branches, loops, checks that fail, places, calls. For tests of passes."""

from __future__ import annotations

import random

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR
from jitcore.ir.nodes import Atom, Graph, Literal, Module, type_of
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.types import BOOL, FLOAT, INT, RefType, TensorType, Type, f32

ARRAY = TensorType(f32, (3,))
RANK_0 = TensorType(f32, ())
TYPES = (INT, FLOAT, BOOL, ARRAY, RANK_0)

OPERATIONS: dict[Type, list[tuple[str, tuple[Type, ...], dict[str, object]]]] = {
    INT: [(f"int_{op}", (INT, INT), {}) for op in ["add", "sub", "mul", "floordiv", "mod", "and", "or", "xor"]]
    + [("int_neg", (INT,), {}), ("int_invert", (INT,), {}), ("int_select", (BOOL, INT, INT), {})],
    FLOAT: [(f"float_{op}", (FLOAT, FLOAT), {}) for op in ["add", "sub", "mul", "truediv"]]
    + [("float_neg", (FLOAT,), {}), ("to_scalar", (RANK_0,), {}), ("int_to_float", (INT,), {})],
    BOOL: [(f"int_{op}", (INT, INT), {}) for op in ["eq", "ne", "lt", "le", "gt", "ge"]]
    + [(f"bool_{op}", (BOOL, BOOL), {}) for op in ["and", "or", "xor"]]
    + [("bool_not", (BOOL,), {})],
    ARRAY: [(op, (ARRAY, ARRAY), {}) for op in ["add", "sub", "mul", "div", "maximum"]]
    + [(op, (ARRAY, RANK_0), {}) for op in ["add", "mul"]]
    + [(op, (ARRAY,), {}) for op in ["neg", "abs", "exp", "floor", "copy"]],
    RANK_0: [(op, (RANK_0, RANK_0), {}) for op in ["add", "sub", "mul", "minimum"]]
    + [("from_scalar", (FLOAT,), {"dtype": f32}), ("reduce_sum", (ARRAY,), {"axis": (0,), "keepdims": False})],
}
NUMBERS = {INT: [0, 1, -1, 2, 7, 2**62], FLOAT: [0.0, -0.0, 1.0, -2.5, 1e300], BOOL: [True, False]}


class ModuleGenerator:
    """`ModuleGenerator(seed).module()` is the same module each time."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def module(self) -> Module:
        """A module of an entry `f(int, float, bool, array, array)` and a graph that it may call."""
        graphs = {"helper": self.function("helper", {}, [INT, ARRAY], 4)}
        graphs["f"] = self.function("f", graphs, [INT, FLOAT, BOOL, ARRAY, ARRAY], 14)
        return Module("f", {"f": graphs["f"], "helper": graphs["helper"]})

    def function(self, name: str, callees: dict[str, Graph], params: list[Type], size: int) -> Graph:
        builder = GraphBuilder(name)
        scope: list[Atom] = [builder.param("p", type_) for type_ in params]
        self.fill(builder, scope, callees, size, 2)
        return builder.finish([self.pick(scope, type_) for type_ in self.random.choices(TYPES, k=3)])

    def fill(self, builder: GraphBuilder, scope: list[Atom], callees: dict[str, Graph], size: int, depth: int) -> None:
        for _ in range(size):
            kind = self.random.random()
            if kind < 0.12 and depth:
                scope += self.branch(builder, scope, callees, size // 3, depth - 1)
            elif kind < 0.22 and depth:
                scope += self.loop(builder, scope, callees, size // 3, depth - 1)
            elif kind < 0.27 and callees:
                callee = callees["helper"]
                args = [self.pick(scope, type_of(p)) for p in callee.params]
                scope += builder.emit(CALL, args, {"callee": "helper"}, types=callee.result_types)
            elif kind < 0.33:
                self.place(builder, scope)
            elif kind < 0.36:
                params = {"exception": "ValueError", "message": "{0}"}
                builder.emit(PRIMITIVES["check"], [self.pick(scope, BOOL), self.pick(scope, INT)], params)
            else:
                name, types, params = self.random.choice(OPERATIONS[self.random.choice(TYPES)])
                scope += builder.emit(PRIMITIVES[name], [self.pick(scope, t) for t in types], params)

    def branch(
        self, builder: GraphBuilder, scope: list[Atom], callees: dict[str, Graph], size: int, depth: int
    ) -> tuple[Atom, ...]:
        types = self.random.choices(TYPES, k=self.random.randrange(4))
        graphs = [self.nested("branch", [], scope, callees, types, size, depth) for _ in range(2)]
        return builder.emit(COND, [self.pick(scope, BOOL)], graphs=tuple(graphs))

    def loop(
        self, builder: GraphBuilder, scope: list[Atom], callees: dict[str, Graph], size: int, depth: int
    ) -> tuple[Atom, ...]:
        types = self.random.choices(TYPES, k=self.random.randrange(4))
        body = self.nested("body", [INT, *types], scope, callees, types, size, depth)
        count = Literal(self.random.randrange(4), INT)
        return builder.emit(FOR, [count, *(self.pick(scope, t) for t in types)], graphs=(body,))

    def nested(
        self, name: str, params: list[Type], scope: list[Atom], callees: dict[str, Graph], results: list[Type],
        size: int, depth: int,
    ) -> Graph:  # fmt: skip
        inner = GraphBuilder(name)
        own: list[Atom] = [inner.param("p", type_) for type_ in params]
        inside = [*scope, *own]
        self.fill(inner, inside, callees, size, depth)
        # now and then a parameter as it came, so that there are carries that do not change
        return inner.finish(
            [
                own[k - len(results)] if own and self.random.random() < 0.3 else self.pick(inside, t)
                for k, t in enumerate(results)
            ]
        )

    def place(self, builder: GraphBuilder, scope: list[Atom]) -> None:
        """A new place, or a read or a write of one there is."""
        places = [atom for atom in scope if isinstance(atom.type, RefType)]
        if not places or self.random.random() < 0.3:
            scope += builder.emit(PRIMITIVES["ref_new"], [self.pick(scope, ARRAY)])
        elif self.random.random() < 0.5:
            scope += builder.emit(PRIMITIVES["ref_read"], [self.random.choice(places)])
        else:
            builder.emit(PRIMITIVES["ref_add"], [self.random.choice(places), self.pick(scope, ARRAY)])

    def pick(self, scope: list[Atom], type_: Type) -> Atom:
        """An atom of a type: of what is in scope, mostly what came last, or a literal."""
        found = [atom for atom in scope if atom.type is type_]
        if type_ in NUMBERS and (not found or self.random.random() < 0.3):
            return Literal(self.random.choice(NUMBERS[type_]), type_)
        if type_ is RANK_0 and (not found or self.random.random() < 0.3):
            return Literal(self.random.choice([0.0, -0.0, 1.0, 0.5]), RANK_0)
        return self.random.choice(found[-6:])
