"""A spec is frozen, validated, and says in a sentence what is wrong with it."""

import dataclasses
import json
import math

import numpy as np
import pytest

from explorer.engine import FAMILIES, ForestSpec
from explorer.engine.kernels.directions import DIRECTIONS

# a legal value for every knob that some splits ignore
OWN = {
    "m_try": "all",
    "subspace": "tree",
    "rotate": True,
    "n_candidates": 7,
    "n_combine": 3,
    "vary_combine": True,
    "n_thresholds": 9,
    "lambdas": (2.0,),
    "tuning": "oob",
    "cost": 3.0,
    "balance": False,
    "grouping": "anchors",
}


@pytest.mark.parametrize("knob", OWN)
@pytest.mark.parametrize("split", DIRECTIONS)
def test_a_knob_is_heeded_or_refused_never_ignored(split, knob):
    if knob in DIRECTIONS[split].knobs:
        assert getattr(ForestSpec(split=split, **{knob: OWN[knob]}), knob) == OWN[knob]
        assert getattr(ForestSpec(split=split), knob) is not None
    else:
        with pytest.raises(ValueError, match=f"{split!r} ignores {knob}"):
            ForestSpec(split=split, **{knob: OWN[knob]})
        assert getattr(ForestSpec(split=split), knob) is None


def test_every_knob_belongs_to_some_split():
    assert set().union(*(d.knobs for d in DIRECTIONS.values())) == set(OWN)


def test_a_spec_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ForestSpec().n_tree = 5  # type: ignore[misc]
    assert hash(ForestSpec()) == hash(ForestSpec())


@pytest.mark.parametrize("name", FAMILIES)
def test_json_brings_back_every_family(name):
    spec = FAMILIES[name]
    text = spec.to_json()
    assert ForestSpec.from_json(text) == spec
    assert ForestSpec.from_dict(spec.to_dict()) == spec
    assert json.loads(text)["split"] == spec.split
    assert "null" not in text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a forest's spec"),
        ("{", "not a forest's spec"),
        ("[1, 2]", "named knobs"),
        ("null", "named knobs"),
        ('{"trees": 5}', "no knob named trees"),
        ('{"n_tree": "many"}', "n_tree is 'many'"),
        ('{"n_tree": 1.5}', "n_tree is 1.5"),
        ('{"split": ["axis"]}', "split is"),
        ('{"split": "ridge", "lambdas": "1"}', "lambdas"),
        ('{"split": "ridge", "lambdas": [1, null]}', "lambdas"),
        ('{"split": "ridge", "lambdas": 5}', "lambdas"),
        ('{"m_try": [1]}', "m_try is"),
        ('{"m_try": NaN}', "m_try is nan"),
        ('{"split": "psvm", "cost": Infinity}', "cost is inf"),
        ('{"split": "sparse", "n_candidates": [2]}', "n_candidates"),
        ('{"vote": null}', "vote is None"),
        ('{"prune": "ten"}', "prune"),
    ],
)
def test_bad_json_is_a_sentence(text, why):
    with pytest.raises(ValueError, match=why):
        ForestSpec.from_json(text)


@pytest.mark.parametrize(
    "knobs",
    [
        {"split": "oblique"},
        {"criterion": "error"},
        {"n_tree": 0},
        {"n_tree": -3},
        {"n_tree": True},
        {"n_tree": 10.0},
        {"n_tree": 1_000_001},
        {"m_try": 0},
        {"m_try": -1},
        {"m_try": 0.0},
        {"m_try": 1.5},
        {"m_try": "third"},
        {"m_try": True},
        {"m_try": math.nan},
        {"bootstrap": True},
        {"bootstrap": "sometimes"},
        {"subspace": "forest"},
        {"rotate": 1},
        {"scaling": "minmax"},
        {"scaling": None},
        {"min_leaf": 0},
        {"max_depth": -1},
        {"max_depth": 2.5},
        {"vote": "loud"},
        {"prune": 1, "bootstrap": "none"},
        {"prune": 10},
        {"seed": -1},
        {"seed": 2**63},
        {"seed": None},
        {"split": "sparse", "n_candidates": 0},
        {"split": "sparse", "n_candidates": "p^3"},
        {"split": "sparse", "n_combine": 0},
        {"split": "sparse", "vary_combine": "yes"},
        {"split": "thresholds", "n_thresholds": 0},
        {"split": "cap", "n_thresholds": 1001},
        {"split": "ridge", "lambdas": ()},
        {"split": "ridge", "lambdas": (-1.0,)},
        {"split": "ridge", "lambdas": (math.nan,)},
        {"split": "ridge", "lambdas": (math.inf,)},
        {"split": "logistic", "lambdas": (1.0, 2.0)},
        {"split": "logistic", "lambdas": (0.0,)},
        {"split": "psvm", "cost": 0},
        {"split": "psvm", "cost": math.nan},
        {"split": "psvm", "balance": 1},
    ],
    ids=str,
)
def test_a_bad_value_is_an_error_that_names_its_knob(knobs):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        ForestSpec(**knobs)
    text = str(caught.value).lower()
    named = [k for k in knobs if k in text or (k == "prune" and "pruning" in text)]
    assert named or "logistic" in text


