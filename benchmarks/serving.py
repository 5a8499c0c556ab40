"""Serves LeNet on the loopback interface, and measures it under load beside the bare call and beside onnxruntime.

    python benchmarks/serving.py                                 # all of it: some minutes
    python benchmarks/serving.py --requests 2000 --soak 5000     # a look at it

The server is a process of its own (`jitcore serve`). The load comes from `h2load` (Debian's nghttp2-client), whose log of
requests the percentiles are of. onnxruntime computes behind the same application, in the place of the model's call.
What must hold, or the exit status is 1: no request fails, also while the model is reloaded and a client is killed; memory
does not grow; malformed requests are answered with 4xx.

The generator runs on the same cores as the server: figures are of both together, and of a quiet machine only.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import importlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from export_programs import NETWORK  # noqa: E402

import jitcore  # noqa: E402
from jitcore import InputSpec, Tensor  # noqa: E402

PATH = "/v2/models/lenet/infer"
CLIENTS = (1, 8, 64)
SHAPE = (1, 1, 28, 28)
GROWTH = 16.0
"""MiB that a server's memory may grow by after its first requests: allocators and caches settle late."""


@dataclass(frozen=True)
class Body:
    """A request."""

    data: bytes
    headers: dict[str, str]


def body(kind: str) -> Body:
    """A request with an image, as JSON or in binary."""
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    told: dict[str, Any] = {"name": "x", "datatype": "FP32", "shape": list(SHAPE)}
    if kind == "json":
        return Body(
            json.dumps({"inputs": [{**told, "data": x.ravel().tolist()}]}).encode(),
            {"Content-Type": "application/json"},
        )
    given = {**told, "parameters": {"binary_data_size": x.nbytes}}
    head = json.dumps({"inputs": [given], "parameters": {"binary_data_output": True}}).encode()
    headers = {"Inference-Header-Content-Length": str(len(head)), "Content-Type": "application/octet-stream"}
    return Body(head + x.tobytes(), headers)


# --- servers -----------------------------------------------------------------------------------------


class Server:
    """A server's process."""

    def __init__(self, command: Sequence[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        self.process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found is None:
            raise RuntimeError(f"the server did not begin: {line}")
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, given: Body | None = None) -> tuple[int, bytes]:
        """A request on a connection of its own."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, given.data if given else None, given.headers if given else {})
            answer = connection.getresponse()
            return answer.status, answer.read()

    @property
    def memory(self) -> float:
        """What it has in memory, in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60):
            raise RuntimeError(f"the server ended with {self.process.returncode}")
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def serving(*command: str) -> Iterator[Server]:
    server = Server(command)
    try:
        yield server
    finally:
        server.stop()


def serve_onnx(model: Path, folder: Path) -> None:
    """The application of `jitcore serve`, in which onnxruntime computes."""
    session = importlib.import_module("onnxruntime").InferenceSession(str(model))
    (name,) = (i.name for i in session.get_inputs())
    models = importlib.import_module("jitcore.serve.models")
    models.Model.call = lambda self, arrays: {"output_0": session.run(None, {name: arrays[0]})[0]}
    importlib.import_module("jitcore.cli").main(["serve", str(folder), "--port", "0"])


# --- load --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What requests came to: how many a second, and milliseconds that half of them, and 99 of 100, took no longer than."""

    rate: float
    median: float
    slow: float
    failed: int


