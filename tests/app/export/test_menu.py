"""What is taken home of the whole: a script that prints the figures, forests, a report."""

import io
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from app.folders import folder, piece
from app.screen import screen_of
from app.settling import settle
from explorer.analysis import FittedModel
from explorer.app.export.menu import Exports
from explorer.app.state.uploads import Choices, Upload
from explorer.app.state.visitor import OWN
from explorer.app.work.file_reading import reading
from explorer.data import Chain, load
from explorer.engine import FAMILIES, Forest
from explorer.views.png import data_url, indexed_png
from explorer.views.theme import posterior_palette

ROOT = Path(__file__).parents[3]
EVIL = '<img src=x onerror=alert(1)>"\n\'\'\'"""'


@pytest.fixture
def open_session(new_session):
    def make(query=""):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def own_file():
    rng = np.random.default_rng(2)
    rows = [f"{v:.3f},{w:.3f},{'xy'[i % 2]},t" for i, (v, w) in enumerate(rng.normal(size=(40, 2)))]
    return ("a,b,kind,town\n" + "\n".join(rows)).encode()


def read_whole(content, name, choices):
    return list(reading("me", content, name, choices, None))[-1]


def output_of(text, folder):
    """What a script prints."""
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(Path.home())},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(text, folder):
    """Figures that a script prints: name -> (OOB error, test error, Hellinger)."""
    number = r"(nan|[\d.]+)"
    line = re.compile(
        rf"^(.*): OOB error {number}(?:, test error {number}, Hellinger {number})?$", re.MULTILINE
    )
    return {m[1]: tuple(m[k] for k in (2, 3, 4)) for m in line.finditer(output_of(text, folder))}


def in_app(session):
    def six(value):
        return None if value is None else f"{value:.6f}"

    return {
        f"{'ABCDEF'[i]} {m.family}": (
            six(r.oob_error) or "nan",
            six(r.test_error),
            six(r.hellinger),
        )
        for i, (m, r) in enumerate(
            zip(session.state.models.models, session.latest.records, strict=True)
        )
    }


def assert_maps_are_those_of(session, folder):
    """The SVG files of a script have the pixels that the session shows."""
    for i, record in enumerate(session.latest.records):
        (file,) = folder.glob(f"{'ABCDEF'[i]} *.svg")
        image = indexed_png(record.index, posterior_palette(record.n_classes, "light"))
        assert data_url(image) in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "data=moons&d.noise=0.3&transform=turn&t.angle=33&model=RF~n_tree:20&trees=7",
        "data=spectra_ir&d.p=40&d.n=60&transform=derivative&band=keep,1000,1600"
        "&model=oRF-ridge~n_tree:9&model=F-RC~n_combine:2~n_tree:8~scaling:rank",
        "data=iris&model=RF~n_tree:10~m_try:2&model=CART&model=knn",
        "data=mixture&model=knn~neighbours:5&model=RF~n_tree:5",
    ],
)
def test_the_script_prints_the_figures_and_draws_the_maps_of_the_app(open_session, tmp_path, query):
    session = open_session(query)
    figures = run(Exports(session).script().decode(), tmp_path)
    assert figures == in_app(session)
    assert_maps_are_those_of(session, tmp_path)


@pytest.mark.parametrize("moved", [False, True])
def test_the_script_of_a_tour_draws_the_plane_that_is_seen(open_session, tmp_path, moved):
    session = open_session("data=wine&look=tour&model=RF~n_tree:5&model=knn~neighbours:5")
    if moved:
        session.tour.turn_axis(3, [0.5, -0.4])
        session.plane.hold_sample(7)
        settle(session)
    assert run(Exports(session).script().decode(), tmp_path) == in_app(session)
    assert_maps_are_those_of(session, tmp_path)


def test_the_script_of_a_painting_has_its_points_in_it(open_session, tmp_path):
    session = open_session()
    session.state.data.param.update(
        source="paint", points=[(0.1 * i, (-1) ** i * 0.5, i % 2 * 2) for i in range(30)]
    )
    session.refresh()
    settle(session)
    assert run(Exports(session).script().decode(), tmp_path) == in_app(session)


def test_the_script_of_an_own_file_reads_it_again_and_notices_another(open_session, tmp_path):
    session = open_session("model=RF~n_tree:5")
    content, choices = own_file(), Choices("kind", drop=("town",))
    found = read_whole(content, "my file.csv", choices)
    session.data.use_own(Upload.of("my file.csv", found.data, found.wishes))
    settle(session)
    text = Exports(session).script().decode()
    (tmp_path / "my file.csv").write_bytes(content)
    assert run(text, tmp_path) == in_app(session)
    (tmp_path / "my file.csv").write_bytes(content.replace(b",x,", b",z,", 1))
    with pytest.raises(AssertionError, match="not the file that was shown"):
        run(text, tmp_path)


def test_the_script_of_a_folder_of_spectra_reads_it_again(open_session, tmp_path):
    files = folder()
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    session = open_session("model=RF~n_tree:5")
    screen_of(session).sidebar.own.arrived("files:trees", piece(files))
    settle(session)
    preview = screen_of(session).folder.preview
    preview.groups.value = "numbered"
    preview.low.value, preview.cut.value = "650", "900-950"
    settle(session)
    preview.take_it()
    settle(session)
    assert session.latest.source.data.groups is not None
    assert run(Exports(session).script().decode(), tmp_path) == in_app(session)


def test_the_script_prepares_spectra_as_the_chain_does(open_session, tmp_path):
    chain = "step=msc&step=derivative~order:2&step=binning~size:3"
    session = open_session(f"data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&{chain}")
    assert session.latest.source.data.n_features == 20
    assert run(Exports(session).script().decode(), tmp_path) == in_app(session)


