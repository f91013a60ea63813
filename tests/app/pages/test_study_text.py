import pytest

from explorer.app.pages import study_text as words
from explorer.app.work.study_work import Going
from explorer.studies import Claim, find


@pytest.fixture(scope="module")
def study():
    return find("menze-fig2")


@pytest.fixture(scope="module")
def result(study):
    return study.run("tiny")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456, "0.1235"), (12345.6, "12 346"), (1e-5, "1.0e-05"), (float("nan"), "none"),
     (True, "True"), ("a", "a"), (0, "0")],
)  # fmt: skip
def test_numbers_have_at_most_four_digits(value, text):
    assert words.number(value) == text


def test_every_claim_has_a_sign_and_a_word_and_its_texts_are_escaped():
    claims = [
        Claim("<b>It</b> rises.", "s.1", True, {"rise": 1.0}),
        Claim("It falls.", "s.2", False, {}, "A remark."),
        Claim("It stays.", "s.3", None),
    ]
    html = words.claims_html(claims)
    for mark, word in (("✓", "Holds"), ("✗", "Does not hold"), ("–", "Not tested")):
        assert mark in html
        assert word in html
    assert "<b>It</b>" not in html
    assert words.tally(claims) == "1 of 3 hold, 1 not, 1 not tested"


def test_a_study_that_was_not_run_says_what_a_run_gives(study):
    html = words.side_html(study, None, None)
    assert "<h3>Claims</h3>" in html
    assert words.seconds_words(study.takes) in words.empty_words(study)


def test_a_study_that_was_run_has_its_claims_data_and_tables(study, result):
    claims = study.claims(result)
    page = words.page_html(study, result, claims).decode()
    assert all(table in page for table in result.tables)
    assert words.tally(claims) in page
    csv = words.tables_csv(result).decode().splitlines()
    assert csv[0].startswith("table,")
    assert len(csv) == 1 + sum(len(rows) for rows in result.tables.values())


def test_progress_says_how_much_is_left():
    assert words.seconds_words(89) == "89 s"
    assert words.seconds_words(600) == "10 min"
    going = Going("menze-fig2", 2, 8, "part", 4, 12.0)
    assert words.going_words(going) == "2 of 8 parts, about 12 s left"


def test_missing_data_are_listed_with_the_reason():
    html = words.missing_html([{"name": "set", "why": "not public"}])
    assert "One data set" in html
    assert "not public" in html
