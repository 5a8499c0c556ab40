"""`paddle.ParamAttr`: what a Layer is told of a Parameter that it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from jitcore.compat.paddle.regularizer import WeightDecayRegularizer

Fill: TypeAlias = Callable[[Any], Any]
"""An initializer: called with a Parameter, it fills its memory."""


class ParamAttr:
    """The name, first value, rate and so on of a Parameter.

    >>> ParamAttr(name="w", learning_rate=0.5).learning_rate
    0.5
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Fill | None = None,
        learning_rate: float = 1.0,
        regularizer: WeightDecayRegularizer | None = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        if name is not None and not name:
            raise ValueError("The name of ParamAttr can not be empty str.")
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip


AttrLike: TypeAlias = "ParamAttr | str | Fill | WeightDecayRegularizer | bool | None"
"""What is taken for a ParamAttr; False where there is to be no Parameter."""


def attributes(given: AttrLike) -> ParamAttr | None:
    """What is given as a ParamAttr; None where there is to be no Parameter. Raises TypeError for others."""
    if isinstance(given, ParamAttr):
        return given
    if given is None or given is True:
        return ParamAttr()
    if given is False:
        return None
    if isinstance(given, str):
        return ParamAttr(name=given or None)
    if isinstance(given, WeightDecayRegularizer):
        return ParamAttr(regularizer=given)
    if callable(given):
        return ParamAttr(initializer=given)
    raise TypeError(f"{type(given)} cast to ParamAttr")
