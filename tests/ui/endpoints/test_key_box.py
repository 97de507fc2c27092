import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from callgate.ui.endpoints.key_box import KeyBox


@pytest.fixture
def box(qtbot: QtBot) -> KeyBox:
    box = KeyBox()
    qtbot.addWidget(box)
    box.show()
    return box


def test_a_key_is_typed_unseen_handed_over_once_and_gone(box: KeyBox) -> None:
    heard: list[str] = []
    box.entered.connect(heard.append)
    assert box.field.echoMode() == QLineEdit.EchoMode.Password and not box.keep.isEnabled()
    QTest.keyClicks(box.field, " sk-1 ")
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert (heard, box.field.text()) == (["sk-1"], "")
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert heard == ["sk-1"]


def test_what_is_no_key_is_said_and_not_taken(box: KeyBox) -> None:
    heard: list[str] = []
    box.entered.connect(heard.append)
    box.field.setText("Bearer sk-1")
    assert "without Bearer" in box.trouble.text() and not box.keep.isEnabled()
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert heard == []
    QTest.keyClick(box.field, Qt.Key.Key_Escape)
    assert box.field.text() == ""


def test_only_a_key_that_is_there_can_be_forgotten(box: KeyBox) -> None:
    heard: list[int] = []
    box.forget_requested.connect(lambda: heard.append(1))
    box.show_for(has_key=False)
    assert box.forget.isHidden()
    box.show_for(has_key=True)
    box.forget.click()
    assert heard == [1] and "another" in box.field.placeholderText()
