"""Elementary functions where they were worst, line by line and compiled: within 2 ULP (tanh 4), halves rounded once, no exception.

`tests/accuracy_survey.py` looks for such arguments; its table in `docs/SUPPORT.md` has what it found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, ops
from tests.support_matrix import ACCURACY, DOCUMENT

BOUND = {"tanh": 4.0}
NUMPY: dict[str, Callable[..., np.ndarray]] = {
    "asin": np.arcsin, "acosh": np.arccosh, "atanh": np.arctanh, "rsqrt": lambda x: 1 / np.sqrt(x),
    "softplus": lambda x: np.logaddexp(0, x),
}  # fmt: skip

SINGLE = [
    ("tan", [-2.3754570484161377, 3.926894426345825, 84.0610122680664, -3.9237072467803955]),
    ("asin", [0.5014025568962097, 0.5675304532051086, 0.54035, -0.54036]),
    ("sinh", [-0.1203334629535675, 5.262849807739258, 1.0, 0.99999994]),
    ("tanh", [4.046533107757568, -0.06223445385694504, 9.5]),
    ("acosh", [1.007747769355774, 1.1259111166000366, 1.5, 1.4999999]),
    ("atanh", [0.17412307858467102, 0.4402987062931061, -0.413420170545578, 0.5]),
    ("expm1", [17.140382766723633, 0.3466]),
    ("log10", [2.8208022117614746, 0.3505726158618927]),
    ("cbrt", [-1.43329571345921e-39, 1.8948472839775725e-26, 1e-45, 3e38, -8.0, 27.0]),
    ("rsqrt", [1.0061858892440796, 0.0, -0.0, np.inf, -1.0]),
    ("softplus", [-3.4513771533966064, -2.06943941116333]),
]
DOUBLE = [
    ("tan", [-596.1866162444097, 132368.61922492832, 3.9061980274399373, -5781.308542650443]),
    ("asin", [0.50449373880747, 0.5876860031924405, 0.54035, -0.540351]),
    ("sinh", [0.4378371643993624, -1.1662089932196125, 1.139749663727617, 5e-324]),
    ("tanh", [0.208396501912109, -0.0305112907389975, 22.0]),
    ("acosh", [1.007631909094322, 1.1257683668822762, 1.5]),
    ("atanh", [0.17713046060696724, -0.9999999999999999]),
    ("expm1", [0.34732884277509823, 37.78910551121368, -1e-300]),
    ("log10", [1.677839645510997, 0.5826671440293079]),
    ("cbrt", [1.0934432784327034e-308, 8.975981059070173e307, 5e-324, -1e-310, 1.7e308, np.inf, -0.0]),
    ("rsqrt", [1.0069758920002838, 0.0, -0.0, 5e-324]),
    ("softplus", [-3.453510814240084, -0.8778685414341281, -740.0, -1e300, 1e300]),
]
EXACT = [
    ("erf", 3.572782516479492, "0.9999995643408134753788711"),
    ("erf", -2.2239506244659424, "-0.9983399327697241578282155"),
    ("erf", 0.9307706588914695, "0.8119294773164471224876796"),
    ("erf", -0.9454324143217772, "-0.8187915105811608627717348"),
    ("erf", 1e-300, "1.128379167095512602172316e-300"),
    ("erfc", 0.45, "0.5245182802130763144492579"),
    ("erfc", -0.3, "1.328626759459127416189618"),
    ("erfinv", 0.5, "0.4769362762044698733814184"),
    ("erfinv", 0.5337183134763106, "0.5151571985867331126945439"),
    ("erfinv", 0.75, "0.8134198475976185416902894"),
    ("erfinv", -0.97, "-1.534485621777717890385779"),
    ("erfinv", 1e-05, "8.862269254759594527998937e-6"),
    ("sigmoid", -4.850878715515137, "0.007760800539579918396946368"),
    ("sigmoid", -2.74575, "0.06032712344825143065940378"),
    ("sigmoid", -12.821282361132603, "2.702630327601034057705869e-6"),
    ("sin", 1e22, "-0.8522008497671888017727059"),
    ("cos", 1e300, "-0.5753861119575490466882443"),
    ("tan", 1e6, "-0.3736244539875990291734971"),
]
"""Of functions that NumPy lacks, and angles that it reduces inexactly in the wider format: results to 25 digits (by mpmath)."""
ERFC = [
    (26.33432399606669, "1.40875316375961671594287e-303"), (12.964532306354517, "4.380876330971355798526526e-75"),
    (5.5, "7.357847917974398063068362e-15"), (26.281784513729622, "2.240137517553741154757758e-302"),
]  # fmt: skip


@pytest.fixture(params=[False, True], ids=["eager", "compiled"])
def run(request: pytest.FixtureRequest) -> Callable[..., np.ndarray]:
    """Computes a function of `ops` of arrays."""

    def call(name: str, *args: np.ndarray) -> np.ndarray:
        function = getattr(ops, name)
        if request.param:
            return jit(lambda *xs: function(*xs))(*map(Tensor, args)).asnumpy()
        return function(*map(Tensor, args)).asnumpy()

    return call


def errors(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """In ULP; what is infinite or NaN must be the same."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        apart = np.abs(got - want) / np.spacing(np.abs(rounded)).astype(want.dtype)
    same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    return np.where(np.isfinite(rounded), apart, np.where(same, 0, np.inf)).astype(float)


def check(run: Callable[..., np.ndarray], name: str, points: Sequence[float], dtype: type, wide: type) -> None:
    x = np.array(points, dtype)
    with np.errstate(all="ignore"):
        want = NUMPY.get(name, getattr(np, name, None))(x.astype(wide))  # type: ignore[misc]
    got = run(name, x)
    assert got.dtype == dtype
    assert errors(got, want).max() <= BOUND.get(name, 2.0)
    np.testing.assert_array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]))


