"""A model in a file: forest, preparation, axis and classes, for spectra measured later."""

import tracemalloc

import numpy as np
import pytest

from explorer.analysis import FittedModel
from explorer.data import Chain, Dataset, FileRefused, load
from explorer.data.measured import MeasuredSpectra, Spectrum
from explorer.engine import FAMILIES

CHAIN = Chain.of(("bands", {"low": 860.0}), ("msc", {}), ("derivative", {"order": 1}))
SPEC = FAMILIES["oRF-lda"].replace(n_tree=40)


@pytest.fixture(scope="module")
def halves() -> tuple[Dataset, Dataset]:
    return load("tecator").split(0.4, seed=1)


@pytest.fixture(scope="module")
def model(halves) -> FittedModel:
    return FittedModel.fit(SPEC, halves[0], CHAIN, name="oRF-lda")


def measured(data: Dataset, x: np.ndarray, unit: str = "nm") -> MeasuredSpectra:
    """The spectra as files would give them, on positions x."""
    spectra = []
    for i, row in enumerate(data.X):
        y = np.interp(x if unit == "nm" else 1e7 / x, data.axis.values, row)
        spectra.append(Spectrum(x, y, unit, f"s{i}", f"s{i}.spc"))
    return MeasuredSpectra("new", tuple(spectra))


def test_a_model_survives_the_round_trip_through_a_file(model, halves, tmp_path) -> None:
    model.save(tmp_path / "m.npz")
    again = FittedModel.load(tmp_path / "m.npz")
    a, b = model.judge(halves[1]), again.judge(halves[1])
    np.testing.assert_array_equal(a.posterior, b.posterior)
    np.testing.assert_array_equal(a.p_value, b.p_value)
    np.testing.assert_array_equal(a.unlike, b.unlike)
    assert (again.name, again.axis.unit) == ("oRF-lda", "nm")


def test_new_spectra_are_prepared_as_in_training(model, halves) -> None:
    train, test = halves
    rows = CHAIN.fit(train).map(test.X)
    np.testing.assert_array_equal(model.judge(test).posterior, model.forest.predict_proba(rows))


@pytest.mark.parametrize("unit", ["nm", "cm-1"])
def test_spectra_on_another_axis_are_brought_onto_the_models(model, halves, unit: str) -> None:
    test = halves[1]
    x = np.linspace(845.0, 1055.0, 421)
    found, left_out, _ = model.judge_spectra(
        measured(test, x if unit == "nm" else 1e7 / x[::-1], unit)
    )
    assert left_out == ()
    direct = model.judge(test)
    assert (found.predicted == direct.predicted).mean() > 0.95
    assert found.names[0] == "s0.spc: s0"


def test_spectra_that_do_not_reach_over_the_axis_are_left_out_with_a_reason(model, halves) -> None:
    test = halves[1]
    short = measured(test.take([0]), np.linspace(900.0, 950.0, 40)).spectra
    both = MeasuredSpectra("both", (*short, *measured(test.take([1]), test.axis.values).spectra))
    found, left_out, _ = model.judge_spectra(both)
    assert found.predicted.size == 1
    assert "not over the grid" in left_out[0].reason
    with pytest.raises(FileRefused, match="No spectrum reaches over the grid"):
        model.judge_spectra(MeasuredSpectra("short", short))


def test_a_file_that_is_no_model_is_refused_with_a_sentence(model, tmp_path) -> None:
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"bad\.npz is not a model .*\.$"):
        FittedModel.load(bad)
    model.forest.save(bad)
    with pytest.raises(ValueError, match="another header"):
        FittedModel.load(bad)
    model.save(bad)
    with np.load(bad) as file:
        arrays = dict(file)
    arrays["axis"] = arrays["axis"][:50]
    np.savez(bad, **arrays)
    with pytest.raises(ValueError, match="do not fit together"):
        FittedModel.load(bad)


