"""Abstract values: what inference knows of each Python value while the program is not running.

Containers are static in structure: a tuple's items are in the value, a list's, dict's or set's contents and a
cell's or attribute's value are in the heap (`infer.heap`), since they can change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from jitcore.ir.nodes import Atom, Var
from jitcore.ir.python import FunctionSource
from jitcore.library.core import values
from jitcore.primitives.core import dialects, evaluation
from jitcore.source import Span
from jitcore.structs import dataclass
from jitcore.types import Dim, RefType, ScalarType, TensorType, UnionType

Path: TypeAlias = "tuple[Any, ...]"
"""Where an input comes from: ('arg', i, key…), ('global', function, name), ('free', function, name), then ('attr',
name) and ('item', key) steps."""

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


def structure(container: Any) -> tuple[Any, ...]:
    """What is static of a container: its class, and its length, keys or (of a set) items. (A path's step ('structure',
    None) leads to it.)"""
    if isinstance(container, dict):
        return (type(container), *container)
    if isinstance(container, set):
        return (type(container), frozenset(container))
    return (type(container), len(container))


Origin: TypeAlias = "tuple[Any, ...]"
"""What identifies an array's memory across restarts of inference: an input's path or the place of the binding that made
it."""

NO_PATHS: frozenset[Path] = frozenset()
NO_ORIGINS: frozenset[Origin] = frozenset()


class Value:
    """Base of abstract values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Static(Value):
    """A Python object known now. `path` says how the program reached it, if it can be reached again."""

    value: Any
    path: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Number(Value):
    """A Python number at run time. `dim` is the dimension it is known to equal; `paths` the inputs that alone
    determine it (then inference can be restarted with them static), or None if there is more to it; `variable`: it is a
    constant that is marked as variable."""

    atom: Atom
    type: ScalarType
    dim: Dim | None = None
    paths: frozenset[Path] | None = None
    variable: bool = False

    def __bool__(self) -> bool:
        """A library function that asks goes one way or the other: the program is then made for this number."""
        return not evaluation.is_tracing() or bool(values.evaluator().static(self, "a truth value"))

    def __int__(self) -> int:
        """A library function that counts by it: the program is made for this number."""
        return int(values.evaluator().static(self, "a number"))

    def __add__(self, other: object) -> Any:
        return _calculated("+", self, other)

    def __radd__(self, other: object) -> Any:
        return _calculated("+", other, self)

    def __sub__(self, other: object) -> Any:
        return _calculated("-", self, other)

    def __rsub__(self, other: object) -> Any:
        return _calculated("-", other, self)

    def __mul__(self, other: object) -> Any:
        return _calculated("*", self, other)

    def __rmul__(self, other: object) -> Any:
        return _calculated("*", other, self)

    def __truediv__(self, other: object) -> Any:
        return _calculated("/", self, other)

    def __rtruediv__(self, other: object) -> Any:
        return _calculated("/", other, self)

    def __floordiv__(self, other: object) -> Any:
        return _calculated("//", self, other)

    def __rfloordiv__(self, other: object) -> Any:
        return _calculated("//", other, self)

    def __mod__(self, other: object) -> Any:
        return _calculated("%", self, other)

    def __rmod__(self, other: object) -> Any:
        return _calculated("%", other, self)

    def __lt__(self, other: object) -> Any:
        return _calculated("<", self, other)

    def __le__(self, other: object) -> Any:
        return _calculated("<=", self, other)

    def __gt__(self, other: object) -> Any:
        return _calculated(">", self, other)

    def __ge__(self, other: object) -> Any:
        return _calculated(">=", self, other)


class _Calculating(Protocol):
    """What evaluates library functions, of which some calculate with numbers of the program by Python's operators."""

    def calculate(self, op: str, x: object, y: object) -> Any: ...


