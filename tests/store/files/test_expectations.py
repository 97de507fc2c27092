"""What was expected, in words a person can act on."""

import pytest
from pydantic import ValidationError

from callgate.core.config.settings import Settings
from callgate.store.files.expectations import complaint, spell

UPSTREAM = {"name": "a", "wire": "anthropic", "base_url": "https://h"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"server": {"port": "8080"}}, 'expected a whole number from 0 to 65535, got "8080"'),
        ({"server": {"port": 70000}}, "expected a number from 0 to 65535, got 70000"),
        ({"server": {"port": True}}, "expected a whole number from 0 to 65535, got true"),
        ({"server": {"host": 1}}, "expected text in quotes, got 1"),
        ({"server": 5}, "expected a table, got 5"),
        (
            {"server": {"rate_limit": "fast"}},
            'expected "N/second", "N/minute", "N/hour", or "" for no limit, got "fast"',
        ),
        (
            {"server": {"prot": 1}},
            "unknown key; did you mean 'port'? expected one of: host, port, token, rate_limit, tool_history, "
            "allowed_origins, relay_unjudged, max_connections, max_header_kilobytes, header_timeout_seconds, "
            "body_timeout_seconds, keep_alive_seconds",
        ),
        ({"gate": {"tools_enabled": "no"}}, 'expected true or false, got "no"'),
        ({"gate": {"deadline_seconds": 0}}, "expected a number above 0, got 0"),
        ({"gate": {"client_tools": "deny"}}, "expected one of 'ask' or 'observe', got \"deny\""),
        ({"upstreams": [{**UPSTREAM, "models": "gpt"}]}, 'expected a list in [ ], got "gpt"'),
        ({"upstreams": [{**UPSTREAM, "name": "a b"}]}, "expected letters, digits, '_', '.' and '-' only, got \"a b\""),
        ({"upstreams": [{"name": "a", "base_url": "x"}]}, "missing; it must be given"),
        ({"upstreams": [{**UPSTREAM, "base_url": ""}]}, "base_url is missing (or vertex = { project, location })"),
        ({"rules": [{"verdict": "allow", "uses": 0}]}, "expected a number from 1, got 0"),
        ({"rules": {}}, "expected a list in [ ], got a table"),
    ],
)
def test_each_mistake_is_told_with_what_was_expected(data: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(data)
    (error,) = caught.value.errors()
    assert complaint(error) == said


def test_a_key_in_the_wrong_place_is_not_repeated() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"upstreams": [{**UPSTREAM, "key": "my-own-secret"}]})
    (error,) = caught.value.errors()
    assert "my-own-secret" not in complaint(error)
    assert "'keyring'" in complaint(error)


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"server": {"port": "9" * 500}})
    assert len(complaint(caught.value.errors()[0])) < 150


def test_a_path_is_spelled_as_people_write_it() -> None:
    assert spell(("upstreams", 1, "vertex", "project")) == "upstreams[1].vertex.project"
