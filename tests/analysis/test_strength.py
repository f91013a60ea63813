import numpy as np
import pytest

from explorer import data
from explorer.analysis import strength
from explorer.engine import FAMILIES, grow


def grown(name="twonorm", family="RF", n_tree=60, **knobs):
    d = data.load(name, n=150) if name == "twonorm" else data.load(name)
    return d, grow(FAMILIES[family].replace(n_tree=n_tree, **knobs), d.X, d.y)


def naive(forest, d):
    """Sample by sample and tree by tree, as Breiman's section 2.2 has it."""
    inside = forest.bags() > 0
    votes = np.array([t.predict(d.X) for t in (forest.part(i, i + 1) for i in range(len(forest)))])
    margin, other = np.full(d.n_samples, np.nan), np.zeros(d.n_samples, int)
    for i in range(d.n_samples):
        mine = [votes[t, i] for t in range(len(forest)) if not inside[t, i]]
        share = [mine.count(k) / len(mine) for k in range(d.n_classes)] if mine else None
        if share:
            rest = [-1.0 if k == d.y[i] else share[k] for k in range(d.n_classes)]
            other[i] = int(np.argmax(rest))
            margin[i] = share[d.y[i]] - share[other[i]]
    spreads = []
    for t in range(len(forest)):
        raw = [
            float(votes[t, i] == d.y[i]) - float(votes[t, i] == other[i])
            for i in range(d.n_samples)
            if not inside[t, i]
        ]
        spreads.append(np.std(raw))
    known = margin[~np.isnan(margin)]
    return known.mean(), known.var() / np.mean(spreads) ** 2


@pytest.mark.parametrize(("name", "family"), [("twonorm", "RF"), ("iris", "oRF-ridge")])
def test_strength_and_correlation_are_those_of_the_definition(name, family):
    d, forest = grown(name, family, n_tree=25)
    s, rho = naive(forest, d)
    found = strength(forest, d)
    assert found.strength == pytest.approx(s)
    assert found.correlation == pytest.approx(rho)
    assert found.bound == pytest.approx(rho * (1 / s**2 - 1))


def test_the_bound_is_above_the_out_of_bag_error():
    d, forest = grown(n_tree=200)
    found = strength(forest, d)
    assert found.bound > forest.oob_error[-1]
    assert 0 < found.correlation < 1


def test_more_features_per_node_make_trees_more_alike():
    d, few = grown("breast_cancer", m_try=1, n_tree=100)
    _, many = grown("breast_cancer", m_try="all", n_tree=100)
    assert strength(few, d).correlation < strength(many, d).correlation


def test_a_forest_without_out_of_bag_samples_is_refused_with_a_sentence():
    d, forest = grown(bootstrap="none", n_tree=3)
    with pytest.raises(ValueError, match="measured on out-of-bag samples"):
        strength(forest, d)
