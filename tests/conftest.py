"""Fixtures and options of the whole suite: goldens and `--update-golden`, and verification after every pass."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from jitcore import config, context
from jitcore.backends.native.link import object_cache, private_folder
from jitcore.compat import mindspore
from jitcore.compat.mindspore import context as mindspore_context
from jitcore.compat.mindspore.refusals import syntax
from jitcore.config import FIELDS, settings
from jitcore.library.core.marking import Calls
from jitcore.runtime.frequent import FrequentCalls

syntax.of_lambda = lambda function: None
"""The tests compile lambdas where they stand, which MindSpore does not parse."""

gc.set_threshold(400_000, 20, 50)
"""Programs and their text are large and hold no garbage; what tests ask about garbage they collect themselves."""

pytest.register_assert_rewrite("array_comparison", "mindspore_cases")

# it takes minutes to compile the tests and, for each process that they start, the package
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells begin jobs in the background; Ctrl-C is tested
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _keep_nothing_where_others_write() -> None:
    """Where the user's cache is not his alone, each process would warn of it."""
    where = object_cache.folder()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with private_folder.opened(where, make=True) if where is not None else nullcontext() as held:
            if held is None:
                os.environ["JITCORE_CACHE_DIR"] = settings.cache_dir = "off"


_keep_nothing_where_others_write()

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what the tests got into tests/golden")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collecting makes half a million objects and no garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def _only_new_objects_are_collected() -> None:
    """What is there when a module begins is not looked at again: most of a full collection's time, which many tests ask for."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _settings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test runs with verification on, and leaves the settings as it found them."""
    before = {name: getattr(settings, name) for name in FIELDS}
    settings.verify = True
    if ("compat" in request.path.parts and "pytorch" not in request.path.parts) or "mindspore" in request.path.name:
        mindspore.install()
    config._chosen.clear()
    mindspore_context._mode.clear()
    yield
    for name, value in before.items():
        setattr(settings, name, value)


_often: weakref.WeakSet[FrequentCalls] = weakref.WeakSet()
_make_frequent_calls = FrequentCalls.__init__


def _noted(self: FrequentCalls, calls: Calls) -> None:
    _make_frequent_calls(self, calls)
    _often.add(self)


FrequentCalls.__init__ = _noted


@pytest.fixture(scope="module")
def nothing_is_served() -> None:
    """No library function has been called often before these tests."""
    for frequent in _often:
        frequent._calls.serve = None  # pyright: ignore[reportPrivateUsage]


@pytest.fixture(params=[context.GRAPH_MODE, context.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    """The test runs in both modes."""
    context.set_context(mode=request.param)
    yield request.param
    context.set_context(mode=context.GRAPH_MODE)


@pytest.fixture
def strict() -> None:
    """What is not compiled is an error; `_settings` puts the level back."""
    context.set_context(jit_syntax_level="STRICT")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("stage/name.ir", text)` compares `text` with that file of tests/golden, or writes it."""

    def check(path: str, text: str) -> None:
        file = GOLDEN / path
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        assert file.exists(), f"{file} is missing; pytest --update-golden writes it"
        assert text == file.read_text(), f"{file} differs; pytest --update-golden rewrites it"

    return check
