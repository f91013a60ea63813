"""Cards: what data sets, forests, records and estimators show in a notebook."""

from html.parser import HTMLParser

import pytest

import explorer as fx
from explorer.plot.cards import CARDS, card


class Tags(HTMLParser):
    """Counts open elements; a card must close what it opens."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(html):
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    return tags


@pytest.mark.parametrize("kind", sorted(set(CARDS) - {"Dataset", "Forest"}))
def test_every_record_shows_a_picture_and_a_few_numbers(records, kind):
    html = records[kind]._repr_html_()
    assert {"svg", "table"} <= parsed(html).seen
    assert 1 <= html.count("<tr>") <= 12
    assert len(html) < 60_000


def test_a_data_set_and_a_forest_have_cards(mixture, forest, spectra):
    for thing in (mixture, forest, spectra):
        assert {"svg", "table"} <= parsed(thing._repr_html_()).seen
    assert "out-of-bag error" in forest._repr_html_()
    assert f"{100 * forest.oob_error[-1]:.1f} %" in forest._repr_html_()


def test_names_from_files_are_escaped(spectra):
    html = spectra._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_an_object_without_a_picture_shows_its_numbers(mixture):
    html = card(fx.analysis.feature_plane(mixture))
    parsed(html)
    assert "x label" in html


def test_a_fitted_estimator_shows_its_forest_under_its_diagram(mixture):
    model = fx.ForestClassifier("RF", n_estimators=5, random_state=0)
    before = model._repr_mimebundle_()["text/html"]
    assert "out-of-bag error" not in before
    model.fit(mixture.X, mixture.y)
    bundle = model._repr_mimebundle_()
    assert "sk-" in bundle["text/html"]
    assert "out-of-bag error" in bundle["text/html"]
    assert bundle["text/plain"] == repr(model)
