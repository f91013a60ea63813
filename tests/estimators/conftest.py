"""scikit-learn's own tests of forests: which of them are ours, and which are excused."""

import pytest
from scikit_learn_forest import excuse_for, is_about_classifiers


@pytest.fixture
def global_random_seed() -> int:
    return 42


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = []
    for item in items:
        if item.path.name != "test_scikit_learn_forest.py" or item.name.startswith("test_our_"):
            continue
        if not is_about_classifiers(item.name):
            others.append(item)
        elif reason := excuse_for(item.name):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]
