"""MindSpore's functions that give learning rates of all steps as lists: jitcore's, which refuse in its words."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from jitcore import nn
from jitcore.compat.mindspore.checking import Validator
from jitcore.compat.mindspore.refusals import constructors


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        given = signature.bind(*args, **keywords).arguments
        constructors.check_function(function.__name__, given)
        if given.get("min_lr", 0.0) >= given.get("max_lr", 1.0):
            raise ValueError(
                f"For '{function.__name__}', the 'max_lr' must be greater than the 'min_lr', but got 'max_lr' value: "
                f"{given['max_lr']}, 'min_lr' value: {given['min_lr']}."
            )
        return function(*args, **keywords)

    return call


exponential_decay_lr = _checked(nn.exponential_decay_lr)
natural_exp_decay_lr = _checked(nn.natural_exp_decay_lr)
inverse_decay_lr = _checked(nn.inverse_decay_lr)
cosine_decay_lr = _checked(nn.cosine_decay_lr)
polynomial_decay_lr = _checked(nn.polynomial_decay_lr)
warmup_lr = _checked(nn.warmup_lr)


def piecewise_constant_lr(milestone: Any, learning_rates: Any) -> Any:
    """As `jitcore.nn.piecewise_constant_lr`, which refuses in MindSpore's words."""
    subject = "For 'piecewise_constant_lr', the"
    Validator.check_value_type("milestone", milestone, (tuple, list))
    Validator.check_value_type("learning_rates", learning_rates, (tuple, list))
    if len(milestone) != len(learning_rates):
        raise ValueError(
            f"{subject} size of 'milestone' must be same with the size of 'learning_rates', but got 'milestone' size: "
            f"{len(milestone)}, 'learning_rates' size: {len(learning_rates)}."
        )
    for k, step in enumerate(milestone):
        Validator.check_positive_int(step, f"milestone[{k}]")
        if k and step < milestone[k - 1]:
            raise ValueError(
                f"{subject} value of milestone[{k}] must be greater than milestone[{k - 1}], but got milestone[{k}]: "
                f"{step}, milestone[{k - 1}]: {milestone[k - 1]}."
            )
    return nn.piecewise_constant_lr(milestone, learning_rates)
