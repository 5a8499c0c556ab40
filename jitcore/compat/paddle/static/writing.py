"""A Program as one Python function, which is compiled as users' functions are.

    def forward(w, x):
        h = matmul(x, w)
        loss = mean(h)
        return sum(loss), 0, loss

    def program(w, x):
        (total, _, loss), (w_GRAD,) = value_and_grad(forward, (0,), None, True)(w, x)
        w_1 = sgd(w, w_GRAD)
        assign(w, w_1)
        return (loss,), ()

Each value has a name of its own: a Variable that is given another value is another name from there on, and what a call
writes to is copied before. So parts of the Program can be computed again where a gradient needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import FunctionType
from typing import cast

from jitcore import ops, value_and_grad
from jitcore.compat.paddle.static.expressions import Names, function_of
from jitcore.compat.paddle.static.programs import Program
from jitcore.compat.paddle.static.statements import Backward, Call, If, Initial, Loop, Part, Statement, needed
from jitcore.compat.paddle.static.variables import Variable
from jitcore.library.math import elementwise
from jitcore.structs import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A Program as a function of the Variables `inputs`: it gives what was asked for, and the values of the persistable
    Variables `updated`, which have other shapes from time to time. Others are written to in place."""

    function: FunctionType
    inputs: tuple[str, ...]
    updated: tuple[str, ...]
    text: str


@dataclass(slots=True, eq=False)
class _Step:
    """A statement as text, with the names that it reads and writes."""

    lines: list[str]
    reads: set[str]
    writes: set[str]
    draws: bool
    backward: _Gradient | None = None


@dataclass(slots=True, eq=False)
class _Gradient:
    """What a gradient is of, and by what, by the names in the text."""

    targets: list[tuple[str, str | None]]
    by: list[str]
    gradients: list[str]
    apart: set[str]


@dataclass(slots=True, eq=False)
class _Around:
    """Which name each Variable has, and which Variables keep theirs when they are given another value."""

    names: dict[str, str]
    fixed: frozenset[str] = field(default_factory=frozenset)


