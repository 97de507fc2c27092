"""Out of the real window and back in: exported, looked at, dropped on it again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QRadioButton

from callgate.core.events import FaultRaised
from callgate.core.export_format import ExportOptions
from callgate.core.redaction import RedactionChoice
from callgate.export_command import Wanted, export, listing, take_in
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.export.dialog import ExportDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
KEY = "sk-abcdefgh0123456789"


async def talk(program: Any, text: str) -> str:
    await program.station.console.send(text, model="callgate-demo", use_tools=False)
    (summary, *_) = await program.station.console.conversations()
    await program.until(lambda: program.front.conversations.model.row_of(summary.id) > 0)
    return summary.id


def drop(program: Any, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window = program.front.window
    entering = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, left, none))


def test_a_conversation_goes_out_and_comes_back_looking_the_same(
    make_program: Callable[..., Any], tmp_path: Path
) -> None:
    program = make_program()

    async def use() -> None:
        first = await talk(program, f"Remember {KEY} for me")
        front = program.front
        await program.until(lambda: front.conversation.conversation == first)
        stored = Transcript()
        stored.apply_all(await program.station.console.events(first))
        before = [type(block).__name__ for block in stored.blocks]
        front.window.actions_of_window.export.trigger()
        dialog: ExportDialog = front.export.dialog
        await program.until(dialog.isVisible)
        taken = dialog.findChild(QLabel, "exportTaken")
        await program.until(lambda: "key" in taken.text())
        assert KEY not in dialog.preview.toPlainText()
        path = tmp_path / "talk.callgate.jsonl"
        dialog.save_to(path)
        status = dialog.findChild(QLabel, "exportStatus")
        await program.until(lambda: status.text().startswith("Saved talk.callgate.jsonl"))
        assert KEY not in path.read_text("utf-8")
        dialog.findChild(QRadioButton, "exportFormat_har").click()
        await program.until(lambda: '"log"' in dialog.preview.toPlainText())
        dialog.close_button.click()
        assert not dialog.isVisible()
        drop(program, path)
        await program.until(lambda: front.conversation.conversation.startswith("imported_"))
        view = front.conversation.view
        await program.until(lambda: [type(block).__name__ for block in view.transcript.blocks] == before)
        summary = front.conversations.model.summary(front.conversation.conversation)
        assert summary.imported and summary.marks.origin == "talk.callgate.jsonl"
        assert front.conversations.current == summary.id

    program.play(use())


def test_a_broken_file_is_named_in_the_banner(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()
    path = tmp_path / "bad.jsonl"
    path.write_text('{"callgate": "conversation", "v": 1, "id": "c"}\n{"kind": "nonsense"}\n', "utf-8")
    heard: list[FaultRaised] = []
    program.station.bus.subscribe(lambda event: heard.append(event) if isinstance(event, FaultRaised) else None)

    async def use() -> None:
        drop(program, path)
        await program.until(lambda: heard)
        assert "bad.jsonl cannot be opened. Line 2 cannot be read" in heard[0].message
        await program.until(program.front.window.banner.isVisible)

    program.play(use())


def test_the_command_reads_the_journal_of_the_running_program(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()
    first = program.play(talk(program, f"Remember {KEY} for me"))
    program.play(program.station.journal.settled())
    journal = tmp_path / "data" / "callgate.db"
    out = tmp_path / "all.har"
    said = export(journal, Wanted(everything=True), None, ExportOptions(), out)
    assert said.startswith("1 conversation as HAR 1.2")
    assert orjson.loads(out.read_bytes())["log"]["entries"]
    assert KEY not in out.read_text("utf-8")
    export(journal, Wanted((first,)), "jsonl", ExportOptions(RedactionChoice(secrets=False)), tmp_path / "one.jsonl")
    assert KEY in (tmp_path / "one.jsonl").read_text("utf-8")
    assert next(iter(listing(journal))).startswith(first)
    assert take_in(journal, tmp_path / "one.jsonl").startswith("1 imported from one.jsonl")
    program.restart()
    program.play(program.until(lambda: program.front.conversations.model.count == 2))
