"""Whose proof a signature is."""

import base64

from callgate.wire.gemini_generate.signatures import own_signature, same_proof, signature_wire
from callgate.wire.signature_envelope import open_envelope, seal

ENVELOPE = seal("anthropic", "claude", {"signature": "proof"})
IN_BASE64 = base64.b64encode(ENVELOPE.encode()).decode()


def test_only_the_providers_own_proof_belongs_to_the_wire() -> None:
    assert signature_wire("c2ln") == "gemini"
    assert signature_wire("") == signature_wire(ENVELOPE) == signature_wire(IN_BASE64) == ""


def test_other_providers_proofs_are_not_shown() -> None:
    assert own_signature("EqQB", "anthropic") == ""
    assert own_signature("c2ln", "gemini") == "c2ln"


def test_an_envelope_is_shown_as_base64_and_can_be_opened_again() -> None:
    shown = own_signature(ENVELOPE, "anthropic")
    assert shown == own_signature(IN_BASE64, "gemini") == IN_BASE64
    opened = open_envelope(shown)
    assert opened is not None
    assert opened.signature == "proof"


def test_alphabet_and_padding_of_base64_do_not_count() -> None:
    assert same_proof("ab+/cQ==") == same_proof("ab-_cQ")
