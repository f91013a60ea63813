SOURCE = "models('ColumnDataSource').find((s) => column(s, 'position') && column(s, 'kind'))"


def open_proximity(visit, query="?data=tecator&page=Proximity", **options):
    page = visit(**options).come(query)
    page.page.get_by_text("worst first").wait_for(timeout=90_000)
    return page


def test_a_lasso_lights_up_samples_in_every_picture_and_lists_them(visit):
    page = open_proximity(visit)
    box = page.page.locator("#maps").bounding_box()
    x, y = box["x"] + 80, box["y"] + 35
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for dx, dy in ((100, 0), (210, 0), (210, 100), (210, 200), (100, 200), (0, 200), (0, 100)):
        page.page.mouse.move(x + dx, y + dy)
    page.page.mouse.up()
    page.wait(f"{SOURCE}.selected.indices.length > 50")
    page.page.get_by_text("selected").first.wait_for()
    users = page.js(f"models('GlyphRenderer').filter((r) => r.data_source === {SOURCE}).length")
    assert users >= 4  # two maps, ticks along two sides of the heat map
    page.page.get_by_role("button", name="Clear").click()
    page.page.get_by_text("worst first").wait_for()


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
    lead = phone.page.locator("div.lead").bounding_box()
    assert lead["y"] >= maps["y"] + maps["height"]
