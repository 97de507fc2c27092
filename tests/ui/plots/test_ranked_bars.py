"""The longest bar fills the room; each can be asked, walked to and picked."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.ui.plots.ranked_bars import ROW, RankedBar, RankedBars
from callgate.ui.theme.theme import Theme

BARS = (
    RankedBar("read", ((8.0, "completed"), (2.0, "denied")), "10", "read\n10 calls", "read"),
    RankedBar("write", ((5.0, "completed"),), "5", "write\n5 calls", "write"),
    RankedBar("odd\u202ename", ((0.0, "completed"),), "0", "nothing"),
)


@pytest.fixture
def bars(qtbot: QtBot, theme: Theme) -> RankedBars:
    bars = RankedBars(theme, "Calls per tool", mono=True)
    qtbot.addWidget(bars)
    bars.set_bars(BARS)
    bars.resize(500, bars.sizeHint().height())
    bars.show()
    return bars


def test_lengths_are_in_proportion(bars: RankedBars) -> None:
    assert bars.bar_rect(1).width() == pytest.approx(bars.bar_rect(0).width() / 2)
    assert bars.bar_rect(2).width() == 2
    assert bars.accessibleName().startswith("Calls per tool: read, 10 calls; write, 5 calls")
    assert not bars.grab().isNull()


def test_a_bar_is_picked_by_mouse_and_by_keyboard(bars: RankedBars) -> None:
    picked: list[str] = []
    bars.picked.connect(picked.append)
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(30, ROW + 5))
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(30, 2 * ROW + 5))
    QTest.keyClick(bars, Qt.Key.Key_Up)
    QTest.keyClick(bars, Qt.Key.Key_Up)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert picked == ["write", "read"] and "10 calls" in bars.accessibleDescription()


def test_no_bars_say_so(bars: RankedBars) -> None:
    bars.set_bars(())
    assert bars.accessibleName() == "Calls per tool: nothing" and not bars.grab().isNull()


def test_a_legend_takes_a_line_and_clicks_still_meet_the_right_bar(
    qtbot: QtBot, theme: Theme, bars: RankedBars
) -> None:
    told = RankedBars(theme, "Calls", legend=(("completed", "ran"), ("denied", "failed")))
    qtbot.addWidget(told)
    told.set_bars(BARS)
    told.resize(500, told.sizeHint().height())
    told.show()
    assert told.sizeHint().height() > bars.sizeHint().height()
    assert told.bar_rect(0).top() > bars.bar_rect(0).top()
    with qtbot.waitSignal(told.picked) as picked:
        QTest.mouseClick(told, Qt.MouseButton.LeftButton, pos=told.bar_rect(1).center().toPoint())
    assert picked.args == ["write"]
    assert not told.grab().isNull()
