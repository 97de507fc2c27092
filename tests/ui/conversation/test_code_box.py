"""A fence shows its language, all of its lines, and copies exactly what was written."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.blocks import CodeBlock
from callgate.ui.conversation.factory import CodeBox
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.copy_button import CopyButton

CODE = CodeBlock(id="1", exchange_id="e", text="a\u200b = 1\nb = 2", language="python")


def test_code_is_whole_and_copied_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    box = CodeBox(theme)
    qtbot.addWidget(box)
    box.show_block(CODE, False)
    box.resize(400, box.height_at(400))
    box.show()
    (code,) = box.findChildren(MonoText)
    assert code.toPlainText() == "a⟨U+200B ZWSP⟩ = 1\nb = 2"
    assert code.verticalScrollBar().maximum() == 0
    (button,) = box.findChildren(CopyButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == CODE.text
    assert "python" in box.accessibleName()
    assert not box.grab().isNull()
