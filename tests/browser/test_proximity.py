import re

SOURCE = "models('ColumnDataSource').find((s) => column(s, 'position') && column(s, 'kind'))"

PICKED_POINTS = "(tagged('picked points') ? column(tagged('picked points'), 'x').length : 0)"
PICKED_LINES = "column(tagged('picked spectra'), 'xs').length"


def open_proximity(visit, query="?data=tecator&page=Proximity", **options):
    page = visit(**options).come(query)
    page.page.get_by_text("worst first").wait_for()
    return page


def lasso(page, x, y, side):
    """Drag a square loop, from its upper left corner."""
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for dx, dy in ((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)):
        page.page.mouse.move(x + dx * side / 2, y + dy * side / 2)
    page.page.mouse.up()


def test_a_lasso_lights_up_samples_on_every_page_until_it_is_cleared(visit):
    page = open_proximity(visit)
    box = page.page.locator("#maps").bounding_box()
    lasso(page, box["x"] + 100, box["y"] + 55, 170)
    page.wait(f"{SOURCE}.selected.indices.length > 50")
    page.page.get_by_text("samples selected, by lasso").wait_for()
    users = page.js(f"models('GlyphRenderer').filter((r) => r.data_source === {SOURCE}).length")
    assert users >= 10  # two maps, six cells, ticks along two sides of the heat map
    page.page.get_by_role("button", name="Importance", exact=True).click()
    page.page.get_by_text("looks most at").wait_for()
    page.wait(f"{PICKED_LINES} > 50")
    page.page.get_by_role("button", name="Boundaries").click()
    page.wait(f"{PICKED_POINTS} > 50")
    page.page.get_by_role("button", name="Clear the selection").click()
    page.wait(f"{PICKED_POINTS} === 0")
    page.page.get_by_role("button", name="Proximity", exact=True).click()
    page.page.get_by_text("worst first").wait_for()


def test_all_pairs_are_one_picture_in_which_a_lasso_works(visit):
    page = open_proximity(visit)
    page.page.get_by_role("button", name="All pairs").click()
    page.page.get_by_text("Every pair of the first three coordinates").wait_for()
    plot = page.page.get_by_role("figure", name="All pairs").bounding_box()
    lasso(page, plot["x"] + 20, plot["y"] + 20, plot["height"] - 40)
    page.wait(f"{SOURCE}.selected.indices.length > 50")
    page.page.wait_for_url(re.compile("picked=lasso"))


def test_the_marked_are_selected_and_axe_finds_nothing_serious_on_proximity(visit):
    from axe_playwright_python.sync_playwright import Axe

    page = open_proximity(visit)
    page.page.get_by_role("button", name="Select the marked").click()
    page.page.get_by_text("the marked ones").wait_for()
    found = Axe().run(page.page).response["violations"]
    bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
    assert bad == []


def test_maps_keep_equal_units(visit):
    page = open_proximity(visit)
    units = page.js(
        "figures().filter((f) => f.below[0]?.axis_label?.startsWith('axis 1')).map((f) =>"
        " (f.x_range.end - f.x_range.start) / f.inner_width"
        " / ((f.y_range.end - f.y_range.start) / f.inner_height))"
    )
    assert units
    assert all(abs(u - 1) < 0.02 for u in units)


def test_the_proximity_page_fits_a_projector_and_does_not_overlap_on_a_phone(visit):
    page = open_proximity(visit)
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    phone = open_proximity(visit, width=390, height=844)
    assert phone.js("document.documentElement.scrollWidth <= innerWidth")
    maps = phone.page.locator(".maps").bounding_box()
    row = phone.page.locator("div.controls[role=group]").bounding_box()
    assert maps["y"] >= row["y"] + row["height"]  # what steers the pictures is over them
