"""A session at the command line: which studies, at which settings."""

from explorer.studies.contents import CONTENTS, names_of
from explorer.studies.run_command import parsed_settings


def test_studies_are_chosen_by_name_by_paper_or_all_each_once() -> None:
    assert names_of(["ho-fig2", "ho", "menze-fig1"]) == [
        "menze-fig1",
        "ho-table1",
        "ho-fig1",
        "ho-fig2",
    ]
    assert names_of(["all"]) == list(CONTENTS)


def test_settings_are_names_and_json_values() -> None:
    assert parsed_settings(["reading=scripts"]) == {"reading": "scripts"}
    assert parsed_settings(["trials=3", "trunk p=[10, 50]", "most=null"]) == {
        "trials": 3,
        "trunk p": [10, 50],
        "most": None,
    }
