"""What every export has: a format, options, and a writer that takes one conversation after another. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from callgate.core.request import WireName
from callgate.core.secrets.redaction import RedactionChoice
from callgate.core.wire_traits import WireTraits
from callgate.export.record import ConversationRecord

Format = Literal["jsonl", "html", "markdown", "har", "otlp"]


@dataclass(frozen=True, slots=True)
class FormatLook:
    title: str
    suffix: str
    hint: str
    needs_wire: bool = False
    """Made of captured bytes."""
    holds_messages: bool = False
    """Whether what calls caused at MCP servers is in it."""


FORMATS: Final[dict[Format, FormatLook]] = {
    "jsonl": FormatLook(
        "Callgate", ".callgate.jsonl", "Everything that happened; opens again in Callgate.", holds_messages=True
    ),
    "html": FormatLook(
        "HTML page", ".html", "One file to read or send; opens anywhere, loads nothing.", holds_messages=True
    ),
    "markdown": FormatLook("Markdown", ".md", "The conversation as text, for an issue or a note."),
    "har": FormatLook("HAR 1.2", ".har", "The HTTP traffic, for network debuggers.", needs_wire=True),
    "otlp": FormatLook(
        "OpenTelemetry", ".otlp.json", "A trace with GenAI attributes (OTLP/JSON).", holds_messages=True
    ),
}


@dataclass(frozen=True, slots=True)
class ExportOptions:
    redaction: RedactionChoice = RedactionChoice()
    bodies: bool = True
    """HAR and OpenTelemetry: what was said, not only when and how much."""
    wire: bool = True
    """Callgate's own format: the captured bytes too."""


@dataclass(frozen=True, slots=True)
class ExportAbout:
    """What a file says about itself."""

    version: str
    """Of the program."""
    at: float
    redacted: bool
    wires: Mapping[WireName, WireTraits]


class ExportWriter(Protocol):
    """Pieces of text that make a file: `begin`, then `conversation` for each, then `end`."""

    def begin(self) -> str: ...

    def conversation(self, record: ConversationRecord) -> str: ...

    def end(self) -> str: ...


def file_name(title: str, form: Format) -> str:
    """A name that every file system takes."""
    kept = "".join(character if character.isalnum() or character in " -_." else " " for character in title)
    short = " ".join(kept.split())[:60].strip(". ") or "conversation"
    return short + FORMATS[form].suffix
