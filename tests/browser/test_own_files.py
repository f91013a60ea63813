"""Own files in a real browser: chosen, dropped, refused; and names that are scripts stay text."""

import re

import numpy as np

EVIL = "<img src=x onerror=alert(1)>"
PAGES = ("Posterior", "Nodes", "Importance", "Proximity", "Evaluate", "Boundaries")


def table(names=("a", "b", "c"), classes=("no", "yes"), rows=60):
    rng = np.random.default_rng(5)
    lines = [",".join([*(f'"{n}"' for n in names), "kind"])]
    for i in range(rows):
        k = i % len(classes)
        values = rng.normal(size=len(names)) + 2 * k
        lines.append(",".join([*(f"{v:.4f}" for v in values), f'"{classes[k]}"']))
    return "\n".join(lines).encode()


def choose(page, name, content):
    if page.page.get_by_role("button", name="Choose files").count() == 0:
        page.page.get_by_role("button", name="Own file").click()
    page.page.get_by_role("button", name="Choose files").wait_for()
    with page.page.expect_file_chooser() as chooser:
        page.page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(
        files=[{"name": name, "mimeType": "application/octet-stream", "buffer": content}]
    )


def drop(page, name, content):
    transfer = page.page.evaluate_handle(
        """([name, text]) => { const t = new DataTransfer()
        t.items.add(new File([text], name)); return t }""",
        [name, content.decode()],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.page.dispatch_event("main", event, {"dataTransfer": transfer})


def test_a_dropped_file_is_previewed_and_shown(visit):
    page = visit().open().finish()
    before = page.js("image(0).sum")
    drop(page, "mine.csv", table())
    page.page.get_by_text("mine.csv: 60 samples, 3 features, 2 classes.").wait_for()
    page.wait(f"image(0).sum !== {before}")
    assert page.page.get_by_label("First rows of the file").get_by_text("number").count() == 3
    assert page.page.get_by_label("Label", exact=True).input_value() == "kind"
    page.page.wait_for_url(re.compile("data=own"))
    other = visit().open(page.page.url.split("/")[-1])
    assert other.page.get_by_text("which is not in the link").is_visible()


def test_a_refused_file_says_why_beside_the_drop_zone_and_a_good_one_follows(visit):
    page = visit().open()
    choose(page, "photo.csv", b"\x89PNG\r\n\x1a\n" + bytes(100))
    page.page.locator(".wrong").get_by_text("is a picture").wait_for()
    choose(page, "one.csv", table(classes=("same",)))
    page.page.locator(".wrong").get_by_text("one value").wait_for()
    choose(page, "large.csv", bytes(21_000_000))
    page.page.locator(".wrong").get_by_text("up to 20 MB").wait_for()
    choose(page, "good.csv", table(rows=40_000))  # several pieces
    page.page.get_by_text("good.csv: 40000 samples").wait_for()
    assert page.page.locator(".wrong").count() == 0


def test_a_file_is_chosen_by_keyboard_alone(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Own file").press("Enter")
    with page.page.expect_file_chooser() as chooser:
        page.page.get_by_role("button", name="Choose files").press("Enter")
    chooser.value.set_files(files=[{"name": "k.csv", "mimeType": "text/csv", "buffer": table()}])
    page.page.get_by_text("k.csv: 60 samples").wait_for()


def test_scripts_in_names_of_columns_classes_and_files_are_shown_as_text_on_every_page(visit):
    page = visit()
    page.page.on("dialog", lambda d: (page.troubles.append("a script ran"), d.dismiss()))
    page.open()
    names = (f"{EVIL}a", "<script>alert(2)</script>", "$$x$$", "</style><svg onload=alert(3)>")
    drop(page, f"{EVIL}.csv", table(names, (EVIL, "<b onmouseover=alert(4)>b</b>")))
    page.page.get_by_text("60 samples, 4 features").wait_for()
    for name in PAGES:
        page.page.locator("nav").get_by_role("button", name=name).click()
        seen = f"location.search.includes('page={name}')"
        first = "!location.search.includes('page=')"
        page.wait(first if name == "Boundaries" else seen)
        page.page.wait_for_timeout(1500)
        page.page.mouse.move(600, 400)
        page.page.mouse.move(640, 420)
        assert page.page.locator("img").count() == 0
        assert page.page.locator("[onmouseover], [onload]").count() == 0