def _calculated(op: str, x: object, y: object) -> Any:
    """`x op y` in the program, where a library function calculates it of numbers, one of them of the run."""
    if not evaluation.is_tracing() or not (values.is_number(x) and values.is_number(y)):
        return NotImplemented
    return cast(_Calculating, values.evaluator()).calculate(op, x, y)


@dataclass(frozen=True, slots=True, eq=False)
class Array(Value):
    """An array at run time: `category` tensor (or that of a dialect's), ndarray or npscalar; its atom is of TensorType
    or RefType.

    `origins`: whose memory it may share. `paths` as for Number (NumPy scalars made of numbers).
    `cls` is the Python class where a subclass matters (Parameter); `path` the input it is, untouched.
    """

    atom: Atom
    category: str
    origins: frozenset[Origin] = NO_ORIGINS
    path: Path | None = None
    source: Any = None
    viewed: bool = False
    """Whether it is another object than the one its atom stands for: a view of all of an input."""

    @property
    def type(self) -> TensorType:
        type_ = self.atom.type
        if isinstance(type_, RefType):
            return type_.target
        assert isinstance(type_, TensorType)
        return type_

    @property
    def is_ref(self) -> bool:
        return isinstance(self.atom.type, RefType)

    @property
    def is_tensor(self) -> bool:
        return dialects.is_tensor(self.category)

    @property
    def keeps_memory(self) -> bool:
        """Whether it is one object for good, a Parameter, to which `+=` writes in any case."""
        return getattr(type(self.source), "__jitcore_keeps_memory__", False) is True


@dataclass(frozen=True, slots=True, eq=False)
class Tuple(Value):
    """A tuple; `cls` is a namedtuple's class, or that of the view of a dict it is (as the dict is when it is asked
    for)."""

    items: tuple[Value, ...]
    cls: type = tuple
    lists: tuple[tuple[int, Any], ...] = ()
    """Of an iterator or view: the lists, dicts and sets it goes through, by their keys, and what they held when it was
    made (of dicts and sets: `Keys`)."""


class Keys(tuple[Any, ...]):
    """The keys of a dict, or items of a set, where something began to go through it."""

    __slots__ = ()


ITERATORS: dict[type, Any] = {
    zip: zip(),
    map: map(int, ()),
    filter: filter(None, ()),
    enumerate: enumerate(()),
    reversed: reversed(()),
}
"""The classes of iterators that stand for the items they give, with a sample of each."""
DICT_VIEWS: tuple[type, type, type] = (type({}.keys()), type({}.values()), type({}.items()))


@dataclass(frozen=True, slots=True, eq=False)
class Reference(Value):
    """A list, dict or set: `key` finds its contents in the heap. `kind` is the Python class."""

    key: int
    kind: type
    path: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Instance(Value):
    """An object of a user's class, made in compiled code: `key` finds its attributes (`Fields`) in the heap."""

    key: int
    cls: type


class Fields(dict[str, Value]):
    """The attributes of an `Instance`, in the order in which they came to be; one that it may lack has a `Maybe` or
    `Undefined`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Moved(Value):
    """Stands in the heap for the attributes of an `Instance` that goes on as another one, after the join of control
    flow at `place`: nothing is left that refers to it, or inference starts anew and keeps it."""

    place: Any


@dataclass(frozen=True, slots=True, eq=False)
class Row(Value):
    """Stands in the heap for the attributes of an `Instance` that is the item at `position` of the list with the key
    `list`, whose length is known only at run time (`engine.rows`)."""

    list: int
    position: Value
    cls: type


@dataclass(frozen=True, slots=True, eq=False)
class Super(Value):
    """`super(cls, obj)` of an `Instance`."""

    cls: type
    obj: Instance


class ListItems:
    """Stands as the class of a Tuple that holds a list's items."""


