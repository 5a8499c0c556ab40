"""What compiled functions say of themselves: explain, lower, inspect_llvm, inspect_asm, signatures, clear_cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import FallbackWarning, Tensor, grad, jit, nn, vmap
from jitcore.runtime.counting import counting
from jitcore.source import CompileError


def total(x: Any, k: int) -> Any:
    return (np.tanh(x) * k).sum()


def test_signatures_name_what_it_was_compiled_for() -> None:
    f = jit(total)
    assert f.signatures == []
    f(np.ones(3), 2)
    f(np.ones((2, 2), np.float32), k=2)
    f(np.ones((4, 4))[:, ::2], 2.0)
    assert f.signatures == [("f64[3]", "int"), ("f32[2, 2]", "k=int"), ("f64[4, 2] strided", "float")]
    assert f.py_func is total


def test_signatures_of_other_arguments() -> None:
    f = jit(lambda *args: len(args))
    f((1, 2.0), [1, 2], {"a": True}, None, "text", np.float32(1), Tensor([1.0]), 1j)
    (signature,) = f.signatures
    assert signature == (
        "(int, float)", "[int, int]", "{'a': bool}", "None", "str", "numpy f32[()]", "Tensor f32[1]", "complex",
    )  # fmt: skip


def test_texts_by_signature() -> None:
    f = jit(total)
    f(np.ones(3), 2)
    f(np.ones(3), 2.0)
    texts = f.inspect_llvm()
    assert list(texts) == f.signatures
    assert all("define" in text for text in texts.values())
    assert f.inspect_llvm(f.signatures[1]) == texts[f.signatures[1]]
    assert "ret" in f.inspect_asm(f.signatures[0])
    with pytest.raises(KeyError, match=r"it was compiled for \(f64\[3\], int\), \(f64\[3\], float\)"):
        f.inspect_asm(("f32[3]", "int"))


def test_explain_says_why_it_was_compiled_again() -> None:
    scale = [2]

    @jit
    def f(x: Any, axis: int) -> Any:
        return x.sum(axis=axis) * scale[0]

    f(np.ones((2, 3)), 0)
    f(np.ones((2, 3)), 1)
    f(np.ones((2, 3), np.float32), 0)
    reasons = [made["reason"] for made in f.explain().as_dict()["specialisations"]]
    assert reasons[0] == "the first call with arguments of these types"
    assert reasons[1] == "axis was 0, now 1"
    assert reasons[2] == "x is f32[2, 3], not f64[2, 3]"
    made = f.explain().as_dict()["specialisations"][0]
    assert made["values"] == [{"name": "axis", "value": "0"}]


def test_a_global_of_another_type_is_named() -> None:
    scope: dict[str, Any] = {"jit": jit, "k": 2}
    text = "@jit\ndef f(x):\n    return x * k\n"
    exec(compile(text, "<explained>", "exec"), scope)
    f = scope["f"]
    f(1.0)
    scope["k"] = 2.5
    f(1.0)
    assert "k was i64, and is of another type" in f.explain()


def test_explain_tells_of_time_cache_kernels_and_allocations() -> None:
    f = jit(total)
    f(np.ones(1000), 2)
    f(np.ones(1000), 2)
    facts = f.explain().as_dict()
    assert (facts["file"], facts["line"]) == (__file__, total.__code__.co_firstlineno)
    (made,) = facts["specialisations"]
    assert made["calls"] == 2
    assert {"infer", "fuse", "plan", "machine code"} <= made["seconds"].keys()
    assert all(took >= 0 for took in made["seconds"].values())
    assert 0 <= made["from_cache"] <= made["parts"] > 0
    (kernel,) = made["kernels"]
    assert kernel["lanes"] > 1
    assert kernel["lines"] == [total.__code__.co_firstlineno + 1]
    assert made["allocations"] == [{"line": total.__code__.co_firstlineno + 1, "places": 2, "part": "call"}]
    text = str(f.explain())
    assert "called 2 times" in text
    assert "kernels: 1, 1 on vectors" in text
    assert "compiled in " in text


def test_explanations_are_plain_data_text_and_html() -> None:
    @jit
    def f(x: Any, kind: str) -> Any:
        return np.linalg.solve(x, x) if kind == "<b>" else x

    f(np.eye(3), "<b>")
    told = f.explain()
    assert json.loads(json.dumps(told.as_dict())) == told.as_dict()
    assert repr(told) == str(told)
    shown = told._repr_html_()
    assert "<table>" in shown
    assert "solve" in shown
    assert "<b>" not in shown


def test_calls_into_python_are_counted_where_asked() -> None:
    def f(x: Any, n: int) -> Any:
        for _ in range(n):
            x = np.linalg.solve(x, x)
        return x

    def calls(compiled: Any) -> list[Any]:
        (made,) = compiled.explain().as_dict()["specialisations"]
        return [(call["name"], call["in_loop"], call["calls"]) for call in made["host_calls"]]

    plain, counted = jit(f), jit(f)
    with pytest.warns(jitcore.PerformanceWarning):
        plain(np.eye(2), 3)
    with counting(), pytest.warns(jitcore.PerformanceWarning):
        counted(np.eye(2), 3)
    counted(np.eye(2), 4)
    assert calls(plain) == [("solve", True, None)]
    assert calls(counted) == [("solve", True, 7)]
    assert "solve, 7 times so far" in counted.explain()
    np.testing.assert_array_equal(counted(np.eye(2) * 3, 2), f(np.eye(2) * 3, 2))


def test_calls_into_python_that_each_call_makes() -> None:
    @jit
    def f(x: Any, k: int) -> Any:
        y = np.linalg.solve(x, x)
        return np.linalg.inv(y) if k > 0 else y

    f(np.eye(2), 1)
    (made,) = f.explain().as_dict()["specialisations"]
    assert [(call["name"], call["once_a_call"]) for call in made["host_calls"]] == [("solve", True), ("inverse", False)]
    assert "solve, once a call" in f.explain()


def test_whole_functions_in_the_interpreter_are_counted() -> None:
    @jit
    def f(x: Any) -> Any:
        return eval("x + 1")

    with pytest.warns(FallbackWarning):
        f(1)
    f(2)
    (why,) = f.explain().as_dict()["interpreted"]
    assert "`eval` runs code" in why["reason"]
    assert why["calls"] == 2
    assert "ran 2 times" in f.explain()


def test_numbers_that_python_computes_are_counted() -> None:
    import math

    def f(x: float, n: int) -> float:
        for _ in range(n):
            x = math.gamma(x) + math.fsum([x, 1.0])
        return x

    with counting():
        compiled = jit(f)
        assert compiled(1.5, 3) == f(1.5, 3)
    for made in compiled.explain().as_dict()["specialisations"]:
        assert all(call["calls"] == 3 for call in made["host_calls"])


def test_regions_are_part_of_it() -> None:
    @jit
    def f(x: Any) -> Any:
        y = np.tanh(x * 2.0) + x
        z = os.getpid()
        return y + z

    with pytest.warns(FallbackWarning):
        f(np.ones(3))
    facts = f.explain().as_dict()
    (region,) = facts["regions"]
    first = f.py_func.__code__.co_firstlineno
    assert (region["first"], region["runs"]) == (first + 3, 1)
    assert "getpid" in region["reasons"][0]
    how = {line["line"] - first: line for line in facts["lines"]}
    assert how[3]["interpreted"]
    assert how[2]["native"]


def test_lower_runs_nothing_and_serves_later_calls() -> None:
    ran: list[int] = []

    @jit
    def f(x: Any) -> Any:
        x[0] = 5.0
        return x.sum()

    x = np.ones(4)
    made = f.lower(x)
    assert x[0] == 1.0
    assert made.signature == ("f64[4]",)
    assert "reduce_sum" in made.as_text("opt")
    assert "define" in made.as_text("llvm")
    assert made.as_text("grad") == ""
    with pytest.raises(ValueError, match="there is no stage 'hlo'; there are source, anf"):
        made.as_text("hlo")
    assert f(x) == 8.0
    assert len(f.specialisations) == 1
    assert not ran


def test_what_lower_compiles_serves_such_calls_alone() -> None:
    f = jit(total)
    x = np.linspace(0, 1, 10)
    served = f.lower(x, 2).compile()
    assert served(x, 3) == f(x, 3)
    for args in ((x[:5], 2), (x.astype(np.float32), 2), (x, 2.0), (x,)):
        with pytest.raises(TypeError, match=r"was compiled for \(f64\[10\], int\)"):
            served(*args)
    assert len(f.specialisations) == 1


def test_lower_raises_what_cannot_be_compiled() -> None:
    @jit
    def f(x: Any) -> Any:
        return eval("x + 1")

    for _ in range(2):
        with pytest.raises(CompileError, match="`eval` runs code"):
            f.lower(1)
    with pytest.raises(TypeError, match="missing a required argument: 'k'"):
        jit(total).lower(1.0)
    with pytest.raises(CompileError, match=r"instead: np\.asarray\(x\)"):
        jit(total).lower(np.ones(3, ">f8"), 1)


def test_errors_of_what_lower_compiles_are_the_users() -> None:
    @jit
    def f(x: Any, i: int) -> Any:
        return x[i]

    served = f.lower(np.ones(3), 0).compile()
    with pytest.raises(IndexError, match="index 7 is out of bounds") as raised:
        served(np.ones(3), 7)
    assert raised.traceback[-1].path == Path(__file__)


def test_cost_is_that_of_the_arguments_given() -> None:
    f = jit(total)
    for n in (10, 20):
        f(np.ones(n), 2)
    cost = f.lower(np.ones(1000), 2).cost()
    assert cost.flops == 3 * 1000
    assert cost.read == 8000 + 8
    assert cost.is_exact
    (kernel,) = cost.kernels
    assert (kernel.times, kernel.flops) == (1, 3000)
    assert json.loads(json.dumps(cost.as_dict()))["flops"] == 3000
    assert "3,000" in repr(cost)
    assert "3,000" in cost._repr_html_()


def test_cost_says_what_it_does_not_know() -> None:
    @jit
    def f(x: Any) -> float:
        s = 0.0
        while s < x[0]:
            s += 0.5
        return s

    cost = f.lower(np.ones(3)).cost()
    assert not cost.is_exact
    assert cost.unknown == ((f.py_func.__code__.co_firstlineno + 3, "how often a loop goes round"),)
    assert "at least, since the data decides how often a loop goes round" in repr(cost)


def test_attributes_of_the_users_function_stay() -> None:
    def f(x: Any) -> Any:
        return x + 1

    for name in ("name", "run", "cost", "forget"):
        setattr(f, name, name)
    compiled: Any = jit(f)
    compiled(1)
    assert [getattr(compiled, name) for name in ("name", "run", "cost", "forget")] == ["name", "run", "cost", "forget"]
    compiled.name = "mine"
    assert compiled.explain().as_dict()["name"].endswith(".f")


def test_clear_cache() -> None:
    f = jit(total)
    x = np.ones(5)
    before = f(x, 2), f(x, 2)
    f.clear_cache()
    assert f.signatures == []
    assert f.explain().startswith("total: 0 specialisations")
    assert (f(x, 2), f(x, 2)) == before
    assert f.specialisations[0].calls == 2


def test_of_gradients_and_other_transforms() -> None:
    def f(x: Tensor) -> Tensor:
        return (x * x).sum()

    x = Tensor(np.arange(6.0, dtype=np.float32))
    slope = grad(f)
    made = slope.lower(x)
    assert made.cost().flops >= 6
    np.testing.assert_array_equal(made.compile()(slope, x).asnumpy(), slope(x).asnumpy())
    assert slope.signatures == [("Tensor f32[6]",)]
    assert "f: 1 specialisations" in slope.explain()
    assert "define" in slope.inspect_llvm(("Tensor f32[6]",))
    rows = vmap(lambda r: r * 2.0)
    rows(Tensor(np.ones((3, 2), np.float32)))
    assert rows.signatures == [("Tensor f32[3, 2]",)]
    slope.clear_cache()
    assert slope.signatures == []


class Doubler:
    @jit
    def twice(self, x: Any) -> Any:
        return x * 2.0


def test_of_methods() -> None:
    made = Doubler()
    made.twice(3.0)
    assert "Doubler.twice: 1 specialisations" in jitcore.explain(made.twice)
    assert Doubler.twice.lower(made, 3.0).compile()(made, 4.0) == 8.0
    with pytest.raises(TypeError, match=r"the object comes first: Doubler.twice.lower\(obj, …\)"):
        made.twice.lower(3.0)


def test_of_cells() -> None:
    net = nn.Dense(3, 4)
    with pytest.raises(TypeError, match="has not been compiled"):
        jitcore.explain(net)
    net(Tensor(np.ones((2, 3), np.float32)))
    assert "Dense.construct: 1 specialisations" in jitcore.explain(net)
    assert jit(net).lower(Tensor(np.ones((2, 3), np.float32))).cost().flops >= 2 * 2 * 3 * 4


@pytest.mark.parametrize("thing", [3, total, len])
def test_of_what_is_not_compiled(thing: Any) -> None:
    with pytest.raises(TypeError, match="is not compiled"):
        jitcore.explain(thing)


SCRIPT = """
import sys
import numpy as np
from jitcore import Tensor, grad, jit
@jit
def f(x):
    return np.linalg.solve(x, x)
@jit
def never(x):
    return x
print("printed", sys.argv[1:])
f(np.eye(3))
f(np.eye(3))
grad(lambda x: (x ** 3).sum())(Tensor([1.0, 2.0]))
"""


@pytest.fixture
def explained(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    (tmp_path / "script.py").write_text(SCRIPT)

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jitcore", "explain", *options, str(tmp_path / "script.py"), "--", "-a"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def test_the_command(explained: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = explained()
    assert done.returncode == 0, done.stderr
    assert "calls Python: line 7: solve, 2 times so far" in done.stdout
    assert done.stdout.count("specialisations") == 2
    assert "printed ['-a']" in done.stderr


def test_the_command_gives_data(explained: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = explained("--json", "--function", "f")
    (one,) = json.loads(done.stdout)
    assert (one["name"], one["line"]) == ("f", 5)
    assert one["specialisations"][0]["host_calls"][0]["calls"] == 2
    missing = explained("--function", "g")
    assert missing.returncode == 1
    assert "nothing in" in missing.stderr
