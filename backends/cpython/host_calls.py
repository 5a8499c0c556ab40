"""What the code of a program calls for its host calls."""

from __future__ import annotations

from jitcore.backends.cpython.call_type import record_of
from jitcore.backends.cpython.callbacks import callback
from jitcore.program.nodes import HostCall


def host_callable(call: HostCall) -> tuple[object, int]:
    """What is called, to be kept as long as the code, and the word it is called by: where a record or a callable is."""
    if call.bare:
        return call.function, id(call.function)
    if (record := record_of(call)) is not None:
        return record, record.address
    function = callback(call)
    return function, id(function)
