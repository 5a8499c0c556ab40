"""`jitcore serve`: answers are the model's own bits, requests are computed together and apart, and bad ones are refused."""

from __future__ import annotations

import importlib
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import uvicorn

import jitcore
from jitcore import InputSpec, Parameter, Tensor, nn, ops
from jitcore.cli import main
from jitcore.serve import interface, protocol
from jitcore.serve.app import make_app
from jitcore.serve.errors import RequestError
from jitcore.serve.limits import Limits
from jitcore.serve.metrics import Metrics
from jitcore.serve.models import Model
from jitcore.serve.repository import Repository

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "SERVING.md"


class Network(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 3)

    def construct(self, x):
        return ops.relu(self.dense(x))


class Counter(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.count = Parameter(np.zeros((), np.float32), name="count")

    def construct(self, x):
        self.count += 1
        return x * self.count


def double(x):
    return x * 2


def triple(x):
    return x * 3


def centred(x):
    return x - ops.reduce_mean(x, 0)


def pairs(x):
    return ops.matmul(x, ops.swapaxes(x, 0, 1))


def mixed(x, k, s, flag, none):
    return {"a": x * k, "b": (x.sum(), k + 1, None, s > 1.0, flag), "none": none}


def item(x, i):
    if i < 0:
        raise ValueError(f"i is {i}")
    return x[i]


def leaves(x):
    if x.sum() > 0:
        raise SystemExit(3)
    return x


def small(x, y):
    return x + 1, ~y


def texts(x):
    return f"{x.shape[0]}", x


ROWS = InputSpec(("n", 4))
ANY = InputSpec(("n",), "float64", of=np.ndarray)
MODELS: dict[str, tuple[Callable[..., Any], Any]] = {
    "net": (Network(), ROWS),
    "double": (double, ROWS),
    "centred": (centred, ROWS),
    "pairs": (pairs, ROWS),
    "counter": (Counter(), InputSpec((2,))),
    "mixed": (mixed, (InputSpec((2,), "float32", of=np.ndarray), 3, 1.5, True, None)),
    "item": (item, (ANY, 0)),
    "leaves": (leaves, ANY),
    "small": (small, (InputSpec((None,), "uint8", of=np.ndarray), InputSpec((2, 1), "bool", of=np.ndarray))),
    "half": (double, InputSpec(("n",), "float16", of=np.ndarray)),
    "texts": (texts, ANY),
}


class Server:
    """A server in a thread, and what tests ask it."""

    def __init__(self, paths: Sequence[Path], limits: Limits) -> None:
        self.repository = Repository(paths, limits, metrics := Metrics())
        self.server = uvicorn.Server(
            uvicorn.Config(make_app(self.repository, limits, metrics), port=0, log_level="error", ws="none")
        )
        started = self.server.startup
        ready = threading.Event()

        async def startup(*args: Any, **keywords: Any) -> None:
            await started(*args, **keywords)
            ready.set()

        self.server.startup = startup
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        assert ready.wait(60)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=60, limits=httpx.Limits(max_connections=None), trust_env=False
        )

    def stop(self) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join()

    def infer(
        self, name: str, body: Any, headers: Mapping[str, str] | None = None, version: str = ""
    ) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        path = f"/v2/models/{name}{f'/versions/{version}' if version else ''}/infer"
        return self.client.post(path, content=content, headers=headers)

    def metric(self, line: str) -> float:
        found = re.search(rf"^{re.escape(line)} (\S+)$", self.client.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    @contextmanager
    def blocked(self, name: str) -> Iterator[tuple[threading.Event, threading.Event]]:
        """Calls of a model wait in here: the first event says that one does, the second lets them go on."""
        model = self.repository.find(name, None).model
        entered, opened = threading.Event(), threading.Event()

        def call(arrays: Any) -> Any:
            entered.set()
            assert opened.wait(60)
            return Model.call(model, arrays)

        model.call = call
        try:
            yield entered, opened
        finally:
            opened.set()
            model.call = Model.call.__get__(model)

    def await_waiting(self, name: str, count: int) -> None:
        while self.metric(f'jitcore_queue_length{{model="{name}"}}') != count:
            pass


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("served")
    for name, (function, inputs) in MODELS.items():
        jitcore.export(function, inputs, root / name)
    return root


@pytest.fixture(scope="module")
def server(models: Path) -> Iterator[Server]:
    made = Server([models], Limits(max_latency=0.0, max_body=100_000))
    yield made
    made.stop()


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def start(*paths: Path, **limits: Any) -> Server:
        made.append(Server(paths, Limits(**limits)))
        return made[-1]

    yield start
    for one in made:
        one.stop()


def tensor(name: str, array: Any, **rest: Any) -> dict[str, Any]:
    array = np.asarray(array)
    told = {"name": name, "datatype": interface.DATATYPES[array.dtype.name], "shape": list(array.shape)}
    return {**told, "data": np.atleast_1d(array).tolist(), **rest}


def rows(*values: Any) -> dict[str, Any]:
    return {"inputs": [tensor("x", np.array(values, np.float32))]}


def outputs(response: httpx.Response) -> dict[str, np.ndarray]:
    """The arrays of an answer."""
    assert response.status_code == 200, response.text
    length = int(response.headers.get("Inference-Header-Content-Length", len(response.content)))
    told, left = json.loads(response.content[:length]), response.content[length:]
    found = {}
    dtypes = {datatype: name for name, datatype in interface.DATATYPES.items()}
    for one in told["outputs"]:
        dtype = np.dtype(dtypes[one["datatype"]])
        if "data" in one:
            array = np.array(one["data"], dtype)
        else:
            size = one["parameters"]["binary_data_size"]
            array, left = np.frombuffer(left[:size], dtype), left[size:]
        found[one["name"]] = array.reshape(one["shape"])
    assert not left
    return found


def error(response: httpx.Response) -> str:
    told = response.json()
    assert list(told) == ["error"]
    assert "Traceback" not in told["error"]
    return told["error"]


# --- what there is ------------------------------------------------------------------------------------


def test_the_server_and_its_health(server: Server) -> None:
    told = server.client.get("/v2").json()
    assert (told["name"], told["extensions"]) == ("jitcore", ["binary_tensor_data"])
    for path in ("/v2/health/live", "/v2/health/ready", "/v2/models/net/ready", "/v2/models/net/versions/1/ready"):
        assert server.client.get(path).status_code == 200


def test_metadata(server: Server) -> None:
    assert server.client.get("/v2/models/net").json() == {
        "name": "net",
        "versions": ["1"],
        "platform": "jitcore",
        "inputs": [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}],
        "outputs": [{"name": "output_0", "datatype": "FP32", "shape": [-1, 3]}],
    }
    told = server.client.get("/v2/models/mixed/versions/1").json()
    assert [(t["name"], t["datatype"], t["shape"]) for t in told["inputs"]] == [
        ("x", "FP32", [2]), ("k", "INT64", [1]), ("s", "FP64", [1]), ("flag", "BOOL", [1])
    ]  # fmt: skip
    assert [(t["name"], t["datatype"], t["shape"]) for t in told["outputs"]] == [
        ("a", "FP32", [2]), ("b.0", "FP32", []), ("b.1", "INT64", []), ("b.3", "BOOL", []), ("b.4", "BOOL", [])
    ]  # fmt: skip


