"""Pages of what was compiled: what they say of lines, that they show what was compiled, and that what is the user's is
text in them."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import jit
from jitcore.cli import main
from jitcore.program.printer import print_program
from jitcore.runtime.notices import FallbackWarning
from tests.view_pages import LENET, chunk, lines_of_places, stage

SCRIPT = """import numpy as np
from jitcore import jit

@jit
def f(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    y = np.sin(x) + 1.0
    return (y * total).sum(), np.sort(y)

f(np.arange(64.0), 10)

@jit
def never(x):
    return x + 1
"""


def page_of(tmp_path: Path, text: str, *options: str, name: str = "script.py") -> str:
    file, out = tmp_path / name, tmp_path / "out.html"
    file.write_text(text, encoding="utf-8")
    assert main(["view", str(file), "-o", str(out), *options]) == 0
    return out.read_text("utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("page"), SCRIPT)


@pytest.fixture(scope="module")
def lenet(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("lenet"), LENET, name="lenet.py")


def test_lines_of_all_stages_say_where_in_the_source_they_come_from(page: str) -> None:
    record = chunk(page, "record-0")
    lines, places = stage(record, "opt")
    (sine,) = (k for k, line in enumerate(lines) if "= sin(" in line)
    assert lines_of_places(record, places[sine]) == {9}
    lines, places = stage(record, "kernels")
    kernels = {k for k, line in enumerate(lines) if "= sin(" in line}
    assert kernels
    assert all(9 in lines_of_places(record, places[k]) for k in kernels)
    lines, places = stage(record, "program")
    loop = [lines_of_places(record, places[k]) for k, line in enumerate(lines) if line.strip() == "while True:"]
    assert {7} in loop
    for name, instruction in {"llvm": r"  %.* = fmul double", "asm": r"\tv?(add|mul)sd"}.items():
        lines, places = stage(record, name)
        found = [
            lines_of_places(record, p) for line, p in zip(lines, places, strict=True) if re.match(instruction, line)
        ]
        assert any(8 in where for where in found), (name, found)
    assert any(lines_of_places(record, p) == {10} for p in stage(record, "program")[1])


def test_lines_say_how_they_run_and_what_they_cost(page: str) -> None:
    costs = chunk(page, "record-0")["lines"]["0"]
    assert {"vectorised"} <= set(costs["9"]["kinds"])
    assert costs["8"]["kinds"] == ["native"]
    assert costs["9"]["flops"] >= 128
    assert sum(cost["share"] for cost in costs.values()) == pytest.approx(1, abs=1e-3)


def test_lines_that_the_interpreter_runs_are_marked(tmp_path: Path) -> None:
    text = """import json
import numpy as np
from jitcore import jit

@jit
def f(x):
    y = x * 2.0
    text = json.dumps({"y": float(y[0])})
    return y.sum() + len(text)

f(np.ones(100))
"""
    with pytest.warns(FallbackWarning):
        page = page_of(tmp_path, text)
    interpreted = chunk(page, "index")["interpreted"]["0"]
    assert set(interpreted) == {"8"}
    assert "json" in interpreted["8"] or "dumps" in interpreted["8"]
    assert "9" in chunk(page, "record-0")["lines"]["0"]


def test_a_function_that_was_never_called_has_what_needs_no_call(page: str) -> None:
    index = chunk(page, "index")
    assert [record["signature"] for record in index["records"]][-1] == "never called"
    record = chunk(page, f"record-{len(index['records']) - 1}")
    assert [found["id"] for found in record["stages"]] == ["source", "anf"]
    assert (record["called"], record["passes"], record["pictures"]) == (False, [], [])


def test_all_of_a_stage_is_shown() -> None:
    @jit
    def f(x, n):
        return np.tanh(x * n).sum() + x

    f(np.ones(5000), 10)
    record = chunk(f.view().html, "record-0")
    made = f.specialisations[0].compilation
    assert [line for line in stage(record, "llvm")[0] if line] == [
        line for line in made.text("llvm").split("\n") if line
    ]
    shown = "\n".join(stage(record, "program")[0])
    assert shown == print_program(made.code.program).rstrip("\n") + "\n"
    assert "launch(" in shown


def test_what_is_written_beside_a_statement_is_of_its_line() -> None:
    @jit
    def f(x, n):
        for _ in range(n):
            x = x * 2.0 + 1.0
        return x

    f(np.ones(50), 4)
    lines, places = stage(chunk(f.view().html, "record-0"), "program")
    releases = [where for line, where in zip(lines, places, strict=True) if line.strip().startswith("release(")]
    assert releases
    assert all(releases)


def names(items: list[Any]) -> list[Any]:
    """The groups of a picture as nested lists of names."""
    return [[item["name"], *names(item["items"])] for item in items if isinstance(item, dict)]


def test_a_network_is_a_picture_by_cell_in_the_order_of_its_calls(lenet: str) -> None:
    forward, whole = chunk(lenet, "record-0")["pictures"]
    assert (forward["title"], whole["title"]) == ("Forward", "Whole program")
    ((network, backbone, loss),) = names(forward["items"])
    assert (network, loss) == ("network", ["_loss_fn"])
    convolutions = ["conv1", "relu", "pool", "conv2", "relu", "pool"]
    assert backbone == ["_backbone", *([n] for n in [*convolutions, "flatten", "fc1", "relu", "fc2", "relu", "fc3"])]
    inputs = [name for op, *_, name in forward["nodes"] if op == "input"]
    assert inputs == ["data", "label"]
    for picture in (forward, whole):
        assert all(source < k for k, (*_, sources, _) in enumerate(picture["nodes"]) for source in sources)


def test_a_long_graph_is_folded_in_runs(tmp_path: Path) -> None:
    body = "".join(f"    x = x * {k}.0 + y\n" for k in range(200))
    text = f"from jitcore import jit, Tensor\n@jit\ndef f(x, y):\n{body}    return x\nf(Tensor([1.0]), Tensor([2.0]))\n"
    (picture,) = chunk(page_of(tmp_path, text), "record-0")["pictures"]
    assert len(picture["nodes"]) > 300
    assert [item["kind"] for item in picture["items"]] == ["operations"] * len(picture["items"])
    assert sum(len(item["items"]) for item in picture["items"]) == len(picture["nodes"])


def test_passes_say_what_they_changed_and_nothing_of_what_is_numbered_anew(lenet: str) -> None:
    passes = chunk(lenet, "record-0")["passes"]
    assert [row["name"] for row in passes[-3:]] == ["count", "hoist", "fuse"]
    for before, after in pairwise(passes):
        assert before["after"] == after["before"]
    changed = [row for row in passes if "text" in row]
    assert changed
    for row in changed:
        rows = row["text"].split("\n")
        assert rows[0].startswith("@@ -")
        assert all(line[:1] in ("+", "-", " ", "@") for line in rows)
    fuse = passes[-1]["text"].split("\n")
    assert any(line.startswith("+") and "fused(" in line for line in fuse)


def test_the_page_of_a_training_step_is_small(lenet: str) -> None:
    assert len(lenet) < 1_000_000


EVIL = "</script><script>window.ran=1</script><img src=x onerror=window.ran=1>"


def test_what_is_the_user_s_is_no_markup(tmp_path: Path) -> None:
    text = f'''"""{EVIL}"""
from jitcore import jit
word = {EVIL!r}
@jit
def f(x):
    """{EVIL}"""
    assert x != 3, "{EVIL}"
    return x + len(word)
f(1)
'''
    page = page_of(tmp_path, text, name="<img src=x onerror=ran()>.py")
    assert "window.ran" not in page
    assert "<img" not in page
    assert "<title>&lt;img src=x onerror=ran()&gt;.py</title>" in page
    assert page.count("<script>") == 1


def test_only_the_page_s_own_script_and_style_may_be_used(page: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    rules = dict(rule.split(" ", 1) for rule in found[1].split("; "))
    assert rules.pop("default-src") == "'none'"
    for name, tag in {"script-src": "script", "style-src": "style"}.items():
        text = page.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules.pop(name) == f"'sha256-{digest}'"
    assert rules == {"base-uri": "'none'", "form-action": "'none'"}
    shown = page.split("<style>")[1]
    assert not re.search(r"""https?://(?!www\.w3\.org/2000/svg)|@import|url\(|\bfetch\(|innerHTML|\beval\(""", shown)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"] {'])
def test_colours_have_the_contrast_that_reading_needs(page: str, theme: str) -> None:
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", page.split(theme)[1].split("}")[0]))
    words = ["text", *(name for name in colours if name.startswith(("w-", "k-")))]
    for ground in ("ground", "hot", "kept"):
        found = {name: contrast(colours[name], colours[ground]) for name in words}
        assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}, ground
    assert contrast(colours["text"], colours["hit"]) >= 4.5
    for name in ("quiet", "unused", "accent", "more-text", "less-text"):
        assert min(contrast(colours[name], colours[ground]) for ground in ("ground", "raised")) >= 4.5, name
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5


