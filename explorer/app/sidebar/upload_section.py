"""The section of the sidebar for one's own files: drop zone, preview, label, errors.

A table is previewed here; a folder, several files or an instrument's file are previewed over the
page (pages/folder_preview.py).
"""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.session.events import FilesArrived, FolderRead, PageOpened
from explorer.app.session.session import Session
from explorer.app.sidebar.section import Box
from explorer.app.state.bundle import PREFIX, Bundle, unbundle
from explorer.app.state.page_list import page_entry
from explorer.app.state.uploads import FORMATS, LARGEST, LARGEST_FOLDER, Choices, Inbox, Upload
from explorer.app.state.visitor import OWN
from explorer.app.widgets import Choice, Style, button, in_browser, plain, text
from explorer.app.work.file_reading import LIMITS, FileReadingResult, reading
from explorer.app.work.folder_work import FilesRead, FolderLook, reading_folder
from explorer.data import Dataset, Preview
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.formats import recognise
from explorer.sentences import sentence_of

SHOWN_COLUMNS = 8
MOST_OFFERED = 500  # columns in a list to choose from
KIND = "file"
# what a table may look like to those who know instruments' files
TABLES = ("text", "excel", "mat", "jcamp", "binary", "netcdf")
NO_GROUPS = "none: every row is a sample of its own"
WAYS_OFFERED = ("", "drop rows", "drop columns", "fill")
REFUSED = "refuse the file"  # what is done with missing cells until someone chooses


