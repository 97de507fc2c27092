import base64

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.deltas import CallEnded, Delta, PartArrived, ReasoningSigned, TextDelta
from callgate.core.messages import Message, Opaque, Reasoning, Text, ToolCall
from callgate.core.request import WireName
from callgate.wire.signature_envelope import PREFIX, carries_envelopes, is_sealed, open_envelope, seal, seal_delta

CLIENTS: list[WireName] = ["openai-responses", "anthropic", "gemini"]


@given(st.text(), st.text(), st.dictionaries(st.text(), st.text() | st.booleans() | st.none(), max_size=4))
def test_what_is_sealed_can_be_opened(wire: str, model: str, payload: dict[str, str | bool | None]) -> None:
    sealed = seal(wire, model, payload)
    assert sealed.startswith(PREFIX)
    envelope = open_envelope(sealed)
    assert envelope is not None
    assert (envelope.wire, envelope.model, envelope.payload) == (wire, model, payload)


@given(st.text() | st.text().map("cg1.".__add__) | st.binary().map(lambda data: base64.b64encode(data).decode()))
def test_anything_else_is_no_envelope(text: str) -> None:
    assert open_envelope(text) is None


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"wire":"anthropic","model":1,"payload":{}}', b"\xff"])
def test_an_envelope_with_strange_content_is_not_opened_but_stays_ours(content: bytes) -> None:
    text = PREFIX + base64.urlsafe_b64encode(content).decode()
    assert open_envelope(text) is None
    assert is_sealed(text)


def test_a_providers_own_signature_is_not_sealed() -> None:
    assert not is_sealed("")
    assert not is_sealed("EqQBCkYIBBgCKkD")
    assert not is_sealed(base64.b64encode(b"cg1.not an envelope").decode())


@pytest.mark.parametrize("client", CLIENTS)
def test_a_foreign_proof_goes_to_the_client_in_an_envelope(client: WireName) -> None:
    signed = ReasoningSigned(2, "proof", "openai-chat", "rs_1", choice=1)
    sealed = seal_delta(signed, client, "m")
    assert isinstance(sealed, ReasoningSigned)
    assert (sealed.part, sealed.choice, sealed.id) == (2, 1, "rs_1")
    envelope = open_envelope(sealed.signature)
    assert envelope is not None
    assert (envelope.wire, envelope.model, envelope.signature, envelope.id) == ("openai-chat", "m", "proof", "rs_1")
    assert not envelope.redacted


@pytest.mark.parametrize("client", CLIENTS)
def test_redacted_thinking_stays_redacted_in_its_envelope(client: WireName) -> None:
    part = Reasoning(signature="secret", redacted=True, wire="anthropic-next")
    sealed = seal_delta(PartArrived(0, part), client, "m")
    assert isinstance(sealed, PartArrived)
    assert isinstance(sealed.value, Reasoning)
    envelope = open_envelope(sealed.value.signature)
    assert envelope is not None
    assert (envelope.signature, envelope.redacted) == ("secret", True)


@pytest.mark.parametrize(
    "delta",
    [CallEnded(0, "{}", "proof", "gemini"), PartArrived(0, ToolCall("c", "f", "{}", signature="proof", wire="gemini"))],
)
@pytest.mark.parametrize("client", ["anthropic", "openai-chat"])
def test_the_proof_of_a_call_is_sealed_too(delta: Delta, client: WireName) -> None:
    sealed = seal_delta(delta, client, "m")
    holder = sealed.value if isinstance(sealed, PartArrived) else sealed
    assert isinstance(holder, ToolCall | CallEnded)
    envelope = open_envelope(holder.signature)
    assert envelope is not None
    assert (envelope.wire, envelope.signature) == ("gemini", "proof")


@pytest.mark.parametrize(
    ("delta", "client"),
    [
        (TextDelta(0, "hello"), "anthropic"),
        (ReasoningSigned(0, "proof", "anthropic"), "anthropic"),
        (ReasoningSigned(0, "proof", ""), "anthropic"),
        (CallEnded(0, "{}"), "anthropic"),
        (PartArrived(0, Opaque("gemini", {})), "anthropic"),
        (PartArrived(0, Text("hello")), "anthropic"),
        (ReasoningSigned(0, "proof", "anthropic"), "openai-chat"),
        (PartArrived(0, Reasoning(signature="proof", redacted=True, wire="anthropic")), "openai-chat"),
    ],
)
def test_what_needs_no_envelope_or_has_no_place_for_one_is_left_alone(delta: Delta, client: WireName) -> None:
    assert seal_delta(delta, client, "m") is delta


def test_geminis_own_sdk_bears_a_sealed_signature_and_sends_it_back_unharmed() -> None:
    sealed = seal_delta(ReasoningSigned(0, "proof", "anthropic"), "gemini", "claude")
    assert isinstance(sealed, ReasoningSigned)
    assert sealed.wire == "gemini"
    part = types.Part.model_validate({"text": "hm", "thought": True, "thoughtSignature": sealed.signature})
    returned = part.model_dump(mode="json")["thought_signature"]
    envelope = open_envelope(returned)
    assert envelope is not None
    assert (envelope.wire, envelope.signature) == ("anthropic", "proof")


def test_a_history_with_an_envelope_is_told_from_one_without() -> None:
    call = ToolCall("c", "f", "{}", signature=seal("gemini", "m", {}))
    thought = Reasoning("hm", seal("gemini", "m", {}))
    assert carries_envelopes([Message("user", (Text("hi"),)), Message("assistant", (call,))])
    assert carries_envelopes([Message("assistant", (thought, Text("hi")))])
    assert not carries_envelopes([Message("assistant", (Reasoning("hm", "own", wire="anthropic"), Text("cg1.")))])
