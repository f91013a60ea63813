"""The studies behind the table of contents (contents.py); each is imported when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from explorer.studies.contents import CONTENTS
from explorer.studies.study import Study


@cache
def find(name: str) -> Study:
    """The study of that name; a ValueError that lists all of them for any other name."""
    if name not in CONTENTS:
        raise ValueError(f"There is no study '{name}'. Choose one of: {', '.join(CONTENTS)}.")
    module, _, home = CONTENTS[name].home.partition(":")
    return getattr(import_module(f"explorer.studies.{module}"), home)()


@cache
def studies() -> Mapping[str, Study]:
    """Name -> study, paper by paper, in the order in which they are printed."""
    return MappingProxyType({name: find(name) for name in CONTENTS})
