"""Tags keep their colour, and the last word typed is completed."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.ui.theme.test_tokens import contrast

from callgate.ui.conversation.list.tags import TagField, chip_color, chip_colors
from callgate.ui.theme.theme import Theme


def test_a_tag_has_one_colour_and_never_the_one_of_waiting(theme: Theme) -> None:
    found = {chip_color(str(number)) for number in range(200)}
    assert len(found) > 3 and "waiting" not in found
    assert chip_color("bug") == chip_color("bug")
    assert all(theme.color(name).isValid() for name in found)


def test_every_tag_can_be_read_on_its_own_tint(theme: Theme) -> None:
    for mode in ("light", "dark"):
        theme.set_mode(mode)
        for tag in map(str, range(60)):
            ink, ground = chip_colors(theme, tag)
            assert contrast(ink.name(), ground.name()) >= 4.5, (mode, chip_color(tag))


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_tags_are_typed_and_kept_or_not(theme: Theme, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    field = TagField(theme, parent)
    kept: list[tuple[str, tuple[str, ...]]] = []
    field.accepted.connect(lambda conversation, tags: kept.append((conversation, tags)))
    field.ask("c1", ("bug",), ("bug", "later"), QPoint(0, 0))
    assert field.field.text() == "bug "
    field.field.setText("bug, la")
    completer = field.field.completer()
    completer.setCompletionPrefix("bug, la")
    assert completer.splitPath("bug, la") == ["la"]
    assert completer.currentCompletion() == "bug  later"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible() and kept == []
    field.ask("c1", (), (), QPoint(0, 0))
    field.field.setText("One #two")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert kept == [("c1", ("one", "two"))] and not field.isVisible()
