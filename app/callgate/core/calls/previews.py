"""The previews of a call: the one that its tool prepared, else what its arguments alone tell. Pure.

Agents' own tools prepare nothing. What they would do is told from the names of tools and arguments that agents use, as
rules do (`call_targets`); of an edit only the part that is replaced is known, not the file.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import orjson

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.calls.targets import Targets, targets_of
from callgate.core.calls.tool_kinds import (
    LINES_ARGUMENT,
    PATH_ARGUMENTS,
    URL_ARGUMENTS,
    edits_files,
    fetches,
    is_foreign_shell,
    runs_commands,
)
from callgate.core.messages import Json
from callgate.core.rules.web_url import uniform_host
from callgate.core.tool import Tool

_READ: Final = 4_000_000
"""Characters of arguments that are looked into; larger ones speak for themselves."""
_PAIRS: Final = (
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
)
"""Under which names editors of agents put what is replaced, and by what."""
_CONTENTS: Final = ("content", "contents", "file_text", "new_source")
_PATCHES: Final = ("create_file", "update_file")
"""What OpenAI's own patch tool calls the operations that bring a diff along."""
_EDITS: Final = ("edits", "replacements")


def previews_of(invocation: Invocation, tool: Tool | None = None) -> tuple[Preview, ...]:
    """`tool`: as the catalog has it, if it does."""
    if invocation.state == "WaitingForPostApproval":
        return ()
    if invocation.preview is not None:
        return (invocation.preview,)
    return _told(invocation.tool, invocation.effective_arguments, () if tool is None else tool.tags)


@lru_cache(maxsize=32)
def _told(name: str, arguments: str, tags: tuple[str, ...]) -> tuple[Preview, ...]:
    """Asked for by everything that shows one call, and large arguments take a while to read."""
    if len(arguments) > _READ:
        return ()
    if runs_commands(name, tags):
        return () if is_foreign_shell(name) else tuple(_commands(targets_of(name, arguments, tags), arguments))
    if edits_files(name, tags):
        return tuple(_edits(_read(arguments)))
    return tuple(_requests(_read(arguments))) if fetches(name, tags) else ()


def _read(arguments: str) -> Mapping[str, Json]:
    try:
        value: Json = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, Mapping) else {}


def _commands(found: Targets, arguments: str) -> Iterator[CommandPreview]:
    """Lines that run each by itself are shown so: joined, an open quote of one would hide the next."""
    lines = _read(arguments).get(LINES_ARGUMENT) if found.argument == LINES_ARGUMENT else None
    for line in lines if isinstance(lines, list) else (found.line,):
        if isinstance(line, str) and line.strip():
            yield CommandPreview(line)


def _edits(given: Mapping[str, Json]) -> Iterator[DiffPreview]:
    path = _text(given, *PATH_ARGUMENTS)
    inner = (given.get(key) for key in _EDITS)
    pieces = [given, *(item for items in inner if isinstance(items, list) for item in items)]
    for piece in pieces:
        if not isinstance(piece, Mapping):
            continue
        before, after = _replaced(piece)
        place = _text(piece, *PATH_ARGUMENTS) or path
        if place and before is not None and after is not None and before != after:
            yield DiffPreview(place, before, after, fragment=True)
    if path and (diff := _text(given, "diff")) and _text(given, "type") in _PATCHES:
        yield DiffPreview(path, _side(diff, "-"), _side(diff, "+"), fragment=True)
    content = _text(given, *_CONTENTS)
    if path and content:
        yield DiffPreview(path, "", content, fragment=True)


def _side(diff: str, sign: str) -> str:
    """The lines that a patch expects, or leaves behind; its headings stand for what it skips."""
    lines = (line for line in diff.splitlines() if line[:1] in (sign, " ", ""))
    return "\n".join(line[1:] for line in lines)


def _replaced(piece: Mapping[str, Json]) -> tuple[str | None, str | None]:
    for old, new in _PAIRS:
        before, after = piece.get(old), piece.get(new, "")
        if isinstance(before, str) and isinstance(after, str):
            return before, after
    return None, None


def _requests(given: Mapping[str, Json]) -> Iterator[UrlPreview]:
    method = _text(given, "method").upper() or "GET"
    for key in URL_ARGUMENTS:
        value = given.get(key)
        for url in value if isinstance(value, list) else (value,):
            if isinstance(url, str) and url:
                yield UrlPreview(method, url, _host(url))


def _host(url: str) -> str:
    """As it is looked up; as it is written where that can't be told."""
    try:
        return uniform_host(urlsplit(url).hostname or "")
    except ValueError:
        return url


def _text(given: Mapping[str, Json], *keys: str) -> str:
    return next((value for key in keys if isinstance(value := given.get(key), str) and value), "")
