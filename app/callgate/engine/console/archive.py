"""The desk for everything that is kept: found, named, pinned, tagged, deleted with a way back, exported and imported.

`ArchiveService` is what a front end sees of it, `Archive` the real one. Deleting is soft until `purge`: a
conversation is
gone from every list at once, and comes back by `undelete`; what is soft when the program ends is deleted then.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TextIO

from callgate import __version__
from callgate.core.conversation import ConversationSummary
from callgate.core.errors import UserFault
from callgate.core.events import ConversationMarked
from callgate.core.ids import new_id
from callgate.core.marks import Marks
from callgate.core.search.hit import SearchHit
from callgate.core.secrets.redaction import Redactor
from callgate.engine.bus import Bus
from callgate.engine.output_file import output_file
from callgate.export.format import FORMATS, ExportAbout, ExportOptions, ExportWriter, Format
from callgate.export.imported import as_imported
from callgate.export.native import read_native
from callgate.export.record import ConversationRecord, redacted
from callgate.export.writers import writer_for
from callgate.store.tables.conversation_archive import ConversationArchive
from callgate.wire.registry import TRAITS

HITS: Final = 100
"""Conversations that a search shows; whoever wants the next hundred types another letter."""
LARGEST_IMPORT: Final = 512 * 1024 * 1024
"""Bytes; a file is held in memory whole while it is read."""
PREVIEWED: Final = 20
"""Conversations that a preview reads; of more, the rest is told by number only."""
SAMPLE: Final = 30_000
"""Characters of the file that a preview shows."""

_LEFT_OUT: Final = "{} messages of MCP servers are left out: {} has no place for them."
Progress = Callable[[int, int], None]
"""Told how many of how many conversations are done."""


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """What a file would hold; of many conversations only the first are looked into."""

    conversations: int
    looked_into: int
    exchanges: int
    calls: int
    events: int
    captured: int
    """Bytes that crossed the wire and are in it."""
    size: int
    """Bytes of the file, of what was looked into."""
    redactions: tuple[tuple[str, int], ...]
    """What was taken out, and how often."""
    sample: str
    """How the file begins; of a page, how what was said begins."""
    messages: int = 0
    """Of MCP servers, that are in it."""
    notes: tuple[str, ...] = ()
    """What is left out by the nature of the format, in words."""


class ArchiveService(Protocol):
    async def search(self, text: str, limit: int = HITS) -> Sequence[SearchHit]:
        """Conversations in which all of it is found, the best first."""
        ...

    def mark(self, conversation_id: str, marks: Marks) -> None:
        """Name, pin and tags, as they hold from now on; `ConversationMarked` tells everyone."""
        ...

    def delete(self, conversation_id: str) -> None:
        """Out of sight at once; `undelete` brings it back until it is purged."""
        ...

    def undelete(self, conversation_id: str) -> bool:
        """False: too late."""
        ...

    async def purge(self, conversation_id: str) -> None:
        """Deletes for good what was deleted before."""
        ...

    async def preview(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> ExportPreview: ...

    async def text(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> str:
        """The whole file as text, for the clipboard."""
        ...

    async def export(
        self,
        conversations: Sequence[str],
        form: Format,
        options: ExportOptions,
        path: Path,
        progress: Progress | None = None,
    ) -> int:
        """Writes a file and tells its size; an older one of that name is replaced only by a whole one."""
        ...

    async def import_file(self, path: Path) -> Sequence[ConversationSummary]:
        """Takes in a file of Callgate's own; raises `UserFault` that names the line at fault."""
        ...


