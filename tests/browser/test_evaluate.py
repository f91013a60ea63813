import re


def opened(page, query="?page=Evaluate"):
    """Evaluate with its forests grown and judged; it shows no map."""
    page.come(query)
    page.page.get_by_text(re.compile(r"of \d+ samples wrong")).wait_for()
    return page


def test_a_verdict_arrives_with_progress_and_the_page_stays_alive(visit):
    page = opened(visit())
    page.page.get_by_text("Not run yet. Every forest is tested").wait_for()
    page.page.get_by_text("of 100 samples wrong").wait_for()
    page.page.get_by_role("button", name="Try them").click()
    page.page.get_by_text("does better than A RF").wait_for()
    page.page.get_by_text("25 runs", exact=True).wait_for()
    page.page.get_by_text("of 500 tests (100 samples x 5) wrong").wait_for()
    page.page.get_by_role("button", name="Out of bag").click()
    page.page.get_by_text("of 100 samples wrong").wait_for()


def test_stop_keeps_what_has_arrived(visit):
    page = opened(visit(), "?page=Evaluate&data=mixture")
    page.page.get_by_text("Not run yet. Every forest is tested").wait_for()
    page.set_slider("repeats", 20)
    page.page.get_by_role("button", name="Try them").click()
    page.page.get_by_text(re.compile(r"^[1-9]\d* of 100 runs$")).wait_for()
    page.page.get_by_role("button", name="Stop").last.click()
    page.page.get_by_text(re.compile(r"^Stopped after \d+ of 100 runs$")).wait_for()
    page.page.get_by_role("button", name="Try them").wait_for()


def test_m_try_is_turned_and_curves_are_chosen(visit):
    page = opened(visit())
    page.page.get_by_text("of 100 samples wrong").wait_for()
    page.page.get_by_label("Error by", exact=True).select_option("Error by m_try")
    page.page.get_by_role("button", name="Turn m_try").click()
    page.page.get_by_text("2 values", exact=True).wait_for()
    page.page.get_by_text("Least: A").wait_for()
    page.page.get_by_label("Curve", exact=True).select_option("Calibration")
    page.page.get_by_text("perfect calibration").wait_for()
    page.page.get_by_label("Curve", exact=True).select_option("Precision and recall")
    page.page.get_by_role("figure", name=re.compile("Precision, recall, of upper")).wait_for()


def test_turning_the_data_moves_the_errors_and_drops_the_verdict(visit):
    page = opened(visit())
    page.set_slider("repeats", 1)
    page.page.get_by_role("button", name="Try them").click()
    page.page.get_by_text("5 runs", exact=True).wait_for()
    page.set_slider("lead", 0)
    page.page.get_by_text("changed; try them again").wait_for()


def test_the_page_fits_a_projector_and_a_phone(visit):
    page = opened(visit(), "?page=Evaluate&theme=dark")
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    phone = opened(visit(390, 844, has_touch=True))
    assert phone.js("document.documentElement.scrollWidth") <= 390


def test_the_roc_is_square(visit):
    page = opened(visit())
    roc = "figures().find((f) => f.below[0]?.axis_label === 'false positive rate')"
    page.wait(f"Math.abs(({roc}).inner_width - ({roc}).inner_height) < 4")


def test_axe_finds_nothing_serious_on_evaluate(visit):
    from axe_playwright_python.sync_playwright import Axe

    page = opened(visit())
    page.page.get_by_text("of 100 samples wrong").wait_for()
    found = Axe().run(page.page).response["violations"]
    bad = [
        (v["id"], v["nodes"][0]["html"][:160])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert bad == []
