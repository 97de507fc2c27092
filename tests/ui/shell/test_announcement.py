"""What a screen reader is given to say."""

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.shell import announcement


def test_the_words_go_out_at_once(qtbot: QtBot, monkeypatch: object) -> None:
    label = QLabel("call")
    qtbot.addWidget(label)
    said: list[tuple[str, object, object]] = []

    def take(event: object) -> None:
        said.append((event.message(), event.politeness(), event.object()))  # type: ignore[attr-defined]

    monkeypatch.setattr(announcement.QAccessible, "updateAccessibility", take)  # type: ignore[attr-defined]
    announcement.announce(label, "tester wants to run create_file")
    assert said == [("tester wants to run create_file", QAccessible.AnnouncementPoliteness.Assertive, label)]
