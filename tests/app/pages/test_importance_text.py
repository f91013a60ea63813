from types import SimpleNamespace

import numpy as np
import pytest

from explorer.analysis import class_spectra
from explorer.app.pages import importance_text as words
from explorer.app.work.insight_work import Importances
from explorer.data import load


def record(only=None, **values):
    return SimpleNamespace(only_oblique=only, towards="upper", **values)


@pytest.fixture
def made():
    straight = record(
        gini=np.array([0.7, 0.2, 0.1]), permutation=None, t=np.array([1.0, 3.0, np.inf])
    )
    slanted = record(
        np.array([False, True, True]),
        gini=np.array([0.1, 0.2, 0.7]),
        permutation=np.zeros(3),
        t=None,
    )
    return Importances(None, (straight, slanted), 0, 1)


NAMES, FAMILIES = ("1600", "1650", "1700"), ("RF", "oRF-ridge")


def test_the_summary_says_where_each_forest_looks_most(made):
    text = words.summary(made, "gini", FAMILIES, NAMES, "nm")
    assert "A RF looks most at 1600 nm." in text
    assert "B oRF-ridge looks most at 1700 nm." in text
    assert "2 features are significant only for oRF-ridge: 1650 to 1700 nm." in text


def test_a_forest_without_out_of_bag_samples_says_so(made):
    assert "no out-of-bag samples" in words.summary(made, "permutation", FAMILIES, NAMES, "")


def test_the_t_value_is_about_the_data_and_ignores_infinite_values(made):
    assert "farthest apart at 1650" in words.summary(made, "t", FAMILIES, NAMES, "")


@pytest.mark.parametrize(("straight", "slanted"), [(None, 1), (0, None)])
def test_without_a_pair_of_forests_it_says_which_to_add(made, straight, slanted):
    one = Importances(None, made.models, straight, slanted)
    assert "Add " in words.summary(one, "gini", FAMILIES, NAMES, "")


def test_every_measure_has_a_unit_and_a_meaning(made):
    assert set(words.UNITS) == set(words.MEANING)
    assert words.meaning(made, "weight").endswith("upper.")


def test_the_legend_of_spectra_escapes_class_names():
    data = load("spectra_ir", n=20, p=16).replace(class_names=("<b>", "other"))
    html = words.class_keys(class_spectra(data), "light")
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert "16 channels, 20 spectra" in words.class_line(data)


def test_an_image_of_importance_names_row_and_column(made):
    images = Importances(None, (record(gini=np.array([0.0, 0.0, 0.0, 1.0])),), 0, None)
    text = words.image_words(images, "gini", FAMILIES, (2, 2))
    assert "A RF looks most at row 2, column 2." in text
