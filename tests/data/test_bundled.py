"""The bundled sets are what their papers say, with their licences beside them; digits after Ho."""

from importlib.resources import files

import numpy as np
import pytest

from explorer.data import load
from explorer.data.bundled.digits import neighbours

SHAPES = {
    "tecator": (215, 100, [138, 77]),
    "coffee_instant": (56, 286, [29, 27]),
    "coffee_origin": (60, 1841, [20, 20, 20]),
    "sonar": (208, 60, [97, 111]),
    "ionosphere": (351, 33, [225, 126]),
    "heart": (270, 13, [150, 120]),
    "breast_cancer": (569, 30, [212, 357]),
    "wine": (178, 13, [59, 71, 48]),
    "iris": (150, 4, [50, 50, 50]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_sizes_and_classes(name):
    d = load(name)
    n, p, counts = SHAPES[name]
    assert d.X.shape == (n, p)
    assert d.class_counts.tolist() == counts
    assert d.truth is None
    assert d.citation


def test_every_bundled_file_is_attributed_and_small():
    folder = files("explorer.data.bundled")
    text = folder.joinpath("ATTRIBUTION.md").read_text(encoding="utf-8")
    tables = [f for f in folder.iterdir() if f.name.endswith(".gz")]
    assert len(tables) == 6
    for table in tables:
        assert table.name in text
    assert "as long as this permission note is attached" in text
    assert text.count("CC BY 4.0") >= 3
    assert sum(len(table.read_bytes()) for table in tables) < 700_000


def test_spectra_have_their_axis():
    axis = load("tecator").axis
    assert axis is not None
    assert (axis.values[0], axis.values[-1], axis.unit) == (850.0, 1048.0, "nm")
    assert load("coffee_origin").axis.name == "channel"  # the source gives no wavenumbers


def test_menzes_pairs_of_digits():
    everyone = load("digits")
    for task, classes in (("2-4", ("2", "4")), ("3-8", ("3", "8"))):
        d = load("digits", task=task)
        assert d.class_names == classes
        kept = np.isin(everyone.y, [int(c) for c in classes])
        np.testing.assert_array_equal(d.X, everyone.X[kept])
        np.testing.assert_array_equal(d.y, everyone.y[kept] == int(classes[1]))
    d = load("digits", task="even-odd")
    np.testing.assert_array_equal(d.y, everyone.y % 2)


def test_f1_is_binary_pixels():
    d, grey = load("digits", features="f1"), load("digits")
    np.testing.assert_array_equal(d.X, grey.X >= 8)
    assert d.image_shape == (8, 8)


def test_f2_has_the_852_components_that_ho_prints():
    d = load("digits", features="f2", size=20)
    assert d.n_features == 852
    assert load("digits", features="f1", size=20).n_features == 400
    assert set(np.unique(d.X)) == {0.0, 1.0}


def test_f2_follows_the_formulas():
    """Ho 1995, s.5, spelled out entry by entry on random images."""
    bits = np.random.default_rng(0).random((30, 20, 20)) < 0.3
    values, names = neighbours(bits)
    get = {name: values[:, k] for k, name in enumerate(names)}
    conjunction = {
        "H": lambda i, j: bits[:, i, j] & bits[:, i, j + 2],
        "V": lambda i, j: bits[:, i, j] & bits[:, i + 2, j],
        "N": lambda i, j: bits[:, i, j] & bits[:, i + 2, j + 2],
        "S": lambda i, j: bits[:, i, j] & bits[:, i + 2, j - 2],
    }
    run = {"H": (1, 0), "V": (0, 1), "N": (1, -1), "S": (1, 1)}
    for name, got in get.items():
        letter = name[0]
        i, j = (int(v) - 1 for v in name[3:-1].split(","))
        di, dj = run[letter]
        expected = np.any([conjunction[letter](i + k * di, j + k * dj) for k in range(4)], axis=0)
        np.testing.assert_array_equal(got, expected, err_msg=name)
    count = {letter: sum(n.startswith(letter) for n in names) for letter in "HVNS"}
    assert count == {"H": 162, "V": 162, "N": 64, "S": 64}


def test_twenty_by_twenty_images_lie_where_the_small_ones_do():
    """Centre of mass in units of the image: interpolation must not move the digit."""

    def centre(d):
        side = d.image_shape[0]
        images = d.X.reshape(-1, side, side)
        at = (np.arange(side) + 0.5) / side
        mass = images.sum(axis=(1, 2))
        return (
            np.column_stack([np.einsum("nij,i->n", images, at), np.einsum("nij,j->n", images, at)])
            / mass[:, None]
        )

    small, large = load("digits"), load("digits", size=20)
    assert large.image_shape == (20, 20)
    assert np.abs(centre(small) - centre(large)).max() < 0.03
    assert 0 <= large.X.min() < large.X.max() <= 16
