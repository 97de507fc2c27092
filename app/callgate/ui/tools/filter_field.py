"""The line that filters tools: completion of fields and values, and filters saved under a name. Knows no tree."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from callgate.ui.theme.theme import XS, Theme
from callgate.ui.tools.completion import Completion, ValuesOf, all_fields, complete
from callgate.ui.tools.saved_filters import SavedFilters

_HINT: Final = "Filter…  get_*  tag:files"
_ABOUT: Final = (
    "Names, titles, tags and descriptions; letters in order are enough for a name.\n"
    "* and ? are wildcards over the whole name; “quotes” keep words together; - before a part means not.\n"
    "tag:  source:  agent:  readonly:  enabled:  used:  lint:"
)
_POPUP_WIDTH: Final = 240


class FilterField(QWidget):
    changed = Signal(str)
    """What is typed now."""
    accepted = Signal()
    """Return: the person wants the first that fits."""
    left = Signal()
    """Down: the keyboard goes to the tree."""

    def __init__(self, theme: Theme, values_of: ValuesOf, saved: SavedFilters, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values_of = values_of
        self._saved = saved
        self._offered: Completion | None = None
        self._is_saved = False
        self.line = QLineEdit()
        self.line.setObjectName("toolFilter")
        self.line.setAccessibleName("Filter tools")
        self.line.setPlaceholderText(_HINT)
        self.line.setToolTip(_ABOUT)
        self.line.setProperty("lens", True)
        self._lens = QAction(theme.icon("search", "text3"), "", self.line)
        self.line.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._bookmark = QAction(theme.icon("remember", "text3"), "Saved filters", self.line)
        self.line.addAction(self._bookmark, QLineEdit.ActionPosition.TrailingPosition)
        self._clear = QAction(theme.icon("cancelled", "text3"), "Clear filter", self.line)
        self.line.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)  # only after it was added does the field heed it
        self.menu = QMenu(self)
        self.menu.setObjectName("savedFilters")
        self.menu.setAccessibleName("Saved filters")
        self.name = QLineEdit()
        self.naming = self._build_naming()
        self._completer = self._build_completer()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self.line)
        column.addWidget(self.naming)
        self.setFocusProxy(self.line)
        self._connect()
        self._redraw()

    @property
    def text(self) -> str:
        return self.line.text()

    def set_text(self, text: str) -> None:
        self.line.setText(text)

    def clear(self) -> None:
        self.line.clear()

    def save_as(self, name: str) -> None:
        """Keeps what is typed under a name; nothing typed or no name: nothing is kept."""
        if name.strip() and self.text.strip():
            self._saved.save(name.strip(), self.text.strip())
        self._stop_naming()
        self._redraw()

    def fill_menu(self) -> None:
        """What is saved, and what can be done about what is typed."""
        self.menu.clear()
        held, typed = self._saved.all(), self.text.strip()
        for name, text in held.items():
            action = self.menu.addAction(f"{_plain(name)}\t{_plain(text)}")
            action.setCheckable(True)
            action.setChecked(text == typed)
            action.triggered.connect(lambda _=False, chosen=text: self.line.setText(chosen))
        if held:
            self.menu.addSeparator()
        keep = self.menu.addAction(self._theme.icon("save"), "Save this filter…")
        keep.setEnabled(bool(typed) and not self._saved.name_of(typed))
        keep.triggered.connect(self._start_naming)
        if held:
            away = self.menu.addMenu(self._theme.icon("remove"), "Remove")
            for name in held:
                away.addAction(_plain(name)).triggered.connect(lambda _=False, gone=name: self._remove(gone))

    # ---- building --------------------------------------------------------------------------------------------------

    def _build_naming(self) -> QWidget:
        row = QWidget()
        self.name.setObjectName("filterName")
        self.name.setAccessibleName("Name of the filter")
        self.name.setPlaceholderText("Name this filter")
        save = QPushButton("Save")
        save.setObjectName("saveFilter")
        save.setProperty("kind", "primary")
        save.clicked.connect(lambda: self.save_as(self.name.text()))
        self.name.returnPressed.connect(lambda: self.save_as(self.name.text()))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(XS)
        line.addWidget(self.name, 1)
        line.addWidget(save)
        row.hide()
        return row

    def _build_completer(self) -> QCompleter:
        completer = QCompleter(self)
        completer.setModel(QStandardItemModel(self))
        completer.setCompletionRole(Qt.ItemDataRole.UserRole)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        # not the line's own: that would replace all of its text
        completer.setWidget(self.line)
        if (popup := completer.popup()) is not None:
            popup.setProperty("popup", True)
        return completer

    def _connect(self) -> None:
        self.line.textChanged.connect(self._typed)
        self.line.textEdited.connect(lambda _: self._offer())
        self.line.returnPressed.connect(self.accepted)
        self.line.installEventFilter(self)
        self.name.installEventFilter(self)
        self._completer.activated.connect(self.choose)
        self._clear.triggered.connect(self.line.clear)
        self._bookmark.triggered.connect(self.show_saved)
        self._theme.changed.connect(self._redraw)

    def _redraw(self) -> None:
        self._lens.setIcon(self._theme.icon("search", "text3"))
        self._clear.setIcon(self._theme.icon("cancelled", "text3"))
        self._mark_saved(anew=True)

    def _mark_saved(self, anew: bool = False) -> None:
        saved = bool(self._saved.name_of(self.text)) if self.text.strip() else False
        if anew or saved != self._is_saved:
            self._is_saved = saved
            self._bookmark.setIcon(self._theme.icon("remember", "accent" if saved else "text3"))

    # ---- typing ----------------------------------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        if not text and (popup := self._completer.popup()) is not None:
            popup.hide()
        self._clear.setVisible(bool(text))
        self._mark_saved()
        self.changed.emit(text)

    def show_saved(self) -> None:
        self.fill_menu()
        self.menu.popup(self.line.mapToGlobal(QPoint(0, self.line.height())))

    def _start_naming(self) -> None:
        self.naming.show()
        self.name.setFocus()

    def _stop_naming(self) -> None:
        self.naming.hide()
        self.name.clear()
        self.line.setFocus()

    def _remove(self, name: str) -> None:
        self._saved.remove(name)
        self._redraw()

    # ---- completing ------------------------------------------------------------------------------------------------

    @property
    def offered(self) -> tuple[str, ...]:
        """What is offered now."""
        return tuple(choice.text for choice in self._offered.choices) if self._offered is not None else ()

    def _offer(self, everything: bool = False) -> None:
        caret = self.line.cursorPosition()
        self._offered = complete(self.text, caret, self._values_of)
        if self._offered is None and everything:
            self._offered = Completion(caret, all_fields())
        if self._offered is None:
            if (popup := self._completer.popup()) is not None:
                popup.hide()
            return
        model = self._completer.model()
        assert isinstance(model, QStandardItemModel)
        model.clear()
        for choice in self._offered.choices:
            item = QStandardItem(f"{choice.text}   {choice.about}" if choice.about else choice.text)
            item.setData(choice.text, Qt.ItemDataRole.UserRole)
            model.appendRow(item)
        self._completer.complete(QRect(self.line.cursorRect().left(), 0, _POPUP_WIDTH, self.line.height()))

    def choose(self, choice: str) -> None:
        """Puts one of what is offered in its place."""
        if self._offered is None:
            return
        text, caret, start = self.text, self.line.cursorPosition(), self._offered.start
        ended = choice if choice.endswith(":") else f"{choice} "
        self._offered = None
        self.line.setText(text[:start] + ended + text[caret:].lstrip())
        self.line.setCursorPosition(start + len(ended))
        if choice.endswith(":"):
            self._offer()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if watched is self.name:
            if event.key() == Qt.Key.Key_Escape:
                self._stop_naming()
                return True
            return False
        if event.key() == Qt.Key.Key_Down:
            self.left.emit()
            return True
        if event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self._offer(everything=True)
            return True
        return False


def _plain(text: str) -> str:
    """An ampersand in a menu would be a shortcut, a tab a column."""
    return text.replace("&", "&&").replace("\t", " ")
