import dataclasses
import json
from dataclasses import dataclass

import numpy as np
import pytest

from explorer.analysis.record import Record


@dataclass(frozen=True, eq=False)
class Sample(Record):
    name: str
    values: np.ndarray
    parts: tuple[np.ndarray, ...]
    inner: Record | None = None


def sample(**changes) -> Sample:
    fields = {"name": "a", "values": np.array([1.0, np.nan, np.inf]), "parts": (np.arange(2),)}
    return Sample(**(fields | changes))


def test_a_record_cannot_be_changed():
    record = sample()
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.name = "b"
    with pytest.raises(ValueError, match="read-only"):
        record.values[0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        record.parts[0][0] = 2


def test_json_holds_every_field_and_null_for_what_is_not_finite():
    back = json.loads(sample(inner=sample(name="b")).to_json())
    assert back["record"] == "Sample"
    assert back["values"] == [1.0, None, None]
    assert back["parts"] == [[0, 1]]
    assert back["inner"]["name"] == "b"


def test_the_size_of_a_record_counts_all_its_arrays():
    assert sample().nbytes == 3 * 8 + 2 * 8
    assert sample(inner=sample()).nbytes == 2 * (3 * 8 + 2 * 8)
