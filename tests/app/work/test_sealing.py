"""What sessions share is read-only, wherever in a value it lies."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from app.screen import leave, screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.session.session import Session
from explorer.app.state.visitor import PAGES
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler
from explorer.app.work.sealing import seal
from explorer.engine import FAMILIES, grow

OURS = ("explorer", "types", __name__.partition(".")[0])
QUERIES = [
    "d.n=60&model=RF~n_tree:12&model=oRF-ridge~n_tree:12",
    "data=iris&model=RF~n_tree:8&model=svm",
]


class WatchedCache(Cache):
    """A cache that remembers all it handed out."""

    def __init__(self):
        super().__init__()
        self.handed_out = []

    def get(self, key, default=None):
        value = super().get(key, default)
        self.handed_out.append((key, value))
        return value

    def get_or_make(self, key, make, size):
        value = super().get_or_make(key, make, size)
        self.handed_out.append((key, value))
        return value


def arrays_in(value):
    """(where, array) for every array that can be reached; no help from the code under test."""
    stack, seen = [("value", value)], set()
    while stack:
        where, one = stack.pop()
        if id(one) in seen or isinstance(one, (str, bytes, int, float, type(None), type)):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            yield where, one
            if one.dtype == object:
                stack += [(f"{where}[{i}]", part) for i, part in enumerate(one.ravel())]
        elif isinstance(one, Mapping):
            stack += [(f"{where}[{key!r}]", part) for key, part in one.items()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            stack += [(f"{where}[{i}]", part) for i, part in enumerate(one)]
        elif isinstance(one, functools.partial):
            stack += [(f"{where}.args", one.args), (f"{where}.keywords", one.keywords)]
        elif type(one).__module__.partition(".")[0] in OURS:
            # objects of other libraries (a fitted svm) and the working memory of a forest's kernels
            # are not drawn: no page is given them
            names = [n for n in getattr(one, "__dict__", {}) if n != "_packing"]
            for cls in type(one).__mro__:
                slots = getattr(cls, "__slots__", ())
                names += [slots] if isinstance(slots, str) else list(slots)
            stack += [(f"{where}.{n}", getattr(one, n)) for n in names if hasattr(one, n)]


def writable(values):
    return sorted(
        f"{str(key)[:60]}: {where}, {array.dtype} {array.shape}"
        for key, value in values
        for where, array in arrays_in(value)
        if array.flags.writeable
    )


@pytest.fixture(scope="module", params=QUERIES)
def visited(request):
    """A session that has seen every page, and the cache it used."""
    cache, work = WatchedCache(), Scheduler(workers=2)
    session = Session(request.param, None, cache, work)
    pages = Pages(screen_of(session), Controls(session))
    for page in PAGES:
        session.open_page(page)
        session.refresh()
        settle(session)
    yield session, pages, cache
    leave(session)
    work.close()


def test_every_array_that_the_cache_hands_out_is_read_only(visited):
    _, _, cache = visited
    held = [(key, value) for key, (value, _) in cache._held.items()]
    assert sum(1 for _, value in held for _ in arrays_in(value)) > 20
    assert writable(held) == []
    assert writable(cache.handed_out) == []


def sources_of(session, pages):
    roots = [screen_of(session).stage, pages.controls]
    models = [one.get_root() for one in roots]
    return {s for model in models for s in model.references() if isinstance(s, ColumnDataSource)}


def test_what_a_document_shows_of_the_cache_cannot_be_written_to(visited):
    session, pages, cache = visited
    kept = [array for value, _ in cache._held.values() for _, array in arrays_in(value)]
    shown = [array for source in sources_of(session, pages) for _, array in arrays_in(source.data)]
    shared = [a for a in shown if any(np.may_share_memory(a, b) for b in kept)]
    assert shared, "a map shows the picture of the cache"
    assert [a.shape for a in shared if a.flags.writeable] == []


def test_a_patch_of_a_picture_cannot_change_the_cache(visited):
    session, _, _ = visited
    image = screen_of(session).cards[0].map.image
    before = np.array(image.data["image"][0])
    patch = {"image": [((0, slice(0, 3), slice(0, 3)), np.full(9, 7, before.dtype))]}
    with pytest.raises(ValueError, match="read-only"):
        image.patch(patch)
    np.testing.assert_array_equal(image.data["image"][0], before)


@dataclass(frozen=True)
class Record:
    values: np.ndarray
    parts: dict


def test_the_walk_of_this_test_finds_arrays_at_any_place(rng):
    hidden = rng.normal(size=3)
    value = (1, [Record(np.zeros(2), {"a": {"b": (hidden,)}})])
    assert any(array is hidden for _, array in arrays_in(value))
    assert len(writable([("k", value)])) == 2


def test_a_forest_that_has_predicted_is_sealed_without_its_working_memory(rng):
    X = rng.normal(size=(40, 3))
    forest = seal(grow(FAMILIES["RF"].replace(n_tree=3), X, X[:, 0] > 0, threads=1))
    forest.predict_proba(np.repeat(X, 10, axis=0), threads=1)
    kept = forest._packing._kept
    assert kept is not None
    seal(forest)
    assert all(a.flags.writeable for a in kept if isinstance(a, np.ndarray))
    assert writable([("forest", forest)]) == []


def test_sealing_makes_an_array_inside_an_array_read_only():
    inner = np.zeros(3)
    outer = np.empty(1, dtype=object)
    outer[0] = inner
    seal({"rows": outer})
    assert not inner.flags.writeable
