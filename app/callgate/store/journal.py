"""The journal: every event of the bus, kept so that a stored conversation looks exactly like a live one.

`record` only queues; spelling, masking and writing happen on the database's own thread. Reading takes the same queue,
so it sees everything that was recorded before. The journal keeps events and summaries of them; it judges nothing.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import assert_never

from callgate.core.agent import stored_identity
from callgate.core.calls.invocation import Cancel, Invocation, advance
from callgate.core.conversation import ConversationSummary
from callgate.core.deltas import Failed
from callgate.core.errors import Fault, NotRecorded
from callgate.core.events import (
    AgentsChanged,
    ConversationMarked,
    DeltaArrived,
    EndpointsChanged,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FaultRaised,
    FileChangesFound,
    FrameCaptured,
    GateChanged,
    InvocationChanged,
    JournalChanged,
    ProxyChanged,
    QuestionAnswered,
    QuestionAsked,
    ReplyKept,
    RoundEnded,
    RoundStarted,
    RulesChanged,
    SourceChanged,
    ToolOutput,
    ToolsChanged,
    WireCaptured,
    conversation_of,
)
from callgate.core.rules.audit import AuditEntry, gap
from callgate.core.secrets.masking import mask
from callgate.store.database import Database, DatabaseClosedError, attempted
from callgate.store.event_json import UnreadableEvent, read_event, write_event
from callgate.store.outage import Changed, JournalState
from callgate.store.secret_filter import SecretFilter
from callgate.store.tables.audit_rows import audit_lines, audit_page, insert_decision, insert_entry
from callgate.store.tables.conversation_archive import ConversationArchive
from callgate.store.tables.conversation_rows import all_summaries, update_summary
from callgate.store.tables.definitions import remember_tools
from callgate.store.tables.exchange_rows import (
    LineageRow,
    all_lineages,
    begin_exchange,
    end_exchange,
    find_lineage,
    find_owner,
    unended_exchanges,
)
from callgate.store.tables.frame_rows import (
    forget_frames,
    frame_heads,
    frames_of_call,
    frames_of_source,
    hide_notifications,
    insert_frame,
    sources_heard,
)
from callgate.store.tables.replay_rows import first_of_last, replay_rows
from callgate.store.tables.reply_rows import find_reply, find_reply_of_item, forget_replies, insert_reply
from callgate.store.tables.search_rows import forget_passages, index_event
from callgate.store.tables.statistics_rows import StatisticsShelf, forget_statistics, note_statistics
from callgate.store.tables.traffic_rows import exchange_traffic, recent_traffic
from callgate.store.tables.wire_rows import insert_wire, wire_of
from callgate.store.write_queue import WriteQueue

MOST_FRAMES = 2000
"""Messages of one call that are read at once: a chatty server reports progress by the thousand."""
COMMIT_SECONDS = 5.0
"""A commit for which nothing is done for so long counts as failed: an answer must not wait for a disk that hangs."""
AUDIT_PAGE = 1000
"""Lines that an export reads at a time: other work gets its turn in between."""

_HANGS = f"the disk has not answered for {COMMIT_SECONDS:.0f} seconds"
_INTERRUPTED = "Callgate ended before this call did."


class Journal:
    def __init__(self, database: Database, *, keep_secrets: bool = False) -> None:
        """`keep_secrets`: keys in bodies, arguments and results are stored as they are; those in heads never."""
        self._database = database
        self._filter = SecretFilter(keep_secrets)
        """Touched on the writer thread only."""
        self.shelf = ConversationArchive(database, keep_secrets=keep_secrets)
        self._queue = WriteQueue(database, self._store)
        database.at_end(self._end)
        self.statistics = StatisticsShelf(database)
        self._forgotten: set[str] = set()
        """Touched on the writer thread only."""
        self._late: asyncio.Future[None] | None = None
        """A commit that takes too long, until it is done."""

    @property
    def mcp_sources(self) -> AbstractSet[str]:
        """Sources of which messages are kept: MCP servers, whether they are still configured or not."""
        return self.shelf.mcp_sources

    def record(self, event: Event) -> None:
        """Keeps an event. Returns at once; `settled` tells when it is safe."""
        if isinstance(event, FrameCaptured):
            self.shelf.mcp_sources.add(event.source)
        if isinstance(event, SourceChanged | EndpointsChanged | JournalChanged | FileChangesFound):
            return  # how a source or an endpoint is doing is worth nothing once it does otherwise
        self._queue.offer(event)

    @property
    def state(self) -> JournalState:
        return self._queue.outage.state

    @property
    def fault(self) -> str:
        """Why nothing can be written now; empty = it can."""
        if self._database.failing is not None:
            return str(self._database.failing) or type(self._database.failing).__name__
        return _HANGS if self._late is not None and not self._late.done() else ""

    def on_change(self, changed: Changed) -> None:
        """`changed` is called on the writer thread when the journal cannot be written any more, or can be again."""
        self._queue.outage.changed = changed

    async def committed(self) -> None:
        """Returns when everything recorded so far is committed; raises `NotRecorded` where it cannot be.

        All that wait at the same time share one transaction. "Committed" is what the death of the process leaves in
        place; for a power cut each would have to be flushed to the disk (`synchronous = FULL`).
        """
        if self.fault:
            raise NotRecorded(self.fault)
        try:
            commit = asyncio.wrap_future(self._database.commit())
            steps, done = -1, set[asyncio.Future[None]]()
            while not done and steps != self._database.steps:  # bodies of many megabytes take their time
                steps = self._database.steps
                done, _ = await asyncio.wait({commit}, timeout=COMMIT_SECONDS)
            if not done:
                self._late = commit
                commit.add_done_callback(_seen)
                raise NotRecorded(_HANGS)
            commit.result()
        except DatabaseClosedError as error:
            raise NotRecorded(str(error)) from error

    async def settled(self) -> None:
        """Returns when everything recorded so far is committed."""
        await self._database.run(_nothing)

    async def conversations(self) -> list[ConversationSummary]:
        """All of them, the most recently touched first."""
        return await self._database.run(all_summaries)

    async def events(self, conversation_id: str) -> list[Event]:
        """What happened in a conversation, in order, without the captured bytes."""
        return await self._database.run(partial(self._live, conversation_id, _events))

    async def story(self, conversation_id: str, last: int = 0) -> tuple[list[Event], bool]:
        """What it takes to show a conversation again, and whether that is all of it.

        `last`: only so many exchanges from the end; 0 = all. Deltas are left out where the whole message is there.
        """
        return await self._database.run(partial(self._story, conversation_id, last))

    async def wire(self, exchange_id: str) -> list[WireCaptured]:
        """The bytes of an exchange, in order."""
        return await self._database.run(partial(self._wire, exchange_id))

    async def course(self, conversation_id: str) -> list[Event]:
        """What happened in a conversation, then the messages that its calls caused at MCP servers, without texts."""
        return await self._database.run(partial(self._live, conversation_id, _course))

    async def frames(self, invocation_id: str, most: int = MOST_FRAMES) -> tuple[list[FrameCaptured], int]:
        """The messages that a call caused, in order, and how many there are; of more, the first and last of them."""
        return await self._database.run(partial(frames_of_call, invocation_id=invocation_id, most=most))

    async def source_frames(self, source: str, most: int) -> list[FrameCaptured]:
        """The latest messages of a source, in order, also those that no call caused."""
        return await self._database.run(partial(frames_of_source, source=source, most=most))

    async def exchange(self, exchange_id: str) -> list[Event]:
        """What happened in one exchange, deltas left out."""
        return await self._database.run(partial(_exchange, exchange_id))

    async def recent_exchanges(self, limit: int, before: float | None = None) -> list[Event]:
        """What happened in the exchanges that started last (before a time), deltas left out, exchange by exchange."""
        await self.settled()  # what was recorded so far must be there; the rest of the way keeps no write waiting
        return await self._database.look(partial(_recent_exchanges, limit, before))

    async def invocations(self, limit: int) -> list[Invocation]:
        """Calls that are over, newest first."""
        return await self._database.run(partial(_ended_invocations, limit))

    async def reply(self, reply_id: str) -> ReplyKept | None:
        return await self._database.run(partial(find_reply, reply_id))

    async def reply_of_item(self, item_id: str) -> ReplyKept | None:
        return await self._database.run(partial(find_reply_of_item, item_id))

    async def forget(self, conversation_id: str) -> None:
        """Deletes a conversation; what still happens in it is not kept either, until a new exchange starts in it.

        The audit stays: it holds decisions with their reasons, and of the arguments only hashes.
        """
        await self._database.run(partial(self._forget, conversation_id))

    async def audit(self, limit: int = 100, before: int | None = None) -> list[AuditEntry]:
        """Decisions, the newest first; `before` = only those with a smaller sequence, for the next page."""
        return await self._database.run(lambda connection: audit_page(connection, limit, before))

    async def export_audit(self) -> AsyncIterator[str]:
        """The whole audit as lines of JSON, from the first entry on, without line ends."""
        after = 0
        while page := await self._database.run(partial(audit_lines, after=after, limit=AUDIT_PAGE)):
            for sequence, line in page:
                after = sequence
                yield line

    async def lineages(self, limit: int | None = None) -> list[LineageRow]:
        """Ended exchanges that a later request may extend, oldest first; `limit` = only so many of the latest."""
        return await self._database.run(partial(all_lineages, limit=limit))

    async def owner_of(self, conversation_id: str) -> str:
        """The identity (`core.agent`) of the agent that a conversation belongs to; empty = there is none."""
        found = await self._database.run(partial(find_owner, conversation_id))
        return "" if found is None else stored_identity(*found)

    async def by_lineage(self, hashes: Sequence[str], agent: str = "") -> LineageRow | None:
        """The exchange that a request extends. `hashes` come longest first; an agent narrows it to its own."""
        return await self._database.run(lambda connection: find_lineage(connection, hashes, agent))

    async def recover(self, now: float, left_failing: float | None = None) -> list[Event]:
        """Ends what was live when the program last ended, so that no view needs to know of restarts.

        To be called once, before anything is recorded, by the one program that holds the data folder. `left_failing`:
        since when the journal could not be written when that program ended. Returns the events that were added.
        """
        self.shelf.mcp_sources |= await self._database.run(sources_heard)
        if left_failing is not None:
            await self._database.run(partial(insert_entry, entry=gap(left_failing, now, 0)))
        return await self._database.run(partial(self._recover, now))

    # ---- on the writer thread --------------------------------------------------------------------------------------

    def _store(self, event: Event, connection: sqlite3.Connection) -> None:
        if isinstance(event, InvocationChanged):
            insert_decision(connection, event)  # also in a conversation that is forgotten: it was decided
        conversation_id = conversation_of(event)
        if conversation_id in self._forgotten:
            if not isinstance(event, ExchangeStarted):
                return
            self._forgotten.discard(conversation_id)
        if isinstance(event, ExchangeStarted | ToolsChanged):
            _, error = attempted(connection, lambda connection: remember_tools(connection, event))
            if error is not None:  # as in `_derive`; by the fingerprint of what was really offered
                self._database.report(error)
        for one in self._filter.take(event):
            self._store_clean(one, connection)
        for invocation_id in self._filter.spread_outputs():
            hide_notifications(connection, invocation_id)

    def _store_clean(self, event: Event, connection: sqlite3.Connection) -> None:
        conversation_id = conversation_of(event)
        if isinstance(event, WireCaptured):
            insert_wire(connection, event)
            return
        if isinstance(event, FrameCaptured):
            insert_frame(connection, event)
            return
        if isinstance(event, ReplyKept):
            insert_reply(connection, event)
            return
        masked = _masked(event)
        connection.execute(
            "INSERT INTO events (conversation_id, exchange_id, kind, at, body) VALUES (?, ?, ?, ?, ?)",
            (conversation_id, _exchange_of(event), event.kind, event.at, write_event(masked)),
        )
        match event:
            case ExchangeStarted():
                begin_exchange(connection, event)
            case ExchangeEnded():
                end_exchange(connection, event)
            case _:
                pass
        # by far the most events are deltas and output, of which no summary tells: they are spared the look-up
        if not isinstance(event, DeltaArrived | ToolOutput):
            self._derive(event, masked, conversation_id, connection)

    def _derive(self, event: Event, masked: Event, conversation_id: str, connection: sqlite3.Connection) -> None:
        """Summaries of an event. One that fails on what a peer has sent must not take the event with it."""

        def derive(connection: sqlite3.Connection) -> None:
            if conversation_id:
                update_summary(connection, conversation_id, event)
                note_statistics(connection, event)
                index_event(connection, masked)

        _, error = attempted(connection, derive)
        if error is not None:
            self._database.report(error)

    def _end(self, connection: sqlite3.Connection) -> None:
        for event in self._filter.end():
            self._store_clean(event, connection)

    def _live(
        self,
        conversation_id: str,
        read: Callable[[str, sqlite3.Connection], list[Event]],
        connection: sqlite3.Connection,
    ) -> list[Event]:
        """What is stored, and what waits to be."""
        return [*read(conversation_id, connection), *self._unstored(conversation_id)]

    def _story(self, conversation_id: str, last: int, connection: sqlite3.Connection) -> tuple[list[Event], bool]:
        events, complete = _story(conversation_id, last, connection)
        return [*events, *self._unstored(conversation_id)], complete

    def _unstored(self, conversation_id: str) -> list[Event]:
        """Pieces whose words may still grow, and what could not be written so far."""
        return [*self._filter.held(conversation_id), *self._queue.outage.kept_of(conversation_id)]

    def _wire(self, exchange_id: str, connection: sqlite3.Connection) -> list[WireCaptured]:
        return [*wire_of(connection, exchange_id), *self._filter.held_bytes(exchange_id)]

    def _forget(self, conversation_id: str, connection: sqlite3.Connection) -> None:
        self._filter.forget(conversation_id)
        for table in ("events", "wire", "exchanges"):
            connection.execute(f"DELETE FROM {table} WHERE conversation_id = ?", (conversation_id,))
        forget_frames(connection, conversation_id)
        forget_replies(connection, conversation_id)
        forget_statistics(connection, conversation_id)
        forget_passages(connection, conversation_id)
        connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        self._forgotten.add(conversation_id)

    def _recover(self, now: float, connection: sqlite3.Connection) -> list[Event]:
        endings: list[Event] = []
        cancel = Cancel(by="shutdown", explanation=_INTERRUPTED)
        for invocation in _live_invocations(connection):
            endings.append(InvocationChanged(advance(invocation, cancel, now), now))
        for exchange_id, conversation_id in unended_exchanges(connection):
            endings.append(ExchangeEnded(exchange_id, conversation_id, "cancelled", now))
        for event in endings:
            self._store(event, connection)
        return endings


def _seen(commit: "asyncio.Future[None]") -> None:
    """What came of a commit that was given up is known from the state of the database."""
    if not commit.cancelled():
        commit.exception()


def _nothing(connection: sqlite3.Connection) -> None:
    """Being done at all, and committed, is the answer."""


def _events(conversation_id: str, connection: sqlite3.Connection) -> list[Event]:
    rows = connection.execute(
        "SELECT id, kind, at, body FROM events WHERE conversation_id = ? ORDER BY id", (conversation_id,)
    )
    return [_readable(number, kind, at, body) for number, kind, at, body in rows]


def _course(conversation_id: str, connection: sqlite3.Connection) -> list[Event]:
    return [*_events(conversation_id, connection), *frame_heads(connection, conversation_id)]


def _story(conversation_id: str, last: int, connection: sqlite3.Connection) -> tuple[list[Event], bool]:
    first = first_of_last(connection, conversation_id, last) if last else 0
    rows = replay_rows(connection, conversation_id, first)
    return [_readable(number, kind, at, body) for number, kind, at, body in rows], first == 0


def _recent_exchanges(limit: int, before: float | None, connection: sqlite3.Connection) -> list[Event]:
    return [_readable(number, kind, at, body) for number, kind, at, body in recent_traffic(connection, limit, before)]


def _exchange(exchange_id: str, connection: sqlite3.Connection) -> list[Event]:
    return [_readable(number, kind, at, body) for number, kind, at, body in exchange_traffic(connection, exchange_id)]


def _readable(number: int, kind: str, at: float, body: str) -> Event:
    """One bad row must not hide a whole conversation: it shows as the fault that it is."""
    try:
        return read_event(body)
    except UnreadableEvent as error:
        return FaultRaised("journal", f"Stored event {number} ({kind}) cannot be read.", at, str(error))


def _live_invocations(connection: sqlite3.Connection) -> list[Invocation]:
    """The latest value of each invocation that never reached a terminal state."""
    live: list[Invocation] = []
    interrupted = connection.execute("SELECT id FROM conversations WHERE running_calls > 0 ORDER BY started_at")
    for (conversation_id,) in interrupted.fetchall():
        latest: dict[str, Invocation] = {}
        bodies = connection.execute(
            "SELECT id, kind, at, body FROM events WHERE conversation_id = ? AND kind = 'invocation' ORDER BY id",
            (conversation_id,),
        )
        for number, kind, at, body in bodies:
            event = _readable(number, kind, at, body)
            if isinstance(event, InvocationChanged):
                latest[event.invocation.id] = event.invocation
        live += [invocation for invocation in latest.values() if invocation.is_live]
    return live


def _ended_invocations(limit: int, connection: sqlite3.Connection) -> list[Invocation]:
    rows = connection.execute(
        "SELECT body FROM events WHERE kind = 'invocation' AND conversation_id NOT GLOB 'imported_*'"
        " AND json_extract(body, '$.invocation.state')"
        " IN ('Completed', 'Cancelled', 'Released') ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    latest: dict[str, Invocation] = {}
    for (body,) in rows:
        event = read_event(body)
        if isinstance(event, InvocationChanged):
            latest.setdefault(event.invocation.id, event.invocation)  # a denial may have got its reason afterwards
    return list(latest.values())


def _exchange_of(event: Event) -> str:
    match event:
        case InvocationChanged():
            return event.invocation.exchange_id
        case ExchangeStarted() | RoundStarted() | DeltaArrived() | RoundEnded() | ExchangeEnded():
            return event.exchange_id
        case WireCaptured() | ReplyKept():
            return event.exchange_id
        case ToolOutput() | ToolsChanged() | RulesChanged() | GateChanged() | ProxyChanged() | FaultRaised():
            return ""
        case QuestionAsked() | QuestionAnswered() | SourceChanged() | EndpointsChanged() | AgentsChanged():
            return ""
        case FileChangesFound():
            return ""
        case ConversationMarked() | FrameCaptured() | JournalChanged():
            return ""
        case _:
            assert_never(event)


def _masked(event: Event) -> Event:
    """Words about failures may quote addresses and headers; everything else is kept as it was said."""
    match event:
        case FaultRaised():
            return replace(event, message=mask(event.message), detail=mask(event.detail))
        case ExchangeEnded() if event.fault is not None:
            return replace(event, fault=_masked_fault(event.fault))
        case DeltaArrived() if isinstance(event.delta, Failed):
            return replace(event, delta=replace(event.delta, fault=_masked_fault(event.delta.fault)))
        case _:
            return event


def _masked_fault(fault: Fault) -> Fault:
    return replace(fault, message=mask(fault.message))
