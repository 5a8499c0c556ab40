"""The server's process under requests of many, of clients that are killed, and of such that speak no protocol."""

from __future__ import annotations

import importlib.util
import json
import shutil
import socket
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from export_programs import NETWORK

import jitcore
from jitcore import InputSpec
from jitcore.serve import server as serving

FILE = Path(__file__).parent.parent / "benchmarks" / "serving.py"


@pytest.fixture(scope="module")
def bench() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks_serving", FILE)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # where dataclasses look
    before = list(sys.path)
    spec.loader.exec_module(made)
    sys.path[:] = before
    return made


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "lenet"
    jitcore.export(NETWORK, InputSpec(("n", 1, 28, 28)), folder)
    return folder


@pytest.fixture
def server(bench: Any, model: Path) -> Iterator[Any]:
    with bench.serving("-m", "jitcore", "serve", str(model), "--port", "0", "--max-latency-ms", "600000") as made:
        yield made


def calls(server: Any) -> tuple[float, float]:
    """How many calls of the model there were, of how many rows."""
    text = server.ask("GET", "/metrics")[1].decode()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("jitcore_batch_rows_"))
    return tuple(float(lines.get(f'jitcore_batch_rows_{what}{{model="lenet"}}', 0)) for what in ("count", "sum"))  # type: ignore[return-value]


def test_requests_meet_no_end_of_others(bench: Any, server: Any, tmp_path: Path) -> None:
    for _ in range(100):
        assert server.ask("POST", bench.PATH, bench.body("json"))[0] == 200
    before = server.memory
    answered, failed = bench.ask_steadily(server, 1.0, 4, lambda: bench.disturb(server, tmp_path, times=1))
    assert (answered > 0, failed) == (True, [])
    statuses = bench.malformed(server, 100)
    assert sum(statuses.values()) == 100
    assert all(400 <= status < 500 for status in statuses)
    assert server.ask("POST", bench.PATH, bench.body("binary"))[0] == 200
    assert server.memory - before < 2 * bench.GROWTH


def test_a_request_waits_only_for_those_that_are_being_read(bench: Any, server: Any) -> None:
    given = bench.body("binary")
    assert server.ask("POST", bench.PATH, given)[0] == 200  # it would wait ten minutes for another
    assert calls(server) == (1, 1)
    head = f"POST {bench.PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(given.data)}\r\n"
    head += "".join(f"{k}: {v}\r\n" for k, v in given.headers.items()) + "\r\n"
    slow, quick = (socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(2))
    with slow, quick:
        slow.sendall(head.encode() + given.data[:1000])
        assert server.ask("GET", "/v2/health/ready")[0] == 200  # it has begun to read
        quick.sendall(head.encode() + given.data)
        while b'queue_length{model="lenet"} 1.0' not in server.ask("GET", "/metrics")[1]:
            pass
        assert calls(server) == (1, 1)
        slow.sendall(given.data[1000:])
        for connection in (slow, quick):
            answer = connection.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 200")
    assert calls(server) == (4, 5)  # both in one call, which is tried against one of each


def test_answers_are_sent_at_once() -> None:
    with serving._listening("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.skipif(shutil.which("h2load") is None, reason="the load comes from h2load")
def test_load_is_measured(bench: Any, server: Any, tmp_path: Path) -> None:
    for kind in ("json", "binary"):
        measured = bench.load(server, bench.body(kind), 4, 50, tmp_path)
        assert measured.failed == 0
        assert 0 < measured.median <= measured.slow
    wrong = bench.Body(json.dumps({}).encode(), {})
    assert bench.load(server, wrong, 2, 10, tmp_path).failed == 10
