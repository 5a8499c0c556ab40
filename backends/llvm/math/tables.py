"""The constants of the vector math functions, one record for f32 and one for f64.

Unless another source is named, a polynomial is a minimax fit (Remez exchange in 60 digits, then rounded), lowest
power first; beside it stand its interval and the largest error of the exact fit, relative to the function.
Splittings of ln 2 and pi/2 leave the low bits of their leading parts free, so that a product with a small integer
is exact without FMA: those of f32 are Cephes's (`expf`, `sinf`), those of f64 fdlibm's (`e_exp.c`, `e_rem_pio2.c`).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from jitcore.structs import dataclass

Coefficients: TypeAlias = "tuple[float, ...]"


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point format and the constants of its functions."""

    type: str
    mantissa: int
    """Bits of the mantissa that are stored."""
    bias: int
    rounder: float
    """1.5 * 2**mantissa: adding it rounds to an integer, found in the low bits of the sum."""
    smallest_normal: float
    tiny: float
    """Below it x and x + x**2 are the same number."""

    exp: Coefficients
    """(e**r - 1 - r) / r**2 on |r| <= ln(2)/2."""
    exp_wide: Coefficients
    """The same on |r| <= ln(2)."""
    ln2: tuple[float, float]
    exp_low: float
    """e**x rounds to 0 below it."""
    exp_high: float
    """e**x is infinite above it."""
    expm1_low: float
    """e**x - 1 rounds to -1 below it."""
    sinh_high: float
    """cosh and sinh are infinite above it."""

    log: Coefficients
    """f32: (log(1+f) - f + f**2/2) / f**3 for 1+f in [sqrt(1/2), sqrt(2)].
    f64: (log((1+s)/(1-s)) - 2s) / s**3 in s**2, where s = f/(2+f) (fdlibm's e_log.c)."""

    half_pi: Coefficients
    """pi/2 as a sum, leading parts short."""
    half_pi_full: tuple[float, float]
    """pi/2 as a full number and its rest."""
    pi: tuple[float, float]
    trig_limit: float
    """The range reduction is exact enough below it."""
    sin: Coefficients
    """(sin(r) - r) / r**3 in r**2 on |r| <= pi/4."""
    cos: Coefficients
    """(cos(r) - 1 + r**2/2) / r**4 in r**2 on |r| <= pi/4."""
    asin: Coefficients
    """(asin(x) - x) / x**3 in x**2 on [0, 1/2]."""
    atan: Coefficients
    """(atan(x) - x) / x**3 in x**2 on [0, 1]."""


F32: Final = Format(
    type="float",
    mantissa=23,
    bias=127,
    rounder=12582912.0,
    smallest_normal=2.0**-126,
    tiny=2.0**-30,
    exp=(0.49999994, 0.166665182, 0.0416684188, 0.00836906396, 0.00138139725),  # 2**-28.2
    exp_wide=(
        0.5, 0.166666746, 0.0416665226, 0.00833252165, 0.00138937379, 0.00020110872, 2.44390158e-05,
    ),  # 2**-30.7
    ln2=(0.693359375, -2.12194440e-4),
    exp_low=-104.0,
    exp_high=89.0,
    expm1_low=-20.0,
    sinh_high=89.4159863,
    log=(
        0.333333135, -0.250000089, 0.200021178, -0.166679949, 0.142195553, -0.124056086, 0.11888165, -0.116755366,
        0.0674649328,
    ),  # 2**-30.3
    half_pi=(1.5703125, 4.837512969970703125e-4, 7.549533620476723e-08, 2.5633440682570896e-12),
    half_pi_full=(1.5707963705062866, -4.371139000186241e-08),
    pi=(3.1415927410125732, -8.742278000372482e-08),
    trig_limit=8192.0,
    sin=(-0.166666538, 0.00833213143, -0.000195108456),  # 2**-27.9
    cos=(0.0416666456, -0.0013887306, 2.44311923e-05),  # 2**-33.1
    asin=(0.166667536, 0.0749523193, 0.0454783849, 0.0241408311, 0.0422307663),  # 2**-27.6
    atan=(
        -0.333333015, 0.199986383, -0.142652482, 0.109575875, -0.0841948986, 0.0582350418, -0.0314561538,
        0.0110646626, -0.00182725792,
    ),  # 2**-28.7
)  # fmt: skip

