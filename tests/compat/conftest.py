"""The tests of this folder import mindspore: jitcore stands for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jitcore.compat import mindspore as compat

compat.install()


@pytest.fixture(params=["graph", "pynative"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs a test in both modes."""
    from mindspore import context

    before = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE if request.param == "graph" else context.PYNATIVE_MODE)
    yield request.param
    context.set_context(mode=before)
