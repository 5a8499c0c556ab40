"""MindSpore's checks of arguments (`Validator`, `Rel`), which networks' own layers and optimisers call."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Final

_RELATIONS: Final[dict[str, tuple[Callable[..., bool], str]]] = {
    "EQ": (lambda a, b: a == b, "equal to {}"),
    "NE": (lambda a, b: a != b, "not equal to {}"),
    "LT": (lambda a, b: a < b, "less than {}"),
    "LE": (lambda a, b: a <= b, "less than or equal to {}"),
    "GT": (lambda a, b: a > b, "greater than {}"),
    "GE": (lambda a, b: a >= b, "greater than or equal to {}"),
    "INC_NEITHER": (lambda a, low, high: low < a < high, "in ({}, {})"),
    "INC_LEFT": (lambda a, low, high: low <= a < high, "in [{}, {})"),
    "INC_RIGHT": (lambda a, low, high: low < a <= high, "in ({}, {}]"),
    "INC_BOTH": (lambda a, low, high: low <= a <= high, "in [{}, {}]"),
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


def _require(value: Any, limits: tuple[Any, ...], rel: Rel, arg_name: Any, prim_name: Any) -> None:
    holds, text = _RELATIONS[rel.value]
    if not holds(value, *limits):
        raise ValueError(f"{_subject(arg_name, prim_name)} must be {text.format(*limits)}, but got {value!r}.")


def _subject(arg_name: Any, prim_name: Any) -> str:
    argument = f"the '{arg_name}'" if arg_name else "the argument"
    return f"For '{prim_name}', {argument}" if prim_name else argument.capitalize()


def _of_type(value: Any, types: tuple[type, ...], arg_name: Any, prim_name: Any) -> Any:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        names = ", ".join(t.__name__ for t in types)
        raise TypeError(f"{_subject(arg_name, prim_name)} must be {names}, but got {type(value).__name__}.")
    return value


class Validator:
    """Functions that give their argument, or raise TypeError or ValueError."""

    @staticmethod
    def check(
        arg_name: Any, arg_value: Any, value_name: Any, value: Any, rel: Rel = Rel.EQ, prim_name: Any = None
    ) -> Any:
        """A value that stands to another one as `rel` says."""
        del value_name
        limits = tuple(value) if rel.value.startswith("INC") else (value,)
        _require(arg_value, limits, rel, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_value_type(arg_name: Any, arg_value: Any, valid_types: Any, prim_name: Any = None) -> Any:
        """A value of one of some types."""
        types = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
        return _of_type(arg_value, types, arg_name, prim_name)

    check_isinstance = check_value_type

    @staticmethod
    def check_int(arg_value: Any, value: int, rel: Rel, arg_name: Any = None, prim_name: Any = None) -> int:
        """An int that stands to another one as `rel` says."""
        _require(_of_type(arg_value, (int,), arg_name, prim_name), (value,), rel, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_is_int(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> int:
        """An int."""
        return _of_type(arg_value, (int,), arg_name, prim_name)

    @staticmethod
    def check_is_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A float."""
        return _of_type(arg_value, (float,), arg_name, prim_name)

    @staticmethod
    def check_bool(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> bool:
        """A bool."""
        return _of_type(arg_value, (bool,), arg_name, prim_name)

    @staticmethod
    def check_string(arg_value: Any, valid_values: Any, arg_name: Any = None, prim_name: Any = None) -> str:
        """One of some strings."""
        _require(_of_type(arg_value, (str,), arg_name, prim_name), (valid_values,), Rel.IN, arg_name, prim_name)
        return arg_value

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
        _of_type(arg_value, (int,), arg_name, prim_name)
        _require(arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_positive_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A positive float."""
        _require(_of_type(arg_value, (float,), arg_name, prim_name), (0,), Rel.GT, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_non_negative_float(arg_value: Any, arg_name: Any = None, prim_name: Any = None) -> float:
        """A float that is not negative."""
        _require(_of_type(arg_value, (float,), arg_name, prim_name), (0,), Rel.GE, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_float_range(
        arg_value: Any, lower_limit: float, upper_limit: float, rel: Rel, arg_name: Any = None, prim_name: Any = None
    ) -> float:
        """A number between two others."""
        _of_type(arg_value, (int, float), arg_name, prim_name)
        _require(arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)
        return arg_value
