"""MindSpore's communication between devices, as it is with one device: rank 0 of a group of 1."""

from __future__ import annotations

from typing import Any, Final

from jitcore.nn.layers import Identity

HCCL_WORLD_COMM_GROUP: Final = "hccl_world_group"
NCCL_WORLD_COMM_GROUP: Final = "nccl_world_group"
MCCL_WORLD_COMM_GROUP: Final = "mccl_world_group"
_WORLDS: Final = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)
_groups: set[str] = set()


class GlobalComm:
    """What is known of the devices."""

    BACKEND: str = "mccl"
    WORLD_COMM_GROUP: str = MCCL_WORLD_COMM_GROUP
    INITED: bool = False
    CHECK_ENVS: bool = True


class ReduceOp:
    """How `AllReduce` and its kind reduce."""

    SUM: Final = "sum"
    MAX: Final = "max"
    MIN: Final = "min"
    PROD: Final = "prod"


def init(backend_name: str | None = None) -> None:
    """Begin to communicate: with one device nothing is to be done."""
    if backend_name is not None and not isinstance(backend_name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"For 'init', the argument 'backend_name' must be a string, but got {type(backend_name)}")
    if backend_name is not None and backend_name not in ("hccl", "nccl", "mccl"):
        raise RuntimeError(f"For 'init', the argument 'backend_name' must be 'hccl', 'nccl' or 'mccl': {backend_name}")
    GlobalComm.INITED = True
    if backend_name is not None:
        GlobalComm.BACKEND = backend_name
        GlobalComm.WORLD_COMM_GROUP = f"{backend_name}_world_group"


def release() -> None:
    """End what `init` began."""
    GlobalComm.INITED = False
    _groups.clear()


def _require_group(group: Any) -> None:
    if not isinstance(group, str):
        raise TypeError(f"the argument 'group' must be type of string, but got {type(group)}")
    if group not in _WORLDS and group not in _groups:
        raise ValueError(f"there is no group of devices {group!r}")


def get_rank(group: str = MCCL_WORLD_COMM_GROUP) -> int:
    """The number of this device in a group."""
    _require_group(group)
    return 0


def get_group_size(group: str = MCCL_WORLD_COMM_GROUP) -> int:
    """The number of devices in a group."""
    _require_group(group)
    return 1


get_local_rank = get_rank
get_local_rank_size = get_group_size


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The number in the world of a device of a group."""
    _require_group(group)
    if group_rank_id != 0:
        raise ValueError(f"the group {group!r} has no device {group_rank_id}")
    return 0


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The number in a group of a device of the world."""
    return get_world_rank_from_group_rank(group, world_rank_id)


def get_process_group_ranks(group: str = MCCL_WORLD_COMM_GROUP) -> list[int]:
    """The devices of a group."""
    _require_group(group)
    return [0]


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Name a group of devices. Raises ValueError for others than the one that there is."""
    del options
    if not isinstance(group, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the argument 'group' must be type of string, but got {type(group)}")
    if rank_ids != [0]:
        raise ValueError(f"there is one device, numbered 0: {rank_ids} are no group")
    _groups.add(group)


def destroy_group(group: str) -> None:
    """Forget a group."""
    _require_group(group)
    if group in _WORLDS:
        raise ValueError(f"the group {group!r} of all devices stays")
    _groups.remove(group)


class DistributedGradReducer(Identity):
    """Gradients summed (or averaged) over the devices: with one device, as they are."""

    def __init__(
        self,
        parameters: Any,
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = MCCL_WORLD_COMM_GROUP,
    ) -> None:
        super().__init__()
        del parameters, mean, fusion_type, group
        if degree is not None and degree != 1:
            raise ValueError(f"there is one device: the degree is 1, not {degree}")
