"""What a cut is worth, against the definitions of Sazonau eq. 2 and 3."""

import pytest

from . import calls, naive

COUNTS = [[3, 4], [10, 0, 2], [0.5, 0.25, 7.125, 1e-9], [1e12, 1, 1], [5, 5, 5, 5, 5]]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("counts", COUNTS)
def test_worth_is_minus_the_weighted_impurity_up_to_the_weight(counts, criterion):
    total = sum(counts)
    constant = total if criterion == "gini" else 0.0
    expected = constant - total * naive.impurity(counts, criterion)
    assert calls.worth(counts, criterion) == pytest.approx(expected, rel=1e-12, abs=1e-12 * total)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_an_empty_node_is_worth_nothing(criterion):
    assert calls.worth([0.0, 0.0, 0.0], criterion) == 0.0


def test_split_information_is_the_entropy_of_the_two_sizes():
    for left, right in [(1, 1), (3, 97), (0.2, 1e6)]:
        expected = (left + right) * naive.impurity([left, right], "entropy")
        assert calls.split_information(left, right) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_no_split_makes_impurity_worse(criterion, rng):
    for _ in range(50):
        left, right = rng.integers(0, 9, (2, 4)) * rng.choice([1.0, 0.37])
        both = calls.worth(left + right, criterion)
        apart = calls.worth(left, criterion) + calls.worth(right, criterion)
        assert apart >= both - 1e-9
        if left.sum() and right.sum():
            assert apart - both == pytest.approx(
                naive.decrease(left, right, criterion), rel=1e-9, abs=1e-9
            )
