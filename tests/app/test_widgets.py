import panel as pn
from bokeh.document import Document

from explorer.app.widgets import Style, text


def test_a_text_that_changes_sends_nothing_but_its_text():
    document, told = Document(), []
    pane = text(Style(), "<b>one</b>")
    model = pn.Column(pane).get_root(document).children[0]
    first = model.text
    for name in model.properties():
        if name != "text":
            model.on_change(name, lambda attr, old, new: told.append(attr))
    pane.object = "<b>two</b>"
    assert model.text == first.replace("one", "two")
    assert told == []
