"""The `simplify` pass: algebra on single bindings, and control flow whose outcome is known.

No rule changes a result by a bit: `x + 0.0` is not `x` (think of -0.0), `x - 0.0` is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Final, TypeAlias

from jitcore.ir.control import COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.ir.rewrite import Rewriter, substitute
from jitcore.passes.patterns import is_number, read_rules, same_literal
from jitcore.passes.registry import Pass
from jitcore.passes.sharing import exposed_arrays, makes_new_array, stand_in
from jitcore.primitives.ops.python_ints import int_and
from jitcore.structs import dataclass, replace
from jitcore.types import BOOL, INT, DType, ScalarType, TensorType, Type

RULES: Final = read_rules("""
    mul(x, 1) -> x
    mul(1, x) -> x
    mul(x, 1.0) -> x
    mul(1.0, x) -> x
    add(x, 0) -> x
    add(0, x) -> x
    add(x, -0.0) -> x
    add(-0.0, x) -> x
    sub(x, 0) -> x
    sub(x, 0.0) -> x
    div(x, 1.0) -> x
    floordiv(x, 1) -> x
    neg(neg(x)) -> x
    abs((y := abs(x))) -> y
    floor((y := floor(x))) -> y
    ceil((y := ceil(x))) -> y
    trunc((y := trunc(x))) -> y
    rint((y := rint(x))) -> y
    maximum(x, x) -> x
    minimum(x, x) -> x
    bitwise_not(bitwise_not(x)) -> x
    bitwise_and(x, x) -> x
    bitwise_and(x, True) -> x
    bitwise_and(True, x) -> x
    bitwise_or(x, x) -> x
    bitwise_or(x, 0) -> x
    bitwise_or(x, False) -> x
    bitwise_or(False, x) -> x
    bitwise_xor(x, 0) -> x
    bitwise_xor(x, False) -> x
    left_shift(x, 0) -> x
    right_shift(x, 0) -> x
    select(c, x, x) -> x
    select(True, x, y) -> x
    select(False, x, y) -> y
    int_add(x, 0) -> x
    int_add(0, x) -> x
    int_sub(x, 0) -> x
    int_sub(x, x) -> 0
    int_mul(x, 1) -> x
    int_mul(1, x) -> x
    int_mul(x, 0) -> 0
    int_mul(0, x) -> 0
    int_floordiv(x, 1) -> x
    int_mod(x, 1) -> 0
    int_pow(x, 1) -> x
    int_neg(int_neg(x)) -> x
    int_abs((y := int_abs(x))) -> y
    int_invert(int_invert(x)) -> x
    int_and(x, x) -> x
    int_and(x, -1) -> x
    int_or(x, x) -> x
    int_or(x, 0) -> x
    int_xor(x, x) -> 0
    int_xor(x, 0) -> x
    int_lshift(x, 0) -> x
    int_rshift(x, 0) -> x
    int_eq(x, x) -> True
    int_le(x, x) -> True
    int_ge(x, x) -> True
    int_ne(x, x) -> False
    int_lt(x, x) -> False
    int_select(True, x, y) -> x
    int_select(False, x, y) -> y
    int_select(c, x, x) -> x
    int_gt(x, x) -> False
    float_mul(x, 1.0) -> x
    float_mul(1.0, x) -> x
    float_add(x, -0.0) -> x
    float_add(-0.0, x) -> x
    float_sub(x, 0.0) -> x
    float_truediv(x, 1.0) -> x
    float_neg(float_neg(x)) -> x
    float_abs((y := float_abs(x))) -> y
    bool_not(bool_not(x)) -> x
    bool_and(x, x) -> x
    bool_and(x, True) -> x
    bool_and(True, x) -> x
    bool_and(x, False) -> False
    bool_and(False, x) -> False
    bool_or(x, x) -> x
    bool_or(x, False) -> x
    bool_or(False, x) -> x
    bool_or(x, True) -> True
    bool_or(True, x) -> True
    bool_xor(x, False) -> x
    bool_xor(False, x) -> x
    int_to_bool(bool_to_int(x)) -> x
    float_to_bool(bool_to_float(x)) -> x
