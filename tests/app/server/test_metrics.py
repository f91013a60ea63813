import re

from explorer.app.server.metrics import memory_bytes, metrics


def test_every_metric_has_a_name_a_type_and_a_number():
    text = metrics(sessions=3, ready=1, waiting=2)
    names = re.findall(r"^# TYPE (\S+) ", text, re.M)
    assert names
    assert len(set(names)) == len(names)
    values = [line for line in text.splitlines() if line and not line.startswith("#")]
    odd = [v for v in values if not re.fullmatch(r"[a-z_]+(\{[^}]*\})? [0-9.e+-]+", v)]
    assert odd == []


def test_this_process_uses_memory():
    assert memory_bytes() > 1 << 20
