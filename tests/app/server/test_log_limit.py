"""Clients cannot fill the log."""

import logging

from explorer.app.server.log_limit import LINES_PER_SECOND, LONGEST, LogLimit


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
