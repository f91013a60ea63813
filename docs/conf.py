"""The documentation: `python -m sphinx -W --keep-going docs OUT` builds it, offline.

Tutorials and the gallery are notebooks in Markdown (myst-nb) and are run by every build. The
reference comes from docstrings; `reference_words.py` makes reStructuredText of ours.
"""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

from reference_words import process_docstring

from explorer import __version__

project = "Forest Explorer"
author = "The Forest Explorer developers"
copyright = author
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]

html_theme = "furo"
html_title = f"Forest Explorer {version}"
html_static_path = ["_static"]
html_css_files = ["pictures.css"]
html_show_sourcelink = False
html_copy_source = False

# a build needs no network: no equations from elsewhere, no inventories of other projects
html_math_renderer = "mathjax"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# HoloViews sends a second form of its pictures, for JupyterLab alone
suppress_warnings = ["mystnb.unknown_mime_type"]

# DOCS_EXECUTE=off builds the pages without running the notebooks, to look at text
nb_execution_mode = os.environ.get("DOCS_EXECUTE", "force")
if nb_execution_mode == "off":
    suppress_warnings.append("myst-nb.lexer")
nb_execution_timeout = 900
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True

autodoc_member_order = "alphabetical"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "imported-members": True}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False


# pages that lie outside of docs/ and are shown by a page of the site
_OUTSIDE = {
    "(../REPRODUCTION.md)": "(explanation/reproduction.md)",
    "(../SECURITY.md)": "(reference/security.md)",
    "(docs/": "(../",
}


_UNLISTED = "<!-- pages that are not listed above -->"


def link_inside(app, name, source):
    """Links to files of the repository become links to their pages, or plain words."""
    for outside, inside in _OUTSIDE.items():
        source[0] = source[0].replace(outside, inside)
    if "/" not in name:  # from docs/ itself, one step up leaves the site
        source[0] = re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", source[0])
    if name == "index":
        listed = source[0]
        found = sorted(path.stem for path in Path(__file__).parent.glob("*.md"))
        more = [page for page in found if page != "index" and f"\n{page}\n" not in listed]
        source[0] = source[0].replace(_UNLISTED, "\n".join(more))


def setup(app):
    app.connect("source-read", link_inside)
    app.connect(
        "include-read", lambda app, path, parent, source: link_inside(app, str(parent), source)
    )
    app.connect("autodoc-process-docstring", process_docstring, priority=100)