class SetItems(tuple[Value, ...]):
    """What a set holds."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Buffer(Value):
    """What a list holds whose length is known only at run time: a column (`primitives.ops.growing`) for every atom of
    its items' form `element`, which is None while it has never had an item."""

    length: Value
    element: Any
    columns: tuple[Atom, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PoolRow(Value):
    """Stands in the heap for what a list holds that is in a pool (`python.pools`): its number there. `form`: which pool
    that is."""

    form: Any
    number: Value


class PooledItems(Buffer):
    """What a list in a pool holds: what the pool held when it was asked for. Where the items begin, how many there are,
    and columns of their own, to which they are copied, are computed when that is asked for: each time anew, since it
    may be in another graph."""

    __slots__ = ("_columns", "_length", "_start", "pool")

    def __init__(
        self,
        pool: Buffer,
        start: Callable[[], Value],
        length: Callable[[], Value],
        columns: Callable[[], tuple[Atom, ...]],
    ) -> None:
        self._start: Callable[[], Value]
        self._length: Callable[[], Value]
        self._columns: Callable[[], tuple[Atom, ...]]
        self.pool: Buffer
        held = {"_start": start, "_length": length, "_columns": columns, "pool": pool, "element": pool.element}
        for name, value in held.items():
            object.__setattr__(self, name, value)

    @property
    def start(self) -> Value:
        """Where its items begin."""
        return self._start()

    @property
    def length(self) -> Value:  # type: ignore[override]
        return self._length()

    @property
    def columns(self) -> tuple[Atom, ...]:  # type: ignore[override]
        return self._columns()


@dataclass(frozen=True, slots=True, eq=False)
class Cell(Value):
    """A variable shared between functions: its value is in the heap."""

    key: int


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Value):
    """`slice(start, stop, step)`."""

    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, slots=True, eq=False)
class Range(Value):
    """`range(start, stop, step)`, with numbers or static ints."""

    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, slots=True, eq=False)
class ParallelRange(Range):
    """What `prange` gives where a loop over it is to run in parallel."""


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Value):
    """An iterable with a length known at run time and items computed by position: what `for`, `zip`, `enumerate`,
    `map` and comprehension loops go over. `item(i)` emits the i-th item. `reaches(i)`, for what can become longer or
    shorter while it is gone through: whether there is an i-th item now."""

    length: Value
    item: Callable[[Value], Value]
    reaches: Callable[[Value], Value] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Iterator(Value):
    """An iterator of class `cls` over the items of a Tuple or Sequence; how many were taken is in the heap."""

    key: int
    source: Value
    cls: type


@dataclass(frozen=True, slots=True, eq=False)
class Deferred(Value):
    """An item of an iterator's source that is computed when it is taken: what `function` makes of `arguments`, which
    may be such items themselves."""

    function: Value
    arguments: tuple[Value, ...]


