import threading

import numpy as np
import pytest

from explorer.app.state.visitor import DataRecipe
from explorer.app.work.band_work import (
    GROUPS,
    BandRecords,
    Bands,
    WholeErrors,
    band_records,
    parts_of,
    whole_errors,
)
from explorer.app.work.cache import Cache
from explorer.app.work.insight_work import ForestQuestion
from explorer.app.work.requests import load_source
from explorer.data import load
from explorer.engine import FAMILIES, grow

SPEC = FAMILIES["RF"].replace(n_tree=8)


def test_drops_come_first_and_chance_follows_with_the_same_drops():
    cache = Cache()
    look = ForestQuestion(load_source(DataRecipe("iris"), cache), (SPEC,))
    values = list(band_records(look, Bands(), cache, threading.Event()))
    first, last = [v for v in values if isinstance(v, BandRecords)]
    assert not first.sure
    assert last.sure
    np.testing.assert_array_equal(first.models[0].drop, last.models[0].drop)
    assert np.isnan(first.models[0].p_value).all()
    assert np.isfinite(last.models[0].p_value).all()
    again = [v for v in band_records(look, Bands(), cache, threading.Event()) if v is not None]
    assert again == [first, last]  # out of the cache


def test_a_chosen_band_is_one_more_and_names_have_the_decimals_they_need():
    data = load("spectra_ir", n=40, p=300)
    parts = parts_of(data, Bands((1000.0, 1100.0)))
    assert len(parts) == 21
    assert parts[-1][0] == "1000 to 1100 cm-1, chosen"
    inside = data.axis.values[parts[-1][1]]
    assert inside.min() >= 1000
    assert inside.max() <= 1100
    assert all("." not in name for name, _ in parts)
    assert len(parts_of(data, Bands((1.0, 2.0)))) == 20  # nothing was measured there


def test_tables_are_permuted_by_feature_or_by_group():
    data = load("breast_cancer")
    assert len(parts_of(data, Bands())) == 30
    assert len(parts_of(data, Bands(by=GROUPS))) < 30
    rng = np.random.default_rng(0)
    wide = data.replace(X=rng.normal(size=(569, 401)), feature_names=())
    with pytest.raises(ValueError, match="401 parts to permute"):
        parts_of(wide, Bands())


def test_errors_without_hidden_bands_are_those_of_forests_on_all_channels():
    cache = Cache()
    recipe = DataRecipe("tecator", bands=((False, 900.0, 1000.0),))
    look = ForestQuestion(load_source(recipe, cache), (SPEC,))
    found = [v for v in whole_errors(recipe, look, cache, threading.Event()) if v is not None]
    data = load("tecator")
    expected = grow(SPEC, data.X, data.y).oob_error[-1]
    assert found == [WholeErrors((float(expected),))]
