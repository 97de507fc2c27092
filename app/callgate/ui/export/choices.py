"""What an export is to hold: format, what is taken out, what is left out. Knows options, not conversations."""

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QRadioButton, QVBoxLayout, QWidget

from callgate.core.secrets.redaction import RedactionChoice
from callgate.export.format import FORMATS, ExportOptions, Format
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, XS, L, M, S, Theme
from callgate.ui.widgets.tick_box import TickBox

_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic)
_DOT: Final = 6


class PickButton(QRadioButton):
    """One of several choices, with a ring that is seen in every theme, as the platform's own is not."""

    def __init__(self, theme: Theme, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text()) + S if self.text() else 0
        return QSize(ICON + 2 + words, max(ICON + 4, self.fontMetrics().height() + 2))

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = QRect(1, (self.height() - ICON) // 2, ICON, ICON).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(theme.color("accent" if on or self.hasFocus() else "text3"), 1))
        painter.setBrush(theme.color("accent" if on else "canvas"))
        painter.drawEllipse(ring.toRectF().adjusted(0.5, 0.5, -0.5, -0.5))
        if on:
            dot = QRect(0, 0, _DOT, _DOT)
            dot.moveCenter(ring.center())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("surface"))
            painter.drawEllipse(dot)
        painter.setPen(theme.color("text"))
        painter.setFont(self.font())
        painter.drawText(self.rect().adjusted(ICON + S, 0, 0, 0), _LEFT, self.text())


_WIDTH: Final = 270
_FORMAT_KEY: Final = "export/format"
_INDENT: Final = ICON + S
"""As far as the text of a radio button stands from its left edge."""


class ExportChoices(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, settings: QSettings | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings = theme, settings
        self.setFixedWidth(_WIDTH)
        self._formats = QButtonGroup(self)
        self._order: list[Format] = list(FORMATS)
        self.secrets = _check(theme, "exportSecrets", "Keys, tokens and passwords", True)
        self.emails = _check(theme, "exportEmails", "E-mail addresses", False)
        self.home_paths = _check(theme, "exportHomePaths", "Home folders in paths", False)
        self.bodies = _check(theme, "exportBodies", "What was said", True)
        self.wire = _check(theme, "exportWire", "Captured requests and answers", True)
        self._warning = plain_label("Whoever gets the file may find your keys in it.", "danger", wrap=True)
        self._warning.setObjectName("exportWarning")
        self._included = plain_label("Include", "strong")
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(XS)
        column.addWidget(plain_label("Format", "strong"))
        for number, form in enumerate(self._order):
            self._add_format(column, number, form)
        column.addSpacing(M)
        column.addWidget(plain_label("Take out", "strong"))
        for box in (self.secrets, self.emails, self.home_paths):
            column.addWidget(box)
        column.addWidget(self._warning)
        column.addSpacing(M)
        column.addWidget(self._included)
        column.addWidget(self.bodies)
        column.addWidget(self.wire)
        column.addStretch(1)
        self._restore()
        self._formats.idClicked.connect(self._tell)
        for box in (self.secrets, self.emails, self.home_paths, self.bodies, self.wire):
            box.toggled.connect(self._tell)
        self._show_what_counts()

    @property
    def form(self) -> Format:
        return self._order[max(0, self._formats.checkedId())]

    @property
    def options(self) -> ExportOptions:
        chosen = RedactionChoice(self.secrets.isChecked(), self.home_paths.isChecked(), self.emails.isChecked())
        return ExportOptions(chosen, self.bodies.isChecked(), self.wire.isChecked())

    def _add_format(self, column: QVBoxLayout, number: int, form: Format) -> None:
        look = FORMATS[form]
        button = PickButton(self._theme, look.title)
        button.setObjectName(f"exportFormat_{form}")
        button.setAccessibleDescription(look.hint)
        self._formats.addButton(button, number)
        hint = plain_label(look.hint, "hint", wrap=True)
        hint.setContentsMargins(_INDENT, 0, 0, XS)
        column.addWidget(button)
        column.addWidget(hint)

    def _restore(self) -> None:
        kept = self._settings.value(_FORMAT_KEY) if self._settings is not None else None
        number = self._order.index(kept) if kept in self._order else 0  # type: ignore[arg-type]
        self._formats.button(number).setChecked(True)

    def _tell(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_FORMAT_KEY, self.form)
        self._show_what_counts()
        self.changed.emit()

    def _show_what_counts(self) -> None:
        """Only what makes a difference for this format."""
        self.bodies.setVisible(self.form in ("har", "otlp"))
        self.wire.setVisible(self.form == "jsonl")
        self._included.setVisible(self.form in ("har", "otlp", "jsonl"))
        self._warning.setVisible(not self.secrets.isChecked())


def _check(theme: Theme, name: str, text: str, on: bool) -> TickBox:
    box = TickBox(theme, text)
    box.setObjectName(name)
    box.setChecked(on)
    return box


def separator() -> QFrame:
    line = QFrame()
    line.setProperty("line", True)
    line.setFixedWidth(1)
    return line


def facts_label(name: str, tone: str) -> QLabel:
    label = plain_label("", tone, selectable=True, wrap=True)
    label.setObjectName(name)
    label.setContentsMargins(0, 0, 0, S)
    return label
