"""What was read from a folder, as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.data.measured.align import Grid
from explorer.data.measured.classes import Proposal
from explorer.data.measured.spectra import MeasuredSpectra
from explorer.data.readers.columns import listed
from explorer.data.readers.refused import FileRefused

_MOST_LINES = 40


def report(found: MeasuredSpectra, grid: Grid | None = None) -> list[str]:
    """How much was read, what was not and why, the axis, and ways to find classes and groups."""
    out = [f"{found.summary}."]
    out += [f"  {count} x {title or 'text'}" for title, count in _sorted(found.formats)]
    if found.not_read:
        out += ["", "Not read:"]
        out += [f"  {n.file}: {n.reason}" for n in found.not_read[:_MOST_LINES]]
        rest = len(found.not_read) - _MOST_LINES
        out += [f"  and {rest} more"] if rest > 0 else []
    if not found.spectra:
        return out
    units = ", ".join(f"{n} in {unit or 'an unknown unit'}" for unit, n in _sorted(found.units))
    out += ["", f"Axis: {units}."]
    try:
        proposed = grid if grid is not None else found.propose_grid()
        out.append(f"  One grid: {proposed.words}.")
        out += [f"  {note}" for note in proposed.notes]
    except FileRefused as refusal:
        out.append(f"  {refusal}")
    out += _ways("Classes:", found.class_proposals(), "No way to find classes was found.")
    out += _ways("Replicate groups:", found.group_proposals(), "")
    if found.notes:
        out += ["", "Notes:", *(f"  {note}" for note in found.notes[:_MOST_LINES])]
    return out


def _ways(title: str, proposals: Sequence[Proposal], otherwise: str) -> list[str]:
    if not proposals:
        return ["", otherwise] if otherwise else []
    out = ["", title]
    for proposal in proposals[:6]:
        counts = proposal.counts
        words = listed([f"{text} ({n})" for text, n in counts.items()], 4).replace("'", "")
        out.append(f"  {proposal.way}    {proposal.title}: {len(counts)} different: {words}")
        out += [f"      {name} -> {text}" for name, text in proposal.examples[:3]]
    return out


def _sorted(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
