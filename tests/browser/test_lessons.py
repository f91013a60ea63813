import re

import pytest

HOSTILE = """---
title: <img src=x onerror=alert(1)>Title
about: <script>alert(2)</script>
order: 90
steps:
  - see: Text <img src=x onerror=alert(3)> and **bold** <script>alert(4)</script>
    look: <b onmouseover=alert(5)>here</b>
  - predict: Which <svg onload=alert(6)>?
    choices:
      - say: <img src=x onerror=alert(7)>
        why: <img src=x onerror=alert(8)>
      - say: "[two](javascript:alert(9))"
        why: Fine.
    answer: 2
---
<iframe src="javascript:alert(10)"></iframe>
"""


def panel(page):
    return page.page.locator("#lesson")


def covered(page, card):
    return f"image({card}).size === 1"


def shown(page, card):
    page.wait(f"image({card}).size > 1000")


def next_step(page, number, button="Next"):
    panel(page).get_by_role("button", name=button, exact=True).click()
    page.page.wait_for_url(re.compile(f"step={number}"))


def predict(page, choice):
    panel(page).get_by_role("button", name=choice).click()
    panel(page).get_by_role("button", name="Reveal").click()
    panel(page).get_by_text("What happens:").or_(panel(page).get_by_text("As you said:")).wait_for()


def test_a_whole_lesson_from_the_list_to_its_end(visit):
    page = visit().open("?data=moons")
    page.page.get_by_role("button", name="Lessons").click()
    page.page.get_by_role("link", name="Stairs and slopes").click()
    panel(page).get_by_text("Two thin clouds").wait_for()
    assert page.page.url.endswith("?lesson=stairs-and-slopes&step=1")
    shown(page, 0)
    next_step(page, 2)
    page.wait(f"{covered(page, 0)} && {covered(page, 1)}")
    assert page.page.get_by_text("Covered until you have predicted.").first.is_visible()
    assert not page.page.locator("#maps").get_by_text(re.compile(r"\d %")).first.is_visible()
    predict(page, "It stays as it was")
    shown(page, 0)
    panel(page).get_by_text("Now none does").wait_for()
    page.page.locator("#maps").get_by_text("18.0 %").wait_for()
    next_step(page, 3)
    next_step(page, 4)
    page.wait(f"{covered(page, 0)} && image(1).size > 1000")
    predict(page, "No, its error hardly moves")
    panel(page).get_by_text("As you said:").wait_for()
    next_step(page, 5)
    panel(page).get_by_text("Works:").wait_for()
    page.set_slider("lead", 90)
    page.page.wait_for_url(re.compile("own=1"))
    panel(page).get_by_role("link", name="Step 5: Your turn, done").wait_for()
    panel(page).get_by_role("button", name="Done").click()
    page.page.wait_for_url(re.compile(r"\?data=moons$"))
    assert not panel(page).is_visible()


def test_the_panel_hides_no_picture_at_1280_by_720(visit):
    page = visit().come("?lesson=stairs-and-slopes&step=2")
    panel(page).get_by_text("Predict", exact=True).wait_for()
    lesson, maps = panel(page).bounding_box(), page.page.locator("#maps").bounding_box()
    assert lesson["x"] + lesson["width"] <= maps["x"]
    assert maps["width"] > 900
    assert page.js("document.documentElement.scrollHeight") <= 720


def test_on_a_phone_the_panel_is_a_sheet_of_at_most_two_fifths(visit):
    page = visit(390, 844, has_touch=True).come("?lesson=stairs-and-slopes&step=2")
    box = panel(page).bounding_box()
    assert box["height"] <= 0.4 * 844 + 1
    assert box["y"] + box["height"] <= 844 + 1
    assert page.js("document.documentElement.scrollWidth") <= 390
    predict(page, "It grows more than threefold")
    shown(page, 0)


def test_other_pages_lie_under_a_plate_until_the_reveal(visit):
    page = visit().come("?lesson=broken-sensors&step=2")
    plate = page.page.locator(".cover").get_by_text("Covered until you have predicted.")
    plate.wait_for()
    assert not page.page.get_by_text("OOB error by trees").is_visible()
    predict(page, "oRF-ridge: several")
    page.page.get_by_text("OOB error by trees").wait_for()
    assert not plate.is_visible()


