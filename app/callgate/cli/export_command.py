"""`callgate export` and `callgate import`: conversations out of a data folder and into one.

Exporting only reads, so it works while the program runs. Both answer with what to say; saying it is the business of
the command line.
"""

import asyncio
import os
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.core.secrets.redaction import Redactor
from callgate.engine.console.archive import about_export, read_import
from callgate.engine.output_file import output_file
from callgate.export.format import FORMATS, ExportOptions, Format
from callgate.export.record import ConversationRecord, redacted
from callgate.export.writers import writer_for
from callgate.store.database import Database
from callgate.store.folder_lock import FolderLock
from callgate.store.reading import open_for_reading
from callgate.store.tables.conversation_archive import ConversationArchive
from callgate.store.tables.record_rows import conversation_ids, find_conversations, read_record

LATEST = 5
"""Conversations that are named where none was chosen."""
_SPAN = re.compile(r"(\d+)([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which conversations; none of it said = none."""

    conversations: tuple[str, ...] = ()
    everything: bool = False
    since: str = ""
    """A span such as 7d, or a time in ISO 8601."""


def export(journal: Path, wanted: Wanted, form: Format | None, options: ExportOptions, out: Path | None = None) -> str:
    """Writes the conversations to a file, or to standard output; what is to be told of it."""
    connection = open_for_reading(journal)
    try:
        chosen = _chosen(connection, wanted)
        form = form or _guessed(out)
        redactor = Redactor(options.redaction)
        pieces = _pieces(connection, chosen, form, options, redactor, out)
        if out is None:
            _print(pieces)
        else:
            _save(pieces, out)
    except sqlite3.Error as error:
        raise UserFault(f"{journal} cannot be read: {error}") from error
    finally:
        connection.close()
    found = ", ".join(f"{count} × {name}" for name, count in redactor.counts.most_common())
    count = "1 conversation" if len(chosen) == 1 else f"{len(chosen)} conversations"
    return f"{count} as {FORMATS[form].title}" + (f"; taken out: {found}" if found else "")


def listing(journal: Path) -> Iterator[str]:
    """A line for each conversation, the newest first."""
    connection = open_for_reading(journal)
    try:
        for identifier, agent, title, updated in find_conversations(connection):
            when = datetime.fromtimestamp(updated).strftime("%Y-%m-%d %H:%M")
            yield f"{identifier}  {when}  {agent}  {title}"
    finally:
        connection.close()


def take_in(journal: Path, file: Path) -> str:
    """Imports a file into the journal of a data folder; raises `FolderInUse` while a program works on that.

    Its window would not show what comes in behind its back: the file is to be opened there.
    """
    records = read_import(file)
    lock = FolderLock(journal.parent)
    try:
        database = Database(journal)
        try:
            asyncio.run(_put(ConversationArchive(database), records))
        finally:
            database.close()
    finally:
        lock.release()
    ids = ", ".join(record.summary.id for record in records)
    return f"{len(records)} imported from {file.name}: {ids}"


async def _put(shelf: ConversationArchive, records: list[ConversationRecord]) -> None:
    for record in records:
        await shelf.put(record)


def _chosen(connection: sqlite3.Connection, wanted: Wanted) -> list[str]:
    known = conversation_ids(connection, _moment(wanted.since) if wanted.since else 0.0)
    if wanted.conversations:
        unknown = [each for each in wanted.conversations if each not in set(conversation_ids(connection))]
        if unknown:
            raise UserFault(f"There is no conversation {unknown[0]} in this data folder.")
        return list(wanted.conversations)
    if not wanted.everything and not wanted.since:
        latest = [f"  {row[0]}  {row[2]}" for row in find_conversations(connection)[:LATEST]]
        said = "\n".join(latest) or "  there are none yet"
        raise UserFault(f"Say which: --conversation ID, --all, or --since 7d. The latest are:\n{said}")
    return known


def _moment(text: str) -> float:
    span = _SPAN.fullmatch(text)
    if span is not None:
        return time.time() - int(span[1]) * _SECONDS[span[2]]
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise UserFault(
            f"--since takes a span such as 7d or 12h, or a time such as 2026-01-31, not {text!r}."
        ) from error


def _guessed(out: Path | None) -> Format:
    """By the name of the file; Callgate's own where that says nothing."""
    name = out.name.lower() if out is not None else ""
    for form, look in FORMATS.items():
        if name.endswith(look.suffix):
            return form
    return "jsonl"


def _pieces(
    connection: sqlite3.Connection,
    chosen: list[str],
    form: Format,
    options: ExportOptions,
    redactor: Redactor,
    out: Path | None,
) -> Iterator[str]:
    writer = writer_for(form, about_export(options), options, out.stem if out is not None else "Conversations")
    wire = FORMATS[form].needs_wire or (form == "jsonl" and options.wire)
    yield writer.begin()
    for conversation_id in chosen:
        record = read_record(connection, conversation_id, wire)
        if record is not None:  # else it was deleted since it was chosen
            yield writer.conversation(redacted(record, redactor))
    yield writer.end()


def _save(pieces: Iterator[str], out: Path) -> None:
    try:
        with output_file(out) as file:
            for piece in pieces:
                file.write(piece)
    except OSError as error:
        raise UserFault(f"{out} cannot be written: {error.strerror or error}") from error


def _print(pieces: Iterator[str]) -> None:
    try:
        # not by the terminal's own encoding: a file is meant, whatever it is printed on
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # whoever reads has seen enough (`| head`); without this, closing down would complain of it a second time
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
