"""Libraries that are written for the standard compute with Tensors what they compute with ndarrays."""

from __future__ import annotations

import os
import subprocess
import sys

_PROGRAM = """
import numpy as np
import jitcore.numpy as xp
import sklearn
from jitcore import Tensor
from scipy import special, stats
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

sklearn.set_config(array_api_dispatch=True)
given = np.random.default_rng(0).standard_normal((20, 3))
functions = {
    "skew": lambda x: stats.skew(x, axis=0),
    "ttest": lambda x: stats.ttest_ind(x[:10], x[10:]).pvalue,
    "logsumexp": lambda x: special.logsumexp(x, axis=1),
    "scaler": lambda x: StandardScaler().fit_transform(x),
    "ridge": lambda x: Ridge(solver="svd").fit(x, x[:, 0] * 2).predict(x),
    "pca": lambda x: abs(PCA(2, svd_solver="full").fit_transform(x)),
}
for name, function in functions.items():
    made = function(xp.asarray(given))
    assert isinstance(made, Tensor), name
    np.testing.assert_allclose(made.asnumpy(), function(given), rtol=1e-9, err_msg=name)
print("all", len(functions))
"""


def test_scipy_and_scikit_learn() -> None:
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "all 6\n", done.stderr
