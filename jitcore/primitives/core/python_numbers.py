"""What the families of Python-number primitives share: how they are declared, CPython's messages, 64-bit range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from jitcore.ir.nodes import PURE, Effects
from jitcore.primitives.core import batching
from jitcore.primitives.core.batching import Batch
from jitcore.primitives.core.registry import (
    Derivative,
    HostCode,
    Lowering,
    Nondifferentiable,
    Primitive,
    Sample,
    ScalarCode,
    declare,
)
from jitcore.primitives.core.rules import scalars
from jitcore.program.words import PAST_64_BITS
from jitcore.types import ScalarType

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1

_ARRAYS: Final = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "max": "maximum", "min": "minimum",
}  # fmt: skip
"""By the scalar operation of a kernel, the primitive that computes it on arrays."""


def in_rows(op: str) -> Batch:
    """The batching rule of an operation that is one of kernels, which is exact and cannot raise."""
    return batching.numbers(_ARRAYS.get(op, op))


DISCRETE: Final = Nondifferentiable("its result is an int or a bool, or made of those alone")


def words_of(raising: Callable[[], Any]) -> str:
    """What this interpreter says when `raising` fails: CPython's messages differ between versions."""
    try:
        raising()
    except ArithmeticError as error:
        return str(error)
    except ValueError as error:
        return str(error)
    raise ValueError("nothing was raised")


def in_range(value: int) -> int:
    """A Python int that must fit in 64 bits. Raises OverflowError."""
    if not INT_MIN <= value <= INT_MAX:
        raise OverflowError(PAST_64_BITS)
    return value


def past_64_bits(value: int) -> str:
    """What is wrong with an int of more than 64 bits, in few digits."""
    shown = f"the int {value}" if value.bit_length() < 256 else f"an int of {value.bit_length()} bits"
    return f"{shown} is past 64 bits"


def samples_of(
    *rows: Sequence[Any], differentiable: bool = True, plain: Iterable[Sequence[Any]] = ()
) -> Callable[[], Iterable[Sample]]:
    """Samples of argument rows; `plain` ones are not differentiated."""

    def samples() -> Iterable[Sample]:
        for row in rows:
            yield Sample(tuple(row), differentiable=differentiable)
        for row in plain:
            yield Sample(tuple(row), differentiable=False)

    return samples


def number_operation(
    name: str,
    arguments: str,
    params: Sequence[ScalarType],
    result: ScalarType,
    reference: Callable[..., Any],
    code: Callable[..., Any] | Lowering,
    samples: Callable[[], Iterable[Sample]],
    doc: str,
    derivative: Derivative = DISCRETE,
    raises: tuple[str, ...] = (),
    batch: Batch | None = None,
) -> Primitive:
    """A primitive on Python numbers; `code` is what `ScalarCode` emits, or another lowering.

    What is computed on the host is the reference itself, called with the numbers.
    """
    if code == HostCode():
        code = HostCode(lambda: reference)
    return declare(
        name,
        arguments,
        rule=scalars(name, result, *params),
        reference=reference,
        lowering=ScalarCode(code) if callable(code) else code,
        derivative=derivative,
        samples=samples,
        effects=Effects(raises=raises) if raises else PURE,
        batch=batch,
        doc=doc,
    )
