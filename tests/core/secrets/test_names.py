import pytest

from callgate.core.secrets.names import entropy, is_secret_header, looks_random, strength_of


@pytest.mark.parametrize(
    "name",
    [
        *("password", "passwd", "MY_PW", "db-password", "clientSecret", "apiKey", "API_KEY", "x-api-key", "xApiKey"),
        *("authorization", "Cookie", "set-cookie", "access_token", "refreshToken", "PGPASSWORD", "LDAP_BINDPW"),
        *("aws_secret_access_key", "private_key", "OPENAI_API_KEY2", "credentials", "AccountKey", "cf_access_secret"),
    ],
)
def test_such_a_name_stands_for_a_secret(name: str) -> None:
    assert strength_of(name) == "strong"


@pytest.mark.parametrize("name", ["key", "token", "x-custom-key", "GROQ_KEY2", "SENTRY_DSN", "auth", "gitlabtoken"])
def test_such_a_name_may_stand_for_one(name: str) -> None:
    assert strength_of(name) == "weak"


@pytest.mark.parametrize(
    "name",
    [
        *("max_tokens", "prompt_tokens", "cache_key", "prompt_cache_key", "idempotency-key", "Idempotency_Key"),
        *(
            "tokens",
            "signature",
            "thoughtSignature",
            "encrypted_content",
            "nextPageToken",
            "progressToken",
            "primaryKey",
        ),
        *(
            "monkey",
            "keyboard",
            "author",
            "PWD",
            "OLDPWD",
            "compass",
            "authorization_url",
            "token_type",
            "password_hint",
        ),
        *("public_key", "stop_token", "secret_name", "api_key_env", "", "..."),
    ],
)
def test_such_a_name_stands_for_none(name: str) -> None:
    assert strength_of(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        *("Authorization", "x-portkey-api-key", "cf-access-client-secret", "x-custom-secret", "x-session-token"),
        *("x-foo-key", "cookie", "Set-Cookie", "x-hub-signature-256", "proxy-authorization", "x-amz-security-token"),
    ],
)
def test_the_value_of_such_a_header_is_hidden(name: str) -> None:
    assert is_secret_header(name)


@pytest.mark.parametrize(
    "name",
    [
        *("content-type", "user-agent", "x-request-id", "idempotency-key", "x-ratelimit-remaining-tokens", ":path"),
        *("anthropic-ratelimit-tokens-reset", "anthropic-version", "accept", "x-stainless-lang", "host"),
    ],
)
def test_the_value_of_such_a_header_stays(name: str) -> None:
    assert not is_secret_header(name)


def test_a_value_made_by_a_machine_is_told_from_words() -> None:
    assert looks_random("9fQ2xZ71mKpL0vRtY3Wn")
    assert not looks_random("the-quick-brown-fox") and not looks_random("short1") and not looks_random("a" * 30 + "1")
    assert looks_random("550e8400-e29b-41d4-a716-446655440000")
    assert not looks_random("550e8400-e29b-41d4-a716-446655440000", as_key=True)
    assert entropy("") == 0.0 and entropy("ab") == 1.0
