"""`oneflow.optim.Optimizer`: steps are counted for all Parameters together, gradients are made 0 unless they are to be
forgotten, and there may be no Parameters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from jitcore.compat.torch.nn.utils import clip_grad_norm_
from jitcore.compat.torch.optim import optimizer
from jitcore.compat.torch.optim.optimizer import Group, Params
from jitcore.library.core import marking

__all__ = ["Optimizer", "ParamGroup"]


class ParamGroup(dict[str, Any]):
    """Parameters with their options."""

    @property
    def parameters(self) -> list[Any]:
        """The Parameters."""
        return self["params"]

    @property
    def options(self) -> dict[str, Any]:
        """The options."""
        return {name: value for name, value in self.items() if name != "params"}

    @property
    def clips(self) -> bool:
        """Whether gradients are clipped by `clip_grad`."""
        return "clip_grad_max_norm" in self and "clip_grad_norm_type" in self


class Optimizer(optimizer.Optimizer):
    """The base of optimizers, as OneFlow documents it: subclasses define `step`.

    >>> from jitcore.compat.oneflow.optim import SGD
    >>> from jitcore.compat.oneflow.tables.functions import tensor
    >>> w = tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = SGD([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0., 0.], dtype=oneflow.float32, requires_grad=True)
    """

    _may_be_empty: ClassVar[bool] = True

    def __init__(self, params: Params, options: Group) -> None:
        optimizer.Optimizer.__init__(self, params, options)  # not that of an optimizer of PyTorch's, whose rule is used
        self.state["step"] = 0

    def add_param_group(self, param_group: Group) -> None:
        """Take a group of Parameters on, with options of its own or else the defaults."""
        super().add_param_group(ParamGroup(param_group))

    def _update(self, group: Group) -> None:
        super()._update(group)
        if group is self.param_groups[-1]:
            self.state["step"] += 1

    @marking.between
    def zero_grad(self, set_to_none: bool = False) -> None:
        """Make the gradients of all Parameters 0, or forget them."""
        super().zero_grad(set_to_none)

    @marking.between
    def clip_grad(self) -> None:
        """Scale the gradients of each group with `clip_grad_max_norm` and `clip_grad_norm_type` so that their norm is
        at most that."""
        for group in self._groups():
            if group.clips:
                norm = float(group["clip_grad_norm_type"])
                clip_grad_norm_(group.parameters, group["clip_grad_max_norm"], norm, error_if_nonfinite=True)
            else:
                warnings.warn(
                    "clip_grad leaves a group alone that has no clip_grad_max_norm and clip_grad_norm_type",
                    stacklevel=2,
                )

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave. Raises ValueError where the groups are not the same."""
        super().load_state_dict(state_dict)
        self.param_groups = [ParamGroup(group) for group in self.param_groups]

    def _groups(self) -> Iterator[ParamGroup]:
        return (ParamGroup(group) for group in self.param_groups)

    def _next(self) -> int:
        """The number of the step that begins."""
        return self.state["step"] + 1


def require(condition: bool, words: str) -> None:
    """Raise AssertionError for an option that cannot be."""
    if not condition:
        raise AssertionError(words)


def require_rates(lr: float, eps: float = 0.0, weight_decay: float = 0.0) -> None:
    """Raise AssertionError for options of which one is negative."""
    require(lr >= 0.0, f"Invalid learning rate: {lr}")
    require(eps >= 0.0, f"Invalid epsilon value: {eps}")
    require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")


def require_betas(betas: tuple[float, float]) -> None:
    """Raise AssertionError for shares of running means that cannot be ones."""
    for k, beta in enumerate(betas):
        require(0.0 <= beta < 1.0, f"Invalid beta parameter at index {k}: {beta}")
