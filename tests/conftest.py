import os
import shutil

import numpy as np
import pytest

CHROMIUM = os.environ.get("EXPLORER_CHROMIUM") or shutil.which("chromium") or ""


@pytest.fixture
def rng() -> np.random.Generator:
    """One seeded source of randomness per test."""
    return np.random.default_rng(20110905)


@pytest.fixture(scope="session")
def browser():
    """A real Chromium, one for all tests."""
    if not CHROMIUM:
        reason = "There is no Chromium on this machine; set EXPLORER_CHROMIUM to its path."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        launched = play.chromium.launch(
            executable_path=CHROMIUM,
            args=["--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
        )
        yield launched
        launched.close()
