"""The line that filters traffic: an expression with completion, and its mistakes pointed at. Knows no table."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRect, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QVBoxLayout, QWidget

from callgate.core.calls.tool_kinds import TARGET_FIELDS
from callgate.core.rules.match import FIELDS, ROOTS, Always, Expression, ExpressionError, fields_of, parse
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import SMALL_SIZE, Theme

# What could be typed next in a filter: names of fields, and the values that the table holds. Pure.
_TERM: Final = re.compile(r"(?:^|[\s(])(?P<term>[A-Za-z_.]*)$")
_VALUE: Final = re.compile(r"(?:^|[\s(])(?P<field>[a-z]+)[:=](?P<value>[^\s()\"'*?]*)$")
_MOST: Final = 50
_NUMBERS: Final = ("dur", "tokens", "cost")
TRAFFIC_FIELDS: Final = tuple(field for field in FIELDS if field not in TARGET_FIELDS)
"""Without those that mean the parts of one call: rules ask them of a call at a time, a table of thousands at once."""

ValuesOf = Callable[[str], Sequence[str]]
"""The different values of a field that are on the table now."""


@dataclass(frozen=True, slots=True)
class Completion:
    start: int
    """Where the text begins that a choice replaces; it ends at the caret."""
    choices: tuple[str, ...]


def complete(text: str, caret: int, values_of: ValuesOf) -> Completion | None:
    """Choices for what stands before the caret; None = nothing to offer."""
    before = text[:caret]
    value = _VALUE.search(before)
    if value is not None and value["field"] in TRAFFIC_FIELDS:
        return _offer(value.start("value"), value["value"], [_quoted(held) for held in values_of(value["field"])])
    term = _TERM.search(before)
    if term is None or not term["term"]:
        return None
    names = [f"{name}:" for name in TRAFFIC_FIELDS if name not in _NUMBERS]
    numbers = [f"{name}>" for name in _NUMBERS]
    return _offer(term.start("term"), term["term"], [*names, *numbers, *(f"{root}." for root in ROOTS)])


def _offer(start: int, typed: str, choices: Sequence[str]) -> Completion | None:
    fitting = tuple(choice for choice in choices if choice.startswith(typed) and choice != typed)[:_MOST]
    return Completion(start, fitting) if fitting else None


def _quoted(value: str) -> str:
    return value if value and not re.search(r"[\s()\"']", value) else '"' + value.replace('"', '\\"') + '"'


_HINT: Final = "Filter traffic…   tool:run_* and dur>500ms   status:failed   “connection reset”"
_ABOUT: Final = (
    "field:glob   field=value   field~regex   field>number   and, or, not, parentheses\n"
    "Fields: tool source agent model endpoint status state decision dur tokens cost args.… result.…\n"
    "Other words search agents, models, what was said and what was called."
)
_POINTING_MS: Final = 350
"""A mistake is pointed at after a pause: half a word is no mistake while it is being typed."""
_POPUP_WIDTH: Final = 220
_HALF: Final = re.compile(r"(?:^|[\s(])[A-Za-z_][\w.]*(?:[:=~]|[<>]=?)$")
"""A field and its sign, and nothing after it yet: its value comes next, and until then the rest filters."""
_WITHOUT: Final = re.compile(r"(?:\s+(?:and|or|not)\b|^(?:not)\b|[\s(])+$", re.IGNORECASE)
"""What would join it to the rest."""


class FilterField(QWidget):
    changed = Signal(object)
    """The `Expression` to filter by now; what cannot be read leaves the last one in force."""
    left = Signal()
    """The person is done with the line: the keyboard goes back to the table."""

    def __init__(self, theme: Theme, values_of: ValuesOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values_of = values_of
        self._offered: Completion | None = None
        self.expression: Expression = Always()
        self.line = QLineEdit()
        self.line.setObjectName("trafficFilter")
        self.line.setAccessibleName("Filter traffic")
        self.line.setPlaceholderText(_HINT)
        self.line.setToolTip(_ABOUT)
        self.line.setProperty("lens", True)
        self._lens = QAction(theme.icon("filter", "text3"), "", self.line)
        self.line.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(theme.icon("cancelled", "text3"), "Clear filter", self.line)
        self.line.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self.problem = plain_label(tone="danger")
        self.problem.setObjectName("trafficFilterProblem")
        self.problem.setAccessibleName("What is wrong with the filter")
        self.problem.hide()
        self._completer = self._build_completer()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_POINTING_MS)
        self._pause.timeout.connect(self._point)
        self._broken: ExpressionError | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.line)
        column.addWidget(self.problem)
        self.setFocusProxy(self.line)
        self._connect()

    def clear(self) -> None:
        self.line.clear()

    def set_text(self, text: str) -> None:
        self.line.setText(text)

    def show_problem(self, words: str, position: int = 0) -> None:
        """Says what is wrong, under the place where it is."""
        self.problem.setText(f"↑ {words}")
        metrics = self.line.fontMetrics()
        start = self.line.cursorRect().left() - metrics.horizontalAdvance(
            self.line.text()[: self.line.cursorPosition()]
        )
        left = start + metrics.horizontalAdvance(self.line.text()[:position])
        room = self.width() - self.problem.fontMetrics().horizontalAdvance(self.problem.text()) - 2
        self.problem.setContentsMargins(max(0, min(left, room)), 0, 0, 0)
        self.problem.show()

    # ---- building --------------------------------------------------------------------------------------------------

    def _build_completer(self) -> QCompleter:
        completer = QCompleter(self)
        completer.setModel(QStringListModel(self))
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        # not the line's own: that would replace all of its text
        completer.setWidget(self.line)
        if (popup := completer.popup()) is not None:
            popup.setFont(self._theme.mono(SMALL_SIZE))
            popup.setProperty("popup", True)
        return completer

    def _connect(self) -> None:
        self.line.textChanged.connect(self._read)
        self.line.textEdited.connect(lambda _: self._offer())
        self.line.returnPressed.connect(self.left)
        self.line.installEventFilter(self)
        self._completer.activated.connect(self._insert)
        self._clear.triggered.connect(self.line.clear)
        self._theme.changed.connect(self._redraw)

    def _redraw(self) -> None:
        self._lens.setIcon(self._theme.icon("filter", "text3"))
        self._clear.setIcon(self._theme.icon("cancelled", "text3"))

    # ---- reading ---------------------------------------------------------------------------------------------------

    def _read(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.problem.hide()
        try:
            half = _HALF.search(text)
            expression = _read_filter(_WITHOUT.sub("", text[: half.start()]) if half is not None else text)
        except ExpressionError as broken:
            self._broken = broken
            self._pause.start()
            return
        self._broken = None
        self._pause.stop()
        if expression != self.expression:
            self.expression = expression
            self.changed.emit(expression)

    def _point(self) -> None:
        if self._broken is not None:
            # what is known after the semicolon is offered while typing, and would not fit here
            self.show_problem(self._broken.message.partition("; known are")[0], self._broken.position)

    # ---- completing ------------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        self._offered = complete(self.line.text(), self.line.cursorPosition(), self._values_of)
        if self._offered is None:
            if (popup := self._completer.popup()) is not None:
                popup.hide()
            return
        model = self._completer.model()
        assert isinstance(model, QStringListModel)
        model.setStringList(list(self._offered.choices))
        caret = self.line.cursorRect()
        self._completer.complete(QRect(caret.left(), 0, _POPUP_WIDTH, self.line.height()))

    def _insert(self, choice: str) -> None:
        if self._offered is None:
            return
        text, caret = self.line.text(), self.line.cursorPosition()
        start = self._offered.start
        self.line.setText(text[:start] + choice + text[caret:])
        self.line.setCursorPosition(start + len(choice))
        if choice.endswith(":"):
            self._offer()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self._step_back()
                return True
            if event.key() == Qt.Key.Key_Down:
                self.left.emit()
                return True
        return False

    def _step_back(self) -> None:
        if self.line.text():
            self.line.clear()
        else:
            self.left.emit()


def _read_filter(text: str) -> Expression:
    expression = parse(text)
    for field in sorted(fields_of(expression) & TARGET_FIELDS):
        at = max(0, text.find(field))
        raise ExpressionError(f"{field!r} is for rules; here the arguments are args.command, args.path …", text, at)
    return expression
