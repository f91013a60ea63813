import csv
import io

import pytest

from app.settling import settle
from explorer.app.pages.sweep_card import SweepCard
from explorer.app.work.evaluate_work import Contest, m_try_values
from explorer.engine import FAMILIES


@pytest.fixture
def card(new_session, shown):
    session = new_session("page=Papers&model=RF~n_tree:2")
    specs = tuple(FAMILIES[f].replace(n_tree=3) for f in ("RF", "RR-RF"))
    contest = Contest(shown.latest.source, ("A RF", "B RR-RF"), specs)
    made = SweepCard(session, lambda: contest)
    yield made
    settle(session)


def test_the_error_is_found_for_every_value_and_the_least_is_named(card):
    card.run()
    settle(card.session)
    values = m_try_values(2)
    assert card.results.done == card.results.wanted
    assert "Least: A " in card.card.words.object
    rows = list(csv.DictReader(io.StringIO(card._csv())))
    assert {row["model"] for row in rows} >= {"A RF"}
    assert len([row for row in rows if row["model"] == "A RF"]) == len(values)


def test_before_anything_was_tried_the_table_is_empty(card):
    assert list(csv.DictReader(io.StringIO(card._csv()))) == []
