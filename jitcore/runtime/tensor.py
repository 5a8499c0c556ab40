"""Tensor: an array with MindSpore's interface and NumPy's rules for memory (basic indexing shares it, `+=` writes to
it)."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, cast

import numpy as np

from jitcore.library import tables
from jitcore.library.core import values
from jitcore.primitives.core import constructing, evaluation
from jitcore.primitives.core.dialects import OWN, PLAIN
from jitcore.runtime import operand_rules, tensor_html, tensor_models
from jitcore.runtime.initial import as_numpy_dtype, initial_array
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.keys import PLACES, is_basic
from jitcore.runtime.storage import Storage
from jitcore.runtime.trees import distinct_leaves, require_array_like
from jitcore.types import DType, bool_, dtype_of, f32

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jitcore.primitives.core.dialects import Dialect
    from jitcore.primitives.core.registry import Primitive
    from jitcore.runtime.autograd import History

Array: TypeAlias = "NDArray[Any]"
Operand: TypeAlias = "Tensor | complex | np.generic | Array | list[Any] | tuple[Any, ...]"
View: TypeAlias = "tuple[Tensor, Primitive, tuple[Any, ...], dict[str, Any]]"
"""How a view was made: `primitive(tensor, *args, **params)`."""
LateView: TypeAlias = "tuple[Tensor, None, Callable[..., Any], tuple[str, ...], *tuple[Any, ...]]"
"""How a view was made, not yet as primitives: the Tensor, None, the function whose result it is, the names of its last
arguments, and its arguments."""


class Tensor:
    """An array.

    `Tensor(x)` copies an array, a number or nested sequences of numbers; Python floats become float32, ints int64,
    NumPy arrays keep their dtype, and `dtype` converts. `Tensor(shape=…, dtype=…, init=…)` is filled by an
    initializer. `Tensor.from_numpy` shares the memory of an ndarray.

    Arithmetic, comparison, indexing and the methods of `ops` work as in NumPy, with MindSpore's promotion: Python
    numbers take the Tensor's dtype, an int Tensor with a float gives float32.

    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(x * 2 + 1)
    [3. 5. 7.]
    """

    __slots__ = ("__weakref__", "_array", "_history", "_storage", "_view")
    _array: Array
    _history: History | None
    """What gradients know of it (`runtime.autograd`); None of most."""
    _storage: Storage | None
    _view: View | LateView | None
    """How it was viewed: ask `view_of`."""

    __array_priority__ = 1000.0
    _dialect: ClassVar[Dialect | None] = None
    """Of classes of another framework's Tensors: see `runtime.dialects`."""

    def __init__(
        self,
        input_data: Any = None,
        dtype: Any = None,
        shape: Any = None,
        init: Any = None,
        internal: bool = False,
        const_arg: bool = False,
    ) -> None:
        del internal  # MindSpore has it; there is no other way a Tensor is made here
        _require_bool(const_arg)  # no argument is a constant
        meanings = PLAIN if self._dialect is None else self._dialect.meanings
        try:
            if meanings.converts_no_others:
                _require_known(input_data, dtype)
            if input_data is None:
                array = initial_array(shape, dtype, init)
            elif shape is not None or init is not None:
                raise ValueError("a Tensor is made of data, or of a shape and an initializer, not of both")
            else:
                array = array_of(input_data, None if dtype is None else as_numpy_dtype(dtype))
        except OverflowError:
            if not meanings.wraps_ints or dtype is None:
                raise
            array = np.asarray(input_data).astype(as_numpy_dtype(dtype))
        except (TypeError, ValueError) as error:
            if is_from_handler(error):
                raise
            array = constructing.adopted(self, input_data, dtype)
            if array is None:
                raise constructing.worded(
                    type(self), error, input_data=input_data, dtype=dtype, shape=shape, init=init
                ) from None
        self._array = array
        self._history = None
        self._storage = None
        self._view = None
        if isinstance(input_data, Tensor | list | tuple):
            tensor_models.record_made(self, input_data)

    @staticmethod
    def from_numpy(array: Array) -> Tensor:
        """A Tensor that shares the memory of an ndarray. Raises TypeError for dtypes that Tensors cannot have, and for
        what is no ndarray."""
        if not isinstance(array, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("Expected a NumPy array.")
        dtype_of(array.dtype)
        return wrap(array)

    # --- what it is -----------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._array.shape

    @property
    def dtype(self) -> DType:
        """The element type: `jitcore.float32` and so on."""
        return dtype_of(self._array.dtype)

    @property
    def _dtype(self) -> DType:
        """The element type, whatever another framework's Tensors call theirs."""
        return dtype_of(self._array.dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._array.size

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self._array.nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next, by axis."""
        return self._array.strides

    @property
    def storage(self) -> Storage:
        """The memory it shares with its views."""
        if self._storage is None:
            self._storage = self._view[0].storage if self._view is not None else Storage(self._array)
        return self._storage

    @property
    def data(self) -> Tensor:
        """A Tensor that shares its memory and is a constant to gradients. What is assigned to it is what the Tensor
        holds from now on."""
        return wrap_like(self, self._array)

    @data.setter
    def data(self, data: Tensor) -> None:
        self._array, self._storage, self._view = data._array, data._storage, data._view

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._array.__array_interface__["data"][0]

    @property
    def T(self) -> Tensor:
        """The axes reversed: a view."""
        return tables.ARRAY_PROPERTIES["T"](self)

    @property
    def real(self) -> Tensor:
        """The real part."""
        return tables.ARRAY_PROPERTIES["real"](self)

    @property
    def imag(self) -> Tensor:
        """The imaginary part."""
        return tables.ARRAY_PROPERTIES["imag"](self)

    def dim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    def is_contiguous(self) -> bool:
        """Whether the elements lie one after the other in memory, in row-major order."""
        return bool(self._array.flags.c_contiguous)

    def stride(self, dim: int | None = None) -> Any:
        """How many elements of memory are from one to the next along each axis, or along one."""
        steps = tuple(step // self._array.itemsize for step in self._array.strides)
        return steps if dim is None else steps[dim]

    def storage_offset(self) -> int:
        """How many elements of memory are before the first, in the array that this is a view of."""
        base = self._array
        while isinstance(base.base, np.ndarray):
            base = base.base
        start = self._array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return int(start) // self._array.itemsize

    def asnumpy(self) -> Array:
        """An ndarray of the same memory: writes to one are seen in the other.

        What NumPy computes with it is no part of gradients.
        """
        return self._array

    numpy = asnumpy

    def init_data(self, *_: Any) -> Tensor:
        """The Tensor itself: initializers run when it is made."""
        return self

    to_tensor = init_data

    if TYPE_CHECKING:  # the methods and operators that `runtime.methods` gives them

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Operand, /) -> Tensor: ...
        def __radd__(self, other: Operand, /) -> Tensor: ...
        def __iadd__(self, other: Operand, /) -> Tensor: ...
        def __sub__(self, other: Operand, /) -> Tensor: ...
        def __rsub__(self, other: Operand, /) -> Tensor: ...
        def __isub__(self, other: Operand, /) -> Tensor: ...
        def __mul__(self, other: Operand, /) -> Tensor: ...
        def __rmul__(self, other: Operand, /) -> Tensor: ...
        def __imul__(self, other: Operand, /) -> Tensor: ...
        def __truediv__(self, other: Operand, /) -> Tensor: ...
        def __rtruediv__(self, other: Operand, /) -> Tensor: ...
        def __itruediv__(self, other: Operand, /) -> Tensor: ...
        def __floordiv__(self, other: Operand, /) -> Tensor: ...
        def __rfloordiv__(self, other: Operand, /) -> Tensor: ...
        def __ifloordiv__(self, other: Operand, /) -> Tensor: ...
        def __mod__(self, other: Operand, /) -> Tensor: ...
        def __rmod__(self, other: Operand, /) -> Tensor: ...
        def __imod__(self, other: Operand, /) -> Tensor: ...
        def __pow__(self, other: Operand, /) -> Tensor: ...
        def __rpow__(self, other: Operand, /) -> Tensor: ...
        def __ipow__(self, other: Operand, /) -> Tensor: ...
        def __matmul__(self, other: Operand, /) -> Tensor: ...
        def __rmatmul__(self, other: Operand, /) -> Tensor: ...
        def __imatmul__(self, other: Operand, /) -> Tensor: ...
        def __and__(self, other: Operand, /) -> Tensor: ...
        def __rand__(self, other: Operand, /) -> Tensor: ...
        def __iand__(self, other: Operand, /) -> Tensor: ...
        def __or__(self, other: Operand, /) -> Tensor: ...
        def __ror__(self, other: Operand, /) -> Tensor: ...
        def __ior__(self, other: Operand, /) -> Tensor: ...
        def __xor__(self, other: Operand, /) -> Tensor: ...
        def __rxor__(self, other: Operand, /) -> Tensor: ...
        def __ixor__(self, other: Operand, /) -> Tensor: ...
        def __lshift__(self, other: Operand, /) -> Tensor: ...
        def __rlshift__(self, other: Operand, /) -> Tensor: ...
        def __ilshift__(self, other: Operand, /) -> Tensor: ...
        def __rshift__(self, other: Operand, /) -> Tensor: ...
        def __rrshift__(self, other: Operand, /) -> Tensor: ...
        def __irshift__(self, other: Operand, /) -> Tensor: ...
        def __lt__(self, other: Operand, /) -> Tensor: ...
        def __le__(self, other: Operand, /) -> Tensor: ...
        def __gt__(self, other: Operand, /) -> Tensor: ...
        def __ge__(self, other: Operand, /) -> Tensor: ...
        def __eq__(self, other: object, /) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride]
        def __ne__(self, other: object, /) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride]
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...

    # --- conversions ----------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        tensor_models.refuse_cut([self], "an ndarray made of a Tensor (as by numpy.array([x]))")
        if copy:
            return np.array(self._array, dtype=dtype)
        if dtype is None or np.dtype(dtype) == self._array.dtype:
            return self._array
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return self._array.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return tensor_models.call_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function: Any, types: Any, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        return tensor_models.call_function(function, args, keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, index = self._array.__dlpack_device__()
        return int(kind), index

    def __bool__(self) -> bool:
        try:
            return bool(self._array)
        except ValueError as error:
            raise constructing.reworded("bool", (self,), {}, error) from None

    def __int__(self) -> int:
        return int(self._only("int"))

    def __float__(self) -> float:
        return float(self._only("float"))

    def __complex__(self) -> complex:
        return complex(self._only("complex"))

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "biu":
            refused = TypeError("only integer tensors of a single element can be converted to an index")
            raise constructing.reworded("index", (self,), {}, refused)
        return int(self._array.item())

    def _only(self, what: str) -> Any:
        if self._array.size != 1:
            refused = TypeError(
                f"only length-1 arrays can be converted to Python scalars, not shape {self.shape} to {what}"
            )
            raise constructing.reworded(what, (self,), {}, refused)
        return self._array.item()

    def __len__(self) -> int:
        if not self._array.ndim:
            raise constructing.reworded("len", (self,), {}, TypeError("len() of unsized object"))
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return (self[i] for i in range(len(self._array)))

    def __contains__(self, item: Any) -> bool:
        made = operand_rules.operated("in", item, self)
        return bool(np.any(item == self)) if made is operand_rules.OWN else made

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        value = _display(self._array)
        gap = "\n" if self.ndim > 1 else " "
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={gap}{value})"

    _repr_html_ = tensor_html.shown

    def __str__(self) -> str:
        return str(self._array)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        made = operand_rules.operated("format", self, spec)
        if made is not operand_rules.OWN:
            return made
        return format(self._array.item() if self._array.ndim == 0 else self._array, spec)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (wrap, (self._array,)) if self._dialect is None else (made_of, (self._dialect.cls, self._array))

    def __copy__(self) -> Tensor:
        return wrap_like(self, self._array.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        made = wrap_like(self, self._array.copy())
        memo[id(self)] = made
        return made

    # --- items ----------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Tensor:
        made = _basic_view(self, key)
        if made is not None:
            return made
        made = operand_rules.operated("[]", self, key)
        return tables.TENSOR_GETITEM(self, key) if made is operand_rules.OWN else made

    def __setitem__(self, key: Any, value: Any) -> None:
        if not (isinstance(value, _WRITTEN) and _is_plain(self, key, value)):
            done = operand_rules.operated("[]=", self, key, value)
            if done is not operand_rules.OWN:
                return
        try:
            tables.SETITEM(self, key, value)
        except (TypeError, ValueError, IndexError) as error:
            told = constructing.reworded("[]=", (self, key, value), {}, error)
            if told is error:
                raise
            raise told from None

    def set_data(self, data: Any) -> Tensor:
        """Write other elements (of the same shape and dtype) into the memory it has."""
        new = data if isinstance(data, Tensor) else Tensor(data)
        if new.shape != self.shape or new._dtype is not self._dtype:
            raise ValueError(f"set_data: shape {new.shape} of {new.dtype} does not fit {self.shape} of {self.dtype}")
        values.evaluator().write(self, new)
        return self

    assign_value = set_data

    def set_dtype(self, dtype: DType) -> DType:
        """Hold the elements in another dtype from now on (in memory of its own, if it is another); the dtype."""
        if dtype is not self.dtype:
            self.data = Tensor(self, dtype)
        return dtype

    def set_const_arg(self, const_arg: bool = True) -> None:
        """MindSpore's mark of arguments that are constants to the compiler; here none are. Raises TypeError for no
        bool."""
        _require_bool(const_arg)

    def register_hook(self, hook_fn: Callable[[Any], Any]) -> Any:
        """Have `hook_fn(gradient)` called on the way back of gradients that go through what the Tensor holds now; what
        it returns, unless None, is the gradient from there on. The result's `remove()` takes it away again."""
        return tensor_models.register_hook(self, hook_fn)

    def hooks(self) -> list[Callable[[Any], Any]]:
        """The functions that `register_hook` added to what the Tensor holds."""
        return list(tensor_models.hooks_of(self))


_WRITTEN: Final = (Tensor, int, float)
"""Values that no rules of another framework's are asked about."""


def wrap(array: Any) -> Tensor:
    """A Tensor of an ndarray, sharing its memory."""
    tensor = Tensor.__new__(Tensor)
    tensor._array = array
    tensor._history = None
    tensor._storage = None
    tensor._view = None
    return tensor


def wrap_like(tensor: Tensor, array: Array) -> Tensor:
    """`wrap`, as a Tensor of the framework that another is of."""
    dialect = tensor._dialect
    return wrap(array) if dialect is None else made_of(dialect.cls, array)


def made_of(cls: type[Tensor], array: Array) -> Tensor:
    """`wrap`, as a Tensor of another framework's class."""
    made = wrap(array)
    made.__class__ = cls
    return made


def _is_plain(tensor: Tensor, key: Any, value: Any) -> bool:
    """Whether nobody has other words for `tensor[key] = value`: the key is basic or a Tensor, and the value has not
    more axes than what it is written to."""
    if isinstance(key, Tensor):
        return key._dtype is not bool_ or key.shape == tensor.shape[: key.ndim]
    if not _is_forward(key):
        return False
    if not isinstance(value, Tensor):
        return True
    ints = sum(type(k) is int for k in key) if type(key) is tuple else type(key) is int
    return value.ndim <= tensor.ndim - ints


def _is_forward(key: Any) -> bool:
    """Whether a key is basic, and its slices go forward."""
    cls = type(key)
    if cls is slice:
        return (key.step is None or (type(key.step) is int and key.step > 0)) and is_basic(key)
    return cls in PLACES or (
        cls is tuple and all(isinstance(k, Tensor) or (type(k) in PLACES and _is_forward(k)) for k in key)
    )


def _basic_view(tensor: Tensor, key: Any) -> Tensor | None:
    """`tensor[key]` by NumPy, which gives the same view; None for other keys, what raises, and what is all of the
    Tensor or nothing."""
    if not is_basic(key) or evaluation.is_tracing():
        return None
    array = tensor._array
    try:
        part: Any = array[key]
    except (IndexError, ValueError):
        return None
    if not isinstance(part, np.ndarray):  # an element: of a Tensor, a place as well
        part = array[(*key, ...) if type(key) is tuple else (key, ...)]
    if part.shape == array.shape or not part.size:
        return None
    made = wrap_like(tensor, part)
    made._view = (tensor, None, tables.TENSOR_GETITEM, (), tensor, key)
    if tensor._history is not None or tensor._view is not None:
        tensor_models.cut_view(made, tensor)
    return made


def view_of(tensor: Tensor) -> View | None:
    """How a Tensor was viewed; None if it is no view."""
    found = tensor._view
    while found is not None and found[1] is None:
        base, _, function, names, *given = found
        if tensor._array.size and not np.may_share_memory(base._array, tensor._array):
            found = None  # the base holds another array by now
            break
        positional = len(given) - len(names)
        named = dict(zip(names, given[positional:], strict=True))
        found = tensor_models.view_again(function, given[:positional], named)._view
    tensor._view = found
    return cast("View | None", found)


def keeps_memory(tensor: Tensor) -> bool:
    """Whether a Tensor is one object for good, a Parameter, to which `+=` writes in any case."""
    return getattr(type(tensor), "__jitcore_keeps_memory__", False) is True


def array_of(data: Any, dtype: np.dtype[Any] | None) -> Array:
    """A new ndarray of the data."""
    if isinstance(data, Tensor):
        dtype_of(data._array.dtype)
        return np.array(data._array, dtype=dtype)
    if not isinstance(data, bool | int | float | complex | list | tuple | np.generic):
        found = tensor_models.as_ndarray(data)
        if found is None:
            raise TypeError(
                f"a Tensor is made of an array, a number or (nested) lists of numbers, not of {type(data).__name__}"
            )
        data = found
    if isinstance(data, np.ndarray | np.generic):
        array: Array = np.array(data, dtype=dtype)
        dtype_of(array.dtype)
        return array
    items = cast("Sequence[Any]", data)
    require_array_like(items)
    made: Array = np.array(_plain(items), dtype=dtype)
    if dtype is None and made.dtype == np.float64 and _has_python_floats(items):
        made = made.astype(f32.numpy)
    if dtype is None and made.size == 0 and isinstance(data, list | tuple):
        made = made.astype(f32.numpy)
    dtype_of(made.dtype)
    return made


def _plain(data: Any, known: dict[int, list[Any]] | None = None) -> Any:
    """Nested lists with the Tensors in them as ndarrays; one that is held several times stays one."""
    if not isinstance(data, list | tuple):
        return data._array if isinstance(data, Tensor) else data
    known = {} if known is None else known
    made = known.get(id(cast("Any", data)))
    if made is None:
        made = known[id(cast("Any", data))] = list[Any]()
        for item in cast("Sequence[Any]", data):
            made.append(_plain(item, known) if isinstance(item, list | tuple | Tensor) else item)
    return made


def _has_python_floats(data: Any) -> bool:
    """Whether the float64 of an array comes from Python floats alone."""
    return all(
        type(item) in (int, float, bool) or (isinstance(item, Tensor) and item._dtype is not dtype_of("float64"))
        for item in distinct_leaves(data)
    )


def _require_known(data: object, dtype: object) -> None:
    """Raise TypeError for a dtype that is none of jitcore's, and an array of none."""
    if dtype is not None and not isinstance(dtype, DType):
        raise TypeError("the dtype of a Tensor is one of the framework's")
    if isinstance(data, np.ndarray):
        dtype_of(data.dtype)


def _require_bool(const_arg: Any) -> None:
    if const_arg is not False and not isinstance(const_arg, bool):
        raise TypeError(f"const_arg is a bool, not {type(const_arg).__name__}")


def _display(array: Array) -> str:
    if array.ndim == 0:
        return f"{array.item():g}" if array.dtype.kind == "f" else str(array.item())
    digits = 4 if array.dtype == np.float16 else 8
    formatter: Any = {"float_kind": lambda v: f"{v: .{digits}e}"} if array.dtype.kind == "f" else None
    return np.array2string(array, separator=", ", formatter=formatter)


def category_of(value: object) -> str:
    """What compiled code calls an array: see `primitives.core.dialects`."""
    if isinstance(value, Tensor):
        return OWN if value._dialect is None else value._dialect.category
    return "npscalar" if isinstance(value, np.generic) else "ndarray"
