"""`torch.amp`: contexts that ask for fewer bits, and losses scaled so that their gradients have some."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self, TypeAlias

import numpy as np

from jitcore.compat.torch.dtypes import dtype as DType
from jitcore.compat.torch.optim.optimizer import Closure, Optimizer
from jitcore.library.core import marking, values
from jitcore.library.math import elementwise
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, wrap

_told: Final[set[str]] = set()
_asked: Final[list[bool]] = []
"""Whether the contexts of `autocast` that are entered are enabled, the outermost first."""


def is_autocast_available(device_type: str) -> bool:
    """Whether `autocast` can be asked for on a kind of device."""
    return device_type == "cpu"


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether this is within an `autocast` that is enabled, on a device that there is."""
    return device_type == "cpu" and bool(_asked) and _asked[-1]


class autocast:
    """A context, or decorator, in which PyTorch computes some functions with fewer bits; here, all are computed in the
    dtypes of their arguments, which is more exact. Said once."""

    def __init__(
        self,
        device_type: str = "cpu",
        dtype: DType | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        del dtype, cache_enabled
        self.device = device_type
        self._enabled = enabled

    def __enter__(self) -> Self:
        if self._enabled and "autocast" not in _told:
            _told.add("autocast")
            words = "torch.autocast: jitcore computes in the dtypes of the arguments, with as many bits as they have"
            warnings.warn(words, UserWarning, stacklevel=2)
        _asked.append(self._enabled)
        return self

    def __exit__(self, *_: object) -> None:
        _asked.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: object, **keywords: object) -> Any:
            with self:
                return function(*args, **keywords)

        return call


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str = "cpu", cast_inputs: DType | None = None
) -> Any:
    """The function: there are no other dtypes in `autocast`."""
    del device_type, cast_inputs
    return custom_fwd if fwd is None else fwd


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str = "cpu") -> Any:
    """The function."""
    del device_type
    return custom_bwd if bwd is None else bwd


# --- scaled losses ----------------------------------------------------------------------------------

Scaled: TypeAlias = Tensor | Sequence["Scaled"]
"""Tensors, in containers too, as `GradScaler.scale` takes and gives them."""


class GradScaler:
    """Scales losses so that small gradients are not lost, and skips steps whose gradients are not finite; the scale
    falls then, and grows after many steps that were taken."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._enabled = enabled
        if enabled and str(device).partition(":")[0] == "cuda":
            words = "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling."
            warnings.warn(words, UserWarning, stacklevel=2)
            self._enabled = False
        if self._enabled and growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if self._enabled and backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._scale = float(init_scale)
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        self._found: dict[int, bool] = {}
        """Of optimizers whose gradients are unscaled: whether one was not finite."""
        self._stepped: set[int] = set()

    def is_enabled(self) -> bool:
        """Whether it does anything."""
        return self._enabled

    def get_scale(self) -> float:
        """What losses are multiplied by."""
        return self._scale if self._enabled else 1.0

    def scale(self, outputs: Scaled) -> Any:
        """Tensors times the scale."""
        if not self._enabled:
            return outputs
        if values.category(outputs) == "tensor":
            return elementwise.multiply(outputs, self._scale)
        if isinstance(outputs, list | tuple):
            return type(outputs)(self.scale(output) for output in outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of an optimizer's Parameters by the scale, before they are clipped."""
        if not self._enabled:
            return
        if id(optimizer) in self._found:
            when = "after step()" if id(optimizer) in self._stepped else "since the last update()"
            raise RuntimeError(f"unscale_() has already been called on this optimizer {when}.")
        bad = False
        with nodes.recording(False):
            for group in optimizer.param_groups:
                for p in group["params"]:
                    bad |= self._unscaled(p)
        self._found[id(optimizer)] = bad

    def _unscaled(self, p: Tensor) -> bool:
        """Divide one gradient; whether it is not finite."""
        grad = autograd.grad_of(p)
        if grad is None:
            return False
        array = nodes.detached(grad).asnumpy()
        made = array * array.dtype.type(1 / self._scale)
        nodes.detached(grad)[...] = wrap(made)
        return not bool(np.isfinite(made).all())

    @marking.between
    def step(self, optimizer: Optimizer, closure: Closure | None = None) -> Any:
        """The optimizer's step, unless gradients are not finite."""
        if closure is not None:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        if not self._enabled:
            return optimizer.step()
        if id(optimizer) in self._stepped:
            raise RuntimeError("step() has already been called since the last update().")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._stepped.add(id(optimizer))
        return None if self._found[id(optimizer)] else optimizer.step()

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Change the scale: less where a step was skipped, more after `growth_interval` that were not."""
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif not self._found:
            raise AssertionError("No inf checks were recorded prior to update.")
        elif any(self._found.values()):
            self._scale *= self._backoff_factor
            self._growth_tracker = 0
        else:
            self._grow()
        self._found.clear()
        self._stepped.clear()

    def _grow(self) -> None:
        self._growth_tracker += 1
        if self._growth_tracker == self._growth_interval:
            grown = self._scale * self._growth_factor
            self._scale = grown if math.isfinite(grown) else self._scale
            self._growth_tracker = 0

    # --- options and state ----------------------------------------------------------------------------

    def get_growth_factor(self) -> float:
        """What the scale is multiplied by when it grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set it."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale is multiplied by when it falls."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set it."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set it."""
        self._growth_interval = new_interval

    def state_dict(self) -> dict[str, Any]:
        """Scale, options and count."""
        if not self._enabled:
            return {}
        return {
            "scale": self._scale,
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._scale = float(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = int(state_dict["_growth_tracker"])
