"""NumPy's distributions, by the names of the functions and methods that draw from them: what they take."""

from __future__ import annotations

import inspect
from typing import Any, Final


def signature_of(parameters: str, options: str = "") -> inspect.Signature:
    """The signature of a function of NumPy's that takes these parameters, a size, and then `options`."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken: list[inspect.Parameter] = []
    for parameter in parameters.split():
        name, _, default = parameter.partition("=")
        known: Any = inspect.Parameter.empty if not default else None if default == "None" else float(default)
        taken.append(inspect.Parameter(name, kind, default=known))
    taken += [inspect.Parameter(name, kind, default=None) for name in ("size", *options.split())]
    return inspect.Signature(taken)


DISTRIBUTIONS: Final[dict[str, str]] = {
    "beta": "a b",
    "chisquare": "df",
    "exponential": "scale=1",
    "f": "dfnum dfden",
    "gamma": "shape scale=1",
    "gumbel": "loc=0 scale=1",
    "laplace": "loc=0 scale=1",
    "logistic": "loc=0 scale=1",
    "lognormal": "mean=0 sigma=1",
    "noncentral_chisquare": "df nonc",
    "noncentral_f": "dfnum dfden nonc",
    "normal": "loc=0 scale=1",
    "pareto": "a",
    "power": "a",
    "rayleigh": "scale=1",
    "standard_cauchy": "",
    "standard_exponential": "",
    "standard_gamma": "shape",
    "standard_normal": "",
    "standard_t": "df",
    "triangular": "left mode right",
    "uniform": "low=0 high=1",
    "vonmises": "mu kappa",
    "wald": "mean scale",
    "weibull": "a",
}
"""NumPy's distributions of floats, with what they take besides a size."""

COUNTS: Final[dict[str, str]] = {
    "binomial": "n p",
    "geometric": "p",
    "hypergeometric": "ngood nbad nsample",
    "logseries": "p",
    "negative_binomial": "n p",
    "poisson": "lam=1",
    "zipf": "a",
}
"""Those of ints."""
