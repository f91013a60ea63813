import re

import numpy as np
import pytest

from explorer.analysis.posterior_index import posterior_index
from explorer.app.state.plane_choice import Window
from explorer.app.state.visitor import State
from explorer.data import load
from explorer.engine import Plane, grow


def expected_image(angle, window, pixels, card):
    """What the engine says the map of a card is, as the browser's checksum."""
    state = State()
    data = load("clouds", angle=angle)
    spec = state.models.models[card].spec(2)
    forest = grow(spec, data.X, data.y)
    plane = Plane.axes(0, 1, (window.x0, window.x1), (window.y0, window.y1))
    index = posterior_index(forest.posterior_on(plane, *pixels))
    total = 0
    for value in index.ravel().tolist():
        total = (total * 31 + value) % 1000003
    return total


def seen(page):
    """Window and size of the first map in the browser."""
    x0, y0, dw, dh, w, h = page.js(
        """(() => { const s = figures()[0].renderers[0].data_source
        const a = column(s, "image")[0]
        return [column(s, "x")[0], column(s, "y")[0], column(s, "dw")[0], column(s, "dh")[0],
          a.shape ? a.shape[1] : 0, a.shape ? a.shape[0] : 0] })()"""
    )
    return Window(x0, x0 + dw, y0, y0 + dh), (w, h)


def test_the_first_screen_is_grown_and_fits_1280_by_720_without_scrolling(visit):
    page = visit().open()
    height, inner = page.js("[document.documentElement.scrollHeight, innerHeight]")
    assert height <= inner == 720
    assert page.page.get_by_text("Left may only cut straight").is_visible()
    assert page.page.get_by_text("OOB error").count() == 2


def test_moving_the_lead_slider_shows_what_the_engine_says(visit):
    page = visit().open().finish()
    before = page.js("image(0).sum")
    page.set_slider("lead", 20)
    page.wait(f"image(0).sum !== {before} && finished()")
    window, pixels = seen(page)
    assert page.js("image(0).sum") == expected_image(20.0, window, pixels, 0)
    assert page.js("image(1).sum") == expected_image(20.0, window, pixels, 1)


def test_after_a_long_drag_the_last_frame_belongs_to_the_last_value(visit):
    page = visit().open().finish()
    handle = page.page.locator(".lead .noUi-handle").first
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for i in range(60):
        page.page.mouse.move(x - 100 * np.sin(i / 6), y)
    page.page.mouse.move(x + 60, y)
    page.page.mouse.up()
    angle = float(page.js("tagged('lead').value"))
    window, pixels = seen(page)
    wanted = expected_image(angle, window, pixels, 0)
    assert angle != 45.0
    page.wait(f"image(0).sum === {wanted}")
    page.page.wait_for_timeout(1500)  # nothing older comes after it
    assert page.js("image(0).sum") == wanted


def test_one_drag_is_one_entry_in_the_history_and_back_restores(visit):
    page = visit().open()
    length = page.js("history.length")
    page.set_slider("lead", 10)
    page.page.wait_for_url(re.compile("d.angle=10"))
    assert page.js("history.length") == length + 1
    page.page.go_back()
    page.wait("tagged('lead').value === 45")


def test_fewer_trees_shown_change_the_map_and_the_words(visit):
    page = visit().open().finish()
    before = page.js("image(0).sum")
    page.set_slider("trees", 1)
    page.wait(f"image(0).sum !== {before}")
    page.page.get_by_text("with 1 of 100 trees").first.wait_for()


def test_space_plays_the_growing_forest_to_its_end(visit):
    page = visit().open()
    page.page.locator("#maps").focus()
    page.page.keyboard.press("Space")
    page.wait("tagged('trees').value < 20")
    page.wait("tagged('trees').value === 100 && !tagged('play').active")


def test_a_wider_zoom_is_drawn_sharp_again(visit):
    page = visit().open()
    page.js("(figures()[0].x_range.setv({start: -2, end: 2}), 0)")
    page.wait("Math.abs(column(figures()[0].renderers[0].data_source, 'dw')[0] - 4) < 0.01")


def test_another_data_set_and_a_third_forest_are_one_click_each(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Moons").click()
    page.page.wait_for_url(re.compile("data=moons"))
    page.page.get_by_role("button", name="Add a forest").click()
    page.wait("figures().length === 3 && image(2).size > 1000")
    assert "model=F-RC" in page.page.url


def test_a_check_box_is_ticked_by_its_words(visit):
    page = visit().open()
    page.page.get_by_text("Link knobs").click()
    page.page.wait_for_url(re.compile("linked=1"))
    page.page.get_by_text("Link knobs").click()
    page.page.wait_for_url(re.compile(r"^(?!.*linked)"))


def test_a_link_opens_the_same_picture_for_another_visitor(visit):
    one = visit().open().finish()
    before = one.js("image(0).sum")
    one.set_slider("lead", 30)
    one.page.wait_for_url(re.compile("d.angle=30"))
    one.wait(f"image(0).sum !== {before} && finished()")
    two = visit().open(one.page.url.split("/")[-1]).finish()
    assert two.js("image(0).sum") == one.js("image(0).sum")


def test_a_hostile_link_shows_a_notice_and_runs_nothing(visit):
    page = visit()
    page.page.on("dialog", lambda d: page.troubles.append("a script ran"))
    page.open(
        "?data=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&model=%3Cscript%3Ealert(1)%3C/script%3E"
    )
    assert page.page.get_by_text("not here").is_visible()
    assert page.page.locator("img").count() == 0


def test_dark_and_present_modes_come_from_buttons_and_from_links(visit):
    page = visit().open()
    page.page.keyboard.press("t")
    page.wait("document.documentElement.dataset.theme === 'dark'")
    page.wait(
        "figures()[0].background_fill_color.value === '#262B31' "
        "|| figures()[0].background_fill_color === '#262B31'"
    )
    page.page.keyboard.press("p")
    page.wait("document.documentElement.classList.contains('present')")
    assert not page.page.locator("#side").is_visible()
    again = visit().open("?theme=dark&present=1")
    assert again.js("document.documentElement.dataset.theme") == "dark"


def test_a_phone_shows_two_maps_side_by_side_and_a_drawer(visit):
    page = visit(390, 844, has_touch=True).open()
    width = page.js("document.documentElement.scrollWidth")
    assert width <= 390
    assert page.js("figures().every((f) => !f.below[0].visible)")
    assert not page.page.locator("#side").is_visible()
    page.page.locator("#drawer").click()
    page.page.get_by_role("button", name="Moons").wait_for()
    assert page.page.locator("#side").is_visible()


@pytest.mark.parametrize("query", ["", "?theme=dark", "?page=Posterior", "?page=Paint"])
def test_axe_finds_nothing_serious(visit, query):
    from axe_playwright_python.sync_playwright import Axe

    page = visit().open(query)
    found = Axe().run(page.page).response["violations"]
    bad = [
        (v["id"], v["nodes"][0]["html"][:160])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert bad == []
