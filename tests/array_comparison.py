"""Comparing a compiled function with the plain one on arrays: values to the bit, types, shared memory, what is written.

A case is the text of a function's body and a maker of its arguments; the maker is called anew for every call, so that
aliases among the arguments are the same each time.
"""

from __future__ import annotations

import dataclasses
import itertools
import linecache
import struct
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore import Tensor, jit

_numbers = itertools.count()


def program(text: str, parameters: str = "x", **names: Any) -> Callable[..., Any]:
    """A function with the given body; one line without `return` or `=` at its end is an expression to return."""
    lines = text.strip("\n").splitlines()
    if len(lines) == 1 and not lines[0].lstrip().startswith(("return", "raise")) and _is_expression(lines[0]):
        lines = ["return " + lines[0].strip()]
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    source = f"def f({parameters}):\n" + "".join(f"    {line[indent:]}\n" for line in lines)
    name = f"<array case {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"np": np, **names}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def _is_expression(line: str) -> bool:
    try:
        compile(line.strip(), "", "eval")
    except SyntaxError:
        return False
    return True


def arrays_of(value: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in a value, and those they are views of."""
    if isinstance(value, Tensor):
        return arrays_of(value.asnumpy())
    if isinstance(value, np.ndarray):
        return [value, *arrays_of(value.base)]
    if isinstance(value, tuple | list):
        return [a for v in value for a in arrays_of(v)]
    if isinstance(value, dict):
        return [a for v in value.values() for a in arrays_of(v)]
    return []


def frozen(value: Any, args: Sequence[Any] = (), memory: bool = False) -> Any:
    """A value as something that compares equal only to values of equal types and bits (and of equal place in `args`)."""
    if memory:
        for k, arg in enumerate(args):
            if value is arg and isinstance(arg, Tensor | np.ndarray):
                return "argument", k
    if isinstance(value, Tensor):
        return "Tensor", frozen(value.asnumpy(), args, memory)
    if isinstance(value, np.ndarray):
        held = [_bits(v) for v in value.ravel().tolist()]
        return type(value), value.dtype.str, value.shape, held, _place(value, args) if memory else None
    if isinstance(value, np.generic):
        return type(value), _bits(value.item())
    if isinstance(value, tuple | list):
        return type(value), [frozen(v, args, memory) for v in value]
    if isinstance(value, dict):
        return dict, [(k, frozen(v, args, memory)) for k, v in value.items()]
    return type(value), _bits(value)


def _bits(value: Any) -> Any:
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    if isinstance(value, complex):
        return _bits(value.real), _bits(value.imag)
    return value


def _place(value: np.ndarray[Any, Any], args: Sequence[Any]) -> Any:
    """Where an array lies in the arguments' memory, and whether it can be written to."""
    if not value.size:
        return None
    strides = tuple(s for s, n in zip(value.strides, value.shape, strict=True) if n > 1)
    for k, base in enumerate(arrays_of(list(args))):
        if base.base is None and np.shares_memory(value, base):
            offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            return k, offset, strides, value.flags.writeable
    return "own", value.flags.writeable


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call did: its result or exception, and the memory of its arguments afterwards."""

    result: Any
    error: tuple[type, str] | None
    memory: Any


def outcome(function: Callable[..., Any], make: Callable[[], Sequence[Any]]) -> Outcome:
    """Call a function on new arguments."""
    args = make()
    result, error = None, None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            result = function(*args)
        except Exception as raised:
            builtin = next(
                cls for cls in type(raised).__mro__ if cls.__module__ == "builtins"
            )  # of NumPy's own classes
            error = builtin, str(raised)
    return Outcome(frozen(result, args, memory=True), error, frozen(arrays_of(list(args))))


def agree(function: Callable[..., Any], *makers: Callable[[], Sequence[Any]]) -> None:
    """Compiled, the function does on each maker's arguments, twice, what it does plain."""
    compiled = jit(function)
    for make in makers:
        wanted = outcome(function, make)
        for _ in range(2):
            got = outcome(compiled, make)
            assert got.error == wanted.error
            assert got.result == wanted.result
            assert got.memory == wanted.memory


def agree_nearly(function: Callable[..., Any], *makers: Callable[[], Sequence[Any]], rtol: float = 4e-15) -> None:
    """As `agree`, but floats may differ by a relative `rtol` (single and half precision by their own epsilon)."""
    compiled = jit(function)
    for make in makers:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            error = outcome(function, make).error
            if error is not None:
                assert outcome(compiled, make).error == error
                continue
            for _ in range(2):
                _require_near(compiled(*make()), function(*make()), rtol)


def _require_near(got: Any, wanted: Any, rtol: float) -> None:
    assert type(got) is type(wanted)
    if isinstance(wanted, tuple | list):
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted, strict=True):
            _require_near(a, b, rtol)
    elif isinstance(wanted, np.ndarray | np.generic | float | complex):
        a, b = np.asarray(got), np.asarray(wanted)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if b.dtype.kind in "fc":
            near = max(rtol, 8 * float(np.finfo(b.dtype).eps))
            np.testing.assert_allclose(a, b, rtol=near, atol=near * 1e-3)
        else:
            np.testing.assert_array_equal(a, b)
    else:
        assert got == wanted
