"""The types that MindSpore's operators take, and what it says of others: `Failed calling Add with "other=String".`

The table `signatures.txt` holds the facts, a line for each: an operator with its constructor's arguments and its
operands, `Reshape()(input: Tensor, shape!: list of int | Tensor | tuple of int)`, and the functions that call one,
`reshape(input, shape) = Reshape()(input, shape)`. Operands marked `!` are looked at after all others, and all are named
then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import tables
from jitcore.compat.mindspore.refusals.naming import abstract, items_of, type_text, word
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.structs import dataclass

_NUMBERS: Final = ("bool", "int", "float", "complex")
_PLAIN: Final = {
    "Tensor": ("tensor", "npscalar"), "Number": _NUMBERS, "number": _NUMBERS, "int": ("int",), "float": ("float",),
    "bool": ("bool",), "string": ("str",), "str": ("str",), "None": ("none",), "mindspore.dtype": ("dtype", "type"),
    "mstype": ("dtype", "type"), "tensor": ("tensor", "npscalar"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of an operator: the types it may have (none: any) and what it is if it is not given."""

    name: str
    types: tuple[str, ...]
    late: bool
    default: str | None

    def takes(self, x: Operand) -> bool:
        """Whether an operand is of one of the types."""
        if not self.types or x.kind in ("union", "object", "instance") or (x.kind == "none" and self.default == "None"):
            return True
        return any(_is(x, t) for t in self.types)


def _is(x: Operand, name: str) -> bool:
    container, _, item = name.partition(" of ")
    if item:
        kinds = ("tuple", "range") if container == "tuple" else ("list",)
        return x.kind in kinds and all(_is_item(i, item) for i in items_of(x))
    return name not in _PLAIN or x.kind in _PLAIN[name]


def _is_item(x: Operand, name: str) -> bool:
    """Whether an item of a sequence is of a type: numbers may be Tensors of one element."""
    return _is(x, name) or x.kind in ("object", "instance", "union", "npscalar") or (x.kind == "tensor" and not x.shape)


@dataclass(frozen=True, slots=True)
class Signature:
    """An operator's arguments: those of its constructor, and its operands."""

    name: str
    options: tuple[Argument, ...]
    operands: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function that calls an operator: what its own parameters are, and which of them become which argument."""

    params: tuple[tuple[str, str | None], ...]
    operator: str
    options: tuple[str, ...]
    operands: tuple[str, ...]


_LINE: Final = re.compile(r"(\w+)\((.*?)\)(?: = (\w+)\((.*?)\)|)\((.*)\)$")


@cache
def _table() -> tuple[dict[str, Signature], dict[str, Function]]:
    operators: dict[str, Signature] = {}
    functions: dict[str, Function] = {}
    for line in tables.lines("signatures"):
        found = _LINE.match(line)
        if found is None:
            continue
        name, first, operator, options, operands = found.groups()
        if operator is None:
            operators[name] = Signature(name, _arguments(first), _arguments(operands))
        else:
            functions[name] = Function(_params(first), operator, _names(options), _names(operands))
    return operators, functions


def _arguments(text: str) -> tuple[Argument, ...]:
    return tuple(map(_argument, split(text)))


def _argument(text: str) -> Argument:
    rest, _, default = text.partition(" = ")
    name, _, types = rest.partition(": ")
    return Argument(name.rstrip("!?"), tuple(types.split(" | ")) if types else (), name.endswith("!"), default or None)


def _params(text: str) -> tuple[tuple[str, str | None], ...]:
    pairs = [p.partition("=") for p in split(text) if p not in ("*", "/")]
    return tuple((name, default or None) for name, _, default in pairs)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.partition("=")[2] or part for part in split(text))


def split(text: str) -> list[str]:
    """The parts of a text between its commas, those in brackets excepted."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def is_operator(name: str) -> bool:
    """Whether the table has the operands of an operator."""
    return name in _table()[0]


def count_of_operands(name: str) -> int:
    """How many operands an operator of the table has."""
    return len(_table()[0][name].operands)


