"""How long a decision holds: a choice of scopes. Knows the words for them, not the rules behind."""

from typing import Final

from PySide6.QtWidgets import QWidget

from callgate.core.invocation import Scope
from callgate.ui.choice_box import ChoiceBox
from callgate.ui.theme import Theme

LASTING: Final[tuple[tuple[str, Scope], ...]] = (
    ("This session", "session"),
    ("This workspace", "workspace"),
    ("Always", "always"),
)


class ScopeBox(ChoiceBox):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Remember this decision", (("Just this once", "once"), *LASTING), parent)
        self.setObjectName("rememberScope")
        self.offer(True, grantable=True)

    @property
    def scope(self) -> Scope:
        return self.currentData()

    def offer(self, ready: bool, *, grantable: bool) -> None:
        """`grantable`: whether a rule could allow such a call at all."""
        self.setEnabled(ready and grantable)
        self.setToolTip(
            "How long the decision holds; the rule that will be saved is shown"
            if grantable
            else "No rule can allow a call like this one, so it is asked about every time"
        )
