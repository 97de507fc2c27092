"""The messages of a request as a target can hold them: names, ids, free-form calls, proofs, one wire's own things."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from callgate.core.errors import BadRequest, Unspeakable
from callgate.core.messages import File, Image, Message, Opaque, Part, Reasoning, Refusal, Text, ToolCall, ToolResult
from callgate.core.request import WireName
from callgate.wire.openai_responses.items import built_in_type, is_reference
from callgate.wire.openai_responses.marks import ITEM
from callgate.wire.openai_responses.marks import WIRE as RESPONSES
from callgate.wire.signature_envelope import is_sealed
from callgate.wire.translate.free_text import wrap
from callgate.wire.translate.names import ToolNames
from callgate.wire.translate.signatures import Signatures
from callgate.wire.translate.tool_changes import is_tool_change

_REASONING_ID = "rs_"
_SAID_ALIKE = frozenset({"text", "refusal", "image", "file"})
"""Parts that no target needs otherwise: most of a long history."""


class CallIds:
    """Ids of calls made distinct, each result with its call's. Some servers use the same ids in every round."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._waiting: dict[str, tuple[int, list[ToolCall]]] = {}
        """Calls without a result by their given id, and the turn that made them: an older turn's never get one."""
        self._turn = 0

    def new_turn(self) -> None:
        self._turn += 1

    def call(self, call: ToolCall) -> ToolCall:
        fresh, count = call.id, 1
        while fresh in self._used:
            count += 1
            fresh = f"{call.id}_d{count}"
        self._used.add(fresh)
        distinct = call if fresh == call.id else replace(call, id=fresh)
        turn, waiting = self._waiting.get(call.id, (self._turn, []))
        self._waiting[call.id] = (self._turn, [*waiting, distinct] if turn == self._turn else [distinct])
        return distinct

    def knows(self, call_id: str) -> bool:
        return call_id in self._waiting

    def answered(self, result: ToolResult) -> ToolCall | None:
        """The oldest call that this may be the result of."""
        _, waiting = self._waiting.get(result.call_id, (0, []))
        return waiting.pop(0) if waiting else None


class HistoryTranslation:
    """One request's. Dropped parts are named in `warnings`; raises `BadRequest` where dropping is too much."""

    def __init__(
        self, target: WireName, names: ToolNames, proofs: Signatures, warnings: list[str], *, free_text: bool
    ) -> None:
        self._target: WireName = target
        self._names = names
        self._proofs = proofs
        self._warnings = warnings
        self._free_text = free_text
        self._ids = CallIds()
        self._left_out: set[str] = set()
        """Calls that the target has no word for, by id: their results have none either."""

    def lower(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        count = len(messages)
        last_turn = next((at for at in range(count - 1, -1, -1) if messages[at].role == "assistant"), -1)
        lowered: list[Message] = []
        for at, message in enumerate(messages):
            if message.role == "assistant":
                self._ids.new_turn()
            kinds = {part.kind for part in message.parts}
            if kinds <= _SAID_ALIKE:
                lowered.append(message)  # also one that is empty, which is each codec's own affair
                continue
            whole = _joined_thoughts(message.parts) if "reasoning" in kinds else message.parts
            lowered_parts = [self._part(part, message, is_new=at > last_turn) for part in whole]
            parts = [part for part in lowered_parts if part is not None]
            if parts:
                lowered.append(message.with_parts(parts))
        return tuple(lowered)

    def _part(self, part: Part, message: Message, *, is_new: bool) -> Part | None:
        match part:
            case Text() | Refusal() | Image() | File():
                return part
            case Reasoning():
                return self._proofs.reasoning(part)
            case ToolCall():
                return self._call(part)
            case ToolResult():
                return self._result(part)
            case Opaque():
                return self._opaque(part, message, is_new=is_new)
            case _:
                assert_never(part)

    def _call(self, call: ToolCall) -> ToolCall | None:
        if call.variant == "built_in":
            return self._built_in(call)
        key = (call.namespace, call.name)
        namespace, name = told = self._names.lower(key)
        lowered = self._proofs.call(call)
        if told != key:
            lowered = replace(lowered, namespace=namespace, name=name)
        if call.variant == "custom" and not self._free_text:
            lowered = replace(lowered, arguments=wrap(call.arguments), variant="function")
        distinct = self._ids.call(lowered)
        # Anthropic's codec makes ids distinct itself, as it must change their spelling too
        return lowered if self._target == "anthropic" else distinct

    def _built_in(self, call: ToolCall) -> ToolCall | None:
        """A call of a tool that only one wire has, by whatever name others know something of the kind."""
        if self._target == RESPONSES:
            return self._ids.call(call)
        self._left_out.add(call.id)
        self._warnings.append(f"history: {built_in_type(call.name)} exists only in {RESPONSES}; left out")
        return None

    def _result(self, result: ToolResult) -> ToolResult | None:
        if self._target != RESPONSES and (result.variant == "built_in" or result.call_id in self._left_out):
            self._warnings.append(
                f"history: the output of {result.name or 'a built-in tool'} exists only in {RESPONSES}; left out"
            )
            return None
        call = self._ids.answered(result)
        if call is not None and "built_in" in (call.variant, result.variant):
            return replace(result, call_id=call.id)
        if call is None and self._ids.knows(result.call_id):
            # OpenAI Chat bears a second result, all others refuse it
            self._warnings.append(f"history: a second result for {result.call_id} was left out")
            return None
        if call is None:
            name = self._names.lower(("", result.name))[1] if result.name else ""
            return replace(result, name=name, variant=result.variant if self._free_text else "function")
        call_id = result.call_id if self._target == "anthropic" else call.id
        return result.answering(call_id, call.name, call.variant)

    def _opaque(self, part: Opaque, message: Message, *, is_new: bool) -> Opaque | None:
        if part.wire == self._target:
            return part
        if is_tool_change(part):
            return None  # said by what is offered
        value = part.value if isinstance(part.value, dict) else {}
        if part.wire == RESPONSES and is_reference(part):
            named = value.get("id")
            if isinstance(named, str) and named.startswith(_REASONING_ID):
                return None  # only its provider could read that reasoning
            raise BadRequest(f"Item with id '{named}' not found.", "input")
        kind = str(value.get("type") or next(iter(value), "a part"))
        if is_new and message.role == "user" and message.extras.get(ITEM) is not True:
            raise Unspeakable(f"What is asked holds '{kind}', which only {part.wire} can say.", "messages")
        self._warnings.append(f"history: {kind} exists only in {part.wire}; left out")
        return None


def _joined_thoughts(parts: Sequence[Part]) -> Iterator[Part]:
    """Clients of Gemini that were streamed to send thinking back piece by piece; only the last has the proof of all."""
    pieces: list[Reasoning] = []
    for part in parts:
        if isinstance(part, Reasoning) and not part.signature and not part.redacted:
            pieces.append(part)
            continue
        if isinstance(part, Reasoning) and pieces and is_sealed(part.signature):
            part = replace(part, text="".join(piece.text for piece in (*pieces, part)))
            pieces = []
        yield from pieces
        pieces = []
        yield part
    yield from pieces
