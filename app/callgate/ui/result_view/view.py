"""What a tool returned, shown by what it is, with the text as it came one click away.

Stands in a card of a conversation (bounded, as tall as it needs to be) or by itself (fills the room it is given).
Nothing is fetched, run or rendered as active content; large results are laid out in slices.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.result_shape import (
    DiffShape,
    FileShape,
    ImageShape,
    JsonShape,
    MarkdownShape,
    Shape,
    TableShape,
    TerminalShape,
    TextShape,
    shapes_of,
)
from callgate.core.messages import Part, Text
from callgate.core.text.terminal import Run, Style, lines_of
from callgate.ui.result_view.picture import Picture
from callgate.ui.result_view.styled_text import NO_BOUND, StyledText
from callgate.ui.result_view.table import ROW_HEIGHT as TABLE_ROW
from callgate.ui.result_view.table import ResultTable
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import plain_lines
from callgate.ui.text.json_outline import ROW_HEIGHT, JsonOutline
from callgate.ui.text.json_tree import JsonTreeModel
from callgate.ui.text.plain_text import plain_label
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import XL, XS, S, Theme
from callgate.ui.widgets.copy_button import CopyButton

# Texts and diffs as lines of runs, for `StyledText`. Pure.
_ADDED: Final = Style("green", ground="green")
_REMOVED: Final = Style("red", ground="red")
_PLACE: Final = Style("blue")
_HEAD: Final = Style(bold=True)


def text_lines(text: str, ink: str | None = None) -> Iterator[list[Run]]:
    style = Style(ink)
    return ([Run(line, style)] for line in plain_lines(text.removesuffix("\n")))


def diff_lines(text: str) -> Iterator[list[Run]]:
    return ([Run(line, _style(line))] for line in plain_lines(text.removesuffix("\n")))


def diff_counts(text: str) -> tuple[int, int]:
    """Lines added and removed."""
    lines = text.split("\n")
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    return added, sum(line.startswith("-") and not line.startswith("--- ") for line in lines)


def _style(line: str) -> Style:
    if line.startswith(("+++ ", "--- ", "diff ", "index ", "new file", "deleted file", "rename ", "similarity ")):
        return _HEAD
    if line.startswith("@@"):
        return _PLACE
    if line.startswith("+"):
        return _ADDED
    return _REMOVED if line.startswith("-") else Style()


NO_LIMIT: Final = 0
_LARGE: Final = 200_000
"""Letters past which reading and laying out together would take more than a frame."""

_WIDGETS: Final[dict[type, type[QWidget]]] = {
    TextShape: StyledText,
    DiffShape: StyledText,
    TerminalShape: StyledText,
    MarkdownShape: Prose,
    JsonShape: JsonOutline,
    TableShape: ResultTable,
}
Piece = StyledText | JsonOutline | ResultTable | Prose | Picture | QLabel


class ResultView(QWidget):
    resized = Signal()
    """It wants another height: raw was chosen, or a branch of a tree was opened."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, title: str = "Result") -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = title
        self._parts: tuple[Part, ...] = ()
        self._is_error = False
        self._shapes: tuple[Shape, ...] = ()
        self._pieces: list[Piece] = []
        self._spare: dict[type[QWidget], Piece] = {}
        """One of each kind that was shown before: making one takes longer than filling it."""
        self._lines = NO_LIMIT
        self.head = plain_label(tone="hint")
        self.head.setObjectName("resultHead")
        self.raw = QToolButton()
        self.raw.setObjectName("rawResult")
        self.raw.setText("Raw")
        self.raw.setCheckable(True)
        self.raw.setToolTip("Letter for letter as the tool gave it")
        self.raw.setAccessibleName("Show the result as it came")
        self.raw.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.raw.toggled.connect(self._toggled)
        self.copy = CopyButton(theme, lambda: self.text, "the result")
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        line = QHBoxLayout()
        line.setSpacing(S)
        line.addWidget(self.head, 1)
        line.addWidget(self.raw)
        line.addWidget(self.copy)
        line.addStrut(XL)  # a picture has nothing to copy, and yet does not stick to its heading
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._column.addLayout(line)
        theme.changed.connect(self._redraw)

    @property
    def text(self) -> str:
        """The texts as they came."""
        return "\n".join(part.text for part in self._parts if isinstance(part, Text))

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is shown, in words."""
        return tuple(_kind(shape) for shape in self._shapes)

    def set_title(self, title: str) -> None:
        self._title = title
        self._say_head()

    def show_result(self, parts: tuple[Part, ...], is_error: bool = False) -> None:
        """The same again changes nothing: what is open and selected stays so."""
        if parts == self._parts and is_error == self._is_error:
            return
        self._parts, self._is_error = parts, is_error
        self.raw.blockSignals(True)
        self.raw.setChecked(False)
        self.raw.blockSignals(False)
        if sum(len(part.text) for part in parts if isinstance(part, Text)) > _LARGE:
            self._shapes = ()
            self._fill()
            QTimer.singleShot(0, self, lambda: self._read(parts))
        else:
            self._shapes = shapes_of(parts, is_error=is_error)
            self._fill()

    def _read(self, parts: tuple[Part, ...]) -> None:
        """A large result is read in a turn of the loop, and laid out in the next."""
        if parts is self._parts:
            shapes = shapes_of(parts, is_error=self._is_error)
            if any(isinstance(shape, TableShape) for shape in shapes) and ResultTable not in self._spare:
                self._spare[ResultTable] = ResultTable(self._theme, self._title, self)  # so that the next turn need not
            QTimer.singleShot(0, self, lambda: self._take(parts, shapes))

    def _take(self, parts: tuple[Part, ...], shapes: tuple[Shape, ...]) -> None:
        if parts is self._parts:
            self._shapes = shapes
            self._fill()
            self.resized.emit()

    def set_lines(self, lines: int) -> None:
        """About how many lines are shown at once, the rest scrolls inside; `NO_LIMIT` = fill the room."""
        if lines != self._lines:
            self._lines = lines
            self._bound_pieces()

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        before, self._pieces = self._pieces, []
        shapes = (TextShape(self.text),) if self.raw.isChecked() else self._shapes
        for number, shape in enumerate(shapes):
            old = before[number] if number < len(before) else None
            if old is None or not self._fits(old, shape):
                old = self._spare.pop(_WIDGETS.get(type(shape), QLabel), None)
            piece = self._piece(shape, old)
            if self._column.indexOf(piece) != number + 1:
                self._column.insertWidget(number + 1, piece, 0 if isinstance(piece, QLabel | Picture) else 1)
            piece.show()
            self._pieces.append(piece)
        for piece in before:
            if piece not in self._pieces:
                self._put_away(piece)
        self.raw.setVisible(any(not isinstance(shape, TextShape | ImageShape | FileShape) for shape in self._shapes))
        self.copy.setVisible(bool(self.text))
        self._say_head()
        self._bound_pieces()

    def _redraw(self) -> None:
        """Texts have their colours in them; all else asks for its own."""
        texts = [piece for piece in self._pieces if isinstance(piece, StyledText)]
        for piece in (*texts, *(spare for spare in self._spare.values() if isinstance(spare, StyledText))):
            piece.forget_colors()
        if texts:
            self._fill()

    def _fits(self, piece: Piece, shape: Shape) -> bool:
        return type(piece) is _WIDGETS.get(type(shape))

    def _put_away(self, piece: Piece) -> None:
        self._column.removeWidget(piece)
        piece.hide()
        if type(piece) in _WIDGETS.values() and type(piece) not in self._spare:
            self._spare[type(piece)] = piece
        else:
            piece.deleteLater()

    def _piece(self, shape: Shape, old: Piece | None) -> Piece:
        """The widget for a shape: the one that stands there, if it fits. Making one takes longer than filling it."""
        match shape:
            case TextShape():
                ink = "red" if self._is_error and not self.raw.isChecked() else None
                return self._text_piece(text_lines(shape.text, ink), old)
            case DiffShape():
                return self._text_piece(diff_lines(shape.text), old)
            case TerminalShape():
                return self._text_piece(lines_of(shape.text.removesuffix("\n"), reveal), old)
            case MarkdownShape():
                prose = old if isinstance(old, Prose) else Prose(self._theme)
                prose.setAccessibleName(self._title)
                prose.show_markdown(shape.text)
                return prose
            case JsonShape():
                return self._tree(shape, old)
            case TableShape():
                table = old if isinstance(old, ResultTable) else ResultTable(self._theme, self._title)
                table.show_table(shape.columns, shape.rows)
                return table
            case ImageShape() | FileShape():
                return self._media(shape)
            case _:
                assert_never(shape)

    def _text_piece(self, lines: Iterator[list[Run]], old: Piece | None) -> StyledText:
        text = old if isinstance(old, StyledText) else StyledText(self._theme, self._title)
        text.show_lines(lines)
        return text

    def _tree(self, shape: JsonShape, old: Piece | None) -> JsonOutline:
        if isinstance(old, JsonOutline):
            tree = old
        else:
            tree = JsonOutline(self._theme, self._title, guest=True)
            tree.setModel(JsonTreeModel(tree, spells=True))
            tree.grown.connect(self._grown)
        tree.blockSignals(True)
        tree.json.set_value(shape.value)
        tree.open_small()
        tree.blockSignals(False)
        return tree

    def _media(self, shape: ImageShape | FileShape) -> Piece:
        if isinstance(shape, ImageShape) and shape.data:
            picture = Picture(self._theme)
            picture.setAccessibleName("Picture")
            if picture.show_data(shape.data):
                return picture
            return plain_label(f"Picture ({shape.media_type or 'unknown kind'}): {picture.problem}", "secondary")
        size = figures.size(shape.bytes) if isinstance(shape, FileShape) and shape.bytes else ""
        name = shape.name if isinstance(shape, FileShape) else ""
        kind = shape.media_type or ("Picture" if isinstance(shape, ImageShape) else "File")
        said = (name, kind, size, shape.reference, "" if size else "not fetched")
        return plain_label(reveal(" · ".join(filter(None, said))), "secondary", selectable=True, wrap=True)

    def _say_head(self) -> None:
        about = " · ".join(dict.fromkeys(filter(None, (_about(shape, self._pieces) for shape in self._shapes))))
        failed = any(isinstance(shape, TerminalShape) and shape.exit_code not in (0, None) for shape in self._shapes)
        empty = "" if self._shapes else "reading…" if len(self.text) > _LARGE else "empty"
        self.head.setText(" · ".join(filter(None, (self._title, about, empty))))
        self.head.setProperty("tone", "danger" if failed or self._is_error else "hint")
        self.head.style().polish(self.head)

    # ---- size --------------------------------------------------------------------------------------------------------

    def _bound_pieces(self) -> None:
        for piece in self._pieces:
            if isinstance(piece, StyledText):
                piece.set_bound(piece.height_of(self._lines) if self._lines else NO_BOUND)
                if self._lines > 8 or not self._lines:
                    piece.load_all()
            elif isinstance(piece, JsonOutline):
                if self._lines:
                    piece.setFixedHeight(max(1, min(piece.visible_rows(self._lines), self._lines)) * ROW_HEIGHT)
                else:
                    piece.setMinimumHeight(4 * ROW_HEIGHT)
            elif isinstance(piece, ResultTable):
                if self._lines:
                    piece.setFixedHeight(piece.height_of_rows(self._lines))
                else:
                    piece.setMinimumHeight(4 * TABLE_ROW)
        self._column.invalidate()
        self.updateGeometry()  # the layout around would learn of it only with the next turn of the loop

    def overflows(self, width: int, lines: int) -> bool:
        """Whether more than so many lines would be needed."""
        for piece in self._pieces:
            if isinstance(piece, StyledText) and piece.overflows(width, piece.height_of(lines)):
                return True
            if isinstance(piece, JsonOutline) and piece.visible_rows(lines) > lines:
                return True
            if isinstance(piece, ResultTable) and piece.table.rowCount() > lines:
                return True
        return False

    def sizeHint(self) -> QSize:
        return QSize(240, super().sizeHint().height())

    def _grown(self) -> None:
        self._bound_pieces()
        self.resized.emit()

    def _toggled(self, raw: bool) -> None:
        self._fill()
        self.resized.emit()


def _kind(shape: Shape) -> str:
    match shape:
        case TextShape():
            return "text"
        case MarkdownShape():
            return "Markdown"
        case JsonShape():
            return "JSON"
        case TableShape():
            return "table"
        case DiffShape():
            return "diff"
        case TerminalShape():
            return "terminal"
        case ImageShape():
            return "picture"
        case FileShape():
            return "file"
        case _:
            assert_never(shape)


def _about(shape: Shape, pieces: list[Piece]) -> str:
    match shape:
        case TableShape():
            return f"{len(shape.rows):,} rows"
        case DiffShape():
            added, removed = diff_counts(shape.text)
            return f"+{added:,} −{removed:,}"
        case TerminalShape():
            return f"exit code {shape.exit_code}" if shape.exit_code is not None else shape.ending
        case ImageShape():
            seen = [piece.dimensions for piece in pieces if isinstance(piece, Picture)]
            return ", ".join(filter(None, seen))
        case JsonShape() | TextShape() if len(shape.text) > 10_000:
            return figures.size(len(shape.text))
        case _:
            return ""
