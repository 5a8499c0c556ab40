"""What MindSpore's graphs say to objects of users' classes, those of a `jit_class` among them, where something else is
needed.

len(counter)    # AttributeError: ClassMember: 'Namespace:…..<Counter::…>' object has no attribute '__len__'
counter(3)      # ValueError: MsClassObject: 'Counter' has no __call__ function, please check the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore.lookup import attribute_of
from jitcore.nn import Cell
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand, Operation
from jitcore.runtime.tensor import Tensor

_PYTHONS: Final = ("jitcore", "numpy", "builtins", "types", "functools", "collections", "mindspore")
"""Where classes are that are no users'."""
Answer = BaseException | None


def users_class(x: Operand) -> type | None:
    """The class of an operand that is an object of a user's class, but no Cell."""
    if x.kind == "instance":
        cls = x.value
    elif x.kind == "object" and x.value is not UNKNOWN:
        cls = type(x.value)
    else:
        return None
    if not isinstance(cls, type) or issubclass(cls, Cell | type) or cls.__module__.partition(".")[0] in _PYTHONS:
        return None
    return cls


def is_jit_class(cls: type) -> bool:
    """Whether `jit_class` decorates it."""
    return bool(attribute_of(cls, "__ms_class__", False))


def answer(operation: Operation) -> Answer | str:
    """The answer to an operation with such objects."""
    if not operation.compiled or operation.library:
        return None
    if operation.what == "call":
        return _call(operation)
    if operation.what == "compare" and operation.name.startswith("is"):
        return _identity(operation)
    found = _OF_FIRST.get(operation.what)
    if found is None:
        return None
    for x in operation.operands:
        cls = users_class(x)
        if cls is not None:
            return found(operation, x, cls)
    return None


def _call(operation: Operation) -> Answer:
    callee, args = operation.name, operation.operands
    if isinstance(callee, Operand):
        cls = users_class(callee)
        return None if cls is None or any("__call__" in vars(base) for base in cls.__mro__) else _uncalled(cls)
    for x in args:
        cls = users_class(x)
        if cls is not None and (asked := _CALLS.get(id(callee))) is not None:
            return asked(x, cls)
    return None


def _uncalled(cls: type) -> ValueError:
    if is_jit_class(cls):
        return ValueError(f"MsClassObject: '{cls.__name__}' has no __call__ function, please check the code.")
    return ValueError(f"{cls.__name__}is not a callable object")


def missing(x: Operand, cls: type, name: str) -> AttributeError:
    """The answer to an attribute that such an object does not have."""
    if not is_jit_class(cls):
        return AttributeError(f"'{cls.__name__}' object has no attribute '{name}'")
    number = 100000000 + id(cls if x.kind == "instance" else x.value) % 100000000
    return AttributeError(
        f"ClassMember: 'Namespace:{cls.__module__}..<{cls.__name__}::{number}>' object has no attribute '{name}'"
    )


def shown(x: Operand, cls: type) -> str:
    """Such an object as MindSpore's compiler writes a constant."""
    if is_jit_class(cls):
        return f"MsClassObject: '{cls.__name__}'"
    value = f"<{cls.__module__}.{cls.__qualname__} object at 0x0>" if x.kind == "instance" else str(x.value)
    return f"PythonObject(type: {cls}, value: {value})"


def _abstract(x: Operand, cls: type) -> str:
    if is_jit_class(cls):
        return f"AbstractClass({shown(x, cls)})"
    return f"AbstractScalar(Type: External, Value: {shown(x, cls)}, Shape: NoShape)"


# --- operators and statements ----------------------------------------------------------------------


def _type_name(cls: type) -> str:
    return "Class" if is_jit_class(cls) else "External"


def _unary(operation: Operation, x: Operand, cls: type) -> Answer:
    if operation.name != "~":
        return None
    return NotImplementedError(f"The python type {cls} cannot be converted to MindSpore type.")


