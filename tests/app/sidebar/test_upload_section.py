"""An own file with missing cells: they are counted, and what is done with them is chosen."""

import numpy as np

from app.screen import screen_of
from app.settling import settle
from explorer.app.sidebar.upload_section import REFUSED


def table() -> bytes:
    rng = np.random.default_rng(0)
    rows = ["a,b,kind"]
    for k in range(40):
        a, b = rng.normal(k % 2 * 3, 1, 2)
        rows.append(f"{'' if k in (3, 8) else round(a, 3)},{b:.3f},{'no' if k % 2 else 'yes'}")
    return "\n".join(rows).encode()


def test_missing_cells_are_counted_and_the_choice_is_applied(new_session):
    session = new_session("model=RF~n_tree:5")
    own = screen_of(session).sidebar.own
    own.arrived("holes.csv", table())
    settle(session)
    assert "choose what to do with missing cells" in own.says.object
    assert "2 cells are empty, in 2 of 40 rows and 1 of 2 columns" in own.about.object
    assert own.impute.visible
    assert list(own.impute.options) == [
        REFUSED,
        "drop 2 rows (38 stay)",
        "drop 1 column (1 stay)",
        "fill 2 cells with training medians",
    ]
    own.impute.value = "drop rows"
    settle(session)
    assert session.latest.source.data.n_samples == 38
    own.impute.value = "fill"
    settle(session)
    data = session.latest.source.data
    assert data.n_samples == 40
    assert data.gaps.sum() == 2


def test_a_complete_file_offers_nothing_for_missing_cells(new_session):
    session = new_session("model=RF~n_tree:5")
    screen_of(session).sidebar.own.arrived("whole.csv", table().replace(b"\n,", b"\n1,"))
    settle(session)
    assert not screen_of(session).sidebar.own.impute.visible
