"""Distributions of random numbers: densities, probabilities, moments, entropies, divergences, samples."""

from jitcore.nn.probability.distribution.base import Distribution
from jitcore.nn.probability.distribution.discrete import Bernoulli, Categorical, Geometric, Poisson
from jitcore.nn.probability.distribution.located import (
    Cauchy,
    Gumbel,
    HalfNormal,
    Laplace,
    Logistic,
    Normal,
    StudentT,
    Uniform,
)
from jitcore.nn.probability.distribution.positive import Beta, Exponential, Gamma, LogNormal
from jitcore.nn.probability.distribution.transformed import TransformedDistribution

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "Distribution",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfNormal",
    "Laplace",
    "LogNormal",
    "Logistic",
    "Normal",
    "Poisson",
    "StudentT",
    "TransformedDistribution",
    "Uniform",
]
