"""Where MindSpore's operators are declared: one decorated function is `ops.name`, the class `ops.Name` and
`Tensor.name`.

    @operator("addcmul Addcmul .addcmul")
    def addcmul(input, tensor1, tensor2, value=1): …

A name with a capital is a class, whose constructor takes the function's keyword-only parameters; a name after a dot is
a method of Tensors; any other is a function. Parameters have had several names in MindSpore's versions: the others are
understood as keywords.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, Final, TypeVar

from jitcore.library.core.marking import library
from jitcore.library.core.values import Policy

_F = TypeVar("_F", bound=Callable[..., Any])
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
CLASSES: Final[dict[str, Callable[..., Any]]] = {}
METHODS: Final[dict[str, Callable[..., Any]]] = {}
PROPERTIES: Final[dict[str, Callable[..., Any]]] = {}


def operator(names: str, policy: Policy = "tensor") -> Callable[[_F], _F]:
    """Declare an operator under the given names. The function itself stays as it is, for others to call."""

    def declare(function: _F) -> _F:
        marked = library(policy)(_understanding(function))
        for name in names.split():
            if name.startswith("."):
                _add(METHODS, name[1:], marked)
            else:
                _add(CLASSES if name[0].isupper() else FUNCTIONS, name, marked)
        return function

    return declare


def prop(name: str) -> Callable[[_F], _F]:
    """Declare an attribute of Tensors."""

    def declare(function: _F) -> _F:
        _add(PROPERTIES, name, library("tensor")(function))
        return function

    return declare


def in_constructor(cls: str, function: Callable[..., Any], *params: str) -> None:
    """Declare a class that does what a function does, and whose constructor takes some of the function's parameters."""
    declared = inspect.signature(function).parameters
    operands = [p for name, p in declared.items() if name not in params]
    names = [p.name for p in operands]

    def call(*args: Any, **keywords: Any) -> Any:
        return function(**dict(zip(names, args, strict=False)), **keywords)

    call.__doc__ = function.__doc__
    call.__dict__["__signature__"] = inspect.Signature(
        [*operands, *(declared[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in params)]
    )
    operator(cls)(call)


_FIRST: Final = frozenset(
    [
        "input",
        "x",
        "input_x",
        "a",
        "A",
        "arr",
        "tensor",
        "tensors",
        "arrays",
        "tup",
        "xs",
        "x1",
        "self",
        "inputs",
        "features",
        "images",
        "logits",
        "value",
    ]
)
_SECOND: Final = frozenset(["other", "y", "input_y", "exponent", "vec2", "x2", "values", "mat2", "batch2"])
_SAME: Final = tuple(
    map(
        frozenset,
        (
            ("axis", "dim", "axes", "dims"),
            ("keepdims", "keep_dims", "keepdim"),
            ("dim0", "axis0", "axis1"),
            ("alpha", "negative_slope"),
            ("label", "labels", "target", "targets"),
            ("axis", "start_dim"),
            ("shape", "size"),
            ("indices", "index", "input_indices"),
            ("min", "clip_value_min"),
            ("max", "clip_value_max"),
            ("input_perm", "perm", "axis", "dims"),
            ("sections", "split_size_or_sections", "indices_or_sections"),
            ("eps", "epsilon"),
            ("unbiased", "ddof", "correction"),
            ("return_inverse", "return_idx"),
            ("multiples", "dims", "reps"),
            ("ord", "p"),
        ),
    )
)
"""Names of the same parameter."""


def _understanding(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of its own that takes keywords by their other names as well."""

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if keywords:
            own, open_ended = _parameters(function)
            if not open_ended and not own.keys() >= keywords.keys():
                keywords = {_known(name, list(own), len(args), keywords): value for name, value in keywords.items()}
        return function(*args, **keywords)

    return call


@cache
def _parameters(function: Callable[..., Any]) -> tuple[dict[str, None], bool]:
    """The names of a function's parameters, and whether it takes any others."""
    params = inspect.signature(function).parameters.values()
    own = dict.fromkeys(p.name for p in params if p.kind is not inspect.Parameter.VAR_POSITIONAL)
    return own, any(p.kind is inspect.Parameter.VAR_KEYWORD for p in params)


def understands(function: Callable[..., Any], name: str, given: int) -> bool:
    """Whether a call of an operator with so many operands may have a keyword of a name."""
    own, open_ended = _parameters(function)
    return open_ended or name in own or _known(name, list(own), given, {}) in own


def _known(name: str, own: Sequence[str], given: int, keywords: dict[str, Any]) -> str:
    """The parameter that a keyword means; the keyword itself if it means none."""
    if name in own:
        return name
    free = [p for p in own[given:] if p not in keywords]
    for place, others in ((0, _FIRST), (1, _SECOND)):
        if name in others and len(own) > place and own[place] in free:
            return own[place]
    return next((p for p in free if any(name in same and p in same for same in _SAME)), name)


def _add(table: dict[str, Callable[..., Any]], name: str, function: Callable[..., Any]) -> None:
    if name in table:
        raise ValueError(f"the operator {name!r} is declared twice")
    table[name] = function
