"""Gradients of programs written at random, each compared with differences and with what other transforms say of it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np

from fuzz.clock import clock
from jitcore import Tensor, checkpoint, grad, jit, jvp, recompute, value_and_grad, vmap
from jitcore.config import STRICT, settings
from jitcore.source import CompileError, InternalError

NAMESPACE: dict[str, Any] = {"np": np}
EXTENT = 3
STEPS = (1e-5, 2e-5)
POSITIONS = (0, 1, 2, 3)
_PARAMETERS = "x, y, xs, w, n"
_PRELUDE = [
    "u, v = x * 0.5, y + 0.25", "s, t = xs * 0.0, xs + 0.0", "q = [x, y, u]", "p = [xs, s + y]", "c = (x, xs)", "r = []", "a = []",
]  # fmt: skip


class GradientWriter:
    """Writes one function of two floats, a vector, a matrix and an int, which gives a float and is smooth almost everywhere."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.left = self.random.randint(3, 14)
        self.loops = 0
        self.functions = 0

    def below(self, n: int) -> int:
        return self.random.randrange(n)

    def pick(self, *choices: str) -> str:
        return choices[self.below(len(choices))]

    # --- expressions ----------------------------------------------------------------------------------

    def index(self) -> str:
        return self.pick("0", "1", "-1", "n % 3", "2", "i % 3")

    def real(self, depth: int = 2) -> str:
        sub = self.real
        if depth <= 0:
            return self.pick(
                "x", "y", "u", "v", "0.5", "-1.5", "q[0]", "q[-1]", "c[0]", f"xs[{self.index()}]", f"s[{self.index()}]"
            )
        match self.below(13):
            case 0 | 1:
                return f"({sub(depth - 1)} {self.pick('+', '-')} {sub(depth - 1)})"
            case 2 | 3:
                return f"(0.5 * {sub(depth - 1)} * {sub(depth - 1)})"
            case 4:
                return f"({sub(depth - 1)} / (1.5 + ({sub(0)}) ** 2))"
            case 5 | 6:
                return self.function_of(sub(depth - 1))
            case 7:
                return f"{self.array(depth - 1)}[{self.index()}]"
            case 8:
                return f"{self.array(depth - 1)}.{self.pick('sum', 'mean', 'max', 'prod')}()"
            case 9:
                return f"({self.array(depth - 1)} @ {self.array(0)})"
            case 10:
                return f"({sub(depth - 1)} if {self.truth()} else {sub(0)})"
            case 11:
                return self.pick(
                    "sum(q)",
                    "w[0, 1]",
                    f"w[{self.index()}, {self.index()}]",
                    f"p[{self.pick('0', '-1', 'n % 2')}][{self.index()}]",
                    "sum(r)",
                    "(r[-1] if r else u)",
                    "np.sum(w[1:, :2])",
                    "q[n % 3]",
                    "sum([z * x for z in q])",
                    "max(u, v)",
                    "abs(u)",
                    "sum(z.sum() for z in a)",
                )
            case _:
                return f"np.{self.pick('sum', 'mean')}({self.array(depth - 1)}[{self.pick('1:', ':2', '::2', '::-1')}])"

    def function_of(self, inner: str) -> str:
        return self.pick(
            f"np.sin({inner})", f"np.tanh({inner})", f"np.exp(np.tanh({inner}))", f"np.sqrt(1.0 + ({inner}) ** 2)", f"np.cos({inner})",
        )  # fmt: skip

    def array(self, depth: int = 2) -> str:
        sub = self.array
        if depth <= 0:
            return self.pick(
                "xs", "s", "t", "p[0]", "p[-1]", "c[1]", f"w[{self.index()}]", f"w[:, {self.index()}]", "xs[::-1]"
            )
        match self.below(11):
            case 0 | 1:
                return f"({sub(depth - 1)} {self.pick('+', '-')} {self.pick(sub(depth - 1), self.real(0))})"
            case 2 | 3:
                return f"(0.5 * {sub(depth - 1)} * {self.pick(sub(0), self.real(0))})"
            case 4 | 5:
                return self.function_of(sub(depth - 1))
            case 6:
                return f"(w @ {sub(depth - 1)})"
            case 7:
                return f"np.where({sub(0)} > {self.real(0)}, {sub(depth - 1)}, {sub(0)})"
            case 8:
                return self.pick(
                    "(w.T @ s)",
                    "w.sum(axis=0)",
                    "np.cumsum(t)",
                    "np.concatenate([xs[1:], t[:1]])",
                    "np.stack([u, v, x])",
                    "np.maximum(s, t)",
                    "(w * xs).mean(axis=1)",
                    "np.stack(p).sum(axis=0)",
                    "(a[-1] if a else xs)",
                    "np.array([x, u, v])",
                )
            case 9:
                return f"({sub(depth - 1)} if {self.truth()} else {sub(0)})"
            case _:
                return f"({sub(depth - 1)} / (1.5 + {sub(0)} ** 2))"

    def truth(self) -> str:
        return (
            f"{self.real(1)} {self.pick('<', '>')} {self.pick('0.1', '-0.4', '0.7', self.real(0))}"
            if self.below(3)
            else self.pick("n > 2", "n % 2", "len(r) > 1", "i < 2")
        )

    # --- statements -----------------------------------------------------------------------------------

    def block(self, depth: int, in_loop: bool, in_function: bool = False) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.below(3)):
            if self.left <= 0:
                break
            self.left -= 1
            lines += ["    " + line for line in self.statement(depth, in_loop, in_function)]
        return lines or ["    u = u * 0.9"]

    def statement(self, depth: int, in_loop: bool, in_function: bool) -> list[str]:
        match self.below(20):
            case 0 | 1 | 2:
                return [f"{self.pick('u', 'v')} = np.tanh({self.real()})"]
            case 3 | 4:
                return [f"{self.pick('s', 't')} = np.sin({self.array()})"]
            case 5 if depth < 3:
                lines = [f"if {self.truth()}:", *self.block(depth + 1, in_loop, in_function)]
                return [*lines, "else:", *self.block(depth + 1, in_loop, in_function)] if self.below(2) else lines
            case 6 | 7 | 8 if depth < 2:
                return self.loop(depth, in_function)
            case 9 | 10:
                return [self.pick(
                    f"s[{self.index()}] = {self.real(1)}", f"s[{self.pick('1:', ':2', '::2')}] = {self.real(1)}", f"t[{self.index()}] += {self.real(1)}",
                    f"s[1:] = {self.array(1)}[:2]", f"t[:] = {self.array(1)}", f"s *= {self.real(0)}", f"t[:2] *= {self.array(0)}[1:]", "b = t[1:]\nb[0] = u".replace("\n", "; "),
                )]  # fmt: skip
            case 11 | 12:
                return [self.pick(
                    f"q[{self.pick('0', '-1', 'n % 3')}] = {self.real(1)}", f"p[{self.pick('0', '1', 'n % 2')}] = {self.array(1)}", f"c = ({self.real(1)}, {self.array(1)})",
                    "u, v = v, u", "q = q[::-1]", "q = [z * 0.5 for z in q]", f"q = [{self.real(1)}, u, v]", "p = [p[1], p[0]]", "p = [s, t]", "q = [np.tanh(z + h) for z, h in zip(q, (u, v, x))]",
                )]  # fmt: skip
            case 13 | 14:
                return [
                    self.pick(
                        f"r.append(np.tanh({self.real(1)}))",
                        "r.append(u)",
                        f"a.append({self.array(1)})",
                        "a.append(t)",
                        f"r += [{self.real(0)}, v]",
                        "if r: u = r.pop()",
                        f"if r: r[0] = {self.real(0)}",
                        f"if a: a[-1] = {self.array(0)}",
                    )
                ]
            case 15 if in_loop:
                return [f"if {self.truth()}:", f"    {self.pick('break', 'continue')}"]
            case 16 if depth:
                return [f"if {self.truth()}:", f"    return {self.real()}"]
            case 17 if not in_function and depth < 2:
                return self.function()
            case 18:
                return [f"{self.pick('u', 'v')} {self.pick('+', '-')}= {self.real(1)}"]
            case _:
                return [f"u = np.tanh({self.real()})"]

    def loop(self, depth: int, in_function: bool) -> list[str]:
        self.loops += 1
        counter = f"k{self.loops}"
        body = self.block(depth + 1, True, in_function)
        match self.below(6):
            case 0 | 1:
                return [f"for i in range({self.pick('3', 'n', 'n - 1', '4, 0, -1', 'len(q)')}):", *body]
            case 2:
                return [
                    f"for {self.pick('v in q', 'i, v in enumerate(q)', 'e in xs', 'e in (u, v)', 's in p', 'e, u in zip(xs, q)')}:",
                    *body,
                    f"    v = v + 0.1 * {self.pick('u', 's[0]', 'x')}",
                ]
            case _:
                return [
                    f"{counter} = 0",
                    f"while {counter} < n{self.pick('', f' and {self.truth()}')}:",
                    f"    {counter} += 1",
                    *body,
                ]

    def function(self) -> list[str]:
        self.functions += 1
        name = f"g{self.functions}"
        if self.below(2):
            lines = [
                f"def {name}(z, k):",
                f"    if k <= 0{self.pick('', ' or z > 1.5')}:",
                f"        return {self.pick('z', 'z * u', 'z + xs[1]', 'np.sin(z)')}",
            ]
            lines += [
                f"    return {self.pick(f'{name}(np.tanh(z + x), k - 1) * 0.5 + z', f'np.sin({name}(z * v, k - 1))', f'{name}(z, k - 1) * {name}(z * 0.5, k - 2)')}"
            ]
            return [*lines, f"u = {name}({self.real(0)}, n)"]
        lines = [f"def {name}(z, h):", *(["    nonlocal v"] if self.below(3) == 0 else [])]
        lines += [
            f"    {'v' if len(lines) > 1 else 'e'} = z * {self.real(0)}",
            f"    s[{self.index()}] = z" if self.below(2) else "    h = h * z",
        ]
        return [
            *lines,
            f"    return {self.pick('z * h[0]', 'h.sum() + x', 'u * z + (h @ xs)', '(lambda k: k * z * x)(h[1])')}",
            f"{self.pick('u', 'v')} = np.tanh({name}({self.real(0)}, {self.array(0)}))",
        ]

    def text(self) -> str:
        lines = [f"def f({_PARAMETERS}):", "    i = 0", *("    " + line for line in _PRELUDE)]
        while self.left > 0:
            lines += self.block(0, False)
        end = "u + 0.7 * v + (s * t).sum() + sum(q) + 0.3 * p[0].sum() + p[1][1] * c[0] + sum(r) * 0.5 + sum([e[1] for e in a])"
        return "\n".join([*lines, f"    return {end if self.below(4) else self.real()}"]) + "\n"

    def arguments(self) -> tuple[Any, ...]:
        """Floats, arrays and an int of a call."""

        def draw() -> float:
            return round(self.random.uniform(-1.4, 1.4), 3)

        vector = np.array([draw() for _ in range(EXTENT)])
        matrix = np.array([[draw() for _ in range(EXTENT)] for _ in range(EXTENT)])
        return draw(), draw(), vector, matrix, self.below(6)


