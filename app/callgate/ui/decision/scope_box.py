"""How long a decision holds: a choice of scopes. Knows the words for them, not the rules behind."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QListView, QWidget

from callgate.core.calls.invocation import Scope
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.choice_box import ChoiceBox

WITHIN: Final[tuple[tuple[str, Scope], ...]] = (
    ("This turn", "turn"),
    ("This conversation", "conversation"),
)
LASTING: Final[tuple[tuple[str, Scope], ...]] = (
    ("This session", "session"),
    ("This workspace", "workspace"),
    ("Always", "always"),
)


_TIPS: Final = (
    "This call only",
    "Until the agent's next user message in this conversation; not for its sub-agents",
    "As long as this conversation is kept, until Callgate ends; not for the agent's sub-agents",
    "Until Callgate ends, in every conversation",
    "In this workspace, until the rule is removed",
    "Everywhere, until the rule is removed",
)
"""What each choice means, in the order of the choices."""


class ScopeBox(ChoiceBox):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Remember this decision", (("Just this once", "once"), *WITHIN, *LASTING), parent)
        for row, tip in enumerate(_TIPS):
            self.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)
        self.setObjectName("rememberScope")
        self.offer(True, grantable=True)

    @property
    def scope(self) -> Scope:
        return self.currentData()

    def show_turn(self, known: bool) -> None:
        """Whether the call belongs to a turn: calls over MCP do not."""
        view = self.view()
        row = self.findData("turn")
        if isinstance(view, QListView):
            view.setRowHidden(row, not known)
        model = self.model()
        if isinstance(model, QStandardItemModel):
            model.item(row).setEnabled(known)  # the arrow keys and the wheel pass over it too
        if not known and self.scope == "turn":
            self.reset()

    def offer(self, ready: bool, *, grantable: bool) -> None:
        """`grantable`: whether a rule could allow such a call at all."""
        self.setEnabled(ready and grantable)
        self.setToolTip(
            "How long the decision holds; the rule that will be saved is shown"
            if grantable
            else "No rule can allow a call like this one, so it is asked about every time"
        )
