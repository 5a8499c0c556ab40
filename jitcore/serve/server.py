"""The server's process: its socket, its signals, its end."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from jitcore.serve.app import make_app
from jitcore.serve.errors import ServeError
from jitcore.serve.limits import Limits
from jitcore.serve.metrics import Metrics
from jitcore.serve.repository import Repository


def serve(paths: Sequence[Path], host: str, port: int, limits: Limits) -> None:
    """Serve the models at paths until SIGTERM or SIGINT. Raises ServeError if that cannot begin."""
    metrics = Metrics()
    repository = Repository(paths, limits, metrics)
    with _listening(host, port) as listening:
        app = make_app(repository, limits, metrics)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
        # uvicorn raises the signals that ended it once more, for whoever handled them before
        before = {number: signal.signal(number, server.handle_exit) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            asyncio.run(_serve(server, repository, listening))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


async def _serve(server: uvicorn.Server, repository: Repository, listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    reloads: set[asyncio.Task[None]] = set()

    def reload() -> None:
        task = loop.create_task(_reload(repository))
        reloads.add(task)
        task.add_done_callback(reloads.discard)

    loop.add_signal_handler(signal.SIGHUP, reload)
    host, port, *_ = listening.getsockname()
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    print(f"serving {', '.join(repository.names)} at http://{address}", flush=True)
    await server.serve(sockets=[listening])


async def _reload(repository: Repository) -> None:
    for name, refused in (await repository.reload_all()).items():
        print(f"loaded {name}" if refused is None else f"{refused}; it stays as it was", file=sys.stderr, flush=True)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family)
    except OSError as error:
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    # connections inherit it; asyncio sets it only for sockets that name their protocol, which this one does not.
    # Without it a body that follows its headers waits for the client's delayed acknowledgement: 40 ms a request
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made
