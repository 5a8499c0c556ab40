"""Boxes as Python's objects, and Python's numbers and strings as values, for what Python calls."""

from __future__ import annotations

import ctypes
from typing import Any

from jitcore.backends.native.boxes.library import call, symbols
from jitcore.program import boxes
from jitcore.program.boxes import Kind
from jitcore.source import InternalError


def python_object(kind: int, payload: int) -> Any:
    """The object that a value is in Python."""
    return owned_object(call("object_given", int(kind), payload))


def owned_object(address: int) -> Any:
    """The object at an address, with the reference that the program has to it."""
    made = ctypes.cast(address, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
    return made


def provide() -> None:
    """Have Python's objects made of boxes, and boxes of them, from here on."""
    boxes.python_object.model(python_object)
    boxes.owned_object.model(owned_object)
    boxes.box_of.model(box_of)
    boxes.looking.model(lambda: symbols()["jb_fits"])
    boxes.looks.model(lambda obj, contents: bool(call("fits", id(obj), contents + 8, 0, 0)))


def box_of(obj: object, context: int | None) -> tuple[int, int]:
    """A number, string or None as a value: its kind and its payload, in the memory of a call's context (None: this
    thread's own)."""
    kind = call("kind_of_object", id(obj))
    if not Kind.NONE <= kind <= Kind.STR:
        raise InternalError(f"a {type(obj).__name__} cannot be put into a box here")
    return kind, call("payload_of", kind, id(obj), context=context)
