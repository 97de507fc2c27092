"""Recognising sources in whatever a person pastes. Pure: nothing is started, fetched or looked up.

JSON   `mcpServers` (Claude Desktop, Cursor, `.mcp.json` …), VS Code's `servers` + `inputs`, or a piece of either
TOML   Callgate's own `[[sources]]`
an address, or a command line as one would type it (also `claude mcp add …`)
"""

import re
import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, cast
from urllib.parse import urlsplit

from pydantic import ValidationError

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.tools.mcp_source.import_config import Imported, ImportProblem, read_servers

Shape = Literal["empty", "servers", "vscode", "toml", "address", "command", "unreadable"]

_NAME_PARTS = re.compile(r"[^A-Za-z0-9_.-]+")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_RUNNERS = frozenset({"npx", "uvx", "bunx", "pipx", "uv", "pnpm", "yarn", "deno", "node", "python", "python3", "bun"})
_RUN_VERBS = frozenset({"run", "exec", "dlx", "tool", "x"})
_DULL = re.compile(r"^(mcp-server-|server-)|(-mcp-server|-mcp|-server|\.py|\.js|\.mjs|\.exe)$")
_TOML_TABLE = re.compile(r"^\s*\[\[?\s*[A-Za-z\"]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recognised:
    shape: Shape
    words: str
    """What the text seems to be."""
    sources: tuple[SourceSettings, ...] = ()
    problems: tuple[ImportProblem, ...] = ()


def recognise(text: str) -> Recognised:
    """Never raises: what can't be read is told in `problems`."""
    text = text.strip().removeprefix("\ufeff").strip()
    if not text:
        return Recognised("empty", "")
    text = _unfenced(text)
    if _TOML_TABLE.match(text):
        return _toml(text)
    if text[0] in "{[" or text.startswith(("//", "/*")) or re.match(r'"[^"\n]+"\s*:', text):
        return _json(text)
    if "\n" not in text and re.match(r"https?://\S+$", text):
        return _address(text)
    return _command(text)


def _unfenced(text: str) -> str:
    """Text that was copied out of a README with its fence."""
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text.partition("\n")[2].rpartition("```")[0].strip()
    return text


# ---- files of other programs ---------------------------------------------------------------------------------------


def _json(text: str) -> Recognised:
    if text[0] == '"':  # lines out of the middle of a file
        text = "{" + text.rstrip().removesuffix(",") + "}"
    try:
        found = read_servers(text)
    except UserFault as bad:
        return _unreadable(str(bad))
    if '"mcpServers"' in text:
        shape, words = "servers", "A server list as Claude Desktop and Cursor keep it"
    elif '"servers"' in text:
        shape, words = "vscode", "A server list as VS Code keeps it"
    else:
        shape, words = "servers", "A piece of a server list"
    return _listed(cast(Shape, shape), words, found)


def _listed(shape: Shape, words: str, found: Imported) -> Recognised:
    count = len(found.sources)
    told = f"{words}: {'1 server' if count == 1 else f'{count} servers'}"
    return Recognised(shape, told, found.sources, found.problems)


def _toml(text: str) -> Recognised:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as bad:
        return _unreadable(f"This looks like TOML, but is not valid: {bad}")
    tables = content.get("sources")
    if not isinstance(tables, list):
        codex = content.get("mcp_servers")
        if isinstance(codex, dict):
            return _codex(cast(dict[str, object], codex))
        return _unreadable("This is TOML, but it has no [[sources]].")
    sources: list[SourceSettings] = []
    problems: list[ImportProblem] = []
    for number, table in enumerate(cast(list[object], tables), 1):
        name = str(cast(dict[str, object], table).get("name", "")) if isinstance(table, dict) else ""
        try:
            sources.append(SourceSettings.model_validate(table))
        except ValidationError as bad:
            problems.append(ImportProblem(name or f"source {number}", f"left out: {first_complaint(bad)}"))
    count = "1 source" if len(sources) == 1 else f"{len(sources)} sources"
    return Recognised("toml", f"Callgate's own configuration: {count}", tuple(sources), tuple(problems))


def _codex(tables: dict[str, object]) -> Recognised:
    """`[mcp_servers.name]`, as Codex keeps them."""
    sources: list[SourceSettings] = []
    problems: list[ImportProblem] = []
    for name, table in tables.items():
        entry = cast(dict[str, object], table) if isinstance(table, dict) else {}
        command, arguments = entry.get("command"), entry.get("args")
        said: dict[str, object] = {"name": fit_source_name(name), "kind": "mcp", "env": entry.get("env", {})}
        if isinstance(entry.get("url"), str):
            said["url"] = entry["url"]
        else:
            said["command"] = [command, *(cast(list[object], arguments) if isinstance(arguments, list) else [])]
        try:
            sources.append(SourceSettings.model_validate(said))
        except ValidationError as bad:
            problems.append(ImportProblem(name, f"left out: {first_complaint(bad)}"))
    found = Imported(tuple(sources), (), tuple(problems))
    return _listed("toml", "A server list as Codex keeps it", found)


# ---- one server ----------------------------------------------------------------------------------------------------


def _address(text: str) -> Recognised:
    parts = urlsplit(text)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("mcp.").removeprefix("api.")
    local = host in ("localhost", "") or re.fullmatch(r"[\d.:]+", host) is not None
    steps = [step for step in parts.path.split("/") if step and step.lower() not in ("mcp", "sse", "v1", "api")]
    name = (steps[-1] if steps else f"local-{parts.port or 80}") if local else host.split(".")[0]
    return _one("address", "The address of a server", {"url": text, **_sse(parts.path)}, name)


def _sse(path: str) -> dict[str, object]:
    return {"transport": "sse"} if path.rstrip("/").endswith("/sse") else {}


def _command(text: str) -> Recognised:
    text = re.sub(r"\\\r?\n", " ", text)  # a line that goes on after a backslash
    if "\n" in text:
        return _unreadable("This is neither JSON, TOML, an address nor one command line.")
    try:
        words = shlex.split(text.removeprefix("$ "))
    except ValueError as bad:
        return _unreadable(f"This looks like a command line, but can't be read: {str(bad).lower()}.")
    if words[:3] == ["claude", "mcp", "add"]:
        return _claude_add(words[3:])
    env: dict[str, str] = {}
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        env[found[1]] = found[2]
        words = words[1:]
    if not words:
        return _unreadable("There is no command in it.")
    if any(word in ("|", "&&", ";", "||", ">", "<", "&") for word in words):
        return _unreadable("Commands are run without a shell, so pipes and redirections can't be used.")
    return _one("command", "A command line", {"command": words, "env": env}, command_name(words))


def _claude_add(words: Sequence[str]) -> Recognised:
    """`claude mcp add [--transport http] [-e K=V] name url | -- command …`"""
    options: dict[str, str] = {}
    env: dict[str, str] = {}
    headers: dict[str, str] = {}
    rest = list(words)
    plain: list[str] = []
    while rest:
        word = rest.pop(0)
        if word == "--":
            plain += rest
            break
        if word.startswith("-") and len(plain) < 2 and rest:
            value = rest.pop(0)
            key, _, given = value.partition("=")
            name, _, said = value.partition(":")
            if word in ("-e", "--env"):
                env[key] = given
            elif word in ("-H", "--header"):
                headers[name.strip()] = said.strip()
            else:
                options[word.lstrip("-")] = value
        else:
            plain.append(word)
    if len(plain) < 2:
        return _unreadable("This is a `claude mcp add`, but it names no command or address.")
    name, *target = plain
    words_of = "A server as `claude mcp add` takes it"
    if target[0].startswith(("http://", "https://")):
        kind = options.get("transport") or options.get("t") or ""
        transport: dict[str, object] = {"transport": kind} if kind in ("http", "sse") else {}
        return _one("command", words_of, {"url": target[0], "headers": headers, **transport}, name)
    return _one("command", words_of, {"command": target, "env": env}, name)


def _one(shape: Shape, words: str, fields: dict[str, object], name: str) -> Recognised:
    try:
        settings = SourceSettings.model_validate({"name": fit_source_name(name), "kind": "mcp", **fields})
    except ValidationError as bad:
        return _unreadable(first_complaint(bad))
    return Recognised(shape, words, (settings,))


def _unreadable(message: str) -> Recognised:
    return Recognised("unreadable", "Not recognised", problems=(ImportProblem("", message),))


# ---- names ---------------------------------------------------------------------------------------------------------


def command_name(argv: Sequence[str]) -> str:
    """What one would call a server that is started so: `npx -y @scope/server-memory` is `memory`."""
    words = [word for word in argv if not word.startswith("-")]
    first = PurePath(words[0].replace("\\", "/")).name.removesuffix(".exe") if words else "server"
    rest = words[1:]
    if first in _RUNNERS:
        while rest and rest[0] in _RUN_VERBS:
            rest = rest[1:]
        if rest:
            first = rest[0]
    elif first in ("docker", "podman"):
        images = [word for word in rest if "/" in word or word.startswith("mcp")]
        first = images[-1].partition(":")[0] if images else first
    elif re.fullmatch(r"python[\d.]*", first) and rest:
        first = rest[0]
    name = first.replace("\\", "/").rstrip("/").rpartition("/")[2].partition("@")[0] or first
    return _DULL.sub("", _DULL.sub("", name)) or name


def fit_source_name(name: str) -> str:
    """A name that a source may have."""
    return _NAME_PARTS.sub("-", name).strip("-.") or "server"


def first_complaint(bad: ValidationError) -> str:
    error = bad.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in error["loc"])
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
