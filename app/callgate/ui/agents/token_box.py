"""A token that was just made, in the forms in which clients take it. Once closed, it is never shown again."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import L, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton

_EXAMPLE_ADDRESS: Final = "http://127.0.0.1:8080"


def forms(address: str, token: str) -> tuple[tuple[str, str], ...]:
    """What for, and the text to copy."""
    base = f"{address or _EXAMPLE_ADDRESS}/agent/{token}"
    return (
        ("API key, or header x-callgate-token", token),
        ("Base URL for OpenAI clients", f"{base}/v1"),
        ("Base URL for Anthropic and Gemini clients", base),
        ("MCP server URL", f"{base}/mcp"),
        ("Claude Code", f"ANTHROPIC_BASE_URL={base} claude"),
    )


class TokenBox(QFrame):
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newToken")
        self.setAccessibleName("New token")
        self.setProperty("card", True)
        self._theme = theme
        self._icon = QLabel()
        self._title = plain_label("", "strong", wrap=True)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(M)
        self._grid.setVerticalSpacing(S)
        self._grid.setColumnStretch(1, 1)
        self.done = QPushButton("I have copied it")
        self.done.setObjectName("closeToken")
        self.done.setAutoDefault(False)
        self.done.clicked.connect(self.forget)
        self._arrange()
        theme.changed.connect(self._draw)
        self._draw()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        foot = QHBoxLayout()
        hint = "The base URLs are for agents whose API key is the provider's: it is passed on."
        foot.addWidget(plain_label(hint, "hint", wrap=True), 1)
        foot.addWidget(self.done)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, M, M)
        column.setSpacing(M)
        column.addLayout(head)
        column.addLayout(self._grid)
        column.addLayout(foot)

    def show_token(self, name: str, address: str, token: str) -> None:
        self._clear()
        self._title.setText(f"Token of {name}. Copy it now: it is not shown again, and Callgate keeps only its hash.")
        for row, (what, text) in enumerate(forms(address, token)):
            value = plain_label(text, selectable=True, wrap=True)
            value.setFont(self._theme.mono())
            value.setAccessibleName(what)
            self._grid.addWidget(plain_label(what, "secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
            copy = CopyButton(self._theme, lambda text=text: text, what)  # type: ignore[misc]
            self._grid.addWidget(copy, row, 2, Qt.AlignmentFlag.AlignTop)
        self.show()

    def forget(self) -> None:
        """Hidden, and the text with it."""
        self._clear()
        self.hide()
        self.closed.emit()

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon("key", "accent").pixmap(self._theme.icon_size))
