import numpy as np
import pytest

from app.folders import DAMAGED, folder, spectrum
from explorer.analysis import FittedModel
from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import OWN, DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.insight_work import ForestQuestion
from explorer.app.work.requests import load_source
from explorer.app.work.unknown_work import judge
from explorer.data import Chain
from explorer.data.measured import read_spectra
from explorer.engine import FAMILIES

SPEC = FAMILIES["RF"].replace(n_tree=20)


@pytest.fixture(scope="module")
def upload():
    return Upload.of("trees", read_spectra(folder(6), name="trees").to_dataset())


def recipe_of(upload, **changes):
    return DataRecipe(OWN, upload=upload, **changes)


def test_unknowns_are_judged_as_the_library_judges_them(upload):
    recipe = recipe_of(upload, transform="snv", bands=((False, 700.0, 750.0),))
    cache = Cache()
    look = ForestQuestion(load_source(recipe, cache), (SPEC,))
    later = read_spectra({f"new{k}.txt": spectrum(k, 99) for k in range(3)})
    found = judge(later, recipe, look, 0, 0.8, cache)
    chain = Chain.of(("snv", {}), ("bands", {"low": 700.0, "high": 750.0, "keep": False}))
    model = FittedModel.fit(SPEC, upload.data, chain)
    expected, _, _ = model.judge_spectra(later, confidence=0.8)
    np.testing.assert_array_equal(found.unknowns.posterior, expected.posterior)
    np.testing.assert_array_equal(found.unknowns.class_set, expected.class_set)
    assert found.unknowns.predicted.tolist() == [0, 1, 2]
    assert found.rows.shape == (3, look.source.data.n_features)


def test_other_axes_are_resampled_and_what_does_not_reach_is_listed(upload):
    recipe, cache = recipe_of(upload), Cache()
    look = ForestQuestion(load_source(recipe, cache), (SPEC,))
    later = read_spectra(
        {
            "fine.txt": spectrum(2, 50, start=595.0, points=62),
            "short.txt": spectrum(2, 51, points=20),
            "bad.spc": DAMAGED,
        }
    )
    found = judge(later, recipe, look, 0, 0.95, cache)
    assert [one.file for one in found.left_out] == ["bad.spc", "short.txt"]
    assert found.unknowns.predicted.tolist() == [2]


def test_a_spectrum_like_no_other_is_flagged(upload):
    recipe, cache = recipe_of(upload), Cache()
    look = ForestQuestion(load_source(recipe, cache), (SPEC,))
    lines = "\n".join(f"{600 + 10 * j}\t{5 * (j % 2)}" for j in range(60))
    later = read_spectra({"odd.txt": f"Wavenumber (cm-1)\tA\n{lines}".encode(),
                          "fine.txt": spectrum(1, 77)})  # fmt: skip
    found = judge(later, recipe, look, 0, 0.95, cache)
    flagged = dict(zip(found.unknowns.names, found.unknowns.unlike, strict=True))
    assert flagged == {"fine.txt: fine": False, "odd.txt: odd": True}


def test_data_without_an_axis_are_refused_in_words():
    recipe, cache = DataRecipe("iris"), Cache()
    look = ForestQuestion(load_source(recipe, cache), (SPEC,))
    with pytest.raises(ValueError, match="these data have no axis"):
        judge(read_spectra({"a.txt": spectrum(0, 0)}), recipe, look, 0, 0.95, cache)
