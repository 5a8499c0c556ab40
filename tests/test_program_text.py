"""Programs as text, and the faults that the verifier finds in them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest
from program_builder import NULL, Writer, fibonacci, imm, make, push_and_pop, site

from jitcore.kernel.nodes import Buffer, Kernel, Param
from jitcore.program import nodes as n
from jitcore.program.printer import print_program
from jitcore.program.verify import verify_program
from jitcore.source import InternalError
from jitcore.types import (
    c128,
    f32,
    f64,
    i64,
)

# --- text and rules ---------------------------------------------------------------------------------


def test_programs_are_printed_as_python_is_written() -> None:
    text = print_program(fibonacci())
    assert text == PRINTED
    ast.parse(text)
    ast.parse(print_program(push_and_pop(64)))


PRINTED = """\
# program test: 1 words in, 1 words out

def main() -> ():
    in_1: i64 = in_words[0]
    r2: i64 = fib(in_1)  # too deep: site 0
    out_words[0] = r2
    return

def fib(k: i64) -> (i64,):
    r1: bool_ = lt(k, 2)
    if r1:
        r7: i64 = k
    else:
        r2: i64 = sub(k, 1)
        r3: i64 = fib(r2)  # too deep: site 0
        r4: i64 = sub(k, 2)
        r5: i64 = fib(r4)  # too deep: site 0
        r6: i64 = add(r3, r5)
        r7: i64 = r6
    return r7
"""


def _faulty(write: Callable[[Writer], object], **rest: Any) -> str:
    """What the verifier says of a program with this entry."""
    w = Writer()
    write(w)
    with pytest.raises(InternalError) as caught:
        verify_program(make(w, 2, 2, ONE, **rest))
    return str(caught.value)


X, Y = n.Reg("x", i64), n.Reg("y", f64)
ONE = n.Function("one", (X,), n.Block((), (X,)))
KERNEL = Kernel("k", (), (Buffer("a", f32),), (Param("s", f32),), (), ())


@pytest.mark.parametrize(
    ("write", "fault"),
    [
        (lambda w: w("add", i64, X, 1), "x is used, but set nowhere before"),
        (lambda w: [w.add(n.ReadWord(X, 0)) for _ in range(2)], "x is set a second time"),
        (lambda w: w("add", i64, 1, 1.5), "add is of i64, f64, i64, not i64, i64, i64"),
        (lambda w: w("lt", i64, 1, 2), "lt is of i64, i64, i64, not i64, i64, bool_"),
        (lambda w: w("add", i64, 1), "add takes 2 operands, not 1"),
        (lambda w: w("frobnicate", i64, 1), "there is no operation frobnicate"),
        (lambda w: w("neg", i64, NULL), "neg of an address"),
        (lambda w: w.read(2), "there is no word to read 2: the program has 2"),
        (lambda w: w.read(1, c128), "there is no word to read 2"),
        (lambda w: w.write(5, 1), "there is no word to write 5"),
        (lambda w: w.check(imm(1), 0), "the condition is a i64, not a bool_"),
        (lambda w: w.check(imm(True), 7), "there is no error site 7"),
        (lambda w: w.check(imm(True), 0, imm(True)), "a value of the message is a bool_, not a i64 or f64"),
        (lambda w: w.if_(imm(True), lambda: [imm(1)], lambda: [imm(1.0)]), "a branch leaves f64, not i64"),
        (lambda w: w.if_(imm(True), lambda: [w.read(0)]), "a branch leaves nothing, not i64"),
        (lambda w: w.while_([1], lambda i: i, lambda i: [i]), "the test leaves i64, not bool_"),
        (lambda w: w.while_([1], lambda i: imm(True), lambda i: [1.5]), "the body leaves f64, not i64"),
        (lambda w: w.call("two", [], [], 0), "there is no function two to call"),
        (lambda w: w.call("main", [], [], 0), "there is no function main to call"),
        (lambda w: w.call("one", [imm(1.5)], [i64], 0), "the function is given f64, not i64"),
        (lambda w: w.call("one", [imm(1)], [], 0), "the call gives nothing, not i64"),
        (lambda w: w.add(n.Launch("none", (), 0)), "there is no kernel none"),
        (lambda w: w.add(n.Launch("k", (NULL, imm(1)), 0)), "the kernel is given ptr, i64, not ptr, f32"),
        (lambda w: w.add(n.Constant(n.Reg("c", None), 0)), "there is no constant 0: the program has 0"),
        (lambda w: w.add(n.Host(0, (), (), 0)), "there is no host call 0"),
        (lambda w: w.alloc(imm(1.5)), "the size is a f64, not a i64"),
        (lambda w: w.load(imm(1), i64), "the address is a i64, not a ptr"),
        (lambda w: w.add(n.Retain(imm(1))), "the owner is a i64, not a ptr"),
        (lambda w: w.add(n.StackPop(X, ())), "the stack is a i64, not a ptr"),
    ],
)
def test_faults_are_found(write: Callable[[Writer], object], fault: str) -> None:
    message = _faulty(write, sites=[site()], kernels={"k": KERNEL})
    assert fault in message


def test_a_register_of_a_branch_is_not_seen_after_it() -> None:
    message = _faulty(lambda w: (w.if_(imm(True), lambda: w.add(n.ReadWord(X, 0)) or []), w.write(0, X)))
    assert "x is used, but set in a block that does not enclose this" in message
    assert "out_words[0] = x\n    # ^^^" in message


def test_words_outside_of_the_entry_are_refused() -> None:
    f = Writer()
    f.read(0)
    with pytest.raises(InternalError, match="ReadWord outside of the entry"):
        verify_program(make(Writer(), 1, 1, f.function("f")))
