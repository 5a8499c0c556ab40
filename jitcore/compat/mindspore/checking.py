"""MindSpore's checks of arguments, which networks' own layers and optimisers call: before MindSpore 2.0 the functions
of a class `Validator` and members of `Rel`, since then names of the module.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

_RELATIONS: Final[dict[str, tuple[Callable[..., bool], str]]] = {
    "EQ": (lambda a, b: a == b, "= {}"),
    "NE": (lambda a, b: a != b, "!= {}"),
    "LT": (lambda a, b: a < b, "< {}"),
    "LE": (lambda a, b: a <= b, "<= {}"),
    "GT": (lambda a, b: a > b, "> {}"),
    "GE": (lambda a, b: a >= b, ">= {}"),
    "INC_NEITHER": (lambda a, low, high: low < a < high, "({}, {})"),
    "INC_LEFT": (lambda a, low, high: low <= a < high, "[{}, {})"),
    "INC_RIGHT": (lambda a, low, high: low < a <= high, "({}, {}]"),
    "INC_BOTH": (lambda a, low, high: low <= a <= high, "[{}, {}]"),
    "IN": (lambda a, members: a in members, "in {}"),
    "NOT_IN": (lambda a, members: a not in members, "not in {}"),
}


class Rel(enum.Enum):
    """How a value must stand to another, or to two."""

    EQ = "EQ"
    NE = "NE"
    LT = "LT"
    LE = "LE"
    GT = "GT"
    GE = "GE"
    INC_NEITHER = "INC_NEITHER"
    INC_LEFT = "INC_LEFT"
    INC_RIGHT = "INC_RIGHT"
    INC_BOTH = "INC_BOTH"
    IN = "IN"
    NOT_IN = "NOT_IN"


def _subject(arg_name: Any, prim_name: Any) -> str:
    argument = f"'{arg_name}'" if arg_name else "input value"
    return f"For '{prim_name}', the {argument}" if prim_name else f"The {argument}"


def _named(value: Any) -> str:
    return type(value).__name__


def _number(value: Any, limit: Any, rel: Rel, cls: type, arg_name: Any, prim_name: Any) -> Any:
    """A number of a type that stands to another one as `rel` says."""
    subject = _subject(arg_name, prim_name)
    if not isinstance(value, cls):
        raise TypeError(f"{subject} must be {cls.__name__}, but got '{_named(value)}'")
    if math.isinf(value) or math.isnan(value):  # type: ignore[arg-type]
        raise ValueError(f"{subject} must be a legal value, but got '{value}'.")
    holds, text = _RELATIONS[rel.value]
    if isinstance(value, bool) or not holds(value, limit):
        kind = TypeError if isinstance(value, bool) else ValueError
        raise kind(
            f"{subject} must be {cls.__name__} and must {text.format(limit)}, "
            f"but got '{value}' with type '{_named(value)}'."
        )
    return value


def _ranged(value: Any, low: Any, high: Any, rel: Rel, cls: type, arg_name: Any, prim_name: Any) -> Any:
    """A number of a type between two others."""
    subject = _subject(arg_name, prim_name)
    if not isinstance(value, (np.ndarray, np.generic, cls)) or isinstance(value, bool):
        raise TypeError(f"{subject} must be '{cls.__name__}',  but got '{_named(value)}'.")
    holds, text = _RELATIONS[rel.value]
    if not holds(value, low, high):
        raise ValueError(
            f"{subject} must be in range of {text.format(low, high)}, but got {value} with type '{_named(value)}'."
        )
    return value


def _finite(value: Any, cls: type, arg_name: Any, prim_name: Any) -> Any:
    prefix = f"For '{prim_name}', the" if prim_name else "The"
    argument = f"'{arg_name}'" if arg_name else "input value"
    if not isinstance(value, cls) or isinstance(value, bool):
        raise TypeError(f"{prefix} type of {argument} must be '{cls.__name__}', but got '{_named(value)}'.")
    if math.isinf(value) or math.isnan(value):  # type: ignore[arg-type]
        raise ValueError(f"{prefix} {argument} must be a legal float, but got '{value}'.")
    return value


def _types(valid: Any) -> tuple[type, ...]:
    return tuple(valid) if isinstance(valid, Iterable) else (valid,)


class Validator:
    """Functions that give their argument, or raise TypeError or ValueError in MindSpore's words."""

    @staticmethod
    def check(
        arg_name: Any, arg_value: Any, value_name: Any, value: Any, rel: Rel = Rel.EQ, prim_name: Any = None,
        excp_cls: type[Exception] = ValueError,
    ) -> Any:  # fmt: skip
        """A value that stands to another one as `rel` says."""
        limits = tuple(value) if rel.value.startswith("INC") else (value,)
        holds, text = _RELATIONS[rel.value]
        if not holds(arg_value, *limits):
            shown = text.format(*limits) if len(limits) > 1 else text.format(f"{value_name}: {value}")
            raise excp_cls(f"{_subject(arg_name, prim_name)} should be {shown}, but got {arg_value}.")
        return arg_value

    @staticmethod
    def check_value_type(arg_name: Any, arg_value: Any, valid_types: Any, prim_name: Any = None) -> Any:
        """A value of one of some types."""
        types = _types(valid_types)
        if not isinstance(arg_value, types) or (isinstance(arg_value, bool) and bool not in types):
            names = [t.__name__ for t in types]
            shown = f"one of '{names}'" if len(names) > 1 else f"'{names[0]}'"
            prefix = f"For '{prim_name}', the" if prim_name else "The"
            raise TypeError(f"{prefix} type of '{arg_name}' should be {shown}, but got type '{_named(arg_value)}'.")
        return arg_value

    check_isinstance = check_value_type

    @staticmethod
    def check_int(arg_value: Any, value: int, rel: Rel, arg_name: Any = None, prim_name: Any = None) -> int:
        """An int that stands to another one as `rel` says."""
        return _number(arg_value, value, rel, int, arg_name, prim_name)

    @staticmethod
    def check_float(arg_value: Any, value: float, rel: Rel, arg_name: Any = None, prim_name: Any = None) -> float:
        """A float that stands to another number as `rel` says."""
        return _number(arg_value, value, rel, float, arg_name, prim_name)

    @staticmethod
    def check_is_int(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> int:
        """An int."""
        return _finite(arg_value, int, arg_name, prim_name)

    @staticmethod
    def check_is_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A float."""
        return _finite(arg_value, float, arg_name, prim_name)

    @staticmethod
    def check_bool(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> bool:
        """A bool."""
        if not isinstance(arg_value, bool):
            raise TypeError(f"{_subject(arg_name, prim_name)} must be a bool, but got {_named(arg_value)}.")
        return arg_value

    @staticmethod
    def check_string(arg_value: Any, valid_values: Any, arg_name: Any = None, prim_name: Any = None) -> str:
        """One of some strings."""
        if not (isinstance(arg_value, str) and arg_value in valid_values):
            subject = _subject(arg_name or "parameter", prim_name)
            raise ValueError(f"{subject} must be str and must be in '{valid_values}', but got '{arg_value}'.")
        return arg_value

    @staticmethod
    def check_str_by_regular(target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: Any = None) -> bool:
        """A string that fits a regular expression; without one, a name of letters, digits, `_` and `.` that starts with
        no dot."""
        if re.match(reg or r"^\w+[0-9a-zA-Z\_\.]*$", target, flag) is None:
            raise ValueError(f"{_subject('string', prim_name)} {target!r} is illegal: it must fit {reg or 'a name'}.")
        return True

    @staticmethod
    def check_positive_int(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> int:
        """A positive int."""
        return Validator.check_int(arg_value, 0, Rel.GT, arg_name, prim_name)

    @staticmethod
    def check_non_negative_int(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> int:
        """An int that is not negative."""
        return Validator.check_int(arg_value, 0, Rel.GE, arg_name, prim_name)

    @staticmethod
    def check_int_range(
        arg_value: Any, lower_limit: int, upper_limit: int, rel: Rel, arg_name: Any = None, prim_name: Any = None
    ) -> int:
        """An int between two others."""
        return _ranged(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)

    @staticmethod
    def check_positive_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A positive float."""
        return _number(arg_value, 0, Rel.GT, float, arg_name, prim_name)

    @staticmethod
    def check_non_negative_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A float that is not negative."""
        return _number(arg_value, 0, Rel.GE, float, arg_name, prim_name)

    @staticmethod
    def check_float_range(
        arg_value: Any, lower_limit: float, upper_limit: float, rel: Rel, arg_name: Any = None, prim_name: Any = None
    ) -> float:
        """A float between two others."""
        return _ranged(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)

    @staticmethod
    def check_number(
        arg_value: Any, value: float, rel: Rel, arg_type: type = int, arg_name: Any = None, prim_name: Any = None
    ) -> Any:
        """A number of a type that stands to another one as `rel` says."""
        return _number(arg_value, value, rel, arg_type, arg_name, prim_name)

    @staticmethod
    def check_is_number(arg_value: Any, arg_type: type, arg_name: Any = None, prim_name: Any = None) -> Any:
        """A number of a type, which is finite. Raises ValueError for infinities and NaN."""
        return _finite(arg_value, arg_type, arg_name, prim_name)

    @staticmethod
    def check_number_range(
        arg_value: Any, lower_limit: float, upper_limit: float, rel: Rel, value_type: type, arg_name: Any = None,
        prim_name: Any = None,
    ) -> Any:  # fmt: skip
        """A number of a type between two others."""
        return _ranged(arg_value, lower_limit, upper_limit, rel, value_type, arg_name, prim_name)

    @staticmethod
    def check_positive_int_sequence(sequence: Iterable[Any], arg_name: Any = None, prim_name: Any = None) -> Any:
        """A sequence of positive ints."""
        for k, item in enumerate(sequence):
            Validator.check_positive_int(item, f"{arg_name}[{k}]", prim_name)
        return sequence

    @staticmethod
    def check_non_negative_int_sequence(sequence: Iterable[Any], arg_name: Any = None, prim_name: Any = None) -> Any:
        """A sequence of ints that are not negative."""
        for k, item in enumerate(sequence):
            Validator.check_non_negative_int(item, f"{arg_name}[{k}]", prim_name)
        return sequence

    @staticmethod
    def check_type_name(arg_name: Any, arg_type: Any, valid_types: Any, prim_name: Any = None) -> Any:
        """A dtype (or type) that is one of some."""
        types = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
        if arg_type not in types:
            names = ", ".join(map(str, types))
            raise TypeError(f"{_subject(arg_name, prim_name)} must be one of {names}, but got {arg_type}.")
        return arg_type


EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = Rel
check = Validator.check
check_bool = Validator.check_bool
check_float = Validator.check_float
check_float_range = Validator.check_float_range
check_int = Validator.check_int
check_int_range = Validator.check_int_range
check_is_float = Validator.check_is_float
check_is_int = Validator.check_is_int
check_is_number = Validator.check_is_number
check_isinstance = Validator.check_isinstance
check_non_negative_float = Validator.check_non_negative_float
check_non_negative_int = Validator.check_non_negative_int
check_non_negative_int_sequence = Validator.check_non_negative_int_sequence
check_number = Validator.check_number
check_number_range = Validator.check_number_range
check_positive_float = Validator.check_positive_float
check_positive_int = Validator.check_positive_int
check_positive_int_sequence = Validator.check_positive_int_sequence
check_str_by_regular = Validator.check_str_by_regular
check_string = Validator.check_string
check_type_name = Validator.check_type_name
check_value_type = Validator.check_value_type
