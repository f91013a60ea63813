import gzip

import numpy as np
import pytest

from explorer.data import load
from explorer.studies import Sources
from explorer.studies.menze.printed import MODELS, PAPER_SETS, TABLE2
from explorer.studies.menze.sets import choose_sets, guess_kind

SETTINGS = {"generated": 40, "most": 60, "sets": None, "seed": 0}


def _write(folder, name: str, rows: int = 30) -> None:
    lines = ["a,b,label"]
    lines += [f"{i % 7}.5,{i},{'yes' if i % 2 else 'no'}" for i in range(rows)]
    text = "\n".join(lines) + "\n"
    if name.endswith(".gz"):
        (folder / name).write_bytes(gzip.compress(text.encode()))
    else:
        (folder / name).write_text(text)


def test_a_folder_is_read_with_the_label_last_and_zipped_or_not(tmp_path) -> None:
    _write(tmp_path, "mine.csv")
    _write(tmp_path, "yours.csv.gz")
    (tmp_path / "notes.pdf").write_text("not data")
    sources = Sources(tmp_path)
    assert list(sources.files) == ["mine", "yours"]
    data = sources.from_folder("mine")
    assert data is not None
    assert data.class_names == ("no", "yes")
    assert data.X.shape == (30, 2)
    assert sources.row(data)["from"] == "folder"
    assert sources.row(load("iris"))["from"] == "catalogue"
    assert sources.from_folder("nobody's") is None


def test_an_empty_or_absent_folder_is_refused_with_a_sentence(tmp_path) -> None:
    with pytest.raises(ValueError, match="holds no data"):
        _ = Sources(tmp_path).files
    with pytest.raises(ValueError, match="There is no folder"):
        Sources(tmp_path / "nowhere")


def test_the_papers_forty_sets_are_typed_in_whole() -> None:
    assert [s.number for s in PAPER_SETS] == list(range(1, 41))
    assert all(tuple(s.errors) == tuple(s.aucs) == MODELS for s in PAPER_SETS)
    assert [sum(s.kind == k for s in PAPER_SETS) for k in ("factorial", "numerical")] == [10, 10]
    chess, last = PAPER_SETS[0], PAPER_SETS[-1]
    assert (chess.errors["RF-rnd"], chess.aucs["RF-rnd"]) == (52.2, 33.3)
    assert (last.errors["oRF-ridge"], last.aucs["RF"]) == (11.1, 2.7)
    assert all(max(found.values()) <= 20 for found in TABLE2.values())


def test_sets_that_cannot_be_had_are_missing_and_never_replaced(tmp_path) -> None:
    found, notes, missing = choose_sets(SETTINGS, Sources())
    names = {m.name for m in missing}
    assert "29 IR BSE 1" in names
    assert "21 digits 2-4" in names
    assert len(missing) + sum(c.printed is not None for c in found.values()) == 40
    stand_ins = [name for name, c in found.items() if c.printed is None]
    assert all(any(note.startswith(name) for note in notes) for name in stand_ins)
    assert found["circles"].data.n_features == 2  # mlbench's circle is a ball in a cube


def test_a_set_of_the_folder_takes_the_papers_place_under_any_of_its_names(tmp_path) -> None:
    _write(tmp_path, "liver_bupa.csv")
    _write(tmp_path, "own.csv", rows=44)
    found, _, missing = choose_sets(SETTINGS, Sources(tmp_path))
    assert found["liver"].printed is not None
    assert found["liver"].data.n_samples == 30
    assert found["own"].printed is None
    assert "14 liver" not in {m.name for m in missing}
    few, notes, _ = choose_sets({**SETTINGS, "sets": 2}, Sources(tmp_path))
    assert set(few) == {"liver", "own"}  # the user's own come first
    assert any(note.startswith("Left out at this scale") for note in notes)


def test_the_kind_of_a_data_set_is_guessed_by_rule(rng) -> None:
    assert guess_kind(load("tecator")) == "spectral"
    assert guess_kind(load("twonorm")) == "numerical"
    iris = load("iris")
    levels = iris.replace(X=np.round(rng.uniform(0, 3, iris.X.shape)))
    assert guess_kind(levels) == "factorial"
