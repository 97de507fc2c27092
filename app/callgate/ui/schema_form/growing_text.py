"""An editor that is as high as its text, up to a bound. What is typed or pasted stays exactly as it is."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from callgate.ui.schema_form.wrapping import fit_wrapping
from callgate.ui.theme.theme import XS, Theme

_MOST_LINES: Final = 14
_FRAME: Final = 1


class GrowingText(QPlainTextEdit):
    def __init__(self, theme: Theme, name: str, fewest_lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fewest = fewest_lines
        self.setFont(theme.mono())
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self._fit()

    def text(self) -> str:
        """Letter for letter; `toPlainText` would turn hard spaces into others."""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def show_text(self, text: str) -> None:
        """Without a signal; the same text again leaves cursor and undo alone."""
        if text == self.text():
            return
        self.blockSignals(True)
        fit_wrapping(self, text)
        self.setPlainText(text)
        self.blockSignals(False)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(120, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.height())

    def _fit(self) -> None:
        needed = int(self.document().size().height())
        lines = max(self._fewest, min(_MOST_LINES, needed))
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if needed > _MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)
        padding = 2 * (XS + _FRAME + int(self.document().documentMargin()))
        height = lines * self.fontMetrics().lineSpacing() + padding
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)
