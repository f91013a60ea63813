"""A bare Panel app: a slider, ten more widgets, two 300 x 300 uint8 images. The floor.

Panel waits 50 ms before it looks at a slider's value; a second slider waits as little as the app's.
"""

import sys

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure


class Slider(pn.widgets.FloatSlider):
    """With the app's debounce, so that the app is compared and not Panel's wait."""

    _debounce = 5


def page() -> pn.Column:
    rng = np.random.default_rng(0)
    sources = []
    plots = []
    for _ in range(2):
        source = ColumnDataSource({"image": [rng.integers(0, 255, (300, 300), np.uint8)]})
        plot = figure(width=300, height=300)
        plot.image("image", x=0, y=0, dw=1, dh=1, source=source)
        sources.append(source)
        plots.append(plot)
    leads = [
        kind(name=name, start=0, end=90, value=45, tags=[name])
        for kind, name in ((pn.widgets.FloatSlider, "lead"), (Slider, "quick lead"))
    ]

    def moved(event: object) -> None:
        for source in sources:
            source.data = {"image": [rng.integers(0, 255, (300, 300), np.uint8)]}

    for lead in leads:
        lead.param.watch(moved, "value")
    others = [pn.widgets.FloatSlider(name=f"other {i}") for i in range(9)]
    return pn.Column(*leads, *others, *plots)


if __name__ == "__main__":
    pn.extension()
    port = int(sys.argv[sys.argv.index("--port") + 1])
    pn.serve({"/": page}, port=port, websocket_origin=f"127.0.0.1:{port}", show=False, title="bare")
