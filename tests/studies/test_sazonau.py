"""Sazonau's experiments: ties, blocks of repeats, and claims that can fail."""

import dataclasses

import numpy as np
import pytest

from explorer.data import load
from explorer.studies import Result, find
from explorer.studies.sazonau.fig1 import TIES, errors_by_trees
from explorer.studies.sazonau.fig5 import half_scores
from explorer.studies.sazonau.protocol import halves


@pytest.fixture(scope="module")
def heart():
    return load("heart")


def _errors(heart, first, repeats):
    return errors_by_trees(heart, trees=4, first=first, repeats=repeats, seed=3, threads=1)


def test_every_sample_is_tested_by_the_half_it_is_not_in(heart) -> None:
    (_, one), (_, other) = halves(heart, 1, 0, 0)
    assert sorted([*one.test, *other.test]) == list(range(270))
    assert sorted(one.train) == sorted(other.test)
    assert abs(len(one.test) - len(other.test)) == 0


def test_repeats_do_not_depend_on_the_block_they_are_in(heart) -> None:
    whole = _errors(heart, 0, 3)
    parts = [_errors(heart, 0, 2), _errors(heart, 2, 1)]
    assert np.array_equal(whole, np.concatenate(parts, axis=1))


def test_rules_for_ties_differ_at_even_numbers_of_trees_only(heart) -> None:
    first, second, coin, error = _errors(heart, 0, 2)
    assert (first[:, ::2] == error[:, ::2]).all()
    assert (error[:, 1::2] > np.maximum(first, second)[:, 1::2]).all()
    assert np.allclose(coin, (first + second) / 2)


def _fig1(errors: np.ndarray) -> Result:
    study = find("sazonau-fig1")
    tiny = study.run("tiny")
    arrays = {name: np.repeat(errors[None], len(TIES), axis=0) for name in tiny.arrays}
    return dataclasses.replace(tiny, arrays=arrays)


def test_a_curve_without_a_zigzag_is_told_from_one_with_it() -> None:
    study = find("sazonau-fig1")
    noise = 1e-4 * np.random.default_rng(0).standard_normal((20, 6))
    falling = np.linspace(0.3, 0.2, 6) + noise
    zigzag = falling + np.array([0.0, 0.04] * 3)
    assert [c.holds for c in study.claims(_fig1(falling))] == [True, False]
    assert [c.holds for c in study.claims(_fig1(zigzag))] == [True, True]
    assert study.claims(_fig1(falling[:, ::-1]))[0].holds is False


def test_the_two_halves_of_the_variables_are_disjoint_and_complete(heart) -> None:
    parts = [
        half_scores(heart, part=part, trees=2, repeats=1, seed=0, threads=1)["features"]
        for part in ("more", "less")
    ]
    assert [len(p) for p in parts] == [7, 6]
    assert sorted(parts[0] + parts[1]) == sorted(heart.feature_names)


def test_a_difference_within_its_noise_is_not_tested() -> None:
    study = find("sazonau-fig5")
    tiny = study.run("tiny")
    rng = np.random.default_rng(1)
    arrays = {key: 0.9 + 0.01 * rng.standard_normal(20) for key in tiny.arrays}
    claims = study.claims(dataclasses.replace(tiny, arrays=arrays))
    assert claims[1].holds is None
    assert "cannot tell" in claims[1].remark
