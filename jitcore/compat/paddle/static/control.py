"""Branches and loops of Programs: `cond`, `while_loop`, `case`, `switch_case`; in dynamic mode they are Python's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, cast

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.static.programs import Block, Program
from jitcore.compat.paddle.static.recording import record, tensors
from jitcore.compat.paddle.static.statements import If, Loop, Part, mapped, variables_in
from jitcore.compat.paddle.static.variables import Value, Variable
from jitcore.types import TensorType, fresh_symbol

Function = Callable[[], Any]


def cond(
    pred: Value,
    true_fn: Function | None = None,
    false_fn: Function | None = None,
    name: str | None = None,
    return_names: Sequence[str] | None = None,
) -> Any:
    """What `true_fn` gives if `pred` holds, else what `false_fn` gives: Tensors in one structure. Raises TypeError
    where the structures, dtypes or numbers of axes differ.

    >>> from jitcore.compat.paddle import static
    >>> static.nn.cond(True, lambda: 1, lambda: 2)
    1
    """
    del name, return_names
    functions = [(lambda: None) if f is None else f for f in (true_fn, false_fn)]
    if not all(map(callable, functions)):
        raise TypeError("cond takes functions for both branches")
    if not isinstance(pred, Variable):
        return functions[0]() if pred else functions[1]()
    program = pred.block.program
    made: list[tuple[Part, Any]] = []
    for function in functions:
        with program.inner_block() as block:
            result = tensors(function())
            made.append((block.part, result))
    return _joined(pred, made[0], made[1])


def _joined(pred: Variable, then: tuple[Part, Any], other: tuple[Part, Any]) -> Any:
    """The results of two parts, of which one is run."""
    block = pred.block.program.current_block()
    leaves = [list(variables_in(result)) for _, result in (then, other)]
    if _structure(then[1]) != _structure(other[1]):
        raise TypeError(
            "Incompatible return values of true_fn and false_fn in cond: "
            f"{_structure(then[1])} and {_structure(other[1])}"
        )
    outputs = [block.add(_either(a, b, block)) for a, b in zip(*leaves, strict=True)]
    block.append(If(pred, (then[0], other[0]), (tuple(leaves[0]), tuple(leaves[1])), tuple(outputs)))
    rest = iter(outputs)
    return mapped(lambda _: next(rest), then[1])


def _structure(tree: object) -> Any:
    if isinstance(tree, Variable):
        return "Tensor"
    if isinstance(tree, tuple | list):
        return [_structure(item) for item in cast("Sequence[Any]", tree)]
    if isinstance(tree, dict):
        return {key: _structure(item) for key, item in cast("dict[Any, Any]", tree).items()}
    return tree


def _either(a: Variable, b: Variable, block: Block) -> Variable:
    """A Variable that is one or the other."""
    made = wider(a.type_, b.type_)
    if made is None:
        raise TypeError(
            f"cond gives {a.kind!r} of shape {a.shape} on one branch and {b.kind!r} of shape {b.shape} on the other: "
            "dtypes and numbers of axes must be equal"
        )
    return a.result_class(block, naming.generate("cond") + ".tmp_0", made, a.stop_gradient and b.stop_gradient)


def wider(a: TensorType, b: TensorType) -> TensorType | None:
    """The type of what is of one type or another: extents that differ are not known. None if there is none."""
    if a.dtype is not b.dtype or len(a.shape) != len(b.shape):
        return None
    dims = tuple(m if m == n else fresh_symbol("n") for m, n in zip(a.shape, b.shape, strict=True))
    return TensorType(a.dtype, dims)


def case(
    pred_fn_pairs: Sequence[tuple[Any, Function]], default: Function | None = None, name: str | None = None
) -> Any:
    """What the function gives whose predicate is the first that holds; `default` (else the last function) if none
    does. Raises TypeError for what are no pairs of a Tensor and a function."""
    del name
    pairs = list(pred_fn_pairs)
    if not pairs or not all(map(_is_pair, pairs)):
        raise TypeError("case takes a list of pairs (predicate, function)")
    last = pairs.pop()[1] if default is None else default
    function = last
    for pred, chosen in reversed(pairs):
        function = _branch(pred, chosen, function)
    return function()


def _is_pair(given: object) -> bool:
    """Whether something is a predicate with a function."""
    items = cast("tuple[object, ...]", given) if isinstance(given, tuple) else ()
    return len(items) == 2 and callable(items[1])


def _branch(pred: Value, chosen: Function, other: Function) -> Function:
    return lambda: cond(pred, chosen, other)


def switch_case(
    branch_index: Value,
    branch_fns: Sequence[Function] | Sequence[tuple[int, Function]] | dict[int, Function],
    default: Function | None = None,
    name: str | None = None,
) -> Any:
    """What the function of a number gives; `default` (else the one with the largest number) for others. Raises
    TypeError and ValueError for what are no functions with numbers that differ."""
    del name
    items = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    pairs = [item if isinstance(item, tuple) else (k, item) for k, item in enumerate(items)]
    if not all(isinstance(k, int) and callable(f) for k, f in pairs):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("switch_case takes functions, or pairs (int, function)")
    if len({k for k, _ in pairs}) != len(pairs):
        raise ValueError("switch_case has several functions for one number")
    pairs.sort(key=lambda pair: pair[0])
    last = pairs[-1][1] if default is None else default
    return case([(branch_index == k, f) for k, f in pairs], last)


def _while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    is_test: bool = False,
    name: str | None = None,
) -> list[Any]:
    """While `cond(*loop_vars)` holds, `loop_vars` become `body(*loop_vars)`; what they are at the end. Raises TypeError
    for what are no functions, ValueError where `body` gives another number of values."""
    del is_test, name
    if not (callable(cond) and callable(body)):
        raise TypeError("cond and body in while_loop are functions")
    if not isinstance(loop_vars, list | tuple) or not loop_vars:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("loop_vars in while_loop is a list with a Tensor for each argument of cond and body")
    first = next(variables_in(loop_vars), None)
    if first is None:
        return _run(cond, body, loop_vars)
    initial = tensors(list(loop_vars))
    leaves = list(variables_in(initial))
    types = [leaf.type_ for leaf in leaves]
    while True:
        loop, given = _recorded(first.block.program, cond, body, initial, leaves, types)
        results = [cast("Variable", r) for r in loop.results]
        found = [wider(t, r.type_) for t, r in zip(types, results, strict=True)]
        for known, result, leaf in zip(found, results, leaves, strict=True):
            if known is None:
                raise ValueError(
                    f"while_loop: a loop variable of {leaf.kind!r} and shape {leaf.shape} becomes one of "
                    f"{result.kind!r} and shape {result.shape}"
                )
        if all(f is not None and _known(f) == _known(t) for f, t in zip(found, types, strict=True)):
            break
        types = [f for f in found if f is not None]
    for variable, result in zip(loop.carried, results, strict=True):
        variable._stop_gradient = variable.stop_gradient and result.stop_gradient  # pyright: ignore[reportPrivateUsage]
    block = first.block.program.current_block()
    for variable in loop.carried:
        block.add(variable)
    block.append(loop)
    return list(given)


def _known(type_: TensorType) -> tuple[int | None, ...]:
    return tuple(n if isinstance(n, int) else None for n in type_.shape)


def _run(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    is_test: bool = False,
    name: str | None = None,
) -> list[Any]:
    """The loop as Python's."""
    del is_test, name
    values = list(loop_vars)
    while cond(*values):
        made = body(*values)
        values = list(made) if isinstance(made, (list, tuple)) else [made]
    return values


