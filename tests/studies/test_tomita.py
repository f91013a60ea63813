"""Tomita's representations, grids and training parts, as the paper and as the authors' scripts."""

import numpy as np
import pytest

from explorer.engine import FAMILIES
from explorer.studies import Local, Sources, find
from explorer.studies.tomita.models import candidates, represented, scale_factors, spec_of


def test_the_scripts_scale_the_relevant_features_of_parity_apart_and_leave_the_rest(rng):
    assert scale_factors(5, 0, "scripts", relevant=3).tolist() == [1e-5, 1.0, 1e5, 1.0, 1.0]
    factors = scale_factors(1000, 0, "scripts")
    assert np.quantile(np.log10(factors), [0.1, 0.5, 0.9]) == pytest.approx([-4, 0, 4], abs=0.6)
    printed = scale_factors(1000, 0, "paper")
    assert np.quantile(printed, 0.1) == pytest.approx(1e4, rel=0.3)


def test_the_scripts_corrupt_the_training_samples_only(rng):
    X, Z = rng.normal(size=(50, 4)), rng.normal(size=(30, 4))
    for reading, changed in (("paper", True), ("scripts", False)):
        A, B = represented("corrupted", X, Z, 1, reading)
        assert (A != X).mean() == pytest.approx(0.2)
        assert (B != Z).any() == changed


def test_affine_is_the_rotation_then_the_scaling(rng):
    X = rng.normal(size=(20, 3))
    for reading in ("paper", "scripts"):
        turned, _ = represented("rotated", X, X, 5, reading)
        affine, again = represented("affine", X, X, 5, reading)
        np.testing.assert_allclose(affine, turned * scale_factors(3, 5, reading))
        np.testing.assert_array_equal(affine, again)


def test_the_grid_of_d_ends_at_p_squared_or_in_the_scripts_at_ten_p():
    assert candidates("F-RC", 500)[-1] == 250_000
    assert candidates("F-RC", 500, reading="scripts")[-1] == 5000
    assert candidates("F-RC", 40, reading="scripts") == candidates("F-RC", 40)
    assert candidates("RR-RF", 500)[-1] == 500
    assert candidates("F-RC(z)", 10)[-1] == 100


def test_a_suffix_says_how_features_are_scaled():
    assert spec_of("RF(r)", 5, 0).scaling == "rank"
    assert spec_of("F-RC(n)", 5, 0).scaling == "percentile"
    assert spec_of("RR-RF(z)", 5, 0).scaling == "zscore"
    assert spec_of("FRANK", 5, 3) == FAMILIES["FRANK"].replace(n_tree=5, seed=3, min_leaf=9)


@pytest.fixture
def folder(tmp_path, rng):
    for name, shift in (("easy", 4.0), ("hard", 0.5)):
        y = np.arange(80) % 2
        X = rng.normal(size=(80, 3)) + shift * y[:, None]
        rows = [",".join(f"{v:.6f}" for v in x) + f",{'ab'[k]}" for x, k in zip(X, y, strict=True)]
        (tmp_path / f"{name}.csv").write_text("a,b,c,label\n" + "\n".join(rows) + "\n")
    (tmp_path / "sets.tsv").write_text("name\tn_train\neasy\t50\nhard\t60\n")
    return tmp_path


def test_training_and_test_parts_of_the_folder_are_used(folder):
    sources = Sources(folder)
    assert sources.training_rows == {"easy": 50, "hard": 60}
    assert set(sources.files) == {"easy", "hard"}
    plan = find("tomita-table1").plan(find("tomita-table1").scales["full"], sources)
    assert set(plan.data) == {"easy", "hard"}
    assert {u.arguments["n_train"] for u in plan.units} == {50, 60}
    assert all(u.arguments["fold"] == 0 for u in plan.units)
    result = find("tomita-table1").run("tiny", Local(0), sources=sources)
    raw = result.column("errors", "error", data="easy", representation="raw", model="RF")
    assert raw[0] < 0.2


def test_a_table_of_parts_without_its_columns_is_refused_with_a_sentence(folder):
    (folder / "sets.tsv").write_text("set,rows\neasy,50\n")
    with pytest.raises(ValueError, match=r"sets\.tsv must be a table .* 'name' and 'n_train'"):
        _ = Sources(folder).training_rows
