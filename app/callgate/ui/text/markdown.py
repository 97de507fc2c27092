"""Markdown as a document that does nothing: no HTML, no images, no address is ever fetched.

Built token by token instead of by Qt's own reader, which would take HTML for markup and pick its own sizes and colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextTableFormat,
)

from callgate.ui.text.hidden_characters import reveal
from callgate.ui.theme.theme import BODY_SIZE, HEADING_SIZE, SMALL_SIZE, S, Theme, mix

LEADING: Final = 5
"""Pixels between two lines: long answers are read, not scanned."""
_LIST_INDENT: Final = 20
_PARAGRAPH_GAP: Final = 8
_ITEM_GAP: Final = 3

_READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


class InertDocument(QTextDocument):
    """A document that loads nothing, whatever it is asked for."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None


def write_markdown(
    document: QTextDocument, text: str, theme: Theme, *, color: str = "text", breaks: bool = False
) -> None:
    """Replaces a document's content; `breaks` keeps single line breaks, as people mean them in what they write."""
    document.clear()
    document.setDocumentMargin(0)
    document.setDefaultFont(theme.ui())
    document.setIndentWidth(_LIST_INDENT)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    _Writer(cursor, theme, color, breaks).write(_READER.parse(reveal(text)))
    cursor.endEditBlock()


def _side(style: str) -> Qt.AlignmentFlag:
    """Of a column, from what the reader makes of `--:` and `:-:`."""
    right, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
    return right if "right" in style else middle if "center" in style else Qt.AlignmentFlag.AlignLeft


@dataclass(eq=False)
class _List:
    form: QTextListFormat
    made: QTextList | None = None


