"""Small signs in a row that wraps: what is declared, observed and unknown of a tool. Knows no calls."""

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from callgate.core.calls.tool_facts import FactKind, ToolFacts
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import ICON, XS, M, Theme
from callgate.ui.widgets.wrapping_row import WrappingRow

Weight = Literal["calm", "good", "mind", "danger"]


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing to know before deciding."""

    words: str
    weight: Weight
    icon: str
    """A key of `ICONS`."""
    tip: str = ""
    """How it is known."""


_DECLARED: Final = "Declared by the tool itself: Callgate has not checked it"
_OBSERVED: Final = "Observed by Callgate"
_UNKNOWN: Final = "Unknown: nothing tells before it runs"
_LOOKS: Final[dict[FactKind, tuple[Weight, str]]] = {
    "destructive": ("danger", "danger"),
    "read_only": ("calm", "read_only"),
    "changes": ("mind", "edit"),
    "not_destructive": ("mind", "edit"),
    "open_world": ("mind", "external"),
    "idempotent": ("calm", "retry"),
    "hosted": ("calm", "cloud"),
    "diff": ("good", "done"),
    "undo": ("good", "undo"),
    "undeclared": ("mind", "question"),
    "contradiction": ("mind", "question"),
    "in_agent": ("mind", "question"),
    "gone": ("danger", "warning"),
}
_COLORS: Final[dict[Weight, str]] = {
    "calm": "text2",
    "good": "completed",
    "mind": "waiting",
    "danger": "denied",
}
_TONES: Final[dict[Weight, str]] = {
    "calm": "secondary",
    "good": "secondary",
    "mind": "secondary",
    "danger": "danger",
}


def fact_hints(known: ToolFacts) -> tuple[Hint, ...]:
    """Without the wall, which has a line of its own where a call is decided."""
    kinds = ((known.declared, _DECLARED), (known.observed, _OBSERVED), (known.unknown, _UNKNOWN))
    return tuple(
        Hint(reveal(fact.words), *_LOOKS[fact.kind], tip)
        for facts, tip in kinds
        for fact in facts
        if fact.kind != "wall"
    )


class HintRow(WrappingRow):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(M, parent)
        self._theme = theme
        self._hints: tuple[Hint, ...] = ()
        theme.changed.connect(self._draw)

    def show_hints(self, hints: tuple[Hint, ...]) -> None:
        if hints != self._hints:
            self._hints = hints
            self._draw()
        self.setVisible(bool(hints))

    def _draw(self) -> None:
        self.clear()
        for hint in self._hints:
            self.add(self._sign(hint))

    def _sign(self, hint: Hint) -> QWidget:
        sign = QWidget()
        row = QHBoxLayout(sign)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        icon = QLabel()
        icon.setPixmap(self._theme.icon(hint.icon, _COLORS[hint.weight]).pixmap(ICON, ICON))
        row.addWidget(icon)
        words = plain_label(hint.words, _TONES[hint.weight])
        words.setAccessibleDescription(hint.tip)
        for part in (sign, icon, words):
            set_plain_tip(part, hint.tip)
        row.addWidget(words)
        return sign
