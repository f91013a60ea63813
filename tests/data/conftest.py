"""Where the sample files of instruments lie; tests that need them skip elsewhere with a reason."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[3] / "shared" / "instrument-files"


@pytest.fixture(scope="session")
def instrument_files() -> Path:
    folder = Path(os.environ.get("EXPLORER_INSTRUMENT_FILES", HERE))
    if not folder.is_dir():
        pytest.skip(
            "The sample files of instruments are not on this machine; set "
            "EXPLORER_INSTRUMENT_FILES to their folder."
        )
    return folder
