"""An application that Panel makes puts our headers on its answers."""

import pytest
from bokeh.application import Application
from bokeh.server.tornado import BokehTornado
from tornado.web import GZipContentEncoding

from explorer.app.server.patches import SWITCH, headers_everywhere
from explorer.app.server.routes import SafeHeaders


@pytest.fixture
def bare(monkeypatch):
    """Bokeh as it comes; what a test installs is taken back."""
    monkeypatch.setattr(BokehTornado, "__init__", headers_everywhere._made_by_bokeh)


def made(**options):
    return BokehTornado(Application(), **options).transforms


def test_an_application_without_transforms_gets_ours(bare):
    assert SafeHeaders not in made()
    headers_everywhere.install(SafeHeaders)
    headers_everywhere.install(SafeHeaders)  # a second start in one process
    assert made() == [SafeHeaders]


def test_transforms_that_are_given_stay(bare):
    headers_everywhere.install(SafeHeaders)
    assert made(transforms=[GZipContentEncoding]) == [GZipContentEncoding]


def test_the_switch_leaves_bokeh_as_it_is(bare, monkeypatch):
    monkeypatch.setenv(SWITCH, "headers_everywhere")
    headers_everywhere.install(SafeHeaders)
    assert BokehTornado.__init__ is headers_everywhere._made_by_bokeh
