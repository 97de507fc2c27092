"""Which addresses a tool may reach: the public internet, and what was allowed by name.

A model can be talked into asking for `http://localhost/` or a cloud's metadata service; names are looked up and every
address behind them is checked, and the checked address is the one that is connected to.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass

import httpx

from callgate.tools.builtin.source import ToolProblem

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Destination:
    """A URL and the one checked address that it is fetched from."""

    url: httpx.URL
    address: Address

    @property
    def direct_url(self) -> httpx.URL:
        """The URL with the address in place of the name, so that the name is not looked up a second time."""
        return self.url.copy_with(host=str(self.address))

    @property
    def host_header(self) -> str:
        return self.url.netloc.decode("ascii")

    @property
    def server_name(self) -> str:
        """The name that the server's certificate must have."""
        return self.url.raw_host.decode("ascii").strip("[]")


def is_public(address: Address) -> bool:
    """Whether an address is on the open internet; one that wraps another is judged by that too."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


async def destination_of(url: str | httpx.URL, allowed: Collection[Network]) -> Destination:
    """Where a URL leads; raises `ToolProblem` where it must not."""
    parsed = _parsed(url)
    host = parsed.raw_host.decode("ascii").strip("[]")
    port = parsed.port or _PORTS[parsed.scheme]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as unknown:
        raise ToolProblem(f"The host {host!r} is not known") from unknown
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    for address in addresses:
        if not is_public(address) and not any(address in network for network in allowed):
            raise ToolProblem(f"{host} is the local address {address}: only the public internet may be fetched")
    if not addresses:
        raise ToolProblem(f"The host {host!r} has no address")
    return Destination(parsed, addresses[0])


def _parsed(url: str | httpx.URL) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as bad:
        raise ToolProblem(f"{url!r} is not a URL: {bad}") from bad
    if parsed.scheme not in _PORTS or not parsed.host:
        raise ToolProblem(f"{str(parsed)!r} cannot be fetched: only http and https URLs can")
    if parsed.userinfo:
        raise ToolProblem("A URL with a user name or password in it is not fetched")
    return parsed
