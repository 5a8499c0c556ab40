"""ONNX models: what onnxruntime makes of them is what jitcore makes of the functions, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import InputSpec, Tensor, nn
from jitcore.ir.nodes import Binding, Graph, Var
from jitcore.primitives.core.evaluation import typeof
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.source import NOWHERE, CompileError
from tests import export_programs, onnx_programs

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NotImplementedYet  # noqa: E402

from jitcore.exports.onnx import protobuf  # noqa: E402
from jitcore.exports.onnx.control import CONTROL  # noqa: E402
from jitcore.exports.onnx.conversion import CONVERTED, Conversion  # noqa: E402
from jitcore.exports.onnx.writing import Writer, tensor  # noqa: E402

onnxruntime.set_default_logger_severity(4)

NETWORKS = {
    name: export_programs.PROGRAMS[name] for name in ("lenet", "recurrent", "block", "newton", "both", "compiled")
}
PROGRAMS = {**NETWORKS, **onnx_programs.PROGRAMS}


def leaves(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays and numbers of a value, in order."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, Mapping):
        yield from leaves(list(value.values()))
    else:
        yield np.asarray(value.asnumpy() if isinstance(value, Tensor) else value)


def ran(path: Path, args: tuple[Any, ...]) -> list[Any]:
    """What onnxruntime makes of a model."""
    session = onnxruntime.InferenceSession(path)
    return session.run(None, dict(zip((i.name for i in session.get_inputs()), leaves(args), strict=True)))


def assert_same(have: list[Any], want: Any) -> None:
    wanted = list(leaves(want))
    assert len(have) == len(wanted)
    for a, b in zip(have, wanted, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if b.dtype.kind == "f":
            scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5 * min(scale, 1))
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", PROGRAMS)
def test_onnxruntime_gives_the_same(name: str, tmp_path: Path) -> None:
    function, inputs, calls = PROGRAMS[name]
    jitcore.export(function, inputs, tmp_path / "net.onnx")
    compiled = function if isinstance(function, nn.Cell) else jitcore.jit(function)
    for args in calls:
        assert_same(ran(tmp_path / "net.onnx", args), compiled(*args))


def test_a_network_of_flowvision(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", _MOBILENET, str(tmp_path)], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for k in range(2):
        x, y = np.load(tmp_path / f"x{k}.npy"), np.load(tmp_path / f"y{k}.npy")
        assert_same(ran(tmp_path / "net.onnx", (x,)), y)


_MOBILENET = """
import sys
from pathlib import Path
import numpy as np
import jitcore
from jitcore.compat import oneflow
oneflow.install()
import flowvision
import oneflow as flow

flow.manual_seed(0)
stages = [[1, 16, 1, 1], [6, 24, 1, 2], [6, 32, 2, 2]]
net = flowvision.models.mobilenet_v2(inverted_residual_setting=stages).eval()
folder = Path(sys.argv[1])
jitcore.export(net, jitcore.InputSpec(("batch", 3, 32, 32), of=flow.Tensor), folder / "net.onnx")
for k, n in enumerate((1, 3)):
    x = np.random.default_rng(k).standard_normal((n, 3, 32, 32)).astype(np.float32)
    np.save(folder / f"x{k}.npy", x)
    np.save(folder / f"y{k}.npy", net(flow.tensor(x)).numpy())
