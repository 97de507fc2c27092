"""Files are opened and dropped; what cannot be read is said in the banner."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.fakes.samples import sample_conversation

from callgate.core.conversation import ConversationSummary
from callgate.core.errors import UserFault
from callgate.core.events import Event, FaultRaised
from callgate.ui.bridge import Bridge
from callgate.ui.export.presenter import ExportPresenter
from callgate.ui.theme.theme import Theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def presenter(console: FakeConsole, bridge: Bridge, theme: Theme, window: QWidget, loop: BoundLoop) -> ExportPresenter:
    return ExportPresenter(console, bridge, theme, window)


def drop(window: QWidget, *paths: Path) -> bool:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    entering = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, left, none)
    entering.ignore()
    QApplication.sendEvent(window, entering)
    if not entering.isAccepted():
        return False
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, none))
    return True


def test_a_dropped_file_is_imported(
    presenter: ExportPresenter, console: FakeConsole, window: QWidget, loop: BoundLoop
) -> None:
    console.archive.imports = [ConversationSummary("imported_1")]
    came: list[list[ConversationSummary]] = []
    presenter.imported.connect(came.append)

    async def use() -> None:
        assert drop(window, Path("/x/a.jsonl"), Path("/x/picture.png"))

    loop.run(use())
    loop.until(lambda: came == [[ConversationSummary("imported_1")]])
    assert not drop(window, Path("/x/picture.png")), "that is for somebody else"


def test_what_cannot_be_read_is_said_and_hinders_no_other(
    presenter: ExportPresenter, console: FakeConsole, loop: BoundLoop
) -> None:
    heard: list[Event] = []
    console.bus.subscribe(heard.append)
    console.archive.error = UserFault("a.jsonl cannot be opened. Line 3 cannot be read.")

    async def use() -> None:
        presenter.take([Path("a.jsonl"), Path("b.jsonl")])

    loop.run(use())
    loop.until(lambda: len(heard) == 2)
    assert all(isinstance(event, FaultRaised) and "Line 3" in event.message for event in heard)


def test_export_opens_the_dialog_for_what_there_is(
    presenter: ExportPresenter, console: FakeConsole, loop: BoundLoop
) -> None:
    console.play(sample_conversation("conv_1"))

    async def use() -> None:
        presenter.export([])
        presenter.export(["gone"])

    loop.run(use())
    loop.settle()
    assert not presenter.dialog.isVisible()

    async def again() -> None:
        presenter.export(["conv_1", "gone"])

    loop.run(again())
    loop.until(presenter.dialog.isVisible)
    loop.until(lambda: len(console.archive.previewed) == 1)
    loop.settle()
    presenter.dialog.hide()


def test_opening_asks_for_files(presenter: ExportPresenter, window: QWidget) -> None:
    presenter.open_file()
    dialog = window.findChild(QFileDialog, "openFileDialog")
    assert dialog.isVisible() and dialog.fileMode() == QFileDialog.FileMode.ExistingFiles
    dialog.close()