def test_a_script_keeps_names_from_a_file_as_text(open_session):
    session = open_session("model=RF~n_tree:5")
    found = read_whole(own_file(), "a.csv", Choices("kind", drop=("town",)))
    session.data.use_own(Upload.of(EVIL, found.data, {"label": EVIL}))
    settle(session)
    text = Exports(session).script().decode()
    compile(text, "script", "exec")
    assert repr(EVIL) in text


def test_forests_load_again_and_predict_the_same_bits(open_session):
    session = open_session("model=RF~n_tree:12&model=knn&model=oRF-ridge~n_tree:7")
    archive = zipfile.ZipFile(io.BytesIO(Exports(session).models()))
    assert archive.namelist() == ["A-RF.npz", "C-oRF-ridge.npz", "about.json"]
    about = json.loads(archive.read("about.json"))
    assert about["classes"] == ["lower", "upper"]
    data = session.latest.source.data
    for name, record in (("A-RF.npz", 0), ("C-oRF-ridge.npz", 2)):
        forest = Forest.load(io.BytesIO(archive.read(name)))
        plane = session.latest.plane.plane
        h, w = session.latest.records[record].shares.shape[:2]
        seen = session.latest.records[record].shares
        assert np.array_equal(forest.posterior_on(plane, w, h)[..., :-1], seen)
        assert forest.n_features == data.n_features


def test_a_saved_model_of_spectra_has_its_axis_and_preparation(open_session, tmp_path):
    session = open_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:12&step=snv&step=binning")
    archive = zipfile.ZipFile(io.BytesIO(Exports(session).models()))
    assert archive.namelist() == ["A-RF.npz", "A-RF-model.npz", "about.json"]
    path = tmp_path / "model.npz"
    path.write_bytes(archive.read("A-RF-model.npz"))
    model = FittedModel.load(path)
    plain = load("spectra_ir", p=60, n=40)
    assert [name for name, _ in model.chain.chain.plain()] == ["snv", "binning"]
    np.testing.assert_array_equal(model.axis.values, plain.axis.values)
    assert model.training.class_names == plain.class_names
    spec = FAMILIES["RF"].replace(n_tree=12)
    expected = FittedModel.fit(spec, plain, Chain.of(("snv", {}), ("binning", {})))
    found = model.judge(plain.X[:9])
    np.testing.assert_array_equal(found.posterior, expected.judge(plain.X[:9]).posterior)


def test_a_transform_that_is_no_preparation_leaves_the_forest_alone(open_session):
    session = open_session("data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5&transform=rotation")
    archive = zipfile.ZipFile(io.BytesIO(Exports(session).models()))
    assert archive.namelist() == ["A-RF.npz", "about.json"]


class Reader(HTMLParser):
    """Tags, texts and everything a browser would fetch."""

    def __init__(self):
        super().__init__()
        self.tags, self.fetched, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and not value.startswith("data:"):
                self.fetched.append(value)

    def handle_data(self, data):
        self.words.append(data)


def test_a_report_has_maps_numbers_settings_versions_and_a_link_and_fetches_nothing(open_session):
    session = open_session("data=moons&d.noise=0.3&model=RF~n_tree:9&page=Evaluate")
    reader = Reader()
    reader.feed(Exports(session).report().decode())
    words = " ".join(reader.words)
    assert reader.fetched == []
    assert "script" not in reader.tags
    assert reader.tags.count("svg") == 1
    for part in (
        "OOB error",
        "Data: noise",
        "n_tree 9",
        "numba",
        "forest-explorer",
        "d.noise=0.3",
    ):
        assert part in words
    assert "Evaluate" in words


def test_a_report_escapes_every_name_of_an_own_file(open_session):
    session = open_session("model=RF~n_tree:5")
    found = read_whole(own_file(), "a.csv", Choices("kind", drop=("town",)))
    data = found.data.replace(
        class_names=(EVIL, "</style><script>alert(2)</script>"),
        feature_names=(EVIL, "<svg onload=alert(3)>"),
        title=EVIL,
        notes=(EVIL,),
        citation=EVIL,
    )
    session.data.use_own(Upload.of(EVIL, data, {}))
    settle(session)
    assert session.state.data.source == OWN
    reader = Reader()
    reader.feed(Exports(session).report().decode())
    assert "img" not in reader.tags
    assert "script" not in reader.tags
    assert reader.fetched == []


def test_while_forests_grow_a_file_is_refused_in_words(new_session):
    exports = Exports(new_session())
    for make in (exports.script, exports.models, exports.report):
        with pytest.raises(ValueError, match="still growing"):
            make()


def test_a_report_has_the_layers_that_are_on_and_no_others(open_session):
    session = open_session("model=RF~n_tree:5&layers=Points.Errors.Test+errors.One+tree")
    text = Exports(session).report().decode()
    wrong = int(session.latest.records[0].wrong.sum())
    tested = int((session.latest.records[0].test_wrong > 0).sum())
    assert text.count("<circle") == wrong + tested
    assert "rings: out-of-bag errors" in text.lower()
    assert "cells of one tree" in text
    assert "learned boundary" not in text


@pytest.mark.parametrize("kind", ["report", "script", "models"])
def test_exporting_an_empty_painting_says_that_there_is_nothing_to_export(open_session, kind):
    session = open_session("page=Paint&points=&model=RF~n_tree:5")
    with pytest.raises(ValueError, match=r"nothing to export yet\. Paint points of two classes"):
        getattr(Exports(session), kind)()
