"""Dialects: what another framework's arrays mean. A dialect is a class of Tensors with methods, operators and texts of
its own, and a record of the rules that are no methods.

    @dialect("torch", promotion=result_dtype)             # jitcore.runtime.dialects
    class Tensor(jitcore.Tensor):
        __slots__ = ()

        def size(self, dim=None): ...

What is computed of Tensors is a Tensor of the class of the first of them, line by line and compiled. In compiled code
an array's category says which class that is: `tensor` jitcore's own, `tensor:torch` the dialect's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias

from jitcore.structs import dataclass
from jitcore.types import DType, i32

Promotion: TypeAlias = "Callable[[str, Sequence[tuple[DType, str, int]]], DType]"
"""Which dtype an elementwise operation (a primitive's name) computes in, of its operands' dtypes, categories and
ranks: see `promotion.result_dtype`."""

Refused: TypeAlias = "Callable[[BaseException], BaseException]"
"""What a framework raises where jitcore raises an exception."""

OWN: Final = "tensor"
"""The category of jitcore's own Tensors."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """What library functions mean of Tensors where frameworks differ; as it stands, what they mean of jitcore's own."""

    place_dtype: DType = i32
    """Of the places of extremes that are found along an axis."""
    least_place_dtype: DType | None = None
    """Of the places that `argmin` finds along an axis; None: NumPy's."""
    sum_of_ints: DType | None = None
    """What ints are added and multiplied in; None: their own dtype."""
    least_running_sum: DType | None = None
    """The narrowest dtype that ints are added up in, where the others keep their own; None: as sums."""
    means_of_ints_are_ints: bool = False
    """Rounded towards zero; else floats."""
    powers_of_ints_are_ints: bool = False
    """Of negative exponents too, rounded towards zero; else these raise."""
    squeezes_what_it_can: bool = False
    """Whether axes that `squeeze` is given and that have other extents than 1 stay; else they raise."""
    transposes_all_ranks: bool = False
    """Whether `t` gives what has more than two axes as it is; else that raises."""
    whole_has_no_axes: bool = False
    """Whether extremes of all of a Tensor have no axes, whatever `keepdims` says, and the place 0."""
    wraps_ints: bool = False
    """Whether a Tensor made of ints past its dtype's range has their low bits; else that raises."""
    converts_no_others: bool = False
    """Whether a Tensor is made in the framework's own dtypes alone, and of arrays of such; else in NumPy's too."""
    augments_in_place: bool = True
    """Whether `x += y` writes to x; else it is x = x + y, but for Parameters."""
    parameters_take_all_dtypes: bool = False
    """Whether data of any dtype is converted to a Parameter's; else only what fits."""
    gradients_see_writes: bool = True
    """Whether gradients know what is written to a Parameter; else what depends on it counts for it, whatever it
    holds."""


PLAIN: Final = Meanings()
"""What library functions mean of jitcore's own Tensors."""


@dataclass(frozen=True, slots=True)
class OperandRules:
    """What a framework says line by line to operators of its Tensors beside what is neither a Tensor nor a Python
    number. `operator(op, operands)` gives the result of an operator, or `OWN` of `runtime.operand_rules` for
    jitcore's own, or raises; `ufunc(function, inputs, keywords)` the same for a function of NumPy's."""

    operator: Callable[[str, Sequence[Any]], Any]
    ufunc: Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class CallRules:
    """What a framework says line by line to calls of what is its own.

    `watcher(cls, args, keywords)` raises what is wrong with the arguments of one of its classes, and gives those that
    need no check of jitcore's own; `wording(cls, arguments, error)` is what is raised of arguments that a class does
    not take, in place of `error`; `rewording(function, args, keywords)` what is raised of a call that raised (of a
    function, or the name of what Python does with a Tensor: `bool`, `len` …), if anything; `vetting(function, args,
    keywords)` raises what is wrong with a call; `adopting(tensor, data, dtype)` gives the array that a Tensor of data
    that is no array of numbers holds, as an object of another class, or None; `gradients(found, args)` is what is wrong
    with the gradients that a user's function gave for arguments, if anything."""

    watcher: Callable[[type, Sequence[Any], Mapping[str, Any]], frozenset[str]]
    wording: Callable[[type, Mapping[str, Any], BaseException], BaseException]
    rewording: Callable[[Callable[..., Any] | str, Sequence[Any], Mapping[str, Any]], BaseException | None]
    vetting: Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], None]
    adopting: Callable[[Any, Any, Any], Any]
    gradients: Callable[[Any, Sequence[Any]], BaseException | None]


