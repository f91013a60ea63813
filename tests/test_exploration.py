"""explore: the app on one's own data, in a process of its own, and what was selected there."""

import urllib.request

import numpy as np
import pytest

import explorer as fx
from explorer import exploration
from explorer.engine import FAMILIES


@pytest.fixture(scope="module")
def iris():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(m, 1.0, (20, 3)) for m in (0.0, 2.0)])
    return fx.dataset(X, np.repeat(["a", "b"], 20))


@pytest.fixture(scope="module")
def seen(iris):
    """One exploration for all tests of this file; its process ends with them."""
    made = fx.explore(iris, models=["RF", FAMILIES["oRF-ridge"].replace(n_tree=7, m_try=2)])
    yield made
    made.close()
    exploration.stop()


def get(url):
    with urllib.request.urlopen(url, timeout=180) as answer:
        return answer.headers, answer.read().decode()


def test_before_a_page_is_open_the_link_answers(seen, iris):
    assert not seen.is_open
    assert seen.selected is None
    assert seen.models[1].n_tree == 7
    assert np.array_equal(seen.data.X, iris.X)
    assert "iframe" in seen._repr_html_()


def test_the_page_opens_in_the_frame_of_a_notebook_on_this_machine_only(seen):
    headers, page = get(seen.url)
    assert "Forest Explorer" in page
    assert "frame-ancestors 'self' http://localhost:*" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] is None
    assert seen.url.startswith("http://127.0.0.1:")


def test_the_page_shows_the_data_and_models_of_the_caller(seen, iris):
    get(seen.url)  # a page is built for it, and its session is there for a while
    assert seen.is_open
    assert np.array_equal(seen.data.X, iris.X)
    assert [spec.split for spec in seen.models] == ["axis", "ridge"]
    assert seen.models[1].n_tree == 7
    assert seen.models[1].m_try == 2
    assert seen.node == exploration.Node(0, 0, 0)


def test_without_the_word_the_data_are_not_shown(seen):
    bare = seen.url.partition("?")[0]
    get(seen.url)
    before = seen.link
    get(f"{bare}?data=own&page=Nodes")
    assert seen.link == before


def test_a_forest_opens_with_its_own_spec_beside_rf(iris):
    forest = fx.grow("F-RC", iris, n_tree=5)
    spec = exploration._spec(forest.spec)
    assert exploration.family_of(spec) == "F-RC"
    assert exploration._in_link(spec).startswith("F-RC~n_tree:5")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda d: fx.explore(d, models=["nothing"]), "There is no family 'nothing'"),
        (lambda d: fx.explore(d, models=["RF"] * 7), "Up to six models"),
        (lambda d: fx.explore(fx.grow("RF", d, n_tree=2)), "A picture needs data"),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(iris, call, words):
    with pytest.raises(ValueError, match=words):
        call(iris)