class _Writer:
    def __init__(self) -> None:
        self.names = Names()
        self.inputs: dict[str, str] = {}
        """The Variables that the Program is given, and their names."""
        self.functions: list[str] = []

    def constant(self, value: object) -> str:
        """The name of a global."""
        return self.names.constant(value)

    # --- statements -----------------------------------------------------------------------------------

    def step(self, statement: Statement, around: _Around) -> _Step:
        """A statement of the Program itself."""
        reads = {self.name_of(name, around) for name in sorted(statement.reads())}
        if isinstance(statement, Backward):
            gradient = _Gradient(
                [
                    (self.name_of(t.name, around), None if c is None else self.name_of(c.name, around))
                    for t, c in zip(statement.targets, statement.cotangents, strict=True)
                ],
                [self.name_of(v.name, around) for v in statement.by],
                [self.bound(v, around) for v in statement.gradients],
                {around.names[name] for name in statement.apart if name in around.names},
            )
            return _Step([], reads, set(gradient.gradients), False, gradient)
        lines = self.lines(statement, around)
        return _Step(lines, reads, {around.names[n] for n in statement.writes()}, _draws(statement))

    def name_of(self, name: str, around: _Around) -> str:
        """The name that a Variable's value has."""
        if name not in around.names:
            if name not in self.inputs:
                self.inputs[name] = self.names.fresh(name)
            around.names[name] = self.inputs[name]
        return around.names[name]

    def bound(self, variable: Variable, around: _Around) -> str:
        """The name of a new value of a Variable."""
        if variable.name not in around.fixed:
            around.names[variable.name] = self.names.fresh(variable.name)
        return around.names[variable.name]

    def lines(self, statement: Statement, around: _Around) -> list[str]:
        """A statement as text."""
        if isinstance(statement, Call):
            return self._call(statement, around)
        if isinstance(statement, If):
            return self._if(statement, around)
        if isinstance(statement, Loop):
            return self._loop(statement, around)
        raise TypeError("gradients are taken of a whole Program, not within a branch or loop of it")

    def _call(self, call: Call, around: _Around) -> list[str]:
        lines: list[str] = []
        for variable in call.mutated:
            old = self.name_of(variable.name, around)
            lines.append(f"{self.bound(variable, around)} = {self.constant(ops.clone)}({old})")
        text = self.names.call(call.function, call.args, call.keywords, lambda v: self.name_of(v.name, around))
        mutated = {variable.name for variable in call.mutated}
        ends: list[str] = []

        def target(tree: object) -> str:
            if isinstance(tree, Variable):
                name = around.names[tree.name] if tree.name in mutated else self.bound(tree, around)
                if tree.is_cut:
                    ends.append(f"{name} = {self.constant(ops.stop_gradient)}({name})")
                return name
            if isinstance(tree, tuple | list):
                items = [target(item) for item in cast("Sequence[object]", tree)]
                return f"({', '.join(items)}{',' if len(items) == 1 else ''})" if items else "_"
            if isinstance(tree, dict):
                whole = self.names.fresh("made")
                for key, item in cast("dict[str, object]", tree).items():
                    ends.append(f"{target(item)} = {whole}[{key!r}]")
                return whole
            return "_"

        return [*lines, f"{target(call.outputs)} = {text}", *ends]

    def _if(self, statement: If, around: _Around) -> list[str]:
        condition = self.name_of(statement.condition.name, around)
        lines, within = self._entered(statement.parts, around)
        outputs = [self.bound(variable, around) for variable in statement.outputs]
        for head, part, results in zip((f"if {condition}:", "else:"), statement.parts, statement.results, strict=True):
            inner = self._part(part, within := _Around({**around.names, **within.names}, within.fixed))
            inner += self._assigned(outputs, results, within)
            lines += [head, *_indented(inner or ["pass"])]
        return lines

    def _loop(self, statement: Loop, around: _Around) -> list[str]:
        initial = [self._value(value, around) for value in statement.initial]
        lines, within = self._entered((statement.test, statement.body), around)
        carried = [self.bound(variable, around) for variable in statement.carried]
        own = {v.name: name for v, name in zip(statement.carried, carried, strict=True)}
        within = _Around({**around.names, **within.names, **own}, within.fixed | frozenset(own))
        lines += [f"{name} = {value}" for name, value in zip(carried, initial, strict=True)]
        inner = self._part(statement.test, within)
        inner += [f"if not {self.name_of(statement.condition.name, within)}:", "    break"]
        inner += self._part(statement.body, within)
        inner += self._assigned(carried, statement.results, within)
        return [*lines, "while True:", *_indented(inner)]

    def _entered(self, parts: Sequence[Part], around: _Around) -> tuple[list[str], _Around]:
        """What parts write to of what is around them has one name from here on, if it has not."""
        lines: list[str] = []
        written = {name for part in parts for name in part.writes()}
        for name in sorted(written - around.fixed):
            old = self.name_of(name, around)
            around.names[name] = self.names.fresh(name)
            lines.append(f"{around.names[name]} = {old}")
        return lines, _Around(dict(around.names), around.fixed | written)

    def _part(self, part: Part, within: _Around) -> list[str]:
        return [line for statement in part.statements for line in self.lines(statement, within)]

    def _assigned(self, names: Sequence[str], values: Sequence[object], within: _Around) -> list[str]:
        if not names:
            return []
        given = ", ".join(self._value(value, within) for value in values)
        return [f"{', '.join(names)} = {given}"]

    def _value(self, value: object, around: _Around) -> str:
        return self.names.text(value, lambda v: self.name_of(v.name, around))

    # --- the whole ------------------------------------------------------------------------------------

    def body(self, steps: Sequence[_Step], wanted: set[str]) -> list[str]:
        """The lines of a function of all steps; `wanted` are the names that are needed at its end."""
        lines: list[str] = []
        done: list[_Step] = []
        pending: list[_Step] = []
        for k, step in enumerate(steps):
            if step.backward is None:
                pending.append(step)
                continue
            later = wanted | {name for after in steps[k + 1 :] for name in after.reads}
            if any(after.backward for after in steps[k + 1 :]):  # which may compute parts of this again
                later |= {name for before in steps[:k] for name in before.reads}
            lines += self._gradient(step.backward, done, pending, later)
            done += [
                *pending,
                _Step(lines=[], reads=step.reads, writes=step.writes, draws=False, backward=step.backward),
            ]
            pending = []
        return [*lines, *(line for step in pending for line in step.lines)]

    def _gradient(self, wanted: _Gradient, done: list[_Step], pending: list[_Step], later: set[str]) -> list[str]:
        """The lines that compute gradients, and with them what is pending."""
        lines: list[str] = []
        waiting = list(pending)
        before = [*done, *pending]
        targets = {name for pair in wanted.targets for name in pair if name is not None}
        slice_ = _leading_to(before, targets)
        groups = _levels(before, wanted.by)
        for number, group in enumerate(groups):
            inside = _coming_of(slice_, group)
            _require_apart(before, inside, group)
            first = _leading_to(before, set(group))
            fresh = number == 0 and all(step in waiting and step not in first for step in inside)
            if fresh:
                lines += [line for step in waiting if step in first for line in step.lines]
                taken = [step for step in waiting if step not in first]
                kept = later
                if len(groups) > 1:  # which are computed again from what is known
                    kept = kept | targets | {name for other in groups[1:] for name in other}
                    kept |= {name for step in before for name in step.reads}
            else:
                lines += [line for step in waiting for line in step.lines]
                taken, kept = inside, set[str]()
                if any(step.draws for step in inside):
                    raise NotImplementedError(
                        "a second gradient through random numbers that are drawn already: take the gradients of all "
                        "losses before other gradients, or record them in Programs of their own"
                    )
            waiting = []
            lines += self._value_and_gradient(wanted, group, taken, kept)
        return lines

    def _value_and_gradient(
        self, wanted: _Gradient, group: Sequence[str], taken: Sequence[_Step], kept: set[str]
    ) -> list[str]:
        made = {name for step in taken for name in step.writes}
        targets = {name for pair in wanted.targets for name in pair if name is not None}
        aux = sorted(made & kept)
        free = ({name for step in taken for name in step.reads} | targets) - made
        given = [*group, *sorted(free - set(group))]
        function, total = self.names.fresh("forward"), self.names.fresh("total")
        whole = self.constant(ops.sum_ext)
        sums = [f"{whole}({t})" if c is None else f"{whole}({t} * {c})" for t, c in wanted.targets]
        body = [
            *self._cut(wanted.apart & set(given)),
            *self.body([self._cut_step(step, wanted.apart) for step in taken], targets | set(aux)),
            f"return {', '.join([' + '.join(sums), '0', *aux])}",
        ]
        self.functions += [f"def {function}({', '.join(given)}):", *_indented(body)]
        gradients = [wanted.gradients[wanted.by.index(name)] for name in group]
        return [
            f"({', '.join([total, '_', *aux])}), ({', '.join(gradients)},) = {self.constant(value_and_grad)}("
            f"{function}, {tuple(range(len(group)))}, None, True)({', '.join(given)})"
        ]

    def _cut(self, names: Iterable[str]) -> list[str]:
        return [f"{name} = {self.constant(ops.stop_gradient)}({name})" for name in sorted(names)]

    def _cut_step(self, step: _Step, apart: set[str]) -> _Step:
        """A step whose results no gradient goes through, if they are among `apart`."""
        cut = self._cut(apart & step.writes)
        return _Step([*step.lines, *cut], step.reads, step.writes, step.draws, step.backward) if cut else step


