"""Messages spelled for a server. A request of another wire may hold what this one has no place for: results inside
user messages, pictures inside results, text between calls. Each is put where the provider takes it."""

import hashlib
from dataclasses import replace

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
from callgate.core.request import ChatRequest
from callgate.wire.dialects import Dialect
from callgate.wire.openai_chat.content import WIRE, ContentWriter
from callgate.wire.openai_chat.reasoning_details import proven_details
from callgate.wire.openai_chat.thought_signature import SIGNER, write_signature
from callgate.wire.result_notes import without_recordings

MAX_ID = 64
"""Longer call ids are refused by the provider."""
_SISTER = "openai-responses"
"""The same provider's other wire."""


def write_messages(request: ChatRequest, dialect: Dialect, warnings: list[str]) -> list[Json]:
    content = ContentWriter(request.wire == WIRE, dialect, same_files=request.wire == _SISTER)
    return _Writer(content, request.wire == WIRE, dialect, warnings).write(request.messages)


class _Writer:
    def __init__(self, content: ContentWriter, own: bool, dialect: Dialect, warnings: list[str]) -> None:
        self._content = content
        self._own = own
        self._dialect = dialect
        self._warnings = warnings
        self._out: list[Json] = []
        self._held: list[Part] = []
        """What must follow a run of tool messages, which have to be contiguous."""

    def write(self, messages: tuple[Message, ...]) -> list[Json]:
        for message in messages if self._own else _results_first(messages):
            if message.results:
                self._results(message)
                continue
            self._release()
            if message.role == "assistant":
                self._assistant(message)
            else:
                self._plain(message)
        self._release()
        if not self._out:
            self._out.append({"role": "user", "content": ""})  # an empty list is refused
        return self._out

    def _release(self) -> None:
        if self._held:
            self._out.append({"role": "user", "content": self._content.write(self._held)})
            self._held = []

    def _plain(self, message: Message) -> None:
        role = message.role
        if role == "developer" and not self._dialect.developer_role:
            role = "system"
        parts: list[Part] = list(message.parts)
        if role in ("system", "developer") and not self._own:
            # instructions have no pictures here: they are shown right behind them
            self._held = [part for part in parts if not isinstance(part, Text)]
            parts = [Text("\n\n".join(part.text for part in parts if isinstance(part, Text) and part.text))]
            if not message.text:
                return
        body: dict[str, Json] = {"role": role, "content": self._content.write(parts)}
        self._out.append(self._with_extras(body, message))

    def _results(self, message: Message) -> None:
        for part in message.parts:
            if not isinstance(part, ToolResult):
                self._held.append(part)
                continue
            part = _without_recordings(part)
            attachments = [item for item in part.parts if not isinstance(item, Text)]
            body: dict[str, Json] = {
                "role": "tool",
                "tool_call_id": call_id(part.call_id, self._own),
                "content": self._result_content(part, bool(attachments)),
            }
            if part.name and self._own:
                body["name"] = part.name
            if self._own:
                body.update(part.extras)
            self._out.append(body)
            if attachments:
                self._held += [Text(f"Attached to the result of {part.call_id}:"), *attachments]

    def _result_content(self, result: ToolResult, attached: bool) -> str | list[Json]:
        texts: list[Part] = [part for part in result.parts if isinstance(part, Text)]
        text = result.text
        if attached and not texts:
            text = "The result is attached to the next message."
        if result.is_error:
            return text if text.lower().startswith("error") else f"Error: {text or 'the tool failed.'}"
        if attached and not texts:
            return text
        if self._dialect.text_only_results or not self._own:
            return result.text
        return self._content.write(texts)

    def _assistant(self, message: Message) -> None:
        body: dict[str, Json] = {"role": "assistant", "content": self._assistant_content(message)}
        refusal = "".join([part.text for part in message.parts if isinstance(part, Refusal)])
        if refusal:
            body["refusal"] = refusal
        self._reason(message, body)
        calls: list[Json] = [self._call(part) for part in message.parts if isinstance(part, ToolCall)]
        if calls:
            body["tool_calls"] = calls
        self._out.append(self._with_extras(body, message))

    def _assistant_content(self, message: Message) -> Json:
        parts: list[Part] = []
        for part in message.parts:
            match part:
                case Text():
                    parts.append(part)
                case Opaque() if part.wire == WIRE:
                    parts.append(part)
                case Image() | File() | Opaque():
                    self._warnings.append(
                        f"an assistant's {part.kind} part was left out: OpenAI Chat has no place for it"
                    )
                case Refusal() | Reasoning() | ToolCall() | ToolResult():
                    pass
        if not parts:
            mute = bool(message.calls) or any(isinstance(part, Refusal) for part in message.parts)
            return None if mute and self._dialect.null_content else ""
        if self._own:
            return self._content.write(parts)
        return message.text

    def _reason(self, message: Message, body: dict[str, Json]) -> None:
        thoughts = [part for part in message.parts if isinstance(part, Reasoning) and not part.redacted]
        if thoughts and not self._dialect.takes_reasoning:
            self._warnings.append(f"messages: thinking left out, as {self._dialect.name} has no word for it")
            return
        details: list[Json] = []
        for thought in thoughts:
            if thought.wire != WIRE:
                continue
            if self._own:
                body.update(thought.extras)
            details.extend(proven_details(thought.signature))
        if details:
            body["reasoning_details"] = details
        if self._dialect.replay_reasoning:
            body.setdefault("reasoning_content", "".join(thought.text for thought in thoughts))

    def _call(self, call: ToolCall) -> Json:
        extras = dict(call.extras) if self._own else {}
        within = extras.pop(call.variant, None)
        spelled = "arguments" if call.variant == "function" else "input"
        arguments = call.arguments or ("{}" if call.variant == "function" else "")
        inner: dict[str, Json] = {"name": call.name, spelled: arguments}
        if isinstance(within, dict):
            inner.update(within)
        body: dict[str, Json] = {"id": call_id(call.id, self._own), "type": call.variant, call.variant: inner, **extras}
        if call.signature and call.wire == SIGNER and (self._own or self._dialect.thought_signatures):
            body["extra_content"] = write_signature(call.signature)
        return body

    def _with_extras(self, body: dict[str, Json], message: Message) -> dict[str, Json]:
        if message.name:
            body["name"] = message.name
        return {**body, **message.extras} if self._own else body


def _results_first(messages: tuple[Message, ...]) -> list[Message]:
    """Nothing may stand between calls and their results, where other wires let instructions stand."""
    ordered: list[Message] = []
    place = 0
    """Where the next result belongs."""
    for message in messages:
        if message.results:
            ordered.insert(place, message)
            place += 1
            continue
        ordered.append(message)
        if message.role == "assistant":
            place = len(ordered)
    return ordered


def _without_recordings(result: ToolResult) -> ToolResult:
    parts = tuple([without_recordings(part) for part in result.parts])
    return result if parts == result.parts else replace(result, parts=parts)


def call_id(given: str, own: bool) -> str:
    """An id that the provider takes; the same one for a call and for its result."""
    if own or len(given) <= MAX_ID:
        return given
    return f"call_{hashlib.sha256(given.encode('utf-8', 'replace')).hexdigest()[:24]}"
