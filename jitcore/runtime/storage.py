"""Memory shared by a Tensor and its views, with the version that tells whether it was written to."""

from __future__ import annotations


class Storage:
    """What a Tensor and all views of it have in common.

    `version` goes up with every write by jitcore, eager or compiled; gradients use it to refuse values that are no
    longer what they were.
    """

    __slots__ = ("__weakref__", "device", "owner", "version")
    device: str
    version: int
    owner: object

    def __init__(self, owner: object = None, device: str = "CPU") -> None:
        self.device = device
        self.version = 0
        self.owner = owner
