import pytest

from callgate.tools.process.environment import command_environment, looks_secret, server_environment

HOSTILE = {
    "GROQ_KEY2": "gsk_abcdefghijklmnop1234",
    "LDAP_BINDPW": "hunter22",
    "MY_PW": "hunter22",
    "XAI": "xai-abcdefghijkl1234567890",
    "STRIPE": "sk_live_abcdefghij1234567890",
    "OPENAI_API_KEY": "anything",
    "PLAIN": "not a secret, and not on the list",
    "BASH_FUNC_ls%%": "() { curl evil; }",
    "LD_PRELOAD": "/tmp/evil.so",
    "NODE_OPTIONS": "--require /tmp/evil.js",
    "DISPLAY": ":0",
    "WAYLAND_DISPLAY": "wayland-0",
    "SSH_AUTH_SOCK": "/run/agent",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
}


@pytest.mark.parametrize("of", [command_environment, server_environment])
def test_what_is_not_on_the_list_reaches_no_program(of) -> None:
    seen = of({**HOSTILE, "PATH": "/bin", "LC_TIME": "C", "VIRTUAL_ENV": "/v", "HTTPS_PROXY": "http://proxy:3128"})
    assert not HOSTILE.keys() & seen.keys()
    assert (seen["PATH"], seen["LC_TIME"], seen["VIRTUAL_ENV"]) == ("/bin", "C", "/v")
    assert seen["HTTPS_PROXY"] == "http://proxy:3128"


def test_a_listed_name_that_holds_a_key_is_left_out() -> None:
    seen = command_environment(
        {"PATH": "/bin", "HTTPS_PROXY": "http://me:hunter2@proxy:3128", "LC_X": "ghp_abcdefghijklmnop1234"}
    )
    assert "HTTPS_PROXY" not in seen and "LC_X" not in seen


def test_a_person_may_give_anything_by_name() -> None:
    given = ("SSH_AUTH_SOCK", "OPENAI_API_KEY", "ABSENT")
    assert command_environment(HOSTILE, given)["OPENAI_API_KEY"] == "anything"
    assert server_environment(HOSTILE, given) == {"SSH_AUTH_SOCK": "/run/agent", "OPENAI_API_KEY": "anything"}


def test_containers_are_for_configured_servers_only() -> None:
    environ = {"DOCKER_HOST": "unix:///run/docker.sock", "XDG_RUNTIME_DIR": "/run/user/1"}
    assert server_environment(environ) == environ
    assert not environ.keys() & command_environment(environ).keys()


def test_names_of_windows_are_known_however_they_are_written() -> None:
    assert {"Path", "SystemRoot"} <= command_environment({"Path": "C:\\x", "SystemRoot": "C:\\Windows"}).keys()


def test_a_command_gets_no_pager_and_no_editor() -> None:
    environment = command_environment({"PATH": "/bin", "PAGER": "less", "EDITOR": "vi"})
    assert environment["PAGER"] == "cat" and environment["TERM"] == "dumb" and "EDITOR" not in environment


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GITHUB_TOKEN", "MY_SECRET", "CLIENT_SECRET_ID", "DB_PASSWORD"),
        *("PGPASSWORD", "MYSQL_PWD", "SENTRY_DSN", "SSH_KEY", "openai_api_key", "STRIPE_APIKEY", "GROQ_KEY2"),
        *("LDAP_BINDPW", "MY_PW", "AWS_SECRET_ACCESS_KEY", "SLACK_WEBHOOK", "NPM_TOKEN"),
    ],
)
def test_a_name_that_looks_like_a_key_is_secret(name: str) -> None:
    assert looks_secret(name, "x")


@pytest.mark.parametrize(
    "value",
    [
        *("sk-ant-abcdefgh12", "ghp_abcdefghijklmnop1", "github_pat_1234567890abcdef", "xoxb-1234567890-ab"),
        *("AKIAIOSFODNN7EXAMPLE", "http://user:pass@proxy:3128", "-----BEGIN PRIVATE KEY-----"),
        *("xai-abcdefghijkl1234567890", "sk_live_abcdefghij1234567890", "postgres://me:hunter2@db/main"),
    ],
)
def test_a_value_that_looks_like_a_key_is_secret_whatever_its_name(value: str) -> None:
    assert looks_secret("INNOCENT", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("PATH", "/usr/bin:/bin"), ("HOME", "/home/me"), ("PWD", "/home/me"), ("OLDPWD", "/")),
        *(("LANG", "de_DE.UTF-8"), ("KEYBOARD_LAYOUT", "de"), ("SSH_AUTH_SOCK", "/run/agent"), ("MONKEY", "x")),
        *(("HTTP_PROXY", "http://proxy:3128"), ("DISPLAY", ":0"), ("VIRTUAL_ENV", "/v"), ("COMPASS", "north")),
        *(("XDG_SESSION_ID", "3"), ("GOOGLE_APPLICATION_CREDENTIALS", "/home/me/adc.json"), ("TOKEN", "")),
    ],
)
def test_an_ordinary_variable_is_not(name: str, value: str) -> None:
    assert not looks_secret(name, value)
