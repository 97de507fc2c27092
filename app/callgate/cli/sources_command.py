"""`callgate sources import`: the MCP servers of other programs as `[[sources]]`, for machines without a window.

Nothing is changed; what is printed goes into `callgate.toml`. Secrets stay behind: their place takes a variable.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets
from callgate.core.config.source_text import spell_toml
from callgate.core.errors import UserFault
from callgate.tools.other_programs import FoundServers, Place, find_servers, read_place, usual_places

_UNFIT = re.compile(r"\W+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Printed:
    tables: str
    """TOML."""
    remarks: str
    """A line each, of what was left out and why; empty = nothing was."""
    failed: bool
    """Whether nothing at all could be read."""


def imported(file: Path | None, workspace: Path) -> Printed:
    """One file, or all that other programs keep in their usual places. Raises `UserFault`."""
    if file is None:
        found = find_servers(usual_places(workspace), workspace)
        if not found:
            raise UserFault("No file of another program that lists MCP servers was found; name one.")
    else:
        one = read_place(Place(file.name, file), workspace)
        if one is None:
            missing = "there is no such file" if not file.is_file() else "it lists no MCP servers"
            raise UserFault(f"{file}: {missing}.")
        found = (one,)
    tables: list[str] = []
    remarks: list[str] = []
    taken: set[str] = set()
    for servers in found:
        _take(servers, tables, remarks, taken)
    return Printed("\n".join(tables), "\n".join(remarks), not tables)


def _take(servers: FoundServers, tables: list[str], remarks: list[str], taken: set[str]) -> None:
    remarks += [f"{servers.path}: {problem}" for problem in servers.imported.problems]
    for source in servers.imported.sources:
        if source.name in taken:
            remarks.append(f"{servers.path}: {source.name}: another file has one of that name, which was taken")
            continue
        taken.add(source.name)
        settings, variables = _without_secrets(source)
        tables.append(f"# from {servers.path}\n{spell_toml(settings)}")
        remarks += [
            f"{source.name}: a secret was left out; set the environment variable {name} to it" for name in variables
        ]


def _without_secrets(source: SourceSettings) -> tuple[SourceSettings, list[str]]:
    """With the environment in the place of secrets: without a window nobody can be asked for them."""
    hidden = hide_secrets(source)
    names = {f"${{input:{id}}}": f"{_UNFIT.sub('_', id).upper()}" for id in hidden.values}

    def named(text: str) -> str:
        for place, name in names.items():
            text = text.replace(place, f"${{env:{name}}}")
        return text

    said = hidden.settings
    update = {
        "env": {name: named(value) for name, value in said.env.items()},
        "headers": {name: named(value) for name, value in said.headers.items()},
        "command": tuple(named(word) for word in said.command),
        "url": named(said.url),
        "inputs": source.inputs,
    }
    return said.model_copy(update=update), list(names.values())
