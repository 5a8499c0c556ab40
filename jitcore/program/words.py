"""How many 8-byte words values fill where programs are entered and left (see `program.nodes`)."""

from __future__ import annotations

from typing import Final

from jitcore.source import InternalError
from jitcore.types import (
    NONE,
    UNDEFINED,
    DType,
    ObjectType,
    RefType,
    ScalarType,
    StackType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    c128,
)

PAST_64_BITS: Final = "integer result is past 64 bits"
"""The message of OverflowError where Python would have gone on with a longer int."""
_PAST: Final = "past 64 bits"
NAN_AS_OBJECT: Final = "NaN is compared here, or a key: which object it is compiled code does not know"
"""The message of OverflowError where that matters: such calls go on as if an int had left 64 bits."""


def leaves_word(exception: object, message: str) -> bool:
    """Whether an exception of this class (or its name) and message says that an int has more than 64 bits, or that
    there is another value that compiled code cannot have."""
    return exception in ("OverflowError", OverflowError) and (_PAST in message or message == NAN_AS_OBJECT)


def register_words(dtype: DType | None) -> int:
    """The words of a register: one, or two for c128."""
    return 2 if dtype is c128 else 1


def type_words(type_: Type) -> int:
    """The words of a value. Raises InternalError for types that no call passes."""
    match type_:
        case ScalarType(dtype):
            return register_words(dtype)
        case TensorType():
            return 2 + 2 * type_.rank
        case RefType(target):
            return type_words(target)
        case TupleType(items):
            return sum(map(type_words, items))
        case UnionType(members):
            return 1 + sum(map(type_words, members))
        case ObjectType() | StackType():
            return 1
        case _ if type_ is NONE or type_ is UNDEFINED:
            return 0
        case _:
            raise InternalError(f"a value of type {type_!r} has no words")
