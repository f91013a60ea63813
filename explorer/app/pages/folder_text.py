"""Texts of the preview of a folder of spectra. Names from files are escaped here."""

from __future__ import annotations

import numpy as np

from explorer.analysis.class_spectra import ClassSpectra
from explorer.app.pages.importance_text import swatch
from explorer.app.widgets import plain
from explorer.app.work.folder_work import FolderLook
from explorer.data.measured import Proposal
from explorer.views.marker_svg import marker_svg
from explorer.views.theme import THEMES, class_colour

MOST_LISTED = 200  # files that were not read
MOST_CLASSES = 12


def how_many(look: FolderLook) -> str:
    """Spectra, files, formats and files not read, in a sentence."""
    found = look.found
    n, m, k = len(found.spectra), len(found.files), len(found.not_read)
    kinds = [f"{count} {title}" for title, count in sorted(found.formats.items())[:6]]
    of = f" ({', '.join(kinds)})" if kinds and m > 1 else ""
    rest = f"; {k} {'file was' if k == 1 else 'files were'} not read" if k else ""
    return (
        f"{n} {'spectrum' if n == 1 else 'spectra'} from {m} {'file' if m == 1 else 'files'}"
        f"{of}{rest}"
    )


def keys(spectra: ClassSpectra, theme: str) -> str:
    """Which line is which class, and how many are drawn."""
    look = THEMES[theme]
    names = [
        f"<span>{swatch(class_colour(int(k)).line(look), 'solid')}"
        f"{plain(spectra.class_names[k][:24])}</span>"
        for k in np.flatnonzero(spectra.counts)[:8]
    ]
    drawn, n = spectra.rows.size, spectra.n_samples
    some = f"{drawn} of {n} drawn" if drawn < n else f"{n} drawn"
    return f'<span class="keys">{"".join(names)}<span class="quiet">{some}</span></span>'


def examples(proposal: Proposal | None) -> str:
    """Names of files with the class that each gets, then the classes with their counts."""
    if proposal is None:
        return '<p class="hint">No classes.</p>'
    rows = "".join(
        f"<tr><td>{plain(name[:40])}</td><td>&rarr;</td><td><b>{plain(text[:24])}</b></td></tr>"
        for name, text in proposal.examples
    )
    counts = proposal.counts
    keys = "".join(
        f"<span>{marker_svg(k)}{plain(text[:24])} {n}</span>"
        for k, (text, n) in enumerate(list(counts.items())[:MOST_CLASSES])
    )
    more = len(counts) - MOST_CLASSES
    rest = f"<span>and {more} more</span>" if more > 0 else ""
    missing = proposal.n_missing
    without = f'<p class="hint">{missing} without a class: left out.</p>' if missing else ""
    return (
        f'<table class="examples" aria-label="Examples">{rows}</table>'
        f'<div class="legend">{keys}{rest}</div>{without}'
    )


def replicates(look: FolderLook) -> str:
    """How many samples the replicates are of; and whether one has spectra of several classes."""
    proposal = look.groups
    if proposal is None:
        return '<p class="hint">Every spectrum is a sample of its own.</p>'
    names = [
        f"{plain(name[:30])} &rarr; <b>{plain(text[:24])}</b>"
        for name, text in proposal.examples[:2]
    ]
    mixed = look.mixed_groups
    also = f" {mixed} of them have spectra of several classes: please check." if mixed else ""
    return (
        f'<p class="hint">{len(proposal.counts)} samples; their replicates stay together in bags '
        f"and folds. {'; '.join(names)}.{also}</p>"
    )


def not_read(look: FolderLook) -> str:
    """Every file that gave no spectrum, and every spectrum that is not on the axis, with why."""
    lines = [*look.found.not_read, *look.left_out]
    rows = "".join(
        f"<tr><th>{plain(one.file[-60:])}</th><td>{plain(one.reason[:400])}</td></tr>"
        for one in lines[:MOST_LISTED]
    )
    more = len(lines) - MOST_LISTED
    rest = f'<tr><th></th><td class="hint">and {more} more</td></tr>' if more > 0 else ""
    if not lines:
        return '<p class="note">Every file was read.</p>'
    return f'<table class="reasons"><tbody>{rows}{rest}</tbody></table>'


def title_of_not_read(look: FolderLook) -> str:
    """The head over that list, with its counts."""
    files, spectra = len(look.found.not_read), len(look.left_out)
    parts = []
    if files:
        parts.append(f"{files} {'file' if files == 1 else 'files'} not read")
    if spectra:
        parts.append(f"{spectra} {'spectrum' if spectra == 1 else 'spectra'} not on the axis")
    return ", ".join(parts) or "Files"


def axis_words(look: FolderLook) -> str:
    """The common axis, and what was done to bring the spectra onto it."""
    if look.grid is None:
        return ""
    notes = " ".join(look.notes[:8])
    return f'<p class="hint"><b>{plain(look.grid.words)}.</b> {plain(notes[:600])}</p>'
