"""Pictures saved as files, by mouse and by keyboard."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest


def save(page, picture, kind):
    page.page.get_by_role("button", name=picture, exact=True).click()
    with page.page.expect_download() as found:
        page.page.get_by_role("menuitem", name=re.compile(f"^{kind}")).click()
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def check(page, picture, name):
    """All three files of a picture are what they say."""
    got, png = save(page, picture, "PNG")
    assert got == f"{name}.png"
    assert png.startswith(b"\x89PNG")
    assert len(png) > 2000
    got, svg = save(page, picture, "SVG")
    assert got == f"{name}.svg"
    root = ET.fromstring(svg)
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 10
    got, csv = save(page, picture, "CSV")
    assert got == f"{name}.csv"
    return csv.decode().splitlines()


def test_a_map_is_saved_as_png_svg_and_csv(visit):
    page = visit().open()
    lines = check(page, "Save map A", "forest-A")
    assert lines[0] == '"across","up","lower","upper"'
    assert len(lines) == 1 + page.js("image(0).size")


def test_the_menu_is_used_by_keyboard_alone_and_gives_the_focus_back(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Save map B").focus()
    page.page.keyboard.press("Enter")
    page.page.get_by_role("menu", name="Save map B").wait_for()
    page.page.keyboard.press("ArrowDown")
    with page.page.expect_download() as found:
        page.page.keyboard.press("Enter")
    assert found.value.suggested_filename == "forest-B.svg"
    page.page.keyboard.press("Enter")
    page.page.get_by_role("menu").wait_for()
    page.page.keyboard.press("Escape")
    assert page.page.get_by_role("menu").count() == 0


@pytest.mark.parametrize(
    ("query", "ready", "picture", "name", "head"),
    [
        ("?page=Posterior", "A RF: estimate", "Save difference of forest A", "difference-A", "acr"),
        ("?page=Nodes", "", "Save tree", "tree", "node"),
        ("?page=Importance&data=spectra_ir", "", "Save importance", "importance", "model"),
        ("?page=Proximity", "", "Save samples of forest B", "samples-B", "sample"),
        ("?page=Evaluate", "", "Save roc", "roc", ""),
    ],
)
def test_every_page_saves_its_pictures(visit, query, ready, picture, name, head):
    page = visit().come(query)
    if ready:
        page.wait(f"figures().some((f) => f.title && f.title.text === {ready!r})")
    page.page.get_by_role("button", name=picture, exact=True).wait_for()
    for _ in range(100):
        lines = check(page, picture, name)
        if lines[0] != "There is no picture yet.":
            break
        page.page.wait_for_timeout(300)
    assert lines[0].lstrip('"').startswith(head)
    assert len(lines) > 5
