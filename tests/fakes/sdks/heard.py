"""What an application gets out of an official package, told alike for all of them."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Called:
    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Tokens:
    """As OpenAI counts: input with what was cached, output with the reasoning; None = the wire does not say."""

    input: int
    cached: int
    output: int
    reasoning: int | None


@dataclass(frozen=True)
class Heard:
    id: str
    text: str
    thinking: str
    calls: tuple[Called, ...]
    finish: str
    tokens: Tokens


class ReplyFailed(Exception):
    """The package raises nothing: the application reads the failure in the last event of the stream."""


class Agent(Protocol):
    """A conversation that an application holds through one package, resending its history as that package has it."""

    finishes: tuple[str, str]
    """The wire's words for a reply that calls tools, and for one that ends."""
    reply_prefix: str

    def say(self, text: str) -> Heard: ...

    def give(self, results: dict[str, str]) -> Heard:
        """Sends the results of calls, by call id."""
        ...

    def turn_to(self, model: str) -> None:
        """Goes on with another model."""
        ...

    def forget(self) -> None:
        """Begins a new conversation."""
        ...

    def close(self) -> None: ...
