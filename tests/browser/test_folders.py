"""A folder of spectra in a real browser: chosen, dropped, zipped, damaged; previewed, then used."""

import io
import re
import zipfile

from app.folders import DAMAGED, folder, spectrum
from playwright.sync_api import expect


def written(path, files):
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path / "trees"


def drop(page, *paths):
    """Drop files or folders with the browser's own drag events."""
    wire = page.page.context.new_cdp_session(page.page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        event = {"type": kind, "x": 700, "y": 400, "data": data}
        wire.send("Input.dispatchDragEvent", event)


def use(page):
    return page.page.get_by_role("button", name="Use this data")


def test_a_dropped_folder_is_previewed_then_used(visit, tmp_path):
    top = written(tmp_path, {**folder(), "trees/elm/broken.spc": DAMAGED})
    page = visit().open()
    drop(page, top)
    use(page).wait_for()
    page.page.get_by_text("24 spectra from 24 files (24 text); 1 file was not read").wait_for()
    assert page.page.locator(".reasons").get_by_text("elm/broken.spc").is_visible()
    page.page.get_by_label("Replicates of one sample").select_option(
        label="File name without its last number"
    )
    page.page.get_by_text("12 samples; their replicates stay together").wait_for()
    page.page.get_by_label("Step", exact=True).fill("25")
    page.page.get_by_label("Step", exact=True).press("Enter")
    page.page.get_by_text("24 points from 600 to 1175 cm-1 at steps of 25").wait_for()
    use(page).click()
    page.page.get_by_text("trees: 24 samples, 24 features, 3 classes").wait_for()
    page.page.wait_for_url(re.compile("data=own"))
    expect(use(page)).to_be_hidden()
    page.page.get_by_role("button", name="Show the preview").click()
    use(page).wait_for()
    page.page.get_by_role("button", name="Close").click()
    expect(use(page)).to_be_hidden()


def test_a_zip_archive_and_a_folder_chosen_with_a_button_are_folders_too(visit, tmp_path):
    files = folder()
    top = written(tmp_path, files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    (tmp_path / "all.zip").write_bytes(packed.getvalue())
    page = visit().open()
    drop(page, tmp_path / "all.zip")
    page.page.get_by_text("all: 24 spectra from 24 files (24 text).").wait_for()
    assert page.page.get_by_label("Classes from").input_value() == "Sub-folder"
    page.page.get_by_role("button", name="Close").click()
    with page.page.expect_file_chooser() as chooser:
        page.page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(top)
    page.page.get_by_text("trees: 24 spectra from 24 files (24 text).").wait_for()
    use(page).click()
    page.page.get_by_text("trees: 24 samples, 60 features, 3 classes").wait_for()


def test_files_that_give_no_spectrum_are_listed_and_the_page_goes_on(visit, tmp_path):
    page = visit().open()
    bad = {"trees/a.spc": DAMAGED, "trees/b.wdf": b"WDF1" + bytes(40), "trees/c.0": bytes(10)}
    drop(page, written(tmp_path, bad))
    use(page).wait_for()
    assert use(page).is_disabled()
    for name in ("a.spc", "b.wdf", "c.0"):
        assert page.page.locator(".reasons th").get_by_text(name, exact=True).is_visible()
    page.page.get_by_role("button", name="Close").click()
    before = page.js("image(0).sum")
    page.page.get_by_role("button", name="Draw again").click()
    page.wait(f"image(0).sum !== {before}")


def test_on_a_phone_the_preview_lies_over_the_drawer_and_scrolls(visit, tmp_path):
    page = visit(390, 844, has_touch=True, is_mobile=True).open()
    page.page.locator("#drawer").click()
    page.page.get_by_role("button", name="Own file").click()
    files = written(tmp_path, folder())
    with page.page.expect_file_chooser() as chooser:
        page.page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(sorted(files.rglob("*.txt")))
    use(page).wait_for()
    assert not page.js("document.body.classList.contains('drawer')")
    assert page.js("document.documentElement.scrollWidth") <= 390
    use(page).click()
    page.page.get_by_text("24 files: 24 samples").wait_for()


def test_from_a_folder_to_the_answer_for_spectra_measured_later(visit, tmp_path):
    page = visit().open("?model=RF~n_tree:20&model=oRF-ridge~n_tree:20")
    drop(page, written(tmp_path, folder(6)))
    use(page).click()
    page.page.get_by_text("trees: 36 samples").wait_for()
    page.page.locator("nav").get_by_role("button", name="Unknowns").click()
    page.page.get_by_text("Spectra measured later go here").wait_for()
    later = tmp_path / "later"
    later.mkdir()
    for kind in range(3):
        (later / f"new{kind}.txt").write_bytes(spectrum(kind, 90 + kind))
    (later / "bad.spc").write_bytes(DAMAGED)
    drop(page, later)
    page.page.get_by_text("A RF says of 3 spectra: 1 ash, 1 elm, 1 oak.").wait_for()
    assert page.page.get_by_text("1 file or spectrum not judged").is_visible()
    page.page.get_by_label("Confidence").select_option(label="80 %")
    page.page.get_by_text("At 80 %").wait_for()
    with page.page.expect_download() as file:
        page.page.get_by_role("button", name="Save answers").click()
        page.page.get_by_role("menuitem", name="CSV").click()
    assert "new2.txt" in file.value.path().read_text(encoding="utf-8")
    page.page.locator("nav").get_by_role("button", name="Importance").click()
    page.page.get_by_text("looks most at").wait_for()
