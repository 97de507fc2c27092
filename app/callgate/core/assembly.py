"""Folding deltas into a whole reply: the one place that knows how, for every wire and for the window."""

from dataclasses import dataclass, field, replace
from typing import assert_never

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.messages import (
    Citation,
    Extras,
    FinishReason,
    Message,
    Part,
    Reasoning,
    Refusal,
    Text,
    TokenLogprob,
    ToolCall,
    Usage,
)
from callgate.core.request import ChatResponse, Choice


class _Growing:
    """A part in the making; its text is a list so that a long stream stays linear."""

    __slots__ = ("citations", "fragments", "part", "tokens")

    def __init__(self, part: Part) -> None:
        self.part = part
        self.fragments: list[str] = []
        self.citations: list[Citation] = []
        self.tokens: list[TokenLogprob] = []

    def whole(self) -> Part:
        text = "".join(self.fragments)
        match self.part:
            case Text() if self.citations or self.tokens:
                return replace(
                    self.part,
                    text=self.part.text + text,
                    citations=(*self.part.citations, *self.citations),
                    tokens=(*self.part.tokens, *self.tokens),
                )
            case Text() | Refusal() | Reasoning():
                return replace(self.part, text=self.part.text + text)
            case ToolCall():
                return replace(self.part, arguments=self.part.arguments + text)
            case _:
                return self.part


@dataclass(slots=True)
class _ChoiceInMaking:
    parts: dict[int, _Growing] = field(default_factory=dict[int, _Growing])
    finish: FinishReason | None = None
    detail: str = ""


class Assembly:
    """Takes deltas with `add`; `response` may be asked at any time, also of an unfinished stream."""

    def __init__(self) -> None:
        self.id = ""
        self.model = ""
        self.created = 0
        self.usage: Usage | None = None
        self.fault: Fault | None = None
        self._choices: dict[int, _ChoiceInMaking] = {}

    def add(self, delta: Delta) -> None:
        match delta:
            case Started():
                self.id, self.model, self.created = delta.id, delta.model, delta.created
            case UsageReported():
                self.usage = delta.usage
            case Failed():
                self.fault = delta.fault
            case TextDelta():
                self._part(delta.choice, delta.part, Text("")).fragments.append(delta.text)
            case Cited():
                self._part(delta.choice, delta.part, Text("")).citations.append(delta.citation)
            case TokensWeighed():
                self._part(delta.choice, delta.part, Text("")).tokens.extend(delta.tokens)
            case RefusalDelta():
                self._part(delta.choice, delta.part, Refusal("")).fragments.append(delta.text)
            case ReasoningDelta():
                self._part(delta.choice, delta.part, Reasoning(id=delta.id)).fragments.append(delta.text)
            case ReasoningSigned():
                self._sign(delta)
            case CallStarted():
                self._part(delta.choice, delta.part, _opened(delta))
            case ArgumentsDelta():
                self._part(delta.choice, delta.part, ToolCall("", "", "")).fragments.append(delta.text)
            case CallEnded():
                self._close(delta)
            case PartArrived():
                self._part(delta.choice, delta.part, delta.value)
            case Finished():
                choice = self._choice(delta.choice)
                choice.finish, choice.detail = delta.reason, delta.detail
            case _:
                assert_never(delta)

    def message(self, choice: int = 0) -> Message:
        """What the assistant has said so far."""
        parts = self._choice(choice).parts
        return Message("assistant", tuple(parts[index].whole() for index in sorted(parts)))

    def finish(self, choice: int = 0) -> FinishReason | None:
        return self._choice(choice).finish

    @property
    def response(self) -> ChatResponse:
        indexes = sorted(self._choices) or [0]
        choices = tuple(
            Choice(self.message(index), self._choice(index).finish or "stop", self._choice(index).detail)
            for index in indexes
        )
        return ChatResponse(self.id, self.model, choices, self.usage, self.created)

    def _choice(self, index: int) -> _ChoiceInMaking:
        return self._choices.setdefault(index, _ChoiceInMaking())

    def _part(self, choice: int, index: int, fresh: Part) -> _Growing:
        return self._choice(choice).parts.setdefault(index, _Growing(fresh))

    def _sign(self, delta: ReasoningSigned) -> None:
        growing = self._part(delta.choice, delta.part, Reasoning(id=delta.id))
        if isinstance(growing.part, Reasoning):
            growing.part = replace(
                growing.part, signature=delta.signature, wire=delta.wire, id=delta.id or growing.part.id
            )

    def _close(self, delta: CallEnded) -> None:
        growing = self._part(delta.choice, delta.part, ToolCall("", "", ""))
        if isinstance(growing.part, ToolCall):
            growing.part = replace(
                growing.part,
                arguments=delta.arguments,
                signature=delta.signature,
                wire=delta.wire,
                extras=delta.extras or growing.part.extras,
            )
            growing.fragments.clear()


def _opened(delta: CallStarted) -> ToolCall:
    return ToolCall(
        delta.id,
        delta.name,
        "",
        variant=delta.variant,
        namespace=delta.namespace,
        item_id=delta.item_id,
    )


def assemble(deltas: "list[Delta] | tuple[Delta, ...]") -> ChatResponse:
    """The whole reply that these deltas spell."""
    assembly = Assembly()
    for delta in deltas:
        assembly.add(delta)
    return assembly.response


def disassemble(response: ChatResponse) -> list[Delta]:
    """The deltas of a whole reply, so that plain and streamed answers take the same path."""
    deltas: list[Delta] = [Started(response.id, response.model, response.created)]
    for number, choice in enumerate(response.choices):
        for index, part in enumerate(choice.message.parts):
            deltas.extend(_spread(part, index, number))
        deltas.append(Finished(choice.finish, choice.detail, choice=number))
    if response.usage is not None:
        deltas.append(UsageReported(response.usage))
    return deltas


def _spread(part: Part, index: int, choice: int) -> list[Delta]:
    match part:
        case Text():
            bare = replace(part, citations=(), tokens=())
            spread: list[Delta] = [
                PartArrived(index, bare, choice) if part.extras else TextDelta(index, part.text, choice)
            ]
            spread += [Cited(index, citation, choice) for citation in part.citations]
            return [*spread, TokensWeighed(index, part.tokens, choice)] if part.tokens else spread
        case Refusal():
            return [PartArrived(index, part, choice) if part.extras else RefusalDelta(index, part.text, choice)]
        case Reasoning() if not part.redacted:
            deltas: list[Delta] = [ReasoningDelta(index, part.text, part.id, choice)]
            if part.signature:
                deltas.append(ReasoningSigned(index, part.signature, part.wire, part.id, choice))
            return deltas
        case ToolCall():
            extras: Extras = part.extras if part.variant == "built_in" else {}
            return [
                CallStarted(index, part.id, part.name, part.variant, part.namespace, part.item_id, choice),
                ArgumentsDelta(index, part.arguments, choice),
                CallEnded(index, part.arguments, part.signature, part.wire, choice, extras),
            ]
        case _:
            return [PartArrived(index, part, choice)]
