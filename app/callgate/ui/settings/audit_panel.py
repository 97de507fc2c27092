"""Who decided what: the audit, newest first, with a filter. Reads; changes nothing."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from callgate.core.rules.audit import AuditEntry, write_line
from callgate.core.rules.match import parse
from callgate.ui.decision.expression_field import ExpressionField
from callgate.ui.settings.audit_model import AuditModel, look_of_entry, words_of
from callgate.ui.settings.two_line import Line, TwoLineDelegate
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import SMALL_SIZE, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.empty_state import EmptyState

_WORD_WIDTH = 66


class AuditPanel(QWidget):
    older_requested = Signal(int)
    """Entries before this sequence are wanted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = AuditModel(self)
        self.filter = ExpressionField(theme)
        self.filter.field.setObjectName("auditFilter")
        self.filter.field.setAccessibleName("Filter the audit")
        self.filter.field.setPlaceholderText("Filter: words, or  tool:run_*  decision=denied  agent:claude*  dur>10s")
        self.filter.field.setClearButtonEnabled(True)
        self.list = QListView()
        self.list.setObjectName("auditList")
        self.list.setAccessibleName("Decisions, newest first")
        self.list.setModel(self.model)
        self.list.setItemDelegate(TwoLineDelegate(theme, self.list, word_width=_WORD_WIDTH))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._words = plain_label("", "secondary", wrap=True, selectable=True)
        self._words.setObjectName("auditEntry")
        self._copy = CopyButton(theme, self._line, "the entry")
        self.older = QPushButton("Older")
        self.older.setObjectName("olderEntries")
        self.older.setAutoDefault(False)
        self._arrange()
        self.filter.changed.connect(self._refilter)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_chosen())
        self.older.clicked.connect(self._ask_older)
        theme.changed.connect(self._draw)
        self._draw()
        self._show_chosen()

    @property
    def entries(self) -> int:
        return self.model.total

    def set_entries(self, entries: Sequence[AuditEntry], now: float, *, more: bool) -> None:
        """All that are known, the newest first; `more`: there are older ones."""
        chosen = self._chosen()
        self.model.set_entries(entries, now)
        self.older.setVisible(more)
        self._stack.setCurrentIndex(1 if entries else 0)
        self._choose(chosen.sequence if chosen is not None else None)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(M, S, M, 0)
        head.addWidget(self.filter, 1)
        head.addWidget(self.older, 0, Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.setContentsMargins(M, 0, M, 0)
        foot.setSpacing(S)
        foot.addWidget(self._words, 1)
        foot.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, M)
        column.setSpacing(S)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            EmptyState(self._theme, "log", "No decisions yet.", "Each is kept here: who decided what, and why.")
        )
        self._stack.addWidget(page)

    def _draw(self) -> None:
        self._words.setFont(self._theme.mono(SMALL_SIZE))
        self.list.viewport().update()

    def _refilter(self) -> None:
        if self.filter.problem:
            return  # what was shown stays until the filter can be read again
        chosen = self._chosen()
        self.model.set_filter(parse(self.filter.text) if self.filter.text else None)
        self._choose(chosen.sequence if chosen is not None else None)

    def _choose(self, sequence: int | None) -> None:
        rows = range(self.model.rowCount())
        row = next((row for row in rows if self.model.index(row).data(Line.ITEM).sequence == sequence), 0)
        if rows:
            self.list.setCurrentIndex(self.model.index(row))
        self._show_chosen()

    def _chosen(self) -> AuditEntry | None:
        entry = self.list.currentIndex().data(Line.ITEM)
        return entry if isinstance(entry, AuditEntry) else None

    def _line(self) -> str:
        entry = self._chosen()
        return "" if entry is None else write_line(entry)

    def _show_chosen(self) -> None:
        entry = self._chosen()
        self._copy.setVisible(entry is not None)
        if entry is None:
            self._words.setText("No decision fits the filter." if self.model.total else "")
            return
        at = datetime.fromtimestamp(entry.at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        lines = (
            f"{entry.sequence}  {at}  {look_of_entry(entry).word} {words_of(entry)}",
            f"{entry.tool} of {entry.source or 'client'}, called by {entry.model or 'a model'} for {entry.agent}",
            f"arguments {entry.arguments_hash[:16]}…  chain {entry.previous[:8]}… → {entry.hash[:8]}…",
        )
        self._words.setText(reveal("\n".join(lines)))

    def _ask_older(self) -> None:
        if self.model.oldest is not None:
            self.older_requested.emit(self.model.oldest)
