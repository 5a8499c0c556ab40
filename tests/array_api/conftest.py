"""What is compiled in these tests is compiled whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jitcore import set_context


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    set_context(jit_syntax_level=0)
    yield
    set_context(jit_syntax_level=2)
