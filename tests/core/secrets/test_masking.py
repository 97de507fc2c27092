"""No secret gets through, and ordinary words do."""

import pytest

from callgate.core.secrets.masking import MASK, mask, mask_head

SECRET = "s3cr3t-v4lue-0123456789"


@pytest.mark.parametrize(
    "name",
    [
        "authorization",
        "Authorization",
        "X-API-Key",
        "x-goog-api-key",
        "Cookie",
        "Set-Cookie",
        "PROXY-AUTHORIZATION",
        "api-key",
    ],
)
def test_the_value_of_a_secret_header_is_hidden_whatever_its_case(name: str) -> None:
    assert mask_head(((name, SECRET),)) == ((name, MASK),)


def test_the_scheme_of_an_authorization_stays() -> None:
    assert mask_head((("authorization", f"Bearer {SECRET}"),)) == (("authorization", f"Bearer {MASK}"),)


@pytest.mark.parametrize("prefix", ["/v1beta/models/g:generateContent?key=", "https://h/x?alt=sse&key="])
def test_a_key_in_an_address_is_hidden_in_any_header(prefix: str) -> None:
    assert mask_head(((":path", f"{prefix}{SECRET}&b=1"),)) == ((":path", f"{prefix}{MASK}&b=1"),)


@pytest.mark.parametrize("name", ["content-type", "user-agent", "x-request-id"])
def test_other_headers_stay_as_they_are(name: str) -> None:
    assert mask_head(((name, "application/json; keyed=1"),)) == ((name, "application/json; keyed=1"),)


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"authorization: Basic {SECRET}\r\nhost: h",
        f"{{'x-api-key': '{SECRET}', 'host': 'h'}}",
        f'{{"authorization": "Bearer {SECRET}"}}',
        f"[(b'api-key', b'{SECRET}')]",
        f"Client error '400' for url 'https://h/v1?key={SECRET}'",
        f"sent bearer {SECRET} upstream",
    ],
)
def test_secrets_in_words_are_hidden(text: str) -> None:
    assert SECRET not in mask(text)
    assert MASK in mask(text)


@pytest.mark.parametrize(
    "key",
    [
        "sk-abcdefgh12345678",
        "sk-proj-Ab_12345678-xyz",
        "sk-ant-api03-abcdefgh",
        "cg_zS4xGDGEAfRmC_gGXf2CfaTj9muTZmvG4ViZlVRepYM",
        "AIza" + "x" * 35,
        "ghp_" + "a1" * 18,
    ],
)
def test_keys_are_known_by_their_looks(key: str) -> None:
    assert mask(f"Incorrect API key provided: {key}.") == f"Incorrect API key provided: {MASK}."


@pytest.mark.parametrize(
    "text",
    [
        "The task-force-of-twelve sat at a desk-and-chair.",
        "a bearer of news",
        "https://h/v1/tools?tags=a&name=get_*",
        "keys: a=1",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert mask(text) == text
