"""The preview of a folder of spectra, over the page: what was read, as what, on which axis.

It changes nothing until "Use this data". Every choice is looked into in a thread, and the picture
follows. What was not read is listed with its reason.
"""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.pages import folder_text as words
from explorer.app.pages.picture import Picture
from explorer.app.session.events import FolderRead, Restyled
from explorer.app.session.session import Session
from explorer.app.state.folder_choices import LONGEST, FolderChoices, number, regions
from explorer.app.state.uploads import Upload
from explorer.app.widgets import Choice, button, css, in_browser, plain, set_class, text
from explorer.app.work.folder_work import FolderLook, looking
from explorer.data.measured import Proposal
from explorer.data.measured.align import METHODS
from explorer.views.spectra_figure import AxisFrame, SpectraFigure

KIND = "folder"
PATTERN, NOTHING = "pattern", "none"
UNITS = ("cm-1", "nm", "um", "eV", "ppm", "m/z")
MOST_WAYS = 30


# on a phone the drawer lies over the preview
_OPENED = """
if (source.css_classes.includes("open")) {
  document.body.classList.remove("drawer")
  document.getElementById("drawer").setAttribute("aria-expanded", "false")
}
"""


class FolderPlace:
    """The part that lies over the page while a preview is open; empty until a folder is read."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.preview: FolderPreview | None = None
        self.over = pn.Column(
            margin=0,
            sizing_mode="stretch_both",
            css_classes=["overlay"],
            stylesheets=[session.style.panes, css("folder")],
        )
        in_browser(self.over, _OPENED, on="css_classes")
        session.subscribe(FolderRead, lambda event: session.aside(lambda: self.take(event.look)))
        session.subscribe(Restyled, lambda event: self._restyle())

    def take(self, look: FolderLook) -> None:
        """Show a folder that was read."""
        if self.preview is None:
            self.preview = FolderPreview(self.session, self.over)
        self.preview.take(look)

    def _restyle(self) -> None:
        if self.preview is not None:
            self.preview.restyle()


class FolderPreview:
    """Widgets and pictures of one folder; built when the first one is dropped."""

    def __init__(self, session: Session, over: pn.Column) -> None:
        self.session, self.over = session, over
        self.look: FolderLook | None = None
        self.choices = FolderChoices()
        self._quiet = False
        style = session.style
        self.theme = session.state.view.theme
        self.figure = SpectraFigure(AxisFrame(), self.theme)
        self.figure.show_layers(["Spectra"])
        self.figure.figure.xaxis.visible = True
        self.figure.figure.toolbar.update(tools=[], active_drag=None)  # nothing is brushed here
        self.says = text(style, sizing_mode="stretch_width", css_classes=["foldhead"])
        self.card = Picture(style, "Spectra", "folder-spectra", self.figure.figure, lines=0)
        self.reasons = Picture(style, "Files", "folder-files", lines=0, classes=("reasons",))
        self._make_fields()
        self.view = pn.Column(
            self.says,
            self.card.view,
            self.reasons.view,
            self.form,
            css_classes=["folder"],
            stylesheets=[style.panes, css("folder")],
            margin=0,
            sizing_mode="stretch_both",
        )
        over[:] = [self.view]

    # ---- parts

    def _make_fields(self) -> None:
        style = self.session.style
        field: dict[str, Any] = {
            "stylesheets": [style.field],
            "margin": (0, 0, 6, 0),
            "sizing_mode": "stretch_width",
        }

        def choose(label: str, tip: str, **options: Any) -> pn.widgets.Select:
            return Choice(label=label, tags=[f"label:{label}", f"tip:{tip}"], **options, **field)

        def typed(label: str, tip: str, **options: Any) -> pn.widgets.TextInput:
            return pn.widgets.TextInput(
                label=label, tags=[f"label:{label}", f"tip:{tip}"], value="", **options, **field
            )

        self.classes = choose("Classes from", "Where a spectrum's class comes from.", options={})
        self.pattern = typed(
            "Pattern of file names",
            "{class} is the class, {group} the sample, * anything, # digits: {class}_{group}_#",
            placeholder="{class}_{group}_#",
        )
        self.groups = choose(
            "Replicates of one sample",
            "What is equal for replicates of one sample; they stay together in bags and folds.",
            options={},
        )
        self.unit = choose("Unit", "Spectra in other units are converted to it.", options=[])
        self.low, self.high, self.step = (
            typed(label, tip)
            for label, tip in (
                ("From", "Start of the common axis; empty for the range that all spectra share."),
                ("To", "End of the common axis; empty for the range that all spectra share."),
                ("Step", "Distance of its points; empty for the usual one."),
            )
        )
        self.method = choose("Between points", "How spectra are resampled.", options=list(METHODS))
        self.cut = typed(
            "Cut out", "Regions to leave out, such as CO2: 2300-2400", placeholder="2300-2400"
        )
        self.examples, self.samples, self.axis, self.why = (
            text(style, sizing_mode="stretch_width", margin=(0, 0, 6, 0)) for _ in range(4)
        )
        self.use = button(
            style,
            "Use this data",
            css_classes=["first"],
            sizing_mode="stretch_width",
            tags=["tip:Grow forests on these spectra."],
        )
        self.use.on_click(lambda event: self.take_it())
        self.close = button(style, "Close", margin=(0, 0, 0, 8))
        self.close.on_click(lambda event: self.show(False))
        chosen = (self.classes, self.groups, self.unit, self.method)
        written = (self.pattern, self.low, self.high, self.step, self.cut)
        for widget in (*chosen, *written):
            widget.param.watch(self._chosen, "value")
        row: dict[str, Any] = {"margin": 0, "sizing_mode": "stretch_width"}
        self.form = pn.Column(
            self.classes,
            self.pattern,
            self.examples,
            self.groups,
            self.samples,
            text(style, "<h2>Common axis</h2>", margin=(4, 0, 2, 0)),
            pn.Row(self.low, self.high, self.step, css_classes=["three"], **row),
            pn.Row(self.unit, self.method, css_classes=["three"], **row),
            self.cut,
            self.axis,
            self.why,
            pn.Row(self.use, self.close, css_classes=["last"], **row),
            css_classes=["card", "form"],
            stylesheets=[style.panes, css("folder")],
            margin=0,
            sizing_mode="stretch_both",
        )

    @property
    def seen(self) -> bool:
        return "open" in self.over.css_classes

    def show(self, seen: bool) -> None:
        """Lay it over the page, or take it away."""
        set_class(self.over, "open", seen)

    # ---- what was read

    def take(self, look: FolderLook) -> None:
        """Show a folder that was read, or other choices for it."""
        fresh = self.look is None or look.found is not self.look.found
        self.look, self.choices = look, look.choices
        self.restyle()
        if fresh:
            self._offer(look)
        self._fill(look)
        self.show(True)

    def _offer(self, look: FolderLook) -> None:
        """The choices that this folder has."""
        self._quiet = True
        ways = _options(look.class_ways)
        ways["A pattern of file names"] = PATTERN
        ways["No classes"] = NOTHING
        now = look.choices.classes or NOTHING
        self.classes.param.update(options=ways, value=now if now in ways.values() else PATTERN)
        self.groups.param.update(
            options={
                "none": NOTHING,
                **_options(look.group_ways),
                "{group} in the pattern": PATTERN,
            },
            value=look.choices.groups or NOTHING,
        )
        self.pattern.value = now.removeprefix("name:") if now.startswith("name:") else ""
        unit = look.grid.unit if look.grid is not None else ""
        found = [u for u in look.found.units if u]
        units = list(dict.fromkeys([*([unit] if unit else []), *found, *UNITS]))
        self.unit.param.update(
            options={"not known": "", **{u: u for u in units}} if not unit else units, value=unit
        )
        for widget in (self.low, self.high, self.step, self.cut):
            widget.value = ""
        self.method.value = METHODS[0]
        self._quiet = False

    def _fill(self, look: FolderLook) -> None:
        self.says.object = (
            f'<p class="headline"><b>{plain(look.found.name[:60])}</b>: '
            f"{plain(words.how_many(look))}.</p>"
        )
        self.pattern.visible = PATTERN in (self.classes.value, self.groups.value)
        self.examples.object = words.examples(look.classes)
        self.samples.object = words.replicates(look)
        self.axis.object = words.axis_words(look)
        self.why.object = f'<p class="wrong" role="alert">{plain(look.why)}</p>' if look.why else ""
        self.use.disabled = look.data is None
        self.reasons.title(words.title_of_not_read(look))
        self.reasons.fill(words.not_read(look))
        if look.spectra is not None:
            self.figure.update(look.spectra)
            self.figure.figure.xaxis.axis_label = look.spectra.label
            self.card.title("Spectra", keys=words.keys(look.spectra, self.theme))
            self.card.say("")
        else:
            self.card.say("There is nothing to draw: see the reasons below.")
        if look.grid is not None:
            grid = look.grid
            for widget, value in ((self.low, grid.low), (self.high, grid.high),
                                  (self.step, grid.step)):  # fmt: skip
                widget.placeholder = f"{value:.6g}"

    def restyle(self) -> None:
        """Follow the theme of the page."""
        theme = self.session.state.view.theme
        if theme != self.theme:
            self.theme = theme
            self.figure.restyle(theme)

    # ---- what is chosen

    def _chosen(self, event: Any) -> None:
        if self._quiet or self.look is None:
            return
        try:
            choices = self._choices(self.look)
        except ValueError as error:
            self._refuse(str(error))
            return
        self.pattern.visible = PATTERN in (self.classes.value, self.groups.value)
        if choices == self.choices:
            return
        found, session = self.look.found, self.session
        session.worker.ask(
            KIND,
            lambda cancel: looking(session.worker.key, found, choices),
            self._looked,
            lambda error: self._refuse("That could not be done with these spectra."),
        )

    def _looked(self, look: Any) -> None:
        before = self.look
        if isinstance(look, FolderLook) and before is not None and look.found is before.found:
            self.take(look)

    def _choices(self, look: FolderLook) -> FolderChoices:
        """What the widgets say, checked: a client may send anything."""
        known = {p.way for p in look.class_ways} | {PATTERN, NOTHING}
        groups = {p.way for p in look.group_ways} | {PATTERN, NOTHING}
        if (
            self.classes.value not in known
            or self.groups.value not in groups
            or self.method.value not in METHODS
            or self.unit.value not in (*look.found.units, *UNITS, "")
        ):
            raise ValueError("That choice is not in the list.")
        template = str(self.pattern.value or "")[:LONGEST].strip()
        ways = {PATTERN: f"name:{template}" if template else "", NOTHING: ""}
        low, high, step = (
            number(w.value, what)
            for w, what in ((self.low, "From"), (self.high, "To"), (self.step, "The step"))
        )
        if low is not None and high is not None and low > high:
            low, high = high, low
        return FolderChoices(
            ways.get(self.classes.value, self.classes.value),
            ways.get(self.groups.value, self.groups.value),
            self.unit.value or None,
            low,
            high,
            step,
            self.method.value,
            regions(self.cut.value),
        )

    def _refuse(self, sentence: str) -> None:
        self.why.object = f'<p class="wrong" role="alert">{plain(sentence)}</p>'
        self.use.disabled = True

    def take_it(self) -> None:
        """Grow forests on these spectra from now on."""
        look = self.look
        if look is None or look.data is None:
            return
        self.show(False)
        self.session.data.use_own(Upload.of(look.found.name, look.data, folder=look.choices))


def _options(ways: tuple[Proposal, ...]) -> dict[str, str]:
    """Titles as people see them, short and each once, to ways."""
    out: dict[str, str] = {}
    for proposal in ways[:MOST_WAYS]:
        title = proposal.title if len(proposal.title) <= 44 else f"{proposal.title[:41]}..."
        while title in out:
            title += "'"
        out[title] = proposal.way
    return out
