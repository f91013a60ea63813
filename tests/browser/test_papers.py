import json


def test_a_study_runs_with_progress_and_puts_claims_beside_its_picture(visit):
    page = visit().come("?page=Papers&study=sazonau-fig4")
    page.page.get_by_text("Not run yet").wait_for()
    page.page.get_by_role("button", name="Run, about").click()
    page.page.get_by_role("progressbar", name="Fig. 4").wait_for()
    page.page.get_by_role("button", name="Stop").wait_for()
    page.page.get_by_text("near 0.").wait_for()
    plots = "figures().filter((f) => f.below[0]?.axis_label === 'growth of the out-of-bag error')"
    page.wait(f"{plots}.length === 2 && {plots}[0].inner_width > 100")
    page.page.get_by_role("button", name="breast_cancer").click()
    page.wait(f"{plots}[1].inner_width > 100")

    # who comes later finds the result there
    later = visit(390, 844, has_touch=True).come("?page=Papers&study=sazonau-fig4")
    later.page.get_by_text("near 0.").wait_for()
    assert later.js("document.documentElement.scrollWidth") <= 390

    # its files
    with page.page.expect_download() as file:
        page.page.get_by_role("button", name="Save this study").click()
        page.page.get_by_role("menuitem", name="JSON").click()
    found = json.loads(file.value.path().read_text(encoding="utf-8"))
    assert found["study"] == "sazonau-fig4"

    # and the way to the same data on another page
    page.page.get_by_role("button", name="Open in Importance").click()
    page.wait("location.search.includes('data=breast_cancer')")
    page.page.get_by_text("are more than chance").wait_for()
    assert page.troubles == []


def test_stop_ends_a_study_and_says_so(visit):
    page = visit().come("?page=Papers&study=sazonau-fig2")
    page.page.get_by_role("button", name="Run, about").click()
    page.page.get_by_role("button", name="Stop").click()
    page.page.get_by_text("Stopped; its results were discarded").wait_for()
    page.page.get_by_role("button", name="Run, about").wait_for()


def test_the_gallery_is_walked_by_keyboard_and_kept_in_the_link(visit):
    page = visit().come("?page=Papers")
    page.page.get_by_role("button", name="Ho 1995").focus()
    page.page.keyboard.press("Enter")
    page.page.get_by_text("Forests by perceptron").first.wait_for()
    page.page.get_by_role("button", name="Fig. 2 · Forests by perceptron").focus()
    page.page.keyboard.press("Enter")
    page.wait("location.search.includes('study=ho-fig2')")
    # knobs of data and models would do nothing here
    assert page.js("document.querySelector('#maps').getBoundingClientRect().left") < 40
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    assert page.troubles == []


def test_axe_finds_nothing_serious_on_papers(visit):
    from axe_playwright_python.sync_playwright import Axe

    for query in ("?page=Papers&study=do-table5", "?page=Papers&study=ho-table1&theme=dark"):
        page = visit().come(query)
        page.page.get_by_text("Not run yet").wait_for()
        found = Axe().run(page.page).response["violations"]
        bad = [
            (v["id"], v["nodes"][0]["html"][:160])
            for v in found
            if v["impact"] in ("serious", "critical")
        ]
        assert bad == []
