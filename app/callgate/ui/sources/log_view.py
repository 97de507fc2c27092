"""What a source's server wrote beside the protocol, as it comes. Asks the desk only for what is new."""

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from callgate.engine.sources.source_service import LogLine, SourceService
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.empty_state import EmptyState

FETCH_MS: Final = 60
"""A server that logs thousands of lines a second is shown in a few steps a second, none of them lost."""
_MOST_LINES: Final = 2000


class LogView(QWidget):
    def __init__(self, service: SourceService, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._source = ""
        self._lines: list[LogLine] = []
        self._last = -1
        self.filter = QLineEdit()
        self.filter.setObjectName("sourceLogFilter")
        self.filter.setAccessibleName("Filter the log")
        self.filter.setPlaceholderText("Filter the log…")
        self.filter.setClearButtonEnabled(True)
        self._count = plain_label("", "hint")
        self._copy = CopyButton(theme, self._shown, "the log")
        self.clear = QPushButton("Clear")
        self.clear.setObjectName("sourceLogClear")
        self.clear.setProperty("kind", "quiet")
        self.text = QPlainTextEdit()
        self.text.setObjectName("sourceLog")
        self.text.setAccessibleName("Log of the source")
        self.text.setReadOnly(True)
        self.text.setProperty("flat", True)
        self.text.setFont(theme.mono())
        self.text.setMaximumBlockCount(_MOST_LINES)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._empty = EmptyState(
            theme,
            "log",
            "Nothing was written",
            "Servers write their log to standard error; it appears here as it comes.",
        )
        self._build()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FETCH_MS)
        self._pause.timeout.connect(self.fetch)
        self.filter.textChanged.connect(self._refill)
        self.clear.clicked.connect(lambda: self._service.clear(self._source))
        self._hearing = service.on_news(self._heard)
        hearing = self._hearing
        self.destroyed.connect(lambda: hearing.close())

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(M, S, M, 0)
        row.setSpacing(S)
        row.addWidget(self.filter, 1)
        row.addWidget(self._count)
        row.addWidget(self._copy)
        row.addWidget(self.clear)
        held = QWidget()
        inner = QVBoxLayout(held)
        inner.setContentsMargins(M, S, M, S)
        inner.addWidget(self.text)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(held)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addLayout(self._stack, 1)

    def show_source(self, name: str) -> None:
        if name == self._source:
            return
        self._source, self._lines, self._last = name, [], -1
        self.text.clear()
        self.fetch()

    def fetch(self) -> None:
        """What is new since the last time."""
        fresh = self._service.log(self._source, self._last) if self._source else ()
        if not fresh and self._lines and not self._service.log(self._source):
            self._lines = []  # somebody has cleared it
            self._refill()
        if fresh:
            self._last = fresh[-1].number
            self._lines = [*self._lines, *fresh][-_MOST_LINES:]
            self._append(fresh)
        self._tell()

    def _heard(self, name: str) -> None:
        if name == self._source and not self._pause.isActive():
            self._pause.start()

    def _append(self, lines: tuple[LogLine, ...] | list[LogLine]) -> None:
        """At the end; whoever has scrolled up stays there."""
        wanted = self.filter.text().casefold()
        shown = [_spelled(line) for line in lines if wanted in line.text.casefold()]
        if not shown:
            return
        bar = self.text.verticalScrollBar()
        at_end, place = bar.value() >= bar.maximum() - 4, bar.value()
        self.text.appendPlainText("\n".join(shown))
        if at_end:
            self.text.moveCursor(QTextCursor.MoveOperation.End)
            bar.setValue(bar.maximum())
        else:
            bar.setValue(place)

    def _refill(self) -> None:
        self.text.clear()
        self._append(self._lines)
        self._tell()

    def _tell(self) -> None:
        self._stack.setCurrentIndex(1 if self._lines else 0)
        count = len(self._lines)
        self._count.setText("" if not count else "1 line" if count == 1 else f"{count:,} lines")

    def _shown(self) -> str:
        return self.text.toPlainText()


def _spelled(line: LogLine) -> str:
    return f"{figures.clock_seconds(line.at)}  {reveal(line.text)}"
