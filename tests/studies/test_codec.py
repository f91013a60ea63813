import numpy as np
import pytest

from explorer.engine import FAMILIES
from explorer.studies import codec


def test_numbers_words_and_arrays_survive_a_stay_in_a_file_bit_for_bit(rng) -> None:
    value = {
        "a": [1, 2.5, None, True, "λ"],
        "floats": rng.normal(size=(3, 4)),
        "ints": np.arange(5, dtype=np.int32),
        "flags": np.array([True, False]),
        "tiny": 0.1 + 0.2,
    }
    back = codec.from_text(codec.to_text(value))
    assert back["a"] == value["a"]
    assert back["tiny"] == value["tiny"]
    for name in ("floats", "ints", "flags"):
        assert back[name].dtype == value[name].dtype
        np.testing.assert_array_equal(back[name], value[name])


def test_numbers_that_are_not_finite_survive_in_strict_json() -> None:
    text = codec.to_text([float("nan"), float("inf"), -float("inf")])
    assert "NaN" not in text
    back = codec.from_text(text)
    assert np.isnan(back[0])
    assert back[1:] == [float("inf"), -float("inf")]


def test_settling_twice_changes_nothing_more() -> None:
    once = codec.settled({"pair": (1, np.float64(2)), "spec": FAMILIES["RF"]})
    assert once["pair"] == [1, 2.0]
    assert once["spec"]["n_tree"] == 300
    assert codec.settled(once) == once


def test_the_digest_sees_one_changed_bit_and_not_the_order_of_names(rng) -> None:
    X = rng.normal(size=10)
    other = X.copy()
    other[3] = np.nextafter(other[3], 9)
    assert codec.digest({"X": X, "n": 1}) == codec.digest({"n": 1, "X": X.copy()})
    assert codec.digest({"X": X}) != codec.digest({"X": other})


def test_what_cannot_be_kept_is_refused_with_a_sentence() -> None:
    with pytest.raises(TypeError, match="A set cannot be kept"):
        codec.to_text({1, 2})
