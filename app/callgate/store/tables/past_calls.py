"""Calls that are over, tool by tool, out of the journal's events: for statistics, not for showing a conversation.

Reads by the index `calls_by_tool`; the expressions must be word for word those of the migration that made it, else
SQLite does not see that it may use it.
"""

import json
import sqlite3
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast, get_args

from callgate.core.calls.invocation import Decider, Reason, State
from callgate.core.catalog.tool_statistics import PastCall
from callgate.store.database import Database

_TOOL, _SOURCE, _STATE = (
    f"CASE WHEN json_valid(body) THEN json_extract(body, '$.invocation.{key}') END"
    for key in ("tool", "source", "state")
)
_OVER: Final = f"{_STATE} IN ('Completed', 'Cancelled', 'Released')"
_USES: Final = (
    f"SELECT {_TOOL}, {_SOURCE}, COUNT(*), MAX(at) FROM events WHERE kind = 'invocation' AND {_OVER}"
    f" GROUP BY {_TOOL}, {_SOURCE}"
)
_CALLS: Final = (
    "SELECT at, json_extract(body, '$.invocation.id'), json_extract(body, '$.invocation.conversation_id'),"
    " json_extract(body, '$.invocation.agent'), json_extract(body, '$.invocation.state'),"
    " json_extract(body, '$.invocation.reason'), json_extract(body, '$.invocation.decided_by'),"
    " coalesce(json_extract(body, '$.invocation.ran_result.is_error'),"
    " json_extract(body, '$.invocation.result.is_error'), 0),"
    " json_extract(body, '$.invocation.phases')"
    f" FROM events WHERE kind = 'invocation' AND {_TOOL} = ? AND {_SOURCE} = ? AND {_OVER} ORDER BY at DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How often a tool was called, and when last."""

    tool: str
    source: str
    calls: int
    last: float


class PastCalls:
    """For reading; the journal's writer feeds the table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_tool(self, tool: str, source: str, limit: int) -> list[PastCall]:
        """The newest first."""
        return await self._database.run(partial(_calls, tool, source, limit))

    async def uses(self) -> list[ToolUse]:
        """Of every tool that was ever called."""
        return await self._database.run(_uses)


def _uses(connection: sqlite3.Connection) -> list[ToolUse]:
    return [ToolUse(str(tool), str(source), calls, last) for tool, source, calls, last in connection.execute(_USES)]


def _calls(tool: str, source: str, limit: int, connection: sqlite3.Connection) -> list[PastCall]:
    spoken = [name.encode("utf-8", "replace").decode("utf-8") for name in (tool, source)]
    return [_call(row) for row in connection.execute(_CALLS, (*spoken, limit))]


def _call(row: tuple[Any, ...]) -> PastCall:
    at, invocation_id, conversation_id, agent, state, reason, decider, is_error, phases = row
    spent = _spent(phases, float(at))
    return PastCall(
        str(invocation_id),
        str(conversation_id),
        str(agent),
        float(at),
        cast(State, state),
        cast(Reason, reason) if reason in get_args(Reason) else None,
        cast(Decider, decider) if decider in get_args(Decider) else None,
        bool(is_error),
        spent.get("Executing"),
        spent.get("WaitingForConfirmation"),
    )


def _spent(phases: str | None, end: float) -> dict[str, float]:
    """Seconds in each state."""
    steps = [(str(step["state"]), float(step["since"])) for step in json.loads(phases or "[]")]
    spent: dict[str, float] = {}
    for index, (state, since) in enumerate(steps):
        until = steps[index + 1][1] if index + 1 < len(steps) else end
        spent[state] = spent.get(state, 0.0) + until - since
    return spent
