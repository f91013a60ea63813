"""`Account`: what one run of a study found, as the report needs it; small enough to keep in git.

A result holds arrays for its pictures and may take megabytes. An account holds the claims with
their numbers, the table beside the printed values, and how the study was run. The accounts of the
last runs are in ``docs/reproduction``; REPRODUCTION.md is written from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from explorer.studies import codec
from explorer.studies.findings import Result, Table, write_whole
from explorer.studies.listing import find, studies
from explorer.studies.output import shown
from explorer.studies.study import Cause, Claim, Study

FORMAT = 1


@dataclass(frozen=True)
class Account:
    """One run of a study.

    scale: full, reduced, quick or tiny. settings: those of the run, in words. less: settings that
    are less than the paper's protocol, in words. beside: measured values with the printed ones in
    brackets. missing: rows (name, why). notes and versions: as in the result.
    """

    study: str
    scale: str
    settings: str
    claims: tuple[Claim, ...]
    less: str = ""
    beside: Table = field(default_factory=list)
    missing: Table = field(default_factory=list)
    notes: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_text(self) -> str:
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        out["claims"] = [_claim_row(claim) for claim in self.claims]
        return codec.to_text({"format": FORMAT, **out}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Account:
        """The account of `to_text`; a ValueError for any other text."""
        try:
            found = codec.from_text(text)
            if found.pop("format") != FORMAT:
                raise ValueError("it was written by another version")
            found["claims"] = tuple(_claim(row) for row in found["claims"])
            found["notes"] = tuple(found["notes"])
            return cls(**found)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"This is not an account of a study: {error}.") from None


def account_of(result: Result) -> Account:
    """The account of a result."""
    study = find(result.study)
    changes = _changes(study, result)
    reduced = result.scale == "full" and changes
    return Account(
        study.name,
        "reduced" if reduced else result.scale,
        ", ".join(f"{k} {_setting(v)}" for k, v in result.settings.items()),
        tuple(study.claims(result)),
        "; ".join(changes),
        [{k: shown(v) for k, v in row.items()} for row in study.beside_printed(result)],
        result.missing,
        tuple(result.notes),
        result.versions,
    )


def read_accounts(folder: Path) -> dict[str, Account]:
    """Name -> account of every study that a folder has one of, in the list's order."""
    found = {}
    for name in studies():
        path = Path(folder) / f"{name}.json"
        if not path.is_file():
            continue
        try:
            account = Account.from_text(path.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise ValueError(f"{path}: {error} Run 'forest-explorer study report' again.") from None
        if account.study != name:
            raise ValueError(f"{path} is the account of {account.study}, not of {name}.")
        found[name] = account
    return found


def write_accounts(accounts: Mapping[str, Account], folder: Path) -> None:
    """One file per study."""
    for name, account in accounts.items():
        write_whole(Path(folder) / f"{name}.json", account.to_text())


def _claim_row(claim: Claim) -> dict[str, Any]:
    """A claim without what is empty; numbers as they are shown."""
    numbers = {what: shown(value) for what, value in claim.numbers.items()}
    row = {**vars(claim), "numbers": numbers}
    return {name: value for name, value in row.items() if value not in ("", None, {})}


def _claim(row: Mapping[str, Any]) -> Claim:
    given = {"holds": None, **row}
    if given.get("cause") is not None:
        given["cause"] = Cause(given["cause"])
    return Claim(**given)


def _changes(study: Study, result: Result) -> Sequence[str]:
    """Settings that differ from those of the paper's protocol, in words."""
    full = study.scales["full"]
    return [
        f"{name} {_setting(value)} instead of {_setting(full[name])}"
        for name, value in result.settings.items()
        if name in full and value != full[name]
    ]


def _setting(value: Any) -> str:
    return "unlimited" if value is None else str(value)
