"""Containers and strings of the run, which live in boxes: in a program a box is its address, an int.

What is done to boxes is done by functions of a library (`function`), in the call's own memory, which is given back when
the call has ended. A value in a box is two words: its kind (`Kind`) and its payload, a number itself or a box.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.primitives.core.code_points import column_of
from jitcore.primitives.core.registry import Builtin, HostCode, Nondifferentiable, declare
from jitcore.primitives.core.rules import array
from jitcore.program.boxes import Kind, box_of, call_library, object_now
from jitcore.source import InternalError
from jitcore.types import INT, ScalarType, Type


def _called(*args: object, function: str, type: ScalarType = INT) -> object:
    words = tuple(map(_word, args))
    made = _tuple_of(words) if function == "tuple_of" else call_library(function, words)
    return np.int64(made).view(np.float64).item() if type.dtype.kind == "f" else type.dtype.numpy.type(made).item()


def _tuple_of(words: tuple[int, ...]) -> int:
    made = call_library("tuple_new", (len(words) // 2,))
    for k in range(0, len(words), 2):
        call_library("tuple_put", (made, k // 2, *words[k : k + 2]))
    return made


def _word(value: object) -> int:
    if isinstance(value, float):
        return int(np.float64(value).view(np.int64))
    assert isinstance(value, int | np.integer | np.bool_)
    return int(value)


def _rule(*args: Type, function: str, type: ScalarType = INT) -> Type:
    for given in args:
        if not isinstance(given, ScalarType):
            raise TypeError(f"{function} of the library of boxes takes numbers, not {given!r}")
    return type


_NO_DERIVATIVE = Nondifferentiable("what is in boxes is not followed", zero=False)

box_read = declare(
    "box_read",
    "*args",
    rule=_rule,
    reference=_called,
    lowering=Builtin(),
    derivative=_NO_DERIVATIVE,
    samples=lambda: (),
    effects=Effects(reads=True),
    doc="What a function of the library that only looks at boxes gives, as a number of `type`.",
)

box_change = declare(
    "box_change",
    "*args",
    rule=_rule,
    reference=_called,
    lowering=Builtin(),
    derivative=_NO_DERIVATIVE,
    samples=lambda: (),
    effects=Effects(writes=True),
    doc="What a function of the library that makes or changes boxes gives, as a number of `type`.",
)


box_pure = declare(
    "box_pure",
    "*args",
    rule=_rule,
    reference=_called,
    lowering=Builtin(),
    derivative=_NO_DERIVATIVE,
    samples=lambda: (),
    effects=Effects(raises=("MemoryError",)),  # and what it is given is a box only where the program does it
    doc="What a function of the library (one of `PURE`) gives, as a number of `type`, that makes or looks at boxes "
    "that never change: strings and tuples.",
)

PURE: Final = frozenset({
    "same", "code_is", "tuple_of", "tuple_item", "tuple_kind", "tuple_length", "tuple_length_or_0",
    "text_length", "text_code", "text_of_code", "text_between", "text_slice", "text_concat", "text_repeat", "text_find",
    "text_find_last", "text_count", "text_starts", "text_ends", "text_replace", "text_strip", "text_pad",
    "text_fill_zeros", "text_all", "text_is_printable", "text_is_identifier", "text_is_ascii", "text_is_case",
    "text_is_title", "text_cased", "text_of_int", "text_of_float", "text_grouped",
})  # fmt: skip
"""The functions of the library that look at strings and tuples only, and make others at most. `tuple_of` makes a tuple
of kinds and payloads by turns."""


LOOKING: Final = frozenset({
    "same", "code_is", "tuple_item", "tuple_kind", "tuple_length", "tuple_length_or_0", "text_length", "text_code",
    "text_find", "text_find_last", "text_count", "text_starts", "text_ends", "text_all", "text_is_printable",
    "text_is_identifier", "text_is_ascii", "text_is_case", "text_is_title",
})  # fmt: skip
"""Those of them that make nothing."""

MAKING: Final = frozenset({
    "list_new", "list_copy", "list_slice", "list_concat", "list_repeat", "dict_new", "dict_copy", "dict_make_dense",
    "dict_new_as", "deque_new", "deque_copy", "set_new", "set_copy", "set_constant", "set_slots", "set_union",
    "set_intersection", "set_difference", "set_symmetric_difference", "text_join", "text_append", "text_split",
    "text_split_by", "text_split_last", "text_split_last_by", "text_lines", "int_of_text", "float_of_text", "entered",
    "text_given", "object_given",
})  # fmt: skip
"""The other functions that leave what they are given as it is, in the program's eyes. All others may change it."""