F64: Final = Format(
    type="double",
    mantissa=52,
    bias=1023,
    rounder=6755399441055744.0,
    smallest_normal=2.0**-1022,
    tiny=2.0**-60,
    exp=(
        0.5000000000000019, 0.16666666666666752, 0.04166666666645384, 0.008333333333260326, 0.0013888888965071218,
        0.00019841270040100406, 2.480147016134313e-05, 2.7557091997851713e-06, 2.7638532105924797e-07,
        2.5160847440472178e-08,
    ),  # 2**-56.6
    exp_wide=(
        0.4999999999999993, 0.16666666666666943, 0.041666666666702705, 0.008333333333268782, 0.0013888888883502102,
        0.00019841269893516522, 2.4801590867573936e-05, 2.755730045059568e-06, 2.755614974505142e-07,
        2.505505467973315e-08, 2.1062997146127402e-09, 1.5935109921907415e-10,
    ),  # 2**-56.4
    ln2=(6.93147180369123816490e-01, 1.90821492927058770002e-10),
    exp_low=-746.0,
    exp_high=710.0,
    expm1_low=-40.0,
    sinh_high=710.4758600739439,
    log=(
        0.6666666666666734, 0.3999999999941438, 0.2857142874246403, 0.22222198564359882, 0.181835648326685,
        0.15314036442224369, 0.14796101686198612,
    ),  # 2**-58.5
    half_pi=(
        1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624871116645580e-21, 8.47842766036889956997e-32,
    ),
    half_pi_full=(1.5707963267948966, 6.123233995736766e-17),
    pi=(3.141592653589793, 1.2246467991473532e-16),
    trig_limit=524288.0,
    sin=(
        -0.16666666666666627, 0.008333333333321287, -0.0001984126982887112, 2.755731335631299e-06,
        -2.5050704079633047e-08, 1.5893585879251114e-10,
    ),  # 2**-57.8
    cos=(
        0.04166666666666659, -0.0013888888888872596, 2.480158728849063e-05, -2.755731405618265e-07,
        2.087568182905518e-09, -1.1357446177978904e-11,
    ),  # 2**-64.0
    asin=(
        0.16666666666666763, 0.07499999999970094, 0.04464285717529002, 0.03038194267508651, 0.022372215911127133,
        0.017351595412911328, 0.013981019486213947, 0.011397286078163626, 0.010789355780122967,
        0.0036720701966760127, 0.021790890496365647, -0.021117016209426857, 0.03270232030450221,
    ),  # 2**-59.8
    atan=(
        -0.33333333333333093, 0.19999999999955434, -0.142857142828023, 0.11111111013655499, -0.09090907119354856,
        0.0769228118793481, -0.06666415006530092, 0.058805926036065374, -0.05253805749069982, 0.04723293943906523,
        -0.042217191027282115, 0.03669354747798992, -0.029985592212864322, 0.02208516593868864,
        -0.013994993090859931, 0.0072633586127818645, -0.0029193415137827206, 0.0008434843648740122,
        -0.000154797009653624, 1.3489277871797746e-05,
    ),  # 2**-57.7
)  # fmt: skip

FORMATS: Final = {"float": F32, "double": F64}

LN2: Final = 0.6931471805599453
SQRT_HALF: Final = 0.7071067811865476