""")


@dataclass(frozen=True)
class Simplify(Pass):
    """Replaces bindings by simpler ones that give the same bits, and decides branches and loops that are known.

    before    y: f32[n] = mul(x, f32(1.0))
              z: f32[n] = cond(left, right, True)
    after     (x for y, and the body and result of left)

    An array that the program shows as itself is copied instead of replaced (see `passes.sharing`).
    """

    name: ClassVar[str] = "simplify"
    cleans_up: ClassVar[tuple[int, ...]] = (30, 50)

    def run(self, module: Module) -> Module:
        """The simplified module."""
        return _Simplifier(exposed_arrays(module)).module(module)


class _Simplifier(Rewriter):
    def __init__(self, exposed: set[Var]) -> None:
        super().__init__()
        self.exposed = exposed
        self.definitions: dict[Var, Binding] = {}

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        if binding.graphs:
            bindings = self.control(binding)
        else:
            new = self.operation(binding)
            bindings = (new,) if new else ()
        for made in bindings:
            if not made.graphs:
                self.definitions.update((out, made) for out in made.outs)
        return bindings

    def operation(self, binding: Binding) -> Binding | None:
        """What is left of `binding`: None if `replaced` says all."""
        name = binding.op.name
        for rule in RULES.get(name, ()):
            atom = rule.apply(binding, self.definitions)
            if atom is not None:
                return self.becomes(binding, (atom,))
        special = _SPECIAL.get(name)
        if name == "reshape" and binding.outs[0] in self.exposed:
            special = _same_shape  # which of two reshapes copies can be seen
        result = special(binding, self.definitions) if special else binding
        return result if isinstance(result, Binding) else self.becomes(binding, result)

    def becomes(self, binding: Binding, atoms: tuple[Atom, ...]) -> Binding | None:
        """`atoms` stand for the outputs of `binding`."""
        for out, atom in zip(binding.outs, atoms, strict=True):
            if makes_new_array(binding.op):
                copy = stand_in(out, atom, self.exposed, binding)
                if copy is not None:
                    return binding if binding.op is copy.op else copy
            self.replaced[out] = atom
        return None

    # --- control flow ---

    def control(self, binding: Binding) -> tuple[Binding, ...]:
        if binding.op in (COND, SWITCH):
            chosen = _chosen_branch(binding)
            return self.splice(binding, chosen) if chosen is not None else self.branches(binding)
        if binding.op in (FOR, WHILE):
            if _never_runs(binding):
                self.replaced.update(zip(binding.outs, binding.args[_before(binding) :], strict=True))
                return ()
            return (self.loop(binding),)
        return (binding,)

    def splice(self, binding: Binding, graph: Graph) -> tuple[Binding, ...]:
        """The body of a graph without parameters in the place of `binding`."""
        self.replaced.update(zip(binding.outs, map(self.atom, graph.results), strict=True))
        return graph.body

    def branches(self, binding: Binding) -> tuple[Binding, ...]:
        """Outputs that every branch gives alike, or that are the predicate itself, become that."""
        kept: list[int] = []
        for k, out in enumerate(binding.outs):
            results = [graph.results[k] for graph in binding.graphs]
            inside = {o for graph in binding.graphs for b in graph.body for o in b.outs}
            if all(r is results[0] or same_literal(r, results[0]) for r in results) and results[0] not in inside:
                self.replaced[out] = results[0]
            elif (
                binding.op is COND and is_number(results[0], True) and is_number(results[1], False) and out.type is BOOL
            ):
                self.replaced[out] = binding.args[0]
            else:
                kept.append(k)
        if len(kept) == len(binding.outs):
            return (binding,)
        graphs = tuple(replace(g, results=tuple(g.results[k] for k in kept)) for g in binding.graphs)
        return (replace(binding, outs=tuple(binding.outs[k] for k in kept), graphs=graphs),)

    def loop(self, loop: Binding) -> Binding:
        """Carries that the body hands on unchanged become what they were before the loop."""
        before = _before(loop)
        body = loop.graphs[-1]
        same = [k for k, result in enumerate(body.results) if result is body.params[before + k]]
        same += [k for k, r in enumerate(body.results) if k not in same and same_literal(r, loop.args[before + k])]
        if not same:
            return loop
        first: dict[Var, Atom] = {}
        for k in same:
            self.replaced[loop.outs[k]] = loop.args[before + k]
            first.update((graph.params[before + k], loop.args[before + k]) for graph in loop.graphs)
        kept = [k for k in range(len(loop.outs)) if k not in same]
        places = [*range(before), *(before + k for k in kept)]
        graphs = [substitute(replace(g, params=tuple(g.params[i] for i in places)), first) for g in loop.graphs]
        graphs[-1] = replace(graphs[-1], results=tuple(graphs[-1].results[k] for k in kept))
        outs = tuple(loop.outs[k] for k in kept)
        return replace(loop, outs=outs, args=tuple(loop.args[i] for i in places), graphs=tuple(graphs))


def _chosen_branch(binding: Binding) -> Graph | None:
    (choice,) = binding.args
    if not isinstance(choice, Literal):
        return None
    if binding.op is COND:
        return binding.graphs[0 if choice.value else 1]
    return binding.graphs[choice.value] if 0 <= choice.value < len(binding.graphs) else None


def _before(loop: Binding) -> int:
    """How many arguments, and parameters of the body, stand before the carries."""
    return 1 if loop.op is FOR else 0


def _never_runs(loop: Binding) -> bool:
    if loop.op is FOR:
        count = loop.args[0]
        return isinstance(count, Literal) and count.value <= 0
    return not loop.graphs[0].body and is_number(loop.graphs[0].results[0], False)


# --- rules about static parameters ------------------------------------------------------------------------

Result: TypeAlias = "Binding | tuple[Atom, ...]"
"""Another binding (or the same one), or the atoms that the outputs equal."""
Definitions: TypeAlias = "Mapping[Var, Binding]"


Rule: TypeAlias = "Callable[[Binding, Definitions], Result]"
_SPECIAL: Final[dict[str, Rule]] = {}
"""By the operator's name."""


