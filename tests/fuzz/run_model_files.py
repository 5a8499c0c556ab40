"""Loads and calls models whose files were changed, and reports every outcome but a clean error or a model that works.

    python tests/fuzz/run_model_files.py --files 100000 --model three --seed 1
    python tests/fuzz/run_model_files.py --files 1000 --model lenet

Cases run in worker processes, whose memory and time are limited, many in each. A case is refused (ModelFileError), works
(it loads, and calls give results), or raises (an exception that programs may raise). What is a failure: a crash, a hang,
any other exception, and whatever runs code of the file's: other modules imported, files written, processes started.
`--only K` runs case K here, with its traceback.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent.parent)]

import numpy as np  # noqa: E402
from export_programs import PROGRAMS  # noqa: E402
from guarded_memory import Guarded  # noqa: E402

import jitcore  # noqa: E402
from fuzz.model_files import Mutator  # noqa: E402
from jitcore import InputSpec, structs  # noqa: E402
from jitcore.exports import ModelFileError  # noqa: E402
from jitcore.exports.agreement import Examples  # noqa: E402
from jitcore.runtime import errors  # noqa: E402
from jitcore.runtime.tensor import Tensor, wrap  # noqa: E402

MEMORY = 6 << 30
SECONDS = 60
"""That a case may take; most take a millisecond."""
CHUNK = 2000
"""Cases of a worker process."""
MAY_RAISE = (ValueError, IndexError, ArithmeticError, MemoryError, RecursionError)
WRITERS = (structs.__file__, errors.__file__)
"""Modules that compile what they have written themselves: methods of classes, and lines of tracebacks that raise."""
WATCHED = ("exec", "compile", "import", "open", "os.", "subprocess.", "socket.", "ctypes.dlopen", "pickle.", "shutil.")


def three_operators(x: Any) -> Any:
    return (x * 2.0 + 1.0).sum()


def write_models(root: Path, name: str) -> list[Path]:
    """The model that is meant, and others whose files are put in its folder."""
    programs = {
        "three": (three_operators, InputSpec(("n",), "float64", of=np.ndarray)),
        **{k: v[:2] for k, v in PROGRAMS.items()},
    }
    chosen = [name, *(other for other in ("three", "newton", "item", "both", "pairs") if other != name)]
    for one in chosen:
        jitcore.export(*programs[one], root / one)
    return [root / one for one in chosen]


# --- one case ----------------------------------------------------------------------------------------


def outcome(folder: Path) -> str:
    """What loading and calling a model comes to. Raises what is a failure."""
    try:
        model = jitcore.load(folder)
    except ModelFileError as error:
        if not str(error).startswith(str(folder)):
            raise AssertionError(f"it does not say which folder: {error}") from error
        return "refused"
    raised = ""
    for args in calls(model):
        try:
            touch(model(*args))
        except MAY_RAISE as error:
            raised = type(error).__name__
        except TypeError as error:
            if "was exported for" not in str(error):
                raise
            raised = "TypeError"
    return f"raised {raised}" if raised else "works"


def calls(model: Any) -> Iterator[list[Any]]:
    """Arguments of the kinds that a model is for, whose arrays end where memory does."""
    kinds = model.manifest["inputs"]
    for extent in (5, 1):
        yield [_argument(kind, extent, example) for kind, example in zip(kinds, Examples(kinds).values, strict=True)]


_kept: list[Guarded] = []


def _argument(kind: Any, extent: int, example: Any) -> Any:
    if kind["is"] != "array" or kind["kind"] not in ("ndarray", "tensor") or len(kind["shape"]) > 8:
        return example
    shape = tuple(n if type(n) is int and 0 <= n <= 300 else extent for n in kind["shape"])
    values = np.ones(shape, kind["dtype"])
    del _kept[:-16]
    _kept.append(Guarded(max(values.nbytes, 1)))
    array = _kept[-1].array(values.reshape(-1), True).reshape(shape)
    return array if kind["kind"] == "ndarray" else wrap(array)


def touch(value: Any) -> None:
    """Read all that a result holds."""
    if isinstance(value, Tensor):
        value = value.asnumpy()
    if isinstance(value, np.ndarray):
        value.copy()
    elif isinstance(value, dict):
        touch(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            touch(item)


# --- many of them --------------------------------------------------------------------------------------


class Watch:
    """Notes what is done that may run code, beside what jitcore itself does."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.is_on = False
        self._own = tuple(
            map(str, (Path(jitcore.__file__).parent.parent, Path(np.__file__).parent, Path(os.__file__).parent))
        )
        sys.addaudithook(self._audit)

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.is_on or not event.startswith(WATCHED):
            return
        if event == "exec" and str(getattr(args[0], "co_filename", "")).startswith(self._own):
            return
        if event in ("exec", "compile") and sys._getframe(1).f_code.co_filename in WRITERS:  # of a class's methods
            return
        if event == "compile" and (
            args[1] in ("<unknown>", "<dim>") or str(args[1]).startswith(self._own)
        ):  # `ast.parse` reads text
            return
        if event == "import" and (
            args[0].partition(".")[0] in sys.stdlib_module_names or args[0].startswith(("jitcore", "numpy"))
        ):
            return
        if event == "open" and not _is_written(args[1], args[2]):
            return
        if event in ("os.listdir", "os.scandir", "ctypes.dlopen", "shutil.rmtree"):
            return
        self.found.append(f"{event} {args!r:.200}")