def load(server: Server, given: Body, clients: int, requests: int, folder: Path) -> Measured:
    """Requests of so many clients, each of which waits for its answers."""
    log = folder / f"log-{random.random()}"
    start = time.perf_counter()
    subprocess.run(_command(server, given, clients, requests, folder, log), check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    rows = np.loadtxt(log, dtype=np.int64, ndmin=2)
    took = rows[:, 2] / 1e3
    failed = requests - int((rows[:, 1] == 200).sum())
    return Measured(requests / seconds, float(np.median(took)), float(np.quantile(took, 0.99)), failed)


def _command(server: Server, given: Body, clients: int, requests: int, folder: Path, log: Path) -> list[str]:
    data = folder / f"body-{len(given.data)}"
    data.write_bytes(given.data)
    headers = [part for name, value in given.headers.items() for part in ("-H", f"{name}: {value}")]
    return [
        "h2load", "-p", "http/1.1", "-n", str(requests), "-c", str(clients), "-d", str(data), *headers,
        f"--log-file={log}", server.url + PATH,
    ]  # fmt: skip


def bare(call: Callable[[], object], count: int) -> Measured:
    """Calls without a server, one after the other."""
    for _ in range(100):
        call()
    took = np.empty(count)
    for k in range(count):
        start = time.perf_counter()
        call()
        took[k] = (time.perf_counter() - start) * 1e3
    return Measured(1e3 / float(took.mean()), float(np.median(took)), float(np.quantile(took, 0.99)), 0)


def soak(server: Server, requests: int, folder: Path) -> tuple[Measured, list[float]]:
    """Many requests of 64 clients; what the server has in memory meanwhile, every half second."""
    load(server, body("binary"), 64, min(2000, requests), folder)
    sizes: list[float] = []
    over = threading.Event()

    def sample() -> None:
        while not over.wait(0.5):
            sizes.append(server.memory)

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        measured = load(server, body("binary"), 64, requests, folder)
    finally:
        over.set()
        thread.join()
    return measured, [*sizes, server.memory]


# --- what must not be lost ---------------------------------------------------------------------------


def ask_steadily(server: Server, seconds: float, clients: int, meanwhile: Callable[[], None]) -> tuple[int, list[str]]:
    """Requests of some clients while something is done: how many were answered, and what failed."""
    given = body("binary")
    expected = server.ask("POST", PATH, given)[1][-40:]
    over = time.monotonic() + seconds
    answered = 0
    failed: list[str] = []
    lock = threading.Lock()

    def ask() -> None:
        nonlocal answered
        while time.monotonic() < over:
            try:
                status, answer = server.ask("POST", PATH, given)
            except OSError as error:
                failed.append(repr(error))
                continue
            close = np.allclose(np.frombuffer(answer[-40:], np.float32), np.frombuffer(expected, np.float32), atol=1e-4)
            if status != 200 or not close:
                failed.append(f"{status} {answer[:200]!r}")
            with lock:
                answered += 1

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        meanwhile()
    finally:
        for thread in threads:
            thread.join()
    return answered, failed


def disturb(server: Server, folder: Path, times: int = 3) -> None:
    """Reload the model, and end clients in the middle: of a body, of waiting for an answer, and a whole generator."""
    given = body("binary")
    head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(given.data)}\r\n"
    head += "".join(f"{k}: {v}\r\n" for k, v in given.headers.items()) + "\r\n"
    for _ in range(times):
        status, answer = server.ask("POST", "/v2/repository/models/lenet/load")
        if status != 200:
            raise RuntimeError(f"the model was not reloaded: {status} {answer!r}")
        for part in (head.encode()[:40], head.encode() + given.data[:500], head.encode() + given.data):
            with contextlib.closing(socket.create_connection(("127.0.0.1", server.port))) as connection:
                connection.sendall(part)
                connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0"
                )  # a reset, as of one killed
        if shutil.which("h2load"):
            command = _command(server, given, 4, 10**6, folder, folder / "killed")
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as generator:
                time.sleep(0.3)
                generator.kill()