"""


def test_batch_normalisation_in_evaluation(tmp_path: Path) -> None:
    net = export_programs.Normalised()
    net.set_train(False)
    jitcore.export(net, InputSpec(("n", 4)), tmp_path / "net.onnx")
    for n in (1, 3):
        x = onnx_programs.floats(n, 4)
        assert_same(ran(tmp_path / "net.onnx", (x,)), net(x))


# --- each operation -------------------------------------------------------------------------------------

_SKIPS_NAN = {"argmax", "argmin", "max_pool2d", "reduce_max", "reduce_min"}
"""Of NaN, ONNX says nothing."""
_ROUNDS = {"pow", "int_pow"}
"""Computed in floats, which ints past 53 bits are rounded to."""
_OF_FLOATS = {"max_pool2d"}
"""Refused of ints."""


def samples_of(name: str) -> Iterator[tuple[tuple[Any, ...], Mapping[str, Any], Any]]:
    """An operation's samples that ONNX has the dtypes of, with what it gives for them."""
    primitive = PRIMITIVES[name]
    for sample in primitive.samples():
        arrays = [np.asarray(a) for a in sample.args]
        try:
            want = primitive.reference(*sample.args, **sample.params)
        except (ArithmeticError, ValueError, IndexError):  # models raise nothing
            continue
        found = [*arrays, np.asarray(want)]
        if any(a.dtype.kind == "c" for a in found):
            continue
        if name in _OF_FLOATS and arrays[0].dtype.kind != "f":
            continue
        if name in _SKIPS_NAN and np.isnan(arrays[0]).any():
            continue
        if name in _ROUNDS and any(a.dtype.kind == "i" and np.any(np.abs(a) > 2.0**53) for a in found):
            continue
        yield sample.args, sample.params, want


def model_of(name: str, args: tuple[Any, ...], params: Mapping[str, Any]) -> bytes:
    """A model of one operation."""
    variables = tuple(Var(f"a{k}", typeof(a), NOWHERE) for k, a in enumerate(args))
    binding = Binding((), PRIMITIVES[name], variables, NOWHERE, params)
    out = Var("out", PRIMITIVES[name].result_types(binding)[0], NOWHERE)
    binding = Binding((out,), PRIMITIVES[name], variables, NOWHERE, params)
    w, c = Writer(), Conversion(CONTROL)
    infos: list[Any] = []
    for variable in variables:
        made = w.names.fresh(variable.name)
        c.give(variable, made, made)
        infos.append(protobuf.value_info(made, tensor(variable).dtype, tensor(variable).shape))
    c.body(w, Graph(name, variables, (binding,), (out,), NOWHERE))
    assert not c.problems, c.problems
    result = w.own(c.atom(w, out), "out")
    info = protobuf.value_info(result, tensor(out).dtype, tensor(out).shape)
    return protobuf.encoded_model(protobuf.graph(name, w.nodes, infos, [info], w.initializers), name)


def evaluated(data: bytes, args: tuple[Any, ...]) -> Any:
    """What onnxruntime gives, or where it has no code for a dtype, the package onnx."""
    feed = {f"a{k}": np.asarray(a) for k, a in enumerate(args)}
    try:
        session = onnxruntime.InferenceSession(data)
    except NotImplementedYet:
        with np.errstate(all="ignore"):
            return ReferenceEvaluator(onnx.load_from_string(data)).run(None, feed)
    return session.run(None, feed)


def _singles(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a.astype(np.float32) if isinstance(a, np.ndarray) and a.dtype == np.float64 else a for a in args)


@pytest.mark.parametrize("name", sorted(CONVERTED - {"conv2d", "conv2d_input_grad"}))
def test_each_operation(name: str) -> None:
    for args, params, want in samples_of(name):
        assert_same(evaluated(model_of(name, args, params), args), want)


@pytest.mark.parametrize("name", ["conv2d", "conv2d_input_grad", "avg_pool2d"])
def test_windows_of_single_precision(name: str) -> None:
    for args, params, _ in samples_of(name):
        given = _singles(args)
        if given[0].dtype.kind == "f":
            want = PRIMITIVES[name].reference(*given, **params)
            assert_same(evaluated(model_of(name, given, params), given), want)


# --- the file ---------------------------------------------------------------------------------------------


def test_names(tmp_path: Path) -> None:
    jitcore.export(export_programs.Block(), InputSpec(("batch", "length", 8)), tmp_path / "net.onnx")
    graph = onnx.load(tmp_path / "net.onnx").graph
    assert [i.name for i in graph.input] == ["x"]
    assert [d.dim_param or d.dim_value for d in graph.input[0].type.tensor_type.shape.dim] == ["batch", "length", 8]
    assert [d.dim_param or d.dim_value for d in graph.output[0].type.tensor_type.shape.dim] == ["batch", "length", 8]
    assert {"q.weight", "norm.gamma", "down.bias"} <= {i.name for i in graph.initializer}
    assert any(node.doc_string.startswith("export_programs.py:") for node in graph.node)


