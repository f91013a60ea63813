"""The maps of models: baselines, planes, votes under the pointer, cells, test errors, phones."""

import re

FIRST_POINT = """(() => {
  const plot = figures()[0], view = Bokeh.index.find_one(plot)
  const box = view.el.getBoundingClientRect()
  const marks = plot.renderers.filter((r) => r.glyph.type === "Scatter" && r.visible)
  const source = marks.map((r) => r.data_source).find((s) => column(s, "x").length > 5)
  return [box.left + view.frame.x_scale.compute(column(source, "x")[2]),
    box.top + view.frame.y_scale.compute(column(source, "y")[2])] })()"""


def test_a_baseline_is_chosen_like_a_family_and_says_that_it_has_no_trees(visit):
    page = visit().open("?model=RF&model=oRF-ridge")
    page.page.get_by_label("Family of forest B").select_option("knn")
    page.page.wait_for_url(re.compile("model=knn"))
    page.page.get_by_text("no trees").first.wait_for()
    page.page.get_by_text("neighbours").first.wait_for()
    page.page.get_by_label("Neighbours, k").select_option("5")
    page.page.wait_for_url(re.compile("neighbours%3A5"))


def test_hovering_says_the_votes_of_two_classes_without_asking_the_server(visit):
    page = visit().open()
    x, y = page.js(FIRST_POINT)
    page.page.mouse.move(x - 40, y - 60)
    page.page.mouse.move(x - 42, y - 62)
    tip = page.page.locator("#fx-hover")
    tip.wait_for()
    votes = [int(w) for w in re.findall(r"(\d+) of 100", tip.inner_text())]
    assert sum(votes) == 100
    page.page.mouse.move(20, 20)
    tip.wait_for(state="hidden")


def test_hovering_over_three_classes_asks_the_picture_at_hand(visit):
    page = visit().open("?data=iris")
    x, y = page.js(FIRST_POINT)
    page.page.mouse.move(x, y)
    page.page.mouse.move(x + 1, y)
    page.page.locator("#fx-hover").get_by_text("virginica").wait_for()


def test_a_clicked_sample_fixes_the_rest_and_the_headline_says_so(visit):
    page = visit().open("?data=iris").finish()
    page.page.get_by_text("the other 2 at their medians").wait_for()
    before = page.js("image(0).sum")
    page.page.mouse.click(*page.js(FIRST_POINT))
    page.page.get_by_text("the other 2 as in sample 3.").wait_for()
    page.wait(f"image(0).sum !== {before}")
    page.page.wait_for_url(re.compile("at=sample%2C2"))


def test_planes_are_chosen_in_the_sidebar_and_said_in_words(visit):
    page = visit().open("?data=trunk&plane=features").finish()
    page.page.get_by_text("the other 8 at their medians").wait_for()
    before = page.js("image(0).sum")
    page.page.get_by_label("Plane").select_option("Principal components")
    page.page.get_by_text("principal components 1 and 2").wait_for()
    page.wait(f"image(0).sum !== {before}")
    page.page.get_by_label("Plane").select_option("Two features, averaged over the rest")
    page.page.get_by_text("averaged over the other 8 features").wait_for()
    page.page.get_by_label("Plane").select_option("Two features")
    page.page.get_by_label("The rest").select_option("by sliders")
    page.page.get_by_text(re.compile("x3 = ")).first.wait_for()
    page.finish()
    moved = page.js("image(0).sum")
    page.set_slider("fix 2", 2.0)
    page.page.get_by_text("x3 = 2").first.wait_for()
    page.wait(f"image(0).sum !== {moved}")
    page.page.wait_for_url(re.compile("fix=2%2C2"))


def test_the_cells_of_one_tree_are_drawn_on_request(visit):
    page = visit().open()
    lines = "figures()[0].renderers.filter((r) => r.glyph.type === 'Line' && r.visible)"
    cells = f"{lines}.at(-1).data_source"
    page.page.get_by_role("button", name="One tree").click()
    page.wait(f"column({cells}, 'x').length > 20")
    first = page.js(f"[...column({cells}, 'x')].join(' ')")
    page.set_slider("one tree", 8)
    page.wait(f"[...column({cells}, 'x')].join(' ') !== '{first}'")
    page.page.wait_for_url(re.compile("node=0%2C7%2C0"))


def test_test_errors_are_outlined_beside_those_out_of_bag(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Test errors").click()
    page.wait(
        "figures()[0].renderers.some((r) => r.visible && r.glyph.type === 'Scatter'"
        " && column(r.data_source, 'marker') && column(r.data_source, 'x').length > 20)"
    )


def wide(card):
    """A map that takes the whole width of a phone."""
    return f"figures()[{card}].inner_width > 250"


def tap(page, card):
    """Touch the middle of a map."""
    where = f"Bokeh.index.find_one(figures()[{card}]).el"
    page.js(f"{where}.scrollIntoView({{block: 'center'}})")
    box = page.js(f"{where}.getBoundingClientRect().toJSON()")
    page.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_tap_on_a_phone_enlarges_a_map_and_another_one_makes_it_small_again(visit):
    page = visit(390, 844, has_touch=True).open()
    tap(page, 0)
    page.wait(wide(0))
    assert page.js("document.documentElement.scrollWidth") <= 390
    tap(page, 0)
    page.wait(f"!({wide(0)})")


def test_a_tap_on_another_map_enlarges_that_one_instead(visit):
    page = visit(390, 844, has_touch=True).open()
    tap(page, 0)
    page.wait(wide(0))
    tap(page, 1)
    page.wait(f"{wide(1)} && !({wide(0)})")


def test_the_maps_of_the_posterior_page_have_a_size_on_a_phone(visit):
    page = visit(390, 844, has_touch=True).open("?page=Posterior")
    page.wait("figures().filter((f) => f.title && f.title.text).length >= 8")
    page.wait(
        "figures().filter((f) => f.title && f.title.text && f.inner_width > 0)"
        ".every((f) => f.inner_height > 60 && f.inner_width > 100)"
    )
