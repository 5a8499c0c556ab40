"""What MindSpore has at its top level besides: Tensors made by functions, seeds, versions, gradients with
identifiers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np

from jitcore import common, transforms
from jitcore.common import generator
from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.checking import Validator
from jitcore.compat.mindspore.context import compile_config
from jitcore.compat.mindspore.gradient_calls import MindSporeGradient, refused
from jitcore.compat.mindspore.refusals import transforms as transforms_refused
from jitcore.compat.mindspore.refusals.naming import type_text
from jitcore.compat.mindspore.tensor import Tensor, of_framework
from jitcore.config import PYNATIVE_MODE, settings
from jitcore.library.core.marking import library
from jitcore.library.core.values import category, dtype_of_value, is_number, with_known_numbers
from jitcore.nn import Cell
from jitcore.ops import composite
from jitcore.passes.infer.engine.operands import of_object
from jitcore.primitives.core import evaluation
from jitcore.runtime import random
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.transforms import GradientFunction
from jitcore.types import DType

__version__: Final = "2.7.0"
"""The version of MindSpore whose names these are."""

logger: Final = logging.getLogger("mindspore")


def tensor(
    input_data: Any = None,
    dtype: Any = None,
    shape: Any = None,
    init: Any = None,
    internal: bool = False,
    const_arg: bool = False,
) -> Tensor:
    """A new Tensor, as `Tensor(…)`."""
    del internal, const_arg
    return Tensor(input_data, dtype, shape, init)


def from_numpy(array: Any) -> Tensor:
    """A Tensor that shares the memory of an ndarray."""
    if not isinstance(array, np.ndarray):
        raise TypeError("Expected a NumPy array.")
    return Tensor.from_numpy(array)


_seed: list[int] = []


def set_seed(seed: int) -> None:
    """Make what is drawn from here on the same in every run. Raises TypeError or ValueError for no non-negative int."""
    if not isinstance(seed, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"The argument 'seed' must be type of int, but got {type(seed)}.")
    Validator.check_non_negative_int(seed, "seed", "global_seed")
    _seed[:] = [seed]
    common.set_seed(seed)


def get_seed() -> int | None:
    """The seed set last; None if none was."""
    return _seed[0] if _seed else None


def manual_seed(seed: int) -> None:
    """Make what is drawn from here on the same in every run."""
    common.set_seed(seed)


def seed() -> int:
    """Begin drawing anew from a seed of chance; gives it."""
    made = int(np.random.SeedSequence().generate_state(1)[0])
    common.set_seed(made)
    return made


def initial_seed() -> int:
    """The seed that numbers are drawn by."""
    present = random.present_seed()
    return seed() if present is None else present


def get_rng_state() -> Tensor:
    """The state of the generator that numbers are drawn by."""
    return of_framework(generator.get_rng_state())


def get_py_obj_dtype(obj: Any) -> Any:
    """The dtype of a number, of a Python type or of a Tensor's elements."""
    if isinstance(obj, AnyTensor):
        return obj.dtype
    return common.dtype.pytype_to_dtype(obj if isinstance(obj, type) else type(obj))


def run_check() -> None:
    """Multiply two Tensors and say that it works."""
    made = Tensor(np.ones((2, 3), np.float32)) @ Tensor(np.ones((3, 2), np.float32))
    if not np.array_equal(made.asnumpy(), np.full((2, 2), 3.0, np.float32)):
        raise RuntimeError("a product of matrices came out wrong")
    print(f"MindSpore version: {__version__}\nThe result of multiplication calculation is correct: jitcore on CPU.")


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
    return isinstance(obj, AnyTensor)


def get_level() -> str:
    """The level of MindSpore's log, as it numbers them."""
    return {logging.DEBUG: "0", logging.INFO: "1", logging.ERROR: "3"}.get(logger.getEffectiveLevel(), "2")


def get_log_config() -> dict[str, Any]:
    """The configuration of MindSpore's log."""
    return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}


def debug(msg: Any, *args: Any, **keywords: Any) -> None:
    """Log at this level."""
    logger.debug(msg, *args, **keywords)


def info(msg: Any, *args: Any, **keywords: Any) -> None:
    """Log at this level."""
    logger.info(msg, *args, **keywords)


def warning(msg: Any, *args: Any, **keywords: Any) -> None:
    """Log at this level."""
    logger.warning(msg, *args, **keywords)


