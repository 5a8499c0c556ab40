"""Tests generated from the primitives' declarations: rules, references, lowerings and derivatives agree on every sample."""

from __future__ import annotations

import copy
import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from grouped import grouped

from jitcore.kernel.build import ArrayLayout
from jitcore.kernel.scalar import OPS
from jitcore.primitives import PRIMITIVES
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import (
    Builtin,
    Decomposition,
    Elementwise,
    HostCode,
    KernelTemplate,
    Linear,
    Multilinear,
    Nondifferentiable,
    Partials,
    Place,
    Primitive,
    Reduce,
    Sample,
    ScalarCode,
    StackSample,
    Structural,
    View,
    Vjp,
    Window,
)
from jitcore.testing.numpy_evaluator import NumpyEvaluator, type_of_value
from jitcore.types import (
    STACK,
    DType,
    RefType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    dtype_of,
    i64,
    map_dims,
    substitute_dims,
    symbol,
)

CASES = [(p, k, s) for p in PRIMITIVES.values() for k, s in enumerate(p.samples())]
UNSAMPLED = {
    "union_make", "union_tag", "union_get", "raise_", "rethrow", "park", "unpark", "drop_parked", "commit", "random_state", "host_random", "host_seed", "host_method", "host_draw", "host_order", "box_read", "box_change", "box_pure", "box_text", "box_compute", "box_constant"
}  # fmt: skip


def cases(*lowerings: type, derivatives: tuple[type, ...] = ()) -> Any:
    chosen = [
        pytest.param(p, s, id=f"{p.name}-{k}")
        for p, k, s in CASES
        if (not lowerings or isinstance(p.lowering, lowerings))
        and (not derivatives or (isinstance(p.derivative, derivatives) and s.differentiable and is_differentiable(s)))
    ]
    return grouped(("primitive", "sample"), chosen)


def is_differentiable(sample: Sample) -> bool:
    """Whether an operand is a float of 64 bits, so that finite differences are precise."""
    return any(is_active(a) for a in sample.args)


def is_active(value: Any) -> bool:
    return type(value) is float or (isinstance(value, np.ndarray) and value.dtype == np.float64)


def arguments(sample: Sample) -> list[Any]:
    """The arguments as references take them."""
    made: list[Any] = []
    for arg in sample.args:
        if isinstance(arg, Place):
            made.append(copy.deepcopy(arg.array))
        elif isinstance(arg, StackSample):
            made.append(list(arg.entries))
        else:
            made.append(arg)
    return made


def reference(primitive: Primitive, sample: Sample) -> tuple[Any, ...]:
    made = primitive.reference(*arguments(sample), **sample.params)
    types = result_types(primitive, sample)
    return made if len(types) != 1 else (made,)


def result_types(primitive: Primitive, sample: Sample) -> tuple[Type, ...]:
    return primitive.types([type_of_value(a) for a in sample.args], sample.params)


def assert_same(have: Any, want: Any, ulp: float = 0) -> None:
    """Equal in every bit (signs of zeros and NaNs apart where `ulp`), or within `ulp` of the dtype's precision."""
    have, want = np.asarray(have), np.asarray(want)
    assert have.shape == want.shape
    assert have.dtype == want.dtype
    if not ulp:
        np.testing.assert_array_equal(have, want)
        if want.dtype.kind == "f":
            numbers = ~np.isnan(want)
            np.testing.assert_array_equal(np.signbit(have[numbers]), np.signbit(want[numbers]))
        return
    precision = np.finfo(want.dtype).eps
    np.testing.assert_allclose(have, want, rtol=ulp * precision, atol=ulp * precision)


# --- declarations -----------------------------------------------------------------------------------


