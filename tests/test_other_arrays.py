"""Arrays of other libraries, of files, and in another byte order: as arguments of compiled functions, of Tensor(…) and of operators."""

from __future__ import annotations

import array
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit, ops
from jitcore.config import STRICT, settings


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "jit_syntax_level", STRICT)


class Interface:
    """An object with NumPy's array interface."""

    def __init__(self, data: Any) -> None:
        self.data = np.array(data)

    @property
    def __array_interface__(self) -> Any:
        return self.data.__array_interface__


class DLPack:
    """An object with the DLPack protocol alone, on a device."""

    def __init__(self, data: Any, device: int = 1) -> None:
        self.data = np.array(data)
        self.device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


class Slotted(DLPack):
    """One whose class is none of those that compiled code makes."""

    __slots__ = ("more",)


class Converted:
    """An object that makes an ndarray of itself."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([0.0, 1.0, 2.0], dtype)


def of_torch(data: np.ndarray[Any, Any]) -> Any:
    return pytest.importorskip("torch").from_numpy(data.copy())


def of_jax(data: np.ndarray[Any, Any]) -> Any:
    return pytest.importorskip("jax.numpy").asarray(data)


def in_file(data: np.ndarray[Any, Any]) -> Any:
    made = np.memmap(Path(in_file.folder) / "data", data.dtype, "w+", shape=data.shape)  # type: ignore[attr-defined]
    made[...] = data
    return made


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> None:
    in_file.__dict__["folder"] = tmp_path


WRITEABLE: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {
    "torch": of_torch,
    "torch, turned": lambda data: of_torch(data.T.copy()).permute(*reversed(range(data.ndim))),
    "torch, every second": lambda data: of_torch(np.repeat(data, 2, -1))[..., ::2],
    "a memmap": in_file,
    "big-endian": lambda data: data.astype(data.dtype.newbyteorder(">")),
    "big-endian, every second": lambda data: np.repeat(data, 2, -1).astype(data.dtype.newbyteorder(">"))[..., ::2],
    "DLPack": Slotted,
}
READABLE: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {
    **WRITEABLE,
    "jax": of_jax,
    "read-only": lambda data: np.frombuffer(data.tobytes(), data.dtype).reshape(data.shape),
}


def value_of(made: Any) -> Any:
    return made.data if isinstance(made, DLPack | Interface) else np.asarray(made)


@jit
def several(x: Any, k: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += x[i, 0] * k
    return x * 2 + k, np.sin(x).sum(axis=0), total, x.shape


@pytest.mark.parametrize("kind", READABLE)
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_compiled_functions_take_them_as_ndarrays(kind: str, dtype: Any) -> None:
    data = np.arange(6).reshape(3, 2).astype(dtype)
    for scale in (1, 2):
        got, expected = several(READABLE[kind](data * scale), 3), several.__wrapped__(data * scale, 3)
        assert type(got[0]) is np.ndarray
        assert got[0].dtype == expected[0].dtype
        assert np.array_equal(got[0], expected[0])
        assert np.allclose(got[1], expected[1], rtol=1e-6)
        assert got[2:] == expected[2:]


@jit
def written(x: Any) -> Any:
    for i in range(x.shape[0]):
        x[i, 1] = x[i, 0] + i
    x += 1
    return x


@pytest.mark.parametrize("kind", WRITEABLE)
def test_writes_reach_the_callers_array(kind: str) -> None:
    data = np.arange(6.0).reshape(3, 2)
    made = WRITEABLE[kind](data)
    expected = written.__wrapped__(data.copy())
    assert written(made) is made
    assert np.array_equal(value_of(made), expected)


@jit
def written_then_read(x: Any, k: Any) -> Any:
    x[0] = 5
    return x[k]


@pytest.mark.parametrize("kind", WRITEABLE)
def test_writes_before_an_exception_reach_it_too(kind: str) -> None:
    made = WRITEABLE[kind](np.arange(3.0))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        written_then_read(made, 7)
    assert np.array_equal(value_of(made), [5.0, 1.0, 2.0])


@jit
def first_written(x: Any) -> None:
    x[0] = 1


@pytest.mark.parametrize("kind", ["jax", "read-only"])
def test_writing_to_what_is_read_only_raises(kind: str) -> None:
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        first_written(READABLE[kind](np.arange(3.0)))


@jit
def given_twice(x: Any, pair: Any, *, y: Any) -> Any:
    x += 1
    return pair[0] + y * 10


@pytest.mark.parametrize("kind", WRITEABLE)
def test_one_array_given_twice_is_one(kind: str) -> None:
    made = WRITEABLE[kind](np.arange(3.0))
    assert np.array_equal(given_twice(made, (made, 0), y=made), (np.arange(3.0) + 1) * 11)


def test_views_of_one_big_endian_array_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # as the interpreter runs it

    @jit
    def f(x: Any, y: Any) -> Any:
        x += 1
        return x.sum() + y.sum()

    made = np.arange(4.0).astype(">f8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(made, made[1:3]) == 15.0
    assert np.array_equal(made, np.arange(4.0) + 1)


def test_what_means_something_else_in_its_library_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    torch = pytest.importorskip("torch")
    x = torch.arange(6.0).reshape(2, 3)
    functions: list[Callable[[Any], Any]] = [
        lambda x: x.std(),
        lambda x: x.transpose(0, 1),
        lambda x: x.unsqueeze(0) + 1,
        lambda x: (x * 2).max(0).values,
        lambda x: x.size(),
        lambda x: torch.relu(x - 3),
        lambda x: x.dtype == torch.float32,
    ]
    for function in functions:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got, expected = jit(function)(x), function(x)
        assert type(got) is type(expected)
        assert np.array_equal(np.asarray(got), np.asarray(expected))


def test_what_compiled_code_reads_besides_its_arguments_may_be_such() -> None:
    weight = np.arange(3.0).astype(">f8")

    @jit
    def f(x: Any) -> Any:
        return x * weight

    assert np.array_equal(f(2.0), [0.0, 2.0, 4.0])
    weight[1] = 5
    assert np.array_equal(f(2.0), [0.0, 10.0, 4.0])
    mapped = in_file(np.arange(3.0))

    @jit
    def g(x: Any) -> Any:
        mapped[0] += x
        return mapped + 0

    assert np.array_equal(g(2.0), [2.0, 1.0, 2.0])
    assert mapped[0] == 2.0


TAKEN: dict[str, Callable[[], Any]] = {
    **{kind: (lambda make=make: make(np.arange(3.0))) for kind, make in READABLE.items()},
    "array.array": lambda: array.array("d", [0.0, 1.0, 2.0]),
    "a memoryview": lambda: memoryview(np.arange(3.0)),
    "the array interface": lambda: Interface([0.0, 1.0, 2.0]),
    "DLPack of a plain class": lambda: DLPack([0.0, 1.0, 2.0]),
    "__array__": Converted,
}


@pytest.mark.parametrize("kind", TAKEN)
def test_tensors_and_functions_take_them(kind: str) -> None:
    made = TAKEN[kind]()
    tensor = Tensor(made)
    assert tensor.dtype.numpy == value_of(made).dtype.newbyteorder("=")
    assert tensor.asnumpy().tolist() == [0.0, 1.0, 2.0]
    tensor += 1
    assert value_of(made).tolist() == [0.0, 1.0, 2.0]
    for result in (ops.add(made, made), ops.mul(made, 2), ops.add(Tensor(np.arange(3.0)), made)):
        assert type(result) is Tensor
        assert result.asnumpy().tolist() == [0.0, 2.0, 4.0]
    assert ops.exp(made).asnumpy().tolist() == ops.exp(tensor - 1).asnumpy().tolist()


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a device": (lambda: DLPack([1.0], 2), "test_other_arrays.DLPack on another device than the CPU: write x.cpu()"),
    "masked": (lambda: np.ma.array([1.0, 2.0], mask=[0, 1]), "write x.filled"),
    "objects": (lambda: np.array([1, "a"], object), "arrays of dtype object are not supported"),
    "text": (lambda: np.array(["a"]), "arrays of dtype <U1 are not supported"),
    "dates": (lambda: np.array(["2020-01-01"], "M8[D]"), "datetime64"),
    "long doubles": (lambda: np.zeros(2, np.longdouble), "not supported"),
    "records": (lambda: np.zeros(2, [("a", "f8")]), "not supported"),
    "an object": (object, "not object|not of object"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("use", [Tensor, ops.exp, lambda x: ops.add(Tensor([1.0]), x)])
def test_what_cannot_be_taken_is_refused(kind: str, use: Callable[[Any], Any]) -> None:
    make, message = REFUSED[kind]
    with pytest.raises(TypeError, match=message):
        use(make())


@pytest.mark.parametrize("use", [Tensor, ops.exp, jit(lambda x: x + 1)])
def test_arrays_with_gradients_of_their_own_are_refused(use: Callable[[Any], Any]) -> None:
    x = pytest.importorskip("torch").ones(2, requires_grad=True)
    with pytest.raises(TypeError, match=r"torch\.Tensor that requires grad: .* write x\.detach\(\)"):
        use(x)
    assert np.asarray(use(x.detach())).shape == (2,)


@pytest.mark.parametrize("use", [Tensor, ops.exp])
def test_elements_that_numpy_does_not_have_are_refused(use: Callable[[Any], Any]) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match=r"a torch\.Tensor cannot be taken as an ndarray: .*; convert it to a dtype"):
        use(torch.ones(2, dtype=torch.bfloat16))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "@": lambda x, y: x @ y,
    "<": lambda x, y: x < y,
    "==": lambda x, y: x == y,
    "&": lambda x, y: x & y,
    "//": lambda x, y: x // y,
}


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("kind", ["torch", "jax", "the array interface", "DLPack"])
def test_operators_between_tensors_and_other_arrays_name_both_classes(op: str, kind: str) -> None:
    tensor, other = Tensor([1, 2, 3]), TAKEN[kind]()
    name = f"{type(other).__module__}.{type(other).__qualname__}"
    with pytest.raises(TypeError) as caught:
        OPERATORS[op](tensor, other)
    assert str(caught.value) == (
        f"unsupported operand type(s) for {op}: 'jitcore.Tensor' and '{name}': "
        f"write Tensor(y) for the {name} y, or x.asnumpy() for the Tensor x"
    )
    with pytest.raises(TypeError, match=f"'{name}'" if kind == "jax" else "'jitcore.Tensor'"):
        OPERATORS[op](other, tensor)


def test_other_libraries_are_not_imported() -> None:
    code = (
        "import sys, numpy as np, jitcore as ms\n"
        "from jitcore import Tensor, jit, ops\n"
        "x = np.arange(3.).astype('>f8')\n"
        "jit(lambda x: x)(x), Tensor(x), ops.reshape(x, (3, 1))\n"
        "assert not {'torch', 'jax'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
