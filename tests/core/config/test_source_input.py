import pytest

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets, inputs_of, looks_secret


def server(*command: str, **more: object) -> SourceSettings:
    said = {"command": list(command)} if command else {}
    return SourceSettings.model_validate({"name": "srv", "kind": "mcp", **said, **more})


def test_secrets_of_env_headers_arguments_and_address_become_inputs() -> None:
    env = {"GITHUB_TOKEN": "abc", "LANG": "de", "OTHER": "sk-abcdefghijklmnop"}
    hidden = hide_secrets(server("srv", "--api-key", "k1", "--token=k2", "--port", "80", env=env))
    assert hidden.settings.env == {"GITHUB_TOKEN": "${input:GITHUB_TOKEN}", "LANG": "de", "OTHER": "${input:OTHER}"}
    assert hidden.settings.command == (
        "srv",
        "--api-key",
        "${input:api-key}",
        "--token=${input:token}",
        "--port",
        "80",
    )
    assert hidden.values == {"GITHUB_TOKEN": "abc", "OTHER": "sk-abcdefghijklmnop", "api-key": "k1", "token": "k2"}
    assert all(known.password for known in hidden.settings.inputs)
    remote = hide_secrets(
        server(url="https://x.example/mcp?api_key=12345", headers={"Authorization": "Bearer t", "X-Team": "a"})
    )
    assert remote.settings.url == "${input:address}"
    assert remote.settings.headers == {"Authorization": "${input:Authorization}", "X-Team": "a"}


def test_what_is_asked_for_already_stays_as_it_is_and_hiding_twice_changes_nothing() -> None:
    settings = server("srv", "--token", "${input:mine}", env={"API_KEY": "${env:API_KEY}"})
    assert hide_secrets(settings).values == {}
    once = hide_secrets(server("srv", env={"KEY": "a", "Key": "b"}))
    assert len(once.values) == 2
    assert hide_secrets(once.settings).settings == once.settings


def test_two_secrets_of_one_name_do_not_become_one() -> None:
    hidden = hide_secrets(server("srv", "--token", "a", "--token", "b"))
    assert hidden.values == {"token": "a", "token-2": "b"}


def test_inputs_are_found_wherever_they_stand_each_once() -> None:
    settings = server("srv", "${input:a}", "${input:b}${input:a}", env={"X": "${input:c}"}, cwd="${input:d}")
    assert inputs_of(settings) == ("a", "b", "d", "c")


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [("API_KEY", "x", True), ("PASSWORD", "", False), ("HOME", "/root", False), ("X", "${input:x}", False)],
)
def test_a_value_is_known_for_a_secret_by_name_or_look(name: str, value: str, secret: bool) -> None:
    assert looks_secret(name, value) is secret
