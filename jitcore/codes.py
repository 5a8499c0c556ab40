"""The short codes at the end of what jitcore refuses and warns of, such as `[J0105]`: by them a reader finds cause and
cure in `docs/messages.md`.

A code stands for a kind of message, not for one place in the compiler. So the kinds are a table here, each with the
words by which its messages are told; what is of no other kind is `OTHER`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Final

INTERNAL: Final = "J0001"
KEPT_NOWHERE: Final = "J0002"
OTHER: Final = "J0999"
OF_BOXES: Final = frozenset(("J0311", "J0312", "J0313"))
"""What is refused of containers and strings of the run."""
DONE_WITH_BOXES: Final = frozenset(("J0202", "J0203", "J0301", "J0302", "J0303", "J0307", OTHER))
"""Kinds of what is refused without them, and may be done with them."""

KINDS: Final[Mapping[str, str]] = {
    # gradients and batches first: they name the constructs that the kinds below are told by
    "J0401": r"differentiat|derivative|gradient|tangent|PYNATIVE_MODE|^(?!calling).* is not supported$",
    "J0402": r"under vmap|vmap",
    "J0501": r"^too dear to compile",
    "J0502": r"^each round of a loop calls Python",
    "J0503": r"rounds? (may write|is the last|before, in a way|append|reads from)|other rounds write|by several rounds"
    r"|every round writes|over prange: its rounds",
    "J0601": r"cannot leave Python|\bONNX\b|^it (changes|returns|has) ",
    # the text of a program
    "J0101": r"^`(async|await)\b|^an asynchronous comprehension",
    "J0102": r"^a class defined inside",
    "J0103": r"except\*",
    "J0104": r"^a type alias|a construct of a later Python",
    "J0105": r"^`(eval|exec|compile)`",
    "J0106": r"^`(locals|vars|dir|globals)\(\)`",
    "J0107": r"^`breakpoint\(\)`",
    "J0108": r"^`import \*`",
    "J0109": r"^global variable .* is assigned|is a variable of a function around",
    "J0110": r"^`yield` inside|^the value of `yield from`",
    "J0111": r"sees the variable of (a generator expression|another one) change",
    "J0112": r"nests expressions or statements too deeply",
    "J0113": r"^there is no source|^the source (of|file)|builtins of its own",
    # containers and strings of the run
    "J0311": r"(a|in a) container of the run( with|$)|of the run with something in it that has no hash",
    "J0312": r"may have no order$",
    "J0313": r"\b(list|dict|set|frozenset|deque|str|string|container|iterable)s? of the run\b",
    # what must be known, and what has one type
    "J0301": r"must be known when the function is compiled",
    "J0203": r"^making an? ",
    "J0201": r"whose result may differ from call to call",
    "J0202": r"^calling (?!the recursive).* with values of the run|\(\) with such arguments|, which is called between",
    "J0205": r"recursive function|calls itself|returns never settles",
    "J0207": r"\btry\b|\braise\b|\braising\b|\bcatching\b|\bexceptions?\b|cannot be caught",
    "J0206": r"\bgenerators?\b|`yield`",
    "J0302": r"changes its length in a loop|known only (at run time|when the program runs)|run-time length"
    r"|growable list",
    "J0303": r"several types|ever other types|never settle|on (one|some) paths? only|kinds, as the path says|\bjoins\b"
    r"|on paths that meet|another type$|is another one on some paths|another shape",
    "J0304": r"(changing|to the code|belongs to|an item of).* outside|argument's lists|that cannot be done twice"
    r"|that reaches the function in two ways|gets a second name|holds the same object|object held several times",
    "J0310": r"left 64 bits",
    "J0314": r"^NaN is a key here",
    "J0306": r"^'is' between|^id\(\)|told by what it holds|that may be one$",
    "J0305": r"^returning ",
    "J0307": r"\btext of\b|\bformat\b|\bstrings?\b|'%'|\bstr\.|__repr__|in a message$",
    "J0308": r"compiled code does not take|^an argument|^reading (tuples|containers)|holds itself|share memory"
    r"|long list of",
    "J0204": r"\battributes?\b|__dict__|^the method '|__hash__|\bhash of|\bcopy of (a|this)|^the type of"
    r"|^changing a|of a named tuple|^a named tuple|may change$",
    "J0208": r"\bnext\(\)|\biterators?\b|\bitertools\b|\bzip\(|\breversed\(|^a use of this|goes through",
    "J0309": r"\barrays?\b|\bndarray\b|\bview\b|\bTensor\b|^np\.|\bstrides\b|with such arguments|of another dtype"
    r"|of some elements",
}
"""The kinds by their codes, in the order in which they are tried: a message is of the first whose words are found in
it. Codes go by subject: 00 jitcore itself, 01 the text of a program, 02 calls and objects, 03 values and containers, 04
gradients, 05 cost, 06 models."""


@functools.lru_cache(4096)
def code_of(message: str) -> str:
    """The code of what is refused with these words."""
    for code, words in KINDS.items():
        if re.search(words, message):
            return code
    return OTHER
