"""The export dialog shows what is in the file before there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QRadioButton
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.conversation import ConversationSummary
from callgate.core.errors import UserFault
from callgate.core.secrets.redaction import RedactionChoice
from callgate.export.format import ExportOptions
from callgate.ui.bridge import Bridge
from callgate.ui.export.dialog import ExportDialog
from callgate.ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def dialog(
    qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings
) -> Iterator[ExportDialog]:
    dialog = ExportDialog(console.archive, bridge, theme, None, settings)
    qtbot.addWidget(dialog)

    async def ask() -> None:
        dialog.ask([ConversationSummary("c1", title="My key sk-abcdefgh0123456789")])

    loop.run(ask())
    loop.until(lambda: "exchange" in said(dialog, "exportFacts"))
    yield dialog


def said(dialog: ExportDialog, name: str) -> str:
    return dialog.findChild(QLabel, name).text()


def choose(dialog: ExportDialog, form: str, loop: BoundLoop, console: FakeConsole) -> None:
    async def click() -> None:
        dialog.findChild(QRadioButton, f"exportFormat_{form}").click()

    loop.run(click())
    loop.until(lambda: console.archive.previewed[-1][0] == form and "Reading" not in said(dialog, "exportFacts"))


def switch(box: object, loop: BoundLoop) -> None:
    async def click() -> None:
        box.click()  # type: ignore[attr-defined]

    loop.run(click())
    loop.settle()


def test_it_shows_counts_what_is_taken_out_and_how_the_file_begins(dialog: ExportDialog) -> None:
    assert said(dialog, "exportFacts") == "3 exchanges · 4 tool calls · 120 events · 2 KB captured · file 4 KB"
    assert said(dialog, "exportTaken") == "Taken out: 2 keys, 1 header"
    assert dialog.preview.toPlainText().startswith("a sample of jsonl")
    assert dialog.preview.isReadOnly()


def test_every_choice_is_previewed_and_only_those_that_count_are_offered(
    dialog: ExportDialog, loop: BoundLoop, console: FakeConsole
) -> None:
    choices = dialog.choices
    assert choices.wire.isVisible() and not choices.bodies.isVisible()
    choose(dialog, "har", loop, console)
    assert choices.bodies.isVisible() and not choices.wire.isVisible()
    choose(dialog, "html", loop, console)
    assert not choices.bodies.isVisible() and not choices.wire.isVisible()
    for box in (choices.secrets, choices.emails, choices.home_paths):
        switch(box, loop)
    assert console.archive.previewed[-1] == ("html", ExportOptions(RedactionChoice(False, True, True)))
    assert dialog.findChild(QLabel, "exportWarning").isVisible()
    assert said(dialog, "exportTaken") == "Nothing is taken out."


def test_the_format_is_remembered(
    dialog: ExportDialog, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme, settings: QSettings,
    qtbot: QtBot,
) -> None:  # fmt: skip
    choose(dialog, "markdown", loop, console)
    again = ExportDialog(console.archive, bridge, theme, None, settings)
    qtbot.addWidget(again)
    assert again.choices.form == "markdown"
    assert again.choices.secrets.isChecked(), "what is taken out is decided anew each time"


def test_a_file_is_saved_or_it_is_said_why_not(
    dialog: ExportDialog, loop: BoundLoop, console: FakeConsole, tmp_path: Path
) -> None:
    async def save() -> None:
        dialog.save_to(tmp_path / "a.jsonl")

    loop.run(save())
    loop.until(lambda: said(dialog, "exportStatus") == "Saved a.jsonl (4 KB)")
    assert console.archive.exported == [(("c1",), "jsonl", ExportOptions(), tmp_path / "a.jsonl")]
    assert dialog.folder_button.isVisible() and dialog.save_button.isEnabled()
    console.archive.error = UserFault("The disk is full.")
    loop.run(save())
    loop.until(lambda: said(dialog, "exportStatus") == "The disk is full.")
    assert dialog.save_button.isEnabled()


def test_the_name_that_is_offered_holds_no_secret(dialog: ExportDialog, loop: BoundLoop) -> None:
    dialog.save_button.click()
    chooser = dialog.findChild(QFileDialog, "exportFileDialog")
    (name,) = chooser.selectedFiles()
    assert Path(name).name == "My key redacted key.callgate.jsonl"
    chooser.close()


def test_everything_can_be_copied(dialog: ExportDialog, loop: BoundLoop) -> None:
    async def copy() -> None:
        dialog.copy_button.click()

    loop.run(copy())
    loop.until(lambda: QGuiApplication.clipboard().text() == "all of jsonl")


def test_what_cannot_be_looked_into_is_said(dialog: ExportDialog, loop: BoundLoop, console: FakeConsole) -> None:
    console.archive.error = UserFault("It is gone.")
    switch(dialog.choices.emails, loop)
    loop.until(lambda: said(dialog, "exportStatus") == "It is gone.")
    assert dialog.preview.toPlainText() == ""


def test_escape_closes_it(dialog: ExportDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
