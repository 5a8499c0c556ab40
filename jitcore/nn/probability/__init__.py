"""Probability: distributions, and bijectors that make other distributions of them."""

from jitcore.nn.probability import bijector, distribution

__all__ = ["bijector", "distribution"]