def malformed(server: Server, count: int, seed: int = 0) -> dict[int, int]:
    """Requests that are none, and how many were answered with each status."""
    chance = random.Random(seed)
    found: dict[int, int] = {}
    for k in range(count):
        given = body(("json", "binary")[k % 2])
        data = bytearray(given.data)
        head = data.index(b"}") if k % 2 else len(data)
        match k % 5:
            case 0:
                del data[chance.randrange(1, len(data)) :]
            case 1:
                data[chance.randrange(4)] = chance.choice(b"\0[]}x\xff")
            case 2:
                at = data.index(b"shape")
                data[at : at + 5] = bytes(chance.randrange(97, 123) for _ in range(5))
            case 3:
                at = data.index(b"28")
                data[at : at + 2] = str(chance.choice((-1, 0, 27, 29, 10**30, 1.5))).encode()
            case _:
                data[chance.randrange(2, head) : 0] = b'"'
                data = data.replace(b'"FP32"', chance.choice((b"FP32", b'"FP64"', b"32", b"[]")))
        status, _ = server.ask("POST", PATH, Body(bytes(data), given.headers))
        found[status] = found.get(status, 0) + 1
    return found


# --- all of it ---------------------------------------------------------------------------------------


def row(name: str, measured: Measured) -> bool:
    """Print a line of the table; whether no request failed."""
    print(
        f"{name:<40}{measured.rate:>10.0f}{measured.median:>10.2f}{measured.slow:>10.2f}{measured.failed:>8}",
        flush=True,
    )
    return not measured.failed


def measure(folder: Path, requests: int, steady: int) -> bool:
    """Print what is found; whether all is as it must be."""
    model, onnx = folder / "lenet", folder / "lenet.onnx"
    jitcore.export(NETWORK, InputSpec(("n", *SHAPE[1:])), model)
    jitcore.export(NETWORK, InputSpec(("n", *SHAPE[1:])), onnx)
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    loaded, given = jitcore.load(model), Tensor(x)
    session = importlib.import_module("onnxruntime").InferenceSession(str(onnx))
    names = [i.name for i in session.get_inputs()]
    print(f"{'':<40}{'a second':>10}{'p50 ms':>10}{'p99 ms':>10}{'failed':>8}")
    fine = row("jitcore, the bare call", bare(lambda: loaded(given), 5000))
    fine &= row("onnxruntime, the bare call", bare(lambda: session.run(None, {names[0]: x}), 5000))
    own = ("-m", "jitcore", "serve", str(model), "--port", "0")
    other = (__file__, "--serve-onnx", str(onnx), str(model))
    for title, command in (("jitcore", own), ("onnxruntime", other)):
        with serving(*command) as server:
            for kind in ("binary", "json"):
                load(server, body(kind), 8, 200, folder)
                for clients in CLIENTS:
                    measured = load(server, body(kind), clients, requests, folder)
                    fine &= row(f"{title}, {kind}, {clients} clients", measured)
    with serving(*own) as server:
        measured, sizes = soak(server, steady, folder)
        fine &= row(f"jitcore, {steady} requests of 64 clients", measured)
        print(f"memory: {sizes[0]:.0f} MiB at first, {max(sizes):.0f} at most, {sizes[-1]:.0f} at last")
        fine &= sizes[-1] - sizes[0] < GROWTH
        answered, failed = ask_steadily(server, 10, 8, lambda: disturb(server, folder))
        print(f"reloads and killed clients meanwhile: {answered} requests answered, {len(failed)} failed {failed[:3]}")
        fine &= not failed
        statuses = malformed(server, 1000)
        print(f"malformed requests by status: {statuses}")
        fine &= all(400 <= status < 500 for status in statuses)
        fine &= server.ask("POST", PATH, body("binary"))[0] == 200
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000, help="of each line of the table (default: %(default)s)")
    parser.add_argument("--soak", type=int, default=100_000, help="while memory is looked at (default: %(default)s)")
    parser.add_argument("--serve-onnx", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve_onnx:
        serve_onnx(*options.serve_onnx)
        return 0
    if shutil.which("h2load") is None:
        parser.error("h2load is not installed: apt-get install nghttp2-client")
    with tempfile.TemporaryDirectory() as folder:
        return int(not measure(Path(folder), options.requests, options.soak))


if __name__ == "__main__":
    sys.exit(main())
