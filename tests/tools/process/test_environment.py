import pytest

from callgate.tools.process.environment import command_environment, looks_secret


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "GITHUB_TOKEN",
        "GH_TOKEN",
        "NPM_TOKEN",
        "MY_SECRET",
        "CLIENT_SECRET_ID",
        "AWS_ACCESS_KEY_ID",
        "AWS_PROFILE",
        "AZURE_TENANT",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "DB_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "DATABASE_URL",
        "SENTRY_DSN",
        "SSH_KEY",
        "openai_api_key",
        "STRIPE_APIKEY",
        "VAULT_ADDR",
    ],
)
def test_a_name_that_looks_like_a_key_is_secret(name: str) -> None:
    assert looks_secret(name, "x")


@pytest.mark.parametrize(
    "value",
    [
        "sk-abc",
        "ghp_abc",
        "github_pat_1",
        "xoxb-1",
        "AKIAABC",
        "AIzaX",
        "eyJhbGciOi",
        "http://user:pass@proxy:3128",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_a_value_that_looks_like_a_key_is_secret_whatever_its_name(value: str) -> None:
    assert looks_secret("INNOCENT", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/home/me"),
        ("PWD", "/home/me"),
        ("OLDPWD", "/"),
        ("LANG", "de_DE.UTF-8"),
        ("KEYBOARD_LAYOUT", "de"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("MONKEY", "x"),
        ("HTTP_PROXY", "http://proxy:3128"),
        ("DISPLAY", ":0"),
        ("VIRTUAL_ENV", "/home/me/.venv"),
        ("COMPASS", "north"),
    ],
)
def test_an_ordinary_variable_is_not(name: str, value: str) -> None:
    assert not looks_secret(name, value)


def test_a_command_gets_neither_secrets_nor_a_pager() -> None:
    environment = command_environment(
        {"PATH": "/bin", "MY_LLM": "k", "A_TOKEN": "t", "PAGER": "less"}, secret_names={"MY_LLM"}
    )
    assert environment["PATH"] == "/bin" and environment["PAGER"] == "cat" and environment["TERM"] == "dumb"
    assert "MY_LLM" not in environment and "A_TOKEN" not in environment
