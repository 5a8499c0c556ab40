"""The state of an inference, and how it runs a graph abstractly while writing the typed one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore import stopping
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var
from jitcore.ir.python import UNDEFINED_VALUE, UNREACHED, FunctionSource
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.infer.domain import abstract, forms, representations
from jitcore.passes.infer.domain.assumptions import Assumptions, NeedsStaticError
from jitcore.passes.infer.domain.forms import SCALARS, Form
from jitcore.passes.infer.domain.heap import Heap
from jitcore.passes.infer.domain.list_forms import Pooling
from jitcore.passes.infer.domain.signature import Arg
from jitcore.passes.infer.domain.values import (
    NO_PATHS,
    UNDEFINED,
    Array,
    Buffer,
    Char,
    Fields,
    Maybe,
    Number,
    Origin,
    Path,
    PoolRow,
    PythonError,
    Restart,
    Row,
    Static,
    String,
    Text,
    Union,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import (
    branching,
    dialect,
    failures,
    handlers,
    known_values,
    outside,
    rows,
)
from jitcore.passes.infer.engine.budget import KINDS, Budget
from jitcore.passes.infer.engine.inlining import Inlining
from jitcore.passes.infer.engine.inputs import Inputs
from jitcore.passes.infer.engine.loops import Loops
from jitcore.passes.infer.engine.number_extents import NumberExtents
from jitcore.passes.infer.engine.outside import Outside
from jitcore.passes.infer.engine.overwriting import Overwrites
from jitcore.passes.infer.engine.paths_taken import Paths
from jitcore.passes.infer.engine.recursion import Recursions
from jitcore.primitives.core import python_numbers
from jitcore.primitives.core.dialects import ProgramRules
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import conversions, python_ints, state, unions
from jitcore.source import CompileError, InternalError, Problem, Span
from jitcore.structs import dataclass, field
from jitcore.types import (
    BOOL,
    INT,
    Dim,
    RefType,
    ScalarType,
    TensorType,
    Type,
    dim_text,
    has_extents,
    values_of_text,
    without_marks,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from jitcore.passes.infer.engine.attempts import Attempt


@dataclass(frozen=True, slots=True)
class Environment:
    """What inference asks of the layers around it."""

    source_of: Callable[[FunctionType], FunctionSource]
    describe: Callable[[Any], Arg | None]
    """The description of a captured object that has a run-time value (array, tensor, number), or None."""
    budget: Budget = field(default_factory=Budget)
    """The work of the compilation."""
    attributes: frozenset[str] | None = None
    """Where ndarrays stand for arrays of another library: the attributes that mean the same there."""
    rules: ProgramRules | None = None
    """Of the framework that the program is of, if it is not jitcore's own."""
    judged: bool = True
    """Whether that framework would compile the program too, and so refuse its source, paths and exceptions."""
    has_boxes: bool = True
    """Whether containers and strings may live in boxes, which are in the host's memory."""


