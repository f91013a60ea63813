"""Small windows, walls and phones: the pictures come first, and nothing lies over anything."""

import re
import struct
from pathlib import Path

import pytest


def frame(page, card=0):
    """Width and height of a map's frame, and where its top is, in pixels of the screen."""
    return page.js(
        f"(() => {{ const v = Bokeh.index.find_one(figures()[{card}]); "
        "const b = v.frame.bbox, r = v.el.getBoundingClientRect(); "
        "return [b.width, b.height, r.top] })()"
    )


def test_at_200_percent_the_map_is_in_sight_and_larger_than_a_thumbnail(visit):
    page = visit(640, 360).open()
    width, height, top = frame(page)
    assert width > 150
    assert height > 150
    assert top < 180


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (640, 360), (1280, 720)])
def test_the_headline_ends_above_the_controls(visit, width, height):
    page = visit(width, height).open()
    words = page.page.locator(".headline p").first.bounding_box()
    nav = page.page.locator("nav").bounding_box()
    assert words["y"] >= nav["y"] + nav["height"]
    controls = page.page.locator("main > .controls").bounding_box()
    maps = page.page.locator("#maps").bounding_box()
    below = min(controls["y"], maps["y"])
    assert words["y"] + words["height"] <= below + 1
    assert page.js("document.documentElement.scrollWidth <= innerWidth")


def test_present_mode_makes_pictures_larger_not_smaller(visit):
    plain = visit().open()
    present = visit().open("?present=1")
    assert frame(present)[0] > frame(plain)[0]
    assert frame(present)[1] > 0.85 * frame(plain)[1]


def test_a_saved_png_has_twice_the_pixels_and_room_for_title_and_legend(visit):
    page = visit().open()
    width, height = page.js(
        "(() => { const b = Bokeh.index.find_one(figures()[0]).bbox; "
        "return [b.width, b.height] })()"
    )
    page.page.get_by_role("button", name="Save map A", exact=True).click()
    with page.page.expect_download() as found:
        page.page.get_by_role("menuitem", name="PNG").click()
    png = Path(found.value.path()).read_bytes()
    w, h = struct.unpack(">II", png[16:24])
    assert w >= 2 * width
    assert h >= 2 * height + 2 * 60
    page.page.get_by_role("button", name="Save map A", exact=True).click()
    with page.page.expect_download() as found:
        page.page.get_by_role("menuitem", name="SVG").click()
    svg = Path(found.value.path()).read_text(encoding="utf-8")
    for words in ("Map A", "A RF (100 trees", "B oRF-ridge (100 trees", "lower", "upper"):
        assert words in svg


def test_on_a_phone_reveal_is_in_sight_and_the_sheet_folds(visit):
    page = visit(390, 844, has_touch=True).come("?lesson=stairs-and-slopes&step=2")
    reveal = page.page.get_by_role("button", name="Reveal").locator("visible=true")
    reveal.wait_for()
    box = reveal.bounding_box()
    assert box["y"] + box["height"] <= 844
    sheet = page.page.locator("#lesson").bounding_box()
    page.page.get_by_role("button", name="Fold or unfold the lesson").click()
    page.wait("document.querySelector('#lesson').getBoundingClientRect().height <= 100")
    assert sheet["height"] > 150


def test_on_a_phone_the_wanted_slider_is_not_under_the_sheet(visit):
    page = visit(390, 844, has_touch=True).come("?lesson=stairs-and-slopes&step=5")
    page.wait(
        "(() => { const m = all().find((m) => m.css_classes?.includes('wanted')); "
        "const v = m && Bokeh.index.find_one(m); if (!v) return false; "
        "const r = v.el.getBoundingClientRect(); "
        "const s = document.querySelector('#lesson').getBoundingClientRect(); "
        "return r.top >= 0 && r.bottom <= s.top })()"
    )


def test_on_a_phone_the_nodes_per_tree_are_shown_and_a_tap_leaves_no_toolbar(visit):
    page = visit(390, 844, has_touch=True).open()
    page.page.get_by_text("Nodes per tree").first.wait_for(state="visible")
    figure = page.page.locator("#maps .bk-Figure").first
    figure.tap()
    shown = page.js(
        "figures().map((f) => Bokeh.index.find_one(f.toolbar)?.el).filter((e) => e && "
        "getComputedStyle(e).display !== 'none').length"
    )
    assert shown == 0


# top and bottom of the control a lesson points at, the window's height, the top of the lesson
WANTED = """(() => { const m = all().find((m) => m.css_classes?.includes("wanted"))
  const v = m && Bokeh.index.find_one(m)
  const r = v && v.el.getBoundingClientRect()
  const lesson = document.querySelector("#lesson").getBoundingClientRect()
  return r && r.height > 0 ? [r.top, r.bottom, innerHeight, lesson.top] : null })()"""


@pytest.mark.parametrize("lesson", ["why-ridge", "units-matter", "sparse-or-dense"])
def test_the_knob_that_a_lesson_asks_for_is_in_sight_on_a_projector(visit, lesson):
    page = visit().open(f"?lesson={lesson}&step=5")
    page.wait(f"({WANTED})?.[1] <= innerHeight")
    top, bottom, height, _ = page.js(WANTED)
    assert 0 < top < bottom <= height


def test_on_a_phone_the_reveal_brings_the_wanted_slider_into_sight(visit):
    page = visit(390, 844, has_touch=True).come("?lesson=why-ridge&step=2")
    page.page.locator("#lesson").get_by_text("Still that of LDA").wait_for()
    page.page.keyboard.press("r")
    page.wait(f"(([top, bottom, _, sheet]) => 0 < top && bottom <= sheet)({WANTED} ?? [])")


def test_the_buttons_over_a_study_stand_on_the_card_itself(visit):
    page = visit().come("?page=Papers")
    page.page.get_by_role("button", name=re.compile("^Run")).wait_for()
    colour = page.js(
        "getComputedStyle(Bokeh.index.find_one(all().find((m) => "
        "m.css_classes?.includes('bar'))).el).backgroundColor"
    )
    assert colour == "rgba(0, 0, 0, 0)"


def test_a_projector_of_1024_pixels_shows_the_roc_and_every_number_by_class(visit):
    page = visit(1024, 768).come("?page=Evaluate&data=wine")
    page.page.locator("table.numbers .mean").first.wait_for(timeout=40_000)
    page.wait("models('Legend').some((one) => one.items.length == 2)")
    hidden = "(e) => e.closest('.scrolls').scrollWidth - e.closest('.scrolls').clientWidth"
    assert page.page.locator("table.numbers").first.evaluate(hidden) <= 0
    page.wait("models('Legend').some((one) => one.orientation == 'horizontal' && one.visible)")
    roc = "figures().find((f) => f.below[0]?.axis_label === 'false positive rate')"
    page.wait(f"({roc}).inner_width > 100")


def test_at_200_percent_the_numbers_of_importance_are_not_squeezed_out(visit):
    page = visit(640, 360).come("?page=Importance&data=wine")
    table = page.page.locator("table.parts")
    table.wait_for(timeout=40_000)
    assert table.evaluate("(e) => e.closest('.scrolls').clientHeight") > 150