# --- inference ----------------------------------------------------------------------------------------

X = np.array([[0.1, -2.5, 3e-41, 1e30], [1 / 3, 7.0, -0.0, 2.0]], np.float32)


@pytest.mark.parametrize("binary_in", [False, True])
@pytest.mark.parametrize("binary_out", [False, True])
def test_the_model_s_own_bits(server: Server, models: Path, binary_in: bool, binary_out: bool) -> None:
    expected = jitcore.load(models / "net")(Tensor(X)).asnumpy()
    given = tensor("x", X)
    headers, tail = {}, b""
    if binary_in:
        del given["data"]
        given["parameters"] = {"binary_data_size": X.nbytes}
        tail = X.tobytes()
    head = json.dumps({"inputs": [given], "id": "7", "parameters": {"binary_data_output": binary_out}}).encode()
    if binary_in:
        headers["Inference-Header-Content-Length"] = str(len(head))
    response = server.infer("net", head + tail, headers)
    assert outputs(response)["output_0"].tobytes() == expected.tobytes()
    assert ("Inference-Header-Content-Length" in response.headers) == binary_out
    assert b'"id":"7"' in response.content


@pytest.mark.parametrize("data", [[1, 2, 3, 4, 5, 6, 7, 8], [[1, 2, 3, 4], [5, 6, 7, 8]]])
def test_data_are_flat_or_nested(server: Server, data: list[Any]) -> None:
    body = {"inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 4], "data": data}]}
    assert outputs(server.infer("double", body))["output_0"].ravel().tolist() == [2, 4, 6, 8, 10, 12, 14, 16]


def test_numbers_and_containers(server: Server) -> None:
    x = np.array([1, 2], np.float32)
    given = [tensor("k", 4), tensor("s", [1.25]), tensor("x", x), tensor("flag", False)]
    found = outputs(server.infer("mixed", {"inputs": given}))
    assert {name: array.tolist() for name, array in found.items()} == {
        "a": [4, 8], "b.0": 3, "b.1": 5, "b.3": True, "b.4": False
    }  # fmt: skip
    wanted = [{"name": "b.1", "parameters": {"binary_data": True}}, {"name": "a"}]
    found = outputs(server.infer("mixed", {"inputs": given, "outputs": wanted}))
    assert (list(found), found["b.1"].tolist()) == (["b.1", "a"], 5)


def test_small_dtypes_and_no_elements(server: Server) -> None:
    given = [tensor("x", np.array([0, 254], np.uint8)), tensor("y", [[True], [False]])]
    found = outputs(server.infer("small", {"inputs": given}))
    assert (found["output_0"].tolist(), found["output_1"].tolist()) == ([1, 255], [[False], [True]])
    assert outputs(server.infer("half", {"inputs": [tensor("x", np.array([0.1], np.float16))]}))[
        "output_0"
    ] == 2 * np.float16(0.1)
    assert outputs(server.infer("double", {"inputs": [tensor("x", np.ones((0, 4), np.float32))]}))[
        "output_0"
    ].shape == (0, 4)


def test_nan_is_answered_in_binary_only(server: Server) -> None:
    head = {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": 16}}]}
    x = np.array([np.nan, np.inf, 1, 2], np.float32).tobytes()

    def asked(**more: Any) -> httpx.Response:
        text = json.dumps({**head, **more}).encode()
        return server.infer("double", text + x, {"Inference-Header-Content-Length": str(len(text))})

    assert "binary_data" in error(asked())
    found = outputs(asked(parameters={"binary_data_output": True}))["output_0"]
    assert np.array_equal(found, [[np.nan, np.inf, 2, 4]], equal_nan=True)


def test_tensors_of_other_kinds(tmp_path: Path) -> None:
    torch = importlib.import_module("jitcore.compat.torch.tensor").Tensor
    numbers = [1.0] * 100
    jitcore.export(
        lambda x, c, v: (x * c, sum(v)), (InputSpec(("n", 2), of=torch), np.float32(2), numbers), tmp_path / "m"
    )
    model = Model("m", 1, tmp_path / "m")
    assert [(i.name, i.dtype.name, i.shape) for i in model.interface.inputs] == [
        ("x", "float32", ("n", 2)), ("c", "float32", ()), ("v", "float64", (None,))
    ]  # fmt: skip
    found = model.call([np.ones((3, 2), np.float32), np.array(3, np.float32), np.ones(100)])
    assert {name: array.tolist() for name, array in found.items()} == {"output_0": [[3, 3]] * 3, "output_1": 100}


def test_a_model_that_changes_its_parameters_is_called_once_a_request(server: Server) -> None:
    body = {"inputs": [tensor("x", np.ones(2, np.float32))]}
    with ThreadPoolExecutor(8) as pool:
        found = [outputs(r)["output_0"][0] for r in pool.map(lambda _: server.infer("counter", body), range(20))]
    assert sorted(found) == list(range(1, 21))


# --- requests computed together -----------------------------------------------------------------------


def together(server: Server, name: str, bodies: Sequence[Any]) -> list[httpx.Response]:
    """The answers to requests that all wait while the model is called with the first of them."""
    with ThreadPoolExecutor(len(bodies) + 1) as pool, server.blocked(name) as (entered, opened):
        pool.submit(server.infer, name, bodies[0])
        assert entered.wait(60)
        waiting: list[Future[httpx.Response]] = []
        for count, body in enumerate(bodies, 1):
            waiting.append(pool.submit(server.infer, name, body))
            server.await_waiting(name, count)
        opened.set()
        return [answer.result() for answer in waiting]


def calls(server: Server, name: str) -> tuple[float, float]:
    """How many calls of a model there were, of how many rows."""
    return (
        server.metric(f'jitcore_batch_rows_count{{model="{name}"}}'),
        server.metric(f'jitcore_batch_rows_sum{{model="{name}"}}'),
    )


def test_the_examples_of_the_guide_run(
    start: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exporting, asking = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (tmp_path / "exporting.py").write_text(exporting)
    exec(compile(exporting, str(tmp_path / "exporting.py"), "exec"), {"__name__": "__main__"})
    here = str(start(tmp_path / "models").client.base_url).rstrip("/")
    assert "http://localhost:8000" in asking
    exec(asking.replace("http://localhost:8000", here), {"__name__": "__main__"})
    assert capsys.readouterr().out.endswith("[2. 2. 2. 2.]\n")


@pytest.mark.parametrize("name", ["double", "net"])
def test_each_gets_its_own_rows(start: Callable[..., Server], models: Path, name: str) -> None:
    server = start(models / name, max_latency=0.0)
    model = jitcore.load(models / name)
    given = [np.random.default_rng(k).standard_normal((1 + k % 3, 4)).astype(np.float32) for k in range(12)]
    bodies = [{"inputs": [tensor("x", x)]} for x in given]
    for tried in (True, False):
        before = calls(server, name)
        found = [outputs(answer)["output_0"] for answer in together(server, name, bodies)]
        for x, y in zip(given, found, strict=True):
            assert np.allclose(y, model(Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-6)
        count, total = (a - b for a, b in zip(calls(server, name), before, strict=True))
        # the first alone; all in one call; when that is tried first, each alone, too
        assert (count, total) == ((14, 49) if tried else (2, 25))


def test_no_more_rows_than_the_limit(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_latency=0.0, max_batch=4)
    together(server, "double", [rows([k] * 4) for k in range(8)])
    before, _ = calls(server, "double")
    found = together(server, "double", [rows([k] * 4) for k in range(8)])
    assert [outputs(f)["output_0"].tolist() for f in found] == [[[2 * k] * 4] for k in range(8)]
    assert calls(server, "double")[0] - before == 3


def test_requests_alone_where_that_is_asked_for(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_batch=1)
    together(server, "double", [rows([k] * 4) for k in range(3)])
    assert calls(server, "double") == (4, 4)


@pytest.mark.parametrize("name", ["centred", "pairs"])
def test_models_whose_rows_depend_on_each_other(start: Callable[..., Server], models: Path, name: str) -> None:
    server = start(models / name, max_latency=0.0)
    model = jitcore.load(models / name)
    given = [np.random.default_rng(k).standard_normal((2, 4)).astype(np.float32) for k in range(3)]
    same, different = [[{"inputs": [tensor("x", x)]} for x in xs] for xs in ([given[0]] * 3, given)]
    for bodies, xs in ((same, [given[0]] * 3), (different, given), (different, given)):
        for x, answer in zip(xs, together(server, name, bodies), strict=True):
            assert outputs(answer)["output_0"].tobytes() == model(Tensor(x)).asnumpy().tobytes()
    before = calls(server, name)[0]
    together(server, name, different)
    assert calls(server, name)[0] - before == 4


def test_one_bad_request_does_not_fail_others(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "leaves", max_latency=0.0)
    bodies = [{"inputs": [tensor("x", [value])]} for value in (-1.0, 5.0, -2.0)]
    answers = together(server, "leaves", bodies)
    assert [a.status_code for a in answers] == [200, 400, 200]
    assert error(answers[1]) == "SystemExit: 3"
    assert outputs(answers[2])["output_0"].tolist() == [-2.0]


def test_a_request_waits_for_others_no_longer_than_it_may(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_latency=0.001)
    assert outputs(server.infer("double", rows([1] * 4)))["output_0"].tolist() == [[2] * 4]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda k: outputs(server.infer("double", rows([k] * 4)))["output_0"][0, 0], range(40)))
    assert found == [2 * k for k in range(40)]


# --- what is refused ----------------------------------------------------------------------------------


def bad(**changes: Any) -> dict[str, Any]:
    return {"inputs": [{**rows([1, 2, 3, 4])["inputs"][0], **changes}]}


BAD: dict[str, tuple[Any, str]] = {
    "nothing": (b"", "is no JSON"),
    "no JSON": (b"{'inputs': []}", "is no JSON"),
    "no UTF-8": (b"\xff{}", "is no JSON"),
    "deep": (b"[" * 90_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 15_000, "nested too deeply"),
    "deep data": (b'{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":' + b"[" * 50_000, "nested too deeply"),
    "a list": (b"[]", "no object"),
    "no inputs": ({}, 'no list "inputs"'),
    "inputs of another kind": ({"inputs": {}}, 'no list "inputs"'),
    "an input of another kind": ({"inputs": [3]}, "an input is no object"),
    "missing": ({"inputs": []}, "the input 'x' is missing"),
    "twice": ({"inputs": rows([1, 2, 3, 4])["inputs"] * 2}, "given twice"),
    "unknown input": (bad(name="y"), "no input 'y'"),
    "a surrogate": (b'{"inputs":[{"name":"\\ud800"}]}', "no input"),
    "an unnamed input": (bad(name=None), "no input None"),
    "a name of another kind": (bad(name=["x"]), "no input"),
    "another datatype": (bad(datatype="FP64"), "is of FP32, not of 'FP64'"),
    "no datatype": (bad(datatype=7), "is of FP32"),
    "no shape": (bad(shape=None), "is a list of extents"),
    "negative": (bad(shape=[-1, 4]), "extents from 0 on"),
    "an extent of another kind": (bad(shape=[1.0, 4]), "extents from 0 on"),
    "an extent of True": (bad(shape=[True, 4]), "extents from 0 on"),
    "huge": (bad(shape=[1 << 62, 4]), "neither 18446744073709551616 elements"),
    "beyond int64": (bad(shape=[10**30, 4]), "extents from 0 on"),
    "another rank": (bad(shape=[4]), "is of shape [-1, 4], not [4]"),
    "another extent": (bad(shape=[1, 5]), "is of shape [-1, 4], not [1, 5]"),
    "too few": (bad(data=[1, 2, 3]), "neither 4 elements"),
    "too many": (bad(data=[1, 2, 3, 4, 5]), "neither 4 elements"),
    "nested otherwise": (bad(data=[[1, 2], [3, 4]]), "nor nested as"),
    "nested in part": (bad(data=[[1, 2, 3], 4]), "nor nested as"),
    "nested too far": (bad(data=[[[1], [2], [3], [4]]]), "not all numbers"),
    "strings": (bad(data=["1", "2", "3", "4"]), "not all numbers"),
    "bools": (bad(data=[True, 2, 3, 4]), "not all numbers"),
    "null": (bad(data=[None, 2, 3, 4]), "not all numbers"),
    "no data": (bad(data=None), 'no list "data"'),
    "NaN": (bad(data=[float("nan"), 2, 3, 4]), "NaN is no number of JSON's"),
    "infinity": (bad(data=[float("-inf"), 2, 3, 4]), "-Infinity is no number of JSON's"),
    "too large": (bad(data=[1e39, 2, 3, 4]), "not all in FP32"),
    "too large for floats": (bad(data=[10**400, 2, 3, 4]), "not all in FP32"),
    "too large for JSON": (b'{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1e999,1,1,1]}]}', "not all in FP32"),
    "too many digits": (b'{"inputs":[' + b"1" * 5000 + b"]}", "is no JSON"),
    "parameters": (bad(parameters=3), '"parameters" of the input'),
    "binary data that are not there": (bad(parameters={"binary_data_size": 16}), "has both"),
    "id": ({**rows([1, 2, 3, 4]), "id": 7}, '"id" is not a string'),
    "outputs": ({**rows([1, 2, 3, 4]), "outputs": 7}, '"outputs" is not a list'),
    "an output of another kind": ({**rows([1, 2, 3, 4]), "outputs": [7]}, "an output is no object"),
    "an unknown output": ({**rows([1, 2, 3, 4]), "outputs": [{"name": "y"}]}, "no output 'y'"),
    "an unnamed output": ({**rows([1, 2, 3, 4]), "outputs": [{}]}, "an output has no name"),
    "classification": (
        {**rows([1, 2, 3, 4]), "outputs": [{"name": "output_0", "parameters": {"classification": 2}}]},
        "classification",
    ),
    "a flag of another kind": ({**rows([1, 2, 3, 4]), "parameters": {"binary_data_output": 1}}, "true or false"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_requests(server: Server, name: str) -> None:
    body, message = BAD[name]
    response = server.infer("double", body)
    assert (response.status_code, message in error(response)) == (400, True), response.text


@pytest.mark.parametrize(
    ("size", "tail", "length", "message"),
    [
        (12, bytes(12), None, "takes 16 bytes, not 12"),
        (16, bytes(12), None, "there are 12 left"),
        (16, bytes(20), None, "4 bytes after the JSON"),
        (16.0, bytes(16), None, "takes 16 bytes, not 16.0"),
        (True, bytes(1), None, "takes 16 bytes, not True"),
        (16, bytes(16), "100000", "no length of JSON"),
        (16, bytes(16), "-1", "no length of JSON"),
        (16, bytes(16), "1e3", "no length of JSON"),
        (16, bytes(16), "10", "is no JSON"),
    ],
)
def test_bad_binary_data(server: Server, size: Any, tail: bytes, length: str | None, message: str) -> None:
    given = {"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": size}}
    head = json.dumps({"inputs": [given]}).encode()
    response = server.infer("double", head + tail, {"Inference-Header-Content-Length": length or str(len(head))})
    assert (response.status_code, message in error(response)) == (400, True), response.text


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("item", [tensor("x", [1.0]), tensor("i", -2)], "ValueError: i is -2"),
        ("item", [tensor("x", [1.0]), tensor("i", 5)], "IndexError: "),
        ("item", [tensor("x", [1.0]), {**tensor("i", 0), "data": [1.0]}], "not all ints"),
        ("item", [tensor("x", [1.0]), {**tensor("i", 0), "data": [1 << 63]}], "not all in INT64"),
        ("item", [tensor("x", [1.0]), tensor("i", [0, 1])], "is of shape [1], not [2]"),
        ("leaves", [tensor("x", [1.0])], "SystemExit: 3"),
        ("small", [{**tensor("x", np.zeros(1, np.uint8)), "data": [256]}, tensor("y", [[True], [True]])], "in UINT8"),
        ("small", [tensor("x", np.zeros(1, np.uint8)), {**tensor("y", [[True], [True]]), "data": [1, 0]}], "true or false"),
        ("texts", [tensor("x", [1.0])], "output_0 of the model's result is a str"),
    ],
)  # fmt: skip
def test_what_a_model_refuses(server: Server, name: str, given: list[Any], message: str) -> None:
    response = server.infer(name, {"inputs": given})
    assert (response.status_code, message in error(response)) == (400, True), response.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v2/models/nothing/infer", 404),
        ("POST", "/v2/models/double/versions/2/infer", 404),
        ("POST", "/v2/models/double/versions/one/infer", 404),
        ("GET", "/v2/models/nothing", 404),
        ("GET", "/v2/models/%ff%00", 404),
        ("GET", "/v2/models/..%2f..%2fetc/ready", 404),
        ("POST", "/v2/repository/models/nothing/load", 404),
        ("POST", "/v2/repository/models/..%2fdouble/load", 404),
        ("GET", "/nowhere", 404),
        ("GET", "/docs", 404),
        ("GET", "/v2/models/double/infer", 405),
    ],
)
def test_what_there_is_not(server: Server, method: str, path: str, status: int) -> None:
    response = server.client.request(method, path)
    assert response.status_code == status
    assert error(response)
    assert "nothing" not in server.client.get("/metrics").text


