from explorer.app.work.cache_key import cache_key
from explorer.engine import FAMILIES


def test_a_forest_is_kept_whatever_the_number_of_its_trees():
    few, many = (FAMILIES["RF"].replace(n_tree=n) for n in (5, 500))
    assert cache_key("forest", "digest", few) == cache_key("forest", "digest", many)
    assert cache_key("forest", "other", few) != cache_key("forest", "digest", few)


def test_other_settings_or_another_kind_of_result_are_another_key():
    spec = FAMILIES["RF"]
    keys = {
        cache_key("forest", "digest", spec),
        cache_key("forest", "digest", spec.replace(seed=1)),
        cache_key("baseline", "digest", spec),
        cache_key("test", "digest"),
    }
    assert len(keys) == 4
