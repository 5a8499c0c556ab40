"""The text form: what is printed, that it is read back as the same graph, and the errors for text that is not IR."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from ir_ops import OPS

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Binding, Graph, Literal, Module, Var
from jitcore.ir.parser import TextError, parse
from jitcore.ir.printer import to_text
from jitcore.ir.python import PYTHON_OPS, UNDEFINED_VALUE, UNREACHED, FunctionSource
from jitcore.source import NOWHERE, Span
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STACK,
    UNDEFINED,
    FunctionType,
    ObjectType,
    RefType,
    TensorType,
    TupleType,
    UnionType,
    bool_,
    c64,
    dim_max,
    dim_min,
    f16,
    f32,
    f64,
    i64,
    symbol,
)

n, m = symbol("n"), symbol("m")

CANONICAL = """\
# file demo.py = '/home/me/demo.py'
c: f32[8]
def f(x: f32[n, 8], k: i64) -> f32[n, 8]:  #: demo.py:3:0-9:15 in f; x 3:6-7; k demo.py:3:9-10 in g
    h: f32[n, 8] = double(x, f32(0.1), axis=(1, 8*n + 1, 'a  #: b'), d=f32)  #: 4:9-23
    def more(i: i64, acc: f32[n, 8]) -> bool:  #: 6:4-8:20
        less: bool = less_than(i, k)  #: 6:10-15
        return less
    def step(i: i64, acc: f32[n, 8]) -> (i64, f32[n, 8]):  #: 6:4-8:20
        acc_1: f32[n, 8] = plus(acc, c)  #: lib.py:7:9-30 in g < demo.py:7:8-12
        i_1: i64 = plus(i, -1)  #: 8:9-14
        return i_1, acc_1
    i, out = while_(more, step, 0, h)  #: -> (i64, f32[n, 8]); 6:4-8:20; out 6:4-9
    show(out, nan, -inf, -0.0, complex(1.0, -0.0), f64(-nan), None, py_undefined_value)
    return out
