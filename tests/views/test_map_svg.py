"""Maps as SVG and PNG texts, drawn without a browser."""

import struct
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest

from explorer.views.map_svg import map_svg, ticks
from explorer.views.png import indexed_png


class Window:
    x0, x1, y0, y1 = -2.0, 2.0, -1.0, 1.0


def drawn(**options):
    index = np.tile(np.arange(8, dtype=np.uint8), (4, 1))
    points = np.array([[0.0, 0.0], [1.0, -0.5], [-1.0, 0.5]])
    line = (np.array([0.0, 0.0, np.nan, 1.0, 1.0]), np.array([-1.0, 1.0, np.nan, -1.0, 1.0]))
    return map_svg(index, 2, Window, points, [0, 1, 1], line, **options)


def test_a_map_is_one_svg_with_image_lines_markers_and_ticks():
    root = ET.fromstring(drawn(bayes=(np.zeros(2), np.ones(2))))
    tags = [e.tag.rpartition("}")[2] for e in root.iter()]
    assert tags.count("image") == 1
    marks = [e for e in root.iter() if "translate" in e.get("transform", "") and "d" in e.attrib]
    assert len(marks) == 3
    dashed = [e for e in root.iter() if e.get("stroke-dasharray")]
    assert len(dashed) == 1
    solid = next(e for e in root.iter() if e.get("stroke-width") == "2")
    assert solid.get("d").count("M") == 2  # the line is lifted where it is NaN


def test_names_are_text_in_a_map():
    text = drawn(names=("<script>a</script>", "b"), title='"><img src=x>')
    root = ET.fromstring(text)
    assert not [e for e in root.iter() if e.tag.endswith(("script", "img"))]
    assert "<script>a</script>" in [e.text for e in root.iter()]


def test_ticks_are_round_and_lie_between_the_ends():
    assert ticks(-2.0, 2.0) == [-2.0, -1.0, 0.0, 1.0, 2.0]
    for low, high in ((0.013, 0.089), (-3e5, 7e6), (9.99, 10.01)):
        found = ticks(low, high)
        assert 3 <= len(found) <= 7
        assert all(low - 1e-12 <= t <= high + 1e-12 for t in found)


def test_a_png_has_its_size_its_palette_and_its_rows_from_the_top():
    index = np.array([[0, 1, 2], [2, 2, 2]], np.uint8)
    png = indexed_png(index, ["#000000", "#FF0000", "#00FF00"])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (3, 2)
    at = png.index(b"IDAT")
    size = struct.unpack(">I", png[at - 4 : at])[0]
    assert zlib.decompress(png[at + 4 : at + 4 + size]) == b"\0\2\2\2\0\0\1\2"


def test_a_palette_too_small_for_a_picture_is_refused():
    with pytest.raises(ValueError, match="palette"):
        indexed_png(np.array([[3]], np.uint8), ["#000000"])


def test_only_the_layers_that_are_on_are_drawn():
    extras = {
        "bayes": (np.zeros(2), np.ones(2)),
        "cells": (np.zeros(2), np.ones(2)),
        "wrong": [[0.0, 0.0]],
        "tested": (np.array([[0.5, 0.5]]), np.array([1])),
    }

    def counts(*layers):
        root = ET.fromstring(drawn(layers=layers, **extras))
        rings = sum(e.tag.endswith("circle") for e in root.iter())
        marks = sum("translate" in e.get("transform", "") and "d" in e.attrib for e in root.iter())
        thin = sum(e.get("stroke-opacity") == ".7" for e in root.iter())
        solid = sum(e.get("stroke-width") == "2" for e in root.iter())
        return rings, marks, thin, solid

    assert counts() == (0, 0, 0, 0)
    assert counts("Boundary", "Points") == (0, 3, 0, 1)
    assert counts("Errors") == (1, 0, 0, 0)
    assert counts("Test errors") == (1, 1, 0, 0)
    assert counts("One tree") == (0, 0, 1, 0)
