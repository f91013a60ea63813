import numpy as np

from explorer.analysis.contours import joined, separate, winner_lines
from explorer.analysis.posterior_index import two_best


def test_the_learned_boundary_lies_where_the_winner_changes():
    p = np.zeros((20, 40, 2), np.float32)
    p[:, :20, 0] = p[:, 20:, 1] = 1
    x, y = winner_lines(p, (0, 4), (0, 2))
    np.testing.assert_allclose(x, 2.0)
    assert y.min() < 0.1
    assert y.max() > 1.9


def test_a_border_of_three_classes_is_drawn_once():
    p = np.zeros((20, 30, 3), np.float32)
    for k in range(3):
        p[:, 10 * k : 10 * (k + 1), k] = 1
    x, _ = winner_lines(p, (0, 3), (0, 2))
    kept = x[~np.isnan(x)]
    assert len(kept) == 2 * 2  # two lines, each from end to end


def test_joined_lines_come_apart_again():
    lines = [np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[4.0, 5.0], [6.0, 7.0], [8.0, 9.0]])]
    again = separate(joined(lines))
    assert len(again) == 2
    for line, same in zip(lines, again, strict=True):
        np.testing.assert_array_equal(line, same)


def test_no_lines_are_an_empty_line():
    assert [v.size for v in joined([])] == [0, 0]
    assert separate(joined([])) == []


def test_the_two_best_classes_are_those_of_a_sort(rng):
    p = rng.dirichlet(np.ones(5), size=(30, 40)).astype(np.float32)
    p[0, :10] = [0.2, 0.4, 0.4, 0.0, 0.0]  # equals: the first wins
    winner, first, second = two_best(p)
    ordered = np.sort(p, axis=-1)
    np.testing.assert_array_equal(winner, p.argmax(axis=-1))
    np.testing.assert_array_equal(first, ordered[..., -1])
    np.testing.assert_array_equal(second, ordered[..., -2])
