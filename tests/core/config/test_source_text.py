import json
import tomllib

from callgate.core.config.settings import Settings, SourceSettings
from callgate.core.config.source_text import spell_servers, spell_source, spell_toml

SERVER = {
    "name": "git",
    "kind": "mcp",
    "command": ["uvx", "mcp-server-git", 'a "quoted" word\\'],
    "env": {"WEIRD KEY": "1\x7f"},
    "inputs": [{"id": "a", "description": "An a", "options": ["x", "y"]}],
    "enabled": False,
}
COMMANDS = {
    "name": "mine",
    "kind": "command",
    "tools": [
        {
            "name": "count",
            "argv": ["wc", "-w", "{file}"],
            "schema": {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]},
            "annotations": {"readOnlyHint": True},
            "displayName": "Count",
        }
    ],
}


def test_settings_come_back_from_json_and_from_toml_as_they_were() -> None:
    for said in (SERVER, COMMANDS):
        settings = SourceSettings.model_validate(said)
        assert SourceSettings.model_validate(json.loads(json.dumps(spell_source(settings)))) == settings
        assert Settings.model_validate(tomllib.loads(spell_toml(settings))).sources == (settings,)


def test_other_programs_get_the_shape_they_know() -> None:
    settings = SourceSettings.model_validate({**SERVER, "env": {}, "cwd": "sub"})
    assert json.loads(spell_servers(settings)) == {
        "mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git", 'a "quoted" word\\'], "cwd": "sub"}}
    }
    remote = SourceSettings(name="r", kind="mcp", url="http://localhost/mcp", headers={"A": "b"})
    assert json.loads(spell_servers(remote))["mcpServers"]["r"] == {
        "type": "http",
        "url": "http://localhost/mcp",
        "headers": {"A": "b"},
    }
