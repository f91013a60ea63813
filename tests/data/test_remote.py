"""OpenML: its tables come through the same door as files, and no network is said in a sentence."""

import time
from types import SimpleNamespace
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest

from explorer.data import FileRefused, NoNetwork, load, openml, remote


def bunch(**changes):
    frame = pd.DataFrame(
        {
            "age": [30.0, 41.0, 52.0, 63.0],
            "sex": pd.Categorical(["m", "f", "m", "f"]),
            "class": pd.Categorical(["good", "bad", "good", "bad"]),
        }
    )
    fields = {
        "frame": frame,
        "target_names": ["class"],
        "details": {"id": "31", "name": "credit-g"},
    }
    return SimpleNamespace(**(fields | changes))


@pytest.fixture
def answers(monkeypatch, tmp_path):
    """What OpenML answers, and what it was asked."""
    asked = []

    def set_answer(answer, wait=0.0):
        def call(wanted):
            asked.append(wanted)
            time.sleep(wait)
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr(remote, "_call", call)
        monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
        return asked

    return set_answer


def test_a_table_becomes_a_data_set(answers):
    asked = answers(bunch())
    d = load("openml:credit-g")
    assert d.feature_names == ("age", "sex=m")
    assert d.class_names == ("bad", "good")
    np.testing.assert_array_equal(d.X, [[30, 1], [41, 0], [52, 1], [63, 0]])
    assert d.name == "credit-g"
    assert asked[0]["name"] == "credit-g"
    assert asked[0]["version"] == "active"


def test_numbers_are_ids(answers):
    asked = answers(bunch())
    load("openml:31")
    openml(31)
    assert [a["data_id"] for a in asked] == [31, 31]


def test_without_network_a_sentence_says_so_and_what_to_do(answers):
    answers(URLError("Name or service not known"))
    with pytest.raises(NoNetwork, match=r"could not be reached for 'sonar'.*Check the network"):
        load("openml:sonar")
    answers(TimeoutError("timed out"))
    with pytest.raises(NoNetwork, match="timed out"):
        openml("sonar")


def test_an_unknown_name_is_no_network_problem(answers):
    answers(HTTPError("u", 412, "no", None, None))
    with pytest.raises(ValueError, match="OpenML has no data set 'nonsense'"):
        openml("nonsense")
    answers(ValueError("No active dataset nonsense found."))
    with pytest.raises(ValueError, match="cannot be read: No active dataset"):
        openml("nonsense")
    with pytest.raises(ValueError, match="name or the number"):
        load("openml:")


def test_progress_tells_stages_and_bytes_while_it_waits(answers, tmp_path):
    answers(bunch(), wait=0.5)
    (tmp_path / "openml").mkdir()
    told = []

    def progress(stage, size):
        told.append((stage, size))
        if stage == "downloading":
            (tmp_path / "openml" / "part").write_bytes(b"x" * 1000 * len(told))

    openml("credit-g", progress=progress)
    stages = [stage for stage, _ in told]
    assert stages[0] == "asking"
    assert stages[-2:] == ["reading", "done"]
    sizes = [size for stage, size in told if stage == "downloading"]
    assert len(sizes) >= 2
    assert sizes[-1] > sizes[0] == 0


def test_missing_values_and_tables_without_target_are_refused(answers):
    holed = bunch()
    holed.frame.loc[2, "age"] = np.nan
    answers(holed)
    with pytest.raises(FileRefused, match="Row 3, column 'age' is empty"):
        openml("credit-g")
    assert openml("credit-g", impute="median").X[2, 0] == 41.0
    answers(bunch(target_names=[]))
    with pytest.raises(FileRefused, match="names 0 targets"):
        openml("credit-g")
    assert openml("credit-g", label="class").n_classes == 2
