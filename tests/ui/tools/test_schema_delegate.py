from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from callgate.ui.theme.theme import Theme
from callgate.ui.tools.schema_delegate import SchemaDelegate
from callgate.ui.tools.schema_model import SchemaModel
from callgate.ui.tools.schema_rows import SchemaRow

ROWS = (
    SchemaRow("path", 0, "string", True, "Where.", ("default 1",)),
    SchemaRow("path", 0, "string", False, "Where.", ("default 1",)),
    SchemaRow("path", 0, "string", False, "Wh\u200bere.", ()),
)


def _drawn(
    theme: Theme, row: int, wrapped: bool = True, state: QStyle.StateFlag = QStyle.StateFlag.State_None
) -> QImage:
    model, delegate, option = SchemaModel(), SchemaDelegate(theme), QStyleOptionViewItem()
    model.show_rows(ROWS)
    delegate.wrapped = wrapped
    option.rect, option.state = QRect(0, 0, 260, 60), state
    image = QImage(260, 60, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    delegate.paint(painter, option, model.index(row, 0))
    painter.end()
    return image


def test_need_limits_and_selection_can_be_seen(theme: Theme) -> None:
    plain = _drawn(theme, 1)
    assert _drawn(theme, 0) != plain
    assert _drawn(theme, 2) != plain
    assert _drawn(theme, 1, state=QStyle.StateFlag.State_Selected) != plain
    assert _drawn(theme, 1, wrapped=False) != plain


def test_rows_that_are_cut_are_equally_high(theme: Theme) -> None:
    model, delegate, option = SchemaModel(), SchemaDelegate(theme), QStyleOptionViewItem()
    model.show_rows((*ROWS, SchemaRow("x", 0, "any", False, "long " * 100)))
    delegate.wrapped = False
    assert len({delegate.sizeHint(option, model.index(row, 0)).height() for row in range(4)}) == 1
    delegate.wrapped = True
    assert len({delegate.sizeHint(option, model.index(row, 0)).height() for row in range(4)}) > 1
