"""How lists of run-time length, mixed items and strings of the run are represented by atoms: declared for `forms` and
`joiner`, modelled in `buffers`, `pools`, `mixed`, `string_forms` and `elements`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Var
from jitcore.modelled import dispatched, modelled
from jitcore.passes.infer.domain.signature import Result
from jitcore.passes.infer.domain.values import Array, Buffer, Path, PoolRow, Reference, Union, Value
from jitcore.types import RefType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.forms import CompositeForm, Form, ListForm, MixedForm, PooledForm
    from jitcore.passes.infer.domain.list_forms import Pool
    from jitcore.passes.infer.domain.state import State

# --- lists of run-time length -------------------------------------------------------------------------


@modelled
def buffer_of(infer: State, value: Value, element: Form | None) -> Buffer:
    """What a list (or what one holds) has as a buffer of items of a form, which they fit."""
    raise NotImplementedError


@modelled
def fits_list(infer: State, form: ListForm, value: Value) -> bool:
    """Whether a value is a list (or what one holds) whose items have the form's."""
    raise NotImplementedError


@modelled
def list_of_argument(infer: State, parts: Sequence[Buffer], path: Path) -> Reference:
    """An argument that is a list of lists, or of tuples, from the columns that it is passed as."""
    raise NotImplementedError


@dispatched
def item_of_list(infer: State, buffer: Buffer, index: Value) -> Value:
    """The item at a position that there is."""
    raise NotImplementedError


@modelled
def with_part_of_item(infer: State, buffer: Buffer, index: Value, form: Form, first: int, value: Value) -> Buffer:
    """The buffer with another part, from its column `first` on, of the item at a position that there is."""
    raise NotImplementedError


@dispatched
def items_of_list(infer: State, buffer: Buffer) -> tuple[Array, ...]:
    """The columns without the rows that hold no items, as arrays."""
    raise NotImplementedError


@modelled
def column_of_list(infer: State, buffer: Buffer) -> Atom:
    """The items of a list of numbers or of NumPy's scalars, for host code that shows them."""
    raise NotImplementedError


@modelled
def array_of_list(infer: State, buffer: Buffer) -> Value:
    """The array NumPy makes of a list of numbers or of arrays of one shape."""
    raise NotImplementedError


@modelled
def operand_of_list(infer: State, buffer: Buffer) -> Value:
    """A list of arrays as a library function gets it: an array of which they are the rows."""
    raise NotImplementedError


@modelled
def for_numpy(infer: State, value: Value) -> Value:
    """A list as the array NumPy makes of it: without items, that is one of floats whatever its items would be."""
    raise NotImplementedError


@modelled
def for_tensor(infer: State, value: Value) -> Value:
    """A list of numbers as the array that a Tensor of it is made of: floats, and no items at all, become float32."""
    raise NotImplementedError


# --- lists in pools -----------------------------------------------------------------------------------


@modelled
def pools_of_program(infer: State) -> list[Pool]:
    """The pools of a program that is inferred with pools."""
    raise NotImplementedError


@modelled
def element_of_pool(infer: State, form: PooledForm) -> Form:
    """The form of the items of lists in a pool."""
    raise NotImplementedError


@modelled
def contents_of_pooled(infer: State, row: PoolRow) -> Buffer:
    """What a list in a pool holds now, to be read."""
    raise NotImplementedError


@modelled
def replace_pooled(infer: State, row: PoolRow, contents: Any) -> None:
    """Give a list in a pool other contents."""
    raise NotImplementedError


@modelled
def join_pooled(infer: State, a: PooledForm, b: PooledForm) -> PooledForm | None:
    """The form of lists of two pools: one of which nothing is known is of the other's."""
    raise NotImplementedError


@modelled
def settle_pooled(infer: State, values: Sequence[Value], place: object = None) -> None:
    """What an operation at a place has made: lists of lists are lists of run-time length, and lists known to need it
    are in a pool."""
    raise NotImplementedError


@modelled
def adopt_list(infer: State, value: Reference) -> None:
    """Move a list to a pool, if its items have a form in common."""
    raise NotImplementedError


@modelled
def adopt_all(infer: State, values: Sequence[Value]) -> None:
    """Move lists into pools, as items of another list."""
    raise NotImplementedError


@modelled
def set_pooled_item(infer: State, row: PoolRow, key: Value, value: Value) -> None:
    """`list[key] = value` of a list in a pool."""
    raise NotImplementedError


# --- items of several types ---------------------------------------------------------------------------


@modelled
def types_of_mixed(form: MixedForm) -> tuple[Type, ...]:
    """The types of the parts of an item: its kind, and a value of each dtype."""
    raise NotImplementedError


@modelled
def flatten_mixed(infer: State, form: MixedForm, value: Value) -> list[Atom]:
    """The parts of an item."""
    raise NotImplementedError


@modelled
def unflatten_mixed(infer: State, form: MixedForm, atoms: Iterator[Var]) -> Union:
    """The item that has these parts."""
    raise NotImplementedError


@modelled
def admits(new: Form, old: Form) -> bool:
    """Whether items of one form can be items of another, their columns being converted if need be."""
    raise NotImplementedError


# --- strings of the run -------------------------------------------------------------------------------


@modelled
def parts_of_string(infer: State, form: CompositeForm, value: Value) -> tuple[Value, ...]:
    """What a string is made of as one of the form."""
    raise NotImplementedError


@modelled
def fits_string(infer: State, form: CompositeForm, value: Value) -> bool:
    """Whether a value can be a string of the form."""
    raise NotImplementedError


# --- results ------------------------------------------------------------------------------------------


@modelled
def described_result(infer: State, value: Value, atoms: list[Atom]) -> Result:
    """The description of a value as a result of the program; the atoms that it is made of are added to `atoms`."""
    raise NotImplementedError


# --- numbers of several types -------------------------------------------------------------------------


@modelled
def as_element(infer: State, type_: TensorType | RefType, value: Value) -> Atom | None:
    """A number as a NumPy scalar of a type, in functions of elements; None if it is one, or none can be."""
    raise NotImplementedError