class Infer:
    """One attempt at inferring a program; a Restart ends it, and a new one begins with higher assumptions."""

    def __init__(self, environment: Environment, assumptions: Assumptions, name: str, span: Span) -> None:
        self.environment = environment
        self.assumptions = assumptions
        self.rules = environment.rules
        self.is_stale = False
        """Whether this attempt has marked something without being ended: its result must not be used."""
        self._joined: dict[Origin, frozenset[Origin]] = {}
        """Of an array that met others where control flow joins: all those."""
        self.builder = GraphBuilder(name, span)
        self.local_names: frozenset[str] = frozenset()
        """The variables of the function that is inferred."""
        self._named: dict[Var, int] = {}
        """Variables that have the name of one in a function, by how many calls that is inlined into."""
        self.heap = Heap(self.unsupported, assumptions)
        self.inputs = Inputs(self, self.builder)
        self.calls: tuple[Any, ...] = ()
        """The bindings of the calls being inlined, outermost first: with a binding, it names a place in the program."""
        self.caller: Span | None = None
        self.inlining, self.loops, self.recursions, self.outside = Inlining(), Loops(), Recursions(), Outside()
        self.written: set[Origin] = set()
        """The arrays that are places and were written to."""
        self.parts_of_items: dict[Atom, tuple[Form, tuple[Atom, ...]]] = {}
        """By the atom of a union that was read of a list of run-time length: the form of the item, and its parts."""
        self.modules: dict[str, Graph] = {}
        self.binding: Binding | None = None
        self.paths_taken, self.notes_paths = Paths(), environment.judged and environment.rules is not None
        self.attempts: list[Attempt] = []
        """The bodies of `try` being inferred, outermost first."""
        self.caught: list[Value] = []
        """What the handlers being inferred caught, outermost first."""
        self.entry_name = name
        self.differentiating = 0
        self.of_elements = 0
        """How many gradients are being taken of what is being inferred."""
        self.differentiated: list[Graph] = []
        """The graphs that gradients were taken of, as they were before."""
        self.guards: dict[Path, Any] = {}
        self.paths: dict[int, Path] = {}
        """How objects that library functions were given were reached, by id (guards keep them alive)."""
        self.layouts: dict[Atom, ArrayLayout] = {}
        """How the elements of arrays lie in memory, where that is known."""
        self.overwrites = Overwrites()
        self.spread: set[Atom] = set()
        """Views that may show more elements than are in memory."""
        self.heap.changing = self._changing
        self.heap.read_row = self._read_row
        self.heap.view_pooled = self._view_pooled
        self.heap.change_pooled = self._change_pooled
        self.moves_from = 0
        """Objects with lesser keys are not moved (`values.Moved`): another round of a loop, or another call, would find
        them so."""
        self.scope_from = 0
        """Lists, dicts and objects with lesser keys are older than the innermost branch or loop."""
        self.extents = NumberExtents(self, self.builder)
        self.budget = environment.budget
        self.cell: object = None
        """The innermost Cell whose code is being inferred."""
        self.layer: Any = None
        """What makes the code being inferred that of a layer (`budget.layer_of`)."""
        self.wholes: list[tuple[type, Atom]] = []
        """The strings, with their classes, of which parts are in what is being described."""
        self.pooling = Pooling(assumptions.uses_pools)
        if self.pooling.is_used:
            self.pooling.pools = representations.pools_of_program(self)
            self.heap.made = self._note_birth

    # --- places -------------------------------------------------------------------------------------

    def at(self, span: Span) -> None:
        """What is emitted next stands at `span` (of the function being inlined)."""
        self.builder.span = span if self.caller is None else span.called_from(self.caller)

    @property
    def span(self) -> Span:
        return self.builder.span

    @property
    def uses_boxes(self) -> bool:
        """Whether containers and strings that the program makes live in boxes."""
        return self.assumptions.uses_boxes

    @property
    def may_have_boxes(self) -> bool:
        """Whether they may, where that has not been tried: not in memory other than the host's, nor by the rules of
        another framework."""
        return self.rules is None and self.environment.has_boxes

    def place(self) -> tuple[Any, ...]:
        """A key for the current binding that is the same in every restart."""
        return (*self.calls, self.binding)

    # --- emitting -----------------------------------------------------------------------------------

    def emit_all(self, primitive: Primitive, *args: Atom, **params: Any) -> tuple[Var, ...]:
        """Append a primitive to the graph being built."""
        self.budget.emitted()
        if "message" in params and has_extents(params["message"]):
            primitive, args, params = self._with_extents(primitive, args, params)
        if self.attempts and primitive.effects.raises:
            self.before_raise(primitive, args, params)
        outs = self.builder.emit(primitive, args, params)
        if self.notes_paths:
            self.paths_taken.note(args, outs)
        return outs

    def emit(self, primitive: Primitive, *args: Atom, **params: Any) -> Var:
        """Append a primitive with one result."""
        self.budget.emitted()
        if self.attempts and primitive.effects.raises:
            self.before_raise(primitive, args, params)
        (out,) = self.builder.emit(primitive, args, params)
        if self.notes_paths:
            self.paths_taken.note(args, (out,))
        return out

    def _with_extents(
        self, primitive: Primitive, args: tuple[Atom, ...], params: dict[str, Any]
    ) -> tuple[Primitive, tuple[Atom, ...], dict[str, Any]]:
        """A check with the extents in its message as values of it, as many as there may be."""
        message: str = params["message"]
        if primitive is not conversions.check_extents:
            message, dims = values_of_text(message, len(args) - 1)
            if len(args) - 1 + len(dims) <= conversions.MOST_VALUES:
                return primitive, (*args, *self.extent_atoms(dims)), {**params, "message": message}
            return primitive, args, {**params, "message": without_marks(params["message"])}
        compared = (params["a"], params["b"])
        for k, dim in enumerate(compared):
            message = message.replace(f"{{{k}}}", dim_text(dim))
        message, dims = values_of_text(message, 0)
        if len(dims) > conversions.MOST_VALUES:
            return primitive, args, {**params, "message": without_marks(params["message"])}
        same = self.emit(python_ints.int_eq, *self.extent_atoms(compared))
        arguments = (same, *self.extent_atoms(dims))
        return conversions.check, arguments, {"exception": params.get("exception", "ValueError"), "message": message}

    def extent_atoms(self, dims: Sequence[Dim]) -> list[Atom]:
        """Extents as ints."""
        return [self.number_atom(self.extent(d), INT) for d in dims]

    def before_raise(self, primitive: Primitive, args: Sequence[Atom], params: dict[str, Any]) -> None:
        """A primitive that may raise is about to be emitted in the body of a `try`."""
        abstract.before_raise(self, primitive, args, params)

    def number_atom(self, value: Value, type_: ScalarType) -> Atom:
        """The atom of a number value of exactly this type."""
        if isinstance(value, Static) and SCALARS.get(type(value.value)) is type_:
            if isinstance(value.value, int) and not -(2**63) <= value.value < 2**63:
                raise PythonError(OverflowError(python_numbers.past_64_bits(value.value)))
            return Literal(value.value, type_)
        if isinstance(value, Number) and value.type is type_:
            return value.atom
        raise InternalError(f"{value!r} is not a number of type {type_!r}")

    def unsupported(self, message: str, hint: str = "") -> CompileError:
        """The error for what the compiler does not do at the current place."""
        return self.refused([Problem(self.span, without_marks(message), hint)])

    def refused(self, problems: Sequence[Problem], headline: str = "cannot be compiled") -> CompileError:
        """The error for what cannot be compiled as the program is inferred: `() if flag else None` has one type where
        the flag is known."""
        paths = known_values.decisive(self)
        if paths:
            return NeedsStaticError(problems, headline, paths)
        return CompileError(problems, headline)

    def _read_row(self, row: Row) -> Fields:
        return rows.read(self, row)

    def _view_pooled(self, row: PoolRow) -> Buffer:
        return representations.contents_of_pooled(self, row)

    def _change_pooled(self, row: PoolRow, contents: Any) -> None:
        representations.replace_pooled(self, row, contents)

    def _note_birth(self, key: int) -> None:
        self.pooling.births[key] = self.place()

    def _changing(self, key: int) -> None:
        outside.changing(self, key)

    # --- restarts -----------------------------------------------------------------------------------

    def constant_of(self, atom: Atom) -> Any:
        """What an array holds that was made of a constant (`Tensor(2)`), None for others."""
        if atom in self.overwrites.done:
            return None
        if isinstance(atom, Var):
            maker = next((b for b in reversed(self.builder.body) if atom in b.outs), None)
            if maker is None or maker.op is not conversions.from_scalar:
                return None
            (atom,) = maker.args
        return atom.value if isinstance(atom, Literal) else None

    def mark_refs(self, origins: frozenset[Origin]) -> None:
        """Make these arrays places that can be written, in the next attempt. This one goes on, to find out what else it
        should have known, but what it infers is stale."""
        if not origins or (origins <= self.assumptions.refs and not self.is_stale):
            raise InternalError("an array that must be a place has no origin")
        self.assumptions.refs |= origins.union(*(self._joined.get(origin, NO_PATHS) for origin in origins))
        self.is_stale = True

    def join_origins(self, origins: frozenset[Origin]) -> None:
        """Note arrays that one variable may hold: if one of them must be a place, all must."""
        if len(origins) < 2 or all(origins <= self._joined.get(origin, NO_PATHS) for origin in origins):
            return
        group = origins.union(*(self._joined.get(origin, NO_PATHS) for origin in origins))
        self._joined.update((origin, group) for origin in group)
        if self.is_stale and not group.isdisjoint(self.assumptions.refs):
            self.assumptions.refs |= group

    def need_static(self, value: Value, what: str) -> Any:
        """The Python object a value is, which the program needs at compile time. A number that is read outside is known
        from here on, an argument in the next attempt, if nothing has been computed with it: then this one goes on,
        stale, with what it is now."""
        if isinstance(value, Static):
            return value.value
        if isinstance(value, Number) and value.dim is not None and isinstance(value.dim, int):
            return value.dim
        if isinstance(value, Number) and value.variable and isinstance(value.atom, Literal):
            return value.atom.value
        if isinstance(value, Number) and value.paths:
            known_values.require_allowed(self, value.paths, what)
            known_values.require_few_numbers(self, value, what)
            self.assumptions.add_statics(value.paths)
            if not isinstance(value.atom, Var) or value.atom not in self.inputs.numbers:
                raise Restart
            self.is_stale = self.is_stale or not self.inputs.fix(value.atom)
            return self.inputs.numbers[value.atom]
        if isinstance(value, Array) and (known := self.constant_of(value.atom)) is not None:
            return known
        if isinstance(value, String | Char | Text):
            return known_values.known(self, value, what)
        made = known_values.static_container(self, value, what)
        if made is not None:
            return made.value
        for place in reversed(self.loops.unrollable):
            if place not in self.assumptions.statics:  # round by round it may be known: the extents of `levels[i]`
                self.assumptions.add_statics([place])
                raise Restart
        raise self.unsupported(
            f"{what} must be known when the function is compiled, and this depends on values of the run",
            "a constant, an argument, or a value computed from those alone",
        )

    # --- running ------------------------------------------------------------------------------------

    def run(self, graph: Graph, env: dict[Var, Value]) -> list[Value]:
        """Evaluate a graph's body in an environment and give its results. Raises Unreachable if it never gets there."""
        is_again = self.budget.is_again
        self.budget.run(graph, self.layer)
        try:
            return self._evaluated(graph, env)
        finally:
            self.budget.is_again = is_again

    def _evaluated(self, graph: Graph, env: dict[Var, Value]) -> list[Value]:
        for binding in graph.body:
            stopping.check()
            self.at(binding.span)
            self.binding = binding
            values = [self.value(a, env) for a in binding.args]
            found = handlers.handled(binding.op.name)
            handler = dialect.ruled(self, binding.op.name, found.handler)
            try:
                if not found.unions and any(isinstance(v, Union | Maybe) for v in values):
                    outs = self.distribute(values, lambda vs, b=binding, h=handler: results(h(self, b, vs, env), b))
                else:
                    outs = results(handler(self, binding, values, env), binding)
            except PythonError as error:
                self.at(error.span or binding.span)
                failures.raise_error(self, error.error)
                raise AssertionError from error
            if self.pooling.is_used:
                representations.settle_pooled(self, outs, (*self.calls, binding))
            self.bind(binding.outs, outs, env)
        return [self.result(a, env) for a in graph.results]

    def bind(self, variables: Sequence[Var], values: Sequence[Value], env: dict[Var, Value]) -> None:
        """Give the variables of an untyped graph their values; what computes those gets the names of the user's first
        ones."""
        for var, value in zip(variables, values, strict=True):
            env[var] = value
            if isinstance(value, Number | Array | Union) and var.name in self.local_names:
                self.name(value.atom, var.name)

    def name(self, atom: Atom, name: str) -> None:
        """Name a variable for those who read the graph: what the outermost function calls it first."""
        depth = len(self.inlining.active)
        if isinstance(atom, Var) and self._named.get(atom, depth + 1) > depth:
            self._named[atom] = depth
            atom.rename(name)

    def keep_name(self, var: Var) -> None:
        """Leave a variable its name, whatever it is handed over as."""
        self._named[var] = -1

    def result(self, atom: Atom, env: dict[Var, Value]) -> Value:
        if isinstance(atom, Literal) and atom.value is UNREACHED:
            raise Unreachable
        return self.value(atom, env)

    def value(self, atom: Atom, env: dict[Var, Value]) -> Value:
        """The abstract value of an atom of an untyped graph."""
        if isinstance(atom, Var):
            return env[atom]
        if atom.value is UNDEFINED_VALUE or atom.value is UNREACHED:
            return UNDEFINED
        if self.notes_paths and type(atom.value) is bytes:  # bytes are strings there
            return Static(atom.value.decode("latin-1"))
        return Static(atom.value)

    @contextmanager
    def calling(self, key: Any, span: Span) -> Generator[None]:
        """Inline a call made at `span` (a span in force, with its callers). The call of the entry itself stands
        nowhere."""
        saved = self.calls, self.caller, self.binding
        self.calls, self.caller = (*self.calls, key), None if self.binding is None else span
        try:
            yield
        finally:
            self.calls, self.caller, self.binding = saved
            self.builder.span = span

    # --- branches -----------------------------------------------------------------------------------

    def truth(self, value: Value) -> bool | Atom:
        """A truth value, known or as a bool atom."""
        if isinstance(value, Static):
            return bool(value.value)
        if isinstance(value, Number) and value.type is BOOL:
            return value.atom
        if isinstance(value, Array):  # what another framework's rules made of a comparison
            return self.truth(abstract.truth(self, value))
        raise InternalError(f"{value!r} is not a truth value")

    def switch_union(self, union: Union, member: Callable[[Value], list[Atom]], types: tuple[Type, ...]) -> list[Var]:
        """Atoms of the given types computed from whichever member a union holds."""
        tag = self.emit(unions.union_tag, union.atom)
        return self._switch_from(union, tag, 0, member, types)

    def _switch_from(
        self, union: Union, tag: Var, k: int, member: Callable[[Value], list[Atom]], types: tuple[Type, ...]
    ) -> list[Any]:
        if k == len(union.members) - 1:
            return member(forms.narrow(self, union, k))
        outer, graphs = self.builder, list[Graph]()
        pred = self.emit(python_ints.int_eq, tag, Literal(k, INT))
        for name, make in (
            ("then", lambda: member(forms.narrow(self, union, k))),
            ("orelse", lambda: self._switch_from(union, tag, k + 1, member, types)),
        ):
            self.builder = GraphBuilder(name, outer.span)
            try:
                graphs.append(self.builder.finish(make()))
            finally:
                self.builder = outer
        return list(self.builder.emit(COND, (pred,), graphs=tuple(graphs), types=types))

    def distribute(self, values: list[Value], compute: Callable[[list[Value]], list[Value]]) -> list[Value]:
        """Compute with values some of which are unions: once for each member, decided at run time."""
        for k, value in enumerate(values):
            if isinstance(value, Maybe):
                values = [*values[:k], value.value, *values[k + 1 :]]
        for k, value in enumerate(values):
            if isinstance(value, Union):
                tag = self.emit(unions.union_tag, value.atom)
                with self.budget.part(KINDS, self.span, self.place()):
                    return self._distribute_from(values, k, value, tag, 0, compute)
        return compute(values)

    def _distribute_from(
        self,
        values: list[Value],
        k: int,
        union: Union,
        tag: Var,
        member: int,
        compute: Callable[[list[Value]], list[Value]],
    ) -> list[Value]:
        def narrowed() -> list[Value]:
            is_again, self.budget.is_again = self.budget.is_again, self.budget.is_again or member > 0
            try:
                value = forms.narrow(self, union, member)
                return self.distribute([*values[:k], value, *values[k + 1 :]], compute)
            finally:
                self.budget.is_again = is_again

        if member == len(union.members) - 1:
            return narrowed()
        pred = self.emit(python_ints.int_eq, tag, Literal(member, INT))
        return branching.branch(
            self, pred, narrowed, lambda: self._distribute_from(values, k, union, tag, member + 1, compute)
        )

    # --- making values ------------------------------------------------------------------------------

    def fresh_array(self, atom: Atom, category: str) -> Array:
        """An array made here: a new origin; a place from the start if an earlier attempt found it written to."""
        origin: Origin = ("made", *self.place())
        if origin in self.assumptions.refs and isinstance(atom.type, TensorType) and category != "npscalar":
            atom = self.emit(state.ref_new, atom)
        self.lies_in_order(atom)
        if category != "npscalar" and (overwritten := self.overwrites.own(atom, origin)) is not None:
            self.mark_refs(frozenset([overwritten]))
        return Array(atom, category, frozenset([origin]))

    def lies_in_order(self, atom: Atom) -> None:
        """Note that an array is contiguous."""
        type_ = atom.type.target if isinstance(atom.type, RefType) else atom.type
        if isinstance(type_, TensorType):
            self.layouts[atom] = ArrayLayout.contiguous(type_.dtype, type_.shape)

    def read(self, array: Array) -> Atom:
        """An array's elements as a value: of a place, what it holds now."""
        return self.emit(state.ref_read, array.atom) if array.is_ref else array.atom

    def extent(self, dim: Dim) -> Value:
        """A dimension as a Python int."""
        if isinstance(dim, int):
            return Static(dim)
        return Number(self.emit(conversions.extent, dim=dim), INT, dim)

    def number(self, atom: Atom, *operands: Value) -> Number:
        """A number computed from operands alone."""
        assert isinstance(atom.type, ScalarType)
        paths: frozenset[Path] | None = NO_PATHS
        for operand in operands:
            if isinstance(operand, Number):
                paths = None if paths is None or operand.paths is None else paths | operand.paths
            elif not isinstance(operand, Static):
                paths = None
        return Number(atom, atom.type, None, paths)

    def boolean(self, atom: Atom) -> Number:
        """A bool at run time."""
        return Number(atom, BOOL)


def results(made: Any, binding: Binding) -> list[Value]:
    """A handler's answer as one value for each output."""
    if isinstance(made, list):
        return made
    return [] if not binding.outs else [made]
