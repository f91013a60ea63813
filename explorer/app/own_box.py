"""Owns the part of the sidebar for one's own file: drop zone, preview, label, errors in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn

from explorer.app.box import Box
from explorer.app.own import FORMATS, LARGEST, Choices, Found, Inbox, Upload, reading
from explorer.app.widgets import Style, button, in_browser, plain, text
from explorer.data import Preview

if TYPE_CHECKING:
    from explorer.app.session import Session

SHOWN_COLUMNS = 8
MOST_OFFERED = 500  # columns in a list to choose from
KIND = "file"
MISSING = {"not allowed": "", "imputed by the mean": "mean", "imputed by the median": "median"}


class OwnBox(Box):
    """Widgets for one file. Its bytes stay here until another comes or the session ends."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.name, self.content = "", b""
        self.preview: Preview | None = None
        self._quiet = False
        self.inbox = Inbox(self.arrived, self._coming, self.fault)
        self.open = False
        self._make()

    # ---- parts

    def _make(self) -> None:
        choose = button(self.style, "Choose a file", tags=["own file"], margin=(6, 0, 0, 0))
        in_browser(choose, "window.fx_choose()", inbox=self.inbox.source)
        self.zone = self._column(
            text(
                self.style,
                f'<p class="hint"><b>Drop a table</b> here or anywhere on the page: {FORMATS}, up '
                f"to {LARGEST / 1e6:g} MB. It stays in this session only.</p>",
                sizing_mode="stretch_width",
            ),
            choose,
            css_classes=["zone"],
        )
        self.says = text(self.style, sizing_mode="stretch_width")
        self.stop = button(self.style, "Stop", visible=False, margin=(4, 0))
        self.stop.on_click(lambda event: self.halt())
        self.about = text(self.style, sizing_mode="stretch_width")
        self.table = text(self.style, sizing_mode="stretch_width")
        field: dict[str, Any] = {
            "stylesheets": [self.style.field],
            "margin": (0, 0, 6, 0),
            "sizing_mode": "stretch_width",
        }
        self.label = pn.widgets.Select(
            label="Label",
            tags=["label:Label", "tip:The column that holds the classes."],
            options=[],
            **field,
        )
        self.impute = pn.widgets.Select(
            label="Missing cells",
            tags=["label:Missing cells", "tip:What is done where a cell is empty."],
            options=MISSING,
            value="",
            **field,
        )
        self.one_hot = pn.widgets.Checkbox(
            label="One-hot columns for text",
            tags=[
                "label:One-hot columns for text",
                "tip:One column per text; otherwise a column of text is refused.",
            ],
            value=False,
            css_classes=["check"],
            **field,
        )
        self.drop = pn.widgets.MultiSelect(
            label="Leave out",
            tags=[
                "label:Leave out",
                "tip:Columns the forests must not see; hold Ctrl to choose several.",
            ],
            options=[],
            size=4,
            **field,
        )
        self.fields = self._column(
            self.about, self.label, self.table, self.impute, self.one_hot, self.drop
        )
        for widget in (self.label, self.impute, self.one_hot, self.drop):
            widget.param.watch(self._chosen, "value")
        self.view = self._column(self.zone, self.says, self.stop, self.fields)
        self.show(False)

    def show(self, seen: bool) -> None:
        """Open or fold the box."""
        self.open = seen
        self.view.visible = seen
        self.fields.visible = self.preview is not None

    # ---- bytes come

    def _coming(self, name: str, done: int, size: int) -> None:
        self.session.sidebar.show_own(True)
        self._progress(f"{plain(name[:40])}: {done / 1e6:.1f} of {size / 1e6:.1f} MB")

    def _progress(self, words: str) -> None:
        """words: HTML of our own, with names escaped."""
        self.says.object = f'<p class="progress" role="status">{words}</p>' if words else ""
        self.stop.visible = bool(words)

    def arrived(self, name: str, content: bytes) -> None:
        """A whole file is here: look into it."""
        self.session.sidebar.show_own(True)
        self.name, self.content, self.preview = name, content, None
        self.fields.visible = False
        self._read(Choices())

    def _read(self, choices: Choices) -> None:
        name, content, known = self.name, self.content, self.preview
        session = self.session
        self._progress(f"Reading {plain(name[:40])}")
        session.scheduler.submit(
            session.key,
            KIND,
            lambda cancel: reading(content, name, choices, known),
            lambda found: session.mailbox.post(KIND, lambda: self.take(found)),
            lambda error: session.mailbox.post(
                KIND, lambda: self.fault("The file could not be read. Save it as CSV.")
            ),
        )

    def halt(self) -> None:
        """Stop receiving or reading."""
        self.inbox.stop()
        self.session.scheduler.stop(self.session.key, KIND)
        self._progress("")
        self.says.object = '<p class="hint">Stopped. Drop the file again to go on.</p>'

    def take(self, found: Found) -> None:
        """What came of reading: show it, and use it if it is complete."""
        self._progress("")
        if found.preview is None:
            self.fault(found.why)
            return
        if self.preview is not found.preview:
            self.preview = found.preview
            self._offer(found.preview)
        if found.data is None:
            self.fault(found.why)
            return
        notes = " ".join(found.data.notes)
        self.says.object = f'<p class="hint">{plain(notes)}</p>' if notes else ""
        self.session.use_own(Upload.of(self.name, found.data, found.wishes))

    def fault(self, sentence: str) -> None:
        """Beside the drop zone: what is wrong and what to do."""
        self.session.sidebar.show_own(True)
        self._progress("")
        self.says.object = f'<p class="wrong" role="alert">{plain(sentence)}</p>'

    # ---- what is in it

    def _offer(self, seen: Preview) -> None:
        """Preview and fields of a new file."""
        self.about.object = file_in_words(self.name, seen)
        self.table.object = preview_table(seen)
        names = list(seen.labels[:MOST_OFFERED])
        if seen.label is not None and seen.label not in names:
            names.append(seen.label)
        texts = any(kind == "text" and name != seen.label for name, kind in seen.columns)
        holes = any("" in row for row in seen.rows)
        self._quiet = True
        self.label.param.update(options=_options(names), value=seen.label)
        self.impute.value, self.one_hot.value = "", False
        self.drop.param.update(options=_options(names), value=[])
        self._quiet = False
        self.one_hot.visible = texts
        self.impute.visible = holes or not seen.spectral
        self.drop.visible = not seen.spectral and len(names) > 2
        self.fields.visible = True

    def _chosen(self, event: Any) -> None:
        if self._quiet or self.preview is None:
            return
        known = set(self.preview.labels)
        label, drop = self.label.value, self.drop.value
        if (label is not None and label not in known) or self.impute.value not in MISSING.values():
            self.fault("That choice is not in the list.")
            return
        self._read(
            Choices(
                label,
                self.impute.value or None,
                bool(self.one_hot.value),
                tuple(d for d in drop if d in known),
            )
        )

    def close(self) -> None:
        """The session ends, and the file with it."""
        self.inbox.drop()
        self.content, self.preview = b"", None


