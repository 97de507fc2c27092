"""The desk of the archive over a real journal: deleting in two steps, exporting whole files, importing them again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
import pytest
from tests.store.samples import a_conversation, frame, started, wire_piece

from callgate.core.errors import UserFault
from callgate.core.events import ConversationMarked, Event
from callgate.core.marks import Marks
from callgate.core.secrets.redaction import RedactionChoice
from callgate.engine.bus import Bus
from callgate.engine.console.archive import PREVIEWED, Archive, read_import
from callgate.export.format import FORMATS, ExportOptions
from callgate.export.native import read_native
from callgate.store.database import Database
from callgate.store.journal import Journal
from callgate.ui.conversation.transcript import Transcript

SECONDS = 5
KEY = "sk-abcdefgh0123456789"


class Parts:
    def __init__(self, folder: Path) -> None:
        self.database = Database(folder / "callgate.db")
        self.journal = Journal(self.database, keep_secrets=True)
        self.bus = Bus()
        self.bus.subscribe(self.journal.record)
        self.archive = Archive(self.journal.shelf, self.bus, self.journal.forget)

    def play(self, *events: Event) -> None:
        for event in events:
            self.bus.publish(event)


@asynccontextmanager
async def parts(folder: Path) -> AsyncIterator[Parts]:
    opened = Parts(folder)
    async with asyncio.timeout(SECONDS):
        yield opened
        await opened.archive.close()
    assert opened.database.close()


def test_deleting_takes_two_steps(tmp_path: Path) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            held.play(started("e1", "c1", text="apples"), started("e2", "c2", text="apples"))
            held.archive.delete("c1")
            held.archive.delete("c2")
            assert held.archive.leaving == {"c1", "c2"}
            await held.journal.settled()
            assert await held.archive.search("apples") == []
            assert held.archive.undelete("c2") and not held.archive.undelete("c2")
            assert [hit.conversation_id for hit in await held.archive.search("apples")] == ["c2"]
            await held.archive.purge("c1")
            await held.archive.purge("c2")
            assert await held.journal.events("c1") == []
            assert len(await held.journal.events("c2")) == 1, "it was brought back, so there is nothing to purge"
            held.archive.delete("c2")
        reopened = Journal(database := Database(tmp_path / "callgate.db"))
        assert await reopened.events("c2") == [], "the end makes it final"
        database.close()

    asyncio.run(use())


def test_marks_reach_everyone_and_are_kept(tmp_path: Path) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            heard: list[Event] = []
            held.play(started())
            held.bus.subscribe(heard.append)
            held.archive.mark("c1", Marks("Name", True, ("x",)))
            assert isinstance(heard[0], ConversationMarked)
            (summary,) = await held.journal.conversations()
            assert summary.marks == Marks("Name", True, ("x",))

    asyncio.run(use())


@pytest.mark.parametrize("form", list(FORMATS))
def test_a_file_is_written_whole_and_without_secrets(tmp_path: Path, form: str) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            held.play(started("e1", "c1", text=f"my key: {KEY}"), wire_piece(f"data: {KEY}\n\n".encode()))
            held.play(started("e2", "c2"))
            steps: list[tuple[int, int]] = []
            path = tmp_path / "out.file"
            path.write_text("older", "utf-8")
            size = await held.archive.export(
                ["c1", "c2"],
                form,
                ExportOptions(),
                path,
                lambda *step: steps.append(step),  # type: ignore[arg-type]
            )
            text = path.read_text("utf-8")
            assert size == len(text.encode())
            assert steps == [(1, 2), (2, 2)]
            assert KEY not in text
            shown = await held.archive.text(["c1"], form, ExportOptions(RedactionChoice(secrets=False)))  # type: ignore[arg-type]
            assert (KEY in shown) == (form not in ("har", "otlp"))

    asyncio.run(use())
    assert list(tmp_path.glob(".out.file*")) == [], "nothing half done is left"


def test_a_preview_counts_what_is_in_it_and_what_was_taken_out(tmp_path: Path) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            held.play(*a_conversation(), started("e2", "c2", text=KEY), wire_piece())
            seen = await held.archive.preview(["c1", "c2"], "jsonl", ExportOptions())
            assert (seen.conversations, seen.looked_into, seen.exchanges, seen.calls) == (2, 2, 2, 1)
            assert seen.captured == len(wire_piece().data)
            assert seen.redactions == (("key", 2),), "in the message and in the title"
            assert seen.sample.startswith('{"callgate":"conversation"')
            assert seen.size > 1000
            assert (seen.messages, seen.notes) == (0, ())
            held.play(frame(1), frame(2))
            for form in ("jsonl", "html", "otlp"):
                seen = await held.archive.preview(["c1"], form, ExportOptions())
                assert (seen.messages, seen.notes) == (2, ()), form
            seen = await held.archive.preview(["c1"], "har", ExportOptions())
            assert seen.messages == 0 and seen.notes[0].startswith("2 messages of MCP servers are left out: HAR 1.2")
            many = ["c1"] * (PREVIEWED + 5)
            seen = await held.archive.preview(many, "html", ExportOptions(wire=False))
            assert (seen.conversations, seen.looked_into) == (PREVIEWED + 5, PREVIEWED)
            assert seen.sample.startswith("<section>")

    asyncio.run(use())


def test_what_cannot_be_written_or_is_gone_is_said(tmp_path: Path) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            held.play(started())
            with pytest.raises(UserFault, match="cannot be written"):
                await held.archive.export(["c1"], "jsonl", ExportOptions(), tmp_path / "no" / "file")
            with pytest.raises(UserFault, match="has been deleted"):
                await held.archive.preview(["gone"], "jsonl", ExportOptions())

    asyncio.run(use())


def test_what_was_exported_looks_the_same_when_imported(tmp_path: Path) -> None:
    async def use() -> None:
        async with parts(tmp_path) as held:
            held.play(*a_conversation(), wire_piece())
            path = tmp_path / "talk.jsonl"
            await held.archive.export(["c1"], "jsonl", ExportOptions(), path)
            (summary,) = await held.archive.import_file(path)
            assert summary.marks.origin == "talk.jsonl"
            before, after = Transcript(), Transcript()
            before.apply_all(await held.journal.events("c1"))
            after.apply_all(await held.journal.events(summary.id))
            exchange = next(block.exchange_id for block in after.blocks)
            ids = {exchange: "e1", summary.id: "c1"}
            ids |= {
                event.invocation.id: "inv_e1"  # type: ignore[attr-defined]
                for event in await held.journal.events(summary.id)
                if event.kind == "invocation"
            }
            text = repr(list(after.blocks))
            for new, old in ids.items():
                text = text.replace(new, old)
            assert text == repr(list(before.blocks))

    asyncio.run(use())


def test_broken_files_are_refused_with_their_name_and_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    for content, said in (
        (b"\xff\xfe\x00", "bad.jsonl is no text"),
        (b"{}\n", "bad.jsonl cannot be opened. Line 1 cannot be read"),
        (b"", "The file is empty"),
    ):
        path.write_bytes(content)
        with pytest.raises(UserFault, match=said):
            read_import(path)
    with pytest.raises(UserFault, match=r"none\.jsonl cannot be read"):
        read_import(tmp_path / "none.jsonl")
    head = orjson.dumps({"callgate": "conversation", "v": 1, "id": "c"}).decode()
    with pytest.raises(UserFault, match="is empty"):
        read_native([head])
