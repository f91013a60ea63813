import re

LANE = "figures().find((f) => f.below[0]?.axis_label?.includes('nm'))"


def lines(page):
    """How many lines of the lane hold how many channels."""
    return page.js(
        f"(() => {{ const f = {LANE}; const r = f.renderers.find((r) => r.glyph.type"
        " === 'MultiLine'); return column(r.data_source, 'ys').map((y) => y.length) })()"
    )


def open_spectra(visit, query="?data=tecator&page=Importance", **options):
    page = visit(**options).come(query)
    page.page.get_by_text("looks most at").wait_for()
    return page


def test_a_band_dragged_over_the_spectra_is_kept_and_undone(visit):
    page = open_spectra(visit)
    assert lines(page) == [100, 100]
    box = page.page.locator("#maps").bounding_box()
    x, y = box["x"] + 300, box["y"] + 120
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 60, y + 5)
    page.page.mouse.move(x + 120, y + 5)
    page.page.mouse.up()
    keep = page.page.get_by_role("button", name="Keep only")
    keep.click()
    page.page.wait_for_url(re.compile("band=keep"))
    page.page.get_by_text(re.compile("Channels from .* kept")).wait_for()
    kept = lines(page)
    assert kept[0] < 40
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text("100 channels").wait_for()
    assert lines(page) == [100, 100]


def test_the_spectra_page_fits_a_projector_and_does_not_overlap_on_a_phone(visit):
    page = open_spectra(visit)
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    phone = open_spectra(visit, width=390, height=844)
    assert phone.js("document.documentElement.scrollWidth <= innerWidth")
    maps = phone.page.locator(".maps").bounding_box()
    row = phone.page.locator("div.controls[role=group]").bounding_box()
    assert maps["height"] > 800
    tab = phone.page.get_by_role("button", name="Importance", exact=True).first.bounding_box()
    assert tab["x"] >= 0
    assert tab["x"] + tab["width"] <= 390  # the open tab is in sight
    assert maps["y"] >= row["y"] + row["height"]  # what steers the pictures is over them


def test_a_table_shows_bars_and_errors_and_fits(visit):
    page = visit().come("?data=heart&page=Importance&model=RF~n_tree:20")
    page.page.get_by_text("are more than chance").wait_for()
    assert page.page.get_by_text("thallium scan").first.is_visible()
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    page.page.get_by_role("button", name="Groups").click()
    page.page.wait_for_url(re.compile("s.features=groups"))
    phone = visit(390, 844).come("?data=heart&page=Importance&model=RF~n_tree:20")
    phone.page.get_by_text("are more than chance").wait_for()
    assert phone.js("document.documentElement.scrollWidth <= innerWidth")


def test_the_key_x_flips_the_axis_and_the_link_remembers(visit):
    page = open_spectra(visit)
    assert page.js(f"({LANE}).x_range.start < ({LANE}).x_range.end")
    page.page.keyboard.press("x")
    page.wait(f"({LANE}).x_range.start > ({LANE}).x_range.end")
    page.page.wait_for_url(re.compile("flipped=1"))


def test_axe_finds_nothing_serious_on_spectra_and_knobs_that_do_nothing_are_away(visit):
    from axe_playwright_python.sync_playwright import Axe

    page = open_spectra(visit, "?data=tecator&page=Importance&theme=dark")
    assert not page.page.get_by_text("Across").first.is_visible()
    assert page.page.get_by_role("figure", name=re.compile("Spectra. Means and bands")).count() == 1
    found = Axe().run(page.page).response["violations"]
    bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
    assert bad == []
