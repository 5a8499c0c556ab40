"""Text that is not IR: every failure to read it is the parser's own error, with its line, however odd or deep the text is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ir_ops import OPS
from test_ir_text import CANONICAL

from jitcore.ir.parser import TextError, parse
from jitcore.ir.verify import VerifyError, verify
from jitcore.primitives.core.registry import PRIMITIVES

GOLDEN = Path(__file__).parent / "golden"
DEEP = [
    "not ", "-", "lambda: ", "a if b else ", "a.", "a ** ", "(", "[", "a[", "f(", "{", "a + ", "a and ", "a < ", "a, ", "'a' ", "a ", "await ", "*",
    "~", "1 * ",
]  # fmt: skip
ODD = [
    "\0", "\ud800", "é", "\u2028", "\x0c", "9" * 5000, "0x" + "f" * 5000, "1" * 400, "1e999", "-'a'", "complex('a', 1)", "max(1, 'a')", "n // 0",
    "n % 0", "1 // 0", "f16(1e400)", "i8(300)", "i8('a')", "f32(None)", "...", "1j", "b''", "f'{x}'", "**x", "*x", "(yield)", "x := 1", "x if x else x",
    "'" * 9999, '"' * 9999, "\\", "#: 1:2-3:4", "#: a:1:2-3:" + "4" * 5000, "#: -> (", "#: -> " + "(" * 300, "#: -> 3", "#: ;;; < < <",
]  # fmt: skip
PLACES = [
    "def f(x: i64) -> i64:\n    y: i64 = show({})\n    return x\n",
    "def f(x: i64) -> i64:\n    y: i64 = show(axis={})\n    return x\n",
    "def f(x: {}) -> i64:\n    return x\n",
    "def f(x: f32[{}]) -> i64:\n    return x\n",
    "def f(x: i64) -> {}:\n    return x\n",
    "def f(x: i64) -> i64:\n    return {}\n",
    "def f(x: i64) -> i64:\n    {}\n    return x\n",
    "def f(x: i64) -> i64:  {}\n    return x\n",
    "def {}(x: i64) -> i64:\n    return x\n",
    "# file a = {}\ndef f(x: i64) -> i64:\n    return x\n",
    "{}",
]


def require_own_error(text: str, ops: Any = OPS, table: Any = None) -> bool:
    """Whether text is refused; nothing else than the parser's or the verifier's own error may come."""
    try:
        made = parse(text, ops, table)
    except TextError as caught:
        error = caught
    else:
        error = None
    if error is not None:
        assert 1 <= error.line <= len(text.splitlines()) + 1
        assert str(error).startswith(f"line {error.line}: ")
        assert len(str(error)) < 600
        return True
    try:
        verify(made)
    except VerifyError:
        return True
    return False


@pytest.mark.parametrize("place", PLACES)
def test_odd_and_deep_expressions(place: str) -> None:
    for word in DEEP:
        require_own_error(place.format(word * (50_000 if place is PLACES[0] else 2000) + "x"))
    for words in ODD:
        require_own_error(place.format(words))


@pytest.mark.parametrize("word", DEEP[:5])
def test_what_is_too_deep_is_told_with_its_line(word: str) -> None:
    with pytest.raises(TextError, match="nested too deeply") as caught:
        parse(f"def f(x: i64) -> i64:\n    y: i64 = double(x)\n    show({word * 50_000}x)\n    return y\n", OPS)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def f() -> ():\n    show('\0')\n    return ()\n", 2, "NUL character"),
        ("def f() -> ():\n    show('\udfff')\n    return ()\n", 2, "half of a surrogate pair"),
        ("# file a = 3\ndef f() -> ():\n    return ()\n", 1, "a file is named by a string"),
        ("def f() -> ():\n    show(-'a')\n    return ()\n", 2, "is not a number"),
        ("def f(x: f32['a']) -> ():\n    return ()\n", 1, "'a' is not a dimension"),
        ("def f(x: f32[1 // 0]) -> ():\n    return ()\n", 1, "division"),
        ("def f() -> ():\n    show(0x%s)\n    return ()\n" % ("f" * 5000), 2, "more digits than Python writes"),
        ("def f() -> ():\n    show(complex(None, 1))\n    return ()\n", 2, "not of two numbers"),
        ("def f() -> ():\n    show(**x)\n    return ()\n", 2, "a parameter has a name"),
        ("def f() -> ():\n    show(%s)\n    return ()\n" % ("9" * 5000), 2, "4300 digits"),
    ],
)
def test_errors_say_where_and_what(text: str, line: int, message: str) -> None:
    with pytest.raises(TextError, match=message) as caught:
        parse(text, OPS)
    assert caught.value.line == line


def nested(depth: int) -> str:
    lines = ["def f(x: i64, p: bool) -> i64:"]
    for k in range(1, depth):
        lines += [" " * k + f"def h_{k}() -> i64:", " " * (k + 1) + "return x", " " * k + f"def g_{k}() -> i64:"]
    lines.append(" " * depth + "return x")
    for k in reversed(range(1, depth)):
        lines += [" " * k + f"y_{k}: i64 = cond(p, g_{k}, h_{k})", " " * k + f"return y_{k}"]
    return "\n".join(lines)


def test_functions_in_each_other() -> None:
    verify(parse(nested(200), OPS))
    parse(nested(1500), OPS)
    for depth in (2001, 3000):
        with pytest.raises(TextError, match="nested more than 2000 deep"):
            parse(nested(depth), OPS)


def mutated(text: str, rng: random.Random) -> str:
    a = rng.randrange(len(text) + 1)
    b = min(len(text), a + rng.randrange(1, 20))
    lines, words = text.split("\n"), text.split(" ")
    i, j = rng.randrange(len(lines)), rng.randrange(len(words))
    lines.insert(i, lines.pop(rng.randrange(len(lines))))
    words[j] = rng.choice(words)
    return rng.choice((
        text[:a] + text[b:],
        text[:a] + rng.choice(ODD) + text[b:],
        text[:a] + text[a:b] + text[a:],
        text[:a] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x110000)))) + text[a + 1 :],
        "\n".join(lines),
        " ".join(words),
    ))  # fmt: skip


def test_mutations_of_printed_text() -> None:
    texts: list[tuple[str, Any, Any]] = [(CANONICAL, OPS, {"c": np.zeros(8, np.float32)})] * 5
    for file in sorted(GOLDEN.rglob("*.ir"))[::3]:
        texts += [(part, PRIMITIVES, None) for part in file.read_text().split("\n# --- after ---\n")]
    for text, ops, table in texts:
        parse(text, ops, table)
    rng = random.Random(3)
    refused = 0
    for _ in range(2000):
        text, ops, table = rng.choice(texts)
        for _ in range(rng.choice((1, 1, 2))):
            text = mutated(text, rng)
        refused += require_own_error(text, ops, table)
    assert refused > 1000