def test_a_mutated_file_is_read_or_refused_with_a_sentence(model, tmp_path) -> None:
    """Files with a few bytes changed or the end cut off, made from a fixed seed."""
    whole, bad = tmp_path / "whole.npz", tmp_path / "mutated.npz"
    model.save(whole)
    raw = whole.read_bytes()
    rng = np.random.default_rng(99)
    refused = []
    for _ in range(150):
        mutated = bytearray(raw)
        for at in rng.integers(len(raw), size=int(rng.integers(1, 20))):
            mutated[at] = int(rng.integers(256))
        end = int(rng.integers(1, len(raw))) if rng.random() < 0.2 else len(raw)
        bad.write_bytes(mutated[:end])
        try:
            FittedModel.load(bad)
        except ValueError as refusal:
            refused.append(str(refusal))
    assert len(refused) > 100
    assert {text[:27] for text in refused} == {"mutated.npz is not a model "}


FORGED = {
    "pickled objects": lambda a: {**a, "X": np.array([[1, "a"]], dtype=object)},
    "samples that are not those of the forest": lambda a: {**a, "X": a["X"][:-1], "y": a["y"][:-1]},
    "classes that are not there": lambda a: {**a, "y": a["y"] + 1000},
    "a forest that is none": lambda a: {**a, "forest": np.zeros(100, np.uint8)},
    "values that are not finite": lambda a: {**a, "X": np.full_like(a["X"], np.nan)},
    "an axis of another length": lambda a: {**a, "prepared_axis": a["prepared_axis"][:3]},
    "a header that is a list": lambda a: {**a, "header": np.frombuffer(b"[]", np.uint8)},
    "a header nested without end": lambda a: {
        **a,
        "header": np.frombuffer(b"[" * 99_999, np.uint8),
    },
    "groups of another length": lambda a: {**a, "groups": np.arange(3)},
    "a chain that is none": lambda a: {k: v for k, v in a.items() if not k.startswith("chain.")},
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_model_is_refused_with_a_sentence(what, model, tmp_path) -> None:
    whole, bad = tmp_path / "whole.npz", tmp_path / "bad.npz"
    model.save(whole)
    with np.load(whole) as file:
        arrays = dict(file)
    np.savez(bad, **FORGED[what](arrays))
    with pytest.raises(ValueError, match=r"^bad\.npz is not a model .*\.$"):
        FittedModel.load(bad)


def test_a_small_file_that_asks_for_all_memory_is_refused_before_it_is_read(
    model, tmp_path
) -> None:
    """Also when the forest inside the model is the one that asks for it."""
    whole, bad, inner = (tmp_path / f"{name}.npz" for name in ("whole", "bad", "inner"))
    model.save(whole)
    model.forest.save(inner)
    with np.load(whole) as file:
        arrays = dict(file)
    with np.load(inner) as file:
        forest = dict(file)
    zeros = np.zeros((10_000, 15_000), np.uint8)  # 150 MB, which 150 kB give
    for name, content, where in (("X", arrays, bad), ("counts", forest, inner)):
        np.savez_compressed(where, **{**content, name: zeros})
        assert where.stat().st_size < 2_000_000
    small = np.frombuffer(inner.read_bytes(), np.uint8)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"would need 1[0-9]{2} MB of memory"):
            FittedModel.load(bad)
        np.savez(bad, **{**arrays, "forest": small})
        with pytest.raises(ValueError, match=r"would need 1[0-9]{2} MB of memory"):
            FittedModel.load(bad)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_model_of_a_table_judges_rows_and_refuses_spectra(halves) -> None:
    heart = load("heart")
    fitted = FittedModel.fit(FAMILIES["RF"].replace(n_tree=20), heart)
    assert fitted.judge(heart.X[:5]).predicted.size == 5
    with pytest.raises(ValueError, match="a table"):
        fitted.judge_spectra(measured(halves[1], halves[1].axis.values))
