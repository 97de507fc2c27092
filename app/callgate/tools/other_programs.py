"""Where other programs keep their MCP servers, and what stands there. Reads only; secrets stay where they are."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from callgate.core.errors import UserFault
from callgate.core.json.jsonc import BadJson, read_jsonc
from callgate.core.messages import Json
from callgate.tools.mcp_source.import_config import Imported, ImportProblem, read_servers
from callgate.tools.source_text import recognise

MOST_BYTES = 32 * 1024 * 1024
"""Claude Code keeps its whole history beside its servers."""


@dataclass(frozen=True, slots=True)
class Place:
    program: str
    path: Path


@dataclass(frozen=True, slots=True)
class FoundServers:
    program: str
    path: Path
    imported: Imported


def usual_places(
    workspace: Path, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> tuple[Place, ...]:
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    match platform:
        case "darwin":
            config = home / "Library" / "Application Support"
        case "win32":
            config = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
        case _:
            config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return (
        Place("Claude Desktop", config / "Claude" / "claude_desktop_config.json"),
        Place("Claude Code", home / ".claude.json"),
        Place("Claude Code, this workspace", workspace / ".mcp.json"),
        Place("Cursor", home / ".cursor" / "mcp.json"),
        Place("Cursor, this workspace", workspace / ".cursor" / "mcp.json"),
        Place("VS Code", config / "Code" / "User" / "mcp.json"),
        Place("VS Code, older settings", config / "Code" / "User" / "settings.json"),
        Place("VS Code Insiders", config / "Code - Insiders" / "User" / "mcp.json"),
        Place("VSCodium", config / "VSCodium" / "User" / "mcp.json"),
        Place("VS Code, this workspace", workspace / ".vscode" / "mcp.json"),
        Place("Windsurf", home / ".codeium" / "windsurf" / "mcp_config.json"),
        Place("Gemini CLI", home / ".gemini" / "settings.json"),
        Place("LM Studio", home / ".lmstudio" / "mcp.json"),
        Place("Codex", home / ".codex" / "config.toml"),
    )


def find_servers(places: tuple[Place, ...], workspace: Path) -> tuple[FoundServers, ...]:
    """Those files that are there and speak of servers, good or broken. Blocks on the disk."""
    return tuple(found for place in places if (found := _read(place, workspace)) is not None)


def read_place(place: Place, workspace: Path) -> FoundServers | None:
    """One file that the person has chosen."""
    return _read(place, workspace)


def _read(place: Place, workspace: Path) -> FoundServers | None:
    try:
        if not place.path.is_file():
            return None
        if place.path.stat().st_size > MOST_BYTES:
            return _broken(place, f"The file is larger than {MOST_BYTES >> 20} MB, so it was not read.")
        text = place.path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as bad:
        return _broken(place, f"The file can't be read: {bad}")
    if place.path.suffix == ".toml":
        known = recognise(text[text.find("[") :] if "[mcp_servers" in text else "")
        found = Imported(known.sources, (), known.problems)
        return FoundServers(place.program, place.path, found) if known.sources or known.problems else None
    try:
        content = read_jsonc(text)
    except BadJson as bad:
        return _broken(place, f"This is not valid JSON: {bad}")
    lists = list(_lists(content, workspace))
    if not lists:
        return None
    return _merged(place, text if len(lists) == 1 and lists[0] is content else "", lists)


def _lists(content: Json, workspace: Path) -> Iterator[dict[str, Json]]:
    """The parts of a file that list servers: its own, and Claude Code's for this workspace."""
    if not isinstance(content, dict):
        return
    inner = content.get("mcp")
    if content.get("mcpServers") or content.get("servers") or (isinstance(inner, dict) and inner.get("servers")):
        yield content
    projects = content.get("projects")
    project = projects.get(str(workspace)) if isinstance(projects, dict) else None
    if isinstance(project, dict) and project.get("mcpServers"):
        yield project


def _merged(place: Place, text: str, lists: list[dict[str, Json]]) -> FoundServers:
    import_of: list[Imported] = []
    for part in lists:
        kept = {key: part[key] for key in ("mcpServers", "servers", "inputs", "mcp") if key in part}
        try:
            import_of.append(read_servers(text or _dumped(kept)))
        except UserFault as bad:
            import_of.append(Imported(problems=(ImportProblem("", str(bad)),)))
    return FoundServers(
        place.program,
        place.path,
        Imported(
            tuple(source for one in import_of for source in one.sources),
            tuple(definition for one in import_of for definition in one.inputs),
            tuple(problem for one in import_of for problem in one.problems),
        ),
    )


def _dumped(value: Json) -> str:
    return orjson.dumps(value).decode()


def _broken(place: Place, message: str) -> FoundServers:
    return FoundServers(place.program, place.path, Imported(problems=(ImportProblem("", message),)))