def test_large_bodies(server: Server) -> None:
    assert "more than 100000 bytes" in error(response := server.infer("double", b" " * 100_001))
    assert response.status_code == 413
    chunks = (b" " * 1000 for _ in range(200))
    assert server.client.post("/v2/models/double/infer", content=chunks).status_code == 413
    assert server.infer("double", b"{}", {"Content-Encoding": "gzip"}).status_code == 415


def test_a_full_queue(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_latency=0.0, queue=2)
    with ThreadPoolExecutor(2) as pool, server.blocked("double") as (entered, opened):
        first = pool.submit(server.infer, "double", rows([1] * 4))
        assert entered.wait(60)
        second = pool.submit(server.infer, "double", rows([2] * 4))
        server.await_waiting("double", 1)
        refused = server.infer("double", rows([3] * 4))
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert "2 requests for the model 'double'" in error(refused)
        opened.set()
        assert [outputs(f.result())["output_0"][0, 0] for f in (first, second)] == [2, 4]
    assert server.infer("double", rows([1] * 4)).status_code == 200
    assert server.metric('jitcore_requests_total{model="double",status="503"}') == 1
    assert server.metric('jitcore_requests_total{model="double",status="200"}') == 3


def test_mutated_bodies(server: Server) -> None:
    """None is a fault of the server's; those it takes are requests."""
    chance = random.Random(1)
    head = json.dumps({**rows([1, 2, 3, 4]), "id": "a", "outputs": [{"name": "output_0"}]}).encode()
    statuses = []
    for _ in range(300):
        body = bytearray(head)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(body))
            piece = chance.choice(
                [b"", b"[", b"]", b"{", b"}", b'"', b"-", b"9" * 30, b"null", bytes([chance.randrange(256)])]
            )
            body[at : at + chance.randint(0, 3)] = piece
        response = server.infer("double", bytes(body))
        statuses.append(response.status_code)
        if response.status_code == 200:
            json.loads(body)
        else:
            assert response.status_code == 400
            assert error(response)
    assert statuses.count(400) > 250
    assert outputs(server.infer("double", head))["output_0"].tolist() == [[2, 4, 6, 8]]


