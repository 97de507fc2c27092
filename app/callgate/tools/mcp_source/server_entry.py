"""One server's entry in another program's file → fields of `SourceSettings`, with notes on what was left out. Pure."""

import re
from collections.abc import Mapping

from callgate.core.messages import Json

_TRANSPORTS = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "remote": "",
    "sse": "sse",
}
_ADDRESS_KEYS = ("url", "serverUrl", "httpUrl")
_READ = frozenset(
    {"command", "args", "env", "envFile", "cwd", "headers", "type", "transport", "disabled", "enabled", "oauth"}
)
_SILENT = frozenset({"description", "name", "title", "icon", "gallery", "version", "timeout", "id", "tags"})
"""Says nothing about how to reach the server."""
_APPROVALS = frozenset({"autoApprove", "alwaysAllow", "trust", "allowedTools"})
_SECRET_NAME = re.compile(r"token|key|secret|passw|credential|authorization", re.IGNORECASE)


class BadEntry(Exception):
    """An entry that describes no server."""


def read_entry(entry: Json) -> tuple[dict[str, object], list[str]]:
    """The fields, and what the person should know about them."""
    if not isinstance(entry, dict):
        raise BadEntry("an object with 'command' or 'url' was expected")
    fields: dict[str, object] = {}
    command, address = _command(entry), _address(entry)
    if command:
        fields["command"] = command
    if address:
        fields["url"] = address
    transport = _transport(entry)
    if transport:
        fields["transport"] = transport
    for ours, theirs in (("env", "env"), ("headers", "headers")):
        if texts := _texts(entry, theirs):
            fields[ours] = texts
    for ours, theirs in (("cwd", "cwd"), ("env_file", "envFile")):
        if text := _text(entry, theirs):
            fields[ours] = text
    if oauth := _oauth(entry):
        fields["oauth"] = oauth
    if entry.get("disabled") is True or entry.get("enabled") is False:
        fields["enabled"] = False
    return fields, _notes(entry)


def _command(entry: Mapping[str, Json]) -> list[str]:
    command, arguments = entry.get("command"), entry.get("args", [])
    if not isinstance(arguments, list):
        raise BadEntry("'args' must be a list of texts")
    words = [_word(argument, "args") for argument in arguments]
    match command:
        case None:
            if words:
                raise BadEntry("'args' without 'command'")
            return []
        case str():
            return [command, *words]
        case list():
            return [*(_word(part, "command") for part in command), *words]
        case _:
            raise BadEntry("'command' must be a text")


def _word(value: Json, where: str) -> str:
    match value:
        case str():
            return value
        case bool() | None | list() | dict():
            raise BadEntry(f"'{where}' must hold texts only")
        case _:
            return str(value)


def _address(entry: Mapping[str, Json]) -> str:
    found = [key for key in _ADDRESS_KEYS if entry.get(key) is not None]
    return _text(entry, found[0]) if found else ""


def _transport(entry: Mapping[str, Json]) -> str:
    kind = _text(entry, "type") or _text(entry, "transport")
    if not kind:
        return ""
    if kind.lower() not in _TRANSPORTS:
        raise BadEntry(f"the transport {kind!r} is not known; stdio, http and sse are")
    return _TRANSPORTS[kind.lower()]


def _oauth(entry: Mapping[str, Json]) -> dict[str, object]:
    """What a server's login needs to know beforehand; its secret is not taken over, since that would go to a file."""
    given = entry.get("oauth")
    if not isinstance(given, dict):
        return {}
    oauth: dict[str, object] = {}
    if client := _text(given, "clientId"):
        oauth["client_id"] = client
    match given.get("callbackPort"):
        case int(port) if 0 < port < 1 << 16:
            oauth["callback_port"] = port
        case _:
            pass
    match given.get("scopes") or given.get("scope"):
        case str(scope):
            oauth["scope"] = scope
        case list(scopes):
            oauth["scope"] = " ".join(_word(scope, "oauth.scopes") for scope in scopes)
        case _:
            pass
    return oauth


def _text(entry: Mapping[str, Json], key: str) -> str:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise BadEntry(f"'{key}' must be a text")
    return value or ""


def _texts(entry: Mapping[str, Json], key: str) -> dict[str, str]:
    values = entry.get(key)
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise BadEntry(f"'{key}' must be an object of names and texts")
    return {name: _setting(value, f"{key}.{name}") for name, value in values.items() if value is not None}


def _setting(value: Json, where: str) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case _:
            raise BadEntry(f"'{where}' must be a text")


def _notes(entry: Mapping[str, Json]) -> list[str]:
    notes: list[str] = []
    login = entry.get("oauth")
    if isinstance(login, dict) and login.get("clientSecret"):
        notes.append("oauth.clientSecret is not taken over: name an environment variable in oauth.client_secret_env")
    if approvals := sorted(_APPROVALS & entry.keys()):
        notes.append(f"{', '.join(approvals)} is not taken over: what may run is decided by Callgate's own rules")
    unknown = sorted(entry.keys() - _READ - _SILENT - _APPROVALS - set(_ADDRESS_KEYS))
    if unknown:
        notes.append(f"not understood and left out: {', '.join(unknown)}")
    for key in ("env", "headers"):
        values = entry.get(key)
        for name, value in values.items() if isinstance(values, dict) else ():
            if _SECRET_NAME.search(name) and isinstance(value, str) and value and "${" not in value:
                notes.append(f"{key}.{name} seems to hold a secret in plain text; ${{input:…}} keeps it out of files")
    return notes
