"""Text in CSV files that a spreadsheet could take for a formula.

Names of classes, columns and samples come from files of strangers. A cell that begins with
``=``, ``@``, ``+``, ``-``, a tab or a carriage return is run as a formula by spreadsheets; an
apostrophe before it makes it text. Our reader takes that apostrophe away again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_FORMULA = re.compile(r"'*[=@+\-\t\r]")
_MARKED = re.compile(r"'+[=@+\-\t\r]")


def as_text(value: Any) -> Any:
    """What to write for a value: text that looks like a formula is marked, all else stays."""
    if not isinstance(value, str) or not _FORMULA.match(value) or _is_number(value):
        return value
    return f"'{value}"


def as_written(text: str) -> str:
    """The text that `as_text` marked; any other text as it is."""
    return text[1:] if _MARKED.match(text) else text


def to_csv(frame: pandas.DataFrame) -> str:
    """A table as CSV for people with spreadsheets, without its index."""
    safe = frame.rename(columns=as_text)
    for j, kind in enumerate(safe.dtypes):
        if kind.kind not in "fiubM":
            safe.isetitem(j, [as_text(cell) for cell in safe.iloc[:, j]])
    return str(safe.to_csv(index=False))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
