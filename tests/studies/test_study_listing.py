"""The table of contents and the studies behind it."""

import subprocess
import sys

import pytest

from explorer.studies import CONTENTS, find, studies


def test_every_line_of_the_contents_leads_to_the_study_of_that_name() -> None:
    assert {name: study.name for name, study in studies().items()} == {n: n for n in CONTENTS}


def test_an_unknown_study_is_answered_with_the_names_of_all() -> None:
    with pytest.raises(ValueError, match=r"no study 'menze-fig9'.*menze-fig1, menze-fig2"):
        find("menze-fig9")


def test_the_contents_need_no_scientific_package() -> None:
    heavy = "numpy numba scipy sklearn pandas bokeh"
    code = (
        "import sys; from explorer.studies import CONTENTS; "
        f"print([name for name in '{heavy}'.split() if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
