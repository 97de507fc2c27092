"""What every agent is sent to do: look into a file for a word that only the file knows, and say that it is done.

The model's part is played by the services; here is only what is said and done, in no wire's spelling.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROMPT = "Look into notes.txt and tell me the secret word."
OPENING = "Ich sehe nach – einen Moment … 🌍"
ASIDE = '{"title": "An errand", "isNewTopic": false}'
"""What requests without the errand's tool get: titles, summaries, routing."""


@dataclass(frozen=True)
class Call:
    """A tool of the agent's own, as the model calls it."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    """Of a custom tool of the Responses wire: what it is given in place of arguments."""
    namespace: str = ""
    """Of the Responses wire."""

    @property
    def names(self) -> tuple[str, ...]:
        """Under which it may be offered: its own, or, where a wire has no namespaces, one that has it within."""
        return (self.tool, f"{self.namespace}__{self.tool}") if self.namespace else (self.tool,)


@dataclass(frozen=True)
class Errand:
    """Steps of calls, then the final words."""

    steps: list[list[Call]]
    final: str = field(default_factory=lambda: f"Erledigt ✅ {secrets.token_hex(6)}")

    def after(self, results: int) -> list[Call]:
        """The calls that follow when so many results are there; none: it is done."""
        for step in self.steps:
            if results < len(step):
                return step
            results -= len(step)
        return []


@dataclass(frozen=True)
class Place:
    """Where an agent runs: a fresh home, a fresh workspace, the address that it is told, the model that it asks for."""

    home: Path
    workspace: Path
    address: str
    model: str
    words: tuple[str, str, str] = field(default_factory=lambda: (_word(), _word(), _word()))
    prompt: str = PROMPT
    servers: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """MCP servers that it is to use: the command of each, by its name."""

    @property
    def files(self) -> list[Path]:
        """One for each word."""
        return [self.workspace / name for name in ("notes.txt", "more.txt", "most.txt")]

    def furnish(self) -> None:
        self.home.mkdir()
        self.workspace.mkdir()
        for path, word in zip(self.files, self.words, strict=True):
            path.write_text(f"The secret word is {word}.\n", "utf-8")


def _word() -> str:
    return f"wort-{secrets.token_hex(6)}"
