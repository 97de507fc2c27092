"""A thin line says how far a tool is."""

from pytestqt.qtbot import QtBot

from callgate.ui.conversation.call_card import ProgressLine
from callgate.ui.theme.theme import Theme


def test_the_line_is_filled_by_its_share(qtbot: QtBot, theme: Theme) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.resize(200, line.height())
    line.set_share(0.5)
    picture = line.grab().toImage()
    assert picture.pixelColor(50, 2) == theme.color("executing")
    assert picture.pixelColor(150, 2) == theme.color("border")
    assert line.accessibleName() == "50% done"


def test_a_share_beyond_the_end_is_the_end(qtbot: QtBot, theme: Theme) -> None:
    line = ProgressLine(theme)
    qtbot.addWidget(line)
    line.set_share(7)
    assert line.accessibleName() == "100% done"