def test_whole_numbers_of_numpy_are_whole_numbers():
    spec = ForestSpec(n_tree=np.int64(7), min_leaf=np.int32(2), seed=np.uint64(3))
    assert spec == ForestSpec(n_tree=7, min_leaf=2, seed=3)
    assert ForestSpec.from_json(spec.to_json()) == spec
    spec = ForestSpec(m_try=np.int64(3))
    assert spec.features_per_split(9) == 3
    assert ForestSpec.from_json(spec.to_json()) == spec


def test_lambdas_are_sorted_numbers():
    assert ForestSpec(split="ridge", lambdas=(10, 0, 1)).lambdas == (0.0, 1.0, 10.0)
    assert ForestSpec(split="ridge", lambdas=[3]).lambdas == (3.0,)
    menze = ForestSpec(split="ridge").lambdas
    np.testing.assert_allclose(np.log10(menze), np.arange(-5, 6))


# ---- replace


def test_replacing_keeps_the_rest():
    spec = FAMILIES["F-RC"].replace(n_tree=3)
    assert spec == dataclasses.replace(FAMILIES["F-RC"], n_tree=3)
    assert FAMILIES["F-RC"].n_tree == 500


def test_replacing_the_split_keeps_what_both_heed_and_renews_the_rest():
    spec = ForestSpec(split="ridge", m_try=4, lambdas=(7.0,), min_leaf=3).replace(split="psvm")
    assert (spec.m_try, spec.min_leaf, spec.lambdas, spec.cost) == (4, 3, None, 1.0)
    back = spec.replace(split="ridge")
    assert len(back.lambdas) == 11
    assert ForestSpec(split="ridge").replace(split="logistic").lambdas == (1.0,)
    assert ForestSpec(split="thresholds").replace(split="cap").n_thresholds == 100


@pytest.mark.parametrize("to", DIRECTIONS)
@pytest.mark.parametrize("name", FAMILIES)
def test_any_family_can_change_to_any_split(name, to):
    spec = FAMILIES[name].replace(split=to)
    assert spec.split == to
    assert spec.n_tree == FAMILIES[name].n_tree


def test_replacing_is_checked():
    with pytest.raises(ValueError, match="no knob named n_trees"):
        ForestSpec().replace(n_trees=5)
    with pytest.raises(ValueError, match="'axis' ignores cost"):
        ForestSpec().replace(cost=1.0)
    with pytest.raises(ValueError, match="'lda' ignores lambdas"):
        ForestSpec(split="ridge").replace(split="lda", lambdas=(1.0,))
    with pytest.raises(ValueError, match="split is 'bush'"):
        ForestSpec().replace(split="bush")


# ---- what the rules come to


@pytest.mark.parametrize(
    ("m_try", "P", "expected"),
    [
        ("sqrt", 1, 1),
        ("sqrt", 2, 1),
        ("sqrt", 99, 9),
        ("sqrt", 100, 10),
        ("log2", 1, 1),
        ("log2", 100, 6),
        ("all", 7, 7),
        (0.5, 9, 4),
        (0.001, 9, 1),
        (1.0, 9, 9),
        (5, 9, 5),
    ],
)
def test_m_try(m_try, P, expected):
    assert ForestSpec(m_try=m_try).features_per_split(P) == expected


def test_a_rule_gives_an_oblique_split_two_features_if_there_are_two():
    for split in ("ridge", "lda", "logistic", "psvm", "random", "mixed"):
        assert ForestSpec(split=split).features_per_split(2) == 2
        assert ForestSpec(split=split).features_per_split(1) == 1
        assert ForestSpec(split=split, m_try=1).features_per_split(9) == 1


def test_more_features_than_there_are_is_an_error():
    with pytest.raises(ValueError, match="m_try is 10, but the data have 9"):
        ForestSpec(m_try=10).features_per_split(9)


@pytest.mark.parametrize(
    ("d", "P", "expected"),
    [("p", 10, 10), ("sqrt", 10, 4), ("p^1.5", 10, 32), ("p^2", 10, 100), (123, 10, 123)],
)
def test_candidates(d, P, expected):
    assert ForestSpec(split="sparse", n_candidates=d).candidates(P) == expected


STRAIGHT = {"CART", "RF", "RF-rnd", "RF-thresholds", "RF-C4.5"}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_says_whether_its_cuts_are_slanted(name):
    assert FAMILIES[name].oblique == (name not in STRAIGHT)


def test_rotated_cuts_are_slanted_and_cuts_on_one_feature_are_not():
    assert FAMILIES["RF"].replace(rotate=True).oblique
    assert not FAMILIES["F-RC"].replace(n_combine=1).oblique
    assert not FAMILIES["oRF-ridge"].replace(m_try=1).oblique
    assert FAMILIES["oRF-ridge"].replace(m_try=2).oblique


def test_the_paper_s_rule_for_lambda_is_there_by_name():
    assert FAMILIES["oRF-ridge"].tuning == "loo"
    assert FAMILIES["oRF-ridge"].replace(tuning="oob").tuning == "oob"
    with pytest.raises(ValueError, match="tuning is 'cv'; choose one of loo, oob, gain"):
        ForestSpec(split="ridge", tuning="cv")
    with pytest.raises(ValueError, match="tuning='oob' lets out-of-bag samples choose"):
        ForestSpec(split="mixed", tuning="oob", bootstrap="none")
