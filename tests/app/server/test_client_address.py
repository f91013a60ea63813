"""Only the header that our own proxy sets says who a client is."""

from types import SimpleNamespace

import pytest
from tornado.httputil import HTTPHeaders

from explorer.app.server.client_address import (
    FORWARDED,
    client_address,
    is_proxy,
    network_of,
    trust_proxy,
    without_forged_headers,
)


def asked(remote: str, *headers: tuple[str, str]) -> SimpleNamespace:
    found = HTTPHeaders()
    for name, value in headers:
        found.add(name, value)
    return SimpleNamespace(remote_ip=remote, headers=found)


@pytest.fixture
def _proxy():
    trust_proxy(True)
    yield
    trust_proxy(False)


def test_without_a_proxy_no_header_counts() -> None:
    forged = asked("203.0.113.9", ("X-Forwarded-For", "127.0.0.1"), ("X-Real-Ip", "127.0.0.1"))
    assert client_address(forged) == "203.0.113.9"


@pytest.mark.usefixtures("_proxy")
def test_an_x_real_ip_of_the_client_does_not_count_behind_the_proxy() -> None:
    # Tornado has already taken X-Real-Ip for the remote address
    forged = asked("127.0.0.1", ("X-Forwarded-For", "203.0.113.9"), ("X-Real-Ip", "127.0.0.1"))
    assert client_address(forged) == "203.0.113.9"


@pytest.mark.usefixtures("_proxy")
@pytest.mark.parametrize(
    "headers",
    [
        (("X-Real-Ip", "127.0.0.1"),),
        (("X-Forwarded-For", "127.0.0.1, 203.0.113.9"),),
        (("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-For", "203.0.113.9")),
    ],
)
def test_a_missing_or_doubtful_header_names_nobody(headers) -> None:
    assert client_address(asked("127.0.0.1", *headers)) == ""


@pytest.mark.usefixtures("_proxy")
def test_a_program_on_this_machine_may_ask_without_the_proxy() -> None:
    assert client_address(asked("127.0.0.1")) == "127.0.0.1"


@pytest.mark.usefixtures("_proxy")
def test_what_a_stranger_says_of_itself_is_removed() -> None:
    named = [(name, "127.0.0.1") for name in FORWARDED]
    stranger, proxy = asked("203.0.113.9", *named), asked("127.0.0.1", *named)
    without_forged_headers(stranger.headers, "203.0.113.9")
    without_forged_headers(proxy.headers, "127.0.0.1")
    assert client_address(stranger) == "203.0.113.9"
    assert list(stranger.headers) == []
    assert len(list(proxy.headers)) == len(FORWARDED)


def test_a_proxy_elsewhere_is_believed_at_its_own_address_only() -> None:
    trust_proxy(True, ["10.0.0.2"])
    assert is_proxy("10.0.0.2")
    assert not is_proxy("127.0.0.1")
    trust_proxy(False)
    assert not is_proxy("10.0.0.2")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_addresses_of_one_ipv6_network_are_one_client(address: str, network: str) -> None:
    assert network_of(address) == network
