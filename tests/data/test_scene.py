import numpy as np

from explorer.data import example_scene
from explorer.data.scene import MATERIALS


def test_the_example_has_labelled_pixels_of_every_material_where_they_are():
    cube, labels, truth = example_scene()
    assert cube.values.shape == (90, 120, 60)
    chosen = labels >= 0
    assert set(labels[chosen]) == set(range(len(MATERIALS)))
    np.testing.assert_array_equal(labels[chosen], truth[chosen])
    assert chosen.mean() < 0.05


def test_the_same_seed_gives_the_same_image():
    first, again, other = (example_scene(seed=s)[0].values for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_brightness_alone_does_not_tell_materials_apart():
    cube, _, truth = example_scene()
    bright = cube.values.mean(axis=2)
    soil, forest = (np.sort(bright[truth == k]) for k in (0, 2))
    assert forest[-1] > soil[0]
