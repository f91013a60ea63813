"""The catalogue: everything listed loads, everything loaded is listed, and knobs are checked."""

import numpy as np
import pytest

from explorer.data import Dataset, Knob, catalogue, load
from explorer.data.entry import GROUPS, entry

MAY_CONTRADICT = {"width", "length", "inner", "outer", "p", "p_star", "n", "replicates"}


def test_the_catalogue_is_ordered_by_group_and_no_group_is_empty():
    groups = [e.group for e in catalogue().values()]
    assert groups == sorted(groups, key=GROUPS.index)
    assert set(groups) == set(GROUPS)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_entry_loads_with_its_defaults_and_describes_itself(name):
    e = catalogue()[name]
    d = load(name)
    assert isinstance(d, Dataset)
    assert d.name == name == e.name
    assert d.digest() == e.load(**e.defaults).digest()
    assert (d.class_counts > 0).all()
    assert e.description.endswith(".")
    for knob in e.knobs.values():
        assert knob.doc.endswith((".", ";"))
        assert len(knob.doc.split()) <= 16


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_knob_works_at_its_ends_or_says_why_not(name):
    """n stays small; two knobs that contradict each other may refuse, in a sentence."""
    e = catalogue()[name]
    for knob, setting in e.knobs.items():
        ends = setting.choices or (setting.low, setting.high)
        for value in ends:
            values = {"n": 40} if "n" in e.knobs and knob != "n" else {}
            refusal = None
            try:
                d = load(name, **(values | {knob: value}))
            except ValueError as error:
                refusal = str(error)
            if refusal is None:
                assert np.isfinite(d.X).all()
            else:
                assert refusal.endswith(".")
                assert knob in MAY_CONTRADICT


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"angel": 3}, "no knob 'angel'; its knobs are: n, length, width, gap, angle, seed"),
        ({"n": 3}, "must be a number from 4 to 20000"),
        ({"n": 10**9}, "must be a number from 4 to 20000"),
        ({"n": 10.5}, "whole number"),
        ({"n": "many"}, "must be a number"),
        ({"n": None}, "must be a number"),
        ({"angle": float("nan")}, "must be a number from -180 to 180"),
        ({"angle": float("inf")}, "must be a number from -180 to 180"),
        ({"width": 2.0, "length": 1.0}, "exceeds its length"),
    ],
)
def test_what_a_client_sends_is_checked(knobs, says):
    with pytest.raises(ValueError, match=says):
        load("clouds", **knobs)


def test_choices_are_listed_and_whole_floats_count_as_whole():
    with pytest.raises(ValueError, match="choose one of 'ten digits', '2-4', '3-8', 'even-odd'"):
        load("digits", task="1-7")
    assert load("clouds", n=30.0).n_samples == 30


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"no data set 'clods'\. Choose one of: clouds, pair"):
        load("clods")


def test_an_entry_must_agree_with_its_loader():
    def loader(n: int = 3) -> Dataset:
        raise NotImplementedError

    with pytest.raises(TypeError, match="disagree on: m, n"):
        entry(loader, "T", "2-D", "D.", m=Knob("M."))
    with pytest.raises(ValueError, match="default of knob 'n'"):
        entry(loader, "T", "2-D", "D.", n=Knob("N.", 5, 9))
    with pytest.raises(TypeError, match="Group"):
        entry(loader, "T", "3-D", "D.", n=Knob("N.", 1, 9))
