import os
import shutil

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

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


_REAL = ("tests/browser/", "tests/classroom/", "tests/app/server/test_desktop_window.py")


def pytest_runtest_protocol(item, nextitem):
    """A test with a real browser or server has a second try: a busy machine may make it wait."""
    if not item.nodeid.startswith(_REAL):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
