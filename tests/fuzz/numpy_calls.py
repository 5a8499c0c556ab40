"""Random calls of NumPy's public functions, ndarrays' methods, operators and builtins: every one that compiled code has.

The functions come out of jitcore's own tables, their parameters out of NumPy's signatures; `ROLES` says by a parameter's name what may be
given for it. Arrays are of 0 to 4 axes with extents 0 to 3, of every dtype, with the largest and smallest numbers among them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np

from fuzz.numpy_forms import OPTIONS
from jitcore.library import tables

NAMESPACE: dict[str, Any] = {"np": np}
DTYPES: Final = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip
_WHERE: Final = (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft))
_LEFT_OUT: Final = frozenset(
    # what they give is undefined, in no order, or depends on where memory lies; what they take are functions
    [
        "np.empty",
        "np.empty_like",
        "np.piecewise",
        "np.apply_along_axis",
        "np.apply_over_axes",
        "np.may_share_memory",
    ]
)
_OPERATORS: Final = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
_EXPRESSIONS: Final = (
    *(f"a {op} b" for op in (*_OPERATORS, "<", "<=", ">", ">=", "==", "!=")),
    *(f"{op}a" for op in ("-", "+", "~", "not ")),
    "abs(a)", "round(a)", "round(a, {small})", "any(a)", "all(a)", "sum(a)", "max(a)", "min(a)", "len(a)", "divmod(a, b)",
    "pow(a, b)", "float(a)", "int(a)", "bool(a)", "complex(a)", "list(a)", "a[{key}]", "a[b]", "a[{key}, {key}]",
    "a in b", "a.T", "a.shape", "a.real", "a.imag", "a.mT", "a.size", "a.ndim", "a.dtype == b.dtype",
    "a.dtype.type({small})",
)  # fmt: skip
_STATEMENTS: Final = (
    *(f"a {op}= b" for op in _OPERATORS),
    "a[...] = b", "a[{key}] = b", "a[{key}] = {number}", "a[b] = {number}", "a.fill({number})", "a[{key}] += {number}",
)  # fmt: skip
_FORMS: Final = {
    "np.select": "np.select([{mask}, {mask}], [{array}, {array}], {number})",
    "np.einsum": "np.einsum('ij,jk->ik', {array}, {array})",
    "np.block": "np.block([[{array}, {array}], [{array}, {array}]])",
    "np.where": "np.where({mask}, {array}, {array})",
    "np.can_cast": "np.can_cast(np.{dtype}, np.{dtype})",
    "np.percentile": "np.percentile({array}, {percent}, axis={axis})",
    "np.nanpercentile": "np.nanpercentile({array}, {percent}, axis={axis})",
    "np.trapezoid": "np.trapezoid({array}, axis={axis})",
    "np.full": "np.full({shape}, {number})",
    "np.arange": "np.arange({number}, {small}, {small})",
}
"""Calls of functions whose parameters' names say too little."""
_METHODS_WITHOUT: Final = frozenset(["setflags", "view", "__len__"])


def public_functions() -> dict[str, Callable[..., Any]]:
    """The functions that compiled code has, by what they are called in a program."""
    named: dict[str, Callable[..., Any]] = {}
    for prefix, module in _WHERE:
        for name in dir(module):
            found: Any = getattr(module, name, None)
            if callable(found) and not name.startswith("_") and _is_known(found):
                named.setdefault(f"{prefix}.{name}", found)
    return {name: f for name, f in sorted(named.items()) if name not in _LEFT_OUT}


def _is_known(function: Any) -> bool:
    try:
        return function in tables.NUMPY_FUNCTIONS
    except TypeError:
        return False


def methods() -> dict[str, Callable[..., Any]]:
    """The methods of ndarrays that compiled code has, with NumPy's functions of the same names, whose parameters they have."""
    return {
        name: getattr(np, name)
        for name in sorted(tables.ARRAY_METHODS)
        if hasattr(np.ndarray, name) and hasattr(np, name) and name not in _METHODS_WITHOUT
    }


