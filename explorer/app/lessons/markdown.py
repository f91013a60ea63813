"""Lesson texts as HTML: a little Markdown, and no tags from the file.

Lesson files come from folders of people; whatever looks like HTML in them is shown as text.
"""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt

# paragraphs, lists, emphasis and code; no links, no images, no headings, no raw HTML
_MARKDOWN = MarkdownIt("zero", {"html": False, "linkify": False, "maxNesting": 10}).enable(
    ["list", "emphasis", "backticks", "escape", "newline"]
)


@lru_cache(256)
def html_of(markdown: str) -> str:
    """Safe HTML of a lesson's Markdown."""
    return str(_MARKDOWN.render(markdown))
