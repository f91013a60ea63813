"""Tests mirror the source: every module of app and views has a test of its own name."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "explorer"
# modules whose test has another name, and the test that runs them
TESTED_BY = {
    "app/main.py": "classroom/test_doors.py",
    "app/app_hooks.py": "classroom/test_doors.py",
    "app/pages/band_cards.py": "app/pages/test_importance.py",
    "app/pages/image_cards.py": "app/pages/test_images.py",
    "app/pages/image_text.py": "app/pages/test_images.py",
    "app/pages/tour_controls.py": "app/session/test_tour.py",
    "app/pages/why_text.py": "app/pages/test_why_card.py",
    "app/session/why.py": "app/pages/test_why_card.py",
    "app/work/image_work.py": "app/pages/test_images.py",
    "app/work/why_work.py": "app/pages/test_why_card.py",
    "views/why_figure.py": "app/pages/test_why_card.py",
    "app/pages/growth.py": "app/work/test_growth_work.py",
    "app/work/hand_cut_work.py": "app/pages/test_hand_cut.py",
    "views/hand_cut_figure.py": "app/pages/test_hand_cut.py",
    "app/server/lent.py": "test_cli_open.py",
    "app/server/bounded_http.py": "classroom/test_connections.py",
    "app/server/routes.py": "classroom/test_doors.py",
    "app/server/serve.py": "classroom/test_opening.py",
}


def test_every_module_of_app_and_views_has_a_test_of_its_own_name() -> None:
    missing = []
    for room in ("app", "views"):
        for path in sorted((PACKAGE / room).rglob("*.py")):
            own = path.relative_to(PACKAGE)
            named = TESTS / own.parent / f"test_{own.name}"
            other = TESTED_BY.get(own.as_posix())
            listed = other is not None and (TESTS / other).exists()
            if own.name != "__init__.py" and not named.exists() and not listed:
                missing.append(own.as_posix())
    assert missing == []
