"""Ten thousand damaged files over all formats: spectra, or a sentence, and no hanging."""

import os

import fuzz_instruments
import pytest

CASES = 10_000
SHARE = {"text": 3, "spc": 2, "jcamp": 2}


def test_at_least_ten_thousand_cases_are_tried():
    assert sum(cases(key) for key in fuzz_instruments.GOOD) >= CASES


def cases(key: str) -> int:
    parts = sum(SHARE.get(k, 1) for k in fuzz_instruments.GOOD)
    return -(-CASES * SHARE.get(key, 1) // parts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("key", list(fuzz_instruments.GOOD))
def test_a_damaged_file_gives_spectra_or_a_sentence(key):
    fuzz_instruments.fuzz(key, cases(key), seed=7)
