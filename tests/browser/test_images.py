"""The page Images in a real browser: the example, painting with the mouse, votes, downloads."""

import re

OPEN = "?page=Images&model=RF~n_tree:10"


def test_pixels_are_painted_and_the_maps_follow(visit):
    page = visit().come(OPEN)
    page.page.get_by_role("button", name="Open an example image").click()
    page.page.get_by_text("Out-of-bag error:").wait_for()
    page.page.get_by_text(re.compile("Labelled: 75 soil, 75 crop")).wait_for()
    place = page.js(
        """(() => {
          const plot = figures().find((m) => m.name === "picture image")
          const box = Bokeh.index.find_one(plot).el.getBoundingClientRect()
          return [box.left + box.width / 2, box.top + box.height / 2]
        })()"""
    )
    mouse = page.page.mouse
    mouse.move(*place)
    mouse.down()
    mouse.move(place[0] + 20, place[1], steps=4)
    mouse.up()
    page.page.get_by_text(re.compile(r"Labelled: (7[6-9]|[89]\d|\d{3}) soil")).wait_for()
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text(re.compile("Labelled: 75 soil")).wait_for()
    page.page.get_by_label("Votes", exact=True).select_option(label="for water")
    page.page.get_by_text("Share of votes for water").wait_for()
    with page.page.expect_download() as file:
        page.page.get_by_role("button", name="Save classes").click()
        page.page.get_by_role("menuitem", name="CSV").click()
    table = file.value.path().read_text(encoding="utf-8").splitlines()
    assert table[0] == "line,sample,class,votes soil,votes crop,votes forest,votes water"
    assert len(table) == 1 + 90 * 120


def test_on_a_phone_the_pictures_stand_below_each_other(visit):
    page = visit(390, 844, has_touch=True, is_mobile=True).come(OPEN)
    page.page.get_by_role("button", name="Open an example image").click()
    page.page.get_by_text("Out-of-bag error:").wait_for()
    assert page.js("document.documentElement.scrollWidth") <= 390
