"""MindSpore's capture of functions by their bytecode: they are compiled as all others are, and can be asked how that
went."""

from __future__ import annotations

from typing import Any, Final

from jitcore.runtime.dispatch import CompiledFunction

_COMPILED: Final = "__jitcore_compiled__"


def note(function: Any, compiled: Any) -> Any:
    """Remember by what a function is compiled; gives that."""
    plain = getattr(function, "__func__", function)
    if isinstance(compiled, CompiledFunction) and hasattr(plain, "__dict__"):
        plain.__dict__[_COMPILED] = compiled
    return compiled


def get_code_extra(function: Any) -> dict[str, Any] | None:
    """What became of a function that is compiled: how many kinds of calls the interpreter serves, or a part of each
    (`break_count_`), how many programs there are of it (`compile_count_`), and the calls that the newest has served.
    None for one that has not been compiled."""
    compiled = _compiled(function)
    if compiled is None:
        return None
    programs, breaks = compiled.specialisations, compiled.interpreted
    if not programs and not breaks:
        return None
    calls = programs[-1].calls if programs else 0
    code = {"phase_": repr(compiled), "compile_count_": len(programs), "call_count_": calls}
    return {"stat": "GRAPH_CALLABLE", "break_count_": breaks, "code": code}


def _compiled(function: Any) -> CompiledFunction | None:
    """By what a function is compiled, or an object's method: that which the object has in its place, or that of the
    class."""
    plain = getattr(function, "__func__", function)
    own = getattr(getattr(function, "__self__", None), "__dict__", {}).get(getattr(plain, "__name__", ""))
    for found in (plain, own, getattr(plain, "__dict__", {}).get(_COMPILED)):
        if isinstance(found, CompiledFunction):
            return found
    return None


def capturing_is_on(*args: Any, **options: Any) -> None:
    """What switches the capture, or sets its options: it is always on, and has none."""
    del args, options
