"""`oneflow.env`: one process on one machine."""

from __future__ import annotations

from jitcore.compat.oneflow.placing import placement


def get_rank() -> int:
    """The number of this process: 0."""
    return 0


def get_local_rank() -> int:
    """The number of this process on its machine: 0."""
    return 0


def get_world_size() -> int:
    """How many processes there are: 1."""
    return 1


def get_node_size() -> int:
    """How many machines there are: 1."""
    return 1


def get_node_rank() -> int:
    """The number of this machine: 0."""
    return 0


def is_multi_client() -> bool:
    """Whether each process runs the program: yes, all one of them."""
    return True


def rdma_is_initialized() -> bool:
    """Whether machines exchange memory directly: no."""
    return False


def all_device_placement(device_type: str) -> placement:
    """The placement of all processes."""
    return placement.all(device_type)
