"""The control row, the lead slider, the tabs and the header's buttons."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
from bokeh.models import PrintfTickFormatter

from explorer.app.export.menu import Exports
from explorer.app.session.events import (
    DataChanged,
    LeadChanged,
    MapsDrawn,
    ModelsChanged,
    ModelTurned,
    PageOpened,
    Restored,
)
from explorer.app.session.session import Session
from explorer.app.state.page_list import has_maps
from explorer.app.state.visitor import LAYERS, PAGES
from explorer.app.widgets import (
    ButtonRow,
    LiveFloatSlider,
    LiveIntSlider,
    button,
    icon,
    in_browser,
    text,
)
from explorer.app.work.requests import Pictures
from explorer.data import catalogue
from explorer.data.transforms import TRANSFORMS

PLAY_SECONDS = 6.0
SLOWEST_FRAME = 550  # ms
OF_TRUTH = ("Bayes", "Test errors")  # layers of data whose truth is known

_COPY_LINK = """
const done = () => {
  source.label = "Link copied"
  setTimeout(() => { source.label = "Share" }, 1500)
}
const old_way = () => {
  const field = document.createElement("textarea")
  field.value = location.href
  document.body.appendChild(field); field.select(); document.execCommand("copy"); field.remove()
  done()
}
if (navigator.clipboard && window.isSecureContext) {
  navigator.clipboard.writeText(location.href).then(done, old_way)
} else old_way()
"""


def play_steps(n_tree: int) -> list[int]:
    """1, 2, 3, 5, 8, 13 ... n_tree."""
    steps, a, b = [], 1, 2
    while a < n_tree:
        steps.append(a)
        a, b = b, a + b
    return [*steps, n_tree]


class Controls:
    """Widgets around the maps; each changes the state through the session."""

    def __init__(self, session: Session) -> None:
        self.session, self.state, self.style = session, session.state, session.style
        self._quiet = False  # while widgets follow the state instead of leading it
        self._player: Any = None
        self._make_lead()
        self._make_row()
        self._make_header()
        for lead in (DataChanged, LeadChanged, PageOpened):
            session.subscribe(lead, lambda event: self.follow_lead())
        for models in (ModelsChanged, ModelTurned):
            session.subscribe(models, lambda event: self.follow_trees())
        session.subscribe(Restored, lambda event: self.follow())

    # ---- the lead slider

    def _make_lead(self) -> None:
        self.lead = LiveFloatSlider(
            label="Turn the data",
            start=0,
            end=90,
            step=1,
            value=45,
            css_classes=["big"],
            stylesheets=[self.style.slider],
            margin=0,
            sizing_mode="stretch_width",
            format=PrintfTickFormatter(format="%.0f°"),
        )
        self.lead.param.watch(self._lead_moved, "value")
        self.lead.param.watch(lambda event: self._commit(), "value_throttled")
        self.follow_lead()

    def follow_lead(self) -> None:
        """Show the knob that leads for this data set."""
        data = self.state.data
        name = self.session.maps.lead_knob()
        many = (self.session.n_features or 2) > 2
        page = self.state.view.page
        # two of many features are turned: nothing that a page without maps would show; pixels of
        # an image are data of their own
        self.lead.visible = (
            bool(name) and page != "Images" and not (name == "turn" and many and not has_maps(page))
        )
        if not name:
            return
        if name == "angle":
            words, low, high, step, value = "Turn the data", 0.0, 90.0, 1.0, data.knob("angle")
        elif name == "turn":
            words, low, high, step = "Turn the data", 0.0, 90.0, 1.0
            angle = TRANSFORMS["turn"].knobs()["angle"].default
            value = data.transform_knobs.get("angle", angle) if data.transform == "turn" else 0.0
        else:
            knob = catalogue()[data.source].knobs[name]
            words, value = name.capitalize(), data.knob(name)
            low, high = float(knob.low or 0.0), float(knob.high or 1.0)
            high = min(high, max(10.0, 2 * value))
            step = 0.01 if high <= 5 else 0.1
        low, high = min(low, value), max(high, value)
        degrees = name in ("angle", "turn")
        self._quiet = True
        # before the label: the browser writes both anew when the label changes
        self.lead.format = PrintfTickFormatter(format="%.0f°" if degrees else "%.4g")
        self.lead.param.update(
            label=words,
            start=low,
            end=high,
            step=step,
            value=value,
        )
        self._quiet = False

    def _lead_moved(self, event: Any) -> None:
        if not self._quiet:
            self.session.guarded(self.session.data.turn_lead, event.new)

    def _commit(self) -> None:
        if not self._quiet:
            self.session.commit()

    # ---- the row over the maps

    def _make_row(self) -> None:
        view = self.state.view
        self.play = pn.widgets.Toggle(
            label="",
            icon=icon("play"),
            icon_size="18px",
            tags=["play", "label:Play: grow the forest tree by tree"],
            css_classes=["icon"],
            stylesheets=[self.style.button],
            margin=(0, 4, 0, 0),
            align="center",
        )
        self.play.param.watch(self._play, "value")
        self.step = button(
            self.style,
            icon=icon("step"),
            tags=["label:One more tree"],
            icon_size="18px",
            css_classes=["icon"],
            align="center",
            margin=(0, 4, 0, 0),
        )
        self.step.on_click(self._one_more)
        self.home = button(
            self.style,
            icon=icon("home"),
            tags=["label:Show the whole map"],
            icon_size="18px",
            css_classes=["icon"],
            align="center",
            margin=(0, 12, 0, 0),
        )
        self.home.on_click(lambda event: self.session.viewport.look_home())
        most = self.state.models.most_trees()
        self.trees = LiveIntSlider(
            label="Trees shown" if most else "No trees",
            tags=["trees", "tip:Trees that vote; more give a steadier map. n_tree"],
            start=1,
            end=max(2, most),
            value=view.trees or max(1, most),
            disabled=most < 2,
            css_classes=["room"],
            stylesheets=[self.style.slider],
            margin=(0, 12, 0, 0),
            width=124,
            align="center",
        )
        self.trees.param.watch(self._trees_moved, "value")
        self.trees.param.watch(lambda event: self._commit(), "value_throttled")
        self.soft = ButtonRow(
            options=["Soft", "Hard"],
            value="Soft" if view.soft else "Hard",
            stylesheets=[self.style.button],
            margin=(0, 12, 0, 0),
            align="center",
        )
        self.soft.param.watch(self._restyle, "value")
        self.layers = pn.widgets.CheckButtonGroup(
            options=list(LAYERS),
            value=list(view.layers),
            css_classes=["chips"],
            stylesheets=[self.style.button],
            margin=0,
            align="center",
        )
        self.layers.param.watch(self._restyle, "value")
        self.one = LiveIntSlider(
            label="Tree",
            tags=["one tree", "tip:The tree whose cells and split lines are drawn."],
            start=1,
            end=max(2, most),
            value=min(self.state.selection.tree + 1, max(2, most)),
            stylesheets=[self.style.slider],
            margin=(0, 8, 0, 10),
            width=84,
            align="center",
            visible="One tree" in view.layers,
        )
        self.one.param.watch(self._tree_chosen, "value")
        self.one.param.watch(lambda event: self._commit(), "value_throttled")
        self.progress = text(self.style, align="center", css_classes=["shrinks"])
        self.stop = button(self.style, "Stop", align="center", visible=False)
        self.stop.on_click(self._stop)
        self.row = pn.Row(
            self.play,
            self.step,
            self.home,
            self.trees,
            self.soft,
            self.layers,
            self.one,
            pn.layout.HSpacer(),
            self.progress,
            self.stop,
            margin=0,
            css_classes=["controls"],
            stylesheets=[self.style.panes],
            sizing_mode="stretch_width",
        )
        self.session.subscribe(MapsDrawn, lambda event: self._follow_pictures(event.maps))

    def _follow_pictures(self, shown: Pictures) -> None:
        words = "" if shown.finished else f"{shown.done} of {shown.wanted} trees"
        html = f'<p class="progress">{words}</p>'
        if self.progress.object != html:
            self.progress.object = html
        self._show_stop(not shown.finished)
        self._offer_layers(shown.source.data.truth is not None)

    def _offer_layers(self, told: bool) -> None:
        """Only layers that there are: without a truth there is no Bayes boundary and no test."""
        offered = [name for name in LAYERS if told or name not in OF_TRUTH]
        if self.layers.options == offered:
            return
        self._quiet = True
        self.layers.param.update(
            options=offered, value=[name for name in self.state.view.layers if name in offered]
        )
        self._quiet = False

    def _show_stop(self, growing: bool) -> None:
        if self.stop.visible != growing:
            self.stop.visible = growing

    def _stop(self, event: Any) -> None:
        self.session.worker.stop()
        self._show_stop(False)

    def _trees_moved(self, event: Any) -> None:
        if not self._quiet:
            self.session.guarded(self.session.models.show_trees, event.new)

    def follow_trees(self) -> None:
        """The number of trees changed in the sidebar."""
        most = self.state.models.most_trees()
        shown = self.state.view.trees
        self._quiet = True
        self.trees.param.update(
            label="Trees shown" if most else "No trees",
            disabled=most < 2,
            end=max(2, most),
            value=max(1, min(shown, most) if shown else most),
        )
        self._quiet = False

    def _tree_chosen(self, event: Any) -> None:
        if self._quiet:
            return

        def act() -> None:
            self.state.selection.param.update(tree=int(event.new) - 1, node=0)

        self.session.guarded(act)
        self.session.refresh()

    def _follow_layers(self) -> None:
        """The slider of the one tree is there while its cells are drawn."""
        wanted = "One tree" in self.state.view.layers
        most = self.state.models.most_trees()
        self._quiet = True
        self.one.param.update(
            visible=wanted,
            end=max(2, most),
            value=min(self.state.selection.tree + 1, max(2, most)),
        )
        self._quiet = False

    def _one_more(self, event: Any) -> None:
        most = self.state.models.most_trees()
        if not most:
            return
        now = self.state.view.trees or most
        self.trees.value = 1 if now >= most else now + 1

    def _play(self, event: Any) -> None:
        self.play.icon = icon("pause" if event.new else "play")
        if self._player is not None:
            self._player.stop()
            self._player = None
        if not event.new:
            self.session.commit()
            return
        if not self.state.models.most_trees():
            self.session.note("These models have no trees to grow one by one.")
            self.play.value = False
            return
        steps = play_steps(self.state.models.most_trees())
        period = int(min(SLOWEST_FRAME, 1000 * PLAY_SECONDS / len(steps)))
        row = iter(steps)

        def frame() -> None:
            step = next(row, None)
            if step is None:
                self.play.value = False
            else:
                self.trees.value = step

        frame()
        self._player = pn.state.add_periodic_callback(frame, period=period)

    def _restyle(self, event: Any) -> None:
        if self._quiet:
            return

        def act() -> None:
            self.state.view.param.update(
                soft=self.soft.value == "Soft",
                layers=[w for w in LAYERS if w in self._wanted_layers()],
                theme="dark" if self.dark.value else "light",
                present=bool(self.present.value),
            )

        before = list(self.state.view.layers)
        self.session.guarded(act)
        self.session.restyle()
        if before != self.state.view.layers:
            self._follow_layers()
            self.session.refresh()  # cells and test errors are made only while they are seen
        self.session.commit()

    def _wanted_layers(self) -> list[str]:
        """What is chosen; layers that these data do not have stay as they were."""
        offered = self.layers.options
        return [*self.layers.value, *(w for w in self.state.view.layers if w not in offered)]

    # ---- header and tabs

    def _make_header(self) -> None:
        view = self.state.view
        self.tabs = ButtonRow(
            options=list(PAGES),
            value=view.page,
            css_classes=["tabs"],
            tags=["pages"],
            stylesheets=[self.style.button],
            margin=0,
        )
        self.tabs.param.watch(self._tab, "value")
        in_browser(
            self.tabs,
            "document.documentElement.dataset.page = source.labels[source.active]; "
            "window.fx_show_tab()",
            on="active",
        )
        share = button(
            self.style,
            "Share",
            icon=icon("link", 16),
            icon_size="16px",
            css_classes=["short"],
            tags=["tip:Copy a link that shows others what you see."],
            margin=(0, 4),
            align="center",
        )
        in_browser(share, _COPY_LINK)
        self.exports = Exports(self.session)
        options: dict[str, Any] = {
            "css_classes": ["quiet", "icon"],
            "stylesheets": [self.style.button],
            "margin": 0,
            "align": "center",
            "icon_size": "20px",
        }
        self.dark = pn.widgets.Toggle(
            label="",
            tags=["dark", "label:Light or dark"],
            icon=icon("moon", 20),
            value=view.theme == "dark",
            **options,
        )
        in_browser(
            self.dark,
            "document.documentElement.dataset.theme = source.active ? 'dark' : 'light'",
            on="active",
        )
        self.present = pn.widgets.Toggle(
            label="",
            tags=["present", "label:Present mode"],
            icon=icon("screen", 20),
            value=view.present,
            **options,
        )
        in_browser(
            self.present,
            "document.documentElement.classList.toggle('present', source.active)",
            on="active",
        )
        for widget in (self.dark, self.present):
            widget.param.watch(self._restyle, "value")
        keys = button(
            self.style,
            icon=icon("keys", 20),
            tags=["label:Keys"],
            icon_size="20px",
            css_classes=["quiet", "icon"],
            align="center",
        )
        in_browser(keys, "window.fx_keys()")
        self.actions = pn.Row(
            pn.layout.HSpacer(),
            share,
            self.exports.button,
            self.present,
            self.dark,
            keys,
            margin=0,
            sizing_mode="stretch_width",
        )

    def _tab(self, event: Any) -> None:
        if not self._quiet:
            self.session.aside(partial(self.session.open_page, event.new))

    def follow(self) -> None:
        """Bring every widget to the state."""
        view = self.state.view
        self._quiet = True
        self.tabs.value = view.page
        self.soft.value = "Soft" if view.soft else "Hard"
        self.layers.value = [w for w in view.layers if w in self.layers.options]
        self.dark.value = view.theme == "dark"
        self.present.value = view.present
        self._quiet = False
        self.follow_lead()
        self.follow_trees()
        self._follow_layers()