@dataclass
class _Writer:
    cursor: QTextCursor
    theme: Theme
    color: str
    breaks: bool
    fresh: bool = True
    """The cursor stands in an empty block that may be used."""
    lists: list[_List] = field(default_factory=list[_List])
    item: _List | None = None
    """Set at the start of an item, until its first block is made."""
    quotes: int = 0

    def write(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                end = next(at for at in range(index, len(tokens)) if tokens[at].type == "table_close")
                self._table(tokens[index : end + 1])
                index = end + 1
                continue
            self._token(token)
            index += 1

    def _token(self, token: Token) -> None:
        match token.type:
            case "paragraph_open":
                self._block(gap=_ITEM_GAP if self.lists else _PARAGRAPH_GAP)
            case "heading_open":
                self._block(gap=_PARAGRAPH_GAP, heading=int(token.tag[1:]))
            case "inline":
                self._inline(token.children or [])
            case "fence" | "code_block":
                self._code(token.content)
            case "bullet_list_open":
                self._open_list(QTextListFormat.Style.ListDisc, 1)
            case "ordered_list_open":
                start = token.attrGet("start")
                self._open_list(QTextListFormat.Style.ListDecimal, int(start) if start is not None else 1)
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.item = self.lists[-1]
            case "list_item_close":
                if self.item is not None:
                    self._block(gap=_ITEM_GAP)
            case "blockquote_open":
                self.quotes += 1
            case "blockquote_close":
                self.quotes -= 1
            case "hr":
                self._rule()
            case _:
                pass

    # ---- blocks --------------------------------------------------------------------------------------------------

    def _format(self, gap: int) -> QTextBlockFormat:
        form = QTextBlockFormat()
        form.setLineHeight(LEADING, QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value)
        form.setTopMargin(0 if self.fresh else gap)
        if self.quotes:
            form.setProperty(QTextFormat.Property.BlockQuoteLevel, self.quotes)
            form.setLeftMargin(self.quotes * 14)
        if self.lists and self.item is None:
            form.setIndent(len(self.lists))
        return form

    def _block(self, gap: int, heading: int = 0) -> None:
        form, plain = self._format(gap), self._plain()
        if heading:
            plain.setFontWeight(QFont.Weight.DemiBold)
            plain.setProperty(QTextFormat.Property.FontPixelSize, HEADING_SIZE if heading <= 2 else BODY_SIZE)
        if self.fresh:
            self.cursor.setBlockFormat(form)
        else:
            self.cursor.insertBlock(form)
        self.cursor.setBlockCharFormat(plain)
        self.cursor.setCharFormat(plain)
        self.fresh = False
        if self.item is not None:
            if self.item.made is None:
                self.item.made = self.cursor.createList(self.item.form)
            else:
                self.item.made.add(self.cursor.block())
            self.item = None

    def _open_list(self, style: QTextListFormat.Style, start: int) -> None:
        form = QTextListFormat()
        form.setStyle(style)
        form.setIndent(len(self.lists) + 1)
        form.setStart(start)
        self.lists.append(_List(form))

    def _code(self, text: str) -> None:
        for number, line in enumerate(text.rstrip("\n").split("\n")):
            self._block(gap=0 if number else _PARAGRAPH_GAP)
            form = self.cursor.blockFormat()
            form.setBackground(QBrush(self._code_ground()))
            self.cursor.setBlockFormat(form)
            self.cursor.insertText(line, self._mono())

    def _rule(self) -> None:
        self._block(gap=_PARAGRAPH_GAP)
        form = self.cursor.blockFormat()
        length = QTextLength(QTextLength.Type.PercentageLength, 100)
        form.setProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth, length)
        form.setProperty(QTextFormat.Property.BackgroundBrush, QBrush(self.theme.color("border")))
        self.cursor.setBlockFormat(form)

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[Token]] = []
        sides: list[Qt.AlignmentFlag] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                sides.append(_side(str(token.attrGet("style") or "")))
            elif token.type == "inline" and rows:
                rows[-1].append(token)
        columns = max((len(row) for row in rows), default=0)
        if not columns:
            return
        frame = QTextTableFormat()
        frame.setBorder(1)
        frame.setBorderCollapse(True)
        frame.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        frame.setBorderBrush(QBrush(self.theme.color("border")))
        frame.setCellPadding(S)
        frame.setTopMargin(0 if self.fresh else _PARAGRAPH_GAP)
        table = self.cursor.insertTable(len(rows), columns, frame)
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                self.cursor = table.cellAt(row, column).firstCursorPosition()
                plain = self._plain()
                if row == 0:
                    plain.setFontWeight(QFont.Weight.DemiBold)
                form = self.cursor.blockFormat()
                form.setAlignment(sides[column] if column < len(sides) else Qt.AlignmentFlag.AlignLeft)
                self.cursor.setBlockFormat(form)
                self.cursor.setBlockCharFormat(plain)
                self._inline(cell.children or [], plain)
        self.cursor = table.lastCursorPosition()
        self.cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self.fresh = True

    # ---- inside a block ------------------------------------------------------------------------------------------

    def _plain(self) -> QTextCharFormat:
        plain = QTextCharFormat()
        plain.setForeground(self.theme.color("text2" if self.quotes else self.color))
        return plain

    def _mono(self) -> QTextCharFormat:
        mono = self._plain()
        mono.setFont(self.theme.mono(SMALL_SIZE), QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        return mono

    def _code_ground(self) -> QColor:
        return mix(self.theme.color("text"), self.theme.color("surface"), 0.08)

    def _inline(self, tokens: Sequence[Token], plain: QTextCharFormat | None = None) -> None:
        looks = [plain or self.cursor.charFormat()]
        for token in tokens:
            look = QTextCharFormat(looks[-1])
            match token.type:
                case "text":
                    self.cursor.insertText(token.content, look)
                case "softbreak":
                    self.cursor.insertText("\u2028" if self.breaks else " ", look)
                case "hardbreak":
                    self.cursor.insertText("\u2028", look)
                case "code_inline":
                    mono = self._mono()
                    mono.setBackground(QBrush(self._code_ground()))
                    self.cursor.insertText(token.content, mono)
                case "strong_open":
                    look.setFontWeight(QFont.Weight.DemiBold)
                    looks.append(look)
                case "em_open":
                    look.setFontItalic(True)
                    looks.append(look)
                case "s_open":
                    look.setFontStrikeOut(True)
                    looks.append(look)
                case "link_open":
                    looks.append(self._link(look, str(token.attrGet("href") or "")))
                case "strong_close" | "em_close" | "s_close" | "link_close":
                    looks.pop()
                case "image":
                    self._image(token, look)
                case _:
                    self.cursor.insertText(token.content, look)

    def _link(self, look: QTextCharFormat, address: str) -> QTextCharFormat:
        look.setForeground(self.theme.color("accent"))
        look.setFontUnderline(True)
        look.setAnchor(True)
        look.setAnchorHref(address)
        return look

    def _image(self, token: Token, look: QTextCharFormat) -> None:
        address = str(token.attrGet("src") or "")
        look.setForeground(self.theme.color("text3"))
        self.cursor.insertText(f"[image: {token.content or 'no name'} · {address} · not fetched]", look)
