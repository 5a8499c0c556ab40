"""What stands for calls into Python where there is none: `i32 code(ptr ctx, ptr record, ptr in, ptr out)`, which a
record has as `array_calls` writes them, so that programs call it through `jc_host`. It gives 0, or 1 with the text of
an exception in the context, in the place of the exception's class.

A context is followed by the address of the handle, whose random state is a key and a count of draws for each stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from jitcore.backends.llvm.program.handlers import classes_of
from jitcore.backends.native.host import context
from jitcore.backends.native.host.free_lists import HEADER
from jitcore.backends.native.host.support import HOST_FUNCTION
from jitcore.backends.native.ir.text import LLVMModule, quoted
from jitcore.program.nodes import HostCall
from jitcore.program.words import PAST_64_BITS

HANDLE: Final = context.SIZE
"""Where in a context the address of the handle is."""

_DOMAIN: Final = (ValueError, "math domain error")
_RANGE: Final = (OverflowError, "math range error")
_PAST: Final = (OverflowError, PAST_64_BITS)
_MEMORY: Final = (MemoryError, "not enough memory")
_NEGATIVE: Final = (ValueError, "factorial() not defined for negative values")
_FIRST: Final = (ValueError, "n must be a non-negative integer")
_SECOND: Final = (ValueError, "k must be a non-negative integer")
_EXCEPTIONS: Final = (_DOMAIN, _RANGE, _PAST, _MEMORY, _NEGATIVE, _FIRST, _SECOND)
"""All that is raised here."""


def _text_of(exception: tuple[type[BaseException], str]) -> str:
    """The name of an exception's text."""
    return f"raised.{_EXCEPTIONS.index(exception)}"


def _raise(label: str, exception: tuple[type[BaseException], str]) -> str:
    """The block that ends a call with an exception."""
    return f"""{label}:
  %{label}.at = getelementptr i8, ptr %ctx, i64 {context.EXCEPTION}
  store ptr @{_text_of(exception)}, ptr %{label}.at
  ret i32 1
"""


class Hosts:
    """The code of the calls that a library's programs make, and the random streams that these draw from. In a handle
    the random state is at `state_at`."""

    def __init__(self, state_at: int) -> None:
        self._state_at = state_at
        self.streams: list[tuple[int, int]] = []
        self._module = LLVMModule()
        for kind, message in _EXCEPTIONS:
            name, text = _text_of((kind, message)), f"{kind.__name__}: {message}".encode()
            escaped = "".join(f"\\{byte:02X}" for byte in text) + "\\00"
            self._module.define(name, f'@{name} = internal constant [{len(text) + 1} x i8] c"{escaped}"')

    def record(self, call: HostCall) -> str | None:
        """The name of the record that a call is known by; None if Python alone does what it asks for."""
        if call.operation == "random_state":
            stream = call.params["stream"]
            name, body = f"random_state.{stream[0]}.{stream[1]}", self._random_state(stream)
        elif call.operation == "matches":
            matched = [e for e in _EXCEPTIONS if issubclass(e[0], classes_of(call.params["names"]))]
            name, body = "matches." + ".".join(map(_text_of, matched)), _matches(matched)
        elif call.operation in _CODES:
            name, body = call.operation, _CODES[call.operation](self._module)
        else:
            return None
        code, record = quoted(f"host.{name}"), quoted(f"record.{name}")
        self._module.define(code, f"define internal i32 @{code}(ptr %ctx, ptr %record, ptr %in, ptr %out) {{\n{body}}}")
        words = ", ".join(["i64 0"] * HOST_FUNCTION + [f"i64 ptrtoint (ptr @{code} to i64)"])
        # at an even address, which a call has odd
        self._module.define(record, f"@{record} = constant [{HOST_FUNCTION + 1} x i64] [{words}], align 8")
        return record

    def text(self) -> str:
        """The text of all this."""
        return self._module.text()

    def _random_state(self, stream: tuple[int, int]) -> str:
        """The key of a stream and the number of its next draw, each an array of rank 0: see `primitives.ops.random`."""
        self._module.declare("declare ptr @jc_alloc(ptr, i64)")
        if stream not in self.streams:
            self.streams.append(stream)
        first, second = stream
        shift = (first * 0x9E3779B97F4A7C15 + second * 0xD1B54A32D192ED03) % 2**64
        at = self._state_at
        lines = f"""entry:
  %handle.at = getelementptr i8, ptr %ctx, i64 {HANDLE}
  %handle = load ptr, ptr %handle.at
  %key.at = getelementptr i8, ptr %handle, i64 {at}
  %own = load i64, ptr %key.at
  %key = add i64 %own, {shift - 2**64 if shift >= 2**63 else shift}
  %count.at = getelementptr i8, ptr %handle, i64 {at + 8 * (1 + self.streams.index(stream))}
  %draw = load i64, ptr %count.at
  %next = add i64 %draw, 1
  store i64 %next, ptr %count.at
"""
        for k, what in enumerate(("key", "draw")):
            lines += f"""  %{what}.owner = call ptr @jc_alloc(ptr %ctx, i64 8)
  %{what}.none = icmp eq ptr %{what}.owner, null
  br i1 %{what}.none, label %no.memory, label %give.{what}
give.{what}:
  %{what}.data = getelementptr i8, ptr %{what}.owner, i64 {HEADER}
  store i64 %{what}, ptr %{what}.data
  %{what}.out = getelementptr i8, ptr %out, i64 {16 * k}
  store ptr %{what}.data, ptr %{what}.out
  %{what}.owner.out = getelementptr i8, ptr %out, i64 {16 * k + 8}
  store ptr %{what}.owner, ptr %{what}.owner.out
"""
        return lines + "  ret i32 0\n" + _raise("no.memory", _MEMORY)


