"""Dialects: what another framework's arrays mean. A dialect is a class of Tensors with methods, operators and texts of
its own, and a record of the rules that are no methods.

    @dialect("torch", promotion=result_dtype)             # jitcore.runtime.dialects
    class Tensor(jitcore.Tensor):
        __slots__ = ()

        def size(self, dim=None): ...

What is computed of Tensors is a Tensor of the class of the first of them, line by line and compiled. In compiled code
an array's category says which class that is: `tensor` jitcore's own, `tensor:torch` the dialect's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from jitcore.structs import dataclass
from jitcore.types import DType

Promotion: TypeAlias = "Callable[[str, Sequence[tuple[DType, str, int]]], DType]"
"""Which dtype an elementwise operation (a primitive's name) computes in, of its operands' dtypes, categories and
ranks: see `promotion.result_dtype`."""

Refused: TypeAlias = "Callable[[BaseException], BaseException]"
"""What a framework raises where jitcore raises an exception."""

OWN: Final = "tensor"
"""The category of jitcore's own Tensors."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A class of Tensors, by the name that its category has; `promotion` of operations with one of them among the
    operands (None: jitcore's); `classes`: those in which what its Tensors have is looked up before jitcore's own;
    `refused`: what is raised of a call with its Tensors in place of what jitcore raises (None: the same)."""

    name: str
    cls: type
    promotion: Promotion | None
    classes: tuple[type, ...]
    refused: Refused | None = None

    @property
    def category(self) -> str:
        """The category of its Tensors in compiled code."""
        return f"{OWN}:{self.name}"

    def attribute(self, name: str) -> Any:
        """What its classes have under a name, as it stands there; None if nothing."""
        return next((vars(cls)[name] for cls in self.classes if name in vars(cls)), None)


known: Final[dict[str, Dialect]] = {}
"""The dialects there are, by the category of their Tensors."""


def dialect_of(value: object) -> Dialect | None:
    """The dialect that a Tensor is of; None of anything else."""
    return getattr(type(value), "_dialect", None)


def refused_by(category: str, error: BaseException) -> BaseException:
    """What the dialect of a category raises in place of an exception: the exception where there is none."""
    dialect = known.get(category)
    return error if dialect is None or dialect.refused is None else dialect.refused(error)


def is_tensor(category: str) -> bool:
    """Whether arrays of a category are Tensors, of whatever class."""
    return category == OWN or category in known


def kind_of(category: str) -> str:
    """The category without the class: `tensor` of all Tensors."""
    return OWN if category in known else category


def first_of(categories: Sequence[str]) -> str | None:
    """The category of what is made of arrays of these: that of the first Tensor with another framework's rules, else
    the first Tensor's; None if none of them is a Tensor."""
    tensors = [c for c in categories if is_tensor(c)]
    return next((c for c in tensors if c != OWN), tensors[0] if tensors else None)


def register(dialect: Dialect) -> None:
    """Add a dialect. Raises ValueError if there is one of its name."""
    if dialect.category in known:
        raise ValueError(f"there is a dialect {dialect.name!r} already: {known[dialect.category].cls!r}")
    known[dialect.category] = dialect


def promotion_of(dialects: Sequence[Dialect | None]) -> Promotion | None:
    """The promotion of the first dialect among those of operands that has one."""
    return next((d.promotion for d in dialects if d is not None and d.promotion is not None), None)