def has_options(name: str) -> bool:
    """Whether the table has an operator whose constructor takes arguments."""
    return name in _table()[0] and bool(_table()[0][name].options)


def late_options(name: str) -> frozenset[str]:
    """The arguments of an operator's constructor that are looked at when it is called."""
    return frozenset(a.name for a in _table()[0][name].options if a.late)


def refused_options(name: str, given: Mapping[str, Operand], values: Mapping[str, Any]) -> Exception | None:
    """What MindSpore says to the arguments of an operator's constructor when it is made; of those marked `!` it says so
    when it is called."""
    for argument in _table()[0][name].options:
        if argument.late or not argument.types or argument.name not in given or argument.takes(given[argument.name]):
            continue
        cls = type(values[argument.name])
        return TypeError(
            f"For '{name}', the type of '{argument.name}' should be one of "
            f"'[{', '.join(argument.types)}]', but got {cls}."
        )
    return None


def is_function(name: str) -> bool:
    """Whether the table has a function."""
    return name in _table()[1]


def function_names() -> tuple[str, ...]:
    """The functions of the table."""
    return tuple(_table()[1])


def parameters(name: str) -> tuple[str, ...]:
    """The names of a function's parameters; none of one that is not in the table."""
    return tuple(n for n, _ in _table()[1][name].params) if name in _table()[1] else ()


def miscalled(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> Exception | None:
    """What MindSpore says to a call of a function, if it refuses it by the number or names of its arguments."""
    function = _table()[1][name]
    required = sum(default is None for _, default in function.params)
    names = [n for n, _ in function.params]
    unknown = next((k for k in keywords if k not in names), None)
    if unknown is not None:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    count = len(args) + len(keywords)
    if required <= count and len(args) <= len(names):
        return None
    expected = required if count < required else len(names)
    return TypeError(
        f"The parameters number of the function is {expected}, but the number of provided arguments is {count}."
    )


def _default(text: str | None) -> Operand:
    if text is None:
        return Operand("object")
    try:
        return of_object(ast.literal_eval(text))
    except ValueError:  # a dtype, or a name
        return Operand("dtype" if "float" in text or "int" in text else "object")


_PROMOTING: Final = frozenset(
    ["Select", "Zeros", "Ones", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceAll",
     "ReduceAny", "BinaryCrossEntropy", "Assign", "AssignAdd", "AssignSub"],
)  # fmt: skip
"""Operators with a signature by which operands are promoted or written to, besides those that take Numbers."""


def miscounted(name: str, count: int, keywords: Iterable[str] = ()) -> BaseException | None:
    """What MindSpore says to a number of operands that an operator does not take; those by name count, too."""
    signature = _table()[0][name]
    operands = signature.operands
    required = sum(a.default is None for a in operands)
    count += len(list(keywords))
    promoting = name in _PROMOTING or (name != "Cast" and any("Number" in a.types for a in operands))
    if count < required and promoting:
        return RuntimeError(
            f"For 'S_Prim_{name}', the size of input should be {required}, but got {count}. "
            "Please check inputs of the operator."
        )
    if count < required:
        return _too_few(signature, count)
    if count <= len(operands):
        return None
    if promoting:
        return RuntimeError(f"Function S_Prim_{name}'s input length is not equal to Signature length.")
    return TypeError(
        f"For Operator[{name}], the number of inputs should be less than or equal to {len(operands)}, but got {count}."
    )


def _too_few(signature: Signature, count: int) -> BaseException:
    if count == 0:
        return RuntimeError("Size should be greater than 0, during running PrimitiveArgsToInputsEvaluator")
    if signature.options:
        return KeyError(signature.operands[count].name)
    return lacking(signature.name, len(signature.operands), count)


def lacking(name: str, wanted: int, count: int) -> TypeError:
    """The answer to an operator that gets too few operands."""
    return TypeError(
        f"For Operator[{name}], the number of inputs (including default arguments) should be {wanted}, but the "
        f"actual number of inputs is not satisfied, which is {count}."
    )


def of_function(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]
) -> tuple[str, list[Operand], dict[str, Operand]]:
    """The operator that a function calls, with its operands and options in a call that it takes."""
    function = _table()[1][name]
    given = {**dict(zip([n for n, _ in function.params], args, strict=False)), **keywords}
    for n, default in function.params:
        given.setdefault(n, _default(default))
    signature = _table()[0].get(function.operator, Signature(function.operator, (), ()))
    options = {o.name: given[n] for o, n in zip(signature.options, function.options, strict=False) if n in given}
    return function.operator, [given[n] for n in function.operands if n in given], options


