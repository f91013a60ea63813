"""The Export menu in a real browser: files come, the report opens by itself and fetches nothing."""

import io
import re
import zipfile
from pathlib import Path

from explorer.engine import Forest


def export(page, what):
    page.page.get_by_role("button", name="Export").click()
    with page.page.expect_download() as found:
        page.page.get_by_role("menuitem", name=re.compile(f"^{what}")).click()
    page.page.get_by_role("button", name="Export").wait_for()  # no longer "Making the file"
    return found.value.suggested_filename, Path(found.value.path())


def test_script_and_models_come_from_the_menu(visit):
    page = visit().open()
    page.page.get_by_text("One straight boundary").first.wait_for()
    name, path = export(page, "Python script")
    assert name == "forest-explorer.py"
    compile(path.read_text(encoding="utf-8"), name, "exec")
    name, path = export(page, "Models")
    assert name == "forests.zip"
    with zipfile.ZipFile(path) as archive:
        assert Forest.load(io.BytesIO(archive.read("A-RF.npz"))).n_tree == 100


def test_a_report_opens_without_network_and_without_complaints(visit, browser, tmp_path):
    page = visit().come("?page=Evaluate")
    page.page.get_by_text("samples wrong").first.wait_for()
    name, path = export(page, "Report")
    assert name == "forest-explorer.html"
    kept = tmp_path / name
    kept.write_bytes(path.read_bytes())
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 900})
    troubles, asked = [], []
    reader = context.new_page()
    reader.on("console", lambda m: troubles.append(m.text))
    reader.on("pageerror", lambda e: troubles.append(str(e)))
    reader.on("request", lambda r: asked.append(r.url))
    reader.goto(kept.as_uri())
    assert reader.locator("svg[role=img]").count() == 2
    assert reader.locator("#seen img").count() >= 3
    widths = reader.eval_on_selector_all("#seen img", "all => all.map((i) => i.naturalWidth)")
    assert min(widths) > 50
    assert reader.locator("#link").get_attribute("href") == page.page.url
    assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert troubles == []
    context.close()
