"""Writes random Python functions full of control flow, for tests to compare compilers of them with Python."""

from __future__ import annotations

from random import Random

_NAMES = ("a", "b", "c", "d", "e")


class ProgramGenerator:
    """`ProgramGenerator(seed).function(name)` is the text of a function of `a`, `b` and `note`, which always ends.

    Some variables may be unassigned where they are read; some paths raise; functions inside capture variables.
    """

    def __init__(self, seed: int, *, size: int = 14, functions: bool = True) -> None:
        self.random = Random(seed)
        self.left = size
        self.counters = 0
        self.functions = functions

    def function(self, name: str) -> str:
        return "\n".join([f"def {name}(a, b, note):", *self._block(1, False), ""])

    def _pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def _block(self, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            if self.left <= 0:
                break
            self.left -= 1
            lines += self._statement(depth, in_loop)
        return lines or ["    " * depth + "pass"]

    def _statement(self, depth: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        kinds = ["assign"] * 4 + ["if"] * 4 + ["for", "while", "augment", "note", "leave"]
        kinds += ["leave", "leave"] if in_loop else []
        kinds += ["def", "lambda", "comprehension", "walrus", "delete"] if self.functions else []
        kind = self.random.choice(kinds)
        name = self._pick(*_NAMES)
        if kind == "if" and depth < 6:
            return self._if(depth, in_loop)
        if kind in ("for", "while") and depth < 5:
            return self._loop(kind, depth)
        if kind == "augment":
            return [f"{pad}{name} += {self._value()}"]
        if kind == "note":
            return [f"{pad}note({self._value()})"]
        if kind == "leave":
            return [pad + self._leave(in_loop)]
        if kind == "delete" and self.random.random() < 0.3:
            return [f"{pad}del {name}"]
        if kind == "def":
            return self._def(depth)
        if kind == "lambda":
            return [f"{pad}f = lambda x: x + {self._value()}", f"{pad}{name} = f({self._value()}) % 7"]
        if kind == "comprehension":
            inner = self._pick(*_NAMES)
            return [
                f"{pad}{name} = sum([note({inner} + {self._value()}) for {inner} in range({self._pick('a', '3')})])"
            ]
        if kind == "walrus":
            return [f"{pad}note({self._test()} and ({name} := {self._value()}))"]
        return [f"{pad}{name} = {self._value()}"]

    def _def(self, depth: int) -> list[str]:
        pad, name = "    " * depth, self._pick(*_NAMES)
        lines = [f"{pad}def g(x={self._value()}):"]
        if self.random.random() < 0.4:
            lines += [f"{pad}    nonlocal {name}", f"{pad}    {name} = x % 5"]
        lines += [
            f"{pad}    if x > 3:",
            f"{pad}        return note({self._value()})",
            f"{pad}    return {self._value()}",
        ]
        return [*lines, f"{pad}note(g({self._pick('', self._value())}))"]

    def _if(self, depth: int, in_loop: bool) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}if {self._test()}:", *self._block(depth + 1, in_loop)]
        while self.random.random() < 0.2:
            lines += [f"{pad}elif {self._test()}:", *self._block(depth + 1, in_loop)]
        if self.random.random() < 0.5:
            lines += [f"{pad}else:", *self._block(depth + 1, in_loop)]
        return lines

    def _loop(self, kind: str, depth: int) -> list[str]:
        pad = "    " * depth
        self.counters += 1
        counter = f"k{self.counters}"
        if kind == "for":
            lines = [f"{pad}for {self._pick(counter, *_NAMES)} in range({self._pick('a % 4', 'b % 4', '3', '4')}):"]
            lines += self._block(depth + 1, True)
        else:
            endless = self.random.random() < 0.4
            test = self._pick("True", "1") if endless else f"{counter} < 3 and ({self._test()})"
            lines = [f"{pad}{counter} = 0", f"{pad}while {test}:", f"{pad}    {counter} += 1"]
            if endless:
                lines += [
                    f"{pad}    if {counter} > 3:",
                    f"{pad}        {self._pick('break', 'return 5', 'raise KeyError(2)')}",
                ]
            lines += self._block(depth + 1, True)
        if self.random.random() < 0.3:
            lines += [f"{pad}else:", *self._block(depth + 1, False)]
        return lines

    def _leave(self, in_loop: bool) -> str:
        choices = [f"return {self._value()}", "return", f"raise ValueError({self._value()})", f"assert {self._test()}"]
        if in_loop:
            choices = ["break", "break", "continue", "continue", *choices[:2], choices[3]]
        return self._pick(*choices)

    def _value(self) -> str:
        a, b = self._pick(*_NAMES), self._pick(*_NAMES)
        return self._pick(a, b, f"{a} + {b}", f"{a} - 1", str(self.random.randint(0, 5)), f"{a} if {b} else 2")

    def _test(self) -> str:
        a, b, n = self._pick(*_NAMES), self._pick(*_NAMES), str(self.random.randint(0, 4))
        return self._pick(
            a, f"{a} > {n}", f"{n} < {a} < {b}", f"{a} and not {b}", f"{a} == {n} or {b} > 1", f"{a} % 2 == 0"
        )
