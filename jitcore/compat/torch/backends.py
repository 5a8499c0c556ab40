"""`torch.backends`: switches of libraries that are not used here, which programs may set."""

from __future__ import annotations

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Whether the library is in use."""
    return False


def is_built() -> bool:
    """Whether the library is linked."""
    return False


def version() -> None:
    """The version of the library, which there is not."""