def _options(names: list[str]) -> dict[str, str]:
    """Names as people see them, cut short where they are long, to names as they are."""
    out: dict[str, str] = {}
    for name in names:
        short = name if len(name) <= 40 else f"{name[:37]}..."
        while short in out:
            short += "'"
        out[short] = name
    return out


def file_in_words(name: str, seen: Preview) -> str:
    """Name, format, shape and kinds of columns. Everything from the file is escaped."""
    p = len(seen.columns)
    kinds = [kind for _, kind in seen.columns]
    count = f"{seen.n_rows} rows, {p} column{'s' if p != 1 else ''}"
    numbers, texts = kinds.count("number"), kinds.count("text")
    parts = [f"{numbers} of numbers" if numbers else "", f"{texts} of text" if texts else ""]
    what = ", ".join(part for part in parts if part)
    axis = " Its headers are an axis." if seen.spectral else ""
    return (
        f'<p class="hint"><b>{plain(name[:60])}</b>, {plain(seen.format)}: {count} '
        f"({what}).{axis}</p>"
    )


def preview_table(seen: Preview) -> str:
    """The first rows with the kinds of the columns."""
    p = len(seen.columns)
    head = "".join(
        f'<th title="{plain(n[:200])}">{plain(n[:24])}<small>{k}</small></th>'
        for n, k in seen.columns[:SHOWN_COLUMNS]
    )
    more = f"<th>{p - SHOWN_COLUMNS} more</th>" if p > SHOWN_COLUMNS else ""
    cells = []
    for row in seen.rows:
        tds = "".join(f"<td>{plain(c[:24])}</td>" for c in row[:SHOWN_COLUMNS])
        cells.append(f"<tr>{tds}{'<td></td>' if more else ''}</tr>")
    return (
        f'<div class="rows" tabindex="0" role="region" aria-label="First rows of the file">'
        f"<table><thead><tr>{head}{more}</tr></thead><tbody>{''.join(cells)}</tbody></table></div>"
    )