class _WhileLoop:
    """`while_loop`, which in compiled code is a loop of Python's."""

    __jitcore_function__ = staticmethod(_run)

    def __init__(self) -> None:
        functools.update_wrapper(self, _while_loop)
        self.__name__ = self.__qualname__ = "while_loop"

    def __call__(self, *args: object, **keywords: object) -> list[Any]:
        return cast("Any", _while_loop)(*args, **keywords)


while_loop: Final = _WhileLoop()


def _recorded(
    program: Program,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    initial: object,
    leaves: Sequence[Variable],
    types: Sequence[TensorType],
) -> tuple[Loop, Sequence[Any]]:
    """A loop whose variables are of some types; and these, as `initial` holds them."""
    block = program.current_block()
    carried = [
        leaf.result_class(block, naming.generate("while") + ".tmp_0", type_, leaf.stop_gradient)
        for leaf, type_ in zip(leaves, types, strict=True)
    ]
    rest = iter(carried)
    given = mapped(lambda _: next(rest), initial)
    with program.inner_block() as test:
        condition = cond(*given)
    if not isinstance(condition, Variable) or any(n not in (1, -1) for n in condition.shape):
        raise TypeError("the function cond of while_loop gives a bool Tensor of one element")
    with program.inner_block() as inner:
        made = body(*given)
        results = tensors(list(made) if isinstance(made, list | tuple) else [made])
    found = list(variables_in(results))
    if len(found) != len(carried):
        raise ValueError(f"body in while_loop gives {len(found)} values for {len(carried)} loop_vars")
    return Loop(tuple(carried), tuple(leaves), test.part, condition, inner.part, tuple(found)), given


