import threading
import time

import pytest

from explorer.app.work.cache import Cache


def test_the_least_recently_used_value_leaves_first():
    cache = Cache(30)
    cache.put("a", 1, 10)
    cache.put("b", 2, 10)
    cache.put("c", 3, 10)
    cache.get("a")
    cache.put("d", 4, 10)
    assert [cache.get(k) for k in "abcd"] == [1, None, 3, 4]


def test_the_cache_never_holds_more_than_its_bytes():
    cache = Cache(100)
    for k in range(50):
        cache.put(k, k, 7 + k % 5)
        assert cache.nbytes <= 100


def test_a_value_larger_than_the_cache_is_not_kept():
    cache = Cache(10)
    cache.put("big", 1, 11)
    assert cache.get("big") is None
    assert cache.nbytes == 0


def test_a_few_large_values_do_not_drive_out_many_small_ones():
    cache = Cache(100_000)
    for k in range(50):
        cache.put(("small", k), k, 900)
    for k in range(200):
        cache.put(("large", k), k, 5_000)
        assert cache.nbytes <= 100_000
    assert all(cache.get(("small", k)) == k for k in range(50))
    assert [k for k in range(200) if cache.get(("large", k)) is not None] == list(range(189, 200))


def test_small_values_may_have_all_of_it():
    cache = Cache(100_000)
    for k in range(8):
        cache.put(("large", k), k, 5_000)
    for k in range(200):
        cache.put(("small", k), k, 900)
    assert cache.get(("large", 7)) is None
    assert cache.nbytes > 98_000


def test_putting_a_key_again_counts_its_bytes_once():
    cache = Cache(100)
    cache.put("a", 1, 60)
    cache.put("a", 2, 50)
    assert (cache.get("a"), cache.nbytes) == (2, 50)


def test_thirty_callers_of_one_key_make_it_once():
    cache, made = Cache(), []

    def make():
        made.append(1)
        time.sleep(0.05)
        return "value"

    got = []
    threads = [
        threading.Thread(target=lambda: got.append(cache.get_or_make("k", make, len)))
        for _ in range(30)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(made) == 1
    assert got == ["value"] * 30


def test_after_an_error_the_next_caller_makes_it_again():
    cache = Cache()

    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get_or_make("k", fail, len)
    assert cache.get_or_make("k", lambda: "fine", len) == "fine"


def test_a_released_claim_can_be_claimed_by_another():
    cache = Cache()
    assert cache.claim("k")
    assert not cache.claim("k")
    cache.release("k")
    assert cache.claim("k")
