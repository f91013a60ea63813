"""Defaults that are kept are those that Bokeh would work out."""

import os
import subprocess
import sys

import pytest
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.models import Div

from explorer.app.server.patches import SWITCH, stable_defaults

# each in a process of its own: what is remembered cannot be forgotten again
DEFAULTS = """
import sys
import panel as pn
from bokeh.model import Model
from explorer.app.server.patches import stable_defaults
if sys.argv[1] == "keeps":
    stable_defaults.install()
pn.extension()
for name, cls in sorted(Model.model_class_reverse_map.items()):
    try:
        one, other = cls(), cls()
    except Exception as error:
        print(name, type(error).__name__)
        continue
    for descriptor in sorted(cls.descriptors(), key=lambda d: d.name):
        try:
            a, b = descriptor._get(one), descriptor._get(other)
        except Exception as error:
            print(name, descriptor.name, type(error).__name__)
            continue
        shared = isinstance(a, (Model, list, dict, set)) and a is b
        shown = "object" if "id=" in repr(a) or " at 0x" in repr(a) else repr(a)
        print(name, descriptor.name, shown, shared)
"""
PAGE = """
import json, re, sys
import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc
from explorer.app.server.patches import stable_defaults
if sys.argv[1] == "keeps":
    stable_defaults.install()
pn.extension()
from explorer.app.pages.controls import Controls
from explorer.app.work.scheduler import Scheduler
from explorer.app.session.session import Session
from explorer.app.layout.screen import Screen
document = Document()
session = Session("?page=Boundaries", work=Scheduler(workers=1))
screen, controls = Screen(session), Controls(session)
for part in (screen.stage, screen.sidebar.view, controls.row, controls.tabs):
    document.add_root(part.get_root(document))
text = json.dumps(document.to_json().content, default=str)
print(re.sub(r'"(id|root_id)": "[^"]+"|[0-9]{12,}|0x[0-9a-f]+', "", text))
import os; sys.stdout.flush(); os._exit(0)
"""


def said(code, how):
    run = subprocess.run(
        [sys.executable, "-c", code, how],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    return run.stdout


@pytest.mark.parametrize("code", [DEFAULTS, PAGE], ids=["every class", "a page"])
def test_a_page_is_the_same_as_without_the_patch(code):
    plain, kept = said(code, "plain"), said(code, "keeps")
    assert len(plain) > 10_000
    assert kept == plain


@pytest.fixture
def worked_out(monkeypatch):
    """Bokeh as it comes, nothing kept; names of defaults that are worked out from now on."""
    names = []
    plain = PropertyDescriptor.instance_default

    def noted(self, obj):
        names.append(self.name)
        return plain(self, obj)

    monkeypatch.setattr(PropertyDescriptor, "instance_default", noted)
    monkeypatch.setattr(PropertyDescriptor, "_get_default", stable_defaults._get_default)
    monkeypatch.setattr(stable_defaults, "_stable", {})
    monkeypatch.setattr(stable_defaults, "_unstable", set())
    return names


def read_widths():
    return [Div().width_policy for _ in range(3)]


def test_bokeh_still_works_out_a_default_at_every_look(worked_out):
    read_widths()
    assert worked_out.count("width_policy") == 3  # if not, the patch is no longer needed


def test_a_default_is_worked_out_once_for_all_models_of_a_class(worked_out):
    stable_defaults.install()
    assert read_widths() == ["auto"] * 3
    assert worked_out.count("width_policy") == 1


def test_the_switch_leaves_bokeh_as_it_is(worked_out, monkeypatch):
    monkeypatch.setenv(SWITCH, "stable_defaults")
    stable_defaults.install()
    assert PropertyDescriptor._get_default is stable_defaults._get_default
