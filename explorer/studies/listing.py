"""Owns the list of studies. A paper is a module or package with STUDIES and one line in SOURCES."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from explorer.studies.study import Study

SOURCES = (
    "explorer.studies.menze",
    "explorer.studies.tomita",
    "explorer.studies.do",
    "explorer.studies.ho",
    "explorer.studies.sazonau",
)


@cache
def studies() -> Mapping[str, Study]:
    """Name -> study, paper by paper, in the order in which they are printed."""
    found: dict[str, Study] = {}
    for source in SOURCES:
        for study in import_module(source).STUDIES:
            if study.name in found:
                raise RuntimeError(f"Two studies are named '{study.name}'.")
            found[study.name] = study
    return MappingProxyType(found)


def find(name: str) -> Study:
    """The study of that name; a ValueError that lists all of them for any other name."""
    known = studies()
    if name not in known:
        raise ValueError(f"There is no study '{name}'. Choose one of: {', '.join(known)}.")
    return known[name]
