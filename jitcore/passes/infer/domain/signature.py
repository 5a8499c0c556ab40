"""What inference is given and what it gives back: descriptions of a call's arguments, inputs and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from jitcore.ir.nodes import Module, Var
from jitcore.ir.python import FunctionSource
from jitcore.passes.infer.domain.values import Path
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.structs import dataclass, field
from jitcore.types import Dim, DType, Shape, Type

# --- arguments --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayArg:
    """An array: `category` tensor, ndarray or npscalar; `contiguous`: known C-contiguous (part of the signature)."""

    dtype: DType
    shape: Shape
    category: str
    contiguous: bool = True


@dataclass(frozen=True, slots=True)
class NumberArg:
    """A Python number, not part of the signature: bool_, i64, f64 or c128. `value` is the one of the call at hand, for
    the case that the program needs it at compile time."""

    dtype: DType
    value: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class StaticArg:
    """A Python object that the specialisation is for."""

    value: Any


@dataclass(frozen=True, slots=True)
class StringArg:
    """A str or bytes (`cls`), not part of the signature. `value` is the one of the call at hand, for the case that the
    program needs it at compile time."""

    cls: type
    value: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class HandleArg:
    """An object of which the signature has the class alone: a random generator. With a `method`, of the class `bound`,
    it is that of one."""

    cls: type
    method: str | None = None
    bound: type | None = None


@dataclass(frozen=True, slots=True)
class TupleArg:
    """A tuple (or a namedtuple of class `cls`)."""

    items: tuple[Arg, ...]
    cls: type = tuple


@dataclass(frozen=True, slots=True)
class ListArg:
    items: tuple[Arg, ...]
    cls: type = list


@dataclass(frozen=True, slots=True)
class ColumnArg:
    """A long list of numbers of one type, passed as an array."""

    dtype: DType
    extent: Dim


@dataclass(frozen=True, slots=True)
class NestedArg:
    """A list of lists of numbers of one type, or of tuples of numbers, passed as arrays
    (`jitcore.runtime.list_arguments`) with these extents."""

    nesting: Any
    extents: tuple[Dim, ...]


@dataclass(frozen=True, slots=True)
class StringsArg:
    """A list of so many strings, passed as arrays; `kind` is that of `jitcore.runtime.list_arguments`."""

    kind: Any
    extent: Dim


@dataclass(frozen=True, slots=True)
class DictArg:
    """`keys` are plain constants."""

    keys: tuple[Any, ...]
    items: tuple[Arg, ...]
    cls: type = dict


@dataclass(frozen=True, slots=True)
class ObjectArg:
    """An object of a user's class: its attributes, in order. Its identity is not part of the signature."""

    cls: type
    names: tuple[str, ...]
    items: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class FunctionArg:
    """A function: its source, whose free variables are `variables`, what they are, and the defaults of its last
    parameters and of those that are given by name. Its identity is not part of the signature."""

    source: FunctionSource
    variables: tuple[Var, ...]
    items: tuple[Arg, ...]
    steps: tuple[Path, ...]
    """Where each of `items` is found in the function."""
    defaults: int
    keyword_defaults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RangeArg:
    """A range or slice: its start, stop and step."""

    cls: type
    items: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class BoundArg:
    """A method, or a function with arguments given: of `items`, the first is the function, the last have these
    names."""

    items: tuple[Arg, ...]
    steps: tuple[Path, ...]
    names: tuple[str, ...] = ()


Arg: TypeAlias = (
    FunctionArg | BoundArg | RangeArg | ArrayArg | NumberArg | StaticArg | StringArg | HandleArg | TupleArg | ListArg
    | ColumnArg | NestedArg | StringsArg | DictArg | ObjectArg
)  # fmt: skip


