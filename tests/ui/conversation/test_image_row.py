"""A picture that came along is shown; nothing is fetched, and nothing that is no picture is drawn."""

import base64

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.blocks import ImageBlock
from callgate.ui.conversation.factory import ImageRow
from callgate.ui.theme.theme import Theme

WHERE = {"id": "1", "exchange_id": "e"}


def png(width: int = 40, height: int = 20) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    holder = QBuffer()
    holder.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(holder, "PNG")  # type: ignore[call-overload]
    return base64.b64encode(holder.data().data()).decode()


def shown(qtbot: QtBot, theme: Theme, block: ImageBlock) -> ImageRow:
    row = ImageRow(theme)
    qtbot.addWidget(row)
    row.show_block(block, False)
    row.resize(500, row.height_at(500))
    row.show()
    return row


def words(row: ImageRow) -> str:
    return " ".join(label.text() for label in row.findChildren(QLabel) if label.isVisible() and label.text())


def test_what_did_not_come_along_is_named_and_not_fetched(qtbot: QtBot, theme: Theme) -> None:
    block = ImageBlock(**WHERE, what="image", reference="https://x.test/a.png")
    assert words(shown(qtbot, theme, block)) == "Image · not fetched · https://x.test/a.png"
    inline = ImageBlock(**WHERE, what="file", media_type="application/pdf", bytes=4096, name="a.pdf")
    assert words(shown(qtbot, theme, inline)) == "a.pdf · application/pdf · 4 KB"


def test_a_picture_that_came_along_is_shown_with_its_size(qtbot: QtBot, theme: Theme) -> None:
    row = shown(qtbot, theme, ImageBlock(**WHERE, what="image", media_type="image/png", bytes=100, data=png()))
    assert words(row) == "image/png · 40 × 20 · 100 B"
    assert row.grab().toImage().pixelColor(20, 10) == QColor("#ff0000")


@pytest.mark.parametrize(
    "data", ["no base64!", base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()]
)
def test_what_is_no_picture_says_so(qtbot: QtBot, theme: Theme, data: str) -> None:
    row = shown(qtbot, theme, ImageBlock(**WHERE, what="image", media_type="image/png", bytes=9, data=data))
    assert not row.picture.isVisible()
    assert "picture" in words(row) or "cannot be read" in words(row)


def test_a_row_can_show_one_after_another(qtbot: QtBot, theme: Theme) -> None:
    row = shown(qtbot, theme, ImageBlock(**WHERE, what="image", media_type="image/png", bytes=100, data=png()))
    tall = row.height_at(500)
    row.show_block(ImageBlock(**WHERE, what="image", reference="file-1"), False)
    assert "file-1" in words(row) and not row.picture.isVisible()
    row.show_block(ImageBlock(**WHERE, what="image", media_type="image/png", bytes=100, data=png(40, 300)), False)
    assert row.height_at(500) > tall