# --- versions and reloading ---------------------------------------------------------------------------


def test_versions(start: Callable[..., Server], tmp_path: Path) -> None:
    jitcore.export(double, ROWS, tmp_path / "scale" / "2")
    jitcore.export(triple, ROWS, tmp_path / "scale" / "10")
    (tmp_path / "scale" / "notes").mkdir()
    (tmp_path / "notes.txt").write_text("")
    server = start(tmp_path)
    assert server.client.get("/v2/models/scale").json()["versions"] == ["2", "10"]
    found = [outputs(server.infer("scale", rows([1] * 4), version=v))["output_0"][0, 0] for v in ("", "2", "10")]
    assert found == [3, 2, 3]
    assert server.infer("scale", rows([1] * 4), version="02").status_code == 404
    jitcore.export(double, ROWS, tmp_path / "scale" / "11")
    jitcore.export(double, ROWS, tmp_path / "new")
    told = server.client.post("/v2/repository/models/scale/load").json()
    assert told == {"name": "scale", "versions": ["2", "10", "11"]}
    assert server.client.post("/v2/repository/models/new/load").json() == {"name": "new", "versions": ["1"]}
    assert [outputs(server.infer(n, rows([1] * 4)))["output_0"][0, 0] for n in ("scale", "new")] == [2, 2]


