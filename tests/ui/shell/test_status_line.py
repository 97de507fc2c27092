from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.shell.window import StatusLine


def _texts(line: StatusLine) -> list[str]:
    return [label.text() for label in line.findChildren(QLabel)]


def test_counts_are_told_in_words(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    assert set(_texts(line)) == {"Not listening", "0 tools", "0 conversations", "Nothing waiting"}
    line.set_address("http://127.0.0.1:8080")
    line.set_tools(7, 6)
    line.set_conversations(1)
    line.set_waiting(2)
    assert set(_texts(line)) == {
        "Listening on http://127.0.0.1:8080",
        "7 tools, 6 enabled",
        "1 conversation",
        "2 waiting",
    }
