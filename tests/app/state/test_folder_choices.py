import pytest

from explorer.app.state.folder_choices import FolderChoices, number, regions


def test_only_what_was_chosen_is_asked_of_the_grid():
    assert FolderChoices().grid() == {}
    chosen = FolderChoices(unit="nm", low=0.0, step=2.0, method="spline", cut=((1.0, 2.0),))
    assert chosen.grid() == {
        "unit": "nm", "low": 0.0, "step": 2.0, "method": "spline", "cut": ((1.0, 2.0),),
    }  # fmt: skip


def test_regions_are_read_in_the_ways_people_write_them():
    assert regions("2400-2300; 650 to 700,") == ((2300.0, 2400.0), (650.0, 700.0))
    assert regions("-5--2") == ((-5.0, -2.0),)
    assert regions("") == ()


@pytest.mark.parametrize("text", ["2300", "a-b", "5-5", "1-nan", "1-inf"])
def test_other_texts_for_regions_are_refused_in_words(text):
    with pytest.raises(ValueError, match="written as 2300-2400"):
        regions(text)


def test_a_number_may_have_a_comma_and_an_empty_field_is_none():
    assert number(" 0,5 ", "The step") == 0.5
    assert number("", "The step") is None
    for wrong in ("five", "nan", "inf", "1e999"):
        with pytest.raises(ValueError, match="The step is a number"):
            number(wrong, "The step")