def error(msg: Any, *args: Any, **keywords: Any) -> None:
    """Log at this level."""
    logger.error(msg, *args, **keywords)


def critical(msg: Any, *args: Any, **keywords: Any) -> None:
    """Log at this level."""
    logger.critical(msg, *args, **keywords)


# --- gradients --------------------------------------------------------------------------------------


def _as_mindspore(
    made: GradientFunction, weights: Any, *, sens: bool = False, by_position: bool = False
) -> GradientFunction:
    """A gradient function as MindSpore's are: by Tensors of integers too, and by one Parameter no tuple."""
    request: Any = made.__jitcore_gradient__
    if by_position:
        request = transforms_refused.ByPosition(*(getattr(request, f.name) for f in fields(request)))
    single = weights is not None and not isinstance(weights, tuple | list)
    numbers = bool(compile_config.GRAD_FOR_SCALAR)
    return MindSporeGradient(
        replace(request, integers=True, single_weight=single, sens=sens or request.sens, numbers=numbers)
    )


class GradOperation(composite.GradOperation):
    """`jitcore.ops.GradOperation`, but Tensors of integers have gradients (of integers), the gradient by a single
    Parameter is no tuple, and without weights a Cell's trainable Parameters are meant (all of them in PYNATIVE_MODE).
    Before MindSpore 1.0 the first argument was a name."""

    def __init__(self, *given: Any, name: str | None = None, **keywords: Any) -> None:
        # before MindSpore 1.0 the first argument was a name, which other arguments followed
        given = given[1:] if given and isinstance(given[0], str) and (keywords or len(given) > 1) else given
        names = ("get_all", "get_by_list", "sens_param")
        flags = dict(zip(names, given, strict=False)) | keywords
        for flag, value in flags.items():
            if flag in names and not isinstance(with_known_numbers(value, flag), bool):
                raise TypeError(f"For 'GradOperation', the '{flag}' should be bool, but got {type(value).__name__}")
        super().__init__(*given, **keywords)

    def __call__(self, fn: Any = ..., weights: Any = ...) -> Any:
        if fn is ...:
            if not evaluation.is_tracing():
                raise TypeError("GradOperation.__call__() missing 1 required positional argument: 'fn'")
            raise RuntimeError(
                "'GradOperation' requires a forward network or function as an input, while the input is empty."
            )
        if (error := _no_function(fn)) is not None:
            return refused(error)
        given, weights = weights is not ..., None if weights is ... else weights
        if self.get_by_list and weights is None:
            if evaluation.is_tracing() and not given:
                raise RuntimeError(
                    "For 'S_Prim_grad', the size of input should be 2, but got 1. Please check inputs of the operator."
                )
            weights = _parameters(fn) if isinstance(fn, Cell) else ()
        if self.get_by_list and (error := transforms_refused.unlisted(weights)) is not None:
            raise error
        listed = weights if weights is None or isinstance(weights, tuple | list) else (weights,)
        if (error := transforms_refused.unweighted(listed)) is not None:
            raise error
        return _as_mindspore(super().__call__(fn, listed), weights if self.get_by_list else None)


def _parameters(cell: Cell) -> list[Any]:
    if context.is_graph_mode() and not evaluation.is_tracing():
        return []
    return list(cell.get_parameters()) if settings.mode == PYNATIVE_MODE else cell.trainable_params()


def _no_function(fn: Any) -> TypeError | None:
    """What a call of the gradient of no function raises. Raises RuntimeError in graphs."""
    if not transforms_refused.is_no_function(fn):
        return None
    if transforms_refused.in_graph():
        raise transforms_refused.ungraded(fn)
    return TypeError(f"The fn should be callable, but got {type(fn).__name__}")


@library("raw")
def _gradient(make: Any, fn: Any, grad_position: Any, weights: Any, has_aux: bool, sens: bool) -> Any:
    if grad_position == ():
        end = "." if transforms_refused.in_graph() else "!"
        error: Any = RuntimeError(f"grad_position should not be empty when grad by position{end}")
        if evaluation.is_tracing():
            raise error
        return refused(error)
    if (error := _no_function(fn)) is not None:
        return refused(error)
    _require_positions(with_known_numbers(grad_position, "grad_position"), weights)
    if not isinstance(with_known_numbers(has_aux, "has_aux"), bool):
        raise TypeError(f"For '_Grad', the 'has_aux' should be bool, but got {type(has_aux).__name__}")
    if weights is not None and (error := transforms_refused.unlisted(weights)) is not None:
        raise error
    if transforms_refused.in_graph() or isinstance(weights, tuple | list):
        error = transforms_refused.unweighted(weights)
        if error is not None:
            raise error
    made = make(fn, _numbered(grad_position), weights, has_aux)
    return _as_mindspore(made, weights, sens=sens, by_position=grad_position is not None)


