"""The verifier: every rule of the IR, broken on its own; and graphs that keep them all."""

from __future__ import annotations

import pytest
from ir_ops import OPS

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Binding, Graph, Literal, Module, Var
from jitcore.ir.parser import parse
from jitcore.ir.verify import VerifyError, verify
from jitcore.source import NOWHERE
from jitcore.types import FLOAT, INT, TensorType, f32

GOOD = {
    "loop": """
def f(x: f32[n, 8], k: i64) -> f32[n, 8]:
    def step(i: i64, acc: f32[n, 8]) -> f32[n, 8]:
        more: f32[n, 8] = plus(acc, x)
        return more
    out: f32[n, 8] = for_(step, k, x)
    return out
""",
    "stack through both branches": """
def f(p: bool, s: stack) -> stack:
    def then() -> stack:
        a: stack = push(s, 1)
        return a
    def other() -> stack:
        return s
    out: stack = cond(then, other, p)
    return out
""",
    "stack carried by a loop": """
def f(k: i64) -> ():
    s: stack = new_stack()
    def step(i: i64, t: stack) -> stack:
        u: stack = push(t, i)
        return u
    out: stack = for_(step, k, s)
    free_stack(out)
    return ()
""",
    "call with other symbols": """
def f(x: f32[a, 8*b]) -> f32[a, 3]:
    y: f32[d, 8*b] = double(x)  #: x.py:1:0-1:1
    out: f32[a, 3] = call(x, callee='g')
    return out
def g(x: f32[n, m]) -> f32[n, 3]:
    out: f32[n, 3] = call(x, callee='g')
    return out
""",
    "dimension from a number": """
def f(k: i64) -> i64:
    to_dim(k, symbol='n')
    out: i64 = count(dim=n + 1)
    return out
""",
}
GOOD["call with other symbols"] = GOOD["call with other symbols"].replace(
    "    y: f32[d, 8*b] = double(x)  #: x.py:1:0-1:1\n", ""
).replace("x: f32[a, 8*b]", "w: f32[b], x: f32[a, 8*b]")  # fmt: skip

BAD = {
    "branches use a stack differently": (
        """
def f(p: bool, s: stack) -> ():
    def then() -> ():
        free_stack(s)
        return ()
    def other() -> ():
        return ()
    cond(then, other, p)
    return ()
""",
        "the stack s is used by some branches only",
    ),
    "loop uses a stack from outside": (
        """
def f(k: i64, s: stack) -> ():
    def step(i: i64) -> ():
        free_stack(s)
        return ()
    for_(step, k)
    return ()
""",
        "the stack s is used inside for_",
    ),
    "stack used twice": ("def f(s: stack) -> ():\n    free_stack(s)\n    free_stack(s)\n    return ()\n", "the stack s is used twice"),
    "stack used twice by one binding": ("def f(s: stack) -> ():\n    show(s, s)\n    return ()\n", "the stack s is used twice"),
    "stack dropped": ("def f(s: stack) -> ():\n    return ()\n", "the stack s is never used"),
    "type": ("def f(x: i64) -> f64:\n    y: f64 = double(x)\n    return y\n", "double gives (i64), not (f64)"),
    "operands": (
        "def f(x: i64, y: f64) -> i64:\n    z: i64 = plus(x, y)\n    return z\n",
        "plus: TypeError: operands [i64, f64]",
    ),
    "predicate": (
        "def f(x: i64) -> ():\n    def t() -> ():\n        return ()\n    def e() -> ():\n        return ()\n    cond(t, e, x)\n    return ()\n",
        "cond: TypeError",
    ),
    "missing callee": ("def f() -> ():\n    call(callee='g')\n    return ()\n", "the module has no graph 'g'"),
    "callee's parameters": (
        "def f(x: f32[3, 4]) -> ():\n    call(x, callee='g')\n    return ()\ndef g(x: f32[n, n]) -> ():\n    return ()\n",
        "g takes (f32[n, n]), not (f32[3, 4])",
    ),
    "callee's results": (
        "def f(x: f32[3]) -> f32[4]:\n    y: f32[4] = call(x, callee='g')\n    return y\ndef g(x: f32[n]) -> f32[n]:\n    return x\n",
        "g gives (f32[n]), not (f32[4])",
    ),
    "unknown dimension": ("def f(x: f32[n + 1]) -> ():\n    return ()\n", "the dimension n is not known here"),
    "dimension of a closed scope": (
        """
def f(k: i64) -> i64:
    def step(i: i64) -> ():
        to_dim(i, symbol='n')
        return ()
    for_(step, k)
    out: i64 = count(dim=n)
    return out
""",
        "the dimension n is not known here",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_graphs_that_keep_the_rules(text: str) -> None:
    verify(parse(text, OPS))


@pytest.mark.parametrize(("text", "fault"), BAD.values(), ids=BAD)
def test_graphs_that_break_a_rule(text: str, fault: str) -> None:
    with pytest.raises(VerifyError) as caught:
        verify(parse(text, OPS))
    assert fault in caught.value.fault


def test_scoping() -> None:
    x, y, z = (Var(name, INT, NOWHERE) for name in "xyz")
    double = Binding((y,), OPS["double"], (x,), NOWHERE)
    again = Binding((y,), OPS["double"], (x,), NOWHERE)
    late = Binding((z,), OPS["double"], (y,), NOWHERE)
    inner = Graph("g", (z,), (double,), (y,), NOWHERE)
    loop = Binding((Var("o", INT, NOWHERE),), OPS["double"], (Literal(1, INT),), NOWHERE, {}, (inner,))
    for body, fault in [
        ((double, again), "y is bound twice"),
        ((late, double), "y is not bound here"),
        ((loop, Binding((), OPS["show"], (y,), NOWHERE)), "y is out of scope here"),
        ((Binding((), OPS["show"], (Var("w", INT, NOWHERE),), NOWHERE),), "w is not bound here"),
    ]:
        with pytest.raises(VerifyError, match=fault):
            verify(Graph("f", (x,), body, (), NOWHERE))
    with pytest.raises(VerifyError, match="x is not bound here"):
        verify(Module("f", {"f": Graph("f", (), (double,), (), NOWHERE)}))
    with pytest.raises(VerifyError, match="the entry 'g'"):
        verify(Module("g", {"f": Graph("f", (x,), (), (), NOWHERE)}))


@pytest.mark.parametrize(
    "literal",
    [Literal(1, FLOAT), Literal(True, INT), Literal(2**63, INT), Literal(0.1, TensorType(f32, ())), Literal("a", INT)],
    ids=repr,
)
def test_literals_of_another_type(literal: Literal) -> None:
    with pytest.raises(VerifyError, match="is not a"):
        verify(Graph("f", (), (), (literal,), NOWHERE))


def test_untyped_graphs_are_checked_for_scoping_only() -> None:
    builder = GraphBuilder("f")
    x = builder.param("x", None)
    builder.emit(OPS["double"], (x, Literal("s", None)), types=[None, INT])
    verify(builder.finish([x]))


def test_the_message_marks_the_fault_in_the_text() -> None:
    with pytest.raises(VerifyError) as caught:
        verify(parse("def f(x: i64) -> f64:\n    y: f64 = double(x)\n    return y\n", OPS), after="fold")
    assert str(caught.value) == (
        "invalid IR after fold: double gives (i64), not (f64) [J0001]\n"
        "    def f(x: i64) -> f64:\n"
        "  >     y: f64 = double(x)\n"
        "        ^^^^^^^^^^^^^^^^^^ double gives (i64), not (f64)\n"
        "        return y"
    )