@dataclass(frozen=True, slots=True)
class ProgramRules:
    """What a framework says to the programs that it compiles. `answer(operation)` is what it says to an operation of
    the program before it is inferred (`passes.infer.engine.dialect`); `words`: what messages of Python's, with `{0}`
    for a value, are in its words, or the exceptions that are raised there in their place; `reading`: what functions
    mean there, a `Reading` of `ir.python`."""

    answer: Callable[[Any], Any]
    words: Mapping[str, str | BaseException]
    reading: Any

    def in_words(self, message: str) -> str | None:
        """A message of Python's as the framework has it; None if it is the same."""
        found = self.words.get(message)
        return found if isinstance(found, str) else None

    def reclassed(self, message: str, values: Sequence[int | float]) -> BaseException | None:
        """The exception of the framework's, whose class is another, for what the run of a program raised with a message
        of Python's and these values in it."""
        found = self.words.get(message)
        return None if found is None or isinstance(found, str) else type(found)(str(found).format(*values))


@dataclass(slots=True, eq=False)
class Dialect:
    """A class of Tensors, by the name that its category has; `promotion` of operations with one of them among the
    operands (None: jitcore's); `classes`: those in which what its Tensors have is looked up before jitcore's own;
    `refused`: what is raised of a call with its Tensors in place of what jitcore raises (None: the same); `meanings` of
    library functions. What it says of calls, operators and programs besides is set once that is imported
    (`CallRules`, `OperandRules`, `ProgramRules`)."""

    name: str
    cls: type
    promotion: Promotion | None
    classes: tuple[type, ...]
    refused: Refused | None = None
    meanings: Meanings = PLAIN
    calls: CallRules | None = None
    operands: OperandRules | None = None
    programs: ProgramRules | None = None

    @property
    def category(self) -> str:
        """The category of its Tensors in compiled code."""
        return f"{OWN}:{self.name}"

    def attribute(self, name: str) -> Any:
        """What its classes have under a name, as it stands there; None if nothing."""
        return next((vars(cls)[name] for cls in self.classes if name in vars(cls)), None)


known: Final[dict[str, Dialect]] = {}
"""The dialects there are, by the category of their Tensors."""


def dialect_of(value: object) -> Dialect | None:
    """The dialect that a Tensor, layer or operator is of; None of anything else."""
    return getattr(type(value), "_dialect", None)


def dialect_of_class(cls: type) -> Dialect | None:
    """The dialect that a class of Tensors, layers or operators is of."""
    return getattr(cls, "_dialect", None)


def among(args: Sequence[object], keywords: Mapping[str, object] = {}) -> Dialect | None:
    """The dialect of the first Tensor of one among arguments, and in the tuples and lists among them."""
    for arg in (*args, *keywords.values()):
        for value in arg if isinstance(arg, tuple | list) else (arg,):  # pyright: ignore[reportUnknownVariableType]
            found = dialect_of(value)  # pyright: ignore[reportUnknownArgumentType]
            if found is not None:
                return found
    return None


def meant(function: object) -> Any:
    """The library's function or class that one of a framework's stands for; anything else is itself."""
    if isinstance(function, FunctionType | type):
        return vars(function).get("__jitcore_meant__", function)
    return function


def refused_by(category: str, error: BaseException) -> BaseException:
    """What the dialect of a category raises in place of an exception: the exception where there is none."""
    dialect = known.get(category)
    return error if dialect is None or dialect.refused is None else dialect.refused(error)


def meanings_of_tensor(tensor: object) -> Meanings:
    """What library functions mean of a Tensor."""
    dialect = dialect_of(tensor)
    return PLAIN if dialect is None else dialect.meanings


def meanings_of(category: str) -> Meanings:
    """What library functions mean of arrays of a category."""
    dialect = known.get(category)
    return PLAIN if dialect is None else dialect.meanings


def is_tensor(category: str) -> bool:
    """Whether arrays of a category are Tensors, of whatever class."""
    return category == OWN or category in known


def kind_of(category: str) -> str:
    """The category without the class: `tensor` of all Tensors."""
    return OWN if category in known else category


def first_of(categories: Sequence[str]) -> str | None:
    """The category of what is made of arrays of these: that of the first Tensor with another framework's rules, else
    the first Tensor's; None if none of them is a Tensor."""
    tensors = [c for c in categories if is_tensor(c)]
    return next((c for c in tensors if c != OWN), tensors[0] if tensors else None)


def register(dialect: Dialect) -> None:
    """Add a dialect. Raises ValueError if there is one of its name."""
    if dialect.category in known:
        raise ValueError(f"there is a dialect {dialect.name!r} already: {known[dialect.category].cls!r}")
    known[dialect.category] = dialect


def promotion_of(dialects: Sequence[Dialect | None]) -> Promotion | None:
    """The promotion of the first dialect among those of operands that has one."""
    return next((d.promotion for d in dialects if d is not None and d.promotion is not None), None)
