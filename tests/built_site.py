"""Whether a built site is whole: `python tests/built_site.py build/site`.

Each link leads to a page and a place that are there, each picture and script is there, nothing is asked of another host,
and each name of the reference has a description.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("form", "action")}
"""What a browser fetches by itself; links of `a` wait for a click."""
FETCHED_BY_STYLES = re.compile(r"url\(\s*[\"']?(https?:)?//|@import")
NO_DESCRIPTION = re.compile(
    r'id="([\w.]+)" class="doc doc-heading"(?:(?!doc-heading).)*"doc doc-contents[^"]*">\s*</div>', re.DOTALL
)
"""A name of the reference with nothing below its signature."""
SAID = frozenset(("canonical", "alternate"))
"""Relations of `link` that are told to a browser, which does not follow them."""


class Document(HTMLParser):
    """What a page links to, what it loads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        for name, value in given.items():
            if tag == "a" and name == "href":
                self.links.append(value)
            elif (tag, name) in LOADED and given.get("rel") not in SAID:
                self.loaded.append(value)


def faults(site: Path) -> Iterator[str]:
    """What is wrong with a site, a line for each."""
    pages = {page: Document(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))}
    for page, document in pages.items():
        name = page.relative_to(site)
        text = page.read_text(encoding="utf-8")
        yield from (f"{name}: {of} has no description" for of in NO_DESCRIPTION.findall(text))
        yield from (f"{name}: loads {url} from another host" for url in document.loaded if urlsplit(url).netloc)
        if name.name == "404.html":  # its addresses are those of a site that is served
            continue
        for url in (*document.links, *document.loaded):
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{name}: {url} is not there"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{name}: {url}: there is no such place"
    for style in sorted(site.rglob("*.css")):
        if FETCHED_BY_STYLES.search(style.read_text(encoding="utf-8")):
            yield f"{style.relative_to(site)}: loads something from another host"


if __name__ == "__main__":
    found = list(faults(Path(sys.argv[1]).resolve()))
    whole = "every link leads somewhere, nothing is loaded from elsewhere, and every name is described"
    print("\n".join(found) or whole)
    sys.exit(bool(found))
