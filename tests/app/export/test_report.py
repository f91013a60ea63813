from html.parser import HTMLParser

from explorer.app.export.report import About, report


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def about(**changes):
    settings = {
        "headline": "Two <moons>",
        "page": "Boundaries",
        "families": ("RF", "oRF-ridge"),
        "settings": (("Page", "Boundaries"),),
        "query": "data=moons",
        "script": "print('<b>')",
    }
    return About(**(settings | changes))


def test_a_report_has_a_map_per_model_and_loads_nothing(shown):
    text = report(about(), shown.latest)
    tags = Tags()
    tags.feed(text)
    assert [tag for tag, _ in tags.found].count("svg") == 2
    loaded = [a for _, a in tags.found if "src" in a or str(a.get("href", "")).startswith("http")]
    assert loaded == []
    assert "default-src 'none'" in text


def test_texts_are_escaped(shown):
    text = report(about(), shown.latest)
    assert "Two &lt;moons&gt;" in text
    assert "print(&#x27;&lt;b&gt;&#x27;)" in text or "print('&lt;b&gt;')" in text


def test_a_page_without_maps_has_a_place_for_what_is_seen(shown):
    assert 'id="seen"' in report(about(page="Evaluate"), shown.latest)
    assert 'id="seen"' not in report(about(), shown.latest)
