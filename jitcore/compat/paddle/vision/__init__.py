"""`paddle.vision`."""

from jitcore.compat.paddle.vision import datasets, models, transforms

__all__ = ["datasets", "get_image_backend", "models", "set_image_backend", "transforms"]

_backend = ["pil"]


def get_image_backend() -> str:
    """What images are read as: kept for programs that ask."""
    return _backend[0]


def set_image_backend(backend: str) -> None:
    """Say what images are to be read as. Raises ValueError for what Paddle has not."""
    if backend not in ("pil", "cv2", "tensor"):
        raise ValueError(f"Expected backend are one of ['pil', 'cv2', 'tensor'], but got {backend}")
    _backend[0] = backend
