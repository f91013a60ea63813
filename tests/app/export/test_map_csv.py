import csv
import io

import numpy as np

from explorer.app.export.map_csv import grid_csv, map_csv
from explorer.app.state.plane_choice import Window


def test_every_pixel_has_its_centre_and_its_values():
    values = np.arange(6.0).reshape(2, 3)
    found = list(csv.reader(io.StringIO(grid_csv(values, Window(0.0, 3.0, 0.0, 2.0), ["share"]))))
    assert found[0] == ["across", "up", "share"]
    assert found[1] == ["0.5", "0.5", "0"]
    assert found[-1] == ["2.5", "1.5", "5"]


def test_a_map_has_the_posterior_of_every_class(shown):
    record, data = shown.latest.records[0], shown.latest.source.data
    found = list(csv.DictReader(io.StringIO(map_csv(record, data))))
    assert len(found) == record.shares.shape[0] * record.shares.shape[1]
    total = [sum(float(row[name]) for name in data.class_names) for row in found[:50]]
    np.testing.assert_allclose(total, 1.0, atol=1e-4)


def test_a_class_name_cannot_become_a_formula_or_end_its_cell():
    text = grid_csv(np.zeros((1, 1)), Window(0.0, 1.0, 0.0, 1.0), ['=1+1"x'])
    (head, _) = csv.reader(io.StringIO(text))
    assert not head[2].startswith("=")
    assert head[2].endswith('"x')
