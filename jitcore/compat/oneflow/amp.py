"""`oneflow.amp`: scaling of losses and gradients, on the device that there is."""

from __future__ import annotations

from jitcore.compat.torch import amp

__all__ = ["GradScaler", "StaticGradScaler"]


class GradScaler(amp.GradScaler):
    """Scales losses by what leaves gradients finite, and leaves updates out where they are not.

    >>> scaler = GradScaler(init_scale=8.0)
    >>> scaler.get_scale()
    8.0
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


class StaticGradScaler(GradScaler):
    """Scales losses by one number, whatever the gradients are. Raises AssertionError for a number that is not
    positive."""

    def __init__(self, scale_factor: float) -> None:
        if scale_factor <= 0.0:
            raise AssertionError("StaticGradScaler's scale_factor must > 0.0")
        super().__init__(scale_factor)

    def update(self, new_scale: object = None) -> None:
        """The scale stays."""
        del new_scale
        super().update(self.get_scale())
