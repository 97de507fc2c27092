"""A source's settings written out: as Callgate's own JSON and TOML, and as other programs read them. Pure."""

import json
from collections.abc import Mapping
from typing import cast

from callgate.core.config.settings import SourceSettings
from callgate.core.config.toml_text import toml_pairs
from callgate.core.messages import Json


def spell_source(settings: SourceSettings) -> dict[str, Json]:
    """All that was said of it, under the names that the configuration reads."""
    said = cast(dict[str, Json], settings.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    tools = said.get("tools")
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict) and "input_schema" in tool:
            tool["schema"] = tool.pop("input_schema")
    return {"name": settings.name, "kind": settings.kind, **said}


def spell_servers(settings: SourceSettings) -> str:
    """As Claude Desktop, Cursor and others read it: `mcpServers`."""
    entry: dict[str, Json] = {}
    if settings.command:
        entry["command"] = settings.command[0]
        if settings.command[1:]:
            entry["args"] = list(settings.command[1:])
    else:
        entry["type"] = settings.transport or "http"
        entry["url"] = settings.url
    for key, value in (("env", settings.env), ("headers", settings.headers)):
        if value:
            entry[key] = dict(value)
    for key, text in (("cwd", settings.cwd), ("envFile", settings.env_file)):
        if text:
            entry[key] = text
    return json.dumps({"mcpServers": {settings.name: entry}}, indent=2, ensure_ascii=False)


def spell_toml(settings: SourceSettings) -> str:
    """A `[[sources]]` table for `callgate.toml`."""
    said = spell_source(settings)
    tools = said.pop("tools", None)
    lines = ["[[sources]]", *toml_pairs(said)]
    for tool in tools if isinstance(tools, list) else ():
        lines += ["", "[[sources.tools]]", *toml_pairs(cast(Mapping[str, Json], tool))]
    return "\n".join(lines) + "\n"
