import csv
import io

import numpy as np
import pytest

from app.settling import settle
from explorer.analysis.posterior_index import posterior_index
from explorer.app.pages.posterior import PosteriorPage


@pytest.fixture
def page(new_session):
    session = new_session("data=moons&page=Posterior&model=RF~n_tree:4&model=oRF-ridge~n_tree:4")
    made = PosteriorPage(session)
    session.refresh()
    settle(session)
    return made


def test_truth_and_estimates_are_drawn_beside_each_other(page):
    shown = page.session.latest
    assert shown.truth is not None
    figures = [f for f in vars(page).values() if hasattr(f, "source")]
    drawn = [np.asarray(f.source.data["image"][0]) for f in figures if "image" in f.source.data]
    assert any(np.array_equal(image, posterior_index(shown.truth)) for image in drawn)


def test_the_mean_distance_of_every_model_is_in_the_table(page):
    rows = list(csv.DictReader(io.StringIO(page._bars_csv())))
    assert len(rows) == 2
    values = [float(next(v for k, v in row.items() if "ellinger" in k)) for row in rows]
    assert all(0 < value < 1 for value in values)