def _simplifies(op: str) -> Callable[[Rule], Rule]:
    """The rule below is about this operator."""

    def register(rule: Rule) -> Rule:
        _SPECIAL[op] = rule
        return rule

    return register


def _through(atom: Atom, op: str, definitions: Definitions) -> Binding | None:
    """The binding of `op` that `atom` is the output of."""
    binding = definitions.get(atom) if isinstance(atom, Var) else None
    return binding if binding is not None and binding.op.name == op else None


def _unchanged(binding: Binding, atom: Atom) -> Result:
    """`atom` if it has the type of the output, else `binding`."""
    return (atom,) if atom.type is binding.outs[0].type else binding


@_simplifies("copy")
def _copy(binding: Binding, definitions: Definitions) -> Result:
    return (binding.args[0],)


@_simplifies("cast")
def _cast(binding: Binding, definitions: Definitions) -> Result:
    """cast to the dtype it has; cast to a wider dtype and back."""
    (x,) = binding.args
    inner = _through(x, "cast", definitions)
    if inner is not None and _holds_all(_dtype(x.type), _dtype(inner.args[0].type)):
        if inner.args[0].type is binding.outs[0].type:
            return (inner.args[0],)
        return replace(binding, args=inner.args)
    return _unchanged(binding, x)


def _dtype(type_: Type | None) -> DType:
    assert isinstance(type_, TensorType)
    return type_.dtype


def _holds_all(wide: DType, narrow: DType) -> bool:
    """Whether every number of dtype `narrow` is one of `wide`, so that going through `wide` changes nothing."""
    if wide.kind == narrow.kind:
        return wide.itemsize >= narrow.itemsize
    if narrow.kind == "b":
        return True
    if narrow.kind in "iu" and wide.kind == "f":
        return {2: 8, 4: 16, 8: 32}[wide.itemsize] >= narrow.itemsize * 8
    return narrow.kind == "u" and wide.kind == "i" and wide.itemsize > narrow.itemsize


