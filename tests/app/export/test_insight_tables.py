import csv
import io

import numpy as np
import pytest

from explorer.analysis import class_spectra, importance
from explorer.analysis.proximity import proximity
from explorer.analysis.proximity_picture import sample_votes, turned_places
from explorer.app.export import insight_tables as tables
from explorer.app.work.insight_work import Importances, Nearness
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def iris():
    return load("iris")


@pytest.fixture(scope="module")
def forest(iris):
    return grow(FAMILIES["RF"].replace(n_tree=10), iris.X, iris.y)


@pytest.fixture(scope="module")
def nearness(iris, forest):
    return Nearness((proximity(forest, iris),), (sample_votes(forest, iris),))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_importance_has_a_row_per_feature_and_model(iris, forest):
    record = importance(forest, iris)
    found = rows(tables.importance_csv(Importances(None, (record, record), 0, None), ["RF", "RF"]))
    assert len(found) == 2 * iris.n_features
    assert [row["model"] for row in found[:: iris.n_features]] == ["A RF", "B RF"]


def test_samples_have_names_classes_places_and_votes(iris, nearness):
    found = rows(tables.places_csv(nearness, 0, (0, 1), iris))
    assert len(found) == iris.n_samples
    assert found[0]["sample"] == tables.sample_name(iris, 0)
    places = turned_places(nearness.models, (0, 1))[0].xy
    across = [float(row["across"]) for row in found]
    np.testing.assert_allclose(across, places[:, 0], rtol=1e-4, atol=1e-9)
    both = rows(tables.samples_csv(nearness, iris, ["A RF"]))
    assert both[0]["class"] == iris.class_names[iris.y[0]]


def test_shares_of_variance_have_a_column_per_model(nearness):
    found = rows(tables.variance_csv(turned_places(nearness.models), ["RF"]))
    assert list(found[0]) == ["coordinate", "A RF"]
    assert found[0]["coordinate"] == "1"


def test_spectra_have_means_and_bands_along_the_axis():
    data = load("spectra_ir", n=20, p=16)
    made = Importances(class_spectra(data), (), None, None)
    assert len(rows(tables.spectra_csv(made))) >= 16


def test_nothing_that_was_computed_gives_an_empty_table(iris):
    texts = [
        tables.spectra_csv(None),
        tables.importance_csv(None, []),
        tables.places_csv(None, 0, (0, 1), iris),
        tables.samples_csv(None, iris, []),
        tables.variance_csv([], []),
    ]
    assert all(rows(text) == [] for text in texts)