class OwnBox(Box):
    """Widgets for one file. Its bytes stay here until another comes or the session ends."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.toggle = pn.widgets.Toggle(
            label="Own file",
            value=False,
            tags=["tip:Data of your own, from a file."],
            stylesheets=[style.button],
            margin=(4, 0, 8, 6),
            width=84,
        )
        self.toggle.param.watch(lambda event: self._toggled(event.new), "value")
        self.name, self.content = "", b""
        self.preview: Preview | None = None
        self._quiet = False
        self.inbox = Inbox(self.arrived, self._coming, self.fault)
        self.open = False
        self._make()

    # ---- parts

    def _make(self) -> None:
        choose = button(self.style, "Choose files", tags=["own file"], margin=(6, 6, 0, 0))
        in_browser(choose, "window.fx_choose(false)", inbox=self.inbox.source)
        folder = button(self.style, "Choose a folder", tags=["own folder"], margin=(6, 0, 0, 0))
        in_browser(folder, "window.fx_choose(true)", inbox=self.inbox.source)
        self.zone = self._column(
            text(
                self.style,
                '<p class="hint"><b>Drop a table, or a folder of spectra</b>, here or anywhere on '
                f"the page. Tables: {FORMATS}, up to {LARGEST / 1e6:g} MB. Spectra: files of "
                "instruments, text or JCAMP-DX, in a folder, together or zipped, up to "
                f"{LARGEST_FOLDER / 1e6:g} MB. They stay in this session only.</p>",
                sizing_mode="stretch_width",
            ),
            self._row(choose, folder),
            css_classes=["zone"],
        )
        self.again = button(self.style, "Show the preview", visible=False, margin=(4, 0))
        self.again.on_click(lambda event: self._folder_again())
        self.as_spectra = button(self.style, "Read it as spectra", visible=False, margin=(4, 0))
        self.as_spectra.on_click(lambda event: self.read_folder(self.name, self.bundle_of_one()))
        self.look: FolderLook | None = None  # the last folder
        self.session.subscribe(PageOpened, lambda event: self._page_opened())
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
        self.label = Choice(
            label="Label",
            tags=["label:Label", "tip:The column that holds the classes."],
            options=[],
            **field,
        )
        self.groups = Choice(
            label="Replicates",
            tags=[
                "label:Replicates",
                "tip:The column that is equal for replicates of one sample; they stay together in "
                "bags and folds, so that errors are honest.",
            ],
            options={NO_GROUPS: ""},
            value="",
            **field,
        )
        self.impute = Choice(
            label="Missing cells",
            tags=[
                "label:Missing cells",
                "tip:What is done where a cell is empty. Training medians: in each fold of a "
                "cross-validation, the median of the rows that train.",
            ],
            options={REFUSED: ""},
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
            self.about,
            self.label,
            self.table,
            self.groups,
            self.impute,
            self.one_hot,
            self.drop,
        )
        for widget in (self.label, self.groups, self.impute, self.one_hot, self.drop):
            widget.param.watch(self._chosen, "value")
        self._parts = [self.zone, self.says, self.stop, self.again, self.as_spectra, self.fields]
        self.view = self._column()  # filled when it is first opened
        # files may be dropped on the page before: what takes them is there from the beginning
        in_browser(self.toggle, "", on="active", inbox=self.inbox.source)
        self.show(False)

    def unfold(self, seen: bool) -> None:
        """Open or fold the box, and its toggle with it."""
        if self.toggle.value != seen:
            self.toggle.value = seen
        self.show(seen)

    def _toggled(self, seen: bool) -> None:
        self.show(seen)
        data = self.state.data
        if seen and data.upload is not None and data.shown != OWN:
            self.session.data.choose(OWN)

    def show(self, seen: bool) -> None:
        """Open or fold the box."""
        self.open = seen
        if seen and not len(self.view):
            self.view[:] = self._parts
        self.view.visible = seen
        self.fields.visible = self.preview is not None

    # ---- bytes come

    def _coming(self, name: str, done: int, size: int) -> None:
        name = name.removeprefix(PREFIX)
        if not self._for_page():
            self.unfold(True)
        self._progress(f"{plain(name[:40])}: {done / 1e6:.1f} of {size / 1e6:.1f} MB")

    def _progress(self, words: str) -> None:
        """words: HTML of our own, with names escaped."""
        self.says.object = f'<p class="progress" role="status">{words}</p>' if words else ""
        self.stop.visible = bool(words)

    def arrived(self, name: str, content: bytes) -> None:
        """A whole file is here, or several in one piece: look into them."""
        if self._for_page():
            self._hand_on(name, content)
            return
        self.unfold(True)
        self.as_spectra.visible = False
        if name.startswith(PREFIX):
            try:
                bundle = unbundle(content)
            except ValueError as error:
                self.fault(sentence_of(error))
                return
            name = name.removeprefix(PREFIX)
            single = len(bundle.files) == 1 and not bundle.unopened
            if not single or name.lower().endswith(".zip"):
                self.read_folder(name, bundle)
                return
            name, content = next(iter(bundle.files.items()))
            name = name.rsplit("/", 1)[-1]
        self.name, self.content, self.preview = name, content, None
        self.fields.visible = False
        if recognise(Given(name, content[:4096], LIMITS)).key in TABLES:
            self._read(Choices())
        else:
            self.read_folder(name, self.bundle_of_one())

    def _for_page(self) -> bool:
        """Whether the open page takes files for itself."""
        return page_entry(self.state.view.page).takes_files

    def _hand_on(self, name: str, content: bytes) -> None:
        """Give what came to the open page."""
        self._progress("")
        try:
            bundle = unbundle(content) if name.startswith(PREFIX) else Bundle({name: content})
        except ValueError as error:
            self.session.note(sentence_of(error))
            return
        title = _title(name.removeprefix(PREFIX))
        self.session.announce(FilesArrived(title, bundle, self.inbox.hold))

    # ---- a folder comes

    def bundle_of_one(self) -> Bundle:
        """The last single file, to be read as spectra."""
        return Bundle({self.name: self.content})

    def read_folder(self, name: str, bundle: Bundle) -> None:
        """Read the spectra of several files; the preview opens over the page."""
        session = self.session
        self.preview = None
        self.fields.visible = self.as_spectra.visible = False
        self._progress(f"Reading {len(bundle.files)} files")
        session.worker.ask(
            KIND,
            lambda cancel: reading_folder(
                session.worker.key, bundle.files, _title(name), bundle.unopened, cancel
            ),
            self._folder_step,
            lambda error: self.fault(sentence_of(error)),
        )

    def _folder_step(self, step: Any) -> None:
        if isinstance(step, FilesRead):
            if step.of:
                name = plain(step.name.rsplit("/", 1)[-1][:30])
                self._progress(f"{step.done} of {step.of} files read {name}")
            return
        self._progress("")
        if not self._hold(step.found.nbytes + _size(step.data)):
            return
        found = f"{plain(step.found.name[:40])}: {step.found.summary}"
        self.says.object = f'<p class="hint">{found}.</p>'
        self.look = step
        self.again.visible = True
        self.session.announce(FolderRead(step))

    def _hold(self, nbytes: int) -> bool:
        """Whether there is room for what was read."""
        try:
            self.inbox.hold(nbytes)
        except ValueError as error:
            self.fault(sentence_of(error))
            return False
        return True

    def _folder_again(self) -> None:
        if self.look is not None:
            self.session.announce(FolderRead(self.look))

    def _page_opened(self) -> None:
        """While a page takes files for itself, nothing here asks for them."""
        self.zone.visible = not self._for_page()

    def _read(self, choices: Choices) -> None:
        name, content, known = self.name, self.content, self.preview
        self._progress(f"Reading {plain(name[:40])}")
        self.session.worker.ask(
            KIND,
            lambda cancel: reading(self.session.worker.key, content, name, choices, known),
            self.take,
            lambda error: self.fault("The file could not be read. Save it as CSV."),
        )

    def halt(self) -> None:
        """Stop receiving or reading."""
        self.inbox.stop()
        self.session.worker.stop(KIND)
        self._progress("")
        self.says.object = '<p class="hint">Stopped. Drop the file again to go on.</p>'

    def take(self, found: FileReadingResult) -> None:
        """What came of reading: show it, and use it if it is complete."""
        self._progress("")
        if found.preview is None:
            self.fault(found.why)
            self.as_spectra.visible = True
            return
        if self.preview is not found.preview:
            self.preview = found.preview
            self._offer(found.preview)
        if found.data is None:
            self.fault(found.why)
            return
        if not self._hold(_size(found.data)):
            return
        notes = " ".join(found.data.notes)
        self.says.object = f'<p class="hint">{plain(notes)}</p>' if notes else ""
        self.session.data.use_own(Upload.of(self.name, found.data, found.wishes))

    def fault(self, sentence: str) -> None:
        """Beside the drop zone: what is wrong and what to do."""
        self.unfold(True)
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
        offers = {} if seen.missing is None else seen.missing.offers
        self._quiet = True
        self.label.param.update(options=_options(names), value=seen.label)
        self.groups.param.update(options={NO_GROUPS: "", **_options(names)}, value="")
        self.impute.param.update(options={REFUSED: "", **offers}, value="")
        self.one_hot.value = False
        self.drop.param.update(options=_options(names), value=[])
        self._quiet = False
        self.one_hot.visible = texts
        self.impute.visible = bool(offers)
        self.drop.visible = not seen.spectral and len(names) > 2
        self.fields.visible = True

    def _chosen(self, event: Any) -> None:
        if self._quiet or self.preview is None:
            return
        known = set(self.preview.labels)
        label, drop, groups = self.label.value, self.drop.value, self.groups.value or None
        if (
            (label is not None and label not in known)
            or (groups is not None and groups not in known)
            or self.impute.value not in WAYS_OFFERED
        ):
            self.fault("That choice is not in the list.")
            return
        self._read(
            Choices(
                label,
                self.impute.value or None,
                bool(self.one_hot.value),
                tuple(d for d in drop if d in known),
                groups,
            )
        )

    def close(self) -> None:
        """The session ends, and the file with it."""
        self.inbox.drop()
        self.content, self.preview = b"", None
        self.look = None


def _size(data: Dataset | None) -> int:
    return 0 if data is None else data.X.nbytes + data.y.nbytes


def _title(name: str) -> str:
    """What a data set of these files is called: their folder, or archive without its ending."""
    return name[:-4] if name.lower().endswith(".zip") else name


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
    axis = " Its column headers are a spectral axis." if seen.spectral else ""
    if seen.missing is not None:
        axis += f" {plain(seen.missing.words)}"
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
