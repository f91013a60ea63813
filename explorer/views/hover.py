"""Draws what a model says at the place under the pointer: class shares as bars, and votes.

For two classes the browser reads it off the picture it has (an index is winner and margin); for
more it asks, once the pointer rests, and the answer comes through `Probe.answer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bokeh.models import ColumnDataSource, CustomJS

from explorer.views.theme import class_colour, levels

RESTS = 60  # ms without a move, before the server is asked
MOST_COUNTED = 120  # more trees than a byte tells apart are given in per cent
MOST_ROWS = 6  # classes listed, the largest first

_MOVE = """
const column_of = (source, name) => source.data.get ? source.data.get(name) : source.data[name]
const names = [...column_of(legend, "name")], colours = [...column_of(legend, "colour")]
const K = names.length
let tip = document.getElementById("fx-hover")
const hide = () => { if (tip) tip.hidden = true; clearTimeout(window.fx_rest) }
const event = cb_obj
if (event.event_name === "mouseleave" || K < 2) { hide(); return }
const picture = column_of(image, "image")[0]
const [x0, y0, dw, dh] = ["x", "y", "dw", "dh"].map((name) => column_of(image, name)[0])
const [h, w] = picture.shape ?? [0, 0]
const column = Math.floor((event.x - x0) / dw * w)
const row = Math.floor((event.y - y0) / dh * h)
if (!(column >= 0 && row >= 0 && column < w && row < h)) { hide(); return }
const index = picture[row * w + column]
if (index === 255) { hide(); return }
if (!tip) {
  tip = document.createElement("div")
  tip.id = "fx-hover"
  tip.setAttribute("aria-hidden", "true")
  document.body.append(tip)
}
const view = Bokeh.index.find_one(figure)
if (!view) return
const box = view.el.getBoundingClientRect()
const place = () => {
  const left = box.left + event.sx + 16, top = box.top + event.sy + 16
  const over = left + tip.offsetWidth > innerWidth - 8
  tip.style.left = Math.max(8, over ? left - tip.offsetWidth - 32 : left) + "px"
  tip.style.top = Math.min(top, innerHeight - tip.offsetHeight - 8) + "px"
}
const trees = column_of(image, "trees")[0]
const show = (shares) => {
  tip.replaceChildren()
  const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a] || a - b).slice(0, rows)
  for (const k of order) {
    const line = document.createElement("p"), bar = document.createElement("i")
    const name = document.createElement("span"), number = document.createElement("b")
    bar.style.width = Math.max(1, 48 * shares[k]) + "px"
    bar.style.background = colours[k]
    name.textContent = names[k]
    number.textContent = trees > 0 && trees <= counted
      ? `${Math.round(shares[k] * trees)} of ${trees}` : `${Math.round(100 * shares[k])} %`
    line.append(bar, name, number)
    tip.append(line)
  }
  if (order.length < shares.length) {
    const line = document.createElement("p")
    const more = document.createElement("span")
    more.textContent = `and ${shares.length - order.length} more classes`
    line.append(more)
    tip.append(line)
  }
  tip.hidden = false
  place()
}
clearTimeout(window.fx_rest)
if (K === 2) {
  const margin = (index % levels) / (levels - 1), first = index < levels
  const most = (1 + margin) / 2
  show(first ? [most, 1 - most] : [1 - most, most])
} else {
  window.fx_show = (shares) => show(shares)
  if (!tip.hidden) place()
  window.fx_rest = setTimeout(() => {
    probe.data = {card: [card], x: [event.x], y: [event.y]}
  }, rest)
}
"""
_ANSWER = """
const data = cb_obj.data, shares = [...(data.get ? data.get("share") : data.share)]
if (window.fx_show && shares.length) window.fx_show(shares)
"""


class Probe:
    """What all maps of a page share: class names and colours, the question and the answer."""

    def __init__(self) -> None:
        self.legend: Any = ColumnDataSource({"name": [], "colour": []})
        self.question: Any = ColumnDataSource({"card": [], "x": [], "y": []})
        self.answer: Any = ColumnDataSource({"share": []})
        self.answer.js_on_change("data", CustomJS(code=_ANSWER))

    def name(self, names: Sequence[str]) -> None:
        """Classes that are told apart; none switches the bars off."""
        wanted = {
            "name": [name[:24] for name in names],
            "colour": [class_colour(k).base for k in range(len(names))],
        }
        if dict(self.legend.data) != wanted:
            self.legend.data = wanted

    def say(self, shares: Sequence[float]) -> None:
        self.answer.data = {"share": [float(s) for s in shares]}


def attach(plot: Any, image: Any, probe: Probe, card: int) -> None:
    """Have a map say what is under the pointer.

    image: source of the picture, with how many trees voted in its column "trees".
    """
    callback = CustomJS(
        args={
            "figure": plot,
            "image": image,
            "legend": probe.legend,
            "probe": probe.question,
            "answer": probe.answer,  # so that it reaches the page
            "card": card,
            "levels": levels(2),
            "rest": RESTS,
            "counted": MOST_COUNTED,
            "rows": MOST_ROWS,
        },
        code=_MOVE,
    )
    for event in ("mousemove", "mouseleave", "tap"):
        plot.js_on_event(event, callback)
