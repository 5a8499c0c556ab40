"""`oneflow.unittest`: test cases, and marks of those that need more machines or devices than there are."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any


class TestCase(unittest.TestCase):
    """A test case."""


class env:
    """What the tests run on."""

    @staticmethod
    def eager_execution_enabled() -> bool:
        """Whether operations are computed when they are called."""
        return True

    @staticmethod
    def node_size() -> int:
        """How many machines there are."""
        return 1

    @staticmethod
    def world_size() -> int:
        """How many processes there are."""
        return 1

    @staticmethod
    def device_num() -> int:
        """How many devices a machine has."""
        return 1

    @staticmethod
    def has_world_size() -> bool:
        """Whether the number of processes is told from outside."""
        return False


def skip_unless(n: int, d: int) -> Callable[..., Any]:
    """A mark of tests that need `n` machines of `d` devices each: they are skipped unless that is 1 of 1."""
    return unittest.skipUnless(n == d == 1, f"only runs on {n} machines of {d} devices each: this is one process")


def skip_unless_1n1d() -> Callable[..., Any]:
    """A mark of tests that need one device: they run."""
    return skip_unless(1, 1)


def skip_unless_1n2d() -> Callable[..., Any]:
    """A mark of tests that need two devices: they are skipped."""
    return skip_unless(1, 2)


def skip_unless_1n4d() -> Callable[..., Any]:
    """A mark of tests that need four devices: they are skipped."""
    return skip_unless(1, 4)


def skip_unless_2n1d() -> Callable[..., Any]:
    """A mark of tests that need two machines: they are skipped."""
    return skip_unless(2, 1)


def skip_unless_2n2d() -> Callable[..., Any]:
    """A mark of tests that need two machines of two devices: they are skipped."""
    return skip_unless(2, 2)


def skip_unless_2n4d() -> Callable[..., Any]:
    """A mark of tests that need two machines of four devices: they are skipped."""
    return skip_unless(2, 4)


def num_nodes_required(num_nodes: int) -> Callable[..., Any]:
    """A mark of tests that need some machines."""
    return skip_unless(num_nodes, 1)
