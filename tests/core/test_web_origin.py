import pytest

from callgate.core.web_origin import is_loopback, read_host, read_origin

NO_HOST = [
    "",
    " localhost",
    "localhost ",
    "local host",
    "localhost.",
    "127.0.0.1.:80",
    "evil.com@127.0.0.1",
    "127.0.0.1#.evil.com",
    "127.0.0.1?.evil.com",
    "127.0.0.1/.evil.com",
    "127.0.0.1\\evil.com",
    "127.0.0.1%00",
    "127.0.0.1%2eevil.com",
    "127.0.0.1, evil.com",
    "127.0.0.1:",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "127.0.0.1:80:80",
    "127.0.0.1:8o",
    "127.0.0.1:+80",
    "127.0.0.1:８０",
    "１２７.0.0.1",
    "localhost\u200b",
    "lo..calhost",
    "-localhost",
    "[::1",
    "::1",
    "[::1]x",
    "[::1%lo]",
    "[localhost]",
    "[127.0.0.1]",
    "http://localhost",
    "a" * 300,
]


@pytest.mark.parametrize("header", NO_HOST)
def test_what_is_not_exactly_a_host_and_a_port_is_none(header: str) -> None:
    assert read_host(header) is None
    assert read_origin(f"http://{header}") is None


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("localhost", ("localhost", None)),
        ("LocalHost:8080", ("localhost", 8080)),
        ("127.0.0.1:1", ("127.0.0.1", 1)),
        ("[::1]:65535", ("::1", 65535)),
        ("[0:0:0:0:0:0:0:1]", ("::1", None)),
        ("my-box.example", ("my-box.example", None)),
    ],
)
def test_a_host_is_read(header: str, read: tuple[str, int | None]) -> None:
    assert read_host(header) == read


@pytest.mark.parametrize(
    "header",
    ["null", "", "localhost", "file://", "ftp://localhost", "http://", "http://localhost/", "http://a@localhost",
     "chrome-extension://abc", "//localhost", "http:/localhost", "http://localhost http://evil.com"],
)  # fmt: skip
def test_an_origin_that_is_none_is_not_read(header: str) -> None:
    assert read_origin(header) is None


@pytest.mark.parametrize(
    ("header", "origin"),
    [
        ("http://localhost:3000", "http://localhost:3000"),
        ("HTTP://LOCALHOST:80", "http://localhost"),
        ("https://localhost:443", "https://localhost"),
        ("http://localhost:443", "http://localhost:443"),
        ("http://[0::1]:5173", "http://[::1]:5173"),
    ],
)
def test_an_origin_has_one_normal_form(header: str, origin: str) -> None:
    assert read_origin(header) == origin
    assert is_loopback(origin)


def test_other_machines_are_not_loopback() -> None:
    assert not is_loopback("http://192.168.0.7")
    assert not is_loopback("https://localhost.evil.example")
