from types import SimpleNamespace

import numpy as np
import pytest

from explorer.app.pages.unknown_text import answers, summary


@pytest.fixture
def judged():
    found = SimpleNamespace(
        names=("folder/<a>.txt", "b.txt: b"),
        predicted=np.array([0, 1]),
        posterior=np.array([[0.9, 0.1], [0.4, 0.6]]),
        unlike=np.array([False, True]),
        class_names=("ash", "<elm>"),
        class_set=np.array([[True, False], [True, True]]),
        set_words=lambda i: "ash or elm",
        nearest=np.array([[0], [1]]),
        nearness=np.array([[0.5], [0.25]]),
        training_names=("t1", "t2"),
        confidence=0.9,
    )
    left_out = [SimpleNamespace(file="c.spc", reason="It is damaged.")]
    spectra = SimpleNamespace(counts=np.array([50, 60]))
    return SimpleNamespace(unknowns=found, left_out=left_out, spectra=spectra)


def test_every_spectrum_has_a_row_and_a_warning_where_it_is_unlike_all(judged):
    html = answers(judged)
    assert html.count("unlike anything seen") == 1
    assert "90 %" in html
    assert "<elm>" not in html
    assert "<a>" not in html
    assert "It is damaged." in html


def test_the_summary_counts_classes_and_doubts(judged):
    text = summary(judged, "A RF")
    assert text.startswith("A RF says of 2 spectra: 1 ash, 1 <elm>.")
    assert "For 1 it cannot exclude a second class." in text
    assert "1 is unlike anything seen" in text


def test_a_class_of_few_samples_is_warned_about(judged):
    judged.spectra.counts = np.array([3, 60])
    assert "A class with 3 samples cannot be excluded" in summary(judged, "A RF")
