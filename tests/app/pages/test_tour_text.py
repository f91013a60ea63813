from types import SimpleNamespace

import numpy as np

from explorer.app.pages.tour_text import directions_html, slice_words, weighted_sum


def test_the_largest_weights_come_first_with_their_signs():
    names = ("alcohol", "hue", "ash", "colour", "lime")
    assert weighted_sum(names, [0.1, -0.9, 0.0, 0.4, 0.001]) == (
        "−0.90 hue + 0.40 colour + 0.10 alcohol + …"
    )
    assert weighted_sum(names[:2], [0.6, -0.8]) == "−0.80 hue + 0.60 alcohol"


def test_names_from_a_file_are_escaped():
    record = SimpleNamespace(names=("<i>", "b"), frame=np.eye(2), words="2 features")
    html = directions_html(record)
    assert "<i>" not in html
    assert "1.00 &lt;i&gt;" in html


def test_a_slice_says_how_many_samples_are_in_it():
    words = slice_words(np.array([1.0, 1.0, 0.2]), 0.5, 0.75, "classes")
    assert "2 of 3 samples" in words
    assert "0.75" in words
    assert slice_words(None, 0.0, None, "grand") == ""