# --- comparison -----------------------------------------------------------------------------------------


@contextmanager
def changed(**values: Any) -> Generator[None, None, None]:
    """Other settings meanwhile. Without `jit` everything is run line by line: gradients are the tape's."""
    before = {name: getattr(settings, name) for name in values}
    settings.update(**values)
    try:
        yield
    finally:
        settings.update(**before)


def on_tensors(args: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of a call as Tensors (but for the int)."""
    return (*(Tensor(np.array(v)) for v in args[:-1]), args[-1])


def flat(gradients: Any) -> np.ndarray[Any, Any]:
    """Gradients by all arguments as one vector."""
    return np.concatenate(
        [np.asarray(g.asnumpy() if isinstance(g, Tensor) else g, np.float64).ravel() for g in gradients]
    )


def _number(value: Any) -> float:
    return float(value.asnumpy() if isinstance(value, Tensor) else value)


def shifted(args: Sequence[Any], direction: Any, by: float) -> tuple[Any, ...]:
    """The arguments, moved along a direction of all of them."""
    moved, start = [], 0
    for value in args[:-1]:
        size = np.size(value)
        step = by * direction[start : start + size]
        moved.append(value + step.reshape(value.shape) if isinstance(value, np.ndarray) else value + float(step[0]))
        start += size
    return (*moved, args[-1])


def slopes(function: Callable[..., Any], args: Sequence[Any]) -> np.ndarray[Any, Any] | None:
    """A function's derivatives by differences; None where two steps disagree: there is a kink, or it is too steep."""
    size = sum(np.size(v) for v in args[:-1])
    found = [
        np.array([
            (_number(function(*shifted(args, e, h))) - _number(function(*shifted(args, e, -h)))) / (2 * h) for e in np.eye(size)
        ])
        for h in STEPS
    ]  # fmt: skip
    return found[0] if np.isfinite(found[0]).all() and np.allclose(*found, rtol=1e-6, atol=1e-7) else None


def disagreements(
    plain: Callable[..., Any], args: Sequence[Any], thorough: bool, took: Callable[[float], None]
) -> list[str] | None:
    """What transforms of a function say that is not so; None where differences do not tell.

    `took` is told the seconds of the processor, in all threads, of each transform, its compilation included.
    """
    with np.errstate(all="ignore"):
        value, want = _number(plain(*copy.deepcopy(args))), slopes(plain, args)
    if want is None or abs(value) > 1e3 or np.abs(want).max() > 1e3:
        return None
    found: list[str] = []

    def check(what: str, compute: Callable[[], Any], wanted: Any) -> None:
        start = clock()
        try:
            with changed(jit_syntax_level=STRICT):
                got = compute()
        except CompileError:
            return  # it is refused, with the reason
        except Exception as error:
            if "has no derivative here" in str(error):
                return  # line by line, so is an ndarray made of Tensors
            found.append(f"{what} raises {type(error).__name__}: {error}")
            return
        finally:
            took(clock() - start)
        if not np.allclose(got, wanted, rtol=1e-5, atol=1e-6):
            found.append(f"{what}\n  gives {got}\n  not   {wanted}")

    def both(function: Callable[..., Any], values: Sequence[Any]) -> Any:
        value, gradients = value_and_grad(function, POSITIONS)(*copy.deepcopy(values))
        return np.concatenate([[_number(value)], flat(gradients)])

    def eagerly(*values: Any) -> Any:
        with changed(jit=False):
            return plain(*on_tensors(copy.deepcopy(values)))

    everything = np.concatenate([[value], want])
    check("the compiled gradient", lambda: both(plain, args), everything)
    # `u -= y` changes a Tensor under all its names, and makes a new float
    tensor_slopes = slopes(eagerly, args)
    of_tensors = None if tensor_slopes is None else np.concatenate([[_number(eagerly(*args))], tensor_slopes])
    if of_tensors is not None:
        check("the compiled gradient by Tensors", lambda: both(plain, on_tensors(args)), of_tensors)
    check("the gradient of a compiled function", lambda: both(jit(plain), args), everything)

    def taped() -> Any:
        with changed(jit=False):
            return both(plain, on_tensors(args))

    if of_tensors is not None:
        check("the tape's gradient", taped, of_tensors)
    direction = np.cos(np.arange(want.size))
    tangents = (*shifted([0.0 * v for v in args[:-1]] + [0], direction, 1.0)[:-1], None)
    forward = jit(lambda *a: jvp(plain, a[: len(args)], a[len(args) :]))
    check("the directional derivative", lambda: _number(forward(*copy.deepcopy(args), *tangents)[1]), want @ direction)
    if thorough:
        _further(check, both, plain, args, everything)
    return found


def _further(
    check: Callable[[str, Callable[[], Any], Any], None],
    both: Callable[..., Any],
    plain: Callable[..., Any],
    args: Sequence[Any],
    everything: Any,
) -> None:
    """What recomputing, batches and second gradients say."""
    check("the gradient with recompute", lambda: both(recompute(plain), args), everything)
    check("the gradient with checkpoint", lambda: both(checkpoint(plain), args), everything)
    rows = [args, shifted(args, np.full(everything.size - 1, 0.01), 1.0)]
    first = grad(plain, POSITIONS)
    stacked = tuple(np.stack([np.asarray(row[k]) for row in rows]) for k in POSITIONS)

    def batched() -> Any:
        got = vmap(first, in_axes=(0, 0, 0, 0, None))(*stacked, args[-1])
        each = [flat(first(*copy.deepcopy(row))) for row in rows]
        return [flat([np.asarray(g)[k] for g in got]) - each[k] for k in range(len(rows))]

    check("the gradient of rows less that of each", batched, 0.0)

    def length(*values: Any) -> Any:
        gx, _, gxs, gw = first(*values)
        return np.sin(gx) + (gxs * gxs).sum() + gw[0, 1]

    try:
        with changed(jit_syntax_level=STRICT):
            want = slopes(length, args)
    except (CompileError, InternalError):
        return  # it is refused, or told of above
    if want is not None and np.abs(want).max() < 1e3:
        check("the gradient of the gradient", lambda: flat(grad(length, POSITIONS)(*copy.deepcopy(args))), want)
