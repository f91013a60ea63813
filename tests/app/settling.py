"""Waiting until a session's work is done."""

import time


def settle(session, seconds=400):
    """Wait until nothing of this session is being computed or waits for its turn."""
    end = time.monotonic() + seconds
    while session.worker.busy:
        assert time.monotonic() < end, f"The session was still at work after {seconds} s."
        time.sleep(0.01)
