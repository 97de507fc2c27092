import asyncio
import ipaddress

import httpx
import pytest

from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.web_address import Destination, Network, destination_of, is_public

LOOPBACK: Network = ipaddress.ip_network("127.0.0.0/8")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "240.0.0.1",
        "192.0.2.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:db8::1",
    ],
)
def test_an_address_of_this_machine_or_network_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_an_address_of_the_internet_is(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("ftp://8.8.8.8/x", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("example.com", "only http and https"),
        ("", "only http and https"),
        ("http://", "only http and https"),
        ("http://user:secret@8.8.8.8/", "user name or password"),
        ("http://[::1", "is not a URL"),
        ("http://127.0.0.1/", "local address 127.0.0.1"),
        ("http://127.1/", "local address 127.0.0.1"),
        ("http://2130706433/", "local address 127.0.0.1"),
        ("http://0x7f.0.0.1/", "local address 127.0.0.1"),
        ("http://localhost:80/", "local address"),
        ("http://[::1]/", "local address ::1"),
        ("http://[::ffff:127.0.0.1]/", "local address ::ffff:"),
        ("http://169.254.169.254/latest/meta-data", "local address 169.254.169.254"),
        ("http://0.0.0.0/", "local address 0.0.0.0"),
    ],
)
def test_what_must_not_be_fetched_is_refused(url: str, says: str) -> None:
    with pytest.raises(ToolProblem, match=says):
        asyncio.run(destination_of(url, ()))


def test_a_network_that_was_allowed_may_be_fetched_and_no_other() -> None:
    place = asyncio.run(destination_of("http://127.0.0.1:8080/x?q=1", (LOOPBACK,)))
    assert place.address == ipaddress.ip_address("127.0.0.1")
    with pytest.raises(ToolProblem, match="local address ::1"):
        asyncio.run(destination_of("http://[::1]/", (LOOPBACK,)))


def test_a_name_behind_which_one_address_is_local_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> Destination:
        loop = asyncio.get_running_loop()

        async def looked_up(host: str, port: int, **_: object) -> list:
            return [(2, 1, 6, "", ("8.8.8.8", port)), (2, 1, 6, "", ("10.0.0.1", port))]

        monkeypatch.setattr(loop, "getaddrinfo", looked_up)
        return await destination_of("https://rebind.example/", ())

    with pytest.raises(ToolProblem, match=r"local address 10\.0\.0\.1"):
        asyncio.run(scenario())


def test_the_checked_address_is_connected_to_under_the_name_of_the_site() -> None:
    place = Destination(httpx.URL("https://site.example:8443/p?q=1"), ipaddress.ip_address("2606:4700::1"))
    assert str(place.direct_url) == "https://[2606:4700::1]:8443/p?q=1"
    assert place.host_header == "site.example:8443" and place.server_name == "site.example"