def test_a_folder_of_versions_is_one_model(start: Callable[..., Server], tmp_path: Path) -> None:
    jitcore.export(double, ROWS, tmp_path / "scale" / "1")
    jitcore.export(triple, ROWS, tmp_path / "scale" / "3")
    server = start(tmp_path / "scale")
    assert server.client.get("/v2/models/scale").json()["versions"] == ["1", "3"]


def test_requests_under_way_end_on_the_model_they_began_with(start: Callable[..., Server], tmp_path: Path) -> None:
    jitcore.export(double, ROWS, tmp_path / "scale")
    server = start(tmp_path / "scale", max_latency=0.0)
    with ThreadPoolExecutor(2) as pool, server.blocked("scale") as (entered, opened):
        old = pool.submit(server.infer, "scale", rows([1] * 4))
        assert entered.wait(60)
        jitcore.export(triple, ROWS, tmp_path / "scale")
        assert server.client.post("/v2/repository/models/scale/load").status_code == 200
        assert outputs(server.infer("scale", rows([1] * 4)))["output_0"][0, 0] == 3
        opened.set()
        assert outputs(old.result())["output_0"][0, 0] == 2


def test_reloading_under_load(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_latency=0.001)
    over = threading.Event()

    def ask(k: int) -> int:
        count = 0
        while not over.is_set():
            assert outputs(server.infer("double", rows([k] * 4)))["output_0"].tolist() == [[2 * k] * 4]
            count += 1
        return count

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask, k) for k in range(4)]
        try:
            for _ in range(5):
                assert server.client.post("/v2/repository/models/double/load").status_code == 200
        finally:
            over.set()
        assert all(a.result() for a in asking)


