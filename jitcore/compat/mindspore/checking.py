"""MindSpore's checks of arguments, which networks' own layers and optimisers call: before MindSpore 2.0 the functions of a class
`Validator` and members of `Rel`, since then names of the module.
"""

from __future__ import annotations

import enum
import math
import re
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
    def check_str_by_regular(target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: Any = None) -> bool:
        """A string that fits a regular expression; without one, a name of letters, digits, `_` and `.` that starts with no dot."""
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

    @staticmethod
    def check_number(
        arg_value: Any, value: float, rel: Rel, arg_type: type = int, arg_name: Any = None, prim_name: Any = None
    ) -> Any:
        """A number of a type that stands to another one as `rel` says."""
        _require(_of_type(arg_value, (arg_type,), arg_name, prim_name), (value,), rel, arg_name, prim_name)
        return arg_value

    @staticmethod
    def check_is_number(arg_value: Any, arg_type: type, arg_name: Any = None, prim_name: Any = None) -> Any:
        """A number of a type, which is finite. Raises ValueError for infinities and NaN."""
        if not math.isfinite(_of_type(arg_value, (arg_type,), arg_name, prim_name)):
            raise ValueError(f"{_subject(arg_name, prim_name)} must be a legal float, but got {arg_value!r}.")
        return arg_value

    @staticmethod
    def check_number_range(
        arg_value: Any, lower_limit: float, upper_limit: float, rel: Rel, value_type: type, arg_name: Any = None,
        prim_name: Any = None,
    ) -> Any:  # fmt: skip
        """A number of a type between two others."""
        _of_type(arg_value, (value_type,), arg_name, prim_name)
        _require(arg_value, (lower_limit, upper_limit), rel, arg_name, prim_name)
        return arg_value

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
