import xml.etree.ElementTree as ElementTree

from explorer.views.marker_svg import marker_svg
from explorer.views.theme import CLASSES, class_colour


def test_every_class_has_a_marker_of_its_own_shape_in_its_colour():
    drawn = [ElementTree.fromstring(marker_svg(k)) for k in range(len(CLASSES))]
    assert [svg.get("fill") for svg in drawn] == [c.base for c in CLASSES]
    shapes = {ElementTree.tostring(svg[0]) for svg in drawn}
    assert len(shapes) == len({c.marker for c in CLASSES})


def test_classes_beyond_the_palette_share_one_marker():
    assert marker_svg(500) == marker_svg(501)
    assert class_colour(500).base in marker_svg(500)
