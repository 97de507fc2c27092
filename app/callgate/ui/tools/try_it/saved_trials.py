"""Earlier tries and saved examples of a tool, to look at and to use again. Shows; keeps nothing itself."""

import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.tool_example import ToolExample
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.theme import S, Theme
from callgate.ui.tools.try_it.progress import timing_words
from callgate.ui.tools.try_it.row import Row, RowDelegate

_LINE: Final = 200


class _Shelf(QWidget):
    """A list with a word for when it is empty, and buttons for what is selected."""

    def __init__(self, theme: Theme, name: str, title: str, empty: str) -> None:
        super().__init__()
        self.list = QListWidget()
        self.list.setItemDelegate(RowDelegate(theme, self.list))
        self.list.setObjectName(name)
        self.list.setAccessibleName(title)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda *_: self._offer())
        self.empty: QLabel = plain_label(empty, "hint", wrap=True)
        self.buttons: list[QPushButton] = []
        self.row = QHBoxLayout()
        self.row.setSpacing(S)
        self.row.addStretch(1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, S, S, S)
        self.column.setSpacing(S)
        self.column.addWidget(self.empty)
        self.column.addWidget(self.list, 1)
        self.column.addLayout(self.row)

    def button(self, word: str, name: str) -> QPushButton:
        made = QPushButton(word)
        made.setObjectName(name)
        self.row.insertWidget(len(self.buttons), made)
        self.buttons.append(made)
        return made

    def fill(self, items: list[QListWidgetItem]) -> None:
        kept = self.list.currentRow()
        self.list.clear()
        for item in items:
            self.list.addItem(item)
        if items:
            self.list.setCurrentRow(kept if 0 <= kept < len(items) else 0)
        self.empty.setVisible(not items)
        self.list.setVisible(bool(items))
        for button in self.buttons:
            button.setVisible(bool(items))
        self._offer()

    def chosen(self) -> object:
        item = self.list.currentItem()
        return None if item is None else item.data(Row.ITEM)

    def _offer(self) -> None:
        for button in self.buttons:
            button.setEnabled(self.list.currentItem() is not None)


class SavedTrials(_Shelf):
    used = Signal(str)
    """The arguments of a try are wanted again."""
    wanted = Signal(object)
    """A try is to be shown: `Invocation`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "tryHistory", "Earlier tries", "No tries yet. Each run of this tool from here is kept.")
        self._theme = theme
        self._tries: Sequence[Invocation] = ()
        theme.changed.connect(self._redraw)
        self.use = self.button("Use arguments", "useTry")
        self.show_result = self.button("Show result", "showTry")
        self.use.clicked.connect(self._use)
        self.show_result.clicked.connect(self._show)
        self.list.itemActivated.connect(lambda _: self._show())

    def _redraw(self) -> None:
        self.show_tries(self._tries)

    def show_tries(self, tries: Sequence[Invocation]) -> None:
        self._tries = tries
        now = time.time()
        self.fill([self._item(invocation, now) for invocation in tries])

    def _item(self, invocation: Invocation, now: float) -> QListWidgetItem:
        arguments = reveal(invocation.arguments[:_LINE].replace("\n", " "))
        word, end = self._theme.state_word(invocation), invocation.phases[-1].since if invocation.phases else 0.0
        about = " · ".join(part for part in (word, figures.ago(end, now), timing_words(invocation, end)) if part)
        item = _row(self._theme.state_icon(invocation), arguments, about, "head")
        item.setToolTip(plain_tip(f"{figures.moment(end)}\n{invocation.arguments[: _LINE * 5]}"))
        item.setData(Row.ITEM, invocation)
        return item

    def _use(self) -> None:
        if isinstance(chosen := self.chosen(), Invocation):
            self.used.emit(chosen.effective_arguments)

    def _show(self) -> None:
        if isinstance(chosen := self.chosen(), Invocation):
            self.wanted.emit(chosen)


class SavedExamples(_Shelf):
    used = Signal(str)
    """The arguments of an example are wanted."""
    saved = Signal(str)
    """The arguments as they stand are to be kept under this name."""
    deleted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "tryExamples", "Examples", "No examples yet. Give the arguments a name to keep them.")
        self._theme = theme
        self.name = QLineEdit()
        self.name.setObjectName("exampleName")
        self.name.setPlaceholderText("name of an example")
        self.name.setAccessibleName("Name of an example")
        self.save = QPushButton("Save as example")
        self.save.setObjectName("saveExample")
        self.save.setEnabled(False)
        keep_icon(self.save, theme, "save")
        self.name.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.name.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        line = QHBoxLayout()
        line.setSpacing(S)
        line.addWidget(self.name, 1)
        line.addWidget(self.save)
        self.column.insertLayout(0, line)
        self._shown: tuple[Sequence[ToolExample], Sequence[ToolExample]] = ((), ())
        theme.changed.connect(self._redraw)
        self.use = self.button("Use example", "useExample")
        self.delete = self.button("Delete", "deleteExample")
        self.delete.setProperty("kind", "danger")
        self.use.clicked.connect(self._use)
        self.delete.clicked.connect(self._delete)
        self.list.itemActivated.connect(lambda _: self._use())

    def _redraw(self) -> None:
        self.show_examples(*self._shown)

    def show_examples(self, own: Sequence[ToolExample], given: Sequence[ToolExample]) -> None:
        """`given`: those that the tool's schema brings along, which can't be deleted."""
        self._shown = own, given
        items = [self._item(example, "") for example in own]
        items += [self._item(example, "from the tool") for example in given]
        for item in items[len(own) :]:
            item.setData(Row.FIXED, True)
        self.fill(items)

    def _item(self, example: ToolExample, note: str) -> QListWidgetItem:
        arguments = reveal(example.arguments[:_LINE].replace("\n", " "))
        head = f"{reveal(example.name)}  ·  {note}" if note else reveal(example.name)
        item = _row(self._theme.icon("remember"), head, arguments, "foot")
        item.setToolTip(plain_tip(example.arguments[: _LINE * 5]))
        item.setData(Row.ITEM, example)
        return item

    def _offer(self) -> None:
        super()._offer()
        item = self.list.currentItem()
        for button in self.buttons[1:]:
            button.setEnabled(item is not None and not item.data(Row.FIXED))

    def _save(self) -> None:
        name = self.name.text().strip()
        if name:
            self.name.clear()
            self.saved.emit(name)

    def _use(self) -> None:
        if isinstance(chosen := self.chosen(), ToolExample):
            self.used.emit(chosen.arguments)

    def _delete(self) -> None:
        if isinstance(chosen := self.chosen(), ToolExample):
            self.deleted.emit(chosen.name)


def _row(icon: QIcon, head: str, foot: str, code: str) -> QListWidgetItem:
    item = QListWidgetItem(icon, f"{head}\n{foot}")  # for assistive technology; the delegate draws the roles
    item.setData(Row.HEAD, head)
    item.setData(Row.FOOT, foot)
    item.setData(Row.CODE, code)
    return item
