"""Reading the server lists of other programs. Pure: text in, settings and problems out; nothing is started or fetched.

{"mcpServers": {name: {…}}}               Claude Desktop and Code, Cursor, LM Studio, `.mcp.json`, the Inspector
{"servers": {name: {…}}, "inputs": […]}   VS Code (also under "mcp" in its settings)
{name: {…}}  or just  {"command": …}      a piece that was copied from somewhere
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from callgate.core.config.settings import InputSettings, SourceSettings
from callgate.core.errors import UserFault
from callgate.core.json.jsonc import BadJson, line_of, read_jsonc
from callgate.core.messages import Json
from callgate.tools.mcp_source.server_entry import BadEntry, read_entry

_UNFIT = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class ImportProblem:
    server: str
    """Empty = the file as a whole."""
    message: str
    line: int = 0
    """0 = not known."""

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.server}: {self.message}" if self.server else f"{where}{self.message}"


@dataclass(frozen=True, slots=True)
class Imported:
    sources: tuple[SourceSettings, ...] = ()
    inputs: tuple[InputSettings, ...] = ()
    problems: tuple[ImportProblem, ...] = ()
    """What was left out or changed, and what the person should know."""


class UnreadableConfig(UserFault):
    """The text is not a list of servers at all."""


def read_servers(text: str, name: str = "server") -> Imported:
    """All servers that a text describes; `name` is for one that has none. Raises `UnreadableConfig`."""
    try:
        content = read_jsonc(text)
    except BadJson as bad:
        raise UnreadableConfig(f"This is not valid JSON: {bad}") from bad
    if not isinstance(content, dict):
        raise UnreadableConfig("line 1: a JSON object with servers was expected.")
    entries, inputs = _find_entries(content, name)
    reading = _Reading(text)
    for server, entry in entries.items():
        reading.take(server, entry)
    known = tuple(reading.take_inputs(inputs))
    sources = tuple(source.model_copy(update={"inputs": _used_by(source, known)}) for source in reading.sources)
    return Imported(sources, known, tuple(reading.problems))


def _used_by(source: SourceSettings, inputs: tuple[InputSettings, ...]) -> tuple[InputSettings, ...]:
    """Those that the source itself names: each is written down with the source that needs it."""
    texts = (*source.command, source.url, source.cwd, source.env_file, *source.env.values(), *source.headers.values())
    return tuple(known for known in inputs if any(f"${{input:{known.id}}}" in text for text in texts))


def _find_entries(content: Mapping[str, Json], name: str) -> tuple[Mapping[str, Json], Json]:
    inner = content.get("mcp")
    if isinstance(inner, dict) and "servers" in inner:
        content = inner
    for key in ("mcpServers", "servers"):
        if key in content:
            servers = content[key]
            if not isinstance(servers, dict):
                raise UnreadableConfig(f"'{key}' must be an object that maps names to servers.")
            return servers, content.get("inputs")
    if _is_server(content):
        return {name: dict(content)}, None
    if content and all(_is_server(entry) for entry in content.values()):
        return content, None
    raise UnreadableConfig("There are no servers in it: neither 'mcpServers' nor 'servers', 'command' or 'url'.")


def _is_server(entry: Json | Mapping[str, Json]) -> bool:
    return isinstance(entry, Mapping) and any(key in entry for key in ("command", "url", "serverUrl", "httpUrl"))


class _Reading:
    def __init__(self, text: str) -> None:
        self.sources: list[SourceSettings] = []
        self.problems: list[ImportProblem] = []
        self._text = text

    def take(self, server: str, entry: Json) -> None:
        name = self._free_name(server)
        try:
            fields, notes = read_entry(entry)
            self.sources.append(SourceSettings.model_validate({"name": name, "kind": "mcp", **fields}))
        except BadEntry as bad:
            self._note(server, f"left out: {bad}")
            return
        except ValidationError as bad:
            self._note(server, f"left out: {_first_complaint(bad)}")
            return
        if name != server:
            self._note(server, f"is called '{name}' here: a name has only letters, digits, '_', '.' and '-'")
        for note in notes:
            self._note(server, note)

    def take_inputs(self, inputs: Json) -> list[InputSettings]:
        if inputs is None:
            return []
        if not isinstance(inputs, list):
            self._note("", "'inputs' must be a list; it is ignored")
            return []
        return [definition for entry in inputs if (definition := self._input(entry)) is not None]

    def _input(self, entry: Json) -> InputSettings | None:
        known = entry if isinstance(entry, dict) else {}
        match known:
            case {"type": "promptString" | "pickString", "id": str(id_)} if id_:
                options = known.get("options")
                return InputSettings(
                    id=id_,
                    description=_text(known.get("description")),
                    password=known.get("password") is True,
                    default=_text(known.get("default")),
                    options=tuple(_text(option) for option in options) if isinstance(options, list) else (),
                )
            case {"id": str(id_)}:
                kind = known.get("type")
                self._note("", f"the input '{id_}' is of type {kind!r}, which Callgate can't ask for; it is ignored")
            case _:
                self._note("", "an input without an id is ignored")
        return None

    def _free_name(self, server: str) -> str:
        fit = _UNFIT.sub("-", server).strip("-") or "server"
        taken = {source.name for source in self.sources}
        name, number = fit, 2
        while name in taken:
            name, number = f"{fit}-{number}", number + 1
        return name

    def _note(self, server: str, message: str) -> None:
        self.problems.append(ImportProblem(server, message, line_of(self._text, server) if server else 0))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _first_complaint(bad: ValidationError) -> str:
    error = bad.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in error["loc"])
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
