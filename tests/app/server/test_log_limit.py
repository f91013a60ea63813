"""Clients cannot fill the log."""

import logging
import sys

from explorer.app.server.log_limit import (
    LINES_PER_SECOND,
    LONGEST,
    MESSAGES,
    NAMES,
    LogLimit,
    install,
)


def record(text, *values):
    return logging.LogRecord("tornado.access", logging.WARNING, "", 0, text, values, None)


def test_a_long_line_is_cut():
    one = record("404 GET %s", "/" + "a" * 60_000)
    assert LogLimit(lambda: 0.0).filter(one)
    assert len(one.getMessage()) < LONGEST + 10


def test_lines_beyond_the_rate_are_left_out_and_counted():
    now = [0.0]
    limit = LogLimit(lambda: now[0])
    kept = [limit.filter(record("404 GET /")) for _ in range(LINES_PER_SECOND + 7)]
    assert sum(kept) == LINES_PER_SECOND
    now[0] = 1.0
    one = record("404 GET /")
    assert limit.filter(one)
    assert one.getMessage() == "404 GET / (7 lines of other requests are left out)"


def test_a_message_that_could_not_be_handled_is_one_line_without_a_traceback():
    try:
        raise ValueError("nonsense")
    except ValueError:
        one = logging.LogRecord(
            "panel.reactive", logging.ERROR, "", 0, "failed\n  for %s", ("it",), sys.exc_info()
        )
    assert LogLimit(lambda: 0.0, lines=2, seconds=60, brief=True).filter(one)
    assert logging.Formatter().format(one) == "failed for it"


def test_a_rate_may_be_of_a_minute():
    now = [0.0]
    limit = LogLimit(lambda: now[0], lines=2, seconds=60)
    kept = []
    for now[0] in (0.0, 1.0, 30.0, 59.0, 60.0):
        kept.append(limit.filter(record("failed")))
    assert kept == [True, True, False, False, True]


def test_no_logger_is_muted():
    before = {name: logging.getLogger(name).level for name in (*NAMES, *MESSAGES)}
    install()
    assert {name: logging.getLogger(name).level for name in before} == before