def written(program: Program, fetches: Sequence[str]) -> Written:
    """A Program as a function that gives the values of some Variables, and what updates persistable ones. Raises
    ValueError for names that it has nothing of."""
    block = program.global_block()
    kept = {v.name: v for v in program.list_vars() if v.persistable}
    wanted = [*fetches, *(n for s in block.ops if not isinstance(s, Initial) for n in sorted(s.writes()) if n in kept)]
    statements = [s for s in needed(block.ops, wanted) if not isinstance(s, Initial)]
    writer = _Writer()
    around = _Around({})
    steps = [writer.step(statement, around) for statement in statements]
    given = [writer.name_of(name, around) for name in fetches]
    changed = [n for n in dict.fromkeys(n for s in statements for n in sorted(s.writes())) if n in kept]
    fixed = {n for n in changed if all(isinstance(extent, int) for extent in kept[n].type_.shape)}
    places = {name: writer.names.fresh(f"{name}_place") for name in changed if name in fixed}
    updated = [name for name in changed if name not in fixed]
    values = [around.names[name] for name in updated]
    lines = writer.body(steps, {*given, *(around.names[name] for name in changed)})
    copy, assign = writer.constant(ops.clone), writer.constant(elementwise.assign)
    first = [f"{writer.name_of(name, _Around({}))} = {copy}({place})" for name, place in places.items()]
    lines = [*first, *lines, *(f"{assign}({place}, {around.names[name]})" for name, place in places.items())]
    params = [places.get(variable, name) for variable, name in writer.inputs.items()]
    results = ", ".join("(" + "".join(f"{name}, " for name in names) + ")" for names in (given, values))
    text = "\n".join(
        [*writer.functions, f"def program({', '.join(params)}):", *_indented([*lines, f"return {results}"]), ""]
    )
    function = function_of(text, "program", writer.names.values)
    return Written(function, tuple(writer.inputs), tuple(updated), text)


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _draws(statement: Statement) -> bool:
    """Whether a statement draws random numbers."""
    if isinstance(statement, Call):
        return statement.draws
    parts: Sequence[Part] = ()
    if isinstance(statement, If):
        parts = statement.parts
    elif isinstance(statement, Loop):
        parts = (statement.test, statement.body)
    return any(_draws(inner) for part in parts for inner in part.statements)


