"""What must not leave the machine is taken out, wherever it stands; what only looks a bit like it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.secrets.redaction import RedactionChoice, Redactor

KEY = "sk-proj-abcDEF0123456789abcdef"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        (f"my key is {KEY}, ok?", KEY, "key"),
        (f'{{"key":"{KEY}"}}', KEY, "key"),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "key"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnop", "key"),
        ("aws AKIAIOSFODNN7EXAMPLE done", "AKIAIOSFODNN7EXAMPLE", "key"),
        ("slack xoxb-1234567890-abcdefghij", "xoxb-1234567890", "key"),
        ("Authorization: Bearer abcdef.ghijkl-mnopqrstuv", "ghijkl-mnopqrstuv", "header"),
        ('curl -H "Authorization: Basic dXNlcjpwYXNzd29yZA=="', "dXNlcjpwYXNzd29yZA", "header"),
        ('{"x-api-key": "abcd-1234-efgh"}', "abcd-1234-efgh", "header"),
        ("Cookie: session=abc123def456", "abc123def456", "header"),
        ("use bearer abcdefghijklmnop0123 there", "abcdefghijklmnop0123", "token"),
        (f"token {JWT} end", JWT, "token"),
        (PEM, "MIIEpAIBAAKCAQEA7", "private key"),
        (f"cut off: {PEM[:60]}", "MIIEpAIBAAKC", "private key"),
        ("https://x.test/v1?alt=sse&key=abc123&z=1", "abc123", "address parameter"),
        ("postgres://bob:hunter2@db.test/main", "hunter2", "password"),
        ("OPENAI_API_KEY=abc123def456", "abc123def456", "named secret"),
        ('"client_secret": "s3cr3t-value"', "s3cr3t-value", "named secret"),
        (r"{\"password\": \"hunter22\"}", "hunter22", "named secret"),
        ("export DB_PASSWORD='pa55word!'", "pa55word", "named secret"),
    ],
)
def test_secrets_are_taken_out_and_counted(text: str, secret: str, kind: str) -> None:
    redactor = Redactor(RedactionChoice())
    clean = redactor.text(text)
    assert secret not in clean
    assert f"[redacted {kind}]" in clean
    assert redactor.counts[kind] == 1
    assert redactor.text(clean) == clean, "once is enough"


@pytest.mark.parametrize(
    "text",
    [
        '{"max_tokens": 1024, "total_tokens": 40320}',
        "token = get_token()",
        '{"password": {"type": "string", "minLength": 8}}',
        "def test_key(): assert key == 1",
        "The task-force asked about risk-assessment-2024-final",
        "Authorization is needed; see the basics of bearer tokens.",
        "https://example.com/path?page=2&sort=key",
        "conv_TydWgXVuPwpglpQXvq0ZPyOy and call_4fG0123456789abcdefghijk",
        "10:42:07 GET /v1/messages 200",
        "user@host:/home/jo/notes.txt",
    ],
)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    assert Redactor(RedactionChoice()).text(text) == text


def test_mail_and_homes_go_only_where_that_was_chosen() -> None:
    text = "jo@example.com wrote /home/jo/a.txt, /Users/jo/b and C:\\Users\\jo\\c"
    assert Redactor(RedactionChoice()).text(text) == text
    clean = Redactor(RedactionChoice(emails=True, home_paths=True)).text(text)
    assert clean == "[redacted e-mail address] wrote ~/a.txt, ~/b and ~\\c"


def test_nothing_chosen_changes_nothing() -> None:
    redactor = Redactor(RedactionChoice(secrets=False))
    assert redactor.is_idle
    assert redactor.text(KEY) == KEY


def test_values_under_telling_keys_and_headers_go_whole() -> None:
    redactor = Redactor(RedactionChoice())
    value = redactor.json({"api_key": "plain1", "note": ["fine", {"x": KEY}], "password": "", "max_tokens": 5})
    assert value == {
        "api_key": "[redacted named secret]",
        "note": ["fine", {"x": "[redacted key]"}],
        "password": "",
        "max_tokens": 5,
    }
    head = redactor.head((("Authorization", "whatever"), ("Accept", "*/*"), ("x-note", f"uses {KEY}")))
    assert head == (("Authorization", "[redacted header]"), ("Accept", "*/*"), ("x-note", "uses [redacted key]"))


@given(st.text(max_size=300))
def test_any_text_can_be_looked_through_twice(text: str) -> None:
    redactor = Redactor(RedactionChoice(emails=True, home_paths=True))
    once = redactor.text(text)
    assert redactor.text(once) == once


def test_a_long_text_without_end_takes_no_long_time() -> None:
    for hostile in (
        "-----BEGIN PRIVATE KEY-----" * 2000,
        "a" * 200_000,
        "api_key=" * 20_000,
        "@" * 100_000,
        "x:" * 50_000,
    ):
        Redactor(RedactionChoice(emails=True, home_paths=True)).text(hostile)
