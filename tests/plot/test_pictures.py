"""explorer.plot: every picture is a HoloViews object that composes, in the colours of the app."""

import holoviews as hv
import numpy as np
import pytest

import explorer as fx
from explorer.analysis.posterior_index import posterior_index
from explorer.engine import FAMILIES
from explorer.plot.drawn import PICTURES
from explorer.views.theme import class_colour, posterior_palette

RECORDS = sorted(set(PICTURES) - {"Dataset", "Forest"})


def rendered(element):
    """The Bokeh model of an element: drawing it must not fail, nor warn."""
    return hv.renderer("bokeh").get_plot(element).state


@pytest.mark.parametrize("kind", RECORDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_record_draws_itself_in_both_themes(records, kind, theme):
    picture = records[kind].plot(theme=theme)
    assert isinstance(picture, hv.Overlay)
    assert rendered(picture) is not None


def test_there_is_a_record_of_every_kind_that_has_a_picture(records):
    assert sorted(records) == RECORDS


def test_every_function_of_the_room_is_listed_and_has_its_parameters_described():
    for name in fx.plot.__all__:
        words = getattr(fx.plot, name).__doc__
        assert "Parameters\n" in words, name
        assert "Returns\n" in words, name


def test_a_map_is_the_image_of_the_app_with_its_palette(forest, mixture):
    record = fx.analysis.posterior_map(forest, mixture, width=30, height=30)
    image = next(iter(fx.plot.boundary(record).Image))
    assert np.array_equal(image.dimension_values(2, flat=False), posterior_index(record.posterior))
    cmap = hv.Store.lookup_options("bokeh", image, "style").kwargs["cmap"]
    assert tuple(cmap) == posterior_palette(2, "light", True)


def test_the_samples_of_a_class_have_its_colour_and_marker_and_their_rows(forest, mixture):
    everything = fx.plot.boundary(forest, mixture, pixels=20)
    marks = [e for e in everything if isinstance(e, hv.Points)]
    assert [e.label for e in marks] == list(mixture.class_names)
    for k, element in enumerate(marks):
        style = hv.Store.lookup_options("bokeh", element, "style").kwargs
        assert (style["color"], style["marker"]) == (class_colour(k).base, class_colour(k).marker)
        rows = element.dimension_values("sample")
        assert (mixture.y[rows.astype(int)] == k).all()
        assert np.allclose(element.dimension_values(0), mixture.X[rows.astype(int), 0])


def test_pictures_compose_side_by_side_and_over_each_other(forest, mixture):
    beside = fx.plot.boundary(forest, mixture, pixels=20) + fx.plot.roc(forest, mixture)
    assert isinstance(beside, hv.Layout)
    assert len(beside) == 2
    over = fx.plot.samples(mixture) * hv.Points([(0.0, 0.0)])
    assert isinstance(over, hv.Overlay)
    assert rendered(beside) is not None
    assert rendered(over.opts(title="own")).title.text == "own"


def test_a_selection_links_the_samples_of_two_pictures(forest, mixture):
    link = hv.selection.link_selections.instance(index_cols=["sample"])
    both = link(fx.plot.samples(mixture) + fx.plot.proximity(forest, mixture))
    assert rendered(both) is not None
    link.selection_expr = hv.dim("sample") < 10
    assert set(link.filter(mixture_table(mixture)).dimension_values("sample")) == set(range(10))


def mixture_table(mixture):
    return hv.Dataset({"sample": np.arange(mixture.n_samples), "x": mixture.X[:, 0]}, "sample")


def test_a_picture_is_saved_as_a_page(forest, mixture, tmp_path):
    target = tmp_path / "map.html"
    hv.save(fx.plot.boundary(forest, mixture, pixels=20), target, resources="inline")
    assert "bokeh" in target.read_text(encoding="utf-8").lower()


def test_a_family_a_spec_an_estimator_and_a_forest_give_the_same_picture(forest, mixture):
    spec = FAMILIES["oRF-ridge"].replace(n_tree=8, seed=1)
    fitted = fx.ForestClassifier("oRF-ridge", n_estimators=8, random_state=1)
    images = []
    for model, knobs in ((forest, {}), (spec, {}), ("oRF-ridge", {"n_tree": 8, "seed": 1})):
        overlay = fx.plot.boundary(model, mixture, pixels=20, **knobs)
        images.append(next(iter(overlay.Image)).dimension_values(2))
    assert np.array_equal(images[0], images[1])
    assert np.array_equal(images[0], images[2])
    fitted.fit(mixture.X, mixture.y)
    drawn = fx.plot.boundary(fitted, (mixture.X, mixture.y), pixels=20)
    own = fx.plot.boundary(fitted.forest_, mixture, pixels=20)
    drawn, own = (next(iter(o.Image)).dimension_values(2) for o in (drawn, own))
    assert np.array_equal(drawn, own)


def test_spectra_run_the_way_their_craft_draws_them(spectra):
    picture = rendered(spectra.plot())
    assert picture.x_range.start > picture.x_range.end


def test_importance_of_spectra_runs_along_the_axis_and_marks_what_only_oblique_forests_use(spectra):
    forest = fx.grow("oRF-ridge", spectra, n_tree=6)
    axis = fx.grow("RF", spectra, n_tree=6)
    picture = fx.plot.importance(forest, spectra, measure="anova", against=axis)
    curve = next(e for e in picture if isinstance(e, hv.Curve))
    assert len(curve) == spectra.n_features
    assert rendered(picture) is not None


def test_several_models_are_drawn_as_lines_of_their_own(forest, mixture):
    other = fx.grow("RF", mixture, n_tree=8)
    picture = fx.plot.error_by_trees({"A": other, "B": forest})
    lines = [e for e in picture if isinstance(e, hv.Curve)]
    assert [e.label.split(",")[0] for e in lines] == ["A", "B"]
    assert len({hv.Store.lookup_options("bokeh", e, "style").kwargs["color"] for e in lines}) == 2
    assert rendered(fx.plot.roc({"A": other, "B": forest}, mixture)) is not None


def test_sliders_draw_the_picture_anew(forest, mixture):
    layout = fx.plot.boundary.interactive(forest, mixture, trees=(1, 8), pixels=20)
    slider, pane = layout[0], layout[1]
    before = next(iter(pane.object[()].Image)).dimension_values(2)
    slider.value = 1
    after = next(iter(pane.object[()].Image)).dimension_values(2)
    assert not np.array_equal(before, after)


def test_knobs_of_a_family_can_be_sliders_too(mixture):
    layout = fx.plot.tree.interactive("RF", mixture, n_tree=(1, 3), max_depth=[2, 3], seed=4)
    assert [w.label for w in layout[:2]] == ["n_tree", "max_depth"]
    assert rendered(layout[2].object) is not None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda f, d: fx.plot.boundary(f), "A picture needs data"),
        (lambda f, d: fx.plot.boundary(f, d, theme="sepia"), "theme is 'sepia'"),
        (lambda f, d: fx.plot.boundary("RFF", d), "There is no family 'RFF'"),
        (lambda f, d: fx.plot.boundary(f, d, n_tree=3), "There is no option n_tree"),
        (lambda f, d: fx.plot.posterior(f, d, of="guess"), "of is 'guess'"),
        (lambda f, d: fx.plot.importance(f, d, measure="luck"), "measure is 'luck'"),
        (lambda f, d: fx.plot.tree(fx.analysis.projection(f, d)), "shows a TreeDrawing"),
        (lambda f, d: fx.analysis.feature_plane(d).plot(), "no picture of a LabelledPlane"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(forest, mixture, call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call(forest, mixture)


def test_maps_lie_on_the_plane_that_the_app_shows_first():
    iris = fx.load("iris")
    first = fx.analysis.first_plane(iris)
    overlay = fx.plot.boundary("RF", iris, n_tree=2, pixels=10)
    names = [d.name for d in next(iter(overlay.Image)).kdims]
    assert names == [iris.feature_names[first.across], iris.feature_names[first.up]]
    by_rank = fx.plot.partition("RR-RF(r)", fx.load("wine"), n_tree=2)
    assert rendered(by_rank) is not None
