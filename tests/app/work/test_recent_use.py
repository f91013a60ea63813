"""What was used long ago counts less."""

import pytest

from explorer.app.work import recent_use
from explorer.app.work.recent_use import RecentUse


def test_half_of_what_was_used_is_forgotten_after_the_half_life(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(recent_use.time, "monotonic", lambda: now[0])
    use = RecentUse(half_life=10.0)
    use.add(4.0)
    now[0] += 10.0
    assert use.now() == pytest.approx(2.0)
    use.add(1.0)
    assert use.now() == pytest.approx(3.0)
    assert use.steps(0.8) == 3
