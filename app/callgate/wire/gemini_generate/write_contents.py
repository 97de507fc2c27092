"""Messages → `contents`.

User and model take turns, responses stand together before anything else that is said, in the order of their calls, and
nothing stands between the two. A history of the same wire keeps its parts; a foreign one leaves behind what only its
own provider can read.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import assert_never

from callgate.core.errors import Unspeakable
from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.wire.call_ids import NO_ID
from callgate.wire.gemini_generate.media import write_media
from callgate.wire.gemini_generate.parts import SIGNATURE, write_call, write_response, write_thought
from callgate.wire.gemini_generate.signatures import SKIP, WIRE
from callgate.wire.gemini_generate.traits import ModelTraits

Spelled = dict[str, Json]
_CALL, _RESPONSE = "functionCall", "functionResponse"


class Content:
    __slots__ = ("extras", "head", "role", "tail")

    def __init__(self, role: str, *said: Spelled) -> None:
        self.role = role
        self.head: list[Spelled] = []
        """What comes first: the model's words before its calls, or responses."""
        self.tail: list[Spelled] = list(said)
        self.extras: Spelled = {}

    @property
    def parts(self) -> list[Spelled]:
        return self.head + self.tail

    def spelled(self) -> Spelled:
        parts: list[Json] = [*self.head, *self.tail]
        return {"role": self.role, "parts": parts, **self.extras}


class ContentWriter:
    def __init__(self, same: bool, traits: ModelTraits, warnings: list[str]) -> None:
        self._same = same
        self._traits = traits
        self._warnings = warnings
        self._contents: list[Content] = []
        self._step: list[ToolCall] = []
        """Calls that the model has just made."""
        self._results: defaultdict[str, deque[ToolResult]] = defaultdict(deque)
        """By the call they answer. Servers that repeat an id mean the calls in order."""

    def write(self, messages: Sequence[Message]) -> list[Content]:
        for message in messages:
            for result in message.results:
                self._results[result.call_id].append(result)
        for message in messages:
            if message.role == "assistant":
                self._model(message)
            else:
                self._user(message)
        self._answer_step()
        for orphan in self._results.values():
            if orphan:
                raise Unspeakable(f"the result for {orphan[0].call_id!r} answers no call", "messages")
        contents = _alternating(self._contents)
        if self._traits.signatures:
            _sign_current_turn(contents)
        return contents

    def _content(self, role: str) -> Content:
        if not self._contents or self._contents[-1].role != role:
            self._contents.append(Content(role))
        return self._contents[-1]

    def _model(self, message: Message) -> None:
        content = self._content("model")
        self._keep_extras(content, message)
        for part in message.parts:
            if isinstance(part, ToolCall):
                content.tail.append(self._call(part))
            elif (spelled := self._spoken(part)) is not None:
                # only a foreign history is put in order; the provider's own order is part of what it signed
                (content.tail if self._same else content.head).append(spelled)

    def _call(self, call: ToolCall) -> Spelled:
        self._step.append(call)
        signature = call.signature if call.wire == WIRE else ""
        spelled = write_call(call, self._id(call), signature, self._same)
        spelled.pop(NO_ID, None)
        return spelled

    def _id(self, call: ToolCall) -> str:
        return call.id if self._traits.call_ids and not (self._same and NO_ID in call.extras) else ""

    def _user(self, message: Message) -> None:
        """What is said to the model: responses, the user's words, and instructions in mid-conversation."""
        self._answer_step()
        content = self._content("user")
        self._keep_extras(content, message)
        for part in message.parts:
            if not isinstance(part, ToolResult) and (spelled := self._said(part)) is not None:
                content.tail.append(spelled)

    def _answer_step(self) -> None:
        """All responses to the model's last calls into one content, in the order of the calls; loose media after."""
        media: list[Spelled] = []
        for call in self._step:
            if not self._results[call.id]:
                continue
            result = self._results[call.id].popleft()
            response, *loose = write_response(
                result, self._id(call), call.name, self._same, self._traits.media_in_results
            )
            self._content("user").head.append(response)
            media += loose
        if media:
            self._content("user").head += media
        self._step = []

    def _keep_extras(self, content: Content, message: Message) -> None:
        if self._same and message.extras:
            content.extras.update(message.extras)

    def _spoken(self, part: Part) -> Spelled | None:
        """A part of the model's own."""
        match part:
            case Reasoning():
                return self._thought(part)
            case Image() | File() if not self._same:
                self._warnings.append(f"messages: {part.kind} in an assistant message left out")
                return None
            case _:
                return self._said(part)

    def _thought(self, part: Reasoning) -> Spelled | None:
        """Another model's thinking would be taken for this one's own, so it is not sent."""
        signature = part.signature if part.wire == WIRE else ""
        if part.redacted or not (signature or self._same):
            return None
        return write_thought(part, signature, self._same)

    def _said(self, part: Part) -> Spelled | None:
        match part:
            case Text():
                return self._text(part)
            case Refusal():
                return {"text": part.text} if part.text else None
            case Image() | File():
                return write_media(part, self._same)
            case Opaque():
                return self._opaque(part)
            case Reasoning() | ToolCall() | ToolResult():
                self._warnings.append(f"messages: a {part.kind} on the wrong side left out")
                return None
            case _:
                assert_never(part)

    def _text(self, part: Text) -> Spelled | None:
        if self._same:
            return {"text": part.text, **part.extras}
        # this provider's answer to a foreign client, which goes back within the same exchange
        signature = part.extras.get(SIGNATURE)
        if signature:
            return {"text": part.text, SIGNATURE: signature}
        return {"text": part.text} if part.text else None

    def _opaque(self, part: Opaque) -> Spelled | None:
        if part.wire == WIRE and isinstance(part.value, dict):
            return part.value
        kind = part.value.get("type") if isinstance(part.value, dict) else None
        self._warnings.append(f"messages: {kind or 'a part'} of {part.wire} left out")
        return None


def _alternating(contents: list[Content]) -> list[Content]:
    """Without empty ones, and without two of one side in a row."""
    turns: list[Content] = []
    for content in contents:
        if not content.head and not content.tail:
            continue
        if turns and turns[-1].role == content.role:
            last = turns[-1]
            last.head += content.head
            last.tail += content.tail
            last.extras |= content.extras
        else:
            turns.append(content)
    return turns


def _sign_current_turn(contents: list[Content]) -> None:
    """Since the user last spoke, the first call of every step must be signed, if only with the agreed stand-in."""
    begin = max((place for place, content in enumerate(contents) if _is_prompt(content)), default=-1)
    for content in contents[begin + 1 :]:
        first = next((part for part in content.parts if _CALL in part), None)
        if first is not None and not first.get(SIGNATURE):
            first[SIGNATURE] = SKIP


def _is_prompt(content: Content) -> bool:
    return content.role == "user" and not any(_RESPONSE in part for part in content.parts)
