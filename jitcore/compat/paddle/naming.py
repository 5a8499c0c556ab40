"""Names that are given out once: `linear_0`, `generated_tensor_3` (`paddle.utils.unique_name`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

__all__ = ["generate", "guard", "switch"]


class UniqueNames:
    """How often each prefix has been given out, and what all names begin with."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._given: Counter[str] = Counter()

    def __call__(self, key: str) -> str:
        number = self._given[key]
        self._given[key] += 1
        return f"{self._prefix}{key}_{number}"


_current: Final = [UniqueNames()]


def generate(key: str) -> str:
    """A name that begins with `key` and has not been given out.

    >>> with guard():
    ...     generate("fc"), generate("fc")
    ('fc_0', 'fc_1')
    """
    return _current[0](key)


def switch(new_generator: UniqueNames | None = None) -> UniqueNames:
    """Begin the numbers anew, or go on with those of `new_generator`; gives what was in force."""
    before, _current[0] = _current[0], UniqueNames() if new_generator is None else new_generator
    return before


@contextmanager
def guard(new_generator: UniqueNames | str | bytes | None = None) -> Generator[None]:
    """Names within are numbered anew; of a text, they begin with it."""
    text = new_generator.decode() if isinstance(new_generator, bytes) else new_generator
    before = switch(UniqueNames(text) if isinstance(text, str) else text)
    try:
        yield
    finally:
        switch(before)