@_simplifies("transpose")
def _transpose(binding: Binding, definitions: Definitions) -> Result:
    """transpose(transpose(x)) is one transpose, and that of no axes is x."""
    (x,) = binding.args
    permutation = binding.params["permutation"]
    inner = _through(x, "transpose", definitions)
    if inner is not None:
        (x,) = inner.args
        permutation = tuple(inner.params["permutation"][k] for k in permutation)
        binding = replace(binding, args=(x,), params={"permutation": permutation})
    return (x,) if permutation == tuple(range(len(permutation))) else binding


@_simplifies("reshape")
def _reshape(binding: Binding, definitions: Definitions) -> Result:
    """reshape(reshape(x)) is one reshape, and that to the shape it has is x."""
    inner = _through(binding.args[0], "reshape", definitions)
    if inner is not None:
        binding = replace(binding, args=inner.args)
    return _same_shape(binding, definitions)


def _same_shape(binding: Binding, definitions: Definitions) -> Result:
    return _unchanged(binding, binding.args[0])


@_simplifies("broadcast_to")
def _broadcast_to(binding: Binding, definitions: Definitions) -> Result:
    """broadcast_to(broadcast_to(x)) is one, and that to the shape it has is x."""
    inner = _through(binding.args[0], "broadcast_to", definitions)
    if inner is not None:
        binding = replace(binding, args=inner.args)
    return _same_shape(binding, definitions)


def _undoes(op: str) -> Rule:
    """expand_dims and squeeze of the same axes undo each other."""

    def rule(binding: Binding, definitions: Definitions) -> Result:
        inner = _through(binding.args[0], op, definitions)
        if inner is not None and inner.params == binding.params:
            return _unchanged(binding, inner.args[0])
        return _unchanged(binding, binding.args[0])

    return rule


_simplifies("expand_dims")(_undoes("squeeze"))
_simplifies("squeeze")(_undoes("expand_dims"))


@_simplifies("int_mod")
def _int_mod(binding: Binding, definitions: Definitions) -> Result:
    """x % y by a power of two, which are the last bits of x, negative or not."""
    x, y = binding.args
    if not isinstance(y, Literal) or y.value < 2 or y.value & (y.value - 1):
        return binding
    return replace(binding, op=int_and, args=(x, Literal(y.value - 1, y.type)))


@_simplifies("to_scalar")
def _to_scalar(binding: Binding, definitions: Definitions) -> Result:
    """to_scalar(from_scalar(s)) is s where the dtype is that of s."""
    inner = _through(binding.args[0], "from_scalar", definitions)
    if inner is None:
        return binding
    scalar = inner.args[0]
    assert isinstance(scalar.type, ScalarType)
    return (scalar,) if inner.params["dtype"] is scalar.type.dtype else binding


@_simplifies("from_scalar")
def _from_scalar(binding: Binding, definitions: Definitions) -> Result:
    """from_scalar(to_scalar(x)) is x, or a cast that loses nothing."""
    inner = _through(binding.args[0], "to_scalar", definitions)
    return binding if inner is None else _unchanged(binding, inner.args[0])


@_simplifies("extent")
def _extent(binding: Binding, definitions: Definitions) -> Result:
    """The extent of a known dimension is a number."""
    dim = binding.params["dim"]
    return (Literal(dim, INT),) if isinstance(dim, int) else binding


@_simplifies("check_extents")
def _check_extents(binding: Binding, definitions: Definitions) -> Result:
    """A dimension equals itself."""
    return () if binding.params["a"] is binding.params["b"] or binding.params["a"] == binding.params["b"] else binding


@_simplifies("check")
def _check(binding: Binding, definitions: Definitions) -> Result:
    """A check that holds is none."""
    return () if is_number(binding.args[0], True) else binding


@_simplifies("union_tag")
def _union_tag(binding: Binding, definitions: Definitions) -> Result:
    made = _through(binding.args[0], "union_make", definitions)
    return binding if made is None else (Literal(made.params["tag"], INT),)


@_simplifies("union_get")
def _union_get(binding: Binding, definitions: Definitions) -> Result:
    made = _through(binding.args[0], "union_make", definitions)
    return made.args if made is not None and made.params["tag"] == binding.params["index"] else binding