def _numbered(grad_position: Any) -> Any:
    """Positions as ints; a tuple of one is that one."""
    position = with_known_numbers(grad_position, "grad_position")
    if isinstance(position, tuple):
        return int(position[0]) if len(position) == 1 else tuple(map(int, position))
    return position if position is None else int(position)


def _require_positions(positions: Any, weights: Any) -> None:
    """Raise what MindSpore does for positions that are none."""
    if positions is None:
        if weights is None:
            quote = "'" if evaluation.is_tracing() else ""
            raise ValueError(f"{quote}`grad_position` and `weight` can not be None at the same time.{quote}")
        return
    if not isinstance(positions, int | tuple):
        raise TypeError("For 'F.grad', the 'grad_position' must be int or tuple.")
    listed = positions if isinstance(positions, tuple) else (positions,)
    if not all(isinstance(k, int) for k in listed):
        raise TypeError("For 'F.grad', the element in 'grad_position' must be int.")
    if isinstance(positions, bool) and evaluation.is_tracing():
        raise RuntimeError(f"Position element must be Int64Imm, but got {str(positions).lower()}")
    if any(k < 0 for k in listed):
        which = "The element in grad_position" if isinstance(positions, tuple) else "grad_position"
        raise ValueError(f"{which} must be >= 0.")
    if len(set(listed)) < len(listed):
        raise ValueError("There are duplicate positions in `grad_position`, please check it")


@library("raw")
def _require_bool(name: str, value: Any) -> None:
    if not isinstance(with_known_numbers(value, name), bool):
        raise TypeError(f"For '_Grad', the '{name}' should be bool, but got {type(value).__name__}")


