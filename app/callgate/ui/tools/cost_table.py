"""What a definition costs, a line for each family of models: how many tokens, and whether that was counted."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from callgate.core.catalog.token_count import LABELS, CostLine, CostSheet
from callgate.ui.text.format import count
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import S

_FORMS: Final = {
    LABELS["openai"]: "Its definition as the TypeScript that these models are shown",
    LABELS["openai-gpt4"]: "Its definition as the TypeScript that these models are shown",
}
_BETWEEN: Final = 2
_JSON_FORM: Final = "Its definition as JSON; the service may spell it another way"
HOW_TO_COUNT: Final = (
    "It is counted where a tokenizer is on this machine: tiktoken with its tables, or a tokenizer.json\n"
    "that is named under [tokenizers] in callgate.toml. Nothing is downloaded."
)


class CostTable(QWidget):
    def __init__(self, sheet: CostSheet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolCostTable")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S)
        grid.setVerticalSpacing(_BETWEEN)
        grid.setColumnStretch(2, 1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, line in enumerate(sheet.lines):
            grid.addWidget(plain_label(reveal(line.label), "small"), row, 0)
            number = plain_label(count(line.tokens) if line.is_counted else f"~{count(line.tokens)}", "small")
            grid.addWidget(number, row, 1, right)
            grid.addWidget(_how(line), row, 2)

    @property
    def words(self) -> str:
        """All of it, as text."""
        labels = [child for child in self.children() if isinstance(child, QLabel)]
        return " ".join(label.text() for label in labels)


def problem_words(problems: Mapping[str, str]) -> tuple[str, ...]:
    """Why tokenizers that are named are not counted with."""
    return tuple(f"{LABELS.get(family, family)}: {reveal(why)}" for family, why in problems.items())


def _how(line: CostLine) -> QLabel:
    if not line.is_counted:
        label = plain_label("estimated", "hint")
        set_plain_tip(label, HOW_TO_COUNT)
        return label
    label = plain_label(f"counted, {reveal(line.tokenizer)}", "hint", selectable=True)
    set_plain_tip(label, _FORMS.get(line.label, _JSON_FORM))
    return label
