"""Addresses are written down with where they lead and without what opens doors."""

import pytest

from callgate.core.secrets.shown_url import shown_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1/chat/completions"),
        ("https://me:hunter2@proxy.test:8443/v1/messages", "https://proxy.test:8443/v1/messages"),
        ("http://127.0.0.1:9/v1beta/models/g:streamGenerateContent?alt=sse", None),
        ("http://h/v1?api-version=2024-10-21&sig=abc&code=xyz", "http://h/v1?api-version=2024-10-21&sig=***&code=***"),
        ("http://h/v1?key=AIzaSECRET#frag", "http://h/v1?key=***"),
        ("http://h/sk-abcdefghijklmnop/v1", "http://h/***/v1"),
        ("http://h/v1?flag&empty=", "http://h/v1?flag&empty="),
        ("http://[::1/v1", ""),
    ],
)
def test_only_harmless_parts_stay(url: str, shown: str | None) -> None:
    assert shown_url(url) == (url if shown is None else shown)
