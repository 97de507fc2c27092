"""An address, as rows."""

import pytest

from callgate.core.calls.preview import UrlPreview
from callgate.ui.call_preview.url_rows import UrlRows


def notes(url: str, host: str) -> list[str]:
    return [row.text for row in UrlRows(UrlPreview("GET", url, host)).rows()][1:]


def test_the_host_stands_out_and_the_rest_steps_back() -> None:
    row, *others = UrlRows(UrlPreview("GET", "https://a.example:8443/x?y=1", "a.example")).rows()
    assert [row.text[start:end] for start, end in row.strong] == ["a.example"]
    assert [row.text[start:end] for start, end in row.dim] == ["https://", ":8443/x?y=1"]
    assert others == []


@pytest.mark.parametrize(
    ("url", "host", "said"),
    [
        ("https://pаypal.com/", "xn--pypal-4ve.com", "It could be taken for paypal.com."),
        ("https://bank.example@evil.example/", "evil.example", "What stands before @ is a user's name"),
        ("http://a.example/", "a.example", "not encrypted"),
        ("http://127.0.0.1:8080/", "127.0.0.1", "this computer or to the local network"),
        ("http://192.168.1.4/", "192.168.1.4", "this computer or to the local network"),
        ("https://8.8.8.8/", "8.8.8.8", "bare number"),
        ("https://bank.example.login.secure.account.evil.example/", "bank.example.login.secure.account.evil.example",
         "what counts is its end, evil.example"),
        ("not an address", "", "no address"),
        ("https://[", "https://[", "no address"),
    ],
)  # fmt: skip
def test_what_could_deceive_is_said(url: str, host: str, said: str) -> None:
    assert any(said in note for note in notes(url, host))


def test_a_plain_address_has_no_notes() -> None:
    assert notes("https://docs.python.org/3/library/", "docs.python.org") == []
