"""A pane of the window that can be moved, hidden and brought back: a dock with a quiet title."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import M, S, Theme

_TITLE_HEIGHT = 32


class _Title(QWidget):
    """Leaves the mouse to the dock, which moves by it."""

    def __init__(self, dock: QDockWidget, title: str, theme: Theme) -> None:
        super().__init__(dock)
        as_pane(self)
        self.setFixedHeight(_TITLE_HEIGHT)
        self._theme = theme
        self.count = plain_label(tone="hint")
        self._close = QToolButton()
        self._close.setIconSize(theme.icon_size)
        self._close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._close.setToolTip(f"Hide {title.lower()} (View menu brings it back)")
        self._close.setAccessibleName(f"Hide {title.lower()}")
        self._close.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(M, 0, S, 0)
        row.setSpacing(S)
        row.addWidget(plain_label(title, "strong"))
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self._close)
        theme.changed.connect(self._redraw)
        self._redraw()

    def _redraw(self) -> None:
        self._close.setIcon(self._theme.icon("close", "text3"))


class Dock(QDockWidget):
    def __init__(self, name: str, title: str, content: QWidget, theme: Theme) -> None:
        """`name` is the object name under which its place is remembered."""
        super().__init__(title)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._title = _Title(self, title, theme)
        self._untitled = QWidget(self)
        self._untitled.hide()
        self.setTitleBarWidget(self._title)
        self.setWidget(content)

    def set_titled(self, titled: bool) -> None:
        """Without its title where a tab says the same."""
        self.setTitleBarWidget(self._title if titled else self._untitled)
        self._title.setVisible(titled)
        self._untitled.setVisible(not titled)

    def set_count(self, text: str) -> None:
        """A few words beside the title, such as "3 waiting"."""
        self._title.count.setText(text)
