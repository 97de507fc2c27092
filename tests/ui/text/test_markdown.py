"""Markdown becomes a document that does nothing: no HTML, no images, nothing is fetched."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFont, QTextDocument, QTextFormat, QTextTable

from callgate.ui.text.markdown import InertDocument, write_markdown
from callgate.ui.theme.theme import HEADING_SIZE, Theme


def written(theme: Theme, text: str, breaks: bool = False) -> QTextDocument:
    document = InertDocument()
    write_markdown(document, text, theme, breaks=breaks)
    return document


def formats(document: QTextDocument, word: str):
    cursor = document.find(word)
    assert not cursor.isNull()
    return cursor.charFormat()


def test_html_is_shown_as_text(theme: Theme) -> None:
    text = "<script>alert(1)</script> <b>x</b>\n\n<img src='http://x.test/a.png'>"
    document = written(theme, text)
    assert document.toPlainText() == text.replace("\n\n", "\n")
    assert formats(document, "<b>x").fontWeight() == QFont.Weight.Normal


def test_an_image_is_named_and_not_an_image(theme: Theme) -> None:
    document = written(theme, "![chart](https://x.test/a.png)")
    assert "chart" in document.toPlainText()
    assert "not fetched" in document.toPlainText()
    assert not formats(document, "chart").isImageFormat()


def test_a_document_loads_nothing(theme: Theme) -> None:
    document = written(theme, "x")
    for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.StyleSheetResource):
        assert document.loadResource(kind.value, QUrl("file:///etc/hostname")) is None


def test_weight_and_code_are_kept(theme: Theme) -> None:
    document = written(theme, "**bold** *slanted* ~~gone~~ `code` [link](https://x.test)")
    assert formats(document, "bold").fontWeight() == QFont.Weight.DemiBold
    assert formats(document, "slanted").fontItalic()
    assert formats(document, "gone").fontStrikeOut()
    assert formats(document, "code").fontFixedPitch()
    assert formats(document, "link").anchorHref() == "https://x.test"


def test_only_the_two_upper_headings_are_larger(theme: Theme) -> None:
    document = written(theme, "# one\n\n### three")
    assert formats(document, "one").intProperty(QTextFormat.Property.FontPixelSize) == HEADING_SIZE
    assert formats(document, "three").intProperty(QTextFormat.Property.FontPixelSize) < HEADING_SIZE


def test_lists_nest_and_start_where_they_say(theme: Theme) -> None:
    document = written(theme, "3. three\n4. four\n   - inner")
    first, last = document.findBlockByNumber(0), document.findBlockByNumber(2)
    assert first.textList().format().start() == 3
    assert first.textList().count() == 2
    assert last.textList().format().indent() == 2


def test_a_table_is_a_table(theme: Theme) -> None:
    document = written(theme, "before\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\nafter")
    (table,) = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert (table.rows(), table.columns()) == (2, 2)
    assert table.cellAt(1, 1).firstCursorPosition().block().text() == "2"
    assert document.lastBlock().text() == "after"


def test_columns_of_a_table_stand_where_they_are_told_to(theme: Theme) -> None:
    document = written(theme, "| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | 3 |")
    (table,) = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    for row in range(2):
        sides = [table.cellAt(row, column).firstCursorPosition().blockFormat().alignment() for column in range(3)]
        assert sides == [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter]


def test_quotes_code_and_rules_are_written(theme: Theme) -> None:
    document = written(theme, "> quoted\n\n    indented code\n\n---\n\nend")
    quoted = document.find("quoted").block()
    assert quoted.blockFormat().property(QTextFormat.Property.BlockQuoteLevel) == 1
    assert formats(document, "indented").fontFixedPitch()
    assert document.lastBlock().text() == "end"


def test_single_line_breaks_count_only_in_what_people_write(theme: Theme) -> None:
    assert written(theme, "a\nb").toPlainText() == "a b"
    assert written(theme, "a\nb", breaks=True).toPlainText() == "a\nb"


def test_hidden_characters_are_revealed(theme: Theme) -> None:
    assert "U+202E" in written(theme, "a\u202eb").toPlainText()


def test_an_item_without_words_still_has_its_marker(theme: Theme) -> None:
    assert written(theme, "- \n- b").blockCount() == 2