def test_back_in_the_browser_goes_a_step_back(visit):
    page = visit().open("?lesson=stairs-and-slopes&step=1")
    next_step(page, 2)
    page.page.go_back()
    panel(page).get_by_text("Two thin clouds").wait_for()
    shown(page, 0)
    page.wait("tagged('lead').value === 0")


def test_a_lesson_can_be_done_by_keys_alone(visit):
    page = visit().open()
    keys = page.page.keyboard
    page.page.get_by_role("button", name="Lessons").focus()
    keys.press("Enter")
    page.page.get_by_role("link", name="Stairs and slopes").wait_for()
    page.page.wait_for_timeout(200)
    keys.press("Enter")  # the first lesson has the focus
    panel(page).get_by_text("Two thin clouds").wait_for()
    keys.press("ArrowRight")  # and now the panel
    page.page.wait_for_url(re.compile("step=2"))
    panel(page).get_by_role("button", name="It stays as it was").focus()
    keys.press("Enter")
    page.page.get_by_text("Reveal when you are ready.").wait_for()
    keys.press("r")
    panel(page).get_by_text("What happens:").wait_for()
    panel(page).get_by_role("button", name="Back").focus()
    keys.press("ArrowLeft")
    page.page.wait_for_url(re.compile("step=1"))
    assert page.js("tagged('trees').value") == 100  # arrows here are steps, not trees


def test_escape_closes_the_list_and_gives_the_focus_back(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Lessons").click()
    page.page.get_by_role("link", name="Why ridge").wait_for()
    page.page.wait_for_timeout(200)
    page.page.keyboard.press("Escape")
    assert not page.page.locator("#lessons").is_visible()
    page.page.keyboard.press("Enter")  # the button has the focus again
    page.page.get_by_role("link", name="Why ridge").wait_for()


def test_a_file_dropped_into_the_folder_is_in_the_list_and_its_scripts_are_text(
    visit, lesson_folder
):
    page = visit()
    page.page.on("dialog", lambda d: page.troubles.append("a script ran"))
    page.open()
    (lesson_folder / "hostile.md").write_text(HOSTILE, encoding="utf-8")
    (lesson_folder / "bad.md").write_text("---\ntitle: Bad\n---\n", encoding="utf-8")
    try:
        page.page.get_by_role("button", name="Lessons").click()
        page.page.get_by_text("bad.md, line 2").wait_for()
        page.page.get_by_role("link", name="onerror=alert(1)>Title").click()
        panel(page).get_by_text("<script>alert(4)</script>").wait_for()
        next_step(page, 2)
        panel(page).get_by_text("onload=alert(6)").wait_for()
        predict(page, "onerror=alert(7)")
        panel(page).get_by_text("onerror=alert(8)").wait_for()
        panel(page).get_by_text("<iframe").wait_for()
        page.page.wait_for_timeout(300)
        assert page.page.locator("img, iframe").count() == 0
    finally:
        (lesson_folder / "hostile.md").unlink()
        (lesson_folder / "bad.md").unlink()


def test_present_mode_keeps_the_lesson_beside_the_pictures(visit):
    page = visit().come("?lesson=stairs-and-slopes&step=2&present=1")
    assert panel(page).is_visible()
    assert not page.page.locator("#side").is_visible()
    predict(page, "It stays as it was")
    shown(page, 0)


@pytest.mark.parametrize("query", ["&step=2", "&step=2&theme=dark", "&step=5"])
def test_axe_finds_nothing_serious_in_a_lesson(visit, query):
    from axe_playwright_python.sync_playwright import Axe

    page = visit().come(f"?lesson=stairs-and-slopes{query}")
    page.page.get_by_role("button", name="Lessons").click()
    page.page.get_by_role("link", name="Why ridge").wait_for()
    found = Axe().run(page.page).response["violations"]
    bad = [
        (v["id"], v["nodes"][0]["html"][:160])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert bad == []