class CallWriter:
    """Writes one function with a call, and arguments for it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.operands: list[Any] = []
        r = self.random
        rank = r.choices((0, 1, 2, 3, 4), (2, 5, 6, 3, 1))[0]
        self.shape = tuple(r.choices((0, 1, 2, 3), (1, 1, 4, 5))[0] for _ in range(rank))
        self.dtype = r.choice(DTYPES)
        self.wild = r.random() < 0.15
        """Whether extreme numbers are among the data."""
        self.callee = ""

    # --- the program

    def text(self) -> str:
        """The text of a function `f` of arrays and numbers."""
        r = self.random
        kind = r.random()
        if kind < 0.58:
            body = f"return {self._call()}"
        elif kind < 0.68:
            self.callee = r.choice(OPTIONS)
            body = f"return {self._form(self.callee)}"
        elif kind < 0.80:
            body = f"return {self._method()}"
        elif kind < 0.93:
            body = f"return {self._expression(r.choice(_EXPRESSIONS))}"
        else:
            body = f"{self._expression(r.choice(_STATEMENTS))}\n    return a"
        names = ", ".join(_NAMES[: len(self.operands)])
        return f"def f({names}):\n    {body}\n"

    def arguments(self) -> tuple[Any, ...]:
        """Its arguments."""
        return tuple(self.operands)

    def _call(self) -> str:
        functions = public_functions()
        self.callee = name = self.random.choice(list(functions))
        function = functions[name]
        if name in _FORMS and self.random.random() < 0.8:
            return self._form(_FORMS[name])
        if isinstance(function, np.ufunc):
            return self._ufunc(name, function)
        if isinstance(function, type):
            self.wild = False  # C leaves open which int an infinity or NaN is converted to
            return f"{name}({self._scalar_or_array()})"
        return f"{name}({', '.join(self._parameters(function, skip=0))})"

    def _method(self) -> str:
        known = methods()
        self.callee = name = self.random.choice(list(known))
        self.wild &= name != "astype"
        own = self._operand(self._array())
        return f"{own}.{name}({', '.join(self._parameters(known[name], skip=1))})"

    def _expression(self, form: str) -> str:
        self.callee = form
        self._operand(self._array())
        if "b" in form.replace("abs", "").replace("bool", ""):
            self._operand(self._second())
        return form.format(small=self._small(), key=self._key(), number=self._number())

    def _form(self, form: str) -> str:
        parts = {"mask": self._mask, "array": self._scalar_or_array, "number": self._number, "percent": self._percent}
        parts |= {"axis": self._one_axis, "shape": self._shape, "small": self._small}
        parts["dtype"] = lambda: self.random.choice(DTYPES)
        return re.sub(r"{(\w+)}", lambda found: parts[found[1]](), form)

    def _ufunc(self, name: str, function: np.ufunc) -> str:
        r = self.random
        if function.nin == 2 and r.random() < 0.12:
            method = r.choice(("reduce", "accumulate", "outer"))
            if (function, method) in tables.UFUNC_METHODS:
                first = self._operand(self._array())
                if method == "outer":
                    return f"{name}.outer({first}, {self._operand(self._second())})"
                axis = f", axis={self._axis()}" if r.random() < 0.6 else ""
                return f"{name}.{method}({first}{axis})"
        given = [self._operand(self._array() if not k else self._second()) for k in range(function.nin)]
        if r.random() < 0.06:
            given.append(f"dtype=np.{r.choice(DTYPES)}")
        return f"{name}({', '.join(given)})"

    def _parameters(self, function: Callable[..., Any], skip: int) -> list[str]:
        given: list[str] = []
        by_name = False
        for parameter in list(inspect.signature(function).parameters.values())[skip:]:
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            if parameter.kind is parameter.VAR_POSITIONAL:
                given += [self._of_role(parameter.name) for _ in range(self.random.choice((1, 1, 2)))]
                continue
            required = parameter.default is parameter.empty
            role = ROLES.get(parameter.name)
            if not required and (role is None or self.random.random() < 0.72):
                by_name = True
                continue
            text = self._of_role(parameter.name)
            by_name |= parameter.kind is parameter.KEYWORD_ONLY
            given.append(f"{parameter.name}={text}" if by_name else text)
        return given

    def _of_role(self, name: str) -> str:
        role = ROLES.get(name)
        return role(self) if role is not None else self._scalar_or_array()

    # --- operands

    def _operand(self, value: Any) -> str:
        self.operands.append(value)
        return _NAMES[len(self.operands) - 1]

    def _scalar_or_array(self) -> str:
        if self.random.random() < 0.1:
            return self._number()
        return self._operand(self._array() if not self.operands else self._second())

    def _second(self) -> Any:
        """Something for an operator beside the first array."""
        r = self.random
        if r.random() < 0.2:
            return self._python_number()
        dtype = self.dtype if r.random() < 0.6 else r.choice(DTYPES)
        return self._array(self._relative(), dtype)

    def _relative(self) -> tuple[int, ...]:
        """A shape that mostly broadcasts with the call's."""
        r = self.random
        if r.random() < 0.55:
            return self.shape
        shape = tuple(1 if r.random() < 0.3 else n for n in self.shape[r.randrange(len(self.shape) + 1) :])
        return shape if r.random() < 0.85 else tuple(r.choice((0, 1, 2, 3)) for _ in range(r.randrange(3)))

    def _array(self, shape: tuple[int, ...] | None = None, dtype: str | None = None) -> Any:
        shape, dtype = self.shape if shape is None else shape, dtype or self.dtype
        flat = [self._element(dtype) for _ in range(int(np.prod(shape)))]
        made = np.array(flat, dtype).reshape(shape)
        r = self.random
        if not shape and r.random() < 0.4:
            return made[()]
        if len(shape) > 1 and r.random() < 0.12:
            made = np.array(made.T).T
        elif shape and r.random() < 0.08:
            made = made[::-1]
        return made

    def _element(self, dtype: str) -> Any:
        r = self.random
        kind = np.dtype(dtype).kind
        if kind == "b":
            return r.random() < 0.5
        if kind in "iu":
            info = np.iinfo(dtype)
            if self.wild and r.random() < 0.3 and not self._sizes_by_value():
                return r.choice((info.min, info.max, info.max // 2, info.max - 1, info.min + 1))
            return r.randrange(0 if kind == "u" else -4, 6)
        if kind == "f":
            if self.wild and r.random() < 0.3:
                return r.choice((float("inf"), float("-inf"), float("nan"), -0.0, float(np.finfo(dtype).tiny)))
            return r.choice((0.0, 0.5, 1.0, -1.0, 2.0, -2.5, 3.0, 0.25, 1.75, -0.75))
        return complex(self._element("float32"), self._element("float32"))

    def _sizes_by_value(self) -> bool:
        return any(word in self.callee for word in ("bincount", "repeat", "arange", "wrap"))

    def _python_number(self) -> Any:
        r = self.random
        kind = r.random()
        if kind < 0.5:
            return r.choice((0, 1, 2, -1, 3, -3)) if r.random() < 0.8 or self._sizes_by_value() else r.choice(_EXTREMES)
        if kind < 0.85:
            return r.choice((0.0, 0.5, 1.0, -1.5, 2.0, float("inf"), float("nan")))
        return r.choice((True, False)) if kind < 0.93 else r.choice((1j, 1 + 2j))

    # --- texts of arguments

    def _number(self) -> str:
        value = self._python_number()
        if isinstance(value, float) and not np.isfinite(value):
            return f"np.{value}"
        return f"np.{self.random.choice(DTYPES[1:12])}({abs(int(value.real)) % 100})" if self.random.random() < 0.1 else repr(value)  # fmt: skip

    def _small(self) -> str:
        return str(self.random.choice((0, 1, 2, 3, -1, -2)))

    def _axis(self) -> str:
        r, rank = self.random, len(self.shape)
        kind = r.random()
        if kind < 0.7:
            return str(r.randrange(-rank, rank)) if rank else r.choice(("0", "-1"))
        if kind < 0.8:
            return "None"
        if kind < 0.9:
            return repr(tuple(r.randrange(-max(rank, 1), max(rank, 1)) for _ in range(r.choice((0, 1, 2, 2)))))
        return str(r.choice((rank, -rank - 1, 7)))

    def _one_axis(self) -> str:
        text = self._axis()
        return "0" if text.startswith(("(", "N")) else text

    def _axes(self) -> str:
        rank = len(self.shape)
        order = list(range(rank))
        self.random.shuffle(order)
        return repr(tuple(order)) if self.random.random() < 0.7 else self._axis()

    def _shape(self) -> str:
        r = self.random
        size = int(np.prod(self.shape))
        return r.choice((repr(self.shape), "-1", f"({size},)", f"({size}, 1)", "(2, -1)", "(3,)", "2", "()", "(0, 2)", "(1, -1)"))  # fmt: skip

    def _indices(self) -> str:
        r = self.random
        shape = r.choice(((), (1,), (2,), (3,), (2, 2), (0,)))
        low, high = r.choice(((0, 2), (-2, 2), (-4, 5), (0, 1)))
        values = np.array([r.randrange(low, high) for _ in range(int(np.prod(shape)))], r.choice(("int64", "int64", "int32", "uint8", "int8"))).reshape(shape) if low >= 0 else np.array([r.randrange(low, high) for _ in range(int(np.prod(shape)))], "int64").reshape(shape)  # fmt: skip
        return self._operand(values[()] if not shape else values)

    def _like(self) -> str:
        """An array of another dtype and the call's shape."""
        return self._operand(self._array(self._relative(), self.random.choice(DTYPES)))

    def _mask(self) -> str:
        return self._operand(self._array(self._relative(), "bool"))

    def _vector(self) -> str:
        n = self.random.choice((self.shape[0] if self.shape else 1, 2, 3, 0))
        return self._operand(self._array((n,), self.random.choice((self.dtype, "int64", "float64"))))

    def _rising(self) -> str:
        n = self.random.choice((1, 2, 3, 4, 0))
        return self._operand(np.sort(self._array((n,), self.random.choice((self.dtype, "float64", "int64"))))[:n])

    def _dtype(self) -> str:
        return f"np.{self.random.choice(DTYPES)}"

    def _several(self) -> str:
        return "(" + "".join(f"{self._operand(self._array() if not k else self._second())}, " for k in range(self.random.choice((1, 2, 2, 3)))) + ")"  # fmt: skip

    def _share(self) -> str:
        return self.random.choice(("0.5", "0.0", "1.0", "0.25", "(0.25, 0.5)", "1", "1.5", "-0.1", "[0.0, 1.0]"))

    def _percent(self) -> str:
        return self.random.choice(("50", "0", "100", "25.0", "(25, 75)", "[10, 90.0]", "101", "-1"))

    def _key(self) -> str:
        keys = (
            "0",
            "-1",
            "1",
            "...",
            "None",
            ":1",
            "::-1",
            "1:",
            "::2",
            "5",
            "True",
            "[0, 1]",
            "[0, -1]",
            "[]",
            "7:2",
            "np.int64(0)",
            "1.0",
        )
        return self.random.choice(keys)

    def _pair(self) -> str:
        return self.random.choice(("1", "0", "2", "(1, 0)", "((1, 1),)", "(0, 2)"))


_NAMES: Final = tuple("abcdefgh")
_EXTREMES: Final = (127, 128, 255, 256, -129, 32768, 65536, 2**31, 2**32 + 1, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64 - 1)  # fmt: skip

Role = Callable[[CallWriter], str]


def _one_of(*texts: str) -> Role:
    return lambda writer: writer.random.choice(texts)


_flag: Final = _one_of("True", "False")


def _for(names: str, role: Role) -> dict[str, Role]:
    return dict.fromkeys(names.split(), role)


ROLES: Final[dict[str, Role]] = {
    **_for("a x arr m v y ar1 ar2 ary b x1 x2 a1 a2 z f element values array A p M_ ar", CallWriter._scalar_or_array),
    "axis": CallWriter._axis, "axes": CallWriter._axes, "keepdims": _flag, "dtype": CallWriter._dtype,
    **_for("axis1 axis2 axisa axisb axisc source destination start_axis", CallWriter._one_axis),
    **_for("n M N num minlength ndim deg count ndmin", _one_of("0", "1", "2", "3", "5")),
    **_for("k shift offset ddof correction decimals edge_order prepend_ s", CallWriter._small),
    **_for("shape newshape new_shape dims dimensions", CallWriter._shape),
    **_for("indices ind obj key", CallWriter._indices),
    **_for("weights fweights aweights", CallWriter._like),
    **_for("condition mask", CallWriter._mask),
    **_for("arrays tup arys_ choices keys xi_ operands_", CallWriter._several),
    **_for("bins xp fp", CallWriter._rising),
    **_for("equal_nan endpoint retstep density rowvar bias invert return_index return_inverse return_counts "
                    "sparse increasing copy hermitian right stable returned include_initial full_matrices compute_uv wrap", _flag),
    **_for("fill_value default val to_end to_begin nan posinf neginf left right_ a_min a_max min max initial", CallWriter._number),
    **_for("start stop step dx beta base start_or_stop", CallWriter._number),
    "mode": _one_of("'raise'", "'clip'", "'wrap'", "'full'", "'same'", "'valid'", "'constant'", "'edge'", "'reflect'", "'sideways'"),
    "side": _one_of("'left'", "'right'"), "kind": _one_of("'stable'", "'quicksort'", "None"), "indexing": _one_of("'xy'", "'ij'"),
    "method": _one_of("'linear'", "'lower'", "'higher'", "'nearest'", "'midpoint'"), "q": CallWriter._share,
    "ord": _one_of("None", "1", "2", "np.inf", "-np.inf", "0", "'fro'"), "norm": _one_of("'ortho'", "'forward'", "None"),
    "repeats": _one_of("0", "1", "2", "-1"), "reps": _one_of("0", "2", "(1, 2)", "(2, 1, 1)"),
    "indices_or_sections": _one_of("1", "2", "3", "0", "[1]", "(1, 2)", "[5]"), "pad_width": CallWriter._pair,
    "trim": _one_of("'fb'", "'f'", "'b'"), "kth": _one_of("0", "-1", "1", "9"), "UPLO": _one_of("'L'", "'U'"),
    "order": _one_of("'C'", "'F'"), "rtol": _one_of("0.1", "0.0"), "atol": _one_of("0.5", "0.0"), "range": _one_of("(0, 1)", "(-2, 3)", "(1, 1)", "(3, 1)"),
    "multi_index": CallWriter._several, "seq_of_zeros": CallWriter._vector, "vals": CallWriter._vector, "reshape": CallWriter._shape,
    "perm": CallWriter._axes,
}  # fmt: skip
"""What is given for parameters, by their names: a text, with operands of the writer in it."""