"""


def round_trip(root: Module | Graph) -> str:
    """The text of `root`, having checked that reading it back gives the same graph up to names."""
    text = to_text(root)
    back = parse(text.text, OPS, text.table)
    again = to_text(back)
    assert again.text == text.text
    module = root if isinstance(root, Module) else Module(root.name, {root.name: root})
    assert len(module.graphs) == len(back.graphs)
    for ours, theirs in zip(module.graphs.values(), back.graphs.values(), strict=True):
        _Same().graphs(ours, theirs)
    return text.text


class _Same:
    """Asserts that graphs are equal up to the names of variables and graphs."""

    def __init__(self) -> None:
        self.vars: dict[Var, Var] = {}

    def graphs(self, a: Graph, b: Graph) -> None:
        assert a.span == b.span
        for p, q in zip(a.params, b.params, strict=True):
            self.bind(p, q)
        for x, y in zip(a.body, b.body, strict=True):
            assert (x.op, x.span) == (y.op, y.span)
            for g, h in zip(x.graphs, y.graphs, strict=True):
                self.graphs(g, h)
            for v, w in zip(x.args, y.args, strict=True):
                self.atoms(v, w)
            for p, q in zip(x.outs, y.outs, strict=True):
                self.bind(p, q)
            mine = {k: v for k, v in x.params.items() if k not in ("callee", "source")}
            assert repr(mine) == repr({k: v for k, v in y.params.items() if k not in ("callee", "source")})
        for v, w in zip(a.results, b.results, strict=True):
            self.atoms(v, w)

    def bind(self, a: Var, b: Var) -> None:
        assert a.type is b.type
        assert a.span == b.span
        self.vars[a] = b

    def atoms(self, a: Var | Literal, b: Var | Literal) -> None:
        if isinstance(a, Var):
            assert self.vars[a] is b
            return
        assert isinstance(b, Literal)
        assert a.type is b.type
        assert type(a.value) is type(b.value)
        assert a.value is b.value or repr(a.value) == repr(b.value)


def one(*args: Literal, **params: object) -> Graph:
    """A graph that shows its arguments."""
    return Graph("f", (), (Binding((), OPS["show"], args, NOWHERE, params),), (), NOWHERE)


def test_text_read_and_printed_is_the_same() -> None:
    module = parse(CANONICAL, OPS, {"c": np.zeros(8, np.float32)})
    assert to_text(module).text == CANONICAL
    round_trip(module)
    step = module.main.body[1].graphs[1]
    assert step.body[0].span == Span("lib.py", 7, 9, 7, 30, "g", Span("/home/me/demo.py", 7, 8, 7, 12, "f"))
    assert module.main.params[1].span.function == "g"


@pytest.mark.parametrize(
    "type_",
    [
        BOOL, INT, FLOAT, COMPLEX, NONE, UNDEFINED, STACK, ObjectType("a; 'b'"),
        TensorType(f32, ()), TensorType(c64, (n, 3)), RefType(TensorType(f64, (n * 8 + 1,))),
        TensorType(i64, (n * m - 2, (n + 1) // 2, n % 3, dim_max(n, 4), dim_min(n, m), 5 // n)),
        UnionType((INT, NONE)), TupleType(()), TupleType((INT, TupleType((FLOAT,)))),
        FunctionType((INT,), (FLOAT, FLOAT)), FunctionType((), ()),
    ],
    ids=repr,
)  # fmt: skip
def test_every_type_round_trips(type_: object) -> None:
    builder = GraphBuilder("f")
    x = builder.param("x", type_)  # type: ignore[arg-type]
    y = builder.param("y", TensorType(f32, (n, m)))
    builder.emit(OPS["show"], (x, y), {"types": (type_, i64, f32)}, types=())
    builder.emit(OPS["double"], (x,), types=(type_, BOOL))  # type: ignore[arg-type]
    round_trip(builder.finish([x]))


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, BOOL, "True"), (-5, INT, "-5"), (2**62, INT, str(2**62)), (-0.0, FLOAT, "-0.0"), (1e300, FLOAT, "1e+300"),
        (math.inf, FLOAT, "inf"), (-math.nan, FLOAT, "-nan"), (complex(-0.0, math.inf), COMPLEX, "complex(-0.0, inf)"),
        (None, NONE, "None"), (UNDEFINED_VALUE, UNDEFINED, "py_undefined_value"),
        (np.float32(0.1).item(), TensorType(f32, ()), "f32(0.1)"), (np.float16(1e-3).item(), TensorType(f16, ()), "f16(0.001)"),
        (-math.inf, TensorType(f32, ()), "f32(-inf)"), (3, TensorType(i64, ()), "i64(3)"),
        (True, TensorType(bool_, ()), "bool_(True)"),
        (complex(np.complex64(0.1 - 0j)), TensorType(c64, ()), None),
    ],
)  # fmt: skip
def test_typed_literals_round_trip(value: object, type_: object, text: str | None) -> None:
    printed = round_trip(one(Literal(value, type_)))  # type: ignore[arg-type]
    assert text is None or f"show({text})" in printed


@pytest.mark.parametrize(
    "value",
    [1, -1.5, True, None, "a'\n\"#: b", b"\x00", ..., (), (1,), ((1, "x"), None), UNREACHED, len, [1, 2], 1j, f32, np.float64(2.0), type("Number", (int,), {})(3)],
    ids=repr,
)  # fmt: skip
def test_untyped_literals_and_params_round_trip(value: object) -> None:
    text = to_text(one(Literal(value, None), key=value, nested=(value, (value,))))
    back = parse(text.text, OPS, text.table).main.body[0]
    (atom,) = back.args
    assert isinstance(atom, Literal)
    for got in (atom.value, back.params["key"], back.params["nested"][1][0]):
        assert type(got) is type(value)
        assert got == value
    round_trip(one(Literal(value, None), key=value))


def test_a_value_without_a_literal_is_a_name_in_the_table() -> None:
    array = np.arange(3.0)
    x = Var("c", INT, NOWHERE)
    show = Binding(
        (), OPS["show"], (Literal(array, TensorType(f64, (3,))), Literal(array, TensorType(f64, (3,))), x), NOWHERE
    )
    text = to_text(Graph("f", (x,), (show,), (), NOWHERE))
    assert text.text == "c: f64[3]\ndef f(c_1: i64) -> ():\n    show(c, c, c_1)\n    return ()\n"
    assert text.table == {"c": array} or text.table["c"] is array


def test_a_nan_with_a_payload_keeps_its_bits() -> None:
    payload = np.array([0x7FF8000000000123], np.uint64).view(np.float64)[0].item()
    text = to_text(one(Literal(payload, FLOAT)))
    (atom,) = parse(text.text, OPS, text.table).main.body[0].args
    assert np.float64(atom.value).view(np.uint64) == 0x7FF8000000000123  # type: ignore[union-attr]


def test_names_avoid_operators_dtypes_keywords_symbols_and_each_other() -> None:
    builder = GraphBuilder("double")
    hints = ["double", "f32", "lambda", "n", "x", "x", "x_1", "a.b", "<lambda>", "1st", "none", "café"]
    args = [builder.param(hint, TensorType(f32, (n,))) for hint in hints]
    (out,) = builder.emit(OPS["double"], args[:1])
    graph = builder.finish([out])
    head = to_text(graph).text.splitlines()[0]
    names = [
        part.split(":")[0]
        for part in head[head.index("(") + 1 : head.index(")")].replace("f32[n], ", "f32[n]  ").split("  ")
    ]
    assert names == ["double_2", "f32_1", "lambda_1", "n_1", "x", "x_1", "x_2", "a_b", "lambda_2", "v_1st", "none_1", "café"]  # fmt: skip
    assert head.startswith("def double_1(")
    round_trip(graph)


def test_sibling_graphs_may_use_the_same_names_but_not_those_around_them() -> None:
    outer = GraphBuilder("f")
    x = outer.param("x", INT)
    p = outer.param("p", BOOL)
    branches: list[Graph] = []
    for _ in range(2):
        inner = GraphBuilder("branch")
        (y,) = inner.emit(OPS["double"], (x,), names=["x"])
        branches.append(inner.finish([y]))
    outs = outer.emit(COND, (p,), graphs=(branches[0], branches[1]))
    text = round_trip(outer.finish(outs))
    assert text.count("x_1: i64 = double(x)") == 2
    assert "branch_1" in text


def test_modules_print_all_graphs_and_rename_callees() -> None:
    text = """\
