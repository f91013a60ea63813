"""What holds for every study of the list, whichever paper it is from."""

import pytest
from bokeh.models import LayoutDOM

from explorer.app.state import link
from explorer.app.state.visitor import PAGES, State
from explorer.studies import PAPERS, Local, Result, find, studies
from explorer.studies.study import SCALES

NAMES = list(studies())


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {}


def _result(name: str, results: dict[str, Result]) -> Result:
    if name not in results:
        results[name] = find(name).run("tiny", Local(0))
    return results[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_says_who_it_is(name: str) -> None:
    study = find(name)
    assert name.startswith(f"{study.paper.key}-")
    assert study.paper is PAPERS[study.paper.key]
    assert tuple(study.scales) == SCALES
    assert len({tuple(settings) for settings in study.scales.values()}) == 1
    for text in (study.where, study.title, study.caption, study.protocol):
        assert text.strip()
    for printed in study.printed:
        assert printed.where


@pytest.mark.parametrize("name", NAMES)
def test_a_study_runs_draws_and_judges_its_claims(name: str, results: dict[str, Result]) -> None:
    study = find(name)
    result = _result(name, results)
    assert result.tables
    figures = study.draw(result)
    assert figures
    assert all(isinstance(plot, LayoutDOM) for plot in figures.values())
    assert study.draw(result, "dark").keys() == figures.keys()
    claims = study.claims(result)
    assert claims
    for claim in claims:
        assert claim.sentence.endswith(".")
        assert claim.where
        assert claim.holds in (True, False, None)
        assert claim.holds is None or claim.numbers
        assert claim.holds is not None or claim.remark


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_result_draws_and_judges_as_before(name: str, results: dict[str, Result]) -> None:
    study = find(name)
    result = _result(name, results)
    back = Result.from_text(result.to_text())
    assert back.digest() == result.digest()
    assert study.claims(back) == study.claims(result)
    assert study.draw(back).keys() == study.draw(result).keys()


@pytest.mark.parametrize("name", NAMES)
def test_the_doors_into_the_app_open(name: str) -> None:
    for door in find(name).opens:
        state = State()
        assert link.read(door.query, state) == []
        assert state.view.page == door.page
        assert door.page in PAGES


def test_an_unknown_study_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(ValueError, match=r"no study 'menze-fig9'.*menze-fig2"):
        find("menze-fig9")
