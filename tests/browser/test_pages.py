import re


def paint_square(page, n=1):
    card = page.page.locator("#maps").bounding_box()
    x, y = card["x"] + 200, card["y"] + 120
    for i in range(n):
        page.page.mouse.click(x + 12 * i, y)


def test_painting_with_the_mouse_adds_points_and_the_maps_follow(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Paint").click()
    page.page.get_by_text("100 points").wait_for()
    page.page.get_by_role("button", name="sky").click()
    page.finish()
    before = page.js("image(0).sum")
    card = page.page.locator("#maps").bounding_box()
    x, y = card["x"] + 150, card["y"] + 90
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for i in range(12):
        page.page.mouse.move(x + 9 * i, y + i)
        page.page.wait_for_timeout(15)
    page.page.mouse.up()
    page.wait(f"image(0).sum !== {before}")
    page.page.get_by_text(re.compile(r"1[01]\d points")).wait_for()
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text("100 points").wait_for()


def test_of_points_painted_quickly_one_after_another_none_is_lost(visit):
    page = visit().open("?page=Paint")
    page.page.get_by_text("100 points").wait_for()
    paint_square(page, 4)
    page.page.get_by_text("104 points").wait_for()


def points_seen(page):
    """Places of the painted points, all classes."""
    return page.js(
        """figures()[0].renderers.filter((r) => r.glyph.type === "Scatter" && r.visible)
        .map((r) => r.data_source).filter((s) => !column(s, "marker") && !column(s, "act"))
        .flatMap((s) => [...column(s, "x")].map((x, i) => `${x} ${column(s, "y")[i]}`))"""
    )


def take(page, tool):
    """Choose a tool; Panel waits 50 ms before it tells, which no hand is quicker than."""
    page.page.get_by_role("button", name=tool, exact=True).click()
    page.page.wait_for_timeout(400)


def drag(page, start, end):
    page.page.mouse.move(*start)
    page.page.mouse.down()
    for i in range(1, 9):
        share = i / 8
        page.page.mouse.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
        page.page.wait_for_timeout(20)
    page.page.mouse.up()


def test_a_point_is_moved_by_dragging_it_and_undo_brings_it_back(visit):
    page = visit().open("?page=Paint")
    page.page.get_by_role("button", name="Clear").first.click()
    page.page.get_by_text("No points yet").first.wait_for()
    box = page.page.locator("#maps").bounding_box()
    start, end = (box["x"] + 150, box["y"] + 150), (box["x"] + 260, box["y"] + 220)
    page.page.mouse.click(*start)
    page.page.get_by_text("1 point").first.wait_for()
    before = points_seen(page)
    take(page, "Move")
    drag(page, start, end)
    page.page.wait_for_timeout(600)
    after = points_seen(page)
    assert len(after) == len(before) == 1
    assert after != before
    page.page.get_by_role("button", name="Undo").click()
    page.page.wait_for_timeout(500)
    assert points_seen(page) == before


def test_the_spray_adds_clouds_and_the_eraser_takes_points_away(visit):
    page = visit().open("?page=Paint")
    box = page.page.locator("#maps").bounding_box()
    place = (box["x"] + 150, box["y"] + 150)
    take(page, "Spray")
    page.page.mouse.click(*place)
    page.page.get_by_text("103 points").wait_for()
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text("100 points").wait_for()
    take(page, "Point")
    page.page.mouse.click(*place)
    page.page.get_by_text("101 points").wait_for()
    take(page, "Erase")
    drag(page, (place[0] - 40, place[1]), (place[0] + 40, place[1]))
    page.page.get_by_text("100 points").wait_for()


def test_points_are_placed_by_keys_alone(visit):
    page = visit().open("?page=Paint")
    page.page.get_by_role("button", name="By keys").focus()
    page.page.keyboard.press("Enter")
    for key in ("2", "Shift+ArrowUp", "ArrowLeft", "Enter"):
        page.page.keyboard.press(key)
    page.page.get_by_text("101 points").wait_for()
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("Enter")
    page.page.get_by_text("102 points").wait_for()
    assert page.js("tagged('paint class').active") == 1


def test_a_painting_travels_in_the_link(visit):
    page = visit().open("?page=Paint")
    page.page.get_by_role("button", name="orange").click()
    paint_square(page)
    page.page.get_by_text("101 points").wait_for()
    page.page.wait_for_url(re.compile("points="))
    page.page.wait_for_timeout(600)
    assert len(page.page.url) < 4100
    again = visit().open(page.page.url.split("/")[-1])
    again.page.get_by_text("101 points").wait_for()


def test_clearing_the_painting_leaves_words_and_undo(visit):
    page = visit().open("?page=Paint")
    page.page.get_by_role("button", name="Clear").click()
    page.page.get_by_text("No points yet").first.wait_for()
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text("100 points").wait_for()


def test_the_posterior_page_shows_eight_pictures_and_follows_the_slider(visit):
    page = visit().open("?page=Posterior")
    page.wait("figures().filter((f) => f.title && f.title.text).length >= 8")
    assert page.js("document.documentElement.scrollHeight <= innerHeight")
    find = "figures().findIndex((f) => f.title && f.title.text === 'A RF: estimate')"
    before = page.js(f"image({find}).sum")
    page.set_slider("lead", 5)
    page.wait(f"image({find}).sum !== {before}")


def test_the_tabs_can_be_reached_and_used_by_keyboard_alone(visit):
    page = visit().open()
    page.page.get_by_role("button", name="Posterior").focus()
    page.page.keyboard.press("Enter")
    page.page.wait_for_url(re.compile("page=Posterior"))
