"""How Paddle's functions are declared here: as library functions, under Paddle's names of their arguments.

    @operation
    def argmin(x, axis=None, keepdim=False, dtype="int64", name=None):
        return elementwise.astype(reductions.argmin(x, axis, keepdim), as_dtype(dtype))

They are the same line by line and in compiled code. Each is in `FUNCTIONS`, and with `@method` also a method of
Tensors; those of `paddle.nn.functional` are declared with `@network`, those that make Tensors of nothing with
`@creating`. All calls that are not within compiled code go by `recorder` first.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

from jitcore.library.core import marking
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, require_equal, shape_of
from jitcore.primitives.core import dialects, evaluation
from jitcore.runtime import nodes
from jitcore.types import DType

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""Those of the module `paddle`, by name."""
NETWORK: Final[dict[str, Callable[..., Any]]] = {}
"""Those of `paddle.nn.functional`, by name."""
LINALG: Final[dict[str, Callable[..., Any]]] = {}
"""Those of `paddle.linalg` that are not in the module `paddle`, by name."""
METHODS: Final[dict[str, Any]] = {}
"""Those of Tensors, by name."""
CREATING: Final[set[Callable[..., Any]]] = set()
"""Operations that make Tensors of nothing."""
CATEGORY: Final = "tensor:paddle"


class Recorder(Protocol):
    """What takes calls of operations over that are to be part of a program, not computed now."""

    def wants(self, function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
        """Whether a call is to be recorded."""
        ...

    def record(self, function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """What the recorded call gives. Called with real Tensors while nothing is recorded, `function` computes it."""
        ...


recorder: Recorder | None = None
"""What is asked before an operation is computed."""


def set_recorder(new: Recorder | None) -> None:
    """Ask `new` before operations are computed; None: compute them."""
    global recorder
    recorder = new


def refusal(error: BaseException) -> BaseException:
    """What Paddle raises where the library raises RuntimeError of arguments that do not go together."""
    return ValueError(str(error)) if type(error) is RuntimeError else error


def operation(declaration: F) -> F:
    """A function of Paddle's as line by line and compiled code call it. Besides the arguments that are declared it
    takes `name`, which is ignored, `out`, Tensors that get the results, and other words for `x`, `y` and `axis`.
    RuntimeErrors of the library are raised as ValueErrors, as Paddle raises them of arguments."""
    label = cast("Any", declaration).__name__

    known = _arguments(declaration)

    def called(args: tuple[object, ...], keywords: dict[str, object]) -> Any:
        if not keywords:
            return declaration(*args)
        named = {name if name in known else _ALIASES.get(name, name): value for name, value in keywords.items()}
        if "name" not in known:
            named.pop("name", None)
        out = None if "out" in known else named.pop("out", None)
        made = declaration(*args, **named)
        return made if out is None else _written(out, made)

    @functools.wraps(declaration)
    def computed(*args: object, **keywords: object) -> Any:
        mode = nodes.this_thread.mode
        if mode.label is not None:
            return called(args, keywords)
        mode.label = label
        try:
            return called(args, keywords)
        except RuntimeError as error:
            if refusal(error) is error:
                raise
            raise refusal(error) from None
        finally:
            mode.label = None

    served = marking.library()(computed)

    @functools.wraps(declaration)
    def call(*args: object, **keywords: object) -> Any:
        if recorder is not None and not evaluation.is_tracing() and recorder.wants(call, args, keywords):
            return recorder.record(call, args, keywords)
        return served(*args, **keywords)

    return cast("F", marking.library("raw")(call))


_ALIASES: Final = {"input": "x", "other": "y", "dim": "axis", "tensors": "x", "keepdims": "keepdim"}
"""PyTorch's names of arguments, which Paddle takes, too."""


def _arguments(declaration: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(declaration).parameters)


def _written(out: object, made: object) -> Any:
    """The Tensors of `out=`, to which results are written. Raises ValueError unless they have their shapes."""
    targets = cast("Sequence[Any]", out) if isinstance(out, tuple | list) else [out]
    results = cast("Sequence[Any]", made) if isinstance(made, tuple | list) else [made]
    for target, result in zip(targets, results, strict=True):
        if len(shape_of(target)) != len(shape_of(result)):
            raise ValueError(f"out= has the shape {list(shape_of(target))}, the result {list(shape_of(result))}")
        for a, b in zip(shape_of(target), shape_of(result), strict=True):
            require_equal(a, b, "out= has another shape than the result: an extent is {0}, not {1}")
        evaluator().write(target, as_array(result, dtype_of_value(target)))
    return out


def function(declaration: F) -> F:
    """Declare a function of the module `paddle`, under its own name (less an underscore at its end, if the name means
    something else in Python)."""
    made = operation(declaration)
    FUNCTIONS[_name(declaration)] = made
    return made


def method(declaration: F) -> F:
    """Declare a function of the module `paddle` that is a method, too."""
    made = function(declaration)
    METHODS[_name(declaration)] = made
    return made


def only_method(declaration: F) -> F:
    """Declare a method that is no function."""
    made = operation(declaration)
    METHODS[_name(declaration)] = made
    return made


def network(declaration: F) -> F:
    """Declare a function of `paddle.nn.functional`."""
    made = operation(declaration)
    NETWORK[_name(declaration)] = made
    return made


def linear(declaration: F) -> F:
    """Declare a function of `paddle.linalg` that the module `paddle` has not."""
    made = operation(declaration)
    LINALG[_name(declaration)] = made
    return made


def made_of_nothing(declaration: F) -> F:
    """A function that makes Tensors of no Tensor, or not of Tensors alone."""

    @functools.wraps(declaration)
    def made_here(*args: object, **keywords: object) -> Any:
        return as_paddle(marking.finish(declaration(*args, **keywords), "tensor"))

    made = operation(cast("F", made_here))
    CREATING.add(made)
    return made


def creating(declaration: F) -> F:
    """Declare a function of the module `paddle` that makes a Tensor of nothing."""
    made = made_of_nothing(declaration)
    FUNCTIONS[_name(declaration)] = made
    return made


_RESERVED: Final = frozenset(["bool", "float", "int", "complex", "long", "slice", "range", "cast", "shape", "rank"])
"""Names that modules have otherwise: declared with an underscore behind them."""


def _name(declaration: Callable[..., Any]) -> str:
    name = cast("Any", declaration).__name__
    return name.removesuffix("_") if name.removesuffix("_") in _RESERVED else name


def alias(name: str, of: str) -> None:
    """Declare another name of a function, and of the method."""
    for table in (FUNCTIONS, METHODS, NETWORK, LINALG):
        if of in table:
            table[name] = table[of]


def as_paddle(made: object) -> Any:
    """Tensors just made, as Paddle's."""
    if isinstance(made, tuple | list):
        return type(made)(as_paddle(item) for item in cast("list[object]", made))
    return evaluator().in_dialect(made, dialects.known[CATEGORY])


def dtype_or(dtype: object, default: DType) -> DType:
    """The dtype that an argument means, `default` if it is None."""
    return default if dtype is None else as_dtype(dtype)
