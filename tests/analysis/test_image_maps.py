"""Pictures of an image, and maps predicted line block by line block."""

import numpy as np
import pytest

from explorer.analysis import FittedModel, band_picture, class_map, colour_picture, image_maps
from explorer.data import Chain, Cube, SpectralAxis
from explorer.engine import FAMILIES, Cancelled, grow


@pytest.fixture(scope="module")
def cube() -> Cube:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(20, 15, 6)) + np.linspace(1, 2, 6)
    values[:, 8:] += np.arange(6.0)
    values[3, 4] = np.nan
    values[7, 7, 2] = -9.0
    return Cube("field", values, SpectralAxis.of_unit(np.linspace(500, 1000, 6), "nm"), ignore=-9.0)


@pytest.fixture(scope="module")
def data(cube):
    labels = np.full((20, 15), -1)
    labels[:10, :5], labels[:10, 10:] = 0, 1
    return cube.labelled(labels, ("soil", "leaf"))


def test_a_band_is_shown_between_its_percentiles(cube):
    picture = band_picture(cube, 610.0)
    assert picture.label == "600 nm"
    known = cube.band(1)
    np.testing.assert_array_equal(picture.values, known)
    assert (picture.low, picture.high) == tuple(np.nanpercentile(known, [2, 98]))
    with pytest.raises(ValueError, match="no band at 1200"):
        band_picture(cube, 1200.0)


def test_three_bands_make_colours(cube):
    picture = colour_picture(cube, 1000.0, 700.0, 500.0)
    assert picture.bands == (5, 2, 0)
    assert picture.rgb.shape == (20, 15, 3)
    assert picture.rgb[3, 4].tolist() == [0, 0, 0]
    assert picture.rgb[..., 0].max() == 255


def test_blocks_give_the_same_map_as_all_pixels_at_once(cube, data, monkeypatch):
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=15), data.X, data.y)
    monkeypatch.setattr(image_maps, "PIXELS_AT_ONCE", 31)  # two lines at a time
    seen = []
    found = class_map(
        forest, cube, data.class_names, progress=lambda done, all_, what: seen.append((done, all_))
    )
    assert seen[0] == (0, 20)
    assert seen[-1] == (20, 20)
    assert len(seen) == 11
    spectra = cube.spectra(np.arange(300))
    known = np.isfinite(spectra).all(axis=1)
    assert (~known).sum() == 2
    posterior = forest.predict_proba(spectra[known])
    np.testing.assert_array_equal(found.votes.reshape(300, 2)[known], posterior.astype(np.float32))
    np.testing.assert_array_equal(found.codes.ravel()[known], posterior.argmax(axis=1))
    assert (found.codes.ravel()[~known] == -1).all()
    assert sum(found.counts.values()) == 298
    assert np.isnan(found.share[3, 4])


def test_a_model_prepares_the_pixels_first(cube, data):
    chain = Chain.of(("snv", {}), ("centre", {}))
    model = FittedModel.fit(FAMILIES["RF"].replace(n_tree=10), data, chain)
    found = class_map(model, cube)
    assert found.class_names == ("soil", "leaf")
    spectra = cube.spectra([0, 14])
    np.testing.assert_array_equal(
        found.votes.reshape(-1, 2)[[0, 14]],
        model.forest.predict_proba(model.chain.map(spectra)).astype(np.float32),
    )


def test_a_map_can_be_stopped(cube, data, monkeypatch):
    monkeypatch.setattr(image_maps, "PIXELS_AT_ONCE", 15)
    forest = grow(FAMILIES["RF"].replace(n_tree=3), data.X, data.y)
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        class_map(forest, cube, cancel=lambda: next(asked))


def test_other_bands_or_another_axis_are_refused(cube, data):
    forest = grow(FAMILIES["RF"].replace(n_tree=3), data.X[:, :4], data.y)
    with pytest.raises(ValueError, match="4 channels; image 'field' has 6 bands"):
        class_map(forest, cube)
    model = FittedModel.fit(FAMILIES["RF"].replace(n_tree=3), data)
    other = Cube("o", cube.values, SpectralAxis.of_unit(np.linspace(510, 1000, 6), "nm"))
    with pytest.raises(ValueError, match="another axis"):
        class_map(model, other)
