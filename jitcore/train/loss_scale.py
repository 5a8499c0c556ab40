"""What a Model is told about scaling the loss."""

from __future__ import annotations

from jitcore.nn.wrap import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


class LossScaleManager:
    """The base of those below."""

    def get_loss_scale(self) -> float:
        """The loss scale to begin with."""
        raise NotImplementedError

    def get_update_cell(self) -> DynamicLossScaleUpdateCell | FixedLossScaleUpdateCell | None:
        """The Cell that changes it and leaves out updates that overflow; None if all updates are made."""
        raise NotImplementedError


class FixedLossScaleManager(LossScaleManager):
    """A loss scale that stays as it is."""

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        if not isinstance(drop_overflow_update, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"drop_overflow_update is a bool, not {type(drop_overflow_update).__name__}")
        if loss_scale < 1:
            raise ValueError(f"a loss scale is at least 1, not {loss_scale}")
        self._loss_scale = float(loss_scale)
        self.drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether updates with gradients that overflow are left out."""
        return self.drop_overflow_update

    def update_loss_scale(self, overflow: bool) -> None:
        """The loss scale stays as it is."""

    def get_update_cell(self) -> FixedLossScaleUpdateCell | None:
        return FixedLossScaleUpdateCell(self._loss_scale) if self.drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that is halved (`scale_factor`) after an overflow, and doubled after `scale_window` steps without
    one."""

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: int = 2, scale_window: int = 2000) -> None:
        for what, given in (("scale_factor", scale_factor), ("scale_window", scale_window)):
            if isinstance(given, bool) or not isinstance(given, int):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{what} is an int, not {type(given).__name__}")
        if init_loss_scale < 1 or scale_factor <= 1 or scale_window <= 0:
            raise ValueError("a loss scale is at least 1, its factor above 1, its window positive")
        self.loss_scale = float(init_loss_scale)
        self.scale_factor = scale_factor
        self.scale_window = scale_window
        self.cur_iter = 1
        self.last_overflow_iter = 0

    def get_loss_scale(self) -> float:
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Updates with gradients that overflow are left out."""
        return True

    def update_loss_scale(self, overflow: bool) -> None:
        """Change the loss scale after a step."""
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1.0)
            self.last_overflow_iter = self.cur_iter
        elif (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
            self.loss_scale *= self.scale_factor
        self.cur_iter += 1

    def get_update_cell(self) -> DynamicLossScaleUpdateCell:
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
