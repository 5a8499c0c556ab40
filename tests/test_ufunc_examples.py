"""The examples in the docstrings of `jitcore.ufuncs` are run."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["callbacks", "general", "stencils", "vectorizing"])
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"jitcore.ufuncs.{name}"))
    assert found.attempted
    assert not found.failed
