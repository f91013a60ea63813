from types import SimpleNamespace

import numpy as np

from explorer.app.pages.band_text import BAND, FEATURE, error_table, hidden_words, part_table


def record(names=("a", "b"), p_value=(0.01, 0.5)):
    drop = np.array([0.2, 0.1])
    return SimpleNamespace(
        names=names,
        drop=drop,
        low=drop - 0.05,
        high=drop + 0.05,
        p_value=np.array(p_value),
        null_high=np.array([0.05, 0.3]),
    )


def test_errors_stand_beside_those_with_all_bands_once_some_are_hidden():
    plain = error_table(["A RF"], [0.125], [], "")
    assert "12.5 %" in plain
    assert "all bands" not in plain
    both = error_table(["A <RF>"], [0.1], [0.125], "Now: only 1 to 2.")
    assert "&lt;RF&gt;" in both
    assert "-2.5" in both
    assert "not known" in error_table(["A"], [None], [], "")


def test_hidden_bands_are_said_in_words():
    assert hidden_words([]) == ""
    words = hidden_words([(True, 1.0, 2.5), (False, 3.0, 4.0)])
    assert words == "Now: only 1 to 2.5, without 3 to 4."


def test_the_table_lists_the_most_important_parts_first_with_names_escaped():
    html = part_table([(0, record(("<b>", "second")))], FEATURE)
    assert html.index("&lt;b&gt;") < html.index("second")
    assert part_table([], BAND) == ""
