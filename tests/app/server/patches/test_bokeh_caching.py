"""What Bokeh remembers is what it would work out."""

import os
import subprocess
import sys

import pytest

# each in a process of its own: what is remembered cannot be forgotten again
DEFAULTS = """
import sys
import panel as pn
from bokeh.model import Model
from explorer.app.server.patches import bokeh_caching
if sys.argv[1] == "remembers":
    bokeh_caching.install()
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
from explorer.app.server.patches import bokeh_caching
if sys.argv[1] == "remembers":
    bokeh_caching.install()
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
MESSAGES = """
import json, re, sys
from bokeh.document import Document
from bokeh.layouts import column
from bokeh.models import Div, Range1d
from bokeh.protocol import Protocol
from explorer.app.server.patches import bokeh_caching
if sys.argv[1] == "remembers":
    bokeh_caching.install()
document = Document()
box = column([Div(text="kept"), Div(text="goes")])
document.add_root(box)
document.to_json()
document.models.flush_synced()
seen = []
document.on_change(seen.append)

def send(act):
    seen.clear()
    act()
    message = Protocol().create("PATCH-DOC", list(seen))
    print(message.content_json)

for k in range(800):  # a message is long enough to compare
    send(lambda: setattr(box.children[0], "text", f"again {k}"))
new = Div(text="new")
send(lambda: setattr(box, "children", [box.children[0], new]))  # a model no browser knows
send(lambda: setattr(new, "text", "known by now"))
send(lambda: setattr(box, "children", [new]))
send(lambda: setattr(box, "children", [new, Div(text="last"), Div(text="and this")]))
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


@pytest.mark.parametrize(
    "code", [DEFAULTS, PAGE, MESSAGES], ids=["every class", "a page", "messages"]
)
def test_bokeh_says_the_same_as_without_a_memory(code):
    plain, remembered = said(code, "plain"), said(code, "remembers")
    assert len(plain) > 10_000
    assert remembered == plain
