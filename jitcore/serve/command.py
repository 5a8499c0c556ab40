"""The command `jitcore serve`: its options, and the start of the server, which is imported only then."""

from __future__ import annotations

import argparse
import importlib
import math
from pathlib import Path
from typing import Final

from jitcore.serve.errors import ServeError
from jitcore.serve.limits import Limits

EPILOG: Final = (
    "PATH is the folder of a model that jitcore.export has written, or a folder of models, NAME/ or NAME/VERSION/\n"
    "(VERSION is an int; the greatest is the default).\n\n"
    "There is no authentication and no encryption: whoever reaches the port may use and reload the models. The server\n"
    "listens on the loopback interface unless --host says otherwise.\n\n"
    "SIGHUP reads all models anew; SIGTERM and SIGINT end the server after the requests under way.\n"
    "It needs the packages of `pip install 'jitcore[serve]'`."
)
_PACKAGES: Final = ("fastapi", "prometheus_client", "uvicorn")
_MOST_PORT: Final = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    most = Limits()
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="exported models, or folders of them")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8000, help="0 for any that is free (default: %(default)s)")
    parser.add_argument(
        "--max-batch", type=_positive, default=most.max_batch, metavar="N",
        help="rows computed together; 1: each request alone (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--max-latency-ms", type=_milliseconds, default=most.max_latency * 1e3, metavar="MS",
        help="how long a request waits for others to be computed with (default: %(default)g)",
    )  # fmt: skip
    parser.add_argument(
        "--max-body-mb", type=_positive, default=most.max_body >> 20, metavar="MB",
        help="the largest request, in MiB (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--queue", type=_positive, default=most.queue, metavar="N",
        help="requests of a model under way at a time; more are refused with 503 (default: %(default)s)",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Serve until a signal ends it; the exit code. Raises ServeError."""
    limits = Limits(options.max_batch, options.max_latency_ms / 1e3, options.max_body_mb << 20, options.queue)
    try:
        server = importlib.import_module("jitcore.serve.server")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        message = f"serving needs the package {error.name!r}: pip install 'jitcore[serve]'"
        raise ServeError(message) from None
    server.serve(options.paths, options.host, options.port, limits)
    return 0


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return value


def _milliseconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"{text} is no time to wait")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= _MOST_PORT:
        raise argparse.ArgumentTypeError(f"a port is 0 to {_MOST_PORT}, not {text}")
    return value
