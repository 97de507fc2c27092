"""The table `definitions`: every definition of every tool that was ever seen, so that a change can be shown.

Tools of the catalog come with `ToolsChanged`, those that clients bring along with each `ExchangeStarted`, which also
says whose they are. A definition is written when it is new; that it is still in use is noted now and then only. What
changed between two of them is said by `core.definition_diff`.
"""

import json
import sqlite3
from dataclasses import dataclass
from functools import partial

from callgate.core.events import ExchangeStarted, ToolsChanged
from callgate.core.messages import Json
from callgate.core.secrets.fingerprint import fingerprinted
from callgate.core.tool import CLIENT_SOURCE, Tool, ToolSpec
from callgate.store.database import Database

SEEN_SECONDS = 3600.0
"""How exact `last_seen` is while nothing changes: clients repeat all their tools with every request."""

_COLUMNS = "SELECT name, source, agent, fingerprint, definition, first_seen, last_seen FROM definitions"

_Row = tuple[str, str, str, str, str, float, float]


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool as it was defined for some time."""

    name: str
    source: str
    agent: str
    """Who brought it along; empty for tools of the catalog."""
    fingerprint: str
    definition: dict[str, Json]
    """As `Tool.definition` or `ToolSpec.definition` gave it."""
    first_seen: float
    last_seen: float


class Definitions:
    """For reading; the journal's writer feeds the table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def history(self, name: str, source: str, agent: str = "") -> list[Definition]:
        """All definitions that a tool has had, the one in use last. An agent narrows a client's tools to its own."""
        return await self._database.run(partial(_history, name, source, agent))

    async def find(self, fingerprint: str) -> Definition | None:
        """The definition with this fingerprint, as a grant remembers it."""
        return await self._database.run(partial(_find, fingerprint))

    async def changed(self) -> dict[tuple[str, str], float]:
        """Tools of the catalog that were once defined otherwise: source and name, and since when they are as now."""
        return await self._database.run(_changed)


def remember_tools(connection: sqlite3.Connection, event: ToolsChanged | ExchangeStarted) -> None:
    """Notes every tool of an event that is not known as it is."""
    match event:
        case ToolsChanged():
            for tool in event.tools:
                _remember(connection, tool, tool.source, "", event.at)
        case ExchangeStarted():
            for spec in event.tools:
                if isinstance(spec, ToolSpec):
                    _remember(connection, spec, CLIENT_SOURCE, event.agent, event.at)


def _remember(connection: sqlite3.Connection, tool: Tool | ToolSpec, source: str, agent: str, at: float) -> None:
    fingerprint = tool.fingerprint
    key = (_storable(source), _storable(tool.name), _storable(agent))
    seen: dict[str, float] = dict(
        connection.execute(
            "SELECT fingerprint, last_seen FROM definitions WHERE source = ? AND name = ? AND agent = ?", key
        )
    )
    last = seen.get(fingerprint)
    if last is None:
        text = fingerprinted(json.dumps(tool.definition).encode()).decode()
        connection.execute("INSERT INTO definitions VALUES (?, ?, ?, ?, ?, ?, ?)", (*key, fingerprint, text, at, at))
    elif at - last >= SEEN_SECONDS or last < max(seen.values()) < at:  # the second: it was another one in between
        connection.execute(
            "UPDATE definitions SET last_seen = ? WHERE source = ? AND name = ? AND agent = ? AND fingerprint = ?",
            (at, *key, fingerprint),
        )


def _history(name: str, source: str, agent: str, connection: sqlite3.Connection) -> list[Definition]:
    rows = connection.execute(
        f"{_COLUMNS} WHERE source = ? AND name = ? AND ? IN ('', agent) ORDER BY last_seen, first_seen",
        (_storable(source), _storable(name), _storable(agent)),
    )
    return [_read(row) for row in rows]


def _changed(connection: sqlite3.Connection) -> dict[tuple[str, str], float]:
    rows = connection.execute(
        "SELECT source, name, first_seen, last_seen FROM definitions WHERE agent = '' AND (source, name) IN"
        " (SELECT source, name FROM definitions WHERE agent = '' GROUP BY source, name HAVING COUNT(*) > 1)"
        " ORDER BY last_seen, first_seen"
    )
    since: dict[tuple[str, str], float] = {}
    for source, name, first_seen, _ in rows:
        since[source, name] = first_seen  # the last one of each stays: it is the one in use
    return since


def _find(fingerprint: str, connection: sqlite3.Connection) -> Definition | None:
    row = connection.execute(
        f"{_COLUMNS} WHERE fingerprint = ? ORDER BY last_seen DESC LIMIT 1", (fingerprint,)
    ).fetchone()
    return _read(row) if row else None


def _read(row: _Row) -> Definition:
    name, source, agent, fingerprint, definition, first_seen, last_seen = row
    return Definition(name, source, agent, fingerprint, json.loads(definition), first_seen, last_seen)


def _storable(text: str) -> str:
    """SQLite takes no half surrogate pairs, and a name with one must not cost the event that it came with."""
    return text.encode("utf-8", "replace").decode("utf-8")
