"""The journal as an archive: looked through, taken out as whole conversations, put in from files, thinned by age.

Looking happens beside the writer, writing in slices between its other work: nothing here keeps an event waiting.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from callgate.core.conversation import ConversationSummary
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FrameCaptured,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    WireCaptured,
)
from callgate.core.search.hit import SearchHit
from callgate.core.search.query import read_query
from callgate.core.secrets.fingerprint import fingerprinted
from callgate.export.record import SPREAD_FRAMES, ConversationRecord
from callgate.store.database import Database
from callgate.store.event_json import write_event
from callgate.store.retention import Captured, Thinned, stale_conversations, thin, wire_size
from callgate.store.secret_filter import SecretFilter
from callgate.store.tables.conversation_rows import write_row
from callgate.store.tables.frame_rows import insert_frame
from callgate.store.tables.record_rows import conversation_ids, read_record
from callgate.store.tables.search import find
from callgate.store.tables.search_rows import index_backlog, index_event, index_title, rewrite_index
from callgate.store.tables.wire_rows import insert_wire


class ConversationArchive:
    def __init__(self, database: Database, *, keep_secrets: bool = False) -> None:
        """`keep_secrets`: what is put in is stored as it is."""
        self._database = database
        self._keep_secrets = keep_secrets
        self.mcp_sources: set[str] = set()
        """Sources of which messages are kept: MCP servers, whether they are still configured or not."""

    async def search(self, text: str, limit: int) -> list[SearchHit]:
        query = read_query(text)
        if query.is_empty:
            return []
        return await self._database.look(partial(find, query=query, limit=limit))

    async def ids(self, since: float = 0.0) -> list[str]:
        """Conversations that something happened in since a time, the oldest first."""
        await self._written()
        return await self._database.look(partial(conversation_ids, since=since))

    async def record(self, conversation_id: str, *, wire: bool) -> ConversationRecord | None:
        """A whole conversation; None = there is none of that id."""
        await self._written()
        return await self._database.look(partial(read_record, conversation_id=conversation_id, wire=wire))

    async def put(self, record: ConversationRecord) -> ConversationSummary:
        """Stores a conversation that did not happen here: no exchange of it is traffic, no decision of it is ours."""
        self.mcp_sources.update(frame.source for frame in record.frames)
        clean = record if self._keep_secrets else await asyncio.to_thread(without_secrets, record)
        return await self._database.run(partial(_put, clean))

    # ---- keeping house ---------------------------------------------------------------------------------------------

    async def index_backlog(self) -> bool:
        """Indexes a slice of what is older than the index. False: nothing is left."""
        return await self._database.run(index_backlog)

    async def rewrite_index(self) -> bool:
        """Rewrites a slice of the index without what was forgotten. False: nothing is left to do."""
        return await self._database.run(rewrite_index)

    async def thin(self, captured: Captured, before: float, after: int = 0) -> Thinned:
        """Deletes a slice of what was captured before a time; `after` = where the last slice ended."""
        return await self._database.run(partial(thin, captured=captured, before=before, after=after))

    async def wire_size(self) -> Sequence[tuple[float, int]]:
        """How many bytes were captured, by day: its beginning and the bytes, the oldest first."""
        return await self._database.look(wire_size)

    async def stale(self, before: float) -> list[str]:
        """Conversations in which nothing happened since a time, but for those that are kept anyway."""
        return await self._database.look(partial(stale_conversations, before=before))

    async def _written(self) -> None:
        await self._database.run(_nothing)


def _nothing(connection: sqlite3.Connection) -> None:
    """Being done is the answer: everything recorded before is committed then."""


def without_secrets(record: ConversationRecord) -> ConversationRecord:
    """A conversation from a file as the journal keeps its own: bytes wait for what the texts give away."""
    secrets = SecretFilter()
    kept = [one for event in (*record.wire, *record.events, *record.frames) for one in secrets.take(event)]
    kept += secrets.end()
    spread = secrets.spread_outputs()
    marks = record.summary.marks
    return replace(
        record,
        summary=replace(
            record.summary,
            title=_clean_text(record.summary.title),
            marks=replace(marks, name=_clean_text(marks.name)),
        ),
        events=tuple(one for one in kept if not isinstance(one, WireCaptured | FrameCaptured)),
        wire=tuple(one for one in kept if isinstance(one, WireCaptured)),
        frames=tuple(
            replace(one, text=SPREAD_FRAMES) if one.role == "notification" and one.invocation_id in spread else one
            for one in kept
            if isinstance(one, FrameCaptured)
        ),
    )


def _clean_text(text: str) -> str:
    return fingerprinted(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def _put(record: ConversationRecord, connection: sqlite3.Connection) -> ConversationSummary:
    summary = record.summary
    write_row(connection, summary)
    index_title(connection, summary)
    connection.executemany(
        "INSERT INTO events (conversation_id, exchange_id, kind, at, body) VALUES (?, ?, ?, ?, ?)",
        [(summary.id, _exchange_of(event), event.kind, event.at, write_event(event)) for event in record.events],
    )
    for event in record.events:
        index_event(connection, event)
    for piece in record.wire:
        insert_wire(connection, piece)
    for frame in record.frames:
        insert_frame(connection, frame)
    return summary


def _exchange_of(event: Event) -> str:
    match event:
        case InvocationChanged():
            return event.invocation.exchange_id
        case ExchangeStarted() | RoundStarted() | DeltaArrived() | RoundEnded() | ExchangeEnded():
            return event.exchange_id
        case _:
            return ""
