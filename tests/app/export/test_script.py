import ast
from urllib.parse import quote

from explorer.app.export.script import script


def names_of(call):
    return {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}


def test_a_script_is_python_that_grows_and_draws_every_model(shown):
    text = script(shown.latest, ["RF", "oRF-ridge"], "data=moons")
    tree = ast.parse(text)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    grown = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "grow"]
    assert len(grown) == 2
    assert "posterior_map" in names_of(tree)
    assert "Link: ?data=moons" in ast.get_docstring(tree)


def test_a_script_says_only_what_differs_from_the_family(shown):
    text = script(shown.latest, ["RF", "oRF-ridge"], "")
    assert "FAMILIES['RF'].replace(n_tree=6" in text
    assert "min_leaf" not in text
    assert "Link: the first screen" in text


def test_whatever_stands_in_a_link_the_script_stays_python(shown):
    for evil in (chr(34) * 3 + " + x", chr(39) * 3, chr(92)):
        ast.parse(script(shown.latest, ["RF", "oRF-ridge"], quote(evil)))
