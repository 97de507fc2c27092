import pytest

from callgate.core.rules.web_url import UNSAFE, canonical_url, uniform_path


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("HTTPS://Example.COM", "https://example.com/"),
        ("https://example.com:443/a/../b", "https://example.com/b"),
        ("http://example.com:8080/a?x=1#y", "http://example.com:8080/a?x=1"),
        ("https://example.com./a/", "https://example.com/a/"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("http://[::1]/x", "http://[::1]/x"),
        ("http://[0:0:0:0:0:0:0:1]:80/x", "http://[::1]/x"),
        ("http://192.168.0.1/x", "http://192.168.0.1/x"),
        ("https://h/%41", "https://h/A"),
        ("https://h/%ff", "https://h/%FF"),
    ],
)
def test_two_spellings_of_one_place_are_one(text: str, plain: str) -> None:
    assert canonical_url(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "https://good.com@evil.com/",
        "https://good.com\\@evil.com/",
        "file:///etc/passwd",
        "https://h/a%2f..%2fb",
        "https://h/%2e%2e/x",
        "https://h/a b",
        "https://h:99999/",
        "https://[::1/",
        "//h/x",
        "https://h\u202e/x",
        "https://faß.de/",  # fass.de to the older standard, a host of its own to the newer
        "https://ς.gr/",
        "https://ﬁsh.com/",
        "https://ｇood.com/",
        "https://good。com/",
        "https://good.com../",
        "https://a..b/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://2130706433/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1%25eth0]/",
        "https://h/..;/admin",
        "https://good.com%2eevil.com/",
        "",
    ],
)
def test_what_can_be_read_in_two_ways_is_unsafe(text: str) -> None:
    assert canonical_url(text) == UNSAFE + text


def test_signs_that_are_asked_for_stay_in_a_path() -> None:
    assert uniform_path("/a b/*|", "*") == "/a%20b/*%7C"