def _matches(exceptions: Sequence[tuple[type[BaseException], str]]) -> str:
    """Whether an exception is one of some."""
    lines = [
        "entry:",
        "  %raised = load ptr, ptr %in",
        "  %m0 = icmp eq ptr %raised, null",
        "  %is0 = and i1 %m0, false",
    ]
    for k, exception in enumerate(exceptions):
        lines.append(f"  %m{k + 1} = icmp eq ptr %raised, @{_text_of(exception)}")
        lines.append(f"  %is{k + 1} = or i1 %is{k}, %m{k + 1}")
    return "\n".join(
        [*lines, f"  %word = zext i1 %is{len(exceptions)} to i64", "  store i64 %word, ptr %out", "  ret i32 0\n"]
    )


# --- functions of Python's math module --------------------------------------------------------------

Code: TypeAlias = "Callable[[LLVMModule], str]"
"""Writes the body of what stands for a call, and declares what that needs."""
_CODES: Final[dict[str, Code]] = {}
"""What the C library computes, or a few lines do, by the operation. hypot, gamma and lgamma are CPython's own in
Python: the C library's differ from them in the last bits."""


def _stands_for(operation: str) -> Callable[[Code], Code]:
    def register(code: Code) -> Code:
        _CODES[operation] = code
        return code

    return register


_LOADED: Final = """entry:
  %x = load double, ptr %in
  %second = getelementptr i8, ptr %in, i64 8
"""
_FLOATS: Final = _LOADED + "  %y = load double, ptr %second\n"
_INTS: Final = """entry:
  %n = load i64, ptr %in
  %second = getelementptr i8, ptr %in, i64 8
"""
_GIVEN: Final = """  store double %made, ptr %out
  ret i32 0
"""


def _simple(name: str) -> Code:
    """A function of two floats that raises nothing."""

    def body(module: LLVMModule) -> str:
        module.declare(f"declare double @{name}(double, double)")
        return f"{_FLOATS}  %made = call double @{name}(double %x, double %y)\n{_GIVEN}"

    return body


_stands_for("math_hypot")(_simple("hypot"))
_stands_for("math_nextafter")(_simple("nextafter"))


@_stands_for("math_remainder")
def _remainder(module: LLVMModule) -> str:
    module.declare("declare double @remainder(double, double)")
    return f"""{_FLOATS}  %made = call double @remainder(double %x, double %y)
  %numbers = fcmp ord double %x, %y
  %none = fcmp uno double %made, %made
  %bad = and i1 %numbers, %none
  br i1 %bad, label %domain, label %good
good:
{_GIVEN}""" + _raise("domain", _DOMAIN)


_FINITE: Final = """  %size = call double @llvm.fabs.f64(double %made)
  %grown = fcmp oeq double %size, 0x7FF0000000000000
  %x.size = call double @llvm.fabs.f64(double %x)
  %x.finite = fcmp olt double %x.size, 0x7FF0000000000000
  %past = and i1 %grown, %x.finite
"""


@_stands_for("math_ldexp")
def _ldexp(module: LLVMModule) -> str:
    module.declare("declare double @ldexp(double, i32)")
    module.declare("declare double @llvm.fabs.f64(double)")
    for name in ("smin", "smax"):
        module.declare(f"declare i64 @llvm.{name}.i64(i64, i64)")
    return f"""{_LOADED}  %n = load i64, ptr %second
  %low = call i64 @llvm.smax.i64(i64 %n, i64 -100000)
  %clipped = call i64 @llvm.smin.i64(i64 %low, i64 100000)
  %short = trunc i64 %clipped to i32
  %made = call double @ldexp(double %x, i32 %short)
{_FINITE}  br i1 %past, label %range, label %good
good:
{_GIVEN}""" + _raise("range", _RANGE)


def _gamma(call: str, declaration: str) -> Code:
    """The gamma function, or its logarithm, whose poles are 0 and the negative integers."""

    def body(module: LLVMModule) -> str:
        module.declare(declaration)
        module.declare("declare double @llvm.fabs.f64(double)")
        module.declare("declare double @llvm.floor.f64(double)")
        return (
            f"""{_LOADED}  %sign = alloca i32
  %made = {call}
{_FINITE}  %down = call double @llvm.floor.f64(double %x)
  %whole = fcmp oeq double %down, %x
  %left = fcmp ole double %x, 0.0
  %whole.left = and i1 %whole, %left
  %pole = and i1 %whole.left, %x.finite
  %number = fcmp ord double %x, %x
  %none = fcmp uno double %made, %made
  %spoilt = and i1 %none, %number
  %bad = or i1 %pole, %spoilt
  br i1 %bad, label %domain, label %inside
inside:
  br i1 %past, label %range, label %good
good:
{_GIVEN}"""
            + _raise("domain", _DOMAIN)
            + _raise("range", _RANGE)
        )

    return body


