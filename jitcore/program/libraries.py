"""What a library is that works without Python: one function of arrays and numbers, for several cases of extents."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from jitcore.program.nodes import Program
from jitcore.structs import dataclass
from jitcore.types import DTYPES, DType

BOOL: Final = 1
INT: Final = 2
FLOAT: Final = 3
ARRAY: Final = 4
"""The kinds of values, as C sees them."""
MOST_AXES: Final = 8
DTYPE_CODES: Final = {dtype: code for code, dtype in enumerate(DTYPES.values(), 1)}
"""What C calls a dtype."""
KIND: Final = 0
DTYPE: Final = 4
RANK: Final = 8
PAYLOAD: Final = 16
OWNER: Final = 24
SHAPE: Final = 32
STRIDES: Final = SHAPE + 8 * MOST_AXES
VALUE_BYTES: Final = STRIDES + 8 * MOST_AXES
"""Where the fields of a value are: see `jitcore.build.header`."""

OK: Final = 0
UNFIT: Final = 1
FAILED: Final = 2
OVERLAP: Final = 3
MACHINE: Final = 4
"""What a call gives."""

OWN_FUNCTIONS: Final = ("new", "delete", "error", "free", "seed", "set_threads")
"""What C calls besides the functions that programs compute."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a case: its kind, and of an array its dtype and extents (None: any but 1)."""

    kind: int
    dtype: DType | None = None
    shape: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class FromArgument:
    """A program's input that is an argument; `contiguous`: its elements lie in order; `written`: the program may write
    to it."""

    index: int
    contiguous: bool
    written: bool = False


@dataclass(frozen=True, slots=True)
class FromConstant:
    """A program's input that is one of the library's constants."""

    index: int


@dataclass(frozen=True, slots=True)
class FromNumber:
    """A program's input that is a number known now: its word."""

    word: int


@dataclass(frozen=True, slots=True)
class Output:
    """A result whose first word is the `word`-th that the program leaves."""

    word: int
    kind: int
    dtype: DType | None = None
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Same:
    """A result that is the very argument."""

    argument: int


@dataclass(frozen=True, slots=True)
class Known:
    """A result that is a number known now: its kind and its word."""

    kind: int
    word: int


Source: TypeAlias = "FromArgument | FromConstant | FromNumber"
Outcome: TypeAlias = "Output | Same | Known"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A program, the arguments it is for, where its inputs come from, and what it gives."""

    program: Program
    arguments: tuple[Argument, ...]
    inputs: tuple[Source, ...]
    outputs: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """What C calls as `<library>_<name>`. `wanted` says in words what the arguments are."""

    name: str
    cases: tuple[Case, ...]
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """`name` is the beginning of all its functions' names. Constants in `changing` are each handle's own."""

    name: str
    functions: tuple[Function, ...]
    constants: tuple[Any, ...]
    changing: frozenset[int]

    @property
    def cases(self) -> tuple[Case, ...]:
        """Those of all functions, in order."""
        return tuple(case for function in self.functions for case in function.cases)
