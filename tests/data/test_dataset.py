"""A Dataset is checked at its door, frozen, and passes on all it knows."""

import pickle
import sys

import numpy as np
import pytest

from explorer.data import Dataset, SpectralAxis, load
from explorer.data.axis import spell_unit


def small(**changes):
    fields = {
        "name": "small",
        "X": np.arange(12.0).reshape(4, 3),
        "y": np.array([0, 1, 0, 1]),
        "class_names": ("a", "b"),
    } | changes
    return Dataset(**fields)


def test_arrays_are_read_only_c_contiguous_copies_in_the_engine_types():
    X = np.asfortranarray(np.arange(12.0, dtype=np.float32).reshape(4, 3))
    d = small(X=X)
    X[0, 0] = 99
    assert d.X[0, 0] == 0
    assert d.X.dtype == np.float64
    assert d.y.dtype == np.intp
    assert d.X.flags.c_contiguous
    assert not d.X.flags.writeable
    assert not d.y.flags.writeable
    view = np.arange(12.0).reshape(4, 3)
    locked = view.view()
    locked.setflags(write=False)
    d = small(X=locked)
    view[0, 0] = 99  # a read-only view of someone's writable array is not ours to keep
    assert d.X[0, 0] == 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"X": np.zeros(4)}, "table of numbers"),
        ({"X": np.array([["a"]])}, "table of numbers"),
        ({"X": np.zeros((0, 3)), "y": np.zeros(0, int)}, "empty"),
        (
            {"X": np.array([[1, 2], [3, np.nan]]), "y": np.array([0, 1])},
            "row 2, feature 2 holds nan",
        ),
        (
            {"X": np.array([[1, np.inf], [3, 4]]), "y": np.array([0, 1])},
            "row 1, feature 2 holds inf",
        ),
        ({"y": np.array([0, 1])}, "2 labels for 4 samples"),
        ({"y": np.array([0.0, 1, 0, 1])}, "whole-number"),
        ({"y": np.array([0, 1, 2, 1])}, "from 0 to 2"),
        ({"class_names": ("a",), "y": np.zeros(4, int)}, "a forest needs two"),
        ({"class_names": ("a", "a")}, "two classes named 'a'"),
        ({"feature_names": ("u", "v", "u")}, "two features named 'u'"),
        ({"feature_names": ("u",)}, "1 feature names for 3 features"),
        ({"axis": SpectralAxis(np.arange(2.0))}, "2 axis values for 3 features"),
        ({"sample_names": ("s",)}, "1 sample names for 4 samples"),
        ({"groups": [1, 2]}, "2 groups for 4 samples"),
        ({"informative": [3]}, "0..2"),
        ({"image_shape": (2, 2)}, "needs more than"),
        ({"truth": load("xor").truth}, "2 features in the truth for 3"),
        (
            {"X": np.zeros((4, 2)), "truth": load("blobs", k=3).truth},
            "3 classes in the truth for 2",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(changes, says):
    with pytest.raises(ValueError, match=says) as caught:
        small(**changes)
    assert str(caught.value).endswith(".")


def test_take_keeps_rows_groups_and_names_together():
    d = small(groups=[7, 7, 8, 8], sample_names=("p", "q", "r", "s"))
    t = d.take([2, 0])
    np.testing.assert_array_equal(t.X, d.X[[2, 0]])
    assert t.groups is not None
    assert t.groups.tolist() == [8, 7]
    assert t.sample_names == ("r", "p")
    assert d.take(d.y == 1).n_samples == 2


def test_select_carries_axis_and_informative_features_along():
    d = small(axis=SpectralAxis.of_unit([10.0, 20.0, 30.0], "nm"), informative=[0, 2])
    s = d.select([1, 2])
    assert s.axis is not None
    assert s.axis.values.tolist() == [20.0, 30.0]
    assert s.informative is not None
    assert s.informative.tolist() == [1]
    turned = d.select([1, 0, 2])
    assert turned.axis is None  # it no longer runs one way
    assert turned.informative is not None
    assert turned.informative.tolist() == [1, 2]


def test_split_is_seeded_stratified_and_complete():
    d = load("blobs", n=300, k=3)
    a, b = d.split(0.3, seed=5)
    a2, b2 = d.split(0.3, seed=5)
    assert a.digest() == a2.digest()
    assert b.digest() == b2.digest()
    assert b.class_counts.tolist() == [30, 30, 30]
    both = np.vstack([a.X, b.X])
    np.testing.assert_array_equal(both[np.lexsort(both.T)], d.X[np.lexsort(d.X.T)])
    assert a.digest() != d.split(0.3, seed=6)[0].digest()
    with pytest.raises(ValueError, match="between 0 and 1"):
        d.split(1.0)


def test_split_never_parts_replicates():
    d = load("spectra_ir", n=60, replicates=3)
    a, b = d.split(0.4, seed=1)
    assert a.groups is not None
    assert b.groups is not None
    assert not set(a.groups) & set(b.groups)
    assert a.n_samples + b.n_samples == 60


def test_a_split_leaves_no_side_empty():
    d = small()
    a, b = d.split(0.01, seed=0)
    assert (a.n_samples, b.n_samples) == (3, 1)
    with pytest.raises(ValueError, match="one group"):
        small(groups=[1, 1, 1, 1]).split(0.5)


def test_digest_is_of_the_content():
    d = small()
    assert d.digest() == small(name="other").digest()
    X = d.X.copy()
    X[0, 0] = np.nextafter(X[0, 0], 1)
    assert small(X=X).digest() != d.digest()
    assert small(y=np.array([1, 0, 1, 0])).digest() != d.digest()
    assert small(X=d.X.reshape(4, 3)[:, ::-1]).digest() != d.digest()


def test_frame_has_features_and_a_last_column_of_class_names():
    frame = small(feature_names=("label", "u", "v")).to_frame()
    assert list(frame.columns) == ["label", "u", "v", "label_"]
    assert frame["label_"].tolist() == ["a", "b", "a", "b"]


def test_a_data_set_with_truth_survives_pickling():
    for name in ("clouds", "spirals", "circles", "parity", "spectra_mrs"):
        d = load(name, n=20)
        assert d.truth is not None
        again = pickle.loads(pickle.dumps(d))
        np.testing.assert_array_equal(again.truth.posterior(d.X), d.truth.posterior(d.X))


def test_the_axis_knows_its_direction_and_refuses_to_turn():
    wave = SpectralAxis.of_unit([1000.0, 900.0], "1/CM")
    assert (wave.name, wave.unit, wave.reversed) == ("wavenumber", "cm-1", True)
    assert wave.label == "wavenumber (cm⁻¹)"
    assert not SpectralAxis.of_unit([1.0, 2.0], "nm").reversed
    assert spell_unit("furlongs") is None
    with pytest.raises(ValueError, match="turns or repeats at value 3"):
        SpectralAxis(np.array([1.0, 2.0, 1.5]))
    with pytest.raises(ValueError, match="Value 2 of the spectral axis"):
        SpectralAxis(np.array([1.0, np.nan]))


def test_importing_the_room_stays_light():
    import subprocess

    heavy = ("sklearn", "pandas", "pyarrow", "openpyxl", "panel", "explorer.engine", "scipy.stats")
    code = (
        "import sys, explorer.data; explorer.data.catalogue;"
        f"sys.exit(','.join(m for m in {heavy!r} if m in sys.modules) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
