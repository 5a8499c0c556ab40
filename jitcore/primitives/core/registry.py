"""What a primitive is: one declaration from which every part of jitcore derives its behaviour.

A primitive is an operator of the IR over typed values. Calling it (`mul(x, y)`) evaluates it by whatever
evaluator is current (`primitives.core.evaluation`): eagerly on arrays, or by writing a binding into the graph
being built. Gradient rules, decompositions and the public `ops` are plain functions made of such calls, so
they are written once for both modes.

Declare it in one of this package's family files, with `declare(...)`; nothing else needs to know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from jitcore.ir.nodes import PURE, Binding, Effects, Op, type_of
from jitcore.primitives.core import evaluation
from jitcore.program.nodes import DirectCall
from jitcore.structs import dataclass, field
from jitcore.types import DType, Type

if TYPE_CHECKING:
    from jitcore.primitives.core.batching import Batch

TypeRule: TypeAlias = "Callable[..., Type | tuple[Type, ...]]"
"""rule(*argument types, **params) -> the result's type, or a tuple of them. Raises TypeError or ValueError with
NumPy's own message where it has one."""


# --- gradient rules ---------------------------------------------------------------------------------


class NoDerivativeError(TypeError):
    """There is no derivative, and the function is not locally constant: rules raise it, saying why."""


@dataclass(frozen=True, slots=True)
class Partials:
    """Derivatives of an elementwise function: `rule(out, *args, **params)` gives, for every argument, a function of
    no arguments computing d out / d arg (elementwise), or None where it is zero everywhere it exists.

    Both directions derive from it: jvp = sum of partial * tangent, vjp = partial * cotangent, summed over
    broadcast axes.
    """

    rule: Callable[..., Sequence[Callable[[], Any] | None]]