@grouped("primitive", PRIMITIVES.values(), ids=str)
def test_declarations_are_complete(primitive: Primitive) -> None:
    assert primitive.doc
    assert isinstance(
        primitive.lowering,
        Elementwise | Reduce | View | Window | KernelTemplate | Decomposition | ScalarCode | HostCode | Builtin,
    )
    assert isinstance(primitive.derivative, Partials | Linear | Multilinear | Vjp | Nondifferentiable | Structural)
    samples = list(primitive.samples())
    assert samples or primitive.name in UNSAMPLED
    for sample in samples:
        fixed = [a for a in primitive.arguments if not a.startswith("*")]
        assert len(sample.args) == len(fixed) or (
            len(fixed) != len(primitive.arguments) and len(sample.args) >= len(fixed)
        )


def test_samples_are_the_same_every_time() -> None:
    for primitive in PRIMITIVES.values():
        for first, second in zip(primitive.samples(), primitive.samples(), strict=True):
            assert [type_of_value(a) for a in first.args] == [type_of_value(a) for a in second.args]


@cases()
def test_rule_agrees_with_reference(primitive: Primitive, sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    types = result_types(primitive, sample)
    made = primitive.reference(*arguments(sample), **sample.params)
    if not types:
        assert made is None
        return
    results = made if len(types) != 1 else (made,)
    for result, type_ in zip(results, types, strict=True):
        if isinstance(type_, RefType):
            assert isinstance(result, np.ndarray)
            assert type_of_value(result) is type_.target
        elif type_ is STACK:
            assert isinstance(result, list)
        else:
            known = {name: result.shape[0] for key, name in sample.params.items() if key == "symbol"}
            assert type_of_value(result) is map_dims(type_, lambda dim, known=known: substitute_dims(dim, known))


def with_symbols(type_: Type) -> Type:
    """The type with its extents other than 0 and 1 made symbolic, one symbol for each number."""
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(type_.dtype, tuple(symbol(f"n{d}") if isinstance(d, int) and d > 1 else d for d in type_.shape))


SYMBOLIC_BY_SHAPE_ALONE = {  # those whose params say nothing of the extents
    "transpose", "expand_dims", "squeeze", "concatenate", "pad", "diagonal", "matmul", "conv2d", "max_pool2d", "avg_pool2d",
    "gather", "gather_along", "scatter_add", "scatter_set", "cumsum", "argmax", "copy", "product_of_others",
}  # fmt: skip


@grouped(
    ("primitive", "sample"),
    [
        pytest.param(p, s, id=f"{p.name}-{k}")
        for p, k, s in CASES
        if isinstance(p.lowering, Elementwise | Reduce) or p.name in SYMBOLIC_BY_SHAPE_ALONE
    ],
)
def test_rule_on_symbolic_extents(primitive: Primitive, sample: Sample) -> None:
    types = [with_symbols(type_of_value(a)) for a in sample.args]
    made = primitive.types(types, sample.params)
    values = {f"n{d}": d for a in sample.args if isinstance(a, np.ndarray) for d in a.shape}
    for type_, want in zip(made, result_types(primitive, sample), strict=True):
        assert isinstance(type_, TensorType)
        assert TensorType(type_.dtype, tuple(substitute_dims(d, values) for d in type_.shape)) is want


# --- lowerings --------------------------------------------------------------------------------------


class Number:
    """A value of scalar code under test: a NumPy array of a dtype."""

    def __init__(self, value: Any, dtype: DType) -> None:
        self.value = np.asarray(value, dtype.numpy)
        self.dtype = dtype


class Failed(Exception):
    """A check of scalar code did not hold."""


class Writer:
    """Evaluates scalar code at once."""

    def __call__(self, op: str, dtype: DType, *args: Number) -> Number:
        scalar = OPS[op]
        assert len(args) == scalar.arity
        values = [a.value for a in args]
        if scalar.kind == "arithmetic":
            assert all(a.dtype is dtype for a in args), (op, dtype, [a.dtype for a in args])
        if scalar.kind == "compare":
            assert len({a.dtype for a in args}) == 1
            assert dtype.name == "bool_"
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            if scalar.kind == "convert":
                return Number(scalar.reference(*values, dtype=dtype.numpy), dtype)
            return Number(scalar.reference(*values), dtype)

    def const(self, dtype: DType, value: Any) -> Number:
        return Number(value, dtype)

    def cast(self, dtype: DType, value: Number) -> Number:
        return value if value.dtype is dtype else self("cast", dtype, value)

    def check(self, ok: Number, exception: str, message: str, *values: Number) -> None:
        if not ok.value:
            raise Failed(exception, message.format(*(v.value.item() for v in values)))


def number(value: Any) -> Number:
    type_ = type_of_value(value)
    assert isinstance(type_, ScalarType | TensorType)
    return Number(value, type_.dtype)


@cases(Elementwise)
def test_elementwise_code(primitive: Primitive, sample: Sample) -> None:
    (type_,) = result_types(primitive, sample)
    assert isinstance(type_, TensorType)
    assert isinstance(primitive.lowering, Elementwise)
    emit = primitive.lowering.emit
    numbers = [number(a) for a in sample.args]
    write: Any = (lambda p, *xs: p(emit, type_.dtype, *xs)) if isinstance(emit, str) else emit
    made = write(Writer(), *numbers, **sample.params)
    assert made.dtype is type_.dtype
    assert_same(made.value, reference(primitive, sample)[0])


@cases(ScalarCode)
def test_scalar_code(primitive: Primitive, sample: Sample) -> None:
    assert isinstance(primitive.lowering, ScalarCode)
    made = primitive.lowering.emit(Writer(), *(number(a) for a in sample.args), **sample.params)
    (want,) = reference(primitive, sample)
    assert made.dtype is number(want).dtype
    assert_same(made.value, want)


def strided(layout: ArrayLayout, memory: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    size = memory.itemsize
    known: Any = layout
    return np.ndarray(known.shape, memory.dtype, memory, known.offset * size, tuple(s * size for s in known.strides))


@cases(View)
def test_views(primitive: Primitive, sample: Sample) -> None:
    assert isinstance(primitive.lowering, View)
    x, *values = sample.args
    memory = np.ascontiguousarray(x)
    for base, layout in (
        (memory, ArrayLayout.contiguous(dtype_of(x.dtype), x.shape)),
        (np.asarray(x, order="F"), ArrayLayout(dtype_of(x.dtype), x.shape, _strides(np.asarray(x, order="F")))),
    ):
        made = primitive.lowering.describe(layout, *values, **sample.params)
        if made is None:
            view: Any = base.view()
            with pytest.raises(AttributeError):
                view.shape = sample.params["shape"]
            continue
        np.testing.assert_array_equal(strided(made, base), reference(primitive, sample)[0])


def _strides(x: np.ndarray[Any, Any]) -> tuple[int, ...]:
    return tuple(s // x.itemsize for s in x.strides)


def test_reshape_keeps_transposed_memory_where_it_can() -> None:
    memory = np.arange(24.0)
    base = memory.reshape(2, 3, 4).transpose(2, 0, 1)
    layout = ArrayLayout(dtype_of(base.dtype), base.shape, _strides(base))
    describe = PRIMITIVES["reshape"].lowering.describe  # type: ignore[union-attr]
    made = describe(layout, shape=(2, 2, 1, 6))
    np.testing.assert_array_equal(strided(made, memory), base.reshape(2, 2, 1, 6))
    assert describe(layout, shape=(24,)) is None


@cases(Decomposition)
def test_decompositions(primitive: Primitive, sample: Sample) -> None:
    assert isinstance(primitive.lowering, Decomposition)
    with evaluating_by(NumpyEvaluator()):
        made = primitive.lowering.expand(*sample.args, **sample.params)
    assert_same(made, reference(primitive, sample)[0])


# --- derivatives ------------------------------------------------------------------------------------


def perturbed(sample: Sample, tangents: list[Any], step: float) -> list[Any]:
    return [a if t is None else a + step * t for a, t in zip(sample.args, tangents, strict=True)]


def direction(value: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return float(rng.normal()) if type(value) is float else rng.normal(size=np.shape(value))


def pairing(cotangents: list[Any], tangents: list[Any]) -> float:
    total = 0.0
    for ct, t in zip(cotangents, tangents, strict=True):
        if ct is not None and t is not None:
            total += float(np.sum(np.asarray(ct) * np.asarray(t)))
    return total


def linear_in(derivative: Any, sample: Sample) -> set[int]:
    if isinstance(derivative, Linear):
        return set(derivative.args)
    if isinstance(derivative, Multilinear):
        return set(derivative.transposes)
    return set(range(len(sample.args)))


def reverse(primitive: Primitive, sample: Sample, out: Any, ct: Any) -> list[Any]:
    """The cotangents by the primitive's rule."""
    match primitive.derivative:
        case Partials(rule):
            found: list[Any] = []
            for arg, partial in zip(sample.args, rule(out, *sample.args, **sample.params), strict=True):
                if partial is None:
                    found.append(None)
                elif type(out) is float:
                    found.append(ct * partial())
                else:
                    whole = np.broadcast_to(np.asarray(ct * partial()), np.shape(out))
                    found.append(unbroadcast(whole, np.shape(arg)))
            return found
        case Linear(_, transpose):
            return list(transpose((ct,), *sample.args, **sample.params))
        case Multilinear(transposes):
            return [
                transposes[k](ct, *sample.args, **sample.params) if k in transposes else None
                for k in range(len(sample.args))
            ]
        case Vjp(vjp, _):
            return list(vjp((ct,), (out,), *sample.args, **sample.params))
        case other:
            raise AssertionError(other)


def unbroadcast(x: Any, shape: tuple[int, ...]) -> Any:
    extra = x.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(k + extra for k, d in enumerate(shape) if d == 1)
    return x.sum(axes).reshape(shape)


@cases(derivatives=(Partials, Linear, Multilinear, Vjp))
def test_reverse_rule_against_finite_differences(primitive: Primitive, sample: Sample) -> None:
    (out,) = reference(primitive, sample)
    if not is_active(out):
        pytest.skip("its result is no 64-bit float")
    linear = linear_in(primitive.derivative, sample)
    tangents = [direction(a, k) if is_active(a) and k in linear else None for k, a in enumerate(sample.args)]
    if all(t is None for t in tangents):
        pytest.skip("nothing differentiable among its operands")
    ct = direction(out, 99)
    with evaluating_by(NumpyEvaluator()):
        cotangents = reverse(primitive, sample, out, ct)
    for arg, cotangent, tangent in zip(sample.args, cotangents, tangents, strict=True):
        if cotangent is not None and tangent is not None:
            assert type_of_value(cotangent) is type_of_value(arg)
    step = 1e-6
    ahead = primitive.reference(*perturbed(sample, tangents, step), **sample.params)
    behind = primitive.reference(*perturbed(sample, tangents, -step), **sample.params)
    with np.errstate(all="ignore"):
        slope = (np.asarray(ahead) - np.asarray(behind)) / (2 * step)
    want = float(np.sum(np.asarray(ct) * slope))
    assert pairing(cotangents, tangents) == pytest.approx(want, rel=2e-6, abs=2e-6)


@cases(derivatives=(Linear,))
def test_linear_primitives_are_linear_in_what_they_say(primitive: Primitive, sample: Sample) -> None:
    assert isinstance(primitive.derivative, Linear)
    linear = primitive.derivative.args
    assert set(linear) <= set(range(len(sample.args)))
    tripled = tuple(arg * 3.0 if k in linear else arg for k, arg in enumerate(sample.args))
    made, wanted = reference(primitive, replace(sample, args=tripled)), reference(primitive, sample)
    for have, want in zip(made, wanted, strict=True):
        if np.asarray(want).dtype.kind in "fc":
            np.testing.assert_allclose(have, np.multiply(want, 3.0), rtol=1e-6, atol=1e-12)


@cases(derivatives=(Vjp,))
def test_forward_rule_is_the_reverse_rules_transpose(primitive: Primitive, sample: Sample) -> None:
    (out,) = reference(primitive, sample)
    assert isinstance(primitive.derivative, Vjp)
    assert primitive.derivative.jvp is not None
    ct = direction(out, 5)
    tangents = [direction(a, k) if is_active(a) else None for k, a in enumerate(sample.args)]
    with evaluating_by(NumpyEvaluator()):
        cotangents = reverse(primitive, sample, out, ct)
        (forward,) = primitive.derivative.jvp(tangents, (out,), *sample.args, **sample.params)
    assert type_of_value(forward) is type_of_value(out)
    assert pairing([ct], [forward]) == pytest.approx(pairing(cotangents, tangents), rel=1e-9, abs=1e-9)


@grouped("primitive", PRIMITIVES.values(), ids=str)
def test_every_float_result_has_a_derivative_or_a_reason(primitive: Primitive) -> None:
    if isinstance(primitive.derivative, Nondifferentiable):
        assert primitive.derivative.reason


def test_derivatives_of_products_with_zeros() -> None:
    """d²(x0 x1 x2)/dx where one and two factors are 0."""
    product = PRIMITIVES["reduce_prod"]
    others = PRIMITIVES["product_of_others"]
    for x in ([0.0, 3.0, 5.0], [0.0, 0.0, 5.0], [2.0, 3.0, 5.0]):
        values = np.array(x)
        with evaluating_by(NumpyEvaluator()):
            (gradient,) = product.derivative.vjp((np.array(1.0),), (None,), values, axis=(0,), keepdims=False)  # type: ignore[union-attr]
            (second,) = others.derivative.vjp((np.array([1.0, 0.0, 0.0]),), (None,), values)  # type: ignore[union-attr]
        a, b, c = x
        np.testing.assert_array_equal(gradient, [b * c, a * c, a * b])
        np.testing.assert_array_equal(second, [0.0, c, b])


def test_derivatives_of_powers_at_zero() -> None:
    rule = PRIMITIVES["pow"].derivative.rule  # type: ignore[union-attr]
    x, y = np.array([0.0, 0.0, 0.0]), np.array([0.0, 1.0, 2.0])
    with evaluating_by(NumpyEvaluator()):
        by_base, by_exponent = rule(np.power(x, y), x, y)
        assert by_base is not None
        assert by_exponent is not None
        np.testing.assert_array_equal(by_base(), [0.0, 1.0, 0.0])
        np.testing.assert_array_equal(by_exponent(), [0.0, 0.0, 0.0])


# --- what Python raises -----------------------------------------------------------------------------

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
PAST = ("OverflowError", "integer result is past 64 bits")


def raised(function: Any, *args: Any) -> tuple[str, str]:
    with pytest.raises((ArithmeticError, ValueError)) as caught:
        function(*args)
    return type(caught.value).__name__, str(caught.value)


@pytest.mark.parametrize(
    ("name", "args", "python"),
    [
        ("int_add", (INT_MAX, 1), PAST),
        ("int_sub", (INT_MIN, 1), PAST),
        ("int_mul", (2**32, 2**31), PAST),
        ("int_neg", (INT_MIN,), PAST),
        ("int_abs", (INT_MIN,), PAST),
        ("int_floordiv", (INT_MIN, -1), PAST),
        ("int_pow", (2, 63), PAST),
        ("int_pow", (-2, 64), PAST),
        ("int_pow", (3, 1000), PAST),
        ("int_pow", (10, 19), PAST),
        ("int_lshift", (1, 63), PAST),
        ("int_lshift", (3, 62), PAST),
        ("int_lshift", (-1, 64), PAST),
        ("float_to_int", (1e19,), PAST),
        ("float_floor", (2.0**63,), PAST),
        ("int_floordiv", (1, 0), lambda: 1 // 0),
        ("int_mod", (1, 0), lambda: 1 % 0),
        ("int_truediv", (1, 0), lambda: 1 / 0),
        ("int_lshift", (1, -1), lambda: 1 << -1),
        ("int_rshift", (1, -1), lambda: 1 >> -1),
        ("float_truediv", (1.0, 0.0), lambda: 1.0 / 0.0),
        ("float_truediv", (1.0, -0.0), lambda: 1.0 / 0.0),
        ("float_floordiv", (1.0, 0.0), lambda: 1.0 // 0.0),
        ("float_mod", (1.0, 0.0), lambda: 1.0 % 0.0),
        ("float_pow", (0.0, -1.0), lambda: 0.0**-1.0),
        ("float_pow", (10.0, 400.0), lambda: 10.0**400.0),
        (
            "float_pow",
            (-8.0, 1 / 3),
            ("ValueError", "a negative float to a power that is no whole number is complex: write complex(x) ** y"),
        ),
        ("float_to_int", (math.nan,), lambda: int(math.nan)),
        ("float_round", (math.inf,), lambda: round(math.inf)),
        ("complex_truediv", (1j, 0j), lambda: 1j / 0j),
        ("from_scalar", (300,), ("OverflowError", "Python integer 300 out of bounds for uint8")),
        ("math_log", (0.0,), lambda: math.log(0.0)),
        ("math_sqrt", (-1.0,), lambda: math.sqrt(-1.0)),
        ("math_exp", (1000.0,), lambda: math.exp(1000.0)),
        ("math_sin", (math.inf,), lambda: math.sin(math.inf)),
        ("math_acos", (1.5,), lambda: math.acos(1.5)),
        ("math_atanh", (1.0,), lambda: math.atanh(1.0)),
        ("math_pow", (0.0, -1.0), lambda: math.pow(0.0, -1.0)),
        ("math_pow", (-1.0, 0.5), lambda: math.pow(-1.0, 0.5)),
        ("math_pow", (10.0, 400.0), lambda: math.pow(10.0, 400.0)),
        ("math_fmod", (1.0, 0.0), lambda: math.fmod(1.0, 0.0)),
        ("math_fmod", (math.inf, 1.0), lambda: math.fmod(math.inf, 1.0)),
    ],
)
def test_exceptions_are_pythons(name: str, args: tuple[Any, ...], python: Any) -> None:
    primitive = PRIMITIVES[name]
    params = {"dtype": dtype_of("uint8")} if name == "from_scalar" else {}
    want = python if isinstance(python, tuple) else raised(python)
    assert raised(lambda: primitive.reference(*args, **params)) == want
    assert want[0] in primitive.effects.raises
    if isinstance(primitive.lowering, ScalarCode):
        with pytest.raises(Failed) as caught:
            primitive.lowering.emit(Writer(), *map(number, args), **params)
        assert caught.value.args == want


@pytest.mark.parametrize(
    "name", ["float_floordiv", "float_mod", "float_pow", "float_truediv", "complex_mul", "complex_truediv"]
)
def test_binary_scalar_code_is_bit_equal_on_a_grid(name: str) -> None:
    """Every pair of awkward numbers gives what Python gives, or raises what Python raises."""
    grid = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e308, -1e308, 5e-324, math.inf, -math.inf, math.nan, 1 / 3, 2.0**53]
    values = [complex(a, b) for a in grid[::3] for b in grid[::4]] if name.startswith("complex") else grid
    primitive = PRIMITIVES[name]
    assert isinstance(primitive.lowering, ScalarCode)
    emit = primitive.lowering.emit

    def emitted(x: Number, y: Number) -> Any:
        return emit(Writer(), x, y).value.item()

    for x in values:
        for y in values:
            want, have = outcome(primitive.reference, x, y), outcome(emitted, number(x), number(y))
            assert have == want, (x, y)


def outcome(function: Any, *args: Any) -> Any:
    """What a function gives, in every bit but the sign of NaN, or what it raises."""
    try:
        result = function(*args)
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__, str(error)
    except Failed as error:
        return error.args
    return repr(result)


# --- what NumPy raises ------------------------------------------------------------------------------


def array_type(shape: tuple[int, ...], dtype: str = "float64") -> TensorType:
    return TensorType(dtype_of(dtype), shape)


@pytest.mark.parametrize(
    ("name", "shapes", "params", "numpy"),
    [
        ("add", ((3,), (4,)), {}, lambda a, b: a + b),
        ("matmul", ((2, 3), (4, 5)), {}, np.matmul),
        ("matmul", ((3,), (4,)), {}, np.matmul),
        ("matmul", ((), (4,)), {}, np.matmul),
        ("reshape", ((6,),), {"shape": (4,)}, lambda a: a.reshape(4)),
        ("broadcast_to", ((3,),), {"shape": (4,)}, lambda a: np.broadcast_to(a, (4,))),
        ("squeeze", ((2, 3),), {"axis": (0,)}, lambda a: np.squeeze(a, 0)),
        ("concatenate", ((2, 3), (3, 4)), {"axis": 0}, lambda a, b: np.concatenate([a, b])),
        ("concatenate", ((2, 3), (3,)), {"axis": 0}, lambda a, b: np.concatenate([a, b])),
        ("concatenate", ((), ()), {"axis": 0}, lambda a, b: np.concatenate([a, b])),
        ("reduce_max", ((0, 3),), {"axis": (0,), "keepdims": False}, lambda a: a.max(0)),
        ("reduce_min", ((2, 0),), {"axis": (1,), "keepdims": False}, lambda a: a.min(1)),
        ("argmax", ((0, 3),), {"axis": 0, "keepdims": False}, lambda a: a.argmax(0)),
        ("transpose", ((2, 3),), {"permutation": (0,)}, lambda a: a.transpose(0)),
    ],
)
def test_rules_raise_what_numpy_raises(name: str, shapes: Any, params: Any, numpy: Any) -> None:
    with pytest.raises(ValueError) as ours:  # noqa: PT011  (the message is compared below)
        PRIMITIVES[name].types([array_type(s) for s in shapes], params)
    with pytest.raises(ValueError) as theirs:  # noqa: PT011
        numpy(*(np.zeros(s) for s in shapes))
    assert str(ours.value) == str(theirs.value)


def test_operands_must_share_a_dtype() -> None:
    with pytest.raises(TypeError, match="must share a dtype, not have f64 and i64"):
        PRIMITIVES["add"].types([array_type((3,)), array_type((3,), "int64")], {})
    with pytest.raises(TypeError, match="not defined for f64"):
        PRIMITIVES["bitwise_and"].types([array_type((3,)), array_type((3,))], {})


def test_check_indices_names_the_first_bad_index() -> None:
    primitive = PRIMITIVES["check_indices"]
    indices = np.array([[0, 2], [-5, 9]])
    message = "index -5 is out of bounds for axis 1 with size 3"
    with pytest.raises(IndexError, match=message):
        primitive.reference(indices, extent=3, axis=1)
    assert isinstance(primitive.lowering, Decomposition)
    with evaluating_by(NumpyEvaluator()), pytest.raises(IndexError, match=message):
        primitive.lowering.expand(indices, extent=3, axis=1)


def test_scatter_set_keeps_the_last_of_equal_indices() -> None:
    primitive = PRIMITIVES["scatter_set"]
    x, indices, updates = np.zeros(3), np.array([1, 1, 0]), np.array([5.0, 6.0, 7.0])
    np.testing.assert_array_equal(primitive.reference(x, indices, updates, axis=0), [7.0, 6.0, 0.0])
    assert isinstance(primitive.derivative, Linear)
    with evaluating_by(NumpyEvaluator()):
        by_x, _, by_updates = primitive.derivative.transpose((np.ones(3),), x, indices, updates, axis=0)
    np.testing.assert_array_equal(by_x, [0.0, 0.0, 1.0])
    np.testing.assert_array_equal(by_updates, [0.0, 1.0, 1.0])


def test_unions_hold_their_members() -> None:
    type_ = UnionType((TensorType(i64, ()), TensorType(i64, (3,))))
    made = PRIMITIVES["union_make"].reference(np.array(3), type=type_, tag=0)
    assert PRIMITIVES["union_tag"].reference(made) == 0
