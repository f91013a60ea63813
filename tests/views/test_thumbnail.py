import numpy as np

from explorer.views.theme import class_colour
from explorer.views.thumbnail import SIDE, thumbnail


def test_a_thumbnail_has_a_dot_per_sample_near_the_middle_in_its_colour(rng):
    X = rng.uniform(-1, 1, (50, 3))
    y = np.arange(50) % 2
    svg = thumbnail(X, y)
    dots = svg.count("<circle")
    assert 40 <= dots <= 50  # those at the very edge are left out
    assert svg.count(class_colour(0).base) + svg.count(class_colour(1).base) == dots
    assert f'viewBox="0 0 {SIDE} {SIDE}"' in svg


def test_samples_at_one_place_are_drawn_in_the_middle():
    svg = thumbnail(np.zeros((3, 2)), [0, 0, 1])
    assert svg.count(f'cx="{SIDE / 2:.1f}" cy="{SIDE / 2:.1f}"') == 3