@dataclass(frozen=True, slots=True)
class Linear:
    """A function linear in the arguments numbered `args` (jointly): its jvp is itself on the tangents.

    `transpose(cotangents, *args, **params)` gives a cotangent (or None) for every argument; of the linear
    ones only the types may be asked.
    """

    args: tuple[int, ...]
    transpose: Callable[..., Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Multilinear:
    """Linear in each of several arguments separately (a matrix product):
    `transposes[i](cotangent, *args, **params)`."""

    transposes: Mapping[int, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Vjp:
    """A rule for reverse mode, and one for forward mode.

    `vjp(cotangents, outs, *args, **params)` gives a cotangent (or None) for every argument; `cotangents` has one
    for every output (None for one that nobody differentiates through).
    `jvp(tangents, outs, *args, **params)` gives a tangent (or None) for every output.
    """

    vjp: Callable[..., Sequence[Any]]
    jvp: Callable[..., Sequence[Any]] | None


@dataclass(frozen=True, slots=True)
class Nondifferentiable:
    """No derivative, and why: comparisons are locally constant (`zero`), or the rule does not exist (an error)."""

    reason: str
    zero: bool = True


@dataclass(frozen=True, slots=True)
class Structural:
    """The transforms themselves know how: what an operator does `of` refs, stacks or unions."""

    of: Literal["ref", "stack", "union"]


Derivative: TypeAlias = "Partials | Linear | Multilinear | Vjp | Nondifferentiable | Structural"


# --- how it is computed -----------------------------------------------------------------------------


class ScalarWriter(Protocol):
    """What `ScalarCode.emit` writes with; its values are whatever the writer's program is made of."""

    def __call__(self, op: str, dtype: DType, *args: Any) -> Any:
        """`op(args…)` of `kernel.scalar.OPS`, giving `dtype`."""
        ...

    def const(self, dtype: DType, value: bool | int | float | complex) -> Any:
        """A constant."""
        ...

    def check(self, ok: Any, exception: str, message: str, *values: Any) -> None:
        """Unless `ok`, raise `exception` here; `{0}` … in its message are `values`. What follows is not evaluated
        then."""
        ...


@dataclass(frozen=True, slots=True)
class Elementwise:
    """One scalar at a time with NumPy's broadcasting: the name of a `kernel.scalar` operation, or
    `emit(k, *args, **params)` where `k(op, dtype, *args)` gives the result of an operation and `k.const(dtype, v)` a
    constant; arguments and results have a `dtype`. `exact`: IEEE 754 or integer arithmetic fixes the result to the bit:
    the reference gives what a kernel does, which approximates others."""

    emit: str | Callable[..., Any]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Reduce:
    """A fold over `axis` (a tuple of non-negative ints; params `axis` and `keepdims`), with `kernel.nodes.Reduction`'s
    op."""

    op: str


@dataclass(frozen=True, slots=True)
class View:
    """The same memory seen through another index map: `describe(view, *args, **params) -> ArrayLayout`, where `view`
    is an ArrayLayout and number arguments come as dimensions. None where no strides can say it (a reshape of a
    transposed array): the elements are then copied into order first."""

    describe: Callable[..., Any]
    computed: bool = False
    """Whether a kernel can compute through it for any operand."""


@dataclass(frozen=True, slots=True)
class Window:
    """A ref to a part of what a ref refers to, as a view is of an array."""

    view: Primitive


@dataclass(frozen=True, slots=True)
class KernelTemplate:
    """`build(t, *operands, **params)` makes the launches with `t`, a `kernel.build.Template`; for gather, scatter, pad,
    concatenate, iota, pooling windows, contractions. An output nobody writes whole must be zeroed by a launch.

    `moves`: it only moves elements (or finds places), so that its NumPy reference gives the same bits. `contracts`: it
    is a sum of products over some indices, of operands of one dtype."""

    build: Callable[..., Any]
    moves: bool = False
    contracts: bool = False
    generates: bool = False
    """Whether an element depends on its index alone, so that other kernels can compute it."""


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Other primitives: `expand(*args, **params)` gives the result(s)."""

    expand: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class ScalarCode:
    """Python numbers: `emit(p, *args, **params)` gives the result, where `p` is a `ScalarWriter`. Rank-0 arrays among
    the arguments and results are their elements."""

    emit: Callable[..., Any]


def elements(shapes: Sequence[Sequence[int]]) -> float:
    """How many elements arrays have."""
    return sum(map(math.prod, shapes))


@dataclass(frozen=True, slots=True)
class HostCode:
    """The NumPy reference, called with the GIL held.

    `callee`: for static parameters, a function that is called instead of the reference where all arguments and the
    result are Python numbers: it takes and gives those themselves. None where there is no such function.
    """

    callee: Callable[..., Callable[..., Any] | None] | None = None
    objects: int = 0
    """How many of the first arguments, ints, are addresses of Python's objects: `callee` is given those."""
    direct: Callable[..., DirectCall] | None = None
    """For a size and the static parameters, what native code may call in place of the reference. Such a primitive has
    two parameters that may be symbolic: `size`, a tuple whose extents are passed as arguments, or None; and `shape`,
    which is the rule's alone."""
    quick: bool = False
    """Whether it is a moment's work of the runtime's own, of which the user need not be told in loops."""
    cost: Callable[[Sequence[Sequence[int]]], float] = elements
    """About how much there is to do for arrays of some shapes, in elements that are sorted (see `long_calls`)."""
    by_dialect: bool = False
    """Whether what it raises depends on a static parameter `dialect`, the category of a dialect's Tensors."""


@dataclass(frozen=True, slots=True)
class Builtin:
    """The `plan` pass itself knows how: refs, stacks, checks. `of_values`: it depends on the values of its arguments
    alone, so that what the reference gives, or raises, of constants is what it does."""

    of_values: bool = False
    memory: Literal["own", "shared", "grown"] = "own"
    """Where the results lie: in memory of their own, in the arguments', or in the first one's, if it has room."""


Lowering: TypeAlias = (
    "Elementwise | Reduce | View | Window | KernelTemplate | Decomposition | ScalarCode | HostCode | Builtin"
)


# --- samples ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """One call for the generated tests: NumPy arrays and Python scalars, and static params.

    `differentiable`: whether finite differences are meaningful there (no ties, no kinks).
    """

    args: tuple[Any, ...]
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    differentiable: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A ref among a sample's arguments: the memory of `array`."""

    array: Any


@dataclass(frozen=True, slots=True, eq=False)
class StackSample:
    """A stack among a sample's arguments: what has been pushed on it, in order, as tuples of values."""

    entries: tuple[tuple[Any, ...], ...] = ()


class Primitive(Op):
    """See the module's docstring; made by `declare`."""

    __slots__ = (
        "arguments", "batch", "derivative", "doc", "lowering", "makes_new_array", "reference", "rule", "samples",
        "version",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        arguments: tuple[str, ...],
        rule: TypeRule,
        reference: Callable[..., Any],
        lowering: Lowering,
        derivative: Derivative,
        samples: Callable[[], Iterable[Sample]],
        effects: Effects = PURE,
        batch: Batch | None = None,
        doc: str = "",
        version: int = 1,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.rule = rule
        self.reference = reference
        self.lowering = lowering
        self.derivative = derivative
        self.samples = samples
        self.effects = effects
        self.batch = batch
        self.doc = doc
        self.version = version
        """Another one where what it computes or its parameters mean something else: exported models name it."""
        self.makes_new_array = isinstance(lowering, Elementwise | Reduce | KernelTemplate | ScalarCode)
        """Whether its array results are in memory that nothing else shares."""

    def __call__(self, *args: Any, **params: Any) -> Any:
        """Evaluate by the current evaluator. One result is given bare, several as a tuple, none as None."""
        return evaluation.bind(self, args, params)

    def types(self, arg_types: Sequence[Type], params: Mapping[str, Any]) -> tuple[Type, ...]:
        """The result types for argument types."""
        found = self.rule(*arg_types, **params)
        return found if isinstance(found, tuple) else (found,)

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        return self.types([type_of(a) for a in binding.args], binding.params)


PRIMITIVES: Final[dict[str, Primitive]] = {}
"""Every primitive by name. Filled by importing `jitcore.primitives`."""


def declare(
    name: str,
    arguments: str,
    *,
    rule: TypeRule,
    reference: Callable[..., Any],
    lowering: Lowering,
    derivative: Derivative,
    samples: Callable[[], Iterable[Sample]],
    effects: Effects = PURE,
    batch: Batch | None = None,
    doc: str = "",
    version: int = 1,
) -> Primitive:
    """Declare a primitive.

    `arguments` names the operands (`"x y"`; a last `*xs` takes any number). `reference(*args, **params)` computes it
    with NumPy: arrays in, array(s) out; it is the oracle of the tests and what the interpreter backend runs.
    """
    if name in PRIMITIVES:
        raise ValueError(f"primitive {name!r} is declared twice")
    primitive = Primitive(
        name, tuple(arguments.split()), rule, reference, lowering, derivative, samples, effects, batch, doc, version
    )
    PRIMITIVES[name] = primitive
    return primitive