def grad(
    fn: Callable[..., Any],
    grad_position: Any = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    *,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """The gradient function of `fn`; see `jitcore.grad`. With `return_ids`, each gradient comes with the number of its
    argument or the name of its Parameter; `get_grad` finds one by that. Before MindSpore 1.8 the third parameter was
    `sens_param`."""
    if isinstance(weights, bool):
        weights, sens_param = None, weights
    made = _gradient(transforms.grad, fn, grad_position, weights, has_aux, sens_param)
    _require_bool("return_ids", return_ids)
    if not return_ids:
        return made
    ids = _ids(grad_position, weights)

    def identified(*args: Any) -> Any:
        found = made(*args)
        return (_identified(ids, found[0], args), found[1]) if has_aux else _identified(ids, found, args)

    return identified


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Any = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that gives the value of `fn` and its gradients; see `jitcore.value_and_grad`, and `grad` for
    `return_ids`."""
    made = _gradient(transforms.value_and_grad, fn, grad_position, weights, has_aux, False)
    _require_bool("return_ids", return_ids)
    if not return_ids:
        return made
    ids = _ids(grad_position, weights)

    def identified(*args: Any) -> Any:
        value, found = made(*args)
        return value, _identified(ids, found, args)

    return identified


@library("raw")
def _ids(grad_position: Any, weights: Any) -> Any:
    """The identifiers of gradients, in their structure."""
    by_position = tuple(grad_position) if isinstance(grad_position, tuple | list) else grad_position
    if weights is None:
        return by_position
    by_weight = tuple(map(_name, weights)) if isinstance(weights, tuple | list) else _name(weights)
    return by_weight if grad_position is None else _Both((by_position, by_weight))


def _name(weight: Any) -> str:
    """The name of a Parameter, or of the one that an array of a program is."""
    source = getattr(weight, "source", None)
    return (weight if source is None else source).name


class _Both(tuple[Any, ...]):
    """Identifiers by position, and by weight."""

    __slots__ = ()


@library("raw")
def _identified(ids: Any, gradients: Any, args: tuple[Any, ...]) -> Any:
    if isinstance(ids, _Both):
        return tuple(_identified(i, g, args) for i, g in zip(ids, gradients, strict=True))
    if isinstance(gradients, tuple) and not gradients:  # there was nothing to differentiate by
        return gradients
    if isinstance(ids, tuple):
        if not isinstance(gradients, tuple) or len(gradients) < len(ids):  # numbers have no gradients
            ids = tuple(k for k in ids if not isinstance(k, int) or category(args[k]) == "tensor")
        return tuple(zip(ids, gradients, strict=True)) if isinstance(gradients, tuple) else (ids[0], gradients)
    return ids, gradients


@library("raw")
def get_grad(gradients: Any, identifier: Any) -> Any:
    """The gradient with an identifier (an argument's number, or a Parameter) among those of `grad(…,
    return_ids=True)`. Raises RuntimeError if there is none."""
    if isinstance(identifier, str | float | tuple | list):
        raise TypeError(f"For `get_grad`, the `x` should be an integer or a Parameter, but got {identifier}")
    wanted = identifier if isinstance(identifier, int) else _name(identifier)
    found = _find(gradients, wanted)
    if found is None:
        raise RuntimeError(f"Can not find the gradient for position or Parameter {identifier!r}")
    return found


def _find(gradients: Any, wanted: Any) -> Any:
    if not isinstance(gradients, tuple):
        return None
    if len(gradients) == 2 and type(gradients[0]) is type(wanted):
        return gradients[1] if gradients[0] == wanted else None
    return next((found for item in gradients if (found := _find(item, wanted)) is not None), None)


# --- dtypes -----------------------------------------------------------------------------------------


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether a type is the other, or one of a kind of them (`mstype.number`, `mstype.float_`, `mstype.int_`,
    `mstype.uint`, `mstype.tensor_type`)."""
    if isinstance(type_, DType) and isinstance(dtype, DTypeKind):
        return type_.kind in dtype.kinds
    return type_ is dtype or (dtype is tensor_type and isinstance(type_, TensorOf))


@library("raw")
def typeof(*args: Any) -> Any:
    """The type of a value: of Tensors with their dtype (`issubclass_` says that it is one), the dtype of a number, the
    kind of anything else."""
    if len(args) != 1:
        raise RuntimeError(f"The Typeof operator must requires 1 argument, but the size of arguments is {len(args)}.")
    (x,) = args
    if category(x) in ("tensor", "ndarray", "npscalar"):
        return TensorOf(dtype_of_value(x))
    if is_number(x):
        return common.dtype.pytype_to_dtype({"bool": bool, "int": int}.get(str(category(x)), float))
    if isinstance(x, dict | slice):
        return DTypeKind(type_text(of_object(x)))
    return next((found for cls, found in _KINDS if isinstance(x, cls)), function if callable(x) else type(x))


class DTypeKind:
    """A kind of dtypes, or a type of MindSpore's that is no dtype."""

    def __init__(self, name: str, kinds: str = "", shown: str = "") -> None:
        self.name = name
        self.kinds = kinds
        self.shown = shown or name

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"mindspore.{self.shown}"

    def __str__(self) -> str:
        return self.name


class StringType(DTypeKind):
    """The dtype of Tensors of strings."""

    kind: Final = "U"
    numpy: Final = np.dtype("U")
    itemsize: Final = 0
    is_float: Final = False
    is_integer: Final = False
    is_differentiable: Final = False


class TensorOf(DTypeKind):
    """The type of Tensors of a dtype."""

    def __init__(self, dtype: DType) -> None:
        super().__init__(f"Tensor[{dtype}]", "", f"tensor[{str(dtype).lower()}]")
        self.dtype = dtype

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorOf) and other.dtype is self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


number: Final = DTypeKind("Number", "iufc", "number")
int_: Final = DTypeKind("Int", "i", "int")
uint: Final = DTypeKind("UInt", "u", "uint")
float_: Final = DTypeKind("Float", "f", "float")
tensor_type: Final = DTypeKind("Tensor", "", "tensor")
tuple_: Final = DTypeKind("Tuple", "", "tuple_")
list_: Final = DTypeKind("List", "", "list_")
string: Final = StringType("String", "", "string_")
type_none: Final = DTypeKind("None", "", "type_none")
type_type: Final = DTypeKind("TypeType", "", "type_type")
function: Final = DTypeKind("Function", "", "function")
_KINDS: Final[tuple[tuple[type, DTypeKind], ...]] = (
    (tuple, tuple_), (range, tuple_), (list, list_), (str, string), (type(None), type_none),
    (DType, type_type), (type, type_type),
)  # fmt: skip