def test_a_damaged_folder_leaves_the_model(start: Callable[..., Server], tmp_path: Path) -> None:
    jitcore.export(double, ROWS, tmp_path / "double")
    server = start(tmp_path)
    with open(tmp_path / "double" / "program_0.ir", "ab") as file:
        file.write(b"#")
    refused = server.client.post("/v2/repository/models/double/load")
    assert (refused.status_code, "is damaged" in error(refused)) == (400, True)
    assert outputs(server.infer("double", rows([1] * 4)))["output_0"].tolist() == [[2] * 4]
    shutil.rmtree(tmp_path / "double")
    assert server.client.post("/v2/repository/models/double/load").status_code == 400
    assert server.infer("double", rows([1] * 4)).status_code == 200


def test_the_end_waits_for_requests_under_way(start: Callable[..., Server], models: Path) -> None:
    server = start(models / "double", max_latency=0.0)
    with ThreadPoolExecutor(1) as pool, server.blocked("double") as (entered, opened):
        answer = pool.submit(server.infer, "double", rows([1] * 4))
        assert entered.wait(60)
        server.server.should_exit = True
        while server.server.servers[0].is_serving():
            pass
        opened.set()
        assert outputs(answer.result())["output_0"].tolist() == [[2] * 4]
    server.thread.join()


