"""Out of the real window and back in: exported, looked at, dropped on it again."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import orjson
import pytest
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QRadioButton
from tests.export.har_schema import HAR_SCHEMA
from tests.fakes.chromium import needs_chromium, open_page
from tests.fakes.gallery import whole_story

from callgate.cli.export_command import Wanted, export, listing, take_in
from callgate.core.events import FaultRaised
from callgate.core.secrets.redaction import RedactionChoice
from callgate.export.format import ExportOptions
from callgate.ui.conversation.transcript import Transcript
from callgate.ui.export.dialog import ExportDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
KEY = "sk-abcdefgh0123456789"
KEPT = "[journal]\nkeep_secrets = true\n"
"""A journal that holds keys, so that taking them out of an export can be seen."""


async def talk(program: Any, text: str) -> str:
    await program.runtime.console.send(text, model="callgate-demo", use_tools=False)
    (summary, *_) = await program.runtime.console.conversations()
    await program.until(lambda: program.window_app.conversations.model.row_of(summary.id) > 0)
    return summary.id


def drop(program: Any, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window = program.window_app.window
    entering = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, left, none))


def test_a_conversation_goes_out_and_comes_back_looking_the_same(
    make_program: Callable[..., Any], tmp_path: Path
) -> None:
    program = make_program(KEPT)

    async def use() -> None:
        first = await talk(program, f"Remember {KEY} for me")
        window_app = program.window_app
        await program.until(lambda: window_app.conversation.conversation == first)
        stored = Transcript()
        stored.apply_all(await program.runtime.console.events(first))
        before = [type(block).__name__ for block in stored.blocks]
        window_app.window.actions_of_window.export.trigger()
        dialog: ExportDialog = window_app.export.dialog
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
        await program.until(lambda: window_app.conversation.conversation.startswith("imported_"))
        view = window_app.conversation.view
        await program.until(lambda: [type(block).__name__ for block in view.transcript.blocks] == before)
        summary = window_app.conversations.model.summary(window_app.conversation.conversation)
        assert summary.imported and summary.marks.origin == "talk.callgate.jsonl"
        assert window_app.conversations.current == summary.id

    program.play(use())


def test_a_broken_file_is_named_in_the_banner(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()
    path = tmp_path / "bad.jsonl"
    path.write_text('{"callgate": "conversation", "v": 1, "id": "c"}\n{"kind": "nonsense"}\n', "utf-8")
    heard: list[FaultRaised] = []
    program.runtime.bus.subscribe(lambda event: heard.append(event) if isinstance(event, FaultRaised) else None)

    async def use() -> None:
        drop(program, path)
        await program.until(lambda: heard)
        assert "bad.jsonl cannot be opened. Line 2 cannot be read" in heard[0].message
        await program.until(program.window_app.window.banner.isVisible)

    program.play(use())


def test_the_command_reads_the_journal_of_the_running_program(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program(KEPT)
    first = program.play(talk(program, f"Remember {KEY} for me"))
    program.play(program.runtime.journal.settled())
    journal = tmp_path / "data" / "callgate.db"
    out = tmp_path / "all.har"
    said = export(journal, Wanted(everything=True), None, ExportOptions(), out)
    assert said.startswith("1 conversation as HAR 1.2")
    assert orjson.loads(out.read_bytes())["log"]["entries"]
    assert KEY not in out.read_text("utf-8")
    export(journal, Wanted((first,)), "jsonl", ExportOptions(RedactionChoice(secrets=False)), tmp_path / "one.jsonl")
    assert KEY in (tmp_path / "one.jsonl").read_text("utf-8")
    assert next(iter(listing(journal))).startswith(first)
    program.take_down()  # while it runs, it is the only one that writes its journal
    with ThreadPoolExecutor(1) as aside:  # a command has a loop of its own
        taken = aside.submit(take_in, journal, tmp_path / "one.jsonl").result()
    assert taken.startswith("1 imported from one.jsonl")
    program.start()
    program.play(program.until(lambda: program.window_app.conversations.model.count == 2))


async def saved(program: Any, form: str, path: Path) -> Path:
    """What the dialog writes in a format."""
    dialog: ExportDialog = program.window_app.export.dialog
    dialog.findChild(QRadioButton, f"exportFormat_{form}").click()
    await program.until(dialog.save_button.isEnabled)
    dialog.save_to(path)
    status = dialog.findChild(QLabel, "exportStatus")
    await program.until(lambda: status.text().startswith(f"Saved {path.name}"))
    return path


def test_every_format_is_what_it_says(make_program: Callable[..., Any], tmp_path: Path) -> None:
    """A real exchange with a real call over HTTP, so that there are bytes to export."""
    program = make_program('[[rules]]\nverdict = "allow"\ntool = "read_file"\n')

    async def use() -> dict[str, Path]:
        window_app = program.window_app
        said = {"role": "user", "content": f"What does notes.txt say? {KEY}"}
        body = {
            "model": "callgate-demo",
            "messages": [said],
            "use_tools": True,
            "tool_execution": "auto",
            "stream": True,
        }
        async with httpx.AsyncClient(base_url=program.runtime.address, timeout=10) as client:
            assert (await client.post("/v1/chat/completions", json=body | {"stream": True})).status_code == 200
        (summary, *_) = await program.runtime.console.conversations()
        await program.until(lambda: window_app.conversation.conversation == summary.id)
        await program.runtime.journal.settled()
        window_app.window.actions_of_window.export.trigger()
        await program.until(window_app.export.dialog.isVisible)
        forms = {
            "har": "a.har",
            "otlp": "a.otlp.json",
            "html": "a.html",
            "markdown": "a.md",
            "jsonl": "a.callgate.jsonl",
        }
        return {form: await saved(program, form, tmp_path / name) for form, name in forms.items()}

    files = program.play(use())
    for path in files.values():
        assert KEY not in path.read_text("utf-8"), path.name
    har = orjson.loads(files["har"].read_bytes())
    jsonschema_rs.validator_for(HAR_SCHEMA, validate_formats=True).validate(har)
    assert {entry["_callgate"]["side"] for entry in har["log"]["entries"]} == {"client", "upstream"}
    traces = json_format.Parse(files["otlp"].read_text("utf-8"), TracesData())
    names = [span.name for of in traces.resource_spans for scope in of.scope_spans for span in scope.spans]
    assert "execute_tool read_file" in names and any(name.startswith("chat ") for name in names)
    assert "buy milk" in files["markdown"].read_text("utf-8")


@needs_chromium
def test_a_page_opens_in_a_browser_that_is_asked_for_nothing(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()

    async def use() -> Path:
        for event in whole_story("story", time.time()):
            program.runtime.bus.publish(event)
        window_app = program.window_app
        window_app.conversation.open("story")
        await program.until(lambda: window_app.conversations.current == "story")
        await program.runtime.journal.settled()
        window_app.window.actions_of_window.export.trigger()
        await program.until(window_app.export.dialog.isVisible)
        return await saved(program, "html", tmp_path / "story.html")

    seen = open_page(program.play(use()), tmp_path / "profile")
    assert seen.asked == ()
    for words in ("What I found", "never force-push from here", "<table>", "data:image/png;base64,", "went backwards"):
        assert words in seen.dom, words


def test_the_command_is_a_program_of_its_own(make_program: Callable[..., Any], tmp_path: Path) -> None:
    program = make_program()
    program.play(talk(program, f"Remember {KEY} for me"))
    program.play(program.runtime.journal.settled())
    done = subprocess.run(
        [sys.executable, "-m", "callgate", "export", "--all", "--format", "markdown", "--data", str(tmp_path / "data")],
        capture_output=True, text=True, timeout=30, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert "Remember" in done.stdout and KEY not in done.stdout
