"""Which address a request comes from, also behind a proxy.

With `--behind-proxy`, Tornado takes the address from X-Real-Ip before X-Forwarded-For, and a client
could send an X-Real-Ip of its own through a proxy that passes it on. Only X-Forwarded-For counts
here, which our nginx configuration sets to the one address that it sees; and only on connections
that come from the proxy's own address. Without a proxy no header counts at all.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
FORWARDED = ("X-Forwarded-For", "X-Real-Ip", "X-Forwarded-Proto", "X-Scheme", "X-Forwarded-Host")

_behind_proxy = False
_proxies: frozenset[str] = frozenset(LOOPBACK)


def trust_proxy(behind_proxy: bool, proxies: Iterable[str] = ()) -> None:
    """Whether this server is reached through a proxy, and at which addresses the proxy is.

    Said once, at the start. Without addresses the proxy is on this machine.
    """
    global _behind_proxy, _proxies
    _behind_proxy = behind_proxy
    _proxies = frozenset(proxies) or frozenset(LOOPBACK)


def is_proxy(peer: str) -> bool:
    """Whether connections from this address come from the proxy."""
    return _behind_proxy and peer in _proxies


def client_address(request: Any) -> str:
    """The address of the client; "" if the headers are not as our proxy sets them.

    Without any such header the request did not come through the proxy: a program on this machine,
    such as Prometheus, asks the server itself. (What others than the proxy forward was removed
    before, by `without_forged_headers`.)
    """
    forwarded = request.headers.get_list("X-Forwarded-For")
    direct = not forwarded and "X-Real-Ip" not in request.headers
    if not _behind_proxy or direct:
        return request.remote_ip or ""
    if len(forwarded) != 1 or "," in forwarded[0]:
        return ""
    return str(forwarded[0]).strip()


def without_forged_headers(headers: Any, peer: str) -> None:
    """Remove what only a proxy may say, unless the connection comes from the proxy."""
    if not is_proxy(peer):
        for name in FORWARDED:
            if name in headers:
                del headers[name]


def network_of(address: str) -> str:
    """What counts as one client: an address, and of IPv6 the network that one customer gets."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False))
