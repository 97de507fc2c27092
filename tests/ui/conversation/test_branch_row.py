"""The line of a try says which it is, and a click or a key leads to the others."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.blocks import BranchBlock
from callgate.ui.conversation.branch_row import BranchRow
from callgate.ui.theme.theme import Theme


def test_a_folded_try_is_shown_by_a_click_and_a_shown_one_offers_all(qtbot: QtBot, theme: Theme) -> None:
    row = BranchRow(theme)
    qtbot.addWidget(row)
    row.resize(500, 40)
    row.show_block(BranchBlock(id="1", exchange_id="e1", number=1, count=2, title="Ask", shown=False), False)
    row.show()
    assert row.accessibleName() == "Try 1 of 2, folded: Ask"
    with qtbot.waitSignal(row.branch_wanted, timeout=1000) as caught:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert caught.args == ["e1", False]
    row.show_block(BranchBlock(id="1", exchange_id="e1", number=1, count=2, title="Ask"), False)
    assert row.findChild(QToolButton, "branchSwitch").text() == "Show only this", "all are shown already"
    with qtbot.waitSignal(row.branch_wanted, timeout=1000) as caught:
        row.findChild(QToolButton, "branchSwitch").click()
    assert caught.args == ["e1", False]
    row.show_block(BranchBlock(id="1", exchange_id="e1", number=1, count=2, title="Ask", alone=True), False)
    with qtbot.waitSignal(row.branch_wanted, timeout=1000) as caught:
        row.findChild(QToolButton, "branchSwitch").click()
    assert caught.args == ["e1", True]
    assert not row.grab().isNull()
