"""Bijectors: functions with inverses, which make other distributions of distributions."""

from jitcore.nn.probability.bijector.base import Bijector
from jitcore.nn.probability.bijector.elementary import Exp, GumbelCDF, Invert, PowerTransform, ScalarAffine, Softplus

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]
