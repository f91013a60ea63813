"""A bare Panel app: a slider, ten more widgets, two 300 x 300 uint8 images. The floor."""

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
    lead = Slider(name="lead", start=0, end=90, value=45, tags=["lead"])

    def moved(event: object) -> None:
        for source in sources:
            source.data = {"image": [rng.integers(0, 255, (300, 300), np.uint8)]}

    lead.param.watch(moved, "value")
    others = [pn.widgets.FloatSlider(name=f"other {i}") for i in range(10)]
    return pn.Column(lead, *others, *plots)


if __name__ == "__main__":
    pn.extension()
    port = int(sys.argv[sys.argv.index("--port") + 1])
    pn.serve({"/": page}, port=port, websocket_origin=f"127.0.0.1:{port}", show=False, title="bare")