def _text_rule(x: Type) -> Type:
    if array(x).rank != 1 or array(x).dtype.itemsize != 4:
        raise TypeError(f"a string is an array of code points, not {x!r}")
    return INT


box_text = declare(
    "box_text",
    "x",
    rule=_text_rule,
    reference=lambda x: call_library("text_of_codes", (np.ascontiguousarray(x).ctypes.data, len(x))),
    lowering=Builtin(),
    derivative=Nondifferentiable("strings are not numbers"),
    samples=lambda: (),
    effects=Effects(writes=True),
    doc="The box of a string that has these code points (u32).",
)


# --- Python's objects


class Known:
    """Among the kinds of arguments: one that is known when compiling."""

    def __init__(self, value: object) -> None:
        self.value = value


def _computed(
    context: int, *words: object, function: Callable[..., object], kinds: tuple[Kind | Known, ...], result: Kind
) -> int:
    given = iter(words)
    args = [kind.value if isinstance(kind, Known) else object_now(kind, _word(next(given))) for kind in kinds]
    kind, payload = box_of(function(*args), int(context))
    if kind != result:
        raise InternalError(f"{function} gives a value of kind {kind}, not {result}")
    return payload


box_compute = declare(
    "box_compute",
    "context *words",
    rule=lambda context, *words, function, kinds, result: INT,
    reference=_computed,
    lowering=HostCode(
        lambda *, function, kinds, result: functools.partial(_computed, function=function, kinds=kinds, result=result)
    ),
    derivative=_NO_DERIVATIVE,
    samples=lambda: (),
    effects=Effects(writes=True, raises=("Exception",)),
    doc="What a Python function gives for values in boxes, of these `kinds`: a value of the kind `result`, in the "
    "memory of a context.",
)


# --- constants


def constant_text(points: np.ndarray[Any, np.dtype[np.uint32]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The box of a string as the words of a constant: the width of its code points, no hash so far, its length, and
    where its code points are, which follow."""
    narrow = not (points > 255).any()
    held = points.astype(np.uint8 if narrow else np.uint32)
    rest = np.zeros(held.nbytes // 8 * 8 + 16, np.uint8)  # a word behind the last character is read with it
    rest[: held.nbytes] = held.view(np.uint8)
    return np.concatenate([np.array([0 if narrow else 2, 0, len(points), 32], np.int64), rest.view(np.int64)])


def constant_set(items: Sequence[tuple[int, int | str]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What `set_constant` of the library makes a frozenset of, as the words of a constant: how many items there are,
    the kind and payload of each (of a string: how far it is from the first word, in bytes), and the strings."""
    head = [len(items)]
    images: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    place = 1 + 2 * len(items)
    for kind, item in items:
        head += [kind, 8 * place if isinstance(item, str) else item]
        if isinstance(item, str):
            images.append(constant_text(column_of(item)))
            place += len(images[-1])
    return np.concatenate([np.array(head, np.int64), *images])


box_constant = declare(
    "box_constant",
    "x",
    rule=lambda x: INT,
    reference=lambda x: x.ctypes.data,
    lowering=Builtin(),
    derivative=Nondifferentiable("it is an address"),
    samples=lambda: (),
    doc="The address of a constant array, whose words are a box.",
)

OPS: Final = frozenset([box_read, box_change, box_pure, box_text, box_compute, box_constant])
"""All of them: they take addresses on trust."""
