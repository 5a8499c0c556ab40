"""The names of the array API standard 2024.12 and the parameters of its functions, as facts."""

from __future__ import annotations

from typing import Final

CONSTANTS: Final = ("e", "inf", "nan", "newaxis", "pi")
INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
REALS: Final = ("float32", "float64")
COMPLEX: Final = ("complex64", "complex128")
DTYPES: Final = ("bool", *INTEGERS, *REALS, *COMPLEX)

_ONE: Final = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_invert", "ceil", "conj", "cos", "cosh", "exp",
    "expm1", "floor", "imag", "isfinite", "isinf", "isnan", "log", "log1p", "log2", "log10", "logical_not",
    "negative", "positive", "real", "reciprocal", "round", "sign", "signbit", "sin", "sinh", "square", "sqrt", "tan",
    "tanh", "trunc",
)  # fmt: skip
_TWO: Final = (
    "add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less", "less_equal",
    "logaddexp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "nextafter",
    "not_equal", "pow", "remainder", "subtract",
)  # fmt: skip
_OVER_AXES: Final = "x, /, *, axis=None, keepdims=False"
_OVER_AXES_IN: Final = "x, /, *, axis=None, dtype=None, keepdims=False"
_SPREAD: Final = "x, /, *, axis=None, correction=0.0, keepdims=False"
_RUNNING: Final = "x, /, *, axis=None, dtype=None, include_initial=False"
_FILLED: Final = "shape, *, dtype=None, device=None"
_ALIKE: Final = "x, /, *, dtype=None, device=None"
_ORDER: Final = "x, /, *, axis=-1, descending=False, stable=True"

PRODUCTS: Final = {
    "matmul": "x1, x2, /",
    "matrix_transpose": "x, /",
    "tensordot": "x1, x2, /, *, axes=2",
    "vecdot": "x1, x2, /, *, axis=-1",
}
MAIN: Final[dict[str, str]] = {
    "__array_namespace_info__": "",
    "arange": "start, /, stop=None, step=1, *, dtype=None, device=None",
    "asarray": "obj, /, *, dtype=None, device=None, copy=None",
    "empty": _FILLED,
    "empty_like": _ALIKE,
    "eye": "n_rows, n_cols=None, /, *, k=0, dtype=None, device=None",
    "from_dlpack": "x, /, *, device=None, copy=None",
    "full": "shape, fill_value, *, dtype=None, device=None",
    "full_like": "x, /, fill_value, *, dtype=None, device=None",
    "linspace": "start, stop, /, num, *, dtype=None, device=None, endpoint=True",
    "meshgrid": "*arrays, indexing='xy'",
    "ones": _FILLED,
    "ones_like": _ALIKE,
    "tril": "x, /, *, k=0",
    "triu": "x, /, *, k=0",
    "zeros": _FILLED,
    "zeros_like": _ALIKE,
    "astype": "x, dtype, /, *, copy=True, device=None",
    "can_cast": "from_, to, /",
    "finfo": "type, /",
    "iinfo": "type, /",
    "isdtype": "dtype, kind",
    "result_type": "*arrays_and_dtypes",
    **dict.fromkeys(_ONE, "x, /"),
    **dict.fromkeys(_TWO, "x1, x2, /"),
    "clip": "x, /, min=None, max=None",
    **PRODUCTS,
    "broadcast_arrays": "*arrays",
    "broadcast_to": "x, /, shape",
    "concat": "arrays, /, *, axis=0",
    "expand_dims": "x, /, *, axis=0",
    "flip": "x, /, *, axis=None",
    "moveaxis": "x, source, destination, /",
    "permute_dims": "x, /, axes",
    "repeat": "x, repeats, /, *, axis=None",
    "reshape": "x, /, shape, *, copy=None",
    "roll": "x, /, shift, *, axis=None",
    "squeeze": "x, /, axis",
    "stack": "arrays, /, *, axis=0",
    "tile": "x, repetitions, /",
    "unstack": "x, /, *, axis=0",
    "argmax": _OVER_AXES,
    "argmin": _OVER_AXES,
    "count_nonzero": _OVER_AXES,
    "nonzero": "x, /",
    "searchsorted": "x1, x2, /, *, side='left', sorter=None",
    "where": "condition, x1, x2, /",
    "take": "x, indices, /, *, axis=None",
    "take_along_axis": "x, indices, /, *, axis=-1",
    "unique_all": "x, /",
    "unique_counts": "x, /",
    "unique_inverse": "x, /",
    "unique_values": "x, /",
    "argsort": _ORDER,
    "sort": _ORDER,
    "cumulative_prod": _RUNNING,
    "cumulative_sum": _RUNNING,
    "max": _OVER_AXES,
    "mean": _OVER_AXES,
    "min": _OVER_AXES,
    "prod": _OVER_AXES_IN,
    "std": _SPREAD,
    "sum": _OVER_AXES_IN,
    "var": _SPREAD,
    "all": _OVER_AXES,
    "any": _OVER_AXES,
    "diff": "x, /, *, axis=-1, n=1, prepend=None, append=None",
}
LINALG: Final[dict[str, str]] = {
    **PRODUCTS,
    "cholesky": "x, /, *, upper=False",
    "cross": "x1, x2, /, *, axis=-1",
    "det": "x, /",
    "diagonal": "x, /, *, offset=0",
    "eigh": "x, /",
    "eigvalsh": "x, /",
    "inv": "x, /",
    "matrix_norm": "x, /, *, keepdims=False, ord='fro'",
    "matrix_power": "x, n, /",
    "matrix_rank": "x, /, *, rtol=None",
    "outer": "x1, x2, /",
    "pinv": "x, /, *, rtol=None",
    "qr": "x, /, *, mode='reduced'",
    "slogdet": "x, /",
    "solve": "x1, x2, /",
    "svd": "x, /, *, full_matrices=True",
    "svdvals": "x, /",
    "trace": "x, /, *, offset=0, dtype=None",
    "vector_norm": "x, /, *, axis=None, keepdims=False, ord=2",
}
_ALONG: Final = "x, /, *, n=None, axis=-1, norm='backward'"
_OVER: Final = "x, /, *, s=None, axes=None, norm='backward'"
FFT: Final[dict[str, str]] = {
    **dict.fromkeys(("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"), _ALONG),
    **dict.fromkeys(("fftn", "ifftn", "rfftn", "irfftn"), _OVER),
    **dict.fromkeys(("fftfreq", "rfftfreq"), "n, /, *, d=1.0, dtype=None, device=None"),
    **dict.fromkeys(("fftshift", "ifftshift"), "x, /, *, axes=None"),
}

ATTRIBUTES: Final = ("dtype", "device", "mT", "ndim", "shape", "size", "T")
_OPERATORS: Final = (
    ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"),
    ("lt", "le", "gt", "ge", "eq", "ne"),
    ("neg", "pos", "invert", "abs"),
)
METHODS: Final[dict[str, str]] = {
    **{f"__{prefix}{name}__": "other, /" for name in _OPERATORS[0] for prefix in ("", "r", "i")},
    **{f"__{name}__": "other, /" for name in _OPERATORS[1]},
    **{f"__{name}__": "" for name in (*_OPERATORS[2], "bool", "int", "float", "complex", "index")},
    "__array_namespace__": "*, api_version=None",
    "__dlpack__": "*, stream=None, max_version=None, dl_device=None, copy=None",
    "__dlpack_device__": "",
    "__getitem__": "key, /",
    "__setitem__": "key, value, /",
    "to_device": "device, /, *, stream=None",
}
"""By name; their parameters behind `self`."""
