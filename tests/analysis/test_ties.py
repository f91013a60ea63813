import numpy as np

from explorer.analysis import best_or_tied


def test_equal_models_tie(rng):
    wrong = (rng.random(1000) < 0.2).astype(float)
    assert best_or_tied([wrong, wrong]) == {0, 1}


def test_a_clear_winner_stands_alone(rng):
    bad, good = ((rng.random(1000) < share).astype(float) for share in (0.2, 0.02))
    assert best_or_tied([bad, good]) == {1}


def test_one_sample_in_a_thousand_is_a_tie(rng):
    wrong = (rng.random(1000) < 0.2).astype(float)
    one_off = wrong.copy()
    one_off[np.flatnonzero(wrong)[0]] = 0
    assert best_or_tied([wrong, one_off]) == {0, 1}


def test_a_clear_loser_is_not_in_the_tie_of_the_two_best(rng):
    good = (rng.random(1000) < 0.05).astype(float)
    bad = (rng.random(1000) < 0.19).astype(float)
    assert best_or_tied([bad, good, good]) == {1, 2}


def test_the_standard_error_is_that_of_the_paired_differences():
    """A model that is worse by the same small step on every sample is worse for sure."""
    spread = np.linspace(0.0, 100.0, 50)
    assert best_or_tied([spread + 0.01, spread]) == {1}
    gap = np.array([2.0, -1.0, 2.0, -1.0])  # mean 0.5, standard error 0.87
    assert best_or_tied([gap, np.zeros(4)]) == {0, 1}


def test_models_are_compared_on_the_samples_all_were_judged_on():
    first = np.array([0.0, 1.0, 1.0, np.nan, np.nan, 1.0])
    second = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    assert best_or_tied([first, second]) == {1}


def test_nothing_is_said_about_one_model_or_unlike_samples():
    assert best_or_tied([np.zeros(5)]) == frozenset()
    assert best_or_tied([np.zeros(5), np.zeros(6)]) == frozenset()
    assert best_or_tied([np.array([np.nan, 0.0]), np.array([0.0, np.nan])]) == frozenset()


def test_replicates_count_as_one_object():
    """One object of three that is told apart, in ten replicates, is one piece of evidence."""
    groups = np.repeat([0, 1, 2], 10)
    bad, good = (groups == 0).astype(float), np.zeros(30)
    assert best_or_tied([bad, good]) == {1}
    assert best_or_tied([bad, good], groups) == {0, 1}