def _is_written(mode: Any, flags: Any) -> bool:
    return any(c in str(mode) for c in "wax+") or (
        isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    )


def work(models: Sequence[Path], seed: int, first: int, last: int, here: bool = False) -> None:
    """Run cases, and say what each came to, a line of JSON each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what models print is no answer
    files = [{p.name: p.read_bytes() for p in model.iterdir()} for model in models]
    folder = Path(tempfile.mkdtemp(dir=models[0].parent)) / "model"
    for name in ("oneflow", "torch"):  # whose classes a manifest may ask for: importing them runs code
        importlib.import_module(f"jitcore.compat.{name}.tensor")
    watch = Watch()
    write(folder, files[0])
    assert outcome(folder) != "refused"
    print(json.dumps(["ready", 0]), file=answers)
    for k in range(first, last):
        mutated = Mutator(files, seed * 1_000_003 + k).mutated()
        write(folder, mutated)
        watch.is_on = True
        try:
            told = outcome(folder)
        except BaseException as error:
            if here:
                raise
            told = f"FAILED {type(error).__name__}: {error}"[:300] + "".join(
                traceback.format_tb(error.__traceback__)[-2:]
            )
        watch.is_on = False
        if watch.found:
            told = f"FAILED it did {watch.found[:3]}"
            watch.found.clear()
        print(json.dumps([k, told]), file=answers)
    print(json.dumps(["memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]), file=answers)
    shutil.rmtree(folder.parent)


def write(folder: Path, files: Any) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


class Worker:
    """A process that runs some cases, and what is left of them."""

    def __init__(self, models: Sequence[Path], seed: int, cases: range) -> None:
        self._start = (models, seed)
        self.at, self._end = cases.start, cases.stop
        self.log = tempfile.TemporaryFile()  # noqa: SIM115  it is closed with the worker
        self.begin()

    def begin(self) -> None:
        models, seed = self._start
        command = [sys.executable, __file__, "--work", json.dumps([[*map(str, models)], seed, self.at, self._end])]
        environment = {**os.environ, "JITCORE_CACHE_DIR": "off", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.pending, self.is_ready = b"", False
        self.since = time.monotonic()

    def lines(self) -> Iterator[list[Any]]:
        """What it says now; its death is an outcome of the case at which it is."""
        assert self.process.stdout is not None
        data = self.process.stdout.read()
        if data:
            self.since = time.monotonic()
            *whole, self.pending = (self.pending + data).split(b"\n")
            for line in whole:
                told = json.loads(line)
                self.is_ready = True
                if told[0] == self.at:
                    self.at += 1
                if told[0] != "ready":
                    yield told
        is_hung = time.monotonic() - self.since > SECONDS + 60
        if is_hung:
            self.process.kill()
        if (data == b"" or is_hung) and self.at < self._end:
            code = self.process.wait()
            self.process.stdout.close()
            self.log.seek(0)
            last = self.log.read().decode(errors="replace")[-300:]
            if not self.is_ready:
                raise RuntimeError(f"no case could be run: {last}")
            yield [self.at, "FAILED it hung" if is_hung else f"FAILED it ended with {code}: {last}"]
            self.at += 1
            if self.at < self._end:
                self.begin()

    def close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()

    @property
    def is_done(self) -> bool:
        return self.at >= self._end and self.process.poll() is not None


def run(
    root: Path, model: str, seed: int, count: int, processes: int, first: int = 0
) -> tuple[collections.Counter[str], list[tuple[int, str]]]:
    """The outcomes of cases, and the failures."""
    models = write_models(root, model)
    tally: collections.Counter[str] = collections.Counter()
    failures: list[tuple[int, str]] = []
    left = [range(k, min(k + CHUNK, first + count)) for k in range(first, first + count, CHUNK)]
    workers: list[Worker] = []
    most = 0
    try:
        while left or workers:
            while left and len(workers) < processes:
                workers.append(Worker(models, seed, left.pop(0)))
            select.select([w.process.stdout for w in workers], [], [], 1)
            for worker in workers:
                for k, told in worker.lines():
                    if k == "memory":
                        most = max(most, told)
                        continue
                    tally[told.partition(":")[0] if told.startswith("FAILED") else told] += 1
                    if told.startswith("FAILED"):
                        failures.append((k, told))
            for worker in [w for w in workers if w.is_done]:
                workers.remove(worker)
                worker.close()
    except KeyboardInterrupt:  # asked to end: what was found until then is told
        pass
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.wait()
            worker.close()
    tally["MiB at most"] = most >> 10
    return tally, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000, help="how many changed models (1000)")
    parser.add_argument(
        "--model", default="three", help="'three' (operators), or a program of tests/export_programs.py"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=int, help="run this case alone, here")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        models, seed, start, end = json.loads(options.work)
        work([*map(Path, models)], seed, start, end)
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as root:
        if options.only is not None:
            os.environ["JITCORE_CACHE_DIR"] = "off"
            work(write_models(Path(root), options.model), options.seed, options.only, options.only + 1, here=True)
            return 0
        start = time.perf_counter()
        tally, failures = run(Path(root), options.model, options.seed, options.files, options.processes, options.first)
    for k, told in failures[:20]:
        print(f"case {k}: {told}")
    count = sum(tally.values()) - tally["MiB at most"]
    print(
        f"{count} changed files of {options.model!r}, seed {options.seed}, {time.perf_counter() - start:.0f} s: {dict(tally)}"
    )
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
