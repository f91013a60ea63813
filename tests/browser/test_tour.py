"""The tour in a browser: it plays, pauses, is turned by hand; nothing is refused."""

import re

WINE = "?data=wine&look=tour&model=RF~n_tree%3A10&model=oRF-ridge~n_tree%3A10"
TIP = """(() => {
  const wheel = models("Figure").find((f) => f.renderers.some((r) => r.glyph.type === "Segment"
    && "zero" in r.data_source.data))
  const view = Bokeh.index.find_one(wheel), box = view.el.getBoundingClientRect()
  const spokes = wheel.renderers.find((r) => r.glyph.type === "Segment").data_source
  const x = column(spokes, "x"), y = column(spokes, "y")
  let k = 0
  for (let i = 0; i < x.length; i++) if (Math.hypot(x[i], y[i]) > Math.hypot(x[k], y[k])) k = i
  return [box.left + view.frame.x_scale.compute(x[k]), box.top + view.frame.y_scale.compute(y[k])]
})()"""


def test_a_tour_plays_pauses_and_its_plane_is_in_the_link(visit):
    page = visit().open(WINE).finish()
    first = page.js("image(0).sum")
    page.page.get_by_label("Play the tour").click()
    page.wait(f"image(0).sum !== {first}")
    later = page.js("image(0).sum")
    page.wait(f"image(0).sum !== {later}")
    page.page.get_by_label("Play the tour").click()
    page.page.wait_for_url(re.compile("frame="))


def test_an_axis_dragged_on_the_wheel_turns_the_plane(visit):
    page = visit().open(WINE).finish()
    before = page.js("image(0).sum")
    x, y = page.js(TIP)
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    for step in range(6):
        page.page.mouse.move(x - 5 * step, y + 6 * step)
    page.wait(f"image(0).sum !== {before}")
    page.page.mouse.up()
    page.page.wait_for_url(re.compile("tour=hand"))