# --- inputs -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """One parameter of the entry graph: where its value comes from at each call.

    `path` begins with ('arg', k) for the k-th argument (or by name), ('global'|'free', function, name), ('module',
    name) or ('object', Identity(obj)) for what the program reads besides; steps ('attr', name) and ('item', key)
    follow. `source` is the object itself where it is held by identity (a Tensor or Parameter found through static
    objects), else None. `written`: the program may write to it. `category`: of an array, as of `ArrayArg`; `number`;
    `list`: a list of numbers, passed as an array; `str` or `bytes`, passed as an array of code points or bytes;
    `handle`: an object, passed as its address; `box`: the same of a list, dict or set whose `contents` are of known
    kinds (`program.boxes.Contents`).
    """

    path: Path
    type: Type
    category: str
    contiguous: bool
    written: bool
    source: Any = None
    contents: tuple[int, ...] = ()


# --- results ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResultNumber:
    """A Python number: the index-th result of the entry graph."""

    index: int


@dataclass(frozen=True, slots=True)
class ResultArray:
    """An array: the index-th result, as a `category`."""

    index: int
    category: str


@dataclass(frozen=True, slots=True, eq=False)
class ResultConstant:
    """A Python object known at compile time."""

    value: Any


@dataclass(frozen=True, slots=True)
class ResultInput:
    """The very object that came in as the index-th input, or, counted on from those, that is at one of
    `Inferred.returned`."""

    index: int


@dataclass(frozen=True, slots=True)
class ResultAgain:
    """The very list, dict, set or object that the description with this `key` made earlier in the same call."""

    key: int


@dataclass(frozen=True, slots=True)
class ResultContainer:
    """A new tuple, list, set (`items`) or dict (`keys` too) or namedtuple of class `cls`; also slice and range. `key`:
    see `ResultAgain`."""

    cls: type
    items: tuple[Result, ...]
    keys: tuple[Any, ...] = ()
    key: int = -1


@dataclass(frozen=True, slots=True)
class ResultObject:
    """A new object of a user's class, with the attributes `names`, made without calling anything of the class's. `key`:
    see `ResultAgain`; the object may hold itself."""

    cls: type
    names: tuple[str, ...]
    items: tuple[Result, ...]
    key: int = -1


@dataclass(frozen=True, slots=True)
class ResultItem:
    """The item, at the position that is the index-th result, of the list that `list` describes."""

    list: Result
    index: int


@dataclass(frozen=True, slots=True)
class ResultAfter:
    """`result`, in which there is more than one place for the objects `first`, which are made before."""

    first: tuple[Result, ...]
    result: Result


@dataclass(frozen=True, slots=True)
class ResultList:
    """A new list. The numbers at `length` and the arrays at `columns` are results of the entry graph: how many items
    there are, and their parts, a row an item (there may be more rows). `element` makes an item of its parts, numbered
    from 0; arrays that are `numbers` hold Python numbers."""

    length: int
    columns: tuple[int, ...]
    numbers: tuple[bool, ...]
    element: Result
    key: int = -1


@dataclass(frozen=True, slots=True)
class ResultMixed:
    """An item that is a number of one of several types, or None, with its kind at `first` and its values from there on:
    by kind, which of them is it (0: none), and the dtype (None: it is a number of Python's) and category of an array
    without axes."""

    first: int
    kinds: Mapping[int, tuple[int, DType | None, str]]


@dataclass(frozen=True, slots=True)
class ResultPool:
    """The lists of a pool, by number: where each begins and how many items it has, and the parts of all items, as of
    `ResultList`."""

    pool: int
    starts: int
    lengths: int
    columns: tuple[int, ...]
    numbers: tuple[bool, ...]
    element: Result
    given: tuple[tuple[int, int], ...]
    """The lists of the call's that are in it: which of what is looked up before has them, and the result that is the
    number of the first."""


@dataclass(frozen=True, slots=True)
class ResultRows:
    """What lists of a pool hold that are the call's: a list of lists, new ones. `given`: as of `ResultPool`."""

    pool: int
    given: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ResultPools:
    """`result`, in which there are lists of these pools."""

    pools: tuple[ResultPool, ...]
    result: Result


@dataclass(frozen=True, slots=True)
class ResultPooled:
    """The list of a pool whose number is the index-th result."""

    pool: int
    index: int


@dataclass(frozen=True, slots=True)
class ResultText:
    """A string: `template.format(*items)`."""

    template: str
    items: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class ResultString:
    """A str or bytes (`cls`): the index-th result is the array of its code points or bytes."""

    index: int
    cls: type


@dataclass(frozen=True, slots=True)
class ResultChar:
    """A str of one character, whose code point is the index-th result."""

    index: int


@dataclass(frozen=True, slots=True)
class ResultHandle:
    """An object from outside, whose address is the index-th result."""

    index: int


@dataclass(frozen=True, slots=True)
class ResultBoxed:
    """An object that the program made of a box, whose address is the index-th result."""

    index: int


@dataclass(frozen=True, slots=True)
class ResultParts:
    """`result`, in which there are parts of strings: `wholes` are their classes and the results that are the arrays
    they are."""

    wholes: tuple[tuple[type, int], ...]
    result: Result


@dataclass(frozen=True, slots=True)
class ResultPart:
    """A part of the `whole`-th string of `ResultParts`: where it begins, and how long it is."""

    whole: int
    start: Result
    length: Result


@dataclass(frozen=True, slots=True)
class ResultUnion:
    """The index-th result is a union; its member's parts, numbered from 0 within the member, make `members[tag]`."""

    index: int
    members: tuple[Result, ...]
    key: int = -1


Result: TypeAlias = (
    ResultNumber | ResultArray | ResultConstant | ResultInput | ResultAgain | ResultContainer | ResultObject
    | ResultItem | ResultAfter | ResultList | ResultMixed | ResultPools | ResultPooled | ResultRows | ResultText
    | ResultString | ResultChar | ResultHandle | ResultBoxed | ResultParts | ResultPart | ResultUnion
)  # fmt: skip


class _Absent:
    """The class of `ABSENT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "not defined"


ABSENT: Final = _Absent()
"""What a guard expects of a variable that has no value."""


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """The specialisation holds only while the object at `path` is `expected` (identical; equal for plain constants).
    The last step of the path may be ('type', None), the object's class; ('definition', None), what a class defines;
    ('own', name), whether it is among an object's own attributes; ('has', name), whether it is an attribute; ('entry',
    key), a value of a dict."""

    path: Path
    expected: Any


@dataclass(frozen=True, slots=True, eq=False)
class ContainerWrite:
    """The list or dict at `path` gets the contents of `result`, or (`adds`) they are appended to it. An object gets the
    attributes that are the entries of the dict."""

    path: Path
    result: Result
    adds: bool


@dataclass(frozen=True, slots=True, eq=False)
class Inferred:
    """A typed module and how to call it."""

    module: Module
    inputs: tuple[Input, ...]
    result: Result
    guards: tuple[Guard, ...]
    static_paths: frozenset[Path]
    """Inputs whose value the program needs at compile time: the caller must make them StaticArg next time, and the
    specialisation's key must have their value."""
    attribute_writes: tuple[tuple[Any, str, Result], ...] = ()
    """(object, attribute, new value), to be done in order after the call."""
    notes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    equal_extents: tuple[tuple[Dim, Dim], ...] = ()
    """Pairs of extents of which not one may be 1 and the other not, for this to hold: NumPy would broadcast."""
    returned: tuple[Path, ...] = ()
    """Where the lists, dicts and sets of the code outside are that the call returns: looked up before it runs."""
    container_writes: tuple[ContainerWrite, ...] = ()
    """The lists and dicts of the code outside that it changes."""
    containers: tuple[Path, ...] = ()
    """Where the lists and dicts of the code outside are that it knows, if it changes some: they must not be the
    same."""
    rules: ProgramRules | None = None
    """Of the framework that the program is of, which has words of its own for what the run raises."""