class Archive:
    def __init__(self, shelf: ConversationArchive, bus: Bus, forget: Callable[[str], Awaitable[None]]) -> None:
        self._shelf, self._bus, self._forget = shelf, bus, forget
        self._leaving: set[str] = set()

    @property
    def leaving(self) -> frozenset[str]:
        """Deleted, but not for good yet."""
        return frozenset(self._leaving)

    async def search(self, text: str, limit: int = HITS) -> Sequence[SearchHit]:
        hits = await self._shelf.search(text, limit)
        return [hit for hit in hits if hit.conversation_id not in self._leaving]

    def mark(self, conversation_id: str, marks: Marks) -> None:
        self._bus.publish(ConversationMarked(conversation_id, marks, time.time()))

    def delete(self, conversation_id: str) -> None:
        self._leaving.add(conversation_id)

    def undelete(self, conversation_id: str) -> bool:
        known = conversation_id in self._leaving
        self._leaving.discard(conversation_id)
        return known

    async def purge(self, conversation_id: str) -> None:
        if self.undelete(conversation_id):
            await self._forget(conversation_id)

    async def close(self) -> None:
        """What was deleted and not brought back goes now."""
        for conversation_id in tuple(self._leaving):
            await self.purge(conversation_id)

    async def preview(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> ExportPreview:
        looked = conversations[:PREVIEWED]
        records = [await self._record(conversation_id, form, options) for conversation_id in looked]
        return await asyncio.to_thread(_preview, records, len(conversations), form, options)

    async def text(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> str:
        records = [await self._record(conversation_id, form, options) for conversation_id in conversations]
        return await asyncio.to_thread(_whole, records, form, options, Redactor(options.redaction))

    async def export(
        self,
        conversations: Sequence[str],
        form: Format,
        options: ExportOptions,
        path: Path,
        progress: Progress | None = None,
    ) -> int:
        about = about_export(options)
        redactor = Redactor(options.redaction)
        try:
            async with _output(path) as file:
                writer = writer_for(form, about, options, path.stem)
                await asyncio.to_thread(file.write, writer.begin())
                for number, conversation_id in enumerate(conversations, start=1):
                    record = await self._record(conversation_id, form, options)
                    await asyncio.to_thread(_write, file, writer, record, redactor)
                    if progress is not None:
                        progress(number, len(conversations))
                await asyncio.to_thread(file.write, writer.end())
            return (await asyncio.to_thread(path.stat)).st_size
        except OSError as error:
            raise UserFault(f"{path} cannot be written: {error.strerror or error}") from error

    async def import_file(self, path: Path) -> Sequence[ConversationSummary]:
        records = await asyncio.to_thread(read_import, path)
        return [await self._shelf.put(record) for record in records]

    async def _record(self, conversation_id: str, form: Format, options: ExportOptions) -> ConversationRecord:
        wire = FORMATS[form].needs_wire or (form == "jsonl" and options.wire)
        record = await self._shelf.record(conversation_id, wire=wire)
        if record is None:
            raise UserFault("This conversation has been deleted; there is nothing to export.")
        return record


def about_export(options: ExportOptions) -> ExportAbout:
    return ExportAbout(__version__, time.time(), not Redactor(options.redaction).is_idle, TRAITS)


def read_import(path: Path) -> list[ConversationRecord]:
    """The conversations of a file as ours, with new ids. Raises `UserFault` in words that name the file."""
    try:
        if path.stat().st_size > LARGEST_IMPORT:
            raise UserFault(f"{path.name} is larger than {LARGEST_IMPORT // 1024 // 1024} MB.")
        text = path.read_text("utf-8")
    except OSError as error:
        raise UserFault(f"{path.name} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserFault(f"{path.name} is no text, so it is no file of Callgate's.") from error
    try:
        # by line feeds alone: a text inside may hold any other kind of line end
        read = read_native(text.split("\n"))
        return [as_imported(record, path.name, time.time(), new_id) for record in read.records]
    except UserFault as problem:
        raise UserFault(f"{path.name} cannot be opened. {problem}") from problem


@asynccontextmanager
async def _output(path: Path) -> AsyncGenerator[TextIO, None]:
    """The file, opened and put in place in a thread: a pipe waits for whoever reads it."""
    output = output_file(path)
    file = await asyncio.to_thread(output.__enter__)
    try:
        yield file
    except BaseException as error:
        await asyncio.to_thread(output.__exit__, type(error), error, error.__traceback__)
        raise
    await asyncio.to_thread(output.__exit__, None, None, None)


def _write(file: TextIO, writer: ExportWriter, record: ConversationRecord, redactor: Redactor) -> None:
    file.write(_speakable(writer.conversation(redacted(record, redactor))))


def _whole(records: list[ConversationRecord], form: Format, options: ExportOptions, redactor: Redactor) -> str:
    writer = writer_for(form, about_export(options), options)
    text = writer.begin() + "".join(writer.conversation(redacted(record, redactor)) for record in records)
    return _speakable(text + writer.end())


def _preview(records: list[ConversationRecord], total: int, form: Format, options: ExportOptions) -> ExportPreview:
    redactor = Redactor(options.redaction)
    text = _whole(records, form, options, redactor)
    counts: Counter[str] = redactor.counts
    messages = sum(len(record.frames) for record in records)
    holds = FORMATS[form].holds_messages
    return ExportPreview(
        total,
        len(records),
        sum(record.summary.exchanges for record in records),
        sum(record.summary.calls for record in records),
        sum(len(record.events) for record in records),
        sum(len(piece.data) for record in records for piece in record.wire),
        len(text.encode("utf-8")),
        tuple(counts.most_common()),
        text[text.find("<section>") if form == "html" else 0 :][:SAMPLE],
        messages if holds else 0,
        (_LEFT_OUT.format(f"{messages:,}", FORMATS[form].title),) if messages and not holds else (),
    )


def _speakable(text: str) -> str:
    """Half a surrogate pair, which a model may write, is no UTF-8."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
