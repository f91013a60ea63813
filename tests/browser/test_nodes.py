import re

import pytest

TREE = "figures().find((f) => f.renderers.some((r) => r.glyph.type === 'Wedge'))"
RING = f"({TREE}).renderers.at(-1).data_source"


def centre_of_node(page, place):
    """Where a node of the tree is on the screen."""
    return page.js(
        "(() => {"
        f"const plot = {TREE}; const view = Bokeh.index.find_one(plot);"
        "const nodes = plot.renderers.find((r) => r.glyph.type === 'Circle').data_source;"
        f"const x = column(nodes, 'x')[{place}], y = column(nodes, 'y')[{place}];"
        "const box = view.canvas_view.el.getBoundingClientRect();"
        "return [box.left + view.frame.x_scale.compute(x), box.top + view.frame.y_scale.compute(y)]"
        "})()"
    )


def test_a_click_on_a_node_rings_it_and_the_link_remembers(visit):
    page = visit().open("?page=Nodes&data=moons")
    page.page.get_by_text("Node 0:").wait_for()
    page.wait(f"column({RING}, 'x').length === 1")
    x, y = centre_of_node(page, 1)
    page.page.mouse.click(x, y)
    page.page.get_by_text(re.compile("(Node|Leaf) 1:")).wait_for()
    page.page.wait_for_url(re.compile("node=0%2C0%2C1"))
    again = visit().open(page.page.url.split("/")[-1])
    again.page.get_by_text(re.compile("(Node|Leaf) 1:")).wait_for()


def test_the_tree_can_be_walked_by_buttons_and_another_tree_chosen(visit):
    page = visit().open("?page=Nodes&data=moons&theme=dark")
    page.page.get_by_role("button", name="Right").click()
    page.page.get_by_text(re.compile("(Node|Leaf) 2:")).wait_for()
    page.page.get_by_role("button", name="Parent").click()
    page.page.get_by_text("Node 0:").wait_for()
    page.set_slider("tree", 12)
    page.page.get_by_text("Tree 12 of 100").wait_for()


def test_lambda_turns_the_lit_cut_of_the_fan(visit):
    page = visit().open("?page=Nodes&node=1%2C0%2C0")
    page.page.get_by_text("off LDA").wait_for()
    page.set_slider("lambda", -10)
    page.page.get_by_text(re.compile(r"counted: 0° off LDA")).wait_for()
    page.set_slider("lambda", 10)
    page.page.get_by_text(re.compile(r"\b0° off PLS")).wait_for()


@pytest.mark.parametrize("query", ["?page=Nodes", "?page=Nodes&data=spectra_ir&node=1%2C0%2C0"])
def test_all_five_pictures_fit_a_projector_without_scrolling(visit, query):
    page = visit().open(query)
    page.page.get_by_text("off LDA").wait_for()
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    heights = page.js("figures().map((f) => f.inner_height).filter((h) => h)")
    assert sum(h > 80 for h in heights) >= 5


def test_a_phone_shows_the_pictures_one_under_the_other(visit):
    page = visit(390, 844, has_touch=True).open("?page=Nodes&data=moons")
    page.page.get_by_text("Tree 1 of 100").wait_for()
    assert page.js("document.documentElement.scrollWidth") <= 390


def test_axe_finds_nothing_serious_on_nodes(visit):
    from axe_playwright_python.sync_playwright import Axe

    page = visit().open("?page=Nodes")
    page.page.get_by_text("off LDA").wait_for()
    found = Axe().run(page.page).response["violations"]
    bad = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
    assert bad == []


def test_a_nodes_samples_stand_out_on_other_pages_too(visit):
    page = visit().open("?page=Nodes&data=moons")
    page.page.get_by_text("Node 0:").wait_for()
    page.page.get_by_role("button", name="Left").click()
    page.page.get_by_text("selected, in and out of the bag, node 1 of tree 1, A RF").wait_for()
    here = page.js("column(tagged('picked points'), 'x').length")
    assert 0 < here < 200
    page.page.wait_for_url(re.compile("picked=node"))
    page.page.get_by_role("button", name="Boundaries").click()
    assert page.js("column(tagged('picked points'), 'x').length") == here
    page.page.get_by_role("button", name="Clear the selection").click()
    page.wait("column(tagged('picked points'), 'x').length === 0")


def test_first_cuts_are_compared_with_words_and_bars(visit):
    page = visit().open("?page=Nodes")
    page.page.get_by_role("button", name="First cuts").click()
    page.page.get_by_text("B oRF-ridge cuts best").wait_for()
    assert page.page.get_by_role("figure", name=re.compile("A RF, first cut")).is_visible()
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
