"""The tests of this folder import oneflow and flowvision: jitcore stands for them."""

from __future__ import annotations

import pytest

from jitcore.compat import oneflow as compat
from jitcore.config import settings

compat.install()


@pytest.fixture(autouse=True)
def _without_mindspore(_settings: None) -> None:
    """MindSpore's rules, which the tests beside this folder follow, are not followed here."""
    settings.mindspore_rules = False
