"""Tensor: construction, conversions, memory shared as NumPy shares it, arithmetic and methods against NumPy."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, ParameterTuple, Tensor, jit
from jitcore.types import dtype_of


def same(tensor: Any, array: Any) -> None:
    """A Tensor with the dtype, shape and elements of an array."""
    assert isinstance(tensor, Tensor)
    want = np.asarray(array)
    assert tensor.asnumpy().dtype == want.dtype
    np.testing.assert_array_equal(tensor.asnumpy(), want)


def close(tensor: Any, array: Any) -> None:
    """As `same`, but for the last bits, in which the library's functions may differ from NumPy's."""
    assert isinstance(tensor, Tensor)
    want = np.asarray(array)
    assert tensor.asnumpy().dtype == want.dtype
    np.testing.assert_allclose(tensor.asnumpy(), want, rtol=4 * np.finfo(np.float64).eps)


# --- construction -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (1.0, np.float32), (1, np.int64), (True, np.bool_), ([1.5, 2], np.float32), ([1, 2], np.int64),
        ([[True], [False]], np.bool_), (np.float64(3), np.float64), (np.arange(3, dtype=np.int8), np.int8),
        ([], np.float32), (1j, np.complex128),
    ],
)  # fmt: skip
def test_default_dtypes(data: Any, dtype: Any) -> None:
    assert Tensor(data).asnumpy().dtype == dtype


def test_dtype_argument_converts() -> None:
    same(Tensor([1, 2], jitcore.float32), np.array([1, 2], np.float32))
    same(Tensor(np.array([1.9]), dtype=np.int32), np.array([1], np.int32))
    assert Tensor(1, float).dtype is jitcore.float32


def test_tensor_copies_and_from_numpy_shares() -> None:
    array = np.zeros(3)
    copied, shared = Tensor(array), Tensor.from_numpy(array)
    array[0] = 5
    assert copied.asnumpy()[0] == 0
    assert shared.asnumpy()[0] == 5


def test_initialised_by_shape() -> None:
    made = Tensor(shape=(2, 3), dtype=jitcore.float32, init=jitcore.common.initializer.One())
    same(made.init_data(), np.ones((2, 3), np.float32))


@pytest.mark.parametrize("data", ["text", object(), {"a": 1}, np.array(["x"]), np.array([None])])
def test_what_no_tensor_is_made_of(data: Any) -> None:
    with pytest.raises(TypeError):
        Tensor(data)


def test_either_data_or_a_shape() -> None:
    with pytest.raises(ValueError, match="not of both"):
        Tensor([1.0], shape=(1,))
    with pytest.raises(ValueError, match="shape"):
        Tensor()


# --- what it is -----------------------------------------------------------------------------------------


def test_attributes() -> None:
    x = Tensor(np.zeros((2, 3), np.float32))
    assert (x.shape, x.ndim, x.size, x.itemsize, x.nbytes, len(x)) == ((2, 3), 2, 6, 4, 24, 2)
    assert x.dtype is jitcore.float32
    assert x.T.shape == (3, 2)


def test_text_forms() -> None:
    assert str(Tensor(np.array([4.0, 10.0, 18.0], np.float32))) == "[ 4. 10. 18.]"
    assert str(Tensor([1, 2, 3])) == "[1 2 3]"
    assert repr(Tensor([1.0, 2.0])) == "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])"
    assert repr(Tensor(3)) == "Tensor(shape=[], dtype=Int64, value= 3)"
    assert f"{Tensor(2.5):.2f}" == "2.50"


def test_numbers() -> None:
    assert (float(Tensor([2.5])), int(Tensor(3)), bool(Tensor([1])), complex(Tensor(2.0))) == (2.5, 3, True, 2 + 0j)
    assert [10, 20, 30][Tensor(1)] == 20
    assert Tensor([[7.5]]).item() == 7.5
    with pytest.raises(ValueError, match="ambiguous"):
        bool(Tensor([1, 2]))
    with pytest.raises(TypeError, match="length-1"):
        float(Tensor([1.0, 2.0]))


def test_iteration_and_membership() -> None:
    assert [float(v) for v in Tensor([1.0, 2.0])] == [1.0, 2.0]
    assert 2 in Tensor([1, 2])
    assert 3 not in Tensor([1, 2])
    with pytest.raises(TypeError):
        iter(Tensor(1.0))


def test_hash_is_by_identity() -> None:
    x, y = Tensor([1.0]), Tensor([1.0])
    assert {x: 1, y: 2}[x] == 1


def test_copies_and_pickles() -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3).T)
    for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        same(made, x.asnumpy())
        assert not np.shares_memory(made.asnumpy(), x.asnumpy())


def test_dlpack_shares_memory() -> None:
    x = Tensor(np.arange(4.0))
    assert np.shares_memory(np.from_dlpack(x), x.asnumpy())


def test_array_protocol() -> None:
    x = Tensor([1.0, 2.0])
    assert np.asarray(x) is x.asnumpy()
    assert np.array(x).base is None
    assert np.asarray(x, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, dtype=np.float64, copy=False)


# --- arithmetic -----------------------------------------------------------------------------------------

BINARY = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!="]


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("other", [np.array([2.0, 0.5, 3.0]), 2, 1.5])
def test_operators_on_floats(op: str, other: Any) -> None:
    x = np.array([1.5, 2.0, 4.25])
    y = Tensor(other) if isinstance(other, np.ndarray) else other
    agree = close if op == "**" else same
    agree(eval(f"a {op} b", {"a": Tensor(x), "b": y}), eval(f"a {op} b", {"a": x, "b": other}))
    agree(eval(f"b {op} a", {"a": Tensor(x), "b": y}), eval(f"b {op} a", {"a": x, "b": other}))


@pytest.mark.parametrize("op", [op for op in BINARY if op != "/"] + ["&", "|", "^", "<<", ">>"])
@pytest.mark.parametrize("other", [np.array([2, 1, 3]), 2])
def test_operators_on_ints(op: str, other: Any) -> None:
    x = np.array([5, 7, 4])
    y = Tensor(other) if isinstance(other, np.ndarray) else other
    same(eval(f"a {op} b", {"a": Tensor(x), "b": y}), eval(f"a {op} b", {"a": x, "b": other}))


def test_unary_operators() -> None:
    x = np.array([1.5, -2.0])
    same(-Tensor(x), -x)
    same(+Tensor(x), x)
    same(abs(Tensor(x)), abs(x))
    same(~Tensor(np.array([True, False])), np.array([False, True]))


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        (np.int32, 2.5, np.float32), (np.int64, 2.5, np.float32), (np.float16, 2.5, np.float16), (np.bool_, 2, np.int64),
        (np.int8, 3, np.int8), (np.float64, 1, np.float64),
    ],
)  # fmt: skip
def test_python_numbers_are_weak(a: Any, b: Any, dtype: Any) -> None:
    assert (Tensor(np.ones(2, a)) * b).asnumpy().dtype == dtype


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        (np.int64, np.float32, np.float32), (np.int32, np.int64, np.int64), (np.uint8, np.int8, np.int16),
        (np.float16, np.float32, np.float32), (np.float32, np.float64, np.float64), (np.bool_, np.int8, np.int8),
    ],
)  # fmt: skip
def test_promotion_is_mindspores(a: Any, b: Any, dtype: Any) -> None:
    for left, right in ((a, b), (b, a)):
        assert (Tensor(np.ones(2, left)) + Tensor(np.ones(2, right))).asnumpy().dtype == dtype


def test_an_ndarray_with_a_tensor_gives_a_tensor() -> None:
    same(np.ones(2, np.float32) + Tensor([1.0, 2.0]), np.array([2, 3], np.float32))
    same(Tensor([1.0, 2.0]) - np.ones(2, np.float32), np.array([0, 1], np.float32))


def test_int_division_gives_float32() -> None:
    same(Tensor([1, 2]) / Tensor([2, 2]), np.array([0.5, 1.0], np.float32))


def test_matmul() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    same(Tensor(a) @ Tensor(b), a @ b)
    same(Tensor(a[0]) @ Tensor(b), a[0] @ b)
    with pytest.raises(ValueError, match="core dimension 0"):
        Tensor(a) @ Tensor(a)


def test_errors_of_arithmetic() -> None:
    with pytest.raises(ValueError, match=r"\(2,\) \(3,\)"):
        Tensor([1.0, 2.0]) + Tensor([1.0, 2.0, 3.0])
    with pytest.raises(OverflowError):
        Tensor(np.ones(1, np.uint8)) + 300
    with pytest.raises(TypeError):
        Tensor([True]) - Tensor([True])
    with pytest.raises(TypeError):
        Tensor([1.0]) + "x"
    with pytest.raises(ValueError, match="negative integer powers"):
        Tensor([2]) ** -1


def test_in_place_operators_write() -> None:
    x = Tensor([1.0, 2.0])
    same_object, view = x, x[1:]
    x += 1
    assert x is same_object
    same(view, np.array([3], np.float32))
    x *= Tensor([2.0, 3.0])
    same(x, np.array([4, 9], np.float32))
    n = Tensor([1, 2])
    with pytest.raises(TypeError, match="same_kind"):
        n += 1.5
    with pytest.raises(ValueError, match="non-broadcastable"):
        x += Tensor(np.ones((2, 2), np.float32))


# --- items ----------------------------------------------------------------------------------------------

KEYS: list[Any] = [
    0, -1, (1, 2), (0, slice(None), 1), slice(1, None), slice(None, None, -1), slice(5, None), (Ellipsis, 1), (None, 0),
    (slice(None), None, 1), (slice(None), slice(2, 0, -1)), [0, 1], ([0, 1], [2, 0]), (slice(None), [1, 1, 0]),
    ([0, 1], slice(None), [1, 0]), (0, slice(None), [1, 0]), (np.array([[0, 1], [1, 1]]), 1), np.array([True, False]),
    (slice(None), np.array([True, False, True])), (), Ellipsis, None, (slice(0, 0),), ([], 0),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_reading_items(key: Any) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    same(Tensor(x)[key], x[key])


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_writing_items(key: Any) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    want, got = x.copy(), Tensor(x)
    want[key] = -1
    got[key] = -1
    same(got, want)
    values = np.arange(want[key].size, dtype=np.float64).reshape(want[key].shape)
    want[key] = values
    got[key] = Tensor(values)
    same(got, want)


def test_masks() -> None:
    x = np.arange(6.0).reshape(2, 3)
    t = Tensor(x)
    same(t[t > 2], x[x > 2])
    t[t > 2] = 0
    x[x > 2] = 0
    same(t, x)
    t[t == 0] = Tensor(np.arange(4.0))
    x[x == 0] = np.arange(4.0)
    same(t, x)


@pytest.mark.parametrize("key", [3, (0, 5), [4], (0, 0, 0), 1.5, "a", (Ellipsis, Ellipsis), np.array([True])])
def test_keys_that_are_wrong(key: Any) -> None:
    x = np.zeros((2, 3))
    with pytest.raises(IndexError) as want:
        x[key]
    with pytest.raises(IndexError) as got:
        Tensor(x)[key]
    if str(key) in ("3", "(0, 5)"):
        assert str(got.value) == str(want.value)


def test_basic_indexing_shares_memory() -> None:
    x = Tensor(np.zeros((3, 4)))
    for view in (x[1], x[:, 2], x[::-1], x.T, x.reshape(4, 3), x[0, 1], x[None], x.ravel()):
        assert np.shares_memory(view.asnumpy(), x.asnumpy())
        assert view.storage is x.storage
    for copied in (x[[0, 1]], x[x > -1], x + 0, x.copy(), x.astype(np.float64), x.flatten()):
        assert not np.shares_memory(copied.asnumpy(), x.asnumpy())


def test_overlapping_assignment() -> None:
    x = np.arange(5.0)
    t = Tensor(x)
    t[1:] = t[:-1]
    x[1:] = x[:-1].copy()
    same(t, x)


def test_writes_count_versions() -> None:
    x = Tensor(np.zeros(3))
    assert x.storage.version == 0
    x[0] = 1
    x[1:] += 1
    x.set_data(Tensor(np.ones(3)))
    assert x.storage.version == 4  # x[1:] += 1 writes once, and stores the result once more


def test_assigned_values_must_fit() -> None:
    x = Tensor(np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(2,\) into shape \(3,\)"):
        x[0] = Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match="does not fit"):
        x.set_data(Tensor([1.0]))


# --- methods --------------------------------------------------------------------------------------------

METHODS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("sum", (), {}), ("sum", (0,), {}), ("sum", ((0, 2),), {"keepdims": True}), ("mean", (1,), {}), ("prod", (), {}),
    ("max", (), {}), ("min", (-1,), {}), ("argmax", (), {}), ("argmin", (1,), {}), ("any", (), {}), ("all", (0,), {}),
    ("std", (), {}), ("var", (0,), {"ddof": 1}), ("cumsum", (1,), {}), ("ptp_", (), {}), ("reshape", (4, -1), {}),
    ("reshape", ((3, 2, 4),), {}), ("transpose", (), {}), ("transpose", (1, 0, 2), {}), ("swapaxes", (0, 2), {}),
    ("flatten", (), {}), ("ravel", (), {}), ("clip", (3, 9), {}), ("round", (1,), {}), ("repeat", (2, 1), {}),
    ("take", ([0, 2], 1), {}), ("astype", (np.int32,), {}), ("copy", (), {}), ("dot", (np.ones(4),), {}),
    ("squeeze", (), {}), ("diagonal", (), {}), ("trace", (), {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "keywords"), [m for m in METHODS if not m[0].endswith("_")])
def test_methods_agree_with_numpy(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    x = np.linspace(0.5, 11.3, 24).reshape(2, 3, 4)
    made = getattr(Tensor(x), name)(*args, **keywords)
    want = getattr(x, name)(*args, **keywords)
    np.testing.assert_allclose(made.asnumpy(), want, rtol=1e-14)
    assert made.shape == np.shape(want)
    assert made.asnumpy().dtype == np.asarray(want).dtype


def test_methods_of_tensors_alone() -> None:
    x = Tensor([[1.0, -4.0]])
    same(x.abs().sqrt(), np.array([[1, 2]], np.float32))
    same(x.expand_dims(0), np.array([[[1, -4]]], np.float32))
    same(x.view(2, 1), np.array([[1], [-4]], np.float32))
    same(x.to(jitcore.int32), np.array([[1, -4]], np.int32))
    same(x.broadcast_to((3, 2)), np.broadcast_to(np.array([[1, -4]], np.float32), (3, 2)))
    assert x.tolist() == [[1.0, -4.0]]
    assert x.split(1, 1)[1].tolist() == [[-4.0]]


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float32, np.bool_])
def test_sums_keep_a_tensors_dtype(dtype: Any) -> None:
    want = np.int64 if dtype is np.bool_ else dtype
    assert Tensor(np.ones(3, dtype)).sum().asnumpy().dtype == want


def test_errors_of_methods() -> None:
    x = Tensor(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="cannot reshape array of size 6 into shape"):
        x.reshape(4, 2)
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        x.sum(2)
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        Tensor(np.zeros((0, 2))).max()
    with pytest.raises(AttributeError):
        x.no_such_method()


# --- NumPy's functions ----------------------------------------------------------------------------------


def test_numpy_functions_give_tensors() -> None:
    x = np.array([[0.5, 1.5], [2.5, 3.5]])
    t = Tensor(x)
    for function in (np.exp, np.sum, np.transpose, np.cumsum, np.argmax, np.mean, np.isnan, np.ones_like):
        close(function(t), function(x))
    same(np.concatenate([t, t], axis=1), np.concatenate([x, x], axis=1))
    same(np.where(t > 1, t, 0.0), np.where(x > 1, x, 0.0))
    same(np.add.reduce(t, axis=1), np.add.reduce(x, axis=1))
    close(np.linalg.svd(t).S, np.linalg.svd(x).S)
    assert isinstance(np.linalg.eigvals(t), np.ndarray)


def test_numpy_out_arguments() -> None:
    t, out = Tensor([1.0, 2.0]), np.zeros(2, np.float32)
    assert np.add(t, 1, out=out) is out
    assert out.tolist() == [2.0, 3.0]
    out += t
    assert out.tolist() == [3.0, 5.0]


# --- Parameters -----------------------------------------------------------------------------------------


def test_parameters_keep_their_memory() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="w")
    memory = p.asnumpy()
    p.set_data(Tensor([3.0, 4.0]))
    p += 1
    assert p.asnumpy() is memory
    assert memory.tolist() == [4.0, 5.0]
    assert isinstance(p, Parameter)
    assert type(p + 1) is Tensor
    with pytest.raises(ValueError, match="'w'"):
        p.set_data(Tensor([1.0]))
    with pytest.raises(TypeError, match="Float32"):
        Parameter(1, name="n").set_data(Tensor(1.5))


def test_parameters_are_cloned_and_pickled() -> None:
    p = Parameter(Tensor([1.0]), name="w", requires_grad=False)
    for made in (p.clone(), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert (made.name, made.requires_grad, made.tolist()) == ("w", False, [1.0])
    assert p.clone("zeros").tolist() == [0.0]
    assert [q.name for q in ParameterTuple([p]).clone("m")] == ["m.w"]
    with pytest.raises(TypeError):
        ParameterTuple([Tensor(1.0)])  # type: ignore[list-item]


def test_unsupported_dtypes_are_named() -> None:
    with pytest.raises(TypeError, match="not supported"):
        dtype_of(np.dtype("U3"))


NDARRAYS = {
    "array": lambda x: np.array(x),
    "asarray": lambda x: np.asarray(x),
    "asanyarray": lambda x: np.asanyarray(x),
    "ascontiguousarray": lambda x: np.ascontiguousarray(x),
    "asfortranarray": lambda x: np.asfortranarray(x),
    "require": lambda x: np.require(x),
    "of another dtype": lambda x: np.array(x, dtype=np.float64),
    "of an item": lambda x: np.array(x[0, 0]),
    "of two in a list": lambda x: np.array([x, x]),
    "of two in a tuple": lambda x: np.array((x[0], x[1])),
    "of an item and a number": lambda x: np.array([x[0, 0], 1.0]),
    "full": lambda x: np.full((2,), x[0, 0]),
    "and its sum": lambda x: np.array(x).sum(),
    "zeros_like, which Tensors answer": lambda x: np.zeros_like(x),
}


@pytest.mark.parametrize("make", NDARRAYS.values(), ids=NDARRAYS)
def test_ndarrays_made_of_tensors_are_ndarrays_in_compiled_code(make: Callable[[Tensor], Any]) -> None:
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    wanted, found = make(x), jit(make)(x)
    assert type(found) is type(wanted)
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted)


def test_an_ndarray_made_of_a_tensor_is_a_copy_or_shares_memory() -> None:
    @jit
    def f(x: Tensor) -> tuple[Any, Any]:
        copied, shared = np.array(x), np.asarray(x)
        shared[0] = 5
        return copied, shared

    x = Tensor(np.zeros(2, np.float32))
    copied, shared = f(x)
    assert copied.tolist() == [0, 0]
    assert shared.tolist() == x.asnumpy().tolist() == [5, 0]
