from app.screen import screen_of
from explorer.app.export.caption import Caption, model_in_words
from explorer.app.session.events import MapsDrawn
from explorer.app.state.visitor import ModelState


def test_a_saved_picture_names_the_data_the_models_and_the_classes(shown):
    caption = Caption(shown)
    shown.announce(MapsDrawn(shown.latest, False))
    title, models, classes = caption.source.tags
    assert title == shown.latest.source.data.title
    assert models.startswith("A RF (6 trees")
    assert "; B oRF-ridge (" in models
    assert [name for name, _, _ in classes] == list(shown.latest.source.data.class_names)
    assert len({(colour, marker) for _, colour, marker in classes}) == len(classes)
    assert screen_of(shown).session is shown


def test_a_model_is_described_by_what_is_set():
    model = ModelState(family="F-RC", knobs={"n_tree": 1, "n_combine": 2, "scaling": "rank"})
    words = model_in_words(model, 4)
    assert words.startswith("F-RC (1 tree, ")
    assert "L 2" in words
    assert "rank scaling" in words
    assert model_in_words(ModelState(family="knn"), 4).startswith("knn (")
