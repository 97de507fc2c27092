"""The list of rules with a filter over it and the verbs on the chosen one under it. Changes nothing itself."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from callgate.core.rules.policy import Rule
from callgate.core.rules.rule_words import is_grant, rule_words
from callgate.engine.console.rule_service import SuspendedGrant
from callgate.ui.decision.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.decision.definition_box import DefinitionBox
from callgate.ui.settings.rule_model import RuleModel, RuleRow
from callgate.ui.settings.two_line import Line, TwoLineDelegate
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.empty_state import EmptyState


class SuspendedBox(QWidget):
    """A grant that no longer counts because its tool is defined otherwise now: what changed, and a way to accept
    that.

    Accepting is asked for on purpose: it is approving the tool again.
    """

    accepted = Signal(str, str)
    """The grant should count for the definition as it is now: rule id, fingerprint."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, arm_ms: int = ARM_MS) -> None:
        super().__init__(parent)
        self.setObjectName("suspendedBox")
        self._grant: SuspendedGrant | None = None
        self.definition = DefinitionBox(theme, unfolded=True)
        self._guard = ClickGuard(self, arm_ms)
        self.accept = GuardedButton("Accept the new definition", self._guard)
        self.accept.setObjectName("acceptDefinition")
        self.accept.setAccessibleName("Accept the new definition")
        self.accept.setToolTip("The grant counts again, for the tool as it is defined now")
        self.accept.setEnabled(self._guard.armed)
        self._guard.armed_changed.connect(self.accept.setEnabled)
        self.accept.clicked.connect(self._accept)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(
            plain_label("Until then every call of it asks. Remove the grant if you no longer want it.", "hint"), 1
        )
        row.addWidget(self.accept, 0, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, 0, M, 0)
        column.setSpacing(S)
        column.addWidget(self.definition)
        column.addLayout(row)
        self.hide()

    @property
    def grant(self) -> SuspendedGrant | None:
        return self._grant

    def show_grant(self, grant: SuspendedGrant | None) -> None:
        if grant != self._grant:
            self._grant = grant
            self.definition.show_change(None if grant is None else grant.change)
            self._guard.rearm()
        self.setVisible(grant is not None)

    def _accept(self) -> None:
        if self._grant is not None:
            self.accepted.emit(self._grant.rule.id, self._grant.change.fingerprint)


class RuleView(QListView):
    """Delete removes, Enter edits, J and K walk."""

    edit_wanted = Signal()
    remove_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit_wanted.emit()
        elif step is not None:
            index = self.model().index(self.currentIndex().row() + step, 0)
            if index.isValid():
                self.setCurrentIndex(index)
        else:
            super().keyPressEvent(event)


class RuleList(QWidget):
    edit_requested = Signal(Rule)
    remove_requested = Signal(Rule)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, arm_ms: int = ARM_MS) -> None:
        super().__init__(parent)
        self._theme = theme
        self._suspended: dict[str, SuspendedGrant] = {}
        self.suspended = SuspendedBox(theme, arm_ms=arm_ms)
        self.model = RuleModel(self)
        self._filter = _WordFilter(self)
        self._filter.setSourceModel(self.model)
        self.view = RuleView()
        self.view.setObjectName("ruleList")
        self.view.setAccessibleName("Rules")
        self.view.setModel(self._filter)
        self.view.setItemDelegate(TwoLineDelegate(theme, self.view))
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._words = plain_label("", "secondary", wrap=True, selectable=True)
        self._words.setObjectName("chosenRule")
        self._copy = CopyButton(theme, self._text, "the rule")
        self.edit = self._button("editRule", "Edit", self._edit)
        self.remove = self._button("removeRule", "Remove", self._remove)
        self.empty = EmptyState(
            theme, "rule", "No rules yet.", "Every call asks. “Always” on a card, or Add rule, makes one."
        )
        self._arrange()
        self.view.selectionModel().currentChanged.connect(lambda _now, _before: self._show_chosen())
        self.view.doubleClicked.connect(lambda _: self._edit())
        self.view.edit_wanted.connect(self._edit)
        self.view.remove_wanted.connect(self._remove)
        theme.changed.connect(self._draw)
        self._draw()
        self._show_chosen()

    def set_rows(self, rows: list[RuleRow]) -> None:
        self.model.set_rows(rows)
        if rows and not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self._filter.index(0, 0))
        self._stack.setCurrentIndex(1 if rows else 0)
        self._show_chosen()

    def set_suspended(self, grants: Sequence[SuspendedGrant]) -> None:
        """Those that do not count because of a changed definition."""
        self._suspended = {grant.rule.id: grant for grant in grants}
        self._show_chosen()

    def set_filter(self, text: str) -> None:
        self._filter.set_words(text)
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self._filter.index(0, 0))
        self._show_chosen()

    def set_editing(self, editing: bool) -> None:
        """While a rule is being written, the verbs on another one only take room."""
        self._foot.setVisible(not editing)
        self.suspended.setVisible(not editing and self.suspended.grant is not None)

    def choose(self, rule_id: str) -> None:
        index = self._filter.mapFromSource(self.model.index(self.model.row_of(rule_id)))
        if index.isValid():
            self.view.setCurrentIndex(index)

    @property
    def chosen(self) -> RuleRow | None:
        row = self.view.currentIndex().data(Line.ITEM)
        return row if isinstance(row, RuleRow) else None

    def _button(self, name: str, words: str, run: object) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.setIconSize(self._theme.icon_size)
        button.clicked.connect(run)
        return button

    def _arrange(self) -> None:
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(M, 0, M, 0)
        foot.setSpacing(S)
        foot.addWidget(self._words, 1)
        for widget in (self._copy, self.edit, self.remove):
            foot.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, M)
        column.setSpacing(S + XS)
        column.addWidget(self.view, 1)
        column.addWidget(self.suspended)
        column.addWidget(self._foot)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)

    def _draw(self) -> None:
        self.edit.setIcon(self._theme.icon("edit"))
        self.remove.setIcon(self._theme.icon("remove"))
        self.view.viewport().update()

    def _text(self) -> str:
        return str(self.chosen.rule) if self.chosen is not None else ""

    def _show_chosen(self) -> None:
        row = self.chosen
        self.suspended.show_grant(None if row is None else self._suspended.get(row.rule.id))
        for widget in (self._copy, self.edit, self.remove):
            widget.setVisible(row is not None)
        if row is None:
            hidden = bool(self.model.rowCount())
            self._words.setText("No rule has these words." if hidden else "")
            return
        ours = is_grant(row.rule)
        # written anew it would hold everywhere: what is limited to a conversation comes from a call of it
        self.edit.setVisible(ours and row.rule.within is None)
        self.remove.setVisible(ours)
        words = rule_words(row.rule)
        if not ours:
            words += ". It stands in the configuration file: change it there."
        elif row.state.reason:
            words += f". {row.state.reason[:1].upper()}{row.state.reason[1:]}."
        self._words.setText(reveal(words))

    def _edit(self) -> None:
        if self.chosen is not None and is_grant(self.chosen.rule) and self.chosen.rule.within is None:
            self.edit_requested.emit(self.chosen.rule)

    def _remove(self) -> None:
        if self.chosen is not None and is_grant(self.chosen.rule):
            self.remove_requested.emit(self.chosen.rule)


class _WordFilter(QSortFilterProxyModel):
    """All words must be found, in any order."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def set_words(self, text: str) -> None:
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        if not self._words:
            return True
        searched = str(self.sourceModel().index(row, 0, parent).data(Line.SEARCHED)).casefold()
        return all(word in searched for word in self._words)
