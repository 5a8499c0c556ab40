"""Arrays in compiled functions behave as NumPy's do in plain ones: items, writes, aliases, layouts, dtypes, extents, gradients.

Every case is run plain and compiled and compared by `array_comparison`: values to the bit, types, shared memory, exceptions
with their messages, and what is written into the arguments.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_comparison import agree, frozen, outcome, program
from grouped import grouped

from jitcore import Tensor, context, grad, jit
from jitcore.runtime.dispatch import FallbackWarning

Make = Callable[[], list[Any]]


pytestmark = pytest.mark.usefixtures("strict")


def counted(*shape: int, dtype: Any = np.float64) -> Any:
    """-3, -2, … in the given shape."""
    return np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape) - dtype(3)


def tensor(*shape: int) -> Tensor:
    return Tensor(counted(*shape, dtype=np.float32))


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


# --- reading items ------------------------------------------------------------------------------------

KEYS = """
0 | -1 | 1:3 | ::-1 | ::2 | :, 1 | ..., 0 | None | :, None | 1, 2 | -1, -1 | ::-1, ::-2 | 2:0:-1 | 5: | :0 | -100:100 | 3 | -4
0, 0, 0 | ..., None, : | 1:2, 2:1 | () | ... | 0, ... | True | False | None, True | [0, 2] | [0, -1], [1, 2] | [True, False, True]
x > 0 | :, [0, 1] | [0, 1], :, None | 0, [1, 2] | [[0, 1], [1, 2]] | np.array([0, 5]) | np.array([True, False])
x.astype(np.bool_) | "a" | 1.0 | [1.5] | np.int64(1) | np.uint64(1) | np.array(1) | slice(1, 3) | slice(None, None, -1), 1 | []
np.array([], dtype=np.int64) | (0, 1) | ..., ... | :, :, : | ~(x > 0) | :, x[0] > -2 | x[:, 0] > 0 | x[:, 0] > 0, 1
[0, 1], x[0] > 0 | [0, 1], [0, 1, 2] | ::0 | 2, ::-1 | x[0] > 0 | [0, -4] | [[0], [1]], [[1, 2]] | True, [0, 1]
"""


@grouped("key", [k.strip() for k in KEYS.replace("\n", "|").split("|") if k.strip()])
def test_keys(key: str) -> None:
    agree(program(f"x[{key}]"), lambda: [counted(3, 4)])


SHORT: dict[str, Make] = {
    "3": lambda: [counted(3)], "1": lambda: [counted(1)], "0": lambda: [counted(0)], "rank 0": lambda: [np.array(2.5)],
    "scalar": lambda: [np.float64(2.5)], "2x0": lambda: [counted(2, 0)], "0x2": lambda: [counted(0, 2)],
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["x[0]", "x[-1]", "x[1:]", "x[::-1]", "x[x > 0]", "x[[0]]", "x[:0]", "len(x)", "x.sum()", "x[()]", "x + 1", "x.max()",
     "x.mean()", "x.argmax()", "x.reshape(x.shape + (1,)).sum(axis=0)", "x.all()", "x.any()", "x.prod()", "x.shape",
     "float(x)", "bool(x)", "x.item()", "x @ x", "x.cumsum()", "(x > 0).sum()", "np.concatenate([x, x])", "x.size"],
)  # fmt: skip
@pytest.mark.parametrize("shape", SHORT)
def test_short_arrays(text: str, shape: str) -> None:
    agree(program(text), SHORT[shape])


# --- writing ------------------------------------------------------------------------------------------

WRITES = r"""
x[0] = 1 | x[1:3] += 2 | x[::-1] *= 2 | x[x > 0] = 7 | x[x > 0] += 1 | x += 1 | x[:, 1] = x[:, 2] | x[1:] = x[:-1] | x[:-1] = x[1:]
x[:] = x[::-1] | x[...] = 0 | x[0, 0] = 5 | x[[0, 2]] = -1 | x[[0, 0, 1]] += 1 | x[[0, 2], [1, 3]] = 9 | x.T[0] = 4
x.T[:] = x.T[::-1] | x[None][0] = 3 | x.reshape(-1)[5] = 8 | x.reshape(4, 3)[1] = 8 | x[5] = 1 | x[1:3] = x[0:3] | x[0] = [1, 2, 3, 4]
x[0] = [1, 2] | x[0] = x | x[:, 0] = 1j | x[0] = [1j, 0, 0, 0] | x[0] = np.nan | x[0, 0], x[1, 1] = x[1, 1], x[0, 0]
x[0], x[1] = x[1], x[0] | x[[0, 1]] = x[[1, 0]] | x -= x | x *= x[0] | x += x[:, :1] | x += x[::-1] | x += x.T | x //= 0 | x %= 2
x **= 2 | x /= 2 | x &= 1 | x <<= 1 | x += 1j | x += "a" | x @= np.eye(4) | x -= x.mean(axis=0) | x[x < 0] *= -1 | x[x > 100] = 1
x[np.array([True, False, True])] = 1 | x[:, [True, False, True, False]] = 2 | x[x > 0] = x[x > 0] * 2 | x[x > 0] = [1, 2]
x[x > 0] = [[1, 2]] | x[[0, 1]] = [1, 2] | x[0:0] = 5 | x.fill(3) | np.add(x, 1, out=x) | np.add(x, 1, x) | np.multiply(x[0], 2, out=x[1])
np.add(x, x[0], out=(x,)) | np.clip(x, 0, 1, out=x) | np.sqrt(abs(x), out=x) | np.add(x[0], 1, out=x) | np.add(x, 1, out=x[0])
x[-1] = 1 | x[np.int64(1)] = 3 | x[True] = 5 | x[False] = 5 | x[..., 0] = 9 | x[0, ...] = 9 | x[:2, :2] = x[1:, 1:3]
x[1:, 1:] = x[:-1, :-1] | x[x[0].astype(np.int64)[3:]] = 50 | x[0][1] = 33 | x[1:][0][1:][0] = 33 | x[0, 1:3][::-1][0] = 66
x[0] = x[1] = 5 | x[x[0] > 0] = 1 | del x[0] | x[:, 1:3][0, 0] += 5 | x[::2][:, ::2] = -x[::2][:, 1::2] | x[np.nonzero(x > 2)] = 0
"""
BODIES = """
y = x[1:] ; y[0] = 5
y = x.T ; y += 1 ; return y
y = x.copy() ; y[0] = 5 ; return y
y = x ; y += 1
y = x + 0 ; y[0] = 5 ; return x, y
x[1] = x[0] + x[2] ; x[0] = x[1] - x[2]
x[-1] = 1 ; x[-4] = 2
y = x[0] ; x[0] = 9 ; return y
y = x[0].copy() ; x[0] = 9 ; return y
y = x[0, 0] ; x[0, 0] = 99 ; return y
y = x[0, 0] ; y += 1 ; return x, y
y = x.sum() ; x[0] = 9 ; return y, x.sum()
y = x * 2 ; x[0] = 9 ; return y
y = x[::2] ; y[...] = x[1] ; return y
y = np.asarray(x) ; y[0] = 1 ; return y is x
y = np.array(x) ; y[0] = 1 ; return y
y = x.ravel() ; y[0] = 77 ; return y
y = x.flatten() ; y[0] = 77 ; return y
y = x.T.ravel() ; y[0] = 77 ; return y
y = x.T.ravel() ; x[0] = 77 ; return y
y = x.T.reshape(-1) ; y[0] = 77 ; return y
y = x[:, 1:].reshape(-1) ; y[0] = 77 ; return y
y = x.reshape(2, 6) ; y[0, 0] = 77 ; return y
y = np.squeeze(x[:1]) ; y[0] = 77 ; return y
y = np.swapaxes(x, 0, 1) ; y[0] = 77
y = np.split(x, 3) ; y[0][0] = 1 ; return y
y = x.astype(np.float64) ; y[0] = 1 ; return y
y = x.astype(np.float64, copy=False) ; y[0] = 1 ; return y
y = x[:] ; return y is x, y
z = np.zeros_like(x) ; np.add(x, 1, out=z) ; return z
y = [x[0], x[1]] ; y[0][0] = 42 ; return y
d = {"a": x[0]} ; d["a"] += 1 ; return d
y = x[0] ; y = y + 1 ; y += 1 ; return y
y = np.zeros(3) ; y[0] = x[0, 0] ; x[0, 0] = y[0] + 1 ; return y
y = np.empty((2, 2)) ; y[:] = 3 ; y[0, 1] = 4 ; return y
a = b = np.zeros(3) ; a[0] = 1 ; return a, b
a = np.zeros(3) ; b = a[1:] ; b[0] = 4 ; return a, b
a = [np.zeros(2)] * 2 ; a[0][0] = 1 ; return a
x[0], y = 5, x[0, 0] ; return y
x[0] = 1 ; raise ValueError("no")
x[0] = 1 ; x[7] = 2
x[0] = 1 ; z = 1 // int(x[0, 0] - 1) ; x[1] = 2
"""
BLOCKS = [
    "for r in x:\n    r[0] = 5",
    "for r in x:\n    r += 1",
    "for i in range(len(x)):\n    x[i] = x[i - 1] + i",
    "for i in range(x.shape[0]):\n    for j in range(x.shape[1]):\n        x[i, j] = i * 10 + j",
    "i = 0\nwhile x[0, 0] < 10:\n    x[0, 0] += 1\n    i += 1\nreturn i",
    "if x[0, 0] < 0:\n    x[0] = 1\nelse:\n    x[1] = 1",
    "y = x[0] if x[0, 0] < 0 else x[1]\ny[0] = 100\nreturn y",
    "y = x\nfor i in range(3):\n    y = y + 1\n    y[0] = i\nreturn y",
    "y = x\nfor i in range(3):\n    y[0] = i\n    y = y + 1\nreturn y",
    "for i in range(5):\n    x[i] = i",
    "def g(a):\n    a[0] = 5\ng(x[1])",
    "def g(a):\n    a += 1\n    return a\nreturn g(x), g(x[0])",
    "y = np.zeros_like(x)\nfor i in range(3):\n    y[i] += x[2 - i]\nreturn y",
    "for i in range(2):\n    x[i], x[i + 1] = x[i + 1], x[i]",
    "for k in range(3):\n    y = x[k:]\n    y[0] = k\n    x[k, k] += y.sum()",
]


def lines(text: str) -> str:
    """A body of `;`-separated statements, returning x unless it returns something."""
    made = "\n".join(line.strip() for line in text.split(" ; ")) if " ; " in text else text.strip("\n")
    return made if "return" in made or "raise" in made else f"{made}\nreturn x"


WRITING = [
    *(lines(w.strip()) for w in WRITES.replace("\n", "|").split("|") if w.strip()),
    *(lines(b.strip()) for b in BODIES.splitlines() if b.strip()),
    *map(lines, BLOCKS),
]


@grouped("text", WRITING)
def test_writes(text: str) -> None:
    agree(program(text), lambda: [counted(3, 4)])


@grouped("text", WRITING[::3])
def test_writes_into_ints_of_any_layout(text: str) -> None:
    if ".reshape(" in text or ".ravel(" in text:  # a view or a copy: known of contiguous arrays alone
        return
    agree(
        program(text),
        lambda: [counted(4, 4, dtype=np.int32)],
        lambda: [counted(4, 4, dtype=np.int32).T],
        lambda: [counted(8, 8, dtype=np.int32)[::2, ::-2]],
    )


@pytest.mark.parametrize("text", ["x[0] = 1\nreturn x", "x[x > 0] = 1", "x.T[0] = 1", "y = x[1:]\ny[0] = 1"])
def test_read_only_arrays(text: str) -> None:
    agree(program(text), lambda: [read_only(counted(3, 4))])
    agree(program("x.sum() + x[0, 0]"), lambda: [read_only(counted(3, 4))])


def test_views_that_cannot_be_places() -> None:
    """Where compiled code has no view to write through, it says so, and the interpreter does as NumPy."""
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        agree(program("y = np.broadcast_to(x, (2, 3))\nx[0] = 5\nreturn y.sum()"), lambda: [counted(3)])
        agree(program("np.broadcast_to(x, (2, 3))[0, 0] = 5"), lambda: [counted(3)])
        agree(program("x.real[0] = 3\nreturn x"), lambda: [counted(3) + 1j])
        agree(program("y = x.imag\nx[0] = 1j\nreturn y[0]"), lambda: [counted(3) + 1j])
        agree(program("x.shape = (4, 3)\nreturn x"), lambda: [counted(3, 4)])
        agree(program("x.sort()\nreturn x"), lambda: [counted(3, 4)[::-1]])


# --- arguments that share memory ----------------------------------------------------------------------


def aliased(kind: str) -> list[Any]:
    base = counted(9)
    return {
        "same": lambda: [base, base], "equal": lambda: [base[:6], base[:6]], "above": lambda: [base[1:], base[:-1]],
        "below": lambda: [base[:-1], base[1:]], "reversed": lambda: [base, base[::-1]],
        "apart": lambda: [base[:4], base[5:]], "interleaved": lambda: [base[::2][:4], base[1::2]],
        "unrelated": lambda: [counted(9), counted(9)],
    }[kind]()  # fmt: skip


ALIASES = ("same", "equal", "above", "below", "reversed", "apart", "interleaved", "unrelated")
SHARING = [
    "x[:] = y + 1\nreturn x", "x += y\nreturn x", "x[1:] = y[:-1]\nreturn x", "x[:-1] = y[1:]\nreturn x",
    "y[0] = 5\nreturn x.sum()", "y[0] = 5\nreturn x", "x[0] = 1\ny[0] = 2\nx[0] += 1\nreturn x, y",
    "z = x + y\nx[0] = 9\nreturn z", "x[::-1] = y\nreturn y", "x *= 2\ny += 1\nreturn x + y",
    "for i in range(len(x)):\n    x[i] = y[-1 - i]\nreturn x",
    "s = 0.0\nfor i in range(len(x)):\n    s += y[i]\n    x[i] = s\nreturn s",
    "def g(a, b):\n    a[0] = b[1]\n    b[1] = a[0] + 1\ng(x, y)\nreturn x, y", "x[y > 0] = 0\nreturn y",
    "x[:] = np.cumsum(y)\nreturn x", "x[:] = y[::-1]\nreturn x", "x += y[::-1]\nreturn x",
    "x, y = y, x\nx[0] = 7\nreturn x, y", "x[:2] = y[2:4] * 2\ny[1:3] -= x[:2]\nreturn x", "np.add(x, y, out=x)\nreturn y",
    "z = x[1:]\ny[1] = 50\nreturn z[0]", "x[0] = 50\nx[0], y[0] = y[0], x[0]\nreturn x",
]  # fmt: skip


@grouped("text", SHARING)
def test_aliases(text: str) -> None:
    """In any order, through one compiled function."""
    kinds = (*ALIASES, "unrelated", "below", "same")
    agree(program(text, "x, y"), *((lambda kind=kind: aliased(kind)) for kind in kinds))


# --- what is captured ---------------------------------------------------------------------------------


class Box:
    """An object with arrays."""

    def __init__(self) -> None:
        self.a = counted(3)
        self.b = counted(2, 3)
        self.n = 0


def history(text: str, parameters: str, make: Make, held: Callable[[], dict[str, Any]], *, compiled: bool) -> Any:
    """Three calls in a row, and what they leave in captured arrays and attributes."""
    names = held()
    plain = program(text, parameters, **names)
    function = jit(plain) if compiled else plain
    seen = []
    for _ in range(3):
        done = outcome(function, make)
        seen.append((done, [frozen(vars(v) if isinstance(v, Box) else v) for v in names.values()]))
    return seen


CAPTURED = [
    "g[0] = x[0]\nreturn g", "g += x\nreturn g.sum()", "g[x > 0] = 9", "y = g[1:]\ny[0] = 5\nreturn y",
    "g[:] = g[::-1]\nreturn x", "for i in range(3):\n    g[i] += i\nreturn g", "return g[1:]", "return g + x",
    "g *= 2\nx += g\nreturn g, x", "g[5] = 1", 'g[0] = 1\nraise ValueError("a")',
    "if x[0] < 0:\n    g[0] = 100\nreturn g", "def h():\n    g[0] += 1\nh()\nh()\nreturn g",
    "y = g\ny = y + 1\ny[0] = 0\nreturn y", "x[:] = g\nreturn x", "g[:] = x\nx[0] = 50\nreturn g",
    "x[0] = g[0]\ng[0] = x[1]\nreturn g.sum() + x.sum()",
]  # fmt: skip


@pytest.mark.parametrize("text", CAPTURED)
@pytest.mark.parametrize("array", [lambda: counted(3), lambda: counted(6)[::2]], ids=["contiguous", "strided"])
def test_captured_arrays(text: str, array: Callable[[], Any]) -> None:
    def run(compiled: bool) -> Any:
        return history(text, "x", lambda: [counted(3)], lambda: {"g": array()}, compiled=compiled)

    assert run(True) == run(False)


ATTRIBUTES = [
    "b.a[0] = x[0]\nreturn b.a", "b.a += x\nreturn b.a", "b.a = b.a + x\nreturn b.a", "b.a = x\nb.a[0] = 7\nreturn x",
    "y = b.a\nb.a = x + 1\ny[0] = 9\nreturn y", "b.b[0] += x\nreturn b.b.sum()", "b.b[0] = b.a\nb.a[0] = 77\nreturn b.b",
    "b.n += 1\nb.a[b.n - 1] = 5\nreturn b.n", "b.a, b.b = b.b, b.a\nreturn b.a",
    'b.a = b.a * 2\nb.a[0] = 1\nif x[0] < 0:\n    raise ValueError("x")', "b.n = b.n + 1\nreturn x[b.n + 1]",
    "b.a = np.zeros(4)\nb.a[1] = x[0]\nreturn b.a", "for i in range(3):\n    b.a = b.a + i\nreturn b.a",
    "for i in range(3):\n    b.a[i] = b.a[i - 1] + 1\nreturn b.a", "b.c = x\nreturn b.c",
]  # fmt: skip


@grouped("text", ATTRIBUTES)
def test_attributes(text: str) -> None:
    def run(compiled: bool) -> Any:
        return history(text, "x", lambda: [counted(3)], lambda: {"b": Box()}, compiled=compiled)

    assert run(True) == run(False)


IN_CONTAINERS = [
    "x[0][0] = 5\nreturn x[1]", "x[0] += x[1]\nreturn x[0]", "for a in x:\n    a[0] = 1\nreturn x[0]",
    "y = x + [x[0]]\ny[2][0] = 44\nreturn y", "return [a * 2 for a in x]", "a, b = x\na[:] = b\nreturn a",
    "a, b = x\na[0], b[0] = b[0], a[0]\nreturn len(x)",
]  # fmt: skip


@grouped("text", IN_CONTAINERS)
def test_arrays_in_containers(text: str) -> None:
    def overlapping() -> list[Any]:
        base = counted(4)
        return [[base[1:], base[:-1]]]

    agree(program(text), lambda: [[counted(3), counted(3)]], overlapping, lambda: [[counted(3)] * 2])
    agree(program('d["a"][0] = 5\nd["a"] += d["b"]\nreturn d["a"]', "d"), lambda: [{"a": counted(3), "b": counted(3)}])


ON_TENSORS = [
    "x[0] = 5\nreturn x", "x += 1\nreturn x", "x[x > 0] = 0\nreturn x", "y = x[1:]\ny[0] = 3\nreturn y",
    "y = x.T\ny[0] = 3\nreturn x", "x[1:] = x[:-1]\nreturn x", "x[:, 0] = x[:, 1] * 2\nreturn x.sum()",
    "y = x + 1\ny[0] = 2\nreturn x, y", 'x[0] = 1\nraise ValueError("q")', "x[9] = 1",
    "for i in range(3):\n    x[i] = x[i] * i\nreturn x", "y = x.reshape(-1)\ny[0] = 9\nreturn x",
    "y = x\ny -= x.mean()\nreturn y", "return x", "return x[...]", "return x.T.T", "x[0] += np.ones(4)\nreturn x",
    "x[[0, 1]] = 7\nreturn x", "y = x.asnumpy()\ny[0] = 8\nreturn x", "x[::-1, 1:] *= 2\nreturn x",
]  # fmt: skip


@pytest.mark.parametrize("text", ON_TENSORS)
def test_tensors(text: str) -> None:
    agree(program(text), lambda: [tensor(3, 4)])


# --- layouts ------------------------------------------------------------------------------------------

LAYOUTS: dict[str, Make] = {
    "plain": lambda: [counted(3, 4)], "transposed": lambda: [counted(4, 3).T], "strided": lambda: [counted(6, 8)[::2, ::2]],
    "reversed": lambda: [counted(3, 8)[:, ::-2]], "repeated": lambda: [np.broadcast_to(counted(4), (3, 4))],
    "part": lambda: [counted(5, 6)[1:4, 1:5]], "one row": lambda: [counted(1, 4)], "one column": lambda: [counted(3, 1)],
    "one": lambda: [counted(1, 1)], "no rows": lambda: [counted(0, 4)], "no columns": lambda: [counted(4, 0)],
    "read only": lambda: [read_only(counted(3, 4))],
}  # fmt: skip
READS = [
    "x + 1", "x.sum()", "x.sum(axis=0)", "x.sum(axis=1)", "x.T", "x.T + x.T", "x @ x.T", "x.T @ x", "x[0] + x[-1]",
    "x[:, ::-1]", "x.flatten()", "x.copy()", "x.max(axis=1)", "x.argmax(axis=0)", "np.concatenate([x, x])",
    "np.stack([x, x], axis=1)", "x[x > 0]", "x.cumsum(axis=1)", "x.astype(np.float32)", "(x - x.min(axis=0)) / 2", "x.any()",
    "x == x.T.T", "x[[0]]", "x[:, [0, 0]]", "len(x)", "x.shape", "x.tolist()", "np.asarray(x)", "np.ascontiguousarray(x)",
    "x.reshape(x.shape)",
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout: str) -> None:
    for text in READS:
        if text == "x.tolist()" and layout in ("no rows", "no columns"):
            continue
        agree(program(text), LAYOUTS[layout])


def test_one_function_for_all_layouts() -> None:
    for text in ("x[0] = x[-1] + 1\nreturn x", "x.T @ x + x.sum()", "x[:, 0] *= 2\nreturn x[:, 1:]"):
        kinds = ("plain", "transposed", "strided", "reversed", "part", "plain", "strided")
        agree(program(text), *(LAYOUTS[kind] for kind in kinds))


# --- arrays that compiled code does not take ----------------------------------------------------------


def unaligned() -> list[Any]:
    made = np.zeros(49, np.uint8)[1:].view(np.float64)
    made[:] = range(6)
    return [made]


ODD: dict[str, Make] = {
    "unaligned": unaligned,
    "big-endian": lambda: [np.arange(6, dtype=">f8")],
    "structured": lambda: [np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])],
    "objects": lambda: [np.array([1, 2.5, 3], dtype=object)],
    "strings": lambda: [np.array(["a", "b"])],
    "dates": lambda: [np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")],
    "long doubles": lambda: [np.arange(3, dtype=np.longdouble)],
    "a subclass": lambda: [np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")])],
    "masked": lambda: [np.ma.array([1, 2, 3], mask=[0, 1, 0])],
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_arrays(kind: str) -> None:
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for text in ("x + x", "x[0]", "x[0] = x[1]\nreturn x", "x.sum()", "x", "len(x)", "x += x\nreturn x"):
            agree(program(text), ODD[kind])
        held = ODD[kind]()[0]
        agree(program("x.sum() + len(g)", g=held), lambda: [counted(3)])


# --- dtypes -------------------------------------------------------------------------------------------

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "complex64", "complex128")  # fmt: skip


def special(name: str) -> Any:
    """The values of a dtype where something may go wrong."""
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return np.array([0, 1, 1, 0, 1, 0], dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([0, 1, 2 if dtype.kind == "u" else -1, info.max, max(info.min, info.max // 2 + 1)
                         if dtype.kind == "u" else info.min, 5], dtype)  # fmt: skip
    if dtype.kind == "f":
        return np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5], dtype)
    return np.array([0, -0.0, complex(np.nan, 1), complex(np.inf, 0), 1.5 - 2j, complex(0, -0.0)], dtype)


def other(name: str) -> Any:
    """The same values in another order."""
    return np.roll(special(name), 2)[::-1]


ANY_DTYPE = [
    "-x", "+x", "~x", "abs(x)", "x.sum()", "x.prod()", "x.max()", "x.min()", "x.argmax()", "x.argmin()", "x.any()", "x.all()",
    "x == x", "x != x", "x < x[::-1]", "x >= x[::-1]", "np.where(x, x, x[::-1])", "x > 0", "x + 1", "x * 2.5", "1 - x", "x // 2",
    "x % 3", "x / 2", "x * True", "np.isnan(x)", "np.isfinite(x)", "np.sign(x)", "np.square(x)", "x ** 2", "np.maximum(x, 1)",
    "np.clip(x, 0, 3)", "np.floor(x)", "np.logical_not(x)", "np.count_nonzero(x)", "np.nonzero(x)", "x.nonzero()", "x.real",
    "x.conj()", "x.item(5)", "x[5].item()", "bool(x[1])", "float(x[5])", "int(x[5])", "abs(x[5])", "x.round()", "x.cumsum()",
    "x & 1", "x << 1", "x | x", "x > -1", "x == 2.5", "x.T", "[x[5], x[1]]", "np.zeros_like(x)", "x.astype(np.float64)",
    "x[5] + x[1]", "x[5] * 2.5", "x[5] / 2", "x[5] // x[1]", "-x[5]", "x[5] > x[1]",
]  # fmt: skip
_REFUSED_FOR_COMPLEX = {"x.max()", "x.min()", "x.argmax()", "x.argmin()", "np.sign(x)", "np.maximum(x, 1)", "np.clip(x, 0, 3)",
                        "x.real", "x.round()", "x.astype(np.float64)"}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype: str) -> None:
    for text in ANY_DTYPE:
        if dtype.startswith("complex") and text in _REFUSED_FOR_COMPLEX:
            continue
        agree(program(text), lambda: [special(dtype)])


@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs_of_dtypes(dtype: str) -> None:
    """Promotion, wrap-around, division by zero, comparison by value."""
    for second in DTYPES:
        are_complex = "complex" in dtype + second
        together = "(x + y, x * y, x == y, x != y, x < y, x >= y, np.where(x, x, y), x / y"
        agree(program(together + (")" if are_complex else ", np.maximum(x, y))"), "x, y"), pair(dtype, second))
        if DTYPES.index(second) % 3 == DTYPES.index(dtype) % 3:
            for op in ("-", "//", "%", "&", "<<", "|"):
                agree(program(f"x {op} y", "x, y"), pair(dtype, second))


def pair(first: str, second: str) -> Make:
    return lambda: [special(first), other(second)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars(dtype: str) -> None:
    for second in ("int8", "uint64", "float32", "float64"):
        for op in ("+", "//", "*", "<", "/", "-", "=="):
            f = program(f"x {op} y", "x, y")
            agree(f, lambda s=second: [special(dtype)[5], other(s)], lambda s=second: [special(dtype)[3], other(s)[2]])


def test_constants_of_either_sign_are_kept_apart() -> None:
    """0.0 and -0.0 are equal, as True and 1 are, but not the same constant."""
    for text in ("x + -0.0", "x + 0.0", "np.sign(x)", "x * -0.0", "np.where(x > 0, 0.0, -0.0)", "x.sum()", "-x"):
        agree(program(text), lambda: [np.array([-0.0, 0.0, 1.0])], lambda: [np.array([-0.0])])


# --- extents and numbers ------------------------------------------------------------------------------


def test_extents_become_symbolic_at_the_second_and_stay_so() -> None:
    f = jit(program("(x[1:] - x[:-1]).sum() + y[0]", "x, y"))
    for n in (5, 7, 9, 100, 2, 0):
        f(counted(n), counted(3))
    assert len(f.specialisations) == 2
    assert "symbolic" in f.explain()
    f(counted(1), counted(3))  # an extent of 1 broadcasts: its own case
    assert len(f.specialisations) == 3
    f(counted(11), counted(4))
    f(counted(12), counted(5))
    assert len(f.specialisations) == 4


@pytest.mark.parametrize(
    "text",
    ["x + y", "x[1:] + y[:-1]", "x @ y", "x[:, None] * y", "np.concatenate([x, y])", "x[x > 0]", "x[y > 0]", "x[1:] = y[:-1]\nreturn x",
     "x[y > 0] = 7\nreturn x", "x[y > 0] = y[y > 0]\nreturn x", "x[y > 0] = [1, 2]\nreturn x", "x[::2] = 3\nreturn x",
     "x.reshape(-1, 1) + y", "x.mean() + y.max()", "x[[0, 1]] + y[[0, 0]]", "x += y\nreturn x", "x[-2:].sum() * y[:2].sum()",
     "bool(x)", "float(y)", "x[np.arange(len(y))]", "np.outer(x, y).sum(axis=1)", "x.cumsum()[-1] - y.sum()", "x == y"],
)  # fmt: skip
def test_unlike_extents(text: str) -> None:
    extents = [(4, 4), (6, 6), (5, 7), (7, 5), (1, 5), (5, 1), (1, 1), (0, 0), (8, 8), (0, 3), (2, 2)]
    agree(program(text, "x, y"), *((lambda n=n, m=m: [counted(n), counted(m)]) for n, m in extents))


def test_a_thousand_numbers_need_no_code_of_their_own() -> None:
    f = jit(program("x * k + n", "x, k, n"))
    x = counted(3)
    for k in range(500):
        np.testing.assert_array_equal(f(x, k * 0.5, k), x * (k * 0.5) + k)
        np.testing.assert_array_equal(f(x, float(-k), -k), x * -k - k)
    assert len(f.specialisations) <= 2


# --- gradients ----------------------------------------------------------------------------------------


def smooth(*shape: int) -> Any:
    n = int(np.prod(shape))
    return (np.sin(np.arange(1.0, n + 1)) * 1.3 + 0.1 * np.arange(n)).reshape(shape)


GRADIENTS: list[tuple[str, tuple[int, ...]]] = [
    ("(x * x).sum()", (3,)), ("x[1:].sum() * x[0]", (3,)), ("y = x.copy() ; y[0] = x[1] * x[2] ; return (y * y).sum()", (3,)),
    ("y = x * 2 ; y[1:] += y[:-1] ; return (y * y).sum()", (4,)), ("y = x + 0 ; y[y > 0] = 0.0 ; return (y * x).sum()", (5,)),
    ("y = np.zeros(4)\nfor i in range(4):\n    y[i] = x[i] * x[3 - i]\nreturn (y * y).sum()", (4,)),
    ("y = x + 0 ; y[y > 0] *= 3.0 ; return (y * x).sum()", (5,)), ("x.T[0] @ x[:, 1]", (3, 3)), ("x.max() + x.min()", (5,)),
    ("y = x + 0 ; y[[0, 2]] = x[[1, 3]] * x[0] ; return (y * y).sum()", (4,)), ("np.sum(x[::-2] ** 2)", (5,)),
    ("y = x + 0 ; y[[0, 0, 1]] = x[:3] ; return (y * y).sum()", (4,)), ("(x - x.mean(axis=0)).std()", (3, 2)),
    ("y = x + 0 ; y.T[0] = x[1] ; return (y * y * x).sum()", (3, 3)), ("x.max(axis=1).sum()", (2, 3)),
    ("y = x + 0 ; z = y.reshape(-1) ; z[2:5] *= x[0, 0] ; return (y * y).sum()", (2, 3)), ("np.cumsum(x).prod()", (3,)),
    ("(x[:, None] * x[None, :]).sum(axis=0).prod()", (3,)), ("y = x + 0 ; y[::2] = y[1::2] * 2 ; return (y ** 3).sum()", (4,)),
    ("y = x + 0 ; y[:-1], y[1:] = y[1:] * 1, y[:-1] * 2 ; return (y * y).sum()", (4,)), ("np.linalg.norm(x)", (4,)),
    ("y = x + 0 ; y[0], y[1] = y[1], y[0] ; return y[0] * 2 + y[1] * 3 * y[0]", (3,)), ("x[x > 0].sum() * x[0]", (5,)),
    ("y = x + 0\nfor i in range(3):\n    y[i + 1] += y[i] * x[i]\nreturn y[3]", (4,)), ("x.var()", (4,)),
    ("y = x + 0\nwhile y.sum() < 20:\n    y *= 1.5\n    y += 1\nreturn (y * x).sum()", (3,)),
    ("s = 0.0\nfor v in x:\n    if v > 0:\n        s += v * v\n    else:\n        s -= v\nreturn s", (5,)),
    ("s = 0.0\nfor r in x:\n    s += (r * r).sum() * s + r[0]\nreturn s", (3, 2)), ("x[np.array([0, 0, 2])].prod()", (3,)),
    ("np.concatenate([x, x * x, x[:1]]).prod()", (3,)), ("np.where(x > 0, x ** 2, -x).sum()", (4,)), ("(x @ x.T @ x).sum()", (2, 3)),
    ("np.clip(x, -0.5, 0.5).sum() * x[0]", (5,)), ("np.maximum(x, x[::-1]).sum()", (4,)), ("x.T.reshape(-1)[1:3].prod()", (2, 3)),
    ("y = x.T.ravel() ; y[0] = y[1] * 2 ; return (y * y).sum() + x.sum()", (2, 2)), ("np.roll(x, 1) @ x", (4,)),
    ("y = x + 0 ; y.fill(2.0) ; y[0] = x[0] ; return (y * x).sum()", (3,)), ("np.broadcast_to(x, (3, 3)).T.ravel()[:4].prod()", (3,)),
    ("y = x + 0 ; z = y[1:] ; z *= z ; y[1] = y[0] * y[2] ; return (z * y[:-1]).sum()", (4,)),
    ("y = x + 0\nw = y\nw[0] = w[1] * 2\nif w[0] > 0:\n    w[1:] *= 2\nelse:\n    w[1:] *= 3\nreturn (y * x).sum()", (3,)),
    ("y = x + 0 ; y -= y.mean() ; y /= y.std() + 1 ; return (y ** 3).sum()", (4,)),
    ("y = [x * 1, x * 2] ; y[0] += y[1] ; y[1] *= y[0] ; return (y[0] * y[1]).sum()", (3,)),
    ("y = x * 2 ; np.add(x, 1, out=y) ; return (y * y).sum()", (3,)), ("y = x + 0 ; y[1:3] = x[0] ; return y.prod()", (4,)),
    ("y = np.empty((2, 3)) ; y[0] = x ; y[1] = x * x ; return (y.sum(axis=0) * y[0]).sum()", (3,)),
    ("def step(a, b):\n    a[0] = a[0] * b[1]\n    return a * b\ny = x + 0\nz = step(y, x)\nreturn (z * y).sum()", (3,)),
    ("y = x + 0\nfor i in range(5):\n    if i == 3:\n        break\n    y[i % 3] *= y[(i + 1) % 3]\nreturn y.sum()", (3,)),
    # into the argument itself
    ("x[0] = x[1] * x[2] ; return (x * x).sum()", (3,)), ("x += x * x ; return x.sum()", (3,)),
    ("x[1:] *= x[:-1] ; return x.prod()", (4,)), ("y = x[1:] ; y *= 2 ; return (x * x).sum()", (3,)),
    ("y = x.T ; y[0] = x[1] ; return (x * x).sum()", (2, 2)), ("x[x > 0] = 1.0 ; return (x * x).sum()", (4,)),
    ("for i in range(3):\n    x[i] = x[i] * x[(i + 1) % 3]\nreturn x.sum()", (3,)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shape"), GRADIENTS)
def test_gradients(text: str, shape: tuple[int, ...]) -> None:
    f = program(lines(text)) if "return" in text else program(text)
    x = smooth(*shape)
    wanted = np.zeros_like(x)
    for k in itertools.product(*map(range, shape)):
        ends = []
        for h in (1e-6, -1e-6):
            moved = x.copy()
            moved[k] += h
            ends.append(float(f(moved)))
        wanted[k] = (ends[0] - ends[1]) / 2e-6
    given, left = x.copy(), x.copy()
    np.testing.assert_allclose(grad(f)(given), wanted, rtol=1e-5, atol=1e-6)
    f(left)
    np.testing.assert_allclose(given, left, rtol=1e-14)
