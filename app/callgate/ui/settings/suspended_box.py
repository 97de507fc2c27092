"""A grant that no longer counts because its tool is defined otherwise now: what changed, and a way to accept that.

Accepting is asked for on purpose: it is approving the tool again.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from callgate.engine.rule_desk import SuspendedGrant
from callgate.ui.click_guard import ARM_MS, ClickGuard, GuardedButton
from callgate.ui.definition_box import DefinitionBox
from callgate.ui.plain_text import plain_label
from callgate.ui.theme import M, S, Theme


class SuspendedBox(QWidget):
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