@jit
def doubled(x):
    return x * 2


def test_a_compiled_function_shows_itself_in_a_notebook(tmp_path: Path) -> None:
    uncalled = jit(lambda x: x + 1).view()
    assert chunk(uncalled.html, "index")["records"][0]["signature"] == "never called"
    doubled(2.0)
    view = doubled.view()
    assert repr(view) == "<view of doubled: save(path) writes the page, show() opens it>"
    assert view.save(str(tmp_path / "page.html")).read_text("utf-8") == view.html
    shown = view._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts" title="doubled" srcdoc="&lt;!doctype html&gt;')
    assert shown.count("<") == 2


def test_the_ways_of_a_gradient_are_shown_too(tmp_path: Path) -> None:
    text = """import numpy as np
import jitcore
from jitcore import Tensor, jit, ops

@jit
def f(x):
    return (ops.exp(x) * x).sum()

print(f(Tensor(np.ones(4, np.float32))))
"""
    page = page_of(tmp_path, text)
    assert [r["name"] for r in chunk(page, "index")["records"]] == ["f"]


@pytest.mark.parametrize(
    ("text", "options", "code", "message"),
    [
        ("x = 1\n", [], 1, "nothing in SCRIPT was compiled"),
        (SCRIPT, ["--function", "h"], 1, "SCRIPT has no function 'h' that is compiled"),
        (SCRIPT, ["-o", "/nowhere/page.html"], 2, "cannot write '/nowhere/page.html"),
    ],
)
def test_mistakes_are_told(
    tmp_path: Path, text: str, options: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "script.py"
    file.write_text(text)
    assert main(["view", str(file), *options]) == code
    assert message.replace("SCRIPT", str(file)) in capsys.readouterr().err
