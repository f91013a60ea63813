"""Why this sample, in a browser: a click on a point, a row of a table, and closing again."""

import re

from browser.test_maps import FIRST_POINT

MODELS = "&model=RF~n_tree%3A10&model=oRF-ridge~n_tree%3A10"


def test_a_clicked_point_is_explained_and_a_similar_sample_after_it(visit):
    page = visit().open("?data=moons" + MODELS).finish()
    page.page.mouse.click(*page.js(FIRST_POINT))
    page.page.wait_for_url(re.compile(r"why=\d"))
    first = re.search(r"why=(\d+)", page.page.url)[1]
    page.page.get_by_text("Shapley values").wait_for()
    page.page.locator("tr.asks").first.click()
    page.page.wait_for_url(re.compile(rf"why=(?!{first}\b)"))
    page.page.get_by_label("Close the explanation").click()
    page.page.wait_for_url(re.compile(r"^(?!.*why=)"))