def _binary(operation: Operation, x: Operand, cls: type) -> Answer:
    if operation.name == "@" and x is operation.operands[0]:
        return TypeError(f'Failed calling MatMulExt with "input={_type_name(cls)}".')
    return None


def _identity(operation: Operation) -> Answer:
    y = operation.operands[1]
    other = users_class(y)
    if other is None and not (y.kind == "type" and is_jit_class(y.value)):
        return None
    told = "create_instance" if other is None else shown(y, other)
    words = "a is b" if operation.name == "is" else "a is not b"
    return RuntimeError(f"For syntax like '{words}', b supports Int, Bool, String, None and Type, but got {told}")


def _absent(operation: Operation, x: Operand, cls: type) -> Answer:
    return missing(x, cls, operation.name) if x.kind == "instance" else None


def _item(operation: Operation, x: Operand, cls: type) -> Answer:
    if operation.operands[0].kind != "tensor":
        return None
    value = f"<{cls.__module__}.{cls.__qualname__} object at 0x0>" if x.kind == "instance" else repr(x.value)
    return IndexError(
        f"Unsupported Python object type received: {cls}. Supported types for tensor indexing are: list, int, float, "
        f"tuple, slice, ellipsis, None, array, bool, or Tensor. Received value: {value}"
    )


def _iterate(operation: Operation, x: Operand, cls: type) -> Answer:
    return TypeError("'class' object is not iterable") if is_jit_class(cls) else None


def _unpack(operation: Operation, x: Operand, cls: type) -> Answer:
    return None if hasattr(cls, "__getitem__") else TypeError(f"'{cls.__name__}' object is not subscriptable")


def _starred(operation: Operation, x: Operand, cls: type) -> Answer:
    if hasattr(cls, "keys"):  # a mapping
        return None
    return RuntimeError(
        f"The arguments of UnpackCall operator should be tuple, list or dict, but got {_abstract(x, cls)}"
    )


def _shown(operation: Operation, x: Operand, cls: type) -> str:
    return shown(x, cls)


_OF_FIRST: Final[dict[str, Callable[[Operation, Operand, type], Answer | str]]] = {
    "unary": _unary, "binary": _binary, "item": _item, "iterate": _iterate, "unpack": _unpack, "starred": _starred,
    "display": _iterate, "absent": _absent, "shown": _shown,
}  # fmt: skip


# --- calls of Python's functions -------------------------------------------------------------------


def _len(x: Operand, cls: type) -> Answer:
    return None if hasattr(cls, "__len__") else missing(x, cls, "__len__")


def _rounded(name: str) -> Callable[[Operand, type], Answer]:
    def asked(x: Operand, cls: type) -> Answer:
        if not is_jit_class(cls):
            return None
        return TypeError(f"For Operator[{name}], input's type 'Class' does not match expected type 'Tensor'.")

    return asked


def _listed(x: Operand, cls: type) -> Answer:
    return TypeError("'class' object is not iterable") if is_jit_class(cls) else None


def _mapped(x: Operand, cls: type) -> Answer:
    return RuntimeError("Map can only be applied to list, tuple, but got Class.") if is_jit_class(cls) else None


def _ranged(x: Operand, cls: type) -> Answer:
    return TypeError(f"For 'make_range', the 0th input should be a int scalar but got {_abstract(x, cls)}")


def _tensor(x: Operand, cls: type) -> Answer:
    return TypeError(
        "For 'Tensor', the type of 'input_data' should be one of '['TensorPy', 'Tensor', 'ndarray', 'str_', 'list', "
        f"'tuple', 'float', 'int', 'bool', 'complex', 'bytes']', but got type '{cls.__name__}'."
    )


_ASKED: Final[Sequence[tuple[Any, Callable[[Operand, type], Answer]]]] = (
    (len, _len), (enumerate, _len), (abs, _rounded("Abs")), (round, _rounded("Round")), (sum, _listed),
    (tuple, _listed), (list, _listed), (map, _mapped), (range, _ranged), (Tensor, _tensor),
)  # fmt: skip
_CALLS: Final = {id(function): asked for function, asked in _ASKED}
