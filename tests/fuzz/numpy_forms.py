"""Calls with the options that NumPy's functions share, which signatures say too little of: `where`, `out`, `dtype`, methods of quantiles, and the
methods of universal functions. What stands in braces is written by `numpy_calls.CallWriter`."""

from __future__ import annotations

from typing import Final

OPTIONS: Final = (
    *(f"np.{f}({{array}}, axis={{axis}}, where={{mask}})" for f in ("sum", "prod", "mean", "any", "all", "var", "std")),
    *(f"np.{f}({{array}}, axis={{axis}}, where={{mask}}, initial={{number}})" for f in ("max", "min")),
    *(f"np.{f}({{array}}, dtype=np.{{dtype}})" for f in ("sum", "prod", "mean", "var", "std", "cumsum", "trace", "nansum")),
    *(f"np.{f}({{array}}, {{array}}, out={{array}})" for f in ("add", "multiply", "maximum", "equal", "power", "floor_divide")),
    *(f"np.{f}({{array}}, {{array}}, out={{array}}, where={{mask}})" for f in ("subtract", "minimum", "less", "true_divide")),
    *(f"np.{f}({{array}}, {{percent}}, axis={{axis}}, method='{m}')" for f in ("percentile", "nanpercentile")
      for m in ("lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased", "inverted_cdf")),
    *(f"np.{f}.reduce({{array}}, axis={{axis}}, initial={{number}})" for f in ("add", "multiply", "maximum", "minimum")),
    *(f"np.{f}.accumulate({{array}}, {{axis}})" for f in ("add", "multiply", "maximum", "minimum")),
    *(f"np.{f}({{array}}, {{array}}, {{mask}})" for f in ("average", "histogram2d")),
    "np.where({mask}, {array}, {number})", "np.select([{mask}], [{array}], {number})", "np.pad({array}, 1, constant_values={number})",
    "np.clip({array}, {number}, {number})", "np.copyto({array}, {array}, where={mask})", "np.putmask({array}, {mask}, {array})",
    "np.place({array}, {mask}, [{number}])", "np.diff({array}, prepend={number}, axis={axis})", "np.unique({array}, sorted=False)",
    "np.intersect1d({array}, {array}, return_indices=True)", "np.linalg.cholesky({array}, upper=True)", "np.nanstd({array}, ddof={small})",
    "np.array([{number}, {number}], np.{dtype})", "np.concatenate([{array}, {array}], axis={axis}, dtype=np.{dtype}, casting='unsafe')",
)  # fmt: skip