# entry g
def f(x: i64) -> i64:
    y: i64 = call(x, callee='g')
    return y
def g(x: i64) -> i64:
    y: i64 = call(x, callee='f')
    return y
"""
    module = parse(text, OPS)
    assert module.entry == "g"
    assert to_text(module).text == text
    odd = Module("<lambda>", {"<lambda>": module.graphs["f"], "g": module.graphs["g"]})
    assert "def lambda_1(x: i64)" in round_trip(odd)


def test_files_of_the_same_name_are_told_apart() -> None:
    spans = [Span(f"/{place}/a.py", 1, 0, 1, 1, "f") for place in ("x", "y")]
    body = tuple(Binding((), OPS["show"], (), span) for span in spans)
    text = round_trip(Graph("f", (), body, (), spans[0]))
    assert "# file a.py = '/x/a.py'" in text
    assert "# file a~2.py = '/y/a.py'" in text


def test_untyped_graphs_have_no_annotations() -> None:
    builder = GraphBuilder("f")
    x = builder.param("x", None)
    inner = GraphBuilder("<lambda>")
    y = inner.param("y", None)
    (z,) = inner.emit(PYTHON_OPS["py_binary"], (x, y), {"op": "+"}, types=[None])
    graph = inner.finish([z])
    source = FunctionSource("<lambda>", "f.<lambda>", (), graph, lambda: None, NOWHERE, "")
    (g,) = builder.emit(PYTHON_OPS["py_function"], (), {"source": source, "defaults": 0}, (graph,), types=[None])
    a, b = builder.emit(PYTHON_OPS["py_unpack"], (g,), {"before": 2, "star": False, "after": 0}, types=[None, None])
    root = builder.finish([Literal(1, None)])
    assert round_trip(root) == (
        "def f(x):\n"
        "    def lambda_1(y):\n"
        "        py_binary_1 = py_binary(x, y, op='+')\n"
        "        return py_binary_1\n"
        "    py_function_1 = py_function(lambda_1, source=lambda_source, defaults=0)\n"
        "    py_unpack_1, py_unpack_2 = py_unpack(py_function_1, before=2, star=False, after=0)\n"
        "    return 1\n"
    )
    del a, b
    text = to_text(root)
    function = parse(text.text, OPS, text.table).main.body[0]
    assert function.params["source"].graph is function.graphs[0]
    assert function.params["source"].qualname == "f.<lambda>"


def test_graphs_nested_deeper_than_python_allows_round_trip() -> None:
    x = Var("x", INT, NOWHERE)
    p = Var("p", BOOL, NOWHERE)
    graph = Graph("g", (), (), (x,), NOWHERE)
    for _ in range(200):
        out = Var("y", INT, NOWHERE)
        other = Graph("g", (), (), (x,), NOWHERE)
        graph = Graph("g", (), (Binding((out,), COND, (p,), NOWHERE, {}, (graph, other)),), (out,), NOWHERE)
    root = dataclasses.replace(graph, params=(x, p))
    text = to_text(root).text
    assert to_text(parse(text, OPS)).text == text


def test_long_bodies_round_trip() -> None:
    builder = GraphBuilder("f")
    x = builder.param("x", INT)
    for _ in range(10_000):
        (x,) = builder.emit(OPS["double"], (x,))
    text = to_text(builder.finish([x])).text
    assert to_text(parse(text, OPS)).text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x: i64) -> i64:\n    return y\n", "line 2: y is neither a variable in scope nor a constant"),
        ("def f(x: i64) -> i64:\n    y: i64 = nothing(x)\n    return y\n", "line 2: there is no operator nothing"),
        ("def f(x: i65) -> i64:\n    return x\n", "line 1: i65 is not a type"),
        ("def f(x: i64) -> i64:\n    x: i64 = double(x)\n    return x\n", "line 2: x is bound twice"),
        ("def f(x: i64) -> i64:\n    y: i64 = double(x)\n", "line 2: the function f has no return"),
        ("def f(x: i64) -> i64:\n    y: i64 = double(x\n    return x\n", "line 2"),
        ("def f(x: i64) -> i64:\n    a, b = double(x)  #: -> (i64, i64, i64)\n    return x\n", "line 2: 3 types for 2 outputs"),
        ("def f(x: i64) -> i64:\n    y: i64 = x\n    return x\n", "line 2: this is neither a binding"),
        ("def f(x: i64) -> i64:\n    show(x); show(x)\n    return x\n", "line 2: there is more than one statement"),
        ("def f(x: i64) -> i64:\n    def g() -> ():\n        return ()\n    return x\n", "line 4: the function g is not used"),
        ("def f(x: i64, *y: i64) -> i64:\n    return x\n", "line 1: a graph has plain parameters only"),
        ("def f() -> ():\n    show(i8(300))\n    return ()\n", "line 2: 300 is out of range for i8"),
        ("def f() -> ():\n    show(i64(0.5))\n    return ()\n", "line 2: 0.5 is not a i64"),
        ("def f() -> ():\n    show()  #: demo.py:3\n    return ()\n", "line 2: 'demo.py:3' is not a span"),
        ("c: f32[3]\ndef f() -> ():\n    show(c)\n    return ()\n", "line 3: the table has no c"),
        ("# entry g\ndef f() -> ():\n    return ()\n", "there is no entry g"),
        ("", "there is no function"),
    ],
)  # fmt: skip
def test_text_that_is_not_ir_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TextError) as caught:
        parse(text, OPS)
    assert message in str(caught.value)