@pytest.mark.parametrize(("name", "points"), SINGLE, ids=[n for n, _ in SINGLE])
def test_singles_where_they_were_worst(run: Callable[..., np.ndarray], name: str, points: Sequence[float]) -> None:
    check(run, name, points, np.float32, np.float64)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no wider float to compare with")
@pytest.mark.parametrize(("name", "points"), DOUBLE, ids=[n for n, _ in DOUBLE])
def test_doubles_where_they_were_worst(run: Callable[..., np.ndarray], name: str, points: Sequence[float]) -> None:
    check(run, name, points, np.float64, np.longdouble)


@pytest.mark.parametrize(("name", "x", "exact"), EXACT, ids=[f"{n}-{x}" for n, x, _ in EXACT])
def test_exact_results(run: Callable[..., np.ndarray], name: str, x: float, exact: str) -> None:
    assert errors(run(name, np.array([x])), np.array([np.longdouble(exact)])).max() <= 2
    if abs(x) < 1e30 and float(np.float32(x)) == x:
        single = run(name, np.array([x], np.float32))
        assert errors(single, np.array([float(exact)])).max() <= 2


def test_the_tail_of_erfc(run: Callable[..., np.ndarray]) -> None:
    """An error of x² is one of the exponent: 950 ULP unless it is taken apart."""
    x = np.array([x for x, _ in ERFC])
    assert errors(run("erfc", x), np.array([np.longdouble(exact) for _, exact in ERFC])).max() <= 2
    edges = np.array([27.3, 30.0, 1e300, np.inf, -np.inf, -30.0, np.nan])
    np.testing.assert_array_equal(run("erfc", edges), [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, np.nan])


HALVES = ["cbrt", "gelu", "log10", "log2", "rsqrt", "softplus", "exp", "tan", "sinh", "asin", "acosh", "erf", "tanh"]


@pytest.mark.parametrize("name", HALVES)
def test_halves_are_singles_rounded_once(run: Callable[..., np.ndarray], name: str) -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        want = run(name, every.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(run(name, every), want)


def test_hypotenuses_of_halves(run: Callable[..., np.ndarray]) -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    other = np.random.default_rng(2).permutation(every)
    with np.errstate(all="ignore"):
        want = run("hypot", every.astype(np.float32), other.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(run("hypot", every, other), want)


def test_gradients_of_what_is_composed() -> None:
    x = np.array([0.125, -8.0, 1e-30, 2e30])
    np.testing.assert_allclose(grad(lambda x: ops.cbrt(x).sum())(Tensor(x)).asnumpy(), np.cbrt(x) / (3 * x), rtol=1e-13)
    half = Tensor(np.array([0.5, 3.0], np.float16))
    found = grad(lambda x: ops.log2(x).sum())(half).asnumpy()
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, 1 / (half.asnumpy().astype(float) * np.log(2)), rtol=2e-3)


# --- what raised -----------------------------------------------------------------------------------------


def test_the_gamma_family_at_the_ends_of_the_range(run: Callable[..., np.ndarray]) -> None:
    x = np.array([1e306, -np.inf, np.inf, 1e-320, 1e-200, 1e200])
    np.testing.assert_array_equal(run("lgamma", x)[:3], np.inf)
    digamma = run("digamma", x)
    np.testing.assert_array_equal(digamma[1:4], [np.nan, np.inf, -np.inf])
    np.testing.assert_allclose(digamma[[0, 4, 5]], [np.log(1e306), -1e200, np.log(1e200)], rtol=1e-15)
    for order, tiny, large in ((1, np.inf, 1e-200), (2, -np.inf, 0.0), (5, np.inf, 0.0)):
        found = ops.polygamma(order, Tensor(x)).asnumpy()
        np.testing.assert_allclose(found[4:], [tiny, large], rtol=1e-15)
    far = ops.digamma(Tensor(np.array([-94419956220409.48]))).asnumpy()
    np.testing.assert_allclose(far, 32.33311011770774, rtol=1e-14)


def test_a_float_among_complex_numbers_has_a_float_for_a_gradient() -> None:
    z = Tensor(np.array([1 + 2j, 3 - 1j]))
    for found in (grad(_sum_of_real_parts)(2.0, z), jit(lambda s: grad(_sum_of_real_parts)(s, z))(2.0)):
        assert found == 4.0
        assert not isinstance(found, complex)


def _sum_of_real_parts(s: float, z: Tensor) -> Tensor:
    return ops.real(z * s).sum()


def test_determinants_of_complex_matrices_are_differentiated() -> None:
    a = np.array([[1 + 2j, 0.5], [1j, 2 - 1j]])
    along = np.array([[0.3, 1j], [-0.5, 0.25j]])
    step = 1e-6
    found = grad(lambda a: ops.real(ops.det(a)))(Tensor(a)).asnumpy()
    slope = (np.linalg.det(a + step * along) - np.linalg.det(a - step * along)).real / (2 * step)
    np.testing.assert_allclose(np.sum(found * along).real, slope, rtol=1e-8)


# --- the table -------------------------------------------------------------------------------------------


def test_the_table_says_why_a_function_is_above_its_bound() -> None:
    table = DOCUMENT.read_text().partition(ACCURACY)[2]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) >= 60
    above = [line for line in rows if "**above" in line]
    assert {re.match(r"\| `(\w+)`", line)[1] for line in above} <= {"gelu", "lgamma", "digamma"}  # type: ignore[index]
    assert all("**: " in line for line in above)
