"""The bar at the top: where Callgate listens, how the gate stands, what waits, and the ways to everything else.

A stripe is under it while the gate is open.
"""

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolBar, QWidget

from callgate.core.gate_mode import GateMode
from callgate.engine.console.console import Console
from callgate.ui.shell.gate_switch import GateSwitch
from callgate.ui.shell.place_bar import PlaceBar
from callgate.ui.text.plain_text import set_plain_tip
from callgate.ui.theme.theme import ICON, SMALL_SIZE, S, Theme
from callgate.ui.widgets.copy_button import SAID_MS

_COMMAND_WIDTHS = (96, 360)
_COMMAND_WORDS = ("Search or run a command…", "Search…")
_AT_THE_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class AddressButton(QPushButton):
    """The proxy's address with a live dot; a click copies it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("proxyAddress")
        self.setProperty("kind", "address")
        self.setIconSize(theme.icon_size)
        self._theme = theme
        self._address = ""
        self._note = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self.clicked.connect(self._copy)
        theme.changed.connect(self._show)
        self._show()

    @property
    def address(self) -> str:
        return self._address

    def set_address(self, address: str, note: str = "") -> None:
        self._address, self._note = address, note
        self._show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button with a second icon at its end, which says what a click does."""
        super().paintEvent(event)
        if self._address:
            place = QRect(self.width() - ICON - S, (self.height() - ICON) // 2, ICON, ICON)
            self._theme.icon("copy", "text3").paint(QPainter(self), place)

    def _copy(self) -> None:
        if not self._address:
            return
        QGuiApplication.clipboard().setText(self._address)
        self.setMinimumWidth(self.width())  # the bar must not jump while it says so
        self.setIcon(self._theme.icon("copied", "completed"))
        self.setText("Copied")
        self._timer.start(SAID_MS)

    def _show(self) -> None:
        self.setMinimumWidth(0)
        live = bool(self._address)
        self.setIcon(self._theme.icon("live", "completed" if live else "denied"))
        self.setText(self._address or "Not listening")
        self.setAccessibleName(f"Proxy address {self._address}" if live else "Proxy is not listening")
        set_plain_tip(self, self._note or ("Click to copy the address" if live else "No program can connect yet"))


class CommandButton(QPushButton):
    """Looks like the field that a click on it opens."""

    def __init__(self, theme: Theme, open_palette: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("commandButton")
        self.setProperty("kind", "search")
        self.setAccessibleName(open_palette.text())
        self.setToolTip(open_palette.toolTip())
        self.setIconSize(theme.icon_size)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has the shortcut, and its focus must not be lost
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_COMMAND_WIDTHS[0])
        self.setMaximumWidth(_COMMAND_WIDTHS[1])
        self._theme, self._keys = theme, open_palette.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.clicked.connect(lambda: open_palette.trigger())
        theme.changed.connect(self._redraw)
        self._redraw()

    def sizeHint(self) -> QSize:
        return QSize(_COMMAND_WIDTHS[1], super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fewer words where there is less room: the shortcut stands at the end."""
        super().resizeEvent(event)
        taken = ICON + self.fontMetrics().horizontalAdvance(self._keys) + 5 * S
        fits = (
            words for words in _COMMAND_WORDS if self.fontMetrics().horizontalAdvance(words) + taken <= self.width()
        )
        self.setText(next(fits, ""))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button with its shortcut at the end."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setFont(self._theme.ui(SMALL_SIZE))
        painter.setPen(self._theme.color("text3"))
        painter.drawText(self.rect().adjusted(0, 0, -S, 0), _AT_THE_END, self._keys)

    def _redraw(self) -> None:
        self.setIcon(self._theme.icon("search", "text3"))


class Toolbar(QToolBar):
    waiting_clicked = Signal()
    """The person wants to see what waits."""

    def __init__(
        self,
        console: Console,
        theme: Theme,
        open_palette: QAction,
        switch_theme: QAction,
        places: PlaceBar,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Toolbar", parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(theme.icon_size)
        self._theme = theme
        self._count = 0
        self.address = AddressButton(theme)
        self.gate = GateSwitch(console, theme)
        self.gate.mode_changed.connect(self._draw_stripe)
        self._waiting = QPushButton()
        self._waiting.setObjectName("waitingCount")
        self._waiting.setProperty("kind", "waiting")
        self._waiting.setIconSize(theme.icon_size)
        self._waiting.clicked.connect(self.waiting_clicked)
        self._switch = switch_theme
        self.command = CommandButton(theme, open_palette)
        for widget in (self.address, self.gate, _spacer(), self.command, _spacer()):
            self.addWidget(widget)
        self._waiting_action = self.addWidget(self._waiting)
        self.addWidget(places)
        self.addAction(switch_theme)
        self.set_waiting(0)
        theme.changed.connect(self._redraw)
        self._redraw()
        self._draw_stripe(self.gate.mode)

    def set_waiting(self, count: int) -> None:
        self._waiting.setText(f"{count} waiting")
        self._waiting.setAccessibleName(f"{count} calls wait for you")
        self._waiting.setToolTip("Show the call that is up for decision; F8 shows the oldest")
        self._waiting_action.setVisible(count > 0)

    def _redraw(self) -> None:
        self._waiting.setIcon(self._theme.icon("waiting", "waiting"))
        self._switch.setIcon(self._theme.icon("theme"))

    def _draw_stripe(self, mode: GateMode) -> None:
        self.setProperty("stripe", mode.kind == "observe")
        self.style().unpolish(self)
        self.style().polish(self)


def _spacer() -> QWidget:
    spacer = QWidget()
    spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return spacer