# --- what shows -----------------------------------------------------------------------------------------


def Print(input: Value, first_n: int = -1, message: str | None = None, **keywords: object) -> Any:
    """Print a Tensor whenever the Program runs; the Tensor."""
    del first_n, keywords
    return record(_shown, (input, message or getattr(input, "name", "")), {}, kept=True)


def _shown(x: Value, message: str) -> Any:
    print(message, x)
    return x


# --- blocks that are entered ----------------------------------------------------------------------------


class While:
    """`with While(condition).block():` — the statements within are run while the condition, to which they assign,
    holds."""

    def __init__(self, cond: Variable, is_test: bool = False, name: str | None = None) -> None:
        del is_test, name
        self._condition = cond

    def block(self) -> _Entered:
        """The context in which the statements are recorded."""
        program = self._condition.block.program

        def end(part: Part) -> None:
            program.current_block().append(Loop((), (), Part(), self._condition, part, (), is_kept=False))

        return _Entered(program, end)


class Switch:
    """`with Switch() as switch:`, `with switch.case(condition):` …, `with switch.default():` — the statements of the
    first case whose condition holds are run."""

    def __init__(self, name: str | None = None) -> None:
        del name
        self._cases: list[tuple[Variable, Part]] = []
        self._default = Part()

    def case(self, condition: Variable) -> _Entered:
        """The context of the statements for a condition."""
        return _Entered(condition.block.program, lambda part: self._cases.append((condition, part)))

    def default(self) -> _Entered:
        """The context of the statements where no condition holds. Raises ValueError where there are no cases."""
        if not self._cases:
            raise ValueError("Switch.default comes behind the cases")

        def end(part: Part) -> None:
            self._default = part

        return _Entered(self._cases[0][0].block.program, end)

    def __enter__(self) -> Switch:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None or not self._cases:
            return
        rest = self._default
        for condition, part in reversed(self._cases[1:]):
            rest = Part([If(condition, (part, rest), ((), ()), ())])
        condition, part = self._cases[0]
        condition.block.program.current_block().append(If(condition, (part, rest), ((), ()), ()))


class _Entered:
    """A context that records into a part; `end` takes it."""

    def __init__(self, program: Program, end: Callable[[Part], None]) -> None:
        self._context = program.inner_block()
        self._end = end

    def __enter__(self) -> None:
        self._block = self._context.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.__exit__(kind, value, trace)
        if kind is None:
            self._end(self._block.part)
