"""How the tools are grouped, and whose switches are shown: two choices, and a line that says which scope is edited."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from callgate.engine.offer.tool_service import Access
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.tools.grouping import GROUPINGS, Grouping
from callgate.ui.widgets.choice_box import ChoiceBox

_EVERYONE = "All agents"


class ScopeBar(QWidget):
    grouping_chosen = Signal(str)
    """A `Grouping`."""
    scope_chosen = Signal(str)
    """An agent; empty = all agents."""
    reset_requested = Signal()
    """What was said for the chosen agent alone is to be taken back."""
    access_requested = Signal(object)
    """Whether the chosen agent gets tools at all: bool | None as `Access.unasked`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grouping = ChoiceBox(theme, "Group tools", GROUPINGS)
        self.grouping.setObjectName("toolGrouping")
        self.scope = ChoiceBox(theme, "Whose switches are shown", [(_EVERYONE, "")])
        self.scope.setObjectName("toolScope")
        self.scope.setToolTip("Boxes switch tools for all agents, or for the one that is chosen here")
        for box in (self.grouping, self.scope):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            box.setMinimumWidth(60)
        self._access: dict[str, Access] = {}
        self._words = plain_label(tone="small", wrap=True)
        self._words.setObjectName("toolScopeWords")
        self.access = ChoiceBox(
            theme,
            "When this agent gets tools",
            [("Where it asks", None), ("Always", True), ("Never", False)],
        )
        self.access.setObjectName("toolAccess")
        self.reset = QPushButton("Same as all")
        self.reset.setObjectName("toolScopeReset")
        self.reset.setProperty("kind", "quiet")
        self.reset.setToolTip("Takes back what was said for this agent alone")
        self.notice = self._build_notice()
        self._build()
        self.grouping.activated.connect(lambda _: self.grouping_chosen.emit(self.grouping.currentData()))
        self.scope.activated.connect(lambda _: self._choose(str(self.scope.currentData())))
        self.access.activated.connect(lambda _: self.access_requested.emit(self.access.currentData()))
        self.reset.clicked.connect(self.reset_requested)

    @property
    def agent(self) -> str:
        return str(self.scope.currentData() or "")

    def show_grouping(self, by: Grouping) -> None:
        self.grouping.choose(by)

    def set_agents(self, agents: Sequence[Access]) -> None:
        """Keeps the choice, if that agent is still known."""
        chosen = self.agent
        self._access = {access.agent: access for access in agents}
        wanted = [(_EVERYONE, ""), *((_label(access), access.agent) for access in agents)]
        held = [(self.scope.itemText(row), self.scope.itemData(row)) for row in range(self.scope.count())]
        if held != wanted:
            self.scope.clear()
            for words, value in wanted:
                self.scope.addItem(words, value)
        if not self.scope.choose(chosen):
            self.scope.reset()
            self.scope_chosen.emit("")
        self._say()

    def choose_agent(self, agent: str) -> None:
        if self.scope.choose(agent):
            self._choose(agent)

    def _choose(self, agent: str) -> None:
        self._say()
        self.scope_chosen.emit(agent)

    def _say(self) -> None:
        access = self._access.get(self.agent)
        self.notice.setVisible(access is not None)
        if access is None:
            return
        name = reveal(access.agent)
        never = f"Boxes are for {name} alone. It is never given any of these tools."
        self._words.setText(never if access.unasked is False else f"Boxes are for {name} alone.")
        self.access.choose(access.unasked)
        self.reset.setEnabled(access.has_own)

    def _build_notice(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("notice", True)
        column = QVBoxLayout(frame)
        column.setContentsMargins(S + XS, XS, S, XS)
        column.setSpacing(XS)
        column.addWidget(self._words)
        row = QHBoxLayout()
        row.setSpacing(XS)
        row.addWidget(plain_label("Gets tools", "hint"))
        row.addWidget(self.access)
        row.addStretch(1)
        row.addWidget(self.reset)
        column.addLayout(row)
        frame.hide()
        return frame

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(S, XS, S, 0)
        row.setSpacing(XS)
        row.addWidget(self.grouping, 1)
        row.addWidget(self.scope, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(row)
        column.addWidget(self.notice)


def _label(access: Access) -> str:
    return f"{reveal(access.agent)} •" if access.has_own else reveal(access.agent)
