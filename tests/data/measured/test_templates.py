"""Templates give what a regular expression would, in time that grows with the name."""

import re
from contextlib import suppress

import numpy as np
import pytest

from explorer.data import FileRefused
from explorer.data.measured.classes import class_proposals, group_proposals
from explorer.data.measured.spectra import MeasuredSpectra, Spectrum
from explorer.data.measured.templates import Template


@pytest.mark.parametrize(
    ("template", "name", "label"),
    [
        ("{class}#", "oak12", "oak"),
        ("{class}_*", "oak_a_b", "oak"),
        ("*_{class}_#", "x_oak_7", "oak"),
        ("{class}-#.*", "oak-3.final", "oak"),
        ("{class}#", "oak", None),
    ],
)
def test_templates_describe_file_names(template, name, label):
    match = Template(template).match(name)
    assert (match and match["class"]) == label


def expression(template: str) -> re.Pattern[str]:
    """A template as a regular expression, which backtracks."""
    out = []
    parts = [part for part in re.split(r"(\{class\}|\{group\}|\*|#)", template) if part]
    for part, after in zip(parts, [*parts[1:], ""], strict=True):
        if part in ("{class}", "{group}"):
            own = "." if not after or after[0] in "{*#" else f"[^{re.escape(after[0])}]"
            out.append(f"(?P<{part[1:-1]}>{own}+?)")
        else:
            out.append({"*": ".*?", "#": r"\d+"}.get(part, re.escape(part)))
    return re.compile("".join(out), re.DOTALL)


def test_templates_match_as_regular_expressions_do():
    rng = np.random.default_rng(3)
    pieces = ["{class}", "{group}", "*", "#", "_", "-", "a", "ab", "1"]
    fitted = 0
    for _ in range(4000):
        chosen = [pieces[k] for k in rng.integers(len(pieces), size=rng.integers(1, 7))]
        if max(chosen.count("{class}"), chosen.count("{group}")) > 1:
            continue
        name = "".join("ab1_2-"[k] for k in rng.integers(6, size=rng.integers(9)))
        expected = expression("".join(chosen)).fullmatch(name)
        found = Template("".join(chosen)).match(name)
        assert found == (expected and expected.groupdict()), ("".join(chosen), name)
        fitted += expected is not None
    assert fitted > 200


def test_a_template_with_too_many_stars_or_a_part_twice_is_refused():
    with pytest.raises(FileRefused, match="too long"):
        Template("*" * 30 + "{class}")
    with pytest.raises(FileRefused, match="twice"):
        Template("{class}_{class}")


def named(*names: str) -> MeasuredSpectra:
    x = np.arange(3.0)
    return MeasuredSpectra("t", tuple(Spectrum(x, x, "nm", n, f"{n}.txt") for n in names))


@pytest.mark.parametrize(
    "hostile",
    [
        "_" * 1000 + "\n",
        "_" * 500 + "." + "-" * 499,
        "1" * 999 + "x",
        "rep" * 333 + "x",
        "a_" * 400 + "\n",
    ],
)
def test_names_made_to_take_years_take_no_time(hostile):
    """Regular expressions backtracked, with Python's lock held: everybody's page stood still."""
    found = named(*(f"a_b_c_d_e_f_g_h_{k}" for k in range(40)), *[hostile] * 5)
    class_proposals(found)
    group_proposals(found)
    for template in ("*".join(["{class}", *"________"]), "{class}" + "#" * 8 + "_", "{class}#x"):
        with suppress(FileRefused):  # it gives no class
            found.classes_by(f"name:{template}")


def test_replicates_are_found_by_the_last_number_of_a_name():
    found = named(
        "oak_7_rep2", "oak_7_rep3", "oak 8 - 1", "oak 8 - 2", "elm", "12", "ash-Replicate_4"
    )
    labels = found.groups_by("numbered").labels
    assert labels == ("oak_7", "oak_7", "oak 8", "oak 8", "elm", "", "ash")
