"""Calls that the person made without a model, tool by tool, out of the journal's events.

Reads by the index `calls_by_tool`; the expressions must be word for word those of the migration that made it, else
SQLite does not see that it may use it.
"""

import sqlite3
from functools import partial
from typing import Final

from callgate.core.calls.invocation import Invocation
from callgate.core.events import InvocationChanged
from callgate.store.database import Database
from callgate.store.event_json import UnreadableEvent, read_event

_TOOL, _SOURCE, _STATE = (
    f"CASE WHEN json_valid(body) THEN json_extract(body, '$.invocation.{key}') END"
    for key in ("tool", "source", "state")
)
_TRIES: Final = (
    f"SELECT body FROM events AS call WHERE kind = 'invocation' AND {_TOOL} = ? AND {_SOURCE} = ?"
    f" AND {_STATE} IN ('Completed', 'Cancelled', 'Released')"
    " AND json_extract(body, '$.invocation.agent') = ?"
    # a call that a model made for the same agent is no try: its exchange came in by another wire
    " AND EXISTS (SELECT 1 FROM events AS start WHERE start.exchange_id = call.exchange_id AND start.kind IN"
    " ('exchange_started', 'round_started', 'round_ended', 'exchange_ended', 'invocation')"
    " AND start.kind = 'exchange_started' AND json_extract(start.body, '$.wire') = 'mcp')"
    " ORDER BY at DESC LIMIT ?"
)


class TrialCalls:
    """For reading; the journal's writer feeds the table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_tool(self, source: str, tool: str, agent: str, limit: int) -> list[Invocation]:
        """Those that are over, the newest first."""
        return await self._database.run(partial(_tries, source, tool, agent, limit))


def _tries(source: str, tool: str, agent: str, limit: int, connection: sqlite3.Connection) -> list[Invocation]:
    spoken = [name.encode("utf-8", "replace").decode("utf-8") for name in (tool, source, agent)]
    found: dict[str, Invocation] = {}
    for (body,) in connection.execute(_TRIES, (*spoken, limit)):
        try:
            event = read_event(body)
        except UnreadableEvent:
            continue  # shown as the fault that it is where its conversation is shown
        if isinstance(event, InvocationChanged):
            found.setdefault(event.invocation.id, event.invocation)  # a denial may have got its reason afterwards
    return list(found.values())
