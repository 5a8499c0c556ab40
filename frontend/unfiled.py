"""Text of code that stands in no file and that `linecache` does not know: `python -c`, standard input, prompts, `exec`.

Nothing tells which text such code was compiled from. What may be it is looked for where it is still kept: on the
command line, in a file given as standard input, in the prompt's history, and in strings that the callers hold. Whoever
asks takes only text that compiles to the very code.
"""

from __future__ import annotations

import inspect
import os
import stat
import sys
import textwrap
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final, cast

_MOST_TEXTS: Final = 200
"""Strings of the callers that are looked at: parsing takes about a millisecond for 100 lines."""
_MOST_CHARACTERS: Final = 1_000_000
_MOST_HISTORY: Final = 1000
"""Lines of a prompt."""

_found: Final[dict[str, list[str]]] = {}
"""By file name, texts that functions were found in: others of the same text are looked for there first."""
_KEPT: Final = 64


def texts(code: CodeType) -> Iterator[str]:
    """Texts that code may have been compiled from, likely ones first."""
    name, seen = code.co_filename, set[str]()
    for text in _candidates(name, code.co_firstlineno, code.co_name):
        for version in (text, textwrap.dedent(text)):
            if version not in seen and "\0" not in version:
                seen.add(version)
                yield version


def keep(name: str, text: str) -> None:
    """Remember a text that code of this file name was compiled from."""
    known = _found.setdefault(name, [])
    if text in known:
        known.remove(text)
    known.insert(0, text)
    del known[_KEPT:]


def _candidates(name: str, line: int, function: str) -> Iterator[str]:
    yield from list(_found.get(name, ()))
    if name == "<string>":
        yield from _of_command_line()
    if name == "<stdin>":
        yield from _of_standard_input()
        yield from _of_history(line)
    yield from _of_callers("lambda" if function == "<lambda>" else function)


def _of_command_line() -> Iterator[str]:
    """The program of `python -c`: an argument of its own, or what follows the option."""
    for argument in sys.orig_argv[1:]:
        yield argument
        if argument.startswith("-") and "c" in argument:
            yield argument.partition("c")[2]


def _of_standard_input() -> Iterator[str]:
    """The whole of a file that is read as standard input, from its beginning; what came through a pipe is gone."""
    try:
        found = os.fstat(0)
        if stat.S_ISREG(found.st_mode) and found.st_size <= _MOST_CHARACTERS:
            yield os.pread(0, found.st_size, 0).decode()
    except (OSError, AttributeError, UnicodeDecodeError):  # no such file, no such call on this system, no text
        return


def _of_history(line: int) -> Iterator[str]:
    """What was typed at a prompt, from each line back to the last ones: each statement is compiled by itself, its first
    line 1."""
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    lines = [readline.get_history_item(k) or "" for k in range(max(count - _MOST_HISTORY, 0) + 1, count + 1)]
    for start in range(len(lines) - line, -1, -1):
        end = start + line
        while end < len(lines) and (not lines[end].strip() or lines[end][:1] in " \t#"):
            end += 1
        yield "\n".join(lines[start:end]) + "\n"


def _of_callers(word: str) -> Iterator[str]:
    """Strings with this word in them that the functions that are running hold: in variables, globals and constants."""
    frame, rest, count = inspect.currentframe(), _MOST_CHARACTERS, 0
    spaces = set[int]()
    while frame is not None:
        for space in (frame.f_locals, frame.f_globals, frame.f_code.co_consts):
            if id(space) in spaces:
                continue
            spaces.add(id(space))
            for value in _strings(space):
                if word in value and len(value) <= rest and count < _MOST_TEXTS:
                    rest -= len(value)
                    count += 1
                    yield value
        frame = frame.f_back


def _strings(space: object) -> Iterator[str]:
    """The strings in a namespace or among constants, and those in lists and tuples there."""
    for value in list(space.values() if isinstance(space, dict) else cast("tuple[object, ...]", space)):
        if type(value) is str:
            yield value
        elif type(value) in (list, tuple):
            yield from (item for item in cast("list[object]", value)[:_MOST_TEXTS] if type(item) is str)
