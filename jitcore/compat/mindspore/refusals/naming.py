"""How MindSpore's messages name types and values: `Tensor[Float32]`, `tuple<int, int>`,
`AbstractScalar(Type: Int64, Value: 1, Shape: NoShape)`."""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any, Final

import numpy as np

from jitcore.passes.infer.engine.operands import UNKNOWN, Operand
from jitcore.primitives.core.dialects import meant
from jitcore.types import DType

_TYPES: Final = {
    "bool": "Bool", "int": "Int64", "float": "Float32", "complex": "Complex128", "str": "String", "none": "None",
    "ellipsis": "Ellipsis", "dtype": "TypeType", "type": "TypeType", "function": "Func", "ndarray": "External",
}  # fmt: skip
_WORDS: Final = {
    "tensor": "Tensor", "bool": "bool", "int": "int", "float": "float", "complex": "complex", "str": "string",
    "none": "None", "ellipsis": "Ellipsis", "dtype": "mindspore.dtype", "function": "<class 'function'>",
    "type": "<class 'type'>", "ndarray": "Tensor",
}  # fmt: skip
_KINDS: Final = {
    "tensor": "Tensor", "bool": "Number", "int": "Number", "float": "Number", "complex": "Number", "str": "String",
    "none": "TypeNone", "tuple": "Tuple", "range": "Tuple", "list": "List", "dict": "Dictionary", "slice": "Slice",
    "function": "Func", "ellipsis": "Ellipsis", "dtype": "TypeType", "type": "TypeType", "ndarray": "External",
}  # fmt: skip
_CLASSES: Final = {"tensor": "Tensor", "none": "NoneType", "range": "tuple", "dtype": "mindspore.dtype"}
_OBJECTS: Final = {"tensor": "Tensor", "int": "Int64", "float": "Float32", "str": "String", "bool": "Bool"}


def dtype_name(dtype: DType | None) -> str:
    """A dtype as MindSpore's compiler writes it: `Float32`, `UInt8`, `Bool`."""
    name = str(dtype)
    return "UInt" + name[4:] if name.lower().startswith("uint") else name.removesuffix("_").capitalize()


def type_text(x: Operand) -> str:
    """A type in full: `Int64`, `Tensor[Float32]`, `Tuple[Int64*2]`."""
    if x.kind in ("tensor", "npscalar"):
        return f"Tensor[{dtype_name(x.dtype)}]"
    if x.kind in ("tuple", "range", "list"):
        return f"{'List' if x.kind == 'list' else 'Tuple'}[{_several([type_text(i) for i in items_of(x)])}]"
    if x.kind == "dict":
        return f"Dictionary[[{''.join(f'{k},' for k in x.keys)}],[{_several([type_text(i) for i in x.items])}]]"
    if x.kind == "slice":
        return f"Slice[{' : '.join(type_text(i) for i in x.items)}]"
    return _TYPES.get(x.kind, "External")


def _several(names: list[str]) -> str:
    """Names of types, those of one type as one: `Int64*3`."""
    if len(names) > 1 and len(set(names)) == 1:
        return f"{names[0]}*{len(names)}"
    return ",".join(names)


def items_of(x: Operand) -> tuple[Operand, ...]:
    """The items of a sequence: of a range, its numbers, if they are known."""
    if x.kind != "range":
        return x.items
    ends = [i.value for i in x.items]
    if not all(isinstance(e, int) for e in ends):
        return ()
    return tuple(Operand("int", value=k) for k in range(*ends))


def word(x: Operand, *, capital: bool = False) -> str:
    """A type as in the text of a call: `Tensor`, `string`, `tuple<int, int>` (`capital`: `Tuple<int, int>`)."""
    if x.kind in ("tuple", "range", "list"):
        name = "list" if x.kind == "list" else "tuple"
        inner = ", ".join(word(i, capital=capital) for i in items_of(x))
        return f"{name.capitalize() if capital else name}<{inner}>"
    if capital and x.kind not in _SPOKEN:
        cls = _class(x)
        return type_text(x) if cls is None else "<class 'numpy.bool_'>" if cls is np.bool_ else str(cls)
    return _WORDS[x.kind] if x.kind in _WORDS else type_text(x)


_SPOKEN: Final = frozenset(["tensor", "npscalar", "bool", "int", "float", "str", "none", "dtype"])
"""What MindSpore has words of its own for where Python calls its operators; others go by their class."""
_PYTHON: Final[dict[str, type]] = {
    "complex": complex, "dict": dict, "set": set, "slice": slice, "ellipsis": type(...), "type": type,
    "function": FunctionType, "ndarray": np.ndarray,
}  # fmt: skip


def _class(x: Operand) -> type | None:
    if x.kind == "instance":
        return x.value
    if x.kind == "object" and x.value is UNKNOWN:
        return None
    return type(x.value) if x.value is not UNKNOWN and x.kind == "object" else _PYTHON.get(x.kind)


def kind_name(x: Operand) -> str:
    """The kind of a type: `Number`, `Tensor`, `Dictionary`."""
    return _KINDS.get(x.kind, "External")


