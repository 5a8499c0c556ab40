"""What MindSpore says to the options of `jit`, and to calls of compiled functions that do not fit their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.checking import Rel, Validator
from jitcore.compat.mindspore.refusals import mutables, python_operators, string_operators, user_calls
from jitcore.primitives.core.python_numbers import words_of
from jitcore.runtime import tape
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.trees import leaves

_TYPES: Final[dict[str, type]] = {
    "disable_format_transform": bool, "exec_order": str, "ge_options": dict, "infer_boost": str, "auto_offload": str,
}  # fmt: skip
_WORDS: Final[dict[str, list[str]]] = {
    "exec_order": ["bfs", "dfs"],
    "infer_boost": ["on", "off"],
    "auto_offload": ["weight", "activation", "all"],
}


def check(capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, options: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError for what `jit` does not take. Options that it does not know are ignored."""
    Validator.check_string(capture_mode, ["ast", "bytecode", "trace"], "capture_mode", "jit")
    Validator.check_string(jit_level, ["O0", "O1"], "jit_level", "jit")
    Validator.check_int_range(dynamic, 0, 1, Rel.INC_BOTH, "dynamic", "jit")
    Validator.check_bool(fullgraph, "fullgraph", "jit")
    for name, value in options.items():
        if name in _TYPES and not isinstance(value, _TYPES[name]):
            wanted = _TYPES[name].__name__
            raise TypeError(f"For 'jit(options)', the type of '{name}' must be {wanted}, but got {type(value)}.")
        if name in _WORDS and value not in _WORDS[name]:
            raise ValueError(f"For '{name}', the value of '{name}' must be one of {_WORDS[name]}, but got '{value}'.")
        if name == "ge_options":
            _require_strings(name, value)


def _require_strings(name: str, options: Mapping[Any, Any]) -> None:
    for level, given in options.items():
        if level not in ("global", "session"):
            raise ValueError(
                f"For '{name}', the key of '{name}' must be one of ['global', 'session'], but got '{level}'."
            )
        if not isinstance(given, dict):
            raise TypeError(
                f"For '{name}', the type of {level} options must be dict, but got {type(given)}. "
                f"The error options: {given}."
            )
        for key, value in given.items():
            for what, item, end in (("key", key, "."), ("value", value, "")):
                if not isinstance(item, str):
                    raise TypeError(
                        f"For '{name}', the type of key and value must be str, but got {type(item)}. "
                        f"The error {what} is {item}{end}"
                    )


def require_variable(args: Sequence[Any]) -> None:
    """Raise what MindSpore does, where a gradient is taken, of arguments with Tensors that it depends on beside what is
    a constant of the program."""
    for value in args:
        if any(map(tape.tracked, leaves(value))) and not mutables.is_variable(value):
            raise RuntimeError(f'Input "{value}" contains tensor with gradient but can not mutable.')


_DIVISIONS: Final[dict[str, str]] = {
    **dict.fromkeys([words_of(lambda: 1 / 0), words_of(lambda: 1.0 / 0)], python_operators.BY_ZERO),
    **dict.fromkeys([words_of(lambda: 1 % 0), words_of(lambda: 1.0 % 0)], python_operators.MODULO_ZERO),
}
"""What MindSpore says where Python says this of a division by 0. Python's words for `//` are those of `divmod`, too,
which MindSpore leaves to it."""


def worded(
    called: CompiledFunction, args: Sequence[Any], keywords: Mapping[str, Any], error: BaseException
) -> BaseException:
    """The exception for a call whose arguments a compiled function has no parameters for: those by position are
    counted, unless there are any by keyword; and that for a division by an argument that is 0."""
    if type(error) is ZeroDivisionError and str(error) in _DIVISIONS:
        return ValueError(_DIVISIONS[str(error)])
    if isinstance(error, AttributeError):
        return user_calls.of_no_construct(error)
    if isinstance(error, TypeError | RuntimeError) and (told := string_operators.in_graph(error, args)) is not None:
        return told
    function = called.__jitcore_function__
    if not isinstance(error, TypeError) or not inspect.isfunction(function):
        return error
    signature = inspect.signature(function)
    try:
        signature.bind(*args, **keywords)
    except TypeError as failed:
        if keywords:
            return TypeError(str(failed))
        return miscounted(f"Function {function.__name__} needs", signature, len(args)) or error
    return error


def miscounted(subject: str, signature: inspect.Signature, given: int) -> TypeError | None:
    """The answer to too few or too many arguments by position."""
    params = signature.parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in params):
        return None
    plain = [p for p in params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in plain)
    if given < required:
        return TypeError(f"{subject} {required} positional argument, but got {given}.")
    if given > len(plain):
        return TypeError(
            f"{subject} {required} positional argument and {len(plain) - required} default argument, "
            f"total {len(plain)}, but got {given}."
        )
    return None