# --- the protocol's bytes -----------------------------------------------------------------------------


def test_answers_name_what_was_not_foreseen(models: Path) -> None:
    model = Model("net", 1, models / "net")
    asked = protocol.read_request(
        json.dumps({**rows([1, 2, 3, 4]), "outputs": [{"name": "output_0"}]}).encode(), None, model.interface
    )
    with pytest.raises(RequestError, match="has no output 'output_0': its outputs are other"):
        protocol.answer(asked, {"other": np.ones(1)}, "net", "1")


def test_two_parts_of_one_name() -> None:
    with pytest.raises(RequestError, match="two parts of the name '1'"):
        interface.arrays_of({1: 2.0, "1": 3.0})


# --- the command --------------------------------------------------------------------------------------


def test_the_command_serves_reloads_and_ends(tmp_path: Path) -> None:
    jitcore.export(double, ROWS, tmp_path / "scale")
    process = subprocess.Popen(
        [sys.executable, "-m", "jitcore", "serve", str(tmp_path / "scale"), "--port", "0"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            found = re.fullmatch(r"serving scale at (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())
            assert found is not None
            url = f"{found[1]}/v2/models/scale/infer"
            with httpx.Client(trust_env=False, timeout=60) as client:
                assert outputs(client.post(url, json=rows([1] * 4)))["output_0"][0, 0] == 2
                jitcore.export(triple, ROWS, tmp_path / "scale")
                process.send_signal(signal.SIGHUP)
                assert process.stderr.readline() == "loaded scale\n"
                assert outputs(client.post(url, json=rows([1] * 4)))["output_0"][0, 0] == 3
                (tmp_path / "scale" / "manifest.json").write_text("{}")
                process.send_signal(signal.SIGHUP)
                assert process.stderr.readline().endswith("it stays as it was\n")
                process.send_signal(signal.SIGTERM)
                assert (process.wait(60), process.stderr.read()) == (0, "")
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["{}/nowhere"], "jitcore: cannot read the folder '{}/nowhere': No such file or directory"),
        (["{}/empty"], "jitcore: there is no exported model at '{}/empty', NAME/ or NAME/VERSION/ in it"),
        (["{}/models", "{}/models/double"], "jitcore: there are two models 'double'"),
        (["{}/damaged"], "jitcore: {}/damaged holds no exported model"),
        (["{}/complex"], "jitcore: {}/complex cannot be served: its argument 'x' is a complex64[?], for which"),
        (["{}/pair"], "cannot be served: its argument 'x' is a tuple(float32[2], int), for which"),
        (["{}/models", "--host", "no.such.host.invalid"], "jitcore: cannot listen on no.such.host.invalid:0"),
    ],
)
def test_what_is_not_served(
    tmp_path: Path, models: Path, paths: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "models").symlink_to(models)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "manifest.json").write_text("{")
    jitcore.export(double, InputSpec((None,), "complex64"), tmp_path / "complex")
    jitcore.export(lambda x: x[0] * x[1], ((Tensor(np.ones(2, np.float32)), 2),), tmp_path / "pair")
    assert main(["serve", *(p.format(tmp_path) for p in paths), "--port", "0"]) == 2
    found = capsys.readouterr().err
    assert message.format(tmp_path) in found
    assert found.count("\n") == 1


@pytest.mark.parametrize(
    "option", ["--max-batch=0", "--queue=-1", "--max-latency-ms=nan", "--port=70000", "--max-body-mb=x"]
)
def test_options_that_are_none(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "models", option])
    assert f"argument {option.partition('=')[0]}" in capsys.readouterr().err


def test_without_the_packages(
    monkeypatch: pytest.MonkeyPatch, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "jitcore.serve.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", str(models)]) == 2
    assert capsys.readouterr().err == "jitcore: serving needs the package 'uvicorn': pip install 'jitcore[serve]'\n"


def test_the_packages_are_not_imported_before_they_are_needed() -> None:
    code = "import sys, jitcore, jitcore.cli; print(*({'fastapi', 'uvicorn', 'prometheus_client', 'pydantic'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
