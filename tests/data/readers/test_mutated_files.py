"""Good files, mutated at random: always a Dataset or a FileRefused, never anything else."""

import contextlib

import good_files as good
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.data import Dataset, FileRefused, preview, read
from explorer.data.readers import delimited
from explorer.data.readers.refused import Limits

LIMITS = Limits(bytes=1_000_000, columns=2000, seconds=20)
IN_PROCESS = [n for n in good.GOOD if n.endswith((".csv", ".tsv", ".ts", ".npz", ".gz", ".zip"))]
IN_CHILD = [n for n in good.GOOD if n not in IN_PROCESS]

edit = st.tuples(
    st.sampled_from(["set", "insert", "delete", "double", "cut"]),
    st.integers(0, 2**16),
    st.binary(min_size=1, max_size=6),
)


def mutate(content, edits):
    data = bytearray(content)
    for kind, place, extra in edits:
        if not data:
            break
        at = place % len(data)
        if kind == "set":
            data[at : at + len(extra)] = extra
        elif kind == "insert":
            data[at:at] = extra
        elif kind == "delete":
            del data[at : at + 1 + extra[0] % 40]
        elif kind == "double":
            data[at:at] = data[max(0, at - 40) : at]
        else:
            del data[at:]
    return bytes(data)


def outcome(content, name, **wishes):
    message = "."
    try:
        assert isinstance(read(content, name, limits=LIMITS, **wishes), Dataset)
    except FileRefused as refusal:
        message = str(refusal)
    assert message[-1] in ".)"
    assert len(message) < 500


@pytest.mark.parametrize("name", IN_PROCESS)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=st.lists(edit, min_size=1, max_size=6), impute=st.sampled_from([None, "median"]))
def test_mutations_of_formats_read_in_this_process(name, edits, impute):
    content = mutate(good.GOOD[name], edits)
    outcome(content, name, impute=impute, one_hot=impute is not None)


@settings(max_examples=60, deadline=None)
@given(edits=st.lists(edit, min_size=1, max_size=6))
def test_mutations_of_csv_without_pyarrow(edits):
    content = mutate(good.GOOD["trees.csv"], edits)
    had = delimited._has_pyarrow
    delimited._has_pyarrow = lambda: False
    try:
        outcome(content, "trees.csv")
    finally:
        delimited._has_pyarrow = had


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab1290.,;\t\n\r\"'-+eENA?# \u00e9", max_size=200))
def test_any_scribble_is_read_or_refused(text):
    outcome(text.encode(), "scribble.csv")
    with contextlib.suppress(FileRefused):
        preview(text.encode(), "scribble.csv", limits=LIMITS)


@pytest.mark.parametrize("name", IN_CHILD)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=st.lists(edit, min_size=1, max_size=4))
def test_mutations_of_formats_read_in_a_child(name, edits):
    outcome(mutate(good.GOOD[name], edits), name)
