"""Transforms in the sidebar: offered where they make sense, each with its words and its knobs."""

import numpy as np
import pytest
from settling import settle

from explorer.app.state import OFFERED_TRANSFORMS, SPECTRAL_TRANSFORMS
from explorer.app.transform_box import STEPS, WORDS
from explorer.data.transforms import TRANSFORMS


def labels(session):
    return [widget.label for widget in session.sidebar.transforms.view[1:]]


def test_preprocessing_is_offered_for_spectra_only(new_session):
    assert new_session().sidebar.transforms.offered() == list(OFFERED_TRANSFORMS)
    names = new_session("data=spectra_ir").sidebar.transforms.offered()
    assert set(SPECTRAL_TRANSFORMS) < set(names)


def test_every_transform_has_a_label_and_one_sentence():
    assert set(WORDS) == {"none", *OFFERED_TRANSFORMS, *SPECTRAL_TRANSFORMS}
    for label, sentence in WORDS.values():
        assert label
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 16


def test_every_step_of_a_slider_is_a_value_its_transform_takes():
    for (name, knob), steps in STEPS.items():
        for step in steps:
            TRANSFORMS[name](**{knob: step})


@pytest.mark.parametrize("name", SPECTRAL_TRANSFORMS)
def test_forests_see_preprocessed_spectra(new_session, name):
    session = new_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5")
    raw = session.n_features
    session.choose_transform(name)
    settle(session)
    seen = session.latest.source.data
    assert seen.axis is not None
    assert seen.n_features == (raw if name != "binning" else raw // 4)
    assert np.isfinite(seen.X).all()


def test_only_the_knobs_of_the_chosen_baseline_are_shown(new_session):
    session = new_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&transform=baseline")
    assert labels(session) == ["Method", "Smoothness", "Asymmetry"]
    session.sidebar.transforms._turned("method", "polynomial")
    assert labels(session) == ["Method", "Degree"]


def test_another_bin_size_changes_the_number_of_features_and_the_plane(new_session):
    session = new_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&transform=binning")
    session.look_at(3, 9)
    session.turn_transform("size", 10)
    settle(session)
    assert session.n_features == 6
    assert (session.state.view.across, session.state.view.up) == (0, 1)
