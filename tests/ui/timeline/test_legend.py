"""Everything that is drawn is explained, in as many lines as there is need for."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot
from tests.core.timeline.test_frames import TALK, folded

from callgate.core.timeline.bars import Timeline
from callgate.ui.theme.theme import Theme
from callgate.ui.timeline.legend import LINE, Legend, LegendPainter


def test_a_narrow_legend_has_more_lines_and_leaves_nothing_out(theme: Theme) -> None:
    timeline, painter = folded(*TALK), LegendPainter(theme)
    wide, narrow = painter._placed(timeline, 3000), painter._placed(timeline, 300)
    assert {line for line, _, _ in wide} == {0} and len({line for line, _, _ in narrow}) > 2
    assert [entry for _, _, entry in wide] == [entry for _, _, entry in narrow]
    kinds = {entry[0] for _, _, entry in wide}
    assert {"rpc", "question", "sent", "received", "notice", "mcp", "person", "first_token"} <= kinds
    assert painter.height(timeline, 3000) == LINE < painter.height(timeline, 300)
    assert painter.height(Timeline(), 300) == LINE


def test_the_bar_takes_the_height_that_its_width_needs(qtbot: QtBot, theme: Theme) -> None:
    bar = Legend(theme)
    qtbot.addWidget(bar)
    bar.resize(2400, LINE)
    bar.set_timeline(folded(*TALK))
    assert bar.height() == LINE
    bar.resize(320, LINE)
    bar.show()
    assert bar.height() >= 3 * LINE and bar.sizeHint().height() == bar.height()


def test_signs_have_the_colours_that_they_have_above(theme: Theme) -> None:
    image = QImage(1600, LINE, QImage.Format.Format_ARGB32)
    image.fill(theme.color("surface"))
    painter = QPainter(image)
    LegendPainter(theme).paint(painter, folded(*TALK), QRectF(0, 0, 1600, LINE))
    painter.end()
    drawn = {image.pixelColor(x, y).name() for x in range(1600) for y in range(LINE)}
    assert {theme.color(name).name() for name in ("accent", "completed", "waiting")} <= drawn