def _leading_to(steps: Sequence[_Step], names: set[str]) -> list[_Step]:
    """The steps that values come of."""
    live = set(names)
    found: list[_Step] = []
    for step in reversed(steps):
        if live & step.writes:
            live |= step.reads
            found.append(step)
    return found[::-1]


def _coming_of(steps: Sequence[_Step], names: Sequence[str]) -> list[_Step]:
    """The steps whose values depend on some."""
    reached = set(names)
    found: list[_Step] = []
    for step in steps:
        if reached & step.reads and not step.writes & set(names):
            reached |= step.writes
            found.append(step)
    return found


def _require_apart(before: Sequence[_Step], inside: Sequence[_Step], group: Sequence[str]) -> None:
    """Raise NotImplementedError for gradients by a value through an earlier gradient by what that value came of: how
    the value is computed would be cut there."""
    for step in inside:
        for name in step.backward.by if step.backward is not None else ():
            later = {made for other in _coming_of(before, [name]) for made in other.writes}
            if later & set(group):
                raise NotImplementedError(
                    f"a gradient by {', '.join(sorted(later & set(group)))} through an earlier gradient by {name}, of "
                    "which that is computed: take it by what both are computed of"
                )


def _levels(steps: Sequence[_Step], names: Sequence[str]) -> list[list[str]]:
    """Names in groups: none depends on another of its group, and each on some of the group before, if any."""
    depends = {
        name: {b for b in names if any(name in step.writes for step in _coming_of(steps, [b]))} for name in names
    }

    def level(name: str) -> int:
        return 1 + max((level(other) for other in depends[name]), default=-1)

    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(level(name), []).append(name)
    return [groups[k] for k in sorted(groups)]
