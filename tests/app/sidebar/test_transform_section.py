"""Transforms in the sidebar: offered where they make sense, each with its words and its knobs."""

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.sidebar.transform_section import STEPS, WORDS
from explorer.app.state.visitor import OFFERED_TRANSFORMS, SPECTRAL_TRANSFORMS
from explorer.data.transforms import TRANSFORMS


def labels(session):
    return [widget.label for widget in screen_of(session).sidebar.transforms.view[1:]]


def test_spectra_are_prepared_by_a_chain_and_an_older_link_keeps_its_transform(new_session):
    assert screen_of(new_session()).sidebar.transforms.offered() == list(OFFERED_TRANSFORMS)
    names = screen_of(new_session("data=spectra_ir")).sidebar.transforms.offered()
    assert names == list(OFFERED_TRANSFORMS)
    names = screen_of(new_session("data=spectra_ir&transform=snv")).sidebar.transforms.offered()
    assert names == [*OFFERED_TRANSFORMS, "snv"]


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
    session.data.choose_transform(name)
    settle(session)
    seen = session.latest.source.data
    assert seen.axis is not None
    assert seen.n_features == (raw if name != "binning" else raw // 4)
    assert np.isfinite(seen.X).all()


def test_only_the_knobs_of_the_chosen_baseline_are_shown(new_session):
    session = new_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&transform=baseline")
    assert labels(session) == ["Method", "Smoothness", "Asymmetry"]
    screen_of(session).sidebar.transforms._turned("method", "polynomial")
    assert labels(session) == ["Method", "Degree"]


def test_another_bin_size_changes_the_number_of_features_and_the_plane(new_session):
    session = new_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&transform=binning")
    session.plane.look_at(3, 9)
    session.data.turn_transform("size", 10)
    settle(session)
    assert session.n_features == 6
    assert (session.state.view.across, session.state.view.up) == (0, 1)
