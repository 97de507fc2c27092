"""The command palette: a field and a list over the window, gone as soon as something is chosen.

It is a child of the window and never a dialog of its own: nothing waits for it, and a click beside it closes it.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from callgate.ui.bridge import Bridge
from callgate.ui.palette.delegate import ROW, PaletteDelegate
from callgate.ui.palette.entry import Entry, Fetched, Ready
from callgate.ui.palette.model import PaletteModel
from callgate.ui.palette.ranking import ranked
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme

_WIDTH: Final = 620
_ROWS: Final = 11
_TOP: Final = 36
"""Over the field in the bar at the top: it is that field, grown."""
_MOST_RECENT: Final = 12
_RECENT: Final = "palette/recent"
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: _ROWS - 1,
    Qt.Key.Key_PageUp: 1 - _ROWS,
}


class CommandPalette(QFrame):
    def __init__(
        self,
        window: QWidget,
        bridge: Bridge,
        theme: Theme,
        settings: QSettings,
        ready: Sequence[Ready],
        fetched: Sequence[Fetched] = (),
    ) -> None:
        """`ready` are asked whenever it opens, `fetched` too, and come in when they are there."""
        super().__init__(window)
        self.setObjectName("commandPalette")
        self.setAccessibleName("Command palette")
        self.setProperty("card", True)
        self._window, self._bridge, self._settings = window, bridge, settings
        self._ready, self._fetched = tuple(ready), tuple(fetched)
        self._entries: list[Entry] = []
        self._opening = 0
        """Counts openings: what was fetched for an earlier one is not shown in a later one."""
        self._before: QWidget | None = None
        # the key that opens it may come while no loop is running yet
        self._asking = QTimer(self)
        self._asking.setSingleShot(True)
        self._asking.timeout.connect(self._ask)
        self.field = QLineEdit()
        self.field.setObjectName("paletteField")
        self.field.setAccessibleName("What to do or where to go")
        self.field.setPlaceholderText("Type a command, a tool, a conversation …")
        self.model = PaletteModel(self)
        self.list = QListView()
        self.list.setObjectName("paletteList")
        self.list.setAccessibleName("What fits")
        self.list.setModel(self.model)
        self.list.setItemDelegate(PaletteDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setStyleSheet("QListView { background: transparent; }")
        self._nothing = plain_label("", tone="secondary")
        self._nothing.setObjectName("paletteNothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setFixedHeight(2 * ROW)
        self._hint = plain_label("", tone="hint")
        column = QVBoxLayout(self)
        column.setContentsMargins(S, S, S, S)
        column.setSpacing(S)
        column.addWidget(self.field)
        column.addWidget(self.list)
        column.addWidget(self._nothing)
        column.addWidget(self._hint)
        self._hint.setIndent(M)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._clicked)
        theme.changed.connect(self.list.viewport().update)
        self.hide()

    def come_up(self, query: str = "") -> None:
        """Opens it, or closes it where it is open."""
        if self.isVisible():
            self.leave()
            return
        self._before = QApplication.focusWidget()
        self._opening += 1
        self._entries = [entry for source in self._ready for entry in source()]
        self._place()
        self.field.setText(query)
        self._filter()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self._asking.start(0)

    def leave(self) -> None:
        """Closes it; the keyboard goes back to where it was."""
        if not self.isVisible():
            return
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def choose(self, row: int) -> None:
        hit = self.model.hit(row)
        if hit is None:
            return
        recent = [hit.entry.key, *(key for key in self._recent() if key != hit.entry.key)]
        self._settings.setValue(_RECENT, recent[:_MOST_RECENT])
        self.leave()
        hit.entry.run()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget):
            if watched is not self and not self.isAncestorOf(watched):
                self.leave()
        elif event.type() == QEvent.Type.Resize and watched is self._window:
            self._place()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.choose(self.list.currentIndex().row())
        elif key in _STEPS and self.model.rowCount():
            self._move(_STEPS[key])
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._move(1 if key == Qt.Key.Key_Tab else -1)
        else:
            return False
        return True

    def _move(self, step: int) -> None:
        last = self.model.rowCount() - 1
        row = self.list.currentIndex().row() + step
        if abs(step) == 1:
            row %= last + 1  # from the last to the first
        self.list.setCurrentIndex(self.model.index(min(max(row, 0), last)))

    def _clicked(self, index: QModelIndex) -> None:
        self.choose(index.row())

    def _place(self) -> None:
        width = min(_WIDTH, self._window.width() - 2 * M)
        rows = min(max(2, self.model.rowCount()), _ROWS)  # as high as what it shows: no empty box under three hits
        height = min(rows * ROW + self.field.sizeHint().height() + self._hint.sizeHint().height() + 4 * S + 2, 520)
        left = (self._window.width() - width) // 2
        self.setGeometry(QRect(left, _TOP, width, min(height, self._window.height() - _TOP - M)))

    # ---- what is shown ---------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        self._bridge.start(self._fetch(self._opening), self, "palette")

    async def _fetch(self, opening: int) -> None:
        for source in self._fetched:
            entries = list(await source())
            if opening != self._opening:
                return
            self._entries += entries
            self._filter(keep=True)

    def _filter(self, *_: object, keep: bool = False) -> None:
        """`keep`: the row stays that the person has gone to."""
        row = self.list.currentIndex().row() if keep else 0
        before = self.model.hit(row)
        hits = ranked(self._entries, self.field.text(), self._recent())
        self.model.show_hits(hits)
        if keep and before is not None:
            row = next((at for at, hit in enumerate(hits) if hit.entry.key == before.entry.key), 0)
        if hits:
            self.list.setCurrentIndex(self.model.index(max(row, 0)))
        signs = "> commands   ! settings   # tools   @ conversations"
        self._hint.setText(signs if hits else "Fewer letters find more.")
        self._nothing.setText(f"Nothing fits “{reveal(self.field.text().strip())}”")
        self.list.setVisible(bool(hits))
        self._nothing.setVisible(not hits)
        self._place()

    def _recent(self) -> list[str]:
        kept = self._settings.value(_RECENT)
        if isinstance(kept, str):  # a list of one comes back as its item
            return [kept]
        return [key for key in kept if isinstance(key, str)] if isinstance(kept, list) else []