class StreamSource:
    """Where a stream's items come from (`python.streams`)."""

    __slots__ = ()

    @property
    def state_key(self) -> int:
        """What finds how far it is in the heap; 0 for what cannot leave the branch or loop it was made in."""
        return 0

    def taken_apart(self, infer: State) -> tuple[Any, tuple[Value, ...]] | None:
        """What tells it apart, and the values it is made of; None if it cannot leave the branch or loop it was made
        in."""
        return None

    @classmethod
    def rebuilt(cls, infer: State, extra: Any, values: tuple[Value, ...]) -> StreamSource:
        """The inverse of `taken_apart` for those that can be: another source that goes on where that was."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Stream(Value):
    """An iterator of class `cls` whose items come with what is done in between: a generator, or what is made of one."""

    key: int
    source: StreamSource
    cls: type


FUNCTION_KEY = Var("function", None, None)  # type: ignore[arg-type]
"""Under this key an environment holds the Python function whose globals and closure it uses."""


@dataclass(frozen=True, slots=True, eq=False)
class Function(Value):
    """A function defined inside the compiled code: its graph uses the environment it was made in. `key`: as references
    have, of when it was made."""

    source: FunctionSource
    environment: dict[Var, Value]
    defaults: tuple[Value, ...]
    keyword_defaults: dict[str, Value]
    owner: Any = None
    key: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Bound(Value):
    """A method bound to a value, or a function with leading arguments. `name`: what a method of an array was asked for
    as."""

    function: Value
    arguments: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Builtin(Value):
    """An operation of inference itself: `call(infer, args, keywords) -> Value` (a container's or array's method, of
    `receiver`, of which the arguments `stored` become items)."""

    name: str
    call: Callable[..., Value]
    receiver: Value | None = None
    stored: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Raised(Value):
    """An exception object made but perhaps not raised; `cause` is what it was raised from (a Static None: from
    None)."""

    cls: type[BaseException]
    args: tuple[Value, ...]
    cause: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Caught(Value):
    """An exception that a handler caught (or its traceback), of which no more is known than its class, or not even
    that."""

    cls: type[BaseException] | None = None
    sources: tuple[Any, ...] = ()
    """What may have raised it (see `engine.trying`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Manager(Value):
    """A context manager of Python's or NumPy's: what entering it gives, and the exceptions that it suppresses."""

    cls: type
    entered: Value
    suppressed: tuple[type[BaseException], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Text(Value):
    """A string with runtime values in it; `{k}` in the template stands for the k-th."""

    template: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class String(Value):
    """A str or bytes (`cls`) at run time: a column of its code points (u32), or of its bytes (u8).

    `roots`: the inputs that it is, or is a part of, and the loops whose indices say which part: inference can be
    restarted with them static.
    """

    atom: Atom
    cls: type
    roots: frozenset[Path] = NO_PATHS


class Part(String):
    """A part of an input, an array of its own (what `array` computes) only where that is asked for: each time anew,
    since it may be in another graph. `span`: the input as an array, where the part begins in it, and how long it
    is."""

    __slots__ = ("_array", "span")

    def __init__(
        self, cls: type, roots: frozenset[Path], span: tuple[Atom, Value, Value], array: Callable[[], Atom]
    ) -> None:
        self._array: Callable[[], Atom]
        self.span: tuple[Atom, Value, Value]
        for name, value in (("_array", array), ("cls", cls), ("roots", roots), ("span", span)):
            object.__setattr__(self, name, value)

    @property
    def atom(self) -> Atom:  # type: ignore[override]
        return self._array()


class PartOf:
    """Stands as the kind of a form of strings that are parts of one array."""


@dataclass(frozen=True, slots=True, eq=False)
class Char(Value):
    """A str of one character at run time: its code point, an int. `roots` as of `String`."""

    atom: Atom
    roots: frozenset[Path] = NO_PATHS


@dataclass(frozen=True, slots=True, eq=False)
class Handle(Value):
    """An object from outside of which the class alone is known (`python.handles`): its address, an int."""

    atom: Atom
    cls: type


@dataclass(frozen=True, slots=True, eq=False)
class Boxed(Value):
    """A str, list, dict, set, frozenset or deque of the run that lives in a box (`primitives.ops.boxes`): its address,
    an int. `kind`: what it is and may hold (`domain.boxes`)."""

    atom: Atom
    kind: Any


@dataclass(frozen=True, slots=True, eq=False)
class Union(Value):
    """One of several values, told apart at run time; `members` are the forms (`infer.forms`) in the tag's order."""

    atom: Atom
    type: UnionType
    members: tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Maybe(Value):
    """`value` if `defined` (a bool atom), else a variable without a value."""

    defined: Atom
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Undefined(Value):
    """A variable without a value."""


UNDEFINED = Undefined()


class Unreachable(Exception):
    """Control never gets past this point: an exception was raised for certain."""


class PythonError(Exception):
    """The program raises `error` here when it gets here."""

    def __init__(self, error: BaseException, span: Span | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.span = span


class Restart(Exception):
    """Inference must start anew, with what it has learned (`infer.assumptions`)."""
