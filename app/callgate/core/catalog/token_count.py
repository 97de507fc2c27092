"""What tokenizers have made of a tool's definition, beside what is only estimated. Pure values.

A family is a kind of model that shares a tokenizer. Three are always told of; others where a tokenizer is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.catalog.token_cost import FAMILIES, TokenCost

LABELS: Final = {"openai": "OpenAI", "openai-gpt4": "GPT-4", "anthropic": "Anthropic", "gemini": "Gemini"}


@dataclass(frozen=True, slots=True)
class Count:
    family: str
    tokens: int
    tokenizer: str
    """By which it was counted, as a person knows it."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """What one family of models reads."""

    label: str
    tokens: int
    tokenizer: str = ""
    """Empty = estimated."""

    @property
    def is_counted(self) -> bool:
        return bool(self.tokenizer)


@dataclass(frozen=True, slots=True)
class CostSheet:
    lines: tuple[CostLine, ...]
    """The three that are always told of first."""

    @property
    def typical(self) -> int:
        """One number, where there is room for one: the middle of the three."""
        return sorted(line.tokens for line in self.lines[: len(FAMILIES)])[1]

    @property
    def all_counted(self) -> bool:
        return all(line.is_counted for line in self.lines)

    @property
    def none_counted(self) -> bool:
        return not any(line.is_counted for line in self.lines)


def cost_sheet(estimated: TokenCost, counts: Sequence[Count] = ()) -> CostSheet:
    by_family = {count.family: count for count in counts}
    lines: list[CostLine] = []
    for family in FAMILIES:
        count = by_family.pop(family, None)
        if count is None:
            lines.append(CostLine(LABELS[family], estimated.of(family)))
        else:
            lines.append(CostLine(LABELS[family], count.tokens, count.tokenizer))
    for family, count in by_family.items():
        lines.append(CostLine(LABELS.get(family, family), count.tokens, count.tokenizer))
    return CostSheet(tuple(lines))
