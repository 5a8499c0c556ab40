"""The tests of this folder import paddle: jitcore stands for it."""

from __future__ import annotations

import pytest

from jitcore.compat import paddle as compat
from jitcore.config import settings

compat.install()


@pytest.fixture(autouse=True)
def _without_mindspore(_settings: None) -> None:
    """MindSpore's rules, which the tests beside this folder follow, are not followed here."""
    settings.mindspore_rules = False
