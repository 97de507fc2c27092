"""Envelopes: a provider's proof, wrapped so that a client of another wire can keep it and send it back.

Signatures of thinking are only good at the wire that made them, but the client must hold them between requests. Its
own signature field carries the envelope; on the way up it is opened where its wire is spoken, and dropped elsewhere.
Knows nothing of how any wire spells its signature field.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from callgate.core.deltas import CallEnded, Delta, PartArrived, ReasoningSigned
from callgate.core.json.text import dump_bytes, parse_object
from callgate.core.messages import Json, Message, Part, Reasoning, ToolCall
from callgate.core.request import WireName

PREFIX = "cg1."
SIGNATURE, ID, REDACTED = "signature", "id", "redacted"
"""Keys of the payload: the proof itself, the id of the reasoning it belongs to, whether that has no text."""

_CHAT = "openai-chat"
"""Has a place for the proof of a call, where Google's own service puts it; that of thinking is remembered instead."""

_PREFIX_IN_BASE64 = "Y2cxL"
"""How an envelope begins that is itself base64, which Gemini's own SDK demands of every signature."""


@dataclass(frozen=True, slots=True)
class Envelope:
    wire: str
    """The wire of the provider that made the proof."""
    model: str
    payload: Mapping[str, Json]

    @property
    def signature(self) -> str:
        return self._text(SIGNATURE)

    @property
    def id(self) -> str:
        return self._text(ID)

    @property
    def redacted(self) -> bool:
        return self.payload.get(REDACTED) is True

    def _text(self, key: str) -> str:
        value = self.payload.get(key)
        return value if isinstance(value, str) else ""


def seal(wire: str, model: str, payload: Mapping[str, Json]) -> str:
    content = dump_bytes({"wire": wire, "model": model, "payload": dict(payload)})
    return PREFIX + base64.urlsafe_b64encode(content).decode().rstrip("=")


def open_envelope(text: str) -> Envelope | None:
    """None for anything that `seal` did not make."""
    if text.startswith(_PREFIX_IN_BASE64):
        text = (_decoded(text) or b"").decode("ascii", "replace")
    if not text.startswith(PREFIX):
        return None
    value = parse_object(_decoded(text.removeprefix(PREFIX)) or b"")
    match value:
        case {"wire": str(wire), "model": str(model), "payload": dict(payload)}:
            return Envelope(wire, model, payload)
        case _:
            return None


def is_sealed(signature: str) -> bool:
    """True: only Callgate can read it, even if it can no longer be opened."""
    return signature.startswith(PREFIX) or open_envelope(signature) is not None


def carries_envelopes(messages: Iterable[Message]) -> bool:
    """True: something in the history was made by a provider of another wire, so no provider may get it as it is."""
    return any(is_sealed(_signature_of(part)) for message in messages for part in message.parts)


def seal_delta(delta: Delta, client_wire: WireName, model: str) -> Delta:
    """What a client of another wire than the provider's is given of a delta. `model`: the one that answers."""
    match delta:
        case ReasoningSigned() if client_wire != _CHAT and _is_foreign(delta.signature, delta.wire, client_wire):
            sealed = _sealed(delta.wire, model, _payload(delta.signature, delta.id), client_wire)
            return replace(delta, signature=sealed, wire=_shown_wire(delta.wire, client_wire))
        case CallEnded() if _is_foreign(delta.signature, delta.wire, client_wire):
            sealed = _sealed(delta.wire, model, _payload(delta.signature), client_wire)
            return replace(delta, signature=sealed, wire=_shown_wire(delta.wire, client_wire))
        case PartArrived(value=Reasoning()) if client_wire == _CHAT:
            return delta
        case PartArrived(value=Reasoning() | ToolCall() as part) if _is_foreign(part.signature, part.wire, client_wire):
            return replace(delta, value=_sealed_part(part, client_wire, model))
        case _:
            return delta


def _sealed_part(part: Reasoning | ToolCall, client_wire: WireName, model: str) -> Reasoning | ToolCall:
    if isinstance(part, Reasoning):
        payload = _payload(part.signature, part.id, redacted=part.redacted)
    else:
        payload = _payload(part.signature)
    sealed = _sealed(part.wire, model, payload, client_wire)
    return replace(part, signature=sealed, wire=_shown_wire(part.wire, client_wire))


def _payload(signature: str, id: str = "", *, redacted: bool = False) -> dict[str, Json]:
    payload: dict[str, Json] = {SIGNATURE: signature}
    if id:
        payload[ID] = id
    if redacted:
        payload[REDACTED] = True
    return payload


def _is_foreign(signature: str, wire: str, client_wire: WireName) -> bool:
    return bool(signature) and wire not in ("", client_wire)


def _sealed(wire: str, model: str, payload: Mapping[str, Json], client_wire: WireName) -> str:
    text = seal(wire, model, payload)
    return base64.b64encode(text.encode()).decode() if client_wire == "gemini" else text


def _shown_wire(wire: str, client_wire: WireName) -> str:
    """In base64 it passes for a proof of Gemini's own; writers know the plain form by its beginning."""
    return client_wire if client_wire == "gemini" else wire


def _signature_of(part: Part) -> str:
    return part.signature if isinstance(part, Reasoning | ToolCall) else ""


def _decoded(text: str) -> bytes | None:
    """Base64 of either alphabet, padded or not."""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):  # not base64, or not even ASCII
        return None
