"""How often and how long a rule holds, as two choices. Knows numbers and times, no rules."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from callgate.core.rules.rule_words import span_words
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_USES: Final = (("any number of times", None), ("once", 1), ("5 times", 5), ("20 times", 20))
_SPANS: Final = (
    ("with no end", None),
    ("for 15 minutes", 900.0),
    ("for 1 hour", 3600.0),
    ("for 1 day", 86400.0),
    ("for 30 days", 30 * 86400.0),
)


class RuleLimits(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, now: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self._now = now
        self._kept_end: float | None = None
        """The end of a rule that is being edited: stays unless another is chosen."""
        self.uses_box = ChoiceBox(theme, "How often the rule may be used", _USES)
        self.uses_box.setObjectName("ruleUses")
        self.end_box = ChoiceBox(theme, "How long the rule holds", _SPANS)
        self.end_box.setObjectName("ruleEnd")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self.uses_box)
        row.addWidget(self.end_box)
        self.uses_box.currentIndexChanged.connect(self.changed)
        self.end_box.currentIndexChanged.connect(self.changed)

    @property
    def uses(self) -> int | None:
        return self.uses_box.currentData()

    @property
    def expires(self) -> float | None:
        """Counted from the moment of asking."""
        chosen = self.end_box.currentData()
        if isinstance(chosen, str):
            return self._kept_end
        return None if chosen is None else self._now() + chosen

    def show_limits(self, uses: int | None, expires: float | None) -> None:
        """Those that a rule has; what is no choice of ours becomes one."""
        self._forget_kept()
        if not self.uses_box.choose(uses):
            self.uses_box.addItem(f"{uses} times", uses)
            self.uses_box.choose(uses)
        self.end_box.reset()
        if expires is not None:
            self._kept_end = expires
            self.end_box.addItem(f"for {span_words(expires - self._now())} more", "kept")
            self.end_box.choose("kept")

    def reset(self) -> None:
        self.show_limits(None, None)

    def _forget_kept(self) -> None:
        while self.end_box.count() > len(_SPANS):
            self.end_box.removeItem(len(_SPANS))
        while self.uses_box.count() > len(_USES):
            self.uses_box.removeItem(len(_USES))
        self._kept_end = None
