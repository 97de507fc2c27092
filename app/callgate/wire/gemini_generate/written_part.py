"""A neutral part of a reply as a client of this wire is shown it; streamed and whole replies alike."""

from typing import assert_never

from callgate.core.messages import File, Image, Json, Opaque, Part, Reasoning, Refusal, Text, ToolCall, ToolResult
from callgate.wire.gemini_generate.media import write_media
from callgate.wire.gemini_generate.parts import SIGNATURE, write_call, write_thought
from callgate.wire.gemini_generate.signatures import WIRE, own_signature

Spelled = dict[str, Json]


def spell(part: Part) -> Spelled | None:
    """None for what has no place in this wire, and for what says nothing."""
    match part:
        case Text():
            return _text(part)
        case Refusal():
            return {"text": part.text} if part.text else None
        case Reasoning():
            return thought(part.text, part.signature, part.wire, redacted=part.redacted)
        case ToolCall():
            return call(part)
        case Image() | File():
            return write_media(part, False) if part.data or part.url else None
        case Opaque():
            return part.value if part.wire == WIRE and isinstance(part.value, dict) else None
        case ToolResult():
            return None
        case _:
            assert_never(part)


def call(part: ToolCall) -> Spelled:
    """Always with its id, which the client may send back with the response."""
    return write_call(part, part.id, own_signature(part.signature, part.wire), same=False)


def thought(text: str, signature: str, wire: str, *, redacted: bool = False) -> Spelled | None:
    """Other providers' proofs stay away: a client would send them back as this provider's."""
    own = own_signature(signature, wire)
    if redacted and not own:
        return None
    return write_thought(Reasoning(text), own, same=False) if text or own else None


def _text(part: Text) -> Spelled | None:
    signature = part.extras.get(SIGNATURE)
    if isinstance(signature, str) and signature:
        return {"text": part.text, SIGNATURE: signature}
    return {"text": part.text} if part.text else None
