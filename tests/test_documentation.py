"""Every code block of the documentation runs, and prints what the page shows.

A page is run as a reader would type it: its `python` blocks one after the other in one namespace, in a folder of its own.
A `text` block with the title "Output" below one is what it prints, warnings and the exception that ends it included (`...`
stands for anything). A `console` block has commands after `$ ` and what they print. A block with a title is a file, too.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import linecache
import os
import re
import shlex
import sys
import tempfile
import textwrap
import traceback
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from jitcore import cli
from jitcore.codes import INTERNAL, KEPT_NOWHERE, KINDS, OTHER, code_of
from jitcore.compat import entry
from jitcore.compat.mindspore.modules import MINDSPORE
from jitcore.compat.torch.modules import TORCH
from jitcore.config import settings
from tests.built_site import faults

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
RUN_ELSEWHERE = {
    "AUTOTEST.md": "tests/autotest/test_drawn_values.py",
    "LIBRARIES.md": "tests/test_build_wheels.py",
    "SERVING.md": "tests/test_serve.py",
}
"""Pages with Python that needs PyTorch, a built wheel or a server: what runs it."""
NOT_RUN = (
    "pip ",
    "make ",
    "pytest ",
    "python -m ",
    "jitcore serve ",
    "jitcore build ",
    "jitcore view ",
    "curl ",
    "cc ",
    "apt-get ",
    "gdb ",
    "tar ",
)
"""What commands in `sh` blocks begin with: they install, build or serve."""

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, title and text, where it begins and ends in the page, and the line it begins in."""

    language: str
    title: str
    text: str
    place: tuple[int, int]
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, those in lists and tabs too."""
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    for match in FENCE.finditer(text):
        title = re.search(r'title="([^"]*)"', match["info"])
        language = match["info"].strip().partition(" ")[0]
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(language, title[1] if title else "", textwrap.dedent(match["text"]), match.span(), line))
    return found


def pages() -> list[Path]:
    """The pages with code that runs here."""
    found = [p for p in sorted(DOCS.rglob("*.md")) if p.name not in RUN_ELSEWHERE]
    return [p for p in found if any(b.language in ("python", "console") for b in blocks(p))]


# --- running a page ---------------------------------------------------------------------------------------


@contextmanager
def written_down() -> Iterator[StringIO]:
    """What is printed, and what is warned of, in this order."""
    out = StringIO()
    with warnings.catch_warnings(), redirect_stdout(out), redirect_stderr(out):
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, category, *_: print(f"{category.__name__}: {message}")
        yield out


class Page:
    """A page as it runs: its namespace, which is `__main__`, and its folder, which is the current one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.module = ModuleType("__main__")
        self.number = 0

    def run(self, block: Block) -> str:
        """What running a block prints."""
        self.number += 1
        if block.language == "console":
            return self._commands(block)
        file = self.folder / (block.title or f"{self.number}/example.py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        linecache.checkcache(str(file))
        with written_down() as out:
            try:
                exec(compile(block.text, str(file), "exec", dont_inherit=True), self.module.__dict__)
            except Exception as error:
                out.write("".join(traceback.format_exception_only(error)))
        return self._shown(out.getvalue())

    def _commands(self, block: Block) -> str:
        printed: list[str] = []
        for line in block.text.splitlines():
            if line.startswith("$ "):
                name, *arguments = shlex.split(line[2:])
                assert name == "jitcore", f"only jitcore's commands are run: {line}"
                with written_down() as out:
                    cli.main(arguments)
                printed += [line, *self._shown(out.getvalue()).rstrip().splitlines()]
        return "\n".join(printed) + "\n"

    def _shown(self, text: str) -> str:
        """Without the folder, which is another one for each reader."""
        return re.sub(rf"{re.escape(str(self.folder))}/(\d+/)?", "", text)


@dataclass(frozen=True)
class Printed:
    """What a block printed, and what the page shows of it: in the block itself (a console), or in another one, if any."""

    block: Block
    shown: Block | None
    text: str

    @property
    def agrees(self) -> bool:
        want = self.shown.text if self.shown is not None else ""
        return doctest.OutputChecker().check_output(want, self.text, doctest.ELLIPSIS)


def printed(page: Path, folder: Path) -> Iterator[Printed]:
    """Run a page in a folder, block by block."""
    running = Page(folder)
    sys.modules["__main__"] = running.module
    found = blocks(page)
    for block, following in zip(found, [*found[1:], None], strict=False):
        if block.language == "console":
            yield Printed(block, block, running.run(block))
        elif block.language == "python":
            has_output = following is not None and following.title == "Output"
            yield Printed(block, following if has_output else None, running.run(block))


def differences(page: Path, folder: Path) -> Iterator[str]:
    """Run a page; what was printed and is not what it shows."""
    for made in printed(page, folder):
        if not made.agrees:
            want = made.shown.text if made.shown is not None else ""
            yield f"{page.name}:{made.block.line}: shown:\n{want}\nprinted:\n{made.text}"


def rewritten(page: Path, folder: Path) -> str:
    """A page with what its blocks print in the place of what differs from it."""
    text = page.read_text(encoding="utf-8")
    for made in reversed(list(printed(page, folder))):
        if made.agrees:
            continue
        start, end = made.shown.place if made.shown is not None else (made.block.place[1],) * 2
        head = "console" if made.shown is made.block else 'text title="Output"'
        fence = f"```{head}\n{made.text.rstrip()}\n```" if made.text else ""
        text = text[:start] + ("\n\n" if made.shown is None else "") + fence + text[end:]
    return text


@pytest.fixture
def _as_for_a_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A folder of its own, the default settings, and no framework's names left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setenv("COLUMNS", "100")
    settings.verify = False
    held = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"}
    for name in held:
        del sys.modules[name]
    was_mindspore = entry.is_installed(MINDSPORE)
    with np.printoptions(legacy=False):  # which fronts of frameworks choose for the process
        yield
    entry.uninstall(TORCH)
    if not was_mindspore:
        entry.uninstall(MINDSPORE)
    sys.modules.update(held)


@pytest.mark.usefixtures("_as_for_a_reader")
@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    found = list(differences(page, tmp_path))
    assert not found, "\n".join(found)


# --- the rules that pages keep -----------------------------------------------------------------------------


def commands(block: Block) -> Iterable[str]:
    lines = block.text.replace("\\\n", " ").splitlines()
    return (line for line in lines if line.strip() and not line.startswith("#"))


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_blocks_that_are_not_run_need_more_than_jitcore(page: Path) -> None:
    languages = {"python", "console", "text", "sh", "c", "ini", "json", "yaml", "toml", ""}
    assert {b.language for b in blocks(page)} <= languages
    for block in blocks(page):
        if block.language == "sh":
            assert [c for c in commands(block) if not c.startswith(NOT_RUN)] == [], f"{page.name}:{block.line}"


def test_names_of_jitcore_that_pages_mention_are_there() -> None:
    missing: list[str] = []
    for page in sorted(DOCS.rglob("*.md")):
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        names = {
            *re.findall(r"`(jitcore(?:\.\w+)+)", text),
            *re.findall(r"^::: (jitcore(?:\.\w+)+)", text, re.MULTILINE),
        }
        missing += [f"{page.name}: {name}" for name in sorted(names) if not is_there(name)]
    assert missing == []


def is_there(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ImportError:
        try:
            return hasattr(importlib.import_module(module), attribute)
        except ImportError:  # an attribute of a class
            owner, _, cls = module.rpartition(".")
            return hasattr(getattr(importlib.import_module(owner), cls, None), attribute)
    return True


def test_what_runs_elsewhere_is_run_there() -> None:
    for page, test in RUN_ELSEWHERE.items():
        assert page in (ROOT / test).read_text(), f"{test} runs the blocks of docs/{page}"


def test_a_difference_is_reported_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    page = tmp_path / "page.md"
    right = '```python\nprint(2)\n```\n\n```text title="Output"\n2\n```\n\n```python\nx = 1\n```\n'
    page.write_text(right.replace('"Output"\n2', '"Output"\n3'))
    assert [d.splitlines()[0] for d in differences(page, tmp_path)] == ["page.md:1: shown:"]
    assert rewritten(page, tmp_path) == right
    page.write_text("```python\nprint(2)\n```\n\n```python\nx = 1\n```\n")
    assert rewritten(page, tmp_path) == right


def test_a_site_that_is_not_whole_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">b</a><a href="c.html">c</a><img src="//host/x.png">'
    )
    (tmp_path / "b.html").write_text('<p id="other"><a href="a.html#here">a</a><a href="https://host/">elsewhere</a>')
    heading = '<h3 id="jitcore.x" class="doc doc-heading">x</h3><div class="doc doc-contents first">{}</div>'
    (tmp_path / "d.html").write_text(heading.format("\n") + heading.format("<p>What it is.</p>").replace("x", "y"))
    assert list(faults(tmp_path)) == [
        "a.html: loads //host/x.png from another host",
        "a.html: b.html#there: there is no such place",
        "a.html: c.html is not there",
        "d.html: jitcore.x has no description",
    ]


# --- codes of messages --------------------------------------------------------------------------------------


def sections() -> dict[str, str]:
    """The sections of the page of messages by their codes."""
    parts = re.split(r"^### .*?{ #(\w+) }$", (DOCS / "messages.md").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_each_code_has_a_section_and_each_section_a_code() -> None:
    assert sorted(sections()) == sorted({*KINDS, INTERNAL, KEPT_NOWHERE, OTHER})


def test_a_section_shows_a_message_with_its_code() -> None:
    shown_codes = {code: set(re.findall(r"\[(J\d{4})\]$", text, re.MULTILINE)) for code, text in sections().items()}
    assert {code: found for code, found in shown_codes.items() if found and found != {code}} == {}
    assert sum(map(bool, shown_codes.values())) > 25


def test_the_words_of_each_kind_are_in_messages_of_the_compiler() -> None:
    missing = {*KINDS, OTHER}
    for text in texts():
        missing.discard(code_of(text))
    assert sorted(missing) == []


def texts() -> Iterator[str]:
    """The strings in modules that refuse something, with a letter in place of what is filled in."""
    refusing = re.compile(r"\b(Problem|unsupported|_failure|UNSUPPORTED)\b")
    for folder in ("jitcore/exports", "jitcore/passes", "jitcore/runtime", "frontend"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if refusing.search(text):
                for node in ast.walk(ast.parse(text)):
                    if isinstance(node, ast.JoinedStr):
                        yield "".join(str(v.value) if isinstance(v, ast.Constant) else "X" for v in node.values)
                    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                        yield node.value


def main(arguments: list[str]) -> None:
    """Print what differs in pages; with `--write` first, write it into them."""
    write = arguments[:1] == ["--write"]
    for argument in arguments[write:]:
        page, held = Path(argument).resolve(), Path.cwd()
        with tempfile.TemporaryDirectory() as made:
            os.chdir(made)
            try:
                folder = Path(made).resolve()
                if write:
                    page.write_text(rewritten(page, folder), encoding="utf-8")
                else:
                    print("\n".join(differences(page, folder)))
            finally:
                os.chdir(held)


if __name__ == "__main__":  # `python -m tests.test_documentation [--write] docs/tour.md`
    main(sys.argv[1:])