_stands_for("math_gamma")(_gamma("call double @tgamma(double %x)", "declare double @tgamma(double)"))
_stands_for("math_lgamma")(
    _gamma("call double @lgamma_r(double %x, ptr %sign)", "declare double @lgamma_r(double, ptr)")
)


@_stands_for("math_ulp")
def _ulp(module: LLVMModule) -> str:
    module.declare("declare double @nextafter(double, double)")
    module.declare("declare double @llvm.fabs.f64(double)")
    return f"""{_LOADED}  %size = call double @llvm.fabs.f64(double %x)
  %up = call double @nextafter(double %size, double 0x7FF0000000000000)
  %top = fcmp oeq double %up, 0x7FF0000000000000
  %down = call double @nextafter(double %size, double 0xFFF0000000000000)
  %above = fsub double %up, %size
  %below = fsub double %size, %down
  %step = select i1 %top, double %below, double %above
  %finite = fcmp olt double %size, 0x7FF0000000000000
  %made = select i1 %finite, double %step, double %size
{_GIVEN}"""


_MULTIPLY: Final = "declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)"


@_stands_for("math_factorial")
def _factorial(module: LLVMModule) -> str:
    module.declare(_MULTIPLY)
    return _product(
        "  %bad = icmp slt i64 %n, 0\n  br i1 %bad, label %negative, label %begin\nbegin:\n", "%n"
    ) + _raise("negative", _NEGATIVE)


def _product(start: str, count: str) -> str:
    """n (n - 1) (n - 2) …, so many factors, which are past 64 bits after 63 at most."""
    return f"""{_INTS}{start}  br label %head
head:
  %i = phi i64 [ 0, %begin ], [ %i.next, %go.on ]
  %product = phi i64 [ 1, %begin ], [ %product.next, %go.on ]
  %more = icmp slt i64 %i, {count}
  br i1 %more, label %multiply, label %done
multiply:
  %factor = sub i64 %n, %i
  %pair = call {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64 %product, i64 %factor)
  %over = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %over, label %past, label %go.on
go.on:
  %product.next = extractvalue {{ i64, i1 }} %pair, 0
  %i.next = add i64 %i, 1
  br label %head
done:
  store i64 %product, ptr %out
  ret i32 0
{_raise("past", _PAST)}"""


_CHOICE: Final = """  %k = load i64, ptr %second
  %bad = icmp slt i64 %n, 0
  br i1 %bad, label %negative, label %look
look:
  %bad.k = icmp slt i64 %k, 0
  br i1 %bad.k, label %negative.k, label %compare
compare:
  %none = icmp sgt i64 %k, %n
  br i1 %none, label %zero, label %begin
zero:
  store i64 0, ptr %out
  ret i32 0
begin:
"""
_REFUSED: Final = _raise("negative", _FIRST) + _raise("negative.k", _SECOND)


@_stands_for("math_perm")
def _perm(module: LLVMModule) -> str:
    module.declare(_MULTIPLY)
    return _product(_CHOICE, "%k") + _REFUSED


@_stands_for("math_comb")
def _comb(module: LLVMModule) -> str:
    """The product of (n - k + i) / i for i = 1 … k: after each step a binomial coefficient. What i and the product
    have in common is taken out of both first, so that nothing is past 64 bits unless the result is."""
    module.declare(_MULTIPLY)
    module.declare("declare i64 @llvm.smin.i64(i64, i64)")
    return f"""{_INTS}{_CHOICE}  %others = sub i64 %n, %k
  %few = call i64 @llvm.smin.i64(i64 %k, i64 %others)
  %base = sub i64 %n, %few
  br label %head
head:
  %i = phi i64 [ 1, %begin ], [ %i.next, %go.on ]
  %product = phi i64 [ 1, %begin ], [ %product.next, %go.on ]
  %more = icmp sle i64 %i, %few
  br i1 %more, label %divisor, label %done
divisor:
  %a = phi i64 [ %product, %head ], [ %b, %step ]
  %b = phi i64 [ %i, %head ], [ %rest, %step ]
  %found = icmp eq i64 %b, 0
  br i1 %found, label %multiply, label %step
step:
  %rest = srem i64 %a, %b
  br label %divisor
multiply:
  %reduced = sdiv i64 %product, %a
  %left = sdiv i64 %i, %a
  %top = add i64 %base, %i
  %factor = sdiv i64 %top, %left
  %pair = call {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64 %reduced, i64 %factor)
  %over = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %over, label %past, label %go.on
go.on:
  %product.next = extractvalue {{ i64, i1 }} %pair, 0
  %i.next = add i64 %i, 1
  br label %head
done:
  store i64 %product, ptr %out
  ret i32 0
{_raise("past", _PAST)}{_REFUSED}"""
