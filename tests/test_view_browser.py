"""Pages in a browser: what they show, what pointing, clicking and keys do, and that nothing of the user's runs in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jitcore.cli import main
from tests.view_pages import BROWSER, LENET, browser

pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")

EVIL = "</script><script>window.ran=1</script><img src=x onerror='window.ran=1'>"
PANES = ("source", "graph", "kernels", "llvm", "asm")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def lenet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), LENET, "lenet.py")


class Tab:
    """A page that is open, and what went wrong in it or was asked for."""

    def __init__(self, chromium: Any, file: Path, **options: Any) -> None:
        self.context = chromium.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready]")

    def found(self, selector: str) -> list[str]:
        """The texts of elements."""
        return self.page.locator(selector).all_text_contents()

    def run(self, script: str, *arguments: object) -> Any:
        return self.page.evaluate(script, list(arguments))

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.dispatch_event("click")

    def point_at(self, selector: str) -> None:
        self.page.locator(selector).first.dispatch_event("mouseover")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def lit(self, pane: str, kind: str = "hot") -> list[int]:
        """The numbers of the lines in the document that are lit."""
        return [int(number) for number in self.found(f"#lines-{pane} .row.{kind} .number")]


@pytest.fixture
def tab(chromium: Any, lenet: Path) -> Iterator[Tab]:
    made = Tab(chromium, lenet)
    yield made
    made.context.close()
    assert made.wrong == []


def written(folder: Path, text: str, name: str = "script.py") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    assert main(["view", str(folder / name), "-o", str(folder / "page.html")]) == 0
    return folder / "page.html"


def test_the_network_is_not_asked(tab: Tab, lenet: Path) -> None:
    assert tab.asked == [lenet.as_uri()]


def test_all_stages_are_beside_the_source_and_nothing_runs_over(tab: Tab) -> None:
    shown = [pane.input_value() for pane in tab.page.locator(".code .pane-head select").all()]
    assert shown[1:3] == ["opt", "kernels"]
    assert tab.found(".code .pane:not([hidden]) .pane-head option:checked")[0] == "lenet.py"
    assert tab.page.locator(".code .pane").evaluate_all("panes => panes.every((pane) => pane.clientWidth > 250)")
    for view in ("code", "network", "passes"):
        tab.click(f"[data-view={view}]")
        assert tab.run("() => [document.documentElement.scrollWidth, innerWidth]") == [1280, 1280]


def test_what_is_pointed_at_is_lit_in_all_columns(tab: Tab) -> None:
    tab.point_at("#lines-source [data-line='21']")  # self.flatten
    assert tab.lit("source") == [22]
    assert tab.found("#lines-graph .row.hot .text")[0].strip().startswith("x_6: f32[32, 400] = reshape(")
    tab.point_at("#lines-graph [data-line='9']")  # the first convolution
    assert tab.lit("source") == [20]
    assert tab.lit("kernels")[0] == 1
    (status,) = tab.found(".status")
    assert "conv1" in status
    assert "vectorised" in status


def test_what_is_clicked_stays_lit_and_comes_into_sight(tab: Tab) -> None:
    tab.click("#lines-source [data-line='23']")
    tab.page.wait_for_selector("#lines-asm .row.kept")
    for pane in PANES:
        assert tab.lit(pane, "kept"), pane
    tab.press("Escape")
    assert not any(tab.lit(pane, "kept") for pane in PANES)


def test_only_lines_in_sight_are_in_the_document(tab: Tab) -> None:
    (size,) = tab.found(".pane-llvm .size")
    assert int(size.split()[0].replace(",", "")) > 2000
    for top in (0, 9_000, 27_000):
        tab.run("([top]) => { document.getElementById('lines-llvm').scrollTop = top }", top)
        tab.page.wait_for_selector(f"#lines-llvm [data-line='{top // 18 + 5}']", state="attached")
        assert len(tab.found("#lines-llvm .row")) < 120


def test_search_finds_lines_in_all_columns_and_goes_on_with_enter(tab: Tab) -> None:
    tab.press("/")
    tab.page.keyboard.type("MAX_pool2d")
    counts = dict(zip(PANES, tab.found(".code .found"), strict=True))
    assert counts["source"] == "0 found"
    assert int(counts["graph"].split()[0]) >= 2
    assert "max_pool2d" in tab.found("#lines-graph mark")
    for number in ("1", "2"):
        tab.press("Enter")
        assert [text.split(" of ")[0] for text in tab.found(".found") if " of " in text] == [number]
    tab.press("Escape")
    assert not tab.found("mark")


def test_keys_move_through_lines_and_views(tab: Tab) -> None:
    tab.page.locator("#lines-graph").focus()
    tab.press("ArrowDown", "ArrowDown")
    assert tab.found("#lines-graph [aria-selected=true] .number") == ["2"]
    tab.press("Enter")
    assert tab.lit("graph", "kept")
    for key, view in {"2": "Network", "3": "Passes", "1": "Code"}.items():
        tab.press(key)
        assert tab.found("[role=tab][aria-selected=true]") == [view]
    tab.press("?")
    assert "search in all columns" in tab.page.locator("dialog[open]").inner_text()


@pytest.mark.parametrize(
    ("scheme", "first", "then"), [("light", "255, 255, 255", "20, 23, 28"), ("dark", "20, 23, 28", "255, 255, 255")]
)
def test_light_and_dark(chromium: Any, lenet: Path, scheme: str, first: str, then: str) -> None:
    tab = Tab(chromium, lenet, color_scheme=scheme)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert tab.run(ground) == f"rgb({first})"
    tab.press("t")
    assert tab.run(ground) == f"rgb({then})"
    tab.context.close()


def test_columns_can_be_hidden_and_shown_alone(tab: Tab) -> None:
    seen = ".code .pane:not([hidden]) .pane-head select"
    tab.click(".switch:nth-child(5)")
    assert tab.page.locator(seen).count() == 4
    tab.click(".pane-llvm [title='Show this alone']")
    assert tab.page.locator(seen).count() == 1
    tab.click(".pane-llvm [title='Show all']")
    assert tab.page.locator(seen).count() == 4


def test_cells_fold(tab: Tab) -> None:
    tab.click("[data-view=network]")
    assert tab.found(".group-name")[:3] == ["network", "_backbone", "conv1"]
    before = len(tab.found(".op"))
    tab.click(".group:not(.open) > .group-title")
    assert len(tab.found(".op")) > before
    tab.click(".toolbar [title='Fold all Cells']")
    assert tab.found(".group-name") == ["network"]
    tab.click(".toolbar [title='Unfold all Cells']")
    assert tab.found(".op-name").count("conv2d") == 2
    tab.click(".op:not(.op-input)")
    assert tab.found(".op.kept .op-name")[0] == "conv2d"


def test_boxes_of_a_picture_do_not_overlap(tab: Tab) -> None:
    tab.click("[data-view=network]")
    for title in ("Unfold all Cells", "Fold all Cells"):
        tab.click(f".toolbar [title='{title}']")
        overlapping = tab.run(
            """() => [...document.querySelectorAll(".level")].flatMap((level) => {
              const boxes = [...level.children].filter((box) => !box.matches("svg")).map((box) => box.getBoundingClientRect());
              return boxes.filter((a, k) => boxes.some((b, n) => n > k && a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 1 && b.top < a.bottom - 1));
            }).length"""
        )
        assert overlapping == 0


def test_passes_show_what_they_changed(tab: Tab) -> None:
    tab.click("[data-view=passes]")
    assert tab.found(".pass-name")[-1] == "fuse"
    tab.click(".pass:last-child")
    assert tab.found(".diff-more")
    tab.click(".pass.idle")
    assert tab.found(".passes .empty:not([hidden])") == ["This pass found nothing to change."]


def test_nothing_of_the_user_s_runs(chromium: Any, tmp_path: Path) -> None:
    quoted = EVIL.replace("'", "")
    text = f'''"""{EVIL}"""
from jitcore import jit
word = {EVIL!r}
@jit
def f(x):
    """{EVIL}"""
    assert x != 3, "{quoted}"
    return x + len(word)
f(1)
@jit
def never(x):
    return "{quoted}"
'''
    name = "<img src=x onerror=window.ran=1>.py"
    tab = Tab(chromium, written(tmp_path, text, name))
    assert any("onerror" in line for line in tab.found("#lines-source .text"))
    for record in ("0", "1"):
        tab.page.select_option(".record", record)
        for view in ("network", "passes", "code"):
            tab.click(f"[data-view={view}]")
        tab.page.locator(".code .row").evaluate_all(
            "rows => rows.forEach((row) => row.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))"
        )
    tab.page.wait_for_selector(".pane-kernels .empty:not([hidden])")
    assert tab.found(".pane-kernels .empty")[0].startswith("Never called")
    assert tab.run("() => [window.ran ?? null, document.images.length]") == [None, 0]
    assert tab.found("h1") == [name]
    assert tab.wrong == []
    tab.context.close()


def test_a_notebook_shows_it_in_a_frame_of_its_own(chromium: Any, tmp_path: Path, lenet: Path) -> None:
    from jitcore import jit

    @jit
    def f(x):
        return x * 2

    f(1.5)
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>notebook</title>{f.view()._repr_html_()}")
    page = chromium.new_page()
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    assert "f(f64)" in frame.locator(".status").inner_text()
    page.close()