def _is_no_dtype(argument: Argument, x: Operand) -> bool:
    """Whether an argument that has to be a dtype of MindSpore's is none; Python's classes are dtypes of methods
    alone."""
    return "mindspore.dtype" in argument.types and (x.kind == "type" or not argument.takes(x))


def refused_operands(name: str, given: list[Operand], options: dict[str, Operand]) -> Exception | None:
    """What MindSpore says to operands of an operator, if it refuses them by their number or types."""
    signature = _table()[0].get(name)
    if signature is None:
        return None
    for argument, x in zip(signature.operands, given, strict=False):
        if _is_no_dtype(argument, x):
            return TypeError(f"For '{name}', the input '{argument.name}' expect a type, but got {abstract(x)}")
        if not argument.late and not argument.takes(x):
            valid = ", ".join(f"{a.name}=<{', '.join(a.types)}>" for a in signature.operands)
            return TypeError(
                f'Failed calling {name} with "{argument.name}={type_text(x)}".\nThe valid calling should be: "{valid}".'
            )
    filled = [*given, *(_default(a.default) for a in signature.operands[len(given) :])]
    settings = [options.get(a.name, _default(a.default)) for a in signature.options]
    wrong = any(not a.takes(x) for a, x in zip(signature.operands, filled, strict=False))
    if not wrong and all(a.takes(x) for a, x in zip(signature.options, settings, strict=True)):
        return None
    return TypeError(_whole_call(signature, settings, filled))


def refused_whole(name: str, given: list[Operand], options: dict[str, Operand]) -> Exception | None:
    """What MindSpore says, line by line, to operands of an operator: always with the whole call."""
    signature = _table()[0].get(name)
    if signature is None:
        return None
    filled = [*given, *(_default(a.default) for a in signature.operands[len(given) :])]
    settings = [options.get(a.name, _default(a.default)) for a in signature.options]
    for argument, x in zip(signature.operands, filled, strict=False):
        if _is_no_dtype(argument, x):
            return TypeError(f"For '{name}', the input '{argument.name}' should be mindspore dtype, but got {x.value}.")
    if all(a.takes(x) for a, x in zip(signature.operands, filled, strict=False)) and all(
        a.takes(x) for a, x in zip(signature.options, settings, strict=True)
    ):
        return None
    return TypeError(_whole_call(signature, settings, filled, capital=True))


def _whole_call(signature: Signature, options: list[Operand], operands: list[Operand], *, capital: bool = False) -> str:
    def shown(arguments: tuple[Argument, ...], values: list[Operand]) -> str:
        return ", ".join(f"{a.name}={_shown(a, x, capital)}" for a, x in zip(arguments, values, strict=False))

    def valid(arguments: tuple[Argument, ...]) -> str:
        return ", ".join(f"{a.name}=<{', '.join(a.types)}>" for a in arguments)

    name = signature.name
    return (
        f'Failed calling {name} with "{name}({shown(signature.options, options)})'
        f'({shown(signature.operands, operands)})".\n'
        f'The valid calling should be: \n"{name}({valid(signature.options)})({valid(signature.operands)})".'
    )


def _shown(argument: Argument, x: Operand, capital: bool) -> str:
    if "mindspore.dtype" in argument.types:
        return "mindspore.dtype"
    return word(x, capital=capital)


def operator_call(name: str, operands: list[Operand]) -> Any:
    """What MindSpore says to an operator of Python's with these operands, which stands for an operator of its own."""
    return TypeError(_whole_call(_table()[0][name], [], operands, capital=True))