POW_LOG: Final = (
    0.4000000000000231, 0.28571428570068336, 0.2222222252693408, 0.1818178356803507, 0.15386808243362798,
    0.13254979925426594, 0.13231475953822402, -0.002767688418074728,
)  # fmt: skip
"""f64: (log((1+s)/(1-s)) - 2s - 2/3 s**3) / s**5 in s**2, |s| <= 0.1716; 2**-65.3 of the logarithm."""
POW_LOG2: Final = (
    2.885390081777927, 0.9617966939243157, 0.577078017253653, 0.41219840099244087, 0.3206164573303835,
    0.26144215303654206, 0.24293993868949404,
)  # fmt: skip
"""f64, for pow of f32: log2((1+s)/(1-s)) / s in s**2, |s| <= 0.1716; 2**-52.4."""
POW_EXP2: Final = (
    0.99999999995947, 0.6931471805349886, 0.24022651214314644, 0.05550410976236768, 0.00961802550964891,
    0.0013333422538522593, 0.0001546976127606906, 1.5316487114533108e-05,
)  # fmt: skip
"""f64, for pow of f32: 2**f, |f| <= 1/2; 2**-34.5."""
TWO_THIRDS: Final = (0.6666666666666666, 3.700743415417188e-17)
TANH_HIGH: Final = 9.019979476928711
"""tanh rounds to 1 above it, in f32; the quotient below comes out above 1 there, with FMA and without."""
TANH_TOP: Final = (
    1.0, 0.13681530775383532, 0.003870326427235702, 2.804622124616988e-05, 3.067197494772918e-08,
    -1.2262317588728913e-11,
)  # fmt: skip
TANH_BOTTOM: Final = (
    1.0, 0.4701486326135378, 0.027253220395470103, 0.0003942099285390246, 1.2899913234893596e-06,
)  # fmt: skip
"""f32: tanh(x)/x = top/bottom in x**2 up to TANH_HIGH; 2**-29.5. Fitted by iterated least squares (Loeb's
linearisation, Lawson's weights) with both constant terms 1, so that tanh of a tiny number is itself."""
ERF_HIGH: Final = 3.9499399662017822
"""erf rounds to 1 above it, in f32; the quotient below comes out above 1 there, with FMA and without."""
ERF_TOP: Final = (
    1.1283791670955126, 0.18526855086783045, 0.054267619613624474, 0.0038448745985912285, 0.0003771383744057676,
    4.616452103489196e-06, -1.284929165446578e-08,
)  # fmt: skip
ERF_BOTTOM: Final = (
    1.0, 0.49752336290165233, 0.1139341382089572, 0.015443799123872969, 0.001303309748350168, 6.246682687324053e-05,
)  # fmt: skip
"""f32: erf(x)/x = top/bottom in x**2 up to ERF_HIGH; 2**-28.9, fitted as tanh."""
ERF_SMALL: Final = (
    0.1283791670955126, -0.3761263890318375, 0.11283791670954857, -0.026866170645072893, 0.005223977624780851,
    -0.0008548326978741285, 0.0001205533103686444, -1.4925593505986751e-05, 1.6460972801425547e-06,
    -1.6350025044598678e-07, 1.4657878557110332e-08, -1.1365660658838058e-09, 5.945252228147347e-11,
)  # fmt: skip
"""f64: erf(x)/x - 1 in x**2 on [0, 1]; 2**-62.7."""
ERF_LARGE: Final = (
    1.6915049672650704e-07, 1.1283774307914387, 0.6366280299716628, 0.10274853688278146, -0.019080650348907303,
    -0.0002769192494874641, 0.0017651019692445159, -0.0006378492196899159, 4.258119863200243e-05,
    7.1571141607708e-05, -4.5554437396521154e-05, 1.669080873785884e-05, -4.374895535635826e-06,
    8.606760108856804e-07, -1.2733217564885394e-07, 1.3819701346576939e-08, -1.041572427481326e-09,
    4.876800240223516e-11, -1.068759949223668e-12,
)  # fmt: skip
"""f64: -log(erfc(x)) on [1, 6], beyond which erf rounds to 1; 2**-59.4, absolute, in erf."""