def test_names_of_arguments_in_containers_and_of_results(tmp_path: Path) -> None:
    function, inputs, _ = PROGRAMS["summary"]
    jitcore.export(function, inputs, str(tmp_path / "net.onnx"))
    graph = onnx.load(tmp_path / "net.onnx").graph
    assert [i.name for i in graph.input] == ["named.x", "named.y"]
    assert [o.name for o in graph.output] == ["total", "parts.0", "parts.1"]


def test_an_input_is_named_by_its_spec(tmp_path: Path) -> None:
    jitcore.export(lambda x: x + 1, InputSpec((2,), name="image"), tmp_path / "net.onnx")
    assert [i.name for i in onnx.load(tmp_path / "net.onnx").graph.input] == ["image"]


def test_a_model_that_is_refused_leaves_the_older_one(tmp_path: Path) -> None:
    jitcore.export(lambda x: x + 1, InputSpec((2,)), tmp_path / "net.onnx")
    before = (tmp_path / "net.onnx").read_bytes()
    with pytest.raises(CompileError):
        jitcore.export(export_programs.in_place, InputSpec((2,), of=np.ndarray), tmp_path / "net.onnx")
    assert (tmp_path / "net.onnx").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["net.onnx"]


# --- what is refused --------------------------------------------------------------------------------------


def several(x, k):
    x[0] = 1.0
    y = np.linalg.solve(x, x)
    if k < 0:
        raise ValueError("k is negative")
    print(k)
    return np.fft.fft(y)


def test_all_that_is_refused_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as raised:
        jitcore.export(several, (InputSpec((3, 3), "float64", of=np.ndarray), 2), tmp_path / "net.onnx")
    first = several.__code__.co_firstlineno
    error = raised.value
    assert error.headline == "cannot be exported to ONNX"
    assert {p.span.file for p in error.problems} == {__file__}
    assert {p.span.line - first for p in error.problems} >= {1, 2, 4, 5, 6}
    text = str(error)
    for said in (
        "it writes to the argument 'x'", "'solve'", "it raises ValueError", "text is printed", "complex numbers",
    ):  # fmt: skip
        assert said in text
    assert not (tmp_path / "net.onnx").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fibonacci", "a function calls itself"),
        ("counter", "it writes to 'count'"),
        ("text", "a list of any length is made"),
        ("caught", "exceptions are caught"),
        ("nested", "its result has None in it"),
        ("item", "it raises ValueError"),
    ],
)
def test_what_models_cannot(name: str, text: str, tmp_path: Path) -> None:
    function, inputs, _ = export_programs.PROGRAMS[name]
    with pytest.raises(CompileError, match=text):
        jitcore.export(function, inputs, tmp_path / "net.onnx")


def test_random_numbers_are_refused(tmp_path: Path) -> None:
    net = nn.Dropout(p=0.5)
    net.set_train(True)
    with pytest.raises(CompileError, match="random numbers are drawn") as raised:
        jitcore.export(net, InputSpec((2, 3)), tmp_path / "net.onnx")
    assert len(raised.value.problems) <= 3


def test_strings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="its result has"):
        jitcore.export(lambda n: f"n={n}", 3, tmp_path / "net.onnx")


def test_onnx_is_an_extra(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['onnx'] = None\n"
        "import jitcore\n"
        "jitcore.export(lambda x: x + 1, jitcore.InputSpec((2,)), 'net.onnx')"
    )
    (tmp_path / "program.py").write_text(program)
    run = subprocess.run([sys.executable, "program.py"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    assert "ImportError: exporting to ONNX needs the package onnx: pip install 'jitcore[onnx]'" in run.stderr


def test_importing_jitcore_does_not_import_onnx() -> None:
    program = "import sys, jitcore; assert not any(m == 'onnx' or m.startswith('onnx.') for m in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
