"""The documentation: it builds without a warning, its notebooks run, its links lead somewhere."""

import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

import explorer as fx

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = sorted(
    path for path in DOCS.rglob("*.md") if "file_format: mystnb" in path.read_text("utf-8")
)
ROOMS = ("engine", "data", "analysis", "plot", "estimators")


class Page(HTMLParser):
    """Links and anchors of a page, and what it would load from elsewhere."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loads: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if named.get("id"):
            self.anchors.add(named["id"])
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        loaded = named.get("src") if tag in ("script", "img", "iframe") else None
        loaded = named.get("href") if tag == "link" else loaded
        if loaded:
            self.loads.append(loaded)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, built once by the one command."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, str(DOCS), str(out)], capture_output=True, text=True, cwd=ROOT, timeout=2400
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return out


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_notebook_has_run_and_shows_pictures(site):
    assert len(NOTEBOOKS) == 5
    for notebook in NOTEBOOKS:
        page = site / notebook.relative_to(DOCS).with_suffix(".html")
        text = page.read_text(encoding="utf-8")
        asked = notebook.read_text(encoding="utf-8").count("fx.plot.")
        assert "Traceback" not in text, notebook.name
        assert text.count("embed_document") >= asked * 0.5, notebook.name


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(site, pages):
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            place, anchor = urldefrag(link)
            target = (path.parent / unquote(place)).resolve() if place else path
            target = target / "index.html" if target.is_dir() else target
            known = pages.get(target)
            if not target.exists() or (anchor and known and unquote(anchor) not in known.anchors):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_pages_load_nothing_from_elsewhere(pages, site):
    foreign = {
        f"{path.relative_to(site)}: {address}"
        for path, page in pages.items()
        for address in page.loads
        if urlsplit(address).netloc
    }
    assert foreign == set()


def test_the_gallery_shows_every_picture():
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [name for name in fx.plot.__all__ if f"fx.plot.{name}(" not in text] == []


def _words():
    spec = importlib.util.spec_from_file_location("reference_words", DOCS / "reference_words.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _public():
    for room in ROOMS:
        module = importlib.import_module(f"explorer.{room}")
        for name in module.__all__:
            thing = getattr(module, name)
            if not str(getattr(thing, "__module__", "")).startswith("explorer"):
                continue
            if inspect.isfunction(thing) or inspect.isclass(thing):
                yield f"{room}.{name}", thing
            if inspect.isclass(thing):
                for method, function in vars(thing).items():
                    if inspect.isfunction(function) and not method.startswith("_"):
                        yield f"{room}.{name}.{method}", function


def test_every_public_parameter_is_described():
    words = _words()
    seen = list(_public())
    assert len(seen) > 150
    missing = {name: left for name, thing in seen if (left := words.not_described(thing))}
    assert missing == {}


def test_every_public_name_has_a_docstring():
    rooms = {name: thing for name, thing in _public() if name.count(".") == 1}
    assert [name for name, thing in rooms.items() if not (thing.__doc__ or "").strip()] == []


def test_house_docstrings_become_paragraphs_with_names_in_bold():
    words = _words()
    lines = words.as_rst(["What it does.", "", "trees: so many *of* them,", "    all by default."])
    assert "**trees**: so many \\*of\\* them," in lines
    assert "all by default." in lines
    assert re.match(r".*x\\_", words.escaped("an x_ here"))