def class_name(x: Operand) -> str:
    """The Python class of an operand."""
    return _CLASSES.get(x.kind, x.kind)


def python_name(x: Operand) -> str:
    """The class of an operand as CPython's messages name it in MindSpore."""
    if x.kind in ("dtype", "type"):
        kinds = {"i": "Int", "u": "UInt", "f": "Float", "c": "Complex", "b": "Bool"}
        kind = kinds.get(x.value.kind) if isinstance(x.value, DType) else None
        return f"mindspore._c_expression.typing.{kind}" if kind else "type"
    if x.kind == "instance" and isinstance(x.value, type):
        return x.value.__name__
    if x.kind == "object" and x.value is not UNKNOWN:
        return type(x.value).__name__
    if x.kind == "npscalar" and x.dtype is not None:
        return {"f": "float", "b": "bool"}.get(x.dtype.kind, "int")
    return class_name(x)


def object_name(x: Operand) -> str:
    """An operand as a missing attribute's message names it: `'Int64' object has no attribute`."""
    return _OBJECTS.get(x.kind, kind_name(x))


def abstract(x: Operand) -> str:
    """What MindSpore's inference knows of an operand, its first line."""
    if x.kind == "none":
        return "AbstractNone(Value: None)"
    if x.kind == "tensor":
        shape = "(" + ", ".join("-1" if n is None else str(n) for n in x.shape) + ")"
        element = f"AbstractScalar(Type: {dtype_name(x.dtype)}, Value: ValueAny, Shape: NoShape)"
        return f"AbstractTensor(shape: {shape}, element: {element}, value_ptr: 0x0, value: ValueAny)"
    if x.kind in ("bool", "int", "float", "str"):
        return (
            f"AbstractScalar(Type: {type_text(x)}, "
            f"Value: {number_text(UNKNOWN if x.marked else x.value)}, Shape: NoShape)"
        )
    if x.kind == "dict":
        pairs = zip(x.keys, x.items, strict=True)
        inner = " ".join(f"(AbstractScalar(Type: String, Value: {k}, Shape: NoShape): {abstract(v)})" for k, v in pairs)
        return f"AbstractDictionary{{ {inner} }}" if inner else "AbstractDictionary{ }"
    if x.kind == "type":
        return f"AbstractScalar(Type: TypeType, Value: class '{class_path(x.value)}', Shape: NoShape)"
    if x.kind == "slice":
        return f"AbstractSlice[{' : '.join(map(abstract, x.items))}]"
    return ""


def class_path(cls: type) -> str:
    """A class with its module, as Python shows it."""
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def number_text(value: Any) -> str:
    """A number or string as MindSpore writes a constant."""
    if value is UNKNOWN:
        return "ValueAny"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6g}"
    return str(value)


_IMMEDIATES: Final = {
    "bool": "BoolImm", "int": "Int64Imm", "float": "FP32Imm", "str": "StringImm", "none": "None", "list": "ValueList",
    "tuple": "ValueTuple", "dict": "ValueDictionary",
}  # fmt: skip


def immediate(x: Operand) -> str:
    """The class of MindSpore's that holds a constant."""
    return _IMMEDIATES.get(x.kind, "ValueAny")


_MOST_SHOWN: Final = 29


def tensor_text(x: Any) -> str:
    """A Tensor as MindSpore's compiler writes a constant."""
    data = x.asnumpy()
    if data.size > _MOST_SHOWN:
        return f"{_prefix(x)}[...])"
    digits = 4 if data.dtype == np.float16 else 8
    spaced = np.array2string(data, formatter={"float_kind": lambda v: f"{v: .{digits}e}"})
    shown = spaced if data.ndim else str(data)
    gap = "\n" if data.ndim > 1 else ""
    return f"{_prefix(x)}{gap}{shown})"


def _prefix(x: Any) -> str:
    return f"Tensor(shape=[{', '.join(map(str, x.shape))}], dtype={x.dtype}, value="


def shape_text(shape: tuple[int | None, ...]) -> str:
    """A shape as MindSpore's shape rules write it: `[const vector]{2, 3}`."""
    return "[const vector]{" + ", ".join(str(-1 if n is None else n) for n in shape) + "}"


def native_class(value: Any) -> str:
    """The class of a value as MindSpore's Python prints it."""
    if isinstance(value, DType):
        kind = {"f": "Float", "i": "Int", "u": "UInt", "b": "Bool", "c": "Complex"}[value.kind]
        return f"<class 'mindspore._c_expression.typing.{kind}'>"
    cls = meant(type(value))
    shown = f"{cls.__module__}.{cls.__qualname__}"
    return f"<class '{_NATIVE[shown]}'>" if shown in _NATIVE else str(type(value))


_NATIVE: Final = {
    "numpy.bool": "numpy.bool_",
    "jitcore.runtime.tensor.Tensor": "mindspore.common.tensor.Tensor",
    "jitcore.common.parameter.Parameter": "abc.Parameter",
}
